//! Failing commands: one clear line, the right exit code, and no file changed.

use crate::scene::Scene;
use std::fs;
use std::process::Command;

/// A scene in which every output file already exists.
fn scene() -> Scene {
    let scene = Scene::new();
    for name in ["p.csv", "p.png", "s.json"] {
        scene.write(name, "old");
    }
    scene
}

const ALL: &str = "-o p.csv -o new.ply --preview p.png --summary s.json";

#[test]
fn wrong_values_are_usage_errors_that_name_flag_and_value() {
    let scene = scene();
    let cases: &[(&str, &[&str])] = &[
        ("--min-dist 0", &["--min-dist", "'0'"]),
        ("--min-dist -3", &["--min-dist", "'-3'"]),
        ("--min-dist nan", &["--min-dist", "'nan'"]),
        ("--min-dist inf", &["--min-dist", "'inf'"]),
        ("--min-dist -inf", &["--min-dist", "'-inf'"]),
        ("--min-dist 1e999", &["--min-dist", "'1e999'"]),
        ("--min-dist 4,5", &["--min-dist", "4,5", "decimal point"]),
        ("--max-dist 0", &["--max-dist", "'0'"]),
        ("--max-dist NaN", &["--max-dist", "'NaN'"]),
        (
            "--min-dist 5 --max-dist 3",
            &["--min-dist 5", "--max-dist 3"],
        ),
        (
            "--max-dist 3",
            &["--min-dist 4 (the default)", "--max-dist 3"],
        ),
        ("--min-dist 1e300", &["--min-dist 1e300"]),
        ("--min-dist 1e308", &["--min-dist 1e308"]),
        ("--min-dist 1e-12", &["--min-dist 1e-12", "--size"]),
        ("--max-dist 1e30", &["--max-dist 1e30", "--min-dist 4"]),
        ("--size 0x5", &["--size", "'0x5'"]),
        ("--size -5x5", &["--size", "'-5x5'"]),
        ("--size 5", &["--size", "'5'", "512x384"]),
        ("--size infx5", &["--size", "'infx5'"]),
        (
            "--size 1e-300x1e-300 --min-dist 1e-301",
            &["--min-dist 1e-301"],
        ),
        ("--size 1e-310x1", &["--size 1e-310x1"]),
        ("--origin 5", &["--origin", "'5'"]),
        ("--origin nan,0", &["--origin", "'nan,0'"]),
        (
            "--size 5x5 --origin 1e300,0",
            &["--size 5x5", "--origin 1e300,0"],
        ),
        ("--size 1e308x1 --origin 1.7e308,0", &["--size 1e308x1"]),
        ("--tries 0", &["--tries", "'0'"]),
        ("--tries -1", &["--tries", "'-1'"]),
        ("--tries 4294967296", &["--tries", "'4294967296'"]),
        ("--max-points 0", &["--max-points", "'0'"]),
        ("--seed -1", &["--seed", "'-1'"]),
        ("--seed 1.5", &["--seed", "'1.5'"]),
        ("--white black", &["--white", "'black'", "sparse, dense"]),
        ("--rule big", &["--rule", "'big'", "parent"]),
        ("--range 5..2", &["--range", "'5..2'", "--white dense"]),
        ("--range low", &["--range", "'low'", "auto"]),
        ("--raw-size 0x4", &["--raw-size", "'0x4'", "1025x1025"]),
        ("--raw-size 4x4", &["--raw-size 4x4", ".r16", "ramp.png"]),
        ("--threads 0", &["--threads", "'0'"]),
        ("--count 0", &["--count", "'0'"]),
        ("--lod 0", &["--lod", "'0'"]),
        ("--lod 33", &["--lod", "'33'"]),
        (
            "--tries 20",
            &["--tries 20", "scatter", "--algorithm bridson"],
        ),
        ("--rule parent", &["--rule parent", "--algorithm bridson"]),
        (
            "--tile --min-dist 10 --max-dist 30",
            &["--tile", "48", "30"],
        ),
        ("--count 9 --stream", &["--count 9", "--stream"]),
        (
            "--algorithm bridson --tile",
            &["--tile", "--algorithm scatter"],
        ),
        ("--algorithm bridson --lod 2", &["--lod"]),
        ("--algorithm bridson --count 9", &["--count"]),
        ("--algorithm bridson --threads 2", &["--threads"]),
        ("--algorithm bridson --stream", &["--stream"]),
        ("--algorithm magic", &["--algorithm", "'magic'", "bridson"]),
        ("--mindist 4", &["--mindist", "--min-dist"]),
        ("second.png", &["second.png"]),
        ("--min-dist", &["--min-dist"]),
    ];
    for (args, says) in cases {
        scene.refused(&format!("sample ramp.png {ALL} {args}"), 2, says);
    }
    scene.refused(
        &format!("sample {ALL} --channel r"),
        2,
        &["--channel r", "give MAP"],
    );
    scene.refused(
        &format!("sample {ALL} --range auto"),
        2,
        &["--range auto", "give MAP"],
    );
    scene.refused("simple", 2, &["simple", "sample"]);
}

#[test]
fn wrong_outputs_are_refused() {
    let scene = scene();
    fs::create_dir(scene.path("folder.csv")).expect("a folder");
    let known = ".csv .json .ply .svg .npy";
    let cases: &[(&str, i32, &[&str])] = &[
        ("", 2, &["-o points.csv", "-o -"]),
        ("-q", 2, &["-o points.csv"]),
        ("-o p.obj", 2, &["-o p.obj", known]),
        ("-o p", 2, &["-o p", known]),
        ("-o .csv", 2, &["-o .csv", known]),
        ("-o ..", 2, &["-o ..", known]),
        ("-o p.csv.gz", 2, &["-o p.csv.gz", known]),
        ("-o p.png", 2, &["-o p.png", known]),
        ("--preview p.jpg", 2, &["--preview p.jpg", ".png"]),
        ("--summary s.txt", 2, &["--summary s.txt", ".json"]),
        ("-o - -o -", 2, &["-o -", "once"]),
        ("-o new.csv -o new.csv", 2, &["-o new.csv", "same file"]),
        (
            "-o new.csv -o ./new.csv",
            2,
            &["-o ./new.csv", "-o new.csv"],
        ),
        (
            "-o s.json --summary s.json",
            2,
            &["--summary s.json", "-o s.json"],
        ),
        ("--preview ramp.png", 2, &["--preview ramp.png", "map"]),
        (
            "-o p.csv -o none/new.csv",
            1,
            &["-o none/new.csv", "does not exist"],
        ),
        ("-o p.csv -o ramp.png/new.csv", 1, &["-o ramp.png/new.csv"]),
        ("-o p.csv -o folder.csv", 1, &["-o folder.csv", "folder"]),
    ];
    for (args, code, says) in cases {
        scene.refused(&format!("sample ramp.png {args}"), *code, says);
    }
}

#[test]
fn wrong_maps_are_refused() {
    let scene = scene();
    fs::create_dir(scene.path("folder")).expect("a folder");
    scene.write("text.png", "a letter, not a picture\n");
    scene.write("empty.png", "");
    let whole = scene.read("ramp.png");
    scene.write("cut.png", &whole[..whole.len() / 2]);
    let cases: &[(&str, &[&str])] = &[
        ("none.png", &["none.png", "no such file"]),
        ("none/none.png", &["none/none.png"]),
        ("text.png/map.png", &["text.png/map.png"]),
        ("folder", &["folder", "this is a folder"]),
        ("text.png", &["text.png", "a text file"]),
        ("empty.png", &["empty.png", "empty"]),
        ("cut.png", &["cut.png"]),
        ("ramp.png --channel a", &["ramp.png", "alpha"]),
        ("ramp.png --channel h", &["ramp.png", "\"h\"", "one band"]),
    ];
    for (map, says) in cases {
        scene.refused(&format!("sample {map} {ALL}"), 1, says);
    }
}

#[cfg(unix)]
#[test]
fn links_cannot_hide_that_files_are_the_same() {
    use std::os::unix::fs::symlink;
    let scene = scene();
    symlink("ramp.png", scene.path("soft.png")).expect("a link");
    fs::hard_link(scene.path("ramp.png"), scene.path("hard.png")).expect("a link");
    symlink("p.csv", scene.path("also.csv")).expect("a link");
    symlink(".", scene.path("here")).expect("a link");
    symlink("nowhere.csv", scene.path("dangling.csv")).expect("a link");
    let cases: &[(&str, i32, &[&str])] = &[
        (
            "ramp.png --preview soft.png",
            2,
            &["--preview soft.png", "map"],
        ),
        (
            "ramp.png --preview hard.png",
            2,
            &["--preview hard.png", "map"],
        ),
        (
            "soft.png --preview ramp.png",
            2,
            &["--preview ramp.png", "map"],
        ),
        (
            "ramp.png -o p.csv -o also.csv",
            2,
            &["-o also.csv", "-o p.csv"],
        ),
        (
            "ramp.png -o new.csv -o here/new.csv",
            2,
            &["-o here/new.csv"],
        ),
        ("ramp.png -o dangling.csv", 1, &["-o dangling.csv", "link"]),
    ];
    for (args, code, says) in cases {
        scene.refused(&format!("sample {args}"), *code, says);
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_and_never_waited_for() {
    let scene = scene();
    let made = Command::new("mkfifo").arg(scene.path("pipe.png")).status();
    assert!(made.expect("mkfifo").success());
    let made = Command::new("mkfifo").arg(scene.path("pipe.csv")).status();
    assert!(made.expect("mkfifo").success());
    let cases = [
        (format!("pipe.png {ALL}"), "pipe.png: this is not a regular"),
        (
            format!("/dev/zero {ALL}"),
            "/dev/zero: this is not a regular",
        ),
        (
            "ramp.png -o pipe.csv".into(),
            "-o pipe.csv: this is not a regular",
        ),
    ];
    for (args, says) in cases {
        scene.refused(&format!("sample {args}"), 1, &[says]);
    }
}

#[test]
fn what_is_read_only_stays() {
    let scene = scene();
    let mut permissions = fs::metadata(scene.path("p.csv"))
        .expect("there")
        .permissions();
    permissions.set_readonly(true);
    fs::set_permissions(scene.path("p.csv"), permissions).expect("set");
    scene.refused(
        &format!("sample ramp.png {ALL}"),
        1,
        &["-o p.csv", "read-only"],
    );
}

/// Nobody can create files there, not even the superuser, as whom tests often run.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_found_out_beforehand() {
    let scene = scene();
    let args = format!("sample ramp.png {ALL} -o /proc/points.csv");
    scene.refused(&args, 1, &["-o /proc/points.csv", "folder"]);
}

/// A PLY file with one long word once printed all of it.
#[test]
fn long_words_of_files_are_cut() {
    let scene = scene();
    let header = format!("ply\nformat {}\n", "z".repeat(1_000_000));
    scene.write("long.ply", header);
    let run = scene.end("verify long.ply --min-dist 1", 1);
    assert!(run.stderr.starts_with("error: long.ply: "));
    assert!(run.stderr.ends_with("zzz ..\n") && run.stderr.len() < 11_000);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_stay_on_one_line() {
    use crate::scene::finish;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scene = scene();
    for name in [&b"two\nlines\x1b[2J.png"[..], b"no\xfftext.png"] {
        let before = scene.contents();
        let mut command = scene.command(&format!("sample {ALL}"));
        finish(command.arg(OsStr::from_bytes(name))).assert_refused(1, &["no such file"]);
        assert!(scene.contents() == before, "{name:?}");
    }
}
