//! Windows, layers, ranks, edges, counts and costs of `Scatter` and `World`. One program for all
//! files, as linking one for each takes longer than the tests.

mod avoiding;
mod common;
mod layers;
mod layers_alike;
mod layers_independent;
mod layers_obstacles;
mod layers_shares;
mod masks;
mod scatter_cost;
mod scatter_counts;
mod scatter_edges;
mod scatter_hard_edges;
mod scatter_limits;
mod scatter_ranks;
mod scatter_repaint;
mod scatter_same;
mod within;
mod worlds;
mod worlds_memory;
mod worlds_near;
mod worlds_obstacles;
