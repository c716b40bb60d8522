//! Reads files, and their extensions.

use crate::failure::Failure;
use crate::{memory, numbers};
use quality::files::{Format, PointFile};
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Returns the extension of a file, in lower case; empty without one.
pub(crate) fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// Reads the file at `path`. `wanted` says in errors what it should be; `role` is its flag and a space, or
/// empty.
pub(crate) fn read_file(
    role: &str,
    path: &Path,
    wanted: &str,
    limit: u64,
) -> Result<Vec<u8>, Failure> {
    let failed = |problem: &dyn std::fmt::Display| Failure::file(role, path, problem);
    // Checked before opening, since opening a named pipe blocks until its other end is open.
    let about = fs::metadata(path).map_err(|e| match e.kind() {
        ErrorKind::NotFound => failed(&"there is no such file"),
        _ => failed(&e),
    })?;
    if about.is_dir() {
        return Err(failed(&format!("this is a folder; give {wanted}")));
    }
    if !about.is_file() {
        return Err(failed(&format!(
            "this is not a regular file; give {wanted}"
        )));
    }
    if about.len() > limit {
        let [size, limit] = [about.len(), limit].map(|n| numbers::bytes(n as f64));
        let problem = format!("the file has {size}, more than the limit of {limit}");
        return Err(Failure::too_large(role, path, problem));
    }
    fs::read(path).map_err(|e| failed(&e))
}

/// Reads a file of points. Points may take `times` the bytes of their file while they are used; `role` is as in
/// [`read_file`].
pub(crate) fn read_points(role: &str, path: &Path, times: u64) -> Result<PointFile, Failure> {
    let format = Format::from_path(path).ok_or_else(|| {
        let problem = "the name must end in .csv, .json, .geojson, .ply or .npy";
        Failure::Usage(format!("{role}{}: {problem}", path.display()))
    })?;
    let limit = memory::available().unwrap_or(u64::MAX) / times;
    let bytes = read_file(role, path, "a file of points", limit)?;
    quality::files::read(&bytes, format).map_err(|e| Failure::file(role, path, e))
}
