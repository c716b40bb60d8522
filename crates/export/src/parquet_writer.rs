//! Writes Parquet.

use crate::column::{Cell, Column, Entry, Kind, Table, check_dimension};
use crate::instance::Placer;
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use sampler::Sample;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

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

impl<const D: usize, W: Write> std::fmt::Debug for ParquetWriter<D, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter")
            .field("table", &self.table)
            .field("rows", &self.rows.len())
            .finish_non_exhaustive()
    }
}

/// The encoder, its encoded bytes, and the output. They are separate because the encoder requires
/// an output that is `Send`, and `W` need not be.
struct Open<W: Write> {
    encoder: Option<SerializedFileWriter<Shared>>,
    encoded: Shared,
    out: BufWriter<W>,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn to_io(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<const D: usize, W: Write> ParquetWriter<D, W> {
    /// Starts a file about the run of `header`. Buffers its output.
    ///
    /// # Errors
    /// If `D` is neither 2 nor 3.
    pub(crate) fn new(out: W, header: &Header<D>) -> Result<Self, ExportError> {
        check_dimension::<D>(OUTPUT)?;
        let table = Table::new(D, header);
        let placer = Placer::new(header);
        let encoded = Shared::default();
        let encoder = encoder(&table.columns, header, placer.axes::<D>(), encoded.clone())
            .map_err(|source| ExportError::Io {
                output: OUTPUT,
                source,
            })?;
        Ok(Self {
            table,
            placer,
            rows: Vec::new(),
            sink: Sink::new(
                OUTPUT,
                Open {
                    encoder: Some(encoder),
                    encoded,
                    out: BufWriter::new(out),
                },
            ),
        })
    }

    fn group(&mut self) -> Result<(), ExportError> {
        let (table, placer, rows) = (&self.table, &self.placer, &self.rows);
        self.sink.run(|open| open.group(table, placer, rows))?;
        self.rows.clear();
        Ok(())
    }
}

fn encoder<const D: usize>(
    columns: &[Column],
    header: &Header<D>,
    axes: usize,
    encoded: Shared,
) -> io::Result<SerializedFileWriter<Shared>> {
    let kind = if axes == 2 { "Point" } else { "Point Z" };
    let geo = serde_json::json!({
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": [kind], "crs": null}},
    });
    let metadata = vec![
        KeyValue::new("geo".to_owned(), geo.to_string()),
        KeyValue::new("spinney".to_owned(), header.json()?),
    ];
    let properties = WriterProperties::builder()
        .set_created_by(format!("spinney {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(metadata));
    let schema = schema(columns).map_err(to_io)?;
    SerializedFileWriter::new(encoded, schema, Arc::new(properties.build())).map_err(to_io)
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
    fn group<const D: usize>(
        &mut self,
        table: &Table,
        placer: &Placer,
        rows: &[Sample<D>],
    ) -> io::Result<()> {
        if let Some(encoder) = &mut self.encoder {
            encode(encoder, table, placer, rows).map_err(to_io)?;
        }
        self.out.write_all(&self.encoded.take())
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some(encoder) = self.encoder.take() {
            encoder.close().map_err(to_io)?;
        }
        self.out.write_all(&self.encoded.take())?;
        self.out.flush()
    }
}

fn encode<const D: usize>(
    encoder: &mut SerializedFileWriter<Shared>,
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
        let Some(mut writer) = group.next_column()? else {
            break;
        };
        let cells = entries.iter().map(|entry| column.cell(entry));
        match column.kind() {
            Kind::Number | Kind::MaybeNumber => {
                let cells: Vec<Option<f64>> = cells.map(number).collect();
                let levels: Vec<i16> = cells.iter().map(|c| i16::from(c.is_some())).collect();
                let numbers: Vec<f64> = cells.into_iter().flatten().collect();
                writer
                    .typed::<DoubleType>()
                    .write_batch(&numbers, Some(&levels), None)?;
            }
            Kind::Id | Kind::MaybeId => {
                let cells: Vec<Option<u64>> = cells.map(whole).collect();
                let levels: Vec<i16> = cells.iter().map(|c| i16::from(c.is_some())).collect();
                let numbers: Vec<i64> = cells.iter().flatten().map(|n| *n as i64).collect();
                writer
                    .typed::<Int64Type>()
                    .write_batch(&numbers, Some(&levels), None)?;
            }
            Kind::MaybeSmall => {
                let cells: Vec<Option<u64>> = cells.map(whole).collect();
                let levels: Vec<i16> = cells.iter().map(|c| i16::from(c.is_some())).collect();
                let numbers: Vec<i32> = cells.iter().flatten().map(|n| *n as i32).collect();
                writer
                    .typed::<Int32Type>()
                    .write_batch(&numbers, Some(&levels), None)?;
            }
        }
        writer.close()?;
    }
    if let Some(mut writer) = group.next_column()? {
        let axes = placer.axes::<D>();
        let points: Vec<ByteArray> = entries
            .iter()
            .map(|entry| wkb(&placer.place(entry.place())[..axes]).into())
            .collect();
        writer
            .typed::<ByteArrayType>()
            .write_batch(&points, None, None)?;
        writer.close()?;
    }
    group.close()?;
    Ok(())
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
