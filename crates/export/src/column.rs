//! The columns of a file: their names, order, types and contents.

use crate::placing::Placed;
use crate::{Columns, ExportError, Header, Ids, Placing, Presence, Turn};
use sampler::Sample;
use serde::ser::{Serialize, SerializeMap, SerializeTuple, Serializer};

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Id,
    Axis(usize),
    MinDist,
    Value,
    Parent,
    Rank,
    Layer,
    Rotation,
    Scale,
    Height,
    Normal(usize),
    Slope,
}

/// The type of a column. `Maybe` types can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    Number,
    MaybeId,
    MaybeSmall,
    MaybeNumber,
}

/// The content of one column for one point; `None` if the point has nothing there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    Whole(Option<u64>),
    Number(Option<f64>),
}

impl Cell {
    pub(crate) fn is_empty(self) -> bool {
        matches!(self, Self::Whole(None) | Self::Number(None))
    }
}

impl Column {
    /// Returns the columns of a file with `axes` coordinates, in order.
    fn all(axes: usize, optional: Columns, placing: &Placing) -> Vec<Self> {
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
        if placing.turn != Turn::Keep {
            columns.push(Self::Rotation);
        }
        if placing.scale.is_some() {
            columns.push(Self::Scale);
        }
        if placing.ground.is_some() {
            columns.push(Self::Height);
            columns.extend((0..3).map(Self::Normal));
            columns.push(Self::Slope);
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
            Self::Rank => "rank",
            Self::Layer => "layer",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Height => "height",
            Self::Normal(axis) => ["normal_x", "normal_y", "normal_z"]
                .get(axis)
                .copied()
                .unwrap_or("normal_w"),
            Self::Slope => "slope",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Id => Kind::Id,
            Self::Axis(_) | Self::MinDist | Self::Value | Self::Rotation | Self::Scale => {
                Kind::Number
            }
            Self::Height | Self::Normal(_) | Self::Slope => Kind::MaybeNumber,
            Self::Parent => Kind::MaybeId,
            Self::Rank | Self::Layer => Kind::MaybeSmall,
        }
    }

    /// Returns the content of the column for a point. The z of a flat point is the height of its
    /// ground, or 0.
    pub(crate) fn cell<const D: usize>(self, entry: &Entry<'_, D>) -> Cell {
        let Entry { sample, placed } = entry;
        let footing = placed.footing;
        let small = |number: Option<u32>| Cell::Whole(number.map(u64::from));
        match self {
            Self::Id => Cell::Whole(Some(sample.id)),
            Self::Axis(axis) => Cell::Number(Some(entry.axis(axis))),
            Self::MinDist => Cell::Number(Some(sample.min_dist)),
            Self::Value => Cell::Number(Some(sample.value)),
            Self::Parent => Cell::Whole(sample.parent),
            Self::Rank => small(sample.rank),
            Self::Layer => small(sample.layer),
            Self::Rotation => Cell::Number(Some(placed.turn)),
            Self::Scale => Cell::Number(Some(placed.scale)),
            Self::Height => Cell::Number(footing.map(|f| f.height)),
            Self::Normal(axis) => Cell::Number(footing.and_then(|f| f.normal.get(axis).copied())),
            Self::Slope => Cell::Number(footing.map(|f| f.slope)),
        }
    }
}

/// Refuses dimensions other than 2 and 3: only these have agreed names for their axes.
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

/// All integers up to this one are exact doubles.
pub(crate) const MAX_EXACT_DOUBLE: u64 = 1 << 53;

/// Returns `value`.
///
/// # Errors
/// If `value` is above `limit`.
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

/// A point with its transform and footing.
pub(crate) struct Entry<'a, const D: usize> {
    pub(crate) sample: &'a Sample<D>,
    pub(crate) placed: Placed,
}

impl<const D: usize> Entry<'_, D> {
    fn axis(&self, axis: usize) -> f64 {
        let own = self.sample.position.get(axis).copied();
        let ground = || self.placed.footing.filter(|_| axis == 2);
        own.or_else(|| ground().map(|f| f.height)).unwrap_or(0.0)
    }

    /// Returns all three coordinates.
    pub(crate) fn place(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| self.axis(k))
    }
}

/// The columns of a file, with the placing that some of them are computed from.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) ids: Ids,
    placing: Placing,
}

impl Table {
    /// Creates the table of a file with `axes` coordinates.
    pub(crate) fn new<const D: usize>(axes: usize, header: &Header<D>) -> Self {
        Self {
            columns: Column::all(axes, header.columns, &header.placing),
            ids: header.columns.ids,
            placing: header.placing.clone(),
        }
    }

    /// Computes the point's transform and footing. Refuses the point if one of its numbers is not
    /// finite: JSON and SVG cannot hold it, and a point must be accepted in all formats or in none.
    pub(crate) fn entry<'a, const D: usize>(
        &self,
        sample: &'a Sample<D>,
    ) -> Result<Entry<'a, D>, ExportError> {
        let placed = self.placing.placed(sample);
        let entry = Entry { sample, placed };
        for column in &self.columns {
            if let Cell::Number(Some(value)) = column.cell(&entry)
                && !value.is_finite()
            {
                return Err(ExportError::NotFinite {
                    id: sample.id,
                    column: column.name(),
                    value,
                });
            }
        }
        Ok(entry)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(number) => number.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
        }
    }
}

/// A point as a list of cells.
pub(crate) struct Row<'a, const D: usize>(pub(crate) &'a [Column], pub(crate) &'a Entry<'a, D>);

impl<const D: usize> Serialize for Row<'_, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for column in self.0 {
            tuple.serialize_element(&column.cell(self.1))?;
        }
        tuple.end()
    }
}

/// A point as a map from column names to cells, with hashed ids in quotes.
pub(crate) struct Object<'a, const D: usize>(pub(crate) &'a Table, pub(crate) &'a Entry<'a, D>);

impl<const D: usize> Serialize for Object<'_, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table, entry) = self;
        let mut map = serializer.serialize_map(Some(table.columns.len()))?;
        for column in &table.columns {
            let is_quoted =
                table.ids == Ids::Hashed && matches!(column, Column::Id | Column::Parent);
            match column.cell(entry) {
                Cell::Whole(Some(id)) if is_quoted => {
                    map.serialize_entry(column.name(), &format_args!("{id}"))?;
                }
                cell => map.serialize_entry(column.name(), &cell)?,
            }
        }
        map.end()
    }
}
