//! Reports a run: its warnings, the closing line, and the summary as JSON.

use crate::args::Algorithm;
use crate::ground::GroundInfo;
use crate::layers::{Source, Species};
use crate::map_file::MapInfo;
use crate::numbers::{counted, ends, grouped, plain, short, sides};
use crate::outputs::Outputs;
use crate::placing::PlacingInfo;
use crate::plan::Plan;
use crate::region::RegionInfo;
use crate::run::{RunResult, Unresolved};
use crate::shaping::ShapingInfo;
use crate::warnings::{self, WarningInfo};
use density::decode::unit_of_system;
use density::diagnostic::{CellUnit, Diagnostic, Role, Subject, Warning};
use density::{PerlinOptions, RadiusField, YAxis};
use sampler::{ALGORITHM_VERSION, End, Layer};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Ratio of an end of the range of distances to the distance that occurs, from which the closing line tells it.
const NOTABLE: f64 = 1.1;

/// Returns all warnings about the run.
pub(crate) fn all_warnings(plan: &Plan<'_>, outputs: &Outputs, made: &RunResult) -> Vec<Warning> {
    let mut found = plan.warnings.clone();
    found.extend(
        plan.tile_warnings
            .into_iter()
            .flat_map(|warnings| warnings()),
    );
    found.extend(outputs.warning(plan.args, plan.placement.y_axis));
    let run = Subject::new(Role::Run, "", &warnings::RUN);
    let end = match made.end {
        End::Open { share } => Some(Diagnostic::EarlyEnd { share }),
        End::NotChecked => Some(Diagnostic::EndNotChecked),
        End::Running | End::Complete | End::Capped | End::Failed(_) => None,
    };
    found.extend(end.map(|end| end.about(&run)));
    // With --count, the size of distances is known only now.
    let factor = made.scale;
    let least = factor * plan.layers.range().lo();
    let header = plan.header(factor);
    let unit = match (plan.placement.unit, &header.crs) {
        (CellUnit::Unsaid, Some(crs)) => unit_of_system(crs),
        (unit, _) => unit,
    };
    found.extend(outputs.read_otherwise(&header, least, unit));
    found.extend(plan.layers.findings(factor, plan.rule));
    let empty = without_points(plan, made, &found);
    found.extend(empty);
    found
}

/// Returns warnings that a whole run, or a layer of it, has no point, unless `found` says so already.
fn without_points(plan: &Plan<'_>, made: &RunResult, found: &[Warning]) -> Vec<Warning> {
    let args = plan.args;
    if args.window.is_some() || args.last.is_some() || made.end != End::Complete {
        return Vec::new();
    }
    let by_ground = |w: &Warning| matches!(w.diagnostic(), Diagnostic::GroundClosed { .. });
    if made.points == 0 && found.iter().any(by_ground) {
        return Vec::new();
    }
    let told = found
        .iter()
        .filter(|w| matches!(w.diagnostic(), Diagnostic::Nowhere));
    let told: Vec<&Subject> = told.map(Warning::about).collect();
    let limits = args.ground.slope.is_some() || args.ground.altitude.is_some();
    let ground = args.ground.height.iter().filter(|_| limits);
    let ground = ground.map(|path| ("--height", path));
    let shared = ground.chain(args.region.inputs());
    let shared = shared.map(|(flag, path)| format!("{flag} {}", path.display()));
    let shared: Vec<String> = shared.collect();
    let has_holes = |map: &&MapInfo| map.allowed.is_none_or(|share| share < 1.0);
    let nowhere = |maps: Vec<&MapInfo>, others: Option<&str>| {
        let maps = maps.into_iter().filter(has_holes);
        let maps = maps.map(|map| map.file.clone());
        let inputs = maps.chain(shared.iter().cloned());
        let mut inputs: Vec<String> = inputs.chain(others.map(str::to_owned)).collect();
        // Several layers may use one map.
        let mut named = HashSet::new();
        inputs.retain(|input| named.insert(input.clone()));
        let last = inputs.pop().unwrap_or_default();
        let name = match &*inputs.join(", ") {
            "" => last,
            first => format!("{first} and {last}"),
        };
        Subject::new(Role::Run, name, &warnings::RUN)
    };
    let species = &plan.layers.species;
    if made.points == 0 && told.is_empty() {
        let maps = match &plan.layers.source {
            Source::Map(map) => vec![&**map],
            Source::Meadow(_) | Source::Species(_) => {
                species.iter().filter_map(|s| s.map.as_ref()).collect()
            }
        };
        return vec![Diagnostic::Nowhere.about(&nowhere(maps, None))];
    }
    let others = (made.points > 0).then_some("the other layers");
    let mut empty = Vec::new();
    for (species, points) in species.iter().zip(&made.by_layer) {
        let map = species.map.as_ref();
        // Points that were left out may have been all of a layer.
        if *points == 0 && !made.left_out && !map.is_some_and(|map| told.contains(&&map.subject)) {
            let subject = nowhere(Vec::from_iter(map), others);
            empty.push(Diagnostic::Nowhere.about(&subject.of_layer(&*species.name)));
        }
    }
    empty
}

/// Returns the closing line: the plan and its result.
pub(crate) fn closing(plan: &Plan<'_>, made: &RunResult) -> String {
    format!("{}: {}", options(plan), result(plan, made))
}

fn options(plan: &Plan<'_>) -> String {
    let args = plan.args;
    let is_one = !plan.layers.are_named();
    let mut line = match &plan.layers.source {
        Source::Map(map) => map.description(),
        Source::Meadow(_) => "Perlin meadow".to_owned(),
        Source::Species(_) => match plan.layers.species.len() {
            1 => "1 layer".to_owned(),
            layers => format!("{layers} layers"),
        },
    };
    // Writing to a String cannot fail.
    if is_one {
        let _ = write!(line, ", white = {}", args.field.white().name());
        line.push_str(&args.field.shaping.closing_text());
    }
    let _ = write!(line, ", world {}", sides(plan.placement.size));
    let [x, y] = plan.placement.world.min();
    if [x, y] != [0.0, 0.0] {
        let _ = write!(line, " at {},{}", plain(x), plain(y));
    }
    if plan.placement.y_axis == YAxis::Up {
        line.push_str(", y up");
    }
    line.push_str(&plan.placement.closing_text());
    if args.tile {
        line.push_str(", tile");
    }
    if let Some(window) = args.window {
        let [lo, hi] = [window.min(), window.max()].map(|p| p.map(plain).join(","));
        let _ = write!(line, ", window {lo},{hi}");
    }
    line.push_str(&plan.open.region().closing_text());
    if is_one {
        let range = plan.layers.range();
        let _ = write!(line, ", min_dist {}", ends([range.lo(), range.hi()]));
        if let Source::Map(map) = &plan.layers.source
            && let Some([lo, hi]) = plan.layers.occurring(map)
            && (lo > NOTABLE * range.lo() || NOTABLE * hi < range.hi())
        {
            let _ = write!(line, " ({}..{} occurs)", short(lo), short(hi));
        }
    }
    let _ = write!(line, ", rule {}, seed {}", plan.rule.name(), args.seed);
    if args.algorithm != Algorithm::Scatter {
        let _ = write!(line, ", algorithm {}", args.algorithm.name());
    }
    if let Some(levels) = args.lod {
        let _ = write!(line, ", ranks 0..{levels}");
    }
    if let Some(ground) = plan.open.ground() {
        line.push_str(&ground.closing_text());
    }
    line.push_str(&args.placing.closing_text());
    line
}

fn result(plan: &Plan<'_>, made: &RunResult) -> String {
    let mut line = counted(made.points, "point");
    let each = plan.layers.species.iter().zip(&made.by_layer);
    let each = each.map(|(species, points)| format!("{} {}", grouped(*points), species.name));
    let each: Vec<String> = each.collect();
    if !each.is_empty() {
        let _ = write!(line, " ({})", each.join(", "));
    }
    let _ = write!(line, " in {} s", duration(made.seconds));
    if plan.args.count.is_some() || plan.args.scale_factor.is_some() {
        let factor = made.scale;
        let _ = write!(line, ", distances scaled by {factor:.6}");
    }
    let end = match (made.end, plan.args.max_points) {
        (End::Complete, _) => "complete".to_owned(),
        (End::Open { .. }, _) => "ended early, not complete".to_owned(),
        (End::NotChecked, _) => "not checked for an early end".to_owned(),
        (_, Some(most)) => format!("stopped at --max-points {most}, not complete"),
        (_, None) => "stopped at the limit (give --max-points), not complete".to_owned(),
    };
    let _ = write!(line, ", {end}");
    if let Some(Unresolved { cells, area }) = made.unresolved
        && cells > 0
        && made.end == End::Complete
    {
        // Divides twice, since the area of a world may underflow.
        let share = area / plan.placement.size[0] / plan.placement.size[1];
        let _ = write!(
            line,
            " but for {}, {share:.1e} of the area",
            counted(cells, "unresolved cell")
        );
    }
    line
}

fn duration(seconds: f64) -> String {
    if seconds < 0.1 {
        format!("{seconds:.3}")
    } else {
        format!("{seconds:.2}")
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    /// The version of the program.
    version: &'static str,
    points: u64,
    /// Whether the run is complete; otherwise `end` gives the reason.
    complete: bool,
    /// `complete`, `capped` (a limit stopped the run), `open` (the front of points died early) or
    /// `not checked` (it may have died early).
    end: &'static str,
    /// The share of the world that an early end left open; `null` if there was none.
    open_share: Option<f64>,
    /// Number of unresolved cells, in which one more point might fit. `null` with Bridson's algorithm,
    /// which leaves gaps and does not measure them.
    unresolved: Option<u64>,
    /// The area of the unresolved cells, square world units.
    unresolved_area: Option<f64>,
    expected_points: f64,
    /// Time of sampling and writing points; estimates and reading come before.
    seconds: f64,
    points_per_second: f64,
    algorithm: &'static str,
    algorithm_version: u32,
    seed: u64,
    /// `null` if the algorithm has no tries.
    tries: Option<u32>,
    threads: usize,
    max_points: Option<u64>,
    rule: &'static str,
    /// The least distance of all layers, before `scale_factor`.
    min_dist: f64,
    /// The greatest distance of all layers, before `scale_factor`.
    max_dist: f64,
    size: [f64; 2],
    origin: [f64; 2],
    /// The place from a file, where that is used.
    place: Option<PlaceInfo>,
    y_axis: &'static str,
    /// The factor of all distances, found for `count` or given.
    scale_factor: f64,
    count: Option<u64>,
    /// The last point in the order of rank and id, as `RANK,ID` or `ID`, if later points were left out;
    /// `null` otherwise.
    last: Option<String>,
    /// The lowest and the highest corner of the window; `null` for the whole world.
    window: Option<[[f64; 2]; 2]>,
    /// The highest rank, counted from 0; `null` without ranks.
    lod: Option<u32>,
    /// Whether opposite edges fit.
    tile: bool,
    /// The placing of instances at the points.
    placing: PlacingInfo,
    /// `null` without heights.
    ground: Option<&'a GroundInfo>,
    /// Warnings about possible misreadings and unintended results.
    warnings: Vec<WarningInfo>,
    #[serde(flatten)]
    layers: LayersInfo<'a>,
    /// The region where points may lie, besides the closed places of maps.
    region: &'a RegionInfo,
    /// The paths as given; `-` is stdout.
    outputs: Vec<String>,
}

/// The place from a file.
#[derive(Serialize)]
struct PlaceInfo {
    /// Authority and code, like `EPSG:32633`; `null` if the file does not name the system, or if `--origin`
    /// moved the map.
    crs: Option<String>,
    /// Width and height of a pixel of the map, map units; `null` for polygons.
    pixel: Option<[f64; 2]>,
}

/// The source of the points.
#[derive(Serialize)]
#[serde(untagged)]
enum LayersInfo<'a> {
    One {
        white: &'static str,
        /// The least and the greatest distance that occur; `null` without a gradient limit.
        occurring_min_dist: Option<[f64; 2]>,
        /// The changes to the map's greys; `null` for the built-in meadow.
        shaping: Option<ShapingInfo>,
        /// `null` for the built-in meadow.
        map: Option<&'a MapInfo>,
        /// `null` for a map.
        perlin: Option<PerlinInfo>,
    },
    Species {
        /// The path of the species file as given.
        species: String,
        /// The layers by number, as in the column `layer`.
        layers: Vec<LayerInfo<'a>>,
        /// The distances between layers that override the rule.
        apart: Vec<ApartInfo<'a>>,
    },
}

#[derive(Serialize)]
struct PerlinInfo {
    seed: u64,
    frequency: f64,
    octaves: u32,
    lacunarity: f64,
    persistence: f64,
}

#[derive(Serialize)]
struct LayerInfo<'a> {
    name: &'a str,
    points: u64,
    expected_points: f64,
    min_dist: f64,
    max_dist: f64,
    /// The least and the greatest distance that occur; `null` without a gradient limit.
    occurring_min_dist: Option<[f64; 2]>,
    white: &'static str,
    share: f64,
    turn: u32,
    /// `null` if derived from the seed of the run.
    seed: Option<u64>,
    colour: Option<String>,
    /// `null` for noise or a constant distance.
    map: Option<&'a MapInfo>,
}

#[derive(Serialize)]
struct ApartInfo<'a> {
    between: [&'a str; 2],
    distance: f64,
}

impl From<&PerlinOptions> for PerlinInfo {
    fn from(noise: &PerlinOptions) -> Self {
        Self {
            seed: noise.seed,
            frequency: noise.frequency,
            octaves: noise.octaves,
            lacunarity: noise.lacunarity,
            persistence: noise.persistence,
        }
    }
}

/// Writes the summary to `out`.
pub(crate) fn write_summary(
    out: &mut impl Write,
    plan: &Plan<'_>,
    outputs: &Outputs,
    made: &RunResult,
    warnings: &[Warning],
) -> io::Result<()> {
    let (args, placement) = (plan.args, &plan.placement);
    let stdout = outputs.to_stdout.then(|| "-".to_owned());
    let files = outputs.files.iter().map(|f| f.given.display().to_string());
    let range = plan.layers.range();
    let (crs, pixel) = (plan.crs(), placement.place.map(|place| place.pixel()));
    let is_placed = crs.is_some() || pixel.is_some();
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION"),
        points: made.points,
        complete: made.end == End::Complete,
        end: made.end.name(),
        open_share: match made.end {
            End::Open { share } => Some(share),
            _ => None,
        },
        unresolved: made.unresolved.map(|u| u.cells),
        unresolved_area: made.unresolved.map(|u| u.area),
        expected_points: made.expected.iter().sum(),
        seconds: made.seconds,
        points_per_second: made.points as f64 / made.seconds.max(1e-9),
        algorithm: args.algorithm.name(),
        algorithm_version: ALGORITHM_VERSION,
        seed: args.seed,
        tries: match args.algorithm {
            Algorithm::Bridson => Some(args.tries()),
            Algorithm::Scatter => None,
        },
        threads: made.threads,
        max_points: args.max_points,
        rule: plan.rule.name(),
        min_dist: range.lo(),
        max_dist: range.hi(),
        size: placement.size,
        origin: placement.world.min(),
        place: is_placed.then_some(PlaceInfo { crs, pixel }),
        scale_factor: made.scale,
        count: args.count,
        last: made.last.map(|last| last.to_string()),
        window: args.window.map(|window| [window.min(), window.max()]),
        lod: args.lod,
        tile: args.tile,
        y_axis: match placement.y_axis {
            YAxis::Up => "up",
            YAxis::Down => "down",
        },
        placing: args.placing.info(),
        ground: plan.open.ground(),
        warnings: warnings.iter().map(WarningInfo::from).collect(),
        layers: layers(plan, made),
        region: plan.open.region(),
        outputs: files.chain(stdout).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &summary)?;
    out.write_all(b"\n")
}

fn layers<'a>(plan: &'a Plan<'_>, made: &RunResult) -> LayersInfo<'a> {
    let args = plan.args;
    let one = |map: Option<&'a MapInfo>, perlin| LayersInfo::One {
        white: args.field.white().name(),
        occurring_min_dist: map.and_then(|map| plan.layers.occurring(map)),
        shaping: map.map(|_| args.field.shaping.info()),
        map,
        perlin,
    };
    match &plan.layers.source {
        Source::Map(map) => one(Some(&**map), None),
        Source::Meadow(noise) => one(None, Some(noise.into())),
        Source::Species(path) => LayersInfo::Species {
            species: path.display().to_string(),
            layers: each(plan, made),
            apart: apart(plan),
        },
    }
}

fn each<'a>(plan: &'a Plan<'_>, made: &RunResult) -> Vec<LayerInfo<'a>> {
    let layers = plan.layers.species.iter().zip(plan.layers.fields());
    let info = |(number, (species, layer)): (usize, (&'a Species, &Layer<'_, 2>))| {
        let range = layer.field.range();
        let colour = species.colour;
        LayerInfo {
            name: &species.name,
            points: made.by_layer[number],
            expected_points: made.expected[number],
            min_dist: range.lo(),
            max_dist: range.hi(),
            occurring_min_dist: species
                .map
                .as_ref()
                .and_then(|map| plan.layers.occurring(map)),
            white: species.white.name(),
            share: layer.share,
            turn: layer.turn,
            seed: layer.seed,
            colour: colour.map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}")),
            map: species.map.as_ref(),
        }
    };
    layers.enumerate().map(info).collect()
}

fn apart<'a>(plan: &'a Plan<'_>) -> Vec<ApartInfo<'a>> {
    let layers = &plan.layers;
    let mut apart = Vec::new();
    for (a, first) in layers.species.iter().enumerate() {
        for (b, second) in layers.species.iter().enumerate().skip(a + 1) {
            if let Some(distance) = layers.apart().get(a, b) {
                let between = [&*first.name, &*second.name];
                apart.push(ApartInfo { between, distance });
            }
        }
    }
    apart
}
