//! The tables of a species file. `fuzz/src/species.rs` includes this file, so it uses nothing of the
//! command line.

use super::text::{Fault, Text};
use density::PerlinOptions;
use sampler::{Apart, LayersError};
use serde::Deserialize;
use std::path::PathBuf;

/// The contents of a species file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    pub(crate) size: Option<Pair<f64>>,
    pub(crate) rule: Option<String>,
    #[serde(default)]
    pub(crate) layer: Vec<LayerTable>,
    #[serde(default)]
    pub(crate) apart: Vec<ApartTable>,
}

/// A `[[layer]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerTable {
    pub(crate) name: String,
    pub(crate) min_dist: Option<f64>,
    pub(crate) max_dist: Option<f64>,
    pub(crate) density: Option<Pair<f64>>,
    pub(crate) map: Option<PathBuf>,
    pub(crate) perlin: Option<PerlinTable>,
    pub(crate) white: Option<String>,
    pub(crate) channel: Option<String>,
    pub(crate) alpha: Option<String>,
    pub(crate) range: Option<Pair<f64>>,
    pub(crate) nodata: Option<f64>,
    pub(crate) raw_size: Option<Pair<u32>>,
    #[serde(default)]
    pub(crate) srgb: bool,
    pub(crate) gamma: Option<f64>,
    pub(crate) curve: Option<Vec<Pair<f64>>>,
    pub(crate) map_is: Option<String>,
    pub(crate) limit: Option<f64>,
    pub(crate) limit_keep: Option<String>,
    pub(crate) seed: Option<u64>,
    pub(crate) share: Option<f64>,
    #[serde(default)]
    pub(crate) turn: u32,
    pub(crate) colour: Option<String>,
}

/// A `perlin = { .. }` table.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerlinTable {
    seed: Option<u64>,
    frequency: Option<f64>,
    octaves: Option<u32>,
    lacunarity: Option<f64>,
    persistence: Option<f64>,
}

/// A list of exactly two elements. The TOML reader ignores further elements of an array of fixed length.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<T>")]
pub(crate) struct Pair<T>(pub(crate) [T; 2]);

impl<T> TryFrom<Vec<T>> for Pair<T> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        let two = list.try_into().map(Self);
        two.map_err(|list: Vec<T>| format!("expected a list of two, not of {}", list.len()))
    }
}

/// An `[[apart]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApartTable {
    pub(crate) between: Pair<String>,
    pub(crate) distance: f64,
}

impl PerlinTable {
    /// Returns the options of this table; the rest are the library's defaults.
    pub(crate) fn options(self, seed: u64, white: density::White) -> PerlinOptions {
        let usual = PerlinOptions::default();
        PerlinOptions {
            seed: self.seed.unwrap_or(seed),
            frequency: self.frequency.unwrap_or(usual.frequency),
            octaves: self.octaves.unwrap_or(usual.octaves),
            lacunarity: self.lacunarity.unwrap_or(usual.lacunarity),
            persistence: self.persistence.unwrap_or(usual.persistence),
            white,
            ..usual
        }
    }
}

impl Text {
    /// Parses the tables and checks each by itself.
    pub(crate) fn tables(&self) -> Result<Tables, Fault> {
        let tables: Tables = toml::from_str(&self.text).map_err(|e| {
            let span = e.span().unwrap_or(0..0);
            // The library's messages may have several lines, and name Rust's types.
            let lines: Vec<&str> = e.message().lines().map(str::trim).collect();
            let mut problem = lines
                .join(" ")
                .replace(
                    "expected u32",
                    "expected a whole number from 0 to 4294967295",
                )
                .replace("expected f64", "expected a number");
            if problem == "invalid type: map, expected a sequence" {
                problem += ": write two brackets, as in [[layer]] and [[apart]]";
            }
            self.fault_in(&span, problem)
        })?;
        let count = tables.layer.len();
        if count == 0 {
            let problem = "there is no layer: begin one with [[layer]] and give it a name and a \
                           min_dist";
            return Err(self.fault("layer", problem));
        }
        let most = Apart::MAX_LAYERS;
        if count > most {
            let problem = format!("there are {count} layers, at most {most} are possible");
            return Err(self.fault(&format!("layer.{most}"), problem));
        }
        for (number, layer) in tables.layer.iter().enumerate() {
            let named = tables.layer[..number].iter().any(|l| l.name == layer.name);
            let (key, problem) = if layer.name.trim().is_empty() {
                ("name", "a layer's name must not be empty".to_owned())
            } else if named {
                let problem = format!("there is already a layer \"{}\"", layer.name);
                ("name", problem)
            } else if let Err(fault) = layer.check() {
                fault
            } else {
                continue;
            };
            return Err(self.fault(&format!("layer.{number}.{key}"), problem));
        }
        Ok(tables)
    }

    /// Returns the distances between layers.
    pub(crate) fn apart(&self, tables: &Tables) -> Result<Apart, Fault> {
        let names: Vec<&str> = tables.layer.iter().map(|layer| &*layer.name).collect();
        let mut apart = Apart::new(names.len());
        for (number, table) in tables.apart.iter().enumerate() {
            let fault = |key: &str, problem| self.fault(&format!("apart.{number}.{key}"), problem);
            let ApartTable { between, distance } = table;
            let mut pair = [0; 2];
            for (nth, name) in between.0.iter().enumerate() {
                let found = names.iter().position(|n| n == name);
                pair[nth] = found.ok_or_else(|| {
                    let all = names.join(", ");
                    let problem = format!("there is no layer \"{name}\": the layers are {all}");
                    fault(&format!("between.{nth}"), problem)
                })?;
            }
            let [a, b] = pair;
            if apart.get(a, b).is_some() {
                let problem = format!(
                    "the distance between {} and {} is given twice: drop one of them",
                    names[a], names[b]
                );
                return Err(fault("between", problem));
            }
            apart.set(a, b, *distance).map_err(|e| match e {
                LayersError::Itself { .. } => {
                    let problem = "a layer's own distance is its min_dist: name two different \
                                   layers";
                    fault("between", problem.to_owned())
                }
                LayersError::Distance { least, most, .. } => {
                    let problem = format!(
                        "the distance must be 0 (the layers ignore each other), or from {least:e} \
                         to {most:e}"
                    );
                    fault("distance", problem)
                }
                other => fault("distance", other.to_string()),
            })?;
        }
        Ok(apart)
    }
}

impl LayerTable {
    /// Checks the layer by itself; an error is a key and its problem.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let name = &self.name;
        if self.map.is_some() && self.perlin.is_some() {
            let problem = format!("layer \"{name}\" has both map and perlin: drop one of them");
            return Err(("perlin", problem));
        }
        let of_maps = [
            ("channel", self.channel.is_some()),
            ("alpha", self.alpha.is_some()),
            ("range", self.range.is_some()),
            ("nodata", self.nodata.is_some()),
            ("raw_size", self.raw_size.is_some()),
            ("gamma", self.gamma.is_some()),
            ("curve", self.curve.is_some()),
            ("map_is", self.map_is.is_some()),
            ("limit", self.limit.is_some()),
            ("srgb", self.srgb),
        ];
        let of_maps = of_maps.into_iter().find(|(_, is_given)| *is_given);
        if let (None, Some((key, _))) = (&self.map, of_maps) {
            return Err((
                key,
                format!("{key} needs a map: give layer \"{name}\" a map"),
            ));
        }
        if self.limit_keep.is_some() && self.limit.is_none() {
            let problem = format!("limit_keep needs limit: give layer \"{name}\" a limit");
            return Err(("limit_keep", problem));
        }
        let distances = [("min_dist", self.min_dist), ("max_dist", self.max_dist)];
        let distances = distances
            .into_iter()
            .filter_map(|(key, distance)| Some((key, distance?)));
        if self.density.is_none() && self.min_dist.is_none() {
            let problem = format!("layer \"{name}\" needs a min_dist, world units");
            return Err(("name", problem));
        }
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        for (key, distance) in distances {
            if self.density.is_some() {
                let problem = "distances and density exclude each other: drop one of them";
                return Err((key, problem.to_owned()));
            }
            if !is_positive(distance) {
                return Err((key, "a distance must be a positive number".to_owned()));
            }
        }
        self.check_even()?;
        if self.share.is_some_and(|share| !is_positive(share)) {
            return Err(("share", "a share must be a positive number".to_owned()));
        }
        Ok(())
    }

    /// Refuses keys that vary distances if the layer has neither a map nor noise to follow.
    fn check_even(&self) -> Result<(), (&'static str, String)> {
        if self.map.is_some() || self.perlin.is_some() {
            return Ok(());
        }
        let has_range = |Pair([least, most])| least != most;
        let has_max = self.max_dist.is_some() && self.max_dist != self.min_dist;
        let given = [
            ("white", self.white.is_some()),
            ("max_dist", has_max),
            ("density", self.density.is_some_and(has_range)),
        ];
        let Some((key, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
            return Ok(());
        };
        let what = match key {
            "density" => "a range of densities",
            _ => key,
        };
        let name = &self.name;
        let problem = format!(
            "{what} needs a map or noise: give layer \"{name}\" a map or perlin, or drop it"
        );
        Err((key, problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn said(text: &str) -> String {
        let text = Text::new(Path::new("w.toml"), text.as_bytes().to_vec()).expect("UTF-8");
        let read = text.tables().and_then(|tables| text.apart(&tables));
        read.expect_err("a mistake").to_string()
    }

    #[test]
    fn mistakes_are_found_by_line_and_column() {
        let layer = |name: &str| format!("[[layer]]\nname = \"{name}\"\nmin_dist = 4\n");
        let (oak, elm) = (layer("oak"), layer("elm"));
        let two = "expected a list of two, not of";
        let apart = "[[apart]]\nbetween = [\"oak\"";
        let cases = [
            ("", "1:1: there is no layer"),
            ("[[layer]\n", "1:9: "),
            ("OAK  minn_dist = 4", "4:3: unknown field `minn_dist`"),
            ("OAKmax_dist = \"x\"", "4:12: invalid type"),
            ("OAKmax_dist = -1", "4:12: a distance must be"),
            ("OAKshare = 0", "4:9: a share must be"),
            ("OAKgamma = 2", "4:9: gamma needs a map"),
            ("OAKsrgb = true", "4:8: srgb needs a map"),
            ("OAKdensity = [1, 2]", "3:12: distances and density"),
            (
                "[[layer]]\nname = \"oak\"\ndensity = [0.001, 0.05]",
                "3:11: a range of densities needs a map or noise",
            ),
            ("OAKcurve = [[0, 0, 5], [1, 1]]", "4:9: TWO 3"),
            ("OAKrange = [0, 9, 200]", "4:9: TWO 3"),
            ("OAKdensity = [1, 2, 3]", "4:11: TWO 3"),
            ("OAKraw_size = [1]", "4:12: TWO 1"),
            ("size = [100, 50, 7]\nOAK", "1:8: TWO 3"),
            ("OAKAPART, \"elm\", \"fern\"]\ndistance = 2", "5:11: TWO 3"),
            (
                "[[layer]]\nname = \"\"\nmin_dist = 4",
                "2:8: a layer's name",
            ),
            ("[[layer]]\nmin_dist = 4", "1:1: missing field `name`"),
            (
                "[[layer]]\nname = \"oak\"",
                "2:8: layer \"oak\" needs a min_dist",
            ),
            ("OAKOAK", "5:8: there is already a layer \"oak\""),
            (
                "OAKAPART, \"fern\"]\ndistance = 2",
                "5:19: there is no layer \"fern\": the layers are oak",
            ),
            (
                "OAKAPART, \"oak\"]\ndistance = 2",
                "5:11: a layer's own distance",
            ),
            (
                "OAKELMAPART, \"elm\"]\ndistance = nan",
                "9:12: the distance must be",
            ),
            (
                "OAKELMAPART, \"elm\"]\ndistance = 1e200",
                "9:12: the distance must be 0 (the layers ignore each other), or from \
                 1e-150 to 1e150",
            ),
        ];
        for (text, expected) in cases {
            let text = text.replace("OAK", &oak).replace("ELM", &elm);
            let said = said(&text.replace("APART", apart));
            let expected = format!("--species w.toml:{}", expected.replace("TWO", two));
            assert!(said.starts_with(&expected), "{said}\n{expected}");
        }
    }

    #[test]
    fn columns_count_characters() {
        let said = said(
            "[[layer]]\nname = \"ö\"\nmin_dist = 4\n\n[[apart]]\nbetween = [\"ö\", \"ü\"]\ndistance = 1",
        );
        assert!(
            said.starts_with("--species w.toml:6:17: there is no layer"),
            "{said}"
        );
    }

    /// A byte-order mark, CRLF line ends and other encodings.
    #[test]
    fn places_are_those_that_editors_show() {
        let place = |bytes: &[u8]| {
            let read = Text::new(Path::new("w.toml"), bytes.to_vec());
            let fault = read.and_then(|text| text.tables()).expect_err("a mistake");
            [fault.line, fault.column]
        };
        assert_eq!(place(b"\xef\xbb\xbfkolour = 1\n"), [1, 1]);
        assert_eq!(place(b"size = [1, 1]\r\nkolour = 1\r\n"), [2, 1]);
        assert_eq!(place(b"# \xc3\xb6\n# \xc3\xb6\xf6\n"), [2, 4]);
        assert_eq!(place(b"\xff\xfe[\0"), [1, 1]);
    }

    /// Deep nesting would overflow the stack of a naive recursive parser.
    #[test]
    fn deep_files_are_refused() {
        let deep = 100_000;
        let tables = "a.".repeat(deep);
        for text in [
            format!("layer = {}", "[".repeat(deep)),
            format!("layer = {}", "{a=".repeat(deep)),
            format!("layer = {}{}", "[".repeat(deep), "]".repeat(deep)),
            format!("{tables}a = 1"),
            format!("[{tables}a]"),
            format!("[[{tables}a]]"),
            format!("[[layer]]\nname = \"a\"\nperlin = {{ {tables}a = 1 }}"),
        ] {
            assert!(said(&text).starts_with("--species w.toml:"));
        }
    }
}
