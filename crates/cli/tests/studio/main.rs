//! `spinney studio` and `spinney sample` beside one another: the same map and flags are the same
//! bytes, whatever was painted on the way.

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
