//! What a region cannot know: points whose acceptance hangs on something outside it.

use super::cover::Cover;
use super::region::Task;
use super::tree::Tree;
use super::view::View;
use crate::rule::Rule;

/// A place where a point may or may not be. In the region's own coordinates and generously:
/// nothing is decided by it but that something cannot be decided.
#[derive(Clone, Copy, Debug)]
struct Maybe<const D: usize> {
    p: [f32; D],
    /// Per axis, how far from `p` the point may be: 0 for a candidate, half of its sides for a box whose
    /// later candidates were not looked at, a tile, a cell or parts of them.
    half: [f32; D],
    r: f32,
    next: u32,
}

/// A cell in the region's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<const D: usize> {
    pub(super) tile: u32,
    pub(super) center: [f32; D],
    pub(super) half: [f32; D],
}

/// A tile that is given up, as a tile near it has it: as little is known of it as of what lies
/// behind the edge.
#[derive(Clone, Copy, Debug)]
struct GivenUp<const D: usize> {
    patch: Patch<D>,
    /// The most that a point in it may ask for.
    most: f64,
    /// The next one that matters to the same tile.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// What single precision may lose of a distance.
const MARGIN: f32 = 1.001;

/// And of how far two places lie apart, in lengths of the region that they are counted in: some units in
/// the last place of each.
const SLACK: f64 = 5e-7;

/// The unknown points of a region, and the edge behind which everything is unknown.
#[derive(Clone, Debug)]
pub(super) struct Unknown<const D: usize> {
    /// Where what is looked at ends, in the region's own coordinates; infinite where nothing lies behind.
    ends: [[f32; 2]; D],
    /// What is lost in coordinates. A region over thin ground may be longer than a hundred thousand of the
    /// distances in it.
    slack: f32,
    /// No point outside matters that has a greater distance than this.
    widest: f64,
    rule: Rule,
    maybes: Vec<Maybe<D>>,
    /// The first one of each tile.
    first: Vec<u32>,
    /// Whether a tile is so near the edge, or one that is given up, that what lies behind may
    /// matter.
    at_edge: Vec<bool>,
    /// Whether anything unknown stands in a list of the tile.
    clouded: Vec<bool>,
    /// Which parts of tiles an unknown candidate covers, if it is there; and where those of a tile stand.
    shadows: Cover<D>,
    shadow_of: Vec<u32>,
    /// Tiles that are given up, for each tile that they matter to.
    given_up: Vec<GivenUp<D>>,
    /// The first one that matters to each tile.
    first_given_up: Vec<u32>,
}

impl<const D: usize> Default for Unknown<D> {
    fn default() -> Self {
        Self {
            ends: [[0.0; 2]; D],
            slack: 0.0,
            widest: 0.0,
            rule: Rule::Max,
            maybes: Vec::new(),
            first: Vec::new(),
            at_edge: Vec::new(),
            clouded: Vec::new(),
            shadows: Cover::default(),
            shadow_of: Vec::new(),
            given_up: Vec::new(),
            first_given_up: Vec::new(),
        }
    }
}

impl<const D: usize> Unknown<D> {
    /// Starts with nothing unknown inside.
    pub(super) fn reset(&mut self, tree: &Tree<D>, task: &Task<D>, rule: Rule) {
        let origin = task.area.min();
        let end = |x: f64, a: usize| (x - origin[a]) as f32;
        let (first, last) = (task.known.min(), task.known.max());
        self.ends = std::array::from_fn(|a| {
            let [below, above] = task.open[a];
            [
                if below {
                    end(first[a], a)
                } else {
                    f32::NEG_INFINITY
                },
                if above {
                    end(last[a], a)
                } else {
                    f32::INFINITY
                },
            ]
        });
        let far = task.area.size().into_iter().fold(0.0, f64::max);
        self.slack = (SLACK * far) as f32;
        self.widest = task.widest;
        self.rule = rule;
        self.maybes.clear();
        self.first.clear();
        self.first.resize(tree.tiles.len(), NONE);
        self.clouded.clear();
        self.clouded.resize(tree.tiles.len(), false);
        self.shadows.reset(0);
        self.shadow_of.clear();
        self.shadow_of.resize(tree.tiles.len(), NONE);
        self.given_up.clear();
        self.first_given_up.clear();
        self.first_given_up.resize(tree.tiles.len(), NONE);
        self.at_edge.clear();
        let (mut hi, mut reach) = (0.0, 0.0);
        for (tile, frame) in tree.tiles.iter().zip(&tree.frames) {
            if tile.hi != hi {
                (hi, reach) = (tile.hi, self.reach(tile.hi));
            }
            let near = (0..D).any(|a| {
                let (center, half) = (frame.center[a], frame.half[a]);
                let depth = (center - half - self.ends[a][0]).min(self.ends[a][1] - center - half);
                depth < reach
            });
            self.at_edge.push(near);
        }
    }

    /// Whether a tile is so near the edge, or one that is given up, that what lies behind may
    /// matter.
    pub(super) fn is_at_edge(&self, tile: u32) -> bool {
        self.at_edge[tile as usize]
    }

    /// Where what is known ends, in the region's own coordinates.
    pub(super) fn ends(&self) -> [[f32; 2]; D] {
        self.ends
    }

    /// How far something outside may reach a point of distance `r`.
    fn reach(&self, r: f64) -> f32 {
        let (widest, rule) = (self.widest, self.rule);
        MARGIN * rule.distance(widest, r).max(rule.distance(r, widest)) as f32 + self.slack
    }

    /// How deep inside a place lies, from the nearest edge behind which there is more.
    fn depth(&self, p: [f32; D]) -> f32 {
        (0..D)
            .map(|a| (p[a] - self.ends[a][0]).min(self.ends[a][1] - p[a]))
            .fold(f32::INFINITY, f32::min)
    }

    /// Whether anything unknown may matter to a tile.
    #[inline]
    pub(super) fn minds(&self, tile: u32) -> bool {
        self.at_edge[tile as usize] || self.clouded[tile as usize]
    }

    /// Whether a candidate, here in the region's own coordinates, might conflict with something
    /// unknown.
    pub(super) fn clouds(&self, tile: u32, list: &[u32], own: [f32; D], r: f64) -> bool {
        self.may_reach(tile, list, (own, [0.0; D]), r)
    }

    /// Whether something unknown might lie so near a box, given by its middle and half of its sides, that
    /// a point there which asks for `r` conflicts with it.
    pub(super) fn may_reach(
        &self,
        tile: u32,
        list: &[u32],
        (center, half): ([f32; D], [f32; D]),
        r: f64,
    ) -> bool {
        let out = half.into_iter().fold(0.0, f32::max);
        if self.at_edge[tile as usize] && self.depth(center) - out < self.reach(r) {
            return true;
        }
        self.any(tile, list, |q| {
            let keep = MARGIN * self.rule.distance(f64::from(q.r), r) as f32 + self.slack;
            square::<D>(|a| (q.p[a] - center[a]).abs() - q.half[a] - half[a]) <= keep * keep
        })
    }

    /// Whether a box need not be looked at: it lies so near the edge, or a tile that is given up,
    /// that nothing in it can be known.
    pub(super) fn hides(&self, patch: &Patch<D>, least: f64) -> bool {
        if !self.at_edge[patch.tile as usize] {
            return false;
        }
        let deepest: [f32; D] = std::array::from_fn(|a| {
            let (below, above) = (
                patch.center[a] + patch.half[a] - self.ends[a][0],
                self.ends[a][1] - patch.center[a] + patch.half[a],
            );
            below.min(above)
        });
        let depth = deepest.into_iter().fold(f32::INFINITY, f32::min);
        depth < self.rule.distance(self.widest, least) as f32
            || self.is_beside_given_up(patch, least)
    }

    /// Whether a box lies so near a tile that is given up that nothing in it can be known.
    fn is_beside_given_up(&self, patch: &Patch<D>, least: f64) -> bool {
        let mut next = self.first_given_up[patch.tile as usize];
        while let Some(other) = self.given_up.get(next as usize) {
            let keep = self.rule.distance(other.most, least) as f32;
            let there = &other.patch;
            let farthest = |a: usize| {
                (there.center[a] - patch.center[a]).abs() + patch.half[a] - there.half[a]
            };
            if square::<D>(farthest) < keep * keep {
                return true;
            }
            next = other.next;
        }
        false
    }

    /// Whether an unknown candidate, if it is there, covers all of a box whose least distance is
    /// `least`. Boxes do not count: what is hidden would hide what is beside it, and so on without
    /// an end where a field has nothing and does not know it. The next candidate in their reach is
    /// unknown, and that counts.
    pub(super) fn may_cover(&self, list: &[u32], patch: &Patch<D>, least: f64) -> bool {
        self.any(patch.tile, list, |q| {
            if q.half != [0.0; D] {
                return false;
            }
            let keep = self.rule.distance(f64::from(q.r), least) as f32;
            square::<D>(|a| (q.p[a] - patch.center[a]).abs() + patch.half[a]) < keep * keep
        })
    }

    /// Adds a candidate that may or may not be accepted: `p` in the world, `own` in the region's own
    /// coordinates. Its disk may lie on the tiles of `list`.
    #[inline(never)]
    pub(super) fn add<F>(
        &mut self,
        view: &View<'_, D, F>,
        tree: &Tree<D>,
        (tile, list): (u32, &[u32]),
        (p, own): ([f64; D], [f32; D]),
        r: f64,
    ) {
        self.push(tree, tile, own, [0.0; D], r);
        for &near in list {
            let there = &tree.tiles[near as usize];
            let x = tree.seen_from(&view.lattice, near, tile, p);
            let keep = self.rule.distance(r, there.lo);
            if there.away2(x) >= keep * keep {
                continue;
            }
            let shadow = &mut self.shadow_of[near as usize];
            if *shadow == NONE {
                *shadow = self.shadows.push();
            }
            self.shadows.stamp(*shadow, there, x, keep);
        }
    }

    /// Takes the parts of a cell of a tile out that an unknown candidate covers, if it is there. Gives
    /// the first and the last of them along each axis.
    #[inline]
    pub(super) fn leave_shaded(
        &self,
        cover: &mut Cover<D>,
        tile: u32,
        cell: [u32; D],
    ) -> Option<([u32; D], [u32; D])> {
        let shadow = self.shadow_of[tile as usize];
        if shadow == NONE {
            return None;
        }
        cover.close_where(tile, cell, &self.shadows, shadow)
    }

    /// As [`add`](Self::add) of a candidate that falls into the shadow of others: its own is left out.
    pub(super) fn add_shaded(&mut self, tree: &Tree<D>, tile: u32, own: [f32; D], r: f64) {
        self.push(tree, tile, own, [0.0; D], r);
    }

    /// Whether an unknown candidate, if it is there, covers all of a part of a tile.
    #[inline]
    pub(super) fn shades(&self, tile: u32, spot: u16) -> bool {
        let shadow = self.shadow_of[tile as usize];
        shadow != NONE && self.shadows.is_covered(shadow, spot)
    }

    /// Adds a box whose later candidates are not looked at; none asks for more than `most`.
    pub(super) fn add_box(&mut self, tree: &Tree<D>, patch: &Patch<D>, most: f64) {
        self.push(tree, patch.tile, patch.center, patch.half, most);
    }

    /// Gives a tile up in which no point asks for more than `most`.
    pub(super) fn give_up(&mut self, tree: &Tree<D>, patch: &Patch<D>, most: f64) {
        for &near in tree.lists_of(patch.tile) {
            self.at_edge[near as usize] = true;
            let first = &mut self.first_given_up[near as usize];
            self.given_up.push(GivenUp {
                patch: *patch,
                most,
                next: *first,
            });
            *first = self.given_up.len() as u32 - 1;
        }
        self.add_box(tree, patch, most);
    }

    fn push(&mut self, tree: &Tree<D>, tile: u32, p: [f32; D], half: [f32; D], r: f64) {
        if self.first[tile as usize] == NONE {
            for &near in tree.lists_of(tile) {
                self.clouded[near as usize] = true;
            }
        }
        let next = self.first[tile as usize];
        self.first[tile as usize] = self.maybes.len() as u32;
        let r = r as f32;
        self.maybes.push(Maybe { p, half, r, next });
    }

    #[inline]
    fn any(&self, own: u32, list: &[u32], test: impl Fn(&Maybe<D>) -> bool) -> bool {
        self.clouded[own as usize]
            && list.iter().any(|&tile| {
                let mut next = self.first[tile as usize];
                while next != NONE {
                    let maybe = &self.maybes[next as usize];
                    if test(maybe) {
                        return true;
                    }
                    next = maybe.next;
                }
                false
            })
    }

    /// The unknown places that reach into a box of the region's own coordinates, with a margin.
    pub(super) fn reaching(
        &self,
        min: [f32; D],
        max: [f32; D],
    ) -> impl Iterator<Item = [[f32; D]; 2]> {
        let margin = 1e-3 * self.widest as f32 + self.slack;
        let places = self.maybes.iter().map(move |q| {
            let out = q.half.map(|half| half + margin);
            [
                std::array::from_fn(|a| q.p[a] - out[a]),
                std::array::from_fn(|a| q.p[a] + out[a]),
            ]
        });
        places.filter(move |[from, to]| (0..D).all(|a| to[a] >= min[a] && from[a] <= max[a]))
    }
}

/// The square of what lies along the axes; what is negative counts as none.
#[inline]
fn square<const D: usize>(along: impl Fn(usize) -> f32) -> f32 {
    (0..D).map(|a| along(a).max(0.0)).map(|d| d * d).sum()
}
