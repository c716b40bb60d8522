//! Greyscale maps.

use crate::map_error::check_within;
use crate::patch::PixelSlice;
use crate::per_pixel::{per_pixel, pixel_count, places};
use crate::{MapError, PixelRect};

/// The grey of white: full scale.
pub(crate) const WHITE: f64 = 65535.0;

/// A greyscale image: 16-bit greys in rows, row 0 at the top, and a mask of where points may lie.
///
/// Greys of fewer bits are widened so that full scale is exactly 65535 and no value is lost or
/// shifted: an 8-bit `g` is stored as `g * 257`.
///
/// # Guarantees
/// Width and height are at least 1, and there is one grey per pixel.
///
/// ```
/// use spinney_density::GreyMap;
///
/// // Black to white from left to right, and no point in the first row.
/// let map = GreyMap::from_fn(256, 3, |x, y| if y == 0 { f64::NAN } else { f64::from(x) / 255.0 })?;
/// assert_eq!((map.grey(255, 1), map.value(51, 1)), (65535, 0.2));
/// assert_eq!((map.allowed(9, 0), map.allowed(9, 1)), (false, true));
/// # Ok::<(), spinney_density::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreyMap {
    width: u32,
    height: u32,
    values: Vec<u16>,
    allowed: Option<Vec<bool>>,
}

impl GreyMap {
    /// Creates a map from its greys, row by row from the top, each row from the left; full scale
    /// is 65535. `allowed`, if given, states for each pixel whether points may lie in its square.
    ///
    /// # Errors
    /// When there is no pixel, or a list's length is not `width * height`.
    pub fn new(
        width: u32,
        height: u32,
        values: Vec<u16>,
        allowed: Option<Vec<bool>>,
    ) -> Result<Self, MapError> {
        let pixels = pixel_count(width, height)?;
        let mask_len = allowed.as_ref().map_or(pixels, Vec::len);
        for (what, found) in [("values", values.len()), ("mask entries", mask_len)] {
            if found != pixels {
                return Err(MapError::Length {
                    what,
                    width,
                    height,
                    found,
                    expected: pixels as u64,
                });
            }
        }
        Ok(Self {
            width,
            height,
            values,
            allowed: allowed.filter(|mask| mask.contains(&false)),
        })
    }

    /// Creates a map from a function `f(x, y)` of the pixel, where `y` counts from the top.
    /// Values are clamped to [0, 1] and rounded to the nearest grey. NaN closes the pixel: no point
    /// may lie in it.
    ///
    /// # Errors
    /// When there is no pixel or the map does not fit into memory.
    pub fn from_fn(
        width: u32,
        height: u32,
        mut f: impl FnMut(u32, u32) -> f64,
    ) -> Result<Self, MapError> {
        let size = [width, height];
        let mut values = per_pixel(0u16, size)?;
        let mut allowed = per_pixel(true, size)?;
        let cells = values.iter_mut().zip(&mut allowed);
        for ((grey, allowed), (x, y)) in cells.zip(places(size)) {
            let value = f(x, y);
            *allowed = !value.is_nan();
            *grey = (value.clamp(0.0, 1.0) * WHITE).round() as u16;
        }
        Self::new(width, height, values, Some(allowed))
    }

    /// Returns the number of pixels per row.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the grey at column `x`, row `y` from the top; 65535 is white. Outside the image,
    /// returns the grey of the nearest pixel.
    #[inline]
    pub fn grey(&self, x: u32, y: u32) -> u16 {
        self.values[self.index(x, y)]
    }

    /// Returns the grey at column `x`, row `y` as a value in [0, 1]; 1 is white. Outside the image,
    /// the nearest pixel counts.
    #[inline]
    pub fn value(&self, x: u32, y: u32) -> f64 {
        f64::from(self.grey(x, y)) / WHITE
    }

    /// Returns `true` if points may lie in the square of the pixel at column `x`, row `y`. Outside
    /// the image, the nearest pixel counts.
    #[inline]
    pub fn allowed(&self, x: u32, y: u32) -> bool {
        match &self.allowed {
            None => true,
            Some(mask) => mask[self.index(x, y)],
        }
    }

    /// Returns `true` if the map has a closed pixel, where no point may lie.
    #[inline]
    pub fn has_mask(&self) -> bool {
        self.allowed.is_some()
    }

    /// Returns the share of pixels where points may lie, in [0, 1].
    pub fn allowed_share(&self) -> f64 {
        match &self.allowed {
            None => 1.0,
            Some(mask) => {
                let allowed = mask.iter().filter(|&&allowed| allowed).count();
                allowed as f64 / mask.len() as f64
            }
        }
    }

    /// Returns the greys, row by row from the top.
    pub fn greys(&self) -> &[u16] {
        &self.values
    }

    /// Returns for each pixel whether points may lie in it; `None` if they may lie in all.
    pub fn mask(&self) -> Option<&[bool]> {
        self.allowed.as_deref()
    }

    /// Returns a copy of a part of the map.
    ///
    /// # Errors
    /// When the rectangle does not lie in the image, or without enough memory.
    pub fn cut(&self, part: PixelRect) -> Result<Self, MapError> {
        check_within(part, self.size())?;
        let [width, height] = [part.width(), part.height()];
        let values = self.cut_list(part, &self.values)?;
        let allowed = self.allowed.as_deref();
        let allowed = allowed.map(|mask| self.cut_list(part, mask)).transpose()?;
        Self::new(width, height, values, allowed)
    }

    /// Returns a part of a list with one entry per pixel.
    fn cut_list<T: Copy>(&self, part: PixelRect, list: &[T]) -> Result<Vec<T>, MapError> {
        let [width, height] = [part.width(), part.height()];
        let mut cut = Vec::new();
        cut.try_reserve_exact(pixel_count(width, height)?)
            .map_err(|_| MapError::OutOfMemory { width, height })?;
        for y in part.min[1]..part.max[1] {
            let from = self.index(part.min[0], y);
            cut.extend_from_slice(&list[from..][..width as usize]);
        }
        Ok(cut)
    }

    /// Replaces the pixels of a rectangle, whose first pixel is `min`, with those of `part`.
    ///
    /// # Errors
    /// When the rectangle does not lie in the image, or without enough memory for a mask.
    pub fn paste(&mut self, min: [u32; 2], part: &Self) -> Result<(), MapError> {
        let whole = self.size();
        let outside = PixelRect { min, max: whole };
        let rect = PixelRect::at(min, part.size());
        let rect = rect.ok_or(MapError::Outside {
            part: outside,
            whole,
        })?;
        check_within(rect, whole)?;
        if part.has_mask() && self.allowed.is_none() {
            self.allowed = Some(per_pixel(true, whole)?);
        }
        let across = part.width as usize;
        for (row, y) in (min[1]..rect.max[1]).enumerate() {
            let (from, to) = (row * across, self.index(min[0], y));
            self.values[to..][..across].copy_from_slice(&part.values[from..][..across]);
            if let Some(mask) = &mut self.allowed {
                let mask = &mut mask[to..][..across];
                match &part.allowed {
                    Some(part) => mask.copy_from_slice(&part[from..][..across]),
                    None => mask.fill(true),
                }
            }
        }
        if part.allowed.is_none() {
            // The last closed pixel may have been replaced.
            self.allowed = self.allowed.take().filter(|mask| mask.contains(&false));
        }
        Ok(())
    }

    /// Returns the numbers of columns and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Returns `true` if points may lie in the pixel at `index` in the list.
    #[inline]
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.allowed.as_ref().is_none_or(|mask| mask[index])
    }

    /// Returns the map with other greys, one per pixel.
    pub(crate) fn with_greys(&self, greys: Vec<u16>) -> Self {
        Self {
            values: greys,
            allowed: self.allowed.clone(),
            ..*self
        }
    }

    /// Returns all pixels, as part of a whole map in which the first of them lies at `first`.
    #[inline]
    pub(crate) fn slice(&self, first: [u32; 2]) -> PixelSlice<'_> {
        PixelSlice {
            greys: &self.values,
            allowed: self.allowed.as_deref(),
            first,
            stride: self.width as usize,
        }
    }

    /// Returns the map with every grey replaced.
    pub(crate) fn map_greys(mut self, f: impl Fn(u16) -> u16) -> Self {
        for grey in &mut self.values {
            *grey = f(*grey);
        }
        self
    }

    #[inline]
    fn index(&self, x: u32, y: u32) -> usize {
        let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
        y as usize * self.width as usize + x as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_map() {
        assert_eq!(
            GreyMap::new(0, 3, vec![], None),
            Err(MapError::Empty {
                width: 0,
                height: 3
            })
        );
        assert!(matches!(
            GreyMap::new(2, 2, vec![0; 3], None),
            Err(MapError::Length {
                what: "values",
                found: 3,
                expected: 4,
                ..
            })
        ));
        assert!(matches!(
            GreyMap::new(2, 2, vec![0; 4], Some(vec![true; 5])),
            Err(MapError::Length {
                what: "mask entries",
                found: 5,
                ..
            })
        ));
        assert!(matches!(
            GreyMap::from_fn(u32::MAX, u32::MAX, |_, _| 0.0),
            Err(MapError::OutOfMemory { .. })
        ));
    }

    #[test]
    fn a_mask_that_forbids_nothing_is_none() {
        let map = GreyMap::new(1, 2, vec![0; 2], Some(vec![true; 2])).expect("a good map");
        assert!(!map.has_mask());
        assert_eq!(map.allowed_share(), 1.0);
    }

    #[test]
    fn a_function_is_rounded_clamped_and_masked() {
        let row = [-1.0, 0.5 / 65535.0, 0.499 / 65535.0, 2.0, f64::NAN];
        let map = GreyMap::from_fn(5, 1, |x, _| row[x as usize]).expect("a good map");
        assert_eq!(map.greys(), [0, 1, 0, 65535, 0]);
        assert_eq!(map.mask(), Some(&[true, true, true, true, false][..]));
        assert_eq!(map.allowed_share(), 0.8);
        assert_eq!(map.grey(99, 99), 0, "the edge goes on");
        assert!(!map.allowed(99, 99));
    }
}
