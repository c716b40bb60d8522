//! The field of an array of distances, at full precision.

use density::shape::DistMap;
use density::{Bounds, Coverage, DistRange, GridField, LocalRange, RadiusField, White, YAxis};
use std::sync::Arc;

/// Meaning of `value` at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown {
    /// Position of the distance in the range, from 0, the least, to 1, the greatest.
    Distance,
    /// The grey of a map with this meaning of white.
    Grey(White),
}

/// The field of distances at the centres of pixels that cover a rectangle of the world, bilinear between
/// them. As in [`RadiusMap`](density::RadiusMap), a pixel without a distance closes its square. Beyond
/// the outermost centres the field is constant across the edge.
///
/// It is a [`GridField`] in units of pixels, with a node for each pixel.
#[derive(Debug)]
pub(crate) struct SampledField {
    pixels: GridField<2>,
    /// The coordinate at which the first pixel begins, and pixels per world unit.
    axes: [(f64, f64); 2],
    range: DistRange,
    closed: bool,
    shown: Shown,
}

impl SampledField {
    /// Creates the field of a map of distances over a rectangle of the world. Distances lie in `range`,
    /// or in the least range that contains them. `None` if the size of a pixel is not a normal number.
    pub(crate) fn new(
        map: Arc<DistMap>,
        world: Bounds<2>,
        y_axis: YAxis,
        range: Option<DistRange>,
        shown: Shown,
    ) -> Option<Self> {
        let (width, height) = (map.width(), map.height());
        let closed = map.distances().iter().any(|r| r.is_nan());
        // Without any distance no point may lie anywhere, and the range is arbitrary.
        let range = range
            .or_else(|| map.extremes())
            .or_else(|| DistRange::new(1.0, 1.0).ok())?;
        let (min, max, size) = (world.min(), world.max(), world.size());
        let mut axes = [0, 1].map(|a| {
            let pixels = f64::from([width, height][a]);
            (min[a], pixels / size[a])
        });
        if axes
            .iter()
            .any(|(_, scale)| !scale.is_normal() || !(1.0 / scale).is_normal())
        {
            return None;
        }
        if y_axis == YAxis::Up {
            axes[1] = (max[1], -axes[1].1);
        }
        let held = |node: f64, count: u32| (node.max(0.0) as u64).min(u64::from(count) - 1);
        let of_node = move |[x, y]: [f64; 2]| {
            let (x, y) = (held(x, width), held(y, height));
            map.distances()
                .get((y * u64::from(width) + x) as usize)
                .copied()
                .filter(|r| !r.is_nan())
        };
        let pixels = GridField::new(range, 1.0, of_node).ok()?;
        Some(Self {
            pixels,
            axes,
            range,
            closed,
            shown,
        })
    }

    /// Converts a place to pixels from the centre of the first. Monotone along each axis, even when
    /// rounded.
    #[inline]
    fn node(&self, p: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|a| {
            let (origin, scale) = self.axes[a];
            (p[a] - origin) * scale - 0.5
        })
    }
}

impl RadiusField<2> for SampledField {
    #[inline]
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        self.pixels.min_dist(self.node(p))
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let (a, b) = (self.node(bounds.min()), self.node(bounds.max()));
        let min = [0, 1].map(|i| a[i].min(b[i]));
        // Both ends are included: rounding, or a reversed axis, may reach either.
        let max = [0, 1].map(|i| a[i].max(b[i]).next_up());
        match Bounds::new(min, max) {
            Ok(nodes) => self.pixels.range_in(&nodes),
            Err(_) => Some(LocalRange {
                range: self.range,
                coverage: Coverage::Part,
            }),
        }
    }

    fn value(&self, p: [f64; 2]) -> f64 {
        let width = self.range.hi() - self.range.lo();
        let share = match self.min_dist(p) {
            Some(r) if width > 0.0 => (r - self.range.lo()) / width,
            Some(_) => 0.0,
            None => return 0.0,
        };
        match self.shown {
            Shown::Grey(White::Dense) => 1.0 - share,
            Shown::Grey(White::Sparse) | Shown::Distance => share,
        }
    }

    fn mask_detail(&self, _: f64) -> Option<f64> {
        let [x, y] = self.axes.map(|(_, scale)| (1.0 / scale).abs());
        self.closed.then(|| x.min(y))
    }
}
