//! Computes bounds of the value over a small box between a few pixels.
//!
//! ```text
//!   p---p---p    Between the same four pixels' centres the value is bilinear, so its extremes
//!   |  +|+  |    over a box (+) lie at the box's corners and where its sides and the lines
//!   p--|p|--p    through pixels' centres meet: at nine nodes at most, at four in a box that
//!   |  +|+  |    no such line crosses.
//!   p---p---p
//! ```

use crate::pyramid::{Columns, NodeBox, Nodes, Summary, greater, join, lesser};

/// Pixels of a whole map in one list: all of them, those of a tile, or a few.
#[derive(Clone, Copy)]
pub(crate) struct PixelSlice<'a> {
    /// Greys, row by row.
    pub(crate) greys: &'a [u16],
    /// Whether each pixel is open; `None` if all are.
    pub(crate) allowed: Option<&'a [bool]>,
    /// Column and row of the first pixel in the whole map.
    pub(crate) first: [u32; 2],
    /// Distance between the starts of rows in the lists.
    pub(crate) stride: usize,
}

impl PixelSlice<'_> {
    /// Returns the position of a pixel in the lists.
    #[inline]
    fn index(&self, x: u32, y: u32) -> usize {
        (y - self.first[1]) as usize * self.stride + (x - self.first[0]) as usize
    }

    #[inline]
    pub(crate) fn grey(&self, x: u32, y: u32) -> u16 {
        self.greys[self.index(x, y)]
    }

    #[inline]
    pub(crate) fn is_open(&self, x: u32, y: u32) -> bool {
        self.allowed.is_none_or(|allowed| allowed[self.index(x, y)])
    }
}

impl Nodes<2> for PixelSlice<'_> {
    type Value = u16;

    #[inline]
    fn each(&self, [x, y]: [u32; 2], last: u32, mut f: impl FnMut(Summary<u16>)) {
        let start = self.index(x, y);
        let end = start + (last - x) as usize;
        let greys = &self.greys[start..=end];
        match self.allowed {
            None => greys.iter().for_each(|&grey| f(Summary::open(grey))),
            Some(allowed) => {
                for (&grey, &is_open) in greys.iter().zip(&allowed[start..=end]) {
                    f(if is_open {
                        Summary::open(grey)
                    } else {
                        Summary::CLOSED
                    });
                }
            }
        }
    }

    fn add_row(&self, [x, y]: [u32; 2], sums: Columns<'_, u16>) {
        let start = self.index(x, y);
        let pixels = start..start + sums.min.len();
        let greys = &self.greys[pixels.clone()];
        match self.allowed {
            None => {
                join(sums.min, greys, lesser);
                join(sums.max, greys, greater);
            }
            Some(allowed) => {
                let allowed = &allowed[pixels];
                let sums = sums.min.iter_mut().zip(sums.max).zip(sums.all);
                for (((min, max), all), (&grey, &is_open)) in sums.zip(greys.iter().zip(allowed)) {
                    *min = lesser(*min, if is_open { grey } else { u16::MAX });
                    *max = greater(*max, if is_open { grey } else { u16::MIN });
                    *all &= is_open;
                }
            }
        }
    }
}

/// A small box of pixels, closed unless they are opened.
pub(crate) struct SmallBox {
    first: [u32; 2],
    greys: [u16; Self::SIDE * Self::SIDE],
    allowed: [bool; Self::SIDE * Self::SIDE],
    /// Number of pixels that are still closed.
    closed: u32,
}

impl SmallBox {
    /// Greatest number of pixels along each axis.
    const SIDE: usize = 3;

    /// Creates a box of at most three pixels along each axis, all closed.
    pub(crate) fn new(nodes: NodeBox<2>) -> Self {
        let [width, height] = nodes.map(|[first, last]| last - first + 1);
        Self {
            first: nodes.map(|[first, _]| first),
            greys: [0; Self::SIDE * Self::SIDE],
            allowed: [false; Self::SIDE * Self::SIDE],
            closed: width * height,
        }
    }

    /// Opens a pixel and sets its grey.
    pub(crate) fn open(&mut self, [x, y]: [u32; 2], grey: u16) {
        let [column, row] = [x - self.first[0], y - self.first[1]].map(|n| n as usize);
        let index = row * Self::SIDE + column;
        (self.greys[index], self.allowed[index]) = (grey, true);
        self.closed = self.closed.saturating_sub(1);
    }

    /// Returns the pixels of the box.
    pub(crate) fn slice(&self) -> PixelSlice<'_> {
        PixelSlice {
            greys: &self.greys,
            allowed: (self.closed > 0).then_some(&self.allowed),
            first: self.first,
            stride: Self::SIDE,
        }
    }
}

/// The position of a coordinate between pixels: the last pixel whose centre is at or before it, the
/// next pixel, and the weight of the latter, in [0, 1).
pub(crate) type Between = (u32, u32, f64);

/// Interpolates between two greys or mixtures of greys.
#[inline]
pub(crate) fn mix(a: f64, b: f64, weight: f64) -> f64 {
    a + weight * (b - a)
}

/// Interpolates between two mixtures of greys, and clamps the result between them.
///
/// [`mix`] needs no clamp for two greys: the product with a weight below 1 never exceeds the
/// difference, and the sum with a whole number is rounded to at most the greater grey.
#[inline]
pub(crate) fn mix_within(a: f64, b: f64, weight: f64) -> f64 {
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    let mixed = mix(a, b, weight);
    let mixed = if mixed > least { mixed } else { least };
    if mixed < most { mixed } else { most }
}

/// Returns the least and the greatest value over a box, and the least and the greatest grey of its
/// pixels; all in greys. The box touches at most three pixels along each axis, all open; `ends` are
/// its ends along each axis. The bounds of the value may be too narrow by some units in the last
/// place.
#[inline]
pub(crate) fn over_patch(
    near: &PixelSlice<'_>,
    touched: NodeBox<2>,
    ends: &[[Between; 2]; 2],
) -> [(f64, f64); 2] {
    let [same_column, same_row] = [ends[0], ends[1]].map(|[a, b]| a.0 == b.0 && a.1 == b.1);
    if same_column && same_row {
        return between_four(near, ends);
    }
    over_nodes(near, touched, ends)
}

/// Computes [`over_patch`] for any position of the box.
fn over_nodes(
    near: &PixelSlice<'_>,
    touched: NodeBox<2>,
    ends: &[[Between; 2]; 2],
) -> [(f64, f64); 2] {
    // Always three of each; if there are fewer, the last one is repeated.
    let (columns, rows) = (nodes(ends[0], touched[0]), nodes(ends[1], touched[1]));
    let [width, height] = touched.map(|[first, last]| (last - first) as usize);
    let mut lines = [[0.0; 3]; 3];
    let (mut least, mut most) = (u16::MAX, 0);
    for (down, line) in lines.iter_mut().enumerate() {
        let start = near.index(touched[0][0], touched[1][0] + down.min(height) as u32);
        let row = &near.greys[start..=start + width];
        let greys = [row[0], row[width.min(1)], row[width.min(2)]];
        for grey in greys {
            (least, most) = (least.min(grey), most.max(grey));
        }
        let greys = [
            f64::from(greys[0]),
            f64::from(greys[1]),
            f64::from(greys[2]),
        ];
        for (mixed, &(left, right, weight)) in line.iter_mut().zip(&columns) {
            *mixed = mix(greys[left], greys[right], weight);
        }
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (upper, lower, weight) in rows {
        for (&upper, &lower) in lines[upper].iter().zip(&lines[lower]) {
            let value = mix_within(upper, lower, weight);
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
    }
    [(low, high), (f64::from(least), f64::from(most))]
}

/// Computes [`over_patch`] for a box between the centres of the same four pixels, where most small
/// boxes lie: the only nodes are its corners.
#[inline]
fn between_four(near: &PixelSlice<'_>, [x, y]: &[[Between; 2]; 2]) -> [(f64, f64); 2] {
    let (x0, x1, _) = x[0];
    let row = |y: u32| [x0, x1].map(|x| near.grey(x, y));
    let (upper, lower) = (row(y[0].0), row(y[0].1));
    let least = upper[0].min(upper[1]).min(lower[0]).min(lower[1]);
    let most = upper[0].max(upper[1]).max(lower[0]).max(lower[1]);
    let pixels = (f64::from(least), f64::from(most));
    if least == most {
        return [pixels; 2];
    }
    let [upper, lower] = [upper, lower].map(|row| row.map(f64::from));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, _, right) in x {
        let (upper, lower) = (
            mix(upper[0], upper[1], *right),
            mix(lower[0], lower[1], *right),
        );
        for (_, _, down) in y {
            let value = mix_within(upper, lower, *down);
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
    }
    [(low, high), pixels]
}

/// Returns the positions along an axis where extremes may lie. Pixels are counted from the first
/// that is touched.
#[inline]
fn nodes([start, end]: [Between; 2], [first, last]: [u32; 2]) -> [(usize, usize, f64); 3] {
    let local = |(a, b, weight): Between| ((a - first) as usize, (b - first) as usize, weight);
    let line = if last - first == 2 {
        (1, 1, 0.0)
    } else {
        local(end)
    };
    [local(start), local(end), line]
}
