//! A TIFF of which only what is asked for is read: for windows, and for streams of large maps.

use crate::failure::Failure;
use crate::field::FieldArgs;
use crate::map_file::{MapInfo, part_info, part_options};
use density::decode::{DecodeError, Levels, TiffParts};
use density::shape::Tone;
use density::{DistRange, GreyMap, PixelRect};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A map that is read part by part.
pub(crate) struct PartFile {
    path: PathBuf,
    parts: TiffParts<File>,
    levels: Levels,
    tone: Option<Tone>,
    info: MapInfo,
}

/// Files beside an image that say more of it. Where there is one, all of the image is read.
const BESIDE: [&str; 3] = [".msk", ".MSK", ".aux.xml"];

impl PartFile {
    /// Opens the map of a run; `None` where it is none that can be read in parts, or what is made of it
    /// hangs on all of it: then it is to be read as a whole, which also tells what is wrong with it.
    pub(crate) fn open(
        path: &Path,
        args: &FieldArgs,
        range: DistRange,
    ) -> Result<Option<Self>, Failure> {
        let beside = |ending: &str| {
            let mut name = OsString::from(path.as_os_str());
            name.push(ending);
            PathBuf::from(name).exists()
        };
        let has_world_file = ["tfw", "TFW", "tifw", "tiffw", "wld", "WLD"]
            .iter()
            .any(|extension| path.with_extension(extension).exists());
        let needs_all = args.shaping.limit.is_some()
            || args.file.raw_size.is_some()
            || args.file.range == Some(Levels::Found);
        if needs_all
            || has_world_file
            || BESIDE.iter().any(|ending| beside(ending))
            || !path.is_file()
        {
            return Ok(None);
        }
        let parts = File::open(path)
            .ok()
            .and_then(|file| TiffParts::open(file, &part_options(&args.file)).ok());
        let Some(parts) = parts else {
            return Ok(None);
        };
        let levels = match args.file.range {
            Some(levels) => levels,
            None if parts.is_grey() => Levels::Natural,
            // The least and the greatest level are those of all pixels.
            None => return Ok(None),
        };
        Ok(Some(Self {
            path: path.to_owned(),
            info: part_info(path, &args.file, args.names, &parts, levels),
            tone: args.shaping.tone(range, args.white(), args.names)?,
            parts,
            levels,
        }))
    }

    /// What is known of the file.
    pub(crate) fn info(&self) -> &MapInfo {
        &self.info
    }

    /// The pixels of a rectangle, as they are meant.
    pub(crate) fn read(&self, rect: PixelRect) -> Result<GreyMap, Failure> {
        self.pixels(rect)
            .map_err(|e| Failure::file("", &self.path, e))
    }

    /// The pixels of a rectangle, with the decoder's own error.
    pub(crate) fn pixels(&self, rect: PixelRect) -> Result<GreyMap, DecodeError> {
        let map = self.parts.read(rect)?.into_map(self.levels)?;
        Ok(match &self.tone {
            Some(tone) => tone.apply(map),
            None => map,
        })
    }

    /// Whether any pixel of the whole is closed. Reads tiles until it has found one.
    pub(crate) fn is_holed(&self) -> Result<bool, Failure> {
        if !self.parts.may_be_holed() {
            return Ok(false);
        }
        let (size, tile) = (self.parts.size(), self.parts.tile());
        for y in (0..size[1]).step_by(tile[1] as usize) {
            for x in (0..size[0]).step_by(tile[0] as usize) {
                let rect = PixelRect {
                    min: [x, y],
                    max: [
                        x.saturating_add(tile[0]).min(size[0]),
                        y.saturating_add(tile[1]).min(size[1]),
                    ],
                };
                if self.read(rect)?.has_mask() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Columns and rows of a tile.
    pub(crate) fn tile(&self) -> [u32; 2] {
        self.parts.tile()
    }
}
