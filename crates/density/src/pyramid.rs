//! Least and greatest grey of any rectangle of a map, in constant time.

use crate::GreyMap;

/// What is known of a rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The least grey of an allowed pixel; above `max` when there is none.
    pub(crate) min: u16,
    /// The greatest grey of an allowed pixel.
    pub(crate) max: u16,
    /// Whether every pixel is allowed.
    pub(crate) all: bool,
}

impl Summary {
    const NOTHING: Self = Self {
        min: u16::MAX,
        max: 0,
        all: true,
    };

    /// Whether some pixel is allowed.
    pub(crate) fn any(self) -> bool {
        self.min <= self.max
    }

    fn and(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            all: self.all & other.all,
        }
    }
}

/// A rectangle of pixels by its first and last column and row, all included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelRect {
    pub(crate) x: [u32; 2],
    pub(crate) y: [u32; 2],
}

impl PixelRect {
    /// Whether it is at most three pixels wide and high.
    pub(crate) fn is_small(&self) -> bool {
        self.x[1] - self.x[0] <= 2 && self.y[1] - self.y[0] <= 2
    }
}

#[derive(Clone, Debug)]
struct Level {
    width: u32,
    cells: Vec<Summary>,
}

/// Level `n` holds one [`Summary`] per block of 2^n by 2^n pixels; level 0 is the map itself
/// and is not copied. A third of a cell per pixel in all.
#[derive(Clone, Debug)]
pub(crate) struct Pyramid {
    levels: Vec<Level>,
}

/// A rectangle is read on the finest level where it touches at most this many cells a side.
const MOST_CELLS: u32 = 4;

impl Pyramid {
    /// In time proportional to the pixels; `None` without the memory for it.
    pub(crate) fn new(map: &GreyMap) -> Option<Self> {
        let (mut width, mut height) = (map.width(), map.height());
        let mut levels: Vec<Level> = Vec::new();
        while width > MOST_CELLS || height > MOST_CELLS {
            let below = |x, y| match levels.last() {
                None => pixel(map, x, y),
                Some(level) => level.cells[y as usize * level.width as usize + x as usize],
            };
            let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
            let mut cells = Vec::new();
            let count = half_width as usize * half_height as usize;
            cells.try_reserve_exact(count).ok()?;
            for y in 0..half_height {
                for x in 0..half_width {
                    // Where the block hangs over the edge, the last pixel counts twice.
                    let right = (2 * x + 1).min(width - 1);
                    let lower = (2 * y + 1).min(height - 1);
                    let upper_two = below(2 * x, 2 * y).and(below(right, 2 * y));
                    let lower_two = below(2 * x, lower).and(below(right, lower));
                    cells.push(upper_two.and(lower_two));
                }
            }
            levels.push(Level {
                width: half_width,
                cells,
            });
            (width, height) = (half_width, half_height);
        }
        Some(Self { levels })
    }

    /// What is known of `rect`, which lies inside the map: exact up to four pixels a side,
    /// beyond that of a rectangle up to twice as large that contains it. Reads at most 16 cells.
    pub(crate) fn over(&self, map: &GreyMap, rect: PixelRect) -> Summary {
        let mut level = 0;
        let cells_of = |[first, last]: [u32; 2], level: usize| (last >> level) - (first >> level);
        while level < self.levels.len()
            && cells_of(rect.x, level).max(cells_of(rect.y, level)) >= MOST_CELLS
        {
            level += 1;
        }
        let mut sum = Summary::NOTHING;
        let columns = |row: u32, width: u32| {
            let start = row as usize * width as usize;
            let [first, last] = rect.x.map(|x| start + (x >> level) as usize);
            first..=last
        };
        for y in rect.y[0] >> level..=rect.y[1] >> level {
            if let Some(Level { width, cells }) = level.checked_sub(1).map(|n| &self.levels[n]) {
                let cells = &cells[columns(y, *width)];
                sum = cells.iter().fold(sum, |sum, &cell| sum.and(cell));
            } else if map.has_mask() {
                let pixels = (rect.x[0]..=rect.x[1]).map(|x| pixel(map, x, y));
                sum = pixels.fold(sum, Summary::and);
            } else {
                for &grey in &map.greys()[columns(y, map.width())] {
                    sum.min = sum.min.min(grey);
                    sum.max = sum.max.max(grey);
                }
            }
        }
        sum
    }
}

fn pixel(map: &GreyMap, x: u32, y: u32) -> Summary {
    if map.allowed(x, y) {
        let grey = map.grey(x, y);
        Summary {
            min: grey,
            max: grey,
            all: true,
        }
    } else {
        Summary {
            all: false,
            ..Summary::NOTHING
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute_force(map: &GreyMap, rect: PixelRect) -> Summary {
        let mut sum = Summary::NOTHING;
        for y in rect.y[0]..=rect.y[1] {
            for x in rect.x[0]..=rect.x[1] {
                sum = sum.and(pixel(map, x, y));
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
            let pyramid = Pyramid::new(&map).expect("enough memory");
            let span = |a: u32, b: u32, n: u32| [(a % n).min(b % n), (a % n).max(b % n)];
            let [a, b, c, d] = corners;
            let rect = PixelRect { x: span(a, b, width), y: span(c, d, height) };
            let (found, truth) = (pyramid.over(&map, rect), brute_force(&map, rect));
            prop_assert!(found.min <= truth.min && found.max >= truth.max);
            prop_assert!(!found.all || truth.all);
            prop_assert!(found.any() || !truth.any());
            if rect.x[1] - rect.x[0] < 4 && rect.y[1] - rect.y[0] < 4 {
                prop_assert_eq!(found, truth);
            }
        }
    }
}
