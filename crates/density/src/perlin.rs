//! Perlin noise.

mod bounded;
mod jet;
mod steepest;

use crate::closure::positive;
use crate::{Bounds, DistRange, FieldError, Greys, LocalRange, Pattern, RadiusField, White};
use noise::NoiseFn;
use noise::permutationtable::PermutationTable;
use std::any::Any;
use steepest::STEEPEST;

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
    options: PerlinOptions,
    octaves: Vec<Octave>,
    /// `sum(a_i * f_i) / sqrt(sum(a_i^2))`: how steep the sum is, in terms of one noise.
    steepness: f64,
}

#[derive(Clone, Copy, Debug)]
struct Octave {
    noise: noise::Perlin,
    /// What its gradients are drawn by.
    table: PermutationTable,
    frequency: f64,
    /// The amplitude over `sqrt(sum(a_i^2))`.
    amplitude: f64,
    offset: [f64; 3],
}

/// Lattice cells after which the table repeats.
const PERIOD: f64 = 256.0;

/// Of the sum over the root of the squares, 1 % lies below -.95 in 2D and below -.70 in 3D, with
/// 3 octaves or more (-.92 and -.68 with one) (measured at 400,000 places): 0.05 / 0.95 of the
/// value.
const GAIN: [f64; 2] = [0.47, 0.64];

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
            white: _,
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
            let seed = (random.next() >> 32) as u32;
            list.push(Octave {
                noise: noise::Perlin::new(seed),
                table: PermutationTable::new(seed),
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
            options,
            octaves: list,
            steepness: steepness / norm,
        })
    }

    /// What white asks for.
    pub fn white(&self) -> White {
        self.options.white
    }

    /// A Lipschitz bound in `D` dimensions: `|min_dist(p) - min_dist(q)|` is at most this
    /// times the distance from p to q. Dimensionless (distance per distance). With one octave
    /// the steepest places come within 3 % (2D) and 16 % (3D) of it; several octaves are
    /// hardly ever at their steepest in the same place.
    pub fn lipschitz<const D: usize>(&self) -> f64
    where
        Self: RadiusField<D>,
    {
        self.per_sum::<D>() * STEEPEST[usize::from(D > 2)] * self.steepness
    }

    #[inline]
    fn sum<const D: usize>(&self, p: [f64; D]) -> f64
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        let mut sum = 0.0;
        for octave in &self.octaves {
            sum += octave.amplitude * octave.noise.get(octave.place(p));
        }
        sum
    }

    fn grey<const D: usize>(sum: f64) -> f64 {
        (0.5 + GAIN[usize::from(D > 2)] * sum).clamp(0.0, 1.0)
    }

    fn dist<const D: usize>(&self, sum: f64) -> f64 {
        self.range
            .at(self.options.white.sparseness(Self::grey::<D>(sum)))
    }

    /// How much the distance changes with the sum, where it is not cut.
    fn per_sum<const D: usize>(&self) -> f64 {
        (self.range.hi() - self.range.lo()) * GAIN[usize::from(D > 2)]
    }
}

impl Octave {
    /// Where a place of the world lies in its lattice.
    #[inline]
    fn place<const D: usize>(&self, p: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| self.offset[a] + within_table(p[a] * self.frequency))
    }
}

/// The place `cycles` in the repeating table, in (-256, 256): the remainder, which is exact.
/// This keeps the noise crate from coordinates that it panics on.
#[inline]
fn within_table(cycles: f64) -> f64 {
    // In this range all three steps are exact, and faster than the remainder.
    if cycles.abs() < 1e15 {
        return cycles - PERIOD * (cycles / PERIOD) as i64 as f64;
    }
    // The product that was given may have overflown.
    let rest = cycles % PERIOD;
    if rest.is_finite() { rest } else { 0.0 }
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
        Some(self.dist::<2>(self.sum(p)))
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<2>) -> Option<LocalRange> {
        Some(self.bounds_in(bounds))
    }

    fn value(&self, p: [f64; 2]) -> f64 {
        Self::grey::<2>(self.sum(p))
    }

    fn pattern(&self) -> Option<Pattern<'_>> {
        Some(Pattern::new(self, self.range))
    }
}

impl RadiusField<3> for Perlin {
    fn min_dist(&self, p: [f64; 3]) -> Option<f64> {
        Some(self.dist::<3>(self.sum(p)))
    }

    fn range(&self) -> DistRange {
        self.range
    }

    fn range_in(&self, bounds: &Bounds<3>) -> Option<LocalRange> {
        Some(self.bounds_in(bounds))
    }

    fn value(&self, p: [f64; 3]) -> f64 {
        Self::grey::<3>(self.sum(p))
    }

    fn pattern(&self) -> Option<Pattern<'_>> {
        Some(Pattern::new(self, self.range))
    }
}

/// Those of the same options.
impl Greys for Perlin {
    fn are_those_of(&self, other: &dyn Any) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.options == other.options)
    }
}
