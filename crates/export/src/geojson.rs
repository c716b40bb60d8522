//! Writes `GeoJSON`.

use crate::column::{Column, Object, Table};
use crate::instance::Placer;
use crate::text::{self, Text};
use crate::{ExportError, Header, json};
use density::YAxis;

const OUTPUT: &str = "GeoJSON";

/// Returns the text of [`Format::GeoJson`](crate::Format::GeoJson).
pub(crate) fn text<const D: usize>(header: &Header<D>) -> Result<Text<D>, ExportError> {
    let mut table = Table::new(D, header);
    table
        .columns
        .retain(|column| !matches!(column, Column::Axis(_)));
    let placer = Placer::new(header);
    Ok(Text {
        head: format!(
            "{{\"type\":\"FeatureCollection\",\n\"spinney\":{},\n{}\"features\":[",
            header.json(OUTPUT)?,
            crs(header).unwrap_or_default()
        ),
        before: ["\n", ",\n"],
        point: Box::new(move |sample, out| {
            let place = placer.instance(sample)?.place;
            json::check_ids(OUTPUT, table.ids, sample)?;
            let entry = table.entry(sample)?;
            out.extend_from_slice(
                b"{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":",
            );
            text::json(OUTPUT, &place[..placer.axes::<D>()], out)?;
            out.extend_from_slice(b"},\"properties\":");
            text::json(OUTPUT, &Object(&table, &entry), out)?;
            out.push(b'}');
            Ok(())
        }),
        tail: "\n]}\n",
    })
}

/// Returns the member `crs` of the `GeoJSON` of 2008, if positions are in a system with an EPSG code. With y
/// downwards they are not, as north is -y.
fn crs<const D: usize>(header: &Header<D>) -> Option<String> {
    let code = header.crs.as_deref()?.strip_prefix("EPSG:")?;
    let code: u32 = code.parse().ok()?;
    let name = format!("urn:ogc:def:crs:EPSG::{code}");
    (header.y_axis == YAxis::Up)
        .then(|| format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"{name}\"}}}},\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use density::Bounds;
    use sampler::Rule;

    #[test]
    fn only_positions_in_a_system_with_a_code_name_it() {
        let domain = Bounds::from_size([4.0, 3.0]).expect("a good box");
        let named = |system: &str, y_axis| {
            let mut header = Header::new("scatter", 1, 0, Rule::Max, domain);
            header.crs = Some(system.to_owned());
            header.y_axis = y_axis;
            crs(&header)
        };
        let member = named("EPSG:32633", YAxis::Up).expect("a member");
        assert!(
            member.contains("\"urn:ogc:def:crs:EPSG::32633\""),
            "{member}"
        );
        assert_eq!(named("EPSG:32633", YAxis::Down), None);
        assert_eq!(named("EPSG:one", YAxis::Up), None);
        assert_eq!(named("ESRI:102003", YAxis::Up), None);
    }
}
