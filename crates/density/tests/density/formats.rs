//! Compares images of every supported format with the results of other decoders.
#![cfg(feature = "image")]

use crate::collection;
use crate::exr_alpha::clear_share;
use crate::figures::{channel, table};
use spinney_density::GreyMap;
use spinney_density::decode::{
    Alpha, Channel, DecodeError, DecodeLimits, LevelRange, Levels, NoData, Raster, RawType,
    ReadOptions,
};
use spinney_density::diagnostic::{Cell, Diagnostic, Transfer};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats")
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(folder().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn read(bytes: &[u8], name: &str) -> Result<Raster, DecodeError> {
    let options = ReadOptions {
        channel: channel(name),
        ..ReadOptions::default()
    };
    Raster::decode(bytes, &options)
}

#[test]
fn every_kind_of_image_is_read_as_others_read_it() {
    let mut count = 0;
    for figures in table(include_str!("../data/formats/figures.txt")) {
        let bytes = bytes(figures.file);
        figures.check(&bytes);
        count += 1;
    }
    assert!(count >= 40, "{count} lines");
}

#[test]
fn real_maps_are_read_as_others_read_them() {
    let Some(maps) = collection::folder("maps") else {
        return;
    };
    let names = collection::files(&maps);
    let names = names.iter().filter_map(|path| path.file_name());
    let mut missing: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    for figures in table(include_str!("../data/formats/maps.txt")) {
        let bytes = fs::read(maps.join(figures.file)).expect("a readable file");
        let time = figures.check(&bytes);
        println!("{}: {time:?}", figures.file);
        missing.retain(|name| name != figures.file);
    }
    assert!(missing.is_empty(), "no figures for {missing:?}");
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    for (file, channel, said) in [
        (
            "complex.tif",
            "luma",
            "1-channel complex TIFF is not supported",
        ),
        ("cmyk.tif", "luma", "CMYK TIFF is not supported"),
        // Bytes in this order must not be read the wrong way round.
        ("fill_order_2.tif", "luma", "save it with FillOrder 1"),
        (
            "f32_5_bands.tif",
            "luma",
            "the bands 1 to 5, but no brightness",
        ),
        ("f32_5_bands.tif", "6", "no channel \"6\""),
        (
            "channels.exr",
            "luma",
            "the channels Z, id, trees.A, trees.R",
        ),
        ("channels.exr", "z", "no channel \"z\""),
        ("f64_lzw.tif", "a", "no alpha"),
    ] {
        let error = read(&bytes(file), channel).expect_err(file).to_string();
        assert!(error.contains(said), "{file}: {error}");
    }
}

#[test]
fn a_range_says_which_levels_are_black_and_white() {
    let map = |lo, hi| {
        let range = LevelRange::new(lo, hi).expect("a good range");
        let raster = read(&bytes("f64_lzw.tif"), "luma").expect("a good file");
        raster.into_map(Levels::Between(range)).expect("a good map")
    };
    // The last pixel is 85.5, the least -59.5.
    let last = |map: &spinney_density::GreyMap| map.value(20, 17);
    assert!((last(&map(0.0, 171.0)) - 0.5).abs() < 1e-5);
    assert_eq!(last(&map(-100.0, 85.5)), 1.0);
    assert_eq!(last(&map(90.0, 91.0)), 0.0);

    let eight = |levels| {
        let raster = read(&bytes("orientation_3.tif"), "luma").expect("a good file");
        raster.into_map(levels).expect("a good map")
    };
    let range = |lo, hi| Levels::Between(LevelRange::new(lo, hi).expect("a good range"));
    assert_eq!(eight(range(0.0, 255.0)), eight(Levels::Natural));
    assert_eq!(eight(range(153.0, 154.0)).grey(0, 0), 0);
    assert_eq!(eight(range(0.0, 153.0)).grey(0, 0), 65535);
}

/// Editors on Windows put a byte order mark before text.
#[test]
fn a_mark_before_a_grid_is_passed_over() {
    let grid = "ncols 2\nnrows 1\ncellsize 1\n3 7\n";
    for mark in ["", "\u{feff}", "\u{feff}\n"] {
        let raster = read(format!("{mark}{grid}").as_bytes(), "luma").expect("a grid");
        let levels = [0, 1].map(|x| raster.level(x, 0));
        assert_eq!(levels, [Some(3.0), Some(7.0)]);
    }
}

/// A turned file is unsupported, not damaged.
#[test]
fn a_turned_hdr_is_not_supported() {
    let turned = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n+Y 1 +X 1\n\x80\x80\x80\x80";
    let error = read(turned, "luma").expect_err("turned").to_string();
    assert!(
        error.contains("Orientation") && error.contains("not supported"),
        "{error}"
    );
}

#[test]
fn one_level_all_over_is_no_range() {
    let flat = b"ncols 2\nnrows 1\n5 5\n";
    let refused = GreyMap::decode(flat, Channel::Luma, DecodeLimits::default());
    assert_eq!(refused, Err(DecodeError::OneLevel { level: 5.0 }));
    let raster = read(flat, "luma").expect("a good grid");
    let range = LevelRange::new(0.0, 10.0).expect("a good range");
    let map = raster.into_map(Levels::Between(range)).expect("a good map");
    assert_eq!(map.value(0, 0), 32768.0 / 65535.0);
}

/// Samples of 75 of 100 must not be rounded to 191 of 255.
#[test]
fn pnm_keeps_the_levels_of_any_greatest_sample() {
    let greatest = [
        2, 7, 9, 99, 100, 101, 200, 254, 256, 1000, 1023, 4095, 32767, 65534, 65535,
    ];
    for full in greatest.into_iter().chain(250..=260) {
        let pack = |sample: u32| {
            let bytes = sample.to_be_bytes();
            bytes[if full > 255 { 2 } else { 3 }..].to_vec()
        };
        let grey = |magic: &str| format!("{magic} {} 1 {full}\n", full + 1).into_bytes();
        let binary: Vec<u8> = (0..=full).flat_map(pack).collect();
        let text: Vec<String> = (0..=full).map(|sample| sample.to_string()).collect();
        let colours: Vec<u8> = (0..=full)
            .flat_map(|sample| pack(sample).repeat(3))
            .collect();
        let pam = |depth: u32| {
            let head = format!("P7\nWIDTH {}\nHEIGHT 1\nDEPTH {depth}\n", full + 1);
            format!("{head}MAXVAL {full}\nENDHDR\n").into_bytes()
        };
        for (kind, file) in [
            ("P5", [grey("P5"), binary.clone()].concat()),
            ("P2", [grey("P2"), text.join("\n").into_bytes()].concat()),
            ("P6", [grey("P6"), colours.clone()].concat()),
            ("P7 of grey", [pam(1), binary].concat()),
            ("P7 of colours", [pam(3), colours].concat()),
        ] {
            let raster = read(&file, "luma").unwrap_or_else(|e| panic!("{kind} {full}: {e}"));
            let levels = (0..=full).map(|x| raster.level(x, 0));
            assert!(
                levels.eq((0..=full).map(|x| Some(f64::from(x)))),
                "{kind} {full}"
            );
            // The value is the share of the greatest sample, to the last bit.
            for x in [1, (full / 4).max(1), full - 1] {
                let share = f64::from(x) / f64::from(full);
                let open = raster.at_least(share, Levels::Natural).expect("a good map");
                assert_eq!(
                    [x, x - 1].map(|x| open.grey(x, 0)),
                    [65535, 0],
                    "{kind} {full}"
                );
            }
        }
    }
    let luma = read(b"P3 2 1 100\n75 75 75 0 100 50\n", "luma").expect("a good image");
    assert_eq!(
        [0, 1].map(|x| luma.level(x, 0)),
        [Some(75.0), Some(75.13_f32.into())]
    );
    let damaged = read(b"P5 1 1 100\n\x65", "luma").expect_err("a sample of 101");
    assert!(damaged.to_string().contains("a sample is 101"), "{damaged}");
    let comment = "# ".repeat(40_000);
    let file = format!("P2 {comment}\n1 {comment}\n 1 {comment}\n200\n150");
    let raster = read(file.as_bytes(), "luma").expect("a good image");
    assert_eq!(raster.level(0, 0), Some(150.0));
}

/// Comments may stand among samples, and after the last number of a header.
#[test]
fn comments_stand_anywhere_in_pnm() {
    for (file, levels) in [
        (&b"P2 2 1 100\n1 # one\n2\n"[..], [1.0, 2.0]),
        (b"P2\n# a # b\n2 #c\r1 100 #d\n#e\n7 #f\n9", [7.0, 9.0]),
        (b"P1 2 1\n# bits\n1 # 0\n0\n", [0.0, 1.0]),
        (b"P5 2 1 100#c\n\x23\x0a", [35.0, 10.0]),
        // One blank ends the header.
        (b"P5 2 1 100 #c\n\x05\x06", [35.0, 99.0]),
        (b"P5 2 1 100\n##", [35.0, 35.0]),
    ] {
        let raster = read(file, "luma").unwrap_or_else(|e| panic!("{}: {e}", file.escape_ascii()));
        let found = [0, 1].map(|x| raster.level(x, 0));
        assert_eq!(found, levels.map(Some), "{}", file.escape_ascii());
    }
    for bad in [&b"P5 2 1 100"[..], b"P2 2 1 # never", b"P6 #", b"P1"] {
        assert!(read(bad, "luma").is_err(), "{}", bad.escape_ascii());
    }
}

/// Puts other headers before the body of `hdr_signature_RGBE.hdr`.
#[test]
fn hdr_is_divided_by_what_it_was_multiplied_by() {
    let file = include_bytes!("../data/field/hdr_signature_RGBE.hdr");
    let body = file
        .windows(2)
        .position(|pair| pair == b"\n\n")
        .expect("a header")
        + 1;
    let levels = |head: &str, channel: &str| {
        let bytes = [head.as_bytes(), &file[body..]].concat();
        let raster = read(&bytes, channel)?;
        Ok::<_, DecodeError>([(0, 0), (23, 15), (7, 9)].map(|(x, y)| raster.level(x, y)))
    };
    let format = "FORMAT=32-bit_rle_rgbe\n";
    let plain = levels(&format!("#?RADIANCE\n{format}"), "g").expect("a good image");
    assert_eq!(plain, [Some(0.0), Some(0.527_343_75), Some(0.648_437_5)]);
    let divided = |by: f64| plain.map(|level| level.map(|level| f64::from((level / by) as f32)));
    for (head, by) in [
        ("#?RGBE\n", 1.0),
        ("#?RGBE\nGAMMA=1\n", 1.0),
        ("#?AUTOPANO\nSOFTWARE=x\n", 1.0),
        ("#?RADIANCE\nEXPOSURE=2\n", 2.0),
        ("#?RADIANCE\nEXPOSURE= 2\n# c\nEXPOSURE=4.0\n", 8.0),
        (
            "#?RGBE\nCOLORCORR=1 0.5 3\nEXPOSURE=3\nCOLORCORR= 2 2 2\n",
            3.0,
        ),
        // An indented line describes the source file.
        (
            "#?RADIANCE\npfilt -e 1\n\tEXPOSURE=9\nVIEW= -vtv\nEXPOSURE=0.5\n",
            0.5,
        ),
    ] {
        let found = levels(&format!("{head}{format}"), "g");
        assert_eq!(found, Ok(divided(by)), "{head}");
    }
    for bad in [
        "EXPOSURE=0",
        "EXPOSURE=-1",
        "EXPOSURE=x",
        "EXPOSURE=inf",
        "COLORCORR=1 0 1",
    ] {
        let error = levels(&format!("#?RADIANCE\n{bad}\n{format}"), "luma").expect_err(bad);
        assert!(error.to_string().contains(bad), "{error}");
    }
}

/// The field file has `GAMMA=2.2`. Its numbers are read unchanged, with a warning.
#[test]
fn hdr_tells_of_a_gamma() {
    let file = include_bytes!("../data/field/hdr_signature_RGBE.hdr");
    let text = String::from_utf8_lossy(file);
    let at = text.find("GAMMA=2.2\n").expect("the field file's line");
    let told = |line: &str| {
        let bytes = [&file[..at], line.as_bytes(), &file[at + 10..]].concat();
        let raster = read(&bytes, "g").expect("a good image");
        raster.diagnostics(&Channel::G, None)
    };
    let transfer = |power| Diagnostic::Transfer {
        transfer: Transfer::Gamma(power),
    };
    assert!(told("GAMMA=2.2\n").contains(&transfer(45_455)));
    for linear in ["GAMMA=1\n", "GAMMA=1.0\n", "GAMMA=x\n", "GAMMA=0\n", ""] {
        let gammas = told(linear).into_iter();
        let mut gammas = gammas.filter(|d| matches!(d, Diagnostic::Transfer { .. }));
        assert_eq!(gammas.next(), None, "{linear}");
    }
}

/// A grid's first line need not be `ncols`.
#[test]
fn the_header_of_a_grid_has_any_order() {
    let lines = [
        "ncols 2",
        "NROWS 1",
        "xllcenter 5",
        "yllcorner 6",
        "dx 1",
        "dy 2",
        "nodata_VALUE 3",
    ];
    for first in 0..lines.len() {
        let turned: Vec<&str> = lines
            .iter()
            .cycle()
            .skip(first)
            .take(lines.len())
            .copied()
            .collect();
        let grid = format!("{}\n3 7\n", turned.join("\n"));
        let raster = read(grid.as_bytes(), "luma").expect("a grid");
        assert_eq!(
            [0, 1].map(|x| raster.level(x, 0)),
            [None, Some(7.0)],
            "{grid}"
        );
        assert_eq!(raster.about().cell.map(Cell::size), Some([1.0, 2.0]));
    }
}

/// Returns the raster of a file that has this mask beside it.
fn masked(raster: Raster, options: &ReadOptions, mask: &[u8]) -> Result<Raster, DecodeError> {
    let path = folder().with_file_name("field/external_mask.tif");
    let mask = |_: &Path, _| Ok(mask.to_vec());
    raster.with_files_beside(&path, options, mask, |_, e| e)
}

#[test]
fn a_mask_beside_a_file_closes_as_in_gdal() {
    let image = include_bytes!("../data/field/external_mask.tif");
    let mask = include_bytes!("../data/field/external_mask.tif.msk");
    for channel in [Channel::Luma, Channel::G, Channel::Named("1".to_owned())] {
        let options = ReadOptions {
            channel,
            ..ReadOptions::default()
        };
        let raster = Raster::decode(image, &options).expect("a good image");
        let raster = masked(raster, &options, mask).expect("a good mask");
        assert_eq!(raster.about().masked, Some(56));
        let map = raster.into_map(Levels::Natural).expect("a good map");
        assert_eq!(map.allowed_share(), 1.0 - 56.0 / 600.0);
        let other = Raster::decode(&bytes("f64_lzw.tif"), &ReadOptions::default());
        let other = other.expect("a good image");
        let error = masked(other, &options, mask).expect_err("of another size");
        assert!(
            error.to_string().contains("the mask is 30x20 pixels"),
            "{error}"
        );
        // Without GDAL's flags, the mask applies to no band.
        let flagless = mask.to_vec();
        let at = flagless
            .windows(8)
            .position(|w| w == b"INTERNAL")
            .expect("flags");
        let flagless = [&flagless[..at], b"EXTERNAL", &flagless[at + 8..]].concat();
        let raster = Raster::decode(image, &options).expect("a good image");
        let raster = masked(raster, &options, &flagless).expect("a good mask");
        assert_eq!(raster.about().masked, None);
        let found = raster.diagnostics(&options.channel, None);
        assert!(matches!(found[..], [Diagnostic::MaskOfNone { .. }]));
        assert_eq!(raster.level(0, 0), Some(10.0));
    }
}

/// Returns the number that most likely means "no data" and how many pixels hold it, from the warning about it.
fn void(raster: &Raster) -> Option<(f64, u64)> {
    let found = raster.diagnostics(&Channel::Luma, None);
    found.iter().find_map(|found| match *found {
        Diagnostic::Void { number, pixels } => Some((number, pixels)),
        _ => None,
    })
}

/// Voids of an untagged file must not become the lowest heights.
#[test]
fn a_level_that_is_no_data_can_be_named() {
    let file = include_bytes!("../data/field/srtm_void_untagged.tif");
    let options = |none: Option<&str>| ReadOptions {
        no_data: none.and_then(NoData::parse),
        ..ReadOptions::default()
    };
    let raster = Raster::decode(file, &options(None)).expect("a good image");
    let (number, voids) = void(&raster).expect("voids");
    assert_eq!(number, -32768.0);
    assert!(voids > 0);
    let raster = Raster::decode(file, &options(Some("-32768"))).expect("a good image");
    assert_eq!(void(&raster), None);
    let ends = raster
        .ends(Levels::Natural)
        .expect("levels")
        .expect("levels");
    assert_eq!((ends.lo(), ends.hi()), (100.0, 1920.0));
    let closed = raster
        .into_map(Levels::Natural)
        .expect("a map")
        .allowed_share();
    assert_eq!(closed, 1.0 - voids as f64 / 600.0);
    // A picture in which every pixel has a level.
    let mut png = Vec::new();
    let map = GreyMap::from_fn(30, 20, |x, y| f64::from(x + y) / 48.0).expect("a map");
    map.write_png(&mut png).expect("written");
    let raster = |none: Option<&str>| Raster::decode(&png, &options(none)).expect("a good image");
    assert_eq!(raster(Some("65535")).level(29, 19), None);
    assert_eq!(raster(Some("65535")).level(0, 0), Some(0.0));
    let mask = include_bytes!("../data/field/external_mask.tif.msk");
    let masked = masked(raster(None), &options(None), mask).expect("a good mask");
    assert_eq!(masked.about().masked, Some(56));
    let allowed = masked
        .into_map(Levels::Natural)
        .expect("a map")
        .allowed_share();
    assert_eq!(allowed, 1.0 - 56.0 / 600.0);
    // Floats, of either sign and with any number of digits; greys have no voids.
    let of = |levels: [f32; 3]| {
        let bytes = levels.map(f32::to_le_bytes).concat();
        let raster = Raster::from_raw(&bytes, RawType::F32, [3, 1], &options(None));
        void(&raster.expect("a good file")).map(|(number, _)| number)
    };
    for level in [f32::MIN, f32::MAX, -3.402_823e38, -9999.0, -99_999.0] {
        assert_eq!(of([1.0, level, 2.0]), Some(f64::from(level)), "{level}");
    }
    assert_eq!(of([-9999.0, -12000.0, 2.0]), None, "not the least");
    assert_eq!(of([0.0, 9999.0, 2.0]), None);
    assert_eq!(of([f32::NAN, f32::NEG_INFINITY, 0.0]), None);
}

/// Numbers without a palette have no `index`.
#[test]
fn raw_levels_have_the_channels_of_a_grid() {
    let grid = b"ncols 2\nnrows 1\n3 7\n";
    let raw = [3.0f32, 7.0].map(f32::to_le_bytes).concat();
    let mut outcomes = Vec::new();
    for name in ["luma", "r", "g", "b", "a", "index", "1", "01", "2", "Z"] {
        let options = ReadOptions {
            channel: Channel::parse(name).expect("a name"),
            ..ReadOptions::default()
        };
        let of_raw = Raster::from_raw(&raw, RawType::F32, [2, 1], &options);
        let of_raw = of_raw.map(|raster| raster.level(1, 0));
        let of_grid = Raster::decode(grid, &options).map(|raster| raster.level(1, 0));
        assert_eq!(of_raw, of_grid, "{name}");
        outcomes.push(of_raw);
    }
    assert_eq!(outcomes[5], Err(DecodeError::NoPalette));
    assert_eq!([&outcomes[0], &outcomes[7]], [&Ok(Some(7.0)); 2]);
}

#[test]
fn pnm_is_read_to_its_greatest_sample() {
    let levels = |bytes: &[u8]| -> Vec<f64> {
        let raster = read(bytes, "luma").expect("a good image");
        // Greys have 65535 steps, whatever the greatest sample is.
        let rounded = |level: f64| (level * 50.0).round() / 50.0;
        raster.levels().flatten().map(rounded).collect()
    };
    // In a bitmap 1 is black.
    assert_eq!(levels(b"P1 3 1\n1 0 1\n"), [0.0, 1.0, 0.0]);
    assert_eq!(levels(b"P4 3 1\n\xa0"), [0.0, 1.0, 0.0]);
    let pam = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n";
    assert_eq!(levels(&[&pam[..], &[9, 1, 7, 0]].concat()), [9.0]);

    let full: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_be_bytes).collect();
    let file = [&b"P5 256 256 65535\n"[..], &full].concat();
    let map = GreyMap::decode(&file, Channel::Luma, DecodeLimits::default()).expect("a good image");
    assert!(map.greys().iter().copied().eq(0..=u16::MAX), "every level");
    let bad: [&[u8]; 3] = [
        b"P5 2 2 255\n\0\0\0",
        b"P5 99999 99999 255\n",
        b"P2 2 1 9\n1",
    ];
    for cut in bad {
        let name = String::from_utf8_lossy(cut);
        assert!(read(cut, "luma").is_err(), "{name}");
    }
}

/// Without a tuple type no sample is alpha, as in netpbm.
#[test]
fn a_pam_has_alpha_only_if_it_says_so() {
    for depth in [2, 4] {
        let head = format!("P7\nWIDTH 1\nHEIGHT 1\nDEPTH {depth}\nMAXVAL 255\nENDHDR\n");
        let file = [head.as_bytes(), &[9, 0, 7, 0][..depth]].concat();
        let band = |name| read(&file, name).map(|raster| raster.level(0, 0));
        assert_eq!(band("1"), Ok(Some(9.0)));
        assert_eq!(band("2"), Ok(Some(0.0)));
        assert_eq!(band("a"), Err(DecodeError::NoAlpha));
        let found = format!("the bands 1 to {depth}");
        assert_eq!(band("luma"), Err(DecodeError::WhichChannel { found }));
    }
}

/// One photograph, stored in seven orientations.
#[test]
fn pictures_are_set_upright() {
    let Some(folder) = collection::folder("hostile/pillow") else {
        return;
    };
    let upright = |n: u8| {
        let path = folder.join(format!("hopper_orientation_{n}.jpg"));
        let bytes = fs::read(path).expect("a readable file");
        GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default()).expect("a good image")
    };
    let first = upright(2);
    for n in 3..=8 {
        let other = upright(n);
        assert_eq!(
            (other.width(), other.height()),
            (first.width(), first.height()),
            "{n}"
        );
        let pairs = first.greys().iter().zip(other.greys());
        let off: u64 = pairs.map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
        let mean = off as f64 / first.greys().len() as f64 / 257.0;
        assert!(mean < 4.0, "{n}: {mean} levels of 255 off");
    }
}

#[test]
fn alpha_closes_nothing_when_it_is_ignored() {
    let pam = b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\
                \x09\x00\x00\x00\x33\x00\x00\x01";
    let png = include_bytes!("../data/tm3n3p02.png");
    for (file, bytes, name, some) in [
        ("a.pam", pam.to_vec(), "r", 2),
        ("tm3n3p02.png", png.to_vec(), "g", 32 * 32),
        ("grey_alpha.tif", bytes("grey_alpha.tif"), "luma", 378),
        ("rgb_alpha_nir.tif", bytes("rgb_alpha_nir.tif"), "5", 378),
        (
            "rgba_tiles_webp.tif",
            bytes("rgba_tiles_webp.tif"),
            "b",
            378,
        ),
        // The display window is larger than the data.
        ("channels.exr", bytes("channels.exr"), "trees.R", 378),
    ] {
        let decoded = |alpha| {
            let channel = channel(name);
            let options = ReadOptions {
                channel,
                alpha,
                ..ReadOptions::default()
            };
            Raster::decode(&bytes, &options).unwrap_or_else(|e| panic!("{file}: {e}"))
        };
        let [masked, whole] = [Alpha::Mask, Alpha::Ignore].map(decoded);
        let (mut open, mut all) = (0, 0);
        for (level, masked) in whole.levels().zip(masked.levels()) {
            all += usize::from(level.is_some());
            if masked.is_some() {
                open += 1;
                assert_eq!(masked, level, "{file}");
            }
        }
        assert_eq!(all, some, "{file}");
        assert!(open < all, "{file}");
        let pixels = f64::from(whole.width() * whole.height());
        assert_eq!(clear_share(&masked), (all - open) as f64 / pixels, "{file}");
        assert_eq!(clear_share(&whole), 0.0, "{file}");
        if file == "a.pam" {
            assert_eq!([0, 1].map(|x| whole.level(x, 0)), [Some(9.0), Some(51.0)]);
        }
    }
}

/// The display window has 25x20 pixels, of which the data has 21x18.
#[test]
fn pixels_outside_of_an_exr_s_data_are_told() {
    let raster = read(&bytes("channels.exr"), "trees.R").expect("an image");
    let found = raster.diagnostics(&channel("trees.R"), None);
    let share = found.iter().find_map(|found| match found {
        Diagnostic::OutsideData { share } => Some(*share),
        _ => None,
    });
    let wanted = 1.0 - 21.0 * 18.0 / (25.0 * 20.0);
    assert!(
        share.is_some_and(|share| (share - wanted).abs() < 1e-12),
        "{share:?}"
    );
}

/// Cuts files, and changes single bytes, at this number of places: the result is an error or an image, never a panic.
fn damage(places: usize) {
    let limits = DecodeLimits {
        max_pixels: 1 << 16,
        max_bytes: 1 << 24,
    };
    for path in collection::files(&folder()) {
        let whole = fs::read(&path).expect("a readable file");
        for name in ["luma", "1"] {
            let options = ReadOptions {
                channel: channel(name),
                limits,
                ..ReadOptions::default()
            };
            let step = (whole.len() / places).max(1);
            for at in (0..whole.len()).step_by(step) {
                let _ = Raster::decode(&whole[..at], &options);
                let mut changed = whole.clone();
                for byte in [0, 0xff, whole[at] ^ 0x80, whole[at].wrapping_add(1)] {
                    changed[at] = byte;
                    let _ = Raster::decode(&changed, &options);
                }
            }
        }
    }
}

#[test]
fn damage_never_panics() {
    damage(200);
}

#[test]
#[ignore = "long"]
fn damage_never_panics_in_full() {
    damage(700);
}

/// Takes minutes; run with `--ignored` after a change to a decoder.
#[test]
#[ignore = "long"]
fn random_damage_never_panics() {
    let limits = DecodeLimits {
        max_pixels: 1 << 20,
        max_bytes: 1 << 26,
    };
    let folders = ["hostile/pillow", "hostile/openexr_testimages", "maps"];
    let folders = folders.into_iter().filter_map(collection::folder);
    let mut files: Vec<PathBuf> = folders
        .chain([folder()])
        .flat_map(|folder| collection::files(&folder))
        .filter(|path| path.extension().is_some_and(|e| e != "png" && e != "jpg"))
        .collect();
    files.sort();
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below.max(1)
    };
    for path in files {
        let whole = fs::read(&path).expect("a readable file");
        let options = ReadOptions {
            channel: channel(["luma", "1"][random(2)]),
            limits,
            ..ReadOptions::default()
        };
        let rounds = 200_000_000 / (whole.len() + 5000);
        for _ in 0..rounds {
            let mut changed = whole.clone();
            // Headers matter most.
            for _ in 0..=random(6) {
                let within = [512, changed.len()][random(2)];
                let at = random(within.min(changed.len()));
                if let Some(byte) = changed.get_mut(at) {
                    *byte = random(256) as u8;
                }
            }
            let _ = Raster::decode(&changed, &options);
        }
    }
}
