//! Reads the colour tags of a PNG.

use super::Transfer;
use crate::decode::format::PNG;

/// Reads the tags before the pixels of a PNG file. Code points (cICP) outrank a profile, a profile outranks sRGB, and
/// sRGB a gamma, as the format specifies (W3C, Portable Network Graphics, third edition).
pub(in crate::decode) fn transfer(bytes: &[u8]) -> Option<Transfer> {
    let mut rest = bytes.strip_prefix(PNG)?;
    let mut found = None;
    while let Some((length, name, after)) = head(rest) {
        // A chunk may be cut off.
        let data = &after[..length.min(after.len())];
        match &name {
            b"IDAT" => break,
            // The second of four bytes numbers the transfer function (ITU-T H.273); 8 is linear.
            b"cICP" => {
                return match data.get(1)? {
                    8 => None,
                    13 => Some(Transfer::Srgb),
                    code => Some(Transfer::Profile {
                        name: Some(format!("cICP transfer {code}")),
                    }),
                };
            }
            b"iCCP" => {
                let name = data.split(|&b| b == 0).next().unwrap_or_default();
                let printable = |&b: &u8| {
                    let is_plain = b.is_ascii_graphic() || b == b' ';
                    if is_plain { char::from(b) } else { '?' }
                };
                // The format allows 79.
                let name = Some(name.iter().take(79).map(printable).collect());
                found = Some(Transfer::Profile { name });
            }
            b"sRGB" if !matches!(found, Some(Transfer::Profile { .. })) => {
                found = Some(Transfer::Srgb);
            }
            b"gAMA" if found.is_none() => {
                let value = data.try_into().map(u32::from_be_bytes);
                // 100,000 means linear.
                let other = value.ok().filter(|&gamma| gamma != 100_000);
                found = other.map(Transfer::Gamma);
            }
            _ => {}
        }
        // Skips the data and the checksum.
        let Some(next) = length.checked_add(4).and_then(|n| after.get(n..)) else {
            break;
        };
        rest = next;
    }
    found
}

/// Splits off the length and the name of a chunk; the last part is the rest of the file.
fn head(rest: &[u8]) -> Option<(usize, [u8; 4], &[u8])> {
    let length: [u8; 4] = rest.get(..4)?.try_into().ok()?;
    let name = rest.get(4..8)?.try_into().ok()?;
    Some((u32::from_be_bytes(length) as usize, name, rest.get(8..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Chunks<'a> = &'a [(&'a [u8; 4], &'a [u8])];

    fn file(chunks: Chunks<'_>) -> Vec<u8> {
        let mut bytes = PNG.to_vec();
        for (name, data) in chunks {
            bytes.extend((data.len() as u32).to_be_bytes());
            bytes.extend(*name);
            bytes.extend(*data);
            bytes.extend([0; 4]);
        }
        bytes
    }

    const GREY: [u8; 13] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0];

    #[test]
    fn finds_what_is_there() {
        let cases: [(Chunks<'_>, Option<Transfer>); 7] = [
            (&[(b"IHDR", &GREY)], None),
            (
                &[
                    (b"IHDR", &GREY),
                    (b"gAMA", &45_455u32.to_be_bytes()),
                    (b"sRGB", &[0]),
                ],
                Some(Transfer::Srgb),
            ),
            (
                &[(b"IHDR", &GREY), (b"gAMA", &45_455u32.to_be_bytes())],
                Some(Transfer::Gamma(45_455)),
            ),
            (
                &[(b"IHDR", &GREY), (b"gAMA", &100_000u32.to_be_bytes())],
                None,
            ),
            (
                &[
                    (b"gAMA", &45_455u32.to_be_bytes()),
                    (b"cICP", &[1, 8, 0, 1]),
                ],
                None,
            ),
            (
                &[(b"cICP", &[9, 16, 0, 1]), (b"sRGB", &[0])],
                Some(Transfer::Profile {
                    name: Some("cICP transfer 16".to_owned()),
                }),
            ),
            (
                &[
                    (b"iCCP", b"Dot Gain 20\x1b\0\0xyz"),
                    (b"sRGB", &[0]),
                    (b"IDAT", &[]),
                ],
                Some(Transfer::Profile {
                    name: Some("Dot Gain 20?".to_owned()),
                }),
            ),
        ];
        for (chunks, found) in cases {
            assert_eq!(transfer(&file(chunks)), found);
        }
        let late = file(&[(b"IDAT", &[]), (b"sRGB", &[0])]);
        assert_eq!(transfer(&late), None);
        assert_eq!(transfer(b"II*\0"), None);
    }

    proptest! {
        #[test]
        fn takes_any_bytes(tail in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..60) {
            let mut bytes = file(&[(b"IHDR", &GREY), (b"sRGB", &[0])]);
            bytes.truncate(cut);
            bytes.extend(tail);
            transfer(&bytes);
        }
    }
}
