//! Undo and redo.

use crate::canvas::{Canvas, Tile};
use density::PixelRect;
use std::collections::VecDeque;

/// Largest total size of former pixels, 2.5 GiB. That is 50 steps that change all of a 4096 x 4096 map
/// and its mask to noise, or thousands of strokes of a few tiles each.
const BUDGET: usize = 10 << 28;

/// The facts about a map besides its pixels.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Warnings from reading the map.
    pub(crate) warnings: Vec<String>,
    /// Whether the map is from a file. An even map that was made here is no mistake.
    pub(crate) is_read: bool,
}

/// A step of undo: former pixels of a layer's map.
#[derive(Debug)]
pub(crate) struct Step {
    /// The permanent id of the layer.
    pub(crate) layer: u64,
    /// Columns and rows of the former map.
    pub(crate) size: [u32; 2],
    /// The tiles that differed, or all tiles if the map had another size.
    pub(crate) tiles: Vec<Tile>,
    /// The facts about the map before the step; `None` for strokes.
    pub(crate) source: Option<Source>,
}

/// The direction of a move through the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Undo,
    Redo,
}

/// Pixels that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dirty {
    None,
    Pixels(PixelRect),
    /// All pixels, and perhaps the map's size or the settings.
    All,
}

impl Dirty {
    /// Returns all pixels of both.
    pub(crate) fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Pixels(a), Self::Pixels(b)) => Self::Pixels(a.with(&b)),
            _ => Self::All,
        }
    }
}

impl From<Option<PixelRect>> for Dirty {
    fn from(rect: Option<PixelRect>) -> Self {
        rect.map_or(Self::None, Self::Pixels)
    }
}

impl Step {
    fn bytes(&self) -> usize {
        self.tiles.iter().map(Tile::bytes).sum()
    }

    /// Exchanges the former pixels with the present ones. Returns those that changed.
    pub(crate) fn swap(&mut self, canvas: &mut Canvas) -> Dirty {
        let size = [canvas.width(), canvas.height()];
        if size == self.size {
            return canvas.swap(&mut self.tiles).into();
        }
        let [width, height] = self.size;
        let mut former = Canvas::even(width, height, 0);
        former.swap(&mut self.tiles);
        self.size = size;
        self.tiles = canvas.tiles();
        *canvas = former;
        Dirty::All
    }
}

/// The steps to undo and the steps to redo.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Adds a step, and discards all steps that could be redone.
    pub(crate) fn push(&mut self, step: Step) {
        self.undone.clear();
        self.done.push_back(step);
        let mut bytes: usize = self.done.iter().map(Step::bytes).sum();
        while bytes > BUDGET && self.done.len() > 1 {
            bytes -= self.done.pop_front().map_or(0, |step| step.bytes());
        }
    }

    /// Returns the number of steps to undo and the number of steps to redo.
    pub(crate) fn depths(&self) -> [usize; 2] {
        [self.done.len(), self.undone.len()]
    }

    /// Removes and returns the next step. The caller has to [`put`](Self::put) it back.
    pub(crate) fn take(&mut self, direction: Direction) -> Option<Step> {
        match direction {
            Direction::Undo => self.done.pop_back(),
            Direction::Redo => self.undone.pop(),
        }
    }

    /// Adds a step that was taken and swapped, for the opposite direction.
    pub(crate) fn put(&mut self, direction: Direction, step: Step) {
        match direction {
            Direction::Undo => self.undone.push(step),
            Direction::Redo => self.done.push_back(step),
        }
    }

    /// Discards the steps of a removed layer.
    pub(crate) fn forget(&mut self, layer: u64) {
        self.done.retain(|step| step.layer != layer);
        self.undone.retain(|step| step.layer != layer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brush::{Brush, Tool};
    use crate::canvas::Stroke;

    /// Steps that change every pixel and the mask. No tile of noise shortens to one entry.
    #[test]
    fn fifty_maps_of_noise_fit() {
        let side = 512;
        let mut noise = 1_u32;
        let noisy = density::GreyMap::from_fn(side, side, |_, _| {
            noise = noise.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let value = f64::from(noise) / f64::from(u32::MAX);
            if value < 0.1 { f64::NAN } else { value }
        });
        let step = Step {
            layer: 0,
            size: [side, side],
            tiles: Canvas::of_map(&noisy.expect("a map")).tiles(),
            source: None,
        };
        assert!(step.bytes() >= 3 * (side * side) as usize);
        let large = (4096 / side).pow(2) as usize * step.bytes();
        assert!(50 * large <= BUDGET, "{large} bytes a step");
    }

    /// Paints 50 strokes with the page's widest brush on noise. Every fifth crosses a map 4096 wide; 50
    /// of those fit, too.
    #[test]
    fn fifty_steps_of_a_large_map_fit() {
        let size = [4096, 1024];
        let mut noise = 1_u32;
        let noisy = density::GreyMap::from_fn(size[0], size[1], |_, _| {
            noise = noise.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            f64::from(noise) / f64::from(u32::MAX)
        });
        let first = Canvas::of_map(&noisy.expect("a map"));
        let mut canvas = first.clone();
        let mut history = History::default();
        for number in 0..50 {
            let brush = Brush {
                tool: Tool::Paint,
                value: f64::from(number) / 50.0,
                size: 300.0,
                hardness: 0.4,
                strength: 0.5,
            };
            let mut stroke = Stroke::new(brush);
            let y = 18.0 * f64::from(number);
            let end = if number % 5 == 0 { 4096.0 } else { 50.0 };
            canvas.paint(&mut stroke, &[[0.0, y], [end, y + 90.0]]);
            let tiles = stroke.into_tiles();
            history.push(Step {
                layer: 0,
                size,
                tiles,
                source: None,
            });
        }
        assert_eq!(history.depths(), [50, 0]);
        let last = canvas.clone();
        let bytes: usize = history.done.iter().step_by(5).map(Step::bytes).sum();
        assert!(5 * bytes < BUDGET / 4, "{bytes} bytes");
        for (direction, expected) in [(Direction::Undo, &first), (Direction::Redo, &last)] {
            while let Some(mut step) = history.take(direction) {
                step.swap(&mut canvas);
                history.put(direction, step);
            }
            assert!(canvas == *expected, "{direction:?}");
        }
    }
}
