//! Reads files, and their extensions.

use crate::failure::Failure;
use crate::numbers;
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
