//! `spinney verify` where its inputs do not fit together.

use crate::scene::Scene;
use std::fs;

/// Regression: the spectrum of sets of another world was wrong without a word.
#[test]
fn a_further_file_of_another_world_is_refused() {
    let scene = Scene::new();
    let sample = "sample --min-dist 3 --size 60x40";
    scene.succeed(&format!("{sample} -o here.json"));
    scene.succeed(&format!("{sample} --origin 30,0 -o there.json"));
    scene.succeed("verify here.json --also here.json");
    let words = ["--also there.json", "points lie outside the world"];
    scene.refused("verify here.json --also there.json", 1, &words);
}

/// Regression: points outside of the window called for another `--size` and `--origin`.
#[test]
fn points_outside_a_window_name_it() {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "x,y\n5,5\n20,20\n").expect("written");
    let flags = "verify p.csv --min-dist 2 --size 30x30 --window 0,0,10,10";
    let run = scene.run(flags);
    run.assert_code(1);
    let said = "1 point lies outside --window: give the window of the run, or a file of its points";
    run.assert_stderr_has(said);
    assert!(!run.stderr.contains("--size"), "{}", run.stderr);
}

/// Regression: shares that are no number passed.
#[test]
fn gaps_without_a_share_do_not_pass() {
    let scene = Scene::new();
    fs::write(scene.path("far.csv"), "x,y,z\n0,0,0\n1e105,1e105,1e105\n").expect("written");
    let verify = "verify far.csv --min-dist 1";
    scene.succeed(verify);
    for verdict in ["--max-gap 0.1", "--expect-maximal"] {
        let run = scene.run(&format!("{verify} {verdict}"));
        run.assert_code(1);
        let said = "gaps are not defined";
        run.assert_stderr_has(said);
    }
}

/// Regression: a map was laid over the world of the points, wherever its file says that it lies.
#[test]
fn a_map_elsewhere_than_the_points_is_told() {
    let scene = Scene::new();
    for (name, west) in [("a.asc", 1000), ("b.asc", 5000)] {
        let head = format!("ncols 4\nnrows 4\nxllcorner {west}\nyllcorner 2000\ncellsize 50\n");
        let rows = "0 1 2 3\n1 2 3 4\n2 3 4 5\n3 4 5 6\n";
        fs::write(scene.path(name), head + rows).expect("written");
    }
    let flags = "--min-dist 12 --max-dist 30";
    scene.succeed(&format!("sample a.asc {flags} -o p.json -o p.csv"));
    let told = |args: &str| {
        let run = scene.succeed(&format!("verify {args} {flags}"));
        let table = String::from_utf8(run.stdout).expect("text");
        table.contains("b.asc states that it covers 5000,2000 to 5200,2200")
    };
    assert!(!told("p.json a.asc"));
    assert!(!told("p.csv a.asc"));
    assert!(told("p.json b.asc"));
    // A world that flags state is meant.
    assert!(!told(
        "p.json b.asc --size 200x200 --origin 1000,2000 --y-up"
    ));
    // Regression: it was not told of the maps of layers.
    for name in ["a", "b"] {
        let layer = format!("[[layer]]\nname = \"{name}\"\nmap = \"{name}.asc\"\nmin_dist = 12\n");
        fs::write(scene.path(format!("{name}.toml")), layer).expect("written");
    }
    scene.succeed("sample --species a.toml -o s.json");
    let told = |species: &str| {
        let run = scene.run(&format!("verify s.json --species {species}"));
        run.stdout().contains("b.asc states that it covers")
    };
    assert!(!told("a.toml"));
    assert!(told("b.toml"));
}
