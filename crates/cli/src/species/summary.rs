//! The summary of a run with layers, as JSON.

use super::Run;
use crate::args::Algorithm;
use crate::ground::GroundInfo;
use crate::map_file::MapInfo;
use crate::outputs::{Outputs, Stdout};
use crate::placing::PlacingInfo;
use crate::region::RegionInfo;
use crate::warnings::WarningInfo;
use density::RadiusField;
use sampler::ALGORITHM_VERSION;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};

#[derive(Serialize)]
struct Summary<'a> {
    /// The tool's.
    version: &'static str,
    points: u64,
    /// `false`: a limit stopped the run.
    complete: bool,
    unresolved: u64,
    /// Square world units.
    unresolved_area: f64,
    expected_points: f64,
    seconds: f64,
    points_per_second: f64,
    algorithm: &'static str,
    algorithm_version: u32,
    seed: u64,
    threads: usize,
    max_points: Option<u64>,
    rule: &'static str,
    min_dist: f64,
    max_dist: f64,
    size: [f64; 2],
    origin: [f64; 2],
    y_axis: &'static str,
    lod: Option<u32>,
    /// What is made of the points besides.
    placing: PlacingInfo,
    /// `null` without heights.
    ground: Option<&'a GroundInfo>,
    /// The species file as given.
    species: String,
    /// By number, as in the column `layer`.
    layers: Vec<LayerInfo<'a>>,
    /// Distances between layers that are not by the rule.
    apart: Vec<ApartInfo<'a>>,
    warnings: Vec<WarningInfo>,
    /// Where points of any layer may lie.
    region: &'a RegionInfo,
    outputs: Vec<String>,
}

#[derive(Serialize)]
struct LayerInfo<'a> {
    name: &'a str,
    points: u64,
    expected_points: f64,
    min_dist: f64,
    max_dist: f64,
    white: &'static str,
    share: f64,
    turn: u32,
    /// `null`: derived from the run's.
    seed: Option<u64>,
    colour: Option<String>,
    /// `null`: noise, or the same distance everywhere.
    map: Option<&'a MapInfo>,
}

#[derive(Serialize)]
struct ApartInfo<'a> {
    between: [&'a str; 2],
    distance: f64,
}

/// Writes the summary to `out`.
pub(super) fn write(out: File, run: &Run<'_>, outputs: &Outputs) -> io::Result<()> {
    let (args, layers, layered) = (run.args, run.layers, run.layered);
    let points = run.found.samples.len() as u64;
    let each: Vec<LayerInfo<'_>> = layers
        .species
        .iter()
        .zip(layered.layers())
        .zip(run.counts.iter().zip(layered.expected()))
        .map(
            |((species, layer), (&points, &expected_points))| LayerInfo {
                name: &species.name,
                points,
                expected_points,
                min_dist: layer.field.range().lo(),
                max_dist: layer.field.range().hi(),
                white: species.white.name(),
                share: layer.share,
                turn: layer.turn,
                seed: layer.seed,
                colour: species
                    .colour
                    .map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}")),
                map: species.map.as_ref(),
            },
        )
        .collect();
    let mut apart = Vec::new();
    for (a, first) in layers.species.iter().enumerate() {
        for (b, second) in layers.species.iter().enumerate().skip(a + 1) {
            if let Some(distance) = layered.apart().get(a, b) {
                let between = [&*first.name, &*second.name];
                apart.push(ApartInfo { between, distance });
            }
        }
    }
    let stdout = (outputs.stdout == Stdout::Csv).then(|| "-".to_owned());
    let files = outputs.files.iter().map(|f| f.given.display().to_string());
    let ends =
        |f: fn(f64, f64) -> f64, of: fn(&LayerInfo<'_>) -> f64| each.iter().map(of).reduce(f);
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION"),
        points,
        complete: run.found.complete,
        unresolved: run.found.unresolved,
        unresolved_area: run.found.unresolved_volume,
        expected_points: layered.expected().iter().sum(),
        seconds: run.seconds,
        points_per_second: points as f64 / run.seconds.max(1e-9),
        algorithm: Algorithm::Scatter.name(),
        algorithm_version: ALGORITHM_VERSION,
        seed: args.seed,
        threads: rayon::current_num_threads(),
        max_points: args.max_points,
        rule: layered.options().rule.name(),
        min_dist: ends(f64::min, |l| l.min_dist).unwrap_or(0.0),
        max_dist: ends(f64::max, |l| l.max_dist).unwrap_or(0.0),
        size: layers.size,
        origin: args.origin.unwrap_or_default(),
        y_axis: if args.field.y_up { "up" } else { "down" },
        lod: args.lod,
        placing: args.placing.info(),
        ground: run.places.ground.as_ref(),
        species: run.path.display().to_string(),
        layers: each,
        apart,
        warnings: run.warnings.iter().map(WarningInfo::from).collect(),
        region: &run.places.region,
        outputs: files.chain(stdout).collect(),
    };
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &summary)?;
    out.write_all(b"\n")?;
    out.flush()
}
