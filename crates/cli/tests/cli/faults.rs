//! Faults at any time: each output is the old file or the complete new one, and only an uncatchable kill
//! leaves a draft behind.

#![cfg(target_os = "linux")]

use crate::ignored::is_ignored_here;
use crate::scene::{Scene, wait};
use std::fs;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Some hundredths of a second of work, of which starting, writing and renaming take a good part.
const SHORT: &str = "--size 50x50 --min-dist 1 --max-dist 2";

/// Many seconds of work.
pub(crate) const LONG: &str = "--size 4000x4000 --min-dist 1 --max-dist 2";

const OUTPUTS: [&str; 4] = ["p.csv", "q.npy", "p.png", "r.ply"];
const FLAGS: &str = "-o p.csv -o q.npy -o r.ply --preview p.png";

/// A scene with an old file at every output, and the expected new contents.
pub(crate) struct Case {
    pub(crate) scene: Scene,
    pub(crate) args: String,
    names: Vec<&'static str>,
    complete: Vec<Vec<u8>>,
}

impl Case {
    fn new(work: &str) -> Self {
        Self::of(Scene::new(), &format!("sample {work} {FLAGS}"), &OUTPUTS)
    }

    /// Runs a command in a scene once to record its outputs, in the order in which they are replaced.
    pub(crate) fn of(scene: Scene, args: &str, names: &[&'static str]) -> Self {
        scene.succeed(args);
        let read = |name: &&str| scene.read(name);
        let complete = names.iter().map(read).collect();
        Self {
            scene,
            args: args.to_owned(),
            names: names.to_vec(),
            complete,
        }
    }

    pub(crate) fn reset(&self) {
        for name in &self.names {
            self.scene.write(name, "old");
        }
    }

    /// Returns the number of new outputs, and asserts that each is new or old and that they were replaced
    /// in order.
    pub(crate) fn replaced(&self) -> usize {
        let mut states = Vec::new();
        for (name, complete) in self.names.iter().zip(&self.complete) {
            let now = self.scene.read(name);
            assert!(now == b"old" || now == *complete, "{name} is neither");
            states.push(now != b"old");
        }
        states.into_iter().filter(|new| *new).count()
    }
}

pub(crate) fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    // The error of signalling a program that has already ended is ignored.
    let _ = Command::new("kill")
        .args([signal, &id])
        .stderr(Stdio::null())
        .status();
}

/// Returns `true` if programs can be traced here; prints a message otherwise.
pub(crate) fn can_trace() -> bool {
    let probe = Command::new("strace")
        .args(["-o", "/dev/null", "-e", "inject=mkdir:error=EIO", "true"])
        .stderr(Stdio::null())
        .status();
    let can = probe.is_ok_and(|status| status.success());
    if !can {
        let _ = writeln!(io::stderr(), "SKIPPED: no strace here");
    }
    can
}

/// A system call to fail: its name, the error, the step between failing calls, and the least number of
/// failures.
pub(crate) type Calls = (&'static str, &'static str, usize, usize);

/// For each of `calls`, makes the n-th call fail, for every n.
pub(crate) fn let_calls_fail(case: &Case, calls: &[Calls]) {
    for &(call, error, step, least) in calls {
        let mut failures = 0;
        for n in (1..).step_by(step) {
            case.reset();
            let inject = format!("inject={call}:error={error}:when={n}");
            let script = format!(
                "exec strace -f -qq -o trace.out -e trace={call} -e {inject} \"$0\" \"$@\""
            );
            let run = case.scene.shell_run(&script, &case.args);
            let what = format!("{inject}: {:?}, {}", run.code, run.stderr);
            let replaced = case.replaced();
            assert_eq!(case.scene.drafts(), [""; 0], "{what}");
            let trace = case.scene.text("trace.out");
            match run.code {
                // The final message is a write, too, and a failed fsync of a folder is ignored.
                Some(0) => assert_eq!(replaced, case.names.len(), "{what}"),
                Some(1) => {
                    failures += 1;
                    assert!(run.stderr.starts_with("error: "), "{what}");
                    assert_eq!(run.stderr.lines().count(), 1, "{what}");
                    // Messages on stdout come after the files.
                    let said = run.stderr.starts_with("error: stdout");
                    let expected = match call {
                        _ if said => case.names.len(),
                        "/rename" => n - 1,
                        _ => 0,
                    };
                    assert_eq!(replaced, expected, "{what}");
                }
                _ => panic!("{what}"),
            }
            if !trace.contains("(INJECTED)") {
                break;
            }
        }
        println!("{call} {error}: {failures} failures");
        assert!(failures >= least, "{call}: only {failures} failures");
    }
}

/// Makes every `part`th write fail, and calls of other kinds.
fn every_call_may_fail(part: usize) {
    if !can_trace() {
        return;
    }
    let case = Case::new("ramp.png --min-dist 0.7 --max-dist 3");
    let calls = [
        ("write", "EIO", part, 10 / part),
        ("write", "ENOSPC", 5, 3),
        ("fsync", "EIO", 1, 4),
        ("fsync", "ENOSPC", 1, 4),
        ("/rename", "EACCES", 1, 4),
        ("lseek", "EIO", 1, 2),
        ("fchmod", "EPERM", 1, 4),
    ];
    let_calls_fail(&case, &calls);
}

#[test]
fn every_call_that_can_fail_may_fail() {
    every_call_may_fail(3);
}

#[test]
#[ignore = "long"]
fn every_call_that_can_fail_may_fail_in_full() {
    every_call_may_fail(1);
}

/// Disks of every size, from nothing to enough. The first sign of a full disk is a signal.
#[test]
fn a_disk_may_fill_up_anywhere() {
    let case = Case::new(SHORT);
    let mut full = 0;
    for blocks in [0, 1, 8, 30, 60, 80, 100, 200, 100_000] {
        case.reset();
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let run = case
            .scene
            .shell_run(&script, &format!("sample {SHORT} {FLAGS}"));
        let what = format!("{blocks} blocks: {:?}, {}", run.code, run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{what}");
        assert_eq!(case.scene.drafts(), [""; 0], "{what}");
        if run.code == Some(0) {
            assert_eq!(case.replaced(), OUTPUTS.len());
        } else {
            run.assert_code(1);
            assert!(run.stderr.starts_with("error: -"), "{what}");
            run.assert_stderr_has("File too large");
            assert_eq!(case.replaced(), 0);
            full += 1;
        }
    }
    assert!((5..9).contains(&full), "{full}");
}

/// A generator of numbers from 0 to 1, seeded anew for each run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Ends runs by `signal` at `count` random moments, from the start to after the end. Returns how many runs
/// left the old files, and how many the new ones.
pub(crate) fn end_at_random_moments(case: &Case, signal: &str, count: usize) -> [usize; 2] {
    case.reset();
    let start = Instant::now();
    case.scene.succeed(&case.args);
    let whole = start.elapsed().as_secs_f64();
    let mut dice = Dice(count as u64 + signal.len() as u64);
    let [mut old, mut new] = [0; 2];
    for _ in 0..count {
        case.reset();
        let mut command = case.scene.command(&case.args);
        let child = command.spawn().expect("the program");
        std::thread::sleep(Duration::from_secs_f64(1.4 * whole * dice.throw()));
        send(signal, &child);
        let run = wait(child);
        let replaced = case.replaced();
        match replaced {
            0 => old += 1,
            _ => new += 1,
        }
        if run.code == Some(0) {
            assert_eq!(replaced, case.names.len());
        }
        let drafts = case.scene.drafts();
        if signal == "-KILL" {
            for draft in drafts {
                fs::remove_file(case.scene.path(draft)).expect("removed");
            }
        } else {
            // No code: the signal came before the handler was installed, and before any draft.
            assert!(matches!(run.code, Some(0 | 130) | None), "{:?}", run.code);
            assert_eq!(drafts, [""; 0]);
            assert!(run.code != Some(130) || run.stderr.contains("interrupted: "));
            let said_so = run.stderr.contains("no file was written");
            assert!(!said_so || replaced == 0, "{replaced} were");
        }
    }
    println!("{signal}, {}: {old} old, {new} new", case.args);
    [old, new]
}

#[test]
fn a_kill_leaves_the_old_file_or_the_new() {
    let [old, _] = end_at_random_moments(&Case::new(SHORT), "-KILL", 20);
    assert!(old > 0);
}

#[test]
#[ignore = "long"]
fn a_kill_leaves_the_old_file_or_the_new_in_full() {
    let [old, _] = end_at_random_moments(&Case::new(SHORT), "-KILL", 100);
    assert!(old > 0);
}

#[test]
fn an_interrupt_leaves_the_old_file_or_the_new_and_no_draft() {
    if is_ignored_here("-INT") {
        return;
    }
    let [old, _] = end_at_random_moments(&Case::new(SHORT), "-INT", 12);
    assert!(old > 0);
}

#[test]
fn a_termination_leaves_the_old_file_or_the_new_and_no_draft() {
    let [old, _] = end_at_random_moments(&Case::new(SHORT), "-TERM", 8);
    assert!(old > 0);
}

fn await_draft(scene: &Scene) {
    let start = Instant::now();
    while scene.drafts().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "no draft");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A scene with an old `p.csv`.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("p.csv", "old");
    scene
}

/// Asserts that a run in a fresh [`scene`] ends as interrupted, with the exit code and message, and without
/// new files.
fn assert_interrupted(scene: &Scene, child: Child, what: &str) {
    let run = wait(child);
    run.assert_code(130);
    assert_eq!(run.stderr, "interrupted: no file was written\n", "{what}");
    let names: Vec<_> = scene.contents().into_keys().collect();
    assert_eq!(names, ["masked.png", "p.csv", "ramp.png"], "{what}");
    let old = scene.read("p.csv");
    assert_eq!(old, b"old", "{what}");
}

/// Hang-ups and interrupts may be ignored (`nohup`, a script's background job); other signals must still
/// clean up.
#[test]
fn ignored_signals_do_not_disarm_the_others() {
    for (ignored, sent) in [
        ("HUP", "-TERM"),
        ("HUP", "-INT"),
        ("INT QUIT", "-TERM"),
        ("INT", "-HUP"),
        ("HUP", "-QUIT"),
        ("XFSZ", "-TERM"),
        ("XFSZ", "-INT"),
    ] {
        if is_ignored_here(sent) {
            continue;
        }
        let scene = scene();
        let script = format!("trap '' {ignored}; exec \"$0\" \"$@\"");
        let args = format!("sample {LONG} -q -o p.csv -o q.ply --summary s.json");
        let child = scene.shell(&script, args.split_whitespace());
        await_draft(&scene);
        send(sent, &child);
        assert_interrupted(&scene, child, &format!("{ignored} ignored, {sent} sent"));
    }
}

/// The pipe is full and has no reader, so the main thread is blocked in a write.
#[test]
fn an_interrupt_works_while_a_write_is_blocked() {
    if is_ignored_here("-INT") {
        return;
    }
    let scene = scene();
    let mut command = scene.command(&format!("sample {LONG} -o - -o p.csv"));
    let mut child = command.spawn().expect("the program");
    let unread = child.stdout.take();
    await_draft(&scene);
    // Time to fill the pipe.
    std::thread::sleep(Duration::from_millis(200));
    send("-INT", &child);
    assert_interrupted(&scene, child, "a blocked write");
    drop(unread);
}

/// Regression: a subcommand that writes no file was ended by the signal itself, without an exit code.
#[test]
fn an_interrupt_ends_lint_as_others() {
    if is_ignored_here("-INT") {
        return;
    }
    let scene = Scene::new();
    let mut map = fs::File::create(scene.path("large.pgm")).expect("created");
    map.write_all(b"P5 8000 8000 255\n").expect("written");
    map.set_len(17 + 8000 * 8000).expect("grown");
    let child = scene.command("map lint large.pgm").spawn();
    let child = child.expect("the program");
    let start = Instant::now();
    while !catches_interrupts(&child) {
        assert!(start.elapsed() < Duration::from_secs(60), "no handler");
        std::thread::sleep(Duration::from_millis(1));
    }
    send("-INT", &child);
    let run = wait(child);
    run.assert_code(130);
    assert_eq!(run.stderr, "interrupted: no file was written\n");
}

fn catches_interrupts(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> 1 & 1 != 0)
}

/// A run under `nohup` must survive the hang-up.
#[test]
fn an_ignored_hangup_stays_ignored() {
    let scene = scene();
    let args = format!("sample {LONG} -q -o p.csv");
    let script = "trap '' HUP; exec \"$0\" \"$@\"";
    let mut child = scene.shell(script, args.split_whitespace());
    await_draft(&scene);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    let ended = child.try_wait().expect("its state");
    child.kill().expect("killed");
    child.wait().expect("the end");
    assert_eq!(ended, None);
}

/// The limit on processor time sends a warning signal a second before the kill.
#[test]
fn running_out_of_time_leaves_no_draft() {
    let scene = Scene::new();
    let script = "ulimit -S -t 1; exec \"$0\" \"$@\"";
    let run = scene.shell_run(script, &format!("sample {LONG} -q -o p.csv"));
    run.assert_code(130);
    assert_eq!(scene.contents().len(), 2, "only the maps");
}

#[test]
fn two_runs_to_one_target_leave_one_of_the_two() {
    let scene = Scene::new();
    let of = |seed: u32| {
        scene.succeed(&format!("sample {SHORT} --seed {seed} -q -o p.csv"));
        scene.read("p.csv")
    };
    let both = [of(1), of(2)];
    for _ in 0..10 {
        let children = [1, 2].map(|seed| {
            let mut command = scene.command(&format!("sample {SHORT} --seed {seed} -q -o p.csv"));
            command.spawn().expect("the program")
        });
        for child in children {
            let run = wait(child);
            run.assert_code(0);
        }
        let left = scene.read("p.csv");
        assert!(both.contains(&left));
        assert_eq!(scene.contents().len(), 3, "no draft");
    }
}

#[test]
fn a_closed_stdout_is_no_error() {
    let scene = Scene::new();
    for args in ["sample ramp.png -o -", "sample ramp.png -o - -o p.csv"] {
        let run = scene.shell_run("exec \"$0\" \"$@\" >&-", args);
        run.assert_code(0);
    }
    assert!(!scene.rows("p.csv").is_empty());
    for args in ["--help", "--version", "verify p.csv"] {
        let run = scene.shell_run("exec \"$0\" \"$@\" >&-", args);
        run.assert_code(0);
        let run = scene.shell_run("exec \"$0\" \"$@\" >/dev/full", args);
        run.assert_code(1);
    }
    // All three standard streams are closed.
    let run = scene.shell_run("exec \"$0\" \"$@\" <&- >&- 2>&-", "sample -o q.csv");
    run.assert_code(0);
    assert!(!scene.rows("q.csv").is_empty());
}
