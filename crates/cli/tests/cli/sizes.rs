//! Runs that are too large are refused before they start.

use crate::scene::Scene;
use std::time::{Duration, Instant};

#[test]
fn a_huge_run_is_refused_at_once_with_the_estimate() {
    let scene = Scene::new();
    let before = scene.contents();
    let start = Instant::now();
    let run = scene.run("sample --size 1e7x1e7 --min-dist 0.01 -o p.csv");
    // Takes some 20 ms, but the machine may be busy.
    assert!(start.elapsed() < Duration::from_secs(5));
    run.assert_code(1);
    assert_eq!(run.stderr.lines().count(), 1);
    for says in [
        "e17 points are expected",
        "100,000,000",
        "--max-points",
        "--min-dist",
    ] {
        run.assert_stderr_has(says);
    }
    assert_eq!(scene.contents(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_does_not_fit_into_memory_is_refused_and_allocates_nothing() {
    let scene = Scene::new();
    let args = "sample --algorithm bridson --size 1e8x1e8 --min-dist 1 \
                --max-points 1000000000000 -o p.csv";
    let run = scene.limited(500_000, 20, args.split_whitespace());
    run.assert_code(1);
    for says in ["of memory", "points are expected", "--max-points", "--size"] {
        run.assert_stderr_has(says);
    }
    assert_eq!(scene.contents().len(), 2, "only the maps");
}

#[test]
fn a_cap_makes_a_huge_run_possible() {
    let scene = Scene::new();
    let huge = "sample --algorithm bridson --size 1e8x1e8 --min-dist 1 -o p.csv";
    scene.end(huge, 1);
    let run = scene.succeed(&format!("{huge} --max-points 500"));
    assert!(run.stderr.ends_with("not complete\n"), "{run}");
    assert_eq!(scene.rows("p.csv").len(), 500);
}

/// The first points are known only after all are decided.
#[test]
fn what_would_take_for_ever_is_refused_whatever_the_cap() {
    let scene = Scene::new();
    let run = scene.run("sample --size 1e8x1e8 --min-dist 1 --max-points 5 -o p.csv");
    assert!(matches!(run.code, Some(1 | 2)), "{run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
    run.assert_stderr_has("--size");
}
