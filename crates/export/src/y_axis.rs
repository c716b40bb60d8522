//! Which way the world's y axis points.

/// Which way the world's y axis points, seen as a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YAxis {
    /// Downwards, as in images: the smallest y is at the top.
    #[default]
    Down,
    /// Upwards, as in most worlds: the smallest y is at the bottom.
    Up,
}

impl YAxis {
    /// The name that files spell: `down` or `up`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
        }
    }
}
