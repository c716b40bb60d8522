//! Runs and files without points.

use crate::scene::Scene;
use image::{Luma, Rgba};

/// The message must not claim that the points span no area.
#[test]
fn a_file_without_points_is_told() {
    let scene = Scene::new();
    for (name, text) in [
        ("p.csv", "x,y,min_dist\n"),
        ("solid.csv", "x,y,z\n"),
        ("p.json", "[]"),
    ] {
        scene.write(name, text);
        let said = format!("error: {name}: the file has no points and states no world");
        let words = [said.as_str(), "give --size and --origin"];
        scene.refused(&format!("verify {name}"), 2, &words);
    }
    // Collinear points get another message.
    scene.write("row.csv", "x,y\n1,1\n2,1\n");
    let words = "the points' bounding box has no area";
    scene.refused("verify row.csv", 2, &[words]);
}

/// Where no point may lie, an empty set is maximal.
#[test]
fn no_points_are_right_where_none_may_lie() {
    let scene = Scene::new();
    for (name, alpha) in [("clear.png", 0u8), ("open.png", 255)] {
        scene.picture(name, [20, 20], |_, _| Rgba([99, 99, 99, alpha]));
    }
    scene.write(
        "none.asc",
        "ncols 20\nnrows 20\nnodata_value -9\n".to_owned() + &"-9 ".repeat(400),
    );
    let flags = "--min-dist 2 --max-dist 4";
    for map in ["none.asc", "clear.png"] {
        let outputs = "-o p.csv --preview p.png --summary s.json";
        let run = scene.succeed(&format!("sample {map} {flags} {outputs} --verify"));
        run.assert_stderr_has(": 0 points in ");
        run.assert_stderr_has(
            "warning: the map is transparent, no-data or NaN everywhere: it allows no point\n",
        );
        assert_eq!(scene.warnings("s.json", "nowhere").len(), 1, "{run}");
        assert!(scene.rows("p.csv").is_empty(), "{run}");
    }
    for more in ["", "--expect-maximal", "--max-gap 0.1"] {
        scene.succeed(&format!("verify p.csv clear.png {flags} {more}"));
    }
    scene.succeed("verify p.csv --size 20x20");
    scene
        .end(
            &format!("verify p.csv open.png {flags} --expect-maximal"),
            1,
        )
        .assert_stderr_has("not maximal");
}

/// Regression: the region was not looked at.
#[test]
fn no_points_are_right_where_the_region_leaves_no_room() {
    let scene = Scene::new();
    // Only together do they close the world of 64 x 48.
    scene.write("two.csv", "x,y,min_dist\n12,24,40\n52,24,40\n");
    scene.write("one.csv", "x,y,min_dist\n12,24,40\n");
    let flags = "ramp.png --min-dist 2 --max-dist 4 --avoid";
    scene.succeed(&format!("sample {flags} two.csv -o p.csv"));
    for goal in ["--expect-maximal", "--max-gap 0.1"] {
        scene.succeed(&format!("verify p.csv {flags} two.csv {goal}"));
        scene
            .end(&format!("verify p.csv {flags} one.csv {goal}"), 1)
            .assert_stderr_has("gaps");
    }
}

/// Regression: boxes across the common edge of a mask and a polygon, which no halving reaches, counted as open.
#[test]
fn no_points_are_right_where_regions_only_touch() {
    let scene = Scene::new();
    scene.picture("left.png", [61, 48], |x, _| {
        Luma([if x < 20 { 255u8 } else { 0 }])
    });
    scene.polygon("right.geojson", "[[20,0],[61,0],[61,48],[20,48],[20,0]]");
    let flags = "--size 61x48 --min-dist 2 --mask left.png --polygon right.geojson";
    scene.succeed(&format!("sample {flags} -o p.csv"));
    assert_eq!(scene.rows("p.csv").len(), 0);
    scene.succeed(&format!("verify p.csv {flags} --expect-maximal"));
}

/// A window that is open only near its edges has no gaps where they are searched.
#[test]
fn windows_may_be_closed_where_gaps_are_searched() {
    let scene = Scene::new();
    scene.picture("strip.png", [100, 100], |x, _| {
        Luma([if x < 43 { 255u8 } else { 0 }])
    });
    let world = "--size 100x100 --window 40,10,90,60";
    let flags = format!("{world} --min-dist 4 --mask strip.png");
    scene.succeed(&format!("sample {flags} --max-dist 4 -o p.csv"));
    assert!(scene.rows("p.csv").len() > 5);
    scene.succeed(&format!("verify p.csv {flags} --expect-maximal"));
}

/// Regression: an empty file was refused for the columns that its points would have.
#[test]
fn a_file_without_points_lacks_no_column() {
    let scene = Scene::new();
    let layer = |name: &str| format!("[[layer]]\nname = \"{name}\"\nmin_dist = 5\n");
    scene.write("two.toml", layer("a") + &layer("b"));
    let files = ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"];
    let outputs = files.map(|file| format!("-o {file}")).join(" ");
    let world = "--species two.toml --size 100x100";
    scene.succeed(&format!(
        "sample {world} --window 50,50,50.1,50.1 {outputs}"
    ));
    for file in files {
        scene
            .succeed(&format!("verify {file} {world}"))
            .assert_stdout_has("points      0");
        scene.succeed(&format!("verify {file} --size 100x100 --rule parent"));
    }
}

/// Asserts that the run of `args` has no points, ends as complete, and has one warning `nowhere` with these words.
fn assert_nowhere(scene: &Scene, args: &str, words: &str) {
    let run = scene.succeed(&format!("sample {args} -o p.csv --summary s.json"));
    let summary = scene.json("s.json");
    assert_eq!(summary["points"], 0, "{run}");
    assert_eq!(summary["complete"], true, "{run}");
    let [text] = &scene.warnings("s.json", "nowhere")[..] else {
        panic!("{run}");
    };
    assert!(text.ends_with(words), "{text} of {run}");
    assert!(run.stderr.contains(text) || args.contains("-q"), "{run}");
}

#[test]
fn a_run_without_points_tells_what_closes_every_place() {
    let scene = Scene::with_edge();
    scene.write("one.csv", "x,y\n20,20\n");
    scene.polygon("left.geojson", "[[0,0],[30,0],[30,48],[0,48],[0,0]]");
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
    let words = format!("{given}masked.png and --polygon left.geojson");
    assert_nowhere(&scene, &all, &words);
    // Limits that close all ground are told once.
    let steep = "--height ramp.png --height-range 0..10 --slope 89..90";
    let run = scene.succeed(&format!("sample ramp.png {lengths} {steep} -o p.csv"));
    run.assert_stderr_has("0 points");
    run.assert_stderr_has("almost none of --height");
    run.assert_stderr_lacks("no open place");
    // A window and the last points of a set may well be empty.
    let part = "--polygon left.geojson --window 40,10,50,20";
    scene
        .succeed(&format!("sample ramp.png {lengths} {part} -o p.csv"))
        .assert_stderr_lacks("warning");
}

#[test]
fn a_layer_without_points_is_told() {
    let scene = Scene::with_edge();
    scene.picture("clear.png", [64, 48], |_, _| Rgba([9, 9, 9, 0u8]));
    scene.write("one.csv", "x,y\n20,20\n");
    let layer = |name: &str, map: &str| {
        format!("[[layer]]\nname = \"{name}\"\nmin_dist = 3\nmap = \"{map}\"\n")
    };
    let told = |text: &str| {
        scene.write("w.toml", text);
        scene.succeed("sample --species w.toml -o p.csv --summary s.json");
        scene.warnings("s.json", "nowhere")
    };
    // The lint of the map tells this.
    let texts = told(&(layer("oak", "ramp.png") + &layer("fern", "clear.png")));
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(
        texts[0].starts_with("fern: the map is transparent"),
        "{texts:?}"
    );
    // Oaks leave no room for others.
    let crowded = layer("oak", "ramp.png") + &layer("fern", "masked.png") + "turn = 1\n";
    let apart = "[[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 90\n";
    let texts = told(&(crowded + apart));
    assert_eq!(texts.len(), 1, "{texts:?}");
    let said = "fern: no open place was found for any point, given ";
    let file = texts[0].strip_prefix(said).expect("the layer's name");
    assert!(file.ends_with("masked.png and the other layers"), "{file}");
    // One warning, and not one for each layer.
    let both = layer("oak", "ramp.png") + &layer("fern", "ramp.png");
    scene.write("w.toml", both);
    let avoid = "--species w.toml --avoid one.csv --avoid-dist 500";
    assert_nowhere(&scene, avoid, "given --avoid one.csv");
}
