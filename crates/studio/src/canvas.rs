//! The painted map: 16-bit greys and a mask of the pixels where points may lie.

use crate::brush::{Brush, Tool, coverage};
use density::{GreyMap, MapError, PixelRect};
use std::collections::BTreeMap;

/// Pixels along a side of a tile, the unit in which former pixels are stored.
pub(crate) const TILE: u32 = 64;

/// Greys and open pixels, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Canvas {
    width: u32,
    height: u32,
    greys: Vec<u16>,
    open: Vec<bool>,
}

/// Former pixels of one tile. A list whose entries are all equal is stored as one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    /// Number of the tile, row by row.
    number: u32,
    greys: Vec<u16>,
    open: Vec<bool>,
}

impl Tile {
    /// Returns the memory that the tile takes, bytes.
    pub(crate) fn bytes(&self) -> usize {
        2 * self.greys.len() + self.open.len() + size_of::<Self>()
    }

    /// Returns the pixel with number `i`, or `None` if it is closed.
    fn pixel(&self, i: usize) -> Option<u16> {
        let open = self.open[i.min(self.open.len() - 1)];
        open.then(|| self.greys[i.min(self.greys.len() - 1)])
    }
}

/// Shortens a list of equal entries to one entry.
fn shortened<T: Copy + PartialEq>(list: Vec<T>) -> Vec<T> {
    match list.first() {
        Some(&first) if list.iter().all(|&one| one == first) => vec![first],
        _ => list,
    }
}

/// An unfinished stroke: the pixels before it and its coverage of each.
///
/// A pixel follows from its former value and the greatest coverage. A stroke therefore does not
/// depend on how its path is cut into messages, and does not darken itself where it crosses.
#[derive(Debug)]
pub(crate) struct Stroke {
    brush: Brush,
    last: Option<[f64; 2]>,
    tiles: BTreeMap<u32, (Tile, Vec<f32>)>,
}

impl Stroke {
    pub(crate) fn new(brush: Brush) -> Self {
        Self {
            brush,
            last: None,
            tiles: BTreeMap::new(),
        }
    }

    /// Returns the former pixels of the tiles that the stroke covers in part.
    pub(crate) fn into_tiles(self) -> Vec<Tile> {
        let tiles = self.tiles.into_values();
        let touched = tiles.filter(|(_, covered)| covered.iter().any(|&cover| cover > 0.0));
        touched.map(|(tile, _)| tile).collect()
    }
}

impl Canvas {
    /// Creates a canvas of one grey on which points may lie everywhere.
    pub(crate) fn even(width: u32, height: u32, grey: u16) -> Self {
        let pixels = width as usize * height as usize;
        Self {
            width,
            height,
            greys: vec![grey; pixels],
            open: vec![true; pixels],
        }
    }

    /// Copies a map. Greys of closed pixels become 0, so that equal maps compare equal.
    pub(crate) fn of_map(map: &GreyMap) -> Self {
        let open = match map.mask() {
            Some(mask) => mask.to_vec(),
            None => vec![true; map.greys().len()],
        };
        let greys = map.greys().iter().zip(&open);
        Self {
            width: map.width(),
            height: map.height(),
            greys: greys.map(|(&g, &open)| if open { g } else { 0 }).collect(),
            open,
        }
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// Returns the map that the saved PNG decodes to.
    ///
    /// # Errors
    /// If the canvas has no pixel, which no constructor here allows.
    pub(crate) fn to_map(&self) -> Result<GreyMap, MapError> {
        let mask = self.open.contains(&false).then(|| self.open.clone());
        GreyMap::new(self.width, self.height, self.greys.clone(), mask)
    }

    /// Returns the map of the pixels of a rectangle.
    ///
    /// # Errors
    /// If the rectangle has no pixel, which does not happen here.
    pub(crate) fn cut(&self, rect: PixelRect) -> Result<GreyMap, MapError> {
        let greys = self.rows(rect).flat_map(|row| &self.greys[row]);
        let open = self.rows(rect).flat_map(|row| &self.open[row]);
        let (greys, open) = (greys.copied().collect(), open.copied().collect());
        GreyMap::new(rect.width(), rect.height(), greys, Some(open))
    }

    /// Returns the rectangle of all pixels.
    pub(crate) fn rect(&self) -> PixelRect {
        PixelRect {
            min: [0; 2],
            max: [self.width, self.height],
        }
    }

    /// Returns the greys of a rectangle, little-endian, followed by a byte for each pixel: 1 where
    /// points may lie.
    pub(crate) fn wire(&self, rect: PixelRect) -> Vec<u8> {
        let pixels = rect.width() as usize * rect.height() as usize;
        let mut bytes = Vec::with_capacity(3 * pixels);
        for row in self.rows(rect) {
            bytes.extend(self.greys[row].iter().flat_map(|grey| grey.to_le_bytes()));
        }
        for row in self.rows(rect) {
            bytes.extend(self.open[row].iter().map(|&open| u8::from(open)));
        }
        bytes
    }

    fn rows(&self, rect: PixelRect) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (width, columns) = (self.width as usize, rect.width() as usize);
        let [left, top] = rect.min;
        (top..rect.max[1]).map(move |y| {
            let start = y as usize * width + left as usize;
            start..start + columns
        })
    }

    /// Continues a stroke along `path`, in pixels from the top left corner. Returns the changed
    /// rectangle.
    pub(crate) fn paint(&mut self, stroke: &mut Stroke, path: &[[f64; 2]]) -> Option<PixelRect> {
        let mut changed: Option<PixelRect> = None;
        for &to in path {
            let from = stroke.last.unwrap_or(to);
            stroke.last = Some(to);
            if let Some(rect) = self.segment(stroke, from, to) {
                changed = Some(changed.map_or(rect, |all| all.with(&rect)));
            }
        }
        changed
    }

    /// Returns the pixels within `reach` of the bounding box of two places.
    fn near(&self, from: [f64; 2], to: [f64; 2], reach: f64) -> Option<PixelRect> {
        let side = |a: usize, pixels: u32| {
            let most = f64::from(pixels);
            let lo = (from[a].min(to[a]) - reach).floor().clamp(0.0, most);
            let hi = (from[a].max(to[a]) + reach).ceil().clamp(0.0, most);
            (lo < hi).then_some([lo as u32, hi as u32])
        };
        let [left, right] = side(0, self.width)?;
        let [top, bottom] = side(1, self.height)?;
        Some(PixelRect {
            min: [left, top],
            max: [right, bottom],
        })
    }

    fn segment(&mut self, stroke: &mut Stroke, from: [f64; 2], to: [f64; 2]) -> Option<PixelRect> {
        let brush = stroke.brush;
        let rect = self.near(from, to, brush.radius())?;
        for row in rect.min[1] / TILE..rect.max[1].div_ceil(TILE) {
            for column in rect.min[0] / TILE..rect.max[0].div_ceil(TILE) {
                let number = row * self.columns() + column;
                let area = self.tile_rect(number);
                let Some(both) = area.meet(&rect) else {
                    continue;
                };
                let columns = area.width() as usize;
                let (tile, covered) = stroke.tiles.entry(number).or_insert_with(|| {
                    (
                        self.tile(number),
                        vec![0.0; columns * area.height() as usize],
                    )
                });
                for y in both.min[1]..both.max[1] {
                    for x in both.min[0]..both.max[0] {
                        let place = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                        let cover = coverage(&brush, from, to, place);
                        let i = (y - area.min[1]) as usize * columns + (x - area.min[0]) as usize;
                        if cover > covered[i] {
                            covered[i] = cover;
                            self.put(x, y, brush.applied(tile.pixel(i), cover));
                        }
                    }
                }
            }
        }
        Some(rect)
    }

    fn put(&mut self, x: u32, y: u32, grey: Option<u16>) {
        let i = y as usize * self.width as usize + x as usize;
        self.greys[i] = grey.unwrap_or(0);
        self.open[i] = grey.is_some();
    }

    /// Sets every pixel to the brush's grey, or closes every pixel.
    pub(crate) fn fill(&mut self, brush: &Brush) {
        let grey = match brush.tool {
            Tool::Paint => Some(brush.grey()),
            Tool::Erase => None,
        };
        self.greys.fill(grey.unwrap_or(0));
        self.open.fill(grey.is_some());
    }

    fn columns(&self) -> u32 {
        self.width.div_ceil(TILE)
    }

    fn tile_rect(&self, number: u32) -> PixelRect {
        let (column, row) = (number % self.columns(), number / self.columns());
        PixelRect {
            min: [column * TILE, row * TILE],
            max: [
                self.width.min((column + 1) * TILE),
                self.height.min((row + 1) * TILE),
            ],
        }
    }

    fn tile(&self, number: u32) -> Tile {
        let rows = || self.rows(self.tile_rect(number));
        Tile {
            number,
            greys: shortened(rows().flat_map(|row| &self.greys[row]).copied().collect()),
            open: shortened(rows().flat_map(|row| &self.open[row]).copied().collect()),
        }
    }

    /// Returns all pixels, for [`swap`](Self::swap).
    pub(crate) fn tiles(&self) -> Vec<Tile> {
        let rows = self.height.div_ceil(TILE);
        (0..rows * self.columns()).map(|n| self.tile(n)).collect()
    }

    /// Exchanges former pixels with the present ones. Returns the changed rectangle.
    pub(crate) fn swap(&mut self, tiles: &mut [Tile]) -> Option<PixelRect> {
        let mut changed: Option<PixelRect> = None;
        for tile in tiles {
            let rect = self.tile_rect(tile.number);
            let now = self.tile(tile.number);
            let pixels = rect.width() as usize * rect.height() as usize;
            for (i, at) in (0..pixels).zip(self.rows(rect).flatten()) {
                let pixel = tile.pixel(i);
                self.greys[at] = pixel.unwrap_or(0);
                self.open[at] = pixel.is_some();
            }
            *tile = now;
            changed = Some(changed.map_or(rect, |all| all.with(&rect)));
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brush(tool: Tool) -> Brush {
        Brush {
            tool,
            value: 0.75,
            size: 40.0,
            hardness: 0.5,
            strength: 0.8,
        }
    }

    fn path() -> Vec<[f64; 2]> {
        (0..40)
            .map(|i| {
                let t = f64::from(i);
                [150.0 * (0.1 * t).sin() + 90.0, 5.0 * t - 20.0]
            })
            .collect()
    }

    #[test]
    fn a_stroke_is_the_same_however_it_is_cut() {
        for tool in [Tool::Paint, Tool::Erase] {
            let mut whole = Canvas::even(200, 150, 1000);
            whole.paint(&mut Stroke::new(brush(tool)), &path());
            let mut cut = Canvas::even(200, 150, 1000);
            let mut stroke = Stroke::new(brush(tool));
            for part in path().chunks(3) {
                cut.paint(&mut stroke, part);
            }
            assert_eq!(whole, cut);
            assert_ne!(whole, Canvas::even(200, 150, 1000));
        }
    }

    /// The pixel under the pointer, and those that a fast stroke crosses.
    #[test]
    fn the_smallest_brush_paints_every_pixel_that_it_crosses() {
        let thin = Brush {
            size: 1.0,
            hardness: 0.0,
            strength: 1.0,
            ..brush(Tool::Erase)
        };
        for at in [[5.0, 5.0], [5.5, 5.0], [5.99, 5.01], [5.0, 5.9], [5.3, 5.6]] {
            let mut canvas = Canvas::even(10, 10, 1000);
            canvas.paint(&mut Stroke::new(thin), &[at]);
            let closed: Vec<usize> = (0..100).filter(|&i| !canvas.open[i]).collect();
            assert_eq!(closed, [55], "{at:?}");
        }
        let mut canvas = Canvas::even(10, 10, 1000);
        canvas.paint(&mut Stroke::new(thin), &[[0.1, 3.0], [9.9, 7.0]]);
        for column in 0..10 {
            assert!((0..10).any(|row| !canvas.open[10 * row + column]));
        }
    }

    #[test]
    fn nothing_outside_the_rectangle_changes() {
        let before = Canvas::even(200, 150, 1000);
        let mut canvas = before.clone();
        let mut stroke = Stroke::new(brush(Tool::Paint));
        let rect = canvas.paint(&mut stroke, &[[190.0, 10.0], [230.0, 70.0]]);
        let rect = rect.expect("it touches the map");
        for y in 0..150 {
            for x in 0..200 {
                let inside = (rect.min[0]..rect.max[0]).contains(&x)
                    && (rect.min[1]..rect.max[1]).contains(&y);
                let i = y as usize * 200 + x as usize;
                assert!(inside || canvas.greys[i] == before.greys[i]);
            }
        }
        assert_eq!(
            canvas
                .paint(&mut stroke, &[[215.0, 900.0]])
                .map(|r| r.max[0]),
            Some(200)
        );
        let mut far = Stroke::new(brush(Tool::Paint));
        assert_eq!(canvas.paint(&mut far, &[[900.0, 900.0]]), None);
    }
}
