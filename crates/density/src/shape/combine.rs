//! Combines two maps.

use super::ShapeError;
use crate::GreyMap;
use crate::per_pixel::per_pixel;

/// A way to combine two greys. White is 1.
///
/// See [`combine`].
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
    /// The first grey; no point may lie where the second is less than half white.
    Mask,
}

impl Combine {
    /// All ways.
    pub const ALL: [Self; 5] = [Self::Min, Self::Max, Self::Multiply, Self::Add, Self::Mask];

    /// Returns the way's name as spelt on the command line.
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
                // Rounds to the nearest. There are no ties, as 65535 is odd.
                ((product + 32767) / 65535) as u16
            }
            Self::Add => a.saturating_add(b),
            Self::Mask => a,
        }
    }
}

/// Combines two maps of the same size, pixel by pixel. Points may lie where both maps allow them.
///
/// ```
/// use spinney_density::GreyMap;
/// use spinney_density::shape::{Combine, combine};
///
/// let dot = GreyMap::from_fn(9, 9, |x, y| if (x, y) == (4, 4) { 1.0 } else { 0.0 })?;
/// let grey = GreyMap::from_fn(9, 9, |_, _| 0.5)?;
/// let both = combine(&dot, &grey, Combine::Max)?;
/// assert_eq!((both.value(4, 4), both.grey(0, 0)), (1.0, grey.grey(0, 0)));
/// # Ok::<(), spinney_density::shape::ShapeError>(())
/// ```
///
/// # Errors
/// When the sizes differ, or without enough memory.
pub fn combine(a: &GreyMap, b: &GreyMap, how: Combine) -> Result<GreyMap, ShapeError> {
    if a.size() != b.size() {
        return Err(ShapeError::Sizes {
            a: a.size(),
            b: b.size(),
        });
    }
    let mut greys = per_pixel(0u16, a.size())?;
    let mut allowed = per_pixel(true, a.size())?;
    let pixels = a.greys().iter().zip(b.greys());
    for (i, ((grey, open), (&a_grey, &b_grey))) in
        greys.iter_mut().zip(&mut allowed).zip(pixels).enumerate()
    {
        *grey = how.grey(a_grey, b_grey);
        let masked = how == Combine::Mask && b_grey <= u16::MAX / 2;
        *open = a.is_open(i) && b.is_open(i) && !masked;
    }
    let [width, height] = a.size();
    Ok(GreyMap::new(width, height, greys, Some(allowed))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_on_known_greys() {
        let one = |grey| GreyMap::new(1, 1, vec![grey], None).expect("a good map");
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
            GreyMap::new(3, 1, vec![257; 3], Some(mask.to_vec())).expect("a good map")
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
