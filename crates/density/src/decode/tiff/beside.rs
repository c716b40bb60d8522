//! Applies GDAL's masks from a file beside an image, `NAME.msk`: a TIFF of the same size in which 0
//! closes a pixel.

use super::directory::{Directory, GDAL_METADATA};
use super::{as_stored, gdal, map_of};
use crate::decode::orientation::Orientation;
use crate::decode::raster::Raster;
use crate::decode::{Alpha, Channel, DecodeError, ReadOptions};
use crate::per_pixel::{per_pixel, places};

impl Raster {
    /// Removes the levels where the mask beside the file is 0. `mask` is the content of the file
    /// that GDAL names after the image, with `.msk` appended; `options` are those that the image
    /// was read with. A brightness loses its level where all its colours do.
    ///
    /// Returns `false` if `mask` does not declare which bands it applies to
    /// (`INTERNAL_MASK_FLAGS_1` in GDAL's metadata); GDAL ignores such a mask too.
    ///
    /// # Errors
    /// When `mask` cannot be read, or has not the size of the image.
    pub(in crate::decode) fn mask_by(
        &mut self,
        mask: &[u8],
        options: &ReadOptions,
    ) -> Result<bool, DecodeError> {
        let bands = bands(mask, &options.channel)?;
        if bands.is_empty() {
            return Ok(false);
        }
        let mut closed = per_pixel(true, self.size())?;
        for band in bands {
            let options = ReadOptions {
                channel: Channel::Named(band.to_string()),
                alpha: Alpha::Ignore,
                may_be_turned: true,
                limits: options.limits,
                ..ReadOptions::default()
            };
            let (mask, _) = as_stored(mask, &options)?;
            let mask = mask.oriented(self.about.turn.unwrap_or(Orientation::NoTransforms))?;
            if mask.size() != self.size() {
                return Err(DecodeError::MaskSize {
                    mask: mask.size(),
                    image: self.size(),
                });
            }
            for (closed, (x, y)) in closed.iter_mut().zip(places(self.size())) {
                *closed &= mask.number_at(x, y).is_none_or(|level| level == 0.0);
            }
        }
        let mut count = 0;
        for (closed, (x, y)) in closed.into_iter().zip(places(self.size())) {
            if closed && self.number_at(x, y).is_some() {
                self.forbid(x, y);
                count += 1;
            }
        }
        self.about.masked = Some(count);
        Ok(true)
    }
}

/// Returns the bands of a mask file that apply to a channel, each once; none if the file does not
/// declare them.
fn bands(mask: &[u8], channel: &Channel) -> Result<Vec<usize>, DecodeError> {
    let directories = Directory::all(&mask)?;
    let image = &directories[map_of(&directories)?];
    let Some(metadata) = image.text(GDAL_METADATA)? else {
        return Ok(Vec::new());
    };
    let picked = match channel {
        Channel::Luma => vec![1, 2, 3],
        Channel::R | Channel::Index => vec![1],
        Channel::G => vec![2],
        Channel::B => vec![3],
        Channel::A => vec![4],
        Channel::Named(name) => name.parse().into_iter().collect(),
    };
    let mut bands = Vec::new();
    for band in picked {
        bands.extend(gdal::mask_of(&metadata, band)?);
    }
    // For an image with fewer bands, the first mask applies.
    if bands.is_empty() {
        bands.extend(gdal::mask_of(&metadata, 1)?);
    }
    bands.dedup();
    Ok(bands)
}
