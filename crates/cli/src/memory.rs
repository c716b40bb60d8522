//! How much memory is at hand.

use std::fs;

/// Bytes that can be taken without swapping or being killed: what Linux calls available,
/// within the limit of the control group. `None` where the system does not say.
pub(crate) fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| mem_available(&text));
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    match (machine, group) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

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
