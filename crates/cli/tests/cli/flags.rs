//! Every numeric flag of every subcommand, as listed by `--help`, with every hostile number. Each run
//! succeeds or prints one line, in little memory and time. New flags are found automatically.

#![cfg(target_os = "linux")]

use crate::scene::Scene;
use std::collections::BTreeMap;

const VALUES: [&str; 19] = [
    "0",
    "-0",
    "NaN",
    "inf",
    "-inf",
    "-1",
    "5e-324",
    "1e-310",
    "1e-300",
    "1e300",
    "1.7e308",
    "40",
    "0.5",
    "1",
    "3",
    "4294967296",
    "-9223372036854775808",
    "99999999999999999999",
    "",
];

/// One of these values is valid for most flags.
const ORDINARY: [&str; 4] = ["40", "0.5", "1", "3"];

/// Number of pairs of flags tried for each subject in a full run.
const PAIRS: u32 = 150;

/// A command that flags are added to.
struct Subject {
    /// The subcommand, to precede `--help`.
    name: &'static str,
    /// A run that succeeds, with `{}` in the place of more flags.
    run: &'static str,
    /// The file that the run writes.
    output: &'static str,
}

const SUBJECTS: [Subject; 12] = [
    Subject {
        name: "sample",
        run: "sample {} ramp.png --max-points 200 -o p.csv",
        output: "p.csv",
    },
    Subject {
        name: "sample",
        run: "sample {} --size 64x48 --max-points 200 -o p.csv",
        output: "p.csv",
    },
    Subject {
        name: "sample",
        run: "sample {} --stream ramp.png --verify -o p.csv --summary s.json",
        output: "p.csv",
    },
    Subject {
        name: "verify",
        run: "verify {} --report r.json good.csv ramp.png",
        output: "r.json",
    },
    Subject {
        name: "map perlin",
        run: "map perlin {} --size 64x48 -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map falloff",
        run: "map falloff {} --at 3,3 --size 64x48 -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map dilate",
        run: "map dilate {} ramp.png -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map limit",
        run: "map limit {} ramp.png -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map blur",
        run: "map blur {} ramp.png -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map combine",
        run: "map combine {} ramp.png masked.png --how max -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map show",
        run: "map show {} ramp.png -o m.png",
        output: "m.png",
    },
    Subject {
        name: "map lint",
        run: "map lint {} ramp.png",
        output: "",
    },
];

/// Returns the patterns for values of that form, with one or two numbers; none if the form is not numeric.
fn forms(form: &str) -> &'static [&'static str] {
    match form {
        "DIST" | "N" | "POWER" | "FACTOR" | "PIXELS" | "SLOPE" | "SHARE" | "VALUE" => &["A"],
        "WxH" | "WxH[xD]" => &["AxA", "AxB", "9xA", "Ax9"],
        "[RANK,]ID" => &["A", "A,B", "1,A"],
        "X,Y" | "X,Y[,Z]" => &["A,A", "A,B", "0,A"],
        "X0,Y0,X1,Y1" => &["A,A,B,B", "0,0,A,B", "A,B,9,9"],
        "LO..HI" => &["A..B", "A..A", "0..A", "A..1"],
        "X:Y,.." => &["A:B", "0:0,A:B,1:1", "A:0,B:1"],
        "FILE" | "NAME" | "TURN" | "WHAT" | "WHITE" | "RULE" | "KIND" | "SIDE" | "ALGORITHM"
        | "ALPHA" | "FROM" | "RAMP" | "GROW" | "KEEP" | "HOW" | "WHERE" | "UNITS" => &[],
        other => panic!("say here what numbers <{other}> is made of, or that it is made of none"),
    }
}

/// Returns the flags with values, and the forms of these values.
fn flags(scene: &Scene, subject: &Subject) -> BTreeMap<String, String> {
    let help = scene.succeed(&format!("{} --help", subject.name));
    let help = help.stdout();
    let mut flags = BTreeMap::new();
    for line in help.lines() {
        let Some(at) = line.find("--").filter(|&at| at <= 6) else {
            continue;
        };
        let mut words = line[at..].split_whitespace();
        if let (Some(flag), Some(form)) = (words.next(), words.next())
            && let Some(form) = form.strip_prefix('<').and_then(|f| f.strip_suffix('>'))
        {
            flags.insert(flag.to_owned(), form.to_owned());
        }
    }
    flags
}

/// Returns the arguments that the subject and some flags require, so that the flags can be valid.
fn company(subject: &Subject, flags: &[&str]) -> String {
    let given = |flag| flags.contains(&flag);
    let mut more = String::new();
    let mut add = |wanted: &str| {
        more.push_str(wanted);
        more.push(' ');
    };
    if given("--avoid-dist") {
        add("--avoid good.csv");
    }
    if given("--mask-threshold") || given("--mask-nodata") {
        add("--mask ramp.png");
    }
    // These are lengths in the world, unlike --radius.
    let lengths = ["--reach", "--min-dist", "--max-dist", "--size"];
    let by_reach = lengths.into_iter().any(given);
    match subject.name {
        "sample" => {
            if given("--tries") {
                add("--algorithm bridson");
            }
            if given("--last") && !given("--scale-factor") {
                add("--scale-factor 1.5");
            }
            let on_ground = ["--slope", "--altitude", "--height-range", "--height-nodata"];
            if on_ground.into_iter().any(given) && !given("--height-size") {
                add("--height ramp.png");
                if !given("--height-range") {
                    add("--height-range 0..9");
                }
            }
        }
        "map dilate" if by_reach && !given("--reach") => add("--reach 2"),
        "map dilate" if !by_reach && !given("--radius") => add("--radius 2"),
        "map blur" if !given("--sigma") => add("--sigma 2"),
        _ => {}
    }
    let scaled = match subject.name {
        "map show" | "map lint" | "verify" | "map limit" => true,
        "map dilate" => by_reach,
        _ => false,
    };
    for (flag, wanted) in [
        ("--min-dist", "--min-dist 4"),
        ("--max-dist", "--max-dist 9"),
    ] {
        if scaled && !given(flag) && !given("--density") {
            add(wanted);
        }
    }
    more
}

/// Returns `true` if the run succeeded. Otherwise, asserts that it printed one line and wrote nothing.
fn tried(scene: &Scene, subject: &Subject, given: &[(&str, String)]) -> bool {
    let names: Vec<&str> = given.iter().map(|(flag, _)| *flag).collect();
    let mut line = subject.run.to_owned();
    for (flag, from, to) in [
        ("--max-points", "--max-points 200", ""),
        ("--window", "--max-points 200", ""),
        ("--window", "--verify", ""),
        ("--size", "--size 64x48", ""),
        ("--at", "--at 3,3", ""),
        ("--raw-size", "ramp.png", "ramp.r16"),
        ("--count", "--stream", ""),
        ("--tries", "--stream", ""),
    ] {
        if names.contains(&flag) {
            line = line.replace(from, to);
        }
    }
    let (before, after) = line.split_once("{}").expect("a place");
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let mut args = words(before);
    args.extend(words(&company(subject, &names)));
    for (flag, value) in given {
        args.extend([(*flag).to_owned(), value.clone()]);
    }
    args.extend(words(after));

    if !subject.output.is_empty() {
        scene.write(subject.output, "old");
    }
    let run = scene.limited(300_000, 5, &args);
    let what = format!("{args:?}: {:?}, {}", run.code, run.stderr);
    let lines = run.stderr.lines().filter(|l| !l.starts_with("warning: "));
    // The line of the run, and the line of the verification.
    assert!(
        lines.count() <= 1 + usize::from(run.code == Some(0)),
        "{what}"
    );
    // `verify` writes its report before its verdict.
    let judged = subject.name == "verify" && run.code == Some(1) && !run.stdout.is_empty();
    match run.code {
        _ if judged => assert!(run.stderr.starts_with("error: "), "{what}"),
        Some(0) => {}
        Some(1 | 2) => {
            assert!(run.stderr.starts_with("error: "), "{what}");
            let names = ["--", "ramp.", "good."];
            let named = names.iter().any(|name| run.stderr.contains(name));
            assert!(named, "names no flag and no file: {what}");
        }
        _ => panic!("{what}"),
    }
    if !subject.output.is_empty() {
        let now = scene.read(subject.output);
        assert_eq!(now == b"old", run.code != Some(0) && !judged, "{what}");
    }
    assert_eq!(scene.drafts(), [""; 0], "{what}");
    run.code == Some(0) || judged
}

fn value(form: &str, a: &str, b: &str) -> String {
    form.replace('A', a).replace('B', b)
}

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("ramp.r16", [7, 1].repeat(64 * 48));
    scene.succeed("sample ramp.png -q -o good.csv");
    scene
}

/// Tries every numeric flag of every subject with one in `part` of the values, others for each form. If
/// the flag should have a valid value, tries more values until one is valid. Returns the number of runs.
fn try_each_flag(part: usize) -> usize {
    let scene = scene();
    let (mut runs, mut turn) = (0, 0);
    for subject in &SUBJECTS {
        let flags = flags(&scene, subject);
        assert!(flags.len() >= 4, "{}: {flags:?}", subject.name);
        for (flag, form) in &flags {
            let mut good = 0;
            let mut left = Vec::new();
            let mut attempt = |form: &str, i: usize| {
                let b = VALUES[(i * 7 + 3) % VALUES.len()];
                let given = [(flag.as_str(), value(form, VALUES[i], b))];
                runs += 1;
                u32::from(tried(&scene, subject, &given))
            };
            for form in forms(form) {
                turn += 1;
                for i in 0..VALUES.len() {
                    if (i + turn) % part == 0 {
                        good += attempt(form, i);
                    } else {
                        left.push((form, i));
                    }
                }
            }
            let without_map = !subject.run.contains("ramp.png");
            let of_maps = [
                "--range",
                "--nodata",
                "--max-pixels",
                "--raw-size",
                "--gamma",
                "--curve",
                "--limit",
                "--density",
                "--size",
            ];
            let excused = without_map && of_maps.contains(&flag.as_str());
            let numeric = !forms(form).is_empty();
            // These need a file of exactly that size.
            let raw = flag.ends_with("-size");
            if !numeric || excused || raw {
                continue;
            }
            // Ordinary values first: if none is valid, the fault lies in the flag.
            left.sort_by_key(|&(_, i)| !ORDINARY.contains(&VALUES[i]));
            for (form, i) in left {
                if good > 0 {
                    break;
                }
                good += attempt(form, i);
            }
            assert!(good > 0, "{} {flag}: no value was good", subject.name);
        }
    }
    println!("{runs} runs");
    runs
}

#[test]
fn every_numeric_flag_by_itself() {
    let runs = try_each_flag(VALUES.len());
    assert!(runs > 300, "{runs}");
}

#[test]
#[ignore = "long"]
fn every_numeric_flag_by_itself_in_full() {
    let runs = try_each_flag(1);
    assert!(runs > 1000, "{runs}");
}

#[test]
fn numeric_flags_in_pairs() {
    try_pairs(PAIRS / 6);
}

#[test]
#[ignore = "long"]
fn numeric_flags_in_pairs_in_full() {
    try_pairs(PAIRS);
}

/// Tries `pairs` pairs of numeric flags with each subject.
fn try_pairs(pairs: u32) {
    let scene = scene();
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    let mut good_ones = 0;
    for subject in &SUBJECTS {
        let flags = flags(&scene, subject);
        let numeric: Vec<_> = flags.iter().filter(|(_, f)| !forms(f).is_empty()).collect();
        let mut good = 0;
        for _ in 0..pairs {
            let (first, second) = (below(numeric.len()), below(numeric.len()));
            if first == second {
                continue;
            }
            let given = [first, second].map(|i| {
                let (flag, form) = numeric[i];
                let forms = forms(form);
                let form = forms[below(forms.len())];
                let [a, b] = [0; 2].map(|_| VALUES[below(VALUES.len())]);
                (flag.as_str(), value(form, a, b))
            });
            good += u32::from(tried(&scene, subject, &given));
        }
        println!("{}: {good} of {pairs} pairs are good", subject.name);
        good_ones += good;
    }
    // If no pair is valid, the arguments from `company` may be the cause of every refusal.
    assert!(good_ones > 0, "no pair is good");
}
