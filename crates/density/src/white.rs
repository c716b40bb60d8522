//! Polarity: the meaning of white.

/// The meaning of white, value 1. It cannot be guessed safely, so every map states it.
///
/// ```
/// use spinney_density::White;
///
/// assert_eq!([White::Sparse, White::Dense].map(|white| white.sparseness(0.25)), [0.25, 0.75]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum White {
    /// White is sparse: `min_dist = min + value * (max - min)`.
    #[default]
    Sparse,
    /// White is dense, as in most paint tools: `min_dist = min + (1 - value) * (max - min)`.
    Dense,
}

impl White {
    /// Both meanings, the default first.
    pub const ALL: [Self; 2] = [Self::Sparse, Self::Dense];

    /// Returns the polarity's name as spelt on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sparse => "sparse",
            Self::Dense => "dense",
        }
    }

    /// Returns how sparse the grey `value` is, in [0, 1]: the argument of the formula.
    #[inline]
    pub fn sparseness(self, value: f64) -> f64 {
        match self {
            Self::Sparse => value,
            Self::Dense => 1.0 - value,
        }
    }
}
