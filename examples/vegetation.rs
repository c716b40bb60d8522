//! Clustered vegetation from the painted meadow: trees where the map is dark, then bushes, flowers
//! and pebbles. Each layer avoids the circles of the earlier layers.

#[path = "vegetation/ground.rs"]
mod ground;
#[path = "vegetation/plants.rs"]
mod plants;

use anyhow::Result;
use density::{Bounds, DistRange, GridField, MapOptions, RadiusField, RadiusMap, White};
use ground::Ground;
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Circle, Circles, Color, Run, check_spacing, load_map};

/// One kind of plant, or of stone.
struct Layer {
    name: &'static str,
    /// Least and greatest `min_dist`.
    dist: (f64, f64),
    white: White,
    /// The circle's radius: its ratio to `min_dist`, and the largest radius.
    share: f64,
    most: f64,
    /// The greys of the map in which it grows.
    greys: (f64, f64),
    paint: fn(&mut Canvas, &Circle, u64),
}

const LAYERS: [Layer; 5] = [
    Layer {
        name: "trees",
        dist: (7.0, 46.0),
        white: White::Sparse,
        share: 0.5,
        most: 8.5,
        greys: (0.0, 0.82),
        paint: plants::tree,
    },
    Layer {
        name: "bushes",
        dist: (4.4, 26.0),
        white: White::Sparse,
        share: 0.46,
        most: 3.4,
        greys: (0.0, 0.85),
        paint: plants::bush,
    },
    Layer {
        name: "flowers",
        dist: (2.8, 22.0),
        white: White::Dense,
        share: 0.4,
        most: 1.5,
        greys: (0.45, 0.9),
        paint: plants::flower,
    },
    Layer {
        name: "tufts of grass",
        dist: (4.0, 7.0),
        white: White::Dense,
        share: 0.2,
        most: 1.0,
        greys: (0.2, 0.92),
        paint: plants::tuft,
    },
    Layer {
        name: "pebbles",
        dist: (3.2, 12.0),
        white: White::Dense,
        share: 0.15,
        most: 0.6,
        greys: (0.94, 1.0),
        paint: plants::pebble,
    },
];

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let map = load_map("meadow.png")?;
    // A part of the map; the rest is not drawn.
    let window = Bounds::new([0.0, 84.0], [512.0, 400.0])?;
    let ground = Ground::new(&map)?;

    let mut circles = Circles::new(window, 10.0)?;
    let mut planted = Vec::new();
    for (seed, layer) in (1..).zip(&LAYERS) {
        let range = DistRange::new(layer.dist.0, layer.dist.1)?;
        let options = MapOptions {
            white: layer.white,
            ..MapOptions::default()
        };
        let field = RadiusMap::new(map.clone(), range, options)?;
        let radius = |r: f64| (layer.share * r).min(layer.most);
        // Open where the whole circle lies on suitable ground.
        let habitat = GridField::new(range, range.lo() / 4.0, move |p| {
            let greys = layer.greys.0..=layer.greys.1;
            let suits = |p| matches!(field.grey_at(p), Some(g) if greys.contains(&g));
            let r = field.min_dist(p)?;
            let fits = rim(p, radius(r)).into_iter().chain([p]).all(suits);
            fits.then_some(r)
        })?;
        let free = circles.outside(&habitat, radius)?;
        let options = BridsonOptions {
            seed,
            ..BridsonOptions::default()
        };
        let points: Vec<Sample<2>> = Bridson::new(free, window, options)?.collect();
        check_spacing(&points, Rule::Max)?;
        println!("{} {}", points.len(), layer.name);
        for point in points {
            let circle = Circle {
                center: point.position,
                radius: radius(point.min_dist),
            };
            circles.add(circle);
            planted.push((layer, circle, point.id));
        }
    }
    let water = ground.clone();
    let lilies = GridField::new(DistRange::new(2.2, 9.0)?, 0.5, move |p| water.lily(p))?;
    let lilies: Vec<Sample<2>> = Bridson::new(lilies, window, BridsonOptions::default())?.collect();
    check_spacing(&lilies, Rule::Max)?;
    println!("{} lilies", lilies.len());
    circles.check_apart()?;

    let mut canvas = Canvas::new(window, run.length(1000.0), Color::WHITE)?;
    canvas.backdrop(|p| ground.color(p));
    for lily in &lilies {
        plants::lily(&mut canvas, lily);
    }
    // Small plants are drawn first, under the shadows of trees.
    for small in planted.iter().rev().filter(|(layer, ..)| layer.most < 8.0) {
        (small.0.paint)(&mut canvas, &small.1, small.2);
    }
    for (_, circle, _) in planted.iter().filter(|(layer, ..)| layer.most > 8.0) {
        plants::shadow(&mut canvas, circle);
    }
    for (layer, circle, id) in planted.iter().filter(|(layer, ..)| layer.most > 8.0) {
        // Crowns are drawn a little larger than their circles, so that the canopy closes.
        let radius = 1.12 * circle.radius;
        (layer.paint)(&mut canvas, &Circle { radius, ..*circle }, *id);
    }
    run.save_in("vegetation", &canvas, 96)
}

/// Returns eight places on the rim of a circle.
fn rim([x, y]: [f64; 2], r: f64) -> [[f64; 2]; 8] {
    let d = r / 2_f64.sqrt();
    let offsets = [
        (r, 0.0),
        (d, d),
        (0.0, r),
        (-d, d),
        (-r, 0.0),
        (-d, -d),
        (0.0, -r),
        (d, -d),
    ];
    offsets.map(|(dx, dy)| [x + dx, y + dy])
}
