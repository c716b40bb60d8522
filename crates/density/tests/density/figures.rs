//! Compares images of many formats with figures from other decoders (see `data/README.md`).

use spinney_density::decode::{Channel, LevelType, Levels, Raster, ReadOptions};
use std::time::{Duration, Instant};

pub(crate) struct Figures {
    pub(crate) file: &'static str,
    channel: &'static str,
    level_type: String,
    size: [u32; 2],
    /// Maximum error of a lossy decoder, levels.
    tolerance: f64,
    /// Number of pixels with a level.
    count: usize,
    least: Option<f64>,
    greatest: Option<f64>,
    sum: Option<f64>,
    first: Option<f64>,
    last: Option<f64>,
}

pub(crate) fn table(text: &'static str) -> impl Iterator<Item = Figures> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [
            file,
            channel,
            level_type,
            width,
            height,
            tolerance,
            count,
            rest @ ..,
        ] = &words[..]
        else {
            panic!("too few columns: {line}");
        };
        let level = |nth: usize| match rest[nth] {
            "-" => None,
            word => Some(word.parse::<f64>().expect("a level")),
        };
        Figures {
            file,
            channel,
            level_type: level_type
                .replace("-float", " float")
                .replace("-signed", " signed"),
            size: [width, height].map(|side| side.parse().expect("a size")),
            tolerance: tolerance.parse().expect("a tolerance"),
            count: count.parse().expect("a count"),
            least: level(0),
            greatest: level(1),
            sum: level(2),
            first: level(3),
            last: level(4),
        }
    })
}

pub(crate) fn channel(name: &str) -> Channel {
    match name {
        "luma" => Channel::Luma,
        "r" => Channel::R,
        "g" => Channel::G,
        "b" => Channel::B,
        "a" => Channel::A,
        name => Channel::Named(name.to_owned()),
    }
}

impl Figures {
    /// Decodes the file's bytes, compares the result, and returns the time taken.
    pub(crate) fn check(&self, bytes: &[u8]) -> Duration {
        let name = format!("{} {}", self.file, self.channel);
        let options = ReadOptions {
            channel: channel(self.channel),
            ..ReadOptions::default()
        };
        let started = Instant::now();
        let raster = Raster::decode(bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        let [width, height] = self.size;
        assert_eq!([raster.width(), raster.height()], self.size, "{name}");
        assert_eq!(raster.level_type().to_string(), self.level_type, "{name}");

        let levels: Vec<f64> = raster.levels().flatten().collect();
        assert_eq!(levels.len(), self.count, "{name}: pixels with a level");
        let finite = || levels.iter().copied().filter(|level| level.is_finite());
        let least = finite().reduce(f64::min);
        let greatest = finite().reduce(f64::max);
        let magnitude = finite().fold(0.0, |most, level| level.abs().max(most));
        // Greys are stored in 65535 steps, other levels in single or double precision.
        let exact = if raster.level_type().is_grey() {
            f64::from((1u32 << raster.level_type().bits()) - 1) / 65535.0 * 0.51
        } else {
            1e-7 * magnitude
        };
        let tolerance = self.tolerance + exact;
        let near = |found: Option<f64>, expected: Option<f64>, what: &str| {
            let same = match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() <= tolerance,
                (found, expected) => found.is_none() && expected.is_none(),
            };
            assert!(same, "{name}: {what} is {found:?}, not {expected:?}");
        };
        near(least, self.least, "the least level");
        near(greatest, self.greatest, "the greatest level");
        near(raster.level(0, 0), self.first, "the first pixel");
        near(
            raster.level(width - 1, height - 1),
            self.last,
            "the last pixel",
        );
        let mean = |sum: f64| sum / self.count as f64;
        let found = mean(finite().sum());
        if let Some(expected) = self.sum.map(mean) {
            let off = (found - expected).abs();
            let most = 0.1 * (self.tolerance + exact) + 1e-9 * expected.abs();
            assert!(off <= most, "{name}: the mean is {found}, not {expected}");
        }
        self.check_map(raster, &name);
        started.elapsed()
    }

    /// Compares the map made from the raster.
    fn check_map(&self, raster: Raster, name: &str) {
        let pixels = self.size.map(u64::from);
        let share = self.count as f64 / (pixels[0] * pixels[1]) as f64;
        let levels = if raster.level_type().is_grey() {
            Levels::Natural
        } else {
            Levels::Found
        };
        let full = match raster.level_type() {
            LevelType::Unsigned(bits @ ..=16) => Some(f64::from((1u32 << bits) - 1)),
            _ => None,
        };
        let map = raster
            .into_map(levels)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(map.allowed_share(), share, "{name}: allowed pixels");
        let mask = |at: usize| map.mask().is_none_or(|mask| mask[at]);
        let allowed = map.greys().iter().enumerate().filter(|(at, _)| mask(*at));
        let greys: Vec<u16> = allowed.map(|(_, &grey)| grey).collect();
        let ends = greys.iter().min().zip(greys.iter().max());
        let Some((&least, &greatest)) = ends else {
            return;
        };
        match full {
            None => assert_eq!((least, greatest), (0, u16::MAX), "{name}: the ends"),
            Some(full) => {
                let grey = |level: Option<f64>| level.expect("a level") / full * 65535.0;
                let off = |at: u16, level| (f64::from(at) - grey(level)).abs();
                let most = 0.51 + self.tolerance / full * 65535.0;
                assert!(off(least, self.least) <= most, "{name}: the least grey");
                assert!(
                    off(greatest, self.greatest) <= most,
                    "{name}: the greatest grey"
                );
            }
        }
    }
}
