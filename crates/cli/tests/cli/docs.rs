//! Runs every command in the documentation as it is printed there, and finds every flag and warning in it.

use crate::scene::Scene;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the program's arguments in the `sh` blocks of a page, in order.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in page.lines() {
        if let Some(language) = line.trim().strip_prefix("```") {
            inside = !inside && language == "sh";
            continue;
        }
        let line = line.trim();
        let args = line
            .strip_prefix("spinney ")
            .or_else(|| line.strip_prefix("cargo run --release -- "));
        if let (true, Some(args)) = (inside, args) {
            let plain = !args.contains(['\\', '\'', '"', '|', '>', '$', '*', '#']);
            assert!(plain, "no shell reads this here: {line}");
            commands.push(args.to_owned());
        }
    }
    commands
}

#[test]
fn every_documented_command_works() {
    for (page, least) in [("README.md", 1), ("docs/artists.md", 8), ("docs/gis.md", 1)] {
        let text = fs::read_to_string(repository().join(page)).expect(page);
        let commands = commands(&text);
        assert!(commands.len() >= least, "{page}: {commands:?}");
        let scene = Scene::new();
        fs::create_dir(scene.path("maps")).expect("a folder");
        for map in fs::read_dir(repository().join("maps")).expect("maps") {
            let map = map.expect("a map");
            fs::copy(map.path(), scene.path("maps").join(map.file_name())).expect("copied");
        }
        for command in commands {
            scene.end(&command, 0);
        }
    }
}

#[test]
fn only_shell_blocks_are_commands() {
    let page = "```sh\nspinney a b\ncargo test\ncargo run --release -- c\n```\nspinney no\n\
                ```text\nspinney no\n```\n```sh\nspinney d\n```\n";
    assert_eq!(commands(page), ["a b", "c", "d"]);
}

/// Returns the flags that a text names, like `--min-dist`.
fn flags(text: &str) -> impl Iterator<Item = &str> {
    let flags = text.match_indices("--").map(|(start, _)| {
        let rest = &text[start..];
        let end = rest.find(|c: char| c != '-' && !c.is_ascii_alphanumeric());
        &rest[..end.unwrap_or(rest.len())]
    });
    flags.filter(|flag| flag[2..].starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Returns the texts of the source files in a folder.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let texts = paths.flat_map(|path| {
        if path.is_dir() {
            return sources(&path);
        }
        let text = fs::read_to_string(&path).expect("a source");
        vec![(path, text)]
    });
    texts.collect()
}

/// Every flag of every subcommand stands in flags.md, every flag that messages name exists, and every kind of warning
/// stands in files.md.
#[test]
fn pages_and_messages_name_flags_and_warnings() {
    let scene = Scene::new();
    let page = |path: &str| fs::read_to_string(repository().join(path)).expect("a page");
    let listed = page("docs/flags.md");
    let maps = [
        "perlin", "falloff", "dilate", "limit", "blur", "combine", "show", "lint",
    ];
    let maps = maps.map(|name| format!("map {name}"));
    let mut known = 0;
    // The first is Cargo's, in the refusal of Parquet.
    let mut existing = BTreeSet::from(["--features", "--help", "--version"].map(str::to_owned));
    for command in ["sample", "verify", "studio"]
        .into_iter()
        .chain(maps.iter().map(|m| &**m))
    {
        let help = scene.succeed(&format!("{command} --help")).stdout;
        let help = String::from_utf8(help).expect("text");
        for line in help
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with('-'))
        {
            let end = |c: char| c != '-' && !c.is_ascii_alphanumeric();
            let flag = line.split(end).next().unwrap_or_default();
            // Other lines are values of a flag.
            if ["-", "-h", "-V"].contains(&flag) {
                continue;
            }
            let is_named =
                listed.contains(&format!("{flag}`")) || listed.contains(&format!("{flag} "));
            assert!(is_named, "{command} {flag}");
            existing.extend(flags(line).map(str::to_owned));
            known += 1;
        }
    }
    assert!(known > 150, "{known}");
    for (path, text) in sources(&repository().join("crates/cli/src")) {
        let unknown = flags(&text).find(|&flag| !existing.contains(flag));
        assert_eq!(unknown, None, "{}", path.display());
    }
    let warnings = page("docs/files.md");
    let source = page("crates/density/src/diagnostic.rs");
    let kinds = source.lines().filter_map(|line| {
        let (variant, kind) = line.trim().split_once(" => \"")?;
        variant
            .starts_with("Self::")
            .then(|| kind.trim_end_matches("\","))
    });
    let kinds: Vec<&str> = kinds.collect();
    assert!(kinds.len() > 50, "{kinds:?}");
    for kind in kinds {
        assert!(warnings.contains(&format!("`{kind}`")), "{kind}");
    }
}
