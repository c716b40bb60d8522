//! Reads files beside an image that describe it: a world file, a coordinate system, a mask and GDAL's notes.

use super::place::PixelSteps;
use super::{DecodeError, Raster, ReadOptions, RowOrder};
use crate::diagnostic::Diagnostic;
use roxmltree::Document;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Endings that GDAL's masks append to the name of the image.
const MASKS: [&str; 2] = [".msk", ".MSK"];

/// The ending that GDAL's notes append to the name of the image.
const NOTES: &str = ".aux.xml";

/// Elements of GDAL's notes that change the meaning of an image.
const ELEMENTS: [&str; 5] = ["GeoTransform", "NoDataValue", "Scale", "Offset", "GCPList"];

/// Extensions of files with the coordinate system of a grid or of an image with a world file.
const SYSTEMS: [&str; 2] = ["prj", "PRJ"];

/// Maximum length of GDAL's notes and of a coordinate system, bytes.
const MOST_NOTES: u64 = 1 << 20;

/// Maximum length of a world file (six numbers), bytes.
const MOST_WORLD: u64 = 4096;

/// Returns a file beside the image at `path` that may describe it, if there is one.
pub fn file_beside(path: &Path) -> Option<PathBuf> {
    let behind = MASKS.into_iter().chain([NOTES]);
    let behind = behind.map(|ending| beside(path, ending));
    first_file(behind.chain(world_files(path)))
}

impl Raster {
    /// Applies the files beside the image at `path`. A world file gives the position on a map if the image has none.
    /// GDAL's notes (`NAME.aux.xml`), or else a `.prj` file, give the coordinate system of that position, or of an ESRI
    /// ASCII grid; the rest of the notes is not followed, but gives a warning. A mask (`NAME.msk`) removes levels.
    ///
    /// `read` returns the bytes of an existing file, up to a maximum number; `refused` names one of these files in an
    /// error.
    ///
    /// # Errors
    /// When a mask cannot be read or has not the size of the image; when a world file turns, shears or mirrors the image,
    /// or turns it in another way than its orientation tag; and when memory for the turned rows runs out.
    pub fn with_files_beside<E>(
        mut self,
        path: &Path,
        options: &ReadOptions,
        read: impl Fn(&Path, u64) -> Result<Vec<u8>, E>,
        refused: impl Fn(&Path, DecodeError) -> E,
    ) -> Result<Self, E> {
        let text = |path: &Path, most| String::from_utf8(read(path, most).ok()?).ok();
        // The image's own metadata outranks a world file.
        let is_placed = self.about.row_order != RowOrder::Unsaid || self.about.cell.is_some();
        let world = first_file(world_files(path)).filter(|_| !is_placed);
        if let Some(world) = world {
            let steps = text(&world, MOST_WORLD);
            match steps.as_deref().and_then(PixelSteps::from_world_file) {
                Some(steps) => {
                    let placed = self.placed(steps, options);
                    self = placed.map_err(|e| refused(&world, e))?;
                }
                None => self.warn(Diagnostic::NoWorldFile {
                    file: shown(&world),
                }),
            }
        }
        let notes = first_file([beside(path, NOTES)]);
        let notes =
            notes.map(|notes| (shown(&notes), text(&notes, MOST_NOTES).unwrap_or_default()));
        if let Some(system) = notes.as_ref().and_then(|(_, text)| system_of_notes(text)) {
            self.follow_system(&system);
        } else if let Some(system) = first_file(SYSTEMS.map(|name| path.with_extension(name))) {
            let bytes = read(&system, MOST_NOTES).unwrap_or_default();
            self.follow_system(&String::from_utf8_lossy(&bytes));
        }
        if let Some((file, text)) = notes {
            let mut says = ELEMENTS.to_vec();
            says.retain(|name| {
                text.contains(&format!("<{name}>")) || text.contains(&format!("<{name} "))
            });
            if !says.is_empty() {
                self.warn(Diagnostic::NotesBeside { file, says });
            }
        }
        if let Some(mask) = first_file(MASKS.map(|ending| beside(path, ending))) {
            let bytes = read(&mask, options.limits.max_bytes)?;
            let followed = self.mask_by(&bytes, options);
            if !followed.map_err(|e| refused(&mask, e))? {
                self.warn(Diagnostic::MaskOfNone { file: shown(&mask) });
            }
        }
        Ok(self)
    }
}

/// Returns the coordinate system that GDAL's notes name, as WKT.
fn system_of_notes(text: &str) -> Option<String> {
    let notes = Document::parse(text.trim_start_matches('\u{feff}')).ok()?;
    let system = notes.descendants().find(|node| node.has_tag_name("SRS"))?;
    system.text().map(str::to_owned)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the path with `ending` appended to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Returns the possible paths of the world file of the image at `path`, preferred ones first.
fn world_files(path: &Path) -> impl Iterator<Item = PathBuf> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let names = world_extensions(extension).into_iter();
    names.map(|name| path.with_extension(name))
}

/// Returns the extensions of the world file for an image with this extension: `.pgw`, `.pngw` and `.wld` for `.png`, in
/// lower and upper case.
fn world_extensions(extension: &str) -> Vec<String> {
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
        assert_eq!(
            world_extensions("png"),
            ["pgw", "PGW", "pngw", "PNGW", "wld", "WLD"]
        );
        assert_eq!(world_extensions("TIF")[..4], ["tfw", "TFW", "tifw", "TIFW"]);
        assert_eq!(
            world_extensions("tiff")[..4],
            ["tfw", "TFW", "tiffw", "TIFFW"]
        );
        assert_eq!(world_extensions("jpeg")[0], "jgw");
        assert_eq!(world_extensions(""), ["wld", "WLD"]);
    }
}
