//! Computes the upper envelope of cones, nearly, by two sweeps over the rows.
//!
//! A chamfer distance (Borgefors, "Distance Transformations in Digital Images", 1986) is the length
//! of the shortest path of given steps. Square pixels have steps of up to four columns or rows
//! here, and paths are at most 1 / 0.992 times as long as the straight line. All steps are
//! shortened to 0.992 of their lengths, so that no path is longer than the line. Then the envelope
//! of cones whose distances are such paths is nowhere steeper than a straight cone.

/// Least share of their lengths that steps are shortened to, if [`REACH`] allows.
const SHARE: f64 = 0.99;

/// The longest step, columns or rows. It suffices for pixels up to 9 times as long as wide.
const REACH: u32 = 32;

/// A step from pixel to pixel, to the right and down, or its mirror images.
struct Step {
    columns: usize,
    rows: usize,
    /// Fall of a cone over the step.
    fall: f64,
}

/// Raises every height to that of the highest cone there. All pixels have a cone, except at minus
/// infinity.
///
/// A cone falls by `falls` over a column and a row. For any two pixels, results differ by at most
/// the fall of the straight cone between them, but for rounding. The result lies between the
/// envelope of the straight cones and that of cones which fall by [`SHARE`] of that (less where
/// [`REACH`] is too short). Heights are positive, `lo` the least and `hi` the greatest of them.
///
/// Takes time proportional to the pixels and their steps: 20 for square pixels, at most some 130.
pub(crate) fn raise(heights: &mut [f64], width: u32, falls: [f64; 2], [lo, hi]: [f64; 2]) {
    let height = (heights.len() / width as usize) as u32;
    // In units of the greatest height, squares neither overflow nor underflow. Steps that fall by
    // more than one unit never matter.
    let falls = falls.map(|fall| (fall / hi).clamp(1e-100, 2.0));
    let mut steps = steps([width, height], falls, (hi - lo) / hi);
    for step in &mut steps {
        step.fall *= hi;
    }
    // The steps of any path can be reordered so that those of the first sweep come first; then the
    // path does not leave the map.
    for _ in 0..2 {
        sweep(heights, width as usize, &steps);
        heights.reverse();
    }
}

/// Returns the steps that a map of the given size needs, in one quadrant, if its heights differ by
/// at most `span`.
fn steps(size: [u32; 2], falls: [f64; 2], span: f64) -> Vec<Step> {
    let vector = |step: [u32; 2]| [0, 1].map(|axis| f64::from(step[axis]) * falls[axis]);
    let dot = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a * c + b * d;
    let length = |step| dot(vector(step), vector(step)).sqrt();
    let mut steps = vec![[1, 0], [0, 1]];
    let mut share = 1.0_f64;
    // Any place between the directions of such a pair is a sum of whole multiples of its steps
    // (Stern-Brocot). The line to it is at least as long as the path times the cosine of half the
    // angle.
    let mut pairs = vec![[[1, 0], [0, 1]]];
    while let Some([a, b]) = pairs.pop() {
        let middle = [a[0] + b[0], a[1] + b[1]];
        let in_map = middle[0] < size[0] && middle[1] < size[1];
        if !in_map || length(middle) >= span {
            // All places between are farther away than this one, beyond the reach of cones.
            continue;
        }
        let cosine = dot(vector(a), vector(b)) / (length(a) * length(b));
        let half = (0.5 + 0.5 * cosine).sqrt();
        if half >= SHARE || middle[0].max(middle[1]) > REACH {
            share = share.min(half);
            continue;
        }
        steps.push(middle);
        pairs.extend([[a, middle], [middle, b]]);
    }
    let steps = steps.into_iter().map(|step| Step {
        columns: step[0] as usize,
        rows: step[1] as usize,
        fall: share * length(step),
    });
    steps.filter(|step| step.fall < span).collect()
}

/// Raises the heights along the steps down, and to the right.
fn sweep(heights: &mut [f64], width: usize, steps: &[Step]) {
    for y in 0..heights.len() / width {
        let (above, here) = heights.split_at_mut(y * width);
        let here = &mut here[..width];
        let down = steps.iter().filter(|step| (1..=y).contains(&step.rows));
        for step in down {
            let from = &above[(y - step.rows) * width..][..width];
            let length = width - step.columns;
            raise_row(&mut here[step.columns..], &from[..length], step.fall);
            raise_row(&mut here[..length], &from[step.columns..], step.fall);
        }
        if let Some(right) = steps.iter().find(|step| step.rows == 0) {
            let mut before = f64::NEG_INFINITY;
            for height in here {
                before = greater(*height, before - right.fall);
                *height = before;
            }
        }
    }
}

fn raise_row(heights: &mut [f64], from: &[f64], fall: f64) {
    for (height, from) in heights.iter_mut().zip(from) {
        *height = greater(*height, from - fall);
    }
}

/// Returns the greater number. `f64::max` takes care of NaN, which does not occur here.
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
