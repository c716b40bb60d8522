//! Checks the positions of images, polygons and points to avoid.

use crate::diagnostic::{Diagnostic, corners};
use crate::{Bounds, PixelRect, YAxis};
use std::ops::Range;
use thiserror::Error;

/// Share of the polygons' box inside the world below which the polygons may be in other units.
const MOSTLY_OUT: f64 = 0.25;

/// Share of the world inside the polygons' box below which the polygons may be in other units.
const SPECK: f64 = 1e-3;

/// Differences between edges below this share of a pixel do not count.
const SAME: f64 = 0.1;

/// Differences between edges below this share of the greatest coordinate do not count: numbers in text files are
/// rounded to some ten digits.
const ROUNDING: f64 = 1e-10;

/// Longitudes and latitudes.
const GLOBE: [f64; 2] = [180.0, 90.0];

/// Ranges of EPSG's numbers with projected coordinate systems only.
const PROJECTED: [Range<u32>; 3] = [2000..3800, 3857..3858, 20_047..32_768];

/// The place of an image on a map.
///
/// See [`lay`].
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// Its rectangle.
    pub bounds: Bounds<2>,
    /// Its coordinate system by authority and code, if known.
    pub crs: Option<String>,
    /// Width and height of a pixel.
    pub pixel: [f64; 2],
}

/// A mask or heights in the world of a map.
///
/// See [`lay`].
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// The rectangle that they cover. Beyond it, no point may lie.
    pub place: Bounds<2>,
    /// The pixels that lie there, of a mask that was cut; `None` over the world.
    pub pixels: Option<PixelRect>,
    /// A warning about the place.
    pub found: Option<Diagnostic>,
}

/// Lays a mask or heights in the world of a map: at their own place, `own`, or over the world if the systems differ or all
/// edges differ by less than a tenth of a pixel.
///
/// A single edge that differs by less is moved to the world's. For each axis, a pixel is the smaller one of the two
/// images. If `cut` is the size of the mask, pixels of which less than a tenth lies in the world are left out; its first
/// row is in the north, and `y` runs up.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, Footprint, Laid, lay};
/// use spinney_density::{Bounds, PixelRect};
///
/// let image = |bounds| Footprint { bounds, crs: None, pixel: [10.0, 10.0] };
/// let world = Bounds::from_size([100.0, 100.0])?;
/// let own = Bounds::new([-20.0, 25.0], [20.0, 125.0])?;
/// let found = Some(Diagnostic::CoversPart { world, own });
/// let pixels = Some(PixelRect { min: [2, 2], max: [4, 10] });
/// let place = Bounds::new([0.0, 25.0], [20.0, 105.0])?;
/// let laid = lay(&image(world), &image(own), Some([4, 10]))?;
/// assert_eq!(laid, Laid { place, pixels, found });
///
/// let own = Bounds::new([0.5, -7.0], [95.0, 150.0])?;
/// let found = Some(Diagnostic::CoversPart { world, own });
/// let place = Bounds::new([0.0, -7.0], [95.0, 150.0])?;
/// let laid = lay(&image(world), &image(own), None)?;
/// assert_eq!(laid, Laid { place, pixels: None, found });
///
/// let far = Bounds::new([200.0, 0.0], [300.0, 9.0])?;
/// let told = lay(&image(world), &image(far), None).map_err(|e| e.to_string());
/// let text = "it covers 200,0 to 300,9, and the world 0,0 to 100,100: they do not overlap";
/// assert_eq!(told, Err(text.to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If they do not overlap.
pub fn lay(world: &Footprint, own: &Footprint, cut: Option<[u32; 2]>) -> Result<Laid, NoOverlap> {
    let over = Laid {
        place: world.bounds,
        pixels: None,
        found: misplaced_image(world, own),
    };
    if !matches!(over.found, Some(Diagnostic::Elsewhere { .. })) {
        return Ok(over);
    }
    let pixel = finer_pixel(world, own);
    let (world, own) = (world.bounds, own.bounds);
    if world.intersection(&own).is_none() {
        return Err(NoOverlap { world, own });
    }
    let cut = cut.map(|size| cut_to_world(&world, &own, size, pixel));
    let (pixels, place) = cut.unzip();
    let place = snapped(&world, &place.unwrap_or(own), pixel);
    let found = (!place.encloses(&world)).then_some(Diagnostic::CoversPart { world, own });
    Ok(Laid {
        place,
        pixels,
        found,
    })
}

/// Returns for each axis the smaller side of a pixel of two images.
fn finer_pixel(one: &Footprint, other: &Footprint) -> [f64; 2] {
    [0, 1].map(|a| one.pixel[a].min(other.pixel[a]))
}

/// Returns a warning if an image that is laid over the world of a map is in another coordinate system, or lies a tenth of
/// a pixel or more elsewhere. A pixel is the smaller one of the image and the map, for each axis.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::{Diagnostic, Footprint, misplaced_image};
///
/// let [world, own] = [Bounds::from_size([100.0, 100.0])?, Bounds::new([0.5, 0.0], [100.5, 100.0])?];
/// let image = |bounds, side| Footprint { bounds, crs: None, pixel: [side; 2] };
/// let found = misplaced_image(&image(world, 2.0), &image(own, 3.0));
/// let pixels = 0.25;
/// assert_eq!(found, Some(Diagnostic::Elsewhere { world, own, pixels }));
/// assert_eq!(misplaced_image(&image(world, 10.0), &image(own, 10.0)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn misplaced_image(world: &Footprint, own: &Footprint) -> Option<Diagnostic> {
    let systems = other_system(own.crs.as_deref(), world.crs.as_deref());
    let pixel = finer_pixel(world, own);
    let (world, own) = (world.bounds, own.bounds);
    let along = |a: usize| {
        let low = apart(own.min()[a], world.min()[a]);
        let high = apart(own.max()[a], world.max()[a]);
        low.max(high) / pixel[a]
    };
    let pixels = along(0).max(along(1));
    systems.or_else(|| (pixels >= SAME).then_some(Diagnostic::Elsewhere { world, own, pixels }))
}

/// Returns the distance of two edges; 0 if they differ by rounding only.
fn apart(own: f64, world: f64) -> f64 {
    let apart = (own - world).abs();
    let is_rounding = apart <= ROUNDING * world.abs().max(own.abs());
    if is_rounding { 0.0 } else { apart }
}

/// An image that lies elsewhere than the world.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "it covers {}, and the world {}: they do not overlap{}",
    corners(own),
    corners(world),
    if may_be_degrees(world, own) {
        ", and its corners look like degrees: reproject it with gdalwarp -t_srs"
    } else {
        ""
    }
)]
pub struct NoOverlap {
    /// Bounds of the world.
    pub world: Bounds<2>,
    /// Bounds of the image, from its file.
    pub own: Bounds<2>,
}

/// Returns the rectangle of an image at its own place in the world. Each edge that is less than a tenth of a pixel off
/// the world's is the world's.
fn snapped(world: &Bounds<2>, own: &Bounds<2>, pixel: [f64; 2]) -> Bounds<2> {
    let snap = |own: [f64; 2], world: [f64; 2]| {
        [0, 1].map(|a| {
            let is_near = apart(own[a], world[a]) < SAME * pixel[a];
            if is_near { world[a] } else { own[a] }
        })
    };
    let [min, max] = [snap(own.min(), world.min()), snap(own.max(), world.max())];
    Bounds::new(min, max).unwrap_or(*own)
}

/// Returns the pixels of an image of `size`, its first row in the north, that lie in a world with y up, and the
/// rectangle that they cover. Pixels of which less than a tenth lies in the world are left out.
fn cut_to_world(
    world: &Bounds<2>,
    own: &Bounds<2>,
    size: [u32; 2],
    pixel: [f64; 2],
) -> (PixelRect, Bounds<2>) {
    let side = [0, 1].map(|a| own.size()[a] / f64::from(size[a]));
    // The casts saturate.
    let along = |a: usize, before: f64, until: f64| {
        let same = SAME * pixel[a] / side[a];
        let first = (before / side[a] + same).floor() as u32;
        let first = first.min(size[a].saturating_sub(1));
        let end = (until / side[a] - same).ceil() as u32;
        [first, end.max(first + 1).min(size[a])]
    };
    let ([west, _], [_, north]) = (own.min(), own.max());
    let [left, right] = along(0, world.min()[0] - west, world.max()[0] - west);
    let [top, bottom] = along(1, north - world.max()[1], north - world.min()[1]);
    let pixels = PixelRect {
        min: [left, top],
        max: [right, bottom],
    };
    let x = |column: u32| west + f64::from(column) * side[0];
    let y = |row: u32| north - f64::from(row) * side[1];
    let place = Bounds::new([x(left), y(bottom)], [x(right), y(top)]).unwrap_or(*own);
    (pixels, place)
}

/// Returns a warning if `y` runs down in a world with an origin. An image or polygons with a place of their own then
/// lie upside down.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, rows_down};
/// use spinney_density::{Bounds, YAxis};
///
/// let world = Bounds::with_origin([500_000.0, 4_000_000.0], [100.0, 100.0])?;
/// assert_eq!(rows_down(&world, YAxis::Down), Some(Diagnostic::RowsDown));
/// assert_eq!(rows_down(&world, YAxis::Up), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rows_down(world: &Bounds<2>, y_axis: YAxis) -> Option<Diagnostic> {
    (world.min() != [0.0; 2] && y_axis == YAxis::Down).then_some(Diagnostic::RowsDown)
}

/// Returns `true` if polygons with the box `own` may be in degrees, and the world is not: all corners are possible
/// longitudes and latitudes, and no place of the world is.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::may_be_degrees;
///
/// let world = Bounds::with_origin([500_000.0, 4_000_000.0], [100.0, 100.0])?;
/// let own = Bounds::new([-87.0, 36.1], [-86.9, 36.2])?;
/// assert!(may_be_degrees(&world, &own));
/// assert!(!may_be_degrees(&Bounds::from_size([100.0, 100.0])?, &own));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn may_be_degrees(world: &Bounds<2>, own: &Bounds<2>) -> bool {
    let is_beyond = |a: usize| world.min()[a] > GLOBE[a] || world.max()[a] < -GLOBE[a];
    is_on_globe(own) && (is_beyond(0) || is_beyond(1))
}

/// Returns `EPSG:32633` for `urn:ogc:def:crs:EPSG::32633` and `http://www.opengis.net/def/crs/EPSG/0/32633`, where a
/// version stands before the number; other names as they are.
///
/// ```
/// use spinney_density::diagnostic::system_named;
///
/// assert_eq!(system_named("urn:ogc:def:crs:EPSG::32633"), "EPSG:32633");
/// assert_eq!(system_named("EPSG:32633"), "EPSG:32633");
/// ```
pub fn system_named(name: &str) -> String {
    let urn = name.strip_prefix("urn:ogc:def:crs:");
    let url = ["http", "https"].iter().find_map(|scheme| {
        let rest = name.strip_prefix(scheme)?;
        rest.strip_prefix("://www.opengis.net/def/crs/")
    });
    let urn = urn.map(|urn| urn.split(':').collect());
    let url = url.map(|url| url.split('/').collect());
    let parts: Option<Vec<&str>> = urn.or(url);
    match parts.as_deref() {
        Some([authority, _, code]) => format!("{authority}:{code}"),
        _ => name.to_owned(),
    }
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

/// Returns a warning if polygons with the box `own`, whose file names the coordinate system `system`, may be in degrees:
/// all corners are possible longitudes and latitudes, and the system's number is not in a range of projected systems.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::{Diagnostic, in_degrees};
///
/// let own = Bounds::new([-87.0, 36.1], [-86.9, 36.2])?;
/// let system = "OGC:CRS84".to_owned();
/// assert_eq!(in_degrees("OGC:CRS84", &own), Some(Diagnostic::InDegrees { system }));
/// assert_eq!(in_degrees("EPSG:32633", &own), None);
/// assert_eq!(in_degrees("EPSG:3857", &own), None);
/// assert_eq!(in_degrees("EPSG:4326", &Bounds::from_size([300.0, 300.0])?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn in_degrees(system: &str, own: &Bounds<2>) -> Option<Diagnostic> {
    let number: Option<u32> = system.strip_prefix("EPSG:").and_then(|n| n.parse().ok());
    let is_projected = number.is_some_and(|n| PROJECTED.iter().any(|of| of.contains(&n)));
    (!is_projected && is_on_globe(own)).then(|| Diagnostic::InDegrees {
        system: system.to_owned(),
    })
}

/// Returns `true` if all corners of a box are possible longitudes and latitudes.
fn is_on_globe(own: &Bounds<2>) -> bool {
    (0..2).all(|a| {
        [own.min()[a], own.max()[a]]
            .iter()
            .all(|x| x.abs() <= GLOBE[a])
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
    let mut found = Vec::from_iter(rows_down(world, y_axis));
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
