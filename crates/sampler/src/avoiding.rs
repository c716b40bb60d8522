//! A field that is closed where points would be too near to obstacles.

use crate::boxes::{home, square};
use crate::obstacles::{AvoidError, Obstacle, Obstacles, check, check_tile};
use crate::rule::Rule;
use crate::steps::for_each;
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};

/// A field that is closed where a point would conflict with an obstacle.
///
/// A place with `min_dist` `r` is closed if an obstacle with `min_dist` `q` lies nearer to it than
/// [`Rule::distance`]`(q, r)`: obstacles count as the earlier points. So points sampled by the same
/// rule keep their distance from obstacles as from each other, to the last bit. This holds for
/// [`Bridson`](crate::Bridson) and [`Scatter`](crate::Scatter), in a box and in an endless world. A
/// maximal set leaves no gap between its points and the obstacles.
///
/// Obstacles may lie at any distance from each other, and outside of the sampled domain.
///
/// # Cost
/// 60 to 100 bytes an obstacle. O(log n) for a query, however much their distances differ.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Avoiding, Obstacle, Rule, Scatter, ScatterOptions};
///
/// let house = Obstacle { position: [30.0, 20.0], min_dist: 12.0 };
/// let field = Avoiding::new(Constant::new(2.0)?, Rule::Max, vec![house])?;
/// let domain = Bounds::from_size([60.0, 40.0])?;
/// let trees = Scatter::new(field, domain, ScatterOptions::default())?.points()?;
/// assert!(trees.samples.iter().all(|tree| {
///     let [x, y] = tree.position;
///     (x - 30.0) * (x - 30.0) + (y - 20.0) * (y - 20.0) >= 144.0
/// }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Avoiding<const D: usize, F> {
    field: F,
    rule: Rule,
    obstacles: Obstacles<D>,
}

impl<const D: usize, F: RadiusField<D>> Avoiding<D, F> {
    /// Returns `field`, closed where points would conflict with `obstacles`. `rule` should be that
    /// of the run. O(n log n).
    ///
    /// # Errors
    /// Under [`Rule::Parent`]; if a coordinate or a distance is not finite or beyond 1e150, or a
    /// distance is not positive.
    pub fn new(field: F, rule: Rule, obstacles: Vec<Obstacle<D>>) -> Result<Self, AvoidError> {
        check(rule, &obstacles)?;
        Ok(Self {
            field,
            rule,
            obstacles: Obstacles::new(obstacles),
        })
    }

    /// Returns the field for a periodic `domain`, as in [`Scatter::tiled`](crate::Scatter::tiled):
    /// obstacles are avoided across its edges too.
    ///
    /// # Errors
    /// The errors of [`Avoiding::new`]; also if an obstacle reaches farther than half the tile's
    /// shortest side.
    pub fn tiled(
        field: F,
        rule: Rule,
        obstacles: Vec<Obstacle<D>>,
        domain: &Bounds<D>,
    ) -> Result<Self, AvoidError> {
        check(rule, &obstacles)?;
        let greatest = obstacles
            .iter()
            .fold(0.0, |most: f64, q| most.max(q.min_dist));
        let reach = rule.distance(greatest, field.range().hi());
        if !obstacles.is_empty() {
            check_tile(domain, reach)?;
        }
        let mut all = Vec::new();
        for obstacle in obstacles {
            copies(obstacle, domain, reach, &mut all);
        }
        check(rule, &all)?;
        Ok(Self {
            field,
            rule,
            obstacles: Obstacles::new(all),
        })
    }

    /// Returns the field without obstacles.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Returns the rule by which places are closed.
    pub fn rule(&self) -> Rule {
        self.rule
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Avoiding<D, F> {
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        let r = self.field.min_dist(p)?;
        (!self.obstacles.conflict(p, r, self.rule)).then_some(r)
    }

    #[inline]
    fn range(&self) -> DistRange {
        self.field.range()
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        let local = self.field.range_in(bounds)?;
        if !self.obstacles.reach(bounds, local.range.hi(), self.rule) {
            return Some(local);
        }
        // A place closed for the least distance is closed for larger ones: under no rule do they
        // reduce the distance to keep.
        if self.obstacles.cover(bounds, local.range.lo(), self.rule) {
            return None;
        }
        Some(LocalRange {
            coverage: Coverage::Part,
            ..local
        })
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.field.value(p)
    }

    fn mask_detail(&self, finest: f64) -> Option<f64> {
        let own = self.field.mask_detail(finest);
        Some(own.map_or(finest, |d| d.min(finest)))
    }
}

/// Adds the periodic copies of an obstacle that lie within `reach` of the tile.
fn copies<const D: usize>(
    obstacle: Obstacle<D>,
    domain: &Bounds<D>,
    reach: f64,
    all: &mut Vec<Obstacle<D>>,
) {
    let (min, max, size) = (domain.min(), domain.max(), domain.size());
    let home = home(domain, obstacle.position);
    for_each([-1_i64; D], [1; D], |turns| {
        let position = std::array::from_fn(|a| home[a] + turns[a] as f64 * size[a]);
        let far = |a: usize| (min[a] - position[a]).max(position[a] - max[a]).max(0.0);
        let square = square::<D>(far);
        // Slightly more, for rounding.
        if square.sqrt() <= reach * (1.0 + 1e-9) {
            all.push(Obstacle {
                position,
                ..obstacle
            });
        }
    });
}
