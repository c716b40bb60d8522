//! Masks, polygons, and points to avoid.

use crate::scene::{Row, Scene};
use image::Luma;
use sampler::Rule;
use std::fmt::Write;

const FLAGS: &str = "sample --size 128x96 --min-dist 1 --max-dist 3";

const LAND: &str = r#"{"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
        [[10, 10], [90, 5], [110, 80], [20, 90], [10, 10]],
        [[30, 30], [60, 30], [60, 60], [30, 60], [30, 30]]]}},
    {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
        [[120.5, 1.5], [120.6, 1.5], [120.5, 1.6], [120.5, 1.5]]]}},
    {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 1]}}]}"#;

/// Returns `true` inside `LAND`, by half planes.
fn on_land(x: f64, y: f64) -> bool {
    let right = |from: [f64; 2], to: [f64; 2]| {
        (to[0] - from[0]) * (y - from[1]) - (x - from[0]) * (to[1] - from[1])
    };
    let outline = [[10.0, 10.0], [90.0, 5.0], [110.0, 80.0], [20.0, 90.0]];
    let inside = (0..4).all(|i| right(outline[i], outline[(i + 1) % 4]) >= 0.0);
    let hole = (30.0..60.0).contains(&x) && (30.0..60.0).contains(&y);
    let speck = x >= 120.5 && y >= 1.5 && x + y <= 122.1;
    (inside && !hole) || speck
}

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("land.geojson", LAND);
    scene
}

#[test]
fn a_polygon_with_a_hole_gets_none_in_the_hole() {
    let scene = scene();
    for algorithm in ["scatter", "bridson"] {
        let closing = "inside 2 polygons with 11 corners (1 other shape ignored)";
        scene.succeed(&format!(
            "{FLAGS} --polygon land.geojson --algorithm {algorithm} -o p.csv --verify --summary s.json"
        )).assert_stderr_has(closing);
        let rows = scene.rows("p.csv");
        assert!(rows.len() > 500, "{}", rows.len());
        for row in &rows {
            assert!(on_land(row.x, row.y), "{algorithm}: {row:?}");
        }
        let speck = rows.iter().filter(|row| row.x > 115.0).count();
        assert_eq!(
            speck, 1,
            "{algorithm}: the island far smaller than a distance"
        );
        let info = &scene.json("s.json")["region"]["polygons"][0];
        assert_eq!(info["polygons"], 2);
        assert_eq!(info["passed_over"], 1);
    }
    // Judged only inside: no gap is left there, though the rest of the world is empty.
    let even = "sample --size 128x96 --min-dist 3 --max-dist 3 -o p.csv";
    let judge = "verify p.csv --polygon land.geojson --min-dist 3 --rule min --size 128x96";
    scene.succeed(&format!("{even} --polygon land.geojson"));
    scene.succeed(&format!("{judge} --expect-maximal"));
    let everywhere = "verify p.csv --min-dist 3 --size 128x96 --expect-maximal";
    scene.end(everywhere, 1);
    // Points outside are found.
    scene.succeed(even);
    scene
        .end(judge, 1)
        .assert_stderr_has("polygons or points to avoid allow none");
}

#[test]
fn polygons_are_a_union_and_svg_is_a_picture() {
    let scene = scene();
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><circle cx='20' cy='20' r='15'/></svg>";
    scene.write("pond.svg", svg);
    let distance = |row: &Row, y: f64| {
        let (dx, dy) = (row.x - 20.0, row.y - y);
        (dx * dx + dy * dy).sqrt()
    };
    for (flags, y) in [
        ("", 20.0),
        ("--y-up", 76.0),
        ("--y-up --origin 0,-50", -24.0),
    ] {
        scene.succeed(&format!("{FLAGS} --polygon pond.svg {flags} -o p.csv"));
        let rows = scene.rows("p.csv");
        assert!(rows.len() > 50, "{}", rows.len());
        for row in &rows {
            assert!(distance(row, y) < 15.0 + 1e-9, "{flags}: {row:?}");
        }
    }
    scene.succeed(&format!(
        "{FLAGS} --polygon pond.svg --polygon land.geojson -o p.csv"
    ));
    let rows = scene.rows("p.csv");
    assert!(
        rows.iter()
            .all(|row| on_land(row.x, row.y) || distance(row, 20.0) < 15.001)
    );
    assert!(rows.iter().any(|row| !on_land(row.x, row.y)));
    assert!(rows.iter().any(|row| distance(row, 20.0) > 15.0));
}

/// A drawing in millimetres covers the world, not a corner of it (FreeCAD/FreeCAD#10929,
/// meerk40t/meerk40t#51).
#[test]
fn a_drawings_page_is_the_world_unless_its_units_are() {
    let scene = scene();
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="128mm" height="96mm"
        viewBox="0 0 32 24"><path d="M0 0h8v12h-8z"/><text>pond</text></svg>"#;
    scene.write("quarter.svg", svg);
    let flags = "--size 128x96 --min-dist 1 --max-dist 3 --polygon quarter.svg -o p.csv";
    for (more, [x, y], [w, h], words) in [
        ("", [0.0, 0.0], [32.0, 48.0], "page of the drawing = world"),
        (
            "--polygon-units page --y-up",
            [0.0, 48.0],
            [32.0, 48.0],
            "page of the drawing = world",
        ),
        (
            "--origin 5,-7",
            [5.0, -7.0],
            [32.0, 48.0],
            "page of the drawing = world",
        ),
        (
            "--polygon-units world",
            [0.0, 0.0],
            [8.0, 12.0],
            "units of the drawing = world units",
        ),
        (
            "--polygon-units world --y-up",
            [0.0, 84.0],
            [8.0, 12.0],
            "units of the drawing = world units",
        ),
    ] {
        let run = scene.succeed(&format!("sample {flags} {more} --summary s.json --verify"));
        run.assert_stderr_has(words);
        run.assert_stderr_has("--polygon quarter.svg: 1 text is ignored");
        let info = &scene.json("s.json")["region"]["polygons"][0];
        let units = if more.contains("world") {
            "world"
        } else {
            "page"
        };
        assert_eq!(info["units"], units);
        let rows = scene.rows("p.csv");
        assert!(rows.len() > 20, "{more}: {}", rows.len());
        for row in &rows {
            let inside = (x..x + w).contains(&row.x) && (y..y + h).contains(&row.y);
            assert!(inside, "{more}: {row:?}");
        }
        // The points fill the polygon, and `verify` agrees.
        let far = rows.iter().map(|row| row.x).fold(0.0, f64::max);
        assert!(far > x + 0.8 * w, "{more}: {far}");
        if !more.contains("origin") {
            let even = format!("--size 128x96 --min-dist 3 --polygon quarter.svg {more}");
            scene.succeed(&format!("sample {even} --max-dist 3 -o even.csv"));
            scene.succeed(&format!(
                "verify even.csv {even} --rule min --expect-maximal"
            ));
        }
    }
    let page = format!("{FLAGS} --polygon land.geojson --polygon-units page -o q.csv");
    let words = ["--polygon-units page", "land.geojson", "has no page"];
    scene.refused(&page, 2, &words);
    let alone = format!("{FLAGS} --polygon-units page -o q.csv");
    scene.refused(&alone, 2, &["--polygon"]);
    let bare = "<svg><path d='M0 0h20v20h-20z'/></svg>";
    scene.write("bare.svg", bare);
    let words = "the drawing has no page (neither a viewBox nor a width and a height)";
    scene
        .succeed(&format!("{FLAGS} --polygon bare.svg -o p.csv"))
        .assert_stderr_has(words);
    assert!(
        scene
            .rows("p.csv")
            .iter()
            .all(|row| row.x < 20.0 && row.y < 20.0)
    );
    scene
        .succeed(&format!(
            "{FLAGS} --polygon bare.svg --polygon-units world -o p.csv"
        ))
        .assert_stderr_lacks("no page");
    let page = format!("{FLAGS} --polygon bare.svg --polygon-units page -o q.csv");
    scene.refused(&page, 1, &["--polygon bare.svg", "has no page"]);
    let beyond = "<svg viewBox='0 0 9 9'><path d='M20 0h20v20h-20z'/></svg>";
    scene.write("beyond.svg", beyond);
    let beyond = format!("{FLAGS} --polygon beyond.svg -o q.csv");
    scene.refused(&beyond, 1, &["--polygon beyond.svg", "on its page"]);
}

#[test]
fn a_mask_opens_from_its_threshold_on_down_to_one_pixel() {
    let scene = scene();
    // Another size than the map's; bright at the right, and one bright pixel at the upper left.
    scene.picture("mask.png", [40, 30], |x, y| {
        Luma([match (x, y) {
            (3, 2) => 255u8,
            (20..30, _) => 100,
            (30.., _) => 200,
            _ => 0,
        }])
    });
    let sparse = "--size 128x96 --min-dist 2 --max-dist 6";
    for (flags, least) in [("", 30.0), ("--mask-threshold 0.39", 20.0)] {
        for map in ["", "ramp.png"] {
            for (y_up, row) in [("", 2.0), ("--y-up", 27.0)] {
                scene.succeed(&format!(
                    "sample {map} {sparse} --mask mask.png {flags} {y_up} -o p.csv --verify"
                ));
                let rows = scene.rows("p.csv");
                let side = 3.2;
                let (island, rest): (Vec<Row>, Vec<Row>) =
                    rows.into_iter().partition(|row| row.x < 60.0);
                assert!(rest.len() > 50 && rest.iter().all(|r| r.x >= least * side));
                assert!(!island.is_empty(), "{flags} {map} {y_up}");
                for r in island {
                    let pixel = [r.x / side, r.y / side].map(f64::floor);
                    assert_eq!(pixel, [3.0, row], "{flags} {map} {y_up}: {r:?}");
                }
            }
        }
    }
}

/// A count or a factor scales the distances of the points, not those from what is there.
#[test]
fn a_count_keeps_clear_by_the_distances_as_given() {
    let scene = scene();
    scene.write("houses.csv", "x,y,min_dist\n30,30,9\n100,90,14\n");
    let run = format!("{FLAGS} ramp.png --avoid houses.csv -q");
    for (count, more) in [(40, ""), (900, "--tile"), (2500, "--lod 2")] {
        let of_run = format!("{run} {more} -o p.csv -o p.json");
        scene.succeed(&format!(
            "{of_run} --count {count} --verify --summary s.json"
        ));
        let whole = scene.rows("p.csv");
        assert_eq!(whole.len(), count);
        let square = |row: &Row, [x, y]: [f64; 2]| (row.x - x).powi(2) + (row.y - y).powi(2);
        for (house, keep) in [([30.0, 30.0], 9.0), ([100.0, 90.0], 14.0)] {
            let squares = whole.iter().map(|row| square(row, house));
            let nearest = squares.fold(f64::INFINITY, f64::min).sqrt();
            assert!(nearest >= keep, "{count}: {nearest}");
            if count > 500 {
                assert!(nearest < keep + 3.0, "{count}: {nearest}");
            }
        }
        // `verify` takes the factor from the file, and the houses as they are.
        scene.succeed("verify p.json ramp.png --min-dist 1 --max-dist 3 --avoid houses.csv");
        let summary = scene.json("s.json");
        let (factor, last) = (&summary["scale_factor"], summary["last"].as_str());
        let last = last.expect("a point");
        let again = format!("{of_run} --scale-factor {factor} --last {last}");
        scene.succeed(&again);
        assert!(scene.rows("p.csv") == whole, "{count}");
    }
}

/// The distances as given leave no room beside the house, and none in a tile.
#[test]
fn a_count_does_not_depend_on_the_distances_as_given() {
    let scene = scene();
    scene.write("one.csv", "x,y,min_dist\n1.5,1.5,0.2\n");
    for rule in Rule::OF_SCATTER.map(Rule::name) {
        for tile in ["", "--tile"] {
            let run = format!("sample --size 3x3 --count 50 --rule {rule} {tile}");
            scene.succeed(&format!("{run} --avoid one.csv --verify -o p.csv"));
            assert_eq!(scene.rows("p.csv").len(), 50, "{rule} {tile}");
        }
    }
    let few = "sample --size 3x3 --count 2 --tile --avoid one.csv -o p.csv";
    scene.refused(few, 2, &["--count 2: ", "request more"]);
    scene.write("big.csv", "x,y,min_dist\n1.5,1.5,2\n");
    let run = "sample --size 3x3 --count 50 --tile --avoid big.csv -o p.csv";
    scene.refused(run, 2, &["--count 50: --avoid big.csv: ", "half the tile"]);
}

#[test]
fn existing_points_are_kept_clear_of_by_every_rule() {
    let scene = scene();
    let houses = "x,y,min_dist\n30,30,9\n60,40,2.5\n61,40,0.5\n-2,50,6\n100,90,14\n";
    scene.write("houses.csv", houses);
    let houses = [
        (30.0, 30.0, 9.0),
        (60.0, 40.0, 2.5),
        (61.0, 40.0, 0.5),
        (-2.0, 50.0, 6.0),
        (100.0, 90.0, 14.0),
    ];
    for rule in Rule::OF_SCATTER.map(Rule::name) {
        for algorithm in ["scatter", "bridson"] {
            let closing = "clear of 5 points of min_dist 0.5..14";
            scene.succeed(&format!(
                "{FLAGS} --avoid houses.csv --rule {rule} --algorithm {algorithm} -o p.csv --verify"
            )).assert_stderr_has(closing);
            let rows = scene.rows("p.csv");
            assert!(rows.len() > 500);
            let mut slack = f64::INFINITY;
            for row in &rows {
                for &(x, y, house) in &houses {
                    let keep = match rule {
                        "max" => row.min_dist.max(house),
                        "mean" => 0.5 * (row.min_dist + house),
                        "min" => row.min_dist.min(house),
                        "own" => row.min_dist,
                        _ => house,
                    };
                    let square = (row.x - x) * (row.x - x) + (row.y - y) * (row.y - y);
                    assert!(square >= keep * keep, "{rule} {algorithm}: {row:?}");
                    slack = slack.min(square.sqrt() - keep);
                }
            }
            assert!(slack < 1.0, "{rule}: they keep away farther than they must");
        }
    }
    // One distance for all, given on the command line.
    scene.succeed(&format!(
        "{FLAGS} --avoid houses.csv --avoid-dist 20 -o p.csv"
    ));
    let near = |row: &Row| (row.x - 60.0) * (row.x - 60.0) + (row.y - 40.0) * (row.y - 40.0);
    assert!(scene.rows("p.csv").iter().all(|row| near(row) >= 400.0));
    // A second run fills the gaps of the first, and leaves none.
    let all = "sample --size 128x96 --min-dist 2 --max-dist 2 -q";
    scene.succeed(&format!("{all} --polygon land.geojson -o first.csv"));
    scene.succeed(&format!("{all} --avoid first.csv --seed 1 -o second.csv"));
    let (first, second) = (scene.rows("first.csv"), scene.rows("second.csv"));
    assert!(first.len() > 500 && second.len() > 500);
    scene
        .succeed("verify second.csv --avoid first.csv --min-dist 2 --expect-maximal --size 128x96");
    scene.succeed(&format!("{all} --polygon land.geojson -o first.geojson"));
    scene.succeed(&format!(
        "{all} --avoid first.geojson --seed 1 -o third.csv"
    ));
    let bytes = |name: &str| scene.read(name);
    assert!(bytes("third.csv") == bytes("second.csv"));
    // GeoJSON of other programs has y in the north.
    let theirs = bytes("first.geojson");
    let theirs = String::from_utf8(theirs)
        .expect("text")
        .replace("spinney", "other");
    scene.write("theirs.geojson", theirs);
    let words = ["theirs.geojson", "give --y-up"];
    let avoid = format!("{FLAGS} ramp.png --avoid theirs.geojson");
    scene.refused(&format!("{avoid} -o q.csv"), 1, &words);
    scene.succeed(&format!("{avoid} --y-up -o q.csv"));
    let mut both = String::from("x,y,min_dist\n");
    for row in first.iter().chain(&second) {
        let _ = writeln!(both, "{:?},{:?},2", row.x, row.y);
    }
    scene.write("both.csv", both);
    scene.succeed("verify both.csv --min-dist 2 --expect-maximal --size 128x96");
}

#[test]
fn mistakes_get_one_line() {
    let scene = scene();
    scene.polygon("open.geojson", "[[0,0],[9,0],[9,9]]");
    scene.polygon("far.geojson", "[[500,500],[600,500],[600,600],[500,500]]");
    scene.polygon("line.geojson", "[[1,1],[5,1],[9,1],[1,1]]");
    scene.polygon("nan.geojson", "[[1,1],[NaN,1],[9,1],[1,1]]");
    scene.write(
        "empty.geojson",
        r#"{"type":"FeatureCollection","features":[]}"#,
    );
    scene.write(
        "roads.svg",
        "<svg><path d='M0 0L9 9L0 9' fill='none' stroke='#000'/></svg>",
    );
    scene.write("bare.csv", "x,y\n1,2\n");
    scene.write("solid.csv", "x,y,z,min_dist\n1,2,3,4\n");
    scene.write("nan.csv", "x,y,min_dist\n1,nan,4\n");
    scene.write("zero.csv", "x,y,min_dist\n1,2,0\n");
    scene.write("latin.geojson", b"\"\xe9\"");
    scene.picture("black.png", [4, 4], |_, _| Luma([0u8]));
    for (flags, code, words) in [
        (
            "--polygon open.geojson",
            1,
            &["--polygon open.geojson", "not closed"][..],
        ),
        (
            "--polygon far.geojson",
            1,
            &["no polygon lies in the world", "cover 500,500 to 600,600"],
        ),
        ("--polygon line.geojson", 1, &["enclose no area"]),
        (
            "--polygon nan.geojson",
            1,
            &["--polygon nan.geojson", "line 1"],
        ),
        ("--polygon empty.geojson", 1, &["there is no polygon\n"]),
        (
            "--polygon roads.svg",
            1,
            &["a shape without a fill has no inside"],
        ),
        ("--polygon latin.geojson", 1, &["UTF-8"]),
        (
            "--polygon ramp.png",
            2,
            &["must end in .geojson, .json or .svg"],
        ),
        (
            "--polygon none.svg",
            1,
            &["--polygon none.svg", "no such file"],
        ),
        ("--mask none.png", 1, &["--mask none.png", "no such file"]),
        (
            "--mask black.png",
            1,
            &["--mask black.png", "nothing is open"],
        ),
        ("--mask land.geojson", 1, &["--mask land.geojson"]),
        (
            "--mask ramp.png --mask-threshold nan",
            2,
            &["--mask-threshold", "0 to 1"],
        ),
        ("--mask-threshold 0.5", 2, &["--mask"]),
        ("--avoid-dist 5", 2, &["--avoid"]),
        (
            "--avoid bare.csv",
            1,
            &["--avoid bare.csv", "give --avoid-dist"],
        ),
        ("--avoid nan.csv", 1, &["--avoid nan.csv"]),
        ("--avoid zero.csv", 1, &["--avoid zero.csv", "positive"]),
        ("--avoid ramp.png", 2, &["must end in .csv"]),
        ("--avoid bare.csv --avoid-dist -5", 2, &["--avoid-dist"]),
        (
            "--avoid bare.csv --avoid-dist 5 --rule parent --algorithm bridson",
            2,
            &["--avoid bare.csv", "another rule"],
        ),
        (
            "--avoid bare.csv --avoid-dist 90 --tile",
            1,
            &["--avoid bare.csv", "half the tile"],
        ),
    ] {
        scene.refused(&format!("{FLAGS} {flags} -o p.csv"), code, words);
    }
    let itself = format!("{FLAGS} --avoid bare.csv --avoid-dist 2 -o bare.csv");
    scene.refused(&itself, 2, &["-o bare.csv", "the input --avoid"]);
    // `verify` in a region needs to know the distances at other places.
    scene.write("two.csv", "x,y,min_dist\n50,20,3\n20,50,4\n");
    let judged = "verify two.csv --polygon land.geojson";
    scene.refused(judged, 2, &["give MAP, or --min-dist"]);
    let judged = "verify solid.csv --polygon land.geojson --min-dist 1";
    let words = ["for 2D points only", "z that is not 0: remove that column"];
    scene.refused(judged, 2, &words);
}

#[test]
fn a_million_corners_and_deep_nests_end() {
    let scene = scene();
    let mut ring = String::from("[");
    for i in 0..1_000_000 {
        let (x, y) = (i % 1000, i / 1000);
        let x = if y % 2 == 0 { x } else { 999 - x };
        let _ = write!(ring, "[{},{}],", 0.1 * f64::from(x), 0.09 * f64::from(y));
    }
    ring += "[0,0]]";
    scene.polygon("many.geojson", &ring);
    scene.succeed("sample --size 128x96 --min-dist 3 --polygon many.geojson -o p.csv");
    let deep = r#"{"type":"GeometryCollection","geometries":["#.repeat(200_000);
    scene.write("deep.geojson", deep);
    let deep = format!("{FLAGS} --polygon deep.geojson -o q.csv");
    scene.refused(&deep, 1, &["recursion"]);
    let deep = "<g>".repeat(100_000) + "<path d='M9 9h9v9z'/>" + &"</g>".repeat(100_000);
    scene.write("deep.svg", format!("<svg>{deep}</svg>"));
    let run = scene.run(&format!("{FLAGS} --polygon deep.svg -o q.csv"));
    assert!(matches!(run.code, Some(0 | 1)), "{run}");
}
