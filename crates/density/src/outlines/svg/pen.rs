//! A pen that draws rings of edges, near enough to the curves.

use super::affine::Affine;

/// Edges that a curve may become.
const MOST_EDGES: u64 = 65_536;

/// Halvings of an arc: as many edges, of each of its quarters.
const MOST_HALVINGS: u32 = 14;

/// Draws rings in world units.
#[derive(Debug)]
pub(super) struct Pen {
    tolerance: f64,
    /// Corners left before it is too much.
    left: usize,
    too_much: bool,
    rings: Vec<Vec<[f64; 2]>>,
    ring: Vec<[f64; 2]>,
}

/// A part of the unit circle from one of its places to another, less than a whole turn, and how
/// it lies in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
    /// Whether it runs from x towards y.
    pub(super) sweep: bool,
    pub(super) lie: Affine,
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

    /// The rings drawn since the last time; `None` when they were too much.
    pub(super) fn take(&mut self) -> Option<Vec<Vec<[f64; 2]>>> {
        self.lift();
        (!self.too_much).then(|| std::mem::take(&mut self.rings))
    }

    /// Ends a ring and begins another.
    pub(super) fn start(&mut self, p: [f64; 2]) {
        self.lift();
        self.line(p);
    }

    pub(super) fn line(&mut self, p: [f64; 2]) {
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

    /// A curve of the second order.
    pub(super) fn quadratic(&mut self, [p, q, r]: [[f64; 2]; 3]) {
        // No farther from its chord than an eighth of its second derivative, which is constant.
        let n = self.edges(0.25 * bend(p, q, r));
        for i in 1..n {
            let t = i as f64 / n as f64;
            self.line(mix(mix(p, q, t), mix(q, r, t), t));
        }
        self.line(r);
    }

    /// A curve of the third order.
    pub(super) fn cubic(&mut self, [p, q, r, s]: [[f64; 2]; 4]) {
        // The same; the second derivative lies between those at its ends.
        let n = self.edges(0.75 * bend(p, q, r).max(bend(q, r, s)));
        for i in 1..n {
            let t = i as f64 / n as f64;
            let [a, b, c] = [mix(p, q, t), mix(q, r, t), mix(r, s, t)];
            self.line(mix(mix(a, b, t), mix(b, c, t), t));
        }
        self.line(s);
    }

    /// Into how many edges to divide a curve that strays so far from its chord: it strays by the
    /// square of their number less from theirs.
    fn edges(&self, stray: f64) -> u64 {
        // The cast saturates, and makes 0 of a NaN.
        ((stray / self.tolerance).sqrt().ceil() as u64).clamp(1, MOST_EDGES)
    }

    pub(super) fn arc(&mut self, arc: Arc) {
        let middle = arc.middle();
        for part in [
            Arc { to: middle, ..arc },
            Arc {
                from: middle,
                ..arc
            },
        ] {
            self.part(part, MOST_HALVINGS);
        }
    }

    /// At most half a turn.
    fn part(&mut self, arc: Arc, halvings: u32) {
        let middle = arc.middle();
        let [from, top, to] = [arc.from, middle, arc.to].map(|p| arc.lie.place(p));
        let stray = length([0, 1].map(|a| top[a] - 0.5 * (from[a] + to[a])));
        if halvings == 0 || self.too_much || stray <= self.tolerance || stray.is_nan() {
            self.line(to);
            return;
        }
        for part in [
            Arc { to: middle, ..arc },
            Arc {
                from: middle,
                ..arc
            },
        ] {
            self.part(part, halvings - 1);
        }
    }

    fn lift(&mut self) {
        let mut ring = std::mem::take(&mut self.ring);
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        // What has fewer corners encloses nothing.
        if ring.len() >= 3 {
            self.rings.push(ring);
        }
    }
}

impl Arc {
    /// The place half-way along it, by halving the angle: no sines.
    fn middle(&self) -> [f64; 2] {
        let (p, q) = (self.from, self.to);
        let way = if self.sweep { 1.0 } else { -1.0 };
        let sum = [p[0] + q[0], p[1] + q[1]];
        let size = length(sum);
        if size < 1e-6 {
            return [-way * p[1], way * p[0]];
        }
        let turn = p[0] * q[1] - p[1] * q[0];
        let scale = if way * turn < 0.0 { -1.0 } else { 1.0 } / size;
        sum.map(|x| scale * x)
    }
}

fn mix(p: [f64; 2], q: [f64; 2], t: f64) -> [f64; 2] {
    [0, 1].map(|a| p[a] + t * (q[a] - p[a]))
}

fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// How much two steps differ.
fn bend(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    length([0, 1].map(|a| (r[a] - q[a]) - (q[a] - p[a])))
}
