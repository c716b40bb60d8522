//! Judges each layer of a species file, and each pair of layers.

use super::VerifyArgs;
use super::extent;
use super::findings::{self, Findings};
use super::input::Input;
use super::set::{Judged, other_min_dist};
use super::table::{self, Note};
use crate::failure::Failure;
use crate::open::Open;
use crate::place::World;
use crate::{field, species};
use quality::{Domain, Edges, Measures, PointSet};
use std::path::Path;

/// Judges a set by a species file and inside the region.
pub(super) fn judge(
    args: &VerifyArgs,
    path: &Path,
    input: &Input,
    set: &PointSet<2>,
) -> Result<Judged, Failure> {
    // As for points without layers, flags override the points' file.
    let stated = input.domain().filter(|_| !args.states_world());
    let stated = stated
        .map(|[min, max]| extent::boxed(min, max))
        .transpose()?;
    let world = World {
        size: extent::axes("--size", args.size.as_ref())?,
        origin: extent::axes("--origin", args.origin.as_ref())?,
        stated,
        y_axis: input.y_axis,
        pixels: false,
        max_pixels: args.field.file.max_pixels,
    };
    let (layers, placement, rule) = species::read(path, args.rule, world)?;
    let rule = rule.or(input.file.run.rule).unwrap_or_default();
    let by_place = placement.place.is_some();
    if let Some(problem) = field::upside_down(&input.file.run, placement.y_axis, by_place) {
        return Err(args.failed(problem));
    }
    args.region.check(rule)?;
    let edges = input.edges(args, &placement.world);
    let frame = placement.frame(edges == Edges::Torus, world.max_pixels);
    let open = Open::read(None, &args.region, frame)?;
    let warnings = layers.warnings.iter().cloned().chain(open.warnings());
    let mut notes: Vec<Note> = warnings.map(Note::Warning).collect();
    if stated.is_some() {
        notes.push(Note::stated_domain());
    }
    let (factor, option) = input.scale_factor(args, &mut notes);
    let layers = open.restrict(layers.scaled(factor, &option)?, rule)?;
    let world = Domain {
        bounds: placement.world,
        edges,
    };
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    let unlike = other_min_dist(set, |nth, p| {
        let layer = usize::try_from(*set.layers()?.get(nth)?).ok()?;
        layers.fields().get(layer)?.field.min_dist(p)
    });
    notes.extend(unlike.map(|unlike| Note::Warning(unlike.about(&args.subject()))));
    let (fields, apart) = (layers.fields(), layers.apart());
    let report = findings::of_layers(set, &domain, fields, apart, rule, Measures::Spacing);
    let report = report.map_err(|e| args.failed(e))?;
    let name = args.points.display().to_string();
    Ok(Judged {
        table: table::of_layers(&name, &report, rule, &layers.species, &notes),
        findings: Findings::Layers(Box::new(report)),
        nothing_is_open: false,
        picture: None,
    })
}
