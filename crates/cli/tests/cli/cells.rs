//! Files that state a pixel size, in worlds with another.

use crate::by_hand::{F32, GEO_KEYS, Page, TIE_POINTS, U8, Value, floats, tiff};
use crate::scene::Scene;

/// A scene of 40x30 heights and greys, with pixels of 30 x 20 metres or in degrees.
fn scene() -> Scene {
    let scene = Scene::new();
    let heights = || floats((0..40 * 30).map(|i| (i % 40) as f32));
    let dem = || Page::new([40, 30], 1, F32, heights());
    let write = |name: &str, page: Page| scene.write(name, tiff(&[page]));
    write("dem.tif", dem().placed([30.0, 20.0], 1, 9001));
    write("globe.tif", dem().placed([0.000_25, 0.000_25], 2, 0));
    write("unit.tif", dem().placed([1.0, 1.0], 1, 9001));
    write("plain.tif", dem());
    let greys = (0..40 * 30).map(|i| (i / 8) as u8).collect();
    write(
        "map.tif",
        Page::new([40, 30], 1, U8, greys).placed([5.0, 5.0], 1, 9002),
    );
    scene
}

const LENGTHS: &str = "--min-dist 100 --max-dist 200";

/// Without a warning, slopes would be thirty times too steep.
#[test]
fn heights_in_a_world_of_other_pixels_are_told() {
    let scene = scene();
    let said = |flags: &str| {
        let run = scene.succeed(&format!("sample {LENGTHS} {flags} -o p.csv"));
        let found = run.stderr.split("warning: ").nth(1);
        found.map(|text| text.trim_end().to_owned())
    };
    let expected = "--height dem.tif states a pixel size of 30x20 metres, but a pixel is \
                    12.8x17.067 units in the world, so slopes are wrong; give --size 1200x600 to \
                    match the file";
    assert_eq!(said("--height dem.tif").as_deref(), Some(expected));
    let other = said("--height dem.tif --size 600x600").expect("a warning");
    assert!(other.contains("a pixel is 15x20 units"), "{other}");
    let globe = said("--height globe.tif").expect("a warning");
    let expected = "a pixel size of 0.00025x0.00025 degrees, but a pixel is";
    assert!(globe.contains(expected), "{globe}");
    assert!(
        globe.contains("give --size in the unit of your heights"),
        "{globe}"
    );

    // No warning if the sizes agree, if no size is stated, or if a given size may be right.
    for flags in [
        "--height dem.tif --size 1200x600",
        "--height dem.tif --size 1203x600",
        "--height plain.tif",
        "--height globe.tif --size 900x830",
        "--height dem.tif --size 600x600 --height-range 0..100",
    ] {
        assert_eq!(said(flags), None, "{flags}");
    }
    let ranged = said("--height dem.tif --height-range 0..100").expect("a warning");
    assert!(ranged.contains("--size 1200x600"), "{ranged}");
}

/// Without a warning, slopes would be three times too steep.
#[test]
fn heights_in_another_unit_than_their_cells_are_told() {
    let scene = scene();
    let heights = floats((0..40 * 30).map(|i| (i % 40) as f32));
    let keys = vec![
        1, 1, 0, 3, 1024, 0, 1, 1, 3076, 0, 1, 9001, 4099, 0, 1, 9002,
    ];
    let page = Page::new([40, 30], 1, F32, heights)
        .placed([30.0, 20.0], 1, 9001)
        .with(GEO_KEYS, Value::Short(keys));
    scene.write("feet.tif", tiff(std::slice::from_ref(&page)));
    let told = |args: &str| {
        let flags = "--size 1200x600 -q -o p.csv --summary s.json";
        scene.succeed(&format!("sample {args} {LENGTHS} {flags}"));
        scene.json("s.json")["warnings"].clone()
    };
    let found = told("--height feet.tif");
    assert_eq!(found[0]["kind"], "height-unit", "{found}");
    assert_eq!(
        found[0]["text"],
        "--height feet.tif states heights in feet and pixels in metres, so slopes are wrong; \
         multiply heights by 0.3048 (for floats: --height-range 0..0.3048)"
    );
    // Heights upside down: their unit is told nevertheless, and their pixels are not compared.
    let tie = vec![0.0, 0.0, 0.0, 7.0, 607.0, 0.0];
    let down = page.clone().with(TIE_POINTS, Value::Double(tie));
    scene.write("down.tif", tiff(&[down]));
    let found = told("--height down.tif --origin 7,7");
    let kinds = [0, 1, 2].map(|i| found[i]["kind"].clone());
    let expected = serde_json::json!(["height-unit", "rows-down", null]);
    assert_eq!(serde_json::json!(kinds), expected, "{found}");
    for args in [
        "--height feet.tif --height-range 0..0.3048",
        "feet.tif",
        "--height dem.tif",
    ] {
        assert_eq!(told(args), serde_json::json!([]), "{args}");
    }
}

/// Engines would show a world in feet three times as large as it is.
#[test]
fn scenes_of_a_world_in_another_unit_than_metres_are_told() {
    let scene = scene();
    for (name, unit) in [
        ("m.tif", 9001),
        ("ft.tif", 9002),
        ("km.tif", 9036),
        ("unsaid.tif", 0),
    ] {
        let greys = (0..40 * 30).map(|i| (i / 8) as u8).collect();
        let tie = vec![0.0, 0.0, 0.0, 5e5, 4e6, 0.0];
        let page = Page::new([40, 30], 1, U8, greys).placed([30.0, 30.0], 1, unit);
        let page = page.with(TIE_POINTS, Value::Double(tie));
        scene.write(name, tiff(&[page]));
    }
    let told = |args: &str| {
        let run = scene.succeed(&format!("sample {LENGTHS} {args}"));
        let lines = run.stderr.lines();
        let found = lines.filter(|line| line.contains("take a unit for a metre"));
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    let scenes = "-o p.glb -o p.usda -o p.tscn -o p.unity.json -o p.unreal.csv";
    let feet = told(&format!("ft.tif {scenes}"));
    assert_eq!(feet.len(), 5, "{feet:?}");
    assert_eq!(
        feet[0],
        "warning: p.glb: programs that read it take a unit for a metre, but the world is in feet; \
         scale it by 0.3048 there, or reproject the map to metres (gdalwarp -t_srs)"
    );
    let moved = told("km.tif --origin 0,0 -o p.usda");
    assert!(
        moved[0].contains("in kilometres; scale it by 1000 there"),
        "{moved:?}"
    );
    // Pixels of five feet fill this world.
    assert_eq!(told("map.tif --size 200x150 -o p.glb").len(), 1);
    let species = "size = [200, 150]\n[[layer]]\nname = \"oak\"\nmin_dist = 9\nmap = \"map.tif\"\n";
    scene.write("feet.toml", species);
    scene
        .succeed("sample --species feet.toml -o p.glb")
        .assert_stderr_has("the world is in feet");
    for flags in [
        "ft.tif -o p.csv -o p.ply -o p.svg -o p.geojson",
        "ft.tif --size 600x600 -o p.glb",
        "m.tif -o p.glb",
        "unsaid.tif -o p.glb",
    ] {
        assert_eq!(told(flags), [""; 0], "{flags}");
    }
}

/// A grid with cells of one unit also has a place, so a mask elsewhere is reported.
#[test]
fn grids_lie_where_they_say() {
    let scene = scene();
    let grid = |name: &str, x: f64| {
        let row = "0 1 2 3 ".repeat(10);
        let text = format!("ncols 40\nnrows 30\nxllcorner {x}\nyllcorner 4e6\ncellsize 1\n");
        scene.write(name, text + &row.repeat(30));
    };
    grid("map.asc", 5e5);
    grid("mask.asc", 500_020.0);
    let short = "--min-dist 1 --max-dist 2 -q -o p.csv --summary s.json";
    scene.succeed(&format!("sample map.asc --mask map.asc {short}"));
    assert_eq!(
        scene.json("s.json")["origin"],
        serde_json::json!([5e5, 4e6])
    );
    assert_eq!(scene.json("s.json")["warnings"], serde_json::json!([]));
    scene.succeed(&format!("sample map.asc --mask mask.asc {short}"));
    let told = &scene.json("s.json")["warnings"];
    assert_eq!(told[0]["kind"], "covers-part", "{told}");
    assert!(scene.rows("p.csv").iter().all(|row| row.x >= 500_020.0));
}

#[test]
fn maps_in_a_world_of_other_pixels_are_told() {
    let scene = scene();
    let expected = "warning: map.tif states a pixel size of 5x5 feet, but the world has one unit \
                    per pixel; give --size 200x150 to match the file";
    let short = "--min-dist 1 --max-dist 2";
    for (command, sized) in [
        (format!("sample map.tif {short} -o p.csv"), true),
        (format!("map lint map.tif {short}"), true),
        (format!("map show map.tif {short} -o s.png"), true),
        (format!("map limit map.tif {short} -o s.png"), true),
        (
            format!("map dilate map.tif --reach 1 {short} -o s.png"),
            true,
        ),
        ("map dilate map.tif --radius 1 -o s.png".to_owned(), false),
        ("map blur map.tif --sigma 1 -o s.png".to_owned(), false),
    ] {
        let told = |command: &str| scene.succeed(command).output();
        let text = told(&command);
        assert_eq!(text.contains(expected), sized, "{command}: {text}");
        if sized {
            let text = told(&format!("{command} --size 400x300"));
            assert!(!text.contains("states a pixel size"), "{command}: {text}");
        }
    }
    let told = |size: &str| {
        let run = scene.run(&format!("verify p.csv map.tif {short} {size}"));
        let table = String::from_utf8(run.stdout).expect("text");
        table.contains("map.tif states a pixel size of 5x5 feet")
    };
    assert!(told("") && !told("--size 400x300"));
    scene.succeed(&format!(
        "sample map.tif {short} -q -o p.csv --summary s.json"
    ));
    let cells = &scene.json("s.json")["map"]["cells"];
    assert_eq!(
        *cells,
        serde_json::json!({"size": [5.0, 5.0], "unit": "feet"})
    );
    scene
        .succeed(&format!("sample unit.tif {short} -o p.csv"))
        .assert_stderr_lacks("a pixel size");
    scene.write(
        "g.asc",
        "ncols 3\nnrows 1\nxllcorner 6.5\nyllcorner 46\ncellsize 0.01\n1 2 3\n",
    );
    let said = "g.asc: its place is in degrees, not in units of length";
    scene.refused(&format!("sample g.asc {short} -o p.csv"), 1, &[said]);
    scene
        .succeed(&format!("sample g.asc --pixels {short} -o p.csv"))
        .assert_stderr_lacks("warning");

    let species = "[[layer]]\nname = \"oak\"\nmap = \"map.tif\"\nmin_dist = 2\n";
    scene.write("w.toml", species);
    scene
        .succeed("sample --species w.toml -o p.csv")
        .assert_stderr_has(expected);
    scene.write("w.toml", format!("size = [200, 150]\n{species}"));
    let run = scene.succeed("sample --species w.toml --height dem.tif -o p.csv");
    run.assert_stderr_lacks(expected);
    let heights = "--height dem.tif states a pixel size of 30x20 metres";
    run.assert_stderr_has(heights);
}
