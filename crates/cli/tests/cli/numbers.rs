//! Every number that a flag accepts, and pairs of them, in little memory: each run succeeds or prints one
//! line at once.

#![cfg(target_os = "linux")]

use crate::scene::{Run, Scene};
use image::Luma;

/// The first six are no distance and no side.
const VALUES: [&str; 12] = [
    "0", "-0", "NaN", "inf", "-inf", "-1", "5e-324", "1e-310", "1e-300", "1e300", "1.7e308", "3",
];

/// Values for a distance or a side, of which some are refused and some go together.
const LENGTHS: [&str; 6] = ["5e-324", "1e-310", "1e-300", "1e300", "1.7e308", "3"];

fn run(scene: &Scene, args: &str) -> Run {
    scene.limited(300_000, 20, args.split_whitespace())
}

/// Returns `true` if the run succeeded. Otherwise, asserts that it printed one line.
fn tried(scene: &Scene, args: &str) -> bool {
    scene.write("p.csv", "old");
    let run = run(scene, args);
    let what = format!("{args}: {:?}, {}", run.code, run.stderr);
    let lines = run.stderr.lines().filter(|l| !l.starts_with("warning: "));
    assert!(lines.count() <= 1, "{what}");
    let written = scene.read("p.csv");
    match run.code {
        Some(0) => {
            assert!(written.starts_with(b"id,x,y,min_dist,value"), "{what}");
            spaced(scene, &run.stderr, &what);
        }
        Some(1 | 2) => {
            assert!(run.stderr.starts_with("error: "), "{what}");
            run.assert_stderr_has("--");
            assert_eq!(written, b"old", "{what}");
        }
        _ => panic!("{what}"),
    }
    run.code == Some(0)
}

/// Asserts that the points in the file keep their distance at any scale.
fn spaced(scene: &Scene, told: &str, what: &str) {
    let points = scene.rows("p.csv");
    // A world smaller than a thousandth of a distance may be unresolved itself, and then the run says so.
    let unresolved = told.contains(" unresolved cell") && !told.contains("NaN");
    assert!(!points.is_empty() || unresolved, "{what}");
    for (i, p) in points.iter().enumerate().take(200) {
        for q in &points[..i] {
            let keep = p.min_dist.max(q.min_dist);
            let (dx, dy) = ((p.x - q.x) / keep, (p.y - q.y) / keep);
            assert!(dx * dx + dy * dy >= 1.0 - 1e-12, "{p:?}, {q:?}: {what}");
        }
    }
}

const BASE: &str = "sample --max-points 200 -o p.csv";

#[test]
fn no_error_writes_hundreds_of_digits() {
    let scene = Scene::new();
    for number in ["1e300", "-1e300", "1e-300"] {
        let heights = format!("ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n{number}\n");
        let apart =
            "[[layer]]\nname = \"a\"\nmin_dist = 3\n[[layer]]\nname = \"b\"\nmin_dist = 3\n";
        let apart = format!("{apart}[[apart]]\nbetween = [\"a\", \"b\"]\ndistance = {number}\n");
        let corners = format!("[[0, 0], [{number}, 0], [5, 5], [0, 0]]");
        let polygon = format!("{{\"type\": \"Polygon\", \"coordinates\": [{corners}]}}");
        for (name, text) in [
            ("heights.asc", heights),
            ("x.csv", format!("x,y,min_dist\n{number},1,1\n")),
            ("apart.csv", format!("x,y,min_dist\n1,1,{number}\n")),
            ("apart.toml", apart),
            ("p.geojson", polygon),
        ] {
            scene.write(name, text);
        }
        let mut refused = 0;
        for flags in [
            "sample ramp.png --limit N -o p.csv",
            "sample ramp.png --gamma N -o p.csv",
            "sample ramp.png --curve 0:0,N:1 -o p.csv",
            "sample ramp.png --scale N..N -o p.glb",
            "sample ramp.png --height ramp.png --height-range N..1e301 -o p.csv",
            "sample ramp.png --height heights.asc -o p.csv",
            "sample heights.asc -o p.csv",
            "sample ramp.png --avoid x.csv -o p.csv",
            "sample ramp.png --avoid apart.csv -o p.csv",
            "sample ramp.png --polygon p.geojson -o p.csv",
            "sample --species apart.toml --size 9x9 -o p.csv",
            "verify x.csv --size 5x5",
            "verify apart.csv --size 5x5",
            "map perlin --lacunarity N -o p.png",
            "map perlin --persistence N -o p.png",
            "map perlin --warp N -o p.png",
            "map blur ramp.png --sigma N -o p.png",
            "map dilate ramp.png --radius N -o p.png",
        ] {
            let run = run(&scene, &flags.replace('N', number));
            let digits = run.stderr.split(|c: char| !c.is_ascii_digit());
            let most = digits.map(str::len).max().unwrap_or(0);
            assert!(most < 20, "{run}");
            refused += usize::from(run.code != Some(0));
        }
        assert!(refused > 5, "only {refused} of {number} were refused");
    }
}

#[test]
fn each_number_by_itself() {
    let scene = Scene::new();
    let mut good = 0;
    for value in VALUES {
        for flag in ["--min-dist", "--max-dist", "--seed"] {
            good += usize::from(tried(&scene, &format!("{BASE} {flag} {value}")));
        }
        for flag in [
            "--algorithm bridson --tries",
            "--threads",
            "--lod",
            "--count",
        ] {
            good += usize::from(tried(&scene, &format!("sample -o p.csv {flag} {value}")));
        }
        let limit = format!("sample --size 9x9 -o p.csv --max-points {value}");
        good += usize::from(tried(&scene, &limit));
        // Over a map as well.
        for flag in ["--min-dist", "--max-dist"] {
            let args = format!("{BASE} ramp.png {flag} {value}");
            good += usize::from(tried(&scene, &args));
        }
    }
    assert!((5..40).contains(&good), "{good} went well");
}

#[test]
fn each_pair_of_distances() {
    let scene = Scene::new();
    for lo in LENGTHS {
        for hi in LENGTHS {
            tried(&scene, &format!("{BASE} --min-dist {lo} --max-dist {hi}"));
        }
    }
}

#[test]
fn each_size() {
    let scene = Scene::new();
    for width in LENGTHS {
        for height in LENGTHS {
            tried(&scene, &format!("{BASE} --size {width}x{height}"));
        }
    }
    for bad in &VALUES[..6] {
        for size in [format!("{bad}x3"), format!("3x{bad}")] {
            assert!(!tried(&scene, &format!("{BASE} --size {size}")), "{size}");
        }
    }
}

#[test]
fn each_size_with_each_distance() {
    let scene = Scene::new();
    for map in ["", "ramp.png"] {
        for size in LENGTHS {
            for distance in LENGTHS {
                let args = format!("{BASE} {map} --size {size}x{size} --min-dist {distance}");
                tried(&scene, &args);
            }
        }
    }
}

/// Far from the origin, points can be only as close as coordinates can express.
#[test]
fn each_origin() {
    let scene = Scene::new();
    let two_to_53 = "9007199254740992";
    for far in VALUES.into_iter().chain(["1e6", "1e15", two_to_53]) {
        for origin in [
            format!("{far},0"),
            format!("0,{far}"),
            format!("{far},{far}"),
        ] {
            let world = "--size 40x40 --min-dist 3";
            tried(&scene, &format!("{BASE} {world} --origin {origin}"));
        }
        for (side, distance) in [("1e8", "1e7"), ("1e150", "1e149")] {
            let world = format!("--size {side}x{side} --min-dist {distance}");
            tried(&scene, &format!("{BASE} {world} --origin {far},{far}"));
        }
    }
    for (origin, side, distance, good) in [
        ("1e6", "40", "3", true),
        ("-1e9", "40", "3", true),
        ("1e15", "40", "3", false),
        (two_to_53, "40", "3", false),
        ("1e15", "2e8", "1e7", true),
        (two_to_53, "2e8", "1e7", true),
    ] {
        let args =
            format!("{BASE} --size {side}x{side} --min-dist {distance} --origin {origin},{origin}");
        assert_eq!(tried(&scene, &args), good, "{args}");
    }
}

#[test]
fn numbers_for_the_judge() {
    let scene = Scene::new();
    let csv = "id,x,y,min_dist,value\n0,1,1,1,0\n1,5,1,1,0\n2,1,7,1,0\n";
    for value in VALUES {
        for flag in [
            "--min-dist",
            "--max-gap",
            "--origin 0,0 --size 9x",
            "--size 9x9 --origin 0,",
        ] {
            scene.write("q.csv", csv);
            let glue = if flag.ends_with(['x', ',']) { "" } else { " " };
            let args = format!("verify q.csv {flag}{glue}{value}");
            let run = run(&scene, &args);
            let what = format!("{args}: {:?}, {}", run.code, run.stderr);
            assert!(matches!(run.code, Some(0..=2)), "{what}");
            assert!(run.stderr.lines().count() <= 1, "{what}");
        }
    }
}

#[test]
fn numbers_in_a_file_for_the_judge() {
    let scene = Scene::new();
    for x in VALUES {
        for distance in VALUES {
            let csv = format!("x,y,min_dist\n{x},1,{distance}\n5,1,1\n2,{x},1\n");
            scene.write("q.csv", csv);
            let run = run(&scene, "verify q.csv");
            let what = format!("{x}, {distance}: {:?}, {}", run.code, run.stderr);
            assert!(matches!(run.code, Some(0..=2)), "{what}");
            assert!(run.stderr.lines().count() <= 1, "{what}");
        }
    }
}

/// Excessive requests are refused at once, in little memory, before any allocation. The least processor
/// time of three runs counts, since the machine may be busy.
#[test]
fn too_much_is_refused_within_100_milliseconds() {
    let scene = Scene::new();
    for args in [
        "--size 1e7x1e7 --min-dist 0.01",
        "--size 1e9x1e9 --min-dist 1",
        "--size 1e8x1e8 --min-dist 1 --max-points 1000000000000",
        "--size 1e6x1e6 --min-dist 1e-3 --max-dist 100 ramp.png",
        "--size 1e6x1e6 --min-dist 1 --algorithm bridson",
        "--size 1e8x1e8 --min-dist 1 --algorithm bridson --max-points 1000000000000",
        "--count 1000000000 --max-points 100",
    ] {
        let tries = (0..3).map(|_| time_to_refuse(&scene, args));
        let taken = tries.fold(f64::INFINITY, f64::min);
        assert!(taken < 0.1, "{args}: {taken} s of processor time");
    }
}

/// Returns the processor time, in seconds, of a run that must be refused.
fn time_to_refuse(scene: &Scene, args: &str) -> f64 {
    // The shell prints the user and system time of its children in the second line.
    let script = "ulimit -v 100000; \"$0\" \"$@\"; code=$?; times; exit $code";
    let run = scene.shell_run(script, &format!("sample -o p.csv {args}"));
    assert!(matches!(run.code, Some(1 | 2)), "{run}");
    run.stdout().lines().nth(1).map_or(f64::NAN, seconds)
}

/// Returns the sum of two times like `0m0.012s`.
fn seconds(times: &str) -> f64 {
    let one = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let parts: Option<Vec<f64>> = times.split_whitespace().map(one).collect();
    parts.map_or(f64::NAN, |parts| parts.iter().sum())
}

/// Distances from 1e-3 to 1e3 in adjacent pixels: refused for the point count, but with a cap the run ends
/// in little memory.
#[test]
fn a_steep_checkerboard_ends() {
    let scene = Scene::new();
    scene.picture("board.png", [16, 16], |x, y| {
        Luma([((x + y) % 2 * 255) as u8])
    });
    let steep = "board.png --min-dist 1e-3 --max-dist 1e3";
    // Pixels far larger than the least distance, then smaller than the greatest.
    for size in ["16x16", "1000x1000"] {
        let bridson =
            format!("sample {steep} --algorithm bridson --size {size} --max-points 20000 -o p.csv");
        assert!(tried(&scene, &bridson), "{size}");
        // Scatter must decide all points before the first ones are known, so it may refuse.
        let scatter = format!("sample {steep} --size {size} --max-points 20000 -o p.csv");
        tried(&scene, &scatter);
    }
    let refused = run(&scene, &format!("sample {steep} --size 1e4x1e4 -o p.csv"));
    refused.assert_refused(1, &["points are expected"]);
    let small = format!("sample {steep} --size 0.5x0.5 -o p.csv");
    assert!(tried(&scene, &small));
}

/// White noise: the distance changes 64-fold between pixels. Points depend on others so far away that
/// memory may not suffice; the error then names a remedy.
#[test]
fn white_noise_ends() {
    let scene = Scene::new();
    let mut state = 1_u64;
    scene.picture("noise.png", [512, 512], |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        Luma([(state >> 48) as u16])
    });
    let steep = "sample noise.png --min-dist 1 --max-dist 64 -o p.csv";
    // The remedy works.
    assert!(tried(&scene, &format!("{steep} --limit 0.25")));
    tried(&scene, &format!("{steep} --limit 0.5"));
    assert!(tried(&scene, &format!("{steep} --algorithm bridson")));
    if !tried(&scene, steep) {
        run(&scene, steep).assert_refused(1, &["memory", "--limit"]);
        assert_eq!(scene.drafts(), [""; 0]);
    }
}
