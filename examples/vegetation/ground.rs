//! The ground under the plants.

use anyhow::Result;
use density::{DistRange, GreyMap, MapOptions, Perlin, PerlinOptions, RadiusField, RadiusMap};
use spinney_examples::{Color, smoothstep};

/// The ground's colours.
#[derive(Clone)]
pub(crate) struct Ground {
    greys: RadiusMap,
    /// The share of water around a place, for a narrow and a wide neighbourhood.
    shore: RadiusMap,
    depth: RadiusMap,
    mottle: Perlin,
}

impl Ground {
    pub(crate) fn new(map: &GreyMap) -> Result<Self> {
        let range = DistRange::new(1.0, 2.0)?;
        let field = |map: GreyMap| RadiusMap::new(map, range, MapOptions::default());
        let noise = PerlinOptions {
            seed: 3,
            frequency: 1.0 / 28.0,
            ..PerlinOptions::default()
        };
        // Drops the mask, since there is ground at the water's edge, too.
        let dry = GreyMap::from_fn(map.width(), map.height(), |x, y| {
            if map.allowed(x, y) {
                map.value(x, y)
            } else {
                0.3
            }
        })?;
        Ok(Self {
            greys: field(dry)?,
            shore: field(blurred(map, 3)?)?,
            depth: field(blurred(map, 13)?)?,
            mottle: Perlin::new(range, noise)?,
        })
    }

    /// Returns the distance between lilies, which float in drifts on shallow water.
    pub(crate) fn lily(&self, p: [f64; 2]) -> Option<f64> {
        let depth = self.depth.grey_at(p)?;
        let drift = self.mottle.value([p[0], p[1] + 500.0]);
        let grows = self.shore.grey_at(p)? > 0.97 && depth < 0.97 && drift > 0.55;
        grows.then_some(2.2 + 12.0 * (1.0 - drift))
    }

    pub(crate) fn color(&self, p: [f64; 2]) -> Color {
        let grey = self.greys.grey_at(p).unwrap_or(0.0);
        let mottle = self.mottle.value(p) - 0.5;
        let (litter, grass, pale) = (0x0046_6a35, 0x0086_ab4c, 0x00a9_c163);
        let [litter, grass, pale] = [litter, grass, pale].map(Color::hex);
        let land = litter
            .to(grass, smoothstep(0.1, 0.55, grey + 0.25 * mottle))
            .to(pale, smoothstep(0.55, 0.95, grey + 0.5 * mottle));
        let sand = Color::hex(0x00d9_c08b).to(Color::hex(0x00c4_a772), 0.5 + mottle);
        let land = land
            .to(Color::hex(0x007f_9248), 0.5 * smoothstep(0.86, 0.93, grey))
            .to(sand, smoothstep(0.915, 0.955, grey + 0.03 * mottle));
        let shore = self.shore.grey_at(p).unwrap_or(0.0);
        let depth = self.depth.grey_at(p).unwrap_or(0.0);
        let shallow = Color::hex(0x005f_b3b3);
        let water = shallow.to(
            Color::hex(0x001e_6a8a),
            smoothstep(0.4, 1.08, depth + 0.12 * mottle),
        );
        land.to(Color::hex(0x004b_5a37), 0.7 * smoothstep(0.05, 0.5, shore))
            .to(water, smoothstep(0.46, 0.54, shore))
    }
}

/// Returns the share of water in the square that extends `reach` pixels to each side.
fn blurred(map: &GreyMap, reach: u32) -> Result<GreyMap> {
    let side = 2 * reach + 1;
    let blurred = GreyMap::from_fn(map.width(), map.height(), |x, y| {
        let squares = (0..side * side).map(|i| (x + i % side, y + i / side));
        let wet = squares
            .filter(|&(x, y)| !map.allowed(x.saturating_sub(reach), y.saturating_sub(reach)));
        wet.count() as f64 / f64::from(side * side)
    })?;
    Ok(blurred)
}
