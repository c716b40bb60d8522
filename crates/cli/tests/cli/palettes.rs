//! Files whose pixels are palette indices: classes of land cover, in three columns 10, 80 and 100
//! (geotiffjs/geotiff.js#378).

use crate::scene::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    let file = include_bytes!("../../../density/tests/data/field/landcover_palette.tif");
    scene.write("land.tif", file);
    scene
}

fn said(role: &str, plural: &str, way_out: &str) -> String {
    format!(
        "warning: {role} has a palette of 256 colours, so its greys may have changed when it was \
         saved; save {plural} as greyscale; {way_out} reads the stored numbers, such as classes"
    )
}

#[test]
fn classes_are_levels_when_they_are_asked_for() {
    let scene = scene();
    let run = "sample land.tif --min-dist 2 --max-dist 3 -o p.csv --summary s.json";
    for channel in ["index", "1"] {
        let told = scene.succeed(&format!("{run} --channel {channel} --range 10..100"));
        told.assert_stderr_lacks("palette");
        let mut seen = [0; 3];
        for row in scene.rows("p.csv") {
            let (third, value) = match row.x {
                ..19.0 => (0, 0.0),
                21.0..39.0 => (1, 70.0 / 90.0),
                41.0.. => (2, 1.0),
                _ => continue,
            };
            seen[third] += 1;
            assert!(
                (row.value - value).abs() < 1e-4,
                "{} at {}",
                row.value,
                row.x
            );
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
        assert_eq!(scene.json("s.json")["warnings"], serde_json::json!([]));
    }
    // Indices are levels of 8 bits: 255 is white.
    scene.succeed(&format!("{run} --channel index"));
    let rows = scene.rows("p.csv");
    let left = rows.iter().find(|row| row.x < 19.0).expect("a point");
    assert!((left.value - 10.0 / 255.0).abs() < 1e-4, "{}", left.value);

    let why = "the image has no channel \"2\" to use as the map; it has one band, its palette's";
    scene.refused("sample land.tif --channel 2 -o p.csv", 1, &[why]);
}

#[test]
fn a_palette_read_as_colour_is_told_of_everywhere() {
    let scene = scene();
    let world = "--size 60x40 --min-dist 2 --max-dist 4 -o p.csv";
    let map = said("the file", "maps", "--channel index");
    let mask = said("--mask land.tif", "masks", "--mask-channel index");
    let height = said("--height land.tif", "heights", "--height-channel index");
    for (args, said) in [
        ("sample land.tif --min-dist 2 --max-dist 4 -o p.csv", map),
        (
            &*format!("sample --mask land.tif --mask-threshold 0.01 {world}"),
            mask,
        ),
        (
            &*format!("sample --height land.tif --height-range 0..65535 {world}"),
            height,
        ),
    ] {
        scene
            .succeed(&format!("{args} --summary s.json"))
            .assert_stderr_has(&said);
        assert_eq!(
            scene.warnings("s.json", "palette"),
            [said["warning: ".len()..].to_owned()]
        );
    }
    for args in [
        format!("sample --mask land.tif --mask-channel index --mask-threshold 100 {world}"),
        format!("sample --height land.tif --height-channel index --height-range 0..255 {world}"),
    ] {
        scene.succeed(&args).assert_stderr_lacks("palette");
    }
    let species = "[[layer]]\nname = \"oak\"\nmap = \"land.tif\"\nmin_dist = 2\nmax_dist = 4\n";
    scene.write("w.toml", species);
    let layer = said("oak: the file", "maps", "channel = \"index\"");
    scene
        .succeed("sample --species w.toml -o p.csv --summary s.json")
        .assert_stderr_has(&layer);
    assert_eq!(
        scene.warnings("s.json", "palette"),
        [layer["warning: ".len()..].to_owned()]
    );
    let index = format!("{species}channel = \"index\"\n");
    scene.write("w.toml", index);
    scene
        .succeed("sample --species w.toml -o p.csv")
        .assert_stderr_lacks("palette");
}

/// A threshold is a class, from 1 on, and no share of 255: 1 is not white.
#[test]
fn a_mask_of_classes_has_a_class_as_threshold() {
    let scene = scene();
    let world = "--size 60x40 --min-dist 2 --max-dist 4 -o p.csv";
    for (mask, least) in [
        ("--mask-channel index --mask-threshold 80", 19.5),
        ("--mask-channel 1 --mask-threshold 11", 19.5),
        ("--mask-channel index --mask-threshold 81", 39.5),
        ("--mask-channel index --mask-threshold 100", 39.5),
        ("--mask-channel index --mask-threshold 1", 0.0),
        ("--mask-channel index", 0.0),
    ] {
        scene.succeed(&format!("sample --mask land.tif {mask} {world}"));
        let rows = scene.rows("p.csv");
        assert!(rows.len() > 20, "{mask}: {}", rows.len());
        let first = rows.iter().map(|row| row.x).fold(f64::MAX, f64::min);
        assert!((least..least + 3.0).contains(&first), "{mask}: {first}");
    }
    for (threshold, code, said) in [
        (
            "0.35",
            2,
            "--mask-threshold 0.35: must be a whole number from 0, the least class that is open",
        ),
        (
            "101",
            1,
            "no pixel has a value of 101 or more: nothing is open; the greatest is 100",
        ),
    ] {
        scene.refused(
            &format!(
                "sample --mask land.tif --mask-channel index --mask-threshold {threshold} {world}"
            ),
            code,
            &[said],
        );
    }
}
