//! The species file: several layers, each with its own map and distances.

mod file;
mod layers;
mod text;

use crate::failure::{Failure, refuse_given};
use crate::field::FieldArgs;
use crate::layers::Layers;
use crate::place::{World, WorldPlacement};
use crate::source::read_file;
use sampler::Rule;
use std::path::Path;
use text::{Fault, Text};

/// The size limit of a species file, which is text written by people.
const MOST_BYTES: u64 = 4_000_000;

/// Reads the file and its maps. Returns the layers, the world, and the rule of the file or of the flag, if either
/// was given. `rule` is the value of the flag.
pub(crate) fn read(
    path: &Path,
    rule: Option<Rule>,
    world: World,
) -> Result<(Layers<'static>, WorldPlacement, Option<Rule>), Failure> {
    let bytes = read_file("--species ", path, "a species file (TOML)", MOST_BYTES)?;
    let text = Text::new(path, bytes)?;
    let tables = text.tables()?;
    let apart = text.apart(&tables)?;
    let said = match &tables.rule {
        None => None,
        Some(given) => {
            let chosen = layers::chosen(Some(given), &Rule::OF_SCATTER, Rule::name);
            Some(chosen.map_err(|e| text.fault("rule", e))?)
        }
    };
    if let Some((flag, said)) = rule.zip(said)
        && flag != said
    {
        let problem = format!("the species file says {}: drop one of them", said.name());
        return Err(Failure::usage("--rule", flag.name(), problem));
    }
    let (read, placement) = layers::read(&text, &tables, &world)?;
    let layers = Layers::of_species(path.to_owned(), apart, read);
    Ok((layers, placement, said.or(rule)))
}

/// Refuses the flags that a species file has keys for.
pub(crate) fn refuse(map: Option<&Path>, field: &FieldArgs) -> Result<(), Failure> {
    if let Some(map) = map {
        let problem = "the layers of --species have their own maps: drop MAP";
        return Err(Failure::usage("MAP", map.display(), problem));
    }
    let problem = "each layer of --species sets this: write it into the species file";
    // The limit of map sizes does not belong to one layer.
    let given = field.file.given();
    if let Some((flag, value)) = given.filter(|(flag, _)| *flag != "--max-pixels") {
        return Err(Failure::usage(flag, value, problem));
    }
    field.shaping.refuse(problem)?;
    let of_world = "not supported with --species: drop it, or give --size";
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
