//! Images of every format that is read, against what other decoders find in them.
#![cfg(feature = "image")]

#[path = "figures/formats.rs"]
mod figures;

use figures::{channel, table};
use spinney_density::{
    Alpha, Channel, DecodeError, DecodeLimits, LevelRange, Levels, Raster, ReadOptions, decode,
};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats")
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(folder().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn read(bytes: &[u8], name: &str) -> Result<Raster, DecodeError> {
    let options = ReadOptions {
        channel: channel(name),
        ..ReadOptions::default()
    };
    Raster::decode(bytes, &options)
}

#[test]
fn every_kind_of_image_is_read_as_others_read_it() {
    let mut count = 0;
    for figures in table(include_str!("data/formats/figures.txt")) {
        let bytes = bytes(figures.file);
        figures.check(&bytes);
        count += 1;
    }
    assert!(count >= 40, "{count} lines");
}

#[test]
fn real_maps_are_read_as_others_read_them() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/maps");
    let Ok(entries) = fs::read_dir(&maps) else {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no {}", maps.display());
        return;
    };
    let mut missing: Vec<String> = entries
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    for figures in table(include_str!("data/formats/maps.txt")) {
        let bytes = fs::read(maps.join(figures.file)).expect("a readable file");
        let time = figures.check(&bytes);
        println!("{}: {time:?}", figures.file);
        missing.retain(|name| name != figures.file);
    }
    assert!(missing.is_empty(), "no figures for {missing:?}");
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    for (file, channel, said) in [
        (
            "complex.tif",
            "luma",
            "1-channel complex TIFF is not supported",
        ),
        ("cmyk.tif", "luma", "CMYK TIFF is not supported"),
        // Its bits were taken the wrong way round without a word.
        ("fill_order_2.tif", "luma", "save it with FillOrder 1"),
        (
            "f32_5_bands.tif",
            "luma",
            "the bands 1 to 5 and no brightness",
        ),
        ("f32_5_bands.tif", "6", "no channel \"6\""),
        (
            "channels.exr",
            "luma",
            "the channels Z, id, trees.A, trees.R",
        ),
        ("channels.exr", "z", "no channel \"z\""),
        ("f64_lzw.tif", "a", "no alpha"),
    ] {
        let error = read(&bytes(file), channel).expect_err(file).to_string();
        assert!(error.contains(said), "{file}: {error}");
    }
}

#[test]
fn a_range_says_which_levels_are_black_and_white() {
    let map = |lo, hi| {
        let range = LevelRange::new(lo, hi).expect("a good range");
        let raster = read(&bytes("f64_lzw.tif"), "luma").expect("a good file");
        raster.into_map(Levels::Between(range)).expect("a good map")
    };
    // The last pixel is 85.5, the least -59.5.
    let last = |map: &spinney_density::GreyMap| map.value(20, 17);
    assert!((last(&map(0.0, 171.0)) - 0.5).abs() < 1e-5);
    assert_eq!(last(&map(-100.0, 85.5)), 1.0);
    assert_eq!(last(&map(90.0, 91.0)), 0.0);

    let eight = |levels| {
        let raster = read(&bytes("orientation_3.tif"), "luma").expect("a good file");
        raster.into_map(levels).expect("a good map")
    };
    let range = |lo, hi| Levels::Between(LevelRange::new(lo, hi).expect("a good range"));
    assert_eq!(eight(range(0.0, 255.0)), eight(Levels::Natural));
    assert_eq!(eight(range(153.0, 154.0)).grey(0, 0), 0);
    assert_eq!(eight(range(0.0, 153.0)).grey(0, 0), 65535);
}

/// A grid that an editor on Windows saved was "a text file".
#[test]
fn a_mark_before_a_grid_is_passed_over() {
    let grid = "ncols 2\nnrows 1\ncellsize 1\n3 7\n";
    for mark in ["", "\u{feff}", "\u{feff}\n"] {
        let raster = read(format!("{mark}{grid}").as_bytes(), "luma").expect("a grid");
        let levels = [0, 1].map(|x| raster.level(x, 0));
        assert_eq!(levels, [Some(3.0), Some(7.0)]);
    }
}

/// Damaged it is not.
#[test]
fn a_turned_hdr_is_not_supported() {
    let turned = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n+Y 1 +X 1\n\x80\x80\x80\x80";
    let error = read(turned, "luma").expect_err("turned").to_string();
    assert!(
        error.contains("Orientation") && error.contains("not supported"),
        "{error}"
    );
}

#[test]
fn one_level_all_over_is_no_range() {
    let flat = b"ncols 2\nnrows 1\n5 5\n";
    let refused = decode(flat, Channel::Luma, DecodeLimits::default());
    assert_eq!(refused, Err(DecodeError::OneLevel { level: 5.0 }));
    let raster = read(flat, "luma").expect("a good grid");
    let range = LevelRange::new(0.0, 10.0).expect("a good range");
    let map = raster.into_map(Levels::Between(range)).expect("a good map");
    assert_eq!(map.value(0, 0), 32768.0 / 65535.0);
}

#[test]
fn pnm_is_read_to_its_greatest_sample() {
    let levels = |bytes: &[u8]| -> Vec<f64> {
        let raster = read(bytes, "luma").expect("a good image");
        let places = (0..raster.height()).flat_map(|y| (0..raster.width()).map(move |x| (x, y)));
        let levels = places.filter_map(|(x, y)| raster.level(x, y));
        // Greys have 65535 steps, whatever the greatest sample is.
        levels.map(|level| (level * 50.0).round() / 50.0).collect()
    };
    assert_eq!(levels(b"P2 3 1 15\n0 7 15\n"), [0.0, 7.0, 15.0]);
    assert_eq!(
        levels(b"P5 # six\n2 1 1023\n\x03\xff\x00\x01"),
        [1023.0, 1.0]
    );
    // In a bitmap 1 is black.
    assert_eq!(levels(b"P1 3 1\n1 0 1\n"), [0.0, 1.0, 0.0]);
    assert_eq!(levels(b"P4 3 1\n\xa0"), [0.0, 1.0, 0.0]);
    let pam = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n";
    assert_eq!(levels(&[&pam[..], &[9, 1, 7, 0]].concat()), [9.0]);

    let full: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_be_bytes).collect();
    let file = [&b"P5 256 256 65535\n"[..], &full].concat();
    let map = decode(&file, Channel::Luma, DecodeLimits::default()).expect("a good image");
    assert!(map.greys().iter().copied().eq(0..=u16::MAX), "every level");
    let bad: [&[u8]; 3] = [
        b"P5 2 2 255\n\0\0\0",
        b"P5 99999 99999 255\n",
        b"P2 2 1 9\n1",
    ];
    for cut in bad {
        let name = String::from_utf8_lossy(cut);
        assert!(read(cut, "luma").is_err(), "{name}");
    }
}

/// One photograph, stored in seven ways.
#[test]
fn pictures_are_set_upright() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hostile/pillow");
    if !folder.is_dir() {
        let _ = writeln!(io::stderr(), "SKIPPED: there is no {}", folder.display());
        return;
    }
    let upright = |n: u8| {
        let path = folder.join(format!("hopper_orientation_{n}.jpg"));
        let bytes = fs::read(path).expect("a readable file");
        decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a good image")
    };
    let first = upright(2);
    for n in 3..=8 {
        let other = upright(n);
        assert_eq!(
            (other.width(), other.height()),
            (first.width(), first.height()),
            "{n}"
        );
        let pairs = first.greys().iter().zip(other.greys());
        let off: u64 = pairs.map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
        let mean = off as f64 / first.greys().len() as f64 / 257.0;
        assert!(mean < 4.0, "{n}: {mean} levels of 255 off");
    }
}

/// Every cut of a file and many changes of single bytes: an error or an image, in little
/// memory, and never a panic.
#[test]
fn alpha_closes_nothing_when_it_is_ignored() {
    let pam = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\
                \x09\x00\x00\x00\x33\x00\x00\x01";
    let png = include_bytes!("data/tm3n3p02.png");
    for (file, bytes, name, some) in [
        ("a.pam", pam.to_vec(), "r", 2),
        ("tm3n3p02.png", png.to_vec(), "g", 32 * 32),
        ("grey_alpha.tif", bytes("grey_alpha.tif"), "luma", 378),
        ("rgb_alpha_nir.tif", bytes("rgb_alpha_nir.tif"), "5", 378),
        (
            "rgba_tiles_webp.tif",
            bytes("rgba_tiles_webp.tif"),
            "b",
            378,
        ),
        // The display window is larger than the data.
        ("channels.exr", bytes("channels.exr"), "trees.R", 378),
    ] {
        let decoded = |alpha| {
            let channel = channel(name);
            let options = ReadOptions {
                channel,
                alpha,
                ..ReadOptions::default()
            };
            Raster::decode(&bytes, &options).unwrap_or_else(|e| panic!("{file}: {e}"))
        };
        let [masked, whole] = [Alpha::Mask, Alpha::Ignore].map(decoded);
        let (mut open, mut all) = (0, 0);
        for (x, y) in (0..whole.height()).flat_map(|y| (0..whole.width()).map(move |x| (x, y))) {
            let level = whole.level(x, y);
            all += usize::from(level.is_some());
            if masked.level(x, y).is_some() {
                open += 1;
                assert_eq!(masked.level(x, y), level, "{file} at {x},{y}");
            }
        }
        assert_eq!(all, some, "{file}");
        assert!(open < all, "{file}");
        let pixels = f64::from(whole.width() * whole.height());
        assert_eq!(masked.clear_share(), (all - open) as f64 / pixels, "{file}");
        assert_eq!(whole.clear_share(), 0.0, "{file}");
        if file == "a.pam" {
            assert_eq!([0, 1].map(|x| whole.level(x, 0)), [Some(9.0), Some(51.0)]);
        }
    }
}

#[test]
fn damage_never_panics() {
    let limits = DecodeLimits {
        max_pixels: 1 << 16,
        max_bytes: 1 << 24,
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("a readable folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let whole = fs::read(&path).expect("a readable file");
        for name in ["luma", "1"] {
            let options = ReadOptions {
                channel: channel(name),
                limits,
                ..ReadOptions::default()
            };
            let step = (whole.len() / 700).max(1);
            for at in (0..whole.len()).step_by(step) {
                let _ = Raster::decode(&whole[..at], &options);
                let mut changed = whole.clone();
                for byte in [0, 0xff, whole[at] ^ 0x80, whole[at].wrapping_add(1)] {
                    changed[at] = byte;
                    let _ = Raster::decode(&changed, &options);
                }
            }
        }
    }
}

/// Takes minutes; run with `--ignored` after a change to a decoder.
#[test]
#[ignore = "long"]
fn random_damage_never_panics() {
    let limits = DecodeLimits {
        max_pixels: 1 << 20,
        max_bytes: 1 << 26,
    };
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folders = ["hostile/pillow", "hostile/openexr_testimages", "maps"];
    let folders = folders.map(|name| shared.join(name));
    let mut files: Vec<PathBuf> = folders
        .iter()
        .chain([&folder()])
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|e| e.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e != "png" && e != "jpg"))
        .collect();
    files.sort();
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below.max(1)
    };
    for path in files {
        let whole = fs::read(&path).expect("a readable file");
        let options = ReadOptions {
            channel: channel(["luma", "1"][random(2)]),
            limits,
            ..ReadOptions::default()
        };
        let rounds = 200_000_000 / (whole.len() + 5000);
        for _ in 0..rounds {
            let mut changed = whole.clone();
            // Headers matter most.
            for _ in 0..=random(6) {
                let within = [512, changed.len()][random(2)];
                let at = random(within.min(changed.len()));
                if let Some(byte) = changed.get_mut(at) {
                    *byte = random(256) as u8;
                }
            }
            let _ = Raster::decode(&changed, &options);
        }
    }
}
