//! Measures the memory that is available.

use std::fs;

/// The share of the machine's remaining memory that a run may use.
const SHARE_OF_MACHINE: f64 = 0.85;

/// The share of the remaining address space that a run may use: a growing list exists beside its copy of
/// twice the size.
const SHARE_OF_ADDRESSES: f64 = 0.35;

/// Returns the bytes that can be allocated without swapping, being killed or being refused: Linux's
/// `MemAvailable`, within the limits of the control group and of the program (`ulimit -v`). `None` where
/// the system does not tell.
pub(crate) fn available() -> Option<u64> {
    machine().into_iter().chain(addresses()).min()
}

/// Returns the bytes that a run may use from here on; `None` where the system does not tell.
pub(crate) fn budget() -> Option<u64> {
    budget_of(machine(), addresses())
}

/// Returns the budget where these many bytes are left on the machine and of the address space.
fn budget_of(machine: Option<u64>, addresses: Option<u64>) -> Option<u64> {
    let share = |left: Option<u64>, share: f64| left.map(|left| (left as f64 * share) as u64);
    let machine = share(machine, SHARE_OF_MACHINE);
    let addresses = share(addresses, SHARE_OF_ADDRESSES);
    machine.into_iter().chain(addresses).min()
}

/// Returns the bytes left on the machine, within the limit of the control group.
fn machine() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| mem_available(&text));
    let of_group = |name| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let group = of_group("max").and_then(|max| {
        let used = of_group("current").unwrap_or_default();
        left_in_group(&max, &used, &of_group("stat").unwrap_or_default())
    });
    machine.into_iter().chain(group).min()
}

/// Returns the bytes of address space that the program may still allocate (`ulimit -v`, `-d`), if limited.
pub(crate) fn addresses() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |limit, used| {
        let used = kibibytes(&status, used).unwrap_or(0);
        Some(limit_of(&limits, limit)?.saturating_sub(used))
    };
    let space = of("Max address space", "VmSize:");
    let data = of("Max data size", "VmData:");
    space.into_iter().chain(data).min()
}

/// Returns the bytes left within a control group's limit, if it has one. Cached files that are not in use
/// do not count as used.
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

/// Returns the soft limit `name`, if there is one.
fn limit_of(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

fn mem_available(meminfo: &str) -> Option<u64> {
    kibibytes(meminfo, "MemAvailable:")
}

/// Returns in bytes the value of a line that ends in kB.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scarcer_counts() {
        assert_eq!(budget_of(Some(1000), None), Some(850));
        assert_eq!(budget_of(Some(1000), Some(1000)), Some(350));
        assert_eq!(budget_of(Some(100), Some(1000)), Some(85));
        assert_eq!(budget_of(None, None), None);
    }

    #[test]
    fn limits_are_read_as_linux_writes_them() {
        let text = "Limit                     Soft Limit           Hard Limit           Units\n\
                    Max data size             unlimited            unlimited            bytes\n\
                    Max address space         307200000            unlimited            bytes\n";
        assert_eq!(limit_of(text, "Max address space"), Some(307_200_000));
        assert_eq!(limit_of(text, "Max data size"), None);
        assert_eq!(limit_of("", "Max data size"), None);
    }

    #[test]
    fn what_a_group_uses_is_not_left() {
        let stat = "anon 700\ninactive_file 200\nactive_file 50\n";
        assert_eq!(left_in_group("2000\n", "1300\n", stat), Some(900));
        assert_eq!(left_in_group("2000\n", "1300\n", ""), Some(700));
        assert_eq!(left_in_group("2000\n", "", stat), Some(2000));
        assert_eq!(left_in_group("1000\n", "1300\n", ""), Some(0));
        assert_eq!(left_in_group("max\n", "1300\n", stat), None);
    }

    #[test]
    fn reads_what_linux_writes() {
        let text = "MemTotal:       16384000 kB\nMemFree: 1 kB\nMemAvailable:    8192000 kB\n";
        assert_eq!(mem_available(text), Some(8_192_000 * 1024));
        for other in [
            "",
            "MemAvailable: much",
            "MemAvailable: 99999999999999999999 kB",
        ] {
            assert_eq!(mem_available(other), None, "{other}");
        }
    }
}
