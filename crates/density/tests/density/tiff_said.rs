//! The numbers, pixel sizes and images that the tags of a TIFF describe, besides the pixels themselves.
#![cfg(feature = "image")]

use crate::by_hand::{
    EXTRA_SAMPLES, F32, GDAL_METADATA, GDAL_NO_DATA, GEO_KEYS, I16, PHOTOMETRIC, PIXEL_SCALE,
    PLANAR, Page, SUBFILE, TRANSFORMATION, U8, U16, Value, floats, shorts, tiff,
};
use crate::exr_alpha::{clear_share, divided_share};
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use spinney_density::decode::{
    Alpha, Channel, DecodeError, LevelRange, Levels, Raster, ReadOptions, RowOrder, TiffParts,
};
use spinney_density::diagnostic::{CellUnit, Diagnostic, HeightsKnown, Names, Role, Subject};
use std::fs;
use std::io::Cursor;
use std::path::Path;

fn read(bytes: &[u8]) -> Result<Raster, DecodeError> {
    Raster::decode(bytes, &ReadOptions::default())
}

fn of_channel(bytes: &[u8], name: &str) -> Result<Raster, DecodeError> {
    let options = ReadOptions {
        channel: Channel::Named(name.to_owned()),
        ..ReadOptions::default()
    };
    Raster::decode(bytes, &options)
}

fn row(raster: &Raster, width: u32) -> Vec<Option<f64>> {
    (0..width).map(|x| raster.level(x, 0)).collect()
}

/// Integers that store decimetres must become metres.
#[test]
fn scaled_numbers_are_levels() {
    let heights = shorts([-32768, -50, 0, 12345]);
    let page = Page::new([4, 1], 1, I16, heights)
        .scaled("0.1", "100")
        .with(GDAL_NO_DATA, Value::Text("-32768".to_owned()));
    let raster = read(&tiff(&[page])).expect("a good file");
    let levels = [None, Some(95.0), Some(100.0), Some(1334.5)];
    assert_eq!(row(&raster, 4), levels);
    assert_eq!(raster.level_type().to_string(), "16-bit signed");
    let scaling = raster.about().scaling.expect("is told");
    assert_eq!((scaling.scale(), scaling.offset()), (0.1, 100.0));
    assert!(!raster.is_grey());
    let ends = raster.ends(Levels::Natural).expect("levels");
    assert_eq!(ends.map(|e| (e.lo(), e.hi())), Some((95.0, 1334.5)));
}

/// "No data" is a stored number, before scaling.
#[test]
fn no_data_is_not_scaled() {
    let page = Page::new([3, 1], 1, U16, shorts([9, 90, 0]))
        .scaled("0.1", "0")
        .with(GDAL_NO_DATA, Value::Text("9".to_owned()));
    let raster = read(&tiff(&[page])).expect("a good file");
    assert_eq!(row(&raster, 3), [None, Some(9.0), Some(0.0)]);
}

/// Errors give the names of compressions, not their numbers.
#[test]
fn compressions_that_are_not_read_are_named() {
    for (number, name) in [
        (34887, "LERC-compressed TIFF is not supported"),
        (34925, "LZMA-compressed TIFF is not supported"),
        (34712, "JPEG 2000-compressed TIFF is not supported"),
        (3, "CCITT group 3-compressed TIFF is not supported"),
        (5, "old-style LZW-compressed TIFF is not supported"),
        (61234, "compression 61234"),
    ] {
        // LZW data that begin with these bytes have the older form: codes from the lowest bit on.
        let page = Page::new([3, 1], 1, U8, vec![0, 1, 2]);
        let page = page.with(259, Value::Short(vec![number]));
        let error = read(&tiff(&[page])).expect_err("not read").to_string();
        assert!(error.contains(name), "{number}: {error}");
    }
}

/// The decoder of JPEG has a limit of its own, of 16,384 pixels, unless it is told another.
#[test]
fn a_strip_of_jpeg_may_be_wide() {
    let size @ [width, height] = [16_400, 8];
    let greys = vec![200; (width * height) as usize];
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new(&mut jpeg);
    let written = encoder.write_image(&greys, width, height, ExtendedColorType::L8);
    written.expect("written");
    let page = Page::deflated(size, U8, jpeg).with(259, Value::Short(vec![7]));
    let raster = read(&tiff(&[page])).expect("a good file");
    let last = raster.level(width - 1, height - 1).expect("a level");
    assert!((last - 200.0).abs() <= 2.0, "{last}");
}

#[test]
fn no_level_of_sixteen_bits_is_lost() {
    let all = || shorts(0..65536);
    for (scale, offset, turned) in [("0.001", "-8e6", false), ("-3e5", "1e9", true)] {
        let page = Page::new([256, 256], 1, U16, all()).scaled(scale, offset);
        let raster = read(&tiff(&[page])).expect("a good file");
        let map = raster.into_map(Levels::Natural).expect("a good map");
        let expected = (0..=u16::MAX).map(|grey| if turned { u16::MAX - grey } else { grey });
        assert!(map.greys().iter().copied().eq(expected), "{scale}");
    }
    let signed = Page::new([256, 256], 1, I16, all()).scaled("0.1", "0.7");
    let map = read(&tiff(&[signed])).expect("a good file");
    let map = map.into_map(Levels::Found).expect("a good map");
    let expected = (0..=u16::MAX).map(|n| n.wrapping_add(32768));
    assert!(map.greys().iter().copied().eq(expected));
}

/// For floats and 8 bits too, in the units of the given range.
#[test]
fn a_range_is_of_scaled_levels() {
    let eight = Page::new([3, 1], 1, U8, vec![0, 100, 255]).scaled("2", "-100");
    let float = Page::new([3, 1], 1, F32, floats([0.0, 100.0, 255.0])).scaled("2", "-100");
    for page in [eight, float] {
        let raster = read(&tiff(&[page])).expect("a good file");
        assert_eq!(row(&raster, 3), [Some(-100.0), Some(100.0), Some(410.0)]);
        let range = LevelRange::new(0.0, 200.0).expect("a good range");
        let map = raster.into_map(Levels::Between(range)).expect("a good map");
        assert_eq!(map.greys(), [0, 32768, 65535]);
    }
}

#[test]
fn each_band_is_scaled_by_its_own() {
    let items = "<GDALMetadata><Item name=\"SCALE\" sample=\"1\" role=\"scale\">10</Item>\
                 </GDALMetadata>";
    let page = Page::new([2, 1], 2, U8, vec![1, 2, 3, 4])
        .with(GDAL_METADATA, Value::Text(items.to_owned()));
    let file = tiff(&[page]);
    let band = |name| of_channel(&file, name).expect("a good band");
    assert_eq!(row(&band("1"), 2), [Some(1.0), Some(3.0)]);
    assert_eq!(row(&band("2"), 2), [Some(20.0), Some(40.0)]);
    assert!(band("1").about().scaling.is_none() && band("1").is_grey());
}

#[test]
fn scales_that_make_no_levels_are_refused() {
    let page = || Page::new([2, 1], 1, U8, vec![1, 2]);
    for (page, said) in [
        (page().scaled("0", "1"), "scale 0 and offset 1"),
        (
            page().with(GDAL_METADATA, Value::Text("<Item role=\"scale\">".into())),
            "tag 42112",
        ),
        (
            page()
                .scaled("2", "1")
                .with(PHOTOMETRIC, Value::Short(vec![0])),
            "inverted or YCbCr scaled TIFF is not supported",
        ),
    ] {
        let error = read(&tiff(&[page])).expect_err(said).to_string();
        assert!(error.contains(said), "{said}: {error}");
    }
    let silent = page().with(GDAL_METADATA, Value::Text("<Item".into()));
    assert!(read(&tiff(&[silent])).is_ok(), "nothing is said of scales");
}

/// Returns a `ModelTransformation` with these steps to the next column and row, east and north.
fn matrix(right: [f64; 2], down: [f64; 2]) -> Value {
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[1], matrix[3]) = (right[0], down[0], 5e5);
    (matrix[4], matrix[5], matrix[7]) = (right[1], down[1], 4e6);
    matrix[15] = 1.0;
    Value::Double(matrix.to_vec())
}

/// Rows must not be assumed to run south, or turned grids to be straight.
#[test]
fn rows_run_south_whatever_the_file_says() {
    let page = || Page::new([2, 2], 1, U8, vec![1, 2, 3, 4]);
    let upper = |page: &Page| {
        let raster = read(&tiff(std::slice::from_ref(page))).expect("a good file");
        (raster.about().row_order, row(&raster, 2))
    };
    let stored = vec![Some(1.0), Some(2.0)];
    let turned = vec![Some(3.0), Some(4.0)];
    let north = page().placed([30.0, 20.0], 1, 9001);
    for (page, order, first) in [
        (page(), RowOrder::Unsaid, &stored),
        (north.clone(), RowOrder::NorthFirst, &stored),
        (
            page().placed([30.0, -20.0], 1, 9001),
            RowOrder::NegativeScale,
            &turned,
        ),
        (
            page().with(TRANSFORMATION, matrix([1.0, 0.0], [0.0, 1.0])),
            RowOrder::SouthFirst,
            &turned,
        ),
        (
            page().with(TRANSFORMATION, matrix([1.0, 0.0], [0.0, -1.0])),
            RowOrder::NorthFirst,
            &stored,
        ),
        // Both tags mean this, and the rows are turned once.
        (
            page()
                .with(TRANSFORMATION, matrix([1.0, 0.0], [0.0, 1.0]))
                .with(274, Value::Short(vec![4])),
            RowOrder::SouthFirst,
            &turned,
        ),
    ] {
        assert_eq!(upper(&page), (order, first.clone()), "{page:?}");
    }
    // Programs write the identity for an image without a position on a map.
    let mut identity = [0.0; 16];
    for n in [0, 5, 10, 15] {
        identity[n] = 1.0;
    }
    let page_of_none = page().with(TRANSFORMATION, Value::Double(identity.to_vec()));
    assert_eq!(upper(&page_of_none), (RowOrder::Unsaid, stored.clone()));
    for (right, down, said) in [
        (
            [3.0, 4.0],
            [8.0, -6.0],
            "it is rotated on the map: the next column is 3 east and 4 north",
        ),
        ([0.0, 1.0], [1.0, 0.0], "it is rotated"),
        ([1.0, 0.0], [0.5, -1.0], "it is rotated"),
        (
            [-1.0, 0.0],
            [0.0, -1.0],
            "it is mirrored on the map: the next column is -1 east",
        ),
        ([-1.0, 0.0], [0.0, 1.0], "make it north-up with gdalwarp"),
    ] {
        let file = tiff(&[page().with(TRANSFORMATION, matrix(right, down))]);
        let error = read(&file).expect_err(said).to_string();
        assert!(error.contains(said), "{said}: {error}");
    }
    // A world file applies only if the file itself gives no position.
    let world = "1\n0\n0\n1\n0\n0\n";
    let mirrored = read(&tiff(&[page().with(274, Value::Short(vec![2]))])).expect("a good file");
    let error = beside_world_file(mirrored, world).expect_err("two turns");
    let error = error.to_string();
    assert!(error.contains("orientation tag (2)"), "{error}");
    let placed = |page: Page| {
        let raster = read(&tiff(&[page])).expect("a good file");
        let raster = beside_world_file(raster, world).expect("no turn");
        (raster.about().row_order, row(&raster, 2))
    };
    assert_eq!(placed(page()), (RowOrder::SouthFirst, turned));
    assert_eq!(placed(north), (RowOrder::NorthFirst, stored));
}

/// Returns the raster of a file that has this world file beside it.
fn beside_world_file(raster: Raster, text: &str) -> Result<Raster, DecodeError> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("map.tif");
    fs::write(path.with_extension("tfw"), text).expect("written");
    let text = |_: &Path, _| Ok(text.into());
    raster.with_files_beside(&path, &ReadOptions::default(), text, |_, e| e)
}

fn kinds(raster: &Raster) -> Vec<&'static str> {
    let found = raster.diagnostics(&Channel::Luma, None);
    found.iter().map(Diagnostic::kind).collect()
}

/// Places a page in UTM, with pixels of 30 x 20 metres, by these tie points.
fn tied(page: Page, ties: &[f64]) -> Page {
    let page = page.placed([30.0, 20.0], 1, 9001);
    page.with(33922, Value::Double(ties.to_vec()))
}

const CORNER: [f64; 6] = [0.0, 0.0, 0.0, 5e5, 4e6, 0.0];

/// An image with a position must keep it, whatever its orientation tag.
#[test]
fn maps_are_not_turned_by_the_orientation_tag() {
    let page = |orientation| {
        let page = Page::new([2, 2], 1, U8, vec![1, 2, 3, 4]);
        tied(page, &CORNER).with(274, Value::Short(vec![orientation]))
    };
    let plain = read(&tiff(&[page(1)])).expect("a good file");
    assert!(plain.about().place.is_some() && kinds(&plain).is_empty());
    for orientation in 2..=8 {
        let file = tiff(&[page(orientation)]);
        let raster = read(&file).expect("a good file");
        assert_eq!(row(&raster, 2), row(&plain, 2), "{orientation}");
        assert_eq!(raster.about().place, plain.about().place, "{orientation}");
        assert_eq!(kinds(&raster), ["orientation-passed-over"]);
        let parts = TiffParts::open(Cursor::new(&file), &ReadOptions::default());
        let parts = parts.expect("no turn");
        assert_eq!(parts.about().place, plain.about().place);
        let said = Diagnostic::OrientationPassedOver {
            orientation: orientation as u8,
        };
        assert_eq!(parts.diagnostics(), [said]);
    }
}

#[test]
fn places_that_are_not_followed_are_told() {
    let page = || Page::new([2, 2], 1, U8, vec![1, 2, 3, 4]);
    let end = |east: f64| [&CORNER[..], &[2.0, 2.0, 0.0, 5e5 + east, 4e6 - 40.0, 0.0]].concat();
    let alone = page().with(33922, Value::Double(end(60.0)));
    let rpc = page().with(50844, Value::Double(vec![1.0; 92]));
    for (page, said) in [
        (alone.clone(), "by control points"),
        (
            page().with(33922, Value::Double(CORNER.to_vec())),
            "by control points",
        ),
        (
            tied(page(), &end(99.0)),
            "by tie points that do not fit its scale",
        ),
        (rpc.clone(), "by a camera model (RPC)"),
    ] {
        let file = tiff(&[page]);
        let raster = read(&file).expect("a good file");
        assert!(raster.about().place.is_none());
        assert_eq!(kinds(&raster), ["place-not-followed"], "{said}");
        let found = raster.diagnostics(&Channel::Luma, None).remove(0);
        let parts = TiffParts::open(Cursor::new(&file), &ReadOptions::default());
        assert_eq!(
            parts.expect("a good file").diagnostics(),
            std::slice::from_ref(&found)
        );
        let about = Subject::new(Role::Map, "a.tif", &Names::NONE);
        let text = found.about(&about).to_string();
        assert!(text.contains(said), "{text}");
    }
    // GDAL takes the first of tie points that fit the scale.
    let found = |page| read(&tiff(&[page])).expect("a good file");
    let fitting = found(tied(page(), &end(60.0)));
    assert_eq!(
        fitting.about().place,
        found(tied(page(), &CORNER)).about().place
    );
    assert!(fitting.about().place.is_some() && kinds(&fitting).is_empty());
    // A scale and a corner outrank a camera model, and so does a world file.
    let both = tied(page(), &CORNER).with(50844, Value::Double(vec![1.0; 92]));
    assert!(kinds(&found(both)).is_empty());
    let world = "1\n0\n0\n-1\n0\n0\n";
    let placed = |page| beside_world_file(found(page), world).expect("no turn");
    assert!(placed(alone).about().place.is_some() && kinds(&placed(rpc)).is_empty());
    for orientation in [4, 6] {
        let turned = placed(page().with(274, Value::Short(vec![orientation])));
        assert!(turned.about().place.is_none());
        assert_eq!(kinds(&turned), ["place-not-followed"]);
    }
}

#[test]
fn pixels_have_a_size() {
    let page = || Page::new([2, 1], 1, U8, vec![1, 2]);
    let cell = |page: Page| {
        let raster = read(&tiff(&[page])).expect("a good file");
        raster.about().cell.map(|cell| (cell.size(), cell.unit()))
    };
    assert_eq!(cell(page()), None);
    let metres = Some(([30.0, 20.0], CellUnit::Metres));
    assert_eq!(cell(page().placed([30.0, -20.0], 1, 9001)), metres);
    let feet = Some(([5.0, 5.0], CellUnit::Feet));
    assert_eq!(cell(page().placed([5.0, 5.0], 1, 9003)), feet);
    let degrees = Some(([0.25, 0.25], CellUnit::Degrees));
    assert_eq!(cell(page().placed([0.25, 0.25], 2, 0)), degrees);
    let unsaid = Some(([7.0, 7.0], CellUnit::Unsaid));
    assert_eq!(cell(page().placed([7.0, 7.0], 32767, 9)), unsaid);
    // From a matrix.
    let by_matrix = page().with(TRANSFORMATION, matrix([3.0, 0.0], [0.0, -6.0]));
    assert_eq!(cell(by_matrix), Some(([3.0, 6.0], CellUnit::Unsaid)));
    for none in [[0.0, 1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]] {
        assert_eq!(cell(page().placed(none, 1, 9001)), None, "{none:?}");
    }
}

#[test]
fn heights_have_a_unit() {
    use CellUnit::{Feet, Kilometres, Metres};
    let sized = HeightsKnown {
        is_measured: true,
        ..HeightsKnown::default()
    };
    let told = |keys: &[u16], item: &str| {
        let head = [1, 1, 0, keys.len() as u16 / 4];
        let page = tied(Page::new([2, 1], 1, U8, vec![1, 2]), &CORNER)
            .with(GEO_KEYS, Value::Short([&head[..], keys].concat()))
            .with(GDAL_METADATA, Value::Text(item.to_owned()));
        let raster = read(&tiff(&[page])).expect("a good file");
        match raster.about().cell?.on_ground([2, 1], [60.0, 20.0], sized) {
            Some(Diagnostic::HeightUnit {
                heights,
                cells,
                factor,
            }) => Some((heights, cells, factor)),
            other => {
                assert_eq!(other, None);
                None
            }
        }
    };
    let system = |code| [1024, 0, 1, 1, 3076, 0, 1, 9001, 4096, 0, 1, code];
    // GeoTIFF 1.1: the unit of pixels follows from their system.
    let systems = |across, up| [1024, 0, 1, 1, 3072, 0, 1, across, 4096, 0, 1, up];
    let units = |across, up| [1024, 0, 1, 1, 3076, 0, 1, across, 4099, 0, 1, up];
    let item = |sample, unit| {
        format!(
            "<a><Item name=\"UNITTYPE\" sample=\"{sample}\" role=\"unittype\">{unit}</Item></a>"
        )
    };
    let feet = Some((Feet, Metres, 0.3048));
    assert_eq!(told(&units(9001, 9002), ""), feet);
    assert_eq!(told(&system(6360), ""), feet, "NAVD88 in feet");
    assert_eq!(told(&systems(26910, 6360), ""), feet, "a zone of UTM");
    let metres = told(&systems(2227, 5703), "");
    assert!(
        matches!(metres, Some((Metres, Feet, _))),
        "a zone of California"
    );
    for (across, up) in [
        (26910, 5703),
        (2227, 6360),
        (3167, 6360),
        (32767, 6360),
        (0, 6360),
    ] {
        assert_eq!(told(&systems(across, up), ""), None, "{across}");
    }
    assert_eq!(told(&units(9001, 9001), &item(0, "ft")), feet);
    assert_eq!(
        told(&units(9036, 9001), ""),
        Some((Metres, Kilometres, 0.001))
    );
    assert_eq!(
        told(&units(9003, 9001), ""),
        Some((Metres, Feet, 1.0 / 0.3048))
    );
    for (keys, item) in [
        (units(9001, 9001), String::new()),
        (units(9002, 9003), String::new()),
        (units(9001, 0), item(1, "ft")),
        (units(9001, 9002), item(0, "m")),
        (units(9001, 0), "<Item role=\"unittype\">ft".to_owned()),
        (
            [1024, 0, 1, 2, 3076, 0, 1, 0, 4099, 0, 1, 9002],
            String::new(),
        ),
        (system(5703), String::new()),
    ] {
        assert_eq!(told(&keys, &item), None, "{keys:?} {item}");
    }
}

fn subfile(page: Page, kind: u32) -> Page {
    page.with(SUBFILE, Value::Long(kind))
}

/// The image is found even after a reduced copy of it.
#[test]
fn the_image_is_not_a_copy_of_it() {
    let thumb = || Page::new([1, 1], 1, U8, vec![7]);
    let whole = || Page::new([2, 2], 1, U8, vec![1, 2, 3, 4]).scaled("10", "0");
    let mask = || subfile(Page::new([2, 2], 1, U8, vec![1, 0, 1, 1]), 4);
    let old = thumb().with(255, Value::Short(vec![2]));
    for first in [subfile(thumb(), 1), subfile(thumb(), 5), old] {
        let file = tiff(&[first, subfile(whole(), 0), mask(), subfile(thumb(), 1)]);
        let raster = read(&file).expect("a good file");
        assert_eq!((raster.width(), raster.height()), (2, 2));
        assert_eq!(row(&raster, 2), [Some(10.0), None], "its mask");
        assert_eq!(raster.about().other_images, 0);
    }
    let pages = tiff(&[whole(), subfile(thumb(), 2), mask(), whole()]);
    let raster = read(&pages).expect("a good file");
    assert_eq!(raster.about().other_images, 2);
    assert_eq!(raster.level(0, 1), Some(30.0));

    // A mask alone is an image, a reduced copy is not.
    assert_eq!(read(&tiff(&[mask()])).map(|r| r.level(1, 0)), Ok(Some(0.0)));
    for none in [vec![subfile(thumb(), 1)], vec![subfile(thumb(), 1), mask()]] {
        let error = read(&tiff(&none)).expect_err("a copy");
        assert_eq!(error, DecodeError::Reduced { format: "TIFF" });
    }
}

/// Colour tags are those of the image that is read.
#[test]
fn tags_are_those_of_the_image() {
    let thumb = subfile(Page::new([1, 1], 1, U8, vec![7]), 1);
    let palette = Page::new([2, 1], 1, U8, vec![1, 2])
        .with(PHOTOMETRIC, Value::Short(vec![3]))
        .with(320, Value::Short(vec![9; 768]));
    let found = read(&tiff(&[thumb, palette])).expect("can be read");
    assert_eq!(found.about().palette, Some(256));
}

/// Half-transparent white must be white, not grey.
#[test]
fn colours_are_taken_apart_from_alpha() {
    let associated = |page: Page, kind: u16| page.with(EXTRA_SAMPLES, Value::Short(vec![kind]));
    let grey = || Page::new([4, 1], 2, U8, vec![128, 128, 64, 128, 9, 0, 200, 255]);
    let of = |page: Page, alpha| {
        let options = ReadOptions {
            alpha,
            ..ReadOptions::default()
        };
        Raster::decode(&tiff(&[page]), &options).expect("a good file")
    };
    let near = |raster: &Raster, levels: [Option<f64>; 4]| {
        for (found, level) in row(raster, 4).into_iter().zip(levels) {
            let same = match (found, level) {
                // Greys have 65535 steps.
                (Some(found), Some(level)) => (found - level).abs() < 0.003,
                (found, level) => found == level,
            };
            assert!(same, "{found:?} {level:?}");
        }
    };
    let masked = of(associated(grey(), 1), Alpha::Mask);
    near(&masked, [Some(255.0), Some(127.5), None, Some(200.0)]);
    assert_eq!((divided_share(&masked), clear_share(&masked)), (0.5, 0.25));
    for (kind, alpha, closed) in [(2, Alpha::Mask, None), (1, Alpha::Ignore, Some(9.0))] {
        let stored = of(associated(grey(), kind), alpha);
        near(&stored, [Some(128.0), Some(64.0), closed, Some(200.0)]);
        assert_eq!(divided_share(&stored), 0.0);
    }

    // Only colours are divided, and not beyond the greatest possible level.
    let five = [10u8, 20, 51, 51, 77, 255, 0, 0, 51, 77];
    let five = Page::new([2, 1], 5, U8, five.to_vec())
        .with(PHOTOMETRIC, Value::Short(vec![2]))
        .with(EXTRA_SAMPLES, Value::Short(vec![1, 0]));
    let band = |name| of_channel(&tiff(std::slice::from_ref(&five)), name).expect("a good band");
    assert_eq!(row(&band("1"), 2), [Some(50.0), Some(255.0)]);
    assert_eq!(row(&band("4"), 2), [Some(51.0), Some(51.0)]);
    assert_eq!(row(&band("5"), 2), [Some(77.0), Some(77.0)]);
    assert_eq!(divided_share(&band("5")), 0.0);

    // Floats may be brighter than white, and no alpha exceeds opaque.
    let bright = floats([3.0, 0.5, 0.25, 1.0, 8.0, 255.0, f32::NAN, 0.5]);
    let bright = associated(Page::new([4, 1], 2, F32, bright), 1);
    let raster = of(bright, Alpha::Mask);
    assert_eq!(row(&raster, 4), [Some(6.0), Some(0.25), Some(8.0), None]);

    let inverted = associated(grey(), 1).with(PHOTOMETRIC, Value::Short(vec![0]));
    let error = read(&tiff(&[inverted])).expect_err("not told how");
    assert!(error.to_string().contains("premultiplied TIFF"), "{error}");
}

/// A file with all these tags, cut anywhere or with any byte changed, gives an error or an image.
#[test]
fn damage_never_panics() {
    let pixels = || vec![128, 128, 64, 128, 9, 0, 200, 255];
    let thumb = subfile(Page::new([1, 1], 1, U8, vec![7]), 1);
    let whole = Page::new([2, 2], 2, U8, pixels())
        .with(EXTRA_SAMPLES, Value::Short(vec![1]))
        .with(GDAL_NO_DATA, Value::Text("9".into()))
        .scaled("0.1", "-5")
        .placed([30.0, 20.0], 1, 9001);
    let mask = subfile(Page::new([2, 2], 1, U8, vec![1, 0, 1, 1]), 4);
    let file = tiff(&[thumb, whole, mask]);
    let raster = read(&file).expect("a good file");
    assert!((raster.level(0, 0).expect("a level") - 20.5).abs() < 1e-3);
    for at in 0..file.len() {
        let _ = read(&file[..at]);
        let mut changed = file.clone();
        for byte in [0, 1, 0xff, file[at] ^ 0x80, file[at].wrapping_add(1)] {
            changed[at] = byte;
            if let Ok(raster) = read(&changed) {
                let _ = raster.into_map(Levels::Natural);
            }
        }
    }
}

/// A scale, a place or a mask must not be lost with the end of a file.
#[test]
fn a_cut_file_is_never_read_as_another() {
    let whole = Page::new([2, 2], 1, I16, shorts([1, 2, 3, 4]))
        .with(GDAL_NO_DATA, Value::Text("-9999.00".into()))
        .scaled("0.1", "0")
        .placed([30.0, 20.0], 1, 9001)
        .with(33922, Value::Double(CORNER.to_vec()));
    let mask = subfile(Page::new([2, 2], 1, U8, vec![1, 0, 1, 1]), 4);
    for pages in [&[whole.clone()][..], &[whole.clone(), mask]] {
        let file = tiff(pages);
        assert!(read(&file).is_ok());
        let cut = DecodeError::Truncated { format: "TIFF" };
        let directory = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
        let entries = usize::from(u16::from_le_bytes([file[directory], file[directory + 1]]));
        // Some programs leave out what follows the last directory's tags, so a file may end after any directory.
        let ends = [directory + 2 + 12 * entries, file.len() - 4];
        assert!(ends.iter().all(|&end| read(&file[..end]).is_ok()));
        for at in (8..file.len()).filter(|at| !ends.contains(at)) {
            assert_eq!(read(&file[..at]).as_ref(), Err(&cut), "{at}");
            let parts = TiffParts::open(Cursor::new(&file[..at]), &ReadOptions::default());
            assert_eq!(parts.err().as_ref(), Some(&cut), "{at}");
        }
    }
    // Tags in the middle of a file may refer to its end.
    let file = tiff(&[whole]);
    let directory = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
    let mut refused = 0;
    for entry in file[directory + 2..file.len() - 4].chunks_exact(12) {
        let tag = u16::from_le_bytes([entry[0], entry[1]]);
        if ![PIXEL_SCALE, 33922, GEO_KEYS, GDAL_METADATA, GDAL_NO_DATA].contains(&tag) {
            continue;
        }
        let at = file.windows(12).rposition(|window| window == entry);
        let at = at.expect("is there");
        let mut beyond = file.clone();
        beyond[at + 8..at + 12].copy_from_slice(&9999u32.to_le_bytes());
        assert!(read(&beyond).is_err(), "{tag}");
        refused += 1;
    }
    assert_eq!(refused, 5);
}

/// Values of a tag that is not used do no harm wherever they are.
#[test]
fn unused_tags_may_be_lost() {
    let page = |tag| Page::new([1, 1], 1, U8, vec![7]).with(tag, Value::Text("software".into()));
    let mut file = tiff(&[page(305)]);
    let text = file.windows(8).position(|bytes| bytes == b"software");
    let at = (text.expect("is there") as u32).to_le_bytes();
    let entry = file.windows(4).rposition(|bytes| bytes == at);
    let entry = entry.expect("is there");
    file[entry..entry + 4].copy_from_slice(&9999u32.to_le_bytes());
    assert_eq!(read(&file).map(|raster| raster.level(0, 0)), Ok(Some(7.0)));
}

/// Colours of other definitions than those that are followed would be wrong.
#[test]
fn only_the_common_definition_of_ycbcr_is_followed() {
    let page = Page::new([1, 1], 3, U8, vec![100, 128, 128])
        .with(PHOTOMETRIC, Value::Short(vec![6]))
        .with(530, Value::Short(vec![1, 1]));
    let with = |tag, numbers: &[u32], divisor| {
        let numbers = numbers.iter().map(|&number| [number, divisor]).collect();
        read(&tiff(&[page.clone().with(tag, Value::Rational(numbers))]))
            .map(|raster| raster.level(0, 0))
            .map_err(|error| error.to_string())
    };
    assert_eq!(with(529, &[299, 587, 114], 1000), Ok(Some(100.0)));
    assert_eq!(with(532, &[0, 255, 128, 255, 128, 255], 1), Ok(Some(100.0)));
    for (tag, numbers, divisor) in [
        (529, &[2126, 7152, 722][..], 10000),
        (532, &[16, 235, 128, 240, 128, 240], 1),
        (532, &[0, 255], 1),
        (532, &[0, 255, 128, 255, 128, 255], 0),
    ] {
        let error = with(tag, numbers, divisor).expect_err("other colours");
        assert!(error.contains(&format!("tag {tag}")), "{error}");
        assert!(error.contains("TIFF is not supported"), "{error}");
    }
}

/// A file is cut short only if levels of the image are missing.
#[test]
fn what_is_missing_is_told_and_nothing_else() {
    let page = || Page::new([4, 4], 1, U8, (0..16).collect());
    let file = |page: Page| read(&tiff(&[page]));
    let cut = Err(DecodeError::Truncated { format: "TIFF" });
    // Two rows of PackBits, whose last byte may be missing.
    let packed = |bytes: &[u8]| {
        let mut pixels = bytes.to_vec();
        pixels.resize(16, 0x80);
        let page = Page::new([4, 4], 1, U8, pixels).with(259, Value::Short(vec![32773]));
        file(page.with(257, Value::Long(2))).map(|raster| raster.level(3, 1))
    };
    assert_eq!(packed(&[7, 1, 2, 3, 4, 5, 6, 7, 8]), Ok(Some(8.0)));
    assert_eq!(
        packed(&[0xfd, 9, 2, 5, 6, 7]).map(|_| 0.0),
        cut.clone().map(|_: Raster| 0.0)
    );
    // The lengths of several strips must be present; that of a single strip need not.
    let strips = page().with(278, Value::Long(1));
    let error = file(strips).expect_err("one length").to_string();
    assert!(error.contains("too few offsets of strips"), "{error}");
    assert_eq!(
        file(page().with(279, Value::Long(0))).map(|r| r.level(3, 3)),
        Ok(Some(15.0))
    );
}

/// The number of a class must not be replaced by the red of its colour.
#[test]
fn a_palettes_numbers_are_levels_when_they_are_asked_for() {
    let mut colours = vec![0u16; 768];
    colours[10] = 65535;
    colours[256 + 80] = 30000;
    let page = || {
        Page::new([3, 1], 1, U8, vec![10, 80, 100])
            .with(PHOTOMETRIC, Value::Short(vec![3]))
            .with(320, Value::Short(colours.clone()))
    };
    let file = tiff(&[page()]);
    let red = Raster::decode(
        &file,
        &ReadOptions {
            channel: Channel::R,
            ..ReadOptions::default()
        },
    )
    .expect("a good file");
    assert_eq!(row(&red, 3), [Some(65535.0), Some(0.0), Some(0.0)]);
    assert_eq!(red.about().palette, Some(256));
    let index = |channel: Channel| {
        let options = ReadOptions {
            channel,
            ..ReadOptions::default()
        };
        Raster::decode(&file, &options)
    };
    for channel in [Channel::Index, Channel::Named("1".to_owned())] {
        let raster = index(channel).expect("its only band");
        assert_eq!(row(&raster, 3), [Some(10.0), Some(80.0), Some(100.0)]);
        assert_eq!(
            (raster.about().palette, raster.level_type().bits()),
            (None, 8)
        );
        let ends = raster.ends(Levels::Natural).expect("levels").expect("ends");
        assert_eq!((ends.lo(), ends.hi()), (0.0, 255.0));
    }
    let none = index(Channel::Named("2".to_owned())).expect_err("one band");
    assert!(
        none.to_string().contains("one band, its palette's numbers"),
        "{none}"
    );
    let grey = tiff(&[Page::new([1, 1], 1, U8, vec![7])]);
    let options = ReadOptions {
        channel: Channel::Index,
        ..ReadOptions::default()
    };
    assert_eq!(Raster::decode(&grey, &options), Err(DecodeError::NoPalette));
}

/// Colour maps of old programs have 8 bits (libtiff's `checkcmap`).
#[test]
fn a_palette_of_small_colours_has_eight_bits() {
    let colours = (0..768).map(|n| n % 256).collect();
    let page = Page::new([2, 1], 1, U8, vec![0, 255])
        .with(PHOTOMETRIC, Value::Short(vec![3]))
        .with(320, Value::Short(colours));
    let raster = read(&tiff(&[page])).expect("a good file");
    assert_eq!(row(&raster, 2), [Some(0.0), Some(65535.0)]);
}

/// Returns an RGBA image of 32 x 16 pixels, one band after the other, each in two tiles of 16 x 16. Red is 0 in the
/// second tile, and alpha is 255 in both.
fn band_by_band() -> Page {
    let tiles = [9, 0, 40, 80, 120, 160, 255, 255];
    let pixels = tiles.iter().flat_map(|&level| [level; 256]).collect();
    Page::new([32, 16], 4, U8, pixels)
        .with(PHOTOMETRIC, Value::Short(vec![2]))
        .with(PLANAR, Value::Short(vec![2]))
        .with(EXTRA_SAMPLES, Value::Short(vec![2]))
        .tiled([16, 16], 8)
}

/// A red tile that is left out must not make the opaque alpha beside it 0.
#[test]
fn a_band_that_a_tile_lacks_says_nothing_of_the_others() {
    let whole = tiff(&[band_by_band()]);
    let sparse = tiff(&[band_by_band().without(1)]);
    for name in ["luma", "r", "g", "b", "a", "1", "2"] {
        let options = ReadOptions {
            channel: Channel::parse(name).expect("a name"),
            ..ReadOptions::default()
        };
        let [whole, sparse] = [&whole, &sparse].map(|bytes| {
            let raster = Raster::decode(bytes, &options).expect("a good file");
            [0, 16].map(|x| raster.level(x, 0))
        });
        assert_eq!(sparse, whole, "{:?}", options.channel);
        assert!(whole[1].is_some(), "{:?}", options.channel);
    }
    // If all bands leave out a tile, it is black and transparent.
    let empty = [1, 3, 5, 7].into_iter().fold(band_by_band(), Page::without);
    let empty = read(&tiff(&[empty])).expect("a good file");
    assert_eq!([0, 16].map(|x| empty.level(x, 0).is_some()), [true, false]);
    // A band that is left out is "no data" if there is such a number; this closes only red.
    let page = band_by_band().without(1);
    let page = tiff(&[page.with(GDAL_NO_DATA, Value::Text("7".to_owned()))]);
    let second = |name: &str| of_channel(&page, name).map(|raster| raster.level(16, 0).is_some());
    assert_eq!(["1", "2"].map(second), [Ok(false), Ok(true)]);
}
