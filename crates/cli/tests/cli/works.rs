//! Commands that must work.

use crate::scene::{Row, Scene, rows};
use sampler::Rule;

/// Asserts the rule `max`, pair by pair.
fn assert_spaced(points: &[Row]) {
    for (i, p) in points.iter().enumerate() {
        for q in &points[..i] {
            let keep = p.min_dist.max(q.min_dist);
            let (dx, dy) = (p.x - q.x, p.y - q.y);
            assert!(dx * dx + dy * dy >= keep * keep, "{p:?} and {q:?}");
        }
    }
}

#[test]
fn one_pass_writes_every_format_and_they_agree() {
    let scene = Scene::new();
    let run = scene.succeed(
        "sample ramp.png --min-dist 1 --max-dist 6 -o p.csv -o p.json -o p.ply -o p.svg -o p.npy \
         --preview p.png --summary s.json",
    );
    assert!(run.stdout.is_empty());
    let points = scene.rows("p.csv");
    assert!(points.len() > 100, "{}", points.len());
    assert_spaced(&points);
    for (i, p) in points.iter().enumerate() {
        assert!(points[..i].iter().all(|q| q.id != p.id), "{p:?}");
        assert!((0.0..64.0).contains(&p.x) && (0.0..48.0).contains(&p.y));
        assert!((1.0 + 5.0 * p.value - p.min_dist).abs() < 1e-12, "{p:?}");
    }

    let json = scene.json("p.json");
    let json = json["points"].as_array().expect("points");
    assert_eq!(json.len(), points.len());
    for (p, q) in points.iter().zip(json) {
        assert_eq!(q["x"].as_f64(), Some(p.x));
        assert_eq!(q["min_dist"].as_f64(), Some(p.min_dist));
    }
    let read = |name: &str| scene.read(name);
    let has = |name: &str, text: &str| {
        let bytes = read(name);
        bytes.windows(text.len()).any(|w| w == text.as_bytes())
    };
    let n = points.len();
    assert!(has("p.ply", &format!("element vertex {n}\n")));
    assert!(has("p.npy", &format!("'shape': ({n},)")));
    let svg = String::from_utf8(read("p.svg")).expect("text");
    assert_eq!(svg.matches("<circle").count(), n);
    let picture = image::open(scene.path("p.png")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (512, 384));
}

#[test]
fn the_closing_line_and_the_summary_say_what_was_understood() {
    let scene = Scene::new();
    let run = scene.succeed(
        "sample ramp.png --min-dist 0.5 --max-dist 2.5 --white dense --rule mean --seed 7 \
         --size 32x24 --origin -5,3 --y-up -o p.csv --summary s.json --algorithm bridson \
         --tries 20",
    );
    let points = scene.rows("p.csv").len();
    let said = "64x48 16-bit map, white = dense, world 32x24 at -5,3, y up, min_dist 0.5..2.5, \
                rule mean, seed 7, algorithm bridson: ";
    assert!(run.stderr.starts_with(said), "{run}");
    let grouped = match points {
        0..1000 => points.to_string(),
        _ => format!("{},{:03}", points / 1000, points % 1000),
    };
    let tail = &run.stderr[said.len()..];
    assert!(tail.starts_with(&format!("{grouped} points in ")), "{tail}");
    assert!(tail.ends_with(" s, complete\n"), "{tail}");

    let summary = scene.json("s.json");
    let expected = serde_json::json!({
        "points": points, "complete": true, "unresolved": null, "unresolved_area": null, "algorithm": "bridson", "threads": 1,
        "algorithm_version": 1, "seed": 7, "tries": 20, "max_points": null, "rule": "mean",
        "white": "dense", "min_dist": 0.5, "max_dist": 2.5, "size": [32.0, 24.0],
        "origin": [-5.0, 3.0], "y_axis": "up", "perlin": null,
        "version": env!("CARGO_PKG_VERSION"), "outputs": ["p.csv", "s.json"],
        "map": {"file": "ramp.png", "width": 64, "height": 48, "depth": 16, "channel": "luma", "alpha": "mask",
                "type": "16-bit", "range": [0.0, 65535.0], "scale": null, "offset": null,
                "cells": null, "row_order": "unsaid", "masked": null, "allowed": 1.0},
    });
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(&summary[key], value, "{key}");
    }
    let number = |key: &str| summary[key].as_f64().expect("a number");
    assert!((number("expected_points") / points as f64 - 1.0).abs() < 0.2);
    let speed = points as f64 / number("seconds");
    assert!((number("points_per_second") / speed - 1.0).abs() < 1e-9);
}

#[test]
fn without_a_map_there_is_a_meadow() {
    let scene = Scene::new();
    let run = scene.succeed("sample -o a.csv --summary s.json");
    let said = "Perlin meadow, white = sparse, world 512x512, min_dist 4..16, rule max, seed 0: ";
    assert!(run.stderr.starts_with(said), "{run}");
    assert!(scene.rows("a.csv").len() > 1000);
    let summary = scene.json("s.json");
    assert_eq!(summary["map"], serde_json::Value::Null);
    assert_eq!(summary["perlin"]["seed"], 0);
    // The seed also shapes the meadow, and the size does not stretch it.
    scene.succeed("sample --seed 1 -o b.csv --preview b.png");
    assert_ne!(scene.rows("a.csv")[0].value, scene.rows("b.csv")[0].value);
    // One point fills so small a world.
    scene.succeed("sample --size 3x2 -o c.csv");
    assert_eq!(scene.rows("c.csv").len(), 1);
}

#[test]
fn equal_flags_give_equal_bytes() {
    let scene = Scene::new();
    let files = |name: &str| {
        let all = ["csv", "json", "ply", "svg", "npy"];
        all.map(|e| format!("-o {name}.{e}")).join(" ") + &format!(" --preview {name}.png")
    };
    let bytes = |name: &str| {
        ["csv", "json", "ply", "svg", "npy", "png"].map(|e| scene.read(format!("{name}.{e}")))
    };
    for (name, seed) in [("a", 3), ("b", 3), ("c", 4)] {
        scene.succeed(&format!("sample masked.png --seed {seed} {}", files(name)));
    }
    assert_eq!(bytes("a"), bytes("b"));
    assert_ne!(bytes("a"), bytes("c"));
}

#[test]
fn every_rule_channel_and_polarity_is_taken() {
    let scene = Scene::new();
    for rule in Rule::ALL.map(Rule::name) {
        let algorithm = if rule == "parent" {
            "bridson"
        } else {
            "scatter"
        };
        let flags = format!("--rule {rule} --algorithm {algorithm}");
        let run = scene.succeed(&format!("sample ramp.png {flags} -o - -q"));
        assert!(rows(&run.stdout).len() > 10, "{rule}");
        let head = run.stdout();
        let parent = head.starts_with("id,x,y,min_dist,value,parent\n");
        assert_eq!(parent, rule == "parent", "{rule}");
    }
    for channel in ["luma", "r", "g", "b", "a"] {
        let run = scene.succeed(&format!("sample masked.png --channel {channel} -o -"));
        let said = format!("(channel {channel})");
        assert_eq!(run.stderr.contains(&said), channel != "luma", "{channel}");
        let points = rows(&run.stdout);
        for p in &points {
            assert!(p.x >= 32.0, "the left half is transparent: {p:?}");
        }
        let opaque = points.iter().all(|p| p.value == 1.0);
        assert_eq!(opaque, channel == "a", "{channel}");
    }
}

#[test]
fn up_and_down_are_as_asked() {
    let scene = Scene::new();
    // The picture is sparse at the top and dense at the bottom.
    let mean_y = |args: &str| {
        let run = scene.succeed(&format!("sample ramp.png --min-dist 0.5 {args} -o - -q"));
        let points = rows(&run.stdout);
        points.iter().map(|p| p.y).sum::<f64>() / points.len() as f64
    };
    assert!(mean_y("") > 30.0);
    assert!(mean_y("--y-up") < 18.0);
    assert!(mean_y("--white dense") < 18.0);
    for (name, flag) in [("down.png", ""), ("up.png", "--y-up")] {
        scene.succeed(&format!("sample ramp.png {flag} --preview {name}"));
        let picture = image::open(scene.path(name)).expect("a picture").to_rgb8();
        let light = |from: u32| -> u64 {
            let rows = from..from + 50;
            let pixels = rows.flat_map(|y| (0..picture.width()).map(move |x| (x, y)));
            pixels
                .map(|(x, y)| u64::from(picture.get_pixel(x, y)[0]))
                .sum()
        };
        assert!(light(0) > light(picture.height() - 50), "{name}");
    }
}

#[test]
fn the_cap_stops_the_run_and_says_so() {
    let scene = Scene::new();
    let run = scene.succeed("sample --max-points 1000 -o p.csv --summary s.json");
    let said = "1,000 points in ";
    run.assert_stderr_has(said);
    let end = "stopped at --max-points 1000, not complete\n";
    assert!(run.stderr.ends_with(end), "{run}");
    assert_eq!(scene.rows("p.csv").len(), 1000);
    let summary = scene.json("s.json");
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["max_points"], 1000);

    let all = scene.succeed("sample -o all.csv --summary s.json");
    let points = scene.rows("all.csv").len();
    all.assert_stderr_has(", complete");
    // A cap equal to the number of points does not stop the run.
    let exact = scene.succeed(&format!("sample --max-points {points} -o exact.csv"));
    exact.assert_stderr_has(" s, complete");
    assert_eq!(scene.rows("exact.csv"), scene.rows("all.csv"));
    // The cap keeps the first points in order of priority, which is the order of ids.
    let mut first = scene.rows("all.csv");
    let mut ids: Vec<u64> = first.iter().map(|p| p.id).collect();
    ids.sort_unstable();
    first.retain(|p| p.id < ids[1000]);
    assert_eq!(scene.rows("p.csv"), first);
    // Bridson's algorithm keeps the order of acceptance, which is the order in the file.
    scene.succeed("sample --algorithm bridson -o all.csv");
    scene.succeed("sample --algorithm bridson --max-points 1000 -o p.csv");
    assert_eq!(scene.rows("p.csv"), scene.rows("all.csv")[..1000]);
}

#[test]
fn help_and_version_are_there() {
    let scene = Scene::new();
    let version = scene.succeed("--version");
    let expected = format!("spinney {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(version.stdout(), expected);
    let help = scene.succeed("sample --help");
    let help = help.stdout().to_owned();
    for flag in [
        "--min-dist",
        "--max-dist",
        "--size",
        "--origin",
        "--white",
        "--channel",
        "--range",
        "--raw-size",
        "--rule",
        "--algorithm",
        "--tries",
        "--tile",
        "--count",
        "--lod",
        "--threads",
        "--stream",
        "--seed",
        "--max-points",
        "--y-up",
        "--output",
        "--preview",
        "--summary",
        "--quiet",
    ] {
        assert!(help.contains(flag), "{flag}");
    }
    // The examples in the help work.
    for example in help.lines().filter_map(|l| l.strip_prefix("  spinney ")) {
        let args = example.replace("map.png", "ramp.png");
        let args = args.split('|').next().expect("a command");
        scene.succeed(args);
    }
}
