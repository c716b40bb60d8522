//! Files that are not there until everything has succeeded.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;

/// Temporary files, each in the folder of the file that it is to become.
///
/// Dropping this removes those that were not published, and so does an interrupt: its handler
/// runs in a thread of its own, and so works whatever the main thread is busy with or blocked
/// on.
#[derive(Default)]
pub(crate) struct Drafts(Arc<Mutex<Vec<Draft>>>);

struct Draft {
    file: TempPath,
    becomes: PathBuf,
}

impl Drafts {
    /// No files as yet. From here on, an interrupt removes what there is and exits with 130.
    pub(crate) fn with_interrupt() -> Self {
        let drafts = Self::default();
        let shared = Self(Arc::clone(&drafts.0));
        // This fails when whoever started the program had it ignore a signal (`nohup`), and
        // then the signals stay as they were set.
        let _ = ctrlc::try_set_handler(move || {
            // Held until the end: nothing more may be created or published.
            let mut list = shared.lock();
            list.clear();
            if io::stderr().is_terminal() {
                // The cursor is behind a progress bar.
                let _ = writeln!(io::stderr());
            }
            crate::failure::tell("interrupted: no file was written");
            process::exit(130);
        });
        drafts
    }

    /// Opens a draft of the file at `path`, which must name its folder. The draft has the
    /// permissions of the file that it will replace, or those of any new file.
    pub(crate) fn create(&self, path: &Path) -> io::Result<File> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut list = self.lock();
        let draft = tempfile::Builder::new()
            .prefix(".spinney-")
            .suffix(".tmp")
            .make_in(folder, |name| {
                File::options().write(true).create_new(true).open(name)
            })?;
        let (file, temp) = draft.into_parts();
        if let Ok(existing) = fs::metadata(path) {
            file.set_permissions(existing.permissions())?;
        }
        list.push(Draft {
            file: temp,
            becomes: path.to_owned(),
        });
        Ok(file)
    }

    /// Puts every file in its place. Their writers must have closed them.
    ///
    /// # Errors
    /// The first path that could not be replaced; those after it are left as they were.
    pub(crate) fn publish(&self) -> Result<(), (PathBuf, io::Error)> {
        for draft in self.lock().drain(..) {
            draft
                .file
                .persist(&draft.becomes)
                .map_err(|e| (draft.becomes, e.error))?;
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Draft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        self.lock().clear();
    }
}
