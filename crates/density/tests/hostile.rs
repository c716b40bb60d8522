//! Decoding of files made to break decoders, where the shared collection of them is there.
#![cfg(feature = "image")]

use density::{Channel, DecodeError, DecodeLimits, GreyMap, decode};
use spinney_density as density;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Result<GreyMap, DecodeError> {
    let bytes = fs::read(path).expect("a readable file");
    decode(&bytes, Channel::Luma, DecodeLimits::default())
}

/// The collection's folder of that name, or `None`, which is said.
fn folder(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/hostile");
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no {}", folder.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

#[test]
fn nothing_panics() {
    let Some(root) = folder("") else { return };
    let mut count = 0;
    for folder in files(&root).iter().filter(|path| path.is_dir()) {
        for path in files(folder) {
            let result = read(&path);
            count += 1;
            let name = path.strip_prefix(&root).expect("below the root").display();
            match result {
                Ok(map) => println!("{name}: {}x{} {}", map.width(), map.height(), map.depth()),
                Err(error) => println!("{name}: {error}"),
            }
        }
    }
    assert!(count >= 370, "only {count} files");
}
