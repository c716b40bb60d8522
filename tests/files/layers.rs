//! Formats with objects draw at each point the object of its layer.

use density::{Bounds, Constant};
use export::{Format, Header};
use sampler::{ALGORITHM_VERSION, Apart, Edges, Layer, Rule, Sample, Scatter, ScatterOptions};
use spinney_tests::RANKS_AND_LAYERS;
use spinney_tests::readback::{Drawn, drawn_glb, drawn_godot, drawn_usda};
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 3] = ["oak", "sea fern", "moß"];
/// The names in formats that permit only letters, digits and `_`.
const PLAIN_NAMES: [&str; 3] = ["oak", "sea_fern", "mo_"];

fn world() -> Bounds<2> {
    Bounds::with_origin([-30.0, 7.0], [40.0, 24.0]).expect("a good box")
}

/// Returns oaks, ferns among them, and moss, each layer with its ranks.
fn points() -> Vec<Sample<2>> {
    let layer = |turn: u32, dist: f64| Layer {
        turn,
        ..Layer::new(Constant::new(dist).expect("a distance"))
    };
    let layers = vec![layer(0, 5.0), layer(1, 2.0), layer(1, 1.5)];
    let mut apart = Apart::new(3);
    apart.set(0, 2, 1.0).expect("two layers");
    let options = ScatterOptions {
        rule: Rule::Mean,
        levels: 2,
        ..ScatterOptions::default()
    };
    let wood = Scatter::layered(layers, apart, world(), Edges::Open, options);
    let samples = wood.expect("good layers").points().expect("memory").samples;
    for layer in 0..3 {
        let count = samples.iter().filter(|s| s.layer == Some(layer)).count();
        assert!(count > 10, "{count} points of layer {layer}");
    }
    samples
}

fn written(format: Format, samples: &[Sample<2>]) -> Vec<u8> {
    let mut header = Header::new("scatter", ALGORITHM_VERSION, 0, Rule::Mean, world());
    header.columns = RANKS_AND_LAYERS;
    header.layers = NAMES.map(str::to_owned).to_vec();
    spinney_tests::written(format, &header, samples)
}

/// Returns the points of all layers, and the points without the middle layer. In the second set the
/// last layer is the second one present.
fn sets() -> [Vec<Sample<2>>; 2] {
    let all = points();
    let outer = all.iter().filter(|s| s.layer != Some(1)).copied().collect();
    [all, outer]
}

#[test]
fn points_are_drawn_as_things_of_their_layer() {
    type Reader = fn(&[u8]) -> Vec<Drawn>;
    let things: [(Format, Reader, [String; 3]); 3] = [
        (Format::Glb, drawn_glb, NAMES.map(str::to_owned)),
        (
            Format::Usda,
            drawn_usda,
            [0, 1, 2].map(|k| format!("layer_{k}_{}", PLAIN_NAMES[k])),
        ),
        (
            Format::Godot,
            drawn_godot,
            [0, 1, 2].map(|k| format!("Layer{k}_{}", PLAIN_NAMES[k])),
        ),
    ];
    for samples in sets() {
        for (format, read, names) in &things {
            let drawn = read(&written(*format, &samples));
            let wanted: BTreeMap<u64, &str> = samples
                .iter()
                .map(|s| (s.id, names[s.layer.expect("a layer") as usize].as_str()))
                .collect();
            let found: BTreeMap<u64, &str> =
                drawn.iter().map(|d| (d.id, d.name.as_str())).collect();
            assert_eq!(drawn.len(), samples.len(), "{format}");
            assert_eq!(found, wanted, "{format}");
            // Each layer has one colour, and no two layers share one.
            let pairs: BTreeSet<String> = drawn
                .iter()
                .map(|d| format!("{:?} {}", d.colour, d.name))
                .collect();
            let colours: BTreeSet<String> =
                drawn.iter().map(|d| format!("{:?}", d.colour)).collect();
            let layers = wanted.values().collect::<BTreeSet<_>>().len();
            assert_eq!([pairs.len(), colours.len()], [layers; 2], "{format}");
        }
    }
}
