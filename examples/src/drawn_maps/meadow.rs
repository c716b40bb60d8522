//! The meadow: woods with soft edges, clearings, a path, and a pond without points.

use super::{DrawnMap, Pixels, draw, grey16, middle};
use crate::curve::{Curve, smoothstep};
use crate::paint::{Painting, Strokes};
use anyhow::Result;
use density::{DistRange, Perlin, PerlinOptions};

const SIZE: [u32; 2] = [512, 512];

/// An ellipse: centre and half axes.
type Ellipse = [f64; 4];

const WOODS: [Ellipse; 7] = [
    [70.0, 130.0, 150.0, 105.0],
    [300.0, 60.0, 150.0, 75.0],
    [470.0, 380.0, 130.0, 100.0],
    [60.0, 470.0, 130.0, 80.0],
    [500.0, 150.0, 70.0, 80.0],
    [255.0, 455.0, 95.0, 60.0],
    [205.0, 275.0, 42.0, 34.0],
];
const CLEARINGS: [Ellipse; 4] = [
    [92.0, 150.0, 40.0, 30.0],
    [445.0, 400.0, 34.0, 27.0],
    [330.0, 50.0, 36.0, 24.0],
    [330.0, 330.0, 62.0, 40.0],
];
const PONDS: [Ellipse; 2] = [[340.0, 222.0, 62.0, 36.0], [384.0, 242.0, 40.0, 26.0]];
const PATH: [[f64; 2]; 9] = [
    [-30.0, 352.0],
    [40.0, 338.0],
    [110.0, 296.0],
    [150.0, 232.0],
    [222.0, 198.0],
    [262.0, 262.0],
    [330.0, 306.0],
    [430.0, 296.0],
    [545.0, 258.0],
];

/// Returns 1 at the centre of the ellipse, 0 on its rim, and negative values outside.
fn depth([x, y]: [f64; 2], [mx, my, rx, ry]: Ellipse) -> f64 {
    let (u, v) = ((x - mx) / rx, (y - my) / ry);
    1.0 - (u * u + v * v).sqrt()
}

fn deepest(p: [f64; 2], ellipses: &[Ellipse]) -> f64 {
    ellipses.iter().map(|&e| depth(p, e)).fold(-1.0, f64::max)
}

struct Land {
    /// Noise that bends all shapes.
    bends: Perlin,
    /// Noise that makes edges ragged.
    edges: Perlin,
    /// Noise that varies the density.
    growth: Perlin,
    path: Curve,
}

impl Land {
    fn new() -> Result<Self> {
        let noise = |seed, size: f64| {
            let options = PerlinOptions {
                seed,
                frequency: 1.0 / size,
                ..PerlinOptions::default()
            };
            Perlin::new(DistRange::new(1.0, 2.0)?, options).map_err(anyhow::Error::from)
        };
        Ok(Self {
            bends: noise(20, 150.0)?,
            edges: noise(21, 60.0)?,
            growth: noise(22, 46.0)?,
            path: Curve::through(&PATH),
        })
    }

    /// Returns positive values in the water; 1 corresponds to about 50 pixels.
    fn water(&self, p: [f64; 2]) -> f64 {
        deepest(p, &PONDS) + 0.3 * (self.edges.grey_at(p) - 0.5)
    }

    /// Returns the place whose shape is drawn at `p`. The displacement bends straight and round
    /// edges.
    fn bent(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (u, v) = (
            self.bends.grey_at([x, y]),
            self.bends.grey_at([y + 700.0, x]),
        );
        [x + 70.0 * (u - 0.5), y + 70.0 * (v - 0.5)]
    }

    /// Returns the intended grey of a place: 0 in dense wood, 1 on the path.
    fn grey(&self, p: [f64; 2]) -> f64 {
        let ragged = self.edges.grey_at(p) - 0.5;
        let growth = self.growth.grey_at(p);
        let bent = self.bent(p);
        let wood = smoothstep(-0.12, 0.34, deepest(bent, &WOODS) + 0.75 * ragged);
        let bare = smoothstep(-0.2, 0.4, deepest(bent, &CLEARINGS) - 0.3 * ragged);
        let meadow = 0.58 + 0.3 * growth;
        let thicket = 0.02 + 0.2 * growth;
        let grown = meadow + wood * (1.0 - bare) * (thicket - meadow);
        // Reeds and bushes are dense on the shore.
        let shore = smoothstep(-0.3, -0.08, self.water(p));
        let grown = grown + shore * (0.12 + 0.3 * growth - grown);
        let path = 1.0 - smoothstep(5.0, 12.0, self.path.distance(p));
        grown + path * (1.0 - grown)
    }
}

pub(super) fn draw_map() -> Result<DrawnMap> {
    let land = Land::new()?;
    let mut painting = Painting::new(SIZE[0], SIZE[1], 0.6);
    let brush = |radius, opacity, stray, seed| Strokes {
        radius,
        opacity,
        stray,
        seed,
    };
    let meant = |p| Some(land.grey(p));
    painting.paint(brush(26.0, 0.8, 0.05, 1), meant);
    painting.paint(brush(13.0, 0.7, 0.06, 2), meant);
    painting.paint(brush(7.0, 0.5, 0.06, 3), meant);
    // Only the path is painted with the fine brush.
    painting.paint(brush(4.0, 0.8, 0.01, 4), |p| {
        (land.path.distance(p) < 12.0).then(|| land.grey(p))
    });
    let pixels = draw(SIZE, |[x, y]| {
        // 2048 greys are far more than 8 bits hold, and compress to half the size of 65536.
        let grey = grey16(painting.grey(x, y)) / 32 * 32;
        if land.water(middle([x, y])) > 0.0 {
            [0, 0]
        } else {
            [grey, u16::MAX]
        }
    });
    Ok(DrawnMap {
        name: "meadow.png",
        size: SIZE,
        pixels: Pixels::GreyAlpha16(pixels.concat()),
    })
}
