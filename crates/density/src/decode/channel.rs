//! Selection of the channel that becomes the map.

use super::DecodeError;
use std::iter;

/// The channel of an image that becomes the map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Brightness: 0.2126 red + 0.7152 green + 0.0722 blue (Rec. 709) of the values as stored. For
    /// a grey pixel, exactly its grey.
    #[default]
    Luma,
    /// Red; the grey of a grey image.
    R,
    /// Green; the grey of a grey image.
    G,
    /// Blue; the grey of a grey image.
    B,
    /// Alpha, or a palette's or colour key's transparency.
    A,
    /// The index that the file stores for each pixel, not its palette colour: the class in a land
    /// cover map. Only for images with a palette.
    Index,
    /// An `OpenEXR` channel by its exact name; in other formats a band by its number, from 1, in
    /// the file's order. An image with a palette has one band, its indices: "1" is
    /// [`Channel::Index`].
    Named(String),
}

impl Channel {
    /// Returns the channel's name as the command line spells it.
    pub fn name(&self) -> &str {
        match self {
            Self::Luma => "luma",
            Self::R => "r",
            Self::G => "g",
            Self::B => "b",
            Self::A => "a",
            Self::Index => "index",
            Self::Named(name) => name,
        }
    }

    /// The names that [`parse`](Self::parse) takes, for messages.
    pub const NAMES: &'static str = "luma, r, g, b, a, index, or a channel's name or number";

    /// Parses a channel's name, as front ends write it; any but the six known ones is that of a band. Blanks around it
    /// are ignored. Returns `None` if nothing is left.
    ///
    /// ```
    /// use spinney_density::decode::Channel;
    ///
    /// assert_eq!(Channel::parse("g"), Some(Channel::G));
    /// assert_eq!(Channel::parse(" 4 "), Some(Channel::Named("4".to_owned())));
    /// assert_eq!(Channel::parse(" "), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.trim();
        let mut known = [Self::Luma, Self::R, Self::G, Self::B, Self::A, Self::Index].into_iter();
        let known = known.find(|channel| channel.name() == name);
        let named = (!name.is_empty()).then(|| Self::Named(name.to_owned()));
        known.or(named)
    }

    /// Returns `true` if the channel, in an image with a palette, is the stored index, not a
    /// colour.
    pub(super) fn is_index(&self) -> bool {
        matches!(self, Self::Index | Self::Named(_))
    }
}

/// The effect of alpha, or of a palette's or colour key's transparency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Alpha {
    /// Pixels with alpha 0 have no level, whichever channel is the map. Elsewhere, colours that are
    /// stored multiplied by alpha are divided by it.
    #[default]
    Mask,
    /// None. Alpha is a channel like the others, such as the fourth weight of a splat map, and all
    /// channels are taken as stored.
    Ignore,
}

impl Alpha {
    /// All variants.
    pub const ALL: [Self; 2] = [Self::Mask, Self::Ignore];

    /// Returns the name as the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mask => "mask",
            Self::Ignore => "ignore",
        }
    }
}

/// The meaning of the samples of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bands {
    /// Number of samples per pixel.
    pub(super) count: usize,
    /// Whether the first three samples are red, green and blue. Otherwise the first is grey.
    pub(super) rgb: bool,
    /// Index of the alpha sample.
    pub(super) alpha: Option<usize>,
    /// Number of leading samples that are stored multiplied by alpha.
    pub(super) multiplied: usize,
    /// Whether the first sample is a palette index.
    pub(super) indices: bool,
}

/// The samples that make up a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    One(usize),
    /// Brightness from red, green and blue.
    Luma([usize; 3]),
}

impl Bands {
    /// Returns the bands of grey, grey + alpha, RGB or RGBA, by their number.
    pub(super) fn of_colours(count: usize) -> Self {
        Self {
            count,
            rgb: count > 2,
            alpha: matches!(count, 2 | 4).then(|| count - 1),
            multiplied: 0,
            indices: false,
        }
    }

    /// Returns the bands of palette indices, each with the alpha of its palette colour.
    pub(super) fn indices() -> Self {
        Self {
            indices: true,
            ..Self::of_colours(2)
        }
    }

    /// Returns the sample that closes a pixel where it is 0.
    pub(super) fn closing(&self, alpha: Alpha) -> Option<usize> {
        self.alpha.filter(|_| alpha == Alpha::Mask)
    }

    /// Returns `true` if the picked samples are stored multiplied by alpha.
    pub(super) fn multiplies(&self, pick: Pick) -> bool {
        pick.samples().all(|sample| sample < self.multiplied)
    }

    pub(super) fn pick(&self, channel: &Channel) -> Result<Pick, DecodeError> {
        let of_colour = |nth: usize| {
            if self.rgb {
                return Ok(Pick::One(nth));
            }
            // A single grey, with or without alpha, is unambiguous.
            if self.count - usize::from(self.alpha.is_some()) > 1 {
                let found = self.numbers();
                return Err(match channel {
                    Channel::Luma => DecodeError::WhichChannel { found },
                    other => DecodeError::NoChannel {
                        wanted: other.name().to_owned(),
                        found,
                    },
                });
            }
            Ok(Pick::One(usize::from(self.alpha == Some(0))))
        };
        match channel {
            Channel::Luma if self.rgb => Ok(Pick::Luma([0, 1, 2])),
            Channel::Luma | Channel::R => of_colour(0),
            Channel::G => of_colour(1),
            Channel::B => of_colour(2),
            Channel::A => self.alpha.map(Pick::One).ok_or(DecodeError::NoAlpha),
            Channel::Index if self.indices => Ok(Pick::One(0)),
            Channel::Index => Err(DecodeError::NoPalette),
            Channel::Named(name) => match name.parse::<usize>() {
                Ok(1) if self.indices => Ok(Pick::One(0)),
                Ok(number) if !self.indices && (1..=self.count).contains(&number) => {
                    Ok(Pick::One(number - 1))
                }
                _ => Err(DecodeError::NoChannel {
                    wanted: name.clone(),
                    found: self.numbers(),
                }),
            },
        }
    }

    fn numbers(&self) -> String {
        match self.count {
            _ if self.indices => "one band, its palette's numbers".to_owned(),
            1 => "one band".to_owned(),
            count => format!("the bands 1 to {count}"),
        }
    }
}

impl Pick {
    /// Returns the samples that make up the channel.
    pub(super) fn samples(self) -> impl Iterator<Item = usize> {
        let all = match self {
            Self::One(at) => [Some(at), None, None],
            Self::Luma(rgb) => rgb.map(Some),
        };
        all.into_iter().flatten()
    }

    /// Computes the channel's level from samples.
    #[inline]
    pub(super) fn level(self, sample: impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::One(at) => sample(at),
            // Rec. 709. The weights are integers, so for integer samples the sum is exact.
            Self::Luma([r, g, b]) => {
                (2126.0 * sample(r) + 7152.0 * sample(g) + 722.0 * sample(b)) / 10_000.0
            }
        }
    }

    /// Returns all samples to read of a pixel: the channel's and alpha.
    pub(super) fn with(self, alpha: Option<usize>) -> Vec<usize> {
        let mut all: Vec<usize> = self.samples().chain(iter::once(alpha).flatten()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_never_guessed() {
        let five = Bands {
            count: 5,
            rgb: false,
            alpha: None,
            multiplied: 0,
            indices: false,
        };
        let found = "the bands 1 to 5".to_owned();
        let which = DecodeError::WhichChannel {
            found: found.clone(),
        };
        assert_eq!(five.pick(&Channel::Luma), Err(which));
        let none = DecodeError::NoChannel {
            wanted: "g".to_owned(),
            found: found.clone(),
        };
        assert_eq!(five.pick(&Channel::G), Err(none));
        let named = |name: &str| five.pick(&Channel::Named(name.to_owned()));
        assert_eq!(named("5"), Ok(Pick::One(4)));
        for wanted in ["0", "6", "", "Z", "-1", "99999999999999999999999"] {
            let (wanted, found) = (wanted.to_owned(), found.clone());
            assert_eq!(
                named(&wanted),
                Err(DecodeError::NoChannel { wanted, found })
            );
        }
        assert_eq!(five.pick(&Channel::A), Err(DecodeError::NoAlpha));
    }

    #[test]
    fn grey_is_its_own_luma() {
        let pick = Pick::Luma([0, 1, 2]);
        for grey in 0..=u16::MAX {
            let level = f64::from(grey);
            assert_eq!(pick.level(|_| level), level);
        }
    }
}
