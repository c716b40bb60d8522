//! How the rows and columns of a file lie on a map.

use super::DecodeError;
use super::orientation::Orientation;
use super::raster::Raster;

/// Which way the rows and columns of a file run on a map: the first two columns of a geotransform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelSteps {
    /// How far the next column lies to the east and to the north.
    right: [f64; 2],
    /// How far the next row lies to the east and to the north.
    down: [f64; 2],
    said_by: SaidBy,
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
            said_by,
        })
    }

    /// Reads a world file: six numbers, one a line, of which the first four are how far the next
    /// column lies to the east and to the north, and the next row. `None` where it is no such
    /// file.
    ///
    /// ```
    /// use spinney_density::PixelSteps;
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
        let [a, d, b, e, _, _] = numbers[..] else {
            return None;
        };
        Self::new([a, d], [b, e], SaidBy::WorldFile)
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
            (false, SaidBy::Matrix | SaidBy::WorldFile) => RowOrder::SouthFirst,
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
        let turn = match (order, self.turn()) {
            (RowOrder::NorthFirst | RowOrder::Unsaid, _)
            // Both say that the rows are stored from below.
            | (_, Orientation::FlipVertical) => Orientation::NoTransforms,
            (_, Orientation::NoTransforms) => Orientation::FlipVertical,
            (_, other) => {
                return Err(DecodeError::TwoTurns {
                    orientation: other.to_exif(),
                });
            }
        };
        Ok(self.oriented(turn)?.with_rows(order, steps))
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
