//! Judges points in the plane, without layers.

use super::VerifyArgs;
use super::extent;
use super::findings;
use super::input::{Input, MapInput};
use super::set::{Judged, judge_set, other_min_dist, same_distance};
use super::table::Note;
use crate::failure::Failure;
use crate::field;
use crate::layers::Field;
use crate::numbers::plain;
use crate::open::Open;
use crate::region::Frame;
use density::diagnostic::other_system;
use density::{Bounds, Constant, RadiusField, RadiusMap, Scaled};
use quality::files::Points;
use quality::{Domain, Edges, PointSet};
use std::sync::Arc;

/// Judges a set by the map and inside the region.
pub(super) fn judge(
    args: &VerifyArgs,
    input: &Input,
    set: &PointSet<2>,
) -> Result<Judged, Failure> {
    let map = input.map.as_ref();
    let warnings = map.iter().flat_map(|map| &map.info.warnings);
    let mut notes: Vec<Note> = warnings.cloned().map(Note::Warning).collect();
    let placed = map.and_then(|map| map.place);
    let bounds = match placed {
        Some(place) if args.origin.is_none() && input.domain().is_none() => place.bounds(),
        _ => {
            let size = placed.map(|place| place.bounds().size());
            let size = size.or_else(|| map.map(MapInput::pixels));
            extent::domain(args, input.domain(), size, set, &mut notes)?
        }
    };
    let by_map = map.map(|map| field_of(args, input, map, bounds, &mut notes));
    let by_map = by_map.transpose()?;
    let world = Domain {
        bounds,
        edges: input.edges(args, &bounds),
    };
    notes.extend(
        map.iter()
            .flat_map(|map| misplaced(args, input, map, &bounds)),
    );
    let system = placed.and_then(|place| place.crs());
    let other = other_system(input.file.run.crs.as_deref(), system.as_deref());
    let unlike = by_map
        .as_ref()
        .and_then(|field| other_min_dist(set, |_, p| field.min_dist(p)));
    let told = other.into_iter().chain(unlike);
    notes.extend(told.map(|told| Note::Warning(told.about(&args.subject()))));
    args.region.check(input.rule(args))?;
    let frame = Frame {
        world: bounds,
        given: None,
        y_axis: input.y_axis,
        tile: world.edges == Edges::Torus,
        map_place: placed.filter(|place| place.bounds() == bounds),
        max_pixels: args.field.file.max_pixels,
        by_place: placed.is_some(),
    };
    let open = Open::read(None, &args.region, frame)?;
    notes.extend(open.warnings().into_iter().map(Note::Warning));
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    let more = further_sets(args, input, set, &domain)?;
    let field = by_map.as_ref().map(|f| f as &dyn RadiusField<2>);
    if !args.region.any() {
        return judge_set(args, input, (set, &more), &domain, field, notes);
    }
    let field = open.restrict_field(base(args, field, set)?, input.rule(args))?;
    judge_set(args, input, (set, &more), &domain, Some(&*field), notes)
}

/// Returns the field of the map, its distances multiplied as the points' were.
fn field_of(
    args: &VerifyArgs,
    input: &Input,
    map: &MapInput,
    bounds: Bounds<2>,
    notes: &mut Vec<Note>,
) -> Result<Scaled<RadiusMap>, Failure> {
    let range = field::range(&args.field)?;
    let field = field::of_map(map.map.clone(), range, bounds, input.y_axis, &args.field)?;
    let (factor, option) = input.scale_factor(args, notes);
    Scaled::new(field, factor).map_err(|e| Failure::usage(&option, plain(factor), e))
}

/// Returns warnings of a map that may lie elsewhere than in the world of `bounds`, or upside down.
fn misplaced(
    args: &VerifyArgs,
    input: &Input,
    map: &MapInput,
    bounds: &Bounds<2>,
) -> impl Iterator<Item = Note> {
    let rows = map.info.rows_warning(bounds, input.y_axis);
    // A size, an origin or one unit per pixel that flags state is meant.
    let is_meant = args.states_world() || args.field.pixels;
    let laid = match map.place {
        _ if is_meant => None,
        Some(_) => map.info.place_warning(bounds),
        None if bounds.size() == map.pixels() => map.info.cell_warning(None),
        None => None,
    };
    rows.into_iter().chain(laid).map(Note::Warning)
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

/// Returns the field inside the region: the map's, or one distance for all points.
fn base<'f>(
    args: &VerifyArgs,
    field: Option<&'f dyn RadiusField<2>>,
    set: &PointSet<2>,
) -> Result<Field<'f>, Failure> {
    if let Some(field) = field {
        return Ok(Arc::new(field));
    }
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
