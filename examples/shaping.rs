//! Dev.Mag's figures 7 to 9 before and after shaping the map: the gradient limit for a fall-off
//! with an empty centre and for dense patches that stay empty, the dilation by the local distance
//! for dense squares that spill.

use anyhow::Result;
use density::shape::{DistMap, Ramp, Side, dilate_local, limit, ramp_around};
use density::{Bounds, DistRange, GreyMap, MapOptions, RadiusField, RadiusMap, White};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};

/// A map in the world, and the points that follow it.
struct Scene {
    world: Bounds<2>,
    range: DistRange,
    width: f64,
}

impl Scene {
    /// Returns the distances that `map` stands for.
    fn distances(&self, map: &GreyMap) -> Result<DistMap> {
        let [x, y] = self.world.size();
        let pixel = [x / f64::from(map.width()), y / f64::from(map.height())];
        Ok(DistMap::new(map, self.range, White::Sparse, pixel)?)
    }

    fn field(&self, distances: &DistMap) -> Result<RadiusMap> {
        let map = distances.to_map(self.range, White::Sparse)?;
        let options = MapOptions {
            bounds: Some(self.world),
            ..MapOptions::default()
        };
        Ok(RadiusMap::new(map, self.range, options)?)
    }

    /// Draws the points for `distances` over a picture of `backdrop`.
    fn draw(
        &self,
        name: &str,
        distances: &DistMap,
        backdrop: &DistMap,
        rule: Rule,
    ) -> Result<Canvas> {
        let field = self.field(distances)?;
        let shown = self.field(backdrop)?;
        let options = BridsonOptions {
            rule,
            ..BridsonOptions::default()
        };
        let points: Vec<Sample<2>> = Bridson::new(&field, self.world, options)?.collect();
        check_spacing(&points, rule)?;
        let mut canvas = Canvas::new(self.world, self.width, Color::WHITE)?;
        let dense = Color::hex(0x00f0_cf86);
        canvas.backdrop(|p| dense.to(Color::WHITE, shown.value(p)));
        for point in &points {
            canvas.disk(point.position, 1.5 / canvas.scale(), Color::INK);
        }
        // The density that Bridson's algorithm reaches with constant distance.
        let expected = distances.expected_points() * 0.615 / density::shape::PACKING;
        println!(
            "{name}: {} points where {expected:.0} would follow the map",
            points.len()
        );
        Ok(canvas)
    }
}

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let width = run.length(400.0);

    let scene = Scene {
        world: Bounds::from_size([160.0; 2])?,
        range: DistRange::new(1.5, 80.0)?,
        width,
    };
    // r = d from the centre.
    let cone = ramp_around([640; 2], &[[320.0; 2]], 320.0, Ramp::Linear)?;
    let cone = scene.distances(&cone)?;
    let limited = limit(&cone, 0.25, Side::Dense)?;
    let panels = [
        scene.draw("figure 7, r = d", &cone, &cone, Rule::Max)?,
        scene.draw("limited to 0.25", &limited, &limited, Rule::Max)?,
    ];
    run.save("shaping_figure7_falloff", &Canvas::beside(&panels, 12)?)?;

    let scene = Scene {
        world: Bounds::from_size([184.0; 2])?,
        range: DistRange::new(2.2, 18.0)?,
        width,
    };
    let patches = scene.distances(&patches()?)?;
    let limited = limit(&patches, 0.25, Side::Dense)?;
    let panels = [
        scene.draw("figure 8, as painted", &patches, &patches, Rule::Max)?,
        scene.draw("limited to 0.25", &limited, &limited, Rule::Max)?,
    ];
    run.save("shaping_figure8_starving", &Canvas::beside(&panels, 12)?)?;

    let scene = Scene {
        world: Bounds::from_size([256.0; 2])?,
        range: DistRange::new(3.0, 14.0)?,
        width,
    };
    // Four by four squares.
    let board = scene.distances(&GreyMap::from_fn(256, 256, |x, y| {
        f64::from((x / 64 + y / 64) % 2)
    })?)?;
    let grown = dilate_local(&board, 1.0, Side::Sparse)?;
    let limited = limit(&board, 0.25, Side::Dense)?;
    let panels = [
        scene.draw("figure 9, rule parent", &board, &board, Rule::Parent)?,
        scene.draw("sparse squares grown", &grown, &board, Rule::Parent)?,
        scene.draw("limited, rule max", &limited, &limited, Rule::Max)?,
    ];
    run.save(
        "shaping_figure9_checkerboard",
        &Canvas::beside(&panels, 12)?,
    )
}

/// Returns sixteen dense patches of four sizes, at four pixels a world unit.
fn patches() -> Result<GreyMap> {
    const PITCH: f64 = 46.0;
    let radius = [4.0, 8.0, 12.0, 17.0];
    Ok(GreyMap::from_fn(736, 736, |x, y| {
        let place = [x, y].map(|v| (f64::from(v) + 0.5) / 4.0);
        let away = place.map(|v| v % PITCH - 0.5 * PITCH);
        let column = (place[0] / PITCH) as usize;
        let inside = away[0] * away[0] + away[1] * away[1] < radius[column] * radius[column];
        if inside { 0.0 } else { 1.0 }
    })?)
}
