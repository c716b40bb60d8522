//! Runs every example with the given arguments, one after the other, except `make_maps`. `cargo run
//! --release -p spinney-examples -- examples/pictures` redraws all pictures.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

fn main() -> Result<()> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")))? {
        let file = entry?.file_name();
        names.extend(
            file.to_str()
                .and_then(|file| file.strip_suffix(".rs"))
                .map(str::to_owned),
        );
    }
    names.retain(|name| name != "make_maps");
    names.sort();
    ensure!(!names.is_empty(), "the sources of the examples are gone");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for name in names {
        println!("--- {name}");
        let status = Command::new(&cargo)
            .args([
                "run",
                "--quiet",
                "--release",
                "-p",
                "spinney-examples",
                "--example",
                &name,
            ])
            .arg("--")
            .args(std::env::args_os().skip(1))
            .status()
            .context("cannot run cargo")?;
        ensure!(status.success(), "the example {name} failed");
    }
    Ok(())
}
