//! A progress bar, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};

/// Points between two looks at the bar.
const EVERY: u64 = 1024;

/// A bar on stderr that fills up towards the expected count, or nothing.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for `expected` points.
    pub(crate) fn new(expected: f64) -> Self {
        if !stderr().is_terminal() {
            return Self::none();
        }
        let style =
            ProgressStyle::with_template("{bar:40} {human_pos} of about {human_len} points")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar =
            ProgressBar::with_draw_target(Some(expected as u64), ProgressDrawTarget::stderr());
        Self(Some(bar.with_style(style)))
    }

    /// No bar.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// There are `points` now.
    pub(crate) fn at(&self, points: u64) {
        if let Some(bar) = &self.0
            && points.is_multiple_of(EVERY)
        {
            bar.set_position(points);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
