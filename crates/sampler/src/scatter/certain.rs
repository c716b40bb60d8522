//! What a region is certain of is so in the whole, however narrow its surroundings are.

use super::blocks::Block;
use super::crowd::{Crowd, Guest};
use super::engine::{Scatter, ScatterOptions};
use super::lattice::top;
use super::law::{Law, MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::region::{Outcome, Region};
use crate::rule::Rule;
use density::{Bounds, Coverage, DistRange, Extent, FnField, LocalRange, RadiusField};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Left of here distances are from 1 to 2, right of it from 8 to 16.
const BORDER: f64 = 300.0;

/// A field that tells its bounds on both sides of the border, but no others: what lies between the places
/// that are looked at in a cell may ask for less.
pub(super) struct Pocketed {
    /// Pockets of 1 amid 2: how many along a unit of length, and which share of that they are wide.
    pub(super) pockets: f64,
    pub(super) share: f64,
    /// Where nothing may grow, the share of each period that is open.
    pub(super) open: f64,
}

impl RadiusField<2> for Pocketed {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        if p[0] >= BORDER {
            let more = 0.02 * (p[0] - BORDER);
            return Some(8.0 + if more < 8.0 { more } else { 8.0 });
        }
        let x = (p[0] * self.pockets + 0.37).fract();
        let y = (p[1] * self.pockets + 0.41).fract();
        let r = if x < self.share && y < self.share {
            1.0
        } else {
            2.0
        };
        (x <= self.open).then_some(r)
    }

    fn range(&self) -> DistRange {
        DistRange::new(1.0, 16.0).expect("a range")
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        let lo = if bounds.min()[0] < BORDER { 1.0 } else { 8.0 };
        let hi = if bounds.max()[0] <= BORDER { 2.0 } else { 16.0 };
        Some(LocalRange {
            range: DistRange::new(lo, hi).ok()?,
            coverage: Coverage::Part,
            extent: Extent::Everywhere,
        })
    }

    fn mask_detail(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// Runs blocks of `cells` with surroundings from none to what is usual, and compares whatever they are
/// certain of with the whole.
#[track_caller]
fn what_is_certain_is_so<F: RadiusField<2>, L: Law>(
    field: &F,
    side: f64,
    cells: i64,
    crowd: Option<Arc<Crowd<2>>>,
) {
    let domain = Bounds::from_size([side; 2]).expect("a box");
    let options = ScatterOptions {
        rule: L::RULE,
        seed: 7,
        ..ScatterOptions::default()
    };
    let scatter = Scatter::amid(field, Some(domain), options, crowd, 1.0).expect("a run");
    let mut region = Region::default();
    let whole = scatter.run(&mut region, &Block { place: domain });
    let whole: BTreeMap<u64, [u64; 2]> = whole
        .points
        .iter()
        .map(|q| (q.id, q.p.map(f64::to_bits)))
        .collect();
    let view = scatter.view();
    let (mut certain, mut wrong, mut remote) = (0, 0, 0);
    for halo in [0.0, 0.2, 0.5, 1.0, 2.0, 4.5] {
        let blocks = view.even_blocks(&domain, cells);
        for task in blocks
            .iter()
            .filter_map(|block| view.task(&block.place, halo))
        {
            // Also where the unknown reaches the block.
            let _ = region.run::<_, L>(&view, &task, &mut Outcome::default());
            remote += region.tree.tiles.iter().filter(|t| t.remote).count();
            for (q, _) in region.store.points() {
                certain += 1;
                wrong += usize::from(whole.get(&q.id) != Some(&q.p.map(f64::to_bits)));
            }
        }
    }
    println!(
        "{:?}: {certain} certain, {wrong} wrong, {remote} remote",
        L::RULE
    );
    assert!(certain > whole.len());
    assert_eq!(wrong, 0, "{:?}: of {certain}", L::RULE);
}

fn by_every_rule<F: RadiusField<2>>(field: &F, side: f64, cells: i64) {
    what_is_certain_is_so::<F, MaxLaw>(field, side, cells, None);
    what_is_certain_is_so::<F, MeanLaw>(field, side, cells, None);
    what_is_certain_is_so::<F, MinLaw>(field, side, cells, None);
    what_is_certain_is_so::<F, OwnLaw>(field, side, cells, None);
    what_is_certain_is_so::<F, PriorLaw>(field, side, cells, None);
}

#[test]
fn where_distances_grow_slowly() {
    let range = DistRange::new(1.0, 32.0).expect("a range");
    let field = FnField::new(range, |p: [f64; 2]| {
        let square = |q: [f64; 2]| (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
        1.0 + 0.05 * square([230.0, 560.0]).min(square([470.0, 320.0])).sqrt()
    });
    let field = field.with_lipschitz(0.05).expect("a bound");
    by_every_rule(&field, 900.0, 4);
}

/// Which piece of an open cell threw hung on which were open: a piece that an unknown point may cover was
/// chosen in place of another one. And a point that asked for less than was seen in its tile was compared
/// with unknown ones by that, but with known ones by what was seen.
#[test]
fn where_a_field_cannot_bound_itself() {
    let field = Pocketed {
        pockets: 0.05,
        share: 0.35,
        open: 0.9,
    };
    by_every_rule(&field, 500.0, 2);
}

/// A remote cell was held for covered by guests that cover it if all of it asks for what was seen there:
/// nothing was unknown where it had been.
#[test]
fn where_guests_cover_what_was_seen() {
    for (pockets, level) in [(0.05, 1), (0.08, 1), (0.08, 2), (0.11, 2)] {
        let field = Pocketed {
            pockets,
            share: 0.4,
            open: 1.0,
        };
        let side = top(2) * 16.0 / 2.0_f64.sqrt() / f64::from(1 << level);
        // On every other cell of a level, not beyond its rim.
        let along = ((side - 2.6) / 1.6).ceil() as i32;
        let step = (side - 2.6) / f64::from(along);
        let mut guests = Vec::new();
        for i in 0..(290.0 / side) as i32 {
            for j in (i % 2..(500.0 / side) as i32).step_by(2) {
                for k in 0..(along + 1) * (along + 1) {
                    let at = [(i, k % (along + 1)), (j, k / (along + 1))];
                    let p = at.map(|(cell, k)| f64::from(cell) * side + 1.3 + f64::from(k) * step);
                    guests.push(Guest::new(p, 0.2));
                }
            }
        }
        let crowd = Crowd::new(guests, vec![], Rule::Max, 16.0, None);
        what_is_certain_is_so::<_, MaxLaw>(&field, 500.0, 2, Some(Arc::new(crowd)));
    }
}
