//! The layers of a step as one field.
//!
//! Layers of one turn that are alike in what counts for the engine, and differ at most in where
//! they grow, are scattered as one, and each of its points goes to the layer that owns the
//! ground there: so none is thrown twice, and each gets its share to the last sliver.

use super::layer::{Layer, mix};
use super::lots::{SHARES, lot};
use crate::sample::Sample;
use density::{Bounds, Coverage, DistRange, Extent, LocalRange, RadiusField};

/// One layer's field, or that of several that all ask for the same distance wherever they grow.
#[derive(Debug)]
pub(super) struct Together<'f, F> {
    layers: &'f [Layer<F>],
    /// Which of them; at least one.
    members: &'f [usize],
    /// Of the lots of ground.
    seed: u64,
}

impl<'f, F> Together<'f, F> {
    /// Some of the layers of a run with this seed.
    pub(super) fn new(layers: &'f [Layer<F>], members: &'f [usize], seed: u64) -> Self {
        let seed = members
            .first()
            .map_or(seed, |&first| layers[first].seed(seed, first));
        Self {
            layers,
            members,
            seed: mix(seed ^ SHARES),
        }
    }

    fn fields(&self) -> impl Iterator<Item = &'f F> {
        let layers = self.layers;
        self.members
            .iter()
            .map(move |&number| &layers[number].field)
    }

    /// The only one.
    fn only(&self) -> Option<&'f F> {
        match self.members {
            &[only] => Some(&self.layers[only].field),
            _ => None,
        }
    }

    /// Gives the points of a step to their owners.
    pub(super) fn own<const D: usize>(&self, samples: &mut [Sample<D>])
    where
        F: RadiusField<D>,
    {
        for sample in samples {
            let owner = self.owner(sample.position);
            sample.layer = owner.map(|owner| owner as u32);
            if let Some(owner) = owner.filter(|_| self.members.len() > 1) {
                sample.value = self.layers[owner].field.value(sample.position);
            }
        }
    }

    /// Whose a place is: of those that grow there, by their shares.
    fn owner<const D: usize>(&self, p: [f64; D]) -> Option<usize>
    where
        F: RadiusField<D>,
    {
        if let &[only] = self.members {
            return Some(only);
        }
        let grows = |number: &usize| self.layers[*number].field.min_dist(p);
        let r = self.members.iter().find_map(grows)?;
        let growing = || self.members.iter().filter(|number| grows(number).is_some());
        let shares: f64 = growing().map(|&number| self.layers[number].share).sum();
        let mut drawn = lot(self.seed, p, r) * shares;
        let owner = growing().find(|&&number| {
            drawn -= self.layers[number].share;
            drawn < 0.0
        });
        // The last one, if rounding left a trifle.
        owner.or_else(|| growing().next_back()).copied()
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Together<'_, F> {
    #[inline]
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        match self.only() {
            Some(field) => field.min_dist(p),
            None => self.fields().find_map(|field| field.min_dist(p)),
        }
    }

    #[inline]
    fn range(&self) -> DistRange {
        // All have the same.
        self.layers[self.members[0]].field.range()
    }

    fn range_in(&self, place: &Bounds<D>) -> Option<LocalRange> {
        if let Some(field) = self.only() {
            return field.range_in(place);
        }
        // Where any grows everywhere, it does not matter where the others do.
        let local = self.fields().filter_map(|field| field.range_in(place));
        local.reduce(|all, one| LocalRange {
            coverage: if one.coverage == Coverage::All {
                Coverage::All
            } else {
                all.coverage
            },
            extent: if one.extent == Extent::Everywhere {
                Extent::Everywhere
            } else {
                all.extent
            },
            ..all
        })
    }

    /// Of several layers it is not looked up: whoever looks for a point's owner has it from him.
    fn value(&self, p: [f64; D]) -> f64 {
        self.only().map_or(0.0, |field| field.value(p))
    }

    fn mask_detail(&self) -> Option<f64> {
        if let Some(field) = self.only() {
            return field.mask_detail();
        }
        // None is masked if one of them is not.
        let details = self.fields().map(RadiusField::mask_detail);
        details.reduce(|a, b| Some(a?.min(b?))).flatten()
    }
}
