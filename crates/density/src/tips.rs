//! Which pixels lie on the slope of a higher pixel's cone, found by handing tips down.

use crate::bits::Bits;
use crate::cone::length;
use crate::grey_map::filled;

/// A pixel whose cone others lie on.
#[derive(Clone, Copy)]
struct Tip {
    height: f64,
    /// Column and row.
    at: [f64; 2],
}

/// No pixel lies on its cone.
const NOBODY: Tip = Tip {
    height: f64::NEG_INFINITY,
    at: [0.0; 2],
};

/// Takes every pixel out of `sources`, a bit for each, that lies on or below the cone of a higher
/// one: what it would give, that one gives as well. Whoever stays has a summit of its own, or lies
/// in no line of sight of whom it lies below.
///
/// On a map that was limited before, a cone's pixels are not told from sources by their neighbours:
/// between two neighbours that are nearer to the tip, but not in one line with it, a pixel is a
/// little higher than either's cone. So tips are handed from row to row instead, downwards and
/// upwards, and to and fro along each row: all pixels of `steep`, sources or not, ask those who
/// were asked before them whose cone they lie on, and whether they lie on it, too.
///
/// ```text
///     t t t      p asks the three above, and the one before it; on the way back the one behind
///     t p . .    it. If it lies on none of their tips' cones it is the tip of its own.
/// ```
///
/// The line from a cone's pixel to its tip leads through pixels of the same cone, so that most
/// learn of their tip; one that does not stays a source, which costs time alone. In time
/// proportional to the pixels; `None` without the memory for two rows of tips.
pub(crate) fn take_slopes(
    pixels: &[f64],
    width: usize,
    step: [f64; 2],
    steep: &Bits,
    sources: &mut Bits,
) -> Option<()> {
    // A column more on either side.
    let mut before = filled(NOBODY, width + 2)?;
    let mut here = filled(NOBODY, width + 2)?;
    let height = pixels.len() / width;
    let mut pass = |y: usize, before: &[Tip], here: &mut [Tip]| {
        here.fill(NOBODY);
        let row = Row {
            heights: &pixels[y * width..][..width],
            y,
            step,
        };
        for x in 0..width {
            if steep.has(x, y) {
                let near = [before[x], before[x + 1], before[x + 2], here[x]];
                here[x + 1] = row.tip(x, &near).unwrap_or_else(|| row.own(x));
            }
        }
        for x in (0..width).rev() {
            if steep.has(x, y) {
                let own = here[x + 1].at == row.own(x).at;
                if own && let Some(tip) = row.tip(x, &[here[x + 2]]) {
                    here[x + 1] = tip;
                } else if own {
                    continue;
                }
                sources.clear(x, y);
            }
        }
    };
    for y in 0..height {
        pass(y, &before, &mut here);
        std::mem::swap(&mut before, &mut here);
    }
    before.fill(NOBODY);
    for y in (0..height).rev() {
        pass(y, &before, &mut here);
        std::mem::swap(&mut before, &mut here);
    }
    Some(())
}

/// A row of pixels.
struct Row<'a> {
    heights: &'a [f64],
    y: usize,
    step: [f64; 2],
}

impl Row<'_> {
    fn own(&self, x: usize) -> Tip {
        Tip {
            height: self.heights[x],
            at: [x as f64, self.y as f64],
        }
    }

    /// Whose cone, of those of higher tips that reach the pixel, is the highest there.
    ///
    /// By the same operations as cones are raised by, so that whoever was raised to one lies on it.
    fn tip(&self, x: usize, tips: &[Tip]) -> Option<Tip> {
        let own = self.own(x);
        let mut best = own.height;
        let mut found = None;
        for tip in tips.iter().filter(|tip| tip.height > own.height) {
            let away = [own.at[0] - tip.at[0], own.at[1] - tip.at[1]];
            let cone = tip.height - length(self.step, away);
            if cone >= best {
                (best, found) = (cone, Some(*tip));
            }
        }
        found
    }
}
