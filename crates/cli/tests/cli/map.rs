//! `spinney map`, and `sample` with the same flags.

use crate::scene::Scene;
use image::{DynamicImage, Luma};

/// Returns the width, the height, and all greys of a 16-bit picture.
fn greys(scene: &Scene, name: &str) -> (u32, u32, Vec<u16>) {
    let picture = image::open(scene.path(name)).expect("a picture");
    let greys = match &picture {
        DynamicImage::ImageLuma16(p) => p.pixels().map(|p| p.0[0]).collect(),
        DynamicImage::ImageLumaA16(p) => p.pixels().map(|p| p.0[0]).collect(),
        other => panic!("{name} is {:?}", other.color()),
    };
    (picture.width(), picture.height(), greys)
}

#[test]
fn what_is_shown_is_what_is_sampled() {
    let scene = Scene::with_edge();
    let flags = "--min-dist 2 --max-dist 9 --white dense --map density --gamma 1.5 \
                 --curve 0:0,0.4:0.7,1:1 --limit 0.3";
    let shown = scene.succeed(&format!("map show ramp.png {flags} -o shown.png"));
    shown.assert_stderr_has("white = dense, gamma 1.5, curve, map density, limit 0.3");
    scene.succeed(&format!("sample ramp.png {flags} -o a.csv"));
    scene.succeed("sample shown.png --min-dist 2 --max-dist 9 -o b.csv");
    let (a, b) = (scene.rows("a.csv"), scene.rows("b.csv"));
    assert_eq!(a.len(), b.len());
    assert!(a.len() > 50);
    for (a, b) in a.iter().zip(&b) {
        // The polarity differs; the distance is equal except for rounding.
        assert!((a.min_dist - b.min_dist).abs() < 1e-9);
        assert!((a.x - b.x).abs() < 1e-6 && (a.y - b.y).abs() < 1e-6);
    }
}

#[test]
fn a_density_is_half_way_at_the_mean_density() {
    let scene = Scene::new();
    scene.picture("grey.png", [8, 8], |_, _| Luma([32768u16]));
    scene.succeed(
        "sample grey.png --min-dist 1 --max-dist 5 --map density -o p.csv --summary s.json",
    );
    let mean: f64 = 0.5 * (1.0 + 1.0 / 25.0);
    for row in scene.rows("p.csv") {
        assert!(
            (row.min_dist - 1.0 / mean.sqrt()).abs() < 1e-3,
            "{}",
            row.min_dist
        );
    }
    let summary = scene.json("s.json");
    assert_eq!(summary["shaping"]["map"], "density");
    // The range as densities is the same range.
    let [lo, hi] = [5.0f64, 1.0].map(|r| 0.6966 / (r * r));
    scene
        .succeed(&format!(
            "sample grey.png --density {lo}..{hi} --map density -o q.csv"
        ))
        .assert_stderr_has("map density");
    let [p, q] = ["p.csv", "q.csv"].map(|name| scene.rows(name));
    assert_eq!(p.len(), q.len());
    assert!(p.len() > 5, "{}", p.len());
}

#[test]
fn srgb_is_made_linear_only_on_request() {
    let scene = Scene::new();
    scene.picture("grey.png", [8, 8], |_, _| Luma([188u8]));
    for (flag, value) in [("", 188.0 / 255.0), ("--srgb", 0.502_886)] {
        scene.succeed(&format!("sample grey.png {flag} -o p.csv"));
        let row = &scene.rows("p.csv")[0];
        assert!((row.value - value).abs() < 1e-4, "{flag}: {}", row.value);
    }
}

#[test]
fn verify_understands_the_same_flags() {
    let scene = Scene::with_edge();
    let flags = "--min-dist 2 --max-dist 9 --map density --limit 0.25";
    scene.succeed(&format!("sample edge.png {flags} -o p.csv"));
    scene.succeed(&format!("verify p.csv edge.png {flags}"));
    scene.end("verify p.csv edge.png --min-dist 2 --max-dist 9", 1);
}

#[test]
fn a_limit_makes_a_ramp_of_an_edge_on_the_side_that_gives_room() {
    let scene = Scene::with_edge();
    let scale = "--min-dist 2 --max-dist 12 --slope 0.5";
    scene.succeed(&format!("map limit edge.png {scale} -o dense.png"));
    scene.succeed(&format!(
        "map limit edge.png {scale} --keep sparse -o sparse.png"
    ));
    let distance =
        |name: &str, x: usize| 2.0 + 10.0 * f64::from(greys(&scene, name).2[x]) / 65535.0;
    assert_eq!(distance("dense.png", 31), 2.0);
    // h^2 = 2^2 + (0.5 * 20)^2, twenty pixels from the last dense one.
    assert!((distance("dense.png", 51) - 104f64.sqrt()).abs() < 1e-3);
    assert_eq!(distance("dense.png", 63), 12.0);
    assert_eq!(distance("sparse.png", 32), 12.0);
    // Ten pixels from the first sparse one, by a sweep whose slope is up to 1 % gentler.
    let ramp = distance("sparse.png", 22);
    assert!((6.999..7.051).contains(&ramp), "{ramp}");
    assert_eq!(distance("sparse.png", 5), 2.0);
    // `sample` limits in the same way.
    scene.succeed("sample edge.png --min-dist 2 --max-dist 12 --limit 0.5 -o a.csv");
    scene.succeed("sample dense.png --min-dist 2 --max-dist 12 -o b.csv");
    assert_eq!(scene.rows("a.csv"), scene.rows("b.csv"));
}

/// Where all distances are one, the limit once made all values 0, and the map black in a warning.
#[test]
fn a_limit_keeps_the_greys_of_one_distance() {
    let scene = Scene::new();
    let flags = "sample ramp.png --min-dist 5 --max-dist 5";
    scene.succeed(&format!("{flags} -o a.csv"));
    scene
        .succeed(&format!("{flags} --limit 0.25 -o b.csv"))
        .assert_stderr_lacks("black");
    assert_eq!(scene.table("a.csv"), scene.table("b.csv"));
}

/// Under `parent`, dense points spill into sparse ground at a sharp edge.
#[test]
fn points_follow_a_limited_map() {
    let scene = Scene::new();
    scene.picture("board.png", [256, 256], |x, y| {
        Luma([((x / 64 + y / 64) % 2 * 255) as u8])
    });
    let density_error = |how: &str, flags: &str| {
        let flags = format!("board.png --min-dist 1.5 --max-dist 12 {flags}");
        scene.succeed(&format!("sample {flags} {how} -o p.csv"));
        scene.succeed(&format!("verify p.csv {flags} --report r.json"));
        scene.json("r.json")["density_error"]
            .as_f64()
            .expect("a number")
    };
    let limited = density_error("", "--rule mean --limit 0.25");
    assert!(limited < 0.07, "{limited}");
    let spilt = |flags: &str| {
        let flags = format!("--rule parent {flags}");
        density_error("--algorithm bridson", &flags)
    };
    let (sharp, limited) = (spilt(""), spilt("--limit 0.25"));
    assert!(
        limited < 0.6 * sharp,
        "{limited}, and {sharp} without the limit"
    );
}

#[test]
fn distances_are_written_as_floats_and_read_back() {
    let scene = Scene::with_edge();
    let flags = "--min-dist 2 --max-dist 12";
    let back = format!("--range 2..12 {flags}");
    scene
        .succeed(&format!(
            "map limit masked.png {flags} --slope 0.25 -o d.tif"
        ))
        .assert_stderr_has(&back);
    scene.succeed(&format!("sample d.tif {back} -o a.csv"));
    scene.succeed(&format!("sample masked.png --limit 0.25 {flags} -o b.csv"));
    let (a, b) = (scene.rows("a.csv"), scene.rows("b.csv"));
    assert!(a.len() > 5);
    assert!(
        a.iter().all(|row| row.x >= 32.0),
        "NaN is no place for points"
    );
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert!((a.min_dist - b.min_dist).abs() < 1e-3);
    }
}

#[test]
fn maps_are_made_and_combined() {
    let scene = Scene::with_edge();
    let run = scene.succeed("map perlin --size 64x48 --scale 20 --warp 8 --seed 3 -o noise.png");
    assert_eq!(run.stderr, "wrote a 64x48 16-bit map: noise.png\n");
    let (width, height, noise) = greys(&scene, "noise.png");
    assert_eq!((width, height), (64, 48));
    let kinds: std::collections::BTreeSet<_> = noise.iter().collect();
    assert!(kinds.len() > 1000, "{} greys", kinds.len());
    scene.succeed("map perlin --size 64x48 --scale 20 --threshold 0.5 -o mask.png -q");
    assert!(
        greys(&scene, "mask.png")
            .2
            .iter()
            .all(|&g| g == 0 || g == 65535)
    );

    scene.succeed("map falloff edge.png --reach 16 --ramp linear -o fall.png");
    let fall = greys(&scene, "fall.png").2;
    assert_eq!([fall[32], fall[24], fall[0]], [0, 32768, 65535]);
    scene.succeed("map falloff --at 0.5,0.5 --size 20x1 --reach 16 -o around.png");
    assert_eq!(greys(&scene, "around.png").2[4], 32768);

    scene.succeed("map combine noise.png edge.png --how multiply -o both.png");
    let both = greys(&scene, "both.png").2;
    assert_eq!(both[10], 0);
    assert_eq!(both[40], noise[40]);
    scene
        .succeed("map combine noise.png edge.png --how mask -o masked.png")
        .assert_stderr_has("points allowed on 50.0 %");
    scene.succeed("sample masked.png -o p.csv");
    let rows = scene.rows("p.csv");
    assert!(!rows.is_empty() && rows.iter().all(|row| row.x >= 32.0));

    scene.succeed("map blur edge.png --sigma 3 -o soft.png");
    let soft = greys(&scene, "soft.png").2;
    assert!(soft[..64].is_sorted() && soft[31] > 20_000 && soft[32] < 45_000);

    scene.succeed("map dilate edge.png --radius 3 -o grown.png");
    let grown = greys(&scene, "grown.png").2;
    assert_eq!([grown[28], grown[29]], [0, 65535]);
    let reach = "--reach 2 --min-dist 4 --max-dist 10";
    scene.succeed(&format!("map dilate edge.png {reach} -o local.png"));
    let local = greys(&scene, "local.png").2;
    assert_eq!([local[23], local[24]], [0, 65535], "2 x 4 pixels");
    scene.succeed(&format!(
        "map dilate edge.png {reach} --grow dense -o local2.png"
    ));
    let local = greys(&scene, "local2.png").2;
    assert_eq!([local[51], local[52]], [0, 65535], "2 x 10 pixels");
}

#[test]
fn wrong_use_is_told_in_one_line() {
    let scene = Scene::with_edge();
    let cases = [
        ("map limit edge.png -o o.png", "--min-dist"),
        (
            "map limit edge.png --min-dist 5 --max-dist 2 -o o.png",
            "--max-dist 2",
        ),
        (
            "map limit edge.png --min-dist 1 --max-dist 2 --slope 1e-9 -o o.png",
            "--slope 1e-9",
        ),
        (
            "map limit edge.png --min-dist 1 --max-dist 2 -o edge.png",
            "the input edge.png itself",
        ),
        ("map blur edge.png --sigma -1 -o o.png", "--sigma -1"),
        ("map blur edge.png --sigma 1 -o o.csv", ".png"),
        ("map combine edge.png ramp.png --how most -o o.png", "most"),
        ("map dilate edge.png --reach 1 -o o.png", "--min-dist"),
        ("map perlin --size 0x5 -o o.png", "--size"),
        ("map perlin --octaves 99 -o o.png", "--octaves"),
        ("map perlin --warp -2 -o o.png", "--warp -2"),
        ("map falloff -o o.png", "--at"),
        // Flags that would have no effect.
        ("map falloff --at 5,5 --channel r -o o.png", "--channel r"),
        ("map falloff --at 5,5 --range 0..1 -o o.png", "--range 0..1"),
        ("map falloff --at 5,5 --from dark -o o.png", "--from"),
        (
            "map dilate edge.png --radius 2 --size 5x5 -o o.png",
            "--size",
        ),
        (
            "map dilate edge.png --radius -1 -o o.png",
            "--radius -1: the radius of a dilation must lie between 0 and",
        ),
        (
            "map dilate edge.png --radius 2 --min-dist 5 -o o.png",
            "--min-dist",
        ),
        ("sample --pixels -o o.csv", "--pixels"),
        ("verify p.csv --pixels", "--pixels"),
        ("sample ramp.png --density 0..1 -o o.csv", "--density 0..1"),
        (
            "sample ramp.png --density 0.1..0.2 --min-dist 3 -o o.csv",
            "--min-dist",
        ),
        ("sample ramp.png --gamma 0 -o o.csv", "--gamma 0"),
        ("sample ramp.png --curve 0:0 -o o.csv", "--curve"),
        ("sample ramp.png --curve 0:0,2:1 -o o.csv", "--curve"),
        ("sample ramp.png --limit nan -o o.csv", "--limit"),
        ("sample --limit 0.25 -o o.csv", "--limit"),
        ("verify p.csv --density 0.1..0.2", "--density"),
    ];
    for (args, says) in cases {
        scene.refused(args, 2, &[says]);
    }
    scene.succeed("map perlin --size 10x10 -o small.png");
    scene.refused(
        "map combine edge.png small.png --how max -o o.png",
        1,
        &["one has 64 x 48 pixels and the other 10 x 10"],
    );
}
