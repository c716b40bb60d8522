//! The whole of a bounded domain, at once or part by part.

use super::ahead::in_order;
use super::blocks::Block;
use super::cache::Cache;
use super::engine::Scatter;
use super::first::{First, Gather};
use super::plan::Regions;
use super::scattered::{Progress, Scattered};
use crate::options::PointLimit;
use crate::sample::Sample;
use density::RadiusField;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::ControlFlow;

impl<const D: usize, F: RadiusField<D>> Scatter<D, F> {
    /// All points of a bounded domain, on all threads of rayon's current pool; none of an
    /// endless one.
    ///
    /// Needs 80 bytes of memory a point in the plane, and with ranks half as much again.
    pub fn points(&self) -> Scattered<D> {
        self.points_with(|_| ControlFlow::Continue(()))
            .unwrap_or_default()
    }

    /// As [`points`](Self::points), telling `progress` now and then, on the calling thread,
    /// how far it has come; `None` when that breaks off.
    pub fn points_with(
        &self,
        progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<Scattered<D>> {
        let options = self.options();
        let expected = self.estimate().map_or(0.0, |e| e.points);
        let cap = options
            .cap()
            .filter(|_| options.levels == 0 || self.ranks_parts());
        self.gather(&Regions::default(), Gather::new(cap, expected), progress)
    }

    /// As [`points_with`](Self::points_with) without a cap, in memory that was used `before` and
    /// put behind points that were found then.
    pub(crate) fn points_behind(
        &self,
        before: Vec<Sample<D>>,
        regions: &Regions<D>,
        progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<Scattered<D>> {
        self.gather(regions, Gather::behind(before), progress)
    }

    fn gather(
        &self,
        regions: &Regions<D>,
        mut all: Gather<D>,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<Scattered<D>> {
        let options = self.options();
        let expected = self.estimate().map_or(0.0, |e| e.points);
        let ranked = self.ranks_parts();
        let rank_after = options.levels > 0 && !ranked;
        let from = all.len();
        let parts = Parts {
            regions: regions.clone(),
            ..Parts::new(self)
        };
        let mut state = parts.start();
        let work = |i: usize| parts.part(i, ranked);
        let flow = in_order(parts.groups.len(), work, |part| {
            state.done += 1;
            state.points += part.samples.len() as u64;
            all.add(part);
            progress(state)
        });
        if flow.is_break() {
            return None;
        }
        let mut found = all.finish();
        if rank_after {
            self.rank_whole(&mut found.samples[from..], || progress(state))?;
            if let Some(most) = options.cap() {
                let mut first = Gather::new(Some(most), expected);
                first.add(found);
                found = first.finish();
            }
        }
        Some(found)
    }

    /// Whether points get their ranks part by part, before a cap cuts: what is cut away has ranks
    /// too, as in a stream. A tile's are found for all of it.
    fn ranks_parts(&self) -> bool {
        let options = self.options();
        options.levels > 0 && options.cap().is_some() && !self.is_tiled()
    }

    /// All points, without ranks and uncut.
    pub(super) fn gathered(&self) -> Scattered<D> {
        let parts = Parts::new(self);
        let mut all = Gather::new(None, self.estimate().map_or(0.0, |e| e.points));
        let work = |i: usize| parts.part(i, false);
        // Nothing breaks it off.
        let _ = in_order(parts.groups.len(), work, |part| {
            all.add(part);
            ControlFlow::Continue(())
        });
        all.finish()
    }

    /// The points of a bounded domain, part by part in the order of [`points`](Self::points):
    /// a few parts a thread are worked on at once, and memory does not grow with their number.
    ///
    /// With [`PointLimit::Cap`] all is run through twice, as where to cut is known only in the
    /// end. With ranks, parts are larger and share their surroundings, see
    /// [`ScatterOptions::levels`](crate::ScatterOptions::levels); of a tile with ranks the
    /// whole is one part.
    pub fn stream(&self) -> Stream<'_, D, F> {
        let parts = Parts::new(self);
        let cut = match parts.cut(|_| ControlFlow::Continue(())) {
            ControlFlow::Continue(cut) => cut,
            ControlFlow::Break(()) => None,
        };
        Stream {
            parts,
            cut: Cut::new(cut),
            next: 0,
            ready: VecDeque::new(),
        }
    }

    /// As [`stream`](Self::stream), showing each part to `visit` on the calling thread while
    /// the next ones are worked on, until that breaks off.
    pub fn stream_with(
        &self,
        mut visit: impl FnMut(Scattered<D>, Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parts = Parts::new(self);
        let cut = match parts.cut(|state| visit(Scattered::default(), state)) {
            ControlFlow::Continue(cut) => cut,
            ControlFlow::Break(()) => return ControlFlow::Break(()),
        };
        let mut cut = Cut::new(cut);
        let mut state = parts.start();
        let work = |i: usize| parts.part(i, true);
        in_order(parts.groups.len(), work, |mut part| {
            state.done += 1;
            state.points += part.samples.len() as u64;
            cut.apply(&mut part);
            visit(part, state)
        })
    }
}

/// A bounded domain in parts.
#[derive(Debug)]
struct Parts<'s, const D: usize, F> {
    scatter: &'s Scatter<D, F>,
    groups: Vec<Vec<Block<D>>>,
    regions: Regions<D>,
    cache: Cache<D>,
    /// Whether there is but one part because ranks need all of a tile.
    whole: bool,
}

/// Points in the cache of a stream with ranks.
const CACHED: usize = 2_000_000;

impl<'s, const D: usize, F: RadiusField<D>> Parts<'s, D, F> {
    fn new(scatter: &'s Scatter<D, F>) -> Self {
        Self {
            scatter,
            groups: scatter.plan(),
            regions: Regions::default(),
            cache: Cache::new(CACHED),
            whole: scatter.is_tiled() && scatter.options().levels > 0,
        }
    }

    fn start(&self) -> Progress {
        Progress {
            of: self.groups.len(),
            ..Progress::default()
        }
    }

    /// The points of a part; of a tile's first part, all.
    fn part(&self, index: usize, ranked: bool) -> Scattered<D> {
        let blocks = &self.groups[index];
        if !ranked || self.scatter.options().levels == 0 {
            self.scatter.group(&self.regions, blocks)
        } else if self.whole {
            match index {
                0 => self.scatter.points(),
                _ => Scattered::default(),
            }
        } else {
            self.scatter.ranked_group(&self.cache, blocks)
        }
    }

    /// Where a cap cuts: the key of the last point kept, and whether there are more. `None`
    /// without a cap.
    fn cut(
        &self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<(u64, u64)>> {
        let PointLimit::Cap(most) = self.scatter.options().limit else {
            return ControlFlow::Continue(None);
        };
        if self.whole {
            return ControlFlow::Continue(None);
        }
        let mut first = First::new(most);
        let mut state = self.start();
        let flow = in_order(
            self.groups.len(),
            |i| self.part(i, false),
            |part| {
                for sample in &part.samples {
                    first.add(sample.id, ());
                }
                state.points += part.samples.len() as u64;
                progress(state)
            },
        );
        match flow {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(()) => {
                let (_, complete, last) = first.finish();
                ControlFlow::Continue((!complete).then_some(last))
            }
        }
    }
}

/// Leaves out the points beyond a cap.
#[derive(Clone, Copy, Debug)]
struct Cut {
    last: Option<(u64, u64)>,
    seen: u64,
}

impl Cut {
    fn new(last: Option<(u64, u64)>) -> Self {
        Self { last, seen: 0 }
    }

    fn apply<const D: usize>(&mut self, part: &mut Scattered<D>) {
        let Some(last) = self.last else {
            return;
        };
        part.complete = false;
        part.samples.retain(|sample| {
            self.seen += 1;
            (sample.id, self.seen - 1) <= last
        });
    }
}

/// The points of a bounded domain, part by part: what [`Scatter::stream`] gives.
#[derive(Debug)]
pub struct Stream<'s, const D: usize, F> {
    parts: Parts<'s, D, F>,
    cut: Cut,
    next: usize,
    ready: VecDeque<Scattered<D>>,
}

impl<const D: usize, F: RadiusField<D>> Iterator for Stream<'_, D, F> {
    type Item = Scattered<D>;

    fn next(&mut self) -> Option<Scattered<D>> {
        if self.ready.is_empty() {
            let end = self.next + 4 * rayon::current_num_threads();
            let end = end.min(self.parts.groups.len());
            let parts = (self.next..end).into_par_iter();
            let parts: Vec<_> = parts.map(|i| self.parts.part(i, true)).collect();
            self.next = end;
            self.ready.extend(parts);
        }
        let mut part = self.ready.pop_front()?;
        self.cut.apply(&mut part);
        Some(part)
    }
}
