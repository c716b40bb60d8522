//! `spinney map lint`: reports likely mistakes in a map.

use super::input::{FollowedArgs, Notes};
use crate::drafts::Drafts;
use crate::failure::{Failure, print};
use crate::flags::{SPACING, rules};
use crate::map_file::MapInfo;
use crate::numbers::{about, short};
use crate::warnings;
use clap::Args;
use density::diagnostic::{lint, note_limit};
use density::shape::DistMap;
use sampler::Rule;

/// CPU time per point of a map, in seconds, from least to most; measured by crates/bench.
const SECONDS_PER_POINT: [f64; 2] = [1e-6, 3e-6];

/// Check a map for bands, tags, scale and steep edges; estimate the points and the time
///
/// Prints the estimate, then one finding per line, to stdout. `sample` prints the same findings as
/// warnings.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    followed: FollowedArgs,

    /// Distance that two points with different min_dist must keep
    #[arg(long, default_value = "max", value_parser = rules(), help_heading = SPACING)]
    rule: Rule,
}

pub(super) fn run(args: &LintArgs) -> Result<(), Failure> {
    // Without files: an interrupt ends this subcommand as it ends others.
    let _drafts = Drafts::with_interrupt();
    let mut notes = Notes::default();
    let (field, distances, info) = args.followed.read(&mut notes)?;
    let mut found = notes.warnings;
    let mut of_distances = lint(&field, 1.0, args.rule.steepest());
    note_limit(&mut of_distances, args.followed.field.shaping.limit, 1.0);
    let told = of_distances
        .into_iter()
        .map(|found| found.about(&info.subject));
    found.extend(told);
    let mut lines = vec![expected(&info, &distances)];
    lines.extend(found.iter().map(warnings::line));
    let text = lines.join("\n") + "\n";
    print(&text)
}

fn expected(map: &MapInfo, distances: &DistMap) -> String {
    let points = distances.expected_points();
    let [least, most] = SECONDS_PER_POINT.map(|s| s * points);
    let time = if most < 1.0 {
        "within a second".to_owned()
    } else {
        format!("in {least:.0} to {most:.0} s")
    };
    let range = match distances.extremes() {
        None => "nowhere".to_owned(),
        Some(range) => format!("{}..{}", short(range.lo()), short(range.hi())),
    };
    format!(
        "{}x{} {}-bit map{}, min_dist {range}: about {} points, {time}",
        map.width,
        map.height,
        map.depth,
        map.levels_text(),
        about(points)
    )
}
