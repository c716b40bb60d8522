//! The layers of a run; a map is one layer.

use crate::failure::Failure;
use crate::field::{self, FieldArgs};
use crate::map_file::MapInfo;
use crate::numbers::plain;
use crate::place::{INSTEAD, World, WorldPlacement};
use density::diagnostic::{Subject, Warning, lint, note_limit};
use density::{DistRange, PerlinOptions, RadiusField, RadiusMap, White};
use sampler::{Apart, Layer, Rule, SampleError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The field of a layer.
pub(crate) type Field<'f> = Arc<dyn RadiusField<2> + 'f>;

/// The layers of a run with their distances, origin and warnings.
#[derive(Clone)]
pub(crate) struct Layers<'f> {
    /// The layers; at least one.
    fields: Vec<Layer<'f, 2>>,
    apart: Apart,
    pub(crate) source: Source,
    /// The properties of each layer of a species file; empty for other sources.
    pub(crate) species: Vec<Species>,
    /// Warnings about possible misreadings.
    pub(crate) warnings: Vec<Warning>,
    /// The maps in memory as fields, each with its gradient limit, for the lint.
    maps: Vec<(Subject, Arc<RadiusMap>, Option<f64>)>,
}

/// The origin of the layers.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// One layer: an image.
    Map(Box<MapInfo>),
    /// One layer: the built-in noise.
    Meadow(PerlinOptions),
    /// The layers of a species file.
    Species(PathBuf),
}

/// Properties of a layer of a species file, besides its field.
#[derive(Clone, Debug)]
pub(crate) struct Species {
    pub(crate) name: String,
    /// Red, green and blue.
    pub(crate) colour: Option<[u8; 3]>,
    pub(crate) map: Option<MapInfo>,
    pub(crate) white: White,
    /// The gradient limit of the map.
    pub(crate) limit: Option<f64>,
}

impl<'f> Layers<'f> {
    /// Returns a single layer.
    pub(crate) fn one(field: impl RadiusField<2> + 'f, source: Source) -> Self {
        let warnings = match &source {
            Source::Map(map) => map.warnings.clone(),
            Source::Meadow(_) | Source::Species(_) => Vec::new(),
        };
        Self {
            fields: vec![Layer::new(field)],
            apart: Apart::new(1),
            source,
            species: Vec::new(),
            warnings,
            maps: Vec::new(),
        }
    }

    /// Reads a map into a single layer, and lays it over the world that `run` or the map's file states.
    pub(crate) fn read_map(
        path: &Path,
        args: &FieldArgs,
        range: DistRange,
        run: &World,
    ) -> Result<(Self, WorldPlacement), Failure> {
        let (map, info) = field::read_map(path, args, None)?;
        let placement = WorldPlacement::of(run, &[&info], INSTEAD)?;
        let field = field::of_map(map, range, placement.world, placement.y_axis, args)?;
        let field = Arc::new(field);
        let layers = Self {
            maps: vec![(info.subject.clone(), Arc::clone(&field), args.shaping.limit)],
            ..Self::one(field, Source::Map(Box::new(info)))
        };
        Ok((layers, placement))
    }

    /// Returns the layers of a species file, at least one, each with its map if that is in memory.
    pub(crate) fn of_species(
        path: PathBuf,
        apart: Apart,
        layers: Vec<(Layer<'f, 2>, Species, Option<Arc<RadiusMap>>)>,
    ) -> Self {
        let mut all = Self {
            fields: Vec::new(),
            apart,
            source: Source::Species(path),
            species: Vec::new(),
            warnings: Vec::new(),
            maps: Vec::new(),
        };
        for (layer, species, map) in layers {
            if let Some((info, map)) = species.map.as_ref().zip(map) {
                all.warnings.extend(info.warnings.iter().cloned());
                all.maps.push((info.subject.clone(), map, species.limit));
            }
            all.fields.push(layer);
            all.species.push(species);
        }
        all
    }

    /// Returns the layers with their fields.
    pub(crate) fn fields(&self) -> &[Layer<'f, 2>] {
        &self.fields
    }

    /// Returns the distances between layers.
    pub(crate) fn apart(&self) -> &Apart {
        &self.apart
    }

    /// Returns `true` if output files name the layer of each point.
    pub(crate) fn are_named(&self) -> bool {
        matches!(self.source, Source::Species(_))
    }

    /// Converts a sampler error into terms of the flags and of the species file. `count` is the value of `--count`.
    pub(crate) fn refused(&self, error: SampleError, count: Option<u64>) -> Failure {
        let named = match error {
            SampleError::TileTooSmall { max_dist, .. } if count.is_none() => {
                self.named_distance(max_dist)
            }
            _ => None,
        };
        let (SampleError::TileTooSmall { axis, size, .. }, Some((name, key))) = (error, named)
        else {
            return if self.are_named() {
                Failure::in_species(&error, count)
            } else {
                Failure::refused(&error, count)
            };
        };
        Failure::Usage(format!(
            "--tile: the world is {} {}, less than twice {name}: raise --size, or lower {key}",
            plain(size),
            if axis == 0 { "wide" } else { "high" },
        ))
    }

    /// Returns the name of the layer's or pair's distance that is at least `distance`, and its key in
    /// the species file.
    fn named_distance(&self, distance: f64) -> Option<(String, &'static str)> {
        let species = &self.species;
        let layer = species
            .iter()
            .zip(&self.fields)
            .find_map(|(species, layer)| {
                let range = layer.field.range();
                let key = if range.lo() < range.hi() {
                    "max_dist"
                } else {
                    "min_dist"
                };
                let name = format!("{key} {} of layer \"{}\"", plain(range.hi()), species.name);
                (range.hi() >= distance).then_some((name, key))
            });
        let numbers = 0..species.len();
        let mut pairs = numbers
            .clone()
            .flat_map(|a| numbers.clone().map(move |b| (a, b)));
        layer.or_else(|| {
            pairs.find_map(|(a, b)| {
                let apart = self.apart.get(a, b).filter(|apart| *apart >= distance)?;
                let [a, b] = [a, b].map(|layer| &species[layer].name);
                let name = format!("distance {} of [[apart]] \"{a}\", \"{b}\"", plain(apart));
                Some((name, "distance"))
            })
        })
    }

    /// Returns the range from the least to the greatest distance of all layers.
    pub(crate) fn range(&self) -> DistRange {
        let ranges = self.fields.iter().map(|layer| layer.field.range());
        let all = ranges.reduce(|all, one| {
            DistRange::new(all.lo().min(one.lo()), all.hi().max(one.hi())).unwrap_or(all)
        });
        all.unwrap_or_else(|| self.fields[0].field.range())
    }

    /// Replaces each field by the result of `make`. Layers that share a field still share one afterwards.
    pub(crate) fn with_fields<E>(
        mut self,
        make: impl FnMut(Field<'f>) -> Result<Field<'f>, E>,
    ) -> Result<Self, E> {
        self.fields = Layer::with_fields(&self.fields, make)?;
        Ok(self)
    }

    /// Multiplies all distances by `factor`.
    pub(crate) fn scaled(&self, factor: f64) -> Result<Self, SampleError> {
        Ok(Self {
            fields: Layer::scaled(&self.fields, factor)?,
            apart: self.apart.scaled(factor)?,
            ..self.clone()
        })
    }

    /// Returns the least and the greatest distance that occur in a map in memory with a gradient limit: it may leave out
    /// an end of the range. Before `--scale-factor` or `--count`.
    pub(crate) fn occurring(&self, map: &MapInfo) -> Option<[f64; 2]> {
        let mut maps = self.maps.iter();
        let (_, field, limit) = maps.find(|(subject, ..)| *subject == map.subject)?;
        let range = limit.and_then(|_| field.range_in(&field.bounds()))?.range;
        Some([range.lo(), range.hi()])
    }

    /// Returns the lint warnings about the maps, with all distances multiplied by `factor`.
    pub(crate) fn findings(&self, factor: f64, rule: Rule) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (subject, field, limit) in &self.maps {
            let mut found = lint(field, factor, rule.steepest());
            note_limit(&mut found, *limit, factor);
            warnings.extend(found.into_iter().map(|found| found.about(subject)));
        }
        warnings
    }
}
