//! Finds the best of all pixels for every pixel: branch and bound over a pyramid of maxima.

use crate::filled::filled;

/// A pyramid of maxima. Level 0 is the list itself; level `n` holds the maximum of every 2^n by 2^n
/// pixels, up to a single cell. NaN is ignored.
pub(crate) struct Pyramid<'a> {
    pixels: &'a [f64],
    width: u32,
    levels: Vec<Level>,
}

struct Level {
    width: u32,
    height: u32,
    cells: Vec<f64>,
}

/// A cell of a level.
#[derive(Clone, Copy)]
struct Node {
    level: u32,
    x: u32,
    y: u32,
    /// Upper bound of the scores of its pixels.
    most: f64,
}

impl<'a> Pyramid<'a> {
    /// Creates the pyramid in time proportional to the pixels; `None` without memory for a third of
    /// a copy.
    pub(crate) fn new(pixels: &'a [f64], width: u32) -> Option<Self> {
        let height = (pixels.len() / width as usize) as u32;
        let mut levels: Vec<Level> = Vec::new();
        let (mut below_width, mut below_height) = (width, height);
        while below_width > 1 || below_height > 1 {
            let (wide, high) = (below_width.div_ceil(2), below_height.div_ceil(2));
            let mut cells = filled(f64::NEG_INFINITY, wide as usize * high as usize)?;
            let below = levels.last().map_or(pixels, |level| &level.cells);
            for (y, row) in below.chunks_exact(below_width as usize).enumerate() {
                let target = &mut cells[y / 2 * wide as usize..][..wide as usize];
                for (x, &value) in row.iter().enumerate() {
                    // `f64::max` ignores NaN.
                    target[x / 2] = value.max(target[x / 2]);
                }
            }
            levels.push(Level {
                width: wide,
                height: high,
                cells,
            });
            (below_width, below_height) = (wide, high);
        }
        Some(Self {
            pixels,
            width,
            levels,
        })
    }

    /// Raises every pixel `p` of `result` that is not NaN to the greatest `score` of any pixel's
    /// value. `score(p, value, offset)` takes the offset of that pixel in columns and rows, and
    /// must not fall when the value rises or the offset shrinks.
    ///
    /// The search is faster the nearer the initial `result` is to the truth, and the smoother the
    /// truth is: the best pixels of neighbours are tried first. Returns `None` without enough
    /// memory.
    pub(crate) fn search(
        &self,
        result: &mut [f64],
        score: impl Fn(usize, f64, [u32; 2]) -> f64,
    ) -> Option<()> {
        let width = self.width as usize;
        // The best pixels found for the row above.
        let mut sources: Vec<[u32; 2]> = filled([0; 2], width)?;
        let mut todo = Vec::new();
        for (p, best) in result.iter_mut().enumerate() {
            let (x, y) = ((p % width) as u32, (p / width) as u32);
            if best.is_nan() {
                continue;
            }
            let mut source = [x, y];
            let hints = [sources[x as usize], sources[(x as usize).saturating_sub(1)]];
            for [i, j] in hints {
                let value = self.pixels[j as usize * width + i as usize];
                let found = score(p, value, [x.abs_diff(i), y.abs_diff(j)]);
                if found > *best {
                    (*best, source) = (found, [i, j]);
                }
            }
            todo.push(self.node(self.top(), 0, 0, |v, d| score(p, v, d), [x, y]));
            while let Some(node) = todo.pop() {
                if node.most <= *best {
                    continue;
                }
                let Some(level) = node.level.checked_sub(1) else {
                    (*best, source) = (node.most, [node.x, node.y]);
                    continue;
                };
                let [wide, high] = self.size(level);
                let start = todo.len();
                for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let (i, j) = (2 * node.x + i, 2 * node.y + j);
                    if i < wide && j < high {
                        let child = self.node(level, i, j, |v, d| score(p, v, d), [x, y]);
                        if child.most > *best {
                            todo.push(child);
                        }
                    }
                }
                // The most promising is evaluated first.
                todo[start..].sort_unstable_by(|a, b| a.most.total_cmp(&b.most));
            }
            sources[x as usize] = source;
        }
        Some(())
    }

    /// Returns the level of a single cell.
    fn top(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Returns a level's width and height, cells.
    fn size(&self, level: u32) -> [u32; 2] {
        match level.checked_sub(1) {
            None => [self.width, (self.pixels.len() / self.width as usize) as u32],
            Some(above) => {
                let level = &self.levels[above as usize];
                [level.width, level.height]
            }
        }
    }

    /// Returns the greatest value in a cell.
    fn value(&self, level: u32, x: u32, y: u32) -> f64 {
        match level.checked_sub(1) {
            None => self.pixels[y as usize * self.width as usize + x as usize],
            Some(above) => {
                let Level { width, cells, .. } = &self.levels[above as usize];
                cells[y as usize * *width as usize + x as usize]
            }
        }
    }

    fn node(
        &self,
        level: u32,
        x: u32,
        y: u32,
        score: impl Fn(f64, [u32; 2]) -> f64,
        from: [u32; 2],
    ) -> Node {
        // Distance to the nearest pixel of the cell.
        let away = |from: u32, cell: u32| {
            let first = cell << level;
            let last = first + ((1 << level) - 1);
            first.saturating_sub(from).max(from.saturating_sub(last))
        };
        Node {
            level,
            x,
            y,
            most: score(
                self.value(level, x, y),
                [away(from[0], x), away(from[1], y)],
            ),
        }
    }
}
