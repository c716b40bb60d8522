//! Places the world: as the flags state, as the map's file states, or one unit per pixel.

use crate::failure::Failure;
use crate::field;
use crate::map_file::MapInfo;
use crate::numbers::plain;
use crate::warnings::MAP;
use density::decode::Place;
use density::diagnostic::{
    self, CellUnit, Diagnostic, Footprint, Laid, NoOverlap, Role, Subject, Warning, rows_down,
};
use density::{Bounds, YAxis};
use serde::Serialize;
use std::path::Path;

/// The size of the world, unless flags, a species file or a map state one.
const SIZE: [f64; 2] = [512.0; 2];

/// Advice for a place of MAP's file that cannot be used.
pub(crate) const INSTEAD: &str = "--size WxH, or --pixels for one unit per pixel";

/// The properties of the world that a run states.
#[derive(Clone, Copy, Debug)]
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
    /// The size of the world, unless it is that of a map's pixels or a default.
    pub(crate) given: Option<[f64; 2]>,
    pub(crate) y_axis: YAxis,
    /// The unit of the world, which is that of a map with pixels as large as its file says.
    pub(crate) unit: CellUnit,
    /// The place from the map's file, where that is used.
    pub(crate) place: Option<PlaceInfo>,
    /// The place of the map as its file states it, if the world lies there.
    pub(crate) map_place: Option<Place>,
    /// A warning that a map's file states another pixel size or place, that the map lies upside down, or that it was
    /// moved out of its coordinate system.
    pub(crate) warning: Option<Warning>,
}

/// A place from a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlaceInfo {
    /// Authority and code, like `EPSG:32633`; `null` if the file does not name the system, or if `--origin`
    /// moved the map.
    pub(crate) crs: Option<String>,
    /// Width and height of a pixel, map units.
    pub(crate) pixel: [f64; 2],
    /// Whether `--origin` moved the map.
    #[serde(skip)]
    is_moved: bool,
}

impl WorldPlacement {
    /// Lays a mask or heights at the place `own` that their file states, if the world has a known place as well: that of the
    /// map's file, or any but 0, 0. Otherwise they lie over the world. `cut` is as in [`diagnostic::lay`].
    pub(crate) fn lay(&self, own: Option<Place>, cut: Option<[u32; 2]>) -> Result<Laid, NoOverlap> {
        let turned = rows_down(&self.world, self.y_axis);
        let is_somewhere = self.map_place.is_some() || self.world.min() != [0.0; 2];
        match own.filter(|_| is_somewhere && turned.is_none()) {
            Some(own) => {
                let mut world = Footprint::from(self.map_place.unwrap_or(own));
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
                Some((map, _)) => map.place_warning(&world),
                None => placement.warning.filter(|_| world.size() == placement.size),
            };
            placement.world = world;
            placement.size = world.size();
            placement.map_place = placement.map_place.filter(|p| p.bounds() == world);
        }
        if placement.place.is_none() && placement.warning.is_none() {
            let rows = placed.map(|(map, _)| map.rows_warning(&placement.world, run.y_axis));
            placement.warning = rows.flatten();
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
        let warned = map.filter(|_| !run.pixels);
        Ok(Self {
            world: field::world(run.origin.unwrap_or_default(), size, run.size.is_some())?,
            size,
            given: run.size,
            y_axis: run.y_axis,
            unit: unit.map_or(CellUnit::Unsaid, |(cell, _)| cell.unit()),
            place: None,
            map_place: None,
            warning: warned.and_then(|map| map.cell_warning(run.size)),
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
            let system = place.epsg().map(|number| format!(" (EPSG:{number})"));
            let problem = format!(
                "its place is in degrees{}, not in units of length: reproject it with gdalwarp \
                 -t_srs, or give {instead}",
                system.unwrap_or_default()
            );
            return Err(Failure::file("", path, problem));
        }
        let own = place.bounds();
        let size = own.size();
        let origin = origin.filter(|origin| *origin != own.min());
        let world = match origin {
            None => own,
            Some(origin) => field::world(origin, size, false)?,
        };
        let at_home = Some(place).filter(|_| origin.is_none());
        let system = place.crs().filter(|_| origin.is_some());
        let moved = system.map(|system| {
            let subject = Subject::new(Role::Map, &*map.file, &MAP);
            let own = own.min();
            Diagnostic::SystemDropped { system, own }.about(&subject)
        });
        Ok(Self {
            world,
            size,
            given: Some(size),
            y_axis: YAxis::Up,
            unit: place.unit(),
            place: Some(PlaceInfo {
                // A moved map is no longer in its coordinate system.
                crs: at_home.and_then(|place| place.crs()),
                pixel: place.pixel(),
                is_moved: origin.is_some(),
            }),
            map_place: at_home,
            warning: moved,
        })
    }
}

impl PlaceInfo {
    /// Describes the place for the closing line.
    pub(crate) fn closing_text(&self) -> String {
        let [width, height] = self.pixel.map(|side| plain((side * 1e9).round() / 1e9));
        let system = self.crs.iter().map(|crs| format!("{crs}, "));
        let system: String = system.collect();
        let what = if self.is_moved { "size" } else { "place" };
        format!(", {what} from the file: {system}{width} x {height} units per pixel")
    }
}
