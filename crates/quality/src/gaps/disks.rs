//! The part of a rectangle outside some disks, in closed form.

use std::f64::consts::{FRAC_PI_2, TAU};

/// A disk; its centre is relative to the middle of the rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disk {
    pub(super) center: [f64; 2],
    pub(super) radius: f64,
}

/// The uncovered part of the rectangle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub(super) area: f64,
    /// The mean of all corners of the uncovered part, relative to the middle of the rectangle. If
    /// that part is small and connected, this place lies within it.
    pub(super) middle: [f64; 2],
}

/// A smaller share of the rectangle is rounding error.
const ROUNDING: f64 = 1e-13;

/// Computes the part of a rectangle with sides of twice `half` outside all disks. By Green's
/// theorem its area is an integral along the parts of circles and sides that lie in no disk.
/// `covered` is a buffer.
pub(super) fn rest(half: [f64; 2], disks: &[Disk], covered: &mut Vec<[f64; 2]>) -> Rest {
    let mut area = 0.0;
    let (mut corners, mut count) = ([0.0; 2], 0.0_f64);
    let mut corner = |[x, y]: [f64; 2]| {
        corners = [corners[0] + x, corners[1] + y];
        count += 1.0;
    };
    for (along, across) in [(0, 1), (1, 0)] {
        for side in [-half[across], half[across]] {
            covered.clear();
            for disk in disks {
                let off = side - disk.center[across];
                let square = disk.radius * disk.radius - off * off;
                if square > 0.0 {
                    let reach = square.sqrt();
                    covered.push([disk.center[along] - reach, disk.center[along] + reach]);
                }
            }
            for_each_gap(covered, [-half[along], half[along]], |from, to| {
                area += 0.5 * half[across] * (to - from);
                for end in [from, to] {
                    let mut place = [side; 2];
                    place[along] = end;
                    corner(place);
                }
            });
        }
    }
    for (index, disk) in disks.iter().enumerate() {
        if !hidden_angles(index, disks, half, covered) {
            continue;
        }
        let Disk { center, radius } = *disk;
        for_each_gap(covered, [0.0, TAU], |from, to| {
            let [a, b] = [from, to].map(|angle| [angle.cos(), angle.sin()]);
            let sector = radius * (to - from);
            let chord = center[0] * (b[1] - a[1]) - center[1] * (b[0] - a[0]);
            area -= 0.5 * radius * (sector + chord);
            for end in [a, b] {
                corner([0, 1].map(|axis| center[axis] + radius * end[axis]));
            }
        });
    }
    if area <= ROUNDING * 4.0 * half[0] * half[1] {
        return Rest::default();
    }
    Rest {
        area,
        middle: corners.map(|sum| sum / count.max(1.0)),
    }
}

/// Collects the angles at which a disk's circle lies outside the rectangle or in another disk.
/// Returns `false` if the whole circle does.
fn hidden_angles(
    index: usize,
    disks: &[Disk],
    half: [f64; 2],
    covered: &mut Vec<[f64; 2]>,
) -> bool {
    let Disk { center, radius } = disks[index];
    covered.clear();
    let mut cover = |angle: f64, half: f64| {
        let from = (angle - half).rem_euclid(TAU);
        let to = from + 2.0 * half;
        covered.push([from, to]);
        if to > TAU {
            covered.push([0.0, to - TAU]);
        }
    };
    for (quarter, angle) in [0.0, 1.0, 2.0, 3.0].into_iter().enumerate() {
        let axis = quarter % 2;
        let sign = if quarter < 2 { 1.0 } else { -1.0 };
        let away = (half[axis] - sign * center[axis]) / radius;
        if away <= -1.0 {
            return false;
        }
        if away < 1.0 {
            cover(angle * FRAC_PI_2, away.acos());
        }
    }
    for (number, other) in disks.iter().enumerate() {
        if number == index {
            continue;
        }
        let step = [0, 1].map(|axis| other.center[axis] - center[axis]);
        let square = step[0] * step[0] + step[1] * step[1];
        let [sum, more] = [radius + other.radius, other.radius - radius];
        if square >= sum * sum {
            continue;
        }
        if square <= more * more {
            // One disk contains the other; of two equal disks, the first keeps its circle.
            if more > 0.0 || more == 0.0 && number < index {
                return false;
            }
            continue;
        }
        let cosine = (square - more * sum) / (2.0 * square.sqrt() * radius);
        cover(step[1].atan2(step[0]), cosine.clamp(-1.0, 1.0).acos());
    }
    true
}

/// Visits the parts of `from..to` outside the intervals, which it sorts.
fn for_each_gap(covered: &mut [[f64; 2]], [from, to]: [f64; 2], mut visit: impl FnMut(f64, f64)) {
    covered.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let mut at = from;
    for &[start, end] in &*covered {
        if start >= to {
            break;
        }
        if start > at {
            visit(at, start);
        }
        at = at.max(end);
    }
    if at < to {
        visit(at, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    fn area(half: [f64; 2], disks: &[([f64; 2], f64)]) -> f64 {
        let disk = |&(center, radius): &([f64; 2], f64)| Disk { center, radius };
        let disks: Vec<Disk> = disks.iter().map(disk).collect();
        rest(half, &disks, &mut Vec::new()).area
    }

    #[test]
    fn known_areas() {
        assert_eq!(area([1.0, 2.0], &[]), 8.0);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        let inside = ([0.2, -0.3], 0.5);
        close(area([1.0, 2.0], &[inside]), 8.0 - PI * 0.25);
        close(area([1.0, 2.0], &[inside, inside, inside]), 8.0 - PI * 0.25);
        close(
            area([1.0, 2.0], &[inside, ([0.1, -0.3], 0.3)]),
            8.0 - PI * 0.25,
        );
        let corner = ([1.0, 2.0], 0.5);
        close(area([1.0, 2.0], &[corner]), 8.0 - PI * 0.0625);
        close(area([1.0, 2.0], &[([9.0, 2.0], 0.5)]), 8.0);
        assert_eq!(area([1.0, 2.0], &[([0.1, 0.1], 2.5)]), 0.0);
        let four = [[1.0, 2.0], [-1.0, 2.0], [1.0, -2.0], [-1.0, -2.0]].map(|c| (c, 2.24));
        assert_eq!(area([1.0, 2.0], &four), 0.0);
        assert!(area([1.0, 2.0], &four.map(|(c, _)| (c, 2.23))) > 0.0);
    }

    proptest! {
        /// Compares with a sum over thin columns, whose intervals are simple.
        #[test]
        fn is_the_sum_of_thin_columns(
            half in prop::array::uniform2(0.1..2.0),
            disks in prop::collection::vec(
                (prop::array::uniform2(-3.0..3.0), prop_oneof![0.01..3.0, Just(1.0)]),
                0..9,
            ),
        ) {
            let (count, half): (i32, [f64; 2]) = (4000, half);
            let mut sum: f64 = 0.0;
            for column in 0..count {
                let x = half[0] * ((f64::from(column) + 0.5) / f64::from(count) * 2.0 - 1.0);
                let reach = |&(c, r): &([f64; 2], f64)| {
                    let square: f64 = r * r - (x - c[0]) * (x - c[0]);
                    (square > 0.0).then(|| [c[1] - square.sqrt(), c[1] + square.sqrt()])
                };
                let mut covered: Vec<[f64; 2]> = disks.iter().filter_map(reach).collect();
                for_each_gap(&mut covered, [-half[1], half[1]], |from, to| sum += to - from);
            }
            let sum = sum * 2.0 * half[0] / f64::from(count);
            let found = area(half, &disks);
            prop_assert!((found - sum).abs() < 1e-3 * half[0], "{} is not {}", found, sum);
        }
    }
}
