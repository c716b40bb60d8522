//! What a region is certain of is so in the whole, however narrow its surroundings are.

use super::blocks::Block;
use super::crowd::Crowd;
use super::engine::{Scatter, ScatterOptions};
use super::law::{Law, MaxLaw, MeanLaw, MinLaw, OwnLaw, PriorLaw};
use super::region::{Outcome, Region};
use density::{Bounds, DistRange, FnField, RadiusField};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    let field = FnField::new(range, 0.05, |p: [f64; 2]| {
        let square = |q: [f64; 2]| (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
        1.0 + 0.05 * square([230.0, 560.0]).min(square([470.0, 320.0])).sqrt()
    });
    let field = field.expect("a slope");
    by_every_rule(&field, 900.0, 4);
}
