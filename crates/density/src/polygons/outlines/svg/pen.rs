//! A pen that draws rings of edges, within a tolerance of the curves.

use kurbo::Point;

/// Greatest number of edges of one curve.
const MOST_EDGES: u64 = 65_536;

/// Draws rings in world units.
#[derive(Debug)]
pub(super) struct Pen {
    tolerance: f64,
    /// Number of corners that may still be drawn.
    left: usize,
    too_much: bool,
    rings: Vec<Vec<[f64; 2]>>,
    ring: Vec<[f64; 2]>,
}

impl Pen {
    pub(super) fn new(tolerance: f64, most_corners: usize) -> Self {
        Self {
            tolerance,
            left: most_corners,
            too_much: false,
            rings: Vec::new(),
            ring: Vec::new(),
        }
    }

    /// Returns the rings drawn since the last call; `None` if they had too many corners.
    pub(super) fn take(&mut self) -> Option<Vec<Vec<[f64; 2]>>> {
        self.lift();
        (!self.too_much).then(|| std::mem::take(&mut self.rings))
    }

    /// Ends a ring and begins another.
    pub(super) fn start(&mut self, p: Point) {
        self.lift();
        self.line(p);
    }

    /// Returns the position of the pen.
    fn position(&self) -> Point {
        let last = self.ring.last();
        last.map_or(Point::ZERO, |&[x, y]| Point::new(x, y))
    }

    pub(super) fn line(&mut self, p: Point) {
        let p = [p.x, p.y];
        if self.ring.last() == Some(&p) {
            return;
        }
        let Some(left) = self.left.checked_sub(1) else {
            self.too_much = true;
            return;
        };
        self.left = left;
        self.ring.push(p);
    }

    /// Draws a quadratic curve from the pen's position.
    pub(super) fn quadratic(&mut self, [q, r]: [Point; 2]) {
        let p = self.position();
        // Distance from the chord: at most an eighth of the second derivative, which is constant.
        let n = self.edges(0.25 * bend(p, q, r));
        for i in 1..n {
            let t = i as f64 / n as f64;
            self.line(p.lerp(q, t).lerp(q.lerp(r, t), t));
        }
        self.line(r);
    }

    /// Draws a cubic curve from the pen's position. A curve that approximates an arc of an ellipse is
    /// drawn as the arc, from which it deviates by 0.03 % of the radius.
    pub(super) fn cubic(&mut self, [q, r, s]: [Point; 3]) {
        let p = self.position();
        if let Some((tip, weight)) = arc([p, q, r, s]) {
            return self.arc([p, tip, s], weight);
        }
        // Distance from the chord: at most an eighth of the greatest second derivative, which is at
        // an end.
        let n = self.edges(0.75 * bend(p, q, r).max(bend(q, r, s)));
        for i in 1..n {
            let t = i as f64 / n as f64;
            let [a, b, c] = [p.lerp(q, t), q.lerp(r, t), r.lerp(s, t)];
            self.line(a.lerp(b, t).lerp(b.lerp(c, t), t));
        }
        self.line(s);
    }

    /// Draws an arc of less than half an ellipse, from `p` to `s`. Its tangents there meet in
    /// `tip`; `weight` is the cosine of half its angle.
    fn arc(&mut self, [p, tip, s]: [Point; 3], weight: f64) {
        let n = self.edges(0.25 * bend(p, tip, s));
        for i in 1..n {
            let t = i as f64 / n as f64;
            let [a, b, c] = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t) * weight, t * t];
            let mix = |p, tip, s| (a * p + b * tip + c * s) / (a + b + c);
            self.line(Point::new(mix(p.x, tip.x, s.x), mix(p.y, tip.y, s.y)));
        }
        self.line(s);
    }

    /// Returns the number of edges for a curve at most `stray` away from its chord. Dividing a
    /// curve into n edges divides this distance by n squared.
    fn edges(&self, stray: f64) -> u64 {
        // The cast saturates, and makes 0 of a NaN.
        ((stray / self.tolerance).sqrt().ceil() as u64).clamp(1, MOST_EDGES)
    }

    fn lift(&mut self) {
        let mut ring = std::mem::take(&mut self.ring);
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        // Fewer corners enclose nothing.
        if ring.len() >= 3 {
            self.rings.push(ring);
        }
    }
}

/// Returns the place where the tangents at the ends of a curve meet, and the cosine of half its
/// angle. `None` unless the curve approximates an arc of at most a quarter of an ellipse. Both
/// control points of such a curve lie at the same share of the way to that place: 4/3 tan(a/4) /
/// tan(a/2) for an angle a.
fn arc([p, q, r, s]: [Point; 4]) -> Option<(Point, f64)> {
    let (u, v, w) = (q - p, r - s, s - p);
    let (along, back) = (w.cross(v) / u.cross(v), w.cross(u) / u.cross(v));
    let share = 2.0 / (along + back);
    // The share is 0.5523 for a quarter, and tends to 2/3 as the angle tends to 0.
    let stands = (along - back).abs() * share < 1e-4 && (0.552..0.6666).contains(&share);
    let tip = 0.5 * (p.to_vec2() + along * u + s.to_vec2() + back * v);
    stands.then(|| (tip.to_point(), 1.5 * share / (2.0 - 1.5 * share)))
}

/// Returns the length of the difference of two consecutive steps.
fn bend(p: Point, q: Point, r: Point) -> f64 {
    ((r - q) - (q - p)).hypot2().sqrt()
}
