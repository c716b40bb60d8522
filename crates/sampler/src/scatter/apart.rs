//! The distances between points of different layers.

use super::separation::Separation;
use crate::layers_error::LayersError;
use crate::preflight::SCALE;
use crate::rule::Rule;

/// The distances between layers: N x N and symmetric.
///
/// Two layers without a [set](Self::set) distance keep the run's [`Rule`] between their points, as points
/// of one layer do. Under the default, [`Rule::Max`], a layer finds no room where an earlier one of greater
/// distances has filled the world: set a distance for such a pair, or use [`Rule::Mean`].
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Apart, Edges, Layer, LayersError, Scatter, ScatterOptions};
///
/// let count_flowers = |apart: Apart| -> Result<usize, Box<dyn std::error::Error>> {
///     let trees = Layer::new(Constant::new(8.0)?);
///     let flowers = Layer { turn: 1, ..Layer::new(Constant::new(1.0)?) };
///     let (meadow, options) = (Bounds::from_size([50.0, 50.0])?, ScatterOptions::default());
///     let all = Scatter::layered(vec![trees, flowers], apart, meadow, Edges::Open, options)?.points()?;
///     Ok(all.samples.iter().filter(|point| point.layer == Some(1)).count())
/// };
/// let mut apart = Apart::new(2);
/// assert_eq!(count_flowers(apart.clone())?, 0);
/// apart.set(0, 1, 2.0)?;
/// assert!(count_flowers(apart.clone())? > 1000);
/// assert_eq!(apart.set(1, 1, 2.0), Err(LayersError::Itself { layer: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    layers: usize,
    /// Row by row; `None`: by the rule.
    given: Vec<Option<f64>>,
}

impl Apart {
    /// The greatest number of layers in a run.
    pub const MAX_LAYERS: usize = 256;

    /// Creates the distances between `layers` layers, all by the rule.
    pub fn new(layers: usize) -> Self {
        // More layers are refused by `Scatter::layered`, and by every `set`.
        let side = layers.min(Self::MAX_LAYERS);
        Self {
            layers,
            given: vec![None; side * side],
        }
    }

    /// Sets the distance between two layers, world units; at 0 they ignore each other.
    ///
    /// # Errors
    /// When one of the layers does not exist, both are the same, or the distance is negative or
    /// no ordinary number.
    pub fn set(&mut self, a: usize, b: usize, distance: f64) -> Result<(), LayersError> {
        let layers = self.layers;
        if layers > Self::MAX_LAYERS {
            let most = Self::MAX_LAYERS;
            return Err(LayersError::Number { layers, most });
        }
        if let Some(&layer) = [a, b].iter().find(|&&layer| layer >= layers) {
            return Err(LayersError::NoSuchLayer { layer, layers });
        }
        if a == b {
            return Err(LayersError::Itself { layer: a });
        }
        let (least, most) = SCALE;
        if !(distance == 0.0 || (least..=most).contains(&distance)) {
            return Err(LayersError::Distance {
                a,
                b,
                distance,
                least,
                most,
            });
        }
        self.given[a * layers + b] = Some(distance);
        self.given[b * layers + a] = Some(distance);
        Ok(())
    }

    /// Returns the distance that was set between two layers; `None` if it is by the rule.
    pub fn get(&self, a: usize, b: usize) -> Option<f64> {
        if a.max(b) >= self.layers {
            return None;
        }
        self.given.get(a * self.layers + b).copied().flatten()
    }

    /// Returns `true` if all distances are by the rule.
    pub(super) fn is_by_rule(&self) -> bool {
        self.given.iter().all(Option::is_none)
    }

    /// Returns the greatest distance that was set; 0 if none was.
    pub(super) fn greatest(&self) -> f64 {
        self.given
            .iter()
            .flatten()
            .fold(0.0, |most, &d| most.max(d))
    }

    /// Returns the distances, each multiplied by `factor`.
    ///
    /// # Errors
    /// If a distance other than 0 is then too small or too large.
    ///
    /// ```
    /// let mut apart = spinney_sampler::Apart::new(2);
    /// apart.set(0, 1, 3.0)?;
    /// assert_eq!(apart.scaled(2.0)?.get(0, 1), Some(6.0));
    /// # Ok::<(), spinney_sampler::LayersError>(())
    /// ```
    pub fn scaled(&self, factor: f64) -> Result<Self, LayersError> {
        let mut scaled = Self::new(self.layers);
        for (a, b) in (0..self.layers).flat_map(|b| (0..b).map(move |a| (a, b))) {
            match self.get(a, b) {
                // 0 would mean that the layers ignore each other; so small a distance is refused.
                Some(distance) if distance > 0.0 => {
                    scaled.set(a, b, (factor * distance).max(f64::MIN_POSITIVE))?;
                }
                Some(none) => scaled.set(a, b, none)?,
                None => {}
            }
        }
        Ok(scaled)
    }

    /// Returns the number of layers.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// Returns the distance between points of layer `later` and those of layer `earlier`.
    pub(super) fn separation(&self, rule: Rule, earlier: usize, later: usize) -> Separation {
        self.get(earlier, later)
            .map_or(Separation::ByRule(rule), Separation::Fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LayersError as E;

    #[test]
    fn is_symmetric_and_by_the_rule_unless_set() {
        let mut apart = Apart::new(3);
        assert_eq!(apart.set(2, 0, 1.5), Ok(()));
        assert_eq!((apart.get(0, 2), apart.get(2, 0)), (Some(1.5), Some(1.5)));
        assert_eq!(apart.separation(Rule::Mean, 0, 1).distance(2.0, 4.0), 3.0);
        assert_eq!(apart.separation(Rule::Mean, 0, 2).distance(2.0, 4.0), 1.5);
        assert_eq!(apart.get(7, 0), None);
    }

    #[test]
    fn scales_what_was_set() {
        let mut apart = Apart::new(3);
        assert_eq!(apart.set(0, 2, 1.5).and(apart.set(1, 2, 0.0)), Ok(()));
        let scaled = apart.scaled(2.0).expect("a good factor");
        let pairs = [(0, 2), (2, 1), (0, 1)].map(|(a, b)| scaled.get(a, b));
        assert_eq!(pairs, [Some(3.0), Some(0.0), None]);
        for bad in [0.0, -1.0, 1e-320, f64::NAN, f64::INFINITY] {
            assert!(
                matches!(apart.scaled(bad), Err(E::Distance { .. })),
                "{bad}"
            );
        }
    }

    #[test]
    fn refuses_what_makes_no_sense() {
        let mut apart = Apart::new(2);
        assert_eq!(
            apart.set(0, 2, 1.0),
            Err(E::NoSuchLayer {
                layer: 2,
                layers: 2
            })
        );
        assert_eq!(apart.set(1, 1, 1.0), Err(E::Itself { layer: 1 }));
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e-200] {
            assert!(matches!(apart.set(0, 1, bad), Err(E::Distance { .. })));
        }
        assert!(matches!(
            Apart::new(usize::MAX).set(0, 1, 1.0),
            Err(E::Number { .. })
        ));
        assert_eq!(Apart::new(usize::MAX).get(0, 1), None);
    }
}
