//! A progress bar, on a terminal only.

use crate::numbers::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;

/// Number of steps of a full bar.
const STEPS: f64 = 1000.0;

/// A bar on stderr, or none.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// Returns an empty bar, or none if stderr is not a terminal.
    pub(crate) fn new() -> Self {
        if !stderr().is_terminal() {
            return Self::none();
        }
        let style = ProgressStyle::with_template("{bar:40} {percent} %  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(STEPS as u64), ProgressDrawTarget::stderr());
        Self(Some(bar.with_style(style)))
    }

    /// Returns no bar.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Shows that `share` of the work is done, with `points` so far.
    pub(crate) fn at(&self, share: f64, points: u64) {
        let Some(bar) = &self.0 else { return };
        let steps = (share.clamp(0.0, 1.0) * STEPS) as u64;
        if steps != bar.position() {
            bar.set_position(steps);
            bar.set_message(format!("{} points", grouped(points)));
        }
    }

    /// Shows the progress of a run in parts; never stops the run.
    pub(crate) fn after(&self, at: sampler::Progress) -> ControlFlow<()> {
        self.at(at.done as f64 / at.of.max(1) as f64, at.points);
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
