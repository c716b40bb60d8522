//! Windows from a part of a map in memory, and maps of tiles, compared with the whole map.

use density::ground::{Ground, GroundLimits, GroundRegion};
use density::{
    Bounds, DistRange, GreyMap, MapOptions, MapPart, MaskRegion, PixelGrid, PixelRect, RadiusField,
    RadiusMap, TiledMap, White, Within, YAxis,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use sampler::{Rule, Sample, Scatter, ScatterOptions};
use std::sync::Arc;

/// A map over a world, with the regions that close places.
struct World {
    map: GreyMap,
    grid: PixelGrid,
    range: DistRange,
    white: White,
    options: ScatterOptions,
    /// A mask of another size than the map; black is closed.
    mask: Option<GreyMap>,
    heights: Option<(Heights, PixelGrid)>,
}

/// Hills with hollows that have no height.
#[derive(Clone, Copy)]
struct Heights {
    steep: f64,
    pixel: f64,
}

impl Heights {
    const LIMITS: GroundLimits = GroundLimits {
        slope: Some([0.0, 30.0]),
        altitude: None,
    };

    fn at(self, x: u32, y: u32) -> Option<f64> {
        let (u, v) = (f64::from(x) * self.steep, f64::from(y) * self.steep);
        let height = 0.8 * self.pixel / self.steep * (u.sin() + (0.7 * v + u).cos());
        (x % 61 > 2 || y % 53 > 2).then_some(height)
    }
}

/// The field of a part or of the whole, with its regions.
type Field<'a> = Box<dyn RadiusField<2> + 'a>;

impl World {
    /// Returns hills, plains or speckles, with and without closed pixels, at 0.3, 1 or 30 units a pixel.
    fn random(rng: &mut Rng, number: usize) -> Self {
        let size = [0, 1].map(|_| rng.random_range(60..220_u32));
        let kind = rng.random_range(0..3);
        let (steep, holes) = (rng.random_range(0.02..0.3), rng.random_range(0..2) == 1);
        let salt: u32 = rng.random();
        let map = GreyMap::from_fn(size[0], size[1], |x, y| {
            let (u, v) = (f64::from(x) * steep, f64::from(y) * steep);
            let noise = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ salt)
                .wrapping_mul(0xc2b2_ae35);
            let noise = f64::from(noise >> 8) / f64::from(1_u32 << 24);
            if holes && ((u + v) % 7.0 < 0.8 || noise > 0.995) {
                return f64::NAN;
            }
            match kind {
                0 => 0.5 + 0.25 * (u.sin() + (v + 0.3 * u).cos()),
                1 => f64::from(u8::from((u + 2.0 * v) % 9.0 > 4.0)),
                _ => noise * noise,
            }
        });
        let pixel = [0.3, 1.0, 30.0][number % 3];
        let origin = [[0.0, 0.0], [500_000.37, 4_649_776.22], [-17.3, 1e-3]][number / 3 % 3];
        let bounds = Bounds::with_origin(origin, size.map(|n| pixel * f64::from(n)));
        let bounds = bounds.expect("a box");
        let y_axis = [YAxis::Down, YAxis::Up][number / 2 % 2];
        let least = pixel * rng.random_range(0.7..3.0);
        let beside = |size: [u32; 2]| PixelGrid::new(size, bounds, y_axis).expect("a grid");
        let mask_size = size.map(|n| n * 2 / 3 + 1);
        let mask = (number % 4 > 1).then(|| {
            let mask = GreyMap::from_fn(mask_size[0], mask_size[1], |x, y| {
                let [x, y] = [x, y].map(f64::from);
                f64::from(u8::from((0.2 * x).sin() + (0.13 * y).cos() > -0.6))
            });
            mask.expect("a mask")
        });
        let height_size = size.map(|n| n / 2 + 3);
        let heights = (number % 3 == 1).then(|| {
            let grid = beside(height_size);
            let pixel = grid.pixel()[0];
            (Heights { steep: 0.15, pixel }, grid)
        });
        Self {
            map: map.expect("a map"),
            grid: beside(size),
            range: DistRange::new(least, least * rng.random_range(1.0..6.0)).expect("a range"),
            white: [White::Sparse, White::Dense][number % 2],
            options: ScatterOptions {
                rule: Rule::OF_SCATTER[number % Rule::OF_SCATTER.len()],
                seed: rng.random(),
                ..ScatterOptions::default()
            },
            mask,
            heights,
        }
    }

    fn map_options(&self) -> MapOptions {
        MapOptions {
            white: self.white,
            bounds: Some(self.grid.bounds()),
            y_axis: self.grid.y_axis(),
        }
    }

    /// Applies all regions, which are in memory, to a field.
    fn closed<'a>(&self, field: Field<'a>) -> Field<'a> {
        let mut field = field;
        if let Some((heights, grid)) = self.heights {
            let ground = Ground::from_fn(grid, |x, y| heights.at(x, y));
            let ground = GroundRegion::new(Arc::new(ground.expect("heights")), Heights::LIMITS);
            field = Box::new(Within::new(field, ground));
        }
        if let Some(mask) = &self.mask {
            let mask = MaskRegion::new(mask, 0.5, self.map_options()).expect("a mask");
            field = Box::new(Within::new(field, mask));
        }
        field
    }

    fn scatter<'a>(&self, field: Field<'a>) -> Scatter<'a, 2> {
        Scatter::new(field, self.grid.bounds(), self.options).expect("a run")
    }

    fn whole(&self) -> Vec<Sample<2>> {
        let field = RadiusMap::new(self.map.clone(), self.range, self.map_options());
        let field = self.closed(Box::new(field.expect("a field")));
        self.scatter(field).points().expect("memory").samples
    }

    fn out_of_tiles(&self, tile: [u32; 2], memory: usize) -> Vec<Sample<2>> {
        let read = |rect: PixelRect| self.map.cut(rect);
        let map = TiledMap::new(tile, read, self.grid, self.range, self.white);
        let mut map = map.expect("a field").with_memory(memory);
        if !self.map.has_mask() {
            map = map.without_holes();
        }
        let found = self.scatter(self.closed(Box::new(&map))).points();
        assert!(map.fault().is_none());
        found.expect("memory").samples
    }

    /// Returns a window whose width is between a pixel and half the map.
    fn window(&self, rng: &mut Rng) -> Bounds<2> {
        let (world, pixel) = (self.grid.bounds(), self.grid.pixel());
        let wide = rng.random_range(0.0..0.5_f64).powi(2) * 2.0;
        let min = world.size().map(|side| rng.random_range(-0.1..0.9) * side);
        let min = [0, 1].map(|a: usize| world.min()[a] + min[a]);
        let size = world
            .size()
            .map(|side| wide * rng.random_range(0.5..1.0) * side);
        Bounds::with_origin(min, [0, 1].map(|a: usize| pixel[a] + size[a])).expect("a window")
    }

    fn part(&self, rect: PixelRect) -> MapPart {
        let cut = self.map.cut(rect).expect("a part");
        let part = MapPart::new(self.grid, rect.min, cut, self.range, self.white);
        let part = part.expect("a field");
        if self.map.has_mask() {
            part.of_holed()
        } else {
            part
        }
    }

    /// Samples a window from parts, each as large as the previous one required. Also returns the number
    /// of parts.
    fn in_parts(&self, window: &Bounds<2>, margin: f64) -> (Vec<Sample<2>>, usize) {
        let mut rect = self.grid.around(window, margin);
        for parts in 1.. {
            let part = self.part(rect);
            let scatter = self.scatter(self.closed(Box::new(&part)));
            part.forget_asked();
            let found = scatter.points_in(window).expect("a window");
            match part.asked_beyond() {
                None => return (found.samples, parts),
                Some(wider) => rect = wider,
            }
            assert!(parts < 40, "{rect:?}");
        }
        unreachable!("parts were widened for ever")
    }
}

type Bits = (u64, [u64; 2], u64, u64);

fn bits_of(s: &Sample<2>) -> Bits {
    let [x, y] = s.position.map(f64::to_bits);
    (s.id, [x, y], s.min_dist.to_bits(), s.value.to_bits())
}

/// Returns the bits of points sorted by id, as windows have their own order.
fn bits<'a>(samples: impl IntoIterator<Item = &'a Sample<2>>) -> Vec<Bits> {
    let mut all: Vec<Bits> = samples.into_iter().map(bits_of).collect();
    all.sort_unstable();
    all
}

/// Compares five windows of each of `worlds` random worlds with the whole.
fn windows_are_those_of_the_whole(worlds: usize) {
    let mut rng = Rng::seed_from_u64(31);
    let (mut widened, mut at_once, mut points) = (0, 0, 0);
    for number in 0..worlds {
        let world = World::random(&mut rng, number);
        let whole = world.whole();
        for _ in 0..5 {
            let window = world.window(&mut rng);
            let margin = [0.0, 2.0, 8.0, 16.0][rng.random_range(0..4)] * world.range.hi();
            let (found, parts) = world.in_parts(&window, margin);
            let inside = whole.iter().filter(|s| window.contains(s.position));
            assert_eq!(bits(&found), bits(inside), "world {number}, {window:?}");
            widened += usize::from(parts > 1);
            at_once += usize::from(parts == 1);
            points += found.len();
        }
    }
    let counts = (widened, at_once, points);
    assert!(4 * widened > 5 * worlds, "{counts:?}");
    assert!(2 * at_once > worlds, "{counts:?}");
    assert!(points > 125 * worlds, "{counts:?}");
}

#[test]
fn windows_of_parts_are_those_of_the_whole() {
    windows_are_those_of_the_whole(15);
}

#[test]
#[ignore = "long"]
fn windows_of_parts_are_those_of_the_whole_in_full() {
    windows_are_those_of_the_whole(40);
}

/// Compares maps cut into tiles with the whole map: the same points in the same order.
fn tiles_give_the_points_of_the_whole(worlds: usize) {
    let mut rng = Rng::seed_from_u64(7);
    let mut points = 0;
    for number in 0..worlds {
        let world = World::random(&mut rng, number);
        let whole: Vec<Bits> = world.whole().iter().map(bits_of).collect();
        let strip = [world.grid.size()[0], 8];
        for (tile, memory) in [([64, 64], 1 << 20), ([17, 31], 20_000), (strip, 100_000)] {
            let found = world.out_of_tiles(tile, memory);
            let found: Vec<Bits> = found.iter().map(bits_of).collect();
            assert!(found == whole, "world {number}, tiles of {tile:?}");
        }
        points += whole.len();
    }
    assert!(points > 700 * worlds, "{points}");
}

#[test]
fn tiles_of_any_size_give_the_points_of_the_whole() {
    tiles_give_the_points_of_the_whole(6);
}

#[test]
#[ignore = "long"]
fn tiles_of_any_size_give_the_points_of_the_whole_in_full() {
    tiles_give_the_points_of_the_whole(15);
}
