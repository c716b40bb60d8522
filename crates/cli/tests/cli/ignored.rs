//! Signals that were ignored before the tests began.

use std::fs;
use std::io::{self, Write};

/// Returns `true`, and prints a message, if these tests were started with `signal` ignored, which a shell
/// cannot undo.
pub(crate) fn is_ignored_here(signal: &str) -> bool {
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        "-QUIT" => 3,
        _ => return false,
    };
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_ignored = mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1);
    if is_ignored {
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: whatever started these tests ignores {signal}"
        );
    }
    is_ignored
}
