//! Maps that are large, or whose few bytes claim large sizes.

#![cfg(target_os = "linux")]

use crate::by_hand::{Page, U8, U16, shorts, tiff};
use crate::scene::{Row, Run, Scene};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fs;
use std::io::{self, Read, Write};

/// Returns `count` bytes of `value`, deflated.
fn deflated(value: u8, count: u64) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    io::copy(&mut io::repeat(value).take(count), &mut encoder).expect("memory");
    encoder.finish().expect("memory")
}

/// Returns a 16-bit map in tiles that all share the bytes `tile`.
fn in_tiles(side: u32, tile: Vec<u8>) -> Vec<u8> {
    let count = side.div_ceil(u32::from(SIDE)).pow(2);
    tiff(&[Page::deflated([side; 2], U16, tile).tiled([SIDE; 2], count)])
}

/// Returns a 16-bit map in identical tiles.
fn shared(side: u32) -> Vec<u8> {
    in_tiles(side, deflated(77, 2 * u64::from(SIDE).pow(2)))
}

/// Returns an 8-bit map in one strip.
fn in_a_strip(side: u32, strip: &[u8]) -> Vec<u8> {
    tiff(&[Page::deflated([side; 2], U8, strip.to_vec())])
}

/// Side of a tile, pixels.
const SIDE: u16 = 256;

fn run(scene: &Scene, args: &str) -> Run {
    scene.limited(300_000, 5, args.split_whitespace())
}

fn refused(scene: &Scene, args: &str, says: &[&str]) {
    run(scene, args).assert_refused(1, says);
}

#[test]
fn a_map_of_40000_by_40000_is_refused_with_the_limit_and_its_flag() {
    let scene = Scene::new();
    scene.write("large.tif", shared(40_000));
    let sample = "sample large.tif --min-dist 400 -o p.csv";
    let limit = "more than the limit of 268435456 pixels";
    let words = ["40000x40000", limit, "--max-pixels 1600000000"];
    refused(&scene, sample, &words);
    let more = format!("{sample} --max-pixels 1600000000");
    refused(&scene, &more, &["40000x40000", "bytes of memory"]);
    let lint = "map lint large.tif --min-dist 400";
    refused(&scene, lint, &["--max-pixels 1600000000"]);
    // A small version of the map is accepted, so the size was the reason for the refusal.
    scene.write("small.tif", shared(600));
    let small = run(&scene, "sample small.tif --min-dist 40 -o p.csv");
    small.assert_code(0);
    assert!(small.stderr.starts_with("600x600 16-bit map"), "{small}");
    let few = "sample small.tif --max-pixels 359999 -o p.csv";
    refused(&scene, few, &["--max-pixels 360000"]);
    // The limit holds for masks and heights too, over noise as well.
    for file in [
        "--mask small.tif --mask-threshold 0.1",
        "--height small.tif --height-range 0..9",
    ] {
        let args = |most: u32| format!("sample {file} --min-dist 40 --max-pixels {most} -o p.csv");
        refused(&scene, &args(359_999), &["--max-pixels 360000"]);
        scene.succeed(&args(360_000));
    }
}

/// Tiles may share their bytes, so a file may be far smaller than its pixels.
#[test]
fn a_large_map_of_one_shared_tile_is_read_in_parts() {
    let scene = Scene::new();
    scene.write("large.tif", shared(65_536));
    let flags = "--min-dist 20 --max-dist 60 --map density --range 0..65535 -o p.csv";
    let window = "--window 30000,30000,31000,31000";
    let window = run(&scene, &format!("sample large.tif {flags} {window}"));
    window.assert_code(0);
    assert!(scene.rows("p.csv").len() > 100);
    // A smaller map as a whole. A limit below its number of pixels shows that it is read in parts.
    scene.write("small.tif", shared(8 * 256));
    let flags = flags.replace("-o p.csv", "-q");
    scene.succeed(&format!(
        "sample small.tif {flags} --max-pixels 100000 --stream -o s.csv"
    ));
    scene.succeed(&format!("sample small.tif {flags} -o p.csv"));
    assert_eq!(scene.text("s.csv"), scene.text("p.csv"));
}

/// Tiles that no point needs are not read, so little is known of the map.
#[test]
fn a_map_of_which_little_is_read_is_not_called_closed() {
    let scene = Scene::new();
    scene.write("open.tif", shared(600));
    scene.succeed("map perlin -o h.png --size 600x600");
    let flags = "open.tif --min-dist 40 --height h.png --height-range 0..1 --summary s.json";
    for way in ["", "--stream"] {
        let run = scene.succeed(&format!("sample {flags} --altitude 5..6 {way} -o p.csv"));
        run.assert_stderr_lacks("transparent, no-data or NaN");
        let allowed = scene.json("s.json")["map"]["allowed"].as_f64();
        assert_eq!(allowed, way.is_empty().then_some(1.0), "{way}");
    }
}

/// The error for a map too large as a whole includes why it was not read in parts.
#[test]
fn a_large_map_that_is_not_read_in_parts_is_refused_with_why() {
    let scene = Scene::new();
    scene.write("large.tif", shared(40_000));
    let sample = "sample large.tif --min-dist 400 -o p.csv";
    for way in ["--stream", "--window 0,0,900,900"] {
        for (flags, why) in [
            ("--limit 0.25", "--limit"),
            ("--range auto", "--range auto"),
        ] {
            let says = ["--max-pixels 1600000000", "not read in parts", why];
            refused(&scene, &format!("{sample} {flags} {way}"), &says);
        }
    }
    let stream = format!("{sample} --stream");
    scene.write("large.tif.msk", b"anything");
    let says = [
        "--max-pixels 1600000000",
        "not read in parts",
        "large.tif.msk",
    ];
    refused(&scene, &stream, &says);
    fs::remove_file(scene.path("large.tif.msk")).expect("removed");
    // The table of tiles is incomplete.
    let cut = in_tiles(40_000, Vec::new());
    let mut cut = [&cut[..8], &cut[8 + 8 * 157 * 157..]].concat();
    cut[4..8].copy_from_slice(&8_u32.to_le_bytes());
    scene.write("large.tif", cut);
    refused(&scene, &stream, &["not read in parts", "cut short"]);
    // Without a request for parts, the message does not mention them.
    run(&scene, sample).assert_stderr_lacks("in parts");
}

/// Takes a minute or two, and 6 GB of memory.
#[test]
#[ignore = "long, and large"]
fn a_map_of_40000_by_40000_is_read_when_it_may() {
    let scene = Scene::new();
    scene.write("large.tif", shared(40_000));
    let args = "sample large.tif --min-dist 400 --max-pixels 1600000000 -o p.csv";
    let run = scene.limited(10_000_000, 600, args.split_whitespace());
    run.assert_code(0);
    assert!(run.stderr.starts_with("40000x40000 16-bit map"), "{run}");
    println!("{run}");
    assert!(scene.rows("p.csv").len() > 1000);
}

#[test]
fn strips_that_burst_are_bounded() {
    let scene = Scene::new();
    // 310 MB deflated into 1.4 MB, of which the image needs 256 bytes.
    let bomb = deflated(0, 17_600 * 17_600);
    scene.write("bomb.tif", in_a_strip(16, &bomb));
    let read = run(&scene, "sample bomb.tif --min-dist 4 -o p.csv");
    assert!(matches!(read.code, Some(0 | 1)), "{read}");
    // As large as stated, and too large.
    scene.write("large.tif", in_a_strip(17_600, &bomb));
    let large = "sample large.tif -o p.csv";
    refused(&scene, large, &["--max-pixels 309760000"]);
    let more = "sample large.tif --max-pixels 309760000 -o p.csv";
    refused(&scene, more, &["bytes of memory"]);
    // Within the limit of pixels, but impossible in so few bytes.
    let lie = in_a_strip(16_000, &deflated(0, 259));
    scene.write("lie.tif", lie);
    refused(&scene, "sample lie.tif -o p.csv", &["lie.tif"]);
}

/// 65,536 pixels a side, of which the file holds 16 tiles and omits the others, as GDAL does. Takes half a
/// minute: `cargo test -p spinney --test cli -- --ignored gigabyte`.
#[test]
#[ignore = "half a minute"]
fn a_large_map_streams_in_a_gigabyte() {
    let scene = Scene::new();
    let ramp = shorts((0..65_536).map(|n| 3 * n));
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&ramp).expect("memory");
    let ramp = encoder.finish().expect("memory");
    let page = Page::deflated([65_536; 2], U16, ramp).tiled([SIDE; 2], 65_536);
    // Every 16th tile on the diagonal of 256 x 256 is there.
    let absent = (0..65_536).filter(|tile| tile % (16 * 257) != 0);
    let page = absent.fold(page, Page::without);
    scene.write("large.tif", tiff(&[page]));
    let sample = "sample large.tif --white dense --min-dist 30 --max-dist 160 -q";
    // Limits addresses, of which a program uses more than of memory.
    let stream = format!("{sample} --stream --threads 2 -o p.csv --summary s.json");
    let run = scene.limited(1_000_000, 900, stream.split_whitespace());
    run.assert_code(0);
    let whole = scene.rows("p.csv");
    assert!(whole.len() > 100_000, "{}", whole.len());
    // A window with one tile, and omitted ones around it.
    scene.succeed(&format!("{sample} --window 2000,2000,5000,4800 -o w.csv"));
    let inside = |row: &Row| (2000.0..5000.0).contains(&row.x) && (2000.0..4800.0).contains(&row.y);
    let by_id = |mut rows: Vec<Row>| {
        rows.sort_by_key(|row| row.id);
        rows
    };
    let of_whole = by_id(whole.into_iter().filter(inside).collect());
    assert!(of_whole.len() > 100 && of_whole == by_id(scene.rows("w.csv")));
}
