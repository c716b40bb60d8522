//! A species file with all that it names, read for sampling or for judging.

use super::layers::{Field, Layers, World, chosen};
use super::text::Text;
use crate::args::FieldArgs;
use crate::failure::Failure;
use crate::ground::GroundInfo;
use crate::region::{Lie, RegionArgs, RegionInfo, Regions};
use crate::source::read_file;
use density::{GroundRegion, RadiusField, Within};
use sampler::{Apart, Layer, Rule};
use std::path::Path;
use std::sync::Arc;

/// A species file is text that people write.
const MOST_BYTES: u64 = 4_000_000;

/// What a species file says.
pub(crate) struct Given {
    pub(crate) layers: Layers,
    pub(crate) apart: Apart,
    /// The file's, else the run's.
    pub(crate) rule: Rule,
}

impl Given {
    /// Reads the file and its maps. `rule` is the flag's, if it was given.
    pub(crate) fn read(path: &Path, rule: Option<Rule>, world: World) -> Result<Self, Failure> {
        let bytes = read_file("--species ", path, "a species file (TOML)", MOST_BYTES)?;
        let text = Text::new(path, bytes)?;
        let tables = text.tables()?;
        let apart = text.apart(&tables)?;
        let said = match &tables.rule {
            None => None,
            Some(given) => {
                let known = Rule::ALL.into_iter().filter(|r| *r != Rule::Parent);
                let known: Vec<Rule> = known.collect();
                Some(chosen(&text, Some(given), &known, Rule::name)?)
            }
        };
        if let Some((flag, said)) = rule.zip(said)
            && flag != said
        {
            let problem = format!("the species file says {}: take one away", said.name());
            return Err(Failure::usage("--rule", flag.name(), problem));
        }
        let rule = said.or(rule).unwrap_or(world.rule);
        let layers = Layers::read(&text, &tables, &World { rule, ..world })?;
        Ok(Self {
            layers,
            apart,
            rule,
        })
    }
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
    let own = [
        ("--min-dist", field.min_dist.is_some()),
        ("--max-dist", field.max_dist.is_some()),
        ("--density", field.shaping.density.is_some()),
        ("--white", field.white.is_some()),
    ];
    match own.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!("{flag}: {problem}"))),
    }
}

/// Where the flags let points of any layer lie.
pub(crate) struct Open {
    ground: Option<GroundRegion>,
    regions: Option<Regions>,
}

impl Open {
    /// Reads the region; the ground was read before, if there is one.
    pub(crate) fn read(
        region: &RegionArgs,
        ground: Option<GroundRegion>,
        lie: Lie,
    ) -> Result<Self, Failure> {
        let regions = Regions::read(region, lie)?;
        Ok(Self { ground, regions })
    }

    pub(crate) fn ground(&self) -> Option<&GroundRegion> {
        self.ground.as_ref()
    }

    /// What was read of the region.
    pub(crate) fn info(&self) -> RegionInfo {
        let info = self.regions.as_ref().map(Regions::info);
        info.cloned().unwrap_or_default()
    }

    /// Layers where they may lie.
    pub(crate) fn over<'f>(
        &'f self,
        layers: Vec<Layer<'f, 2>>,
        rule: Rule,
    ) -> Result<Vec<Layer<'f, 2>>, Failure> {
        // Layers of one field keep one field.
        let mut known: Vec<(Field<'f>, Field<'f>)> = Vec::new();
        let open = |layer: Layer<'f, 2>| {
            let same = known.iter().find(|(old, _)| Arc::ptr_eq(old, &layer.field));
            let field = if let Some((_, field)) = same {
                Arc::clone(field)
            } else {
                let mut field: Box<dyn RadiusField<2> + 'f> = Box::new(Arc::clone(&layer.field));
                if let Some(ground) = &self.ground {
                    field = Box::new(Within::new(field, ground));
                }
                if let Some(regions) = &self.regions {
                    field = regions.over(field, rule)?;
                }
                let field: Field<'f> = Arc::new(field);
                known.push((layer.field, Arc::clone(&field)));
                field
            };
            Ok(Layer {
                share: layer.share,
                turn: layer.turn,
                seed: layer.seed,
                ..Layer::of(field)
            })
        };
        layers.into_iter().map(open).collect()
    }
}

/// What was understood of where points may lie, for the summary.
pub(super) struct Places {
    pub(super) ground: Option<GroundInfo>,
    pub(super) region: RegionInfo,
}
