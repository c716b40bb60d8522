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
const LONG: &str = "--size 4000x4000 --min-dist 1 --max-dist 2";

/// A run, and its complete outputs in the order in which they are put in place.
struct Case {
    scene: Scene,
    args: String,
    outputs: Vec<(&'static str, Vec<u8>)>,
}

impl Case {
    /// Runs the program once to record its outputs.
    fn new(scene: Scene, args: &str, names: &[&'static str]) -> Self {
        scene.succeed(args);
        let outputs = names.iter().map(|&name| (name, scene.read(name)));
        let outputs = outputs.collect();
        let args = args.to_owned();
        Self {
            scene,
            args,
            outputs,
        }
    }

    /// Puts an old file at every output.
    fn reset(&self) {
        for (name, _) in &self.outputs {
            self.scene.write(name, "old");
        }
    }

    /// Returns the number of new outputs. Asserts that the others are old, and that they were put in place
    /// in order.
    fn replaced(&self) -> usize {
        let is_new = |(name, complete): &(&str, Vec<u8>)| {
            let now = self.scene.read(name);
            assert!(now == b"old" || now == *complete, "{name} is neither");
            now != b"old"
        };
        let are_new: Vec<bool> = self.outputs.iter().map(is_new).collect();
        let count = are_new.iter().filter(|is_new| **is_new).count();
        assert!(are_new[..count].iter().all(|is_new| *is_new), "{are_new:?}");
        count
    }
}

/// Returns runs whose outputs are written by different code: points with a preview, a stream of points, maps,
/// and a report with a picture.
fn cases() -> Vec<Case> {
    let of = |args: &str, names: &[&'static str]| Case::new(Scene::new(), args, names);
    let judged = Scene::new();
    judged.succeed("sample ramp.png --min-dist 2 -q -o points.csv");
    vec![
        of(
            &format!("sample {SHORT} -o p.csv -o q.npy -o r.ply --preview p.png"),
            &["p.csv", "q.npy", "r.ply", "p.png"],
        ),
        of(
            &format!("sample --stream {SHORT} -q -o p.csv -o q.ply"),
            &["p.csv", "q.ply"],
        ),
        of("map perlin --size 300x300 -q -o m.png", &["m.png"]),
        of(
            "map limit ramp.png --min-dist 1 --max-dist 9 -q -o m.tif",
            &["m.tif"],
        ),
        Case::new(
            judged,
            "verify points.csv --report r.json --plot p.png",
            &["r.json", "p.png"],
        ),
    ]
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    // The error of signalling a program that has already ended is ignored.
    let _ = Command::new("kill")
        .args([signal, &id])
        .stderr(Stdio::null())
        .status();
}

/// Returns `true` if programs can be traced here; prints a message otherwise.
fn can_trace() -> bool {
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

/// Makes the n-th `call` of a run fail, for every `step`th n. Returns how many of these runs failed.
fn let_calls_fail(case: &Case, [call, error]: [&str; 2], step: usize) -> usize {
    let mut failures = 0;
    for n in (1..).step_by(step) {
        case.reset();
        let inject = format!("inject={call}:error={error}:when={n}");
        let script =
            format!("exec strace -f -qq -o trace.out -e trace={call} -e {inject} \"$0\" \"$@\"");
        let run = case.scene.shell_run(&script, &case.args);
        let replaced = case.replaced();
        assert_eq!(case.scene.drafts(), [""; 0], "{inject}: {run}");
        match run.code {
            // The final message is a write, too, and a failed fsync of a folder is ignored.
            Some(0) => assert_eq!(replaced, case.outputs.len(), "{inject}: {run}"),
            Some(1) => {
                failures += 1;
                assert!(run.stderr.starts_with("error: "), "{inject}: {run}");
                assert_eq!(run.stderr.lines().count(), 1, "{inject}: {run}");
                // Messages on stdout come after the files.
                let said = run.stderr.starts_with("error: stdout");
                let expected = match call {
                    _ if said => case.outputs.len(),
                    "/rename" => n - 1,
                    _ => 0,
                };
                assert_eq!(replaced, expected, "{inject}: {run}");
            }
            _ => panic!("{inject}: {run}"),
        }
        if !case.scene.text("trace.out").contains("(INJECTED)") {
            break;
        }
    }
    failures
}

/// Makes every `part`th write fail, and calls of other kinds.
fn every_call_may_fail(part: usize) {
    if !can_trace() {
        return;
    }
    let cases = cases();
    for (call, step, least) in [
        (["write", "EIO"], part, 5),
        (["write", "ENOSPC"], 2 * part, 5),
        // One for each output.
        (["fsync", "EIO"], 1, 10),
        (["/rename", "EACCES"], 1, 10),
        (["fchmod", "EPERM"], 1, 10),
        // Only some formats go back to write a count.
        (["lseek", "EIO"], 1, 5),
    ] {
        let failures: Vec<_> = cases
            .iter()
            .map(|case| let_calls_fail(case, call, step))
            .collect();
        println!("{call:?}: {failures:?} failures");
        let each = call[0] == "lseek" || failures.iter().all(|&count| count > 0);
        let enough = each && failures.iter().sum::<usize>() >= least;
        assert!(enough, "{call:?}: {failures:?}");
    }
}

#[test]
fn every_call_that_can_fail_may_fail() {
    every_call_may_fail(4);
}

#[test]
#[ignore = "long"]
fn every_call_that_can_fail_may_fail_in_full() {
    every_call_may_fail(1);
}

/// Disks of every size, from nothing to enough. The first sign of a full disk is a signal.
#[test]
fn a_disk_may_fill_up_anywhere() {
    for case in cases() {
        let mut full = 0;
        for blocks in [0, 8, 60, 100_000] {
            case.reset();
            let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let run = case.scene.shell_run(&script, &case.args);
            assert_eq!(case.scene.drafts(), [""; 0], "{blocks} blocks: {run}");
            if run.code == Some(0) {
                assert_eq!(
                    case.replaced(),
                    case.outputs.len(),
                    "{blocks} blocks: {run}"
                );
            } else {
                run.assert_refused(1, &["File too large"]);
                assert_eq!(case.replaced(), 0, "{blocks} blocks: {run}");
                full += 1;
            }
        }
        assert!((2..4).contains(&full), "{}: {full}", case.args);
    }
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
fn end_at_random_moments(case: &Case, signal: &str, count: usize) -> [usize; 2] {
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
            assert_eq!(replaced, case.outputs.len());
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

/// Ends runs at `moments` random moments by each signal, and at twice as many by kills.
fn outputs_are_old_or_new(moments: usize) {
    let cases = cases();
    let mut sums = [0; 2];
    for (signal, count) in [
        ("-KILL", 2 * moments),
        ("-TERM", moments),
        ("-INT", moments),
    ] {
        if is_ignored_here(signal) {
            continue;
        }
        for case in &cases {
            let [old, new] = end_at_random_moments(case, signal, count);
            sums = [sums[0] + old, sums[1] + new];
        }
    }
    // Some of these runs are short, but overall some moments precede the end and some follow it.
    assert!(sums.iter().all(|&sum| sum > 5), "{sums:?}");
}

#[test]
fn outputs_are_old_or_new_after_a_signal_at_any_moment() {
    outputs_are_old_or_new(4);
}

#[test]
#[ignore = "long"]
fn outputs_are_old_or_new_after_a_signal_at_any_moment_in_full() {
    outputs_are_old_or_new(25);
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

/// A killed run is simply started again: the same flags give the same bytes.
#[test]
fn a_killed_stream_is_started_again() {
    let args = "sample --stream --size 400x400 --min-dist 1 --max-dist 2 -q -o p.csv";
    let case = Case::new(Scene::new(), args, &["p.csv"]);
    case.reset();
    let child = case.scene.command(args).spawn().expect("the program");
    await_draft(&case.scene);
    send("-KILL", &child);
    wait(child);
    assert_eq!(case.replaced(), 0);
    // The draft of the killed run does not disturb the next.
    assert_eq!(case.scene.drafts().len(), 1);
    case.scene.succeed(args);
    assert_eq!(case.replaced(), 1);
}

/// Asserts that a run in a fresh [`scene`] ends as interrupted, with the exit code and message, and without
/// new files.
fn assert_interrupted(scene: &Scene, child: Child, what: &str) {
    let run = wait(child);
    assert_eq!(run.code, Some(130), "{what}: {}", run.stderr);
    assert_eq!(run.stderr, "interrupted: no file was written\n", "{what}");
    let names: Vec<_> = scene.contents().into_keys().collect();
    assert_eq!(names, ["masked.png", "p.csv", "ramp.png"], "{what}");
    assert_eq!(scene.read("p.csv"), b"old", "{what}");
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
            wait(child).assert_code(0);
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
        scene
            .shell_run("exec \"$0\" \"$@\" >&-", args)
            .assert_code(0);
    }
    assert!(!scene.rows("p.csv").is_empty());
    for args in ["--help", "--version", "verify p.csv"] {
        scene
            .shell_run("exec \"$0\" \"$@\" >&-", args)
            .assert_code(0);
        scene
            .shell_run("exec \"$0\" \"$@\" >/dev/full", args)
            .assert_code(1);
    }
    // All three standard streams are closed.
    scene
        .shell_run("exec \"$0\" \"$@\" <&- >&- 2>&-", "sample -o q.csv")
        .assert_code(0);
    assert!(!scene.rows("q.csv").is_empty());
}
