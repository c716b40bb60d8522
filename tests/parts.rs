//! Windows of a map of which only a part is in memory, against the whole.

use density::{
    Bounds, DistRange, GreyMap, MapOptions, MapPart, PixelGrid, RadiusMap, White, YAxis,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use sampler::{Rule, Sample, Scatter, ScatterOptions};

const RULES: [Rule; 5] = [Rule::Max, Rule::Mean, Rule::Min, Rule::Own, Rule::Prior];

/// A map over a world.
struct World {
    map: GreyMap,
    grid: PixelGrid,
    range: DistRange,
    white: White,
    options: ScatterOptions,
}

impl World {
    /// Hills, plains or speckles, with and without closed pixels; pixels of 0.3, 1 and 30 units.
    fn random(rng: &mut Rng, number: usize) -> Self {
        let size = [0, 1].map(|_| rng.random_range(60..260_u32));
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
        let y_axis = [YAxis::Down, YAxis::Up][number / 2 % 2];
        let least = pixel * rng.random_range(0.7..3.0);
        Self {
            map: map.expect("a map"),
            grid: PixelGrid::new(size, bounds.expect("a box"), y_axis).expect("a grid"),
            range: DistRange::new(least, least * rng.random_range(1.0..6.0)).expect("a range"),
            white: [White::Sparse, White::Dense][number % 2],
            options: ScatterOptions {
                rule: RULES[number % 5],
                seed: rng.random(),
                ..ScatterOptions::default()
            },
        }
    }

    fn whole(&self) -> Vec<Sample<2>> {
        let options = MapOptions {
            white: self.white,
            bounds: Some(self.grid.bounds()),
            y_axis: self.grid.y_axis(),
        };
        let field = RadiusMap::new(self.map.clone(), self.range, options).expect("a field");
        let scatter = Scatter::new(field, self.grid.bounds(), self.options).expect("a run");
        scatter.points().samples
    }

    /// A window, a pixel to half the map wide.
    fn window(&self, rng: &mut Rng) -> Bounds<2> {
        let (world, pixel) = (self.grid.bounds(), self.grid.pixel());
        let min =
            [0, 1].map(|a: usize| world.min()[a] + rng.random_range(-0.1..0.9) * world.size()[a]);
        let wide = rng.random_range(0.0..0.5_f64).powi(2) * 2.0;
        let size =
            [0, 1].map(|a: usize| pixel[a] + wide * rng.random_range(0.5..1.0) * world.size()[a]);
        Bounds::with_origin(min, size).expect("a window")
    }

    /// The points of a window out of parts, each as wide as the one before was asked. Gives also how
    /// many parts there were.
    fn in_parts(&self, window: &Bounds<2>, margin: f64) -> (Vec<Sample<2>>, usize) {
        let mut rect = self.grid.around(window, margin);
        for parts in 1.. {
            let cut = self.map.cut(rect).expect("a part");
            let part = MapPart::new(self.grid, rect.min, cut, self.range, self.white);
            let mut part = part.expect("a field");
            if self.map.has_mask() {
                part = part.of_holed();
            }
            let scatter = Scatter::new(&part, self.grid.bounds(), self.options).expect("a run");
            part.forget_asked();
            let found = scatter.points_in(window).expect("a window");
            let Some(wider) = part.asked_beyond() else {
                return (found.samples, parts);
            };
            assert!(
                wider != rect && wider.contains(&rect) && parts < 20,
                "{wider:?}"
            );
            rect = wider;
        }
        unreachable!("parts were widened for ever")
    }
}

type Bits = (u64, [u64; 2], u64, u64);

/// Sorted by id: those of a window come in an order of their own.
fn bits<'a>(samples: impl IntoIterator<Item = &'a Sample<2>>) -> Vec<Bits> {
    let bits = |s: &Sample<2>| {
        let [x, y] = s.position.map(f64::to_bits);
        (s.id, [x, y], s.min_dist.to_bits(), s.value.to_bits())
    };
    let mut all: Vec<Bits> = samples.into_iter().map(bits).collect();
    all.sort_unstable();
    all
}

#[test]
fn windows_of_parts_are_those_of_the_whole() {
    let mut rng = Rng::seed_from_u64(31);
    let (mut widened, mut at_once, mut points) = (0, 0, 0);
    for number in 0..50 {
        let world = World::random(&mut rng, number);
        let whole = world.whole();
        for _ in 0..4 {
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
    assert!(
        widened > 50 && at_once > 20 && points > 20_000,
        "{counts:?}"
    );
}
