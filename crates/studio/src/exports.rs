//! Downloaded files, byte for byte those that the command line writes.

use crate::engine::Plan;
use crate::error::Refused;
use crate::session::Session;
use crate::settings::{Algorithm, file_name};
use density::{DistRange, FnField, RadiusField};
use export::{Format, Header, Ids, PointWriter, Presence, Preview, PreviewOptions};
use sampler::ALGORITHM_VERSION;
use std::io::Cursor;

/// Ending of the file that the command line's `--preview` writes.
const PREVIEW: &str = "png";

/// Makes the file `name`. The ending names a format of points, or is `png` for a preview.
///
/// # Errors
/// If the name has no known ending, the run is impossible, or the format refuses the points.
pub(crate) fn file(session: &Session, name: &str) -> Result<Vec<u8>, Refused> {
    file_name("file name", name)?;
    let preview = std::path::Path::new(name)
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case(PREVIEW));
    let format = Format::from_path(name);
    if !preview && format.is_none() {
        let problem = "the name must end in .csv or another format's ending, or in .png";
        return Err(Refused::value("file name", name, problem));
    }
    let (plan, found) = session.export()?;
    let header = header(&plan, found.scale);
    let mut bytes = Cursor::new(Vec::new());
    let mut writer: Box<dyn PointWriter<2> + '_> = if let Some(format) = format {
        export::open(format, &mut bytes, &header).map_err(Refused::run)?
    } else {
        Box::new(picture(&plan)?.into_writer(&mut bytes))
    };
    export::write_all(&mut *writer, found.samples).map_err(Refused::run)?;
    drop(writer);
    Ok(bytes.into_inner())
}

fn picture(plan: &Plan) -> Result<Preview, Refused> {
    let options = PreviewOptions {
        y_axis: plan.settings.y_axis(),
        ..PreviewOptions::default()
    };
    let [field] = plan.fields.as_slice() else {
        let range = extent(plan)?;
        // Each layer has its own field, so the preview's background is plain paper.
        let paper = FnField::new(range, 0.0, |_: [f64; 2]| range.hi()).map_err(Refused::run)?;
        let colours: Result<Vec<_>, _> = plan.layers.iter().map(|l| l.rgb().map(Some)).collect();
        let preview = Preview::new(&paper, plan.world, options).map_err(Refused::run)?;
        return Ok(preview.with_layers(&colours?));
    };
    Preview::new(&**field, plan.world, options).map_err(Refused::run)
}

/// Returns the range of all layers' distances.
fn extent(plan: &Plan) -> Result<DistRange, Refused> {
    let ranges = || plan.fields.iter().map(RadiusField::range);
    let lo = ranges().map(|r| r.lo()).fold(f64::INFINITY, f64::min);
    let hi = ranges().map(|r| r.hi()).fold(0.0, f64::max);
    DistRange::new(lo, hi).map_err(Refused::run)
}

fn header(plan: &Plan, scale_factor: f64) -> Header<2> {
    let settings = &plan.settings;
    let mut header = Header::new(
        settings.algorithm.name(),
        ALGORITHM_VERSION,
        settings.seed,
        plan.rule,
        plan.world,
    );
    header.scale_factor = scale_factor;
    header.edges = plan.edges();
    header.y_axis = settings.y_axis();
    // The command line, too, uses the seed for the objects placed at the points.
    header.placing.seed = settings.seed;
    header.columns.ids = match settings.algorithm {
        Algorithm::Scatter => Ids::Hashed,
        Algorithm::Bridson => Ids::Counted,
    };
    if plan.layers.len() > 1 {
        header.columns.layer = Presence::Write;
        header.layers = plan.layers.iter().map(|l| l.name.clone()).collect();
        header.colours = plan.layers.iter().map(|l| l.rgb().ok()).collect();
    }
    header
}
