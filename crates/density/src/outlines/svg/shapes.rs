//! Each kind of shape, drawn.

use super::affine::Affine;
use super::pen::{Arc, Pen};
use super::unreadable;
use crate::OutlineError;
use roxmltree::Node;
use std::str::FromStr;
use svgtypes::{Length, LengthUnit, NumberListParser, PathParser, PathSegment};

/// Draws a shape.
pub(super) fn draw(node: &Node<'_, '_>, lie: &Affine, pen: &mut Pen) -> Result<(), OutlineError> {
    let number = |name: &str| Ok(length(node, name)?.unwrap_or(0.0));
    match node.tag_name().name() {
        "path" => path(node, lie, pen),
        "polygon" | "polyline" => points(node, lie, pen),
        "circle" => {
            let r = number("r")?;
            round(number("cx")?, number("cy")?, [r, r], lie, pen);
            Ok(())
        }
        "ellipse" => {
            let [rx, ry] = radii(node)?;
            round(number("cx")?, number("cy")?, [rx, ry], lie, pen);
            Ok(())
        }
        _ => {
            let (corner, size) = (
                [number("x")?, number("y")?],
                [number("width")?, number("height")?],
            );
            rectangle(corner, size, radii(node)?, lie, pen);
            Ok(())
        }
    }
}

/// A number of user units.
fn length(node: &Node<'_, '_>, name: &str) -> Result<Option<f64>, OutlineError> {
    let Some(text) = node.attribute(name).filter(|&text| text != "auto") else {
        return Ok(None);
    };
    let length = Length::from_str(text.trim()).map_err(|e| unreadable(node, name, e))?;
    match length.unit {
        LengthUnit::None | LengthUnit::Px => Ok(Some(length.number)),
        _ => Err(unreadable(node, name, "must be a number without a unit")),
    }
}

/// `rx` and `ry`, each as the other where it is not given.
fn radii(node: &Node<'_, '_>) -> Result<[f64; 2], OutlineError> {
    let (rx, ry) = (length(node, "rx")?, length(node, "ry")?);
    let (rx, ry) = (rx.or(ry).unwrap_or(0.0), ry.or(rx).unwrap_or(0.0));
    Ok([rx, ry])
}

/// The unit circle's places between its quarters.
const QUARTERS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];

/// A quarter of an ellipse, on from where the pen is.
fn quarter(number: usize, center: [f64; 2], [rx, ry]: [f64; 2], lie: &Affine, pen: &mut Pen) {
    pen.arc(Arc {
        from: QUARTERS[number],
        to: QUARTERS[(number + 1) % 4],
        sweep: true,
        lie: lie.of(Affine::new([rx, 0.0, 0.0, ry, center[0], center[1]])),
    });
}

fn round(x: f64, y: f64, radii: [f64; 2], lie: &Affine, pen: &mut Pen) {
    if !radii.iter().all(|&r| r > 0.0) {
        return;
    }
    pen.start(lie.place([x + radii[0], y]));
    for number in 0..4 {
        quarter(number, [x, y], radii, lie, pen);
    }
}

fn rectangle([x, y]: [f64; 2], [w, h]: [f64; 2], radii: [f64; 2], lie: &Affine, pen: &mut Pen) {
    if !(w > 0.0 && h > 0.0) {
        return;
    }
    let (rx, ry) = (radii[0].min(0.5 * w), radii[1].min(0.5 * h));
    let corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    if !(rx > 0.0 && ry > 0.0) {
        pen.start(lie.place(corners[0]));
        for &corner in &corners[1..] {
            pen.line(lie.place(corner));
        }
        return;
    }
    // From the right end of the upper edge on: each corner's quarter begins where an edge ends.
    let centers = [
        [x + w - rx, y + h - ry],
        [x + rx, y + h - ry],
        [x + rx, y + ry],
        [x + w - rx, y + ry],
    ];
    pen.start(lie.place([x + w, y + h - ry]));
    for (number, &center) in centers.iter().enumerate() {
        let [u, v] = QUARTERS[number];
        pen.line(lie.place([center[0] + rx * u, center[1] + ry * v]));
        quarter(number, center, [rx, ry], lie, pen);
    }
}

fn points(node: &Node<'_, '_>, lie: &Affine, pen: &mut Pen) -> Result<(), OutlineError> {
    let text = node.attribute("points").unwrap_or_default();
    let numbers: Result<Vec<f64>, _> = NumberListParser::from(text).collect();
    let numbers = numbers.map_err(|e| unreadable(node, "points", e))?;
    let (pairs, []) = numbers.as_chunks::<2>() else {
        return Err(unreadable(node, "points", "the last point has no y"));
    };
    let mut pairs = pairs.iter().map(|&p| lie.place(p));
    if let Some(first) = pairs.next() {
        pen.start(first);
        pairs.for_each(|p| pen.line(p));
    }
    Ok(())
}

/// Where a path has come to, in the shape's own units.
struct Walk {
    at: [f64; 2],
    start: [f64; 2],
    /// The last control point of a cubic or quadratic curve that has just ended here.
    cubic: Option<[f64; 2]>,
    quadratic: Option<[f64; 2]>,
}

fn path(node: &Node<'_, '_>, lie: &Affine, pen: &mut Pen) -> Result<(), OutlineError> {
    let mut walk = Walk {
        at: [0.0; 2],
        start: [0.0; 2],
        cubic: None,
        quadratic: None,
    };
    let mut lifted = true;
    for segment in PathParser::from(node.attribute("d").unwrap_or_default()) {
        let segment = segment.map_err(|e| unreadable(node, "d", e))?;
        let goes_on = !matches!(
            segment,
            PathSegment::MoveTo { .. } | PathSegment::ClosePath { .. }
        );
        if lifted && goes_on {
            // After a closed ring the next begins where that did.
            pen.start(lie.place(walk.at));
        }
        lifted = !goes_on;
        walk.step(&segment, lie, pen);
    }
    Ok(())
}

impl Walk {
    fn step(&mut self, segment: &PathSegment, lie: &Affine, pen: &mut Pen) {
        let at = self.at;
        let place = |abs: bool, x: f64, y: f64| if abs { [x, y] } else { [at[0] + x, at[1] + y] };
        let mirrored = |control: Option<[f64; 2]>| {
            let control = control.unwrap_or(at);
            [0, 1].map(|a| 2.0 * at[a] - control[a])
        };
        let (smooth_cubic, smooth_quadratic) = (mirrored(self.cubic), mirrored(self.quadratic));
        (self.cubic, self.quadratic) = (None, None);
        match *segment {
            PathSegment::MoveTo { abs, x, y } => {
                self.at = place(abs, x, y);
                self.start = self.at;
                return;
            }
            PathSegment::ClosePath { .. } => {
                self.at = self.start;
                return;
            }
            PathSegment::LineTo { abs, x, y } => self.at = place(abs, x, y),
            PathSegment::HorizontalLineTo { abs, x } => self.at[0] = place(abs, x, 0.0)[0],
            PathSegment::VerticalLineTo { abs, y } => self.at[1] = place(abs, 0.0, y)[1],
            PathSegment::CurveTo {
                abs,
                x1,
                y1,
                x2,
                y2,
                x,
                y,
            } => {
                return self.cubic(
                    place(abs, x1, y1),
                    place(abs, x2, y2),
                    place(abs, x, y),
                    lie,
                    pen,
                );
            }
            PathSegment::SmoothCurveTo { abs, x2, y2, x, y } => {
                return self.cubic(smooth_cubic, place(abs, x2, y2), place(abs, x, y), lie, pen);
            }
            PathSegment::Quadratic { abs, x1, y1, x, y } => {
                return self.quadratic(place(abs, x1, y1), place(abs, x, y), lie, pen);
            }
            PathSegment::SmoothQuadratic { abs, x, y } => {
                return self.quadratic(smooth_quadratic, place(abs, x, y), lie, pen);
            }
            PathSegment::EllipticalArc {
                abs,
                rx,
                ry,
                x_axis_rotation,
                large_arc,
                sweep,
                x,
                y,
            } => {
                self.at = place(abs, x, y);
                let turn = Affine::turn(x_axis_rotation);
                if let Some(arc) = arc([at, self.at], [rx, ry], turn, [large_arc, sweep], lie) {
                    pen.arc(arc);
                }
            }
        }
        pen.line(lie.place(self.at));
    }

    fn cubic(&mut self, q: [f64; 2], r: [f64; 2], to: [f64; 2], lie: &Affine, pen: &mut Pen) {
        pen.cubic([self.at, q, r, to].map(|p| lie.place(p)));
        self.cubic = Some(r);
        self.at = to;
    }

    fn quadratic(&mut self, q: [f64; 2], to: [f64; 2], lie: &Affine, pen: &mut Pen) {
        pen.quadratic([self.at, q, to].map(|p| lie.place(p)));
        self.quadratic = Some(q);
        self.at = to;
    }
}

/// The arc that joins two places: SVG 1.1, appendix F.6.5. `None`: a straight line.
fn arc(
    [p, q]: [[f64; 2]; 2],
    radii: [f64; 2],
    turn: Affine,
    [large, sweep]: [bool; 2],
    lie: &Affine,
) -> Option<Arc> {
    let [mut rx, mut ry] = radii.map(f64::abs);
    if p == q || !(rx > 0.0 && ry > 0.0) {
        return None;
    }
    // Half the way between the ends, seen along the ellipse's own axes.
    let half = [0, 1].map(|a| 0.5 * (p[a] - q[a]));
    let back = turn.inverse_turn();
    let [x, y] = back.place(half);
    // In units of its radii the ellipse is a circle, and the ends are this far from half-way.
    let (u, v) = (x / rx, y / ry);
    let size = u * u + v * v;
    let (mut u, mut v) = (u, v);
    if size > 1.0 {
        // Too small to reach: as large as it must be.
        let grow = size.sqrt();
        (rx, ry) = (grow * rx, grow * ry);
        (u, v) = (u / grow, v / grow);
    }
    let rest = ((1.0 - size.min(1.0)) / size).sqrt();
    let rest = if large == sweep { -rest } else { rest };
    let center = [rest * v, -rest * u];
    let from = unit([u - center[0], v - center[1]])?;
    let to = unit([-u - center[0], -v - center[1]])?;
    let own = turn.of(Affine::new([rx, 0.0, 0.0, ry, 0.0, 0.0]));
    let shift = own.place(center);
    let middle = [0, 1].map(|a| q[a] + half[a] + shift[a]);
    let moved = Affine::new([1.0, 0.0, 0.0, 1.0, middle[0], middle[1]]).of(own);
    Some(Arc {
        from,
        to,
        sweep,
        lie: lie.of(moved),
    })
}

fn unit([x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let size = (x * x + y * y).sqrt();
    (size.is_finite() && size > 0.0).then(|| [x / size, y / size])
}
