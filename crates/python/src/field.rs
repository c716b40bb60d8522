//! `Field`: the minimum distance of points at each place.

use crate::arrays::{Bits, grid, key, obstacles};
use crate::ground::{Ground, Place, world};
use crate::options::{Shaping, named, noise_refused, range_of, rule_of};
use crate::refused::{Outcome, Refused};
use crate::sampled_field::{SampledField, Shown};
use density::diagnostic::{
    Diagnostic, Names, Role, Subject, Syntax, corners, in_degrees, lint, may_be_degrees,
    misplaced_points, misplaced_polygons, note_limit,
};
use density::ground::{GroundLimits, GroundRegion};
use density::numbers::plain;
use density::polygons::{Outlines, Polygons, system_of_world};
use density::shape::{DistMap, ShapeError, ShapingError, Side, limit};
use density::{
    Bounds, Constant, DistRange, GreyMap, MapOptions, MaskRegion, Perlin, PerlinOptions,
    RadiusField, RadiusMap, Region, Share, White, Within, YAxis,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use sampler::Rule;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names of options in warnings about positions.
const PLACED: Names = Names {
    syntax: Syntax::Keys,
    size: Some("size"),
    origin: Some("origin"),
    y_up: Some("y_up"),
    ..Names::NONE
};

/// Names of options in warnings about a map's distances.
const SHAPED: Names = Names {
    syntax: Syntax::Keys,
    limit: Some("limit"),
    range: Some("range"),
    ..Names::NONE
};

/// Greys that use less than this share of their type's range are told, as the command line tells those
/// of a file.
const NARROW: f64 = 1.0 / 16.0;

/// A shared field of any type.
pub(crate) type Shared = Arc<dyn RadiusField<2>>;

/// A field over a rectangle of the world, or over all of it.
#[pyclass(frozen, module = "spinney_scatter")]
#[derive(Clone)]
pub(crate) struct Field {
    places: Shared,
    world: Option<Bounds<2>>,
    /// The coordinate system of the world, by authority and code.
    crs: Option<String>,
    /// The coordinate system of the polygons, if nothing else of the field may have a place.
    polygons_crs: Option<String>,
    y_axis: YAxis,
    range: DistRange,
    pixels: Option<Pixels>,
    /// The warning about greys that use little of their type's range.
    narrow: Option<Diagnostic>,
    /// The options whose values close places.
    closed_by: Vec<&'static str>,
    ground: Option<Arc<Py<Ground>>>,
    /// A number of the values that made the field. Equal numbers mean equal fields, but for one chance in 2^64.
    key: u64,
    /// The limit of the map's distances.
    limit: Option<f64>,
    /// Whether a warning said that the ground allows no point.
    is_closed: bool,
}

/// The pixels of a map, after its tone and limit, before regions close parts of it.
#[derive(Clone)]
enum Pixels {
    Greys(Arc<RadiusMap>),
    /// Distances at full precision, and the meaning of white.
    Distances(Arc<DistMap>, White),
}

#[pymethods]
impl Field {
    /// Returns the field of a map of 16-bit greys. Points may lie where `open` is true. `white` is the
    /// number that was white in the array; `None` if the caller gave the range.
    #[staticmethod]
    fn greys(
        py: Python<'_>,
        values: PyReadonlyArray2<'_, u16>,
        open: Option<PyReadonlyArray2<'_, bool>>,
        white: Option<f64>,
        place: Place,
        shaping: Shaping,
    ) -> PyResult<Self> {
        let (greys, [width, height]) = grid("map", &values)?;
        let open = open.map(|open| grid("map", &open)).transpose()?;
        let made = py.detach(move || {
            let (world, y_axis) = world(place)?;
            let range = shaping.range()?;
            let open = open.map(|(open, _)| open);
            let about = format!("{place:?} {shaping:?}");
            let key = key((&greys, &open, about, width));
            let narrow = white.and_then(|white| narrow(&greys, open.as_deref(), white));
            let map = GreyMap::new(width, height, greys, open)
                .map_err(|e| Refused::new(format!("map: {e}")))?;
            let closed_by = closing("map", map.mask().is_some());
            let options = MapOptions {
                white: shaping.white()?,
                bounds: Some(world),
                y_axis,
            };
            let field = shaping.steps()?.field(map, range, options);
            let field = Arc::new(field.map_err(|e| match e {
                ShapingError::Size(..) => pixel_size(world),
                e => Refused::new(e),
            })?);
            Ok::<_, Refused>(Self {
                pixels: Some(Pixels::Greys(Arc::clone(&field))),
                narrow,
                closed_by,
                limit: shaping.limit,
                ..Self::over(field, Some(world), y_axis, key)
            })
        });
        Ok(made?)
    }

    /// Returns the field of a map of values in [0, 1] at full precision. NaN closes a pixel.
    #[staticmethod]
    fn values(
        py: Python<'_>,
        values: PyReadonlyArray2<'_, f64>,
        place: Place,
        shaping: Shaping,
    ) -> PyResult<Self> {
        let (values, size) = grid("map", &values)?;
        let made = py.detach(move || {
            let (world, y_axis) = world(place)?;
            let range = shaping.range()?;
            let white = shaping.white()?;
            let steps = shaping.steps()?;
            let tone = steps.tone(range, white).map_err(Refused::new)?;
            let key = key((Bits(&values), size, format!("{place:?} {shaping:?}")));
            let distance = |value: f64| {
                if value.is_nan() {
                    return f64::NAN;
                }
                let value = value.clamp(0.0, 1.0);
                let value = tone.as_ref().map_or(value, |tone| {
                    // Any tone has 65536 steps.
                    let full = f64::from(u16::MAX);
                    f64::from(tone.grey((value * full).round() as u16)) / full
                });
                range.at(white.sparseness(value))
            };
            let distances: Vec<f64> = values.into_iter().map(distance).collect();
            let shown = (Some(range), Shown::Grey(white));
            sampled(
                "map",
                distances,
                size,
                (world, y_axis),
                shown,
                steps.limit,
                key,
            )
        });
        Ok(made?)
    }

    /// Returns the field of an array of distances. NaN closes a pixel.
    #[staticmethod]
    fn distances(
        py: Python<'_>,
        values: PyReadonlyArray2<'_, f64>,
        place: Place,
        limit: Option<f64>,
        limit_keep: &str,
    ) -> PyResult<Self> {
        let keep = named("limit_keep", limit_keep, &Side::ALL, Side::name)?;
        let (distances, size) = grid("array", &values)?;
        let made = py.detach(move || {
            let (world, y_axis) = world(place)?;
            let shown = (None, Shown::Distance);
            let slope = limit.map(|slope| (slope, keep));
            let key = key((Bits(&distances), size, format!("{place:?} {slope:?}")));
            let world = (world, y_axis);
            sampled("array", distances, size, world, shown, slope, key)
        });
        Ok(made?)
    }

    /// Returns a field with one distance everywhere.
    #[staticmethod]
    fn constant(min_dist: f64) -> PyResult<Self> {
        let field = Constant::new(min_dist).map_err(|_| {
            Refused::option(
                "min_dist",
                plain(min_dist),
                "must be a positive finite number",
            )
        })?;
        let key = key(min_dist.to_bits());
        Ok(Self::over(Arc::new(field), None, YAxis::Up, key))
    }

    /// Returns the field of endless Perlin noise.
    #[staticmethod]
    fn noise(
        min_dist: f64,
        max_dist: f64,
        white: &str,
        seed: u64,
        scale: f64,
        octaves: u32,
        lacunarity: f64,
        persistence: f64,
    ) -> PyResult<Self> {
        let options = PerlinOptions {
            seed,
            frequency: 1.0 / scale,
            octaves,
            lacunarity,
            persistence,
            white: named("white", white, &White::ALL, White::name)?,
            ..PerlinOptions::default()
        };
        let range = range_of(min_dist, max_dist)?;
        let field = Perlin::new(range, options).map_err(|e| noise_refused(scale, e))?;
        let key = key(format!("{options:?} {range:?}"));
        Ok(Self::over(Arc::new(field), None, YAxis::Up, key))
    }

    /// Returns the field in the coordinate system `crs`, given by authority and code.
    fn in_system(&self, crs: String) -> Self {
        Self {
            crs: Some(crs),
            ..self.clone()
        }
    }

    /// Returns the field restricted to the places where `open` is true. The array covers the rectangle `place`, at
    /// any resolution.
    fn where_open(
        &self,
        py: Python<'_>,
        open: PyReadonlyArray2<'_, bool>,
        place: Place,
    ) -> PyResult<Self> {
        let whole = self.rectangle("mask")?;
        let about = format!("{place:?}");
        let (place, y_axis) = world(place)?;
        let (open, [width, height]) = grid("mask", &open)?;
        let key = key((self.key, &open, about, width));
        let options = MapOptions {
            bounds: Some(place),
            y_axis,
            ..MapOptions::default()
        };
        let made = py.detach(move || {
            let greys = vec![u16::MAX; open.len()];
            GreyMap::new(width, height, greys, Some(open))
                .map_err(ShapeError::from)
                .and_then(|map| MaskRegion::new(&map, 1.0, options))
                .map_err(|e| Refused::new(format!("mask: {e}")))
        });
        let field = self.within("mask", made?, key);
        Ok(field.inside_of("mask", place, whole))
    }

    /// Returns the field restricted to the polygons of `GeoJSON` texts, in world units, and warnings
    /// about their position. `said` is true if the caller gave `y_up`, and `alone` if nothing else of the field may have a
    /// place.
    fn inside(
        &self,
        py: Python<'_>,
        texts: Vec<String>,
        said: bool,
        alone: bool,
    ) -> PyResult<(Self, Vec<String>)> {
        let world = self.rectangle("polygons")?;
        let crs = self.crs.as_deref();
        let made = py.detach(|| {
            let failed =
                |problem: &dyn std::fmt::Display| Refused::new(format!("polygons: {problem}"));
            let (mut all, mut others) = (Vec::new(), Vec::new());
            let mut systems = BTreeSet::new();
            for text in &texts {
                let outlines = Outlines::from_geojson(text).map_err(|e| failed(&e))?;
                others.extend(outlines.other_system(crs));
                systems.extend(outlines.crs);
                all.extend(outlines.polygons);
            }
            let polygons = Polygons::new(all).map_err(|e| failed(&e))?;
            if polygons.share_in(&world) == Share::None {
                if let Some(Diagnostic::OtherSystem { own, map }) = others.first() {
                    return Err(failed(&format!(
                        "no polygon lies in the world: they are in {own}, the map in {map}; \
                         reproject them with GeoDataFrame.to_crs"
                    )));
                }
                let advice = if may_be_degrees(&world, &polygons.bounds()) {
                    ", which look like degrees: reproject them into the map's system with \
                     GeoDataFrame.to_crs or ogr2ogr -t_srs"
                } else {
                    ": give size and origin, or move them"
                };
                let [world, own] = [world, polygons.bounds()].map(|b| corners(&b));
                return Err(failed(&format!(
                    "no polygon lies in the world, which covers {world}; the polygons cover \
                     {own}{advice}"
                )));
            }
            if crs.is_none() {
                let mut systems = systems.iter();
                others.extend(systems.find_map(|system| in_degrees(system, &polygons.bounds())));
            }
            Ok((polygons, others, system_of_world(&systems, self.y_axis)))
        });
        let (polygons, mut found, system) = made?;
        found.extend(misplaced_polygons(&world, self.y_axis, &polygons.bounds()));
        if said {
            found.retain(|found| *found != Diagnostic::RowsDown);
        }
        let subject = Subject::new(Role::Polygon, "polygons", &PLACED);
        let field = Self {
            polygons_crs: system.filter(|_| alone),
            ..self.within("polygons", polygons, key((self.key, texts)))
        };
        Ok((field, told(found, &subject)))
    }

    /// Returns warnings about a map's greys and its distances, multiplied by `factor`, under a rule; none for
    /// other fields. Also returns `true` if one of them, or of the ground, says that no point is allowed. `layer`
    /// names one of several maps. `endless` omits the comparison with the map's size, and maps that are closed
    /// everywhere.
    fn distances_told(
        &self,
        py: Python<'_>,
        rule: &str,
        factor: f64,
        layer: Option<String>,
        endless: bool,
    ) -> PyResult<(Vec<String>, bool)> {
        let rule = rule_of(rule)?;
        let mut subject = Subject::new(Role::Map, "map", &SHAPED);
        if let Some(layer) = layer {
            subject = subject.of_layer(layer);
        }
        let mut found = py.detach(|| self.linted(factor, rule));
        note_limit(&mut found, self.limit, factor);
        // An empty window of a world is no surprise.
        let of_world = |d: &_| matches!(d, Diagnostic::Nowhere | Diagnostic::AboveMap { .. });
        found.retain(|found| !endless || !of_world(found));
        let is_closed = self.is_closed || found.contains(&Diagnostic::Nowhere);
        let found = self.narrow.clone().into_iter().chain(found);
        Ok((told(found, &subject), is_closed))
    }

    /// Returns the field restricted to places where the ground's slope (degrees) and altitude lie in
    /// these ranges, and warnings.
    fn on_ground(
        &self,
        py: Python<'_>,
        ground: Py<Ground>,
        slope: Option<(f64, f64)>,
        altitude: Option<(f64, f64)>,
    ) -> PyResult<(Self, Vec<String>)> {
        let limits = GroundLimits {
            slope: slope.map(|(lo, hi)| span("slope", lo, hi)).transpose()?,
            altitude: altitude
                .map(|(lo, hi)| span("altitude", lo, hi))
                .transpose()?,
        };
        let heights = ground.get().heights();
        let (place, cells) = (ground.get().bounds()?, ground.get().cells(py));
        let (region, closed) = py.detach(|| {
            let region = GroundRegion::new(heights, limits);
            let closed = region.closed(place, cells);
            (region, closed)
        });
        let key = key((
            self.key,
            ground.get().key(),
            format!("{slope:?} {altitude:?}"),
        ));
        let mut field = self.within("height", region, key);
        if slope.is_none() && altitude.is_none() {
            field.closed_by.clone_from(&self.closed_by);
        }
        let field = Self {
            ground: Some(Arc::new(ground)),
            is_closed: closed.is_some(),
            ..field.inside_of("height", place, self.world.unwrap_or(place))
        };
        let subject = Subject::new(Role::Height, "height", &PLACED);
        Ok((field, told(closed, &subject)))
    }

    /// Returns the minimum distance at a place, or `None` where no point may lie.
    #[pyo3(name = "min_dist_at")]
    fn py_min_dist(&self, x: f64, y: f64) -> Option<f64> {
        (x.is_finite() && y.is_finite())
            .then(|| self.places.min_dist([x, y]))
            .flatten()
    }

    /// The rectangle of the world that the field covers, `(x0, y0, x1, y1)`; `None` if it is endless.
    #[getter]
    fn bounds(&self) -> Option<(f64, f64, f64, f64)> {
        let (min, max) = (self.world?.min(), self.world?.max());
        Some((min[0], min[1], max[0], max[1]))
    }

    /// The least and the greatest distance.
    #[getter]
    fn range(&self) -> (f64, f64) {
        (self.range.lo(), self.range.hi())
    }

    /// The coordinate system of the world, like `EPSG:32633`; `None` if unknown.
    #[getter]
    fn crs(&self) -> Option<&str> {
        self.crs.as_deref()
    }

    /// The coordinate system of the polygons, if nothing else of the field may have a place; `None` if unknown.
    #[getter]
    fn polygons_crs(&self) -> Option<&str> {
        self.polygons_crs.as_deref()
    }

    /// The options whose values close places, in the order in which they were applied.
    #[getter]
    fn closed_by(&self) -> Vec<&'static str> {
        self.closed_by.clone()
    }

    /// The ground that points stand on, if there is one.
    #[getter]
    fn ground(&self, py: Python<'_>) -> Option<Py<Ground>> {
        self.ground.as_ref().map(|ground| ground.clone_ref(py))
    }

    /// Whether y runs up in the picture of the field.
    #[getter]
    fn y_up(&self) -> bool {
        self.y_axis == YAxis::Up
    }
}

/// Returns warnings about points to avoid that lie outside a world. Each has its own distance.
#[pyfunction]
pub(crate) fn avoid_told(
    xy: PyReadonlyArray2<'_, f64>,
    min_dist: PyReadonlyArray1<'_, f64>,
    world: (f64, f64, f64, f64),
) -> PyResult<Vec<String>> {
    let (world, _) = crate::ground::world((world, true))?;
    let points = obstacles(&xy, &min_dist)?;
    let points = points.into_iter().map(|o| (o.position, o.min_dist));
    let subject = Subject::new(Role::Avoid, "avoid", &PLACED);
    Ok(told(misplaced_points(&world, points), &subject))
}

/// Returns the sentences of diagnostics about a subject.
pub(crate) fn told(found: impl IntoIterator<Item = Diagnostic>, subject: &Subject) -> Vec<String> {
    let told = found.into_iter().map(|d| d.about(subject).to_string());
    told.collect()
}

impl Field {
    fn over(field: Shared, world: Option<Bounds<2>>, y_axis: YAxis, key: u64) -> Self {
        Self {
            range: field.range(),
            places: field,
            world,
            crs: None,
            polygons_crs: None,
            y_axis,
            pixels: None,
            narrow: None,
            closed_by: Vec::new(),
            ground: None,
            key,
            limit: None,
            is_closed: false,
        }
    }

    /// Returns the field restricted to a region, which `option` gave.
    fn within(
        &self,
        option: &'static str,
        region: impl density::Region<2> + 'static,
        key: u64,
    ) -> Self {
        let mut closed_by = self.closed_by.clone();
        if !closed_by.contains(&option) {
            closed_by.push(option);
        }
        Self {
            places: Arc::new(Within::new(self.shared(), region)),
            closed_by,
            key,
            ..self.clone()
        }
    }

    /// Returns the field restricted to the rectangle of an array, if that covers only a part of the world.
    fn inside_of(&self, option: &'static str, place: Bounds<2>, world: Bounds<2>) -> Self {
        if place.encloses(&world) {
            self.clone()
        } else {
            self.within(option, place, self.key)
        }
    }

    /// Returns diagnostics of the map's distances, multiplied by `factor`.
    fn linted(&self, factor: f64, rule: Rule) -> Vec<Diagnostic> {
        match &self.pixels {
            None => Vec::new(),
            Some(Pixels::Greys(map)) => lint(map, factor, rule.steepest()),
            Some(Pixels::Distances(map, white)) => {
                let options = MapOptions {
                    white: *white,
                    bounds: self.world,
                    y_axis: self.y_axis,
                };
                // Rounds to greys as the command line does. If memory is insufficient, warnings are
                // omitted: the run itself has succeeded.
                let Ok(greys) = map.to_map(self.range, *white) else {
                    return Vec::new();
                };
                let Ok(field) = RadiusMap::new(greys, self.range, options) else {
                    return Vec::new();
                };
                let mut found = lint(&field, factor, rule.steepest());
                // Rounding may merge several distances into one grey. A range of one distance is flat in
                // any case.
                let is_flat = self.range.lo() < self.range.hi()
                    && map.extremes().is_some_and(|all| all.lo() == all.hi());
                found.retain(|d| is_flat || !matches!(d, Diagnostic::Flat { .. }));
                found
            }
        }
    }

    /// Returns the field itself.
    pub(crate) fn shared(&self) -> Shared {
        Arc::clone(&self.places)
    }

    /// Returns `true` if both fields were made of the same values.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.key == other.key
    }

    /// Returns the rectangle that the field covers. `option` names the option that needs a rectangle.
    pub(crate) fn rectangle(&self, option: &str) -> Outcome<Bounds<2>> {
        self.world.ok_or_else(|| {
            Refused::new(format!(
                "{option}: the field is endless, so this has no place on it: give a map"
            ))
        })
    }
}

/// Returns the list of options that close places, with one or none.
fn closing(option: &'static str, closes: bool) -> Vec<&'static str> {
    if closes { vec![option] } else { Vec::new() }
}

/// Returns a warning if the open pixels of a map, read as greys up to `white`, would be nearly black.
fn narrow(greys: &[u16], open: Option<&[bool]>, white: f64) -> Option<Diagnostic> {
    let is_open = |at: usize| open.is_none_or(|open| open.get(at) == Some(&true));
    let greys = || {
        (0..)
            .zip(greys)
            .filter(|&(at, _)| is_open(at))
            .map(|(_, &grey)| grey)
    };
    let found = [greys().min()?, greys().max()?];
    let found = found.map(|grey| f64::from(grey) * white / f64::from(u16::MAX));
    let width = found[1] - found[0];
    (width > 0.0 && width < NARROW * white).then_some(Diagnostic::NarrowLevels { found, white })
}

fn span(option: &str, lo: f64, hi: f64) -> Outcome<[f64; 2]> {
    if lo.is_finite() && hi.is_finite() && lo <= hi {
        return Ok([lo, hi]);
    }
    let value = format!("{}..{}", plain(lo), plain(hi));
    let problem = "give two numbers, the lower first, like (0.5, 20)";
    Err(Refused::option(option, value, problem))
}

pub(crate) fn pixel_size(world: Bounds<2>) -> Refused {
    let [width, height] = world.size().map(plain);
    let problem = "the map's pixels would be too small or too large to compute with";
    Refused::option("size", format!("{width}x{height}"), problem)
}

/// Builds the field of an array of distances, row by row, after its limit. NaN closes a pixel.
fn sampled(
    name: &'static str,
    distances: Vec<f64>,
    size: [u32; 2],
    (world, y_axis): (Bounds<2>, YAxis),
    (range, shown): (Option<DistRange>, Shown),
    slope: Option<(f64, Side)>,
    key: u64,
) -> Outcome<Field> {
    let closed_by = closing(name, distances.iter().any(|d| d.is_nan()));
    let pixel = [0, 1].map(|axis: usize| world.size()[axis] / f64::from(size[axis]));
    let map = DistMap::from_distances(size, pixel, distances)
        .map_err(|e| Refused::new(format!("{name}: {e}")))?;
    let map = match slope {
        None => map,
        Some((slope, keep)) => {
            limit(&map, slope, keep).map_err(|e| Refused::option("limit", plain(slope), e))?
        }
    };
    let map = Arc::new(map);
    let field = SampledField::new(Arc::clone(&map), world, y_axis, range, shown);
    let field = field.ok_or_else(|| pixel_size(world))?;
    let pixels = match shown {
        Shown::Grey(white) => Some(Pixels::Distances(map, white)),
        Shown::Distance => None,
    };
    Ok(Field {
        pixels,
        closed_by,
        limit: slope.map(|(slope, _)| slope),
        ..Field::over(Arc::new(field), Some(world), y_axis, key)
    })
}
