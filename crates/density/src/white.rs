//! Polarity: what white asks for.

/// What white, value 1, asks for. There is no safe guess, so every map states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum White {
    /// White is sparse: `min_dist = min + value * (max - min)`, the mission's formula.
    #[default]
    Sparse,
    /// White is dense, as most paint tools mean it:
    /// `min_dist = min + (1 - value) * (max - min)`.
    Dense,
}

impl White {
    /// The polarity's name as the command line and files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sparse => "sparse",
            Self::Dense => "dense",
        }
    }

    /// How sparse the grey `value` is, in [0, 1]: what the formula takes.
    #[inline]
    pub(crate) fn sparseness(self, value: f64) -> f64 {
        match self {
            Self::Sparse => value,
            Self::Dense => 1.0 - value,
        }
    }
}
