//! Perlin noise.

use crate::field_error::{positive, within};
use crate::grid::{Grid, MEMORY, grid};
use crate::pyramid::Summary;
use crate::{Bounds, Coverage, DistRange, FieldError, LocalRange, RadiusField, White};
use noise::NoiseFn;
use std::sync::Arc;

/// Options of a [`Perlin`] field.
///
/// ```
/// use spinney_density::{DistRange, FieldError, Perlin, PerlinOptions};
///
/// let range = DistRange::new(2.0, 8.0)?;
/// // Blobs some 500 units wide, with finer ones on them.
/// let wide = PerlinOptions { seed: 7, frequency: 0.001, octaves: 5, ..PerlinOptions::default() };
/// assert!(Perlin::new(range, wide).is_ok());
/// let none = PerlinOptions { octaves: 0, ..wide };
/// match Perlin::new(range, none) {
///     Err(FieldError::OutOfRange(error)) => assert_eq!((error.value, error.most), (0.0, 16.0)),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerlinOptions {
    /// The seed. Every octave draws its own table from it.
    pub seed: u64,
    /// Cycles per world unit of the first octave: blobs are about `0.5 / frequency` wide.
    pub frequency: f64,
    /// Number of octaves, noises of rising frequency that are added up, 1 to 16.
    pub octaves: u32,
    /// Ratio of the frequencies of an octave and the one before, 1 to 8.
    pub lacunarity: f64,
    /// Ratio of the amplitudes of an octave and the one before, above 0, at most 1.
    pub persistence: f64,
    /// Meaning of white.
    pub white: White,
    /// Distance between the nodes at which the noise is computed, world units. `None`: an eighth of
    /// a cycle of the highest octave with at least a tenth of the first one's amplitude, but at
    /// least a 32nd of the least distance. Noise much finer than the distances is costly: it has
    /// many nodes per point.
    pub spacing: Option<f64>,
}

impl Default for PerlinOptions {
    /// Returns three octaves with features of about 64 world units, seed 0, white sparse.
    fn default() -> Self {
        Self {
            seed: 0,
            frequency: 1.0 / 128.0,
            octaves: 3,
            lacunarity: 2.0,
            persistence: 0.5,
            white: White::Sparse,
            spacing: None,
        }
    }
}

/// An endless field of fractal Perlin noise (Perlin, "Improving Noise", 2002) in two or three
/// dimensions; the lattice is the `noise` crate's.
///
/// The value is `0.5 + gain * sum(a_i * noise_i) / sqrt(sum(a_i^2))`, clamped to [0, 1]. Dividing
/// by the root of the sum of squares instead of the plain sum keeps the spread of the values nearly
/// the same for any number of octaves. The gain makes them fill the range: about one in a hundred
/// lies below 0.05, and one in a hundred above 0.95.
///
/// The noise is computed at nodes and bilinear (trilinear in space) between them, as in a
/// [`GridField`](crate::GridField): see [`PerlinOptions::spacing`]. Memory and cost are those of a
/// `GridField`; clones share its cache.
///
/// The noise of an octave repeats every 256 cycles. Coordinates of any size are allowed; beyond
/// about 1e12 cycles they are too coarse for smooth noise.
///
/// ```
/// use spinney_density::{DistRange, Perlin, PerlinOptions, RadiusField};
///
/// let field = Perlin::new(DistRange::new(2.0, 8.0)?, PerlinOptions::default())?;
/// let r = field.min_dist([10.0, 20.0]).expect("noise is open everywhere");
/// assert!((2.0..=8.0).contains(&r));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Perlin {
    range: DistRange,
    options: PerlinOptions,
    noise: Arc<Noise>,
    plane: Grid<2>,
    space: Grid<3>,
}

/// The noise itself, without nodes, in the plane and in space.
#[derive(Clone, Debug)]
pub(crate) struct Noise {
    octaves: Vec<Octave>,
    /// Cycles per world unit of the highest octave that nodes must resolve.
    highest: f64,
}

#[derive(Clone, Copy, Debug)]
struct Octave {
    noise: noise::Perlin,
    frequency: f64,
    /// The amplitude divided by `sqrt(sum(a_i^2))`.
    amplitude: f64,
    offset: [f64; 3],
}

/// Period of the table, lattice cells.
const PERIOD: f64 = 256.0;

/// Gains in 2D and in 3D, which map the 1 % and 99 % quantiles to values of about 0.05 and 0.95.
///
/// With 3 octaves or more, 1 % of `sum(a_i * noise_i) / sqrt(sum(a_i^2))` lie below -.95 in 2D and
/// below -.70 in 3D. With one octave, these are -.92 and -.68 (measured at 400,000 places).
const GAIN: [f64; 2] = [0.47, 0.64];

/// Nodes per cycle of the highest octave.
const NODES_PER_CYCLE: f64 = 8.0;
/// Most nodes per least distance.
const NODES_PER_DISTANCE: f64 = 32.0;

/// Octaves below this share of the first one's amplitude need not be resolved by nodes.
const LEAST_RESOLVED: f64 = 0.1;

impl Perlin {
    /// Creates a noise field with distances in `range`.
    ///
    /// # Errors
    /// When an option lies outside the limits given with it, or the highest octave's frequency
    /// is not finite.
    pub fn new(range: DistRange, options: PerlinOptions) -> Result<Self, FieldError> {
        let noise = Arc::new(Noise::new(options)?);
        let finest = 1.0 / NODES_PER_CYCLE / noise.highest;
        let spacing = options.spacing.unwrap_or_else(|| {
            finest
                .max(range.lo() / NODES_PER_DISTANCE)
                .clamp(1e-300, 1e300)
        });
        let [in_plane, in_space] = [0; 2].map(|_| Arc::clone(&noise));
        Ok(Self {
            range,
            options,
            plane: grid(spacing, MEMORY, move |p| in_plane.grey::<2>(p))?,
            space: grid(spacing, MEMORY, move |p| in_space.grey::<3>(p))?,
            noise,
        })
    }

    /// Returns the grey of the noise itself at a place in the plane, in [0, 1]. The field has this
    /// grey at its nodes, and interpolates between them.
    pub fn grey_at(&self, p: [f64; 2]) -> f64 {
        self.noise.grey(p)
    }

    /// Returns the meaning of white.
    pub fn white(&self) -> White {
        self.options.white
    }

    /// Returns the distance between the nodes at which the noise is computed, world units.
    pub fn spacing(&self) -> f64 {
        self.plane.spacing()
    }

    fn dist(&self, grey: f64) -> f64 {
        self.range.at(self.options.white.sparseness(grey))
    }

    /// Converts bounds of greys to bounds of distances.
    fn bounds_of(&self, greys: Option<Summary<f64>>) -> LocalRange {
        let range = greys.and_then(|greys| {
            let (a, b) = (self.dist(greys.min), self.dist(greys.max));
            DistRange::new(a.min(b), a.max(b)).ok()
        });
        LocalRange {
            range: range.unwrap_or(self.range),
            coverage: Coverage::All,
        }
    }
}

impl Noise {
    /// # Errors
    /// When an option lies outside the limits given with it, or the highest octave's frequency
    /// is not finite.
    pub(crate) fn new(options: PerlinOptions) -> Result<Self, FieldError> {
        let PerlinOptions {
            seed,
            frequency,
            octaves,
            lacunarity,
            persistence,
            white: _,
            spacing: _,
        } = options;
        positive("frequency", frequency)?;
        within("octaves", f64::from(octaves), 1.0, 16.0)?;
        within("lacunarity", lacunarity, 1.0, 8.0)?;
        within("persistence", persistence, f64::MIN_POSITIVE, 1.0)?;

        let mut list = Vec::with_capacity(octaves as usize);
        let mut random = SplitMix(seed);
        let (mut next, mut amplitude) = (frequency, 1.0);
        let (mut squares, mut highest) = (0.0, frequency);
        for _ in 0..octaves {
            let seed = (random.next() >> 32) as u32;
            positive("the highest octave's frequency", next)?;
            if amplitude >= LEAST_RESOLVED {
                highest = next;
            }
            list.push(Octave {
                noise: noise::Perlin::new(seed),
                frequency: next,
                amplitude,
                offset: [0; 3].map(|_| off_lattice(random.next())),
            });
            squares += amplitude * amplitude;
            next *= lacunarity;
            amplitude *= persistence;
        }
        let norm = f64::sqrt(squares);
        for octave in &mut list {
            octave.amplitude /= norm;
        }
        Ok(Self {
            octaves: list,
            highest,
        })
    }

    /// Returns the grey at a place, in [0, 1].
    pub(crate) fn grey<const D: usize>(&self, p: [f64; D]) -> f64
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        let mut sum = 0.0;
        for octave in &self.octaves {
            sum += octave.amplitude * octave.noise.get(octave.place(p));
        }
        (0.5 + GAIN[usize::from(D > 2)] * sum).clamp(0.0, 1.0)
    }
}

impl Octave {
    /// Converts a place of the world to a place in the lattice of the octave.
    #[inline]
    fn place<const D: usize>(&self, p: [f64; D]) -> [f64; D] {
        std::array::from_fn(|a| self.offset[a] + within_table(p[a] * self.frequency))
    }
}

/// Returns the place `cycles` in the repeating table, in (-256, 256): the remainder, which is
/// exact. The `noise` crate panics on some large coordinates.
#[inline]
fn within_table(cycles: f64) -> f64 {
    // In this range all three steps are exact, and faster than the remainder.
    if cycles.abs() < 1e15 {
        return cycles - PERIOD * (cycles / PERIOD) as i64 as f64;
    }
    // The product that was given may have overflowed.
    let rest = cycles % PERIOD;
    if rest.is_finite() { rest } else { 0.0 }
}

/// Returns a coordinate between lattice points. Perlin noise is 0 where all coordinates of the
/// lattice are whole; the fraction in [1/4, 3/4) keeps whole world coordinates off these places.
fn off_lattice(random: u64) -> f64 {
    let cell = (random >> 56) as f64;
    let fraction = (random & 0xffff_ffff) as f64 / 4_294_967_296.0;
    cell + 0.25 + 0.5 * fraction
}

/// The generator `SplitMix64` (Steele, Lea and Flood, 2014), which spreads one seed over the
/// octaves.
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

macro_rules! field_in {
    ($dimensions:literal, $grid:ident) => {
        impl RadiusField<$dimensions> for Perlin {
            #[inline]
            fn min_dist(&self, p: [f64; $dimensions]) -> Option<f64> {
                self.$grid.at(p).map(|grey| self.dist(grey))
            }

            #[inline]
            fn range(&self) -> DistRange {
                self.range
            }

            fn range_in(&self, bounds: &Bounds<$dimensions>) -> Option<LocalRange> {
                Some(self.bounds_of(self.$grid.over(bounds)))
            }

            /// Returns the grey of the noise, whatever white means.
            fn value(&self, p: [f64; $dimensions]) -> f64 {
                self.$grid.at(p).unwrap_or(0.0)
            }
        }
    };
}

field_in!(2, plane);
field_in!(3, space);

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the 1 %, 50 % and 99 % quantiles of the value at places far apart.
    fn quantiles<const D: usize>(octaves: u32) -> [f64; 3]
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        let mut values = Vec::new();
        for seed in 0..20 {
            let noise = Noise::new(PerlinOptions {
                seed,
                octaves,
                frequency: 0.37,
                ..PerlinOptions::default()
            })
            .expect("good options");
            for i in 0..2000 {
                let step = [26.0, 38.0, 14.0];
                values.push(noise.grey(std::array::from_fn(|a| f64::from(i) * step[a])));
            }
        }
        values.sort_by(f64::total_cmp);
        [0.01, 0.5, 0.99].map(|share| values[(share * values.len() as f64) as usize])
    }

    #[test]
    fn the_values_fill_the_range() {
        for octaves in [1, 2, 3, 6] {
            for [low, middle, high] in [quantiles::<2>(octaves), quantiles::<3>(octaves)] {
                let text = format!("{octaves} octaves: {low} {middle} {high}");
                assert!((0.02..0.1).contains(&low), "{text}");
                assert!((0.45..0.55).contains(&middle), "{text}");
                assert!((0.9..0.98).contains(&high), "{text}");
            }
        }
    }
}
