//! `spinney sample`: from a map to points in files.

use crate::args::{Algorithm, SampleArgs};
use crate::drafts::Drafts;
use crate::engine::{Engine, Unresolved};
use crate::failure::{Failure, tell};
use crate::ground::GroundInfo;
use crate::guard::Watch;
use crate::outputs::Outputs;
use crate::part_file::PartFile;
use crate::place::Lay;
use crate::progress::Progress;
use crate::region::{Lie, RegionInfo, Regions};
use crate::source::{self, Source};
use crate::verify::{Check, Gaps};
use crate::writers::Writers;
use crate::{engine, field, map, map_file, report, species, summary, warnings};
use density::{
    Bounds, Diagnostic, DistRange, GroundRegion, MapPart, Perlin, PixelGrid, PixelRect,
    RadiusField, Role, Scaled, Subject, TiledMap, Warning, Within,
};
use export::{Header, Ids, Placing, Presence};
use quality::{Domain, Edges};
use sampler::{ALGORITHM_VERSION, End, PointLimit};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Without a map there are no pixels to take the world's size from.
const MEADOW_SIZE: [f64; 2] = [512.0, 512.0];

/// What was understood.
pub(crate) struct Plan<'a> {
    pub(crate) args: &'a SampleArgs,
    pub(crate) source: Source,
    pub(crate) lay: Lay,
    pub(crate) range: DistRange,
    pub(crate) limit: PointLimit,
    /// What is made of the points besides.
    pub(crate) placing: Placing,
    /// What the points stand on.
    pub(crate) ground: Option<GroundInfo>,
    /// What is known beforehand not to come out as asked for.
    pub(crate) warnings: Vec<Warning>,
    /// What may be wrong with the map, if there is one, when its distances are multiplied.
    pub(crate) lint: Option<&'a dyn Fn(f64) -> Vec<Warning>>,
    /// Where points may lie.
    pub(crate) region: RegionInfo,
    /// The part of the map that is in memory, where it is one.
    pub(crate) part: Option<&'a MapPart>,
    /// Why a part of the map could not be read, in the end.
    pub(crate) fault: Option<&'a dyn Fn() -> Option<Failure>>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// Everything is written, or nobody wanted more.
    Written,
    /// Nothing is written: more of the map is needed.
    Wider(PixelRect),
}

/// What came out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) points: u64,
    pub(crate) end: End,
    pub(crate) unresolved: Option<Unresolved>,
    pub(crate) scale: f64,
    pub(crate) threads: usize,
    pub(crate) expected: f64,
    /// From the first point to the last, their writing included.
    pub(crate) seconds: f64,
}

/// Runs the subcommand.
pub(crate) fn run(args: &SampleArgs) -> Result<(), Failure> {
    if let Some(path) = &args.species {
        return species::run(args, path);
    }
    engine::prepare(args)?;
    args.placing.check(args.count)?;
    let range = field::range(&args.field)?;
    if let Some(size) = args.size {
        field::world(args.origin.unwrap_or_default(), size)?;
    }
    let outputs = Outputs::plan(args)?;
    let drafts = Drafts::with_interrupt();
    let Some(path) = &args.map else {
        if let Some((flag, value)) = args.field.file.given() {
            let problem = "the built-in meadow is no file; give a map";
            return Err(Failure::usage(flag, value, problem));
        }
        let problem = "the built-in meadow is distances already; give a map";
        args.field.shaping.refuse(problem)?;
        let noise = source::meadow(args);
        let source = Source::Meadow(noise);
        let plan = Plan::new(args, source, Lay::of_size(args, MEADOW_SIZE)?, range);
        let field = Perlin::new(range, noise).map_err(|e| Failure::Run(anyhow::Error::new(e)))?;
        return scatter_where_open(plan, &field, &outputs, &drafts).map(|_| ());
    };
    if (args.window.is_some() || args.stream)
        && let Some(file) = PartFile::open(path, &args.field, range)?
    {
        let lay = Lay::of_map(args, path, file.info())?;
        return match args.window {
            Some(window) => window_of_parts(args, &file, &lay, range, &window, &outputs, &drafts),
            None => stream_of_tiles(args, &file, lay, range, &outputs, &drafts),
        };
    }
    let (map, info) = map_file::read_map(path, &args.field)?;
    let lay = Lay::of_map(args, path, &info)?;
    let subject = info.subject.clone();
    let mut warnings = info.warnings.clone();
    if lay.place.is_none() && !args.field.pixels {
        warnings.extend(info.cell_warning(args.size));
    }
    let source = Source::Map(Box::new(info));
    let mut plan = Plan::new(args, source, lay, range);
    plan.warnings.extend(warnings);
    let (world, y_axis) = (plan.lay.world, plan.lay.y_axis);
    let field = field::of_map(map, range, world, y_axis, &args.field)?;
    let lint = |factor| map::lint::findings(&subject, &field, factor, args.rule());
    plan.lint = Some(&lint);
    scatter_where_open(plan, &field, &outputs, &drafts).map(|_| ())
}

/// How far around a window the map is read at first, in greatest distances. More is read where more
/// is asked for.
const MARGIN: f64 = 10.0;

/// A window of a map of which only the part around it is read.
fn window_of_parts(
    args: &SampleArgs,
    file: &PartFile,
    lay: &Lay,
    range: DistRange,
    window: &Bounds<2>,
    outputs: &Outputs,
    drafts: &Drafts,
) -> Result<(), Failure> {
    let grid = grid(file, lay)?;
    // What a region leaves of the map hangs on whether the map itself closes places.
    let is_holed = (args.region.any() || args.ground.height.is_some()) && file.is_holed()?;
    let factor = args.scale_factor.unwrap_or(1.0);
    let mut rect = grid.around(window, MARGIN * factor * range.hi());
    loop {
        let map = file.read(rect)?;
        let part = MapPart::new(grid, rect.min, map, range, args.field.white());
        let mut part = part.map_err(|e| Failure::Run(anyhow::Error::new(e)))?;
        if is_holed {
            part = part.of_holed();
        }
        let source = Source::Map(Box::new(file.info().clone()));
        let plan = Plan {
            part: Some(&part),
            ..Plan::new(args, source, lay.clone(), range)
        };
        match scatter_where_open(plan, &part, outputs, drafts)? {
            Done::Written => return Ok(()),
            Done::Wider(wider) => rect = wider,
        }
    }
}

/// The whole of a map whose tiles are read when they are asked for.
fn stream_of_tiles(
    args: &SampleArgs,
    file: &PartFile,
    lay: Lay,
    range: DistRange,
    outputs: &Outputs,
    drafts: &Drafts,
) -> Result<(), Failure> {
    let map = TiledMap::new(file.tiles(), grid(file, &lay)?, range, args.field.white());
    let mut map = map.map_err(|e| Failure::Run(anyhow::Error::new(e)))?;
    if (args.region.any() || args.ground.height.is_some()) && file.is_holed()? {
        map = map.of_holed();
    }
    let fault = || {
        let fault = map.fault()?;
        Some(Failure::file("", Path::new(&file.info().file), fault))
    };
    let source = Source::Map(Box::new(file.info().clone()));
    let plan = Plan {
        fault: Some(&fault),
        ..Plan::new(args, source, lay, range)
    };
    scatter_where_open(plan, &map, outputs, drafts).map(|_| ())
}

fn grid(file: &PartFile, lay: &Lay) -> Result<PixelGrid, Failure> {
    let info = file.info();
    let grid = PixelGrid::new([info.width, info.height], lay.world, lay.y_axis);
    grid.map_err(|_| field::pixel_size(lay.world))
}

/// As [`scatter`], where the ground and the region's flags allow.
fn scatter_where_open<F: RadiusField<2>>(
    mut plan: Plan<'_>,
    field: &F,
    outputs: &Outputs,
    drafts: &Drafts,
) -> Result<Done, Failure> {
    let args = plan.args;
    let y_axis = plan.lay.y_axis;
    let given = args.size.or(plan.lay.place.as_ref().map(|_| plan.lay.size));
    let ground = args.ground.read(plan.lay.world, given, y_axis)?;
    let (ground, info) = ground.unzip();
    plan.ground = info;
    plan.warnings
        .extend(plan.ground.iter().flat_map(|info| info.warnings.clone()));
    let heights = ground
        .as_ref()
        .map(|region: &GroundRegion| Arc::clone(region.ground()));
    plan.placing = args.placing.placing(args.seed, plan.range, heights)?;
    let lie = Lie {
        world: plan.lay.world,
        y_axis,
        tile: args.tile,
    };
    let regions = Regions::read(&args.region, lie)?;
    if ground.is_none() && regions.is_none() {
        return scatter(&plan, field, outputs, drafts);
    }
    // One engine for all of them, not one for each kind of field.
    let mut field: Box<dyn RadiusField<2> + '_> = Box::new(field);
    if let Some(ground) = ground {
        field = Box::new(Within::new(field, ground));
    }
    if let Some(regions) = &regions {
        plan.region = regions.info().clone();
        plan.warnings.extend(plan.region.warnings.clone());
        field = regions.over(field, args.rule())?;
    }
    scatter(&plan, &field, outputs, drafts)
}

impl<'a> Plan<'a> {
    fn new(args: &'a SampleArgs, source: Source, lay: Lay, range: DistRange) -> Self {
        Self {
            args,
            source,
            lay,
            placing: Placing::default(),
            ground: None,
            range,
            limit: args
                .max_points
                .map_or(PointLimit::default(), PointLimit::Cap),
            warnings: Vec::from_iter(args.placing.warning(&args.output)),
            lint: None,
            region: RegionInfo::default(),
            part: None,
            fault: None,
        }
    }

    fn header(&self) -> Header<2> {
        let mut header = Header::new(
            self.args.algorithm.name(),
            ALGORITHM_VERSION,
            self.args.seed,
            self.args.rule(),
            self.lay.world,
        );
        header.y_axis = self.lay.y_axis;
        header.crs = self.lay.place.as_ref().and_then(|place| place.crs.clone());
        header.placing = self.placing.clone();
        if self.args.lod.is_some() {
            header.columns.rank = Presence::Write;
        }
        header.columns.ids = match self.args.algorithm {
            Algorithm::Scatter => Ids::Hashed,
            Algorithm::Bridson => Ids::Counted,
        };
        header
    }
}

/// What to do when memory does not suffice, though it was expected to.
const ADVICE: &str = "where min_dist changes steeply, --limit 0.25 makes it gentle; or lower \
                      --max-dist, raise --min-dist, shrink --size, or give --threads 1";

/// Streams the points of `field` to every output.
fn scatter<F: RadiusField<2>>(
    plan: &Plan<'_>,
    field: &F,
    outputs: &Outputs,
    drafts: &Drafts,
) -> Result<Done, Failure> {
    let mut engine = Engine::new(plan, field)?;
    let started = Instant::now();
    if let Some(part) = plan.part {
        // It was looked at all over, but only to estimate the points.
        part.forget_asked();
        engine.find()?;
        if let Some(wider) = part.asked_beyond() {
            return Ok(Done::Wider(wider));
        }
    }
    let (expected, threads) = (engine.expected(), engine.threads());
    let mut writers = Writers::open(outputs, drafts, &plan.header(), field)?;
    let progress = if plan.args.quiet {
        Progress::none()
    } else {
        Progress::new()
    };
    let mut check = plan.args.verify.then(Check::default);
    let _watch = Watch::start(drafts, ADVICE);
    let made = engine.run(&progress, &mut |sample| {
        if let Some(check) = &mut check {
            check.add(sample);
        }
        writers.write(sample)
    })?;
    if let Some(failure) = plan.fault.and_then(|fault| fault()) {
        return Err(failure);
    }
    let Some(made) = made else {
        return Ok(Done::Written);
    };
    let outcome = Outcome {
        points: made.points,
        end: made.end,
        unresolved: made.unresolved,
        scale: made.scale,
        threads,
        expected,
        seconds: started.elapsed().as_secs_f64(),
    };
    drop(progress);
    let ControlFlow::Continue(file) = writers.finish()? else {
        return Ok(Done::Written);
    };
    let warnings = found(plan, outputs, outcome);
    file.write(|out| summary::write(out, plan, outputs, outcome, &warnings))?;
    let verified = check
        .map(|check| {
            let field = Scaled::new(field, outcome.scale).map_err(|e| Failure::Run(e.into()))?;
            check.judge(&domain(plan), &field, plan.args.rule(), gaps(plan, outcome))
        })
        .transpose()?;
    drafts.publish()?;
    if !plan.args.quiet {
        tell(&report::closing(plan, outcome));
        if let Some(verified) = verified {
            tell(&verified);
        }
        warnings::tell_all(&warnings);
    }
    Ok(Done::Written)
}

/// What may not have come out as expected.
fn found(plan: &Plan<'_>, outputs: &Outputs, outcome: Outcome) -> Vec<Warning> {
    let mut found = plan.warnings.clone();
    found.extend(outputs.warning(plan.args, plan.lay.y_axis));
    let run = Subject::new(Role::Run, "", &warnings::RUN);
    let end = match outcome.end {
        End::Open { share } => Some(Diagnostic::EarlyEnd { share }),
        End::NotChecked => Some(Diagnostic::EndNotChecked),
        End::Running | End::Complete | End::Capped => None,
    };
    found.extend(end.map(|end| end.about(&run)));
    // --count says only now how large distances are.
    let factor = outcome.scale;
    found.extend(outputs.rounded(&plan.lay.world, factor * plan.range.lo()));
    if let Some(slope) = plan.args.field.shaping.limit
        && factor > 1.0
    {
        found.push(Diagnostic::ScaledLimit { slope, factor }.about(&run));
    }
    found.extend(plan.lint.into_iter().flat_map(|lint| lint(factor)));
    found
}

/// Whether gaps in the points are as they should be.
fn gaps(plan: &Plan<'_>, outcome: Outcome) -> Gaps {
    // --count leaves out the last points of a set without gaps.
    let filled = plan.args.algorithm == Algorithm::Scatter && plan.args.count.is_none();
    if filled && outcome.end == End::Complete {
        Gaps::Undecided(outcome.unresolved.map_or(0.0, |left| left.area))
    } else {
        Gaps::Allow
    }
}

/// The world with what happens at its edges.
fn domain(plan: &Plan<'_>) -> Domain<2> {
    Domain {
        bounds: plan.lay.world,
        edges: if plan.args.tile {
            Edges::Torus
        } else {
            Edges::Open
        },
    }
}
