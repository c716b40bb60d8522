//! The search for the neighbours of leaves, among the cells around their parents.

use super::lanes::LANES;
use super::lattice::{Image, image};
use super::margin::WIDE;
use super::neighbours::{NONE, NeighbourRow};
use super::pass_view::PassView;
use super::shape::Shape;
use super::tree::{FINISHED, Kind, Node, Tree};
use crate::steps::for_each;

/// The cells around some divided cells.
#[derive(Debug)]
pub(super) struct NeighbourSearch {
    /// Each at the number of its cell, modulo [`LISTS`].
    lists: Vec<Around>,
    /// Total capacity of the lists, in cells.
    cells_in_lists: usize,
    stack: Vec<(u32, Image)>,
}

/// Number of lists that are kept. A newer list replaces the one in its place.
const LISTS: usize = 64;

/// All cells around a divided cell, of its size or larger, that may hold points in conflict with its own. The
/// neighbours of its children are searched among them.
///
/// To keep lists short, a cell that [reaches far](reaches_far) has none: its children use the list of its parent. Such
/// a cell is not replaced by its children in the lists of smaller cells.
#[derive(Clone, Debug)]
struct Around {
    of: u32,
    /// The [version](Tree::version) of the tree for which the list was made.
    version: u64,
    cells: Vec<(u32, Image)>,
}

impl NeighbourSearch {
    pub(super) fn new() -> Self {
        let none = Around {
            of: NONE,
            version: 0,
            cells: Vec::new(),
        };
        Self {
            lists: vec![none; LISTS],
            cells_in_lists: 0,
            stack: Vec::new(),
        }
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.cells_in_lists * size_of::<(u32, Image)>()
    }

    /// Finds the neighbours of an open leaf, in no particular order; `max_radius` returns the greatest
    /// radius that is still possible in a node. Returns `None` if cells would take more memory than
    /// allowed.
    ///
    /// A point is accepted only after every leaf that it reaches was opened. So a leaf that stayed open
    /// already has all points of finished leaves around it, and these are left out.
    #[inline(never)]
    pub(super) fn find<const D: usize>(
        &mut self,
        tree: &mut Tree<D>,
        view: &PassView<'_, D>,
        number: u32,
        max_radius: impl Fn(&Node<D>) -> f64,
        neighbours: &mut Vec<NeighbourRow<D>>,
    ) -> Option<()> {
        neighbours.clear();
        let Node { shape, parent, .. } = tree.nodes[number as usize];
        let hi = max_radius(&tree.nodes[number as usize]);
        let replays = tree.needs_replay(number);
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        self.push_around(tree, view, shape.cell.at, parent, &mut stack);
        let own = image([0; D]);
        let mut count = 0;
        while let Some((other, image)) = stack.pop() {
            if tree.is_over(other, replays) || (other == number && image == own) {
                continue;
            }
            let node = &tree.nodes[other as usize];
            let away = node.shape.relative_to(shape.min, view.lattice.shift(image));
            let square = node.shape.gap2(away, shape.sides);
            let node_hi = max_radius(node);
            let reach = WIDE * view.rule.reach(hi, node_hi);
            if square > reach * reach {
                continue;
            }
            if node.kind == Kind::Divided {
                if (tree.bytes() + self.bytes()) as u64 > view.max_bytes {
                    return None;
                }
                let first = tree.children(view, other);
                let children = first..first + (1 << D);
                if children.clone().all(|child| tree.is_over(child, replays)) {
                    tree.nodes[other as usize].drawn = FINISHED;
                } else {
                    stack.extend(children.map(|child| (child, image)));
                }
                continue;
            }
            let lane = count % LANES;
            if lane == 0 {
                neighbours.push(NeighbourRow::empty());
            }
            count += 1;
            if let Some(row) = neighbours.last_mut() {
                row.set(lane, (other, image), away, node.shape.sides, node_hi);
            }
        }
        self.stack = stack;
        Some(())
    }

    /// Adds the cells around a cell: those around its `parent`, or of level 0 around `at` if it has none.
    fn push_around<const D: usize>(
        &mut self,
        tree: &mut Tree<D>,
        view: &PassView<'_, D>,
        at: [i64; D],
        parent: u32,
        to: &mut Vec<(u32, Image)>,
    ) {
        if parent != NONE {
            let list = self.list_around(tree, view, parent);
            to.extend_from_slice(&self.lists[list].cells);
            return;
        }
        let reach = view.lattice.reach(view.field.range().hi());
        for_each(reach.map(|n| -n), reach, |step: [i64; D]| {
            let at = std::array::from_fn(|a| at[a] + step[a]);
            let (at, image) = view.lattice.wrap(at);
            to.push((tree.root(view, at), image));
        });
    }

    /// Returns the index of the list of a divided cell, or of its nearest ancestor that does not reach far. The list is
    /// made if there is none.
    fn list_around<const D: usize>(
        &mut self,
        tree: &mut Tree<D>,
        view: &PassView<'_, D>,
        number: u32,
    ) -> usize {
        let Node { shape, parent, .. } = tree.nodes[number as usize];
        if parent != NONE && reaches_far(&shape) {
            return self.list_around(tree, view, parent);
        }
        let index = number as usize % LISTS;
        let list = &self.lists[index];
        if list.of == number && list.version == tree.version {
            return index;
        }
        let mut stack = Vec::new();
        self.push_around(tree, view, shape.cell.at, parent, &mut stack);
        let mut cells = std::mem::take(&mut self.lists[index].cells);
        self.cells_in_lists -= cells.capacity();
        cells.clear();
        while let Some((other, image)) = stack.pop() {
            let node = &tree.nodes[other as usize];
            let shift = view.lattice.shift(image);
            let away = node.shape.relative_to(shape.min, shift);
            let reach = WIDE * view.rule.reach(shape.hi, node.shape.hi);
            if node.kind == Kind::Closed || node.shape.gap2(away, shape.sides) > reach * reach {
                continue;
            }
            let larger = node.shape.cell.level < shape.cell.level;
            if node.kind == Kind::Divided && larger && !reaches_far(&node.shape) {
                let first = tree.children(view, other);
                stack.extend((first..first + (1 << D)).map(|child| (child, image)));
            } else {
                cells.push((other, image));
            }
        }
        self.cells_in_lists += cells.capacity();
        self.lists[index] = Around {
            of: number,
            version: tree.version,
            cells,
        };
        index
    }
}

/// Returns `true` if distances in a cell reach so far beyond it that it has many neighbours of its own
/// size.
fn reaches_far<const D: usize>(shape: &Shape<D>) -> bool {
    shape.hi > 2.0 * f64::from(shape.side)
}
