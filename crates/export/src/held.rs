//! Files that are written at the end, from points held in memory.

use crate::colour;
use crate::instance::{Instance, Place, Placer};
use crate::sink::Sink;
use crate::{ExportError, Header, PointWriter};
use sampler::Sample;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

/// A file that is written after its last point was added.
pub(crate) struct HeldFile<W: Write> {
    held: Held,
    sink: Sink<BufWriter<W>>,
    write: WriteHeld<W>,
}

/// A function that writes a whole file.
type WriteHeld<W> = fn(&mut BufWriter<W>, &Held) -> io::Result<()>;

impl<W: Write> HeldFile<W> {
    /// Creates a file of at most `most` points. `write` writes it at the end.
    pub(crate) fn new<const D: usize>(
        output: &'static str,
        out: W,
        header: &Header<D>,
        most: usize,
        write: WriteHeld<W>,
    ) -> Result<Self, ExportError> {
        let json = header.json(output)?;
        Ok(Self {
            held: Held::new(output, header, json, most),
            sink: Sink::new(output, BufWriter::new(out)),
            write,
        })
    }
}

impl<const D: usize, W: Write> PointWriter<D> for HeldFile<W> {
    fn write(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        self.sink.run(|_| Ok(()))?;
        self.held.add(sample)
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.sink.run_last(|out| {
            (self.write)(out, &self.held)?;
            out.flush()
        })
    }
}

/// Returns a place in axes with y up and z south, as in glTF and Godot.
pub(crate) fn y_up([east, north, up]: Place) -> [f64; 3] {
    [east, up, 0.0 - north]
}

/// Writes items with commas between them.
pub(crate) fn list<T: Display>(
    out: &mut impl Write,
    items: impl Iterator<Item = T>,
) -> io::Result<()> {
    for (i, item) in items.enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(out, "{comma}{item}")?;
    }
    Ok(())
}

/// All instances of a file, for formats with one array per property.
///
/// Positions are relative to a pivot in the middle of the domain, or of the window: their 32-bit floats
/// are almost as precise far from the world's origin as near it. The pivot is rounded to 32 bits, which adds up to
/// 2^-24 of the coordinates to a position. Every format stores the pivot, so that the files of several windows fit
/// together.
#[derive(Debug)]
pub(crate) struct Held {
    output: &'static str,
    /// The metadata of the run as JSON.
    pub(crate) json: String,
    /// The metadata of the run as lines `name value`.
    pub(crate) lines: Vec<String>,
    placer: Placer,
    pivot: Place,
    layers: BTreeMap<u32, Vec<Instance>>,
    names: Vec<String>,
    colours: Vec<Option<[u8; 3]>>,
    count: usize,
    most: usize,
}

impl Held {
    fn new<const D: usize>(
        output: &'static str,
        header: &Header<D>,
        json: String,
        most: usize,
    ) -> Self {
        let placer = Placer::new(header);
        let [low, high] = placer.corners(&header.part());
        // The pivot is rounded to 32 bits, for readers that have no more.
        let pivot = [0, 1, 2].map(|k| {
            let middle = (low[k] * 0.5 + high[k] * 0.5) as f32;
            if middle.is_finite() {
                f64::from(middle)
            } else {
                0.0
            }
        });
        Self {
            output,
            json,
            lines: header.lines(),
            placer,
            pivot,
            layers: BTreeMap::new(),
            names: header.layers.clone(),
            colours: header.colours.clone(),
            count: 0,
            most,
        }
    }

    /// Adds a point.
    fn add<const D: usize>(&mut self, sample: &Sample<D>) -> Result<(), ExportError> {
        let output = self.output;
        let mut instance = self.placer.instance(sample)?;
        if self.count == self.most {
            return Err(ExportError::TooManyPoints {
                output,
                limit: self.most,
            });
        }
        instance.place = [0, 1, 2].map(|k| instance.place[k] - self.pivot[k]);
        let numbers = instance
            .place
            .into_iter()
            .chain([instance.min_dist, instance.value]);
        for value in numbers {
            if !(value as f32).is_finite() {
                return Err(ExportError::BeyondSingle {
                    output,
                    id: instance.id,
                    value,
                });
            }
        }
        let layer = self.layers.entry(instance.layer).or_default();
        layer
            .try_reserve(1)
            .map_err(|_| ExportError::io(output, io::ErrorKind::OutOfMemory))?;
        layer.push(instance);
        self.count += 1;
        Ok(())
    }

    /// Returns the origin of the instances' places.
    pub(crate) fn pivot(&self) -> Place {
        self.pivot
    }

    /// Returns the layers that have instances, by number.
    pub(crate) fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'_>> {
        self.layers.iter().map(|(&number, instances)| Layer {
            number,
            instances,
            name: self.names.get(number as usize).map(String::as_str),
            colour: colour::of_layer(&self.colours, number as usize),
        })
    }
}

/// The instances of one layer, in the order of writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'a> {
    pub(crate) number: u32,
    pub(crate) instances: &'a [Instance],
    /// sRGB.
    pub(crate) colour: [u8; 3],
    name: Option<&'a str>,
}

impl Layer<'_> {
    /// Returns the layer's name, or its number.
    pub(crate) fn name(self) -> String {
        let numbered = || format!("layer_{}", self.number);
        self.name.map_or_else(numbered, str::to_owned)
    }

    /// Returns a name of letters, digits and `_` only. It begins with the layer's number, so that
    /// it is unique.
    pub(crate) fn identifier(self) -> String {
        format!("layer_{}{}", self.number, self.suffix())
    }

    /// Returns `_` and the layer's name in letters, digits and `_`; an empty string if it has no
    /// name.
    pub(crate) fn suffix(self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name = self.name.into_iter().flat_map(str::chars).map(plain);
        self.name.map(|_| '_').into_iter().chain(name).collect()
    }

    /// Returns the size of the layer's placeholder: its height, and its radius at the base.
    /// Placeholders never touch.
    pub(crate) fn placeholder(self) -> [f64; 2] {
        let least = self
            .instances
            .iter()
            .map(|i| i.min_dist)
            .filter(|d| *d > 0.0)
            .fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least } else { 1.0 };
        [0.75 * least, 0.25 * least]
    }
}
