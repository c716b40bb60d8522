//! Reads SVG.

use super::Point;
use std::collections::BTreeMap;

/// Reads the circles of an SVG drawing by `export`.
///
/// # Panics
/// If a circle lacks an attribute, or the drawing's end is missing.
pub fn read_svg(bytes: &[u8]) -> Vec<Point> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    assert!(text.trim_end().ends_with("</svg>"), "the end is missing");
    text.split("<circle ").skip(1).map(circle).collect()
}

fn circle(text: &str) -> Point {
    let tag = text.split_once("/>").expect("a closed tag").0;
    let attributes: BTreeMap<&str, &str> = tag
        .split_whitespace()
        .map(|pair| {
            let (name, quoted) = pair.split_once('=').expect("an attribute");
            (name, quoted.trim_matches('"'))
        })
        .collect();
    let float = |name: &str| attributes[name].parse::<f64>().expect("a number");
    let small = |name: &str| attributes.get(name).map(|n| n.parse().expect("a u32"));
    assert!(float("r") >= 0.0);
    Point {
        id: attributes["id"]
            .strip_prefix('p')
            .and_then(|digits| digits.parse().ok())
            .expect("an id"),
        position: vec![float("cx"), float("cy")],
        min_dist: float("data-min-dist"),
        value: float("data-value"),
        parent: attributes
            .get("data-parent")
            .map(|digits| digits.parse().expect("a parent")),
        rank: small("data-rank"),
        layer: small("data-layer"),
    }
}
