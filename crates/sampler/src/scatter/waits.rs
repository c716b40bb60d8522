//! Whom a candidate has to wait for before it can be decided.
//!
//! ```text
//!   tile A   . . . . . c        Where tiles throw on demand, c waits for b alone, the last one that
//!   tile B   a . b|. .          comes earlier and may lie too near: the less is decided at a time, the
//!                 |             more of what that needs is still in the cache.
//! ```
//!
//! Whom it need not wait for it leaves where they are, and whoever comes after it finds them there
//! again. Where open parts become many, and those of two tiles lie far apart, that would be each of
//! one tile's for each of the other's; so it looks at a few, and if there are more it waits for all.
//! To wait for more than is needed is never wrong: whatever comes earlier can be decided earlier.

use super::law::Law;
use super::queue::{Candidate, Queue};
use super::region::Region;
use super::tree::reach2;
use super::view::View;
use density::RadiusField;

/// So many candidates of other tiles are looked at for one, at most: as many as eight tiles throw
/// blindly, where distances are the same everywhere.
const LOOKS: usize = 512;

impl<const D: usize> Region<D> {
    /// The place of the first of some tiles near one that has to decide candidates before this one
    /// can be, and the turn until which it has to.
    #[inline]
    pub(super) fn waits_for<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        queue: &Queue<D>,
        tile: u32,
        candidate: &Candidate<D>,
        near: &[u32],
    ) -> Option<(usize, u64)> {
        let mut from = queue.first_before(near, candidate.id)?;
        if !Queue::<D>::ON_DEMAND {
            return Some((from, candidate.id));
        }
        let looks = LOOKS / near.len();
        loop {
            if let Some(until) =
                self.blocks::<F, L>(view, queue, tile, candidate, near[from], looks)
            {
                return Some((from, until));
            }
            from += 1;
            from += queue.first_before(&near[from..], candidate.id)?;
        }
    }

    /// Until which turn another tile has to be decided before a candidate can be, if it has: it
    /// has not thrown yet, or an earlier candidate lies so near that they might conflict, or more
    /// come earlier than may be looked at.
    fn blocks<F: RadiusField<D>, L: Law>(
        &self,
        view: &View<'_, D, F>,
        queue: &Queue<D>,
        number: u32,
        candidate: &Candidate<D>,
        other: u32,
        looks: usize,
    ) -> Option<u64> {
        let line = queue.line(other);
        let many = || line.get(looks).is_some_and(|c| c.id < candidate.id);
        if line.is_empty() || many() {
            return Some(candidate.id);
        }
        let [tile, there] = [number, other].map(|tile| &self.tree.tiles[tile as usize]);
        // From the other tile's corner, so that single precision is enough.
        let p = tile.place(view, candidate.at);
        let x = self.tree.seen_from(&view.lattice, other, number, p);
        let x = x.map(|x| x as f32);
        let share = there
            .sides
            .map(|s| (s * (1.0 / (1_u64 << 32) as f64)) as f32);
        let reach2 = reach2::<L>(tile.hi as f32, there.hi as f32);
        let earlier = line.iter().take_while(|other| other.id < candidate.id);
        let near = earlier.filter(|other| {
            let square: f32 = (0..D)
                .map(|a| other.at[a] as f32 * share[a] - x[a])
                .map(|d| d * d)
                .sum();
            square < reach2
        });
        near.last().map(|other| other.id.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::{Scatter, ScatterOptions};
    use super::super::lattice::Cell;
    use super::super::law::OwnLaw;
    use super::super::node::Node;
    use super::*;
    use density::{Bounds, Constant};

    /// What the second of two tiles at the same place lets a candidate in the lowest corner of the
    /// first wait for, when it has `far` earlier ones in its highest corner and those `near` it; with
    /// none at all it has not thrown yet.
    fn waits(far: usize, near: &[u64]) -> Option<(usize, u64)> {
        const TURN: u64 = 1 << 40;
        let field = Constant::new(1.0).expect("a good distance");
        let domain = Bounds::from_size([100.0; 3]).expect("a box");
        let scatter = Scatter::new(field, domain, ScatterOptions::default()).expect("a run");
        let view = scatter.view();
        let cell = Cell {
            level: 0,
            at: [2, 3, 1],
        };
        let sight = view.look(cell).expect("open ground");
        let (Node { tile, .. }, _) = Node::new(&view, cell, [0; 3], [0.0; 3], &sight, false);
        let mut region = Region::default();
        region.tree.tiles = vec![tile; 2];
        let mut queue = Queue::default();
        queue.reset(2);
        let high = (0..far as u64).map(|id| (id, [u32::MAX; 3]));
        let low = near.iter().map(|&id| (id, [0; 3]));
        for (id, at) in high.chain(low) {
            queue.push(Candidate { id, at });
        }
        if far > 0 {
            queue.close(1);
        }
        let candidate = Candidate {
            id: TURN,
            at: [0; 3],
        };
        let found = region.waits_for::<_, OwnLaw>(&view, &queue, 0, &candidate, &[1]);
        found.map(|(place, until)| (place, until.min(TURN)))
    }

    #[test]
    fn a_candidate_waits_for_whom_it_may_conflict_with() {
        assert_eq!(waits(100, &[]), None);
        assert_eq!(waits(100, &[200, 300]), Some((0, 301)));
        assert_eq!(waits(100, &[200, 1 << 41]), Some((0, 201)));
        assert_eq!(waits(0, &[]), Some((0, 1 << 40)));
    }

    /// Each candidate of an open part read all of another tile's, as far away as they were, and
    /// left them where they were: in a later round over steep ground, half a million each time.
    #[test]
    fn a_candidate_waits_for_many_rather_than_look_at_them() {
        assert_eq!(waits(LOOKS, &[]), None);
        assert_eq!(waits(LOOKS + 1, &[]), Some((0, 1 << 40)));
    }
}
