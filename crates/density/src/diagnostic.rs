//! Warnings as data: inputs that may have been misread, and results that may not be intended.
//!
//! A library makes [`Diagnostic`]s: a kind and its values, without a sentence. A front end attaches a [`Subject`] and
//! prints the resulting [`Warning`] once. Sentences name options by the subject's [`Names`], so no front end rewrites
//! them.

// A new diagnostic is one variant, its name in `kind` and its sentence in `sentence`, all in this file.

mod cell;
mod lint;
mod misplaced;
mod transfer;

pub use cell::{Cell, CellUnit, HeightsKnown};
pub use lint::{Lint, lint, note_limit};
pub use misplaced::{
    Footprint, Laid, NoOverlap, in_degrees, lay, may_be_degrees, misplaced_image, misplaced_points,
    misplaced_polygons, other_system, rows_down, system_named,
};
pub use transfer::Transfer;

use crate::numbers::{grouped, level, plain, short};
use crate::shape::Shade;
use crate::{Bounds, Share};
use std::fmt::{self, Display, Formatter};

/// The coordinates of an output that 32-bit floats round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounded {
    /// Coordinates of the world, as the file holds them.
    World,
    /// Positions relative to the middle of the world or window, or to the terrain's corner.
    Local,
    /// Sums of such a position and that of this node of the file, which programs compute.
    WithNode(&'static str),
}

/// A possible misreading of an input, or a result that may not be intended.
///
/// See [`Warning`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Diagnostic {
    // Contents of a file, and how they were read.
    /// Alpha 0 closes pixels of a colour channel that was requested by name.
    ClosedByAlpha {
        /// The share of the pixels, in [0, 1].
        share: f64,
        /// The channel's name.
        channel: String,
    },
    /// Colours that the file stores multiplied by alpha were divided by it.
    DividedByAlpha {
        /// The share of the pixels, in [0, 1].
        share: f64,
    },
    /// Pixels of the picture that the file stores no level for: no point may lie there.
    OutsideData {
        /// The share of the pixels, in [0, 1].
        share: f64,
    },
    /// The file holds more images of full size, which are not read.
    OtherImages {
        /// Number of further images.
        others: usize,
        /// Width and height of the image that is read, pixels.
        size: [u32; 2],
    },
    /// Integers read as greys use little of the type's range.
    NarrowLevels {
        /// The least and the greatest integer.
        found: [f64; 2],
        /// The level of white.
        white: f64,
    },
    /// Pixels are palette indices.
    Palette {
        /// Number of colours in the palette.
        colours: usize,
    },
    /// The file states a transfer function, which is not applied.
    Transfer {
        /// The stated transfer function.
        transfer: Transfer,
    },
    /// A map covers the world at one unit per pixel, but its file states another pixel size.
    MapPixels {
        /// Size of a pixel in the file.
        cell: Cell,
        /// Width and height of the map, pixels.
        pixels: [u32; 2],
    },
    /// Heights cover a world in which their pixels have another size than the file states.
    HeightPixels {
        /// Size of a pixel in the file.
        cell: Cell,
        /// Width and height of the image, pixels.
        pixels: [u32; 2],
        /// Size of a pixel in the world, world units.
        here: [f64; 2],
    },
    /// Heights are in another unit than pixels.
    HeightUnit {
        /// Unit of the heights.
        heights: CellUnit,
        /// Unit of the pixels.
        cells: CellUnit,
        /// Length of the heights' unit, in the pixels' unit.
        factor: f64,
    },

    /// The least or greatest level is a number that programs write for "no data".
    Void {
        /// The number, as the file stores it.
        number: f64,
        /// Number of pixels that hold it.
        pixels: u64,
    },
    /// Pixels are infinite: they are read as white, or as black below 0.
    Infinite {
        /// Number of pixels that are negative.
        negative: u64,
        /// Number of pixels that are positive.
        positive: u64,
    },
    /// A negative `ModelPixelScale` makes the rows run north; they were turned.
    NegativeScale,
    /// The first row of the file is the southern edge, so its rows were turned.
    RowsTurned,
    /// The file gives its position in a way that is not followed, so its position is unknown.
    PlaceNotFollowed {
        /// Name of the tag or file with the position.
        by: &'static str,
    },
    /// The orientation tag of an image with a position on a map is not applied.
    OrientationPassedOver {
        /// The value of the tag, 2 to 8.
        orientation: u8,
    },
    /// GDAL's notes beside the file change its meaning, but are not followed.
    NotesBeside {
        /// The file of notes.
        file: String,
        /// Names of the elements in it that matter.
        says: Vec<&'static str>,
    },
    /// A mask beside the file does not name the bands it applies to.
    MaskOfNone {
        /// The mask's name.
        file: String,
    },
    /// A file beside the file has the name of a world file, but is not one.
    NoWorldFile {
        /// The name of that file.
        file: String,
    },
    /// Heights may be those of the corners of cells, but this was not specified.
    AtCorners {
        /// Number of heights across and down.
        size: [u32; 2],
        /// Whether the file states that they are heights of points.
        said: bool,
    },

    // Values of a map.
    /// No point may lie anywhere: by a map, or by all inputs of a run together, which its subject then names.
    Nowhere,
    /// Every pixel where points may lie has the same grey.
    Flat {
        /// The grey, in [0, 1].
        value: f64,
    },
    /// Few greys over a wide range: steps between distances are visible.
    Bands {
        /// Number of different greys.
        greys: usize,
        /// The distances to either side of the widest step, world units.
        step: [f64; 2],
    },
    /// Points lie closer together than pixels.
    BelowPixel {
        /// The least distance, world units.
        min_dist: f64,
        /// The smaller side of a pixel, world units.
        pixel: f64,
    },
    /// Distances are larger than the map.
    AboveMap {
        /// The greatest distance, world units.
        max_dist: f64,
        /// The larger side of the map, world units.
        side: f64,
    },
    /// Distances change faster than points can follow.
    Steep {
        /// The share of the pixels where this is so, in [0, 1].
        share: f64,
        /// The steepest slope between neighbours, distance per distance.
        slope: f64,
        /// The pixel with that slope, column and row from the top.
        at: [u32; 2],
    },
    /// The gradient limit was applied before all distances were multiplied.
    ScaledLimit {
        /// The requested slope, distance per distance.
        slope: f64,
        /// The factor of the distances.
        factor: f64,
    },

    // Positions of inputs.
    /// By its file, an image lies elsewhere than the map it is laid over.
    Elsewhere {
        /// Bounds of the map.
        world: Bounds<2>,
        /// Bounds of the image, from its file.
        own: Bounds<2>,
        /// Greatest distance between their edges, in pixels.
        pixels: f64,
    },
    /// By its file, an image covers only a part of the world. Beyond it no point lies.
    CoversPart {
        /// Bounds of the world.
        world: Bounds<2>,
        /// Bounds of the image, from its file.
        own: Bounds<2>,
    },
    /// Hardly any ground has the requested slopes or heights.
    GroundClosed {
        /// The requested slopes, degrees.
        slope: Option<[f64; 2]>,
        /// The requested heights, world units.
        altitude: Option<[f64; 2]>,
        /// The lowest and the highest height of the ground, world units.
        heights: [f64; 2],
        /// The least and the greatest slope of the ground, degrees; `None` if no slope was requested.
        slopes: Option<[f64; 2]>,
    },
    /// By their files, an input is in another coordinate system than the map.
    OtherSystem {
        /// The input's system.
        own: String,
        /// The map's system.
        map: String,
    },
    /// The world's origin moves a map away from its place, so outputs do not name its coordinate system.
    SystemDropped {
        /// The map's system.
        system: String,
        /// The lowest corner of the map, from its file.
        own: [f64; 2],
    },
    /// Polygons or an image with a place lie in a world whose y runs down and whose origin is not 0.
    RowsDown,
    /// Polygons of a world without a coordinate system may be in degrees, by their own system.
    InDegrees {
        /// The polygons' system.
        system: String,
    },
    /// Most of the polygons' box lies outside of the world.
    MostlyOutside {
        /// The world.
        world: Bounds<2>,
        /// The box of the polygons.
        own: Bounds<2>,
    },
    /// The polygons' box is tiny compared to the world.
    Speck {
        /// The world.
        world: Bounds<2>,
        /// The box of the polygons.
        own: Bounds<2>,
    },
    /// Parts of a drawing that enclose no area were left out.
    LeftOut {
        /// Kind of these parts.
        part: DrawingPart,
        /// Number of these parts.
        count: usize,
    },
    /// A drawing's numbers are so large compared to its page that 32-bit floats are coarse.
    CoarseDrawing {
        /// Maximum error of a corner's position, world units.
        step: f64,
    },
    /// A drawing's width and height have another aspect ratio than its `viewBox`.
    LetterboxedPage,
    /// A drawing has no page, so its units were taken for world units.
    NoPage,
    /// None of the points to avoid lies near the world.
    AvoidFar {
        /// The world.
        world: Bounds<2>,
    },
    /// There is no point to avoid.
    AvoidNone,
    /// Points to avoid have heights, which a flat world ignores.
    HeightsLeftOut,
    /// Points to judge have minimum distances of their own that differ from those of the map.
    OtherMinDist {
        /// Number of points whose distances differ.
        count: usize,
        /// Number of all points.
        points: usize,
        /// The two distances that differ most, by their ratio: the point's own and the map's, world units.
        worst: [f64; 2],
    },

    // End of a run.
    /// The front of points died early: it never reached some open ground.
    EarlyEnd {
        /// The share of the world that is such ground, in (0, 1].
        share: f64,
    },
    /// Early death of the front of points was not checked.
    EndNotChecked,

    // Output files.
    /// Programs that read the file into 32-bit floats move its points.
    SinglePrecision {
        /// The greatest absolute coordinate.
        most: f64,
        /// Step between neighbouring 32-bit floats at that coordinate.
        step: f64,
        /// The least distance between points.
        min_dist: f64,
        /// The coordinates that are rounded.
        rounded: Rounded,
    },
    /// Programs that read the file take a unit for a metre, but the world has another unit.
    NotMetres {
        /// The unit of the world.
        unit: CellUnit,
        /// Length of the unit, metres.
        factor: f64,
    },
    /// The file's y axis is opposite to that of another input.
    NorthDown {
        /// The other input: an option and its file.
        other: String,
    },
    /// Points were to be aligned with the ground, which the file format cannot express.
    NoTilt,

    // Combined maps.
    /// Black and white were found separately in two maps, and differ.
    UnlikeLevels {
        /// Levels of black and white of this map.
        own: [f64; 2],
        /// Name of the other map.
        other: String,
        /// Levels of black and white of the other map.
        others: [f64; 2],
    },
    /// A written map allows no point, because this map allows none.
    NoneAllowed,
    /// A written map allows no point, because this mask is dark wherever both allow points.
    DarkMask {
        /// Name of the map.
        map: String,
    },
    /// A written map allows no point, because no pixel is allowed by both this map and another.
    NoneInCommon {
        /// Name of the other map.
        other: String,
    },
    /// The mask of a fall-off allows no point.
    NothingToFallFrom,
    /// The mask of a fall-off has no edge.
    NoEdge {
        /// The parts of the mask to fall off from.
        from: Shade,
        /// The share of the mask that is such a part: all or nothing.
        share: Share,
    },
    /// All places of a fall-off lie outside of the map.
    PlacesOutside {
        /// The first place, pixels.
        first: [f64; 2],
        /// Number of places.
        count: usize,
        /// Width and height of the map, pixels.
        size: [u32; 2],
    },
}

/// A part of a drawing that encloses no area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DrawingPart {
    /// Text.
    Text,
    /// A picture.
    Picture,
    /// An object in another language.
    ForeignObject,
    /// A shape with a stroke but no fill.
    Stroke,
    /// A script, which was not run.
    Script,
    /// An animation, which was not played.
    Animation,
}

/// The role of an input or output in a run.
///
/// See [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The map that a field is made of. There is only one; messages call it "the map" or "the file".
    Map,
    /// One map of several.
    Input,
    /// A mask.
    Mask,
    /// Heights of the ground.
    Height,
    /// Polygons.
    Polygon,
    /// Points to avoid.
    Avoid,
    /// An output.
    Output,
    /// The run itself.
    Run,
}

/// The way a front end writes an option with its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Command line: `--alpha ignore`, `--range 0..9`.
    #[default]
    Flags,
    /// TOML file: `alpha = "ignore"`, `range = [0, 9]`.
    Keys,
}

/// A front end's names for the options of one input. `None` means that there is no such option; in a library there are
/// none.
///
/// See [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// Syntax of options with their values.
    pub syntax: Syntax,
    /// The option that names the file; `None` if the file's name is clear by itself.
    pub file: Option<&'static str>,
    /// The channel to read.
    pub channel: Option<&'static str>,
    /// The effect of alpha.
    pub alpha: Option<&'static str>,
    /// The levels of black and white.
    pub range: Option<&'static str>,
    /// The number that means "no data".
    pub no_data: Option<&'static str>,
    /// The position of heights in the cells of a grid.
    pub heights_at: Option<&'static str>,
    /// The heights of black and white.
    pub height_range: Option<&'static str>,
    /// Width and height of a file without a header.
    pub raw_size: Option<&'static str>,
    /// The least distance.
    pub min_dist: Option<&'static str>,
    /// The greatest distance.
    pub max_dist: Option<&'static str>,
    /// The least and the greatest density.
    pub density: Option<&'static str>,
    /// The power that values are raised to.
    pub gamma: Option<&'static str>,
    /// Conversion of sRGB values to linear ones.
    pub srgb: Option<&'static str>,
    /// The gradient limit.
    pub limit: Option<&'static str>,
    /// The world's size.
    pub size: Option<&'static str>,
    /// The world's lowest corner.
    pub origin: Option<&'static str>,
    /// Whether y runs up.
    pub y_up: Option<&'static str>,
    /// The meaning of the numbers in a drawing.
    pub units: Option<&'static str>,
    /// The number of candidates per point of a front.
    pub tries: Option<&'static str>,
    /// The algorithm.
    pub algorithm: Option<&'static str>,
    /// The permitted slopes of the ground.
    pub slope: Option<&'static str>,
    /// The permitted heights of the ground.
    pub altitude: Option<&'static str>,
    /// The parts of a mask to fall off from.
    pub from: Option<&'static str>,
    /// The places to fall off from.
    pub at: Option<&'static str>,
}

impl Names {
    /// Names without any option.
    pub const NONE: Self = Self {
        syntax: Syntax::Flags,
        file: None,
        channel: None,
        alpha: None,
        range: None,
        no_data: None,
        heights_at: None,
        height_range: None,
        raw_size: None,
        min_dist: None,
        max_dist: None,
        density: None,
        gamma: None,
        srgb: None,
        limit: None,
        size: None,
        origin: None,
        y_up: None,
        units: None,
        tries: None,
        algorithm: None,
        slope: None,
        altitude: None,
        from: None,
        at: None,
    };

    /// Returns the text of an option whose value is a word.
    fn word(&self, option: &str, value: &str) -> String {
        match self.syntax {
            Syntax::Flags => format!("{option} {value}"),
            Syntax::Keys => format!("{option} = \"{value}\""),
        }
    }

    /// Returns the text of an option whose value is a number.
    fn number(&self, option: &str, value: impl Display) -> String {
        match self.syntax {
            Syntax::Flags => format!("{option} {value}"),
            Syntax::Keys => format!("{option} = {value}"),
        }
    }

    /// Returns the text of an option whose value is a range.
    fn ends(&self, option: &str, [low, high]: &[String; 2]) -> String {
        match self.syntax {
            Syntax::Flags => format!("{option} {low}..{high}"),
            Syntax::Keys => format!("{option} = [{low}, {high}]"),
        }
    }

    /// Returns the text of an option whose value is a width and a height.
    pub fn size(&self, option: &str, [width, height]: &[String; 2]) -> String {
        match self.syntax {
            Syntax::Flags => format!("{option} {width}x{height}"),
            Syntax::Keys => format!("{option} = [{width}, {height}]"),
        }
    }

    /// Returns the text of a switch that is on.
    fn on(&self, option: &str) -> String {
        match self.syntax {
            Syntax::Flags => option.to_owned(),
            Syntax::Keys => format!("{option} = true"),
        }
    }
}

/// The subject of a diagnostic: a file or an option, in the front end's words.
///
/// Its text is the file's name after the option that gave it, like `--mask wood.png`.
///
/// See [`Warning`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    role: Role,
    name: String,
    layer: Option<String>,
    /// The file of the map that it is compared with, where a run has several.
    compared_with: Option<String>,
    names: &'static Names,
}

impl Subject {
    /// Creates a subject from the name of a file, or of several. Without a file, the name is empty.
    pub fn new(role: Role, name: impl Into<String>, names: &'static Names) -> Self {
        Self {
            role,
            name: name.into(),
            layer: None,
            compared_with: None,
            names,
        }
    }

    /// Marks the subject as belonging to one layer.
    #[must_use]
    pub fn of_layer(self, layer: impl Into<String>) -> Self {
        Self {
            layer: Some(layer.into()),
            ..self
        }
    }

    /// Sets the file of the map that the subject is compared with, where a run has several.
    #[must_use]
    pub fn compared_with(self, map: impl Into<String>) -> Self {
        Self {
            compared_with: Some(map.into()),
            ..self
        }
    }

    /// Returns the role of the subject in the run.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Returns the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the options about the subject.
    pub fn names(&self) -> &'static Names {
        self.names
    }

    /// Returns "the file" for a map, and the subject's text for other roles.
    fn the_file(&self) -> String {
        match self.role {
            Role::Map => "the file".to_owned(),
            _ => self.to_string(),
        }
    }
}

impl Display for Subject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.names.file {
            Some(option) => write!(f, "{option} {}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A diagnostic with its subject, as a front end prints it.
///
/// ```
/// use spinney_density::diagnostic::{Diagnostic, Names, Role, Subject};
///
/// const MASK: Names = Names {
///     file: Some("--mask"),
///     ..Names::NONE
/// };
/// let mask = Subject::new(Role::Mask, "pages.tif", &MASK);
/// let warning = Diagnostic::OtherImages {
///     others: 2,
///     size: [64, 48],
/// }
/// .about(&mask);
/// assert_eq!(warning.kind(), "other-images");
/// assert_eq!(
///     warning.to_string(),
///     "--mask pages.tif holds 2 more images: only the first, 64x48, is read"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    about: Subject,
    diagnostic: Diagnostic,
}

impl Warning {
    /// Returns the subject.
    pub fn about(&self) -> &Subject {
        &self.about
    }

    /// Returns the diagnostic.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }

    /// Returns the kind's name: see [`Diagnostic::kind`].
    pub fn kind(&self) -> &'static str {
        self.diagnostic.kind()
    }
}

impl Display for Warning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(layer) = &self.about.layer {
            write!(f, "{layer}: ")?;
        }
        f.write_str(&self.diagnostic.sentence(&self.about))
    }
}

impl Diagnostic {
    /// Returns the warning that this diagnostic about `subject` makes.
    #[must_use]
    pub fn about(self, subject: &Subject) -> Warning {
        Warning {
            about: subject.clone(),
            diagnostic: self,
        }
    }

    /// Returns the kind's name for programs, in lower case with hyphens. It never changes.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ClosedByAlpha { .. } => "closed-by-alpha",
            Self::DividedByAlpha { .. } => "divided-by-alpha",
            Self::OutsideData { .. } => "outside-data",
            Self::OtherImages { .. } => "other-images",
            Self::NarrowLevels { .. } => "narrow-levels",
            Self::Palette { .. } => "palette",
            Self::Transfer { .. } => "transfer",
            Self::MapPixels { .. } => "map-pixels",
            Self::HeightPixels { .. } => "height-pixels",
            Self::HeightUnit { .. } => "height-unit",
            Self::Void { .. } => "void",
            Self::Infinite { .. } => "infinite",
            Self::NegativeScale => "negative-scale",
            Self::RowsTurned => "rows-turned",
            Self::PlaceNotFollowed { .. } => "place-not-followed",
            Self::OrientationPassedOver { .. } => "orientation-passed-over",
            Self::NotesBeside { .. } => "notes-beside",
            Self::MaskOfNone { .. } => "mask-of-none",
            Self::NoWorldFile { .. } => "no-world-file",
            Self::AtCorners { .. } => "at-corners",
            Self::HeightsLeftOut => "heights-left-out",
            Self::OtherMinDist { .. } => "other-min-dist",
            Self::SinglePrecision { .. } => "single-precision",
            Self::NotMetres { .. } => "not-metres",
            Self::Nowhere => "nowhere",
            Self::Flat { .. } => "flat",
            Self::Bands { .. } => "bands",
            Self::BelowPixel { .. } => "below-pixel",
            Self::AboveMap { .. } => "above-map",
            Self::Steep { .. } => "steep",
            Self::ScaledLimit { .. } => "scaled-limit",
            Self::Elsewhere { .. } => "elsewhere",
            Self::CoversPart { .. } => "covers-part",
            Self::GroundClosed { .. } => "ground-closed",
            Self::OtherSystem { .. } => "other-system",
            Self::SystemDropped { .. } => "system-dropped",
            Self::RowsDown => "rows-down",
            Self::InDegrees { .. } => "in-degrees",
            Self::MostlyOutside { .. } => "mostly-outside",
            Self::Speck { .. } => "speck",
            Self::LeftOut { .. } => "left-out",
            Self::CoarseDrawing { .. } => "coarse-drawing",
            Self::LetterboxedPage => "letterboxed-page",
            Self::NoPage => "no-page",
            Self::AvoidFar { .. } => "avoid-far",
            Self::AvoidNone => "avoid-none",
            Self::EarlyEnd { .. } => "early-end",
            Self::EndNotChecked => "end-not-checked",
            Self::NorthDown { .. } => "north-down",
            Self::NoTilt => "no-tilt",
            Self::UnlikeLevels { .. } => "unlike-levels",
            Self::NoneAllowed => "none-allowed",
            Self::DarkMask { .. } => "dark-mask",
            Self::NoneInCommon { .. } => "none-in-common",
            Self::NothingToFallFrom => "nothing-to-fall-from",
            Self::NoEdge { .. } => "no-edge",
            Self::PlacesOutside { .. } => "places-outside",
        }
    }

    /// Returns the warning's sentence, without the name of its layer.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm a variant, and none may be forgotten"
    )]
    fn sentence(&self, about: &Subject) -> String {
        let names = about.names;
        match self {
            Self::ClosedByAlpha { share, channel } => {
                let percent = 100.0 * share;
                match (names.alpha, names.channel) {
                    (Some(alpha), Some(flag)) => {
                        let ignored = names.word(alpha, "ignore");
                        format!(
                            "alpha closes {percent:.1} % of {about}: {ignored} reads {flag} \
                             {channel} everywhere"
                        )
                    }
                    _ => format!(
                        "alpha closes {percent:.1} % of {about}: its channel {channel} is not \
                         read there"
                    ),
                }
            }
            Self::DividedByAlpha { share } => {
                let way_out = match names.alpha {
                    Some(alpha) => {
                        let ignored = names.word(alpha, "ignore");
                        format!("{ignored} reads them as stored")
                    }
                    None => "if this one does not, make alpha 0 or 1".to_owned(),
                };
                format!(
                    "{about}: files of this kind store colours multiplied by alpha, so {:.1} % of \
                     its pixels were divided by it; {way_out}",
                    100.0 * share,
                )
            }
            Self::OutsideData { share } => format!(
                "{about}: its data window is smaller than its display window; the other {:.1} % of \
                 the pixels allow no point; save it uncropped if they should",
                100.0 * share
            ),
            Self::OtherImages { others, size } => {
                let noun = match others {
                    1 => "one more image".to_owned(),
                    more => format!("{more} more images"),
                };
                let [width, height] = size;
                format!("{about} holds {noun}: only the first, {width}x{height}, is read")
            }
            Self::NarrowLevels { found, white } => {
                let found = found.map(level);
                let advice = match (names.range, names.syntax) {
                    (None, _) => String::new(),
                    (Some(range), syntax) => {
                        let set = names.ends(range, &found);
                        let auto = match syntax {
                            Syntax::Flags => format!(", or {range} auto,"),
                            Syntax::Keys => String::new(),
                        };
                        format!(
                            "; {set}{auto} makes the lowest of them black and the highest white"
                        )
                    }
                };
                let [low, high] = &found;
                format!(
                    "{about} uses only levels {low}..{high} of 0..{}, so distances are nearly the \
                     same everywhere{advice}",
                    level(*white)
                )
            }
            Self::Palette { colours } => {
                let way_out = names.channel.map(|channel| {
                    let index = names.word(channel, "index");
                    format!("; {index} reads the stored numbers, such as classes")
                });
                format!(
                    "{} has a palette of {colours} colours, so its greys may have changed when it \
                     was saved; save {} as greyscale{}",
                    about.the_file(),
                    match about.role {
                        Role::Mask => "masks",
                        Role::Height => "heights",
                        _ => "maps",
                    },
                    way_out.unwrap_or_default()
                )
            }
            Self::Transfer { transfer } => transfer_sentence(transfer, about),
            Self::MapPixels { cell, pixels } => format!(
                "{about} states a pixel size of {}, but the world has one unit per pixel; {}",
                cell_text(*cell),
                cell_advice(*cell, *pixels, "distances", names)
            ),
            Self::HeightPixels { cell, pixels, here } => format!(
                "{about} states a pixel size of {}, but a pixel is {} units in the world, so slopes \
                 are wrong; {}",
                cell_text(*cell),
                sides(*here),
                cell_advice(*cell, *pixels, "heights", names)
            ),
            Self::HeightUnit {
                heights,
                cells,
                factor,
            } => {
                let [heights, cells] = [heights, cells].map(|unit| unit.name().unwrap_or("units"));
                let factor = short(*factor);
                let way_out = names.height_range.map_or(String::new(), |option| {
                    let range = names.ends(option, &["0".to_owned(), factor.clone()]);
                    format!(" (for floats: {range})")
                });
                format!(
                    "{about} states heights in {heights} and pixels in {cells}, so slopes are \
                     wrong; multiply heights by {factor}{way_out}"
                )
            }
            Self::Void { number, pixels } => {
                let number = level(*number);
                let noun = if *pixels == 1 { "pixel" } else { "pixels" };
                let verb = if *pixels == 1 { "is" } else { "are" };
                let way_out = match names.no_data {
                    Some(option) => format!("{} closes them", names.number(option, &number)),
                    None => "declare it as no data".to_owned(),
                };
                format!(
                    "{about}: {pixels} {noun} {verb} {number}, which often means no data; {way_out}"
                )
            }
            Self::Infinite { negative, positive } => {
                let pixels = negative + positive;
                let [noun, verb] = match pixels {
                    1 => ["pixel", "is"],
                    _ => ["pixels", "are"],
                };
                let (number, closed) = match (negative, positive) {
                    (0, _) => ("inf", "them"),
                    (_, 0) => ("-inf", "them"),
                    _ => ("inf", "the positive ones"),
                };
                let way_out = names.no_data.map_or(String::new(), |option| {
                    format!("; {} closes {closed}", names.number(option, number))
                });
                format!(
                    "{about}: {pixels} {noun} {verb} infinite, and read as white, or black if \
                     negative{way_out}"
                )
            }
            Self::NotesBeside { file, says } => format!(
                "{about}: {file} beside it has {}, which GDAL applies but this program ignores; \
                 convert it to a GeoTIFF, which stores this itself",
                says.join(", ")
            ),
            Self::PlaceNotFollowed { by } => format!(
                "{about} gives its place by {by}, which is not supported and ignored; make it \
                 north-up with gdalwarp"
            ),
            Self::OrientationPassedOver { orientation } => format!(
                "{about}: its orientation tag ({orientation}) is ignored, as in GDAL, because it \
                 has a place on a map; pixels are read as stored"
            ),
            Self::RowsTurned => format!(
                "{about} states that its first row is the southern edge, so its rows were \
                 reversed; files that do not state it are read as stored"
            ),
            Self::NegativeScale => format!(
                "{about} has a negative ModelPixelScale (rows run north), so its rows were \
                 reversed, as GeoTIFF requires; GDAL reads its first row as the north"
            ),
            Self::MaskOfNone { file } => format!(
                "{about}: the mask {file} beside it is ignored, as by GDAL, because it does not \
                 name the bands it masks (INTERNAL_MASK_FLAGS_1)"
            ),
            Self::NoWorldFile { file } => format!(
                "{about}: {file} beside it is ignored, because it is not a world file (six numbers)"
            ),
            Self::AtCorners { size, said } => {
                let [width, height] = size;
                let option = names.heights_at.unwrap_or("heights at");
                let corners = names.word(option, "corners");
                let sign = if *said {
                    "it states RasterPixelIsPoint"
                } else {
                    "terrains of this size often have them there"
                };
                format!(
                    "{about}: its {width}x{height} heights are read at the centres of cells, but \
                     may be at the corners ({sign}); {corners} spreads them to the world's edges, \
                     {} keeps them",
                    names.word(option, "centres")
                )
            }
            Self::HeightsLeftOut => {
                format!("{about}: column z of its points is ignored, because the world is flat")
            }
            Self::OtherMinDist {
                count,
                points,
                worst,
            } => {
                let verb = if *count == 1 { "has" } else { "have" };
                let [own, wanted] = worst.map(short);
                format!(
                    "{about}: {} of its {} points {verb} a min_dist that differs from the one \
                     computed there (at worst {own}, not {wanted}); check that map and options are \
                     those of its run",
                    grouped(*count as u64),
                    grouped(*points as u64),
                )
            }
            Self::SinglePrecision {
                most,
                step,
                min_dist,
                rounded,
            } => {
                let smaller = format!("give a smaller {}", names.origin.unwrap_or("origin"));
                let (read, advice) = match rounded {
                    Rounded::World => (
                        "most programs read it into".to_owned(),
                        format!("{smaller}, or write .csv or .json"),
                    ),
                    Rounded::Local => (
                        "most programs read it into".to_owned(),
                        "write .csv or .json".to_owned(),
                    ),
                    Rounded::WithNode(node) => (
                        format!(
                            "its positions are precise relative to its {node}, but most programs add \
                             the position of that in"
                        ),
                        format!(
                            "move the {node} to the origin there (those of other windows by as much), \
                             or {smaller}"
                        ),
                    ),
                };
                format!(
                    "{about}: {read} 32-bit floats, which have steps of {} at coordinates up to {}, \
                     so points {} apart may be some {} % nearer; {advice}",
                    plain(*step),
                    plain(*most),
                    short(*min_dist),
                    short((100.0 * step / min_dist).min(100.0)),
                )
            }
            Self::NotMetres { unit, factor } => format!(
                "{about}: programs that read it take a unit for a metre, but the world is in {}; \
                 scale it by {} there, or reproject the map to metres (gdalwarp -t_srs)",
                unit.name().unwrap_or("another unit"),
                plain(*factor),
            ),
            Self::Nowhere => match (about.role, &*about.name) {
                (Role::Run, "") => "no open place was found for any point".to_owned(),
                (Role::Run, inputs) => {
                    format!("no open place was found for any point, given {inputs}")
                }
                _ => "the map is transparent, no-data or NaN everywhere: it allows no point"
                    .to_owned(),
            },
            Self::Flat { value: 0.0 } => {
                "the map is black wherever points may lie (is it the right channel?)".to_owned()
            }
            Self::Flat { value: 1.0 } => {
                "the map is white wherever points may lie (is it the right channel?)".to_owned()
            }
            Self::Flat { value } => {
                format!("the map is the same grey, {value:.3}, wherever points may lie")
            }
            Self::Bands { greys, step } => format!(
                "the map has only {greys} greys, so min_dist jumps from {} to {} between two of \
                 them and bands will show; save the map in 16 bits, or blur it",
                digits(step[0]),
                digits(step[1]),
            ),
            Self::BelowPixel { min_dist, pixel } => format!(
                "min_dist {} is less than a pixel, {}: points are finer than the map; raise \
                 min_dist or make the world smaller",
                digits(*min_dist),
                digits(*pixel),
            ),
            Self::AboveMap { max_dist, side } => format!(
                "min_dist {} is more than the map's longer side, {}: at most a point or two fit \
                 there",
                digits(*max_dist),
                digits(*side),
            ),
            Self::Steep { share, slope, at } => {
                let limit = match names.limit {
                    Some(limit) => format!("give {}", names.number(limit, 0.25)),
                    None => "limit the slope to 0.25".to_owned(),
                };
                format!(
                    "on {:.2} % of the map, min_dist changes faster than points can follow, by up \
                     to {} per unit of distance (at pixel {},{}); {limit}, or blur the map",
                    100.0 * share,
                    digits(*slope),
                    at[0],
                    at[1],
                )
            }
            Self::ScaledLimit { slope, factor } => {
                let limit = names.limit.unwrap_or("limit");
                let held = names.number(limit, plain(*slope));
                let less = names.number(limit, short(slope / factor));
                format!(
                    "{held} was applied before all distances were multiplied, so they change by up \
                     to {} per unit; {less} gives about {}",
                    short(factor * slope),
                    plain(*slope),
                )
            }
            Self::Elsewhere { world, own, pixels } => format!(
                "{about} states that it covers {}, but {} covers {}, {} pixels off; cut it to that \
                 with gdalwarp -te",
                corners(own),
                about.compared_with.as_deref().unwrap_or("the world"),
                corners(world),
                short(*pixels),
            ),
            Self::CoversPart { world, own } => format!(
                "{about} covers {}, by its file, and the world {}: no point lies beyond it",
                corners(own),
                corners(world),
            ),
            Self::GroundClosed {
                slope,
                altitude,
                heights,
                slopes,
            } => {
                let asked = [
                    (names.slope.unwrap_or("slope"), slope),
                    (names.altitude.unwrap_or("altitude"), altitude),
                ];
                let asked: Vec<String> = asked
                    .into_iter()
                    .filter_map(|(name, ends)| Some(names.ends(name, &(*ends)?.map(plain))))
                    .collect();
                let heights = Some(heights).filter(|_| altitude.is_some());
                let found = [("slopes", slopes.as_ref()), ("heights", heights)];
                let found: Vec<String> = found
                    .into_iter()
                    .filter_map(|(name, ends)| {
                        let [low, high] = ends?.map(short);
                        Some(format!("its {name} run from {low} to {high}"))
                    })
                    .collect();
                format!(
                    "{}: almost none of {about} is within these limits, and points may lie only \
                     there; {}",
                    asked.join(" and "),
                    found.join(", "),
                )
            }
            Self::OtherSystem { own, map } => {
                let laid = match about.role {
                    Role::Mask | Role::Height => ", so it is laid over the whole world",
                    _ => "",
                };
                format!(
                    "{about} states that it is in {own}, but {} is in {map}, and nothing is \
                     converted{laid}; reproject it with ogr2ogr or gdalwarp -t_srs",
                    about.compared_with.as_deref().unwrap_or("the map"),
                )
            }
            Self::SystemDropped { system, own } => {
                let origin = names.origin.unwrap_or("origin");
                let [x, y] = own.map(plain);
                format!(
                    "{about}: {origin} moves it from its own place, {x},{y}, so the points are not in \
                     its coordinate system, {system}, and no file names it; drop {origin} to keep both"
                )
            }
            Self::RowsDown => {
                let origin = names.origin.unwrap_or("origin");
                let y_up = names.y_up.unwrap_or("y up");
                match about.role {
                    Role::Polygon => format!(
                        "{about}: {origin} is given without {y_up}, so MAP may lie upside down below \
                         the polygons; give {y_up} if the top of MAP is north"
                    ),
                    _ => format!(
                        "{about} states its place, but {origin} is given without {y_up}, so it lies \
                         upside down; give {y_up}"
                    ),
                }
            }
            Self::InDegrees { system } => format!(
                "{about} states that it is in {system}, and its corners look like degrees, in which \
                 distances are no lengths; reproject it with ogr2ogr -t_srs"
            ),
            Self::MostlyOutside { world, own } => {
                place_sentence(about, "most of it lies outside the world", world, own)
            }
            Self::Speck { world, own } => {
                place_sentence(about, "it is tiny compared to the world", world, own)
            }
            Self::LeftOut { part, count } => part_sentence(*part, *count, about),
            Self::CoarseDrawing { step } => format!(
                "{about}: its numbers are so large that corners may be off by {step:.1e}, because \
                 SVG is read in 32-bit floats; convert it to GeoJSON"
            ),
            Self::LetterboxedPage => format!(
                "{about}: its width and height have another aspect ratio than its viewBox; the \
                 world is the page of that width and height, and preserveAspectRatio places the \
                 viewBox in it"
            ),
            Self::NoPage => {
                let same = match names.units {
                    Some(units) => format!(", as with {}", names.word(units, "world")),
                    None => String::new(),
                };
                format!(
                    "{about}: the drawing has no page (neither a viewBox nor a width and a \
                     height), so its units are read as world units{same}"
                )
            }
            Self::AvoidFar { world } => format!(
                "{about}: none of its points lies near the world, which covers {}; give the {} and \
                 {} that they were made with",
                corners(world),
                names.size.unwrap_or("size"),
                names.origin.unwrap_or("origin"),
            ),
            Self::AvoidNone => format!("{about} has no points, so nothing is avoided"),
            Self::EarlyEnd { share } => format!(
                "bridson ended early and never reached {} % of the area, which is still free; \
                 raise {}, or give {}, which leaves no gaps",
                short(100.0 * share),
                names.tries.unwrap_or("tries"),
                names.word(names.algorithm.unwrap_or("algorithm"), "scatter"),
            ),
            Self::EndNotChecked => format!(
                "bridson may have ended early: the check would take too long and was left out; {} leaves \
                 no gaps",
                names.word(names.algorithm.unwrap_or("algorithm"), "scatter"),
            ),
            Self::NorthDown { other } => {
                let y_up = names.y_up.unwrap_or("y up");
                format!(
                    "{about}: without {y_up}, y runs down and north is -y in this file, so its \
                     points do not match {other}; add {y_up}"
                )
            }
            Self::NoTilt => format!(
                "{about}: a Unity terrain cannot tilt its trees; place your own prefabs by \
                 `orientation`"
            ),
            Self::UnlikeLevels { own, other, others } => {
                let range = names.range.unwrap_or("range");
                let both = [own[0].min(others[0]), own[1].max(others[1])];
                format!(
                    "{about} has levels {} and {other} {} (found), so the same level is not the \
                     same grey; give {range} LO..HI for both, such as {}",
                    levels(*own),
                    levels(*others),
                    levels(both),
                )
            }
            Self::NoneAllowed => format!(
                "{NONE_WRITTEN}: {about} is transparent, no-data or NaN everywhere; give a map \
                 that allows points"
            ),
            Self::DarkMask { map } => format!(
                "{NONE_WRITTEN}: {about} is less than half white wherever it and {map} allow \
                 points; give a mask with bright parts there, or {} LO..HI if its black and white \
                 are other levels",
                names.range.unwrap_or("range"),
            ),
            Self::NoneInCommon { other } => format!(
                "{NONE_WRITTEN}: {about} and {other} allow points in different places only; give \
                 maps that share some"
            ),
            Self::NothingToFallFrom => format!(
                "{NONE_WRITTEN}: {about} is transparent, no-data or NaN everywhere; give a mask \
                 that allows points"
            ),
            Self::NoEdge { from, share } => {
                let shade = match from {
                    Shade::Bright => "at least half white",
                    Shade::Dark => "less than half white",
                };
                let (place, grey) = match share {
                    Share::None => ("nowhere", "white"),
                    _ => ("everywhere", "black"),
                };
                format!(
                    "{about} is {place} {shade} ({} {}), so there is no edge to fall off from and \
                     the written map is all {grey}; give a mask of bright and dark parts, or {} \
                     LO..HI if its black and white are other levels",
                    names.from.unwrap_or("from"),
                    from.name(),
                    names.range.unwrap_or("range"),
                )
            }
            Self::PlacesOutside { first, count, size } => {
                let at = names.at.unwrap_or("at");
                let [x, y] = first.map(plain);
                let who = match count {
                    1 => format!("{at} {x},{y} lies"),
                    all => format!("all {all} places of {at} lie"),
                };
                let [width, height] = size;
                format!(
                    "{who} outside the {width}x{height} map; give places in pixels, from 0,0 \
                     to {width},{height}, or a larger {}",
                    names.size.unwrap_or("size"),
                )
            }
        }
    }
}

fn part_sentence(part: DrawingPart, count: usize, about: &Subject) -> String {
    let (one, many, problem) = match part {
        DrawingPart::Text => ("text", "texts", "ignored; turn text into paths"),
        DrawingPart::Picture => ("picture", "pictures", "ignored; give it as a mask"),
        DrawingPart::ForeignObject => (
            "foreign object",
            "foreign objects",
            "ignored; turn its shapes into paths",
        ),
        DrawingPart::Stroke => (
            "shape with a stroke but no fill",
            "shapes with a stroke but no fill",
            "ignored, because a stroke has no area; turn strokes into paths",
        ),
        DrawingPart::Script => ("script", "scripts", "not run"),
        DrawingPart::Animation => (
            "animation",
            "animations",
            "not played; shapes are read as they are without it",
        ),
    };
    let (noun, verb) = if count == 1 {
        (one, "is")
    } else {
        (many, "are")
    };
    format!("{about}: {count} {noun} {verb} {problem}")
}

const NONE_WRITTEN: &str = "the written map allows no point";

fn transfer_sentence(transfer: &Transfer, about: &Subject) -> String {
    let file = about.the_file();
    let names = about.names;
    let linear = |option: String| format!("{option} makes them linear");
    let srgb = names.srgb.map(|srgb| linear(names.on(srgb)));
    let (what, advice) = match transfer {
        Transfer::Srgb => ("is tagged as sRGB".to_owned(), srgb),
        Transfer::Profile { name: Some(name) } => (
            format!("is tagged as the colour profile '{name}'"),
            if name.to_ascii_lowercase().contains("srgb") {
                srgb
            } else {
                srgb.map(|srgb| format!("convert the file to sRGB, and {srgb}"))
            },
        ),
        Transfer::Profile { name: None } => (
            "has a colour profile".to_owned(),
            srgb.map(|srgb| format!("{srgb}, if it is sRGB's")),
        ),
        Transfer::Gamma(gamma) => {
            let gamma = f64::from(*gamma) / 1e5;
            let power = 1.0 / gamma;
            let is_possible = (0.01..=100.0).contains(&power);
            let option = names.gamma.filter(|_| is_possible);
            let advice = match gamma {
                // 1 / 2.2, which stands for sRGB.
                0.454..0.455_5 => srgb,
                _ => option.map(|option| linear(names.number(option, short(power)))),
            };
            (format!("is tagged as gamma {}", plain(gamma)), advice)
        }
        Transfer::Convention => {
            let save = "save data as 16-bit PNG or TIFF";
            (
                "is a JPEG: lossy, 8 bits, and sRGB by convention".to_owned(),
                Some(srgb.map_or(save.to_owned(), |srgb| format!("{srgb}; {save}"))),
            )
        }
    };
    let advice = advice.map_or(String::new(), |advice| format!(" ({advice})"));
    format!("{file} {what}; its values are read as stored, as data{advice}")
}

fn cell_text(cell: Cell) -> String {
    let unit = cell.unit().name();
    let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
    format!("{}{unit}", sides(cell.size()))
}

/// Returns advice that makes pixels as large as in the file.
fn cell_advice(cell: Cell, pixels: [u32; 2], measured: &str, names: &Names) -> String {
    let option = names.size.unwrap_or("size");
    if cell.unit() == CellUnit::Degrees {
        return format!(
            "give {option} in the unit of your {measured} (a degree of latitude is about 111 km), \
             or a file in metres, made with gdalwarp"
        );
    }
    let size = [0, 1].map(|k| {
        let wide = cell.size()[k] * f64::from(pixels[k]);
        // Prints 9000, not 9000.000000000002.
        plain((wide * 1e6).round() / 1e6)
    });
    format!("give {} to match the file", names.size(option, &size))
}

fn place_sentence(about: &Subject, problem: &str, world: &Bounds<2>, own: &Bounds<2>) -> String {
    format!(
        "{about}: {problem}, which covers {}, and it covers {}; check that it is in world units",
        corners(world),
        corners(own),
    )
}

/// Returns the text of two corners of a box, least and greatest, as warnings and errors write them.
///
/// ```
/// use spinney_density::Bounds;
/// use spinney_density::diagnostic::corners;
///
/// assert_eq!(corners(&Bounds::new([-1.5, 0.0], [8.0, 4.0])?), "-1.5,0 to 8,4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn corners(bounds: &Bounds<2>) -> String {
    let corner = |[x, y]: [f64; 2]| format!("{},{}", short(x), short(y));
    format!("{} to {}", corner(bounds.min()), corner(bounds.max()))
}

fn sides([width, height]: [f64; 2]) -> String {
    format!("{}x{}", short(width), short(height))
}

fn levels([low, high]: [f64; 2]) -> String {
    format!("{}..{}", level(low), level(high))
}

/// Returns the text of a distance, with some four digits.
fn digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        0.01..10.0 => format!("{value:.3}"),
        10.0..1e5 => format!("{value:.1}"),
        _ => format!("{value:.3e}"),
    }
}
