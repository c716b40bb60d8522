//! Which pixels were asked for that are not there.

use crate::PixelRect;
use crate::pyramid::NodeBox;
use std::sync::atomic::{AtomicU32, Ordering};

/// The pixels that were asked for in vain.
#[derive(Debug)]
pub(crate) struct Asked {
    min: [AtomicU32; 2],
    max: [AtomicU32; 2],
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            min: [const { AtomicU32::new(u32::MAX) }; 2],
            max: [const { AtomicU32::new(0) }; 2],
        }
    }
}

impl Asked {
    /// Remembers a box of pixels.
    pub(crate) fn add(&self, nodes: NodeBox<2>) {
        for (a, [first, last]) in nodes.into_iter().enumerate() {
            self.min[a].fetch_min(first, Ordering::Relaxed);
            self.max[a].fetch_max(last + 1, Ordering::Relaxed);
        }
    }

    /// The smallest rectangle around all that are remembered; `None` if there are none.
    pub(crate) fn rect(&self) -> Option<PixelRect> {
        let [min, max] = [&self.min, &self.max].map(|ends| {
            let [x, y] = ends;
            [x, y].map(|end| end.load(Ordering::Relaxed))
        });
        (min[0] < max[0] && min[1] < max[1]).then_some(PixelRect { min, max })
    }

    /// Forgets them.
    pub(crate) fn forget(&self) {
        for a in 0..2 {
            self.min[a].store(u32::MAX, Ordering::Relaxed);
            self.max[a].store(0, Ordering::Relaxed);
        }
    }
}
