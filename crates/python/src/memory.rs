//! Available memory.

use std::fs;

/// Returns the memory that can be used without swapping or being killed, bytes: Linux's available
/// memory, within the limit of the control group. `None` if the system does not report it.
pub(crate) fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kibibytes.checked_mul(1024)
    });
    let of_group = |name| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let group = of_group("max").and_then(|max| {
        let used = of_group("current").unwrap_or_default();
        left_in_group(&max, &used, &of_group("stat").unwrap_or_default())
    });
    machine.into_iter().chain(group).min()
}

/// Returns the rest of a control group's limit, bytes, or `None` without a limit. Cached files that are
/// not in use do not count as used. The command line's `memory.rs` has the same function, and its test.
fn left_in_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    let used: u64 = current.trim().parse().unwrap_or(0);
    let cached = stat
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "));
    let cached = cached
        .and_then(|bytes| bytes.trim().parse().ok())
        .unwrap_or(0);
    Some(max.saturating_sub(used.saturating_sub(cached)))
}
