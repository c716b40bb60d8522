//! Draws the project's own maps in the folder `maps/`.
//!
//! `cargo run --release -p spinney-examples --example make_maps -- maps`

use anyhow::Result;
use spinney_examples::{Run, drawn_maps};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    for map in drawn_maps()? {
        let path = run.path(map.name);
        map.write(&path)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}
