//! The edges of polygons in a quadtree.
//!
//! ```text
//!   +-------+---+---+     Of each cell the winding numbers at its lowest corner are known, and
//!   |       | . |___|__   the edges that meet it. A place's winding number is that of its
//!   |  in   +---/---+     cell's corner and what the way from there to the place crosses.
//!   |       |  /| out     Cells that no edge meets are in or out as a whole.
//!   +-------+-/-+---+
//! ```

use super::Polygon;
use super::exact::{Edge, grown, meets};
use super::grow::{Growth, Pending};
use crate::{Bounds, FillRule, Share};

/// A box of the tree, half-open like [`Bounds`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Cell {
    fn middle(&self) -> [f64; 2] {
        [0, 1].map(|a| self.min[a] + 0.5 * (self.max[a] - self.min[a]))
    }

    /// The quarter with this number: bit `a` says whether it is the upper half along axis `a`.
    pub(super) fn quarter(&self, number: usize) -> Self {
        let middle = self.middle();
        let upper = |a: usize| number >> a & 1 == 1;
        Self {
            min: [0, 1].map(|a| if upper(a) { middle[a] } else { self.min[a] }),
            max: [0, 1].map(|a| if upper(a) { self.max[a] } else { middle[a] }),
        }
    }

    /// Whether its quarters are smaller than it is.
    pub(super) fn can_be_cut(&self) -> bool {
        let middle = self.middle();
        (0..2).all(|a| self.min[a] < middle[a] && middle[a] < self.max[a])
    }
}

/// A cell, or what became of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// No edge meets it.
    In,
    Out,
    /// Cut in four, whose first has this number; `share` is of the whole cell.
    Cut {
        first: u32,
        share: Share,
    },
    /// Some edges meet it: these groups.
    Leaf {
        groups: [u32; 2],
    },
}

/// The edges of one polygon that meet a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) polygon: u32,
    /// The winding number at the cell's lowest corner.
    pub(super) winding: i32,
    /// From where to where they stand in the list of edges' numbers.
    pub(super) edges: [u32; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    cell: Cell,
    bounds: Bounds<2>,
    nodes: Vec<Node>,
    groups: Vec<Group>,
    /// Numbers of edges.
    list: Vec<u32>,
    edges: Vec<Edge>,
    /// Of each polygon.
    fills: Vec<FillRule>,
}

/// What was seen of a box.
#[derive(Default)]
struct Seen {
    inside: bool,
    outside: bool,
}

impl Tree {
    /// `None` when no box with an area holds them all.
    pub(super) fn new(polygons: Vec<Polygon>) -> Option<Self> {
        let fills: Vec<_> = polygons.iter().map(|polygon| polygon.fill).collect();
        let (mut edges, mut groups) = (Vec::new(), Vec::new());
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (polygon, number) in polygons.into_iter().zip(0..) {
            let start = edges.len() as u32;
            for ring in polygon.rings {
                let next = ring.iter().cycle().skip(1);
                for (&from, &to) in ring.iter().zip(next) {
                    for a in 0..2 {
                        min[a] = min[a].min(from[a]);
                        max[a] = max[a].max(from[a]);
                    }
                    if from != to {
                        edges.push(Edge { from, to });
                    }
                }
            }
            groups.push(Group {
                polygon: number,
                winding: 0,
                edges: [start, edges.len() as u32],
            });
        }
        let bounds = Bounds::new(min, max).ok()?;
        // A square, so that its quarters are squares, and a trifle larger at its lower end, so
        // that its lowest corner is outside.
        let side = bounds.longest_side();
        let cell = Cell {
            min: min.map(|x| x - 1e-9 * side).map(f64::next_down),
            max: min.map(|x| (x + side * (1.0 + 1e-9)).next_up()),
        };
        let list = (0..edges.len() as u32).collect();
        let growth = Growth::new(&edges, &fills);
        let (nodes, groups, list) = growth.grow(Pending::all(cell, groups, list));
        Some(Self {
            cell,
            bounds,
            nodes,
            groups,
            list,
            edges,
            fills,
        })
    }

    pub(super) fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    pub(super) fn holds(&self, p: [f64; 2]) -> bool {
        let mut cell = self.cell;
        if !(0..2).all(|a| cell.min[a] <= p[a] && p[a] < cell.max[a]) {
            return false;
        }
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::In => return true,
                Node::Out => return false,
                Node::Cut { first, .. } => {
                    let middle = cell.middle();
                    let quarter =
                        usize::from(p[0] >= middle[0]) | usize::from(p[1] >= middle[1]) << 1;
                    cell = cell.quarter(quarter);
                    node = first as usize + quarter;
                }
                Node::Leaf { groups } => {
                    return self
                        .groups(groups)
                        .iter()
                        .any(|group| self.is_in(group, cell.min, p));
                }
            }
        }
    }

    pub(super) fn share_in(&self, bounds: &Bounds<2>) -> Share {
        let place = Cell {
            min: bounds.min(),
            max: bounds.max(),
        };
        let Some(inner) = clip(&place, &self.cell) else {
            return Share::None;
        };
        let beyond = inner.min != place.min || inner.max != place.max;
        let mut seen = Seen {
            inside: false,
            outside: beyond,
        };
        self.look(0, &self.cell, &inner, &mut seen);
        match (seen.inside, seen.outside) {
            (true, false) => Share::All,
            (false, _) => Share::None,
            (true, true) => Share::Part,
        }
    }

    /// Adds what a box that lies in a node's cell sees there.
    fn look(&self, node: usize, cell: &Cell, place: &Cell, seen: &mut Seen) {
        match self.nodes[node] {
            Node::In => seen.inside = true,
            Node::Out => seen.outside = true,
            Node::Cut { share, .. } if place.min == cell.min && place.max == cell.max => {
                seen.inside |= share != Share::None;
                seen.outside |= share != Share::All;
            }
            Node::Cut { first, .. } => {
                for quarter in 0..4 {
                    if seen.inside && seen.outside {
                        return;
                    }
                    let part = cell.quarter(quarter);
                    if let Some(place) = clip(place, &part) {
                        self.look(first as usize + quarter, &part, &place, seen);
                    }
                }
            }
            Node::Leaf { groups } => {
                let mut met = false;
                for group in self.groups(groups) {
                    let meets = |edge| meets(edge, place.min, place.max);
                    if self.edges(group).any(meets) {
                        met = true;
                    } else if self.is_in(group, cell.min, place.min) {
                        seen.inside = true;
                        return;
                    }
                }
                seen.inside |= met;
                seen.outside = true;
            }
        }
    }

    fn groups(&self, [from, to]: [u32; 2]) -> &[Group] {
        &self.groups[from as usize..to as usize]
    }

    fn edges(&self, group: &Group) -> impl Iterator<Item = &Edge> {
        let [from, to] = group.edges.map(|at| at as usize);
        let numbers = self.list[from..to].iter();
        numbers.map(|&number| &self.edges[number as usize])
    }

    /// Whether a place is in a polygon; `corner` is the lowest of the place's cell.
    #[inline]
    fn is_in(&self, group: &Group, corner: [f64; 2], p: [f64; 2]) -> bool {
        let winding = group.winding + grown(corner, p, self.edges(group));
        self.fills[group.polygon as usize].fills(winding)
    }
}

/// What two boxes have in common.
fn clip(place: &Cell, other: &Cell) -> Option<Cell> {
    let common = Cell {
        min: [0, 1].map(|a| place.min[a].max(other.min[a])),
        max: [0, 1].map(|a| place.max[a].min(other.max[a])),
    };
    (0..2)
        .all(|a| common.min[a] < common.max[a])
        .then_some(common)
}
