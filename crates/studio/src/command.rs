//! The command line that produces the same file.

use crate::settings::{Algorithm, LayerSettings, Settings};
use density::numbers::plain;
use std::borrow::Cow;

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
    let mut words = vec!["spinney".to_owned(), "sample".to_owned()];
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), value]);
        }
    };
    if let Some(layer) = only {
        flag(&quoted(&names.map), Some(String::new()));
        layer_flags(layer, &mut flag);
        let size = size.map(|[w, h]| format!("{}x{}", plain(w), plain(h)));
        // A world file beside the map gives the saved map the same place.
        let pixels = is_placed && size.is_none();
        flag("--pixels", pixels.then(String::new));
        flag("--size", size);
        flag("--rule", rule.clone());
    } else {
        // The species file holds size and rule.
        flag("--species", Some(quoted(&names.species).into_owned()));
    }
    flag("--seed", (*seed != 0).then(|| seed.to_string()));
    flag("--count", count.map(|n| n.to_string()));
    let on = |switch: &bool| switch.then(String::new);
    flag("--tile", on(tile));
    flag("--y-up", on(y_up));
    let bridson = *algorithm == Algorithm::Bridson;
    flag("--algorithm", bridson.then(|| algorithm.name().to_owned()));
    flag("--tries", tries.map(|n| n.to_string()));
    flag("-o", Some(quoted(&names.output).into_owned()));
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

fn layer_flags(layer: &LayerSettings, flag: &mut impl FnMut(&str, Option<String>)) {
    flag("--min-dist", layer.min_dist.map(plain));
    flag("--max-dist", layer.max_dist.map(plain));
    flag("--white", layer.white.clone());
    flag("--map", layer.map.clone());
    flag("--limit", layer.limit.map(plain));
    flag("--limit-keep", layer.limit_keep.clone());
}

/// Quotes a word for shells, if necessary.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '=');
    if word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
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
