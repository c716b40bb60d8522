//! Compares TIFF files of every codec, layout, predictor, byte order and type with GDAL's results.
#![cfg(feature = "image")]

use flate2::read::ZlibDecoder;
use spinney_density::decode::{Alpha, Channel, DecodeError, LevelType, Raster, ReadOptions};
use std::collections::{BTreeMap, HashMap};
use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiff")
}

/// Reads a band by its number from 1, ignoring alpha.
fn band(file: &[u8], number: usize) -> Result<Raster, DecodeError> {
    let options = ReadOptions {
        channel: Channel::Named(number.to_string()),
        alpha: Alpha::Ignore,
        ..ReadOptions::default()
    };
    Raster::decode(file, &options)
}

/// Returns the greatest error of a level; NaN means no level.
fn furthest(raster: &Raster, expected: &[f64]) -> f64 {
    let levels = raster.levels().zip(expected);
    levels
        .map(|(level, &expected)| match level {
            // Covers equal infinities too.
            Some(level) if level == expected => 0.0,
            Some(level) if expected.is_nan() => level.abs().max(1.0),
            Some(level) => (level - expected).abs(),
            None if expected.is_nan() => 0.0,
            None => f64::INFINITY,
        })
        .fold(0.0, f64::max)
}

/// Returns the rounding error: greys are stored in 65535 steps, other levels exactly.
fn exact(raster: &Raster) -> f64 {
    match raster.level_type() {
        LevelType::Unsigned(bits @ ..=15) => f64::from((1u32 << bits) - 1) / 65535.0 * 0.51,
        _ => 0.0,
    }
}

#[test]
fn every_combination_is_read_as_gdal_reads_it() {
    let packed = fs::read(folder().join("table.bin")).expect("a readable file");
    let mut files = Vec::new();
    let mut stream = ZlibDecoder::new(&packed[..]);
    stream.read_to_end(&mut files).expect("a whole stream");
    let text = fs::read_to_string(folder().join("table.txt")).expect("a readable file");
    let levels: HashMap<&str, Vec<f64>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("= ")?.split_once(' '))
        .map(|(key, words)| {
            let numbers = words.split(' ').map(|word| word.parse().expect("a level"));
            (key, numbers.collect())
        })
        .collect();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines().filter(|line| !line.starts_with(['#', '='])) {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, place, len, bands, off, key] = words[..] else {
            panic!("six columns: {line}");
        };
        let [place, len, bands] = [place, len, bands].map(|word| word.parse().expect("a number"));
        let lossy: f64 = off.parse().expect("a number");
        let file = &files[place..place + len];
        let all = &levels[key];
        for (nth, expected) in all.chunks(all.len() / bands).enumerate() {
            match band(file, nth + 1) {
                Ok(raster) if furthest(&raster, expected) <= exact(&raster) + lossy => {}
                Ok(raster) => wrong.push(format!(
                    "{name}, band {}: {} off",
                    nth + 1,
                    furthest(&raster, expected)
                )),
                Err(error) => wrong.push(format!("{name}: {error}")),
            }
        }
        count += 1;
    }
    assert!(count >= 500, "only {count} files");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Files after bug reports of other projects.
#[test]
fn files_from_the_field_are_read_as_gdal_reads_them() {
    for (file, thread, size, sum, last) in [
        // LZW in tiles that extend beyond the image.
        (
            "lzw_tiled_37x23.tif",
            "image-rs/image-tiff#395",
            [37, 23],
            39997.0,
            94.0,
        ),
        // The predictor tag does not count beside PackBits.
        (
            "predictor2_packbits.tif",
            "opencv/opencv#21871",
            [20, 12],
            28680.0,
            239.0,
        ),
        // Levels are classes, the palette indices, not the red of colours.
        (
            "landcover_palette.tif",
            "geotiffjs/geotiff.js#378",
            [60, 40],
            152_000.0,
            100.0,
        ),
    ] {
        let path = folder().join("../field").join(file);
        let raster = band(&fs::read(path).expect("a readable file"), 1);
        let raster = raster.unwrap_or_else(|e| panic!("{file} ({thread}): {e}"));
        let [width, height] = size;
        assert_eq!([raster.width(), raster.height()], size, "{thread}");
        // Greys have 65535 steps.
        let levels = raster.levels().flatten().map(f64::round);
        assert_eq!(levels.sum::<f64>(), sum, "{thread}");
        let level = raster.level(width - 1, height - 1).map(f64::round);
        assert_eq!(level, Some(last), "{thread}");
    }
}

/// Returns a Python that has rasterio. If there is none, prints so and returns `None`.
fn python() -> Option<String> {
    let program = env::var("SPINNEY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&program)
        .args(["-c", "import rasterio, numpy"])
        .output();
    if has.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    let _ = writeln!(
        io::stderr(),
        "SKIPPED: {program} has no rasterio; SPINNEY_PYTHON may name one that has"
    );
    None
}

/// Random files with a fixed seed, over all options of GDAL's writer, give the same levels, or an
/// error that states why.
#[test]
fn random_files_of_gdal_are_read_or_refused_by_name() {
    const FILES: usize = 300;
    let Some(python) = python() else { return };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_tiffs");
    fs::create_dir_all(&scratch).expect("a folder");
    let seed = env::var("SPINNEY_TIFF_SEED").unwrap_or_else(|_| "1".to_owned());
    let made = Command::new(python)
        .arg(folder().join("make_tiffs.py"))
        .arg("random")
        .arg(&scratch)
        .args([&FILES.to_string(), &seed])
        .status()
        .expect("a program that runs");
    assert!(made.success());

    let index = fs::read_to_string(scratch.join("index.txt")).expect("a readable file");
    let mut equal = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in index.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, width, height, bands, off, options] = words[..] else {
            panic!("six columns: {line}");
        };
        let [width, height, bands] =
            [width, height, bands].map(|word| word.parse().expect("a number"));
        let lossy: f64 = off.parse().expect("a number");
        let file = fs::read(scratch.join(format!("{name}.tif"))).expect("a readable file");
        let levels = fs::read(scratch.join(format!("{name}.f64"))).expect("a readable file");
        let levels = levels
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes(b.try_into().expect("8")));
        let levels: Vec<f64> = levels.collect();
        let mut outcome = Ok(());
        for (nth, expected) in levels.chunks(width * height).enumerate().take(bands) {
            match band(&file, nth + 1) {
                Ok(raster) => {
                    let off = furthest(&raster, expected);
                    if off > exact(&raster) + lossy {
                        outcome = Err(format!("band {} is {off} off", nth + 1));
                    }
                }
                Err(DecodeError::Unsupported { reason, .. }) => {
                    *refused.entry(reason).or_default() += usize::from(nth == 0);
                    outcome = Err(String::new());
                    break;
                }
                Err(error) => outcome = Err(error.to_string()),
            }
        }
        match outcome {
            Ok(()) => equal += 1,
            Err(why) if why.is_empty() => {}
            Err(why) => wrong.push(format!("{name} ({options}): {why}")),
        }
    }
    println!("{equal} of {FILES} equal, refused: {refused:#?}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(equal + refused.values().sum::<usize>(), FILES);
    assert!(equal > FILES / 2, "{equal}");
}
