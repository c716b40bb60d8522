//! SVG: what a drawing fills.

mod affine;
mod pen;
mod shapes;
mod style;

use super::{OutlineError, Outlines};
use crate::Polygon;
use pen::Pen;
use roxmltree::{Document, Node, ParsingOptions};
use style::Style;

const FORMAT: &str = "SVG";
const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Elements and pieces of text a drawing may have.
const MOST_NODES: u32 = 20_000_000;

/// Corners that the curves of a drawing may become.
const MOST_CORNERS: usize = 1 << 26;

impl Outlines {
    /// The shapes of an SVG drawing that it fills with anything: paths, polygons, polylines,
    /// rectangles, circles and ellipses, each by its own fill rule and under all its transforms.
    /// Coordinates are the drawing's numbers after its transforms, taken as world units; its
    /// `width`, `height` and `viewBox` change nothing.
    ///
    /// Curves become edges that lie no farther than `tolerance` (world units) from them, at most
    /// 65,536 a curve. Only + - * / and square roots are used for that; the sines of `rotate` and
    /// `skew` are `libm`'s, the same on every machine.
    ///
    /// What a drawing fills with nothing (`fill="none"`, `display="none"`, lines, text, images) is
    /// passed over, and so is what it only defines.
    ///
    /// ```
    /// use spinney_density::{Outlines, Polygons, Region};
    ///
    /// let text = r#"<svg xmlns="http://www.w3.org/2000/svg"><circle cx="50" cy="50" r="40"/></svg>"#;
    /// let pond = Polygons::new(Outlines::from_svg(text, 0.01)?.polygons)?;
    /// assert!(pond.holds([89.9, 50.0]) && !pond.holds([90.1, 50.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not XML or a path, number or transform in it cannot be read; when it uses
    /// `use`, an inner `svg`, clipping, masking, or a style sheet that decides what is filled;
    /// when nothing is filled. Never panics.
    pub fn from_svg(text: &str, tolerance: f64) -> Result<Self, OutlineError> {
        if !(tolerance.is_finite() && tolerance > 0.0) {
            return Err(OutlineError::Tolerance { tolerance });
        }
        let options = ParsingOptions {
            allow_dtd: true,
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document =
            Document::parse_with_options(text, options).map_err(|e| malformed(e.to_string()))?;
        let root = document.root_element();
        if !is_svg(&root) || root.tag_name().name() != "svg" {
            let name = root.tag_name().name();
            return Err(malformed(format!(
                "the outermost element is {name}, not svg"
            )));
        }
        let mut found = Self {
            polygons: Vec::new(),
            passed_over: 0,
        };
        // Wherever they stand, they hold for all of it.
        for sheet in document.descendants().filter(is_sheet) {
            style::check_sheet(&sheet)?;
        }
        let mut pen = Pen::new(tolerance, MOST_CORNERS);
        let mut todo = vec![(root, Style::default())];
        while let Some((node, outer)) = todo.pop() {
            let style = outer.inside(&node)?;
            if !style.is_shown() {
                continue;
            }
            match kind(&node) {
                Kind::Group => {
                    let children = node.children().rev().filter(is_svg);
                    todo.extend(children.map(|child| (child, style)));
                }
                Kind::Shape if style.is_filled() => found.add_shape(&node, &style, &mut pen)?,
                Kind::Shape | Kind::Other => found.passed_over += 1,
                Kind::Definition => {}
                Kind::Refused(advice) => {
                    let what = format!("<{}> at {}", node.tag_name().name(), place(&node));
                    return Err(OutlineError::Unsupported {
                        format: FORMAT,
                        what,
                        advice,
                    });
                }
            }
        }
        if found.polygons.is_empty() {
            return Err(OutlineError::NoPolygon {
                format: FORMAT,
                passed_over: found.passed_over,
                what: "shapes (what is not filled has no inside)",
            });
        }
        Ok(found)
    }

    fn add_shape(
        &mut self,
        node: &Node<'_, '_>,
        style: &Style,
        pen: &mut Pen,
    ) -> Result<(), OutlineError> {
        shapes::draw(node, style.transform(), pen)?;
        let rings = pen.take().ok_or_else(|| OutlineError::Malformed {
            format: FORMAT,
            problem: format!(
                "its curves have more than {MOST_CORNERS} corners within the tolerance"
            ),
        })?;
        if rings.is_empty() {
            self.passed_over += 1;
            return Ok(());
        }
        let polygon = self.polygons.len();
        let made =
            Polygon::new(rings, style.fill_rule()).map_err(|problem| OutlineError::Polygon {
                format: FORMAT,
                polygon,
                problem,
            })?;
        self.polygons.push(made);
        Ok(())
    }
}

/// What an element is to us.
enum Kind {
    /// Something that is drawn if its parts are.
    Group,
    Shape,
    /// Drawn, but without an inside of its own.
    Other,
    /// Not drawn where it stands.
    Definition,
    /// It would change what is drawn; with what to do about it.
    Refused(&'static str),
}

fn kind(node: &Node<'_, '_>) -> Kind {
    match node.tag_name().name() {
        "svg" if node.parent_element().is_some() => {
            Kind::Refused("move its shapes into the outer drawing")
        }
        "use" => Kind::Refused("turn copies into shapes of their own (unlink clones)"),
        "switch" => Kind::Refused("keep the branch that is meant"),
        "svg" | "g" | "a" => Kind::Group,
        "path" | "polygon" | "polyline" | "rect" | "circle" | "ellipse" => Kind::Shape,
        "line" | "text" | "image" | "foreignObject" => Kind::Other,
        _ => Kind::Definition,
    }
}

/// Elements of other languages are notes of the program that drew it. A file that names no
/// namespace at all is taken as meant.
fn is_svg(node: &Node<'_, '_>) -> bool {
    node.is_element()
        && node
            .tag_name()
            .namespace()
            .is_none_or(|name| name == NAMESPACE)
}

fn is_sheet(node: &Node<'_, '_>) -> bool {
    is_svg(node) && node.tag_name().name() == "style"
}

fn malformed(problem: String) -> OutlineError {
    OutlineError::Malformed {
        format: FORMAT,
        problem,
    }
}

/// Line and column, for people.
fn place(node: &Node<'_, '_>) -> String {
    let at = node.document().text_pos_at(node.range().start);
    format!("line {}, column {}", at.row, at.col)
}

/// An attribute that cannot be read.
fn unreadable(node: &Node<'_, '_>, name: &str, problem: impl std::fmt::Display) -> OutlineError {
    let element = node.tag_name().name();
    malformed(format!("<{element}> at {}: {name}: {problem}", place(node)))
}
