//! Pull evaluation of the points that [`Scatter`](crate::Scatter) is defined to give.
//!
//! The definition stands in `scatter/mod.rs`. The engine there executes it block by block, with
//! surroundings, unknown regions and places that are done again. This module executes it by asking:
//! whoever needs to know what becomes of a leaf's candidates sees to it that it is found out
//! ([`evaluator`]). It is to replace that engine. Until it does everything that the engine does, it
//! is built for tests alone, which hold the two together, bit for bit (`tests.rs`).
//!
//! Modules, from the ground up: `lattice`, `hash`, `law`; `bitmap`, `neighbourhood`; `leaf`;
//! `space`; `draw`, `tree`; `block`; `evaluator`.
//!
//! # What is there
//! Two and three dimensions, all rules but `Parent`, periodic domains, masks, endless worlds,
//! windows, a bound for memory, and a front behind which everything is forgotten.
//!
//! # What is missing
//! Points that are there before, threads, ranks, caps, worlds that forget what was touched long
//! ago.

mod bitmap;
mod block;
mod draw;
mod evaluator;
mod hash;
mod lattice;
mod law;
mod leaf;
mod neighbourhood;
mod space;
mod tests;
mod tree;
