//! Compares rectangles of TIFF files with the whole images.
#![cfg(feature = "image")]

use crate::by_hand::{
    EXTRA_SAMPLES, GEO_KEYS, PHOTOMETRIC, PLANAR, Page, SUBFILE, TIE_POINTS, TRANSFORMATION, U8,
    U16, Value, shorts, tiff,
};
use crate::collection;
use spinney_density::PixelRect;
use spinney_density::decode::{
    Channel, DecodeError, DecodeLimits, Levels, Raster, ReadOptions, RowOrder, Tally, TiffParts,
};
use spinney_density::diagnostic::CellUnit;
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Finds all TIFF files below a folder.
fn tiffs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_tiff = |extension: &OsStr| {
            extension.eq_ignore_ascii_case("tif") || extension.eq_ignore_ascii_case("tiff")
        };
        if path.is_dir() {
            tiffs(&path, found);
        } else if path.extension().is_some_and(is_tiff) {
            found.push(path);
        }
    }
}

/// Returns some rectangles of an image of this size.
fn rects([width, height]: [u32; 2]) -> Vec<PixelRect> {
    let mut seed = u64::from(width) << 32 | u64::from(height);
    let mut draw = |most: u32| {
        seed = seed
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        ((seed >> 33) % u64::from(most)) as u32
    };
    let mut all = vec![PixelRect {
        min: [0, 0],
        max: [width, height],
    }];
    for _ in 0..12 {
        let [a, b] = [draw(width), draw(width)];
        let [c, d] = [draw(height), draw(height)];
        all.push(PixelRect {
            min: [a.min(b), c.min(d)],
            max: [a.max(b) + 1, c.max(d) + 1],
        });
    }
    all
}

/// Divides an image of this size into tiles of at least `least`, and at most 8 tiles per side.
fn cut(size: [u32; 2], least: [u32; 2]) -> Vec<PixelRect> {
    let tile = [0, 1].map(|axis: usize| least[axis].max(size[axis].div_ceil(8)));
    let mut all = Vec::new();
    for y in (0..size[1]).step_by(tile[1] as usize) {
        for x in (0..size[0]).step_by(tile[0] as usize) {
            all.push(PixelRect {
                min: [x, y],
                max: [(x + tile[0]).min(size[0]), (y + tile[1]).min(size[1])],
            });
        }
    }
    all
}

/// Compares rectangles with the whole; returns `true` if the file can be read in parts.
fn are_the_whole(bytes: &[u8], options: &ReadOptions, name: &str) -> bool {
    let parts = TiffParts::open(Cursor::new(bytes), options);
    let Ok(whole) = Raster::decode(bytes, options) else {
        // The error may lie outside of a part.
        if let Ok(parts) = parts {
            for rect in rects(parts.size()) {
                // The part may be read or not, but reading must end.
                let _ = parts.read(rect);
            }
        }
        return false;
    };
    let Ok(parts) = parts else {
        return false;
    };
    assert_eq!(parts.size(), [whole.width(), whole.height()], "{name}");
    assert_eq!(parts.level_type(), whole.level_type(), "{name}");
    assert_eq!(parts.is_grey(), whole.is_grey(), "{name}");
    assert_eq!(parts.about().scaling, whole.about().scaling, "{name}");
    assert_eq!(parts.about().row_order, whole.about().row_order, "{name}");
    assert_eq!(parts.about().place, whole.about().place, "{name}");
    assert_eq!(parts.about().cell, whole.about().cell, "{name}");
    for (channel, levels) in [
        (Channel::Luma, None),
        (Channel::Luma, Some(Levels::Natural)),
        (Channel::R, None),
    ] {
        let mut tally = Tally::default();
        // Reads every tile twice.
        for rect in [cut(parts.size(), [7, 5]), cut(parts.size(), [7, 5])].concat() {
            let part = parts
                .read(rect)
                .unwrap_or_else(|e| panic!("{name}, {rect:?}: {e}"));
            tally.add(rect.min, &part);
        }
        let found = [parts.diagnostics(), tally.diagnostics(&channel, levels)].concat();
        assert_eq!(found, whole.diagnostics(&channel, levels), "{name}");
    }
    let mut holes = false;
    for rect in rects(parts.size()) {
        let part = parts
            .read(rect)
            .unwrap_or_else(|e| panic!("{name}, {rect:?}: {e}"));
        for y in rect.min[1]..rect.max[1] {
            for x in rect.min[0]..rect.max[0] {
                let (found, truth) = (
                    part.level(x - rect.min[0], y - rect.min[1]),
                    whole.level(x, y),
                );
                assert_eq!(
                    found.map(f64::to_bits),
                    truth.map(f64::to_bits),
                    "{name}: {x}, {y}"
                );
                holes |= truth.is_none();
            }
        }
    }
    assert!(parts.may_be_holed() || !holes, "{name}");
    true
}

#[test]
fn parts_are_the_whole() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    tiffs(&here.join("tests/data"), &mut files);
    let own = files.len();
    if let Some(shared) = collection::folder("") {
        tiffs(&shared, &mut files);
    }
    assert!(own > 0, "files of our own");
    let mut read = 0;
    for path in &files {
        let bytes = fs::read(path).expect("a file");
        let options = ReadOptions::default();
        read += usize::from(are_the_whole(&bytes, &options, &path.display().to_string()));
    }
    println!("{read} of {} files", files.len());
    assert!(read * 3 > own, "{read} of {} files", files.len());
}

/// Returns a grey image of 8 x 6 pixels in strips, with rows from the north or from the south.
fn placed(scale: [f64; 2], model: u16, tie: [f64; 6]) -> Page {
    let page = Page::new([8, 6], 1, U16, shorts((0..48).map(|n| n * 1000)));
    page.placed(scale, model, 9001)
        .with(TIE_POINTS, Value::Double(tie.to_vec()))
}

#[test]
fn a_file_says_where_it_lies() {
    let options = ReadOptions::default();
    let north_up = tiff(&[placed(
        [30.0, 20.0],
        1,
        [0.0, 0.0, 0.0, 500_000.0, 4_000_000.0, 0.0],
    )]);
    let raster = Raster::decode(&north_up, &options).expect("an image");
    let place = raster.about().place.expect("a place");
    assert_eq!(place.bounds().min(), [500_000.0, 3_999_880.0]);
    assert_eq!(place.bounds().max(), [500_240.0, 4_000_000.0]);
    assert_eq!((place.unit(), place.epsg()), (CellUnit::Metres, None));
    assert!(!place.may_be_degrees([8, 6]));
    assert_eq!(raster.about().row_order, RowOrder::NorthFirst);
    assert!(are_the_whole(&north_up, &options, "north-up"));

    // A tie point elsewhere: column 2, row 3.
    let tie = [2.0, 3.0, 0.0, 500_060.0, 3_999_940.0, 0.0];
    let same = tiff(&[placed([30.0, 20.0], 1, tie)]);
    assert_eq!(
        Raster::decode(&same, &options)
            .expect("an image")
            .about()
            .place,
        Some(place)
    );

    // Levels of points: the tie point is the middle of a pixel.
    let keys = vec![
        1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32633, 3076, 0, 1, 9001,
    ];
    let tie = [0.0, 0.0, 0.0, 500_015.0, 3_999_990.0, 0.0];
    let of_points = placed([30.0, 20.0], 1, tie).with(GEO_KEYS, Value::Short(keys));
    let of_points = Raster::decode(&tiff(&[of_points]), &options).expect("an image");
    let found = of_points.about().place.expect("a place");
    assert_eq!(
        (found.bounds(), found.epsg()),
        (place.bounds(), Some(32633))
    );

    // From the south: rows are turned, the position is the same.
    let matrix = vec![
        30.0,
        0.0,
        0.0,
        500_000.0,
        0.0,
        20.0,
        0.0,
        3_999_880.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ];
    let south = Page::new([8, 6], 1, U16, shorts((0..48).map(|n| n * 1000)));
    let south = tiff(&[south.with(TRANSFORMATION, Value::Double(matrix))]);
    let turned = Raster::decode(&south, &options).expect("an image");
    assert_eq!(turned.about().row_order, RowOrder::SouthFirst);
    assert_eq!(
        turned.about().place.map(|place| place.bounds()),
        Some(place.bounds())
    );
    assert_eq!(turned.level(0, 0), raster.level(0, 5));
    assert!(are_the_whole(&south, &options, "south-up"));

    let degrees = placed([0.01, 0.01], 2, [0.0, 0.0, 0.0, 11.0, 48.0, 0.0]);
    let degrees = Raster::decode(&tiff(&[degrees]), &options).expect("an image");
    assert!(
        degrees
            .about()
            .place
            .is_some_and(|place| place.may_be_degrees([8, 6]))
    );
    // A scale alone does not give the position of the first pixel.
    let nowhere = Page::new([8, 6], 1, U8, vec![7; 48]).placed([30.0, 20.0], 1, 9001);
    let nowhere = Raster::decode(&tiff(&[nowhere]), &options).expect("an image");
    assert!(nowhere.about().place.is_none() && nowhere.about().cell.is_some());
}

#[test]
fn limits_hold_for_what_is_decoded_at_once() {
    let page = Page::new([64, 64], 1, U8, (0..4096).map(|n| n as u8).collect());
    let bytes = tiff(&[page]);
    let options = |max_pixels| ReadOptions {
        limits: DecodeLimits {
            max_pixels,
            ..DecodeLimits::default()
        },
        ..ReadOptions::default()
    };
    // The only strip is the whole image.
    let parts = TiffParts::open(Cursor::new(&bytes), &options(4095));
    assert!(matches!(parts, Err(DecodeError::TooManyPixels { .. })));
    let parts = TiffParts::open(Cursor::new(&bytes), &options(4096)).expect("within limits");
    let outside = PixelRect {
        min: [60, 0],
        max: [65, 4],
    };
    assert!(matches!(parts.read(outside), Err(DecodeError::Map(_))));
}

/// Returns options with this memory limit.
fn within(max_bytes: u64) -> ReadOptions {
    ReadOptions {
        limits: DecodeLimits {
            max_bytes,
            ..DecodeLimits::default()
        },
        ..ReadOptions::default()
    }
}

/// The memory of a mask, and of a turned copy, counts.
#[test]
fn masks_and_turned_copies_are_counted() {
    let size @ [width, height] = [64, 64];
    let pixels = u64::from(width * height);
    let tiles = |level: u8| {
        let page = Page::new(size, 1, U8, vec![level; pixels as usize]);
        page.tiled([16, 16], 16)
    };
    let mask = tiles(1).with(SUBFILE, Value::Long(4));
    let masked = [tiles(9), mask];
    let upside_down = [tiles(9).with(274, Value::Short(vec![4]))];
    for pages in [&masked[..], &upside_down] {
        let bytes = tiff(pages);
        // Two rasters at once, each with two bytes per pixel for the grey and one for the mask.
        let least = 6 * pixels;
        let Err(DecodeError::TooManyBytes { bytes: whole, .. }) =
            Raster::decode(&bytes, &within(1))
        else {
            panic!("one byte is enough");
        };
        assert!(whole > least, "{whole}");
        assert!(Raster::decode(&bytes, &within(whole)).is_ok());

        let all = PixelRect {
            min: [0, 0],
            max: size,
        };
        // Enough for a tile.
        let read = |max_bytes| {
            let parts = TiffParts::open(Cursor::new(&bytes), &within(max_bytes));
            parts.expect("enough for a tile").read(all)
        };
        let Err(DecodeError::TooManyBytes { bytes: part, .. }) = read(2048) else {
            panic!("a tile's memory is enough for all");
        };
        assert_eq!(part, whole);
        assert!(read(part).is_ok());
    }
}

/// No copy is made of a map whose first row is the northern one.
#[test]
fn a_map_that_is_not_turned_takes_no_more_memory_than_a_picture() {
    let picture = Page::new([64, 64], 1, U8, vec![9; 4096]);
    let least = |page: Page| {
        let decoded = Raster::decode(&tiff(&[page]), &within(1));
        let Err(DecodeError::TooManyBytes { bytes, .. }) = decoded else {
            panic!("one byte is enough");
        };
        bytes
    };
    let map = |down| picture.clone().placed([30.0, down], 1, 9001);
    assert_eq!(least(map(20.0)), least(picture.clone()));
    assert!(least(map(-20.0)) > least(picture.clone()));
}

#[test]
fn all_bands_of_a_tile_are_counted() {
    let size @ [width, height] = [64, 64];
    let pixels = u64::from(width * height);
    let page = Page::new(size, 4, U8, vec![255; 4 * pixels as usize])
        .with(PHOTOMETRIC, Value::Short(vec![2]))
        .with(PLANAR, Value::Short(vec![2]))
        .with(EXTRA_SAMPLES, Value::Short(vec![2]))
        .tiled([64, 64], 4);
    let bytes = tiff(&[page]);
    let Err(DecodeError::TooManyBytes { bytes: found, .. }) = Raster::decode(&bytes, &within(1))
    else {
        panic!("one byte is enough");
    };
    // Three bytes per pixel for the raster, and one for each band.
    assert!(found >= 7 * pixels, "{found}");
    assert!(Raster::decode(&bytes, &within(found)).is_ok());
}

/// A size whose area exceeds 64 bits together with its samples, and with the permitted padding of
/// tiles.
#[test]
fn no_area_is_beyond_counting() {
    let page = Page::new([1, 1], 1, U16, vec![0; 2])
        .with(256, Value::Long(u32::MAX))
        .with(257, Value::Long(u32::MAX))
        .with(278, Value::Long(u32::MAX));
    let limits = DecodeLimits {
        max_pixels: u64::MAX,
        ..DecodeLimits::default()
    };
    for limits in [DecodeLimits::default(), limits] {
        for compression in [1, 5, 50000] {
            let page = page.clone().with(259, Value::Short(vec![compression]));
            for page in [page.clone().tiled([16, 16], 1), page] {
                let bytes = tiff(&[page]);
                let options = ReadOptions {
                    limits,
                    ..ReadOptions::default()
                };
                assert!(TiffParts::open(Cursor::new(&bytes), &options).is_err());
                assert!(Raster::decode(&bytes, &options).is_err());
            }
        }
    }
}

/// A file that counts the bytes read from it.
struct Counted<'a> {
    file: Cursor<&'a [u8]>,
    read: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.read.set(self.read.get() + read);
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Only a few values of these tags are read, however many the file has.
#[test]
fn no_more_values_of_a_tag_are_read_than_it_takes() {
    for (tag, first) in [
        (SUBFILE, 0),
        (256, 8),
        (257, 6),
        (258, 8),
        (259, 1),
        (262, 1),
        (266, 1),
        (274, 1),
        (277, 1),
        (278, 6),
        (279, 48),
        (284, 1),
        (317, 1),
        (339, 1),
        (530, 1),
    ] {
        let page = Page::new([8, 6], 1, U8, (0..48).collect());
        let page = page.with(tag, Value::Short(vec![first; 1 << 20]));
        let bytes = tiff(&[page]);
        let read = Cell::new(0);
        let file = Counted {
            file: Cursor::new(&bytes),
            read: &read,
        };
        let parts = TiffParts::open(file, &ReadOptions::default());
        let parts = parts.unwrap_or_else(|e| panic!("tag {tag}: {e}"));
        assert_eq!(parts.size(), [8, 6], "tag {tag}");
        assert!(read.get() < 2000, "tag {tag}: {} bytes", read.get());
    }
}
