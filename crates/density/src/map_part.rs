//! The field of a part of a map, which records requests for pixels beyond the part.

use crate::map_error::check_within;
use crate::patch::{PixelSlice, SmallBox};
use crate::pixel_field::{PixelField, Pixels, field_of_pixels};
use crate::pyramid::{NodeBox, Pyramid, Summary, footprint, for_nodes, level_of};
use crate::{
    Bounds, DistRange, GreyMap, LocalRange, MapError, PixelGrid, PixelRect, RadiusField, White,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The field of a whole map of which only a part is in memory.
///
/// Its results equal those of the [`RadiusMap`](crate::RadiusMap) of the whole, bit for bit, as
/// long as they depend only on pixels of the part. Missing pixels count as closed, and requests for
/// them are recorded: see [`asked_beyond`](Self::asked_beyond). If there are any, discard
/// everything that was computed from the field, load the wider part that it returns, and start
/// again. So a difference from the whole is never silent.
///
/// ```text
/// let mut rect = grid.around(&window, range.hi());
/// let points = loop {
///     let part = MapPart::new(grid, rect.min, read(rect)?, range, white)?;
///     let scatter = Scatter::new(&part, grid.bounds(), options)?;   // reads all over the map,
///     part.forget_asked();                                          // but only to estimate
///     let points = scatter.points_in(&window)?;
///     match part.asked_beyond() {
///         None => break points,
///         Some(wider) => rect = wider,
///     }
/// };
/// ```
///
/// # Guarantees
/// 1. If [`asked_beyond`](Self::asked_beyond) is `None`, every result since the part was made, or
///    since [`forget_asked`](Self::forget_asked), is that of the whole.
/// 2. The rectangle that it returns lies in the whole and contains the part and at least one more
///    pixel. So widening ends, at the latest at the whole.
/// 3. Threads may use it at the same time.
///
/// # Cost
/// That of a [`RadiusMap`](crate::RadiusMap) of the part's size.
///
/// ```
/// use spinney_density::{
///     Bounds, DistRange, GreyMap, MapOptions, MapPart, PixelGrid, PixelRect, RadiusField, RadiusMap,
///     White, YAxis,
/// };
///
/// let whole = GreyMap::from_fn(400, 300, |x, y| f64::from(x * y % 97) / 96.0)?;
/// let world = Bounds::with_origin([500_000.37, 0.0], [120.0, 90.0])?;
/// let range = DistRange::new(1.0, 5.0)?;
/// let grid = PixelGrid::new([400, 300], world, YAxis::Down)?;
///
/// let rect = PixelRect { min: [123, 77], max: [200, 150] };
/// let part = MapPart::new(grid, rect.min, whole.cut(rect)?, range, White::Sparse)?;
///
/// let options = MapOptions { bounds: Some(world), ..MapOptions::default() };
/// let field = RadiusMap::new(whole, range, options)?;
/// let inside = [500_050.0, 30.0];
/// assert_eq!(part.min_dist(inside), field.min_dist(inside));
/// assert_eq!(part.asked_beyond(), None);
///
/// let outside = [500_061.0, 30.0];
/// assert_eq!(part.min_dist(outside), None);
/// let wider = part.asked_beyond().expect("a question that left the part");
/// assert!(wider.contains(&rect) && wider.max[0] > 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MapPart {
    field: PixelField<Part>,
}

impl MapPart {
    /// Creates the field, with distances in `range`, of the map that `grid` places in the world.
    /// `map` holds its pixels from column and row `first` on.
    ///
    /// # Errors
    /// When the part does not lie in the grid, or without enough memory for the bounds of its
    /// boxes.
    pub fn new(
        grid: PixelGrid,
        first: [u32; 2],
        map: GreyMap,
        range: DistRange,
        white: White,
    ) -> Result<Self, MapError> {
        let (width, height) = (map.width(), map.height());
        let rect = PixelRect {
            min: first,
            max: [
                first[0].saturating_add(width),
                first[1].saturating_add(height),
            ],
        };
        check_within(rect, grid.size())?;
        let pyramid = Pyramid::of_part(grid.size(), rect.nodes(), &map.slice(first));
        let pyramid = pyramid.ok_or(MapError::OutOfMemory { width, height })?;
        let is_holed = map.has_mask();
        let pixels = Part {
            map,
            pyramid,
            rect,
            whole: grid.size(),
            requested: Mutex::default(),
        };
        let field = PixelField {
            pixels,
            grid,
            range,
            white,
            is_holed,
        };
        Ok(Self { field })
    }

    /// Declares that the whole has closed pixels, even if the part has none.
    ///
    /// This affects only [`mask_detail`](RadiusField::mask_detail): the size of the smallest
    /// islands to search for if a region closes places too. All parts of a whole must agree.
    #[must_use]
    pub fn of_holed(mut self) -> Self {
        self.field.is_holed = true;
        self
    }

    /// Returns the pixels in memory.
    pub fn rect(&self) -> PixelRect {
        self.field.pixels.rect
    }

    /// Returns the smallest rectangle of the whole's pixels that contains the part and every
    /// requested pixel beyond it; `None` if none was requested.
    pub fn asked_beyond(&self) -> Option<PixelRect> {
        let requested = (*self.field.pixels.requested())?;
        Some(requested.with(&self.rect()))
    }

    /// Forgets requests beyond the part. Call it when earlier results were not used, or only for an
    /// estimate.
    pub fn forget_asked(&self) {
        *self.field.pixels.requested() = None;
    }
}

field_of_pixels!([] MapPart);

/// The pixels of a rectangle of a whole.
#[derive(Debug)]
struct Part {
    map: GreyMap,
    pyramid: Pyramid<2, u16>,
    rect: PixelRect,
    whole: [u32; 2],
    /// The smallest rectangle around the missing pixels that were requested; `None` if there were none.
    requested: Mutex<Option<PixelRect>>,
}

impl Part {
    #[inline]
    fn contains(&self, nodes: NodeBox<2>) -> bool {
        (0..2).all(|a| self.rect.min[a] <= nodes[a][0] && nodes[a][1] < self.rect.max[a])
    }

    fn requested(&self) -> MutexGuard<'_, Option<PixelRect>> {
        self.requested
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request for pixels beyond the part.
    fn request(&self, nodes: NodeBox<2>) {
        let new = PixelRect::of_nodes(nodes);
        let mut rect = self.requested();
        *rect = Some(rect.map_or(new, |rect| rect.with(&new)));
    }

    /// Calls `f` with the pixels of `touched`; those beyond the part count as closed.
    #[cold]
    fn with_slice_beyond<T>(&self, touched: NodeBox<2>, f: impl FnOnce(&PixelSlice<'_>) -> T) -> T {
        self.request(touched);
        let mut few = SmallBox::new(touched);
        let here = self.map.slice(self.rect.min);
        for_nodes(touched, |[x, y]| {
            if self.contains([[x; 2], [y; 2]]) && here.is_open(x, y) {
                few.open([x, y], here.grey(x, y));
            }
        });
        f(&few.slice())
    }
}

impl Pixels for Part {
    #[inline]
    fn with_slice<T>(&self, touched: NodeBox<2>, f: impl FnOnce(&PixelSlice<'_>) -> T) -> T {
        if self.contains(touched) {
            f(&self.map.slice(self.rect.min))
        } else {
            self.with_slice_beyond(touched, f)
        }
    }

    fn over(&self, within: NodeBox<2>) -> Summary<u16> {
        let level = level_of(within);
        let read = footprint(self.whole, within, level);
        let here = self.map.slice(self.rect.min);
        if self.contains(read) {
            return self.pyramid.over_at(&here, read, level);
        }
        self.request(read);
        match PixelRect::of_nodes(read).meet(&self.rect) {
            None => Summary::CLOSED,
            Some(known) => {
                let known = self.pyramid.over_at(&here, known.nodes(), level);
                known.and(Summary::CLOSED)
            }
        }
    }
}
