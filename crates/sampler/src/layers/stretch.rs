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

/// How many times as long as usual the tiles of each step are; `keeps` is what the points of the second
/// keep from those of the first. In the plane: in space it was not measured.
pub(super) fn stretches<const D: usize>(
    steps: &[Asking],
    keeps: &dyn Fn(usize, usize) -> Keep,
) -> Vec<f64> {
    let middles: Vec<f64> = steps.iter().map(|step| middle(&step.range)).collect();
    // How much of the ground each step takes of what is left to it.
    let mut taken: Vec<f64> = Vec::new();
    let mut stretches = Vec::new();
    for (later, step) in steps.iter().enumerate() {
        let own = middles[later];
        let (mut left, mut seen, mut amid) = (1.0, 0.0, false);
        for earlier in 0..later {
            let keep = keeps(earlier, later);
            // Nobody knows of those that he does not mind.
            if keep == Keep::Fixed(0.0) {
                continue;
            }
            amid = true;
            let keep = keep.distance(middles[earlier], own);
            left *= 1.0 - thinly_covered(taken[earlier], likened(keep / middles[earlier]), D);
            // In distances of its own.
            let apart = likened(middles[earlier] / own);
            seen += GUEST * taken[earlier] * sees(likened(keep / own)) / (apart * apart);
        }
        seen += left * sees(1.0);
        taken.push(left * step.share);
        stretches.push(if amid && D == 2 {
            sized((sees(1.0) / seen).sqrt())
        } else {
            1.0
        });
    }
    stretches
}

/// How many times as large one distance is as another, as far as that makes a difference: the square of
/// what lies beyond may be no ordinary number.
fn likened(times: f64) -> f64 {
    times.clamp(1e-6, 1e6)
}

/// The size nearest to a wish.
fn sized(wished: f64) -> f64 {
    let [least, most] = STRETCH;
    ((SIZES * wished + 0.5).floor() / SIZES).clamp(least, most)
}

/// How many points of a maximal set with distance 1 lie in a tile of the usual size for it, or within
/// `reach` of that.
fn sees(reach: f64) -> f64 {
    let side = top(2) / 2.0_f64.sqrt();
    packing(2) * (side * side + 4.0 * side * reach + std::f64::consts::PI * reach * reach)
}

/// The geometric mean of the least and the greatest.
fn middle(range: &DistRange) -> f64 {
    range.lo().sqrt() * range.hi().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Rule;

    fn stretched(dists: &[f64], keep: Keep) -> Vec<f64> {
        let asking = |&r: &f64| Asking {
            range: DistRange::new(r, r).expect("a distance"),
            share: 1.0,
        };
        let steps: Vec<Asking> = dists.iter().map(asking).collect();
        stretches::<2>(&steps, &|_, _| keep)
    }

    #[test]
    fn tiles_are_large_where_little_is_left_and_small_amid_many() {
        let mean = Keep::By(Rule::Mean);
        assert_eq!(stretched(&[4.0, 2.0, 1.0], mean), [1.0, 1.375, 1.5]);
        assert_eq!(stretched(&[1.0; 3], Keep::Fixed(0.5)), [1.0, 0.875, 0.75]);
        // Whatever the unit of length.
        assert_eq!(stretched(&[4e9, 2e9, 1e9], mean), [1.0, 1.375, 1.5]);
        // Within bounds, however little is left or however many there are.
        assert_eq!(stretched(&[9.0, 1.0], Keep::Fixed(5.0)), [1.0, 1.5]);
        assert_eq!(stretched(&[1.0, 9.0], Keep::Fixed(0.5)), [1.0, 0.75]);
    }

    #[test]
    fn who_minds_nobody_has_the_usual_tiles() {
        assert_eq!(stretched(&[4.0, 2.0, 1.0], Keep::Fixed(0.0)), [1.0; 3]);
        assert_eq!(stretched(&[1e-9, 1e9], Keep::Fixed(0.0)), [1.0; 2]);
        assert!(stretches::<2>(&[], &|_, _| Keep::Fixed(1.0)).is_empty());
        // Nor do others that it minds make a difference to that.
        let asking = [0.01, 4.0, 2.0].map(|r| Asking {
            range: DistRange::new(r, r).expect("a distance"),
            share: 1.0,
        });
        let keeps = |earlier, _| match earlier {
            0 => Keep::Fixed(0.0),
            _ => Keep::By(Rule::Mean),
        };
        assert_eq!(stretches::<2>(&asking, &keeps), [1.0, 1.0, 1.375]);
    }

    /// Infinity by infinity was the size of tiles, and a layer stayed empty.
    #[test]
    fn no_distances_are_too_far_apart() {
        for keep in [1e150, 1e-15] {
            for dists in [
                [1e-15, 1e-15, 1.0],
                [1e150, 1e-15, 1e150],
                [1.0, 1e150, 1e-9],
            ] {
                let stretched = stretched(&dists, Keep::Fixed(keep));
                assert!(
                    stretched.iter().all(|s| (0.75..=1.5).contains(s)),
                    "{stretched:?}"
                );
            }
        }
    }
}
