//! Position and direction of a file's rows and columns on a map.

use super::orientation::Orientation;
use super::raster::Raster;
use super::{DecodeError, ReadOptions, systems};
use crate::Bounds;
use crate::diagnostic::{CellUnit, Footprint};

/// The steps from pixel to pixel on a map: the linear part of a geotransform, and its origin if known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PixelSteps {
    /// Step to the next column, east and north.
    right: [f64; 2],
    /// Step to the next row, east and north.
    down: [f64; 2],
    /// Map position of the outer corner of the first column and row, if known.
    corner: Option<[f64; 2]>,
    source: StepSource,
}

/// Position of an image on a map, from its file: a rectangle of map coordinates, whose `y` runs north. Row 0 of a
/// [`Raster`] is the northern edge.
///
/// See [`About`](super::About).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    bounds: Bounds<2>,
    pixel: [f64; 2],
    unit: CellUnit,
    epsg: Option<u16>,
    is_projected: bool,
    source: StepSource,
}

impl Place {
    /// Returns the position of an image of this size; `None` if the file does not give one, or gives one out of range.
    pub(super) fn new(
        steps: PixelSteps,
        size: [u32; 2],
        unit: CellUnit,
        epsg: Option<u16>,
    ) -> Option<Self> {
        let from = steps.corner?;
        let to = [
            from[0] + f64::from(size[0]) * steps.right[0],
            from[1] + f64::from(size[1]) * steps.down[1],
        ];
        let [min, max] =
            [f64::min, f64::max].map(|pick| [0, 1].map(|a: usize| pick(from[a], to[a])));
        Some(Self {
            bounds: Bounds::new(min, max).ok()?,
            pixel: [steps.right[0].abs(), steps.down[1].abs()],
            unit,
            epsg,
            is_projected: false,
            source: steps.source,
        })
    }

    /// Returns the place between the middles of the outer pixels: that of heights at the corners of cells. `None` for a
    /// single row or column.
    #[must_use]
    pub fn between(self) -> Option<Self> {
        let inward = |corner: [f64; 2], by: f64| [0, 1].map(|a| corner[a] + by * self.pixel[a]);
        let [min, max] = [
            inward(self.bounds.min(), 0.5),
            inward(self.bounds.max(), -0.5),
        ];
        let bounds = Bounds::new(min, max).ok()?;
        Some(Self { bounds, ..self })
    }

    /// Returns the rectangle, map units.
    pub fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    /// Returns a pixel's width and height, map units, as the file gives them.
    pub fn pixel(&self) -> [f64; 2] {
        self.pixel
    }

    /// Returns the map unit. A file without one may well mean degrees: see [`may_be_degrees`](Self::may_be_degrees).
    pub fn unit(&self) -> CellUnit {
        self.unit
    }

    /// Returns the EPSG number of the coordinate system, if the file names one.
    pub fn epsg(&self) -> Option<u16> {
        self.epsg
    }

    /// Returns the coordinate system by authority and code, like `EPSG:32633`, if the file names one.
    pub fn crs(&self) -> Option<String> {
        self.epsg.map(|number| format!("EPSG:{number}"))
    }

    /// Returns `true` if the map units are degrees, or are not given but may be degrees. They may be if all coordinates
    /// are possible longitudes and latitudes, and 100 pixels are less than 5 units.
    pub fn may_be_degrees(&self, [width, height]: [u32; 2]) -> bool {
        match self.unit {
            CellUnit::Degrees => true,
            CellUnit::Metres | CellUnit::Feet | CellUnit::Kilometres => false,
            CellUnit::Unsaid if self.is_projected => false,
            CellUnit::Unsaid => {
                let (min, max, size) = (self.bounds.min(), self.bounds.max(), self.bounds.size());
                let within = |a: usize, most: f64| min[a] >= -most && max[a] <= most;
                let is_fine =
                    size[0] < 0.05 * f64::from(width) && size[1] < 0.05 * f64::from(height);
                within(0, 360.0) && within(1, 90.0) && is_fine
            }
        }
    }
}

impl From<Place> for Footprint {
    fn from(place: Place) -> Self {
        Self {
            bounds: place.bounds,
            crs: place.crs(),
            pixel: place.pixel,
        }
    }
}

/// The source of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepSource {
    /// `ModelPixelScale`, whose numbers are positive where rows run south.
    Scale,
    /// `ModelTransformation`.
    Matrix,
    /// A file beside the image.
    WorldFile,
    /// The header of an ESRI ASCII grid.
    Header,
}

/// The row of a file that is the northern edge, according to the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// Not stated by the file.
    #[default]
    Unsaid,
    /// The first row.
    NorthFirst,
    /// The last row, so the rows were turned.
    SouthFirst,
    /// The last row, because of a negative `ModelPixelScale`: the rows were turned, as the `GeoTIFF` standard requires.
    /// GDAL instead treats the first row of such a file as the northern edge.
    NegativeScale,
}

impl RowOrder {
    /// Returns the name as a summary spells it: which row is the northern one, whatever the source.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsaid => "unsaid",
            Self::NorthFirst => "north-first",
            Self::SouthFirst | Self::NegativeScale => "south-first",
        }
    }
}

/// Rows and columns that drift by less than this over the whole image count as straight, pixels.
const STRAIGHT: f64 = 0.01;

impl PixelSteps {
    pub(super) fn new(right: [f64; 2], down: [f64; 2], source: StepSource) -> Option<Self> {
        let finite = right.iter().chain(&down).all(|step| step.is_finite());
        // A matrix of zeros carries no information.
        let some = |step: [f64; 2]| step != [0.0; 2];
        (finite && some(right) && some(down)).then_some(Self {
            right,
            down,
            corner: None,
            source,
        })
    }

    /// Returns these steps for an image whose pixel position `[column, row]` lies at `place`. Whole numbers are corners
    /// of pixels, halves their middles.
    pub(super) fn through(self, [column, row]: [f64; 2], place: [f64; 2]) -> Self {
        let corner = [0, 1].map(|a| place[a] - column * self.right[a] - row * self.down[a]);
        let corner = Some(corner).filter(|corner| corner.iter().all(|x| x.is_finite()));
        Self { corner, ..self }
    }

    /// Reads a world file: six numbers, one a line. The first four are the step to the next column, east and north, and
    /// the step to the next row. Returns `None` if `text` is not a world file.
    pub(super) fn from_world_file(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let numbers = text.split_ascii_whitespace().map(|word| {
            let number = word.replace(',', ".").parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        });
        let numbers: Vec<f64> = numbers.take(7).collect::<Option<_>>()?;
        let [a, d, b, e, x, y] = numbers[..] else {
            return None;
        };
        // The last two are the middle of the first pixel.
        let steps = Self::new([a, d], [b, e], StepSource::WorldFile)?;
        Some(steps.through([0.5, 0.5], [x, y]))
    }

    /// Returns `true` if the position of the first pixel is known.
    pub(super) fn is_placed(self) -> bool {
        self.corner.is_some()
    }

    /// Returns the length of a pixel along a row and along a column, map units.
    pub(super) fn lengths(self) -> [f64; 2] {
        [self.right, self.down].map(|[x, y]| (x * x + y * y).sqrt())
    }

    /// Returns which row of an image of this size is the northern edge.
    ///
    /// # Errors
    /// When the image is turned or sheared by more than a hundredth of a pixel, or mirrored.
    pub(super) fn rows(self, [width, height]: [u32; 2]) -> Result<RowOrder, DecodeError> {
        let Self {
            right,
            down,
            source,
            ..
        } = self;
        let drifts = |across: f64, along: f64, pixels: u32| {
            across.abs() * f64::from(pixels) > STRAIGHT * along.abs()
        };
        if drifts(right[1], down[1], width) || drifts(down[0], right[0], height) {
            return Err(DecodeError::Turned { right, down });
        }
        if right[0] < 0.0 {
            return Err(DecodeError::Mirrored { right, down });
        }
        Ok(match (down[1] < 0.0, source) {
            (true, _) => RowOrder::NorthFirst,
            (false, StepSource::Scale) => RowOrder::NegativeScale,
            (false, StepSource::Matrix | StepSource::WorldFile | StepSource::Header) => {
                RowOrder::SouthFirst
            }
        })
    }
}

/// Roots of the WKT of geographic systems.
const GEOGRAPHIC: [&str; 5] = [
    "GEOGCS",
    "GEOGCRS",
    "GEOGRAPHICCRS",
    "GEODCRS",
    "GEODETICCRS",
];

/// Roots of the WKT of projected systems.
const PROJECTED: [&str; 3] = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];

/// Returns the EPSG number of a coordinate system, if the last element of its WKT gives it.
fn epsg_of_wkt(text: &str) -> Option<u16> {
    let inside = text.trim_end().strip_suffix(']')?.trim_end();
    let (before, last) = inside.strip_suffix(']')?.rsplit_once('[')?;
    let (authority, code) = last.split_once(',')?;
    let keyword = before.rsplit([',', ' ', '\n', '\t']).next()?;
    let is_named = ["AUTHORITY", "ID"].contains(&&*keyword.to_ascii_uppercase());
    let is_epsg = authority
        .trim()
        .trim_matches('"')
        .eq_ignore_ascii_case("EPSG");
    // An authority further in, as of a unit, ends with more brackets.
    let code = code.trim().trim_matches('"').parse().ok()?;
    (is_named && is_epsg).then_some(code)
}

impl Raster {
    /// Follows the coordinate system of a file beside a grid or an image with a world file, which name none. `text` is
    /// WKT; only geographic and projected systems are followed.
    pub(super) fn follow_system(&mut self, text: &str) {
        let Some(place) = &mut self.about.place else {
            return;
        };
        let (root, _) = text.split_once('[').unwrap_or_default();
        let root = root.trim_start_matches('\u{feff}').trim();
        let root = root.to_ascii_uppercase();
        let is_projected = PROJECTED.contains(&&*root);
        let has_none = place.epsg.is_none()
            && matches!(place.source, StepSource::WorldFile | StepSource::Header);
        if !has_none || !is_projected && !GEOGRAPHIC.contains(&&*root) {
            return;
        }
        place.epsg = epsg_of_wkt(text);
        place.is_projected = is_projected;
        place.unit = match place.unit {
            _ if !is_projected => CellUnit::Degrees,
            // Degrees are a guess from the numbers.
            CellUnit::Degrees | CellUnit::Unsaid => {
                place.epsg.map_or(CellUnit::Unsaid, systems::unit)
            }
            unit => unit,
        };
        let unit = place.unit;
        self.about.cell = self.about.cell.map(|cell| cell.with_unit(unit));
    }

    /// Returns the raster, which has no position on a map yet, with its northern edge in row 0 according to a world
    /// file. Returns it as it is if it is turned on the map and `options` allow that.
    ///
    /// # Errors
    /// When the image is turned, sheared or mirrored on the map; when its orientation tag and `steps` turn it in
    /// different ways; and when memory for the turned rows runs out.
    pub(super) fn placed(
        self,
        steps: PixelSteps,
        options: &ReadOptions,
    ) -> Result<Self, DecodeError> {
        let order = match steps.rows(self.size()) {
            Err(_) if options.may_be_turned => return Ok(self),
            order => order?,
        };
        let turn = match (order, self.about.turn) {
            (RowOrder::NorthFirst | RowOrder::Unsaid, _)
            // Both mean that the rows are stored from below.
            | (_, Some(Orientation::FlipVertical)) => Orientation::NoTransforms,
            (_, None) => Orientation::FlipVertical,
            (_, Some(other)) => {
                return Err(DecodeError::TwoTurns {
                    orientation: other.to_exif(),
                });
            }
        };
        let is_turned = order == RowOrder::NorthFirst && self.about.turn.is_some();
        let mut raster = self.oriented(turn)?;
        let size = raster.size();
        raster.about.place(order, steps, size);
        // Programs disagree on which of the two turns comes first.
        if is_turned {
            raster.about.place = None;
            raster.about.unfollowed = Some("a world file together with an orientation tag");
        }
        Ok(raster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{LevelType, ReadOptions};
    use crate::diagnostic::Cell;

    const SIZE: [u32; 2] = [100, 50];

    fn rows(text: &str) -> Result<RowOrder, DecodeError> {
        let steps = PixelSteps::from_world_file(text).expect("a world file");
        steps.rows(SIZE)
    }

    #[test]
    fn world_files_say_which_edge_is_north() {
        assert_eq!(rows("2\n0\n0\n-2\n0\n0"), Ok(RowOrder::NorthFirst));
        assert_eq!(
            rows("2\r\n0\r\n0\r\n2\r\n7\r\n8\r\n"),
            Ok(RowOrder::SouthFirst)
        );
        assert_eq!(rows("2,5 0 0 -2,5 0 0"), Ok(RowOrder::NorthFirst));
        // A hundredth of a pixel over the whole image.
        assert_eq!(rows("2 1.9e-4 0 -2 0 0"), Ok(RowOrder::NorthFirst));
        assert!(matches!(
            rows("2 3e-4 0 -2 0 0"),
            Err(DecodeError::Turned { .. })
        ));
        assert!(matches!(
            rows("0 2 2 0 0 0"),
            Err(DecodeError::Turned { .. })
        ));
        assert!(matches!(
            rows("-2 0 0 -2 0 0"),
            Err(DecodeError::Mirrored { .. })
        ));
        assert!(matches!(
            rows("-2 0 0 2 0 0"),
            Err(DecodeError::Mirrored { .. })
        ));
    }

    const UTM: &str = "PROJCS[\"UTM 16N\",GEOGCS[\"WGS 84\",AUTHORITY[\"EPSG\",\"4326\"]],\
                       UNIT[\"metre\",1,AUTHORITY[\"EPSG\",\"9001\"]]]";

    /// Returns the unit and system of a small grid beside this `.prj` file, and whether it may be in
    /// degrees.
    fn system(text: &str) -> (CellUnit, Option<u16>, bool) {
        let grid = b"ncols 2\nnrows 1\nxllcorner 9\nyllcorner 50\ncellsize 0.01\n1 2\n";
        let mut raster = Raster::decode(grid, &ReadOptions::default()).expect("a grid");
        raster.follow_system(text);
        let place = raster.about().place.expect("a place");
        assert_eq!(
            raster.about().cell.map(Cell::unit),
            Some(place.unit()),
            "{text}"
        );
        (place.unit(), place.epsg(), place.may_be_degrees([2, 1]))
    }

    #[test]
    fn a_system_beside_a_grid_is_that_of_its_root() {
        let number = |code: &str| {
            let inside = UTM.strip_suffix(']').expect("a root");
            format!("{inside},{code}]")
        };
        for (text, epsg) in [
            (number("AUTHORITY[\"EPSG\",\"32616\"]"), Some(32616)),
            (number(" ID[\"EPSG\", 32616] ") + "\r\n", Some(32616)),
            (number("AUTHORITY[\"ESRI\",\"102003\"]"), None),
            (number("AUTHORITY[\"EPSG\",\"999999\"]"), None),
            // The number of its unit is not that of the system.
            (UTM.to_owned(), None),
            (format!("\u{feff}{UTM}").replace("PROJCS", "projcrs"), None),
        ] {
            let unit = epsg.map_or(CellUnit::Unsaid, |_| CellUnit::Metres);
            assert_eq!(system(&text), (unit, epsg, false), "{text}");
        }
        let geographic = "GEOGCS[\"WGS 84\",DATUM[\"x\"],AUTHORITY[\"EPSG\",\"4326\"]]";
        assert_eq!(system(geographic), (CellUnit::Degrees, Some(4326), true));
        let geographic = "GEOGCRS[\"WGS 84\",DATUM[\"x\"]]";
        assert_eq!(system(geographic), (CellUnit::Degrees, None, true));
        // A projected system holds a BASEGEOGCRS.
        let base = "PROJCRS[\"UTM\",BASEGEOGCRS[\"WGS 84\",ID[\"EPSG\",4326]]]";
        assert_eq!(system(base), (CellUnit::Unsaid, None, false));
        for other in [
            "",
            "Projection UTM\nZone 16\n",
            "LOCAL_CS[\"x\"]",
            "COMPD_CS[\"x\"]",
        ] {
            assert_eq!(system(other), system("no system"), "{other}");
        }
    }

    /// A `GeoTIFF` names its own system, or none.
    #[test]
    fn a_system_beside_an_image_without_a_world_file_is_not_followed() {
        let mut raster = Raster::blank([2, 1], LevelType::Unsigned(8)).expect("a raster");
        let steps = PixelSteps::new([1.0, 0.0], [0.0, -1.0], StepSource::Scale).expect("steps");
        let steps = steps.through([0.0, 0.0], [0.0, 0.0]);
        raster.about.place(RowOrder::NorthFirst, steps, [2, 1]);
        raster.follow_system("GEOGCS[\"x\"]");
        assert_eq!(
            raster.about().place.map(|place| place.unit()),
            Some(CellUnit::Unsaid)
        );
    }

    #[test]
    fn other_files_are_no_world_files() {
        for text in [
            "",
            "1 0 0 -1 0",
            "1 0 0 -1 0 0 0",
            "1 0 0 x 0 0",
            "30 by 30",
            "nan 0 0 -1 0 0",
            "0 0 0 0 0 0",
            "#VRML V2.0 utf8",
        ] {
            assert_eq!(PixelSteps::from_world_file(text), None, "{text}");
        }
    }
}
