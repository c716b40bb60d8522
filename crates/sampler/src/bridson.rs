//! Bridson's algorithm ("Fast Poisson Disk Sampling in Arbitrary Dimensions", 2007) for
//! distances that vary from place to place.

use crate::annulus::{Annulus, LANES};
use crate::boxes::{half_diagonal, square};
use crate::compiled::either;
use crate::error::SampleError;
use crate::index::NeighbourIndex;
use crate::islands::Islands;
use crate::level_grid::LevelGrid;
use crate::list_grid::ListGrid;
use crate::options::BridsonOptions;
use crate::preflight::{self, Estimate};
use crate::reach::{self, CANDIDATE_REACH, End};
use crate::rng::Draws;
use crate::rule::Rule;
use crate::sample::Sample;
use crate::surround::Surround;
use density::{Bounds, RadiusField};
use std::collections::TryReserveError;
use std::fmt::Debug;

/// Maximum number of points of one run: points are numbered by 32 bits.
const MOST_POINTS: u64 = u32::MAX as u64 - 1;

/// Number of boxes that the check after a run may test for each point.
const BOXES_PER_POINT: u64 = 4;

/// Boxes that the check may test after any run: a few milliseconds.
const LEAST_BOXES: u64 = 8192;

/// A lazy stream of points that keep the field's distance: take as many as are wanted.
///
/// From a random active point of radius r, up to `tries` candidates are drawn uniformly by
/// area from the shell [r, 2r) around it. The first one that keeps the rule's distance to
/// every earlier point is accepted and becomes active; a point whose candidates all fail is
/// retired. When none is active, the next island of a mask, or dense patch in sparse ground, is started.
///
/// # Guarantees
/// 1. Every pair of points keeps [`Rule::distance`] of their `min_dist`s, to the last bit:
///    `|p - q|^2 >= distance^2` as computed in `f64`.
/// 2. Points lie in the domain (half-open) and only where the field has a distance.
/// 3. The points are a pure function of ([`ALGORITHM_VERSION`](crate::ALGORITHM_VERSION),
///    field, domain, options), and so is their order.
/// 4. A run ends after `limit` points at the latest, and when its [memory](Self::bytes) exceeds
///    [`max_bytes`](BridsonOptions::max_bytes) or what there is ([`End::Failed`]).
/// 5. A front that dies early is reported: [`Bridson::end`] is [`End::Complete`] only if no open ground
///    as wide as a `min_dist` is out of reach of every point's candidates.
///
/// The set is *not* maximal: about 0.1 % of the area of a uniform domain could still take a
/// point (c = 0.615 in 2D with 30 tries, where a maximal set has 0.697).
///
/// # Cost
/// O(`tries`) index queries a point, each nearly independent of how widely the distances vary; 80 to
/// 350 bytes a point in 2D, and 200 to 550 in 3D. Where distances vary, the search for places to start
/// takes longer than the queries do: a point of noise or of a steep slope costs 3 to 10 times as much as
/// one of a uniform field, and 30 times if distances differ a thousandfold. The check of how a run ended
/// takes 3 to 15 % of its time, or a few milliseconds.
///
/// ```
/// # use spinney_sampler as sampler;
/// use sampler::density::{Bounds, Constant};
/// use sampler::{Bridson, BridsonOptions, End};
///
/// let domain = Bounds::from_size([1e6, 1e6])?;
/// let mut run = Bridson::new(Constant::new(1000.0)?, domain, BridsonOptions::default())?;
/// let first: Vec<_> = run.by_ref().take(100).collect();
/// // Each point but the first was drawn around its parent, which is older.
/// assert!(first.iter().all(|point| point.parent < Some(point.id)));
/// assert_eq!(run.end(), End::Running);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bridson<const D: usize, F> {
    field: F,
    run: Box<dyn Run<D>>,
}

/// A run without its field: the part that is compiled in this crate, once for each index, and not again
/// in each program.
trait Run<const D: usize>: Send + Sync + Debug {
    /// Returns the next point, `None` when there is none.
    fn next(&mut self, field: &dyn RadiusField<D>) -> Option<Sample<D>>;

    fn end(&self) -> End;

    fn estimate(&self) -> Estimate;

    /// Returns the memory in use for points and index, in bytes.
    fn bytes(&self) -> usize;

    fn cloned(&self) -> Box<dyn Run<D>>;
}

impl<const D: usize> Clone for Box<dyn Run<D>> {
    fn clone(&self) -> Self {
        self.as_ref().cloned()
    }
}

/// A run on an index.
#[derive(Clone, Debug)]
struct Front<const D: usize, I> {
    domain: Bounds<D>,
    options: BridsonOptions,
    estimate: Estimate,
    accepted: Accepted<D, I>,
    active: Vec<u32>,
    islands: Islands<D>,
    annulus: Annulus<D>,
    surround: Surround<D>,
    rng: Draws,
    end: End,
}

/// The points so far.
#[derive(Clone, Debug)]
struct Accepted<const D: usize, I> {
    rule: Rule,
    index: I,
    points: Vec<Disk<D>>,
}

#[derive(Clone, Copy, Debug)]
struct Disk<const D: usize> {
    p: [f64; D],
    r: f64,
}

impl<const D: usize, F: RadiusField<D>> Bridson<D, F> {
    /// Creates a run over `domain`, on the fast index.
    ///
    /// # Errors
    /// If `tries` is 0, if more points or memory are expected than the options allow,
    /// if the distances are too small or too different for the domain, or if `D` is neither 2 nor 3.
    pub fn new(field: F, domain: Bounds<D>, options: BridsonOptions) -> Result<Self, SampleError> {
        Self::on(Index::Levels, field, domain, options)
    }

    /// Creates a run on the plain list-per-cell grid, the reference for tests. It gives the points of
    /// [`Bridson::new`], at a cost that grows as the square (in 3D the cube) of the ratio of distances.
    ///
    /// # Errors
    /// The errors of [`Bridson::new`].
    pub fn with_lists(
        field: F,
        domain: Bounds<D>,
        options: BridsonOptions,
    ) -> Result<Self, SampleError> {
        Self::on(Index::Lists, field, domain, options)
    }

    fn on(
        index: Index,
        field: F,
        domain: Bounds<D>,
        options: BridsonOptions,
    ) -> Result<Self, SampleError> {
        let begin: Begin<D> =
            either(&IN_THE_PLANE, &IN_SPACE).ok_or(SampleError::Dimensions { dimensions: D })?;
        let run = begin(index, &field, domain, options)?;
        Ok(Self { field, run })
    }

    /// Returns `true` if the run has ended because no active point is left: never while it runs, nor if
    /// a limit stopped it. A front that died early has ended too; [`Bridson::end`] tells the two
    /// apart.
    pub fn is_complete(&self) -> bool {
        !matches!(self.run.end(), End::Running | End::Capped | End::Failed(_))
    }

    /// Returns how the run ended; [`End::Running`] until the iterator has returned `None`.
    ///
    /// ```
    /// use spinney_sampler::density::{Bounds, Constant};
    /// use spinney_sampler::{Bridson, BridsonOptions, End};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let strip = Bounds::from_size([400.0, 20.0])?;
    /// let options = BridsonOptions {
    ///     tries: 3,
    ///     seed: 1,
    ///     ..BridsonOptions::default()
    /// };
    /// let mut run = Bridson::new(Constant::new(10.0)?, strip, options)?;
    /// assert_eq!(run.by_ref().count(), 6);
    /// assert!(matches!(run.end(), End::Open { share } if share > 0.5));
    /// # Ok(())
    /// # }
    /// ```
    pub fn end(&self) -> End {
        self.run.end()
    }

    /// Returns the points and the memory that were expected before the run.
    pub fn estimate(&self) -> Estimate {
        self.run.estimate()
    }

    /// Returns the memory in use for points and index, in bytes.
    pub fn bytes(&self) -> usize {
        self.run.bytes()
    }
}

/// The spatial index of a run.
#[derive(Clone, Copy, Debug)]
enum Index {
    Levels,
    Lists,
}

/// A function that begins a run.
type Begin<const D: usize> = fn(
    Index,
    &dyn RadiusField<D>,
    Bounds<D>,
    BridsonOptions,
) -> Result<Box<dyn Run<D>>, SampleError>;

static IN_THE_PLANE: Begin<2> = begin;
static IN_SPACE: Begin<3> = begin;

fn begin<const D: usize>(
    index: Index,
    field: &dyn RadiusField<D>,
    domain: Bounds<D>,
    options: BridsonOptions,
) -> Result<Box<dyn Run<D>>, SampleError> {
    if options.tries == 0 {
        return Err(SampleError::NoTries);
    }
    Ok(match index {
        Index::Levels => Box::new(Front::<D, LevelGrid<D>>::new(field, domain, options)?),
        Index::Lists => Box::new(Front::<D, ListGrid<D>>::new(field, domain, options)?),
    })
}

impl<const D: usize, I> Run<D> for Front<D, I>
where
    I: NeighbourIndex<D> + Clone + Debug + Send + Sync + 'static,
{
    fn next(&mut self, field: &dyn RadiusField<D>) -> Option<Sample<D>> {
        if self.end != End::Running {
            return None;
        }
        let Some((disk, parent)) = self.find(field) else {
            self.end = match self.judge(field) {
                End::Complete if !self.islands.is_done() => End::NotChecked,
                end => end,
            };
            return None;
        };
        // The search for one more point tells a run that is full from one that was stopped.
        if self.accepted.points.len() as u64 >= self.options.limit.most().min(MOST_POINTS) {
            self.end = End::Capped;
            return None;
        }
        match self.accept(field, disk, parent) {
            Ok(sample) => Some(sample),
            Err(error) => {
                self.end = End::Failed(error);
                None
            }
        }
    }

    fn end(&self) -> End {
        self.end
    }

    fn estimate(&self) -> Estimate {
        self.estimate
    }

    fn bytes(&self) -> usize {
        self.used()
    }

    fn cloned(&self) -> Box<dyn Run<D>> {
        Box::new(self.clone())
    }
}

impl<const D: usize, I: NeighbourIndex<D>> Front<D, I> {
    fn new(
        field: &dyn RadiusField<D>,
        domain: Bounds<D>,
        options: BridsonOptions,
    ) -> Result<Self, SampleError> {
        let estimate = preflight::check(field, &domain, &options.needs::<D>())?;
        let points = estimate.points.min(options.limit.most() as f64);
        let index = I::new(&domain, field.range(), points).ok_or(SampleError::OutOfMemory {
            megabytes: estimate.bytes / 1e6,
        })?;
        Ok(Self {
            accepted: Accepted {
                rule: options.rule,
                index,
                points: Vec::new(),
            },
            islands: Islands::new(field, domain, options.tries),
            rng: Draws::new(options.seed),
            annulus: Annulus::new(),
            surround: Surround::new(),
            active: Vec::new(),
            end: End::Running,
            domain,
            options,
            estimate,
        })
    }

    /// Returns the memory in use for points and index, in bytes.
    fn used(&self) -> usize {
        self.accepted.index.bytes()
            + size_of_val(self.accepted.points.as_slice())
            + size_of_val(self.active.as_slice())
    }

    /// Returns how a run ended that has no active point left.
    fn judge(&self, field: &dyn RadiusField<D>) -> End {
        let accepted = &self.accepted;
        let boxes = BOXES_PER_POINT * accepted.points.len() as u64;
        reach::judge(
            field,
            self.domain,
            boxes.max(LEAST_BOXES),
            |place| {
                let away2 = |q| farthest(q, place);
                accepted.reaches(place.center(), half_diagonal(place), away2)
            },
            |place, least| accepted.covers(place, least),
            |p| {
                let away2 = |q: [f64; D]| square::<D>(|a| q[a] - p[a]);
                !accepted.reaches(p, 0.0, away2) && accepted.fit(field, p, None).is_some()
            },
        )
    }

    /// Returns the next acceptable point and its parent's number, `None` when there is none.
    fn find(&mut self, field: &dyn RadiusField<D>) -> Option<(Disk<D>, Option<u32>)> {
        while let Ok(count @ 1..) = u32::try_from(self.active.len()) {
            let slot = self.rng.below(count) as usize;
            let id = self.active[slot];
            let parent = self.accepted.points[id as usize];
            self.surround.fill(
                &self.accepted.index,
                parent.p,
                parent.r,
                self.options.rule,
                field.range().lo(),
            );
            let mut tries = self.options.tries as usize;
            while tries > 0 {
                let drawn = self.annulus.ready(&mut self.rng, tries.min(LANES));
                let blocked = self.surround.blocks(self.annulus.rows());
                for i in (0..drawn).filter(|&i| !blocked[i]) {
                    let offset = self.annulus.offset(i);
                    let p = std::array::from_fn(|a| parent.p[a] + parent.r * offset[a]);
                    if !self.domain.contains(p) {
                        continue;
                    }
                    if let Some(disk) = self.accepted.fit(field, p, Some(parent.r)) {
                        self.annulus.advance(i + 1);
                        return Some((disk, Some(id)));
                    }
                }
                self.annulus.advance(drawn);
                tries -= drawn;
            }
            self.active.swap_remove(slot);
        }
        let accepted = &self.accepted;
        let first = self.islands.next(
            field,
            &mut self.rng,
            accepted.points.len() as u64,
            |place, least| accepted.covers(place, least),
            // The field may be slow: a test with the least radius comes first.
            |p, least| {
                if accepted.conflict(p, least) {
                    return None;
                }
                accepted.fit(field, p, None)
            },
        )?;
        Some((first, None))
    }

    fn accept(
        &mut self,
        field: &dyn RadiusField<D>,
        disk: Disk<D>,
        parent: Option<u32>,
    ) -> Result<Sample<D>, SampleError> {
        let used = self.used();
        let out_of_memory = SampleError::OutOfMemory {
            megabytes: (used as f64).max(self.estimate.bytes) / 1e6,
        };
        if self
            .options
            .max_bytes
            .is_some_and(|most| used as u64 > most)
        {
            return Err(out_of_memory);
        }
        let id = self.accepted.points.len() as u32;
        let reserved = self.active.try_reserve(1);
        let added = reserved.and_then(|()| self.accepted.add(disk, parent));
        added.map_err(|_| out_of_memory)?;
        self.active.push(id);
        Ok(Sample {
            id: u64::from(id),
            position: disk.p,
            min_dist: disk.r,
            value: field.value(disk.p),
            parent: parent.map(u64::from),
            rank: None,
            layer: None,
        })
    }
}

impl<const D: usize, I: NeighbourIndex<D>> Accepted<D, I> {
    /// Adds a point, drawn around point number `parent`.
    fn add(&mut self, disk: Disk<D>, parent: Option<u32>) -> Result<(), TryReserveError> {
        let key = match (self.rule, parent) {
            (Rule::Parent, Some(parent)) => self.points[parent as usize].r,
            _ => disk.r,
        };
        self.points.try_reserve(1)?;
        self.index.insert(self.points.len() as u32, disk.p, key)?;
        self.points.push(disk);
        Ok(())
    }

    /// Returns the disk at `p` if points may lie there and it keeps its distance to all others. `around` is
    /// the parent's radius.
    #[inline]
    fn fit(&self, field: &dyn RadiusField<D>, p: [f64; D], around: Option<f64>) -> Option<Disk<D>> {
        let r = field.min_dist(p)?;
        let later = match self.rule {
            Rule::Parent => around.unwrap_or(r),
            _ => r,
        };
        (!self.conflict(p, later)).then_some(Disk { p, r })
    }

    /// Returns `true` if a point at `p` with radius `r` conflicts with any other.
    #[inline]
    fn conflict(&self, p: [f64; D], r: f64) -> bool {
        self.index.any_near(p, self.rule, r, |id| {
            let q = &self.points[id as usize];
            let keep = self.rule.distance(q.r, r);
            square::<D>(|a| q.p[a] - p[a]) < keep * keep
        })
    }

    /// Returns `true` if one point conflicts with every place of a box whose least radius is `least`.
    fn covers(&self, place: &Bounds<D>, least: f64) -> bool {
        self.index.any_near(place.center(), self.rule, least, |id| {
            let q = &self.points[id as usize];
            let keep = self.rule.distance(q.r, least);
            farthest(q.p, place) < keep * keep
        })
    }

    /// Returns `true` if the candidates of one point reach all places up to `margin` from `p`. `away2`
    /// returns the square of the distance from a point to the farthest of them.
    fn reaches(&self, p: [f64; D], margin: f64, away2: impl Fn([f64; D]) -> f64) -> bool {
        // Under `Parent` a key is the parent's radius, seldom less than half of the point's own.
        let times = match self.rule {
            Rule::Parent => 2.0 * CANDIDATE_REACH,
            _ => CANDIDATE_REACH,
        };
        self.index.any_reaching(p, times, margin, |id| {
            let q = &self.points[id as usize];
            let reach = CANDIDATE_REACH * q.r;
            away2(q.p) < reach * reach
        })
    }
}

/// Returns the squared distance from `p` to the farthest corner of a box.
fn farthest<const D: usize>(p: [f64; D], place: &Bounds<D>) -> f64 {
    let (min, max) = (place.min(), place.max());
    square::<D>(|a| (p[a] - min[a]).max(max[a] - p[a]))
}

impl<const D: usize, F: RadiusField<D>> Iterator for Bridson<D, F> {
    type Item = Sample<D>;

    fn next(&mut self) -> Option<Sample<D>> {
        self.run.next(&self.field)
    }
}

impl<const D: usize, F: RadiusField<D>> std::iter::FusedIterator for Bridson<D, F> {}
