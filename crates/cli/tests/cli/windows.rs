//! Windows of a world, as one of many machines computes them.

use crate::by_hand::{
    EXTRA_SAMPLES, I16, ICC_PROFILE, PHOTOMETRIC, Page, U8, U16, Value, shorts, tiff,
};
use crate::places::hills;
use crate::scene::Scene;
use std::collections::BTreeSet;

/// Returns the rows of a table of points as a set, since their order depends on the run.
pub(crate) fn rows(scene: &Scene, name: &str) -> BTreeSet<String> {
    let text = scene.text(name);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn windows_put_together_are_the_whole() {
    let scene = Scene::new();
    let flags = "sample masked.png --size 320x240 --origin -100.5,7 --min-dist 2 --max-dist 6";
    for more in [
        "",
        "--rule mean --y-up",
        "--limit 0.25",
        "--tile",
        "--lod 1",
        "--scale-factor 1.3",
    ] {
        scene.succeed(&format!("{flags} {more} -q -o whole.csv"));
        let whole = rows(&scene, "whole.csv");
        let mut parts = BTreeSet::new();
        for (i, x) in [-100.5, 3.25, 150.0].into_iter().enumerate() {
            for (j, y) in [-20.0, 100.0].into_iter().enumerate() {
                let x1 = [3.25, 150.0, 400.0][i];
                let y1 = [100.0, 247.0][j];
                let window = format!("--window {x},{y},{x1},{y1} -o part.csv -q");
                scene.succeed(&format!("{flags} {more} {window}"));
                parts.append(&mut rows(&scene, "part.csv"));
            }
        }
        assert!(
            whole.len() > 1000 && parts == whole,
            "{more}: {}",
            whole.len()
        );
    }
}

/// The whole is counted once; windows then take the scale factor and the last point from it.
#[test]
fn windows_of_a_count_are_the_whole() {
    let scene = Scene::new();
    let mut left_out = 0;
    for (count, more) in [
        (700, ""),
        (1301, ""),
        (1500, "--lod 2"),
        (7, "--lod 3"),
        (2600, "--tile"),
    ] {
        let flags = format!("sample ramp.png --size 200x150 --min-dist 2 --max-dist 6 -q {more}");
        scene.succeed(&format!(
            "{flags} --count {count} -o whole.csv --summary whole.json"
        ));
        let summary = scene.json("whole.json");
        // The number exactly as in the file.
        let factor = summary["scale_factor"].to_string();
        let last = summary["last"].as_str().expect("a point").to_owned();
        let whole = rows(&scene, "whole.csv");
        // The first line names the columns.
        assert_eq!(whole.len(), count + 1);
        let of_run = format!("{flags} --scale-factor {factor}");
        scene.succeed(&format!("{of_run} -o all.csv"));
        left_out += rows(&scene, "all.csv").len() - whole.len();
        // The whole at once, and in windows.
        scene.succeed(&format!("{of_run} --last {last} --stream -o all.csv"));
        assert!(rows(&scene, "all.csv") == whole, "{count} {more}");
        // A cap beyond the last point omits nothing, though it stops the run.
        let cap = format!("--last {last} --max-points {} --summary s.json", count + 1);
        scene.succeed(&format!("{of_run} {cap} -o all.csv"));
        assert!(rows(&scene, "all.csv") == whole, "{count} {more}");
        assert_eq!(scene.json("s.json")["end"], "complete");
        let mut parts = BTreeSet::new();
        for window in ["0,0,70,150", "70,0,200,150"] {
            let flags = format!("{of_run} --last {last} --window {window}");
            scene.succeed(&format!("{flags} -o part.csv --summary part.json"));
            parts.append(&mut rows(&scene, "part.csv"));
            let summary = scene.json("part.json");
            assert_eq!(summary["scale_factor"].to_string(), factor);
            assert_eq!(summary["last"], last);
            assert!(summary["window"].is_array());
        }
        assert!(parts == whole, "{count} {more}");
    }
    assert!(left_out > 0, "or nothing had to be left out");
}

/// Regression: a map that was streamed from a TIFF had no holes, so that islands between its no-data pixels were missed.
#[test]
fn islands_between_no_data_are_streamed() {
    let scene = Scene::new();
    let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as u8;
    let pixels = (0..200 * 200).map(|i| if noise(i) < 50 { 0 } else { noise(i) });
    let page = Page::new([200, 200], 1, U8, pixels.collect());
    scene.write("n.tif", tiff(&[page]));
    for (distances, least) in [
        ("--min-dist 4 --max-dist 16", 130),
        ("--min-dist 12 --max-dist 48", 15),
    ] {
        for seed in 0..6 {
            let run = format!(
                "sample n.tif --size 100x100 {distances} --rule min --nodata 0 --seed {seed} -q"
            );
            scene.succeed(&format!("{run} -o whole.csv"));
            scene.succeed(&format!("{run} --stream -o stream.csv"));
            let whole = rows(&scene, "whole.csv");
            assert!(whole.len() >= least, "{run}: {}", whole.len());
            assert!(rows(&scene, "stream.csv") == whole, "{run}");
        }
    }
}

#[test]
fn a_last_point_of_another_run_is_refused() {
    let scene = Scene::new();
    for (flags, words) in [
        ("--last 5", "--scale-factor"),
        ("--last 5 --count 9", "cannot be used with '--count"),
        ("--scale-factor 2 --last x", "ID or RANK,ID"),
        ("--scale-factor 2 --last 1,5", "give --lod as in the run"),
        (
            "--scale-factor 2 --lod 2 --last 5",
            "drop --lod, as in the run",
        ),
        (
            "--scale-factor 2 --last 5 --algorithm bridson",
            "not supported by --algorithm bridson",
        ),
    ] {
        scene.refused(&format!("sample ramp.png -o p.csv {flags}"), 2, &[words]);
    }
}

#[test]
fn what_needs_the_whole_is_refused_by_name() {
    let scene = Scene::new();
    let flags = "sample ramp.png -o part.csv --window 0,0,9,9";
    for (more, words) in [
        (
            "--count 50",
            "--count: not with --window: the scale factor depends on all points",
        ),
        ("--max-points 50", "--max-points: not with --window"),
        ("--verify", "--verify: not with --window"),
        ("--preview p.png", "--preview: not with --window"),
        (
            "--algorithm bridson",
            "--window: not supported by --algorithm bridson",
        ),
    ] {
        scene.refused(&format!("{flags} {more}"), 2, &[words]);
    }
    for (window, words) in [
        ("0,0,9", "write the lowest and the highest corner"),
        ("9,0,0,9", "X0 must be less than X1"),
        ("0,0,nan,9", "must"),
        (
            "900,0,990,9",
            "it lies outside the world, which covers 0,0 to",
        ),
    ] {
        let run = format!("sample ramp.png -o part.csv --window {window}");
        scene.refused(&run, 2, &["--window", words]);
    }
    let both = "sample ramp.png -o p.csv --count 9 --scale-factor 2";
    scene.refused(both, 2, &["--scale-factor"]);
}

#[test]
fn a_window_of_a_tiled_file_reads_a_part_and_is_the_whole() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let flags = "sample hills.tif --min-dist 20 --max-dist 60 -q";
    // Levels of detail, which need a wider part than is read first; a mask that closes some places; tones.
    for more in [
        "",
        "--lod 3",
        "--mask ramp.png --mask-threshold 0.3",
        "--map density --gamma 1.3 --rule own",
    ] {
        scene.succeed(&format!("{flags} {more} -o whole.csv"));
        let whole = rows(&scene, "whole.csv");
        // The whole at once, tile by tile.
        scene.succeed(&format!("{flags} {more} --stream -o stream.csv"));
        assert!(
            scene.text("stream.csv") == scene.text("whole.csv"),
            "{more}"
        );
        let mut parts = BTreeSet::new();
        for (x0, x1) in [(500_000, 500_700), (500_700, 501_333), (501_333, 502_881)] {
            for (y0, y1) in [(3_997_600, 3_998_800), (3_998_800, 4_000_000)] {
                let window = format!("--window {x0},{y0},{x1},{y1} -o part.csv");
                scene.succeed(&format!("{flags} {more} {window}"));
                parts.append(&mut rows(&scene, "part.csv"));
            }
        }
        assert!(
            whole.len() > 1000 && parts == whole,
            "{more}: {}",
            whole.len()
        );
    }
}

/// World files have several names, and so do files that start like a TIFF.
#[test]
fn a_window_follows_the_same_files_beside_as_the_whole() {
    let scene = Scene::new();
    let levels = (0..7680).map(|n| (n / 33) as u8).collect();
    let page = Page::new([96, 80], 1, U8, levels).tiled([16, 16], 30);
    let map = tiff(&[page]);
    for (image, world) in [
        ("a.tif", "a.tfw"),
        ("b.tif", "b.TIFW"),
        ("c.TIFF", "c.TFW"),
        ("d.tiff", "d.TIFFW"),
        ("e.btf", "e.bfw"),
        ("f.tif", "f.WLD"),
    ] {
        scene.write(image, &map);
        // Pixels are 2 x 2 units, with rows from the north.
        scene.write(world, "2\n0\n0\n-2\n501\n899\n");
        let flags = format!("sample {image} --min-dist 4 --max-dist 9 -q");
        scene.succeed(&format!("{flags} -o whole.csv"));
        let whole = rows(&scene, "whole.csv");
        for way in ["--window 500,740,692,900", "--stream"] {
            scene.succeed(&format!("{flags} {way} -o part.csv"));
            assert!(rows(&scene, "part.csv") == whole, "{image} {way}");
        }
        assert!(whole.len() > 300, "{image}: {}", whole.len());
    }
}

/// Returns the warnings of a run by kind, each printed once on stderr and once in the summary.
fn told(scene: &Scene, args: &str) -> BTreeSet<(String, String)> {
    let run = scene.succeed(&format!("{args} -o p.csv --summary s.json"));
    let summary = scene.json("s.json");
    let all = summary["warnings"].as_array().expect("a list");
    let text =
        |warning: &serde_json::Value, key: &str| warning[key].as_str().expect("text").to_owned();
    for warning in all {
        let line = format!("warning: {}\n", text(warning, "text"));
        assert_eq!(run.stderr.matches(&line).count(), 1, "{run}");
    }
    let kinds = all.iter().map(|w| (text(w, "kind"), text(w, "text")));
    let kinds: BTreeSet<_> = kinds.collect();
    assert_eq!(kinds.len(), all.len(), "nothing twice");
    kinds
}

#[test]
fn maps_in_parts_are_warned_of_once() {
    let scene = Scene::new();
    // 96 x 80 pixels in tiles of 16 x 16.
    let tiles = |page: Page| page.tiled([16, 16], 30);
    let size = [96, 80];
    let levels = || (0..7680).map(|n: i32| n.wrapping_mul(7919) % 251);
    let colours = levels().enumerate().flat_map(|(n, level)| {
        // Transparent in two of the first tile's rows.
        let alpha = if n < 32 { 0 } else { 255 };
        [level as u8, 7, 7, alpha]
    });
    let splat = Page::new(size, 4, U8, colours.collect())
        .with(PHOTOMETRIC, Value::Short(vec![2]))
        .with(EXTRA_SAMPLES, Value::Short(vec![2]));
    let heights = levels().map(|level| if level < 9 { -9999 } else { level * 4 });
    let voids = Page::new(size, 1, I16, shorts(heights));
    let narrow = Page::new(size, 1, U16, shorts(levels())).placed([30.0, 30.0], 1, 9001);
    let more = Page::new(size, 1, U16, shorts(levels()));
    for (name, pages) in [
        ("splat.tif", vec![tiles(splat)]),
        ("voids.tif", vec![tiles(voids)]),
        ("narrow.tif", vec![tiles(narrow), tiles(more)]),
    ] {
        scene.write(name, tiff(&pages));
    }
    for (flags, of_pixels, of_file) in [
        ("splat.tif --channel r", &["closed-by-alpha"][..], &[][..]),
        ("voids.tif --range 0..1000", &["void"], &[]),
        ("narrow.tif", &[], &["map-pixels", "other-images"]),
    ] {
        let flags = format!("sample {flags} --min-dist 1 --max-dist 1.5");
        let whole = told(&scene, &flags);
        let streamed = told(&scene, &format!("{flags} --stream"));
        assert_eq!(streamed, whole, "{flags}");
        assert!(!whole.is_empty());
        let part = told(&scene, &format!("{flags} --window 0,0,8,8"));
        let kinds: Vec<&str> = part.iter().map(|(kind, _)| &**kind).collect();
        assert_eq!(kinds, [of_pixels, of_file].concat(), "{flags}");
        for (kind, text) in &part {
            let of_part = text.contains(".tif (columns 0..");
            assert_eq!(of_part, of_pixels.contains(&&**kind), "{text}");
        }
        // A window of the whole map counts as the whole.
        assert_eq!(told(&scene, &format!("{flags} --window 0,0,96,80")), whole);
    }
    // Other parts have no warnings.
    let flags = "sample splat.tif --channel r --min-dist 1 --max-dist 1.5 --window 90,74,96,80";
    let elsewhere = told(&scene, flags);
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

/// --srgb also applies to a part: it states how the values are stored.
#[test]
fn a_profile_is_warned_of_unless_srgb_is_given() {
    let scene = Scene::new();
    let levels = (0..7680).map(|n: i32| (n.wrapping_mul(7919) % 251) as u8);
    let page = Page::new([96, 80], 1, U8, levels.collect()).tiled([16, 16], 30);
    let page = page.with(ICC_PROFILE, Value::Text("a profile".to_owned()));
    scene.write("profile.tif", tiff(&[page]));
    for way in ["", "--window 0,0,8,8", "--stream"] {
        for (srgb, is_told) in [("", true), ("--srgb", false)] {
            let flags = format!("sample profile.tif --min-dist 1 --max-dist 1.5 {srgb} {way}");
            let told = told(&scene, &flags);
            let of_profile = told.iter().filter(|(_, text)| text.contains("--srgb"));
            assert_eq!(
                of_profile.count(),
                usize::from(is_told),
                "{flags}: {told:?}"
            );
        }
    }
}

/// Parts give the same warnings about distances as a map in memory, except that few greys in a part are not
/// reported.
#[test]
fn distances_of_maps_in_parts_are_warned_of() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let tiled = |level: fn(i32) -> u8| {
        let page = Page::new([96, 80], 1, U8, (0..7680).map(level).collect());
        tiff(&[page.tiled([16, 16], 30)])
    };
    let bands = tiled(|n| (n.wrapping_mul(7919) % 251) as u8);
    scene.write("bands.tif", bands);
    scene.write("flat.tif", tiled(|_| 9));
    // Steps only between tiles.
    let chess = tiled(|n| {
        if (n / 256 % 6 + n / 1536) % 2 == 0 {
            0
        } else {
            255
        }
    });
    scene.write("chess.tif", chess);
    let few = "bands.tif --min-dist 0.05 --max-dist 1.5";
    let rows: [(&str, &[&str], &[&str]); 6] = [
        (
            "hills.tif --min-dist 20 --max-dist 60 --window 500000,3997600,500300,3997900",
            &["below-pixel"],
            &["below-pixel"],
        ),
        (
            &format!("{few} --window 0,0,2,2"),
            &["bands", "below-pixel", "steep"],
            &["below-pixel", "steep"],
        ),
        (
            &format!("{few} --rule min --window 0,0,2,2"),
            &["bands", "below-pixel"],
            &["below-pixel"],
        ),
        (
            "bands.tif --min-dist 2 --max-dist 3 --scale-factor 0.25 --window 0,0,2,2",
            &["below-pixel"],
            &["below-pixel"],
        ),
        (
            "flat.tif --min-dist 2 --max-dist 3 --window 0,0,2,2",
            &["flat"],
            &[],
        ),
        (
            "chess.tif --min-dist 1 --max-dist 3 --window 0,0,2,2",
            &["steep"],
            &["steep"],
        ),
    ];
    for (flags, of_whole, of_part) in rows {
        let (flags, window) = flags.split_once(" --window ").expect("a window");
        let flags = format!("sample {flags}");
        let whole = told(&scene, &flags);
        let kinds = |told: &BTreeSet<(String, String)>| {
            told.iter()
                .map(|(kind, _)| kind.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&whole), of_whole, "{flags}");
        let streamed = told(&scene, &format!("{flags} --stream"));
        assert_eq!(streamed, whole, "{flags}");
        let part = told(&scene, &format!("{flags} --window {window}"));
        assert_eq!(kinds(&part), of_part, "{flags}: {part:?}");
        for (_, text) in &part {
            assert!(text.contains(".tif (columns 0.."), "{text}");
        }
    }
    // Distances so large that the whole map is read.
    let flags = "sample hills.tif --min-dist 20 --max-dist 4000";
    let whole = told(&scene, flags);
    assert_eq!(whole.len(), 2, "above the map, and steep: {whole:?}");
    for way in ["--stream", "--window 500000,3997600,500300,3997900"] {
        assert_eq!(told(&scene, &format!("{flags} {way}")), whole, "{way}");
    }
}
