//! Standard output and standard error.

use crate::scene::{Scene, finish, rows, wait};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// More output than any pipe or buffer holds.
const MUCH: &str = "--size 512x512 --min-dist 1 --max-dist 2";

#[test]
fn a_dash_streams_csv_and_nothing_else() {
    let scene = Scene::new();
    let run = scene.succeed("sample ramp.png -o - -o p.csv");
    assert_eq!(rows(&run.stdout), scene.rows("p.csv"));
    assert_eq!(run.stderr.lines().count(), 1);
    let quiet = scene.succeed("sample ramp.png -o - -q");
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.stdout, run.stdout);
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let scene = Scene::new();
    let mut child = scene
        .command(&format!("sample {MUCH} -o -"))
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    assert_eq!(line, "id,x,y,min_dist,value\n");
    let run = wait(child);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_reader_who_leaves_does_not_take_the_files_along() {
    let scene = Scene::new();
    scene.succeed(&format!("sample {MUCH} -o all.csv -q"));
    let mut child = scene
        .command(&format!("sample {MUCH} -o - -o p.csv --summary s.json"))
        .spawn()
        .expect("the program");
    drop(child.stdout.take());
    let run = wait(child);
    run.assert_code(0);
    run.assert_stderr_has(", complete");
    assert_eq!(scene.rows("p.csv"), scene.rows("all.csv"));
    assert_eq!(scene.json("s.json")["complete"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_leaves_no_file() {
    let scene = Scene::new();
    let before = scene.contents();
    // The second is so short that only the last flush can fail.
    for size in [MUCH, "--size 9x9"] {
        let full = File::options().write(true).open("/dev/full").expect("it");
        let mut command = scene.command(&format!("sample {size} -o - -o p.csv --preview p.png"));
        let says = "error: -o -: writing CSV failed: No space left on device";
        finish(command.stdout(full)).assert_refused(1, &[says]);
        assert_eq!(scene.contents(), before);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn stderr_may_be_full_or_closed() {
    let scene = Scene::new();
    let full = || File::options().write(true).open("/dev/full").expect("it");
    let mut command = scene.command("sample ramp.png -o p.csv");
    finish(command.stderr(full())).assert_code(0);
    assert!(scene.rows("p.csv").len() > 10);
    let mut command = scene.command("sample none.png -o p.csv");
    finish(command.stderr(full())).assert_code(1);
}
