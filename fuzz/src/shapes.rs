//! The target for the shaping of maps, with any numbers.

use crate::bytes::Bytes;
use crate::maps;
use density::diagnostic::lint;
use density::shape::{
    Combine, Curve, DistMap, MapKind, PerlinMapOptions, Ramp, Shade, Side, Tone, blur, combine,
    dilate, dilate_local, limit, perlin_map, ramp_around, ramp_from_edge,
};
use density::{DistRange, GreyMap, MapOptions, PerlinOptions, RadiusMap, White};

/// Applies one step to a map, both from `data`.
pub fn shape(data: &[u8]) {
    let mut bytes = Bytes(data);
    let step = bytes.byte();
    let number = bytes.number();
    let size = [0; 2].map(|_| u32::from(bytes.byte() % 24) + 1);
    let map = made(&mut bytes, size);
    let done = match step % 10 {
        0 => dilate(&map, number, bytes.one_of(&[Shade::Bright, Shade::Dark])).ok(),
        1 => blur(&map, number).ok(),
        2 => {
            let other = made(&mut bytes, size);
            let how = [
                Combine::Min,
                Combine::Max,
                Combine::Multiply,
                Combine::Add,
                Combine::Mask,
            ];
            combine(&map, &other, bytes.one_of(&how)).ok()
        }
        3 => {
            let shade = bytes.one_of(&[Shade::Bright, Shade::Dark]);
            let ramp = bytes.one_of(&[Ramp::Linear, Ramp::Sqrt]);
            ramp_from_edge(&map, shade, number, ramp).ok()
        }
        4 => {
            let places: Vec<_> = (0..bytes.byte() % 4)
                .map(|_| [bytes.number(), bytes.number()])
                .collect();
            ramp_around(size, &places, number, Ramp::Sqrt).ok()
        }
        5 => {
            let points: Vec<_> = (0..bytes.byte() % 6)
                .map(|_| [bytes.number(), bytes.number()])
                .collect();
            let curve = Curve::new(&points).ok();
            let tone = Tone::new().linear().gamma(number).ok();
            tone.zip(curve)
                .map(|(tone, curve)| tone.curve(&curve).apply(map))
        }
        6 => {
            let noise = PerlinOptions {
                seed: bytes.word(),
                frequency: number,
                octaves: u32::from(bytes.byte() % 18),
                lacunarity: bytes.number(),
                persistence: bytes.number(),
                white: White::Dense,
                spacing: None,
            };
            let warp = bytes.number();
            let threshold = (bytes.byte() % 2 == 1).then(|| bytes.number());
            let options = PerlinMapOptions {
                noise,
                warp,
                threshold,
            };
            perlin_map(size[0], size[1], options).ok()
        }
        7 => {
            let range = DistRange::new(number, bytes.number()).ok();
            range.map(|range| {
                let kind = bytes.one_of(&[MapKind::Distance, MapKind::Density]);
                Tone::new().from_kind(kind, range, White::Sparse).apply(map)
            })
        }
        _ => over_distances(&mut bytes, map, number, step % 10),
    };
    if let Some(map) = done {
        maps::check(&map);
    }
}

fn made(bytes: &mut Bytes, [width, height]: [u32; 2]) -> GreyMap {
    GreyMap::from_fn(width, height, |_, _| match bytes.byte() {
        9 => f64::NAN,
        byte => f64::from(byte) / 255.0,
    })
    .expect("a small map")
}

fn over_distances(bytes: &mut Bytes, map: GreyMap, number: f64, step: u8) -> Option<GreyMap> {
    let range = DistRange::new(bytes.number(), bytes.number()).ok()?;
    let pixel = [bytes.number(), bytes.number()];
    let distances = DistMap::new(&map, range, White::Sparse, pixel).ok()?;
    let field = RadiusMap::new(map, range, MapOptions::default()).ok()?;
    let _ = lint(&field, 1.0, number);
    let side = bytes.one_of(&[Side::Dense, Side::Sparse]);
    let done = match step {
        8 => limit(&distances, number, side).ok()?,
        _ => dilate_local(&distances, number, side).ok()?,
    };
    for (&before, &after) in distances.distances().iter().zip(done.distances()) {
        assert_eq!(before.is_nan(), after.is_nan());
        assert!(before.is_nan() || after > 0.0, "{before} became {after}");
    }
    done.to_map(range, White::Sparse).ok()
}
