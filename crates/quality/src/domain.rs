//! The box that was filled, and what happens at its edges.

use crate::error::QualityError;
use density::Bounds;

/// What happens at the edges of a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edges {
    /// The world ends: points beyond the edge do not exist.
    #[default]
    Open,
    /// What leaves at one side comes in at the other, as in a tile that is repeated.
    Torus,
}

/// A box and its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain<const D: usize> {
    /// The box that was to be filled, world units.
    pub bounds: Bounds<D>,
    /// What happens at its edges.
    pub edges: Edges,
}

impl<const D: usize> Domain<D> {
    /// The square of the distance of two points, on a torus the shorter way round.
    ///
    /// Computed as `dx*dx + dy*dy (+ dz*dz)` in doubles, without fused steps: the judgement of
    /// a pair is `square < d * d` and nothing else.
    #[inline]
    pub fn square_distance(&self, p: [f64; D], q: [f64; D]) -> f64 {
        let mut sum = 0.0;
        for axis in 0..D {
            let mut step = (p[axis] - q[axis]).abs();
            if self.edges == Edges::Torus {
                let round = self.bounds.max()[axis] - self.bounds.min()[axis];
                step = step.min((round - step).abs());
            }
            sum += step * step;
        }
        sum
    }

    /// By how much to shift a point to get each of its images, itself first.
    pub(crate) fn shifts(&self) -> Vec<[f64; D]> {
        let mut shifts = vec![[0.0; D]];
        if self.edges == Edges::Torus {
            for (axis, side) in self.bounds.size().into_iter().enumerate() {
                let shifted: Vec<[f64; D]> = shifts
                    .iter()
                    .flat_map(|shift| [-side, side].map(|by| with(*shift, axis, by)))
                    .collect();
                shifts.extend(shifted);
            }
        }
        shifts
    }

    /// The shortest side, world units.
    pub(crate) fn shortest_side(&self) -> f64 {
        let sides = self.bounds.size().into_iter();
        sides.fold(f64::INFINITY, f64::min)
    }

    /// Checks that a distance is at most half the shortest side of a torus, so that it is kept from one
    /// image of a point only.
    pub(crate) fn check_period(&self, distance: f64) -> Result<(), QualityError> {
        let side = self.shortest_side();
        if self.edges == Edges::Torus && distance > 0.5 * side {
            return Err(QualityError::TorusTooSmall { side, distance });
        }
        Ok(())
    }

    /// Whether the point lies in the closed box.
    pub(crate) fn holds(&self, p: [f64; D]) -> bool {
        let (min, max) = (self.bounds.min(), self.bounds.max());
        (0..D).all(|a| min[a] <= p[a] && p[a] <= max[a])
    }
}

fn with<const D: usize>(mut p: [f64; D], axis: usize, value: f64) -> [f64; D] {
    p[axis] = value;
    p
}

/// `p + q`.
#[inline]
pub(crate) fn sum<const D: usize>(p: [f64; D], q: [f64; D]) -> [f64; D] {
    std::array::from_fn(|a| p[a] + q[a])
}
