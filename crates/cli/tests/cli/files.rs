//! Properties of new files.

use crate::scene::{Scene, finish};
use std::fs;

#[test]
fn outputs_are_replaced_whole_and_nothing_else_appears() {
    let scene = Scene::new();
    scene.write("p.csv", "old");
    fs::create_dir(scene.path("deep")).expect("a folder");
    scene.succeed("sample ramp.png -o p.csv -o deep/p.PLY --preview P.PNG --summary s.json");
    assert!(scene.rows("p.csv").len() > 10);
    let names: Vec<_> = scene.contents().into_keys().collect();
    let expected = ["P.PNG", "deep", "masked.png", "p.csv", "ramp.png", "s.json"];
    assert_eq!(names, expected);
    let deep = fs::read_dir(scene.path("deep")).expect("a folder");
    assert_eq!(deep.count(), 1);
}

#[cfg(unix)]
#[test]
fn permissions_are_those_of_any_new_file_or_of_the_old_one() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    let mode = |name: &str| {
        let about = fs::metadata(scene.path(name)).expect("there");
        about.permissions().mode() & 0o777
    };
    scene.write("plain", "");
    scene.write("secret.csv", "old");
    let secret = fs::Permissions::from_mode(0o600);
    fs::set_permissions(scene.path("secret.csv"), secret).expect("set");
    scene.succeed("sample ramp.png -o new.csv -o secret.csv");
    assert_eq!(mode("new.csv"), mode("plain"));
    assert_eq!(mode("secret.csv"), 0o600);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_to_the_new_file() {
    let scene = Scene::new();
    fs::create_dir(scene.path("far")).expect("a folder");
    scene.write("far/real.csv", "old");
    std::os::unix::fs::symlink("far/real.csv", scene.path("p.csv")).expect("a link");
    scene.succeed("sample ramp.png -o p.csv");
    let about = fs::symlink_metadata(scene.path("p.csv")).expect("there");
    assert!(about.is_symlink());
    assert!(scene.rows("far/real.csv").len() > 10);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_work() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::new();
    let map = OsStr::from_bytes(b"m\xffap.png");
    let out = OsStr::from_bytes(b"p\xfeoints.csv");
    fs::rename(scene.path("ramp.png"), scene.path(map)).expect("renamed");
    let mut command = scene.command("sample --summary s.json");
    let run = finish(command.arg(map).arg("-o").arg(out));
    run.assert_code(0);
    assert!(fs::metadata(scene.path(out)).expect("there").len() > 100);
    assert_eq!(scene.json("s.json")["map"]["file"], "m\u{fffd}ap.png");
}
