//! The state of one open leaf: its coverage, the points around it, and the candidates of its current round.

use super::bitmap::Bitmap;
use super::hash::round;
use super::lanes::{LANES, NOWHERE, distance2, ones, splat, sum};
use super::lattice::{Cell, Image, Lattice, Parts};
use super::margin::{WIDE, between_leaves, in_leaf, maybe_within2, of_position, surely_within2};
use super::near_points::{NearPoints, Pieces, Placed, Spot, square_between};
use super::neighbours::{NONE, NeighbourRow};
use super::separation::Separation;
use super::shape::{Fragment, LocalBox, Shape};
use crate::rule::Rule;
use wide::{CmpGt, CmpLt, f32x8, i32x8};

/// The greatest memory of one leaf's candidates and fragments, bytes: far more than any map needs.
pub(super) const MOST_IN_A_LEAF: u64 = 256 << 20;

/// A leaf in which distances differ by more than this factor has high contrast.
const HIGH_CONTRAST: f64 = 2.0;

/// Eight candidates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch<const D: usize> {
    /// Positions relative to the leaf's corner.
    x: [f32x8; D],
    /// Radii; for a candidate of unknown radius, the least radius in the leaf.
    r: f32x8,
    /// Radii in double precision; 0 while unknown.
    radius: [f64; LANES],
    /// Positions in `2^-32` of the leaf's sides.
    at: [[u32; D]; LANES],
    id: [u64; LANES],
    /// The upper halves of the ids, mapped to the order of signed numbers.
    priority: i32x8,
    /// A bit for each candidate that is neither accepted nor rejected.
    pub(super) undecided: u8,
    pub(super) unknown_radius: u8,
}

impl<const D: usize> Batch<D> {
    const EMPTY: Self = Self {
        x: [f32x8::new([NOWHERE; LANES]); D],
        r: f32x8::ZERO,
        radius: [0.0; LANES],
        at: [[0; D]; LANES],
        id: [0; LANES],
        priority: i32x8::ZERO,
        undecided: 0,
        unknown_radius: 0,
    };

    /// Rejects the candidates in the lanes `near` that conflict with an accepted point, in double precision. The point is
    /// moved by `shift`. Under a rule that is not symmetric, these are candidates that come later.
    #[cold]
    fn reject_exactly(
        &mut self,
        rule: Rule,
        near: u8,
        placed: &Placed<D>,
        shift: [f64; D],
        position: impl Fn([u32; D]) -> [f64; D],
    ) {
        for lane in ones(near).map(|lane| lane as usize) {
            if !rule.is_symmetric() && self.id[lane] < placed.id {
                continue;
            }
            let distance = rule.distance(placed.r, self.radius[lane]);
            if square_between(placed.p, position(self.at[lane]), shift) < distance * distance {
                self.undecided &= !(1 << lane);
            }
        }
    }
}

/// An accepted point that a leaf has to replay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replayed<const D: usize> {
    pub(super) placed: Placed<D>,
    pub(super) image: Image,
    /// Position relative to the leaf's corner.
    pub(super) x: [f64; D],
}

impl<const D: usize> Replayed<D> {
    /// Returns the round that drew the point.
    pub(super) fn round(&self) -> u8 {
        round(self.placed.id)
    }
}

/// A candidate of a leaf, as it is compared with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<const D: usize> {
    /// Slot of the leaf's state, batch and lane.
    pub(super) leaf: u32,
    pub(super) batch: u32,
    pub(super) lane: u32,
    /// Position relative to the corner of its own leaf.
    pub(super) x: [f32; D],
    pub(super) p: [f64; D],
    pub(super) r: f64,
    pub(super) id: u64,
}

/// The state of an open leaf. Reused for one leaf after another.
#[derive(Clone, Debug)]
pub(super) struct Leaf<const D: usize> {
    rule: Rule,
    pub(super) shape: Shape<D>,
    /// The coordinates of the leaf's cell.
    at: [f64; D],
    /// The inverse of a part's sides.
    per_part: [f64; D],
    /// The leaf's sides times `2^-24`.
    unit: [f32; D],
    /// The node of the leaf; [`NONE`] while the state is free.
    pub(super) node: u32,
    /// The greatest radius that a candidate in the leaf can still be accepted with.
    pub(super) max_radius: f64,
    pub(super) bitmap: Bitmap<D>,
    /// The accepted points in and around the leaf, and obstacles whose distance is by the rule.
    pub(super) around: NearPoints<D>,
    /// Obstacles with a fixed distance, whatever the radius of a point.
    fixed: NearPoints<D>,
    /// Accepted points from before the leaf was opened again, those of the latest round first: each is added
    /// in its round.
    pub(super) to_replay: Vec<Replayed<D>>,
    batches: Vec<Batch<D>>,
    /// Number of candidates in `batches`.
    count: u32,
    /// The neighbours, once they were searched for.
    pub(super) neighbours: Vec<NeighbourRow<D>>,
    pub(super) neighbours_known: bool,
    /// The box of the uncovered parts or fragments, as last measured: when a round was decided, or since. Not valid
    /// before that, nor once all is covered.
    uncovered_box: LocalBox<D>,
    pub(super) fragments: Vec<Fragment<D>>,
    /// Points in the leaf itself, in no particular order.
    pub(super) own: Vec<Placed<D>>,
    /// The centres and volumes of unresolved cells.
    pub(super) unresolved: Vec<([f64; D], f64)>,
}

impl<const D: usize> Leaf<D> {
    /// Creates a free state.
    pub(super) fn new() -> Self {
        Self {
            rule: Rule::Max,
            shape: Shape::closed(Cell {
                level: 0,
                at: [0; D],
            }),
            at: [0.0; D],
            per_part: [0.0; D],
            unit: [0.0; D],
            node: NONE,
            max_radius: 0.0,
            bitmap: Bitmap::default(),
            around: NearPoints::default(),
            fixed: NearPoints::default(),
            to_replay: Vec::new(),
            batches: Vec::new(),
            count: 0,
            neighbours: Vec::new(),
            neighbours_known: false,
            uncovered_box: LocalBox {
                center: [0.0; D],
                half: [0.0; D],
            },
            fragments: Vec::new(),
            own: Vec::new(),
            unresolved: Vec::new(),
        }
    }

    /// Begins the work on a leaf.
    pub(super) fn open(&mut self, lattice: &Lattice<D>, rule: Rule, shape: Shape<D>) {
        self.rule = rule;
        self.shape = shape;
        self.at = shape.cell.at.map(|x| x as f64);
        self.per_part = lattice
            .sides(shape.cell.level + Parts::<D>::BITS as i32)
            .map(|s| 1.0 / s);
        self.unit = shape.sides.map(|s| (s * (1.0 / f64::from(1 << 24))) as f32);
        self.max_radius = shape.hi;
        self.bitmap.reset();
        self.around.reset(rule, shape.lo, shape.side);
        // By this rule the distance is the radius of the obstacle, in which `add_obstacle` stores the fixed distance.
        self.fixed.reset(Rule::Prior, shape.lo, shape.side);
        self.to_replay.clear();
        self.neighbours.clear();
        self.neighbours_known = false;
        self.count = 0;
        self.fragments.clear();
        self.own.clear();
        self.unresolved.clear();
    }

    /// Returns the largest error of a position in the leaf in single precision.
    #[inline]
    fn position_error(&self) -> f32 {
        of_position(self.shape.side)
    }

    /// Returns a box around a position in the leaf in single precision, for its error: this grows with the leaf, and
    /// matters where distances are small.
    #[inline]
    pub(super) fn box_around(&self, x: [f32; D]) -> LocalBox<D> {
        LocalBox {
            center: x,
            half: [self.position_error(); D],
        }
    }

    /// Returns the memory in use, bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + 2 * Parts::<D>::ROWS
            + self.around.bytes()
            + self.fixed.bytes()
            + self.to_replay.capacity() * size_of::<Replayed<D>>()
            + self.batches.capacity() * size_of::<Batch<D>>()
            + self.neighbours.capacity() * size_of::<NeighbourRow<D>>()
            + self.fragments.capacity() * size_of::<Fragment<D>>()
            + self.own.capacity() * size_of::<Placed<D>>()
            + self.unresolved.capacity() * size_of::<([f64; D], f64)>()
    }

    /// Returns `true` if the leaf has the same distance everywhere and may hold points everywhere.
    #[inline]
    pub(super) fn is_uniform(&self) -> bool {
        self.shape.whole && self.shape.lo == self.shape.hi
    }

    /// Returns `true` if distances in the leaf differ by more than [`HIGH_CONTRAST`].
    #[inline]
    pub(super) fn is_high_contrast(&self) -> bool {
        self.shape.hi > HIGH_CONTRAST * self.shape.lo
    }

    /// Returns the sides of a part.
    #[inline]
    pub(super) fn part(&self) -> [f64; D] {
        self.shape
            .sides
            .map(|s| s * (1.0 / f64::from(Parts::<D>::WIDTH)))
    }

    /// Returns a position in the world; `at` is the position in the leaf, in `2^-32` of its sides.
    #[inline]
    pub(super) fn position(&self, lattice: &Lattice<D>, at: [u32; D]) -> [f64; D] {
        lattice.position(self.at, self.shape.sides, at)
    }

    /// Returns a position relative to the leaf's corner in single precision; `at` is in `2^-32` of the
    /// leaf's sides.
    #[inline]
    pub(super) fn offset(&self, at: [u32; D]) -> [f32; D] {
        std::array::from_fn(|a| (at[a] >> 8) as i32 as f32 * self.unit[a])
    }

    /// Returns the memory of candidates and of the fragments that draw them, bytes.
    #[inline]
    pub(super) fn candidate_bytes(&self) -> u64 {
        (self.batches.capacity() * size_of::<Batch<D>>()
            + self.fragments.len() * size_of::<Fragment<D>>()) as u64
    }

    /// Removes the candidates of the round.
    pub(super) fn forget_candidates(&mut self) {
        self.count = 0;
    }

    /// Adds a candidate; `r` is its radius if that is known.
    #[inline]
    pub(super) fn push(&mut self, at: [u32; D], x: [f32; D], id: u64, r: Option<f64>) {
        let (index, lane) = (self.count as usize / LANES, self.count as usize % LANES);
        self.count += 1;
        if index == self.batches.len() {
            self.batches.push(Batch::EMPTY);
        }
        let batch = &mut self.batches[index];
        if lane == 0 {
            batch.x = Batch::EMPTY.x;
            batch.undecided = 0;
            batch.unknown_radius = 0;
        }
        for (row, x) in batch.x.iter_mut().zip(x) {
            row.as_array_mut()[lane] = x;
        }
        batch.r.as_array_mut()[lane] = r.unwrap_or(self.shape.lo) as f32;
        batch.radius[lane] = r.unwrap_or(0.0);
        batch.at[lane] = at;
        batch.id[lane] = id;
        batch.priority.as_array_mut()[lane] = upper_half(id);
        batch.undecided |= 1 << lane;
        batch.unknown_radius |= u8::from(r.is_none()) << lane;
    }

    /// Returns the candidates of the round.
    #[inline]
    pub(super) fn batches(&self) -> &[Batch<D>] {
        &self.batches[..(self.count as usize).div_ceil(LANES)]
    }

    /// Returns `true` if the candidate has neither been accepted nor rejected.
    #[inline]
    pub(super) fn is_undecided(&self, batch: u32, lane: u32) -> bool {
        self.batches[batch as usize].undecided >> lane & 1 == 1
    }

    /// Returns `true` if the candidate's radius is not known yet.
    #[inline]
    pub(super) fn is_radius_unknown(&self, batch: u32, lane: u32) -> bool {
        self.batches[batch as usize].unknown_radius >> lane & 1 == 1
    }

    /// Returns the id of a candidate.
    #[inline]
    pub(super) fn id(&self, batch: u32, lane: u32) -> u64 {
        self.batches[batch as usize].id[lane as usize]
    }

    /// Marks a candidate as accepted or rejected.
    #[inline]
    pub(super) fn settle(&mut self, batch: u32, lane: u32) {
        self.batches[batch as usize].undecided &= !(1 << lane);
    }

    /// Sets the radius of a candidate.
    #[inline]
    pub(super) fn set_radius(&mut self, batch: u32, lane: u32, r: f64) {
        let batch = &mut self.batches[batch as usize];
        batch.unknown_radius &= !(1 << lane);
        batch.radius[lane as usize] = r;
        batch.r.as_array_mut()[lane as usize] = r as f32;
    }

    /// Returns the position and id of a candidate.
    #[inline]
    pub(super) fn spot(&self, lattice: &Lattice<D>, batch: u32, lane: u32) -> Spot<D> {
        let (batch, lane) = (&self.batches[batch as usize], lane as usize);
        Spot {
            p: self.position(lattice, batch.at[lane]),
            x: std::array::from_fn(|a| batch.x[a].as_array_ref()[lane]),
            id: batch.id[lane],
        }
    }

    /// Returns the radius of a candidate; its radius must be known.
    #[inline]
    pub(super) fn radius(&self, batch: u32, lane: u32) -> f64 {
        self.batches[batch as usize].radius[lane as usize]
    }

    /// Returns `true` if a candidate of radius `r` conflicts with an accepted point or an obstacle,
    /// exactly.
    #[inline]
    pub(super) fn conflicts(&self, lattice: &Lattice<D>, spot: &Spot<D>, r: f64) -> bool {
        self.around.conflicts(lattice, spot, r) || self.fixed.conflicts(lattice, spot, r)
    }

    /// Returns `true` if there are obstacles, which may reject blind candidates.
    #[inline]
    pub(super) fn has_obstacles(&self) -> bool {
        !(self.around.is_empty() && self.fixed.is_empty())
    }

    /// Adds an obstacle before anything is drawn. `image` of it lies at `x` relative to the leaf's corner;
    /// points keep the distance `separation` from it.
    pub(super) fn add_obstacle(
        &mut self,
        lattice: &Lattice<D>,
        obstacle: Placed<D>,
        separation: Separation,
        image: Image,
        x: [f64; D],
    ) {
        match separation {
            Separation::ByRule(_) => {
                let reach = self.rule.distance(obstacle.r, self.shape.hi);
                if self.is_within(reach, x) {
                    self.add_point(lattice, &obstacle, image, x);
                }
            }
            Separation::Fixed(distance) => {
                if self.is_within(distance, x) {
                    let obstacle = Placed {
                        r: distance,
                        ..obstacle
                    };
                    self.bitmap.cover(x, distance, self.per_part, self.part());
                    self.fixed.push(obstacle, image, x.map(|x| x as f32));
                }
            }
        }
    }

    /// Returns the pieces of a fragment that no single point covers.
    pub(super) fn uncovered(&self, fragment: &Fragment<D>) -> u32 {
        let part = self.part();
        let share = super::lattice::inverse_power_of_two(
            (fragment.halvings + Parts::<D>::PIECE_HALVINGS - Parts::<D>::BITS) as i32,
        );
        let unit = f64::from(Parts::<D>::WIDTH) / (1_u64 << 32) as f64;
        let pieces = Pieces {
            x: std::array::from_fn(|a| (f64::from(fragment.at[a]) * (unit * part[a])) as f32),
            piece: part.map(|s| (s * share) as f32),
        };
        let least = fragment.lo.max(self.shape.lo);
        let open = self.around.uncovered(&pieces, least, fragment.pieces);
        self.fixed.uncovered(&pieces, least, open)
    }

    /// Returns the undecided lanes of a batch that may be rivals of the candidate `of`: that have a smaller
    /// priority and may conflict with it. `x` is the position of `of` relative to this leaf's corner, and
    /// `far` a bound on the coordinates of positions in its leaf, relative to the same corner.
    #[inline]
    pub(super) fn rivals(&self, batch: usize, of: &Candidate<D>, x: [f32; D], far: f32) -> u8 {
        let batch = &self.batches[batch];
        if batch.undecided == 0 {
            return 0;
        }
        let later = batch.priority.cmp_gt(i32x8::splat(upper_half(of.id)));
        let earlier = batch.undecided & !(later.move_mask() as u8);
        if earlier == 0 {
            return 0;
        }
        let margin = splat(between_leaves(self.shape.side, far));
        let own: [f32x8; D] = std::array::from_fn(|a| splat(x[a]));
        let square = distance2(&batch.x, own);
        let radii = self.radii(batch, earlier);
        let distance = self.rule.distances(radii, splat(of.r as f32));
        square.cmp_lt(maybe_within2(distance, margin)).move_mask() as u8 & earlier
    }

    /// Returns the undecided lanes of a batch that may conflict with a point in `place`, of radius `r` or
    /// less.
    #[inline]
    pub(super) fn reaching(&self, batch: usize, place: &LocalBox<D>, r: f64) -> u8 {
        let batch = &self.batches[batch];
        if batch.undecided == 0 {
            return 0;
        }
        let square = sum::<D>(|a| {
            let gap = (batch.x[a] - splat(place.center[a])).abs()
                - splat(place.half[a] + self.position_error());
            let gap = gap.fast_max(f32x8::ZERO);
            gap * gap
        });
        let radii = self.radii(batch, batch.undecided);
        let reach = self.rule.reaches(radii, splat(r as f32)) * WIDE as f32;
        square.cmp_lt(reach * reach).move_mask() as u8 & batch.undecided
    }

    /// Returns the radii of a batch, or upper bounds on them if one in `lanes` is unknown.
    #[inline]
    fn radii(&self, batch: &Batch<D>, lanes: u8) -> f32x8 {
        if lanes & batch.unknown_radius == 0 {
            return batch.r;
        }
        batch.r.fast_max(splat(self.max_radius as f32))
    }

    /// Adds an accepted point, unless it is out of reach of the radii that are still possible: covers parts and
    /// rejects candidates that conflict with it. `image` of the point lies at `x` relative to the leaf's corner.
    #[inline(never)]
    pub(super) fn add_point(
        &mut self,
        lattice: &Lattice<D>,
        placed: &Placed<D>,
        image: Image,
        x: [f64; D],
    ) {
        let away2 = self.away2(x);
        if self.is_high_contrast() && !self.lower_max_radius(placed.r, x, away2) {
            return;
        }
        let distance = self.rule.distance(placed.r, self.shape.lo);
        if away2 < distance * distance {
            self.bitmap.cover(x, distance, self.per_part, self.part());
        }
        let offset = x.map(|x| x as f32);
        self.around.push(*placed, image, offset);
        self.reject(lattice, placed, image, offset);
    }

    /// Excludes the radii that conflict with an accepted point of radius `r` wherever in the leaf a candidate lies.
    /// Returns `false` if the point is out of reach of those that were still possible. It lies at `x`, and the
    /// square root of `away2` away from the leaf.
    fn lower_max_radius(&mut self, r: f64, x: [f64; D], away2: f64) -> bool {
        if !self.rule.is_symmetric() {
            return true;
        }
        let reach = self.rule.distance(r, self.max_radius);
        if away2 > reach * reach * 1.000_01 {
            return false;
        }
        // The margin is larger than that of the test above.
        let far = 1.000_02 * self.far2(x).sqrt();
        let max_radius = self.rule.max_radius_within(far, r);
        if max_radius < self.max_radius {
            self.max_radius = max_radius;
        }
        true
    }

    /// Adds the points to replay up to those of `round`.
    pub(super) fn replay(&mut self, lattice: &Lattice<D>, round: u8) {
        while let Some(replayed) = self.to_replay.pop_if(|next| next.round() <= round) {
            let Replayed { placed, image, x } = replayed;
            let reach = self.rule.reach(placed.r, self.shape.hi);
            if self.is_within(reach, x) {
                self.add_point(lattice, &placed, image, x);
            }
        }
    }

    /// Rejects the candidates that conflict with a new point. Under a symmetric rule, earlier ones too: as the point was
    /// accepted, an earlier candidate in conflict with it cannot have been.
    #[inline]
    fn reject(&mut self, lattice: &Lattice<D>, placed: &Placed<D>, image: Image, x: [f32; D]) {
        let own: [f32x8; D] = std::array::from_fn(|a| splat(x[a]));
        let earlier = splat(placed.r as f32);
        let margin = splat(in_leaf(self.shape.side));
        let (at, sides) = (self.at, self.shape.sides);
        let batches = (self.count as usize).div_ceil(LANES);
        for batch in &mut self.batches[..batches] {
            if batch.undecided == 0 {
                continue;
            }
            let square = distance2(&batch.x, own);
            let distance = self.rule.distances(earlier, batch.r);
            let near = square.cmp_lt(maybe_within2(distance, margin));
            let mut near = near.move_mask() as u8 & batch.undecided;
            if near == 0 {
                continue;
            }
            // For an unknown radius `batch.r` is the least in the leaf: a conflict with that is one with every radius.
            if self.rule.is_symmetric() {
                let surely = square.cmp_lt(surely_within2(distance, margin));
                let surely = surely.move_mask() as u8;
                batch.undecided &= !surely;
                near &= !surely;
            }
            near &= !batch.unknown_radius;
            if near != 0 {
                let position = |share| lattice.position(at, sides, share);
                batch.reject_exactly(self.rule, near, placed, lattice.shift(image), position);
            }
        }
    }

    /// Returns `true` if a candidate of radius `r` in `place`, relative to the leaf's corner, conflicts with
    /// nothing that can still be accepted in the leaf. It may return `false` for such candidates where
    /// contrast is not high.
    #[inline]
    pub(super) fn is_beyond(&self, place: &LocalBox<D>, r: f64) -> bool {
        if !self.is_high_contrast() {
            return false;
        }
        let mut square = 0.0;
        for a in 0..D {
            let half = 0.5 * self.shape.sides[a] as f32;
            let out = ((place.center[a] - half).abs() - half - place.half[a]).max(0.0);
            square += out * out;
        }
        let reach = (WIDE * self.rule.reach(r, self.max_radius)) as f32;
        square > reach * reach
    }

    /// Returns a box around the uncovered part of the leaf, as last measured. The uncovered part only shrinks.
    #[inline]
    pub(super) fn uncovered_box(&self) -> LocalBox<D> {
        self.uncovered_box
    }

    /// Measures the box around the uncovered part, if there is any.
    pub(super) fn measure_uncovered(&mut self) {
        let (from, to) = if self.fragments.is_empty() {
            let Some((first, last)) = self.bitmap.uncovered_box() else {
                return;
            };
            Self::ends(first, last)
        } else {
            let start = ([u32::MAX; D], [0; D]);
            self.fragments.iter().fold(start, |(from, to), fragment| {
                let last = fragment.last();
                (
                    std::array::from_fn(|a| from[a].min(fragment.at[a])),
                    std::array::from_fn(|a| to[a].max(last[a])),
                )
            })
        };
        self.uncovered_box = self.box_between(from, to);
    }

    /// Returns the first and the last position of a range of parts, both included.
    fn ends(first: [u32; D], last: [u32; D]) -> ([u32; D], [u32; D]) {
        let rest = 32 - Parts::<D>::BITS;
        (
            first.map(|x| x << rest),
            last.map(|x| x << rest | (u32::MAX >> Parts::<D>::BITS)),
        )
    }

    /// Returns `true` if candidates that the leaf has not drawn yet can conflict with points of radius `r`
    /// or less in `place`.
    pub(super) fn uncovered_reaches(&self, place: &LocalBox<D>, r: f64) -> bool {
        let reach = (WIDE * self.rule.reach(self.max_radius, r)) as f32;
        let reaches = |open: LocalBox<D>| {
            let square: f32 = (0..D)
                .map(|a| (place.center[a] - open.center[a]).abs() - place.half[a] - open.half[a])
                .map(|gap| gap.max(0.0))
                .map(|gap| gap * gap)
                .sum();
            square < reach * reach
        };
        if !reaches(self.uncovered_box) {
            return false;
        }
        if self.fragments.is_empty() {
            self.bitmap.uncovered_rows().any(|(first, last)| {
                let (from, to) = Self::ends(first, last);
                reaches(self.box_between(from, to))
            })
        } else {
            self.fragments
                .iter()
                .any(|fragment| reaches(self.box_between(fragment.at, fragment.last())))
        }
    }

    /// Returns the box between two positions in the leaf, slightly enlarged.
    #[inline]
    fn box_between(&self, from: [u32; D], to: [u32; D]) -> LocalBox<D> {
        let (from, to) = (self.offset(from), self.offset(to));
        let margin = 1e-5 * self.shape.side;
        LocalBox {
            center: std::array::from_fn(|a| 0.5 * (from[a] + to[a])),
            half: std::array::from_fn(|a| 0.5 * (to[a] - from[a]) + margin),
        }
    }

    /// Returns `true` if a position, relative to the leaf's corner, lies within `reach` of the leaf, or hardly beyond.
    #[inline]
    fn is_within(&self, reach: f64, x: [f64; D]) -> bool {
        self.away2(x) < WIDE * reach * reach
    }

    /// Returns the square of the distance from a position, relative to the leaf's corner, to the leaf.
    #[inline]
    fn away2(&self, x: [f64; D]) -> f64 {
        (0..D).fold(0.0, |sum, a| {
            let out = (x[a] - self.shape.sides[a]).max(-x[a]).max(0.0);
            sum + out * out
        })
    }

    /// Returns the square of the distance from a position, relative to the leaf's corner, to the leaf's
    /// farthest corner.
    #[inline]
    fn far2(&self, x: [f64; D]) -> f64 {
        (0..D).fold(0.0, |sum, a| {
            let half = 0.5 * self.shape.sides[a];
            let out = (x[a] - half).abs() + half;
            sum + out * out
        })
    }
}

/// Returns the upper half of an id, mapped to the order of signed numbers.
#[inline]
fn upper_half(id: u64) -> i32 {
    ((id >> 32) as u32 ^ 1 << 31) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Draws;
    use crate::scatter::lattice::image;
    use density::DistRange;

    /// The greatest coordinate that is allowed where the least distance is 1.
    const FAR: f64 = (1_u64 << 31) as f64;

    fn open<const D: usize>(lattice: &Lattice<D>, rule: Rule, cell: Cell<D>, lo: f64) -> Leaf<D> {
        let shape = Shape {
            min: lattice.bounds(cell).expect("a box").min(),
            sides: lattice.sides(cell.level),
            side: lattice.side(cell.level) as f32,
            lo,
            hi: lo,
            whole: true,
            ..Shape::closed(cell)
        };
        let mut leaf = Leaf::new();
        leaf.open(lattice, rule, shape);
        leaf
    }

    fn check_single_precision<const D: usize>(anchor: f64) {
        let (own, mut draws) = (image([0; D]), Draws::new(7));
        let range = DistRange::new(1.0, 1.0).expect("a range");
        let lattice = Lattice::open([anchor; D], range);
        let root = Cell {
            level: 0,
            at: [3; D],
        };
        let mut leaf = open(&lattice, Rule::Max, root, 1.0);
        let mut rejected = 0;
        for number in 0..20_000 {
            leaf.open(&lattice, Rule::Max, leaf.shape);
            let at = std::array::from_fn(|_| draws.bits() as u32);
            leaf.push(at, leaf.offset(at), 9, Some(1.0));
            let spot = leaf.spot(&lattice, 0, 0);
            let r = 1.0 + 2.0 * draws.unit();
            let way: [f64; D] = std::array::from_fn(|_| draws.unit() - 0.5);
            let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let near = (draws.unit() - 0.5) * 0.1_f64.powi(number % 8);
            let step = way.map(|x| x / length * r * (1.0 + near));
            let p = std::array::from_fn(|a| spot.p[a] + step[a]);
            let conflict = square_between(p, spot.p, [0.0; D]) < r * r;
            let x = std::array::from_fn(|a| p[a] - leaf.shape.min[a]);
            leaf.add_point(&lattice, &Placed { p, r, id: 3 }, own, x);
            assert_eq!(leaf.conflicts(&lattice, &spot, 1.0), conflict, "{near}");
            assert_eq!(leaf.is_undecided(0, 0), !conflict, "{near}");
            assert!(conflict || !leaf.around.rejects(spot.x), "{near}");
            rejected += u32::from(conflict);
        }
        assert!((5000..15_000).contains(&rejected), "{rejected}");
    }

    /// Points within rounding of the limit reject exactly the candidates that they conflict with.
    #[test]
    fn single_precision_decides_no_pair() {
        for anchor in [0.0, 0.5 * FAR] {
            check_single_precision::<2>(anchor);
            check_single_precision::<3>(anchor);
        }
    }

    /// A rival in a small leaf beside a large one is found, though positions in the large one are less precise.
    #[test]
    fn no_rival_across_leaves_is_missed() {
        let range = DistRange::new(1.0, 1e3).expect("a range");
        let mut draws = Draws::new(7);
        for anchor in [0.0, 0.5 * FAR] {
            let lattice = Lattice::open([anchor; 2], range);
            for _ in 0..20_000 {
                let beside = Cell {
                    level: 10,
                    at: [1023, 0],
                };
                let mut small = open(&lattice, Rule::Min, beside, 1.0);
                let root = Cell {
                    level: 0,
                    at: [1, 0],
                };
                let mut large = open(&lattice, Rule::Min, root, 1e3);
                let at = [0; 2].map(|_| draws.bits() as u32);
                let corner = at.map(|x| x >> 11);
                large.push(corner, large.offset(corner), 9, Some(1e3));
                let this = large.spot(&lattice, 0, 0);
                small.push(at, small.offset(at), 3, Some(1.0));
                let p = small.spot(&lattice, 0, 0).p;
                let distance = square_between(p, this.p, [0.0; 2]).sqrt();
                small.set_radius(0, 0, distance * (1.0 + 1e-9));
                let of = Candidate {
                    leaf: 0,
                    batch: 0,
                    lane: 0,
                    x: this.x,
                    p: this.p,
                    r: 1e3,
                    id: this.id,
                };
                let mut row = NeighbourRow::empty();
                let away = small.shape.relative_to(large.shape.min, [0.0; 2]);
                row.set(0, (0, image([0; 2])), away, small.shape.sides, 1.0);
                let near = row.get(0);
                let x = std::array::from_fn(|a| of.x[a] - near.corner[a]);
                let far = near.far(large.shape.side);
                assert_eq!(small.rivals(0, &of, x, far), 1);
            }
        }
    }
}
