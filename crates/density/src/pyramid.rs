//! Finds the least and the greatest value of any box of nodes, in constant time.

mod level;

pub(crate) use level::{Columns, Level, join};

use crate::Share;

/// A value that pyramids compare: a grey or a number.
pub(crate) trait Value: Copy + PartialOrd {
    /// Lower bound of all values.
    const LEAST: Self;
    /// Upper bound of all values.
    const GREATEST: Self;
}

impl Value for u16 {
    const LEAST: Self = Self::MIN;
    const GREATEST: Self = Self::MAX;
}

impl Value for f64 {
    const LEAST: Self = Self::NEG_INFINITY;
    const GREATEST: Self = Self::INFINITY;
}

/// The value of nodes that are only open or closed.
impl Value for bool {
    const LEAST: Self = false;
    const GREATEST: Self = true;
}

/// The values at the nodes of a grid, some of which may be closed.
pub(crate) trait Nodes<const D: usize> {
    type Value: Value;

    /// Calls `f` with the summary of each node from `first` to `last`, included, along the first
    /// axis.
    fn each(&self, first: [u32; D], last: u32, f: impl FnMut(Summary<Self::Value>));

    /// Returns the summary of the nodes from `first` to `last`, included, along the first axis.
    #[inline]
    fn row(&self, first: [u32; D], last: u32) -> Summary<Self::Value> {
        let mut sum = Summary::NOTHING;
        self.each(first, last, |node| sum = sum.and(node));
        sum
    }

    /// Adds the nodes from `first` on, along the first axis, to `sums`: one node to each entry.
    fn add_row(&self, first: [u32; D], sums: Columns<'_, Self::Value>) {
        let last = first[0] + (sums.min.len() as u32 - 1);
        let mut sums = sums.min.iter_mut().zip(sums.max).zip(sums.all);
        self.each(first, last, |node| {
            if let Some(((min, max), all)) = sums.next() {
                (*min, *max) = (lesser(*min, node.min), greater(*max, node.max));
                *all &= node.all;
            }
        });
    }
}

/// Returns the lesser of two values; the first if the second is not a number.
#[inline]
pub(crate) fn lesser<V: Value>(a: V, b: V) -> V {
    if b < a { b } else { a }
}

/// Returns the greater of two values; the first if the second is not a number.
#[inline]
pub(crate) fn greater<V: Value>(a: V, b: V) -> V {
    if b > a { b } else { a }
}

/// Summary of a box of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary<V> {
    /// The least value of an open node; above `max` when there is none.
    pub(crate) min: V,
    /// The greatest value of an open node.
    pub(crate) max: V,
    /// `true` if every node is open.
    pub(crate) all: bool,
}

impl<V: Value> Summary<V> {
    /// Summary of no nodes.
    pub(crate) const NOTHING: Self = Self {
        min: V::GREATEST,
        max: V::LEAST,
        all: true,
    };

    /// Summary of a closed node.
    pub(crate) const CLOSED: Self = Self {
        all: false,
        ..Self::NOTHING
    };

    /// Summary of an open node.
    #[inline]
    pub(crate) fn open(value: V) -> Self {
        Self {
            min: value,
            max: value,
            all: true,
        }
    }

    /// Returns `true` if some node is open.
    #[inline]
    pub(crate) fn any(self) -> bool {
        self.min <= self.max
    }

    /// Returns how much of the box is open.
    pub(crate) fn share(self) -> Share {
        match (self.any(), self.all) {
            (false, _) => Share::None,
            (true, true) => Share::All,
            (true, false) => Share::Part,
        }
    }

    /// Returns `true` if every node alone has this summary.
    pub(crate) fn is_even(self) -> bool {
        !self.any() || (self.all && self.min == self.max)
    }

    /// Returns the summary of both boxes.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            min: lesser(self.min, other.min),
            max: greater(self.max, other.max),
            all: self.all & other.all,
        }
    }
}

impl Summary<f64> {
    /// Summary of a node with this value, or closed if it is NaN.
    #[inline]
    pub(crate) fn or_closed(value: f64) -> Self {
        if value.is_nan() {
            Self::CLOSED
        } else {
            Self::open(value)
        }
    }
}

/// A box of nodes: the first and the last along each axis, both included.
pub(crate) type NodeBox<const D: usize> = [[u32; 2]; D];

/// Calls `f` with the first node of each row of a box. Rows run along the first axis.
#[inline]
pub(crate) fn for_rows<const D: usize>(nodes: NodeBox<D>, mut f: impl FnMut([u32; D])) {
    let mut at = nodes.map(|[first, _]| first);
    loop {
        f(at);
        let Some(axis) = (1..D).find(|&a| at[a] < nodes[a][1]) else {
            return;
        };
        at[axis] += 1;
        for a in 1..axis {
            at[a] = nodes[a][0];
        }
    }
}

/// Calls `f` with each node of a box, row by row.
#[inline]
pub(crate) fn for_nodes<const D: usize>(nodes: NodeBox<D>, mut f: impl FnMut([u32; D])) {
    for_rows(nodes, |mut at| {
        for x in nodes[0][0]..=nodes[0][1] {
            at[0] = x;
            f(at);
        }
    });
}

/// The summaries of a grid of nodes. Level `n` holds one [`Summary`] per block of `2^n` nodes along
/// each axis. Level 0 is the nodes themselves and is not copied. Without levels, all nodes of a box
/// are read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pyramid<const D: usize, V> {
    levels: Vec<Level<D, V>>,
}

impl<const D: usize, V> Default for Pyramid<D, V> {
    fn default() -> Self {
        Self { levels: Vec::new() }
    }
}

/// A box is read on the finest level where it touches at most this many blocks along each axis.
pub(crate) const MOST_CELLS: u32 = 4;

/// Returns the level on which a box of nodes is read.
#[inline]
pub(crate) fn level_of<const D: usize>(within: NodeBox<D>) -> u32 {
    let mut level = 0;
    let is_wide = |level: u32| {
        let blocks = |[first, last]: [u32; 2]| (last >> level) - (first >> level);
        within.iter().any(|&ends| blocks(ends) >= MOST_CELLS)
    };
    while is_wide(level) {
        level += 1;
    }
    level
}

/// Returns the nodes that are read for a box on a level: those of whole blocks, in a grid of
/// `widths`.
pub(crate) fn footprint<const D: usize>(
    widths: [u32; D],
    within: NodeBox<D>,
    level: u32,
) -> NodeBox<D> {
    std::array::from_fn(|a| {
        let [first, last] = within[a].map(|node| node >> level << level);
        [
            first,
            last.saturating_add((1 << level) - 1).min(widths[a] - 1),
        ]
    })
}

impl<const D: usize, V: Value> Pyramid<D, V> {
    /// Creates the pyramid of `widths` nodes, in time proportional to them; `None` without enough
    /// memory.
    pub(crate) fn new(widths: [u32; D], nodes: &impl Nodes<D, Value = V>) -> Option<Self> {
        Self::of_part(widths, widths.map(|width| [0, width - 1]), nodes)
    }

    /// Creates the pyramid of a part of `widths` nodes. Its blocks align with those of the whole; a
    /// block that overlaps the edge of the part is the summary of the nodes inside. `None` without
    /// enough memory.
    pub(crate) fn of_part(
        mut widths: [u32; D],
        part: NodeBox<D>,
        nodes: &impl Nodes<D, Value = V>,
    ) -> Option<Self> {
        let mut pyramid = Self::default();
        let mut known = part;
        while widths.iter().any(|&width| width > MOST_CELLS) {
            known = known.map(|ends| ends.map(|node| node >> 1));
            pyramid.levels.push(Level::empty(known)?);
            widths = widths.map(|width| width.div_ceil(2));
        }
        pyramid.update(part, part, nodes);
        Some(pyramid)
    }

    /// Updates the summaries of the blocks that hold nodes of `changed`. The pyramid is that of the
    /// nodes in `known`. Takes time proportional to the changed nodes.
    pub(crate) fn update(
        &mut self,
        mut known: NodeBox<D>,
        mut changed: NodeBox<D>,
        nodes: &impl Nodes<D, Value = V>,
    ) {
        for number in 0..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(number);
            let Some(level) = above.first_mut() else {
                return;
            };
            changed = changed.map(|ends| ends.map(|node| node >> 1));
            match below.last() {
                None => level.update(changed, nodes, known),
                Some(below) => level.update(changed, below, known),
            }
            known = known.map(|ends| ends.map(|node| node >> 1));
        }
    }

    /// Returns the number of the coarsest level.
    pub(crate) fn coarsest(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Returns the blocks of level `number`, from 1 on; `None` beyond the coarsest.
    pub(crate) fn level(&self, number: u32) -> Option<&Level<D, V>> {
        self.levels.get((number as usize).checked_sub(1)?)
    }

    /// Returns the summary of one block of a level.
    #[inline]
    pub(crate) fn block(
        &self,
        nodes: &impl Nodes<D, Value = V>,
        level: u32,
        at: [u32; D],
    ) -> Summary<V> {
        match self.level(level) {
            None => nodes.row(at, at[0]),
            Some(level) => level.row(at, at[0]),
        }
    }

    /// Returns the summary of a box of nodes inside the grid: exact up to four nodes along each
    /// axis, beyond that of a box up to twice as large that contains it. Reads at most `4^D`
    /// blocks.
    #[inline]
    pub(crate) fn over(&self, nodes: &impl Nodes<D, Value = V>, within: NodeBox<D>) -> Summary<V> {
        // Without memory for levels, only speed is lost.
        self.over_at(nodes, within, level_of(within))
    }

    /// Returns the summary of the blocks of a level that a box of nodes touches, as far as they lie
    /// in the part of this pyramid. The box must lie in the part.
    #[inline]
    pub(crate) fn over_at(
        &self,
        nodes: &impl Nodes<D, Value = V>,
        within: NodeBox<D>,
        level: u32,
    ) -> Summary<V> {
        let level = (level as usize).min(self.levels.len());
        let blocks = within.map(|ends| ends.map(|node| node >> level));
        let cells = level.checked_sub(1).map(|n| &self.levels[n]);
        read(cells, nodes, blocks)
    }
}

/// Returns the summary of a box of blocks of a level, or of nodes if `level` is `None`.
#[inline]
fn read<const D: usize, N: Nodes<D>>(
    level: Option<&Level<D, N::Value>>,
    nodes: &N,
    blocks: NodeBox<D>,
) -> Summary<N::Value> {
    let mut sum = Summary::NOTHING;
    for_rows(blocks, |first| match level {
        None => sum = sum.and(nodes.row(first, blocks[0][1])),
        Some(level) => sum = sum.and(level.row(first, blocks[0][1])),
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GreyMap;
    use proptest::prelude::*;

    fn brute_force(map: &GreyMap, rect: NodeBox<2>) -> Summary<u16> {
        let mut sum = Summary::NOTHING;
        for y in rect[1][0]..=rect[1][1] {
            for x in rect[0][0]..=rect[0][1] {
                sum = sum.and(if map.allowed(x, y) {
                    Summary::open(map.grey(x, y))
                } else {
                    Summary::CLOSED
                });
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn a_summary_contains_the_truth(
            width in 1u32..70,
            height in 1u32..70,
            salt in any::<u32>(),
            corners in any::<[u32; 4]>(),
        ) {
            let map = crate::test_maps::random(width, height, salt, 5);
            let pyramid = Pyramid::new([width, height], &map.slice([0, 0])).expect("enough memory");
            let span = |a: u32, b: u32, n: u32| [(a % n).min(b % n), (a % n).max(b % n)];
            let [a, b, c, d] = corners;
            let rect = [span(a, b, width), span(c, d, height)];
            let (found, truth) = (pyramid.over(&map.slice([0, 0]), rect), brute_force(&map, rect));
            prop_assert!(found.min <= truth.min && found.max >= truth.max);
            prop_assert!(!found.all || truth.all);
            prop_assert!(found.any() || !truth.any());
            if rect.iter().all(|[first, last]| last - first < 4) {
                prop_assert_eq!(found, truth);
            }
        }

        /// Parts are wider than a batch, and of any alignment.
        #[test]
        fn blocks_of_a_part_are_exact(
            size in (1u32..400, 1u32..40),
            salt in any::<u32>(),
            corners in any::<[u32; 4]>(),
            every in prop_oneof![Just(5u32), Just(1 << 30)],
        ) {
            let (width, height) = size;
            let map = crate::test_maps::random(width, height, salt, every);
            let span = |a: u32, b: u32, n: u32| [(a % n).min(b % n), (a % n).max(b % n)];
            let [a, b, c, d] = corners;
            let part = [span(a, b, width), span(c, d, height)];
            let pyramid = Pyramid::of_part([width, height], part, &map.slice([0, 0]));
            let pyramid = pyramid.expect("enough memory");
            for number in 1..=pyramid.levels.len() as u32 {
                let level = pyramid.level(number).expect("a level");
                for_nodes(part.map(|ends| ends.map(|node| node >> number)), |at| {
                    let within = [0, 1].map(|a: usize| {
                        let [first, last] = [at[a] << number, ((at[a] + 1) << number) - 1];
                        [first.max(part[a][0]), last.min(part[a][1])]
                    });
                    let found = level.over(at.map(|n| [n; 2]));
                    assert_eq!(found, brute_force(&map, within), "level {number} at {at:?}");
                });
            }
        }
    }
}
