//! The command line as users meet it: the real program, real files.

mod bad_input;
mod faults;
mod files;
mod formats;
mod hostile;
mod interrupt;
mod map;
mod numbers;
mod paths;
mod placing;
mod scatter;
mod scene;
mod sizes;
mod streams;
mod verify;
mod works;
