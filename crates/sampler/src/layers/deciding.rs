//! One step of deciding layers after the other.

use super::apart::Keep;
use super::joined::Joined;
use super::layered::Layered;
use super::steps::Part;
use super::surroundings::Known;
use crate::error::SampleError;
use crate::options::PointLimit;
use crate::scatter::{Crowd, Progress, Scatter, ScatterOptions, Scattered};
use density::{Bounds, RadiusField};
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
        let mut made: Vec<Scattered<D>> = Vec::new();
        let (mut points, mut told) = (0, 0);
        for (place, (step, known)) in self.steps().iter().zip(known).enumerate() {
            let field = self.field(step);
            let most = field.range().hi();
            let crowd = self.crowd(&made, place, most, known.field).map(Arc::new);
            let options = ScatterOptions {
                seed: self.layers()[step.first()].seed(self.options().seed, step.first()),
                limit: PointLimit::Refuse(u64::MAX),
                max_bytes: None,
                ..*self.options()
            };
            let scatter = Scatter::amid(&field, self.domain(), options, crowd.clone())?;
            let mut found = if let Some(area) = &known.points {
                scatter.points_in(area)?
            } else {
                let found = scatter.points_with(|at| {
                    // What a share does not hold is taken away again: nobody has to see that.
                    told = told.max(points + at.points);
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
                    step.thin(self.layers(), self.options().seed, &mut found.samples);
                    // The rest meets the same places again.
                    (found.unresolved, found.unresolved_volume) = (0, 0.0);
                }
                Part::Rest => {
                    // Their ranks are among themselves; beside the share they are but the last.
                    for sample in &mut found.samples {
                        sample.rank = sample.rank.map(|_| options.levels);
                    }
                }
            }
            field.own(&mut found.samples);
            points += found.samples.len() as u64;
            made.push(found);
        }
        let mut joined = Joined::new(made.len(), cap);
        for (place, found) in made.into_iter().enumerate() {
            joined.add(found, place, window);
        }
        Ok(Decided::Points(joined.finish()))
    }

    /// What a step's points, whose distances are at most `most`, keep off, given those of the
    /// steps before and where these are all that matter; `None` when they mind none of them.
    fn crowd(
        &self,
        before: &[Scattered<D>],
        place: usize,
        most: f64,
        known: Option<Bounds<D>>,
    ) -> Option<Crowd<D>> {
        let (mut ruled, mut fixed, mut minds) = (Vec::new(), Vec::new(), false);
        for (earlier, found) in before.iter().enumerate() {
            match self.keep(earlier, place) {
                Keep::Fixed(0.0) => continue,
                Keep::Fixed(kept) => fixed.extend(found.samples.iter().map(|s| (s.position, kept))),
                Keep::By(_) => ruled.extend(found.samples.iter().map(|s| (s.position, s.min_dist))),
            }
            minds = true;
        }
        minds.then(|| Crowd::new(&ruled, &fixed, self.options().rule, most, known))
    }
}
