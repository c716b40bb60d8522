//! The command line as users meet it: the real program, real files.

mod bad_input;
mod files;
mod interrupt;
mod scene;
mod sizes;
mod streams;
mod verify;
mod works;
