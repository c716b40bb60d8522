//! Checks a drawing strictly before `usvg` reads it.
//!
//! `usvg` ignores properties, units, selectors and text that it does not support. Anything that
//! could change which places are filled is therefore refused here by name, or counted if it has no
//! outline anyway. The reference is how a browser reads the drawing (SVG 2, CSS 2.1).

use super::css::{self, Declaration};
use super::{APPLY, is_svg, malformed, page, place, unsupported};
use crate::diagnostic::{Diagnostic, DrawingPart};
use crate::polygons::OutlineError;
use simplecss::{AttributeOperator, PseudoClass, StyleSheet};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use svgtypes::{
    AspectRatio, Color, FuncIRI, Length, LengthUnit, NumberListParser, Paint, PathParser,
    PathSegment, SimplePathSegment as Segment, SimplifyingPathParser, Transform, TransformOrigin,
    ViewBox,
};
use usvg::roxmltree::{Document, Node};

/// Greatest depth of nested elements, copies included: `usvg` and the cascade recurse, in builds without optimisation
/// with up to 9 kB of stack for each, and a thread may have 1 MB.
const MOST_NESTED: usize = 96;

/// Greatest number of steps to find the rules of all elements.
const MOST_STEPS: u64 = 3_000_000_000;

/// Greatest length of a chain of gradient templates.
const MOST_TEMPLATES: usize = 100;

/// Greatest absolute value of a number: larger ones are useless as 32-bit floats.
const MOST: f64 = 1e15;

/// Result of the check: the parts that are drawn but have no outline.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) notes: Vec<Diagnostic>,
    /// Number of texts, pictures and foreign objects.
    pub(super) without_outline: usize,
    /// Whether `usvg` draws a page-sized rectangle first.
    pub(super) background: bool,
}

/// The place where a property is set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Attribute,
    Css,
}

struct Checker<'d, 'i> {
    sheet: StyleSheet<'d>,
    /// The element with each id; `None` if several have it.
    ids: BTreeMap<&'d str, Option<Node<'d, 'i>>>,
    /// Number of elements of each kind that is warned about.
    counts: BTreeMap<DrawingPart, usize>,
    background: bool,
    /// Whether there is a page that percentages can refer to.
    has_page: bool,
    /// Whether lengths depend on font sizes.
    has_em: bool,
    /// Properties that any declaration sets with `!important`.
    important: BTreeSet<String>,
    /// The `svg` and `use` elements that contain another `svg` or `use`, by node number.
    holders: BTreeSet<usize>,
}

/// Checks every element.
///
/// # Errors
/// If the drawing uses anything that `usvg` would ignore, or that would change which places are
/// filled in a way that rings cannot represent.
pub(super) fn check(document: &Document<'_>) -> Result<Seen, OutlineError> {
    let root = document.root_element();
    // Browsers add default attributes from an ATTLIST; this parser does not.
    if document.input_text()[..root.range().start].contains("ATTLIST") {
        let what = "ATTLIST in the document type".to_owned();
        return Err(unsupported(what, "remove the document type"));
    }
    for node in document.root().children().filter(Node::is_pi) {
        if node.pi().is_some_and(|pi| pi.target == "xml-stylesheet") {
            return Err(refused(&node, "the external style sheet", ATTRIBUTES));
        }
    }
    let mut ids = BTreeMap::new();
    for node in root.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id)
                .and_modify(|e| *e = None)
                .or_insert(Some(node));
        }
    }
    let sheet = sheets(&root)?;
    let mut checker = Checker {
        important: important(&root, &sheet),
        has_em: root.descendants().filter(is_svg).any(|node| uses_em(&node)),
        sheet,
        ids,
        counts: BTreeMap::new(),
        background: false,
        holders: BTreeSet::new(),
        has_page: page::is_named(&root),
    };
    let elements = root.descendants().count() as u64;
    checker.check_cost(elements, checker.depth(root)?)?;
    let is_view = |node: &Node<'_, '_>| matches!(node.tag_name().name(), "svg" | "use");
    for inner in root.descendants().filter(is_view) {
        let outer = inner.ancestors().skip(1).filter(is_view);
        let outer = outer.map(|node| node.id().get_usize());
        checker.holders.extend(outer);
    }
    let mut todo = vec![(root, true)];
    while let Some((node, shown)) = todo.pop() {
        let shown = checker.element(&node, shown)?;
        let inner = node.children().rev().filter(is_svg);
        todo.extend(inner.map(|child| (child, shown)));
    }
    Ok(checker.seen())
}

/// Returns the properties that a drawing sets with `!important` anywhere.
fn important(root: &Node<'_, '_>, sheet: &StyleSheet<'_>) -> BTreeSet<String> {
    let rules = sheet.rules.iter().flat_map(|rule| &rule.declarations);
    let in_sheet = rules.filter(|d| d.important);
    let mut all: BTreeSet<_> = in_sheet.map(|d| d.name.to_ascii_lowercase()).collect();
    let styles = root
        .descendants()
        .filter_map(|node| node.attribute("style"));
    for style in styles.filter(|style| style.contains('!')) {
        let declared = css::declarations(style).into_iter();
        all.extend(declared.filter(|d| d.is_important).map(|d| d.name));
    }
    all
}

/// Returns `true` if an element has a length in `em`.
fn uses_em(node: &Node<'_, '_>) -> bool {
    let lengths = node
        .attributes()
        .filter(|a| GEOMETRY.contains(&a.name()) || matches!(a.name(), "fx" | "fy" | "fr"));
    let mut read = lengths.filter_map(|a| Length::from_str(a.value()).ok());
    read.any(|length| length.unit == LengthUnit::Em)
}

/// Attributes that are lengths of a shape or a viewport.
const GEOMETRY: [&str; 9] = ["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"];

const ATTRIBUTES: &str =
    "export with presentation attributes or inline styles instead of style sheets";

/// Returns all style sheets of a drawing, as `usvg` finds them.
fn sheets<'d>(root: &Node<'d, '_>) -> Result<StyleSheet<'d>, OutlineError> {
    let mut sheet = StyleSheet::new();
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "style" => {}
            "link" if node.attribute("rel") == Some("stylesheet") => {
                return Err(refused(&node, "the external style sheet", ATTRIBUTES));
            }
            _ => continue,
        }
        let all = |text: &str| matches!(text.trim(), "" | "all" | "screen");
        let plain = node.attribute("type").is_none_or(|text| text == "text/css")
            && node.attribute("media").is_none_or(all)
            && node.attribute("title").is_none();
        let texts = node.children().filter(Node::is_text).count();
        let first = node.first_child().is_none_or(|child| child.is_text());
        if !(plain && texts <= 1 && (first || texts == 0)) {
            let what = "a style sheet with its own type, medium, title or comments";
            return Err(refused(&node, what, ATTRIBUTES));
        }
        let text = node.text().unwrap_or_default();
        css::check_sheet(text, affects_shape)
            .map_err(|what| refused(&node, &format!("{what} in the style sheet"), ATTRIBUTES))?;
        sheet.parse_more(text);
    }
    Ok(sheet)
}

impl<'d, 'i> Checker<'d, 'i> {
    /// Returns the number of elements inside each other, with copies in the place of each `use`.
    fn depth(&self, root: Node<'d, 'i>) -> Result<u64, OutlineError> {
        let copied = |node: &Node<'d, 'i>| {
            let id = href(node).filter(|_| node.tag_name().name() == "use")?;
            *self.ids.get(&*id)?
        };
        let elements = root.descendants().filter(is_svg);
        let elements: Vec<_> = elements.map(|node| (node, copied(&node))).collect();
        let number = |node: &Node<'_, '_>| node.id().get_usize();
        let last = elements.last().map_or(0, |(node, _)| number(node));
        // By node number. Those of elements that are copied further up are known one round later.
        let mut depths = vec![0; last + 1];
        loop {
            let mut is_known = true;
            for (node, copied) in elements.iter().rev() {
                let inner = node.children().filter(is_svg).chain(*copied);
                let inner = inner.filter_map(|node| depths.get(number(&node)));
                let depth = 1 + inner.max().unwrap_or(&0);
                if depth > MOST_NESTED {
                    let what = format!(
                        "more than {MOST_NESTED} nested elements, or a copy that contains itself, inside"
                    );
                    return Err(refused(node, &what, "ungroup them"));
                }
                is_known &= depths[number(node)] == depth;
                depths[number(node)] = depth;
            }
            if is_known {
                return Ok(depths[number(&root)] as u64);
            }
        }
    }

    /// Refuses style sheets that would take too long to apply.
    fn check_cost(&self, elements: u64, deepest: u64) -> Result<(), OutlineError> {
        let steps = self.sheet.rules.iter().fold(0_u64, |sum, rule| {
            let text = rule.selector.to_string();
            let ways = text.matches(' ').count().try_into().unwrap_or(u32::MAX);
            sum.saturating_add(deepest.saturating_pow(ways).saturating_mul(elements))
        });
        if steps > MOST_STEPS {
            let what = "a style sheet with too many or too long selectors".to_owned();
            return Err(unsupported(what, ATTRIBUTES));
        }
        Ok(())
    }

    fn seen(self) -> Seen {
        use DrawingPart::{ForeignObject, Picture, Text};
        let shapeless = [Text, Picture, ForeignObject];
        let shapeless = shapeless.iter().filter_map(|part| self.counts.get(part));
        Seen {
            without_outline: shapeless.sum(),
            background: self.background,
            notes: self
                .counts
                .into_iter()
                .map(|(part, count)| Diagnostic::LeftOut { part, count })
                .collect(),
        }
    }

    /// Checks an element. Returns `true` if its children may be drawn.
    fn element(&mut self, node: &Node<'d, 'i>, shown: bool) -> Result<bool, OutlineError> {
        let mut displayed = true;
        let mut overflows = Vec::new();
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            match attribute.namespace() {
                None => {}
                Some("http://www.w3.org/1999/xlink") if name == "href" => {}
                _ => continue,
            }
            self.property(node, name, value, Source::Attribute)?;
            self.attribute(node, name, value)?;
            if name == "display" {
                displayed = value != "none";
            }
            if name == "overflow" {
                overflows.push(value);
            }
        }
        let rules = self.sheet.rules.iter();
        let matched = rules.filter(|rule| rule.selector.matches(&Element(*node)));
        let mut declared: Vec<(String, &str, bool)> = matched
            .flat_map(|rule| &rule.declarations)
            .map(|d| (d.name.to_owned(), d.value, d.important))
            .collect();
        let own = css::declarations(node.attribute("style").unwrap_or_default());
        for Declaration {
            name,
            value,
            is_important,
            is_read,
        } in own
        {
            if !is_read && affects_shape(&name) {
                return Err(unknown(node, &name, value));
            }
            declared.push((name, value, is_important));
        }
        let mut important = BTreeMap::new();
        for (name, value, is_important) in declared {
            self.property(node, &name, value, Source::Css)?;
            match &*name {
                "display" => displayed = value != "none",
                "overflow" => overflows.push(value),
                _ => {}
            }
            // Browsers apply the last important value, and `usvg` the first.
            let decides = is_important && (affects_shape(&name) || name == "font-size");
            if decides && *important.entry(name.clone()).or_insert(value) != value {
                let what = format!("{name}: several !important values");
                return Err(refused(node, &what, "keep one of them"));
            }
        }
        self.viewport(node, &overflows)?;
        check_switch(node)?;
        let shown = shown && displayed;
        let part = match node.tag_name().name() {
            "text" | "tspan" | "use" if is_within(node, "clipPath") => {
                return Err(refused(
                    node,
                    "a clip path",
                    "turn text and copies into paths",
                ));
            }
            "text" => DrawingPart::Text,
            "image" => DrawingPart::Picture,
            "foreignObject" if node.attribute("requiredExtensions").is_none() => {
                DrawingPart::ForeignObject
            }
            "script" => DrawingPart::Script,
            "animate" | "animateColor" | "animateMotion" | "animateTransform" | "set" => {
                DrawingPart::Animation
            }
            _ => return Ok(shown),
        };
        if shown {
            self.count(part);
        }
        Ok(shown)
    }

    fn count(&mut self, part: DrawingPart) {
        *self.counts.entry(part).or_default() += 1;
    }
}

/// Properties that decide whether and where a shape is filled.
const SHAPE_PROPERTIES: [&str; 23] = [
    "background-color",
    "clip",
    "clip-path",
    "clip-rule",
    "color",
    "display",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "marker",
    "marker-end",
    "marker-mid",
    "marker-start",
    "opacity",
    "overflow",
    "stop-color",
    "stop-opacity",
    "stroke",
    "transform",
    "transform-box",
    "transform-origin",
    "visibility",
];

/// Properties that affect shapes only where CSS sets them, and that `usvg` does not read there.
const CSS_SHAPE_PROPERTIES: [&str; 21] = [
    "all",
    "animation",
    "animation-name",
    "content-visibility",
    "cx",
    "cy",
    "d",
    "height",
    "offset",
    "offset-path",
    "perspective",
    "r",
    "rotate",
    "rx",
    "ry",
    "scale",
    "translate",
    "width",
    "x",
    "y",
    "zoom",
];

fn affects_shape(name: &str) -> bool {
    // A name with an escape may be any name.
    SHAPE_PROPERTIES.contains(&name)
        || CSS_SHAPE_PROPERTIES.contains(&name)
        || is_mask(name)
        || name.contains('\\')
}

fn is_mask(name: &str) -> bool {
    let plain = name.strip_prefix("-webkit-").unwrap_or(name);
    let is_prefixed = plain != name && matches!(plain, "clip-path" | "transform");
    is_prefixed || (plain.starts_with("mask") && plain != "mask-type")
}

impl<'d> Checker<'d, '_> {
    /// Checks that `usvg` reads a property's value as a browser does.
    fn property(
        &mut self,
        node: &Node<'d, '_>,
        name: &str,
        value: &str,
        source: Source,
    ) -> Result<(), OutlineError> {
        let inherits = value == "inherit";
        let keyword = |words: &[&str]| words.contains(&value);
        let is_root = node.parent_element().is_none();
        let is_symbol = node.tag_name().name() == "symbol";
        let good = match name {
            // `usvg` makes an inherited value as important as its source.
            _ if inherits && affects_shape(name) && self.important.contains(name) => false,
            "transform" | "display" if is_symbol => false,
            "fill" | "stroke" => match Paint::from_str(value) {
                Ok(Paint::FuncIRI(id, _)) => return self.paint(node, name, id),
                Ok(_) => true,
                // A stroke encloses nothing, whatever its value.
                Err(_) => name == "stroke",
            },
            "color" | "stop-color" => {
                inherits || value == "currentColor" || Color::from_str(value).is_ok()
            }
            "opacity" | "fill-opacity" | "stop-opacity" => {
                let unit = Length::from_str(value).map(|length| length.unit);
                inherits || matches!(unit, Ok(LengthUnit::None | LengthUnit::Percent))
            }
            "display" => {
                value != "contents" && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
            }
            "visibility" => inherits || keyword(&["visible", "hidden", "collapse"]),
            "fill-rule" | "clip-rule" => inherits || keyword(&["nonzero", "evenodd"]),
            "transform" if is_root => keyword(&["", "none"]),
            "transform" if source == Source::Css && !css::is_transform(value) => false,
            "transform" => {
                let read = Transform::from_str(value).map(|t| [t.a, t.b, t.c, t.d, t.e, t.f]);
                keyword(&["none"]) || read.is_ok_and(|all| all.iter().all(|&x| is_small(x)))
            }
            "transform-origin" => {
                let good = |length: Length| match length.unit {
                    LengthUnit::None => source == Source::Attribute || length.number == 0.0,
                    LengthUnit::Percent => self.has_page && !is_in_scaled_symbol(node),
                    LengthUnit::Em | LengthUnit::Ex => false,
                    _ => true,
                };
                let read = TransformOrigin::from_str(value);
                let all = read.map(|origin| [origin.x_offset, origin.y_offset, origin.z_offset]);
                !value.contains(',') && all.is_ok_and(|all| all.into_iter().all(good))
            }
            "transform-box" => keyword(&["view-box"]),
            "clip-path" if value != "none" => return self.clip(node, value),
            "clip" => keyword(&["auto"]),
            "filter" | "marker" | "marker-start" | "marker-mid" | "marker-end" => {
                keyword(&["none"])
            }
            "background-color" if is_root => {
                self.background |= matches!(Paint::from_str(value), Ok(Paint::Color(_)));
                true
            }
            "animation" | "animation-name" if source == Source::Css => {
                if value != "none" {
                    self.count(DrawingPart::Animation);
                }
                true
            }
            // The attributes define the page, whatever size it is scaled to on a screen.
            "width" | "height" if is_root && source == Source::Css => {
                node.has_attribute("viewBox") && (value.ends_with('%') || value == "auto")
            }
            "all" if source == Source::Css => false,
            "overflow-x" | "overflow-y" => source == Source::Attribute,
            _ if self.has_em && name.eq_ignore_ascii_case("font") => source == Source::Attribute,
            _ if self.has_em && name.eq_ignore_ascii_case("font-size") => {
                name == "font-size" && is_font_size(value, source)
            }
            _ if is_mask(name) => keyword(&["none", "initial"]),
            _ if source == Source::Css && CSS_SHAPE_PROPERTIES.contains(&name) => {
                keyword(&["none", "auto", "normal", "visible", "initial"])
            }
            _ => true,
        };
        if good {
            return Ok(());
        }
        Err(unknown(node, name, value))
    }

    /// Checks attributes that are no properties: sizes, paths, references, conditions.
    fn attribute(&self, node: &Node<'d, '_>, name: &str, value: &str) -> Result<(), OutlineError> {
        let element = node.tag_name().name();
        let has_size = matches!(
            element,
            "svg" | "rect" | "circle" | "ellipse" | "use" | "symbol"
        );
        let unreadable = |problem: &dyn std::fmt::Display| {
            malformed(format!("<{element}> at {}: {name}: {problem}", place(node)))
        };
        let too_large = || unreadable(&format!("has a number beyond {MOST:e}"));
        match name {
            "x" | "y" | "width" | "height" if element == "symbol" => {
                let advice = "give them to its copies";
                return Err(refused(
                    node,
                    &format!("{name}: {}", css::quoted(value)),
                    advice,
                ));
            }
            _ if has_size && GEOMETRY.contains(&name) => {
                if value == "auto" && !matches!(name, "x" | "y" | "cx" | "cy" | "r") {
                    return Ok(());
                }
                let length = Length::from_str(value).map_err(|e| unreadable(&e))?;
                if !is_small(length.number) {
                    return Err(too_large());
                }
                if length.unit == LengthUnit::Ex {
                    return Err(unreadable(&"a length in ex; write it in px"));
                }
                if length.unit == LengthUnit::Percent && is_in_scaled_symbol(node) {
                    return Err(unreadable(&"a percentage within a symbol with a viewBox"));
                }
                let is_root = node.parent_element().is_none();
                if length.unit == LengthUnit::Percent && !(self.has_page || is_root) {
                    return Err(unreadable(
                        &"a percentage, but the drawing has no page (viewBox)",
                    ));
                }
            }
            "points" => {
                let mut count = 0;
                for number in NumberListParser::from(value) {
                    count += 1;
                    if !is_small(number.map_err(|e| unreadable(&e))?) {
                        return Err(too_large());
                    }
                }
                if count % 2 != 0 {
                    return Err(unreadable(&"the last point has no y"));
                }
            }
            "d" if element == "path" && value != "none" => {
                // First, as an arc of radius r becomes a list of some r^(1/6) curves.
                if PathParser::from(value).flatten().any(is_large_arc) {
                    return Err(too_large());
                }
                for segment in SimplifyingPathParser::from(value) {
                    let segment = segment.map_err(|e| unreadable(&e))?;
                    if !numbers(&segment).into_iter().all(is_small) {
                        return Err(too_large());
                    }
                }
            }
            "viewBox" if matches!(element, "svg" | "symbol") => {
                let view = ViewBox::from_str(value).map_err(|e| unreadable(&e))?;
                if ![view.x, view.y, view.w, view.h].into_iter().all(is_small) {
                    return Err(too_large());
                }
            }
            "preserveAspectRatio" if matches!(element, "svg" | "symbol") => {
                AspectRatio::from_str(value).map_err(|e| unreadable(&e))?;
            }
            // Browsers support the extensions XHTML and MathML, `usvg` none.
            "requiredExtensions" if element != "foreignObject" && value.contains("w3.org") => {
                return Err(refused(node, name, "remove it"));
            }
            // A foreign object has no outline, whether it is chosen or not.
            "requiredFeatures" if element == "foreignObject" => {}
            "systemLanguage" | "requiredFeatures" => {
                return Err(refused(
                    node,
                    name,
                    "keep the intended element, without this attribute",
                ));
            }
            "href" if element == "use" && !value.trim().starts_with('#') => {
                let what = format!("a copy from another file, {},", css::quoted(value));
                return Err(refused(node, &what, "turn copies into separate shapes"));
            }
            "href" if matches!(element, "linearGradient" | "radialGradient") => {
                self.check_templates(*node)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks the width and height of an element that opens a viewport.
    fn viewport(&self, node: &Node<'d, '_>, overflows: &[&str]) -> Result<(), OutlineError> {
        let element = node.tag_name().name();
        let is_inner = element == "svg" && node.parent_element().is_some();
        let id = href(node).filter(|_| element == "use");
        if let Some(id) = &id {
            self.target(node, id)?;
        }
        let target = id.and_then(|id| *self.ids.get(&*id)?);
        let target = target.filter(|node| matches!(node.tag_name().name(), "svg" | "symbol"));
        if !is_inner && target.is_none() {
            return Ok(());
        }
        let sides = ["width", "height"].map(|name| node.attribute(name));
        for (name, value) in ["width", "height"].into_iter().zip(sides) {
            let length = value.and_then(|text| Length::from_str(text).ok());
            if length.is_some_and(|length| length.number <= 0.0) {
                let what = format!("{name}: {}", css::quoted(value.unwrap_or_default()));
                return Err(refused(node, &what, "remove the element"));
            }
        }
        let is_open = |value: &&str| matches!(*value, "visible" | "auto");
        let is_cut = overflows.is_empty() || !overflows.iter().all(is_open);
        if is_inner && is_cut && sides.iter().any(Option::is_none) {
            let what = "an inner svg without a width or height";
            return Err(refused(node, what, "give it both, or overflow=\"visible\""));
        }
        // `usvg` also gives this size to inner `svg` elements.
        let has_inner = target.is_some_and(|node| self.holders.contains(&node.id().get_usize()));
        if has_inner && sides.iter().any(Option::is_some) {
            let what = "the width or height of a copy of an svg that contains others";
            return Err(refused(node, what, "turn copies into separate shapes"));
        }
        Ok(())
    }

    /// Returns the name of the element that a reference names. If several elements have the id, a
    /// browser takes the first and `usvg` the last.
    fn target(&self, node: &Node<'_, '_>, id: &str) -> Result<Option<&'d str>, OutlineError> {
        match self.ids.get(id) {
            None => Ok(None),
            Some(Some(target)) => Ok(Some(target.tag_name().name())),
            Some(None) => {
                let what = format!("the repeated id {}", css::quoted(id));
                Err(refused(node, &what, "give each element its own id"))
            }
        }
    }

    fn paint(&self, node: &Node<'_, '_>, name: &str, id: &str) -> Result<(), OutlineError> {
        match self.target(node, id)? {
            None | Some("linearGradient" | "radialGradient") => Ok(()),
            Some(other) => {
                let what = format!("{name} by the <{other}> #{id}");
                Err(refused(node, &what, "fill the shape with a plain colour"))
            }
        }
    }

    fn clip(&self, node: &Node<'_, '_>, value: &str) -> Result<(), OutlineError> {
        let target = match FuncIRI::from_str(value) {
            Ok(FuncIRI(id)) => self.target(node, id)?,
            Err(_) => return Err(unknown(node, "clip-path", value)),
        };
        let nested = is_within(node, "clipPath");
        if nested || target.is_some_and(|name| name != "clipPath") {
            return Err(refused(node, "clip-path", APPLY));
        }
        Ok(())
    }

    /// Refuses gradients whose chain of templates is endless or too long.
    fn check_templates(&self, gradient: Node<'_, '_>) -> Result<(), OutlineError> {
        let mut next = href(&gradient);
        for _ in 0..MOST_TEMPLATES {
            let Some(id) = next else {
                return Ok(());
            };
            next = self.ids.get(&*id).and_then(|node| href(node.as_ref()?));
        }
        Err(refused(
            &gradient,
            "a gradient with an endless chain of templates",
            "remove its href",
        ))
    }
}

/// Returns the id that an element refers to. `href` without a prefix takes precedence over
/// `xlink:href`.
fn href(node: &Node<'_, '_>) -> Option<String> {
    let links = node.attributes().filter(|a| a.name() == "href");
    let link = links.min_by_key(|a| a.namespace().is_some())?;
    link.value().trim().strip_prefix('#').map(str::to_owned)
}

/// Refuses a `switch` whose first child `usvg` does not support. A browser draws that child, `usvg`
/// the next.
fn check_switch(node: &Node<'_, '_>) -> Result<(), OutlineError> {
    if node.tag_name().name() != "switch" {
        return Ok(());
    }
    // Browsers support the extensions XHTML and MathML, and no others.
    let may_pass = |child: &Node<'_, '_>| {
        let extensions = child.attribute("requiredExtensions");
        extensions.is_none_or(|text| text.contains("w3.org"))
    };
    let mut children = node.children().filter(is_svg).filter(may_pass);
    let first = children.next();
    if let Some(first) = first.filter(|first| !is_known(first))
        && children.any(|child| is_known(&child) && !is_without_outline(&child))
    {
        let what = format!("a switch that begins with <{}>", first.tag_name().name());
        return Err(refused(node, &what, "keep the intended child"));
    }
    Ok(())
}

/// Returns `true` if an element fills nothing.
fn is_without_outline(node: &Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "text" | "image")
}

/// Returns `true` if `usvg` keeps an element of this name.
fn is_known(node: &Node<'_, '_>) -> bool {
    let known = [
        "a",
        "circle",
        "clipPath",
        "defs",
        "ellipse",
        "filter",
        "g",
        "image",
        "line",
        "linearGradient",
        "marker",
        "mask",
        "path",
        "pattern",
        "polygon",
        "polyline",
        "radialGradient",
        "rect",
        "svg",
        "switch",
        "symbol",
        "text",
        "use",
    ];
    known.contains(&node.tag_name().name())
}

/// Returns `true` if browsers and `usvg` read a font size alike.
fn is_font_size(value: &str, source: Source) -> bool {
    Length::from_str(value).is_ok_and(|length| {
        let is_bare = length.unit == LengthUnit::None && source == Source::Css;
        length.number > 0.0 && length.unit != LengthUnit::Ex && !is_bare
    })
}

/// Returns `true` if an element is inside a symbol that has a `viewBox`. `usvg` takes percentages
/// there of another size than browsers.
fn is_in_scaled_symbol(node: &Node<'_, '_>) -> bool {
    let mut outer = node.ancestors().skip(1);
    outer.any(|outer| outer.tag_name().name() == "symbol" && outer.has_attribute("viewBox"))
}

fn is_small(x: f64) -> bool {
    x.abs() <= MOST
}

/// Returns `true` if a segment is an arc with a number beyond [`MOST`].
fn is_large_arc(segment: PathSegment) -> bool {
    match segment {
        PathSegment::EllipticalArc { rx, ry, x, y, .. } => {
            ![rx, ry, x, y].into_iter().all(is_small)
        }
        _ => false,
    }
}

fn numbers(segment: &Segment) -> [f64; 6] {
    match *segment {
        Segment::MoveTo { x, y } | Segment::LineTo { x, y } => [x, y, 0.0, 0.0, 0.0, 0.0],
        Segment::Quadratic { x1, y1, x, y } => [x1, y1, x, y, 0.0, 0.0],
        Segment::CurveTo {
            x1,
            y1,
            x2,
            y2,
            x,
            y,
        } => [x1, y1, x2, y2, x, y],
        Segment::ClosePath => [0.0; 6],
    }
}

fn is_within(node: &Node<'_, '_>, name: &str) -> bool {
    node.ancestors()
        .any(|outer| outer.tag_name().name() == name)
}

fn refused(node: &Node<'_, '_>, what: &str, advice: &'static str) -> OutlineError {
    let what = match node.tag_name().name() {
        "" => format!("{what} at {}", place(node)),
        element => format!("{what} of <{element}> at {}", place(node)),
    };
    unsupported(what, advice)
}

fn unknown(node: &Node<'_, '_>, name: &str, value: &str) -> OutlineError {
    refused(node, &format!("{name}: {}", css::quoted(value)), APPLY)
}

/// An element for matching selectors, by the rules of `usvg`.
struct Element<'d, 'i>(Node<'d, 'i>);

impl simplecss::Element for Element<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Self)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Self)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0
            .attribute(name)
            .is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.prev_sibling_element().is_none()
    }
}
