//! The highest of all pixels' cones, at every pixel: branch and bound, a block of pixels at once.

use crate::bits::{CELL, places};
use crate::cone::Cone;
use crate::greatest::Pyramid;
use crate::grey_map::filled;
use crate::sources::Sources;

const SIDE: usize = CELL as usize;

/// Raises every pixel of `result`, which is a copy of `pixels`, to the highest cone there. NaN
/// stays and has no cone.
pub(crate) fn raise(pixels: &[f64], width: u32, cone: &Cone, result: &mut [f64]) -> Option<()> {
    let sources = Sources::new(pixels, width, cone)?;
    let wide = sources.bits.width();
    let pyramid = Pyramid::new(&sources.highest, wide as u32)?;
    let search = Search {
        pixels,
        width: width as usize,
        step: cone.step(),
        sources: &sources,
        pyramid: &pyramid,
    };
    // What gave most to the blocks above and to the left: the same is likely to give most here.
    let mut hints: Vec<Option<[u32; 2]>> = filled(None, wide + 1)?;
    let mut todo = Vec::new();
    let rows = sources.highest.len() / wide;
    for y in 0..rows {
        hints[0] = None;
        for x in 0..wide {
            let mut block = Block::new(pixels, search.width, [SIDE * x, SIDE * y]);
            if block.floor == f64::INFINITY {
                // Nothing is open.
                hints[x + 1] = None;
                continue;
            }
            // The place before is of this row.
            let near = [hints[x], hints[x + 1], hints.get(x + 2).copied().flatten()];
            for hint in near.into_iter().flatten() {
                search.add_if_it_matters(&mut block, hint);
            }
            search.run(&mut block, &mut todo);
            hints[x + 1] = block.best.map(|(_, source)| source);
            block.write(result, search.width);
        }
    }
    Some(())
}

/// A block of pixels: what they have been raised to.
struct Block {
    first: [usize; 2],
    size: [usize; 2],
    /// Infinite where there is no pixel, and where it is closed.
    heights: [f64; SIDE * SIDE],
    /// How high, and which, of the cones that are worth anything here is highest in the middle.
    best: Option<(f64, [u32; 2])>,
    /// A plane below all heights: how high in the middle, and its rise per column and row.
    floor: f64,
    rise: [f64; 2],
}

impl Block {
    fn new(pixels: &[f64], width: usize, first: [usize; 2]) -> Self {
        let mut heights = [f64::INFINITY; SIDE * SIDE];
        let [x, y] = first;
        let size = [SIDE.min(width - x), SIDE.min(pixels.len() / width - y)];
        for (j, line) in heights.chunks_exact_mut(SIDE).take(size[1]).enumerate() {
            let row = &pixels[(y + j) * width + x..][..size[0]];
            for (height, &r) in line.iter_mut().zip(row) {
                *height = if r.is_nan() { f64::INFINITY } else { r };
            }
        }
        let mut block = Self {
            first,
            size,
            heights,
            best: None,
            floor: 0.0,
            rise: [0.0; 2],
        };
        block.lay_floor();
        block
    }

    fn middle(&self) -> [f64; 2] {
        let at = |axis: usize| self.first[axis] as f64 + self.half(axis);
        [at(0), at(1)]
    }

    /// From the middle to the outermost pixels' centres.
    fn half(&self, axis: usize) -> f64 {
        (self.size[axis] - 1) as f64 / 2.0
    }

    /// Puts the plane as high as the pixels allow, about as steep as they are.
    fn lay_floor(&mut self) {
        let [across, down] = [SIDE / 2, SIDE * SIDE / 2];
        let (mut columns, mut rows) = (Mean::default(), Mean::default());
        for line in self.heights.chunks_exact(SIDE) {
            columns.add(&line[..across], &line[across..]);
        }
        let (upper, lower) = self.heights.split_at(down);
        for (a, b) in upper.chunks_exact(across).zip(lower.chunks_exact(across)) {
            rows.add(a, b);
        }
        self.rise = [columns, rows].map(|mean| mean.get() / (SIDE / 2) as f64);
        let mut along = [0.0; SIDE];
        for (i, along) in along.iter_mut().enumerate() {
            *along = (i as f64 - self.half(0)) * self.rise[0];
        }
        // Many minima beside each other, for the sake of speed.
        let mut lowest = [f64::INFINITY; SIDE];
        for (j, line) in self.heights.chunks_exact(SIDE).enumerate() {
            let down = (j as f64 - self.half(1)) * self.rise[1];
            for ((least, height), along) in lowest.iter_mut().zip(line).zip(along) {
                let above = height - down - along;
                *least = if above < *least { above } else { *least };
            }
        }
        self.floor = lowest.into_iter().fold(f64::INFINITY, f64::min);
    }

    /// Whether a cone may be higher at some pixel, for hardly more than those at which it is; the
    /// squares of what it falls by are given, without a root.
    fn is_lower_somewhere(&self, r: f64, columns: &[f64; SIDE], first: f64, step: f64) -> bool {
        // More than what is lost to rounding here and in the root.
        let r = r * (1.0 + 1e-14);
        let mut most = [f64::NEG_INFINITY; SIDE];
        for (j, line) in self.heights.chunks_exact(SIDE).enumerate() {
            let y = (first + j as f64) * step;
            let y = y * y;
            for ((most, height), x) in most.iter_mut().zip(line).zip(columns) {
                // Minus infinity where nothing can be raised.
                let room = r - height;
                let above = room * room.abs() - (x + y);
                *most = if above > *most { above } else { *most };
            }
        }
        most.into_iter().any(|above| above > 0.0)
    }

    fn write(&self, result: &mut [f64], width: usize) {
        let [x, y] = self.first;
        let lines = self.heights.chunks_exact(SIDE);
        for (j, line) in lines.take(self.size[1]).enumerate() {
            let row = &mut result[(y + j) * width + x..][..self.size[0]];
            for (h, &height) in row.iter_mut().zip(line) {
                // Never for NaN.
                if height > *h {
                    *h = height;
                }
            }
        }
    }
}

/// The mean of differences between pixels, where both are open.
#[derive(Default)]
struct Mean {
    sums: [f64; SIDE / 2],
    counts: [f64; SIDE / 2],
}

impl Mean {
    fn add(&mut self, from: &[f64], to: &[f64]) {
        let pairs = from.iter().zip(to);
        for ((sum, count), (a, b)) in self.sums.iter_mut().zip(&mut self.counts).zip(pairs) {
            let rise = b - a;
            let open = rise.abs() < f64::INFINITY;
            *sum += if open { rise } else { 0.0 };
            *count += if open { 1.0 } else { 0.0 };
        }
    }

    fn get(&self) -> f64 {
        let count: f64 = self.counts.iter().sum();
        self.sums.iter().sum::<f64>() / count.max(1.0)
    }
}

/// A cell of a level, still to be looked into.
struct Node {
    level: u32,
    x: u32,
    y: u32,
    /// How far above the block's floor its cones reach, at most.
    excess: f64,
}

struct Search<'a> {
    pixels: &'a [f64],
    width: usize,
    step: [f64; 2],
    sources: &'a Sources,
    pyramid: &'a Pyramid<'a>,
}

impl Search<'_> {
    /// Raises the block to all cones that matter there.
    fn run(&self, block: &mut Block, todo: &mut Vec<Node>) {
        let top = self.pyramid.top();
        todo.push(self.node(block, top, 0, 0));
        while let Some(mut node) = todo.pop() {
            // The floor may be higher by now.
            node = self.node(block, node.level, node.x, node.y);
            if node.excess <= 0.0 {
                continue;
            }
            let Some(level) = node.level.checked_sub(1) else {
                self.add_cell(block, node.x, node.y);
                continue;
            };
            let [wide, high] = self.pyramid.size(level);
            let start = todo.len();
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (i, j) = (2 * node.x + i, 2 * node.y + j);
                if i < wide && j < high {
                    let child = self.node(block, level, i, j);
                    if child.excess > 0.0 {
                        todo.push(child);
                    }
                }
            }
            // The most promising is looked at first.
            todo[start..].sort_unstable_by(|a, b| a.excess.total_cmp(&b.excess));
        }
    }

    fn node(&self, block: &Block, level: u32, x: u32, y: u32) -> Node {
        let side = u64::from(CELL) << level;
        let first = [u64::from(x) * side, u64::from(y) * side];
        let rect = first.map(|first| [first as f64, (first + side - 1) as f64]);
        let excess = self.excess(block, self.pyramid.value(level, x, y), rect);
        Node {
            level,
            x,
            y,
            excess,
        }
    }

    /// How far above the block's floor the cones of pixels of this height reach, at most, wherever
    /// they stand in a box of columns and rows.
    ///
    /// What is highest of all those cones is a concave function, and so lies below its tangent
    /// plane in the block's middle; two planes differ most in a corner.
    fn excess(&self, block: &Block, height: f64, rect: [[f64; 2]; 2]) -> f64 {
        let middle = block.middle();
        let away = |axis: usize| {
            let [first, last] = rect[axis];
            // One of the two is 0.
            let ahead = (first - middle[axis]).max(0.0);
            let behind = (middle[axis] - last).max(0.0);
            (ahead - behind) * self.step[axis]
        };
        let [x, y] = [away(0), away(1)];
        let distance = (x * x + y * y).sqrt();
        let scale = if distance > 0.0 { 1.0 / distance } else { 0.0 };
        let corner = (x * scale * self.step[0] - block.rise[0]).abs() * block.half(0)
            + (y * scale * self.step[1] - block.rise[1]).abs() * block.half(1);
        height - distance + corner - block.floor
    }

    fn add_cell(&self, block: &mut Block, x: u32, y: u32) {
        let cell = y as usize * self.sources.bits.width() + x as usize;
        for [i, j] in places(self.sources.bits.cells()[cell]) {
            self.add_if_it_matters(block, [CELL * x + i, CELL * y + j]);
        }
    }

    fn add_if_it_matters(&self, block: &mut Block, source: [u32; 2]) {
        let rect = source.map(|at| [f64::from(at); 2]);
        if self.excess(block, self.height(source), rect) > 0.0 {
            self.add(block, source);
        }
    }

    fn height(&self, [x, y]: [u32; 2]) -> f64 {
        self.pixels[y as usize * self.width + x as usize]
    }

    /// Raises the block to one pixel's cone.
    fn add(&self, block: &mut Block, source: [u32; 2]) {
        let r = self.height(source);
        let [x, y] = [0, 1].map(|axis| block.first[axis] as f64 - f64::from(source[axis]));
        let mut columns = [0.0; SIDE];
        for (i, square) in columns.iter_mut().enumerate() {
            let x = (x + i as f64) * self.step[0];
            *square = x * x;
        }
        if !block.is_lower_somewhere(r, &columns, y, self.step[1]) {
            return;
        }
        let mut raised = false;
        for (j, line) in block.heights.chunks_exact_mut(SIDE).enumerate() {
            let y = (y + j as f64) * self.step[1];
            let y = y * y;
            for (height, x) in line.iter_mut().zip(columns) {
                let cone = r - (x + y).sqrt();
                raised |= cone > *height;
                *height = if cone > *height { cone } else { *height };
            }
        }
        if raised {
            let x = (x + block.half(0)) * self.step[0];
            let y = (y + block.half(1)) * self.step[1];
            let middle = r - (x * x + y * y).sqrt();
            if block.best.is_none_or(|(height, _)| middle > height) {
                block.best = Some((middle, source));
            }
            block.lay_floor();
        }
    }
}
