//! Why layers were refused.

use density::numbers::plain;
use thiserror::Error;

/// Layers, or distances between them, that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum LayersError {
    /// There is no layer, or there are too many.
    #[error("there are {layers} layers, but there must be 1 to {most}")]
    Number {
        /// How many there are.
        layers: usize,
        /// How many there may be.
        most: usize,
    },
    /// The table of distances is for another number of layers.
    #[error("the table of distances is for {table} layers, but there are {layers}")]
    Table {
        /// For how many the table is.
        table: usize,
        /// How many there are.
        layers: usize,
    },
    /// A layer's share is no rate.
    #[error(
        "the share of layer {layer} must be a positive finite number, but is {share}",
        share = plain(*share)
    )]
    Share {
        /// Which layer, from 0.
        layer: usize,
        /// Its share.
        share: f64,
    },
    /// A distance was given for a layer that there is not.
    #[error("there is no layer {layer}: {layers} layers are numbered from 0")]
    NoSuchLayer {
        /// The number given.
        layer: usize,
        /// How many layers there are.
        layers: usize,
    },
    /// A distance was given for a layer and itself.
    #[error("layer {layer} was given a distance to itself; that is its field's to say")]
    Itself {
        /// The layer.
        layer: usize,
    },
    /// A distance that is none.
    #[error(
        "the distance between layers {a} and {b} must be 0, for layers that ignore each \
         other, or lie between {least:e} and {most:e}, but is {distance}",
        distance = plain(*distance)
    )]
    Distance {
        /// The one layer.
        a: usize,
        /// The other.
        b: usize,
        /// The distance given.
        distance: f64,
        /// The least possible but 0.
        least: f64,
        /// The greatest possible.
        most: f64,
    },
}
