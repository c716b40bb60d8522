//! Godot: one chunk with an offset. Obstacles stand on random unused points, some move to other points
//! later, and the run is saved and loaded. Chunks that fit each other come from a `World`, as in
//! `endless_world.rs`: points of two runs beside each other may be too near.

use anyhow::{Context, Result, ensure};
use density::{Bounds, Constant};
use export::{Format, Header, open, write_all};
use sampler::{ALGORITHM_VERSION, Bridson, BridsonOptions, Rule, Sample};
use serde::{Deserialize, Serialize};
use spinney_examples::{Canvas, Color, Dice, Run, check_spacing};
use std::fs::{self, File};

const MIN_DIST: f64 = 30.0;

/// The points of a chunk, in world coordinates from the start, so that no shift can be forgotten or
/// repeated. A point is identified by its number, never by its coordinates, and is in exactly one
/// of the two lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Spots {
    unused: Vec<usize>,
    used: Vec<usize>,
}

impl Spots {
    fn new(count: usize) -> Self {
        Self {
            unused: (0..count).collect(),
            used: Vec::new(),
        }
    }

    /// Removes a random point from the unused ones and returns it, or `None` when all are in use.
    fn take(&mut self, dice: &mut Dice) -> Option<usize> {
        let spot = self.unused.swap_remove(dice.below(self.unused.len())?);
        self.used.push(spot);
        Some(spot)
    }

    /// Returns a used point to the unused ones.
    fn give_back(&mut self, spot: usize) {
        if let Some(index) = self.used.iter().position(|&used| used == spot) {
            self.unused.push(self.used.swap_remove(index));
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Obstacle {
    kind: Kind,
    spot: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Rock,
    Crate,
    Bush,
}

/// A game's own data beside the points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Layout {
    spots: Spots,
    obstacles: Vec<Obstacle>,
}

/// The fields of a file of points that a game needs.
#[derive(Deserialize)]
struct PointsFile {
    points: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Place {
    x: f64,
    y: f64,
}

fn main() -> Result<()> {
    let run = Run::from_args()?;
    // 400 wide and high, far from the origin.
    let chunk = Bounds::with_origin([-1200.0, 800.0], [400.0, 400.0])?;
    let options = BridsonOptions {
        seed: 11,
        ..BridsonOptions::default()
    };
    let points: Vec<Sample<2>> = Bridson::new(Constant::new(MIN_DIST)?, chunk, options)?.collect();
    check_spacing(&points, Rule::Max)?;

    let mut dice = Dice::new(5);
    let mut spots = Spots::new(points.len());
    let mut obstacles = Vec::new();
    for kind in [Kind::Rock, Kind::Crate, Kind::Bush].repeat(9) {
        let spot = spots
            .take(&mut dice)
            .context("more obstacles than points")?;
        obstacles.push(Obstacle { kind, spot });
    }
    let mut layout = Layout { spots, obstacles };
    let before = draw(&run, chunk, &points, &layout, &[])?;

    // Moves the crates. All of them leave before the first takes a new point, so that one may move
    // to another's place.
    let mut moves = Vec::new();
    let (obstacles, spots) = (&mut layout.obstacles, &mut layout.spots);
    let is_crate = |o: &&mut Obstacle| o.kind == Kind::Crate;
    for obstacle in obstacles.iter().filter(|o| o.kind == Kind::Crate) {
        spots.give_back(obstacle.spot);
    }
    for obstacle in obstacles.iter_mut().filter(is_crate) {
        let spot = spots.take(&mut dice).context("as many points as before")?;
        moves.push([obstacle.spot, spot]);
        obstacle.spot = spot;
    }
    ensure!(
        spots.used.len() == obstacles.len()
            && spots.used.len() + spots.unused.len() == points.len(),
        "every point is in one list, and every obstacle on a point of its own"
    );
    let after = draw(&run, chunk, &points, &layout, &moves)?;

    // After saving and loading, the points and the crates on them are the same to the last bit.
    let (points_path, layout_path) = (run.path("chunk_points.json"), run.path("chunk_layout.json"));
    let header = Header::new(
        "bridson",
        ALGORITHM_VERSION,
        options.seed,
        options.rule,
        chunk,
    );
    let mut writer = open(Format::Json, File::create(&points_path)?, &header)?;
    write_all(&mut *writer, points.iter().copied())?;
    fs::write(&layout_path, serde_json::to_string(&layout)?)?;

    let loaded: PointsFile = serde_json::from_str(&fs::read_to_string(&points_path)?)?;
    let stored = points.iter().map(|s| {
        let [x, y] = s.position;
        Place { x, y }
    });
    ensure!(stored.eq(loaded.points), "the points must survive the file");
    let loaded: Layout = serde_json::from_str(&fs::read_to_string(&layout_path)?)?;
    ensure!(loaded == layout, "the layout must survive the file");
    println!(
        "{} points, {} obstacles, {} moved; stored in {} and loaded back",
        points.len(),
        layout.obstacles.len(),
        moves.len(),
        points_path.display()
    );
    run.save("godot_obstacles", &Canvas::beside(&[before, after], 12)?)
}

fn draw(
    run: &Run,
    chunk: Bounds<2>,
    points: &[Sample<2>],
    layout: &Layout,
    moves: &[[usize; 2]],
) -> Result<Canvas> {
    let mut canvas = Canvas::new(chunk, run.length(480.0), Color::hex(0x00e9_e2cc))?;
    for &spot in &layout.spots.unused {
        canvas.ring(points[spot].position, 3.5, 1.1, Color::INK.faint(0.4));
    }
    for &[from, to] in moves {
        let ends = [from, to].map(|spot| points[spot].position);
        canvas.line(&ends, 1.4, Color::hex(0x009a_5b1f).faint(0.45));
    }
    for obstacle in &layout.obstacles {
        let [x, y] = points[obstacle.spot].position;
        canvas.disk([x + 2.0, y + 2.5], 10.5, Color::INK.faint(0.18));
        match obstacle.kind {
            Kind::Rock => {
                let outline = [
                    (-10, 3),
                    (-6, -7),
                    (2, -10),
                    (9, -4),
                    (10, 5),
                    (2, 9),
                    (-6, 8),
                ];
                let at = |scale: f64| {
                    outline.map(|(u, v)| [x + scale * f64::from(u), y + scale * f64::from(v)])
                };
                canvas.polygon(&at(1.0), Color::hex(0x006f_7681));
                let top = at(0.62).map(|[u, v]| [u - 1.5, v - 1.8]);
                canvas.polygon(&top, Color::hex(0x009d_a5b0));
            }
            Kind::Crate => {
                let side = |half: f64| Bounds::new([x - half, y - half], [x + half, y + half]);
                canvas.fill_box(side(9.0)?, Color::hex(0x00b9_7a3c));
                canvas.frame(side(7.8)?, 2.4, Color::hex(0x007d_4d20));
                canvas.line(
                    &[[x - 7.0, y - 7.0], [x + 7.0, y + 7.0]],
                    2.2,
                    Color::hex(0x007d_4d20),
                );
            }
            Kind::Bush => {
                for (dx, dy, r, color) in [
                    (-4.0, 2.0, 6.5, 0x003a_7d44),
                    (4.5, 2.0, 6.0, 0x0034_7340),
                    (0.0, -3.5, 6.5, 0x004f_9a52),
                ] {
                    canvas.disk([x + dx, y + dy], r, Color::hex(color));
                }
            }
        }
    }
    Ok(canvas)
}
