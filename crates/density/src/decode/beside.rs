//! Files beside an image that say more of it, as GDAL reads them: a world file, a mask and notes.

use super::{DecodeError, PixelSteps, Raster, ReadOptions, RowOrder};
use crate::diagnostic::Diagnostic;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What GDAL's masks have behind the name of the image.
const MASKS: [&str; 2] = [".msk", ".MSK"];

/// What GDAL's notes have behind the name of the image.
const NOTES: &str = ".aux.xml";

/// Elements of GDAL's notes that change what an image means.
const ELEMENTS: [&str; 5] = ["GeoTransform", "NoDataValue", "Scale", "Offset", "GCPList"];

/// GDAL's notes are no longer than that, bytes.
const MOST_NOTES: u64 = 1 << 20;

/// A world file is six numbers, bytes.
const MOST_WORLD: u64 = 4096;

/// Returns a file beside the image at `path` that may say more of it, if there is one.
pub fn file_beside(path: &Path) -> Option<PathBuf> {
    let behind = MASKS.into_iter().chain([NOTES]);
    let behind = behind.map(|ending| beside(path, ending));
    first_file(behind.chain(world_files(path)))
}

impl Raster {
    /// The same raster as the files beside the image at `path` have it: placed by a world file where
    /// the image says nothing itself, and without levels where a mask (`NAME.msk`) closes it. What GDAL's
    /// notes (`NAME.aux.xml`) say is not followed, but warned of.
    ///
    /// `read` returns the bytes of a file that is there, at most so many; `refused` names one of these
    /// files in an error.
    ///
    /// # Errors
    /// When a mask cannot be read, and as [`placed`](Self::placed) and [`mask_by`](Self::mask_by).
    pub fn with_files_beside<E>(
        mut self,
        path: &Path,
        options: &ReadOptions,
        read: impl Fn(&Path, u64) -> Result<Vec<u8>, E>,
        refused: impl Fn(&Path, DecodeError) -> E,
    ) -> Result<Self, E> {
        let text = |path: &Path, most| String::from_utf8(read(path, most).ok()?).ok();
        // The file's own word counts.
        let is_placed = self.row_order() != RowOrder::Unsaid || self.cell().is_some();
        let world = first_file(world_files(path)).filter(|_| !is_placed);
        if let Some(world) = world {
            let steps = text(&world, MOST_WORLD);
            match steps.as_deref().and_then(PixelSteps::from_world_file) {
                Some(steps) => self = self.placed(steps).map_err(|e| refused(&world, e))?,
                None => self.warn(Diagnostic::NoWorldFile {
                    file: shown(&world),
                }),
            }
        }
        if let Some(notes) = first_file([beside(path, NOTES)]) {
            let text = text(&notes, MOST_NOTES).unwrap_or_default();
            let mut says = ELEMENTS.to_vec();
            says.retain(|name| {
                text.contains(&format!("<{name}>")) || text.contains(&format!("<{name} "))
            });
            if !says.is_empty() {
                let file = shown(&notes);
                self.warn(Diagnostic::NotesBeside { file, says });
            }
        }
        if let Some(mask) = first_file(MASKS.map(|ending| beside(path, ending))) {
            let bytes = read(&mask, options.limits.max_bytes)?;
            let followed = self.mask_by(&bytes, options);
            if followed.map_err(|e| refused(&mask, e))?.is_none() {
                self.warn(Diagnostic::MaskOfNone { file: shown(&mask) });
            }
        }
        Ok(self)
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The path with more behind its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Where the world file of the image at `path` may be, the first first.
fn world_files(path: &Path) -> impl Iterator<Item = PathBuf> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let names = names(extension).into_iter();
    names.map(|name| path.with_extension(name))
}

/// How the world file of a file with this extension may end: `.pgw`, `.pngw` and `.wld` for
/// `.png`, and the same in capitals.
fn names(extension: &str) -> Vec<String> {
    let mut letters = extension.chars();
    let ends = letters.next().zip(letters.last());
    let short = ends.map(|(first, last)| format!("{first}{last}w").to_ascii_lowercase());
    let long = ends.map(|_| format!("{extension}w").to_ascii_lowercase());
    let small = short.into_iter().chain(long).chain(["wld".to_owned()]);
    small
        .flat_map(|name| [name.to_ascii_uppercase(), name].into_iter().rev())
        .collect()
}

fn first_file(paths: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    paths.into_iter().find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_files_are_called_after_their_images() {
        assert_eq!(names("png"), ["pgw", "PGW", "pngw", "PNGW", "wld", "WLD"]);
        assert_eq!(names("TIF")[..4], ["tfw", "TFW", "tifw", "TIFW"]);
        assert_eq!(names("tiff")[..4], ["tfw", "TFW", "tiffw", "TIFFW"]);
        assert_eq!(names("jpeg")[0], "jgw");
        assert_eq!(names(""), ["wld", "WLD"]);
    }
}
