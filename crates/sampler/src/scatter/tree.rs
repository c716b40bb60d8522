//! The quadtree (octree) of cells: leaves fit the distances in them.
//!
//! Cells of level 0 are created on first use, so the tree grows with the area that was evaluated, in an
//! endless world too.

use super::lattice::Cell;
use super::neighbours::NONE;
use super::pages::{Pages, page_bits};
use super::pass_view::PassView;
use super::shape::Shape;
use density::Coverage;

/// The number of rounds of a finished leaf: covered, or divided to the finest resolution.
pub(super) const FINISHED: u8 = u8::MAX;

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No point may lie in it.
    Closed,
    /// Too large for the distances in it; `slot` is its first child, or [`NONE`] if there are none yet.
    Divided,
    /// It fits; `slot` is its state while it is open, and its points when it is finished.
    Leaf,
}

/// A cell of the tree. A leaf is new, open or finished:
///
/// ```text
///   new        drawn = 0, slot = NONE
///   open       drawn = 1, 2, ..; slot: its state. Kept between requests
///   finished   drawn = decided = FINISHED; slot: its points, NONE if there are none
///
///   open -> new        forget_work: the budget is spent, or a cell beside it is forgotten
///   any -> gone        its cell of level 0 is forgotten, with all nodes in it; their numbers are used again
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) shape: Shape<D>,
    pub(super) kind: Kind,
    pub(super) slot: u32,
    /// The number of rounds drawn and of those decided; [`FINISHED`] for a finished leaf. `drawn` of a
    /// divided cell is [`FINISHED`] once all leaves in it are known to be finished.
    pub(super) drawn: u8,
    pub(super) decided: u8,
    /// Whether the leaf was open before and forgotten: it has to replay the points around it.
    pub(super) reopens: bool,
    /// The divided cell that contains it; [`NONE`] for cells of level 0.
    pub(super) parent: u32,
}

impl<const D: usize> Node<D> {
    /// Forgets the work on a leaf.
    pub(super) fn forget_work(&mut self) {
        (self.slot, self.drawn, self.decided) = (NONE, 0, 0);
        self.reopens = true;
    }
}

/// The cells created so far.
#[derive(Debug)]
pub(super) struct Tree<const D: usize> {
    pub(super) nodes: Vec<Node<D>>,
    /// Numbers of nodes that can be reused: of cells of level 0, and of the first of `2^D` children.
    free_roots: Vec<u32>,
    free_children: Vec<u32>,
    /// The cells of level 0.
    pub(super) pages: Pages<D>,
    /// Whether nodes were forgotten, so that any leaf may have been open before.
    pub(super) forgetful: bool,
    /// Grows with each request, and each time that nodes are forgotten. A list of nodes is of use only as long as the
    /// version is the same: numbers of forgotten nodes are used again, and a cell of level 0 counts as used in a request
    /// only if [`root`](Self::root) is called for it.
    pub(super) version: u64,
}

impl<const D: usize> Tree<D> {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            free_roots: Vec::new(),
            free_children: Vec::new(),
            pages: Pages::new(),
            forgetful: false,
            version: 0,
        }
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>() + self.pages.bytes()
    }

    /// Returns the node of a cell of level 0, which is created if it is new, and marks the cell as used in this request.
    pub(super) fn root(&mut self, view: &PassView<'_, D>, at: [i64; D]) -> u32 {
        let cell = self.pages.index_of(at);
        if self.pages.nodes[cell] == NONE {
            let node = node(view, Cell { level: 0, at }, NONE);
            self.pages.nodes[cell] = if let Some(free) = self.free_roots.pop() {
                self.nodes[free as usize] = node;
                free
            } else {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            };
        }
        self.pages.nodes[cell]
    }

    /// Begins a new request.
    pub(super) fn tick(&mut self) {
        self.pages.begin_request();
        self.version += 1;
    }

    /// Returns for each node whether it lies in one of the cells at these indices in `pages`.
    pub(super) fn nodes_in(&self, cells: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = cells.iter().map(|&cell| self.pages.nodes[cell]).collect();
        while let Some(number) = stack.pop() {
            inside[number as usize] = true;
            let node = &self.nodes[number as usize];
            if node.kind == Kind::Divided && node.slot != NONE {
                stack.extend(node.slot..node.slot + (1 << D));
            }
        }
        inside
    }

    /// Marks a page as retired: all of its points were handed out. Forgets the pages that no leaf can depend on any
    /// more. `forget` is called with the slots of leaves.
    pub(super) fn retire_page(
        &mut self,
        view: &PassView<'_, D>,
        page: [i64; D],
        forget: &mut impl FnMut(u32),
    ) {
        let level = -(page_bits(D) as i32);
        // Beyond the edges of a periodic domain lies its other side.
        let domain = view.domain.filter(|_| !view.lattice.is_periodic());
        let is_outside = |at| {
            let place = view.lattice.bounds(Cell { level, at });
            domain.is_some_and(|domain| {
                place.is_none_or(|place| place.intersection(&domain).is_none())
            })
        };
        let roots = self.pages.retire(page, is_outside);
        self.forget_roots(&roots, forget);
    }

    /// Forgets the cells at these indices in `pages`; `forget` is called with the slots of their leaves, none of which
    /// may be open.
    pub(super) fn forget(&mut self, cells: &[usize], forget: &mut impl FnMut(u32)) {
        self.forgetful |= !cells.is_empty();
        let roots = self.pages.remove(cells);
        self.forget_roots(&roots, forget);
    }

    fn forget_roots(&mut self, roots: &[u32], forget: &mut impl FnMut(u32)) {
        if roots.is_empty() {
            return;
        }
        self.version += 1;
        for &root in roots {
            self.free_roots.push(root);
            self.forget_node(root, forget);
        }
    }

    fn forget_node(&mut self, number: u32, forget: &mut impl FnMut(u32)) {
        let Node { kind, slot, .. } = self.nodes[number as usize];
        match kind {
            Kind::Closed => {}
            Kind::Leaf => forget(slot),
            Kind::Divided if slot == NONE => {}
            Kind::Divided => {
                self.free_children.push(slot);
                for child in slot..slot + (1 << D) {
                    self.forget_node(child, forget);
                }
            }
        }
    }

    /// Returns the first of the `2^D` children of a divided cell, which are created if they are new.
    pub(super) fn children(&mut self, view: &PassView<'_, D>, number: u32) -> u32 {
        let Node { shape, slot, .. } = self.nodes[number as usize];
        if slot != NONE {
            return slot;
        }
        let first = self.free_children.pop().unwrap_or_else(|| {
            let first = self.nodes.len();
            self.nodes
                .resize(first + (1 << D), self.nodes[number as usize]);
            first as u32
        });
        for child in 0..1 << D {
            self.nodes[first as usize + child] = node(view, shape.cell.child(child), number);
        }
        self.nodes[number as usize].slot = first;
        first
    }

    /// Returns `true` if a leaf has to replay the points around it when it is opened, as something was forgotten.
    #[inline]
    pub(super) fn needs_replay(&self, number: u32) -> bool {
        self.forgetful || self.nodes[number as usize].reopens
    }

    /// Returns `true` if a node cannot matter to a leaf; `replays` tells whether the leaf replays the points around it.
    #[inline]
    pub(super) fn is_over(&self, number: u32, replays: bool) -> bool {
        let node = &self.nodes[number as usize];
        node.kind == Kind::Closed || (node.drawn == FINISHED && !replays)
    }
}

/// Returns the node of a cell, from the field's bounds over it.
fn node<const D: usize>(view: &PassView<'_, D>, cell: Cell<D>, parent: u32) -> Node<D> {
    let mut node = Node {
        shape: Shape::closed(cell),
        kind: Kind::Closed,
        slot: NONE,
        drawn: 0,
        decided: 0,
        reopens: false,
        parent,
    };
    let Some(whole) = view.lattice.bounds(cell) else {
        return node;
    };
    let Some(inside) = view.inside(&whole) else {
        return node;
    };
    let Some(local) = view.range_in(&inside, cell.level) else {
        return node;
    };
    let (lo, hi) = (local.range.lo(), local.range.hi());
    node.kind = if view.fits(lo, cell.level) {
        Kind::Leaf
    } else {
        Kind::Divided
    };
    node.shape = Shape {
        cell,
        min: whole.min(),
        sides: view.lattice.sides(cell.level),
        side: whole.size().into_iter().fold(0.0, f64::max) as f32,
        lo,
        hi,
        whole: local.coverage == Coverage::All,
        cut_off: whole != inside,
    };
    node
}
