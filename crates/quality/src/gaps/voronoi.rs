//! The part of the plane that is nearer to one point than to any other, and how much of it a
//! disk leaves over.

use crate::domain::{Domain, Edges, sum};
use crate::kd_tree::KdTree;

/// A place relative to a point.
pub(super) type Local = [f64; 2];

#[inline]
pub(super) fn dot(a: Local, b: Local) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A Voronoi cell: a convex polygon in coordinates relative to its point, cut out of the
/// domain (on a torus, of a box of its size around the point).
///
/// Aurenhammer, "Voronoi diagrams: a survey of a fundamental geometric data structure" (1991).
/// Built by cutting with one bisector after another; only neighbours that lie in the disk
/// around one of the corners so far, through the point, can cut.
#[derive(Default)]
pub(super) struct VoronoiCell {
    corners: Vec<Local>,
    /// The squares of the corners' distances from the point.
    squares: Vec<f64>,
    widest: f64,
    spare: Vec<Local>,
    sides: Vec<f64>,
}

impl VoronoiCell {
    /// The corners in their order; none when another, earlier point lies in the same place.
    pub(super) fn corners(&self) -> &[Local] {
        &self.corners
    }

    /// The square of the distance of the farthest corner.
    pub(super) fn widest(&self) -> f64 {
        self.widest
    }

    /// Becomes the cell of the point with this index.
    pub(super) fn build<const D: usize>(
        &mut self,
        index: usize,
        p: [f64; D],
        tree: &KdTree<D>,
        domain: &Domain<D>,
        shifts: &[[f64; D]],
    ) {
        let (min, max, size) = (
            domain.bounds.min(),
            domain.bounds.max(),
            domain.bounds.size(),
        );
        let [x, y] = [0, 1].map(|a| match domain.edges {
            Edges::Open => [min[a] - p[a], max[a] - p[a]],
            Edges::Torus => [-0.5 * size[a], 0.5 * size[a]],
        });
        self.corners.clear();
        self.corners
            .extend([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]);
        self.measure();
        for (number, &shift) in shifts.iter().enumerate() {
            let from = sum(p, shift);
            tree.walk(
                from,
                self,
                |cell, min, max| cell.can_be_cut(min, max, from),
                |cell, q, other| {
                    if number == 0 && other == index {
                        return;
                    }
                    let step = [q[0] - from[0], q[1] - from[1]];
                    if step == [0.0, 0.0] {
                        // Of coincident points the first has the cell.
                        if other < index {
                            cell.corners.clear();
                            cell.measure();
                        }
                        return;
                    }
                    cell.cut(step);
                },
            );
        }
    }

    fn measure(&mut self) {
        self.squares.clear();
        self.squares.extend(self.corners.iter().map(|&c| dot(c, c)));
        self.widest = self.squares.iter().fold(-1.0, |w: f64, &s| w.max(s));
    }

    /// Whether a point in the box could be nearer to a corner than this cell's.
    fn can_be_cut<const D: usize>(&self, min: [f64; D], max: [f64; D], from: [f64; D]) -> bool {
        let min = [min[0] - from[0], min[1] - from[1]];
        let max = [max[0] - from[0], max[1] - from[1]];
        let square = |c: Local| {
            let step = |a: usize| (min[a] - c[a]).max(c[a] - max[a]).max(0.0);
            let (x, y) = (step(0), step(1));
            x * x + y * y
        };
        let away = square([0.0, 0.0]);
        if away > 4.0 * self.widest {
            return false;
        }
        away == 0.0
            || self
                .corners
                .iter()
                .zip(&self.squares)
                .any(|(&corner, &limit)| square(corner) <= limit)
    }

    /// Takes away what is nearer to the place at this step from the point.
    fn cut(&mut self, step: Local) {
        let square = dot(step, step);
        if square >= 4.0 * self.widest {
            return;
        }
        let half = 0.5 * square;
        self.sides.clear();
        self.sides
            .extend(self.corners.iter().map(|&c| dot(step, c) - half));
        if self.sides.iter().all(|s| *s <= 0.0) {
            return;
        }
        self.spare.clear();
        clip(&self.corners, &self.sides, &mut self.spare);
        std::mem::swap(&mut self.corners, &mut self.spare);
        self.measure();
    }
}

/// Appends the part of a convex polygon where `sides`, linear between the corners' values, is
/// not above zero. Sutherland and Hodgman, "Reentrant polygon clipping" (1974).
pub(super) fn clip(corners: &[Local], sides: &[f64], kept: &mut Vec<Local>) {
    let Some(mut last) = corners.len().checked_sub(1) else {
        return;
    };
    for here in 0..corners.len() {
        let (s, t) = (sides[last], sides[here]);
        if (s > 0.0) != (t > 0.0) {
            let share = s / (s - t);
            let (a, b) = (corners[last], corners[here]);
            kept.push([0, 1].map(|i| a[i] + share * (b[i] - a[i])));
        }
        if t <= 0.0 {
            kept.push(corners[here]);
        }
        last = here;
    }
}

/// The area of a polygon.
pub(super) fn area(corners: &[Local]) -> f64 {
    let Some(&first) = corners.first() else {
        return 0.0;
    };
    let from = |c: Local| [c[0] - first[0], c[1] - first[1]];
    let twice: f64 = corners
        .windows(2)
        .map(|pair| cross(from(pair[0]), from(pair[1])))
        .sum();
    0.5 * twice.abs()
}

fn cross(a: Local, b: Local) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The area of a polygon outside the disk of this radius around `center`: the sum over its
/// edges of the triangle with the center less the disk's sector, in closed form.
pub(super) fn area_beyond(corners: &[Local], center: Local, radius: f64) -> f64 {
    let from = |c: Local| [c[0] - center[0], c[1] - center[1]];
    let Some(mut a) = corners.last().map(|&c| from(c)) else {
        return 0.0;
    };
    let mut sum = 0.0;
    for &corner in corners {
        let b = from(corner);
        let at = |t: f64| [0, 1].map(|i| a[i] + t * (b[i] - a[i]));
        match crossings(a, b, radius) {
            None => sum += beyond(a, b, radius),
            Some([enters, leaves]) => {
                if enters > 0.0 {
                    sum += beyond(a, at(enters), radius);
                }
                if leaves < 1.0 {
                    sum += beyond(at(leaves), b, radius);
                }
            }
        }
        a = b;
    }
    sum.max(0.0)
}

/// Triangle less sector, for an edge outside the disk.
fn beyond(a: Local, b: Local, radius: f64) -> f64 {
    let cross = cross(a, b);
    0.5 * (cross - radius * radius * cross.atan2(dot(a, b)))
}

/// Where, from 0 to 1 and beyond, a line enters and leaves the disk; `None` when none of what
/// is between `a` and `b` lies in it.
fn crossings(a: Local, b: Local, radius: f64) -> Option<[f64; 2]> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let (square, along) = (dot(d, d), dot(a, d));
    let under = along * along - square * (dot(a, a) - radius * radius);
    if under <= 0.0 || square == 0.0 {
        return None;
    }
    let root = under.sqrt();
    let [enters, leaves] = [-root, root].map(|r| (r - along) / square);
    (enters < 1.0 && leaves > 0.0).then_some([enters, leaves])
}

/// Cuts off the parts of a convex polygon that reach out of the disk of this radius: pieces
/// that may overlap the disk, but outside which all of the polygon lies in the disk.
pub(super) fn tips(corners: &[Local], radius: f64, mut tip: impl FnMut(&[Local])) {
    let count = corners.len();
    let edge = |to: usize| {
        let (a, b) = (corners[(to + count - 1) % count], corners[to]);
        let ends = crossings(a, b, radius);
        // A little inside, lest rounding puts it outside.
        let inside = ends.map(|[enters, leaves]| [enters + 1e-9, leaves - 1e-9]);
        inside.map(|ends| ends.map(|t| [0, 1].map(|i| a[i] + t.clamp(0.0, 1.0) * (b[i] - a[i]))))
    };
    let outside = |i: usize| dot(corners[i], corners[i]) >= radius * radius;
    // Some edge that lies partly inside; there is none when the disk lies in the polygon.
    let Some(start) = (0..count).find(|&to| edge(to).is_some()) else {
        if (0..count).any(outside) {
            tip(corners);
        }
        return;
    };
    let mut piece: Vec<Local> = Vec::new();
    for step in 0..=count {
        let to = (start + step) % count;
        if let Some([enters, leaves]) = edge(to) {
            if !piece.is_empty() {
                piece.push(enters);
                tip(&piece);
                piece.clear();
            }
            if outside(to) && step < count {
                piece.push(leaves);
            }
        }
        if outside(to) && step < count {
            piece.push(corners[to]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const SQUARE: [Local; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

    #[test]
    fn what_a_disk_leaves_of_a_square() {
        let left = |radius| area_beyond(&SQUARE, [0.0; 2], radius);
        assert!((left(1.0) - (4.0 - PI)).abs() < 1e-14);
        assert!((left(0.5) - (4.0 - 0.25 * PI)).abs() < 1e-14);
        assert_eq!(left(1.5), 0.0);
        // The corners' tips, by the formula for a segment of a circle.
        let (radius, angle) = (1.2_f64, (1.0 / 1.2_f64).acos());
        let segment = radius * radius * angle - angle.sin() * radius;
        let truth = 4.0 - (PI * radius * radius - 4.0 * segment);
        assert!((left(radius) - truth).abs() < 1e-13, "{}", left(radius));
        // A polygon that the origin lies outside.
        let far = SQUARE.map(|c| [c[0] + 2.0, c[1]]);
        assert!((area_beyond(&far, [0.0; 2], 1.0) - 4.0).abs() < 1e-14);
        assert!((area_beyond(&far, [2.0, 0.0], 1.0) - left(1.0)).abs() < 1e-14);
        assert!((area(&far) - 4.0).abs() < 1e-15);
    }

    #[test]
    fn tips_hold_all_that_is_outside() {
        let mut sum = 0.0;
        let mut count = 0;
        tips(&SQUARE, 1.3, |tip| {
            count += 1;
            sum += area_beyond(tip, [0.0; 2], 1.3);
            assert!(area(tip) < 0.2);
        });
        assert_eq!(count, 4);
        assert!((sum - area_beyond(&SQUARE, [0.0; 2], 1.3)).abs() < 1e-9);
    }
}
