//! Formats numbers for messages, not for files of points.

/// Formats a number exactly, in as few characters as possible.
///
/// ```
/// use spinney_density::numbers::plain;
///
/// assert_eq!(plain(0.1), "0.1");
/// assert_eq!(plain(2e15), "2e15");
/// ```
pub fn plain(value: f64) -> String {
    if value == 0.0 || (1e-4..1e15).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// Formats a number to about four digits.
///
/// ```
/// use spinney_density::numbers::short;
///
/// assert_eq!(short(17.066_666), "17.067");
/// assert_eq!(short(123_456.7), "123457");
/// assert_eq!(short(1.23456e-13), "1.235e-13");
/// ```
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 1000.0 {
        return plain(value.round());
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if size < 1e-9 {
        return plain(format!("{value:.3e}").parse().unwrap_or(value));
    }
    let mut decimals = 3;
    let mut unit = 1.0;
    while size < unit {
        (decimals, unit) = (decimals + 1, unit / 10.0);
    }
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a level, a raw number of a file, in no more digits than its type needs: 0.1 as `f32` is
/// `0.1`.
///
/// ```
/// use spinney_density::numbers::level;
///
/// assert_eq!(level(f64::from(0.1_f32)), "0.1");
/// ```
pub fn level(level: f64) -> String {
    let single = level as f32;
    let usual = level == 0.0 || (1e-4..1e15).contains(&level.abs());
    match (f64::from(single) == level, usual) {
        (true, true) => single.to_string(),
        (true, false) => format!("{single:e}"),
        (false, true) => level.to_string(),
        (false, false) => format!("{level:e}"),
    }
}

/// Formats a whole number with commas at the thousands.
///
/// ```
/// use spinney_density::numbers::grouped;
///
/// assert_eq!([999, 1_234_567].map(grouped), ["999", "1,234,567"]);
/// ```
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats an expected count: whole and grouped below 1e12, otherwise as a power of ten.
///
/// ```
/// use spinney_density::numbers::about;
///
/// assert_eq!([1234.5, 1e300].map(about), ["1,235", "1.0e300"]);
/// ```
pub fn about(value: f64) -> String {
    if value < 1e12 {
        grouped(value.round() as u64)
    } else {
        format!("{value:.1e}")
    }
}

/// Formats a number of bytes in MB or GB, or as a power of ten from 1e15 on.
///
/// ```
/// use spinney_density::numbers::bytes;
///
/// assert_eq!([5e6, 5e9].map(bytes), ["5.0 MB", "5.0 GB"]);
/// ```
pub fn bytes(value: f64) -> String {
    if value < 9.995e5 {
        format!("{:.0} kB", value / 1e3)
    } else if value < 1e7 {
        format!("{:.1} MB", value / 1e6)
    } else if value < 1e9 {
        format!("{:.0} MB", value / 1e6)
    } else if value < 1e15 {
        format!("{:.1} GB", value / 1e9)
    } else {
        format!("{value:.1e} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_can_read_them() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(5812), "5,812");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(plain(4.0), "4");
        assert_eq!(plain(0.25), "0.25");
        assert_eq!(short(4.029_297_3), "4.029");
        assert_eq!(short(24.0), "24");
        assert_eq!(short(0.001_234_56), "0.001235");
        assert_eq!(short(12_345.6), "12346");
        assert_eq!(short(0.0), "0");
        assert_eq!(plain(1e300), "1e300");
        assert_eq!(about(99_999.6), "100,000");
        assert_eq!(about(6.15e17), "6.2e17");
        assert_eq!(bytes(2.5e10), "25.0 GB");
    }
}
