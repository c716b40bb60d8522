//! The passes in which layers are decided, and how layers of one turn share the area.
//!
//! A *group* is sampled in one pass: the layers of one turn that hold the same field and have the same distances to all
//! other layers. Each of its points goes to the layer that owns the place. A *rival* of a group is a later layer of its
//! turn, unless their distance is 0. A turn has these passes:
//!
//! 1. One for each group, by decreasing distances. A group with rivals keeps only the points on its *territory*, its
//!    share of the area. A group without rivals, such as the last one, keeps all.
//! 2. One more for each group with rivals, to fill the gaps that are left, if there can be any: between flowers without
//!    a gap there is no room for trees.
//!
//! ```text
//!   A   A   .   .      A . b b .      A b b b b
//!     A   .   A   ->    A b . b   ->   A b b A      A: its share, b: what is left,
//!   A   .   A   .      A b b . .      A b b b b         then A again, where b is not
//! ```

use super::apart::Apart;
use super::evaluator::{Finished, Label};
use super::hash::{mix, mixed};
use super::layer::Layer;
use super::near_points::Placed;
use super::options::ScatterOptions;
use super::pass::{Edges, Pass, lattice};
use super::scattered::Scattered;
use super::separation::Separation;
use super::territory::{OWNERS, SHARES, Sharer, Territory, owner};
use crate::layers_error::LayersError;
use crate::mask::mask_detail;
use crate::options::ALGORITHM_VERSION;
use crate::sample::Sample;
use density::{Bounds, RadiusField, Region, Share, Within};
use std::sync::Arc;

/// All that determines the points of a run, and the passes in which they are decided.
#[derive(Clone, Debug)]
pub(super) struct Plan<'f, const D: usize> {
    pub(super) layers: Vec<Layer<'f, D>>,
    pub(super) apart: Apart,
    /// `None` in an endless world.
    pub(super) domain: Option<Bounds<D>>,
    pub(super) edges: Edges,
    pub(super) options: ScatterOptions,
    pub(super) passes: Vec<Pass<'f, D>>,
    /// The layers of each pass, one of which owns each point.
    owners: Vec<Owners<'f, D>>,
    /// The numbers of layers in the order in which they are decided.
    pub(super) order: Vec<usize>,
    /// Whether points carry the number of their layer: only in runs of layers.
    named: bool,
}

/// The layers of a group, among which the points of a pass are divided.
#[derive(Clone)]
struct Owners<'f, const D: usize> {
    layers: Vec<usize>,
    /// The fields and shares of these layers.
    sharers: Vec<Sharer<'f, D>>,
    /// The seed of the patches that each of them owns.
    seed: u64,
}

impl<const D: usize> std::fmt::Debug for Owners<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.layers.fmt(f)
    }
}

/// Number of bits of an id for the pass, in a run of layers: each layer has two passes at most.
const PASS_BITS: u32 = 1 + Apart::MAX_LAYERS.ilog2();

impl<'f, const D: usize> Plan<'f, D> {
    /// Creates the plan of a run without layers. One layer is valid, so that there is no error.
    pub(super) fn single(
        field: Arc<dyn RadiusField<D> + 'f>,
        domain: Option<Bounds<D>>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, LayersError> {
        let only = vec![Layer::of(field)];
        Ok(Self {
            named: false,
            ..Self::of_layers(only, Apart::new(1), domain, edges, options)?
        })
    }

    /// Creates the plan of a run of layers.
    ///
    /// # Errors
    /// When there is no layer or there are too many, a share is not positive, or `apart` is for another
    /// number of layers.
    pub(super) fn of_layers(
        layers: Vec<Layer<'f, D>>,
        apart: Apart,
        domain: Option<Bounds<D>>,
        edges: Edges,
        options: ScatterOptions,
    ) -> Result<Self, LayersError> {
        check(&layers, &apart)?;
        let order = order(&layers);
        let passes = planned_passes(&layers, &apart, &order);
        let mut plan = Self {
            layers,
            apart,
            domain,
            edges,
            options,
            passes: Vec::new(),
            owners: Vec::new(),
            order,
            named: true,
        };
        for PlannedPass { group, rivals } in passes {
            plan.add(group, &rivals);
        }
        Ok(plan)
    }

    /// Adds a pass of a group of layers: for its share beside `rivals`, or for all the room that is left if there are none.
    fn add(&mut self, group: Vec<usize>, rivals: &[usize]) {
        let Self {
            layers,
            apart,
            options,
            ..
        } = self;
        let first = group[0];
        let seed = layers[first].seed(options.seed, first);
        let sharer = |&number: &usize| Sharer {
            field: layers[number].grown(),
            share: layers[number].share,
        };
        let sharers: Vec<Sharer<'f, D>> = group.iter().map(sharer).collect();
        let field = union(layers, &group);
        let separations = self.owners.iter().map(|earlier| {
            if earlier.layers[0] == first {
                Separation::ByRule(options.rule)
            } else {
                apart.separation(options.rule, earlier.layers[0], first)
            }
        });
        let separations = separations.collect();
        let territory = (!rivals.is_empty()).then(|| Territory {
            seed: mix(seed ^ SHARES),
            own: sharers.clone(),
            rivals: rivals.iter().map(sharer).collect(),
        });
        let is_rest = self.owners.iter().any(|earlier| earlier.layers[0] == first);
        // A group with a territory, here or in its first pass, selects points by the hash of its territory. The layers of
        // the group need another hash, which does not depend on that.
        let hash_of_owner = if territory.is_some() || is_rest {
            OWNERS
        } else {
            SHARES
        };
        self.passes.push(Pass {
            lattice: lattice(self.domain.as_ref(), self.edges, field.range()),
            field,
            rule: options.rule,
            seed: mixed(seed),
            separations,
            territory,
        });
        self.owners.push(Owners {
            layers: group,
            sharers,
            seed: mix(seed ^ hash_of_owner),
        });
    }

    /// Returns the least and the greatest distance in all layers.
    pub(super) fn distances(&self) -> [f64; 2] {
        let ranges = self.layers.iter().map(|layer| layer.field.range());
        ranges.fold([f64::INFINITY, 0.0], |[least, greatest], range| {
            [least.min(range.lo()), greatest.max(range.hi())]
        })
    }

    /// Returns the domain if it is periodic.
    pub(super) fn tile(&self) -> Option<Bounds<D>> {
        self.domain.filter(|_| self.edges == Edges::Tiled)
    }

    /// Returns a hash of all that determines the points and their ids but the values of fields and regions.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hash = mix(u64::from(ALGORITHM_VERSION));
        let mut add = |word: u64| hash = mix(hash ^ word).wrapping_add(1);
        let options = &self.options;
        add(options.seed);
        add(options.rule as u64);
        add(u64::from(options.levels));
        add(self.edges as u64);
        for x in self
            .domain
            .iter()
            .flat_map(|b| b.min().into_iter().chain(b.max()))
        {
            add(x.to_bits());
        }
        add(self.layers.len() as u64);
        if self.named && self.layers.len() == 1 {
            // Its points are those of a run without layers, but not their ids.
            add(1);
        }
        for (number, layer) in self.layers.iter().enumerate() {
            let range = layer.field.range();
            add(range.lo().to_bits());
            add(range.hi().to_bits());
            add(layer.share.to_bits());
            add(u64::from(layer.turn));
            add(layer.seed(options.seed, number));
            for other in 0..number {
                add(self.apart.get(other, number).map_or(1, f64::to_bits));
            }
            // Layers of one field are sampled together.
            let mut earlier = 0..number;
            if let Some(first) = earlier.find(|&e| alike(&self.layers, &self.apart, e, number)) {
                add(2 + first as u64);
            }
        }
        hash
    }

    /// Returns the grey value and the layer of a point of a pass.
    pub(super) fn label(&self, pass: usize, point: &Placed<D>) -> Label {
        let owners = &self.owners[pass];
        let layer = match owners.layers[..] {
            [only] => only,
            _ => owners.layers[owner(owners.seed, &owners.sharers, point.p, point.r)],
        };
        Label {
            value: self.passes[pass].field.value(point.p),
            layer: self.named.then_some(layer as u32),
        }
    }

    /// Adds the points of a leaf of a pass that are `wanted`, and its unresolved cells whose centres are
    /// `wanted` and lie in `counted`.
    pub(super) fn collect(
        &self,
        pass: usize,
        leaf: &Finished<D>,
        wanted: impl Fn([f64; D]) -> bool,
        counted: &Bounds<D>,
        found: &mut Scattered<D>,
    ) {
        for (number, point) in leaf.points.iter().enumerate() {
            if wanted(point.p) {
                let label = leaf.labels.get(number).copied();
                let label = label.unwrap_or_else(|| self.label(pass, point));
                found.samples.push(self.sample(pass, point, label));
            }
        }
        for &(middle, volume) in &leaf.unresolved {
            if wanted(middle) && counted.contains(middle) {
                found.unresolved += 1;
                found.unresolved_volume += volume;
            }
        }
    }

    /// Returns a point of a pass as a sample.
    fn sample(&self, pass: usize, point: &Placed<D>, label: Label) -> Sample<D> {
        let id = if self.named {
            (pass as u64) << (64 - PASS_BITS) | point.id >> PASS_BITS
        } else {
            point.id
        };
        Sample {
            id,
            position: point.p,
            min_dist: point.r,
            value: label.value,
            parent: None,
            rank: None,
            layer: label.layer,
        }
    }
}

fn check<const D: usize>(layers: &[Layer<'_, D>], apart: &Apart) -> Result<(), LayersError> {
    let (count, most) = (layers.len(), Apart::MAX_LAYERS);
    if !(1..=most).contains(&count) {
        return Err(LayersError::Number {
            layers: count,
            most,
        });
    }
    if apart.layers() != count {
        return Err(LayersError::Table {
            table: apart.layers(),
            layers: count,
        });
    }
    for (layer, &Layer { share, .. }) in layers.iter().enumerate() {
        if !(share.is_finite() && share > 0.0) {
            return Err(LayersError::Share { layer, share });
        }
    }
    Ok(())
}

/// Returns the numbers of layers in the order in which they are decided: by turn, and within a turn by
/// decreasing greatest distance, as large distances find no room between small ones.
fn order<const D: usize>(layers: &[Layer<'_, D>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..layers.len()).collect();
    order.sort_by(|&a, &b| {
        let [first, second] = [a, b].map(|number| &layers[number]);
        let by_size = second
            .field
            .range()
            .hi()
            .total_cmp(&first.field.range().hi());
        first.turn.cmp(&second.turn).then(by_size)
    });
    order
}

/// The layers of a pass, by their numbers.
struct PlannedPass {
    group: Vec<usize>,
    /// The rivals beside which the group gets its share; none if it gets all the room that is left.
    rivals: Vec<usize>,
}

/// Returns the passes in order, see the module's documentation.
fn planned_passes<const D: usize>(
    layers: &[Layer<'_, D>],
    apart: &Apart,
    order: &[usize],
) -> Vec<PlannedPass> {
    let mut passes = Vec::new();
    let groups = groups(layers, apart, order);
    for turn in groups.chunk_by(|a, b| layers[a[0]].turn == layers[b[0]].turn) {
        let mut with_rivals = Vec::new();
        for (number, group) in turn.iter().enumerate() {
            let keeps_off = |rival: &usize| apart.get(group[0], *rival) != Some(0.0);
            let later = turn[number + 1..].iter().flatten().copied();
            let rivals: Vec<usize> = later.filter(keeps_off).collect();
            if !rivals.is_empty() {
                with_rivals.push(group);
            }
            let group = group.clone();
            passes.push(PlannedPass { group, rivals });
        }
        with_rivals.retain(|group| may_find_room(layers, apart, turn, group));
        passes.extend(with_rivals.into_iter().map(|group| PlannedPass {
            group: group.clone(),
            rivals: Vec::new(),
        }));
    }
    passes
}

/// Returns the groups, in the order of their first layers.
fn groups<const D: usize>(
    layers: &[Layer<'_, D>],
    apart: &Apart,
    order: &[usize],
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &layer in order {
        match groups
            .iter_mut()
            .find(|group| alike(layers, apart, group[0], layer))
        {
            Some(group) => group.push(layer),
            None => groups.push(vec![layer]),
        }
    }
    groups
}

/// Returns `true` if two layers have the same field and turn, keep the rule between each other, and have
/// the same distances to all other layers.
fn alike<const D: usize>(layers: &[Layer<'_, D>], apart: &Apart, a: usize, b: usize) -> bool {
    let mut others = (0..layers.len()).filter(|&other| other != a && other != b);
    layers[a].turn == layers[b].turn
        && Arc::ptr_eq(&layers[a].field, &layers[b].field)
        && apart.get(a, b).is_none()
        && others.all(|c| apart.get(a, c) == apart.get(b, c))
}

/// Returns `false` if the last group of a turn surely leaves no room for `group`. That is so if
/// 1. the last group may grow everywhere,
/// 2. it has no distance above the least of `group`, and
/// 3. all distances between layers are by the rule.
///
/// The last group fills each gap that has room for a point of its own. A point with a greater distance needs no less
/// room, so it finds none.
fn may_find_room<const D: usize>(
    layers: &[Layer<'_, D>],
    apart: &Apart,
    turn: &[Vec<usize>],
    group: &[usize],
) -> bool {
    let Some(last) = turn.last().map(|last| &layers[last[0]]) else {
        return true;
    };
    let grows_everywhere = last.region.is_none() && mask_detail(&*last.field).is_none();
    let is_smaller = last.field.range().hi() <= layers[group[0]].field.range().lo();
    !(grows_everywhere && is_smaller && apart.is_by_rule())
}

/// The union of regions.
struct AnyRegion<'f, const D: usize>(Vec<Arc<dyn Region<D> + 'f>>);

impl<const D: usize> Region<D> for AnyRegion<'_, D> {
    fn holds(&self, p: [f64; D]) -> bool {
        self.0.iter().any(|region| region.holds(p))
    }

    fn share_in(&self, bounds: &Bounds<D>) -> Share {
        let shares = self.0.iter().map(|region| region.share_in(bounds));
        shares.fold(Share::None, |all, one| match (all, one) {
            (Share::All, _) | (_, Share::All) => Share::All,
            (Share::None, Share::None) => Share::None,
            _ => Share::Part,
        })
    }

    fn detail(&self) -> f64 {
        let details = self.0.iter().map(Region::detail);
        details.fold(f64::INFINITY, f64::min)
    }
}

/// Returns the field of a group of layers, where any of them may grow.
fn union<'f, const D: usize>(
    layers: &[Layer<'f, D>],
    group: &[usize],
) -> Arc<dyn RadiusField<D> + 'f> {
    if let [only] = *group {
        return layers[only].grown();
    }
    let field = Arc::clone(&layers[group[0]].field);
    let regions: Option<Vec<_>> = group.iter().map(|&n| layers[n].region.clone()).collect();
    match regions {
        None => field,
        Some(regions) => Arc::new(Within::new(field, AnyRegion(regions))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Constant;

    fn layers(turns: &[(u32, f64)]) -> Vec<Layer<'static, 2>> {
        let new = |&(turn, r): &(u32, f64)| Layer {
            turn,
            ..Layer::new(Constant::new(r).expect("a field"))
        };
        turns.iter().map(new).collect()
    }

    fn plan(layers: Vec<Layer<'static, 2>>, apart: Apart) -> Plan<'static, 2> {
        let options = ScatterOptions::default();
        Plan::of_layers(layers, apart, None, Edges::Open, options).expect("a plan")
    }

    /// The layers of each pass and whether it has a territory.
    fn passes(layers: &[Layer<'static, 2>], apart: &Apart) -> Vec<(Vec<usize>, bool)> {
        let plan = plan(layers.to_vec(), apart.clone());
        let passes = plan.owners.iter().zip(&plan.passes);
        passes
            .map(|(owners, pass)| (owners.layers.clone(), pass.territory.is_some()))
            .collect()
    }

    #[test]
    fn large_layers_of_a_turn_come_first_and_fill_up_last() {
        let layers = layers(&[(1, 1.0), (0, 1.0), (0, 4.0), (0, 1.0), (1, 1.0)]);
        let mut apart = Apart::new(5);
        apart.set(0, 4, 0.0).expect("a distance");
        apart.set(2, 3, 0.0).expect("a distance");
        let expected = [
            (vec![2], true),
            (vec![1], true),
            (vec![3], false),
            (vec![2], false),
            (vec![1], false),
            (vec![0], false),
            (vec![4], false),
        ];
        assert_eq!(passes(&layers, &apart), expected);
        // Under the rule, small points leave no room for larger ones.
        let expected = [
            (vec![2], true),
            (vec![1], true),
            (vec![3], false),
            (vec![0], true),
            (vec![4], false),
        ];
        assert_eq!(passes(&layers, &Apart::new(5)), expected);
    }

    #[test]
    fn layers_of_one_field_share_a_pass() {
        let mut layers = layers(&[(0, 1.0), (0, 2.0), (0, 1.0), (0, 1.0), (1, 1.0)]);
        for number in [2, 3, 4] {
            layers[number].field = Arc::clone(&layers[0].field);
        }
        let grouped = |apart: &Apart| {
            let passes = passes(&layers, apart).into_iter();
            passes.map(|(layers, _)| layers).collect::<Vec<_>>()
        };
        let expected = [vec![1], vec![0, 2, 3], vec![4]];
        assert_eq!(grouped(&Apart::new(5)), expected);
        // The fourth layer has a distance of its own to a layer of another turn.
        let mut apart = Apart::new(5);
        apart.set(3, 4, 0.5).expect("a distance");
        assert_eq!(grouped(&apart)[1..3], [vec![0, 2], vec![3]]);
    }

    #[test]
    fn ids_keep_passes_apart_and_in_order() {
        let id = |plan: &Plan<'_, 2>, pass, id| {
            let point = Placed {
                p: [0.0; 2],
                r: 1.0,
                id,
            };
            plan.sample(pass, &point, plan.label(pass, &point)).id
        };
        for count in [2, 3, Apart::MAX_LAYERS] {
            let plan = plan(layers(&vec![(0, 1.0); count]), Apart::new(count));
            let last = plan.passes.len() - 1;
            assert!(id(&plan, 0, u64::MAX) < id(&plan, 1, 0));
            assert!(id(&plan, last - 1, u64::MAX) < id(&plan, last, 0));
            assert!(id(&plan, last, 0) < id(&plan, last, 1 << 40));
        }
    }
}
