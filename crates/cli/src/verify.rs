//! `spinney verify`: judges a file of points.

mod args;
mod check;
mod extent;
mod findings;
mod input;
mod table;

pub(crate) use args::VerifyArgs;
pub(crate) use check::Check;

use crate::drafts::Drafts;
use crate::failure::{Failure, print, refuse_given};
use crate::layers::Field;
use crate::numbers::plain;
use crate::open::Open;
use crate::place::World;
use crate::region::Frame;
use crate::{field, outputs, species};
use density::diagnostic::{Diagnostic, Names, Role, Subject, other_system};
use density::{Constant, RadiusField, Scaled};
use findings::Findings;
use input::{Input, MapInput};
use quality::files::Points;
use quality::{Claim, Domain, Edges, Measures, PointSet, judge};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::Note;

/// Runs the subcommand.
pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let report = target(args, "--report", args.report.as_deref(), "json")?;
    let picture = target(args, "--plot", args.plot.as_deref(), "png")?;
    if picture.is_some() && cfg!(not(feature = "plot")) {
        let problem =
            "--plot: this program was built without plots; build it with `--features plot`";
        return Err(Failure::Usage(problem.to_owned()));
    }
    if args.species.is_some() {
        check_species(args)?;
    }
    let drafts = Drafts::with_interrupt();
    // Outputs are opened before the work, which may take long.
    let report = report.map(|path| drafts.open("--report", &path, &path));
    let report = report.transpose()?;
    let picture = picture.map(|path| drafts.open("--plot", &path, &path));
    let picture = picture.transpose()?;
    let input = Input::read(args)?;
    let judged = match (&input.file.points, &args.species) {
        (Points::Flat(set), None) => flat(args, &input, set)?,
        (Points::Flat(set), Some(path)) => layered(args, path, &input, set)?,
        (Points::Solid(set), _) => solid(args, &input, set)?,
    };
    if let Some(output) = report {
        output.write(|out| {
            serde_json::to_writer_pretty(&mut *out, &judged.findings)?;
            out.write_all(b"\n")
        })?;
    }
    if let (Some(output), Some(picture)) = (picture, &judged.picture) {
        output.write(|out| out.write_all(picture))?;
    }
    drafts.publish()?;
    print(&judged.table)?;
    verdict(args, &input, &judged)
}

/// The result of judging.
struct Judged {
    findings: Findings,
    /// The figures for people.
    table: String,
    /// Whether no point may lie anywhere.
    nothing_is_open: bool,
    /// The plot as a PNG.
    picture: Option<Vec<u8>>,
}

/// Refuses flags that do not apply to layers.
fn check_species(args: &VerifyArgs) -> Result<(), Failure> {
    species::refuse(args.map.as_deref(), &args.field)?;
    let cannot = [
        ("--plot", args.plot.is_some()),
        ("--also", !args.also.is_empty()),
    ];
    refuse_given(
        &cannot,
        "not supported with --species, which checks spacing and gaps only: drop one of them",
    )
}

/// Checks the path of an output before anything else happens.
fn target(
    args: &VerifyArgs,
    flag: &str,
    path: Option<&Path>,
    extension: &str,
) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = path else { return Ok(None) };
    outputs::needs_extension(flag, path, extension)?;
    let inputs = args.also.iter().chain(&args.map).chain(&args.species);
    let inputs = inputs.chain([&args.points]);
    let inputs = inputs.chain(args.region.inputs().map(|(_, path)| path));
    outputs::target(flag, path, inputs.map(|path| ("the input", path))).map(Some)
}

fn flat(args: &VerifyArgs, input: &Input, set: &PointSet<2>) -> Result<Judged, Failure> {
    let warnings = input.map.iter().flat_map(|map| &map.info.warnings);
    let mut notes: Vec<Note> = warnings.cloned().map(Note::Warning).collect();
    let placed = input.map.as_ref().and_then(|map| map.place);
    let pixels = |map: &MapInput| [map.info.width, map.info.height].map(f64::from);
    let bounds = match placed {
        Some(place) if args.origin.is_none() && input.domain().is_none() => place.bounds(),
        _ => {
            let size = placed.map(|place| place.bounds().size());
            let size = size.or_else(|| input.map.as_ref().map(pixels));
            extent::domain(args, input.domain(), size, set, &mut notes)?
        }
    };
    let made = match &input.map {
        Some(map) => {
            let field = field::of_map(
                map.map.clone(),
                field::range(&args.field)?,
                bounds,
                input.y_axis,
                &args.field,
            )?;
            let (factor, option) = scale_factor(args, input, &mut notes);
            let scaled = Scaled::new(field, factor);
            Some(scaled.map_err(|e| Failure::usage(&option, plain(factor), e))?)
        }
        None => None,
    };
    let world = Domain {
        bounds,
        edges: input.edges(args, &bounds),
    };
    let map = input.map.as_ref();
    let rows = map.and_then(|map| map.info.rows_warning(&bounds, input.y_axis));
    notes.extend(rows.map(Note::Warning));
    // A size, an origin or one unit per pixel that flags state is meant.
    let is_meant = args.states_world() || args.field.pixels;
    let laid = map.filter(|_| !is_meant).and_then(|map| match placed {
        Some(_) => map.info.place_warning(&bounds),
        None if bounds.size() == pixels(map) => map.info.cell_warning(None),
        None => None,
    });
    notes.extend(laid.map(Note::Warning));
    let map_place = placed.filter(|place| place.bounds() == bounds);
    let system = placed.and_then(|place| place.crs());
    let other = other_system(input.file.run.crs.as_deref(), system.as_deref());
    let unlike = made
        .as_ref()
        .and_then(|made| other_min_dist(set, |_, p| made.min_dist(p)));
    let told = other.into_iter().chain(unlike);
    notes.extend(told.map(|told| Note::Warning(told.about(&subject(args)))));
    args.region.check(rule(args, input))?;
    let frame = Frame {
        world: bounds,
        given: None,
        y_axis: input.y_axis,
        tile: world.edges == Edges::Torus,
        map_place,
        max_pixels: args.field.file.max_pixels,
        by_place: placed.is_some(),
    };
    let open = Open::read(None, &args.region, frame)?;
    notes.extend(open.warnings().into_iter().map(Note::Warning));
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    let mut more = Vec::new();
    for (path, file) in args.also.iter().zip(&input.also) {
        let none = "has no points, so there is no spectrum of it";
        match &file.points {
            _ if set.is_empty() => {
                let problem = format!("{} {none}", args.points.display());
                return Err(Failure::usage("--also", path.display(), problem));
            }
            Points::Flat(set) if set.is_empty() => {
                return Err(Failure::usage(
                    "--also",
                    path.display(),
                    format!("it {none}"),
                ));
            }
            Points::Flat(set) => {
                let outside = set.positions().iter().filter(|&&p| !domain.holds(p));
                let outside = outside.count();
                if outside > 0 {
                    let lie = findings::points_lie(outside);
                    let problem = format!("{lie} outside {}", args.around());
                    return Err(Failure::file("--also ", path, problem));
                }
                more.push(set.clone());
            }
            Points::Solid(_) => {
                let problem = "its points are 3D, those of the first file 2D";
                return Err(Failure::usage("--also", path.display(), problem));
            }
        }
    }
    let field = made.as_ref().map(|f| f as &dyn RadiusField<2>);
    if !args.region.any() {
        return finish(args, input, (set, &more), &domain, field, notes);
    }
    let field = open.restrict_field(base(args, field, set)?, rule(args, input))?;
    finish(args, input, (set, &more), &domain, Some(&*field), notes)
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

/// Judges each layer of a species file and each pair of layers.
fn layered(
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
        return Err(failed(args, &problem));
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
    let (factor, option) = scale_factor(args, input, &mut notes);
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
    notes.extend(unlike.map(|unlike| Note::Warning(unlike.about(&subject(args)))));
    let (fields, apart) = (layers.fields(), layers.apart());
    let report = findings::of_layers(set, &domain, fields, apart, rule, Measures::Spacing);
    let report = report.map_err(|e| failed(args, &e))?;
    let name = args.points.display().to_string();
    Ok(Judged {
        table: table::of_layers(&name, &report, rule, &layers.species, &notes),
        findings: Findings::Layers(Box::new(report)),
        nothing_is_open: false,
        picture: None,
    })
}

/// Returns the factor of the map's distances, from the flag, else from the points' file, and its name in
/// errors.
fn scale_factor(args: &VerifyArgs, input: &Input, notes: &mut Vec<Note>) -> (f64, String) {
    if let Some(factor) = args.scale_factor {
        return (factor, "--scale-factor".to_owned());
    }
    let stated = input.file.run.scale_factor;
    if let Some(factor) = stated {
        let text = format!(
            "distances: multiplied by {}, from the points' file",
            plain(factor)
        );
        notes.push(Note::Assumed(text));
    }
    let option = format!("{}: scale_factor", args.points.display());
    (stated.unwrap_or(1.0), option)
}

/// Returns the conflict rule: from the flag, else from the points' file.
fn rule(args: &VerifyArgs, input: &Input) -> quality::Rule {
    args.rule.or(input.file.run.rule).unwrap_or_default()
}

fn solid(args: &VerifyArgs, input: &Input, set: &PointSet<3>) -> Result<Judged, Failure> {
    let flat_only = [
        ("MAP", args.map.is_some()),
        ("--species", args.species.is_some()),
        ("--also", !args.also.is_empty()),
        ("--mask", args.region.mask.is_some()),
        ("--polygon", !args.region.polygon.is_empty()),
        ("--avoid", !args.region.avoid.is_empty()),
        ("--window", args.window.is_some()),
    ];
    refuse_given(
        &flat_only,
        "for 2D points only, but the file has a column z that is not 0: remove that column, or leave this \
         away to judge in space",
    )?;
    let mut notes = Vec::new();
    let bounds = extent::domain(args, input.domain(), None, set, &mut notes)?;
    let world = Domain {
        bounds,
        edges: input.edges(args, &bounds),
    };
    let domain = extent::judged_domain(args, &input.file, world, &mut notes)?;
    finish(args, input, (set, &[]), &domain, None, notes)
}

fn finish<const D: usize>(
    args: &VerifyArgs,
    input: &Input,
    (set, more): (&PointSet<D>, &[PointSet<D>]),
    domain: &Domain<D>,
    field: Option<&dyn RadiusField<D>>,
    mut notes: Vec<Note>,
) -> Result<Judged, Failure> {
    let rule = rule(args, input);
    if args.rule.is_none() && input.file.run.rule.is_some() {
        let text = format!("rule: {}, from the points' file", rule.name());
        notes.push(Note::Assumed(text));
    }
    let mut assume = |text: &str| notes.push(Note::Assumed(text.to_owned()));
    let claim = match (field, args.field.min_dist, set.min_dist()) {
        (Some(field), _, _) => Claim::Field(field),
        (None, Some(distance), _) => Claim::Uniform(distance),
        (None, None, Some(_)) => {
            assume("min_dist: the points' own column");
            if same_distance(set).is_none() {
                assume(
                    "gaps: places outside each point's own min_dist, as that of other places is \
                     unknown; give MAP for the true gaps",
                );
                let problem =
                    "gaps can be checked only with the map that the points follow: give MAP";
                let gaps = [
                    ("--expect-maximal", args.expect_maximal),
                    ("--max-gap", args.max_gap.is_some()),
                ];
                refuse_given(&gaps, problem)?;
            }
            Claim::Column
        }
        (None, None, None) => {
            let smallest = smallest_distance(set, domain).map_err(|e| failed(args, &e))?;
            assume(
                "min_dist: unknown (no column, no map, no --min-dist); the smallest distance is \
                 used for all, and no pair can break the rule",
            );
            Claim::Uniform(smallest)
        }
    };
    let judgement =
        judge(set, more, domain, claim, rule, Measures::All).map_err(|e| failed(args, &e))?;
    // Where no point may lie, there is no number of points that c could be relative to.
    let nothing_is_open = set.is_empty() && judgement.report.c.is_none();
    #[cfg(feature = "plot")]
    let picture = {
        let title = args.points.display().to_string();
        let y_axis = input.file.run.y_axis.unwrap_or(input.y_axis);
        let draw = |_| quality::plot(&title, y_axis, set, domain, &judgement);
        let picture = args.plot.as_ref().map(draw).transpose();
        picture.map_err(|e| failed(args, &e))?
    };
    // Refused at the beginning.
    #[cfg(not(feature = "plot"))]
    let picture = None;
    Ok(Judged {
        table: table::of_set(
            &args.points.display().to_string(),
            &judgement.report,
            &notes,
        ),
        findings: Findings::Set(Box::new(judgement.report)),
        nothing_is_open,
        picture,
    })
}

/// Minimum distances below this ratio to each other count as equal: files and maps are rounded.
const SAME: f64 = 1.001;

/// Returns a warning if the points' own minimum distances differ from `computed`, which returns the distance at a
/// point, given its index and position.
fn other_min_dist(
    set: &PointSet<2>,
    computed: impl Fn(usize, [f64; 2]) -> Option<f64>,
) -> Option<Diagnostic> {
    let ratio = |[own, wanted]: [f64; 2]| (own / wanted).max(wanted / own);
    let points = set.min_dist()?.iter().zip(set.positions()).enumerate();
    let pairs = points.filter_map(|(nth, (&own, &p))| Some([own, computed(nth, p)?]));
    let unlike: Vec<_> = pairs.filter(|&pair| ratio(pair) > SAME).collect();
    let worst = unlike.iter().copied();
    Some(Diagnostic::OtherMinDist {
        count: unlike.len(),
        points: set.len(),
        worst: worst.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b)))?,
    })
}

/// Returns the distance in the points' column if it is the same for all.
fn same_distance<const D: usize>(set: &PointSet<D>) -> Option<f64> {
    let (first, others) = set.min_dist()?.split_first()?;
    others.iter().all(|d| d == first).then_some(*first)
}

/// Returns the subject of warnings about the points.
fn subject(args: &VerifyArgs) -> Subject {
    Subject::new(Role::Avoid, args.points.display().to_string(), &Names::NONE)
}

fn failed(args: &VerifyArgs, problem: &dyn std::fmt::Display) -> Failure {
    Failure::file("", &args.points, problem)
}

/// Returns the smallest distance of any pair. Points that coincide give the least distance possible, so the
/// pair still counts as a violation.
fn smallest_distance<const D: usize>(
    set: &PointSet<D>,
    domain: &Domain<D>,
) -> Result<f64, quality::QualityError> {
    let least = PointSet::<D>::MOST.recip();
    let any = quality::Requirement::new(set, quality::Rule::Max, Claim::Uniform(least))?;
    let near = quality::measures::nearest(set, domain, &any)?;
    let smallest = near.least_distance().map_or(1.0, |d| d.max(least));
    if smallest == least {
        return Ok(smallest);
    }
    // The square root may be rounded up, so that its own pair would violate it. The next number below is
    // less than the true root, so no pair does.
    let taken = quality::Requirement::new(set, quality::Rule::Max, Claim::Uniform(smallest))?;
    let kept = quality::measures::violations(set, domain, &taken)?.count == 0;
    Ok(if kept { smallest } else { smallest.next_down() })
}

/// The problem where gaps were to be judged, but are not defined.
const GAPS_NOT_DEFINED: &str = "gaps are not defined for this rule or set, or the window is narrower than twice the \
                                greatest min_dist: leave --expect-maximal and --max-gap away";

/// Returns the failure of the run, if the findings call for one.
fn verdict(args: &VerifyArgs, input: &Input, judged: &Judged) -> Result<(), Failure> {
    let findings = &judged.findings;
    let by = match findings {
        Findings::Layers(_) => "their layers allow",
        Findings::Set(_) if args.region.any() => "the map, mask, polygons or points to avoid allow",
        Findings::Set(_) => "the map allows",
    };
    let mut problems = findings.problems(by, args.around());
    if args.expect_maximal || args.max_gap.is_some() {
        let found = findings.gaps();
        // Where no point may lie there is no gap, so the set is maximal.
        if found.iter().any(|(_, gaps)| gaps.is_none()) && !judged.nothing_is_open {
            problems.push(GAPS_NOT_DEFINED.to_owned());
        }
        for (name, gaps) in found {
            let Some(gaps) = gaps else { continue };
            problems.extend(gaps.not_maximal(&name).filter(|_| args.expect_maximal));
            if let Some(most) = args.max_gap
                && gaps.fraction > most
            {
                problems.push(format!(
                    "gaps of {name} cover {:.2e} of its area, more than --max-gap {}",
                    gaps.fraction,
                    plain(most),
                ));
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    let has_layers = match &input.file.points {
        Points::Flat(set) => set.layers().is_some(),
        Points::Solid(set) => set.layers().is_some(),
    };
    if has_layers && args.species.is_none() {
        let advice = "the points have layers: give --species FILE to check each by its own \
                      distances";
        problems.push(advice.to_owned());
    }
    Err(Failure::file("", &args.points, problems.join("; ")))
}
