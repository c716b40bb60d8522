//! Headings and value parsers shared by several subcommands.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use density::White;
use sampler::Rule;

pub(crate) const SPACING: &str = "Spacing";
pub(crate) const READING: &str = "How the map is read";
pub(crate) const WORLD: &str = "World";

pub(crate) fn whites() -> impl TypedValueParser<Value = White> {
    let about = |white| match white {
        White::Sparse => "White is --max-dist, black --min-dist",
        White::Dense => "White is --min-dist, black --max-dist",
    };
    choice(&White::ALL, White::name, about)
}

pub(crate) fn rules() -> impl TypedValueParser<Value = Rule> {
    let about = |rule| match rule {
        Rule::Max => "The larger of the two",
        Rule::Mean => "Their mean; follows the map's density most closely",
        Rule::Min => "The smaller of the two",
        Rule::Own => "The min_dist of the later point",
        Rule::Prior => "The min_dist of the earlier point",
        Rule::Parent => "The min_dist of the later point's parent (bridson only)",
    };
    choice(&Rule::ALL, Rule::name, about)
}

/// Returns a parser for `all` values of a library type, by `name`.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: impl Fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all
        .iter()
        .map(|&value| PossibleValue::new(name(value)).help(about(value)));
    PossibleValuesParser::new(values).try_map(move |text| {
        let found = all.iter().find(|&&value| name(value) == text);
        found.copied().ok_or("not among the possible values")
    })
}
