//! Recognises a file's format by its first bytes.

use super::{asc, hdr};

/// A format that is read.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Png,
    Jpeg,
    /// `BigTIFF` too.
    Tiff,
    Exr,
    Hdr,
    /// PBM, PGM, PPM and PAM.
    Pnm,
    /// An ESRI ASCII grid.
    Asc,
}

/// The formats in words, for messages.
pub(super) const READ: &str =
    "a PNG, JPEG, TIFF, OpenEXR, Radiance HDR or PNM image or an ESRI ASCII grid";

/// The usual extensions of these files, in lower case, for dialogs that list files. Decoders recognise a file by its
/// bytes.
pub const EXTENSIONS: [&str; 13] = [
    "png", "jpg", "jpeg", "tif", "tiff", "exr", "hdr", "pbm", "pgm", "ppm", "pnm", "pam", "asc",
];

pub(super) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

const MAGIC: [(&[u8], Format); 8] = [
    (PNG, Format::Png),
    (b"\xff\xd8\xff", Format::Jpeg),
    (b"II*\0", Format::Tiff),
    (b"MM\0*", Format::Tiff),
    (b"II+\0", Format::Tiff),
    (b"MM\0+", Format::Tiff),
    (b"\x76\x2f\x31\x01", Format::Exr),
    (b"P7\n", Format::Pnm),
];

/// Formats that are not read, by the first bytes of their files.
const OTHERS: [(&[u8], &str); 18] = [
    (b"Pf\n", "a PFM image"),
    (b"PF\n", "a PFM image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"\0\0\x01\0", "an ICO image"),
    (b"8BPS", "a Photoshop document"),
    (b"8BPB", "a large Photoshop document"),
    (b"qoif", "a QOI image"),
    (b"DDS ", "a DDS texture"),
    (b"\xabKTX", "a KTX texture"),
    (b"\0\0\0\x0cjP", "a JPEG 2000 image"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 image"),
    (b"\0\0\0\x0cJXL", "a JPEG XL image"),
    (b"\x89HDF", "an HDF5 or netCDF file"),
    (b"CDF", "a netCDF file"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
];

/// Returns a file's format.
///
/// # Errors
/// If it is another format, its description in a few words.
pub(super) fn recognise(bytes: &[u8]) -> Result<Format, String> {
    if let Some((_, format)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Ok(*format);
    }
    if let [b'P', b'1'..=b'6', after, ..] = bytes
        && (after.is_ascii_whitespace() || *after == b'#')
    {
        return Ok(Format::Pnm);
    }
    if hdr::begins(bytes) {
        return Ok(Format::Hdr);
    }
    if asc::begins(without_bom(bytes).trim_ascii_start()) {
        return Ok(Format::Asc);
    }
    let other = OTHERS.iter().find(|(magic, _)| bytes.starts_with(magic));
    Err(other.map_or_else(|| describe(bytes), |(_, name)| (*name).to_owned()))
}

/// Returns a text without the UTF-8 byte order mark that editors on Windows put before it.
pub(super) fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

fn describe(bytes: &[u8]) -> String {
    let at = |from: usize, len: usize| bytes.get(from..from + len).unwrap_or_default();
    if at(0, 4) == b"RIFF" && at(8, 4) == b"WEBP" {
        return "a WebP image".to_owned();
    }
    if at(4, 4) == b"ftyp" {
        return match at(8, 3) {
            b"avi" => "an AVIF image",
            b"hei" | b"hev" | b"mif" => "an HEIF image",
            _ => "an ISO media file",
        }
        .to_owned();
    }
    // One byte of eight is wrong, or a transfer "corrected" the line ends.
    let same = at(0, 8).iter().zip(PNG).filter(|(a, b)| a == b).count();
    if same + 2 >= PNG.len() {
        return "a PNG image with a damaged signature (sent as text?)".to_owned();
    }
    let head = &bytes[..bytes.len().min(512)];
    // The cut at 512 may split a character: an error without a length means that.
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let printable = |b: &u8| !b.is_ascii_control() || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c);
    if is_utf8 && head.iter().all(printable) {
        let text = std::str::from_utf8(head).unwrap_or_default();
        let kind = if text.contains("<svg") {
            "an SVG drawing"
        } else {
            "a text file"
        };
        return kind.to_owned();
    }
    let first: Vec<String> = head.iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!("an unknown format (it begins {})", first.join(" "))
}
