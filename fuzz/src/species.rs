//! The target for species files. The program is not a library, so its source files are included.

#[allow(
    dead_code,
    reason = "what the program does with it is not all done here"
)]
#[path = "../../crates/cli/src/species/file.rs"]
mod file;
#[allow(dead_code, reason = "as above")]
#[path = "../../crates/cli/src/species/text.rs"]
mod text;

use density::{DistRange, Perlin, White};
use file::{LayerTable, Pair, Tables};
use sampler::Apart;
use std::collections::BTreeSet;
use std::path::Path;
use text::{Fault, Text};

/// Reads a species file. It must satisfy its documentation, or be refused with a position inside
/// the file.
pub fn species(data: &[u8]) {
    if let Err(fault) = read(data) {
        // Counts lines in bytes, independently of the reader, which counts in text.
        let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
        assert!((1..=lines.len()).contains(&fault.line), "{fault}");
        let line = String::from_utf8_lossy(lines[fault.line - 1]);
        assert!(
            (1..=line.chars().count() + 1).contains(&fault.column),
            "{fault}"
        );
        let place = format!("--species wood.toml:{}:{}: ", fault.line, fault.column);
        let told = fault.to_string();
        assert!(
            told.starts_with(&place) && told.len() > place.len(),
            "{told}"
        );
    }
}

fn read(data: &[u8]) -> Result<(), Fault> {
    let text = Text::new(Path::new("wood.toml"), data.to_vec())?;
    let tables = text.tables()?;
    layers(&tables);
    noise(&text, &tables)?;
    apart(&tables, &text.apart(&tables)?);
    Ok(())
}

fn positive(number: f64) {
    assert!(number > 0.0 && number < f64::INFINITY, "{number}");
}

fn layers(tables: &Tables) {
    assert!((1..=Apart::MAX_LAYERS).contains(&tables.layer.len()));
    let mut names = BTreeSet::new();
    for layer in &tables.layer {
        let name = &layer.name;
        assert!(!name.trim().is_empty() && names.insert(name), "{name:?}");
        assert!(layer.map.is_none() || layer.perlin.is_none());
        assert!(layer.min_dist.is_some() != layer.density.is_some());
        for number in [&layer.min_dist, &layer.max_dist, &layer.share]
            .into_iter()
            .flatten()
        {
            positive(*number);
        }
    }
}

/// Returns the distances of a layer with noise, or `None` if the program refuses them.
fn range(layer: &LayerTable) -> Option<DistRange> {
    if let Some(Pair([least, most])) = layer.density {
        return DistRange::from_densities::<2>(least, most).ok();
    }
    let least = layer.min_dist?;
    let most = layer.max_dist.unwrap_or((4.0 * least).min(f64::MAX));
    DistRange::new(least, most).ok()
}

/// Checks that noise is built, or refused with its position.
fn noise(text: &Text, tables: &Tables) -> Result<(), Fault> {
    for (number, layer) in tables.layer.iter().enumerate() {
        let Some(range) = range(layer) else {
            continue;
        };
        if let Some(perlin) = &layer.perlin {
            let noise = Perlin::new(range, perlin.options(0, White::Sparse));
            noise.map_err(|e| text.fault(&format!("layer.{number}.perlin"), e))?;
        }
    }
    Ok(())
}

/// Checks that every given pair, and no other, has its distance.
fn apart(tables: &Tables, apart: &Apart) {
    let of = |name: &String| tables.layer.iter().position(|layer| &layer.name == name);
    let mut pairs = BTreeSet::new();
    for table in &tables.apart {
        let [a, b] = table
            .between
            .0
            .each_ref()
            .map(|name| of(name).expect("a layer"));
        assert!(a != b && pairs.insert([a.min(b), a.max(b)]));
        let distance = table.distance;
        assert!(distance == 0.0 || (1e-150..=1e150).contains(&distance));
        assert_eq!(
            (apart.get(a, b), apart.get(b, a)),
            (Some(distance), Some(distance))
        );
    }
    let count = tables.layer.len();
    assert_eq!(apart.layers(), count);
    for a in 0..count {
        for b in a + 1..count {
            assert_eq!(apart.get(a, b).is_some(), pairs.contains(&[a, b]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The defaults of `crates/cli/src/field.rs`.
    #[test]
    fn noise_has_the_programs_distances() {
        let range = |keys: &str| {
            let text = format!("[[layer]]\nname = \"moss\"\nperlin = {{}}\n{keys}\n");
            let text = Text::new(Path::new("wood.toml"), text.into_bytes()).expect("UTF-8");
            let range = range(&text.tables().expect("a good file").layer[0]);
            range.map(|range| [range.lo(), range.hi()])
        };
        assert_eq!(range("min_dist = 3"), Some([3.0, 12.0]));
        assert_eq!(range("min_dist = 3\nmax_dist = 5"), Some([3.0, 5.0]));
        assert_eq!(range("min_dist = 1e308"), Some([1e308, f64::MAX]));
        let densities = DistRange::from_densities::<2>(0.001, 0.05).expect("a range");
        let densities = [densities.lo(), densities.hi()];
        assert_eq!(range("density = [0.001, 0.05]"), Some(densities));
        assert_eq!(range("min_dist = 3\nmax_dist = 2"), None);
    }
}
