//! Counts the evaluations of fields and regions.

use sampler::density::{Bounds, DistRange, LocalRange, RadiusField, Region, Share};
use spinney_sampler as sampler;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Numbers of evaluations so far, shared by all copies.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<Counts>);

#[derive(Default)]
struct Counts {
    places: AtomicU64,
    boxes: AtomicU64,
    values: AtomicU64,
}

impl Asked {
    /// Returns the number of distances, or of places inside or outside of a region.
    pub(crate) fn places(&self) -> u64 {
        self.0.places.load(Relaxed)
    }

    /// Returns the number of boxes whose bounds were evaluated.
    pub(crate) fn boxes(&self) -> u64 {
        self.0.boxes.load(Relaxed)
    }

    /// Returns the number of all evaluations, of values too.
    pub(crate) fn count(&self) -> u64 {
        self.places() + self.boxes() + self.0.values.load(Relaxed)
    }
}

/// A field or a region that counts its evaluations.
pub(crate) struct Counting<F> {
    pub(crate) of: F,
    pub(crate) asked: Asked,
}

impl<F> Counting<F> {
    pub(crate) fn new(of: F) -> Self {
        let asked = Asked::default();
        Self { of, asked }
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Counting<F> {
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        self.asked.0.places.fetch_add(1, Relaxed);
        self.of.min_dist(p)
    }

    fn range(&self) -> DistRange {
        self.of.range()
    }

    fn range_in(&self, bounds: &Bounds<D>) -> Option<LocalRange> {
        self.asked.0.boxes.fetch_add(1, Relaxed);
        self.of.range_in(bounds)
    }

    fn value(&self, p: [f64; D]) -> f64 {
        self.asked.0.values.fetch_add(1, Relaxed);
        self.of.value(p)
    }

    fn mask_detail(&self, finest: f64) -> Option<f64> {
        self.of.mask_detail(finest)
    }
}

impl<const D: usize, R: Region<D>> Region<D> for Counting<R> {
    fn holds(&self, p: [f64; D]) -> bool {
        self.asked.0.places.fetch_add(1, Relaxed);
        self.of.holds(p)
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        self.asked.0.boxes.fetch_add(1, Relaxed);
        self.of.share_in(bounds)
    }

    fn detail(&self) -> f64 {
        self.of.detail()
    }
}
