//! Numbers for people: in messages, not in files of points.

/// A number in as few characters as say it exactly.
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

/// A number to about four digits.
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

/// A level of a file in no more digits than its type needs: 0.1 as `f32` is `0.1`.
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
