//! Bridson's algorithm ("Fast Poisson Disk Sampling in Arbitrary Dimensions", 2007) for
//! distances that vary from place to place.

use crate::annulus::{Annulus, LANES};
use crate::error::SampleError;
use crate::index::NeighbourIndex;
use crate::islands::Islands;
use crate::level_grid::LevelGrid;
use crate::list_grid::ListGrid;
use crate::options::BridsonOptions;
use crate::preflight::{self, Estimate};
use crate::rng::Draws;
use crate::rule::Rule;
use crate::sample::Sample;
use crate::surround::Surround;
use density::{Bounds, RadiusField};

/// The most points of one run: they are numbered by 32 bits.
const MOST_POINTS: u64 = u32::MAX as u64 - 1;

/// A lazy stream of points that keep the field's distance: take as many as are wanted.
///
/// From a random active point of radius r, up to `tries` candidates are drawn uniformly by
/// area from the shell [r, 2r) around it. The first one that keeps the rule's distance to
/// every earlier point is accepted and becomes active; a point whose candidates all fail is
/// retired. When none is active, the next island of a mask is started.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`] of their `min_dist`s, to the last bit:
///    `|p - q|^2 >= distance^2` as computed in `f64`.
/// 2. Points lie in the domain (half-open) and only where the field has a distance.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION),
///    field, domain, options), and so is their order.
/// 4. It ends: after `limit` points at the latest.
///
/// The set is *not* maximal: about 0.1 % of the area of a uniform domain could still take a
/// point (c = 0.615 in 2D with 30 tries, where a maximal set has 0.697).
///
/// # Cost
/// O(`tries`) index queries a point, nearly independent of how widely the distances vary;
/// about 100 bytes a point in 2D.
#[derive(Clone, Debug)]
pub struct Bridson<const D: usize, F, I = LevelGrid<D>> {
    field: F,
    domain: Bounds<D>,
    options: BridsonOptions,
    estimate: Estimate,
    index: I,
    points: Vec<Disk<D>>,
    active: Vec<u32>,
    islands: Islands<D>,
    annulus: Annulus<D>,
    surround: Surround<D>,
    rng: Draws,
    state: State,
}

#[derive(Clone, Copy, Debug)]
struct Disk<const D: usize> {
    p: [f64; D],
    r: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Saturated,
    Capped,
}

impl<const D: usize, F: RadiusField<D>> Bridson<D, F> {
    /// A run over `domain`, on the fast index.
    ///
    /// # Errors
    /// When `tries` is 0, when more points or memory are expected than the options allow or
    /// than there is, or when the distances are too small or too different for the domain.
    pub fn new(field: F, domain: Bounds<D>, options: BridsonOptions) -> Result<Self, SampleError> {
        Self::with_index(field, domain, options)
    }
}

impl<const D: usize, F: RadiusField<D>> Bridson<D, F, ListGrid<D>> {
    /// The same run on the plain list-per-cell grid: the same points, and a cost that grows
    /// as the square (in 3D the cube) of the ratio of distances. The reference for tests.
    ///
    /// # Errors
    /// As [`Bridson::new`].
    pub fn with_lists(
        field: F,
        domain: Bounds<D>,
        options: BridsonOptions,
    ) -> Result<Self, SampleError> {
        Self::with_index(field, domain, options)
    }
}

impl<const D: usize, F: RadiusField<D>, I: NeighbourIndex<D>> Bridson<D, F, I> {
    fn with_index(
        field: F,
        domain: Bounds<D>,
        options: BridsonOptions,
    ) -> Result<Self, SampleError> {
        if options.tries == 0 {
            return Err(SampleError::NoTries);
        }
        let estimate = preflight::check(&field, &domain, &options.needs())?;
        Ok(Self {
            index: I::new(&domain, field.range()).ok_or(SampleError::OutOfMemory {
                megabytes: estimate.bytes / 1e6,
            })?,
            islands: Islands::new(&field, domain, options.tries),
            rng: Draws::new(options.seed),
            annulus: Annulus::new(),
            surround: Surround::new(),
            points: Vec::new(),
            active: Vec::new(),
            state: State::Running,
            field,
            domain,
            options,
            estimate,
        })
    }

    /// Whether the run is finished because no active point was left. `false` while it runs,
    /// and for ever when the limit stopped it.
    pub fn is_complete(&self) -> bool {
        self.state == State::Saturated
    }

    /// What the run was expected to give and to need.
    pub fn estimate(&self) -> Estimate {
        self.estimate
    }

    /// Memory in use for points and index, in bytes.
    pub fn bytes(&self) -> usize {
        self.index.bytes()
            + size_of_val(self.points.as_slice())
            + size_of_val(self.active.as_slice())
    }

    /// The next acceptable point and its parent's number, `None` when there is none.
    fn find(&mut self) -> Option<(Disk<D>, Option<u32>)> {
        while let Ok(count @ 1..) = u32::try_from(self.active.len()) {
            let slot = self.rng.below(count) as usize;
            let id = self.active[slot];
            let parent = self.points[id as usize];
            self.surround.fill(
                &self.index,
                parent.p,
                parent.r,
                self.options.rule,
                self.field.range().lo(),
            );
            let mut tries = self.options.tries as usize;
            while tries > 0 {
                let thrown = self.annulus.ready(&mut self.rng, tries.min(LANES));
                let blocked = self.surround.blocks(self.annulus.rows());
                for i in (0..thrown).filter(|&i| !blocked[i]) {
                    let offset = self.annulus.offset(i);
                    let p = std::array::from_fn(|a| parent.p[a] + parent.r * offset[a]);
                    if !self.domain.contains(p) {
                        continue;
                    }
                    let found = fit(
                        &self.field,
                        &self.index,
                        &self.points,
                        self.options.rule,
                        p,
                        Some(parent.r),
                    );
                    if let Some(disk) = found {
                        self.annulus.advance(i + 1);
                        return Some((disk, Some(id)));
                    }
                }
                self.annulus.advance(thrown);
                tries -= thrown;
            }
            self.active.swap_remove(slot);
        }
        let (index, points, rule) = (&self.index, &self.points, self.options.rule);
        let field = &self.field;
        let first = self.islands.next(
            field,
            &mut self.rng,
            |place, least| covers(index, points, rule, place, least),
            // Before the field, which may be slow, is asked: does it fit at all?
            |p, least| {
                let hopeless = conflict(index, points, rule, p, least);
                (!hopeless).then(|| fit(field, index, points, rule, p, None))?
            },
        )?;
        Some((first, None))
    }

    fn accept(&mut self, disk: Disk<D>, parent: Option<u32>) -> Sample<D> {
        let id = self.points.len() as u32;
        let key = match (self.options.rule, parent) {
            (Rule::Parent, Some(parent)) => self.points[parent as usize].r,
            _ => disk.r,
        };
        self.index.insert(id, disk.p, key);
        self.points.push(disk);
        self.active.push(id);
        Sample {
            id: u64::from(id),
            position: disk.p,
            min_dist: disk.r,
            value: self.field.value(disk.p),
            parent: parent.map(u64::from),
            rank: None,
            layer: None,
        }
    }
}

/// The disk at `p` if points may lie there and it keeps its distance to all others.
/// `around` is the parent's radius.
#[inline]
fn fit<const D: usize, F: RadiusField<D>, I: NeighbourIndex<D>>(
    field: &F,
    index: &I,
    points: &[Disk<D>],
    rule: Rule,
    p: [f64; D],
    around: Option<f64>,
) -> Option<Disk<D>> {
    let r = field.min_dist(p)?;
    let asks = match rule {
        Rule::Parent => around.unwrap_or(r),
        _ => r,
    };
    (!conflict(index, points, rule, p, asks)).then_some(Disk { p, r })
}

/// Whether a point at `p` that asks for `r` would be too near to any other.
#[inline]
fn conflict<const D: usize, I: NeighbourIndex<D>>(
    index: &I,
    points: &[Disk<D>],
    rule: Rule,
    p: [f64; D],
    r: f64,
) -> bool {
    index.any_near(p, rule, r, |id| {
        let q = &points[id as usize];
        let keep = rule.distance(q.r, r);
        let square: f64 = (0..D).map(|a| q.p[a] - p[a]).map(|d| d * d).sum();
        square < keep * keep
    })
}

/// Whether one point's reach holds all of a box whose least distance is `least`.
fn covers<const D: usize, I: NeighbourIndex<D>>(
    index: &I,
    points: &[Disk<D>],
    rule: Rule,
    place: &Bounds<D>,
    least: f64,
) -> bool {
    let (min, max) = (place.min(), place.max());
    index.any_near(place.center(), rule, least, |id| {
        let q = &points[id as usize];
        let keep = rule.distance(q.r, least);
        let farthest: f64 = (0..D)
            .map(|a| (q.p[a] - min[a]).max(max[a] - q.p[a]))
            .map(|d| d * d)
            .sum();
        farthest < keep * keep
    })
}

impl<const D: usize, F: RadiusField<D>, I: NeighbourIndex<D>> Iterator for Bridson<D, F, I> {
    type Item = Sample<D>;

    fn next(&mut self) -> Option<Sample<D>> {
        if self.state != State::Running {
            return None;
        }
        let Some((disk, parent)) = self.find() else {
            self.state = State::Saturated;
            return None;
        };
        // Looking for one point more tells a run that is full from one that was stopped.
        if self.points.len() as u64 >= self.options.limit.most().min(MOST_POINTS) {
            self.state = State::Capped;
            return None;
        }
        Some(self.accept(disk, parent))
    }
}

impl<const D: usize, F: RadiusField<D>, I: NeighbourIndex<D>> std::iter::FusedIterator
    for Bridson<D, F, I>
{
}
