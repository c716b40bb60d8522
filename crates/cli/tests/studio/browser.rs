//! The page in a real browser, where there is one.

use std::path::Path;
use std::process::{Command, Stdio};

fn is_there(program: &str) -> bool {
    let run = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    run.is_ok_and(|status| status.success())
}

/// `SPINNEY_BROWSER_MODULES` is a `node_modules` folder with playwright-core and axe-core, as
/// `.ci/run` installs them.
#[test]
fn the_page_works_in_a_browser() {
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../studio/tests/browser/run.mjs");
    let run = Command::new("node")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_spinney"))
        .arg(modules)
        .output()
        .expect("node runs");
    let told = String::from_utf8_lossy(&run.stdout);
    println!("{told}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}{errors}");
    assert!(told.matches("ok   ").count() >= 11, "tests are missing");
}
