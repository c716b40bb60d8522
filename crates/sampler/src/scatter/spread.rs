//! Guests on ground where all ask for the same: each goes to the cells that it reaches.
//!
//! ```text
//!   +---+---+---+---+    Elsewhere a cell looks for its guests, as how large it is says who reaches
//!   |   | # | # |   |    it. Where all cells are alike, each guest knows them: it stamps them row by
//!   +---+---+---+---+    row, and what is the same for all of a row is reckoned once.
//!   |   | # |o# | # |
//!   +---+---+---+---+
//! ```

use super::cover::Stamp;
use super::crowd::Grids;
use super::floor::{Beside, Floor};
use super::law::{Law, PriorLaw};
use super::region::Task;
use super::shade::{MOST, Shade, Span, nearest2};
use super::view::View;
use density::{Coverage, Extent, RadiusField};

/// Where more guests than this reach a cell, on the average, cells look for them: one may cover all of
/// it, and nobody needs the others.
const CROWDED: f64 = 24.0;

/// What guests leave of cells of which all are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// Which guest reaches which cell.
    visits: Vec<[u32; 2]>,
    /// How many reach each cell, then where they begin in its list.
    starts: Vec<u32>,
    /// Whether one guest covers all of it.
    held: Vec<bool>,
    /// Where a guest lies beside the cells that it may reach, along the first axis.
    columns: Vec<Beside>,
    /// Those of a row that it stamps.
    row: Vec<(u32, f32)>,
}

impl<const D: usize> Shade<D> {
    /// Finds out what guests leave of each cell of a region where all points ask for the same; gives that
    /// distance. `None` where they do not, or guests are too many.
    pub(super) fn spread<F: RadiusField<D>, L: Law>(
        &mut self,
        view: &View<'_, D, F>,
        task: &Task<D>,
    ) -> Option<f64> {
        let crowd = view.crowd?;
        let local = view.field.range_in(&view.inside(&task.area))?;
        let r = local.range.lo();
        let even = r == local.range.hi()
            && local.coverage == Coverage::All
            && local.extent == Extent::Box
            && view.lattice.turn_size().is_none();
        if !even {
            return None;
        }
        let floor = Floor::new(&view.lattice, &task.base);
        let corners = [task.area.min(), task.area.max()];
        self.clear();
        let ruled = self.welcome::<L>(&floor, &crowd.ruled, 0, corners, r);
        let fixed = ruled && self.welcome::<PriorLaw>(&floor, &crowd.fixed, 1, corners, r);
        if !fixed {
            self.clear();
            return None;
        }
        let cells = floor.count();
        self.cover.reset(cells);
        self.tiles.resize(cells, [Span::Kept(0, 0); 2]);
        self.spread.held.clear();
        self.spread.held.resize(cells, false);
        for kind in [0, 1] {
            if self.known[kind].is_empty() {
                continue;
            }
            self.spread.starts.clear();
            self.spread.starts.resize(cells + 1, 0);
            self.spread.visits.clear();
            if kind == 0 {
                self.visit::<L>(&floor, kind, r);
            } else {
                self.visit::<PriorLaw>(&floor, kind, r);
            }
            self.list(kind);
        }
        Some(r)
    }

    /// Whether guests leave anything of a cell that they were spread over.
    pub(super) fn leaves(&self, cell: u32) -> bool {
        !self.spread.held[cell as usize] && !self.cover.is_full(cell)
    }

    /// Lets those guests in that reach a region, unless they are too many.
    fn welcome<L: Law>(
        &mut self,
        floor: &Floor<D>,
        grids: &Grids<D>,
        kind: usize,
        corners: [[f64; D]; 2],
        r: f64,
    ) -> bool {
        let most = CROWDED * floor.count() as f64;
        let known = &mut self.known[kind];
        let mut visits = 0.0;
        !grids.any(corners, r, 0.0, |q| {
            let keep = L::RULE.distance(q.r, r);
            if nearest2(q.p, corners) < keep * keep {
                known.push(*q);
                visits += floor
                    .sides
                    .iter()
                    .map(|s| 2.0 * keep / s + 1.0)
                    .product::<f64>();
            }
            visits > most
        })
    }

    /// Sends the guests to the cells that they reach.
    fn visit<L: Law>(&mut self, floor: &Floor<D>, kind: usize, r: f64) {
        let Spread {
            visits,
            starts,
            held,
            columns,
            row,
        } = &mut self.spread;
        for (guest, q) in (0_u32..).zip(&self.known[kind]) {
            let keep = L::RULE.distance(q.r, r);
            let keep2 = keep * keep;
            let stamp = Stamp::new(floor.per_part, keep);
            let may_hold = 4.1 * keep2 > floor.size;
            let Some((first, last)) = floor.reached(q, keep) else {
                continue;
            };
            columns.clear();
            columns.extend((first[0]..=last[0]).map(|along| floor.beside(0, along, q.p[0])));
            let mut at = first;
            loop {
                let (mut out2, mut far2, mut parts, mut misses) = (0.0, 0.0, [0.0; D], false);
                for a in 1..D {
                    let beside = floor.beside(a, at[a], q.p[a]);
                    (out2, far2) = (out2 + beside.out2, far2 + beside.far2);
                    parts[a] = beside.parts;
                    misses |= stamp.misses(a, beside.parts);
                }
                row.clear();
                for (cell, column) in (floor.number(at)..).zip(&*columns) {
                    if out2 + column.out2 >= keep2 || held[cell as usize] {
                        continue;
                    }
                    visits.push([cell, guest]);
                    starts[cell as usize] += 1;
                    held[cell as usize] = may_hold && far2 + column.far2 < keep2;
                    if !misses && !stamp.misses(0, column.parts) {
                        row.push((cell, column.parts));
                    }
                }
                self.cover.stamp_row(&stamp, row, parts, floor.part);
                let Some(axis) = (1..D).find(|&a| at[a] < last[a]) else {
                    break;
                };
                at[axis] += 1;
                at[1..axis].copy_from_slice(&first[1..axis]);
            }
        }
    }

    /// Lists the guests that reach each cell of which they leave anything.
    fn list(&mut self, kind: usize) {
        let mut end = 0;
        for cell in 0..self.spread.held.len() {
            let count = self.spread.starts[cell];
            self.tiles[cell][kind] = if !self.leaves(cell as u32) {
                Span::Kept(end, end)
            } else if count as usize > MOST {
                Span::Crowd
            } else {
                Span::Kept(end, end + count)
            };
            self.spread.starts[cell] = end;
            if let Span::Kept(_, to) = self.tiles[cell][kind] {
                end = to;
            }
        }
        let of_tiles = &mut self.of_tiles[kind];
        of_tiles.clear();
        of_tiles.resize(end as usize, 0);
        for &[cell, guest] in &self.spread.visits {
            if let Span::Kept(from, to) = self.tiles[cell as usize][kind]
                && from < to
            {
                let next = &mut self.spread.starts[cell as usize];
                of_tiles[*next as usize] = guest;
                *next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::crowd::{Crowd, Guest};
    use super::super::engine::{Scatter, ScatterOptions};
    use super::super::lattice::Cell;
    use super::super::law::MeanLaw;
    use super::super::node::Node;
    use super::super::tree::NONE;
    use super::*;
    use crate::rng::Draws;
    use crate::steps::for_each;
    use density::{Bounds, Constant};
    use std::sync::Arc;

    /// Guests strewn over the world and around it, by the rule and by distances of their own.
    fn strewn(count: usize, far: f64) -> [Vec<Guest<2>>; 2] {
        let mut rng = Draws::new(5);
        [0, 1].map(|_| {
            let mut guest = |_| {
                let p = [0, 1].map(|_| far + 140.0 * rng.unit() - 20.0);
                Guest::new(p, [0.1, 1.0, 3.0, 12.0][rng.below(4) as usize])
            };
            (0..count).map(&mut guest).collect()
        })
    }

    fn amid(count: usize, r: f64, far: f64) -> Scatter<2, Constant> {
        let [ruled, fixed] = strewn(count, far);
        let crowd = Crowd::new(ruled, fixed, MeanLaw::RULE, r, None);
        let domain = Bounds::with_origin([far; 2], [100.0; 2]).expect("a box");
        let field = Constant::new(r).expect("a distance");
        let options = ScatterOptions::default();
        Scatter::amid(field, Some(domain), options, Some(Arc::new(crowd)), 1.0).expect("a run")
    }

    /// Spread over all cells, guests do what they do to a cell that looks for them.
    #[test]
    fn cells_are_left_what_they_would_find_themselves() {
        for (r, far) in [(1.0, 0.0), (1.5, -3e6), (1.0, 1e9)] {
            let scatter = amid(90, r, far);
            let view = scatter.view();
            let block = Bounds::with_origin([far + 30.0; 2], [40.0, 25.0]).expect("a box");
            let task = view.task(&block, 4.5).expect("ground");
            let (mut all, mut one) = (Shade::default(), Shade::default());
            assert_eq!(all.spread::<_, MeanLaw>(&view, &task), Some(r));
            let (mut number, mut full, mut alone, mut seen) = (0, 0, 0, 0);
            for_each(task.base.first, task.base.last, |at| {
                let level = task.base.level;
                let cell = Cell { level, at };
                let sight = view.look(cell).expect("ground");
                let (node, _) = Node::new(&view, cell, [0; 2], [0.0; 2], &sight, false);
                one.clear();
                let crowd = view.crowd.expect("guests");
                let found = one.tile::<MeanLaw>(crowd, &node.tile, &sight.place, NONE);
                assert_eq!(found.is_some(), all.leaves(number), "{at:?}");
                if found.is_some() {
                    let open = |shade: &Shade<2>, number| {
                        [0, 1, 2, 3].map(|group| shade.cover.open_in_group(number, group))
                    };
                    assert_eq!(open(&all, number), open(&one, 0), "{at:?}");
                    for kind in [0, 1] {
                        let guests = |shade: &Shade<2>, number| {
                            let known = &shade.known[kind];
                            let kept = shade.guests(number)[kind].expect("not too many");
                            let mut kept: Vec<[u64; 3]> = kept
                                .iter()
                                .map(|&who| &known[who as usize])
                                .map(|q| [q.p[0], q.p[1], q.r].map(f64::to_bits))
                                .collect();
                            kept.sort_unstable();
                            kept
                        };
                        let kept = guests(&all, number);
                        assert_eq!(kept, guests(&one, 0), "{at:?}");
                        alone += usize::from(kept.is_empty());
                        seen += kept.len();
                    }
                } else {
                    full += 1;
                }
                number += 1;
            });
            println!("{number} cells, {full} full, {seen} seen, {alone} times none");
            assert!(full > 10 && alone > 10 && seen > 50);
        }
    }

    /// Guests of which each covers thousands of cells are better looked for by these.
    #[test]
    fn a_crowd_is_not_spread() {
        let scatter = amid(2000, 0.2, 0.0);
        let view = scatter.view();
        let block = Bounds::with_origin([30.0; 2], [40.0; 2]).expect("a box");
        let task = view.task(&block, 4.5).expect("ground");
        let mut shade = Shade::default();
        assert_eq!(shade.spread::<_, MeanLaw>(&view, &task), None);
        assert!(shade.known.iter().all(Vec::is_empty));
    }
}
