//! Errors of fields, and checks of their parameters.

use crate::numbers::{plain, short};
use thiserror::Error;

/// Reason for refusing a field.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A parameter that must be positive and finite is not.
    #[error("{name} must be a positive finite number, but is {value}", value = plain(*value))]
    NotPositive {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
    },
    /// A parameter is infinite or not a number.
    #[error("{name} must be finite, but has a coordinate that is {value}", value = plain(*value))]
    NotFinite {
        /// The parameter's name.
        name: &'static str,
        /// The value as given.
        value: f64,
    },
    /// A parameter lies outside its limits.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
}

/// A parameter outside its limits, or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "{name} must lie between {least} and {most}, but is {value}",
    value = plain(*value), least = short(*least), most = plain(*most)
)]
pub struct OutOfRange {
    /// The parameter's name.
    pub name: &'static str,
    /// The value as given.
    pub value: f64,
    /// The least value allowed.
    pub least: f64,
    /// The greatest value allowed.
    pub most: f64,
}

/// Returns `value` if it lies within the limits.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    least: f64,
    most: f64,
) -> Result<f64, OutOfRange> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(OutOfRange {
            name,
            value,
            least,
            most,
        })
    }
}

/// Returns `value` if it is positive and finite.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64, FieldError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(FieldError::NotPositive { name, value })
    }
}
