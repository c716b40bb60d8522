//! The font of the plots, built into the program, as a machine may have no fonts.
//!
//! `DejaVu Sans` from the crate `dejavu`. The fonts are under Bitstream Vera's licence, which
//! requires its notice to be included: `licenses/DejaVu.txt` in this crate.

use super::PlotError;
use plotters::style::{FontStyle, register_font};

/// Name of the font in plots.
pub(super) const NAME: &str = "spinney";

/// Registers the font with the drawing library. May be called again.
pub(super) fn register() -> Result<(), PlotError> {
    register_font(NAME, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| PlotError::Font)
}
