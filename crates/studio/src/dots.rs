//! The points on the page, in square bins that are replaced one by one.

use density::Bounds;
use sampler::Sample;

/// Approximate number of points in a bin.
const POINTS_PER_BIN: f64 = 400.0;

/// Largest number of bins along a side.
const MOST_BINS: f64 = 64.0;

/// Points in bins, with the version in which each bin last changed.
#[derive(Debug)]
pub(crate) struct Dots {
    world: Bounds<2>,
    bins: usize,
    lists: Vec<Vec<Sample<2>>>,
    changed: Vec<u64>,
    /// The present version; every change raises it by one.
    version: u64,
    /// The version in which all bins were last replaced.
    last_replaced: u64,
}

/// Changed bins, for the page.
#[derive(Debug)]
pub(crate) struct Shipment {
    pub(crate) version: u64,
    /// Number of bins along each side.
    pub(crate) bins: usize,
    /// Whether all other bins are empty.
    pub(crate) all: bool,
    /// The number of each bin and the count of its points.
    pub(crate) lists: Vec<[usize; 2]>,
    /// x, y, `min_dist` and layer of each point: 32-bit floats, little-endian.
    pub(crate) bytes: Vec<u8>,
}

impl Dots {
    /// Creates a set without points.
    pub(crate) fn none(world: Bounds<2>) -> Self {
        Self {
            world,
            bins: 1,
            lists: vec![Vec::new()],
            changed: vec![0],
            version: 0,
            last_replaced: 0,
        }
    }

    /// Returns the number of points.
    pub(crate) fn len(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    fn bin(&self, p: [f64; 2]) -> usize {
        let (min, size) = (self.world.min(), self.world.size());
        let along = |axis: usize| {
            let t = (p[axis] - min[axis]) / size[axis] * self.bins as f64;
            (t.max(0.0) as usize).min(self.bins - 1)
        };
        along(1) * self.bins + along(0)
    }

    /// Replaces all points.
    pub(crate) fn replace_all(&mut self, world: Bounds<2>, samples: &[Sample<2>]) {
        self.world = world;
        let wanted = (samples.len() as f64 / POINTS_PER_BIN).sqrt();
        self.bins = wanted.ceil().clamp(1.0, MOST_BINS) as usize;
        let number = self.bins * self.bins;
        self.version += 1;
        self.last_replaced = self.version;
        self.lists = vec![Vec::new(); number];
        self.changed = vec![self.version; number];
        for sample in samples {
            let bin = self.bin(sample.position);
            self.lists[bin].push(*sample);
        }
    }

    /// Replaces the points inside some windows.
    pub(crate) fn replace_in(&mut self, windows: &[Bounds<2>], samples: &[Sample<2>]) {
        self.version += 1;
        for window in windows {
            // Rounding is monotone: no point of the window lies in a bin outside of this range.
            let (first, last) = (self.bin(window.min()), self.bin(window.max()));
            for row in first / self.bins..=last / self.bins {
                for column in first % self.bins..=last % self.bins {
                    let bin = row * self.bins + column;
                    self.lists[bin].retain(|sample| !window.contains(sample.position));
                    self.changed[bin] = self.version;
                }
            }
        }
        for sample in samples {
            let bin = self.bin(sample.position);
            self.lists[bin].push(*sample);
        }
    }

    /// Returns the bins that changed after `version`.
    pub(crate) fn since(&self, version: u64) -> Shipment {
        let all = version < self.last_replaced || version > self.version;
        let mut lists = Vec::new();
        let mut bytes = Vec::new();
        for (bin, list) in self.lists.iter().enumerate() {
            if !all && self.changed[bin] <= version {
                continue;
            }
            lists.push([bin, list.len()]);
            for sample in list {
                let [x, y] = sample.position;
                let layer = sample.layer.unwrap_or(0);
                for number in [x, y, sample.min_dist, f64::from(layer)] {
                    bytes.extend((number as f32).to_le_bytes());
                }
            }
        }
        Shipment {
            version: self.version,
            bins: self.bins,
            all,
            lists,
            bytes,
        }
    }
}
