//! Either algorithm behind one door.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::Failure;
use crate::numbers::plain;
use crate::placing::By;
use crate::progress::Progress;
use crate::sample::Plan;
use crate::{guard, memory};
use density::{Bounds, RadiusField, Scaled};
use rayon::ThreadPoolBuilder;
use sampler::{
    Bridson, BridsonOptions, Edges, End, PointLimit, Rule, Sample, SampleError, Scatter,
    ScatterOptions, Scattered,
};
use std::ops::ControlFlow;

/// The algorithm, ready to start: whatever can be refused was.
pub(crate) enum Engine<'f, F> {
    Bridson(Box<Bridson<2, &'f F>>),
    /// And what distances are multiplied by.
    Scatter(Box<Scatter<'f, 2>>, f64, Hold),
    Window(Window<'f>),
    Counted(Counting<'f, F>),
}

/// A window of a world, with its points.
pub(crate) struct Window<'f> {
    scatter: Box<Scatter<'f, 2>>,
    /// What distances are multiplied by.
    factor: f64,
    place: Bounds<2>,
    expected: f64,
    /// What came of it, once it was asked for.
    found: Option<Scattered<2>>,
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
    check_window(args)?;
    check_factor(args)?;
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
                ("--window", args.window.is_some()),
                ("--scale-factor", args.scale_factor.is_some()),
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

/// Refuses what needs the whole where a window is asked for.
fn check_window(args: &SampleArgs) -> Result<(), Failure> {
    if args.window.is_none() {
        return Ok(());
    }
    let whole = [
        (
            "--count",
            args.count.is_some(),
            "how far distances are scaled hangs on all points: run --count once over the whole, and \
             give the scale_factor of its summary as --scale-factor",
        ),
        (
            "--max-points",
            args.max_points.is_some(),
            "which points are the earliest hangs on all points: drop it",
        ),
        (
            "--verify",
            args.verify,
            "gaps at its edges are filled by points beyond them: judge the points of all windows \
             together by spinney verify",
        ),
        (
            "--preview",
            args.preview.is_some(),
            "it shows the whole map: drop it",
        ),
    ];
    match whole.iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((flag, _, why)) => Err(Failure::Usage(format!("{flag}: not with --window: {why}"))),
    }
}

/// Refuses what distances that are not those given would change.
fn check_factor(args: &SampleArgs) -> Result<(), Failure> {
    let Some(factor) = args.scale_factor else {
        return Ok(());
    };
    let refused = |problem: &str| Err(Failure::usage("--scale-factor", plain(factor), problem));
    if !args.region.avoid.is_empty() {
        return refused("it would change what is too near to --avoid, as --count would: drop one");
    }
    if args.placing.scale_by == By::MinDist {
        return refused("distances are not those of --scale-by min-dist: take value");
    }
    Ok(())
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
            let bridson = Bridson::new(field, plan.lay.world, options)?;
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
                world: plan.lay.world,
                edges: if args.tile { Edges::Tiled } else { Edges::Open },
                options,
                count,
            }));
        }
        let factor = args.scale_factor.unwrap_or(1.0);
        let scaled = Scaled::new(field, factor).map_err(|e| {
            let problem = format!("{e}: choose another factor");
            Failure::usage("--scale-factor", plain(factor), problem)
        })?;
        if let Some(window) = args.window {
            return Ok(Self::Window(Window::new(plan, scaled, window, options)?));
        }
        let field = scaled;
        let scatter = |hold, max_bytes| {
            let options = ScatterOptions {
                max_bytes,
                ..options
            };
            let scatter = if args.tile {
                Scatter::tiled(field, plan.lay.world, options)
            } else {
                Scatter::new(field, plan.lay.world, options)
            };
            scatter.map(|scatter| Self::Scatter(Box::new(scatter), factor, hold))
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

    /// Finds the points of a window, before anything is written.
    pub(crate) fn find(&mut self) -> Result<(), Failure> {
        if let Self::Window(window) = self {
            window.found = Some(window.scatter.points_in(&window.place)?);
        }
        Ok(())
    }

    /// How many points are expected.
    pub(crate) fn expected(&self) -> f64 {
        match self {
            Self::Bridson(bridson) => bridson.estimate().points,
            Self::Scatter(scatter, ..) => scatter.estimate().points,
            Self::Window(window) => window.expected,
            Self::Counted(counting) => counting.count as f64,
        }
    }

    /// With how many threads it works.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Self::Bridson(_) => 1,
            Self::Scatter(..) | Self::Window(_) | Self::Counted(_) => rayon::current_num_threads(),
        }
    }

    /// Hands every point to `each`, in an order that depends on nothing but what the points
    /// depend on. `None` when `each` wanted no more.
    pub(crate) fn run(self, progress: &Progress, each: Each) -> Result<Option<Made>, Failure> {
        match self {
            Self::Bridson(bridson) => one_by_one(*bridson, progress, each),
            Self::Window(window) => {
                let factor = window.factor;
                let found = window.points()?;
                let mut sum = Sum::new(factor, each);
                let _ = sum.add(&found);
                sum.finish()
            }
            Self::Scatter(scatter, factor, Hold::All) => {
                let found = scatter.points_with(|at| progress.after(at))?;
                let mut sum = Sum::new(factor, each);
                let _ = sum.add(&found.unwrap_or_default());
                sum.finish()
            }
            Self::Scatter(scatter, factor, Hold::Blocks) => {
                let mut sum = Sum::new(factor, each);
                let _ = scatter.stream_with(|part, at| {
                    let _ = progress.after(at);
                    sum.add(&part)
                })?;
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
                let mut sum = Sum::new(1.0, each);
                if let Some(found) = found {
                    sum.made.scale = found.factor;
                    let _ = sum.add(&found.points);
                }
                sum.finish()
            }
        }
    }
}

impl<'f> Window<'f> {
    fn new<F: RadiusField<2>>(
        plan: &Plan<'_>,
        field: Scaled<&'f F>,
        window: Bounds<2>,
        options: ScatterOptions,
    ) -> Result<Self, Failure> {
        let world = plan.lay.world;
        let corner = |pick: fn(f64, f64) -> f64, a: [f64; 2], b: [f64; 2]| {
            [0, 1].map(|axis: usize| pick(a[axis], b[axis]))
        };
        let inside = Bounds::new(
            corner(f64::max, world.min(), window.min()),
            corner(f64::min, world.max(), window.max()),
        );
        let Ok(inside) = inside else {
            let [lo, hi] = [world.min(), world.max()].map(|p| p.map(plain).join(","));
            let given = [window.min(), window.max()].map(|p| p.map(plain).join(","));
            let problem = format!("nothing of it lies in the world, which runs from {lo} to {hi}");
            return Err(Failure::usage("--window", given.join(","), problem));
        };
        // The window's points are to fit, not those of the whole.
        let expected = Scatter::new(field, inside, options)?.estimate();
        let whole = ScatterOptions {
            limit: PointLimit::Refuse(u64::MAX),
            max_bytes: None,
            ..options
        };
        let scatter = if plan.args.tile {
            Scatter::tiled(field, world, whole)?
        } else {
            Scatter::new(field, world, whole)?
        };
        Ok(Self {
            scatter: Box::new(scatter),
            place: window,
            factor: field.factor(),
            expected: expected.points,
            found: None,
        })
    }

    /// The points, found once.
    fn points(self) -> Result<Scattered<2>, Failure> {
        match self.found {
            Some(found) => Ok(found),
            None => Ok(self.scatter.points_in(&self.place)?),
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
    fn new(scale: f64, each: Each<'a>) -> Self {
        Self {
            each,
            end: None,
            made: Made {
                points: 0,
                end: End::Complete,
                unresolved: Some(Unresolved::default()),
                scale,
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
