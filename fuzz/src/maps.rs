//! Targets for map files.

use crate::bytes::Bytes;
use density::decode::{Channel, DecodeLimits, Levels, Raster, RawType, ReadOptions, TiffParts};
use density::{
    Bounds, DistRange, GreyMap, MapOptions, PixelRect, RadiusField, RadiusMap, White, YAxis,
};
use std::io::Cursor;

/// Small limits, so that the fuzzer can test many files.
const LIMITS: DecodeLimits = DecodeLimits {
    max_pixels: 1 << 18,
    max_bytes: 1 << 24,
};

/// Decodes a file of any format, recognised by its first bytes.
pub fn decode_any(data: &[u8]) {
    for channel in [Channel::Luma, Channel::A, Channel::Named("1".to_owned())] {
        let options = ReadOptions {
            channel,
            limits: LIMITS,
            ..ReadOptions::default()
        };
        if let Ok(raster) = Raster::decode(data, &options) {
            checked(&raster);
        }
    }
}

/// Decodes a file that begins like PNG.
pub fn decode_png(data: &[u8]) {
    decode_any(&begun(&[b"\x89PNG\r\n\x1a\n"], data));
}

/// Decodes a file that begins like JPEG.
pub fn decode_jpeg(data: &[u8]) {
    decode_any(&begun(&[b"\xff\xd8\xff"], data));
}

/// Decodes a file that begins like one of the kinds of TIFF.
pub fn decode_tiff(data: &[u8]) {
    let data = begun(&[b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"], data);
    let options = ReadOptions {
        limits: LIMITS,
        ..ReadOptions::default()
    };
    if let Ok(parts) = TiffParts::open(Cursor::new(&data), &options) {
        let [min, max] = [[0, 0], parts.size()];
        let _ = parts.read(PixelRect { min, max });
    }
    decode_any(&data);
}

/// Decodes a file that begins like `OpenEXR`.
pub fn decode_exr(data: &[u8]) {
    decode_any(&begun(&[b"\x76\x2f\x31\x01"], data));
}

/// Decodes a file that begins like Radiance HDR, PNM or an ASCII grid.
pub fn decode_simple(data: &[u8]) {
    let magic: [&[u8]; 9] = [
        b"#?RADIANCE\n",
        b"P1\n",
        b"P2\n",
        b"P3\n",
        b"P4\n",
        b"P5\n",
        b"P6\n",
        b"P7\n",
        b"ncols ",
    ];
    decode_any(&begun(&magic, data));
}

/// Decodes levels without a header. The first bytes give the size.
pub fn decode_raw(data: &[u8]) {
    let mut bytes = Bytes(data);
    let [width, height] = [0; 2].map(|_| u32::from(bytes.byte() % 5));
    let raw_type = bytes.one_of(&[RawType::U16, RawType::F32]);
    let options = ReadOptions {
        limits: LIMITS,
        ..ReadOptions::default()
    };
    let pixels = (width * height) as usize * usize::from(raw_type.bytes());
    let levels = &bytes.0[..bytes.0.len().min(pixels)];
    if let Ok(raster) = Raster::from_raw(levels, raw_type, [width, height], &options) {
        checked(&raster);
    }
}

/// Checks the properties of a raster, with either choice of its ends.
fn checked(raster: &Raster) {
    for y in 0..raster.height().min(3) {
        let _ = raster.level(y, y);
    }
    for levels in [Levels::Natural, Levels::Found] {
        let ends = raster.ends(levels);
        match raster.clone().into_map(levels) {
            Ok(map) => {
                assert!(ends.is_ok());
                assert_eq!(
                    (map.width(), map.height()),
                    (raster.width(), raster.height())
                );
                check(&map);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Returns `data`, with its first bytes replaced by one of `magic` if they are none of these.
fn begun(magic: &[&[u8]], data: &[u8]) -> Vec<u8> {
    if magic.iter().any(|magic| data.starts_with(magic)) {
        return data.to_vec();
    }
    let magic = Bytes(data).one_of(magic);
    [magic, data.get(magic.len()..).unwrap_or_default()].concat()
}

/// Checks the properties of a map.
pub(crate) fn check(map: &GreyMap) {
    let pixels = map.width() as usize * map.height() as usize;
    assert!(pixels > 0 && pixels as u64 <= LIMITS.max_pixels);
    assert_eq!(map.greys().len(), pixels);
    assert!(map.mask().is_none_or(|mask| mask.len() == pixels));
    let range = DistRange::new(0.5, 40.0).expect("a good range");
    let options = MapOptions {
        white: White::Dense,
        y_axis: YAxis::Up,
        ..MapOptions::default()
    };
    let field = RadiusMap::new(map.clone(), range, options).expect("a field");
    let size = field.bounds().size();
    for i in 0..16 {
        let share = f64::from(i) / 16.0;
        let low = [size[0] * share, size[1] * (1.0 - share) * 0.9];
        let high = [low[0] + size[0] * 0.07, low[1] + size[1] * 0.1];
        let Ok(place) = Bounds::new(low, high) else {
            continue;
        };
        let bounds = field.range_in(&place);
        for p in [low, place.center(), high.map(f64::next_down)] {
            let Some(distance) = field.min_dist(p) else {
                continue;
            };
            let local = bounds.expect("a place in it has a distance").range;
            assert!(local.lo() <= distance && distance <= local.hi());
            assert!((0.5..=40.0).contains(&distance));
        }
    }
    round_trip(map);
}

/// Checks that a written map is read back, except greys under a mask and the depth of the source.
pub(crate) fn round_trip(map: &GreyMap) {
    let mut file = Vec::new();
    map.write_png(&mut file).expect("a list takes every byte");
    let again =
        GreyMap::decode(&file, Channel::Luma, DecodeLimits::default()).expect("our own file");
    assert_eq!(again.mask(), map.mask());
    assert_eq!((again.width(), again.height()), (map.width(), map.height()));
}
