//! Where the field comes from: a map file, or the built-in meadow.

use crate::args::SampleArgs;
use crate::failure::Failure;
use crate::{memory, numbers};
use density::{Channel, DecodeLimits, GreyMap, PerlinOptions, decode};
use serde::Serialize;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What is known of the field's source, for the closing line and the summary.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// An image.
    Map(MapInfo),
    /// The built-in noise.
    Meadow(PerlinOptions),
}

/// A map file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MapInfo {
    /// As given; what is not Unicode in it is replaced.
    pub(crate) file: String,
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
    /// Bits per channel.
    pub(crate) depth: u8,
    /// The channel that is the map.
    pub(crate) channel: &'static str,
    /// The share of the pixels where points may lie.
    pub(crate) allowed: f64,
}

impl MapInfo {
    pub(crate) fn new(path: &Path, map: &GreyMap, channel: Channel) -> Self {
        Self {
            file: path.display().to_string(),
            width: map.width(),
            height: map.height(),
            depth: map.depth(),
            channel: channel.name(),
            allowed: map.allowed_share(),
        }
    }
}

/// The built-in meadow: the library's noise in world units, so that a larger world shows more
/// of the same meadow, not a larger one.
pub(crate) fn meadow(args: &SampleArgs) -> PerlinOptions {
    PerlinOptions {
        seed: args.seed,
        white: args.field.white,
        ..PerlinOptions::default()
    }
}

/// Reads and decodes the map at `path`.
pub(crate) fn read_map(path: &Path, channel: Channel) -> Result<GreyMap, Failure> {
    let mut limits = DecodeLimits::default();
    limits.max_bytes = limits
        .max_bytes
        .min(memory::available().unwrap_or(u64::MAX));
    let bytes = read_file(path, "a PNG or JPEG image", limits.max_bytes)?;
    decode(&bytes, channel, limits).map_err(|e| Failure::file("", path, e))
}

/// Reads the file at `path`, of which `wanted` says what it should be.
pub(crate) fn read_file(path: &Path, wanted: &str, limit: u64) -> Result<Vec<u8>, Failure> {
    let failed = |problem: &dyn std::fmt::Display| Failure::file("", path, problem);
    // Asked before it is opened: opening a named pipe waits for its other end.
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
        return Err(failed(&format!(
            "the file has {size}, more than the limit of {limit}"
        )));
    }
    fs::read(path).map_err(|e| failed(&e))
}
