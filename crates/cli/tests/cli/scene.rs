//! A temporary folder, and the program run in it.

use image::{EncodableLayout, ImageBuffer, Luma, PixelWithColorType, Rgba};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time limit of a run: all but limited ones take only a few seconds unless they hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// The test files of the decoders.
pub(crate) const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../density/tests/data");

/// A fresh folder with two maps.
pub(crate) struct Scene(TempDir);

/// A finished run. Failed assertions print its arguments and its stderr.
pub(crate) struct Run {
    args: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn assert_code(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{self}");
    }

    #[track_caller]
    pub(crate) fn assert_stderr_has(&self, text: &str) {
        assert!(self.stderr.contains(text), "no '{text}' in {self}");
    }

    #[track_caller]
    pub(crate) fn assert_stderr_lacks(&self, text: &str) {
        assert!(!self.stderr.contains(text), "'{text}' in {self}");
    }

    #[track_caller]
    pub(crate) fn assert_stdout_has(&self, text: &str) {
        let stdout = self.stdout();
        assert!(stdout.contains(text), "no '{text}' in {stdout}{self}");
    }

    /// Returns stdout as text.
    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("text")
    }

    /// Returns stdout, and then stderr.
    pub(crate) fn output(&self) -> String {
        self.stdout().to_owned() + &self.stderr
    }

    /// Asserts that the run ended with `code`, nothing on stdout, and one short line of stderr, which
    /// contains all of `words`.
    #[track_caller]
    pub(crate) fn assert_refused(&self, code: i32, words: &[&str]) {
        self.assert_code(code);
        assert!(self.stdout.is_empty(), "{self}");
        assert!(self.stderr.starts_with("error: "), "{self}");
        assert!(self.stderr.ends_with('\n'), "{self}");
        assert_eq!(self.stderr.lines().count(), 1, "{self}");
        assert!(self.stderr.len() < 500, "{self}");
        for word in words {
            self.assert_stderr_has(word);
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}, {}", self.args, self.code, self.stderr)
    }
}

/// A row of a CSV file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: u64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) min_dist: f64,
    pub(crate) value: f64,
    /// 0 in a file without layers.
    pub(crate) layer: usize,
}

impl Scene {
    /// Creates a scene. `ramp.png` is 64x48 with 16 bits, white at the top and black at the bottom;
    /// `masked.png` has the same greys in 8 bits, transparent at the left.
    pub(crate) fn new() -> Self {
        let scene = Self(TempDir::new().expect("a folder"));
        scene.picture("ramp.png", [64, 48], |_, y| {
            Luma([65535 - (y * 1394) as u16])
        });
        scene.picture("masked.png", [64, 48], |x, y| {
            let grey = 255 - (y * 5) as u8;
            Rgba([grey, grey, grey, if x < 32 { 0 } else { 255 }])
        });
        scene
    }

    /// Creates a scene that also has `edge.png`, 64x48: black left and white right.
    pub(crate) fn with_edge() -> Self {
        let scene = Self::new();
        scene.picture("edge.png", [64, 48], |x, _| {
            Luma([if x < 32 { 0u8 } else { 255 }])
        });
        scene
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("written");
    }

    /// Writes a picture of this size, in which each pixel is `pixel(x, y)`.
    pub(crate) fn picture<P: PixelWithColorType>(
        &self,
        name: &str,
        [width, height]: [u32; 2],
        pixel: impl FnMut(u32, u32) -> P,
    ) where
        [P::Subpixel]: EncodableLayout,
    {
        let picture = ImageBuffer::from_fn(width, height, pixel);
        picture.save(self.path(name)).expect("saved");
    }

    /// Writes a `GeoJSON` polygon of one ring, such as `[[0,0],[9,0],[9,9],[0,0]]`.
    pub(crate) fn polygon(&self, name: &str, ring: &str) {
        self.write(
            name,
            format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#),
        );
    }

    /// Copies a file, which may lie outside the scene.
    pub(crate) fn copy(&self, from: impl AsRef<Path>, name: impl AsRef<Path>) {
        fs::copy(self.path(from), self.path(name)).expect("copied");
    }

    /// Copies all files of a folder outside the scene.
    pub(crate) fn copy_all(&self, folder: &str) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            self.copy(entry.path(), entry.file_name());
        }
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file")
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text file")
    }

    /// Returns the program with these arguments, split at spaces.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(program());
        command
            .args(args.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts a shell script that has the program and its arguments as `"$0" "$@"`.
    pub(crate) fn shell(
        &self,
        script: &str,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Child {
        Command::new("sh")
            .args(["-c", script])
            .arg(program())
            .args(args)
            .current_dir(self.path(""))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell")
    }

    /// Runs a [`shell`](Self::shell) script with these arguments of the program, split at spaces.
    pub(crate) fn shell_run(&self, script: &str, args: &str) -> Run {
        let child = self.shell(script, args.split_whitespace());
        let args = args.to_owned();
        Run {
            args,
            ..wait(child)
        }
    }

    /// Runs the program with limits on address space, in kilobytes, and processor time, in seconds. Kills a
    /// run that hangs.
    pub(crate) fn limited(
        &self,
        kilobytes: u32,
        seconds: u32,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Run {
        // Otherwise glibc reserves 64 MB of address space for each thread.
        let limits =
            format!("export MALLOC_ARENA_MAX=1; ulimit -v {kilobytes}; ulimit -t {seconds}");
        let script = format!("{limits}; exec \"$0\" \"$@\"");
        let args: Vec<_> = args.into_iter().collect();
        let patience = PATIENCE + Duration::from_secs(u64::from(seconds));
        Run {
            args: shown(args.iter().map(AsRef::as_ref)),
            ..wait_for(self.shell(&script, &args), patience)
        }
    }

    /// Runs the program with these arguments, split at spaces.
    pub(crate) fn run(&self, args: &str) -> Run {
        finish(&mut self.command(args))
    }

    /// Runs the program and asserts its exit code.
    #[track_caller]
    pub(crate) fn end(&self, args: &str, code: i32) -> Run {
        let run = self.run(args);
        run.assert_code(code);
        run
    }

    /// Runs the program and asserts success.
    #[track_caller]
    pub(crate) fn succeed(&self, args: &str) -> Run {
        self.end(args, 0)
    }

    /// Asserts that a run is refused, see [`Run::assert_refused`], and leaves every file as it was.
    #[track_caller]
    pub(crate) fn refused(&self, args: &str, code: i32, words: &[&str]) {
        let before = self.contents();
        let run = self.run(args);
        run.assert_refused(code, words);
        assert!(self.contents() == before, "a file was changed by {run}");
    }

    /// Returns the names and contents of all files in the folder.
    pub(crate) fn contents(&self) -> BTreeMap<OsString, Vec<u8>> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        entries
            .map(|entry| {
                let entry = entry.expect("an entry");
                // Other kinds have no content; opening a pipe would block.
                let is_file = entry.file_type().expect("a type").is_file();
                let content = is_file.then(|| fs::read(entry.path()).expect("read"));
                (entry.file_name(), content.unwrap_or_default())
            })
            .collect()
    }

    /// Returns the drafts of a run, whether it has ended or not.
    pub(crate) fn drafts(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.starts_with(".spinney-"))
            .collect()
    }

    pub(crate) fn rows(&self, name: &str) -> Vec<Row> {
        rows(&self.read(name))
    }

    /// Returns the columns of a CSV file by name, empty fields as NaN.
    pub(crate) fn table(&self, name: &str) -> BTreeMap<String, Vec<f64>> {
        let mut reader = csv::Reader::from_path(self.path(name)).expect("a file");
        let names = reader.headers().expect("names").clone();
        let mut table: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for record in reader.records() {
            for (name, field) in names.iter().zip(&record.expect("a record")) {
                let number = match field {
                    "" => f64::NAN,
                    field => field.parse().expect("a number"),
                };
                table.entry(name.to_owned()).or_default().push(number);
            }
        }
        table
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).expect("JSON")
    }

    /// Returns the texts of all warnings of this kind in a summary.
    pub(crate) fn warnings(&self, summary: &str, kind: &str) -> Vec<String> {
        let summary = self.json(summary);
        let all = summary["warnings"].as_array().expect("a list");
        let of_kind = all.iter().filter(|warning| warning["kind"] == kind);
        let texts = of_kind.map(|warning| warning["text"].as_str().expect("a text").to_owned());
        texts.collect()
    }
}

/// Returns the path of the program.
pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_spinney")
}

/// Returns the points of a CSV file.
pub(crate) fn rows(csv: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers().expect("names").clone();
    assert_eq!(&names.iter().collect::<Vec<_>>()[..5], COLUMNS);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let layer = names.iter().position(|name| name == "layer");
    reader
        .records()
        .map(|record| {
            let record = record.expect("a record");
            Row {
                id: record[0].parse().expect("an id"),
                x: number(&record[1]),
                y: number(&record[2]),
                min_dist: number(&record[3]),
                value: number(&record[4]),
                layer: layer.map_or(0, |column| record[column].parse().expect("a layer")),
            }
        })
        .collect()
}

const COLUMNS: &[&str] = &["id", "x", "y", "min_dist", "value"];

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Run {
    let child = command.spawn().expect("the program");
    let args = shown(command.get_args());
    Run {
        args,
        ..wait(child)
    }
}

fn shown<'a>(args: impl Iterator<Item = &'a OsStr>) -> String {
    let args: Vec<_> = args.map(OsStr::to_string_lossy).collect();
    args.join(" ")
}

/// Waits for the end of a program while reading its output; kills a program that hangs.
pub(crate) fn wait(child: Child) -> Run {
    wait_for(child, PATIENCE)
}

fn wait_for(child: Child, patience: Duration) -> Run {
    let id = child.id();
    let waiting = std::thread::spawn(move || child.wait_with_output().expect("the end"));
    let start = Instant::now();
    while !waiting.is_finished() {
        if start.elapsed() > patience {
            let _ = Command::new("kill")
                .args(["-KILL", &id.to_string()])
                .status();
            panic!("the program hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let Output {
        status,
        stdout,
        stderr,
    } = waiting.join().expect("the output");
    Run {
        args: String::new(),
        code: status.code(),
        stdout,
        stderr: String::from_utf8(stderr).expect("text"),
    }
}
