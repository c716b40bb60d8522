//! In which steps layers are decided, and how those of one turn share the ground.
//!
//! A layer with rivals, which are later layers of its turn that keep off it, first gets its
//! share: of the points that it could have, those on ground that is its own. The last of them
//! gets whatever is left; then those before fill up what no rival took, if there can be anything:
//! between flowers that left no hole there is no room for trees. Where there is room for all of a
//! turn (`roomy.rs`) nobody needs a share, and each gets everything.
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
use super::likeness::{alike, asks_for_more};
use super::lots::{SHARES, lot};
use super::roomy::roomy;
use crate::rule::Rule;
use crate::sample::Sample;
use crate::scatter::Depth;
use density::RadiusField;
use std::cmp::Ordering;

/// One pass over the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The layers' numbers; several only of such as are [alike].
    pub(super) layers: Vec<usize>,
    pub(super) part: Part,
    /// How far it goes.
    pub(super) depth: Depth,
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
pub(super) fn order<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    apart: &Apart,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..layers.len()).collect();
    order.sort_by_key(|&layer| layers[layer].turn);
    for turn in order.chunk_by_mut(|&a, &b| layers[a].turn == layers[b].turn) {
        // Where nobody gets a share, the greater one comes first.
        let roomy = roomy(layers, apart, turn);
        turn.sort_by(|&a, &b| {
            let [first, second] = [a, b].map(|number| &layers[number]);
            // Large ones first: between small ones there would be no room for them.
            let most = |layer: &Layer<F>| layer.field.range().hi();
            let by_size = most(second).total_cmp(&most(first));
            let by_share = second.share.total_cmp(&first.share);
            by_size.then(if roomy { by_share } else { Ordering::Equal })
        });
    }
    order
}

/// Who leaves some of its own ground to others asks for so many times as much as they, and by the rule
/// they keep so much of that from it; or they keep as little of it as they would ask for. Of others
/// the next would find what is hard to find no better, and the last all of it.
const LARGER: f64 = 2.0;
const NEARER: f64 = 0.75;

/// And it leaves so much of all ground to them: where there is little of it, hard to find is most.
const LEFT: f64 = 0.33;

/// Larger by this much than what is left undecided at the finest resolution. By rules that make nothing
/// of it (`min`, `prior`) a hair of that may be open to others as well: it is counted as undecided.
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
    let field = |step: &Step| &layers[step.first()].field;
    let everywhere = |last: &&Step| last.part == Part::All && field(last).mask_detail().is_none();
    let Some(last) = before.last().filter(everywhere) else {
        return false;
    };
    let most = field(last).range().hi();
    let least = field(rest).range().lo();
    // Maps may have to be compared for it: once.
    let more = asks_for_more(field(rest), field(last), MARGIN);
    before.iter().all(|earlier| {
        let of = field(earlier).range();
        let [keeps, kept] = [rest, last].map(|step| step.keep(apart, rule, earlier));
        match (keeps, kept) {
            // No rule says less to whoever asks for more.
            (Keep::By(_), Keep::By(_)) => more,
            _ => keeps.distance(of.lo(), least) >= MARGIN * kept.distance(of.hi(), most),
        }
    })
}

/// How far the layers of a step go for their share beside these rivals, which have `left` of the ground
/// after them. What they leave open of their own ground these may have: they get the same share of as
/// many points, found on as much more ground.
fn depth<const D: usize, F: RadiusField<D>>(
    layers: &[Layer<F>],
    (apart, rule): (&Apart, Rule),
    step: &Step,
    rivals: &[usize],
    left: f64,
) -> Depth {
    let own = &layers[step.first()].field;
    let near = rule.distance(LARGER, 1.0) <= NEARER * LARGER;
    let minor = |&rival: &usize| match apart.get(step.first(), rival) {
        Some(kept) => own.range().lo() >= LARGER * kept,
        None => near && asks_for_more(own, &layers[rival].field, LARGER),
    };
    // Where one does not grow, the shares of the others are larger.
    let mut sharing = step.layers.iter().chain(rivals);
    let everywhere = sharing.all(|&layer| layers[layer].field.mask_detail().is_none());
    if everywhere && left >= LEFT && rivals.iter().all(minor) {
        Depth::Thrown
    } else {
        Depth::Full
    }
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
        let members: Vec<usize> = turn.iter().flatten().copied().collect();
        let roomy = roomy(layers, apart, &members);
        let of = |layer: &usize| layers[*layer].share;
        let all: f64 = turn.iter().flatten().map(of).sum();
        // Between the points of an earlier turn places are hard to find.
        let free = steps.is_empty();
        for (place, group) in turn.iter().enumerate() {
            let minds = |&rival: &usize| !roomy && apart.get(group[0], rival) != Some(0.0);
            let later = turn[place + 1..].iter().flatten();
            let rivals: Vec<usize> = later.copied().filter(minds).collect();
            let step = |part| Step {
                layers: group.clone(),
                part,
                depth: Depth::Full,
            };
            if rivals.is_empty() {
                steps.push(step(Part::All));
                continue;
            }
            again.push(step(Part::Rest));
            let mut share = step(Part::Share(rivals.clone()));
            if free {
                let left = rivals.iter().map(of).sum::<f64>() / all;
                share.depth = depth::<D, F>(layers, (apart, rule), &share, &rivals, left);
            }
            steps.push(share);
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

    /// What the lots of ground are a function of that say who gets it.
    pub(super) fn lots<F>(&self, layers: &[Layer<F>], seed: u64, who: u64) -> u64 {
        mix(layers[self.first()].seed(seed, self.first()) ^ who)
    }

    /// Takes away the points that a share does not hold, of those from number `from` on; `thrown` says of
    /// one whether no more was looked for around it than this step's depth has it.
    pub(super) fn thin<const D: usize, F: RadiusField<D>>(
        &self,
        layers: &[Layer<F>],
        seed: u64,
        samples: &mut Vec<Sample<D>>,
        from: usize,
        thrown: impl Fn(&Sample<D>) -> bool,
    ) {
        let Part::Share(rivals) = &self.part else {
            return;
        };
        let lots = self.lots(layers, seed, SHARES);
        let found = self.depth.found(D);
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
            let drawn = lot(lots, sample.position, widest) * (own + rivals);
            drawn < own || (drawn * found < own && thrown(sample))
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
        let order = order::<2, _>(&layers, &Apart::new(5));
        assert_eq!(order, [2, 1, 3, 0, 4]);
        let mut apart = Apart::new(5);
        apart.set(0, 4, 0.0).expect("a distance");
        apart.set(2, 3, 0.0).expect("a distance");
        let step = |layer, part| Step {
            layers: vec![layer],
            part,
            depth: Depth::Full,
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
    fn where_there_is_room_for_all_nobody_needs_a_share() {
        let mut layers = layers(&[(0, 1.0), (0, 1.0), (0, 1.5)]);
        layers[1].share = 2.0;
        let mut apart = Apart::new(3);
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            apart.set(a, b, 0.5).expect("a distance");
        }
        let order = order::<2, _>(&layers, &apart);
        assert_eq!(order, [2, 1, 0]);
        let steps = steps::<2, _>(&layers, &order, &apart, Rule::Max);
        let all = steps.iter().map(|step| (step.first(), &step.part));
        let all: Vec<_> = all.collect();
        assert_eq!(all, [(2, &Part::All), (1, &Part::All), (0, &Part::All)]);
    }

    #[test]
    fn nobody_looks_for_room_that_cannot_be_left() {
        const NOBODY: [usize; 0] = [];
        let last = |layers: &[Layer<Constant>], apart: &Apart| {
            let order = order::<2, _>(layers, apart);
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
    fn large_layers_leave_some_of_their_ground_to_small_ones() {
        let thrown = |turns: &[(u32, f64)], shares: [f64; 3], apart: &[f64], rule| {
            let mut layers = layers(turns);
            for (layer, share) in layers.iter_mut().zip(shares) {
                layer.share = share;
            }
            let mut table = Apart::new(3);
            for (pair, &distance) in [(0, 1), (0, 2), (1, 2)].into_iter().zip(apart) {
                table.set(pair.0, pair.1, distance).expect("a distance");
            }
            let order = order::<2, _>(&layers, &table);
            let steps = steps::<2, _>(&layers, &order, &table, rule).into_iter();
            let thrown = steps.filter(|step| step.depth == Depth::Thrown);
            thrown.map(|step| step.first()).collect::<Vec<_>>()
        };
        let (wood, even) = ([(0, 4.0), (0, 2.0), (0, 1.0)], [1.0; 3]);
        assert_eq!(thrown(&wood, even, &[], Rule::Mean), [0, 1]);
        // What is left of the ground after bushes, or even after trees, is little.
        assert_eq!(thrown(&wood, [5.0, 2.0, 1.0], &[], Rule::Mean), [0]);
        assert_eq!(thrown(&wood, [9.0, 2.0, 1.0], &[], Rule::Mean), [0; 0]);
        // Small ones keep as far off.
        assert_eq!(thrown(&wood, even, &[], Rule::Max), [0; 0]);
        assert_eq!(thrown(&wood, even, &[2.5, 0.5, 1.5], Rule::Mean), [0; 0]);
        assert_eq!(thrown(&wood, even, &[2.0, 0.5, 1.0], Rule::Max), [0, 1]);
        // Those after others' turns lie between their points.
        let later = [(0, 4.0), (1, 2.0), (1, 1.0)];
        assert_eq!(thrown(&later, even, &[], Rule::Mean), [0; 0]);
        let near = [(0, 4.0), (0, 2.1), (0, 1.0)];
        assert_eq!(thrown(&near, even, &[], Rule::Mean), [1]);
    }

    #[test]
    fn layers_that_are_one_to_all_others_share_a_step() {
        let layers = layers(&[(0, 1.0), (0, 2.0), (0, 1.0), (0, 1.0), (1, 1.0), (0, 1.0)]);
        let order = order::<2, _>(&layers, &Apart::new(6));
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
    }
}
