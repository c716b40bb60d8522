//! The neighbours of a parent, cached while candidates are drawn around it.
//!
//! Most candidates conflict with a neighbour of their parent. These neighbours are read once,
//! into rows of `f32`, and eight candidates are tested against each in vector instructions: a
//! fraction of the cost of an index query. Only a *certain* conflict counts here. The index
//! decides the remaining candidates exactly, so this changes no point.

use crate::annulus::LANES;
use crate::index::NeighbourIndex;
use crate::rule::Rule;
use std::ops::Range;

/// Capacity, more than the neighbours that are read in a uniform field.
const ROOM: usize = 96;
/// Returns the distance up to which neighbours are read, in parent's radii. Farther ones block
/// too little for the time that reading them takes (measured, 1.4 to 3).
const fn reach(dimensions: usize) -> f64 {
    match dimensions {
        2 => 2.0,
        _ => 1.7,
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Surround<const D: usize> {
    /// Number of neighbours within two radii, at the front of the rows: they block most.
    near: usize,
    /// Index of the first neighbour beyond two radii; these fill the back of the rows.
    far: usize,
    /// Offsets from the parent, one row an axis, in parent's radii.
    offset: [[f32; ROOM]; D],
    /// The neighbour's key in parent's radii; after [`fill`](Self::fill) the squared distance
    /// below which a conflict is certain.
    conflict: [f32; ROOM],
}

impl<const D: usize> Surround<D> {
    pub(crate) fn new() -> Self {
        Self {
            near: 0,
            far: ROOM,
            offset: [[0.0; ROOM]; D],
            conflict: [0.0; ROOM],
        }
    }

    /// Reads the neighbours of the point at `p` with radius `r`. `least` is a lower bound on
    /// the radius of the candidates around it.
    pub(crate) fn fill<I: NeighbourIndex<D>>(
        &mut self,
        index: &I,
        p: [f64; D],
        r: f64,
        rule: Rule,
        least: f64,
    ) {
        let per_radius = 1.0 / r;
        let (mut near, mut far) = (0, ROOM);
        index.survey(p, reach(D) * r, per_radius, |q| {
            let square: f32 = q.offset.iter().map(|d| d * d).sum();
            // Arithmetic, not a branch, which would often be mispredicted.
            let is_far = usize::from(square >= 4.0);
            far -= is_far;
            let at = far * is_far + near * (1 - is_far);
            // The parent itself blocks nothing in its shell: the next neighbour overwrites it.
            near += usize::from(square > 0.25) - is_far;
            for a in 0..D {
                self.offset[a][at] = q.offset[a];
            }
            self.conflict[at] = q.key;
            near == far
        });
        (self.near, self.far) = (near, far);
        let least = (least * per_radius) as f32;
        match rule {
            Rule::Max => self.square_keys(|k| k.max(least)),
            Rule::Min => self.square_keys(|k| k.min(least)),
            Rule::Mean => self.square_keys(|k| 0.5 * (k + least)),
            Rule::Prior => self.square_keys(|k| k),
            Rule::Own | Rule::Parent => self.square_keys(|_| least),
        }
    }

    /// Turns keys into squared distances, less the error of the offsets (1e-5).
    #[inline]
    fn square_keys(&mut self, keep: impl Fn(f32) -> f32) {
        let (front, back) = self.conflict.split_at_mut(self.far);
        for key in front[..self.near].iter_mut().chain(back) {
            let keep = keep(*key);
            *key = keep * keep * 0.999_9 - 1e-4;
        }
    }

    /// Returns for each of eight candidates whether it certainly conflicts with a neighbour.
    /// `v[a][i]` is the offset of candidate `i` from the parent along axis `a`, in parent's
    /// radii.
    #[inline]
    pub(crate) fn blocks(&self, v: [[f32; LANES]; D]) -> [bool; LANES] {
        let mut nearest = [f32::INFINITY; LANES];
        self.approach(0..self.near, v, &mut nearest);
        let mut start = self.far;
        while start < ROOM && nearest.iter().any(|&d| d >= 0.0) {
            let end = (start + LANES).min(ROOM);
            self.approach(start..end, v, &mut nearest);
            start = end;
        }
        nearest.map(|d| d < 0.0)
    }

    /// Lowers `nearest` to the least of (squared distance - squared conflict distance) over
    /// `neighbours`.
    #[inline]
    fn approach(&self, neighbours: Range<usize>, v: [[f32; LANES]; D], nearest: &mut [f32; LANES]) {
        for n in neighbours {
            for i in 0..LANES {
                let mut square = -self.conflict[n];
                for (axis, v) in self.offset.iter().zip(&v) {
                    let d = axis[n] - v[i];
                    square += d * d;
                }
                // Not f32::min, whose handling of NaN costs as much as the rest.
                nearest[i] = if square < nearest[i] {
                    square
                } else {
                    nearest[i]
                };
            }
        }
    }
}
