//! Runs that are too large are refused before they start; see `numbers.rs` for how soon.

use crate::scene::Scene;

#[test]
fn a_huge_run_is_refused_with_the_estimate_and_what_to_do() {
    let scene = Scene::new();
    for (flags, words) in [
        (
            "--size 1e7x1e7 --min-dist 0.01",
            &[
                "e17 points are expected",
                "100,000,000",
                "--max-points",
                "--min-dist",
            ][..],
        ),
        (
            "--algorithm bridson --size 1e8x1e8 --min-dist 1 --max-points 1000000000000",
            &["of memory", "points are expected", "--max-points", "--size"],
        ),
        // The first points are known only after all are decided.
        ("--size 1e8x1e8 --min-dist 1 --max-points 5", &["--size"]),
    ] {
        scene.refused(&format!("sample {flags} -o p.csv"), 1, words);
    }
}

#[test]
fn a_cap_makes_a_huge_run_possible() {
    let scene = Scene::new();
    let huge = "sample --algorithm bridson --size 1e8x1e8 --min-dist 1 -o p.csv";
    scene.refused(huge, 1, &["points are expected"]);
    let run = scene.succeed(&format!("{huge} --max-points 500"));
    assert!(run.stderr.ends_with("not complete\n"), "{run}");
    assert_eq!(scene.rows("p.csv").len(), 500);
}
