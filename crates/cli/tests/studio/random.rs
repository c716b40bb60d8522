//! Compares random operations with a model of the session.

use crate::running::{Random, Running};
use sampler::Rule;
use serde_json::{Value, json};

/// The expected state of a session: earlier maps, and the settings.
#[derive(Default)]
struct Model {
    done: Vec<Vec<u8>>,
    undone: Vec<Vec<u8>>,
    map: Vec<u8>,
    settings: Value,
    layer: Value,
}

impl Model {
    fn now(studio: &Running) -> Self {
        let state = studio.state();
        Self {
            map: studio.map(),
            settings: state["settings"].clone(),
            layer: state["layers"][0]["settings"].clone(),
            ..Self::default()
        }
    }

    /// Records a step, whose result is the studio's current map.
    fn step(&mut self, studio: &Running) {
        self.undone.clear();
        self.done
            .push(std::mem::replace(&mut self.map, studio.map()));
    }

    fn undo(&mut self) {
        if let Some(map) = self.done.pop() {
            self.undone.push(std::mem::replace(&mut self.map, map));
        }
    }

    fn redo(&mut self) {
        if let Some(map) = self.undone.pop() {
            self.done.push(std::mem::replace(&mut self.map, map));
        }
    }

    fn check(&self, studio: &Running) {
        let state = studio.state();
        assert_eq!(state["undo"], json!(self.done.len()));
        assert_eq!(state["redo"], json!(self.undone.len()));
        assert_eq!(state["settings"], self.settings);
        assert_eq!(state["layers"][0]["settings"], self.layer);
        assert!(studio.map() == self.map, "the map is another");
    }
}

const RULES: &[Rule] = &Rule::OF_SCATTER;

fn settings(random: &mut Random, old: &Value) -> Value {
    let mut settings = old.clone();
    match random.below(6) {
        0 => settings["seed"] = json!(random.below(1000)),
        1 => settings["rule"] = json!(RULES[random.below(RULES.len() as u64) as usize].name()),
        2 => settings["tile"] = json!(random.below(2) == 1),
        3 => settings["y_up"] = json!(random.below(2) == 1),
        4 => settings["size"] = json!([random.between(80.0, 300.0), random.between(80.0, 300.0)]),
        _ => {
            settings["count"] =
                [json!(null), json!(random.below(300))][random.below(2) as usize].clone();
        }
    }
    settings
}

fn layer(random: &mut Random, old: &Value) -> Value {
    let mut layer = old.clone();
    match random.below(5) {
        // Some are refused. Tiny distances would fill the world with points that take long.
        0 => layer["min_dist"] = json!(random.between(-1.0, 9.0).floor()),
        1 => layer["max_dist"] = json!(random.between(2.0, 30.0)),
        2 => layer["white"] = json!(["sparse", "dense", "grey"][random.below(3) as usize]),
        3 => layer["map"] = json!(["distance", "density"][random.below(2) as usize]),
        _ => {
            layer["limit"] =
                [json!(null), json!(random.between(0.1, 2.0))][random.below(2) as usize].clone();
        }
    }
    layer
}

fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn operations_keep_the_session_and_its_model_the_same() {
    operate(250);
}

#[test]
#[ignore = "long"]
fn a_thousand_operations_keep_the_session_and_its_model_the_same_in_full() {
    operate(1000);
}

fn operate(operations: u64) {
    let studio = Running::start(&[]);
    let mut random = Random(11);
    let noise = json!({ "size": [160, 128], "scale": 50.0 });
    studio.post("/api/noise", &noise);
    let mut model = Model::now(&studio);
    // The noise can be undone.
    model.done.push(Vec::new());
    let (mut refused, mut superseded) = (0, 0);
    for number in 0..operations {
        match random.below(20) {
            0..7 => {
                let (size, value) = (random.between(1.0, 60.0), random.between(0.0, 1.0));
                let tool = ["paint", "erase"][random.below(2) as usize];
                let path = random.path(150.0);
                let brush = json!({
                    "tool": tool, "value": value, "size": size, "hardness": random.between(0.0, 1.0),
                    "strength": random.between(0.0, 1.0),
                });
                let body = json!({
                    "stroke": number, "layer": 0, "brush": brush, "path": path, "last": true,
                });
                let answer = studio.client.post_json("/api/stroke", &body);
                let (head, _) = answer.frame();
                // A stroke outside the map is no step.
                if head["undo"] == json!(model.done.len() + 1) {
                    model.step(&studio);
                }
            }
            7..9 if model.done.len() > 1 => {
                studio.step("/api/undo");
                model.undo();
            }
            9 => {
                studio.step("/api/redo");
                model.redo();
            }
            10 => {
                let brush = json!({
                    "tool": "paint", "value": random.between(0.0, 1.0), "size": 9.0,
                    "hardness": 0.0, "strength": 1.0,
                });
                studio.post("/api/fill", &json!({ "brush": brush }));
                model.step(&studio);
            }
            11..13 => {
                let wanted = settings(&mut random, &model.settings);
                let answer = studio.client.post_json("/api/settings", &wanted);
                match answer.status {
                    200 => model.settings = wanted,
                    422 => refused += 1,
                    _ => panic!("{}", answer.text()),
                }
            }
            13..15 => {
                let wanted = layer(&mut random, &model.layer);
                let answer = studio.client.post_json("/api/layer", &wanted);
                match answer.status {
                    200 => model.layer = wanted,
                    422 => refused += 1,
                    _ => panic!("{}", answer.text()),
                }
            }
            15 => {
                let answer = studio.client.post("/api/open", b"no picture");
                assert_eq!(answer.status, 422);
                refused += 1;
            }
            16 => {
                let answer = studio.client.get("/nowhere");
                assert_eq!(answer.status, 404);
            }
            _ => {
                let answer = studio
                    .client
                    .post_json("/api/points", &json!({ "version": number }));
                match answer.status {
                    200 => {}
                    409 => superseded += 1,
                    _ => panic!("{}", answer.text()),
                }
            }
        }
        if number % 10 == 0 {
            model.check(&studio);
        }
        if number % 125 == 124 && studio.state()["facts"]["refused"].is_null() {
            let points = studio.points();
            if studio.state()["facts"]["refused"].is_null() {
                assert_eq!(points.len(), studio.state()["facts"]["points"]);
                studio.assert_equal();
            }
        }
    }
    model.check(&studio);
    assert!(refused > operations / 50, "only {refused} were refused");
    println!("{refused} refused, {superseded} superseded");
    if let Some(kilobytes) = memory(studio.id()) {
        println!("{kilobytes} KB of memory");
        assert!(kilobytes < 400_000, "{kilobytes} KB");
    }
}
