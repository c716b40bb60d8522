//! Runs jobs ahead on many threads, and hands their results over in order.

use rayon::Yield;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

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
    let most = 2 * rayon::current_num_threads() + 1;
    let stopped = AtomicBool::new(false);
    let (work, stopped) = (&work, &stopped);
    rayon::in_place_scope_fifo(|scope| {
        let mut jobs = 0..jobs;
        let mut results = VecDeque::new();
        loop {
            for job in jobs.by_ref().take(most - results.len()) {
                let (sender, result) = channel();
                scope.spawn_fifo(move |_| {
                    if !stopped.load(Ordering::Relaxed) {
                        // Nobody receives the result if `visit` broke off meanwhile.
                        let _ = sender.send(work(job));
                    }
                });
                results.push_back(result);
            }
            let Some(result) = results.pop_front() else {
                return ControlFlow::Continue(());
            };
            // The scope passes on the panic of a job that sent no result.
            let flow = wait(&result).map_or(ControlFlow::Break(()), &mut visit);
            if flow.is_break() {
                stopped.store(true, Ordering::Relaxed);
                return flow;
            }
        }
    })
}

/// Waits for a result; `None` if it will never come, as the job panicked.
fn wait<T>(result: &Receiver<T>) -> Option<T> {
    loop {
        match result.try_recv() {
            Ok(result) => return Some(result),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        // A thread of the pool runs jobs rather than wait: of two threads, one would otherwise do all the
        // work.
        if rayon::yield_now() != Some(Yield::Executed) {
            return result.recv().ok();
        }
    }
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
