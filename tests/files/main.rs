//! Written files, as our own readers and foreign tools read them; and saves.

mod engines;
mod foreign;
mod layers;
mod round_trip;
mod saves;
