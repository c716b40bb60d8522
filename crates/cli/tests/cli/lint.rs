//! `spinney map lint`, and the same warnings from `sample`.

use crate::scene::Scene;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder, Luma};
use png::{BitDepth, ColorType, Info, ScaledFloat, SrgbRenderingIntent};
use std::borrow::Cow;
use std::fs::File;
use tiff::encoder::{TiffEncoder, TiffValue, colortype};
use tiff::tags::Tag;

/// Returns the output about a map.
fn lint(scene: &Scene, args: &str) -> String {
    let run = scene.succeed(&format!("map lint {args}"));
    assert_eq!(run.stderr, "", "{args}");
    run.stdout().to_owned()
}

#[test]
fn lint_finds_what_is_wrong() {
    let scene = Scene::with_edge();
    let lint = |args: &str| lint(&scene, args);
    let fine = lint("ramp.png --min-dist 2 --max-dist 8");
    assert!(fine.starts_with("64x48 16-bit map, min_dist 2"), "{fine}");
    assert_eq!(fine.lines().count(), 1, "{fine}");
    let steep = lint("edge.png --min-dist 2 --max-dist 8");
    assert!(
        steep.contains("warning: ") && steep.contains("--limit 0.25"),
        "{steep}"
    );
    // The limit makes some 30 greys of 2, which are no bands.
    for limited in ["8 --limit 0.25", "24 --limit 0.5"] {
        let limited = lint(&format!("edge.png --min-dist 2 --max-dist {limited}"));
        assert_eq!(limited.lines().count(), 1, "{limited}");
    }
    assert_eq!(
        lint("edge.png --min-dist 2 --max-dist 8 --rule min")
            .lines()
            .count(),
        1
    );
    let fine = lint("ramp.png --min-dist 0.5 --max-dist 65");
    assert!(
        fine.contains("min_dist 0.517 is less than a pixel, 1.000:")
            && fine.contains("min_dist 65.0 is more than the map's longer side, 64.0:"),
        "{fine}"
    );

    let run = scene.succeed("sample edge.png --min-dist 2 --max-dist 8 -o p.csv --summary s.json");
    run.assert_stderr_has("\nwarning: on ");
    assert_eq!(run.stderr.lines().count(), 2);
    assert_eq!(
        scene.json("s.json")["warnings"].as_array().map(Vec::len),
        Some(1)
    );
    let quiet = scene.succeed("sample edge.png --min-dist 2 --max-dist 8 -o p.csv -q");
    assert_eq!(quiet.stderr, "");
}

/// Returns 40x30 pixels in 200 greys, all close to one another.
fn greys() -> Vec<u8> {
    (0..1200u32).map(|i| (i / 6) as u8).collect()
}

const PIXELS: [u32; 2] = [40, 30];
const RANGE: &str = "--min-dist 1 --max-dist 3";

/// Writes a PNG of the greys, or of colours with the same numbers.
fn png(scene: &Scene, name: &str, change: impl FnOnce(&mut Info<'static>)) {
    let mut info = Info::with_size(PIXELS[0], PIXELS[1]);
    info.bit_depth = BitDepth::Eight;
    info.color_type = ColorType::Grayscale;
    change(&mut info);
    let file = File::create(scene.path(name)).expect("made");
    let encoder = png::Encoder::with_info(file, info).expect("a good header");
    let mut writer = encoder.write_header().expect("written");
    writer.write_image_data(&greys()).expect("written");
    writer.finish().expect("written");
}

/// Writes a TIFF of the same pixels, with one more tag.
fn tiff(scene: &Scene, name: &str, tag: Tag, value: impl TiffValue) {
    let file = File::create(scene.path(name)).expect("made");
    let mut encoder = TiffEncoder::new(file).expect("begun");
    let [width, height] = PIXELS;
    let mut image = encoder
        .new_image::<colortype::Gray8>(width, height)
        .expect("begun");
    let colours: Vec<u16> = (0..768).map(|i| i % 256 * 257).collect();
    let tags = image.encoder();
    tags.write_tag(Tag::ColorMap, &colours[..]).expect("told");
    tags.write_tag(tag, value).expect("told");
    image.write_data(&greys()).expect("written");
}

fn jpeg(scene: &Scene, name: &str, profile: &[u8], exif: &[u8]) {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.set_icc_profile(profile.to_vec()).expect("told");
    encoder.set_exif_metadata(exif.to_vec()).expect("told");
    let [width, height] = PIXELS;
    encoder
        .write_image(&greys(), width, height, ExtendedColorType::L8)
        .expect("written");
    scene.write(name, bytes);
}

/// A directory that points to another one with the colour space 1, sRGB.
const EXIF: &[u8] = b"II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0\
                      \x01\0\x01\xa0\x03\0\x01\0\0\0\x01\0\0\0\0\0\0\0";

#[test]
fn tags_of_colours_are_told() {
    let scene = Scene::new();
    png(&scene, "plain.png", |_| {});
    png(&scene, "srgb.png", |info| {
        info.srgb = Some(SrgbRenderingIntent::Perceptual);
    });
    png(&scene, "gamma.png", |info| {
        info.source_gamma = Some(ScaledFloat::new(0.45455));
    });
    png(&scene, "profile.png", |info| {
        info.icc_profile = Some(Cow::Borrowed(&[1; 200]));
    });
    png(&scene, "palette.png", |info| {
        info.color_type = ColorType::Indexed;
        let greys = (0..600).map(|i| (i / 3) as u8).collect();
        info.palette = Some(Cow::Owned(greys));
    });
    tiff(&scene, "plain.tif", Tag::Artist, "nobody");
    tiff(&scene, "palette.tif", Tag::PhotometricInterpretation, 3u16);
    tiff(&scene, "profile.tif", Tag::IccProfile, &[1u8; 200][..]);
    jpeg(&scene, "plain.jpg", &[], &[]);
    jpeg(&scene, "profile.jpg", &[1; 200], EXIF);
    jpeg(&scene, "exif.jpg", &[], EXIF);

    let stored = "values are read as stored, as data";
    let as_data = format!("{stored} (--srgb makes them linear");
    let srgb = format!("the file is tagged as sRGB; its {as_data})");
    let profile = format!("the file has a colour profile; its {as_data}, if it is sRGB's)");
    let named = format!(
        "the file is tagged as the colour profile '_'; its {stored} (convert the file to sRGB, and \
         --srgb makes them linear)"
    );
    let gamma = format!("the file is tagged as gamma 0.45455; its {as_data})");
    let convention = format!(
        "the file is a JPEG: lossy, 8 bits, and sRGB by convention; its {as_data}; save data as \
         16-bit PNG or TIFF)"
    );
    let palette = |colours: u32| {
        format!(
            "the file has a palette of {colours} colours, so its greys may have changed when it \
             was saved; save maps as greyscale; --channel index reads the stored numbers, such as \
             classes"
        )
    };
    for (name, told, stays) in [
        ("plain.png", None, false),
        ("srgb.png", Some(srgb.clone()), false),
        ("gamma.png", Some(gamma), false),
        ("profile.png", Some(named), false),
        ("palette.png", Some(palette(200)), true),
        ("plain.tif", None, false),
        ("palette.tif", Some(palette(256)), true),
        ("profile.tif", Some(profile.clone()), false),
        ("plain.jpg", Some(convention), false),
        ("profile.jpg", Some(profile), false),
        ("exif.jpg", Some(srgb), false),
    ] {
        let said = lint(&scene, &format!("{name} {RANGE}"));
        let warning = told.as_ref().map(|told| format!("warning: {told}"));
        let lines: Vec<&str> = said.lines().skip(1).collect();
        assert_eq!(lines, warning.as_deref().as_slice(), "{name}");
        // With --srgb, a stated sRGB is expected, but changes by a palette are not.
        let said = lint(&scene, &format!("{name} {RANGE} --srgb"));
        let expected = warning.as_deref().filter(|_| stays);
        let lines: Vec<&str> = said.lines().skip(1).collect();
        assert_eq!(lines, expected.as_slice(), "{name} --srgb");

        scene.succeed(&format!("sample {name} {RANGE} -o p.csv --summary s.json"));
        let warnings = &scene.json("s.json")["warnings"];
        let kind = if stays { "palette" } else { "transfer" };
        let told = told.map(|text| serde_json::json!({"kind": kind, "text": text}));
        let told = serde_json::Value::from_iter(told);
        assert_eq!(*warnings, told, "{name}");
    }
}

#[test]
fn bands_and_flat_maps_are_told() {
    let scene = Scene::new();
    scene.picture("eight.png", [64, 64], |x, y| {
        Luma([((x + 64 * y) / 16) as u8])
    });
    let range = "--min-dist 1 --max-dist 60 --rule min";
    let said = lint(&scene, &format!("eight.png {range}"));
    let bands = "warning: the map has only 256 greys, so min_dist jumps from 1.000 to 1.231 \
                 between two of them and bands will show; save the map in 16 bits, or blur it";
    assert_eq!(said.lines().skip(1).collect::<Vec<_>>(), [bands]);
    // Steps too small to matter are not reported.
    let said = lint(&scene, "eight.png --min-dist 2 --max-dist 16 --rule min");
    assert_eq!(said.lines().count(), 1, "{said}");

    for (name, grey, colour) in [
        ("night.png", 0u16, "black"),
        ("snow.png", u16::MAX, "white"),
    ] {
        scene.picture(name, [64, 48], |_, _| Luma([grey]));
        let said = lint(&scene, &format!("{name} --min-dist 2 --max-dist 8"));
        let flat = format!(
            "warning: the map is {colour} wherever points may lie (is it the right channel?)"
        );
        assert_eq!(said.lines().skip(1).collect::<Vec<_>>(), [flat]);
    }
}

#[test]
fn what_is_expected_comes() {
    let scene = Scene::new();
    for (args, size, range) in [
        ("ramp.png", "64x48", "0.5..4"),
        ("masked.png", "320x240", "1..3"),
        ("ramp.png --white dense", "200x100", "1..3"),
    ] {
        let (min, max) = range.split_once("..").expect("two ends");
        let flags = format!("{args} --size {size} --min-dist {min} --max-dist {max}");
        let said = lint(&scene, &flags);
        let first = said.lines().next().expect("a line");
        let (map, expected) = first.split_once(": about ").expect("what to expect");
        assert!(map.contains("-bit map, min_dist "), "{first}");
        let (number, time) = expected.split_once(" points, ").expect("a number");
        assert_eq!(time, "within a second", "{first}");
        let number: f64 = number.replace([',', ' '], "").parse().expect("a number");
        scene.succeed(&format!("sample {flags} -o p.csv"));
        let points = scene.rows("p.csv").len() as f64;
        assert!((number / points - 1.0).abs() < 0.1, "{first}: {points}");
    }
}

/// For a map of more than a second, the expected time is printed.
#[test]
fn a_long_run_is_told_before() {
    let scene = Scene::new();
    let said = lint(
        &scene,
        "ramp.png --size 3000x2000 --min-dist 1 --max-dist 1",
    );
    // 0.6966 points per square of the distance, at 1 to 3 microseconds each.
    assert!(said.starts_with("64x48 16-bit map, min_dist 1"), "{said}");
    assert!(said.contains(" points, in 4 to 13 s\n"), "{said}");
}

/// --srgb would be wrong for greys of another gamma.
#[test]
fn a_gamma_other_than_srgb_s_is_told_with_its_own_power() {
    let scene = Scene::new();
    png(&scene, "gamma.png", |info| {
        info.source_gamma = Some(ScaledFloat::new(0.55));
    });
    let told = "warning: the file is tagged as gamma 0.55; its values are read as stored, as data \
                (--gamma 1.818 makes them linear)";
    for (flags, told) in [("", Some(told)), ("--gamma 1.818", None)] {
        let said = lint(&scene, &format!("gamma.png {RANGE} {flags}"));
        let lines: Vec<&str> = said.lines().skip(1).collect();
        assert_eq!(lines, told.as_slice(), "{flags}");
    }
}
