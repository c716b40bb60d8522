//! The colour tags of files of each format.
#![cfg(feature = "image")]

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use spinney_density::decode::{Channel, Raster, ReadOptions};
use spinney_density::diagnostic::{Diagnostic, Transfer};
use std::io::Cursor;
use tiff::encoder::{Rational, TiffEncoder, TiffValue, colortype};
use tiff::tags::Tag;

/// Returns the number of palette colours, and the reported transfer function.
fn read(bytes: &[u8]) -> (Option<usize>, Option<Transfer>) {
    let raster = Raster::decode(bytes, &ReadOptions::default()).expect("a good file");
    let found = raster.diagnostics(&Channel::Luma, None).into_iter();
    let mut transfers = found.filter_map(|found| match found {
        Diagnostic::Transfer { transfer } => Some(transfer),
        _ => None,
    });
    (raster.about().palette, transfers.next())
}

/// Returns a grey 4x4 TIFF with one tag added or replaced.
fn tiff(tag: Tag, value: impl TiffValue) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).expect("begun");
    let mut image = encoder
        .new_image::<colortype::Gray8>(4, 4)
        .expect("a picture");
    image.encoder().write_tag(tag, value).expect("written");
    image
        .encoder()
        .write_tag(Tag::ColorMap, &[7u16; 768][..])
        .expect("written");
    image.write_data(&[9; 16]).expect("written");
    file.into_inner()
}

#[test]
fn of_a_tiff() {
    let density = Rational { n: 72, d: 1 };
    assert_eq!(read(&tiff(Tag::XResolution, density)), (None, None));
    // Without a palette, colours are not read.
    let palette = read(&tiff(Tag::PhotometricInterpretation, 3u16));
    assert_eq!(palette, (Some(256), None));
    let profile = read(&tiff(Tag::IccProfile, &[1u8, 2, 3, 4, 5][..]));
    assert_eq!(profile, (None, Some(Transfer::Profile { name: None })));
}

/// A TIFF whose pixels come before its tags.
#[test]
fn of_a_large_tiff() {
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).expect("begun");
    let mut image = encoder
        .new_image::<colortype::Gray8>(2300, 2300)
        .expect("a picture");
    let profile: &[u8] = &[0; 500];
    image
        .encoder()
        .write_tag(Tag::IccProfile, profile)
        .expect("written");
    image.write_data(&vec![9; 2300 * 2300]).expect("written");
    let (_, found) = read(&file.into_inner());
    assert_eq!(found, Some(Transfer::Profile { name: None }));
}

/// The tag of the inner directory is written by hand, because the encoder cannot write it.
#[test]
fn of_exif_in_a_tiff() {
    for (number, transfer) in [(1u16, Some(Transfer::Srgb)), (0xffff, None)] {
        // An offset has the same length as any other, so the first file shows where its end is.
        let end = tiff(Tag::ExifDirectory, 0u32).len();
        let mut bytes = tiff(Tag::ExifDirectory, u32::try_from(end).expect("small"));
        bytes.extend(within(number));
        assert_eq!(read(&bytes).1, transfer, "{number}");
    }
}

/// Returns a little-endian directory that holds only a colour space (Exif 2.3, 4.6.5).
fn within(colour_space: u16) -> Vec<u8> {
    let mut bytes = vec![1, 0, 0x01, 0xa0, 3, 0, 1, 0, 0, 0];
    bytes.extend(colour_space.to_le_bytes());
    bytes.extend([0; 6]);
    bytes
}

fn exif(colour_space: u16) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    bytes.extend(within(colour_space));
    bytes
}

fn jpeg(profile: &[u8], exif: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new(&mut bytes);
    encoder
        .set_icc_profile(profile.to_vec())
        .expect("can be set");
    encoder.set_exif_metadata(exif).expect("can be set");
    encoder
        .write_image(&[9; 16], 4, 4, ExtendedColorType::L8)
        .expect("written");
    bytes
}

#[test]
fn of_a_jpeg() {
    let profile = Transfer::Profile { name: None };
    for (bytes, transfer) in [
        (jpeg(&[], Vec::new()), Transfer::Convention),
        (jpeg(&[], exif(0xffff)), Transfer::Convention),
        (jpeg(&[], exif(1)), Transfer::Srgb),
        // A profile in several segments.
        (jpeg(&vec![1; 100_000], Vec::new()), profile.clone()),
        (jpeg(&[1; 100], exif(1)), profile),
    ] {
        assert_eq!(read(&bytes), (None, Some(transfer)));
    }
    for length in 0..exif(1).len() {
        let cut = exif(1)[..length].to_vec();
        assert!(read(&jpeg(&[], cut)).1.is_some(), "cut to {length} bytes");
    }
}
