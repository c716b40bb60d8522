//! Where the world and its files lie, by the place and the coordinate system that a file states.

use crate::by_hand::{GEO_KEYS, Page, TIE_POINTS, TRANSFORMATION, U8, U16, Value, shorts, tiff};
use crate::scene::{Row, Scene};
use crate::windows::rows;
use std::fs;

/// Returns hills as a `GeoTIFF` with rows from the north: 96 x 80 pixels of 16 bits and 30 x 30 units in
/// EPSG:32633, in tiles of 16 x 16 pixels.
pub(crate) fn hills() -> Vec<u8> {
    hills_in(500_000.5, 32633)
}

/// The closing line's part about the place of the hills.
const HILLS_PLACE: &str = "world 2880x2400 at 500000.5,3997600, y up, place from the file: \
                           EPSG:32633, 30 x 30 units per pixel";

/// Returns the hills with this western edge, in the coordinate system of this number.
fn hills_in(west: f64, system: u16) -> Vec<u8> {
    let [width, height] = [96_u32, 80];
    let level = |x: u32, y: u32| {
        let (u, v) = (f64::from(x) * 0.21, f64::from(y) * 0.17);
        (32_000.0 + 15_000.0 * (u.sin() + (v + 0.4 * u).cos())) as i32
    };
    // The tiles of one column are the strips of a file that is one tile wide.
    let tiles = (0..height / 16).flat_map(|row| (0..width / 16).map(move |column| (column, row)));
    let pixels = tiles.flat_map(|(column, row)| {
        (0..256).map(move |n| level(column * 16 + n % 16, row * 16 + n / 16))
    });
    let bytes = shorts(pixels);
    let count = bytes.len() as u32 / 512;
    let page = Page::new([width, height], 1, U16, bytes).tiled([16, 16], count);
    let keys = vec![
        1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, system, 3076, 0, 1, 9001,
    ];
    let tie = vec![0.0, 0.0, 0.0, west, 4_000_000.0, 0.0];
    let page = page
        .placed([30.0, 30.0], 1, 9001)
        .with(GEO_KEYS, Value::Short(keys))
        .with(TIE_POINTS, Value::Double(tie));
    tiff(&[page])
}

#[test]
fn the_world_lies_where_the_file_says() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let flags = "sample hills.tif --min-dist 20 --max-dist 60";
    scene
        .succeed(&format!("{flags} -o p.csv --summary s.json"))
        .assert_stderr_has(HILLS_PLACE);
    let summary = scene.json("s.json");
    assert_eq!(summary["place"]["crs"], "EPSG:32633");
    assert_eq!(summary["origin"][1], 3_997_600.0);
    assert_eq!(
        (&summary["size"][0], &summary["y_axis"]),
        (&2880.0.into(), &"up".into())
    );
    for row in scene.rows("p.csv") {
        assert!((500_000.5..502_880.5).contains(&row.x) && (3_997_600.0..4e6).contains(&row.y));
    }
    // `verify` uses the same place.
    scene.succeed("verify p.csv hills.tif --min-dist 20 --max-dist 60");
    let world = |more: &str| {
        scene.succeed(&format!(
            "sample hills.tif -q -o q.csv --summary q.json {more}"
        ));
        let s = scene.json("q.json");
        let number = |name: &str, axis: usize| s[name][axis].as_f64().expect("a number");
        assert_eq!(s["place"].is_null(), !more.contains("--origin"), "{more}");
        [number("size", 0), number("origin", 0), number("origin", 1)]
    };
    assert_eq!(world("--pixels"), [96.0, 0.0, 0.0]);
    assert_eq!(world("--size 960x800"), [960.0, 0.0, 0.0]);
    assert_eq!(world("--origin 7,-8"), [2880.0, 7.0, -8.0]);
}

/// Regression: only the member `spinney` of `GeoJSON` named the coordinate system, so other programs took the
/// positions for degrees.
#[test]
fn geojson_names_the_coordinate_system_of_its_positions() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let crs = |flags: &str| {
        scene.succeed(&format!("sample {flags} -q -o p.geojson"));
        scene.json("p.geojson")["crs"].clone()
    };
    let named = serde_json::json!({
        "type": "name",
        "properties": { "name": "urn:ogc:def:crs:EPSG::32633" },
    });
    let flags = "hills.tif --min-dist 60 --max-dist 90";
    assert_eq!(crs(flags), named);
    // A moved map is no longer in its system, and other maps have none.
    for flags in [
        &format!("{flags} --origin 0,0"),
        &format!("{flags} --size 960x800"),
        "ramp.png",
    ] {
        assert!(crs(flags).is_null(), "{flags}");
    }
}

/// Returns a layer of a species file.
fn layer(name: &str) -> String {
    format!("[[layer]]\nname = \"{name}\"\nmap = \"{name}\"\nmin_dist = 40\nmax_dist = 90\n")
}

#[test]
fn species_lie_where_the_first_map_with_a_place_says() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    scene.write("w.toml", layer("ramp.png") + &layer("hills.tif"));
    let flags = "sample --species w.toml";
    scene
        .succeed(&format!("{flags} -o p.csv -o p.json --summary s.json"))
        .assert_stderr_has(HILLS_PLACE);
    assert_eq!(scene.json("s.json")["place"]["crs"], "EPSG:32633");
    let by_hand = "--size 2880x2400 --origin 500000.5,3997600 --y-up";
    scene.succeed(&format!("{flags} {by_hand} -o q.csv -o q.json"));
    assert!(scene.read("p.csv") == scene.read("q.csv") && scene.rows("p.csv").len() > 1000);
    // Files of points that state the direction of y, and files that do not.
    for name in ["p.json", "p.csv", "q.json"] {
        scene.succeed(&format!("verify {name} --species w.toml"));
    }
    let moved = "world 2880x2400 at 7,-8, y up, size from the file: 30 x 30 units per pixel";
    scene
        .succeed(&format!("{flags} --origin 7,-8 -o q.csv"))
        .assert_stderr_has(moved);
    scene.succeed(&format!("{flags} --size 96x80 -o q.json"));
    let told = "the file says that y points down";
    scene.refused("verify q.json --species w.toml", 1, &[told]);
    scene.succeed("verify q.json --species w.toml --size 96x80");
    // The coordinate system of layers is that of their map.
    let crs = r#"{"type":"name","properties":{"name":"EPSG:25832"}}"#;
    let ring = "[[500100,3998000],[502000,3998000],[502000,3999900],[500100,3998000]]";
    let polygon = format!(r#"{{"type":"Polygon","crs":{crs},"coordinates":[{ring}]}}"#);
    scene.write("p.geojson", polygon);
    let told = "it is in EPSG:25832, but the map is in EPSG:32633";
    scene
        .succeed(&format!("{flags} --polygon p.geojson -o q.csv"))
        .assert_stderr_has(told);
}

#[test]
fn species_of_two_places_are_refused() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    scene.write("east.tif", hills_in(502_000.5, 32633));
    let degrees = "0.001\n0\n0\n-0.001\n9\n50\n";
    scene.write("ramp.pgw", degrees);
    let refused = |text: &str, words: [&str; 3]| {
        scene.write("w.toml", text);
        scene.refused("sample --species w.toml -o p.csv", 1, &words);
        scene.succeed("sample --species w.toml --size 960x800 -o p.csv");
    };
    let both = layer("hills.tif") + &layer("east.tif");
    refused(
        &both,
        [
            "w.toml:8:7: layer \"east.tif\": ",
            "east.tif covers 502001,3997600 to 504881,4000000 in EPSG:32633, but the map of layer \
             \"hills.tif\" covers 500001,3997600 to 502881,4000000 in EPSG:32633, 66.6",
            "give size = [width, height]",
        ],
    );
    refused(
        &(layer("ramp.png") + &layer("hills.tif")),
        [
            "w.toml:3:7: layer \"ramp.png\": ",
            "its place may be in degrees, not in units of length",
            "give size = [width, height] of the world; its own size is 0.064x0.048",
        ],
    );
    // In a world with a given size, all maps cover it, with a warning that they lie elsewhere.
    scene.write("w.toml", format!("size = [960, 800]\n{both}"));
    scene
        .succeed("sample --species w.toml -o p.csv")
        .assert_stderr_has("east.tif states that it covers");
}

/// `verify` needs the flag that moved the map, so it must not advise to drop it.
#[test]
fn a_map_that_its_run_moved_is_judged_without_advice() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let flags = "hills.tif --min-dist 20 --max-dist 60 --origin 7,7";
    let run = scene.succeed(&format!("sample {flags} -o moved.csv"));
    run.assert_stderr_has("drop --origin to keep both");
    let judged = scene.succeed(&format!("verify moved.csv {flags}"));
    judged.assert_stderr_lacks("--origin");
}

/// Without a map, polygons are what QGIS users have.
#[test]
fn polygons_give_a_world_their_system_if_no_map_does() {
    let scene = Scene::new();
    let polygon = |name: &str, ring: &str| {
        let crs = format!(r#"{{"type":"name","properties":{{"name":"{name}"}}}}"#);
        let text = format!(r#"{{"type":"Polygon","crs":{crs},"coordinates":[{ring}]}}"#);
        scene.write("p.geojson", text);
    };
    let utm = "[[500100,3998000],[502000,3998000],[502000,3999900],[500100,3998000]]";
    let named = |more: &str| {
        let world = "--origin 500000,3998000 --size 2000x2000";
        let flags = format!("sample {world} --min-dist 100 --polygon p.geojson {more}");
        let run = scene.succeed(&format!(
            "{flags} -o p.geojson.out.geojson --summary s.json"
        ));
        run.assert_stderr_lacks("degrees");
        let crs = scene.json("p.geojson.out.geojson")["crs"]["properties"]["name"].clone();
        let crs = crs.as_str().map(str::to_owned);
        // Polygons have no pixels.
        let system = crs
            .as_ref()
            .map(|urn| urn.replace("urn:ogc:def:crs:EPSG::", "EPSG:"));
        let place = system.map(|crs| serde_json::json!({ "crs": crs, "pixel": null }));
        assert_eq!(scene.json("s.json")["place"], serde_json::json!(place));
        crs
    };
    let urn = "urn:ogc:def:crs:EPSG::32633";
    polygon(urn, utm);
    assert_eq!(named("--y-up").as_deref(), Some(urn));
    // North would be down.
    assert_eq!(named(""), None);
    // Files of two systems name none.
    polygon("EPSG:32632", utm);
    scene.write(
        "q.geojson",
        scene.text("p.geojson").replace("32632", "32633"),
    );
    assert_eq!(named("--y-up --polygon q.geojson"), None);
    // Other inputs may be in another system.
    scene.write(
        "mask.asc",
        "ncols 1\nnrows 1\nxllcorner 500000\nyllcorner 3998000\ncellsize 2000\n1\n",
    );
    assert_eq!(named("--y-up --mask mask.asc --mask-threshold 0"), None);

    let degrees =
        "sample --origin 10,50 --size 1x1 --y-up --min-dist 0.1 --polygon p.geojson -o p.csv";
    let ring = "[[10,50],[11,50],[11,51],[10,50]]";
    for name in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"] {
        polygon(name, ring);
        let told = ", and its corners look like degrees, in which distances are no lengths";
        scene.succeed(degrees).assert_stderr_has(told);
    }
    polygon(urn, ring);
    scene.succeed(degrees).assert_stderr_lacks("degrees");
}

#[test]
fn polygons_in_another_system_than_the_map_are_told() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let flags = "sample hills.tif --min-dist 20 --max-dist 60 --polygon p.geojson -o p.csv";
    let ring = "[[500100,3998000],[502000,3998000],[502000,3999900],[500100,3998000]]";
    let sample = |number: u32, more: &str| {
        let crs = format!(
            r#"{{"type":"name","properties":{{"name":"urn:ogc:def:crs:EPSG::{number}"}}}}"#
        );
        let text = format!(r#"{{"type":"Polygon","crs":{crs},"coordinates":[{ring}]}}"#);
        scene.write("p.geojson", text);
        scene.succeed(&format!("{flags} {more}"))
    };
    sample(32633, "").assert_stderr_lacks("states that it is in");
    let said = "p.geojson states that it is in EPSG:25832, but the map is in EPSG:32633,";
    sample(25832, "").assert_stderr_has(said);
    // `verify` reports it, too.
    let judged = "verify p.csv hills.tif --min-dist 20 --max-dist 60 --polygon p.geojson";
    scene.run(judged).assert_stdout_has(said);
    // A map moved from its place has no coordinate system.
    sample(25832, "--origin 500001,3997600").assert_stderr_lacks("states that it is in");
    sample(25832, "--origin 500000.5,3997600").assert_stderr_has(said);

    let far = scene.text("p.geojson");
    scene.write(
        "p.geojson",
        far.replace("[500", "[5").replace("[502", "[5."),
    );
    let said = "no polygon lies in the world: the file is in EPSG:25832, the map in EPSG:32633;";
    scene.refused(flags, 1, &[said]);

    // The system of a mask says nothing about that of polygons.
    scene.write("zone32.tif", hills_in(500_000.5, 32632));
    scene.polygon("p.geojson", "[[5,6],[7,6],[7,8],[5,6]]");
    let said = "the polygons cover 5,6 to 7,8, which look like degrees";
    scene.refused(&format!("{flags} --mask zone32.tif"), 1, &[said]);
}

/// A `GeoTIFF` from the north, one from the south and a world file: the letter is upright in each.
#[test]
fn the_letter_stands_where_the_file_says() {
    const F: [&str; 5] = ["####", "#...", "###.", "#...", "#..."];
    let scene = Scene::new();
    let grey = |row: &str| {
        row.bytes()
            .map(|b| if b == b'#' { 0 } else { 255 })
            .collect::<Vec<u8>>()
    };
    let north: Vec<u8> = F.iter().flat_map(|row| grey(row)).collect();
    let south: Vec<u8> = F.iter().rev().flat_map(|row| grey(row)).collect();
    let page = |pixels: Vec<u8>| Page::new([4, 5], 1, U8, pixels);
    let tie = Value::Double(vec![0.0, 0.0, 0.0, 1000.0, 2500.0, 0.0]);
    let page_of_north = page(north.clone())
        .placed([100.0, 100.0], 1, 9001)
        .with(TIE_POINTS, tie);
    let matrix = [100.0, 0.0, 0.0, 1000.0, 0.0, 100.0, 0.0, 2000.0];
    let matrix = [&matrix[..], &[0.0; 7], &[1.0]].concat();
    let page_of_south = page(south).with(TRANSFORMATION, Value::Double(matrix));
    scene.write("north.tif", tiff(&[page_of_north]));
    scene.write("south.tif", tiff(&[page_of_south]));
    scene.write("beside.tif", tiff(&[page(north)]));
    let world = "100\n0\n0\n-100\n1050\n2450\n";
    scene.write("beside.tfw", world);
    let mut all = Vec::new();
    for name in ["north", "south", "beside"] {
        scene.succeed(&format!(
            "sample {name}.tif --min-dist 10 --max-dist 60 -q -o p.csv"
        ));
        let rows = scene.rows("p.csv");
        // Dense where it is black: the bar at the left, and the one on top.
        let count = |x: f64, y: f64| {
            let near = |row: &&Row| (row.x - x).abs() < 40.0 && (row.y - y).abs() < 40.0;
            rows.iter().filter(near).count()
        };
        assert!(
            count(1050.0, 2050.0) > 20 && count(1350.0, 2450.0) > 20,
            "{name}"
        );
        assert!(
            count(1350.0, 2050.0) < 10 && count(1350.0, 2150.0) < 10,
            "{name}"
        );
        all.push(scene.read("p.csv"));
    }
    assert!(
        all.windows(2).all(|pair| pair[0] == pair[1]),
        "one place, one set of points"
    );
}

/// `map lint` must use the map's own place: at one unit per pixel, slopes are thirty times as steep as in
/// `sample`.
#[test]
fn maps_are_made_for_the_world_where_the_file_says() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let lengths = "--min-dist 20 --max-dist 60";
    for command in ["lint", "show -o", "limit -o", "dilate --reach 1 -o"] {
        let made = |name: &str, more: &str| {
            let file = if command == "lint" { "" } else { name };
            let line = format!("map {command} {file} hills.tif {lengths} {more}");
            let run = scene.succeed(&line);
            let told = run.output().replace(name, "");
            (told, fs::read(scene.path(name)).ok())
        };
        let own = made("own.tif", "");
        assert!(!own.0.contains("unit per pixel"), "{command}: {}", own.0);
        assert!(own == made("size.tif", "--size 2880x2400"), "{command}");
        if command == "lint" {
            assert_ne!(own, made("pixels.tif", "--pixels"));
        }
        if ["lint", "show -o"].contains(&command) {
            for origin in ["7,7", "0,0"] {
                let moved = made("moved.tif", &format!("--origin {origin}"));
                let told = "warning: hills.tif: --origin moves it from its own place";
                assert!(moved.0.contains(told), "{command}: {}", moved.0);
                assert_eq!(own.1, moved.1, "{command}");
                // The place of its file is not that of this world.
                assert!(!moved.0.contains("to lay it over"), "{}", moved.0);
            }
            // Its own origin moves nothing.
            assert!(
                own == made("same.tif", "--origin 500000.5,3997600"),
                "{command}"
            );
        }
    }
}

/// The place stated by another file must not be ignored silently.
#[test]
fn images_that_lie_elsewhere_are_told() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    scene.write("east.tif", hills_in(502_000.5, 32633));
    let species = layer("hills.tif") + &layer("east.tif");
    scene.write("w.toml", species);
    let flags = "hills.tif --min-dist 60 --max-dist 90";
    scene.succeed(&format!("sample {flags} --mask east.tif -o p.json"));
    let over = "east.tif states that it covers 502001,3997600 to 504881,4000000, but hills.tif \
                covers 500001,3997600 to 502881,4000000, 66.6";
    let beside = "east.tif covers 502001,3997600 to 504881,4000000, by its file, and the world \
                  500001,3997600 to 502881,4000000: no point lies beyond it";
    for (command, told) in [
        (format!("sample {flags} --mask east.tif -o p.csv"), beside),
        (
            format!("sample {flags} --height east.tif --height-range 0..9 -o p.csv"),
            beside,
        ),
        (
            "sample --species w.toml --size 2880x2400 -o p.csv".to_owned(),
            over,
        ),
        // The first map need not lie in the world.
        (
            "sample --species w.toml --size 2880x2400 --origin 502000.5,3997600 --y-up -o p.csv"
                .to_owned(),
            over,
        ),
        (format!("verify p.json {flags} --mask east.tif"), beside),
        (
            "map combine hills.tif east.tif --how max -o c.tif".to_owned(),
            over,
        ),
        // A world placed by flags.
        (
            "sample --size 2880x2400 --origin 500000.5,3997600 --y-up --min-dist 60 --mask east.tif \
             -o p.csv"
                .to_owned(),
            beside,
        ),
    ] {
        let run = scene.succeed(&command);
        let text = run.output();
        assert!(text.contains(told), "{command}: {text}");
        if command.starts_with("sample") && told == beside {
            assert!(scene.rows("p.csv").iter().all(|row| row.x >= 502_000.5), "{run}");
        }
    }
    // An equal place, or a world placed elsewhere by flags.
    for more in ["--mask hills.tif", "--mask east.tif --pixels"] {
        scene
            .succeed(&format!("sample {flags} {more} -o p.csv"))
            .assert_stderr_lacks("covers");
    }
    scene.write("far.tif", hills_in(900_000.5, 32633));
    for role in ["--mask", "--height-range 0..9 --height"] {
        let told = "far.tif: it covers 900001,3997600 to 902881,4000000, and the world 500001,3997600 \
                    to 502881,4000000: they do not overlap";
        scene.refused(
            &format!("sample {flags} {role} far.tif -o q.csv"),
            1,
            &[told],
        );
    }
    // Two and four metres of a pixel of 30.
    scene.write("near.tif", hills_in(500_002.5, 32633));
    scene.write("beside.tif", hills_in(500_004.5, 32633));
    for (mask, is_told) in [("near.tif", false), ("beside.tif", true)] {
        for role in ["--mask", "--height-range 0..9 --height"] {
            let run = scene.succeed(&format!("sample {flags} {role} {mask} -o p.csv"));
            let told = run.stderr.contains("no point lies beyond it");
            assert_eq!(told, is_told, "{run}");
        }
    }
    // So it is between the maps of species, which are not laid beside each other.
    for (map, code) in [("near.tif", 0), ("beside.tif", 1)] {
        let species = layer("hills.tif") + &layer(map);
        scene.write("w.toml", species);
        let run = scene.end("sample --species w.toml -o p.csv", code);
        let told = run.stderr.contains(", 0.1333 pixels off: warp it");
        assert_eq!(told, code == 1, "{run}");
    }
}

/// Returns a file of pixels of 30 metres with this western and northern edge.
fn levels_at(size: [u32; 2], [west, north]: [f64; 2], level: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let places = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| level(x, y)).collect();
    let tie = vec![0.0, 0.0, 0.0, west, north, 0.0];
    let page = Page::new(size, 1, U8, pixels).placed([30.0, 30.0], 1, 9001);
    tiff(&[page.with(TIE_POINTS, Value::Double(tie))])
}

/// A mask or heights that reach beyond the map were squeezed onto it.
#[test]
fn masks_and_heights_lie_where_their_files_say() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    let flags = "sample hills.tif --min-dist 40 --max-dist 90";
    let place = |file: &str, size, from: [u32; 2], level: &dyn Fn(u32, u32) -> u8| {
        let edge = [
            499_700.5 + 30.0 * f64::from(from[0]),
            4_000_300.0 - 30.0 * f64::from(from[1]),
        ];
        let here = |x, y| level(x + from[0], y + from[1]);
        scene.write(file, levels_at(size, edge, here));
    };
    // Twelve squares of eight pixels, beyond all edges of the map, and cut to it.
    let squares = |x: u32, y: u32| u8::from((x / 8 + y / 8).is_multiple_of(2)) * 255;
    place("wide.tif", [120, 100], [0, 0], &squares);
    place("cut.tif", [96, 80], [10, 10], &squares);
    let points = |mask: &str| {
        scene
            .succeed(&format!("{flags} --mask {mask} -o p.csv"))
            .assert_stderr_lacks("covers");
        rows(&scene, "p.csv")
    };
    let wide = points("wide.tif");
    assert!(wide.len() > 500, "{}", wide.len());
    assert!(wide == points("cut.tif"));
    // Closed up to the map's southern edge, and open beyond it: places on that edge belong to the map.
    let lake = |_: u32, y: u32| u8::from(!(50..90).contains(&y)) * 255;
    place("wide.tif", [120, 100], [0, 0], &lake);
    place("cut.tif", [96, 80], [10, 10], &lake);
    let wide = points("wide.tif --summary s.json");
    let unresolved = scene.json("s.json")["unresolved"].as_u64();
    assert!(unresolved.is_some_and(|n| n < 100), "{unresolved:?}");
    assert!(wide.len() > 500 && wide == points("cut.tif"));
    // Each edge that is less than a tenth of a pixel off is the map's.
    let short = levels_at([120, 100], [500_002.0, 4_000_300.0], |_, _| 255);
    scene.write("short.tif", short);
    assert!(points("short.tif") == points("hills.tif --mask-threshold 0"));
    place("beyond.tif", [120, 100], [0, 0], &|x, _| {
        u8::from(x < 9) * 255
    });
    let told = "no pixel in the world has a value of 0.5 or more: nothing is open";
    scene.refused(&format!("{flags} --mask beyond.tif -o q.csv"), 1, &[told]);
    // Heights that rise by a metre each 30 metres to the east.
    place("rising.tif", [120, 100], [0, 0], &|x, _| x as u8);
    scene
        .succeed(&format!(
            "{flags} --height rising.tif --height-range 0..255 --slope 1..2 -o p.csv"
        ))
        .assert_stderr_lacks("covers");
    let made = scene.table("p.csv");
    assert!(made["x"].len() > 500, "{}", made["x"].len());
    for (x, height) in made["x"].iter().zip(&made["height"]) {
        assert!(
            (height - (x - 499_715.5) / 30.0).abs() < 1e-3,
            "{height} at {x}"
        );
    }
    // Heights at the corners of cells reach half a cell beyond the map, as their file says.
    let corner = [499_985.5, 4_000_015.0];
    scene.write("posts.tif", levels_at([97, 81], corner, |_, _| 9));
    let samples = |at: &str| {
        let height = format!("--height posts.tif --height-range 0..9 --height-at {at}");
        scene.succeed(&format!("{flags} {height} -o p.csv"));
        rows(&scene, "p.csv")
    };
    assert!(samples("corners") == samples("centres"));
}

/// Coordinates in different zones have the same range, so only the systems tell them apart.
#[test]
fn images_of_another_system_are_told() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    scene.write("zone32.tif", hills_in(500_000.5, 32632));
    scene.write("w.toml", layer("hills.tif") + &layer("zone32.tif"));
    let flags = "hills.tif --min-dist 60 --max-dist 90";
    let own = flags.replace("hills", "zone32");
    scene.succeed(&format!("sample {own} -o zone32.json"));
    let told = "zone32.json states that it is in EPSG:32632, but the map is in EPSG:32633";
    scene
        .succeed(&format!("verify zone32.json {flags}"))
        .assert_stdout_has(told);
    for command in [
        format!("sample {flags} --avoid zone32.json -o p.csv"),
        format!("sample {flags} --mask zone32.tif -o p.csv"),
        format!("sample {flags} --height zone32.tif --height-range 0..9 -o p.csv"),
        "map combine hills.tif zone32.tif --how max -o c.tif".to_owned(),
        "sample --species w.toml --size 2880x2400 -o p.csv".to_owned(),
    ] {
        // The map that differs and the other one are named.
        let has_maps = command.contains("--species") || command.contains("combine");
        let map = if has_maps { "hills.tif" } else { "the map" };
        let run = scene.succeed(&command);
        run.assert_stderr_has(&format!(
            "states that it is in EPSG:32632, but {map} is in EPSG:32633"
        ));
        let is_laid = command.contains("--mask") || command.contains("--height");
        let laid = "nothing is converted, so it is laid over the whole world";
        assert_eq!(run.stderr.contains(laid), is_laid, "{command}");
    }
}

/// Output of `map` has no place, so it needs flags to lie where its input lies.
#[test]
fn what_is_made_of_a_placed_map_says_how_to_lay_it_there() {
    let scene = Scene::new();
    scene.write("hills.tif", hills());
    scene.succeed("sample hills.tif --min-dist 60 --max-dist 90 -o q.csv --summary q.json");
    let world = |name: &str| {
        let summary = scene.json(name);
        ["size", "origin", "y_axis"].map(|key| summary[key].clone())
    };
    let shown = scene.succeed("map show hills.tif --min-dist 60 --max-dist 90 -o shown.tif");
    let (_, rest) = shown.stderr.split_once("read it with ").expect("advice");
    let (levels, rest) = rest.split_once(')').expect("flags");
    let (_, rest) = rest.split_once("states no place: give ").expect("advice");
    let (flags, _) = rest.split_once(" to lay it over hills.tif").expect("flags");
    scene.succeed(&format!(
        "sample shown.tif {levels} {flags} -o s.csv --summary s.json"
    ));
    assert_eq!(world("s.json"), world("q.json"));
    let points = ["s.csv", "q.csv"].map(|name| scene.read(name));
    assert!(points[0] == points[1]);
    let run = scene.succeed("map blur hills.tif --sigma 2 -o soft.tif");
    let (_, rest) = run
        .stderr
        .split_once("states no place: give ")
        .expect("advice");
    let (flags, _) = rest.split_once(" to lay it over hills.tif").expect("flags");
    scene
        .succeed("map blur hills.tif --sigma 2 --quiet -o soft.tif")
        .assert_stderr_lacks("place");
    let sized = "map limit hills.tif --min-dist 60 --max-dist 90 --size 96x80 -o l.tif";
    scene.succeed(sized).assert_stderr_lacks("place");
    let spacing = "--range 0..1 --min-dist 60 --max-dist 90";
    scene.succeed(&format!(
        "sample soft.tif {spacing} {flags} -o p.csv --summary p.json"
    ));
    assert_eq!(world("p.json"), world("q.json"));
    assert!(world("p.json").iter().all(|value| !value.is_null()));
}

#[test]
fn degrees_are_refused_with_what_to_do() {
    let scene = Scene::new();
    let tie = Value::Double(vec![0.0, 0.0, 0.0, 11.0, 48.0, 0.0]);
    let page = Page::new([40, 40], 1, U8, vec![9; 1600]).with(TIE_POINTS, tie);
    let keys = vec![1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326];
    let page = page
        .placed([0.01, 0.01], 2, 9102)
        .with(GEO_KEYS, Value::Short(keys));
    scene.write("degrees.tif", tiff(&[page]));
    let words = [
        "degrees.tif",
        "degrees (EPSG:4326)",
        "gdalwarp -t_srs",
        "--size",
        "--pixels",
    ];
    for command in ["sample -o p.csv", "map show -o o.png", "map lint"] {
        scene.refused(&format!("{command} degrees.tif"), 1, &words);
        for more in ["--pixels", "--size 90x80"] {
            scene.succeed(&format!("{command} degrees.tif {more}"));
        }
    }
    for command in ["map limit -o o.png", "map dilate --reach 1 -o o.png"] {
        let command = format!("{command} degrees.tif --min-dist 4 --max-dist 9");
        let run = scene.end(&command, 1);
        run.assert_stderr_has("degrees.tif: its place is in degrees (EPSG:4326)");
        run.assert_stderr_has("with gdalwarp -t_srs, or give --size WxH\n");
        scene.succeed(&format!("{command} --size 90x80"));
    }
    // Regression: points of such a run were refused, as if y ran up by the map's place.
    let flags = "--min-dist 4 --max-dist 9";
    scene.succeed(&format!(
        "sample degrees.tif {flags} --size 90x80 -o p.json"
    ));
    let run = scene.succeed(&format!("verify p.json degrees.tif {flags}"));
    assert!(!run.stdout().contains("warning"), "{}", run.stdout());
    scene.refused(&format!("verify p.csv degrees.tif {flags}"), 1, &words);
}
