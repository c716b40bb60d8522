//! Measures three species against as many points in one layer.

use crate::beside::{self, counted};
use crate::{Effort, fields, ours};
use density::{Bounds, Constant, GreyMap, RadiusField};
use sampler::{Apart, Edges, Layer, PointLimit, Rule, Scatter, ScatterOptions};
use std::error::Error;
use std::sync::Arc;

/// The target: maximum cost as a multiple of that of one layer.
const MOST_TIMES: f64 = 1.5;

type Field = Arc<dyn RadiusField<2>>;

/// One case.
struct Case {
    name: &'static str,
    /// For each layer, the factor of its `min_dist`, and its turn.
    layers: [(f64, u32); 3],
    /// Ratio of the greatest to the least `min_dist` of a smooth map; 1 for one `min_dist`.
    ratio: f64,
    rule: Rule,
    /// Distance between any two layers, over the mean of their `min_dist`s; `None`: by the rule.
    apart: Option<f64>,
}

const CASES: [Case; 8] = [
    Case {
        name: "trees, bushes, flowers in turns, one `min_dist` each",
        layers: [(4.0, 0), (2.0, 1), (1.0, 2)],
        ratio: 1.0,
        rule: Rule::Mean,
        apart: None,
    },
    Case {
        name: "the same in turns on one smooth map, ratio 4",
        layers: [(4.0, 0), (2.0, 1), (1.0, 2)],
        ratio: 4.0,
        rule: Rule::Mean,
        apart: None,
    },
    Case {
        name: "three alike in turns, half as far apart",
        layers: [(1.0, 0), (1.0, 1), (1.0, 2)],
        ratio: 1.0,
        rule: Rule::Max,
        apart: Some(0.5),
    },
    Case {
        name: "trees, bushes, flowers that share one turn",
        layers: [(4.0, 0), (2.0, 0), (1.0, 0)],
        ratio: 1.0,
        rule: Rule::Mean,
        apart: None,
    },
    Case {
        name: "three alike that share one turn",
        layers: [(1.0, 0), (1.0, 0), (1.0, 0)],
        ratio: 1.0,
        rule: Rule::Max,
        apart: None,
    },
    Case {
        name: "trees, bushes, flowers that share one turn on one smooth map, ratio 4",
        layers: [(4.0, 0), (2.0, 0), (1.0, 0)],
        ratio: 4.0,
        rule: Rule::Mean,
        apart: None,
    },
    Case {
        name: "three alike that share one turn on one smooth map, ratio 4",
        layers: [(1.0, 0), (1.0, 0), (1.0, 0)],
        ratio: 4.0,
        rule: Rule::Max,
        apart: None,
    },
    Case {
        name: "three alike that share one turn, half as far apart",
        layers: [(1.0, 0), (1.0, 0), (1.0, 0)],
        ratio: 1.0,
        rule: Rule::Max,
        apart: Some(0.5),
    },
];

/// Runs and prints the table.
///
/// # Errors
/// The errors of the engine and of the clock.
pub(crate) fn print(effort: Effort) -> Result<(), Box<dyn Error>> {
    let points = effort.pick(100_000.0, 1_000_000.0);
    let title = "Three species beside as many points in one layer";
    beside::head(title, "layers", ["one layer", "three layers"]);
    let map = fields::smooth_map()?;
    for case in &CASES {
        line(case, &map, points, effort)?;
    }
    println!();
    Ok(())
}

fn line(case: &Case, map: &GreyMap, wanted: f64, effort: Effort) -> Result<(), Box<dyn Error>> {
    let pool = ours::threads(1)?;
    // The side for as many points as wanted, from the count of a smaller world.
    let small = case.layered(map, 100.0, 0)?;
    let few = pool.install(|| small.points().map(|all| all.samples.len()))?;
    let side = 100.0 * (wanted / few as f64).sqrt();
    let single = |seed| {
        // The first field, scaled so that one layer has as many points.
        let options = options(case.rule, seed);
        let domain = Bounds::from_size([side; 2])?;
        let room = Scatter::new(field(map, case.ratio, 1.0, side)?, domain, options)?;
        let scale = (room.estimate().points / wanted).sqrt();
        let one = Scatter::new(field(map, case.ratio, scale, side)?, domain, options)?;
        counted(|| pool.install(|| one.points().map(|all| all.samples.len())))
    };
    let layered = |seed| {
        let layered = case.layered(map, side, seed)?;
        counted(|| pool.install(|| layered.points().map(|all| all.samples.len())))
    };
    beside::line(case.name, effort, MOST_TIMES, [&single, &layered])?;
    Ok(())
}

fn options(rule: Rule, seed: u64) -> ScatterOptions {
    ScatterOptions {
        rule,
        seed,
        limit: PointLimit::Refuse(100_000_000),
        ..ScatterOptions::default()
    }
}

fn field(map: &GreyMap, ratio: f64, least: f64, side: f64) -> Result<Field, Box<dyn Error>> {
    if ratio == 1.0 {
        return Ok(Arc::new(Constant::new(least)?));
    }
    let field = fields::field(map, ratio, side)?;
    Ok(Arc::new(density::Scaled::new(field, least)?))
}

impl Case {
    fn layered(
        &self,
        map: &GreyMap,
        side: f64,
        seed: u64,
    ) -> Result<Scatter<'static, 2>, Box<dyn Error>> {
        let mut layers: Vec<Layer<'static, 2>> = Vec::new();
        for (number, (least, turn)) in self.layers.into_iter().enumerate() {
            // Layers of equal distances hold one field.
            let same = self.layers[..number]
                .iter()
                .position(|other| other.0 == least);
            let field = match same {
                Some(same) => Arc::clone(&layers[same].field),
                None => field(map, self.ratio, least, side)?,
            };
            layers.push(Layer {
                turn,
                ..Layer::of(field)
            });
        }
        let mut apart = Apart::new(layers.len());
        if let Some(distance) = self.apart {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let mean = 0.5 * (self.layers[a].0 + self.layers[b].0);
                apart.set(a, b, distance * mean)?;
            }
        }
        let domain = Bounds::from_size([side; 2])?;
        let options = options(self.rule, seed);
        Ok(Scatter::layered(
            layers,
            apart,
            domain,
            Edges::Open,
            options,
        )?)
    }
}
