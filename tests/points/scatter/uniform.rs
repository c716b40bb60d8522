//! One distance everywhere, on a torus, so that no edge has an influence.

use super::{on_torus, set, torus};
use quality::measures::{Capacity, gaps, nearest, relative_radius, violations};
use quality::{Claim, Requirement, Rule};

/// The density and evenness of the points.
struct Figures {
    c: f64,
    rho: f64,
    mean_rho: f64,
}

/// Judges a maximal set. Room for another point may exist only where the engine reported unresolved
/// cells.
fn judge<const D: usize>(side: f64, seed: u64) -> Figures {
    let (domain, points) = (torus(side), on_torus::<D>(side, seed));
    let set = set(&points);
    let claim = Claim::Uniform(1.0);
    let requirement = Requirement::new(&set, Rule::Max, claim).expect("good");
    let broken = violations(&set, &domain, &requirement).expect("good");
    assert_eq!(broken.count, 0, "{:?}", broken.worst);

    let volume = domain.bounds.volume();
    let found = gaps(&set, &domain, &requirement, claim, volume);
    let found = found.expect("good").expect("a rule that has gaps");
    let (gap, unresolved) = (found.lower * volume, points.unresolved_volume);
    assert!(gap <= unresolved, "gap {gap}, unresolved {unresolved}");
    // The upper bound includes the places that the judge itself could not decide.
    assert!(found.upper < 1e-6, "gap {}", found.upper);
    assert!(unresolved < 1e-6 * volume, "unresolved {unresolved}");

    let near = nearest(&set, &domain, &requirement).expect("good");
    let c = Capacity::of(&set, &domain, &requirement, claim).c(set.len());
    let c = c.expect("a domain");
    let rho = |ratio: Option<f64>| relative_radius::<D>(ratio.expect("points"), c);
    let (rho, mean_rho) = (rho(near.least_ratio()), rho(near.mean_ratio()));
    println!(
        "{D}D, {} points: c {c:.5}, rho {rho:.4}, mean rho {mean_rho:.4}, gap {:.1e}..{:.1e}, \
         unresolved {} cells, {:.1e} of the area",
        set.len(),
        found.lower,
        found.upper,
        points.unresolved,
        unresolved / volume,
    );
    Figures { c, rho, mean_rho }
}

/// The jamming limit of random sequential addition is c = 0.6966 (Feder, "Random sequential
/// adsorption", 1980); Lagae and Dutré (2008) give rho.
#[test]
fn the_plane_is_full() {
    let found = judge::<2>(390.0, 1);
    assert!((0.693..=0.699).contains(&found.c), "c = {}", found.c);
    assert!((found.rho - 0.777).abs() <= 0.01, "{}", found.rho);
    assert!(
        (found.mean_rho - 0.818).abs() <= 0.005,
        "{}",
        found.mean_rho
    );
}

#[test]
fn space_is_full() {
    let found = judge::<3>(30.0, 1);
    assert!((found.c - 0.734).abs() <= 0.006, "c = {}", found.c);
}
