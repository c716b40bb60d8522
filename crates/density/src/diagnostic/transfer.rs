//! How a file's values are meant to be shown.

/// How a file's values are meant to be shown. Decoding a map takes them as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// As sRGB says.
    Srgb,
    /// As an embedded colour profile says.
    Profile {
        /// The profile's name where the file has it in plain text, as PNG does; what is not Latin
        /// text in it is replaced by `?`.
        name: Option<String>,
    },
    /// As a power: the file's gamma times 100,000; 45,455 means the usual 1 / 2.2.
    Gamma(u32),
    /// As sRGB, though nothing says so: a JPEG is a picture by convention.
    Convention,
}
