//! Whether points keep their distance, and how dense they are: a k-d tree of this crate's
//! own, so that no sampler is checked by its own neighbour search.

use crate::contender::World;

/// Below this many points a subtree is scanned.
const LEAF: usize = 8;

/// What the check found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// Pairs nearer to each other than the larger of their `min_dist`s (rule `max`).
    pub(crate) violations: u64,
    /// The least distance / `min_dist` among those pairs, 1 when there is none.
    pub(crate) worst_ratio: f64,
    /// Points outside the domain.
    pub(crate) outside: u64,
    /// The points' number over the integral of `1/min_dist^D`: the density constant.
    pub(crate) c: f64,
}

#[derive(Clone, Copy)]
struct Disk<const D: usize> {
    position: [f64; D],
    min_dist: f64,
    index: usize,
}

/// Checks every pair of points under rule `max`. The `min_dist`s are read from the field, not
/// from the sampler. O(n log n).
pub(crate) fn check<const D: usize>(points: &[[f64; D]], world: &World<'_, D>) -> Verdict {
    let mut disks: Vec<Disk<D>> = points
        .iter()
        .enumerate()
        .map(|(index, &position)| Disk {
            position,
            // Where no point may lie nothing is far enough: such a point violates loudly.
            min_dist: world.field.min_dist(position).unwrap_or(f64::INFINITY),
            index,
        })
        .collect();
    arrange(&mut disks, 0);
    let mut verdict = Verdict {
        violations: 0,
        worst_ratio: 1.0,
        outside: points
            .iter()
            .filter(|&&p| !world.bounds.contains(p))
            .count() as u64,
        c: points.len() as f64 / world.unit_count,
    };
    for disk in &disks {
        visit(&disks, 0, disk, &mut verdict);
    }
    verdict
}

/// Orders the disks as an implicit k-d tree: the median along the axis in the middle, the
/// lower ones before it, the upper ones behind, each half the same along the next axis.
fn arrange<const D: usize>(disks: &mut [Disk<D>], axis: usize) {
    if disks.len() <= LEAF {
        return;
    }
    let mid = disks.len() / 2;
    disks.select_nth_unstable_by(mid, |a, b| a.position[axis].total_cmp(&b.position[axis]));
    let (lower, upper) = disks.split_at_mut(mid);
    arrange(lower, (axis + 1) % D);
    arrange(&mut upper[1..], (axis + 1) % D);
}

fn visit<const D: usize>(tree: &[Disk<D>], axis: usize, disk: &Disk<D>, verdict: &mut Verdict) {
    if tree.len() <= LEAF {
        for other in tree {
            compare(disk, other, verdict);
        }
        return;
    }
    let mid = tree.len() / 2;
    let next = (axis + 1) % D;
    let offset = tree[mid].position[axis] - disk.position[axis];
    compare(disk, &tree[mid], verdict);
    if offset >= -disk.min_dist {
        visit(&tree[..mid], next, disk, verdict);
    }
    if offset <= disk.min_dist {
        visit(&tree[mid + 1..], next, disk, verdict);
    }
}

fn compare<const D: usize>(disk: &Disk<D>, other: &Disk<D>, verdict: &mut Verdict) {
    // A pair is seen from both of its ends; it is counted at the one with the larger disk.
    let mine = disk.min_dist > other.min_dist
        || (disk.min_dist == other.min_dist && disk.index > other.index);
    if !mine {
        return;
    }
    let squared: f64 = (0..D)
        .map(|a| disk.position[a] - other.position[a])
        .map(|d| d * d)
        .sum();
    if squared < disk.min_dist * disk.min_dist {
        verdict.violations += 1;
        verdict.worst_ratio = verdict.worst_ratio.min(squared.sqrt() / disk.min_dist);
    }
}

/// A digest (FNV-1a) of the points' bits in their order.
pub(crate) fn digest<const D: usize>(points: &[[f64; D]]) -> u64 {
    points
        .as_flattened()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, x| {
            (h ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Bounds, DistRange, FnField};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Random points break their distance often; the tree must count as every pair does.
    #[test]
    fn counts_as_the_plain_search_does() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let points: Vec<[f64; 3]> = (0..800)
            .map(|_| [(); 3].map(|()| rng.random::<f64>() * 10.5))
            .collect();
        let range = DistRange::new(0.1, 1.0).expect("a good range");
        let field = FnField::new(range, 0.09, |p: [f64; 3]| 0.1 + 0.09 * p[0]).expect("a slope");
        let world = World {
            field: &field,
            bounds: Bounds::from_size([10.0; 3]).expect("a good box"),
            unit_count: 400.0,
        };
        let dist = |p: [f64; 3], q: [f64; 3]| -> f64 {
            (0..3)
                .map(|a| (p[a] - q[a]) * (p[a] - q[a]))
                .sum::<f64>()
                .sqrt()
        };
        let mut violations = 0;
        let mut worst_ratio = 1.0_f64;
        for (i, &p) in points.iter().enumerate() {
            for &q in &points[..i] {
                let r = (0.1 + 0.09 * p[0]).max(0.1 + 0.09 * q[0]).min(1.0);
                if dist(p, q) < r {
                    violations += 1;
                    worst_ratio = worst_ratio.min(dist(p, q) / r);
                }
            }
        }
        let verdict = check(&points, &world);
        assert!(violations > 100, "a test that could not fail");
        assert_eq!(verdict.violations, violations);
        assert!((verdict.worst_ratio - worst_ratio).abs() < 1e-12);
        assert_eq!(verdict.c, 2.0);
        assert!(verdict.outside > 0);
    }
}
