//! The columns of a file: the one place that knows their names, order, kinds and contents.

use crate::ExportError;
use sampler::{Rule, Sample};
use serde::ser::{Serialize, SerializeMap, SerializeTuple, Serializer};

/// The optional columns, in file order, after `id, x, y, (z,) min_dist, value`.
///
/// A point that has nothing in one of them has an empty field in CSV, `null` in JSON, no
/// attribute in SVG, and -1 in PLY and NPY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// What the ids are, which says how formats without 64-bit integers hold them.
    pub ids: Ids,
    /// `parent`: the `id` of the point around which the point was thrown. Without it, files
    /// made under [`Rule::Parent`] cannot be checked.
    pub parent: Presence,
    /// `rank`: the level of detail, 0 the coarsest.
    pub rank: Presence,
    /// `layer`: the species, from 0.
    pub layer: Presence,
}

impl Columns {
    /// What a file needs so that its points can be checked against `rule`.
    pub fn for_rule(rule: Rule) -> Self {
        Self {
            parent: if rule == Rule::Parent {
                Presence::Write
            } else {
                Presence::Omit
            },
            ..Self::default()
        }
    }
}

/// What the ids of the points are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Numbers up to 2^53, such as places in an order: every format has them as plain numbers
    /// in the one column `id`. JSON and PLY refuse a greater one.
    #[default]
    Counted,
    /// Any 64 bits, such as hashes. CSV, SVG and NPY hold them as before; JSON has them in
    /// quotes, because most of its readers know doubles only; PLY has no 64-bit integers, and
    /// has two columns `id_hi` and `id_lo` of 32 bits each in place of `id`.
    Hashed,
}

/// Whether an optional column is in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It is not.
    #[default]
    Omit,
    /// It is.
    Write,
}

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Id,
    /// In quotes.
    IdText,
    /// The upper 32 bits.
    IdHigh,
    /// The lower 32 bits.
    IdLow,
    Axis(usize),
    MinDist,
    Value,
    Parent,
    /// In quotes.
    ParentText,
    Rank,
    Layer,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    Half,
    Number,
    MaybeId,
    MaybeSmall,
}

/// What one point has in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    Id(u64),
    Half(u32),
    Number(f64),
    MaybeId(Option<u64>),
    MaybeSmall(Option<u32>),
    Text(Option<u64>),
}

impl Column {
    /// The columns of a file with `axes` coordinates, in order.
    pub(crate) fn all(axes: usize, optional: Columns) -> Vec<Self> {
        let mut columns = vec![Self::Id];
        columns.extend((0..axes).map(Self::Axis));
        columns.extend([Self::MinDist, Self::Value]);
        let wanted = [
            (optional.parent, Self::Parent),
            (optional.rank, Self::Rank),
            (optional.layer, Self::Layer),
        ];
        columns.extend(
            wanted
                .into_iter()
                .filter(|(presence, _)| *presence == Presence::Write)
                .map(|(_, column)| column),
        );
        columns
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Id | Self::IdText => "id",
            Self::IdHigh => "id_hi",
            Self::IdLow => "id_lo",
            Self::Axis(axis) => ["x", "y", "z"].get(axis).copied().unwrap_or("w"),
            Self::MinDist => "min_dist",
            Self::Value => "value",
            Self::Parent | Self::ParentText => "parent",
            Self::Rank => "rank",
            Self::Layer => "layer",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Id | Self::IdText => Kind::Id,
            Self::IdHigh | Self::IdLow => Kind::Half,
            Self::Axis(_) | Self::MinDist | Self::Value => Kind::Number,
            Self::Parent | Self::ParentText => Kind::MaybeId,
            Self::Rank | Self::Layer => Kind::MaybeSmall,
        }
    }

    /// A coordinate that the point does not have (z of a flat point) is 0.
    pub(crate) fn cell<const D: usize>(self, sample: &Sample<D>) -> Cell {
        match self {
            Self::Id => Cell::Id(sample.id),
            Self::IdText => Cell::Text(Some(sample.id)),
            Self::IdHigh => Cell::Half((sample.id >> 32) as u32),
            Self::IdLow => Cell::Half(sample.id as u32),
            Self::Axis(axis) => Cell::Number(sample.position.get(axis).copied().unwrap_or(0.0)),
            Self::MinDist => Cell::Number(sample.min_dist),
            Self::Value => Cell::Number(sample.value),
            Self::Parent => Cell::MaybeId(sample.parent),
            Self::ParentText => Cell::Text(sample.parent),
            Self::Rank => Cell::MaybeSmall(sample.rank),
            Self::Layer => Cell::MaybeSmall(sample.layer),
        }
    }
}

/// Two and three dimensions have agreed names for their axes; others are refused.
pub(crate) fn check_dimension<const D: usize>(output: &'static str) -> Result<(), ExportError> {
    if D == 2 || D == 3 {
        return Ok(());
    }
    Err(ExportError::Dimension {
        output,
        dimension: D,
        supported: "2 or 3",
    })
}

/// Up to here every integer is a double.
pub(crate) const DOUBLES: u64 = 1 << 53;

/// `value` when it is at most `limit`, else the error that says so.
pub(crate) fn within(
    output: &'static str,
    column: &'static str,
    value: u64,
    limit: u64,
) -> Result<u64, ExportError> {
    if value <= limit {
        return Ok(value);
    }
    Err(ExportError::IdTooLarge {
        output,
        column,
        value,
        limit,
    })
}

/// Refuses the point when a number of it is not finite: JSON and SVG could not hold it, and the
/// same points must give the same files in every format.
pub(crate) fn check_finite<const D: usize>(
    columns: &[Column],
    sample: &Sample<D>,
) -> Result<(), ExportError> {
    for column in columns {
        if let Cell::Number(value) = column.cell(sample)
            && !value.is_finite()
        {
            return Err(ExportError::NotFinite {
                id: sample.id,
                column: column.name(),
                value,
            });
        }
    }
    Ok(())
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Id(id) => serializer.serialize_u64(id),
            Self::Number(number) => serializer.serialize_f64(number),
            Self::Half(half) => serializer.serialize_u32(half),
            Self::MaybeId(id) => id.serialize(serializer),
            Self::MaybeSmall(number) => number.serialize(serializer),
            Self::Text(Some(id)) => serializer.collect_str(&id),
            Self::Text(None) => serializer.serialize_none(),
        }
    }
}

/// A point as a list of cells.
pub(crate) struct Row<'a, const D: usize>(pub(crate) &'a [Column], pub(crate) &'a Sample<D>);

impl<const D: usize> Serialize for Row<'_, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for column in self.0 {
            tuple.serialize_element(&column.cell(self.1))?;
        }
        tuple.end()
    }
}

/// A point as a map from column names to cells.
pub(crate) struct Object<'a, const D: usize>(pub(crate) &'a [Column], pub(crate) &'a Sample<D>);

impl<const D: usize> Serialize for Object<'_, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for column in self.0 {
            map.serialize_entry(column.name(), &column.cell(self.1))?;
        }
        map.end()
    }
}
