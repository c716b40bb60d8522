//! `--alpha`: splat maps store a fourth weight where pictures store transparency.

use crate::by_hand::{EXTRA_SAMPLES, Page, U8, Value, tiff};
use crate::scene::Scene;
use image::{DynamicImage, ImageBuffer, Rgba};
use std::fs;

const WARNING: &str =
    "alpha closes 75.0 % of splat.png: --alpha ignore reads --channel r everywhere";

/// A scene with a map whose alpha is 0 on the left three quarters, the only place with any red.
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

/// Alpha is transparency unless a colour channel is selected.
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
    let run = scene.succeed("verify p.csv --species w.toml");
    let table = String::from_utf8(run.stdout).expect("text");
    assert!(table.contains(&format!("  warning     {said}")), "{table}");
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
            "7:9: \"no\" is not one of mask, ignore",
        ),
        (
            "[[layer]]\nname = \"oak\"\nmin_dist = 2\nalpha = \"mask\"\n".to_owned(),
            "4:9: alpha needs a map: give",
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

/// All subcommands that read maps must warn, not only `sample` and `map lint`.
#[test]
fn every_subcommand_says_it() {
    let scene = scene();
    let lengths = "--min-dist 1 --max-dist 4";
    for command in [
        "show splat.png --min-dist 1 --max-dist 4",
        "blur splat.png --sigma 1",
        "combine ramp40.png splat.png --how max",
        "falloff splat.png",
        "dilate splat.png --radius 1",
        "dilate splat.png --reach 1 --min-dist 1 --max-dist 4",
        "limit splat.png --min-dist 1 --max-dist 4",
    ] {
        let grey = ImageBuffer::from_fn(40, 40, |x, _| image::Luma([x as u8]));
        grey.save(scene.path("ramp40.png")).expect("saved");
        let run = scene.succeed(&format!("map {command} --channel r -o out.png"));
        // As a mask, that channel also gets a warning: it has no edge.
        let (flat, lines): (Vec<_>, Vec<_>) = run
            .stderr
            .lines()
            .partition(|line| line.contains("no edge"));
        assert_eq!(flat.len(), usize::from(command.starts_with("falloff")));
        let expected = format!("warning: {WARNING}");
        assert_eq!(lines.last(), Some(&&*expected), "{command}: {lines:?}");
        assert_eq!(lines.len(), 2, "{command}: {lines:?}");
        let quiet = scene.succeed(&format!("map {command} --channel r -o out.png -q"));
        assert_eq!(quiet.stderr, "", "{command}");
        let ignored = format!("map {command} --channel r --alpha ignore -o out.png");
        let run = scene.succeed(&ignored);
        assert!(!run.stderr.contains("alpha"), "{command}: {}", run.stderr);
    }
    let flags = format!("splat.png --channel r --white dense {lengths}");
    scene.succeed(&format!("sample {flags} -o p.csv -q"));
    let run = scene.succeed(&format!("verify p.csv {flags}"));
    let said = String::from_utf8(run.stdout).expect("text");
    assert!(
        said.contains(&format!("\n  warning         {WARNING}")),
        "{said}"
    );
}

/// Half-transparent white in a TIFF with premultiplied colours, stored as grey 0.5.
#[test]
fn colours_stored_multiplied_are_told() {
    let scene = Scene::new();
    let pixels: Vec<u8> = (0..40 * 40)
        .flat_map(|i| if i % 40 < 20 { [128, 128] } else { [255, 255] })
        .collect();
    let page = Page::new([40, 40], 2, U8, pixels).with(EXTRA_SAMPLES, Value::Short(vec![1]));
    fs::write(scene.path("half.tif"), tiff(&[page])).expect("written");
    let said = "half.tif: files of this kind store colours multiplied by alpha, so 50.0 % of its \
                pixels were divided by it; --alpha ignore reads them as stored";
    let lengths = "--min-dist 1 --max-dist 3";
    let run = scene.succeed(&format!("sample half.tif {lengths} -o p.csv"));
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(scene.rows("p.csv").iter().all(|row| row.value == 1.0));
    let run = scene.succeed("map blur half.tif --sigma 1 -o b.png");
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let run = scene.succeed(&format!(
        "sample half.tif {lengths} --alpha ignore -o p.csv"
    ));
    assert!(!run.stderr.contains("multiplied"), "{}", run.stderr);
    let left = scene.rows("p.csv").into_iter().filter(|row| row.x < 19.0);
    assert!(left.map(|row| row.value).all(|value| value < 0.51));

    // A mask has no flag for alpha.
    let run = scene.succeed(&format!("sample {lengths} --mask half.tif -o p.csv"));
    let said = "--mask half.tif: files of this kind store colours multiplied by alpha";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(!run.stderr.contains("--alpha"), "{}", run.stderr);
    let species = "[[layer]]\nname = \"oak\"\nmap = \"half.tif\"\nmin_dist = 2\n";
    fs::write(scene.path("w.toml"), species).expect("written");
    let run = scene.succeed("sample --species w.toml -o p.csv");
    let said = "; alpha = \"ignore\" reads them as stored";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn more_images_than_one_are_told() {
    let scene = Scene::new();
    let page = || Page::new([16, 16], 1, U8, (0..=255).collect());
    fs::write(scene.path("pages.tif"), tiff(&[page(), page(), page()])).expect("written");
    let said = "pages.tif holds 2 more images: only the first, 16x16, is read";
    let run = scene.succeed("sample pages.tif -o p.csv");
    assert!(
        run.stderr.contains(&format!("warning: {said}")),
        "{}",
        run.stderr
    );
    let run = scene.succeed("map lint pages.tif --min-dist 2 --max-dist 4");
    let told = String::from_utf8(run.stdout).expect("text");
    assert!(told.contains(said), "{told}");
    let run = scene.succeed("sample --height pages.tif --height-range 0..9 -o p.csv");
    let said = format!("--height {said}");
    assert!(run.stderr.contains(&said), "{}", run.stderr);
}
