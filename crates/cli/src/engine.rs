//! Either algorithm behind one door.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::sample::Plan;
use crate::{guard, memory};
use density::{Bounds, RadiusField};
use rayon::ThreadPoolBuilder;
use sampler::{
    Bridson, BridsonOptions, Edges, End, PointLimit, Rule, Sample, SampleError, Scatter,
    ScatterOptions, Scattered,
};
use std::ops::ControlFlow;

/// The algorithm, ready to start: whatever can be refused was.
pub(crate) enum Engine<'f, F> {
    Bridson(Box<Bridson<2, &'f F>>),
    Scatter(Box<Scatter<2, &'f F>>, Hold),
    Counted(Counting<'f, F>),
}

/// A search for the scale at which so many points come out.
pub(crate) struct Counting<'f, F> {
    field: &'f F,
    world: Bounds<2>,
    edges: Edges,
    options: ScatterOptions,
    count: u64,
}

/// What is held of the points while they are made. The points and their order are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// All that are kept.
    All,
    /// A few blocks of them.
    Blocks,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) points: u64,
    pub(crate) end: End,
    /// What could not be decided; `None` where the algorithm does not know.
    pub(crate) unresolved: Option<Unresolved>,
    /// What the distances were multiplied by, to get the number of points asked for.
    pub(crate) scale: f64,
}

/// Cells at the finest resolution in which one more point might have gone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unresolved {
    pub(crate) cells: u64,
    /// Of all of them, in square world units.
    pub(crate) area: f64,
}

/// Takes a point; breaks when no more are wanted.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Sample<2>) -> Result<ControlFlow<()>, Failure>;

/// Finds flags that contradict one another before any file is looked at, and starts the
/// threads.
pub(crate) fn prepare(args: &SampleArgs) -> Result<(), Failure> {
    args.region.check(args.rule())?;
    if let (Some(count), Some(path)) = (args.count, args.region.avoid.first()) {
        let problem = format!(
            "its distances are scaled, which would change what is too near to {}: drop --avoid, \
             or choose --min-dist and --max-dist",
            path.display()
        );
        return Err(Failure::usage("--count", count, problem));
    }
    match args.algorithm {
        Algorithm::Scatter => {
            if args.rule() == Rule::Parent {
                return Err(SampleError::NoParents.into());
            }
            if let Some(tries) = args.tries {
                let problem = "with --algorithm scatter there are no tries, for no gap is left: \
                               drop it, or give --algorithm bridson";
                return Err(Failure::usage("--tries", tries, problem));
            }
            if let Some(count) = args.count
                && args.stream
            {
                let problem = "all points have to be held to count them: drop --stream";
                return Err(Failure::usage("--count", count, problem));
            }
            start(args.threads)
        }
        Algorithm::Bridson => {
            let flags = [
                ("--tile", args.tile),
                ("--lod", args.lod.is_some()),
                ("--count", args.count.is_some()),
                ("--threads", args.threads.is_some()),
                ("--stream", args.stream),
            ];
            match flags.iter().find(|(_, given)| *given) {
                None => Ok(()),
                Some((flag, _)) => Err(Failure::Usage(format!(
                    "{flag}: bridson cannot do that: drop it, or give --algorithm scatter"
                ))),
            }
        }
    }
}

/// Threads for all that follows. A single one is the program's own, and nothing is started.
fn start(threads: Option<usize>) -> Result<(), Failure> {
    let mut builder = ThreadPoolBuilder::new();
    if let Some(threads) = threads.or_else(affordable) {
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

/// Where the address space is limited (`ulimit -v`), no more threads than fit there, of those that
/// there would be: each reserves 64 MB, of which it may use little, and has a block to work on.
fn affordable() -> Option<usize> {
    const ADDRESSES: u64 = 256 << 20;
    let most = memory::left().addresses? / ADDRESSES;
    let usual = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = usize::try_from(most).unwrap_or(usual).max(1);
    (threads < usual).then_some(threads)
}

impl<'f, F: RadiusField<2>> Engine<'f, F> {
    /// Prepares the algorithm of the plan.
    pub(crate) fn new(plan: &Plan<'_>, field: &'f F) -> Result<Self, Failure> {
        let args = plan.args;
        if args.algorithm == Algorithm::Bridson {
            let options = BridsonOptions {
                rule: args.rule(),
                tries: args.tries(),
                seed: args.seed,
                limit: plan.limit,
                max_bytes: memory::available(),
            };
            let bridson = Bridson::new(field, plan.world, options)?;
            return Ok(Self::Bridson(Box::new(bridson)));
        }
        let options = ScatterOptions {
            rule: args.rule(),
            seed: args.seed,
            limit: plan.limit,
            max_bytes: memory::available(),
            levels: args.lod.unwrap_or(0),
        };
        if let Some(count) = args.count {
            // So as to refuse now what will be refused later.
            if count > plan.limit.most() {
                let ceiling = plan.limit.most();
                return Err(SampleError::CountAboveLimit { count, ceiling }.into());
            }
            return Ok(Self::Counted(Counting {
                field,
                world: plan.world,
                edges: if args.tile { Edges::Tiled } else { Edges::Open },
                options,
                count,
            }));
        }
        let scatter = |hold, max_bytes| {
            let options = ScatterOptions {
                max_bytes,
                ..options
            };
            let scatter = if args.tile {
                Scatter::tiled(field, plan.world, options)
            } else {
                Scatter::new(field, plan.world, options)
            };
            scatter.map(|scatter| Self::Scatter(Box::new(scatter), hold))
        };
        if args.tile && args.lod.is_some() {
            // Ranks hang on points so far away that they would go round a tile: it is held.
            return Ok(scatter(Hold::All, options.max_bytes)?);
        }
        // Which points a cap keeps is known only when all have been seen: what does not hold
        // those that may be kept has to make all of them twice.
        let capped = matches!(plan.limit, PointLimit::Cap(_));
        if args.stream || !capped {
            return Ok(scatter(Hold::Blocks, None)?);
        }
        // Not what is left of the memory: the guard ends a run long before that is used up.
        match scatter(Hold::All, guard::allowance()) {
            Err(SampleError::TooMuchMemory { .. }) => Ok(scatter(Hold::Blocks, None)?),
            other => Ok(other?),
        }
    }

    /// How many points are expected.
    pub(crate) fn expected(&self) -> f64 {
        match self {
            Self::Bridson(bridson) => bridson.estimate().points,
            Self::Scatter(scatter, _) => scatter.estimate().map_or(0.0, |e| e.points),
            Self::Counted(counting) => counting.count as f64,
        }
    }

    /// With how many threads it works.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Self::Bridson(_) => 1,
            Self::Scatter(..) | Self::Counted(_) => rayon::current_num_threads(),
        }
    }

    /// Hands every point to `each`, in an order that depends on nothing but what the points
    /// depend on. `None` when `each` wanted no more.
    pub(crate) fn run(self, progress: &Progress, each: Each) -> Result<Option<Made>, Failure> {
        match self {
            Self::Bridson(bridson) => one_by_one(*bridson, progress, each),
            Self::Scatter(scatter, Hold::All) => {
                let found = scatter.points_with(|at| progress.after(at));
                let mut sum = Sum::new(each);
                let _ = sum.add(&found.unwrap_or_default());
                sum.finish()
            }
            Self::Scatter(scatter, Hold::Blocks) => {
                let mut sum = Sum::new(each);
                let _ = scatter.stream_with(|part, at| {
                    let _ = progress.after(at);
                    sum.add(&part)
                });
                sum.finish()
            }
            Self::Counted(counting) => {
                let found = Scatter::with_count_while(
                    counting.field,
                    counting.world,
                    counting.edges,
                    counting.options,
                    counting.count,
                    |at| progress.after(at),
                )
                .map_err(|error| Failure::counting(counting.count, error))?;
                let mut sum = Sum::new(each);
                if let Some(found) = found {
                    sum.made.scale = found.factor;
                    let _ = sum.add(&found.points);
                }
                sum.finish()
            }
        }
    }
}

fn one_by_one<F: RadiusField<2>>(
    mut bridson: Bridson<2, F>,
    progress: &Progress,
    each: Each,
) -> Result<Option<Made>, Failure> {
    let expected = bridson.estimate().points;
    let mut points = 0;
    for sample in &mut bridson {
        points += 1;
        if each(&sample)?.is_break() {
            return Ok(None);
        }
        progress.at(points as f64 / expected, points);
    }
    Ok(Some(Made {
        points,
        end: bridson.end(),
        unresolved: None,
        scale: 1.0,
    }))
}

/// Parts of a set, handed on and summed up.
struct Sum<'a> {
    each: Each<'a>,
    end: Option<Result<(), Failure>>,
    made: Made,
}

impl<'a> Sum<'a> {
    fn new(each: Each<'a>) -> Self {
        Self {
            each,
            end: None,
            made: Made {
                points: 0,
                end: End::Complete,
                unresolved: Some(Unresolved::default()),
                scale: 1.0,
            },
        }
    }

    fn add(&mut self, part: &Scattered<2>) -> ControlFlow<()> {
        if let Some(unresolved) = &mut self.made.unresolved {
            unresolved.cells += part.unresolved;
            unresolved.area += part.unresolved_volume;
        }
        if !part.complete {
            self.made.end = End::Capped;
        }
        for sample in &part.samples {
            self.made.points += 1;
            match (self.each)(sample) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    self.end = Some(Ok(()));
                    return ControlFlow::Break(());
                }
                Err(failure) => {
                    self.end = Some(Err(failure));
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// `None` when a point was not wanted.
    fn finish(self) -> Result<Option<Made>, Failure> {
        match self.end {
            None => Ok(Some(self.made)),
            Some(Ok(())) => Ok(None),
            Some(Err(failure)) => Err(failure),
        }
    }
}
