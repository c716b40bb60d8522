//! Records requests for pixels beyond a part of a map.

use crate::PixelRect;
use crate::pyramid::NodeBox;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest rectangle around the missing pixels that were requested; `None` if there were none.
#[derive(Debug, Default)]
pub(crate) struct Requested(Mutex<Option<PixelRect>>);

impl Requested {
    /// Adds a box of pixels.
    pub(crate) fn add(&self, nodes: NodeBox<2>) {
        let new = PixelRect::of_nodes(nodes);
        let mut rect = self.lock();
        *rect = Some(rect.map_or(new, |rect| rect.with(&new)));
    }

    /// Returns the smallest rectangle around all requested pixels; `None` if there are none.
    pub(crate) fn rect(&self) -> Option<PixelRect> {
        *self.lock()
    }

    /// Forgets all requests.
    pub(crate) fn forget(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<PixelRect>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
