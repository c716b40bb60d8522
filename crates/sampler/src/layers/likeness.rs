//! How what layers ask for compares.

use super::apart::Apart;
use super::layer::Layer;
use density::RadiusField;

/// Whether two layers of a turn are one to the engine and to all others: they ask for the same
/// distance wherever they grow, and keep what the rule says from each other and the same as each
/// other from the rest.
pub(super) fn alike<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    apart: &Apart,
    a: usize,
    b: usize,
) -> bool {
    let mut others = (0..layers.len()).filter(|&other| other != a && other != b);
    layers[a].turn == layers[b].turn
        && apart.get(a, b).is_none()
        && others.all(|c| apart.get(a, c) == apart.get(b, c))
        && ask_for_the_same(&layers[a].field, &layers[b].field)
}

/// Whether two fields are known to ask for the same distance wherever both let points grow.
fn ask_for_the_same<const D: usize, F: RadiusField<D>>(a: &F, b: &F) -> bool {
    let range = a.range();
    let even = range.lo() == range.hi();
    range == b.range() && (even || a.pattern().is_some_and(|a| b.pattern() == Some(a)))
}

/// Whether one field is known to ask everywhere for so many times as much as another, which bounds
/// itself.
pub(super) fn asks_for_more<const D: usize, F: RadiusField<D>>(
    more: &F,
    less: &F,
    times: f64,
) -> bool {
    let [range, beside] = [more, less].map(RadiusField::range);
    let pattern = less.pattern();
    let bounded = beside.lo() == beside.hi() || pattern.is_some();
    // Who lies so much higher between ends that are so much higher does everywhere.
    bounded
        && (range.lo() >= times * beside.hi()
            || (range.lo() >= times * beside.lo()
                && range.hi() >= times * beside.hi()
                && matches!((more.pattern(), pattern), (Some(a), Some(b)) if a.follows(&b))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Constant, DistRange, FnField, Perlin, PerlinOptions, Scaled};

    fn range(lo: f64, hi: f64) -> DistRange {
        DistRange::new(lo, hi).expect("a range")
    }

    #[test]
    fn what_differs_from_place_to_place_may_differ_anyhow() {
        let wide = FnField::new(range(1.0, 2.0), 1.0, |_: [f64; 2]| 1.0).expect("a slope");
        let layers = [Layer::new(&wide), Layer::new(&wide)];
        assert!(!alike::<2, _>(&layers, &Apart::new(2), 0, 1));
        let noise = |seed| {
            let options = PerlinOptions {
                seed,
                ..PerlinOptions::default()
            };
            Layer::new(Perlin::new(range(1.0, 2.0), options).expect("noise"))
        };
        let layers = [noise(1), noise(1), noise(2)];
        let like = |a, b| alike::<2, _>(&layers, &Apart::new(3), a, b);
        assert!(like(0, 1) && !like(0, 2));
    }

    type Field = Box<dyn RadiusField<2>>;

    #[test]
    fn who_asks_for_more_everywhere_lies_above_or_follows() {
        let noise = |lo: f64, hi: f64| -> Field {
            Box::new(Perlin::new(range(lo, hi), PerlinOptions::default()).expect("noise"))
        };
        let even = |r: f64| -> Field { Box::new(Constant::new(r).expect("a distance")) };
        let closure = |lo, hi| -> Field {
            let field = FnField::new(range(lo, hi), 1.0, move |_: [f64; 2]| lo);
            Box::new(field.expect("a slope"))
        };
        let twice = |a: &Field, b: &Field| asks_for_more::<2, Field>(a, b, 2.0);
        let small = noise(1.0, 4.0);
        assert!(twice(&noise(2.0, 8.0), &small));
        assert!(!twice(&noise(2.0, 7.9), &small) && !twice(&noise(1.9, 8.0), &small));
        let scaled: Field = Box::new(Scaled::new::<2>(noise(1.0, 4.0), 2.0).expect("a factor"));
        assert!(twice(&scaled, &small));
        assert!(twice(&even(8.0), &small) && !twice(&even(7.9), &small));
        assert!(twice(&noise(8.0, 9.0), &even(4.0)));
        // Of closures nothing is known but their ends, and what asks for less must be bounded closely.
        assert!(twice(&closure(8.0, 9.0), &small));
        assert!(!twice(&even(9.0), &closure(1.0, 4.0)));
        assert!(!twice(&closure(2.0, 8.0), &closure(1.0, 4.0)));
    }
}
