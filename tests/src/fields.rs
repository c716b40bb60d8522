//! Random fields for property tests.

use density::{
    Bounds, DistRange, FnField, GreyMap, GridField, MapOptions, Perlin, PerlinOptions, RadiusField,
    RadiusMap, White,
};
use proptest::prelude::*;

/// The parameters of a random field, printed by a failing test.
#[derive(Clone, Debug)]
pub struct FieldRecipe {
    /// The kind of field.
    pub kind: Kind,
    /// The least distance.
    pub least: f64,
    /// The greatest distance as a multiple of the least.
    pub ratio: f64,
    /// Seed of everything random in the field.
    pub seed: u64,
}

/// Kinds of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One distance everywhere.
    Constant,
    /// A map of random greys, bilinear, with high contrast.
    Noise,
    /// A map of random greys of which about half are closed.
    MaskedNoise,
    /// Smooth noise.
    Perlin,
    /// Two distances with a hard edge between them.
    Steps,
    /// Slabs of open places with gaps between them.
    Slabs,
}

/// Returns any useful field for a domain of about 30 by 30.
pub fn recipe() -> impl Strategy<Value = FieldRecipe> {
    let kind = prop::sample::select(vec![
        Kind::Constant,
        Kind::Noise,
        Kind::MaskedNoise,
        Kind::Perlin,
        Kind::Steps,
        Kind::Slabs,
    ]);
    (kind, 0.8..3.0_f64, 1.0..20.0_f64, any::<u64>()).prop_map(|(kind, least, ratio, seed)| {
        FieldRecipe {
            kind,
            least,
            ratio,
            seed,
        }
    })
}

fn grey(seed: u64, x: u32, y: u32) -> u64 {
    let mut z = seed ^ (u64::from(x) << 32 | u64::from(y)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}

impl FieldRecipe {
    fn range(&self) -> DistRange {
        DistRange::new(self.least, self.least * self.ratio).expect("a good range")
    }

    fn map(&self, origin: f64, side: f64) -> RadiusMap {
        let (seed, n) = (self.seed, 12);
        let map = GreyMap::from_fn(n, n, |x, y| {
            let bits = grey(seed, x, y);
            if self.kind == Kind::MaskedNoise && bits & 1 == 1 {
                f64::NAN
            } else {
                (bits >> 8 & 0xff) as f64 / 255.0
            }
        })
        .expect("a good map");
        let bounds = Bounds::with_origin([origin; 2], [side; 2]).expect("a good box");
        let white = if seed & 2 == 0 {
            White::Sparse
        } else {
            White::Dense
        };
        let options = MapOptions {
            white,
            bounds: Some(bounds),
            ..MapOptions::default()
        };
        RadiusMap::new(map, self.range(), options).expect("a good field")
    }

    /// Returns the field over a square. Maps stay bilinear; other fields are built by
    /// [`build`](Self::build).
    ///
    /// # Panics
    /// Never for a recipe from [`recipe`].
    pub fn in_plane(&self, origin: f64, side: f64) -> Box<dyn RadiusField<2>> {
        match self.kind {
            Kind::Noise | Kind::MaskedNoise => Box::new(self.map(origin, side)),
            _ => self.build(origin, side),
        }
    }

    /// Returns the field over a square of the given side at `origin`. A map becomes columns in 3D.
    ///
    /// # Panics
    /// Never for a recipe from [`recipe`].
    pub fn build<const D: usize>(&self, origin: f64, side: f64) -> Box<dyn RadiusField<D>>
    where
        Perlin: RadiusField<D>,
    {
        let range = self.range();
        let (lo, hi) = (range.lo(), range.hi());
        let spacing = side / 48.0;
        match self.kind {
            Kind::Constant => {
                let field = FnField::new(range, 0.0, move |_: [f64; D]| lo);
                Box::new(field.expect("a good field"))
            }
            Kind::Noise => {
                let map = self.map(origin, side);
                let columns = move |p: [f64; D]| map.min_dist([p[0], p[1]]).unwrap_or(hi);
                Box::new(GridField::new(range, spacing, columns).expect("a good field"))
            }
            Kind::MaskedNoise => {
                let map = self.map(origin, side);
                let columns = move |p: [f64; D]| map.min_dist([p[0], p[1]]);
                Box::new(GridField::new(range, spacing, columns).expect("a good field"))
            }
            Kind::Perlin => {
                let options = PerlinOptions {
                    seed: self.seed,
                    frequency: 3.0 / side,
                    ..PerlinOptions::default()
                };
                Box::new(Perlin::new(range, options).expect("a good field"))
            }
            Kind::Steps => {
                let steps = move |p: [f64; D]| {
                    let cells: i64 = p.iter().map(|x| ((x - origin) / side * 4.0) as i64).sum();
                    if cells % 2 == 0 { lo } else { hi }
                };
                Box::new(GridField::new(range, spacing, steps).expect("a good field"))
            }
            Kind::Slabs => {
                let slabs = move |p: [f64; D]| {
                    (((p[0] - origin) / side * 5.0) as i64 % 2 == 0)
                        .then_some(lo + (hi - lo) * (p[1] - origin) / side)
                };
                Box::new(GridField::new(range, spacing, slabs).expect("a good field"))
            }
        }
    }
}
