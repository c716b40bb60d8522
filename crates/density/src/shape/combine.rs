//! Two maps made one.

use super::ShapeError;
use crate::map_error::filled;
use crate::{GreyMap, MapError};

/// How two greys become one. White is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combine {
    /// The darker of the two.
    Min,
    /// The brighter of the two.
    Max,
    /// Their product.
    Multiply,
    /// Their sum, at most white.
    Add,
    /// The first map's, where the second one is at least half white; elsewhere no point may lie.
    Mask,
}

impl Combine {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Min, Self::Max, Self::Multiply, Self::Add, Self::Mask];

    /// The way's name as the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Multiply => "multiply",
            Self::Add => "add",
            Self::Mask => "mask",
        }
    }

    fn grey(self, a: u16, b: u16) -> u16 {
        match self {
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Multiply => {
                let product = u32::from(a) * u32::from(b);
                // To the nearest; half of 65535 is no whole number, so there are no ties.
                ((product + 32767) / 65535) as u16
            }
            Self::Add => a.saturating_add(b),
            Self::Mask => a,
        }
    }
}

/// Two maps of the same size made one, pixel by pixel. Points may lie where both maps allow them.
///
/// # Errors
/// When the sizes differ, or without the memory.
pub fn combine(a: &GreyMap, b: &GreyMap, how: Combine) -> Result<GreyMap, ShapeError> {
    let (width, height) = (a.width(), a.height());
    if [width, height] != [b.width(), b.height()] {
        return Err(ShapeError::Sizes {
            a: [width, height],
            b: [b.width(), b.height()],
        });
    }
    let out_of_memory = MapError::OutOfMemory { width, height };
    let mut greys = filled(0u16, a.greys().len()).ok_or(out_of_memory)?;
    let mut allowed = filled(true, a.greys().len()).ok_or(out_of_memory)?;
    let pixels = a.greys().iter().zip(b.greys());
    for (i, ((grey, open), (&a_grey, &b_grey))) in
        greys.iter_mut().zip(&mut allowed).zip(pixels).enumerate()
    {
        *grey = how.grey(a_grey, b_grey);
        let masked = how == Combine::Mask && b_grey <= u16::MAX / 2;
        let open_in = |map: &GreyMap| map.mask().is_none_or(|mask| mask[i]);
        *open = open_in(a) && open_in(b) && !masked;
    }
    let depth = a.depth().max(b.depth());
    Ok(GreyMap::new(width, height, depth, greys, Some(allowed))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_on_known_greys() {
        let one = |grey| GreyMap::new(1, 1, 16, vec![grey], None).expect("a good map");
        let cases = [
            (Combine::Min, 300, 65000, 300),
            (Combine::Max, 300, 65000, 65000),
            (Combine::Multiply, 65535, 1234, 1234),
            (Combine::Multiply, 32768, 32768, 16384),
            (Combine::Multiply, 1, 32767, 0),
            (Combine::Multiply, 1, 32768, 1),
            (Combine::Add, 300, 400, 700),
            (Combine::Add, 60000, 6000, 65535),
            (Combine::Mask, 300, 32768, 300),
        ];
        for (how, a, b, out) in cases {
            let map = combine(&one(a), &one(b), how).expect("same sizes");
            assert_eq!(map.greys(), [out], "{a} {} {b}", how.name());
            assert!(!map.has_mask());
        }
        let masked = combine(&one(300), &one(32767), Combine::Mask).expect("same sizes");
        assert_eq!(masked.mask(), Some(&[false][..]));
    }

    #[test]
    fn points_lie_where_both_allow_them() {
        let map = |mask: [bool; 3]| {
            GreyMap::new(3, 1, 8, vec![257; 3], Some(mask.to_vec())).expect("a good map")
        };
        let (a, b) = (map([true, true, false]), map([true, false, true]));
        let both = combine(&a, &b, Combine::Min).expect("same sizes");
        assert_eq!(both.mask(), Some(&[true, false, false][..]));
        let other = GreyMap::from_fn(1, 3, |_, _| 0.0).expect("a good map");
        assert!(matches!(
            combine(&a, &other, Combine::Min),
            Err(ShapeError::Sizes {
                a: [3, 1],
                b: [1, 3]
            })
        ));
    }
}
