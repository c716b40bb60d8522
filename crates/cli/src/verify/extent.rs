//! The domain of the points: a rectangle or a box.

use super::VerifyArgs;
use super::table::Note;
use crate::failure::Failure;
use crate::field;
use crate::numbers::{distance, plain};
use density::Bounds;
use quality::files::PointFile;
use quality::{Domain, Edges, PointSet};
use std::path::Path;

/// The numbers of a flag for flat or solid points: two or three.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    given: Vec<f64>,
    between: &'static str,
}

impl std::fmt::Display for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let texts: Vec<String> = self.given.iter().map(|x| plain(*x)).collect();
        f.write_str(&texts.join(self.between))
    }
}

/// Parses `WxH` or `WxHxD`.
pub(crate) fn size(text: &str) -> Result<Numbers, String> {
    let given = text
        .split(['x', 'X'])
        .map(|part| distance(part).map_err(|e| format!("'{part}': {e}")))
        .collect::<Result<Vec<f64>, String>>()?;
    numbers(
        given,
        "x",
        "write width x height, like 512x384, or with the depth 64x64x16",
    )
}

/// Parses `X,Y` or `X,Y,Z`.
pub(crate) fn origin(text: &str) -> Result<Numbers, String> {
    let form = "write two or three finite numbers with commas between and decimal points, \
                like -5,3.5";
    let number = |part: &str| part.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let given: Option<Vec<f64>> = text.split(',').map(number).collect();
    numbers(given.ok_or(form)?, ",", form)
}

fn numbers(given: Vec<f64>, between: &'static str, form: &str) -> Result<Numbers, String> {
    if matches!(given.len(), 2 | 3) {
        Ok(Numbers { given, between })
    } else {
        Err(form.to_owned())
    }
}

/// Returns the flag's numbers, one per axis.
pub(super) fn axes<const D: usize>(
    flag: &str,
    given: Option<&Numbers>,
) -> Result<Option<[f64; D]>, Failure> {
    let Some(numbers) = given else {
        return Ok(None);
    };
    let axes = numbers.given.as_slice().try_into();
    axes.map(Some).map_err(|_| {
        let problem = format!("the file's points have {D} coordinates; give {D} numbers");
        Failure::usage(flag, numbers, problem)
    })
}

/// Returns the domain of points without a map: from the flags, else from the points' file (`stated`), else the window,
/// else the points' bounding box.
pub(super) fn domain<const D: usize>(
    args: &VerifyArgs,
    stated: Option<[&[f64]; 2]>,
    set: &PointSet<D>,
    notes: &mut Vec<Note>,
) -> Result<Bounds<D>, Failure> {
    let origin = axes::<D>("--origin", args.origin.as_ref())?;
    if let Some(given) = &args.size
        && let Some(size) = axes::<D>("--size", Some(given))?
    {
        let world = Bounds::with_origin(origin.unwrap_or([0.0; D]), size);
        return world.map_err(|e| Failure::usage("--size", given, e));
    }
    match (&args.origin, stated, &args.window) {
        (Some(origin), ..) => Err(Failure::usage("--origin", origin, "give --size as well")),
        (None, Some([min, max]), _) => {
            notes.push(Note::stated_domain());
            boxed(min, max)
        }
        (None, None, Some(window)) => boxed(&window.min(), &window.max()),
        (None, None, None) => bounding_box(&args.points, set, notes),
    }
}

/// Returns `true` if the points' file states no other world, so that its tile or window is one of `world`.
pub(super) fn is_of<const D: usize>(file: &PointFile, world: &Bounds<D>) -> bool {
    let stated = file.run.domain.as_ref();
    stated.is_none_or(|[min, max]| world.min() == **min && world.max() == **max)
}

/// Returns the part of the world to judge: the window of the flag, else all of it if a flag calls it a tile, else the
/// window that the file holds if it is one of this world.
pub(super) fn judged_domain<const D: usize>(
    args: &VerifyArgs,
    file: &PointFile,
    world: Domain<D>,
    notes: &mut Vec<Note>,
) -> Result<Domain<D>, Failure> {
    let mut assume = |text: String| notes.push(Note::Assumed(text));
    let (bounds, source) = if let Some(window) = &args.window {
        let window = boxed(&window.min(), &window.max())?;
        (field::window(&world.bounds, &window)?, "")
    } else if args.torus {
        return Ok(world);
    } else if !is_of(file, &world.bounds) {
        if file.run.window.is_some() || file.run.edges == Edges::Torus {
            assume(
                "edges: open, all of the world; the tile or window in the points' file is one of another world"
                    .to_owned(),
            );
        }
        return Ok(world);
    } else {
        let window = file.run.window.as_ref();
        let window = window.map(|[min, max]| boxed(min, max)).transpose()?;
        let Some(bounds) = window.and_then(|window| world.bounds.intersection(&window)) else {
            if world.edges == Edges::Torus {
                assume("tile: from the points' file; opposite edges are one".to_owned());
            }
            return Ok(world);
        };
        (bounds, "from the points' file; ")
    };
    if bounds == world.bounds {
        return Ok(world);
    }
    assume(format!(
        "window: {source}gaps are not searched nearer to its edges than the greatest min_dist, as points beyond may \
         cover them"
    ));
    Ok(Domain {
        bounds,
        edges: Edges::Window,
    })
}

pub(super) fn boxed<const D: usize>(min: &[f64], max: &[f64]) -> Result<Bounds<D>, Failure> {
    let corner = |c: &[f64]| -> Option<[f64; D]> { c.try_into().ok() };
    corner(min)
        .zip(corner(max))
        .and_then(|(min, max)| Bounds::new(min, max).ok())
        .ok_or_else(|| {
            let problem =
                "the domain or window in the points' file is not a box; give --size and --origin";
            Failure::Run(anyhow::anyhow!(problem))
        })
}

fn bounding_box<const D: usize>(
    file: &Path,
    set: &PointSet<D>,
    notes: &mut Vec<Note>,
) -> Result<Bounds<D>, Failure> {
    let (mut min, mut max) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for p in set.positions() {
        for axis in 0..D {
            min[axis] = min[axis].min(p[axis]);
            max[axis] = max[axis].max(p[axis]);
        }
    }
    if set.positions().is_empty() {
        return Err(Failure::Usage(format!(
            "{}: the file has no points and states no world: give --size and --origin, or MAP",
            file.display()
        )));
    }
    let text = "domain: unknown; the points' bounding box is used (give --size and --origin)";
    notes.push(Note::Assumed(text.to_owned()));
    Bounds::new(min, max).map_err(|_| {
        let problem = "the points' bounding box has no area: give --size and --origin";
        Failure::Usage(problem.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_or_three_numbers() {
        let given = |parsed: Result<Numbers, String>| parsed.map(|n| n.given);
        assert_eq!(given(size("512x384")), Ok(vec![512.0, 384.0]));
        assert_eq!(given(size("5X1e3x0.5")), Ok(vec![5.0, 1000.0, 0.5]));
        assert_eq!(given(origin("-5, 3,1")), Ok(vec![-5.0, 3.0, 1.0]));
        for bad in [
            "", "512", "512x", "0x5", "5x-5", "infx1", "NaNx1", "1x2x3x4",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
        for bad in ["", "5", "1,5,2,3", "inf,0", "0,nan", "a,b"] {
            assert!(origin(bad).is_err(), "{bad}");
        }
        assert_eq!(size("4x5.5x6").expect("good").to_string(), "4x5.5x6");
    }
}
