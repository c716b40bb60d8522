//! The maximal, order-free engine: dart throwing made deterministic and local.
//!
//! # Words
//! | word | meaning |
//! |---|---|
//! | radius, `r` | a `min_dist`: the distance to keep, never half of it. `lo` and `hi` are its bounds in a box |
//! | priority, `id` | the number that orders candidates: the smaller comes first |
//! | cell | a cube of the lattice, of any size: a leaf, the parts of a leaf, an unresolved cell |
//! | reach | the greatest distance at which two things may conflict |
//! | `p` | a position in the world |
//! | `x` | a position relative to a leaf's lowest corner, world units |
//! | `at` | a position in a leaf in `2^-32` of its sides; of a cell, its number along each axis |
//! | image | a copy of a periodic domain |
//! | pass | one run of the definition: of one layer, or of layers with one field ([`plan`]) |
//!
//! # Definition
//! The engine is a definition first; any execution that yields the points defined here is right:
//!
//! 1. Space is a lattice of cells. The diagonal of the coarsest is 4.5 greatest distances (4 in 3D), less where
//!    cells divide a periodic domain. Cells are divided like a quadtree until a cell's diagonal is at most 6.75
//!    (6) times the least distance in it: a *leaf*. A leaf has `4^D` cells of `4^D` parts. A bitmap, its
//!    *coverage*, has a bit for each part, which is set when the disk of a single point or obstacle contains the
//!    whole part, or no point may lie in it.
//! 2. A leaf first draws as many *candidates* as it has cells, anywhere in it: the blind round. Positions
//!    and priorities are hashes of (seed, level, leaf, number); the priorities of each candidate of a leaf
//!    have a span of their own, all of equal length. Let q = (distance / cell side)^D. In a field of one
//!    distance, q is greatest in a leaf whose parent just does not fit: let q0 be this value. Each priority is
//!    multiplied by q / q0, so that a disk that is large beside its cell has later candidates: they come at
//!    the same rate for each disk. Those scaled past the end of the round are not drawn. The distance in q
//!    is the least in the leaf, or the local distance where distances differ more than twofold.
//!    One candidate in each cell would make the points 1 % denser at the centres of cells: a line in the
//!    spectrum.
//! 3. In two more rounds uncovered parts draw: a quarter of them, then all. Covered parts could draw as
//!    well: their candidates would be rejected. If one part of each cell drew instead, the last uncovered
//!    parts of a cell, which lie at its rims, would be hit more often than others: a line again.
//! 4. Parts that are still uncovered become *fragments* of `4 x 4` *pieces* (`2 x 2 x 2` in 3D). Each
//!    uncovered piece draws one candidate a round, and is a fragment of the next round. This ends when none
//!    is uncovered or the finest resolution is reached (`min_dist` / 1024; / 64 where distances differ more
//!    than 1.5-fold, a hard edge): the remaining pieces are the *unresolved cells*, and counted. So that no
//!    island is missed, the finest are an eighth of a mask's detail and of the domain's width, down to 28
//!    halvings of a leaf. `pass_view` has these numbers, and tells which cells of a mask count as closed.
//! 5. A candidate is accepted if no accepted candidate of smaller priority conflicts with it. The priority
//!    is the point's `id`.
//!
//! So the points are the lexicographically first maximal independent set of the conflict graph (Blelloch,
//! Fineman, Shun: "Greedy Sequential Maximal Independent Set and Matching are Parallel on Average", 2012),
//! which does not depend on how it is computed. The refinement of uncovered parts follows White, Cline,
//! Egbert ("Poisson Disk Point Sets by Hierarchical Dart Throwing", 2007) and Ebeida et al. ("A Simple
//! Algorithm for Maximal Poisson-Disk Sampling in High Dimensions", 2012); the conflict rules follow
//! Mitchell et al. ("Variable Radii Poisson-Disk Sampling", 2012).
//!
//! # Execution
//! By pull evaluation with a memo ([`evaluator`]): a leaf is evaluated when its decisions are first needed.
//! All ways to run the engine are one function, "finish these leaves": the whole ([`bounded_plan`], [`run`]), a
//! window, an endless world ([`shards`]), a stream.
//!
//! # Passes
//! Layers are decided in passes ([`plan`]). Each pass is a set of points by the definition above, with the
//! points of earlier passes as *obstacles*. These are added to a leaf when it is opened, before it draws.
//!
//! # Levels of detail
//! On request each finished point gets a rank: the same rule is applied to the finished points at twice the
//! distance, four times, and so on ([`ScatterOptions::levels`]).
//!
//! # Modules
//! A module uses those in the rows below, and in its own row those to the right. All below `engine` are compiled in
//! this crate, and not again in each program.
//!
//! ```text
//!   public types       world  count  bounded  engine
//!   ways to run        factor  shards  bounded_plan
//!   parts of a run     run  ahead  ranked  rank  gather
//!   layers             plan  layer  apart  options  scattered
//!   evaluation         evaluator  block  neighbour_search  tree  pages  draw  leaf
//!   a pass             pass_view  pass  territory
//!   inside a leaf      neighbours  near_points  bitmap  shape
//!   the ground         hash  lattice  lanes  margin  separation
//! ```

mod ahead;
mod apart;
mod bitmap;
mod block;
mod bounded;
mod bounded_plan;
mod count;
mod draw;
mod engine;
mod evaluator;
mod factor;
mod gather;
mod hash;
mod lanes;
mod lattice;
mod layer;
mod leaf;
mod margin;
mod near_points;
mod neighbour_search;
mod neighbours;
mod options;
mod pages;
mod pass;
mod pass_view;
mod plan;
mod rank;
mod ranked;
mod run;
mod scattered;
mod separation;
mod shape;
mod shards;
mod territory;
#[cfg(test)]
mod tests;
mod tree;
mod world;

pub use apart::Apart;
pub use bounded::{Scatter, Stream};
pub use count::Counted;
pub use layer::Layer;
pub use options::ScatterOptions;
pub use pass::Edges;
pub use scattered::{Progress, Scattered};
pub use world::World;
