//! What a run says of itself where that is easily not so.

use crate::scene::Scene;
use std::fs;

/// The largest change of `min_dist` per unit of distance between any two points.
fn slope(scene: &Scene, name: &str) -> f64 {
    let rows = scene.rows(name);
    let mut most = 0.0_f64;
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            let apart = (a.x - b.x).hypot(a.y - b.y);
            most = most.max((a.min_dist - b.min_dist).abs() / apart);
        }
    }
    most
}

/// `--limit 0.2` came out as 0.5, and nothing was said.
#[test]
fn a_limit_that_count_scales_is_told_as_it_comes_out() {
    let scene = Scene::new();
    let flags = "sample ramp.png --min-dist 1 --max-dist 9 -o p.csv --summary s.json";
    let run = scene.succeed(&format!("{flags} --count 60 --limit 0.1"));
    let said = "warning: --limit 0.1 held before --count multiplied all distances";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let most = run.stderr.split("change by up to ").nth(1);
    let most = most.and_then(|rest| rest.split(' ').next());
    let most: f64 = most.and_then(|most| most.parse().ok()).expect("a slope");
    let came = slope(&scene, "p.csv");
    assert!(0.1 < came && came < 1.01 * most, "{came} {most}");
    let summary = fs::read_to_string(scene.path("s.json")).expect("a summary");
    assert!(summary.contains("held before --count"), "{summary}");
    // Distances that become smaller change less.
    let run = scene.succeed(&format!("{flags} --count 900 --limit 0.1"));
    assert!(!run.stderr.contains("--limit 0.1 held"), "{}", run.stderr);
}

/// What may be wrong with a map was found before it was known how large distances are.
#[test]
fn findings_are_of_the_distances_that_count_makes() {
    let scene = Scene::new();
    let flags = "sample ramp.png --min-dist 2 --max-dist 4 -o p.csv";
    let warned = |count: &str| {
        let run = scene.succeed(&format!("{flags} {count}"));
        run.stderr.contains("is less than a pixel")
    };
    assert!(!warned(""));
    assert!(warned("--count 20000"));
}

#[test]
fn a_tile_of_few_points_is_refused_in_terms_of_count() {
    let scene = Scene::new();
    let run = scene.run("sample --tile --count 3 --size 20x20 -o p.csv");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let said = "error: --count 3: so few points would keep up to ";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    let run = scene.run("sample --tile --size 20x20 -o p.csv");
    let said = "error: --tile: the world is 20 wide, less than twice --max-dist 16";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
}

#[test]
fn stopped_layers_are_not_called_complete_but_for_specks() {
    let scene = Scene::new();
    // Hundreds of specks are undecided of the whole.
    let text = "size = [200, 200]\n[[layer]]\nname = \"oak\"\nmin_dist = 0.5\n";
    fs::write(scene.path("w.toml"), text).expect("written");
    let run = scene.succeed("sample --species w.toml --max-points 100 -o w.csv");
    let end = "stopped at --max-points 100, not complete\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}

/// Points lay 8,000 km from their polygon, with y times -1, and nothing was said.
#[test]
fn maps_with_y_down_are_warned_of() {
    let scene = Scene::new();
    let land = r#"{"type": "Polygon", "coordinates":
        [[[4, 4], [60, 4], [60, 30], [4, 30], [4, 4]]]}"#;
    fs::write(scene.path("land.geojson"), land).expect("written");
    let flags = "sample ramp.png --min-dist 3 --max-dist 6";
    let warning = "warning: p.geojson: without --y-up, y runs down";
    for (more, warned) in [
        ("-o p.geojson", None),
        ("--origin 9,9 -o p.csv", None),
        ("--origin 9,9 -o p.geojson", Some("--origin")),
        ("--origin 9,9 -o p.geojson --y-up", None),
        (
            "--polygon land.geojson -o p.geojson",
            Some("--polygon land.geojson"),
        ),
        ("--polygon land.geojson -o p.geojson --y-up", None),
    ] {
        let run = scene.succeed(&format!("{flags} {more}"));
        assert_eq!(run.stderr.contains(warning), warned.is_some(), "{more}");
        assert!(run.stderr.contains(warned.unwrap_or_default()), "{more}");
    }
    let layer = "name = \"oak\"\nmap = \"ramp.png\"\nmin_dist = 3\n";
    fs::write(scene.path("w.toml"), format!("[[layer]]\n{layer}")).expect("written");
    let run = scene.succeed("sample --species w.toml --origin 9,9 -o p.geojson");
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

/// Up to half the open ground of a map with hard edges was left empty, and called complete.
#[test]
fn a_map_with_hard_edges_is_full() {
    let scene = Scene::new();
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/checkerboard.png");
    for rule in ["max", "mean", "min", "own", "prior"] {
        let flags = "--min-dist 8 --max-dist 96 --verify -o p.csv";
        let run = scene.succeed(&format!("sample {map} --rule {rule} {flags}"));
        assert!(run.stderr.contains("verified"), "{rule}: {}", run.stderr);
    }
}
