//! Compares parts of a map with the whole.

use crate::radius_map::pixels;
use proptest::prelude::*;
use spinney_density::{
    Bounds, DistRange, GreyMap, MapError, MapOptions, MapPart, PixelGrid, PixelRect, RadiusField,
    RadiusMap, White, YAxis,
};

fn range() -> DistRange {
    DistRange::new(2.0, 18.0).expect("a good range")
}

/// A whole map, and a rectangle of it.
#[derive(Clone, Debug)]
struct Case {
    map: GreyMap,
    grid: PixelGrid,
    white: White,
    rect: PixelRect,
}

impl Case {
    fn whole(&self) -> RadiusMap {
        let options = MapOptions {
            white: self.white,
            bounds: Some(self.grid.bounds()),
            y_axis: self.grid.y_axis(),
        };
        RadiusMap::new(self.map.clone(), range(), options).expect("a good field")
    }

    fn part(&self, rect: PixelRect) -> MapPart {
        let cut = self.map.cut(rect).expect("a part");
        let part = MapPart::new(self.grid, rect.min, cut, range(), self.white);
        part.expect("a good field")
    }
}

/// Maps with and without closed pixels, with pixels of several sizes, near and far from the origin.
fn any_case() -> impl Strategy<Value = Case> {
    let size = (1u32..90, 1u32..90);
    let pixel = prop_oneof![Just(1.0), Just(0.3), Just(30.0), 1e-3..1e3];
    let origin = prop_oneof![Just([0.0; 2]), Just([500_000.37, -4_000_000.1])];
    (
        size.prop_flat_map(|size| (pixels(size, 0.8), any::<[u32; 4]>())),
        pixel,
        origin,
        any::<[bool; 2]>(),
    )
        .prop_map(|((map, ends), pixel, origin, [is_dense, is_up])| {
            let size = [map.width(), map.height()];
            let world = Bounds::with_origin(origin, size.map(|n| pixel * f64::from(n)));
            let y_axis = if is_up { YAxis::Up } else { YAxis::Down };
            let ends = [0, 1].map(|a| [ends[a] % size[a], ends[a + 2] % size[a]]);
            let white = if is_dense {
                White::Dense
            } else {
                White::Sparse
            };
            Case {
                map,
                grid: PixelGrid::new(size, world.expect("a box"), y_axis).expect("a grid"),
                white,
                rect: PixelRect {
                    min: ends.map(|[a, b]| a.min(b)),
                    max: ends.map(|[a, b]| a.max(b) + 1),
                },
            }
        })
}

#[test]
fn refuses_what_is_no_part() {
    let world = Bounds::from_size([8.0, 4.0]).expect("a box");
    let grid = PixelGrid::new([8, 4], world, YAxis::Down).expect("a grid");
    let map = GreyMap::from_fn(3, 2, |_, _| 0.5).expect("a map");
    for first in [[6, 0], [0, 3], [u32::MAX, 0]] {
        let part = MapPart::new(grid, first, map.clone(), range(), White::Sparse);
        assert!(matches!(part, Err(MapError::Outside { whole: [8, 4], .. })));
    }
    let none = PixelRect {
        min: [1, 1],
        max: [1, 2],
    };
    assert!(matches!(map.cut(none), Err(MapError::Outside { .. })));
    let empty = PixelGrid::new([0, 4], world, YAxis::Down);
    assert!(matches!(empty, Err(MapError::Empty { width: 0, .. })));
}

#[test]
fn what_was_asked_beyond_is_told_and_can_be_forgotten() {
    let world = Bounds::from_size([64.0, 64.0]).expect("a box");
    let grid = PixelGrid::new([64, 64], world, YAxis::Down).expect("a grid");
    let map = GreyMap::from_fn(64, 64, |x, y| f64::from(x + y) / 126.0).expect("a map");
    let rect = PixelRect {
        min: [16, 16],
        max: [32, 32],
    };
    let cut = map.cut(rect).expect("a part");
    let part = MapPart::new(grid, rect.min, cut, range(), White::Sparse).expect("a field");
    // Between the centres of the outermost pixels, the part suffices.
    assert!(part.min_dist([16.5, 31.4]).is_some() && part.asked_beyond().is_none());
    assert!(part.mask_detail(1e-9).is_none());
    // Beyond them, the value depends on the next pixel.
    assert!(part.min_dist([31.6, 20.0]).is_some());
    let wider = PixelRect {
        min: [16, 16],
        max: [33, 32],
    };
    assert_eq!(part.asked_beyond(), Some(wider));
    part.forget_asked();
    assert_eq!(part.asked_beyond(), None);
    // Bounds of a large box come from blocks of the whole map.
    let large = Bounds::new([17.0, 17.0], [31.0, 25.0]).expect("a box");
    assert!(part.range_in(&large).is_some());
    assert_eq!(part.asked_beyond(), None);
    assert!(part.of_holed().mask_detail(1e-9).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn a_part_is_the_whole_or_says_that_it_is_not(
        case in any_case(),
        // In pixels of the part: integers put the box's ends on the borders of pixels.
        corner in prop::array::uniform2(prop_oneof![-0.2..1.1, Just(0.0), Just(0.5)]),
        size in prop::array::uniform2(prop_oneof![1e-9..0.1, 0.0..1.2, 0.0..0.3]),
        inside in prop::collection::vec(prop::array::uniform2(0.0..1.0), 20),
    ) {
        let whole = case.whole();
        let pixel = case.grid.pixel();
        let world = case.grid.bounds();
        // The part's least corner.
        let [left, right] = [case.rect.min[0], case.rect.max[0]].map(f64::from);
        let low = match case.grid.y_axis() {
            YAxis::Down => case.rect.min[1],
            YAxis::Up => case.grid.size()[1] - case.rect.max[1],
        };
        let at = [world.min()[0] + pixel[0] * left, world.min()[1] + pixel[1] * f64::from(low)];
        let sides = [pixel[0] * (right - left), pixel[1] * f64::from(case.rect.height())];
        let min = [0, 1].map(|a: usize| at[a] + corner[a] * sides[a]);
        let max = [0, 1].map(|a: usize| min[a] + size[a] * sides[a]);
        let Ok(area) = Bounds::new(min, max) else { return Ok(()) };
        let places = inside.iter().map(|t| [0, 1].map(|a: usize| min[a] + t[a] * (max[a] - min[a])));
        let places: Vec<[f64; 2]> = places.chain([min, max]).collect();

        // Each evaluation by itself.
        let part = case.part(case.rect);
        let has_hole = case.map.cut(case.rect).expect("a part").has_mask();
        prop_assert_eq!(part.mask_detail(1e-9).is_some(), has_hole);
        let found = part.range_in(&area);
        prop_assert!(part.asked_beyond().is_some() || found == whole.range_in(&area));
        for &p in &places {
            part.forget_asked();
            let found = (part.min_dist(p), part.value(p));
            let beyond = part.asked_beyond();
            prop_assert!(beyond.is_some() || found == (whole.min_dist(p), whole.value(p)), "{:?}", p);
            let needed = PixelRect { min: case.rect.min, max: case.rect.max };
            prop_assert!(beyond.is_none_or(|wider| wider != needed && wider.contains(&needed)));
        }

        // Widens the part until it suffices: it never differs silently, and the loop ends.
        let mut rect = case.rect;
        for _ in 0..4 {
            let part = case.part(rect);
            let found = part.range_in(&area);
            let values: Vec<_> = places.iter().map(|&p| part.min_dist(p)).collect();
            let Some(wider) = part.asked_beyond() else {
                prop_assert_eq!(found, whole.range_in(&area));
                let truth: Vec<_> = places.iter().map(|&p| whole.min_dist(p)).collect();
                prop_assert_eq!(values, truth);
                prop_assert!(case.grid.whole().contains(&rect));
                return Ok(());
            };
            rect = wider;
        }
        prop_assert!(false, "asked for more and more");
    }

    #[test]
    fn pixels_around_an_area_are_enough(
        case in any_case(),
        ends in prop::array::uniform4(-0.2_f64..1.2),
        margin in prop_oneof![Just(0.0), 0.0..50.0],
        inside in prop::collection::vec(prop::array::uniform2(0.0..1.0), 20),
    ) {
        let (min, side) = (case.grid.bounds().min(), case.grid.bounds().size());
        let at = |a: usize, t: f64| min[a] + t * side[a];
        let lo = [0, 1].map(|a: usize| at(a, ends[a].min(ends[a + 2])));
        let hi = [0, 1].map(|a: usize| at(a, ends[a].max(ends[a + 2])));
        let Ok(area) = Bounds::new(lo, hi) else { return Ok(()) };
        let (whole, part) = (case.whole(), case.part(case.grid.around(&area, margin)));
        for t in inside {
            let p = [0, 1].map(|a: usize| {
                lo[a] - margin + t[a] * (hi[a] - lo[a] + 2.0 * margin)
            });
            prop_assert_eq!(part.min_dist(p), whole.min_dist(p));
            prop_assert_eq!(part.asked_beyond(), None);
        }
    }
}
