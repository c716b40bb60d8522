//! Paints a map with a soft brush.

use crate::Dice;

/// A canvas of greys in [0, 1], painted with round dabs.
#[derive(Clone, Debug)]
pub(crate) struct Painting {
    width: usize,
    height: usize,
    greys: Vec<f64>,
}

/// A pass of the brush over the canvas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strokes {
    /// The brush's radius, pixels.
    pub(crate) radius: f64,
    /// The opacity of a dab at its centre, in [0, 1].
    pub(crate) opacity: f64,
    /// Largest deviation of a dab's grey from the intended one.
    pub(crate) stray: f64,
    /// Seed of the positions of the dabs.
    pub(crate) seed: u64,
}

impl Painting {
    /// Creates a canvas of one grey.
    pub(crate) fn new(width: u32, height: u32, grey: f64) -> Self {
        let (width, height) = (width as usize, height as usize);
        Self {
            width,
            height,
            greys: vec![grey; width * height],
        }
    }

    /// Paints dabs all over the canvas, two thirds of a radius apart with random offsets, in random
    /// order. Each has the grey that `meant` returns for its centre; `None` omits the dab. The
    /// positions do not come from the sampler: a map must not change with it.
    pub(crate) fn paint(&mut self, strokes: Strokes, meant: impl Fn([f64; 2]) -> Option<f64>) {
        let mut dice = Dice::new(strokes.seed);
        let step = strokes.radius / 1.5;
        // Dabs may lie beyond the edge, which would otherwise stay pale.
        let count = |length: usize| (length as f64 / step).ceil() as u32 + 3;
        let mut dabs = Vec::new();
        for row in 0..count(self.height) {
            for column in 0..count(self.width) {
                let shaken = |i: u32, dice: &mut Dice| step * (f64::from(i) - 2.0 + dice.unit());
                dabs.push([shaken(column, &mut dice), shaken(row, &mut dice)]);
            }
        }
        while let Some(index) = dice.below(dabs.len()) {
            let dab = dabs.swap_remove(index);
            let stray = strokes.stray * dice.between(-1.0, 1.0);
            if let Some(grey) = meant(dab) {
                self.dab(dab, strokes.radius, strokes.opacity, grey + stray);
            }
        }
    }

    fn dab(&mut self, [x, y]: [f64; 2], radius: f64, opacity: f64, grey: f64) {
        let span = |middle: f64, length: usize| {
            let clip = |edge: f64| edge.clamp(0.0, length as f64) as usize;
            clip((middle - radius).floor())..clip((middle + radius).ceil())
        };
        for row in span(y, self.height) {
            for column in span(x, self.width) {
                let (dx, dy) = (column as f64 + 0.5 - x, row as f64 + 0.5 - y);
                let depth = 1.0 - (dx * dx + dy * dy) / (radius * radius);
                if depth > 0.0 {
                    let below = &mut self.greys[row * self.width + column];
                    *below += opacity * depth * (grey - *below);
                }
            }
        }
    }

    /// Returns the grey of a pixel.
    pub(crate) fn grey(&self, x: u32, y: u32) -> f64 {
        self.greys[y as usize * self.width + x as usize]
    }
}
