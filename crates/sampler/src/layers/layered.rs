//! Layers over one world.

use super::apart::{Apart, Keep};
use super::deciding::Decided;
use super::error::LayersError;
use super::layer::{Layer, MAX_LAYERS};
use super::steps::{Step, order, steps};
use super::stretch::{Asking, stretches};
use super::surroundings::{Known, WIDEN, surroundings};
use super::together::Together;
use crate::error::SampleError;
use crate::options::PointLimit;
use crate::preflight::Estimate;
use crate::sample::Sample;
use crate::scatter::{Progress, Scatter, ScatterOptions, Scattered, asked};
use density::{Bounds, RadiusField};
use std::ops::ControlFlow;

/// Points of several layers (species), each with a field of its own, that keep a distance from
/// each other as well.
///
/// # Guarantees
/// 1. The points of a layer keep from each other what the rule says, and points of two layers
///    what [`Apart`] says; the earlier point is the one with the smaller id.
/// 2. When a [`turn`](Layer::turn) has been decided, no place is left where one more point of any
///    of its layers could go. Layers of a smaller turn know nothing of it.
/// 3. The points are a function of the fields, seeds, turns, distances and options. A window's
///    points are those of the whole, bit for bit. Where earlier layers change by much (in what they
///    ask for at least or most), a later one is looked for in tiles of another size: then all of its
///    points are others.
/// 4. A layer that minds no other one has the points that [`Scatter`] gives of its field and
///    its seed; so has a single layer. Only their ids differ, when there are several layers.
///
/// # Sharing a turn
/// Layers of one turn share the ground, in patches about as wide as the largest distance there,
/// each by its [`share`](Layer::share). Layers that ask for the same distance wherever both grow (one
/// distance, or one [pattern](RadiusField::pattern) with the same ends), keep the rule from each other
/// and the same as each other from all others are scattered as one, and whose ground a point lies on,
/// he gets it. Of others those of greater distances come first: of the points that such a layer could
/// have, it gets those on its ground, or, where its rivals are half as large, as many that are found sooner
/// on somewhat more of it; the last layer gets whatever is left, and those before fill up
/// what no rival took, unless they ask for more all over. So layers of equal distances get as many
/// points as their shares say; of others, the small ones also fill the edges of the patches. Where
/// layers come one after the other, or each is alone, there is nothing to share; nor where
/// there is room for all of a turn: distances were [set](Apart::set) between any two of them, to half
/// of what either asks for or less, and for each the squares of the others' over what these ask for come
/// to 1/2 at most. Then they come one after the other, those of equal distances by their shares: of
/// three half as far apart as each asks for the first gets 105, the last 95 points of 100.
///
/// # Ids
/// No id occurs in two layers. The number of the step that decided a point (layers scattered as
/// one have it in common, a layer that shares its turn otherwise has two) stands in the highest bits,
/// as many as number the steps; below, without as many of its lowest bits, what [`Scatter`] calls
/// the point. So a smaller id is an earlier
/// point, whatever the layers.
///
/// # Ranks
/// Each layer has its own. Of a layer that shares its turn the points of each rank keep their
/// greater distances, but more of them might be added: what fills up has the last rank.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Apart, Layer, Layered, ScatterOptions};
///
/// let oaks = Layer::new(Constant::new(8.0)?);
/// let flowers = Layer { turn: 1, ..Layer::new(Constant::new(1.0)?) };
/// let mut apart = Apart::new(2);
/// apart.set(0, 1, 3.0)?;
///
/// let meadow = Bounds::from_size([100.0, 100.0])?;
/// let wood = Layered::new(vec![oaks, flowers], apart, meadow, ScatterOptions::default())?;
/// let points = wood.points().samples;
/// let oaks = points.iter().filter(|s| s.layer == Some(0)).count();
/// assert!(oaks > 90 && points.len() > 40 * oaks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// About what [`Scatter`] takes for the places that earlier layers leave open, and for layers that
/// are scattered as one what it takes for one; of other layers that share a turn as if each had
/// all that its rivals get after it. All points are held. A window needs the points of
/// earlier steps around it: for each step that minds earlier ones, about ten of its layer's
/// greatest distances on each side (in space 17).
#[derive(Debug)]
pub struct Layered<const D: usize, F> {
    layers: Vec<Layer<F>>,
    apart: Apart,
    /// Numbers of layers in the order of deciding.
    order: Vec<usize>,
    steps: Vec<Step>,
    /// How many times as long as usual the tiles of each step are.
    pub(super) stretches: Vec<f64>,
    domain: Option<Bounds<D>>,
    options: ScatterOptions,
    /// Points expected of each layer of a bounded domain.
    expected: Vec<f64>,
}

impl<const D: usize, F: RadiusField<D>> Layered<D, F> {
    /// Layers over a bounded domain.
    ///
    /// # Errors
    /// When there is no layer or there are more than [`MAX_LAYERS`], a share is not positive,
    /// or the table is for another number of layers; else as [`Scatter::new`], the number of
    /// points being that of all layers.
    pub fn new(
        layers: Vec<Layer<F>>,
        apart: Apart,
        domain: Bounds<D>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let mut layered = Self::checked(layers, apart, Some(domain), options)?;
        for number in 0..layered.layers.len() {
            // What can be refused of a layer by itself: its number of points is not among that.
            let alone = ScatterOptions {
                limit: PointLimit::Refuse(u64::MAX),
                max_bytes: None,
                ..options
            };
            Scatter::new(&layered.layers[number].field, domain, alone)?;
        }
        // Of smaller tiles there are more blocks.
        for (step, &stretch) in layered.steps.iter().zip(&layered.stretches) {
            Scatter::amid(layered.field(step), Some(domain), options, None, stretch)?;
        }
        layered.expected = layered.expected_in(&domain);
        layered.check_expected(&layered.expected)?;
        if let Some(estimate) = layered.estimate()
            && let Some(limit) = options.max_bytes
            && estimate.bytes > limit as f64
        {
            return Err(SampleError::TooMuchMemory {
                expected: estimate.points,
                megabytes: estimate.bytes / 1e6,
                limit_megabytes: limit as f64 / 1e6,
            });
        }
        Ok(layered)
    }

    /// Layers over an endless world, of which windows can be asked for.
    ///
    /// # Errors
    /// As [`Layered::new`], as far as it can be known without a domain.
    pub fn endless(
        layers: Vec<Layer<F>>,
        apart: Apart,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let layered = Self::checked(layers, apart, None, options)?;
        for layer in &layered.layers {
            Scatter::endless(&layer.field, options)?;
        }
        Ok(layered)
    }

    fn checked(
        layers: Vec<Layer<F>>,
        apart: Apart,
        domain: Option<Bounds<D>>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        let (count, most) = (layers.len(), MAX_LAYERS);
        if !(1..=most).contains(&count) {
            let layers = count;
            return Err(LayersError::Number { layers, most }.into());
        }
        if apart.layers() != count {
            let (table, layers) = (apart.layers(), count);
            return Err(LayersError::Table { table, layers }.into());
        }
        for (layer, Layer { share, .. }) in layers.iter().enumerate() {
            if !(share.is_finite() && *share > 0.0) {
                let share = *share;
                return Err(LayersError::Share { layer, share }.into());
            }
        }
        let order = order(&layers, &apart);
        let steps = steps::<D, F>(&layers, &order, &apart, options.rule);
        let asking = |step: &Step| Asking {
            range: layers[step.first()].field.range(),
            share: step.share(&layers),
        };
        let asking: Vec<Asking> = steps.iter().map(asking).collect();
        let keeps =
            |earlier: usize, later: usize| steps[later].keep(&apart, options.rule, &steps[earlier]);
        Ok(Self {
            stretches: stretches::<D>(&asking, &keeps),
            steps,
            layers,
            apart,
            order,
            domain,
            options,
            expected: Vec::new(),
        })
    }

    /// The layers, as given.
    pub fn layers(&self) -> &[Layer<F>] {
        &self.layers
    }

    /// The distances between layers.
    pub fn apart(&self) -> &Apart {
        &self.apart
    }

    /// The options.
    pub fn options(&self) -> &ScatterOptions {
        &self.options
    }

    /// The domain, `None` of an endless world.
    pub fn domain(&self) -> Option<Bounds<D>> {
        self.domain
    }

    /// The numbers of the layers in the order in which they are decided: by their turns and, of
    /// one turn, those of the greatest distance first, then (where there is room for all of a turn)
    /// those of the greatest share, then by their numbers; layers that are
    /// [scattered as one](Self#sharing-a-turn) are with the first of them. Of the others that
    /// share a turn, all but the last are decided once more after it, in the same order, unless
    /// no room can be left for them.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What is expected of all layers on a bounded domain. How far earlier layers crowd out
    /// later ones is but roughly reckoned with, and not at all from the twelfth on.
    pub fn estimate(&self) -> Option<Estimate> {
        self.domain?;
        let points: f64 = self.expected.iter().sum();
        let kept = match self.options.limit {
            // Which they are is known only when all have been decided.
            PointLimit::Cap(_) => points * (size_of::<Sample<D>>() as f64 + 24.0),
            PointLimit::Refuse(_) => 0.0,
        };
        // And each as a guest of later ones, twice while they are put in their places.
        let guest = size_of::<[f64; D]>() as f64 + 16.0;
        let each = size_of::<Sample<D>>() as f64 + 2.0 * guest;
        Some(Estimate {
            points,
            bytes: points * each + kept + 3e7,
        })
    }

    /// Points expected of each layer on a bounded domain, in the order of their numbers.
    pub fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// All points of a bounded domain; none of an endless world, where nothing says which.
    pub fn points(&self) -> Scattered<D> {
        let all = self.points_with(|_| ControlFlow::Continue(()));
        // Nothing breaks it off.
        all.unwrap_or_default()
    }

    /// As [`points`](Self::points), telling `progress` now and then how far it has come, and
    /// `None` when that breaks it off.
    pub fn points_with(
        &self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<Scattered<D>> {
        if self.domain.is_none() {
            return Some(Scattered::default());
        }
        let all = vec![
            Known {
                points: None,
                field: None,
            };
            self.steps.len()
        ];
        match self.decided(&all, None, &mut progress) {
            Ok(Decided::Points(found)) => Some(found),
            // Errors were met by the constructor, and nothing is unknown.
            Ok(Decided::Unknown) | Err(_) => Some(Scattered::default()),
            Ok(Decided::BrokenOff) => None,
        }
    }

    /// The points that lie in `window` (half-open): those of the whole that lie there.
    ///
    /// The unresolved cells are those of the window and of as much of its surroundings as was
    /// worked on. A [`PointLimit::Cap`] is one of the window's points.
    ///
    /// # Errors
    /// When the window lies too far from the origin for a layer's distances, or more points are
    /// expected in it than the options allow.
    pub fn points_in(&self, window: &Bounds<D>) -> Result<Scattered<D>, SampleError> {
        self.check_window(window)?;
        let fields: Vec<Together<'_, F>> = self.steps.iter().map(|s| self.field(s)).collect();
        let mut reach = asked(D);
        loop {
            let known = surroundings(
                &fields,
                &|earlier, later| self.keep(earlier, later),
                window,
                self.domain.as_ref(),
                reach,
            );
            let go_on = &mut |_| ControlFlow::Continue(());
            match self.decided(&known, Some(window), go_on)? {
                Decided::Points(found) => return Ok(found),
                Decided::BrokenOff => return Ok(Scattered::default()),
                Decided::Unknown => reach *= WIDEN,
            }
        }
    }

    /// The field of a step.
    pub(super) fn field<'s>(&'s self, step: &'s Step) -> Together<'s, F> {
        step.together(&self.layers, self.options.seed)
    }

    /// The steps of deciding.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What the points of a later step keep from those of an earlier.
    pub(super) fn keep(&self, earlier: usize, later: usize) -> Keep {
        self.steps[later].keep(&self.apart, self.options.rule, &self.steps[earlier])
    }

    fn check_expected(&self, points: &[f64]) -> Result<(), SampleError> {
        let expected: f64 = points.iter().sum();
        match self.options.limit {
            PointLimit::Refuse(ceiling) if expected > ceiling as f64 => {
                Err(SampleError::TooManyPoints { expected, ceiling })
            }
            PointLimit::Cap(cap) if expected > MOST_TO_CAP => Err(SampleError::TooManyToCap {
                expected,
                cap,
                most: MOST_TO_CAP,
            }),
            _ => Ok(()),
        }
    }

    /// Checks a window of an endless world; cheap for one that is small beside the limit.
    fn check_window(&self, window: &Bounds<D>) -> Result<(), SampleError> {
        if self.domain.is_some() {
            return Ok(());
        }
        let most = match self.options.limit {
            PointLimit::Refuse(most) => most as f64,
            PointLimit::Cap(_) => MOST_TO_CAP,
        };
        let room = |layer: &Layer<F>| {
            let lo = layer.field.range_in(window)?.range.lo();
            Some(window.size().map(|s| s / lo + 1.0).iter().product::<f64>())
        };
        let room: f64 = self.layers.iter().filter_map(room).sum();
        if room < most {
            return Ok(());
        }
        self.check_expected(&self.expected_in(window))
    }
}

/// The most points that are ever decided to keep the first of them.
const MOST_TO_CAP: f64 = 1e10;
