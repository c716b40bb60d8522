//! Which pixels were asked for that are not there.

use crate::PixelRect;
use crate::pyramid::NodeBox;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest rectangle around the missing pixels that were asked for; `None` without any.
#[derive(Debug, Default)]
pub(crate) struct Asked(Mutex<Option<PixelRect>>);

impl Asked {
    /// Remembers a box of pixels.
    pub(crate) fn add(&self, nodes: NodeBox<2>) {
        let new = PixelRect::of_nodes(nodes);
        let mut rect = self.lock();
        *rect = Some(rect.map_or(new, |rect| rect.with(&new)));
    }

    /// The smallest rectangle around all that are remembered; `None` if there are none.
    pub(crate) fn rect(&self) -> Option<PixelRect> {
        *self.lock()
    }

    /// Forgets them.
    pub(crate) fn forget(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<PixelRect>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
