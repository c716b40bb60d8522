//! Which pixels of a map can matter to pixels farther off, when each lowers a cone around it.

/// Where a pixel's neighbours lie, columns and rows.
pub(crate) const NEIGHBOURS: [[i32; 2]; 8] = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
];

/// Targets are told apart by their place: there are 24 within two columns and rows, and so many
/// sectors for all that lie farther.
const SECTORS: usize = 128 - 24;

/// Steps between a neighbour as high as its cone reaches and one as low as the own cone does.
const GRADES: usize = 256;

/// A cone: how much lower it is so many columns and rows away from its tip.
///
/// A pixel `q` gives way to its neighbour `n` at a target `x` if `n`'s cone is the higher one
/// there: `r(n) - |x - n| > r(q) - |x - q|`, lengths being those of the cone. If at every target
/// it gives way to some neighbour, it is nobody's source but its own: whatever it would give, a
/// neighbour gives more, or that one's neighbour, and so on up to a source. Most pixels are such
/// ones: surroundings that are a little less steep than the cone take over what lies below, and
/// steeper ones have a higher neighbour that takes over everything.
pub(crate) struct Cone {
    step: [f64; 2],
    lengths: [f64; 8],
    /// By how high a neighbour is, for each of them: the targets that it takes over, as bits.
    taken: Vec<[u128; 8]>,
    /// As long as no neighbour is lower by more than this, `q` gives way everywhere.
    gentle: [f64; 8],
}

impl Cone {
    /// Of the given slopes, each the fall over a column or a row; none higher than `highest`.
    pub(crate) fn new(step: [f64; 2], highest: f64) -> Option<Self> {
        // A cone that falls below 0 within one pixel, or not at all within a map, is as good as
        // any such cone, and has no squares that overflow or vanish.
        let step = step.map(|fall| fall.clamp(1e-100 * highest, 2.0 * highest));
        let lengths = NEIGHBOURS.map(|[i, j]| length(step, [f64::from(i), f64::from(j)]));
        // Rounding: giving way to a pixel that is higher by all of its distance may be false by a
        // unit in the last place, and to one farther off, whose cone it lies on, by four. Other ways
        // are clear by more than such ones can lose on the way up, so that no ring of pixels give
        // way to each other.
        let [short, long] = [step[0].min(step[1]), lengths[0]];
        let clear = 1e-15 * highest * (1.0 + long / short);
        let gains = NEIGHBOURS.map(|n| gains(step, n));
        let mut taken = Vec::new();
        taken.try_reserve_exact(GRADES).ok()?;
        let mut gentle = [f64::NEG_INFINITY; 8];
        for grade in 0..GRADES {
            let lower = (grade + 1) as f64 / (GRADES / 2) as f64 - 1.0;
            let mut masks = [0u128; 8];
            for ((mask, gains), length) in masks.iter_mut().zip(&gains).zip(lengths) {
                for (k, &gain) in gains.iter().enumerate() {
                    let sure = gain >= (lower + 1e-9) * length + clear;
                    *mask |= u128::from(sure) << k;
                }
            }
            if masks.iter().fold(0, |all, mask| all | mask) == u128::MAX {
                gentle = lengths.map(|length| lower * length);
            }
            taken.push(masks);
        }
        Some(Self {
            step,
            lengths,
            taken,
            gentle,
        })
    }

    /// The fall over a column and over a row.
    pub(crate) fn step(&self) -> [f64; 2] {
        self.step
    }

    /// As long as each neighbour is lower by no more than this, a pixel is no source.
    pub(crate) fn gentle(&self) -> [f64; 8] {
        self.gentle
    }

    /// Whether a pixel of height `r` may be a source; its neighbours' heights are in the order of
    /// [`NEIGHBOURS`], NaN where there is none.
    pub(crate) fn is_source(&self, r: f64, neighbours: [f64; 8]) -> bool {
        let mut taken = 0u128;
        for (k, (n, length)) in neighbours.into_iter().zip(self.lengths).enumerate() {
            if n > r && n - length >= r {
                return false;
            }
            let grade = ((r - n) / length + 1.0) * (GRADES / 2) as f64;
            // Not for NaN.
            if grade < GRADES as f64 {
                // What is below 0 is no higher than its cone reaches, but for rounding.
                taken |= self.taken[grade as usize][k];
            }
        }
        taken != u128::MAX
    }
}

/// Of so many columns and rows, each as long as it falls.
pub(crate) fn length(step: [f64; 2], [x, y]: [f64; 2]) -> f64 {
    let (x, y) = (x * step[0], y * step[1]);
    (x * x + y * y).sqrt()
}

/// How much nearer than `q` its neighbour is, at least, to targets at each of the places.
fn gains(step: [f64; 2], [i, j]: [i32; 2]) -> [f64; 128] {
    let n = [f64::from(i), f64::from(j)];
    let nearer = |[x, y]: [f64; 2]| length(step, [x, y]) - length(step, [x - n[0], y - n[1]]);
    let mut gains = [0.0; 128];
    let window = (-2..=2).flat_map(|y| (-2..=2).map(move |x| [x, y]));
    let near = window.filter(|&place| place != [0, 0]);
    for (gain, [x, y]) in gains.iter_mut().zip(near) {
        *gain = nearer([f64::from(x), f64::from(y)]);
    }
    // No place outside of the window is nearer than this. In any one direction the gain grows
    // with the distance; over a sector it is least at one of its sides, unless the neighbour lies
    // behind, where no target is farther by more than the step to the neighbour.
    let radius = 3.0 * step[0].min(step[1]);
    let direction = |k: usize| {
        let [x, y] = rim(k);
        let length = (x * x + y * y).sqrt();
        [x / length, y / length]
    };
    let along = [n[0] * step[0], n[1] * step[1]];
    for (k, gain) in gains[24..].iter_mut().enumerate() {
        let sides = [direction(k), direction((k + 1) % SECTORS)];
        let at = sides.map(|[x, y]| {
            let ahead = x * along[0] + y * along[1];
            let off = [radius * x - along[0], radius * y - along[1]];
            let gain = radius - (off[0] * off[0] + off[1] * off[1]).sqrt();
            if ahead > 0.0 { gain } else { f64::NEG_INFINITY }
        });
        *gain = at[0].min(at[1]).max(-length(step, n));
    }
    gains
}

/// Points along the edge of a square around the origin.
fn rim(k: usize) -> [f64; 2] {
    let side = SECTORS / 4;
    let half = side as f64 / 2.0;
    let along = (k % side) as f64 - half;
    match k / side {
        0 => [along, -half],
        1 => [half, along],
        2 => [-along, half],
        _ => [-half, -along],
    }
}
