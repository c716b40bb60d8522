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

#[test]
fn flags_that_close_everything_are_told() {
    let scene = Scene::new();
    let heights = "--height ramp.png --height-range 0..50";
    let high = said(&scene, &format!("{heights} --altitude 100..200"));
    assert!(high.contains("--altitude 100..200: almost none"), "{high}");
    assert!(high.contains("run from 0 to 50"), "{high}");
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
