//! Perlin noise.

use crate::closure::positive;
use crate::{Bounds, Coverage, DistRange, FieldError, LocalRange, RadiusField, White};
use noise::NoiseFn;

/// The shape of a [`Perlin`] field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerlinOptions {
    /// Which noise. Every octave has a table of its own drawn from it.
    pub seed: u64,
    /// Cycles per world unit of the first octave: blobs are about `0.5 / frequency` wide.
    pub frequency: f64,
    /// How many noises of rising frequency are added up, 1 to 16.
    pub octaves: u32,
    /// How much the frequency rises from one octave to the next, 1 to 8.
    pub lacunarity: f64,
    /// How much the amplitude falls from one octave to the next, above 0, at most 1.
    pub persistence: f64,
    /// What white asks for.
    pub white: White,
}

impl Default for PerlinOptions {
    /// Three octaves with features of about 64 world units, seed 0, white sparse.
    fn default() -> Self {
        Self {
            seed: 0,
            frequency: 1.0 / 128.0,
            octaves: 3,
            lacunarity: 2.0,
            persistence: 0.5,
            white: White::Sparse,
        }
    }
}

/// An endless field of fractal Perlin noise (Perlin, "Improving Noise", 2002) in two or three
/// dimensions; the lattice is the `noise` crate's.
///
/// The value is `0.5 + gain * sum(a_i * noise_i) / sqrt(sum(a_i^2))`, cut to [0, 1]. Dividing
/// by the root of the sum of squares instead of the plain sum keeps the spread of the values
/// nearly the same for any number of octaves, and the gain makes them fill the range: one in
/// a hundred lies below 0.05 and one in a hundred above 0.95, about.
///
/// The noise of an octave repeats every 256 cycles, so the whole is endless but not without
/// period. Coordinates of any size are allowed; beyond about 1e12 cycles they are too coarse
/// for smooth noise.
#[derive(Clone, Debug)]
pub struct Perlin {
    range: DistRange,
    white: White,
    octaves: Vec<Octave>,
    /// `sum(a_i * f_i) / sqrt(sum(a_i^2))`: how steep the sum is, in terms of one noise.
    steepness: f64,
}

#[derive(Clone, Copy, Debug)]
struct Octave {
    table: noise::Perlin,
    frequency: f64,
    /// The amplitude over `sqrt(sum(a_i^2))`.
    amplitude: f64,
    offset: [f64; 3],
}

/// Lattice cells after which the table repeats.
const PERIOD: f64 = 256.0;

/// The standard deviation of one noise is about .34 (2D) and .29 (3D) [measured]: these make
/// 0.05 and 0.95 the 1 % and 99 % quantiles.
const GAIN: [f64; 2] = [0.6, 0.7];

/// Bounds of the length of one noise's gradient, per lattice cell, in 2D and 3D.
///
/// The noise is `S * sum_c w_c(x) h_c(x)` over the corners c of the lattice cell, cut to
/// [-1, 1] (which makes nothing steeper). `h_c = g_c . (x - c)` with a gradient `g_c`;
/// `w_c` is the product over the axes of `q(t)` or `1 - q(t)`, where t in [0, 1] is the place
/// within the cell along the axis and `q(t) = 6t^5 - 15t^4 + 10t^3`, whose slope
/// `30 t^2 (1 - t)^2` is at most 15/8, at t = 1/2.
///
/// Along x the derivative of the sum is `sum_c w_c g_c,x + sum_c (dw_c/dx) h_c`. The weights
/// add up to 1 and `|g_c,x| <= 1`, so the first part is at most 1. The second is
/// `q'(x) * sum_e w_e (h_1e - h_0e)` over the edges e of the cell along x, `w_e` being the
/// product of the other axes' weights.
///
/// 2D: `S = sqrt(2)`, gradients (+-1, +-1). With b the distance along y to the edge,
/// `|h_0e| <= x + b` and `|h_1e| <= (1 - x) + b`, together at most 1 + 2b. Averaged over the
/// two edges b is `y (1 - q(y)) + (1 - y) q(y) = (1 - (1 - 2y)(1 - 2 q(y))) / 2 <= 1/2`,
/// because `1 - 2y` and `1 - 2q` have the same sign. So the second part is at most
/// 15/8 * 2 and the derivative at most `sqrt(2) * 19/4`; the gradient's length is at most
/// sqrt(2) times that: 19/2.
///
/// 3D: `S = 2/sqrt(3)`, gradients with two parts +-1 and one 0, so `|h_0e| + |h_1e|` is at
/// most 1 + 2 max(b, c) or 2 (b + c), with c the distance along z: at most 1 + 2 (b + c),
/// on average 3. The derivative is at most `S * (1 + 15/8 * 3)`, the gradient's length
/// sqrt(3) times that: 2 * 53/8 = 53/4.
const STEEPEST: [f64; 2] = [9.5, 13.25];

impl Perlin {
    /// A noise field with distances in `range`.
    ///
    /// # Errors
    /// When an option lies outside the limits given with it, or the highest octave's frequency
    /// is not finite.
    pub fn new(range: DistRange, options: PerlinOptions) -> Result<Self, FieldError> {
        let PerlinOptions {
            seed,
            frequency,
            octaves,
            lacunarity,
            persistence,
            white,
        } = options;
        positive("frequency", frequency)?;
        within("octaves", f64::from(octaves), 1.0, 16.0)?;
        within("lacunarity", lacunarity, 1.0, 8.0)?;
        within("persistence", persistence, f64::MIN_POSITIVE, 1.0)?;

        let mut list = Vec::with_capacity(octaves as usize);
        let mut random = SplitMix(seed);
        let (mut frequency, mut amplitude) = (frequency, 1.0);
        let (mut squares, mut steepness) = (0.0, 0.0);
        for _ in 0..octaves {
            list.push(Octave {
                table: noise::Perlin::new((random.next() >> 32) as u32),
                frequency: positive("the highest octave's frequency", frequency)?,
                amplitude,
                offset: [0; 3].map(|_| off_lattice(random.next())),
            });
            squares += amplitude * amplitude;
            steepness += amplitude * frequency;
            frequency *= lacunarity;
            amplitude *= persistence;
        }
        let norm = f64::sqrt(squares);
        for octave in &mut list {
            octave.amplitude /= norm;
        }
        Ok(Self {
            range,
            white,
            octaves: list,
            steepness: steepness / norm,
        })
    }

    /// What white asks for.
    pub fn white(&self) -> White {
        self.white
    }

    /// A Lipschitz bound in `D` dimensions: `|min_dist(p) - min_dist(q)|` is at most this
    /// times the distance from p to q. Dimensionless (distance per distance). What is known
    /// of the field, not its tightest bound: the steepest places are about half as steep.
    pub fn lipschitz<const D: usize>(&self) -> f64
    where
        Self: RadiusField<D>,
    {
        let kind = usize::from(D > 2);
        (self.range.hi() - self.range.lo()) * GAIN[kind] * STEEPEST[kind] * self.steepness
    }

    #[inline]
    fn sum<const D: usize>(&self, p: [f64; D]) -> f64
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        let mut sum = 0.0;
        for octave in &self.octaves {
            let place = std::array::from_fn(|a| {
                // The table repeats, and the remainder is exact: this keeps the noise crate
                // from coordinates that it panics on. The product may still overflow.
                let cycles = (p[a] * octave.frequency) % PERIOD;
                octave.offset[a] + if cycles.is_finite() { cycles } else { 0.0 }
            });
            sum += octave.amplitude * octave.table.get(place);
        }
        sum
    }

    fn grey<const D: usize>(&self, p: [f64; D]) -> f64
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        (0.5 + GAIN[usize::from(D > 2)] * self.sum(p)).clamp(0.0, 1.0)
    }

    fn dist<const D: usize>(&self, p: [f64; D]) -> f64
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        self.range.at(self.white.sparseness(self.grey(p)))
    }

    /// Bounds from the middle of the box.
    fn bounds_in<const D: usize>(&self, bounds: &Bounds<D>) -> LocalRange
    where
        noise::Perlin: NoiseFn<f64, D>,
        Self: RadiusField<D>,
    {
        let half_diagonal = 0.5 * bounds.size().iter().map(|s| s * s).sum::<f64>().sqrt();
        // Rounding moves a place by some units in the last place of its coordinates.
        let coarseness = (0..D)
            .map(|a| bounds.min()[a].abs().max(bounds.max()[a].abs()) * 1e-15)
            .sum::<f64>();
        let lipschitz = self.lipschitz::<D>();
        let middle = self.dist(bounds.center());
        // The last part is for the rounding of the noise itself.
        let reach = lipschitz * (half_diagonal + coarseness) * (1.0 + 1e-12) + middle * 1e-9;
        let range = DistRange::new(
            self.range.clamp(middle - reach),
            self.range.clamp(middle + reach),
        );
        LocalRange {
            range: range.unwrap_or(self.range),
            coverage: Coverage::All,
        }
    }
}

fn within(name: &'static str, value: f64, least: f64, most: f64) -> Result<(), FieldError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(FieldError::OutOfRange {
            name,
            value,
            least,
            most,
        })
    }
}

/// Perlin noise is 0 wherever a coordinate of the lattice is whole in every axis: whole world
/// coordinates must not fall there, so the fraction lies in [1/4, 3/4).
fn off_lattice(random: u64) -> f64 {
    let cell = (random >> 56) as f64;
    let fraction = (random & 0xffff_ffff) as f64 / 4_294_967_296.0;
    cell + 0.25 + 0.5 * fraction
}

/// `SplitMix64` (Steele, Lea and Flood, 2014): spreads one seed over the octaves.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl RadiusField<2> for Perlin {
    fn min_dist(&self, p: [f64; 2]) -> Option<f64> {
        Some(self.dist(p))
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        Some(self.bounds_in(bounds))
    }

    fn value(&self, p: [f64; 2]) -> f64 {
        self.grey(p)
    }
}

impl RadiusField<3> for Perlin {
    fn min_dist(&self, p: [f64; 3]) -> Option<f64> {
        Some(self.dist(p))
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<3>) -> Option<LocalRange> {
        Some(self.bounds_in(bounds))
    }

    fn value(&self, p: [f64; 3]) -> f64 {
        self.grey(p)
    }
}
