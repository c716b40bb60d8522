//! Tests obstacles by brute force: distances, gaps, and windows.

use crate::common::dice::Dice;
use crate::common::{RULES, required, squared};
use spinney_sampler::density::{
    Bounds, Constant, Coverage, DistRange, Perlin, PerlinOptions, RadiusField,
};
use spinney_sampler::{
    AvoidError, Avoiding, Bridson, BridsonOptions, Obstacle, Rule, Sample, Scatter, ScatterOptions,
    World,
};

/// Returns many small obstacles and a few vast ones, two in one place, in and around a box from the
/// origin.
fn obstacles<const D: usize>(count: u32, size: f64, seed: u64) -> Vec<Obstacle<D>> {
    let mut dice = Dice(seed);
    let mut all: Vec<Obstacle<D>> = (0..count)
        .map(|i| Obstacle {
            position: std::array::from_fn(|_| size * (1.4 * dice.roll() - 0.2)),
            min_dist: if i % 20 == 0 {
                0.2 * size * dice.roll()
            } else {
                0.3 + 2.0 * dice.roll()
            },
        })
        .collect();
    all.push(all[0]);
    all
}

fn kept<const D: usize>(p: [f64; D], r: f64, rule: Rule, obstacles: &[Obstacle<D>]) -> bool {
    obstacles.iter().all(|q| {
        let keep = required(rule, q.min_dist, r);
        squared(p, q.position) >= keep * keep
    })
}

fn hills<const D: usize>() -> impl RadiusField<D>
where
    Perlin: RadiusField<D>,
{
    let options = PerlinOptions {
        frequency: 0.05,
        ..PerlinOptions::default()
    };
    Perlin::new(DistRange::new(0.8, 3.2).expect("a range"), options).expect("a field")
}

fn assert_kept<const D: usize>(samples: &[Sample<D>], rule: Rule, obstacles: &[Obstacle<D>]) {
    for sample in samples {
        let (p, r) = (sample.position, sample.min_dist);
        assert!(kept(p, r, rule, obstacles), "{rule:?}: {p:?}");
    }
}

fn sampled<const D: usize>(size: f64, count: u32, least: usize)
where
    Perlin: RadiusField<D>,
{
    let domain = Bounds::from_size([size; D]).expect("a box");
    for (rule, seed) in RULES.into_iter().zip(1..) {
        let obstacles = obstacles::<D>(count, size, seed);
        let field = Avoiding::new(hills::<D>(), rule, obstacles.clone()).expect("obstacles");
        let options = ScatterOptions {
            rule,
            seed,
            ..ScatterOptions::default()
        };
        let scattered = Scatter::new(&field, domain, options)
            .expect("a run")
            .points()
            .expect("memory");
        assert!(
            scattered.samples.len() > least,
            "{rule:?}: {}",
            scattered.samples.len()
        );
        assert_kept(&scattered.samples, rule, &obstacles);

        // No place is left for one more point, next to obstacles or elsewhere.
        let ground = hills::<D>();
        let mut dice = Dice(seed);
        let (mut open, mut gaps) = (0, 0);
        for _ in 0..20_000 {
            let p = std::array::from_fn(|_| size * dice.roll());
            let r = ground.min_dist(p).expect("no mask");
            if kept(p, r, rule, &obstacles) {
                open += 1;
                let free = scattered.samples.iter().all(|q| {
                    let keep = required(rule, q.min_dist, r);
                    squared(p, q.position) >= keep * keep
                });
                gaps += u32::from(free);
            }
        }
        assert!(open > 2_000, "{rule:?}: only {open} places are open");
        assert_eq!(gaps, 0, "{rule:?}: of {open}");

        let options = BridsonOptions {
            rule,
            seed,
            ..BridsonOptions::default()
        };
        let front: Vec<Sample<D>> = Bridson::new(&field, domain, options)
            .expect("a run")
            .collect();
        assert!(front.len() > least / 2, "{rule:?}: {}", front.len());
        assert_kept(&front, rule, &obstacles);
        // A front goes around obstacles and reaches every part.
        assert!(
            10 * front.len() > 7 * scattered.samples.len(),
            "{rule:?}: {}",
            front.len()
        );
    }
}

#[test]
fn flat_points_keep_clear_and_leave_no_gap() {
    sampled::<2>(60.0, 60, 100);
}

#[test]
fn solid_points_keep_clear_and_leave_no_gap() {
    sampled::<3>(16.0, 40, 40);
}

#[test]
fn windows_of_an_endless_world_see_the_same() {
    for rule in [Rule::Max, Rule::Own] {
        let obstacles = obstacles::<2>(120, 100.0, 9);
        let field = Avoiding::new(hills::<2>(), rule, obstacles.clone()).expect("obstacles");
        let options = ScatterOptions {
            rule,
            ..ScatterOptions::default()
        };
        let world = World::new(field, options).expect("a world");
        let wide = Bounds::new([-60.0, -50.0], [110.0, 120.0]).expect("a box");
        let mut whole = world.window(&wide).expect("points").samples;
        whole.sort_by_key(|sample| sample.id);
        assert_kept(&whole, rule, &obstacles);
        assert!(whole.len() > 500, "{}", whole.len());
        let mut dice = Dice(3);
        for _ in 0..25 {
            let min = [0, 1].map(|a| wide.min()[a] + 120.0 * dice.roll());
            let window = Bounds::with_origin(min, [1.0 + 40.0 * dice.roll(), 30.0]).expect("a box");
            let mut part = world.window(&window).expect("points").samples;
            part.sort_by_key(|sample| sample.id);
            let crop = whole
                .iter()
                .filter(|s| window.contains(s.position) && wide.contains(s.position));
            let crop: Vec<_> = crop.copied().collect();
            part.retain(|s| wide.contains(s.position));
            assert_eq!(part, crop, "{rule:?} {window:?}");
        }
    }
}

/// The bounds of a box hold at the places tried in it, and are sharp: a box outside all disks is
/// open, one inside a disk is closed.
#[test]
fn boxes_are_bounded() {
    let hills = hills::<2>();
    for rule in RULES {
        let obstacles = obstacles::<2>(80, 60.0, 5);
        let field = Avoiding::new(&hills, rule, obstacles.clone()).expect("obstacles");
        let mut dice = Dice(7);
        let (mut all, mut none, mut part) = (0, 0, 0);
        for _ in 0..4_000 {
            let min = [0; 2].map(|_| 60.0 * dice.roll());
            let side = 3.0 * dice.roll() * dice.roll() + 1e-3;
            let bounds = Bounds::with_origin(min, [side, side]).expect("a box");
            let local = field.range_in(&bounds);
            let mut seen = [0, 0];
            for i in 0..64 {
                let at = |k: i32| f64::from(k) / 7.0 * (1.0 - 1e-9);
                let p = [min[0] + side * at(i % 8), min[1] + side * at(i / 8)];
                let said = field.min_dist(p);
                let r = hills.min_dist(p).expect("no mask");
                assert_eq!(said, kept(p, r, rule, &obstacles).then_some(r));
                seen[usize::from(said.is_some())] += 1;
                match local {
                    None => assert_eq!(said, None),
                    Some(local) => {
                        let whole = local.coverage == Coverage::All;
                        assert!(!whole || said.is_some(), "{rule:?} {bounds:?}");
                    }
                }
            }
            match local.map(|local| local.coverage) {
                None => none += 1,
                Some(Coverage::All) => all += 1,
                Some(Coverage::Part) if side < 0.2 => {
                    part += u32::from(seen[0] == 0 || seen[1] == 0);
                }
                Some(Coverage::Part) => {}
            }
        }
        assert!(
            all > 400 && none > 100,
            "{rule:?}: {all} whole, {none} closed"
        );
        // Few small boxes are of unknown coverage unless an edge crosses them.
        assert!(part < 120, "{rule:?}: {part} in doubt");
    }
}

#[test]
fn a_tile_avoids_across_its_edges() {
    let domain = Bounds::new([10.0, -5.0], [40.0, 25.0]).expect("a box");
    let corner = Obstacle {
        position: [10.5, 24.5],
        min_dist: 6.0,
    };
    // An equal obstacle, given four tiles away.
    let far = Obstacle {
        position: [10.5 - 4.0 * 30.0, 24.5],
        min_dist: 6.0,
    };
    for obstacle in [corner, far] {
        let field = Constant::new(1.0).expect("a field");
        let field = Avoiding::tiled(field, Rule::Max, vec![obstacle], &domain).expect("a tile");
        let scatter = Scatter::tiled(field, domain, ScatterOptions::default()).expect("a tile");
        let samples = scatter.points().expect("memory").samples;
        assert!(samples.len() > 400);
        let mut nearest = f64::INFINITY;
        for sample in &samples {
            let step = |a: usize| {
                let d = (sample.position[a] - corner.position[a]).abs();
                d.min(30.0 - d)
            };
            nearest = nearest.min((step(0) * step(0) + step(1) * step(1)).sqrt());
        }
        assert!((6.0..6.5).contains(&nearest), "{nearest}");
    }
    let wide = Constant::new(16.0).expect("a field");
    let refused = Avoiding::tiled(wide, Rule::Max, vec![corner], &domain);
    assert!(matches!(refused, Err(AvoidError::TileTooSmall { .. })));
}

#[test]
fn what_cannot_be_avoided_is_refused() {
    let field = || Constant::new(1.0).expect("a field");
    let one = |position, min_dist| vec![Obstacle { position, min_dist }];
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let refused = Avoiding::<2, _>::new(field(), Rule::Max, one([0.0, bad], 1.0));
        assert!(
            matches!(refused, Err(AvoidError::OutOfScale { .. })),
            "{bad}"
        );
        let refused = Avoiding::<2, _>::new(field(), Rule::Max, one([0.0, 0.0], bad));
        assert!(
            matches!(refused, Err(AvoidError::NotADistance { .. })),
            "{bad}"
        );
    }
    for bad in [0.0, -1.0, 1e-200] {
        assert!(Avoiding::<2, _>::new(field(), Rule::Max, one([0.0, 0.0], bad)).is_err());
    }
    let refused = Avoiding::<2, _>::new(field(), Rule::Parent, one([0.0, 0.0], 1.0));
    assert!(matches!(refused, Err(AvoidError::NoParents)));
    let free = Avoiding::<2, _>::new(field(), Rule::Max, vec![]).expect("no obstacle");
    assert_eq!(free.min_dist([5.0, 5.0]), Some(1.0));
}
