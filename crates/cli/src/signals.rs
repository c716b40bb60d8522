//! Signals that ask the program to end.

/// Whether one of them came.
#[cfg(unix)]
pub(crate) struct Asked(signal_hook::iterator::Signals);

#[cfg(unix)]
impl Asked {
    /// From here on the signals do no more than to be asked about. What whoever started the
    /// program had it ignore (`nohup` the hang-up, a shell its background's interrupt) stays
    /// ignored.
    ///
    /// A file that grows past its limit (`ulimit -f`) becomes an error of writing it.
    ///
    /// `None` where no handler can be had: then they end the program at once.
    pub(crate) fn listen() -> Option<Self> {
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
        let signals = Signals::new(asking.iter().filter(|s| heeded(s)));
        signals.ok().map(Self)
    }

    /// Whether any came since this was asked last.
    pub(crate) fn is_so(&mut self) -> bool {
        self.0.pending().next().is_some()
    }
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

/// Whether Ctrl-C was pressed.
#[cfg(not(unix))]
pub(crate) struct Asked(std::sync::Arc<std::sync::atomic::AtomicBool>);

#[cfg(not(unix))]
impl Asked {
    /// From here on Ctrl-C does no more than to be asked about.
    pub(crate) fn listen() -> Option<Self> {
        let asked = Self(std::sync::Arc::default());
        let flag = std::sync::Arc::clone(&asked.0);
        ctrlc::try_set_handler(move || flag.store(true, std::sync::atomic::Ordering::Relaxed))
            .ok()
            .map(|()| asked)
    }

    /// Whether it was pressed since this was asked last.
    pub(crate) fn is_so(&mut self) -> bool {
        self.0.swap(false, std::sync::atomic::Ordering::Relaxed)
    }
}
