//! The closing line.

use crate::args::Algorithm;
use crate::engine::Unresolved;
use crate::numbers::{grouped, plain};
use crate::sample::{Outcome, Plan};
use crate::source::Source;
use density::YAxis;
use sampler::End;
use std::fmt::Write;

/// What was understood and what came of it, in one line.
pub(crate) fn closing(plan: &Plan<'_>, outcome: Outcome) -> String {
    format!("{}: {}", understood(plan), result(plan, outcome))
}

/// A size as the flag takes it.
pub(crate) fn size([width, height]: [f64; 2]) -> String {
    format!("{}x{}", plain(width), plain(height))
}

fn understood(plan: &Plan<'_>) -> String {
    let args = plan.args;
    let mut line = match &plan.source {
        Source::Map(map) => map.told(),
        Source::Meadow(_) => "Perlin meadow".to_owned(),
    };
    // Writing to a String cannot fail.
    let _ = write!(line, ", white = {}", args.field.white().name());
    line.push_str(&args.field.shaping.understood());
    let _ = write!(line, ", world {}", size(plan.lay.size));
    if plan.lay.origin != [0.0, 0.0] {
        let _ = write!(
            line,
            " at {},{}",
            plain(plan.lay.origin[0]),
            plain(plan.lay.origin[1])
        );
    }
    if plan.lay.y_axis == YAxis::Up {
        line.push_str(", y up");
    }
    if let Some(place) = &plan.lay.place {
        line.push_str(&place.understood());
    }
    if args.tile {
        line.push_str(", tile");
    }
    if let Some(window) = args.window {
        let [lo, hi] = [window.min(), window.max()].map(|p| p.map(plain).join(","));
        let _ = write!(line, ", window {lo},{hi}");
    }
    line.push_str(&plan.region.understood());
    let (lo, hi) = (plain(plan.range.lo()), plain(plan.range.hi()));
    let _ = write!(
        line,
        ", min_dist {lo}..{hi}, rule {}, seed {}",
        args.rule().name(),
        args.seed
    );
    if args.algorithm != Algorithm::Scatter {
        let _ = write!(line, ", algorithm {}", args.algorithm.name());
    }
    if let Some(levels) = args.lod {
        let _ = write!(line, ", ranks 0..{levels}");
    }
    if let Some(ground) = &plan.ground {
        line.push_str(&ground.understood());
    }
    line.push_str(&args.placing.understood());
    line
}

fn result(plan: &Plan<'_>, outcome: Outcome) -> String {
    let noun = if outcome.points == 1 {
        "point"
    } else {
        "points"
    };
    let mut line = format!("{} {noun}", grouped(outcome.points));
    let _ = write!(line, " in {} s", duration(outcome.seconds));
    if plan.args.count.is_some() || plan.args.scale_factor.is_some() {
        let factor = outcome.scale;
        let _ = write!(line, ", distances scaled by {factor:.6}");
    }
    if let Source::Map(map) = &plan.source
        && outcome.points == 0
        && map.allowed == 0.0
    {
        line.push_str(", because the map is transparent, no-data or NaN everywhere");
    }
    let end = match (outcome.end, plan.args.max_points) {
        (End::Complete, _) => "complete".to_owned(),
        (End::Open { .. }, _) => "ended early, not complete".to_owned(),
        (End::NotChecked, _) => "not checked for an early end".to_owned(),
        (_, Some(most)) => format!("stopped at --max-points {most}, not complete"),
        (_, None) => "stopped at the limit (give --max-points), not complete".to_owned(),
    };
    let _ = write!(line, ", {end}");
    if let Some(Unresolved { cells, area }) = outcome.unresolved
        && cells > 0
        && outcome.end == End::Complete
    {
        // One after the other: the area of a world may be too small for a number.
        let share = area / plan.lay.size[0] / plan.lay.size[1];
        let _ = write!(
            line,
            " but for {} undecided specks, {share:.1e} of the area",
            grouped(cells)
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
