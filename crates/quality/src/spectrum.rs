//! The power spectrum of point sets.

use crate::domain::{Domain, Edges};
use crate::error::QualityError;
use crate::gridding::{cells, sums};
use crate::set::PointSet;
use serde::Serialize;

/// The highest frequency, in units of the root of the number of points, if memory allows.
const REACH: f64 = 3.0;

/// Cells of the largest grid: 300 MB, and half of that again for its transform.
const MOST_CELLS: f64 = 38e6;

/// The root of the greatest ratio of a domain's sides.
const MOST_ASPECT: f64 = 1e3;

/// Rings with fewer frequencies are left out of the anisotropy.
const LEAST_IN_RING: usize = 32;

/// The periodogram of one set or the mean over several, at the frequencies of the domain's own
/// lattice.
///
/// The domain is treated as periodic. In an open domain the points near its edges are denser than
/// others and do not match those at the opposite edge. This would put a cross over the spectrum, so
/// they are faded out with Hann's window, and the window's own spectrum is subtracted. (Harris, "On
/// the use of windows for harmonic analysis with the discrete Fourier transform", 1978.) Each
/// frequency is then blurred with its neighbours.
///
/// ```
/// # use spinney_quality as quality;
/// use density::{Bounds, Constant};
/// use quality::measures::Periodogram;
/// use quality::{Domain, Edges, PointSet};
/// use sampler::{Scatter, ScatterOptions};
///
/// let bounds = Bounds::from_size([40.0, 40.0])?;
/// let tile = Scatter::tiled(Constant::new(1.0)?, bounds, ScatterOptions::default())?.points()?.samples;
/// let set = PointSet::from_positions(tile.iter().map(|point| point.position).collect())?;
/// let rings = Periodogram::of(&[&set], &Domain { bounds, edges: Edges::Torus })?.rings();
/// // Blue noise: next to no low frequencies, where random points have a power of 1.
/// assert!(rings.iter().filter(|ring| (0.1..0.5).contains(&ring.frequency)).all(|ring| ring.power < 0.3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Periodogram {
    most: [usize; 2],
    /// A frequency's length in units of cycles per side of a square of the domain's area.
    scale: [f64; 2],
    reach: f64,
    points: f64,
    sets: usize,
    /// Row after row of `ky` in `-most..=most`, for `kx` in `0..=most`.
    power: Vec<f64>,
}

/// One ring of frequencies.
///
/// See [`Periodogram`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ring {
    /// The ring's radius in units of the root of the number of points: at 1, a wave is as long as
    /// the side of one point's share of the area.
    pub frequency: f64,
    /// The mean of P over the ring: 1 for white noise.
    pub power: f64,
    /// 10 log10 of the variance of P over the square of its mean. 0 dB for a single isotropic
    /// set, -10 dB for the mean of ten.
    pub anisotropy: f64,
    /// Number of independent frequencies in the ring.
    pub count: usize,
}

/// The integral over an axis of the square of Hann's window.
const HANN_POWER: f64 = 1.5;

/// Returns the weight of a point.
fn weight(u: [f64; 2], edges: Edges) -> f64 {
    match edges {
        Edges::Torus => 1.0,
        Edges::Open | Edges::Window => u
            .iter()
            .map(|&u| {
                if (0.0..=1.0).contains(&u) {
                    1.0 - (std::f64::consts::TAU * u).cos()
                } else {
                    0.0
                }
            })
            .product(),
    }
}

/// Returns the frequencies of a periodogram, in the order of its values.
fn frequencies([wide, high]: [usize; 2]) -> impl Iterator<Item = [i64; 2]> {
    let (wide, high) = (wide as i64, high as i64);
    (0..=wide).flat_map(move |kx| (-high..=high).map(move |ky| [kx, ky]))
}

/// Returns the Fourier transform of Hann's window over one axis.
fn hann_transform(k: i64) -> f64 {
    match k {
        0 => 1.0,
        -1 | 1 => -0.5,
        _ => 0.0,
    }
}

impl Periodogram {
    /// Computes the mean over the sets of
    /// `P(k) = |sum over points of w(u) exp(-2 pi i k . u) - m W(k)|^2 / (m W2)`, `u` being
    /// positions relative to the domain. On a torus w = 1, W = 0 and m W2 = n. In an open domain w
    /// is the product over the axes of `1 - cos(2 pi u)`, W its Fourier transform, W2 = 9/4 the
    /// integral of its square, and m the sum of w, whose expectation is n. O(n + m log m), m grid
    /// cells.
    ///
    /// # Errors
    /// If there is no set, a set has no points, or one side of the domain is more than a million
    /// times the other.
    pub fn of(sets: &[&PointSet<2>], domain: &Domain<2>) -> Result<Self, QualityError> {
        let first = sets.first().ok_or(QualityError::NoPoints)?;
        let size = domain.bounds.size();
        // `scale` is the side of a square of the same area, relative to the domain's sides.
        let aspect = size[0].sqrt() / size[1].sqrt();
        if !(aspect.recip() <= MOST_ASPECT && aspect <= MOST_ASPECT) {
            return Err(QualityError::TooThin { size });
        }
        let scale = [aspect.recip(), aspect];
        let mut reach = (REACH * (first.len() as f64).sqrt()).max(8.0);
        let needed = |reach: f64| scale.map(|s| (reach / s).ceil() as usize);
        let grid = |reach: f64| needed(reach).map(|k| cells(k) as f64);
        while grid(reach).iter().product::<f64>() > MOST_CELLS {
            reach *= 0.95;
        }
        let most = needed(reach);
        let mut total = Self {
            most,
            scale,
            reach,
            points: 0.0,
            sets: sets.len(),
            power: vec![0.0; (most[0] + 1) * (2 * most[1] + 1)],
        };
        for set in sets {
            total.add(set, domain)?;
        }
        Ok(total)
    }

    fn add(&mut self, set: &PointSet<2>, domain: &Domain<2>) -> Result<(), QualityError> {
        if set.is_empty() {
            return Err(QualityError::NoPoints);
        }
        let (min, size) = (domain.bounds.min(), domain.bounds.size());
        let places = set.positions().iter().map(|p| {
            let u = [0, 1].map(|a| (p[a] - min[a]) / size[a]);
            (u, weight(u, domain.edges))
        });
        let total: f64 = places.clone().map(|(_, weight)| weight).sum();
        let (mean, power_of_window) = match domain.edges {
            Edges::Torus => (0.0, 1.0),
            Edges::Open | Edges::Window => (total, HANN_POWER * HANN_POWER),
        };
        let sums = sums(places, self.most);
        // The total is 0 if no point lies inside the domain.
        let norm = total * power_of_window * self.sets as f64;
        let share = if norm > 0.0 { norm.recip() } else { 0.0 };
        for ((power, sum), k) in self.power.iter_mut().zip(sums).zip(frequencies(self.most)) {
            let window = mean * hann_transform(k[0]) * hann_transform(k[1]);
            *power += (sum - window).norm_sqr() * share;
        }
        self.points += set.len() as f64 / self.sets as f64;
        Ok(())
    }

    /// Returns P at a frequency of the lattice; `None` beyond the computed range. P(-k) = P(k).
    pub fn at(&self, k: [i64; 2]) -> Option<f64> {
        let k = if k[0] < 0 { [-k[0], -k[1]] } else { k };
        let (wide, span) = (self.most[0] as i64, self.most[1] as i64);
        if k[0] > wide || k[1].abs() > span {
            return None;
        }
        self.power
            .get((k[0] * (2 * span + 1) + k[1] + span) as usize)
            .copied()
    }

    /// Returns the largest frequency of the rings, in units of the root of the number of points.
    pub fn reach(&self) -> f64 {
        self.reach / self.points.sqrt()
    }

    /// Returns P at a frequency in units of the root of the number of points, from the nearest
    /// frequency of the lattice.
    pub fn near(&self, frequency: [f64; 2]) -> Option<f64> {
        let root = self.points.sqrt();
        self.at([0, 1].map(|a| (frequency[a] * root / self.scale[a]).round() as i64))
    }

    /// Returns means over rings of width 1 (cycles per side of a square of the domain's area),
    /// without the frequency 0.
    ///
    /// Radially averaged power spectrum and anisotropy: Ulichney, "Digital Halftoning" (1987);
    /// Lagae and Dutré (2008).
    pub fn rings(&self) -> Vec<Ring> {
        let mut sums = vec![(0.0, 0.0, 0_usize); self.reach.floor() as usize + 1];
        for (power, [kx, ky]) in self.power.iter().zip(frequencies(self.most)) {
            // Half of the axis kx = 0 mirrors the other half.
            if kx == 0 && ky <= 0 {
                continue;
            }
            let length = (kx as f64 * self.scale[0]).hypot(ky as f64 * self.scale[1]);
            if let Some(sum) = sums.get_mut(length.round() as usize) {
                *sum = (sum.0 + power, sum.1 + power * power, sum.2 + 1);
            }
        }
        let root = self.points.sqrt();
        sums.into_iter()
            .enumerate()
            .filter(|(_, (_, _, count))| *count > 0)
            .map(|(ring, (sum, squares, count))| {
                let n = count as f64;
                let mean = sum / n;
                let variance = (squares - n * mean * mean).max(0.0) / (n - 1.0).max(1.0);
                Ring {
                    frequency: ring as f64 / root,
                    power: mean,
                    anisotropy: 10.0 * (variance / (mean * mean)).log10(),
                    count,
                }
            })
            .collect()
    }

    /// Returns the mean of the rings' anisotropy in dB, without small rings: 0 for one isotropic
    /// set, -10 log10(s) for s sets. `None` if there are no large rings.
    pub fn anisotropy(&self) -> Option<f64> {
        let large: Vec<f64> = self
            .rings()
            .into_iter()
            .filter(|ring| ring.count >= LEAST_IN_RING && ring.anisotropy.is_finite())
            .map(|ring| ring.anisotropy)
            .collect();
        (!large.is_empty()).then(|| large.iter().sum::<f64>() / large.len() as f64)
    }
}
