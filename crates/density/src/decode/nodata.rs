//! Numbers that mean "no level".

use super::raster::Raster;
use crate::per_pixel::places;

/// A number that means "no level", as a file stores it: before scaling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoData {
    /// The number as written.
    double: f64,
    /// The nearest `f32`, which a single-precision file holds instead.
    single: f64,
}

/// No measurement is as large as this. Programs write the lowest single-precision number with as few as two digits, so
/// that no pixel equals it exactly.
const ABSURD: f64 = 3.39e38;

impl NoData {
    /// Parses the text of a tag, header or flag; `None` if it is not a number.
    ///
    /// ```
    /// use spinney_density::decode::NoData;
    ///
    /// assert_eq!(NoData::parse("-9999.0"), NoData::parse("-9999"));
    /// assert_eq!(NoData::parse("none"), None);
    /// assert_eq!(NoData::parse("banana"), None);
    /// assert!(NoData::parse("-nan(ind)").is_some() && NoData::parse("-1.#IND").is_some());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let lower = text.to_ascii_lowercase();
        let unsigned = lower.trim_start_matches(['+', '-']);
        // The C libraries of Windows write nan(ind), 1.#IND and 1.#QNAN.
        let is_nan = unsigned == "nan"
            || (unsigned.starts_with("nan(") && unsigned.ends_with(')'))
            || ["1.#ind", "1.#qnan", "1.#snan"]
                .iter()
                .any(|name| unsigned.starts_with(name));
        let double: f64 = if is_nan { f64::NAN } else { text.parse().ok()? };
        Some(Self::new(double))
    }

    /// Creates it from a number; for single-precision files, from the nearest `f32` as well.
    pub fn new(number: f64) -> Self {
        Self {
            double: number,
            single: f64::from(number as f32),
        }
    }

    /// Returns `true` if a pixel that holds `level` has no level. Always `false` for NaN, which is no level anyway.
    #[inline]
    pub(super) fn is(self, level: f64) -> bool {
        let absurd = self.double.abs() >= ABSURD
            && level.abs() >= ABSURD
            && level.is_sign_negative() == self.double.is_sign_negative();
        level == self.double || level == self.single || absurd
    }

    /// Returns the number itself.
    pub fn level(self) -> f64 {
        self.double
    }
}

/// Numbers that programs write for "no data": SRTM, ESRI, GDAL and others.
const USUAL: [f64; 3] = [-32768.0, -9999.0, -99999.0];

impl Raster {
    /// Returns the raster without the levels that are stored as `none`.
    pub(super) fn without(mut self, none: Option<NoData>) -> Self {
        let Some(none) = none else { return self };
        for (x, y) in places(self.size()) {
            if self.number_at(x, y).is_some_and(|number| none.is(number)) {
                self.forbid(x, y);
            }
        }
        self
    }
}

/// Returns `true` if programs use `end` for "no data". `end` is the least or greatest number of an image, whose least
/// number is `least`.
pub(super) fn is_void(end: f64, least: f64) -> bool {
    let usual = USUAL.contains(&end) && end == least;
    end.is_finite() && (usual || end.abs() >= ABSURD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_however_it_is_written() {
        let is = |text: &str, level: f64| NoData::parse(text).expect("a number").is(level);
        assert!(is("-9999\0", -9999.0) && is(" -9999.0 ", -9999.0));
        assert!(!is("-9999", 9999.0));
        assert!(is("0.1", f64::from(0.1f32)) && is("0.1", 0.1));
        let lowest = f64::from(f32::MIN);
        for text in [
            "-3.4028234663852886e+38",
            "-3.40282e+38",
            "-3.40282346639e+38",
        ] {
            assert!(is(text, lowest), "{text}");
            assert!(!is(text, -lowest) && !is(text, -1e37), "{text}");
        }
        assert!(!is("nan", 0.0) && !is("-1.#IND", 0.0), "NaN is none anyway");
        assert_eq!(NoData::parse("none"), None);
        assert_eq!(NoData::parse(""), None);
    }
}
