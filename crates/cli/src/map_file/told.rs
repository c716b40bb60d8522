//! What may have been read otherwise than it was meant.

use super::{FileFlags, MapArgs, MapInfo, ends, level};
use density::{Channel, LevelRange, Levels, Raster};
use std::path::Path;

impl MapInfo {
    /// What the file is, and how it was read.
    pub(crate) fn told(&self) -> String {
        let channel = match &*self.channel {
            "luma" => String::new(),
            other => format!(" (channel {other})"),
        };
        let alpha = match self.alpha {
            "mask" => "",
            _ => ", alpha ignored",
        };
        format!(
            "{}x{} {} map{channel}{alpha}{}",
            self.width,
            self.height,
            self.level_type,
            self.told_levels()
        )
    }

    /// The levels that are black and white, after a comma; nothing when they are as the type has
    /// them.
    pub(crate) fn told_levels(&self) -> String {
        let levels = self.levels.as_ref();
        levels.map_or(String::new(), |levels| format!(", levels {levels}"))
    }
}

/// What to say of two maps whose greys are put together, though nobody said which levels are black
/// and white in them.
pub(crate) fn unlike(a: &MapInfo, b: &MapInfo) -> Option<String> {
    let (of_a, of_b) = (a.found?, b.found?);
    (of_a != of_b).then(|| {
        let both = LevelRange::new(of_a.lo().min(of_b.lo()), of_a.hi().max(of_b.hi()));
        let such = both.map_or(String::new(), |both| format!(", like {}", ends(both)));
        format!(
            "{} is read from {} and {} from {} (found): the same level is not the same grey; give \
             --range LO..HI for both{such}",
            a.file,
            ends(of_a),
            b.file,
            ends(of_b),
        )
    })
}

/// What to say of how the pixels at `path` were read.
pub(crate) fn warnings(
    path: &Path,
    raster: &Raster,
    args: &MapArgs,
    flags: FileFlags,
) -> Vec<String> {
    let name = format!("{}{}", flags.role, path.display());
    let hidden = flags
        .alpha
        .and_then(|alpha| hidden(&name, raster, args, [alpha, flags.channel]));
    let all = [
        hidden,
        divided(&name, raster, flags.alpha),
        others(&name, raster),
        narrow(&name, raster, args, flags.range),
    ];
    all.into_iter().flatten().collect()
}

/// Who picks a colour may mean the weights of a splat map, of which alpha is one more.
fn hidden(name: &str, raster: &Raster, args: &MapArgs, flags: [&str; 2]) -> Option<String> {
    let [alpha, flag] = flags;
    let channel = match args.channel.as_ref()? {
        Channel::Luma | Channel::A => return None,
        colour => colour.name(),
    };
    let share = raster.clear_share();
    (share > 0.0).then(|| {
        format!(
            "alpha closes {:.1} % of {name}: {alpha} ignore reads {flag} {channel} everywhere",
            100.0 * share,
        )
    })
}

/// Not every program keeps to what its format says of alpha.
fn divided(name: &str, raster: &Raster, alpha: Option<&str>) -> Option<String> {
    let share = raster.divided_share();
    (share > 0.0).then(|| {
        let way_out = match alpha {
            Some(flag) => format!("{flag} ignore takes them as they are stored"),
            None => "if its program does not do that, make alpha 0 or 1".to_owned(),
        };
        format!(
            "{name} is of a kind that stores colours multiplied by alpha: {:.1} % of its pixels \
             were divided by it ({way_out})",
            100.0 * share,
        )
    })
}

/// Whole numbers of which no map of greys would use so little are numbers of something else: heights
/// in metres, or 0 and 1.
const NARROW: f64 = 1.0 / 16.0;

/// Such numbers, read as greys, come out nearly black.
fn narrow(name: &str, raster: &Raster, args: &MapArgs, flag: Option<&str>) -> Option<String> {
    let flag = flag.filter(|_| args.range.is_none() && raster.is_grey())?;
    let full = raster.ends(Levels::Natural).ok()??;
    let found = raster.ends(Levels::Found).ok()??;
    let [full, used] = [full, found].map(|range| range.hi() - range.lo());
    (used < NARROW * full).then(|| {
        let (found, white) = (ends(found), level(full));
        format!(
            "{name} uses levels {found} of 0..{white} alone, so that distances are nearly the same \
             everywhere: {flag} {found}, or {flag} auto, makes the least of them black and the \
             greatest white"
        )
    })
}

fn others(name: &str, raster: &Raster) -> Option<String> {
    let noun = match raster.other_images() {
        0 => return None,
        1 => "one more image".to_owned(),
        more => format!("{more} more images"),
    };
    let (width, height) = (raster.width(), raster.height());
    Some(format!(
        "{name} holds {noun}: only the first, {width}x{height}, is read"
    ))
}
