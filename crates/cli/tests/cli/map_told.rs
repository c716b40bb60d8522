//! Messages of `spinney map` about how files were read and about the result.

use crate::by_hand::floats;
use crate::scene::Scene;
use image::{Luma, LumaA, Rgb};

/// A scene with `a.r32f` from 285 to 1000 and `b.r32f` from 0 to 1000; 4x1 pixels.
fn scene() -> Scene {
    let scene = Scene::new();
    for (name, lowest) in [("a.r32f", 285.0), ("b.r32f", 0.0)] {
        let levels = floats([lowest, 400.0, 500.0, 1000.0]);
        scene.write(name, levels);
    }
    scene
}

const RAW: &str = "--raw-size 4x1";
const LENGTHS: &str = "--min-dist 1 --max-dist 3";

#[test]
fn the_levels_are_echoed() {
    let scene = scene();
    for (command, says) in [
        (
            format!("map show a.r32f {LENGTHS}"),
            "4x1 map, levels 285..1000 (found), white = sparse",
        ),
        (
            format!("map limit a.r32f {LENGTHS}"),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            "map dilate a.r32f --radius 1".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            format!("map dilate a.r32f --reach 1 {LENGTHS}"),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            "map blur a.r32f --sigma 1 --range 0..2000".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 0..2000\n",
        ),
        (
            "map falloff b.r32f".to_owned(),
            "read b.r32f: 4x1 32-bit float map, levels 0..1000 (found)\n",
        ),
        (
            "map combine a.r32f b.r32f --how max".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found); b.r32f: 4x1 32-bit \
             float map, levels 0..1000 (found)\n",
        ),
    ] {
        let command = format!("{command} {RAW} -o o.png");
        scene.succeed(&command).assert_stderr_has(says);
        let run = scene.succeed(&format!("{command} -q"));
        assert_eq!(run.stderr, "", "{command}");
    }
    // Greys as their type defines them are not mentioned.
    let run = scene.succeed("map blur ramp.png --sigma 1 -o o.png");
    assert_eq!(run.stderr, "wrote a 64x48 16-bit map: o.png\n");
}

#[test]
fn levels_that_are_other_greys_in_the_other_file_are_told() {
    let scene = scene();
    let says = "warning: a.r32f has levels 285..1000 and b.r32f 0..1000 (found), so the same level \
                is not the same grey; give --range LO..HI for both, such as 0..1000\n";
    let told = |rest: &str| scene.succeed(&format!("map combine {rest} {RAW} -o o.png"));
    told("a.r32f b.r32f --how min").assert_stderr_has(says);
    for same in [
        "a.r32f b.r32f --how min --range 0..1000",
        "a.r32f a.r32f --how min",
        // A mask's levels are not compared with the map's.
        "a.r32f b.r32f --how mask",
    ] {
        told(same).assert_stderr_lacks("warning");
    }
}

#[test]
fn a_map_without_a_place_for_points_is_told() {
    let scene = Scene::new();
    scene.succeed("map perlin --size 64x48 --threshold 1 -o black.png");
    scene.picture("left.png", [64, 48], |x, _| {
        LumaA([9u8, if x < 32 { 255 } else { 0 }])
    });
    scene.picture("none.png", [64, 48], |_, _| LumaA([9u8, 0]));
    for (inputs, says) in [
        (
            "ramp.png black.png --how mask",
            "black.png is less than half white wherever it and ramp.png allow points; give a mask",
        ),
        (
            "left.png masked.png --how max",
            "left.png and masked.png allow points in different places only; give maps that share some",
        ),
        (
            "ramp.png none.png --how mask",
            "none.png is transparent, no-data or NaN everywhere; give a map",
        ),
    ] {
        let says = format!("warning: the written map allows no point: {says}");
        scene
            .succeed(&format!("map combine {inputs} -o o.png"))
            .assert_stderr_has(&says);
    }
    scene
        .succeed("map combine ramp.png masked.png --how mask -o o.png")
        .assert_stderr_lacks("warning");
}

#[test]
fn a_mask_without_an_edge_is_told() {
    let scene = Scene::new();
    for (name, grey) in [("black.png", 0u8), ("white.png", 255)] {
        scene.picture(name, [64, 48], |_, _| Luma([grey]));
    }
    scene.picture("none.png", [64, 48], |_, _| LumaA([9u8, 0]));
    for (mask, says) in [
        (
            "black.png",
            "black.png is nowhere at least half white (--from bright)",
        ),
        (
            "white.png",
            "white.png is everywhere at least half white (--from bright)",
        ),
        (
            "white.png --from dark",
            "white.png is nowhere less than half white (--from dark)",
        ),
        (
            "none.png",
            "the written map allows no point: none.png is transparent, no-data or NaN everywhere",
        ),
    ] {
        let run = scene.succeed(&format!("map falloff {mask} -o o.png"));
        let says = format!("warning: {says}");
        run.assert_stderr_has(&says);
        run.assert_stderr_has("give a mask");
    }
    scene
        .succeed("map falloff ramp.png -o o.png")
        .assert_stderr_lacks("warning");
}

#[test]
fn places_outside_of_the_picture_are_told() {
    let scene = Scene::new();
    let told = |places: &str| scene.succeed(&format!("map falloff {places} --size 20x10 -o o.png"));
    for (places, says) in [
        ("--at 5,10.5", "--at 5,10.5 lies"),
        ("--at 30,5 --at -1,5", "all 2 places of --at lie"),
    ] {
        let says = format!("warning: {says} outside the 20x10 map; give places in pixels");
        told(places).assert_stderr_has(&says);
    }
    told("--at 30,5 --at 20,5").assert_stderr_lacks("warning");
}

#[test]
fn the_second_map_has_a_channel_of_its_own() {
    let scene = Scene::new();
    scene.picture("c.png", [8, 8], |_, _| Rgb([10u8, 200, 90]));
    let grey = |flags: &str| {
        scene.succeed(&format!("map combine c.png c.png {flags} -o o.png"));
        let made = image::open(scene.path("o.png")).expect("a picture");
        made.to_luma16().get_pixel(0, 0).0[0] / 257
    };
    assert_eq!(grey("--how max --channel r"), 10);
    assert_eq!(grey("--how max --channel r --channel-b b"), 90);
    assert_eq!(grey("--how min --channel-b g --channel b"), 90);
    scene.refused(
        "map combine c.png c.png --how min --channel-b none -o o.png",
        1,
        &["none"],
    );
}

#[test]
fn dilation_asks_for_either_of_its_flags() {
    let scene = Scene::new();
    let neither = "map dilate ramp.png -o o.png";
    scene.refused(neither, 2, &["--radius", "--reach"]);
    let both = "map dilate ramp.png --radius 1 --reach 1 --min-dist 1 --max-dist 2 -o o.png";
    scene.refused(both, 2, &["cannot be used"]);
}

#[test]
fn greys_are_written_as_floats_and_read_back() {
    let scene = Scene::new();
    for (command, masked) in [
        ("map perlin --size 64x48 --scale 20", false),
        ("map blur masked.png --sigma 3", true),
        ("map combine ramp.png masked.png --how multiply", true),
        ("map falloff masked.png --reach 30", true),
        ("map dilate masked.png --radius 2", true),
    ] {
        scene.succeed(&format!("{command} -o o.png"));
        let run = scene.succeed(&format!("{command} -o o.tif"));
        let says = ": o.tif (its levels are greys from 0 to 1: read it with --range 0..1)\n";
        run.assert_stderr_has(says);
        run.assert_stderr_has("64x48 float map");
        // The brighter of a map and itself is the map.
        scene.succeed("map combine o.tif o.tif --how max --range 0..1 -o back.png");
        let [wrote, read] =
            ["o.png", "back.png"].map(|name| image::open(scene.path(name)).expect("a picture"));
        let (wrote, read) = (wrote.to_luma_alpha16(), read.to_luma_alpha16());
        let open = wrote.pixels().filter(|p| p.0[1] > 0).count();
        assert_eq!(open, if masked { 32 * 48 } else { 64 * 48 }, "{command}");
        for (wrote, read) in wrote.pixels().zip(read.pixels()) {
            assert_eq!(wrote.0[1], read.0[1], "{command}");
            assert!(wrote.0[1] == 0 || wrote.0[0] == read.0[0], "{command}");
        }
    }
}
