//! TIFF files written by hand, with any tags at all (TIFF 6.0, section 2).
#![allow(dead_code, reason = "what includes it uses some of it")]

use std::collections::BTreeSet;

/// The value of a tag.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Short(Vec<u16>),
    Long(u32),
    Longs(Vec<u32>),
    Double(Vec<f64>),
    Rational(Vec<[u32; 2]>),
}

/// An image to be written, in one strip or in tiles.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    tags: Vec<(u16, Value)>,
    pixels: Vec<u8>,
    /// Number of tiles; 0 for one strip.
    tiles: u32,
    /// Whether each tile is all of `pixels`.
    shared: bool,
    /// Indices of tiles that the file leaves out.
    absent: BTreeSet<u32>,
}

/// Sample types: tags 258 and 339.
pub(crate) const U8: [u16; 2] = [8, 1];
pub(crate) const U16: [u16; 2] = [16, 1];
pub(crate) const I16: [u16; 2] = [16, 2];
pub(crate) const F32: [u16; 2] = [32, 3];

pub(crate) const SUBFILE: u16 = 254;
pub(crate) const PHOTOMETRIC: u16 = 262;
pub(crate) const PLANAR: u16 = 284;
pub(crate) const EXTRA_SAMPLES: u16 = 338;
pub(crate) const PIXEL_SCALE: u16 = 33550;
pub(crate) const TIE_POINTS: u16 = 33922;
pub(crate) const TRANSFORMATION: u16 = 34264;
pub(crate) const ICC_PROFILE: u16 = 34675;
pub(crate) const GEO_KEYS: u16 = 34735;
pub(crate) const GDAL_METADATA: u16 = 42112;
pub(crate) const GDAL_NO_DATA: u16 = 42113;

impl Page {
    /// Returns a grey image with this number of samples per pixel.
    pub(crate) fn new(size: [u32; 2], samples: u16, sample: [u16; 2], pixels: Vec<u8>) -> Self {
        let bytes = size[0] * size[1] * u32::from(samples) * u32::from(sample[0] / 8);
        assert_eq!(pixels.len(), bytes as usize, "as many pixels as said");
        Self::of(size, samples, sample, pixels)
    }

    /// Returns a deflated grey image; if it has tiles, they share these bytes.
    pub(crate) fn deflated(size: [u32; 2], sample: [u16; 2], bytes: Vec<u8>) -> Self {
        let page = Self::of(size, 1, sample, bytes);
        Self {
            shared: true,
            ..page.with(259, Value::Short(vec![8]))
        }
    }

    fn of(
        [width, height]: [u32; 2],
        samples: u16,
        [bits, format]: [u16; 2],
        pixels: Vec<u8>,
    ) -> Self {
        let each = |value: u16| Value::Short(vec![value; usize::from(samples)]);
        let tags = vec![
            (256, Value::Long(width)),
            (257, Value::Long(height)),
            (258, each(bits)),
            (259, Value::Short(vec![1])),
            (PHOTOMETRIC, Value::Short(vec![1])),
            (277, Value::Short(vec![samples])),
            (278, Value::Long(height)),
            (279, Value::Long(pixels.len() as u32)),
            (339, each(format)),
        ];
        Self {
            tags,
            pixels,
            tiles: 0,
            shared: false,
            absent: BTreeSet::new(),
        }
    }

    /// Sets a tag, replacing an earlier value.
    pub(crate) fn with(mut self, tag: u16, value: Value) -> Self {
        self.tags.retain(|(other, _)| *other != tag);
        self.tags.push((tag, value));
        self
    }

    /// Divides the image into `count` tiles of this size; the pixels are those of the tiles, one
    /// after the other.
    pub(crate) fn tiled(mut self, [width, height]: [u16; 2], count: u32) -> Self {
        self.tags.retain(|(tag, _)| !matches!(tag, 278 | 279));
        self.tiles = count;
        self.with(322, Value::Short(vec![width]))
            .with(323, Value::Short(vec![height]))
    }

    /// Leaves out the `nth` tile, as GDAL does with tiles that hold nothing.
    pub(crate) fn without(mut self, nth: u32) -> Self {
        self.absent.insert(nth);
        self
    }

    /// Sets scale and offset of the first band, as GDAL writes them.
    pub(crate) fn scaled(self, scale: &str, offset: &str) -> Self {
        let text = format!(
            "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">{offset}</Item>\n  \
             <Item name=\"SCALE\" sample=\"0\" role=\"scale\">{scale}</Item>\n</GDALMetadata>\n"
        );
        self.with(GDAL_METADATA, Value::Text(text))
    }

    /// Places the image on a map: pixels of this size, in a projection (1) with this unit or in
    /// degrees (2).
    pub(crate) fn placed(self, size: [f64; 2], model: u16, unit: u16) -> Self {
        let keys = vec![1, 1, 0, 2, 1024, 0, 1, model, 3076, 0, 1, unit];
        self.with(PIXEL_SCALE, Value::Double(vec![size[0], size[1], 0.0]))
            .with(GEO_KEYS, Value::Short(keys))
    }
}

impl Value {
    /// Returns the type's number, the number of values, and their bytes.
    fn entry(&self) -> (u16, usize, Vec<u8>) {
        match self {
            Self::Text(text) => (2, text.len() + 1, [text.as_bytes(), b"\0"].concat()),
            Self::Short(all) => {
                let bytes = all.iter().flat_map(|n| n.to_le_bytes()).collect();
                (3, all.len(), bytes)
            }
            Self::Longs(all) => {
                let bytes = all.iter().flat_map(|n| n.to_le_bytes()).collect();
                (4, all.len(), bytes)
            }
            Self::Long(one) => (4, 1, one.to_le_bytes().to_vec()),
            Self::Double(all) => {
                let bytes = all.iter().flat_map(|n| n.to_le_bytes()).collect();
                (12, all.len(), bytes)
            }
            Self::Rational(all) => {
                let bytes = all.as_flattened().iter().flat_map(|n| n.to_le_bytes());
                (5, all.len(), bytes.collect())
            }
        }
    }
}

/// Returns a file of these images, in this order.
pub(crate) fn tiff(pages: &[Page]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    // Position at which to write the offset of the next directory.
    let mut link = 4;
    for page in pages {
        let here = |file: &[u8]| u32::try_from(file.len()).expect("a small file");
        let strip = here(&file);
        file.extend(&page.pixels);
        let mut tags = page.tags.clone();
        match (page.pixels.len() as u32).checked_div(page.tiles) {
            None => tags.push((273, Value::Long(strip))),
            Some(each) => {
                let (step, length) = if page.shared {
                    (0, page.pixels.len() as u32)
                } else {
                    (each, each)
                };
                let all = || 0..page.tiles;
                let or_none = |nth, number| {
                    if page.absent.contains(&nth) {
                        0
                    } else {
                        number
                    }
                };
                let places = all().map(|nth| or_none(nth, strip + nth * step));
                let lengths = all().map(|nth| or_none(nth, length));
                tags.push((324, Value::Longs(places.collect())));
                tags.push((325, Value::Longs(lengths.collect())));
            }
        }
        tags.sort_by_key(|(tag, _)| *tag);
        let mut entries = Vec::new();
        for (tag, value) in &tags {
            let (kind, count, mut bytes) = value.entry();
            if bytes.len() > 4 {
                let at = here(&file).to_le_bytes();
                file.extend(bytes);
                bytes = at.to_vec();
            }
            bytes.resize(4, 0);
            entries.extend(tag.to_le_bytes());
            entries.extend(kind.to_le_bytes());
            entries.extend(u32::try_from(count).expect("a small count").to_le_bytes());
            entries.extend(bytes);
        }
        if file.len() % 2 == 1 {
            file.push(0);
        }
        let place = here(&file).to_le_bytes();
        file[link..link + 4].copy_from_slice(&place);
        file.extend((tags.len() as u16).to_le_bytes());
        file.extend(entries);
        link = file.len();
        file.extend([0; 4]);
    }
    file
}

/// Returns the bytes of 16-bit numbers.
pub(crate) fn shorts(levels: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let levels = levels.into_iter();
    levels.flat_map(|n| (n as u16).to_le_bytes()).collect()
}

/// Returns the bytes of floats.
pub(crate) fn floats(levels: impl IntoIterator<Item = f32>) -> Vec<u8> {
    levels.into_iter().flat_map(f32::to_le_bytes).collect()
}
