//! The variable group: one smooth map at growing ratios of the greatest to the least
//! `min_dist`.

use crate::contender::{Contender, Target, World};
use crate::{Effort, fields, ours, table, timing};
use density::RadiusField;
use std::error::Error;

const RATIOS: [f64; 4] = [1.0, 4.0, 16.0, 64.0];
/// Expected density constant.
const C: f64 = 0.615;
/// Probes along each axis for the field's integral.
const PROBES: usize = 2048;

/// Mean of `1/min_dist^2` over a domain, by the midpoint rule.
fn mean_density(field: &impl RadiusField<2>, side: f64) -> f64 {
    let step = side / PROBES as f64;
    let sum: f64 = (0..PROBES * PROBES)
        .map(|i| [i % PROBES, i / PROBES].map(|probe| (probe as f64 + 0.5) * step))
        .filter_map(|p| field.min_dist(p))
        .map(|r| 1.0 / (r * r))
        .sum();
    sum / (PROBES * PROBES) as f64
}

/// Runs and prints the table.
///
/// # Errors
/// Whatever a contender or the clock reports.
pub(crate) fn in_2d(effort: Effort, rounds: usize) -> Result<(), Box<dyn Error>> {
    let points = match effort {
        Effort::Quick => 3e4,
        Effort::Full => 3e5,
    };
    let map = fields::smooth_map()?;
    let mut settings = Vec::new();
    for ratio in RATIOS {
        let density = mean_density(&fields::field(&map, ratio, 1.0)?, 1.0);
        let side = (points / (C * density)).sqrt();
        settings.push((ratio, fields::field(&map, ratio, side)?, density));
    }
    let mut contenders = Vec::new();
    for (ratio, field, density) in &settings {
        let bounds = field.bounds();
        contenders.push(Contender {
            name: format!("**Spinney**, ratio {ratio}"),
            world: World {
                field,
                bounds,
                unit_count: bounds.volume() * density,
            },
            baseline: 0,
            twin: None,
            targets: match effort {
                Effort::Full if *ratio == 64.0 => vec![Target::RelativeCost(4.0)],
                _ => Vec::new(),
            },
            run: Box::new(move |seed| ours::bridson(field, bounds, seed)),
        });
    }
    let lists = contenders.len();
    for (twin, (ratio, field, ..)) in settings.iter().enumerate() {
        let world = contenders[twin].world;
        contenders.push(Contender {
            name: format!("Spinney on plain lists, ratio {ratio}"),
            world,
            baseline: lists,
            twin: Some(twin),
            targets: Vec::new(),
            run: Box::new(move |seed| ours::bridson_with_lists(field, world.bounds, seed)),
        });
    }
    let title = format!(
        "Variable 2D, one smooth map, max/min growing, {} points",
        table::grouped(points)
    );
    eprintln!("{title}");
    let outcomes = timing::rounds(&contenders, rounds)?;
    table::print(&title, "the same at ratio 1", &contenders, &outcomes);
    Ok(())
}
