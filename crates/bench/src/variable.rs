//! The variable group: one smooth map at growing ratios of the greatest to the least `min_dist`, maps
//! with hard edges, and noise both direct and as a map.

use crate::contender::{Contender, Ran, Target, World, run_infallible};
use crate::{Effort, fields, ours, table, textbook};
use density::numbers::about;
use density::shape::{PerlinMapOptions, perlin_map};
use density::{Bounds, Constant, DistRange, GreyMap, Perlin, PerlinOptions, RadiusField};
use std::error::Error;

/// Ratios of the smooth map. Those with targets have the maximum multiple of the cost of one `min_dist`, and of the
/// textbook's cost. The last is a fifteenth of the cost of the peer that keeps rule `max`: 6,500, 7,500 and 15,700 ns
/// at ratio 4, 16 and 64, where the textbook takes 2,700.
const RATIOS: [(f64, Option<[f64; 2]>); 4] = [
    (1.0, None),
    (4.0, Some([1.5, 6500.0 / 15.0 / 2700.0])),
    (16.0, Some([2.0, 7500.0 / 15.0 / 2700.0])),
    (64.0, Some([3.0, 15_700.0 / 15.0 / 2700.0])),
];
/// Ratio of the maps with hard edges, and of one map without a target.
const HARD_RATIO: f64 = 16.0;
const HARDEST_RATIO: f64 = 64.0;
/// Cycles of the noise's first octave along a side (three octaves), and pixels along a side of the map
/// made from it.
const CYCLES: f64 = 16.0;
const PIXELS: u32 = 2048;
/// Expected density constant of Bridson's algorithm with 30 tries.
const C: f64 = 0.615;
/// Probes along each axis for the field's integral.
const PROBES: usize = 2048;
/// Side of the square where densities are measured: about that of a run. The noise has nodes at a spacing
/// that suits its distances, so it is not the same at every size.
const SIDE: f64 = 1024.0;

/// Indices of the baselines in the list of contenders.
const TEXTBOOK: usize = 0;
const SCATTER: usize = 1;
const SMOOTH: usize = 4;
const BRIDSON: usize = 12;
const BASELINES: [&str; 3] = [
    "the same with one `min_dist`",
    "Scatter, smooth at 16",
    "textbook with one `min_dist`",
];

type Field = Box<dyn RadiusField<2>>;

/// A field over a square, with its targets.
struct Setting {
    name: String,
    field: Field,
    bounds: Bounds<2>,
    targets: Vec<Target>,
}

impl Setting {
    /// Returns a sampler that fills the square.
    fn contender(
        &self,
        sampler: &str,
        baselines: [Option<usize>; 3],
        run: fn(&Field, Bounds<2>, u64) -> Ran<2>,
    ) -> Contender<'_, 2> {
        Contender {
            name: format!("{sampler}, {}", self.name),
            world: World {
                field: &*self.field,
                bounds: self.bounds,
            },
            baselines: baselines.to_vec(),
            targets: Vec::new(),
            run: Box::new(move |seed| run(&self.field, self.bounds, seed)),
        }
    }
}

/// Returns the mean of `1/min_dist^2` over a square, by the midpoint rule.
fn mean_density(field: &dyn RadiusField<2>, side: f64) -> f64 {
    let step = side / PROBES as f64;
    let sum: f64 = (0..PROBES * PROBES)
        .map(|i| [i % PROBES, i / PROBES].map(|probe| (probe as f64 + 0.5) * step))
        .filter_map(|p| field.min_dist(p))
        .map(|r| 1.0 / (r * r))
        .sum();
    sum / (PROBES * PROBES) as f64
}

/// Returns the field that `make` lays over a square, so large that Bridson's algorithm would put about
/// `points` there.
fn setting(
    name: String,
    points: f64,
    targets: Vec<Target>,
    make: impl Fn(f64) -> Result<Field, Box<dyn Error>>,
) -> Result<Setting, Box<dyn Error>> {
    let density = mean_density(&make(SIDE)?, SIDE);
    let side = (points / (C * density)).sqrt();
    let bounds = Bounds::from_size([side; 2])?;
    Ok(Setting {
        name,
        field: make(side)?,
        bounds,
        targets,
    })
}

/// Returns the smooth map at each ratio first, then the maps with hard edges, then noise.
fn settings(points: f64) -> Result<Vec<Setting>, Box<dyn Error>> {
    let map = |map: &GreyMap, ratio: f64, side: f64| -> Result<Field, Box<dyn Error>> {
        Ok(Box::new(fields::field(map, ratio, side)?))
    };
    let smooth = fields::smooth_map()?;
    let mut settings = Vec::new();
    for (ratio, most) in RATIOS {
        let name = format!("smooth, ratio {ratio}");
        let targets =
            most.map(|[one, textbook]| vec![Target::Times(one, 0), Target::Times(textbook, 2)]);
        let targets = targets.unwrap_or_default();
        settings.push(setting(name, points, targets, |side| {
            map(&smooth, ratio, side)
        })?);
    }
    let hard_target = vec![Target::Times(2.0, 1)];
    let hard = [
        ("checkerboard picture", fields::checkerboard()?),
        ("posterised photograph", fields::posterised_photograph()?),
    ];
    for (name, picture) in hard {
        let name = format!("{name}, ratio {HARD_RATIO}");
        settings.push(setting(name, points, hard_target.clone(), |side| {
            map(&picture, HARD_RATIO, side)
        })?);
    }
    for (ratio, targets) in [(HARD_RATIO, hard_target), (HARDEST_RATIO, Vec::new())] {
        let name = format!("ideal checkerboard, ratio {ratio}");
        settings.push(setting(name, points, targets, |side| {
            Ok(Box::new(fields::Checkerboard::new(ratio, side)?))
        })?);
    }
    let noise = |side: f64| PerlinOptions {
        frequency: CYCLES / side,
        ..PerlinOptions::default()
    };
    let name = format!("Perlin noise, ratio {HARD_RATIO}");
    settings.push(setting(name, points, Vec::new(), |side| {
        let range = DistRange::new(1.0, HARD_RATIO)?;
        Ok(Box::new(Perlin::new(range, noise(side))?))
    })?);
    let options = PerlinMapOptions {
        noise: noise(f64::from(PIXELS)),
        ..PerlinMapOptions::default()
    };
    let picture = perlin_map(PIXELS, PIXELS, options)?;
    let name = format!("the same noise as a map, ratio {HARD_RATIO}");
    settings.push(setting(name, points, Vec::new(), |side| {
        map(&picture, HARD_RATIO, side)
    })?);
    Ok(settings)
}

/// Runs and prints the table.
///
/// # Errors
/// The errors of a contender and of the clock.
pub(crate) fn in_2d(effort: Effort) -> Result<(), Box<dyn Error>> {
    let points = effort.pick(3e4, 3e5);
    let settings = settings(points)?;
    let smooth = &settings[..RATIOS.len()];
    let one = setting("one `min_dist`".to_owned(), points, Vec::new(), |_| {
        Ok(Box::new(Constant::new(1.0)?))
    })?;
    let mut contenders = vec![
        one.contender(
            "textbook Bridson",
            [None, None, Some(TEXTBOOK)],
            |_, bounds, seed| {
                let side = bounds.size()[0];
                run_infallible(|| textbook::bridson_2d(side, 1.0, seed), |p| *p)
            },
        ),
        one.contender(
            "**Spinney** Scatter",
            [Some(SCATTER), None, Some(TEXTBOOK)],
            ours::scatter,
        ),
    ];
    for setting in &settings {
        let baselines = [Some(SCATTER), Some(SMOOTH), Some(TEXTBOOK)];
        contenders.push(Contender {
            targets: setting.targets.clone(),
            ..setting.contender("**Spinney** Scatter", baselines, ours::scatter)
        });
    }
    for (setting, (ratio, _)) in smooth.iter().zip(RATIOS) {
        let baselines = [Some(BRIDSON), None, Some(TEXTBOOK)];
        let mut contender = setting.contender("**Spinney** Bridson", baselines, ours::bridson);
        if ratio == 64.0 {
            contender.targets.push(Target::Times(4.0, 0));
        }
        contenders.push(contender);
    }
    let title = format!(
        "Variable 2D, max/min growing, hard edges, and noise, {} points",
        about(points)
    );
    table::print(&title, effort, &BASELINES, &contenders)
}
