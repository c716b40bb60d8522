//! Builds the quadtree breadth-first: all cells of one size, then those of half the size.

use super::exact::{Edge, meets, winding_change};
use super::tree::{Group, Node, Part};
use crate::{Bounds, Share};

/// A cell that at most this many edges meet is not divided.
const FEW: usize = 6;

/// The greatest depth of the tree.
const DEEPEST: u32 = 48;

/// All cells with more edges are divided until the lists hold this many times as many numbers as there are
/// edges. Edges that all meet in one place could not be separated.
const MOST_LISTED: usize = 12;

/// Then only cells that more edges than this meet are divided, until the lists hold [`ALWAYS_LISTED`] numbers.
const MANY: usize = 32;

/// Numbers that the lists may hold however few edges there are: long edges side by side meet many cells each.
const ALWAYS_LISTED: usize = 4 << 20;

/// The state of the construction.
struct Growth<'e> {
    edges: &'e [Edge],
    parts: &'e [Part],
    nodes: Vec<Node>,
    groups: Vec<Group>,
    list: Vec<u32>,
}

/// Cells of one size that are still to be processed.
#[derive(Default)]
struct Pending {
    cells: Vec<(u32, Bounds<2>, [u32; 2])>,
    groups: Vec<Group>,
    list: Vec<u32>,
}

/// Returns the nodes of the tree of all `edges`, the leaves' groups, and the groups' lists. The root is `cell`, and
/// `groups` are those of the parts.
pub(super) fn grow(
    edges: &[Edge],
    parts: &[Part],
    cell: Bounds<2>,
    groups: Vec<Group>,
) -> (Vec<Node>, Vec<Group>, Vec<u32>) {
    let mut growth = Growth {
        edges,
        parts,
        nodes: vec![Node::Out],
        groups: Vec::new(),
        list: Vec::new(),
    };
    let mut pending = Pending {
        cells: vec![(0, cell, [0, groups.len() as u32])],
        groups,
        list: (0..edges.len() as u32).collect(),
    };
    let most = MOST_LISTED * edges.len() + 1024;
    for depth in 0.. {
        if pending.cells.is_empty() {
            break;
        }
        let mut next = Pending::default();
        for &(node, cell, [from, to]) in &pending.cells {
            let groups = &pending.groups[from as usize..to as usize];
            let count: usize = groups.iter().map(length).sum();
            let listed = growth.list.len() + next.list.len() + pending.list.len();
            let few = if listed > most { MANY } else { FEW };
            let whole = count <= few || depth >= DEEPEST || listed > most.max(ALWAYS_LISTED);
            if whole || cell.corner(0).and(cell.corner(3)).is_none() {
                growth.leaf(node, groups, &pending.list);
            } else {
                growth.cut(node, &cell, groups, &pending.list, &mut next);
            }
        }
        pending = next;
    }
    growth.sum_up();
    (growth.nodes, growth.groups, growth.list)
}

impl Growth<'_> {
    fn leaf(&mut self, node: u32, groups: &[Group], list: &[u32]) {
        let start = self.groups.len() as u32;
        for group in groups {
            let [from, to] = group.edges.map(|at| at as usize);
            let begin = self.list.len() as u32;
            self.list.extend_from_slice(&list[from..to]);
            self.groups.push(Group {
                edges: [begin, self.list.len() as u32],
                ..*group
            });
        }
        self.nodes[node as usize] = Node::Leaf {
            groups: [start, self.groups.len() as u32],
        };
    }

    fn cut(
        &mut self,
        node: u32,
        cell: &Bounds<2>,
        groups: &[Group],
        list: &[u32],
        next: &mut Pending,
    ) {
        let first = self.nodes.len() as u32;
        self.nodes[node as usize] = Node::Cut {
            first,
            share: Share::Part,
        };
        for quarter in 0..4 {
            let part = cell.halved(quarter);
            let number = self.nodes.len() as u32;
            let begin = [next.groups.len(), next.list.len()];
            let polygon = |group: &Group| self.parts[group.part as usize].polygon;
            let mut inside = false;
            for groups in groups.chunk_by(|a, b| polygon(a) == polygon(b)) {
                inside |= self.narrow(groups, [cell, &part], list, next);
            }
            if inside || next.groups.len() == begin[0] {
                // One polygon contains all of the part, or no polygon meets it.
                next.groups.truncate(begin[0]);
                next.list.truncate(begin[1]);
                self.nodes.push(if inside { Node::In } else { Node::Out });
            } else {
                self.nodes.push(Node::Out);
                let groups = [begin[0] as u32, next.groups.len() as u32];
                next.cells.push((number, part, groups));
            }
        }
    }

    /// Adds to `next` the edges of one polygon that meet `part` of a cell. Returns `true` if the
    /// polygon contains all of the part. Adds nothing if it contains all or none of it.
    fn narrow(
        &self,
        groups: &[Group],
        [cell, part]: [&Bounds<2>; 2],
        list: &[u32],
        next: &mut Pending,
    ) -> bool {
        let begin = [next.groups.len(), next.list.len()];
        let mut is_met = false;
        for group in groups {
            let [from, to] = group.edges.map(|at| at as usize);
            let start = next.list.len() as u32;
            let edge = |number: &u32| &self.edges[*number as usize];
            let met = |number: &&u32| meets(edge(number), part.min(), part.max());
            next.list.extend(list[from..to].iter().filter(met));
            let way = list[from..to].iter().map(edge);
            let winding = group.winding + winding_change(cell.min(), part.min(), way);
            let end = next.list.len() as u32;
            let Part { fill, is_hole, .. } = self.parts[group.part as usize];
            if start == end && fill.fills(winding) == is_hole {
                // The part is in a hole, or outside the outline.
                next.groups.truncate(begin[0]);
                next.list.truncate(begin[1]);
                return false;
            }
            is_met |= start < end;
            if start < end || !is_hole {
                next.groups.push(Group {
                    part: group.part,
                    winding,
                    edges: [start, end],
                });
            }
        }
        if !is_met {
            next.groups.truncate(begin[0]);
        }
        !is_met
    }

    /// Computes the share of each divided cell that is inside.
    fn sum_up(&mut self) {
        for number in (0..self.nodes.len()).rev() {
            let Node::Cut { first, .. } = self.nodes[number] else {
                continue;
            };
            let quarters = &self.nodes[first as usize..first as usize + 4];
            let share = Share::of_parts(quarters.iter().map(|quarter| quarter.share()));
            self.nodes[number] = Node::Cut { first, share };
        }
    }
}

fn length(group: &Group) -> usize {
    (group.edges[1] - group.edges[0]) as usize
}
