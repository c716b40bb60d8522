//! `spinney sample`: from a map to points in files.

use crate::args::{Algorithm, SampleArgs};
use crate::drafts::Drafts;
use crate::engine::{Engine, Unresolved};
use crate::failure::{Failure, tell};
use crate::ground::GroundInfo;
use crate::guard::Watch;
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::region::{Lie, RegionInfo, Regions};
use crate::source::{self, Source};
use crate::verify::{Check, Gaps};
use crate::writers::Writers;
use crate::{engine, field, map, map_file, report, species, summary, warnings};
use density::{
    Bounds, Diagnostic, DistRange, GroundRegion, Perlin, RadiusField, Role, Scaled, Subject,
    Warning, Within,
};
use export::{Header, Ids, Placing, Presence};
use quality::{Domain, Edges};
use sampler::{ALGORITHM_VERSION, End, PointLimit};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// Without a map there are no pixels to take the world's size from.
const MEADOW_SIZE: [f64; 2] = [512.0, 512.0];

/// What was understood.
pub(crate) struct Plan<'a> {
    pub(crate) args: &'a SampleArgs,
    pub(crate) source: Source,
    pub(crate) size: [f64; 2],
    pub(crate) world: Bounds<2>,
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
        field::world(args.origin, size)?;
    }
    let outputs = Outputs::plan(args)?;
    let drafts = Drafts::with_interrupt();
    if let Some(path) = &args.map {
        let (map, info) = map_file::read_map(path, &args.field)?;
        let pixels = [map.width(), map.height()].map(f64::from);
        let subject = info.subject.clone();
        let mut warnings = info.warnings.clone();
        warnings.extend(info.cell_warning(args.size));
        let source = Source::Map(Box::new(info));
        let mut plan = Plan::new(args, source, args.size.unwrap_or(pixels), range)?;
        plan.warnings.extend(warnings);
        let field = field::of_map(map, range, plan.world, &args.field)?;
        let lint = |factor| map::lint::findings(&subject, &field, factor, args.rule());
        plan.lint = Some(&lint);
        scatter_where_open(plan, &field, &outputs, &drafts)
    } else {
        if let Some((flag, value)) = args.field.file.given() {
            let problem = "the built-in meadow is no file; give a map";
            return Err(Failure::usage(flag, value, problem));
        }
        let problem = "the built-in meadow is distances already; give a map";
        args.field.shaping.refuse(problem)?;
        let noise = source::meadow(args);
        let source = Source::Meadow(noise);
        let plan = Plan::new(args, source, args.size.unwrap_or(MEADOW_SIZE), range)?;
        let field = Perlin::new(range, noise).map_err(|e| Failure::Run(anyhow::Error::new(e)))?;
        scatter_where_open(plan, &field, &outputs, &drafts)
    }
}

/// As [`scatter`], where the ground and the region's flags allow.
fn scatter_where_open<F: RadiusField<2>>(
    mut plan: Plan<'_>,
    field: &F,
    outputs: &Outputs,
    drafts: &Drafts,
) -> Result<(), Failure> {
    let args = plan.args;
    let y_axis = field::y_axis(&args.field);
    let ground = args.ground.read(plan.world, args.size, y_axis)?;
    let (ground, info) = ground.unzip();
    plan.ground = info;
    plan.warnings
        .extend(plan.ground.iter().flat_map(|info| info.warnings.clone()));
    let heights = ground
        .as_ref()
        .map(|region: &GroundRegion| Arc::clone(region.ground()));
    plan.placing = args.placing.placing(args.seed, plan.range, heights)?;
    let lie = Lie {
        world: plan.world,
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
    fn new(
        args: &'a SampleArgs,
        source: Source,
        size: [f64; 2],
        range: DistRange,
    ) -> Result<Self, Failure> {
        let world = field::world(args.origin, size)?;
        Ok(Self {
            args,
            source,
            size,
            world,
            placing: Placing::default(),
            ground: None,
            range,
            limit: args
                .max_points
                .map_or(PointLimit::default(), PointLimit::Cap),
            warnings: Vec::from_iter(args.placing.warning(&args.output)),
            lint: None,
            region: RegionInfo::default(),
        })
    }

    fn header(&self) -> Header<2> {
        let mut header = Header::new(
            self.args.algorithm.name(),
            ALGORITHM_VERSION,
            self.args.seed,
            self.args.rule(),
            self.world,
        );
        header.y_axis = field::y_axis(&self.args.field);
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
) -> Result<(), Failure> {
    let engine = Engine::new(plan, field)?;
    let (expected, threads) = (engine.expected(), engine.threads());
    let mut writers = Writers::open(outputs, drafts, &plan.header(), field)?;
    let progress = if plan.args.quiet {
        Progress::none()
    } else {
        Progress::new()
    };
    let mut check = plan.args.verify.then(Check::default);
    let _watch = Watch::start(drafts, ADVICE);
    let started = Instant::now();
    let made = engine.run(&progress, &mut |sample| {
        if let Some(check) = &mut check {
            check.add(sample);
        }
        writers.write(sample)
    })?;
    let Some(made) = made else { return Ok(()) };
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
        return Ok(());
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
    Ok(())
}

/// What may not have come out as expected.
fn found(plan: &Plan<'_>, outputs: &Outputs, outcome: Outcome) -> Vec<Warning> {
    let mut found = plan.warnings.clone();
    found.extend(outputs.warning(plan.args));
    let run = Subject::new(Role::Run, "", &warnings::RUN);
    let end = match outcome.end {
        End::Open { share } => Some(Diagnostic::EarlyEnd { share }),
        End::NotChecked => Some(Diagnostic::EndNotChecked),
        End::Running | End::Complete | End::Capped => None,
    };
    found.extend(end.map(|end| end.about(&run)));
    // --count says only now how large distances are.
    let factor = outcome.scale;
    found.extend(outputs.rounded(&plan.world, factor * plan.range.lo()));
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
        bounds: plan.world,
        edges: if plan.args.tile {
            Edges::Torus
        } else {
            Edges::Open
        },
    }
}
