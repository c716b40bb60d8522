//! Maps of all formats: their pixels, the messages about them, and their closed places.

use crate::by_hand::{floats, shorts};
use crate::scene::{DATA, Row, Scene, rows};

/// A scene with the test images of the decoders.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.copy_all(&format!("{DATA}/formats"));
    scene.write("h.r16", shorts((0..6).map(|n| n * 13107)));
    scene.write("h.R32F", floats([-1.5, 0.0, f32::NAN, 7.25]));
    scene.write("h.asc", "ncols 2\nnrows 1\ncellsize 9\n-9999 7e1\n");
    scene
}

#[test]
fn the_levels_are_echoed() {
    let scene = scene();
    let wide = "--min-dist 4 --max-dist 8 -o p.csv";
    for (map, said) in [
        (
            "f32_tiles_deflate_nodata.tif",
            "21x18 32-bit float map, levels -59.5..145 (found), white",
        ),
        (
            "i16_lzw_nodata.tif --range -6000..1.5e4",
            "21x18 16-bit signed map, levels -6000..15000, white",
        ),
        ("u16_nodata_0.tif", "21x18 16-bit map, white"),
        (
            "u16_nodata_0.tif --range auto",
            "21x18 16-bit map, levels 173..65221 (found), white",
        ),
        (
            "channels.exr --channel trees.R",
            "25x20 16-bit float map (channel trees.R), levels 0..15.9375 (found), white",
        ),
        (
            "f32_5_bands.tif --channel 5",
            "21x18 32-bit float map (channel 5), levels 340.5..545 (found), white",
        ),
        ("h.r16 --raw-size 3x2", "3x2 16-bit map, white"),
        (
            "h.R32F --raw-size 2x2",
            "2x2 32-bit float map, levels -1.5..7.25 (found), white",
        ),
        (
            "h.asc --range 0..100",
            "2x1 64-bit float map, levels 0..100, white",
        ),
        ("orientation_6.jpg", "18x21 8-bit map, white"),
    ] {
        let run = scene.succeed(&format!("sample {map} {wide}"));
        assert!(run.stderr.starts_with(said), "{run}");
    }
    scene.succeed("sample h.asc --range 0..100 --size 99x9 -q -o p.csv --summary s.json");
    let map = &scene.json("s.json")["map"];
    assert_eq!(map["range"], serde_json::json!([0.0, 100.0]));
    assert_eq!(
        (&map["type"], &map["depth"]),
        (&"64-bit float".into(), &64.into())
    );
}

/// Returns `true` if no point may lie at a place.
type Place<'a> = &'a dyn Fn(f64, f64) -> bool;

#[test]
fn no_point_lies_where_there_is_no_data() {
    let scene = scene();
    let dense = "--min-dist 0.1 --max-dist 0.2 -q -o -";
    // The hole that `make.py` leaves, and the corner that it makes transparent.
    let hole = |x: f64, y: f64| (3.0..17.0).contains(&x) && (4.0..9.0).contains(&y);
    let corner = |x: f64, y: f64| x.floor() + y.floor() < 9.0;
    let cases: [(&str, Place); 9] = [
        ("f32_tiles_deflate_nodata.tif", &hole),
        ("f32_nan_big_endian.tif", &hole),
        ("f32_lowest.tif", &hole),
        ("i16_lzw_nodata.tif", &hole),
        ("rgba_tiles_webp.tif", &corner),
        ("rgb_alpha_nir.tif", &corner),
        ("grey_alpha.tif", &corner),
        ("mask.tif", &corner),
        ("h.asc", &|x, _| x < 1.0),
    ];
    for (map, nothing) in cases {
        let range = if map == "h.asc" { "--range 0..100" } else { "" };
        let points = rows(
            &scene
                .succeed(&format!("sample {map} {range} {dense}"))
                .stdout,
        );
        let inside = points.iter().filter(|p| nothing(p.x, p.y)).count();
        assert_eq!(inside, 0, "{map}: of {} points", points.len());
        // Elsewhere, points reach up to the edge of the hole.
        let near = |p: &&Row| {
            [-0.5, 0.0, 0.5]
                .iter()
                .any(|d| nothing(p.x + d, p.y) || nothing(p.x, p.y + d))
        };
        let count = points.iter().filter(near).count();
        assert!(count > 3, "{map}: {count} of {}", points.len());
    }
}

#[test]
fn a_level_decides_the_distance() {
    let scene = scene();
    // 0 to 65535 in steps of a fifth; half-way between pixels is the mean.
    let args = "sample h.r16 --raw-size 3x2 --min-dist 0.1 --max-dist 0.2 -q -o -";
    let all = rows(&scene.succeed(args).stdout);
    assert!(all.len() > 20, "{}", all.len());
    for row in all {
        let x = (row.x - 0.5).clamp(0.0, 2.0);
        let y = (row.y - 0.5).clamp(0.0, 1.0);
        let value = (x + 3.0 * y) / 5.0;
        assert!((row.value - value).abs() < 1e-9, "{row:?}: {value}");
    }
}

#[test]
fn what_is_not_read_is_refused_in_one_line() {
    let scene = scene();
    for (map, code, said) in [
        (
            "complex.tif",
            1,
            "complex.tif: 1-channel complex TIFF is not supported",
        ),
        (
            "f32_5_bands.tif",
            1,
            "the bands 1 to 5, but no brightness; choose one of them by --channel",
        ),
        (
            "f32_5_bands.tif --channel r",
            1,
            "no channel \"r\" to use as the map; it has the bands 1 to 5",
        ),
        (
            "channels.exr --channel q",
            1,
            "it has the channels Z, id, trees.A, trees.R",
        ),
        ("h.R32F", 1, "give its size, perhaps --raw-size 2x2"),
        ("h.r16", 1, "give its size --raw-size WxH"),
        (
            "h.r16 --raw-size 3x3",
            1,
            "3x3 levels of 16 bits are 18 bytes, but the file has 12",
        ),
        ("h.asc", 1, "the level is 70 everywhere in the map"),
        ("h.asc --raw-size 2x1", 2, "--raw-size 2x1: only for"),
    ] {
        scene.refused(&format!("sample {map} -o p.csv"), code, &[said]);
    }
}
