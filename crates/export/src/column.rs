//! The columns of a file: the one place that knows their names, order, kinds and contents.

use crate::ExportError;
use sampler::{Rule, Sample};
use serde::ser::{Serialize, SerializeMap, SerializeTuple, Serializer};

/// The optional columns, in file order, after `id, x, y, (z,) min_dist, value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// `parent`: the `id` of the point around which the point was thrown. Without it, files
    /// made under [`Rule::Parent`] cannot be checked. A point without parent has an empty
    /// field in CSV, `null` in JSON, no attribute in SVG, and -1 in PLY and NPY.
    pub parent: Presence,
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
        }
    }
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
    Axis(usize),
    MinDist,
    Value,
    Parent,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    Number,
    MaybeId,
}

/// What one point has in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    Id(u64),
    Number(f64),
    MaybeId(Option<u64>),
}

impl Column {
    /// The columns of a file with `axes` coordinates, in order.
    pub(crate) fn all(axes: usize, optional: Columns) -> Vec<Self> {
        let mut columns = vec![Self::Id];
        columns.extend((0..axes).map(Self::Axis));
        columns.extend([Self::MinDist, Self::Value]);
        if optional.parent == Presence::Write {
            columns.push(Self::Parent);
        }
        columns
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Axis(axis) => ["x", "y", "z"].get(axis).copied().unwrap_or("w"),
            Self::MinDist => "min_dist",
            Self::Value => "value",
            Self::Parent => "parent",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Id => Kind::Id,
            Self::Axis(_) | Self::MinDist | Self::Value => Kind::Number,
            Self::Parent => Kind::MaybeId,
        }
    }

    /// A coordinate that the point does not have (z of a flat point) is 0.
    pub(crate) fn cell<const D: usize>(self, sample: &Sample<D>) -> Cell {
        match self {
            Self::Id => Cell::Id(sample.id),
            Self::Axis(axis) => Cell::Number(sample.position.get(axis).copied().unwrap_or(0.0)),
            Self::MinDist => Cell::Number(sample.min_dist),
            Self::Value => Cell::Number(sample.value),
            Self::Parent => Cell::MaybeId(sample.parent),
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
            Self::MaybeId(id) => id.serialize(serializer),
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
