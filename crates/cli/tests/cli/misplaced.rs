//! Warnings about possible misplacement and misreading.

use crate::by_hand::floats;
use crate::scene::Scene;
use image::{GrayImage, ImageBuffer, Luma};
use std::fs;

const SAMPLE: &str = "sample ramp.png --min-dist 2 --max-dist 6";

/// Returns the messages of the run.
fn said(scene: &Scene, args: &str) -> String {
    scene.succeed(&format!("{SAMPLE} -o p.csv {args}")).stderr
}

fn square(scene: &Scene, name: &str, [from, to]: [f64; 2]) {
    let text = format!(
        r#"{{"type": "Polygon", "coordinates": [[[{from}, {from}], [{to}, {from}], [{to}, {to}],
            [{from}, {to}], [{from}, {from}]]]}}"#
    );
    fs::write(scene.path(name), text).expect("written");
}

/// Points of a run with `--y-up` must not become obstacles upside down, or be judged so.
#[test]
fn points_that_say_which_way_y_runs_are_held_to_it() {
    let scene = Scene::new();
    for file in ["up.json", "up.ply"] {
        scene.succeed(&format!("{SAMPLE} --y-up -o {file}"));
        for args in [
            format!("{SAMPLE} --avoid {file} -o p.csv"),
            format!("verify {file} ramp.png --min-dist 2 --max-dist 6"),
        ] {
            let run = scene.run(&args);
            assert_eq!(run.code, Some(1), "{args}: {}", run.stderr);
            assert!(run.stderr.contains("give --y-up"), "{}", run.stderr);
            assert!(run.stderr.contains(file), "{}", run.stderr);
            scene.succeed(&format!("{args} --y-up"));
        }
        // Without a picture, nothing can lie upside down.
        scene.succeed(&format!("verify {file}"));
    }
    scene.succeed(&format!("{SAMPLE} -o down.json"));
    let run = scene.run(&format!("{SAMPLE} --y-up --avoid down.json -o p.csv"));
    assert!(
        run.stderr.contains("here it points up: drop --y-up"),
        "{}",
        run.stderr
    );
    // GeoJSON of other programs does not state it.
    let text = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties":
        {"min_dist": 3}, "geometry": {"type": "Point", "coordinates": [9, 9]}}]}"#;
    fs::write(scene.path("other.geojson"), text).expect("written");
    let run = scene.run(&format!("{SAMPLE} --avoid other.geojson -o p.csv"));
    let words = "y points up in GeoJSON, by its definition, but here it points down: give --y-up";
    assert!(run.stderr.contains(words), "{}", run.stderr);
    // Without the flag, the map's place makes y run up.
    fs::write(scene.path("ramp.pgw"), "1\n0\n0\n-1\n500\n900\n").expect("written");
    for args in [
        format!("{SAMPLE} --avoid down.json -o p.csv"),
        format!("{SAMPLE} --origin 7,7 --avoid down.json -o p.csv"),
        "verify down.json ramp.png --min-dist 2 --max-dist 6".to_owned(),
    ] {
        let run = scene.run(&args);
        assert_eq!(run.code, Some(1), "{args}: {}", run.stderr);
        let words = "by the map's place: give --y-up to the run that made these points";
        assert!(run.stderr.contains(words), "{args}: {}", run.stderr);
    }
    // It is not passed over where there is no picture either.
    let run = scene.run("verify down.json --y-up");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("drop --y-up"), "{}", run.stderr);
}

#[test]
fn what_lies_elsewhere_is_told() {
    let scene = Scene::new();
    fs::write(scene.path("far.csv"), "x,y,min_dist\n5000,5000,3\n").expect("written");
    // By the rule, it keeps away points with a larger min_dist than its own.
    fs::write(scene.path("near.csv"), "x,y,min_dist\n-5,5,3\n").expect("written");
    let words = "none of its points lies near the world, which covers 0,0 to 64,48";
    assert!(said(&scene, "--avoid far.csv").contains(words));
    assert!(!said(&scene, "--avoid near.csv").contains("none of its points"));
    // A copy of it lies in the tile.
    assert!(!said(&scene, "--avoid far.csv --tile").contains("none of its points"));
    square(&scene, "large.geojson", [10.0, 1000.0]);
    square(&scene, "degrees.geojson", [10.0, 11.0]);
    square(&scene, "right.geojson", [10.0, 40.0]);
    let large = said(&scene, "--polygon large.geojson");
    assert!(large.contains("most of it lies outside"), "{large}");
    let degrees = said(&scene, "--polygon degrees.geojson");
    assert!(degrees.contains("tiny compared to the world"), "{degrees}");
    let right = said(&scene, "--polygon right.geojson");
    assert!(!right.contains("--polygon"), "{right}");
}

/// Without --y-up, polygons of a geographic map would lie upside down over a DEM.
#[test]
fn the_earths_y_runs_up() {
    let scene = Scene::new();
    square(&scene, "field.geojson", [510.0, 540.0]);
    let args = "--origin 500,500 --polygon field.geojson";
    let words = "give --y-up if the top of MAP is north";
    assert!(said(&scene, args).contains(words));
    assert!(!said(&scene, &format!("{args} --y-up")).contains(words));
}

/// An image that states its place must not lie upside down in a world with an origin.
#[test]
fn images_with_a_place_are_not_silently_upside_down() {
    let scene = Scene::new();
    for name in ["placed.png", "heights.png"] {
        fs::copy(scene.path("ramp.png"), scene.path(name)).expect("copied");
        let steps = scene.path(name).with_extension("pgw");
        fs::write(steps, "1\n0\n0\n-1\n500.5\n547.5\n").expect("written");
    }
    let layer = "[[layer]]\nname = \"a\"\nmap = \"placed.png\"\nmin_dist = 4\n";
    fs::write(scene.path("w.toml"), layer).expect("written");
    scene.succeed("sample ramp.png --size 64x48 --origin 500,500 -o p.csv");
    let world = "--size 64x48 --origin 500,500";
    let heights = "--height heights.png --height-range 0..9";
    for (args, about) in [
        (format!("sample placed.png {world}"), "placed.png"),
        (
            "sample placed.png --pixels --origin 500,500".to_owned(),
            "placed.png",
        ),
        (
            format!("sample {world} --mask placed.png"),
            "--mask placed.png",
        ),
        (
            format!("sample ramp.png {world} {heights}"),
            "--height heights.png",
        ),
        (format!("sample --species w.toml {world}"), "placed.png"),
        (
            format!("verify p.csv placed.png {world} --min-dist 4"),
            "placed.png",
        ),
    ] {
        let output = if args.starts_with("verify") {
            ""
        } else {
            "-o q.csv"
        };
        let said = |more: &str| {
            let run = scene.run(&format!("{args} {more} {output}"));
            run.stderr + &String::from_utf8_lossy(&run.stdout)
        };
        let words = format!(
            "{about} states its place, but --origin is given without --y-up, so it lies upside down; \
             give --y-up"
        );
        let found = said("");
        assert!(found.contains(&words), "{args}: {found}");
        let found = said("--y-up");
        assert!(!found.contains("lies upside down"), "{args}: {found}");
    }
    // Its place is not followed, so no size would make it fit.
    let header = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 500\ncellsize 10\n";
    fs::write(scene.path("d.asc"), format!("{header}1 2 3\n4 5 6\n")).expect("written");
    let run = scene.succeed("sample --size 60x40 --origin 500,500 --height d.asc -o q.csv");
    assert!(run.stderr.contains("lies upside down"), "{}", run.stderr);
    assert!(!run.stderr.contains("--size"), "{}", run.stderr);
    // Without an origin, nothing says that the world lies on a map.
    let run = scene.succeed("sample placed.png --size 64x48 --mask placed.png -o q.csv");
    assert!(!run.stderr.contains("lies upside down"), "{}", run.stderr);
}

/// RFC 7946 has longitudes and latitudes, and no `crs`.
#[test]
fn polygons_in_degrees_are_told() {
    let scene = Scene::new();
    square(&scene, "degrees.geojson", [36.0, 36.1]);
    let flags = "--polygon degrees.geojson -o p.csv";
    let run = scene.run(&format!("{SAMPLE} --origin 500000,4000000 --y-up {flags}"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for words in ["which look like degrees", "ogr2ogr -t_srs"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    // A world near 0 may have such corners.
    let run = scene.run(&format!("{SAMPLE} --origin 100,0 --y-up {flags}"));
    let words = "give --size and --origin, or move them";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

/// A grid and an image with a world file name no system, but a file beside them does.
#[test]
fn a_system_beside_a_file_is_followed() {
    let scene = Scene::new();
    let header = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n";
    fs::write(scene.path("a.asc"), format!("{header}1 2 3\n4 5 6\n")).expect("written");
    fs::copy(scene.path("ramp.png"), scene.path("b.png")).expect("copied");
    fs::write(scene.path("b.pgw"), "30\n0\n0\n-30\n500015\n4000045\n").expect("written");
    let utm = "PROJCS[\"UTM 16N\",GEOGCS[\"WGS 84\"],AUTHORITY[\"EPSG\",\"32616\"]]";
    fs::copy(scene.path("b.png"), scene.path("c.png")).expect("copied");
    fs::copy(scene.path("b.pgw"), scene.path("c.pgw")).expect("copied");
    let files = [
        ("a.asc", "a.prj"),
        ("b.png", "b.PRJ"),
        ("c.png", "c.png.aux.xml"),
    ];
    for (map, system) in files {
        let state = |wkt: &str| {
            let wkt = match system {
                "c.png.aux.xml" => {
                    let wkt = wkt.replace('"', "&quot;");
                    format!(
                        "<PAMDataset>\n  <SRS dataAxisToSRSAxisMapping=\"2,1\">{wkt}</SRS>\n</PAMDataset>\n"
                    )
                }
                _ => wkt.to_owned(),
            };
            fs::write(scene.path(system), wkt).expect("written");
        };
        let flags = format!("sample {map} --min-dist 9 --max-dist 20 -o p.json");
        let crs = || {
            scene.succeed(&flags);
            scene.json("p.json")["spinney"]["crs"].clone()
        };
        assert!(crs().is_null(), "{map}");
        state(utm);
        assert_eq!(crs(), "EPSG:32616", "{map}");
        let corner = if map == "a.asc" {
            "500000,4000000"
        } else {
            "500000,3998620"
        };
        let run = scene.succeed(&format!("{flags} --origin 0,7"));
        let words = format!(
            "warning: {map}: --origin moves it from its own place, {corner}, so the points are not \
             in its coordinate system, EPSG:32616"
        );
        assert!(run.stderr.contains(&words), "{}", run.stderr);
        let words = ", size from the file: 30 x 30 units";
        assert!(run.stderr.contains(words), "{}", run.stderr);
        assert!(scene.json("p.json")["spinney"]["crs"].is_null(), "{map}");
        // The file's own origin moves nothing.
        let run = scene.succeed(&format!("{flags} --origin {corner}"));
        assert!(!run.stderr.contains("--origin"), "{}", run.stderr);
        assert_eq!(
            scene.json("p.json")["spinney"]["crs"],
            "EPSG:32616",
            "{map}"
        );
        let degrees = "GEOGCS[\"WGS 84\",AUTHORITY[\"EPSG\",\"4326\"]]";
        state(degrees);
        let run = scene.run(&flags);
        let words = "its place is in degrees (EPSG:4326)";
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(words), "{map}: {}", run.stderr);
        state(&utm.replace("32616", "32617"));
    }
    // Masks and heights have the same code.
    fs::write(scene.path("a.prj"), utm).expect("written");
    let run = scene.run("sample a.asc --mask b.png --min-dist 9 --max-dist 20 -o p.csv");
    let words = "b.png states that it is in EPSG:32617, but the map is in EPSG:32616";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

#[test]
fn flags_that_close_everything_are_told() {
    let scene = Scene::new();
    let heights = "--height ramp.png --height-range 0..50";
    let high = said(&scene, &format!("{heights} --altitude 100..200"));
    assert!(high.contains("--altitude 100..200: almost none"), "{high}");
    assert!(high.contains("run from 0 to 50"), "{high}");
    let steep = said(&scene, &format!("{heights} --slope 70..80"));
    let line = steep
        .lines()
        .find(|line| line.contains("--slope 70..80: almost none"));
    let line = line.expect("a warning");
    assert!(
        line.ends_with("; its slopes run from 46.764 to 46.764"),
        "{line}"
    );
    let some = said(&scene, &format!("{heights} --altitude 10..20"));
    assert!(!some.contains("almost none"), "{some}");
    let ones = GrayImage::from_fn(8, 8, |x, _| Luma([u8::from(x > 3)]));
    ones.save(scene.path("ones.png")).expect("written");
    let run = scene.run(&format!("{SAMPLE} --mask ones.png -o p.csv"));
    let words = "the greatest is 0.003922: give --mask-threshold 0.001961 or less";
    assert!(run.stderr.contains(words), "{}", run.stderr);
    said(&scene, "--mask ones.png --mask-threshold 0.001961");
    // Half of the least value in 16 bits.
    let least = ImageBuffer::from_fn(8, 8, |x, _| Luma([u16::from(x > 3)]));
    least.save(scene.path("least.png")).expect("written");
    let run = scene.run(&format!("{SAMPLE} --mask least.png -o p.csv"));
    let advice = run.stderr.split("--mask-threshold ").nth(1);
    let advice = advice
        .and_then(|rest| rest.split(' ').next())
        .expect("advice");
    said(
        &scene,
        &format!("--mask least.png --mask-threshold {advice}"),
    );
}

/// The threshold of a float mask may exceed 1.
#[test]
fn a_mask_of_floats_may_open_from_any_level() {
    let scene = Scene::new();
    let levels = (0..64 * 48).map(|i| 10.0 * (i % 64) as f32);
    fs::write(scene.path("metres.r32f"), floats(levels)).expect("written");
    said(
        &scene,
        "--mask metres.r32f --mask-size 64x48 --mask-threshold 300",
    );
    let rows = scene.rows("p.csv");
    assert!(rows.iter().all(|row| row.x >= 30.0), "points below 300");
    assert!(rows.iter().any(|row| row.x < 32.0), "none near 300");
    for (args, code, words) in [
        (
            "metres.r32f --mask-size 64x48 --mask-threshold 700",
            1,
            "the greatest is 630",
        ),
        (
            "ramp.png --mask-threshold 60",
            2,
            "--mask-threshold 60: must be from 0 to 1: white is 1 in ramp.png",
        ),
    ] {
        let run = format!("{SAMPLE} --mask {args} -o q.csv");
        scene.refused(&run, code, &[words, "--mask"]);
        assert!(!scene.path("q.csv").exists(), "{args}");
    }
}

/// Heights in metres as 16-bit numbers are nearly black as greys.
#[test]
fn numbers_that_are_no_greys_are_told() {
    let scene = Scene::new();
    let metres = ImageBuffer::from_fn(40, 40, |x, y| Luma([(5 * x + y % 3) as u16]));
    metres.save(scene.path("metres.png")).expect("written");
    let lint = |args: &str| {
        let run = scene.succeed(&format!("map lint {args} --min-dist 4 --max-dist 9"));
        String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr
    };
    let words = "uses only levels 0..197 of 0..65535";
    let told = lint("metres.png");
    assert!(
        told.contains(words) && told.contains("--range 0..197"),
        "{told}"
    );
    for args in [
        "metres.png --range auto",
        "metres.png --range 0..65535",
        "ramp.png",
    ] {
        assert!(!lint(args).contains("uses only levels"), "{args}");
    }
}
