//! Reads GDAL's metadata (tag 42112): scale, offset and unit of bands, and the bands of masks.

use super::damaged;
use crate::decode::DecodeError;
use crate::decode::channel::Pick;
use crate::decode::error::printable;
use crate::decode::scaling::Scaling;
use crate::diagnostic::CellUnit;
use roxmltree::{Document, Node, ParsingOptions};

/// Maximum number of elements and pieces of text in metadata.
const MOST_NODES: u32 = 1_000_000;

/// Returns the scaling of the picked bands; `None` if there is none.
///
/// GDAL writes `<Item name="SCALE" sample="0" role="scale">0.1</Item>`, and another item whose role
/// is "offset". Only the role counts.
pub(super) fn scaling(metadata: &[u8], pick: Pick) -> Result<Option<Scaling>, DecodeError> {
    let text = String::from_utf8_lossy(metadata);
    // Metadata without these words need not be valid.
    let lower = text.to_ascii_lowercase();
    if !lower.contains("scale") && !lower.contains("offset") {
        return Ok(None);
    }
    let document = parse(&text)?;
    let mut all = pick.samples().map(|band| of_band(&document, band));
    let Some(first) = all.next().transpose()? else {
        return Ok(None);
    };
    for other in all {
        if other? != first {
            return Err(wrong(
                "scale its colours differently: choose one of them as the channel, or apply the \
                 scales",
            ));
        }
    }
    let (scale, offset) = (first[0].unwrap_or(1.0), first[1].unwrap_or(0.0));
    let scaling = Scaling::new(scale, offset)?;
    let changes = (scale, offset) != (1.0, 0.0);
    Ok(changes.then_some(scaling))
}

/// Returns the unit of a band's levels: `<Item name="UNITTYPE" sample="0" role="unittype">`.
pub(super) fn unit(metadata: &[u8], pick: Pick) -> CellUnit {
    let text = String::from_utf8_lossy(metadata);
    let Ok(document) = parse(&text) else {
        return CellUnit::Unsaid;
    };
    let says = |item: &Node<'_, '_>, name, value: &str| {
        item.attribute(name)
            .is_some_and(|said| said.trim().eq_ignore_ascii_case(value))
    };
    let band = pick.samples().next().unwrap_or(0).to_string();
    let mut items = items(&document);
    let item = items.find(|item| says(item, "role", "unittype") && says(item, "sample", &band));
    CellUnit::of_gdal(item.and_then(|item| item.text()).unwrap_or_default())
}

fn parse(text: &str) -> Result<Document<'_>, DecodeError> {
    let text = text.trim_matches(['\0', ' ', '\r', '\n', '\t', '\u{feff}']);
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|e| wrong(&format!("are not XML ({e})")))
}

/// Returns the band of a mask file that masks a band of the image, both from 1. `None` if the file
/// does not declare one (GDAL: `INTERNAL_MASK_FLAGS_1` and so on, whose bit 2 means one mask for
/// all bands).
pub(super) fn mask_of(metadata: &[u8], band: usize) -> Result<Option<usize>, DecodeError> {
    let text = String::from_utf8_lossy(metadata);
    let document = parse(&text)?;
    let name = format!("INTERNAL_MASK_FLAGS_{band}");
    let is_named = |item: &Node<'_, '_>| {
        let own = item.attribute("name");
        own.is_some_and(|own| own.eq_ignore_ascii_case(&name))
    };
    let Some(item) = items(&document).find(is_named) else {
        return Ok(None);
    };
    let flags = item.text().unwrap_or_default().trim();
    let number: u8 = flags
        .parse()
        .map_err(|_| wrong(&format!("give {name} as {flags:?}")))?;
    Ok(Some(if number & 2 == 2 { 1 } else { band }))
}

/// Returns the scale and the offset that the file gives for a band.
fn of_band(document: &Document<'_>, band: usize) -> Result<[Option<f64>; 2], DecodeError> {
    let [mut scale, mut offset] = [None; 2];
    for item in items(document) {
        let role = item.attribute("role").unwrap_or_default();
        let place = match &*role.to_ascii_lowercase() {
            "scale" => &mut scale,
            "offset" => &mut offset,
            _ => continue,
        };
        let sample = item.attribute("sample").map(str::trim);
        let of: usize = sample
            .and_then(|sample| sample.parse().ok())
            .ok_or_else(|| wrong(&format!("do not name the band of a {role}")))?;
        if of != band {
            continue;
        }
        let number = item.text().unwrap_or_default().trim();
        let value: f64 = number
            .parse()
            .map_err(|_| wrong(&format!("give the {role} of a band as {number:?}")))?;
        if place.is_some_and(|before: f64| before.to_bits() != value.to_bits()) {
            return Err(wrong(&format!("give two numbers for the {role} of a band")));
        }
        *place = Some(value);
    }
    Ok([scale, offset])
}

/// Returns the items of the metadata.
fn items<'d, 'i>(document: &'d Document<'i>) -> impl Iterator<Item = Node<'d, 'i>> {
    let is_item = |node: &Node<'_, '_>| node.tag_name().name().eq_ignore_ascii_case("Item");
    document.descendants().filter(is_item)
}

/// Returns the error for wrong metadata; `what` is the predicate of its sentence.
fn wrong(what: &str) -> DecodeError {
    let what = printable(what);
    damaged(&format!(
        "GDAL's metadata in it (tag 42112) {what}; correct or remove them with gdal_edit.py"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(items: &str, pick: Pick) -> Result<Option<[f64; 2]>, DecodeError> {
        let text = format!("<GDALMetadata>\n{items}\n</GDALMetadata>\n\0");
        let found = scaling(text.as_bytes(), pick)?;
        Ok(found.map(|scaling| [scaling.scale(), scaling.offset()]))
    }

    const SECOND: &str = r#"<Item name="OFFSET" sample="1" role="offset">-5e2</Item>
        <Item name="SCALE" sample="1" role="SCALE"> 0.1 </Item>
        <Item name="DESCRIPTION" sample="0" role="description">scale &amp; more</Item>"#;

    #[test]
    fn every_band_has_its_own() {
        assert_eq!(one(SECOND, Pick::One(0)), Ok(None));
        assert_eq!(one(SECOND, Pick::One(1)), Ok(Some([0.1, -500.0])));
        let error = one(SECOND, Pick::Luma([0, 1, 2])).expect_err("of one colour");
        assert!(
            error.to_string().contains("scale its colours differently"),
            "{error}"
        );
        let one_more = |n| format!(r#"<Item sample="{n}" role="scale">2</Item>"#);
        let all = [0, 1, 2].map(one_more).concat();
        assert_eq!(one(&all, Pick::Luma([0, 1, 2])), Ok(Some([2.0, 0.0])));
        let none = r#"<Item sample="0" role="scale">1</Item>
            <Item sample="0" role="offset">0</Item><Item name="scale_factor">3</Item>"#;
        assert_eq!(one(none, Pick::One(0)), Ok(None));
    }

    #[test]
    fn what_cannot_be_understood_is_told() {
        for (items, said) in [
            (r#"<Item sample="0" role="scale">0,1</Item>"#, "\"0,1\""),
            (r#"<Item sample="0" role="scale"/>"#, "\"\""),
            (r#"<Item sample="0" role="scale">nan</Item>"#, "NaN"),
            (
                r#"<Item sample="0" role="scale">0</Item>"#,
                "scale 0 and offset 0",
            ),
            (r#"<Item sample="0" role="scale">-0</Item>"#, "scale -0"),
            (r#"<Item sample="0" role="scale">inf</Item>"#, "inf"),
            (r#"<Item sample="0" role="offset">inf</Item>"#, "inf"),
            (r#"<Item sample="0" role="offset">nan</Item>"#, "NaN"),
            (r#"<Item role="scale">2</Item>"#, "do not name the band"),
            (
                r#"<Item sample="x" role="scale">2</Item>"#,
                "do not name the band",
            ),
            (r#"<Item sample="0" role="scale">2"#, "not XML"),
            (
                r#"<Item sample="0" role="scale">2</Item><Item sample="0" role="scale">3</Item>"#,
                "two numbers",
            ),
        ] {
            let error = one(items, Pick::One(0)).expect_err(items).to_string();
            assert!(error.contains(said), "{items}: {error}");
        }
        // Metadata without a scale or offset may be broken.
        assert_eq!(one("<Item name=\"\u{b0}\"", Pick::One(0)), Ok(None));
        assert_eq!(scaling(b"\xff\xfe<", Pick::One(0)), Ok(None));
    }

    /// Deep nesting and entities must not crash the program.
    #[test]
    fn deep_metadata_are_read_or_refused() {
        let deep = "<a role='scale'>".repeat(300_000);
        assert!(scaling(deep.as_bytes(), Pick::One(0)).is_err());
        let dtd = "<!DOCTYPE a [<!ENTITY b \"scale\">]><a>&b;</a>";
        assert!(scaling(dtd.as_bytes(), Pick::One(0)).is_err());
    }
}
