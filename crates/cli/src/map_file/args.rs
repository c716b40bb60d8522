//! The flags that say how a map file is read.

use super::ends;
use crate::flags::{READING, choice};
use crate::numbers::{self, plain};
use clap::Args;
use clap::builder::TypedValueParser;
use density::decode::{Alpha, Channel, LevelRange, Levels, NoData};

/// How a map file is read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MapArgs {
    /// Channel to use as the map: luma, r, g, b, a, index (the stored numbers of a palette image),
    /// an EXR channel's name, NAME.luma (the brightness of an EXR part or layer) or a TIFF band's
    /// number [default: luma]
    #[arg(long, value_name = "NAME", value_parser = channel, help_heading = READING)]
    pub(crate) channel: Option<Channel>,

    /// Meaning of alpha, or of a palette's transparency [default: mask]
    #[arg(long, value_parser = alphas(), help_heading = READING)]
    pub(crate) alpha: Option<Alpha>,

    /// Levels of black and white, in the file's units, like -12.5..801; auto is the least and the
    /// greatest level [default: auto for floats, signed and 32-bit numbers, else the range of the
    /// type]
    #[arg(long, value_name = "LO..HI", value_parser = range, help_heading = READING)]
    pub(crate) range: Option<Levels>,

    /// Stored number that means no data, like -32768, besides those that the file states: no point
    /// lies there
    #[arg(long = "nodata", value_name = "VALUE", value_parser = no_data, help_heading = READING)]
    pub(crate) no_data: Option<NoData>,

    /// Width and height of a raw map, pixels: .r16 or .raw (16-bit), or .r32, .r32f or .f32
    /// (float), little endian
    #[arg(long, value_name = "WxH", value_parser = raw_size, help_heading = READING)]
    pub(crate) raw_size: Option<[u32; 2]>,

    /// Greatest number of pixels of a map, a mask or heights; if given, all free memory may be used
    /// [default: 268435456]
    #[arg(long, value_name = "N", value_parser = numbers::points, help_heading = READING)]
    pub(crate) max_pixels: Option<u64>,

    /// Whether a map that is turned or mirrored by its file is read as stored.
    #[arg(skip)]
    pub(crate) may_be_turned: bool,
}

impl MapArgs {
    /// Returns the channel that is the map; the default if the flag was not given.
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone().unwrap_or_default()
    }

    /// Returns the first of these flags that was given, and its value.
    pub(crate) fn given(&self) -> Option<(&'static str, String)> {
        let range = |levels| match levels {
            Levels::Between(range) => ends(range),
            Levels::Natural | Levels::Found => "auto".to_owned(),
        };
        let channel = self.channel.as_ref();
        let size = self
            .raw_size
            .map(|[width, height]| format!("{width}x{height}"));
        let all = [
            ("--channel", channel.map(|c| c.name().to_owned())),
            ("--alpha", self.alpha.map(|alpha| alpha.name().to_owned())),
            ("--range", self.range.map(range)),
            ("--nodata", self.no_data.map(|n| plain(n.level()))),
            ("--raw-size", size),
            ("--max-pixels", self.max_pixels.map(|n| n.to_string())),
        ];
        all.into_iter()
            .find_map(|(flag, value)| Some((flag, value?)))
    }
}

fn alphas() -> impl TypedValueParser<Value = Alpha> {
    let about = |alpha| match alpha {
        Alpha::Mask => "No point lies where alpha is 0; premultiplied colours are divided by alpha",
        Alpha::Ignore => {
            "Alpha is a channel like the others, as in a splat map; all are read as stored"
        }
    };
    choice(&Alpha::ALL, Alpha::name, about)
}

pub(crate) fn channel(text: &str) -> Result<Channel, String> {
    Channel::parse(text).ok_or_else(|| format!("must be {}", Channel::NAMES))
}

pub(crate) fn no_data(text: &str) -> Result<NoData, String> {
    NoData::parse(text).ok_or_else(|| "must be a number, like -9999".to_owned())
}

fn range(text: &str) -> Result<Levels, String> {
    if text.trim() == "auto" {
        return Ok(Levels::Found);
    }
    let form =
        "write the levels of black and white with two dots between, like -12.5..801, or auto";
    let (lo, hi) = text.split_once("..").ok_or(form)?;
    let [Ok(lo), Ok(hi)] = [lo, hi].map(|end| end.trim().parse::<f64>()) else {
        return Err(form.to_owned());
    };
    let range = LevelRange::new(lo, hi)
        .map_err(|_| "black must be a finite level below white; --white dense inverts the map")?;
    Ok(Levels::Between(range))
}

pub(crate) fn raw_size(text: &str) -> Result<[u32; 2], String> {
    let size = text.split_once(['x', 'X']).map(|(width, height)| {
        [width, height].map(|side| side.trim().parse::<u32>().ok().filter(|&side| side > 0))
    });
    match size {
        Some([Some(width), Some(height)]) => Ok([width, height]),
        _ => Err("write width x height in pixels, like 1025x1025".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let between = |text| match range(text) {
            Ok(Levels::Between(range)) => Some((range.lo(), range.hi())),
            _ => None,
        };
        assert_eq!(between("-12.5..801"), Some((-12.5, 801.0)));
        assert_eq!(between(" 1e-3 .. .5 "), Some((0.001, 0.5)));
        assert_eq!(range("auto"), Ok(Levels::Found));
        for bad in [
            "", "1", "1..", "..2", "2..1", "1..1", "nan..1", "0..inf", "0...x",
        ] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}
