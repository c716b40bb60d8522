//! Runs the program as a studio, and by the command line that the studio shows.

use crate::client::{Answer, Client};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The repository's folder.
pub(crate) const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A running studio, which is stopped on drop.
pub(crate) struct Running {
    child: Child,
    pub(crate) client: Client,
    folder: tempfile::TempDir,
}

impl Running {
    /// Starts a studio in an empty folder.
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spinney"))
            .args(["studio", "--no-open"])
            .args(args)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let errors = child.stderr.take().expect("piped");
        BufReader::new(errors).read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("studio: ");
        let client = Client::of_url(url.unwrap_or_else(|| panic!("{line}")));
        Self {
            child,
            client,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Posts a request, and asserts success.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.client.post_json(path, body);
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
        answer.json()
    }

    /// Posts a request, and asserts that it is refused with a text that contains `says`.
    pub(crate) fn refused(&self, path: &str, body: &Value, says: &str) {
        assert_refused(&self.client.post_json(path, body), says);
    }

    /// Changes these settings of the session.
    pub(crate) fn set(&self, changes: &Value) {
        let mut settings = self.state()["settings"].clone();
        merge(&mut settings, changes);
        self.post("/api/settings", &settings);
    }

    /// Changes these settings of the active layer.
    pub(crate) fn set_layer(&self, changes: &Value) {
        let mut settings = self.active()["settings"].clone();
        merge(&mut settings, changes);
        self.post("/api/layer", &settings);
    }

    /// Undoes or redoes a step, and asserts that the pixels in the answer are the map's.
    pub(crate) fn step(&self, path: &str) {
        let before = self.client.get("/api/map");
        let answer = self.client.post_json(path, &json!({}));
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let (head, bytes) = answer.frame();
        let after = self.map();
        let Ok([x, y, width, height]) = serde_json::from_value::<[usize; 4]>(head["rect"].clone())
        else {
            assert_eq!(head["rect"], Value::Null);
            return;
        };
        let (size, pixels) = before.frame();
        let across = size["width"].as_u64().expect("a number") as usize;
        let (mut map, all, part) = (pixels.to_vec(), pixels.len() / 3, width * height);
        for row in 0..height {
            let (to, from) = ((y + row) * across + x, row * width);
            map[2 * to..][..2 * width].copy_from_slice(&bytes[2 * from..][..2 * width]);
            map[2 * all + to..][..width].copy_from_slice(&bytes[2 * part + from..][..width]);
        }
        assert!(map == after, "{path} tells other pixels");
    }

    pub(crate) fn state(&self) -> Value {
        self.client.get("/api/state").json()
    }

    /// Returns the active layer.
    fn active(&self) -> Value {
        let state = self.state();
        let active = state["active"].as_u64().expect("a number") as usize;
        state["layers"][active].clone()
    }

    /// Returns the warnings about the map of the first layer.
    pub(crate) fn told(&self) -> Value {
        self.state()["layers"][0]["told"].clone()
    }

    /// Returns the warnings about the session's map and points.
    pub(crate) fn warnings(&self) -> Vec<Value> {
        let facts = self.client.get("/api/facts").json();
        facts["warnings"].as_array().expect("a list").clone()
    }

    /// Paints a stroke.
    pub(crate) fn stroke(&self, number: u64, tool: &str, size: f64, value: f64, path: &[[f64; 2]]) {
        let brush = json!({
            "tool": tool, "value": value, "size": size, "hardness": 0.4, "strength": 0.9,
        });
        self.stroke_of(number, &brush, path);
    }

    /// Paints a stroke of this brush.
    pub(crate) fn stroke_of(&self, number: u64, brush: &Value, path: &[[f64; 2]]) {
        let layer = &self.active()["id"];
        let body = json!({
            "stroke": number, "layer": layer, "brush": brush, "path": path, "last": true,
        });
        let answer = self.client.post_json("/api/stroke", &body);
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Updates the points and returns them as the page gets them, in a fixed order.
    pub(crate) fn points(&self) -> Vec<[f32; 4]> {
        let answer = self
            .client
            .post_json("/api/points", &json!({ "version": 0 }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let (head, bytes) = answer.frame();
        assert_eq!(head["all"], json!(true));
        let floats: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        let points = floats.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]);
        sorted(points.collect())
    }

    /// Exports the file of this name.
    pub(crate) fn export(&self, name: &str) -> Vec<u8> {
        let answer = self
            .client
            .post_json("/api/export", &json!({ "name": name }));
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        answer.body
    }

    /// Saves the map under the name in the command line.
    pub(crate) fn save(&self) {
        let state = self.state();
        let name = state["settings"]["names"]["map"].as_str().expect("a name");
        let map = self.client.get("/api/map.png");
        assert_eq!(map.status, 200);
        fs::write(self.path(name), map.body).expect("written");
    }

    /// Runs the program in the studio's folder, and returns what it prints to stdout.
    pub(crate) fn run(&self, args: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_spinney"))
            .args(args.split(' '))
            .current_dir(self.folder.path())
            .output()
            .expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args}: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs the command line that the page shows, in a shell, with more flags.
    pub(crate) fn run_shown(&self, more: &str) {
        let state = self.state();
        let line = state["command"].as_str().expect("a command line");
        let rest = line.strip_prefix("spinney ").expect("our program");
        let program = env!("CARGO_BIN_EXE_spinney");
        let output = Command::new("sh")
            .args(["-c", &format!("'{program}' {rest} {more}")])
            .current_dir(self.folder.path())
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
    }

    /// Returns the file of this name that the command line wrote.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    /// Returns the map as the page has it.
    pub(crate) fn map(&self) -> Vec<u8> {
        let answer = self.client.get("/api/map");
        assert_eq!(answer.status, 200);
        answer.frame().1.to_vec()
    }

    /// Asserts that picture and exports equal those of the command line for the saved map.
    pub(crate) fn assert_equal(&self) {
        let shown = self.points();
        self.save();
        self.run_shown("-o - > stdout.csv");
        let csv = self.read("points.csv");
        assert_eq!(csv, self.read("stdout.csv"));
        assert!(csv == self.export("points.csv"), "the export is another");
        assert!(shown == of_csv(&csv), "the picture is another");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
pub(crate) fn assert_refused(answer: &Answer, says: &str) {
    assert_eq!(answer.status, 422, "{}", answer.text());
    assert!(
        answer.text().contains(says),
        "no '{says}' in {}",
        answer.text()
    );
}

fn merge(settings: &mut Value, changes: &Value) {
    for (key, value) in changes.as_object().expect("an object") {
        settings[key] = value.clone();
    }
}

fn sorted(mut points: Vec<[f32; 4]>) -> Vec<[f32; 4]> {
    points.sort_unstable_by(|a, b| a.partial_cmp(b).expect("numbers"));
    points
}

/// Returns the points of a CSV file as the page gets them.
pub(crate) fn of_csv(csv: &[u8]) -> Vec<[f32; 4]> {
    let mut reader = csv::Reader::from_reader(csv);
    let head = reader.headers().expect("a head").clone();
    let layer = head.iter().position(|name| name == "layer");
    let points = reader.records().map(|record| {
        let record = record.expect("a row");
        let number = |i: usize| record[i].parse::<f64>().expect("a number") as f32;
        [number(1), number(2), number(3), layer.map_or(0.0, number)]
    });
    sorted(points.collect())
}

/// A reproducible generator of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    pub(crate) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.below(1 << 32) as f64 / 2f64.powi(32))
    }

    /// Returns a path over a map.
    pub(crate) fn path(&mut self, size: f64) -> Vec<[f64; 2]> {
        let mut at = [self.between(0.0, size), self.between(0.0, size)];
        let places = 1 + self.below(12);
        let step = |random: &mut Self, x: f64| x + random.between(-30.0, 30.0);
        let walk = (0..places).map(|_| {
            at = [step(self, at[0]), step(self, at[1])];
            at
        });
        walk.collect()
    }
}

#[test]
fn a_port_in_use_is_told_once() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let mut studio = Command::new(env!("CARGO_BIN_EXE_spinney"));
    let port = port.to_string();
    let run = studio
        .args(["studio", "--no-open", "--port", &port])
        .output();
    let said = String::from_utf8(run.expect("it ends").stderr).expect("text");
    assert!(
        said.starts_with(&format!("error: --port {port}: ")),
        "{said}"
    );
    assert!(
        said.ends_with("give another port, or none to use any free port\n"),
        "{said}"
    );
}
