//! What a program was asked for on its command line.

use crate::Canvas;
use anyhow::{Context, Result, bail};
use density::GreyMap;
use density::decode::{Channel, DecodeLimits};
use std::path::{Path, PathBuf};

/// How much work to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The picture as shown in the README.
    Full,
    /// A picture of a fraction of the size, for automatic checks.
    Small,
}

/// The command line of every example: `[--small] [FOLDER]`.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where the pictures go. `target/examples` by default.
    pub folder: PathBuf,
    /// How much work to do.
    pub scale: Scale,
}

impl Run {
    /// Reads the command line and makes the folder.
    ///
    /// # Errors
    /// On an unknown flag, a second folder, or a folder that cannot be made.
    pub fn from_args() -> Result<Self> {
        let (mut folder, mut scale) = (None, Scale::Full);
        for arg in std::env::args_os().skip(1) {
            if arg == "--small" {
                scale = Scale::Small;
            } else if arg.to_string_lossy().starts_with('-') || folder.is_some() {
                bail!("usage: [--small] [FOLDER], but found {}", arg.display());
            } else {
                folder = Some(PathBuf::from(arg));
            }
        }
        let folder = folder.unwrap_or_else(|| PathBuf::from("target/examples"));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder, scale })
    }

    /// A length to draw at: `full`, or a third of it in a small run.
    pub fn length(&self, full: f64) -> f64 {
        match self.scale {
            Scale::Full => full,
            Scale::Small => full / 3.0,
        }
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Saves a program's picture as `NAME.png` in the folder.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, name: &str, picture: &Canvas) -> Result<()> {
        self.save_in(name, picture, 256)
    }

    /// As [`save`](Self::save), in fewer colours, which makes smaller files of busy pictures.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_in(&self, name: &str, picture: &Canvas, colors: usize) -> Result<()> {
        let path = self.path(&format!("{name}.png"));
        picture.save(&path, colors)?;
        println!("wrote {}", path.display());
        Ok(())
    }
}

/// One of the maps in the repository's folder `maps/`.
///
/// # Errors
/// When there is no such file, or it is no map.
pub fn load_map(name: &str) -> Result<GreyMap> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../maps")
        .join(name);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read maps/{name}"))?;
    GreyMap::decode(&bytes, Channel::Luma, DecodeLimits::default())
        .with_context(|| format!("maps/{name}"))
}
