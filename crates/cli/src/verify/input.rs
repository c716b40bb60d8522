//! Reads the inputs of `verify`: files of points, and the map.

use super::table::Note;
use super::{VerifyArgs, extent};
use crate::failure::{Failure, refuse_given};
use crate::map_file::MapInfo;
use crate::numbers::plain;
use crate::{field, memory, source};
use density::decode::Place;
use density::{Bounds, GreyMap, YAxis};
use quality::files::{Format, PointFile, read};
use quality::{Edges, Rule};
use std::path::Path;

/// Upper bound on the memory for points while they are read and judged, as a multiple of their file's
/// bytes.
const BYTES_PER_BYTE: u64 = 8;

/// The inputs as read.
pub(crate) struct Input {
    pub(crate) file: PointFile,
    pub(crate) also: Vec<PointFile>,
    pub(crate) map: Option<MapInput>,
    /// The direction of the y axis: up if the place from the map's file is used.
    pub(crate) y_axis: YAxis,
}

/// The map as read.
pub(crate) struct MapInput {
    pub(crate) map: GreyMap,
    /// The place from the map's file, where that is used.
    pub(crate) place: Option<Place>,
    pub(crate) info: MapInfo,
}

impl MapInput {
    /// Returns the map's width and height, pixels.
    pub(crate) fn pixels(&self) -> [f64; 2] {
        [self.info.width, self.info.height].map(f64::from)
    }
}

impl Input {
    pub(crate) fn read(args: &VerifyArgs) -> Result<Self, Failure> {
        if args.map.is_none() && args.species.is_none() {
            let (field, problem) = (&args.field, "needs a map: give MAP");
            if let Some((flag, value)) = field.file.given() {
                return Err(Failure::usage(flag, value, problem));
            }
            let given = [
                ("--max-dist", field.max_dist.is_some()),
                ("--density", field.shaping.density.is_some()),
                ("--white", field.white.is_some()),
                ("--pixels", field.pixels),
                ("--scale-factor", args.scale_factor.is_some()),
            ];
            refuse_given(&given, problem)?;
            args.field.shaping.refuse(problem)?;
        }
        let format = |path: &Path| {
            Format::from_path(path).ok_or_else(|| {
                let problem = "the name must end in .csv, .json, .geojson, .ply or .npy";
                Failure::Usage(format!("{}: {problem}", path.display()))
            })
        };
        format(&args.points)?;
        let limit = memory::available().unwrap_or(u64::MAX) / BYTES_PER_BYTE;
        // With a species file, its maps determine the direction of y.
        let has_direction =
            args.species.is_none() && (args.map.is_some() || args.region.any() || args.field.y_up);
        let map = match &args.map {
            None => None,
            Some(path) => {
                let (map, info) = field::read_map(path, &args.field, None)?;
                let follows = args.size.is_none() && !args.field.pixels;
                Some(MapInput {
                    map,
                    place: info.place.filter(|_| follows),
                    info,
                })
            }
        };
        let by_place = map.as_ref().is_some_and(|map| map.place.is_some());
        let y_axis = if by_place {
            YAxis::Up
        } else {
            field::y_axis(&args.field)
        };
        let points = |path: &Path| -> Result<PointFile, Failure> {
            let bytes = source::read_file("", path, "a file of points", limit)?;
            let file = read(&bytes, format(path)?).map_err(|e| Failure::file("", path, e))?;
            match field::upside_down(&file.run, y_axis, by_place) {
                Some(problem) if has_direction => Err(Failure::file("", path, problem)),
                _ => Ok(file),
            }
        };
        Ok(Self {
            file: points(&args.points)?,
            also: args
                .also
                .iter()
                .map(|p| points(p))
                .collect::<Result<_, _>>()?,
            map,
            y_axis,
        })
    }

    /// Returns the treatment of the edges of `world`: from the flags, else from the points' file for its own world.
    pub(crate) fn edges<const D: usize>(&self, args: &VerifyArgs, world: &Bounds<D>) -> Edges {
        if args.torus {
            Edges::Torus
        } else if extent::is_of(&self.file, world) {
            self.file.run.edges
        } else {
            Edges::Open
        }
    }

    /// Returns the domain that the points' file states.
    pub(crate) fn domain(&self) -> Option<[&[f64]; 2]> {
        let [min, max] = self.file.run.domain.as_ref()?;
        Some([min, max])
    }

    /// Returns the factor of the map's distances, from the flag, else from the points' file, and its name in
    /// errors.
    pub(crate) fn scale_factor(&self, args: &VerifyArgs, notes: &mut Vec<Note>) -> (f64, String) {
        if let Some(factor) = args.scale_factor {
            return (factor, "--scale-factor".to_owned());
        }
        let stated = self.file.run.scale_factor;
        if let Some(factor) = stated {
            let text = format!(
                "distances: multiplied by {}, from the points' file",
                plain(factor)
            );
            notes.push(Note::Assumed(text));
        }
        let option = format!("{}: scale_factor", args.points.display());
        (stated.unwrap_or(1.0), option)
    }

    /// Returns the conflict rule: from the flag, else from the points' file.
    pub(crate) fn rule(&self, args: &VerifyArgs) -> Rule {
        args.rule.or(self.file.run.rule).unwrap_or_default()
    }
}
