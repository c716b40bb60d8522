//! How large the tiles are that a step's points are looked for in.
//!
//! ```text
//!   +---+---+---+    +-----+-----+    A tile costs something, and so does each point that it sees.
//!   | . |   |  .|    |  .  |   . |    Where earlier layers leave little, tiles of the usual size see
//!   +---+---+---+ -> |     |     |    few and are many: they are larger there. Where many points of
//!   |   | . |   |    |   . |     |    other layers stand between those of their own, smaller.
//!   +---+---+---+    +-----+-----+
//! ```
//!
//! What a layer's points are hangs on that, so it is a function of the layers alone: of what each asks
//! for between its least and its greatest distance, and not of any place.

use super::apart::Keep;
use super::expected::thinly_covered;
use crate::scatter::{packing, top};
use density::DistRange;

/// Of so many sizes tiles may be for each time that they are as long as usual: a step's points are the
/// same for all that makes no difference of one.
const SIZES: f64 = 8.0;

/// Tiles are so many times as long as usual, at least and at most. As measured: beyond that, where few
/// points are left there are more slivers, and where many, more tiles that matter to each other.
const STRETCH: [f64; 2] = [0.75, 1.5];

/// A point of an earlier step counts as so many of a tile's own: it stamps and is seen before any of
/// these is thrown. As measured.
const GUEST: f64 = 1.25;

/// One step of deciding.
pub(super) struct Asking {
    /// What its points ask for.
    pub(super) range: DistRange,
    /// The share that it keeps of the points that it could have.
    pub(super) share: f64,
}

/// How many times as long as usual the tiles of the last of some steps are, given what its points
/// keep from those of each earlier one, and what each of these keeps from the ones before it.
pub(super) fn stretch<const D: usize>(
    steps: &[Asking],
    keeps: &dyn Fn(usize, usize) -> Keep,
) -> f64 {
    let Some(last) = steps.len().checked_sub(1) else {
        return 1.0;
    };
    let amid = (0..last).any(|earlier| keeps(earlier, last) != Keep::Fixed(0.0));
    if D != 2 || !amid {
        return 1.0;
    }
    let middles: Vec<f64> = steps.iter().map(|step| middle(&step.range)).collect();
    // How much of the ground is left to each step.
    let mut left: Vec<f64> = Vec::new();
    for later in 0..=last {
        let open = (0..later).fold(1.0, |open, earlier| {
            let keep = keeps(earlier, later).distance(middles[earlier], middles[later]);
            let share = left[earlier] * steps[earlier].share;
            open * (1.0 - thinly_covered(share, keep / middles[earlier], D))
        });
        left.push(open);
    }
    // Points that a tile sees, with distances in those of the last step.
    let own = middles[last];
    let seen = (0..last).fold(left[last] * sees::<D>(1.0), |seen, earlier| {
        let keep = keeps(earlier, last).distance(middles[earlier], own) / own;
        let apart = middles[earlier] / own;
        let volume = (0..D).fold(1.0, |volume, _| volume * apart);
        seen + left[earlier] * steps[earlier].share * (GUEST * sees::<D>(keep) / volume)
    });
    let wished = (sees::<D>(1.0) / seen).sqrt();
    if std::env::var("SHOWK").is_ok() {
        eprintln!(
            "seen {seen:.1} of {:.1} left {left:?} wished {wished:.3}",
            sees::<D>(1.0)
        );
    }
    let [least, most] = STRETCH;
    ((SIZES * wished + 0.5).floor() / SIZES).clamp(least, most)
}

/// How many points of a maximal set with distance 1 lie in a tile of the usual size for it, or within
/// `reach` of that.
fn sees<const D: usize>(reach: f64) -> f64 {
    let side = top(D) / (D as f64).sqrt();
    packing(D) * (side * side + 4.0 * side * reach + std::f64::consts::PI * reach * reach)
}

/// The geometric mean of the least and the greatest.
fn middle(range: &DistRange) -> f64 {
    range.lo().sqrt() * range.hi().sqrt()
}
