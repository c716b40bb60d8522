//! Reads only the needed parts of a TIFF, for windows and for streams of large maps.

use crate::failure::Failure;
use crate::field::FieldArgs;
use crate::map_file::{MapInfo, part_info, read_options};
use crate::shaping::refused;
use density::decode::{Channel, DecodeError, Levels, Tally, TiffParts, file_beside};
use density::diagnostic::{Lint, Subject, Warning};
use density::shape::Tone;
use density::{DistRange, GreyMap, PixelRect};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A map that is read in parts.
pub(crate) struct PartFile {
    path: PathBuf,
    parts: TiffParts<File>,
    levels: Levels,
    tone: Option<Tone>,
    channel: Channel,
    info: MapInfo,
    /// Statistics of the pixels read so far, for warnings.
    tally: Mutex<Tally>,
}

/// The way to read the map of a run.
pub(crate) enum Opened {
    /// In parts.
    Parts(Box<PartFile>),
    /// As a whole, for this reason. Errors of opening it are reported by the reader of the whole.
    Whole(String),
}

impl PartFile {
    /// Opens the map of a run in parts, if its file allows that and the field does not depend on all
    /// pixels.
    pub(crate) fn open(path: &Path, args: &FieldArgs, range: DistRange) -> Result<Opened, Failure> {
        if let Some(why) = needs_all(path, args) {
            return Ok(Opened::Whole(why));
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return Ok(Opened::Whole(error.to_string())),
        };
        if !is_tiff(&file) {
            return Ok(Opened::Whole("only TIFF supports that".to_owned()));
        }
        let parts = match TiffParts::open(file, &read_options(&args.map_args())) {
            Ok(parts) => parts,
            Err(error) => return Ok(Opened::Whole(error.to_string())),
        };
        let levels = match args.file.range {
            Some(levels) => levels,
            None if parts.is_grey() => Levels::Natural,
            None => {
                let why = "black and white depend on all levels: give --range LO..HI";
                return Ok(Opened::Whole(why.to_owned()));
            }
        };
        let info = part_info(path, &args.file, args.names, &parts, levels);
        let tone = args.shaping.shaping().tone(range, args.white());
        Ok(Opened::Parts(Box::new(Self {
            path: path.to_owned(),
            info: args.without_transfer(info),
            tone: tone.map_err(|e| refused(e, args.names))?,
            channel: args.file.channel(),
            parts,
            levels,
            tally: Mutex::default(),
        })))
    }

    /// Returns the description of the file.
    pub(crate) fn info(&self) -> &MapInfo {
        &self.info
    }

    /// Returns the pixels of a rectangle, toned.
    pub(crate) fn read(&self, rect: PixelRect) -> Result<GreyMap, Failure> {
        self.pixels(rect)
            .map_err(|e| Failure::file("", &self.path, e))
    }

    /// Returns the pixels of a rectangle as [`read`](Self::read) does, with the decoder's own error.
    pub(crate) fn pixels(&self, rect: PixelRect) -> Result<GreyMap, DecodeError> {
        let raster = self.parts.read(rect)?;
        self.tally().add(rect.min, &raster);
        let map = raster.into_map(self.levels)?;
        Ok(match &self.tone {
            Some(tone) => tone.apply(map),
            None => map,
        })
    }

    /// Returns the pixels of a rectangle, and discards the statistics of other rectangles.
    pub(crate) fn read_only(&self, rect: PixelRect) -> Result<GreyMap, Failure> {
        *self.tally() = Tally::default();
        self.read(rect)
    }

    /// Returns warnings about possible misreadings of the pixels of a rectangle, and those of `lint` about
    /// their distances. Unless all pixels of the map were read, warnings about few greys are left out, as other pixels
    /// may differ.
    pub(crate) fn warnings_in(&self, rect: PixelRect, lint: &Lint) -> Vec<Warning> {
        let whole = &self.info.subject;
        let size = self.parts.size();
        let levels = Some(self.levels).filter(|_| lint.has_all_pixels());
        let pixels = self.tally().diagnostics(&self.channel, levels);
        let (mut subject, mut layer) = (whole.clone(), whole.clone());
        if (rect.min, rect.max) != ([0, 0], size) {
            let [[x0, y0], [x1, y1]] = [rect.min, rect.max];
            let name = format!("{} (columns {x0}..{x1}, rows {y0}..{y1})", whole.name());
            subject = Subject::new(whole.role(), name.clone(), whole.names());
            // Messages about distances say "the map", so the name of the part goes in front, as a layer's name would.
            layer = subject.clone().of_layer(name);
        }
        let pixels = pixels.into_iter().map(|found| found.about(&subject));
        let distances = lint
            .diagnostics()
            .into_iter()
            .map(|found| found.about(&layer));
        pixels.chain(distances).collect()
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if any pixel of the map is closed. Reads tiles until it finds one.
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

    /// Returns the columns and rows of a tile.
    pub(crate) fn tile(&self) -> [u32; 2] {
        self.parts.tile()
    }
}

/// Returns the reason to read the whole map, if one is known without opening it.
fn needs_all(path: &Path, args: &FieldArgs) -> Option<String> {
    let of_all = |flag: &str| Some(format!("{flag} needs the whole map"));
    if args.shaping.limit.is_some() {
        return of_all("--limit");
    }
    if args.file.range == Some(Levels::Found) {
        return of_all("--range auto");
    }
    if args.file.raw_size.is_some() || !path.is_file() {
        return Some("only TIFF supports that".to_owned());
    }
    let found = file_beside(path)?;
    Some(format!(
        "the file {} beside it needs the whole map",
        found.display()
    ))
}

/// Returns `true` if the file starts with the signature of a TIFF.
fn is_tiff(mut file: &File) -> bool {
    let mut head = [0; 4];
    let read = file.read_exact(&mut head);
    read.is_ok() && matches!(head, [b'I', b'I', 42 | 43, 0] | [b'M', b'M', 0, 42 | 43])
}
