//! Several layers with all per-point data: on a slope, ranked and rotated.

use crate::scene::Scene;
use std::fmt::Write;

const WOOD: &str = r#"
rule = "mean"

[[layer]]
name = "oak"
map = "ramp.png"
min_dist = 2
max_dist = 4

[[layer]]
name = "fern"
min_dist = 1
turn = 1

[[layer]]
name = "moss"
perlin = { frequency = 0.05 }
min_dist = 0.75
max_dist = 1.5
turn = 2

[[apart]]
between = ["moss", "oak"]
distance = 1.25

[[apart]]
between = ["fern", "moss"]
distance = 0
"#;

/// The highest rank.
const LEVELS: u32 = 2;

/// The limits of slope, degrees.
const SLOPE: [f64; 2] = [10.0, 35.0];

/// Returns the height of a valley along the middle at `x`, world units.
fn height(x: f64) -> f64 {
    0.02 * (x - 32.0) * (x - 32.0)
}

/// Returns the tangent of the slope at `x`.
fn tangent(x: f64) -> f64 {
    0.04 * (x - 32.0).abs()
}

fn scene() -> Scene {
    let scene = Scene::new();
    let mut text = String::from("ncols 64\nnrows 48\ncellsize 1\nnodata_value -9999\n");
    for _ in 0..48 {
        for x in 0..64 {
            // A pixel's height is that of its centre.
            let _ = write!(text, "{} ", height(f64::from(x) + 0.5));
        }
        text.push('\n');
    }
    scene.write("hollow.asc", text);
    scene.write("wood.toml", WOOD);
    scene
}

#[derive(Debug)]
struct Point {
    p: [f64; 2],
    min_dist: f64,
    rank: u32,
    layer: usize,
    turn: f64,
    height: f64,
    slope: f64,
}

fn points(scene: &Scene, name: &str) -> Vec<Point> {
    let columns =
        "id,x,y,min_dist,value,rank,layer,rotation,height,normal_x,normal_y,normal_z,slope\n";
    assert!(scene.text(name).starts_with(columns));
    let table = scene.table(name);
    let point = |i: usize| {
        let number = |column: &str| table[column][i];
        Point {
            p: [number("x"), number("y")],
            min_dist: number("min_dist"),
            rank: number("rank") as u32,
            layer: number("layer") as usize,
            turn: number("rotation"),
            height: number("height"),
            slope: number("slope"),
        }
    };
    (0..table["id"].len()).map(point).collect()
}

/// Returns the distance between two points divided by the distance of the rule.
fn share(a: &Point, b: &Point) -> f64 {
    let square: f64 = (0..2).map(|k| (a.p[k] - b.p[k]).powi(2)).sum();
    square.sqrt() / (0.5 * (a.min_dist + b.min_dist))
}

/// Tolerance for rounding.
const NEARLY: f64 = 1.0 - 1e-12;

fn keep_apart(points: &[Point]) {
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            let rule = 0.5 * (a.min_dist + b.min_dist);
            let keep = match (a.layer.min(b.layer), a.layer.max(b.layer)) {
                (0, 2) => 1.25 / rule,
                (1, 2) => 0.0,
                _ => 1.0,
            };
            assert!(share(a, b) >= keep * NEARLY, "{a:?} {b:?}");
        }
    }
}

/// Asserts that each layer's points up to a rank keep that rank's greater distance, and that no point of
/// the next rank could join them.
fn ranks_thin(points: &[Point]) {
    for layer in 0..3 {
        let of: Vec<&Point> = points.iter().filter(|p| p.layer == layer).collect();
        for most in 0..LEVELS {
            let keep = f64::from(1_u32 << (LEVELS - most));
            let kept: Vec<&&Point> = of.iter().filter(|p| p.rank <= most).collect();
            assert!(!kept.is_empty(), "layer {layer}, rank {most}");
            for (i, a) in kept.iter().enumerate() {
                for b in &kept[i + 1..] {
                    assert!(share(a, b) >= keep * NEARLY, "{a:?} {b:?}");
                }
            }
            for next in of.iter().filter(|p| p.rank == most + 1) {
                let near = kept.iter().any(|k| share(next, k) < keep);
                assert!(near, "{next:?} could have rank {most}");
            }
        }
        assert!(of.iter().all(|p| p.rank <= LEVELS));
        assert!(of.iter().any(|p| p.rank == LEVELS), "layer {layer}");
    }
}

#[test]
fn layers_on_a_slope_are_ranked_and_turned() {
    let scene = scene();
    let ground = "--species wood.toml --height hollow.asc --slope 10..35";
    let run = scene.succeed(&format!(
        "sample {ground} --lod 2 --rotate --verify -o w.csv -o w.json --summary s.json"
    ));
    for said in ["3 layers, world 64x48", "ranks 0..2", "slope 10..35"] {
        run.assert_stderr_has(said);
    }
    let points = points(&scene, "w.csv");

    // Compared with the exact ground: interpolated heights are off by at most the curvature, and slopes are
    // taken over half a pixel to either side.
    let [flat, steep] = SLOPE;
    let mut sides = [0; 2];
    for point in &points {
        let [x, y] = point.p;
        assert!((0.0..64.0).contains(&x) && (0.0..48.0).contains(&y));
        assert!((flat..=steep).contains(&point.slope), "{point:?}");
        let made = point.slope.to_radians().tan();
        assert!((made - tangent(x)).abs() < 0.021, "{point:?}");
        assert!((point.height - height(x)).abs() < 0.006, "{point:?}");
        sides[usize::from(x > 32.0)] += 1;
    }
    assert!(sides.iter().all(|&n| n > 200), "{sides:?}");

    keep_apart(&points);
    ranks_thin(&points);

    let summary = scene.json("s.json");
    let counts = [0, 1, 2].map(|layer| points.iter().filter(|p| p.layer == layer).count());
    for (layer, (name, count)) in ["oak", "fern", "moss"].iter().zip(counts).enumerate() {
        assert!(count > 40, "{name}: {count}");
        assert_eq!(summary["layers"][layer]["name"], *name);
        assert_eq!(summary["layers"][layer]["points"], count);
    }
    let turns: Vec<f64> = points.iter().map(|p| p.turn).collect();
    assert!(turns.iter().all(|t| (0.0..360.0).contains(t)));
    let mean = turns.iter().sum::<f64>() / turns.len() as f64;
    assert!((mean - 180.0).abs() < 30.0, "{mean}");

    // All points in another format are the same.
    let json = scene.json("w.json");
    let json = json["points"].as_array().expect("points");
    assert_eq!(json.len(), points.len());
    for (point, told) in points.iter().zip(json) {
        assert_eq!(told["layer"], point.layer);
        assert_eq!(told["rank"], point.rank);
        assert_eq!(told["slope"].as_f64(), Some(point.slope));
        assert_eq!(told["rotation"].as_f64(), Some(point.turn));
    }

    // Ranks and rotation move no point, but low ranks come first.
    scene.succeed(&format!("sample {ground} -o plain.csv"));
    let by_id = |name: &str| {
        let mut rows = scene.rows(name);
        rows.sort_by_key(|row| row.id);
        rows
    };
    assert!(by_id("w.csv") == by_id("plain.csv"));
    scene.succeed("verify w.csv --species wood.toml --size 64x48");
}
