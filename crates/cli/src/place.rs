//! Where the world lies: as flags say, as the map's file says, or one unit a pixel.

use crate::args::SampleArgs;
use crate::failure::Failure;
use crate::field;
use crate::map_file::MapInfo;
use crate::numbers::plain;
use density::decode::Place;
use density::diagnostic::Warning;
use density::{Bounds, YAxis};
use serde::Serialize;
use std::path::Path;

/// A world, and where it was taken from.
#[derive(Clone, Debug)]
pub(crate) struct WorldPlacement {
    pub(crate) world: Bounds<2>,
    pub(crate) size: [f64; 2],
    /// It, unless it was taken from a map's pixels or from nothing at all.
    pub(crate) given: Option<[f64; 2]>,
    pub(crate) origin: [f64; 2],
    pub(crate) y_axis: YAxis,
    /// What the map's file says, where that is followed.
    pub(crate) place: Option<PlaceInfo>,
    /// Where the map's file says that the map lies, if the world lies there.
    pub(crate) map_place: Option<Place>,
    /// That a map says that its pixels are of another size.
    pub(crate) warning: Option<Warning>,
}

/// A place that was taken from a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlaceInfo {
    /// By authority and code, like `EPSG:32633`; `null` when the file does not name it, and where
    /// `--origin` moved the map.
    pub(crate) crs: Option<String>,
    /// A pixel's width and height, map units.
    pub(crate) pixel: [f64; 2],
}

impl WorldPlacement {
    /// A world of this size unless `--size` says otherwise.
    pub(crate) fn of_size(args: &SampleArgs, size: [f64; 2]) -> Result<Self, Failure> {
        let given = args.size;
        let size = given.unwrap_or(size);
        let origin = args.origin.unwrap_or_default();
        Ok(Self {
            world: field::world(origin, size)?,
            size,
            given,
            origin,
            y_axis: field::y_axis(&args.field),
            place: None,
            map_place: None,
            warning: None,
        })
    }

    /// The world of a map. Unless `--pixels` or `--size` says otherwise, it lies where the file says.
    pub(crate) fn of_map(args: &SampleArgs, path: &Path, map: &MapInfo) -> Result<Self, Failure> {
        let pixels = [map.width, map.height];
        let followed = map
            .place
            .filter(|_| args.size.is_none() && !args.field.pixels);
        let Some(place) = followed else {
            let warning = map.cell_warning(args.size);
            return Ok(Self {
                warning: warning.filter(|_| !args.field.pixels),
                ..Self::of_size(args, pixels.map(f64::from))?
            });
        };
        let instead = "--size WxH, or --pixels for one unit a pixel";
        Self::at(path, place, pixels, args.origin, instead)
    }

    /// The world of a map of `pixels` that lies where its file says, unless `origin` moves it. A place in
    /// degrees is refused, for which `instead` names what to give.
    pub(crate) fn at(
        path: &Path,
        place: Place,
        pixels: [u32; 2],
        origin: Option<[f64; 2]>,
        instead: &str,
    ) -> Result<Self, Failure> {
        refuse_degrees(path, place, pixels, instead)?;
        let size = place.bounds().size();
        let world = match origin {
            None => place.bounds(),
            Some(origin) => field::world(origin, size)?,
        };
        let at_home = Some(place).filter(|_| origin.is_none());
        Ok(Self {
            world,
            size,
            given: Some(size),
            origin: world.min(),
            y_axis: YAxis::Up,
            place: Some(PlaceInfo {
                // What was moved is in no system any more.
                crs: at_home.and_then(|place| place.crs()),
                pixel: place.pixel(),
            }),
            map_place: at_home,
            warning: None,
        })
    }
}

/// Refuses to measure distances in degrees.
fn refuse_degrees(
    path: &Path,
    place: Place,
    pixels: [u32; 2],
    instead: &str,
) -> Result<(), Failure> {
    if !place.may_be_degrees(pixels) {
        return Ok(());
    }
    let system = match place.epsg() {
        Some(number) => format!(" (EPSG:{number})"),
        None => String::new(),
    };
    let problem = format!(
        "its place is in degrees{system}, which are no lengths: bring it into a projected system, \
         as gdalwarp -t_srs does, or give {instead}"
    );
    Err(Failure::file("", path, problem))
}

impl PlaceInfo {
    /// For the closing line.
    pub(crate) fn understood(&self) -> String {
        let [width, height] = self.pixel.map(|side| plain((side * 1e9).round() / 1e9));
        let system = self.crs.iter().map(|crs| format!("{crs}, "));
        let system: String = system.collect();
        format!(", place from the file: {system}{width} x {height} units a pixel")
    }
}
