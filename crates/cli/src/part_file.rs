//! A TIFF of which only what is asked for is read: for windows, and for streams of large maps.

use crate::failure::Failure;
use crate::field::FieldArgs;
use crate::map_file::{MapInfo, part_info, part_options};
use density::decode::{Channel, DecodeError, Levels, Tally, TiffParts};
use density::diagnostic::{Names, Subject, Warning};
use density::shape::Tone;
use density::{DistRange, GreyMap, PixelRect};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A map that is read part by part.
pub(crate) struct PartFile {
    path: PathBuf,
    parts: TiffParts<File>,
    levels: Levels,
    tone: Option<Tone>,
    channel: Channel,
    names: &'static Names,
    info: MapInfo,
    /// What was found in the pixels that were read.
    tally: Mutex<Tally>,
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
            channel: args.file.channel.clone().unwrap_or_default(),
            names: args.names,
            parts,
            levels,
            tally: Mutex::default(),
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
        let raster = self.parts.read(rect)?;
        self.tally().add(rect.min, &raster);
        let map = raster.into_map(self.levels)?;
        Ok(match &self.tone {
            Some(tone) => tone.apply(map),
            None => map,
        })
    }

    /// The pixels of one rectangle alone: what was found in others does not count any more.
    pub(crate) fn read_only(&self, rect: PixelRect) -> Result<GreyMap, Failure> {
        *self.tally() = Tally::default();
        self.read(rect)
    }

    /// What may have been read otherwise than it was meant, of all pixels, which were read tile by tile.
    pub(crate) fn found(&self) -> Vec<Warning> {
        let found = self.tally().diagnostics(&self.channel, Some(self.levels));
        let found = found.into_iter();
        found.map(|d| d.about(&self.info.subject)).collect()
    }

    /// What may have been read otherwise than it was meant, of the pixels of one rectangle. That all of
    /// them are alike says nothing of the others.
    pub(crate) fn found_in(&self, rect: PixelRect) -> Vec<Warning> {
        let size = self.parts.size();
        if (rect.min, rect.max) == ([0, 0], size) {
            return self.found();
        }
        let [[x0, y0], [x1, y1]] = [rect.min, rect.max];
        let whole = &self.info.subject;
        let name = format!("{} (columns {x0}..{x1}, rows {y0}..{y1})", whole.name());
        let part = Subject::new(whole.role(), name, self.names);
        let found = self.tally().diagnostics(&self.channel, None);
        found.into_iter().map(|d| d.about(&part)).collect()
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
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
