//! The studio's points equal those of the command line for the saved map.

use crate::client::Answer;
#[cfg(unix)]
use crate::ignored::is_ignored_here;
use crate::running::{REPOSITORY, Random, Running};
use serde_json::{Value, json};

const TOOLS: [&str; 4] = ["paint", "paint", "paint", "erase"];

/// Paints strokes, and reads the points after each.
fn paint(studio: &Running, random: &mut Random, strokes: u64) {
    for number in 1..=strokes {
        let tool = TOOLS[random.below(4) as usize];
        let (size, value) = (random.between(4.0, 90.0), random.between(0.0, 1.0));
        studio.stroke(number, tool, size, value, &random.path(512.0));
        if number % 3 == 0 {
            studio.points();
        }
    }
}

#[test]
fn fifty_strokes_are_the_saved_map_and_undone_they_are_nothing() {
    let studio = Running::start(&[]);
    studio.set_layer(&json!({ "min_dist": 4.0, "max_dist": 24.0 }));
    let (first_map, first) = (studio.map(), studio.points());
    let first_csv = studio.export("points.csv");
    let mut random = Random(1);
    paint(&studio, &mut random, 50);
    assert!(studio.map() != first_map);
    studio.assert_equal();
    // Half of them, and then all.
    for _ in 0..25 {
        studio.step("/api/undo");
        if random.below(3) == 0 {
            studio.points();
        }
    }
    studio.assert_equal();
    for _ in 0..25 {
        studio.step("/api/undo");
    }
    assert_eq!(studio.state()["undo"], json!(0));
    assert!(studio.map() == first_map, "the map is another");
    assert!(studio.points() == first, "the points are others");
    assert!(studio.export("points.csv") == first_csv);
    for _ in 0..50 {
        studio.step("/api/redo");
    }
    studio.assert_equal();
}

/// Each setting exercises another shortcut of local evaluation.
#[test]
fn strokes_are_equal_under_every_setting() {
    let settings = [
        json!({ "y_up": true, "size": [300.0, 450.0] }),
        json!({ "tile": true, "seed": 7 }),
        json!({ "rule": "mean", "seed": 9_007_199_254_740_991_u64 }),
        json!({ "count": 700 }),
        json!({ "algorithm": "bridson", "tries": 12, "rule": "parent" }),
    ];
    let layers = [
        json!({ "min_dist": 3.0, "max_dist": 9.5, "white": "dense" }),
        json!({ "max_dist": 31.0, "map": "density" }),
        json!({ "limit": 0.25, "limit_keep": "sparse", "max_dist": 12.0 }),
        json!({ "min_dist": 6.0 }),
        json!({ "limit": 0.5, "map": "density", "min_dist": 5.0 }),
    ];
    let mut random = Random(2);
    for (settings, asked) in settings.iter().zip(&layers) {
        let studio = Running::start(&[]);
        studio.set(settings);
        studio.set_layer(asked);
        studio.points();
        paint(&studio, &mut random, 8);
        studio.assert_equal();
    }
}

/// At a corner of a tile, points at the three other corners move as well.
#[test]
fn a_stroke_at_a_tiles_corner_goes_round_it() {
    let studio = Running::start(&[]);
    studio.set(&json!({ "tile": true }));
    studio.set_layer(&json!({ "min_dist": 4.0, "max_dist": 6.0 }));
    let before = studio.points();
    studio.stroke(1, "erase", 60.0, 1.0, &[[1.0, 1.0]]);
    studio.assert_equal();
    let after = studio.points();
    let far = |p: &&[f32; 4]| p[0] > 400.0 || p[1] > 400.0;
    let corner = |points: &[[f32; 4]]| points.iter().filter(far).copied().collect::<Vec<_>>();
    assert!(corner(&before) != corner(&after), "or nothing goes round");
}

#[test]
fn every_format_has_the_command_lines_bytes() {
    let studio = Running::start(&[]);
    paint(&studio, &mut Random(3), 3);
    // The files state the factor of a count, and periodic edges.
    studio.set(&json!({ "count": 150, "tile": true, "size": [128.0, 128.0] }));
    let choices = studio.client.get("/api/choices").json();
    let formats = choices["formats"].as_array().expect("formats");
    assert!(formats.len() >= 11, "{formats:?}");
    let set_names = |output: &str| {
        let names = json!({ "map": "my map's.png", "output": output, "species": "species.toml" });
        studio.set(&json!({ "names": names }));
    };
    set_names("points.csv");
    studio.save();
    for format in formats {
        let name = format!(
            "all points.{}",
            format["extension"].as_str().expect("an ending")
        );
        set_names(&name);
        studio.run_shown("");
        assert!(studio.export(&name) == studio.read(&name), "{name}");
    }
    // The picture does not depend on the format.
    studio.run_shown("--preview picture.png");
    assert!(studio.export("x.png") == studio.read("picture.png"));
}

#[test]
fn noise_is_that_of_map_perlin() {
    let studio = Running::start(&[]);
    let perlin = |flags: &str| {
        studio.run(&format!("map perlin {flags} -q -o n.png"));
        studio.read("n.png")
    };
    assert!(
        studio.client.get("/api/map.png").body == perlin("--seed 0"),
        "the start"
    );
    let noise = json!({
        "size": [200, 120], "seed": 5, "scale": 40.0, "octaves": 2, "lacunarity": 3.0,
        "persistence": 0.25, "warp": 12.0, "threshold": 0.4,
    });
    studio.post("/api/noise", &noise);
    let flags = "--size 200x120 --seed 5 --scale 40 --octaves 2 --lacunarity 3 \
                 --persistence 0.25 --warp 12 --threshold 0.4";
    assert!(studio.client.get("/api/map.png").body == perlin(flags));
    studio.assert_equal();
}

/// Warnings are the same as from `map lint`.
#[test]
fn warnings_are_those_of_map_lint() {
    let studio = Running::start(&[]);
    studio.set_layer(&json!({ "min_dist": 0.5, "max_dist": 600.0 }));
    studio.set(&json!({ "count": 100 }));
    studio.set(&json!({ "count": null, "rule": "mean" }));
    studio.set_layer(&json!({ "min_dist": 0.7, "max_dist": 60.0 }));
    studio.stroke(1, "paint", 50.0, 0.0, &[[100.0, 100.0], [300.0, 200.0]]);
    studio.points();
    let here = studio.warnings();
    studio.save();
    let text = studio.run("map lint map.png --min-dist 0.7 --max-dist 60 --rule mean");
    let told = text
        .lines()
        .filter_map(|line| line.strip_prefix("warning: "));
    let told: Vec<Value> = told.map(Value::from).collect();
    assert!(told.len() >= 2, "{text}");
    assert_eq!(here, told);
}

/// An even map is a mistake in a file, but not on the page.
#[test]
fn even_maps_are_told_of_files_only() {
    let studio = Running::start(&[]);
    let told = || json!(studio.warnings()).to_string();
    studio.post("/api/layers/add", &json!({}));
    assert!(!told().contains("the map is black"), "{}", told());
    let mut black = b"P5\n16 16\n255\n".to_vec();
    black.extend([0; 256]);
    assert_eq!(studio.client.post("/api/open", &black).status, 200);
    assert!(told().contains("the map is black"), "{}", told());
    let brush = json!({
        "tool": "paint", "value": 0.0, "size": 9.0, "hardness": 0.0, "strength": 1.0,
    });
    studio.post("/api/fill", &json!({ "brush": brush }));
    assert!(!told().contains("the map is black"), "{}", told());
}

/// The page has no control for a no-data value, but the command line has.
#[test]
fn a_void_is_told_with_its_flag() {
    let file = format!("{REPOSITORY}/crates/density/tests/data/field/srtm_void_untagged.tif");
    let studio = Running::start(&[]);
    let bytes = std::fs::read(file).expect("a map of ours");
    let answer = studio.client.post("/api/open", &bytes);
    let told = answer.json()["layers"][0]["told"].to_string();
    assert!(
        told.contains("; spinney studio MAP --nodata -32768 closes them"),
        "{told}"
    );
}

/// With a count and a limit, the limit was applied before distances were multiplied.
#[test]
fn a_scaled_limit_is_told_as_by_sample() {
    let studio = Running::start(&[]);
    studio.set_layer(&json!({ "max_dist": 40.0, "limit": 0.5 }));
    studio.set(&json!({ "count": 100 }));
    let here = studio.warnings();
    studio.save();
    studio.run_shown("--summary summary.json");
    let summary: Value = serde_json::from_slice(&studio.read("summary.json")).expect("JSON");
    let told = summary["warnings"].as_array().expect("a list");
    assert!(told.iter().any(|w| w["kind"] == "scaled-limit"), "{told:?}");
    let texts: Vec<Value> = told.iter().map(|w| w["text"].clone()).collect();
    assert_eq!(here, texts);
}

#[test]
fn a_map_is_read_as_sample_reads_it() {
    let meadow = format!("{REPOSITORY}/maps/meadow.png");
    let studio = Running::start(&[&meadow]);
    let csv = studio.export("points.csv");
    std::fs::copy(&meadow, studio.path("map.png")).expect("copied");
    studio.run_shown("");
    assert!(csv == studio.read("points.csv"));
    studio.assert_equal();
    // The file can be dropped on the page as well.
    let other = Running::start(&[]);
    let answer = other
        .client
        .post("/api/open", &std::fs::read(&meadow).expect("a map"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(other.export("points.csv") == csv);
}

/// Once the command lost `--pixels` where the map was replaced, and so took the place in the world file; and undo did
/// not bring back the map's warnings.
#[test]
fn a_file_that_has_a_place_may_lie_beside_the_saved_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let (map, world) = (folder.path().join("map.png"), folder.path().join("map.pgw"));
    std::fs::copy(format!("{REPOSITORY}/maps/meadow.png"), &map).expect("copied");
    std::fs::write(&world, "1\n0\n0\n-1\n500000\n4000000\n").expect("written");
    let studio = Running::start(&[map.to_str().expect("UTF-8")]);
    std::fs::copy(&world, studio.path("map.pgw")).expect("copied");
    let told = || studio.told().to_string();
    let first = told();
    assert!(first.contains("add --origin 499999.5"), "{first}");
    studio.post("/api/noise", &json!({ "size": [64, 48] }));
    assert_eq!(told(), "[]");
    studio.assert_equal();
    studio.step("/api/undo");
    assert_eq!(told(), first);
    studio.assert_equal();
}

/// At less than half the strength, an eraser once did nothing.
#[test]
fn a_brush_of_any_strength_erases_and_opens() {
    let studio = Running::start(&[]);
    let before = studio.map();
    for (stroke, tool) in [(1, "erase"), (2, "paint")] {
        let brush = json!({
            "tool": tool, "value": 0.0, "size": 60.0, "hardness": 0.5, "strength": 0.1,
        });
        studio.stroke_of(stroke, &brush, &[[100.0, 100.0]]);
        let (now, all) = (studio.map(), before.len() / 3);
        assert_eq!(now[2 * all..].contains(&0), tool == "erase");
    }
}

/// Paints while points are requested, and returns the answer.
fn points_amid_strokes(studio: &Running, first: u64) -> Answer {
    let client = studio.client.clone();
    let asked = std::thread::spawn(move || {
        let have = json!({ "version": 0 });
        client.post_json("/api/points", &have)
    });
    let started = std::time::Instant::now();
    for number in first.. {
        if asked.is_finished() {
            break;
        }
        assert!(started.elapsed().as_secs() < 60, "no answer");
        let at = 100.0 + 10.0 * (number % 100) as f64;
        studio.stroke(number, "paint", 30.0, 1.0, &[[at, 300.0]]);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    asked.join().expect("an answer")
}

/// A long run is abandoned once for a newer stroke; the next request returns points.
#[test]
fn a_newer_stroke_ends_an_older_run() {
    let studio = Running::start(&[]);
    studio.set_layer(&json!({ "min_dist": 2.0, "max_dist": 5.0 }));
    studio.post("/api/noise", &json!({ "size": [1200, 1200] }));
    assert_eq!(points_amid_strokes(&studio, 1).status, 409);
    // The next run completes: strokes made meanwhile wait for the one after.
    let answer = points_amid_strokes(&studio, 100_000);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.frame().0["state"]["stale_points"], true);
    studio.assert_equal();
}

/// A refused run leaves no points and gives the reason; the next run works as usual.
#[test]
fn refused_runs_recover() {
    let studio = Running::start(&[]);
    studio.set_layer(&json!({ "min_dist": 0.01, "max_dist": 0.02 }));
    assert_eq!(studio.points().len(), 0);
    let refused = studio.state()["facts"]["refused"].clone();
    let refused = refused.as_str().expect("a reason");
    assert!(refused.contains("points are expected"), "{refused}");
    studio.stroke(1, "paint", 50.0, 1.0, &[[100.0, 100.0]]);
    assert_eq!(studio.points().len(), 0);
    studio.set_layer(&json!({ "min_dist": null, "max_dist": null }));
    assert!(studio.points().len() > 1000);
    studio.assert_equal();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_and_leaves_nothing() {
    if is_ignored_here("-INT") {
        return;
    }
    let studio = Running::start(&[]);
    studio.points();
    let id = studio.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.expect("kill").success());
    let started = std::time::Instant::now();
    while std::net::TcpStream::connect(studio.client.address).is_ok() {
        assert!(started.elapsed().as_secs() < 20, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let left = std::fs::read_dir(studio.path(""))
        .expect("a folder")
        .count();
    assert_eq!(left, 0);
}

#[test]
fn settings_that_sample_refuses_are_refused() {
    let studio = Running::start(&[]);
    let before = studio.state();
    let world = [
        (json!({ "rule": "parent" }), "bridson"),
        (json!({ "rule": "most" }), "not one of max"),
        (
            json!({ "tries": 3 }),
            "tries 3: not supported by algorithm scatter",
        ),
        (
            json!({ "algorithm": "bridson", "tries": 4_294_967_295_u32 }),
            "tries 4294967295: must be from 1 to 1000",
        ),
        (
            json!({ "algorithm": "bridson", "tile": true }),
            "tile: not supported by algorithm bridson",
        ),
        (
            json!({ "algorithm": "bridson", "count": 3 }),
            "count: not supported by algorithm bridson",
        ),
        (json!({ "size": [0.0, 5.0] }), "size 0x5"),
        (json!({ "count": 0 }), "at least 1"),
        (
            json!({ "names": { "output": "../a.csv" } }),
            "the name of a file",
        ),
        (
            json!({ "names": { "output": "a.exe" } }),
            "must end in one of",
        ),
        (json!({ "names": { "map": "a.jpg" } }), "must end in .png"),
    ];
    for (body, says) in world {
        studio.refused("/api/settings", &body, says);
    }
    let layers = [
        (json!({ "min_dist": 0.0 }), "min_dist 0: must be"),
        (
            json!({ "max_dist": 3.0 }),
            "max_dist 3: must not be less than min_dist 4 (the default)",
        ),
        (json!({ "white": "grey" }), "not one of sparse, dense"),
        (json!({ "limit": -1.0 }), "limit -1"),
        (json!({ "limit_keep": "sparse" }), "needs limit"),
        (json!({ "colour": "red" }), "#rrggbb"),
        (json!({ "name": " " }), "needs a name"),
    ];
    for (body, says) in layers {
        studio.refused("/api/layer", &body, says);
    }
    assert_eq!(studio.state(), before, "and nothing has changed");
}
