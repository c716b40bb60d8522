//! The tables of a species file. `fuzz/src/species.rs` includes this file, so it uses nothing of the
//! command line.

use super::text::{Fault, Text};
use density::{Perlin, PerlinOptions};
use sampler::{Apart, LayersError};
use serde::Deserialize;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;

/// The contents of a species file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    pub(crate) size: Option<Spanned<Pair<f64>>>,
    pub(crate) rule: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) layer: Vec<Spanned<LayerTable>>,
    #[serde(default)]
    pub(crate) apart: Vec<Spanned<ApartTable>>,
}

/// A `[[layer]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerTable {
    pub(crate) name: Spanned<String>,
    pub(crate) min_dist: Option<Spanned<f64>>,
    pub(crate) max_dist: Option<Spanned<f64>>,
    pub(crate) density: Option<Spanned<Pair<f64>>>,
    pub(crate) map: Option<Spanned<PathBuf>>,
    pub(crate) perlin: Option<Spanned<PerlinTable>>,
    pub(crate) white: Option<Spanned<String>>,
    pub(crate) channel: Option<Spanned<String>>,
    pub(crate) alpha: Option<Spanned<String>>,
    pub(crate) range: Option<Spanned<Pair<f64>>>,
    pub(crate) nodata: Option<Spanned<f64>>,
    pub(crate) raw_size: Option<Spanned<Pair<u32>>>,
    #[serde(default)]
    pub(crate) srgb: bool,
    pub(crate) gamma: Option<Spanned<f64>>,
    pub(crate) curve: Option<Spanned<Vec<Pair<f64>>>>,
    pub(crate) map_is: Option<Spanned<String>>,
    pub(crate) limit: Option<Spanned<f64>>,
    pub(crate) limit_keep: Option<Spanned<String>>,
    pub(crate) seed: Option<u64>,
    pub(crate) share: Option<Spanned<f64>>,
    #[serde(default)]
    pub(crate) turn: u32,
    pub(crate) colour: Option<Spanned<String>>,
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
    pub(crate) between: Spanned<Pair<Spanned<String>>>,
    pub(crate) distance: Spanned<f64>,
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
            self.fault(&span, problem)
        })?;
        let count = tables.layer.len();
        if count == 0 {
            let problem = "there is no layer: begin one with [[layer]] and give it a name and a \
                           min_dist";
            return Err(self.fault(&(0..0), problem));
        }
        if count > Apart::MAX_LAYERS {
            let span = tables.layer[Apart::MAX_LAYERS].span();
            let most = Apart::MAX_LAYERS;
            let problem = format!("there are {count} layers, at most {most} are possible");
            return Err(self.fault(&span, problem));
        }
        self.check_names(&tables)?;
        for layer in &tables.layer {
            self.check_layer(layer.get_ref(), &layer.span())?;
        }
        Ok(tables)
    }

    fn check_names(&self, tables: &Tables) -> Result<(), Fault> {
        let names: Vec<&Spanned<String>> = tables.layer.iter().map(|l| &l.get_ref().name).collect();
        for (i, name) in names.iter().enumerate() {
            if name.get_ref().trim().is_empty() {
                return Err(self.fault(&name.span(), "a layer's name must not be empty"));
            }
            if names[..i].iter().any(|n| n.get_ref() == name.get_ref()) {
                let problem = format!("there is already a layer \"{}\"", name.get_ref());
                return Err(self.fault(&name.span(), problem));
            }
        }
        Ok(())
    }

    fn check_layer(&self, layer: &LayerTable, span: &Range<usize>) -> Result<(), Fault> {
        let name = layer.name.get_ref();
        if let (Some(_), Some(perlin)) = (&layer.map, &layer.perlin) {
            let problem = format!("layer \"{name}\" has both map and perlin: drop one of them");
            return Err(self.fault(&perlin.span(), problem));
        }
        if layer.map.is_none() {
            let given = [
                ("channel", layer.channel.as_ref().map(Spanned::span)),
                ("alpha", layer.alpha.as_ref().map(Spanned::span)),
                ("range", layer.range.as_ref().map(Spanned::span)),
                ("nodata", layer.nodata.as_ref().map(Spanned::span)),
                ("raw_size", layer.raw_size.as_ref().map(Spanned::span)),
                ("gamma", layer.gamma.as_ref().map(Spanned::span)),
                ("curve", layer.curve.as_ref().map(Spanned::span)),
                ("map_is", layer.map_is.as_ref().map(Spanned::span)),
                ("limit", layer.limit.as_ref().map(Spanned::span)),
                ("srgb", layer.srgb.then(|| span.clone())),
            ];
            for (key, at) in given {
                if let Some(at) = at {
                    let problem = format!("{key} needs a map: give layer \"{name}\" a map");
                    return Err(self.fault(&at, problem));
                }
            }
        }
        if let (None, Some(keep)) = (&layer.limit, &layer.limit_keep) {
            let problem = format!("limit_keep needs limit: give layer \"{name}\" a limit");
            return Err(self.fault(&keep.span(), problem));
        }
        match (&layer.min_dist, &layer.max_dist, &layer.density) {
            (None, _, None) => {
                let problem = format!("layer \"{name}\" needs a min_dist, world units");
                Err(self.fault(&layer.name.span(), problem))
            }
            (Some(dist), _, Some(_)) | (None, Some(dist), Some(_)) => {
                let problem = "distances and density exclude each other: drop one of them";
                Err(self.fault(&dist.span(), problem))
            }
            (min, max, None) => {
                for dist in [min, max].into_iter().flatten() {
                    let value = *dist.get_ref();
                    if !(value.is_finite() && value > 0.0) {
                        let problem = "a distance must be a positive number";
                        return Err(self.fault(&dist.span(), problem));
                    }
                }
                Ok(())
            }
            (None, None, Some(_)) => Ok(()),
        }?;
        self.check_even(layer)?;
        self.check_share(layer)
    }

    /// Refuses keys that vary distances if the layer has neither a map nor noise to follow.
    fn check_even(&self, layer: &LayerTable) -> Result<(), Fault> {
        if layer.map.is_some() || layer.perlin.is_some() {
            return Ok(());
        }
        let least = layer.min_dist.as_ref().map(|d| *d.get_ref());
        let max_dist = layer.max_dist.as_ref();
        let max_dist = max_dist.filter(|max| least != Some(*max.get_ref()));
        let density = layer.density.as_ref();
        let density = density.filter(|density| {
            let Pair([least, most]) = density.get_ref();
            least != most
        });
        let given = [
            ("white", layer.white.as_ref().map(Spanned::span)),
            ("max_dist", max_dist.map(Spanned::span)),
            ("a range of densities", density.map(Spanned::span)),
        ];
        for (key, at) in given {
            if let Some(at) = at {
                let name = layer.name.get_ref();
                let problem = format!(
                    "{key} needs a map or noise: give layer \"{name}\" a map or perlin, or drop it"
                );
                return Err(self.fault(&at, problem));
            }
        }
        Ok(())
    }

    fn check_share(&self, layer: &LayerTable) -> Result<(), Fault> {
        match &layer.share {
            Some(share) if !(share.get_ref().is_finite() && *share.get_ref() > 0.0) => {
                Err(self.fault(&share.span(), "a share must be a positive number"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the distances between layers.
    pub(crate) fn apart(&self, tables: &Tables) -> Result<Apart, Fault> {
        let names: Vec<&str> = tables
            .layer
            .iter()
            .map(|layer| layer.get_ref().name.get_ref().as_str())
            .collect();
        let mut apart = Apart::new(names.len());
        for table in &tables.apart {
            let ApartTable { between, distance } = table.get_ref();
            let mut pair = [0; 2];
            for (number, name) in pair.iter_mut().zip(&between.get_ref().0) {
                let found = names.iter().position(|n| n == name.get_ref());
                *number = found.ok_or_else(|| {
                    let problem = format!(
                        "there is no layer \"{}\": the layers are {}",
                        name.get_ref(),
                        names.join(", ")
                    );
                    self.fault(&name.span(), problem)
                })?;
            }
            let [a, b] = pair;
            if apart.get(a, b).is_some() {
                let problem = format!(
                    "the distance between {} and {} is given twice: drop one of them",
                    names[a], names[b]
                );
                return Err(self.fault(&between.span(), problem));
            }
            let distance_span = distance.span();
            apart.set(a, b, *distance.get_ref()).map_err(|e| match e {
                LayersError::Itself { .. } => {
                    let problem = "a layer's own distance is its min_dist: name two different \
                                   layers";
                    self.fault(&between.span(), problem)
                }
                LayersError::Distance { least, most, .. } => {
                    let problem = format!(
                        "the distance must be 0 (the layers ignore each other), or from {least:e} \
                         to {most:e}"
                    );
                    self.fault(&distance_span, problem)
                }
                other => self.fault(&distance_span, other),
            })?;
        }
        Ok(apart)
    }

    /// Returns the noise of a layer, or a fault if its options are invalid.
    pub(crate) fn check_perlin(
        &self,
        noise: PerlinOptions,
        range: density::DistRange,
        at: &Range<usize>,
    ) -> Result<Perlin, Fault> {
        Perlin::new(range, noise).map_err(|e| self.fault(at, e))
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
        let oak = "[[layer]]\nname = \"oak\"\nmin_dist = 4\n";
        let cases = [
            (String::new(), "1:1: there is no layer"),
            ("[[layer]\n".to_owned(), "1:9: "),
            (
                format!("{oak}  minn_dist = 4\n"),
                "4:3: unknown field `minn_dist`",
            ),
            (format!("{oak}max_dist = \"x\"\n"), "4:12: invalid type"),
            (format!("{oak}max_dist = -1\n"), "4:12: a distance must be"),
            (format!("{oak}share = 0\n"), "4:9: a share must be"),
            (format!("{oak}gamma = 2\n"), "4:9: gamma needs a map"),
            (
                format!("{oak}density = [1, 2]\n"),
                "3:12: distances and density",
            ),
            (
                "[[layer]]\nname = \"oak\"\ndensity = [0.001, 0.05]\n".to_owned(),
                "3:11: a range of densities needs a map or noise",
            ),
            (
                format!("{oak}curve = [[0, 0, 5], [1, 1]]\n"),
                "4:9: expected a list of two, not of 3",
            ),
            (
                format!("{oak}range = [0, 9, 200]\n"),
                "4:9: expected a list of two, not of 3",
            ),
            (
                format!("{oak}density = [1, 2, 3]\n"),
                "4:11: expected a list of two, not of 3",
            ),
            (
                format!("{oak}raw_size = [1]\n"),
                "4:12: expected a list of two, not of 1",
            ),
            (
                format!("size = [100, 50, 7]\n{oak}"),
                "1:8: expected a list of two, not of 3",
            ),
            (
                format!("{oak}[[apart]]\nbetween = [\"oak\", \"elm\", \"fern\"]\ndistance = 2\n"),
                "5:11: expected a list of two, not of 3",
            ),
            (
                "[[layer]]\nname = \"\"\nmin_dist = 4\n".to_owned(),
                "2:8: a layer's name",
            ),
            (
                "[[layer]]\nmin_dist = 4\n".to_owned(),
                "1:1: missing field `name`",
            ),
            (
                "[[layer]]\nname = \"oak\"\n".to_owned(),
                "2:8: layer \"oak\" needs a min_dist",
            ),
            (
                format!("{oak}{oak}"),
                "5:8: there is already a layer \"oak\"",
            ),
            (
                format!("{oak}[[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 2\n"),
                "5:19: there is no layer \"fern\": the layers are oak",
            ),
            (
                format!("{oak}[[apart]]\nbetween = [\"oak\", \"oak\"]\ndistance = 2\n"),
                "5:11: a layer's own distance",
            ),
            (
                format!(
                    "{oak}{}[[apart]]\nbetween = [\"oak\", \"elm\"]\ndistance = nan\n",
                    oak.replace("oak", "elm")
                ),
                "9:12: the distance must be",
            ),
            (
                format!(
                    "{oak}{}[[apart]]\nbetween = [\"oak\", \"elm\"]\ndistance = 1e200\n",
                    oak.replace("oak", "elm")
                ),
                "9:12: the distance must be 0 (the layers ignore each other), or from \
                 1e-150 to 1e150",
            ),
        ];
        for (text, expected) in cases {
            let said = said(&text);
            let expected = format!("--species w.toml:{expected}");
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
