//! Polygons from `GeoJSON` and SVG.

#![cfg(all(feature = "geojson", feature = "svg"))]

use spinney_density::diagnostic::{Diagnostic, Names, Role, Subject};
use spinney_density::polygons::{FillRule, OutlineError, Outlines, Polygons};
use spinney_density::{Bounds, Region};

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

/// In the form that GDAL and QGIS wrote until 2016, and still write on request.
#[test]
fn the_coordinate_system_is_told() {
    let of = |name: &str| {
        let crs = format!(r#"{{"type":"name","properties":{{"name":"{name}"}}}}"#);
        let text = format!(r#"{{"type":"Polygon","crs":{crs},"coordinates":[{SQUARE}]}}"#);
        geojson(&text).expect("outlines").crs
    };
    for (name, told) in [
        ("urn:ogc:def:crs:EPSG::32633", "EPSG:32633"),
        ("http://www.opengis.net/def/crs/EPSG/0/32616", "EPSG:32616"),
        ("https://www.opengis.net/def/crs/OGC/1.3/CRS84", "OGC:CRS84"),
        (
            "http://www.opengis.net/def/crs/EPSG",
            "http://www.opengis.net/def/crs/EPSG",
        ),
        ("urn:ogc:def:crs:OGC:1.3:CRS84", "OGC:CRS84"),
        ("EPSG:3857", "EPSG:3857"),
        ("urn:ogc:def:crs:", "urn:ogc:def:crs:"),
    ] {
        assert_eq!(of(name).as_deref(), Some(told), "{name}");
    }
    let polygon = format!(r#"{{"type":"Polygon","crs":null,"coordinates":[{SQUARE}]}}"#);
    let other = r#"{"type":"link","properties":{"href":"http://example.com/a"}}"#;
    for text in [polygon.clone(), polygon.replace("null", other)] {
        assert_eq!(geojson(&text).expect("outlines").crs, None, "{text}");
    }
}

/// Overlapping polygons form one region, although within one polygon every other ring is a hole.
#[test]
fn overlapping_features_do_not_cancel() {
    let other = "[[4,4],[12,4],[12,12],[4,12],[4,4]]";
    let text = format!(r#"{{"type":"MultiPolygon","coordinates":[[{SQUARE}],[{other}]]}}"#);
    let region = region(geojson(&text));
    assert!([2.0, 6.0, 10.0].iter().all(|&x| region.holds([x, x])));
}

/// r-spatial/sf#540, mapbox/tippecanoe#256: by even-odd, overlaps of holes would be inside, and so
/// would the parts of holes beyond the outline.
#[test]
fn holes_are_subtracted_however_they_lie() {
    let polygon = |holes: &str| {
        region(geojson(&format!(
            r#"{{"type":"Polygon","coordinates":[{SQUARE},{holes}]}}"#
        )))
    };
    let (overlapping, nested, beyond) = (
        "[[3,3],[6,3],[6,6],[3,6],[3,3]]",
        "[[2.5,2.5],[3,2.5],[3,3],[2.5,3],[2.5,2.5]]",
        "[[6,1],[12,1],[12,2],[6,2],[6,1]]",
    );
    let region = polygon(&[HOLE, overlapping, nested, HOLE, beyond, "[]"].join(","));
    for (p, inside) in [
        ([1.0, 1.0], true),
        ([2.1, 2.1], false),
        ([3.5, 3.5], false),
        ([2.7, 2.7], false),
        ([7.0, 1.5], false),
        ([10.0, 1.5], false),
        ([7.0, 3.0], true),
    ] {
        assert_eq!(region.holds(p), inside, "{p:?}");
    }
}

/// RFC 7946, 3.1: empty coordinates may be treated as null.
#[test]
fn empty_geometries_are_passed_over() {
    let polygon = format!(r#"{{"type":"Polygon","coordinates":[{SQUARE}]}}"#);
    let empty = [
        r#"{"type":"Polygon","coordinates":[]}"#,
        r#"{"type":"Polygon","coordinates":[[]]}"#,
        r#"{"type":"MultiPolygon","coordinates":[]}"#,
        r#"{"type":"MultiPolygon","coordinates":[[],[[]]]}"#,
        r#"{"type":"GeometryCollection","geometries":[]}"#,
        r#"{"type":"MultiPoint","coordinates":[]}"#,
        r#"{"type":"Point","coordinates":[]}"#,
        r#"{"type":"LineString","coordinates":[]}"#,
        r#"{"type":"MultiLineString","coordinates":[[]]}"#,
    ];
    let all = [&empty[..], &[&*polygon]].concat().join(",");
    let all = format!(r#"{{"type":"GeometryCollection","geometries":[{all}]}}"#);
    let outlines = geojson(&all).expect("outlines");
    assert_eq!((outlines.polygons.len(), outlines.passed_over), (1, 9));
    for text in empty {
        assert!(
            problem(geojson(text)).contains("there is no polygon"),
            "{text}"
        );
    }
}

#[test]
fn numbers_are_read_to_the_last_bit() {
    // A fast but inexact parser is a unit in the last place off for one number of nine.
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
    assert!(problem(polygon("[[],[[0,0],[8,0],[8,8],[0,0]]]")).contains("0 different corners"));
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
            .flat_map(spinney_density::polygons::Polygon::rings);
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
        (r#"<rect width="1em" height="2"/>"#, 32.0),
        (
            r#"<g font-size="10"><rect width="2em" height="1" style="font-size:50%"/></g>"#,
            10.0,
        ),
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
        // An ellipse turned by 30 degrees, in halves that end on its long axis.
        (
            r#"<path d="M-3.4641016151377544 -2A4 2 30 0 1 3.4641016151377544 2A4 2 30 0 1 -3.4641016151377544 -2"/>"#,
            8.0 * pi,
        ),
        // Under a parabola, and under a cubic curve: three tenths of its control polygon's span,
        // twice.
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

/// Cubic curves would deviate by 0.03 % of the radius.
#[test]
fn arcs_are_followed_as_arcs() {
    for (inside, center, radii) in [
        (
            r#"<circle cx="20" cy="20" r="15"/>"#,
            [20.0, 20.0],
            [15.0, 15.0],
        ),
        (
            r#"<circle cx="-9" cy="700" r="2000"/>"#,
            [-9.0, 700.0],
            [2000.0, 2000.0],
        ),
        (
            r#"<ellipse rx="8" ry=".5" cx="1"/>"#,
            [1.0, 0.0],
            [8.0, 0.5],
        ),
        (
            r#"<path d="M-8 3A10 30 0 0 1 12 3A10 30 0 0 1 -8 3" transform="scale(3 1)"/>"#,
            [6.0, 3.0],
            [30.0, 30.0],
        ),
        (
            r#"<rect x="-4" y="1" width="8" height="2" rx="4"/>"#,
            [0.0, 2.0],
            [4.0, 1.0],
        ),
    ] {
        let outlines = svg(inside).expect("outlines");
        let ring = &outlines.polygons[0].rings()[0];
        assert!(ring.len() > 30, "{inside}: {}", ring.len());
        for corner in ring {
            let unit = [0, 1].map(|a| (corner[a] - center[a]) / radii[a]);
            let off = (unit[0] * unit[0] + unit[1] * unit[1]).sqrt() - 1.0;
            assert!(off.abs() < 2e-6, "{inside}: {corner:?} is {off} off");
        }
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

/// Everything that rings cannot represent, or that the library would ignore, is named.
#[test]
fn what_would_change_shapes_is_refused_by_name() {
    let rect = r#"<rect width="8" height="8"/>"#;
    let clip = r#"<clipPath id="c"><circle r="4"/></clipPath>"#;
    let half = r#"<linearGradient id="g"><stop/><stop offset="1" stop-opacity="0"/></linearGradient>
        <rect width="8" height="8" fill="url(#g)"/>"#;
    let pattern = r#"<pattern id="p" width="1" height="1"><path d="M0 0h1v1z"/></pattern>
        <rect width="8" height="8" fill="url(#p)"/>"#;
    let styled = |style: &str| format!(r#"<rect width="8" height="8" style="{style}"/>"#);
    let sheet = |css: &str| format!("<style>{css}</style>{rect}");
    let with = |attributes: &str| format!(r#"<rect width="8" height="8" {attributes}/>"#);
    for (inside, word) in [
        // Effects.
        (
            format!(r#"{clip}<g clip-path="url(#c)">{rect}</g>"#),
            "clip path",
        ),
        (
            format!("{clip}{}", styled("clip-path: url(#c)")),
            "clip path",
        ),
        (styled("clip-path: circle(4px)"), "clip-path"),
        (
            styled("-webkit-clip-path: circle(4px)"),
            "-webkit-clip-path",
        ),
        (format!(r#"<g style="mask: url(#c)">{rect}</g>"#), "mask"),
        (
            styled("mask-image: linear-gradient(red, transparent)"),
            "mask-image",
        ),
        (with(r#"filter="url(#f)""#), "filter"),
        (styled("filter: blur(2px)"), "filter"),
        (with(r#"marker-end="url(#m)""#), "marker-end"),
        (pattern.to_owned(), "pattern"),
        (half.to_owned(), "transparent somewhere"),
        (
            format!(r#"<svg width="4" height="4">{rect}</svg>"#),
            "inner svg",
        ),
        (
            format!("<clipPath id='c'><text>a</text></clipPath>{rect}"),
            "clip path",
        ),
        // Styles.
        (sheet("@import url(a.css);"), "@import"),
        (sheet("@media print { rect { fill: none } }"), "@media"),
        (sheet("rect:not(.a) { fill: none }"), "rect:not(.a)"),
        (sheet("rect ~ rect { fill: none }"), "rect ~ rect"),
        (sheet("g { rect { fill: none } }"), "nested"),
        (sheet("rect { font: 1px/2 a; fill: none }"), "fill"),
        (sheet("rect { FILL: none }"), "fill"),
        (sheet("rect { width: 4px }"), "width"),
        (
            format!("<style media='print'>rect {{ fill: none }}</style>{rect}"),
            "style sheet",
        ),
        (
            format!("<style>a{{}}<!-- --> rect{{fill:none}}</style>{rect}"),
            "style sheet",
        ),
        (styled("FILL: none"), "fill"),
        (styled("fill: NONE"), "NONE"),
        (styled("fill: var(--a)"), "var(--a)"),
        (styled("opacity: calc(0)"), "calc(0)"),
        (styled("transform: rotate(45deg)"), "45deg"),
        (styled("translate: 4px"), "translate"),
        (styled("rotate: 45deg"), "rotate"),
        (styled("scale: 2"), "scale"),
        (styled("transform-box: fill-box"), "transform-box"),
        (styled("offset-path: path('M0 0h9')"), "offset-path"),
        (styled("x: 4px"), "x"),
        (with(r#"display="NONE""#), "NONE"),
        (with(r#"fill="oklch(0 0 0 / 0)""#), "oklch"),
    ] {
        let problem = problem(svg(&inside));
        assert!(problem.contains(word), "{inside}: {problem}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    let rect = r#"<rect width="8" height="8"/>"#;
    let with = |attributes: &str| format!(r#"<rect width="8" height="8" {attributes}/>"#);
    for (inside, word) in [
        // Conditions and references.
        (with(r#"systemLanguage="de""#), "systemLanguage"),
        (format!(r#"<use href="other.svg#a"/>{rect}"#), "other.svg"),
        (
            format!(
                "<g id='a'/><g id='a'/><use href='#a'/>{}",
                with("fill='url(#a)'")
            ),
            "the repeated id",
        ),
        // Numbers.
        (r#"<rect width="50%" height="8"/>"#.to_owned(), "percentage"),
        (r#"<rect width="a" height="8"/>"#.to_owned(), "width"),
        (r#"<rect width="1rem" height="8"/>"#.to_owned(), "width"),
        (r#"<path d="M0 0h8v8x9"/>"#.to_owned(), "<path> at line 1"),
        (r#"<path d="M0 0h1e999v8z"/>"#.to_owned(), "SVG"),
        (
            r#"<path d="M0 0A1e20 1e20 0 0 0 8 0V8z"/>"#.to_owned(),
            "beyond 1e15",
        ),
        (r#"<polygon points="0,0 1,1 2"/>"#.to_owned(), "no y"),
        (r#"<g transform="turn(3)"/>"#.to_owned(), "transform"),
        (
            r#"<path d="M0 0h8v8z" fill-rule="both"/>"#.to_owned(),
            "fill-rule: \"both\"",
        ),
        (
            r#"<path d="M0 0h8v8z" fill="none"/>"#.to_owned(),
            "only 1 other shapes",
        ),
        (
            r#"<g transform="scale(1e200)"><rect width="9" height="9"/></g>"#.to_owned(),
            "transform",
        ),
        ("<g>".to_owned(), "SVG"),
        ("&lol;".to_owned(), "SVG"),
    ] {
        let problem = problem(svg(&inside));
        assert!(problem.contains(word), "{inside}: {problem}");
    }
    let sheet = r#"<?xml-stylesheet href="a.css"?><svg xmlns="http://www.w3.org/2000/svg"/>"#;
    assert!(problem(Outlines::from_svg(sheet, 1.0)).contains("external style sheet"));
    assert!(problem(Outlines::from_svg("<html/>", 1.0)).contains("html, not svg"));
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Outlines::from_svg("<svg/>", tolerance).is_err());
    }
}

/// Transforms, lengths and viewports that `usvg` accepts, but reads differently from browsers.
#[test]
fn transforms_and_lengths_that_browsers_read_otherwise_are_refused() {
    let rect = r#"<rect width="8" height="8"/>"#;
    let with = |attributes: &str| format!(r#"<rect width="8" height="8" {attributes}/>"#);
    let styled = |style: &str| with(&format!(r#"style="{style}""#));
    let sheet = |css: &str| format!("<style>{css}</style>{}", with(r#"class="a""#));
    for (inside, word) in [
        // Transforms, which need units and commas in CSS.
        (styled("transform: translate(20,10)"), "translate(20,10)"),
        // After strings with quotes and parentheses in them.
        (
            styled(r"font-family: 'it\'s'; transform: translate(20,10); x: 'b'"),
            "translate(20,10)",
        ),
        (
            styled("cursor: url('a)'); transform: translate(20,10)"),
            "translate(20,10)",
        ),
        (
            styled("cursor: url(a'/*b); transform: translate(20,10)"),
            "translate(20,10)",
        ),
        (sheet("rect { transform: rotate(20) }"), "rotate(20)"),
        (styled("transform: scale(2, 2) skewX(10)"), "skewX(10)"),
        (
            styled("transform: translate(0 0) scale(2)"),
            "translate(0 0)",
        ),
        (
            styled("transform: scale(2), scale(2)"),
            "scale(2), scale(2)",
        ),
        (
            styled("transform: matrix(1 0 0 1 9 9)"),
            "matrix(1 0 0 1 9 9)",
        ),
        (styled("transform-origin: 40 35"), "transform-origin"),
        (styled("transform-origin: 40px, 35px"), "transform-origin"),
        (with(r#"transform-origin="40, 35""#), "transform-origin"),
        // Lengths.
        (
            r#"<rect width="2ex" height="8"/>"#.to_owned(),
            "length in ex",
        ),
        (r#"<rect width="2rem" height="8"/>"#.to_owned(), "width"),
        (
            r#"<rect width="calc(2px)" height="8"/>"#.to_owned(),
            "width",
        ),
        (
            r#"<rect width="2em" height="8" font-size="large"/>"#.to_owned(),
            "font-size",
        ),
        (
            r#"<g style="font-size: 12"><rect width="2em" height="8"/></g>"#.to_owned(),
            "font-size",
        ),
        (
            r#"<g style="font: 12px a"><rect width="2em" height="8"/></g>"#.to_owned(),
            "font",
        ),
        // Viewports.
        (format!("<svg>{rect}</svg>"), "inner svg without"),
        (
            format!(r#"<svg width="9">{rect}</svg>"#),
            "inner svg without",
        ),
        (
            format!(r#"<svg width="9" height="0">{rect}</svg>"#),
            "height: \"0\"",
        ),
        (
            format!(r##"<symbol id="u">{rect}</symbol><use href="#u" width="0" height="9"/>"##),
            "width: \"0\"",
        ),
        (
            format!(r#"<symbol transform="scale(2)">{rect}</symbol>"#),
            "transform",
        ),
        (format!(r#"<symbol x="4">{rect}</symbol>"#), "x: \"4\""),
        (
            format!(r#"<symbol width="4">{rect}</symbol>"#),
            "width: \"4\"",
        ),
        (
            format!(r#"<symbol style="display: block">{rect}</symbol>"#),
            "display",
        ),
        (
            r#"<symbol viewBox="0 0 9 9"><g><rect width="50%" height="9"/></g></symbol>"#
                .to_owned(),
            "percentage within a symbol",
        ),
        (
            format!(
                r##"<svg id="u" width="9" height="9"><svg width="5" height="5">{rect}</svg></svg>
                    <use href="#u" width="5"/>"##
            ),
            "copy of an svg",
        ),
        (
            format!(r##"<g id="u"/><g id="u">{rect}</g><use href="#u"/>"##),
            "the repeated id",
        ),
    ] {
        let problem = problem(svg(&inside));
        assert!(problem.contains(word), "{inside}: {problem}");
    }
}

/// Clip paths, alternatives, gradients and cascades that `usvg` accepts, but reads differently from
/// browsers.
#[test]
fn alternatives_and_cascades_that_browsers_read_otherwise_are_refused() {
    let rect = r#"<rect width="8" height="8"/>"#;
    let with = |attributes: &str| format!(r#"<rect width="8" height="8" {attributes}/>"#);
    let styled = |style: &str| with(&format!(r#"style="{style}""#));
    let sheet = |css: &str| format!("<style>{css}</style>{}", with(r#"class="a""#));
    let switch = |first: &str| format!("<switch>{first}<g>{rect}</g></switch>");
    let radial = |attributes: &str| {
        let stops = r#"<stop stop-color="red"/><stop offset="1"/>"#;
        let gradient = format!(r#"<radialGradient id="g" {attributes}>{stops}</radialGradient>"#);
        format!("{gradient}{}", with(r#"fill="url(#g)""#))
    };
    for (inside, word) in [
        // Nothing is left of the clipped shape.
        (
            format!(
                r#"<clipPath id="c"><path d="M-9 -9h99v99h-99z" visibility="hidden"/></clipPath>
                   <g clip-path="url(#c)">{rect}</g>"#
            ),
            "clip path",
        ),
        // Alternatives, of which browsers take the first supported one.
        (switch("<foreignObject/>"), "<foreignObject>"),
        (switch("<title>a</title>"), "<title>"),
        (switch("<style/>"), "<style>"),
        (switch("<set/>"), "<set>"),
        (
            switch("<g requiredExtensions='http://www.w3.org/1999/xhtml'/>"),
            "requiredExtensions",
        ),
        // A cone.
        (radial(r#"fx="1.2""#), "focus outside"),
        (radial(r#"r="0.2" fy="0.9""#), "focus outside"),
        // The cascade.
        (
            styled("fill: none !important; fill: red !important"),
            "several !important",
        ),
        (
            sheet("rect { fill: none !important } .a { fill: red !important }"),
            "several !important",
        ),
        (
            format!(
                r#"<g style="fill: red !important">{}</g>"#,
                styled("fill: inherit")
            ),
            "inherit",
        ),
        (
            format!(
                "<style>g {{ fill: red !important }}</style><g>{}</g>",
                with(r#"fill="inherit""#)
            ),
            "inherit",
        ),
        (styled("display: contents"), "contents"),
        (styled("all: initial"), "all: "),
        (sheet("rect { all: unset }"), "all: "),
        (styled(r"fi\6c l: none"), r"fi\6c l"),
        (sheet(r"rect { f\69ll: none }"), r"f\69ll"),
        (sheet(r"r\65 ct { fill: none }"), "selector"),
    ] {
        let problem = problem(svg(&inside));
        assert!(problem.contains(word), "{inside}: {problem}");
    }
    let dtd = "<!DOCTYPE svg [<!ATTLIST rect fill CDATA 'none'>]><svg><rect/></svg>";
    assert!(problem(Outlines::from_svg(dtd, 1.0)).contains("ATTLIST"));
}

/// Returns `true` if a drawing of these shapes holds `[1, 1]`. One more shape always lies
/// elsewhere.
fn holds(inside: &str) -> bool {
    let elsewhere = r#"<path d="M90 90h5v5z" class="z" style="fill:red;opacity:1"/>"#;
    region(svg(&format!("{elsewhere}{inside}"))).holds([1.0, 1.0])
}

/// mapbox/maki#202, canvg/canvg#632, mapnik/mapnik#1538, and similar cases.
#[test]
fn what_cannot_be_seen_is_not_filled() {
    let with = |attributes: &str| format!(r#"<rect width="8" height="8" {attributes}/>"#);
    let styled = |style: &str| with(&format!(r#"style="{style}""#));
    let sheet = |css: &str| format!("<style>{css}</style>{}", with(r#"class="a""#));
    let clear = r#"<radialGradient id="g"><stop stop-color="rgba(1,2,3,0)"/></radialGradient>"#;
    for inside in [
        with(r#"opacity="0""#),
        with(r#"fill-opacity="0.0""#),
        with(r#"fill-opacity="0%""#),
        with(r#"fill="rgba(0,0,0,0)""#),
        with(r#"fill="hsla(120, 50%, 50%, 0)""#),
        with(r##"fill="#00000000""##),
        with(r##"fill="#0000""##),
        with(r#"fill="transparent""#),
        with(r#"fill="none""#),
        with(r#"display="none""#),
        with(r#"visibility="hidden""#),
        with(r#"visibility="collapse""#),
        with(r#"fill="currentColor" color="rgba(9,9,9,0)""#),
        with(r#"transform="scale(0)""#),
        format!("{clear}{}", with(r#"fill="url(#g)""#)),
        format!(r#"<g opacity="0">{}</g>"#, with(r#"opacity="1""#)),
        format!(r#"<g style="opacity:0"><g>{}</g></g>"#, with("")),
        format!("<defs>{}</defs>", with("")),
        format!("<symbol>{}</symbol>", with("")),
        styled("/* a */ fill: none /* b */"),
        styled("fill:red;fill:none !important"),
        styled("fill-opacity:0"),
        sheet(".a{fill:none}"),
        sheet("/* x */ .a, .b { fill: red; opacity: 0 }"),
        sheet("rect{fill:none} path{fill:red}"),
        sheet("g rect{fill:red} svg>*{opacity:.0} .z{opacity:1}"),
        sheet("@font-face{font-family:a;src:url(a)} @charset 'a'; [class='a']{display:none}"),
    ] {
        assert!(!holds(&inside), "{inside}");
    }
    for inside in [
        with(r#"opacity="0.01""#),
        with(r#"fill="rgba(0,0,0,.5)""#),
        with(r#"fill="url(#none) red""#),
        with(r#"clip-path="url(#none)""#),
        // The form in which draw.io writes labels.
        format!(
            "<switch><foreignObject requiredFeatures='x'/><text>a</text></switch>{}",
            with("")
        ),
        with(r#"style="stroke:none;font-size:12px;-inkscape-stroke:none""#),
        sheet(".b{fill:none}"),
        sheet(".a:hover{fill:none}"),
        format!(
            r##"<defs><g id="u">{}</g></defs><use xlink:href="#u" xmlns:xlink="http://www.w3.org/1999/xlink"/>"##,
            with("")
        ),
        format!(r##"<symbol id="u">{}</symbol><use href="#u"/>"##, with("")),
        format!("<svg overflow='visible'>{}</svg>", with("")),
        format!("<svg width='9' height='9'>{}</svg>", with("")),
        // Browsers draw it, since none supports the extension.
        format!(
            "<switch><foreignObject requiredExtensions='x'/><g>{}</g><path d='M0 0h9'/></switch>",
            with("")
        ),
        with(r#"style="transform: matrix(1, 0, 0, 1, 0, 0) scale(2)""#),
        with(r#"style="transform: scale(.5, 2) rotate(0)" transform-origin="1 1""#),
        with(r#"style="transform-origin: 1px 0""#),
        with(r#"font-size="medium" style="fill: red !important; fill: red !important""#),
        format!(
            "<switch><foreignObject requiredExtensions='x'/><g>{}</g></switch>",
            with("")
        ),
        // Clipped by a shape that holds all of it.
        format!(
            r#"<clipPath id="c"><rect x="-1" y="-1" width="99" height="99"/></clipPath>
               <g clip-path="url(#c)">{}</g>"#,
            with("")
        ),
    ] {
        assert!(holds(&inside), "{inside}");
    }
}

#[test]
fn what_has_no_outline_is_named() {
    let outlines = svg(
        r#"<text>a</text><g style="display:none"><text>b</text></g><image href="/etc/passwd"/>
           <rect width="8" height="8"><animate attributeName="x"/></rect><script>a()</script>
           <path d="M0 0L9 9L0 9" fill="none" stroke="red"/><foreignObject/>
           <path d="M0 0L9 9L0 9" fill="none"/>"#,
    )
    .expect("outlines");
    let subject = Subject::new(Role::Polygon, "a.svg", &Names::NONE);
    let notes = outlines.notes.into_iter();
    let notes: Vec<String> = notes.map(|note| note.about(&subject).to_string()).collect();
    let words = [
        "1 text is",
        "1 picture is",
        "1 foreign object is",
        "1 script is not run",
        "1 animation is",
        "1 shape with a stroke",
    ];
    assert_eq!(notes.len(), words.len(), "{notes:?}");
    for word in words {
        assert!(
            notes
                .iter()
                .any(|note| note.starts_with(&format!("a.svg: {word}"))),
            "{notes:?}"
        );
    }
    assert_eq!((outlines.polygons.len(), outlines.passed_over), (1, 5));
    // 32-bit floats are half a metre apart here.
    let far =
        r#"<svg viewBox="500000 4000000 512 512"><path d="M500000.1 4000000.1h99v99z"/></svg>"#;
    let world = Bounds::from_size([512.0; 2]).expect("a box");
    for outlines in [
        Outlines::from_svg(far, 0.01),
        Outlines::from_svg_page(far, &world, 0.01),
    ] {
        let notes = outlines.expect("outlines").notes;
        assert!(
            matches!(notes[..], [Diagnostic::CoarseDrawing { step }] if step > 0.1 && step < 2.0)
        );
    }
}

/// FreeCAD/FreeCAD#10929, meerk40t/meerk40t#51: the page is the world, whatever its units.
#[test]
fn the_page_is_laid_over_the_world() {
    let world = Bounds::with_origin([100.0, -50.0], [200.0, 400.0]).expect("a box");
    let shape = r#"<path d="M0 0h5v10h-5z"/>"#;
    let ring = |attributes: &str| {
        let text = format!("<svg {attributes}>{shape}</svg>");
        let outlines = Outlines::from_svg_page(&text, &world, 0.01).expect("outlines");
        (outlines.polygons[0].rings()[0].clone(), outlines.notes)
    };
    let near = |a: &[[f64; 2]], b: [[f64; 2]; 4]| {
        let close = |(p, q): (&[f64; 2], &[f64; 2])| (0..2).all(|i| (p[i] - q[i]).abs() < 1e-3);
        a.len() == 4 && a.iter().zip(&b).all(close)
    };
    let left = [
        [100.0, -50.0],
        [200.0, -50.0],
        [200.0, 350.0],
        [100.0, 350.0],
    ];
    for attributes in [
        "width='10' height='10'",
        "width='10px' height='10px'",
        "viewBox='0 0 10 10'",
        "viewBox='0 0 10 10' width='100%' height='100%'",
        "viewBox='0 0 10 10' width='50%' height='100%'",
        "width='100%' viewBox='0 0 10 10' height='7mm'",
        "viewBox='0 0 10 10' width='135.46667mm' height='135.46667mm'",
        "viewBox='0 0 10 10' width='3in'",
        "viewBox='0 0 10 10' style='width:100%;height:auto;background-color:#fff'",
        "viewBox='0,0,10,10' width='3' height='9' preserveAspectRatio='none'",
    ] {
        let (ring, notes) = ring(attributes);
        assert!(near(&ring, left), "{attributes}: {ring:?}");
        assert_eq!(notes, [], "{attributes}");
    }
    let (moved, _) = ring("viewBox='-5 -10 20 40' width='2' height='4'");
    let expected = [[150.0, 50.0], [200.0, 50.0], [200.0, 150.0], [150.0, 150.0]];
    assert!(near(&moved, expected), "{moved:?}");
    // A square in the middle of a page twice as wide.
    let (boxed, notes) = ring("viewBox='0 0 10 10' width='20' height='10'");
    let expected = [
        [150.0, -50.0],
        [200.0, -50.0],
        [200.0, 350.0],
        [150.0, 350.0],
    ];
    assert!(near(&boxed, expected), "{boxed:?}");
    assert_eq!(notes, [Diagnostic::LetterboxedPage]);
    for attributes in ["", "width='10'", "width='100%' height='100%'"] {
        let text = format!("<svg {attributes}>{shape}</svg>");
        let problem = Outlines::from_svg_page(&text, &world, 0.01).expect_err("no page");
        assert_eq!(problem, OutlineError::NoPage, "{attributes}");
        assert!(Outlines::from_svg(&text, 0.01).is_ok());
    }
    // User units keep their meaning, wherever the page lies.
    for attributes in [
        "",
        "width='3' height='70'",
        "viewBox='-5 -10 20 40' width='2' height='9'",
        "viewBox='3 -1 20 40' width='90mm' height='1cm' preserveAspectRatio='xMaxYMin slice'",
        "viewBox='3 -1 20 40' width='9' height='30' preserveAspectRatio='none'",
    ] {
        let text = format!("<svg {attributes}>{shape}</svg>");
        let ring =
            Outlines::from_svg(&text, 0.01).expect("outlines").polygons[0].rings()[0].clone();
        let expected = [[0.0, 0.0], [5.0, 0.0], [5.0, 10.0], [0.0, 10.0]];
        assert!(near(&ring, expected), "{attributes}: {ring:?}");
    }
    let broken = Outlines::from_svg("<svg viewBox='0 0 0 9'><path d='M0 0h1v1z'/></svg>", 1.0);
    assert!(problem(broken).contains("viewBox"));
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
    // Copies of copies, and of themselves.
    let copy = |i: u32| {
        format!(
            "<g id='g{i}'><use href='#g{j}'/><use href='#g{j}'/></g>",
            j = i - 1
        )
    };
    let copies = (1..40).map(copy).collect::<Vec<_>>().concat();
    let bomb =
        format!("<svg><defs><path id='g0' d='M0 0h1v1z'/>{copies}</defs><use href='#g39'/></svg>");
    assert!(Outlines::from_svg(&bomb, 1.0).is_err());
    let link = |i: u32| format!("<g id='g{i}'><use href='#g{j}'/></g>", j = i - 1);
    for count in [3, 40, 50, 340, 5_000] {
        let chain = (1..count).map(link).collect::<Vec<_>>().concat();
        let last = count - 1;
        let chain = svg(&format!(
            "<defs><path id='g0' d='M0 0h1v1z'/>{chain}</defs><use href='#g{last}'/>"
        ));
        assert_eq!(chain.is_ok(), count <= 40, "{count}");
    }
    let round = "<svg><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>";
    assert!(Outlines::from_svg(round, 1.0).is_err());
    // Gradient templates in a circle, or in a long chain.
    let template = |i: u32| format!("<linearGradient id='g{i}' href='#g{}'/>", (i + 1) % 5_000);
    for count in [3, 5_000] {
        let chain = (0..count).map(template).collect::<Vec<_>>().concat();
        let circle = "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#c'/>
            <linearGradient id='c' href='#b'/>";
        let chain = format!("{chain}{circle}<path d='M0 0h1v1z' fill='url(#g0)'/>");
        assert!(problem(svg(&chain)).contains("templates"));
    }
    // Long chains of patterns and of clip paths, each inside the next.
    let pattern = |i: u32| {
        format!(
            "<pattern id='p{i}' width='1' height='1'><path d='M0 0h1v1z' fill='url(#p{})'/></pattern>",
            i + 1
        )
    };
    let patterns = (0..50_000).map(pattern).collect::<Vec<_>>().concat();
    assert!(
        problem(svg(&format!(
            "{patterns}<path d='M0 0h1v1z' fill='url(#p0)'/>"
        )))
        .contains("pattern")
    );
    let clip = |i: u32| {
        format!(
            "<clipPath id='c{i}' clip-path='url(#c{})'><path d='M0 0h1v1z'/></clipPath>",
            i + 1
        )
    };
    let clips = (0..50_000).map(clip).collect::<Vec<_>>().concat();
    assert!(
        problem(svg(&format!(
            "{clips}<path d='M0 0h1v1z' clip-path='url(#c0)'/>"
        )))
        .contains("clip-path")
    );
    // Style sheets whose matching would take hours.
    let long = format!("<style>{} {{fill:red}}</style>", "* ".repeat(90));
    assert!(problem(svg(&format!("{long}<path d='M0 0h1v1z'/>"))).contains("style sheet"));
    for css in [
        "}", "{", "@", "@a", "a", "a{", "/*", "a{b", "a{b:", "a{b:c", "'", "a{b:'", "a{b:(",
        "a,{}", ",", "a{b:c!}",
    ] {
        let _ = svg(&format!(
            "<style>{css}</style><path d='M0 0h1v1z' style='{}'/>",
            css.replace('\'', "")
        ));
    }
    // A curve of the size of a world, with a tolerance of the width of an atom.
    let huge = "<svg><path d='M0 0C0 1e90 1e90 1e90 1e90 0zM0 0A1e90 1e90 0 1 1 1 1'/></svg>";
    let _ = Outlines::from_svg(huge, 1e-300);
    let curves = "C0 1e9 1e9 1e9 0 0".repeat(3_000);
    let costly = format!("<svg><path d='M0 0{curves}'/></svg>");
    assert!(problem(Outlines::from_svg(&costly, 1e-9)).contains("within the tolerance"));
}

/// Regression: where `usvg` was not optimised, a chain of 340 copies took more than the 2 MB of stack of a thread.
#[test]
fn the_deepest_drawings_need_little_stack() {
    const STACK: usize = 1 << 20;
    let inside = |element: &str, attributes: &str, count| {
        let open = format!("<{element} {attributes}>").repeat(count);
        let close = format!("</{element}>").repeat(count);
        format!("{open}<path d='M0 0h1v1z'/>{close}")
    };
    let copies = |count| {
        let link = |i| format!("<g id='g{}'><use href='#g{i}'/></g>", i + 1);
        let chain = (0..count).map(link).collect::<String>();
        format!("<defs><path id='g0' d='M0 0h1v1z'/>{chain}</defs><use href='#g{count}'/>")
    };
    let links = |count| {
        let link = |i| format!("<use id='g{}' href='#g{i}'/>", i + 1);
        let chain = (0..count).map(link).collect::<String>();
        format!("<defs><path id='g0' d='M0 0h1v1z'/>{chain}</defs><use href='#g{count}'/>")
    };
    let frame = "width='1' height='1' overflow='visible'";
    let cases = [
        (
            inside("g", "transform='scale(1.01)'", 94),
            inside("g", "", 95),
        ),
        (inside("svg", frame, 94), inside("svg", frame, 95)),
        (copies(46), copies(47)),
        (links(93), links(95)),
    ];
    for (deepest, too_deep) in cases {
        let read = move || (svg(&deepest).map(|_| ()), problem(svg(&too_deep)));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(read);
        let (read, refused) = thread.expect("a thread").join().expect("no panic");
        assert_eq!(read.map_err(|e| e.to_string()), Ok(()));
        assert!(refused.contains("more than 96 nested"), "{refused}");
    }
}

type Inside = Box<dyn Fn([f64; 2]) -> bool>;

/// Files made for this project after public bug reports, with the rendering of their own programs:
/// see `data/README.md`.
#[test]
fn files_from_the_field() {
    let world = Bounds::from_size([100.0, 100.0]).expect("a box");
    let left = |[x, _]: [f64; 2]| x < 50.0;
    let diamond = |p: [f64; 2], half: f64| p.map(|x| (x - 50.0).abs()).iter().sum::<f64>() < half;
    let files: [(&str, &str, Inside); 6] = [
        ("fill_opacity_0.svg", "mapbox/maki#202", Box::new(left)),
        (
            "opacity_0_rgba_0.svg",
            "canvg/canvg#632, mapnik/mapnik#1538",
            Box::new(left),
        ),
        (
            "transform_origin.svg",
            "linebender/resvg#429, Kozea/WeasyPrint#2256",
            Box::new(move |p| diamond(p, 30.0 * 2.0_f64.sqrt())),
        ),
        (
            "inkscape_mm_viewbox.svg",
            "FreeCAD/FreeCAD#10929, meerk40t/meerk40t#51",
            Box::new(move |p| diamond(p, 40.01)),
        ),
        (
            "holes_overlap.geojson",
            "r-spatial/sf#540, mapbox/tippecanoe#256",
            Box::new(|p| {
                ![20.0, 40.0]
                    .iter()
                    .any(|&from| p.iter().all(|x| (from..from + 40.0).contains(x)))
            }),
        ),
        (
            "hole_sticks_out.geojson",
            "r-spatial/sf#540, mapbox/tippecanoe#256",
            Box::new(|[x, y]| x < 50.0 && !(x >= 30.0 && (20.0..40.0).contains(&y))),
        ),
    ];
    for (file, thread, inside) in files {
        let path = format!("{}/tests/data/field/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a fixture");
        let region = region(if file.ends_with("svg") {
            Outlines::from_svg_page(&text, &world, 1e-3)
        } else {
            geojson(&text)
        });
        for i in 0..10_000 {
            // No place is on an edge.
            let p = [i % 100, i / 100].map(|x| f64::from(x) + 0.45);
            assert_eq!(region.holds(p), inside(p), "{file} ({thread}): {p:?}");
        }
    }
}
