//! One interface to both algorithms, for all layers of a plan.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::Failure;
use crate::field;
use crate::last::Last;
use crate::layers::{Field, Layers};
use crate::memory;
use crate::numbers::about;
use crate::plan::Plan;
use crate::progress::Progress;
use density::Bounds;
use rayon::ThreadPoolBuilder;
use sampler::{
    Bridson, BridsonOptions, Edges, End, PointLimit, Sample, SampleError, Scatter, ScatterOptions,
    Scattered,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// The algorithm, ready to start: it has refused everything that can be refused beforehand.
pub(crate) struct Engine<'p, 'f> {
    plan: &'p Plan<'f>,
    way: Way<'f>,
    /// The result so far.
    made: RunResult,
}

/// The method of finding points.
enum Way<'f> {
    Bridson(Box<Bridson<2, Field<'f>>>),
    Scatter(Box<Scatter<'f, 2>>, Hold),
    /// A window of a world.
    Window(Box<Scatter<'f, 2>>, Bounds<2>),
    /// A search for the scale that yields this number of points.
    Count(u64),
    /// The points of a window or a count.
    Found(Scattered<2>),
}

/// The points held in memory during a run. The points do not depend on it, and their order only with ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// All points that are kept.
    All,
    /// A few blocks of points.
    Blocks,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunResult {
    pub(crate) points: u64,
    /// Number of points of each layer.
    pub(crate) by_layer: Vec<u64>,
    /// Expected number of points of each layer.
    pub(crate) expected: Vec<f64>,
    /// Number of threads in use.
    pub(crate) threads: usize,
    /// Time of sampling and writing points, seconds; estimates and reading come before.
    pub(crate) seconds: f64,
    pub(crate) end: End,
    /// The unresolved cells; `None` if the algorithm does not measure them.
    pub(crate) unresolved: Option<Unresolved>,
    /// The factor of all distances.
    pub(crate) scale: f64,
    /// The last point, if later points may be left out.
    pub(crate) last: Option<Last>,
    /// Whether points after the last one were left out. As a cap keeps the first points in the same order, it has then
    /// kept all points up to the last.
    pub(crate) left_out: bool,
}

/// Cells at the finest resolution in which one more point might fit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unresolved {
    pub(crate) cells: u64,
    /// Total area, square world units.
    pub(crate) area: f64,
}

/// A consumer of points.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Sample<2>) -> Result<(), Failure>;

/// Starts the threads of the run. A single thread is the program's own, so none is started.
pub(crate) fn start(args: &SampleArgs) -> Result<(), Failure> {
    if args.algorithm == Algorithm::Bridson {
        return Ok(());
    }
    let mut builder = ThreadPoolBuilder::new();
    if let Some(threads) = args.threads.or_else(affordable) {
        builder = builder.num_threads(threads);
        if threads == 1 {
            builder = builder.use_current_thread();
        }
    }
    builder.build_global().map_err(|e| {
        let problem = format!("threads could not be started: {e}: try --threads 1");
        Failure::Run(anyhow::anyhow!(problem))
    })
}

/// Returns the number of threads that a limited address space (`ulimit -v`) has room for, if that is fewer
/// than usual. Each reserves 64 MB, of which it may use little, and needs memory for a block of work.
fn affordable() -> Option<usize> {
    const ADDRESSES: u64 = 256 << 20;
    let most = memory::addresses()? / ADDRESSES;
    let usual = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = usize::try_from(most).unwrap_or(usual).max(1);
    (threads < usual).then_some(threads)
}

/// Returns a scatter of `layers`, which are scaled already.
fn scatter<'f>(
    layers: &Layers<'f>,
    domain: Bounds<2>,
    edges: Edges,
    options: ScatterOptions,
) -> Result<Scatter<'f, 2>, SampleError> {
    match (layers.fields(), layers.are_named(), edges) {
        ([one], false, Edges::Open) => Scatter::new(Arc::clone(&one.field), domain, options),
        ([one], false, Edges::Tiled) => Scatter::tiled(Arc::clone(&one.field), domain, options),
        (fields, ..) => Scatter::layered(
            fields.to_vec(),
            layers.apart().clone(),
            domain,
            edges,
            options,
        ),
    }
}

impl<'p, 'f> Engine<'p, 'f> {
    /// Prepares the algorithm of the plan.
    pub(crate) fn new(plan: &'p Plan<'f>) -> Result<Self, Failure> {
        let (args, placement) = (plan.args, &plan.placement);
        let factor = plan.factor();
        let (way, expected) = if let Some(count) = args.count {
            // The search would refuse this later.
            let ceiling = plan.limit().most();
            if count > ceiling {
                return Err(SampleError::CountAboveLimit { count, ceiling }.into());
            }
            // Replaced once the points of layers are found.
            let layers = plan.layers.fields().len();
            (
                Way::Count(count),
                vec![count as f64 / layers as f64; layers],
            )
        } else if args.algorithm == Algorithm::Bridson {
            let layers = plan.restricted(factor)?;
            let options = BridsonOptions {
                rule: plan.rule,
                tries: args.tries(),
                seed: args.seed,
                limit: plan.limit(),
                max_bytes: memory::budget(),
            };
            let field = Arc::clone(&layers.fields()[0].field);
            let bridson = Bridson::new(field, placement.world, options)?;
            let expected = vec![bridson.estimate().points];
            (Way::Bridson(Box::new(bridson)), expected)
        } else if let Some(window) = args.window {
            in_window(plan, &plan.restricted(factor)?, window)?
        } else {
            let (scatter, hold) = whole(plan, &plan.restricted(factor)?)?;
            let expected = scatter.expected().to_vec();
            (Way::Scatter(Box::new(scatter), hold), expected)
        };
        let is_scatter = args.algorithm == Algorithm::Scatter;
        let made = RunResult {
            points: 0,
            by_layer: vec![0; expected.len()],
            expected,
            threads: if is_scatter {
                rayon::current_num_threads()
            } else {
                1
            },
            seconds: 0.0,
            end: End::Complete,
            unresolved: is_scatter.then(Unresolved::default),
            scale: factor,
            last: args.last,
            left_out: false,
        };
        Ok(Self { plan, way, made })
    }

    /// Finds the points of a window or a count, before anything is written.
    pub(crate) fn find(&mut self, progress: &Progress) -> Result<(), Failure> {
        let started = Instant::now();
        let found = match &self.way {
            Way::Bridson(_) | Way::Scatter(..) | Way::Found(_) => return Ok(()),
            Way::Window(scatter, window) => scatter.points_in(window)?,
            &Way::Count(count) => {
                let (plan, go_on) = (self.plan, |at| progress.after(at));
                let scaled = |factor, options| {
                    let layers = plan.restricted(factor)?;
                    scatter(&layers, plan.placement.world, plan.edges(), options)
                };
                let options = ScatterOptions {
                    max_bytes: memory::budget(),
                    ..plan.options()
                };
                let found = Scatter::with_count_of(scaled, options, count, go_on);
                let found = found.map_err(|error| match error {
                    SampleError::Avoid(error) => {
                        let problem = plan.open.avoid_problem(error);
                        let problem = format!("{problem}, or request more points");
                        Failure::usage("--count", count, problem)
                    }
                    other => plan.layers.refused(other, Some(count)),
                })?;
                let Some(found) = found else { return Ok(()) };
                self.made.left_out = found.dropped > 0;
                if plan.layers.are_named() {
                    self.made.expected = found.scatter.expected().to_vec();
                }
                self.made.scale = found.factor;
                self.made.last = Last::of(&found.points.samples);
                found.points
            }
        };
        self.way = Way::Found(found);
        self.made.seconds = started.elapsed().as_secs_f64();
        Ok(())
    }

    /// Returns the factor of all distances. That of a count is known once its points are found.
    pub(crate) fn factor(&self) -> f64 {
        self.made.scale
    }

    /// Passes every point to `each`, in an order that does not depend on the number of threads.
    pub(crate) fn run(mut self, progress: &Progress, each: Each) -> Result<RunResult, Failure> {
        self.find(progress)?;
        let mut sum = Sum {
            each,
            started: Instant::now(),
            made: self.made,
        };
        match self.way {
            Way::Bridson(mut bridson) => {
                let expected = bridson.estimate().points;
                for sample in &mut *bridson {
                    sum.add_one(&sample)?;
                    progress.at(sum.made.points as f64 / expected, sum.made.points);
                }
                if let End::Failed(error) = bridson.end() {
                    return Err(error.into());
                }
                sum.made.end = bridson.end();
            }
            // `find` has left none of these.
            Way::Window(..) | Way::Count(_) => {}
            Way::Found(found) => sum.add(&found)?,
            Way::Scatter(scatter, Hold::All) => {
                let found = scatter.points_with(|at| progress.after(at))?;
                sum.add(&found.unwrap_or_default())?;
            }
            Way::Scatter(scatter, Hold::Blocks) => {
                let mut added = Ok(());
                let _ = scatter.stream_with(|part, at| {
                    added = sum.add(&part);
                    match added {
                        Ok(()) => progress.after(at),
                        Err(_) => ControlFlow::Break(()),
                    }
                })?;
                added?;
            }
        }
        Ok(sum.finish())
    }
}

/// Returns a scatter of the whole world, and how many points to hold.
fn whole<'f>(plan: &Plan<'f>, layers: &Layers<'f>) -> Result<(Scatter<'f, 2>, Hold), Failure> {
    let args = plan.args;
    let scatter = scatter(layers, plan.placement.world, plan.edges(), plan.options());
    let scatter = scatter.map_err(|error| layers.refused(error, None))?;
    let estimate = scatter.estimate();
    let budget = memory::budget().map_or(f64::INFINITY, |bytes| bytes as f64);
    let fits = estimate.bytes <= budget;
    // Points with ranks are sorted by them: all, or with --stream those of each part. Ranks depend on points so far away
    // that they would wrap around a tile, which is one part.
    let is_sorted = args.lod.is_some() && (args.tile || !args.stream);
    if is_sorted && !fits {
        let [needed, left] = [estimate.bytes, budget].map(|bytes| bytes / 1e6);
        let advice = if args.tile {
            ""
        } else {
            ", or give --stream, which sorts points by rank in each part of the world only"
        };
        return Err(Failure::Run(anyhow::anyhow!(
            "--lod holds all points, even those that --max-points drops: some {} points would take \
             {needed:.0} MB of memory, and {left:.0} MB are left; raise --min-dist, or shrink --size{advice}",
            about(estimate.points),
        )));
    }
    // A cap is known only after all points are made. A run that does not hold the candidates for it makes
    // all points twice.
    let hold = if is_sorted || args.max_points.is_some() && !args.stream && fits {
        Hold::All
    } else {
        Hold::Blocks
    };
    Ok((within_budget(scatter, hold), hold))
}

/// Returns the method for a window of the world. The window's points must fit in memory, not all of the
/// world's.
fn in_window<'f>(
    plan: &Plan<'f>,
    layers: &Layers<'f>,
    window: Bounds<2>,
) -> Result<(Way<'f>, Vec<f64>), Failure> {
    let world = plan.placement.world;
    let inside = field::window(&world, &window)?;
    let of_window = ScatterOptions {
        max_bytes: memory::budget(),
        ..plan.options()
    };
    let refused = |error| layers.refused(error, None);
    let of_window = scatter(layers, inside, Edges::Open, of_window).map_err(refused)?;
    let of_whole = ScatterOptions {
        limit: PointLimit::Refuse(u64::MAX),
        ..plan.options()
    };
    let scatter = scatter(layers, world, plan.edges(), of_whole).map_err(refused)?;
    let scatter = Box::new(within_budget(scatter, Hold::Blocks));
    Ok((Way::Window(scatter, window), of_window.expected().to_vec()))
}

/// Divisor of the budget: at least this fraction is left for evaluation, however many points are held.
const LEAST_SHARE: u64 = 8;

/// Limits `scatter` to the memory left beside the points held.
fn within_budget(scatter: Scatter<'_, 2>, hold: Hold) -> Scatter<'_, 2> {
    let Some(budget) = memory::budget() else {
        return scatter;
    };
    let held = match hold {
        Hold::All => scatter.estimate().bytes as u64,
        Hold::Blocks => 0,
    };
    let left = budget.saturating_sub(held).max(budget / LEAST_SHARE);
    scatter.with_budget(left)
}

/// Passes on the parts of a point set and sums them up.
struct Sum<'a> {
    each: Each<'a>,
    started: Instant,
    made: RunResult,
}

impl Sum<'_> {
    fn add(&mut self, part: &Scattered<2>) -> Result<(), Failure> {
        if let Some(unresolved) = &mut self.made.unresolved {
            unresolved.cells += part.unresolved;
            unresolved.area += part.unresolved_volume;
        }
        if !part.complete {
            self.made.end = End::Capped;
        }
        part.samples
            .iter()
            .try_for_each(|sample| self.add_one(sample))
    }

    fn add_one(&mut self, sample: &Sample<2>) -> Result<(), Failure> {
        if let Some(last) = self.made.last
            && last.is_before(sample)
        {
            self.made.left_out = true;
            return Ok(());
        }
        self.made.points += 1;
        let layer = sample.layer.unwrap_or(0) as usize;
        if let Some(points) = self.made.by_layer.get_mut(layer) {
            *points += 1;
        }
        (self.each)(sample)
    }

    fn finish(mut self) -> RunResult {
        if self.made.left_out && self.made.end == End::Capped {
            self.made.end = End::Complete;
        }
        self.made.seconds += self.started.elapsed().as_secs_f64();
        self.made
    }
}
