//! File names of every kind, and the environment of the program.

use crate::scene::{Run, Scene, finish};
use std::fs;

fn run(scene: &Scene, args: &[&str]) -> Run {
    finish(scene.command("").args(args))
}

#[test]
fn names_may_have_spaces_and_begin_with_a_dash() {
    let scene = Scene::new();
    let map = scene.read("ramp.png");
    for name in [
        "a map.png",
        "-map.png",
        "--seed",
        " ",
        "ma\u{304}p \u{1f332}.png",
    ] {
        scene.write(name, &map);
        let run = run(&scene, &["sample", "-o", "p.csv", "--", name]);
        run.assert_code(0);
    }
    let masked = run(&scene, &["sample", "--mask", "-map.png", "-o", "m.csv"]);
    masked.assert_code(0);
    let expected = scene.rows("p.csv");
    for (flag, name) in [
        ("-o", "some points.csv"),
        ("-o", "-points.csv"),
        ("-o", "--.csv"),
        ("--output", "-q.csv"),
    ] {
        let run = run(&scene, &["sample", "ramp.png", flag, name]);
        run.assert_code(0);
        assert_eq!(scene.rows(name), expected);
    }
    let all = [
        "sample",
        "ramp.png",
        "--preview",
        "-p.png",
        "--summary",
        "-s.json",
    ];
    let run = run(&scene, &all);
    run.assert_code(0);
    assert!(scene.json("-s.json")["points"].is_u64());
    let judge = [
        "verify",
        "--report",
        "-r.json",
        "--plot",
        "-p p.png",
        "--",
        "-points.csv",
    ];
    let run = finish(scene.command("").args(judge));
    run.assert_code(0);
    assert!(scene.json("-r.json")["points"].is_u64());
}

/// If the name of a file is forgotten, the next flag is not taken as the name.
#[test]
fn a_flag_is_no_file_name() {
    let scene = Scene::new();
    let before = scene.contents();
    for args in [
        "sample ramp.png -o --seed 5",
        "sample ramp.png -o -q",
        "sample ramp.png -o p.csv --summary --quiet",
        "sample ramp.png -o p.csv --preview -o q.csv",
    ] {
        scene.refused(args, 2, &[]);
    }
    assert_eq!(scene.contents(), before);
}

#[test]
fn a_name_that_ends_like_a_folder_is_refused() {
    let scene = Scene::new();
    scene.write("old.csv", "old");
    let before = scene.contents();
    for args in [
        "sample ramp.png -o p.csv/",
        "sample ramp.png -o p.csv//",
        "sample ramp.png -o p.csv/.",
        "sample ramp.png -o old.csv/",
        "sample ramp.png -o old.csv/.",
        "sample ramp.png -o p.csv --preview p.png/",
        "sample ramp.png -o p.csv --summary s.json/.",
    ] {
        scene.refused(args, 1, &["folder"]);
    }
    assert_eq!(scene.contents(), before);
}

/// `verify` must not overwrite its inputs, under any name, or block on a pipe.
#[cfg(unix)]
#[test]
fn a_report_never_replaces_what_was_judged() {
    let scene = Scene::new();
    scene.succeed("sample ramp.png -o p.json");
    fs::hard_link(scene.path("p.json"), scene.path("hard.json")).expect("a link");
    std::os::unix::fs::symlink("p.json", scene.path("soft.json")).expect("a link");
    fs::hard_link(scene.path("ramp.png"), scene.path("map.png")).expect("a link");
    let made = std::process::Command::new("mkfifo")
        .arg(scene.path("pipe.csv"))
        .status();
    assert!(made.expect("mkfifo").success());
    scene.write("r.json", "old");
    let before = scene.contents();
    for (args, code) in [
        ("verify p.json --report p.json", 2),
        ("verify p.json --report hard.json", 2),
        ("verify soft.json --report p.json", 2),
        ("verify p.json --report soft.json", 2),
        ("verify p.json ramp.png --plot map.png", 2),
        ("verify r.json --also p.json --report hard.json", 2),
        ("verify pipe.csv --report r.json", 1),
        ("verify p.json --also pipe.csv --report r.json", 1),
        ("verify p.json --report none/r.json", 1),
    ] {
        scene.refused(args, code, &[]);
        assert_eq!(scene.contents(), before, "{args}");
    }
}

#[test]
fn the_same_bytes_in_every_locale() {
    let scene = Scene::new();
    scene.succeed("sample ramp.png --min-dist 2.5 -o p.csv -o p.svg");
    let read = || ["p.csv", "p.svg"].map(|name| scene.read(name));
    let expected = read();
    for locale in [
        "C",
        "de_DE.UTF-8",
        "tr_TR.UTF-8",
        "ar_EG.UTF-8",
        "nonsense",
        "",
    ] {
        let mut command = scene.command("sample ramp.png --min-dist 2.5 -o p.csv -o p.svg");
        command.env("LC_ALL", locale).env("LANG", locale);
        assert_eq!(finish(&mut command).code, Some(0));
        assert_eq!(read(), expected, "{locale}");
    }
    let mut command = scene.command("sample ramp.png --min-dist 2.5 -o p.csv -o p.svg");
    command
        .env_clear()
        .env("TMPDIR", "/nowhere")
        .env("RUST_BACKTRACE", "full");
    assert_eq!(finish(&mut command).code, Some(0));
    assert_eq!(read(), expected);
    let mut command = scene.command("sample none.png -o p.csv");
    let run = finish(command.env("RUST_BACKTRACE", "full"));
    assert_eq!(run.stderr, "error: none.png: there is no such file\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_gone_is_told() {
    let scene = Scene::new();
    fs::create_dir(scene.path("gone")).expect("a folder");
    let script = format!(
        "rmdir ../gone; exec {} sample -o p.csv",
        crate::scene::program()
    );
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(scene.path("gone"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let run = finish(&mut command);
    run.assert_code(1);
    assert!(run.stderr.starts_with("error: -o p.csv: "), "{run}");
    assert_eq!(run.stderr.lines().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_work_everywhere() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::new();
    let folder = OsStr::from_bytes(b"f\xe9");
    fs::create_dir(scene.path(folder)).expect("a folder");
    let mut command = scene.command("sample ramp.png");
    for (flag, name) in [
        ("-o", &b"f\xe9/p\xff.ply"[..]),
        ("--preview", b"f\xe9/\xff.png"),
        ("--summary", b"f\xe9/\xfe.json"),
    ] {
        command.arg(flag).arg(OsStr::from_bytes(name));
    }
    let run = finish(&mut command);
    run.assert_code(0);
    let made = fs::read_dir(scene.path(folder)).expect("a folder").count();
    assert_eq!(made, 3);
}
