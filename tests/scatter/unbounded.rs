//! Steep fields in space that cannot bound themselves, of which [`property`](super::property) took
//! minutes, or never came to an end: by how often they are asked.

use density::{Bounds, DistRange, LocalRange, RadiusField};
use sampler::{Rule, Scatter, ScatterOptions};
use spinney_tests::fields::{FieldRecipe, Kind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A field that will not be asked for ever.
struct Patient {
    field: Box<dyn RadiusField<3>>,
    asked: AtomicU64,
    most: u64,
}

impl RadiusField<3> for Patient {
    fn min_dist(&self, p: [f64; 3]) -> Option<f64> {
        let asked = self.asked.fetch_add(1, Relaxed);
        assert!(asked < self.most, "asked {asked} times");
        self.field.min_dist(p)
    }

    fn range(&self) -> DistRange {
        self.field.range()
    }

    fn range_in(&self, bounds: &Bounds<3>) -> Option<LocalRange> {
        self.field.range_in(bounds)
    }

    fn mask_detail(&self) -> Option<f64> {
        self.field.mask_detail()
    }
}

/// How many points there are, of a field that is asked `most` times at most.
fn points(recipe: &FieldRecipe, rule: Rule, origin: f64, most: u64) -> usize {
    let field = Patient {
        field: recipe.build(origin, 9.0),
        asked: AtomicU64::new(0),
        most,
    };
    let domain = Bounds::with_origin([origin; 3], [9.0; 3]).expect("a good box");
    let options = ScatterOptions {
        rule,
        seed: recipe.seed,
        ..ScatterOptions::default()
    };
    let scatter = Scatter::new(&field, domain, options).expect("a good run");
    let found = scatter.points().samples.len();
    println!("{recipe:?}: asked {} times", field.asked.load(Relaxed));
    found
}

/// Between the places looked at in a tile less was asked for than at any of them. No candidate is
/// compared for less than that, so all fell; but what none may go to was halved to the end, as
/// nothing covered it for the less that was seen of it later.
#[test]
fn what_is_covered_for_what_the_tile_asks_for_is_not_halved() {
    let recipe = FieldRecipe {
        kind: Kind::Noise,
        least: 0.820_553_994_630_514_3,
        ratio: 2.917_091_615_225_227_3,
        seed: 0x16ca_17f0_729d_76c4,
    };
    let origin = -30.292_198_424_051_968;
    assert_eq!(points(&recipe, Rule::Own, origin, 3_000_000), 254);
}

/// Between the places looked at in a tile more was asked for than at any of them. No candidate that
/// asks for more is accepted there, so nothing covered that: eight times as many parts each round.
#[test]
fn what_asks_for_more_than_the_tile_is_not_halved() {
    let recipe = FieldRecipe {
        kind: Kind::MaskedNoise,
        least: 1.112_436_036_584_263_8,
        ratio: 1.495_972_587_894_997_2,
        seed: 0xaf95_1733_3507_063c,
    };
    let origin = -26.033_183_088_586_426;
    assert_eq!(points(&recipe, Rule::Min, origin, 3_000_000), 230);
}
