//! Settings of a run, named as on the command line and with its defaults.

use crate::error::Refused;
use density::numbers::plain;
use density::shape::{MapKind, Shaping, Side};
use density::{Bounds, DistRange, White, YAxis};
use sampler::{BridsonOptions, Rule};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Default of the command line's `--min-dist`.
const MIN_DIST: f64 = 4.0;

/// Default ratio of the command line's `--max-dist` to `--min-dist`.
const MAX_TO_MIN: f64 = 4.0;

/// Largest number of Bridson's tries. A run is given up between points, each of which has so many.
const MOST_TRIES: u32 = 1000;

/// Largest number of layers. The page's shaders have room for the colours of so many.
pub(crate) const MOST_LAYERS: usize = 16;

/// Largest length of a name, bytes.
const MOST_NAME: usize = 200;

/// The sampling algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Algorithm {
    /// [`sampler::Scatter`].
    #[default]
    Scatter,
    /// [`sampler::Bridson`].
    Bridson,
}

impl Algorithm {
    /// Returns the name as the command line and files spell it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scatter => "scatter",
            Self::Bridson => "bridson",
        }
    }
}

/// Settings of the whole run. `None` is the command line's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// `--rule`, by its name.
    pub(crate) rule: Option<String>,
    /// `--seed`.
    pub(crate) seed: u64,
    /// `--count`.
    pub(crate) count: Option<u64>,
    /// `--size`, world units.
    pub(crate) size: Option<[f64; 2]>,
    /// `--tile`.
    pub(crate) tile: bool,
    /// `--y-up`.
    pub(crate) y_up: bool,
    /// `--algorithm`.
    pub(crate) algorithm: Algorithm,
    /// `--tries`.
    pub(crate) tries: Option<u32>,
    /// File names in the displayed command line.
    pub(crate) names: Names,
}

/// Names of downloaded files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Names {
    /// The map, a PNG.
    pub(crate) map: String,
    /// The points; the ending names the format.
    pub(crate) output: String,
    /// The species file.
    pub(crate) species: String,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            map: "map.png".to_owned(),
            output: "points.csv".to_owned(),
            species: "species.toml".to_owned(),
        }
    }
}

/// Settings of a layer: flags for a single layer, keys of a species file for several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LayerSettings {
    /// The layer's name in species files.
    pub(crate) name: String,
    /// `#rrggbb`.
    pub(crate) colour: String,
    /// `--min-dist`, world units.
    pub(crate) min_dist: Option<f64>,
    /// `--max-dist`, world units.
    pub(crate) max_dist: Option<f64>,
    /// `--white`, by its name.
    pub(crate) white: Option<String>,
    /// `--map`, by its name.
    pub(crate) map: Option<String>,
    /// `--limit`.
    pub(crate) limit: Option<f64>,
    /// `--limit-keep`, by its name.
    pub(crate) limit_keep: Option<String>,
    /// Share of the territory among layers of the same turn.
    pub(crate) share: Option<f64>,
    /// Layers of a smaller turn are decided first.
    pub(crate) turn: u32,
}

/// Colours that most people, colour-blind or not, can tell apart on dark and on light backgrounds.
const COLOURS: [&str; 6] = [
    "#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#a6761d",
];

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            name: "points".to_owned(),
            colour: COLOURS[0].to_owned(),
            min_dist: None,
            max_dist: None,
            white: None,
            map: None,
            limit: None,
            limit_keep: None,
            share: None,
            turn: 0,
        }
    }
}

impl LayerSettings {
    /// Returns a layer with the colour and name for `number`.
    pub(crate) fn numbered(number: usize) -> Self {
        Self {
            name: format!("species {}", number + 1),
            colour: COLOURS[number % COLOURS.len()].to_owned(),
            ..Self::default()
        }
    }

    /// Returns the range of distances.
    pub(crate) fn range(&self) -> Result<DistRange, Refused> {
        let least = self.min_dist.unwrap_or(MIN_DIST);
        let most = self
            .max_dist
            .unwrap_or_else(|| (MAX_TO_MIN * least).min(f64::MAX));
        DistRange::new(least, most).map_err(|_| {
            let given = match self.min_dist {
                Some(_) => "",
                None => " (the default)",
            };
            let problem = format!("must not be less than min_dist {}{given}", plain(least));
            Refused::value("max_dist", plain(most), problem)
        })
    }

    pub(crate) fn white(&self) -> Result<White, Refused> {
        chosen("white", self.white.as_deref(), &White::ALL, White::name)
    }

    /// Returns the changes to the map's greys.
    pub(crate) fn shaping(&self) -> Result<Shaping, Refused> {
        let kind = chosen("map", self.map.as_deref(), &MapKind::ALL, MapKind::name)?;
        let keep = chosen(
            "limit_keep",
            self.limit_keep.as_deref(),
            &Side::ALL,
            Side::name,
        )?;
        Ok(Shaping {
            kind,
            limit: self.limit.map(|slope| (slope, keep)),
            ..Shaping::default()
        })
    }

    /// Returns red, green and blue.
    pub(crate) fn rgb(&self) -> Result<[u8; 3], Refused> {
        let digits = self.colour.strip_prefix('#').unwrap_or_default();
        let good = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(rgb) if good => Ok([16, 8, 0].map(|shift| (rgb >> shift) as u8)),
            _ => {
                let problem = "a colour is written as #rrggbb, like #2f6b3a";
                Err(Refused::value("colour", &self.colour, problem))
            }
        }
    }

    /// Refuses values that are invalid with every map.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        for (name, value) in [
            ("min_dist", self.min_dist),
            ("max_dist", self.max_dist),
            ("limit", self.limit),
            ("share", self.share),
        ] {
            value.map_or(Ok(()), |value| check_positive(name, value))?;
        }
        self.range()?;
        self.white()?;
        self.shaping()?;
        self.rgb()?;
        if self.name.trim().is_empty() || self.name.len() > MOST_NAME {
            let problem = "a layer needs a name of at most 200 bytes";
            return Err(Refused::value("name", &self.name, problem));
        }
        if self.name.chars().any(char::is_control) {
            let problem = "a name must not hold line breaks or other control characters";
            return Err(Refused::value("name", self.name.escape_debug(), problem));
        }
        if self.limit.is_none()
            && let Some(keep) = &self.limit_keep
        {
            return Err(Refused::value("limit_keep", keep, "needs limit"));
        }
        Ok(())
    }
}

/// Refuses a number that is not positive and finite.
pub(crate) fn check_positive(name: &str, value: f64) -> Result<(), Refused> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let problem = "must be a positive finite number";
    Err(Refused::value(name, plain(value), problem))
}

/// Returns the value called `given`, or the first value if no name is given.
pub(crate) fn chosen<T: Copy>(
    what: &str,
    given: Option<&str>,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Refused> {
    let found = match given {
        None => all.first(),
        Some(given) => all.iter().find(|&&value| name(value) == given),
    };
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
        let problem = format!("is not one of {}", names.join(", "));
        Refused::value(what, given.unwrap_or_default(), problem)
    })
}

impl Settings {
    pub(crate) fn rule(&self) -> Result<Rule, Refused> {
        chosen("rule", self.rule.as_deref(), &Rule::ALL, Rule::name)
    }

    pub(crate) fn y_axis(&self) -> YAxis {
        if self.y_up { YAxis::Up } else { YAxis::Down }
    }

    pub(crate) fn tries(&self) -> u32 {
        self.tries.unwrap_or(BridsonOptions::default().tries)
    }

    /// Returns the world for a map with so many pixels.
    pub(crate) fn world(&self, pixels: [u32; 2]) -> Result<Bounds<2>, Refused> {
        let size = self.size.unwrap_or(pixels.map(f64::from));
        let text = || format!("{}x{}", plain(size[0]), plain(size[1]));
        if !size.iter().all(|s| s.is_finite() && *s > 0.0) {
            let problem = "width and height must be positive finite numbers";
            return Err(Refused::value("size", text(), problem));
        }
        Bounds::from_size(size).map_err(|_| {
            let problem = "the world reaches beyond the largest number";
            Refused::value("size", text(), problem)
        })
    }

    /// Refuses settings that contradict one another for so many layers.
    pub(crate) fn check(&self, layers: usize) -> Result<(), Refused> {
        if layers > MOST_LAYERS {
            let problem = format!("at most {MOST_LAYERS} are possible here");
            return Err(Refused::value("layers", layers, problem));
        }
        self.world([1, 1])?;
        self.names.check()?;
        let rule = self.rule()?;
        if layers > 1 {
            if self.algorithm == Algorithm::Bridson {
                let problem = "algorithm bridson: not with several species: drop one of them";
                return Err(Refused::run(problem));
            }
            if rule == Rule::Parent {
                let problem = "not with several species: choose another rule";
                return Err(Refused::value("rule", "parent", problem));
            }
        }
        if self.count == Some(0) {
            return Err(Refused::value("count", 0, "must be at least 1"));
        }
        if let Some(tries) = self.tries
            && !(1..=MOST_TRIES).contains(&tries)
        {
            let problem = format!("must be from 1 to {MOST_TRIES} here: more only take time");
            return Err(Refused::value("tries", tries, problem));
        }
        match self.algorithm {
            Algorithm::Scatter => {
                if rule == Rule::Parent {
                    let problem = "not supported by algorithm scatter: choose another rule, or \
                                   bridson";
                    return Err(Refused::value("rule", "parent", problem));
                }
                if let Some(tries) = self.tries {
                    let problem = "not supported by algorithm scatter: drop it, or choose bridson";
                    return Err(Refused::value("tries", tries, problem));
                }
            }
            Algorithm::Bridson => {
                let cannot = [("tile", self.tile), ("count", self.count.is_some())];
                if let Some((name, _)) = cannot.iter().find(|(_, given)| *given) {
                    let problem = format!(
                        "{name}: not supported by algorithm bridson: drop it, or choose \
                                 scatter"
                    );
                    return Err(Refused::Run(problem));
                }
            }
        }
        Ok(())
    }
}

impl Names {
    fn check(&self) -> Result<(), Refused> {
        check_name("map's name", &self.map, "png")?;
        check_name("species file's name", &self.species, "toml")?;
        file_name("points' name", &self.output)?;
        if export::Format::from_path(&self.output).is_none() {
            let known: Vec<String> = export::Format::ALL
                .iter()
                .map(|format| format!(".{}", format.extension()))
                .collect();
            let problem = format!("the name must end in one of {}", known.join(", "));
            return Err(Refused::value("points' name", &self.output, problem));
        }
        Ok(())
    }
}

/// Checks a name that must end in `.extension`.
fn check_name(what: &str, name: &str, extension: &str) -> Result<(), Refused> {
    file_name(what, name)?;
    let given = std::path::Path::new(name).extension();
    if given.is_some_and(|e| e.eq_ignore_ascii_case(extension)) {
        return Ok(());
    }
    Err(Refused::value(
        what,
        name,
        format!("the name must end in .{extension}"),
    ))
}

/// Checks that a name is a plain file name, without a path.
pub(crate) fn file_name(what: &str, name: &str) -> Result<(), Refused> {
    // Browsers save files under other names where Windows could not store these.
    let bad = |c: char| c.is_control() || r#"/\:"*?<>|"#.contains(c);
    if name.is_empty()
        || name.len() > MOST_NAME
        || name.starts_with(['-', '.', '~'])
        || name.contains(bad)
    {
        let problem = "give the name of a file, without folders, of at most 200 bytes, that \
                       begins with none of - . ~ and has none of / \\ : \" * ? < > |";
        return Err(Refused::value(what, name.escape_debug(), problem));
    }
    Ok(())
}

/// Returns the name of the file in which a layer's map is saved.
pub(crate) fn map_name(layer: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    format!("{}.png", layer.chars().map(plain).collect::<String>())
}

/// Returns the available choices, and the defaults.
pub(crate) fn choices() -> Value {
    let formats: Vec<Value> = export::Format::ALL
        .iter()
        .map(|format| json!({ "name": format.name(), "extension": format.extension() }))
        .collect();
    let algorithms = [Algorithm::Scatter, Algorithm::Bridson].map(Algorithm::name);
    json!({
        "rules": Rule::ALL.map(Rule::name),
        "whites": White::ALL.map(White::name),
        "maps": MapKind::ALL.map(MapKind::name),
        "sides": Side::ALL.map(Side::name),
        "algorithms": algorithms,
        "formats": formats,
        "min_dist": MIN_DIST,
        "max_to_min": MAX_TO_MIN,
        "tries": BridsonOptions::default().tries,
    })
}
