//! Quality of the points, judged by searches that share no code with the samplers.

mod bridson;
mod parts;
mod scatter;
