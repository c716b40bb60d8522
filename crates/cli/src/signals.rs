//! Signals that ask the program to end.

/// Calls `then` in a thread of its own when the program is asked to end. Signals that whoever started
/// the program had it ignore (`nohup` the hang-up, a shell its background's interrupt) stay ignored.
/// Where no handler can be had, they end the program at once.
///
/// A file that grows past its limit (`ulimit -f`) becomes an error of writing it.
#[cfg(unix)]
pub(crate) fn when_asked_to_end(then: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let ignored = ignored();
    let heeded = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    if heeded(&SIGXFSZ) {
        // Whoever writes is told; the flag itself says nothing new.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
    let asking = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];
    let Ok(mut signals) = Signals::new(asking.iter().filter(|s| heeded(s))) else {
        return;
    };
    // Of the addresses that a small limit leaves, it reserves few.
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let _ = thread.stack_size(256 << 10).spawn(move || {
        if signals.forever().next().is_some() {
            then();
        }
    });
}

/// The mask of the signals that are ignored, bit 0 for signal 1. Linux tells; elsewhere the
/// hang-up is taken for ignored, for a run under `nohup` must not end with its terminal.
#[cfg(unix)]
fn ignored() -> u64 {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(HANGUP)
}

/// Calls `then` in a thread of its own when Ctrl-C is pressed. Where no handler can be had, that
/// ends the program at once.
#[cfg(not(unix))]
pub(crate) fn when_asked_to_end(then: impl FnOnce() + Send + 'static) {
    let mut then = Some(then);
    let _ = ctrlc::try_set_handler(move || {
        if let Some(then) = then.take() {
            then();
        }
    });
}
