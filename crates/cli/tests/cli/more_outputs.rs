//! Maps, reports and streams behave like files of points in every fault.

#![cfg(target_os = "linux")]

use crate::faults::{Case, LONG, can_trace, end_at_random_moments, let_calls_fail, send};
use crate::scene::{Scene, finish, program, wait};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A stream, maps and a report, each written by different code.
fn cases() -> Vec<Case> {
    let judged = Scene::new();
    judged.succeed("sample ramp.png --min-dist 2 -q -o points.csv");
    let of = |args: &str, names: &[&'static str]| Case::of(Scene::new(), args, names);
    vec![
        of(
            "sample --stream --size 50x50 --min-dist 1 --max-dist 2 -q -o p.csv -o q.ply",
            &["p.csv", "q.ply"],
        ),
        of("map perlin --size 300x300 -q -o m.png", &["m.png"]),
        of(
            "map limit ramp.png --min-dist 1 --max-dist 9 -q -o m.tif",
            &["m.tif"],
        ),
        Case::of(
            judged,
            "verify points.csv --report r.json --plot p.png",
            &["r.json", "p.png"],
        ),
    ]
}

/// Makes every `part`th write fail, and calls of other kinds.
fn every_call_may_fail(part: usize) {
    if !can_trace() {
        return;
    }
    for case in cases() {
        println!("{}", case.args);
        let calls = [
            ("write", "EIO", part, 1),
            ("write", "ENOSPC", 2 * part, 1),
            ("fsync", "EIO", 1, 1),
            ("/rename", "EACCES", 1, 1),
            ("fchmod", "EPERM", 1, 1),
        ];
        let_calls_fail(&case, &calls);
    }
}

#[test]
fn every_call_of_the_others_may_fail() {
    every_call_may_fail(4);
}

#[test]
#[ignore = "long"]
fn every_call_of_the_others_may_fail_in_full() {
    every_call_may_fail(1);
}

/// Ends runs by each signal at random moments, twice as many of them for kills.
fn end_at_any_moment(moments: usize) {
    let mut sums = [0; 2];
    for case in cases() {
        for (signal, count) in [
            ("-KILL", 2 * moments),
            ("-TERM", moments),
            ("-INT", moments),
        ] {
            let counts = end_at_random_moments(&case, signal, count);
            sums = [sums[0] + counts[0], sums[1] + counts[1]];
        }
    }
    // Some of these runs are short, but overall some moments precede the end and some follow it.
    assert!(sums.iter().all(|&sum| sum > 5), "{sums:?}");
}

#[test]
fn the_others_end_old_or_new_at_any_moment() {
    end_at_any_moment(3);
}

#[test]
#[ignore = "long"]
fn the_others_end_old_or_new_at_any_moment_in_full() {
    end_at_any_moment(8);
}

#[test]
fn a_full_disk_is_told_by_the_others() {
    for case in cases() {
        case.reset();
        let run = case
            .scene
            .shell_run("ulimit -f 1; exec \"$0\" \"$@\"", &case.args);
        run.assert_refused(1, &["File too large"]);
        assert_eq!(case.replaced(), 0);
        assert_eq!(case.scene.drafts(), [""; 0]);
    }
}

/// A killed run is simply started again: the same flags give the same bytes.
#[test]
fn a_killed_stream_is_started_again() {
    let args = "sample --stream --size 400x400 --min-dist 1 --max-dist 2 -q -o p.csv";
    let scene = Scene::new();
    let case = Case::of(scene, args, &["p.csv"]);
    fs::remove_file(case.scene.path("p.csv")).expect("removed");
    let child = case.scene.command(args).spawn().expect("the program");
    while case.scene.drafts().is_empty() {
        std::thread::sleep(Duration::from_millis(2));
    }
    send("-KILL", &child);
    wait(child);
    assert!(!case.scene.path("p.csv").exists());
    // The draft of the killed run does not disturb the next.
    assert_eq!(case.scene.drafts().len(), 1);
    case.scene.succeed(args);
    assert_eq!(case.replaced(), 1);
}

#[test]
fn a_map_never_replaces_what_it_is_made_of() {
    let scene = Scene::new();
    fs::hard_link(scene.path("ramp.png"), scene.path("hard.png")).expect("a link");
    std::os::unix::fs::symlink("ramp.png", scene.path("soft.png")).expect("a link");
    std::os::unix::fs::symlink("nowhere", scene.path("loose.png")).expect("a link");
    let before = scene.contents();
    // All commands compare files by the same function, so each name and each command is tested once.
    for args in [
        "map blur ramp.png --sigma 2 -o ramp.png",
        "map blur ramp.png --sigma 2 -o ./ramp.png",
        "map blur ramp.png --sigma 2 -o hard.png",
        "map blur ramp.png --sigma 2 -o soft.png",
        "map dilate ramp.png --radius 2 -o soft.png",
        "map limit ramp.png --min-dist 1 --max-dist 9 -o soft.png",
        "map show ramp.png --min-dist 1 -o soft.png",
        "map falloff ramp.png -o soft.png",
        "map combine masked.png ramp.png --how max -o soft.png",
    ] {
        scene.refused(args, 2, &[]);
        assert_eq!(scene.contents(), before);
    }
    for output in ["loose.png", "none/m.png", "m.png/", "/proc/m.png"] {
        scene.refused(&format!("map perlin --size 9x9 -o {output}"), 1, &[]);
        assert_eq!(scene.contents(), before);
    }
}

#[test]
fn maps_and_judgements_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::new();
    let no_text = OsStr::from_bytes(b"m\xff p.png");
    for name in [OsStr::new("-m.png"), OsStr::new("a b.png"), no_text] {
        scene.copy("ramp.png", "map.png");
        let made = finish(scene.command("map blur map.png --sigma 2 -q -o").arg(name));
        made.assert_code(0);
        let lint = finish(scene.command("map lint --min-dist 4").arg("--").arg(name));
        lint.assert_code(0);
        let points = OsStr::from_bytes(b"p\xfe.csv");
        let sampled = finish(
            scene
                .command("sample -q -o")
                .arg(points)
                .arg("--")
                .arg(name),
        );
        sampled.assert_code(0);
        let judged = finish(
            scene
                .command("verify --min-dist 4 --report")
                .arg(OsStr::from_bytes(b"r\xfd.json"))
                .arg("--")
                .arg(points)
                .arg(name),
        );
        judged.assert_code(0);
    }
}

/// Runs as the user nobody, who may not write into the folder or not replace the file.
#[test]
fn what_cannot_be_replaced_is_found_out_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    scene.write("p.csv", "old");
    scene.copy(program(), "spinney");
    mode(&scene.path("spinney"), 0o755);
    let nobody = || {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
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
    let probe = nobody().args(["./spinney", "--version"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(io::stderr(), "SKIPPED: nobody cannot run it here");
        return;
    }
    for (folder, says) in [
        (0o755, "no file can be created in its folder"),
        (0o1777, "the existing file belongs to another user"),
    ] {
        mode(&scene.path(""), folder);
        let before = scene.contents();
        let start = Instant::now();
        let run = finish(nobody().args(format!("./spinney sample {LONG} -o p.csv").split(' ')));
        let what = format!("{folder:o}");
        run.assert_refused(1, &[says, "-o p.csv"]);
        assert!(start.elapsed() < Duration::from_secs(5), "{what}");
        assert_eq!(scene.contents(), before, "{what}");
    }
    mode(&scene.path(""), 0o755);
    for args in [
        "map perlin --size 8000x8000 -o m.png",
        "map show ramp.png --min-dist 2 -o m.tif",
        "verify points.csv --report r.json",
        "verify points.csv --plot p.png",
    ] {
        let start = Instant::now();
        let run = finish(nobody().arg("./spinney").args(args.split(' ')));
        run.assert_refused(1, &["no file can be created in its folder"]);
        assert!(start.elapsed() < Duration::from_secs(5), "{args}");
    }
    mode(&scene.path(""), 0o1777);
    // In a folder that everybody may write to, a new file can be created.
    let run = finish(nobody().args("./spinney sample ramp.png -o new.csv".split(' ')));
    run.assert_code(0);
    mode(&scene.path(""), 0o700);
}
