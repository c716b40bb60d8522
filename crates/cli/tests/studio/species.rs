//! Several species, saved to files and loaded again.

use crate::running::{Random, Running};
use serde_json::{Value, json};
use std::fs;

/// Saves the species file and its maps as the page does.
fn save(studio: &Running) -> (String, Vec<(String, Vec<u8>)>) {
    let saved = studio.client.get("/api/species").json();
    let text = saved["text"].as_str().expect("a text").to_owned();
    let names = saved["maps"].as_array().expect("names");
    let map = |(i, name): (usize, &Value)| {
        let answer = studio.client.get(&format!("/api/map.png?layer={i}"));
        assert_eq!(answer.status, 200);
        (name.as_str().expect("a name").to_owned(), answer.body)
    };
    let maps: Vec<_> = names.iter().enumerate().map(map).collect();
    fs::write(studio.path("species.toml"), &text).expect("written");
    for (name, bytes) in &maps {
        fs::write(studio.path(name), bytes).expect("written");
    }
    (text, maps)
}

fn layered() -> Running {
    let studio = Running::start(&[]);
    let mut random = Random(5);
    studio.post(
        "/api/layer",
        &json!({ "name": "old oak", "min_dist": 9.0, "max_dist": 20.0 }),
    );
    studio.post("/api/layers/add", &json!({}));
    let fern = json!({
        "name": "fern", "colour": "#66aa33", "min_dist": 3.0, "max_dist": 14.0, "turn": 1,
        "white": "dense",
    });
    studio.post("/api/layer", &fern);
    for number in 1..6 {
        studio.stroke(
            number,
            "paint",
            60.0,
            random.between(0.2, 1.0),
            &random.path(512.0),
        );
    }
    studio.post("/api/layers/add", &json!({}));
    studio.post(
        "/api/layer",
        &json!({ "name": "stone", "min_dist": 12.0, "share": 2.0 }),
    );
    studio.stroke(9, "erase", 200.0, 0.0, &[[200.0, 200.0], [400.0, 300.0]]);
    let apart = json!([
        { "between": [0, 1], "distance": 4.0 },
        { "between": [1, 2], "distance": 0.0 },
    ]);
    studio.post("/api/apart", &apart);
    let mut settings = studio.state()["settings"].clone();
    settings["rule"] = json!("mean");
    settings["size"] = json!([300.0, 300.0]);
    settings["seed"] = json!(3);
    studio.post("/api/settings", &settings);
    studio
}

#[test]
fn layers_are_those_of_the_saved_species_file() {
    let studio = layered();
    let shown = studio.points();
    save(&studio);
    studio.run_shown("--preview picture.png");
    let csv = studio.read("points.csv");
    assert!(studio.export("points.csv") == csv);
    assert!(studio.export("x.png") == studio.read("picture.png"));
    assert!(shown == crate::running::of_csv(&csv));
    let layers: Vec<f32> = shown.iter().map(|p| p[3]).collect();
    for layer in [0.0, 1.0, 2.0] {
        assert!(layers.contains(&layer), "layer {layer} has no points");
    }
    for name in ["p.glb", "p.json", "p.tscn"] {
        let mut settings = studio.state()["settings"].clone();
        settings["names"]["output"] = json!(name);
        studio.post("/api/settings", &settings);
        studio.run_shown("");
        assert!(studio.export(name) == studio.read(name), "{name}");
    }
}

#[test]
fn a_saved_species_file_comes_back() {
    let studio = layered();
    let (text, maps) = save(&studio);
    let csv = studio.export("points.csv");
    let parts = maps
        .iter()
        .map(|(name, map)| (name.as_str(), map.as_slice()));
    let body = bundle(&text, &parts.collect::<Vec<_>>());
    let other = Running::start(&[]);
    let answer = other.client.post("/api/species", &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let seed = json!(3);
    let mut settings = other.state()["settings"].clone();
    settings["seed"] = seed;
    other.post("/api/settings", &settings);
    assert!(other.export("points.csv") == csv);
    let names = |studio: &Running| {
        let layers = studio.state()["layers"].clone();
        let layers = layers.as_array().expect("layers").clone();
        layers
            .iter()
            .map(|l| l["settings"]["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&other), names(&studio));
    // A map is missing.
    let answer = other.client.post("/api/species", &bundle(&text, &[]));
    assert_eq!(answer.status, 422);
    assert!(
        answer.text().contains("together with the species file"),
        "{}",
        answer.text()
    );
    assert!(other.export("points.csv") == csv, "and nothing has changed");
}

/// Returns a species file and its maps, as the page sends them.
fn bundle(text: &str, maps: &[(&str, &[u8])]) -> Vec<u8> {
    let lengths: Vec<_> = maps.iter().map(|(n, b)| json!([n, b.len()])).collect();
    let head = json!({ "text": text, "maps": lengths }).to_string();
    let mut body = (head.len() as u32).to_le_bytes().to_vec();
    body.extend(head.bytes());
    for (_, bytes) in maps {
        body.extend(*bytes);
    }
    body
}

/// A layer without a map has the points of the same file; noise is refused with advice.
#[test]
fn layers_without_maps_are_even() {
    let studio = Running::start(&[]);
    let text = "size = [300.0, 200.0]\n[[layer]]\nname = \"oak\"\nmin_dist = 9.0\n\
                [[layer]]\nname = \"fern\"\nmin_dist = 4.0\nturn = 1\n\
                [[apart]]\nbetween = [\"oak\", \"fern\"]\ndistance = 0.0\n";
    let answer = studio.client.post("/api/species", &bundle(text, &[]));
    assert_eq!(answer.status, 200, "{}", answer.text());
    fs::write(studio.path("species.toml"), text).expect("written");
    studio.run_shown("");
    let points = |csv: Vec<u8>| String::from_utf8(csv).expect("UTF-8").lines().count();
    let (given, shown) = (studio.read("points.csv"), studio.export("points.csv"));
    assert!(given == shown);
    assert!(points(given) > 1000);
    save(&studio);
    studio.run_shown("");
    assert!(studio.read("points.csv") == shown);
    let noisy = "[[layer]]\nname = \"moss\"\nmin_dist = 9.0\nperlin = { frequency = 0.1 }\n";
    let answer = studio.client.post("/api/species", &bundle(noisy, &[]));
    assert_eq!(answer.status, 422);
    assert!(
        answer.text().contains("make a map with spinney map perlin"),
        "{}",
        answer.text()
    );
}

#[test]
fn layers_come_and_go() {
    let studio = layered();
    let answer = studio
        .client
        .post_json("/api/layers/choose", &json!({ "layer": 7 }));
    assert_eq!(answer.status, 422);
    studio.post("/api/layers/choose", &json!({ "layer": 0 }));
    let state = studio.post("/api/layers/remove", &json!({}));
    assert_eq!(state["layers"].as_array().map(Vec::len), Some(2));
    // The pair of the second and third layer is now the pair of the first and second.
    assert_eq!(
        state["apart"],
        json!([{ "between": [0, 1], "distance": 0.0 }])
    );
    studio.points();
    let state = studio.post("/api/layers/remove", &json!({}));
    assert_eq!(state["layers"].as_array().map(Vec::len), Some(1));
    let last = studio.client.post_json("/api/layers/remove", &json!({}));
    assert_eq!(last.status, 422);
    studio.assert_equal();
}
