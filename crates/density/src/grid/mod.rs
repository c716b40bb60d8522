//! An endless grid of values, computed chunk by chunk on demand.
//!
//! ```text
//!   n---n---n---n---n     Nodes (n) lie `spacing` apart, at whole multiples of it. Between them the
//!   |   |   |   |   |     value is bilinear (trilinear in space). A chunk is a square or a cube of
//!   n---n---n---n---n     cells with all of its nodes, those on its borders included, so that a
//!   |   |   |   |   |     place is computed from one chunk alone.
//!   n---n---n---n---n
//! ```

pub(crate) mod cache;
mod chunk;

use crate::field_error::within;
use crate::pyramid::{NodeBox, Summary, for_nodes};
use crate::{Bounds, FieldError, OutOfRange};
use cache::{Cache, Memo};
use chunk::{CORNERS, Chunk, Place, value_at};
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use thread_local::ThreadLocal;

/// Default size of a grid's cache, bytes: 32 MiB.
pub(crate) const MEMORY: usize = 32 << 20;

/// Coordinates are clamped to this number of nodes from the origin: beyond it, they resolve no more
/// than fractions of a cell.
const FARTHEST: f64 = (1_u64 << 50) as f64;

/// Most chunks along an axis of a box that is evaluated.
const MOST_CHUNKS: i64 = 4;

/// Fewest chunks in a grid's cache.
const FEWEST_CHUNKS: usize = 8;

/// A function that returns the values at the nodes; NaN closes a node.
type Source<const D: usize> = Arc<dyn Fn([f64; D]) -> f64 + Send + Sync>;

/// An endless grid of values. Clones share their chunks.
///
/// The grid is behind a trait and created by functions in statics, so that it is compiled in this
/// crate and not again in each program.
pub(crate) type Grid<const D: usize> = Arc<dyn Chunks<D>>;

/// The chunks of a grid.
pub(crate) trait Chunks<const D: usize>: Send + Sync {
    /// Returns the distance between nodes.
    fn spacing(&self) -> f64;

    /// Returns the value at a place; `None` where it is closed.
    fn at(&self, p: [f64; D]) -> Option<f64>;

    /// Returns the summary of the values in a box; `None` if it is too large to evaluate.
    fn over(&self, bounds: &Bounds<D>) -> Option<Summary<f64>>;

    /// Returns the grid with an empty cache of about `bytes`.
    fn with_memory(&self, bytes: usize) -> Grid<D>;
}

/// A function that creates a grid from its spacing, memory and source.
type NewGrid<const D: usize> = fn(f64, usize, Source<D>) -> Grid<D>;

static ON_A_LINE: NewGrid<1> = new_grid;
static IN_THE_PLANE: NewGrid<2> = new_grid;
static IN_SPACE: NewGrid<3> = new_grid;

fn new_grid<const D: usize>(spacing: f64, memory: usize, source: Source<D>) -> Grid<D> {
    Arc::new(Shared {
        spacing,
        per_unit: 1.0 / spacing,
        source,
        cache: Cache::new((memory / Chunk::<D>::BYTES).max(FEWEST_CHUNKS)),
        memos: ThreadLocal::new(),
    })
}

struct Shared<const D: usize> {
    spacing: f64,
    per_unit: f64,
    source: Source<D>,
    cache: Cache<D, Chunk<D>>,
    /// The chunks that each thread used last, found without a lock.
    memos: ThreadLocal<RefCell<Memo<D, Chunk<D>>>>,
}

/// Creates the grid of the values of `source`, which is called for finite places only, with a cache
/// of about `memory` bytes.
///
/// # Errors
/// Unless `spacing` lies between 1e-300 and 1e300, and there are one to three dimensions.
pub(crate) fn grid<const D: usize>(
    spacing: f64,
    memory: usize,
    source: impl Fn([f64; D]) -> f64 + Send + Sync + 'static,
) -> Result<Grid<D>, FieldError> {
    let spacing = within("the spacing of nodes", spacing, 1e-300, 1e300)?;
    let known: [&dyn Any; 3] = [&ON_A_LINE, &IN_THE_PLANE, &IN_SPACE];
    let new_grid = known
        .into_iter()
        .find_map(|new_grid| new_grid.downcast_ref());
    let new_grid: &NewGrid<D> = new_grid.ok_or(OutOfRange {
        name: "the number of dimensions",
        value: D as f64,
        least: 1.0,
        most: 3.0,
    })?;
    Ok(new_grid(spacing, memory, Arc::new(source)))
}

impl<const D: usize> fmt::Debug for dyn Chunks<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Grid");
        debug
            .field("spacing", &self.spacing())
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Chunks<D> for Shared<D> {
    fn spacing(&self) -> f64 {
        self.spacing
    }

    fn at(&self, p: [f64; D]) -> Option<f64> {
        let (index, place) = self.place(p);
        if let Some(chunk) = self.memo().borrow().get(index) {
            return chunk.at(&place);
        }
        self.at_new(index, &place)
    }

    fn over(&self, bounds: &Bounds<D>) -> Option<Summary<f64>> {
        // The upper end is exclusive: the last double below it is inside. Every step from a
        // coordinate to a node or a weight is monotone even when rounded, so values at the ends of
        // an interval bound those inside.
        let (first, from) = self.place(bounds.min());
        let (last, to) = self.place(bounds.max().map(f64::next_down));
        if first == last {
            let over = |chunk: &Chunk<D>| chunk.over(&from, &to);
            return Some(self.with_chunk(first, over));
        }
        self.over_chunks([first, last], [&from, &to])
    }

    fn with_memory(&self, bytes: usize) -> Grid<D> {
        new_grid(self.spacing, bytes, Arc::clone(&self.source))
    }
}

impl<const D: usize> Shared<D> {
    /// Returns the chunks that this thread used last.
    #[inline]
    fn memo(&self) -> &RefCell<Memo<D, Chunk<D>>> {
        self.memos.get().unwrap_or_else(|| self.first_memo())
    }

    /// Creates room for the chunks that this thread uses: 64 in the plane and in space.
    #[cold]
    fn first_memo(&self) -> &RefCell<Memo<D, Chunk<D>>> {
        let bits = if D == 3 { 2 } else { 3 };
        self.memos.get_or(|| RefCell::new(Memo::new(bits)))
    }

    /// Returns the chunk that contains a place, and the position in it.
    #[inline]
    fn place(&self, p: [f64; D]) -> ([i64; D], Place<D>) {
        let mut chunk = [0; D];
        let mut place = Place {
            cell: [0; D],
            weight: [0.0; D],
        };
        for a in 0..D {
            let nodes = p[a] * self.per_unit;
            // `f64::clamp` would let a NaN through.
            let nodes = if nodes > -FARTHEST { nodes } else { -FARTHEST };
            let nodes = if nodes < FARTHEST { nodes } else { FARTHEST };
            let towards_zero = nodes as i64;
            let cell = towards_zero - i64::from(towards_zero as f64 > nodes);
            chunk[a] = cell >> Chunk::<D>::BITS;
            place.cell[a] = (cell & i64::from(Chunk::<D>::CELLS - 1)) as u32;
            place.weight[a] = nodes - cell as f64;
        }
        (chunk, place)
    }

    #[inline]
    fn with_chunk<T>(&self, index: [i64; D], f: impl FnOnce(&Chunk<D>) -> T) -> T {
        let memo = self.memo();
        if let Some(chunk) = memo.borrow().get(index) {
            return f(chunk);
        }
        // The memo is not borrowed during the call: the source may do anything.
        let chunk = self.chunk(index);
        let found = f(&chunk);
        memo.borrow_mut().put(index, chunk);
        found
    }

    /// Returns the value at a place in a chunk that this thread did not use lately. At first only
    /// the nodes around the place are computed: scattered requests need no more.
    #[cold]
    fn at_new(&self, index: [i64; D], place: &Place<D>) -> Option<f64> {
        let again = self.memo().borrow_mut().misses(index);
        if again || self.cache.has(index) {
            return self.with_chunk(index, |chunk| chunk.at(place));
        }
        let mut corners = [0.0; CORNERS];
        for (number, corner) in corners.iter_mut().enumerate().take(1 << D) {
            let step = |a: usize| (number >> a & 1) as u32;
            *corner = self.node(index, std::array::from_fn(|a| place.cell[a] + step(a)));
        }
        value_at(corners, place)
    }

    /// Returns the value at a node of a chunk.
    fn node(&self, index: [i64; D], node: [u32; D]) -> f64 {
        (self.source)(std::array::from_fn(|a| {
            let first = index[a] << Chunk::<D>::BITS;
            let x = (first + i64::from(node[a])) as f64 * self.spacing;
            x.clamp(-f64::MAX, f64::MAX)
        }))
    }

    #[cold]
    fn chunk(&self, index: [i64; D]) -> Arc<Chunk<D>> {
        let make = || Chunk::new(|node| self.node(index, node));
        self.cache.get_or_make(index, make)
    }

    /// Returns the summary of a box that lies in the chunks from `first` to `last`; `None` if these
    /// are too many.
    #[cold]
    fn over_chunks(
        &self,
        [first, last]: [[i64; D]; 2],
        [from, to]: [&Place<D>; 2],
    ) -> Option<Summary<f64>> {
        if (0..D).any(|a| last[a] - first[a] >= MOST_CHUNKS) {
            return None;
        }
        let mut sum = Summary::NOTHING;
        let steps: NodeBox<D> = std::array::from_fn(|a| [0, (last[a] - first[a]) as u32]);
        for_nodes(steps, |step| {
            let mut index = first;
            let (mut start, mut end) = (Place::FIRST, Place::LAST);
            for a in 0..D {
                index[a] += i64::from(step[a]);
                if index[a] == first[a] {
                    (start.cell[a], start.weight[a]) = (from.cell[a], from.weight[a]);
                }
                if index[a] == last[a] {
                    (end.cell[a], end.weight[a]) = (to.cell[a], to.weight[a]);
                }
            }
            let part = self.with_chunk(index, |chunk| chunk.over(&start, &end));
            sum = sum.and(part);
        });
        Some(sum)
    }
}
