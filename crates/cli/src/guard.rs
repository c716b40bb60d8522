//! What looks after a run from outside of it: asked to end, or out of memory, it ends the run
//! without leaving drafts behind, whatever other threads are busy with or blocked on.
//!
//! What a run needs is estimated before it starts, but an estimate may be too low: how far the
//! points of a steep map depend on each other shows only on the way. An allocation that is
//! refused would abort the program, and memory that the system has promised but not got would
//! have it killed; so the run is ended before, while the reason can still be told.

use crate::drafts::{Drafts, End, Progress};
use crate::memory::{self, Left};
use crate::numbers;
use crate::signals::Asked;
use std::fs::File;
use std::io::{Read, Seek};
use std::thread;
use std::time::Duration;

/// Nobody notices so short a wait, and what memory grows by in it is little beside the reserve.
const EVERY: Duration = Duration::from_millis(10);

/// Of the memory that the machine has left.
const SHARE_OF_MACHINE: f64 = 0.85;

/// Of the addresses that the program has left: while a list grows, its copy, twice its size, is
/// beside it.
const SHARE_OF_ADDRESSES: f64 = 0.35;

/// How much memory a run may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    /// Bytes of the whole program.
    total: u64,
    /// Bytes of the run.
    own: u64,
    /// What to do about it.
    advice: &'static str,
}

/// A run for which memory is looked after, until this is dropped.
pub(crate) struct Watch<'a>(&'a Drafts);

impl<'a> Watch<'a> {
    /// From here on, a run that takes too much memory ends with one line that holds the
    /// `advice`, and exit code 1. Where the system does not say what there is, it is not
    /// looked after.
    pub(crate) fn start(drafts: &'a Drafts, advice: &'static str) -> Self {
        let start = status().as_mut().and_then(resident);
        let ceiling = most(memory::left()).zip(start).map(|(own, start)| Ceiling {
            total: start.saturating_add(own),
            own,
            advice,
        });
        drafts.set_ceiling(ceiling);
        Self(drafts)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.0.set_ceiling(None);
    }
}

/// Starts to look after a run. Where no thread can be had, signals end the program at once, as
/// without a handler.
pub(crate) fn start(end: End) {
    let Some(mut asked) = Asked::listen() else {
        return;
    };
    // One thread for all, and it reads into its stack: each thread that allocates reserves
    // more addresses for itself than a small limit has.
    let mut status = status();
    let _ = thread::Builder::new()
        .name("guard".to_owned())
        .stack_size(256 << 10)
        .spawn(move || {
            loop {
                thread::sleep(EVERY);
                if asked.is_so() {
                    end.now(130, |progress| match progress {
                        Progress::Writing => "interrupted: no file was written".to_owned(),
                        Progress::Published => {
                            "interrupted: the files were complete already".to_owned()
                        }
                    });
                }
                let Some(ceiling) = end.ceiling() else {
                    continue;
                };
                let taken = status.as_mut().and_then(resident);
                if taken.is_some_and(|taken| taken > ceiling.total) {
                    end.out_of_memory(|_| {
                        let own = numbers::bytes(ceiling.own as f64);
                        format!(
                            "error: the run takes more than {own} of memory, and no more is to \
                             be had: {}",
                            ceiling.advice
                        )
                    });
                }
            }
        });
}

/// The most bytes that a run may take, if it were watched from here on.
pub(crate) fn allowance() -> Option<u64> {
    most(memory::left())
}

/// The most bytes that a run may take.
fn most(left: Left) -> Option<u64> {
    let share = |left: Option<u64>, share: f64| left.map(|left| (left as f64 * share) as u64);
    let machine = share(left.machine, SHARE_OF_MACHINE);
    let addresses = share(left.addresses, SHARE_OF_ADDRESSES);
    machine.into_iter().chain(addresses).min()
}

fn status() -> Option<File> {
    File::open("/proc/self/status").ok()
}

/// The memory that the program has.
fn resident(status: &mut File) -> Option<u64> {
    let mut buffer = [0; 4096];
    status.rewind().ok()?;
    let length = status.read(&mut buffer).ok()?;
    let text = str::from_utf8(&buffer[..length]).ok()?;
    memory::kibibytes(text, "VmRSS:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scarcer_counts() {
        let left = |machine, addresses| Left { machine, addresses };
        assert_eq!(most(left(Some(1000), None)), Some(850));
        assert_eq!(most(left(Some(1000), Some(1000))), Some(350));
        assert_eq!(most(left(Some(100), Some(1000))), Some(85));
        assert_eq!(most(left(None, None)), None);
    }

    /// `sample --threads 40` in little memory said that all was written, and then that there was
    /// no memory, and exited with 1.
    #[test]
    fn what_is_published_has_not_failed() {
        let drafts = Drafts::default();
        drafts.set_ceiling(Some(Ceiling {
            total: 0,
            own: 0,
            advice: "",
        }));
        assert!(drafts.publish().is_ok());
        let told = |_: Progress| panic!("it was published");
        drafts.end().out_of_memory(told);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn sees_what_was_taken() {
        let mut status = status().expect("Linux");
        let before = resident(&mut status).expect("a number");
        let taken = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = resident(&mut status).expect("a number");
        assert!(after > before + (48 << 20), "{before}, {after}");
        drop(taken);
    }
}
