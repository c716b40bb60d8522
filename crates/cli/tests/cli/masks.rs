//! `--mask` with files that do not state everything about themselves.

use crate::by_hand::{floats, shorts};
use crate::scene::{DATA, Scene};

const FLAGS: &str = "sample --size 60x60 --min-dist 2 --max-dist 4";

/// The advice must name a flag of the mask, not of the map.
#[test]
fn a_raw_mask_is_given_its_size() {
    let scene = Scene::new();
    // Two columns and three rows, open at the right.
    scene.write("mask.r16", shorts([0, 65535].repeat(3)));
    for map in ["", "ramp.png"] {
        let flags = FLAGS.replace("sample", &format!("sample {map}"));
        scene.succeed(&format!(
            "{flags} --mask mask.r16 --mask-size 2x3 -o p.csv --verify"
        ));
        let rows = scene.rows("p.csv");
        assert!(rows.len() > 50 && rows.iter().all(|row| row.x >= 30.0));
    }
    scene.succeed("verify p.csv ramp.png --size 60x60 --mask mask.r16 --mask-size 2x3 --min-dist 2 --max-dist 4");
}

#[test]
fn what_a_mask_lacks_is_told_by_its_own_flags() {
    let scene = Scene::new();
    scene.write("m.r16", [0; 8]);
    scene.write("m.r32", [0; 8]);
    scene.copy(format!("{DATA}/formats/f32_5_bands.tif"), "bands.tif");
    for (flags, code, words) in [
        (
            "--mask m.r16",
            1,
            ["--mask m.r16", "perhaps --mask-size 2x2"],
        ),
        (
            "--mask m.r16 --mask-size 9x9",
            1,
            ["--mask m.r16", "9x9 levels"],
        ),
        (
            "--mask ramp.png --mask-size 9x9",
            2,
            ["--mask-size 9x9", "ramp.png"],
        ),
        (
            "--mask m.r32 --mask-size 1x2",
            1,
            ["--mask m.r32", "no pixel has a value of 0.5 or more"],
        ),
        (
            "--mask ramp.png --mask-channel 2",
            1,
            ["--mask ramp.png", "no channel \"2\""],
        ),
        (
            "--mask bands.tif",
            1,
            ["--mask bands.tif", "choose one of them by --mask-channel"],
        ),
        ("--mask-size 9x9", 2, ["--mask", "required"]),
    ] {
        scene.refused(&format!("{FLAGS} {flags} -o p.csv"), code, &words);
    }
}

/// Floats are compared with the threshold as they are, not stretched to the range of the file.
#[test]
fn floats_are_the_mask_as_they_are() {
    let scene = Scene::new();
    let from = |least: f32, levels: [f32; 4]| {
        scene.write("m.r32", floats(levels));
        let mask = "--mask m.r32 --mask-size 4x1 --mask-threshold";
        let run = scene.run(&format!("{FLAGS} {mask} {least} -o p.csv --summary s.json"));
        (run.code == Some(0)).then(|| {
            let columns = scene
                .rows("p.csv")
                .into_iter()
                .map(|row| (row.x / 15.0) as usize);
            let mut open = [false; 4];
            columns.for_each(|column| open[column.min(3)] = true);
            open
        })
    };
    let float_mask = |levels| from(0.5, levels);
    assert_eq!(
        float_mask([0.1, 0.4, 0.3, 0.6]),
        Some([false, false, false, true])
    );
    assert_eq!(float_mask([0.6, 0.7, 0.9, 0.8]), Some([true; 4]));
    assert_eq!(float_mask([1.0; 4]), Some([true; 4]));
    assert_eq!(
        float_mask([-7.0, 0.45, f32::NAN, 9.0]),
        Some([false, false, false, true])
    );
    assert_eq!(float_mask([0.1, 0.4, 0.3, 0.2]), None);
    let shore = [f32::NEG_INFINITY, -20.0, -0.5, 3.0];
    assert_eq!(from(0.0, shore), Some([false, false, false, true]));
    assert_eq!(from(-1.0, shore), Some([false, false, true, true]));
    assert_eq!(from(-20.0, shore), Some([false, true, true, true]));
    assert_eq!(from(0.0, [-1.0; 4]), None);
    let refused = "--mask ramp.png --mask-threshold -1";
    let words = "must not be negative for a mask of integers";
    scene.refused(&format!("{FLAGS} {refused} -o p.csv"), 2, &[words]);
}

#[test]
fn a_channel_is_the_mask() {
    let scene = Scene::new();
    for file in ["channels.exr", "f32_5_bands.tif"] {
        scene.copy(format!("{DATA}/formats/{file}"), file);
    }
    let flags = "--mask channels.exr --mask-channel trees.A";
    let flags = format!("{flags} --size 60x60 --min-dist 2 --max-dist 4");
    let said = "mask 25x20 (channel trees.A) >= 0.5 (66.6 % open)";
    scene
        .succeed(&format!(
            "sample ramp.png {flags} -o p.csv --summary s.json"
        ))
        .assert_stderr_has(said);
    assert_eq!(scene.json("s.json")["region"]["mask"]["channel"], "trees.A");
    scene.succeed(&format!("verify p.csv ramp.png {flags}"));
    scene
        .succeed(&format!(
            "{FLAGS} --mask f32_5_bands.tif --mask-channel 5 -o p.csv"
        ))
        .assert_stderr_has("(channel 5) >= 0.5");
    scene.refused(
        &format!("{FLAGS} --mask-channel 5 -o p.csv"),
        2,
        &["--mask"],
    );
}
