//! The command line that produces the same file.

use crate::settings::{Algorithm, LayerSettings, Settings};
use density::numbers::plain;

/// Returns the command line that makes the file of points from the saved map or species file. `only` is
/// the layer, if there is just one; `is_placed` says whether its map's file states a place.
pub(crate) fn command(
    settings: &Settings,
    only: Option<&LayerSettings>,
    is_placed: bool,
) -> String {
    let Settings {
        rule,
        seed,
        count,
        size,
        tile,
        y_up,
        algorithm,
        tries,
        names,
    } = settings;
    let flag = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
    let on = |name: &str, is_on: bool| is_on.then(|| name.to_owned());
    let mut words = vec![Some("spinney sample".to_owned())];
    if let Some(layer) = only {
        words.extend([
            Some(quoted(&names.map)),
            flag("--min-dist", layer.min_dist.map(plain)),
            flag("--max-dist", layer.max_dist.map(plain)),
            flag("--white", layer.white.clone()),
            flag("--map", layer.map.clone()),
            flag("--limit", layer.limit.map(plain)),
            flag("--limit-keep", layer.limit_keep.clone()),
            // A world file beside the map gives the saved map the same place.
            on("--pixels", is_placed && size.is_none()),
            flag(
                "--size",
                size.map(|[w, h]| format!("{}x{}", plain(w), plain(h))),
            ),
            flag("--rule", rule.clone()),
        ]);
    } else {
        // The species file holds size and rule.
        words.push(flag("--species", Some(quoted(&names.species))));
    }
    let bridson = (*algorithm == Algorithm::Bridson).then(|| algorithm.name().to_owned());
    words.extend([
        flag("--seed", (*seed != 0).then(|| seed.to_string())),
        flag("--count", count.map(|n| n.to_string())),
        on("--tile", *tile),
        on("--y-up", *y_up),
        flag("--algorithm", bridson),
        flag("--tries", tries.map(|n| n.to_string())),
        flag("-o", Some(quoted(&names.output))),
    ]);
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Quotes a word for shells, if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '=');
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells() {
        assert_eq!(quoted("points.csv"), "points.csv");
        assert_eq!(quoted("my points.csv"), "'my points.csv'");
        assert_eq!(quoted("it's.csv"), "'it'\\''s.csv'");
    }
}
