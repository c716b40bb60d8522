//! What is written, as our own readers and foreign tools read it; and saves.

mod engines;
mod foreign;
mod layers;
mod round_trip;
mod saves;
