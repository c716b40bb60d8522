//! Judges points in space.

use super::VerifyArgs;
use super::extent;
use super::input::Input;
use super::set::{Judged, judge_set};
use crate::failure::{Failure, refuse_given};
use crate::field;
use quality::{Domain, PointSet};

/// Judges a set by --min-dist, or by its own distances.
pub(super) fn judge(
    args: &VerifyArgs,
    input: &Input,
    set: &PointSet<3>,
) -> Result<Judged, Failure> {
    let flat_only = [
        ("MAP", args.map.is_some()),
        ("--species", args.species.is_some()),
        ("--also", !args.also.is_empty()),
        ("--mask", args.region.mask.is_some()),
        ("--polygon", !args.region.polygon.is_empty()),
        ("--avoid", !args.region.avoid.is_empty()),
        ("--window", args.window.is_some()),
    ];
    refuse_given(
        &flat_only,
        "for 2D points only, but the file has a column z that is not 0: remove that column, or leave this \
         away to judge in space",
    )?;
    let mut notes = Vec::new();
    let bounds = extent::domain(args, input.domain(), set, &mut notes)?;
    let world = Domain {
        bounds,
        edges: input.edges(args, &bounds),
    };
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    let y_axis = field::y_axis(&args.field);
    input.check_direction(args, y_axis, false)?;
    judge_set(args, input, y_axis, (set, &[]), &domain, None, notes)
}
