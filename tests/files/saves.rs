//! What a program saves with serde comes back, and what could not have been saved is refused.

use density::{Bounds, DistRange};
use sampler::{BridsonOptions, Edges, PointLimit, Rule, Sample, ScatterOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Through JSON and back.
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
}

/// A save of an earlier release may lack what came later.
#[test]
fn options_that_are_missing_are_the_usual_ones() {
    let options: ScatterOptions = serde_json::from_str(r#"{"seed": 4}"#).expect("options");
    let usual = ScatterOptions {
        seed: 4,
        ..ScatterOptions::default()
    };
    assert_eq!(options, usual);
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
