//! In which steps layers are decided, and how those of one turn share the ground.
//!
//! A layer with rivals, which are later layers of its turn that keep off it, first gets its
//! share: of the points that it could have, those on ground that is its own. The last of them
//! gets whatever is left; then those before fill up what no rival took, if there can be anything:
//! between flowers that left no hole there is no room for trees.
//!
//! ```text
//!   A   A   .   .      A . b b .      A b b b b
//!     A   .   A   ->    A b . b   ->   A b b A      A: its share, b: what is left,
//!   A   .   A   .      A b b . .      A b b b b         then A again, where b is not
//! ```
//!
//! Whose a place is, is a function of the place alone (`lots.rs`). Layers that differ in nothing
//! that counts are one to all others, and are decided in one step (`together.rs`).

use super::apart::{Apart, Keep};
use super::layer::{Layer, mix};
use super::lots::{SHARES, lot};
use crate::rule::Rule;
use crate::sample::Sample;
use density::RadiusField;

/// One pass over the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The layers' numbers; several only of such as are [alike].
    pub(super) layers: Vec<usize>,
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

/// Whether two layers of a turn are one to the engine and to all others: they ask for the same
/// distance wherever they grow, and keep what the rule says from each other and the same as each
/// other from the rest.
fn alike<const D: usize, F: RadiusField<D>>(
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

/// Whether one field is known to ask everywhere for enough more than another, which bounds itself, that
/// where the one's points leave no hole there is none for the other's.
fn asks_for_more<const D: usize, F: RadiusField<D>>(more: &F, less: &F) -> bool {
    let [range, beside] = [more, less].map(RadiusField::range);
    let pattern = less.pattern();
    let bounded = beside.lo() == beside.hi() || pattern.is_some();
    // Who lies so much higher between ends that are so much higher does everywhere.
    bounded
        && (range.lo() >= MARGIN * beside.hi()
            || (range.lo() >= MARGIN * beside.lo()
                && range.hi() >= MARGIN * beside.hi()
                && matches!((more.pattern(), pattern), (Some(a), Some(b)) if a.follows(&b))))
}

/// Larger by this much than what is left undecided at the finest resolution.
const MARGIN: f64 = 1.01;

/// Whether after the last of some steps, which gets everything there is room for, no room is left
/// for `rest`, wherever the points may lie: who closes a place to the one closes it to the other.
fn leave_nothing<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    apart: &Apart,
    rule: Rule,
    before: &[Step],
    rest: &Step,
) -> bool {
    let Some(last) = before.last() else {
        return false;
    };
    let field = |step: &Step| &layers[step.first()].field;
    let most = field(last).range().hi();
    let least = field(rest).range().lo();
    last.part == Part::All
        && field(last).mask_detail().is_none()
        && before.iter().all(|earlier| {
            let of = field(earlier).range();
            let [keeps, kept] = [rest, last].map(|step| step.keep(apart, rule, earlier));
            match (keeps, kept) {
                // No rule says less to whoever asks for more.
                (Keep::By(_), Keep::By(_)) => asks_for_more(field(rest), field(last)),
                _ => keeps.distance(of.lo(), least) >= MARGIN * kept.distance(of.hi(), most),
            }
        })
}

/// The steps in which layers of that order are decided.
pub(super) fn steps<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    order: &[usize],
    apart: &Apart,
    rule: Rule,
) -> Vec<Step> {
    // Who is like two others makes them alike, so it is enough to look at the first of each.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &layer in order {
        let like = |group: &&mut Vec<usize>| alike(layers, apart, group[0], layer);
        match groups.iter_mut().find(like) {
            Some(group) => group.push(layer),
            None => groups.push(vec![layer]),
        }
    }
    let mut steps = Vec::new();
    for turn in groups.chunk_by(|a, b| layers[a[0]].turn == layers[b[0]].turn) {
        let mut again = Vec::new();
        for (place, group) in turn.iter().enumerate() {
            let minds = |&rival: &usize| apart.get(group[0], rival) != Some(0.0);
            let later = turn[place + 1..].iter().flatten();
            let rivals: Vec<usize> = later.copied().filter(minds).collect();
            let part = if rivals.is_empty() {
                Part::All
            } else {
                again.push(Step {
                    layers: group.clone(),
                    part: Part::Rest,
                });
                Part::Share(rivals)
            };
            steps.push(Step {
                layers: group.clone(),
                part,
            });
        }
        again.retain(|rest| !leave_nothing(layers, apart, rule, &steps, rest));
        steps.append(&mut again);
    }
    steps
}

impl Step {
    /// The first of its layers, which gives it its seed.
    pub(super) fn first(&self) -> usize {
        self.layers[0]
    }

    /// The share that it keeps, where all of its rivals grow, of the points that it could have.
    pub(super) fn share<F>(&self, layers: &[Layer<F>]) -> f64 {
        let of = |numbers: &[usize]| -> f64 { numbers.iter().map(|&n| layers[n].share).sum() };
        match &self.part {
            Part::Share(rivals) => of(&self.layers) / (of(&self.layers) + of(rivals)),
            Part::All | Part::Rest => 1.0,
        }
    }

    /// What a point of this step keeps from one of an earlier step.
    pub(super) fn keep(&self, apart: &Apart, rule: Rule, earlier: &Self) -> Keep {
        // What the first of a step's layers keeps, all of them keep.
        if earlier.first() == self.first() {
            Keep::By(rule)
        } else {
            apart.keep(rule, earlier.first(), self.first())
        }
    }

    /// Takes away the points that a share does not hold, of those from number `from` on.
    pub(super) fn thin<const D: usize, F: RadiusField<D>>(
        &self,
        layers: &[Layer<F>],
        seed: u64,
        samples: &mut Vec<Sample<D>>,
        from: usize,
    ) {
        let Part::Share(rivals) = &self.part else {
            return;
        };
        let seed = mix(layers[self.first()].seed(seed, self.first()) ^ SHARES);
        let mut number = 0;
        samples.retain(|sample| {
            number += 1;
            if number <= from {
                return true;
            }
            let mut widest = sample.min_dist;
            let mut share = |layer: &usize| {
                let there = layers[*layer].field.min_dist(sample.position);
                widest = widest.max(there.unwrap_or(0.0));
                there.map(|_| layers[*layer].share)
            };
            let own: f64 = self.layers.iter().filter_map(&mut share).sum();
            let rivals: f64 = rivals.iter().filter_map(&mut share).sum();
            lot(seed, sample.position, widest) * (own + rivals) < own
        });
    }
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
        let step = |layer, part| Step {
            layers: vec![layer],
            part,
        };
        let expected = [
            step(2, Part::Share(vec![1])),
            step(1, Part::Share(vec![3])),
            step(3, Part::All),
            step(2, Part::Rest),
            step(1, Part::Rest),
            step(0, Part::All),
            step(4, Part::All),
        ];
        assert_eq!(steps::<2, _>(&layers, &order, &apart, Rule::Max), expected);
    }

    #[test]
    fn nobody_looks_for_room_that_cannot_be_left() {
        const NOBODY: [usize; 0] = [];
        let last = |layers: &[Layer<Constant>], apart: &Apart| {
            let order = order::<2, _>(layers);
            let steps = steps::<2, _>(layers, &order, apart, Rule::Mean);
            let rest = steps.iter().filter(|step| step.part == Part::Rest);
            rest.map(Step::first).collect::<Vec<_>>()
        };
        let free = Apart::new(3);
        assert_eq!(
            last(&layers(&[(0, 4.0), (0, 2.0), (0, 1.0)]), &free),
            NOBODY
        );
        // Others of the same distance may find the hair that is left undecided.
        assert_eq!(
            last(&layers(&[(0, 4.0), (0, 1.0), (0, 1.0)]), &free),
            NOBODY
        );
        assert_eq!(last(&layers(&[(0, 4.0), (0, 1.005), (0, 1.0)]), &free), [1]);
        // Between points that keep farther from each other than others from them there is room,
        let all = layers(&[(0, 4.0), (0, 2.0), (0, 1.0)]);
        let with = |a, b, distance| {
            let mut apart = Apart::new(3);
            apart.set(a, b, distance).expect("a distance");
            last(&all, &apart)
        };
        assert_eq!(with(0, 2, 0.9), [0]);
        assert_eq!(with(0, 2, 1.1), NOBODY);
        // and around those that only the last keeps off so far.
        assert_eq!(with(1, 2, 3.1), [0, 1]);
        assert_eq!(with(1, 2, 2.9), [1]);
    }

    #[test]
    fn layers_that_are_one_to_all_others_share_a_step() {
        let layers = layers(&[(0, 1.0), (0, 2.0), (0, 1.0), (0, 1.0), (1, 1.0), (0, 1.0)]);
        let order = order::<2, _>(&layers);
        let mut apart = Apart::new(6);
        // The fourth keeps off another turn's as no other does, the last off the third.
        apart.set(3, 4, 0.5).expect("a distance");
        let grouped = |apart: &Apart| {
            let steps = steps::<2, _>(&layers, &order, apart, Rule::Max).into_iter();
            steps.map(|step| step.layers).collect::<Vec<_>>()
        };
        let expected = [vec![1], vec![0, 2, 5], vec![3], vec![0, 2, 5], vec![4]];
        assert_eq!(grouped(&apart), expected);
        apart.set(2, 5, 0.5).expect("a distance");
        let split = [&[1][..], &[0], &[2], &[3], &[5], &[0], &[2], &[3], &[4]];
        assert_eq!(grouped(&apart), split);
        // What differs from place to place may differ anyhow.
        let range = density::DistRange::new(1.0, 2.0).expect("a range");
        let wide = density::FnField::new(range, |_: [f64; 2]| 1.0);
        let layers = [Layer::new(&wide), Layer::new(&wide)];
        assert!(!alike::<2, _>(&layers, &Apart::new(2), 0, 1));
    }
}
