//! Tests obstacles by brute force: distances, gaps, and windows.

use crate::common::bits::bits;
use crate::common::checker::Checker;
use crate::common::obstacles::{assert_clear, is_clear, obstacles};
use crate::common::{Random, even, inside, options, range, square, squared_around};
use spinney_sampler::density::{Bounds, Coverage, Perlin, PerlinOptions, RadiusField};
use spinney_sampler::{
    AvoidError, Avoiding, Bridson, BridsonOptions, Obstacle, Rule, Sample, Scatter, ScatterOptions,
    World,
};

fn hills<const D: usize>() -> impl RadiusField<D>
where
    Perlin: RadiusField<D>,
{
    let options = PerlinOptions {
        frequency: 0.05,
        ..PerlinOptions::default()
    };
    Perlin::new(range(0.8, 3.2), options).expect("a field")
}

/// Returns obstacles in and around a box, two of them in one place.
fn around<const D: usize>(domain: &Bounds<D>, count: usize, seed: u64) -> Vec<Obstacle<D>> {
    let size = domain.size();
    let place = Bounds::with_origin(size.map(|side| -0.2 * side), size.map(|side| 1.4 * side));
    let vast = 0.1 * size[0];
    let mut all = obstacles(
        &place.expect("a box"),
        count,
        [1.3, vast],
        &mut Random(seed),
    );
    all.push(all[0]);
    all
}

fn sampled<const D: usize>(size: f64, count: usize, least: usize)
where
    Perlin: RadiusField<D>,
{
    let domain = Bounds::from_size([size; D]).expect("a box");
    for (rule, seed) in Rule::OF_SCATTER.into_iter().zip(1..) {
        let obstacles = around(&domain, count, seed);
        let field = Avoiding::new(hills::<D>(), rule, obstacles.clone()).expect("obstacles");
        let scatter = Scatter::new(&field, domain, options(rule, seed)).expect("a run");
        let samples = scatter.points().expect("memory").samples;
        assert!(samples.len() > least, "{rule:?}: {}", samples.len());
        assert_clear(&samples, rule, &obstacles);

        // No place is left for one more point, next to obstacles or elsewhere.
        let ground = hills::<D>();
        let open = |p| {
            let r = ground.min_dist(p).expect("no mask");
            is_clear(p, r, rule, &obstacles).then_some(r)
        };
        let tried = Checker::new(&samples, rule).assert_full(&domain, 20_000, None, open);
        assert!(tried > 2_000, "{rule:?}: only {tried} places are open");

        let options = BridsonOptions {
            rule,
            seed,
            ..BridsonOptions::default()
        };
        let front = Bridson::new(&field, domain, options).expect("a run");
        let front: Vec<Sample<D>> = front.collect();
        assert!(front.len() > least / 2, "{rule:?}: {}", front.len());
        assert_clear(&front, rule, &obstacles);
        // A front goes around obstacles and reaches every part.
        let is_everywhere = 10 * front.len() > 7 * samples.len();
        assert!(is_everywhere, "{rule:?}: {}", front.len());
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
        let obstacles = around(&square(100.0), 120, 9);
        let field = Avoiding::new(hills::<2>(), rule, obstacles.clone()).expect("obstacles");
        let world = World::new(field, options(rule, 0)).expect("a world");
        let wide = Bounds::new([-60.0, -50.0], [110.0, 120.0]).expect("a box");
        let whole = world.window(&wide).expect("points").samples;
        assert_clear(&whole, rule, &obstacles);
        assert!(whole.len() > 500, "{}", whole.len());
        let mut random = Random(3);
        for _ in 0..25 {
            let min = random.place(&wide);
            let window = Bounds::with_origin(min, [random.between(1.0, 41.0), 30.0]);
            let window = window.expect("a box");
            let part = world.window(&window).expect("points").samples;
            let part = inside(&part, &wide);
            assert_eq!(
                bits(&part),
                bits(&inside(&whole, &window)),
                "{rule:?} {window:?}"
            );
        }
    }
}

/// The bounds of a box hold at the places tried in it, and are sharp: a box outside all disks is
/// open, one inside a disk is closed.
#[test]
fn boxes_are_bounded() {
    let hills = hills::<2>();
    for rule in Rule::OF_SCATTER {
        let obstacles = around(&square(60.0), 80, 5);
        let field = Avoiding::new(&hills, rule, obstacles.clone()).expect("obstacles");
        let mut random = Random(7);
        let (mut all, mut none, mut part) = (0, 0, 0);
        for _ in 0..4_000 {
            let min = [0; 2].map(|_| 60.0 * random.unit());
            let side = 3.0 * random.unit() * random.unit() + 1e-3;
            let bounds = Bounds::with_origin(min, [side, side]).expect("a box");
            let local = field.range_in(&bounds);
            let mut seen = [0, 0];
            for i in 0..64 {
                let at = |k: i32| f64::from(k) / 7.0 * (1.0 - 1e-9);
                let p = [min[0] + side * at(i % 8), min[1] + side * at(i / 8)];
                let said = field.min_dist(p);
                let r = hills.min_dist(p).expect("no mask");
                assert_eq!(said, is_clear(p, r, rule, &obstacles).then_some(r));
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
        let field = Avoiding::tiled(even(1.0), Rule::Max, vec![obstacle], &domain).expect("a tile");
        let scatter = Scatter::tiled(field, domain, ScatterOptions::default()).expect("a tile");
        let samples = scatter.points().expect("memory").samples;
        assert!(samples.len() > 400);
        let away = |s: &Sample<2>| squared_around(s.position, corner.position, domain.size());
        let nearest = samples
            .iter()
            .map(away)
            .fold(f64::INFINITY, f64::min)
            .sqrt();
        assert!((6.0..6.5).contains(&nearest), "{nearest}");
    }
    let refused = Avoiding::tiled(even(16.0), Rule::Max, vec![corner], &domain);
    assert!(matches!(refused, Err(AvoidError::TileTooSmall { .. })));
}

#[test]
fn what_cannot_be_avoided_is_refused() {
    let field = || even(1.0);
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
