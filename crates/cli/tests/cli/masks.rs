//! `--mask` with files that do not say all about themselves.

use crate::scene::Scene;
use std::fs;

const FLAGS: &str = "sample --size 60x60 --min-dist 2 --max-dist 4";

/// The advice was to give a flag that belongs to the map.
#[test]
fn a_raw_mask_is_given_its_size() {
    let scene = Scene::new();
    // Open at the right, of two columns and three rows.
    let levels = [0, u16::MAX].repeat(3);
    let bytes: Vec<u8> = levels.iter().flat_map(|l: &u16| l.to_le_bytes()).collect();
    fs::write(scene.path("mask.r16"), bytes).expect("written");
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
    fs::write(scene.path("m.r16"), [0; 8]).expect("written");
    fs::write(scene.path("m.r32"), [0; 8]).expect("written");
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
            ["--mask m.r32", "an image of 8 or 16 bits"],
        ),
        ("--mask-size 9x9", 2, ["--mask", "required"]),
    ] {
        let run = scene.run(&format!("{FLAGS} {flags} -o p.csv"));
        assert_eq!(run.code, Some(code), "{flags}: {}", run.stderr);
        for word in words {
            assert!(run.stderr.contains(word), "{flags}: {}", run.stderr);
        }
        assert!(!scene.path("p.csv").exists());
    }
}
