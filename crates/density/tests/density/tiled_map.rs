//! Compares maps read in tiles with the whole in memory.

use proptest::prelude::*;
use spinney_density::{
    Bounds, DistRange, GreyMap, MapError, MapOptions, PixelGrid, PixelRect, RadiusField, RadiusMap,
    TileFault, TiledMap, White, YAxis,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn range() -> DistRange {
    DistRange::new(2.0, 18.0).expect("a good range")
}

fn grid(size: [u32; 2]) -> PixelGrid {
    let world = Bounds::from_size(size.map(f64::from)).expect("a box");
    PixelGrid::new(size, world, YAxis::Down).expect("a grid")
}

#[test]
fn a_tile_that_cannot_be_had_is_told() {
    let read = |rect: PixelRect| match rect.min {
        [32, 16] => Err(MapError::Empty {
            width: 0,
            height: 9,
        }),
        [16, 32] => GreyMap::from_fn(15, 16, |_, _| 0.5),
        _ => GreyMap::from_fn(rect.width(), rect.height(), |_, _| 0.5),
    };
    let map = || {
        let map = TiledMap::new([16, 16], read, grid([64, 64]), range(), White::Sparse);
        map.expect("a field")
    };
    let good = map();
    assert!(good.min_dist([5.0, 5.0]).is_some() && good.fault().is_none());
    let rect = |min| PixelRect::at(min, [16, 16]).expect("a tile");
    let source = MapError::Empty {
        width: 0,
        height: 9,
    };
    let first = TileFault::Source {
        rect: rect([32, 16]),
        source,
    };
    assert_eq!(good.min_dist([40.0, 20.0]), None);
    assert_eq!(good.fault(), Some(&first));
    // The first fault is kept.
    assert_eq!(good.min_dist([20.0, 40.0]), None);
    assert_eq!(good.fault(), Some(&first));
    let other = map();
    assert_eq!(other.min_dist([20.0, 40.0]), None);
    let size = TileFault::Size {
        rect: rect([16, 32]),
        found: [15, 16],
    };
    assert_eq!(other.fault(), Some(&size));
    let none = TiledMap::new([0, 16], read, grid([64, 64]), range(), White::Sparse);
    assert!(matches!(none, Err(MapError::Empty { width: 0, .. })));
}

#[test]
fn tiles_are_fetched_when_asked_for_and_let_go() {
    let fetched = AtomicUsize::new(0);
    let read = |rect: PixelRect| {
        fetched.fetch_add(1, Ordering::Relaxed);
        GreyMap::from_fn(rect.width(), rect.height(), |x, y| f64::from(x ^ y) / 64.0)
    };
    let count = || fetched.swap(0, Ordering::Relaxed);
    let grid = grid([1 << 16, 1 << 16]);
    let map = TiledMap::new([32, 32], read, grid, range(), White::Sparse);
    // Room for 16 tiles.
    let map = map.expect("a field").with_memory(16 * 32 * 32 * 5);
    for _ in 0..100 {
        assert!(map.min_dist([1000.0, 40_016.0]).is_some());
    }
    assert_eq!(count(), 1);
    let row = Bounds::new([0.0, 3.0], [3200.0, 4.0]).expect("a box");
    assert!(map.range_in(&row).is_some());
    assert!(count() >= 100, "all tiles of a box are looked at");
    // Bounds of whole tiles are kept, though the tiles are not.
    let square = Bounds::new([0.0, 0.0], [3200.0, 32.0]).expect("a box");
    assert!(map.range_in(&square).is_some());
    assert!(count() < 10);
    for x in 0..100 {
        assert!(map.min_dist([f64::from(x * 32) + 16.0, 16.0]).is_some());
    }
    assert!((80..=100).contains(&count()));
}

/// Boxes that begin and end in the middle of tiles that were evicted.
#[test]
fn large_boxes_fetch_no_tile_again() {
    let fetched = AtomicUsize::new(0);
    let whole = GreyMap::from_fn(500, 500, |x, y| f64::from(x * y % 251) / 250.0).expect("a map");
    let read = |rect: PixelRect| {
        fetched.fetch_add(1, Ordering::Relaxed);
        whole.cut(rect)
    };
    let grid = grid([500, 500]);
    let field = RadiusMap::new(whole.clone(), range(), MapOptions::default()).expect("a field");
    let tiled = TiledMap::new([100, 60], read, grid, range(), White::Sparse);
    let tiled = tiled.expect("a field").with_memory(0);
    assert_eq!(
        tiled.range_in(&grid.bounds()),
        field.range_in(&grid.bounds())
    );
    assert_eq!(fetched.swap(0, Ordering::Relaxed), 45);
    for start in 0..40 {
        let min = [f64::from(start) * 10.3, f64::from(start) * 9.1];
        let area = Bounds::with_origin(min, [70.0, 40.0]).expect("a box");
        assert_eq!(tiled.range_in(&area), field.range_in(&area));
    }
    assert_eq!(fetched.into_inner(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn tiles_are_the_whole(
        size in prop::array::uniform2(1u32..200),
        tile in prop::array::uniform2(prop_oneof![1u32..20, Just(16), Just(32), 1u32..150]),
        (salt, holes) in (any::<u32>(), prop_oneof![Just(0u32), 1u32..60]),
        (y_axis, white) in (any::<bool>(), any::<bool>()),
        memory in prop_oneof![Just(0usize), Just(5000), Just(1 << 20)],
        boxes in prop::collection::vec((
            prop::array::uniform2(-0.1..1.1),
            prop::array::uniform2(prop_oneof![1e-9..0.05, 0.0..1.0]),
        ), 12),
    ) {
        let noise = |x: u32, y: u32| {
            let mixed = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ salt;
            mixed.wrapping_mul(0xc2b2_ae35) >> 8
        };
        let whole = GreyMap::from_fn(size[0], size[1], |x, y| {
            // Areas of one grey, and closed areas, among others.
            match noise(x / 32, y / 32) % 4 {
                0 => return 0.25,
                1 if holes > 0 => return f64::NAN,
                _ => {}
            }
            if holes > 0 && noise(x, y) % 100 < holes {
                return f64::NAN;
            }
            f64::from(noise(y, x)) / f64::from(1 << 24)
        }).expect("a map");
        let white = if white { White::Dense } else { White::Sparse };
        let y_axis = if y_axis { YAxis::Up } else { YAxis::Down };
        let world = Bounds::with_origin([500_000.37, -3.0], size.map(|n| 0.3 * f64::from(n)));
        let world = world.expect("a box");
        let grid = PixelGrid::new(size, world, y_axis).expect("a grid");
        let options = MapOptions { white, bounds: Some(world), y_axis };
        let field = RadiusMap::new(whole.clone(), range(), options).expect("a field");
        let read = |rect: PixelRect| whole.cut(rect);
        let tiled = TiledMap::new(tile, read, grid, range(), white);
        let mut tiled = tiled.expect("a field").with_memory(memory);
        if !whole.has_mask() {
            tiled = tiled.without_holes();
        }
        prop_assert_eq!(tiled.mask_detail(1e-9), field.mask_detail(1e-9));
        for (at, side) in boxes {
            let min = [0, 1].map(|a: usize| world.min()[a] + at[a] * world.size()[a]);
            let max = [0, 1].map(|a: usize| min[a] + side[a] * world.size()[a]);
            prop_assert_eq!(tiled.min_dist(min), field.min_dist(min));
            prop_assert_eq!(tiled.value(max), field.value(max));
            if let Ok(area) = Bounds::new(min, max) {
                prop_assert_eq!(tiled.range_in(&area), field.range_in(&area));
            }
        }
        prop_assert!(tiled.fault().is_none());
    }
}
