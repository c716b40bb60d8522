//! Texts about a map file and how it was read.

use super::MapInfo;
use crate::numbers::grouped;
use density::diagnostic::{Diagnostic, Warning};

impl MapInfo {
    /// Describes the file and how it was read.
    pub(crate) fn description(&self) -> String {
        let channel = match &*self.channel {
            "luma" => String::new(),
            other => format!(" (channel {other})"),
        };
        let alpha = match self.alpha {
            "mask" => "",
            _ => ", alpha ignored",
        };
        let rows = match self.row_order {
            "south-first" => ", rows reversed",
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
            self.levels_text()
        )
    }

    /// Returns the levels of black and white after a comma; empty if they are those of the type.
    pub(crate) fn levels_text(&self) -> String {
        let levels = self.levels.as_ref();
        levels.map_or(String::new(), |levels| format!(", levels {levels}"))
    }
}

/// Returns a warning if two maps are combined whose levels of black and white were found separately and
/// differ.
pub(crate) fn unlike(a: &MapInfo, b: &MapInfo) -> Option<Warning> {
    let (of_a, of_b) = (a.found?, b.found?);
    let unlike = Diagnostic::UnlikeLevels {
        own: [of_a.lo(), of_a.hi()],
        other: b.file.clone(),
        others: [of_b.lo(), of_b.hi()],
    };
    (of_a != of_b).then(|| unlike.about(&a.subject))
}
