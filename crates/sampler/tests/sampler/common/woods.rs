//! Layers that depend on each other, of fields that count their evaluations.

use crate::common::checker::Fixed;
use crate::common::counting::{Asked, Counting};
use crate::common::layers::table;
use crate::common::{even, range};
use sampler::density::{Bounds, GridField, GridRegion, RadiusField, Region};
use sampler::{Apart, Edges, Layer, Scatter, ScatterOptions, World};
use spinney_sampler as sampler;
use std::sync::Arc;

pub(crate) type Field<const D: usize> = Arc<dyn RadiusField<D>>;

/// Makes a field or a region count its evaluations.
fn counted<F>(of: F, asked: &Asked) -> Arc<Counting<F>> {
    let asked = asked.clone();
    Arc::new(Counting { of, asked })
}

/// Returns hills without an end. They are lower in 3D, as surroundings grow with the cube of the
/// greatest distance over the least.
pub(crate) fn hills<const D: usize>(lo: f64, hi: f64, asked: &Asked) -> Field<D> {
    let hi = if D < 3 { hi } else { lo + 0.25 * (hi - lo) };
    let field = GridField::new(range(lo, hi), 0.5 * lo, move |p: [f64; D]| {
        let wave = |a: usize| ((p[a] / (9.0 * hi) + 0.3 * a as f64).rem_euclid(2.0) - 1.0).abs();
        let height = (0..D).map(wave).sum::<f64>() / D as f64;
        lo + (hi - lo) * height
    });
    counted(field.expect("a field"), asked)
}

/// Returns stripes across an axis, open and closed alternately.
fn stripes<const D: usize>(axis: usize, width: f64, asked: &Asked) -> Arc<dyn Region<D>> {
    let region = GridRegion::new(0.25 * width, move |p: [f64; D]| {
        (p[axis] / width).rem_euclid(2.0) < 1.3
    });
    counted(region.expect("a region"), asked)
}

/// Layers and the distances between them.
#[derive(Clone)]
pub(crate) struct Wood<const D: usize> {
    pub(crate) layers: Vec<Layer<'static, D>>,
    pub(crate) fixed: Vec<Fixed>,
}

impl<const D: usize> Wood<D> {
    fn apart(&self) -> Apart {
        table(self.layers.len(), &self.fixed)
    }

    pub(crate) fn bounded(
        &self,
        domain: Bounds<D>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Scatter<'static, D> {
        let layers = self.layers.clone();
        Scatter::layered(layers, self.apart(), domain, edges, options).expect("a run")
    }

    pub(crate) fn endless(&self, options: ScatterOptions) -> World<D> {
        World::layered(self.layers.clone(), self.apart(), options).expect("a world")
    }
}

/// Returns three layers that depend on each other, in every way possible.
pub(crate) fn woods<const D: usize>(asked: &Asked) -> Vec<Wood<D>> {
    let layer = |turn, share, field: &Field<D>| Layer {
        turn,
        share,
        ..Layer::of(Arc::clone(field))
    };
    let [large, middle] = [hills(1.6, 2.4, asked), hills(1.0, 1.8, asked)];
    let small: Field<D> = counted(even(0.9), asked);
    let inside = |layer: Layer<'static, D>, axis, width| Layer {
        region: Some(stripes(axis, width, asked)),
        ..layer
    };
    vec![
        // All share one turn, by the conflict rule.
        Wood {
            layers: vec![
                layer(0, 1.0, &large),
                layer(0, 2.0, &middle),
                layer(0, 1.0, &small),
            ],
            fixed: vec![],
        },
        // Two share, with regions; a third comes later, at a fixed distance from one of them.
        Wood {
            layers: vec![
                inside(layer(0, 3.0, &large), 0, 3.0),
                inside(layer(0, 1.0, &middle), 1, 4.0),
                layer(1, 1.0, &small),
            ],
            fixed: vec![(0, 2, 0.7)],
        },
        // Two layers of one field, each in its own region; another shares with both at fixed
        // distances.
        Wood {
            layers: vec![
                inside(layer(0, 1.0, &middle), 0, 3.0),
                inside(layer(0, 2.0, &middle), 1, 4.0),
                layer(0, 1.0, &small),
            ],
            fixed: vec![(0, 2, 0.8), (1, 2, 0.8)],
        },
        // One after the other, the small ones first; two ignore each other.
        Wood {
            layers: vec![
                layer(2, 1.0, &large),
                layer(1, 1.0, &middle),
                inside(layer(0, 1.0, &small), 0, 3.0),
            ],
            fixed: vec![(0, 1, 1.1), (0, 2, 0.0), (1, 2, 0.6)],
        },
    ]
}
