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
use density::{Coverage, RadiusField};

/// Where more guests than this reach a cell, on the average, cells look for them: one may cover all of
/// it, and nobody needs the others.
const CROWDED: f64 = 24.0;

/// More than rounding may take from, or add to, the square of a distance.
const ROUNDING: f64 = 1e-12;

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
            // Sums over the axes are rounded in another order than where points are compared.
            let keep2 = keep * keep;
            let (reach2, surely2) = (keep2 * (1.0 + ROUNDING), keep2 * (1.0 - ROUNDING));
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
                    if out2 + column.out2 >= reach2 || held[cell as usize] {
                        continue;
                    }
                    visits.push([cell, guest]);
                    starts[cell as usize] += 1;
                    held[cell as usize] = may_hold && far2 + column.far2 < surely2;
                    if !misses && !stamp.misses(0, column.parts) {
                        row.push((cell, column.parts));
                    }
                }
                if !row.is_empty() {
                    self.cover.stamp_row(&stamp, row, parts, floor.part);
                }
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
    use super::super::lattice::{Cell, Parts};
    use super::super::law::MeanLaw;
    use super::super::node::Node;
    use super::super::tree::NONE;
    use super::*;
    use crate::rng::Draws;
    use crate::steps::for_each;
    use density::{Bounds, Constant};
    use std::sync::Arc;

    /// Amid guests strewn over the world, by the rule and by distances of their own.
    fn amid<const D: usize>(
        count: usize,
        r: f64,
        far: f64,
        size: f64,
        stretch: f64,
    ) -> Scatter<D, Constant> {
        let mut rng = Draws::new(5);
        let [ruled, fixed] = [0, 1].map(|_| {
            let guest = |_| {
                let p = std::array::from_fn(|_| far + size * rng.unit());
                Guest::new(p, [0.1, 1.0, 3.0, 12.0][rng.below(4) as usize])
            };
            (0..count).map(guest).collect()
        });
        let crowd = Crowd::new(ruled, fixed, MeanLaw::RULE, r, None);
        let domain = Bounds::with_origin([far; D], [size; D]).expect("a box");
        let field = Constant::new(r).expect("a distance");
        let (options, crowd) = (ScatterOptions::default(), Some(Arc::new(crowd)));
        Scatter::amid(field, Some(domain), options, crowd, stretch).expect("a run")
    }

    /// Compares what guests leave of the cells around a block with what these find out.
    fn left_alike<const D: usize>(scatter: &Scatter<D, Constant>, block: &Bounds<D>, r: f64) {
        let view = scatter.view();
        let task = view.task(block, 4.5).expect("ground");
        let (mut all, mut one) = (Shade::default(), Shade::default());
        assert_eq!(all.spread::<_, MeanLaw>(&view, &task), Some(r));
        let open = |shade: &Shade<D>, number| {
            let groups = 0..Parts::<D>::GROUPS;
            let open = groups.map(|group| shade.cover.open_in_group(number, group));
            open.collect::<Vec<u64>>()
        };
        let guests = |shade: &Shade<D>, number, kind: usize| {
            let kept = shade.guests(number)[kind].expect("not too many").iter();
            let kept = kept.map(|&who| &shade.known[kind][who as usize]);
            let mut kept: Vec<_> = kept
                .map(|q| (q.p.map(f64::to_bits), q.r.to_bits()))
                .collect();
            kept.sort_unstable();
            kept
        };
        let (mut number, mut full, mut alone, mut seen) = (0, 0, 0, 0);
        for_each(task.base.first, task.base.last, |at| {
            let level = task.base.level;
            let cell = Cell { level, at };
            let Some(sight) = view.look(cell) else {
                number += 1;
                return;
            };
            let (node, _) = Node::new(&view, cell, [0; D], [0.0; D], &sight, false);
            one.clear();
            let crowd = view.crowd.expect("guests");
            let found = one.tile::<MeanLaw>(crowd, &node.tile, &sight.place, NONE);
            // Of a cell that hangs over the world's edge only what lies inside has to be covered.
            assert!(found.is_none() || all.leaves(number), "{at:?}");
            assert!(
                found.is_some() || node.tile.cut_off || !all.leaves(number),
                "{at:?}"
            );
            if found.is_some() {
                assert_eq!(open(&all, number), open(&one, 0), "{at:?}");
                for kind in [0, 1] {
                    let kept = guests(&all, number, kind);
                    assert_eq!(kept, guests(&one, 0, kind), "{at:?}");
                    alone += usize::from(kept.is_empty());
                    seen += kept.len();
                }
            } else {
                full += 1;
            }
            number += 1;
        });
        println!("{number} cells, {full} full, {seen} seen, {alone} times none");
        assert!(full > 0 && alone > 3 && seen > 5);
    }

    /// Spread over all cells, guests do what they do to a cell that looks for them.
    #[test]
    fn cells_are_left_what_they_would_find_themselves() {
        for (r, far, stretch) in [(1.0, 0.0, 1.0), (1.5, -3e6, 1.5), (1.0, 1e9, 0.75)] {
            for at in [30.0, 0.0] {
                let block = Bounds::with_origin([far + at; 2], [40.0, 25.0]).expect("a box");
                left_alike(&amid::<2>(45, r, far, 100.0, stretch), &block, r);
            }
            let block = Bounds::with_origin([far + 40.0], [160.0]).expect("a box");
            left_alike(&amid::<1>(10, r, far, 400.0, stretch), &block, r);
            let block = Bounds::with_origin([far; 3], [9.0, 20.0, 14.0]).expect("a box");
            left_alike(&amid::<3>(40, r, far, 40.0, stretch), &block, r);
        }
    }

    /// Guests of which each covers thousands of cells are better looked for by these.
    #[test]
    fn a_crowd_is_not_spread() {
        let scatter = amid::<2>(2000, 0.2, 0.0, 100.0, 1.0);
        let view = scatter.view();
        let block = Bounds::with_origin([30.0; 2], [40.0; 2]).expect("a box");
        let task = view.task(&block, 4.5).expect("ground");
        let mut shade = Shade::default();
        assert_eq!(shade.spread::<_, MeanLaw>(&view, &task), None);
        assert!(shade.known.iter().all(Vec::is_empty));
    }
}
