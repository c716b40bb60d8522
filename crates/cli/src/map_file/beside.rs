//! Files beside a file of pixels that say more of it, as GDAL reads them: a mask, a world file
//! and notes.

use crate::failure::Failure;
use crate::source::read_file;
use density::decode::{PixelSteps, Raster, ReadOptions, RowOrder};
use density::diagnostic::Diagnostic;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A world file is six numbers.
const MOST_BYTES: u64 = 4096;

/// The raster as the files beside the one at `path` have it. `role` is the flag of that one and a
/// space, or nothing.
pub(super) fn with_files_beside(
    raster: Raster,
    role: &str,
    path: &Path,
    options: &ReadOptions,
) -> Result<Raster, Failure> {
    let mut raster = placed(raster, role, path)?;
    noted(&mut raster, path);
    masked(raster, role, path, options)
}

/// Returns a file beside the one at `path` that may say more of it, if there is one.
pub(crate) fn file_beside(path: &Path) -> Option<PathBuf> {
    let behind = MASKS.into_iter().chain([NOTES_ENDING]);
    let behind = behind.map(|ending| beside(path, ending));
    first_file(behind.chain(world_files(path)))
}

/// What GDAL's masks have behind the name of the image.
const MASKS: [&str; 2] = [".msk", ".MSK"];

/// What GDAL's notes have behind the name of the image.
const NOTES_ENDING: &str = ".aux.xml";

/// Elements of GDAL's notes that change what an image means.
const NOTES: [&str; 5] = ["GeoTransform", "NoDataValue", "Scale", "Offset", "GCPList"];

/// GDAL's notes are no longer than that.
const MOST_NOTES: u64 = 1 << 20;

/// Warns of what `NAME.aux.xml` says of an image.
fn noted(raster: &mut Raster, path: &Path) {
    let Some(notes) = first_file([beside(path, NOTES_ENDING)]) else {
        return;
    };
    let text = short_text(&notes, MOST_NOTES).unwrap_or_default();
    let mut says = NOTES.to_vec();
    says.retain(|name| text.contains(&format!("<{name}>")) || text.contains(&format!("<{name} ")));
    if !says.is_empty() {
        let file = notes.display().to_string();
        raster.warn(Diagnostic::NotesBeside { file, says });
    }
}

/// The path with more behind its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Closes what `NAME.msk` closes.
fn masked(
    mut raster: Raster,
    role: &str,
    path: &Path,
    options: &ReadOptions,
) -> Result<Raster, Failure> {
    let Some(mask) = first_file(MASKS.map(|ending| beside(path, ending))) else {
        return Ok(raster);
    };
    let wanted = "a mask as GDAL writes it, or remove it";
    let bytes = read_file(role, &mask, wanted, options.limits.max_bytes)?;
    let followed = raster.mask_by(&bytes, options);
    let followed = followed.map_err(|e| Failure::file(role, &mask, e))?;
    if followed.is_none() {
        let file = mask.display().to_string();
        raster.warn(Diagnostic::MaskOfNone { file });
    }
    Ok(raster)
}

/// Turns rows that a world file has run from south to north.
fn placed(mut raster: Raster, role: &str, path: &Path) -> Result<Raster, Failure> {
    // The file's own word counts.
    if raster.row_order() != RowOrder::Unsaid || raster.cell().is_some() {
        return Ok(raster);
    }
    let Some(world) = first_file(world_files(path)) else {
        return Ok(raster);
    };
    let text = short_text(&world, MOST_BYTES);
    let Some(steps) = text.as_deref().and_then(PixelSteps::from_world_file) else {
        let file = world.display().to_string();
        raster.warn(Diagnostic::NoWorldFile { file });
        return Ok(raster);
    };
    raster
        .placed(steps)
        .map_err(|e| Failure::file(role, &world, e))
}

/// Where the world file of the file at `path` may be, the first first.
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

/// The text of a file of at most so many bytes.
fn short_text(path: &Path, most: u64) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    let is_short = about.len() <= most;
    is_short.then(|| std::fs::read_to_string(path).ok())?
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
