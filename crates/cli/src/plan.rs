//! The plan of a run: N layers over a world. A map is one layer.

use crate::args::{Algorithm, SampleArgs};
use crate::failure::Failure;
use crate::layers::{Field, Layers};
use crate::open::Open;
use crate::place::WorldPlacement;
use density::FnField;
use density::diagnostic::Warning;
use export::{Header, Ids, Placing, Presence};
use quality::Domain;
use sampler::{ALGORITHM_VERSION, Edges, PointLimit, Rule, SampleError, ScatterOptions};
use std::sync::Arc;

/// Everything that a run needs to know before it starts.
pub(crate) struct Plan<'f> {
    pub(crate) args: &'f SampleArgs,
    /// The layers before `--scale-factor` or `--count`, without the region and the points to avoid.
    pub(crate) layers: Layers<'f>,
    /// The [restricted](Self::restricted) layers, by [`factor`](Self::factor); `None` with `--count`, where these
    /// distances may be impossible.
    run_layers: Option<Layers<'f>>,
    pub(crate) placement: WorldPlacement,
    pub(crate) rule: Rule,
    /// The places where points may lie.
    pub(crate) open: &'f Open,
    /// The placing of instances at the points.
    pub(crate) placing: Placing,
    /// Warnings that are known before sampling.
    pub(crate) warnings: Vec<Warning>,
    /// Returns the first error of reading a tile; called after sampling.
    pub(crate) read_error: Option<&'f dyn Fn() -> Option<Failure>>,
    /// Returns the warnings about the tiles read; called after sampling.
    pub(crate) tile_warnings: Option<&'f dyn Fn() -> Vec<Warning>>,
}

impl<'f> Plan<'f> {
    /// Plans a run of layers, restricted to the places where points may lie.
    pub(crate) fn new(
        args: &'f SampleArgs,
        layers: Layers<'f>,
        placement: WorldPlacement,
        rule: Rule,
        open: &'f Open,
    ) -> Result<Self, Failure> {
        let mut warnings = Vec::from_iter(args.placing.warning(&args.output));
        warnings.extend(layers.warnings.iter().cloned());
        warnings.extend(placement.warning.clone());
        warnings.extend(open.warnings());
        let fields = layers.fields().iter();
        let ranges = fields.map(|layer| layer.field.range()).collect();
        let factor = args.scale_factor.unwrap_or(1.0);
        let run_layers = match args.count {
            Some(_) => None,
            None => Some(
                restricted(&layers, factor, rule, open).map_err(|error| match error {
                    SampleError::Avoid(error) => open.refused(error),
                    other => Failure::factor("--scale-factor", factor, &other),
                })?,
            ),
        };
        Ok(Self {
            args,
            placing: args.placing.placing(args.seed, ranges, open.heights())?,
            layers,
            run_layers,
            placement,
            rule,
            open,
            warnings,
            read_error: None,
            tile_warnings: None,
        })
    }

    /// Returns the factor of all distances: `--scale-factor`, or 1.
    pub(crate) fn factor(&self) -> f64 {
        self.args.scale_factor.unwrap_or(1.0)
    }

    /// Returns the layers, restricted to the places where points may lie, with all distances but those of `--avoid`
    /// multiplied by `factor`.
    pub(crate) fn restricted(&self, factor: f64) -> Result<Layers<'f>, SampleError> {
        match &self.run_layers {
            Some(layers) if factor == self.factor() => Ok(layers.clone()),
            _ => restricted(&self.layers, factor, self.rule, self.open),
        }
    }

    /// Returns the limit on the number of points.
    pub(crate) fn limit(&self) -> PointLimit {
        let cap = self.args.max_points.map(PointLimit::Cap);
        cap.unwrap_or_default()
    }

    /// Returns the treatment of the world's edges.
    pub(crate) fn edges(&self) -> Edges {
        if self.args.tile {
            Edges::Tiled
        } else {
            Edges::Open
        }
    }

    /// Returns the options of scatter, without a limit of memory.
    pub(crate) fn options(&self) -> ScatterOptions {
        ScatterOptions {
            rule: self.rule,
            seed: self.args.seed,
            limit: self.limit(),
            max_bytes: None,
            levels: self.args.lod.unwrap_or(0),
        }
    }

    /// Returns the world and the treatment of its edges.
    pub(crate) fn domain(&self) -> Domain<2> {
        Domain {
            bounds: self.placement.world,
            edges: match self.edges() {
                Edges::Tiled => quality::Edges::Torus,
                Edges::Open => quality::Edges::Open,
            },
        }
    }

    /// Returns the coordinate system of the world: that of the map, or of polygons if no other input may have a place.
    pub(crate) fn crs(&self) -> Option<String> {
        let args = self.args;
        let is_alone = args.map.is_none()
            && args.species.is_none()
            && args.region.mask.is_none()
            && args.region.avoid.is_empty()
            && args.ground.height.is_none();
        let of_polygons = self.open.region().crs.clone().filter(|_| is_alone);
        self.placement.crs().or(of_polygons)
    }

    /// Returns the description of the run that every file carries; all distances are scaled by
    /// `scale_factor`.
    pub(crate) fn header(&self, scale_factor: f64) -> Header<2> {
        let (args, placement) = (self.args, &self.placement);
        let mut header = Header::new(
            args.algorithm.name(),
            ALGORITHM_VERSION,
            args.seed,
            self.rule,
            placement.world,
        );
        header.edges = self.edges();
        header.window = args.window;
        header.scale_factor = scale_factor;
        header.y_axis = placement.y_axis;
        header.crs = self.crs();
        header.placing = self.placing.clone();
        if args.lod.is_some() {
            header.columns.rank = Presence::Write;
        }
        header.columns.ids = match args.algorithm {
            Algorithm::Scatter => Ids::Hashed,
            Algorithm::Bridson => Ids::Counted,
        };
        if self.layers.are_named() {
            header.columns.layer = Presence::Write;
            let species = self.layers.species.iter();
            header.layers = species.clone().map(|s| s.name.clone()).collect();
            header.colours = species.map(|s| s.colour).collect();
        }
        header
    }

    /// Returns the background of a preview, for distances multiplied by `factor`. Layers of a species file have
    /// different fields, so their background is plain paper.
    pub(crate) fn background(&self, factor: f64) -> Result<Field<'f>, Failure> {
        let layers = self.restricted(factor)?;
        if !layers.are_named() {
            return Ok(Arc::clone(&layers.fields()[0].field));
        }
        let range = layers.range();
        let paper = FnField::new(range, 0.0, move |_: [f64; 2]| range.hi());
        Ok(Arc::new(paper.map_err(anyhow::Error::new)?))
    }
}

/// Returns layers with all distances multiplied by `factor`, restricted to the places where points may lie.
fn restricted<'f>(
    layers: &Layers<'f>,
    factor: f64,
    rule: Rule,
    open: &'f Open,
) -> Result<Layers<'f>, SampleError> {
    Ok(open.restrict(layers.scaled(factor)?, rule)?)
}
