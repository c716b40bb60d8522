//! The summary: what was asked for and what came out, as JSON.

use crate::args::Algorithm;
use crate::ground::GroundInfo;
use crate::map_file::MapInfo;
use crate::outputs::{Outputs, Stdout};
use crate::place::PlaceInfo;
use crate::placing::PlacingInfo;
use crate::region::RegionInfo;
use crate::sample::{Outcome, Plan};
use crate::shaping::ShapingInfo;
use crate::source::Source;
use crate::warnings::WarningInfo;
use density::{Warning, YAxis};
use sampler::{ALGORITHM_VERSION, End};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};

#[derive(Serialize)]
struct Summary<'a> {
    /// The tool's.
    version: &'static str,
    points: u64,
    /// `false`: `end` says why.
    complete: bool,
    /// `complete`, `capped` (a limit stopped the run), `open` (the front of points died early) or
    /// `not checked` (whether it did).
    end: &'static str,
    /// The share of the world that an early end left open; `null` when there was none.
    open_share: Option<f64>,
    /// Cells at the finest resolution in which one more point might have gone. `null`:
    /// Bridson's algorithm leaves gaps and does not know of them.
    unresolved: Option<u64>,
    /// Their area, square world units.
    unresolved_area: Option<f64>,
    expected_points: f64,
    /// From the first point to the last, their writing included.
    seconds: f64,
    points_per_second: f64,
    algorithm: &'static str,
    algorithm_version: u32,
    seed: u64,
    /// `null`: the algorithm knows none.
    tries: Option<u32>,
    threads: usize,
    max_points: Option<u64>,
    rule: &'static str,
    white: &'static str,
    min_dist: f64,
    max_dist: f64,
    size: [f64; 2],
    origin: [f64; 2],
    y_axis: &'static str,
    /// The place that the map's file says, where that is followed.
    place: Option<&'a PlaceInfo>,
    /// What the distances were multiplied by: to get the `count` asked for, or as was asked.
    scale_factor: f64,
    count: Option<u64>,
    /// The rectangle that was asked for: its lowest and its highest corner; `null`: the whole.
    window: Option<[[f64; 2]; 2]>,
    /// Ranks run from 0 to this number; `null` without ranks.
    lod: Option<u32>,
    /// Whether opposite edges fit.
    tile: bool,
    /// What is made of the points besides.
    placing: PlacingInfo,
    /// `null` without heights.
    ground: Option<&'a GroundInfo>,
    /// What may have been read, or come out, otherwise than it was meant.
    warnings: Vec<WarningInfo>,
    /// What was done to the map's greys; `null` when the field was the built-in meadow.
    shaping: Option<ShapingInfo>,
    /// `null` when the field was the built-in meadow.
    map: Option<&'a MapInfo>,
    /// `null` when the field was a map.
    perlin: Option<PerlinInfo>,
    /// Where points may lie, besides where the map allows them.
    region: &'a RegionInfo,
    /// Paths as given; `-` is stdout.
    outputs: Vec<String>,
}

#[derive(Serialize)]
struct PerlinInfo {
    seed: u64,
    frequency: f64,
    octaves: u32,
    lacunarity: f64,
    persistence: f64,
}

/// Writes the summary to `out`.
pub(crate) fn write(
    out: File,
    plan: &Plan<'_>,
    outputs: &Outputs,
    outcome: Outcome,
    warnings: &[Warning],
) -> io::Result<()> {
    let args = plan.args;
    let (map, perlin) = match &plan.source {
        Source::Map(map) => (Some(&**map), None),
        Source::Meadow(noise) => {
            let info = PerlinInfo {
                seed: noise.seed,
                frequency: noise.frequency,
                octaves: noise.octaves,
                lacunarity: noise.lacunarity,
                persistence: noise.persistence,
            };
            (None, Some(info))
        }
    };
    let stdout = (outputs.stdout == Stdout::Csv).then(|| "-".to_owned());
    let files = outputs.files.iter().map(|f| f.given.display().to_string());
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION"),
        points: outcome.points,
        complete: outcome.end == End::Complete,
        end: outcome.end.name(),
        open_share: match outcome.end {
            End::Open { share } => Some(share),
            _ => None,
        },
        unresolved: outcome.unresolved.map(|u| u.cells),
        unresolved_area: outcome.unresolved.map(|u| u.area),
        expected_points: outcome.expected,
        seconds: outcome.seconds,
        points_per_second: outcome.points as f64 / outcome.seconds.max(1e-9),
        algorithm: args.algorithm.name(),
        algorithm_version: ALGORITHM_VERSION,
        seed: args.seed,
        tries: match args.algorithm {
            Algorithm::Bridson => Some(args.tries()),
            Algorithm::Scatter => None,
        },
        threads: outcome.threads,
        max_points: args.max_points,
        rule: args.rule().name(),
        white: args.field.white().name(),
        min_dist: plan.range.lo(),
        max_dist: plan.range.hi(),
        size: plan.lay.size,
        origin: plan.lay.origin,
        scale_factor: outcome.scale,
        count: args.count,
        window: args.window.map(|window| [window.min(), window.max()]),
        lod: args.lod,
        tile: args.tile,
        y_axis: match plan.lay.y_axis {
            YAxis::Up => "up",
            YAxis::Down => "down",
        },
        place: plan.lay.place.as_ref(),
        placing: args.placing.info(),
        ground: plan.ground.as_ref(),
        warnings: warnings.iter().map(WarningInfo::from).collect(),
        shaping: map.map(|_| args.field.shaping.info()),
        map,
        perlin,
        region: &plan.region,
        outputs: files.chain(stdout).collect(),
    };
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &summary)?;
    out.write_all(b"\n")?;
    out.flush()
}
