//! Places the world: as the flags state, as the map's file states, or one unit per pixel.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::failure::Failure;
use crate::field::{self, FieldArgs};
use crate::flags::WORLD;
use crate::map_file::MapInfo;
use crate::numbers::{self, plain, short};
use crate::warnings::MAP;
use clap::Args;
use density::decode::Place;
use density::diagnostic::{
    self, CellUnit, Diagnostic, Footprint, Laid, NoOverlap, Role, Subject, Warning,
    misplaced_image, rows_down,
};
use density::{Bounds, BoundsError, YAxis};
use std::path::Path;

/// The size of the world, unless flags, a species file or a map state one.
const SIZE: [f64; 2] = [512.0; 2];

/// Advice for a place of MAP's file that cannot be used.
pub(crate) const INSTEAD: &str = "--size WxH, or --pixels for one unit per pixel";

/// Flags of the rectangle of the world.
#[derive(Debug, Args)]
pub(crate) struct WorldArgs {
    /// World size, world units [default: from a GeoTIFF, an ESRI ASCII grid or a world file, else
    /// one unit per pixel; 512x512 if there is no map]
    #[arg(long, value_name = "WxH", value_parser = numbers::size, help_heading = WORLD)]
    pub(crate) size: Option<[f64; 2]>,

    /// World coordinates of the lowest corner [default: from the same file as --size, else 0,0]
    #[arg(long, value_name = "X,Y", value_parser = numbers::origin, help_heading = WORLD)]
    pub(crate) origin: Option<[f64; 2]>,
}

/// The properties of the world that a run states.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct World {
    pub(crate) size: Option<[f64; 2]>,
    pub(crate) origin: Option<[f64; 2]>,
    /// The bounds from a file of points, which replace `size` and `origin`.
    pub(crate) stated: Option<Bounds<2>>,
    /// The direction of the y axis, unless the place from a map's file is used.
    pub(crate) y_axis: YAxis,
    /// Whether a pixel is one unit, wherever its file says that it lies.
    pub(crate) pixels: bool,
    /// The limit of pixels in each map.
    pub(crate) max_pixels: Option<u64>,
}

/// A world, and the source of its placement.
#[derive(Clone, Debug)]
pub(crate) struct WorldPlacement {
    pub(crate) world: Bounds<2>,
    pub(crate) size: [f64; 2],
    /// Whether the size was given or found in a file. Otherwise it is that of a map's pixels or a default.
    pub(crate) is_measured: bool,
    pub(crate) y_axis: YAxis,
    /// The unit of the world, which is that of a map with pixels as large as its file says.
    pub(crate) unit: CellUnit,
    /// The place that the map's file states, if it is followed: the world has its size, and its origin unless another one
    /// was given, or is that of a file of points.
    pub(crate) place: Option<Place>,
    /// A warning that a map's file states another pixel size or place, that the map lies upside down, or that it was
    /// moved out of its coordinate system.
    pub(crate) warning: Option<Warning>,
}

impl WorldArgs {
    /// Refuses an impossible size before any file is read.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.size {
            None => Ok(()),
            Some(size) => world(self.origin.unwrap_or_default(), size, true).map(drop),
        }
    }

    /// Returns the properties of the world that these flags and those of its map state.
    pub(crate) fn world(&self, field: &FieldArgs) -> World {
        World {
            size: self.size,
            origin: self.origin,
            stated: None,
            y_axis: field::y_axis(field),
            pixels: field.pixels,
            max_pixels: field.file.max_pixels,
        }
    }
}

impl WorldPlacement {
    /// Lays a mask or heights at the place `own` that their file states, if the world has a known place as well: that of the
    /// map's file, or any but 0, 0. Otherwise they lie over the world. `cut` is as in [`diagnostic::lay`].
    pub(crate) fn lay(&self, own: Option<Place>, cut: Option<[u32; 2]>) -> Result<Laid, NoOverlap> {
        let turned = rows_down(&self.world, self.y_axis);
        let map_place = self.map_place();
        let is_somewhere = map_place.is_some() || self.world.min() != [0.0; 2];
        match own.filter(|_| is_somewhere && turned.is_none()) {
            Some(own) => {
                let mut world = Footprint::from(map_place.unwrap_or(own));
                world.bounds = self.world;
                diagnostic::lay(&world, &own.into(), cut)
            }
            None => Ok(Laid {
                place: self.world,
                pixels: None,
                found: turned.filter(|_| own.is_some()),
            }),
        }
    }

    /// Returns the place of the map as its file states it, if the world lies there.
    fn map_place(&self) -> Option<Place> {
        self.place.filter(|place| place.bounds() == self.world)
    }

    /// Returns the coordinate system of the map, like `EPSG:32633`; `None` if its file does not name one, or if the world
    /// lies elsewhere.
    pub(crate) fn crs(&self) -> Option<String> {
        self.map_place()?.crs()
    }

    /// Returns the world that the run states. Else it is that of the first of `maps` whose file states a place. Else it
    /// has one unit per pixel of the first map, or 512 x 512. `instead` names what to give for a place that cannot be
    /// used.
    pub(crate) fn of(run: &World, maps: &[&MapInfo], instead: &str) -> Result<Self, Failure> {
        let placed = maps.iter().find_map(|map| Some((*map, map.place?)));
        // Points of a stated world do not lie at a place in degrees: their run would have refused it.
        let is_possible = |map: &MapInfo| run.stated.is_none() || map.measured_place().is_some();
        let followed =
            placed.filter(|(map, _)| run.size.is_none() && !run.pixels && is_possible(map));
        let mut placement = match followed {
            Some((map, place)) => Self::at(map, place, run.origin, instead)?,
            None => Self::plain(run, maps.first().copied())?,
        };
        if let Some(world) = run.stated {
            placement.warning = match followed {
                Some((map, place)) => elsewhere(place, world).map(|found| about(map, found)),
                None => placement.warning.filter(|_| world.size() == placement.size),
            };
            placement.world = world;
            placement.size = world.size();
        }
        if placement.place.is_none() && placement.warning.is_none() {
            let found = rows_down(&placement.world, run.y_axis);
            placement.warning = placed.zip(found).map(|((map, _), found)| about(map, found));
        }
        Ok(placement)
    }

    /// Returns the world that the run states, else one unit per pixel of `map`, else one of 512 x 512.
    fn plain(run: &World, map: Option<&MapInfo>) -> Result<Self, Failure> {
        let pixels = map.map(|map| [map.width, map.height]);
        let of_pixels = pixels.map(|pixels| pixels.map(f64::from));
        let size = run.size.or(of_pixels).unwrap_or(SIZE);
        let cell = map.and_then(|map| map.cells).map(|cells| cells.cell);
        let unit = cell
            .zip(pixels)
            .filter(|(cell, pixels)| cell.fills(*pixels, size));
        let of_cells = map.filter(|_| run.size.is_none() && !run.pixels);
        Ok(Self {
            world: world(run.origin.unwrap_or_default(), size, run.size.is_some())?,
            size,
            is_measured: run.size.is_some(),
            y_axis: run.y_axis,
            unit: unit.map_or(CellUnit::Unsaid, |(cell, _)| cell.unit()),
            place: None,
            warning: of_cells.and_then(|map| Some(about(map, cell?.on_map(pixels?)?))),
        })
    }

    /// Returns the world of a map at the place from its file, moved to `origin` if given. Refuses a place in degrees,
    /// which are not lengths.
    fn at(
        map: &MapInfo,
        place: Place,
        origin: Option<[f64; 2]>,
        instead: &str,
    ) -> Result<Self, Failure> {
        let path = Path::new(&map.file);
        if place.may_be_degrees([map.width, map.height]) {
            let problem = match (place.epsg(), place.unit()) {
                (None, CellUnit::Unsaid) => {
                    let [width, height] = place.bounds().size().map(short);
                    format!(
                        "its place may be in degrees, not in units of length: reproject it with \
                         gdalwarp -s_srs -t_srs if so, else give {instead}; its own size is \
                         {width}x{height}"
                    )
                }
                (system, _) => format!(
                    "its place is in degrees{}, not in units of length: reproject it with gdalwarp \
                     -t_srs, or give {instead}",
                    system.map_or(String::new(), |number| format!(" (EPSG:{number})"))
                ),
            };
            return Err(Failure::file("", path, problem));
        }
        let own = place.bounds();
        let size = own.size();
        let origin = origin.filter(|origin| *origin != own.min());
        let world = match origin {
            None => own,
            Some(origin) => world(origin, size, false)?,
        };
        let system = place.crs().filter(|_| origin.is_some());
        let moved = system.map(|system| {
            let own = own.min();
            about(map, Diagnostic::SystemDropped { system, own })
        });
        Ok(Self {
            world,
            size,
            is_measured: true,
            y_axis: YAxis::Up,
            unit: place.unit(),
            place: Some(place),
            warning: moved,
        })
    }

    /// Describes the place from the map's file for the closing line; empty if it is not used.
    pub(crate) fn closing_text(&self) -> String {
        let Some(place) = self.place else {
            return String::new();
        };
        let [width, height] = place.pixel().map(|side| plain((side * 1e9).round() / 1e9));
        let system = self.crs().map_or(String::new(), |crs| format!("{crs}, "));
        let what = self.map_place().map_or("size", |_| "place");
        format!(", {what} from the file: {system}{width} x {height} units per pixel")
    }
}

/// Returns a warning about the place or the pixel size that a map's file states. They belong to the run, even if the map
/// belongs to a layer, so the flags of MAP are named.
fn about(map: &MapInfo, found: Diagnostic) -> Warning {
    found.about(&Subject::new(Role::Map, &*map.file, &MAP))
}

/// Returns a warning if a map, at its own place by its file, lies elsewhere than the world that it is laid over.
fn elsewhere(own: Place, world: Bounds<2>) -> Option<Diagnostic> {
    let world = Footprint {
        bounds: world,
        crs: None,
        pixel: own.pixel(),
    };
    misplaced_image(&world, &own.into())
}

/// Returns the bounds of the world. `is_given` is true if `--size` is the size.
fn world(origin: [f64; 2], size: [f64; 2], is_given: bool) -> Result<Bounds<2>, Failure> {
    Bounds::with_origin(origin, size).map_err(|e| {
        let (sides, [x, y]) = (numbers::sides(size), origin.map(numbers::plain));
        let (flag, value) = if is_given {
            ("--size", format!("{sides} at --origin {x},{y}"))
        } else {
            ("--origin", format!("{x},{y} with a world of {sides}"))
        };
        let problem = match e {
            BoundsError::NotFinite { .. } => "the world reaches beyond the largest number",
            BoundsError::Empty { .. } => "too small for this origin: rounding loses it",
            other => &other.to_string(),
        };
        Failure::usage(flag, value, problem)
    })
}
