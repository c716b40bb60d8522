//! What a run says of itself where that is easily not so.

use crate::scene::Scene;
use std::fs;

#[test]
fn a_tile_of_few_points_is_refused_in_terms_of_count() {
    let scene = Scene::new();
    let run = scene.run("sample --tile --count 3 --size 20x20 -o p.csv");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let said = "error: --count 3: so few points would keep up to ";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    let run = scene.run("sample --tile --size 20x20 -o p.csv");
    let said = "error: --tile: the world is 20 wide, less than twice --max-dist 16";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
}

#[test]
fn stopped_layers_are_not_called_complete_but_for_specks() {
    let scene = Scene::new();
    // Hundreds of specks are undecided of the whole.
    let text = "size = [200, 200]\n[[layer]]\nname = \"oak\"\nmin_dist = 0.5\n";
    fs::write(scene.path("w.toml"), text).expect("written");
    let run = scene.succeed("sample --species w.toml --max-points 100 -o w.csv");
    let end = "stopped at --max-points 100, not complete\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}
