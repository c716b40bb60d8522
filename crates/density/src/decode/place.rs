//! How the rows and columns of a file lie on a map.

use super::DecodeError;
use super::orientation::Orientation;
use super::raster::Raster;
use crate::Bounds;
use crate::diagnostic::CellUnit;

/// Which way the rows and columns of a file run on a map: the first two columns of a geotransform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelSteps {
    /// How far the next column lies to the east and to the north.
    right: [f64; 2],
    /// How far the next row lies to the east and to the north.
    down: [f64; 2],
    /// Where the first column and row begin, if that is said.
    corner: Option<[f64; 2]>,
    said_by: SaidBy,
}

/// Where an image lies on a map, as its file says: a rectangle of map coordinates, whose `y` runs
/// north. Row 0 of a [`Raster`] is its northern edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    bounds: Bounds<2>,
    pixel: [f64; 2],
    unit: CellUnit,
    epsg: Option<u16>,
}

impl Place {
    /// The place of an image of this size; `None` where the file does not say it, or says what cannot
    /// be computed with.
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
        })
    }

    /// The rectangle, map units.
    pub fn bounds(&self) -> Bounds<2> {
        self.bounds
    }

    /// A pixel's width and height, map units: the numbers of the file.
    pub fn pixel(&self) -> [f64; 2] {
        self.pixel
    }

    /// What map units are. A file that does not say it may well mean degrees: see
    /// [`may_be_degrees`](Self::may_be_degrees).
    pub fn unit(&self) -> CellUnit {
        self.unit
    }

    /// The number of the coordinate system among those of EPSG, where the file names one.
    pub fn epsg(&self) -> Option<u16> {
        self.epsg
    }

    /// The coordinate system by authority and code, like `EPSG:32633`, where the file names one.
    pub fn crs(&self) -> Option<String> {
        self.epsg.map(|number| format!("EPSG:{number}"))
    }

    /// Returns `true` if the map units are degrees, or not said and such that they may be: longitudes
    /// and latitudes, and an image no more than a few degrees a hundred pixels wide.
    pub fn may_be_degrees(&self, [width, height]: [u32; 2]) -> bool {
        match self.unit {
            CellUnit::Degrees => true,
            CellUnit::Metres | CellUnit::Feet | CellUnit::Kilometres => false,
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

/// Where a file says how its rows and columns lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaidBy {
    /// `ModelPixelScale`, whose numbers are positive where rows run south.
    Scale,
    /// `ModelTransformation`.
    Matrix,
    /// A file beside the image.
    WorldFile,
    /// The header of an ESRI ASCII grid.
    Header,
}

/// Which row of a file is the northern edge, by what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// The file does not say.
    #[default]
    Unsaid,
    /// The first.
    NorthFirst,
    /// The last, so that the rows were turned.
    SouthFirst,
    /// The last, by a negative `ModelPixelScale`: the rows were turned, as the `GeoTIFF` standard
    /// asks for. GDAL takes such a file for one whose northern edge is first.
    NegativeScale,
}

impl RowOrder {
    /// The name as a summary spells it: which row is the northern one, however the file says so.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsaid => "unsaid",
            Self::NorthFirst => "north-first",
            Self::SouthFirst | Self::NegativeScale => "south-first",
        }
    }
}

/// Rows and columns that drift by less than this over the whole image are not turned, pixels.
const STRAIGHT: f64 = 0.01;

impl PixelSteps {
    pub(super) fn new(right: [f64; 2], down: [f64; 2], said_by: SaidBy) -> Option<Self> {
        let finite = right.iter().chain(&down).all(|step| step.is_finite());
        // A matrix of zeros says nothing.
        let some = |step: [f64; 2]| step != [0.0; 2];
        (finite && some(right) && some(down)).then_some(Self {
            right,
            down,
            corner: None,
            said_by,
        })
    }

    /// The same of an image whose first column and row begin at `corner`.
    pub(super) fn cornered_at(self, corner: [f64; 2]) -> Self {
        let corner = Some(corner).filter(|corner| corner.iter().all(|x| x.is_finite()));
        Self { corner, ..self }
    }

    /// The same of an image whose pixel at these columns and rows (whole numbers are corners, halves
    /// the middles of pixels) lies at `place`.
    pub(super) fn through(self, [column, row]: [f64; 2], place: [f64; 2]) -> Self {
        let back = |a: usize| place[a] - column * self.right[a] - row * self.down[a];
        self.cornered_at([back(0), back(1)])
    }

    /// Reads a world file: six numbers, one a line, of which the first four are how far the next
    /// column lies to the east and to the north, and the next row. `None` where it is no such
    /// file.
    ///
    /// ```
    /// use spinney_density::decode::PixelSteps;
    ///
    /// let north_up = PixelSteps::from_world_file("30.0\n0.0\n0.0\n-30.0\n500015.0\n4999985.0\n");
    /// assert_eq!(north_up.map(PixelSteps::lengths), Some([30.0, 30.0]));
    /// assert_eq!(PixelSteps::from_world_file("30 by 30"), None);
    /// ```
    pub fn from_world_file(text: &str) -> Option<Self> {
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
        let steps = Self::new([a, d], [b, e], SaidBy::WorldFile)?;
        Some(steps.through([0.5, 0.5], [x, y]))
    }

    /// Returns `true` if it is said where the first pixel lies.
    pub(super) fn is_placed(self) -> bool {
        self.corner.is_some()
    }

    /// How long a pixel is along a row and along a column, map units.
    pub fn lengths(self) -> [f64; 2] {
        [self.right, self.down].map(|[x, y]| (x * x + y * y).sqrt())
    }

    /// Which row of an image of this size is the northern edge.
    ///
    /// # Errors
    /// When it is turned or sheared by more than a hundredth of a pixel, or mirrored.
    pub(super) fn rows(self, [width, height]: [u32; 2]) -> Result<RowOrder, DecodeError> {
        let Self {
            right,
            down,
            said_by,
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
        Ok(match (down[1] < 0.0, said_by) {
            (true, _) => RowOrder::NorthFirst,
            (false, SaidBy::Scale) => RowOrder::NegativeScale,
            (false, SaidBy::Matrix | SaidBy::WorldFile | SaidBy::Header) => RowOrder::SouthFirst,
        })
    }
}

impl Raster {
    /// The same raster with its northern edge in row 0. Nothing is changed where the file itself
    /// says how it lies on a map.
    ///
    /// # Errors
    /// When the image is turned, sheared or mirrored on the map, when its orientation tag and
    /// `steps` turn it in different ways, and without the memory for the turned rows.
    pub fn placed(self, steps: PixelSteps) -> Result<Self, DecodeError> {
        if self.row_order() != RowOrder::Unsaid {
            return Ok(self);
        }
        let order = steps.rows([self.width(), self.height()])?;
        let turn = match (order, self.about.turn) {
            (RowOrder::NorthFirst | RowOrder::Unsaid, _)
            // Both say that the rows are stored from below.
            | (_, Some(Orientation::FlipVertical)) => Orientation::NoTransforms,
            (_, None) => Orientation::FlipVertical,
            (_, Some(other)) => {
                return Err(DecodeError::TwoTurns {
                    orientation: other.to_exif(),
                });
            }
        };
        let is_turned = order == RowOrder::NorthFirst && self.about.turn.is_some();
        let mut raster = self.oriented(turn)?.with_rows(order, steps);
        // Programs do not agree on which of both comes first.
        if is_turned {
            raster.about.place = None;
            raster.about.unfollowed = Some("a world file, beside an orientation tag that turns it");
        }
        Ok(raster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn other_files_are_no_world_files() {
        for text in [
            "",
            "1 0 0 -1 0",
            "1 0 0 -1 0 0 0",
            "1 0 0 x 0 0",
            "nan 0 0 -1 0 0",
            "0 0 0 0 0 0",
            "#VRML V2.0 utf8",
        ] {
            assert_eq!(PixelSteps::from_world_file(text), None, "{text}");
        }
    }
}
