//! Compares `spinney studio` with `spinney sample`: the same map and flags give the same bytes, whatever
//! was painted before.

mod browser;
#[path = "../../../studio/tests/common/client.rs"]
mod client;
mod equal;
#[cfg(unix)]
#[path = "../cli/ignored.rs"]
mod ignored;
mod random;
mod running;
mod species;
