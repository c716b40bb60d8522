//! Checks the positions of images, polygons and points to avoid.

use crate::diagnostic::Diagnostic;
use crate::{Bounds, YAxis};

/// Share of the polygons' box inside the world below which the polygons may be in other units.
const MOSTLY_OUT: f64 = 0.25;

/// Share of the world inside the polygons' box below which the polygons may be in other units.
const SPECK: f64 = 1e-3;

/// Differences between edges below this share of the map do not count, nor do those within one pixel.
const SAME: f64 = 0.001;

/// Returns a warning if an image of `pixels`, which is laid over the world of a map, lies elsewhere according to both
/// files.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::{Diagnostic, misplaced_image};
///
/// let world = Bounds::from_size([100.0, 100.0])?;
/// let coarser = Bounds::new([-4.0, 0.0], [104.0, 100.0])?;
/// assert_eq!(misplaced_image(&world, &coarser, [20, 20]), None);
/// let own = Bounds::new([100.0, 0.0], [200.0, 100.0])?;
/// let found = misplaced_image(&world, &own, [20, 20]);
/// assert_eq!(found, Some(Diagnostic::Elsewhere { world, own }));
/// // Half of a hundredth of the map is more than a pixel of a fine image.
/// let moved = Bounds::new([0.5, 0.0], [100.5, 100.0])?;
/// assert!(misplaced_image(&world, &moved, [1000, 1000]).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn misplaced_image(world: &Bounds<2>, own: &Bounds<2>, pixels: [u32; 2]) -> Option<Diagnostic> {
    let (world, own) = (*world, *own);
    let is_same = (0..2).all(|a| {
        let pixel = own.size()[a] / f64::from(pixels[a]);
        let slack = f64::max(pixel, SAME * world.size()[a]);
        let apart = [own.min()[a] - world.min()[a], own.max()[a] - world.max()[a]];
        apart.iter().all(|by| by.abs() <= slack)
    });
    (!is_same).then_some(Diagnostic::Elsewhere { world, own })
}

/// Returns a warning if a file's coordinate system `own` differs from the map's, `map`; `None` unless both are named.
///
/// ```
/// use spinney_density::diagnostic::other_system;
///
/// assert!(other_system(Some("EPSG:32632"), Some("EPSG:32633")).is_some());
/// assert_eq!(other_system(Some("EPSG:32633"), Some("EPSG:32633")), None);
/// assert_eq!(other_system(None, Some("EPSG:32633")), None);
/// ```
pub fn other_system(own: Option<&str>, map: Option<&str>) -> Option<Diagnostic> {
    let (own, map) = own.zip(map)?;
    (own != map).then(|| Diagnostic::OtherSystem {
        own: own.to_owned(),
        map: map.to_owned(),
    })
}

/// Returns likely mistakes in the position of polygons with the box `own`, in world units.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, misplaced_polygons};
/// use spinney_density::{Bounds, YAxis};
///
/// let world = Bounds::from_size([100.0, 100.0])?;
/// let own = Bounds::new([90.0, 90.0], [900.0, 900.0])?;
/// let found = misplaced_polygons(&world, YAxis::Down, &own);
/// assert_eq!(found, [Diagnostic::MostlyOutside { world, own }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn misplaced_polygons(world: &Bounds<2>, y_axis: YAxis, own: &Bounds<2>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if world.min() != [0.0; 2] && y_axis == YAxis::Down {
        found.push(Diagnostic::PolygonRows);
    }
    let inside = world.intersection(own).map_or([0.0; 2], |both| both.size());
    let share = |size: [f64; 2]| inside[0] / size[0] * (inside[1] / size[1]);
    let (seen, held) = (share(own.size()), share(world.size()));
    let (world, own) = (*world, *own);
    if seen < MOSTLY_OUT {
        found.push(Diagnostic::MostlyOutside { world, own });
    } else if held < SPECK {
        found.push(Diagnostic::Speck { world, own });
    }
    found
}

/// Returns a warning if none of the points to avoid, each with its own distance, is near the world. `None` without
/// points.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::{Diagnostic, misplaced_points};
///
/// let world = Bounds::from_size([100.0, 100.0])?;
/// assert_eq!(misplaced_points(&world, [([150.0, 50.0], 3.0)]), None);
/// let far = misplaced_points(&world, [([250.0, 50.0], 3.0)]);
/// assert_eq!(far, Some(Diagnostic::AvoidFar { world }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn misplaced_points(
    world: &Bounds<2>,
    points: impl IntoIterator<Item = ([f64; 2], f64)>,
) -> Option<Diagnostic> {
    let [min, max] = [world.min(), world.max()];
    // The conflict rule decides how far outside of the world a point matters, and a periodic world repeats.
    let is_near = |(position, min_dist): ([f64; 2], f64)| {
        let beside = world.longest_side().max(min_dist);
        (0..2).all(|a| (min[a] - beside..max[a] + beside).contains(&position[a]))
    };
    let mut points = points.into_iter().peekable();
    let is_far = points.peek().is_some() && !points.any(is_near);
    is_far.then_some(Diagnostic::AvoidFar { world: *world })
}
