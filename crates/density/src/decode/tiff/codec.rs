//! Decompresses strips and tiles (tag 259).

use super::{damaged, truncated, unsupported};
use crate::decode::levels::LevelType;
use crate::decode::{DecodeError, jpeg};
use flate2::{Decompress, FlushDecompress, Status};
use std::borrow::Cow;
use std::io::{Cursor, Read};
use weezl::{BitOrder, LzwStatus};

/// A supported compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Uncompressed,
    Lzw,
    Deflate,
    PackBits,
    Zstd,
    /// CCITT Group 4.
    Fax4,
    Jpeg,
    WebP,
}

/// The layout of a decompressed strip or tile: rows of pixels, each from a new byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Pixels per row, padding included.
    pub(super) width: u32,
    /// Pixels per row that are in the image.
    pub(super) columns: u32,
    /// Rows that are in the image.
    pub(super) rows: u32,
    /// Rows, padding included. Rows outside of the image need not be stored.
    pub(super) height: u32,
    /// Samples per pixel.
    pub(super) samples: usize,
    /// Bytes per row.
    pub(super) row_bytes: usize,
}

impl Codec {
    /// Returns the compression with this number.
    ///
    /// # Errors
    /// When the compression is not supported; the error gives its name.
    pub(super) fn of(number: u64) -> Result<Self, DecodeError> {
        let name = match number {
            1 => return Ok(Self::Uncompressed),
            4 => return Ok(Self::Fax4),
            5 => return Ok(Self::Lzw),
            7 => return Ok(Self::Jpeg),
            8 | 32946 => return Ok(Self::Deflate),
            32773 => return Ok(Self::PackBits),
            50000 => return Ok(Self::Zstd),
            50001 => return Ok(Self::WebP),
            2 => "CCITT RLE",
            3 => "CCITT group 3",
            6 => "old-style JPEG",
            32809 => "ThunderScan",
            33003 | 33004 | 33005 | 34712 => "JPEG 2000",
            34661 => "JBIG",
            34676 | 34677 => "SGI Log",
            34887 => "LERC",
            34925 => "LZMA",
            50002 | 52546 => "JPEG XL",
            other => return Err(unsupported(&format!("this kind of (compression {other})"))),
        };
        Err(unsupported(&format!("{name}-compressed")))
    }

    /// Returns `true` if the tag `Predictor` counts: libtiff ignores it beside other compressions.
    pub(super) fn predicts(self) -> bool {
        matches!(self, Self::Lzw | Self::Deflate | Self::Zstd)
    }

    /// Returns `true` if one compressed byte stands for some 1,400 bytes at most. Zstandard has no
    /// such bound.
    pub(super) fn is_bounded(self) -> bool {
        matches!(
            self,
            Self::Uncompressed | Self::Lzw | Self::Deflate | Self::PackBits
        )
    }

    /// Returns `true` if the compression supports this number of samples per pixel, of this type.
    pub(super) fn holds(self, samples: u64, level_type: LevelType) -> bool {
        let eight = level_type == LevelType::Unsigned(8);
        match self {
            Self::Jpeg => eight && matches!(samples, 1 | 3 | 4),
            Self::WebP => eight && matches!(samples, 3 | 4),
            Self::Fax4 => level_type == LevelType::Unsigned(1) && samples == 1,
            _ => true,
        }
    }

    /// Returns the name of a compression that supports only some kinds of samples.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fax4 => "CCITT group 4",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            _ => "oddly",
        }
    }

    /// Decompresses the stored bytes of a strip or tile into `out`, which has room for the rows
    /// that are in the image. Neither an end code nor data beyond these rows is needed.
    ///
    /// # Errors
    /// When the bytes are damaged, or stand for fewer rows.
    pub(super) fn expand(
        self,
        stored: &[u8],
        tables: &[u8],
        shape: &Shape,
        out: &mut [u8],
    ) -> Result<(), DecodeError> {
        let filled = match self {
            Self::Uncompressed => {
                let len = stored.len().min(out.len());
                out[..len].copy_from_slice(&stored[..len]);
                len
            }
            Self::Lzw => lzw(stored, out)?,
            Self::Deflate => inflate(stored, out)?,
            Self::PackBits => unpack(stored, out),
            Self::Zstd => zstd(stored, out)?,
            Self::Fax4 => fax4(stored, shape, out)?,
            Self::Jpeg => jpeg_pixels(stored, tables, shape, out)?,
            Self::WebP => webp_pixels(stored, shape, out)?,
        };
        if filled < out.len() {
            return Err(truncated());
        }
        Ok(())
    }
}

/// Decodes LZW. Unlike the reader of the crate `tiff` (0.11.3; its issue 395), it needs no end
/// code.
fn lzw(stored: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
    // libtiff's test: in the old style, the first code is 256, of 9 bits, the lowest bit first.
    if matches!(stored, [0, second, ..] if second & 1 == 1) {
        return Err(unsupported("old-style LZW-compressed"));
    }
    let decoder = weezl::decode::Configuration::with_tiff_size_switch(BitOrder::Msb, 8);
    let mut decoder = decoder.with_yield_on_full_buffer(true).build();
    let (mut read, mut filled) = (0, 0);
    while filled < out.len() {
        let step = decoder.decode_bytes(&stored[read..], &mut out[filled..]);
        read += step.consumed_in;
        filled += step.consumed_out;
        match step.status {
            Ok(LzwStatus::Ok) => {}
            Ok(LzwStatus::Done | LzwStatus::NoProgress) => break,
            Err(_) => return Err(damaged("it has invalid LZW codes")),
        }
    }
    Ok(filled)
}

fn inflate(stored: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
    let mut stream = Decompress::new(true);
    loop {
        let before = (stream.total_in(), stream.total_out());
        let (read, filled) = (before.0 as usize, before.1 as usize);
        if filled == out.len() {
            return Ok(filled);
        }
        let status = stream.decompress(&stored[read..], &mut out[filled..], FlushDecompress::None);
        let status = status.map_err(|e| damaged(&format!("Deflate: {e}")))?;
        if status == Status::StreamEnd || (stream.total_in(), stream.total_out()) == before {
            return Ok(stream.total_out() as usize);
        }
    }
}

/// Decodes `PackBits`. A byte `n` up to 127 is followed by `n + 1` literal bytes; a byte `n` from 129
/// on is followed by one byte to be repeated `257 - n` times (TIFF 6.0, section 9).
fn unpack(stored: &[u8], out: &mut [u8]) -> usize {
    let (mut rest, mut filled) = (stored, 0);
    while let Some((&head, tail)) = rest.split_first()
        && filled < out.len()
    {
        let room = &mut out[filled..];
        let (taken, len) = match (head, tail.first()) {
            (0..=127, _) => {
                let taken = tail.len().min(usize::from(head) + 1);
                let len = taken.min(room.len());
                room[..len].copy_from_slice(&tail[..len]);
                (taken, len)
            }
            (129.., Some(&byte)) => {
                let len = room.len().min(257 - usize::from(head));
                room[..len].fill(byte);
                (1, len)
            }
            _ => (0, 0),
        };
        rest = &tail[taken..];
        filled += len;
    }
    filled
}

fn zstd(stored: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
    let wrong = |what: &str| damaged(&format!("Zstandard: {what}"));
    let mut rest = stored;
    let stream = ruzstd::decoding::StreamingDecoder::new(&mut rest);
    let mut stream = stream.map_err(|e| wrong(&e.to_string()))?;
    match stream.read_exact(out) {
        Ok(()) => Ok(out.len()),
        // The end of the data is missing.
        Err(_) if rest.is_empty() => Ok(0),
        Err(e) => Err(wrong(&e.to_string())),
    }
}

fn fax4(stored: &[u8], shape: &Shape, out: &mut [u8]) -> Result<usize, DecodeError> {
    let width = u16::try_from(shape.width)
        .map_err(|_| unsupported("more than 65535 pixels wide, CCITT group 4-compressed"))?;
    let wrong = || damaged("it has invalid CCITT codes");
    let bytes = stored
        .iter()
        .map(|&byte| Ok::<_, std::convert::Infallible>(byte));
    let mut lines = fax::decoder::Group4Decoder::new(bytes, width).map_err(|_| truncated())?;
    let mut filled = 0;
    for row in out.chunks_exact_mut(shape.row_bytes) {
        match lines.advance().map_err(|_| wrong())? {
            fax::decoder::DecodeStatus::End => break,
            fax::decoder::DecodeStatus::Incomplete => {}
        }
        row.fill(0);
        // White is 0, as in libtiff; the photometric tag defines which of the two is dark.
        let pixels = fax::decoder::pels(lines.transition(), width);
        for (x, _) in pixels.enumerate().filter(|(_, c)| *c == fax::Color::Black) {
            row[x / 8] |= 0x80 >> (x % 8);
        }
        filled += row.len();
    }
    Ok(filled)
}

/// Pixels by which a picture may exceed its strip or tile, because it is made of blocks.
const BLOCK: u32 = 16;

/// Copies the rows of a picture that are in the image.
fn copy(
    [width, height]: [u32; 2],
    pixels: &[u8],
    shape: &Shape,
    out: &mut [u8],
) -> Result<usize, DecodeError> {
    if width < shape.columns || height < shape.rows {
        return Err(damaged("the image in a strip or tile is too small"));
    }
    let stored_row = width as usize * shape.samples;
    let len = stored_row.min(shape.row_bytes);
    let rows = out.chunks_exact_mut(shape.row_bytes);
    for (row, stored) in rows.zip(pixels.chunks_exact(stored_row)) {
        row[..len].copy_from_slice(&stored[..len]);
    }
    Ok(out.len())
}

/// Rejects a picture that is far larger than its strip or tile, before decoding.
fn check([width, height]: [u32; 2], shape: &Shape) -> Result<(), DecodeError> {
    if width > shape.width.saturating_add(BLOCK) || height > shape.height.saturating_add(BLOCK) {
        return Err(damaged("the image in a strip or tile is too large"));
    }
    Ok(())
}

/// Decodes the samples of a JPEG image, without converting colours.
fn jpeg_pixels(
    stored: &[u8],
    tables: &[u8],
    shape: &Shape,
    out: &mut [u8],
) -> Result<usize, DecodeError> {
    // Rejects data without an end marker, whose missing pixels would go unnoticed.
    let frame = jpeg::walk(stored)?;
    check([frame.width, frame.height], shape)?;
    // Tables shared by strips and tiles come before each of them, without the end and start markers
    // between (TIFF Technical Note 2).
    let whole = match tables {
        [shared @ .., _, _] => Cow::Owned([shared, &stored[2..]].concat()),
        _ => Cow::Borrowed(stored),
    };
    let wrong = |e: zune_jpeg::errors::DecodeErrors| damaged(&format!("JPEG: {e:?}"));
    let mut decoder = jpeg::reader(&whole, frame).map_err(wrong)?;
    if let Some(space) = decoder.input_colorspace() {
        decoder.set_options(decoder.options().jpeg_set_out_colorspace(space));
    }
    let pixels = decoder.decode().map_err(wrong)?;
    let area = frame.width as usize * frame.height as usize;
    if pixels.len() != area * shape.samples {
        return Err(damaged(
            "the image in a strip or tile has the wrong samples",
        ));
    }
    copy([frame.width, frame.height], &pixels, shape, out)
}

fn webp_pixels(stored: &[u8], shape: &Shape, out: &mut [u8]) -> Result<usize, DecodeError> {
    let wrong = |e: image_webp::DecodingError| damaged(&format!("WebP: {e}"));
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(stored)).map_err(wrong)?;
    let (width, height) = decoder.dimensions();
    check([width, height], shape)?;
    let coded = if decoder.has_alpha() { 4 } else { 3 };
    if !matches!((shape.samples, coded), (4, _) | (3, 3)) {
        return Err(damaged(
            "the image in a strip or tile has the wrong samples",
        ));
    }
    let mut pixels = vec![0; width as usize * height as usize * coded];
    decoder.read_image(&mut pixels).map_err(wrong)?;
    if coded < shape.samples {
        let opaque = pixels.chunks_exact(coded);
        pixels = opaque.flat_map(|c| [c[0], c[1], c[2], u8::MAX]).collect();
    }
    copy([width, height], &pixels, shape, out)
}
