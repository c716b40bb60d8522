//! For any field and any rule, points keep their distance, leave no hole, and windows equal the
//! whole.

use density::{Bounds, RadiusField};
use proptest::prelude::*;
use sampler::{Rule, Sample, Scatter, ScatterOptions, World};
use spinney_tests::check::violations;
use spinney_tests::fields::{FieldRecipe, recipe};
use std::sync::Arc;

/// Test places, as shares of the domain.
type Places<const D: usize> = Vec<[f64; D]>;

/// Windows: a corner and the length of the sides, as shares of the domain.
type Boxes<const D: usize> = Vec<([f64; D], f64)>;

fn rule() -> impl Strategy<Value = Rule> {
    prop::sample::select(&Rule::OF_SCATTER)
}

fn sorted<const D: usize>(mut samples: Vec<Sample<D>>) -> Vec<Sample<D>> {
    samples.sort_unstable_by_key(|s| s.id);
    samples
}

/// Returns `true` if one more point could be accepted at a place after all others.
fn is_free<const D: usize>(
    field: &dyn RadiusField<D>,
    samples: &[Sample<D>],
    rule: Rule,
    p: [f64; D],
) -> bool {
    field.min_dist(p).is_some_and(|r| {
        samples.iter().all(|q| {
            let keep = rule.distance(q.min_dist, r);
            let pairs = p.iter().zip(q.position);
            pairs.map(|(x, y)| (x - y) * (x - y)).sum::<f64>() >= keep * keep
        })
    })
}

fn keeps_its_promises<const D: usize>(
    field: &Arc<dyn RadiusField<D>>,
    options: ScatterOptions,
    [origin, side]: [f64; 2],
    (places, windows): (Places<D>, Boxes<D>),
) -> Result<(), TestCaseError> {
    let rule = options.rule;
    let domain = Bounds::with_origin([origin; D], [side; D]).expect("a good box");
    let scatter = Scatter::new(Arc::clone(field), domain, options).expect("a good run");
    let whole = sorted(scatter.points().expect("memory").samples);
    prop_assert_eq!(violations(&whole, rule), []);
    for sample in &whole {
        prop_assert!(domain.contains(sample.position));
        prop_assert_eq!(field.min_dist(sample.position), Some(sample.min_dist));
    }

    let places = places.iter().map(|p| p.map(|x| origin + side * x));
    let free = places.filter(|&p| is_free(field, &whole, rule, p)).count();
    prop_assert_eq!(free, 0, "of {} points", whole.len());

    // A point takes some hundred bytes, so the budget holds about half of them.
    let world = World::bounded(scatter.clone()).with_budget(150 * whole.len());
    for (at, share) in windows {
        let at = at.map(|x| origin + side * x);
        let window = Bounds::with_origin(at, [share * side; D]).expect("a good box");
        let inside = whole.iter().filter(|s| window.contains(s.position));
        let inside: Vec<Sample<D>> = inside.copied().collect();
        let cold = scatter.points_in(&window).expect("a window");
        prop_assert_eq!(&sorted(cold.samples), &inside, "cold, {:?}", window);
        let warm = world.window(&window).expect("a window");
        prop_assert_eq!(&sorted(warm.samples), &inside, "warm, {:?}", window);
    }
    Ok(())
}

fn looks<const D: usize>() -> impl Strategy<Value = (Places<D>, Boxes<D>)> {
    let place = || std::array::from_fn::<_, D, _>(|_| 0.0..1.0_f64);
    let places = prop::collection::vec(place(), 800);
    let windows = prop::collection::vec((place(), 0.02..0.5_f64), 3);
    (places, windows)
}

fn options(recipe: &FieldRecipe, rule: Rule) -> ScatterOptions {
    ScatterOptions {
        rule,
        seed: recipe.seed,
        ..ScatterOptions::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_field_in_the_plane(
        recipe in recipe(), rule in rule(), origin in -40.0..40.0_f64, looks in looks::<2>(),
    ) {
        let field = recipe.in_plane(origin, 40.0).into();
        keeps_its_promises(&field, options(&recipe, rule), [origin, 40.0], looks)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn any_field_in_space(
        recipe in recipe(), rule in rule(), origin in -40.0..40.0_f64, looks in looks::<3>(),
    ) {
        let field = recipe.build::<3>(origin, 9.0).into();
        keeps_its_promises(&field, options(&recipe, rule), [origin, 9.0], looks)?;
    }
}
