//! `spinney verify`.

use crate::scene::Scene;
use image::{Luma, Rgba};
use sampler::Rule;
use std::fmt::Write as _;
use std::fs;

const FLAGS: &str = "--min-dist 2 --max-dist 6";

#[test]
fn our_own_points_hold_in_every_format() {
    let scene = Scene::new();
    let outputs = "-o p.csv -o p.json -o p.geojson -o p.ply -o p.npy";
    scene.succeed(&format!("sample ramp.png {FLAGS} {outputs}"));
    let lines = scene.text("p.csv").lines().count();
    for file in ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"] {
        let outputs = "--report report.json --plot plot.png";
        let run = scene.succeed(&format!("verify {file} ramp.png {FLAGS} {outputs}"));
        let plot = image::open(scene.path("plot.png")).expect("a picture");
        assert_eq!(plot.width(), 1600);
        fs::remove_file(scene.path("plot.png")).expect("it was there");
        let report = scene.json("report.json");
        assert_eq!(report["points"], lines - 1, "{file}");
        assert_eq!(report["violations"], 0, "{file}");
        for key in [
            "worst_ratio",
            "gap_fraction",
            "c",
            "rho",
            "mean_rho",
            "density_error",
        ] {
            assert!(report.get(key).is_some(), "{file}: no {key}");
        }
        let ratio = report["worst_ratio"].as_f64().expect("a number");
        assert!((1.0..1.2).contains(&ratio), "{file}: {ratio}");
        let c = report["c"].as_f64().expect("a number");
        assert!((0.4..0.75).contains(&c), "{file}: {c}");
        run.assert_stdout_has("violations      0");
    }
    // The file alone states enough to judge spacing.
    for file in ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"] {
        scene.succeed(&format!("verify {file}"));
    }
}

/// Returns flags for a rule, with an algorithm that supports it.
fn of_rule(rule: &str) -> String {
    let algorithm = if rule == "parent" {
        "bridson"
    } else {
        "scatter"
    };
    format!("--rule {rule} --algorithm {algorithm}")
}

#[test]
fn every_rule_is_held_to_its_own() {
    let scene = Scene::new();
    for rule in Rule::ALL.map(Rule::name) {
        scene.succeed(&format!(
            "sample ramp.png {FLAGS} {} -o {rule}.json",
            of_rule(rule)
        ));
        scene
            .succeed(&format!("verify {rule}.json ramp.png {FLAGS}"))
            .assert_stdout_has(&format!("rule: {rule}, from the points' file"));
    }
    // Points of a looser rule violate a stricter one.
    scene.end(&format!("verify min.json ramp.png {FLAGS} --rule max"), 1);
}

#[test]
fn a_broken_set_exits_1_and_names_the_pair() {
    let scene = Scene::new();
    scene.write("p.csv", "id,y,x\n5,0,0\n9,0,10\n7,0,14.999999995\n");
    let run = scene.end(
        "verify p.csv --min-dist 5 --size 20x20 --report report.json",
        1,
    );
    run.assert_stderr_has("p.csv: 1 pair is too close");
    run.assert_stdout_has("too close       7 and 9: 4.999999995 apart, should be 5");
    assert_eq!(scene.json("report.json")["worst_pairs"][0]["later"], 9);
    // Nothing is stated, so only the smallest distance is known.
    scene
        .succeed("verify p.csv --size 20x20")
        .assert_stdout_has("least distance  4.999999995");
    scene.write("same.csv", "x,y\n1,1\n1,1\n");
    scene
        .end("verify same.csv --size 9x9", 1)
        .assert_stdout_has("points coincide, which no distance allows");
}

/// The root of 82 is rounded up: its square is more than 82.
#[test]
fn the_smallest_distance_is_not_broken_by_its_own_rounding() {
    let scene = Scene::new();
    for text in ["x,y\n1,3\n10,2\n", "x,y\n1,3\n10,2\n30,30\n31,39\n"] {
        scene.write("p.csv", text);
        scene.succeed("verify p.csv --report report.json");
        let report = scene.json("report.json");
        assert_eq!(report["violations"], 0);
        assert_eq!(report["least_distance"], 82.0_f64.sqrt());
    }
    // An exact root is unchanged.
    scene.write("p.csv", "x,y\n0,0\n3,4\n");
    scene.succeed("verify p.csv --report report.json");
    assert_eq!(scene.json("report.json")["min_dist"], 5.0);
}

#[test]
fn gaps_fail_when_they_must() {
    let scene = Scene::new();
    scene.write("p.csv", "x,y\n5,5\n");
    let args = "verify p.csv --size 10x10 --min-dist";
    scene.succeed(&format!("{args} 8 --expect-maximal"));
    scene
        .end(&format!("{args} 6 --expect-maximal"), 1)
        .assert_stderr_has("not maximal");
    scene.succeed(&format!("{args} 6 --max-gap 0.2"));
    scene.end(&format!("{args} 6 --max-gap 0.001"), 1);
}

#[test]
fn bad_usage_exits_2_and_writes_nothing() {
    let scene = Scene::new();
    scene.write("p.csv", "x,y\n5,5\n6,7\n");
    scene.write("q.csv", "x,y,min_dist\n5,5,1\n6,7,2\n");
    for (args, wanted) in [
        ("verify", "<POINTS>"),
        ("verify p.txt", "p.txt: the name must end in"),
        ("verify . --report report.json", "must end in"),
        ("verify p.csv --max-gap 2", "from 0 to 1"),
        ("verify p.csv --channel r", "--channel r: needs a map"),
        ("verify p.csv --origin 1,1", "--origin 1,1: give --size"),
        (
            "verify p.csv --size 1x1 --origin 1e300,0",
            "error: --size 1x1: bounds must have a positive size",
        ),
        (
            "verify p.csv ramp.png --origin 1e300,0",
            "error: --origin 1e300,0 with a world of 64x48: too small for this origin",
        ),
        ("verify p.csv --report p.txt", "must end in .json"),
        (
            "verify q.csv --expect-maximal",
            "--expect-maximal: gaps can be checked only with the map that the points follow: give MAP",
        ),
        (
            "verify q.csv --max-gap 0.1",
            "error: --max-gap: gaps can be",
        ),
        (
            "verify p.csv ramp.png --min-dist 5 --max-dist 4",
            "--max-dist 4",
        ),
    ] {
        scene.refused(args, 2, &[wanted]);
    }
    scene.write("bad.csv", "x,y\n5,5\n6\n");
    let none = "none.csv: there is no such file";
    scene.refused("verify none.csv", 1, &[none]);
    scene.refused(
        "verify bad.csv --report report.json",
        1,
        &["bad.csv: CSV, line 3"],
    );
}

/// Opposite edges of a tile meet; those of this set do not.
#[test]
fn a_torus_is_judged_when_asked_for() {
    let scene = Scene::new();
    scene.write("p.csv", "x,y\n0.5,5\n9.5,5\n");
    scene.succeed("verify p.csv --size 10x10 --min-dist 2");
    scene.end("verify p.csv --size 10x10 --min-dist 2 --torus", 1);
}

/// A tile is judged as periodic, and a window without the gaps outside.
#[test]
fn what_a_file_says_of_its_edges_is_followed() {
    let scene = Scene::new();
    let flags = "sample --size 40x40 --min-dist 2 --max-dist 3 --seed 4 -q";
    let verify = |args: &str, edges: &str, max: [f64; 2]| {
        let run = scene.succeed(&format!("verify {args} --report r.json"));
        let report = scene.json("r.json");
        assert_eq!(report["edges"], edges, "{run}");
        assert_eq!(report["domain_max"], serde_json::json!(max), "{run}");
        run
    };
    let tile = "tile: from the points' file; opposite edges are one";
    let window = "window: from the points' file; gaps are not searched nearer to its edges than";
    for file in ["p.ply", "p.geojson", "p.json"] {
        scene.succeed(&format!("{flags} --window 10,10,30,50 -o {file}"));
        verify(file, "window", [30.0, 40.0]).assert_stdout_has(window);
        assert_eq!(
            scene.json("r.json")["domain_min"],
            serde_json::json!([10.0, 10.0])
        );
        scene.succeed(&format!("{flags} --tile -o {file}"));
        verify(file, "torus", [40.0, 40.0]).assert_stdout_has(tile);
    }
    // Flags that state the same world change nothing; a tile of another world is none of this.
    verify("p.json --size 40x40", "torus", [40.0, 40.0]);
    verify("p.json --size 40x41", "open", [40.0, 41.0])
        .assert_stdout_has("is one of another world");
    scene.succeed(&format!("{flags} --tile --window 10,10,30,50 -o p.json"));
    verify("p.json", "window", [30.0, 40.0]).assert_stdout_has(window);
    verify("p.json --size 40x40 --origin 0,0", "window", [30.0, 40.0]);
    // --torus must not be ignored beside a window.
    verify("p.json --tile", "torus", [40.0, 40.0]);
}

/// Regression: where the distances of neighbouring pixels differ much, no gap could be proved by its area, and a set
/// without one of its points passed.
#[test]
fn gaps_of_noise_are_found() {
    let scene = Scene::new();
    let mut state = 1_u32;
    scene.picture("noise.png", [32, 32], |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Luma([(state >> 24) as u8])
    });
    let strip = "noise.png --size 60x0.2 --min-dist 6 --max-dist 60";
    scene.succeed(&format!("sample {strip} -o p.csv"));
    let verify = format!("verify p.csv {strip} --expect-maximal --report r.json");
    scene.succeed(&verify);
    let points = scene.text("p.csv");
    let rest: Vec<&str> = points.lines().skip(1).collect();
    assert_eq!(rest.len(), 3, "{points}");
    for gone in 0..rest.len() {
        let mut lines: Vec<&str> = points.lines().collect();
        lines.remove(gone + 1);
        scene.write("p.csv", lines.join("\n"));
        let run = scene.end(&verify, 1);
        let hole = &scene.json("r.json")["largest_hole"];
        assert!(hole["ratio"].as_f64().is_some_and(|r| r > 1.01), "{hole}");
        run.assert_stderr_has("one more point fits at");
    }
}

/// Regression: a good window failed, as the points beyond it were missing.
#[test]
fn a_window_is_maximal_but_for_its_edges() {
    let scene = Scene::new();
    let part = format!("ramp.png {FLAGS} --size 99x99 --window 10,10,60,60");
    scene.succeed(&format!("sample {part} -o p.csv -o p.json"));
    let verify = format!("verify p.csv {part} --expect-maximal --report r.json");
    scene.succeed(&verify);
    scene.succeed(&format!("verify p.json ramp.png {FLAGS} --expect-maximal"));
    assert_eq!(scene.json("r.json")["edges"], "window");
    let points = scene.text("p.csv");
    let middle = |line: &&str| {
        let at: Vec<f64> = line.split(',').filter_map(|x| x.parse().ok()).collect();
        at.len() > 2 && at[1..3].iter().all(|x| (25.0..45.0).contains(x))
    };
    let rest = points.lines().filter(|line| !middle(line));
    let rest: Vec<&str> = rest.collect();
    assert!(rest.len() < points.lines().count(), "{points}");
    scene.write("p.csv", rest.join("\n"));
    scene.end(&verify, 1).assert_stderr_has("not maximal");
    scene.succeed(&format!(
        "sample {} -o p.csv",
        part.replace("60,60", "14,60")
    ));
    let narrow = "the window is narrower than twice the greatest min_dist";
    scene
        .end(&verify.replace("60,60", "14,60"), 1)
        .assert_stderr_has(narrow);
}

#[test]
fn sample_verifies_before_it_writes() {
    let scene = Scene::new();
    scene
        .succeed(&format!("sample ramp.png {FLAGS} --verify -o p.csv"))
        .assert_stderr_has("verified: every pair keeps its distance");
    assert!(scene.path("p.csv").exists());
    for rule in ["mean", "parent"] {
        scene.succeed(&format!(
            "sample {FLAGS} --size 99x99 {} --verify -o {rule}.csv",
            of_rule(rule)
        ));
    }
}

#[test]
fn solid_points_are_judged_with_the_same_flags() {
    let scene = Scene::new();
    // A lattice of step 2 in the box from 0 to 8: the farthest places are sqrt(3) away.
    let mut text = String::from("x,y,z\n");
    for i in 0..64 {
        let at = |k: u32| f64::from(2 * k + 1);
        let (x, y, z) = (at(i % 4), at(i / 4 % 4), at(i / 16));
        writeln!(text, "{x},{y},{z}").expect("a string takes all");
    }
    scene.write("p.csv", &text);
    let box8 = "verify p.csv --size 8x8x8 --origin 0,0,0 --report report.json";
    let run = scene.succeed(&format!("{box8} --min-dist 2 --plot plot.png"));
    let judged = scene.json("report.json");
    assert_eq!(judged["dimensions"], 3);
    assert_eq!(judged["violations"], 0);
    assert_eq!(judged["c"], 1.0);
    assert!(
        judged["rho"]
            .as_f64()
            .is_some_and(|rho| (rho - 0.8909).abs() < 1e-3)
    );
    assert_eq!(judged["gap_fraction"], 0.0);
    run.assert_stdout_has("0,0,0 to 8,8,8");
    scene.succeed(&format!("{box8} --min-dist 2 --expect-maximal"));
    // With 1.3, the gap in each cube of side 2 is the cube minus a ball without six caps.
    scene.end(&format!("{box8} --min-dist 1.3 --max-gap 0.01"), 1);
    let gaps = scene.json("report.json")["gap_fraction"]
        .as_f64()
        .expect("a number");
    let cap = |h: f64| std::f64::consts::PI * h * h * (3.0 * 1.3 - h) / 3.0;
    let truth = 1.0 - (4.0 / 3.0 * std::f64::consts::PI * 2.197 - 6.0 * cap(0.3)) / 8.0;
    assert!((gaps - truth).abs() < 0.003, "{gaps} {truth}");
    scene.end(&format!("{box8} --min-dist 2.1"), 1);
    for wrong in ["--size 8x8", "--size 8x8x8 --origin 1,2", "--origin 0,0,0"] {
        scene.end(&format!("verify p.csv --min-dist 2 {wrong}"), 2);
    }
    scene.write("flat.csv", "x,y\n1,1\n");
    scene
        .end("verify flat.csv --min-dist 2 --size 8x8x8", 2)
        .assert_stderr_has("have 2 coordinates");
}

#[test]
fn levels_of_detail_are_told() {
    let scene = Scene::new();
    let mut text = String::from("x,y,rank\n");
    for i in 0..64 {
        let (x, y) = (i % 8, i / 8);
        let rank = u32::from(x % 2 == 1 || y % 2 == 1);
        writeln!(text, "{x},{y},{rank}").expect("a string takes all");
    }
    scene.write("p.csv", &text);
    scene
        .succeed("verify p.csv --min-dist 1 --size 8x8 --report report.json")
        .assert_stdout_has("rank to 0, 16 points: least distance 2.000 of the larger min_dist");
    let prefixes = &scene.json("report.json")["prefixes"];
    assert_eq!(prefixes[0]["points"], 64);
    assert_eq!(prefixes[1]["least_ratio"], 2.0);
}

/// Transparent places are no gaps, and points there are misplaced.
#[test]
fn masks_are_no_gaps() {
    let scene = Scene::new();
    scene.picture("half.png", [40, 40], |x, _| {
        Rgba([0u8, 0, 0, if x < 20 { 255 } else { 0 }])
    });
    let flags = "half.png --min-dist 2 --max-dist 2";
    scene.succeed(&format!("sample {flags} -o p.csv"));
    scene.succeed(&format!("verify p.csv {flags} --max-gap 1e-5"));
    // These points again, over the whole square.
    scene.succeed("verify p.csv --min-dist 2 --size 40x40 --report report.json");
    let gaps = scene.json("report.json")["gap_fraction"].as_f64();
    assert!(gaps.is_some_and(|gaps| gaps > 0.4), "{gaps:?}");
    let points = scene.text("p.csv");
    scene.write("q.csv", points + "9999,35,35,2,0\n");
    scene
        .end(&format!("verify q.csv {flags}"), 1)
        .assert_stderr_has("1 point lies where the map allows none");
}

/// Regression: sets of `--count` were judged by distances without their factor, and condemned.
#[test]
fn the_scale_factor_of_a_run_is_followed() {
    let scene = Scene::new();
    let outputs =
        "-o c.json -o c.geojson -o c.ply -o c.csv -o c.svg -o c.usda -o p.json --summary s.json";
    scene.succeed(&format!("sample ramp.png {FLAGS} --count 600 -q {outputs}"));
    let factor = scene.json("s.json")["scale_factor"].to_string();
    assert!(factor.starts_with("0."), "{factor}");
    for file in ["c.svg", "c.usda"] {
        let text = scene.text(file);
        assert!(text.contains(&format!("scale_factor {factor}")), "{file}");
    }
    let told = format!("distances: multiplied by {factor}, from the points' file");
    for file in ["c.json", "c.geojson", "c.ply"] {
        let judged = scene.succeed(&format!("verify {file} ramp.png {FLAGS} --report r.json"));
        judged.assert_stdout_has(&told);
        let ratio = scene.json("r.json")["worst_ratio"].as_f64();
        assert!(ratio.is_some_and(|ratio| ratio < 1.05), "{ratio:?}");
        // The flag wins over the file.
        let flag = format!("verify {file} ramp.png {FLAGS} --scale-factor 1");
        let run = scene.end(&flag, 1);
        run.assert_stderr_has("too close");
        assert!(!run.stdout().contains("distances:"));
    }
    // CSV states nothing.
    let judge = format!("verify c.csv ramp.png {FLAGS}");
    scene.end(&judge, 1);
    scene.succeed(&format!("{judge} --scale-factor {factor}"));
    // The points' own distances are scaled already.
    scene.succeed("verify c.json");
    scene.succeed(&format!("sample ramp.png {FLAGS} -q -o p.json"));
    let text = scene.text("p.json");
    assert!(!text.contains("scale_factor"));
    for bad in ["0", "-1", "1e308"] {
        let bad = text.replacen("\"rule\"", &format!("\"scale_factor\":{bad},\"rule\""), 1);
        scene.write("bad.json", bad);
        let judge = format!("verify bad.json ramp.png {FLAGS}");
        scene.refused(&judge, 2, &["bad.json: scale_factor"]);
    }
}

/// Regression: points of a window in a CSV could not be judged: `--size` and `--origin` squeezed the map into
/// the window.
#[test]
fn a_window_is_judged_where_its_file_states_none() {
    let scene = Scene::new();
    let window = "--window 0,20,40,48";
    let outputs = "-o w.csv -o w.json";
    scene.succeed(&format!("sample ramp.png {FLAGS} {window} -q {outputs}"));
    let squeezed = format!("verify w.csv ramp.png {FLAGS} --size 40x28 --origin 0,20");
    scene.end(&squeezed, 1);
    let judged = |args: &str| {
        scene.succeed(&format!("verify {args} --report r.json"));
        let report = scene.json("r.json");
        let domain = ["domain_min", "domain_max"].map(|key| report[key].clone());
        (domain, report["gap_fraction"].clone())
    };
    let window_of = |min: [f64; 2], max: [f64; 2]| [min, max].map(|c| serde_json::json!(c));
    let stated = judged(&format!("w.json ramp.png {FLAGS}"));
    assert_eq!(stated.0, window_of([0.0, 20.0], [40.0, 48.0]));
    let given = judged(&format!("w.csv ramp.png {FLAGS} {window}"));
    assert_eq!(given, stated);
    // The flag wins over the file, and only what lies in the world counts.
    let half = judged(&format!("w.json ramp.png {FLAGS} --window=-9,20,40,66"));
    assert_eq!(half, stated);
    // Without a world the window is all of it.
    let alone = judged(&format!("w.csv {window}"));
    assert_eq!(alone.0, stated.0);
    let outside = format!("verify w.csv ramp.png {FLAGS} --window 900,0,990,9");
    let told = "--window 900,0,990,9: it lies outside the world";
    scene.refused(&outside, 2, &[told]);
}

/// Regression: the message named a map where there was none.
#[test]
fn points_that_lie_upside_down_are_refused_without_a_map() {
    let scene = Scene::new();
    scene.succeed("sample --size 40x40 --min-dist 2 --max-dist 3 --y-up -q -o p.json");
    scene.polygon("land.geojson", "[[0,0],[40,0],[40,40],[0,40],[0,0]]");
    let judge = "verify p.json --polygon land.geojson --min-dist 2";
    let told = "p.json: the file says that y points up, but here it points down: give --y-up";
    scene.refused(judge, 1, &[told]);
    scene.succeed(&format!("{judge} --y-up"));
}

/// Regression: neither points of other distances nor a changed `min_dist` was told.
#[test]
fn a_min_dist_that_is_not_the_maps_is_told() {
    let scene = Scene::new();
    let outputs = "-o p.csv -o p.json -o p.geojson -o p.ply -o p.npy";
    scene.succeed(&format!("sample ramp.png {FLAGS} {outputs}"));
    let told = |args: &str| {
        let run = scene.succeed(&format!("verify {args}"));
        let found = run
            .stdout()
            .lines()
            .find(|line| line.contains("min_dist that differs"));
        found.map(str::to_owned)
    };
    for file in ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"] {
        assert_eq!(told(&format!("{file} ramp.png {FLAGS}")), None);
        let found = told(&format!("{file} ramp.png --min-dist 1 --max-dist 3"));
        let found = found.expect("a warning");
        assert!(found.starts_with("  warning  "), "{found}");
        assert!(found.contains(" points have a min_dist"), "{found}");
    }
    assert_eq!(told("p.csv --min-dist 1"), None);
    let mut json = scene.json("p.json");
    let points = json["points"].as_array().expect("points").len();
    for (factor, is_told) in [(1.0005, false), (3.0, true), (0.3, true)] {
        let own = &mut json["points"][4]["min_dist"];
        let right = own.as_f64().expect("a number");
        *own = (factor * right).into();
        scene.write("q.json", json.to_string());
        json["points"][4]["min_dist"] = right.into();
        let found = told(&format!("q.json ramp.png {FLAGS}"));
        let words = format!(" 1 of its {points} points has a min_dist that differs");
        assert_eq!(found.is_some_and(|f| f.contains(&words)), is_told);
    }
    // A factor is part of the distances.
    scene.succeed(&format!(
        "sample ramp.png {FLAGS} --scale-factor 1.5 -o s.json -o s.csv"
    ));
    assert_eq!(told(&format!("s.json ramp.png {FLAGS}")), None);
    assert_eq!(
        told(&format!("s.csv ramp.png {FLAGS} --scale-factor 1.5")),
        None
    );
    assert!(told(&format!("s.csv ramp.png {FLAGS}")).is_some());
    // Each layer has its own distances.
    let text = |most: f64| {
        let map = format!("name = \"a\"\nmap = \"ramp.png\"\nmin_dist = 2\nmax_dist = {most}\n");
        format!("[[layer]]\n{map}[[layer]]\nname = \"b\"\nmin_dist = 7\n")
    };
    for (file, most) in [("w.toml", 6.0), ("v.toml", 5.0)] {
        scene.write(file, text(most));
    }
    scene.succeed("sample --species w.toml -o w.csv");
    assert_eq!(told("w.csv --species w.toml"), None);
    assert!(told("w.csv --species v.toml").is_some());
}

#[test]
fn one_is_not_a_plural() {
    let scene = Scene::new();
    scene.write("p.csv", "x,y\n1,1\n5,1\n30,30\n");
    let run = scene.end("verify p.csv --min-dist 5 --size 20x20", 1);
    for words in ["1 pair is too close", "1 point lies outside the world"] {
        run.assert_stderr_has(words);
    }
    run.assert_stdout_has("outside         1 point\n");
}

/// Regression: the spectrum of all files was missing without a word.
#[test]
fn a_further_file_without_points_is_named() {
    let scene = Scene::new();
    scene.succeed(&format!("sample ramp.png {FLAGS} -o p.csv"));
    scene.write("none.csv", "x,y\n");
    let words = ["--also", "none.csv", "no points"];
    scene.refused("verify p.csv --also p.csv --also none.csv", 2, &words);
    let none = "verify none.csv --size 64x48 --min-dist 2 --also p.csv";
    scene.refused(none, 2, &["none.csv has no points"]);
}

/// Regression: they were called an upper bound, which they are not where the smaller distance counts.
#[test]
fn gaps_of_points_alone_are_no_bound() {
    let scene = Scene::new();
    scene.succeed(&format!("sample ramp.png {FLAGS} --rule min -o p.csv"));
    let run = scene.succeed("verify p.csv --rule min --size 64x48");
    run.assert_stdout_has("gaps: places outside each point's own min_dist");
    assert!(!run.stdout().contains("upper bound"), "{}", run.stdout());
}
