//! The layers of a step as one field.
//!
//! Layers of one turn that are alike in what counts for the engine, one distance or one map, and
//! differ at most in where they grow, are scattered as one, and each of its points goes to the layer
//! that owns the ground there: so none is thrown twice, and each gets its share to the last sliver.

use super::layer::Layer;
use super::lots::{OWNERS, SHARES, lot};
use super::steps::{Part, Step};
use crate::sample::Sample;
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};

/// One layer's field, or that of several that all ask for the same distance wherever they grow.
#[derive(Debug)]
pub(super) struct Together<'f, F> {
    layers: &'f [Layer<F>],
    /// Which of them; at least one.
    members: &'f [usize],
    /// Of the lots of ground.
    seed: u64,
}

impl Step {
    /// Its layers as one.
    pub(super) fn together<'s, F>(&'s self, layers: &'s [Layer<F>], seed: u64) -> Together<'s, F> {
        // Of points that were kept by their lots, these say no more whose they are.
        let who = match self.part {
            Part::All => SHARES,
            Part::Share(_) | Part::Rest => OWNERS,
        };
        Together::new(layers, &self.layers, self.lots(layers, seed, who))
    }
}

impl<'f, F> Together<'f, F> {
    /// Some of the layers, who share their ground by lots of this seed.
    fn new(layers: &'f [Layer<F>], members: &'f [usize], seed: u64) -> Self {
        Self {
            layers,
            members,
            seed,
        }
    }

    fn fields(&self) -> impl Iterator<Item = &'f F> {
        let layers = self.layers;
        self.members
            .iter()
            .map(move |&number| &layers[number].field)
    }

    /// The only one.
    #[inline]
    fn only(&self) -> Option<&'f F> {
        match self.members {
            &[only] => Some(&self.layers[only].field),
            _ => None,
        }
    }

    /// One that says all there is to say of where points lie how far apart: the only one, or the
    /// first that grows everywhere.
    #[inline]
    fn speaker<const D: usize>(&self) -> Option<&'f F>
    where
        F: RadiusField<D>,
    {
        let everywhere = |field: &&F| field.mask_detail().is_none();
        self.only().or_else(|| self.fields().find(everywhere))
    }

    /// Gives the points of a step to their owners.
    pub(super) fn own<const D: usize>(&self, samples: &mut [Sample<D>])
    where
        F: RadiusField<D>,
    {
        for sample in samples {
            let owner = self.owner(sample);
            sample.layer = owner.map(|owner| owner as u32);
            if let Some(owner) = owner.filter(|_| self.members.len() > 1) {
                sample.value = self.layers[owner].field.value(sample.position);
            }
        }
    }

    /// Whose a place is: of those that grow there, by their shares.
    fn owner<const D: usize>(&self, sample: &Sample<D>) -> Option<usize>
    where
        F: RadiusField<D>,
    {
        if let &[only] = self.members {
            return Some(only);
        }
        let p = sample.position;
        let grows = |number: usize| {
            let field = &self.layers[number].field;
            field.mask_detail().is_none() || field.min_dist(p).is_some()
        };
        let growing = || self.members.iter().filter(|&&number| grows(number));
        let shares: f64 = growing().map(|&number| self.layers[number].share).sum();
        let mut drawn = lot(self.seed, p, sample.min_dist) * shares;
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
        match self.speaker() {
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
        if let Some(field) = self.speaker() {
            return field.range_in(place);
        }
        let local = self.fields().filter_map(|field| field.range_in(place));
        local.reduce(|all, one| {
            let [a, b] = [all, one].map(|local| local.range);
            let either = DistRange::new(a.lo().min(b.lo()), a.hi().max(b.hi()));
            LocalRange {
                range: either.unwrap_or(a),
                // Where one grows everywhere, it does not matter where the others do.
                coverage: if one.coverage == Coverage::All {
                    Coverage::All
                } else {
                    all.coverage
                },
            }
        })
    }

    /// Of several layers it is not looked up: whoever looks for a point's owner has it from him.
    fn value(&self, p: [f64; D]) -> f64 {
        self.only().map_or(0.0, |field| field.value(p))
    }

    fn mask_detail(&self) -> Option<f64> {
        if let Some(field) = self.speaker() {
            return field.mask_detail();
        }
        let details = self.fields().filter_map(RadiusField::mask_detail);
        details.reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 1 at 0 to 2 at 1, on one side of the middle, and no more than that is said of any box.
    struct Half(f64);

    impl RadiusField<1> for Half {
        fn min_dist(&self, [x]: [f64; 1]) -> Option<f64> {
            (self.0..self.0 + 0.5).contains(&x).then_some(1.0 + x)
        }

        fn range(&self) -> DistRange {
            DistRange::new(1.0, 2.0).expect("a range")
        }

        fn range_in(&self, place: &Bounds<1>) -> Option<LocalRange> {
            let [from, to] = [place.min()[0].max(self.0), place.max()[0].min(self.0 + 0.5)];
            (from < to).then(|| LocalRange {
                range: DistRange::new(1.0 + from, 1.0 + to).expect("a range"),
                coverage: Coverage::Part,
            })
        }

        fn mask_detail(&self) -> Option<f64> {
            Some(0.5)
        }
    }

    /// What the first one that grows in a box asks for there was taken for all.
    #[test]
    fn bounds_are_of_all_that_grow_in_a_box() {
        let layers = [0.0, 0.5].map(|from| Layer::new(Half(from)));
        let together = Together::new(&layers, &[0, 1], 0);
        let ends = |from: f64, to: f64| {
            let place = Bounds::with_origin([from], [to - from]).expect("a box");
            let local = together.range_in(&place)?;
            Some([local.range.lo(), local.range.hi()])
        };
        assert_eq!(ends(0.25, 0.75), Some([1.25, 1.75]));
        assert_eq!(ends(0.0, 0.25), Some([1.0, 1.25]));
        assert_eq!(ends(0.625, 1.5), Some([1.625, 2.0]));
        assert_eq!(ends(2.0, 3.0), None);
        assert_eq!(together.min_dist([0.75]), Some(1.75));
        assert_eq!(together.mask_detail(), Some(0.5));
    }
}
