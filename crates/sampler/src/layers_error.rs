//! The errors of layers.

use density::numbers::plain;
use thiserror::Error;

/// The reason for which layers, or the distances between them, were refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LayersError {
    /// The number of layers is 0 or too large.
    #[error("there are {layers} layers, but there must be 1 to {most}")]
    Number {
        /// Number of layers.
        layers: usize,
        /// Maximum number of layers.
        most: usize,
    },
    /// The table of distances is for another number of layers.
    #[error("the table of distances is for {table} layers, but there are {layers}")]
    Table {
        /// Number of layers of the table.
        table: usize,
        /// Number of layers.
        layers: usize,
    },
    /// A layer's share is not a positive finite number.
    #[error(
        "the share of layer {layer} must be a positive finite number, but is {share}",
        share = plain(*share)
    )]
    Share {
        /// Index of the layer, from 0.
        layer: usize,
        /// Its share.
        share: f64,
    },
    /// A distance was given for a layer that does not exist.
    #[error("there is no layer {layer}: {layers} layers are numbered from 0")]
    NoSuchLayer {
        /// The number given.
        layer: usize,
        /// Number of layers.
        layers: usize,
    },
    /// A distance was given for a layer and itself.
    #[error("layer {layer} was given a distance to itself; set that in its field")]
    Itself {
        /// The layer.
        layer: usize,
    },
    /// A distance between layers is not valid.
    #[error(
        "the distance between layers {a} and {b} must be 0, for layers that ignore each \
         other, or lie between {least:e} and {most:e}, but is {distance}",
        distance = plain(*distance)
    )]
    Distance {
        /// The first layer.
        a: usize,
        /// The second layer.
        b: usize,
        /// The distance given.
        distance: f64,
        /// The least distance possible, apart from 0.
        least: f64,
        /// The greatest distance possible.
        most: f64,
    },
}
