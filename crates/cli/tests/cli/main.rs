//! The command line as users meet it: the real program, real files.

mod alpha;
mod as_stored;
mod bad_input;
#[path = "../../../density/tests/by_hand/mod.rs"]
mod by_hand;
mod cells;
mod docs;
mod empty;
mod faults;
mod files;
mod flags;
mod formats;
mod hostile;
mod interrupt;
mod large_maps;
mod lint;
mod map;
mod map_told;
mod masks;
mod misplaced;
mod more_outputs;
mod numbers;
mod palettes;
mod paths;
mod placing;
mod region;
mod scales;
mod scatter;
mod scene;
mod sizes;
mod species;
mod species_ground;
mod streams;
mod told;
mod verify;
mod works;
