//! Dev.Mag, figure 11: textures. Filled translucent circles of three samples; filled circles
//! and outlines; daisies on grass.

use anyhow::Result;
use density::{Bounds, DistRange, Perlin, PerlinOptions};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Circle, Circles, Color, Dice, Run, check_spacing};
use std::f64::consts::TAU;

const SIDE: f64 = 60.0;

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let width = run.length(360.0);
    let panels = [confetti(width)?, bubbles(width)?, daisies(width)?];
    run.save("devmag_figure11_textures", &Canvas::beside(&panels, 12)?)
}

/// Returns points whose `min_dist` varies between `least` and `most`.
fn scatter(least: f64, most: f64, seed: u64) -> Result<Vec<Sample<2>>> {
    let noise = PerlinOptions {
        seed,
        frequency: 1.0 / 24.0,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(DistRange::new(least, most)?, noise)?;
    let options = BridsonOptions {
        seed,
        ..BridsonOptions::default()
    };
    // The margin lets circles overlap the edges.
    let world = Bounds::new([-6.0; 2], [SIDE + 6.0; 2])?;
    let points: Vec<Sample<2>> = Bridson::new(field, world, options)?.collect();
    check_spacing(&points, Rule::Max)?;
    Ok(points)
}

fn canvas(width: f64, background: u32) -> Result<Canvas> {
    let world = Bounds::from_size([SIDE; 2])?;
    Canvas::new(world, width, Color::hex(background))
}

/// Draws three samples, each in variations of one colour.
fn confetti(width: f64) -> Result<Canvas> {
    let mut canvas = canvas(width, 0x00f7_f1e3)?;
    let mut dice = Dice::new(1);
    let layers = [
        (6.0, 11.0, 0x001d_7874),
        (4.5, 8.0, 0x00f4_a259),
        (3.0, 6.0, 0x00bc_4b51),
    ];
    for (seed, (least, most, color)) in (1..).zip(layers) {
        for point in scatter(least, most, seed)? {
            let color = Color::hex(color)
                .to(Color::WHITE, dice.between(0.0, 0.25))
                .to(Color::INK, dice.between(0.0, 0.12));
            canvas.disk(point.position, 0.5 * point.min_dist, color.faint(0.55));
        }
    }
    Ok(canvas)
}

/// Draws two samples: filled circles, and outlines that avoid them.
fn bubbles(width: f64) -> Result<Canvas> {
    let mut canvas = canvas(width, 0x0012_3047)?;
    let mut dice = Dice::new(2);
    let world = Bounds::new([-6.0; 2], [SIDE + 6.0; 2])?;
    let mut circles = Circles::new(world, 6.0)?;
    for point in scatter(5.0, 12.0, 4)? {
        let radius = 0.4 * point.min_dist;
        circles.add(Circle {
            center: point.position,
            radius,
        });
        let color = Color::hex(0x004f_a3c7).to(Color::hex(0x009b_e3de), dice.unit());
        canvas.disk(point.position, radius, color.faint(0.8));
    }
    let noise = PerlinOptions {
        seed: 5,
        frequency: 1.0 / 20.0,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(DistRange::new(1.6, 4.4)?, noise)?;
    let free = circles.outside(&field, |r| 0.42 * r)?;
    let points = Bridson::new(free, world, BridsonOptions::default())?;
    let points: Vec<Sample<2>> = points.collect();
    check_spacing(&points, Rule::Max)?;
    for point in points {
        let color = Color::hex(0x00ff_e8a3).to(Color::hex(0x009b_e3de), dice.unit());
        canvas.ring(point.position, 0.42 * point.min_dist, 0.22, color);
        circles.add(Circle {
            center: point.position,
            radius: 0.42 * point.min_dist,
        });
    }
    circles.check_apart()?;
    Ok(canvas)
}

/// Draws daisies, scaled and turned at random, on blades of grass from a second sample.
fn daisies(width: f64) -> Result<Canvas> {
    let mut canvas = canvas(width, 0x003d_7a35)?;
    let mut dice = Dice::new(3);
    let mut blades = scatter(0.9, 1.3, 6)?;
    blades.sort_by(|a, b| a.position[1].total_cmp(&b.position[1]));
    for blade in blades {
        let [x, y] = blade.position;
        let (lean, length) = (dice.between(-1.0, 1.0), dice.between(1.6, 3.0));
        let color = Color::hex(0x002c_5f2b).to(Color::hex(0x008f_bf4d), dice.unit());
        let tip = [x + 0.5 * lean * length, y - length];
        let corners = [[x - 0.22, y], [x + 0.12 * lean, y - 0.6 * length], tip];
        let other = [[x + 0.22 + 0.12 * lean, y - 0.5 * length], [x + 0.22, y]];
        canvas.polygon(&[&corners[..], &other].concat(), color);
    }
    for daisy in scatter(4.2, 9.0, 7)? {
        let size = 0.42 * daisy.min_dist.min(7.0) * dice.between(0.75, 1.0);
        let turn = dice.between(0.0, TAU);
        paint_daisy(&mut canvas, daisy.position, size, turn);
    }
    Ok(canvas)
}

fn paint_daisy(canvas: &mut Canvas, [x, y]: [f64; 2], size: f64, turn: f64) {
    const PETALS: u32 = 13;
    let shadow = Color::hex(0x0014_3314).faint(0.35);
    for (shift, color) in [(0.12 * size, shadow), (0.0, Color::hex(0x00fd_fcf5))] {
        for i in 0..PETALS {
            let (sin, cos) = (turn + TAU * f64::from(i) / f64::from(PETALS)).sin_cos();
            // An ellipse that extends from near the centre to the rim.
            let rim = (0..16).map(|k| {
                let (across, along) = (TAU * f64::from(k) / 16.0).sin_cos();
                let (u, v) = (size * (0.58 + 0.42 * along), size * 0.15 * across);
                [x + shift + u * cos - v * sin, y + shift + u * sin + v * cos]
            });
            canvas.polygon(&rim.collect::<Vec<_>>(), color);
        }
    }
    let gold = [Color::hex(0x00ff_d84a), Color::hex(0x00d9_8a12)];
    canvas.ball([x, y], 0.3 * size, [-0.3, -0.35], gold);
}
