//! What a run is to do: N layers over a world. A map is one layer.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::Failure;
use crate::layers::{Field, Layers};
use crate::open::Open;
use crate::place::WorldPlacement;
use density::diagnostic::Warning;
use density::{FnField, MapPart};
use export::{Header, Ids, Placing, Presence};
use quality::Domain;
use sampler::{ALGORITHM_VERSION, Edges, PointLimit, Rule, ScatterOptions};
use std::sync::Arc;

/// What was read to take points from.
pub(crate) struct Inputs<'f> {
    pub(crate) layers: Layers<'f>,
    pub(crate) placement: WorldPlacement,
    pub(crate) rule: Rule,
    /// The part of the map that is in memory, where it is one.
    pub(crate) part: Option<&'f MapPart>,
    /// Called after sampling: returns the first error of reading a tile.
    pub(crate) fault: Option<&'f dyn Fn() -> Option<Failure>>,
    /// Called after sampling: returns the warnings about the tiles that were read.
    pub(crate) found: Option<&'f dyn Fn() -> Vec<Warning>>,
}

/// What was understood.
pub(crate) struct Plan<'f> {
    pub(crate) args: &'f SampleArgs,
    /// The layers where their points may lie, the part that is in memory, and the world.
    pub(crate) inputs: Inputs<'f>,
    /// Where points may lie.
    pub(crate) open: &'f Open,
    /// What is made of the points besides.
    pub(crate) placing: Placing,
    /// What is known beforehand not to come out as asked for.
    pub(crate) warnings: Vec<Warning>,
}

/// What a preview shows below the points.
pub(crate) struct Picture<'f> {
    pub(crate) field: Field<'f>,
    /// A colour a layer, `None` one of the library's; empty: there are no layers.
    pub(crate) colours: Vec<Option<[u8; 3]>>,
}

impl<'f> Plan<'f> {
    /// A run of `inputs` where points may lie.
    pub(crate) fn new(
        args: &'f SampleArgs,
        mut inputs: Inputs<'f>,
        open: &'f Open,
    ) -> Result<Self, Failure> {
        let mut warnings = Vec::from_iter(args.placing.warning(&args.output));
        warnings.extend(inputs.layers.warnings.iter().cloned());
        warnings.extend(inputs.placement.warning.clone());
        warnings.extend(open.warnings());
        let range = inputs.layers.range();
        inputs.layers = open.over(inputs.layers, inputs.rule)?;
        Ok(Self {
            args,
            placing: args.placing.placing(args.seed, range, open.heights())?,
            inputs,
            open,
            warnings,
        })
    }

    pub(crate) fn layers(&self) -> &Layers<'f> {
        &self.inputs.layers
    }

    pub(crate) fn placement(&self) -> &WorldPlacement {
        &self.inputs.placement
    }

    pub(crate) fn rule(&self) -> Rule {
        self.inputs.rule
    }

    /// How many points may come out.
    pub(crate) fn limit(&self) -> PointLimit {
        let cap = self.args.max_points.map(PointLimit::Cap);
        cap.unwrap_or_default()
    }

    /// What lies beyond the world's edges.
    pub(crate) fn edges(&self) -> Edges {
        if self.args.tile {
            Edges::Tiled
        } else {
            Edges::Open
        }
    }

    /// The options of scatter, without a limit of memory.
    pub(crate) fn options(&self) -> ScatterOptions {
        ScatterOptions {
            rule: self.rule(),
            seed: self.args.seed,
            limit: self.limit(),
            max_bytes: None,
            levels: self.args.lod.unwrap_or(0),
        }
    }

    /// The world with what happens at its edges.
    pub(crate) fn domain(&self) -> Domain<2> {
        Domain {
            bounds: self.placement().world,
            edges: match self.edges() {
                Edges::Tiled => quality::Edges::Torus,
                Edges::Open => quality::Edges::Open,
            },
        }
    }

    /// What every file says of the run.
    pub(crate) fn header(&self) -> Header<2> {
        let (args, placement) = (self.args, self.placement());
        let mut header = Header::new(
            args.algorithm.name(),
            ALGORITHM_VERSION,
            args.seed,
            self.rule(),
            placement.world,
        );
        header.edges = self.edges();
        header.window = args.window;
        header.y_axis = placement.y_axis;
        header.crs = placement.place.as_ref().and_then(|place| place.crs.clone());
        header.placing = self.placing.clone();
        if args.lod.is_some() {
            header.columns.rank = Presence::Write;
        }
        header.columns.ids = match args.algorithm {
            Algorithm::Scatter => Ids::Hashed,
            Algorithm::Bridson => Ids::Counted,
        };
        if self.layers().are_named() {
            header.columns.layer = Presence::Write;
            let species = self.layers().species().iter();
            header.layers = species.map(|s| s.name.clone()).collect();
        }
        header
    }

    /// What a preview shows below the points: layers have fields of their own, so that their ground
    /// is paper.
    pub(crate) fn picture(&self) -> Result<Picture<'f>, Failure> {
        let layers = self.layers();
        let colours = layers.species().iter().map(|s| s.colour).collect();
        let field: Field<'f> = if layers.are_named() {
            let range = layers.range();
            let paper = FnField::new(range, 0.0, move |_: [f64; 2]| range.hi());
            Arc::new(paper.map_err(anyhow::Error::new)?)
        } else {
            Arc::clone(&layers.fields()[0].field)
        };
        Ok(Picture { field, colours })
    }
}
