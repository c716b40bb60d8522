//! Builds layers with fields from the tables of a species file.

use super::file::{LayerTable, Pair, Tables};
use super::text::{Fault, Text};
use crate::failure::Failure;
use crate::field::{self, FieldArgs};
use crate::layers::{Field, Species};
use crate::map_file::{self, MapArgs, MapInfo};
use crate::numbers::short;
use crate::place::{World, WorldPlacement};
use crate::shaping::ShapingArgs;
use crate::warnings::LAYER;
use density::decode::{Alpha, LevelRange, Levels, NoData, Place};
use density::diagnostic::{Diagnostic, corners, misplaced_image};
use density::shape::{Curve, MapKind, Side};
use density::{Constant, GreyMap, Perlin, RadiusMap, White, YAxis};
use sampler::Layer;
use std::path::Path;
use std::sync::Arc;

/// A layer whose map is read, but not yet laid over a world.
struct Read<'t> {
    /// The number of the layer, from 0.
    number: usize,
    table: &'t LayerTable,
    args: FieldArgs,
    map: Option<(GreyMap, MapInfo)>,
}

/// A layer, its properties, and its map.
type BuiltLayer = (Layer<'static, 2>, Species, Option<Arc<RadiusMap>>);

/// Reads the maps and builds the fields.
pub(super) fn read(
    text: &Text,
    tables: &Tables,
    run: &World,
) -> Result<(Vec<BuiltLayer>, WorldPlacement), Failure> {
    let mut read = Vec::new();
    for (number, table) in tables.layer.iter().enumerate() {
        read.push(Read::new(text, number, table, run)?);
    }
    let placement = placement(text, tables, run, &read)?;
    compare_places(text, &mut read, placement.place.is_some())?;
    let mut all: Vec<(String, BuiltLayer)> = Vec::new();
    for layer in read {
        let made = layer.make(text, &placement);
        let made = made.map_err(|failure| of_world(text, tables, run, failure));
        let (what, (mut layer, species, mut map)) = made?;
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
    let mut first: Option<(&str, String, Place)> = None;
    for layer in read {
        let name = &layer.table.name;
        let Some((_, info)) = &mut layer.map else {
            continue;
        };
        let Some(own) = info.place else { continue };
        let Some((other, file, place)) = &first else {
            first = Some((name, info.file.clone(), own));
            continue;
        };
        let found = misplaced_image(&(*place).into(), &own.into());
        if let Some(found) = found.as_ref().filter(|_| is_followed) {
            let [told, others] = [own, *place].map(|place| {
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
            return Err(text.fault(&format!("layer.{}.map", layer.number), problem));
        }
        let subject = info.subject.clone().compared_with(file);
        let found = found.map(|found| found.about(&subject));
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
    let given = run.size.or(tables.size.map(|Pair(size)| size));
    if given.is_some_and(|size| size.iter().any(|side| !(side.is_finite() && *side > 0.0))) {
        let problem = "the world's size must be two positive finite numbers";
        return Err(text.fault("size", problem).into());
    }
    let world = World {
        size: given,
        ..*run
    };
    let maps = read.iter().filter_map(|layer| Some(&layer.map.as_ref()?.1));
    let maps: Vec<&MapInfo> = maps.collect();
    let place = |layer: &&Read| layer.map.as_ref()?.1.place;
    let placed = read.iter().find(|layer| place(layer).is_some());
    let placed = placed.filter(|_| given.is_none());
    WorldPlacement::of(&world, &maps, INSTEAD).map_err(|failure| match placed {
        Some(layer) => layer.located(text, "map", failure),
        None => of_world(text, tables, run, failure),
    })
}

/// Converts a failure about `--size` to a fault of the file's `size`, if the world has its size from there.
fn of_world(text: &Text, tables: &Tables, run: &World, failure: Failure) -> Failure {
    match failure {
        Failure::Value {
            option, problem, ..
        } if option == "--size" && run.size.is_none() && tables.size.is_some() => {
            text.fault("size", problem).into()
        }
        other => other,
    }
}

impl<'t> Read<'t> {
    fn new(
        text: &Text,
        number: usize,
        table: &'t LayerTable,
        run: &World,
    ) -> Result<Self, Failure> {
        let mut read = Self {
            number,
            table,
            args: field_args(text, number, table, run)?,
            map: None,
        };
        if let Some(path) = &table.map {
            let path = text.path.parent().unwrap_or(Path::new("")).join(path);
            let map = field::read_map(&path, &read.args, Some(&table.name));
            read.map = Some(map.map_err(|e| read.located(text, "map", e))?);
        }
        Ok(read)
    }

    /// Converts a failure about the layer to a fault in terms of its keys: at the key to blame, else at `key`. Returns
    /// a failure about a flag of the run unchanged.
    fn located(&self, text: &Text, key: &str, failure: Failure) -> Failure {
        let (key, problem) = match &failure {
            Failure::Value { option, .. } if option.starts_with("--") => return failure,
            Failure::Value {
                option,
                value,
                problem,
            } => (option.as_str(), format!("{option} {value}: {problem}")),
            Failure::Usage(problem) | Failure::TooLarge(problem) => (key, problem.clone()),
            Failure::Run(problem) => (key, format!("{problem:#}")),
            Failure::Parse(_) | Failure::PipeClosed => return failure,
        };
        let problem = format!("layer \"{}\": {problem}", self.table.name);
        let at = format!("layer.{}.{key}", self.number);
        text.fault(&at, problem).into()
    }

    /// Builds the layer over its world. The string identifies its field: equal strings mean equal fields.
    fn make(
        mut self,
        text: &Text,
        placement: &WorldPlacement,
    ) -> Result<(String, BuiltLayer), Failure> {
        let map = self.map.take();
        let Self { table, args, .. } = &self;
        let failed = |failure| self.located(text, "", failure);
        let fault =
            |key: &str, problem| text.fault(&format!("layer.{}.{key}", self.number), problem);
        let range = field::range(args).map_err(failed)?;
        let white = args.white();
        let mut of_map = None;
        let mut about = None;
        let (field, what): (Field<'static>, String) = match (map, &table.perlin) {
            (Some((map, info)), _) => {
                let what = format!("{} {args:?}", info.file);
                let made = field::of_map(map, range, placement.world, placement.y_axis, args);
                let made = Arc::new(made.map_err(failed)?);
                of_map = Some(Arc::clone(&made));
                about = Some(info);
                (made, what)
            }
            (None, Some(perlin)) => {
                // The number as a seed gives layers without seeds different noise. --seed does not affect
                // it, so that `verify` can rebuild the field from the file alone.
                let noise = perlin.options(self.number as u64, white);
                let made = Perlin::new(range, noise);
                let made = made.map_err(|e| fault("perlin", e.to_string()))?;
                (Arc::new(made), format!("{noise:?} {range:?}"))
            }
            (None, None) => {
                let made = Constant::new(range.lo());
                let made = made.map_err(|e| fault("name", e.to_string()))?;
                (Arc::new(made), format!("{range:?}"))
            }
        };
        let layer = Layer {
            share: table.share.unwrap_or(1.0),
            turn: table.turn,
            seed: table.seed,
            ..Layer::of(field)
        };
        let species = Species {
            name: table.name.clone(),
            colour: colour(table.colour.as_deref()).map_err(|e| fault("colour", e))?,
            map: about,
            white,
            limit: args.shaping.limit,
        };
        Ok((what, (layer, species, of_map)))
    }
}

/// Converts a layer's keys to the flags of `sample` of the same names.
fn field_args(
    text: &Text,
    number: usize,
    table: &LayerTable,
    run: &World,
) -> Result<FieldArgs, Fault> {
    let fault = |key: &str, problem| text.fault(&format!("layer.{number}.{key}"), problem);
    let curve = table.curve.as_ref().map(|curve| {
        let points: Vec<[f64; 2]> = curve.iter().map(|point| point.0).collect();
        Curve::new(&points).map_err(|e| fault("curve", e.to_string()))
    });
    let range = table.range.map(|Pair([lo, hi])| {
        let problem = "black must be a finite level below white; white = \"dense\" inverts the map";
        let range = LevelRange::new(lo, hi).map(Levels::Between);
        range.map_err(|_| fault("range", problem.to_owned()))
    });
    let channel = table.channel.as_ref();
    let channel = channel.map(|name| map_file::channel(name).map_err(|e| fault("channel", e)));
    let white = chosen(table.white.as_ref(), &White::ALL, White::name);
    let alpha = chosen(table.alpha.as_ref(), &Alpha::ALL, Alpha::name);
    let kind = chosen(table.map_is.as_ref(), &MapKind::ALL, MapKind::name);
    let keep = chosen(table.limit_keep.as_ref(), &Side::ALL, Side::name);
    // Without a map and without noise all distances are the same.
    let is_even = table.map.is_none() && table.perlin.is_none();
    Ok(FieldArgs {
        pixels: false,
        min_dist: table.min_dist,
        max_dist: table.max_dist.or(table.min_dist.filter(|_| is_even)),
        white: Some(white.map_err(|e| fault("white", e))?),
        file: MapArgs {
            channel: channel.transpose()?,
            alpha: Some(alpha.map_err(|e| fault("alpha", e))?),
            range: range.transpose()?,
            no_data: table.nodata.map(NoData::new),
            raw_size: table.raw_size.map(|Pair(size)| size),
            max_pixels: run.max_pixels,
            ..MapArgs::default()
        },
        y_up: run.y_axis == YAxis::Up,
        shaping: ShapingArgs {
            density: table.density.map(|Pair(ends)| ends),
            srgb: table.srgb,
            gamma: table.gamma,
            curve: curve.transpose()?,
            kind: Some(kind.map_err(|e| fault("map_is", e))?),
            limit: table.limit,
            limit_keep: keep.map_err(|e| fault("limit_keep", e))?,
        },
        names: &LAYER,
    })
}

/// Returns the value of the given name, or the first of `all` if none is given.
pub(super) fn chosen<T: Copy>(
    given: Option<&String>,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, String> {
    let Some(given) = given else {
        return Ok(all[0]);
    };
    let found = all.iter().find(|&&value| name(value) == given);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        format!("\"{given}\" is not one of {}", names.join(", "))
    })
}

/// Parses a colour.
fn colour(text: Option<&str>) -> Result<Option<[u8; 3]>, String> {
    let Some(text) = text else {
        return Ok(None);
    };
    let digits = text.strip_prefix('#').unwrap_or_default();
    let plain = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match u32::from_str_radix(digits, 16) {
        Ok(rgb) if plain => Ok(Some([16, 8, 0].map(|shift| (rgb >> shift) as u8))),
        _ => Err("a colour is written as \"#rrggbb\", like \"#2f6b3a\"".to_owned()),
    }
}
