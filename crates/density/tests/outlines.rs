//! Polygons out of `GeoJSON` and SVG.

#![cfg(all(feature = "geojson", feature = "svg"))]

use spinney_density::{FillRule, OutlineError, Outlines, Polygons, Region};

fn geojson(text: &str) -> Result<Outlines, OutlineError> {
    Outlines::from_geojson(text)
}

fn svg(inside: &str) -> Result<Outlines, OutlineError> {
    let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>");
    Outlines::from_svg(&text, 0.001)
}

fn region(outlines: Result<Outlines, OutlineError>) -> Polygons {
    Polygons::new(outlines.expect("outlines").polygons).expect("polygons")
}

fn problem(outlines: Result<Outlines, OutlineError>) -> String {
    let problem = outlines.expect_err("refused").to_string();
    assert_eq!(problem.lines().count(), 1, "{problem}");
    problem
}

const SQUARE: &str = "[[0,0],[8,0],[8,8],[0,8],[0,0]]";
const HOLE: &str = "[[2,2],[4,2],[4,4],[2,4],[2,2]]";

#[test]
fn every_kind_of_geojson() {
    let polygon = format!(r#"{{"type":"Polygon","coordinates":[{SQUARE},{HOLE}]}}"#);
    let feature = format!(r#"{{"type":"Feature","properties":{{"a":1}},"geometry":{polygon}}}"#);
    let point =
        r#"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}}"#;
    let nowhere = r#"{"type":"Feature","properties":null,"geometry":null}"#;
    let all = [
        (polygon.clone(), 0),
        (
            format!(r#"{{"type":"MultiPolygon","coordinates":[[{SQUARE},{HOLE}]]}}"#),
            0,
        ),
        (
            format!(r#"{{"type":"GeometryCollection","geometries":[{polygon}]}}"#),
            0,
        ),
        (feature.clone(), 0),
        (format!("\u{feff}{feature}"), 0),
        (
            format!(r#"{{"type":"FeatureCollection","features":[{point},{feature},{nowhere}]}}"#),
            2,
        ),
    ];
    for (text, passed_over) in all {
        let outlines = geojson(&text).expect("outlines");
        assert_eq!(outlines.passed_over, passed_over, "{text}");
        assert_eq!(outlines.polygons.len(), 1, "{text}");
        let region = region(Ok(outlines));
        assert!(
            region.holds([1.0, 1.0]) && region.holds([7.9, 7.9]),
            "{text}"
        );
        assert!(
            !region.holds([3.0, 3.0]) && !region.holds([8.1, 1.0]),
            "{text}"
        );
    }
}

/// Polygons that overlap are one region, though within one polygon every other ring is a hole.
#[test]
fn overlapping_features_do_not_cancel() {
    let other = "[[4,4],[12,4],[12,12],[4,12],[4,4]]";
    let text = format!(r#"{{"type":"MultiPolygon","coordinates":[[{SQUARE}],[{other}]]}}"#);
    let region = region(geojson(&text));
    assert!([2.0, 6.0, 10.0].iter().all(|&x| region.holds([x, x])));
}

#[test]
fn numbers_are_read_to_the_last_bit() {
    // A parser that hurries is a unit in the last place off in one of nine.
    for i in 0..200 {
        let x = 1000.0 / (f64::from(i) + 0.37);
        let ring = format!("[[[{x:?},-9],[9999,0],[9999,9],[{x:?},-9]]]");
        let outlines = geojson(&format!(r#"{{"type":"Polygon","coordinates":{ring}}}"#));
        let read = outlines.expect("outlines").polygons[0].rings()[0][0][0];
        assert_eq!(read.to_bits(), x.to_bits(), "{x:?} became {read:?}");
    }
}

#[test]
fn bad_geojson_says_what_is_wrong() {
    let polygon = |rings: &str| geojson(&format!(r#"{{"type":"Polygon","coordinates":{rings}}}"#));
    let open = problem(polygon("[[[0,0],[8,0],[8,8],[0,8]]]"));
    assert!(
        open.contains("not closed") && open.contains("[0.0, 8.0]"),
        "{open}"
    );
    assert!(problem(polygon("[]")).contains("at least one ring"));
    assert!(problem(polygon("[[[0,0],[1,1],[0,0]]]")).contains("2 different corners"));
    assert!(problem(polygon("[[[0,0],[1e200,1],[0,9],[0,0]]]")).contains("between -1e100 and"));
    assert!(problem(polygon("[[[0],[1],[2],[0]]]")).contains("GeoJSON"));
    assert!(problem(polygon("[[[0,0],[NaN,1],[0,9],[0,0]]]")).contains("line 1"));
    assert!(problem(polygon("[[[0,0],[1e999,1],[0,9],[0,0]]]")).contains("GeoJSON"));
    let lines = r#"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#;
    assert!(problem(geojson(lines)).contains("no polygon, only 1 other geometries"));
    assert!(problem(geojson("")).contains("GeoJSON"));
    let deep = [
        r#"{"type":"GeometryCollection","geometries":["#.repeat(100_000),
        String::new(),
    ];
    assert!(problem(geojson(&deep.concat())).contains("recursion limit"));
    assert!(problem(geojson(&"[".repeat(1_000_000))).contains("GeoJSON"));
}

#[test]
fn shapes_of_svg() {
    let area = |inside: &str| {
        let outlines = svg(inside).expect("outlines");
        let ring_area = |ring: &Vec<[f64; 2]>| {
            let next = ring.iter().cycle().skip(1);
            let cross = |(a, b): (&[f64; 2], &[f64; 2])| a[0] * b[1] - a[1] * b[0];
            0.5 * ring.iter().zip(next).map(cross).sum::<f64>()
        };
        let rings = outlines
            .polygons
            .iter()
            .flat_map(spinney_density::Polygon::rings);
        rings.map(ring_area).sum::<f64>()
    };
    let pi = std::f64::consts::PI;
    for (inside, expected) in [
        (r#"<rect x="1" y="2" width="3px" height="4"/>"#, 12.0),
        (
            r#"<rect width="10" height="8" rx="2"/>"#,
            80.0 - (4.0 - pi) * 4.0,
        ),
        (
            r#"<rect width="10" height="8" rx="50" ry="1"/>"#,
            80.0 - (4.0 - pi) * 5.0,
        ),
        (r#"<circle cx="5" cy="5" r="3"/>"#, 9.0 * pi),
        (r#"<ellipse rx="3" ry="2"/>"#, 6.0 * pi),
        (r#"<ellipse rx="3" ry="auto"/>"#, 9.0 * pi),
        (r#"<polygon points="0,0 4,0 4,4"/>"#, 8.0),
        (r#"<polyline points="0 0 4 0 4 4"/>"#, 8.0),
        (r#"<path d="M1 1h4v4h-4z"/>"#, 16.0),
        (r#"<path d="m1 1 4 0 0 4-4 0"/>"#, 16.0),
        // Relative to where the first ring closed.
        (r#"<path d="M1 1h4v4h-4zm10 0h2v2h-2z"/>"#, 20.0),
        (r#"<path d="M1 1h4v4h-4zh-1v-1z"/>"#, 16.5),
        // Half a circle, by arcs of every kind.
        (r#"<path d="M0 0A5 5 0 0 1 10 0z"/>"#, 12.5 * pi),
        (r#"<path d="M0 0A1 1 0 0 1 10 0z"/>"#, 12.5 * pi),
        (r#"<path d="M0 0A5 5 0 0 0 10 0z"/>"#, -12.5 * pi),
        // Three quarters of one, and the other quarter.
        (r#"<path d="M5 0A5 5 0 1 1 0 -5L0 0z"/>"#, 18.75 * pi),
        (r#"<path d="M5 0A5 5 0 0 0 0 -5L0 0z"/>"#, -6.25 * pi),
        // An ellipse turned by 30 degrees, in halves that end where its long axis does.
        (
            r#"<path d="M-3.4641016151377544 -2A4 2 30 0 1 3.4641016151377544 2A4 2 30 0 1 -3.4641016151377544 -2"/>"#,
            8.0 * pi,
        ),
        // Under a parabola, and under a curve of the third order: three tenths of its control
        // polygon's span, twice.
        (r#"<path d="M0 0Q5 10 10 0z"/>"#, -100.0 / 3.0),
        (r#"<path d="M0 0Q5 10 10 0T20 0z"/>"#, 0.0),
        (r#"<path d="M0 0C0 10 10 10 10 0z"/>"#, -60.0),
        (r#"<path d="M0 0C0 10 10 10 10 0S20 -10 20 0z"/>"#, 0.0),
        (
            r#"<g transform="translate(5 5) scale(2)"><rect width="1" height="1"/></g>"#,
            4.0,
        ),
        (
            r#"<rect width="2" height="2" transform="rotate(30 7 7) skewX(20)"/>"#,
            4.0,
        ),
        (
            r#"<g transform="scale(2 1)"><circle r="3" transform="matrix(1 0 0 2 0 0)"/></g>"#,
            36.0 * pi,
        ),
    ] {
        let found = area(inside);
        // The edges lie up to a thousandth inside the curves.
        assert!(
            (found - expected).abs() < 0.06,
            "{inside}: {found}, not {expected}"
        );
    }
}

#[test]
fn transforms_are_done_in_their_order() {
    let held = |transform: &str, p: [f64; 2]| {
        let inside = format!(r#"<rect transform="{transform}" width="2" height="1"/>"#);
        region(svg(&inside)).holds(p)
    };
    assert!(held("translate(10) rotate(90)", [9.5, 1.5]));
    assert!(held("rotate(90) translate(10)", [-0.5, 11.5]));
    assert!(held("rotate(-450)", [0.5, -1.5]));
    assert!(held("rotate(90 5 5)", [9.5, 1.5]));
}

#[test]
fn only_what_is_filled_counts() {
    let square = r#"width="8" height="8""#;
    let outlines = svg(&format!(
        r#"<defs><rect id="a" {square}/></defs>
           <metadata xmlns:x="urn:x"><x:rect/></metadata>
           <g fill="none"><rect {square}/><rect x="10" {square} style="fill:#333 !important"/></g>
           <g style="display:none"><rect x="20" {square}/></g>
           <g visibility="hidden"><rect x="30" {square}/><rect x="40" {square} visibility="visible"/></g>
           <line x2="9"/><text>pond</text><path d="M0 0L9 9"/>"#
    ))
    .expect("outlines");
    assert_eq!((outlines.polygons.len(), outlines.passed_over), (2, 5));
    let region = region(Ok(outlines));
    let held = [1.0, 11.0, 21.0, 31.0, 41.0].map(|x| region.holds([x, 1.0]));
    assert_eq!(held, [false, true, false, false, true]);
}

#[test]
fn fill_rules_are_each_shapes_own() {
    let rings = "M0 0h8v8h-8zM2 2h4v4h-4z";
    let held = |attributes: &str| {
        let region = region(svg(&format!(r#"<g {attributes}><path d="{rings}"/></g>"#)));
        region.holds([4.0, 4.0])
    };
    assert!(held(""), "both rings turn the same way");
    assert!(!held(r#"fill-rule="evenodd""#));
    assert!(!held(r#"style="fill-rule: evenodd""#));
    let outlines = svg(&format!(r#"<path d="{rings}"/>"#)).expect("outlines");
    assert_eq!(outlines.polygons[0].fill(), FillRule::NonZero);
}

#[test]
fn what_would_change_shapes_is_refused_by_name() {
    let rect = r#"<rect width="8" height="8"/>"#;
    for (inside, word) in [
        (r##"<use href="#a"/>"##.to_owned(), "<use>"),
        (format!("<svg>{rect}</svg>"), "<svg>"),
        (format!(r#"<g clip-path="url(#c)">{rect}</g>"#), "clip-path"),
        (format!(r#"<g style="mask: url(#c)">{rect}</g>"#), "mask"),
        (
            format!(r#"<g style="transform: scale(2)">{rect}</g>"#),
            "transform",
        ),
        (
            format!("<defs><style>.a{{fill:none}}</style></defs>{rect}"),
            "style sheet",
        ),
        (
            r#"<rect width="50%" height="8"/>"#.to_owned(),
            "without a unit",
        ),
        (r#"<rect width="a" height="8"/>"#.to_owned(), "width"),
        (r#"<path d="M0 0h8v8x9"/>"#.to_owned(), "<path> at line 1"),
        (r#"<path d="M0 0h1e999v8z"/>"#.to_owned(), "SVG"),
        (r#"<polygon points="0,0 1,1 2"/>"#.to_owned(), "no y"),
        (r#"<g transform="turn(3)"/>"#.to_owned(), "transform"),
        (
            r#"<path d="M0 0h8v8z" fill-rule="both"/>"#.to_owned(),
            "evenodd or nonzero",
        ),
        (
            r#"<path d="M0 0h8v8z" fill="none"/>"#.to_owned(),
            "only 1 other shapes",
        ),
        (
            r#"<g transform="scale(1e200)"><rect width="9" height="9"/></g>"#.to_owned(),
            "1e100",
        ),
        ("<g>".to_owned(), "SVG"),
        ("&lol;".to_owned(), "SVG"),
    ] {
        let problem = problem(svg(&inside));
        assert!(problem.contains(word), "{inside}: {problem}");
    }
    // A sheet that only colours is no matter.
    assert!(svg(&format!("<style>.a{{fill:#123}}</style>{rect}")).is_ok());
    assert!(problem(Outlines::from_svg("<html/>", 1.0)).contains("html, not svg"));
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Outlines::from_svg("<svg/>", tolerance).is_err());
    }
}

#[test]
fn hostile_drawings_end() {
    let deep = "<g>".repeat(200_000) + "<rect width='1' height='1'/>" + &"</g>".repeat(200_000);
    let _ = svg(&deep);
    let many = "M0 0h1v1z".repeat(300_000);
    assert!(svg(&format!("<path d='{many}'/>")).is_ok());
    let entity = |i: u32| format!("<!ENTITY a{i} '&a{j};&a{j};&a{j};&a{j};'>", j = i - 1);
    let entities = (1..20).map(entity).collect::<Vec<_>>().concat();
    let laughs = format!("<!DOCTYPE svg [<!ENTITY a0 'ha'>{entities}]><svg>&a19;</svg>");
    assert!(Outlines::from_svg(&laughs, 1.0).is_err());
    // A curve of the size of a world, to be followed to the width of an atom.
    let huge = "<svg><path d='M0 0C0 1e90 1e90 1e90 1e90 0zM0 0A1e90 1e90 0 1 1 1 1'/></svg>";
    let _ = Outlines::from_svg(huge, 1e-300);
    let curves = "C0 1e9 1e9 1e9 0 0".repeat(3_000);
    let costly = format!("<svg><path d='M0 0{curves}'/></svg>");
    assert!(problem(Outlines::from_svg(&costly, 1e-9)).contains("within the tolerance"));
}
