//! A quadtree of the edges of polygons.
//!
//! ```text
//!   +-------+---+---+     A leaf cell stores the winding numbers at its lowest corner, and the
//!   |       | . |___|__   edges that meet it. A place's winding number is the number at that
//!   |  in   +---/---+     corner plus the crossings on the path from the corner to the place.
//!   |       |  /| out     Cells that no edge meets are in or out as a whole.
//!   +-------+-/-+---+
//! ```

use super::Polygon;
use super::exact::{Edge, is_about_on_line, is_on_line, meets, winding_change};
use super::grow::grow;
use crate::polygons::FillRule;
use crate::{Bounds, Share};

/// A node of the tree: one cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// No edge meets the cell.
    In,
    Out,
    /// The cell is divided into four: the first quarter is node `first`. `share` is for the whole
    /// cell.
    Cut {
        first: u32,
        share: Share,
    },
    /// Edges meet the cell: those in these groups, a range of indices.
    Leaf {
        groups: [u32; 2],
    },
}

impl Node {
    /// Returns the share of the cell that is inside: `All` and `None` only where this is certain.
    pub(super) fn share(self) -> Share {
        match self {
            Self::In => Share::All,
            Self::Out => Share::None,
            Self::Cut { share, .. } => share,
            Self::Leaf { .. } => Share::Part,
        }
    }
}

/// Rings that enclose places together: all rings of a polygon without holes, the outline, or one
/// hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) polygon: u32,
    pub(super) fill: FillRule,
    pub(super) is_hole: bool,
}

/// The edges of one part that meet a cell. The groups of a cell are sorted by part: polygon by
/// polygon, in each the outline before its holes. An outline without edges in the cell still has a
/// group if one of its holes has edges there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) part: u32,
    /// Winding number at the cell's lowest corner.
    pub(super) winding: i32,
    /// Range of indices into the list of edge numbers.
    pub(super) edges: [u32; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    cell: Bounds<2>,
    bounds: Bounds<2>,
    nodes: Vec<Node>,
    groups: Vec<Group>,
    /// Indices into `edges`, group by group.
    list: Vec<u32>,
    edges: Vec<Edge>,
    parts: Vec<Part>,
}

impl Tree {
    /// Returns `None` if the smallest box around the polygons has no area.
    pub(super) fn new(polygons: Vec<Polygon>) -> Option<Self> {
        let (mut edges, mut groups, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (polygon, number) in polygons.into_iter().zip(0..) {
            let first_hole = polygon.rings.len() - polygon.holes;
            for (at, ring) in polygon.rings.into_iter().enumerate() {
                let start = edges.len() as u32;
                let next = ring.iter().cycle().skip(1);
                for (&from, &to) in ring.iter().zip(next) {
                    for a in 0..2 {
                        min[a] = min[a].min(from[a]);
                        max[a] = max[a].max(from[a]);
                    }
                    if from != to {
                        edges.push(Edge { from, to });
                    }
                }
                let end = edges.len() as u32;
                let is_hole = at >= first_hole;
                match groups.last_mut() {
                    // The ring belongs to the same part as the ring before it.
                    Some(Group { edges, .. }) if at > 0 && !is_hole => edges[1] = end,
                    _ => {
                        groups.push(Group {
                            part: parts.len() as u32,
                            winding: 0,
                            edges: [start, end],
                        });
                        parts.push(Part {
                            polygon: number,
                            fill: polygon.fill,
                            is_hole,
                        });
                    }
                }
            }
        }
        let bounds = Bounds::new(min, max).ok()?;
        // A square, so that its quarters are squares. It is slightly larger than the bounds, so
        // that its lowest corner is outside every polygon.
        let side = bounds.longest_side();
        let low = min.map(|x| x - 1e-9 * side).map(f64::next_down);
        let high = min.map(|x| (x + side * (1.0 + 1e-9)).next_up());
        let cell = Bounds::new(low, high).ok()?;
        let (nodes, groups, list) = grow(&edges, &parts, cell, groups);
        Some(Self {
            cell,
            bounds,
            nodes,
            groups,
            list,
            edges,
            parts,
        })
    }

    pub(super) fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    pub(super) fn holds(&self, p: [f64; 2]) -> bool {
        let mut cell = self.cell;
        if !cell.contains(p) {
            return false;
        }
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::In => return true,
                Node::Out => return false,
                Node::Cut { first, .. } => {
                    let middle = cell.center();
                    let quarter =
                        usize::from(p[0] >= middle[0]) | usize::from(p[1] >= middle[1]) << 1;
                    cell = cell.halved(quarter);
                    node = first as usize + quarter;
                }
                Node::Leaf { groups } => return self.leaf_holds(groups, &cell, p),
            }
        }
    }

    /// Returns `true` if a place in a leaf's cell is inside.
    fn leaf_holds(&self, groups: [u32; 2], cell: &Bounds<2>, p: [f64; 2]) -> bool {
        self.polygons(groups).any(|polygon| {
            let [outline, holes @ ..] = polygon else {
                return false;
            };
            self.is_in(outline, cell.min(), p)
                && !holes.iter().any(|hole| self.is_in(hole, cell.min(), p))
        })
    }

    pub(super) fn share_in(&self, bounds: &Bounds<2>) -> Share {
        let Some(inner) = bounds.intersection(&self.cell) else {
            return Share::None;
        };
        match self.share_within(0, &self.cell, &inner) {
            Share::All if inner != *bounds => Share::Part,
            share => share,
        }
    }

    /// Returns the share of `place`, a box in a node's cell, that is inside.
    fn share_within(&self, node: usize, cell: &Bounds<2>, place: &Bounds<2>) -> Share {
        match self.nodes[node] {
            Node::Cut { first, share } if place != cell && share == Share::Part => {
                Share::of_parts((0..4).filter_map(|quarter| {
                    let part = cell.halved(quarter);
                    let place = place.intersection(&part)?;
                    Some(self.share_within(first as usize + quarter, &part, &place))
                }))
            }
            Node::Leaf { groups } => {
                let mut share = Share::None;
                for polygon in self.polygons(groups) {
                    match self.share_of(polygon, cell, place) {
                        Share::None => {}
                        Share::Part => share = Share::Part,
                        Share::All => return Share::All,
                    }
                }
                if share == Share::Part && self.is_met_on_one_line(groups, place, is_about_on_line)
                {
                    return match self.share_of_corners(groups, cell, place) {
                        // A strip left open by rounding counts as closed. One left closed does not count as open: no
                        // point may ever lie there.
                        Share::All if !self.is_met_on_one_line(groups, place, is_on_line) => share,
                        corners => corners,
                    };
                }
                share
            }
            node => node.share(),
        }
    }

    /// Returns the share of `place`, a box in a leaf's cell, that is in a polygon. `Part` if an
    /// edge of the polygon meets `place`, unless the outline or a hole shows that it is outside.
    fn share_of(&self, polygon: &[Group], cell: &Bounds<2>, place: &Bounds<2>) -> Share {
        let mut share = Share::All;
        for group in polygon {
            let is_hole = self.parts[group.part as usize].is_hole;
            if self
                .edges(group)
                .any(|edge| meets(edge, place.min(), place.max()))
            {
                share = Share::Part;
            } else if self.is_in(group, cell.min(), place.min()) == is_hole {
                return Share::None;
            }
        }
        share
    }

    /// Returns `true` if two or more edges of a leaf meet `place`, all of them on the line of the longest: polygons or holes
    /// share an edge, or a ring runs out and back. The region may then be the same on both sides of the line. Boxes over a
    /// whole divided cell are not looked at so.
    fn is_met_on_one_line(
        &self,
        groups: [u32; 2],
        place: &Bounds<2>,
        lies_on: impl Fn(&Edge, &Edge) -> bool,
    ) -> bool {
        let [from, to] = groups.map(|at| at as usize);
        let met = || {
            let edges = self.groups[from..to]
                .iter()
                .flat_map(|group| self.edges(group));
            edges.filter(|edge| meets(edge, place.min(), place.max()))
        };
        let length = |edge: &Edge| edge.squared_length();
        let longest = met().max_by(|a, b| length(a).total_cmp(&length(b)));
        let on_line = |line| met().all(|edge| lies_on(edge, line));
        met().nth(1).is_some() && longest.is_some_and(on_line)
    }

    /// Returns the share of `place`, a box in a leaf's cell, where all edges that meet it lie on one line, but for rounding. On
    /// either side every place is like every other, and where all corners lie on one side, so do all places. Places within
    /// rounding of the line are not told apart.
    fn share_of_corners(&self, groups: [u32; 2], cell: &Bounds<2>, place: &Bounds<2>) -> Share {
        let ends = [place.min(), place.max().map(f64::next_down)];
        let corners = (0..4).map(|corner| [ends[corner & 1][0], ends[corner >> 1][1]]);
        Share::of_parts(corners.map(|p| {
            if self.leaf_holds(groups, cell, p) {
                Share::All
            } else {
                Share::None
            }
        }))
    }

    /// Returns the groups of each polygon in a leaf.
    fn polygons(&self, [from, to]: [u32; 2]) -> impl Iterator<Item = &[Group]> {
        let polygon = |group: &Group| self.parts[group.part as usize].polygon;
        self.groups[from as usize..to as usize].chunk_by(move |a, b| polygon(a) == polygon(b))
    }

    fn edges(&self, group: &Group) -> impl Iterator<Item = &Edge> {
        let [from, to] = group.edges.map(|at| at as usize);
        let numbers = self.list[from..to].iter();
        numbers.map(|&number| &self.edges[number as usize])
    }

    /// Returns `true` if a place is in a part; `corner` is the lowest corner of the place's cell.
    #[inline]
    fn is_in(&self, group: &Group, corner: [f64; 2], p: [f64; 2]) -> bool {
        let winding = group.winding + winding_change(corner, p, self.edges(group));
        self.parts[group.part as usize].fill.fills(winding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: lists were as long as the edges are many, so that each query read a tenth of the edges.
    #[test]
    fn long_edges_side_by_side_have_short_lists() {
        let comb = (0..5000).map(|i| [f64::from(i), if i % 2 == 0 { 0.0 } else { 5000.0 }]);
        let comb = Polygon::new(vec![comb.collect()], FillRule::EvenOdd).expect("a polygon");
        let tree = Tree::new(vec![comb]).expect("an area");
        let longest = tree.groups.iter().map(|g| g.edges[1] - g.edges[0]).max();
        assert!(longest <= Some(32), "{longest:?}");
    }
}
