//! In which steps layers are decided, and how those of one turn share the ground.
//!
//! A layer with rivals, which are later layers of its turn that keep off it, first gets its
//! share: of the points that it could have, those on ground that is its own. The last of them
//! gets whatever is left; then those before fill up what no rival took.
//!
//! ```text
//!   A   A   .   .      A . b b .      A b b b b
//!     A   .   A   ->    A b . b   ->   A b b A      A: its share, b: what is left,
//!   A   .   A   .      A b b . .      A b b b b         then A again, where b is not
//! ```
//!
//! Whose a place is, is a function of the place alone: that of the nearest of points strewn by
//! a hash, one a cell of a lattice about as wide as the layers' distances there (Worley, "A
//! cellular texture basis function", 1996). So ground goes to a layer in patches in which its
//! largest rival finds room, and sharing needs to know nothing of what is around.

use super::apart::{Apart, Keep};
use super::layer::{Layer, mix};
use crate::rule::Rule;
use crate::sample::Sample;
use density::RadiusField;

/// One pass over the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The layer's number.
    pub(super) layer: usize,
    pub(super) part: Part,
}

/// What a layer gets in a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// Everything there is room for.
    All,
    /// Its share beside these layers.
    Share(Vec<usize>),
    /// What its rivals have left.
    Rest,
}

/// The numbers of layers in the order of deciding.
pub(super) fn order<const D: usize, F: RadiusField<D>>(layers: &[Layer<F>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..layers.len()).collect();
    order.sort_by(|&a, &b| {
        let [first, second] = [a, b].map(|number| &layers[number]);
        // Large ones first: between small ones there would be no room for them.
        let most = |layer: &Layer<F>| layer.field.range().hi();
        let by_turn = first.turn.cmp(&second.turn);
        by_turn.then_with(|| most(second).total_cmp(&most(first)))
    });
    order
}

/// The steps in which layers of that order are decided.
pub(super) fn steps<F>(layers: &[Layer<F>], order: &[usize], apart: &Apart) -> Vec<Step> {
    let mut steps = Vec::new();
    for turn in order.chunk_by(|&a, &b| layers[a].turn == layers[b].turn) {
        let mut again = Vec::new();
        for (place, &layer) in turn.iter().enumerate() {
            let minds = |&rival: &usize| apart.get(layer, rival) != Some(0.0);
            let rivals: Vec<usize> = turn[place + 1..].iter().copied().filter(minds).collect();
            let part = if rivals.is_empty() {
                Part::All
            } else {
                again.push(Step {
                    layer,
                    part: Part::Rest,
                });
                Part::Share(rivals)
            };
            steps.push(Step { layer, part });
        }
        steps.append(&mut again);
    }
    steps
}

impl Step {
    /// What a point of this step keeps from one of an earlier step.
    pub(super) fn keep(&self, apart: &Apart, rule: Rule, earlier: &Self) -> Keep {
        if earlier.layer == self.layer {
            Keep::By(rule)
        } else {
            apart.keep(rule, earlier.layer, self.layer)
        }
    }

    /// Takes away the points that a share does not hold.
    pub(super) fn thin<const D: usize, F: RadiusField<D>>(
        &self,
        layers: &[Layer<F>],
        seed: u64,
        samples: &mut Vec<Sample<D>>,
    ) {
        let Part::Share(rivals) = &self.part else {
            return;
        };
        let own = layers[self.layer].share;
        let seed = mix(layers[self.layer].seed(seed, self.layer) ^ SHARES);
        samples.retain(|sample| {
            let (mut shares, mut widest) = (own, sample.min_dist);
            for &rival in rivals {
                if let Some(there) = layers[rival].field.min_dist(sample.position) {
                    shares += layers[rival].share;
                    widest = widest.max(there);
                }
            }
            lot(seed, sample.position, widest) * shares < own
        });
    }
}

/// Sets the lots of ground apart from what else is hashed with a seed.
const SHARES: u64 = 0x7368_6172_6573;

/// The lot of a place, evenly from 0 to 1: the same in patches about as wide as `widest`.
fn lot<const D: usize>(seed: u64, p: [f64; D], widest: f64) -> f64 {
    let side = power_of_two(widest);
    let level = side.to_bits() >> 52;
    let scaled = p.map(|x| x / side);
    let cell = scaled.map(f64::floor);
    let mut nearest = (f64::INFINITY, 0);
    // Of the cells around, though rarely the nearest lies farther: patches may be any shape.
    for around in 0..3_usize.pow(D as u32) {
        let mut hash = mix(seed ^ level);
        let mut digits = around;
        let corner = cell.map(|x| {
            let at = x + (digits % 3) as f64 - 1.0;
            digits /= 3;
            hash = mix(hash ^ (at as i64 as u64));
            at
        });
        let mut square = 0.0;
        let mut draws = hash;
        for a in 0..D {
            draws = mix(draws);
            let d = corner[a] + unit(draws) - scaled[a];
            square += d * d;
        }
        if square < nearest.0 {
            nearest = (square, hash);
        }
    }
    unit(mix(nearest.1 ^ SHARES))
}

/// From 0 to 1, of the upper bits.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The next power of two; distances are ordinary numbers far from the largest.
fn power_of_two(x: f64) -> f64 {
    let bits = x.to_bits();
    let fraction = (1_u64 << 52) - 1;
    f64::from_bits((bits + fraction) & !fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Constant;

    fn layers(turns: &[(u32, f64)]) -> Vec<Layer<Constant>> {
        let new = |&(turn, r): &(u32, f64)| Layer {
            turn,
            ..Layer::new(Constant::new(r).expect("a field"))
        };
        turns.iter().map(new).collect()
    }

    #[test]
    fn large_layers_of_a_turn_come_first_and_fill_up_last() {
        let layers = layers(&[(1, 1.0), (0, 1.0), (0, 4.0), (0, 1.0), (1, 1.0)]);
        let order = order::<2, _>(&layers);
        assert_eq!(order, [2, 1, 3, 0, 4]);
        let mut apart = Apart::new(5);
        apart.set(0, 4, 0.0).expect("a distance");
        apart.set(2, 3, 0.0).expect("a distance");
        let step = |layer, part| Step { layer, part };
        let expected = [
            step(2, Part::Share(vec![1])),
            step(1, Part::Share(vec![3])),
            step(3, Part::All),
            step(2, Part::Rest),
            step(1, Part::Rest),
            step(0, Part::All),
            step(4, Part::All),
        ];
        assert_eq!(steps(&layers, &order, &apart), expected);
    }

    #[test]
    fn powers_of_two_are_not_below() {
        for (x, power) in [
            (1.0, 1.0),
            (1.1, 2.0),
            (0.3, 0.5),
            (1e15, 1.125_899_906_842_624e15),
        ] {
            assert_eq!(power_of_two(x), power);
        }
    }

    /// A change of these is a change of every shared set's points.
    #[test]
    fn lots_are_pinned_and_even() {
        let places = [[0.0, 0.0], [12.5, -3.25], [-1e6, 4e5]];
        let lots = places.map(|p| (1e6 * lot(7, p, 2.5)).floor());
        assert_eq!(lots, [893_375.0, 292_937.0, 62_040.0]);
        let mut counts = [0; 10];
        for i in 0..40_000 {
            let p = [f64::from(i % 200), f64::from(i / 200)].map(|x| 3.7 * x - 100.0);
            counts[(10.0 * lot(3, p, 1.5)) as usize] += 1;
        }
        assert!(
            counts.iter().all(|n| (3600..4400).contains(n)),
            "{counts:?}"
        );
    }
}
