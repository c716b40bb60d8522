//! `verify` with files without points.

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
