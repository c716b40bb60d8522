//! From the tables of a species file to layers with fields.

use super::file::{LayerTable, Tables};
use super::text::{Fault, Text};
use crate::args::FieldArgs;
use crate::failure::Failure;
use crate::map_file::{MapArgs, MapInfo, channel, read_layer_map};
use crate::shaping::ShapingArgs;
use crate::warnings::LAYER;
use crate::{field, map};
use density::{
    Alpha, Bounds, Constant, Curve, GreyMap, LevelRange, Levels, MapKind, NoData, RadiusField,
    Side, Warning, White,
};
use sampler::{Layer, Rule};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// A layer's field, whatever it is made from.
pub(crate) type Field<'f> = Arc<dyn RadiusField<2> + 'f>;

/// What is known of a layer beside its field.
#[derive(Clone, Debug)]
pub(crate) struct Species {
    pub(crate) name: String,
    /// Red, green and blue.
    pub(crate) colour: Option<[u8; 3]>,
    pub(crate) map: Option<MapInfo>,
    pub(crate) white: White,
}

/// A layer whose map is read, but not yet spread over a world.
struct Read<'t> {
    table: &'t LayerTable,
    span: Range<usize>,
    args: FieldArgs,
    map: Option<(GreyMap, MapInfo)>,
}

/// The layers of a species file over a world.
pub(crate) struct Layers {
    pub(crate) fields: Vec<Layer<'static, 2>>,
    pub(crate) species: Vec<Species>,
    /// What each field was made of.
    made: Vec<String>,
    pub(crate) world: Bounds<2>,
    pub(crate) size: [f64; 2],
    /// It, unless it was taken from a map's pixels or from nothing at all.
    pub(crate) given: Option<[f64; 2]>,
    /// What may be wrong with the maps.
    pub(crate) warnings: Vec<Warning>,
    /// What may have been read otherwise than it was meant.
    pub(crate) told: Vec<Warning>,
}

/// What a run says of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) size: Option<[f64; 2]>,
    pub(crate) origin: [f64; 2],
    /// What a file of points says, in place of the two.
    pub(crate) stated: Option<Bounds<2>>,
    pub(crate) rule: Rule,
    pub(crate) y_up: bool,
    /// Most pixels of each map.
    pub(crate) max_pixels: Option<u64>,
}

/// Unless a map says how large the world is.
const SIZE: [f64; 2] = [512.0, 512.0];

impl Layers {
    /// Reads the maps and makes the fields.
    pub(crate) fn read(text: &Text, tables: &Tables, run: &World) -> Result<Self, Failure> {
        let mut read = Vec::new();
        for table in &tables.layer {
            read.push(Read::new(text, table, run)?);
        }
        let given = match (run.size, &tables.size) {
            (Some(size), _) => Some(size),
            (None, Some(size)) => {
                let [width, height] = *size.get_ref();
                if !(width > 0.0 && height > 0.0) {
                    let problem = "the world's size must be two positive numbers";
                    return Err(text.fault(&size.span(), problem).into());
                }
                Some([width, height])
            }
            (None, None) => None,
        };
        let first = read.iter().find_map(|layer| layer.map.as_ref());
        let pixels = first.map(|(map, _)| [map.width(), map.height()].map(f64::from));
        let size = given.or(pixels).unwrap_or(SIZE);
        let cells = first.and_then(|(_, info)| info.cell_warning(given));
        let world = match run.stated {
            Some(world) => world,
            None => field::world(run.origin, size)?,
        };
        let size = run.stated.map_or(size, |world| world.size());
        let mut all = Self {
            fields: Vec::new(),
            species: Vec::new(),
            made: Vec::new(),
            world,
            size,
            given: given.or(run.stated.map(|_| size)),
            warnings: cells.into_iter().collect(),
            told: Vec::new(),
        };
        for (number, layer) in read.into_iter().enumerate() {
            all.add(text, layer, number, run)?;
        }
        Ok(all)
    }

    fn add(
        &mut self,
        text: &Text,
        layer: Read<'_>,
        number: usize,
        run: &World,
    ) -> Result<(), Failure> {
        let Read {
            table,
            span,
            args,
            map,
        } = layer;
        let name = table.name.get_ref();
        let failed = |failure| located(text, &span, table, failure);
        let range = field::range(&args).map_err(failed)?;
        let white = args.white();
        let (field, info, what): (Field<'static>, _, String) = match (map, &table.perlin) {
            (Some((map, info)), _) => {
                let what = format!("{} {args:?}", info.file);
                let made = field::of_map(map, range, self.world, field::y_axis(&args), &args)
                    .map_err(failed)?;
                let found = map::lint::findings(&info.subject, &made, 1.0, run.rule);
                self.told.extend(info.warnings.iter().cloned());
                self.warnings.extend(found);
                (Arc::new(made), Some(info), what)
            }
            (None, Some(perlin)) => {
                // So that two layers without seeds do not grow in the same places. Where layers
                // grow is the file's to say, not --seed's: else nobody could judge them by it.
                let noise = perlin.get_ref().options(number as u64, white);
                let made = text.check_perlin(noise, range, &perlin.span())?;
                (Arc::new(made), None, format!("{noise:?} {range:?}"))
            }
            (None, None) => {
                let made =
                    Constant::new(range.lo()).map_err(|e| text.fault(&table.name.span(), e))?;
                (Arc::new(made), None, format!("{range:?}"))
            }
        };
        // Layers of one field are sampled together: they hold the same one.
        let known = self.made.iter().position(|known| *known == what);
        let field = known.map_or(field, |at| Arc::clone(&self.fields[at].field));
        self.made.push(what);
        self.fields.push(Layer {
            share: table.share.as_ref().map_or(1.0, |share| *share.get_ref()),
            turn: table.turn,
            seed: table.seed,
            ..Layer::of(field)
        });
        self.species.push(Species {
            name: name.clone(),
            colour: colour(text, table)?,
            map: info,
            white,
        });
        Ok(())
    }
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
                Some(read_layer_map(&path, &args, name).map_err(failed)?)
            }
        };
        Ok(Self {
            table,
            span,
            args,
            map,
        })
    }
}

/// A layer's keys as the flags of `sample` that they are called after.
fn field_args(text: &Text, table: &LayerTable, run: &World) -> Result<FieldArgs, Failure> {
    let number = |key: &Option<Spanned<f64>>| key.as_ref().map(|n| *n.get_ref());
    let white = [White::Sparse, White::Dense];
    let kinds = [MapKind::Distance, MapKind::Density];
    let sides = [Side::Dense, Side::Sparse];
    let curve = table
        .curve
        .as_ref()
        .map(|curve| Curve::new(curve.get_ref()).map_err(|e| text.fault(&curve.span(), e)));
    let range = table.range.as_ref().map(|range| {
        let [lo, hi] = *range.get_ref();
        let problem = "the levels of black and white must be two numbers, black the smaller; \
                       white = \"dense\" turns the map round";
        LevelRange::new(lo, hi)
            .map(Levels::Between)
            .map_err(|_| text.fault(&range.span(), problem))
    });
    let channel = table
        .channel
        .as_ref()
        .map(|name| channel(name.get_ref()).map_err(|e| text.fault(&name.span(), e)));
    // Without a map there is nothing for distances to follow.
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
            raw_size: table.raw_size.as_ref().map(|size| *size.get_ref()),
            max_pixels: run.max_pixels,
        },
        y_up: run.y_up,
        shaping: ShapingArgs {
            density: table.density.as_ref().map(|d| *d.get_ref()),
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

/// One of a few names; the first when none is given.
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
            "\"{}\" is none of {}",
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

/// What went wrong over a layer, at its place in the file and in terms of its keys.
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
        Failure::Usage(problem) => (String::new(), problem),
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
