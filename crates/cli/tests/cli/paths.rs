//! File names of every kind, and the environment of the program.

use crate::scene::{Scene, finish};
use std::ffi::OsStr;
use std::fs;

/// Runs the program with these arguments, which may have spaces, and asserts success.
fn succeed<A: AsRef<OsStr>>(scene: &Scene, args: &[A]) {
    finish(scene.command("").args(args)).assert_code(0);
}

#[test]
fn names_may_have_spaces_and_begin_with_a_dash() {
    let scene = Scene::new();
    let map = scene.read("ramp.png");
    for name in [
        "a map.png",
        "-map.png",
        "--seed",
        // Windows has no such name.
        if cfg!(windows) { "--" } else { " " },
        "ma\u{304}p \u{1f332}.png",
    ] {
        scene.write(name, &map);
        succeed(&scene, &["sample", "-o", "p.csv", "--", name]);
    }
    succeed(&scene, &["sample", "--mask", "-map.png", "-o", "m.csv"]);
    let expected = scene.rows("p.csv");
    for (flag, name) in [
        ("-o", "some points.csv"),
        ("-o", "-points.csv"),
        ("-o", "--.csv"),
        ("--output", "-q.csv"),
    ] {
        succeed(&scene, &["sample", "ramp.png", flag, name]);
        assert_eq!(scene.rows(name), expected);
    }
    let outputs = ["--preview", "-p.png", "--summary", "-s.json"];
    succeed(&scene, &[&["sample", "ramp.png"], &outputs[..]].concat());
    assert!(scene.json("-s.json")["points"].is_u64());
    let outputs = ["--report", "-r.json", "--plot", "-p p.png"];
    succeed(
        &scene,
        &[&["verify"], &outputs[..], &["--", "-points.csv"]].concat(),
    );
    assert!(scene.json("-r.json")["points"].is_u64());
    succeed(
        &scene,
        &["map", "blur", "a map.png", "--sigma", "2", "-o", "-m.png"],
    );
    succeed(&scene, &["map", "lint", "--min-dist", "4", "--", "-m.png"]);
}

/// Bytes that are no UTF-8 in every name of every kind of command.
#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let scene = Scene::new();
    let name = OsStr::from_bytes;
    fs::create_dir(scene.path(name(b"f\xe9"))).expect("a folder");
    fs::rename(scene.path("ramp.png"), scene.path(name(b"r\xffamp.png"))).expect("renamed");
    let runs: [&[&[u8]]; 4] = [
        &[
            b"map",
            b"blur",
            b"r\xffamp.png",
            b"--sigma",
            b"2",
            b"-o",
            b"f\xe9/m\xff.png",
        ],
        &[b"map", b"lint", b"f\xe9/m\xff.png", b"--min-dist", b"4"],
        &[
            b"sample",
            b"f\xe9/m\xff.png",
            b"-o",
            b"f\xe9/p\xfe.csv",
            b"--preview",
            b"f\xe9/\xff.png",
            b"--summary",
            b"s.json",
        ],
        &[
            b"verify",
            b"f\xe9/p\xfe.csv",
            b"f\xe9/m\xff.png",
            b"--min-dist",
            b"4",
            b"--report",
            b"f\xe9/\xfd.json",
        ],
    ];
    for args in runs {
        let args: Vec<_> = args.iter().map(|arg| name(arg)).collect();
        succeed(&scene, &args);
    }
    let made = fs::read_dir(scene.path(name(b"f\xe9"))).expect("a folder");
    assert_eq!(made.count(), 4);
    assert_eq!(
        scene.json("s.json")["map"]["file"],
        "f\u{fffd}/m\u{fffd}.png"
    );
}

/// If the name of a file is forgotten, the next flag is not taken as the name.
#[test]
fn a_flag_is_no_file_name() {
    let scene = Scene::new();
    for args in [
        "sample ramp.png -o --seed 5",
        "sample ramp.png -o -q",
        "sample ramp.png -o p.csv --summary --quiet",
        "sample ramp.png -o p.csv --preview -o q.csv",
    ] {
        scene.refused(args, 2, &[]);
    }
}

#[test]
fn a_name_that_ends_like_a_folder_is_refused() {
    let scene = Scene::new();
    scene.write("old.csv", "old");
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
    }
}

#[cfg(unix)]
#[test]
fn a_map_never_replaces_what_it_is_made_of() {
    let scene = Scene::new();
    fs::hard_link(scene.path("ramp.png"), scene.path("hard.png")).expect("a link");
    std::os::unix::fs::symlink("ramp.png", scene.path("soft.png")).expect("a link");
    std::os::unix::fs::symlink("nowhere", scene.path("loose.png")).expect("a link");
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
    }
    for output in ["loose.png", "none/m.png", "m.png/"] {
        scene.refused(&format!("map perlin --size 9x9 -o {output}"), 1, &[]);
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
        finish(&mut command).assert_code(0);
        assert_eq!(read(), expected, "{locale}");
    }
    let mut command = scene.command("sample ramp.png --min-dist 2.5 -o p.csv -o p.svg");
    command
        .env_clear()
        .env("TMPDIR", "/nowhere")
        .env("RUST_BACKTRACE", "full");
    finish(&mut command).assert_code(0);
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
    finish(&mut command).assert_refused(1, &["error: -o p.csv: "]);
}
