//! Writes Parquet.

use crate::column::{Cell, Column, Entry, Kind, Table};
use crate::instance::Placer;
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use sampler::Sample;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

const OUTPUT: &str = "Parquet";

/// Number of points in a row group, all held in memory.
const ROWS: usize = 65_536;

/// The writer of [`Format::Parquet`](crate::Format::Parquet).
pub(crate) struct ParquetWriter<const D: usize, W: Write> {
    table: Table,
    placer: Placer,
    rows: Vec<Sample<D>>,
    sink: Sink<Open<W>>,
}

/// The encoder, whose bytes are passed on after each group, and the output. They are separate because
/// the encoder requires an output that is `Send`, and `W` need not be.
struct Open<W: Write> {
    encoder: Encoder,
    out: BufWriter<W>,
}

type Encoder = SerializedFileWriter<Vec<u8>>;

fn to_io(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<const D: usize, W: Write> ParquetWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        let table = Table::new(D, header);
        let placer = Placer::new(header);
        let run = header.json(OUTPUT)?;
        let encoder = encoder(&table.columns, run, placer.axes::<D>());
        let encoder = encoder.map_err(|e| ExportError::io(OUTPUT, to_io(e)))?;
        let open = Open {
            encoder,
            out: BufWriter::new(out),
        };
        Ok(Self {
            table,
            placer,
            rows: Vec::new(),
            sink: Sink::new(OUTPUT, open),
        })
    }

    fn group(&mut self) -> Result<(), ExportError> {
        let (table, placer, rows) = (&self.table, &self.placer, &self.rows);
        self.sink.run(|open| {
            encode(&mut open.encoder, table, placer, rows).map_err(to_io)?;
            open.pass_on()
        })?;
        self.rows.clear();
        Ok(())
    }
}

fn encoder(columns: &[Column], run: String, axes: usize) -> Result<Encoder, ParquetError> {
    let kind = if axes == 2 { "Point" } else { "Point Z" };
    let geo = serde_json::json!({
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": [kind], "crs": null}},
    });
    let metadata = vec![
        KeyValue::new("geo".to_owned(), geo.to_string()),
        KeyValue::new("spinney".to_owned(), run),
    ];
    let properties = WriterProperties::builder()
        .set_created_by(format!("spinney {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(metadata));
    SerializedFileWriter::new(Vec::new(), schema(columns)?, Arc::new(properties.build()))
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |name: &str, physical, logical, repetition| {
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    };
    let unsigned = |bits| Some(LogicalType::integer(bits, false));
    let mut fields = Vec::new();
    for column in columns {
        let (physical, logical, repetition) = match column.kind() {
            Kind::Id => (Physical::INT64, unsigned(64), Repetition::REQUIRED),
            Kind::Number => (Physical::DOUBLE, None, Repetition::REQUIRED),
            Kind::MaybeNumber => (Physical::DOUBLE, None, Repetition::OPTIONAL),
            Kind::MaybeId => (Physical::INT64, unsigned(64), Repetition::OPTIONAL),
            Kind::MaybeSmall => (Physical::INT32, unsigned(32), Repetition::OPTIONAL),
        };
        fields.push(field(column.name(), physical, logical, repetition)?);
    }
    let wkb = field("geometry", Physical::BYTE_ARRAY, None, Repetition::REQUIRED);
    fields.push(wkb?);
    let schema = Type::group_type_builder("points").with_fields(fields);
    schema.build().map(Arc::new)
}

impl<W: Write> Open<W> {
    fn pass_on(&mut self) -> io::Result<()> {
        self.out
            .write_all(&std::mem::take(self.encoder.inner_mut()))
    }

    fn close(&mut self) -> io::Result<()> {
        self.encoder.finish().map_err(to_io)?;
        self.pass_on()?;
        self.out.flush()
    }
}

fn encode<const D: usize>(
    encoder: &mut Encoder,
    table: &Table,
    placer: &Placer,
    rows: &[Sample<D>],
) -> Result<(), ParquetError> {
    // Rows were checked when they were added, so none is lost here.
    let entries: Vec<Entry<'_, D>> = rows
        .iter()
        .filter_map(|row| table.entry(row).ok())
        .collect();
    let mut group = encoder.next_row_group()?;
    for column in &table.columns {
        let Some(writer) = group.next_column()? else {
            break;
        };
        let cells = entries.iter().map(|entry| column.cell(entry));
        match column.kind() {
            Kind::Number | Kind::MaybeNumber => fill::<DoubleType>(writer, cells.map(number))?,
            Kind::Id | Kind::MaybeId => {
                let cells = cells.map(|cell| whole(cell).map(|id| id as i64));
                fill::<Int64Type>(writer, cells)?;
            }
            Kind::MaybeSmall => {
                let cells = cells.map(|cell| whole(cell).map(|number| number as i32));
                fill::<Int32Type>(writer, cells)?;
            }
        }
    }
    if let Some(writer) = group.next_column()? {
        let axes = placer.axes::<D>();
        let points = entries
            .iter()
            .map(|entry| Some(wkb(&placer.place(entry.place())[..axes]).into()));
        fill::<ByteArrayType>(writer, points)?;
    }
    group.close()?;
    Ok(())
}

/// Writes all cells of a column.
fn fill<T: DataType>(
    mut writer: SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = cells.collect();
    let levels: Vec<i16> = cells.iter().map(|c| i16::from(c.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    writer
        .typed::<T>()
        .write_batch(&values, Some(&levels), None)?;
    writer.close()
}

fn number(cell: Cell) -> Option<f64> {
    match cell {
        Cell::Number(number) => number,
        Cell::Whole(_) => None,
    }
}

fn whole(cell: Cell) -> Option<u64> {
    match cell {
        Cell::Whole(number) => number,
        Cell::Number(_) => None,
    }
}

/// Returns a point as well-known binary, little-endian (ISO 13249-3).
fn wkb(place: &[f64]) -> Vec<u8> {
    let kind: u32 = if place.len() == 2 { 1 } else { 1001 };
    let mut bytes = vec![1];
    bytes.extend_from_slice(&kind.to_le_bytes());
    for coordinate in place {
        bytes.extend_from_slice(&coordinate.to_le_bytes());
    }
    bytes
}

impl<const D: usize, W: Write> PointWriter<D> for ParquetWriter<D, W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        self.sink.run(|_| Ok(()))?;
        self.table.entry(sample)?;
        self.rows.push(*sample);
        if self.rows.len() == ROWS {
            self.group()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        if !self.rows.is_empty() {
            self.group()?;
        }
        self.sink.run_last(Open::close)
    }
}
