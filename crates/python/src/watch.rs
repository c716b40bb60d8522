//! Long work beside a living interpreter: other Python threads run on, Ctrl-C ends it, and a
//! callback hears how far it has come.

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sampler::Progress;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// How often the interpreter is asked whether to go on.
const PERIOD: Duration = Duration::from_millis(50);

/// What a job tells while it runs, and whether it is still wanted.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    unwanted: AtomicBool,
    /// The bits of the share that is done.
    share: AtomicU64,
    points: AtomicU64,
}

impl Watch {
    /// Takes note of how far the job has come, and breaks when nobody waits for it any more.
    pub(crate) fn after(&self, at: Progress) -> ControlFlow<()> {
        self.at(at.done as f64 / at.of.max(1) as f64, at.points)
    }

    /// Takes note of the share that is done and the number of points, and breaks when nobody waits for
    /// the job any more.
    pub(crate) fn at(&self, share: f64, points: u64) -> ControlFlow<()> {
        self.share.store(share.to_bits(), Ordering::Relaxed);
        self.points.store(points, Ordering::Relaxed);
        self.go_on()
    }

    /// Breaks when nobody waits for the job any more.
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

/// Runs `job` on `threads` threads (all that there are by default) while the interpreter goes on.
/// `progress` is called with the share that is done, from 0 to 1, and the number of points.
///
/// # Errors
/// What a signal handler (Ctrl-C) or `progress` raises: the job is then left to itself, and ends when
/// it next reports. Without threads.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Watch) -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let watch = Arc::new(Watch::default());
    let (sender, mut receiver) = sync_channel(1);
    let inside = Arc::clone(&watch);
    pool.spawn(move || {
        // Nobody receives what is no longer wanted.
        let _ = sender.send(job(&inside));
    });
    let mut told = watch.state();
    loop {
        // By a unique borrow: a receiver is of one thread at a time.
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

/// Calls `progress` if there is news.
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

/// Threads do not live on in a forked child: a process that did not start them starts its own.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(all);
    let process = std::process::id();
    let mut kept = match KEPT.try_lock() {
        Ok(kept) => kept,
        Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
        // Another thread is just here, perhaps one that was lost when the process forked.
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
        // To end threads that are not there could wait for ever.
        std::mem::forget(before);
    }
    Ok(pool)
}

/// Leaves threads to a job that may go on for long, so that the next run does not wait for it.
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
        // The channel breaks, which the waiting call reports.
        .panic_handler(|_| ())
        .build();
    pool.map(Arc::new).map_err(|e| {
        PyOSError::new_err(format!("threads could not be started: {e}: try threads=1"))
    })
}
