//! Judges points in the plane: one set by a map, or each layer of a species file and each pair of layers.

use super::VerifyArgs;
use super::extent;
use super::findings::{self, Findings};
use super::input::Input;
use super::set::{Judged, judge_set, same_distance};
use super::table::{self, Note};
use crate::failure::Failure;
use crate::layers::{Field, Layers};
use crate::open::Open;
use crate::place::{INSTEAD, World, WorldPlacement};
use crate::{field, species};
use density::Constant;
use density::diagnostic::{Diagnostic, Warning, other_system};
use quality::files::Points;
use quality::{Domain, Edges, Measures, PointSet, Rule};
use std::sync::Arc;

/// Judges a set by the map or the species file, and inside the region. World and layers are those of `sample` with the
/// same flags, but for what the points' file states.
pub(super) fn judge(
    args: &VerifyArgs,
    input: &Input,
    set: &PointSet<2>,
) -> Result<Judged, Failure> {
    let mut notes = Vec::new();
    let (layers, placement, rule) = follow(args, input, set, &mut notes)?;
    let rule = rule.or(input.file.run.rule).unwrap_or_default();
    let y_axis = placement.y_axis;
    input.check_direction(args, y_axis, placement.place.is_some())?;
    args.region.check(rule)?;
    let world = Domain {
        bounds: placement.world,
        edges: input.edges(args, &placement.world),
    };
    // The flag that moved the map out of its system is that of the points' run.
    let moved = |w: &Warning| matches!(w.diagnostic(), Diagnostic::SystemDropped { .. });
    let warning = placement.warning.clone().filter(|w| !moved(w));
    notes.extend(warning.map(Note::Warning));
    let other = other_system(input.file.run.crs.as_deref(), placement.crs().as_deref());
    let mut told = Vec::from_iter(other);
    let layers = match layers {
        Some(layers) => {
            notes.extend(layers.warnings.iter().cloned().map(Note::Warning));
            let (factor, option) = input.scale_factor(args, &mut notes);
            let layers = layers.scaled(factor);
            let layers = layers.map_err(|error| Failure::factor(&option, factor, &error))?;
            told.extend(other_min_dist(&layers, set));
            Some(layers)
        }
        None => None,
    };
    notes.extend(
        told.into_iter()
            .map(|told| Note::Warning(told.about(&args.subject()))),
    );
    let tile = world.edges == Edges::Torus;
    let max_pixels = args.field.file.max_pixels;
    let open = Open::read(None, &args.region, &placement, tile, max_pixels)?;
    notes.extend(open.warnings().into_iter().map(Note::Warning));
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    let layers = layers
        .map(|layers| open.restrict(layers, rule))
        .transpose()
        .map_err(|error| open.refused(error))?;
    let field = match &layers {
        Some(layers) if layers.are_named() => {
            return judge_layers(args, set, &domain, layers, rule, &notes);
        }
        Some(layers) => Some(Arc::clone(&layers.fields()[0].field)),
        None if args.region.any() => {
            let field = open.restrict_field(one_distance(args, set)?, rule);
            Some(field.map_err(|error| open.refused(error))?)
        }
        None => None,
    };
    let more = further_sets(args, input, set, &domain)?;
    let sets = (set, more.as_slice());
    judge_set(args, input, y_axis, sets, &domain, field.as_deref(), notes)
}

/// Returns the layers that the points should follow, if there is a map or a species file, the world, and the rule that
/// the species file or the flag states.
fn follow(
    args: &VerifyArgs,
    input: &Input,
    set: &PointSet<2>,
    notes: &mut Vec<Note>,
) -> Result<(Option<Layers<'static>>, WorldPlacement, Option<Rule>), Failure> {
    let stated = if args.map.is_none() && args.species.is_none() {
        Some(extent::domain(args, input.domain(), set, notes)?)
    } else if let Some([min, max]) = input.domain().filter(|_| !args.states_world()) {
        notes.push(Note::stated_domain());
        Some(extent::boxed(min, max)?)
    } else {
        None
    };
    let world = World {
        size: extent::axes("--size", args.size.as_ref())?,
        origin: extent::axes("--origin", args.origin.as_ref())?,
        stated,
        y_axis: field::y_axis(&args.field),
        pixels: args.field.pixels,
        max_pixels: args.field.file.max_pixels,
    };
    match (&args.species, &args.map) {
        (Some(path), _) => {
            let (layers, placement, rule) = species::read(path, args.rule, world)?;
            Ok((Some(layers), placement, rule))
        }
        (None, Some(path)) => {
            let range = field::range(&args.field)?;
            let (layers, placement) = Layers::read_map(path, &args.field, range, &world)?;
            Ok((Some(layers), placement, args.rule))
        }
        (None, None) => Ok((None, WorldPlacement::of(&world, &[], INSTEAD)?, args.rule)),
    }
}

/// Minimum distances below this ratio to each other count as equal: files and maps are rounded.
const SAME: f64 = 1.001;

/// Returns a warning if the points' own minimum distances differ from those of the map, or of their layers.
fn other_min_dist(layers: &Layers<'_>, set: &PointSet<2>) -> Option<Diagnostic> {
    let computed = |point: usize| {
        let layer = match set.layers() {
            Some(of) if layers.are_named() => usize::try_from(*of.get(point)?).ok()?,
            _ => 0,
        };
        let field = &layers.fields().get(layer)?.field;
        field.min_dist(set.positions()[point])
    };
    let ratio = |[own, wanted]: [f64; 2]| (own / wanted).max(wanted / own);
    let own = set.min_dist()?.iter().enumerate();
    let pairs = own.filter_map(|(point, &own)| Some([own, computed(point)?]));
    let unlike: Vec<_> = pairs.filter(|&pair| ratio(pair) > SAME).collect();
    let worst = unlike.iter().copied();
    Some(Diagnostic::OtherMinDist {
        count: unlike.len(),
        points: set.len(),
        worst: worst.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b)))?,
    })
}

/// Judges each layer, and each pair of layers.
fn judge_layers(
    args: &VerifyArgs,
    set: &PointSet<2>,
    domain: &Domain<2>,
    layers: &Layers<'_>,
    rule: Rule,
    notes: &[Note],
) -> Result<Judged, Failure> {
    let report = findings::of_layers(set, domain, layers, rule, Measures::Spacing);
    let report = report.map_err(|e| args.failed(e))?;
    let name = args.points.display().to_string();
    Ok(Judged {
        table: table::of_layers(&name, &report, rule, &layers.species, notes),
        findings: Findings::Layers(Box::new(report)),
        nothing_is_open: false,
        picture: None,
    })
}

/// Returns the sets of --also, which must be of the same kind and domain as `first`.
fn further_sets(
    args: &VerifyArgs,
    input: &Input,
    first: &PointSet<2>,
    domain: &Domain<2>,
) -> Result<Vec<PointSet<2>>, Failure> {
    let mut sets = Vec::new();
    for (path, file) in args.also.iter().zip(&input.also) {
        let refused = |problem: String| Failure::usage("--also", path.display(), problem);
        let none = "has no points, so there is no spectrum of it";
        if first.is_empty() {
            return Err(refused(format!("{} {none}", args.points.display())));
        }
        let Points::Flat(set) = &file.points else {
            let problem = "its points are 3D, those of the first file 2D";
            return Err(refused(problem.to_owned()));
        };
        if set.is_empty() {
            return Err(refused(format!("it {none}")));
        }
        let outside = set.positions().iter().filter(|&&p| !domain.holds(p));
        let outside = outside.count();
        if outside > 0 {
            let lie = findings::points_lie(outside);
            let problem = format!("{lie} outside {}", args.around());
            return Err(Failure::file("--also ", path, problem));
        }
        sets.push(set.clone());
    }
    Ok(sets)
}

/// Returns the field of one distance for all points.
fn one_distance(args: &VerifyArgs, set: &PointSet<2>) -> Result<Field<'static>, Failure> {
    let Some(distance) = args.field.min_dist.or(same_distance(set)) else {
        let first = args.region.inputs().next();
        let (flag, path) = first.unwrap_or(("POINTS", &args.points));
        let problem = "the min_dist of places between the points is unknown: give MAP, or \
                       --min-dist for all";
        return Err(Failure::usage(flag, path.display(), problem));
    };
    let constant = Constant::new(distance).map_err(|e| Failure::Run(e.into()))?;
    Ok(Arc::new(constant))
}
