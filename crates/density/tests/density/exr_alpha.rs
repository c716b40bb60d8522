//! `OpenEXR` stores colours multiplied by alpha, but heights unchanged.
#![cfg(feature = "image")]

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, WritableImage,
};
use spinney_density::decode::{Alpha, Channel, Raster, ReadOptions};
use spinney_density::diagnostic::Diagnostic;
use std::io::Cursor;

/// Returns a file with one row of four pixels in these channels.
fn file(channels: &[(&str, [f32; 4])]) -> Vec<u8> {
    let channels = channels
        .iter()
        .map(|&(name, row)| AnyChannel::new(name, FlatSamples::F32(row.to_vec())));
    let layer = Layer::new(
        (4, 1),
        LayerAttributes::default(),
        Encoding::UNCOMPRESSED,
        AnyChannels::sort(channels.collect()),
    );
    let mut bytes = Cursor::new(Vec::new());
    Image::from_layer(layer)
        .write()
        .to_buffered(&mut bytes)
        .expect("written");
    bytes.into_inner()
}

fn row(bytes: &[u8], channel: Channel, alpha: Alpha) -> ([Option<f64>; 4], f64) {
    let options = ReadOptions {
        channel,
        alpha,
        ..ReadOptions::default()
    };
    let raster = Raster::decode(bytes, &options).expect("a good file");
    let row = [0, 1, 2, 3].map(|x| raster.level(x, 0));
    (row, divided_share(&raster))
}

/// Returns the share of the pixels whose level was divided by their alpha, from the warning about it.
pub(crate) fn divided_share(raster: &Raster) -> f64 {
    let found = raster.diagnostics(&Channel::Luma, None);
    let share = found.iter().find_map(|found| match found {
        Diagnostic::DividedByAlpha { share } => Some(*share),
        _ => None,
    });
    share.unwrap_or(0.0)
}

/// Returns the share of the pixels that alpha closes, from the warning that a colour channel gives.
pub(crate) fn clear_share(raster: &Raster) -> f64 {
    let found = raster.diagnostics(&Channel::R, None);
    let share = found.iter().find_map(|found| match found {
        Diagnostic::ClosedByAlpha { share, .. } => Some(*share),
        _ => None,
    });
    share.unwrap_or(0.0)
}

const ALPHA: [f32; 4] = [0.5, 0.25, 0.0, 1.0];
const STORED: [f32; 4] = [0.5, 1.0, 3.0, 0.75];

/// Half-transparent white must be white, not grey.
#[test]
fn brightness_is_taken_apart_from_alpha() {
    let whole = [Some(1.0), Some(4.0), None, Some(0.75)];
    let stored = STORED.map(|level| Some(f64::from(level)));
    let grey = file(&[("A", ALPHA), ("Y", STORED)]);
    assert_eq!(row(&grey, Channel::Luma, Alpha::Mask), (whole, 0.5));
    assert_eq!(row(&grey, Channel::Luma, Alpha::Ignore), (stored, 0.0));
    let named = || Channel::Named("trees.G".to_owned());
    let group = file(&[("trees.A", ALPHA), ("trees.G", STORED)]);
    assert_eq!(row(&group, named(), Alpha::Mask), (whole, 0.5));
    let other = file(&[("A", ALPHA), ("trees.G", STORED)]);
    assert_eq!(row(&other, named(), Alpha::Mask), (stored, 0.0));
    let colours = file(&[("A", ALPHA), ("B", STORED), ("G", STORED), ("R", STORED)]);
    assert_eq!(row(&colours, Channel::Luma, Alpha::Mask), (whole, 0.5));
    let (alpha, divided) = row(&colours, Channel::A, Alpha::Mask);
    assert_eq!(alpha, [Some(0.5), Some(0.25), None, Some(1.0)]);
    assert_eq!(divided, 0.0);
}

#[test]
fn heights_are_not_multiplied() {
    let closed = [Some(0.5), Some(1.0), None, Some(0.75)];
    let heights = file(&[("A", ALPHA), ("height", STORED)]);
    assert_eq!(row(&heights, Channel::Luma, Alpha::Mask), (closed, 0.0));
    let depth = file(&[("A", ALPHA), ("R", ALPHA), ("Z", STORED)]);
    let named = Channel::Named("Z".to_owned());
    assert_eq!(row(&depth, named, Alpha::Mask), (closed, 0.0));
}

/// Alpha that is not a share in [0, 1] does not divide.
#[test]
fn odd_alphas_make_no_levels() {
    let odd = [f32::NAN, -1.0, 2.0, f32::INFINITY];
    let bytes = file(&[("A", odd), ("Y", STORED)]);
    let expected = [None, None, Some(3.0), Some(0.75)];
    assert_eq!(row(&bytes, Channel::Luma, Alpha::Mask), (expected, 0.0));
}
