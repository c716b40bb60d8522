//! One channel of an image, as the file stores it.

mod about;
mod tally;

use super::levels::{LevelRange, LevelType, Levels};
use super::orientation::{Orientation, turned};
use super::{Alpha, Channel, DecodeError, DecodeLimits, NoData};
use crate::GreyMap;
use crate::grey_map::WHITE;
use crate::per_pixel::per_pixel;
pub use about::About;
pub use tally::Tally;

/// Options for reading a file.
///
/// ```
/// use spinney_density::decode::{NoData, Raster, ReadOptions};
///
/// // The file does not declare that 0 is no height.
/// let grid = b"ncols 3\nnrows 1\ncellsize 30\n0 200 300\n";
/// let options = ReadOptions { no_data: Some(NoData::new(0.0)), ..ReadOptions::default() };
/// let raster = Raster::decode(grid, &options)?;
/// assert_eq!((raster.level(0, 0), raster.level(1, 0)), (None, Some(200.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// The channel that becomes the map.
    pub channel: Channel,
    /// The effect of alpha.
    pub alpha: Alpha,
    /// A number of the channel that means "no level", besides those that the file itself declares.
    pub no_data: Option<NoData>,
    /// Whether an image that is turned, sheared or mirrored on a map is read as stored, without a place. Such images are
    /// refused otherwise.
    pub may_be_turned: bool,
    /// Limits on pixels and memory.
    pub limits: DecodeLimits,
}

/// One channel of an image in the file's own units: 0 to 255 for an 8-bit image, perhaps metres for heights. Row 0 is
/// at the top.
///
/// A pixel has no level where alpha is 0 (unless alpha is ignored), or where the number is NaN or the file's "no data".
/// Levels are scaled where the file specifies a scale and an offset ([`About::scaling`]).
///
/// [`Raster::into_map`] converts it to a map.
///
/// ```
/// use spinney_density::decode::{LevelRange, Levels, Raster, ReadOptions};
///
/// // Heights in metres.
/// let grid = b"ncols 3\nnrows 1\ncellsize 30\nNODATA_value -9999\n100 -9999 300\n";
/// let raster = Raster::decode(grid, &ReadOptions::default())?;
/// assert_eq!((raster.level(2, 0), raster.level(1, 0)), (Some(300.0), None));
/// let map = raster.into_map(Levels::Between(LevelRange::new(0.0, 500.0)?))?;
/// assert_eq!((map.value(0, 0), map.allowed(1, 0)), (0.2, false));
/// # Ok::<(), spinney_density::decode::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    width: u32,
    height: u32,
    level_type: LevelType,
    /// The greatest possible number.
    full: f64,
    store: Store,
    /// Facts about the image besides its levels, which the decoders fill in.
    pub(super) about: About,
}

#[derive(Clone, Debug, PartialEq)]
enum Store {
    /// Greys as in a [`GreyMap`]: 65535 stands for the greatest possible number.
    Greys { greys: Vec<u16>, allowed: Vec<bool> },
    /// NaN where there is no level.
    Single(Vec<f32>),
    /// NaN where there is no level.
    Double(Vec<f64>),
}

/// Returns `true` if greys up to `full` are stored in 65535 steps: only where each integer is a whole number of steps.
fn in_steps(level_type: LevelType, full: f64) -> bool {
    level_type.is_grey() && WHITE % full == 0.0
}

/// Returns `true` if `f32` holds every number of a type.
fn is_single(level_type: LevelType) -> bool {
    use LevelType::{Float, Signed, Unsigned};
    matches!(level_type, Float(..=32) | Signed(..=16) | Unsigned(..=16))
}

impl Raster {
    /// Returns the memory for a raster of this size and its map, bytes.
    pub(super) fn bytes(size: [u32; 2], level_type: LevelType) -> u64 {
        Self::bytes_up_to(level_type.greatest(), size, level_type)
    }

    /// Returns the memory for a raster whose greys end at `full`, and its map, bytes.
    pub(super) fn bytes_up_to(full: f64, [width, height]: [u32; 2], level_type: LevelType) -> u64 {
        let pixels = u64::from(width) * u64::from(height);
        let per_pixel = match level_type {
            // The map takes over these vectors.
            _ if in_steps(level_type, full) => 3,
            _ if is_single(level_type) => 4 + 3,
            _ => 8 + 3,
        };
        pixels.saturating_mul(per_pixel)
    }

    /// Returns a raster without any level.
    pub(super) fn blank(size: [u32; 2], level_type: LevelType) -> Result<Self, DecodeError> {
        Self::blank_up_to(level_type.greatest(), size, level_type)
    }

    /// Returns a raster without any level, whose greatest possible number is `full`.
    pub(super) fn blank_up_to(
        full: f64,
        [width, height]: [u32; 2],
        level_type: LevelType,
    ) -> Result<Self, DecodeError> {
        let size = [width, height];
        let store = match level_type {
            _ if in_steps(level_type, full) => Store::Greys {
                greys: per_pixel(0, size)?,
                allowed: per_pixel(false, size)?,
            },
            _ if is_single(level_type) => Store::Single(per_pixel(f32::NAN, size)?),
            _ => Store::Double(per_pixel(f64::NAN, size)?),
        };
        Ok(Self {
            width,
            height,
            level_type,
            full,
            store,
            about: About::default(),
        })
    }

    /// Sets the level of a pixel, before scaling. NaN removes the level.
    #[inline]
    pub(super) fn put(&mut self, x: u32, y: u32, level: f64) {
        let at = y as usize * self.width as usize + x as usize;
        match &mut self.store {
            Store::Greys { greys, allowed } => {
                greys[at] = (level * WHITE / self.full).round() as u16;
                allowed[at] = !level.is_nan();
            }
            Store::Single(levels) => levels[at] = level as f32,
            Store::Double(levels) => levels[at] = level,
        }
    }

    /// Sets the grey of a pixel, of 65535 steps, and whether its alpha lets it have a level. The grey is kept anyway.
    #[inline]
    pub(super) fn put_grey(&mut self, [x, y]: [u32; 2], grey: u16, is_open: bool) {
        let at = y as usize * self.width as usize + x as usize;
        if let Store::Greys { greys, allowed } = &mut self.store {
            (greys[at], allowed[at]) = (grey, is_open);
            self.about.clear += u64::from(!is_open);
        }
    }

    /// Sets `count` pixels of row `y`, from column `x`, to one level, as [`put`](Self::put) does.
    pub(super) fn put_same(&mut self, [x, y]: [u32; 2], count: usize, level: f64) {
        if count == 0 {
            return;
        }
        self.put(x, y, level);
        let first = y as usize * self.width as usize + x as usize;
        let all = first..first + count;
        match &mut self.store {
            Store::Greys { greys, allowed } => {
                let grey = greys[first];
                greys[all.clone()].fill(grey);
                allowed[all].fill(!level.is_nan());
            }
            Store::Single(levels) => levels[all].fill(level as f32),
            Store::Double(levels) => levels[all].fill(level),
        }
    }

    /// Sets pixels of row `y`, from column `x`, to integer levels up to 255 (8-bit raster) or 65535 (16-bit).
    pub(super) fn put_whole(
        &mut self,
        [x, y]: [u32; 2],
        numbers: impl ExactSizeIterator<Item = u16>,
    ) {
        let first = y as usize * self.width as usize + x as usize;
        let all = first..first + numbers.len();
        let Store::Greys { greys, allowed } = &mut self.store else {
            return;
        };
        allowed[all.clone()].fill(true);
        let step = (WHITE / self.full) as u16;
        for (grey, number) in greys[all].iter_mut().zip(numbers) {
            *grey = number.wrapping_mul(step);
        }
    }

    /// Removes the level of a pixel.
    pub(super) fn forbid(&mut self, x: u32, y: u32) {
        self.put(x, y, f64::NAN);
    }

    /// Returns the picture turned and mirrored.
    pub(super) fn oriented(mut self, orientation: Orientation) -> Result<Self, DecodeError> {
        if orientation == Orientation::NoTransforms {
            return Ok(self);
        }
        self.turn_about(orientation);
        let size = self.size();
        let ([width, height], store) = match self.store {
            Store::Greys { greys, allowed } => {
                let (_, allowed) = turned(&allowed, size, orientation)?;
                let (size, greys) = turned(&greys, size, orientation)?;
                (size, Store::Greys { greys, allowed })
            }
            Store::Single(levels) => {
                let (size, levels) = turned(&levels, size, orientation)?;
                (size, Store::Single(levels))
            }
            Store::Double(levels) => {
                let (size, levels) = turned(&levels, size, orientation)?;
                (size, Store::Double(levels))
            }
        };
        Ok(Self {
            width,
            height,
            store,
            ..self
        })
    }

    /// Returns the pixels per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the pixels per row and the number of rows.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Returns the type of the file's numbers, before scaling.
    pub fn level_type(&self) -> LevelType {
        self.level_type
    }

    /// Returns `true` if the format defines black and white: see [`LevelType::is_grey`]. Scaled numbers are
    /// measurements, so the result is `false` for them.
    pub fn is_grey(&self) -> bool {
        self.level_type.is_grey() && self.about.scaling.is_none()
    }

    /// Returns the level at column `x`, row `y` from the top, in the file's units. `None` for a pixel without a level
    /// and outside the image.
    pub fn level(&self, x: u32, y: u32) -> Option<f64> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let level = self.at(y as usize * self.width as usize + x as usize);
        (!level.is_nan()).then_some(level)
    }

    /// Returns the levels of all pixels, row by row from the top; `None` for a pixel without a level.
    pub fn levels(&self) -> impl Iterator<Item = Option<f64>> {
        let levels = (0..self.pixels()).map(|index| self.at(index));
        levels.map(|level| (!level.is_nan()).then_some(level))
    }

    /// Returns the number of a pixel before scaling; `None` if the pixel has no level.
    pub(super) fn number_at(&self, x: u32, y: u32) -> Option<f64> {
        let number = self.number(y as usize * self.width as usize + x as usize);
        (!number.is_nan()).then_some(number)
    }

    /// Returns the level of a pixel, NaN if it has none.
    #[inline]
    fn at(&self, index: usize) -> f64 {
        let number = self.number(index);
        self.about.scaling.map_or(number, |s| s.level(number))
    }

    /// Returns the number of a pixel before scaling, NaN if it has none.
    #[inline]
    fn number(&self, index: usize) -> f64 {
        match &self.store {
            Store::Greys { allowed, .. } if !allowed[index] => f64::NAN,
            Store::Greys { greys, .. } => f64::from(greys[index]) * self.full / WHITE,
            Store::Single(levels) => f64::from(levels[index]),
            Store::Double(levels) => levels[index],
        }
    }

    fn pixels(&self) -> usize {
        match &self.store {
            Store::Greys { greys, .. } => greys.len(),
            Store::Single(levels) => levels.len(),
            Store::Double(levels) => levels.len(),
        }
    }

    /// Returns the levels of black and white; `None` when no pixel has a level. Takes a pass over the pixels unless the
    /// ends are given or natural.
    ///
    /// # Errors
    /// When the ends are to be found and all levels are the same.
    pub fn ends(&self, levels: Levels) -> Result<Option<LevelRange>, DecodeError> {
        match levels {
            Levels::Between(range) => return Ok(Some(range)),
            Levels::Natural if self.is_grey() => return Ok(Some(LevelRange::up_to(self.full))),
            Levels::Natural | Levels::Found => {}
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut some = None;
        for level in self.levels().flatten() {
            if level.is_finite() {
                lo = lo.min(level);
                hi = hi.max(level);
            }
            some = Some(level);
        }
        match some {
            None => Ok(None),
            Some(level) if lo > hi => Err(DecodeError::OneLevel { level }),
            Some(_) if lo == hi => Err(DecodeError::OneLevel { level: lo }),
            Some(_) => LevelRange::new(lo, hi).map(Some),
        }
    }

    /// Returns the greatest possible number, before scaling: that of the type, or the maximum that a PNM file declares.
    pub fn full(&self) -> f64 {
        self.full
    }

    /// Converts the raster to a map. Its value is 0 at the black level and 1 at the white one, linear between and
    /// rounded to the nearest of 65536 greys. Levels beyond the ends, infinities included, become black or white. Greys
    /// of up to 16 bits in their natural range stay unchanged. No point may lie where there is no level.
    ///
    /// The map resolves a floating-point raster to 1/131070 of the range: 15 mm over 2000 m. Give a narrower range
    /// when a map needs more.
    ///
    /// # Errors
    /// The errors of [`Raster::ends`], and when memory runs out.
    pub fn into_map(self, levels: Levels) -> Result<GreyMap, DecodeError> {
        let ends = self.ends(levels)?;
        if let Store::Greys { greys, allowed } = self.store {
            let full = self.full;
            let natural = LevelRange::up_to(full);
            let range = ends.unwrap_or(natural);
            let scaling = self.about.scaling;
            let mut greys = greys;
            if range != natural || scaling.is_some() {
                for grey in &mut greys {
                    let number = f64::from(*grey) * full / WHITE;
                    let value = range.value(scaling.map_or(number, |s| s.level(number)));
                    *grey = (value * WHITE).round() as u16;
                }
            }
            let (width, height) = (self.width, self.height);
            return Ok(GreyMap::new(width, height, greys, Some(allowed))?);
        }
        self.map_of(ends, LevelRange::value, |value| {
            (value * WHITE).round() as u16
        })
    }

    /// Returns a map of black and white: white where the value is at least `least`, black below. The value is that of
    /// [`Raster::into_map`] before rounding to greys, so that a level of 75 in 0..100 reaches 0.75. Levels beyond the
    /// ends have values below 0 and above 1. No point may lie where there is no level.
    ///
    /// # Errors
    /// The errors of [`Raster::ends`], and when memory runs out.
    pub fn at_least(&self, least: f64, levels: Levels) -> Result<GreyMap, DecodeError> {
        let ends = self.ends(levels)?;
        self.map_of(ends, LevelRange::share, |value| {
            if value >= least { u16::MAX } else { 0 }
        })
    }

    /// Returns the map with the grey of each value, NaN where there is no level or no `ends`.
    fn map_of(
        &self,
        ends: Option<LevelRange>,
        value: fn(&LevelRange, f64) -> f64,
        grey: impl Fn(f64) -> u16,
    ) -> Result<GreyMap, DecodeError> {
        let [width, height] = self.size();
        let mut greys = per_pixel(0, self.size())?;
        let mut allowed = per_pixel(false, self.size())?;
        for (index, (to, allowed)) in greys.iter_mut().zip(&mut allowed).enumerate() {
            let value = ends.map_or(f64::NAN, |ends| value(&ends, self.at(index)));
            (*to, *allowed) = (grey(value), !value.is_nan());
        }
        Ok(GreyMap::new(width, height, greys, Some(allowed))?)
    }
}
