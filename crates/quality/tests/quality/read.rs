//! Files of this library and of others, and malicious files.

use proptest::prelude::*;
use spinney_quality::files::{Format, Points, ReadError, RunInfo, read};
use spinney_quality::{Edges, PointSet, Rule};

fn flat(bytes: &[u8], format: Format) -> PointSet<2> {
    match read(bytes, format).expect("a good file").points {
        Points::Flat(set) => set,
        Points::Solid(_) => panic!("flat points were read as solid"),
    }
}

fn problem(bytes: &[u8], format: Format) -> String {
    read(bytes, format).expect_err("a bad file").to_string()
}

#[test]
fn csv_columns_come_in_any_order() {
    let set = flat(
        b"\xef\xbb\xbfRank, Y ,name,x,min_dist,ID,parent\r\n\
          0,2.5,oak,1.5,0.1,7,\r\n1,-3,\"ash, old\",1e-3,0.30000000000000004,3,7\r\n",
        Format::Csv,
    );
    assert_eq!(set.positions(), [[1.5, 2.5], [1e-3, -3.0]]);
    assert_eq!(set.ids(), [7, 3]);
    assert_eq!(set.min_dist(), Some(&[0.1, 0.300_000_000_000_000_04][..]));
    assert_eq!(set.parents(), Some(&[None, Some(7)][..]));
    assert_eq!(set.ranks(), Some(&[0, 1][..]));
}

#[test]
fn csv_with_semicolons_tabs_and_comments() {
    for text in [
        "# made by hand\nx;y\n1;2\n",
        "x\ty\n1\t2\n",
        "# here\n# there\nx,y\n1,2",
        "\nx;y\n1;2\n",
        "\r\n# by hand\r\n\r\nx\ty\r\n1\t2\r\n",
    ] {
        assert_eq!(flat(text.as_bytes(), Format::Csv).positions(), [[1.0, 2.0]]);
    }
    assert!(flat(b"x,y\n", Format::Csv).is_empty());
}

#[test]
fn a_large_id_keeps_its_digits() {
    let csv = b"x,y,id\n0,0,18446744073709551615\n";
    assert_eq!(flat(csv, Format::Csv).ids(), [u64::MAX]);
    let json = br#"[{"x":0,"y":0,"id":18446744073709551615}]"#;
    assert_eq!(flat(json, Format::Json).ids(), [u64::MAX]);
    let quoted = br#"[{"x":0,"y":0,"id":"18446744073709551615","layer":2}]"#;
    let set = flat(quoted, Format::Json);
    assert_eq!(set.ids(), [u64::MAX]);
    assert_eq!(set.layers(), Some(&[2][..]));
    let halves = |high: u64, low: u64| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty uint id_hi\n\
             property uint id_lo\nproperty double x\nproperty double y\nend_header\n\
             {high} {low} 1 2\n"
        )
    };
    let set = flat(halves(u64::MAX >> 32, 7).as_bytes(), Format::Ply);
    assert_eq!(set.ids(), [(u64::MAX >> 32) << 32 | 7]);
    let too_great = problem(halves(1 << 32, 7).as_bytes(), Format::Ply);
    assert!(too_great.contains("id_hi is '4294967296'"), "{too_great}");
}

#[test]
fn errors_say_where() {
    for (text, wanted) in [
        (
            "1,2\n3,4\n",
            "no column x (found: 1, 2; is the header missing?)",
        ),
        ("a,b\n3,4\n", "no column x (found: a, b)"),
        ("x,z\n3,4\n", "no column y"),
        ("x,y,X\n3,4,5\n", "line 1: column x occurs 2 times"),
        ("x,y\n1,2\n3\n", "line 3: 1 fields, but the header has 2"),
        ("x,y\n1,2\n3,4m\n", "line 3: y is '4m'"),
        ("x,y\n1,\n", "line 2: y is '', but must be a number"),
        ("x,y,id\n1,2,-5\n", "line 2: id is '-5'"),
        ("x,y,id\n1,2,1.5\n", "line 2: id is '1.5'"),
        (
            "x,y,id\n1,2,3.40487E+18\n",
            "line 2: id is '3404870000000000000', but must be a whole number with all its digits, \
             which a spreadsheet has lost: format the column as text there, or remove it",
        ),
        (
            "x,y,layer\n1,2,oaks\n",
            "line 2: layer is 'oaks', but must be a whole number from 0; rename the column",
        ),
        ("x,y\n1,inf\n", "point 0 (counted from 0) has y = inf"),
        (
            "x,y,min_dist\n1,2,0\n",
            "has min_dist = 0; it must be positive, between 1e-150 and 1e150",
        ),
        ("x,y,id\n1,2,4\n1,3,4\n", "id 4 is used more than once"),
        ("", "no column x"),
    ] {
        let found = problem(text.as_bytes(), Format::Csv);
        assert!(found.contains(wanted), "{text:?}: {found}");
    }
    for (text, wanted) in [
        ("[[1,2],\n[3,4,5]]", "line 2, column"),
        ("[[1,2,3,4]]", "more than three coordinates"),
        ("[[1,\"a\"]]", "line 1, column 2: y is '\"a\"'"),
        ("[[1,\"2\"]]", "line 1, column 2: y is '\"2\"'"),
        ("[{\"x\":1,\"y\":2},\n{\"x\":3}]", "line 2, column"),
        (
            "[{\"x\":1,\"y\":2},\n{\"x\":3,\"y\":null}]",
            "line 2, column 1: y is 'null', but must be a number",
        ),
        ("{\"pts\":[]}", "no array `points`"),
        ("{\"points\":3}", "no array `points`"),
        ("[3]", "line 1, column 2: a point must be"),
        ("", "EOF"),
        ("3", "expected an array of points, or an object"),
        ("[[1,2]", "EOF"),
        ("[[1,2]] x", "trailing"),
        ("[[1,1e999]]", "number out of range"),
    ] {
        let found = problem(text.as_bytes(), Format::Json);
        assert!(found.contains(wanted), "{text:?}: {found}");
    }
    let deep = "[".repeat(100_000);
    assert!(problem(deep.as_bytes(), Format::Json).contains("JSON"));
}

#[test]
fn json_of_ours_and_of_others() {
    let ours = br#"{"spinney":{"version":"0.1.0","rule":"mean","dimensions":2,
        "domain":{"min":[0.0,-1.0],"max":[10.0,5.0]}},
        "points":[{"id":0,"x":0.1,"y":0.2,"min_dist":2.0,"value":0.5,"parent":null},
                  {"id":1,"x":4.35,"y":1e-7,"min_dist":2.5,"value":0.5,"parent":0}]}"#;
    let file = read(ours, Format::Json).expect("our own");
    assert_eq!(file.run.rule, Some(Rule::Mean));
    assert_eq!(file.run.domain, Some([vec![0.0, -1.0], vec![10.0, 5.0]]));
    let set = flat(ours, Format::Json);
    assert_eq!(set.positions(), [[0.1, 0.2], [4.35, 1e-7]]);
    assert_eq!(set.parents(), Some(&[None, Some(0)][..]));
    let arrays = read(b"[[1, 2, 3], [4.5, -5, 6]]", Format::Json).expect("arrays");
    let Points::Solid(set) = arrays.points else {
        panic!("three coordinates are solid")
    };
    assert_eq!(set.positions(), [[1.0, 2.0, 3.0], [4.5, -5.0, 6.0]]);
    let objects = flat(br#"[{"y":2,"name":"oak","x":1}]"#, Format::Json);
    assert_eq!(objects.positions(), [[1.0, 2.0]]);
}

/// Returns a feature of `GeoJSON` with these coordinates and properties.
fn feature(place: &str, properties: &str) -> String {
    format!(
        r#"{{"type":"Feature","id":"a","properties":{properties},
                "geometry":{{"coordinates":{place},"type":"Point"}}}}"#
    )
}

/// Returns `GeoJSON` with these members before its features.
fn all(head: &str, features: &[String]) -> String {
    let features = features.join(",");
    format!(r#"{{"type":"FeatureCollection",{head}"features":[{features}]}}"#)
}

#[test]
fn geojson_of_ours_and_of_others() {
    // With y down, north is -y in a GeoJSON of ours.
    let points = [
        feature(
            "[1.5,-2.5]",
            r#"{"id":"18446744073709551615","min_dist":2.5,"parent":null}"#,
        ),
        feature(
            "[4,-1e-7]",
            r#"{"id":"7","min_dist":3,"parent":7,"value":0.5}"#,
        ),
    ];
    for (axis, sign) in [("down", 1.0), ("up", -1.0)] {
        let head = format!(r#""spinney":{{"rule":"min","y_axis":"{axis}","crs":"EPSG:32633"}},"#);
        let ours = all(&head, &points);
        let file = read(ours.as_bytes(), Format::GeoJson).expect("our own");
        assert_eq!(file.run.rule, Some(Rule::Min));
        assert_eq!(file.run.crs.as_deref(), Some("EPSG:32633"));
        let set = flat(ours.as_bytes(), Format::Json);
        assert_eq!(set.positions(), [[1.5, sign * 2.5], [4.0, sign * 1e-7]]);
        assert_eq!(set.ids(), [u64::MAX, 7]);
        assert_eq!(set.parents(), Some(&[None, Some(7)][..]));
    }
    // The order of members has no meaning.
    let late = all("", &points).replace("]}", r#"],"spinney":{"rule":"min","y_axis":"down"}}"#);
    assert_eq!(flat(late.as_bytes(), Format::GeoJson).ids(), [u64::MAX, 7]);
    // Other programs' attributes may have any meaning, and names that are columns of ours.
    let head = r#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},"#;
    let trees = [
        feature(
            "[1,2]",
            r#"{"id":"oak-7","layer":"old","x":"west","min_dist":4}"#,
        ),
        feature("[3,4]", r#"{"min_dist":5.5}"#),
    ];
    let theirs = all(head, &trees);
    let file = read(theirs.as_bytes(), Format::GeoJson).expect("a survey");
    assert_eq!(file.run.crs.as_deref(), Some("EPSG:25832"));
    assert_eq!(file.run.y_axis, Some(density::YAxis::Up));
    let set = flat(theirs.as_bytes(), Format::GeoJson);
    assert_eq!(set.positions(), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(set.min_dist(), Some(&[4.0, 5.5][..]));
    let grove = feature("[[1,2],[3,4]]", r#"{"min_dist":4}"#).replace("Point", "MultiPoint");
    let grove = all("", &[grove]);
    let set = flat(grove.as_bytes(), Format::GeoJson);
    assert_eq!(set.positions(), [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(set.min_dist(), Some(&[4.0, 4.0][..]));
    // Heights are dropped; the third axis of a run in space is not.
    let high = [feature("[1,2,340.5]", "{}")];
    assert_eq!(
        flat(all("", &high).as_bytes(), Format::GeoJson).positions(),
        [[1.0, 2.0]]
    );
    let head = r#""spinney":{"domain":{"min":[0,0,0],"max":[9,9,999]}},"#;
    let solid = read(all(head, &high).as_bytes(), Format::GeoJson).expect("in space");
    assert!(matches!(solid.points, Points::Solid(_)));
    let bare = all("", &[feature("[1,2]", "null"), feature("[3,4]", "{}")]);
    assert_eq!(flat(bare.as_bytes(), Format::GeoJson).min_dist(), None);
}

#[test]
fn geojson_that_is_no_point_is_refused() {
    for (features, wanted) in [
        (
            vec![feature("[1,2,3,4]", "{}")],
            "more than three coordinates",
        ),
        (vec![feature("[1]", "{}")], "y does not fit"),
        (vec![feature(r#"[1,"b"]"#, "{}")], "must be a number"),
        (vec![feature("3", "{}")], "a feature has no coordinates"),
        (
            vec![r#"{"type":"Feature","geometry":null,"properties":{}}"#.to_owned()],
            "a feature has no coordinates",
        ),
        (
            vec![feature("[[1,2]]", "{}").replace("Point", "LineString")],
            "a feature is a LineString, but must be a Point or MultiPoint",
        ),
        (
            vec![feature("[1,2]", r#"{"min_dist":"4 m"}"#)],
            "min_dist is '\"4 m\"', but must be a number",
        ),
        (
            vec![
                feature("[1,2]", r#"{"min_dist":4}"#),
                feature("[3,4]", "{}"),
            ],
            "min_dist does not fit",
        ),
    ] {
        let found = problem(all("", &features).as_bytes(), Format::GeoJson);
        assert!(found.contains(wanted), "{features:?}: {found}");
        assert!(found.starts_with("GeoJSON, line "), "{found}");
    }
    // Errors name the beginning of the feature.
    let two = [feature("[1,2]", "{}"), "{\"geometry\":null}".to_owned()];
    let text = all("", &two)
        .replace(",{\"geometry", ",\n{\"geometry")
        .replace("null}", "null}\n\n");
    let found = problem(text.as_bytes(), Format::GeoJson);
    assert!(
        found.starts_with("GeoJSON, line 3, column 1:"),
        "{found}: {text}"
    );
}

/// Without its feature `float_roundtrip`, `serde_json` reads some doubles one unit off.
#[test]
fn json_floats_are_read_to_the_last_bit() {
    let mut x = 0.1_f64;
    for _ in 0..1000 {
        x = x * 1.618_033_988_7 % 977.0 + f64::EPSILON;
        let text = format!("[[{x:?},{x:?}]]");
        assert_eq!(flat(text.as_bytes(), Format::Json).positions(), [[x, x]]);
    }
}

fn ply(format: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {format} 1.0\ncomment by hand\nelement camera 1\nproperty uchar a\n\
         element vertex 2\nproperty float x\nproperty double y\nproperty uchar red\n\
         property short min_dist\nelement face 1\nproperty list uchar int i\nend_header\n"
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[test]
fn ply_of_every_encoding() {
    let ascii = ply("ascii", b"9\n0.5 1.25 255 3\n\n-2 7 0 4\n3 0 1 0\n");
    let mut little = vec![9];
    let mut big = vec![9];
    for (x, y, d) in [(0.5_f32, 1.25_f64, 3_i16), (-2.0, 7.0, 4)] {
        little.extend_from_slice(&x.to_le_bytes());
        little.extend_from_slice(&y.to_le_bytes());
        little.push(1);
        little.extend_from_slice(&d.to_le_bytes());
        big.extend_from_slice(&x.to_be_bytes());
        big.extend_from_slice(&y.to_be_bytes());
        big.push(1);
        big.extend_from_slice(&d.to_be_bytes());
    }
    for bytes in [
        ascii,
        ply("binary_little_endian", &little),
        ply("binary_big_endian", &big),
    ] {
        let set = flat(&bytes, Format::Ply);
        assert_eq!(set.positions(), [[0.5, 1.25], [-2.0, 7.0]]);
        assert_eq!(set.min_dist(), Some(&[3.0, 4.0][..]));
    }
}

#[test]
fn ply_is_solid_unless_it_says_or_looks_otherwise() {
    let file = |comment: &str, z: &str| {
        format!(
            "ply\nformat ascii 1.0\n{comment}element vertex 2\nproperty double x\n\
             property double y\nproperty double z\nend_header\n1 2 {z}\n3 4 0\n"
        )
    };
    let dimension = |text: String| match read(text.as_bytes(), Format::Ply).expect("good").points {
        Points::Flat(_) => 2,
        Points::Solid(_) => 3,
    };
    assert_eq!(dimension(file("", "0")), 2);
    assert_eq!(dimension(file("", "0.5")), 3);
    assert_eq!(dimension(file("comment dimensions 2\n", "0.5")), 3);
    let ours = "comment dimensions 2\ncomment domain_min 0.0 0.0\n";
    assert_eq!(dimension(file(ours, "0.5")), 2);
    let ours = file(
        "comment rule own\ncomment domain_min 0.0 1.0\ncomment domain_max 5.0 6.0\n",
        "0",
    );
    let run = read(ours.as_bytes(), Format::Ply).expect("good").run;
    assert_eq!(run.rule, Some(Rule::Own));
    assert_eq!(run.domain, Some([vec![0.0, 1.0], vec![5.0, 6.0]]));
    assert_eq!((run.edges, run.window), (Edges::Open, None));
    assert_eq!(run.scale_factor, None);
    let tile = "comment rule own\ncomment tile true\ncomment window_min 0.5 1.0\n\
                comment window_max 2.0 6.0\ncomment scale_factor 0.1\n";
    let theirs = read(file(tile, "0").as_bytes(), Format::Ply).expect("good");
    assert_eq!(theirs.run, RunInfo::default());
    let tile = file(&format!("{tile}comment domain_min 0.0 0.0\n"), "0");
    let run = read(tile.as_bytes(), Format::Ply).expect("good").run;
    assert_eq!(run.edges, Edges::Torus);
    assert_eq!(run.window, Some([vec![0.5, 1.0], vec![2.0, 6.0]]));
    assert_eq!(run.scale_factor, Some(0.1));
}

fn npy(dict: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(dict.len() as u16).to_le_bytes());
    bytes.extend_from_slice(dict.as_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// Some programs write no file without z.
#[test]
fn heights_that_are_all_0_are_flat_in_every_format() {
    let positions = [[1.0, 2.0], [3.0, 4.0]];
    let array = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    let body = |z: f64| [1.0, 2.0, 0.0, 3.0, 4.0, z].map(f64::to_le_bytes).concat();
    let csv = |z: f64| format!("x,y,z\n1,2,0\n3,4,{z}\n").into_bytes();
    let json = |z: f64| format!("[[1, 2, 0], [3, 4, {z}]]").into_bytes();
    for (format, file) in [
        (Format::Csv, [0.0, 1.0].map(csv)),
        (Format::Json, [0.0, 1.0].map(json)),
        (Format::Npy, [0.0, 1.0].map(|z| npy(array, &body(z)))),
    ] {
        assert_eq!(flat(&file[0], format).positions(), positions);
        let high = read(&file[1], format).expect("points").points;
        assert!(matches!(high, Points::Solid(_)), "{format:?}");
    }
}

#[test]
fn npy_structured_and_plain() {
    let mut body = Vec::new();
    for (id, parent, x, y) in [(5_u64, -1_i64, 0.5_f64, 1.5_f32), (9, 5, -2.0, 8.0)] {
        body.extend_from_slice(&id.to_le_bytes());
        body.extend_from_slice(&[0; 8]);
        body.extend_from_slice(&parent.to_le_bytes());
        body.extend_from_slice(&y.to_be_bytes());
        body.extend_from_slice(&x.to_le_bytes());
    }
    let dict = "{'descr': [('id', '<u8'), ('name', '<U2'), ('parent', '<i8'), ('y', '>f4'), \
                ('x', '<f8')], 'fortran_order': False, 'shape': (2,), }\n";
    let set = flat(&npy(dict, &body), Format::Npy);
    assert_eq!(set.positions(), [[0.5, 1.5], [-2.0, 8.0]]);
    assert_eq!(set.ids(), [5, 9]);
    assert_eq!(set.parents(), Some(&[None, Some(5)][..]));

    let numbers = |n: [f32; 4]| n.map(f32::to_le_bytes).concat();
    let rows = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
    let columns = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n";
    for bytes in [
        npy(rows, &numbers([1.0, 2.0, 3.0, 4.0])),
        npy(columns, &numbers([1.0, 3.0, 2.0, 4.0])),
    ] {
        assert_eq!(
            flat(&bytes, Format::Npy).positions(),
            [[1.0, 2.0], [3.0, 4.0]]
        );
    }
}

#[test]
fn npy_columns_may_be_called_as_the_header_s_keys_are() {
    let body = [1.0_f64, 2.0, 3.0, 4.0].map(f64::to_le_bytes).concat();
    let dict = "{'descr': [('x', '<f8'), ('shape', '<f8'), ('y', '<f8'), \
                ('fortran_order', '<f8')], 'fortran_order': False, 'shape': (1,), }\n";
    assert_eq!(
        flat(&npy(dict, &body), Format::Npy).positions(),
        [[1.0, 3.0]]
    );
}

/// Counts beyond the file's size are refused before memory is allocated for them.
#[test]
fn lying_counts_are_refused() {
    let most = u64::MAX;
    for count in [3, 1 << 40, most] {
        let npy_file = npy(
            &format!("{{'descr': '<f8', 'fortran_order': True, 'shape': ({count}, 2), }}"),
            &[0; 32],
        );
        assert!(problem(&npy_file, Format::Npy).contains("NPY"));
        for format in ["ascii", "binary_little_endian"] {
            let text = format!(
                "ply\nformat {format} 1.0\nelement vertex {count}\nproperty double x\n\
                 property double y\nend_header\n1 2\n"
            );
            let found = problem(text.as_bytes(), Format::Ply);
            assert!(found.contains("the header states"), "{found}");
            let before = format!(
                "ply\nformat {format} 1.0\nelement a {count}\nproperty int i\nelement vertex 1\n\
                 property double x\nproperty double y\nend_header\n1 2\n"
            );
            assert!(problem(before.as_bytes(), Format::Ply).contains("the header states"));
        }
    }
}

/// Regression: ids of text were read as doubles, and refused as if a spreadsheet had lost their digits.
#[test]
fn large_ids_of_text_are_exact() {
    let id = u64::MAX - 1;
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty double id\nproperty double x\n\
         property double y\nend_header\n{id} 1 2\n"
    );
    let csv = format!("id,x,y\n{id},1,2\n");
    for (text, format) in [(ply, Format::Ply), (csv, Format::Csv)] {
        assert_eq!(flat(text.as_bytes(), format).ids(), [id]);
    }
}

/// Returns a PLY file of one point with this body, and perhaps comments or an element of faces.
fn one_point(format: &str, comment: &str, faces: &str, body: &str) -> Vec<u8> {
    let text = format!(
        "ply\nformat {format} 1.0\n{comment}element vertex 1\nproperty uchar x\n\
         property uchar y\n{faces}end_header\n{body}"
    );
    text.into_bytes()
}

const FACES: &str = "element face 1\nproperty uchar i\n";

const ONE_PAIR: &str = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }";

#[test]
fn files_may_have_more_than_points() {
    for (bytes, format) in [
        (one_point("ascii", "", "", "1 2\n\n"), Format::Ply),
        (one_point("binary_little_endian", "", "", "ab"), Format::Ply),
        (one_point("ascii", "", FACES, "1 2\n7\n"), Format::Ply),
        (npy(ONE_PAIR, b"ab"), Format::Npy),
        // Other programs' words.
        (
            one_point("ascii", "comment rule 30\n", "", "1 2\n"),
            Format::Ply,
        ),
        (
            br#"{"points": [[1,2]], "features": 500}"#.to_vec(),
            Format::Json,
        ),
        (
            br#"{"features": 500, "points": [[1,2]]}"#.to_vec(),
            Format::Json,
        ),
    ] {
        assert_eq!(flat(&bytes, format).len(), 1);
    }
}

/// Regression: the rest of a file was passed over, and so was an unknown rule.
#[test]
fn no_part_of_a_file_is_passed_over() {
    let ply = |format: &str, comment: &str, body: &str| one_point(format, comment, "", body);
    let faces = |body: &str| one_point("ascii", "", FACES, body);
    let npy = |body: &[u8]| npy(ONE_PAIR, body);
    let json = |text: &str| text.as_bytes().to_vec();
    let one = "[[1,2]]";
    let twice =
        r#"{"features":[{"geometry":{"type":"Point","coordinates":[1,2],"coordinates":[3,4]}}]}"#;
    for (bytes, format, words) in [
        (
            json(r#"[{"x":1,"y":2,"x":5}]"#),
            Format::Json,
            "x does not fit",
        ),
        (
            json(twice),
            Format::GeoJson,
            "duplicate field `coordinates`",
        ),
        (
            ply("ascii", "", "1 2\n3 4\n"),
            Format::Ply,
            "states 1 rows, but there are more",
        ),
        (
            faces("1 2\n7\n8\n"),
            Format::Ply,
            "states 2 rows, but there are more",
        ),
        (
            ply("ascii", "", "1 2 3\n"),
            Format::Ply,
            "line 7: the row has too many numbers",
        ),
        (
            ply("binary_big_endian", "", "abcd"),
            Format::Ply,
            "2 bytes, but the file goes on here",
        ),
        (
            ply(
                "ascii",
                "comment rule bogus\ncomment domain_min 0 0\n",
                "1 2\n",
            ),
            Format::Ply,
            "rule is 'bogus'",
        ),
        (
            ply(
                "ascii",
                "comment y_axis left\ncomment domain_min 0 0\n",
                "1 2\n",
            ),
            Format::Ply,
            "y_axis is 'left'",
        ),
        (
            npy(b"abc"),
            Format::Npy,
            "2 bytes, but the file goes on here",
        ),
        (
            json(&format!("{{\"features\": [], \"points\": {one}}}")),
            Format::Json,
            "the object has two arrays `points` and `features`",
        ),
        (
            json(&format!("{{\"points\": {one}, \"points\": {one}}}")),
            Format::Json,
            "duplicate field `points`",
        ),
        (
            json(&format!(
                "{{\"spinney\": {{\"rule\": \"bogus\"}},\n\"points\": {one}}}"
            )),
            Format::Json,
            "line 1, column 29: rule is 'bogus', but must be one of max, mean",
        ),
        (
            json(&format!(
                "{{\"spinney\": {{\"y_axis\": \"left\"}}, \"points\": {one}}}"
            )),
            Format::Json,
            "y_axis is 'left', but must be down or up",
        ),
    ] {
        let problem = problem(&bytes, format);
        assert!(problem.contains(words), "{problem}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let _ = read(&bytes, format);
        }
    }

    /// Valid files with some bytes changed or cut reach more code than random bytes.
    #[test]
    fn no_damage_makes_it_panic(
        which in 0_usize..7,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let files = [
            (b"id,x,y,parent\n0,1,2,\n1,3,4,0\n".to_vec(), Format::Csv),
            (br#"{"spinney":{"rule":"max"},"points":[{"x":1,"y":2.5},{"x":3,"y":4}]}"#.to_vec(), Format::Json),
            (br#"{"features":[{"geometry":{"type":"Point","coordinates":[1,2.5]},"properties":{"min_dist":3}}]}"#.to_vec(), Format::GeoJson),
            (ply("ascii", b"9\n0.5 1.25 255 3\n-2 7 0 4\n"), Format::Ply),
            (ply("binary_big_endian", &[7; 31]), Format::Ply),
            (npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", &[7; 16]), Format::Npy),
            (npy("{'descr': [('x', '<f8'), ('y', '<i2')], 'fortran_order': False, 'shape': (2,), }", &[7; 20]), Format::Npy),
        ];
        let (mut bytes, format) = files[which].clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _: Result<_, ReadError> = read(&bytes, format);
        bytes.truncate(cut.index(bytes.len()));
        let _: Result<_, ReadError> = read(&bytes, format);
    }
}

/// Editors on Windows begin a file with a byte order mark.
#[test]
fn a_text_may_begin_with_a_mark() {
    for (text, format) in [
        ("x,y\n1,2\n", Format::Csv),
        ("# made by hand\nx;y\n1;2\n", Format::Csv),
        ("[[1, 2]]", Format::Json),
        ("{\"points\": [{\"x\": 1, \"y\": 2}]}", Format::Json),
    ] {
        let marked = format!("\u{feff}{text}");
        let set = flat(marked.as_bytes(), format);
        assert_eq!(set.positions(), [[1.0, 2.0]], "{text}");
    }
    let twice = problem("\u{feff}\u{feff}[[1, 2]]".as_bytes(), Format::Json);
    assert!(twice.contains("line 1, column 1"), "{twice}");
}
