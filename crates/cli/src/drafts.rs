//! Writes files that appear only after everything has succeeded.

use crate::failure::{Failure, tell};
use crate::signals;
use anyhow::Context;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;

/// Temporary files, each in the folder of its final file.
///
/// Dropping this, or a signal that ends the run, removes the unpublished files.
#[derive(Default)]
pub(crate) struct Drafts(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    drafts: Vec<Draft>,
    is_published: bool,
}

struct Draft {
    /// A clone of the writer's file handle, for the sync to disk. A handle opened anew could miss a
    /// write-back error.
    file: File,
    temp: TempPath,
    becomes: PathBuf,
}

/// A draft, ready for writing.
pub(crate) struct Output {
    /// The flag and the file name, for errors.
    pub(crate) name: String,
    pub(crate) file: File,
}

impl Output {
    /// Lets `fill` write the file.
    pub(crate) fn write(
        self,
        fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Self { name, file } = self;
        let mut out = BufWriter::new(file);
        let written = fill(&mut out).and_then(|()| out.flush());
        Ok(written.with_context(|| format!("{name}: writing failed"))?)
    }
}

impl Drafts {
    /// Returns an empty set. From here on, an interrupt removes all drafts and exits with 130.
    pub(crate) fn with_interrupt() -> Self {
        let drafts = Self::default();
        let state = Arc::clone(&drafts.0);
        signals::when_asked_to_end(move || interrupted(&state));
        drafts
    }

    /// Opens a draft of the file at `path`, as [`create`](Self::create) does. Errors name the flag and the
    /// path as given.
    pub(crate) fn open(&self, flag: &str, given: &Path, path: &Path) -> anyhow::Result<Output> {
        let name = format!("{flag} {}", given.display());
        let file = self
            .create(path)
            .with_context(|| format!("{name}: no file can be created in its folder"))?;
        Ok(Output { name, file })
    }

    /// Opens a draft of the file at `path`, which must include its folder. The draft gets the permissions
    /// of the file that it will replace, or those of any new file.
    fn create(&self, path: &Path) -> io::Result<File> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut state = self.lock();
        let draft = tempfile::Builder::new()
            .prefix(".spinney-")
            .suffix(".tmp")
            .make_in(folder, |name| {
                File::options().write(true).create_new(true).open(name)
            })?;
        let (file, temp) = draft.into_parts();
        if let Ok(existing) = fs::metadata(path) {
            replaceable(folder, &existing, &file.metadata()?)?;
            file.set_permissions(existing.permissions())?;
        }
        state.drafts.push(Draft {
            file: file.try_clone()?,
            temp,
            becomes: path.to_owned(),
        });
        Ok(file)
    }

    /// Syncs all files to disk, then puts each in its place. Their writers must be closed.
    ///
    /// # Errors
    /// Returns the first path that could not be replaced; later files stay as they were. If a sync fails,
    /// nothing is replaced.
    pub(crate) fn publish(&self) -> Result<(), Failure> {
        let unplaced = |path: &Path, error: io::Error| {
            Failure::file("", path, format!("cannot be put in place: {error}"))
        };
        // Syncing may take long, so it runs without the lock that the signal handler needs.
        let file = |draft: &Draft| (draft.file.try_clone(), draft.becomes.clone());
        let files: Vec<_> = self.lock().drafts.iter().map(file).collect();
        for (file, path) in files {
            synced(file.and_then(|file| file.sync_all())).map_err(|e| unplaced(&path, e))?;
        }
        let mut state = self.lock();
        for draft in std::mem::take(&mut state.drafts) {
            let Draft {
                file,
                temp,
                becomes,
            } = draft;
            drop(file);
            temp.persist(&becomes)
                .map_err(|e| unplaced(&becomes, e.error))?;
            // Syncing the folder makes the rename survive a power cut. Where folders cannot be synced,
            // either the old or the new file is still there.
            let folder = becomes.parent().unwrap_or(Path::new("."));
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        state.is_published = true;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        self.lock().drafts.clear();
    }
}

/// Removes all drafts, prints a message and ends the program, whatever other threads are doing. The lock is
/// held until the end, so that nothing more is created or published.
fn interrupted(state: &Mutex<State>) -> ! {
    let mut state = lock(state);
    state.drafts.clear();
    if io::stderr().is_terminal() {
        // The cursor is behind a progress bar.
        let _ = writeln!(io::stderr());
    }
    tell(if state.is_published {
        "interrupted: the files were complete already"
    } else {
        "interrupted: no file was written"
    });
    process::exit(130)
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Accepts file systems that do not support syncing.
fn synced(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if matches!(e.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        other => other,
    }
}

/// Refuses early to replace another user's file in a folder like `/tmp`, where everybody may create files
/// but only owners may replace them. Otherwise the run would fail only at its end.
#[cfg(unix)]
fn replaceable(folder: &Path, existing: &fs::Metadata, ours: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    let about = fs::metadata(folder)?;
    let free = about.mode() & STICKY == 0;
    if free || [0, about.uid(), existing.uid()].contains(&ours.uid()) {
        return Ok(());
    }
    let problem = "the existing file belongs to another user, who alone may replace it in its \
                   folder";
    Err(io::Error::new(ErrorKind::PermissionDenied, problem))
}

// Never fails; the signature matches the one for Unix.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn replaceable(_: &Path, _: &fs::Metadata, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
