//! A temporary folder, and the program run in it.

use image::{DynamicImage, ImageBuffer, Luma, Rgba};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time limit of a run: all take only a few seconds unless they hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// A fresh folder with two maps.
pub(crate) struct Scene(TempDir);

/// A finished run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// Asserts that the run of `args` ended with `code` and one line of stderr, which contains all of
    /// `words`.
    #[track_caller]
    pub(crate) fn assert_refused(&self, args: &str, code: i32, words: &[&str]) {
        let what = format!("{args}: {}", self.stderr);
        assert_eq!(self.code, Some(code), "{what}");
        assert!(self.stderr.starts_with("error: "), "{what}");
        assert_eq!(self.stderr.lines().count(), 1, "{what}");
        for word in words {
            assert!(self.stderr.contains(word), "no '{word}' in {what}");
        }
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
}

impl Scene {
    /// Creates a scene. `ramp.png` is 64x48 with 16 bits, white at the top and black at the bottom;
    /// `masked.png` has the same greys in 8 bits, transparent at the left.
    pub(crate) fn new() -> Self {
        let scene = Self(TempDir::new().expect("a folder"));
        let ramp = ImageBuffer::from_fn(64, 48, |_, y| Luma([65535 - (y * 1394) as u16]));
        DynamicImage::ImageLuma16(ramp)
            .save(scene.path("ramp.png"))
            .expect("saved");
        let masked = ImageBuffer::from_fn(64, 48, |x, y| {
            let grey = 255 - (y * 5) as u8;
            Rgba([grey, grey, grey, if x < 32 { 0 } else { 255 }])
        });
        DynamicImage::ImageRgba8(masked)
            .save(scene.path("masked.png"))
            .expect("saved");
        scene
    }

    /// Creates a scene that also has `edge.png`, 64x48: black left and white right.
    pub(crate) fn with_edge() -> Self {
        let scene = Self::new();
        let edge = ImageBuffer::from_fn(64, 48, |x, _| Luma([if x < 32 { 0u8 } else { 255 }]));
        edge.save(scene.path("edge.png")).expect("saved");
        scene
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
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

    /// Returns a shell script with the program and its arguments as `"$0" "$@"`.
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
        let patience = PATIENCE + Duration::from_secs(u64::from(seconds));
        wait(self.shell(&script, args), patience)
    }

    pub(crate) fn run(&self, args: &str) -> Run {
        finish(&mut self.command(args))
    }

    /// Runs the program and asserts success.
    pub(crate) fn succeed(&self, args: &str) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
        run
    }

    /// Runs the program and asserts that it is refused, see [`Run::assert_refused`].
    #[track_caller]
    pub(crate) fn refused(&self, args: &str, code: i32, words: &[&str]) -> Run {
        let run = self.run(args);
        run.assert_refused(args, code, words);
        run
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
        rows(&fs::read(self.path(name)).expect("a file"))
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
        let bytes = fs::read(self.path(name)).expect("a file");
        serde_json::from_slice(&bytes).expect("JSON")
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
            }
        })
        .collect()
}

const COLUMNS: &[&str] = &["id", "x", "y", "min_dist", "value"];

pub(crate) fn finish(command: &mut Command) -> Run {
    let child = command.spawn().expect("the program");
    wait(child, PATIENCE)
}

/// Waits for the end while reading the output; kills a program that hangs.
pub(crate) fn wait(child: Child, patience: Duration) -> Run {
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
        code: status.code(),
        stdout,
        stderr: String::from_utf8(stderr).expect("text"),
    }
}
