//! Species files: layers to text and back.

use crate::error::Refused;
use crate::session::{Between, Session, State, read, run};
use crate::settings::{LayerSettings, map_name};
use density::GreyMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A species file, restricted to what the page has controls for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    size: Option<[f64; 2]>,
    rule: Option<String>,
    #[serde(default)]
    layer: Vec<LayerTable>,
    #[serde(default)]
    apart: Vec<ApartTable>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerTable {
    name: String,
    map: Option<String>,
    /// Only its presence matters; the content is ignored.
    #[serde(skip_serializing)]
    perlin: Option<toml::Table>,
    min_dist: f64,
    max_dist: Option<f64>,
    white: Option<String>,
    map_is: Option<String>,
    limit: Option<f64>,
    limit_keep: Option<String>,
    share: Option<f64>,
    #[serde(default)]
    turn: u32,
    colour: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ApartTable {
    between: [String; 2],
    distance: f64,
}

/// Returns the species file of a session. [`map_names`] gives the names of its maps.
///
/// # Errors
/// If a setting is invalid.
pub(crate) fn text(state: &State) -> Result<String, Refused> {
    let names = map_names(state);
    let mut layers = Vec::new();
    for (layer, map) in state.layers.iter().zip(names) {
        let settings = &layer.settings;
        let range = settings.range()?;
        layers.push(LayerTable {
            name: settings.name.clone(),
            map: Some(map),
            perlin: None,
            min_dist: range.lo(),
            max_dist: Some(range.hi()),
            white: settings.white.clone(),
            map_is: settings.map.clone(),
            limit: settings.limit,
            limit_keep: settings.limit_keep.clone(),
            share: settings.share,
            turn: settings.turn,
            colour: Some(settings.colour.clone()),
        });
    }
    let name = |number: usize| state.layers[number].settings.name.clone();
    let apart = state.apart.iter().map(|a| ApartTable {
        between: a.between.map(name),
        distance: a.distance,
    });
    let file = File {
        size: state.settings.size,
        rule: state.settings.rule.clone(),
        layer: layers,
        apart: apart.collect(),
    };
    toml::to_string(&file).map_err(|e| run(&e))
}

/// Returns distinct file names for the maps of all layers.
pub(crate) fn map_names(state: &State) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for layer in &state.layers {
        let mut name = map_name(&layer.settings.name);
        let mut number = 1;
        while names.iter().any(|n| n.eq_ignore_ascii_case(&name)) {
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

/// Replaces the layers of a session by those of a species file. `maps` are the files beside it.
///
/// # Errors
/// If the file contains noise or anything else without a control on the page, or if a map is missing or
/// unreadable.
pub(crate) fn load(
    session: &Session,
    text: &str,
    maps: &BTreeMap<String, &[u8]>,
) -> Result<(), Refused> {
    let file: File = toml::from_str(text).map_err(|e| {
        // The library's messages may span several lines.
        let problem = e.to_string();
        let lines: Vec<&str> = problem.lines().map(str::trim).collect();
        Refused::Request(format!("species file: {}", lines.join(" ")))
    })?;
    if file.layer.is_empty() || file.layer.len() > 16 {
        let problem = "from 1 to 16 are possible here";
        return Err(Refused::value("layers", file.layer.len(), problem));
    }
    let mut layers = Vec::new();
    let mut names = Vec::new();
    for (number, table) in file.layer.into_iter().enumerate() {
        let usual = LayerSettings::numbered(number);
        let even = table.map.is_none();
        let settings = LayerSettings {
            min_dist: Some(table.min_dist),
            // Without a map all distances are equal, until `max_dist` is set for painting.
            max_dist: table.max_dist.or(even.then_some(table.min_dist)),
            white: table.white,
            map: table.map_is,
            limit: table.limit,
            limit_keep: table.limit_keep,
            share: table.share,
            turn: table.turn,
            colour: table.colour.unwrap_or(usual.colour),
            name: table.name,
        };
        settings.check()?;
        if names.contains(&settings.name) {
            let problem = "there is already a layer of this name";
            return Err(Refused::value("name", &settings.name, problem));
        }
        if table.perlin.is_some() {
            let problem = "has perlin, which is not supported here: make a map with spinney map \
                           perlin, and give it to the layer";
            return Err(Refused::value("layer", &settings.name, problem));
        }
        let map = match &table.map {
            None => None,
            Some(map) => {
                let problem = "choose this file together with the species file";
                let bytes = maps.get(map);
                let bytes = bytes.ok_or_else(|| Refused::value("map", map, problem))?;
                Some(read(bytes)?)
            }
        };
        names.push(settings.name.clone());
        layers.push((settings, map));
    }
    let known = layers.iter().find_map(|(_, map)| map.as_ref());
    let pixels = known.map_or_else(
        || even_pixels(file.size),
        |(map, _)| [map.width(), map.height()],
    );
    let even = || GreyMap::from_fn(pixels[0], pixels[1], |_, _| 0.0).map_err(|e| run(&e));
    let layers = layers.into_iter().map(|(settings, map)| {
        let (map, warnings) = map.map_or_else(|| even().map(|map| (map, Vec::new())), Ok)?;
        Ok((settings, map, warnings))
    });
    let layers = layers.collect::<Result<Vec<_>, Refused>>()?;
    let mut between = Vec::new();
    for ApartTable {
        between: pair,
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
    let mut world = session.lock().settings.clone();
    world.size = file.size.or(world.size);
    world.rule = file.rule.or(world.rule);
    session.set_species(world, layers, between)
}

#[cfg(test)]
mod tests {
    use super::*;

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
