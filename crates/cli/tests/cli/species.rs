//! Several layers from a species file.

use crate::scene::Scene;
use image::LumaA;

const WOOD: &str = r##"
size = [64, 48]
rule = "mean"

[[layer]]
name = "oak"
map = "ramp.png"
min_dist = 3
max_dist = 9

[[layer]]
name = "sea fern"
min_dist = 1.5
turn = 1
colour = "#ff8800"

[[layer]]
name = "moss"
perlin = { frequency = 0.05 }
min_dist = 1
max_dist = 2
turn = 2

[[apart]]
between = ["moss", "oak"]
distance = 1.25

[[apart]]
between = ["moss", "sea fern"]
distance = 0
"##;

/// A scene with `wood.toml`.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("wood.toml", WOOD);
    scene
}

#[test]
fn layers_keep_apart_in_the_file_and_are_counted() {
    let scene = scene();
    scene
        .succeed("sample --species wood.toml -o w.csv --summary s.json")
        .assert_stderr_has("3 layers, world 64x48, rule mean");
    let points = scene.rows("w.csv");
    let mut counts = [0_u64; 3];
    let mut near = 0;
    for (i, a) in points.iter().enumerate() {
        counts[a.layer] += 1;
        for b in &points[i + 1..] {
            let keep = match (a.layer.min(b.layer), a.layer.max(b.layer)) {
                (0, 2) => 1.25,
                (1, 2) => 0.0,
                _ => 0.5 * (a.min_dist + b.min_dist),
            };
            let square = (a.x - b.x).powi(2) + (a.y - b.y).powi(2);
            assert!(square >= keep * keep, "layers {} and {}", a.layer, b.layer);
            near += u32::from(a.layer != b.layer && square < 1.5);
        }
    }
    assert!(counts.iter().all(|&n| n > 20), "{counts:?}");
    assert!(near > 20, "moss has no distance to keep from ferns: {near}");
    let summary = scene.json("s.json");
    assert_eq!(summary["points"], points.len());
    for (layer, (name, count)) in ["oak", "sea fern", "moss"].iter().zip(counts).enumerate() {
        assert_eq!(summary["layers"][layer]["name"], *name);
        assert_eq!(summary["layers"][layer]["points"], count);
    }
    assert_eq!(summary["layers"][1]["colour"], "#ff8800");
    assert_eq!(
        summary["apart"][0]["between"],
        serde_json::json!(["oak", "moss"])
    );
}

/// Distances between layers are in the species file, not in the points' file.
#[test]
fn points_of_layers_that_are_judged_as_one_set_say_so() {
    let scene = scene();
    scene.succeed("sample --species wood.toml -o w.csv");
    let told = "the points have layers: give --species FILE";
    scene.end("verify w.csv", 1).assert_stderr_has(told);
}

#[test]
fn names_and_colours_are_where_formats_have_them() {
    let scene = scene();
    scene.succeed(
        "sample --species wood.toml -o w.usda -o w.glb -o w.tscn -o w.svg --preview w.png",
    );
    let usda = scene.text("w.usda");
    for prototype in ["layer_0_oak", "layer_1_sea_fern", "layer_2_moss"] {
        assert!(usda.contains(&format!("def Xform \"{prototype}\"")));
        assert!(usda.contains(&format!("</spinney/Prototypes/{prototype}>")));
    }
    let glb = scene.read("w.glb");
    let glb = String::from_utf8_lossy(&glb);
    assert!(glb.contains("\"name\":\"sea fern\""));
    let godot = scene.text("w.tscn");
    assert!(godot.contains("[node name=\"Layer1_sea_fern\""));
    // #ff8800 is 1, 0.5333, 0 in sRGB, and 1, 0.2462, 0 in linear light.
    assert!(glb.contains("\"baseColorFactor\":[1.0,0.2462"), "{glb}");
    assert!(usda.contains("primvars:displayColor = [(1.0, 0.2462"));
    assert!(godot.contains("albedo_color = Color(1.0, 0.5333"));
    let svg = scene.text("w.svg");
    let circles: Vec<&str> = svg.lines().filter(|l| l.starts_with("<circle")).collect();
    for circle in &circles {
        let is_fern = circle.contains("data-layer=\"1\"");
        let is_orange = circle.ends_with(" fill=\"#ff8800\"/>");
        assert_eq!(is_fern, is_orange, "{circle}");
        assert!(circle.contains(" fill=\"#"), "{circle}");
    }
    assert!(!circles.is_empty());
    let picture = image::open(scene.path("w.png"))
        .expect("a picture")
        .to_rgb8();
    let orange = picture.pixels().filter(|p| p.0 == [255, 0x88, 0]).count();
    assert!(orange > 100, "{orange} pixels");
}

#[test]
fn mistakes_are_told_with_line_and_column() {
    let scene = Scene::new();
    let layer = "[[layer]]\nname = \"oak\"\nmin_dist = 3\n";
    let cases = [
        (
            "map = \"gone.png\"",
            "w.toml:4:7: layer \"oak\": gone.png: there is no such file",
        ),
        (
            "map = \"ramp.png\"\nmax_dist = 2",
            "w.toml:5:12: layer \"oak\": max_dist 2: must not be less",
        ),
        // These keys must not be ignored.
        (
            "max_dist = 30",
            "w.toml:4:12: max_dist needs a map or noise",
        ),
        (
            "white = \"dense\"",
            "w.toml:4:9: white needs a map or noise",
        ),
        (
            "map = \"ramp.png\"\nwhite = \"dens\"",
            "w.toml:5:9: \"dens\" is not one of sparse, dense",
        ),
        (
            "map = \"ramp.png\"\ngamma = -1",
            "w.toml:5:9: layer \"oak\": gamma -1: ",
        ),
        ("colour = \"red\"", "w.toml:4:10: a colour is written as"),
        (
            "turn = -1",
            "w.toml:4:8: invalid value: integer `-1`, expected a whole number from 0 to 4294967295",
        ),
        (
            "share = \"half\"",
            "w.toml:4:9: invalid type: string \"half\", expected a number",
        ),
        ("perlin = { octaves = 99 }", "w.toml:4:10: "),
        (
            "kolour = \"#ffffff\"",
            "w.toml:4:1: unknown field `kolour`, expected one of",
        ),
    ];
    for (more, problem) in cases {
        scene.write("w.toml", format!("{layer}{more}\n"));
        let expected = format!("error: --species {problem}");
        scene.refused("sample --species w.toml -o w.csv", 1, &[&expected]);
    }
    scene.write("w.toml", layer.replace("[[layer]]", "[layer]"));
    let told = "write two brackets, as in [[layer]] and [[apart]]";
    scene.refused("sample --species w.toml -o w.csv", 1, &[told]);
}

/// An error about the size in the file names its position there; an error about a flag names the flag.
#[test]
fn a_size_that_cannot_be_is_told_where_it_stands() {
    let scene = Scene::new();
    for (size, flags, problem) in [
        (
            "[0, 1]",
            "",
            "the world's size must be two positive finite numbers",
        ),
        (
            "[inf, 1]",
            "",
            "the world's size must be two positive finite numbers",
        ),
        (
            "[1, nan]",
            "",
            "the world's size must be two positive finite numbers",
        ),
        (
            "[1e308, 1]",
            "--origin 1.7e308,0",
            "the world reaches beyond",
        ),
        ("[5, 5]", "--origin 1e300,0", "too small for this origin"),
    ] {
        let text = format!("size = {size}\n[[layer]]\nname = \"oak\"\nmin_dist = 3\n");
        scene.write("w.toml", text);
        let expected = format!("error: --species w.toml:1:8: {problem}");
        let run = format!("sample --species w.toml {flags} -o w.csv");
        scene.refused(&run, 1, &[&expected]);
    }
    let run = "sample --species w.toml --size 4x4 --origin 1e300,0 -o w.csv";
    scene.refused(run, 2, &["error: --size 4x4 at --origin"]);
    let map = "[[layer]]\nname = \"oak\"\nmap = \"ramp.png\"\nmin_dist = 3\n";
    scene.write("w.toml", format!("size = [1e-310, 1e-310]\n{map}"));
    let told = "error: --species w.toml:1:8: the map's pixels would be too small";
    scene.refused("sample --species w.toml -o w.csv", 1, &[told]);
    scene.write("w.toml", map);
    let run = "sample --species w.toml --size 1e-310x1e-310 -o w.csv";
    scene.refused(run, 2, &["error: --size 1e-310x1e-310: the map's pixels"]);
    scene.write("ramp.pgw", "1\n0\n0\n-1\n0.5\n47.5\n");
    let run = "sample --species w.toml --origin 1e300,0 -o w.csv";
    scene.refused(run, 2, &["error: --origin 1e300,0 with a world of 64x48"]);
}

#[test]
fn flags_that_layers_say_themselves_are_refused() {
    let scene = scene();
    for flags in [
        "ramp.png",
        "--min-dist 3",
        "--max-dist 9",
        "--white dense",
        "--gamma 2",
        "--channel r",
        "--pixels",
        "--algorithm bridson",
        "--rule own",
        // A flag contradicts the file even with its default value.
        "--rule max",
        "--white sparse",
        "--map distance",
        "--density 1..2",
    ] {
        let flag = flags.split(' ').next().unwrap_or_default();
        let named = if flag.starts_with("--") { flag } else { "MAP" };
        let run = format!("sample --species wood.toml {flags} -o w.csv");
        scene.refused(&run, 2, &[named]);
    }
    scene.refused("sample --species wood.toml -o ramp.png -o w.csv", 2, &[]);
    let gone = "gone.toml: there is no such file";
    scene.refused("sample --species gone.toml -o w.csv", 1, &[gone]);
}

#[test]
fn what_was_written_is_verified_and_a_planted_fault_is_found() {
    let scene = scene();
    scene.succeed("sample --species wood.toml -o w.csv -o w.json --verify");
    for file in ["w.csv", "w.json"] {
        let size = if file == "w.csv" { "--size 64x48" } else { "" };
        let run = scene.succeed(&format!(
            "verify {file} --species wood.toml {size} --report r.json"
        ));
        for line in [
            "  rule        mean",
            "oak and sea fern, by the rule: 0 violations",
            "oak and moss, 1.25 apart: 0 violations",
            "sea fern and moss, no distance to keep: 0 violations",
        ] {
            run.assert_stdout_has(line);
        }
        let assumed = "  assumed     domain: from the points' file";
        let is_said = run.stdout().lines().any(|line| line == assumed);
        assert_eq!(is_said, size.is_empty(), "{}", run.stdout());
    }
    let report = scene.json("r.json");
    assert_eq!(report["between"][1]["layers"], serde_json::json!([0, 2]));
    assert_eq!(report["between"][1]["distance"], 1.25);
    // A moss moved to an oak is too near by the table. Next to a fern it has no distance to keep, though it
    // may be near another moss.
    let text = scene.text("w.csv");
    let lines: Vec<&str> = text.lines().collect();
    let of = |layer: &str| {
        lines
            .iter()
            .position(|l| l.ends_with(layer))
            .expect("a row")
    };
    let oak: Vec<&str> = lines[of(",0")].split(',').collect();
    let x: f64 = oak[1].parse().expect("a number");
    let moss = of(",2");
    let moved = (x + 1.2).to_string();
    let mut fields: Vec<&str> = lines[moss].split(',').collect();
    fields[1..3].copy_from_slice(&[&moved, oak[2]]);
    let fields = fields.join(",");
    let mut broken = lines.clone();
    broken[moss] = &fields;
    scene.write("b.csv", broken.join("\n"));
    let run = scene.end("verify b.csv --species wood.toml --size 64x48", 1);
    run.assert_stderr_has("pairs are too close");
    let between = run.stdout().lines().find(|l| l.contains("oak and moss"));
    assert!(!between.expect("a line").contains(": 0 violations"));
    // A layer that is not in the file, and points without layers.
    scene.write("u.csv", format!("{text}999,5,5,1,0,7\n"));
    let unknown = "point 999 is of layer 7, but there are 3";
    scene.refused(
        "verify u.csv --species wood.toml --size 64x48",
        1,
        &[unknown],
    );
    scene.write("n.csv", "x,y\n1,1\n");
    scene.refused("verify n.csv --species wood.toml", 1, &["no column layer"]);
    for flags in ["ramp.png", "--plot p.png", "--also w.csv", "--min-dist 3"] {
        scene.refused(&format!("verify w.csv --species wood.toml {flags}"), 2, &[]);
    }
}

#[test]
fn layers_keep_to_polygons_and_clear_of_points() {
    let scene = scene();
    scene.polygon("in.geojson", "[[4,4],[60,4],[60,30],[4,30],[4,4]]");
    scene.write("houses.csv", "x,y,min_dist\n30,15,8\n");
    let flags = "--polygon in.geojson --avoid houses.csv";
    scene
        .succeed(&format!(
            "sample --species wood.toml {flags} -o w.csv --summary s.json --verify"
        ))
        .assert_stderr_has("inside 1 polygon");
    let points = scene.rows("w.csv");
    let mut counts = [0; 3];
    for point in &points {
        let [x, y] = [point.x, point.y];
        counts[point.layer] += 1;
        assert!((4.0..=60.0).contains(&x) && (4.0..=30.0).contains(&y));
        let square = (x - 30.0).powi(2) + (y - 15.0).powi(2);
        let keep = 0.5 * (8.0 + point.min_dist);
        assert!(square >= keep * keep, "{x} {y}");
    }
    assert!(counts.iter().all(|&n| n > 5), "{counts:?}");
    let summary = scene.json("s.json");
    assert_eq!(summary["region"]["polygons"][0]["polygons"], 1);
    // Points outside the region are misplaced if `verify` gets the region.
    scene.succeed(&format!(
        "verify w.csv --species wood.toml --size 64x48 {flags}"
    ));
    scene.succeed("sample --species wood.toml -o all.csv");
    scene
        .end(
            &format!("verify all.csv --species wood.toml --size 64x48 {flags}"),
            1,
        )
        .assert_stderr_has("layers allow none");
}

#[test]
fn shares_are_counted() {
    let scene = Scene::new();
    let layer = |name: &str, share: u32| {
        format!("[[layer]]\nname = \"{name}\"\nmin_dist = 1\nshare = {share}\n")
    };
    let text = format!("size = [60, 60]\n{}{}", layer("oak", 3), layer("elm", 1));
    scene.write("w.toml", text);
    scene.succeed("sample --species w.toml --summary s.json -o w.csv");
    let summary = scene.json("s.json");
    let count = |layer: usize| {
        summary["layers"][layer]["points"]
            .as_f64()
            .expect("a number")
    };
    let share = count(0) / (count(0) + count(1));
    assert!((0.72..0.78).contains(&share), "{share}");
}

/// Regression: nothing grew where the layer of the least distances was closed, and nothing told.
#[test]
fn each_layer_is_maximal_or_its_gaps_are_found() {
    let scene = Scene::new();
    let text = "rule = \"mean\"\nsize = [300, 300]\n[[layer]]\nname = \"tree\"\nmin_dist = 8\n\
                [[layer]]\nname = \"flower\"\nmap = \"west.png\"\nmin_dist = 2\nmax_dist = 2\nturn = 1\n\
                [[apart]]\nbetween = [\"tree\", \"flower\"]\ndistance = 3\n";
    scene.write("w.toml", text);
    scene.picture("west.png", [40, 40], |x, _| {
        LumaA([99_u8, if x < 20 { 255 } else { 0 }])
    });
    scene.succeed("sample --species w.toml --verify -o w.csv");
    let verify = "verify w.csv --species w.toml --expect-maximal --report r.json";
    scene.succeed(verify);
    let lower = scene.json("r.json")["layers"][0]["gaps"]["lower"].as_f64();
    assert!(lower.is_some_and(|lower| lower < 1e-8), "{lower:?}");
    // A window whose rim the points beyond it fill, by the rule and at a fixed distance.
    scene.succeed("sample --species w.toml --window 50,50,150,150 -o w.json");
    scene.succeed("verify w.json --species w.toml --expect-maximal");
    scene.succeed("sample --species w.toml --window 50,50,64,150 -o w.json");
    let narrow = scene.run("verify w.json --species w.toml --expect-maximal");
    let told = narrow.stderr.matches("narrower than twice").count();
    assert_eq!((narrow.code, told), (Some(1), 1), "{narrow}");
    let points = scene.text("w.csv");
    let east = |line: &&str| {
        let x = line.split(',').nth(1).and_then(|x| x.parse::<f64>().ok());
        x.is_some_and(|x| x > 170.0)
    };
    assert!(points.lines().filter(east).count() > 350);
    let rest: Vec<&str> = points.lines().filter(|line| !east(line)).collect();
    scene.write("w.csv", rest.join("\n"));
    let run = scene.end(verify, 1);
    let problem = "layer 0 is not maximal: gaps cover";
    run.assert_stderr_has(problem);
    run.assert_stderr_lacks("layer 1");
    scene.end(&verify.replace("--expect-maximal", "--max-gap 0.3"), 1);
    scene.succeed(&verify.replace("--expect-maximal", "--max-gap 0.51"));
}

/// Values are written as the file has them, and not as the flag `--density LO..HI`.
#[test]
fn advice_about_densities_is_in_the_files_syntax() {
    let scene = Scene::new();
    let layer = "[[layer]]\nname = \"oak\"\nmap = \"ramp.png\"\ndensity = [2, 1]\n";
    scene.write("w.toml", layer);
    let told = "error: --species w.toml:4:11: layer \"oak\": density [2, 1]: write the least and \
                then the greatest number of points per area, both above 0, like [0.001, 0.05]";
    scene.refused("sample --species w.toml -o w.csv", 1, &[told]);
    let told = "--density 0..1: write the least and then the greatest number of points per area, \
                both above 0, like 0.001..0.05";
    scene.refused("sample ramp.png --density 0..1 -o w.csv", 2, &[told]);
}
