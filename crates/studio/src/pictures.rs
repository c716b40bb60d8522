//! Maps from files, and maps of noise.

use crate::error::Refused;
use crate::history::Source;
use crate::settings::check_positive;
use density::GreyMap;
use density::decode::{DecodeLimits, Levels, Place, Raster, ReadOptions};
use density::diagnostic::{Names, Role, Subject};
use density::numbers::plain;
use density::shape::{PerlinMapOptions, perlin_map};
use serde::{Deserialize, Serialize};

/// Largest number of pixels of a map. 16-bit greys, the mask and their copies take some 10 bytes a
/// pixel.
const MOST_PIXELS: u64 = 1 << 26;

/// Size of a new session's map, which is that of `spinney map perlin` with its defaults.
const START_SIZE: [u32; 2] = [512, 512];

/// A map as read from a file.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name in warnings.
    pub name: String,
    /// The map.
    pub map: GreyMap,
    /// The place that the file states. The page works in pixels, and warns of it.
    pub place: Option<Place>,
    /// Warnings from reading the file.
    pub warnings: Vec<String>,
}

impl Picture {
    /// Returns a map that is not from a file.
    pub(crate) fn made(map: GreyMap) -> Self {
        Self {
            name: String::new(),
            map,
            place: None,
            warnings: Vec::new(),
        }
    }

    /// Returns the facts about the map besides its pixels.
    pub(crate) fn source(&self) -> Source {
        let place = self.place.map(|place| self.place_warning(place));
        Source {
            warnings: self.warnings.iter().cloned().chain(place).collect(),
            is_read: !self.name.is_empty(),
        }
    }

    fn place_warning(&self, place: Place) -> String {
        let (bounds, [width, height]) = (place.bounds(), place.bounds().size().map(plain));
        let corner = |[x, y]: [f64; 2]| format!("{},{}", plain(x), plain(y));
        let least = corner(bounds.min());
        let system = place.crs().map(|crs| format!(" in {crs}"));
        let advice = if place.may_be_degrees([self.map.width(), self.map.height()]) {
            "the place is in degrees, which are no lengths".to_owned()
        } else {
            format!(
                "for points there, set size {width} x {height} and y up, and add --origin {least} \
                 to the command line"
            )
        };
        format!(
            "{}: the file says that it lies from {least} to {}{}, which the page does not use: a \
             pixel is one unit, unless size is set; {advice}",
            self.name,
            corner(bounds.max()),
            system.unwrap_or_default(),
        )
    }
}

/// Reads a picture as `spinney sample` does. Warnings call it `name`, and its options by `names`.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    options: ReadOptions,
    levels: Levels,
    names: &'static Names,
) -> Result<Picture, Refused> {
    let options = ReadOptions {
        limits: DecodeLimits {
            max_pixels: MOST_PIXELS,
            ..DecodeLimits::default()
        },
        ..options
    };
    let raster = Raster::decode(bytes, &options).map_err(Refused::run)?;
    let subject = Subject::new(Role::Map, name, names);
    let found = raster.diagnostics(&options.channel, Some(levels));
    let warnings = found.into_iter().map(|d| d.about(&subject).to_string());
    Ok(Picture {
        name: name.to_owned(),
        place: raster.about().place,
        warnings: warnings.collect(),
        map: raster.into_map(levels).map_err(Refused::run)?,
    })
}

/// Parameters of a noise map: the flags of `spinney map perlin`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Noise {
    /// Width and height, pixels.
    pub(crate) size: [u32; 2],
    /// Seed of the noise.
    pub(crate) seed: u64,
    /// Width of a cycle of the first octave, pixels.
    pub(crate) scale: f64,
    /// Number of noises in the sum.
    pub(crate) octaves: u32,
    /// Ratio of the frequencies of successive octaves.
    pub(crate) lacunarity: f64,
    /// Ratio of the amplitudes of successive octaves.
    pub(crate) persistence: f64,
    /// Largest displacement of places by further noise, pixels.
    pub(crate) warp: f64,
    /// If given, values below are black and all others white.
    pub(crate) threshold: Option<f64>,
}

impl Default for Noise {
    fn default() -> Self {
        let usual = density::PerlinOptions::default();
        Self {
            size: START_SIZE,
            seed: usual.seed,
            scale: 1.0 / usual.frequency,
            octaves: usual.octaves,
            lacunarity: usual.lacunarity,
            persistence: usual.persistence,
            warp: 0.0,
            threshold: None,
        }
    }
}

impl Noise {
    /// Returns the map.
    pub(crate) fn map(&self) -> Result<GreyMap, Refused> {
        check_pixels(self.size)?;
        check_positive("scale", self.scale)?;
        let options = PerlinMapOptions {
            noise: density::PerlinOptions {
                seed: self.seed,
                frequency: 1.0 / self.scale,
                octaves: self.octaves,
                lacunarity: self.lacunarity,
                persistence: self.persistence,
                ..density::PerlinOptions::default()
            },
            warp: self.warp,
            threshold: self.threshold,
        };
        let [width, height] = self.size;
        perlin_map(width, height, options).map_err(Refused::run)
    }
}

/// Refuses a map without pixels, or with too many.
pub(crate) fn check_pixels([width, height]: [u32; 2]) -> Result<(), Refused> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || pixels > MOST_PIXELS {
        let problem = format!("a map here has from 1 to {MOST_PIXELS} pixels");
        return Err(Refused::value("size", format!("{width}x{height}"), problem));
    }
    Ok(())
}
