//! Perlin noise about a place, to the second degree.
//!
//! ```text
//!           .--.              Knowing only how steep noise can be, a box is bounded by a cone
//!     \   _/    \_   /        about its middle, which is many times wider than what the noise
//!      \ /        \ /         does there. Knowing slope and bend in the middle as well, what is
//!   ----X----------X----      left to doubt is the third degree: a share of the box's size cubed.
//!      / \_      _/ \
//!     /    \_  _/    \
//! ```

use noise::permutationtable::{NoiseHasher, PermutationTable};

/// One noise of the `noise` crate about a place, per lattice cell, before it is cut to [-1, 1]:
/// `value + slope . d + d . bend d / 2`, off by at most
/// [`THIRD`](super::steepest::THIRD)` / 6 * |d|^3`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet<const D: usize> {
    pub(super) value: f64,
    pub(super) slope: [f64; D],
    pub(super) bend: [[f64; D]; D],
}

/// Gradients at the lattice's corners, by the last bits of a corner's hash, as the `noise` crate has
/// them.
const IN_PLANE: [[f64; 3]; 4] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
];
const IN_SPACE: [[f64; 3]; 16] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, -1.0, -1.0],
];

/// What the `noise` crate multiplies the sum over the corners by, in the plane and in space.
pub(super) const SCALE: [f64; 2] = [std::f64::consts::SQRT_2, 1.154_700_538_379_251_5];

fn gradient<const D: usize>(hash: usize) -> [f64; D] {
    let all = if D == 2 {
        IN_PLANE[hash & 3]
    } else {
        IN_SPACE[hash & 15]
    };
    std::array::from_fn(|a| all[a])
}

/// The weight of the lower and of the upper corner along an axis at `t` in [0, 1], and each times
/// how far `t` is from there; with their slopes and bends.
fn along(t: f64) -> [[[f64; 3]; 2]; 2] {
    let (u, square) = (t - 1.0, t * t);
    let w = square * t * (t * (t * 6.0 - 15.0) + 10.0);
    let slope = 30.0 * square * u * u;
    let bend = 60.0 * t * u * (t + u);
    let times = |[w, slope, bend]: [f64; 3], d: f64| [w * d, slope * d + w, bend * d + 2.0 * slope];
    let (lower, upper) = ([1.0 - w, -slope, -bend], [w, slope, bend]);
    [[lower, times(lower, t)], [upper, times(upper, u)]]
}

/// A coordinate of the lattice, far from the ends of integers, as a whole and a rest in [0, 1].
fn split(x: f64) -> (isize, f64) {
    let towards_zero = x as isize;
    let first = towards_zero - isize::from(x < towards_zero as f64);
    (first, x - first as f64)
}

impl<const D: usize> Default for Jet<D> {
    /// Nothing.
    fn default() -> Self {
        Self {
            value: 0.0,
            slope: [0.0; D],
            bend: [[0.0; D]; D],
        }
    }
}

impl<const D: usize> Jet<D> {
    /// The noise of a table about a place of the lattice, in the plane or in space.
    pub(super) fn new(table: &PermutationTable, place: [f64; D]) -> Self {
        let place = place.map(split);
        let axes = place.map(|(_, inside)| along(inside));
        let mut jet = Self::default();
        for corner in 0..1_usize << D {
            let is_upper = |a: usize| corner >> a & 1;
            let at: [isize; D] = std::array::from_fn(|a| place[a].0 + is_upper(a) as isize);
            let gradient = gradient::<D>(table.hash(&at));
            // The gradient times the way from the corner times the corner's weight: one product of
            // functions of one coordinate for each axis of the gradient.
            for (main, g) in gradient.into_iter().enumerate() {
                if g == 0.0 {
                    continue;
                }
                let factors: [[f64; 3]; D] =
                    std::array::from_fn(|a| axes[a][is_upper(a)][usize::from(a == main)]);
                jet.add_product(g, &factors);
            }
        }
        jet.scaled(SCALE[usize::from(D > 2)])
    }

    /// Adds a product of functions of one coordinate each, of which value, slope and bend are given.
    #[inline]
    fn add_product(&mut self, scale: f64, factors: &[[f64; 3]; D]) {
        let derived = |one: usize, other: usize| -> f64 {
            let order = |a: usize| usize::from(a == one) + usize::from(a == other);
            (0..D).fold(scale, |product, a| product * factors[a][order(a)])
        };
        self.value += derived(D, D);
        for a in 0..D {
            self.slope[a] += derived(a, D);
            for b in a..D {
                self.bend[a][b] += derived(a, b);
            }
        }
    }

    fn scaled(mut self, scale: f64) -> Self {
        self.value *= scale;
        for a in 0..D {
            self.slope[a] *= scale;
            for b in a..D {
                self.bend[a][b] *= scale;
                self.bend[b][a] = self.bend[a][b];
            }
        }
        self
    }

    /// Adds another one that is `amplitude` times as strong and `frequency` times as fine.
    pub(super) fn add(&mut self, other: &Self, amplitude: f64, frequency: f64) {
        self.value += amplitude * other.value;
        for a in 0..D {
            self.slope[a] += amplitude * frequency * other.slope[a];
            for b in 0..D {
                self.bend[a][b] += amplitude * frequency * frequency * other.bend[a][b];
            }
        }
    }

    /// Least and greatest of the polynomial in a box with these halves of its sides about the place,
    /// or somewhat less and more: along each axis exactly, and as if axes went their own ways.
    pub(super) fn range(&self, half: [f64; D]) -> [f64; 2] {
        let [mut least, mut most] = [self.value; 2];
        for a in 0..D {
            // slope * t + bend * t^2, t in [-1, 1].
            let slope = (self.slope[a] * half[a]).abs();
            let bend = 0.5 * self.bend[a][a] * half[a] * half[a];
            let (mut low, mut high) = (bend - slope, bend + slope);
            if 2.0 * bend.abs() > slope {
                let turn = -slope * slope / (4.0 * bend);
                (low, high) = (low.min(turn), high.max(turn));
            }
            least += low;
            most += high;
            for b in a + 1..D {
                let cross = (self.bend[a][b] * half[a] * half[b]).abs();
                least -= cross;
                most += cross;
            }
        }
        [least, most]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noise::NoiseFn;

    /// Places all over the lattice, corners and edges of cells among them.
    fn places<const D: usize>() -> impl Iterator<Item = [f64; D]> {
        (0..2000_u32).map(|i| {
            std::array::from_fn(|a| {
                let t = f64::from(i.wrapping_mul(2_654_435_761).rotate_left(9 * a as u32) >> 12);
                let x = t * (600.0 / 1_048_576.0) - 300.0;
                if i % 7 == a as u32 { x.floor() } else { x }
            })
        })
    }

    /// The noise of the crate is what the jet says, and so are its differences.
    fn is_the_noise<const D: usize>()
    where
        noise::Perlin: NoiseFn<f64, D>,
    {
        let table = PermutationTable::new(5);
        let noise = noise::Perlin::new(5);
        let shifted = |p: [f64; D], axis: usize, by: f64| {
            let mut p = p;
            p[axis] += by;
            p
        };
        let step = 1e-4;
        for p in places::<D>() {
            let jet = Jet::new(&table, p);
            assert!(
                (jet.value.clamp(-1.0, 1.0) - noise.get(p)).abs() < 1e-13,
                "{p:?}"
            );
            for a in 0..D {
                let [below, above] = [-step, step].map(|by| Jet::new(&table, shifted(p, a, by)));
                let slope = (above.value - below.value) / (2.0 * step);
                assert!((slope - jet.slope[a]).abs() < 1e-5, "{p:?}");
                for b in 0..D {
                    let bend = (above.slope[b] - below.slope[b]) / (2.0 * step);
                    // The third degree breaks off where cells meet.
                    assert!((bend - jet.bend[a][b]).abs() < 0.02, "{p:?}");
                    assert_eq!(jet.bend[a][b], jet.bend[b][a]);
                }
            }
        }
    }

    #[test]
    fn jets_are_those_of_the_noise() {
        is_the_noise::<2>();
        is_the_noise::<3>();
    }
}
