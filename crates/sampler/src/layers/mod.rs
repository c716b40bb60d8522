//! Several layers (species) over one world, each with a field of its own.
//!
//! Layers are decided one after the other, those of a smaller [`turn`](Layer::turn) first;
//! those of one turn get a [`share`](Layer::share) of the ground each before they fill up what
//! is left (`steps.rs`), or at once if they are alike (`together.rs`). Each step is a [`Scatter`](crate::Scatter) of a layer's field amid the
//! earlier points, which are its engine's guests (`deciding.rs`): so it is maximal given
//! what came before. How far points of two layers must be apart says [`Apart`]; how large the
//! tiles are that a step is decided in, `stretch.rs`.
//!
//! A window needs the points of earlier layers around it (`surroundings.rs`). A layer that asks
//! for a place beyond what is known of them is noticed, and the window is done again with more
//! around it: so its points are those of the whole, not nearly so.

mod apart;
mod deciding;
mod error;
mod expected;
mod joined;
mod layer;
mod layered;
mod likeness;
mod lots;
mod roomy;
mod steps;
mod stretch;
mod surroundings;
mod together;

pub use apart::Apart;
pub use error::LayersError;
pub use layer::{Layer, MAX_LAYERS};
pub use layered::Layered;
