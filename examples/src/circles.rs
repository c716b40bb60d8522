//! Circles that later layers must avoid.

use anyhow::{Result, ensure};
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its centre, world units.
    pub center: [f64; 2],
    /// Its radius, world units.
    pub radius: f64,
}

/// A set of circles. A grid lists each circle in every cell near it, so that one cell gives the
/// distance to the nearest circle.
#[derive(Clone, Debug)]
pub struct Circles {
    origin: [f64; 2],
    cell: f64,
    columns: usize,
    cells: Vec<Vec<Circle>>,
    all: Vec<Circle>,
}

impl Circles {
    /// Creates an empty set for circles in `domain`. Distances are known up to `reach`, which is
    /// also the side of the grid's cells.
    ///
    /// # Errors
    /// If `reach` is not positive, or the grid would have more than a million cells.
    pub fn new(domain: Bounds<2>, reach: f64) -> Result<Self> {
        let [columns, rows] = domain.size().map(|s| (s / reach).floor() + 1.0);
        ensure!(
            reach > 0.0 && columns * rows <= 1e6,
            "a reach of {reach} does not suit a world of {:?}",
            domain.size()
        );
        Ok(Self {
            origin: domain.min(),
            cell: reach,
            columns: columns as usize,
            cells: vec![Vec::new(); columns as usize * rows as usize],
            all: Vec::new(),
        })
    }

    /// Adds a circle.
    pub fn add(&mut self, circle: Circle) {
        let rows = self.cells.len() / self.columns;
        let far = circle.radius + self.cell;
        let [x, y] = [(0, self.columns), (1, rows)].map(|(a, count)| {
            let index = |edge: f64| {
                let index = ((edge - self.origin[a]) / self.cell).floor();
                index.clamp(0.0, count as f64 - 1.0) as usize
            };
            index(circle.center[a] - far)..=index(circle.center[a] + far)
        });
        for row in y {
            for column in x.clone() {
                self.cells[row * self.columns + column].push(circle);
            }
        }
        self.all.push(circle);
    }

    /// Returns all circles, in the order in which they were added.
    pub fn all(&self) -> &[Circle] {
        &self.all
    }

    /// Returns the distance from a place of the domain to the nearest circle's rim, at most the
    /// reach. It is negative inside a circle.
    pub fn clearance(&self, p: [f64; 2]) -> f64 {
        let [column, row] = [0, 1].map(|a| ((p[a] - self.origin[a]) / self.cell) as usize);
        let near = self.cells.get(row * self.columns + column);
        near.into_iter().flatten().fold(self.cell, |least, c| {
            let (dx, dy) = (p[0] - c.center[0], p[1] - c.center[1]);
            least.min((dx * dx + dy * dy).sqrt() - c.radius)
        })
    }

    /// Checks that no two circles overlap, beyond rounding, by testing every pair.
    ///
    /// # Errors
    /// The first pair that overlaps.
    pub fn check_apart(&self) -> Result<()> {
        for (i, a) in self.all.iter().enumerate() {
            for b in &self.all[..i] {
                let (dx, dy) = (a.center[0] - b.center[0], a.center[1] - b.center[1]);
                let gap = (dx * dx + dy * dy).sqrt() - a.radius - b.radius;
                ensure!(gap > -1e-9, "{a:?} and {b:?} overlap");
            }
        }
        Ok(())
    }

    /// Returns the part of `field` where a circle of `radius(min_dist)` touches none of these
    /// circles, for a later layer. `radius` must not decrease as `min_dist` grows.
    ///
    /// # Errors
    /// If such a circle may be larger than the reach.
    pub fn outside<'a, F: RadiusField<2>, R: Fn(f64) -> f64 + Send + Sync>(
        &'a self,
        field: &'a F,
        radius: R,
    ) -> Result<Outside<'a, F, R>> {
        let range = field.range();
        ensure!(
            radius(range.hi()) <= self.cell,
            "circles of {} are beyond the reach {}",
            radius(range.hi()),
            self.cell
        );
        Ok(Outside {
            circles: self,
            field,
            radius,
        })
    }
}

/// A field restricted to places where circles touch none of a set: see [`Circles::outside`].
#[derive(Debug)]
pub struct Outside<'a, F, R> {
    circles: &'a Circles,
    field: &'a F,
    radius: R,
}

impl<F, R> RadiusField<2> for Outside<'_, F, R>
where
    F: RadiusField<2>,
    R: Fn(f64) -> f64 + Send + Sync,
{
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        let r = self.field.min_dist(p)?;
        (self.circles.clearance(p) >= (self.radius)(r)).then_some(r)
    }

    fn range(&self) -> DistRange {
        self.field.range()
    }

    /// Returns the field's own bounds: circles close places, and change no distance.
    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let local = self.field.range_in(bounds)?;
        let coverage = Coverage::Part;
        Some(LocalRange { coverage, ..local })
    }

    /// Gaps narrower than a third of the least distance need no search of their own.
    fn mask_detail(&self, _: f64) -> Option<f64> {
        Some(self.range().lo() / 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearance_is_the_distance_to_the_nearest_rim() {
        let domain = Bounds::with_origin([-10.0, 5.0], [30.0, 20.0]).expect("a good box");
        let mut circles = Circles::new(domain, 4.0).expect("a good reach");
        let list = [([0.0, 10.0], 3.0), ([19.5, 24.5], 6.0), ([-11.0, 5.0], 1.5)];
        for (center, radius) in list {
            circles.add(Circle { center, radius });
        }
        for i in 0..300 {
            for j in 0..200 {
                let p = [-9.95 + 0.1 * f64::from(i), 5.05 + 0.1 * f64::from(j)];
                let truth = list
                    .iter()
                    .map(|(c, r)| ((p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2)).sqrt() - r)
                    .fold(4.0, f64::min);
                assert!((circles.clearance(p) - truth).abs() < 1e-12, "{p:?}");
            }
        }
    }
}
