//! Plans the output files, and checks them before anything else happens.

use crate::args::SampleArgs;
use crate::drafts::{Drafts, Output};
use crate::failure::Failure;
use crate::source::extension;
use crate::warnings::RUN;
use density::YAxis;
use density::diagnostic::{CellUnit, Diagnostic, Role, Subject, Warning};
use export::{Format, Header};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// All outputs of a run.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// The files, in the order of the command line.
    pub(crate) files: Vec<Target>,
    /// Whether the points also go to stdout, as CSV.
    pub(crate) to_stdout: bool,
}

/// An output file.
#[derive(Debug)]
pub(crate) struct Target {
    /// The content of the file.
    pub(crate) content: Content,
    /// The path as given.
    pub(crate) given: PathBuf,
    /// The path without links, in an existing folder.
    pub(crate) path: PathBuf,
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Points(Format),
    Preview,
    Summary,
}

impl Content {
    /// Returns the flag that requests this content.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Points(_) => "-o",
            Self::Preview => "--preview",
            Self::Summary => "--summary",
        }
    }
}

impl Outputs {
    /// Checks the outputs as far as is possible without writing.
    pub(crate) fn plan(args: &SampleArgs) -> Result<Self, Failure> {
        let (dashes, points): (Vec<_>, Vec<_>) = args.output.iter().partition(|p| is_dash(p));
        if dashes.len() > 1 {
            return Err(Failure::usage("-o", "-", "stdout can be given only once"));
        }
        let to_stdout = !dashes.is_empty();
        let mut wanted = Vec::new();
        for path in points {
            wanted.push((Content::Points(point_format(path)?), path));
        }
        if let Some(path) = &args.preview {
            needs_extension("--preview", path, "png")?;
            wanted.push((Content::Preview, path));
        }
        if let Some(path) = &args.summary {
            needs_extension("--summary", path, "json")?;
            wanted.push((Content::Summary, path));
        }
        if wanted.is_empty() && !to_stdout {
            return Err(Failure::Usage(
                "nothing to write: give -o points.csv (or .json, .ply, .svg, .npy), \
                 --preview picture.png, or -o - for CSV on stdout"
                    .to_owned(),
            ));
        }
        let map = args.map.iter().map(|path| ("the map".to_owned(), path));
        let height = args.ground.height.iter().map(|path| ("--height", path));
        let species = args.species.iter().map(|path| ("--species", path));
        let others = height.chain(species).chain(args.region.inputs());
        let others = others.map(|(flag, path)| (format!("the input {flag}"), path));
        let inputs: Vec<_> = map.chain(others).collect();
        let mut files: Vec<Target> = Vec::new();
        for (content, given) in wanted {
            let path = target(content.flag(), given, inputs.iter().cloned())?;
            for other in &files {
                if other.path == path || same_file(&other.path, &path) {
                    return Err(Failure::usage(
                        content.flag(),
                        given.display(),
                        format!(
                            "this is the same file as {} {}",
                            other.content.flag(),
                            other.given.display()
                        ),
                    ));
                }
            }
            files.push(Target {
                content,
                given: given.clone(),
                path,
            });
        }
        Ok(Self { files, to_stdout })
    }

    /// Opens a draft for every file.
    pub(crate) fn open(&self, drafts: &Drafts) -> anyhow::Result<Vec<Output>> {
        let open =
            |target: &Target| drafts.open(target.content.flag(), &target.given, &target.path);
        self.files.iter().map(open).collect()
    }

    /// Returns a warning if `GeoJSON` or Parquet will have north at -y although an input has known
    /// coordinates.
    pub(crate) fn warning(&self, args: &SampleArgs, y_axis: YAxis) -> Option<Warning> {
        if y_axis == YAxis::Up {
            return None;
        }
        // With y down, north is -y, so that maps look as painted.
        let is_map = |file: &&Target| match file.content {
            Content::Points(format) => ["geojson", "parquet"].contains(&format.extension()),
            _ => false,
        };
        let file = self.files.iter().find(is_map)?;
        let has_place = |path: &&PathBuf| extension(path) != "svg";
        let other = match args.region.polygon.iter().find(has_place) {
            Some(path) => format!("--polygon {}", path.display()),
            None if args.world.origin.is_some_and(|origin| origin != [0.0; 2]) => {
                "--origin".to_owned()
            }
            None => return None,
        };
        let subject = Subject::new(Role::Output, file.given.display().to_string(), &RUN);
        Some(Diagnostic::NorthDown { other }.about(&subject))
    }

    /// Returns warnings about files whose readers keep coordinates in 32 bits, if that is too coarse for
    /// points with distances down to `min_dist`; and about files in metres, if the world's `unit` is another.
    pub(crate) fn read_otherwise(
        &self,
        header: &Header<2>,
        min_dist: f64,
        unit: CellUnit,
    ) -> Vec<Warning> {
        let told = |file: &Target| {
            let Content::Points(format) = file.content else {
                return Vec::new();
            };
            let subject = Subject::new(Role::Output, file.given.display().to_string(), &RUN);
            let rounded = format.single_precision(header, min_dist);
            let scaled = unit.in_metres().filter(|_| format.is_in_metres());
            let found = rounded.into_iter().chain(scaled);
            found.map(|found| found.about(&subject)).collect()
        };
        self.files.iter().flat_map(told).collect()
    }

    /// Refuses an output that is one of the maps of a species file.
    pub(crate) fn check_maps<'p>(
        &self,
        maps: impl Iterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        for map in maps {
            if let Some(file) = self.files.iter().find(|f| same_file(map, &f.path)) {
                return Err(is_input(file.content.flag(), &file.given, "the map", map));
            }
        }
        Ok(())
    }
}

/// Returns the failure of an output that is an input of the run.
fn is_input(flag: &str, given: &Path, what: impl Display, input: &Path) -> Failure {
    let problem = format!("this is {what} {} itself", input.display());
    Failure::usage(flag, given.display(), problem)
}

/// Returns the path that the output `given` leads to without links. It must not be one of the `inputs`, each
/// of which comes with what it is.
pub(crate) fn target<'p>(
    flag: &str,
    given: &Path,
    inputs: impl IntoIterator<Item = (impl Display, &'p PathBuf)>,
) -> Result<PathBuf, Failure> {
    let path = resolve(flag, given)?;
    for (what, input) in inputs {
        if same_file(input, &path) {
            return Err(is_input(flag, given, what, input));
        }
    }
    Ok(path)
}

/// Returns `true` if both are one existing file. Only regular files are compared: comparing opens them, and
/// opening a named pipe blocks until its other end is open.
fn same_file(a: &Path, b: &Path) -> bool {
    let is_file = |path| fs::metadata(path).is_ok_and(|about| about.is_file());
    is_file(a) && is_file(b) && same_file::is_same_file(a, b).unwrap_or(false)
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

fn point_format(path: &Path) -> Result<Format, Failure> {
    Format::from_path(path).ok_or_else(|| {
        let known: Vec<String> = Format::ALL
            .iter()
            .map(|f| format!(".{}", f.extension()))
            .collect();
        if extension(path) == "parquet" {
            let problem = "this spinney was built without Parquet: build it with \
                           `--features parquet`, or name the file .geojson";
            return Failure::usage("-o", path.display(), problem);
        }
        Failure::usage(
            "-o",
            path.display(),
            format!(
                "the name must end in one of {}, or be - for CSV on stdout",
                known.join(" ")
            ),
        )
    })
}

/// Refuses an output whose name ends otherwise than in `wanted`, an extension in lower case.
pub(crate) fn needs_extension(flag: &str, path: &Path, wanted: &str) -> Result<(), Failure> {
    if extension(path) == wanted {
        return Ok(());
    }
    let problem = format!("the name must end in .{wanted}");
    Err(Failure::usage(flag, path.display(), problem))
}

/// Returns the path that `given` leads to without links. The file need not exist, but its folder must.
fn resolve(flag: &str, given: &Path) -> Result<PathBuf, Failure> {
    let role = format!("{flag} ");
    let failed = |problem: &dyn std::fmt::Display| Failure::file(&role, given, problem);
    // `a.csv/` and `a.csv/.` name folders, yet their last path component is `a.csv`.
    let text = given.as_os_str().to_string_lossy();
    let text = text.strip_suffix('.').unwrap_or(&text);
    if text.ends_with(std::path::is_separator) {
        return Err(failed(&"this names a folder; give a file name"));
    }
    match fs::symlink_metadata(given) {
        Ok(_) => {
            let about = fs::metadata(given).map_err(|e| match e.kind() {
                ErrorKind::NotFound => failed(&"this is a broken link; remove it first"),
                _ => failed(&e),
            })?;
            if about.is_dir() {
                return Err(failed(&"this is a folder; give a file name"));
            }
            if !about.is_file() {
                return Err(failed(&"this is not a regular file"));
            }
            if about.permissions().readonly() {
                return Err(failed(&"the file there is read-only"));
            }
            fs::canonicalize(given).map_err(|e| failed(&e))
        }
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let (Some(folder), Some(name)) = (given.parent(), given.file_name()) else {
                return Err(failed(&"give a file name"));
            };
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            let folder = fs::canonicalize(folder).map_err(|e| match e.kind() {
                ErrorKind::NotFound => failed(&"the folder does not exist; create it first"),
                _ => failed(&e),
            })?;
            Ok(folder.join(name))
        }
        Err(e) => Err(failed(&e)),
    }
}
