//! Checks the distances between points, and that no room is left for one more, by a search that shares
//! nothing with the sampler.

use crate::common::{Random, required, squared};
use sampler::density::Bounds;
use sampler::{Rule, Sample};
use spinney_sampler as sampler;

/// Two layers, the smaller number first, and the distance between their points.
pub(crate) type Fixed = (u32, u32, f64);

/// Points and the distances that they must keep.
pub(crate) struct Checker<'s, const D: usize> {
    /// Points in the order of their first coordinates. On a tile, each also stands beyond the opposite
    /// edges.
    points: Vec<([f64; D], &'s Sample<D>)>,
    rule: Rule,
    fixed: &'s [Fixed],
    longest: f64,
    is_tile: bool,
}

/// Numbers of pairs nearer than 1.25 times the distance that they must keep. On a tile, pairs of points
/// beyond its edges count too.
pub(crate) struct NearPairs {
    /// Pairs of points of two layers.
    pub(crate) between_layers: usize,
    /// Pairs across an edge of a tile.
    pub(crate) across_edges: usize,
}

impl<'s, const D: usize> Checker<'s, D> {
    pub(crate) fn new(samples: &'s [Sample<D>], rule: Rule) -> Self {
        let mut points: Vec<_> = samples.iter().map(|s| (s.position, s)).collect();
        sort(&mut points);
        Self {
            points,
            rule,
            fixed: &[],
            longest: samples.iter().map(|s| s.min_dist).fold(0.0, f64::max),
            is_tile: false,
        }
    }

    /// Sets distances between layers, which replace those by the rule.
    pub(crate) fn with_fixed(self, fixed: &'s [Fixed]) -> Self {
        Self { fixed, ..self }
    }

    /// Makes the domain periodic.
    pub(crate) fn on_tile(mut self, tile: &Bounds<D>) -> Self {
        for axis in 0..D {
            let size = tile.size()[axis];
            let middle = tile.min()[axis] + 0.5 * size;
            for (mut p, sample) in self.points.clone() {
                // No distance is longer than half a tile.
                p[axis] += if p[axis] < middle { size } else { -size };
                self.points.push((p, sample));
            }
        }
        sort(&mut self.points);
        self.is_tile = true;
        self
    }

    fn keep(&self, earlier: (Option<u32>, f64), later: (Option<u32>, f64)) -> f64 {
        let pair = (earlier.0.min(later.0), earlier.0.max(later.0));
        let fixed = self.fixed.iter();
        let mut fixed = fixed.filter(|&&(a, b, _)| pair == (Some(a), Some(b)));
        match fixed.next() {
            Some(&(.., distance)) => distance,
            None => required(self.rule, earlier.1, later.1),
        }
    }

    /// Returns the points whose first coordinates are within `reach` of that of `p`.
    fn beside(&self, p: [f64; D], reach: f64) -> impl Iterator<Item = &([f64; D], &'s Sample<D>)> {
        let start = self.points.partition_point(|(q, _)| q[0] <= p[0] - reach);
        let beside = self.points[start..].iter();
        beside.take_while(move |(q, _)| q[0] < p[0] + reach)
    }

    fn longest_fixed(&self) -> f64 {
        self.fixed.iter().map(|fixed| fixed.2).fold(0.0, f64::max)
    }

    /// Checks that every pair keeps its distance, and that no id occurs twice.
    #[track_caller]
    pub(crate) fn assert_spaced(&self) -> NearPairs {
        let mut near = NearPairs {
            between_layers: 0,
            across_edges: 0,
        };
        // The position of a point beyond an edge is rounded once more.
        let tolerance = if self.is_tile { 1e-12 } else { 0.0 };
        for &(p, a) in &self.points {
            let reach = 1.25 * a.min_dist.max(self.longest_fixed());
            for &(q, b) in self.beside(p, reach) {
                // Each pair is found around its point of greater distance.
                if (b.min_dist, b.id) >= (a.min_dist, a.id) {
                    continue;
                }
                let (earlier, later) = if a.id < b.id { (a, b) } else { (b, a) };
                let keep = self.keep(
                    (earlier.layer, earlier.min_dist),
                    (later.layer, later.min_dist),
                );
                let square = squared(p, q);
                assert!(
                    square >= keep * keep * (1.0 - tolerance),
                    "{:?}, {keep} apart: {earlier:?} {later:?}",
                    self.rule
                );
                if square < (1.25 * keep).powi(2) {
                    let is_across = squared(a.position, b.position) > 1.01 * square;
                    near.between_layers += usize::from(a.layer != b.layer);
                    near.across_edges += usize::from(is_across);
                }
            }
        }
        let mut ids: Vec<u64> = self.points.iter().map(|(_, s)| s.id).collect();
        ids.sort_unstable();
        let copies = if self.is_tile { 1 << D } else { 1 };
        let all = ids.chunk_by(|a, b| a == b);
        assert!(
            all.into_iter().all(|same| same.len() == copies),
            "an id twice"
        );
        near
    }

    /// Returns `true` if a later point of this layer and distance could be added at `p`.
    fn has_room(&self, p: [f64; D], layer: Option<u32>, min_dist: f64) -> bool {
        let reach = self.longest.max(self.longest_fixed()).max(min_dist);
        self.beside(p, reach).all(|&(q, s)| {
            let keep = self.keep((s.layer, s.min_dist), (layer, min_dist));
            squared(p, q) >= keep * keep
        })
    }

    /// Tries `count` random places, at which points of this layer have the distance that `min_dist`
    /// returns. Returns the number of those where a point may lie, and checks that none of them has room.
    #[track_caller]
    pub(crate) fn assert_full(
        &self,
        domain: &Bounds<D>,
        count: usize,
        layer: Option<u32>,
        min_dist: impl Fn([f64; D]) -> Option<f64>,
    ) -> usize {
        let mut random = Random(count as u64);
        let places = (0..count).map(|_| random.place(domain));
        let open = places.filter_map(|p| Some((p, min_dist(p)?)));
        let mut tried = 0;
        for (p, r) in open {
            assert!(
                !self.has_room(p, layer, r),
                "{:?}: room at {p:?} for layer {layer:?}, {r}",
                self.rule
            );
            tried += 1;
        }
        assert!(tried > 0, "no place of layer {layer:?} is open");
        tried
    }
}

fn sort<const D: usize>(points: &mut [([f64; D], &Sample<D>)]) {
    points.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
}

/// Checks the points of one layer in an open domain.
#[track_caller]
pub(crate) fn assert_spaced<const D: usize>(samples: &[Sample<D>], rule: Rule) {
    Checker::new(samples, rule).assert_spaced();
}

/// Tests the checker itself.
#[test]
fn faults_are_found() {
    let sample = |id, x| Sample {
        id,
        position: [x, 5.0],
        min_dist: 1.0,
        value: 0.0,
        parent: None,
        rank: None,
        layer: Some(id as u32),
    };
    let square = Bounds::from_size([10.0; 2]).expect("a box");
    let fails = |check: &dyn Fn()| {
        let check = std::panic::AssertUnwindSafe(check);
        std::panic::catch_unwind(check).is_err()
    };
    let is_spaced = |checker: &Checker<'_, 2>| {
        !fails(&|| {
            checker.assert_spaced();
        })
    };
    let far = [sample(0, 0.1), sample(1, 9.9)];
    let [open, tile] = [0, 1].map(|_| Checker::new(&far, Rule::Max));
    let tile = tile.on_tile(&square);
    assert_eq!(open.assert_spaced().across_edges, 0);
    assert!(!is_spaced(&tile), "across an edge");
    let near = [sample(0, 4.0), sample(1, 4.9)];
    let [by_rule, fixed] = [0, 1].map(|_| Checker::new(&near, Rule::Max));
    let fixed = fixed.with_fixed(&[(0, 1, 0.8)]);
    assert!(!is_spaced(&by_rule), "too near");
    assert_eq!(fixed.assert_spaced().between_layers, 1);
    let twice = [sample(0, 2.0), sample(0, 7.0)];
    let twice = Checker::new(&twice, Rule::Max);
    assert!(!is_spaced(&twice), "an id twice");

    let around = Bounds::with_origin([3.5, 4.8], [1.9, 0.4]).expect("a box");
    let tried = by_rule.assert_full(&around, 100, Some(1), |_| Some(1.0));
    assert_eq!(tried, 100);
    let everywhere = || {
        by_rule.assert_full(&square, 100, Some(1), |_| Some(1.0));
    };
    assert!(fails(&everywhere), "room far from all points");
}
