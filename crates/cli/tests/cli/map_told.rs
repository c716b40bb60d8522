//! What `spinney map` says of how files were read and of what came of it.

use crate::scene::Scene;
use std::fs;

/// A raw file of floats.
fn floats(scene: &Scene, name: &str, levels: &[f32]) {
    let bytes: Vec<u8> = levels
        .iter()
        .flat_map(|level| level.to_le_bytes())
        .collect();
    fs::write(scene.path(name), bytes).expect("written");
}

/// `a.r32f` goes from 285 to 1000 and `b.r32f` from 0 to 1000; 4x1 pixels.
fn scene() -> Scene {
    let scene = Scene::new();
    floats(&scene, "a.r32f", &[285.0, 400.0, 500.0, 1000.0]);
    floats(&scene, "b.r32f", &[0.0, 400.0, 500.0, 1000.0]);
    scene
}

const RAW: &str = "--raw-size 4x1";
const LENGTHS: &str = "--min-dist 1 --max-dist 3";

#[test]
fn the_levels_are_echoed() {
    let scene = scene();
    for (command, says) in [
        (
            format!("map show a.r32f {LENGTHS}"),
            "4x1 map, levels 285..1000 (found), white = sparse",
        ),
        (
            format!("map limit a.r32f {LENGTHS}"),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            "map dilate a.r32f --radius 1".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            format!("map dilate a.r32f --reach 1 {LENGTHS}"),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found)\n",
        ),
        (
            "map blur a.r32f --sigma 1 --range 0..2000".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 0..2000\n",
        ),
        (
            "map falloff b.r32f".to_owned(),
            "read b.r32f: 4x1 32-bit float map, levels 0..1000 (found)\n",
        ),
        (
            "map combine a.r32f b.r32f --how max".to_owned(),
            "read a.r32f: 4x1 32-bit float map, levels 285..1000 (found); b.r32f: 4x1 32-bit \
             float map, levels 0..1000 (found)\n",
        ),
    ] {
        let command = format!("{command} {RAW} -o o.png");
        let run = scene.succeed(&command);
        assert!(run.stderr.contains(says), "{command}: {}", run.stderr);
        let run = scene.succeed(&format!("{command} -q"));
        assert_eq!(run.stderr, "", "{command}");
    }
    // Greys that are as their type has them are nothing to tell of.
    let run = scene.succeed("map blur ramp.png --sigma 1 -o o.png");
    assert_eq!(run.stderr, "wrote a 64x48 16-bit map: o.png\n");
}
