//! `spinney sample`: scatters points by maps and writes them to files.

use crate::args::SampleArgs;
use crate::drafts::Drafts;
use crate::failure::{Failure, refuse_given, tell};
use crate::layers::{Layers, Source};
use crate::open::Open;
use crate::outputs::Outputs;
use crate::part_file::{Opened, PartFile};
use crate::place::{INSTEAD, World, WorldPlacement};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::report;
use crate::run::{self, Engine, RunResult};
use crate::verify::Check;
use crate::writers::Writers;
use crate::{conflicts, field, shaping, species, warnings};
use density::decode::DecodeError;
use density::diagnostic::Lint;
use density::{Bounds, DistRange, MapPart, Perlin, PerlinOptions, PixelGrid, PixelRect, TiledMap};
use sampler::{End, Rule};
use std::path::Path;

/// Margin around a window in which the map is read at first, in greatest distances. The margin grows if the
/// evaluation needs more.
const MARGIN: f64 = 10.0;

/// The options of a run, and its outputs.
#[derive(Clone, Copy)]
struct Job<'a> {
    args: &'a SampleArgs,
    outputs: &'a Outputs,
    drafts: &'a Drafts,
}

/// Runs the subcommand.
pub(crate) fn run(args: &SampleArgs) -> Result<(), Failure> {
    conflicts::check(args)?;
    run::start(args)?;
    let range = field::range(&args.field)?;
    args.world.check()?;
    let outputs = Outputs::plan(args)?;
    let drafts = Drafts::with_interrupt();
    let job = Job {
        args,
        outputs: &outputs,
        drafts: &drafts,
    };
    match (&args.species, &args.map) {
        (Some(path), _) => job.species(path),
        (None, Some(path)) => job.map(path, range),
        (None, None) => job.meadow(range),
    }
}

impl Job<'_> {
    /// Samples the layers of a species file.
    fn species(self, path: &Path) -> Result<(), Failure> {
        let args = self.args;
        let (layers, placement, rule) = species::read(path, args.rule, self.world())?;
        // The outputs must not replace the maps either.
        let maps = layers.species.iter().filter_map(|s| s.map.as_ref());
        self.outputs
            .check_maps(maps.map(|map| Path::new(&map.file)))?;
        self.whole(layers, placement, rule.unwrap_or_default())
    }

    /// Samples one layer of noise.
    fn meadow(self, range: DistRange) -> Result<(), Failure> {
        let field = &self.args.field;
        // It holds for a mask and heights too.
        let has_files = self.args.region.any() || self.args.ground.height.is_some();
        let of_all = |flag| flag == "--max-pixels" && has_files;
        if let Some((flag, value)) = field.file.given().filter(|&(flag, _)| !of_all(flag)) {
            let problem = "the built-in meadow is not a file: give MAP";
            return Err(Failure::usage(flag, value, problem));
        }
        let problem = "the built-in meadow has no pixels: give MAP";
        refuse_given(&[("--pixels", field.pixels)], problem)?;
        let problem = "the built-in meadow has no greys to change: give MAP";
        field.shaping.refuse(problem)?;
        // The noise is in world units, so a larger world shows more of the same meadow, not a magnified
        // one.
        let noise = PerlinOptions {
            seed: self.args.seed,
            white: field.white(),
            ..PerlinOptions::default()
        };
        let placement = WorldPlacement::of(&self.world(), &[], INSTEAD)?;
        let perlin = Perlin::new(range, noise).map_err(anyhow::Error::new)?;
        let layers = Layers::one(perlin, Source::Meadow(noise));
        self.whole(layers, placement, self.args.rule())
    }

    /// Samples one layer, following a map.
    fn map(self, path: &Path, range: DistRange) -> Result<(), Failure> {
        let args = self.args;
        let mut not_in_parts = None;
        if args.window.is_some() || args.stream {
            match PartFile::open(path, &args.field, range)? {
                Opened::Parts(file) => {
                    let placement = WorldPlacement::of(&self.world(), &[file.info()], INSTEAD)?;
                    return match args.window {
                        Some(window) => self.window_of_parts(&file, &placement, range, &window),
                        None => self.stream_of_tiles(&file, placement, range),
                    };
                }
                Opened::Whole(why) => not_in_parts = Some(why),
            }
        }
        let read = Layers::read_map(path, &args.field, range, &self.world());
        let (layers, placement) = read.map_err(|failure| match &not_in_parts {
            Some(why) => failure.not_in_parts(why),
            None => failure,
        })?;
        self.whole(layers, placement, args.rule())
    }

    /// Samples layers whose maps are in memory.
    fn whole(
        self,
        layers: Layers<'_>,
        placement: WorldPlacement,
        rule: Rule,
    ) -> Result<(), Failure> {
        let open = self.open(&placement)?;
        self.scatter(&Plan::new(self.args, layers, placement, rule, &open)?)
    }

    /// Samples a window of a map, reading only the part around it.
    fn window_of_parts(
        self,
        file: &PartFile,
        placement: &WorldPlacement,
        range: DistRange,
        window: &Bounds<2>,
    ) -> Result<(), Failure> {
        let args = self.args;
        let grid = grid(file, placement)?;
        let open = self.open(placement)?;
        let is_holed = open.restricts() && file.is_holed()?;
        let factor = args.scale_factor.unwrap_or(1.0);
        let mut rect = grid.around(window, MARGIN * factor * range.hi());
        loop {
            let map = file.read_only(rect)?;
            let lint = self.lint(grid, range);
            lint.add(rect.min, &map);
            let part = MapPart::new(grid, rect.min, map, range, args.field.white());
            let mut part = part.map_err(anyhow::Error::new)?;
            if is_holed {
                part = part.of_holed();
            }
            let layers = Layers::one(&part, Source::Map(Box::new(file.info().clone())));
            let tile_warnings = move || file.warnings_in(rect, &lint);
            let mut plan = Plan::new(args, layers, placement.clone(), args.rule(), &open)?;
            plan.tile_warnings = Some(&tile_warnings);
            let (mut engine, progress) = (Engine::new(&plan)?, self.progress());
            // The estimate requested pixels all over the map; only those of the search count.
            part.forget_asked();
            engine.find(&progress)?;
            match part.asked_beyond() {
                None => return self.write(&plan, engine, progress),
                Some(wider) => rect = wider,
            }
        }
    }

    /// Samples a whole map, reading its tiles on demand.
    fn stream_of_tiles(
        self,
        file: &PartFile,
        placement: WorldPlacement,
        range: DistRange,
    ) -> Result<(), Failure> {
        let white = self.args.field.white();
        let grid = grid(file, &placement)?;
        let open = self.open(&placement)?;
        let lint = self.lint(grid, range);
        let read = |rect: PixelRect| {
            let map = file.pixels(rect)?;
            lint.add(rect.min, &map);
            Ok::<_, DecodeError>(map)
        };
        let map = TiledMap::new(file.tile(), read, grid, range, white);
        let mut map = map.map_err(anyhow::Error::new)?;
        // The smallest islands of a region depend on whether the map has closed places.
        if open.restricts() && !file.is_holed()? {
            map = map.without_holes();
        }
        let read_error = || {
            let fault = map.fault()?;
            Some(Failure::file("", Path::new(&file.info().file), fault))
        };
        let layers = Layers::one(&map, Source::Map(Box::new(file.info().clone())));
        let tile_warnings = || file.warnings_in(grid.whole(), &lint);
        let mut plan = Plan::new(self.args, layers, placement, self.args.rule(), &open)?;
        plan.read_error = Some(&read_error);
        plan.tile_warnings = Some(&tile_warnings);
        self.scatter(&plan)
    }

    /// Returns the properties of the world that the flags state.
    fn world(self) -> World {
        self.args.world.world(&self.args.field)
    }

    /// Returns an empty lint for a map that is read in parts.
    fn lint(self, grid: PixelGrid, range: DistRange) -> Lint {
        // --count, which scales distances too, needs the whole map.
        let factor = self.args.scale_factor.unwrap_or(1.0);
        let white = self.args.field.white();
        Lint::new(grid, range, white, factor, self.args.rule().steepest())
    }

    /// Reads the ground and the region.
    fn open(self, placement: &WorldPlacement) -> Result<Open, Failure> {
        let Self { args, .. } = self;
        let (ground, max_pixels) = (Some(&args.ground), args.field.file.max_pixels);
        Open::read(ground, &args.region, placement, args.tile, max_pixels)
    }

    /// Returns the progress shown on the terminal.
    fn progress(self) -> Progress {
        if self.args.quiet {
            Progress::none()
        } else {
            Progress::new()
        }
    }

    /// Streams the points of all layers to every output.
    fn scatter(self, plan: &Plan<'_>) -> Result<(), Failure> {
        self.write(plan, Engine::new(plan)?, self.progress())
    }

    /// Writes the points of an engine to every output, and prints warnings and the closing line.
    fn write(
        self,
        plan: &Plan<'_>,
        mut engine: Engine<'_, '_>,
        progress: Progress,
    ) -> Result<(), Failure> {
        let Self {
            args,
            outputs,
            drafts,
        } = self;
        // A search that may take long must not end at an unwritable folder; that of a map read in parts is done, as
        // it shows which part is needed.
        let files = outputs.open(drafts)?;
        engine.find(&progress)?;
        let header = plan.header(engine.factor());
        let mut writers =
            Writers::open(outputs, files, &header, &plan.background(engine.factor())?)?;
        let mut check = args.verify.then(Check::default);
        let made = engine.run(&progress, &mut |sample| {
            if let Some(check) = &mut check {
                check.add(sample);
            }
            writers.write(sample)
        });
        if let Some(failure) = plan.read_error.and_then(|first| first()) {
            return Err(failure);
        }
        let made = made?;
        drop(progress);
        let summary = writers.finish()?;
        let found = report::all_warnings(plan, outputs, &made);
        if let Some(summary) = summary {
            summary.write(|out| report::write_summary(out, plan, outputs, &made, &found))?;
        }
        let verified = check.map(|check| verify(check, plan, &made)).transpose()?;
        drafts.publish()?;
        if !args.quiet {
            tell(&report::closing(plan, &made));
            if let Some(verified) = verified {
                tell(&verified);
            }
            warnings::tell_all(&found);
        }
        Ok(())
    }
}

fn grid(file: &PartFile, placement: &WorldPlacement) -> Result<PixelGrid, Failure> {
    let info = file.info();
    let grid = PixelGrid::new([info.width, info.height], placement.world, placement.y_axis);
    grid.map_err(|_| shaping::pixel_size(placement.size))
}

/// Judges points before their files appear.
fn verify(check: Check, plan: &Plan<'_>, made: &RunResult) -> Result<String, Failure> {
    let layers = plan.restricted(made.scale)?;
    // --count and --last leave out the last points of a set without gaps, and Bridson's algorithm leaves
    // gaps.
    let is_whole =
        plan.args.count.is_none() && plan.args.last.is_none() && made.end == End::Complete;
    let unresolved = made.unresolved.filter(|_| is_whole);
    let unresolved = unresolved.map(|left| left.area);
    check.judge(&plan.domain(), &layers, plan.rule, unresolved)
}
