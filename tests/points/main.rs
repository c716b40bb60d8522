//! How good the points are, judged by searches that share nothing with the samplers.

mod bridson;
mod parts;
mod scatter;
