//! A layer: one species with its field.

use super::hash::{GAMMA, mix};
use density::{FieldError, RadiusField, Region, Scaled, Within};
use std::sync::Arc;

/// One layer (species): where and how densely it grows, and how it competes with others.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant, DynField};
/// use sampler::{Apart, Edges, Layer, Scatter, ScatterOptions};
/// use std::sync::Arc;
///
/// // Three parts oaks and one part birches, in patches of one wood.
/// let trees: DynField<2> = Arc::new(Constant::new(2.0)?);
/// let oaks = Layer { share: 3.0, ..Layer::of(Arc::clone(&trees)) };
/// let birches = Layer::of(trees);
/// let domain = Bounds::from_size([200.0, 200.0])?;
/// let options = ScatterOptions::default();
/// let wood = Scatter::layered(vec![oaks, birches], Apart::new(2), domain, Edges::Open, options)?;
/// let points = wood.points()?.samples;
/// let count = points.iter().filter(|tree| tree.layer == Some(0)).count();
/// assert!((0.7..0.8).contains(&(count as f64 / points.len() as f64)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Layer<'f, const D: usize> {
    /// The minimum distance between the layer's own points at each place. Layers of one turn that hold the
    /// *same* field (clones of one [`Arc`]) are sampled together.
    pub field: Arc<dyn RadiusField<D> + 'f>,
    /// The region where it may grow, as far as the field allows it. Default: everywhere.
    pub region: Option<Arc<dyn Region<D> + 'f>>,
    /// Its share of the area beside other layers of the same turn, except those at distance 0: the share
    /// over the sum of theirs, at each place among the layers that may grow there. Above 0. Default 1.
    pub share: f64,
    /// Layers of a smaller turn are all decided before: trees before flowers. Default 0.
    pub turn: u32,
    /// The seed of its points. Default: a hash of the run's seed and the layer's number; for layer 0 the
    /// run's seed itself.
    pub seed: Option<u64>,
}

impl<const D: usize> std::fmt::Debug for Layer<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layer")
            .field("range", &self.field.range())
            .field("share", &self.share)
            .field("turn", &self.turn)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl<'f, const D: usize> Layer<'f, D> {
    /// Creates a layer that competes on equal terms with others.
    pub fn new(field: impl RadiusField<D> + 'f) -> Self {
        Self::of(Arc::new(field))
    }

    /// Creates a layer of a field that other layers may share.
    pub fn of(field: Arc<dyn RadiusField<D> + 'f>) -> Self {
        Self {
            field,
            region: None,
            share: 1.0,
            turn: 0,
            seed: None,
        }
    }

    /// Returns layers with all distances multiplied by `factor`. Layers that share a field still share one.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// use sampler::Layer;
    /// use sampler::density::Constant;
    ///
    /// let oaks = [Layer::<2>::new(Constant::new(8.0)?)];
    /// assert_eq!(Layer::scaled(&oaks, 1.5)?[0].field.range().lo(), 12.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Unless `factor` and its product with every distance are positive and finite.
    pub fn scaled(layers: &[Self], factor: f64) -> Result<Vec<Self>, FieldError> {
        if factor == 1.0 {
            return Ok(layers.to_vec());
        }
        Self::with_fields(layers, |field| {
            let field: Arc<dyn RadiusField<D> + 'f> = Arc::new(Scaled::new(field, factor)?);
            Ok(field)
        })
    }

    /// Returns layers with each field replaced by the result of `make`. Layers that share a field still share one.
    ///
    /// ```
    /// # use spinney_sampler as sampler;
    /// use sampler::Layer;
    /// use sampler::density::Constant;
    /// use std::sync::Arc;
    ///
    /// let oaks = Layer::<2>::new(Constant::new(8.0)?);
    /// let wood = [oaks.clone(), oaks];
    /// let wood = Layer::with_fields(&wood, |field| Ok::<_, ()>(Arc::new(field))).expect("no error");
    /// assert!(Arc::ptr_eq(&wood[0].field, &wood[1].field));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first error of `make`.
    pub fn with_fields<E>(
        layers: &[Self],
        mut make: impl FnMut(Arc<dyn RadiusField<D> + 'f>) -> Result<Arc<dyn RadiusField<D> + 'f>, E>,
    ) -> Result<Vec<Self>, E> {
        let mut made: Vec<Self> = Vec::with_capacity(layers.len());
        for layer in layers {
            let same = |other: &Self| Arc::ptr_eq(&other.field, &layer.field);
            let field = match layers[..made.len()].iter().position(same) {
                Some(first) => Arc::clone(&made[first].field),
                None => make(Arc::clone(&layer.field))?,
            };
            made.push(Self {
                field,
                ..layer.clone()
            });
        }
        Ok(made)
    }

    /// Returns the field, restricted to the layer's region.
    pub(super) fn grown(&self) -> Arc<dyn RadiusField<D> + 'f> {
        match &self.region {
            None => Arc::clone(&self.field),
            Some(region) => Arc::new(Within::new(Arc::clone(&self.field), Arc::clone(region))),
        }
    }

    /// Returns the seed of layer `number` in a run.
    pub(super) fn seed(&self, run: u64, number: usize) -> u64 {
        match (self.seed, number) {
            (Some(seed), _) => seed,
            (None, 0) => run,
            (None, _) => mix(mix(run) ^ (number as u64).wrapping_mul(GAMMA)),
        }
    }
}
