//! `spinney sample --species`: several layers, each with a map of its own.

mod file;
mod given;
mod judged;
mod layers;
mod summary;
mod text;

pub(crate) use given::{Given, Open, refuse};
pub(crate) use judged::{judge, problems, table};
pub(crate) use layers::World;
pub(crate) use text::Fault;

use crate::args::{Algorithm, SampleArgs};
use crate::drafts::Drafts;
use crate::failure::{Failure, tell};
use crate::guard::Watch;
use crate::numbers::{grouped, plain};
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::region::Lie;
use crate::writers::Writers;
use crate::{engine, field, memory, report, warnings};
use density::{DistRange, FnField, RadiusField, Warning};
use export::{Header, Ids, Presence};
use given::Places;
use layers::Layers;
use sampler::{ALGORITHM_VERSION, Edges, PointLimit, Rule, Scatter, ScatterOptions, Scattered};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A run, for the closing line and the summary.
struct Run<'a> {
    args: &'a SampleArgs,
    /// The species file.
    path: &'a Path,
    layers: &'a Layers,
    layered: &'a Scatter<'a, 2>,
    places: Places,
    warnings: Vec<Warning>,
    found: Scattered<2>,
    /// Points of each layer.
    counts: Vec<u64>,
    seconds: f64,
}

/// What to do when memory does not suffice, though it was expected to.
const ADVICE: &str = "where min_dist changes steeply, a limit of 0.25 in the species file makes \
                      it gentle; or raise min_dist, shrink --size, or give --threads 1";

/// Runs `sample` with a species file.
pub(crate) fn run(args: &SampleArgs, path: &Path) -> Result<(), Failure> {
    refuse_together(args)?;
    engine::prepare(args)?;
    args.placing.check(args.count)?;
    let outputs = Outputs::plan(args)?;
    let drafts = Drafts::with_interrupt();
    let world = World {
        size: args.size,
        origin: args.origin.unwrap_or_default(),
        stated: None,
        rule: args.rule(),
        y_up: args.field.y_up,
        max_pixels: args.field.file.max_pixels,
    };
    let Given {
        mut layers,
        apart,
        rule,
    } = Given::read(path, args.rule, world)?;
    // A map is an input like any other.
    let maps = layers.species.iter().filter_map(|s| s.map.as_ref());
    outputs.check_inputs(maps.map(|map| Path::new(&map.file)))?;
    let y_axis = field::y_axis(&args.field);
    let ground = args.ground.read(layers.world, layers.given, y_axis)?;
    let (ground, heights) = ground.unzip();
    let lie = Lie {
        world: layers.world,
        y_axis,
        tile: false,
    };
    let open = Open::read(&args.region, ground, lie)?;
    let fields = open.over(std::mem::take(&mut layers.fields), rule)?;
    let options = options(args, rule);
    let layered = Scatter::layered(fields, apart, layers.world, Edges::Open, options)?;
    let range = extent(&layered);
    let header = header(args, &layers, &layered, &open)?;
    // Layers have fields of their own; the picture's ground is paper.
    let paper = FnField::new(range, 0.0, |_: [f64; 2]| range.hi()).map_err(anyhow::Error::new)?;
    let colours = layers.species.iter().map(|s| s.colour).collect();
    let mut writers = Writers::layered(&outputs, &drafts, &header, &paper, colours)?;
    let progress = if args.quiet {
        Progress::none()
    } else {
        Progress::new()
    };
    let _watch = Watch::start(&drafts, ADVICE);
    let started = Instant::now();
    let Some(scattered) = layered.points_with(|at| progress.after(at))? else {
        return Ok(());
    };
    let mut counts = vec![0; layers.species.len()];
    for sample in &scattered.samples {
        if let Some(count) = sample.layer.and_then(|l| counts.get_mut(l as usize)) {
            *count += 1;
        }
        if writers.write(sample)?.is_break() {
            return Ok(());
        }
    }
    drop(progress);
    let ControlFlow::Continue(file) = writers.finish()? else {
        return Ok(());
    };
    let places = Places {
        ground: heights,
        region: open.info(),
    };
    let run = Run {
        args,
        path,
        layers: &layers,
        layered: &layered,
        warnings: found(args, &outputs, &layers, &places, &scattered),
        places,
        found: scattered,
        counts,
        seconds: started.elapsed().as_secs_f64(),
    };
    file.write(|out| summary::write(out, &run, &outputs))?;
    let verified = args.verify.then(|| {
        let samples = &run.found.samples;
        judged::before_writing(
            samples,
            layers.world,
            layered.layers(),
            layered.apart(),
            rule,
        )
    });
    let verified = verified.transpose()?;
    drafts.publish()?;
    if !args.quiet {
        tell(&closing(&run));
        if let Some(verified) = verified {
            tell(&verified);
        }
        warnings::tell_all(&run.warnings);
    }
    Ok(())
}

/// What may not have come out as expected.
fn found(
    args: &SampleArgs,
    outputs: &Outputs,
    layers: &Layers,
    places: &Places,
    scattered: &Scattered<2>,
) -> Vec<Warning> {
    let mut found = Vec::from_iter(args.placing.warning(&args.output));
    found.extend(outputs.warning(args, field::y_axis(&args.field)));
    let distances = scattered.samples.iter().map(|sample| sample.min_dist);
    let least = distances.reduce(f64::min);
    found.extend(
        least
            .into_iter()
            .flat_map(|least| outputs.rounded(&layers.world, least)),
    );
    found.extend(layers.told.iter().chain(&layers.warnings).cloned());
    let ground = places.ground.iter();
    found.extend(ground.flat_map(|info| info.warnings.clone()));
    found.extend(places.region.warnings.iter().cloned());
    found
}

fn options(args: &SampleArgs, rule: Rule) -> ScatterOptions {
    ScatterOptions {
        rule,
        seed: args.seed,
        limit: args
            .max_points
            .map_or(PointLimit::default(), PointLimit::Cap),
        max_bytes: memory::available(),
        levels: args.lod.unwrap_or(0),
    }
}

/// Flags that the species file has keys for, or that layers cannot be combined with.
fn refuse_together(args: &SampleArgs) -> Result<(), Failure> {
    refuse(args.map.as_deref(), &args.field)?;
    let cannot = [
        (
            "--algorithm bridson",
            args.algorithm == Algorithm::Bridson,
            "layers are scattered",
        ),
        ("--tile", args.tile, "layers end at the world's edges"),
        (
            "--count",
            args.count.is_some(),
            "each layer's distances say how many points it has",
        ),
        (
            "--window",
            args.window.is_some(),
            "layers are scattered all over the world",
        ),
        (
            "--scale-factor",
            args.scale_factor.is_some(),
            "each layer has distances of its own",
        ),
        (
            "--stream",
            args.stream,
            "later layers have to know all points of earlier ones",
        ),
    ];
    match cannot.iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((flag, _, why)) => Err(Failure::Usage(format!(
            "{flag}: not with --species, for {why}: drop one of them"
        ))),
    }
}

/// The range of all layers' distances.
fn extent(layered: &Scatter<'_, 2>) -> DistRange {
    let ranges = layered.layers().iter().map(|layer| layer.field.range());
    let all = ranges.reduce(|all, one| {
        DistRange::new(all.lo().min(one.lo()), all.hi().max(one.hi())).unwrap_or(all)
    });
    // There is a layer: the library refuses none.
    all.unwrap_or_else(|| layered.layers()[0].field.range())
}

fn header(
    args: &SampleArgs,
    layers: &Layers,
    layered: &Scatter<'_, 2>,
    open: &Open,
) -> Result<Header<2>, Failure> {
    let mut header = Header::new(
        Algorithm::Scatter.name(),
        ALGORITHM_VERSION,
        args.seed,
        layered.options().rule,
        layers.world,
    );
    header.y_axis = field::y_axis(&args.field);
    let heights = open.ground().map(|region| Arc::clone(region.ground()));
    header.placing = args.placing.placing(args.seed, extent(layered), heights)?;
    header.columns.layer = Presence::Write;
    if args.lod.is_some() {
        header.columns.rank = Presence::Write;
    }
    header.columns.ids = Ids::Hashed;
    header.layers = layers.species.iter().map(|s| s.name.clone()).collect();
    Ok(header)
}

fn closing(run: &Run<'_>) -> String {
    let (args, layers) = (run.args, run.layers);
    let each: Vec<String> = layers
        .species
        .iter()
        .zip(&run.counts)
        .map(|(species, &count)| format!("{} {}", grouped(count), species.name))
        .collect();
    let end = match (run.found.complete, args.max_points) {
        (true, _) => "complete".to_owned(),
        (false, Some(most)) => format!("stopped at --max-points {most}, not complete"),
        (false, None) => "not complete".to_owned(),
    };
    // Of a run that was stopped, what is undecided is not all that is missing.
    let undecided = if run.found.complete && run.found.unresolved > 0 {
        let share = run.found.unresolved_volume / layers.size[0] / layers.size[1];
        let specks = grouped(run.found.unresolved);
        format!(" but for {specks} undecided specks, {share:.1e} of the area")
    } else {
        String::new()
    };
    let origin = args.origin.unwrap_or_default();
    let [x, y] = origin.map(plain);
    let origin = if origin == [0.0, 0.0] {
        String::new()
    } else {
        format!(" at {x},{y}")
    };
    let y_up = if args.field.y_up { ", y up" } else { "" };
    let ranks = match args.lod {
        Some(levels) => format!(", ranks 0..{levels}"),
        None => String::new(),
    };
    let ground = run.places.ground.as_ref();
    format!(
        "{} layers, world {}{origin}{y_up}{}, rule {}, seed {}{ranks}{}{}: {} points ({}) in \
         {:.2} s, {end}{undecided}",
        layers.species.len(),
        report::size(layers.size),
        run.places.region.understood(),
        run.layered.options().rule.name(),
        args.seed,
        ground.map_or_else(String::new, crate::ground::GroundInfo::understood),
        args.placing.understood(),
        grouped(run.found.samples.len() as u64),
        each.join(", "),
        run.seconds,
    )
}
