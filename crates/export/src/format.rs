//! The file formats, and a writer for each.

use crate::{
    CsvWriter, ExportError, GeoJsonWriter, GlbWriter, GodotWriter, Header, JsonWriter, NpyWriter,
    PlyWriter, PointWriter, SvgOptions, SvgWriter, UnityWriter, UnrealWriter, UsdaWriter,
};
use density::Bounds;
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
    /// Features for geographic programs, see [`GeoJsonWriter`].
    GeoJson,
    /// Binary glTF with instances, see [`GlbWriter`].
    Glb,
    /// A USD stage with instances, see [`UsdaWriter`].
    Usda,
    /// A Godot scene with instances, see [`GodotWriter`].
    Godot,
    /// Trees for a Unity terrain, see [`UnityWriter`].
    Unity,
    /// A data table for Unreal, see [`UnrealWriter`].
    Unreal,
    /// `GeoParquet`, see [`ParquetWriter`](crate::ParquetWriter).
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: &[Self] = &[
        Self::Csv,
        Self::Json,
        Self::Ply,
        Self::Svg,
        Self::Npy,
        Self::GeoJson,
        Self::Glb,
        Self::Usda,
        Self::Godot,
        Self::Unity,
        Self::Unreal,
        #[cfg(feature = "parquet")]
        Self::Parquet,
    ];

    /// Returns the largest absolute coordinate that programs reading this format would hold as a
    /// 32-bit float, for points in `domain`. `None` for formats whose readers keep 64 bits, as for
    /// CSV, JSON, NPY and maps.
    ///
    /// Engines' formats store positions relative to the domain; PLY and SVG do not.
    pub fn single_precision<const D: usize>(self, domain: &Bounds<D>) -> Option<f64> {
        let corners = domain.min().into_iter().chain(domain.max());
        match self {
            Self::Ply | Self::Svg => Some(corners.fold(0.0, |most: f64, x| most.max(x.abs()))),
            Self::Glb | Self::Usda | Self::Godot => Some(0.5 * domain.longest_side()),
            Self::Unity => Some(domain.longest_side()),
            Self::Csv | Self::Json | Self::Npy | Self::GeoJson | Self::Unreal => None,
            #[cfg(feature = "parquet")]
            Self::Parquet => None,
        }
    }

    /// Returns the usual name, such as `CSV`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Ply => "PLY",
            Self::Svg => "SVG",
            Self::Npy => "NPY",
            Self::GeoJson => "GeoJSON",
            Self::Glb => "GLB",
            Self::Usda => "USDA",
            Self::Godot => "Godot scene",
            Self::Unity => "Unity JSON",
            Self::Unreal => "Unreal CSV",
            #[cfg(feature = "parquet")]
            Self::Parquet => "Parquet",
        }
    }

    /// Returns the extension of file names, without the dot, such as `csv`. Two have two parts:
    /// `unity.json` and `unreal.csv`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ply => "ply",
            Self::Svg => "svg",
            Self::Npy => "npy",
            Self::GeoJson => "geojson",
            Self::Glb => "glb",
            Self::Usda => "usda",
            Self::Godot => "tscn",
            Self::Unity => "unity.json",
            Self::Unreal => "unreal.csv",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// Returns the format with this extension (no dot, upper or lower case), if there is one.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// Returns the format named by the path's extension, if any. The longer extension takes
    /// precedence: `points.unity.json` is Unity's, `points.json` is JSON.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let path = path.as_ref();
        let last = path.extension()?.to_str()?;
        let middle = Path::new(path.file_stem()?).extension();
        middle
            .and_then(|middle| Self::from_extension(&format!("{}.{last}", middle.to_str()?)))
            .or_else(|| Self::from_extension(last))
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
/// If the format cannot hold points of `D` dimensions, or the output fails to take the beginning.
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
        Format::GeoJson => Box::new(GeoJsonWriter::new(out, header)?),
        Format::Glb => Box::new(GlbWriter::new(out, header)?),
        Format::Usda => Box::new(UsdaWriter::new(out, header)?),
        Format::Godot => Box::new(GodotWriter::new(out, header)?),
        Format::Unity => Box::new(UnityWriter::new(out, header)?),
        Format::Unreal => Box::new(UnrealWriter::new(out, header)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(crate::ParquetWriter::new(out, header)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_formats_in_any_case() {
        assert_eq!(Format::from_path("a/points.CSV"), Some(Format::Csv));
        assert_eq!(Format::from_path("points.tar.Npy"), Some(Format::Npy));
        assert_eq!(Format::from_path("a/b.Unity.JSON"), Some(Format::Unity));
        assert_eq!(Format::from_path("trees.unreal.csv"), Some(Format::Unreal));
        assert_eq!(Format::from_path("unity.json"), Some(Format::Json));
        assert_eq!(Format::from_path("unity.csv"), Some(Format::Csv));
        assert_eq!(Format::from_path("my.unity.csv"), Some(Format::Csv));
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
        for &format in Format::ALL {
            assert_eq!(Format::from_extension(format.extension()), Some(format));
        }
    }
}
