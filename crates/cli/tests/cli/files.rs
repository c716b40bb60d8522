//! New files: their permissions, and what they may replace.

use crate::scene::Scene;
#[cfg(target_os = "linux")]
use crate::scene::{finish, program};
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

/// Runs as the user nobody, who may not write into the folder or not replace the file.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_replaced_is_found_out_before_the_work() {
    use std::io::{self, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let scene = Scene::new();
    // Many seconds of work, which these runs must not begin.
    let long = "sample --size 4000x4000 --min-dist 1 --max-dist 2 -o p.csv";
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    scene.write("p.csv", "old");
    scene.copy(program(), "spinney");
    mode(&scene.path("spinney"), 0o755);
    let nobody = |args: &str| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
            .arg("./spinney")
            .args(args.split(' '))
            .current_dir(scene.path(""))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    };
    scene.succeed("sample ramp.png -o points.csv");
    mode(&scene.path("points.csv"), 0o644);
    mode(&scene.path("ramp.png"), 0o644);
    mode(&scene.path(""), 0o755);
    let probe = nobody("--version").output();
    if !probe.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(io::stderr(), "SKIPPED: nobody cannot run it here");
        return;
    }
    let refused = |args: &str, words: &[&str]| {
        let start = Instant::now();
        finish(&mut nobody(args)).assert_refused(1, words);
        assert!(start.elapsed() < Duration::from_secs(5), "{args}");
    };
    for (folder, says) in [
        (0o755, "no file can be created in its folder"),
        (0o1777, "the existing file belongs to another user"),
    ] {
        mode(&scene.path(""), folder);
        let before = scene.contents();
        refused(long, &[says, "-o p.csv"]);
        assert_eq!(scene.contents(), before, "{folder:o}");
    }
    mode(&scene.path(""), 0o755);
    for args in [
        "map perlin --size 8000x8000 -o m.png",
        "map show ramp.png --min-dist 2 -o m.tif",
        "verify points.csv --report r.json",
        "verify points.csv --plot p.png",
    ] {
        refused(args, &["no file can be created in its folder"]);
    }
    mode(&scene.path(""), 0o1777);
    // In a folder that everybody may write to, a new file can be created.
    finish(&mut nobody("sample ramp.png -o new.csv")).assert_code(0);
    mode(&scene.path(""), 0o700);
}
