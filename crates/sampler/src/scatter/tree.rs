//! The quadtree (octree) of cells: leaves fit the distances in them.
//!
//! Cells of level 0 are created on first use, so the tree grows with the area that was evaluated, in an
//! endless world too.

use super::lanes::LANES;
use super::lattice::{Cell, Image, image, unfold};
use super::margin::WIDE;
use super::neighbours::{NONE, NeighbourRow};
use super::pass_view::PassView;
use super::shape::Shape;
use crate::steps::{self, for_each};
use density::Coverage;
use std::collections::BTreeMap;

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
    parent: u32,
}

impl<const D: usize> Node<D> {
    /// Forgets the work on a leaf.
    pub(super) fn forget_work(&mut self) {
        (self.slot, self.drawn, self.decided) = (NONE, 0, 0);
        self.reopens = true;
    }
}

/// Returns `b`, where the side of a page is `2^b` cells. Cells of level 0 are numbered and freed by pages.
pub(super) const fn page_bits(dimensions: usize) -> u32 {
    if dimensions < 3 { 4 } else { 2 }
}

/// A cube of cells of level 0.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    /// The number of the page; `None` once its cells were forgotten.
    number: Option<u32>,
    /// Whether all of its points were handed out.
    is_retired: bool,
}

/// The cells created so far.
#[derive(Debug)]
pub(super) struct Tree<const D: usize> {
    pub(super) nodes: Vec<Node<D>>,
    /// Numbers of nodes that can be reused: of cells of level 0, and of the first of `2^D` children.
    free_roots: Vec<u32>,
    free_children: Vec<u32>,
    /// The pages, which are cubes of cells of level 0.
    pages: BTreeMap<[i64; D], Page>,
    /// Numbers of pages that can be reused.
    free_pages: Vec<u32>,
    /// The last page used of each parity of its coordinates: around any cell there is one page of each
    /// parity.
    last: Vec<Option<([i64; D], u32)>>,
    /// The number of requests so far.
    clock: u64,
    /// The last request for each cell of level 0.
    asked: Vec<u64>,
    /// Whether nodes were forgotten, so that any leaf may have been open before.
    pub(super) forgetful: bool,
    /// The nodes of the cells of level 0, page by page.
    roots: Vec<u32>,
    stack: Vec<(u32, Image)>,
    /// The neighbours of divided cells, each at its node number modulo [`LISTS`](Self::LISTS).
    lists: Vec<Around>,
    /// Total capacity of `lists`, in cells.
    listed: usize,
}

/// All cells around a divided cell, of its size or larger, that may hold points in conflict with its own.
/// The neighbours of its children are searched among them. To keep lists short, a cell that [reaches
/// far](reaches_far) uses the list of its parent, and is not replaced by its children in other lists.
#[derive(Clone, Debug)]
struct Around {
    of: u32,
    cells: Vec<(u32, Image)>,
}

impl<const D: usize> Tree<D> {
    /// Number of cells in a page.
    const CELLS: usize = 1 << (page_bits(D) * D as u32);

    /// Number of lists that are kept. A newer list replaces the one in its place.
    const LISTS: usize = 64;

    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            free_roots: Vec::new(),
            free_children: Vec::new(),
            pages: BTreeMap::new(),
            free_pages: Vec::new(),
            last: vec![None; 1 << D],
            clock: 0,
            asked: Vec::new(),
            forgetful: false,
            roots: Vec::new(),
            stack: Vec::new(),
            lists: vec![
                Around {
                    of: NONE,
                    cells: Vec::new()
                };
                Self::LISTS
            ],
            listed: 0,
        }
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.roots.capacity() * size_of::<u32>()
            + self.asked.capacity() * size_of::<u64>()
            + self.listed * size_of::<(u32, Image)>()
            + self.pages.len() * size_of::<([i64; D], Page)>()
    }

    /// Returns the node of a cell of level 0, which is created if it is new, and marks the cell as used in this request.
    pub(super) fn root(&mut self, view: &PassView<'_, D>, at: [i64; D]) -> u32 {
        let bits = page_bits(D);
        let page = at.map(|x| x >> bits);
        let number = match self.last[Self::parity(page)] {
            Some((last, number)) if last == page => number,
            _ => self.page(page),
        };
        let inside = at
            .iter()
            .rev()
            .fold(0, |sum, x| sum << bits | (x & ((1 << bits) - 1)) as usize);
        let index = number as usize * Self::CELLS + inside;
        self.asked[index] = self.clock;
        if self.roots[index] == NONE {
            let node = node(view, Cell { level: 0, at }, NONE);
            self.roots[index] = if let Some(free) = self.free_roots.pop() {
                self.nodes[free as usize] = node;
                free
            } else {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            };
        }
        self.roots[index]
    }

    /// Returns the number of a page, which is added if it is new. Stores it as the last page of its parity.
    fn page(&mut self, page: [i64; D]) -> u32 {
        let Self {
            pages,
            free_pages,
            roots,
            asked,
            ..
        } = self;
        let known = &mut pages.entry(page).or_default().number;
        let number = *known.get_or_insert_with(|| {
            free_pages.pop().unwrap_or_else(|| {
                let new = roots.len();
                roots.resize(new + Self::CELLS, NONE);
                asked.resize(new + Self::CELLS, 0);
                (new / Self::CELLS) as u32
            })
        });
        self.last[Self::parity(page)] = Some((page, number));
        number
    }

    /// Begins a new request.
    pub(super) fn tick(&mut self) {
        self.clock += 1;
        // Lists are rebuilt in each request, so that `root` stores the request for each cell.
        self.forget_lists();
    }

    fn forget_lists(&mut self) {
        for list in &mut self.lists {
            list.of = NONE;
        }
    }

    /// Returns the indices in `roots` of the cells that were last used more than `age` requests ago.
    pub(super) fn older(&self, age: u64) -> Vec<usize> {
        let old = |&root: &usize| self.roots[root] != NONE && self.asked[root] + age < self.clock;
        (0..self.roots.len()).filter(old).collect()
    }

    /// Returns the indices in `roots` of the existing cells from `first` to `last`, both included.
    pub(super) fn between(&self, first: [i64; D], last: [i64; D]) -> Vec<usize> {
        let bits = page_bits(D);
        let mut found = Vec::new();
        let numbered = |(at, page): (_, &Page)| Some((at, page.number?));
        for (page, number) in self.pages.iter().filter_map(numbered) {
            let start = number as usize * Self::CELLS;
            found.extend((start..start + Self::CELLS).filter(|&root| {
                let inside: [u32; D] = unfold((root - start) as u32, bits);
                let at = |a: usize| (page[a] << bits) + i64::from(inside[a]);
                self.roots[root] != NONE && (0..D).all(|a| (first[a]..=last[a]).contains(&at(a)))
            }));
        }
        found
    }

    /// Returns for each node whether it lies in one of the cells at these indices in `roots`.
    pub(super) fn nodes_in(&self, roots: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = roots.iter().map(|&root| self.roots[root]).collect();
        while let Some(number) = stack.pop() {
            inside[number as usize] = true;
            let node = &self.nodes[number as usize];
            if node.kind == Kind::Divided && node.slot != NONE {
                stack.extend(node.slot..node.slot + (1 << D));
            }
        }
        inside
    }

    /// Forgets pages that hold no cell.
    pub(super) fn forget_empty_pages(&mut self) {
        let Self {
            pages,
            roots,
            free_pages,
            ..
        } = self;
        pages.retain(|_, page| {
            let Some(number) = page.number else {
                return true;
            };
            let first = number as usize * Self::CELLS;
            let known = roots[first..first + Self::CELLS]
                .iter()
                .any(|&root| root != NONE);
            if !known {
                free_pages.push(number);
            }
            known
        });
        self.last.fill(None);
    }

    /// Returns the parities of a page's coordinates, one bit each.
    #[inline]
    fn parity(page: [i64; D]) -> usize {
        (0..D).fold(0, |bits, a| bits | ((page[a] & 1) as usize) << a)
    }

    /// Marks a page as retired: all of its points were handed out. Forgets this page and those around it, if
    /// all pages around them are retired too, so that no leaf can depend on them any more. `forget` is called
    /// with the slots of leaves.
    pub(super) fn retire_page(
        &mut self,
        view: &PassView<'_, D>,
        page: [i64; D],
        mut forget: impl FnMut(u32),
    ) {
        if let Some(page) = self.pages.get_mut(&page)
            && std::mem::replace(&mut page.is_retired, true)
        {
            return;
        }
        for_each(
            page.map(|x| x - 1),
            page.map(|x| x + 1),
            |other: [i64; D]| {
                let is_used = |around| !self.is_retired(view, around);
                if !steps::any(other.map(|x| x - 1), other.map(|x| x + 1), is_used) {
                    self.forget_page(other, &mut forget);
                }
            },
        );
    }

    /// Returns `true` if all points of a page were handed out, or it lies outside the domain.
    fn is_retired(&self, view: &PassView<'_, D>, page: [i64; D]) -> bool {
        match self.pages.get(&page) {
            Some(page) if page.is_retired => true,
            _ => {
                let level = -(page_bits(D) as i32);
                let place = view.lattice.bounds(Cell { level, at: page });
                // Beyond the edges of a periodic domain lies its other side.
                let domain = view.domain.as_ref();
                let domain = domain.filter(|_| !view.lattice.is_periodic());
                domain.is_some_and(|domain| {
                    place.is_none_or(|place| place.intersection(domain).is_none())
                })
            }
        }
    }

    fn forget_page(&mut self, page: [i64; D], forget: &mut impl FnMut(u32)) {
        // The page stays retired, but its number is reused.
        let Some(number) = self
            .pages
            .get_mut(&page)
            .and_then(|page| page.number.take())
        else {
            return;
        };
        let first = number as usize * Self::CELLS;
        self.forget(first..first + Self::CELLS, forget);
        self.free_pages.push(number);
        self.last.fill(None);
    }

    /// Forgets the cells at these indices in `roots`; `forget` is called with the slots of their leaves, none of which
    /// may be open.
    pub(super) fn forget(
        &mut self,
        roots: impl IntoIterator<Item = usize>,
        forget: &mut impl FnMut(u32),
    ) {
        self.forget_lists();
        for root in roots {
            let root = std::mem::replace(&mut self.roots[root], NONE);
            if root != NONE {
                self.free_roots.push(root);
                self.forget_node(root, forget);
            }
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
    fn is_over(&self, number: u32, replays: bool) -> bool {
        let node = &self.nodes[number as usize];
        node.kind == Kind::Closed || (node.drawn == FINISHED && !replays)
    }

    /// Adds a cell of level 0 and those around it.
    fn push_roots_around(
        &mut self,
        view: &PassView<'_, D>,
        root: [i64; D],
        to: &mut Vec<(u32, Image)>,
    ) {
        let reach = view.lattice.reach(view.field.range().hi());
        for_each(reach.map(|n| -n), reach, |step: [i64; D]| {
            let at = std::array::from_fn(|a| root[a] + step[a]);
            let (at, image) = view.lattice.wrap(at);
            to.push((self.root(view, at), image));
        });
    }

    /// Returns the index of the list of a divided cell, or of its nearest ancestor that does not reach far.
    fn list_around(&mut self, view: &PassView<'_, D>, number: u32) -> usize {
        let Node { shape, parent, .. } = self.nodes[number as usize];
        if parent != NONE && reaches_far(&shape) {
            return self.list_around(view, parent);
        }
        let index = number as usize % Self::LISTS;
        if self.lists[index].of == number {
            return index;
        }
        let mut stack = Vec::new();
        if parent == NONE {
            self.push_roots_around(view, shape.cell.at, &mut stack);
        } else {
            let list = self.list_around(view, parent);
            stack.extend_from_slice(&self.lists[list].cells);
        }
        let mut cells = std::mem::take(&mut self.lists[index].cells);
        self.listed -= cells.capacity();
        cells.clear();
        while let Some((other, image)) = stack.pop() {
            let node = &self.nodes[other as usize];
            let shift = view.lattice.shift(image);
            let away = node.shape.relative_to(shape.min, shift);
            let reach = WIDE * view.rule.reach(shape.hi, node.shape.hi);
            if node.kind == Kind::Closed || node.shape.gap2(away, shape.sides) > reach * reach {
                continue;
            }
            let larger = node.shape.cell.level < shape.cell.level;
            if node.kind == Kind::Divided && larger && !reaches_far(&node.shape) {
                let first = self.children(view, other);
                stack.extend((first..first + (1 << D)).map(|child| (child, image)));
            } else {
                cells.push((other, image));
            }
        }
        self.listed += cells.capacity();
        self.lists[index] = Around { of: number, cells };
        index
    }

    /// Finds the neighbours of an open leaf, in no particular order; `max_radius` returns the greatest
    /// radius that is still possible in a node. Returns `None` if cells would take more memory than
    /// allowed.
    ///
    /// A point is accepted only after every leaf that it reaches was opened. So a leaf that stayed open
    /// already has all points of finished leaves around it, and these are left out.
    #[inline(never)]
    pub(super) fn find_neighbours(
        &mut self,
        view: &PassView<'_, D>,
        number: u32,
        max_radius: impl Fn(&Node<D>) -> f64,
        neighbours: &mut Vec<NeighbourRow<D>>,
    ) -> Option<()> {
        neighbours.clear();
        let Shape {
            cell, min, sides, ..
        } = self.nodes[number as usize].shape;
        let hi = max_radius(&self.nodes[number as usize]);
        let replays = self.needs_replay(number);
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        match self.nodes[number as usize].parent {
            NONE => self.push_roots_around(view, cell.at, &mut stack),
            parent => {
                let list = self.list_around(view, parent);
                stack.extend_from_slice(&self.lists[list].cells);
            }
        }
        let own = image([0; D]);
        let mut count = 0;
        while let Some((other, image)) = stack.pop() {
            if self.is_over(other, replays) || (other == number && image == own) {
                continue;
            }
            let node = &self.nodes[other as usize];
            let away = node.shape.relative_to(min, view.lattice.shift(image));
            let square = node.shape.gap2(away, sides);
            let node_hi = max_radius(node);
            let reach = WIDE * view.rule.reach(hi, node_hi);
            if square > reach * reach {
                continue;
            }
            if node.kind == Kind::Divided {
                if self.bytes() as u64 > view.max_bytes {
                    return None;
                }
                let first = self.children(view, other);
                let children = first..first + (1 << D);
                if children.clone().all(|child| self.is_over(child, replays)) {
                    self.nodes[other as usize].drawn = FINISHED;
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
}

/// Returns `true` if distances in a cell reach so far beyond it that it has many neighbours of its own
/// size.
fn reaches_far<const D: usize>(shape: &Shape<D>) -> bool {
    shape.hi > 2.0 * f64::from(shape.side)
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
