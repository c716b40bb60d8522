//! Runs and files without points.

use crate::scene::Scene;
use image::{ImageBuffer, Rgba};
use std::fs;

/// The message must not claim that the points span no area.
#[test]
fn a_file_without_points_is_told() {
    let scene = Scene::new();
    for (name, text) in [
        ("p.csv", "x,y,min_dist\n"),
        ("solid.csv", "x,y,z\n"),
        ("p.json", "[]"),
    ] {
        fs::write(scene.path(name), text).expect("written");
        let run = scene.run(&format!("verify {name}"));
        assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
        let said = format!("error: {name}: the file has no points and states no world");
        assert!(run.stderr.starts_with(&said), "{}", run.stderr);
        assert!(
            run.stderr.contains("give --size and --origin"),
            "{}",
            run.stderr
        );
    }
    // Collinear points get another message.
    fs::write(scene.path("row.csv"), "x,y\n1,1\n2,1\n").expect("written");
    let run = scene.run("verify row.csv");
    assert!(
        run.stderr.contains("the points' bounding box has no area"),
        "{}",
        run.stderr
    );
}

/// Where no point may lie, an empty set is maximal.
#[test]
fn no_points_are_right_where_none_may_lie() {
    let scene = Scene::new();
    for (name, alpha) in [("clear.png", 0u8), ("open.png", 255)] {
        let map = ImageBuffer::from_pixel(20, 20, Rgba([99, 99, 99, alpha]));
        map.save(scene.path(name)).expect("saved");
    }
    let flags = "--min-dist 2 --max-dist 4";
    let run = scene.succeed(&format!(
        "sample clear.png {flags} -o p.csv --verify --summary s.json"
    ));
    let words = "warning: the map is transparent, no-data or NaN everywhere: it allows no point";
    assert!(run.stderr.contains(words), "{}", run.stderr);
    assert_eq!(scene.json("s.json")["warnings"][0]["kind"], "nowhere");
    for more in ["", "--expect-maximal", "--max-gap 0.1"] {
        scene.succeed(&format!("verify p.csv clear.png {flags} {more}"));
    }
    scene.succeed("verify p.csv --size 20x20");
    let run = scene.run(&format!("verify p.csv open.png {flags} --expect-maximal"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("not maximal"), "{}", run.stderr);
}

/// Regression: the region was not looked at.
#[test]
fn no_points_are_right_where_the_region_leaves_no_room() {
    let scene = Scene::new();
    // Only together do they close the world of 64 x 48.
    fs::write(scene.path("two.csv"), "x,y,min_dist\n12,24,40\n52,24,40\n").expect("written");
    fs::write(scene.path("one.csv"), "x,y,min_dist\n12,24,40\n").expect("written");
    let flags = "ramp.png --min-dist 2 --max-dist 4 --avoid";
    scene.succeed(&format!("sample {flags} two.csv -o p.csv"));
    for goal in ["--expect-maximal", "--max-gap 0.1"] {
        scene.succeed(&format!("verify p.csv {flags} two.csv {goal}"));
        let run = scene.run(&format!("verify p.csv {flags} one.csv {goal}"));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains("gaps"), "{}", run.stderr);
    }
}

/// Regression: boxes across the common edge of a mask and a polygon, which no halving reaches, counted as open.
#[test]
fn no_points_are_right_where_regions_only_touch() {
    let scene = Scene::new();
    let mask: Vec<u8> = (0..61 * 48)
        .map(|i| if i % 61 < 20 { 255 } else { 0 })
        .collect();
    let mask = [b"P5\n61 48\n255\n".to_vec(), mask].concat();
    fs::write(scene.path("left.pgm"), mask).expect("written");
    let ring = "[[20,0],[61,0],[61,48],[20,48],[20,0]]";
    let right = format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#);
    fs::write(scene.path("right.geojson"), right).expect("written");
    let flags = "--size 61x48 --min-dist 2 --mask left.pgm --polygon right.geojson";
    scene.succeed(&format!("sample {flags} -o p.csv"));
    assert_eq!(scene.rows("p.csv").len(), 0);
    scene.succeed(&format!("verify p.csv {flags} --expect-maximal"));
}

/// A window that is open only near its edges has no gaps where they are searched.
#[test]
fn windows_may_be_closed_where_gaps_are_searched() {
    let scene = Scene::new();
    let mask: Vec<u8> = (0..100 * 100)
        .map(|i| if i % 100 < 43 { 255 } else { 0 })
        .collect();
    let mask = [b"P5\n100 100\n255\n".to_vec(), mask].concat();
    fs::write(scene.path("strip.pgm"), mask).expect("written");
    let world = "--size 100x100 --window 40,10,90,60";
    let flags = format!("{world} --min-dist 4 --mask strip.pgm");
    scene.succeed(&format!("sample {flags} --max-dist 4 -o p.csv"));
    assert!(scene.rows("p.csv").len() > 5);
    scene.succeed(&format!("verify p.csv {flags} --expect-maximal"));
}

/// Regression: an empty file was refused for the columns that its points would have.
#[test]
fn a_file_without_points_lacks_no_column() {
    let scene = Scene::new();
    let layer = |name: &str| format!("[[layer]]\nname = \"{name}\"\nmin_dist = 5\n");
    fs::write(scene.path("two.toml"), layer("a") + &layer("b")).expect("written");
    let files = ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"];
    let outputs = files.map(|file| format!("-o {file}")).join(" ");
    let world = "--species two.toml --size 100x100";
    scene.succeed(&format!(
        "sample {world} --window 50,50,50.1,50.1 {outputs}"
    ));
    for file in files {
        let run = scene.succeed(&format!("verify {file} {world}"));
        let text = String::from_utf8(run.stdout).expect("text");
        assert!(text.contains("points      0"), "{file}: {text}");
        scene.succeed(&format!("verify {file} --size 100x100 --rule parent"));
    }
}

/// Asserts that the run of `args` has no points, ends as complete, and has one warning `nowhere` with these words.
fn assert_nowhere(scene: &Scene, args: &str, words: &str) {
    let run = scene.succeed(&format!("sample {args} -o p.csv --summary s.json"));
    let summary = scene.json("s.json");
    assert_eq!(summary["points"], 0, "{args}: {}", run.stderr);
    assert_eq!(summary["complete"], true, "{args}: {}", run.stderr);
    let warnings = summary["warnings"].as_array().expect("warnings");
    let nowhere = warnings.iter().filter(|w| w["kind"] == "nowhere");
    let texts: Vec<_> = nowhere
        .map(|w| w["text"].as_str().expect("a text"))
        .collect();
    assert_eq!(texts.len(), 1, "{args}: {}", run.stderr);
    assert!(texts[0].ends_with(words), "{args}: {}", texts[0]);
    assert!(
        run.stderr.contains(texts[0]) || args.contains("-q"),
        "{args}: {}",
        run.stderr
    );
}

#[test]
fn a_run_without_points_tells_what_closes_every_place() {
    let scene = Scene::with_edge();
    fs::write(scene.path("one.csv"), "x,y\n20,20\n").expect("written");
    let left = "[[[0,0],[30,0],[30,48],[0,48],[0,0]]]";
    let left = format!(r#"{{"type": "Polygon", "coordinates": {left}}}"#);
    fs::write(scene.path("left.geojson"), left).expect("written");
    let lengths = "--min-dist 2 --max-dist 6";
    let given = "no open place was found for any point, given ";
    for more in ["", "-q", "--stream", "--threads 1", "--algorithm bridson"] {
        let avoid = format!("--size 64x48 {lengths} --avoid one.csv --avoid-dist 500 {more}");
        assert_nowhere(&scene, &avoid, &format!("{given}--avoid one.csv"));
        let both = format!("ramp.png {lengths} --mask edge.png --polygon left.geojson {more}");
        let words = format!("{given}--mask edge.png and --polygon left.geojson");
        assert_nowhere(&scene, &both, &words);
    }
    let all = format!("masked.png {lengths} --polygon left.geojson");
    assert_nowhere(
        &scene,
        &all,
        &format!("{given}masked.png and --polygon left.geojson"),
    );
    // Limits that close all ground are told once.
    let steep = "--height ramp.png --height-range 0..10 --slope 89..90";
    let run = scene.succeed(&format!("sample ramp.png {lengths} {steep} -o p.csv"));
    assert!(run.stderr.contains("0 points") && run.stderr.contains("almost none of --height"));
    assert!(!run.stderr.contains("no open place"), "{}", run.stderr);
    // A window and the last points of a set may well be empty.
    let part = "--polygon left.geojson --window 40,10,50,20";
    let run = scene.succeed(&format!("sample ramp.png {lengths} {part} -o p.csv"));
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
}

#[test]
fn a_layer_without_points_is_told() {
    let scene = Scene::with_edge();
    let clear = ImageBuffer::from_pixel(64, 48, Rgba([9, 9, 9, 0u8]));
    clear.save(scene.path("clear.png")).expect("saved");
    fs::write(scene.path("one.csv"), "x,y\n20,20\n").expect("written");
    let layer = |name: &str, map: &str| {
        format!("[[layer]]\nname = \"{name}\"\nmin_dist = 3\nmap = \"{map}\"\n")
    };
    let write = |text: &str| fs::write(scene.path("w.toml"), text).expect("written");
    let told = || {
        let run = scene.succeed("sample --species w.toml -o p.csv --summary s.json");
        let warnings = scene.json("s.json")["warnings"].clone();
        let warnings = warnings.as_array().expect("warnings").iter();
        let nowhere = warnings.filter(|w| w["kind"] == "nowhere");
        let texts = nowhere.map(|w| w["text"].as_str().expect("a text").to_owned());
        (texts.collect::<Vec<_>>(), run.stderr)
    };
    // The lint of the map tells this.
    write(&(layer("oak", "ramp.png") + &layer("fern", "clear.png")));
    let (texts, stderr) = told();
    assert_eq!(texts.len(), 1, "{stderr}");
    assert!(
        texts[0].starts_with("fern: the map is transparent"),
        "{stderr}"
    );
    // Oaks leave no room for others.
    let late = "turn = 1\n";
    let apart = "[[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 90\n";
    write(
        &[
            &*layer("oak", "ramp.png"),
            &layer("fern", "masked.png"),
            late,
            apart,
        ]
        .concat(),
    );
    let (texts, stderr) = told();
    let said = "fern: no open place was found for any point, given ";
    assert_eq!(texts.len(), 1, "{stderr}");
    let file = texts[0].strip_prefix(said).expect("the layer's name");
    assert!(
        file.ends_with("masked.png and the other layers"),
        "{stderr}"
    );
    // One warning, and not one for each layer.
    write(&(layer("oak", "ramp.png") + &layer("fern", "ramp.png")));
    assert_nowhere(
        &scene,
        "--species w.toml --avoid one.csv --avoid-dist 500",
        "given --avoid one.csv",
    );
}
