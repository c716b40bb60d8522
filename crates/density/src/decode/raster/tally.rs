//! What pixels have that an image may not mean, summed over its parts.

use super::{Raster, Store};
use crate::decode::Channel;
use crate::decode::levels::Levels;
use crate::decode::nodata::{Void, is_void};
use crate::diagnostic::Diagnostic;
use crate::grey_map::WHITE;
use std::collections::BTreeSet;

/// Whole numbers that use less than this share of their type's range are no greys: they are heights
/// in metres, or 0 and 1.
const NARROW: f64 = 1.0 / 16.0;

/// What the pixels of an image have that it may not mean, for images that are read part by part: as
/// [`Raster::diagnostics`] tells it of an image that is read at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// First column and row of each part.
    parts: BTreeSet<[u32; 2]>,
    pixels: u64,
    clear: u64,
    divided: u64,
    /// The least and the greatest number, as they are stored.
    ends: Option<[End; 2]>,
    /// The greatest number that there can be, where numbers are greys.
    full: Option<f64>,
}

/// An end of the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    number: f64,
    pixels: u64,
}

impl Tally {
    /// Adds a part that begins at this column and row. One that was added before changes nothing, so
    /// that a part may be read again. Takes a pass over the pixels, unless they cannot matter any more.
    pub fn add(&mut self, at: [u32; 2], part: &Raster) {
        if !self.parts.insert(at) {
            return;
        }
        self.pixels += part.pixels() as u64;
        self.clear += part.about.clear;
        self.divided += part.about.divided;
        self.full = part.is_grey().then_some(part.full);
        // Of scaled greys neither end says anything.
        let matter = match self.full {
            Some(full) => !self.is_wide(full),
            None => !part.level_type.is_grey(),
        };
        if matter && let Some(ends) = part.ends_stored() {
            self.ends = Some(match self.ends {
                None => ends,
                Some(known) => [
                    known[0].joined(ends[0], |new, old| new < old),
                    known[1].joined(ends[1], |new, old| new > old),
                ],
            });
        }
    }

    /// The tally of one raster that is the whole image.
    pub(in crate::decode) fn of(raster: &Raster) -> Self {
        let mut tally = Self::default();
        tally.add([0, 0], raster);
        tally
    }

    /// What may have been read otherwise than it was meant. `channel` and `levels` are as in
    /// [`Raster::diagnostics`].
    pub fn diagnostics(&self, channel: &Channel, levels: Option<Levels>) -> Vec<Diagnostic> {
        let share = |pixels| pixels as f64 / self.pixels as f64;
        let mut found = Vec::new();
        // Who picks a colour may mean the weights of a splat map, of which alpha is one more.
        let is_colour = !matches!(channel, Channel::Luma | Channel::A);
        if is_colour && self.clear > 0 {
            found.push(Diagnostic::ClosedByAlpha {
                share: share(self.clear),
                channel: channel.name().to_owned(),
            });
        }
        // Not every program keeps to what its format says of alpha.
        if self.divided > 0 {
            let share = share(self.divided);
            found.push(Diagnostic::DividedByAlpha { share });
        }
        if let Some(Void { number, pixels }) = self.void() {
            found.push(Diagnostic::Void { number, pixels });
        }
        if levels == Some(Levels::Natural) {
            found.extend(self.narrow());
        }
        found
    }

    /// See [`Raster::void`].
    pub(in crate::decode) fn void(&self) -> Option<Void> {
        let ends = self.ends.filter(|_| self.full.is_none())?;
        let least = ends[0].number;
        let end = ends.into_iter().find(|end| is_void(end.number, least))?;
        let End { number, pixels } = end;
        Some(Void { number, pixels })
    }

    /// Levels that, read as greys, come out nearly black.
    fn narrow(&self) -> Option<Diagnostic> {
        let (full, [lo, hi]) = (self.full?, self.ends?);
        let found = [lo.number, hi.number];
        let is_narrow = found[0] < found[1] && !self.is_wide(full);
        is_narrow.then_some(Diagnostic::NarrowLevels { found, white: full })
    }

    /// Returns `true` if the numbers use more than a little of those that there can be.
    fn is_wide(&self, full: f64) -> bool {
        self.ends
            .is_some_and(|[lo, hi]| hi.number - lo.number >= NARROW * full)
    }
}

impl End {
    /// The farther of two ends, or both.
    fn joined(self, other: Self, is_farther: fn(f64, f64) -> bool) -> Self {
        if is_farther(other.number, self.number) {
            other
        } else if other.number == self.number {
            Self {
                pixels: self.pixels + other.pixels,
                ..self
            }
        } else {
            self
        }
    }
}

impl Raster {
    /// The least and the greatest number, and how many pixels have them; `None` without any.
    fn ends_stored(&self) -> Option<[End; 2]> {
        let [least, greatest] = if let Store::Greys { greys, allowed } = &self.store {
            let mut ends = [u16::MAX, u16::MIN];
            for (index, &grey) in greys.iter().enumerate() {
                if allowed[index] {
                    ends = [ends[0].min(grey), ends[1].max(grey)];
                }
            }
            if ends[0] > ends[1] {
                return None;
            }
            ends.map(|grey| f64::from(grey) * self.full / WHITE)
        } else {
            let numbers = || self.numbers().filter(|number| !number.is_nan());
            [numbers().reduce(f64::min)?, numbers().reduce(f64::max)?]
        };
        // Of greys nobody asks how many.
        let count = |end: f64| match &self.store {
            Store::Greys { .. } => 0,
            _ => self.numbers().filter(|&number| number == end).count() as u64,
        };
        Some([least, greatest].map(|number| End {
            number,
            pixels: count(number),
        }))
    }

    /// The numbers of all pixels, as they are stored; NaN where there is none.
    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.pixels()).map(|index| self.number(index))
    }
}
