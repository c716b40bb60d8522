//! Builds layers with fields from the tables of a species file.

use super::World;
use super::file::{LayerTable, Tables};
use super::text::{Fault, Text};
use crate::failure::Failure;
use crate::field::{self, FieldArgs};
use crate::layers::{Field, Species};
use crate::map_file::{MapArgs, MapInfo, channel};
use crate::numbers::short;
use crate::place::WorldPlacement;
use crate::shaping::ShapingArgs;
use crate::warnings::LAYER;
use density::decode::{Alpha, LevelRange, Levels, NoData, Place};
use density::diagnostic::{Diagnostic, corners, misplaced_image};
use density::shape::{Curve, MapKind, Side};
use density::{Constant, GreyMap, RadiusMap, White, YAxis};
use sampler::Layer;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// A layer whose map is read, but not yet laid over a world.
struct Read<'t> {
    table: &'t LayerTable,
    span: Range<usize>,
    args: FieldArgs,
    map: Option<(GreyMap, MapInfo)>,
}

/// The size of the world, unless flags, the file or a map state one.
const SIZE: [f64; 2] = [512.0, 512.0];

/// A layer, its properties, and its map.
type BuiltLayer = (Layer<'static, 2>, Species, Option<Arc<RadiusMap>>);

/// Reads the maps and builds the fields.
pub(super) fn read(
    text: &Text,
    tables: &Tables,
    run: &World,
) -> Result<(Vec<BuiltLayer>, WorldPlacement), Failure> {
    let mut read = Vec::new();
    for table in &tables.layer {
        read.push(Read::new(text, table, run)?);
    }
    let placement = placement(text, tables, run, &read)?;
    compare_places(text, &mut read, placement.place.is_some())?;
    let mut all: Vec<(String, BuiltLayer)> = Vec::new();
    for (number, layer) in read.into_iter().enumerate() {
        let (what, (mut layer, species, mut map)) = layer.make(text, number, &placement)?;
        // Layers with identical fields share one field, and are sampled together.
        if let Some((_, same)) = all.iter().find(|(other, _)| *other == what) {
            layer.field = Arc::clone(&same.0.field);
            map.clone_from(&same.2);
        }
        all.push((what, (layer, species, map)));
    }
    let all = all.into_iter().map(|(_, made)| made).collect();
    Ok((all, placement))
}

/// Compares the places that maps state with the first one stated. If that first place is used, refuses maps
/// that lie a tenth of a pixel or more off it, or in another system. If the first place is not used, warns of such
/// maps.
fn compare_places(text: &Text, read: &mut [Read], is_followed: bool) -> Result<(), Fault> {
    let mut first: Option<(&str, Place)> = None;
    for layer in read {
        let (at, name) = (layer.map_span(), layer.table.name.get_ref());
        let Some((_, info)) = &mut layer.map else {
            continue;
        };
        let Some(own) = info.place else { continue };
        let Some((other, place)) = first else {
            first = Some((name, own));
            continue;
        };
        let found = misplaced_image(&place.into(), &own.into());
        if let Some(found) = found.as_ref().filter(|_| is_followed) {
            let [told, others] = [own, place].map(|place| {
                let system = place
                    .crs()
                    .map_or(String::new(), |crs| format!(" in {crs}"));
                format!("{}{system}", corners(&place.bounds()))
            });
            let off = match found {
                Diagnostic::Elsewhere { pixels, .. } => format!(", {} pixels off", short(*pixels)),
                _ => String::new(),
            };
            let problem = format!(
                "layer \"{name}\": {} covers {told}, but the map of layer \"{other}\" \
                 covers {others}{off}: warp it with gdalwarp -t_srs and -te, or give {INSTEAD}",
                info.file
            );
            return Err(text.fault(&at, problem));
        }
        let found = found.into_iter().map(|found| found.about(&info.subject));
        info.warnings.extend(found);
    }
    Ok(())
}

/// Advice for a place that cannot be used.
const INSTEAD: &str = "size = [width, height] of the world";

/// Returns the world of the layers: from flags or the file, or else from the first map with a place.
fn placement(
    text: &Text,
    tables: &Tables,
    run: &World,
    read: &[Read],
) -> Result<WorldPlacement, Failure> {
    let given = match (run.size, &tables.size) {
        (Some(size), _) => Some(size),
        (None, Some(size)) => {
            let [width, height] = size.get_ref().0;
            if ![width, height]
                .iter()
                .all(|side| side.is_finite() && *side > 0.0)
            {
                let problem = "the world's size must be two positive finite numbers";
                return Err(text.fault(&size.span(), problem).into());
            }
            Some([width, height])
        }
        (None, None) => None,
    };
    let placed = read.iter().find_map(|layer| {
        let (_, info) = layer.map.as_ref()?;
        Some((layer, info, info.place?))
    });
    let first = read.iter().find_map(|layer| layer.map.as_ref());
    let mut placement = if let (None, Some((layer, info, place))) = (given, placed) {
        let pixels = [info.width, info.height];
        let at = WorldPlacement::at(Path::new(&info.file), place, pixels, run.origin, INSTEAD);
        at.map_err(|e| located(text, &layer.map_span(), layer.table, e))?
    } else {
        let pixels = first.map(|(map, _)| [map.width(), map.height()].map(f64::from));
        let size = given.or(pixels).unwrap_or(SIZE);
        let located = |failure| match (failure, &tables.size) {
            (Failure::Value { problem, .. }, Some(said)) if run.size.is_none() => {
                text.fault(&said.span(), problem).into()
            }
            (other, _) => other,
        };
        WorldPlacement::plain(run.origin, size, given, run.y_axis).map_err(located)?
    };
    if let Some(world) = run.stated {
        placement.world = world;
        placement.size = world.size();
        placement.map_place = placement.map_place.filter(|p| p.bounds() == world);
    }
    if placement.place.is_none() {
        let cells = first.and_then(|(_, info)| info.cell_warning(given));
        let rows = || placed?.1.rows_warning(&placement.world, run.y_axis);
        placement.warning = cells.or_else(rows);
    }
    Ok(placement)
}

impl<'t> Read<'t> {
    fn new(text: &Text, table: &'t Spanned<LayerTable>, run: &World) -> Result<Self, Failure> {
        let (span, table) = (table.span(), table.get_ref());
        let args = field_args(text, table, run)?;
        let map = match &table.map {
            None => None,
            Some(path) => {
                let beside = text.path.parent().unwrap_or(Path::new(""));
                let path_span = path.span();
                let failed = |failure| located(text, &path_span, table, failure);
                let path = beside.join(path.get_ref());
                let name = table.name.get_ref();
                Some(field::read_map(&path, &args, Some(name)).map_err(failed)?)
            }
        };
        Ok(Self {
            table,
            span,
            args,
            map,
        })
    }

    /// Returns the position of the layer's map in the text.
    fn map_span(&self) -> Range<usize> {
        span(self.table.map.as_ref()).unwrap_or_else(|| self.span.clone())
    }

    /// Builds the layer over its world. The string identifies its field: equal strings mean equal fields.
    fn make(
        self,
        text: &Text,
        number: usize,
        placement: &WorldPlacement,
    ) -> Result<(String, BuiltLayer), Failure> {
        let Self {
            table,
            span,
            args,
            map,
        } = self;
        let failed = |failure| located(text, &span, table, failure);
        let range = field::range(&args).map_err(failed)?;
        let white = args.white();
        let mut of_map = None;
        let mut about = None;
        let (field, what): (Field<'static>, String) = match (map, &table.perlin) {
            (Some((map, info)), _) => {
                let what = format!("{} {args:?}", info.file);
                let made = field::of_map(map, range, placement.world, placement.y_axis, &args);
                let made = Arc::new(made.map_err(failed)?);
                of_map = Some(Arc::clone(&made));
                about = Some(info);
                (made, what)
            }
            (None, Some(perlin)) => {
                // The number as a seed gives layers without seeds different noise. --seed does not affect
                // it, so that `verify` can rebuild the field from the file alone.
                let noise = perlin.get_ref().options(number as u64, white);
                let made = text.check_perlin(noise, range, &perlin.span())?;
                (Arc::new(made), format!("{noise:?} {range:?}"))
            }
            (None, None) => {
                let made =
                    Constant::new(range.lo()).map_err(|e| text.fault(&table.name.span(), e))?;
                (Arc::new(made), format!("{range:?}"))
            }
        };
        let layer = Layer {
            share: table.share.as_ref().map_or(1.0, |share| *share.get_ref()),
            turn: table.turn,
            seed: table.seed,
            ..Layer::of(field)
        };
        let species = Species {
            name: table.name.get_ref().clone(),
            colour: colour(text, table)?,
            map: about,
            white,
            limit: args.shaping.limit,
        };
        Ok((what, (layer, species, of_map)))
    }
}

/// Converts a layer's keys to the flags of `sample` of the same names.
fn field_args(text: &Text, table: &LayerTable, run: &World) -> Result<FieldArgs, Failure> {
    let number = |key: &Option<Spanned<f64>>| key.as_ref().map(|n| *n.get_ref());
    let white = [White::Sparse, White::Dense];
    let kinds = [MapKind::Distance, MapKind::Density];
    let sides = [Side::Dense, Side::Sparse];
    let curve = table.curve.as_ref().map(|curve| {
        let points: Vec<[f64; 2]> = curve.get_ref().iter().map(|point| point.0).collect();
        Curve::new(&points).map_err(|e| text.fault(&curve.span(), e))
    });
    let range = table.range.as_ref().map(|range| {
        let [lo, hi] = range.get_ref().0;
        let problem = "black must be a finite level below white; white = \"dense\" inverts the map";
        LevelRange::new(lo, hi)
            .map(Levels::Between)
            .map_err(|_| text.fault(&range.span(), problem))
    });
    let channel = table
        .channel
        .as_ref()
        .map(|name| channel(name.get_ref()).map_err(|e| text.fault(&name.span(), e)));
    // Without a map and without noise all distances are the same.
    let even = table.map.is_none() && table.perlin.is_none();
    let min_dist = number(&table.min_dist);
    Ok(FieldArgs {
        pixels: false,
        min_dist,
        max_dist: number(&table.max_dist).or(if even { min_dist } else { None }),
        white: Some(chosen(text, table.white.as_ref(), &white, White::name)?),
        file: MapArgs {
            channel: channel.transpose()?,
            alpha: Some(chosen(
                text,
                table.alpha.as_ref(),
                &Alpha::ALL,
                Alpha::name,
            )?),
            range: range.transpose()?,
            no_data: number(&table.nodata).map(NoData::new),
            raw_size: table.raw_size.as_ref().map(|size| size.get_ref().0),
            max_pixels: run.max_pixels,
            ..MapArgs::default()
        },
        y_up: run.y_axis == YAxis::Up,
        shaping: ShapingArgs {
            density: table.density.as_ref().map(|d| d.get_ref().0),
            srgb: table.srgb,
            gamma: number(&table.gamma),
            curve: curve.transpose()?,
            kind: Some(chosen(text, table.map_is.as_ref(), &kinds, MapKind::name)?),
            limit: number(&table.limit),
            limit_keep: chosen(text, table.limit_keep.as_ref(), &sides, Side::name)?,
        },
        names: &LAYER,
    })
}

/// Returns the value of the given name, or the first value if none is given.
pub(super) fn chosen<T: Copy>(
    text: &Text,
    given: Option<&Spanned<String>>,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Fault> {
    let wanted = given.map(|given| given.get_ref().as_str());
    let found = match wanted {
        None => all.first(),
        Some(wanted) => all.iter().find(|&&value| name(value) == wanted),
    };
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        let problem = format!(
            "\"{}\" is not one of {}",
            wanted.unwrap_or_default(),
            names.join(", ")
        );
        text.fault(&given.map_or(0..0, Spanned::span), problem)
    })
}

fn colour(text: &Text, table: &LayerTable) -> Result<Option<[u8; 3]>, Fault> {
    let Some(colour) = &table.colour else {
        return Ok(None);
    };
    let digits = colour.get_ref().strip_prefix('#').unwrap_or_default();
    let plain = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match u32::from_str_radix(digits, 16) {
        Ok(rgb) if plain => Ok(Some([16, 8, 0].map(|shift| (rgb >> shift) as u8))),
        _ => {
            let problem = "a colour is written as \"#rrggbb\", like \"#2f6b3a\"";
            Err(text.fault(&colour.span(), problem))
        }
    }
}

/// Converts a failure about a layer to a fault at its position in the file, in terms of its keys.
fn located(text: &Text, at: &Range<usize>, table: &LayerTable, failure: Failure) -> Failure {
    let (key, problem) = match failure {
        Failure::Value {
            option,
            value,
            problem,
        } => {
            let problem = format!("{option} {value}: {problem}");
            (option, problem)
        }
        Failure::Usage(problem) | Failure::TooLarge(problem) => (String::new(), problem),
        Failure::Run(problem) => (String::new(), format!("{problem:#}")),
        other @ Failure::Parse(_) => return other,
    };
    let blamed = match &*key {
        "min_dist" => span(table.min_dist.as_ref()),
        "max_dist" => span(table.max_dist.as_ref()),
        "raw_size" => span(table.raw_size.as_ref()),
        "density" => span(table.density.as_ref()),
        "channel" => span(table.channel.as_ref()),
        "range" => span(table.range.as_ref()),
        "nodata" => span(table.nodata.as_ref()),
        "gamma" => span(table.gamma.as_ref()),
        "limit" => span(table.limit.as_ref()),
        _ => None,
    };
    let at = blamed.as_ref().unwrap_or(at);
    let name = table.name.get_ref();
    text.fault(at, format!("layer \"{name}\": {problem}"))
        .into()
}

fn span<T>(key: Option<&Spanned<T>>) -> Option<Range<usize>> {
    key.map(Spanned::span)
}
