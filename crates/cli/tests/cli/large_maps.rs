//! Maps that are large, or that a few bytes say are large.

#![cfg(target_os = "linux")]

use crate::scene::{Run, Scene};
use std::fs;

/// The zlib stream of `1 + 258 * runs` bytes of this value, in about 1/159 of their number: a
/// literal and then, in the fixed code, "258 bytes from one byte ago" again and again.
fn deflated(value: u8, runs: u32) -> Vec<u8> {
    // The last block, of the fixed code; a literal below 144 is itself plus 48, in eight bits.
    assert!(value < 144);
    let mut bits = vec![true, true, false];
    bits.extend((0..8).rev().map(|bit| (value + 48) >> bit & 1 == 1));
    for _ in 0..runs {
        // Length code 285, 11000101, and distance code 0, 00000.
        bits.extend([true, true, false, false, false, true, false, true]);
        bits.extend([false; 5]);
    }
    bits.extend([false; 7]);
    let mut bytes = vec![0x78, 0x01];
    bytes.extend(bits.chunks(8).map(|byte| {
        byte.iter()
            .rev()
            .fold(0u8, |sum, &bit| sum << 1 | u8::from(bit))
    }));
    let (mut a, mut b) = (1_u32, 0_u32);
    for _ in 0..=u64::from(runs) * 258 {
        a = (a + u32::from(value)) % 65521;
        b = (b + a) % 65521;
    }
    bytes.extend((b << 16 | a).to_be_bytes());
    bytes
}

/// A little-endian grey TIFF, deflated, in tiles of a side or in one strip, each of which is the
/// same bytes of the file.
fn tiff(size: [u32; 2], bits: u16, tile: Option<u32>, data: &[u8]) -> Vec<u8> {
    let side = |length: u32| tile.map_or(1, |tile| length.div_ceil(tile));
    let chunks = side(size[0]) * side(size[1]);
    let data_at = 8_u32;
    let lists_at = (data_at + data.len() as u32).next_multiple_of(2);
    let directory_at = lists_at + 8 * chunks;
    let mut file = b"II*\0".to_vec();
    file.extend(directory_at.to_le_bytes());
    file.extend(data);
    file.resize(lists_at as usize, 0);
    for value in [data_at, data.len() as u32] {
        for _ in 0..chunks {
            file.extend(value.to_le_bytes());
        }
    }
    let listed = |nth: u32, alone: u32| match chunks {
        1 => alone,
        _ => lists_at + 4 * nth * chunks,
    };
    let mut entries = vec![
        (256, 4, 1, size[0]),
        (257, 4, 1, size[1]),
        (258, 3, 1, u32::from(bits)),
        (259, 3, 1, 8),
        (262, 3, 1, 1),
        (277, 3, 1, 1),
    ];
    match tile {
        Some(tile) => entries.extend([
            (322, 4, 1, tile),
            (323, 4, 1, tile),
            (324, 4, chunks, listed(0, data_at)),
            (325, 4, chunks, listed(1, data.len() as u32)),
        ]),
        None => entries.extend([
            (273, 4, 1, data_at),
            (278, 4, 1, size[1]),
            (279, 4, 1, data.len() as u32),
        ]),
    }
    entries.sort_unstable();
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(u16::to_le_bytes(tag));
        file.extend(u16::to_le_bytes(kind));
        file.extend(u32::to_le_bytes(count));
        file.extend(u32::to_le_bytes(value));
    }
    file.extend([0; 4]);
    file
}

/// 40,000 x 40,000 pixels of 16 bits in tiles that share their bytes.
fn forty_thousand() -> Vec<u8> {
    tiff([40_000; 2], 16, Some(SIDE), &deflated(77, 2 * SIDE))
}

/// Of a tile. Two bytes a pixel are then a whole number of runs (and the literal is left over);
/// that it is no multiple of 16 does not matter to whoever reads it.
const SIDE: u32 = 258;

fn run(scene: &Scene, args: &str) -> Run {
    scene.limited(300_000, 5, args.split_whitespace())
}

fn refused(scene: &Scene, args: &str, says: &[&str]) {
    let run = run(scene, args);
    run.assert_refused(args, 1, says);
}

#[test]
fn a_map_of_40000_by_40000_is_refused_with_the_limit_and_its_flag() {
    let scene = Scene::new();
    fs::write(scene.path("large.tif"), forty_thousand()).expect("written");
    let sample = "sample large.tif --min-dist 400 -o p.csv";
    let limit = "more than the limit of 268435456 pixels";
    refused(
        &scene,
        sample,
        &["40000x40000", limit, "--max-pixels 1600000000"],
    );
    let more = format!("{sample} --max-pixels 1600000000");
    refused(&scene, &more, &["40000x40000", "bytes of memory"]);
    let lint = "map lint large.tif --min-dist 400";
    refused(&scene, lint, &["--max-pixels 1600000000"]);
    // The same map in small, so that it is its size that was refused.
    let small = tiff([600; 2], 16, Some(SIDE), &deflated(77, 2 * SIDE));
    fs::write(scene.path("small.tif"), small).expect("written");
    let small = run(&scene, "sample small.tif --min-dist 40 -o p.csv");
    assert_eq!(small.code, Some(0), "{}", small.stderr);
    assert!(
        small.stderr.starts_with("600x600 16-bit map"),
        "{}",
        small.stderr
    );
    let few = run(&scene, "sample small.tif --max-pixels 359999 -o p.csv");
    assert_eq!(few.code, Some(1), "{}", few.stderr);
    assert!(few.stderr.contains("--max-pixels 360000"), "{}", few.stderr);
}

/// Tiles may share their bytes, so that a file is far smaller than its pixels.
#[test]
fn a_large_map_of_one_shared_tile_is_read_in_parts() {
    let scene = Scene::new();
    // 65,536 pixels a side.
    let side = 256 * SIDE - 512;
    let shared = |side: u32| tiff([side; 2], 16, Some(SIDE), &deflated(77, 2 * SIDE));
    fs::write(scene.path("large.tif"), shared(side)).expect("written");
    let flags = "--min-dist 20 --max-dist 60 --map density --range 0..65535 -o p.csv";
    let window = "--window 30000,30000,31000,31000";
    let window = run(&scene, &format!("sample large.tif {flags} {window}"));
    assert_eq!(window.code, Some(0), "{}", window.stderr);
    assert!(scene.rows("p.csv").len() > 100);
    // All of a smaller map. That it is read in parts shows in a limit below its pixels.
    fs::write(scene.path("small.tif"), shared(8 * SIDE)).expect("written");
    let flags = flags.replace("-o p.csv", "-q");
    scene.succeed(&format!(
        "sample small.tif {flags} --max-pixels 100000 --stream -o s.csv"
    ));
    scene.succeed(&format!("sample small.tif {flags} -o p.csv"));
    let text = |name| fs::read_to_string(scene.path(name)).expect("a file");
    assert_eq!(text("s.csv"), text("p.csv"));
}

/// A map that is too large as a whole is told with why it was not read in parts.
#[test]
fn a_large_map_that_is_not_read_in_parts_is_refused_with_why() {
    let scene = Scene::new();
    fs::write(scene.path("large.tif"), forty_thousand()).expect("written");
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
    fs::write(scene.path("large.tif.msk"), b"anything").expect("written");
    let says = [
        "--max-pixels 1600000000",
        "not read in parts",
        "large.tif.msk",
    ];
    refused(&scene, &stream, &says);
    fs::remove_file(scene.path("large.tif.msk")).expect("removed");
    // The tables of its tiles are not all there.
    let cut = tiff([40_000; 2], 16, Some(SIDE), &[]);
    let cut = [&cut[..8], &cut[8 + 8 * 156 * 156..]].concat();
    let mut cut = cut;
    cut[4..8].copy_from_slice(&8_u32.to_le_bytes());
    fs::write(scene.path("large.tif"), cut).expect("written");
    refused(&scene, &stream, &["not read in parts", "cut short"]);
    // Nothing is said of parts where they were not asked for.
    let whole = run(&scene, sample);
    assert!(!whole.stderr.contains("in parts"), "{}", whole.stderr);
}

/// A minute or two, and 6 GB of memory.
#[test]
#[ignore = "long, and large"]
fn a_map_of_40000_by_40000_is_read_when_it_may() {
    let scene = Scene::new();
    fs::write(scene.path("large.tif"), forty_thousand()).expect("written");
    let args = "sample large.tif --min-dist 400 --max-pixels 1600000000 -o p.csv";
    let run = scene.limited(10_000_000, 600, args.split_whitespace());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr.starts_with("40000x40000 16-bit map"),
        "{}",
        run.stderr
    );
    println!("{}", run.stderr);
    assert!(scene.rows("p.csv").len() > 1000);
}

#[test]
fn strips_that_burst_are_bounded() {
    let scene = Scene::new();
    // 310 MB in 2 MB, of which the image needs 256 bytes.
    let bomb = deflated(0, 1_200_000);
    fs::write(scene.path("bomb.tif"), tiff([16; 2], 8, None, &bomb)).expect("written");
    let read = run(&scene, "sample bomb.tif --min-dist 4 -o p.csv");
    assert!(
        matches!(read.code, Some(0 | 1)),
        "{:?} {}",
        read.code,
        read.stderr
    );
    // As large as it says, and too large.
    fs::write(scene.path("large.tif"), tiff([17_600; 2], 8, None, &bomb)).expect("written");
    refused(
        &scene,
        "sample large.tif -o p.csv",
        &["--max-pixels 309760000"],
    );
    let more = "sample large.tif --max-pixels 309760000 -o p.csv";
    refused(&scene, more, &["bytes of memory"]);
    // Within the limit of pixels, but not in so few bytes.
    let lie = tiff([16_000; 2], 8, None, &deflated(0, 1));
    fs::write(scene.path("lie.tif"), lie).expect("written");
    refused(&scene, "sample lie.tif -o p.csv", &["lie.tif"]);
}
