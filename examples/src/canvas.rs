//! Draws in world units.

use crate::Color;
use crate::png_file::write_picture;
use anyhow::{Context, Result};
use density::Bounds;
use std::path::Path;
use tiny_skia::{
    FillRule, GradientStop, LineCap, Paint, Path as Outline, PathBuilder, Pixmap, PixmapPaint,
    Point, RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

/// A picture of a part of the world, y downwards. Lengths are world units.
#[derive(Clone, Debug)]
pub struct Canvas {
    pixels: Pixmap,
    origin: [f64; 2],
    scale: f64,
}

impl Canvas {
    /// Creates a picture of `world`, `width` pixels wide, filled with `background`.
    ///
    /// # Errors
    /// If the picture would have no pixel, or too many.
    pub fn new(world: Bounds<2>, width: f64, background: Color) -> Result<Self> {
        let scale = width / world.size()[0];
        let [width, height] = world.size().map(|s| (s * scale).round() as u32);
        let mut pixels =
            Pixmap::new(width, height).context("the picture has no pixel, or too many")?;
        pixels.fill(background.skia());
        Ok(Self {
            pixels,
            origin: world.min(),
            scale,
        })
    }

    /// Returns the number of pixels per world unit.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns width and height, pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.pixels.width(), self.pixels.height()]
    }

    /// Colours every pixel by the place at its centre.
    pub fn backdrop(&mut self, color: impl Fn([f64; 2]) -> Color) {
        let width = self.pixels.width() as usize;
        let (origin, scale) = (self.origin, self.scale);
        for (i, pixel) in self.pixels.pixels_mut().iter_mut().enumerate() {
            let middle = [(i % width) as f64 + 0.5, (i / width) as f64 + 0.5];
            let place = std::array::from_fn(|a| origin[a] + middle[a] / scale);
            *pixel = color(place).skia().premultiply().to_color_u8();
        }
    }

    /// Draws a filled circle.
    pub fn disk(&mut self, center: [f64; 2], radius: f64, color: Color) {
        self.fill(
            self.circle(center, radius).as_ref(),
            Shader::SolidColor(color.skia()),
        );
    }

    /// Draws a filled circle whose colour runs from `inner` to `outer` on the rim. `inner` is at
    /// `light`, an offset from the centre in radii.
    pub fn ball(
        &mut self,
        center: [f64; 2],
        radius: f64,
        light: [f64; 2],
        [inner, outer]: [Color; 2],
    ) {
        let lit = std::array::from_fn(|a| center[a] + radius * light[a]);
        let stops = vec![
            GradientStop::new(0.0, inner.skia()),
            GradientStop::new(1.0, outer.skia()),
        ];
        // Distance from `light` to the far rim, in radii.
        let reach = 1.0 + (light[0] * light[0] + light[1] * light[1]).sqrt();
        let shader = RadialGradient::new(
            self.to_pixels(lit),
            0.0,
            self.to_pixels(lit),
            (reach * radius * self.scale) as f32,
            stops,
            SpreadMode::Pad,
            Transform::identity(),
        );
        let shader = shader.unwrap_or(Shader::SolidColor(outer.skia()));
        self.fill(self.circle(center, radius).as_ref(), shader);
    }

    /// Draws a disk that is `color` at the centre and fades to nothing at the rim.
    pub fn glow(&mut self, center: [f64; 2], radius: f64, color: Color) {
        self.ball(center, radius, [0.0, 0.0], [color, color.faint(0.0)]);
    }

    /// Draws a circle's outline, `width` wide, half of it on either side.
    pub fn ring(&mut self, center: [f64; 2], radius: f64, width: f64, color: Color) {
        self.stroke(self.circle(center, radius).as_ref(), width, color);
    }

    /// Draws a line through `places` with round ends.
    pub fn line(&mut self, places: &[[f64; 2]], width: f64, color: Color) {
        self.stroke(self.outline(places, End::Open).as_ref(), width, color);
    }

    /// Draws a filled polygon.
    pub fn polygon(&mut self, corners: &[[f64; 2]], color: Color) {
        let outline = self.outline(corners, End::Closed);
        self.fill(outline.as_ref(), Shader::SolidColor(color.skia()));
    }

    /// Draws the outline of a box.
    pub fn frame(&mut self, area: Bounds<2>, width: f64, color: Color) {
        let ([left, top], [right, bottom]) = (area.min(), area.max());
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let outline = self.outline(&corners, End::Closed);
        self.stroke(outline.as_ref(), width, color);
    }

    /// Puts pictures side by side, with gaps and a margin of `gap` pixels of paper.
    ///
    /// # Errors
    /// If the picture would have no pixel, or too many.
    pub fn beside(panels: &[Self], gap: u32) -> Result<Self> {
        let width: u32 = panels.iter().map(|p| p.size()[0] + gap).sum();
        let height = panels.iter().map(|p| p.size()[1]).max().unwrap_or(0);
        let size = [width + gap, height + 2 * gap].map(f64::from);
        let mut all = Self::new(Bounds::from_size(size)?, size[0], Color::PAPER)?;
        let mut left = gap;
        for panel in panels {
            all.put(panel, [left as i32, gap as i32]);
            left += panel.size()[0] + gap;
        }
        Ok(all)
    }

    /// Writes the picture as PNG. A picture with more than 256 colours is reduced to `colors` of
    /// them, 64 to 256, chosen to fit it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, colors: usize) -> Result<()> {
        write_picture(path, self.size(), self.pixels.data(), colors)
    }

    fn to_pixels(&self, place: [f64; 2]) -> Point {
        let [x, y] = [0, 1].map(|a| ((place[a] - self.origin[a]) * self.scale) as f32);
        Point::from_xy(x, y)
    }

    fn circle(&self, center: [f64; 2], radius: f64) -> Option<Outline> {
        let Point { x, y } = self.to_pixels(center);
        PathBuilder::from_circle(x, y, (radius * self.scale) as f32)
    }

    fn outline(&self, places: &[[f64; 2]], end: End) -> Option<Outline> {
        let mut builder = PathBuilder::new();
        for (i, &place) in places.iter().enumerate() {
            let Point { x, y } = self.to_pixels(place);
            if i == 0 {
                builder.move_to(x, y);
            } else {
                builder.line_to(x, y);
            }
        }
        if end == End::Closed {
            builder.close();
        }
        builder.finish()
    }

    // An outline without extent is `None`, and is not drawn.
    fn fill(&mut self, outline: Option<&Outline>, shader: Shader) {
        if let Some(outline) = outline {
            let (rule, place) = (FillRule::Winding, Transform::identity());
            self.pixels
                .fill_path(outline, &paint(shader), rule, place, None);
        }
    }

    fn stroke(&mut self, outline: Option<&Outline>, width: f64, color: Color) {
        if let Some(outline) = outline {
            let stroke = Stroke {
                width: (width * self.scale) as f32,
                line_cap: LineCap::Round,
                ..Stroke::default()
            };
            let paint = paint(Shader::SolidColor(color.skia()));
            let place = Transform::identity();
            self.pixels
                .stroke_path(outline, &paint, &stroke, place, None);
        }
    }

    fn put(&mut self, other: &Self, [x, y]: [i32; 2]) {
        let (paint, place) = (PixmapPaint::default(), Transform::identity());
        self.pixels
            .draw_pixmap(x, y, other.pixels.as_ref(), &paint, place, None);
    }

    /// Draws a filled box.
    pub fn fill_box(&mut self, area: Bounds<2>, color: Color) {
        let (a, b) = (self.to_pixels(area.min()), self.to_pixels(area.max()));
        if let Some(rect) = Rect::from_ltrb(a.x, a.y, b.x, b.y) {
            let paint = paint(Shader::SolidColor(color.skia()));
            self.pixels
                .fill_rect(rect, &paint, Transform::identity(), None);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Closed,
}

fn paint(shader: Shader) -> Paint {
    Paint {
        shader,
        anti_alias: true,
        ..Paint::default()
    }
}
