//! Parses numbers in flags and formats them for people.

pub(crate) use density::numbers::{about, bytes, grouped, level, plain, short};
use density::{Bounds, DistRange};
use std::ops::RangeInclusive;

/// Returns a count with its noun, in the plural unless the count is 1.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Parses a distance in world units.
pub(crate) fn distance(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    match DistRange::new(value, value) {
        Ok(_) => Ok(value),
        Err(_) => Err("must be a positive finite number".to_owned()),
    }
}

/// Parses a width and a height in world units, `WxH`.
pub(crate) fn size(text: &str) -> Result<[f64; 2], String> {
    let (width, height) = text
        .split_once(['x', 'X'])
        .ok_or("write width x height, like 512x384")?;
    let size = [number(width)?, number(height)?];
    if size.iter().all(|s| s.is_finite() && *s > 0.0) {
        Ok(size)
    } else {
        Err("width and height must be positive finite numbers".to_owned())
    }
}

/// Parses a width and a height in pixels, `WxH`.
pub(crate) fn pixels(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text
        .split_once(['x', 'X'])
        .ok_or("write width x height, like 512x384")?;
    // The limit of pixels in a map.
    let side = |text| whole(text, 1..=1 << 28).map(|n| n as u32);
    let size = [side(width)?, side(height)?];
    if u64::from(size[0]) * u64::from(size[1]) <= 1 << 28 {
        Ok(size)
    } else {
        Err(format!("more than {} pixels", 1 << 28))
    }
}

/// Parses a place in world units, `X,Y`.
pub(crate) fn origin(text: &str) -> Result<[f64; 2], String> {
    let form = "write two numbers with a comma between and decimal points, like -5,3.5";
    let (x, y) = text.split_once(',').ok_or(form)?;
    let place = [x, y].map(number);
    let [Ok(x), Ok(y)] = place else {
        return Err(form.to_owned());
    };
    if x.is_finite() && y.is_finite() {
        Ok([x, y])
    } else {
        Err("both numbers must be finite".to_owned())
    }
}

/// Parses a rectangle in world units, `X0,Y0,X1,Y1`.
pub(crate) fn window(text: &str) -> Result<Bounds<2>, String> {
    let form = "write the lowest and the highest corner as X0,Y0,X1,Y1, like 0,0,512,256.5";
    let ends: Vec<f64> = text
        .split(',')
        .map(number)
        .collect::<Result<_, _>>()
        .map_err(|_| form)?;
    let [x0, y0, x1, y1] = ends[..] else {
        return Err(form.to_owned());
    };
    Bounds::new([x0, y0], [x1, y1])
        .map_err(|_| "X0 must be less than X1 and Y0 less than Y1, all of them finite".to_owned())
}

/// Parses a share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err("must be a number from 0 to 1".to_owned())
    }
}

/// Parses two numbers, the lower first, `LO..HI`.
pub(crate) fn span(text: &str) -> Result<[f64; 2], String> {
    let form = "write two numbers with two dots between, the lower first, like 0.5..20";
    let (low, high) = text.split_once("..").ok_or(form)?;
    let span = [number(low)?, number(high)?];
    if span.iter().all(|v| v.is_finite()) && span[0] <= span[1] {
        Ok(span)
    } else {
        Err(form.to_owned())
    }
}

/// Parses a range of slopes in degrees, `LO..HI`.
pub(crate) fn slopes(text: &str) -> Result<[f64; 2], String> {
    let slopes = span(text)?;
    if slopes.iter().all(|slope| (0.0..=90.0).contains(slope)) {
        Ok(slopes)
    } else {
        Err("slopes are degrees from 0, level, to 90, vertical".to_owned())
    }
}

/// Parses a number of tries.
pub(crate) fn tries(text: &str) -> Result<u32, String> {
    whole(text, 1..=u64::from(u32::MAX)).map(|n| n as u32)
}

/// Parses a number of points.
pub(crate) fn points(text: &str) -> Result<u64, String> {
    whole(text, 1..=u64::MAX)
}

/// Parses a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1..=1024).map(|n| n as usize)
}

/// Parses a number of levels of detail.
pub(crate) fn levels(text: &str) -> Result<u32, String> {
    whole(text, 1..=u64::from(sampler::ScatterOptions::MAX_LEVELS)).map(|n| n as u32)
}

/// Parses a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0..=u64::MAX)
}

fn whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    match text.trim().parse() {
        Ok(n) if range.contains(&n) => Ok(n),
        _ => Err(format!(
            "must be a whole number from {} to {}",
            range.start(),
            range.end()
        )),
    }
}

pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("'{text}' is not a number; write it with a decimal point, like 4.5"))
}

/// Formats two numbers as their flag is written, `LO..HI`.
pub(crate) fn ends([low, high]: [f64; 2]) -> String {
    format!("{}..{}", plain(low), plain(high))
}

/// Formats a size as its flag is written.
pub(crate) fn sides([width, height]: [f64; 2]) -> String {
    format!("{}x{}", plain(width), plain(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_origins() {
        assert_eq!(size("512x384"), Ok([512.0, 384.0]));
        assert_eq!(size("0.5X1e3"), Ok([0.5, 1000.0]));
        assert_eq!(origin("-5,3"), Ok([-5.0, 3.0]));
        assert_eq!(origin("-.5, 1e-3"), Ok([-0.5, 0.001]));
        for bad in ["", "512", "512x", "0x5", "5x-5", "infx1", "NaNx1", "1x2x3"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        for bad in ["", "5", "1,5,2", "inf,0", "0,nan", "a,b"] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pixels_are_whole() {
        assert_eq!(pixels("512x384"), Ok([512, 384]));
        for bad in [
            "",
            "5",
            "0x5",
            "5x-1",
            "1.5x2",
            "65536x65536",
            "99999999999x1",
        ] {
            assert!(pixels(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn spans() {
        assert_eq!(span("0.5..20"), Ok([0.5, 20.0]));
        assert_eq!(span("-1..-.5"), Ok([-1.0, -0.5]));
        assert_eq!(span("1e-3 .. 2"), Ok([0.001, 2.0]));
        assert_eq!(slopes("0..90"), Ok([0.0, 90.0]));
        assert!(slopes("-1..9").is_err() && slopes("0..91").is_err());
        for bad in [
            "", "5", "5..", "..5", "2..1", "0..inf", "nan..1", "1...2", "1-2",
        ] {
            assert!(span(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn distances_and_counts() {
        assert_eq!(distance("4.5"), Ok(4.5));
        for bad in [
            "0", "-0", "-3", "nan", "inf", "-inf", "1e999", "4,5", "", "4m",
        ] {
            assert!(distance(bad).is_err(), "{bad}");
        }
        assert_eq!(tries("30"), Ok(30));
        for bad in ["0", "-1", "1.5", "4294967296", ""] {
            assert!(tries(bad).is_err(), "{bad}");
        }
        assert_eq!(points("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(seed("0"), Ok(0));
        assert!(points("0").is_err() && seed("-1").is_err());
    }
}
