//! `spinney studio`: serves a page in the browser for painting a map.

// Help texts are printed verbatim: backticks would show.
#![allow(clippy::doc_markdown)]

use crate::drafts::Drafts;
use crate::failure::{Failure, tell};
use crate::map_file::{MapArgs, read_input};
use crate::source::extension;
use crate::warnings;
use anyhow::Error;
use clap::Args;
use std::path::PathBuf;
use studio::{Picture, Server, Session};

/// Paint a map on a page in your browser, and see its points at once
///
/// The page is served by this machine, to this machine only. It writes no files: maps and points
/// are downloads of the browser. A map has at most 67108864 pixels here. Several tabs share one
/// session. Ctrl-C ends it.
#[derive(Debug, Args)]
pub(crate) struct StudioArgs {
    /// Map to start with, in any format that `sample` reads [default: 512x512 from `map perlin`]
    map: Option<PathBuf>,

    #[command(flatten)]
    file: MapArgs,

    /// Port on 127.0.0.1; 0 is any free port
    #[arg(long, value_name = "N", default_value = "0", value_parser = port)]
    port: u16,

    /// Print the page's address and do not open a browser
    #[arg(long)]
    no_open: bool,
}

fn port(text: &str) -> Result<u16, String> {
    text.trim()
        .parse()
        .map_err(|_| "must be a whole number from 0 to 65535".to_owned())
}

/// Runs the subcommand until it is interrupted.
pub(crate) fn run(args: &StudioArgs) -> Result<(), Failure> {
    if args.map.is_none()
        && let Some((flag, value)) = args.file.given()
    {
        return Err(Failure::usage(flag, value, "needs a map: give MAP"));
    }
    // The studio writes no files; this only handles interrupts as other subcommands do.
    let _drafts = Drafts::with_interrupt();
    let picture = match &args.map {
        None => None,
        Some(path) => {
            if extension(path) == "toml" {
                let problem = "a species file is opened on the page: start the studio without it, \
                               and choose it and its maps under Species";
                return Err(Failure::usage("MAP", path.display(), problem));
            }
            let (map, info) = read_input(path, &args.file, &warnings::INPUT)?;
            Some(Picture {
                name: info.file,
                map,
                place: info.place,
                warnings: info.warnings.iter().map(ToString::to_string).collect(),
            })
        }
    };
    let session = Session::new(picture).map_err(|e| match &args.map {
        Some(path) => Failure::file("", path, e),
        None => Failure::Run(Error::msg(e)),
    })?;
    let server = Server::bind(args.port).map_err(|e| Failure::Run(Error::msg(e)))?;
    let url = server.url();
    tell(&format!("studio: {url}"));
    if !args.no_open
        && let Err(e) = open::that_detached(&url)
    {
        tell(&format!(
            "no browser could be opened ({e}): open the address above"
        ));
    }
    server.run(session);
    Ok(())
}
