//! Undo and redo.

use crate::canvas::{Canvas, Rect, Tile};
use std::collections::VecDeque;

/// So many bytes of former pixels are kept; of strokes, each a few tiles, that is some thousands.
const BUDGET: usize = 1 << 30;

/// What a step takes back: former pixels of a layer's map.
#[derive(Debug)]
pub(crate) struct Step {
    /// The layer whose map it is, by the number that it keeps for life.
    pub(crate) layer: u64,
    pub(crate) former: Former,
}

#[derive(Debug)]
pub(crate) enum Former {
    /// Those of some tiles.
    Tiles(Vec<Tile>),
    /// All, perhaps of another size.
    Whole(Box<Canvas>),
}

/// Which way steps are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Undo.
    Back,
    /// Redo.
    Forth,
}

/// What a step changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    Nothing,
    Pixels(Rect),
    /// All pixels, and perhaps the size.
    Map,
}

impl Step {
    fn bytes(&self) -> usize {
        match &self.former {
            Former::Tiles(tiles) => tiles.iter().map(Tile::bytes).sum(),
            Former::Whole(canvas) => canvas.bytes(),
        }
    }

    /// Exchanges the former pixels with the present ones.
    pub(crate) fn swap(&mut self, canvas: &mut Canvas) -> Changed {
        match &mut self.former {
            Former::Tiles(tiles) => canvas.swap(tiles).map_or(Changed::Nothing, Changed::Pixels),
            Former::Whole(former) => {
                std::mem::swap(&mut **former, canvas);
                Changed::Map
            }
        }
    }
}

/// The steps that can be taken back, and those that were.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Remembers a step; what was taken back before cannot be brought again.
    pub(crate) fn push(&mut self, step: Step) {
        self.undone.clear();
        self.done.push_back(step);
        let mut bytes: usize = self.done.iter().map(Step::bytes).sum();
        while bytes > BUDGET && self.done.len() > 1 {
            bytes -= self.done.pop_front().map_or(0, |step| step.bytes());
        }
    }

    /// How many steps can be taken back, and how many brought again.
    pub(crate) fn depths(&self) -> [usize; 2] {
        [self.done.len(), self.undone.len()]
    }

    /// Takes the step that comes next out; `put` has to follow.
    pub(crate) fn take(&mut self, way: Way) -> Option<Step> {
        match way {
            Way::Back => self.done.pop_back(),
            Way::Forth => self.undone.pop(),
        }
    }

    /// Puts a step that was taken and swapped to those of the other way.
    pub(crate) fn put(&mut self, way: Way, step: Step) {
        match way {
            Way::Back => self.undone.push(step),
            Way::Forth => self.done.push_back(step),
        }
    }

    /// Forgets the steps of a layer that is gone.
    pub(crate) fn forget(&mut self, layer: u64) {
        self.done.retain(|step| step.layer != layer);
        self.undone.retain(|step| step.layer != layer);
    }
}
