//! A small version of the README's preview: the points of its first command over the meadow map.

use anyhow::Result;
use density::{DistRange, MapOptions, RadiusMap};
use export::{Preview, PreviewOptions};
use sampler::{Scatter, ScatterOptions};
use spinney_examples::{Run, load_map};

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let range = DistRange::new(4.0, 24.0)?;
    let field = RadiusMap::new(load_map("meadow.png")?, range, MapOptions::default())?;
    let options = PreviewOptions {
        max_side: run.length(560.0) as u32,
        ..PreviewOptions::default()
    };
    let mut preview = Preview::new(&field, field.bounds(), options)?;
    let wood = Scatter::new(&field, field.bounds(), ScatterOptions::default())?;
    for point in &wood.points()?.samples {
        preview.dot(point);
    }
    let path = run.path("preview.png");
    preview.write_png(std::fs::File::create(&path)?)?;
    println!("wrote {}", path.display());
    Ok(())
}
