//! Messages of a run that are easily wrong.

use crate::scene::Scene;
use image::{Luma, LumaA};

/// Returns the largest change of `min_dist` per unit of distance between any two points.
fn slope(scene: &Scene, name: &str) -> f64 {
    let rows = scene.rows(name);
    let mut most = 0.0_f64;
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            let apart = (a.x - b.x).hypot(a.y - b.y);
            most = most.max((a.min_dist - b.min_dist).abs() / apart);
        }
    }
    most
}

/// --count scales the slopes of --limit as well, which the run must say.
#[test]
fn a_limit_that_count_scales_is_told_as_it_comes_out() {
    let scene = Scene::new();
    let flags = "sample ramp.png --min-dist 1 --max-dist 9 -o p.csv --summary s.json";
    let run = scene.succeed(&format!("{flags} --count 60 --limit 0.1"));
    let said = "warning: --limit 0.1 was applied before all distances were multiplied";
    run.assert_stderr_has(said);
    let most = run.stderr.split("change by up to ").nth(1);
    let most = most.and_then(|rest| rest.split(' ').next());
    let most: f64 = most.and_then(|most| most.parse().ok()).expect("a slope");
    let came = slope(&scene, "p.csv");
    assert!(0.1 < came && came < 1.01 * most, "{came} {most}");
    assert_eq!(scene.warnings("s.json", "scaled-limit").len(), 1, "{run}");
    // The steps that points cannot follow are those of the same limit.
    let run = "sample ramp.png --min-dist 1 --max-dist 30 --count 10 --limit 0.25 -o p.csv";
    let run = scene.succeed(run);
    let said = "--limit 0.25 was applied before all distances";
    run.assert_stderr_has(said);
    run.assert_stderr_lacks("than points can follow");
    // Smaller distances also change less.
    scene
        .succeed(&format!("{flags} --count 900 --limit 0.1"))
        .assert_stderr_lacks("--limit 0.1 was applied");
}

/// Each layer of a species file has a limit of its own.
#[test]
fn the_limit_of_a_layer_that_is_scaled_is_told() {
    let scene = Scene::new();
    let tree = "[[layer]]\nname = \"tree\"\nmap = \"ramp.png\"\nmin_dist = 1\nmax_dist = 30\n";
    let grass = tree.replace("tree", "grass");
    let file = format!("{tree}limit = 0.25\n{grass}turn = 1\n");
    scene.write("wood.toml", file);
    let run = scene.succeed("sample --species wood.toml --scale-factor 2 -o p.csv");
    let said = |words: &str| {
        run.stderr
            .lines()
            .filter(|line| line.contains(words))
            .count()
    };
    assert_eq!(
        said("tree: limit = 0.25 was applied before all"),
        1,
        "{run}"
    );
    assert_eq!(said("was applied before all"), 1, "{run}");
    assert_eq!(said("than points can follow"), 1, "{run}");
}

/// Warnings about a map depend on the distances, which --count finds late.
#[test]
fn findings_are_of_the_distances_that_count_makes() {
    let scene = Scene::new();
    let flags = "sample ramp.png --min-dist 2 --max-dist 4 -o p.csv";
    let warned = |count: &str| {
        let run = scene.succeed(&format!("{flags} {count}"));
        run.stderr.contains("is less than a pixel")
    };
    assert!(!warned(""));
    assert!(warned("--count 20000"));
}

#[test]
fn a_tile_of_few_points_is_refused_in_terms_of_count() {
    let scene = Scene::new();
    let said = "error: --count 3: so few points would be up to ";
    scene.refused("sample --tile --count 3 --size 20x20 -o p.csv", 2, &[said]);
    let said = "error: --tile: the world is 20 wide, less than twice --max-dist 16";
    scene.refused("sample --tile --size 20x20 -o p.csv", 2, &[said]);
}

/// Layers have no --max-dist: their own keys must be named.
#[test]
fn a_tile_too_small_for_species_is_told_by_their_keys() {
    let scene = Scene::new();
    let layers = "[[layer]]\nname = \"oak\"\nmin_dist = 2\n[[layer]]\nname = \"fern\"\n\
                  perlin = {}\nmin_dist = 1\nmax_dist = OAK\n";
    let apart = "[[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 15\n";
    for (text, said) in [
        (
            layers.replace("OAK", "12"),
            "less than twice max_dist 12 of layer \"fern\": raise --size, or lower max_dist",
        ),
        (
            layers.replace("OAK", "3") + apart,
            "less than twice distance 15 of [[apart]] \"oak\", \"fern\": raise --size, or lower \
             distance",
        ),
    ] {
        scene.write("w.toml", text);
        let said = format!("error: --tile: the world is 20 wide, {said}\n");
        scene.refused(
            "sample --species w.toml --tile --size 20x40 -o p.csv",
            2,
            &[&said],
        );
    }
}

#[test]
fn stopped_layers_are_not_called_complete_but_for_unresolved_cells() {
    let scene = Scene::new();
    // The whole leaves hundreds of unresolved fragments.
    let text = "size = [200, 200]\n[[layer]]\nname = \"oak\"\nmin_dist = 0.5\n";
    scene.write("w.toml", text);
    let run = scene.succeed("sample --species w.toml --max-points 100 -o w.csv");
    let end = "stopped at --max-points 100, not complete\n";
    assert!(run.stderr.ends_with(end), "{run}");
}

/// Drawing the background of a preview must not count as sampling.
#[test]
fn only_sampling_counts_as_its_time() {
    let scene = Scene::new();
    let started = std::time::Instant::now();
    scene.succeed("sample --min-dist 200 --max-dist 200 -o p.csv --preview p.png --summary s.json");
    let all = started.elapsed().as_secs_f64();
    let sampling = scene.json("s.json")["seconds"].as_f64().expect("a number");
    assert!(
        sampling > 0.0 && 3.0 * sampling < all,
        "{sampling} of {all}"
    );
}

/// In GIS, points with y down lie at -y, far from their polygon.
#[test]
fn maps_with_y_down_are_warned_of() {
    let scene = Scene::new();
    scene.polygon("land.geojson", "[[4,4],[60,4],[60,30],[4,30],[4,4]]");
    let flags = "sample ramp.png --min-dist 3 --max-dist 6";
    let warning = "warning: p.geojson: without --y-up, y runs down";
    for (more, warned) in [
        ("-o p.geojson", None),
        ("--origin 9,9 -o p.csv", None),
        ("--origin 9,9 -o p.geojson", Some("--origin")),
        ("--origin 9,9 -o p.geojson --y-up", None),
        (
            "--polygon land.geojson -o p.geojson",
            Some("--polygon land.geojson"),
        ),
        ("--polygon land.geojson -o p.geojson --y-up", None),
    ] {
        let run = scene.succeed(&format!("{flags} {more}"));
        assert_eq!(run.stderr.contains(warning), warned.is_some(), "{more}");
        run.assert_stderr_has(warned.unwrap_or_default());
    }
    let layer = "name = \"oak\"\nmap = \"ramp.png\"\nmin_dist = 3\n";
    scene.write("w.toml", format!("[[layer]]\n{layer}"));
    scene
        .succeed("sample --species w.toml --origin 9,9 -o p.geojson")
        .assert_stderr_has(warning);
}

/// Maps with hard edges must be filled up to them.
#[test]
fn a_map_with_hard_edges_is_full() {
    let scene = Scene::new();
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/checkerboard.png");
    for rule in ["max", "prior"] {
        let flags = "--min-dist 8 --max-dist 96 --verify -o p.csv";
        scene
            .succeed(&format!("sample {map} --rule {rule} {flags}"))
            .assert_stderr_has("verified");
    }
}

/// With --origin forgotten, every pair keeps its distance, yet the points lie outside the world.
#[test]
fn points_outside_the_world_do_not_pass() {
    let scene = Scene::new();
    scene.succeed("sample --size 60x40 --origin 500000,5000000 --y-up --min-dist 4 -o w.csv");
    let there = "verify w.csv --min-dist 4 --size 60x40";
    scene.succeed(&format!("{there} --origin 500000,5000000"));
    let said = "points lie outside the world: give --size and --origin as in the run";
    scene.end(there, 1).assert_stderr_has(said);
}

/// A file without points has no columns, which is no reason to refuse it.
#[test]
fn no_points_to_avoid_are_none() {
    let scene = Scene::new();
    let flags = "sample --size 40x40 --min-dist 4";
    scene.succeed(&format!("{flags} -o plain.csv"));
    for name in ["e.csv", "e.json", "e.ply", "e.npy"] {
        let nowhere = "--height ramp.png --height-range 0..1 --altitude 5..9";
        scene.succeed(&format!("{flags} {nowhere} -o {name}"));
        let words = format!("warning: --avoid {name} has no points, so nothing is avoided");
        scene
            .succeed(&format!("{flags} --avoid {name} -o p.csv"))
            .assert_stderr_has(&words);
        let [plain, avoiding] = ["plain.csv", "p.csv"].map(|name| scene.rows(name));
        assert_eq!(plain.len(), avoiding.len(), "{name}");
    }
}

#[test]
fn a_count_above_the_limit_says_which_flag_is_the_limit() {
    let scene = Scene::new();
    let said = "error: --count 100: more than --max-points, 50: raise that to allow it";
    scene.refused("sample --count 100 --max-points 50 -o p.csv", 2, &[said]);
}

/// A layer without points has no node, so the order of nodes does not identify layers.
#[test]
fn nodes_of_a_scene_know_their_layer() {
    let scene = Scene::new();
    let layer = |name: &str, r: u32, turn: u32| {
        format!("[[layer]]\nname = \"{name}\"\nmin_dist = {r}\nturn = {turn}\n")
    };
    let apart = |a: &str| format!("[[apart]]\nbetween = [\"{a}\", \"also\"]\ndistance = 0\n");
    let layers = [
        layer("fill", 5, 0),
        layer("nothing", 40, 1),
        layer("also", 3, 2),
    ]
    .concat();
    let text = format!("{layers}{}{}", apart("fill"), apart("nothing"));
    scene.write("e.toml", text);
    scene.succeed("sample --species e.toml --size 40x40 -o e.tscn");
    let text = scene.text("e.tscn");
    let nodes: Vec<_> = text.split("[node name=\"Layer").skip(1).collect();
    assert_eq!(nodes.len(), 2);
    for (node, number) in nodes.into_iter().zip(["0", "2"]) {
        assert!(node.starts_with(&format!("{number}_")), "{node}");
        assert!(
            node.contains(&format!("metadata/layer = {number}")),
            "{node}"
        );
    }
}

/// Bridson's front dies early in a narrow world (udit/poisson-disc-sampling#2), so the run is not complete.
#[test]
fn a_front_that_dies_early_is_told() {
    let scene = Scene::new();
    let flags = "sample --size 400x20 --min-dist 10 --max-dist 10 --seed 1 --algorithm bridson";
    let run = scene.succeed(&format!("{flags} --tries 3 -o p.csv --summary s.json"));
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(
        lines[0].ends_with(", ended early, not complete"),
        "{lines:?}"
    );
    let said = "warning: bridson ended early and never reached ";
    assert!(lines[1].starts_with(said), "{lines:?}");
    assert!(lines[1].contains("raise --tries"), "{lines:?}");
    let summary = scene.json("s.json");
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["end"], "open");
    let share = summary["open_share"].as_f64().expect("a share");
    assert!((0.7..0.9).contains(&share), "{share}");
    let text = &lines[1]["warning: ".len()..];
    assert_eq!(scene.warnings("s.json", "early-end"), [text]);

    let run = scene.succeed(&format!("{flags} -o p.csv --summary s.json"));
    assert!(run.stderr.ends_with(", complete\n"), "{run}");
    let summary = scene.json("s.json");
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["end"], "complete");
    assert!(summary["open_share"].is_null());
    assert_eq!(scene.rows("p.csv").len() / 10, 6);
}

/// Checking takes too long where points may lie in lone pixels only.
#[test]
fn an_end_that_is_not_checked_is_told() {
    let scene = Scene::new();
    scene.picture("lone.png", [300, 300], |x, y| {
        LumaA([0u8, if x % 12 == 3 && y % 12 == 3 { 255 } else { 0 }])
    });
    let flags = "sample lone.png --size 300x300 --min-dist 1 --max-dist 1";
    scene
        .succeed(&format!(
            "{flags} --algorithm bridson -o p.csv --summary s.json"
        ))
        .assert_stderr_has("not checked for an early end");
    let summary = scene.json("s.json");
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["end"], "not checked");
    assert_eq!(scene.warnings("s.json", "end-not-checked").len(), 1);
}

/// Species keys have names of their own, not derived from flags letter by letter.
#[test]
fn layers_are_told_of_their_keys() {
    let scene = Scene::new();
    scene.picture("metres.png", [40, 40], |x, y| {
        Luma([(5 * x + y % 3) as u16])
    });
    scene.picture("edge.png", [40, 40], |x, _| {
        Luma([if x < 20 { 0u8 } else { 255 }])
    });
    scene.write("square.r16", [0; 18]);
    scene.write("raw.r16", [0; 12]);
    for (map, said) in [
        (
            "metres.png",
            "oak: metres.png uses only levels 0..197 of 0..65535, so distances are nearly the same \
             everywhere; range = [0, 197] makes the lowest of them black",
        ),
        ("edge.png", "give limit = 0.25, or blur the map"),
        ("square.r16", "perhaps raw_size = [3, 3]"),
        ("raw.r16", "give its size raw_size = [W, H]"),
    ] {
        let species = format!("[[layer]]\nname = \"oak\"\nmap = \"{map}\"\nmin_dist = 2\n");
        scene.write("w.toml", species);
        let run = scene.run("sample --species w.toml -o p.csv");
        run.assert_stderr_has(said);
        for flag in ["--range", "--limit", "--raw-size"] {
            run.assert_stderr_lacks(flag);
        }
    }
}
