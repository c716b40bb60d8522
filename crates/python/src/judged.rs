//! `verify`: how good a set of points is.

use crate::field::{Field, rule_of};
use crate::refused::Refused;
use crate::{runs, watch};
use density::Scaled;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use quality::{Claim, Columns, Domain, Edges, Measures, PointSet, judge};

/// Judges points, and returns the report as JSON.
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
    bounds: (f64, f64, f64, f64),
    tile: bool,
    rule: &str,
    all: bool,
) -> PyResult<String> {
    let rule = rule_of(rule)?;
    let columns = Columns {
        positions: xy
            .as_array()
            .rows()
            .into_iter()
            .map(|p| [p[0], p[1]])
            .collect(),
        ids: id.map(|id| id.as_array().to_vec()),
        min_dist: min_dist.map(|d| d.as_array().to_vec()),
        // -1 where there is none.
        parents: parent.map(|p| {
            p.as_array()
                .iter()
                .map(|&p| u64::try_from(p).ok())
                .collect()
        }),
        ranks: rank.map(|r| r.as_array().iter().map(|&r| u64::from(r)).collect()),
        layers: None,
    };
    let domain = Domain {
        bounds: runs::window(bounds)?,
        edges: if tile { Edges::Torus } else { Edges::Open },
    };
    let measures = if all {
        Measures::All
    } else {
        Measures::Spacing
    };
    let field = field.map(Field::shared);
    let judged = watch::run(py, None, None, move |_| {
        let refused = |e: &dyn std::fmt::Display| Refused::new(format!("points: {e}"));
        let set = PointSet::new(columns).map_err(|e| refused(&e))?;
        let scaled = field.map(|field| Scaled::new(field, scale_factor));
        let scaled = scaled.transpose().map_err(|e| refused(&e))?;
        let claim = match (&scaled, uniform) {
            (Some(field), _) => Claim::Field(field),
            (None, Some(distance)) => Claim::Uniform(distance),
            (None, None) => Claim::Column,
        };
        let judgement =
            judge(&set, &[], &domain, claim, rule, measures).map_err(|e| refused(&e))?;
        serde_json::to_string(&judgement.report).map_err(|e| refused(&e))
    })?;
    Ok(judged?)
}
