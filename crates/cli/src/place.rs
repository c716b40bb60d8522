//! Places the world: as the flags state, as the map's file states, or one unit per pixel.

use crate::args::SampleArgs;
use crate::failure::Failure;
use crate::field;
use crate::map_file::MapInfo;
use crate::numbers::plain;
use crate::region::Frame;
use crate::warnings::MAP;
use density::decode::Place;
use density::diagnostic::{Cell, CellUnit, Diagnostic, Role, Subject, Warning};
use density::{Bounds, YAxis};
use serde::Serialize;
use std::path::Path;

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
    /// A warning that a map's file states another pixel size, that the map lies upside down, or that it was moved out
    /// of its coordinate system.
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
    /// Returns the placement of files beside the maps. `tile` says whether opposite edges are one.
    pub(crate) fn frame(&self, tile: bool, max_pixels: Option<u64>) -> Frame {
        Frame {
            world: self.world,
            given: self.given,
            y_axis: self.y_axis,
            tile,
            map_place: self.map_place,
            max_pixels,
            by_place: self.place.is_some(),
        }
    }

    /// Returns a world of `size` at `origin`. `given` is its size, unless that is of pixels or a default.
    pub(crate) fn plain(
        origin: Option<[f64; 2]>,
        size: [f64; 2],
        given: Option<[f64; 2]>,
        y_axis: YAxis,
    ) -> Result<Self, Failure> {
        Ok(Self {
            world: field::world(origin.unwrap_or_default(), size)?,
            size,
            given,
            y_axis,
            unit: CellUnit::Unsaid,
            place: None,
            map_place: None,
            warning: None,
        })
    }

    /// Returns a world of `size`, unless `--size` is given.
    pub(crate) fn of_size(args: &SampleArgs, size: [f64; 2]) -> Result<Self, Failure> {
        let y_axis = field::y_axis(&args.field);
        Self::plain(args.origin, args.size.unwrap_or(size), args.size, y_axis)
    }

    /// Returns the world of a map: the place that its file states, unless `--pixels` or `--size` is given.
    pub(crate) fn of_map(args: &SampleArgs, path: &Path, map: &MapInfo) -> Result<Self, Failure> {
        let pixels = [map.width, map.height];
        let followed = map
            .place
            .filter(|_| args.size.is_none() && !args.field.pixels);
        let Some(place) = followed else {
            let warning = map.cell_warning(args.size);
            let warning = warning.filter(|_| !args.field.pixels);
            let placed = Self::of_size(args, pixels.map(f64::from))?;
            let cell = map.cells.map(|cells| cells.cell);
            let unit = cell.filter(|cell| cell.fills(pixels, placed.size));
            return Ok(Self {
                unit: unit.map_or(CellUnit::Unsaid, Cell::unit),
                warning: warning.or_else(|| map.rows_warning(&placed.world, placed.y_axis)),
                ..placed
            });
        };
        let instead = "--size WxH, or --pixels for one unit per pixel";
        Self::at(path, place, pixels, args.origin, instead)
    }

    /// Returns the world of a map of `pixels` at the place from its file, moved to `origin` if given.
    /// Refuses a place in degrees, which are not lengths; `instead` names the flags to give instead.
    pub(crate) fn at(
        path: &Path,
        place: Place,
        pixels: [u32; 2],
        origin: Option<[f64; 2]>,
        instead: &str,
    ) -> Result<Self, Failure> {
        if place.may_be_degrees(pixels) {
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
            Some(origin) => field::world(origin, size)?,
        };
        let at_home = Some(place).filter(|_| origin.is_none());
        let system = place.crs().filter(|_| origin.is_some());
        let moved = system.map(|system| {
            let subject = Subject::new(Role::Map, path.display().to_string(), &MAP);
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
