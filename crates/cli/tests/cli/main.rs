//! Tests the command line as users run it: the real program, real files.

// Many tests are of Linux.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod alpha;
mod as_stored;
mod bad_input;
#[path = "../../../density/tests/density/by_hand.rs"]
mod by_hand;
mod cells;
#[path = "../../../density/tests/density/collection.rs"]
mod collection;
mod docs;
mod empty;
mod faults;
mod files;
mod flags;
mod formats;
mod hostile;
mod ignored;
mod judging;
mod large_maps;
mod lint;
mod map;
mod map_told;
mod masks;
mod misplaced;
mod numbers;
mod palettes;
mod paths;
mod places;
mod placing;
mod region;
mod scales;
mod scatter;
mod scene;
mod sizes;
mod species;
mod species_ground;
mod species_ways;
mod streams;
mod told;
mod verify;
mod windows;
mod works;
