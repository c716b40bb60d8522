//! Small readers of every file format that `export` writes. They share no code with the writers, so
//! that no single mistake stays hidden.

mod binary;
mod drawn;
mod engines;
mod pose;
mod svg;
mod text;

pub use binary::{read_npy, read_ply};
pub use drawn::{Drawn, drawn_glb, drawn_godot, drawn_usda};
pub use engines::seen_parquet;
pub use engines::{Seen, seen_geojson, seen_glb, seen_godot, seen_unity, seen_unreal, seen_usda};
pub use pose::Pose;
pub use svg::read_svg;
pub use text::{read_csv, read_json};

use export::Format;

/// A point read from a file.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its id.
    pub id: u64,
    /// Its two or three coordinates.
    pub position: Vec<f64>,
    /// The minimum distance at the position.
    pub min_dist: f64,
    /// The map's value at the position.
    pub value: f64,
    /// The id of the point around which it was drawn.
    pub parent: Option<u64>,
    /// Its level of detail.
    pub rank: Option<u32>,
    /// Its species.
    pub layer: Option<u32>,
}

impl Point {
    /// Converts the sampler's point. The caller removes values that the file does not contain.
    pub fn of<const D: usize>(sample: &sampler::Sample<D>) -> Self {
        Self {
            id: sample.id,
            position: sample.position.to_vec(),
            min_dist: sample.min_dist,
            value: sample.value,
            parent: sample.parent,
            rank: sample.rank,
            layer: sample.layer,
        }
    }

    /// Returns all bits of all numbers, which differ for -0 and 0.
    fn bits(&self) -> (u64, Vec<u64>, [Option<u64>; 3]) {
        let numbers = self.position.iter().chain([&self.min_dist, &self.value]);
        (
            self.id,
            numbers.map(|x| x.to_bits()).collect(),
            [
                self.parent,
                self.rank.map(u64::from),
                self.layer.map(u64::from),
            ],
        )
    }
}

/// Compares to the last bit.
impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

/// The formats that store every number of a point unchanged, which [`read`] reads.
pub const PLAIN: [Format; 5] = [
    Format::Csv,
    Format::Json,
    Format::Ply,
    Format::Svg,
    Format::Npy,
];

/// Reads the points of a file as its program shows them. Formats without axes of their own are read
/// as pictures, with the `y_axis` of the run.
///
/// # Panics
/// If the file does not follow the format's documentation.
pub fn seen(format: Format, bytes: &[u8], y_axis: export::YAxis) -> Vec<Seen> {
    match format {
        Format::GeoJson => seen_geojson(bytes),
        Format::Glb => seen_glb(bytes),
        Format::Usda => seen_usda(bytes),
        Format::Godot => seen_godot(bytes),
        Format::Unity => seen_unity(bytes),
        Format::Unreal => seen_unreal(bytes),
        Format::Parquet => seen_parquet(bytes),
        plain @ (Format::Csv | Format::Json | Format::Ply | Format::Svg | Format::Npy) => {
            read(plain, bytes)
                .into_iter()
                .map(|point| Seen {
                    id: point.id,
                    right: point.position[0],
                    down: match y_axis {
                        export::YAxis::Down => point.position[1],
                        export::YAxis::Up => -point.position[1],
                    },
                    up: point.position.get(2).copied().unwrap_or(0.0),
                    min_dist: point.min_dist,
                    value: point.value,
                    layer: point.layer.unwrap_or(0),
                    rank: point.rank,
                    turn: 0.0,
                    pose: Pose::LEVEL,
                    scale: 1.0,
                })
                .collect()
        }
    }
}

/// Reads a file of one of the [`PLAIN`] formats.
///
/// # Panics
/// If the file does not follow the format's documentation, or has another format.
pub fn read(format: Format, bytes: &[u8]) -> Vec<Point> {
    match format {
        Format::Csv => read_csv(bytes),
        Format::Json => read_json(bytes),
        Format::Ply => read_ply(bytes),
        Format::Svg => read_svg(bytes),
        Format::Npy => read_npy(bytes),
        other => panic!("{other} does not hold points as they are"),
    }
}
