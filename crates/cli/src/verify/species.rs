//! `spinney verify --species`: each layer and any two of them.

use super::input::Input;
use super::table::{Note, append};
use super::{ADVICE, Output, VerifyArgs, extent, failed};
use crate::drafts::Drafts;
use crate::failure::Failure;
use crate::field;
use crate::guard::Watch;
use crate::region::Lie;
use crate::species::{Given, Open, World, judge, problems, refuse, table};
use anyhow::Context;
use quality::Points;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Runs the subcommand with a species file.
pub(super) fn run(args: &VerifyArgs, path: &Path, report: Option<&Path>) -> Result<(), Failure> {
    refuse(args.map.as_deref(), &args.field)?;
    let cannot = [
        ("--plot", args.plot.is_some()),
        ("--also", !args.also.is_empty()),
        ("--torus", args.torus),
        ("--expect-maximal", args.expect_maximal),
        ("--max-gap", args.max_gap.is_some()),
    ];
    if let Some((flag, _)) = cannot.iter().find(|(_, given)| *given) {
        return Err(Failure::Usage(format!(
            "{flag}: with --species only spacing is judged: drop one of them"
        )));
    }
    let drafts = Drafts::with_interrupt();
    let report = report.map(|path| Output::open(&drafts, "--report", path));
    let report = report.transpose()?;
    let input = Input::read(args)?;
    let _watch = Watch::start(&drafts, ADVICE);
    let Points::Flat(set) = &input.file.points else {
        let problem = "for flat points only, but the file's have a column z";
        return Err(Failure::usage("--species", path.display(), problem));
    };
    // As for points without layers: what the flags say, else the points' file.
    let stated = match (&args.size, &args.origin, input.domain()) {
        (None, None, Some([min, max])) => Some(extent::boxed(min, max)?),
        _ => None,
    };
    let world = World {
        size: extent::axes("--size", args.size.as_ref())?,
        origin: extent::axes("--origin", args.origin.as_ref())?.unwrap_or([0.0; 2]),
        stated,
        rule: input.file.run.rule.unwrap_or_default(),
        y_up: args.field.y_up,
        max_pixels: args.field.file.max_pixels,
    };
    let Given {
        mut layers,
        apart,
        rule,
    } = Given::read(path, args.rule, world)?;
    args.region.check(rule)?;
    let lie = Lie {
        world: layers.world,
        y_axis: field::y_axis(&args.field),
        tile: false,
    };
    let open = Open::read(&args.region, None, lie)?;
    let fields = open.over(std::mem::take(&mut layers.fields), rule)?;
    let judged = judge(set, layers.world, &fields, &apart, rule);
    let judged = judged.map_err(|e| failed(args, &e))?;
    if let Some(output) = report {
        output.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &judged)?;
            out.write_all(b"\n")
        })?;
    }
    drafts.publish()?;
    let name = args.points.display().to_string();
    let mut text = table(&name, &judged, rule, &layers.species);
    let told = layers.told.into_iter().chain(open.info().warnings);
    let mut notes: Vec<Note> = told.map(Note::Warning).collect();
    if stated.is_some() {
        notes.push(Note::stated_domain());
    }
    append(&mut text, &notes, 12);
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            return Err(e).context("stdout").map_err(Failure::Run);
        }
        _ => {}
    }
    match problems(&judged) {
        Some(problems) => Err(failed(args, &problems)),
        None => Ok(()),
    }
}
