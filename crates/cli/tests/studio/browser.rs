//! Tests the page in a real browser, if there is one. Each file of checks is a test of its own, so that
//! they run in parallel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files of checks, and the number of checks in each that run without `--measure`.
const GROUPS: [(&str, usize); 4] = [
    ("controls", 2),
    ("exports", 3),
    ("looks", 2),
    ("painting", 8),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../studio/tests/browser")
}

fn is_there(program: &str) -> bool {
    let run = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.is_ok_and(|status| status.success())
}

/// Runs the checks of one file. `SPINNEY_BROWSER_MODULES` is a `node_modules` folder with playwright-core
/// and axe-core, as installed by `.ci/run`.
fn check(group: usize) {
    let Some(modules) = std::env::var_os("SPINNEY_BROWSER_MODULES") else {
        println!("skipped: SPINNEY_BROWSER_MODULES is not set");
        return;
    };
    for program in ["node", "chromium"] {
        if !is_there(program) {
            println!("skipped: there is no {program}");
            return;
        }
    }
    let (group, checks) = GROUPS[group];
    let run = Command::new("node")
        .arg(folder().join("run.mjs"))
        .arg(env!("CARGO_BIN_EXE_spinney"))
        .arg(modules)
        .args(["--group", group])
        .output()
        .expect("node runs");
    let told = String::from_utf8_lossy(&run.stdout);
    println!("{told}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}{errors}");
    assert_eq!(told.matches("ok   ").count(), checks, "{told}");
}

#[test]
fn controls_are_flags_and_keys() {
    check(0);
}

#[test]
fn exports_are_what_the_command_line_makes() {
    check(1);
}

#[test]
fn the_page_is_accessible_and_fits_the_screen() {
    check(2);
}

#[test]
fn strokes_are_painted_and_undone() {
    check(3);
}

/// A file of checks outside the groups would never run.
#[test]
fn every_file_of_checks_is_run() {
    let files = fs::read_dir(folder()).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.retain(|name| name != "run.mjs" && name != "page.mjs");
    names.sort_unstable();
    assert_eq!(names, GROUPS.map(|(group, _)| format!("{group}.mjs")));
}
