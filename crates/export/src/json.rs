//! Writes JSON.

use crate::column::{MAX_EXACT_DOUBLE, Object, Table, within};
use crate::text::{self, Text};
use crate::{ExportError, Header, Ids};
use sampler::Sample;

const OUTPUT: &str = "JSON";

/// Returns the text of [`Format::Json`](crate::Format::Json).
pub(crate) fn text<const D: usize>(header: &Header<D>) -> Result<Text<D>, ExportError> {
    let table = Table::new(D, header);
    Ok(Text {
        head: format!("{{\"spinney\":{},\n\"points\":[", header.json(OUTPUT)?),
        before: ["\n", ",\n"],
        point: Box::new(move |sample, out| {
            let entry = table.entry(sample)?;
            check_ids(OUTPUT, table.ids, sample)?;
            text::json(OUTPUT, &Object(&table, &entry), out)
        }),
        tail: "\n]}\n",
    })
}

/// Checks that counted ids are exact as numbers in JSON. Hashed ids are strings.
pub(crate) fn check_ids<const D: usize>(
    output: &'static str,
    ids: Ids,
    sample: &Sample<D>,
) -> Result<(), ExportError> {
    if ids == Ids::Counted {
        within(output, "id", sample.id, MAX_EXACT_DOUBLE)?;
        let parent = sample.parent.unwrap_or(0);
        within(output, "parent", parent, MAX_EXACT_DOUBLE)?;
    }
    Ok(())
}
