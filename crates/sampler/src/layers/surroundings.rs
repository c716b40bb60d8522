//! How much around a window has to be known of earlier layers.

use super::apart::Keep;
use crate::boxes::{grown, hull};
use density::{Bounds, RadiusField};

/// Of what the surroundings are widened by when they were too narrow.
pub(super) const WIDEN: f64 = 1.6;

/// What is known of one layer. `None`: everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<const D: usize> {
    /// Where its points are made.
    pub(super) points: Option<Bounds<D>>,
    /// Where it knows all that it keeps off.
    pub(super) field: Option<Bounds<D>>,
}

/// What has to be known of each layer for all points in a window: `fields` are in the order of
/// deciding, `keeps` is what the layer in the second place keeps from that in the first, `reach`
/// how far a layer asks its field.
pub(super) fn surroundings<const D: usize, F: RadiusField<D>>(
    fields: &[F],
    keeps: &dyn Fn(usize, usize) -> Keep,
    window: &Bounds<D>,
    domain: Option<&Bounds<D>>,
    reach: f64,
) -> Vec<Known<D>> {
    let mut points = vec![*window; fields.len()];
    let mut known = Vec::new();
    for later in (0..fields.len()).rev() {
        let field = &fields[later];
        let local = |place: &Bounds<D>, by: f64| {
            let near = field.range_in(&grown(place, by));
            near.map_or(0.0, |near| near.range.hi())
        };
        let wanted = points[later];
        let most = local(&wanted, reach * field.range().hi());
        let asked = grown(&wanted, reach * most);
        for earlier in 0..later {
            let keep = keeps(earlier, later);
            let widest = keep.distance(fields[earlier].range().hi(), most);
            if widest == 0.0 || most == 0.0 {
                continue;
            }
            // And what rounding may take away.
            let near = grown(&asked, widest + 1e-5 * (widest + field.range().hi()));
            points[earlier] = hull(&points[earlier], &near);
        }
        known.push(Known {
            points: unless_all(wanted, domain),
            field: unless_all(asked, domain),
        });
    }
    known.reverse();
    known
}

/// The place, unless it holds the domain.
fn unless_all<const D: usize>(place: Bounds<D>, domain: Option<&Bounds<D>>) -> Option<Bounds<D>> {
    let holds = |domain: &&Bounds<D>| {
        (0..D).all(|a| place.min()[a] <= domain.min()[a] && domain.max()[a] <= place.max()[a])
    };
    match domain.filter(holds) {
        Some(_) => None,
        None => Some(place),
    }
}
