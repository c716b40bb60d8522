//! Files that state a scale for their numbers: all values are in the scaled unit.

use crate::by_hand::{GDAL_NO_DATA, I16, Page, U8, U16, Value, shorts, tiff};
use crate::scene::Scene;

/// A scene with `dem.tif`, 40x30 pixels. It rises by 2 metres per pixel to the right from 100, stored in
/// decimetres above 100; the last column has no data.
fn scene() -> Scene {
    let scene = Scene::new();
    let levels = (0..40 * 30).map(|i| match i % 40 {
        39 => -9999,
        x => 20 * x,
    });
    let page = Page::new([40, 30], 1, I16, shorts(levels))
        .scaled("0.1", "100")
        .with(GDAL_NO_DATA, Value::Text("-9999".into()));
    scene.write("dem.tif", tiff(&[page]));
    scene
}

/// Unscaled, heights and slopes would be ten times too large.
#[test]
fn heights_are_in_metres() {
    let scene = scene();
    let said = ", heights 100..176 (scale 0.1, offset 100)";
    scene.succeed(
        "sample --size 40x30 --height dem.tif --min-dist 1 --max-dist 2 -o p.json --summary s.json",
    ).assert_stderr_has(said);
    let ground = &scene.json("s.json")["ground"];
    assert_eq!(ground["range"], serde_json::json!([100.0, 176.0]));
    assert_eq!(
        (&ground["scale"], &ground["offset"]),
        (&0.1.into(), &100.0.into())
    );
    let mut checked = 0;
    for point in scene.json("p.json")["points"].as_array().expect("points") {
        let number = |key: &str| point[key].as_f64().unwrap_or(f64::NAN);
        let x = number("x");
        if (1.0..37.0).contains(&x) {
            assert!(
                (number("height") - (99.0 + 2.0 * x)).abs() < 1e-3,
                "{point}"
            );
            assert!((number("slope") - 63.435).abs() < 1e-3, "{point}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
    // Altitudes and slopes use the same metres.
    scene.succeed(
        "sample --size 40x30 --height dem.tif --altitude 110..120 --slope 60..70 --min-dist 0.5 \
         --max-dist 0.5 -o p.csv",
    );
    let rows = scene.rows("p.csv");
    assert!(rows.len() > 100);
    assert!(rows.iter().all(|row| (5.4..10.6).contains(&row.x)));

    let said = "--height-range 0..1000: dem.tif states the scale of its heights (scale 0.1, \
                offset 100): drop this flag";
    scene.refused(
        "sample --height dem.tif --height-range 0..1000 -o p.csv",
        2,
        &[said],
    );
}

/// A height range once took the greatest number of the type for white: heights of 0 to 76 became 0.0 to 0.02.
#[test]
fn signed_levels_are_heights_already() {
    let scene = Scene::new();
    let levels = shorts((0..40 * 30).map(|i| i % 40));
    let page = Page::new([40, 30], 1, I16, levels);
    scene.write("metres.tif", tiff(&[page]));
    let flags = "sample --size 40x30 --height metres.tif -o p.csv";
    scene
        .succeed(&format!("{flags} --min-dist 1"))
        .assert_stderr_has(", heights 0..39");
    let said = "--height-range 0..76: the levels of this 16-bit signed image are heights";
    scene.refused(&format!("{flags} --height-range 0..76"), 2, &[said]);
}

#[test]
fn a_map_is_in_metres_too() {
    let scene = scene();
    let lengths = "--min-dist 1 --max-dist 2";
    let run = scene.succeed(&format!(
        "sample dem.tif {lengths} -o p.csv --summary s.json"
    ));
    let said = "40x30 16-bit signed map, levels 100..176 (found; scale 0.1, offset 100), white";
    assert!(run.stderr.starts_with(said), "{run}");
    let map = &scene.json("s.json")["map"];
    assert_eq!(map["range"], serde_json::json!([100.0, 176.0]));
    assert_eq!(
        (&map["scale"], &map["offset"]),
        (&0.1.into(), &100.0.into())
    );
    let said = "levels 0..200 (scale 0.1, offset 100), white";
    scene
        .succeed(&format!("sample dem.tif {lengths} --range 0..200 -o p.csv"))
        .assert_stderr_has(said);
    let rows = scene.rows("p.csv");
    let value = |x: f64| (99.0 + 2.0 * x) / 200.0;
    assert!(rows.len() > 100);
    for row in rows.iter().filter(|row| (1.0..38.0).contains(&row.x)) {
        assert!((row.value - value(row.x)).abs() < 2e-5, "{row:?}");
    }
    let run = scene.succeed(&format!("map lint dem.tif {lengths} --range 0..200"));
    let said = run.stdout();
    let first = "40x30 16-bit map, levels 0..200 (scale 0.1, offset 100), min_dist ";
    assert!(said.starts_with(first), "{said}");
}

/// Integers in hundredths, where white is 100.
#[test]
fn a_mask_is_of_what_its_numbers_stand_for() {
    let scene = Scene::new();
    let levels = (0..40 * 40).map(|i| if i % 40 < 20 { 49 } else { 51 });
    let page = Page::new([40, 40], 1, U16, shorts(levels)).scaled("0.01", "0");
    scene.write("mask.tif", tiff(&[page]));
    scene.succeed("sample --size 40x40 --min-dist 1 --max-dist 1 --mask mask.tif -o p.csv");
    let rows = scene.rows("p.csv");
    assert!(rows.len() > 300);
    assert!(rows.iter().all(|row| row.x >= 20.0));
}

#[test]
fn a_scale_that_cannot_be_is_refused() {
    let scene = Scene::new();
    let page = Page::new([2, 1], 1, U8, vec![1, 2]).scaled("0,1", "0");
    scene.write("bad.tif", tiff(&[page]));
    for command in [
        "sample bad.tif -o p.csv",
        "sample --height bad.tif -o p.csv",
        "map blur bad.tif --sigma 1 -o b.png",
    ] {
        scene.refused(command, 1, &["bad.tif: ", "\"0,1\""]);
    }
}
