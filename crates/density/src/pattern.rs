//! Whether the distances of two fields rise and fall together.

use crate::DistRange;
use std::any::Any;
use std::fmt;

/// What a field's distances follow from place to place.
///
/// Of two fields whose patterns [follow](Self::follows) each other each asks, wherever it lets
/// points grow, for `lo + g * (hi - lo)`: `lo` and `hi` are the ends of its own
/// [`range`](crate::RadiusField::range), and `g`, from 0 to 1, is the same for both, as of one
/// painted map. Where patterns are equal, so are the distances, to the last bit.
#[derive(Clone, Copy)]
pub struct Pattern<'f> {
    greys: &'f (dyn Greys + 'static),
    range: DistRange,
    factor: f64,
}

/// Where the greys behind a field's distances come from, which patterns are compared by.
pub trait Greys: Any + Sync {
    /// Whether this and another have the same grey at each place, wherever both let points grow.
    /// `false` where nothing is known of the other, which may be of any type.
    fn are_those_of(&self, other: &dyn Any) -> bool;
}

impl<'f> Pattern<'f> {
    /// Of a field that asks for [`range.at(g)`](DistRange::at) where the grey is `g`.
    pub fn new(greys: &'f (dyn Greys + 'static), range: DistRange) -> Self {
        let factor = 1.0;
        Self {
            greys,
            range,
            factor,
        }
    }

    /// Of the same field with its distances multiplied; `None` where they are already, as two
    /// factors are not rounded as their product is.
    pub(crate) fn scaled(self, factor: f64) -> Option<Self> {
        (self.factor == 1.0).then_some(Self { factor, ..self })
    }

    /// Whether both rise and fall together. Compares the maps behind them, pixel by pixel.
    pub fn follows(&self, other: &Pattern<'_>) -> bool {
        self.greys.are_those_of(other.greys)
    }
}

impl PartialEq for Pattern<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.range == other.range && self.factor == other.factor && self.follows(other)
    }
}

impl fmt::Debug for Pattern<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Pattern");
        let debug = debug
            .field("range", &self.range)
            .field("factor", &self.factor);
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Bounds, Constant, DistRange, GreyMap, MapOptions, MaskRegion, Perlin, PerlinOptions,
        RadiusField, RadiusMap, Scaled, White, Within, YAxis,
    };

    type Field = Box<dyn RadiusField<2>>;

    fn range(lo: f64, hi: f64) -> DistRange {
        DistRange::new(lo, hi).expect("a good range")
    }

    fn painted(corner: u16, range: DistRange, options: MapOptions) -> RadiusMap {
        let map = GreyMap::new(2, 2, 16, vec![0, 9000, 20_000, corner], None).expect("a map");
        RadiusMap::new(map, range, options).expect("a field")
    }

    fn noise(seed: u64, range: DistRange) -> Field {
        let options = PerlinOptions {
            seed,
            ..PerlinOptions::default()
        };
        Box::new(Perlin::new(range, options).expect("noise"))
    }

    /// Whether they follow each other and whether they are equal, which is the same both ways round.
    fn compared(a: &dyn RadiusField<2>, b: &dyn RadiusField<2>) -> Option<[bool; 2]> {
        let (a, b) = (a.pattern()?, b.pattern()?);
        assert_eq!([a.follows(&b), a == b], [b.follows(&a), b == a]);
        Some([a.follows(&b), a == b])
    }

    #[test]
    fn maps_follow_each_other_if_they_are_painted_and_placed_alike() {
        let plain = MapOptions::default();
        let one = painted(65_535, range(1.0, 4.0), plain);
        assert_eq!(compared(&one, &one.clone()), Some([true, true]));
        let wider = painted(65_535, range(1.0, 5.0), plain);
        assert_eq!(compared(&one, &wider), Some([true, false]));
        let moved = Bounds::with_origin([1.0, 0.0], [2.0; 2]).expect("a box");
        for other in [
            painted(65_534, range(1.0, 4.0), plain),
            painted(
                65_535,
                range(1.0, 4.0),
                MapOptions {
                    white: White::Dense,
                    ..plain
                },
            ),
            painted(
                65_535,
                range(1.0, 4.0),
                MapOptions {
                    bounds: Some(moved),
                    ..plain
                },
            ),
            painted(
                65_535,
                range(1.0, 4.0),
                MapOptions {
                    y_axis: YAxis::Up,
                    ..plain
                },
            ),
        ] {
            assert_eq!(compared(&one, &other), Some([false, false]), "{other:?}");
        }
    }

    #[test]
    fn noise_follows_noise_of_its_seed() {
        let one = noise(1, range(1.0, 4.0));
        assert_eq!(
            compared(&one, &noise(1, range(1.0, 4.0))),
            Some([true, true])
        );
        assert_eq!(
            compared(&one, &noise(1, range(2.0, 4.0))),
            Some([true, false])
        );
        assert_eq!(
            compared(&one, &noise(2, range(1.0, 4.0))),
            Some([false, false])
        );
        let map = painted(65_535, range(1.0, 4.0), MapOptions::default());
        assert_eq!(compared(&one, &map), Some([false, false]));
    }

    #[test]
    fn what_is_scaled_or_cut_off_follows_what_it_was() {
        let one = painted(65_535, range(1.0, 4.0), MapOptions::default());
        let scaled = |factor| Scaled::new::<2>(&one, factor).expect("a factor");
        let doubled = painted(65_535, range(2.0, 8.0), MapOptions::default());
        assert_eq!(compared(&scaled(2.0), &scaled(2.0)), Some([true, true]));
        assert_eq!(compared(&scaled(2.0), &scaled(3.0)), Some([true, false]));
        // Equal by what a float can be, which nobody promises of other factors.
        assert_eq!(compared(&scaled(2.0), &doubled), Some([true, false]));
        let twice = Scaled::new::<2>(scaled(2.0), 3.0).expect("a factor");
        assert!(twice.pattern().is_none());
        let region = MaskRegion::new(one.map(), 0.5, MapOptions::default()).expect("a region");
        let within = Within::new(&one, region);
        assert_eq!(compared(&within, &one), Some([true, true]));
        let plain = Constant::new(1.0).expect("a distance");
        assert!(RadiusField::<2>::pattern(&plain).is_none());
    }
}
