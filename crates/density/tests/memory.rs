//! Measures the memory for decoding small files. It is one test, in a program of its own, because
//! the memory measured is the whole program's.
#![cfg(feature = "image")]

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use spinney_density::GreyMap;
use spinney_density::decode::{Channel, DecodeError, DecodeLimits};
use std::io::{self, Read, Write};

/// Returns the peak memory of this program, bytes, if the system reports it.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// Returns `count` zeros, deflated, without ever holding them uncompressed.
fn zeros(count: u64) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    io::copy(&mut io::repeat(0).take(count), &mut encoder).expect("memory");
    encoder.finish().expect("memory")
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    let named = [&name, data].concat();
    let mut crc = Crc::new();
    crc.update(&named);
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(&named);
    file.extend(crc.sum().to_be_bytes());
}

/// Returns an 8-bit grey PNG with a chunk before its image data.
fn png(width: u32, height: u32, before: ([u8; 4], &[u8]), image_data: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(&mut file, *b"IHDR", &[&size[..], &[8, 0, 0, 0, 0]].concat());
    chunk(&mut file, before.0, before.1);
    chunk(&mut file, *b"IDAT", image_data);
    chunk(&mut file, *b"IEND", b"");
    file
}

#[test]
fn small_files_cost_little() {
    // Two rows of a filter byte and 128 greys.
    let (width, height) = (128, 2);
    let image_data = zeros(2 * 129);
    let bomb = zeros(310_000_000);
    let profile = [b"name\0\0", &bomb[..]].concat();
    let text = [b"Comment\0\0", &bomb[..]].concat();
    let before = most_memory();

    for (name, data) in [(*b"iCCP", &profile), (*b"zTXt", &text)] {
        let file = png(width, height, (name, data), &image_data);
        let map =
            GreyMap::decode(&file, Channel::Luma, DecodeLimits::default()).expect("a good image");
        assert_eq!(map.greys(), [0; 256]);
    }
    // 16384 x 16384 is within the limits, but there is no such image in so few bytes.
    let lie = png(16384, 16384, (*b"tEXt", b"a\0b"), &image_data);
    let refused = GreyMap::decode(&lie, Channel::Luma, DecodeLimits::default());
    assert_eq!(refused, Err(DecodeError::Truncated { format: "PNG" }));

    match before.zip(most_memory()) {
        Some((before, after)) => {
            let grown = after.saturating_sub(before) >> 20;
            assert!(
                grown < 64,
                "310 MB of zeros were not inflated? {grown} MB more"
            );
        }
        None => {
            let _ = writeln!(
                io::stderr(),
                "SKIPPED: this system does not tell a program's memory"
            );
        }
    }
}
