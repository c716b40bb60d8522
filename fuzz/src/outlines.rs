//! Targets for polygons from text, and their regions.

use density::polygons::{Outlines, Polygons};
use density::{Bounds, Region, Share};

/// Reads GeoJSON.
pub fn outline_geojson(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(outlines) = Outlines::from_geojson(text)
    {
        asked(outlines);
    }
}

/// Reads SVG.
pub fn outline_svg(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for tolerance in [1.0, 1e-3] {
        if let Ok(outlines) = Outlines::from_svg(text, tolerance) {
            asked(outlines);
        }
    }
}

/// Checks that a region's answers for boxes hold for places inside them.
fn asked(outlines: Outlines) {
    assert!(!outlines.polygons.is_empty());
    let Ok(region) = Polygons::new(outlines.polygons) else {
        return;
    };
    let around = region.bounds();
    let (min, size) = (around.min(), around.size());
    let at = |x: u32, y: u32| {
        [
            min[0] + size[0] / 16.0 * f64::from(x),
            min[1] + size[1] / 16.0 * f64::from(y),
        ]
    };
    // Strips as narrow as rounding count as closed.
    let holds = |p: [f64; 2]| {
        let beside = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let moved =
            beside.map(|step| [0, 1].map(|a| p[a] + 1e-12 * step[a] * size[a].max(p[a].abs())));
        region.holds(p) && moved.into_iter().all(|p| region.holds(p))
    };
    for y in 0..16 {
        for x in 0..16 {
            let Ok(part) = Bounds::new(at(x, y), at(x + 1, y + 1)) else {
                continue;
            };
            let last = part.max().map(f64::next_down);
            let share = region.share_in(&part);
            for p in [part.min(), part.center(), last, [part.min()[0], last[1]]] {
                match share {
                    Share::All => assert!(region.holds(p), "{p:?} in {part:?}"),
                    Share::None => assert!(!holds(p), "{p:?} in {part:?}"),
                    Share::Part => {}
                }
            }
        }
    }
    assert!(!region.holds([f64::NAN, 0.0]));
    assert!(!region.holds(around.max()), "its upper corner is outside");
}
