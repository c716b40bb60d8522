//! Detects ground that a front of points left open because it never came near.
//!
//! Bridson's algorithm leaves crevices everywhere: places that its candidates missed by chance. They
//! say nothing about how a run ended. But no candidate was ever drawn at a place farther than two
//! `min_dist`s from every point. If a point could still lie there, the front died early.
//!
//! The domain is halved into boxes until one point reaches, or excludes, all of a box; the finest boxes are
//! tested at their centres.

use crate::boxes::{half_diagonal, halves};
use crate::error::SampleError;
use density::{Bounds, RadiusField};

/// Candidates lie up to this many of their parent's radii away.
pub(crate) const CANDIDATE_REACH: f64 = 2.0;

/// The way in which a run ended.
///
/// See [`Bridson::end`](crate::Bridson::end) for a front that dies early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The run has not ended.
    Running,
    /// No candidate is left to draw, and candidates were drawn wherever points may lie. Crevices
    /// remain nevertheless: see [`Bridson`](crate::Bridson).
    Complete,
    /// No candidate is left to draw, but some open ground is farther than two `min_dist`s from every
    /// point: the front died early.
    Open {
        /// Share of the domain that is such ground, in (0, 1].
        share: f64,
    },
    /// The limit on the number of points stopped the run.
    Capped,
    /// The run was stopped because it needed more memory than is allowed, or than there is.
    Failed(SampleError),
    /// No candidate is left to draw. A check for open ground out of reach would have taken too long; or the
    /// search for islands was given up, as the bounds of a region or field did not narrow.
    NotChecked,
}

impl End {
    /// Returns the end's name as files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Open { .. } => "open",
            Self::Capped => "capped",
            Self::Failed(_) => "failed",
            Self::NotChecked => "not checked",
        }
    }
}

/// A box is tested at its centre if half its diagonal is at most this many of its distances.
const FINEST: f64 = 0.5;

/// Number of places that are probed if there are too many boxes.
const PROBES: u32 = 256;

/// Returns how a run ended that has no candidate left, after a test of at most `budget` boxes.
///
/// `reached` returns `true` if the candidates of one point reach all of a box; `covered`, given also the
/// least distance in it, if one point conflicts with all of it. `open` returns `true` if a place is open
/// and out of reach of every point's candidates.
pub(crate) fn judge<const D: usize>(
    field: &dyn RadiusField<D>,
    domain: Bounds<D>,
    budget: u64,
    reached: impl Fn(&Bounds<D>) -> bool,
    covered: impl Fn(&Bounds<D>, f64) -> bool,
    open: impl Fn([f64; D]) -> bool,
) -> End {
    let range = field.range();
    let varies = range.lo() < range.hi();
    let mut todo = vec![domain];
    let mut boxes = 0;
    // Summed in a fixed order, so that the result is the same on every machine.
    let mut volume = 0.0;
    while let Some(place) = todo.pop() {
        boxes += 1;
        if boxes > budget {
            return probed(domain, open);
        }
        // The field may be slow: it is evaluated last.
        if reached(&place) {
            continue;
        }
        let Some(local) = field.range_in(&place) else {
            continue;
        };
        let least = local.range.lo();
        // If all distances are equal, a point excludes no more than its candidates reach.
        if varies && covered(&place, least) {
            continue;
        }
        if half_diagonal(&place) > FINEST * least {
            halves(place, &mut todo);
        } else if open(place.center()) {
            // Axis by axis: the volume of a domain may be too small for a number.
            let (size, whole) = (place.size(), domain.size());
            volume += (0..D).map(|a| size[a] / whole[a]).product::<f64>();
        }
    }
    if volume > 0.0 {
        End::Open {
            share: volume.min(1.0),
        }
    } else {
        End::Complete
    }
}

/// Estimates the open share from a few places, spread evenly (Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018).
fn probed<const D: usize>(domain: Bounds<D>, open: impl Fn([f64; D]) -> bool) -> End {
    // Powers of 1/g, where g^(D+1) = g + 1.
    let steps: [f64; 3] = match D {
        2 => [0.754_877_666_246_692_8, 0.569_840_290_998_053_2, 0.0],
        _ => [
            0.819_172_513_396_164_4,
            0.671_043_606_703_789_2,
            0.549_700_477_901_970_3,
        ],
    };
    let (min, max, size) = (domain.min(), domain.max(), domain.size());
    let place = |i: u32| {
        std::array::from_fn(|a| {
            let share = (0.5 + f64::from(i) * steps[a]).fract();
            (min[a] + share * size[a]).min(max[a].next_down())
        })
    };
    let found = (0..PROBES).filter(|&i| open(place(i))).count();
    if found == 0 {
        return End::NotChecked;
    }
    End::Open {
        share: found as f64 / f64::from(PROBES),
    }
}
