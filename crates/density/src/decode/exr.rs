//! Reads `OpenEXR` with the `exr` crate, block by block: only the needed channels are kept.

use super::channel::Pick;
use super::error::printable;
use super::levels::LevelType;
use super::raster::Raster;
use super::{Alpha, Channel, DecodeError, ReadOptions};
use crate::diagnostic::Diagnostic;
use exr::block::lines::LineRef;
use exr::block::reader::ChunksReader;
use exr::error::Error;
use exr::io::Data;
use exr::math::Vec2;
use exr::meta::attribute::SampleType;
use exr::meta::header::Header;
use exr::prelude::f16;
use std::collections::BTreeSet;
use std::io::{Cursor, ErrorKind};

const FORMAT: &str = "OpenEXR";

/// The samples that a channel is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Selected {
    layer: usize,
    pick: Pick,
    /// The channel that closes a pixel where it is 0.
    alpha: Option<usize>,
    /// Whether the file stores the levels multiplied by alpha.
    multiplied: bool,
}

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let limits = options.limits;
    let reader = exr::block::read(Cursor::new(bytes), false).map_err(to_error)?;
    let (mut selected, others) = find(reader.headers(), &options.channel)?;
    selected.alpha = selected.alpha.filter(|_| options.alpha == Alpha::Mask);
    let header = &reader.headers()[selected.layer];
    check_kind(header)?;
    let needed = selected.pick.with(selected.alpha);
    let type_of = |sample: usize| header.channels.list[sample].sample_type;
    let all_are = |wanted| {
        selected
            .pick
            .samples()
            .all(|sample| type_of(sample) == wanted)
    };
    let level_type = if all_are(SampleType::F16) {
        LevelType::Float(16)
    } else if all_are(SampleType::U32) {
        LevelType::Unsigned(32)
    } else {
        LevelType::Float(32)
    };

    let window = header.shared_attributes.display_window;
    let [width, height] = pixels(window.size)?;
    let [data_width, data_height] = pixels(header.layer_size)?;
    let row_bytes = header.channels.bytes_per_pixel as u64 * u64::from(data_width);
    // A stored block, a decompressed one, and an intermediate one.
    let block_height = header.max_block_pixel_size().height() as u64;
    let block = 3 * row_bytes.saturating_mul(block_height.min(u64::from(data_height)));
    let memory = Raster::bytes([width, height], level_type).saturating_add(block);
    limits.check(data_width, data_height, block)?;
    limits.check(width, height, memory)?;
    // Every chunk has an entry of eight bytes in a table.
    for header in reader.headers() {
        if header.chunk_count as u64 > bytes.len() as u64 / 8 {
            return Err(DecodeError::Truncated { format: FORMAT });
        }
    }

    let (origin, data_origin) = (window.position, header.own_attributes.layer_position);
    let offset = [
        i64::from(data_origin.x()) - i64::from(origin.x()),
        i64::from(data_origin.y()) - i64::from(origin.y()),
    ];
    let mut raster = Raster::blank([width, height], level_type)?;
    raster.about.diagnostics.extend(outside_data(
        [data_width, data_height],
        offset,
        [width, height],
    ));
    raster.about.other_images = others;
    let channels = header.channels.clone();
    let blocks = reader
        .filter_chunks(false, |_, tile, block| {
            block.layer == selected.layer && tile.level_index == Vec2(0, 0)
        })
        .map_err(to_error)?
        .sequential_decompressor(false);
    // One row of each needed channel.
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); channels.list.len()];
    let last = needed.last().copied().unwrap_or_default();
    for block in blocks {
        let block = block.map_err(to_error)?;
        for line in block.lines(&channels) {
            let at = line.location;
            if !needed.contains(&at.channel) {
                continue;
            }
            rows[at.channel] = match channels.list[at.channel].sample_type {
                SampleType::F16 => samples::<f16>(&line),
                SampleType::F32 => samples::<f32>(&line),
                SampleType::U32 => samples::<u32>(&line),
            }?;
            if at.channel == last {
                let (x, y) = (at.position.x() as i64, at.position.y() as i64);
                put(&mut raster, [x + offset[0], y + offset[1]], &rows, selected);
            }
        }
    }
    Ok(raster)
}

/// Returns a diagnostic if `data` pixels at `offset` do not cover a picture of `size`.
fn outside_data(data: [u32; 2], offset: [i64; 2], size: [u32; 2]) -> Option<Diagnostic> {
    let covered = [0, 1].map(|axis| {
        let [data, size] = [data, size].map(|sides| i64::from(sides[axis]));
        let end = (offset[axis] + data).min(size);
        (end - offset[axis].max(0)).max(0) as f64 / size as f64
    });
    let share = 1.0 - covered[0] * covered[1];
    (share > 0.0).then_some(Diagnostic::OutsideData { share })
}

/// Writes a row of a block, once all its channels are read.
fn put(raster: &mut Raster, [left, y]: [i64; 2], rows: &[Vec<f64>], selected: Selected) {
    let inside = |at: i64, size: u32| u32::try_from(at).ok().filter(|&at| at < size);
    let Some(y) = inside(y, raster.height()) else {
        return;
    };
    let some = selected.pick.samples().next().unwrap_or_default();
    for (i, x) in (0..rows[some].len()).zip(left..) {
        let Some(x) = inside(x, raster.width()) else {
            continue;
        };
        let sample = |channel: usize| rows[channel].get(i).copied().unwrap_or(f64::NAN);
        let level = selected.pick.level(sample);
        match selected.alpha.map(sample) {
            None => raster.put(x, y, level),
            Some(alpha) if alpha > 0.0 && selected.multiplied => {
                raster.put_divided([x, y], level, alpha, f64::INFINITY);
            }
            Some(alpha) if alpha > 0.0 => raster.put(x, y, level),
            Some(_) => raster.clear(x, y),
        }
    }
}

/// Returns the samples of a line.
fn samples<T: Data + Into<f64>>(line: &LineRef<'_>) -> Result<Vec<f64>, DecodeError> {
    let samples = line.read_samples::<T>();
    samples
        .map(|sample| Ok(sample.map_err(to_error)?.into()))
        .collect()
}

/// Searches every layer for the channel. Returns its samples in the first layer that has it, and the number of other
/// layers that have it too.
fn find(headers: &[Header], channel: &Channel) -> Result<(Selected, usize), DecodeError> {
    let mut found = headers.iter().enumerate().filter_map(|(layer, header)| {
        let names = names(header);
        let (pick, alpha) = pick(&names, part_name(header).as_deref(), channel)?;
        let multiplied = pick.samples().all(|at| is_colour(&names[at]));
        Some(Selected {
            layer,
            pick,
            alpha,
            multiplied,
        })
    });
    if let Some(selected) = found.next() {
        return Ok((selected, found.count()));
    }
    let mut found = BTreeSet::new();
    for header in headers {
        // In a file of several parts, the user names a channel `part.channel`.
        let part = part_name(header).filter(|_| headers.len() > 1);
        found.extend(names(header).into_iter().map(|name| match &part {
            Some(part) => format!("{part}.{name}"),
            None => name,
        }));
    }
    let found = found.into_iter().map(|name| printable(&name));
    let found = format!("the channels {}", found.collect::<Vec<_>>().join(", "));
    Err(match channel {
        Channel::A => DecodeError::NoAlpha,
        Channel::Luma => DecodeError::WhichChannel { found },
        other => DecodeError::NoChannel {
            wanted: other.name().to_owned(),
            found,
        },
    })
}

fn names(header: &Header) -> Vec<String> {
    let list = header.channels.list.iter();
    list.map(|channel| channel.name.to_string()).collect()
}

fn part_name(header: &Header) -> Option<String> {
    let name = header.own_attributes.layer_name.as_ref();
    name.map(ToString::to_string)
}

/// Returns `true` if, by the format's convention, a channel with this name is multiplied by alpha:
/// colours and brightness of a picture (its "Technical Introduction", "Premultiplied vs.
/// Un-Premultiplied Color Channels"). Depths, heights and numbers are not.
fn is_colour(name: &str) -> bool {
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    matches!(name, "R" | "G" | "B" | "Y")
}

/// Finds a channel and its alpha among the channels of a part, whose name is `part`.
fn pick(names: &[String], part: Option<&str>, channel: &Channel) -> Option<(Pick, Option<usize>)> {
    let at = |name: &str| names.iter().position(|other| other == name);
    let pick = match channel {
        Channel::Index | Channel::Named(_) => {
            let name = channel.name();
            // "part.channel" too.
            let in_part = part.and_then(|part| name.strip_prefix(part)?.strip_prefix('.'));
            let one = at(name).or_else(|| at(in_part?)).map(Pick::One);
            one.or_else(|| brightness(names, name, in_part))
        }
        other => in_layer(names, "", other),
    }?;
    // The alpha of the same layer: "trees.A" for "trees.R".
    let first = pick.samples().next()?;
    let alpha = match names[first].rsplit_once('.') {
        Some((layer, _)) => at(&format!("{layer}.A")),
        None => at("A"),
    };
    Some((pick, alpha))
}

/// Finds the samples of "layer.luma", "part.luma" or "part.layer.luma"; `in_part` is the rest of
/// the name after the part's.
fn brightness(names: &[String], name: &str, in_part: Option<&str>) -> Option<Pick> {
    let of_part = || in_layer(names, "", &Channel::Luma);
    if let Some(pick) = (in_part == Some("luma")).then(of_part).flatten() {
        return Some(pick);
    }
    let of_layer = |name: &str| {
        let (layer, last) = name.rsplit_once('.')?;
        let layer = &name[..=layer.len()];
        let luma = || in_layer(names, layer, &Channel::Luma);
        (last == "luma").then(luma)?
    };
    of_layer(name).or_else(|| of_layer(in_part?))
}

/// Finds the samples of a channel in the layer with the prefix `layer`: "trees." for "trees.R".
/// With the prefix "", they are channels outside of layers.
fn in_layer(names: &[String], layer: &str, channel: &Channel) -> Option<Pick> {
    let at = |name: &str| {
        let mut own = names.iter().map(|other| other.strip_prefix(layer));
        own.position(|other| other == Some(name))
    };
    let colours = at("R").zip(at("G")).zip(at("B"));
    // A grey image has "Y"; a single channel, whatever its name, is the image.
    let grey = || {
        let mut opaque = (0..names.len()).filter(|&i| {
            let own = names[i].strip_prefix(layer);
            own.is_some_and(|own| own != "A" && (layer.is_empty() || !own.contains('.')))
        });
        at("Y").or_else(|| opaque.next().filter(|_| opaque.next().is_none()))
    };
    let one_of = |name: &str| at(name).or_else(grey).map(Pick::One);
    match channel {
        Channel::Luma => match colours {
            Some(((r, g), b)) => Some(Pick::Luma([r, g, b])),
            None => grey().map(Pick::One),
        },
        Channel::R => one_of("R"),
        Channel::G => one_of("G"),
        Channel::B => one_of("B"),
        Channel::A => at("A").map(Pick::One),
        Channel::Index | Channel::Named(_) => at(channel.name()).map(Pick::One),
    }
}

/// Rejects deep and subsampled images.
fn check_kind(header: &Header) -> Result<(), DecodeError> {
    let mut channels = header.channels.list.iter();
    let reason = if header.deep {
        "deep"
    } else if channels.any(|channel| channel.sampling != Vec2(1, 1)) {
        "chroma-subsampled (luminance and chroma)"
    } else {
        return Ok(());
    };
    Err(DecodeError::unsupported(FORMAT, reason))
}

fn pixels(size: Vec2<usize>) -> Result<[u32; 2], DecodeError> {
    match (u32::try_from(size.width()), u32::try_from(size.height())) {
        (Ok(width), Ok(height)) if width > 0 && height > 0 => Ok([width, height]),
        _ => Err(DecodeError::damaged(
            FORMAT,
            "its windows are not rectangles",
        )),
    }
}

fn to_error(error: Error) -> DecodeError {
    match error {
        Error::Io(e) if e.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Truncated { format: FORMAT }
        }
        Error::NotSupported(reason) => {
            let reason = format!("this kind of ({})", printable(&reason));
            DecodeError::unsupported(FORMAT, &reason)
        }
        other => DecodeError::damaged(FORMAT, &other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If two parts have a brightness, only the first is read, so the other must be reported.
    #[test]
    fn parts_that_have_the_channel_too_are_counted() {
        use exr::prelude::{
            AnyChannel, AnyChannels, Encoding, FlatSamples, Image, ImageAttributes, IntegerBounds,
            Layer, LayerAttributes, WritableImage,
        };
        let part = |name: &str, channel: &str| {
            let samples = FlatSamples::F32(vec![0.5; 8]);
            let channels = std::iter::once(AnyChannel::new(channel, samples)).collect();
            let (attributes, encoding) = (LayerAttributes::named(name), Encoding::FAST_LOSSLESS);
            Layer::new((4, 2), attributes, encoding, AnyChannels::sort(channels))
        };
        let others = |parts: Vec<_>, channel: Channel| {
            let attributes = ImageAttributes::new(IntegerBounds::from_dimensions((4, 2)));
            let mut bytes = Cursor::new(Vec::new());
            let image = Image::from_layers(attributes, parts);
            image.write().to_buffered(&mut bytes).expect("written");
            let options = ReadOptions {
                channel,
                ..ReadOptions::default()
            };
            let raster = decode(bytes.get_ref(), &options).expect("an image");
            raster.about().other_images
        };
        let named = |name: &str| Channel::Named(name.to_owned());
        let both = || vec![part("depth", "Z"), part("light", "Y")];
        assert_eq!(others(both(), Channel::Luma), 1);
        assert_eq!(others(both(), named("Y")), 0);
        assert_eq!(others(vec![part("light", "Y")], Channel::Luma), 0);
        for name in ["depth.luma", "light.luma", "light.Y", "depth.Z"] {
            assert_eq!(others(both(), named(name)), 0, "{name}");
        }
    }

    #[test]
    fn brightness_of_parts_and_layers_is_found() {
        let luma = |names: &[&str], name: &str| {
            let picked = picked(names, &Channel::Named(name.to_owned()));
            picked.map(|(pick, alpha)| (pick.samples().collect::<Vec<_>>(), alpha))
        };
        let rgba = ["A", "B", "G", "R"];
        assert_eq!(luma(&rgba, "beauty.luma"), Some((vec![3, 2, 1], Some(0))));
        assert_eq!(luma(&rgba, "other.luma"), None);
        let layers = ["Z", "trees.A", "trees.B", "trees.G", "trees.R", "fog.Y"];
        let trees = Some((vec![4, 3, 2], Some(1)));
        assert_eq!(luma(&layers, "trees.luma"), trees);
        assert_eq!(luma(&layers, "beauty.trees.luma"), trees);
        assert_eq!(luma(&layers, "fog.luma"), Some((vec![5], None)));
        assert_eq!(luma(&layers, "beauty.luma"), None, "not guessed");
        // A layer in a layer, as Blender writes them.
        let deep = ["View.Combined.B", "View.Combined.G", "View.Combined.R"];
        assert_eq!(
            luma(&deep, "View.Combined.luma"),
            Some((vec![2, 1, 0], None))
        );
        assert_eq!(luma(&deep, "View.luma"), None);
        // A channel with that very name.
        assert_eq!(luma(&["a.luma", "b"], "a.luma"), Some((vec![0], None)));
    }

    fn picked(names: &[&str], channel: &Channel) -> Option<(Pick, Option<usize>)> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        pick(&names, Some("beauty"), channel)
    }

    #[test]
    fn channels_are_found_by_name() {
        let rgba = ["A", "B", "G", "R"];
        let luma = Pick::Luma([3, 2, 1]);
        assert_eq!(picked(&rgba, &Channel::Luma), Some((luma, Some(0))));
        assert_eq!(picked(&rgba, &Channel::G), Some((Pick::One(2), Some(0))));
        let named = |name: &str| Channel::Named(name.to_owned());
        let groups = ["Z", "trees.A", "trees.R"];
        assert_eq!(
            picked(&groups, &named("trees.R")),
            Some((Pick::One(2), Some(1)))
        );
        assert_eq!(picked(&groups, &named("Z")), Some((Pick::One(0), None)));
        assert_eq!(
            picked(&groups, &named("beauty.Z")),
            Some((Pick::One(0), None))
        );
        assert_eq!(picked(&groups, &named("z")), None);
        assert_eq!(picked(&groups, &Channel::Luma), None, "not guessed");
        assert_eq!(
            picked(&["height"], &Channel::Luma),
            Some((Pick::One(0), None))
        );
        assert_eq!(
            picked(&["A", "Y"], &Channel::R),
            Some((Pick::One(1), Some(0)))
        );
    }
}
