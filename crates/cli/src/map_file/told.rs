//! What may have been read otherwise than it was meant.

use super::MapInfo;
use crate::numbers::grouped;
use density::diagnostic::{Diagnostic, Warning};

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
        let rows = match self.row_order {
            "south-first" => ", rows turned",
            _ => "",
        };
        let masked = match self.masked {
            Some(1) => ", 1 pixel closed by a mask beside it".to_owned(),
            Some(pixels) => format!(", {} pixels closed by a mask beside it", grouped(pixels)),
            None => String::new(),
        };
        format!(
            "{}x{} {} map{channel}{alpha}{rows}{masked}{}",
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
pub(crate) fn unlike(a: &MapInfo, b: &MapInfo) -> Option<Warning> {
    let (of_a, of_b) = (a.found?, b.found?);
    let unlike = Diagnostic::UnlikeLevels {
        own: [of_a.lo(), of_a.hi()],
        other: b.file.clone(),
        others: [of_b.lo(), of_b.hi()],
    };
    (of_a != of_b).then(|| unlike.about(&a.subject))
}
