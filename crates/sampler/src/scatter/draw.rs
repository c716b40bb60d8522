//! Draws the candidates of a leaf, round by round.

use super::hash::{CellHash, FIRST_OF_FRAGMENTS, LAST_ROUND};
use super::lanes::ones;
use super::lattice::{Parts, ROOM, top, unfold};
use super::leaf::{Leaf, MOST_IN_A_LEAF};
use super::near_points::Spot;
use super::pass_view::{MOST_HALVINGS, PassView};
use super::shape::Fragment;

/// Returns an upper bound of the last round in `D` dimensions: fragments begin as parts, and each round divides them.
const fn last_round<const D: usize>() -> u32 {
    FIRST_OF_FRAGMENTS as u32 + (MOST_HALVINGS - Parts::<D>::BITS) / Parts::<D>::PIECE_HALVINGS
}

// Priorities of later rounds would not be above those of all earlier ones.
const _: () = {
    assert!(last_round::<2>() <= LAST_ROUND as u32);
    assert!(last_round::<3>() <= LAST_ROUND as u32);
};

/// Draws the candidates of a round into a leaf. Returns `false` if a round is to draw into fragments
/// and none is left: the rest is covered, closed or unresolved.
pub(super) fn draw<const D: usize>(
    view: &PassView<'_, D>,
    leaf: &mut Leaf<D>,
    scratch: &mut Vec<Fragment<D>>,
    round: u8,
) -> bool {
    leaf.forget_candidates();
    match round {
        0 => draw_blind(view, leaf),
        1..FIRST_OF_FRAGMENTS => draw_into_parts(view, leaf, round),
        _ => {
            if round == FIRST_OF_FRAGMENTS {
                divide_parts(view, leaf);
            } else {
                divide_fragments(view, leaf, scratch);
            }
            draw_into_fragments(view, leaf, round);
            return !leaf.fragments.is_empty();
        }
    }
    true
}

/// Returns the inverse of q0 (the definition, 2): the volume of a cell in distances, in the smallest leaf.
fn inverse_of_q0<const D: usize>() -> f64 {
    let along = f64::from(Parts::<D>::CELLS_ALONG);
    let cell_side = 0.5 * ROOM * top(D) / (along * (D as f64).sqrt());
    (0..D).map(|_| cell_side).product()
}

/// Draws as many candidates as the leaf has cells, anywhere in it; fewer where the leaf is small for its
/// distances (the definition, 2).
///
/// A leaf of high contrast fits the least distance in it. Candidates with a greater distance get later
/// priorities in proportion, or are not drawn in this round: many would come before all candidates on the
/// dense side, and clear it.
#[inline(never)]
fn draw_blind<const D: usize>(view: &PassView<'_, D>, leaf: &mut Leaf<D>) {
    let shape = leaf.shape;
    let along = f64::from(Parts::<D>::CELLS_ALONG);
    let q: f64 = shape.sides.iter().map(|s| along * shape.lo / s).product();
    let scale = q * inverse_of_q0::<D>();
    let hash = CellHash::new(view.seed, shape.cell, 0);
    let bits = Parts::<D>::CELLS.ilog2();
    let known = leaf.is_uniform().then_some(shape.lo);
    let high_contrast = leaf.is_high_contrast();
    let obstacles = leaf.has_obstacles();
    for number in 0..Parts::<D>::CELLS {
        let candidate = hash.candidate(number);
        let Some(mut id) = candidate.blind_priority(number, bits, scale) else {
            continue;
        };
        let at = candidate.position();
        if is_outside(view, leaf, at) || (obstacles && leaf.bitmap.is_covered(at)) {
            continue;
        }
        let mut radius = known;
        if high_contrast {
            let Some(r) = view.field.min_dist(leaf.position(view.lattice, at)) else {
                continue;
            };
            // q for the distance at the candidate, over q for the least distance in the leaf.
            let relative = (r / shape.lo).max(1.0);
            let relative: f64 = (0..D).map(|_| relative).product();
            let Some(later) = candidate.blind_priority(number, bits, scale * relative) else {
                continue;
            };
            (id, radius) = (later, Some(r));
        }
        let x = leaf.offset(at);
        if obstacles && let Some(r) = radius {
            let p = leaf.position(view.lattice, at);
            if leaf.conflicts(view.lattice, &Spot { p, x, id }, r) {
                continue;
            }
        }
        leaf.push(at, x, id, radius);
    }
}

/// Draws into uncovered parts: a quarter of them in round 1, all in round 2 (the definition, 3).
#[inline(never)]
fn draw_into_parts<const D: usize>(view: &PassView<'_, D>, leaf: &mut Leaf<D>, round: u8) {
    if round == 1 && (leaf.is_high_contrast() || !leaf.shape.whole) {
        cover_by_cell_bounds(view, leaf);
    }
    let hash = CellHash::new(view.seed, leaf.shape.cell, round);
    for group in 0..Parts::<D>::GROUPS {
        let open = leaf.bitmap.uncovered_in_group(group);
        if open == 0 {
            continue;
        }
        for bit in ones(open & hash.drawing_parts(group, round)) {
            let part = 64 * group + bit;
            let candidate = hash.candidate(part);
            let step: [u32; D] = unfold(part, Parts::<D>::BITS);
            let inside: [u32; D] = candidate.position();
            let at = std::array::from_fn(|a| {
                step[a] << (32 - Parts::<D>::BITS) | inside[a] >> Parts::<D>::BITS
            });
            push_unless_rejected(view, leaf, at, candidate.priority(round));
        }
    }
}

/// Adds a candidate of round 1 or later, unless one of the first points around the leaf surely rejects it. All points and
/// obstacles are tested when it is decided.
#[inline]
fn push_unless_rejected<const D: usize>(
    view: &PassView<'_, D>,
    leaf: &mut Leaf<D>,
    at: [u32; D],
    id: u64,
) {
    let x = leaf.offset(at);
    if leaf.around.rejects(x) || is_outside(view, leaf, at) {
        return;
    }
    leaf.push(at, x, id, None);
}

/// Returns `true` if a position in the leaf lies outside the domain.
#[inline]
fn is_outside<const D: usize>(view: &PassView<'_, D>, leaf: &Leaf<D>, at: [u32; D]) -> bool {
    let outside = |domain: density::Bounds<D>| !domain.contains(leaf.position(view.lattice, at));
    leaf.shape.cut_off && view.domain.is_some_and(outside)
}

/// The field's bounds over a cell are evaluated only if this many of its parts are uncovered: for fewer it
/// would save nothing.
const LEAST_UNCOVERED: u32 = 5;

/// Covers the parts of a leaf that are closed, or covered for the least distance in their cell. This saves
/// candidates that would be rejected, and an evaluation of the field for each part. It never changes a
/// point.
#[inline(never)]
fn cover_by_cell_bounds<const D: usize>(view: &PassView<'_, D>, leaf: &mut Leaf<D>) {
    let pieces = Parts::<D>::PIECE_HALVINGS;
    let bits = Parts::<D>::HALVINGS - pieces;
    let shape = leaf.shape;
    for index in 0..Parts::<D>::CELLS {
        let step: [u32; D] = unfold(index, Parts::<D>::CELL_HALVINGS);
        let cubes = 0..1 << (D as u32 * bits);
        let cube = |number: u32| -> [u32; D] {
            let inside: [u32; D] = unfold(number, bits);
            std::array::from_fn(|a| step[a] << bits | inside[a])
        };
        if leaf.bitmap.uncovered_in_cell(step) < LEAST_UNCOVERED {
            continue;
        }
        let cell = shape.cell.inside(Parts::<D>::CELL_HALVINGS, step);
        let place = view.place(cell);
        let Some(local) = place.and_then(|place| view.field.range_in(&place)) else {
            for number in cubes {
                leaf.bitmap
                    .cover_in_cube(cube(number), Parts::<D>::ALL_PIECES);
            }
            continue;
        };
        let (lo, hi) = (local.range.lo(), local.range.hi());
        if lo <= shape.lo {
            continue;
        }
        for number in cubes {
            let cube = cube(number);
            let open = leaf.bitmap.uncovered_in_cube(cube);
            if open == 0 {
                continue;
            }
            let halvings = Parts::<D>::CELL_HALVINGS + bits;
            let left = leaf.uncovered(&Fragment {
                at: cube.map(|x| x << (32 - halvings)),
                halvings,
                pieces: open,
                lo,
                hi,
                whole: shape.whole,
            });
            leaf.bitmap.cover_in_cube(cube, open & !left);
        }
    }
}

/// Turns the uncovered parts into fragments.
#[inline(never)]
fn divide_parts<const D: usize>(view: &PassView<'_, D>, leaf: &mut Leaf<D>) {
    let shape = leaf.shape;
    if !leaf.is_uniform() {
        cover_by_cell_bounds(view, leaf);
    }
    let mut fragments = std::mem::take(&mut leaf.fragments);
    fragments.clear();
    // A test with the bounds of the leaf may save an evaluation of the field.
    let tests_first = !(leaf.is_uniform() || leaf.is_high_contrast());
    for group in 0..Parts::<D>::GROUPS {
        for bit in ones(leaf.bitmap.uncovered_in_group(group)) {
            let part = 64 * group + bit;
            let step: [u32; D] = unfold(part, Parts::<D>::BITS);
            let mut fragment = Fragment {
                at: step.map(|x| x << (32 - Parts::<D>::BITS)),
                halvings: Parts::<D>::BITS,
                pieces: Parts::<D>::ALL_PIECES,
                lo: shape.lo,
                hi: shape.hi,
                whole: shape.whole,
            };
            if tests_first {
                fragment.pieces = leaf.uncovered(&fragment);
                if fragment.pieces == 0 {
                    continue;
                }
            }
            let Some(mut fragment) = view.sharpened(&shape, fragment) else {
                continue;
            };
            fragment.pieces = leaf.uncovered(&fragment);
            if fragment.pieces != 0 {
                fragments.push(fragment);
            }
        }
    }
    leaf.fragments = fragments;
}

/// Turns the uncovered pieces of fragments into fragments.
#[inline(never)]
fn divide_fragments<const D: usize>(
    view: &PassView<'_, D>,
    leaf: &mut Leaf<D>,
    divided: &mut Vec<Fragment<D>>,
) {
    let shape = leaf.shape;
    let most = view.max_bytes.min(MOST_IN_A_LEAF) / size_of::<Fragment<D>>() as u64;
    divided.clear();
    for index in 0..leaf.fragments.len() {
        // The evaluator then ends the run. Fragments without candidates take memory too: those of a thin domain, for
        // example.
        if divided.len() as u64 > most {
            break;
        }
        let parent = leaf.fragments[index];
        if leaf.bitmap.is_covered(parent.at) {
            continue;
        }
        for index in ones(leaf.uncovered(&parent)) {
            let Some(mut piece) = view.sharpened(&shape, parent.piece(index)) else {
                continue;
            };
            let cell = piece.cell(shape.cell);
            piece.pieces = leaf.uncovered(&piece);
            if piece.pieces == 0 {
                continue;
            }
            if !view.is_finest(&piece, cell.level) {
                divided.push(piece);
            } else if let Some(place) = view.place(cell)
                && view
                    .domain
                    .is_none_or(|domain| domain.contains(place.center()))
            {
                leaf.unresolved.push((place.center(), place.volume()));
            }
        }
    }
    std::mem::swap(&mut leaf.fragments, divided);
}

/// Draws into every uncovered piece of every fragment.
#[inline(never)]
fn draw_into_fragments<const D: usize>(view: &PassView<'_, D>, leaf: &mut Leaf<D>, round: u8) {
    for index in 0..leaf.fragments.len() {
        // The evaluator then ends the run.
        if leaf.candidate_bytes() > view.max_bytes.min(MOST_IN_A_LEAF) {
            return;
        }
        let fragment = leaf.fragments[index];
        let hash = CellHash::new(view.seed, fragment.cell(leaf.shape.cell), round);
        for piece in ones(fragment.pieces) {
            let candidate = hash.candidate(piece);
            let at = fragment.position(piece, candidate.position());
            push_unless_rejected(view, leaf, at, candidate.priority(round));
        }
    }
}
