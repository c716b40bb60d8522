//! The quadtree (octree) of cells: leaves fit the distances in them.
//!
//! Cells of level 0 are made when something asks for them, so the tree is as large as what was
//! looked at, of an endless world too.

use super::lattice::{Cell, Image, clip, image};
use super::law::Law;
use super::leaf::Shape;
use super::neighbourhood::{LANES, NOWHERE, sum};
use super::space::Space;
use crate::steps::for_each;
use std::collections::BTreeMap;
use wide::{CmpLt, f32x8};

/// "Nothing".
pub(super) const NONE: u32 = u32::MAX;

/// The round of a leaf that is finished: covered, or divided to the finest resolution.
pub(super) const FINISHED: u8 = u8::MAX;

/// What became of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No point may lie in it.
    Closed,
    /// It is too large for the distances in it; `slot` is its first child, if there are any yet.
    Divided,
    /// It fits; `slot` is its state while it is worked on and its points when it is finished.
    Leaf,
}

/// A cell of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) shape: Shape<D>,
    pub(super) kind: Kind,
    pub(super) slot: u32,
    /// So many rounds have drawn candidates, and so many are decided; [`FINISHED`] of all.
    pub(super) drawn: u8,
    pub(super) decided: u8,
}

/// Eight leaves that may matter to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<const D: usize> {
    /// Middles from the leaf's corner, and half sides.
    pub(super) center: [f32x8; D],
    half: [f32x8; D],
    /// The greatest distances in them.
    hi: f32x8,
    pub(super) node: [u32; LANES],
    /// Which images of them.
    pub(super) image: [Image; LANES],
}

impl<const D: usize> Near<D> {
    /// Returns the lanes that points of a box, of radius `r` or less, may matter to. `x` is its
    /// middle from the leaf's corner, `half` its half sides.
    #[inline]
    pub(super) fn reached<L: Law>(&self, x: [f32; D], half: [f32; D], r: f32) -> u32 {
        let square = sum::<D>(|a| {
            let gap = (self.center[a] - x[a]).abs() - self.half[a] - half[a];
            let gap = gap.fast_max(f32x8::ZERO);
            gap * gap
        });
        let reach = L::reach(self.hi, f32x8::splat(r)) * 1.0001;
        square.cmp_lt(reach * reach).move_mask() as u32
    }

    /// The lowest corner of a lane's leaf, from the leaf's.
    #[inline]
    pub(super) fn corner(&self, lane: usize) -> [f32; D] {
        std::array::from_fn(|a| {
            self.center[a].as_array_ref()[lane] - self.half[a].as_array_ref()[lane]
        })
    }
}

/// The side of a page: `2^bits` cells of level 0.
pub(super) const fn page_bits(dimensions: usize) -> u32 {
    if dimensions < 3 { 4 } else { 2 }
}

/// The cells that were looked at.
#[derive(Debug)]
pub(super) struct Tree<const D: usize> {
    pub(super) nodes: Vec<Node<D>>,
    /// Numbers of nodes that can be used again: of cells of level 0, and the first of `2^D` each.
    free_roots: Vec<u32>,
    free_children: Vec<u32>,
    /// The number of each cube of cells of level 0, and whether all of its points were given out.
    pages: BTreeMap<[i64; D], (u32, bool)>,
    /// Numbers of pages that can be used again.
    free_pages: Vec<u32>,
    /// The page that was asked for last.
    last: Option<([i64; D], u32)>,
    /// The nodes of the cells of each page.
    roots: Vec<u32>,
    stack: Vec<(u32, Image)>,
}

impl<const D: usize> Tree<D> {
    /// Cells of a page.
    const CELLS: usize = 1 << (page_bits(D) * D as u32);

    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            free_roots: Vec::new(),
            free_children: Vec::new(),
            pages: BTreeMap::new(),
            free_pages: Vec::new(),
            last: None,
            roots: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.roots.capacity() * size_of::<u32>()
            + self.pages.len() * size_of::<([i64; D], (u32, bool))>()
    }

    /// The node of a cell of level 0.
    pub(super) fn root(&mut self, space: &Space<'_, D>, at: [i64; D]) -> u32 {
        let bits = page_bits(D);
        let page = at.map(|x| x >> bits);
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => self.page(page),
        };
        let inside = at
            .iter()
            .rev()
            .fold(0, |sum, x| sum << bits | (x & ((1 << bits) - 1)) as usize);
        let index = number as usize * Self::CELLS + inside;
        if self.roots[index] == NONE {
            let node = node(space, Cell { level: 0, at });
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

    /// The number of a page, which is the last one that was asked for then.
    fn page(&mut self, page: [i64; D]) -> u32 {
        let new = self.free_pages.last().copied();
        let new = new.unwrap_or((self.roots.len() / Self::CELLS) as u32);
        let (number, _) = *self.pages.entry(page).or_insert((new, false));
        if number == new {
            self.free_pages.pop();
            let end = (number as usize + 1) * Self::CELLS;
            if self.roots.len() < end {
                self.roots.resize(end, NONE);
            }
        }
        self.last = Some((page, number));
        number
    }

    /// Takes note that all points of a page were given out. Forgets this page and those around it,
    /// as far as nothing around can ask for them any more; `forget` is told the points of leaves.
    pub(super) fn leave_page(
        &mut self,
        space: &Space<'_, D>,
        page: [i64; D],
        mut forget: impl FnMut(u32),
    ) {
        if let Some((_, left)) = self.pages.get_mut(&page) {
            *left = true;
        }
        for_each(
            page.map(|x| x - 1),
            page.map(|x| x + 1),
            |other: [i64; D]| {
                let around = |a: [i64; D]| self.is_left(space, a);
                if !around(other) {
                    return;
                }
                let mut all = true;
                for_each(other.map(|x| x - 1), other.map(|x| x + 1), |a| {
                    all &= around(a);
                });
                if all {
                    self.forget(other, &mut forget);
                }
            },
        );
    }

    /// Returns `true` if all points of a page were given out, or it lies outside the domain.
    fn is_left(&self, space: &Space<'_, D>, page: [i64; D]) -> bool {
        match self.pages.get(&page) {
            Some((_, left)) if *left => true,
            _ => {
                let place = space.lattice.roots_bounds(page, page_bits(D));
                let domain = space.domain.as_ref();
                domain
                    .is_some_and(|domain| place.is_none_or(|place| clip(&place, domain).is_none()))
            }
        }
    }

    fn forget(&mut self, page: [i64; D], forget: &mut impl FnMut(u32)) {
        let Some((number, _)) = self.pages.get(&page).copied().filter(|(n, _)| *n != NONE) else {
            return;
        };
        let first = number as usize * Self::CELLS;
        let mut stack = Vec::new();
        for index in first..first + Self::CELLS {
            let root = std::mem::replace(&mut self.roots[index], NONE);
            if root == NONE {
                continue;
            }
            self.free_roots.push(root);
            stack.push(root);
            while let Some(number) = stack.pop() {
                let node = &self.nodes[number as usize];
                match node.kind {
                    Kind::Closed => {}
                    Kind::Leaf => forget(node.slot),
                    Kind::Divided if node.slot == NONE => {}
                    Kind::Divided => {
                        self.free_children.push(node.slot);
                        stack.extend(node.slot..node.slot + (1 << D));
                    }
                }
            }
        }
        // The page stays known as left, but its number is used again.
        self.free_pages.push(number);
        self.pages.insert(page, (NONE, true));
        self.last = None;
    }

    /// The first of the `2^D` children of a divided cell.
    pub(super) fn children(&mut self, space: &Space<'_, D>, number: u32) -> u32 {
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
            self.nodes[first as usize + child] = node(space, shape.cell.child(child));
        }
        self.nodes[number as usize].slot = first;
        first
    }

    /// Finds the leaves that may matter to a leaf.
    #[inline(never)]
    pub(super) fn find_near<L: Law>(
        &mut self,
        space: &Space<'_, D>,
        number: u32,
        near: &mut Vec<Near<D>>,
    ) {
        near.clear();
        let Shape {
            cell,
            min,
            sides,
            hi,
            ..
        } = self.nodes[number as usize].shape;
        let root = cell.at.map(|x| x >> cell.level);
        let reach = space.lattice.reach(space.field.range().hi());
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        for_each(reach.map(|n| -n), reach, |step: [i64; D]| {
            let (at, image) = space
                .lattice
                .wrap(std::array::from_fn(|a| root[a] + step[a]));
            stack.push((self.root(space, at), image));
        });
        let own = image([0; D]);
        let mut count = 0;
        while let Some((other, image)) = stack.pop() {
            let node = &self.nodes[other as usize];
            if node.kind == Kind::Closed || (other == number && image == own) {
                continue;
            }
            let shift = space.lattice.shift(image);
            let away: [f64; D] = std::array::from_fn(|a| (node.shape.min[a] - min[a]) + shift[a]);
            let square: f64 = (0..D)
                .map(|a| {
                    let gap = (away[a] - sides[a]).max(-away[a] - node.shape.sides[a]);
                    let gap = if gap > 0.0 { gap } else { 0.0 };
                    gap * gap
                })
                .sum();
            let reach = 1.0001 * L::reach_of(hi, node.shape.hi);
            if square > reach * reach {
                continue;
            }
            if node.kind == Kind::Divided {
                let first = self.children(space, other);
                stack.extend((first..first + (1 << D)).map(|child| (child, image)));
                continue;
            }
            let lane = count % LANES;
            if lane == 0 {
                near.push(Near {
                    center: [f32x8::splat(NOWHERE); D],
                    half: [f32x8::ZERO; D],
                    hi: f32x8::ZERO,
                    node: [NONE; LANES],
                    image: [own; LANES],
                });
            }
            count += 1;
            if let Some(row) = near.last_mut() {
                for (a, away) in away.into_iter().enumerate() {
                    let half = 0.5 * node.shape.sides[a];
                    row.center[a].as_array_mut()[lane] = (away + half) as f32;
                    row.half[a].as_array_mut()[lane] = half as f32;
                }
                row.hi.as_array_mut()[lane] = node.shape.hi as f32;
                row.node[lane] = other;
                row.image[lane] = image;
            }
        }
        self.stack = stack;
    }
}

/// What the field makes of a cell.
fn node<const D: usize>(space: &Space<'_, D>, cell: Cell<D>) -> Node<D> {
    let sides = space.lattice.sides(cell.level);
    let mut node = Node {
        shape: Shape {
            cell,
            min: [0.0; D],
            sides,
            side: 0.0,
            lo: 0.0,
            hi: 0.0,
            whole: false,
            cut_off: false,
        },
        kind: Kind::Closed,
        slot: NONE,
        drawn: 0,
        decided: 0,
    };
    let Some(whole) = space.lattice.bounds(cell) else {
        return node;
    };
    let inside = match &space.domain {
        None => Some(whole),
        Some(domain) => clip(&whole, domain),
    };
    let Some(inside) = inside else {
        return node;
    };
    let Some(look) = space.look(&inside, cell.level) else {
        return node;
    };
    node.kind = if space.fits(look.range.lo(), cell.level) {
        Kind::Leaf
    } else {
        Kind::Divided
    };
    node.shape = Shape {
        min: whole.min(),
        side: whole.size().into_iter().fold(0.0, f64::max) as f32,
        lo: look.range.lo(),
        hi: look.range.hi(),
        whole: look.whole,
        cut_off: whole != inside,
        ..node.shape
    };
    node
}
