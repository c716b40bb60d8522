//! Signals that ask the program to end.

/// Calls `then` in a new thread when a signal asks the program to end.
///
/// Signals that were ignored when the program started stay ignored (the hang-up under `nohup`, the
/// interrupt of a shell's background job). If no handler can be installed, signals end the program at once.
///
/// A file that grows past its limit (`ulimit -f`) causes a write error instead of a signal.
#[cfg(unix)]
pub(crate) fn when_asked_to_end(then: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let ignored = ignored();
    let heeded = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    if heeded(&SIGXFSZ) {
        // The write returns an error; the flag itself is not used.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
    let asking = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];
    let Ok(mut signals) = Signals::new(asking.iter().filter(|s| heeded(s))) else {
        return;
    };
    // A small stack, as the address space may be limited.
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let _ = thread.stack_size(256 << 10).spawn(move || {
        if signals.forever().next().is_some() {
            then();
        }
    });
}

/// Returns the mask of ignored signals, bit 0 for signal 1. Read from Linux; on other systems the hang-up
/// counts as ignored, since a run under `nohup` must outlive its terminal.
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

/// Calls `then` in a new thread when Ctrl-C is pressed. If no handler can be installed, Ctrl-C ends the
/// program at once.
#[cfg(not(unix))]
pub(crate) fn when_asked_to_end(then: impl FnOnce() + Send + 'static) {
    let mut then = Some(then);
    let _ = ctrlc::try_set_handler(move || {
        if let Some(then) = then.take() {
            then();
        }
    });
}
