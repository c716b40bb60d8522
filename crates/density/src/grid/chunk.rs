//! A square or a cube of cells with all of its nodes.

use crate::patch::mix;
use crate::pyramid::{MOST_CELLS, NodeBox, Nodes, Pyramid, Summary, for_nodes};

/// Margin for rounding, relative: a value may exceed those at the corners of a box by some units in
/// the last place.
const ROUNDING: f64 = 1e-14;

/// Corners of a cell in three dimensions, the most there are.
pub(super) const CORNERS: usize = 8;

/// Nodes of two cells along each axis in three dimensions, the most there are.
const PATCH: usize = 27;

/// A place in a chunk: its cell, and the weight from 0 to 1 of the cell's upper nodes along each
/// axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<const D: usize> {
    pub(super) cell: [u32; D],
    pub(super) weight: [f64; D],
}

impl<const D: usize> Place<D> {
    /// The lowest corner of a chunk.
    pub(super) const FIRST: Self = Self {
        cell: [0; D],
        weight: [0.0; D],
    };

    /// The highest corner of a chunk.
    pub(super) const LAST: Self = Self {
        cell: [Chunk::<D>::CELLS - 1; D],
        weight: [1.0; D],
    };

    /// Returns the number of the nearest node along an axis.
    #[inline]
    fn nearest(&self, axis: usize) -> u32 {
        self.cell[axis] + u32::from(self.weight[axis] >= 0.5)
    }
}

/// Returns the value at a place in the cell with these corners; `None` if the nearest corner is
/// closed. Closed corners have no part in the value. Bit `a` of a corner's number is set if it is
/// the upper one along axis `a`.
pub(super) fn value_at<const D: usize>(corners: [f64; CORNERS], place: &Place<D>) -> Option<f64> {
    if !corners[..1 << D].iter().any(|value| value.is_nan()) {
        return Some(mixed(corners, &place.weight));
    }
    let nearest = (0..D).fold(0, |sum, a| sum | usize::from(place.weight[a] >= 0.5) << a);
    (!corners[nearest].is_nan()).then(|| mean_of_open(&corners, &place.weight))
}

/// The nodes of a chunk, NaN where they are closed.
#[derive(Debug)]
pub(super) struct Chunk<const D: usize> {
    values: NodeValues<D>,
    pyramid: Pyramid<D, f64>,
    is_open: bool,
}

/// Values in rows along the first axis.
#[derive(Debug)]
struct NodeValues<const D: usize>(Box<[f64]>);

impl<const D: usize> NodeValues<D> {
    /// Returns the position of a node's value.
    #[inline]
    fn index(node: [u32; D]) -> usize {
        let width = Chunk::<D>::NODES as usize;
        node.iter()
            .rev()
            .fold(0, |sum, &n| sum * width + n as usize)
    }
}

impl<const D: usize> Nodes<D> for NodeValues<D> {
    type Value = f64;

    #[inline]
    fn each(&self, first: [u32; D], last: u32, mut f: impl FnMut(Summary<f64>)) {
        let start = Self::index(first);
        let row = &self.0[start..=start + (last - first[0]) as usize];
        for &value in row {
            f(Summary::or_closed(value));
        }
    }
}

impl<const D: usize> Chunk<D> {
    /// Binary logarithm of the number of cells along an axis. A chunk has 256 cells in the plane
    /// and 512 in space, so that small windows waste little work.
    pub(super) const BITS: u32 = match D {
        1 => 6,
        2 => 4,
        3 => 3,
        _ => panic!("grids have one to three dimensions"),
    };
    pub(super) const CELLS: u32 = 1 << Self::BITS;
    const NODES: u32 = Self::CELLS + 1;

    /// Bytes of a chunk: its nodes and the summaries of its pyramid.
    pub(super) const BYTES: usize = {
        let mut bytes = size_of::<Self>() + 8 * (Self::NODES as usize).pow(D as u32);
        let mut width = Self::NODES;
        while width > MOST_CELLS {
            width = width.div_ceil(2);
            bytes += size_of::<Summary<f64>>() * (width as usize).pow(D as u32);
        }
        bytes
    };

    /// Creates the chunk with these values at its nodes.
    pub(super) fn new(value: impl Fn([u32; D]) -> f64) -> Self {
        let mut values = Vec::with_capacity((Self::NODES as usize).pow(D as u32));
        for_nodes([[0, Self::CELLS]; D], |node| values.push(value(node)));
        let values = NodeValues(values.into());
        // Without memory for summaries, only speed is lost.
        let pyramid = Pyramid::new([Self::NODES; D], &values).unwrap_or_default();
        let is_open = pyramid.over(&values, [[0, Self::CELLS]; D]).all;
        Self {
            values,
            pyramid,
            is_open,
        }
    }

    /// Returns the value at a place; `None` where it is closed.
    #[inline]
    pub(super) fn at(&self, place: &Place<D>) -> Option<f64> {
        if self.is_open {
            return Some(mixed(self.corners(place.cell), &place.weight));
        }
        value_at(self.corners(place.cell), place)
    }

    /// Returns the values at the corners of a cell; bit `a` of a corner's number is set if it is
    /// the upper one along axis `a`.
    #[inline]
    fn corners(&self, cell: [u32; D]) -> [f64; CORNERS] {
        let first = NodeValues::index(cell);
        let mut corners = [0.0; CORNERS];
        for (number, corner) in corners.iter_mut().enumerate().take(1 << D) {
            let step = std::array::from_fn(|a| (number >> a & 1) as u32);
            *corner = self.values.0[first + NodeValues::<D>::index(step)];
        }
        corners
    }

    /// Returns the summary of the values between `from` and `to`, where `from` is not above `to`
    /// along any axis.
    #[inline]
    pub(super) fn over(&self, from: &Place<D>, to: &Place<D>) -> Summary<f64> {
        let is_small = (0..D).all(|a| to.cell[a] - from.cell[a] <= 1);
        if is_small && self.is_open {
            return self.over_patch(from, to);
        }
        self.over_many(from, to, is_small)
    }

    /// Computes [`over`](Self::over) for any box; `is_small` states that its ends are at most one
    /// cell apart.
    fn over_many(&self, from: &Place<D>, to: &Place<D>, is_small: bool) -> Summary<f64> {
        let touched = std::array::from_fn(|a| [from.cell[a], to.cell[a] + 1]);
        let nodes = self.pyramid.over(&self.values, touched);
        if nodes.all {
            return if is_small {
                self.over_patch(from, to)
            } else {
                nodes
            };
        }
        let squares = std::array::from_fn(|a| [from.nearest(a), to.nearest(a)]);
        let mask = self.pyramid.over(&self.values, squares);
        if !mask.any() {
            return Summary::CLOSED;
        }
        let (least, most) = (nodes.min, nodes.max);
        let [low, high] = if is_small && least < most {
            self.over_mask_edge(from, to, [least, most])
        } else {
            [least, most]
        };
        Summary {
            min: low.max(least),
            max: high.min(most),
            all: mask.all,
        }
    }

    /// Returns the summary of the values between two places at most one cell apart along each axis,
    /// all nodes open. Within a cell, extremes lie at the corners of the box; across cells, also
    /// where its sides and the lines through nodes meet.
    fn over_patch(&self, from: &Place<D>, to: &Place<D>) -> Summary<f64> {
        let last: NodeBox<D> = std::array::from_fn(|a| [0, to.cell[a] - from.cell[a] + 1]);
        let first = NodeValues::index(from.cell);
        let offset = |node: [u32; D]| node.iter().rev().fold(0, |sum, &n| sum * 3 + n as usize);
        let mut values = [0.0; PATCH];
        let [mut least, mut most] = [f64::INFINITY, f64::NEG_INFINITY];
        for_nodes(last, |node| {
            let value = self.values.0[first + NodeValues::index(node)];
            values[offset(node)] = value;
            least = if value < least { value } else { least };
            most = if value > most { value } else { most };
        });
        let [mut low, mut high] = [least, most];
        if least < most {
            for a in 0..D {
                // Replace the nodes along the axis by the ends of the box and the line between
                // them.
                let mut lines = last;
                lines[a] = [0, 0];
                let step = 3_usize.pow(a as u32);
                for_nodes(lines, |line| {
                    let start = offset(line);
                    let end = start + step * last[a][1] as usize;
                    let (lower, upper) = (values[start + step], values[end - step]);
                    let from = mix(values[start], lower, from.weight[a]);
                    let to = mix(upper, values[end], to.weight[a]);
                    (values[start], values[end]) = (from, to);
                });
            }
            [low, high] = [f64::INFINITY, f64::NEG_INFINITY];
            for_nodes(last, |node| {
                let value = values[offset(node)];
                low = if value < low { value } else { low };
                high = if value > high { value } else { high };
            });
            low = (low - ROUNDING * most).max(least);
            high = (high + ROUNDING * most).min(most);
        }
        Summary {
            min: low,
            max: high,
            all: true,
        }
    }

    /// Returns bounds of the value between two places at most one cell apart along each axis, where
    /// some nodes are closed. `least` and `most` are bounds of the open nodes.
    ///
    /// The value is a weighted mean `s / w` of open nodes. Where the nearest node is open, `w` is
    /// at least `1 / 2^D`. Along an axis, all weights together change by at most 2 per cell. So the
    /// mean changes by at most `2 * 2^D` of the difference between `least` and `most` per cell.
    fn over_mask_edge(&self, from: &Place<D>, to: &Place<D>, [least, most]: [f64; 2]) -> [f64; 2] {
        let steepness = f64::from(2_u32 << D) * (most - least);
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        // Half-cells: in each, one node is the nearest.
        let halves: NodeBox<D> = std::array::from_fn(|a| {
            let half = |place: &Place<D>| 2 * place.cell[a] + u32::from(place.weight[a] >= 0.5);
            [half(from), half(to)]
        });
        for_nodes(halves, |half| {
            let (mut middle, mut reach, mut nearest) = (Place::FIRST, 0.0, 0);
            for a in 0..D {
                let upper = half[a] % 2;
                let mut ends = [0.5 * f64::from(upper), 0.5 * f64::from(upper + 1)];
                if half[a] == halves[a][0] {
                    ends[0] = from.weight[a];
                }
                if half[a] == halves[a][1] {
                    ends[1] = to.weight[a];
                }
                middle.cell[a] = half[a] / 2;
                middle.weight[a] = 0.5 * (ends[0] + ends[1]);
                reach += 0.5 * (ends[1] - ends[0]);
                nearest |= (upper as usize) << a;
            }
            let corners = self.corners(middle.cell);
            if !corners[nearest].is_nan() {
                let value = mean_of_open(&corners, &middle.weight);
                let change = steepness * reach + ROUNDING * most;
                low = low.min(value - change);
                high = high.max(value + change);
            }
        });
        [low, high]
    }
}

/// Returns the bilinear or trilinear mixture of the corners of a cell, clamped between them.
#[inline]
fn mixed<const D: usize>(mut corners: [f64; CORNERS], weight: &[f64; D]) -> f64 {
    let [mut least, mut most] = [corners[0]; 2];
    for &value in &corners[1..1 << D] {
        least = if value < least { value } else { least };
        most = if value > most { value } else { most };
    }
    for (a, &weight) in weight.iter().enumerate() {
        for pair in 0..1 << (D - 1 - a) {
            corners[pair] = mix(corners[2 * pair], corners[2 * pair + 1], weight);
        }
    }
    let value = corners[0];
    let value = if value > least { value } else { least };
    if value < most { value } else { most }
}

/// Returns the weighted mean of the open corners, at least one of which has a weight.
#[cold]
fn mean_of_open<const D: usize>(corners: &[f64; CORNERS], weight: &[f64; D]) -> f64 {
    let (mut sum, mut whole) = (0.0, 0.0);
    let [mut least, mut most] = [f64::INFINITY, f64::NEG_INFINITY];
    for (number, &value) in corners.iter().enumerate().take(1 << D) {
        if value.is_nan() {
            continue;
        }
        let weight: f64 = (0..D)
            .map(|a| [1.0 - weight[a], weight[a]][number >> a & 1])
            .product();
        sum += weight * value;
        whole += weight;
        least = least.min(value);
        most = most.max(value);
    }
    (sum / whole).clamp(least, most)
}
