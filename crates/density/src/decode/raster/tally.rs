//! Sums, over the parts of an image, pixel properties that may be misread.

use super::Raster;
use crate::decode::Channel;
use crate::decode::levels::Levels;
use crate::decode::nodata::is_void;
use crate::diagnostic::Diagnostic;
use std::collections::BTreeSet;

/// Integers that use less than this share of their type's range are probably not greys, but heights in metres, or 0 and
/// 1.
const NARROW: f64 = 1.0 / 16.0;

/// Pixel properties that may be misread, for images that are read part by part. [`Raster::diagnostics`] is the
/// counterpart for images that are read at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// First column and row of each part.
    parts: BTreeSet<[u32; 2]>,
    pixels: u64,
    clear: u64,
    divided: u64,
    /// Numbers of pixels that are infinite, negative and positive.
    infinite: [u64; 2],
    /// The least and the greatest finite number, as stored. For greys they are only found until they span a wide range.
    ends: Option<[End; 2]>,
    /// The greatest possible number, where numbers are greys.
    full: Option<f64>,
}

/// The least or the greatest number of an image, and how many pixels have it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    number: f64,
    pixels: u64,
}

impl Tally {
    /// Adds a part whose first column and row are `at`. A part that was added before changes nothing, so parts may be
    /// read again. Takes a pass over the pixels, unless they can no longer change the diagnostics.
    pub fn add(&mut self, at: [u32; 2], part: &Raster) {
        if !self.parts.insert(at) {
            return;
        }
        self.pixels += part.pixels() as u64;
        self.clear += part.about.clear;
        self.divided += part.about.divided;
        self.full = part.is_grey().then_some(part.full);
        // Scaled greys give no diagnostic.
        if part.level_type.is_grey() && self.full.is_none() {
            return;
        }
        let numbers = (0..part.pixels()).map(|index| part.number(index));
        for number in numbers.filter(|number| !number.is_nan()) {
            // Greys that span a wide range give no diagnostic either.
            if self.full.is_some_and(|full| self.is_wide(full)) {
                return;
            }
            if number.is_infinite() {
                self.infinite[usize::from(number > 0.0)] += 1;
                continue;
            }
            let [least, greatest] = self.ends.get_or_insert([End { number, pixels: 0 }; 2]);
            least.add(number, number < least.number);
            greatest.add(number, number > greatest.number);
        }
    }

    /// Returns the tally of one raster that is the whole image.
    pub(super) fn of(raster: &Raster) -> Self {
        let mut tally = Self::default();
        tally.add([0, 0], raster);
        tally
    }

    /// Returns possible misreadings. `channel` and `levels` are as in [`Raster::diagnostics`].
    pub fn diagnostics(&self, channel: &Channel, levels: Option<Levels>) -> Vec<Diagnostic> {
        let share = |pixels| pixels as f64 / self.pixels as f64;
        let mut found = Vec::new();
        // A single colour channel may be one weight of a splat map, whose alpha is another weight.
        let is_colour = !matches!(channel, Channel::Luma | Channel::A);
        if is_colour && self.clear > 0 {
            found.push(Diagnostic::ClosedByAlpha {
                share: share(self.clear),
                channel: channel.name().to_owned(),
            });
        }
        // Not every program follows its format's definition of alpha.
        if self.divided > 0 {
            let share = share(self.divided);
            found.push(Diagnostic::DividedByAlpha { share });
        }
        found.extend(self.void());
        let [negative, positive] = self.infinite;
        if negative + positive > 0 {
            found.push(Diagnostic::Infinite { negative, positive });
        }
        if levels == Some(Levels::Natural) {
            found.extend(self.narrow());
        }
        found
    }

    /// Returns a warning if the least or the greatest number most likely means "no data": if programs commonly use it
    /// so. Greys have none.
    fn void(&self) -> Option<Diagnostic> {
        let ends = self.ends.filter(|_| self.full.is_none())?;
        let least = ends[0].number;
        let end = ends.into_iter().find(|end| is_void(end.number, least))?;
        let End { number, pixels } = end;
        Some(Diagnostic::Void { number, pixels })
    }

    /// Returns a warning if the levels, read as greys, would be nearly black.
    fn narrow(&self) -> Option<Diagnostic> {
        let (full, [lo, hi]) = (self.full?, self.ends?);
        let found = [lo.number, hi.number];
        let is_narrow = found[0] < found[1] && !self.is_wide(full);
        is_narrow.then_some(Diagnostic::NarrowLevels { found, white: full })
    }

    /// Returns `true` if the numbers span at least [`NARROW`] of their type's range.
    fn is_wide(&self, full: f64) -> bool {
        self.ends
            .is_some_and(|[lo, hi]| hi.number - lo.number >= NARROW * full)
    }
}

impl End {
    /// Adds a pixel with this number.
    fn add(&mut self, number: f64, is_farther: bool) {
        if is_farther {
            *self = Self { number, pixels: 0 };
        }
        self.pixels += u64::from(number == self.number);
    }
}
