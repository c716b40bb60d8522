//! What is generic in the number of dimensions alone, compiled in this crate for test builds.
//!
//! With little optimisation, programs share what a crate below them has compiled. Without these two,
//! every program that judges points would compile the judge again.

use crate::{
    Claim, Columns, Domain, Judgement, LayersClaim, LayersReport, Measures, PointSet, QualityError,
    Rule, judge, judge_layers,
};

#[expect(dead_code, reason = "to be compiled, not to be called")]
static PLANE: All<2> = all;

#[expect(dead_code, reason = "to be compiled, not to be called")]
static SPACE: All<3> = all;

type All<const D: usize> = fn(
    Columns<D>,
    &Domain<D>,
    Claim<'_, D>,
    &LayersClaim<'_, D>,
    Measures,
) -> Result<(Judgement, LayersReport), QualityError>;

fn all<const D: usize>(
    columns: Columns<D>,
    domain: &Domain<D>,
    claim: Claim<'_, D>,
    layers: &LayersClaim<'_, D>,
    measures: Measures,
) -> Result<(Judgement, LayersReport), QualityError> {
    let set = PointSet::new(columns).map_err(|_| QualityError::LayersByParent)?;
    let judgement = judge(&set, &[], domain, claim, Rule::Max, measures)?;
    Ok((judgement, judge_layers(&set, domain, layers)?))
}
