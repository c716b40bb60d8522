//! Three species over the painted meadow. Oaks and birches divide the wood by their shares; flowers
//! are placed after both, where space is left.

use anyhow::{Result, ensure};
use density::{Bounds, DistRange, GreyMap, MapOptions, RadiusMap, White};
use sampler::{Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions};
use spinney_examples::{Canvas, Color, Run, load_map};

/// A species. `radius` holds the ratio of the disk's radius to `min_dist`, and the largest radius.
struct Species {
    name: &'static str,
    dist: (f64, f64),
    white: White,
    turn: u32,
    share: f64,
    radius: (f64, f64),
    color: u32,
}

const SPECIES: [Species; 3] = [
    Species {
        name: "oaks",
        dist: (9.0, 48.0),
        white: White::Sparse,
        turn: 0,
        share: 1.0,
        radius: (0.48, 6.5),
        color: 0x0023_4d2c,
    },
    Species {
        name: "birches",
        dist: (6.0, 40.0),
        white: White::Sparse,
        turn: 0,
        share: 2.0,
        radius: (0.42, 3.2),
        color: 0x008f_b339,
    },
    Species {
        name: "flowers",
        dist: (2.4, 18.0),
        white: White::Dense,
        turn: 1,
        share: 1.0,
        radius: (0.4, 0.9),
        color: 0x00a0_3a86,
    },
];

/// The distances between oaks and flowers, and between birches and flowers.
const APART: [(usize, usize, f64); 2] = [(0, 2, 4.5), (1, 2, 3.0)];

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let map = load_map("meadow.png")?;
    let world = Bounds::from_size([map.width(), map.height()].map(f64::from))?;
    let fields: Result<Vec<RadiusMap>> = SPECIES.iter().map(|s| field(s, &map)).collect();
    let fields = fields?;
    let layers = SPECIES.iter().zip(&fields).map(|(species, field)| Layer {
        turn: species.turn,
        share: species.share,
        ..Layer::new(field)
    });
    let mut apart = Apart::new(SPECIES.len());
    for (a, b, distance) in APART {
        apart.set(a, b, distance)?;
    }
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed: 4,
        ..ScatterOptions::default()
    };
    let wood = Scatter::layered(layers.collect(), apart, world, Edges::Open, options)?;
    let points = wood.points()?.samples;
    let pairs = check(&points)?;
    for (number, species) in (0..).zip(&SPECIES) {
        let count = points.iter().filter(|p| p.layer == Some(number)).count();
        println!("{count} {}", species.name);
    }
    println!("{pairs} pairs of two species checked");

    let mut canvas = Canvas::new(world, run.length(900.0), Color::WHITE)?;
    canvas.backdrop(|p| match fields[0].grey_at(p) {
        Some(grey) => Color::hex(0x00d9_dcb4).to(Color::hex(0x00f4_f0dc), grey),
        None => Color::hex(0x0094_b7c8),
    });
    // Flowers are drawn first, below the crowns.
    for (number, species) in (0_u32..3).zip(&SPECIES).rev() {
        for point in points.iter().filter(|p| p.layer == Some(number)) {
            let (share, most) = species.radius;
            let radius = (share * point.min_dist).min(most);
            canvas.disk(point.position, radius, Color::hex(species.color));
        }
    }
    run.save_in("species", &canvas, 64)
}

fn field(species: &Species, map: &GreyMap) -> Result<RadiusMap> {
    let range = DistRange::new(species.dist.0, species.dist.1)?;
    let options = MapOptions {
        white: species.white,
        ..MapOptions::default()
    };
    Ok(RadiusMap::new(map.clone(), range, options)?)
}

/// Checks the distance of every pair. Returns the number of close pairs of two species.
fn check(points: &[Sample<2>]) -> Result<usize> {
    let mut near = 0;
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            let pair = [a.layer.min(b.layer), a.layer.max(b.layer)];
            let named = |&&(a, b, _): &&(usize, usize, f64)| {
                pair == [a, b].map(|layer| u32::try_from(layer).ok())
            };
            let keep = match APART.iter().find(named) {
                Some((.., distance)) => *distance,
                None => 0.5 * (a.min_dist + b.min_dist),
            };
            let [x, y] = [0, 1].map(|k| a.position[k] - b.position[k]);
            let square = x * x + y * y;
            ensure!(square >= keep * keep, "too close: {a:?} and {b:?}");
            near += usize::from(a.layer != b.layer && square < 4.0 * keep * keep);
        }
    }
    Ok(near)
}
