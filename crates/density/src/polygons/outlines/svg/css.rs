//! Splits CSS into pieces, to find what `simplecss` ignores.

use simplecss::{DeclarationTokenizer, Selector};
use std::collections::BTreeSet;

/// A declaration, its name in lower case.
pub(super) struct Declaration<'t> {
    pub(super) name: String,
    pub(super) value: &'t str,
    pub(super) is_important: bool,
    /// Whether `simplecss`, and so `usvg`, reads the same declaration.
    pub(super) is_read: bool,
}

/// At-rules that do not affect shapes: fonts, pages of paper, and steps of animations (which only
/// take effect where a property names them).
const HARMLESS: [&str; 5] = ["charset", "font-face", "keyframes", "namespace", "page"];

/// Returns the declarations of a `style` attribute or of a rule's block.
pub(super) fn declarations(block: &str) -> Vec<Declaration<'_>> {
    let read: BTreeSet<_> = DeclarationTokenizer::from(block)
        .map(|d| (d.name, d.value))
        .collect();
    let mut all = Vec::new();
    let mut rest = block;
    while !rest.is_empty() {
        let (one, after) = cut(rest, b";").unwrap_or((rest, ""));
        rest = after;
        let Some((name, value)) = skip_comments(one).split_once(':') else {
            continue;
        };
        let (name, value) = (skip_comments_behind(name), skip_comments(value));
        let is_important = |text: &str| text.trim().eq_ignore_ascii_case("important");
        let (value, is_important) = match value.rsplit_once('!') {
            Some((value, word)) if is_important(word) => (value, true),
            _ => (value, false),
        };
        let value = skip_comments_behind(value);
        all.push(Declaration {
            name: name.to_ascii_lowercase(),
            value,
            is_important,
            is_read: value.is_empty()
                || (read.contains(&(name, value))
                    && !name.contains(|c: char| c.is_uppercase() || c == '\\')),
        });
    }
    all
}

/// Checks a style sheet for anything that `simplecss` ignores: at-rules and selectors that it does
/// not support, and declarations of properties for which `affects_shape` returns `true`.
pub(super) fn check_sheet(sheet: &str, affects_shape: fn(&str) -> bool) -> Result<(), String> {
    let mut rest = skip_comments(sheet);
    while !rest.is_empty() {
        if let Some(rule) = rest.strip_prefix('@') {
            let end = rule.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            let name = rule[..end.unwrap_or(rule.len())].to_ascii_lowercase();
            let plain = name.strip_prefix("-webkit-").unwrap_or(&name);
            if !HARMLESS.contains(&plain) {
                return Err(format!("@{name}"));
            }
            rest = skip_comments(after_statement(rule));
            continue;
        }
        let (selectors, after) = cut(rest, b"{").ok_or_else(|| quoted(rest))?;
        for selector in selectors.split(',') {
            let selector = selector.trim();
            if selector.contains("/*")
                || selector.contains('\\')
                || Selector::parse(selector).is_none()
            {
                return Err(format!("the selector {}", quoted(selector)));
            }
        }
        let (block, after) = cut(after, b"}").ok_or_else(|| quoted(after))?;
        if block.contains('{') {
            return Err(format!("nested rules in {}", quoted(selectors)));
        }
        let unread = |d: &Declaration| !d.is_read && affects_shape(&d.name);
        if let Some(Declaration { name, value, .. }) =
            declarations(block).iter().find(|d| unread(d))
        {
            return Err(format!("{name}: {}", quoted(value)));
        }
        rest = skip_comments(after);
    }
    Ok(())
}

/// Returns `true` if CSS and the attribute `transform` read a list of transforms alike. It must
/// have commas between numbers, and no lengths or angles but 0: in CSS these need units.
pub(super) fn is_transform(value: &str) -> bool {
    let is_number = |text: &&str| !text.ends_with('.') && text.parse::<f64>().is_ok();
    let mut parts = value.trim().split(')').map(str::trim);
    let functions = parts.by_ref().take_while(|part| !part.is_empty());
    let plain = functions.map(|part| {
        let (name, numbers) = part.split_once('(')?;
        let numbers: Vec<&str> = numbers.split(',').map(str::trim).collect();
        let is_zero = numbers.iter().all(|text| text.parse() == Ok(0.0));
        let fits = match (name, numbers.len()) {
            ("matrix", 6) | ("scale", 1 | 2) => true,
            ("translate", 1 | 2) | ("rotate" | "skewX" | "skewY", 1) => is_zero,
            _ => false,
        };
        (fits && numbers.iter().all(is_number)).then_some(())
    });
    value == "none" || (!value.is_empty() && plain.collect::<Option<()>>().is_some())
}

/// Returns the text after an at-rule: after its semicolon or its block, with all nested blocks.
fn after_statement(rule: &str) -> &str {
    let Some((head, mut rest)) = cut(rule, b";{") else {
        return "";
    };
    let mut depth = usize::from(rule.as_bytes().get(head.len()) == Some(&b'{'));
    while depth > 0 {
        let Some((part, after)) = cut(rest, b"{}") else {
            return "";
        };
        if rest.as_bytes().get(part.len()) == Some(&b'{') {
            depth += 1;
        } else {
            depth -= 1;
        }
        rest = after;
    }
    rest
}

/// Cuts at the first of some ASCII characters outside comments, strings and parentheses.
fn cut<'t>(text: &'t str, ends: &[u8]) -> Option<(&'t str, &'t str)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        let byte = bytes[at];
        if depth == 0 && ends.contains(&byte) {
            return Some((&text[..at], &text[at + 1..]));
        }
        at = match byte {
            b'"' | b'\'' => after_unescaped(bytes, at + 1, byte)?,
            b'\\' => at + 2,
            // An unquoted address contains neither strings nor comments.
            b'(' if is_bare_url(text, at) => after_unescaped(bytes, at + 1, b')')?,
            b'(' => {
                depth += 1;
                at + 1
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => at + 4 + text[at + 2..].find("*/")?,
            _ => at + 1,
        };
    }
    None
}

/// Returns the position after the first unescaped `end` from `at` on.
fn after_unescaped(bytes: &[u8], mut at: usize, end: u8) -> Option<usize> {
    while *bytes.get(at)? != end {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at + 1)
}

/// Returns `true` if the parenthesis at `at` begins an address without quotes.
fn is_bare_url(text: &str, at: usize) -> bool {
    let word = at.checked_sub(3).and_then(|start| text.get(start..at));
    word.is_some_and(|word| word.eq_ignore_ascii_case("url"))
        && !text[at + 1..].trim_start().starts_with(['"', '\''])
}

fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((_, after)) = rest.strip_prefix("/*").and_then(|c| c.split_once("*/")) {
        rest = after.trim_start();
    }
    rest
}

fn skip_comments_behind(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((before, _)) = rest.strip_suffix("*/").and_then(|c| c.rsplit_once("/*")) {
        rest = before.trim_end();
    }
    rest
}

/// Returns a piece of text in quotes, cut to at most 40 characters.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.trim().chars().take(40).collect();
    if short.len() < text.trim().len() {
        short.push_str("..");
    }
    format!("{short:?}")
}
