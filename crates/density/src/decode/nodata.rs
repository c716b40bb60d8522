//! The level that a file calls "no data".

/// A level that stands for no level at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NoData {
    /// As the text says it.
    double: f64,
    /// What a single-precision file holds for it.
    single: f64,
}

/// From here on nothing is measured. Programs write the lowest single-precision number with as
/// few as six digits, so that no pixel equals it.
const ABSURD: f64 = 3.402e38;

impl NoData {
    /// From the text of a tag or header; `None` when it is not a number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let lower = text.to_ascii_lowercase();
        // As the C library of Windows writes them.
        let is_nan = lower.contains("nan") || lower.contains("#ind");
        let double: f64 = if is_nan { f64::NAN } else { text.parse().ok()? };
        Some(Self {
            double,
            single: f64::from(double as f32),
        })
    }

    /// Whether `level` is it.
    #[inline]
    pub(super) fn is(self, level: f64) -> bool {
        let absurd = self.double.abs() >= ABSURD
            && level.abs() >= ABSURD
            && level.is_sign_negative() == self.double.is_sign_negative();
        level == self.double || level == self.single || absurd
    }

    /// What a pixel holds that is not there.
    pub(super) fn level(self) -> f64 {
        self.double
    }
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
