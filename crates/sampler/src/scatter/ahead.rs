//! Runs jobs ahead on many threads, and hands their results over in order.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

enum State<T> {
    /// No job.
    Idle,
    /// A job that no thread has started.
    Waiting(usize),
    Running,
    Done(T),
    /// The job panicked.
    Lost,
}

/// The place of one job at a time, and then of its result.
struct Slot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State<T>) {
        *self.lock() = state;
        self.changed.notify_all();
    }

    /// Starts the waiting job, if there is one: the caller has to run it.
    fn claim(&self) -> Option<usize> {
        let mut state = self.lock();
        let State::Waiting(job) = *state else {
            return None;
        };
        *state = State::Running;
        Some(job)
    }

    fn is_done(&self) -> bool {
        matches!(*self.lock(), State::Done(_))
    }

    /// Waits for the result; `None` if it will never come.
    fn wait(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            match std::mem::replace(&mut *state, State::Idle) {
                State::Done(result) => return Some(result),
                State::Lost | State::Idle => return None,
                other => *state = other,
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Marks a job that panics as lost, so that no thread waits for it.
struct PanicGuard<'s, T>(&'s Slot<T>);

impl<T> Drop for PanicGuard<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set(State::Lost);
        }
    }
}

/// Runs jobs 0, 1, 2, .. on all threads of rayon's current pool and passes their results to `visit` in this
/// order, on the calling thread, until `visit` breaks off. While a result is visited the next jobs run, but
/// never more than a few per thread: memory does not grow with the number of jobs.
///
/// If the calling thread belongs to the pool, it runs jobs too.
pub(super) fn in_order<T: Send>(
    jobs: usize,
    work: impl Fn(usize) -> T + Sync,
    mut visit: impl FnMut(T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let ahead = (2 * rayon::current_num_threads() + 1).min(jobs.max(1));
    let inside = rayon::current_thread_index().is_some();
    let slots: Vec<Slot<T>> = (0..ahead)
        .map(|_| Slot {
            state: Mutex::new(State::Idle),
            changed: Condvar::new(),
        })
        .collect();
    let stopped = AtomicBool::new(false);
    let (slots, work, stopped) = (&slots, &work, &stopped);
    rayon::in_place_scope_fifo(|scope| {
        let mut started = 0;
        let mut flow = ControlFlow::Continue(());
        for job in 0..jobs {
            while started < jobs.min(job + ahead) {
                let slot = &slots[started % ahead];
                slot.set(State::Waiting(started));
                scope.spawn_fifo(move |_| {
                    if stopped.load(Ordering::Relaxed) {
                        return;
                    }
                    if let Some(job) = slot.claim() {
                        let guard = PanicGuard(slot);
                        let result = work(job);
                        slot.set(State::Done(result));
                        drop(guard);
                    }
                });
                started += 1;
            }
            let slot = &slots[job % ahead];
            // A thread of the pool runs jobs that were not started rather than wait: of two threads, one would
            // otherwise do all the work.
            for next in job..if inside { started } else { job } {
                if slot.is_done() {
                    break;
                }
                let slot = &slots[next % ahead];
                if let Some(next) = slot.claim() {
                    slot.set(State::Done(work(next)));
                }
            }
            flow = slot.wait().map_or(ControlFlow::Break(()), &mut visit);
            if flow.is_break() {
                break;
            }
        }
        stopped.store(true, Ordering::Relaxed);
        flow
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn pool(threads: usize) -> rayon::ThreadPool {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a pool")
    }

    fn squares(jobs: usize, until: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        let flow = in_order(
            jobs,
            |job| {
                std::thread::sleep(std::time::Duration::from_micros((job * 7919 % 13) as u64));
                job * job
            },
            |square| {
                seen.push(square);
                if seen.len() == until {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        assert_eq!(flow.is_break(), until <= jobs && until > 0);
        seen
    }

    #[test]
    fn hands_over_in_order_inside_a_pool_and_outside() {
        let expected = |n: usize| (0..n).map(|i| i * i).collect::<Vec<_>>();
        assert_eq!(squares(300, 1000), expected(300));
        for threads in [1, 2, 3, 8] {
            let pool = pool(threads);
            assert_eq!(pool.install(|| squares(300, 1000)), expected(300));
            assert_eq!(pool.install(|| squares(300, 20)), expected(20));
            assert_eq!(pool.install(|| squares(0, 20)), expected(0));
        }
    }

    #[test]
    fn never_runs_far_ahead() {
        let (started, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let flow = pool(3).install(|| {
            in_order(
                200,
                |_| {
                    let begun = started.fetch_add(1, Ordering::SeqCst) + 1;
                    let lead = begun - taken.load(Ordering::SeqCst);
                    assert!(lead <= 8, "{lead} ahead");
                },
                |()| {
                    std::thread::sleep(std::time::Duration::from_micros(50));
                    taken.fetch_add(1, Ordering::SeqCst);
                    ControlFlow::Continue(())
                },
            )
        });
        assert!(flow.is_continue());
        assert_eq!(taken.into_inner(), 200);
    }

    /// A thread that only waited for results would leave all jobs to the other one.
    #[test]
    fn the_calling_thread_of_a_pool_does_its_share() {
        let own = AtomicUsize::new(0);
        let flow = pool(2).install(|| {
            let caller = std::thread::current().id();
            in_order(
                60,
                |_| {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    if std::thread::current().id() == caller {
                        own.fetch_add(1, Ordering::SeqCst);
                    }
                },
                |()| ControlFlow::Continue(()),
            )
        });
        assert!(flow.is_continue());
        let own = own.into_inner();
        assert!((15..=45).contains(&own), "{own} of 60");
    }

    #[test]
    fn a_panic_is_passed_on() {
        for threads in [1, 2] {
            let pool = pool(threads);
            let run = || {
                let work = |job: usize| assert_ne!(job, 5, "a bad field");
                in_order(50, work, |()| ControlFlow::Continue(()))
            };
            let run = std::panic::AssertUnwindSafe(|| pool.install(run));
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }
}
