//! Bounds of Perlin noise in a box.

use super::jet::Jet;
use super::steepest::{STEEPEST, THIRD};
use super::{Octave, Perlin};
use crate::{Bounds, Coverage, DistRange, Extent, LocalRange, RadiusField};
use noise::NoiseFn;

/// Bounds from the value in the middle and the greatest slope are enough when they lie within this
/// share of the value.
const NARROW: f64 = 0.1;

/// Bounds are sharp enough when what is not known of the octaves is less than this share of the least
/// distance.
const CLEAR: f64 = 0.2;

/// Squares of higher frequencies overflow.
const HIGHEST: f64 = 1e150;

/// How often a box is halved for sharper bounds.
const HALVINGS: u32 = 1;

/// A box about its middle: halves of its sides and of its diagonal.
#[derive(Clone, Copy, Debug)]
struct Surrounded<const D: usize> {
    middle: [f64; D],
    half: [f64; D],
    radius: f64,
}

impl<const D: usize> Surrounded<D> {
    fn new(bounds: &Bounds<D>) -> Self {
        let half = bounds.size().map(|s| 0.5 * s);
        // In terms of the longest: squares of tiny sides vanish.
        let longest = 0.5 * bounds.longest_side();
        let squares = half.map(|h| (h / longest) * (h / longest));
        Self {
            middle: bounds.center(),
            half,
            radius: longest * squares.iter().sum::<f64>().sqrt(),
        }
    }

    /// The part in a corner: bit `a` of `index` says whether it is the upper one along axis `a`.
    fn corner(&self, index: usize) -> Self {
        let half = self.half.map(|h| 0.5 * h);
        let side = |a: usize| [-half[a], half[a]][index >> a & 1];
        Self {
            middle: std::array::from_fn(|a| self.middle[a] + side(a)),
            half,
            radius: 0.5 * self.radius,
        }
    }
}

/// Bounds of the sum of all octaves, and by how much they might be too far apart, as octaves are known
/// to some degree only.
struct Sum {
    least: f64,
    most: f64,
    slack: f64,
}

impl Perlin {
    /// Bounds in a box.
    pub(super) fn bounds_in<const D: usize>(&self, bounds: &Bounds<D>) -> LocalRange
    where
        noise::Perlin: NoiseFn<f64, D>,
        Self: RadiusField<D>,
    {
        let place = Surrounded::new(bounds);
        // Rounding moves a place by some units in the last place of its coordinates.
        let coarseness = (0..D)
            .map(|a| bounds.min()[a].abs().max(bounds.max()[a].abs()) * 1e-15)
            .sum::<f64>();
        let lipschitz = self.lipschitz::<D>();
        let cone = lipschitz * place.radius;
        // Where the noise cannot be steep enough to matter, its value is enough to know.
        let middle = (cone <= NARROW * self.range.hi())
            .then(|| self.dist::<D>(self.sum(place.middle)))
            .filter(|middle| cone <= NARROW * middle);
        let [least, most] = match middle {
            Some(middle) => [middle - cone, middle + cone],
            None => self.dists_in(place, HALVINGS),
        };
        // The last part is for the rounding of the noise itself: a place within the table is
        // known to 1e-13 cells.
        let reach = lipschitz * coarseness + self.range.hi() * 1e-11;
        let range = DistRange::new(
            self.range.clamp(least - reach),
            self.range.clamp(most + reach),
        );
        LocalRange {
            range: range.unwrap_or(self.range),
            coverage: Coverage::All,
            extent: Extent::Box,
        }
    }

    /// What the sum is in a box: of octaves that the box is small beside by what they are about its
    /// middle, [to the second degree](Jet), all of them together; of others by how steep they can be.
    fn sum_in<const D: usize>(&self, place: Surrounded<D>) -> Sum {
        let kind = usize::from(D > 2);
        let Surrounded { middle, half, .. } = place;
        let mut smooth = Jet::default();
        let [mut below, mut above] = [0.0; 2];
        for octave in &self.octaves {
            let Octave {
                frequency,
                amplitude,
                ..
            } = *octave;
            let radius = place.radius * frequency;
            let cone = STEEPEST[kind] * radius;
            let (mut least, mut most) = (-1.0, 1.0);
            if cone < 2.0 && frequency < HIGHEST {
                let jet = Jet::new(&octave.table, octave.place(middle));
                let rest = THIRD[kind] / 6.0 * radius * radius * radius;
                let [low, high] = jet.range(half.map(|h| h * frequency));
                let (low, high) = (low - rest, high + rest);
                if high - low < 2.0 * cone && low > -1.0 && high < 1.0 {
                    smooth.add(&jet, amplitude, frequency);
                    (least, most) = (-rest, rest);
                } else {
                    // The noise is cut to [-1, 1].
                    least = low.max(jet.value - cone).clamp(-1.0, 1.0);
                    most = high.min(jet.value + cone).clamp(-1.0, 1.0);
                }
            }
            below += amplitude * least;
            above += amplitude * most;
        }
        let [least, most] = smooth.range(half);
        Sum {
            least: least + below,
            most: most + above,
            slack: above - below,
        }
    }

    /// Least and greatest distance in a box, from its halves along each axis where `halvings` are
    /// left and the box itself tells too little.
    fn dists_in<const D: usize>(&self, place: Surrounded<D>, halvings: u32) -> [f64; 2] {
        let sum = self.sum_in(place);
        let [one, other] = [sum.least, sum.most].map(|sum| self.dist::<D>(sum));
        let [least, most] = [one.min(other), one.max(other)];
        let slack = self.per_sum::<D>() * sum.slack;
        if halvings == 0 || slack.min(most - least) <= CLEAR * least {
            return [least, most];
        }
        let parts = (0..1 << D).map(|index| self.dists_in(place.corner(index), halvings - 1));
        let [low, high] = parts.fold([f64::INFINITY, f64::NEG_INFINITY], |all, part| {
            [all[0].min(part[0]), all[1].max(part[1])]
        });
        [least.max(low), most.min(high)]
    }
}
