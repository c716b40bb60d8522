//! From a map and settings to points. Only this file calls the sampler.

use crate::error::Refused;
use crate::settings::{Algorithm, LayerSettings, Settings, map_name};
use density::diagnostic::{Diagnostic, Names, Role, Subject, lint, note_limit};
use density::{Bounds, GreyMap, MapOptions, PixelRect, RadiusField, RadiusMap, Scaled};
use sampler::{
    Apart, Bridson, BridsonOptions, Edges, End, Layer, PointLimit, Rule, Sample, SampleError,
    Scatter, ScatterOptions, Scattered,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Largest number of points that the page shows.
pub(crate) const MOST_POINTS: u64 = 4_000_000;

/// Range of influence of a changed pixel, in greatest distances: `Scatter`'s guarantee 4.
const REACH: f64 = 8.0;

/// Side of the squares in which windows are sampled, in greatest distances. A run can be given up
/// between squares.
const SQUARE: f64 = 64.0;

/// Number of Bridson's points between two tests of whether to give up.
const BATCH: usize = 1024;

/// Returns `true` if the run is to be given up.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Everything that the points are a function of.
pub(crate) struct Plan {
    pub(crate) settings: Settings,
    pub(crate) rule: Rule,
    pub(crate) world: Bounds<2>,
    /// One field for each layer.
    pub(crate) fields: Vec<Arc<RadiusMap>>,
    pub(crate) layers: Vec<LayerSettings>,
    /// Whether each layer's map is from a file.
    pub(crate) are_read: Vec<bool>,
    pub(crate) apart: Apart,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) samples: Vec<Sample<2>>,
    /// Number of cells that could not be decided; `None` if the algorithm does not count them.
    pub(crate) unresolved: Option<u64>,
    /// The factor by which distances were multiplied.
    pub(crate) scale: f64,
}

impl From<Scattered<2>> for Found {
    fn from(points: Scattered<2>) -> Self {
        Self {
            samples: points.samples,
            unresolved: Some(points.unresolved),
            scale: 1.0,
        }
    }
}

/// Returns the result of a run, or an error if it failed or was given up.
fn found(run: Result<Option<Scattered<2>>, SampleError>) -> Result<Found, Refused> {
    let points = run.map_err(|e| refused(&e))?;
    points.map(Found::from).ok_or(Refused::Superseded)
}

/// Builds the field of a layer.
pub(crate) fn field(
    map: GreyMap,
    layer: &LayerSettings,
    world: Bounds<2>,
    settings: &Settings,
) -> Result<RadiusMap, Refused> {
    let options = MapOptions {
        white: layer.white()?,
        bounds: Some(world),
        y_axis: settings.y_axis(),
    };
    let field = layer.shaping()?.field(map, layer.range()?, options);
    field.map_err(Refused::run)
}

impl Plan {
    fn scatter_options(&self) -> ScatterOptions {
        ScatterOptions {
            rule: self.rule,
            seed: self.settings.seed,
            limit: PointLimit::Refuse(MOST_POINTS),
            ..ScatterOptions::default()
        }
    }

    pub(crate) fn edges(&self) -> Edges {
        if self.settings.tile {
            Edges::Tiled
        } else {
            Edges::Open
        }
    }

    /// Returns the field if a window of it can be sampled without the other points. With a limit, a pixel
    /// changes distances far away; all of the field is then made anew, which takes longer than all points.
    pub(crate) fn windowed(&self) -> Option<&RadiusMap> {
        let is_windowed = self.settings.algorithm == Algorithm::Scatter
            && self.settings.count.is_none()
            && self.layers.iter().all(|layer| layer.limit.is_none());
        match self.fields.as_slice() {
            [field] if is_windowed => Some(field),
            _ => None,
        }
    }

    /// Returns the run with all distances multiplied by `factor`.
    fn scatter(&self, factor: f64, options: ScatterOptions) -> Result<Scatter<'_, 2>, SampleError> {
        let fields = self
            .fields
            .iter()
            .map(|field| Scaled::new(&**field, factor));
        let mut fields = fields.collect::<Result<Vec<_>, _>>()?;
        match (fields.pop(), self.edges()) {
            (Some(only), Edges::Open) if fields.is_empty() => {
                Scatter::new(only, self.world, options)
            }
            (Some(only), Edges::Tiled) if fields.is_empty() => {
                Scatter::tiled(only, self.world, options)
            }
            (last, edges) => {
                let layers = fields.into_iter().chain(last).zip(&self.layers);
                let layers = layers.map(|(field, layer)| Layer {
                    share: layer.share.unwrap_or(1.0),
                    turn: layer.turn,
                    ..Layer::new(field)
                });
                let apart = self.apart.scaled(factor)?;
                Scatter::layered(layers.collect(), apart, self.world, edges, options)
            }
        }
    }

    /// Returns the run as it is.
    fn unscaled(&self) -> Result<Scatter<'_, 2>, Refused> {
        self.scatter(1.0, self.scatter_options())
            .map_err(|e| refused(&e))
    }

    /// Returns all points, in the command line's order.
    ///
    /// # Errors
    /// If the run is refused, or given up ([`Refused::Superseded`]).
    pub(crate) fn whole(&self, stop: Stop<'_>) -> Result<Found, Refused> {
        let flow = || {
            if stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        if let ([field], Algorithm::Bridson) = (self.fields.as_slice(), self.settings.algorithm) {
            return self.bridson(field, stop);
        }
        let Some(count) = self.settings.count else {
            return found(self.unscaled()?.points_with(|_| flow()));
        };
        if count > MOST_POINTS {
            let problem = format!("the page shows at most {MOST_POINTS} points");
            return Err(Refused::value("count", count, problem));
        }
        let scaled = |factor, options| self.scatter(factor, options);
        let found = Scatter::with_count_of(scaled, self.scatter_options(), count, |_| flow());
        let found = found.map_err(|e| refused(&e))?.ok_or(Refused::Superseded)?;
        Ok(Found {
            scale: found.factor,
            ..Found::from(found.points)
        })
    }

    fn bridson(&self, field: &RadiusMap, stop: Stop<'_>) -> Result<Found, Refused> {
        let options = BridsonOptions {
            rule: self.rule,
            tries: self.settings.tries(),
            seed: self.settings.seed,
            limit: PointLimit::Refuse(MOST_POINTS),
            ..BridsonOptions::default()
        };
        let mut points = Bridson::new(field, self.world, options).map_err(|e| refused(&e))?;
        let mut samples = Vec::new();
        loop {
            let before = samples.len();
            samples.extend(points.by_ref().take(BATCH));
            if let End::Failed(error) = points.end() {
                return Err(refused(&error));
            }
            if samples.len() < before + BATCH {
                break;
            }
            if stop() {
                return Err(Refused::Superseded);
            }
        }
        Ok(Found {
            samples,
            unresolved: None,
            scale: 1.0,
        })
    }

    /// Returns the windows of the world in which points of `field` may change when the pixels of `rect` do.
    /// With `--tile` they continue across its edges.
    pub(crate) fn touched(&self, field: &RadiusMap, rect: PixelRect) -> Vec<Bounds<2>> {
        let (min, size) = (self.world.min(), self.world.size());
        let pixels = [field.map().width(), field.map().height()];
        let sides = [0, 1].map(|axis: usize| size[axis] / f64::from(pixels[axis]));
        // A map's bounds in a box depend on squares of pixels, which are long where pixels are.
        let aspect = (sides[0] / sides[1]).max(sides[1] / sides[0]);
        let reach = REACH * aspect * field.range().hi();
        let spans = |axis: usize| {
            let pixel = sides[axis];
            // The map is interpolated between pixel centres: a pixel has influence up to the next
            // one.
            let lo = (f64::from(rect.min[axis]) - 1.0) * pixel - reach;
            let hi = (f64::from(rect.max[axis]) + 1.0) * pixel + reach;
            let up = axis == 1 && self.settings.y_up;
            let (lo, hi) = if up {
                (size[1] - hi, size[1] - lo)
            } else {
                (lo, hi)
            };
            wrapped(lo, hi, size[axis], self.edges())
                .into_iter()
                .map(move |[lo, hi]| [min[axis] + lo, min[axis] + hi])
                .collect::<Vec<_>>()
        };
        let (columns, rows) = (spans(0), spans(1));
        let boxes = rows
            .iter()
            .flat_map(|y| columns.iter().map(move |x| (x, y)));
        boxes
            .filter_map(|(x, y)| Bounds::new([x[0], y[0]], [x[1], y[1]]).ok())
            .collect()
    }

    /// Returns the points of `field` in some windows.
    ///
    /// # Errors
    /// If the run is refused, or given up ([`Refused::Superseded`]).
    pub(crate) fn windows(
        &self,
        field: &RadiusMap,
        windows: &[Bounds<2>],
        stop: Stop<'_>,
    ) -> Result<Vec<Sample<2>>, Refused> {
        let scatter = self.unscaled()?;
        let side = SQUARE * field.range().hi();
        let mut samples = Vec::new();
        for window in windows {
            for square in squares(window, side) {
                if stop() {
                    return Err(Refused::Superseded);
                }
                let found = scatter.points_in(&square).map_err(|e| refused(&e))?;
                samples.extend(found.samples);
            }
        }
        Ok(samples)
    }

    /// Returns warnings about the maps, with distances multiplied by `scale`, in the sentences of
    /// `spinney map lint` and `spinney sample`.
    pub(crate) fn lint(&self, scale: f64) -> Vec<String> {
        let several = self.layers.len() > 1;
        let all = self.fields.iter().zip(&self.layers).zip(&self.are_read);
        all.flat_map(|((field, layer), &is_read)| {
            let subject = Subject::new(Role::Map, &*self.settings.names.map, &FLAGS);
            let subject = if several {
                Subject::new(Role::Map, map_name(&layer.name), &KEYS).of_layer(&*layer.name)
            } else {
                subject
            };
            let mut found = lint(field, scale, self.rule.steepest());
            note_limit(&mut found, layer.limit, scale);
            found
                .into_iter()
                .filter(|found| is_read || !matches!(found, Diagnostic::Flat { .. }))
                .map(|found| found.about(&subject).to_string())
                .collect::<Vec<_>>()
        })
        .collect()
    }
}

/// Names of options in warnings about a single map.
const FLAGS: Names = Names {
    min_dist: Some("--min-dist"),
    max_dist: Some("--max-dist"),
    limit: Some("--limit"),
    size: Some("--size"),
    ..Names::NONE
};

/// Names of the keys of a species file in warnings.
pub(crate) const KEYS: Names = Names {
    syntax: density::diagnostic::Syntax::Keys,
    no_data: Some("nodata"),
    min_dist: Some("min_dist"),
    max_dist: Some("max_dist"),
    limit: Some("limit"),
    ..Names::NONE
};

fn refused(error: &SampleError) -> Refused {
    Refused::Run(match error {
        SampleError::TooManyPoints { expected, ceiling } => format!(
            "about {} points are expected, more than the {ceiling} that the page shows: raise \
             min_dist, or run the command line",
            density::numbers::short(*expected)
        ),
        other => {
            let option = |name: &str, value: &str| format!("{name} {value}");
            other.refusal(None, &option).to_string()
        }
    })
}

/// Returns the parts of a span that lie on a side of the world. With periodic edges the span
/// continues at the other end.
fn wrapped(lo: f64, hi: f64, size: f64, edges: Edges) -> Vec<[f64; 2]> {
    let cut = |lo: f64, hi: f64| [lo.max(0.0), hi.min(size)];
    let parts = match edges {
        Edges::Open => vec![cut(lo, hi)],
        Edges::Tiled if hi - lo >= size => vec![[0.0, size]],
        Edges::Tiled => vec![
            cut(lo, hi),
            cut(lo + size, hi + size),
            cut(lo - size, hi - size),
        ],
    };
    parts.into_iter().filter(|[lo, hi]| lo < hi).collect()
}

/// Divides a window into squares with sides of about `side`.
fn squares(window: &Bounds<2>, side: f64) -> Vec<Bounds<2>> {
    let (min, max, size) = (window.min(), window.max(), window.size());
    let count = size.map(|s| (s / side).ceil().clamp(1.0, 4096.0) as u32);
    let edge = |axis: usize, i: u32| {
        if i == count[axis] {
            max[axis]
        } else {
            min[axis] + size[axis] * (f64::from(i) / f64::from(count[axis]))
        }
    };
    let mut all = Vec::new();
    for y in 0..count[1] {
        for x in 0..count[0] {
            let corner = |dx: u32, dy: u32| [edge(0, x + dx), edge(1, y + dy)];
            all.extend(Bounds::new(corner(0, 0), corner(1, 1)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_round_a_tile() {
        let tiled = |lo, hi| wrapped(lo, hi, 10.0, Edges::Tiled);
        assert_eq!(tiled(2.0, 5.0), [[2.0, 5.0]]);
        assert_eq!(tiled(-2.0, 5.0), [[0.0, 5.0], [8.0, 10.0]]);
        assert_eq!(tiled(8.0, 13.0), [[8.0, 10.0], [0.0, 3.0]]);
        assert_eq!(tiled(-3.0, 9.0), [[0.0, 10.0]]);
        assert_eq!(wrapped(-2.0, 5.0, 10.0, Edges::Open), [[0.0, 5.0]]);
        assert_eq!(wrapped(-2.0, -1.0, 10.0, Edges::Open).len(), 0);
    }

    #[test]
    fn squares_fill_a_window() {
        let window = Bounds::new([-3.0, 2.0], [7.0, 5.0]).expect("a box");
        let all = squares(&window, 4.0);
        assert_eq!(all.len(), 3);
        let area: f64 = all.iter().map(Bounds::volume).sum();
        assert!((area - 30.0).abs() < 1e-9);
        assert_eq!(all[2].max(), [7.0, 5.0]);
    }
}
