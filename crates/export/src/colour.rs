//! Colours of layers.

/// sRGB colours of layers that have none of their own.
const PALETTE: [[u8; 3]; 8] = [
    [38, 84, 52],
    [201, 98, 46],
    [52, 96, 168],
    [196, 152, 30],
    [124, 60, 140],
    [30, 140, 140],
    [190, 50, 90],
    [90, 90, 90],
];

/// Returns the sRGB colour of a layer: its own from `colours`, or one from a palette.
pub(crate) fn of_layer(colours: &[Option<[u8; 3]>], number: usize) -> [u8; 3] {
    let own = colours.get(number).copied().flatten();
    own.unwrap_or(PALETTE[number % PALETTE.len()])
}

/// Returns an sRGB colour as shares of full red, green and blue.
pub(crate) fn shares(srgb: [u8; 3]) -> [f64; 3] {
    srgb.map(|channel| f64::from(channel) / 255.0)
}

/// Returns an sRGB colour as linear red, green and blue (IEC 61966-2-1).
pub(crate) fn linear(srgb: [u8; 3]) -> [f32; 3] {
    shares(srgb).map(|v| {
        let light = if v <= 0.04045 {
            v / 12.92
        } else {
            libm::pow((v + 0.055) / 1.055, 2.4)
        };
        light as f32
    })
}
