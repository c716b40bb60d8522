//! The species file: several layers, each with a map and distances of its own.

mod file;
mod layers;
mod text;

use crate::failure::{Failure, refuse_given};
use crate::field::FieldArgs;
use crate::layers::Layers;
use crate::place::WorldPlacement;
use crate::source::read_file;
use density::{Bounds, YAxis};
use sampler::Rule;
use std::path::Path;
use text::{Fault, Text};

/// A species file is text that people write.
const MOST_BYTES: u64 = 4_000_000;

/// What a run says of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) size: Option<[f64; 2]>,
    pub(crate) origin: Option<[f64; 2]>,
    /// What a file of points says, in place of the two.
    pub(crate) stated: Option<Bounds<2>>,
    /// Unless the flag or the file says otherwise.
    pub(crate) rule: Rule,
    /// Unless a map's file says its place, which is followed.
    pub(crate) y_axis: YAxis,
    /// Most pixels of each map.
    pub(crate) max_pixels: Option<u64>,
}

/// Reads the file and its maps: the layers, where they lie, and the file's rule, else the run's.
/// `rule` is the flag's, if it was given.
pub(crate) fn read(
    path: &Path,
    rule: Option<Rule>,
    world: World,
) -> Result<(Layers<'static>, WorldPlacement, Rule), Failure> {
    let bytes = read_file("--species ", path, "a species file (TOML)", MOST_BYTES)?;
    let text = Text::new(path, bytes)?;
    let tables = text.tables()?;
    let apart = text.apart(&tables)?;
    let said = match &tables.rule {
        None => None,
        Some(given) => {
            let known = Rule::ALL.into_iter().filter(|r| *r != Rule::Parent);
            let known: Vec<Rule> = known.collect();
            Some(layers::chosen(&text, Some(given), &known, Rule::name)?)
        }
    };
    if let Some((flag, said)) = rule.zip(said)
        && flag != said
    {
        let problem = format!("the species file says {}: take one away", said.name());
        return Err(Failure::usage("--rule", flag.name(), problem));
    }
    let (read, placement) = layers::read(&text, &tables, &world)?;
    let layers = Layers::of_species(path.to_owned(), apart, read);
    Ok((layers, placement, said.or(rule).unwrap_or(world.rule)))
}

/// Refuses the flags that a species file has keys for.
pub(crate) fn refuse(map: Option<&Path>, field: &FieldArgs) -> Result<(), Failure> {
    if let Some(map) = map {
        let problem = "the layers of --species have maps of their own: take the map away";
        return Err(Failure::usage("MAP", map.display(), problem));
    }
    let problem = "layers say that themselves: write it into the species file";
    // How large maps may be is no matter of one layer.
    let given = field.file.given();
    if let Some((flag, value)) = given.filter(|(flag, _)| *flag != "--max-pixels") {
        return Err(Failure::usage(flag, value, problem));
    }
    field.shaping.refuse(problem)?;
    let of_world =
        "layers lie in a world of their file's size, or --size, or where a map says; drop it";
    refuse_given(&[("--pixels", field.pixels)], of_world)?;
    let own = [
        ("--min-dist", field.min_dist.is_some()),
        ("--max-dist", field.max_dist.is_some()),
        ("--density", field.shaping.density.is_some()),
        ("--white", field.white.is_some()),
    ];
    refuse_given(&own, problem)
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Run(fault.into())
    }
}
