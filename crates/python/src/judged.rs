//! `verify`: measures the quality of points.

use crate::engine;
use crate::field::{Field, Shared};
use crate::options::rule_of;
use crate::refused::{Outcome, Refused};
use crate::{arrays, runs, watch};
use density::Scaled;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use quality::layers::{LayersClaim, judge_layers};
use quality::{Claim, Columns, Domain, Edges, Measures, PointSet, judge};
use std::sync::Arc;

/// Points to avoid, and the distance of each.
type Avoid<'py> = (PyReadonlyArray2<'py, f64>, PyReadonlyArray1<'py, f64>);

/// Judges points, and returns the report as JSON. Points to avoid close places of `field`; without a
/// field they are ignored.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    xy: PyReadonlyArray2<'_, f64>,
    id: Option<PyReadonlyArray1<'_, u64>>,
    min_dist: Option<PyReadonlyArray1<'_, f64>>,
    rank: Option<PyReadonlyArray1<'_, u32>>,
    parent: Option<PyReadonlyArray1<'_, i64>>,
    field: Option<&Field>,
    scale_factor: f64,
    uniform: Option<f64>,
    avoid: Option<Avoid<'_>>,
    bounds: (f64, f64, f64, f64),
    tile: bool,
    rule: &str,
    all: bool,
) -> PyResult<String> {
    let rule = rule_of(rule)?;
    let columns = Columns {
        positions: positions(&xy),
        ids: id.map(|id| id.as_array().to_vec()),
        min_dist: min_dist.map(|d| d.as_array().to_vec()),
        // -1 stands for no parent.
        parents: parent.map(|p| {
            p.as_array()
                .iter()
                .map(|&p| u64::try_from(p).ok())
                .collect()
        }),
        ranks: rank.map(|r| r.as_array().iter().map(|&r| u64::from(r)).collect()),
        layers: None,
    };
    let domain = domain(bounds, tile)?;
    let measures = if all {
        Measures::All
    } else {
        Measures::Spacing
    };
    let field = field.map(Field::shared);
    let clear = clear_of(avoid, rule, &domain)?;
    let judged = watch::run(py, None, None, move |_| {
        let set = PointSet::new(columns).map_err(refused)?;
        let asked = field.map(|field| clear(scaled(field, scale_factor)?));
        let asked = asked.transpose()?;
        let claim = match (&asked, uniform) {
            (Some(field), _) => Claim::Field(field),
            (None, Some(distance)) => Claim::Uniform(distance),
            (None, None) => Claim::Column,
        };
        let judgement = judge(&set, &[], &domain, claim, rule, measures).map_err(refused)?;
        serde_json::to_string(&judgement.report).map_err(refused)
    })?;
    Ok(judged?)
}

/// Judges points of several layers, and returns the report as JSON. `apart` holds pairs of layer numbers
/// with the distance between their points.
#[pyfunction]
pub(crate) fn verify_layers(
    py: Python<'_>,
    xy: PyReadonlyArray2<'_, f64>,
    id: PyReadonlyArray1<'_, u64>,
    layer: PyReadonlyArray1<'_, u32>,
    fields: Vec<PyRef<'_, Field>>,
    apart: Vec<(usize, usize, f64)>,
    scale_factor: f64,
    avoid: Option<Avoid<'_>>,
    bounds: (f64, f64, f64, f64),
    tile: bool,
    rule: &str,
) -> PyResult<String> {
    let rule = rule_of(rule)?;
    let columns = Columns {
        positions: positions(&xy),
        ids: Some(id.as_array().to_vec()),
        layers: Some(layer.as_array().iter().map(|&l| u64::from(l)).collect()),
        ..Columns::default()
    };
    let domain = domain(bounds, tile)?;
    let apart = engine::apart(fields.len(), &apart)?;
    let apart = apart.scaled(scale_factor).map_err(refused)?;
    let fields: Vec<Shared> = fields.iter().map(|field| field.shared()).collect();
    let clear = clear_of(avoid, rule, &domain)?;
    let judged = watch::run(py, None, None, move |_| {
        let set = PointSet::new(columns).map_err(refused)?;
        let fields = fields.into_iter();
        let fields = fields.map(|field| clear(scaled(field, scale_factor)?));
        let fields: Vec<Shared> = fields.collect::<Outcome<_>>()?;
        let claim = LayersClaim {
            fields: fields.iter().map(|field| &**field as _).collect(),
            rule,
            apart: &|a, b| apart.get(a, b),
        };
        let report = judge_layers(&set, &domain, &claim, Measures::Spacing).map_err(refused)?;
        serde_json::to_string(&report).map_err(refused)
    })?;
    Ok(judged?)
}

fn positions(xy: &PyReadonlyArray2<'_, f64>) -> Vec<[f64; 2]> {
    let rows = xy.as_array();
    rows.rows().into_iter().map(|p| [p[0], p[1]]).collect()
}

fn domain(bounds: (f64, f64, f64, f64), tile: bool) -> Outcome<Domain<2>> {
    Ok(Domain {
        bounds: runs::window(bounds)?,
        edges: if tile { Edges::Torus } else { Edges::Open },
    })
}

fn scaled(field: Shared, factor: f64) -> Outcome<Shared> {
    Ok(Arc::new(Scaled::new(field, factor).map_err(refused)?))
}

/// Returns a function that closes a field around points to avoid, if there are any.
fn clear_of(
    avoid: Option<Avoid<'_>>,
    rule: quality::Rule,
    domain: &Domain<2>,
) -> Outcome<impl Fn(Shared) -> Outcome<Shared> + use<>> {
    let there = avoid.map(|(xy, min_dist)| arrays::obstacles(&xy, &min_dist));
    let there = there.transpose()?;
    let tile = (domain.edges == Edges::Torus).then_some(domain.bounds);
    Ok(move |field| match &there {
        None => Ok(field),
        Some(there) => Ok(engine::avoiding(field, rule, there.clone(), tile)?),
    })
}

fn refused(problem: impl std::fmt::Display) -> Refused {
    Refused::new(format!("points: {problem}"))
}
