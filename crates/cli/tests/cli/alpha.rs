//! `--alpha`: splat maps keep a fourth weight where pictures keep transparency.

use crate::scene::Scene;
use image::{DynamicImage, ImageBuffer, Rgba};
use std::fs;

const WARNING: &str =
    "alpha closes 75.0 % of splat.png: --alpha ignore reads --channel r everywhere";

/// Alpha is 0 on the left three quarters, where red is all there is.
fn scene() -> Scene {
    let scene = Scene::new();
    let splat = ImageBuffer::from_fn(40, 40, |x, _| match x {
        0..30 => Rgba([255, 0, 0, 0]),
        _ => Rgba([0u8, 0, 0, 255]),
    });
    DynamicImage::ImageRgba8(splat)
        .save(scene.path("splat.png"))
        .expect("saved");
    scene
}

#[test]
fn a_weight_is_read_where_the_fourth_is_zero() {
    let scene = scene();
    let flags = "--channel r --white dense --min-dist 1 --max-dist 4";
    let left = |file: &str| scene.rows(file).iter().filter(|row| row.x < 29.0).count();

    let run = scene.succeed(&format!("sample splat.png {flags} -o p.csv"));
    assert!(
        run.stderr.contains(&format!("warning: {WARNING}")),
        "{}",
        run.stderr
    );
    assert_eq!(left("p.csv"), 0);
    let run = scene.succeed(&format!("map lint splat.png {flags}"));
    let said = String::from_utf8(run.stdout).expect("text");
    assert!(said.contains(&format!("warning: {WARNING}")), "{said}");

    let flags = format!("{flags} --alpha ignore");
    let run = scene.succeed(&format!(
        "sample splat.png {flags} -o p.csv --summary s.json"
    ));
    assert!(!run.stderr.contains("alpha closes"), "{}", run.stderr);
    assert!(
        run.stderr.contains("(channel r), alpha ignored"),
        "{}",
        run.stderr
    );
    assert!(left("p.csv") > 500, "{}", left("p.csv"));
    assert_eq!(scene.json("s.json")["map"]["alpha"], "ignore");
    scene.succeed(&format!("verify p.csv splat.png {flags}"));
    let run = scene.succeed(&format!("map lint splat.png {flags}"));
    let said = String::from_utf8(run.stdout).expect("text");
    assert!(!said.contains("alpha"), "{said}");
}

/// Transparency is what it was, unless somebody picks a colour.
#[test]
fn nobody_is_warned_of_pictures() {
    let scene = scene();
    for (map, flags) in [
        ("splat.png", ""),
        ("splat.png", "--channel luma"),
        ("splat.png", "--channel a"),
        ("ramp.png", "--channel r"),
    ] {
        let run = scene.succeed(&format!("sample {map} {flags} -o p.csv"));
        assert!(
            !run.stderr.contains("alpha"),
            "{map} {flags}: {}",
            run.stderr
        );
    }
}

#[test]
fn layers_say_it_too() {
    let scene = scene();
    let layer = "[[layer]]\nname = \"oak\"\nmap = \"splat.png\"\nmin_dist = 2\n\
                 white = \"dense\"\nchannel = \"r\"\n";
    fs::write(scene.path("w.toml"), layer).expect("written");
    let run = scene.succeed("sample --species w.toml -o p.csv");
    let said = "oak: alpha closes 75.0 % of splat.png: alpha = \"ignore\" reads channel r";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    fs::write(scene.path("w.toml"), format!("{layer}alpha = \"ignore\"\n")).expect("written");
    let run = scene.succeed("sample --species w.toml -o q.csv");
    assert!(!run.stderr.contains("alpha"), "{}", run.stderr);
    let lines = |file: &str| {
        fs::read_to_string(scene.path(file))
            .expect("a file")
            .lines()
            .count()
    };
    assert!(lines("q.csv") > 3 * lines("p.csv"));

    for (wrong, said) in [
        (
            format!("{layer}alpha = \"no\"\n"),
            "7:9: \"no\" is none of mask, ignore",
        ),
        (
            "[[layer]]\nname = \"oak\"\nmin_dist = 2\nalpha = \"mask\"\n".to_owned(),
            "4:9: alpha is about a map",
        ),
    ] {
        fs::write(scene.path("w.toml"), wrong).expect("written");
        let run = scene.run("sample --species w.toml -o p.csv");
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    for flags in ["--species w.toml --alpha ignore", "--alpha mask"] {
        let run = scene.run(&format!("sample {flags} -o p.csv"));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("--alpha"), "{}", run.stderr);
    }
}
