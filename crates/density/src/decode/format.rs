//! What a file is, by its first bytes.

/// A file's format.
pub(super) enum Format {
    Png,
    Jpeg,
    /// Described in a few words.
    Other(String),
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Formats that are not read and how their files begin.
const OTHERS: [(&[u8], &str); 27] = [
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"II+\0", "a BigTIFF image"),
    (b"MM\0+", "a BigTIFF image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"\x76\x2f\x31\x01", "an OpenEXR image"),
    (b"#?RADIANCE", "a Radiance HDR image"),
    (b"#?RGBE", "a Radiance HDR image"),
    (b"P1", "a PBM image"),
    (b"P2", "a PGM image"),
    (b"P3", "a PPM image"),
    (b"P4", "a PBM image"),
    (b"P5", "a PGM image"),
    (b"P6", "a PPM image"),
    (b"P7", "a PAM image"),
    (b"\0\0\x01\0", "an ICO image"),
    (b"8BPS", "a Photoshop document"),
    (b"qoif", "a QOI image"),
    (b"DDS ", "a DDS texture"),
    (b"\xabKTX", "a KTX texture"),
    (b"\0\0\0\x0cjP", "a JPEG 2000 image"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 image"),
    (b"\0\0\0\x0cJXL", "a JPEG XL image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
];

pub(super) fn recognise(bytes: &[u8]) -> Format {
    if bytes.starts_with(PNG) {
        return Format::Png;
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Format::Jpeg;
    }
    let described = match OTHERS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        Some((_, name)) => (*name).to_owned(),
        None => describe(bytes),
    };
    Format::Other(described)
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
    // One byte of eight is wrong, or line ends were "corrected" on the way.
    let same = at(0, 8).iter().zip(PNG).filter(|(a, b)| a == b).count();
    if same + 2 >= PNG.len() {
        return "a PNG image with a damaged signature (sent as text?)".to_owned();
    }
    let head = &bytes[..bytes.len().min(512)];
    // The cut at 512 may split a character: an error with no length is one of those.
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
