//! The font of the plots, part of the program: a machine may have none.
//!
//! `DejaVu Sans` by way of the crate `dejavu`. The fonts are under Bitstream Vera's licence,
//! which asks that its notice goes with them: `licenses/DejaVu.txt` in this crate.

use super::PlotError;
use plotters::style::{FontStyle, register_font};

/// What plots call it.
pub(super) const NAME: &str = "spinney";

/// Makes it known to the drawing library. May be called again.
pub(super) fn register() -> Result<(), PlotError> {
    register_font(NAME, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| PlotError::Font)
}
