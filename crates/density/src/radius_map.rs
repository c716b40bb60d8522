//! The field of a greyscale map.

use crate::patch::PixelSlice;
use crate::pixel_field::{PixelField, Pixels, field_of_pixels};
use crate::pixel_grid::PixelGrid;
use crate::pyramid::{NodeBox, Pyramid, Summary};
use crate::{Bounds, DistRange, GreyMap, LocalRange, MapError, RadiusField, White, YAxis};

/// The placement of a map in the world, and the meaning of its greys.
///
/// See [`RadiusMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// Meaning of white.
    pub white: White,
    /// The rectangle of the world that the image covers. `None`: from the origin, one world unit
    /// per pixel.
    pub bounds: Option<Bounds<2>>,
    /// Position of the image's first row.
    pub y_axis: YAxis,
}

/// The field of a [`GreyMap`]: `min_dist = min + value * (max - min)`.
///
/// The value is bilinear between the centres of pixels; beyond the outermost centres, and outside
/// the image, coordinates are clamped to these centres. No point may lie in the square of a closed
/// pixel, and its grey has no part in the interpolation: colours under transparency do not bleed
/// into their surroundings. Outside the image the nearest pixel decides.
///
/// Takes 2 bytes of memory per pixel besides the map. `min_dist` and `range_in` take constant time.
///
/// ```
/// use spinney_density::{Bounds, DistRange, GreyMap, MapOptions, RadiusField, RadiusMap, White};
///
/// let map = GreyMap::from_fn(2, 1, |x, _| f64::from(x))?;
/// let options = MapOptions {
///     white: White::Dense,
///     bounds: Some(Bounds::from_size([200.0, 100.0])?),
///     ..MapOptions::default()
/// };
/// let field = RadiusMap::new(map, DistRange::new(1.0, 5.0)?, options)?;
/// assert_eq!(field.min_dist([50.0, 9.0]), Some(5.0));
/// assert_eq!(field.min_dist([100.0, 9.0]), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RadiusMap {
    field: PixelField<Whole>,
}

/// All pixels of a map.
#[derive(Clone, Debug, PartialEq)]
struct Whole {
    map: GreyMap,
    pyramid: Pyramid<2, u16>,
}

impl Pixels for Whole {
    #[inline]
    fn with_slice<T>(&self, _: NodeBox<2>, f: impl FnOnce(&PixelSlice<'_>) -> T) -> T {
        f(&self.map.slice([0, 0]))
    }

    #[inline]
    fn over(&self, within: NodeBox<2>) -> Summary<u16> {
        self.pyramid.over(&self.map.slice([0, 0]), within)
    }
}

impl RadiusMap {
    /// Creates the field of `map` with distances in `range`.
    ///
    /// # Errors
    /// When the rectangle is so small or so large that a pixel's size cannot be computed with, or
    /// without enough memory for the bounds of its boxes.
    pub fn new(map: GreyMap, range: DistRange, options: MapOptions) -> Result<Self, MapError> {
        let (width, height) = (map.width(), map.height());
        let bounds = match options.bounds {
            Some(bounds) => bounds,
            None => Bounds::from_size([width, height].map(f64::from))
                .map_err(|_| MapError::Empty { width, height })?,
        };
        let grid = PixelGrid::new([width, height], bounds, options.y_axis)?;
        let pyramid = Pyramid::new([width, height], &map.slice([0, 0]));
        let pyramid = pyramid.ok_or(MapError::OutOfMemory { width, height })?;
        let field = PixelField {
            is_holed: map.has_mask(),
            pixels: Whole { map, pyramid },
            grid,
            range,
            white: options.white,
        };
        Ok(Self { field })
    }

    /// Replaces the pixels of a rectangle of the map, whose first pixel is `min`, with those of
    /// `part`. The result equals the field that [`new`](Self::new) creates from the changed map,
    /// bit for bit.
    ///
    /// # Errors
    /// When the rectangle does not lie in the image, or without enough memory for a mask.
    ///
    /// # Cost
    /// Proportional to the replaced pixels. If the map has a mask, all of its pixels may be read.
    ///
    /// ```
    /// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusField, RadiusMap};
    ///
    /// let map = |grey| GreyMap::from_fn(4, 4, move |_, _| grey);
    /// let mut field = RadiusMap::new(map(0.0)?, DistRange::new(1.0, 3.0)?, MapOptions::default())?;
    /// field.paste([2, 0], &map(1.0)?.cut(spinney_density::PixelRect { min: [0, 0], max: [2, 4] })?)?;
    /// assert_eq!(field.min_dist([3.5, 2.0]), Some(3.0));
    /// assert_eq!(field.min_dist([0.5, 2.0]), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paste(&mut self, min: [u32; 2], part: &GreyMap) -> Result<(), MapError> {
        let Whole { map, pyramid } = &mut self.field.pixels;
        map.paste(min, part)?;
        let span = |axis: usize, length: u32| [min[axis], min[axis] + length - 1];
        let changed = [span(0, part.width()), span(1, part.height())];
        let all = map.size().map(|length| [0, length - 1]);
        pyramid.update(all, changed, &map.slice([0, 0]));
        self.field.is_holed = map.has_mask();
        Ok(())
    }

    /// Returns the map.
    pub fn map(&self) -> &GreyMap {
        &self.field.pixels.map
    }

    /// Returns the rectangle of the world that the image covers.
    pub fn bounds(&self) -> Bounds<2> {
        self.field.grid.bounds()
    }
}

field_of_pixels!([] RadiusMap);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_maps;
    use proptest::prelude::*;

    fn field(map: GreyMap) -> RadiusMap {
        let range = DistRange::new(2.0, 9.0).expect("a range");
        RadiusMap::new(map, range, MapOptions::default()).expect("a good map")
    }

    proptest! {
        /// Compares greys, mask, and every cell of the pyramid.
        #[test]
        fn what_is_pasted_is_a_fresh_field(
            size in [1u32..70, 1u32..70],
            salt in any::<u32>(),
            parts in prop::collection::vec(any::<([u32; 4], u32, bool)>(), 1..5),
            opened in any::<bool>(),
        ) {
            let [width, height] = size;
            let mut pasted = field(test_maps::random(width, height, salt, 5));
            let mut greys = pasted.map().greys().to_vec();
            let mut mask = pasted.map().mask().map_or(vec![true; greys.len()], <[bool]>::to_vec);
            let mut paste = |min: [u32; 2], part: &GreyMap| {
                pasted.paste(min, part).expect("it lies inside");
                for y in 0..part.height() {
                    for x in 0..part.width() {
                        let i = ((min[1] + y) * width + min[0] + x) as usize;
                        (greys[i], mask[i]) = (part.grey(x, y), part.allowed(x, y));
                    }
                }
                let fresh = GreyMap::new(width, height, greys.clone(), Some(mask.clone()));
                assert_eq!(pasted, field(fresh.expect("a good map")));
            };
            for ([x, y, across, down], salt, masked) in parts {
                let min = [x % width, y % height];
                let [across, down] = [1 + across % (width - min[0]), 1 + down % (height - min[1])];
                let part = test_maps::random(across, down, salt, 5);
                let part = if masked {
                    part
                } else {
                    let greys = part.greys().to_vec();
                    GreyMap::new(across, down, greys, None).expect("a good map")
                };
                paste(min, &part);
            }
            if opened {
                let open = GreyMap::from_fn(width, height, |_, _| 0.5).expect("a good map");
                paste([0, 0], &open);
            }
        }
    }

    #[test]
    fn what_hangs_over_is_not_pasted() {
        let even = |width, height| GreyMap::from_fn(width, height, |_, _| 0.0).expect("a map");
        let before = field(test_maps::random(5, 4, 1, 5));
        let mut pasted = before.clone();
        for min in [[3, 0], [0, 3], [5, 0], [u32::MAX, 0]] {
            let refused = pasted.paste(min, &even(3, 2));
            assert!(matches!(refused, Err(MapError::Outside { .. })), "{min:?}");
        }
        assert_eq!(pasted, before);
    }
}
