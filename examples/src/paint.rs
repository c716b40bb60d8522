//! Painting a map with a soft brush.

use anyhow::Result;
use density::{Bounds, Constant};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sampler::{Bridson, BridsonOptions};

/// A canvas of greys in [0, 1], painted with round dabs.
#[derive(Clone, Debug)]
pub struct Painting {
    width: usize,
    height: usize,
    greys: Vec<f64>,
}

/// One pass of the brush over the canvas.
#[derive(Clone, Copy, Debug)]
pub struct Strokes {
    /// The brush's radius, pixels.
    pub radius: f64,
    /// How much of what lies below a dab's middle it hides, in [0, 1].
    pub opacity: f64,
    /// How far a dab's grey strays from what was meant.
    pub stray: f64,
    /// Where the dabs lie.
    pub seed: u64,
}

impl Painting {
    /// A canvas primed with one grey.
    pub fn new(width: u32, height: u32, grey: f64) -> Self {
        let (width, height) = (width as usize, height as usize);
        Self {
            width,
            height,
            greys: vec![grey; width * height],
        }
    }

    /// Dabs at Poisson-disk points, four fifths of a radius apart; each takes the grey that
    /// `meant` gives for its middle, and is left out where that is `None`.
    ///
    /// # Errors
    /// When the brush has no size.
    pub fn paint(
        &mut self,
        strokes: Strokes,
        meant: impl Fn([f64; 2]) -> Option<f64>,
    ) -> Result<()> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(strokes.seed);
        // Dabs may lie beyond the edge, else it would stay pale.
        let margin = strokes.radius;
        let domain = Bounds::new(
            [-margin; 2],
            [self.width as f64 + margin, self.height as f64 + margin],
        )?;
        let options = BridsonOptions {
            seed: strokes.seed,
            ..BridsonOptions::default()
        };
        for dab in Bridson::new(Constant::new(0.8 * strokes.radius)?, domain, options)? {
            let unit = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            if let Some(grey) = meant(dab.position) {
                let grey = grey + strokes.stray * (2.0 * unit - 1.0);
                self.dab(dab.position, strokes.radius, strokes.opacity, grey);
            }
        }
        Ok(())
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

    /// The grey of a pixel.
    pub fn grey(&self, x: u32, y: u32) -> f64 {
        self.greys[y as usize * self.width + x as usize]
    }
}
