//! Several layers in all ways of sampling: as a tile, streamed, in windows, scaled.

use crate::scene::Scene;
use serde_json::Value;

/// Returns a species file, all of its distances multiplied by `factor`: layers that share a turn and a
/// field, one with a map, one with noise, and a distance between two layers.
fn wood(factor: u32) -> String {
    let distances = |min: f64, max: f64| {
        let factor = f64::from(factor);
        format!("min_dist = {}\nmax_dist = {}\n", factor * min, factor * max)
    };
    format!(
        "size = [64, 48]\nrule = \"mean\"\n\
         [[layer]]\nname = \"oak\"\nmap = \"ramp.png\"\n{}\
         [[layer]]\nname = \"elm\"\n{}\
         [[layer]]\nname = \"ash\"\nshare = 2\n{}\
         [[layer]]\nname = \"moss\"\nperlin = {{ frequency = 0.05 }}\nturn = 1\n{}\
         [[apart]]\nbetween = [\"moss\", \"oak\"]\ndistance = {}\n",
        distances(2.0, 6.0),
        distances(2.5, 2.5),
        distances(2.5, 2.5),
        distances(1.0, 2.0),
        f64::from(factor) * 1.25,
    )
}

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("wood.toml", wood(1));
    scene
}

fn bytes(scene: &Scene, args: &str) -> Vec<u8> {
    scene.succeed(&format!("sample --species wood.toml -q -o w.csv {args}"));
    scene.read("w.csv")
}

#[test]
fn a_stream_is_the_whole() {
    let scene = scene();
    for flags in ["", "--max-points 300", "--lod 2", "--tile"] {
        let whole = bytes(&scene, flags);
        assert!(scene.rows("w.csv").len() >= 300, "{flags}");
        assert_eq!(
            whole,
            bytes(&scene, &format!("{flags} --stream")),
            "{flags}"
        );
    }
}

/// Returns all rows of a file except the header, in the order of ids.
fn sorted(scene: &Scene, name: &str) -> Vec<String> {
    let text = scene.text(name);
    let mut rows: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    rows.sort();
    rows
}

#[test]
fn a_window_is_a_part_of_the_whole() {
    let scene = scene();
    let [x0, y0, x1, y1] = [20.0, 10.5, 45.0, 31.0];
    let inside = |row: &String| {
        let place: Vec<f64> = row
            .split(',')
            .skip(1)
            .take(2)
            .map(|number| number.parse().expect("a number"))
            .collect();
        (x0..x1).contains(&place[0]) && (y0..y1).contains(&place[1])
    };
    for flags in ["", "--lod 2", "--tile", "--scale-factor 1.25"] {
        let sample = format!("sample --species wood.toml {flags}");
        scene.succeed(&format!("{sample} -o all.csv"));
        scene.succeed(&format!(
            "{sample} --window {x0},{y0},{x1},{y1} -o part.csv --summary s.json"
        ));
        let mut expected = sorted(&scene, "all.csv");
        expected.retain(inside);
        let found = sorted(&scene, "part.csv");
        assert!(found.len() > 50, "{flags}: {}", found.len());
        assert_eq!(found, expected, "{flags}");
        let summary = scene.json("s.json");
        assert_eq!(summary["window"][1][0], x1);
        let layers = summary["layers"].as_array().expect("layers");
        let points = layers.iter().map(|layer| layer["points"].as_u64());
        assert_eq!(points.sum::<Option<u64>>(), Some(found.len() as u64));
    }
}

/// Layers keep their distances to themselves and to each other across the edges.
#[test]
fn a_tile_fits_itself() {
    let scene = scene();
    let judge = "verify w.csv --species wood.toml --size 64x48 --torus";
    scene
        .succeed("sample --species wood.toml --tile --verify -o w.csv --summary s.json")
        .assert_stderr_has("world 64x48, tile");
    assert_eq!(scene.json("s.json")["tile"], true);
    scene.succeed(judge);
    // `verify` detects points that are no tile.
    scene.succeed("sample --species wood.toml -o w.csv");
    scene.end(judge, 1).assert_stderr_has("pairs are too close");
    // Points to avoid are repeated like the tile.
    scene.write("house.csv", "x,y,min_dist\n0.5,24,12\n");
    scene.succeed("sample --species wood.toml --tile --avoid house.csv -o w.csv");
    let near = |x: f64, y: f64| (x - 64.5).powi(2) + (y - 24.0).powi(2) < 36.0;
    let rows = scene.rows("w.csv");
    assert!(rows.len() > 500 && !rows.iter().any(|row| near(row.x, row.y)));
}

/// Doubling by the flag equals a file with all numbers doubled, those between layers included.
#[test]
fn scaled_layers_are_those_of_a_scaled_file() {
    let scene = scene();
    let flags = "--scale-factor 2 --verify --summary s.json";
    let scaled = bytes(&scene, flags);
    // `verify` follows the factor: of the file, and of the flag.
    scene.succeed("sample --species wood.toml --scale-factor 0.5 -o half.json -o half.csv");
    scene.succeed("verify half.json --species wood.toml");
    scene.end("verify half.csv --species wood.toml", 1);
    scene.succeed("verify half.csv --species wood.toml --scale-factor 0.5");
    let summary = scene.json("s.json");
    assert_eq!(summary["scale_factor"], 2.0);
    assert_ne!(scaled, bytes(&scene, ""));
    scene.write("wood.toml", wood(2));
    assert_eq!(scaled, bytes(&scene, ""));
}

/// A count is of all layers together. Its windows are the whole.
#[test]
fn so_many_points_of_all_layers() {
    let scene = scene();
    let of_layers = |summary: &Value, key: &str| -> Vec<f64> {
        let layers = summary["layers"].as_array().expect("a list").iter();
        layers.map(|l| l[key].as_f64().expect("a number")).collect()
    };
    for (count, more) in [(300, ""), (900, "--lod 2"), (500, "--tile")] {
        bytes(
            &scene,
            &format!("{more} --count {count} --verify --summary s.json"),
        );
        let whole = sorted(&scene, "w.csv");
        assert_eq!(whole.len(), count, "{more}");
        let summary = scene.json("s.json");
        assert_eq!(
            of_layers(&summary, "points").iter().sum::<f64>(),
            count as f64
        );
        let last = summary["last"].as_str().expect("a point");
        let of_run = format!(
            "{more} --scale-factor {} --last {last}",
            summary["scale_factor"]
        );
        bytes(&scene, &format!("{of_run} --summary s.json"));
        assert!(sorted(&scene, "w.csv") == whole, "{more}");
        let expected = [&summary, &scene.json("s.json")].map(|s| of_layers(s, "expected_points"));
        assert_eq!(expected[0], expected[1], "{more}");
        let mut parts = Vec::new();
        for window in ["0,0,30,48", "30,0,64,48"] {
            bytes(&scene, &format!("{of_run} --window {window}"));
            parts.extend(sorted(&scene, "w.csv"));
        }
        parts.sort();
        assert!(parts == whole, "{more}");
    }
}

#[test]
fn what_layers_cannot_is_refused_with_what_to_do() {
    let scene = scene();
    for (flags, does) in [
        ("--algorithm bridson", "drop one of them"),
        ("--window 0,0,9,9 --max-points 5", "drop it"),
        ("--window 0,0,9,9 --verify", "spinney verify"),
        ("--scale-factor 1e300", "choose another factor"),
        ("--window 70,0,80,9", "which covers 0,0 to 64,48"),
        ("--tile --size 8x8", "raise --size"),
    ] {
        let flag = flags.split(' ').next().unwrap_or_default();
        let run = format!("sample --species wood.toml {flags} -o w.csv");
        scene.refused(&run, 2, &[flag, does]);
    }
}
