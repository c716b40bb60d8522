//! Whether there is room for all layers of a turn, so that they need not share it.

use super::apart::Apart;
use super::layer::Layer;
use density::RadiusField;

/// Each keeps no more of the others than so much of what either asks for,
const NEAR: f64 = 0.5;

/// and all others together, in squares, so much of what they ask for.
///
/// As measured in the plane (`docs/tuning.md`): of three alike that keep half of it, one
/// after the other, the first gets 5 % more than the mean and the last 5 % less; shares of 20, 1
/// and 1 made them 62, 58 and 58 of 178. Two that keep 0.7, or three that keep 0.6, are told apart
/// by shares, and get a third less when they come last.
const IN_ALL: f64 = 0.5;

/// Whether each of these layers finds nearly all of the points that it could have alone, whoever of them
/// comes first.
pub(super) fn roomy<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    apart: &Apart,
    turn: &[usize],
) -> bool {
    turn.iter().all(|&layer| {
        let others = turn.iter().filter(|&&other| other != layer);
        let taken = others.map(|&other| match apart.get(layer, other) {
            Some(kept) if is_near::<D, F>(layers, [layer, other], kept) => {
                let of = kept / layers[other].field.range().lo();
                of * of
            }
            _ => f64::INFINITY,
        });
        taken.sum::<f64>() <= IN_ALL
    })
}

/// Whether two layers that keep so much from each other hardly take places from each other.
pub(super) fn is_near<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    both: [usize; 2],
    kept: f64,
) -> bool {
    both.iter()
        .all(|&layer| kept <= NEAR * layers[layer].field.range().lo())
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::{Constant, DistRange, FnField};

    type Field = Box<dyn RadiusField<2>>;

    fn is_roomy(least: &[f64], kept: f64) -> bool {
        let layer = |&r: &f64| {
            let range = DistRange::new(r, 2.0 * r).expect("a range");
            let field: Field =
                Box::new(FnField::new(range, 0.0, move |_: [f64; 2]| r).expect("a slope"));
            Layer::new(field)
        };
        let layers: Vec<_> = least.iter().map(layer).collect();
        let mut apart = Apart::new(layers.len());
        let turn: Vec<usize> = (0..layers.len()).collect();
        for (place, &a) in turn.iter().enumerate() {
            for &b in &turn[..place] {
                apart.set(a, b, kept).expect("a distance");
            }
        }
        roomy::<2, Field>(&layers, &apart, &turn)
    }

    #[test]
    fn there_is_room_between_few_that_keep_little() {
        assert!(is_roomy(&[1.0], 0.5) && is_roomy(&[1.0; 2], 0.5) && is_roomy(&[1.0; 3], 0.5));
        assert!(!is_roomy(&[1.0; 2], 0.51) && !is_roomy(&[1.0; 4], 0.5));
        assert!(is_roomy(&[1.0; 4], 0.4) && !is_roomy(&[1.0; 5], 0.4));
        assert!(is_roomy(&[1.0; 9], 0.0));
        // Small ones find none between large ones that keep off as their own size has it.
        assert!(is_roomy(&[4.0, 1.0, 1.0], 0.5) && !is_roomy(&[4.0, 1.0], 2.0));
    }

    #[test]
    fn by_the_rule_there_is_no_room() {
        let layers = [1.0; 2].map(|r| Layer::new(Constant::new(r).expect("a distance")));
        assert!(!roomy::<2, _>(&layers, &Apart::new(2), &[0, 1]));
    }
}
