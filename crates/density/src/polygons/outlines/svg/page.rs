//! Converts between a drawing's pixels, its user units and the world.

use crate::Bounds;
use kurbo::Affine;
use std::str::FromStr;
use svgtypes::{Align, AspectRatio, Length, LengthUnit, ViewBox};
use usvg::roxmltree::Node;

/// Returns the transform that scales and then moves, axis by axis.
fn scaled([x, y]: [f64; 2], [right, down]: [f64; 2]) -> Affine {
    Affine::new([x, 0.0, 0.0, y, right, down])
}

/// The page of a drawing, in the units of `usvg`: pixels from 0,0.
pub(super) struct Page {
    size: [f64; 2],
    view_box: Option<ViewBox>,
    aspect: AspectRatio,
    is_named: bool,
}

impl Page {
    /// Creates the page of a drawing from its outermost element and its size in pixels.
    pub(super) fn new(root: &Node<'_, '_>, size: usvg::Size) -> Self {
        let view_box = root.attribute("viewBox");
        let aspect = root.attribute("preserveAspectRatio");
        let aspect = aspect.and_then(|text| AspectRatio::from_str(text).ok());
        Self {
            size: [size.width(), size.height()].map(f64::from),
            view_box: view_box.and_then(|text| ViewBox::from_str(text).ok()),
            aspect: aspect.unwrap_or_default(),
            is_named: is_named(root),
        }
    }

    /// Returns the transform from pixels to the world that the page covers; `None` if the drawing
    /// names no page.
    pub(super) fn over(&self, world: &Bounds<2>) -> Option<Affine> {
        let scale = [0, 1].map(|a| world.size()[a] / self.size[a]);
        self.is_named.then(|| scaled(scale, world.min()))
    }

    /// Returns the transform from pixels back to user units.
    pub(super) fn units(&self) -> Affine {
        let Some(view) = self.view_box else {
            return scaled([1.0; 2], [0.0; 2]);
        };
        let (min, size) = ([view.x, view.y], [view.w, view.h]);
        let scale = self.scale(size);
        let free = [0, 1].map(|a| self.size[a] - scale[a] * size[a]);
        let share = shares(self.aspect.align);
        let shift = [0, 1].map(|a| min[a] - share[a] * free[a] / scale[a]);
        scaled(scale.map(|s| 1.0 / s), shift)
    }

    /// Returns the number of pixels in a user unit, along each axis.
    fn scale(&self, view: [f64; 2]) -> [f64; 2] {
        let scale = [0, 1].map(|a| self.size[a] / view[a]);
        match self.aspect {
            AspectRatio {
                align: Align::None, ..
            } => scale,
            AspectRatio { slice: true, .. } => [scale[0].max(scale[1]); 2],
            AspectRatio { slice: false, .. } => [scale[0].min(scale[1]); 2],
        }
    }

    /// Returns `true` if the page and its `viewBox` have different aspect ratios, and the drawing
    /// is not stretched.
    pub(super) fn is_letterboxed(&self) -> bool {
        self.view_box.is_some_and(|view| {
            let ratio = self.size[0] * view.h / (self.size[1] * view.w);
            self.aspect.align != Align::None && (ratio - 1.0).abs() > 0.01
        })
    }
}

/// Returns `true` if a drawing with this outermost element has a page.
pub(super) fn is_named(root: &Node<'_, '_>) -> bool {
    let is_length = |name| {
        let length = root.attribute(name).map(Length::from_str);
        length.is_some_and(|l| l.is_ok_and(|l| l.unit != LengthUnit::Percent))
    };
    root.has_attribute("viewBox") || (is_length("width") && is_length("height"))
}

/// Returns the share of the free space that lies before the drawing, along each axis.
fn shares(align: Align) -> [f64; 2] {
    let x = match align {
        Align::None | Align::XMinYMin | Align::XMinYMid | Align::XMinYMax => 0.0,
        Align::XMidYMin | Align::XMidYMid | Align::XMidYMax => 0.5,
        Align::XMaxYMin | Align::XMaxYMid | Align::XMaxYMax => 1.0,
    };
    let y = match align {
        Align::None | Align::XMinYMin | Align::XMidYMin | Align::XMaxYMin => 0.0,
        Align::XMinYMid | Align::XMidYMid | Align::XMaxYMid => 0.5,
        Align::XMinYMax | Align::XMidYMax | Align::XMaxYMax => 1.0,
    };
    [x, y]
}
