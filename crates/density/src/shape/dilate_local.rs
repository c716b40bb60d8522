//! Grows the dense or the sparse parts of a map by a multiple of the local distance.

use super::ShapeError;
use super::{DistMap, Side};
use crate::MapError;
use crate::field_error::within;
use crate::filled::{copied, filled};
use crate::pyramid::{NodeBox, Nodes, Pyramid, Summary, for_nodes};

/// Returns the map with its dense or sparse parts grown by `reach` times the local distance: each
/// pixel becomes the least (dense grows) or the greatest (sparse grows) distance within `reach * r`
/// of its centre, where `r` is its own distance. "Ideally the dilation should be a function of the
/// minimum radius in a region" (Tulleken, "Poisson Disk Sampling", Dev.Mag 21, 2008).
///
/// - [`Side::Sparse`] takes back what the dense side bleeds into the sparse one under the rule
///   `parent`, by the dense side's own distances: a `reach` of 1 is as far as one annulus reaches.
/// - [`Side::Dense`] makes room for dense points beside sparse ones, which keep them away as far as
///   their own distance.
///
/// Edges stay as sharp as they were; [`limit`](crate::shape::limit()) turns them into ramps, which
/// suits the symmetric rules better. Closed pixels do not change, and have no effect.
///
/// The result is exact. Takes time proportional to the pixels if distances are smooth, more if they
/// are noise; and the memory of two more maps of distances.
///
/// ```
/// use spinney_density::shape::{DistMap, Side, dilate_local};
///
/// // An edge between points 1 unit apart and points 9 units apart.
/// let edge: Vec<f64> = (0..64).map(|x| if x < 32 { 1.0 } else { 9.0 }).collect();
/// let map = DistMap::from_distances([64, 1], [1.0, 1.0], edge)?;
/// let grown = dilate_local(&map, 1.0, Side::Dense)?;
/// assert_eq!([31, 40, 41].map(|x| grown.distances()[x]), [1.0, 1.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unless `reach` lies between 0 and 1e6, or without enough memory.
pub fn dilate_local(map: &DistMap, reach: f64, grows: Side) -> Result<DistMap, ShapeError> {
    let reach = within("the reach of a dilation", reach, 0.0, 1e6)?;
    let distances = grown(map, reach, grows).ok_or(MapError::OutOfMemory {
        width: map.width(),
        height: map.height(),
    })?;
    Ok(map.with(distances))
}

/// Values row by row, NaN where a pixel is closed.
struct Rows<'a> {
    values: &'a [f64],
    width: usize,
}

impl Nodes<2> for Rows<'_> {
    type Value = f64;

    #[inline]
    fn each(&self, [x, y]: [u32; 2], last: u32, mut f: impl FnMut(Summary<f64>)) {
        let row = &self.values[y as usize * self.width..];
        for &value in &row[x as usize..=last as usize] {
            f(Summary::or_closed(value));
        }
    }
}

/// A block of a level, and the greatest value in it.
struct Block {
    level: u32,
    at: [u32; 2],
    most: f64,
}

/// A search for the greatest value around pixels: branch and bound over a pyramid.
struct Search<'a> {
    rows: Rows<'a>,
    pyramid: Pyramid<2, f64>,
    size: [u32; 2],
    /// A pixel's width and height, world units.
    pixel: [f64; 2],
}

impl Search<'_> {
    /// Returns the greatest value in a block, if the block is within `far` of the pixel `from`.
    fn most(&self, level: u32, at: [u32; 2], from: [u32; 2], far: f64) -> Option<f64> {
        let [x, y] = [0, 1].map(|a: usize| {
            let first = at[a] << level;
            let last = first.saturating_add((1 << level) - 1);
            let away = first
                .saturating_sub(from[a])
                .max(from[a].saturating_sub(last));
            f64::from(away) * self.pixel[a]
        });
        (x * x + y * y <= far * far).then(|| self.pyramid.block(&self.rows, level, at).max)
    }

    /// Raises `best` to the greatest value within `far` of the pixel `from`, and returns the pixel
    /// that has it. The pixels `hints` are tried first. `todo` is an empty list.
    fn raise(
        &self,
        best: &mut f64,
        from: [u32; 2],
        far: f64,
        hints: [[u32; 2]; 2],
        todo: &mut Vec<Block>,
    ) -> [u32; 2] {
        let mut source = from;
        for hint in hints {
            if let Some(found) = self.most(0, hint, from, far).filter(|found| found > best) {
                (*best, source) = (found, hint);
            }
        }
        let last = |level: u32| self.size.map(|length| (length - 1) >> level);
        let add = |todo: &mut Vec<Block>, level: u32, blocks: NodeBox<2>, best: f64| {
            let start = todo.len();
            for_nodes(blocks, |at| {
                let most = self.most(level, at, from, far).filter(|&most| most > best);
                todo.extend(most.map(|most| Block { level, at, most }));
            });
            // The most promising is evaluated first.
            todo[start..].sort_unstable_by(|a, b| a.most.total_cmp(&b.most));
        };
        let top = self.pyramid.coarsest();
        add(todo, top, last(top).map(|last| [0, last]), *best);
        while let Some(Block { level, at, most }) = todo.pop() {
            if most <= *best {
                continue;
            }
            let Some(below) = level.checked_sub(1) else {
                (*best, source) = (most, at);
                continue;
            };
            let last = last(below);
            let parts = [0, 1].map(|a: usize| [2 * at[a], (2 * at[a] + 1).min(last[a])]);
            add(todo, below, parts, *best);
        }
        source
    }
}

fn grown(map: &DistMap, reach: f64, grows: Side) -> Option<Vec<f64>> {
    let radii = map.distances();
    // The least distance is the greatest of the negated ones.
    let sign = match grows {
        Side::Dense => -1.0,
        Side::Sparse => 1.0,
    };
    let mut values = copied(radii)?;
    for value in &mut values {
        *value *= sign;
    }
    let mut result = copied(&values)?;
    let (size, width) = ([map.width(), map.height()], map.width() as usize);
    let rows = Rows {
        values: &values,
        width,
    };
    let search = Search {
        pyramid: Pyramid::new(size, &rows)?,
        rows,
        size,
        pixel: map.pixel(),
    };
    // The best pixels found for the row above, which are likely to be the best again.
    let mut sources = filled([0; 2], width)?;
    let mut todo = Vec::new();
    for (p, best) in result.iter_mut().enumerate() {
        let (x, y) = (p % width, p / width);
        if !best.is_nan() {
            let hints = [sources[x], sources[x.saturating_sub(1)]];
            let from = [x as u32, y as u32];
            sources[x] = search.raise(best, from, reach * radii[p], hints, &mut todo);
        }
    }
    for value in &mut result {
        *value *= sign;
    }
    Some(result)
}
