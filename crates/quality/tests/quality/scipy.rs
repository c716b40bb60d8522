//! Agreement with an independent tool: scipy's `cKDTree`. Skipped with a message if Python or scipy
//! is missing; `PYTHON` names another Python than `python3`.

use crate::sets::{bridson, darts, open, set, unit, white_noise};
use spinney_quality::measures::{nearest, violations};
use spinney_quality::{Claim, Edges, Requirement, Rule};
use std::io::{self, Write};
use std::process::{Command, Stdio};

const SCRIPT: &str = "
import sys
import numpy
from scipy.spatial import cKDTree
box, radius = float(sys.argv[1]), float(sys.argv[2])
points = numpy.loadtxt(sys.stdin, delimiter=',')
tree = cKDTree(points, boxsize=box if box > 0 else None)
distances = tree.query(points, k=2)[0][:, 1]
print(repr(float(distances.min())), repr(float(distances.mean())), len(tree.query_pairs(radius)))
";

fn python(args: &[String], input: &[u8]) -> Option<String> {
    let name = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(name)
        .arg("-c")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // A script that fails early does not read its input.
    let _ = child.stdin.take()?.write_all(input);
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

#[test]
fn nearest_distances_agree_with_scipy() {
    let probe = python(
        &["import numpy; from scipy.spatial import cKDTree".to_owned()],
        &[],
    );
    if probe.is_none() {
        let _ = writeln!(
            io::stderr(),
            "SKIPPED: no Python with scipy (set PYTHON to one that has it)"
        );
        return;
    }
    let cases = [
        (bridson(60.0, 1.0, 4), open([60.0; 2]), 1.05, 0.0),
        (darts(2000, 0.015, 5), unit(Edges::Torus), 0.017, 1.0),
        (white_noise(3000, 6), unit(Edges::Torus), 0.01, 1.0),
        (white_noise(3000, 7), unit(Edges::Open), 0.01, 0.0),
    ];
    for (positions, domain, radius, side) in cases {
        let lines: Vec<String> = positions
            .iter()
            .map(|p| format!("{:?},{:?}\n", p[0], p[1]))
            .collect();
        let args = [
            SCRIPT.to_owned(),
            format!("{side:?}"),
            format!("{radius:?}"),
        ];
        let text = python(&args, lines.concat().as_bytes()).expect("scipy judges");
        let theirs: Vec<f64> = text
            .split_whitespace()
            .map(|n| n.parse().expect("a number"))
            .collect();
        let set = set(positions);
        let requirement = Requirement::new(&set, Rule::Max, Claim::Uniform(radius)).expect("good");
        let near = nearest(&set, &domain, &requirement).expect("good");
        let least = near.least_distance().expect("points");
        let mean = near.distances.iter().sum::<f64>() / set.len() as f64;
        let broken = violations(&set, &domain, &requirement).expect("good").count;
        assert!((least / theirs[0] - 1.0).abs() < 1e-9, "{least} {theirs:?}");
        assert!((mean / theirs[1] - 1.0).abs() < 1e-9, "{mean} {theirs:?}");
        assert_eq!(broken as f64, theirs[2]);
    }
}
