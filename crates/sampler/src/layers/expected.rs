//! How many points to expect of each layer.

use super::apart::Keep;
use super::layered::Layered;
use super::roomy::is_near;
use super::steps::{Part, Step};
use crate::scatter::packing;
use crate::{integral, preflight};
use density::{Bounds, Coverage, DistRange, LocalRange, RadiusField};

/// Of so many layers, how they crowd each other out is reckoned with; of more, which would
/// take long, each counts as if it were alone.
const MOST: usize = 12;

/// A layer that is left less than this share of a place is taken to be left nothing.
const LEAST_LEFT: f64 = 1e-3;

impl<const D: usize, F: RadiusField<D>> Layered<D, F> {
    /// Points expected of each layer in a box.
    pub(super) fn expected_in(&self, place: &Bounds<D>) -> Vec<f64> {
        let first: Vec<&Step> = self.order().iter().filter_map(|&n| self.first(n)).collect();
        let layers = first
            .iter()
            .zip(self.order())
            .map(|(step, &number)| Expected {
                field: &self.layers()[number].field,
                share: self.layers()[number].share,
                rivals: self.rivals(step, number),
            });
        let layers: Vec<Expected<'_, F>> = layers.collect();
        let keeps = |earlier: usize, later: usize| {
            let kept = first[later].keep(self.apart(), self.options().rule, first[earlier]);
            let both = [earlier, later].map(|place| self.order()[place]);
            // Who has to keep so little finds nearly all of its points somewhere else.
            match kept {
                Keep::Fixed(kept) if is_near(self.layers(), both, kept) => Keep::Fixed(0.0),
                kept => kept,
            }
        };
        let mut points = vec![0.0; layers.len()];
        for (last, &number) in self.order().iter().enumerate() {
            points[number] = expected(&layers, last, &keeps, place);
        }
        points
    }

    /// The first step of a layer.
    fn first(&self, number: usize) -> Option<&Step> {
        self.steps()
            .iter()
            .find(|step| step.layers.contains(&number))
    }

    /// The places in the order of the later layers that one shares its ground with.
    fn rivals(&self, step: &Step, number: usize) -> Vec<usize> {
        let place = |rival: &usize| self.order().iter().position(|number| number == rival);
        let rivals = match &step.part {
            Part::Share(rivals) => &rivals[..],
            Part::All | Part::Rest => &[],
        };
        let together = step.layers.iter().skip_while(|&&other| other != number);
        let rivals = together.skip(1).chain(rivals);
        rivals.filter_map(place).collect()
    }
}

/// A layer of which points are expected.
pub(super) struct Expected<'f, F> {
    pub(super) field: &'f F,
    pub(super) share: f64,
    /// The places of the later layers that it shares its ground with.
    pub(super) rivals: Vec<usize>,
}

/// Points expected of the layer in a place of `layers`, which are in the order of deciding;
/// `keeps` is what the layer in the second place keeps from that in the first.
pub(super) fn expected<const D: usize, F: RadiusField<D>>(
    layers: &[Expected<'_, F>],
    last: usize,
    keeps: &(dyn Fn(usize, usize) -> Keep + Sync),
    domain: &Bounds<D>,
) -> f64 {
    let minds = |earlier: usize| keeps(earlier, last) != Keep::Fixed(0.0);
    let crowded = (0..last).any(minds) || !layers[last].rivals.is_empty();
    let points = if last >= MOST || !crowded {
        preflight::expected(layers[last].field, domain, packing(D))
    } else {
        let crowded = Crowded {
            layers,
            last,
            keeps,
        };
        if layers
            .iter()
            .all(|layer| integral::is_constant(layer.field))
        {
            // What is the same everywhere needs no integral.
            let r = crowded.min_dist(domain.center());
            let of_each = |r: f64| domain.size().iter().map(|s| s / r).product::<f64>();
            r.map_or(0.0, |r| packing(D) * of_each(r))
        } else {
            preflight::expected(&crowded, domain, packing(D))
        }
    };
    points.max(0.0)
}

/// What a layer gets at a place.
#[derive(Clone, Copy)]
struct Gets {
    /// Its distance.
    r: f64,
    /// The share of the place that earlier ones leave.
    left: f64,
    /// Its share of that beside its rivals.
    share: f64,
}

/// A layer's field as if its distances were so much larger as it is crowded out by the others.
struct Crowded<'f, F> {
    layers: &'f [Expected<'f, F>],
    last: usize,
    keeps: &'f (dyn Fn(usize, usize) -> Keep + Sync),
}

impl<F> Crowded<'_, F> {
    /// The layer's distance at a place, and the share of the place that it gets.
    fn at<const D: usize>(&self, p: [f64; D]) -> Option<(f64, f64)>
    where
        F: RadiusField<D>,
    {
        self.layers[self.last].field.min_dist(p)?;
        // On the stack: it is asked a hundred thousand times, whatever the number of points.
        let mut dists = [None; MOST];
        for (dist, layer) in dists.iter_mut().zip(self.layers) {
            *dist = layer.field.min_dist(p);
        }
        let mut gets: [Option<Gets>; MOST] = [None; MOST];
        for (place, layer) in self.layers[..=self.last].iter().enumerate() {
            let gotten = dists[place].map(|own| {
                let before = gets[..place].iter().enumerate();
                let covered = before.filter_map(|(earlier, got)| {
                    let Gets { r, left, share } = (*got)?;
                    let keep = (self.keeps)(earlier, place).distance(r, own);
                    Some(left * thinly_covered(share, keep / r, D))
                });
                let left = covered.fold(1.0, |left, share| left * (1.0 - share));
                let grows = |&&rival: &&usize| self.layers[rival].field.min_dist(p).is_some();
                let growing = layer.rivals.iter().filter(grows);
                let rivals: f64 = growing.map(|&rival| self.layers[rival].share).sum();
                Gets {
                    r: own,
                    left,
                    share: layer.share / (layer.share + rivals),
                }
            });
            gets[place] = gotten;
        }
        let own = gets[self.last]?;
        Some((own.r, own.left * own.share))
    }
}

/// Of a share, by Newton's steps from 1: near enough for an estimate down to [`LEAST_LEFT`].
fn cube_root(share: f64) -> f64 {
    (0..12).fold(1.0, |root, _| (2.0 * root + share / (root * root)) / 3.0)
}

/// The area (volume) of balls of radius `t` around the points of a maximal set, overlaps and all.
fn balls(t: f64, dimensions: usize) -> f64 {
    let unit = if dimensions == 3 {
        4.0 / 3.0 * std::f64::consts::PI * t
    } else {
        std::f64::consts::PI
    };
    packing(dimensions) * unit * t * t
}

/// The share of the plane (space) within `t` distances of the points of a maximal set: exact up
/// to 1/2, where disks begin to meet, and about right from there to 1, where nothing is left.
fn covered(t: f64, dimensions: usize) -> f64 {
    if t <= 0.5 {
        balls(t, dimensions)
    } else if t < 1.0 {
        let rest = 2.0 * (1.0 - t);
        1.0 - (1.0 - balls(0.5, dimensions)) * rest * rest
    } else {
        1.0
    }
}

/// As [`covered`], of a share of the points: the fewer they are, the less they overlap.
pub(super) fn thinly_covered(share: f64, t: f64, dimensions: usize) -> f64 {
    let (all, apart) = (covered(t, dimensions), balls(t, dimensions));
    if all > 0.0 {
        share * apart / (1.0 + share * (apart / all - 1.0))
    } else {
        0.0
    }
}

impl<const D: usize, F: RadiusField<D>> RadiusField<D> for Crowded<'_, F> {
    fn min_dist(&self, p: [f64; D]) -> Option<f64> {
        let (own, left) = self.at(p)?;
        let root = if D == 3 { cube_root(left) } else { left.sqrt() };
        (left >= LEAST_LEFT).then(|| self.range().clamp(own / root))
    }

    fn range(&self) -> DistRange {
        widened(self.layers[self.last].field.range())
    }

    fn range_in(&self, place: &Bounds<D>) -> Option<LocalRange> {
        let local = self.layers[self.last].field.range_in(place)?;
        Some(LocalRange {
            range: widened(local.range),
            coverage: Coverage::Part,
        })
    }

    fn mask_detail(&self) -> Option<f64> {
        Some(self.range().lo())
    }
}

/// As far as being crowded out may stretch distances.
fn widened(range: DistRange) -> DistRange {
    DistRange::new(range.lo(), range.hi() * LEAST_LEFT.recip()).unwrap_or(range)
}
