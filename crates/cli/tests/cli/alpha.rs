//! `--alpha`: splat maps store a fourth weight where pictures store transparency.

use crate::by_hand::{EXTRA_SAMPLES, Page, U8, Value, tiff};
use crate::scene::Scene;
use image::{Luma, Rgba};

const WARNING: &str =
    "alpha closes 75.0 % of splat.png: --alpha ignore reads --channel r everywhere";

/// A scene with a map whose alpha is 0 on the left three quarters, the only place with any red.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.picture("splat.png", [40, 40], |x, _| match x {
        0..30 => Rgba([255, 0, 0, 0]),
        _ => Rgba([0u8, 0, 0, 255]),
    });
    scene
}

#[test]
fn a_weight_is_read_where_the_fourth_is_zero() {
    let scene = scene();
    let flags = "--channel r --white dense --min-dist 1 --max-dist 4";
    let left = |file: &str| scene.rows(file).iter().filter(|row| row.x < 29.0).count();

    scene
        .succeed(&format!("sample splat.png {flags} -o p.csv"))
        .assert_stderr_has(&format!("warning: {WARNING}"));
    assert_eq!(left("p.csv"), 0);
    scene
        .succeed(&format!("map lint splat.png {flags}"))
        .assert_stdout_has(&format!("warning: {WARNING}"));

    let flags = format!("{flags} --alpha ignore");
    let run = scene.succeed(&format!(
        "sample splat.png {flags} -o p.csv --summary s.json"
    ));
    run.assert_stderr_lacks("alpha closes");
    run.assert_stderr_has("(channel r), alpha ignored");
    assert!(left("p.csv") > 500, "{}", left("p.csv"));
    assert_eq!(scene.json("s.json")["map"]["alpha"], "ignore");
    scene.succeed(&format!("verify p.csv splat.png {flags}"));
    let run = scene.succeed(&format!("map lint splat.png {flags}"));
    let said = run.stdout();
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
        scene
            .succeed(&format!("sample {map} {flags} -o p.csv"))
            .assert_stderr_lacks("alpha");
    }
}

#[test]
fn layers_say_it_too() {
    let scene = scene();
    let layer = "[[layer]]\nname = \"oak\"\nmap = \"splat.png\"\nmin_dist = 2\n\
                 white = \"dense\"\nchannel = \"r\"\n";
    scene.write("w.toml", layer);
    let said = "oak: alpha closes 75.0 % of splat.png: alpha = \"ignore\" reads channel r";
    scene
        .succeed("sample --species w.toml -o p.csv")
        .assert_stderr_has(said);
    scene
        .succeed("verify p.csv --species w.toml")
        .assert_stdout_has(&format!("  warning     {said}"));
    scene.write("w.toml", format!("{layer}alpha = \"ignore\"\n"));
    scene
        .succeed("sample --species w.toml -o q.csv")
        .assert_stderr_lacks("alpha");
    let lines = |file: &str| scene.text(file).lines().count();
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
        scene.write("w.toml", wrong);
        scene.refused("sample --species w.toml -o p.csv", 1, &[said]);
    }
    for flags in ["--species w.toml --alpha ignore", "--alpha mask"] {
        scene.refused(&format!("sample {flags} -o p.csv"), 2, &["--alpha"]);
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
        scene.picture("ramp40.png", [40, 40], |x, _| Luma([x as u8]));
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
        scene.succeed(&ignored).assert_stderr_lacks("alpha");
    }
    let flags = format!("splat.png --channel r --white dense {lengths}");
    scene.succeed(&format!("sample {flags} -o p.csv -q"));
    scene
        .succeed(&format!("verify p.csv {flags}"))
        .assert_stdout_has(&format!("\n  warning         {WARNING}"));
}

/// Half-transparent white in a TIFF with premultiplied colours, stored as grey 0.5.
#[test]
fn colours_stored_multiplied_are_told() {
    let scene = Scene::new();
    let pixels: Vec<u8> = (0..40 * 40)
        .flat_map(|i| if i % 40 < 20 { [128, 128] } else { [255, 255] })
        .collect();
    let page = Page::new([40, 40], 2, U8, pixels).with(EXTRA_SAMPLES, Value::Short(vec![1]));
    scene.write("half.tif", tiff(&[page]));
    let said = "half.tif: files of this kind store colours multiplied by alpha, so 50.0 % of its \
                pixels were divided by it; --alpha ignore reads them as stored";
    let lengths = "--min-dist 1 --max-dist 3";
    scene
        .succeed(&format!("sample half.tif {lengths} -o p.csv"))
        .assert_stderr_has(said);
    assert!(scene.rows("p.csv").iter().all(|row| row.value == 1.0));
    scene
        .succeed("map blur half.tif --sigma 1 -o b.png")
        .assert_stderr_has(said);
    scene
        .succeed(&format!(
            "sample half.tif {lengths} --alpha ignore -o p.csv"
        ))
        .assert_stderr_lacks("multiplied");
    let left = scene.rows("p.csv").into_iter().filter(|row| row.x < 19.0);
    assert!(left.map(|row| row.value).all(|value| value < 0.51));

    // A mask has no flag for alpha.
    let run = scene.succeed(&format!("sample {lengths} --mask half.tif -o p.csv"));
    let said = "--mask half.tif: files of this kind store colours multiplied by alpha";
    run.assert_stderr_has(said);
    run.assert_stderr_lacks("--alpha");
    let species = "[[layer]]\nname = \"oak\"\nmap = \"half.tif\"\nmin_dist = 2\n";
    scene.write("w.toml", species);
    let run = scene.succeed("sample --species w.toml -o p.csv");
    let said = "; alpha = \"ignore\" reads them as stored";
    run.assert_stderr_has(said);
}

#[test]
fn more_images_than_one_are_told() {
    let scene = Scene::new();
    let page = || Page::new([16, 16], 1, U8, (0..=255).collect());
    scene.write("pages.tif", tiff(&[page(), page(), page()]));
    let said = "pages.tif holds 2 more images: only the first, 16x16, is read";
    scene
        .succeed("sample pages.tif -o p.csv")
        .assert_stderr_has(&format!("warning: {said}"));
    scene
        .succeed("map lint pages.tif --min-dist 2 --max-dist 4")
        .assert_stdout_has(said);
    let said = format!("--height {said}");
    scene
        .succeed("sample --height pages.tif --height-range 0..9 -o p.csv")
        .assert_stderr_has(&said);
}
