//! What may be wrong with a map, though it can be read.

use crate::diagnostic::Diagnostic;
use crate::grey_map::WHITE;
use crate::{RadiusField, RadiusMap};

/// A step in distance that changes the density by a fifth can be seen.
const VISIBLE: f64 = 1.1;

/// Up to so many greys are paint by numbers: their steps are meant.
const MEANT: usize = 16;

/// 8 bits have no more. A map of more greys has no bands.
const FEW: usize = 256;

/// A smaller share of the pixels is an accident.
const NOTABLE: f64 = 1e-3;

/// What may be wrong with a map whose distances are all multiplied by `factor`, as in
/// [`Scaled`](crate::Scaled); in time proportional to its pixels.
///
/// `steepest` is the slope, in distance per distance, that points can follow: 1 under rules by
/// which a sparse point keeps a dense one as far away as it likes itself, 2 under `mean`, infinity
/// when slopes do not matter.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, lint};
/// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusMap};
///
/// let map = GreyMap::from_fn(8, 8, |_, _| 1.0)?;
/// let field = RadiusMap::new(map, DistRange::new(2.0, 4.0)?, MapOptions::default())?;
/// assert_eq!(lint(&field, 1.0, 1.0), [Diagnostic::Flat { value: 1.0 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lint(field: &RadiusMap, factor: f64, steepest: f64) -> Vec<Diagnostic> {
    let map = field.map();
    let distances: Vec<f64> = (0..=u16::MAX)
        .map(|grey| {
            let sparseness = field.white().sparseness(f64::from(grey) / WHITE);
            factor * field.range().at(sparseness)
        })
        .collect();
    let mut used = vec![false; distances.len()];
    for (i, &grey) in map.greys().iter().enumerate() {
        if map.is_open(i) {
            used[usize::from(grey)] = true;
        }
    }
    let greys = || (0..used.len()).filter(|&grey| used[grey]);
    let (Some(darkest), Some(brightest)) = (greys().next(), greys().next_back()) else {
        return vec![Diagnostic::Nowhere];
    };
    let mut found = Vec::new();
    if darkest == brightest {
        let value = darkest as f64 / WHITE;
        found.push(Diagnostic::Flat { value });
    }
    let ends = [distances[darkest], distances[brightest]];
    let (least, greatest) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let size = field.bounds().size();
    let pixel = [
        size[0] / f64::from(map.width()),
        size[1] / f64::from(map.height()),
    ];
    let count = greys().count();
    if count > MEANT && count <= FEW {
        let steps = greys().zip(greys().skip(1));
        let steps = steps.map(|(a, b)| [distances[a], distances[b]]);
        let ratio = |[a, b]: [f64; 2]| a.max(b) / a.min(b);
        let widest = steps.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b)));
        found.extend(
            widest
                .filter(|&step| ratio(step) > VISIBLE)
                .map(|step| Diagnostic::Bands { greys: count, step }),
        );
    }
    let smaller = pixel[0].min(pixel[1]);
    if least < smaller {
        found.push(Diagnostic::BelowPixel {
            min_dist: least,
            pixel: smaller,
        });
    }
    let side = size[0].max(size[1]);
    if greatest > side {
        found.push(Diagnostic::AboveMap {
            max_dist: greatest,
            side,
        });
    }
    found.extend(steep(field, &distances, pixel, steepest));
    found
}

fn steep(
    field: &RadiusMap,
    distances: &[f64],
    pixel: [f64; 2],
    steepest: f64,
) -> Option<Diagnostic> {
    let map = field.map();
    let width = map.width() as usize;
    let distance = |i: usize| {
        let grey = || distances[usize::from(map.greys()[i])];
        map.is_open(i).then(grey)
    };
    let (mut open, mut over) = (0u64, 0u64);
    let (mut slope, mut at) = (0.0, 0);
    for i in 0..map.greys().len() {
        let Some(here) = distance(i) else { continue };
        open += 1;
        let right = (i % width + 1 < width).then(|| distance(i + 1)).flatten();
        let below = (i + width < map.greys().len())
            .then(|| distance(i + width))
            .flatten();
        let mut most = 0.0;
        for (next, side) in [(right, pixel[0]), (below, pixel[1])] {
            most = next.map_or(most, |next| ((next - here).abs() / side).max(most));
        }
        over += u64::from(most > steepest);
        if most > slope {
            (slope, at) = (most, i);
        }
    }
    let share = over as f64 / open as f64;
    (share > NOTABLE).then_some(Diagnostic::Steep {
        share,
        slope,
        at: [(at % width) as u32, (at / width) as u32],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Names, Role, Subject};
    use crate::{Bounds, DistRange, GreyMap, MapOptions};

    fn found(
        range: [f64; 2],
        size: [f64; 2],
        steepest: f64,
        f: impl Fn(u32, u32) -> f64,
    ) -> Vec<Diagnostic> {
        let map = GreyMap::from_fn(64, 64, f).expect("a good map");
        let range = DistRange::new(range[0], range[1]).expect("a good range");
        let options = MapOptions {
            bounds: Some(Bounds::from_size(size).expect("a good size")),
            ..MapOptions::default()
        };
        lint(
            &RadiusMap::new(map, range, options).expect("a good field"),
            1.0,
            steepest,
        )
    }

    #[test]
    fn a_good_map_has_nothing() {
        let ramp = |x: u32, y: u32| f64::from(x * 64 + y) / 4095.0;
        assert_eq!(found([2.0, 16.0], [64.0; 2], 1.0, ramp), []);
    }

    #[test]
    fn flat_maps() {
        let size = [64.0; 2];
        let flat = |grey: f64| found([2.0, 16.0], size, 1.0, move |_, _| grey);
        assert_eq!(flat(0.0), [Diagnostic::Flat { value: 0.0 }]);
        assert_eq!(flat(1.0), [Diagnostic::Flat { value: 1.0 }]);
        assert_eq!(flat(f64::NAN), [Diagnostic::Nowhere]);
        let but_one_hidden = found(
            [2.0, 16.0],
            size,
            1.0,
            |x, _| {
                if x == 0 { f64::NAN } else { 0.2 }
            },
        );
        assert_eq!(but_one_hidden, [Diagnostic::Flat { value: 0.2 }]);
    }

    #[test]
    fn is_told_in_short() {
        let told = |slope| {
            let at = [3, 4];
            let steep = Diagnostic::Steep {
                share: 0.5,
                slope,
                at,
            };
            let map = Subject::new(Role::Map, "", &Names::NONE);
            steep.about(&map).to_string()
        };
        assert!(told(2.0).contains("50.00 %") && told(2.0).contains("up to 2.000 per"));
        assert!(
            told(1e300).contains("up to 1.000e300 per"),
            "{}",
            told(1e300)
        );
    }

    #[test]
    fn bands_only_when_steps_show() {
        let eight_bits = |x: u32, y: u32| f64::from((x * 64 + y) / 16) / 255.0;
        let size = [64.0; 2];
        assert_eq!(found([2.0, 16.0], size, 9.0, eight_bits), []);
        let wide = found([1.0, 60.0], size, 9.0, eight_bits);
        let step = [1.0, 1.0 + 59.0 * 257.0 / 65535.0];
        assert_eq!(wide, [Diagnostic::Bands { greys: 256, step }]);
        let by_numbers = |x: u32, _| f64::from(x / 8) / 7.0;
        assert_eq!(found([1.0, 60.0], size, 99.0, by_numbers), []);
    }

    #[test]
    fn distances_off_the_scale() {
        let ramp = |x: u32, y: u32| f64::from(x * 64 + y) / 4095.0;
        assert_eq!(
            found([0.5, 2.0], [64.0; 2], 1.0, ramp),
            [Diagnostic::BelowPixel {
                min_dist: 0.5,
                pixel: 1.0
            }]
        );
        assert_eq!(
            found([2.0, 65.0], [64.0, 32.0], f64::INFINITY, ramp),
            [Diagnostic::AboveMap {
                max_dist: 65.0,
                side: 64.0
            }]
        );
    }

    #[test]
    fn edges_too_steep_for_the_rule() {
        let edge = |x: u32, _| if x < 32 { 0.0 } else { 1.0 };
        let steep = Diagnostic::Steep {
            share: 1.0 / 64.0,
            slope: 1.5,
            at: [31, 0],
        };
        assert_eq!(found([2.0, 3.5], [64.0; 2], 1.0, edge), [steep]);
        assert_eq!(found([2.0, 3.5], [64.0; 2], 2.0, edge), []);
        // The same edge in a world of twice the size is half as steep.
        assert_eq!(found([2.0, 3.5], [128.0; 2], 1.0, edge), []);
        let hidden = |x: u32, y| if x == 31 { f64::NAN } else { edge(x, y) };
        assert_eq!(found([2.0, 3.5], [64.0; 2], 1.0, hidden), []);
    }
}
