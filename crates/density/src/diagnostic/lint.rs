//! Checks a readable map for likely mistakes.

use crate::diagnostic::Diagnostic;
use crate::grey_map::WHITE;
use crate::{DistRange, GreyMap, PixelGrid, RadiusField, RadiusMap, White};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ratio of distances whose step is visible: the density changes by a fifth.
const VISIBLE: f64 = 1.1;

/// Maximum number of greys of a map painted in flat areas, whose steps are intended.
const MEANT: usize = 16;

/// Number of greys in 8 bits. A map with more greys has no bands.
const FEW: usize = 256;

/// Number of different greys.
const GREYS: usize = 1 << 16;

/// Share of the pixels below which steep slopes are ignored as accidental.
const NOTABLE: f64 = 1e-3;

/// Returns likely mistakes in a map whose distances are all multiplied by `factor`, as in [`Scaled`](crate::Scaled).
/// Takes time proportional to the number of pixels.
///
/// `steepest` is the greatest slope, in distance per distance, that points can follow. It is 1 under rules by which a
/// sparse point keeps its own distance from a dense one, 2 under `mean`, and infinity when slopes do not matter.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, lint};
/// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusMap};
///
/// let map = GreyMap::from_fn(8, 8, |_, _| 1.0)?;
/// let field = RadiusMap::new(map, DistRange::new(2.0, 4.0)?, MapOptions::default())?;
/// assert_eq!(lint(&field, 1.0, 1.0), [Diagnostic::Flat { value: 1.0 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lint(field: &RadiusMap, factor: f64, steepest: f64) -> Vec<Diagnostic> {
    let lint = Lint::new(
        *field.grid(),
        field.range(),
        field.white(),
        factor,
        steepest,
    );
    lint.add([0, 0], field.map());
    lint.diagnostics()
}

/// Corrects the warnings about a map if a gradient limit was applied to it.
///
/// Removes the warning about few greys, which the limit changes. If distances were multiplied by a `factor` above 1
/// after the limit, replaces the warning about steep distances by [`Diagnostic::ScaledLimit`]: each names a limit to
/// give, and not the same.
pub fn note_limit(found: &mut Vec<Diagnostic>, limit: Option<f64>, factor: f64) {
    let Some(slope) = limit else {
        return;
    };
    found.retain(|found| !matches!(found, Diagnostic::Bands { .. }));
    if factor > 1.0 {
        found.retain(|found| !matches!(found, Diagnostic::Steep { .. }));
        found.insert(0, Diagnostic::ScaledLimit { slope, factor });
    }
}

/// Likely mistakes in a map that is read part by part. [`lint`] is the counterpart for a map in memory.
///
/// Threads may add parts concurrently.
///
/// # Cost
/// A pass over the pixels of each part. The pixels at a part's edges are kept until the neighbouring part is added, 4
/// bytes each.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, Lint};
/// use spinney_density::{Bounds, DistRange, GreyMap, PixelGrid, White, YAxis};
///
/// // A step between the two parts of 4 x 8 pixels.
/// let world = Bounds::from_size([8.0, 8.0])?;
/// let grid = PixelGrid::new([8, 8], world, YAxis::Down)?;
/// let lint = Lint::new(grid, DistRange::new(2.0, 4.0)?, White::Sparse, 1.0, 1.0);
/// lint.add([0, 0], &GreyMap::from_fn(4, 8, |_, _| 0.0)?);
/// lint.add([4, 0], &GreyMap::from_fn(4, 8, |_, _| 1.0)?);
/// let (share, slope, at) = (0.125, 2.0, [3, 0]);
/// assert_eq!(lint.diagnostics(), [Diagnostic::Steep { share, slope, at }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lint {
    grid: PixelGrid,
    /// A pixel's width and height, world units.
    pixel: [f64; 2],
    /// The distance of each grey.
    distances: Vec<f64>,
    steepest: f64,
    /// Differences between the greys of neighbours, along each axis, up to which a slope is not too steep.
    gentle: [u16; 2],
    /// Whether each grey is used.
    used: Vec<AtomicBool>,
    seen: Mutex<Seen>,
}

/// Findings in the parts added so far.
#[derive(Debug, Default)]
struct Seen {
    /// First column and row of each part.
    parts: BTreeSet<[u32; 2]>,
    /// Number of pixels of these parts.
    pixels: u64,
    slopes: Slopes,
    /// Edges of parts whose neighbour has not been added yet.
    seams: BTreeMap<Seam, Edge>,
    /// Corner pixels of parts that are too steep towards one other part.
    corners: BTreeSet<[u32; 2]>,
}

/// A line between two parts: the axis across it, and the first pixel beyond it.
type Seam = (usize, [u32; 2]);

/// Pixels along a seam, all on one side of it.
#[derive(Debug)]
struct Edge {
    /// Whether the pixels lie beyond the seam.
    is_beyond: bool,
    pixels: Vec<EdgePixel>,
}

/// A pixel at an edge.
#[derive(Clone, Copy, Debug)]
struct EdgePixel {
    /// `None` where no point may lie.
    grey: Option<u16>,
    /// Whether the pixel is already counted as too steep.
    is_over: bool,
}

/// Counts of pixels, and the steepest slope.
#[derive(Clone, Copy, Debug, Default)]
struct Slopes {
    /// Number of pixels where points may lie.
    open: u64,
    /// Number of those pixels that are too steep towards the next column or row.
    over: u64,
    steepest: f64,
    /// The pixel with the steepest slope.
    at: [u32; 2],
}

impl Slopes {
    /// Records a slope at a pixel. Of equal slopes the first pixel counts, row by row.
    fn take(&mut self, slope: f64, at: [u32; 2]) {
        let first = [at[1], at[0]] < [self.at[1], self.at[0]];
        if slope > self.steepest || (slope == self.steepest && first) {
            (self.steepest, self.at) = (slope, at);
        }
    }

    fn join(&mut self, other: &Self) {
        self.open += other.open;
        self.over += other.over;
        if other.steepest > 0.0 {
            self.take(other.steepest, other.at);
        }
    }
}

impl Lint {
    /// Creates an empty check for the map of this grid, whose distances lie in `range` and are all multiplied by
    /// `factor`. `steepest` is as in [`lint`].
    pub fn new(
        grid: PixelGrid,
        range: DistRange,
        white: White,
        factor: f64,
        steepest: f64,
    ) -> Self {
        let distance = |grey| factor * range.at(white.sparseness(f64::from(grey) / WHITE));
        let distances: Vec<f64> = (0..=u16::MAX).map(distance).collect();
        let size = grid.bounds().size();
        let pixel = [0, 1].map(|axis: usize| size[axis] / f64::from(grid.size()[axis]));
        let steps = distances.windows(2).map(|two| (two[1] - two[0]).abs());
        let step = steps.fold(0.0, f64::max);
        // The margin is far above the rounding error of the quotient.
        let gentle = pixel.map(|side| (steepest * side / step * (1.0 - 1e-9)) as u16);
        Self {
            grid,
            pixel,
            distances,
            steepest,
            gentle,
            used: (0..GREYS).map(|_| AtomicBool::new(false)).collect(),
            seen: Mutex::default(),
        }
    }

    /// Adds a part, whose first pixel is at this column and row. A part that was added before changes nothing, so parts
    /// may be read again. Parts must not overlap otherwise.
    pub fn add(&self, at: [u32; 2], part: &GreyMap) {
        if self.seen().parts.contains(&at) {
            return;
        }
        // Without the lock: other threads may add parts meanwhile.
        let (slopes, edges) = self.look(at, part);
        let mut seen = self.seen();
        if !seen.parts.insert(at) {
            return;
        }
        seen.pixels += part.greys().len() as u64;
        seen.slopes.join(&slopes);
        for (seam, edge) in edges {
            match seen.seams.remove(&seam) {
                Some(other) => self.close(&mut seen, seam, edge, other),
                None => _ = seen.seams.insert(seam, edge),
            }
        }
    }

    /// Returns `true` if all pixels of the map were added.
    pub fn has_all_pixels(&self) -> bool {
        self.is_whole(&self.seen())
    }

    fn is_whole(&self, seen: &Seen) -> bool {
        let [columns, rows] = self.grid.size().map(u64::from);
        seen.pixels == columns * rows
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Scans the pixels of a part. Marks the greys that it uses.
    fn look(&self, at: [u32; 2], part: &GreyMap) -> (Slopes, Vec<(Seam, Edge)>) {
        let mut slopes = Slopes::default();
        let [width, height] = [part.width(), part.height()].map(|n| n as usize);
        let greys = part.greys();
        let place = |i: usize| [at[0] + (i % width) as u32, at[1] + (i / width) as u32];
        let beyond = [at[0] + part.width(), at[1] + part.height()];
        let mut right = Vec::new();
        let mut below = Vec::new();
        for i in 0..greys.len() {
            let (is_last_column, is_last_row) = ((i + 1) % width == 0, i + width >= greys.len());
            let mut is_over = false;
            let grey = part.is_open(i).then(|| greys[i]);
            if let Some(grey) = grey {
                slopes.open += 1;
                let used = &self.used[usize::from(grey)];
                // Most greys are marked already: threads then only read.
                if !used.load(Ordering::Relaxed) {
                    used.store(true, Ordering::Relaxed);
                }
                let mut most = 0.0;
                for (axis, is_last, next) in
                    [(0, is_last_column, i + 1), (1, is_last_row, i + width)]
                {
                    if !is_last
                        && grey.abs_diff(greys[next]) > self.gentle[axis]
                        && part.is_open(next)
                    {
                        most = self.slope(axis, grey, greys[next]).max(most);
                    }
                }
                if most > self.steepest {
                    is_over = true;
                    slopes.over += 1;
                    slopes.take(most, place(i));
                }
            }
            let pixel = EdgePixel { grey, is_over };
            if is_last_column {
                right.push(pixel);
            }
            if is_last_row {
                below.push(pixel);
            }
        }
        let first = |i: usize| EdgePixel {
            grey: part.is_open(i).then(|| greys[i]),
            is_over: false,
        };
        let left = (0..height).map(|y| first(y * width)).collect();
        let above = (0..width).map(first).collect();
        let edges = [
            (0, at, true, left),
            (1, at, true, above),
            (0, [beyond[0], at[1]], false, right),
            (1, [at[0], beyond[1]], false, below),
        ];
        let edges = edges.into_iter().filter(|(axis, seam, ..)| {
            let is_inside = (1..self.grid.size()[*axis]).contains(&seam[*axis]);
            is_inside && self.steepest.is_finite()
        });
        let edges =
            edges.map(|(axis, seam, is_beyond, pixels)| ((axis, seam), Edge { is_beyond, pixels }));
        (slopes, edges.collect())
    }

    /// Compares the pixels on both sides of a seam.
    fn close(&self, seen: &mut Seen, (axis, first): Seam, one: Edge, other: Edge) {
        let (here, beyond) = if one.is_beyond {
            (other, one)
        } else {
            (one, other)
        };
        let last = here.pixels.len() - 1;
        for (nth, (here, beyond)) in here.pixels.iter().zip(&beyond.pixels).enumerate() {
            let Some((grey, next)) = here.grey.zip(beyond.grey) else {
                continue;
            };
            let slope = self.slope(axis, grey, next);
            if slope <= self.steepest {
                continue;
            }
            let mut at = first;
            at[axis] -= 1;
            at[1 - axis] += nth as u32;
            seen.slopes.take(slope, at);
            let is_corner = nth == last;
            // A pixel counts once, even if it is too steep towards two other parts.
            if !(here.is_over || is_corner && !seen.corners.insert(at)) {
                seen.slopes.over += 1;
            }
        }
    }

    /// Returns the slope between neighbours along an axis.
    fn slope(&self, axis: usize, a: u16, b: u16) -> f64 {
        let [a, b] = [a, b].map(|grey| self.distances[usize::from(grey)]);
        (b - a).abs() / self.pixel[axis]
    }

    /// Returns likely mistakes in the parts that were added. Those about few greys need all pixels of the map, as other
    /// parts may have more.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let seen = self.seen();
        let is_whole = self.is_whole(&seen);
        let distances = &self.distances;
        let is_used = |grey: &usize| self.used[*grey].load(Ordering::Relaxed);
        let greys: Vec<usize> = (0..GREYS).filter(is_used).collect();
        let (Some(&darkest), Some(&brightest)) = (greys.first(), greys.last()) else {
            return Vec::from_iter(is_whole.then_some(Diagnostic::Nowhere));
        };
        let mut found = Vec::new();
        if is_whole && darkest == brightest {
            let value = darkest as f64 / WHITE;
            found.push(Diagnostic::Flat { value });
        }
        let ends = [distances[darkest], distances[brightest]];
        let (least, greatest) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let count = greys.len();
        if is_whole && count > MEANT && count <= FEW {
            let steps = greys
                .windows(2)
                .map(|two| [distances[two[0]], distances[two[1]]]);
            let ratio = |[a, b]: [f64; 2]| a.max(b) / a.min(b);
            let widest = steps.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b)));
            let widest = widest.filter(|&step| ratio(step) > VISIBLE);
            found.extend(widest.map(|step| Diagnostic::Bands { greys: count, step }));
        }
        let smaller = self.pixel[0].min(self.pixel[1]);
        if least < smaller {
            found.push(Diagnostic::BelowPixel {
                min_dist: least,
                pixel: smaller,
            });
        }
        let size = self.grid.bounds().size();
        let side = size[0].max(size[1]);
        if greatest > side {
            found.push(Diagnostic::AboveMap {
                max_dist: greatest,
                side,
            });
        }
        let Slopes {
            open,
            over,
            steepest: slope,
            at,
        } = seen.slopes;
        let share = over as f64 / open as f64;
        if share > NOTABLE {
            found.push(Diagnostic::Steep { share, slope, at });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Names, Role, Subject};
    use crate::{Bounds, MapOptions, PixelRect};

    fn found(
        range: [f64; 2],
        size: [f64; 2],
        steepest: f64,
        f: impl Fn(u32, u32) -> f64,
    ) -> Vec<Diagnostic> {
        let map = GreyMap::from_fn(64, 64, f).expect("a good map");
        let range = DistRange::new(range[0], range[1]).expect("a good range");
        let options = MapOptions {
            bounds: Some(Bounds::from_size(size).expect("a good size")),
            ..MapOptions::default()
        };
        lint(
            &RadiusMap::new(map, range, options).expect("a good field"),
            1.0,
            steepest,
        )
    }

    #[test]
    fn closed_pixels_do_not_vary_a_flat_map() {
        let but_one_column = |x, _| if x == 0 { f64::NAN } else { 0.2 };
        assert_eq!(
            found([2.0, 16.0], [64.0; 2], 1.0, but_one_column),
            [Diagnostic::Flat { value: 0.2 }]
        );
    }

    #[test]
    fn is_told_in_short() {
        let told = |slope| {
            let at = [3, 4];
            let steep = Diagnostic::Steep {
                share: 0.5,
                slope,
                at,
            };
            let map = Subject::new(Role::Map, "", &Names::NONE);
            steep.about(&map).to_string()
        };
        assert!(told(2.0).contains("50.00 %") && told(2.0).contains("up to 2.000 per"));
        assert!(
            told(1e300).contains("up to 1.000e300 per"),
            "{}",
            told(1e300)
        );
    }

    #[test]
    fn a_few_greys_are_no_bands() {
        let by_numbers = |x: u32, _| f64::from(x / 8) / 7.0;
        assert_eq!(found([1.0, 60.0], [64.0; 2], 99.0, by_numbers), []);
    }

    #[test]
    fn edges_too_steep_for_the_rule() {
        let edge = |x: u32, _| if x < 32 { 0.0 } else { 1.0 };
        let steep = Diagnostic::Steep {
            share: 1.0 / 64.0,
            slope: 1.5,
            at: [31, 0],
        };
        assert_eq!(found([2.0, 3.5], [64.0; 2], 1.0, edge), [steep]);
        assert_eq!(found([2.0, 3.5], [64.0; 2], 2.0, edge), []);
        // In a world of twice the size, this edge is half as steep.
        assert_eq!(found([2.0, 3.5], [128.0; 2], 1.0, edge), []);
        let hidden = |x: u32, y| if x == 31 { f64::NAN } else { edge(x, y) };
        assert_eq!(found([2.0, 3.5], [64.0; 2], 1.0, hidden), []);
    }

    #[test]
    fn a_part_does_not_tell_how_many_greys_the_map_has() {
        let few: [fn(u32, u32) -> f64; 3] =
            [|_, _| f64::NAN, |_, _| 0.2, |x, _| f64::from(x) / 255.0];
        for (value, greys) in few.into_iter().zip([0, 1, 64]) {
            let map = GreyMap::from_fn(64, 64, value).expect("a good map");
            let range = DistRange::new(2.0, 60.0).expect("a good range");
            let options = MapOptions::default();
            let field = RadiusMap::new(map.clone(), range, options).expect("a good field");
            let lint = Lint::new(*field.grid(), range, White::Sparse, 1.0, 99.0);
            for (min, max) in [([0, 0], [64, 32]), ([0, 32], [64, 64])] {
                assert_eq!(lint.diagnostics(), [], "{greys} greys");
                lint.add(min, &map.cut(PixelRect { min, max }).expect("a part"));
            }
            assert_eq!(lint.diagnostics().len(), 1, "{greys} greys");
        }
    }

    /// Adds parts out of order, and each part twice.
    #[test]
    fn parts_are_told_as_the_whole() {
        type Value = fn(u32, u32) -> f64;
        let noise: Value = |x, y| {
            let n = (x * 7919 + y * 104_729) % 977;
            if n < 90 {
                f64::NAN
            } else {
                f64::from(n) / 977.0
            }
        };
        let tiles: Value = |x, y| if (x / 16 + y / 8) % 2 == 0 { 0.0 } else { 1.0 };
        let columns: Value = |x, _| f64::from(x / 16) / 3.0;
        let bands: Value = |x, y| f64::from((x * 64 + y) / 16) / 255.0;
        for (value, range) in [
            (noise, [2.0, 9.0]),
            (tiles, [0.5, 90.0]),
            (columns, [2.0, 9.0]),
            (bands, [1.0, 60.0]),
        ] {
            let map = GreyMap::from_fn(64, 64, value).expect("a good map");
            let range = DistRange::new(range[0], range[1]).expect("a good range");
            let options = MapOptions::default();
            let field = RadiusMap::new(map.clone(), range, options).expect("a good field");
            let lint = Lint::new(*field.grid(), range, White::Sparse, 1.0, 1.0);
            for nth in (0..32).chain(0..32) {
                let nth = nth * 13 % 32;
                let min = [nth % 4 * 16, nth / 4 * 8];
                let max = [min[0] + 16, min[1] + 8];
                let part = map.cut(PixelRect { min, max }).expect("a part");
                lint.add(min, &part);
            }
            let (whole, parts) = (super::lint(&field, 1.0, 1.0), lint.diagnostics());
            assert!(!whole.is_empty());
            assert_eq!(parts, whole);
            assert!(lint.seen().seams.is_empty(), "no edge is kept for good");
        }
    }
}
