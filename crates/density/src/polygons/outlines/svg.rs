//! Reads SVG: the places that a drawing fills.
//!
//! `usvg` reads styles, transforms and shapes; `strict` first refuses what `usvg` would ignore.

mod css;
mod page;
mod pen;
mod strict;

use super::{OutlineError, Outlines};
use crate::Bounds;
use crate::diagnostic::{Diagnostic, DrawingPart};
use crate::polygons::{FillRule, Polygon};
use kurbo::{Affine, Point};
use page::Page;
use pen::Pen;
use std::str::FromStr;
use svgtypes::{Length, LengthUnit};
use usvg::roxmltree::{Document, Node, ParsingOptions};
use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, ImageHrefResolver, Options, Paint, Rect, Tree};

const FORMAT: &str = "SVG";
const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Greatest number of elements and pieces of text in a drawing. `usvg` allows a million elements, copies included.
const MOST_NODES: u32 = 20_000_000;

/// Greatest number of corners that the curves of a drawing may become.
const MOST_CORNERS: usize = 1 << 26;

/// Advice about effects that change shapes.
const APPLY: &str = "apply it to the shapes in your drawing program, or remove it";

/// The error of one rounding to a 32-bit float, relative to the number.
const ROUNDING: f64 = 0.5 * f32::EPSILON as f64;

impl Outlines {
    /// Reads the shapes that an SVG drawing fills with any paint, each by its own fill rule and under all its
    /// transforms, in user units: `width`, `height` and `viewBox` change nothing. [`Outlines::from_svg_page`] lays the
    /// page over a world instead.
    ///
    /// A shape counts if any of it is visible: it is not hidden, and its colour and every group around it have an
    /// opacity above 0. Only its fill counts, never its stroke. Shapes may be copies (`use`), and lie in inner `svg`
    /// elements and symbols.
    ///
    /// Coordinates are rounded to 32-bit floats, of some seven digits; a note says so where this is coarser than
    /// `tolerance`. For more digits use `GeoJSON`. Curves become edges that lie no farther than `tolerance` (world
    /// units) from them, at most 65,536 edges a curve. A cubic curve that approximates an arc of an ellipse is drawn as
    /// the arc, which is 0.03 % of the radius away at most. The sines of `rotate` and `skew` are the platform's,
    /// rounded to 32 bits.
    ///
    /// Text, pictures, foreign objects and shapes without a fill have no outline here. They are passed over, and
    /// [`Outlines::notes`] names them. Elements that are only defined, or not displayed, are passed over without a
    /// note. Files and addresses named in the drawing are never opened.
    ///
    /// ```
    /// use spinney_density::polygons::{Outlines, Polygons};
    /// use spinney_density::Region;
    ///
    /// let text = r#"<svg xmlns="http://www.w3.org/2000/svg"><circle cx="50" cy="50" r="40"/></svg>"#;
    /// let pond = Polygons::new(Outlines::from_svg(text, 0.01)?.polygons)?;
    /// assert!(pond.holds([89.9, 50.0]) && !pond.holds([90.1, 50.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not XML, or a path, number, style or transform in it cannot be read; if elements are nested more
    /// than 96 deep, copies included, or there are more than a million; if nothing is filled. Also if the drawing uses
    /// a feature that rings cannot represent or `usvg` does not support; the error names it: clip paths that cut
    /// anything off, masks, filters, markers, patterns, gradients that are transparent somewhere, external style
    /// sheets, at-rules and selectors beyond CSS 2.1, CSS transforms by lengths or angles, geometry in CSS, lengths in
    /// `ex`, inner `svg` elements without a size, `systemLanguage`. Never panics.
    pub fn from_svg(text: &str, tolerance: f64) -> Result<Self, OutlineError> {
        read(text, None, tolerance)
    }

    /// Reads the shapes of an SVG drawing like [`Outlines::from_svg`], with its page laid over `world` like a map: the
    /// page's top left corner is the corner of least x and y.
    ///
    /// The page is what a browser shows: `viewBox`, or `width` and `height` if there is none. If all three are given
    /// and their aspect ratios differ, the page has the ratio of `width` and `height`. `preserveAspectRatio` then
    /// places the `viewBox` in it, and a note says so.
    ///
    /// ```
    /// use spinney_density::polygons::{Outlines, Polygons};
    /// use spinney_density::{Bounds, Region};
    ///
    /// let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="5mm" height="5mm"
    ///     viewBox="0 0 10 10"><path d="M0 0h5v10h-5z"/></svg>"#;
    /// let world = Bounds::with_origin([100.0, 0.0], [64.0, 64.0])?;
    /// let left = Polygons::new(Outlines::from_svg_page(text, &world, 0.01)?.polygons)?;
    /// assert!(left.holds([131.9, 63.9]) && !left.holds([132.1, 63.9]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Outlines::from_svg`], and [`OutlineError::NoPage`] if the drawing has neither a `viewBox` nor a
    /// `width` and `height`.
    pub fn from_svg_page(
        text: &str,
        world: &Bounds<2>,
        tolerance: f64,
    ) -> Result<Self, OutlineError> {
        read(text, Some(world), tolerance)
    }
}

/// Reads a drawing, in its user units or with its page laid over a world.
fn read(text: &str, world: Option<&Bounds<2>>, tolerance: f64) -> Result<Outlines, OutlineError> {
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(OutlineError::Tolerance { tolerance });
    }
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    // Some programs on Windows write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let document =
        Document::parse_with_options(text, options).map_err(|e| malformed(e.to_string()))?;
    let root = document.root_element();
    if !is_svg(&root) || root.tag_name().name() != "svg" {
        let name = root.tag_name().name();
        return Err(malformed(format!(
            "the outermost element is {name}, not svg"
        )));
    }
    if let Some(text) = without_percent_size(text, &root) {
        return read(&text, world, tolerance);
    }
    let seen = strict::check(&document)?;
    let options = Options {
        // The initial value in browsers.
        font_size: 16.0,
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).map_err(|e| malformed(e.to_string()))?;
    let page = Page::new(&root, tree.size());
    let to_world = match world {
        None => page.units(),
        Some(world) => page.over(world).ok_or(OutlineError::NoPage)?,
    };
    let mut walk = Walk {
        found: Outlines {
            crs: None,
            polygons: Vec::new(),
            passed_over: seen.without_outline,
            notes: seen.notes,
        },
        pen: Pen::new(tolerance, MOST_CORNERS),
        strokes: 0,
        coarsest: 0.0,
        background: seen.background,
    };
    walk.all(&tree, to_world)?;
    let mut found = walk.found;
    if found.polygons.is_empty() {
        return Err(OutlineError::NoPolygon {
            format: FORMAT,
            passed_over: found.passed_over,
            what: "shapes (a shape without a fill has no inside)",
        });
    }
    if walk.strokes > 0 {
        found.notes.push(Diagnostic::LeftOut {
            part: DrawingPart::Stroke,
            count: walk.strokes,
        });
    }
    if walk.coarsest > tolerance {
        let step = walk.coarsest;
        found.notes.push(Diagnostic::CoarseDrawing { step });
    }
    if world.is_some() && page.is_letterboxed() {
        found.notes.push(Diagnostic::LetterboxedPage);
    }
    Ok(found)
}

/// Returns the drawing without a page width or height in percent, which is relative to the browser's window. `None` if
/// there is none, or no `viewBox` to serve as the page.
fn without_percent_size(text: &str, root: &Node<'_, '_>) -> Option<String> {
    root.attribute("viewBox")?;
    let is_share = |name: &str, value: &str| {
        let length = Length::from_str(value);
        matches!(name, "width" | "height") && length.is_ok_and(|l| l.unit == LengthUnit::Percent)
    };
    let mut plain: Option<String> = None;
    for attribute in root.attributes() {
        if attribute.namespace().is_none() && is_share(attribute.name(), attribute.value()) {
            let range = attribute.range();
            // Blanks keep the lines and columns in messages right.
            let blank = " ".repeat(range.len());
            plain
                .get_or_insert_with(|| text.to_owned())
                .replace_range(range, &blank);
        }
    }
    plain
}

/// Collects the filled shapes of a tree.
struct Walk {
    found: Outlines,
    pen: Pen,
    /// Number of shapes with a stroke but no fill.
    strokes: usize,
    /// Greatest error of a corner by rounding to 32-bit floats, world units.
    coarsest: f64,
    /// Whether the first path is a page-sized rectangle that belongs to no element.
    background: bool,
}

impl Walk {
    fn all(&mut self, tree: &Tree, to_world: Affine) -> Result<(), OutlineError> {
        let root = affine(tree.root().transform());
        let mut todo: Vec<_> = tree
            .root()
            .children()
            .iter()
            .rev()
            .map(|node| (node, root))
            .collect();
        while let Some((node, to_pixels)) = todo.pop() {
            match node {
                usvg::Node::Group(group) => {
                    if group.opacity().get() == 0.0 || !group.has_children() {
                        continue;
                    }
                    check_effects(group)?;
                    let inner = to_pixels * affine(group.transform());
                    todo.extend(group.children().iter().rev().map(|node| (node, inner)));
                }
                usvg::Node::Path(_) if std::mem::take(&mut self.background) => {}
                usvg::Node::Path(path) => match self.polygon(path, to_pixels, to_world)? {
                    Some(polygon) => self.found.polygons.push(polygon),
                    None => self.found.passed_over += 1,
                },
                // `strict` has counted them.
                usvg::Node::Image(_) | usvg::Node::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the places that a path fills; `None` if it fills none.
    fn polygon(
        &mut self,
        path: &usvg::Path,
        to_pixels: Affine,
        to_world: Affine,
    ) -> Result<Option<Polygon>, OutlineError> {
        let fill = path.fill().filter(|_| path.is_visible());
        let Some(fill) = fill.filter(|fill| fill.opacity().get() > 0.0) else {
            let drawn = path.stroke().filter(|stroke| stroke.opacity().get() > 0.0);
            self.strokes += usize::from(path.is_visible() && drawn.is_some());
            return Ok(None);
        };
        if !is_painted(fill.paint())? {
            return Ok(None);
        }
        let rings = self.rings(path, to_world * to_pixels)?;
        if rings.is_empty() {
            return Ok(None);
        }
        let bounds = path.data().bounds();
        let x = f64::from(bounds.left().abs().max(bounds.right().abs()));
        let y = f64::from(bounds.top().abs().max(bounds.bottom().abs()));
        // Upper bound on the terms that are added up to place a corner, in world units.
        let [a, b, c, d, e, f] = to_pixels.as_coeffs().map(f64::abs);
        let [right, _, _, down, ..] = to_world.as_coeffs().map(f64::abs);
        let coarse = [right * (a * x + c * y + e), down * (b * x + d * y + f)];
        let coarse = coarse.map(|reach| ROUNDING * reach);
        self.coarsest = coarse.into_iter().fold(self.coarsest, f64::max);
        let polygon = self.found.polygons.len();
        let rule = match fill.rule() {
            usvg::FillRule::EvenOdd => FillRule::EvenOdd,
            usvg::FillRule::NonZero => FillRule::NonZero,
        };
        let made = Polygon::new(rings, rule).map_err(|problem| OutlineError::Polygon {
            format: FORMAT,
            polygon,
            problem,
        })?;
        Ok(Some(made))
    }

    fn rings(
        &mut self,
        path: &usvg::Path,
        to_world: Affine,
    ) -> Result<Vec<Vec<[f64; 2]>>, OutlineError> {
        let place = |p: usvg::tiny_skia_path::Point| to_world * Point::from((p.x, p.y));
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => self.pen.start(place(p)),
                PathSegment::LineTo(p) => self.pen.line(place(p)),
                PathSegment::QuadTo(q, r) => self.pen.quadratic([q, r].map(place)),
                PathSegment::CubicTo(q, r, s) => self.pen.cubic([q, r, s].map(place)),
                // The next ring begins with a position of its own.
                PathSegment::Close => {}
            }
        }
        self.pen.take().ok_or_else(|| {
            malformed(format!(
                "its curves have more than {MOST_CORNERS} corners within the tolerance"
            ))
        })
    }
}

fn affine(t: usvg::Transform) -> Affine {
    Affine::new([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from))
}

/// Refuses effects that would fill less than the shapes in a group.
fn check_effects(group: &Group) -> Result<(), OutlineError> {
    let cut = group.clip_path().is_some_and(|clip| {
        let all = group.bounding_box();
        let slack = 1e-4 * all.width().max(all.height());
        !clip_box(clip).is_some_and(|clip| {
            clip.left() <= all.left() + slack
                && clip.top() <= all.top() + slack
                && clip.right() >= all.right() - slack
                && clip.bottom() >= all.bottom() - slack
        })
    });
    let what = match group {
        _ if cut => "a clip path (or the edge of an inner svg or symbol) that cuts shapes off",
        _ if group.mask().is_some() => "a mask",
        _ if !group.filters().is_empty() => "a filter",
        _ => return Ok(()),
    };
    let what = match group.id() {
        "" => what.to_owned(),
        id => format!("{what} on #{id}"),
    };
    Err(unsupported(what, APPLY))
}

/// Returns the box that a clip path keeps; `None` if it is no box.
fn clip_box(clip: &usvg::ClipPath) -> Option<Rect> {
    let mut children = clip.root().children();
    while let [usvg::Node::Group(inner)] = children {
        if !inner.transform().is_identity() || inner.clip_path().is_some() {
            return None;
        }
        children = inner.children();
    }
    let [usvg::Node::Path(path)] = children else {
        return None;
    };
    if !path.is_visible() {
        return None;
    }
    let t = clip.transform();
    if clip.clip_path().is_some() || t.kx != 0.0 || t.ky != 0.0 {
        return None;
    }
    let [first, others @ ..] = path.data().points() else {
        return None;
    };
    // A rectangle: four corners, with sides along alternate axes.
    let mut corners = others.iter().filter(|&p| p != first);
    let [a, b, c] = [corners.next()?, corners.next()?, corners.next()?];
    let along =
        |p: &usvg::tiny_skia_path::Point, q: &usvg::tiny_skia_path::Point| [p.x == q.x, p.y == q.y];
    let sides = [along(first, a), along(a, b), along(b, c), along(c, first)];
    let is_box = sides[0] != sides[1] && sides[0] == sides[2] && sides[1] == sides[3];
    let straight = path.data().verbs().iter().all(|verb| {
        use usvg::tiny_skia_path::PathVerb::{Close, Line, Move};
        matches!(verb, Move | Line | Close)
    });
    let is_box = is_box && straight && corners.next().is_none();
    path.data().bounds().transform(t).filter(|_| is_box)
}

/// Returns `true` if a paint is visible anywhere.
fn is_painted(paint: &Paint) -> Result<bool, OutlineError> {
    let gradient: &usvg::BaseGradient = match paint {
        Paint::Color(_) => return Ok(true),
        Paint::LinearGradient(gradient) => gradient,
        Paint::RadialGradient(gradient) => {
            let [x, y] = [gradient.fx() - gradient.cx(), gradient.fy() - gradient.cy()];
            let reach = (x * x + y * y).sqrt() + gradient.fr().get();
            // Otherwise only a cone is painted.
            if reach >= gradient.r().get() * (1.0 - 1e-6) {
                return Err(half_filled(
                    "the gradient, with its focus outside its circle,",
                    gradient.id(),
                ));
            }
            gradient
        }
        Paint::Pattern(pattern) => return Err(half_filled("the pattern", pattern.id())),
    };
    let clear = |stop: &&usvg::Stop| stop.opacity().get() == 0.0;
    match gradient.stops().iter().filter(clear).count() {
        0 => Ok(true),
        count if count == gradient.stops().len() => Ok(false),
        _ => Err(half_filled(
            "the gradient, transparent somewhere,",
            gradient.id(),
        )),
    }
}

fn half_filled(what: &str, id: &str) -> OutlineError {
    unsupported(
        format!("{what} #{id} as a fill"),
        "fill the shape with a plain colour",
    )
}

fn unsupported(what: String, advice: &'static str) -> OutlineError {
    OutlineError::Unsupported {
        format: FORMAT,
        what,
        advice,
    }
}

/// Returns `true` for elements of SVG. Elements of other namespaces are notes of the drawing program. A file that names
/// no namespace at all is taken as SVG.
fn is_svg(node: &Node<'_, '_>) -> bool {
    node.is_element()
        && node
            .tag_name()
            .namespace()
            .is_none_or(|name| name == NAMESPACE)
}

fn malformed(problem: String) -> OutlineError {
    OutlineError::Malformed {
        format: FORMAT,
        problem,
    }
}

/// Returns the line and column of a node, for messages.
fn place(node: &Node<'_, '_>) -> String {
    let at = node.document().text_pos_at(node.range().start);
    format!("line {}, column {}", at.row, at.col)
}
