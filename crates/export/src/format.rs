//! The file formats, and a writer for each.

use crate::column::check_dimension;
use crate::counted::CountedFile;
use crate::csv_writer::CsvWriter;
use crate::held::HeldFile;
#[cfg(feature = "parquet")]
use crate::parquet_writer::ParquetWriter;
use crate::text::TextFile;
use crate::{ExportError, Header, PointWriter};
use crate::{geojson, glb, godot, json, npy, ply, svg, unity, unreal, usda};
use density::Bounds;
use density::diagnostic::{Diagnostic, Rounded};
use std::fmt;
use std::io::{Seek, Write};
use std::path::Path;

/// Least `min_dist` without a warning, in steps of a 32-bit float at the greatest coordinate, where the file holds
/// such floats. Two rounded points come nearer by at most a step along each axis.
const STEPS_HELD: f64 = 1000.0;

/// Least `min_dist` without a warning, in such steps, where only programs that read the file round.
const STEPS_READ: f64 = 100.0;

/// A file format for points.
///
/// ```
/// # use spinney_export as export;
/// use export::Format;
///
/// assert_eq!(Format::from_path("trees.CSV"), Some(Format::Csv));
/// // Some extensions have two parts.
/// assert_eq!(Format::from_path("trees.unity.json"), Some(Format::Unity));
/// assert_eq!(Format::from_path("trees.json"), Some(Format::Json));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values: a line of column names, then one line per point, `\n` line ends.
    ///
    /// Large and small numbers have exponents (`1e300`, `1e-7`), which Python, R and spreadsheets read.
    /// A point without parent, rank or layer has an empty field there. Ids are written in full; a
    /// reader with doubles only (a spreadsheet, JavaScript) changes ids above 2^53.
    Csv,
    /// One JSON object: `{"spinney": {..}, "points": [{"id": 0, "x": .., ..}, ..]}`, one
    /// point per line.
    ///
    /// `spinney` holds `version` (the tool's), `algorithm`, `algorithm_version`, `seed`, `rule`,
    /// `dimensions`, `y_axis` and `domain` (`min` and `max` corners), and where they apply `crs`,
    /// `tile` (`true`), `window` (corners) and `scale_factor` (of all distances). A point without
    /// parent, rank or layer has `null`.
    ///
    /// Most readers of JSON support doubles only and would change integers above 2^53 without a
    /// message. So hashed ids ([`Ids::Hashed`](crate::Ids::Hashed)) and their parents are strings of digits, `"id":"123"`,
    /// and a counted id above 2^53 is an error. The seed is a number, written in full.
    Json,
    /// Stanford PLY, `binary_little_endian 1.0`, one `vertex` element, every property a `double`.
    ///
    /// Flat points get `z` = 0, or the height of their ground, because viewers expect `x`, `y` and `z`; the comment
    /// `dimensions 2` marks them as flat. PLY has no 64-bit integers, so `id` and `parent` are doubles too, exact up to
    /// 2^53; a greater one is an error. Hashed ids ([`Ids::Hashed`](crate::Ids::Hashed)) become `uint id_hi` and `uint id_lo` instead: the id
    /// is `id_hi * 2^32 + id_lo`. A point without parent, rank or layer has -1 there. Normals are `nx`, `ny` and `nz`, NaN
    /// where there is no ground. Comments have the metadata of the run, one `name value` each.
    Ply,
    /// An SVG drawing: one `circle` per point, flat points only. One unit is one millimetre, and a circle's
    /// radius is a quarter of its point's `min_dist`, or its scale if the header sets scales.
    ///
    /// The view box is in world units, so that `cx` and `cy` are the exact coordinates. With y upwards
    /// a transform around the circles flips the drawing. A circle's `id` is `p` and the point's id. The
    /// other columns are in `data-min-dist`, `data-value` and, where the point has them, `data-parent`,
    /// `data-rank` and `data-layer`. If layers have colours, circles are filled with them. `desc` has the metadata of the run.
    Svg,
    /// `NumPy`'s NPY format 1.0: a one-dimensional structured array, little-endian.
    ///
    /// `id` is `<u8`, the coordinates, `min_dist` and `value` are `<f8`, and `parent`, `rank` and
    /// `layer` are `<i8` with -1 for none (a parent of 2^63 or more is an error). Columns that depend
    /// on a ground are NaN where there is none. The format cannot hold the metadata of the run.
    ///
    /// Format: `NumPy` Enhancement Proposal 1, 2007.
    Npy,
    /// A `GeoJSON` `FeatureCollection`, one `Point` per line.
    ///
    /// Coordinates are east and north (and up), so that maps look as painted: with y downwards north is
    /// -y. They are in world units. If the coordinate system has an EPSG code and y runs upwards, `crs`
    /// names it, as in the `GeoJSON` of 2008, which GDAL reads; RFC 7946 has only degrees, and lets
    /// programs ignore `crs`. Otherwise a program may ask for the system: give the map's. `properties`
    /// has the columns of the other formats except the coordinates, with ids as in [JSON](Self::Json).
    /// `spinney` has the metadata of the run.
    ///
    /// Format: RFC 7946, 2016.
    GeoJson,
    /// Binary glTF 2.0 with `EXT_mesh_gpu_instancing`: a node with a mesh per layer.
    ///
    /// glTF is right-handed with y upwards: x is east, z south. The outer node `spinney` is in the
    /// middle of the domain, or of the window, and the instances' 32-bit floats are relative to it. The
    /// mesh, a small pyramid, is a placeholder for your own. Attributes of an instance: `TRANSLATION`, `ROTATION`,
    /// `SCALE`; `_ID` (four unsigned 16-bit numbers, the lowest first, because attributes have no
    /// 64-bit integers: their eight bytes are the id, little-endian), `_LAYER`, `_RADIUS` (the point's
    /// `min_dist`), `_VALUE` and, if all of the layer's points have one, `_RANK`. The asset's
    /// `extras.spinney` has the metadata of the run. The extension is marked as required: a program
    /// without it would show a single pyramid.
    ///
    /// Holds all points in memory, some hundred bytes each, until it is finished.
    ///
    /// Formats: glTF 2.0, Khronos Group, 2017; `EXT_mesh_gpu_instancing`, 2019.
    Glb,
    /// A USD stage in text: one `PointInstancer`, with a prototype per layer.
    ///
    /// The stage has z upwards and metres: x is east, y north. The instancer is in the middle of the
    /// domain, or of the window, and its 32-bit positions are relative to it. The prototypes
    /// `/spinney/Prototypes/layer_0` and so on, with the layer's name after its number if it has one,
    /// are cones: replace them by references to your own. `ids` are signed: an id of 2^63 or more is
    /// stored as id - 2^64. The other columns are `primvars:min_dist`, `primvars:value`,
    /// `primvars:layer` and, if points have one, `primvars:rank`. `customLayerData` has the metadata of
    /// the run.
    ///
    /// Holds all points in memory, some hundred bytes each, until it is finished.
    Usda,
    /// A Godot 4 scene (`.tscn`): a `Node3D` with a `MultiMeshInstance3D` per layer.
    ///
    /// Godot is right-handed with y upwards: x is east, z south. The outer node is in the middle of the
    /// domain, or of the window, at height 0 for flat points. The buffers of the `MultiMesh`es are relative to it, in
    /// 32-bit floats. The layer's mesh is a cone, a placeholder for your own. `INSTANCE_CUSTOM` has
    /// `min_dist`, the value, the layer, and the rank or -1. The outer node's metadata has the run, as
    /// `spinney`, and one array of ids per layer, in the order of the buffers, as `ids_0` and so on.
    /// Godot's integers are signed, so an id of 2^63 or more is stored as id - 2^64. The metadata of a
    /// layer's node has its number, as `layer`: a layer without points has no node.
    ///
    /// Holds all points in memory, some hundred bytes each, until it is finished.
    Godot,
    /// JSON with Unity's `TreeInstance`s: `{"spinney": {..}, "terrain": {..},
    /// "treeInstances": [..]}`.
    ///
    /// Unity is left-handed: x is east, y up, z north. `terrain` has the `position` and the `size` that
    /// the terrain must have for world units to be metres. An instance's `position` is in terrain
    /// coordinates, 0 to 1 from the south-west corner to the north-east one. Its `y` is 0 for flat
    /// points (have Unity put them on the ground: `snapToHeightmap`); on a ground 0 is its lowest place
    /// and 1 its highest. `prototypeIndex` is the layer, `widthScale` and `heightScale` are the scale,
    /// `rotation` is in radians, clockwise seen from above.
    ///
    /// A terrain's trees cannot be tilted: instances that follow the ground's normal also have an
    /// `orientation`, the quaternion for a `Transform` of your own. `id` is a string if ids are hashed.
    /// `minDist` is in world units; `value` and, if points have one, `rank` are numbers as in other
    /// formats.
    ///
    /// In Unity, with classes of these fields:
    ///
    /// ```csharp
    /// var file = JsonUtility.FromJson<SpinneyFile>(json.text);
    /// var trees = file.treeInstances.Select(t => new TreeInstance {
    ///     position = t.position, prototypeIndex = t.prototypeIndex, rotation = t.rotation,
    ///     widthScale = t.widthScale, heightScale = t.heightScale,
    ///     color = Color.white, lightmapColor = Color.white }).ToArray();
    /// terrain.terrainData.SetTreeInstances(trees, snapToHeightmap: true);
    /// ```
    Unity,
    /// CSV for Unreal's `DataTable` import: `Name,Location,Rotation,Scale,MinDist,Value,Layer,
    /// Rank`.
    ///
    /// Unreal is left-handed with z upwards: X is east, Y south, Z up, in centimetres. So a map's
    /// pixels run along X and Y as in a landscape's heightmap. The row structure needs `Location`
    /// (Vector), `Rotation` (Rotator), `Scale` (Vector), `MinDist` and `Value` (Float; `MinDist` in
    /// centimetres), `Layer` and `Rank` (Integer; -1 without a rank). A row's name is `p` and the
    /// point's id. The format cannot hold the metadata of the run.
    Unreal,
    /// `GeoParquet` 1.1, compressed by Snappy. Needs the feature `parquet`.
    ///
    /// `geometry` is the point as WKB, east and north (and up) as in
    /// [`GeoJson`](Self::GeoJson), without a coordinate system. The columns of the other
    /// formats precede it, with coordinates as they are. `id` is an unsigned 64-bit integer; `parent`,
    /// `rank` and `layer` are unsigned, and null where a point has none. The key `spinney` of the
    /// file's metadata has the metadata of the run.
    ///
    /// Formats: Apache Parquet 2; `GeoParquet` 1.1.0, OGC, 2024.
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

    /// Returns a warning if programs reading this format hold coordinates as 32-bit floats, so that
    /// points `min_dist` apart may be some thousandth of it nearer. `None` for formats whose readers keep
    /// 64 bits, as for CSV, JSON, NPY and maps.
    ///
    /// Engines' formats store positions relative to the domain or the window, and its place in a node, which most
    /// programs add in 32 bits; PLY and SVG store the sums.
    pub fn single_precision<const D: usize>(
        self,
        header: &Header<D>,
        min_dist: f64,
    ) -> Option<Diagnostic> {
        let (part, whole) = (header.part(), header.domain);
        let greatest = |bounds: Bounds<D>| {
            let corners = bounds.min().into_iter().chain(bounds.max());
            corners.fold(0.0, |most: f64, x| most.max(x.abs()))
        };
        let half = 0.5 * part.longest_side();
        let check = |most, steps, rounded| {
            let step = f64::from((most as f32).next_up() - most as f32);
            (min_dist < steps * step).then_some(Diagnostic::SinglePrecision {
                most,
                step,
                min_dist,
                rounded,
            })
        };
        let (local, steps, bounds, node) = match self {
            Self::Ply | Self::Svg => return check(greatest(part), STEPS_READ, Rounded::World),
            Self::Glb => (half, STEPS_HELD, part, "node `spinney`"),
            Self::Usda => (half, STEPS_HELD, part, "prim `/spinney`"),
            Self::Godot => (half, STEPS_HELD, part, "node `Spinney`"),
            Self::Unity => (whole.longest_side(), STEPS_READ, whole, "`terrain`"),
            Self::Csv | Self::Json | Self::Npy | Self::GeoJson | Self::Unreal => return None,
            #[cfg(feature = "parquet")]
            Self::Parquet => return None,
        };
        let far = || check(greatest(bounds), STEPS_READ, Rounded::WithNode(node));
        check(local, steps, Rounded::Local).or_else(far)
    }

    /// Returns `true` if programs reading this format take a unit of the world for a metre.
    pub fn is_in_metres(self) -> bool {
        use Format::{Glb, Godot, Unity, Unreal, Usda};
        matches!(self, Glb | Usda | Godot | Unity | Unreal)
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

/// Starts a file of the given format. [`CsvWriter`] writes to outputs that cannot seek, as pipes.
///
/// # Errors
/// If the format cannot hold points of `D` dimensions, or the output fails to take the beginning.
pub fn open<'w, const D: usize, W: Write + Seek + 'w>(
    format: Format,
    out: W,
    header: &Header<D>,
) -> Result<Box<dyn PointWriter<D> + 'w>, ExportError> {
    let output = format.name();
    check_dimension::<D>(output)?;
    Ok(match format {
        Format::Csv => Box::new(CsvWriter::new(out, header)?),
        Format::Json => Box::new(TextFile::new(output, out, json::text(header)?)?),
        Format::Ply => Box::new(CountedFile::new(output, out, ply::layout(header))?),
        Format::Svg => Box::new(TextFile::new(output, out, svg::text(header)?)?),
        Format::Npy => Box::new(CountedFile::new(output, out, npy::layout(header))?),
        Format::GeoJson => Box::new(TextFile::new(output, out, geojson::text(header)?)?),
        Format::Glb => Box::new(HeldFile::new(output, out, header, glb::MOST, glb::file)?),
        Format::Usda => Box::new(HeldFile::new(output, out, header, usize::MAX, usda::stage)?),
        Format::Godot => Box::new(HeldFile::new(
            output,
            out,
            header,
            godot::MOST,
            godot::scene,
        )?),
        Format::Unity => Box::new(TextFile::new(output, out, unity::text(header)?)?),
        Format::Unreal => Box::new(TextFile::new(output, out, unreal::text(header))?),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(ParquetWriter::new(out, header)?),
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
