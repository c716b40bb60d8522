//! Runs every former failure and every seed, with any compiler.

use spinney_fuzz::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn seeds_and_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, run) in TARGETS {
        let mut count = 0;
        for kind in ["seeds", "found"] {
            let Ok(entries) = fs::read_dir(root.join(kind).join(name)) else {
                continue;
            };
            for entry in entries {
                let path = entry.expect("an entry").path();
                println!("{name}: {}", path.display());
                run(&fs::read(&path).expect("a file"));
                count += 1;
            }
        }
        assert!(count > 0, "{name} has no seeds");
        run(&[]);
    }
}
