//! The command line of the example programs.

use crate::Canvas;
use anyhow::{Context, Result, bail};
use density::GreyMap;
use density::decode::{Channel, DecodeLimits};
use std::path::{Path, PathBuf};

/// The command line of every example: `[--small] [FOLDER]`.
#[derive(Clone, Debug)]
pub struct Run {
    /// The folder for pictures, `target/examples` by default.
    folder: PathBuf,
    /// Whether pictures are a third as large, for automatic checks.
    is_small: bool,
}

impl Run {
    /// Reads the command line and creates the folder.
    ///
    /// # Errors
    /// On an unknown flag, a second folder, or a folder that cannot be created.
    pub fn from_args() -> Result<Self> {
        let (mut folder, mut is_small) = (None, false);
        for arg in std::env::args_os().skip(1) {
            if arg == "--small" {
                is_small = true;
            } else if arg.to_string_lossy().starts_with('-') || folder.is_some() {
                bail!("usage: [--small] [FOLDER], but found {}", arg.display());
            } else {
                folder = Some(PathBuf::from(arg));
            }
        }
        let folder = folder.unwrap_or_else(|| PathBuf::from("target/examples"));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder, is_small })
    }

    /// Returns a length for drawing: `full`, or a third of it in a small run.
    pub fn length(&self, full: f64) -> f64 {
        if self.is_small { full / 3.0 } else { full }
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Saves a program's picture as `NAME.png` in the folder.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, name: &str, picture: &Canvas) -> Result<()> {
        self.save_in(name, picture, 256)
    }

    /// Saves a program's picture with fewer colours, which makes files of busy pictures smaller.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_in(&self, name: &str, picture: &Canvas, colors: usize) -> Result<()> {
        let path = self.path(&format!("{name}.png"));
        picture.save(&path, colors)?;
        println!("wrote {}", path.display());
        Ok(())
    }
}

/// Reads a map from the repository's folder `maps/`.
///
/// # Errors
/// If there is no such file, or it is not a map.
pub fn load_map(name: &str) -> Result<GreyMap> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../maps")
        .join(name);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read maps/{name}"))?;
    GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default())
        .with_context(|| format!("maps/{name}"))
}
