//! Instances at the points: rotated, scaled, and on a ground.

use crate::by_hand::floats;
use crate::scene::Scene;
use std::fmt::Write;

const FIELD: &str = "sample ramp.png --min-dist 2 --max-dist 5";

/// A scene with heights over the ramp's 64x48 pixels: they rise by 0.5 per unit to the right and fall by
/// 0.25 to the foot. The rightmost eight columns have none.
fn scene() -> Scene {
    let scene = Scene::new();
    let mut text = String::from("ncols 64\nnrows 48\ncellsize 1\nnodata_value -9999\n");
    for y in 0..48 {
        for x in 0..64 {
            let height = 0.5 * f64::from(x) - 0.25 * f64::from(y);
            let _ = match x {
                0..56 => write!(text, "{height} "),
                _ => write!(text, "-9999 "),
            };
        }
        text.push('\n');
    }
    scene.write("hill.asc", text);
    scene
}

#[test]
fn turns_and_sizes_are_columns_and_change_no_point() {
    let scene = scene();
    scene.succeed(&format!("{FIELD} -o plain.csv"));
    scene
        .succeed(&format!(
            "{FIELD} --rotate --scale 0.5..1.5 -o made.csv --summary s.json"
        ))
        .assert_stderr_has("seed 0, rotated, scale 0.5..1.5 by chance: ");
    assert_eq!(scene.rows("plain.csv"), scene.rows("made.csv"));
    let made = scene.table("made.csv");
    let (turns, sizes) = (&made["rotation"], &made["scale"]);
    assert!(turns.iter().all(|t| (0.0..360.0).contains(t)));
    assert!(sizes.iter().all(|s| (0.5..1.5).contains(s)));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    assert!((mean(turns) - 180.0).abs() < 30.0 && (mean(sizes) - 1.0).abs() < 0.1);
    let said = &scene.json("s.json")["placing"];
    assert_eq!(said["rotate"], true);
    assert_eq!(said["scale"], serde_json::json!([0.5, 1.5]));
    assert_eq!(scene.json("s.json")["ground"], serde_json::Value::Null);

    scene.succeed(&format!("{FIELD} --rotate --seed 1 -o other.csv"));
    assert_ne!(turns, &scene.table("other.csv")["rotation"]);
    for same in ["--stream", "--threads 1"] {
        scene.succeed(&format!(
            "{FIELD} --rotate --scale 0.5..1.5 {same} -o again.csv"
        ));
        let files = ["made.csv", "again.csv"].map(|f| scene.read(f));
        assert!(files[0] == files[1], "{same}");
    }
}

#[test]
fn sizes_follow_the_map_or_the_distance() {
    let scene = scene();
    for (by, column, [lo, hi]) in [
        ("value", "value", [0.0, 1.0]),
        ("min-dist", "min_dist", [2.0, 5.0]),
    ] {
        let args = format!("{FIELD} --white dense --scale 1..3 --scale-by {by} -o p.csv");
        scene.succeed(&args);
        let made = scene.table("p.csv");
        for (size, from) in made["scale"].iter().zip(&made[column]) {
            let wanted = 1.0 + 2.0 * (from - lo) / (hi - lo);
            assert!((size - wanted).abs() < 1e-12, "{by}: {from} gives {size}");
        }
    }
}

/// A layer's least and greatest distances have the ends of the scale, whatever those of the others are.
#[test]
fn sizes_follow_the_distances_of_their_own_layer() {
    let scene = scene();
    let layer = |name: &str, [lo, hi]: [u8; 2]| {
        format!(
            "[[layer]]\nname = \"{name}\"\nmap = \"ramp.png\"\nmin_dist = {lo}\nmax_dist = {hi}\n"
        )
    };
    let text = format!(
        "rule = \"mean\"\n{}{}",
        layer("oak", [4, 8]),
        layer("moss", [1, 2])
    );
    scene.write("w.toml", text);
    scene.succeed("sample --species w.toml --scale 1..3 --scale-by min-dist -o p.csv");
    let made = scene.table("p.csv");
    let mut count = [0; 2];
    for ((scale, min_dist), layer) in made["scale"]
        .iter()
        .zip(&made["min_dist"])
        .zip(&made["layer"])
    {
        let layer = usize::from(*layer > 0.0);
        count[layer] += 1;
        let lo = [4.0, 1.0][layer];
        let wanted = 1.0 + 2.0 * (min_dist - lo) / lo;
        assert!(
            (scale - wanted).abs() < 1e-12,
            "{layer}: {min_dist} gives {scale}"
        );
    }
    assert!(count.iter().all(|&count| count > 10), "{count:?}");
}

#[test]
fn the_ground_gives_height_normal_and_slope() {
    let scene = scene();
    scene
        .succeed(&format!(
            "{FIELD} --height hill.asc -o p.csv -o p.ply -o p.geojson --summary s.json"
        ))
        .assert_stderr_has("heights -11.75..27.5");
    let made = scene.table("p.csv");
    let steep = (0.5_f64 * 0.5 + 0.25 * 0.25).sqrt().atan().to_degrees();
    let mut checked = 0;
    let at = |i: usize, name: &str| made[name][i];
    for i in 0..made["id"].len() {
        // Off the edges, where half a pixel of ground is level.
        if (1.0..54.0).contains(&at(i, "x")) && (1.0..47.0).contains(&at(i, "y")) {
            let height = 0.5 * (at(i, "x") - 0.5) - 0.25 * (at(i, "y") - 0.5);
            assert!((at(i, "height") - height).abs() < 1e-5);
            assert!((at(i, "slope") - steep).abs() < 1e-3);
            assert!((at(i, "normal_x") / at(i, "normal_z") + 0.5).abs() < 1e-5);
            assert!((at(i, "normal_y") / at(i, "normal_z") - 0.25).abs() < 1e-5);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
    let features = scene.json("p.geojson")["features"].clone();
    let first = &features[0]["geometry"]["coordinates"];
    assert_eq!(first.as_array().map(Vec::len), Some(3), "{first}");
    let range = &scene.json("s.json")["ground"]["range"];
    assert_eq!(range, &serde_json::json!([-11.75, 27.5]));
}

#[test]
fn pictures_are_as_high_as_they_are_said_to_be() {
    let scene = scene();
    scene.succeed(&format!(
        "{FIELD} --height ramp.png --height-range 100..200 -o p.csv -o p.unity.json"
    ));
    let made = scene.table("p.csv");
    for (height, value) in made["height"].iter().zip(&made["value"]) {
        assert!((height - 100.0 - 100.0 * value).abs() < 1e-4);
    }
    let terrain = &scene.json("p.unity.json")["terrain"];
    assert_eq!(terrain["position"]["y"], 100.0);
    assert_eq!(terrain["size"]["y"], 100.0);
    // A file of floats: the range maps 0 and 1.
    scene.write("h.r32f", floats([0.0, 0.5]));
    let heights = "--height h.r32f --height-size 1x2";
    for (range, most) in [("", 0.5), ("--height-range 10..30", 20.0)] {
        let run = scene.succeed(&format!("{FIELD} {heights} {range} -o p.csv"));
        let highest = scene.table("p.csv")["height"]
            .iter()
            .copied()
            .fold(0.0, f64::max);
        assert!((highest - most).abs() < 1e-9, "{run}");
    }
}

#[test]
fn every_format_takes_them() {
    let scene = scene();
    let names = [
        "p.json",
        "p.ply",
        "p.svg",
        "p.npy",
        "p.geojson",
        "p.glb",
        "p.usda",
        "p.tscn",
        "p.unity.json",
        "p.unreal.csv",
    ];
    let outputs = names.map(|name| format!("-o {name}")).join(" ");
    let extra = "--rotate --scale 1..2 --height hill.asc --align --stream";
    scene.succeed(&format!("{FIELD} {outputs}"));
    let plain = names.map(|name| scene.read(name));
    let warning = "warning: p.unity.json: a Unity terrain cannot tilt its trees";
    scene
        .succeed(&format!("{FIELD} {extra} {outputs}"))
        .assert_stderr_has(warning);
    for (name, plain) in names.iter().zip(&plain) {
        assert!(scene.read(name) != *plain, "{name}");
    }
    for (name, words) in [
        ("p.json", "\"rotation\":"),
        ("p.ply", "property double nx\n"),
        ("p.svg", " data-normal-x=\""),
        ("p.npy", "('slope', '<f8')"),
        ("p.geojson", "\"slope\":"),
        ("p.unity.json", "\"orientation\":"),
    ] {
        let file = scene.read(name);
        let file = String::from_utf8_lossy(&file);
        assert!(file.contains(words), "{name} has no {words}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let scene = scene();
    for (flags, code, problem) in [
        ("--align", 2, "--height"),
        ("--height-range 0..9", 2, "--height"),
        ("--scale-by value", 2, "--scale"),
        ("--scale 0..1", 2, "--scale 0..1: both must be above 0"),
        ("--scale 2..1", 2, "--scale"),
        (
            "--scale 1..2 --scale-by min-dist --count 90",
            2,
            "--scale-by min-dist: not supported with --count",
        ),
        (
            "--height none.png",
            1,
            "--height none.png: there is no such file",
        ),
        (
            "--height ramp.png",
            1,
            "--height ramp.png: this 16-bit image does not state its heights: give those of black \
             and white as --height-range LO..HI, 0..65535 if",
        ),
        (
            "--height hill.asc --height-size 4x4",
            2,
            "--height-size 4x4: only for",
        ),
        (
            "--height hill.asc --height-channel trees",
            1,
            "--height hill.asc: ",
        ),
        (
            "--height hill.asc --height-range 0..1e300",
            1,
            "--height hill.asc: the height at pixel",
        ),
        ("--height p.json", 1, "--height p.json"),
        ("--height hill.asc -o hill.asc", 2, "-o hill.asc"),
        (
            "--height-range 0..1 --height ramp.png --preview ramp.png",
            2,
            "--preview ramp.png: this is the map ramp.png itself",
        ),
        (
            "--height-range 0..1 --height masked.png --preview masked.png",
            2,
            "--preview masked.png: this is the input --height masked.png itself",
        ),
    ] {
        scene.refused(&format!("{FIELD} {flags} -o p.csv"), code, &[problem]);
    }
}

/// Returns the heights in a file, none of which may be empty.
fn heights(scene: &Scene, name: &str) -> Vec<f64> {
    let heights = scene.table(name)["height"].clone();
    assert!(
        heights.iter().all(|h| h.is_finite()),
        "a point without ground"
    );
    heights
}

#[test]
fn no_point_lies_where_the_ground_has_no_height() {
    let scene = scene();
    scene.succeed(&format!("{FIELD} --height hill.asc -o p.csv"));
    assert!(heights(&scene, "p.csv").len() > 50);
    assert!(scene.rows("p.csv").iter().all(|row| row.x < 55.5));
}

/// Limits close places of the field, so the rest is filled to its edge, and a requested count is reached.
#[test]
fn slopes_and_altitudes_keep_points_out_and_leave_no_gaps() {
    let scene = scene();
    let limits = "--height hill.asc --altitude 2.5..12";
    scene
        .succeed(&format!(
            "{FIELD} {limits} --verify -o p.csv --summary s.json"
        ))
        .assert_stderr_has(", altitude 2.5..12 (");
    let inside = heights(&scene, "p.csv");
    assert!(inside.iter().all(|h| (2.5..=12.0).contains(h)));
    scene.succeed(&format!("{FIELD} --height hill.asc -o all.csv"));
    let dropped = heights(&scene, "all.csv");
    let dropped = dropped.iter().filter(|h| (2.5..=12.0).contains(*h)).count();
    assert!(inside.len() > dropped, "{} and {dropped}", inside.len());
    let allowed = scene.json("s.json")["ground"]["allowed"].clone();
    let allowed = allowed.as_f64().expect("a share");
    assert!((0.25..0.35).contains(&allowed), "{allowed}");
    let verify = "verify p.csv ramp.png --min-dist 2 --max-dist 5 --expect-maximal";
    assert_ne!(scene.run(verify).code, Some(0), "gaps beyond the limits");

    for same in ["--stream", "--threads 1"] {
        scene.succeed(&format!("{FIELD} {limits} {same} -o again.csv"));
        let files = ["p.csv", "again.csv"].map(|f| scene.read(f));
        assert!(files[0] == files[1], "{same}");
    }
    scene.succeed(&format!("{FIELD} {limits} --count 100 -o hundred.csv"));
    let hundred = heights(&scene, "hundred.csv");
    assert_eq!(hundred.len(), 100);
    assert!(hundred.iter().all(|h| (2.5..=12.0).contains(h)));

    // The whole hill is as steep.
    scene.succeed(&format!(
        "{FIELD} --height hill.asc --slope 29..90 -o steep.csv"
    ));
    assert!(heights(&scene, "steep.csv").len() > 50);
    scene
        .succeed(&format!(
            "{FIELD} --height hill.asc --slope 0..29 -o none.csv"
        ))
        .assert_stderr_has(": 0 points");
    for flags in [
        "--slope 0..35",
        "--altitude 0..9",
        "--height hill.asc --slope 9..2",
        "--height hill.asc --slope -1..9",
        "--height hill.asc --slope 9..91",
    ] {
        scene.refused(&format!("{FIELD} {flags} -o none.csv"), 2, &[]);
    }
}
