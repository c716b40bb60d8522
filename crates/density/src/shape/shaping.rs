//! The steps from a map's greys to its field: tone, then the gradient limit.

use super::{Curve, DistMap, MapKind, ShapeError, Side, Tone, limit};
use crate::numbers::plain;
use crate::{DistRange, GreyMap, MapError, MapOptions, RadiusMap, White};
use thiserror::Error;

/// The changes to a map's greys on the way to distances, in the order of the fields. The default changes nothing.
///
/// ```
/// use spinney_density::shape::{Shaping, Side};
/// use spinney_density::{DistRange, GreyMap, MapOptions, RadiusField};
///
/// let map = GreyMap::from_fn(64, 1, |x, _| if x < 32 { 0.0 } else { 1.0 })?;
/// let limit = Some((0.25, Side::Dense));
/// let shaping = Shaping { limit, ..Shaping::default() };
/// let field = shaping.field(map, DistRange::new(1.0, 9.0)?, MapOptions::default())?;
/// assert!(field.min_dist([33.5, 0.5]) < Some(1.6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shaping {
    /// Whether the greys are sRGB values: see [`Tone::linear`].
    pub srgb: bool,
    /// The power that greys are raised to.
    pub gamma: Option<f64>,
    /// The curve that maps the greys.
    pub curve: Option<Curve>,
    /// The quantity that is linear in the grey.
    pub kind: MapKind,
    /// The slope and the unchanged side of [`limit`](limit()).
    pub limit: Option<(f64, Side)>,
}

/// Reason for refusing to shape a map: the option, its value, and the fault. Not `#[non_exhaustive]`, so that every front
/// end has to name a new option.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ShapingError {
    /// The power that greys are raised to.
    #[error("gamma {gamma}: {1}", gamma = plain(*.0))]
    Gamma(f64, ShapeError),
    /// The gradient limit. [`ShapeError::Map`] means lack of memory, or pixels of a wrong size.
    #[error("limit {slope}: {1}", slope = plain(*.0))]
    Limit(f64, ShapeError),
    /// The size of the world: see [`RadiusMap::new`].
    #[error("size: {1}")]
    Size([f64; 2], MapError),
}

impl Shaping {
    /// Returns the tone, or `None` if it changes nothing.
    ///
    /// # Errors
    /// Those of [`Tone::gamma`].
    pub fn tone(&self, range: DistRange, white: White) -> Result<Option<Tone>, ShapingError> {
        let greys = Self {
            limit: None,
            ..self.clone()
        };
        if greys == Self::default() {
            return Ok(None);
        }
        let mut tone = Tone::new();
        if self.srgb {
            tone = tone.linear();
        }
        if let Some(gamma) = self.gamma {
            let toned = tone.gamma(gamma);
            tone = toned.map_err(|e| ShapingError::Gamma(gamma, e))?;
        }
        if let Some(curve) = &self.curve {
            tone = tone.curve(curve);
        }
        Ok(Some(tone.from_kind(self.kind, range, white)))
    }

    /// Returns the map after the tone, before the gradient limit. Each pixel depends on itself alone.
    ///
    /// # Errors
    /// Those of [`tone`](Self::tone).
    pub fn toned(
        &self,
        map: GreyMap,
        range: DistRange,
        white: White,
    ) -> Result<GreyMap, ShapingError> {
        Ok(match self.tone(range, white)? {
            Some(tone) => tone.apply(map),
            None => map,
        })
    }

    /// Returns the field of `map` with distances in `range`. A map of one distance keeps its greys.
    ///
    /// # Errors
    /// Those of [`tone`](Self::tone), [`DistMap::new`], [`limit`](limit()) and [`RadiusMap::new`].
    pub fn field(
        &self,
        map: GreyMap,
        range: DistRange,
        options: MapOptions,
    ) -> Result<RadiusMap, ShapingError> {
        let white = options.white;
        let pixels = map.size().map(f64::from);
        let size = options.bounds.map_or(pixels, |bounds| bounds.size());
        let mut map = self.toned(map, range, white)?;
        if let Some((slope, keep)) = self.limit {
            let failed = |e| ShapingError::Limit(slope, e);
            let pixel = [size[0] / pixels[0], size[1] / pixels[1]];
            let distances = DistMap::new(&map, range, white, pixel).map_err(ShapeError::from);
            let limited = distances.and_then(|all| limit(&all, slope, keep));
            let limited = limited.map_err(failed)?;
            if range.lo() < range.hi() {
                map = limited.to_map(range, white).map_err(|e| failed(e.into()))?;
            }
        }
        RadiusMap::new(map, range, options).map_err(|e| ShapingError::Size(size, e))
    }
}
