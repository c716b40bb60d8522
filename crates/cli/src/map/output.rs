//! Where a map goes.

use crate::drafts::Drafts;
use crate::failure::{Failure, tell};
use crate::outputs::{resolve, same_file};
use anyhow::Context;
use clap::Args;
use density::{GreyMap, write_png};
use std::ffi::OsStr;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file that is written.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// The map, to FILE.png, 16 bits
    #[arg(short, long = "output", value_name = "FILE")]
    pub(super) output: PathBuf,

    /// Say nothing when all is well
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// A file to be written, checked before the work.
pub(super) struct Target {
    given: PathBuf,
    path: PathBuf,
}

impl Target {
    /// Checks everything that can be known without writing; it must be none of the `inputs`.
    pub(super) fn new(given: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        let extension = given.extension().and_then(OsStr::to_str);
        if !extension.is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            let problem = "the name must end in .png";
            return Err(Failure::usage("-o", given.display(), problem));
        }
        let path = resolve("-o", given)?;
        if let Some(input) = inputs.iter().find(|input| same_file(input, &path)) {
            let problem = format!("this is the input {} itself", input.display());
            return Err(Failure::usage("-o", given.display(), problem));
        }
        Ok(Self {
            given: given.to_owned(),
            path,
        })
    }

    /// Writes `map`; the file appears when it is whole.
    pub(super) fn write(&self, map: &GreyMap) -> Result<(), Failure> {
        let name = format!("-o {}", self.given.display());
        let drafts = Drafts::with_interrupt();
        let file = drafts
            .create(&self.path)
            .with_context(|| format!("{name}: no file can be created in its folder"))?;
        let mut out = BufWriter::new(file);
        write_png(map, &mut out)
            .and_then(|()| out.flush())
            .with_context(|| name)?;
        drop(out);
        drafts.publish()?;
        Ok(())
    }
}

/// Writes what `make` makes of `inputs`, and says so.
pub(super) fn make(
    args: &OutputArgs,
    inputs: &[&Path],
    make: impl FnOnce() -> Result<GreyMap, Failure>,
) -> Result<(), Failure> {
    let target = Target::new(&args.output, inputs)?;
    let map = make()?;
    target.write(&map)?;
    if !args.quiet {
        let (width, height) = (map.width(), map.height());
        let allowed = 100.0 * map.allowed_share();
        let masked = if map.has_mask() {
            format!(", points allowed on {allowed:.1} %")
        } else {
            String::new()
        };
        tell(&format!(
            "wrote a {width}x{height} 16-bit map{masked}: {}",
            args.output.display()
        ));
    }
    Ok(())
}
