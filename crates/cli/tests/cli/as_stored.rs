//! Files of pixels and points, read as the programs that wrote them mean them: numbers, row order and
//! voids. Each case follows a public bug report, which the case names.

use crate::by_hand::{F32, GEO_KEYS, Page, TRANSFORMATION, U8, Value, floats, tiff};
use crate::scene::{DATA, Row, Scene};

/// A scene with the files from bug reports; their `README.md` gives the origins.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.copy_all(&format!("{DATA}/field"));
    scene
}

/// Returns `true` if the points and the messages of the run are right.
type Right = fn(&Scene, &[Row], &str) -> bool;

#[test]
fn files_from_the_field_are_read_as_their_programs_read_them() {
    let scene = scene();
    let cases: [(&str, &str, Right); 8] = [
        (
            "OSGeo/gdal#6946, rasterio/rasterio#1683: with --y-up the dense part is in the south",
            "south_up.tif --pixels --y-up --min-dist 1 --max-dist 4",
            |_, rows, told| {
                let south = rows.iter().filter(|row| row.y < 30.0).count();
                south > 3 * (rows.len() - south) && told.contains("rows reversed")
            },
        ),
        (
            "OSGeo/gdal#6946: and without it at the picture's foot, as north-up has it",
            "south_up.tif --pixels --min-dist 1 --max-dist 4",
            |_, rows, _| 4 * rows.iter().filter(|row| row.y > 30.0).count() > 3 * rows.len(),
        ),
        (
            "airbusgeo/cogger#11, rasterio/rasterio#1191: 56 pixels closed",
            "external_mask.tif --min-dist 0.3 --max-dist 0.6 --summary s.json",
            |scene, _, told| {
                let allowed = scene.json("s.json")["map"]["allowed"].as_f64();
                allowed == Some(1.0 - 56.0 / 600.0) && told.contains("56 pixels closed by a mask")
            },
        ),
        (
            "tilezen/joerd#125, gazebosim/gz-common#321: a warning that names the flag",
            "srtm_void_untagged.tif --min-dist 1 --max-dist 2",
            |_, _, told| told.contains("--nodata -32768 closes them"),
        ),
        (
            "tilezen/joerd#125: heights too, and no z of -32768 with the flag",
            "srtm_void_untagged.tif --nodata -32768 --height srtm_void_untagged.tif \
             --height-nodata -32768 --min-dist 1 --max-dist 2",
            |_, rows, told| {
                !rows.is_empty() && !told.contains("-32768") && told.contains("heights 100..1920")
            },
        ),
        (
            "python-pillow/Pillow#6202, image-rs/image#2059: 75 of 100 is 0.75",
            "--mask percent_maxval100.pgm --mask-threshold 0.75 --size 100x100 --min-dist 4 \
             --max-dist 8",
            |_, rows, told| {
                told.contains("(100.0 % open)")
                    && [0.0, 50.0]
                        .iter()
                        .all(|left| rows.iter().any(|row| row.x > *left + 10.0))
            },
        ),
        (
            "maplibre/maplibre-gl-js#8411, TokisanGames/Terrain3D#348: z = x, 45.00 degrees",
            "--size 64x64 --min-dist 2 --max-dist 4 --height vertex_heights_65.r32f \
             --height-size 65x65 --height-at corners",
            |scene, rows, _| {
                let table = scene.table("p.csv");
                let mut places = table["x"].iter().zip(&table["height"]);
                let is_level = places.all(|(x, z)| (z - x).abs() < 1e-9);
                let is_steep = table["slope"].iter().all(|s| (s - 45.0).abs() < 1e-9);
                rows.len() > 100 && is_level && is_steep
            },
        ),
        (
            "microsoft/DirectXTex#76, cinder/Cinder#1756: read",
            "hdr_signature_RGBE.hdr --min-dist 1 --max-dist 2",
            |_, rows, told| !rows.is_empty() && told.starts_with("24x16 32-bit float map"),
        ),
    ];
    for (thread, flags, right) in cases {
        let run = scene.succeed(&format!("sample {flags} -o p.csv"));
        let rows = scene.rows("p.csv");
        assert!(
            right(&scene, &rows, &run.stderr),
            "{thread}\n{}",
            run.stderr
        );
    }
}

/// Returns an image of rows, black above and white below.
fn halves() -> Vec<u8> {
    (0..40 * 30)
        .map(|i| if i < 600 { 0 } else { 255 })
        .collect()
}

/// Returns the share of points in the upper half (smaller y) of 40x30.
fn upper(scene: &Scene, flags: &str) -> f64 {
    scene.succeed(&format!(
        "sample {flags} --pixels --min-dist 1 --max-dist 4 -o p.csv"
    ));
    let rows = scene.rows("p.csv");
    rows.iter().filter(|row| row.y < 15.0).count() as f64 / rows.len() as f64
}

/// Maps, masks and heights with opposite row orders must not be mixed up.
#[test]
fn maps_masks_and_heights_have_one_frame() {
    let scene = scene();
    let page = || Page::new([40, 30], 1, U8, halves());
    let matrix = |d: f64| {
        let mut all = [0.0; 16];
        (all[0], all[5], all[15]) = (1.0, d, 1.0);
        // Without an offset, this would be the matrix of an image that is no map.
        (all[3], all[7]) = (500.0, 700.0);
        page().with(TRANSFORMATION, Value::Double(all.to_vec()))
    };
    // Black in the south with rows from the south, and white in the south with rows from the north.
    scene.write("south_first.tif", tiff(&[matrix(1.0)]));
    scene.write("north_first.tif", tiff(&[matrix(-1.0)]));
    scene.write("plain.tif", tiff(&[page()]));
    scene.write("scaled.tif", tiff(&[page().placed([1.0, -1.0], 1, 9001)]));
    scene.write("world.tif", tiff(&[page()]));
    scene.write("world.tfw", b"1\n0\n0\n1\n0.5\n0.5\n");
    // A TIFF's own tags override a world file.
    scene.write("both.tif", tiff(&[matrix(-1.0)]));
    scene.write("both.wld", b"1\n0\n0\n1\n0.5\n0.5\n");
    let dense_above = [
        ("north_first.tif", true),
        ("plain.tif", true),
        ("both.tif", true),
    ];
    let dense_below = [
        ("south_first.tif", false),
        ("scaled.tif", false),
        ("world.tif", false),
    ];
    for (file, above) in dense_above.into_iter().chain(dense_below) {
        let share = upper(&scene, file);
        assert!(
            (share > 0.75) == above && !(0.25..0.75).contains(&share),
            "{file}: {share}"
        );
    }
    // White is south of one and north of the other, so nothing is open in both.
    let mask = |map: &str, mask: &str| {
        let flags =
            format!("sample {map} --pixels --mask {mask} --min-dist 1 --max-dist 1.5 -o p.csv");
        scene.succeed(&flags);
        scene.rows("p.csv").iter().all(|row| row.y > 15.0)
    };
    assert!(mask("north_first.tif", "north_first.tif"));
    assert!(!mask("north_first.tif", "south_first.tif"));
    assert!(!mask("plain.tif", "world.tif"));
    let run = scene.succeed("sample scaled.tif --min-dist 1 --max-dist 4 -o p.csv");
    let said =
        "scaled.tif has a negative ModelPixelScale (rows run north), so its rows were reversed";
    run.assert_stderr_has(said);
    // Heights are turned as well: they rise from 0 in the south to 255.
    let heights = "--height south_first.tif --height-range 0..255 --altitude 200..255";
    let share = upper(&scene, &format!("plain.tif {heights}"));
    assert!(share > 0.95, "{share}");
}

#[test]
fn turned_and_mirrored_files_are_refused_by_name() {
    let scene = Scene::new();
    scene.write(
        "m.tif",
        tiff(&[Page::new([40, 30], 1, U8, halves()).placed([-1.0, 1.0], 1, 9001)]),
    );
    scene.copy("ramp.png", "turned.png");
    scene.write(
        "turned.pgw",
        b"0.8660254037844387\n0.5\n0.5\n-0.8660254037844387\n0\n0\n",
    );
    scene.copy("ramp.png", "odd.png");
    scene.write("odd.wld", b"relogic\0\0\0");
    scene.write(
        "w.toml",
        "[[layer]]\nname = \"a\"\nmap = \"m.tif\"\nmin_dist = 4\n",
    );
    let pixels = ", or give --pixels to ignore its place\n";
    // Masks, heights and layers have no such flag.
    let end = " -unsetgt\n";
    for (flags, said, advice) in [
        ("m.tif", "error: m.tif: it is mirrored on the map", pixels),
        (
            "--mask m.tif",
            "error: --mask m.tif: it is mirrored on the map",
            end,
        ),
        (
            "--height m.tif --height-range 0..9",
            "error: --height m.tif: it is mirrored on the map",
            end,
        ),
        ("--species w.toml", "m.tif: it is mirrored on the map", end),
        (
            "turned.png",
            "error: turned.pgw: it is rotated on the map: the next column is 0.866 east and 0.5 north,",
            pixels,
        ),
    ] {
        let flags = match flags {
            "--species w.toml" => flags.to_owned(),
            _ => format!("{flags} --min-dist 4"),
        };
        scene.refused(
            &format!("sample {flags} -o p.csv"),
            1,
            &[said, "gdalwarp", advice],
        );
    }
    scene.refused("map show turned.png -o s.png", 1, &[pixels]);
    // With --pixels the place does not matter.
    let points = |flags: &str| {
        scene.succeed(&format!(
            "sample {flags} --pixels --min-dist 2 --max-dist 5 -o p.csv"
        ));
        scene.read("p.csv")
    };
    assert!(points("turned.png") == points("ramp.png"));
    scene.write("stored.tif", tiff(&[Page::new([40, 30], 1, U8, halves())]));
    for more in ["", "--stream", "--window 3,3,30,20"] {
        let [turned, stored] = ["m.tif", "stored.tif"].map(|map| points(&format!("{map} {more}")));
        assert!(turned == stored, "{more}");
    }
    scene.refused(
        "sample ramp.png --pixels --mask m.tif -o p.csv",
        1,
        &["--mask m.tif: it is mirrored on the map"],
    );
    let said = "warning: odd.png: odd.wld beside it is ignored, because it is not a world file";
    scene
        .succeed("sample odd.png --min-dist 4 -o p.csv")
        .assert_stderr_has(said);
}

#[test]
fn voids_of_every_role_are_told_and_closed() {
    let scene = Scene::new();
    let levels = (0..40 * 30).map(|i| {
        if i % 40 < 20 {
            -9999.0
        } else {
            (i % 40) as f32 / 40.0
        }
    });
    let page = Page::new([40, 30], 1, F32, floats(levels));
    scene.write("v.tif", tiff(&[page]));
    let text = |key: &str| {
        format!("[[layer]]\nname = \"oak\"\nmap = \"v.tif\"\nmin_dist = 1\nmax_dist = 2\n{key}")
    };
    scene.write("w.toml", text(""));
    scene.write("n.toml", text("nodata = -9999\n"));
    let void = "600 pixels are -9999";
    for (flags, more, said) in [
        ("sample v.tif", "--nodata -9999", "v.tif"),
        (
            "sample ramp.png --size 40x30 --mask v.tif",
            "--mask-nodata -9999",
            "--mask v.tif",
        ),
        (
            "sample ramp.png --size 40x30 --height v.tif",
            "--height-nodata -9999",
            "--height v.tif",
        ),
    ] {
        let rest = "--min-dist 1 --max-dist 2 -o p.csv";
        let run = scene.succeed(&format!("{flags} {rest}"));
        run.assert_stderr_has(&format!("{said}: {void}"));
        run.assert_stderr_has(&format!("{more} closes them"));
        scene
            .succeed(&format!("{flags} {more} {rest}"))
            .assert_stderr_lacks("-9999 ");
        // No point lies on the left, or where a slope would depend on it.
        assert!(
            scene.rows("p.csv").iter().all(|row| row.x >= 20.0),
            "{flags}"
        );
    }
    scene.succeed("sample v.tif --nodata -9999 --min-dist 1 --max-dist 2 -o p.csv");
    scene.succeed("verify p.csv v.tif --nodata -9999 --min-dist 1 --max-dist 2");
    scene
        .succeed("sample --species w.toml -o w.csv")
        .assert_stderr_has("nodata = -9999 closes them");
    scene.succeed("sample --species n.toml -o n.csv");
    assert!(scene.rows("n.csv").iter().all(|row| row.x >= 20.0));
    scene.succeed("verify n.csv --species n.toml");
    scene
        .succeed("map blur v.tif --nodata -9999 --sigma 1 -o b.tif")
        .assert_stderr_lacks("closes them");
    scene.refused(
        "sample --nodata 3 --min-dist 4 -o p.csv",
        2,
        &["--nodata 3"],
    );
}

/// Regression: backgrounds of depth maps were white, without a word.
#[test]
fn infinite_pixels_are_told_and_closed() {
    let scene = Scene::new();
    let levels = (0..40 * 30).map(|i| match i % 40 {
        0..20 => f32::INFINITY,
        20 => f32::NEG_INFINITY,
        x => x as f32 / 40.0,
    });
    let page = Page::new([40, 30], 1, F32, floats(levels));
    scene.write("v.tif", tiff(&[page]));
    let rest = "--min-dist 1 --max-dist 2 -o p.csv";
    let run = scene.succeed(&format!("sample v.tif {rest}"));
    let told = "v.tif: 630 pixels are infinite, and read as white, or black if negative; --nodata inf closes the positive ones";
    run.assert_stderr_has(told);
    let run = scene.succeed(&format!("sample v.tif --nodata inf {rest}"));
    run.assert_stderr_has("30 pixels are infinite");
    run.assert_stderr_has("--nodata -inf closes them");
    assert!(scene.rows("p.csv").iter().all(|row| row.x >= 20.0));
    let mask = "sample ramp.png --size 40x30 --mask v.tif";
    scene
        .succeed(&format!("{mask} {rest}"))
        .assert_stderr_has("--mask-nodata inf");
    scene.succeed(&format!("{mask} --mask-nodata inf {rest}"));
    assert!(scene.rows("p.csv").iter().all(|row| row.x >= 20.0));
}

#[test]
fn heights_at_corners_are_hinted_at() {
    let scene = scene();
    let flags = "sample --size 64x64 --min-dist 4 --max-dist 8 -o p.csv --height";
    let hint = "--height-at corners";
    let run = scene.succeed(&format!(
        "{flags} vertex_heights_65.r32f --height-size 65x65"
    ));
    run.assert_stderr_has("vertex_heights_65.r32f: its 65x65 heights are read at the centres");
    run.assert_stderr_has(hint);
    for at in ["centres", "corners"] {
        let file = "vertex_heights_65.r32f --height-size 65x65";
        scene
            .succeed(&format!("{flags} {file} --height-at {at}"))
            .assert_stderr_lacks(hint);
    }
    let heights = || floats((0..40 * 30).map(|i| (i % 40) as f32));
    let keys = vec![1, 1, 0, 1, 1025, 0, 1, 2];
    let page = Page::new([40, 30], 1, F32, heights()).with(GEO_KEYS, Value::Short(keys));
    scene.write("points.tif", tiff(&[page]));
    scene
        .succeed(&format!("{flags} points.tif"))
        .assert_stderr_has("RasterPixelIsPoint");
    scene.write("area.tif", tiff(&[Page::new([40, 30], 1, F32, heights())]));
    scene
        .succeed(&format!("{flags} area.tif"))
        .assert_stderr_lacks(hint);
    // A world in which 39 by 29 cells of 2 by 3 have the size that the file states.
    let placed = Page::new([40, 30], 1, F32, heights()).placed([2.0, 3.0], 1, 9001);
    scene.write("cells.tif", tiff(&[placed]));
    scene
        .succeed(&format!("{flags} cells.tif --height-at corners"))
        .assert_stderr_has("give --size 78x87 to match the file");
}

/// Points with z are accepted as obstacles, although the world is flat.
#[test]
fn points_with_heights_can_be_avoided() {
    let scene = Scene::new();
    let files = [
        ("a.csv", "\u{feff}x,y,z,min_dist\n30,20,7,10\n30,20,9,10\n"),
        (
            "a.json",
            "\u{feff}[{\"x\": 30, \"y\": 20, \"z\": 7, \"min_dist\": 10}]",
        ),
        (
            "a.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
             property float z\nproperty float min_dist\nend_header\n30 20 7 10\n",
        ),
    ];
    for (name, text) in files {
        scene.write(name, text);
        let flags = format!("sample --size 60x40 --min-dist 2 --max-dist 2 --avoid {name}");
        let run = scene.succeed(&format!("{flags} -o p.csv"));
        let said = format!("--avoid {name}: column z of its points is ignored");
        assert_eq!(run.stderr.matches(&said).count(), 1, "{run}");
        let rows = scene.rows("p.csv");
        let near = |row: &Row| (row.x - 30.0).hypot(row.y - 20.0) < 10.0;
        assert!(rows.len() > 100 && !rows.iter().any(near), "{name}");
        scene.succeed(&format!(
            "verify p.csv --avoid {name} --min-dist 2 --size 60x40"
        ));
    }
}

/// 32-bit readers would place points half a metre apart at the same coordinates.
#[test]
fn coordinates_beyond_32_bits_are_told() {
    let scene = Scene::new();
    let far = "sample --size 40x40 --origin 500000,5000000 --y-up";
    let said = "32-bit floats, which have steps of 0.5 at coordinates up to 5000040";
    for (flags, warned) in [
        ("--min-dist 1 --max-dist 2 -o p.ply", true),
        ("--min-dist 1 --max-dist 2 -o p.svg", true),
        (
            "--min-dist 1 --max-dist 2 -o p.csv -o p.json -o p.npy -o p.geojson -o p.unreal.csv",
            false,
        ),
        ("--min-dist 1 --max-dist 2 -o p.unity.json", true),
        ("--min-dist 55 --max-dist 55 -o p.glb -o p.usda", false),
        ("--min-dist 45 --max-dist 45 -o p.ply", true),
        ("--min-dist 55 --max-dist 55 -o p.ply", false),
    ] {
        let run = scene.succeed(&format!("{far} {flags}"));
        assert_eq!(run.stderr.contains(said), warned, "{run}");
        assert_eq!(run.stderr.contains("32-bit"), warned, "{run}");
    }
    // Places of scenes are precise, but not the sums with that of their node.
    let flags = "--min-dist 1 --max-dist 2 -o p.glb -o p.usda -o p.tscn -o p.unity.json";
    let scenes = scene.succeed(&format!("{far} {flags}"));
    for (file, node, held) in [
        ("p.glb", "node `spinney`", "\"name\":\"spinney\""),
        (
            "p.usda",
            "prim `/spinney`",
            "def PointInstancer \"spinney\"",
        ),
        ("p.tscn", "node `Spinney`", "[node name=\"Spinney\""),
        ("p.unity.json", "`terrain`", "\"terrain\":"),
    ] {
        let told = format!(
            "warning: {file}: its positions are precise relative to its {node}, but most programs add the position of \
             that in {said}, so points 1 apart may be some 50 % nearer; move the {node} to the origin there (those of \
             other windows by as much), or give a smaller --origin\n"
        );
        scenes.assert_stderr_has(&told);
        let text = scene.read(file);
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(held), "{file}");
    }
    let near = scene.succeed("sample --size 40x40 --min-dist 1 --max-dist 2 -o p.ply");
    near.assert_stderr_lacks("32-bit");
    // Places of scenes are relative to the middle of the world, or of the window.
    let wide = "sample --size 500000x4 --min-dist 10 --max-dist 10 -o p.glb -o p.usda -o p.tscn";
    let part = scene.succeed(&format!("{wide} --window 400000,0,400100,4"));
    part.assert_stderr_lacks("32-bit");
    let wide = scene.succeed(&format!("{wide} --window 0,-9,300000,9"));
    let said = "steps of 0.015625 at coordinates up to 150000, so points 10 apart may be some 0.1562 % \
                nearer; write .csv or .json";
    assert_eq!(wide.stderr.matches(said).count(), 3, "{wide}");
}

/// White is the file's greatest sample, not 255 or 65535.
#[test]
fn heights_of_a_pgm_reach_as_high_as_its_greatest_sample() {
    let scene = Scene::new();
    for (greatest, sample, height) in [
        ("100", "100", 10.0),
        ("1023", "1023", 10.0),
        ("4", "1", 2.5),
    ] {
        let samples = vec![sample; 64].join(" ");
        let file = format!("P2 8 8 {greatest}\n{samples}\n");
        scene.write("flat.pgm", file);
        scene.succeed(
            "sample --size 8x8 --min-dist 2 --max-dist 2 --height flat.pgm --height-range 0..10 \
             -o p.csv",
        );
        let heights = &scene.table("p.csv")["height"];
        let is_right = |h: &f64| (h - height).abs() < 1e-9;
        assert!(
            heights.len() > 3 && heights.iter().all(is_right),
            "{greatest}: {heights:?}"
        );
    }
}

/// GDAL writes what a PNG cannot store into a file beside it, which must not be ignored silently.
#[test]
fn notes_beside_an_image_are_told() {
    let scene = Scene::new();
    scene.write("m.pgm", "P2 8 1 7\n0 1 2 3 4 5 6 7\n");
    let notes = |text: &str| {
        let xml = format!("<PAMDataset>{text}</PAMDataset>");
        scene.write("m.pgm.aux.xml", xml);
        let flags = "sample m.pgm --size 8x8 --min-dist 1 --max-dist 2 -o p.csv";
        scene.succeed(flags).stderr
    };
    let told = notes("<PAMRasterBand band=\"1\"><NoDataValue>3</NoDataValue></PAMRasterBand>");
    assert!(
        told.contains("m.pgm.aux.xml beside it has NoDataValue, which GDAL applies"),
        "{told}"
    );
    let told = notes("<Metadata><MDI key=\"STATISTICS_MEAN\">3</MDI></Metadata>");
    assert!(!told.contains("aux.xml"), "{told}");
}
