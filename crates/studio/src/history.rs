//! Undo and redo.

use crate::canvas::{Canvas, Tile};
use density::PixelRect;
use std::collections::VecDeque;

/// Bytes of former pixels that are kept at most, 2.5 GiB: 50 steps that change every pixel of a map of
/// 4096 x 4096 and of its mask to noise, or some thousands of strokes, each a few tiles.
const BUDGET: usize = 10 << 28;

/// What a step takes back: former pixels of a layer's map.
#[derive(Debug)]
pub(crate) struct Step {
    /// The layer whose map it is, by the number that it keeps for life.
    pub(crate) layer: u64,
    /// Columns and rows of the former map.
    pub(crate) size: [u32; 2],
    /// Those that differed; all of them, if the map had another size.
    pub(crate) tiles: Vec<Tile>,
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
    Pixels(PixelRect),
    /// All pixels, and perhaps the size.
    Map,
}

impl Step {
    fn bytes(&self) -> usize {
        self.tiles.iter().map(Tile::bytes).sum()
    }

    /// Exchanges the former pixels with the present ones.
    pub(crate) fn swap(&mut self, canvas: &mut Canvas) -> Changed {
        let size = [canvas.width(), canvas.height()];
        if size == self.size {
            let changed = canvas.swap(&mut self.tiles);
            return changed.map_or(Changed::Nothing, Changed::Pixels);
        }
        let [width, height] = self.size;
        let mut former = Canvas::even(width, height, 0);
        former.swap(&mut self.tiles);
        self.size = size;
        self.tiles = canvas.tiles();
        *canvas = former;
        Changed::Map
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brush::{Brush, Tool};
    use crate::canvas::Stroke;

    /// Steps that change every pixel and the mask: noise has no tile of one entry.
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
        };
        assert!(step.bytes() >= 3 * (side * side) as usize);
        let large = (4096 / side).pow(2) as usize * step.bytes();
        assert!(50 * large <= BUDGET, "{large} bytes a step");
    }

    /// 50 strokes of the page's widest brush, of which every fifth goes all across a map that is 4096
    /// wide, which is noise. Were all like that, they would fit.
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
            });
        }
        assert_eq!(history.depths(), [50, 0]);
        let last = canvas.clone();
        let bytes: usize = history.done.iter().step_by(5).map(Step::bytes).sum();
        assert!(5 * bytes < BUDGET / 4, "{bytes} bytes");
        for (way, expected) in [(Way::Back, &first), (Way::Forth, &last)] {
            while let Some(mut step) = history.take(way) {
                step.swap(&mut canvas);
                history.put(way, step);
            }
            assert!(canvas == *expected, "{way:?}");
        }
    }
}
