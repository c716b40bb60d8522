//! Long work beside a running interpreter: other Python threads continue, Ctrl-C ends the work, and a
//! callback receives its progress.

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sampler::Progress;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// Time between two checks of the interpreter's signals.
const PERIOD: Duration = Duration::from_millis(50);

/// Progress of a job, and whether its result is still needed.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    unwanted: AtomicBool,
    /// The bits of the share that is done, an `f64`.
    share: AtomicU64,
    points: AtomicU64,
}

impl Watch {
    /// Stores the progress of the job, and breaks if its result is no longer needed.
    pub(crate) fn after(&self, at: Progress) -> ControlFlow<()> {
        self.at(at.done as f64 / at.of.max(1) as f64, at.points)
    }

    /// Stores the share that is done and the number of points, and breaks if the result of the job is no
    /// longer needed.
    pub(crate) fn at(&self, share: f64, points: u64) -> ControlFlow<()> {
        self.share.store(share.to_bits(), Ordering::Relaxed);
        self.points.store(points, Ordering::Relaxed);
        self.go_on()
    }

    /// Breaks if the result of the job is no longer needed.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        if self.unwanted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn state(&self) -> (f64, u64) {
        let share = f64::from_bits(self.share.load(Ordering::Relaxed));
        (share, self.points.load(Ordering::Relaxed))
    }
}

/// Runs `job` on `threads` threads (by default all) while the interpreter continues. `progress` is
/// called with the share that is done, from 0 to 1, and the number of points.
///
/// # Errors
/// The exception of a signal handler (Ctrl-C) or of `progress`: the job is then abandoned, and ends when
/// it next reports. Also if no threads can be started.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Watch) -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let watch = Arc::new(Watch::default());
    // Read before the job begins, as the job may end at once.
    let mut told = watch.state();
    let (sender, mut receiver) = sync_channel(1);
    let inside = Arc::clone(&watch);
    pool.spawn(move || {
        // After an error there is no receiver.
        let _ = sender.send(job(&inside));
    });
    loop {
        // A unique borrow, because a receiver is not `Sync`.
        let waiting = &mut receiver;
        let came = py.detach(move || waiting.recv_timeout(PERIOD));
        let stopped = match came {
            Ok(made) => {
                tell(progress, &watch, &mut told)?;
                return Ok(made);
            }
            Err(RecvTimeoutError::Timeout) => py
                .check_signals()
                .and_then(|()| tell(progress, &watch, &mut told)),
            Err(RecvTimeoutError::Disconnected) => Err(PyRuntimeError::new_err(
                "the run failed inside; please report it",
            )),
        };
        if let Err(error) = stopped {
            watch.unwanted.store(true, Ordering::Relaxed);
            abandon(&pool);
            return Err(error);
        }
    }
}

/// Calls `progress` if it has changed.
fn tell(progress: Option<&Bound<'_, PyAny>>, watch: &Watch, told: &mut (f64, u64)) -> PyResult<()> {
    let now = watch.state();
    if let Some(progress) = progress
        && now != *told
    {
        *told = now;
        progress.call1(now)?;
    }
    Ok(())
}

/// The threads of the last run, and the process that started them.
struct Kept {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

/// The threads for further runs. Threads do not survive in a forked child, which starts its own.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(all);
    let process = std::process::id();
    let mut kept = match KEPT.try_lock() {
        Ok(kept) => kept,
        Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
        // Another thread holds the lock, perhaps one that was lost in a fork.
        Err(TryLockError::WouldBlock) => return start(threads),
    };
    if let Some(kept) = &*kept
        && (kept.process, kept.threads) == (process, threads)
    {
        return Ok(Arc::clone(&kept.pool));
    }
    let pool = start(threads)?;
    let before = kept.replace(Kept {
        process,
        threads,
        pool: Arc::clone(&pool),
    });
    if let Some(before) = before
        && before.process != process
    {
        // Ending threads that do not exist here could block for ever.
        std::mem::forget(before);
    }
    Ok(pool)
}

/// Leaves the threads to a job that may run for long, so that the next run does not wait for it.
fn abandon(pool: &Arc<ThreadPool>) {
    if let Ok(mut kept) = KEPT.try_lock()
        && kept
            .as_ref()
            .is_some_and(|kept| Arc::ptr_eq(&kept.pool, pool))
    {
        *kept = None;
    }
}

fn start(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("spinney-{i}"))
        // A panic closes the channel, which the waiting call reports.
        .panic_handler(|_| ())
        .build();
    pool.map(Arc::new).map_err(|e| {
        PyOSError::new_err(format!("threads could not be started: {e}: try threads=1"))
    })
}
