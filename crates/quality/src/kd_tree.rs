//! A k-d tree that finds the points near a place, for points of any reach.
//!
//! Bentley, "Multidimensional binary search trees used for associative searching" (1975), with
//! tight boxes. Each node stores the greatest *reach* (required distance) of its points, so that
//! searches stay fast if distances vary widely. It shares no code with the samplers' grids, which
//! it is used to test.

/// Greatest number of points in a leaf.
const LEAF: usize = 8;

/// A k-d tree over points with reaches.
#[derive(Debug)]
pub(crate) struct KdTree<const D: usize> {
    nodes: Vec<Node<D>>,
    /// Indices of the points, leaf after leaf.
    order: Vec<u32>,
    positions: Vec<[f64; D]>,
    /// Added to every radius: bound on the rounding of positions shifted around a torus.
    slack: f64,
}

#[derive(Debug)]
struct Node<const D: usize> {
    min: [f64; D],
    max: [f64; D],
    reach: f64,
    /// For a leaf, the start of its points in `order`. For other nodes, the index of the second
    /// child, and `length` is 0; the first child is the next node.
    start: u32,
    length: u32,
}

impl<const D: usize> KdTree<D> {
    /// Builds the tree. O(n log n).
    pub(crate) fn new(positions: &[[f64; D]], reach: impl Fn(usize) -> f64, slack: f64) -> Self {
        let mut nodes = Vec::with_capacity(positions.len() / 2 + 1);
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        if !order.is_empty() {
            build(&mut nodes, positions, &reach, &mut order, 0);
        }
        Self {
            nodes,
            positions: order.iter().map(|i| positions[*i as usize]).collect(),
            order,
            slack,
        }
    }

    /// Returns the points' indices, neighbours close to each other: searches in this order use the
    /// cache well.
    pub(crate) fn order(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|i| *i as usize)
    }

    /// Visits the points near `p`, nearest boxes first. `found` is the result so far, which both closures receive.
    ///
    /// `radius` returns the search radius for points of at most the given reach. It may shrink as points are visited;
    /// a negative one skips points. `point` receives the index of every point within that radius, and of some slightly
    /// beyond.
    pub(crate) fn visit<T>(
        &self,
        p: [f64; D],
        found: &mut T,
        radius: impl Fn(&T, f64) -> f64,
        mut point: impl FnMut(&mut T, usize),
    ) {
        if let Some(root) = self.nodes.first() {
            self.descend(0, root.square(p), p, found, &radius, &mut point);
        }
    }

    fn descend<T>(
        &self,
        number: usize,
        square: f64,
        p: [f64; D],
        found: &mut T,
        radius_of: &impl Fn(&T, f64) -> f64,
        point: &mut impl FnMut(&mut T, usize),
    ) {
        let node = &self.nodes[number];
        let radius = radius_of(found, node.reach) + self.slack;
        if radius < 0.0 || square > radius * radius {
            return;
        }
        if node.length > 0 {
            let leaf = node.start as usize..(node.start + node.length) as usize;
            let limit = radius * radius;
            for at in leaf {
                let q = self.positions[at];
                let square: f64 = (0..D).map(|a| (p[a] - q[a]) * (p[a] - q[a])).sum();
                if square <= limit {
                    point(found, self.order[at] as usize);
                }
            }
            return;
        }
        let children = [number + 1, node.start as usize];
        let mut children = children.map(|child| (child, self.nodes[child].square(p)));
        if children[1].1 < children[0].1 {
            children.swap(0, 1);
        }
        for (child, square) in children {
            self.descend(child, square, p, found, radius_of, point);
        }
    }
}

/// Adds the node of the points in `order`, which begin at `start` of all, and the nodes below it.
fn build<const D: usize>(
    nodes: &mut Vec<Node<D>>,
    positions: &[[f64; D]],
    reach: &impl Fn(usize) -> f64,
    order: &mut [u32],
    start: usize,
) {
    let mut node = Node {
        min: [f64::INFINITY; D],
        max: [f64::NEG_INFINITY; D],
        reach: 0.0,
        start: start as u32,
        length: order.len() as u32,
    };
    for &i in order.iter() {
        for (axis, x) in positions[i as usize].into_iter().enumerate() {
            node.min[axis] = node.min[axis].min(x);
            node.max[axis] = node.max[axis].max(x);
        }
        node.reach = node.reach.max(reach(i as usize));
    }
    let extent = |axis: &usize| node.max[*axis] - node.min[*axis];
    let widest = (0..D).max_by(|a, b| extent(a).total_cmp(&extent(b)));
    let this = nodes.len();
    nodes.push(node);
    if order.len() <= LEAF {
        return;
    }
    let axis = widest.unwrap_or(0);
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |a, b| {
        positions[*a as usize][axis].total_cmp(&positions[*b as usize][axis])
    });
    let (low, high) = order.split_at_mut(middle);
    build(nodes, positions, reach, low, start);
    nodes[this].start = nodes.len() as u32;
    nodes[this].length = 0;
    build(nodes, positions, reach, high, start + middle);
}

impl<const D: usize> Node<D> {
    /// Returns the square of the distance of `p` from the box. Rounded like the distances of
    /// points, so that it never exceeds that of a point inside.
    fn square(&self, p: [f64; D]) -> f64 {
        let mut sum = 0.0;
        for (axis, x) in p.into_iter().enumerate() {
            let step = (self.min[axis] - x).max(x - self.max[axis]).max(0.0);
            sum += step * step;
        }
        sum
    }
}
