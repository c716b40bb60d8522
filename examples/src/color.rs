//! Colours.

/// A colour, not premultiplied: red, green, blue and opacity in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub [f32; 4]);

impl Color {
    /// Paper.
    pub const PAPER: Self = Self::hex(0x00fa_f8f3);
    /// White.
    pub const WHITE: Self = Self::hex(0x00ff_ffff);
    /// Ink.
    pub const INK: Self = Self::hex(0x0022_2b38);

    /// Returns an opaque colour from `0xRRGGBB`.
    pub const fn hex(hex: u32) -> Self {
        const fn part(byte: u32) -> f32 {
            (byte & 255) as f32 / 255.0
        }
        Self([part(hex >> 16), part(hex >> 8), part(hex), 1.0])
    }

    /// Returns a grey: 0 is black, 1 is white.
    pub fn grey(value: f64) -> Self {
        let value = value as f32;
        Self([value, value, value, 1.0])
    }

    /// Returns the colour with this opacity.
    #[must_use]
    pub fn faint(self, opacity: f64) -> Self {
        let [r, g, b, _] = self.0;
        Self([r, g, b, opacity as f32])
    }

    /// Returns the mixture of this colour (t = 0) and `other` (t = 1).
    #[must_use]
    pub fn to(self, other: Self, t: f64) -> Self {
        let t = (t as f32).clamp(0.0, 1.0);
        Self(std::array::from_fn(|i| {
            self.0[i] + t * (other.0[i] - self.0[i])
        }))
    }

    pub(crate) fn skia(self) -> tiny_skia::Color {
        let [r, g, b, a] = self.0.map(|part| part.clamp(0.0, 1.0));
        tiny_skia::Color::from_rgba(r, g, b, a).unwrap_or(tiny_skia::Color::BLACK)
    }
}
