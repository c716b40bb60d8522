//! What is drawn and filled: attributes, `style` attributes, and what is inherited.

use super::affine::Affine;
use super::{FORMAT, NAMESPACE, place, unreadable};
use crate::{FillRule, OutlineError};
use roxmltree::Node;

/// What an element inherits and what it says itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    transform: Affine,
    fill: bool,
    visible: bool,
    displayed: bool,
    rule: FillRule,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            transform: Affine::IDENTITY,
            fill: true,
            visible: true,
            displayed: true,
            rule: FillRule::NonZero,
        }
    }
}

impl Style {
    /// That of an element inside one with this style.
    pub(super) fn inside(mut self, node: &Node<'_, '_>) -> Result<Self, OutlineError> {
        for attribute in node.attributes() {
            let foreign = attribute.namespace().is_some_and(|n| n != NAMESPACE);
            match attribute.name() {
                _ if foreign => {}
                "transform" => {
                    let own = Affine::parse(attribute.value())
                        .map_err(|e| unreadable(node, "transform", e))?;
                    self.transform = self.transform.of(own);
                }
                "style" => {}
                name => self.set(node, name, attribute.value())?,
            }
        }
        // It outdoes attributes.
        for property in node.attribute("style").unwrap_or_default().split(';') {
            if let Some((name, value)) = property.split_once(':') {
                if name.trim() == "transform" && value.trim() != "none" {
                    return Err(refused(node, "transform in a style attribute"));
                }
                self.set(node, name.trim(), value)?;
            }
        }
        Ok(self)
    }

    fn set(&mut self, node: &Node<'_, '_>, name: &str, value: &str) -> Result<(), OutlineError> {
        let value = value.split('!').next().unwrap_or_default().trim();
        if value == "inherit" {
            return Ok(());
        }
        match name {
            "fill" => self.fill = value != "none" && value != "transparent",
            "fill-rule" => {
                self.rule = match value {
                    "evenodd" => FillRule::EvenOdd,
                    "nonzero" => FillRule::NonZero,
                    _ => return Err(unreadable(node, name, "must be evenodd or nonzero")),
                }
            }
            // A group that is not displayed hides all in it; a hidden one only what does not
            // say otherwise.
            "display" => self.displayed &= value != "none",
            "visibility" => self.visible = value == "visible",
            "clip-path" | "mask" if value != "none" => return Err(refused(node, name)),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn is_shown(&self) -> bool {
        self.displayed
    }

    pub(super) fn is_filled(&self) -> bool {
        self.fill && self.visible
    }

    pub(super) fn fill_rule(&self) -> FillRule {
        self.rule
    }

    pub(super) fn transform(&self) -> &Affine {
        &self.transform
    }
}

fn refused(node: &Node<'_, '_>, what: &str) -> OutlineError {
    let element = node.tag_name().name();
    OutlineError::Unsupported {
        format: FORMAT,
        what: format!("{what} of <{element}> at {}", place(node)),
        advice: "apply it to the shapes in your drawing program, or remove it",
    }
}

/// Refuses a style sheet that may decide what is drawn or filled; most only colour.
pub(super) fn check_sheet(node: &Node<'_, '_>) -> Result<(), OutlineError> {
    let text: String = node.descendants().filter_map(|n| n.text()).collect();
    let telling = [
        "none",
        "transparent",
        "evenodd",
        "hidden",
        "collapse",
        "url(",
    ];
    let telling = telling.iter().chain(&["transform", "clip-path"]);
    if let Some(word) = telling.into_iter().find(|word| text.contains(**word)) {
        return Err(OutlineError::Unsupported {
            format: FORMAT,
            what: format!("the style sheet at {}, which says '{word}',", place(node)),
            advice: "export with presentation attributes or inline styles instead of CSS",
        });
    }
    Ok(())
}
