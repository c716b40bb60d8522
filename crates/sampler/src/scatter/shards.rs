//! The windows of a plan, in any order, from any thread; evaluated leaves are kept, up to a budget of
//! memory.
//!
//! The world is cut into shards: cubes some hundred greatest distances long, in 3D some forty, each with
//! evaluators of its own behind a lock. Threads that request the same place wait for each other and share
//! the work; threads that request places in different shards run in parallel.

use super::apart::Apart;
use super::bounded_plan::{check, check_blocks};
use super::evaluator::{Evaluator, Finished, Stop, Work};
use super::gather::capped;
use super::lattice::top;
use super::layer::Layer;
use super::options::ScatterOptions;
use super::pass::{Edges, Pass};
use super::pass_view::PassView;
use super::plan::Plan;
use super::scattered::{MayGoOn, Scattered};
use crate::boxes;
use crate::error::SampleError;
use crate::obstacles::{self, AvoidError, Obstacle, Obstacles};
use crate::point_limit::PointLimit;
use crate::preflight::{self, Beyond};
use crate::sample::Sample;
use crate::steps::for_each;
use density::{Bounds, RadiusField};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// The windows of a plan.
#[derive(Debug)]
pub(super) struct Shards<const D: usize> {
    pub(super) plan: Plan<'static, D>,
    /// The lowest corner of shard 0.
    anchor: [f64; D],
    /// The side of a shard, world units.
    side: f64,
    /// The memory that is kept between requests, bytes.
    pub(super) budget: usize,
    /// Number of requests so far.
    clock: AtomicU64,
    /// The obstacles; `None` if there are none.
    ///
    /// A request holds the read lock while it evaluates an area and copies its points. A change holds the write lock
    /// until shards have forgotten the leaves that it affects. So an area has the points of one set of obstacles.
    ///
    /// The lock is never held across a call of rayon. While a thread of a pool waits inside such a call, rayon may give
    /// it another job. If that job changes obstacles, it waits for a lock that its own thread holds.
    obstacles: RwLock<Option<Obstacles<D>>>,
    /// Number of changes of the obstacles.
    changes: AtomicU64,
    /// The shards by their numbers along the axes. A shard is created when it is first requested.
    known: Mutex<BTreeMap<[i64; D], Arc<Shard<D>>>>,
}

/// A cube of the world, with its evaluators.
#[derive(Debug)]
struct Shard<const D: usize> {
    evaluator: Mutex<Evaluator<D>>,
    /// The number of the last request for it.
    last_request: AtomicU64,
    /// The last request for which all that earlier ones left was forgotten.
    trimmed_for: AtomicU64,
    /// The memory in use when it was last measured, bytes.
    bytes: AtomicU64,
    /// The number of leaves that had been opened when memory was last measured.
    opened_when_measured: AtomicU64,
}

/// The obstacles of a world, which stay as they are until this is dropped.
type ObstaclesLock<'s, const D: usize> = RwLockReadGuard<'s, Option<Obstacles<D>>>;

/// A callback for finished leaves. It also gets the number of the leaf's pass, and the part of the requested area that
/// is being evaluated: only points in this part are wanted.
type VisitLeaf<'v, const D: usize> = &'v mut dyn FnMut(usize, &Finished<D>, &Bounds<D>);

/// The time between two looks at a shard on which another thread works.
const WAIT: Duration = Duration::from_micros(100);

/// Returns the side of a shard, in cells of level 0 of the greatest distance.
const fn shard_side(dimensions: usize) -> f64 {
    if dimensions < 3 { 32.0 } else { 16.0 }
}

/// The memory that a world keeps by default, bytes.
const BUDGET: usize = 256 << 20;

/// Memory is measured again once more leaves were opened since the last time than before it, or more than this.
const UNMEASURED: u64 = 128;

/// Points change within this many greatest distances of each pass around an obstacle: `Scatter`'s guarantee
/// on changes of a field.
const INFLUENCE: f64 = 8.0;

/// The greatest distance of an obstacle, in least distances: single precision, in which leaves are covered,
/// resolves no more.
const LARGEST_OBSTACLE: f64 = 1e4;

/// Ages, in requests for a shard, beyond which parts of it are forgotten, one after the other until all fits.
const AGES: [u64; 12] = [1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0];

impl<const D: usize> Shard<D> {
    /// Locks the evaluator.
    fn evaluator(&self) -> MutexGuard<'_, Evaluator<D>> {
        let locked = self.evaluator.lock();
        locked.unwrap_or_else(|poisoned| self.renewed(poisoned))
    }

    /// Locks the evaluator; `None` if `may_go_on` breaks off while another thread has it.
    fn evaluator_while(&self, may_go_on: MayGoOn<'_>) -> Option<MutexGuard<'_, Evaluator<D>>> {
        let locked = lock_while(|| self.evaluator.try_lock(), may_go_on)?;
        Some(locked.unwrap_or_else(|poisoned| self.renewed(poisoned)))
    }

    /// Returns the evaluator as new: a field panicked in the middle of an evaluation, so the state may be inconsistent.
    fn renewed<'s>(
        &self,
        poisoned: PoisonError<MutexGuard<'s, Evaluator<D>>>,
    ) -> MutexGuard<'s, Evaluator<D>> {
        self.evaluator.clear_poison();
        let mut evaluator = poisoned.into_inner();
        evaluator.reset();
        evaluator
    }

    /// Measures the memory of the evaluator.
    fn measure(&self, evaluator: &Evaluator<D>) {
        self.opened_when_measured.store(evaluator.work(), Relaxed);
        self.bytes.store(evaluator.bytes() as u64, Relaxed);
    }
}

/// Tries to lock until no other thread is in the way; `None` if `may_go_on` breaks off before.
fn lock_while<G>(
    mut lock: impl FnMut() -> Result<G, TryLockError<G>>,
    may_go_on: MayGoOn<'_>,
) -> Option<Result<G, PoisonError<G>>> {
    loop {
        match lock() {
            Ok(guard) => return Some(Ok(guard)),
            Err(TryLockError::Poisoned(poisoned)) => return Some(Err(poisoned)),
            Err(TryLockError::WouldBlock) if may_go_on().is_break() => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
        }
    }
}

impl<const D: usize> Shards<D> {
    /// Creates the endless world of one field.
    pub(super) fn endless(
        field: Arc<dyn RadiusField<D>>,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        options.check()?;
        preflight::check_range::<D>(&field.range())?;
        let plan = Plan::single(field, None, Edges::Open, options)?;
        Ok(Self::of(plan))
    }

    /// Creates the endless world of several layers.
    pub(super) fn endless_layered(
        layers: Vec<Layer<'static, D>>,
        apart: Apart,
        options: ScatterOptions,
    ) -> Result<Self, SampleError> {
        options.check()?;
        for layer in &layers {
            preflight::check_range::<D>(&layer.field.range())?;
        }
        let plan = Plan::of_layers(layers, apart, None, Edges::Open, options)?;
        Ok(Self::of(plan))
    }

    /// Creates the world of a plan.
    pub(super) fn of(plan: Plan<'static, D>) -> Self {
        let [_, greatest] = plan.distances();
        Self {
            anchor: plan.domain.map_or([0.0; D], |domain| domain.min()),
            side: shard_side(D) * top(D) / (D as f64).sqrt() * greatest,
            plan,
            budget: BUDGET,
            clock: AtomicU64::new(0),
            obstacles: RwLock::default(),
            changes: AtomicU64::new(0),
            known: Mutex::default(),
        }
    }

    /// Returns the memory in use, bytes, without that of obstacles.
    pub(super) fn bytes(&self) -> usize {
        let shards = self.shards();
        let bytes = shards.values().map(|shard| shard.bytes.load(Relaxed));
        bytes.sum::<u64>() as usize
    }

    /// Locks the obstacles for reading; `None` if `may_go_on` breaks off while they change.
    fn lock_obstacles(&self, may_go_on: &mut Option<MayGoOn<'_>>) -> Option<ObstaclesLock<'_, D>> {
        let obstacles = match may_go_on {
            Some(may_go_on) => lock_while(|| self.obstacles.try_read(), may_go_on)?,
            None => self.obstacles.read(),
        };
        Some(obstacles.unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the number of changes of the obstacles.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Relaxed)
    }

    /// Returns the points that lie in `window`, at most `cap`; `None` when `may_go_on` breaks it off.
    pub(super) fn window(
        &self,
        window: &Bounds<D>,
        cap: Option<u64>,
        mut may_go_on: Option<MayGoOn<'_>>,
    ) -> Result<Option<Scattered<D>>, SampleError> {
        let Some(inside) = self.inside(window) else {
            return Ok(Some(Scattered::default()));
        };
        let mut broken = false;
        let mut fetch = |place: &Bounds<D>| {
            self.check_place(place, &inside)?;
            let mut found = Scattered::default();
            let flow = self.visit(place, &mut may_go_on, &mut |pass, leaf, part| {
                let wanted = |p| part.contains(p);
                self.plan.collect(pass, leaf, wanted, &inside, &mut found);
            })?;
            if flow.is_break() {
                // Without points there is nothing to rank.
                broken = true;
                found = Scattered::default();
            }
            Ok(found)
        };
        let found = match self.plan.options.levels {
            0 => fetch(&inside)?,
            _ => self.plan.ranked(&inside, &mut fetch)?,
        };
        Ok((!broken).then(|| capped(found, cap)))
    }

    /// Evaluates a window without returning its points.
    pub(super) fn prefetch(&self, window: &Bounds<D>) -> Result<(), SampleError> {
        if let Some(inside) = self.inside(window) {
            let place = self.plan.surroundings(&inside);
            self.check_place(&place, &inside)?;
            // No callback breaks it off.
            let _ = self.visit(&place, &mut None, &mut |_, _, _| {})?;
        }
        Ok(())
    }

    /// Returns `true` if all of a window is kept. Never waits.
    pub(super) fn is_ready(&self, window: &Bounds<D>) -> bool {
        let Some(inside) = self.inside(window) else {
            return true;
        };
        let place = self.plan.surroundings(&inside);
        if self.check_size(&place).is_err() {
            return false;
        }
        let obstacles = match self.obstacles.try_read() {
            Ok(obstacles) => obstacles,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.split(&place).into_iter().all(|(at, area)| {
            let shard = self.shards().get(&at).map(Arc::clone);
            let Some(shard) = shard else { return false };
            // After a panic of a field, the next request starts again.
            let Ok(mut evaluator) = shard.evaluator.try_lock() else {
                return false;
            };
            let passes = self.plan.passes.len();
            (0..passes).all(|pass| {
                let view = self.view(pass, obstacles.as_ref());
                evaluator.of_pass(&view).is_finished(&view, &area)
            })
        })
    }

    /// Puts obstacles in.
    pub(super) fn put(&self, obstacles: &[Obstacle<D>]) -> Result<(), AvoidError> {
        obstacles::check(self.plan.options.rule, obstacles)?;
        let [least, _] = self.plan.distances();
        for (index, obstacle) in obstacles.iter().enumerate() {
            let (value, limit) = (obstacle.min_dist, LARGEST_OBSTACLE * least);
            if value > limit {
                return Err(AvoidError::TooLarge {
                    index,
                    value,
                    limit,
                });
            }
            if let Some(tile) = self.plan.tile() {
                obstacles::check_tile(&tile, self.reach(obstacle))?;
            }
        }
        let added: Vec<_> = obstacles
            .iter()
            .map(|obstacle| self.home(obstacle))
            .collect();
        self.change(&added, |all| {
            all.extend_from_slice(&added);
            obstacles::check(self.plan.options.rule, all)
        })
    }

    /// Takes obstacles out. Returns the number of obstacles found.
    pub(super) fn take(&self, obstacles: &[Obstacle<D>]) -> usize {
        let taken: Vec<_> = obstacles
            .iter()
            .map(|obstacle| self.home(obstacle))
            .collect();
        // Adding 0 makes -0 into 0, which equals it.
        let name = |of: &Obstacle<D>| {
            (
                of.position.map(|x| (x + 0.0).to_bits()),
                of.min_dist.to_bits(),
            )
        };
        let mut left = BTreeMap::new();
        for obstacle in &taken {
            *left.entry(name(obstacle)).or_insert(0_usize) += 1;
        }
        let mut found = 0;
        let result = self.change(&taken, |all| {
            all.retain(|obstacle| match left.get_mut(&name(obstacle)) {
                Some(times @ 1..) => {
                    *times -= 1;
                    found += 1;
                    false
                }
                _ => true,
            });
            Ok(())
        });
        result.map_or(0, |()| found)
    }

    /// Returns the obstacles of the world.
    pub(super) fn obstacles(&self) -> Vec<Obstacle<D>> {
        let locked = self.lock_obstacles(&mut None);
        let all = locked.as_deref().and_then(Option::as_ref);
        all.map_or_else(Vec::new, |obstacles| obstacles.all().to_vec())
    }

    /// Changes the obstacles as `make` does, and forgets the leaves that `changed` ones affect.
    fn change(
        &self,
        changed: &[Obstacle<D>],
        make: impl FnOnce(&mut Vec<Obstacle<D>>) -> Result<(), AvoidError>,
    ) -> Result<(), AvoidError> {
        let mut obstacles = self
            .obstacles
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let before = obstacles.as_ref();
        let mut all = before.map_or_else(Vec::new, |before| before.all().to_vec());
        make(&mut all)?;
        *obstacles = (!all.is_empty()).then(|| Obstacles::new(all));
        self.changes.fetch_add(1, Relaxed);
        let greatest: f64 = self.plan.passes.iter().map(Pass::greatest).sum();
        let shards: Vec<_> = self.shards().values().map(Arc::clone).collect();
        for shard in shards {
            let mut evaluator = shard.evaluator();
            for obstacle in changed {
                let p = obstacle.position;
                let far = self.reach(obstacle) + INFLUENCE * greatest;
                let Ok(place) = Bounds::new(p.map(|x| x - far), p.map(|x| x + far)) else {
                    continue;
                };
                for pass in 0..self.plan.passes.len() {
                    let view = self.view(pass, None);
                    evaluator.of_pass(&view).forget_area(&view, &place);
                }
            }
        }
        Ok(())
    }

    /// Returns the greatest distance at which a point may conflict with an obstacle.
    fn reach(&self, obstacle: &Obstacle<D>) -> f64 {
        let [_, greatest] = self.plan.distances();
        self.plan.options.rule.distance(obstacle.min_dist, greatest)
    }

    /// Returns an obstacle at its position inside a periodic domain; in other worlds unchanged.
    fn home(&self, obstacle: &Obstacle<D>) -> Obstacle<D> {
        let tile = self.plan.tile();
        tile.map_or(*obstacle, |tile| Obstacle {
            position: boxes::home(&tile, obstacle.position),
            ..*obstacle
        })
    }

    /// Returns the part of a window inside the domain; `None` if there is none.
    fn inside(&self, window: &Bounds<D>) -> Option<Bounds<D>> {
        match &self.plan.domain {
            Some(domain) => window.intersection(domain),
            None => Some(*window),
        }
    }

    /// Checks that a window of an endless world has few enough blocks to visit, and coordinates that are
    /// precise enough.
    fn check_size(&self, window: &Bounds<D>) -> Result<(), SampleError> {
        if self.plan.domain.is_none() {
            for layer in &self.plan.layers {
                let range = layer.field.range();
                preflight::check_extent(&range, window)?;
                check_blocks(window, range.hi())?;
            }
        }
        Ok(())
    }

    /// Checks that a window may be requested, and the place that has to be evaluated for it; cheap for one that is
    /// small compared with the limit. Surroundings, on which ranks depend, may hold more points than the limit of
    /// a window.
    fn check_place(&self, place: &Bounds<D>, window: &Bounds<D>) -> Result<(), SampleError> {
        self.check_window(window, self.plan.options.limit)?;
        if place == window {
            return Ok(());
        }
        self.check_window(place, PointLimit::default())
    }

    /// Checks that a window of an endless world has few enough points for `limit` and for the memory limit. The bounds of
    /// the field are asked for only if they matter.
    fn check_window(&self, window: &Bounds<D>, limit: PointLimit) -> Result<(), SampleError> {
        self.check_size(window)?;
        if self.plan.domain.is_some() {
            return Ok(());
        }
        let room = |layer: &Layer<'_, D>| -> f64 {
            let least = layer.field.range().lo();
            window.size().iter().map(|s| s / least + 1.0).product()
        };
        let room: f64 = self.plan.layers.iter().map(room).sum();
        let bytes = room * size_of::<Sample<D>>() as f64;
        if room < limit.most() as f64 && bytes < self.most_bytes() as f64 {
            return Ok(());
        }
        let options = ScatterOptions {
            limit,
            ..self.plan.options
        };
        for layer in &self.plan.layers {
            check(&layer.grown(), window, options, Beyond::More)?;
        }
        Ok(())
    }

    /// Returns the view of a pass, with these obstacles.
    fn view<'s>(&'s self, pass: usize, obstacles: Option<&'s Obstacles<D>>) -> PassView<'s, D> {
        let most = self.most_bytes();
        PassView::new(&self.plan.passes, pass, self.plan.domain, most, obstacles)
    }

    /// Returns the greatest memory that evaluation may take, bytes.
    fn most_bytes(&self) -> u64 {
        self.plan.options.max_bytes.unwrap_or(u64::MAX)
    }

    /// Locks the table of shards.
    fn shards(&self) -> MutexGuard<'_, BTreeMap<[i64; D], Arc<Shard<D>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Splits an area by shards: returns those that it touches, each with its part of the area.
    fn split(&self, area: &Bounds<D>) -> Vec<([i64; D], Bounds<D>)> {
        let edge = |a: usize, at: i64| self.anchor[a] + at as f64 * self.side;
        let number = |a: usize, x: f64| ((x - self.anchor[a]) / self.side).floor() as i64;
        // Rounding may have led one shard too far, or not far enough.
        let first: [i64; D] = std::array::from_fn(|a| number(a, area.min()[a]) - 1);
        let last: [i64; D] = std::array::from_fn(|a| number(a, area.max()[a]) + 1);
        let mut parts = Vec::new();
        for_each(first, last, |at| {
            let shard = Bounds::new(
                std::array::from_fn(|a| edge(a, at[a])),
                std::array::from_fn(|a| edge(a, at[a] + 1)),
            );
            let part = shard.ok().and_then(|shard| shard.intersection(area));
            parts.extend(part.map(|part| (at, part)));
        });
        parts
    }

    /// Returns a shard, which is created if it is new.
    fn shard(&self, at: [i64; D]) -> Arc<Shard<D>> {
        let mut shards = self.shards();
        let shard = shards.entry(at).or_insert_with(|| {
            Arc::new(Shard {
                evaluator: Mutex::new(Evaluator::new(self.plan.passes.len())),
                last_request: AtomicU64::new(0),
                trimmed_for: AtomicU64::new(0),
                opened_when_measured: AtomicU64::new(0),
                bytes: AtomicU64::new(0),
            })
        });
        Arc::clone(shard)
    }

    /// Evaluates an area and passes its leaves to `visit`, with labels, until `may_go_on` breaks off. That is called
    /// after each leaf with points that was not kept, and while another thread works on a shard.
    fn visit(
        &self,
        area: &Bounds<D>,
        may_go_on: &mut Option<MayGoOn<'_>>,
        visit: VisitLeaf<'_, D>,
    ) -> Result<ControlFlow<()>, SampleError> {
        let Some(obstacles) = self.lock_obstacles(may_go_on) else {
            return Ok(ControlFlow::Break(()));
        };
        let now = self.clock.fetch_add(1, Relaxed) + 1;
        let parts = self.split(area);
        // Shards that this request comes to later are not forgotten before.
        for (at, _) in &parts {
            if let Some(shard) = self.shards().get(at) {
                shard.last_request.store(now, Relaxed);
            }
        }
        for (at, part) in parts {
            let shard = self.shard(at);
            shard.last_request.store(now, Relaxed);
            let evaluator = match may_go_on {
                Some(may_go_on) => shard.evaluator_while(may_go_on),
                None => Some(shard.evaluator()),
            };
            let Some(mut evaluator) = evaluator else {
                return Ok(ControlFlow::Break(()));
            };
            evaluator.tick();
            let mut evaluate = || {
                for pass in 0..self.plan.passes.len() {
                    let view = self.view(pass, obstacles.as_ref());
                    let of_pass = evaluator.of_pass(&view);
                    of_pass.visit_area(&view, &part, Work::Finish, &mut |leaf| {
                        let is_new = leaf.labels.len() < leaf.points.len();
                        if is_new {
                            let points = leaf.points.iter();
                            leaf.labels = points.map(|q| self.plan.label(pass, q)).collect();
                        }
                        visit(pass, leaf, &part);
                        match may_go_on {
                            Some(may_go_on) if is_new => may_go_on(),
                            _ => ControlFlow::Continue(()),
                        }
                    })?;
                }
                Ok(())
            };
            let result = evaluate();
            // Measuring takes as long as opening some leaves.
            let before = shard.opened_when_measured.load(Relaxed);
            if evaluator.work().abs_diff(before) > UNMEASURED.min(before) {
                shard.measure(&evaluator);
                self.forget(&shard, &mut evaluator);
            }
            let error = match result {
                Ok(()) => continue,
                Err(Stop::OutOfMemory { bytes }) => SampleError::MemorySpent {
                    megabytes: bytes as f64 / 1e6,
                    limit_megabytes: self.most_bytes() as f64 / 1e6,
                },
                Err(Stop::BoundsTooWide) => SampleError::BoundsTooWide,
                // Postponed work was done.
                Err(Stop::BrokenOff | Stop::Unfinished | Stop::PutOff(_)) => {
                    return Ok(ControlFlow::Break(()));
                }
            };
            // Leaves that are kept would count against the next request.
            evaluator.reset();
            shard.measure(&evaluator);
            return Err(error);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Forgets what was not requested for longest until all fits into the budget: whole shards first, then parts of the
    /// shards of the last request. What that request needed stays, unless all that is kept exceeds the memory limit.
    fn forget(&self, last: &Shard<D>, evaluator: &mut Evaluator<D>) {
        let mut shards = self.shards();
        let bytes = |shard: &Shard<D>| shard.bytes.load(Relaxed);
        let mut all: u64 = shards.values().map(|shard| bytes(shard)).sum();
        let budget = self.most_bytes().min(self.budget as u64);
        if all <= budget {
            return;
        }
        let last_request = |shard: &Shard<D>| shard.last_request.load(Relaxed);
        let now = last_request(last);
        let mut order: Vec<_> = shards
            .iter()
            .map(|(at, shard)| (last_request(shard), *at))
            .collect();
        order.sort_unstable();
        for (request, at) in order {
            // A shard that a thread works on stays, such as the last one.
            let idle = |shard: &Arc<Shard<D>>| Arc::strong_count(shard) == 1;
            let most = if request < now {
                budget
            } else {
                self.most_bytes()
            };
            if all > most && shards.get(&at).is_some_and(idle) {
                all -= shards.remove(&at).map_or(0, |shard| bytes(&shard));
            }
        }
        let is_last = |shard: &Arc<Shard<D>>| std::ptr::eq(Arc::as_ptr(shard), last);
        let is_untrimmed =
            |shard: &Shard<D>| last_request(shard) == now && shard.trimmed_for.load(Relaxed) < now;
        let trim: Vec<_> = shards
            .values()
            .filter(|shard| is_last(shard) || is_untrimmed(shard))
            .map(Arc::clone)
            .collect();
        drop(shards);
        // Leaves some room for the next requests.
        let room = budget - budget / 4;
        for age in AGES {
            for shard in &trim {
                if all <= room {
                    return;
                }
                all = all.saturating_sub(bytes(shard));
                if is_last(shard) {
                    evaluator.forget(age);
                    shard.measure(evaluator);
                } else if let Ok(mut evaluator) = shard.evaluator.try_lock() {
                    evaluator.forget(age);
                    shard.measure(&evaluator);
                }
                all += bytes(shard);
            }
        }
        for shard in &trim {
            shard.trimmed_for.store(now, Relaxed);
        }
    }
}
