//! `spinney verify`.

use crate::scene::Scene;
use std::fmt::Write as _;
use std::fs;

const FLAGS: &str = "--min-dist 2 --max-dist 6";

#[test]
fn our_own_points_hold_in_every_format() {
    let scene = Scene::new();
    let outputs = "-o p.csv -o p.json -o p.geojson -o p.ply -o p.npy";
    scene.succeed(&format!("sample ramp.png {FLAGS} {outputs}"));
    let lines = fs::read_to_string(scene.path("p.csv"))
        .expect("CSV")
        .lines()
        .count();
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
        let text = String::from_utf8(run.stdout).expect("text");
        assert!(text.contains("violations      0"), "{text}");
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
    for rule in ["max", "mean", "min", "own", "prior", "parent"] {
        scene.succeed(&format!(
            "sample ramp.png {FLAGS} {} -o {rule}.json",
            of_rule(rule)
        ));
        let run = scene.succeed(&format!("verify {rule}.json ramp.png {FLAGS}"));
        let text = String::from_utf8(run.stdout).expect("text");
        assert!(
            text.contains(&format!("rule: {rule}, from the points' file")),
            "{text}"
        );
    }
    // Points of a looser rule violate a stricter one.
    let run = scene.run(&format!("verify min.json ramp.png {FLAGS} --rule max"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

#[test]
fn a_broken_set_exits_1_and_names_the_pair() {
    let scene = Scene::new();
    fs::write(
        scene.path("p.csv"),
        "id,y,x\n5,0,0\n9,0,10\n7,0,14.999999995\n",
    )
    .expect("written");
    let run = scene.run("verify p.csv --min-dist 5 --size 20x20 --report report.json");
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("p.csv: 1 pair is too close"),
        "{}",
        run.stderr
    );
    let text = String::from_utf8(run.stdout).expect("text");
    assert!(
        text.contains("too close       7 and 9: 4.999999995 apart, should be 5"),
        "{text}"
    );
    assert_eq!(scene.json("report.json")["worst_pairs"][0]["later"], 9);
    // Nothing is stated, so only the smallest distance is known.
    let run = scene.succeed("verify p.csv --size 20x20");
    let text = String::from_utf8(run.stdout).expect("text");
    assert!(text.contains("least distance  4.999999995"), "{text}");
    fs::write(scene.path("same.csv"), "x,y\n1,1\n1,1\n").expect("written");
    assert_eq!(scene.run("verify same.csv --size 9x9").code, Some(1));
}

/// The root of 82 is rounded up: its square is more than 82.
#[test]
fn the_smallest_distance_is_not_broken_by_its_own_rounding() {
    let scene = Scene::new();
    for text in ["x,y\n1,3\n10,2\n", "x,y\n1,3\n10,2\n30,30\n31,39\n"] {
        fs::write(scene.path("p.csv"), text).expect("written");
        scene.succeed("verify p.csv --report report.json");
        let report = scene.json("report.json");
        assert_eq!(report["violations"], 0);
        assert_eq!(report["least_distance"], 82.0_f64.sqrt());
    }
    // An exact root is unchanged.
    fs::write(scene.path("p.csv"), "x,y\n0,0\n3,4\n").expect("written");
    scene.succeed("verify p.csv --report report.json");
    assert_eq!(scene.json("report.json")["min_dist"], 5.0);
}

#[test]
fn gaps_fail_when_they_must() {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "x,y\n5,5\n").expect("written");
    let args = "verify p.csv --size 10x10 --min-dist";
    scene.succeed(&format!("{args} 8 --expect-maximal"));
    let run = scene.run(&format!("{args} 6 --expect-maximal"));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("not maximal"), "{}", run.stderr);
    scene.succeed(&format!("{args} 6 --max-gap 0.2"));
    assert_eq!(
        scene.run(&format!("{args} 6 --max-gap 0.001")).code,
        Some(1)
    );
}

#[test]
fn bad_usage_exits_2_and_writes_nothing() {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "x,y\n5,5\n6,7\n").expect("written");
    fs::write(scene.path("q.csv"), "x,y,min_dist\n5,5,1\n6,7,2\n").expect("written");
    for (args, wanted) in [
        ("verify", "<POINTS>"),
        ("verify p.txt", "p.txt: the name must end in"),
        ("verify p.csv --max-gap 2", "from 0 to 1"),
        ("verify p.csv --channel r", "--channel r: needs a map"),
        ("verify p.csv --origin 1,1", "--origin 1,1: give --size"),
        (
            "verify p.csv --size 1x1 --origin 1e300,0",
            "error: --size 1x1: bounds must have a positive size",
        ),
        (
            "verify p.csv ramp.png --origin 1e300,0",
            "error: --origin 1e300,0: bounds must have a positive size",
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
        let run = scene.run(args);
        assert_eq!(run.code, Some(2), "{args}: {}", run.stderr);
        assert!(run.stderr.contains(wanted), "{args}: {}", run.stderr);
    }
    fs::write(scene.path("bad.csv"), "x,y\n5,5\n6\n").expect("written");
    for (args, wanted) in [
        ("verify none.csv", "none.csv: there is no such file"),
        (
            "verify bad.csv --report report.json",
            "bad.csv: CSV, line 3",
        ),
        ("verify . --report report.json", "must end in"),
    ] {
        let run = scene.run(args);
        assert!(
            run.code == Some(1) || run.code == Some(2),
            "{args}: {}",
            run.stderr
        );
        assert!(run.stderr.contains(wanted), "{args}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    assert!(!scene.path("report.json").exists());
}

/// Opposite edges of a tile meet; those of this set do not.
#[test]
fn a_torus_is_judged_when_asked_for() {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "x,y\n0.5,5\n9.5,5\n").expect("written");
    scene.succeed("verify p.csv --size 10x10 --min-dist 2");
    let run = scene.run("verify p.csv --size 10x10 --min-dist 2 --torus");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

/// A tile is judged as periodic, and a window without the gaps outside.
#[test]
fn what_a_file_says_of_its_edges_is_followed() {
    let scene = Scene::new();
    let flags = "sample --size 40x40 --min-dist 2 --max-dist 3 --seed 4 -q";
    for file in ["tile.json", "tile.geojson", "tile.ply"] {
        scene.succeed(&format!("{flags} --tile -o {file}"));
        let judged = scene.succeed(&format!("verify {file} --report r.json"));
        let told = "tile: from the points' file; opposite edges are one";
        let judged = String::from_utf8_lossy(&judged.stdout);
        assert!(judged.contains(told), "{judged}");
        assert_eq!(scene.json("r.json")["edges"], "torus");
        // Flags that state the same world change nothing; a tile of another world is none of this.
        scene.succeed(&format!("verify {file} --size 40x40 --report r.json"));
        assert_eq!(scene.json("r.json")["edges"], "torus");
        let judged = scene.succeed(&format!("verify {file} --size 40x41 --report r.json"));
        assert_eq!(scene.json("r.json")["edges"], "open");
        let judged = String::from_utf8_lossy(&judged.stdout);
        assert!(judged.contains("is one of another world"), "{judged}");
        for more in ["", "--tile"] {
            scene.succeed(&format!("{flags} {more} --window 10,10,30,50 -o {file}"));
            let judged = scene.succeed(&format!("verify {file} --report r.json"));
            let told =
                "window: from the points' file; gaps are not searched nearer to its edges than";
            let judged = String::from_utf8_lossy(&judged.stdout);
            assert!(judged.contains(told), "{judged}");
            let report = scene.json("r.json");
            assert_eq!(report["domain_min"], serde_json::json!([10.0, 10.0]));
            assert_eq!(report["domain_max"], serde_json::json!([30.0, 40.0]));
            assert_eq!(report["edges"], "window");
            scene.succeed(&format!(
                "verify {file} --size 40x40 --origin 0,0 --report r.json"
            ));
            assert_eq!(
                scene.json("r.json")["domain_max"],
                serde_json::json!([30.0, 40.0])
            );
            // --torus must not be ignored beside a window.
            scene.succeed(&format!("verify {file} --tile --report r.json"));
            let report = scene.json("r.json");
            assert_eq!(report["domain_max"], serde_json::json!([40.0, 40.0]));
            assert_eq!(report["edges"], "torus");
        }
    }
}

/// Regression: where the distances of neighbouring pixels differ much, no gap could be proved by its area, and a set
/// without one of its points passed.
#[test]
fn gaps_of_noise_are_found() {
    let scene = Scene::new();
    let mut state = 1_u32;
    let noise = image::GrayImage::from_fn(32, 32, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Luma([(state >> 24) as u8])
    });
    noise.save(scene.path("noise.png")).expect("written");
    let strip = "noise.png --size 60x0.2 --min-dist 6 --max-dist 60";
    scene.succeed(&format!("sample {strip} -o p.csv"));
    let verify = format!("verify p.csv {strip} --expect-maximal --report r.json");
    scene.succeed(&verify);
    let points = fs::read_to_string(scene.path("p.csv")).expect("written");
    let rest: Vec<&str> = points.lines().skip(1).collect();
    assert_eq!(rest.len(), 3, "{points}");
    for gone in 0..rest.len() {
        let mut lines: Vec<&str> = points.lines().collect();
        let point = lines.remove(gone + 1);
        fs::write(scene.path("p.csv"), lines.join("\n")).expect("written");
        let run = scene.run(&verify);
        assert_eq!(run.code, Some(1), "without {point}: {}", run.stderr);
        let hole = &scene.json("r.json")["largest_hole"];
        assert!(hole["ratio"].as_f64().is_some_and(|r| r > 1.01), "{hole}");
        assert!(
            run.stderr.contains("one more point fits at"),
            "{}",
            run.stderr
        );
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
    let points = fs::read_to_string(scene.path("p.csv")).expect("written");
    let middle = |line: &&str| {
        let at: Vec<f64> = line.split(',').filter_map(|x| x.parse().ok()).collect();
        at.len() > 2 && at[1..3].iter().all(|x| (25.0..45.0).contains(x))
    };
    let rest = points.lines().filter(|line| !middle(line));
    let rest: Vec<&str> = rest.collect();
    assert!(rest.len() < points.lines().count(), "{points}");
    fs::write(scene.path("p.csv"), rest.join("\n")).expect("written");
    let run = scene.run(&verify);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("not maximal"), "{}", run.stderr);
    scene.succeed(&format!(
        "sample {} -o p.csv",
        part.replace("60,60", "14,60")
    ));
    let run = scene.run(&verify.replace("60,60", "14,60"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let narrow = "the window is narrower than twice the greatest min_dist";
    assert!(run.stderr.contains(narrow), "{}", run.stderr);
}

#[test]
fn sample_verifies_before_it_writes() {
    let scene = Scene::new();
    let run = scene.succeed(&format!("sample ramp.png {FLAGS} --verify -o p.csv"));
    assert!(
        run.stderr
            .contains("verified: every pair keeps its distance"),
        "{}",
        run.stderr
    );
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
    fs::write(scene.path("p.csv"), &text).expect("written");
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
    assert!(String::from_utf8_lossy(&run.stdout).contains("0,0,0 to 8,8,8"));
    scene.succeed(&format!("{box8} --min-dist 2 --expect-maximal"));
    // With 1.3, the gap in each cube of side 2 is the cube minus a ball without six caps.
    assert_eq!(
        scene
            .run(&format!("{box8} --min-dist 1.3 --max-gap 0.01"))
            .code,
        Some(1)
    );
    let gaps = scene.json("report.json")["gap_fraction"]
        .as_f64()
        .expect("a number");
    let cap = |h: f64| std::f64::consts::PI * h * h * (3.0 * 1.3 - h) / 3.0;
    let truth = 1.0 - (4.0 / 3.0 * std::f64::consts::PI * 2.197 - 6.0 * cap(0.3)) / 8.0;
    assert!((gaps - truth).abs() < 0.003, "{gaps} {truth}");
    assert_eq!(scene.run(&format!("{box8} --min-dist 2.1")).code, Some(1));
    for wrong in ["--size 8x8", "--size 8x8x8 --origin 1,2", "--origin 0,0,0"] {
        let run = scene.run(&format!("verify p.csv --min-dist 2 {wrong}"));
        assert_eq!(run.code, Some(2), "{wrong}: {}", run.stderr);
    }
    fs::write(scene.path("flat.csv"), "x,y\n1,1\n").expect("written");
    let run = scene.run("verify flat.csv --min-dist 2 --size 8x8x8");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("have 2 coordinates"), "{}", run.stderr);
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
    fs::write(scene.path("p.csv"), &text).expect("written");
    let run = scene.succeed("verify p.csv --min-dist 1 --size 8x8 --report report.json");
    let text = String::from_utf8(run.stdout).expect("text");
    assert!(
        text.contains("rank to 0, 16 points: least distance 2.000 of the larger min_dist"),
        "{text}"
    );
    let prefixes = &scene.json("report.json")["prefixes"];
    assert_eq!(prefixes[0]["points"], 64);
    assert_eq!(prefixes[1]["least_ratio"], 2.0);
}

/// Transparent places are no gaps, and points there are misplaced.
#[test]
fn masks_are_no_gaps() {
    let scene = Scene::new();
    let half = image::RgbaImage::from_fn(40, 40, |x, _| {
        image::Rgba([0, 0, 0, if x < 20 { 255 } else { 0 }])
    });
    half.save(scene.path("half.png")).expect("a map");
    let flags = "half.png --min-dist 2 --max-dist 2";
    scene.succeed(&format!("sample {flags} -o p.csv"));
    scene.succeed(&format!(
        "verify p.csv {flags} --max-gap 0.01 --report report.json"
    ));
    let masked = scene.json("report.json");
    assert!(
        masked["gap_fraction"]
            .as_f64()
            .is_some_and(|gaps| gaps < 5e-3),
        "{masked}"
    );
    // These points again, over the whole square.
    scene.run("verify p.csv --min-dist 2 --size 40x40 --report report.json");
    assert!(
        scene.json("report.json")["gap_fraction"]
            .as_f64()
            .is_some_and(|gaps| gaps > 0.4)
    );
    let points = fs::read_to_string(scene.path("p.csv")).expect("points");
    fs::write(scene.path("q.csv"), points + "9999,35,35,2,0\n").expect("written");
    let run = scene.run(&format!("verify q.csv {flags}"));
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr
            .contains("1 point lies where the map allows none"),
        "{}",
        run.stderr
    );
}

/// Regression: sets of `--count` were judged by distances without their factor, and condemned.
#[test]
fn the_scale_factor_of_a_run_is_followed() {
    let scene = Scene::new();
    let outputs =
        "-o c.json -o c.geojson -o c.ply -o c.csv -o c.svg -o c.usda -o p.json --summary s.json";
    scene.succeed(&format!(
        "sample ramp.png {FLAGS} --count 3000 -q {outputs}"
    ));
    let factor = scene.json("s.json")["scale_factor"].to_string();
    assert!(factor.starts_with("0."), "{factor}");
    for file in ["c.svg", "c.usda"] {
        let text = fs::read_to_string(scene.path(file)).expect("text");
        assert!(text.contains(&format!("scale_factor {factor}")), "{file}");
    }
    let told = format!("distances: multiplied by {factor}, from the points' file");
    for file in ["c.json", "c.geojson", "c.ply"] {
        let judged = scene.succeed(&format!("verify {file} ramp.png {FLAGS} --report r.json"));
        let judged = String::from_utf8_lossy(&judged.stdout);
        assert!(judged.contains(&told), "{judged}");
        let ratio = scene.json("r.json")["worst_ratio"].as_f64();
        assert!(ratio.is_some_and(|ratio| ratio < 1.05), "{ratio:?}");
        // The flag wins over the file.
        let flag = format!("verify {file} ramp.png {FLAGS} --scale-factor 1");
        let run = scene.run(&flag);
        assert!(run.stderr.contains("too close"), "{}", run.stderr);
        assert!(!String::from_utf8_lossy(&run.stdout).contains("distances:"));
    }
    // CSV states nothing.
    let judge = format!("verify c.csv ramp.png {FLAGS}");
    assert_eq!(scene.run(&judge).code, Some(1));
    scene.succeed(&format!("{judge} --scale-factor {factor}"));
    // The points' own distances are scaled already.
    scene.succeed("verify c.json");
    scene.succeed(&format!("sample ramp.png {FLAGS} -q -o p.json"));
    let text = fs::read_to_string(scene.path("p.json")).expect("text");
    assert!(!text.contains("scale_factor"));
    for bad in ["0", "-1", "1e308"] {
        let bad = text.replacen("\"rule\"", &format!("\"scale_factor\":{bad},\"rule\""), 1);
        fs::write(scene.path("bad.json"), bad).expect("written");
        let run = scene.run(&format!("verify bad.json ramp.png {FLAGS}"));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(
            run.stderr.contains("bad.json: scale_factor"),
            "{}",
            run.stderr
        );
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
    assert_eq!(scene.run(&squeezed).code, Some(1));
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
    let run = scene.run(&format!(
        "verify w.csv ramp.png {FLAGS} --window 900,0,990,9"
    ));
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("--window 900,0,990,9: it lies outside the world"),
        "{}",
        run.stderr
    );
}

/// Regression: the message named a map where there was none.
#[test]
fn points_that_lie_upside_down_are_refused_without_a_map() {
    let scene = Scene::new();
    scene.succeed("sample --size 40x40 --min-dist 2 --max-dist 3 --y-up -q -o p.json");
    let land = r#"{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,40],[0,40],[0,0]]]}"#;
    fs::write(scene.path("land.geojson"), land).expect("written");
    let judge = "verify p.json --polygon land.geojson --min-dist 2";
    let run = scene.run(judge);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = "p.json: the file says that y points up, but here it points down: give --y-up";
    assert!(run.stderr.contains(told), "{}", run.stderr);
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
        let text = String::from_utf8(run.stdout).expect("text");
        let found = text
            .lines()
            .find(|line| line.contains("min_dist that differs"));
        found.map(str::to_owned)
    };
    for file in ["p.csv", "p.json", "p.geojson", "p.ply", "p.npy"] {
        assert_eq!(told(&format!("{file} ramp.png {FLAGS}")), None);
        assert_eq!(told(&format!("{file} --min-dist 1")), None);
        let found = told(&format!("{file} ramp.png --min-dist 1 --max-dist 3"));
        let found = found.expect("a warning");
        assert!(found.starts_with("  warning  "), "{found}");
        assert!(found.contains(" points have a min_dist"), "{found}");
    }
    let mut json = scene.json("p.json");
    let points = json["points"].as_array().expect("points").len();
    for (factor, is_told) in [(1.0005, false), (3.0, true), (0.3, true)] {
        let own = &mut json["points"][4]["min_dist"];
        let right = own.as_f64().expect("a number");
        *own = (factor * right).into();
        fs::write(scene.path("q.json"), json.to_string()).expect("written");
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
        fs::write(scene.path(file), text(most)).expect("written");
    }
    scene.succeed("sample --species w.toml -o w.csv");
    assert_eq!(told("w.csv --species w.toml"), None);
    assert!(told("w.csv --species v.toml").is_some());
}

#[test]
fn one_is_not_a_plural() {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "x,y\n1,1\n5,1\n30,30\n").expect("written");
    let run = scene.run("verify p.csv --min-dist 5 --size 20x20");
    for words in ["1 pair is too close", "1 point lies outside the world"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let text = String::from_utf8(run.stdout).expect("text");
    assert!(text.contains("outside         1 point\n"), "{text}");
}

/// Regression: the spectrum of all files was missing without a word.
#[test]
fn a_further_file_without_points_is_named() {
    let scene = Scene::new();
    scene.succeed(&format!("sample ramp.png {FLAGS} -o p.csv"));
    fs::write(scene.path("none.csv"), "x,y\n").expect("written");
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
    let text = String::from_utf8(run.stdout).expect("text");
    assert!(
        text.contains("gaps: places outside each point's own min_dist"),
        "{text}"
    );
    assert!(!text.contains("upper bound"), "{text}");
}
