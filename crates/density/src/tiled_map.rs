//! The field of a map whose tiles are fetched on demand.

use crate::coarse::Coarse;
use crate::grid::cache::{Cache, Memo};
use crate::patch::{PixelSlice, SmallBox};
use crate::pixel_field::{PixelField, Pixels, field_of_pixels};
use crate::pyramid::{NodeBox, Pyramid, Summary, footprint, for_nodes, level_of};
use crate::{
    Bounds, DistRange, GreyMap, LocalRange, MapError, PixelGrid, PixelRect, RadiusField, White,
};
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;
use thiserror::Error as ThisError;
use thread_local::ThreadLocal;

/// Reason for a missing tile of a map.
#[derive(Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum TileFault<E: Error + 'static> {
    /// The source failed.
    #[error("the pixels of {rect} cannot be read: {source}")]
    Source {
        /// The tile.
        rect: PixelRect,
        /// The error of the source.
        source: E,
    },
    /// The source gave pixels of another size.
    #[error("the tile of {rect} has {} x {} pixels", found[0], found[1])]
    Size {
        /// The tile.
        rect: PixelRect,
        /// Columns and rows of the pixels given.
        found: [u32; 2],
    },
}

/// The field of a map of any size. Its tiles are fetched on demand and kept in a bounded cache that
/// threads share.
///
/// `min_dist`, `value` and `range_in` equal those of the [`RadiusMap`](crate::RadiusMap) of the
/// whole, bit for bit. The size of tiles and the number of tiles in the cache change nothing.
///
/// Tiles come from a closure: a file, an object store, a computation. It must always give the same
/// pixels for the same rectangle, on any thread. A tile that cannot be fetched counts as closed,
/// and [`fault`](Self::fault) returns the reason. Then discard everything that was computed from
/// the field.
///
/// # Cost
/// The cache holds tiles up to a number of bytes (128 MiB; see [`with_memory`](Self::with_memory)),
/// some 5 bytes per pixel. Each thread also keeps its last 4 tiles. A closed tile takes next to
/// nothing.
///
/// The bounds of a box depend on the pixels in it: the first request for a box of many tiles
/// fetches all of these. Bounds of blocks of 16 x 16 pixels are then kept for good, so that later
/// requests for boxes of more than 40 pixels fetch none. On larger maps the blocks are larger, so
/// that there are at most 2^23. A map of 65,536 x 65,536 pixels in tiles of 256 has blocks of
/// 32 x 32 pixels, which take 40 MB in all. With more than 2^23 tiles, only the bounds of each tile
/// are kept.
///
/// Sampling a whole map fetches each tile some three to four times if the cache cannot hold all:
/// twice to estimate the points, at most once to divide the map into blocks, and once for the
/// points. Strips as wide as the map are fetched more often. For a window of a large map, a
/// [`MapPart`](crate::MapPart) reads less.
///
/// ```
/// use spinney_density::{
///     Bounds, DistRange, GreyMap, PixelGrid, PixelRect, RadiusField, TiledMap, White, YAxis,
/// };
///
/// // 2^20 pixels a side; a closure computes every tile.
/// let tile = |rect: PixelRect| {
///     let row = |y: u32| f64::from(rect.min[1] + y) / f64::from(1 << 20);
///     GreyMap::from_fn(rect.width(), rect.height(), |_, y| row(y))
/// };
/// let world = Bounds::from_size([1_048_576.0, 1_048_576.0])?;
/// let grid = PixelGrid::new([1 << 20, 1 << 20], world, YAxis::Down)?;
/// let range = DistRange::new(10.0, 50.0)?;
/// let field = TiledMap::new([256, 256], tile, grid, range, White::Sparse)?;
/// let middle = field.min_dist([1000.0, 524_288.0]).expect("points may lie everywhere");
/// assert!((middle - 30.0).abs() < 0.001 && field.fault().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TiledMap<F, E: Error + 'static> {
    field: PixelField<Tiles<F, E>>,
}

/// Default size of the cache, bytes: 128 MiB.
const MEMORY: usize = 128 << 20;

/// Bytes per pixel: its grey, whether it is open, and the summaries of boxes.
const PIXEL_BYTES: usize = 5;

impl<F, E> TiledMap<F, E>
where
    F: Fn(PixelRect) -> Result<GreyMap, E> + Send + Sync,
    E: Error + Send + Sync + 'static,
{
    /// Creates the field, with distances in `range`, of the map that `grid` places in the world.
    ///
    /// `tile` is the number of columns and rows of a tile. Tiles begin at the first pixel of the
    /// map; those at its right and lower edges are cut off. `read` returns the pixels of a
    /// rectangle that is one tile.
    ///
    /// # Errors
    /// When tiles have no pixels.
    pub fn new(
        tile: [u32; 2],
        read: F,
        grid: PixelGrid,
        range: DistRange,
        white: White,
    ) -> Result<Self, MapError> {
        let [width, height] = tile;
        if width == 0 || height == 0 {
            return Err(MapError::Empty { width, height });
        }
        let [across, down] = grid.size();
        let tile = [width.min(across), height.min(down)];
        let pixels = Tiles {
            read,
            whole: grid.size(),
            tile,
            cache: room(tile, MEMORY),
            memos: ThreadLocal::new(),
            coarse: Coarse::new(grid.size(), tile),
            fault: OnceLock::new(),
        };
        let field = PixelField {
            pixels,
            grid,
            range,
            white,
            is_holed: true,
        };
        Ok(Self { field })
    }

    /// Returns the map with an empty cache for about `bytes` of tiles, at least one.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        let tiles = &mut self.field.pixels;
        tiles.cache = room(tiles.tile, bytes);
        tiles.memos = ThreadLocal::new();
        self
    }

    /// Declares that no pixel of the map is closed. Otherwise some may be.
    ///
    /// This affects only [`mask_detail`](RadiusField::mask_detail): the size of the smallest islands to search for where
    /// a region closes places too.
    #[must_use]
    pub fn without_holes(mut self) -> Self {
        self.field.is_holed = false;
        self
    }

    /// Returns the reason for the first missing tile; `None` if there was none.
    pub fn fault(&self) -> Option<&TileFault<E>> {
        self.field.pixels.fault.get()
    }
}

impl<F, E: Error + 'static> fmt::Debug for TiledMap<F, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("TiledMap");
        debug
            .field("grid", &self.field.grid)
            .field("tile", &self.field.pixels.tile)
            .finish_non_exhaustive()
    }
}

field_of_pixels!(
    [
        F: Fn(PixelRect) -> Result<GreyMap, E> + Send + Sync,
        E: Error + Send + Sync + 'static
    ]
    TiledMap<F, E>
);

/// The pixels of a whole, tile by tile.
struct Tiles<F, E: Error + 'static> {
    read: F,
    whole: [u32; 2],
    tile: [u32; 2],
    cache: Cache<2, Tile>,
    /// The tiles that each thread used last, found without a lock.
    memos: ThreadLocal<RefCell<Memo<2, Tile>>>,
    coarse: Coarse,
    fault: OnceLock<TileFault<E>>,
}

/// A tile of a map.
struct Tile {
    rect: PixelRect,
    /// `None` if all pixels are closed.
    map: Option<GreyMap>,
    /// Created on the first request for a box.
    pyramid: OnceLock<Pyramid<2, u16>>,
}

impl Tile {
    #[inline]
    fn slice(&self) -> Option<PixelSlice<'_>> {
        self.map.as_ref().map(|map| map.slice(self.rect.min))
    }

    /// Returns the pyramid of the tile, in a map of `map` columns and rows.
    fn pyramid(&self, map: [u32; 2]) -> &Pyramid<2, u16> {
        let new = || Pyramid::of_part(map, self.rect.nodes(), &self.slice()?);
        // Without memory for a pyramid, boxes are read pixel by pixel.
        self.pyramid.get_or_init(|| new().unwrap_or_default())
    }

    /// Returns the summary of the blocks of a level that a box inside the tile touches.
    #[inline]
    fn over(&self, map: [u32; 2], within: NodeBox<2>, level: u32) -> Summary<u16> {
        self.slice().map_or(Summary::CLOSED, |pixels| {
            self.pyramid(map).over_at(&pixels, within, level)
        })
    }
}

/// Creates a cache with room for `bytes` of tiles.
fn room(tile: [u32; 2], bytes: usize) -> Cache<2, Tile> {
    let [width, height] = tile.map(|n| n as usize);
    let each = width.saturating_mul(height).saturating_mul(PIXEL_BYTES);
    Cache::new(bytes / each.max(1))
}

impl<F, E> Tiles<F, E>
where
    F: Fn(PixelRect) -> Result<GreyMap, E>,
    E: Error + 'static,
{
    /// Returns the index of the tile that contains a pixel.
    #[inline]
    fn index(&self, [x, y]: [u32; 2]) -> [i64; 2] {
        [x / self.tile[0], y / self.tile[1]].map(i64::from)
    }

    fn rect(&self, index: [i64; 2]) -> PixelRect {
        let min = [0, 1].map(|a: usize| index[a] as u32 * self.tile[a]);
        PixelRect {
            min,
            max: [0, 1].map(|a: usize| min[a].saturating_add(self.tile[a]).min(self.whole[a])),
        }
    }

    #[inline]
    fn with_tile<T>(&self, index: [i64; 2], f: impl FnOnce(&Tile) -> T) -> T {
        let memo = self.memos.get_or(|| RefCell::new(Memo::new(1)));
        if let Some(tile) = memo.borrow().get(index) {
            return f(tile);
        }
        // The memo is not borrowed during the call: the closure may do anything.
        let tile = self.cache.get_or_make(index, || self.fetch(index));
        let found = f(&tile);
        memo.borrow_mut().put(index, tile);
        found
    }

    #[cold]
    fn fetch(&self, index: [i64; 2]) -> Tile {
        let rect = self.rect(index);
        let size = [rect.width(), rect.height()];
        let map = match (self.read)(rect) {
            Err(source) => Err(TileFault::Source { rect, source }),
            Ok(map) if map.size() != size => Err(TileFault::Size {
                rect,
                found: map.size(),
            }),
            Ok(map) => Ok(map),
        };
        let map = match map {
            Ok(map) => Some(map),
            Err(fault) => {
                // Only the first fault is kept.
                let _ = self.fault.set(fault);
                None
            }
        };
        let is_open = |map: &GreyMap| map.mask().is_none_or(|mask| mask.contains(&true));
        let tile = Tile {
            rect,
            map: map.filter(is_open),
            pyramid: OnceLock::new(),
        };
        if !self.coarse.has(index) {
            let all = tile.over(self.whole, rect.nodes(), u32::MAX);
            self.coarse.add(index, all, tile.pyramid(self.whole));
        }
        tile
    }

    /// Returns the summary of the blocks of a level in a part of a tile.
    fn over_part(&self, index: [i64; 2], part: PixelRect, level: u32) -> Summary<u16> {
        let nodes = part.nodes();
        let known = self
            .coarse
            .over(index, nodes, level, part == self.rect(index));
        known.unwrap_or_else(|| self.with_tile(index, |tile| tile.over(self.whole, nodes, level)))
    }
}

impl<F, E> Pixels for Tiles<F, E>
where
    F: Fn(PixelRect) -> Result<GreyMap, E>,
    E: Error + 'static,
{
    #[inline]
    fn with_slice<T>(&self, touched: NodeBox<2>, f: impl FnOnce(&PixelSlice<'_>) -> T) -> T {
        let [first, last] = [0, 1].map(|end| self.index(touched.map(|ends| ends[end])));
        if first == last {
            return self.with_tile(first, |tile| match tile.slice() {
                Some(pixels) => f(&pixels),
                None => f(&SmallBox::new(touched).slice()),
            });
        }
        let mut few = SmallBox::new(touched);
        for_nodes(touched, |[x, y]| {
            self.with_tile(self.index([x, y]), |tile| {
                if let Some(near) = tile.slice()
                    && near.is_open(x, y)
                {
                    few.open([x, y], near.grey(x, y));
                }
            });
        });
        f(&few.slice())
    }

    fn over(&self, within: NodeBox<2>) -> Summary<u16> {
        let level = level_of(within);
        let read = footprint(self.whole, within, level);
        let [first, last] = [0, 1].map(|end| self.index(read.map(|ends| ends[end])));
        if first == last && level < self.coarse.level() {
            return self.with_tile(first, |tile| tile.over(self.whole, read, level));
        }
        let area = PixelRect::of_nodes(read);
        let mut sum = Summary::NOTHING;
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                if let Some(part) = self.rect([x, y]).meet(&area) {
                    sum = sum.and(self.over_part([x, y], part, level));
                }
            }
        }
        sum
    }
}
