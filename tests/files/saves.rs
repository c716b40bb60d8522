//! Values survive a save with serde, and values that could not have been saved are refused.

use density::{Bounds, Constant, DistRange};
use sampler::{
    Apart, BridsonOptions, Edges, Layer, Obstacle, PointLimit, Rule, Sample, Scatter,
    ScatterOptions, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Converts a value to JSON and back.
fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("text");
    serde_json::from_str(&text).expect("a value")
}

#[test]
fn what_is_saved_comes_back() {
    let bounds = Bounds::new([-1.5, 0.1, 1e-300], [2.0, 0.3, 7e8]).expect("a box");
    assert_eq!(again(&bounds), bounds);
    let range = DistRange::new(0.1, 24.0).expect("a range");
    assert_eq!(again(&range), range);
    for rule in Rule::ALL {
        let text = serde_json::to_string(&rule).expect("text");
        assert_eq!(text, format!("{:?}", rule.name()));
        assert_eq!(again(&rule), rule);
    }
    for edges in [Edges::Open, Edges::Tiled] {
        assert_eq!(again(&edges), edges);
    }
    let options = ScatterOptions {
        rule: Rule::Own,
        seed: u64::MAX,
        limit: PointLimit::Cap(7),
        max_bytes: Some(1 << 40),
        levels: 3,
    };
    assert_eq!(again(&options), options);
    let bridson = BridsonOptions {
        tries: 12,
        ..BridsonOptions::default()
    };
    assert_eq!(again(&bridson), bridson);
    let sample = Sample {
        id: u64::MAX - 1,
        position: [0.1, -3.7],
        min_dist: 0.3,
        value: 1.0,
        parent: None,
        rank: Some(2),
        layer: Some(1),
    };
    assert_eq!(again(&sample), sample);
    let house = Obstacle {
        position: [0.1, -3.7, 9.0],
        min_dist: 0.3,
    };
    assert_eq!(again(&house), house);
}

/// A save of an earlier release may lack newer fields.
#[test]
fn options_that_are_missing_are_the_usual_ones() {
    let options: ScatterOptions = serde_json::from_str(r#"{"seed": 4}"#).expect("options");
    let usual = ScatterOptions {
        seed: 4,
        ..ScatterOptions::default()
    };
    assert_eq!(options, usual);
    let misspelt = serde_json::from_str::<ScatterOptions>(r#"{"sed": 4}"#);
    assert!(
        misspelt
            .expect_err("no such option")
            .to_string()
            .contains("sed")
    );
}

#[test]
fn what_no_constructor_makes_is_refused() {
    let turned = serde_json::from_str::<Bounds<2>>(r#"{"min": [0, 0], "max": [1, 0]}"#);
    let error = turned.expect_err("no size").to_string();
    assert!(error.contains("axis 1"), "{error}");
    let flat = serde_json::from_str::<Bounds<3>>(r#"{"min": [0, 0], "max": [1, 1]}"#);
    assert!(flat.is_err());
    for text in [r#"{"lo": 0, "hi": 1}"#, r#"{"lo": 2, "hi": 1}"#] {
        assert!(serde_json::from_str::<DistRange>(text).is_err(), "{text}");
    }
}

/// Saves contain fingerprints. The fingerprint of a world changes with `ALGORITHM_VERSION` only.
#[test]
fn fingerprints_stay() {
    let field = |r| Constant::new(r).expect("a distance");
    let plain = World::<2>::new(field(2.0), ScatterOptions::default()).expect("a world");
    let mut apart = Apart::new(2);
    apart.set(0, 1, 1.5).expect("a good distance");
    let flowers = Layer {
        turn: 1,
        ..Layer::new(field(1.0))
    };
    let layers = vec![Layer::new(field(4.0)), flowers];
    let options = ScatterOptions {
        rule: Rule::Mean,
        seed: 7,
        ..ScatterOptions::default()
    };
    let domain = Bounds::from_size([64.0, 64.0]).expect("a box");
    let wood = Scatter::layered(layers, apart, domain, Edges::Tiled, options).expect("a run");
    assert_eq!(
        [plain.fingerprint(), World::bounded(wood).fingerprint()],
        [0x4a16_b488_63db_90d6, 0x76fc_fd9b_fb4e_2fc3]
    );
}
