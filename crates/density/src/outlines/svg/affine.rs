//! Transforms of the plane.

use svgtypes::{TransformListParser, TransformListToken as Token};

/// `x' = a x + c y + e`, `y' = b x + d y + f`, as SVG names them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl Affine {
    pub(super) const IDENTITY: Self = Self::new([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) const fn new([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self { a, b, c, d, e, f }
    }

    /// Turns by an angle, degrees; with y down, as the hands of a clock.
    pub(super) fn turn(degrees: f64) -> Self {
        // Quarters are exact, which pi is not.
        let (sin, cos) = match libm::fmod(degrees, 360.0) {
            0.0 => (0.0, 1.0),
            90.0 | -270.0 => (1.0, 0.0),
            180.0 | -180.0 => (0.0, -1.0),
            270.0 | -90.0 => (-1.0, 0.0),
            other => libm::sincos(other.to_radians()),
        };
        Self::new([cos, sin, -sin, cos, 0.0, 0.0])
    }

    /// The transforms of a list; the last is the first to be done.
    pub(super) fn parse(list: &str) -> Result<Self, svgtypes::Error> {
        let mut all = Self::IDENTITY;
        for token in TransformListParser::from(list) {
            let tan = |angle: f64| libm::tan(angle.to_radians());
            all = all.of(match token? {
                Token::Matrix { a, b, c, d, e, f } => Self { a, b, c, d, e, f },
                Token::Translate { tx, ty } => Self::new([1.0, 0.0, 0.0, 1.0, tx, ty]),
                Token::Scale { sx, sy } => Self::new([sx, 0.0, 0.0, sy, 0.0, 0.0]),
                Token::Rotate { angle } => Self::turn(angle),
                Token::SkewX { angle } => Self::new([1.0, 0.0, tan(angle), 1.0, 0.0, 0.0]),
                Token::SkewY { angle } => Self::new([1.0, tan(angle), 0.0, 1.0, 0.0, 0.0]),
            });
        }
        Ok(all)
    }

    /// First `inner`, then this.
    pub(super) fn of(&self, inner: Self) -> Self {
        let [a, b] = self.vector([inner.a, inner.b]);
        let [c, d] = self.vector([inner.c, inner.d]);
        let [e, f] = self.place([inner.e, inner.f]);
        Self { a, b, c, d, e, f }
    }

    /// The way back, of one that only turns.
    pub(super) fn inverse_turn(&self) -> Self {
        Self::new([self.a, self.c, self.b, self.d, 0.0, 0.0])
    }

    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [u, v] = self.vector([x, y]);
        [u + self.e, v + self.f]
    }

    fn vector(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.a * x + self.c * y, self.b * x + self.d * y]
    }
}
