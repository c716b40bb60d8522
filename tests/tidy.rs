//! Checks the project's own rules, as far as a program can.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("cargo speaks UTF-8")
}

fn metadata(arguments: &[&str]) -> Value {
    let arguments = [
        &["metadata", "--format-version", "1", "--offline"],
        arguments,
    ]
    .concat();
    serde_json::from_str(&cargo(&arguments)).expect("cargo speaks JSON")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Cargo dependencies run one way, including those of tests and build scripts.
#[test]
fn dependencies_run_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("spinney-density", &[][..]),
        ("spinney-sampler", &["spinney-density"][..]),
        (
            "spinney-export",
            &["spinney-density", "spinney-sampler"][..],
        ),
        (
            "spinney-quality",
            &["spinney-density", "spinney-sampler"][..],
        ),
        (
            "spinney",
            &[
                "spinney-density",
                "spinney-sampler",
                "spinney-export",
                "spinney-quality",
                "spinney-studio",
            ][..],
        ),
        (
            "spinney-python",
            &[
                "spinney-density",
                "spinney-sampler",
                "spinney-export",
                "spinney-quality",
            ][..],
        ),
        (
            "spinney-studio",
            &[
                "spinney-density",
                "spinney-sampler",
                "spinney-export",
                "spinney-quality",
            ][..],
        ),
        (
            "spinney-bench",
            // The comparison is judged by the same code as all other points.
            &["spinney-density", "spinney-sampler", "spinney-quality"][..],
        ),
        (
            "spinney-examples",
            &["spinney-density", "spinney-sampler", "spinney-export"][..],
        ),
        (
            "spinney-tests",
            &[
                "spinney-density",
                "spinney-sampler",
                "spinney-export",
                "spinney-quality",
            ][..],
        ),
    ]);
    let metadata = metadata(&["--no-deps"]);
    let packages = list(&metadata["packages"]);
    assert_eq!(packages.len(), allowed.len(), "a crate without a place");
    for package in packages {
        let name = text(package, "name");
        let allowed = allowed
            .get(name)
            .unwrap_or_else(|| panic!("no place for {name}"));
        for dependency in list(&package["dependencies"]) {
            let dependency = text(dependency, "name");
            assert!(
                !dependency.starts_with("spinney") || allowed.contains(&dependency),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

/// Returns the names of all packages in a tree of dependencies.
fn tree(arguments: &[&str]) -> BTreeSet<String> {
    let tree = ["tree", "--offline", "--prefix", "none"];
    cargo(&[&tree, arguments].concat())
        .lines()
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect()
}

/// The Rust toolchain builds everything: no dependency compiles C.
#[test]
fn no_dependency_compiles_c() {
    const COMPILERS: [&str; 2] = ["cc", "cmake"];
    let built = tree(&["--workspace", "--edges", "normal,build,dev"]);
    assert!(built.len() > 100, "{built:?}");
    for name in COMPILERS {
        assert!(!built.contains(name), "the workspace builds {name}");
    }
    // The lock file also has the packages of other features and platforms.
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let compiles = |package: &&str| {
        let names = COMPILERS.map(|name| [format!("\n \"{name}\""), format!("\n \"{name} ")]);
        names
            .as_flattened()
            .iter()
            .any(|name| package.contains(name))
    };
    let users = lock.split("[[package]]").filter(compiles);
    let users: Vec<&str> = users
        .filter_map(|package| package.split('"').nth(1))
        .collect();
    // The first is of the benchmark's peers, the second for the system Haiku.
    assert_eq!(users, ["generator", "iana-time-zone-haiku"]);
}

/// A world generator that uses the sampler alone needs no image decoder and no reader of drawings.
#[test]
fn the_sampler_pulls_in_no_pixels() {
    let tree = |package| tree(&["--edges", "normal", "--package", package]);
    let pixels = ["image", "png", "zune-jpeg", "tiff", "exr", "csv", "clap"];
    let outlines = ["geojson", "serde_json", "roxmltree", "svgtypes", "kurbo"];
    let sampler = tree("spinney-sampler");
    assert!(sampler.contains("spinney-density"), "{sampler:?}");
    for name in pixels.iter().chain(&outlines) {
        assert!(!sampler.contains(*name), "spinney-sampler pulls in {name}");
    }
    for name in ["image", "geojson", "roxmltree"] {
        assert!(tree("spinney").contains(name), "or this test sees nothing");
    }
}

/// The shipped crates build with the stated Rust version.
#[test]
fn no_dependency_asks_for_a_newer_rust() {
    // Compares minor releases: "1.88" and "1.88.0" are the same.
    let version = |v: &str| -> Vec<u64> {
        let numbers = v.split('.').filter_map(|n| n.parse().ok());
        numbers.take(2).collect()
    };
    let rustc = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = rustc
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host");
    let metadata = metadata(&["--filter-platform", host]);
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .iter()
        .map(|p| (text(p, "id"), p))
        .collect();
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|n| (text(n, "id"), n))
        .collect();
    let start = packages
        .values()
        .find(|p| text(p, "name") == "spinney")
        .expect("the command line is a package");
    let ours = version(text(start, "rust_version"));
    assert!(!ours.is_empty(), "rust-version is stated");
    let mut todo = vec![text(start, "id")];
    let mut seen = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        let package = packages[id];
        let theirs = version(text(package, "rust_version"));
        assert!(
            theirs <= ours,
            "{id} asks for Rust {theirs:?}, we state {ours:?}"
        );
        for dependency in list(&nodes[id]["deps"]) {
            if list(&dependency["dep_kinds"])
                .iter()
                .any(|k| k["kind"] != "dev")
            {
                todo.push(text(dependency, "pkg"));
            }
        }
    }
    assert!(seen.len() > 20, "the walk saw only {}", seen.len());
}

/// Returns every text file of the project, with its path from the top.
fn sources(extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut todo = vec![root()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with("target") && name != ".git" {
                    todo.push(path);
                }
            } else if extensions.iter().any(|e| format!("/{name}").ends_with(e)) {
                let relative = path.strip_prefix(root()).unwrap_or(&path);
                let text = std::fs::read_to_string(&path).expect("UTF-8");
                found.push((relative.display().to_string(), text));
            }
        }
    }
    assert!(found.len() > 5, "the walk saw only {}", found.len());
    found
}

/// Returns the modules under a root that a source names, by module or by a name that the root exports.
/// With root `crate::`, examples are `crate::field` and `crate::{Field, map::{self}}`.
fn named<'a>(text: &str, root: &str, modules: &BTreeMap<&str, &'a str>) -> BTreeSet<&'a str> {
    // Imports of tests and links in comments do not count.
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    let code: Vec<&str> = code.collect();
    let mut found = BTreeSet::new();
    for rest in code.join("\n").split(root).skip(1) {
        let mut depth = 0;
        let mut word = String::new();
        for c in rest.chars() {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            let is_path = c == ':';
            if depth <= 1
                && let Some(module) = modules.get(word.as_str())
            {
                found.insert(*module);
            }
            word.clear();
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                break;
            }
            if is_path && depth == 1 {
                // Names that follow belong to that module.
                word.push(c);
            }
        }
    }
    found
}

/// Returns the names that a crate's root exports, each with its module, as in `pub use map::{Map,
/// open};`.
fn exported(root: &str) -> impl Iterator<Item = (&str, &str)> {
    let uses = root.split("pub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split(';').next()?.split_once("::"));
    uses.flat_map(|(module, names)| {
        let names = names.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        names
            .filter(|name| !name.is_empty())
            .map(move |name| (name, module))
    })
}

/// Returns the modules that each module of a folder imports, from `crate::` of a crate or `super::` of a
/// module. Fails if there is a cycle.
fn imports(folder: &str, root: &str) -> BTreeMap<String, BTreeSet<String>> {
    let all = sources(&[".rs"]);
    let all: Vec<(&str, &str)> = all
        .iter()
        .filter_map(|(path, text)| {
            let path = path.strip_prefix(folder)?;
            let module = path.split('/').next()?;
            Some((module.strip_suffix(".rs").unwrap_or(module), &**text))
        })
        .collect();
    let is_root = |module: &str| matches!(module, "main" | "lib" | "mod");
    let own = all.iter().filter(|(module, _)| !is_root(module));
    let modules: BTreeSet<&str> = own.map(|(module, _)| *module).collect();
    let roots = all.iter().filter(|(module, _)| is_root(module));
    let names = roots.flat_map(|(_, text)| exported(text));
    let names = names.filter(|(_, module)| modules.contains(module));
    let names: BTreeMap<&str, &str> = names.chain(modules.iter().map(|m| (*m, *m))).collect();
    let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, text) in all.iter().filter(|(module, _)| !is_root(module)) {
        let mut named = named(text, root, &names);
        named.remove(module);
        below.entry(module).or_default().extend(named);
    }
    // Removes modules without remaining imports until none is left, or only cycles are.
    let mut left = below.clone();
    while !left.is_empty() {
        let names: BTreeSet<&str> = left.keys().copied().collect();
        left.retain(|_, named| !named.is_disjoint(&names));
        assert!(
            left.len() < names.len(),
            "these of {folder} go round: {left:?}"
        );
    }
    let owned = |named: BTreeSet<&str>| named.into_iter().map(str::to_owned).collect();
    let below = below.into_iter();
    below
        .map(|(m, named)| (m.to_owned(), owned(named)))
        .collect()
}

/// Modules of the command line import one way: flags, numbers and failures, then inputs, the plan, the
/// run, the report. Modules of every other crate also import one way.
#[test]
fn modules_import_one_way() {
    for (folder, root, least, [above, below]) in [
        ("crates/cli/src/", "crate::", 100, ["plan", "layers"]),
        (
            "crates/density/src/",
            "crate::",
            80,
            ["radius_map", "pixel_grid"],
        ),
        ("crates/bench/src/", "crate::", 30, ["table", "timing"]),
        ("crates/export/src/", "crate::", 50, ["column", "header"]),
        ("crates/python/src/", "crate::", 30, ["engine", "refused"]),
        ("crates/quality/src/", "crate::", 50, ["layers", "claim"]),
        ("crates/sampler/src/", "crate::", 40, ["scatter", "packing"]),
        ("crates/studio/src/", "crate::", 30, ["session", "command"]),
        (
            "crates/sampler/src/scatter/",
            "super::",
            80,
            ["evaluator", "leaf"],
        ),
    ] {
        let imports = imports(folder, root);
        let count = imports.values().map(BTreeSet::len).sum::<usize>();
        assert!(count > least, "the walk saw only {count} in {folder}");
        assert!(imports[above].contains(below), "{above} of {folder}");
    }
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    for (path, text) in sources(&["Cargo.toml"]) {
        let is_root = text.contains("[workspace.lints.rust]");
        assert!(
            is_root || text.contains("[lints]\nworkspace = true"),
            "{path} sets no lints"
        );
        assert!(!is_root || text.contains("unsafe_code = \"deny\""));
    }
    for (path, text) in sources(&[".rs"]) {
        let allowed = ["allow", "(unsafe_code)"].concat();
        assert!(!text.contains(&allowed), "{path} allows unsafe code");
    }
}

/// ARCHITECTURE.md names files that exist.
#[test]
fn the_architecture_names_files() {
    let kinds = [".rs", ".py", ".pyi", ".html", ".js", ".md"];
    let paths = sources(&kinds)
        .into_iter()
        .map(|(path, _)| format!("/{path}"));
    let paths: Vec<String> = paths.collect();
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let is_file = |word: &&str| kinds.iter().any(|kind| word.ends_with(kind));
    let files: Vec<&str> = text.split('`').filter(is_file).collect();
    assert!(files.len() > 60, "{files:?}");
    for file in files {
        let end = format!("/{file}");
        assert!(paths.iter().any(|path| path.ends_with(&end)), "no {file}");
    }
}

/// A crate's root has few enough names to be read in one look.
#[test]
fn roots_have_few_names() {
    for (name, most) in [
        ("density", 45),
        ("sampler", 25),
        ("export", 25),
        ("quality", 20),
    ] {
        let path = root().join("crates").join(name).join("src/lib.rs");
        let text = std::fs::read_to_string(path).expect("a crate");
        let public: Vec<&str> = text.split("\npub ").skip(1).collect();
        let count: usize = public
            .iter()
            .map(|item| item.split(';').next().unwrap_or_default())
            .map(|item| 1 + item.trim_end_matches(",\n}").matches(',').count())
            .sum();
        assert!(count > most / 2, "{name}: only {count} names were found");
        assert!(count <= most, "{name} has {count} names, more than {most}");
    }
}

/// No file names a machine, a registry's host, or outside helpers.
#[test]
fn names_no_place_of_its_making() {
    let forbidden = [
        ["/wo", "rk/"],
        ["crates", ".io/"],
        ["pypi", ".org"],
        ["npmjs", ".com"],
    ];
    let written = [
        ".rs",
        ".toml",
        ".md",
        ".py",
        ".mjs",
        ".txt",
        ".sh",
        "/run",
        "/determinism",
    ];
    for (path, text) in sources(&written) {
        for word in forbidden.map(|halves| halves.concat()) {
            assert!(!text.contains(&word), "{path} names {word}");
        }
    }
}

/// A comment is read by itself: it names its subject, and does not lean on the comment before it.
#[test]
fn comments_name_their_subject() {
    let openers = [
        "What ",
        "Who ",
        "Whoever ",
        "Whose ",
        "Of ",
        "Amid ",
        "Nor ",
        "The same ",
        "As above",
    ];
    for (path, text) in sources(&[".rs"]) {
        let mut in_comment = false;
        for line in text.lines() {
            let line = line.trim_start();
            let comment = line
                .strip_prefix("//")
                .map(|rest| rest.trim_start_matches(['/', '!', ' ']));
            let begins = comment.filter(|_| !in_comment);
            let opener =
                begins.and_then(|comment| openers.iter().find(|o| comment.starts_with(*o)));
            assert_eq!(opener, None, "{path}: {line}");
            in_comment = comment.is_some();
        }
    }
}

/// Only arithmetic that is the same on every machine decides points.
#[test]
fn no_function_differs_between_platforms() {
    let platform = [
        ".sin(",
        ".cos(",
        ".tan(",
        ".exp(",
        ".ln(",
        ".log2(",
        ".log10(",
        ".powf(",
        ".powi(",
        ".hypot(",
        ".atan2(",
        ".mul_add(",
        ".sin_cos(",
        ".cbrt(",
        "HashMap",
        "HashSet",
    ];
    for (path, text) in sources(&[".rs"]) {
        let decides =
            path.starts_with("crates/density/src") || path.starts_with("crates/sampler/src");
        if !decides {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        for line in code {
            for word in platform {
                assert!(!line.contains(word), "{path} uses {word}: {line}");
            }
        }
    }
}
