//! Species files: layers to text and back.

use crate::engine::KEYS;
use crate::error::Refused;
use crate::pictures::{Picture, read};
use crate::session::{Between, Session, State};
use crate::settings::{LayerSettings, Settings, chosen, map_name};
use density::decode::{Alpha, Channel, LevelRange, Levels, NoData, ReadOptions};
use density::shape::{Curve, ShapeError, Tone};
use density::{DistRange, GreyMap};
use sampler::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// A species file, restricted to what the page has controls for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    size: Option<Pair<f64>>,
    rule: Option<String>,
    #[serde(default)]
    layer: Vec<LayerTable>,
    #[serde(default)]
    apart: Vec<ApartTable>,
}

/// A list of exactly two elements. The TOML reader ignores further elements of an array of fixed length.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>")]
struct Pair<T>([T; 2]);

impl<T> TryFrom<Vec<T>> for Pair<T> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        let two = list.try_into().map(Self);
        two.map_err(|list: Vec<T>| format!("expected a list of two, not of {}", list.len()))
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerTable {
    name: String,
    map: Option<String>,
    min_dist: Option<f64>,
    max_dist: Option<f64>,
    white: Option<String>,
    map_is: Option<String>,
    limit: Option<f64>,
    limit_keep: Option<String>,
    share: Option<f64>,
    #[serde(default)]
    turn: u32,
    colour: Option<String>,

    // Keys that are applied when the file is opened, and are not saved.
    density: Option<Pair<f64>>,
    channel: Option<String>,
    alpha: Option<String>,
    range: Option<Pair<f64>>,
    nodata: Option<f64>,
    srgb: Option<bool>,
    gamma: Option<f64>,
    curve: Option<Vec<Pair<f64>>>,

    // Keys of the command line that have no control on the page. Only their presence matters.
    perlin: Option<toml::Value>,
    raw_size: Option<toml::Value>,
    seed: Option<toml::Value>,
}

impl LayerTable {
    /// Refuses keys that have no control on the page.
    fn check_keys(&self) -> Result<(), Refused> {
        let keys = [
            (
                "perlin",
                self.perlin.is_some(),
                "make a map with spinney map perlin, and give it to the layer",
            ),
            (
                "raw_size",
                self.raw_size.is_some(),
                "raw maps are not read: give a PNG or TIFF",
            ),
            (
                "seed",
                self.seed.is_some(),
                "drop it, or run spinney sample --species, which supports it",
            ),
        ];
        match keys.into_iter().find(|(_, is_given, _)| *is_given) {
            Some((key, _, advice)) => {
                Err(self.refused(format!("{key} has no control here: {advice}")))
            }
            None => Ok(()),
        }
    }

    /// Refuses keys that have no effect without a map.
    fn check_map(&self) -> Result<(), Refused> {
        if self.map.is_some() {
            return Ok(());
        }
        let has_range = |Pair([least, most])| least != most;
        let has_max = self.max_dist.is_some() && self.max_dist != self.min_dist;
        let keys = [
            ("max_dist", has_max),
            ("a range of densities", self.density.is_some_and(has_range)),
            ("white", self.white.is_some()),
            ("map_is", self.map_is.is_some()),
            ("limit", self.limit.is_some()),
            ("channel", self.channel.is_some()),
            ("alpha", self.alpha.is_some()),
            ("range", self.range.is_some()),
            ("nodata", self.nodata.is_some()),
            ("srgb", self.srgb == Some(true)),
            ("gamma", self.gamma.is_some()),
            ("curve", self.curve.is_some()),
        ];
        match keys.into_iter().find(|(_, is_given)| *is_given) {
            Some((key, _)) => {
                let problem = format!("{key} needs a map: give the layer one, or drop it");
                Err(self.refused(problem))
            }
            None => Ok(()),
        }
    }

    fn refused(&self, problem: impl Into<String>) -> Refused {
        Refused::value("layer", &self.name, problem)
    }

    /// Returns the least distance, and the greatest one if it is given.
    fn distances(&self) -> Result<(f64, Option<f64>), Refused> {
        match (self.min_dist, self.max_dist, self.density) {
            // Without a map all distances are equal, until `max_dist` is set for painting.
            (Some(least), most, None) => Ok((least, most.or(self.map.is_none().then_some(least)))),
            (None, None, Some(Pair([least, most]))) => {
                let range = DistRange::from_densities::<2>(least, most);
                let range = range.map_err(|_| {
                    self.refused(
                        "density: write the least and then the greatest number of points per area, \
                         both above 0",
                    )
                })?;
                Ok((range.lo(), Some(range.hi())))
            }
            _ => Err(self.refused("give it either min_dist or density")),
        }
    }

    /// Returns how the map's file is read, and how its greys change.
    fn reading(&self) -> Result<(ReadOptions, Levels, Tone), Refused> {
        let nameless = || self.refused(format!("channel: must be {}", Channel::NAMES));
        let channel = self.channel.as_deref();
        let channel = channel.map(|name| Channel::parse(name).ok_or_else(nameless));
        let options = ReadOptions {
            channel: channel.transpose()?.unwrap_or_default(),
            alpha: chosen("alpha", self.alpha.as_deref(), &Alpha::ALL, Alpha::name)?,
            no_data: self.nodata.map(NoData::new),
            ..ReadOptions::default()
        };
        let levels = match self.range {
            None => Levels::Natural,
            Some(Pair([lo, hi])) => {
                let range = LevelRange::new(lo, hi);
                Levels::Between(range.map_err(|e| self.refused(format!("range: {e}")))?)
            }
        };
        let failed = |e: ShapeError| self.refused(e.to_string());
        let mut tone = Tone::new();
        if self.srgb == Some(true) {
            tone = tone.linear();
        }
        if let Some(gamma) = self.gamma {
            tone = tone.gamma(gamma).map_err(failed)?;
        }
        if let Some(points) = &self.curve {
            let points: Vec<[f64; 2]> = points.iter().map(|point| point.0).collect();
            tone = tone.curve(&Curve::new(&points).map_err(failed)?);
        }
        Ok((options, levels, tone))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ApartTable {
    between: Pair<String>,
    distance: f64,
}

/// Refuses a rule that species files cannot have: `sample` runs Scatter for them.
fn check_rule(settings: &Settings) -> Result<(), Refused> {
    let rule = settings.rule()?;
    if Rule::OF_SCATTER.contains(&rule) {
        return Ok(());
    }
    let problem = "not in a species file, which scatter samples: choose another rule, or use the \
                   map alone";
    Err(Refused::value("rule", rule.name(), problem))
}

/// Returns the species file of a session. [`map_names`] gives the names of its maps.
///
/// # Errors
/// If a setting is invalid, or the rule is not one of species files.
pub(crate) fn text(state: &State) -> Result<String, Refused> {
    check_rule(&state.settings)?;
    let names = map_names(state);
    let mut layers = Vec::new();
    for (layer, map) in state.layers.iter().zip(names) {
        let settings = &layer.settings;
        let range = settings.range()?;
        layers.push(LayerTable {
            name: settings.name.clone(),
            map: Some(map),
            min_dist: Some(range.lo()),
            max_dist: Some(range.hi()),
            white: settings.white.clone(),
            map_is: settings.map.clone(),
            limit: settings.limit,
            limit_keep: settings.limit_keep.clone(),
            share: settings.share,
            turn: settings.turn,
            colour: Some(settings.colour.clone()),
            ..LayerTable::default()
        });
    }
    let name = |number: usize| state.layers[number].settings.name.clone();
    let apart = state.apart.iter().map(|a| ApartTable {
        between: Pair(a.between.map(name)),
        distance: a.distance,
    });
    // World files beside the maps give the saved maps the same place, unless there is a size.
    let pixels = || state.is_placed().then(|| state.pixels().map(f64::from));
    let file = File {
        size: state.settings.size.or_else(pixels).map(Pair),
        rule: state.settings.rule.clone(),
        layer: layers,
        apart: apart.collect(),
    };
    toml::to_string(&file).map_err(Refused::run)
}

/// Returns distinct file names for the maps of all layers.
pub(crate) fn map_names(state: &State) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for layer in &state.layers {
        let mut name = map_name(&layer.settings.name);
        let mut number = 1;
        while names
            .iter()
            .any(|n| n.to_lowercase() == name.to_lowercase())
        {
            number += 1;
            name = map_name(&format!("{}-{number}", layer.settings.name));
        }
        names.push(name);
    }
    names
}

/// Returns the size of even maps, in the shape of the world, for files without any map.
fn even_pixels(size: Option<[f64; 2]>) -> [u32; 2] {
    let [width, height] = size.unwrap_or([1.0; 2]);
    let side = |length: f64| {
        (512.0 * length / width.max(height))
            .ceil()
            .clamp(1.0, 512.0) as u32
    };
    [side(width), side(height)]
}

/// Returns the last component of each layer's map, as browsers name files without their folders. Refuses
/// different paths with the same last component.
fn bare_names(layers: &[LayerTable]) -> Result<Vec<Option<&str>>, Refused> {
    let mut known: BTreeMap<&str, (&str, Vec<Component<'_>>)> = BTreeMap::new();
    let mut names = Vec::new();
    for layer in layers {
        let Some(map) = layer.map.as_deref() else {
            names.push(None);
            continue;
        };
        let parts = Path::new(map)
            .components()
            .filter(|part| *part != Component::CurDir);
        let parts: Vec<_> = parts.collect();
        let name = Path::new(map)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(map);
        names.push(Some(name));
        let (other, same) = known.entry(name).or_insert_with(|| (map, parts.clone()));
        if *same != parts {
            let problem = format!(
                "browsers give files without their folders, and {other} has the same name: give the \
                 maps different names"
            );
            return Err(Refused::value("map", map, problem));
        }
    }
    Ok(names)
}

/// Replaces the layers of a session by those of a species file. `maps` are the files chosen with it, by
/// names without folders.
///
/// # Errors
/// If a key or value is wrong, has no effect without a map or has no control on the page, like noise, or if a map is
/// missing, ambiguous or unreadable.
pub(crate) fn load(
    session: &Session,
    text: &str,
    maps: &BTreeMap<String, &[u8]>,
) -> Result<(), Refused> {
    let file: File = toml::from_str(text).map_err(|e| {
        let start = e.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or(text);
        // Editors do not show a byte-order mark.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        // The library's messages may span several lines, and name Rust's types.
        let lines: Vec<&str> = e.message().lines().map(str::trim).collect();
        let problem = lines
            .join(" ")
            .replace(
                "expected u32",
                "expected a whole number from 0 to 4294967295",
            )
            .replace("expected f64", "expected a number")
            .replace(
                "map, expected a sequence",
                "map, expected a sequence: write two brackets, as in [[layer]] and [[apart]]",
            );
        Refused::Request(format!("species file: {line}:{column}: {problem}"))
    })?;
    if file.layer.is_empty() {
        let problem = "species file: it has no layer: add a [[layer]]";
        return Err(Refused::run(problem));
    }
    let size = file.size.map(|size| size.0);
    let mut world = session.lock().settings.clone();
    world.size = size;
    world.rule = file.rule;
    check_rule(&world)?;
    world.check(file.layer.len())?;
    let mut layers = Vec::new();
    let mut names = Vec::new();
    let bare = bare_names(&file.layer)?;
    for ((number, table), bare) in file.layer.iter().enumerate().zip(bare) {
        table.check_keys()?;
        let (min_dist, max_dist) = table.distances()?;
        table.check_map()?;
        let (options, levels, tone) = table.reading()?;
        let usual = LayerSettings::numbered(number);
        let settings = LayerSettings {
            min_dist: Some(min_dist),
            max_dist,
            white: table.white.clone(),
            map: table.map_is.clone(),
            limit: table.limit,
            limit_keep: table.limit_keep.clone(),
            share: table.share,
            turn: table.turn,
            colour: table.colour.clone().unwrap_or(usual.colour),
            name: table.name.clone(),
        };
        settings.check()?;
        if names.contains(&settings.name) {
            let problem = "there is already a layer of this name";
            return Err(Refused::value("name", &settings.name, problem));
        }
        let picture = match bare {
            None => None,
            Some(name) => {
                let problem = "choose this file together with the species file";
                let bytes = maps.get(name);
                let bytes = bytes.ok_or_else(|| Refused::value("map", name, problem))?;
                let picture = read(bytes, name, options, levels, &KEYS);
                let mut picture = picture.map_err(|e| table.refused(format!("map {name}: {e}")))?;
                picture.map = tone.apply(picture.map);
                Some(picture)
            }
        };
        names.push(settings.name.clone());
        layers.push((settings, picture));
    }
    let known = layers.iter().find_map(|(_, picture)| picture.as_ref());
    let pixels = known.map_or_else(
        || even_pixels(size),
        |picture| [picture.map.width(), picture.map.height()],
    );
    let even = || GreyMap::from_fn(pixels[0], pixels[1], |_, _| 0.0).map_err(Refused::run);
    let layers = layers.into_iter().map(|(settings, picture)| {
        let picture = picture.map_or_else(|| even().map(Picture::made), Ok)?;
        Ok((settings, picture))
    });
    let layers = layers.collect::<Result<Vec<_>, Refused>>()?;
    let mut between = Vec::new();
    for ApartTable {
        between: Pair(pair),
        distance,
    } in file.apart
    {
        let number = |name: &String| {
            let found = names.iter().position(|n| n == name);
            found.ok_or_else(|| Refused::value("apart", name, "there is no layer of this name"))
        };
        between.push(Between {
            between: [number(&pair[0])?, number(&pair[1])?],
            distance,
        });
    }
    session.set_species(world, layers, between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_another_length_than_two_are_refused() {
        let layer = "[[layer]]\nname = \"oak\"\nmin_dist = 9.0\n";
        let session = Session::new(None).expect("a session");
        for text in [
            format!("size = [100.0, 50.0, 7.0]\n{layer}"),
            format!("{layer}range = [0.0, 9.0, 200.0]\n"),
            format!("{layer}curve = [[0.0, 0.0, 5.0], [1.0, 1.0]]\n"),
            format!("{layer}[[apart]]\nbetween = [\"oak\", \"elm\", \"ash\"]\ndistance = 1.0\n"),
        ] {
            let refused = load(&session, &text, &BTreeMap::new()).expect_err("three values");
            let told = refused.to_string();
            assert!(told.contains("expected a list of two, not of 3"), "{told}");
        }
    }

    /// Once refused as a map of 0x1 pixels.
    #[test]
    fn an_infinite_size_is_refused_by_name() {
        let text = "size = [inf, 3.0]\n[[layer]]\nname = \"oak\"\nmin_dist = 9.0\n";
        let session = Session::new(None).expect("a session");
        let refused = load(&session, text, &BTreeMap::new()).expect_err("no size");
        assert!(refused.to_string().starts_with("size "), "{refused}");
    }

    #[test]
    fn a_pair_given_twice_is_refused() {
        let file = |pairs: &str| {
            let layers =
                ["oak", "fern"].map(|n| format!("[[layer]]\nname = \"{n}\"\nmin_dist = 9.0\n"));
            layers.concat() + pairs
        };
        let one = "[[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 5.0\n";
        let other = "[[apart]]\nbetween = [\"fern\", \"oak\"]\ndistance = 7.0\n";
        let session = Session::new(None).expect("a session");
        let load = |text: &str| load(&session, text, &BTreeMap::new());
        load(&file(one)).expect("a good file");
        let before = session.state();
        let refused = load(&file(&format!("{one}{other}"))).expect_err("two distances");
        assert!(refused.to_string().contains("given twice"), "{refused}");
        assert_eq!(session.state(), before);
    }
}
