//! The maximal, order-free engine: dart throwing made deterministic and local.
//!
//! It is a definition first, and whatever execution yields it is right:
//!
//! 1. Space is a lattice of cells, the coarsest with a diagonal of 4.5 greatest distances (4 in
//!    space), refined like a quadtree until a cell's diagonal is at most 6.75 (6) times the least
//!    distance in it: a *tile*. A tile is `4^D` cells, and a cell is `4^D` parts. Amid points that were
//!    there before all of this is as many times longer as the run is told (`Scatter::amid`).
//! 2. A tile throws as many candidates as it has cells, anywhere in it: blind, the first round.
//!    Places are hashes of (seed, level, tile, number), and so are turns: of a tile each
//!    candidate has an equal span of time to itself. So that they come at one rate for each disk,
//!    times are stretched by the volume of the distance, over that of the cell: of the least
//!    distance in the tile, and where these differ more than twofold of that asked for at the
//!    place. What would come after the round is not thrown (`steep.rs`). With one candidate in each
//!    cell the points would be 1 % denser in the middles of cells: a line in the spectrum. Amid
//!    points that were there before, open parts throw instead, as many for each volume, at any
//!    time of the round.
//! 3. In two more rounds the parts that no single accepted point covers throw: a quarter of
//!    them, then all. Were it one part of each cell instead, the last open parts of a cell, which
//!    lie at its rims, would be hit more often than others: a line again.
//! 4. What is open then is looked at more closely: each open part is divided into `4 x 4` pieces
//!    (in space `2 x 2 x 2`) and throws into each that is open, round by round, until no piece is
//!    open or the finest resolution (`min_dist` / 1024) is reached. Nor is a piece divided in all of
//!    which more seems to be asked for than was seen in its tile, by a field that cannot bound itself:
//!    what asks for that is not accepted.
//! 5. A candidate is accepted when no accepted candidate of an earlier turn conflicts with it.
//!    The turn is the point's `id`.
//!
//! So the points are the lexicographically first maximal independent set of the conflict
//! graph (Blelloch, Fineman, Shun: "Greedy Sequential Maximal Independent Set and Matching are
//! Parallel on Average", 2012), which has one value however it is computed. Refining what is
//! uncovered follows White, Cline, Egbert ("Poisson Disk Point Sets by Hierarchical Dart
//! Throwing", 2007) and Ebeida et al. ("A Simple Algorithm for Maximal Poisson-Disk Sampling in
//! High Dimensions", 2012); the conflict rules Mitchell et al. ("Variable Radii Poisson-Disk
//! Sampling", 2012).
//!
//! It is executed block by block. A block is worked on together with its surroundings, as deep
//! everywhere as the distances on the way have it (`remote.rs`), and every decision that hangs on
//! something beyond them is *unknown*, never guessed; where an unknown reaches the block, its place is
//! looked at again with wider surroundings (`unsure.rs`). Hence the points of a block, and of any
//! window, are those of the whole, bit for bit.
//!
//! # Levels of detail
//! On request each finished point gets a rank, by the same rule on the finished points at twice
//! the distance, four times, and so on ([`ScatterOptions::levels`]).

mod ahead;
mod base;
mod blocks;
mod cache;
#[cfg(test)]
mod certain;
mod count;
mod cover;
mod crowd;
mod cut;
mod decide;
mod engine;
mod first;
mod floor;
mod guests;
mod lattice;
mod law;
mod lists;
#[cfg(test)]
mod mended;
mod node;
mod options;
mod plan;
mod queue;
mod rank;
mod ranked;
mod region;
mod remote;
mod rim;
mod roots;
mod rounds;
mod scattered;
mod shade;
mod sift;
mod slivers;
mod spread;
mod steep;
mod store;
#[cfg(test)]
mod tests;
mod throw;
mod tile;
mod tree;
mod unknown;
mod unsure;
mod view;
mod waits;
mod whole;
mod windows;

pub(crate) use blocks::asked;
pub use count::{Counted, Edges};
pub(crate) use crowd::{Crowd, Guest};
pub(crate) use cut::most_points;
pub use engine::Scatter;
pub(crate) use lattice::top;
pub(crate) use options::{Depth, packing};
pub use options::{MAX_LEVELS, ScatterOptions};
pub(crate) use plan::Regions;
pub use scattered::{Progress, Scattered};
pub use whole::Stream;
pub use windows::Windows;
