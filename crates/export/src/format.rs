//! The file formats, and a writer for each.

use crate::{
    CsvWriter, ExportError, Header, JsonWriter, NpyWriter, PlyWriter, PointWriter, SvgOptions,
    SvgWriter,
};
use std::fmt;
use std::io::{Seek, Write};
use std::path::Path;

/// A file format for points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values, see [`CsvWriter`].
    Csv,
    /// JSON, see [`JsonWriter`].
    Json,
    /// Stanford PLY, see [`PlyWriter`].
    Ply,
    /// A drawing, see [`SvgWriter`].
    Svg,
    /// A `NumPy` array, see [`NpyWriter`].
    Npy,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Json, Self::Ply, Self::Svg, Self::Npy];

    /// The name as people write it, such as `CSV`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Ply => "PLY",
            Self::Svg => "SVG",
            Self::Npy => "NPY",
        }
    }

    /// The file name's extension, without the dot, such as `csv`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ply => "ply",
            Self::Svg => "svg",
            Self::Npy => "npy",
        }
    }

    /// The format with this extension (no dot, upper or lower case), if there is one.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// The format that the path's extension names, if it names one.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        Self::from_extension(path.as_ref().extension()?.to_str()?)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Starts a file of the given format with the format's default options.
///
/// # Errors
/// When the format cannot hold points of `D` dimensions, or the output refuses the beginning.
pub fn open<'w, const D: usize, W: Write + Seek + 'w>(
    format: Format,
    out: W,
    header: &Header<D>,
) -> Result<Box<dyn PointWriter<D> + 'w>, ExportError> {
    Ok(match format {
        Format::Csv => Box::new(CsvWriter::new(out, header)?),
        Format::Json => Box::new(JsonWriter::new(out, header)?),
        Format::Ply => Box::new(PlyWriter::new(out, header)?),
        Format::Svg => Box::new(SvgWriter::new(out, header, SvgOptions::default())?),
        Format::Npy => Box::new(NpyWriter::new(out, header)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_formats_in_any_case() {
        assert_eq!(Format::from_path("a/points.CSV"), Some(Format::Csv));
        assert_eq!(Format::from_path("points.tar.Npy"), Some(Format::Npy));
        for unknown in [
            "points",
            "points.",
            ".csv",
            "points.csv.gz",
            "points.png",
            "",
        ] {
            assert_eq!(Format::from_path(unknown), None, "{unknown}");
        }
        for format in Format::ALL {
            assert_eq!(Format::from_extension(format.extension()), Some(format));
        }
    }
}
