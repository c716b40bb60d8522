//! The intended display of a file's values.

/// The transfer function for displaying a file's values. Decoding a map takes the values as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// The sRGB curve.
    Srgb,
    /// An embedded colour profile.
    Profile {
        /// The profile's name, if the file has it in plain text, as PNG does; characters other than
        /// Latin text are replaced by `?`.
        name: Option<String>,
    },
    /// A power: the file's gamma times 100,000. 45,455 means the usual 1 / 2.2.
    Gamma(u32),
    /// sRGB, though no tag states it: a JPEG is a picture by convention.
    Convention,
}
