//! `spinney studio`: a page on one's own machine on which to paint a map and see its points.
//!
//! A [`Server`] serves one browser page on this machine's own addresses. A [`Session`] holds the maps,
//! at 16 bits a pixel, the settings, named as on the command line, and the points. The points equal
//! those of `spinney sample` on the saved map, bit for bit. The page sends strokes and receives pixels
//! and points. It never sends pixels, which a browser's canvas would round to 8 bits.
//!
//! All tabs share the one session of a server. `SECURITY.md` says which requests are answered.
//!
//! Modules, from the ground up: `error`, `brush`, `canvas`, `history`, `settings`, `pictures`, `dots`, `engine`
//! (the only one that calls the sampler), `session`, `command`, `species`, `exports`, `verify`,
//! `guard`, `routes`, `server`.

mod brush;
mod canvas;
mod command;
mod dots;
mod engine;
mod error;
mod exports;
mod guard;
mod history;
mod pictures;
mod routes;
mod server;
mod session;
mod settings;
mod species;
mod verify;

pub use error::{Refused, StudioError};
pub use pictures::Picture;
pub use server::{Patience, Server};
pub use session::Session;
