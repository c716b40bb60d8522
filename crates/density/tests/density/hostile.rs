//! Decodes files made to break decoders, if the shared collection is there.
#![cfg(feature = "image")]

use crate::collection::{files, folder};
use crate::pngsuite;
use spinney_density::GreyMap;
use spinney_density::decode::{Channel, DecodeError, DecodeLimits};
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: &Path) -> Result<GreyMap, DecodeError> {
    let bytes = fs::read(path).expect("a readable file");
    GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default())
}

#[test]
fn all_of_png_suite() {
    let Some(folder) = folder("hostile/pngsuite") else {
        return;
    };
    for figures in pngsuite::table() {
        figures.check(&fs::read(folder.join(figures.file)).expect("a readable file"));
    }
    let named_x = |path: &&PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with('x'))
    };
    let all = files(&folder);
    let damaged: Vec<&PathBuf> = all.iter().filter(named_x).collect();
    assert_eq!(damaged.len(), 14);
    for path in damaged {
        assert!(read(path).is_err(), "{} was accepted", path.display());
    }
}

#[test]
fn made_files_get_the_right_answer() {
    let Some(folder) = folder("hostile/made") else {
        return;
    };
    let of = |name: &str| read(&folder.join(name));
    for name in [
        "bomb_20000x20000_g8.png",
        "bomb_65535x65535_g1.png",
        "dims_lie_2147483647.png",
    ] {
        assert!(
            matches!(of(name), Err(DecodeError::TooManyPixels { .. })),
            "{name}"
        );
    }
    for name in [
        "camera_last12_missing.png",
        "sig_only.png",
        "truncated_half_camera.png",
    ] {
        assert_eq!(
            of(name),
            Err(DecodeError::Truncated { format: "PNG" }),
            "{name}"
        );
    }
    assert_eq!(
        of("truncated_half_grace.jpg"),
        Err(DecodeError::Truncated { format: "JPEG" })
    );
    assert_eq!(of("empty_file.png"), Err(DecodeError::Empty));
    assert!(matches!(
        of("text_not_image.png"),
        Err(DecodeError::Format { .. })
    ));
    assert!(matches!(
        of("dims_0x0.png"),
        Err(DecodeError::Damaged { .. })
    ));

    let size = |name| of(name).map(|map| (map.width(), map.height()));
    assert_eq!(size("wide_100000x1_g16.png"), Ok((100_000, 1)));
    assert_eq!(size("tall_1x100000_g8.png"), Ok((1, 100_000)));
    assert_eq!(size("camera_named.jpg"), Ok((512, 512)));
    assert_eq!(of("camera_trailing_garbage.png"), of("camera_named.jpg"));
    assert_eq!(
        of("alpha0_white_64.png").map(|map| map.allowed_share()),
        Ok(0.0)
    );
    assert_eq!(of("one_1x1_white.png").map(|map| map.grey(0, 0)), Ok(65535));
}
