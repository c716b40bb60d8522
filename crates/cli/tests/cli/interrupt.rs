//! Ctrl-C.

#![cfg(unix)]

use crate::scene::{Scene, wait};
use std::fs;
use std::io::{self, Write};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Many seconds of work.
const LONG: &str = "sample --size 4000x4000 --min-dist 1 --max-dist 2";

/// Waits until the run has begun to write.
fn await_draft(scene: &Scene) {
    let start = Instant::now();
    while scene.contents().len() <= 3 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no draft appears"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill").success());
}

fn interrupt(scene: &Scene, child: Child, signal: &str) {
    await_draft(scene);
    send(signal, &child);
    let run = wait(child, Duration::from_secs(20));
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    assert_eq!(run.stderr, "interrupted: no file was written\n");
    let names: Vec<_> = scene.contents().into_keys().collect();
    assert_eq!(names, ["masked.png", "p.csv", "ramp.png"]);
    let old = fs::read(scene.path("p.csv")).expect("there");
    assert_eq!(old, b"old");
}

/// What is started in the background of a script inherits that interrupts are ignored, and the
/// program then ignores them too.
fn signals_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
    // Interrupt, terminate: 2, 15.
    let ignored = mask.unwrap_or(0) & 0b100_0000_0000_0010 != 0;
    if ignored {
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: these tests were started with signals ignored"
        );
    }
    ignored
}

fn scene() -> Scene {
    let scene = Scene::new();
    fs::write(scene.path("p.csv"), "old").expect("written");
    scene
}

#[test]
fn leaves_no_file_and_exits_with_130() {
    if signals_are_ignored() {
        return;
    }
    for signal in ["-INT", "-TERM"] {
        let scene = scene();
        let mut command = scene.command(&format!("{LONG} -o p.csv -o q.ply --summary s.json"));
        interrupt(&scene, command.spawn().expect("the program"), signal);
    }
}

/// The pipe is full and nobody reads: the main thread is stuck in a write.
#[test]
fn works_while_a_write_is_blocked() {
    if signals_are_ignored() {
        return;
    }
    let scene = scene();
    let mut command = scene.command(&format!("{LONG} -o - -o p.csv"));
    let mut child = command.spawn().expect("the program");
    let unread = child.stdout.take();
    interrupt(&scene, child, "-INT");
    drop(unread);
}

/// `nohup` means what it says.
#[test]
fn an_ignored_hangup_stays_ignored() {
    let scene = scene();
    let program = env!("CARGO_BIN_EXE_spinney");
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("trap '' HUP; exec {program} {LONG} -q -o p.csv"),
        ])
        .current_dir(scene.path(""))
        .spawn()
        .expect("the program");
    await_draft(&scene);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    let ended = child.try_wait().expect("its state");
    child.kill().expect("killed");
    child.wait().expect("the end");
    assert_eq!(ended, None);
}
