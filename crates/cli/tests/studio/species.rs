//! Several species, saved to files and loaded again.

use crate::running::{REPOSITORY, Random, Running, assert_refused, of_csv};
use serde_json::{Value, json};
use std::fs;

/// Saves the species file and its maps as the page does.
fn save(studio: &Running) -> (String, Vec<(String, Vec<u8>)>) {
    let saved = studio.client.get("/api/species").json();
    let text = saved["text"].as_str().expect("a text").to_owned();
    let names = saved["maps"].as_array().expect("names");
    let map = |(i, name): (usize, &Value)| {
        let answer = studio.client.get(&format!("/api/map.png?layer={i}"));
        assert_eq!(answer.status, 200);
        (name.as_str().expect("a name").to_owned(), answer.body)
    };
    let maps: Vec<_> = names.iter().enumerate().map(map).collect();
    fs::write(studio.path("species.toml"), &text).expect("written");
    for (name, bytes) in &maps {
        fs::write(studio.path(name), bytes).expect("written");
    }
    (text, maps)
}

fn layered() -> Running {
    let studio = Running::start(&[]);
    let mut random = Random(5);
    studio.post(
        "/api/layer",
        &json!({ "name": "old oak", "min_dist": 9.0, "max_dist": 20.0 }),
    );
    studio.post("/api/layers/add", &json!({}));
    let fern = json!({
        "name": "fern", "colour": "#66aa33", "min_dist": 3.0, "max_dist": 14.0, "turn": 1,
        "white": "dense",
    });
    studio.post("/api/layer", &fern);
    for number in 1..6 {
        studio.stroke(
            number,
            "paint",
            60.0,
            random.between(0.2, 1.0),
            &random.path(512.0),
        );
    }
    studio.post("/api/layers/add", &json!({}));
    studio.post(
        "/api/layer",
        &json!({ "name": "stone", "min_dist": 12.0, "share": 2.0 }),
    );
    studio.stroke(9, "erase", 200.0, 0.0, &[[200.0, 200.0], [400.0, 300.0]]);
    let apart = json!([
        { "between": [0, 1], "distance": 4.0 },
        { "between": [1, 2], "distance": 0.0 },
    ]);
    studio.post("/api/apart", &apart);
    studio.set(&json!({ "rule": "mean", "size": [200.0, 200.0], "seed": 3 }));
    studio
}

#[test]
fn layers_are_those_of_the_saved_species_file() {
    let studio = layered();
    let shown = studio.points();
    save(&studio);
    studio.run_shown("--preview picture.png");
    let csv = studio.read("points.csv");
    assert!(studio.export("points.csv") == csv);
    assert!(studio.export("x.png") == studio.read("picture.png"));
    assert!(shown == of_csv(&csv));
    let layers: Vec<f32> = shown.iter().map(|p| p[3]).collect();
    for layer in [0.0, 1.0, 2.0] {
        assert!(layers.contains(&layer), "layer {layer} has no points");
    }
    for name in ["p.glb", "p.json", "p.svg", "p.tscn", "p.usda"] {
        let mut names = studio.state()["settings"]["names"].clone();
        names["output"] = json!(name);
        studio.set(&json!({ "names": names }));
        studio.run_shown("");
        assert!(studio.export(name) == studio.read(name), "{name}");
    }
}

#[test]
fn a_saved_species_file_comes_back() {
    let studio = layered();
    let (text, maps) = save(&studio);
    let csv = studio.export("points.csv");
    let parts = maps
        .iter()
        .map(|(name, map)| (name.as_str(), map.as_slice()));
    let other = Running::start(&[]);
    load(&other, &text, &parts.collect::<Vec<_>>());
    other.set(&json!({ "seed": 3 }));
    assert!(other.export("points.csv") == csv);
    let names = |studio: &Running| {
        let layers = studio.state()["layers"].clone();
        let layers = layers.as_array().expect("layers").clone();
        layers
            .iter()
            .map(|l| l["settings"]["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&other), names(&studio));
    // A map is missing.
    refused(&other, &text, &[], "together with the species file");
    assert!(other.export("points.csv") == csv, "and nothing has changed");
}

/// Names and contents of maps.
type Maps<'m> = &'m [(&'m str, &'m [u8])];

/// Returns a species file and its maps, as the page sends them.
fn bundle(text: &str, maps: Maps) -> Vec<u8> {
    let lengths: Vec<_> = maps.iter().map(|(n, b)| json!([n, b.len()])).collect();
    let head = json!({ "text": text, "maps": lengths }).to_string();
    let mut body = (head.len() as u32).to_le_bytes().to_vec();
    body.extend(head.bytes());
    for (_, bytes) in maps {
        body.extend(*bytes);
    }
    body
}

/// A layer without a map has the points of the same file; noise is refused with advice.
#[test]
fn layers_without_maps_are_even() {
    let studio = Running::start(&[]);
    let text = "size = [300.0, 200.0]\n[[layer]]\nname = \"oak\"\nmin_dist = 9.0\n\
                [[layer]]\nname = \"fern\"\nmin_dist = 4.0\nturn = 1\n\
                [[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 0.0\n";
    load(&studio, text, &[]);
    assert_equal(&studio, text, &[]);
    assert!(studio.points().len() > 1000);
    let noisy = "[[layer]]\nname = \"moss\"\nmin_dist = 9.0\nperlin = { frequency = 0.1 }\n";
    refused(&studio, noisy, &[], "make a map with spinney map perlin");
}

/// Another window may choose another layer at any time.
#[test]
fn a_stroke_is_painted_on_the_layer_that_it_names() {
    let studio = layered();
    let brush = json!({
        "tool": "paint", "value": 0.3, "size": 30.0, "hardness": 1.0, "strength": 1.0,
    });
    let part = |layer: u64, x: f64, last: bool| {
        let path = [[x, 100.0]];
        let part = json!({
            "stroke": 77, "layer": layer, "brush": brush, "path": path, "last": last,
        });
        studio.client.post_json("/api/stroke", &part)
    };
    let map = |layer: u64| {
        studio
            .client
            .get(&format!("/api/map.png?layer={layer}"))
            .body
    };
    let (first, second) = (map(0), map(1));
    assert_eq!(part(1, 50.0, false).status, 200);
    studio.post("/api/layers/choose", &json!({ "layer": 0 }));
    assert_eq!(part(1, 90.0, true).status, 200);
    assert!(map(0) == first && map(1) != second);
    assert_eq!(studio.state()["active"], json!(1));
    assert_refused(&part(9, 50.0, true), "layer 9: it was removed");
}

#[test]
fn layers_come_and_go() {
    let studio = layered();
    studio.refused("/api/layers/choose", &json!({ "layer": 7 }), "");
    studio.post("/api/layers/choose", &json!({ "layer": 0 }));
    let state = studio.post("/api/layers/remove", &json!({}));
    assert_eq!(state["layers"].as_array().map(Vec::len), Some(2));
    // The pair of the second and third layer is now the pair of the first and second.
    assert_eq!(
        state["apart"],
        json!([{ "between": [0, 1], "distance": 0.0 }])
    );
    studio.points();
    let state = studio.post("/api/layers/remove", &json!({}));
    assert_eq!(state["layers"].as_array().map(Vec::len), Some(1));
    studio.refused("/api/layers/remove", &json!({}), "");
    studio.assert_equal();
}

/// Loads a species file with its maps, and asserts success.
fn load(studio: &Running, text: &str, maps: Maps) -> Value {
    let answer = studio.client.post("/api/species", &bundle(text, maps));
    assert_eq!(answer.status, 200, "{text}: {}", answer.text());
    answer.json()
}

/// Asserts that a species file is refused with a text that contains `says`.
fn refused(studio: &Running, text: &str, maps: Maps, says: &str) {
    assert_refused(
        &studio.client.post("/api/species", &bundle(text, maps)),
        says,
    );
}

/// Asserts that the export equals that of the command line for `text` and its maps, and for the saved
/// species file.
fn assert_equal(studio: &Running, text: &str, maps: Maps) {
    let shown = studio.export("points.csv");
    fs::write(studio.path("species.toml"), text).expect("written");
    for (name, bytes) in maps {
        fs::write(studio.path(name), bytes).expect("written");
    }
    studio.run_shown("");
    assert!(studio.read("points.csv") == shown, "{text}");
    save(studio);
    studio.run_shown("");
    assert!(studio.read("points.csv") == shown, "saved: {text}");
}

fn ramp() -> Vec<u8> {
    let mut bytes = b"P5\n64 48\n255\n".to_vec();
    bytes.extend((0..64 * 48).map(|i| (4 * (i % 64)) as u8));
    bytes
}

const TWO: &str = "[[layer]]\nname = \"oak\"\nmap = \"ramp.pgm\"\nmin_dist = 3.0\n\
                   [[layer]]\nname = \"fern\"\nmin_dist = 2.0\nturn = 1\n";

/// Absent keys have the defaults of the file, whatever the session had before.
#[test]
fn absent_keys_are_the_files_defaults() {
    let ramp = ramp();
    let even = "[[layer]]\nname = \"oak\"\nmin_dist = 20.0\n\
                [[layer]]\nname = \"fern\"\nmin_dist = 15.0\n";
    let cases: [(&str, Maps); 2] = [(TWO, &[("ramp.pgm", &ramp)]), (even, &[])];
    for (text, maps) in cases {
        let studio = Running::start(&[]);
        studio.set(&json!({ "rule": "min", "size": [100.0, 90.0] }));
        load(&studio, text, maps);
        assert_equal(&studio, text, maps);
    }
}

#[test]
fn several_species_have_periodic_edges() {
    let ramp = ramp();
    let maps: Maps = &[("ramp.pgm", &ramp)];
    let studio = Running::start(&[]);
    load(&studio, TWO, maps);
    let open = studio.export("points.csv");
    studio.set(&json!({ "tile": true }));
    assert!(studio.export("points.csv") != open);
    assert_equal(&studio, TWO, maps);
    let parent = json!({ "rule": "parent" });
    let advice = "not with several species: choose another rule\n";
    studio.refused("/api/settings", &parent, advice);
    // A count is of all layers together.
    studio.set(&json!({ "count": 200 }));
    assert_eq!(studio.points().len(), 200);
    assert_equal(&studio, TWO, maps);
    // A layer may be added with periodic edges or a count, too.
    let single = Running::start(&[]);
    single.set(&json!({ "tile": true, "count": 50 }));
    single.post("/api/layers/add", &json!({}));
}

/// Keys about reading a map, and densities, are applied when the file is opened.
#[test]
fn keys_without_a_control_are_applied_or_named() {
    let mut splat = b"P6\n64 48\n255\n".to_vec();
    splat.extend((0..64 * 48_usize).flat_map(|i| [0, 3 * (i % 64) as u8, (5 * (i / 64)) as u8]));
    let maps: Maps = &[("splat.ppm", &splat)];
    let text = "[[layer]]\nname = \"oak\"\nmap = \"splat.ppm\"\nchannel = \"g\"\nrange = [5, 150]\n\
                nodata = 60\ndensity = [0.005, 0.07]\nmap_is = \"density\"\n\
                [[layer]]\nname = \"fern\"\nmap = \"splat.ppm\"\nchannel = \"b\"\n\
                alpha = \"ignore\"\nmin_dist = 2.0\nsrgb = true\ngamma = 0.8\n\
                curve = [[0, 0.2], [0.5, 0.6], [1, 1]]\n\
                [[layer]]\nname = \"moss\"\ndensity = [0.01, 0.01]\nsrgb = false\n";
    let studio = Running::start(&[]);
    load(&studio, text, maps);
    assert_equal(&studio, text, maps);
    let before = studio.state();
    let oak = "[[layer]]\nname = \"oak\"\nmap = \"splat.ppm\"\nmin_dist = 2.0\n";
    let cases = [
        ("gamma = 0", "layer oak: gamma"),
        ("curve = [[0, 0]]", "layer oak: "),
        ("seed = 3", "layer oak: seed has no"),
        ("raw_size = [64, 48]", "layer oak: raw_size has no"),
        ("density = [0.1, 0.2]", "either min_dist or density"),
        ("alpha = \"red\"", "alpha red: is not one of mask, ignore"),
        ("range = [1, 1]", "layer oak: range: "),
    ];
    for (key, says) in cases {
        refused(&studio, &format!("{oak}{key}\n"), maps, says);
    }
    let no_map = "[[layer]]\nname = \"oak\"\nmin_dist = 2.0\nchannel = \"r\"\n";
    refused(&studio, no_map, &[], "channel needs a map");
    let no_map = "[[layer]]\nname = \"oak\"\nmin_dist = 2.0\ngamma = 2.0\n";
    refused(&studio, no_map, &[], "gamma needs a map");
    refused(&studio, "", &[], "it has no layer: add a [[layer]]");
    let no_dist = "[[layer]]\nname = \"oak\"\ndensity = [2, 1]\n";
    refused(&studio, no_dist, &[], "the least and then the greatest");
    assert_eq!(studio.state(), before, "and nothing has changed");
}

/// The species file that documentation begins with.
#[test]
fn the_wood_can_be_painted() {
    let text = fs::read_to_string(format!("{REPOSITORY}/maps/wood.toml")).expect("a file");
    let meadow = fs::read(format!("{REPOSITORY}/maps/meadow.png")).expect("a map");
    let studio = Running::start(&[]);
    load(&studio, &text, &[("meadow.png", &meadow)]);
    assert_equal(&studio, &text, &[("meadow.png", &meadow)]);
}

/// Browsers give files without their folders.
#[test]
fn maps_are_found_by_their_last_component() {
    let ramp = ramp();
    let maps: Maps = &[("ramp.pgm", &ramp)];
    let studio = Running::start(&[]);
    load(&studio, TWO, maps);
    let plain = studio.export("points.csv");
    for path in ["./ramp.pgm", "maps/ramp.pgm", "../a/./ramp.pgm"] {
        let text = TWO.replace("ramp.pgm", path);
        load(&studio, &text, maps);
        assert!(studio.export("points.csv") == plain, "{path}");
    }
    let more = |path| format!("{TWO}map = \"{path}\"\n");
    load(&studio, &more("./ramp.pgm"), maps);
    let other = "map b/ramp.pgm: browsers give files without their folders, and ramp.pgm has";
    refused(&studio, &more("b/ramp.pgm"), maps, other);
    let twice = [maps[0], maps[0]];
    refused(&studio, TWO, &twice, "map ramp.pgm: two files of this name");
}

/// The page's file choosers offer the same pictures.
#[test]
fn every_picture_can_be_chosen_with_a_species_file() {
    let studio = Running::start(&[]);
    let page = studio
        .client
        .get(&format!("/?token={}", studio.client.token));
    let page = page.text();
    let endings = |id: &str| {
        let input = page.split("<input").find(|input| input.contains(id));
        let (_, list) = input
            .and_then(|input| input.split_once("accept=\""))
            .expect(id);
        let (list, _) = list.split_once('"').expect("a quote");
        list.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let mut pictures = endings("id=\"open-file\"");
    assert!(pictures.contains(&".tif".to_owned()), "{pictures:?}");
    pictures.insert(0, ".toml".to_owned());
    assert_eq!(endings("id=\"species-file\""), pictures);
}

#[test]
fn files_that_the_page_cannot_show_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let side = 8193;
    let mut large = format!("P5 {side} {side} 255 ").into_bytes();
    large.resize(large.len() + side * side, 7);
    for (name, content, code, says) in [
        (
            "wood.toml",
            TWO.as_bytes(),
            2,
            "a species file is opened on the page",
        ),
        (
            "large.pgm",
            &*large,
            1,
            "large.pgm: size 8193x8193: a map here has from 1 to 67108864 pixels",
        ),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, content).expect("written");
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_spinney"))
            .args(["studio", "--no-open"])
            .arg(&file)
            .output()
            .expect("the program runs");
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(code), "{told}");
        assert!(told.contains(says), "{told}");
    }
}

/// An ESRI ASCII grid of 32 x 32 cells, which states its place.
fn placed(corner: [f64; 2], cell: f64) -> Vec<u8> {
    let [x, y] = corner;
    let mut text = format!("ncols 32\nnrows 32\nxllcorner {x}\nyllcorner {y}\ncellsize {cell}\n");
    text.extend((0..32).map(|_| "0 5 7 9 12 18 31 40 ".repeat(4)));
    text.into_bytes()
}

/// The world file of [`placed`] in metres.
const WORLD_FILE: &str = "10\n0\n0\n-10\n500005\n4000315\n";

/// A place that a file states is not used, and a warning says so. World files beside a saved map do not
/// change the points of the command line that is shown.
#[test]
fn a_place_in_a_file_is_told() {
    let metres = placed([500_000.0, 4_000_000.0], 10.0);
    let degrees = placed([10.0, 50.0], 0.001);
    let told_of = |state: &Value| {
        let told = state["layers"][0]["told"]
            .as_array()
            .expect("a list")
            .clone();
        assert_eq!(told.len(), 1, "{told:?}");
        told[0].as_str().expect("a text").to_owned()
    };
    let cases = [
        (
            &metres,
            "the file says that it lies from 500000,4000000 to 500320,4000320, which the page",
            "size 320 x 320 and y up, and add --origin 500000,4000000",
        ),
        (
            &degrees,
            "lies from 10,50 to 10.032,50.032, which the page",
            "in degrees",
        ),
    ];
    for (bytes, place, advice) in cases {
        let studio = Running::start(&[]);
        let answer = studio.client.post("/api/open", bytes);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let told = told_of(&answer.json());
        assert!(told.starts_with("the picture: "), "{told}");
        assert!(told.contains(place) && told.contains(advice), "{told}");
        assert!(studio.warnings().contains(&json!(told)));
        studio.assert_equal();
        fs::write(studio.path("map.pgw"), WORLD_FILE).expect("written");
        studio.assert_equal();
        studio.set(&json!({ "size": [64.0, 64.0] }));
        studio.assert_equal();
        // A map without a place has no such warning.
        let state = studio.post("/api/noise", &json!({ "size": [64, 64] }));
        assert_eq!(state["layers"][0]["told"], json!([]));
    }
    // From the command line, and in a species file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("placed.asc");
    fs::write(&file, &metres).expect("written");
    let studio = Running::start(&[file.to_str().expect("UTF-8")]);
    let told = told_of(&studio.state());
    assert!(
        told.contains("placed.asc: the file says that it lies from 500000"),
        "{told}"
    );
    let text = TWO.replace("ramp.pgm", "placed.asc");
    let told = told_of(&load(&studio, &text, &[("placed.asc", &metres)]));
    assert!(told.starts_with("placed.asc: the file says"), "{told}");
    let shown = studio.export("points.csv");
    save(&studio);
    fs::write(studio.path("oak.pgw"), WORLD_FILE).expect("written");
    studio.run_shown("");
    assert!(studio.read("points.csv") == shown);
}

/// Asserts that `sample` refuses `text` and its maps. Returns the position and the problem.
fn refused_by_sample(studio: &Running, text: &str, maps: Maps) -> String {
    fs::write(studio.path("wood.toml"), text).expect("written");
    for (name, bytes) in maps {
        fs::write(studio.path(name), bytes).expect("written");
    }
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(["sample", "--species", "wood.toml", "-o", "wood.csv"])
        .current_dir(studio.path("."))
        .output()
        .expect("the program runs");
    let told = String::from_utf8_lossy(&run.stderr);
    let problem = told.strip_prefix("error: --species wood.toml:");
    problem
        .unwrap_or_else(|| panic!("{text}: {told}"))
        .to_owned()
}

/// A second layer of a species file.
const FERN: &str = "[[layer]]\nname = \"fern\"\nmin_dist = 2\nturn = 1\n";

/// `sample` runs Scatter for a species file, whatever the algorithm of the page is.
#[test]
fn the_rule_parent_is_in_no_species_file() {
    let studio = Running::start(&[]);
    studio.set(&json!({ "algorithm": "bridson", "rule": "parent", "size": [90.0, 90.0] }));
    let says = "rule parent: not in a species file, which scatter samples: choose another rule";
    assert_refused(&studio.client.get("/api/species"), says);
    let text = "size = [90, 90]\nrule = \"parent\"\n[[layer]]\nname = \"oak\"\nmin_dist = 9\n";
    refused_by_sample(&studio, text, &[]);
    refused(&studio, text, &[], says);
    studio.set(&json!({ "rule": "mean" }));
    let (text, _) = save(&studio);
    assert!(text.contains("rule = \"mean\""), "{text}");
}

/// A layer without a map has one distance everywhere.
#[test]
fn keys_that_need_a_map_are_refused_without_one() {
    let studio = Running::start(&[]);
    let before = studio.state();
    let layer = "size = [90, 90]\n[[layer]]\nname = \"oak\"\n";
    for (key, value) in [
        ("max_dist", "12"),
        ("white", "\"sparse\""),
        ("limit", "0.25"),
        ("map_is", "\"distance\""),
        ("channel", "\"luma\""),
        ("alpha", "\"mask\""),
        ("range", "[0, 1]"),
        ("nodata", "3"),
        ("srgb", "true"),
        ("gamma", "1"),
        ("curve", "[[0, 0], [1, 1]]"),
    ] {
        let text = format!("{layer}min_dist = 9\n{key} = {value}\n");
        let told = refused_by_sample(&studio, &text, &[]);
        let says = format!("{key} needs a map");
        assert!(told.contains(&says), "{told}");
        let says = format!("layer oak: {says}: give the layer one, or drop it");
        refused(&studio, &text, &[], &says);
    }
    let text = format!("{layer}density = [0.001, 0.05]\n");
    refused_by_sample(&studio, &text, &[]);
    refused(&studio, &text, &[], "a range of densities needs a map");
    assert_eq!(studio.state(), before, "and nothing has changed");
    // Equal ends are one distance.
    for even in ["min_dist = 9\nmax_dist = 9", "density = [0.01, 0.01]"] {
        let text = format!("{layer}{even}\nsrgb = false\n{FERN}");
        load(&studio, &text, &[]);
        assert_equal(&studio, &text, &[]);
    }
}

#[test]
fn a_map_that_cannot_be_read_is_named() {
    let studio = Running::start(&[]);
    let ramp = ramp();
    let maps: Maps = &[("ramp.pgm", &ramp)];
    let of = |channel: &str| {
        let map = "map = \"ramp.pgm\"\nmin_dist = 3";
        format!("[[layer]]\nname = \"oak\"\n{map}\nchannel = \"{channel}\"\n")
    };
    let must = "must be luma, r, g, b, a, index, or a channel's name or number";
    for blank in ["", " "] {
        let told = refused_by_sample(&studio, &of(blank), maps);
        assert!(told.contains(must), "{told}");
        let says = format!("layer oak: channel: {must}");
        refused(&studio, &of(blank), maps, &says);
    }
    let text = of(" luma ") + FERN;
    load(&studio, &text, maps);
    assert_equal(&studio, &text, maps);
    let says = "layer oak: map ramp.pgm: the image has no channel \"moss\"";
    refused(&studio, &of("moss"), maps, says);
    let says = "layer oak: map ramp.pgm: ";
    refused(&studio, TWO, &[("ramp.pgm", b"no picture")], says);
}

#[test]
fn mistakes_are_told_with_line_and_column() {
    let studio = Running::start(&[]);
    let layer = "[[layer]]\nname = \"oak\"\n";
    for (text, says) in [
        (format!("{layer}min_dist 3\n"), "3:10: "),
        ("[[layer]]\nname = \"ö\" \"\n".to_owned(), "2:12: "),
        (
            format!("{layer}  minn_dist = 4\n"),
            "3:3: unknown field `minn_dist`, expected one of `name`, ",
        ),
        (
            format!("{layer}min_dist = \"x\"\n"),
            "3:12: invalid type: string \"x\", expected a number\n",
        ),
        (
            "[layer]\nname = \"oak\"\n".to_owned(),
            "1:1: invalid type: map, expected a sequence: write two brackets, as in [[layer]] and \
             [[apart]]\n",
        ),
    ] {
        let told = refused_by_sample(&studio, &text, &[]);
        assert!(told.starts_with(says), "{told}");
        let answer = studio.client.post("/api/species", &bundle(&text, &[]));
        let told = answer.text();
        assert_eq!(answer.status, 400, "{told}");
        assert!(told.starts_with(&format!("species file: {says}")), "{told}");
    }
}
