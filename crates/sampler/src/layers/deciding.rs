//! One step of deciding layers after the other.

use super::apart::Keep;
use super::joined::Joined;
use super::layered::Layered;
use super::steps::Part;
use super::surroundings::Known;
use crate::error::SampleError;
use crate::options::PointLimit;
use crate::rule::Rule;
use crate::sample::Sample;
use crate::scatter::{Crowd, Guest, Progress, Regions, Scatter, ScatterOptions, Scattered};
use density::{Bounds, DistRange, RadiusField};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What came of deciding the layers.
pub(super) enum Decided<const D: usize> {
    Points(Scattered<D>),
    /// A layer asked for a place where not all that it keeps off is known.
    Unknown,
    BrokenOff,
}

impl<const D: usize, F: RadiusField<D>> Layered<D, F> {
    /// Decides one step after the other, given what is known of each.
    pub(super) fn decided(
        &self,
        known: &[Known<D>],
        window: Option<&Bounds<D>>,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Decided<D>, SampleError> {
        let cap = match self.options().limit {
            PointLimit::Refuse(_) => None,
            PointLimit::Cap(most) => Some(most),
        };
        // All in one vector, which grows as little as can be foreseen.
        let mut all = Scattered::default();
        if window.is_none() {
            let expected: f64 = self.expected().iter().sum();
            let _ = all
                .samples
                .try_reserve_exact((1.01 * expected) as usize + 1024);
        }
        let regions = Regions::default();
        let (mut ends, mut told): (Vec<usize>, _) = (Vec::new(), 0);
        for (place, (step, known)) in self.steps().iter().zip(known).enumerate() {
            let field = self.field(step);
            let range = field.range();
            let crowd = self.crowd(&all.samples, &ends, &range, known.field);
            let crowd = crowd.map(Arc::new);
            let options = ScatterOptions {
                rule: self.rule_amid(&range),
                seed: self.layers()[step.first()].seed(self.options().seed, step.first()),
                limit: PointLimit::Refuse(u64::MAX),
                max_bytes: None,
                ..*self.options()
            };
            let scatter = Scatter::amid(
                &field,
                self.domain(),
                options,
                crowd.clone(),
                self.stretches[place],
            )?
            .until(step.depth);
            let from = all.samples.len();
            let samples = std::mem::take(&mut all.samples);
            let mut found = if let Some(area) = &known.points {
                let mut found = scatter.points_in(area)?;
                let mut samples = samples;
                samples.append(&mut found.samples);
                Scattered { samples, ..found }
            } else {
                let found = scatter.points_behind(samples, &regions, |at| {
                    // What a share does not hold is taken away again: nobody has to see that.
                    told = told.max(from as u64 + at.points);
                    progress(Progress {
                        done: place * at.of + at.done,
                        of: self.steps().len() * at.of,
                        points: told,
                    })
                });
                let Some(found) = found else {
                    return Ok(Decided::BrokenOff);
                };
                found
            };
            if crowd.is_some_and(|crowd| crowd.was_asked_beyond()) {
                return Ok(Decided::Unknown);
            }
            match &step.part {
                Part::All => {}
                Part::Share(_) => {
                    let samples = &mut found.samples;
                    step.thin(
                        self.layers(),
                        self.options().seed,
                        samples,
                        from,
                        |sample| scatter.leaves_open_around(sample),
                    );
                    // The rest meets the same places again.
                    (found.unresolved, found.unresolved_volume) = (0, 0.0);
                }
                Part::Rest => {
                    // Their ranks are among themselves; beside the share they are but the last.
                    for sample in &mut found.samples[from..] {
                        sample.rank = sample.rank.map(|_| options.levels);
                    }
                }
            }
            field.own(&mut found.samples[from..]);
            ends.push(found.samples.len());
            all = Scattered {
                samples: found.samples,
                complete: all.complete & found.complete,
                unresolved: all.unresolved + found.unresolved,
                unresolved_volume: all.unresolved_volume + found.unresolved_volume,
            };
        }
        Ok(Decided::Points(Joined::new(ends, cap).finish(all, window)))
    }

    /// The rule among the points of a step and those before. Where its points all ask for the
    /// same, what they keep from each earlier point is known beforehand and becomes that one's own
    /// distance.
    fn rule_amid(&self, range: &DistRange) -> Rule {
        if is_one(range) {
            Rule::Prior
        } else {
            self.options().rule
        }
    }

    /// What the next step's points, which ask for what lies in `range`, keep off, given those of
    /// the steps before, where each step's end, and where these are all that matter; `None` when they
    /// mind none of them.
    fn crowd(
        &self,
        before: &[Sample<D>],
        ends: &[usize],
        range: &DistRange,
        known: Option<Bounds<D>>,
    ) -> Option<Crowd<D>> {
        let alike = is_one(range);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let earlier = starts.zip(ends).enumerate();
        let earlier: Vec<(&[Sample<D>], Keep)> = earlier
            .map(|(earlier, (from, &end))| (&before[from..end], self.keep(earlier, ends.len())))
            .filter(|&(_, keep)| keep != Keep::Fixed(0.0))
            .collect();
        let guests = |ruled: bool| {
            let of_kind =
                |part: &&(&[Sample<D>], Keep)| (alike || matches!(part.1, Keep::By(_))) == ruled;
            let steps = || earlier.iter().filter(of_kind);
            let mut guests = Vec::with_capacity(steps().map(|(found, _)| found.len()).sum());
            for &(found, keep) in steps() {
                guests.extend(found.iter().map(|s| match keep {
                    _ if alike => Guest::new(s.position, keep.distance(s.min_dist, range.lo())),
                    Keep::Fixed(kept) => Guest::new(s.position, kept),
                    Keep::By(_) => Guest::new(s.position, s.min_dist),
                }));
            }
            guests
        };
        let (rule, most) = (self.rule_amid(range), range.hi());
        (!earlier.is_empty()).then(|| Crowd::new(guests(true), guests(false), rule, most, known))
    }
}

/// Whether all distances in a range are the same.
fn is_one(range: &DistRange) -> bool {
    range.lo() == range.hi()
}
