//! Maps made to break decoders, in little memory: each is read, or refused in one line.

#![cfg(target_os = "linux")]

use crate::collection::{files, folder};
use crate::scene::{Run, Scene};
use image::{ImageBuffer, Luma};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Limit on processor time per run, in seconds; a signal ends longer runs.
const SECONDS: u32 = 5;

/// Limit on address space per run, kB.
const MEMORY: u32 = 300_000;

/// Samples the map under the limits; panics if the run hangs.
fn sample(scene: &Scene, map: &Path) -> Run {
    let flags = ["--min-dist", "16", "--max-points", "500", "-o", "p.csv"];
    let args = [OsStr::new("sample"), map.as_os_str()];
    let args = args.into_iter().chain(flags.map(OsStr::new));
    scene.limited(MEMORY, SECONDS, args)
}

/// Returns `true` if the map was read. Asserts one line and the right exit code in any case.
fn well_ended(run: &Run, map: &str) -> bool {
    let what = format!("{map}: {:?}, {}", run.code, run.stderr);
    assert!(run.stdout.is_empty(), "{what}");
    let lines: Vec<_> = run.stderr.lines().collect();
    let warnings = lines.iter().filter(|l| l.starts_with("warning: "));
    assert_eq!(lines.len() - warnings.count(), 1, "{what}");
    assert!(lines.iter().all(|line| line.len() < 500), "{what}");
    match run.code {
        Some(0) => assert!(run.stderr.contains(" points in ") || run.stderr.contains("1 point")),
        Some(1) => assert!(run.stderr.starts_with("error: "), "{what}"),
        _ => panic!("{what}"),
    }
    run.code == Some(0)
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Samples every `part`th hostile map. Asserts the least numbers of maps read and refused.
fn try_hostile_maps(part: usize, least_read: usize, least_refused: usize) {
    let Some(root) = folder("hostile") else {
        return;
    };
    let scene = Scene::new();
    let mut counts = [0, 0];
    let folders = files(&root).into_iter().filter(|path| path.is_dir());
    let maps = folders.flat_map(|folder| files(&folder));
    for path in maps.step_by(part) {
        let read = well_ended(&sample(&scene, &path), &path.display().to_string());
        counts[usize::from(read)] += 1;
        let in_pngsuite = path.parent().is_some_and(|f| f.ends_with("pngsuite"));
        if in_pngsuite && extension(&path) == "png" {
            assert_eq!(read, !name(&path).starts_with('x'), "{}", path.display());
        }
    }
    let [refused, read] = counts;
    println!("{read} read, {refused} refused");
    assert!(
        read >= least_read && refused >= least_refused,
        "{read} read, {refused} refused"
    );
    assert_eq!(scene.drafts(), [""; 0]);
}

#[test]
fn hostile_maps_are_read_or_refused_in_one_line() {
    try_hostile_maps(3, 60, 30);
}

#[test]
#[ignore = "long"]
fn hostile_maps_are_read_or_refused_in_one_line_in_full() {
    try_hostile_maps(1, 200, 100);
}

/// Cuts each valid map at every 37th byte; large ones only at every `stride`th of those.
fn cut_everywhere(most_per_map: usize) {
    let Some(folder) = folder("maps") else {
        return;
    };
    let scene = Scene::new();
    let mut runs = 0;
    for path in files(&folder) {
        let whole = fs::read(&path).expect("a map");
        let cuts: Vec<usize> = (0..whole.len()).step_by(37).collect();
        let stride = cuts.len().div_ceil(most_per_map);
        let cut = scene.path("cut.map");
        for &length in cuts.iter().step_by(stride) {
            fs::write(&cut, &whole[..length]).expect("written");
            let what = format!("{} cut at {length}", path.display());
            let read = well_ended(&sample(&scene, Path::new("cut.map")), &what);
            // The last bytes of a TIFF may belong to no pixel.
            let strict = matches!(extension(&path), "png" | "jpg");
            assert!(!read || !strict, "{what} was read");
            runs += 1;
        }
    }
    println!("{runs} cut maps");
    assert_eq!(scene.drafts(), [""; 0]);
}

#[test]
fn cut_maps_are_refused() {
    cut_everywhere(4);
}

#[test]
#[ignore = "long"]
fn cut_maps_are_refused_in_full() {
    cut_everywhere(16);
}

/// A hundred thousand runs: about a quarter of an hour with `--release`.
#[test]
#[ignore = "long"]
fn maps_cut_at_every_37th_byte_are_refused() {
    cut_everywhere(usize::MAX);
}

#[test]
fn maps_of_odd_sizes_are_read() {
    let scene = Scene::new();
    for (width, height) in [(1, 1), (100_000, 1), (1, 100_000), (3, 2)] {
        scene.picture("odd.png", [width, height], |x, y| {
            Luma([((x + y) % 251) as u8])
        });
        let run = sample(&scene, Path::new("odd.png"));
        run.assert_code(0);
        let size = format!("{width}x{height} 8-bit map");
        assert!(run.stderr.starts_with(&size), "{run}");
        let points = scene.rows("p.csv");
        assert!(!points.is_empty());
        for p in points {
            assert!((0.0..f64::from(width)).contains(&p.x), "{p:?}");
            assert!((0.0..f64::from(height)).contains(&p.y), "{p:?}");
        }
    }
}

/// Images without pixels are refused in every format.
#[test]
fn maps_of_no_pixels_are_refused() {
    let scene = Scene::new();
    for (name, text) in [
        ("0.pgm", "P5 0 0 255\n"),
        ("w.pgm", "P5 0 5 255\n"),
        ("h.pgm", "P2 5 0 255\n"),
        ("0.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 0 +X 0\n"),
        (
            "0.asc",
            "ncols 0\nnrows 0\nxllcorner 0\nyllcorner 0\ncellsize 1\n",
        ),
        ("0.r16", ""),
    ] {
        scene.write(name, text);
        assert!(
            !well_ended(&sample(&scene, Path::new(name)), name),
            "{name}"
        );
    }
}

/// The available memory decides, not a guess, and the run never aborts.
#[test]
fn a_map_too_large_for_the_memory_is_refused() {
    let scene = Scene::new();
    // 100 million pixels, which need more than the limit together with their mask and bounds.
    let map: ImageBuffer<Luma<u8>, _> = ImageBuffer::new(10_000, 10_000);
    map.save(scene.path("large.png")).expect("saved");
    let run = sample(&scene, Path::new("large.png"));
    assert!(!well_ended(&run, "large.png"));
    run.assert_stderr_has("memory");
}
