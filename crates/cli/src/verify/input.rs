//! Reads the files of points, and what they state.

use super::table::Note;
use super::{VerifyArgs, extent};
use crate::failure::{Failure, refuse_given};
use crate::numbers::plain;
use crate::{field, source};
use density::{Bounds, YAxis};
use quality::files::PointFile;
use quality::{Edges, Rule};
use std::path::PathBuf;

/// Upper bound on the memory for points while they are read and judged, as a multiple of their file's
/// bytes.
const BYTES_PER_BYTE: u64 = 8;

/// The points as read.
pub(crate) struct Input {
    pub(crate) file: PointFile,
    /// The points of --also.
    pub(crate) also: Vec<PointFile>,
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
        let points = |path: &PathBuf| source::read_points("", path, BYTES_PER_BYTE);
        Ok(Self {
            file: points(&args.points)?,
            also: args.also.iter().map(points).collect::<Result<_, _>>()?,
        })
    }

    /// Refuses points that lie upside down in a world whose y axis is that of the run, or of the map's place
    /// (`by_place`). Without a picture or polygons, nothing can lie upside down.
    pub(crate) fn check_direction(
        &self,
        args: &VerifyArgs,
        y_axis: YAxis,
        by_place: bool,
    ) -> Result<(), Failure> {
        let has_map = args.map.is_some() || args.species.is_some();
        if !has_map && !args.region.any() && !args.field.y_up {
            return Ok(());
        }
        let files = [(&args.points, &self.file)].into_iter();
        for (path, file) in files.chain(args.also.iter().zip(&self.also)) {
            if let Some(problem) = field::upside_down(&file.run, y_axis, by_place) {
                return Err(Failure::file("", path, problem));
            }
        }
        Ok(())
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
