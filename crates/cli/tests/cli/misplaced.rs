//! Warnings about possible misplacement and misreading.

use crate::by_hand::floats;
use crate::scene::{Run, Scene};
use image::Luma;

const SAMPLE: &str = "sample ramp.png --min-dist 2 --max-dist 6";

fn sample(scene: &Scene, args: &str) -> Run {
    scene.succeed(&format!("{SAMPLE} -o p.csv {args}"))
}

fn square(scene: &Scene, name: &str, [a, b]: [f64; 2]) {
    scene.polygon(
        name,
        &format!("[[{a},{a}],[{b},{a}],[{b},{b}],[{a},{b}],[{a},{a}]]"),
    );
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
            scene.refused(&args, 1, &["give --y-up", file]);
            scene.succeed(&format!("{args} --y-up"));
        }
        // Without a picture, nothing can lie upside down.
        scene.succeed(&format!("verify {file}"));
    }
    scene.succeed(&format!("{SAMPLE} -o down.json"));
    let words = "here it points up: drop --y-up";
    scene.refused(
        &format!("{SAMPLE} --y-up --avoid down.json -o p.csv"),
        1,
        &[words],
    );
    // GeoJSON of other programs does not state it.
    let text = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties":
        {"min_dist": 3}, "geometry": {"type": "Point", "coordinates": [9, 9]}}]}"#;
    scene.write("other.geojson", text);
    let words = "y points up in GeoJSON, by its definition, but here it points down: give --y-up";
    scene.refused(
        &format!("{SAMPLE} --avoid other.geojson -o p.csv"),
        1,
        &[words],
    );
    // Without the flag, the map's place makes y run up.
    scene.write("ramp.pgw", "1\n0\n0\n-1\n500\n900\n");
    for args in [
        format!("{SAMPLE} --avoid down.json -o p.csv"),
        format!("{SAMPLE} --origin 7,7 --avoid down.json -o p.csv"),
        "verify down.json ramp.png --min-dist 2 --max-dist 6".to_owned(),
    ] {
        let words = "by the map's place: give --y-up to the run that made these points";
        scene.refused(&args, 1, &[words]);
    }
    // It is not passed over where there is no picture either.
    scene.refused("verify down.json --y-up", 1, &["drop --y-up"]);
}

#[test]
fn what_lies_elsewhere_is_told() {
    let scene = Scene::new();
    scene.write("far.csv", "x,y,min_dist\n5000,5000,3\n");
    // By the rule, it keeps away points with a larger min_dist than its own.
    scene.write("near.csv", "x,y,min_dist\n-5,5,3\n");
    let words = "none of its points lies near the world, which covers 0,0 to 64,48";
    sample(&scene, "--avoid far.csv").assert_stderr_has(words);
    sample(&scene, "--avoid near.csv").assert_stderr_lacks("none of its points");
    // A copy of it lies in the tile.
    sample(&scene, "--avoid far.csv --tile").assert_stderr_lacks("none of its points");
    square(&scene, "large.geojson", [10.0, 1000.0]);
    square(&scene, "degrees.geojson", [10.0, 11.0]);
    square(&scene, "right.geojson", [10.0, 40.0]);
    sample(&scene, "--polygon large.geojson").assert_stderr_has("most of it lies outside");
    sample(&scene, "--polygon degrees.geojson").assert_stderr_has("tiny compared to the world");
    sample(&scene, "--polygon right.geojson").assert_stderr_lacks("--polygon");
}

/// Without --y-up, polygons of a geographic map would lie upside down over a DEM.
#[test]
fn the_earths_y_runs_up() {
    let scene = Scene::new();
    square(&scene, "field.geojson", [510.0, 540.0]);
    let args = "--origin 500,500 --polygon field.geojson";
    let words = "give --y-up if the top of MAP is north";
    sample(&scene, args).assert_stderr_has(words);
    sample(&scene, &format!("{args} --y-up")).assert_stderr_lacks(words);
}

/// An image that states its place must not lie upside down in a world with an origin.
#[test]
fn images_with_a_place_are_not_silently_upside_down() {
    let scene = Scene::new();
    for name in ["placed", "heights"] {
        scene.copy("ramp.png", format!("{name}.png"));
        scene.write(format!("{name}.pgw"), "1\n0\n0\n-1\n500.5\n547.5\n");
    }
    let layer = "[[layer]]\nname = \"a\"\nmap = \"placed.png\"\nmin_dist = 4\n";
    scene.write("w.toml", layer);
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
        let output_with = |more: &str| scene.run(&format!("{args} {more} {output}")).output();
        let words = format!(
            "{about} states its place, but --origin is given without --y-up, so it lies upside down; \
             give --y-up"
        );
        let found = output_with("");
        assert!(found.contains(&words), "{args}: {found}");
        let found = output_with("--y-up");
        assert!(!found.contains("lies upside down"), "{args}: {found}");
    }
    // Its place is not followed, so no size would make it fit.
    let header = "ncols 3\nnrows 2\nxllcorner 500\nyllcorner 500\ncellsize 10\n";
    scene.write("d.asc", format!("{header}1 2 3\n4 5 6\n"));
    let run = scene.succeed("sample --size 60x40 --origin 500,500 --height d.asc -o q.csv");
    run.assert_stderr_has("lies upside down");
    run.assert_stderr_lacks("--size");
    // Without an origin, nothing says that the world lies on a map.
    scene
        .succeed("sample placed.png --size 64x48 --mask placed.png -o q.csv")
        .assert_stderr_lacks("lies upside down");
}

/// RFC 7946 has longitudes and latitudes, and no `crs`.
#[test]
fn polygons_in_degrees_are_told() {
    let scene = Scene::new();
    square(&scene, "degrees.geojson", [36.0, 36.1]);
    let flags = "--polygon degrees.geojson -o p.csv";
    let far = format!("{SAMPLE} --origin 500000,4000000 --y-up {flags}");
    scene.refused(&far, 1, &["which look like degrees", "ogr2ogr -t_srs"]);
    // A world near 0 may have such corners.
    let words = "give --size and --origin, or move them";
    scene.refused(
        &format!("{SAMPLE} --origin 100,0 --y-up {flags}"),
        1,
        &[words],
    );
}

/// A grid and an image with a world file name no system, but a file beside them does.
#[test]
fn a_system_beside_a_file_is_followed() {
    let scene = Scene::new();
    let header = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n";
    scene.write("a.asc", format!("{header}1 2 3\n4 5 6\n"));
    scene.copy("ramp.png", "b.png");
    scene.write("b.pgw", "30\n0\n0\n-30\n500015\n4000045\n");
    let utm = "PROJCS[\"UTM 16N\",GEOGCS[\"WGS 84\"],AUTHORITY[\"EPSG\",\"32616\"]]";
    scene.copy("b.png", "c.png");
    scene.copy("b.pgw", "c.pgw");
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
            scene.write(system, wkt);
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
        run.assert_stderr_has(&words);
        run.assert_stderr_has(", size from the file: 30 x 30 units");
        assert!(scene.json("p.json")["spinney"]["crs"].is_null(), "{map}");
        // The file's own origin moves nothing.
        scene
            .succeed(&format!("{flags} --origin {corner}"))
            .assert_stderr_lacks("--origin");
        assert_eq!(
            scene.json("p.json")["spinney"]["crs"],
            "EPSG:32616",
            "{map}"
        );
        let degrees = "GEOGCS[\"WGS 84\",AUTHORITY[\"EPSG\",\"4326\"]]";
        state(degrees);
        scene.refused(&flags, 1, &["its place is in degrees (EPSG:4326)"]);
        state(&utm.replace("32616", "32617"));
    }
    // Masks and heights have the same code.
    scene.write("a.prj", utm);
    let words = "b.png states that it is in EPSG:32617, but the map is in EPSG:32616";
    scene
        .succeed("sample a.asc --mask b.png --min-dist 9 --max-dist 20 -o p.csv")
        .assert_stderr_has(words);
}

#[test]
fn flags_that_close_everything_are_told() {
    let scene = Scene::new();
    let heights = "--height ramp.png --height-range 0..50";
    let high = sample(&scene, &format!("{heights} --altitude 100..200"));
    high.assert_stderr_has("--altitude 100..200: almost none");
    high.assert_stderr_has("run from 0 to 50");
    let steep = sample(&scene, &format!("{heights} --slope 70..80"));
    let line = steep
        .stderr
        .lines()
        .find(|line| line.contains("--slope 70..80: almost none"));
    let line = line.expect("a warning");
    assert!(
        line.ends_with("; its slopes run from 46.764 to 46.764"),
        "{line}"
    );
    sample(&scene, &format!("{heights} --altitude 10..20")).assert_stderr_lacks("almost none");
    scene.picture("ones.png", [8, 8], |x, _| Luma([u8::from(x > 3)]));
    let words = "the greatest is 0.003922: give --mask-threshold 0.001961 or less";
    scene.refused(&format!("{SAMPLE} --mask ones.png -o p.csv"), 1, &[words]);
    sample(&scene, "--mask ones.png --mask-threshold 0.001961");
    // Half of the least value in 16 bits.
    scene.picture("least.png", [8, 8], |x, _| Luma([u16::from(x > 3)]));
    let run = scene.run(&format!("{SAMPLE} --mask least.png -o p.csv"));
    let advice = run.stderr.split("--mask-threshold ").nth(1);
    let advice = advice
        .and_then(|rest| rest.split(' ').next())
        .expect("advice");
    sample(
        &scene,
        &format!("--mask least.png --mask-threshold {advice}"),
    );
}

/// The threshold of a float mask may exceed 1.
#[test]
fn a_mask_of_floats_may_open_from_any_level() {
    let scene = Scene::new();
    let levels = (0..64 * 48).map(|i| 10.0 * (i % 64) as f32);
    scene.write("metres.r32f", floats(levels));
    sample(
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
    }
}

/// Heights in metres as 16-bit numbers are nearly black as greys.
#[test]
fn numbers_that_are_no_greys_are_told() {
    let scene = Scene::new();
    scene.picture("metres.png", [40, 40], |x, y| {
        Luma([(5 * x + y % 3) as u16])
    });
    let lint = |args: &str| {
        let run = scene.succeed(&format!("map lint {args} --min-dist 4 --max-dist 9"));
        run.output()
    };
    let told = lint("metres.png");
    for words in ["uses only levels 0..197 of 0..65535", "--range 0..197"] {
        assert!(told.contains(words), "{told}");
    }
    for args in [
        "metres.png --range auto",
        "metres.png --range 0..65535",
        "ramp.png",
    ] {
        assert!(!lint(args).contains("uses only levels"), "{args}");
    }
}
