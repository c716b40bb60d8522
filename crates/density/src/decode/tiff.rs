//! Reads TIFF as libtiff does, strip by strip or tile by tile.
//!
//! Directories, predictors and the layout are read here, each compression by its own crate. The crate `tiff` (0.11.3)
//! does not serve: it rejects LZW without an end code, images that do not define black, and strips without lengths; and
//! it undoes a predictor that libtiff ignores.

mod beside;
mod bytes;
mod chunks;
mod codec;
mod directory;
mod gdal;
mod geo;
mod meaning;
mod parts;
mod predictor;

use super::channel::Pick;
use super::levels::LevelType;
use super::nodata::NoData;
use super::orientation::Orientation;
use super::place::RowOrder;
use super::raster::{About, Raster};
use super::{DecodeError, ReadOptions, tags};
use crate::PixelRect;
use crate::diagnostic::{CellUnit, Diagnostic};
use crate::per_pixel::places;
use bytes::ReadAt;
use chunks::Chunks;
pub(super) use directory::{Directory, EXIF, ICC_PROFILE};
use directory::{
    GDAL_METADATA, GDAL_NO_DATA, HEIGHT, ORIENTATION, Subfile, WIDTH, map_of, unless_cut,
};
use meaning::{Kind, Meaning};
pub use parts::TiffParts;

const FORMAT: &str = "TIFF";

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let (raster, orientation) = as_stored(bytes, options)?;
    raster.oriented(orientation)
}

/// Reads the image as stored. Also returns the turn that sets it upright, or its northern edge in row 0.
fn as_stored(bytes: &[u8], options: &ReadOptions) -> Result<(Raster, Orientation), DecodeError> {
    let limits = options.limits;
    let directories = Directory::all(&bytes)?;
    let nth = map_of(&directories)?;
    let [width, height] = size(&directories[nth])?;
    limits.check(width, height, 0)?;
    let image = Image::of(&directories, nth, options)?;

    limits.check(width, height, image.memory([width, height]))?;
    let all = PixelRect {
        min: [0, 0],
        max: [width, height],
    };
    Ok((image.raster(&bytes, all)?, image.orientation))
}

/// Everything about the image that becomes the map, except its pixels.
#[derive(Debug)]
struct Image {
    /// Columns and rows as stored.
    size: [u32; 2],
    levels: Plane,
    /// Facts about the image after its turn.
    about: About,
    /// The turn that sets the image upright, or its northern edge in row 0.
    orientation: Orientation,
    mask: Option<Plane>,
}

impl Image {
    /// Reads the tags of the image in directory `nth`.
    fn of(
        directories: &[Directory<'_>],
        nth: usize,
        options: &ReadOptions,
    ) -> Result<Self, DecodeError> {
        let directory = &directories[nth];
        let size = size(directory)?;
        let mut kind = meaning::kind(directory)?;
        let colours = match &kind.meaning {
            Meaning::Palette(_) if options.channel.is_index() => {
                kind = kind.into_indices();
                None
            }
            Meaning::Palette(colours) => Some(colours.len() / 3),
            _ => None,
        };
        let pick = kind.bands.pick(&options.channel)?;

        let no_data = no_data(directory)?;
        let metadata = directory.text(GDAL_METADATA)?;
        let (mut about, steps) = geo::read(directory)?;
        if let Some(metadata) = &metadata {
            about.scaling = gdal::scaling(metadata, pick)?;
            let heights = gdal::unit(metadata, pick);
            if heights != CellUnit::Unsaid {
                about.cell = about.cell.map(|cell| cell.with_heights(heights));
            }
        }
        if about.scaling.is_some() && kind.meaning != Meaning::Plain {
            // The scale applies to stored numbers, which are not the levels.
            return Err(unsupported("palette, inverted or YCbCr scaled"));
        }
        let closing = kind.bands.closing(options.alpha);
        let dividing = closing.filter(|_| kind.bands.multiplies(pick));
        if dividing.is_some() && kind.meaning != Meaning::Plain && kind.meaning != Meaning::YCbCr {
            return Err(unsupported("inverted and premultiplied"));
        }
        let orientation = unless_cut(directory.number(ORIENTATION))?.flatten();
        let mut orientation = orientation
            .and_then(|number| Orientation::from_exif(u8::try_from(number).ok()?))
            .unwrap_or(Orientation::NoTransforms);
        // The tag is about screens: positions on a map are those of pixels as stored (OGC 19-008).
        if orientation != Orientation::NoTransforms && steps.is_some() {
            about.diagnostics.push(Diagnostic::OrientationPassedOver {
                orientation: orientation.to_exif(),
            });
            orientation = Orientation::NoTransforms;
        }

        if let Some(steps) = steps {
            match steps.rows(size) {
                Err(_) if options.may_be_turned => {}
                rows => {
                    let rows = rows?;
                    about.place(rows, steps, size);
                    if rows != RowOrder::NorthFirst {
                        orientation = Orientation::FlipVertical;
                    }
                }
            }
        }

        let chunks = Chunks::of(directory, &kind, size)?;
        let subfiles: Vec<Subfile> = directories.iter().map(Subfile::of).collect();
        let images = subfiles.iter().filter(|subfile| subfile.is_image()).count();
        about.other_images = images.saturating_sub(1);
        about.palette = colours;
        about.are_indices = kind.bands.indices;
        about.show(tags::of_tiff(directory));
        let mask = (0..directories.len()).find(|&other| {
            other != nth && subfiles[other].is_mask() && self::size(&directories[other]) == Ok(size)
        });
        Ok(Self {
            mask: mask
                .map(|mask| Self::mask(&directories[mask], size))
                .transpose()?,
            size,
            levels: Plane {
                kind,
                chunks,
                pick,
                closing,
                dividing,
                no_data,
                given: options.no_data,
            },
            about,
            orientation,
        })
    }

    /// Reads the tags of the mask of an image of this size.
    fn mask(directory: &Directory<'_>, size: [u32; 2]) -> Result<Plane, DecodeError> {
        let kind = meaning::kind(directory)?;
        if kind.bands.count != 1 || !kind.level_type.is_grey() {
            return Err(unsupported("oddly masked"));
        }
        Ok(Plane {
            chunks: Chunks::of(directory, &kind, size)?,
            kind,
            pick: Pick::One(0),
            closing: None,
            dividing: None,
            no_data: None,
            given: None,
        })
    }

    /// Returns the levels, and the mask if there is one.
    fn planes(&self) -> impl Iterator<Item = &Plane> {
        std::iter::once(&self.levels).chain(&self.mask)
    }

    /// Returns the memory for reading this many columns and rows, with the map and the turned copy, bytes.
    fn memory(&self, size: [u32; 2]) -> u64 {
        let is_turned = self.orientation != Orientation::NoTransforms;
        let all = self
            .planes()
            .map(|plane| plane.raster_memory(size).saturating_add(plane.memory()));
        let turned = is_turned.then(|| self.levels.raster_memory(size));
        all.chain(turned).fold(0, u64::saturating_add)
    }

    /// Reads a rectangle of pixels, as stored.
    fn raster(&self, bytes: &dyn ReadAt, rect: PixelRect) -> Result<Raster, DecodeError> {
        let mut raster = self.levels.read(bytes, rect)?;
        raster.about = About {
            clear: raster.about.clear,
            divided: raster.about.divided,
            ..self.about.clone()
        };
        if let Some(mask) = &self.mask {
            let mask = mask.read(bytes, rect)?;
            for (x, y) in places(raster.size()) {
                if mask.level(x, y) == Some(0.0) {
                    raster.forbid(x, y);
                }
            }
        }
        Ok(raster)
    }

    /// Returns `true` if a pixel may have no level.
    fn may_be_holed(&self) -> bool {
        let levels = &self.levels;
        levels.closing.is_some()
            || levels.no_data.is_some()
            || levels.given.is_some()
            || self.mask.is_some()
            || matches!(levels.kind.level_type, LevelType::Float(_))
    }
}

fn size(directory: &Directory<'_>) -> Result<[u32; 2], DecodeError> {
    let [width, height] = [WIDTH, HEIGHT].map(|tag| directory.number(tag));
    let [width, height] = [width?.unwrap_or(0), height?.unwrap_or(0)];
    let [Ok(width), Ok(height)] = [width, height].map(u32::try_from) else {
        return Err(damaged("its size is beyond 32 bits"));
    };
    if width == 0 || height == 0 {
        return Err(damaged("its size is 0"));
    }
    Ok([width, height])
}

fn no_data(directory: &Directory<'_>) -> Result<Option<NoData>, DecodeError> {
    let text = directory.text(GDAL_NO_DATA)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // The text ends at its first zero byte.
    let text = text.split('\0').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let level = NoData::parse(text);
    let wrong = || damaged(&format!("its \"no data\" level is {text:?}"));
    level.map(Some).ok_or_else(wrong)
}

/// One channel of an image, or its mask: its position in the file, and the decoding of its pixels.
#[derive(Debug)]
struct Plane {
    kind: Kind,
    chunks: Chunks,
    pick: Pick,
    /// The sample that closes a pixel where it is 0.
    closing: Option<usize>,
    /// The alpha sample by which the levels are stored multiplied.
    dividing: Option<usize>,
    no_data: Option<NoData>,
    /// A "no data" number from the options, besides the file's own.
    given: Option<NoData>,
}

impl Plane {
    /// Returns the memory for decoding a strip or tile of all needed samples, bytes.
    fn memory(&self) -> u64 {
        let kind = &self.kind;
        let planes = if kind.planar {
            self.needed().len() as u64
        } else {
            1
        };
        let buffers = self.chunks.buffer(kind).saturating_mul(planes - 1);
        self.chunks.memory(kind).saturating_add(buffers)
    }

    /// Returns the memory for a raster of this size and its map, bytes.
    fn raster_memory(&self, size: [u32; 2]) -> u64 {
        Raster::bytes(size, self.kind.level_type)
    }

    /// Returns the stored samples that a level and its alpha are computed from.
    fn needed(&self) -> Vec<usize> {
        self.kind.needed(self.pick.with(self.closing))
    }

    /// Reads a rectangle, as stored.
    fn read(&self, bytes: &dyn ReadAt, rect: PixelRect) -> Result<Raster, DecodeError> {
        let (kind, chunks) = (&self.kind, &self.chunks);
        let size = [rect.width(), rect.height()];
        let mut raster = Raster::blank(size, kind.level_type)?;
        let needed = self.needed();
        // For each stored sample: the index of its buffer, and its index within a pixel of that buffer.
        let mut places = vec![(0, 0); kind.stored()];
        for (nth, &sample) in needed.iter().enumerate() {
            places[sample] = if kind.planar { (nth, 0) } else { (0, sample) };
        }
        let planes = if kind.planar { &needed[..] } else { &[0] };
        let mut buffers = vec![Vec::new(); planes.len()];
        let mut present = vec![true; planes.len()];
        // GDAL leaves out chunks that hold nothing but "no data", or nothing but 0 if no such number is set.
        let missing = self.no_data.map_or(0.0, NoData::level);
        for nth in chunks.touching(rect) {
            for ((buffer, present), &plane) in buffers.iter_mut().zip(&mut present).zip(planes) {
                *present = chunks.read(bytes, kind, [plane as u32, nth], buffer)?;
            }
            let is_absent = !present.contains(&true);
            let (shape, [left, top]) = (chunks.shape(nth, kind), chunks.corner(nth));
            // Columns or rows of the chunk that lie in the rectangle.
            let ends = |a: usize, first: u32, count: u32| {
                rect.min[a].saturating_sub(first)..count.min(rect.max[a] - first)
            };
            let same = is_absent.then(|| self.uniform_level(missing)).flatten();
            for row in ends(1, top, shape.rows) {
                let start = row as usize * shape.row_bytes;
                let columns = ends(0, left, shape.columns);
                let first = [left + columns.start - rect.min[0], top + row - rect.min[1]];
                if let Some(level) = same {
                    raster.put_same(first, columns.len(), level);
                    continue;
                }
                if let Some(band) = self.direct_sample() {
                    // This band's plane is the only one, so it is present.
                    let (plane, nth) = places[band];
                    let row = &buffers[plane][start..];
                    let nth = |column: u32| column as usize * shape.samples + nth;
                    let numbers = columns.map(|column| kind.whole(row, nth(column)));
                    raster.put_whole(first, numbers);
                    continue;
                }
                for column in columns {
                    let (x, y) = (left + column - rect.min[0], top + row - rect.min[1]);
                    let stored = |sample: usize| {
                        let (plane, nth) = places[sample];
                        if !present[plane] {
                            return missing;
                        }
                        let nth = column as usize * shape.samples + nth;
                        kind.sample(&buffers[plane][start..], nth)
                    };
                    if !self.opaque(stored) {
                        raster.clear(x, y);
                        continue;
                    }
                    let level = self.level(stored);
                    match self.dividing {
                        None => raster.put(x, y, level),
                        Some(alpha) => {
                            let opacity = kind.opacity(kind.level(alpha, stored));
                            let most = kind.level_type.greatest();
                            raster.put_divided([x, y], level, opacity, most);
                        }
                    }
                }
            }
        }
        Ok(raster)
    }

    /// Returns the level of pixels whose samples all equal `number`; `None` if alpha matters.
    fn uniform_level(&self, number: f64) -> Option<f64> {
        let has_alpha = self.closing.is_some() || self.dividing.is_some();
        (!has_alpha).then(|| self.level(|_| number))
    }

    /// Returns the sample that is the level as stored, an integer of 8 or 16 bits; `None` if the level depends on
    /// anything else.
    fn direct_sample(&self) -> Option<usize> {
        let Pick::One(band) = self.pick else {
            return None;
        };
        let kind = &self.kind;
        let is_whole = matches!(kind.stored_type, LevelType::Unsigned(8 | 16));
        let is_alone = self.closing.is_none()
            && self.dividing.is_none()
            && self.no_data.is_none()
            && self.given.is_none()
            && kind.meaning == Meaning::Plain;
        (is_whole && is_alone).then_some(band)
    }

    /// Returns `true` if alpha permits a level for the pixel.
    #[inline]
    fn opaque(&self, stored: impl Fn(usize) -> f64) -> bool {
        let opaque = |alpha: usize| self.kind.level(alpha, &stored) > 0.0;
        self.closing.is_none_or(opaque)
    }

    /// Computes the level of a pixel from its stored samples, NaN for none.
    #[inline]
    fn level(&self, stored: impl Fn(usize) -> f64) -> f64 {
        for no_data in self.no_data.into_iter().chain(self.given) {
            let all = match self.kind.meaning {
                Meaning::Palette(_) => no_data.is(stored(0)),
                // Like GDAL's mask of the whole image: only where all bands agree.
                _ => self.pick.samples().all(|band| no_data.is(stored(band))),
            };
            if all {
                return f64::NAN;
            }
        }
        self.pick.level(|band| self.kind.level(band, &stored))
    }
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(FORMAT, reason)
}

fn unsupported(reason: &str) -> DecodeError {
    DecodeError::unsupported(FORMAT, reason)
}

fn truncated() -> DecodeError {
    DecodeError::Truncated { format: FORMAT }
}
