//! Decoding of the images in `data/`.
#![cfg(feature = "image")]

use crate::{by_hand, pngsuite};
use spinney_density::GreyMap;
use spinney_density::decode::{Channel, DecodeError, DecodeLimits, LevelType, Raster, ReadOptions};
use std::fs;
use std::path::Path;

fn bytes(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    fs::read(folder.join(file)).expect("a file of this test")
}

fn luma(bytes: &[u8]) -> Result<GreyMap, DecodeError> {
    GreyMap::decode(bytes, Channel::Luma, DecodeLimits::default())
}

fn channel(file: &str, channel: Channel) -> GreyMap {
    GreyMap::decode(&bytes(file), channel, DecodeLimits::default()).expect("a good image")
}

#[test]
fn png_of_every_kind_is_read_exactly() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let here = pngsuite::table().filter(|f| data.join(f.file).exists());
    let checked = here
        .map(|figures| figures.check(&bytes(figures.file)))
        .count();
    assert_eq!(checked, 11);
}

/// A grey image of 1, 2 or 4 bits whose transparent grey has bits set beyond those.
#[test]
fn of_a_transparent_grey_only_the_low_bits_count() {
    for (depth, clear, packed) in [
        (png::BitDepth::One, 0xff, 0b1010_0000),
        (png::BitDepth::Two, 0xfe, 0b1000_1000),
        (png::BitDepth::Four, 0x1b, 0xb0),
        (png::BitDepth::One, 0x01, 0b1010_0000),
    ] {
        let mut file = Vec::new();
        let width = 8 / depth as u32;
        let mut encoder = png::Encoder::new(&mut file, width, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(depth);
        encoder.set_trns(vec![0, clear]);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[packed]).expect("a row");
        writer.finish().expect("an end");
        let map = luma(&file).expect("a good image");
        let mask = map.mask().expect("a transparent grey");
        let places: Vec<bool> = (0..width as usize).map(|x| mask[x]).collect();
        let wanted: Vec<bool> = match depth {
            png::BitDepth::Four => vec![false, true],
            png::BitDepth::Two => vec![false, true, false, true],
            _ => vec![false, true, false, true, true, true, true, true],
        };
        assert_eq!(places, wanted, "{depth:?} {clear:#x}");
        assert_eq!(map.grey(1, 0), 0, "the others stay");
    }
}

#[test]
fn frames_of_an_animation_are_not_read() {
    for (first, others) in [(false, 2), (true, 3)] {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.set_animated(3, 0).expect("frames");
        encoder.set_sep_def_img(first).expect("an image of its own");
        let mut writer = encoder.write_header().expect("a header");
        for grey in 0..3 + u8::from(first) {
            writer.write_image_data(&[grey]).expect("a frame");
        }
        writer.finish().expect("an end");
        let raster = Raster::decode(&file, &ReadOptions::default()).expect("a good image");
        assert_eq!(raster.about().other_images, others);
        assert_eq!(raster.level(0, 0), Some(0.0));
    }
}

/// The decoder panics at a palette that ends within a colour, or has more than 256.
#[test]
fn palettes_that_are_no_list_of_colours_are_refused() {
    for length in (1..8).chain(766..773) {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(vec![9; length]);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&[0, 0]).expect("written");
        writer.finish().expect("written");
        match luma(&file) {
            Ok(_) => assert!(length % 3 == 0 && length <= 768, "{length}"),
            Err(DecodeError::Damaged { .. }) => {
                assert!(length % 3 > 0 || length > 768, "{length}");
            }
            Err(other) => panic!("{length}: {other}"),
        }
    }
}

#[test]
fn channels_are_told_apart() {
    // Red is 0 in the first row and the last column of this image, alpha in the first column.
    let of = |c| channel("basn6a16.png", c);
    let (r, g, b, a) = (
        of(Channel::R),
        of(Channel::G),
        of(Channel::B),
        of(Channel::A),
    );
    let l = of(Channel::Luma);
    for (x, y) in [(0, 0), (9, 4), (16, 16), (31, 31)] {
        let weighted = 2126 * u64::from(r.grey(x, y))
            + 7152 * u64::from(g.grey(x, y))
            + 722 * u64::from(b.grey(x, y));
        assert_eq!(u64::from(l.grey(x, y)), (weighted + 5000) / 10_000);
        // No point may lie where alpha is 0, whichever channel is the map.
        for map in [&r, &g, &b, &a, &l] {
            assert_eq!(map.allowed(x, y), a.grey(x, y) > 0);
        }
    }
    assert!(a.greys().iter().any(|&grey| grey > 0 && grey < 65535));
    assert!(r != g && g != b && b != a);
}

#[test]
fn a_grey_image_has_its_grey_in_every_colour_and_no_alpha() {
    let l = channel("basn0g16.png", Channel::Luma);
    for c in [Channel::R, Channel::G, Channel::B] {
        assert_eq!(channel("basn0g16.png", c), l);
    }
    for file in ["basn0g16.png", "basn3p02.png", "ramp_rgb.jpg"] {
        let alpha = GreyMap::decode(&bytes(file), Channel::A, DecodeLimits::default());
        assert_eq!(alpha, Err(DecodeError::NoAlpha), "{file}");
    }
}

#[test]
fn jpeg_is_read() {
    // Pillow's figures; decoders differ slightly, 257 being one step of 8 bits.
    let near = |map: &GreyMap, figures: [(u32, u32, i32); 4]| {
        assert_eq!((map.width(), map.height()), (24, 16));
        for (x, y, grey) in figures {
            let found = i32::from(map.grey(x, y));
            assert!(
                (found - grey).abs() <= 2 * 257,
                "({x}, {y}): {found}, not {grey}"
            );
        }
    };
    let rgb = channel("ramp_rgb.jpg", Channel::Luma);
    near(
        &rgb,
        [
            (0, 0, 4713),
            (23, 15, 54442),
            (12, 8, 31266),
            (5, 13, 42269),
        ],
    );
    let grey = channel("ramp_grey_progressive.jpg", Channel::R);
    near(
        &grey,
        [(0, 0, 0), (23, 15, 65021), (12, 8, 33924), (5, 13, 14135)],
    );
}

#[test]
fn every_cut_of_a_file_is_refused() {
    for file in [
        "basn0g04.png",
        "tbbn3p08.png",
        "ramp_rgb.jpg",
        "ramp_grey_progressive.jpg",
    ] {
        let whole = bytes(file);
        for length in 0..whole.len() {
            let cut = luma(&whole[..length]);
            assert!(
                cut.is_err(),
                "{file} cut to {length} of {} bytes",
                whole.len()
            );
        }
        let mut longer = whole.clone();
        longer.extend_from_slice(b"and something after it");
        assert_eq!(luma(&longer), luma(&whole), "{file} with a tail");
    }
}

#[test]
fn a_cut_jpeg_with_a_whole_thumbnail_is_refused() {
    let whole = bytes("ramp_rgb.jpg");
    let mut file = whole[..2].to_vec();
    file.extend_from_slice(&[0xff, 0xe1]);
    file.extend_from_slice(&(whole.len() as u16 + 2).to_be_bytes());
    file.extend_from_slice(&whole);
    file.extend_from_slice(&whole[2..]);
    assert_eq!(luma(&file), luma(&whole));
    file.truncate(file.len() - 20);
    assert_eq!(luma(&file), Err(DecodeError::Truncated { format: "JPEG" }));
}

#[test]
fn changed_bytes_never_panic() {
    for file in [
        "basn3p02.png",
        "s05i3p02.png",
        "ramp_grey_progressive.jpg",
        "ramp_rgb.jpg",
    ] {
        let whole = bytes(file);
        for at in 0..whole.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                // An error is as good as an image; a panic is not.
                let _ = luma(&changed);
            }
        }
    }
}

/// Other kinds of JPEG than the common one are not damaged.
#[test]
fn kinds_of_jpeg_are_refused_by_name() {
    for (code, bits, said) in [
        (0xc1, 12, "12-bit JPEG is not supported"),
        (0xc3, 16, "lossless JPEG is not supported"),
        (0xf7, 8, "JPEG-LS JPEG is not supported"),
        (0xc5, 8, "hierarchical JPEG is not supported"),
        (0xc9, 8, "arithmetic-coded JPEG is not supported"),
    ] {
        let frame = [0xff, code, 0, 11, bits, 0, 8, 0, 8, 1, 1, 0x11, 0];
        let file = [&[0xff, 0xd8][..], &frame, &[0xff, 0xd9]].concat();
        assert_eq!(luma(&file).expect_err(said).to_string(), said);
    }
}

#[test]
fn cmyk_is_refused() {
    let error = luma(&bytes("cmyk.jpg")).expect_err("four channels");
    assert!(
        matches!(error, DecodeError::Unsupported { format: "JPEG", .. }),
        "{error}"
    );
}

#[test]
fn limits_hold() {
    let with = |max_pixels, max_bytes| {
        let limits = DecodeLimits {
            max_pixels,
            max_bytes,
        };
        GreyMap::decode(&bytes("basn0g01.png"), Channel::Luma, limits)
    };
    assert!(with(1024, 1 << 20).is_ok());
    assert_eq!(
        with(1023, 1 << 20),
        Err(DecodeError::TooManyPixels {
            width: 32,
            height: 32,
            max_pixels: 1023
        })
    );
    let error = with(1024, 1000).expect_err("too little memory");
    assert!(
        matches!(
            error,
            DecodeError::TooManyBytes {
                max_bytes: 1000,
                ..
            }
        ),
        "{error}"
    );
    let limits = DecodeLimits {
        max_pixels: 383,
        max_bytes: 1 << 20,
    };
    let error =
        GreyMap::decode(&bytes("ramp_rgb.jpg"), Channel::Luma, limits).expect_err("24 x 16");
    assert!(
        matches!(error, DecodeError::TooManyPixels { .. }),
        "{error}"
    );
}

#[test]
fn greys_that_are_kept_as_floats_are_counted_as_such() {
    let size @ [width, height] = [32, 16];
    let twelve = by_hand::Page::new(size, 1, by_hand::U16, vec![0; 1024])
        .with(258, by_hand::Value::Short(vec![12]));
    let pgm = [b"P5\n32 16\n100\n".to_vec(), vec![0; 512]].concat();
    for file in [by_hand::tiff(&[twelve]), pgm] {
        let decode = |max_bytes| {
            let limits = DecodeLimits {
                max_bytes,
                ..DecodeLimits::default()
            };
            let options = ReadOptions {
                limits,
                ..ReadOptions::default()
            };
            Raster::decode(&file, &options)
        };
        let Err(DecodeError::TooManyBytes { bytes, .. }) = decode(1) else {
            panic!("one byte is enough");
        };
        // Four bytes per pixel, and three for its map: two for the grey and one for the mask.
        let pixels = u64::from(width * height);
        assert!(bytes >= 7 * pixels, "{bytes} for {pixels} pixels");
        assert!(decode(bytes).is_ok());
    }
}

#[test]
fn other_formats_are_named() {
    let cases: [(&[u8], &str); 9] = [
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
        (b"GIF89a", "GIF"),
        (b"BM\x10\0", "BMP"),
        (b"8BPS\0\x01", "Photoshop"),
        (b"\0\0\0\x1cftypavif", "AVIF"),
        (b"<svg xmlns='x'/>", "SVG"),
        ("x,y,grün\n1,2,3\n".as_bytes(), "text"),
        (b"\x89PNG\r\r\x1a\n", "damaged signature"),
        (b"\x01\x02\x03", "unknown format (it begins 01 02 03)"),
    ];
    for (bytes, name) in cases {
        let error = luma(bytes)
            .expect_err("not a format that is read")
            .to_string();
        assert!(error.contains(name), "{error}");
        assert!(error.contains("PNG, JPEG, TIFF"), "{error}");
    }
    assert_eq!(luma(b""), Err(DecodeError::Empty));
}

/// Expected palette indices are Pillow's; those of transparent colours are closed.
#[test]
fn a_palettes_numbers_are_levels_when_they_are_asked_for() {
    for (file, bits, sum, open) in [
        ("s05i3p02.png", 2, 40, 25),
        ("basn3p02.png", 2, 1536, 1024),
        ("tbbn3p08.png", 8, 65424, 570),
        ("tm3n3p02.png", 2, 1536, 768),
    ] {
        for channel in [Channel::Index, Channel::Named("1".to_owned())] {
            let options = ReadOptions {
                channel,
                ..ReadOptions::default()
            };
            let raster = Raster::decode(&bytes(file), &options).expect("a good image");
            assert_eq!(raster.level_type(), LevelType::Unsigned(bits), "{file}");
            assert_eq!(raster.about().palette, None, "{file}");
            let levels: Vec<f64> = raster.levels().flatten().collect();
            assert_eq!(levels.len(), open, "{file}");
            // Greys have 65535 steps.
            let rounded = levels.iter().map(|level| level.round());
            assert_eq!(rounded.sum::<f64>(), f64::from(sum), "{file}");
        }
    }
    let coloured = Raster::decode(&bytes("basn3p02.png"), &ReadOptions::default());
    let coloured = coloured.expect("a good image");
    assert_eq!(coloured.about().palette, Some(4));
    assert_eq!(coloured.level_type(), LevelType::Unsigned(8));
    let grey = GreyMap::decode(
        &bytes("basn0g16.png"),
        Channel::Index,
        DecodeLimits::default(),
    );
    assert_eq!(grey, Err(DecodeError::NoPalette));
}
