//! Undoes the prediction that samples underwent before compression (tag 317; TIFF 6.0, section 14,
//! and Adobe's Technical Note 3).

use super::directory::Order;
use super::unsupported;
use crate::decode::DecodeError;
use crate::decode::levels::LevelType;

/// The prediction that each row underwent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    /// Each sample is the difference to the one before it, in the same band.
    Differences,
    /// The bytes of floats are sorted, the highest of all samples first. Then each byte is the
    /// difference to an earlier byte, as many bytes before as a pixel has samples.
    Floats,
}

impl Predictor {
    /// Returns the predictor with this number, for samples of this type.
    ///
    /// # Errors
    /// When there is no such predictor, or it does not support such samples.
    pub(super) fn of(number: u64, level_type: LevelType) -> Result<Self, DecodeError> {
        match (number, level_type) {
            (1, _) => Ok(Self::None),
            (2, _) if matches!(level_type.bits(), 8 | 16 | 32 | 64) => Ok(Self::Differences),
            (3, LevelType::Float(_)) => Ok(Self::Floats),
            _ => Err(unsupported(&format!("{level_type}, predictor {number}"))),
        }
    }

    /// Restores a row of samples with `bits` bits in byte order `order`; `count` is the number of
    /// samples per pixel.
    pub(super) fn undo(self, row: &mut [u8], bits: u8, count: usize, order: Order) {
        match (self, bits) {
            (Self::None, _) => {}
            (Self::Differences, 8) => add_up(row, count),
            (Self::Differences, 16) => sums::<2>(row, count, order),
            (Self::Differences, 32) => sums::<4>(row, count, order),
            (Self::Differences, _) => sums::<8>(row, count, order),
            (Self::Floats, _) => {
                add_up(row, count);
                let sorted = row.to_vec();
                let width = usize::from(bits / 8);
                let samples = row.len() / width;
                for (nth, sample) in row.chunks_exact_mut(width).enumerate() {
                    for (place, byte) in sample.iter_mut().enumerate() {
                        *byte = sorted[place * samples + nth];
                    }
                    if order == Order::Little {
                        sample.reverse();
                    }
                }
            }
        }
    }
}

/// Adds to each byte the byte `count` places before it.
fn add_up(row: &mut [u8], count: usize) {
    for at in count..row.len() {
        row[at] = row[at].wrapping_add(row[at - count]);
    }
}

/// Adds to each sample of `N` bytes the one `count` samples before it.
fn sums<const N: usize>(row: &mut [u8], count: usize, order: Order) {
    let step = N * count;
    for at in (step..row.len()).step_by(N) {
        let Some((before, here)) = row[at - step..].split_at_mut_checked(step) else {
            return;
        };
        let Some(here) = here.first_chunk_mut::<N>() else {
            return;
        };
        let sum = order.number(here).wrapping_add(order.number(&before[..N]));
        match order {
            Order::Little => here.copy_from_slice(&sum.to_le_bytes()[..N]),
            Order::Big => here.copy_from_slice(&sum.to_be_bytes()[8 - N..]),
        }
    }
}
