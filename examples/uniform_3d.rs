//! Dev.Mag's uniform distribution in 3D: balls in a box, each with its shadow on the floor.

use anyhow::Result;
use density::{Bounds, Constant};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};
use std::f64::consts::TAU;

const SIDE: f64 = 8.0;
const BALL: f64 = 0.3;

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let world = Bounds::from_size([SIDE; 3])?;
    let points = Bridson::new(Constant::new(1.0)?, world, BridsonOptions::default())?;
    let mut points: Vec<Sample<3>> = points.collect();
    check_spacing(&points, Rule::Max)?;

    let view = Bounds::new([-6.4, -5.2], [6.4, 6.9])?;
    let mut canvas = Canvas::new(view, run.length(900.0), Color::PAPER)?;
    let flat = |[x, y, _]: [f64; 3]| look([x, y, 0.0]).0;
    let corners = [[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]];
    let floor = corners.map(|[x, y]| flat([x, y, 0.0]));
    canvas.polygon(&floor, Color::hex(0x00ec_e7da));
    for point in &points {
        let [x, y, z] = point.position;
        let rim = (0..24).map(|i| {
            let (sin, cos) = (TAU * f64::from(i) / 24.0).sin_cos();
            let on_floor = [x + BALL * cos, y + BALL * sin].map(|c| c.clamp(0.0, SIDE));
            flat([on_floor[0], on_floor[1], 0.0])
        });
        let strength = 0.04 + 0.16 * (1.0 - z / SIDE);
        canvas.polygon(&rim.collect::<Vec<_>>(), Color::INK.faint(strength));
    }
    // Far balls are drawn first. The edges that meet in the far corner are behind all of them.
    edges(&mut canvas, Part::Back);
    points.sort_by(|a, b| look(b.position).1.total_cmp(&look(a.position).1));
    for point in &points {
        let (place, depth) = look(point.position);
        let height = point.position[2] / SIDE;
        let (low, middle, high) = (0x0027_7da1, 0x006f_b07f, 0x00f3_722c);
        let [low, middle, high] = [low, middle, high].map(Color::hex);
        let color = low.to(middle, 2.0 * height).to(high, 2.0 * height - 1.0);
        let haze = 0.3 * ((depth - 14.0) / 12.0).clamp(0.0, 1.0);
        let shades = [color.to(Color::WHITE, 0.6), color.to(Color::INK, 0.5)];
        let shades = shades.map(|c| c.to(Color::PAPER, haze));
        canvas.ball(place, BALL * ZOOM / depth, [-0.35, -0.4], shades);
    }
    edges(&mut canvas, Part::Front);
    println!("{} points in a cube of {SIDE}", points.len());
    run.save("uniform_3d", &canvas)
}

/// Distance from the eye to the projection plane.
const ZOOM: f64 = 18.0;

/// Projects a place: turned by 32 degrees and seen from above. Also returns its distance from the
/// eye.
fn look([x, y, z]: [f64; 3]) -> ([f64; 2], f64) {
    let [x, y, z] = [x, y, z].map(|c| c - SIDE / 2.0);
    let (sin, cos) = 32_f64.to_radians().sin_cos();
    let (across, away) = (cos * x - sin * y, sin * x + cos * y);
    let (sin, cos) = 24_f64.to_radians().sin_cos();
    let (up, depth) = (cos * z + sin * away, 20.0 + cos * away - sin * z);
    ([across * ZOOM / depth, -up * ZOOM / depth], depth)
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Back,
    Front,
}

/// Draws the box's edges that lie behind the balls or in front of them.
fn edges(canvas: &mut Canvas, part: Part) {
    let corner = |i: usize| [0, 1, 2].map(|a| if i >> a & 1 == 1 { SIDE } else { 0.0 });
    for (i, axis) in (0..8).flat_map(|i| [(i, 0), (i, 1), (i, 2)]) {
        let j = i | 1 << axis;
        // The corner farthest from the eye: x and y high, on the floor.
        let hidden = 0b011;
        let is_back = i == hidden || j == hidden;
        if i != j && is_back == (part == Part::Back) {
            let ends = [corner(i), corner(j)].map(|c| look(c).0);
            canvas.line(&ends, 0.025, Color::INK.faint(0.45));
        }
    }
}
