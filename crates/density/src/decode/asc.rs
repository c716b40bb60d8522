//! Reads ESRI ASCII grids: a header of words and numbers, then the levels row by row from the north
//! (ESRI, "Esri ASCII raster format").

use super::channel::Bands;
use super::format::without_bom;
use super::levels::LevelType;
use super::nodata::NoData;
use super::place::{PixelSteps, RowOrder, StepSource};
use super::raster::Raster;
use super::{DecodeError, ReadOptions};
use crate::diagnostic::{Cell, CellUnit};
use crate::per_pixel::places;

const FORMAT: &str = "ESRI ASCII grid";

/// "No data", unless the header gives another number.
const NO_DATA: &str = "-9999";

/// The words of a header, which may come in any order.
const KEYS: [&[u8]; 10] = [
    b"ncols",
    b"nrows",
    b"xllcorner",
    b"xllcenter",
    b"yllcorner",
    b"yllcenter",
    b"cellsize",
    b"dx",
    b"dy",
    b"nodata_value",
];

/// Returns `true` if a text begins like the header of a grid.
pub(super) fn begins(text: &[u8]) -> bool {
    let word = text.split(u8::is_ascii_whitespace).next();
    word.is_some_and(|word| KEYS.iter().any(|key| key.eq_ignore_ascii_case(word)))
}

pub(super) fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, DecodeError> {
    let mut words = without_bom(bytes)
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .peekable();
    let (mut columns, mut rows) = (None, None);
    let mut position = Position::default();
    let mut no_data = NoData::parse(NO_DATA);
    while let Some(key) = words.next_if(|word| !is_number(word)) {
        let value = text(words.next().ok_or(TRUNCATED)?)?;
        let size = || {
            let number = value.parse::<u32>().ok().filter(|&n| n > 0);
            number.ok_or_else(|| damaged(&format!("its size is {value:?}")))
        };
        match &*key.to_ascii_lowercase() {
            b"ncols" => columns = Some(size()?),
            b"nrows" => rows = Some(size()?),
            b"nodata_value" => {
                let read = NoData::parse(value);
                no_data = Some(read.ok_or_else(|| damaged("its NODATA_value is not a number"))?);
            }
            b"cellsize" => position.cell = [Some(side(value)?); 2],
            b"dx" => position.cell[0] = Some(side(value)?),
            b"dy" => position.cell[1] = Some(side(value)?),
            b"xllcorner" => position.low[0] = Some((corner(value)?, 0.0)),
            b"yllcorner" => position.low[1] = Some((corner(value)?, 0.0)),
            b"xllcenter" => position.low[0] = Some((corner(value)?, 0.5)),
            b"yllcenter" => position.low[1] = Some((corner(value)?, 0.5)),
            other => {
                let other = String::from_utf8_lossy(other);
                return Err(damaged(&format!(
                    "its header has the unknown key {other:?}"
                )));
            }
        }
    }
    let (Some(width), Some(height)) = (columns, rows) else {
        return Err(damaged("its header lacks ncols or nrows"));
    };
    let pixels = u64::from(width) * u64::from(height);
    let level_type = LevelType::Float(64);
    let memory = Raster::bytes([width, height], level_type);
    options.limits.check(width, height, memory)?;
    // Every level takes a digit and a separator.
    if pixels > bytes.len() as u64 / 2 + 1 {
        return Err(TRUNCATED);
    }
    Bands::of_colours(1).pick(&options.channel)?;
    let mut raster = Raster::blank([width, height], level_type)?;
    raster.about.cell = position.cell([width, height]);
    for (x, y) in places([width, height]) {
        let word = text(words.next().ok_or(TRUNCATED)?)?;
        let level: f64 = word.parse().map_err(|_| {
            let place = format!("column {}, row {}", x + 1, y + 1);
            damaged(&format!("{word:?} at {place} is not a number"))
        })?;
        if !no_data.is_some_and(|none| none.is(level)) {
            raster.put(x, y, level);
        }
    }
    if words.next().is_some() {
        return Err(damaged("it has more numbers than its header states"));
    }
    if let Some(steps) = position.steps([width, height]) {
        raster
            .about
            .place(RowOrder::NorthFirst, steps, [width, height]);
    }
    Ok(raster)
}

/// Position of the grid, from its header.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    /// For the lower left cell, along each axis: a coordinate, and its position within the cell, in
    /// cells.
    low: [Option<(f64, f64)>; 2],
    cell: [Option<f64>; 2],
}

impl Position {
    /// Returns the steps of columns and rows, and the corner of the first of `rows`, if the header
    /// gives it.
    fn steps(self, [_, rows]: [u32; 2]) -> Option<PixelSteps> {
        let [width, height] = [self.cell[0]?, self.cell[1]?];
        let [(x, right), (y, up)] = [self.low[0]?, self.low[1]?];
        let steps = PixelSteps::new([width, 0.0], [0.0, -height], StepSource::Header)?;
        Some(steps.through([right, f64::from(rows) - up], [x, y]))
    }

    /// Returns the size of a cell. The header has no unit: a grid that fits on the globe as a
    /// whole, in cells of less than a degree, is taken to be in degrees.
    fn cell(self, cells: [u32; 2]) -> Option<Cell> {
        let size = [self.cell[0]?, self.cell[1]?];
        let on_globe = |axis: usize, most: f64| {
            self.low[axis].is_some_and(|(low, _)| {
                let high = low + size[axis] * f64::from(cells[axis]);
                size[axis] < 1.0 && low >= -most - 1.0 && high <= most + 1.0
            })
        };
        let unit = if on_globe(0, 360.0) && on_globe(1, 90.0) {
            CellUnit::Degrees
        } else {
            CellUnit::Unsaid
        };
        Cell::new(size, unit)
    }
}

fn side(value: &str) -> Result<f64, DecodeError> {
    let number = value.parse::<f64>().ok();
    let number = number.filter(|side| side.is_finite() && *side > 0.0);
    number.ok_or_else(|| damaged(&format!("its cell size is {value:?}")))
}

fn corner(value: &str) -> Result<f64, DecodeError> {
    let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
    number.ok_or_else(|| damaged(&format!("its corner is at {value:?}")))
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: FORMAT };

fn is_number(word: &[u8]) -> bool {
    !word[0].is_ascii_alphabetic() || text(word).is_ok_and(|word| word.parse::<f64>().is_ok())
}

fn text(word: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(word).map_err(|_| damaged("it is not text"))
}

fn damaged(reason: &str) -> DecodeError {
    DecodeError::damaged(FORMAT, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Levels;

    fn read(text: &str) -> Result<Raster, DecodeError> {
        Raster::decode(text.as_bytes(), &ReadOptions::default())
    }

    const GOOD: &str = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n\
                        NODATA_value -1\n1 2.5 -1\n-3e1 NaN 4\n";

    #[test]
    fn a_grid_is_read() {
        for text in [GOOD.to_owned(), GOOD.replace('\n', "\r\n").to_uppercase()] {
            let raster = read(&text).expect("a good grid");
            assert_eq!((raster.width(), raster.height()), (3, 2));
            let row = |y| [0, 1, 2].map(|x| raster.level(x, y));
            assert_eq!(row(0), [Some(1.0), Some(2.5), None]);
            assert_eq!(row(1), [Some(-30.0), None, Some(4.0)]);
            let map = raster.into_map(Levels::Natural).expect("a good map");
            assert_eq!(map.allowed_share(), 4.0 / 6.0);
        }
        let usual = read("ncols 2\nnrows 1\n-9999 7").expect("a good grid");
        assert_eq!([usual.level(0, 0), usual.level(1, 0)], [None, Some(7.0)]);
    }

    #[test]
    fn cells_are_in_degrees_where_they_fit_the_globe() {
        let cell = |from: &str, to: &str| {
            let raster = read(&GOOD.replace(from, to)).expect("a good grid");
            raster.about().cell.map(|cell| (cell.size(), cell.unit()))
        };
        let unsaid = |size| Some((size, CellUnit::Unsaid));
        assert_eq!(cell("cellsize", "cellsize"), unsaid([30.0, 30.0]));
        assert_eq!(cell("cellsize 30", "dx 30\ndy 20"), unsaid([30.0, 20.0]));
        assert_eq!(cell("cellsize 30", "dx 30"), None);
        assert_eq!(cell("cellsize 30", ""), None);
        let small = cell("cellsize 30", "cellsize 0.00028");
        assert_eq!(small, Some(([0.00028; 2], CellUnit::Degrees)));
        let far = "yllcorner 4000000\ncellsize 0.5";
        let far = cell("yllcorner 0\ncellsize 30", far);
        assert_eq!(far, unsaid([0.5, 0.5]), "half metres");
    }

    /// A cell size of 1, which says nothing about a unit, must not hide the position.
    #[test]
    fn a_grid_says_where_it_lies() {
        let ends = |from: &str, to: &str| {
            let raster = read(&GOOD.replace(from, to)).expect("a good grid");
            raster
                .about()
                .place
                .map(|place| (place.bounds().min(), place.bounds().max()))
        };
        assert_eq!(
            ends("cellsize", "cellsize"),
            Some(([0.0, 0.0], [90.0, 60.0]))
        );
        let unit = "yllcorner 4000\ncellsize 1";
        let unit = ends("yllcorner 0\ncellsize 30", unit);
        assert_eq!(unit, Some(([0.0, 4000.0], [3.0, 4002.0])));
        let middle = ends("xllcorner 0\nyllcorner 0", "yllcenter 10\nxllcenter 15");
        assert_eq!(middle, Some(([0.0, -5.0], [90.0, 55.0])));
        assert_eq!(ends("xllcorner 0", ""), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            (&GOOD[..GOOD.len() - 3], "cut short"),
            (&*GOOD.replace("2.5", "2,5"), "\"2,5\" at column 2, row 1"),
            (&*GOOD.replace("NaN 4", "NaN 4 5"), "more numbers"),
            (&*GOOD.replace("nrows 2", ""), "lacks ncols or nrows"),
            (&*GOOD.replace("nrows 2", "nrows 0"), "\"0\""),
            (&*GOOD.replace("nrows 2", "nrows 2000"), "cut short"),
            (&*GOOD.replace("nrows 2", "nrows 4294967295"), "limit"),
            (
                &*GOOD.replace("cellsize", "cell"),
                "its header has the unknown key \"cell\"",
            ),
            (&*GOOD.replace("value -1", "value x"), "NODATA_value"),
            (&*GOOD.replace("xllcorner 0", "xllcorner 5,5"), "\"5,5\""),
            (
                &*GOOD.replace("cellsize 30", "cellsize 0"),
                "its cell size is \"0\"",
            ),
            (
                &*GOOD.replace("cellsize 30", "cellsize 3m"),
                "its cell size is \"3m\"",
            ),
        ] {
            let error = read(text).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
