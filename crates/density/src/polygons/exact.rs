//! Exact predicates: the side of an edge on which a place lies, and the edges that a path crosses.
//!
//! Every predicate is evaluated at the place moved by an infinitely small step: right, and up by
//! infinitely less. So no place ever lies on an edge or level with a corner. There are no special
//! cases, and every path gives the same winding number (Edelsbrunner and Mücke, "Simulation of
//! Simplicity", 1990).

use robust::{Coord, orient2d};

/// A directed edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
}

impl Edge {
    pub(super) fn squared_length(&self) -> f64 {
        let [x, y] = [0, 1].map(|a| self.to[a] - self.from[a]);
        x * x + y * y
    }
}

/// Returns a number whose sign is the side of the edge on which the unmoved place lies: positive on
/// the left. It is about twice the area of the triangle of both.
#[inline]
fn side(edge: &Edge, p: [f64; 2]) -> f64 {
    let [a, b, c] = [edge.from, edge.to, p].map(|[x, y]| Coord { x, y });
    orient2d(a, b, c)
}

/// Returns `true` if the moved place lies left of the edge.
#[inline]
fn is_left(edge: &Edge, p: [f64; 2]) -> bool {
    let side = side(edge, p);
    if side != 0.0 {
        side > 0.0
    } else if edge.from[1] != edge.to[1] {
        edge.from[1] > edge.to[1]
    } else {
        edge.from[0] < edge.to[0]
    }
}

/// Returns the change of the winding number at this edge, along the straight path between two moved
/// places parallel to `axis`.
#[inline]
fn crossed(edge: &Edge, s: [f64; 2], t: [f64; 2], axis: usize) -> i32 {
    let across = 1 - axis;
    if (edge.from[across] <= s[across]) == (edge.to[across] <= s[across]) {
        return 0;
    }
    // The common case: both ends of the path lie on one side of the edge's box.
    let (low, high) = ends(edge.from[axis], edge.to[axis]);
    if s[axis].max(t[axis]) < low || s[axis].min(t[axis]) > high {
        return 0;
    }
    i32::from(is_left(edge, t)) - i32::from(is_left(edge, s))
}

/// Returns the change of the winding number along a path from one moved place to another, first
/// along y, then along x. `edges` must include every edge that the path crosses.
#[inline]
pub(super) fn winding_change<'e>(
    s: [f64; 2],
    t: [f64; 2],
    edges: impl Iterator<Item = &'e Edge>,
) -> i32 {
    let turn = [s[0], t[1]];
    edges
        .map(|edge| crossed(edge, s, turn, 1) + crossed(edge, turn, t, 0))
        .sum()
}

/// Returns `true` if the edge meets the inside of the box, where the moved places of a half-open
/// box lie.
#[inline]
pub(super) fn meets(edge: &Edge, min: [f64; 2], max: [f64; 2]) -> bool {
    for a in 0..2 {
        let (low, high) = ends(edge.from[a], edge.to[a]);
        // An edge along an axis, on a side of the box, does not meet the inside.
        if high <= min[a] || low >= max[a] {
            return false;
        }
    }
    // Otherwise only the line through the edge can separate the edge and the box.
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    let (mut left, mut right) = (false, false);
    for corner in corners {
        let side = side(edge, corner);
        left |= side > 0.0;
        right |= side < 0.0;
    }
    left && right
}

/// Returns `true` if both ends of `edge` lie on the line through `other`.
pub(super) fn is_on_line(edge: &Edge, other: &Edge) -> bool {
    side(other, edge.from) == 0.0 && side(other, edge.to) == 0.0
}

/// Edges count as about on one line up to this many times the rounding of their largest coordinate. A corner that another
/// program put on an edge is off by one or two.
const ROUNDINGS: f64 = 4.0;

/// Returns `true` if both ends of `edge` lie on the line through `other`, but for rounding of their coordinates.
pub(super) fn is_about_on_line(edge: &Edge, other: &Edge) -> bool {
    let coordinates = [edge.from, edge.to, other.from, other.to];
    let largest = coordinates
        .as_flattened()
        .iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    // Twice the area of a triangle with `other` is its length times the distance from it.
    let most = ROUNDINGS * f64::EPSILON * largest * other.squared_length().sqrt();
    side(other, edge.from).abs() <= most && side(other, edge.to).abs() <= most
}

#[inline]
fn ends(a: f64, b: f64) -> (f64, f64) {
    if a < b { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn edges(corners: &[[f64; 2]]) -> Vec<Edge> {
        let next = corners.iter().cycle().skip(1);
        let edge = |(&from, &to): (&[f64; 2], &[f64; 2])| Edge { from, to };
        corners.iter().zip(next).map(edge).collect()
    }

    #[test]
    fn places_on_edges_belong_to_what_lies_right_of_and_above_them() {
        let square = edges(&SQUARE);
        let winding = |p| winding_change([-5.0, -5.0], p, square.iter());
        assert_eq!(winding([0.5, 0.5]), 1);
        assert_eq!(winding([0.0, 0.0]), 1);
        assert_eq!(winding([0.0, 0.5]), 1);
        assert_eq!(winding([0.5, 0.0]), 1);
        assert_eq!(winding([1.0, 0.5]), 0);
        assert_eq!(winding([0.5, 1.0]), 0);
        assert_eq!(winding([1.0, 1.0]), 0);
    }

    #[test]
    fn an_edge_beside_a_box_does_not_meet_it() {
        let edge = |from, to| Edge { from, to };
        let unit = |e: &Edge| meets(e, [0.0, 0.0], [1.0, 1.0]);
        assert!(!unit(&edge([0.0, -1.0], [0.0, 2.0])), "along its side");
        assert!(!unit(&edge([1.0, -1.0], [1.0, 2.0])));
        assert!(!unit(&edge([-1.0, 1.0], [1.0, -1.0])), "through its corner");
        assert!(!unit(&edge([0.2, 1.0], [0.5, 2.0])), "up to its side");
        assert!(!unit(&edge([2.0, 0.5], [0.5, 2.0])), "past its corner");
        assert!(unit(&edge([0.2, 0.9], [0.5, 2.0])));
        assert!(unit(&edge([0.2, 0.2], [0.3, 0.3])), "wholly inside");
        assert!(unit(&edge([-1.0, -1.0], [2.0, 2.0])), "through two corners");
        assert!(unit(&edge([1.4, 0.5], [0.5, 1.4])));
    }
}
