//! The units of projected coordinate systems, by their EPSG numbers. In `GeoTIFF` 1.1, a file that names its
//! system does not state the unit.

use crate::diagnostic::CellUnit;

/// The systems in feet of any country: the first, the last, and the step from each to the next.
#[rustfmt::skip]
const FEET: &[(u16, u16, usize)] = &[
    (2136, 2136, 1), (2155, 2155, 1), (2159, 2160, 1), (2194, 2194, 1), (2204, 2204, 1), (2222, 2289, 1),
    (2314, 2314, 1), (2867, 2930, 1), (2964, 2968, 1), (2992, 2994, 2), (3080, 3080, 1), (3089, 3091, 2),
    (3102, 3102, 1), (3359, 3365, 2), (3404, 3407, 3), (3417, 3438, 1), (3441, 3446, 1), (3451, 3459, 1),
    (3479, 3487, 2), (3490, 3512, 2), (3515, 3553, 2), (3560, 3570, 1), (3582, 3590, 2), (3593, 3593, 1),
    (3598, 3600, 2), (3605, 3608, 3), (3610, 3636, 2), (3640, 3664, 2), (3668, 3676, 2), (3677, 3686, 3),
    (3679, 3682, 3), (3688, 3692, 2), (3696, 3700, 2), (3728, 3739, 1), (3753, 3760, 1), (3991, 3992, 1),
    (4217, 4217, 1), (4399, 4413, 1), (4418, 4433, 1), (4438, 4457, 1), (5588, 5589, 1), (5623, 5625, 1),
    (5646, 5646, 1), (5654, 5655, 1), (6128, 6141, 1), (6200, 6202, 1), (6391, 6391, 1), (6405, 6413, 2),
    (6416, 6438, 2), (6441, 6479, 2), (6484, 6496, 2), (6499, 6507, 2), (6510, 6510, 1), (6515, 6565, 2),
    (6568, 6578, 2), (6582, 6590, 2), (6593, 6609, 2), (6612, 6618, 2), (6625, 6627, 1), (6633, 6633, 1),
    (6785, 6863, 2), (6868, 6880, 3), (6885, 6887, 2), (6923, 6925, 2), (6966, 6966, 1), (6997, 6997, 1),
    (7057, 7070, 1), (7119, 7128, 1), (7132, 7132, 1), (7258, 7370, 2), (7587, 7645, 1), (8035, 8036, 1),
    (8065, 8068, 1), (8091, 8093, 2), (8096, 8182, 2), (8177, 8189, 3), (8185, 8185, 1), (8193, 8197, 2),
    (8200, 8210, 2), (8213, 8216, 3), (8220, 8226, 3), (8224, 8224, 1), (8312, 8348, 2), (8380, 8384, 2),
    (8387, 8387, 1), (8518, 8540, 1), (9748, 9749, 1), (10481, 10516, 1), (10622, 10622, 1), (20050, 20050, 1),
    (23301, 23333, 1), (24100, 24100, 1), (26729, 26813, 1), (26847, 26870, 1), (29872, 29872, 1), (32001, 32058, 1),
    (32064, 32077, 1), (32099, 32099, 1), (32164, 32167, 1), (32664, 32667, 1),
];

/// Systems in kilometres.
const KILOMETRES: [u16; 1] = [22300];

/// Systems in links, chains and yards.
const OTHERS: [u16; 16] = [
    2066, 3139, 3140, 3167, 5472, 24370, 24371, 24372, 24373, 24374, 24382, 24571, 27291, 27292,
    29871, 30200,
];

/// Numbers from here on were given out after these lists were made (EPSG v11.022), up to those of older systems.
const LATER: std::ops::Range<u16> = 11_119..20_000;

/// Numbers that EPSG gives to systems; others are undefined, obsolete or private (OGC 19-008).
const KNOWN: std::ops::Range<u16> = 1024..32_767;

/// Returns the unit of the projected coordinate system with this name; [`CellUnit::Unsaid`] for systems that EPSG does
/// not number.
///
/// ```
/// use spinney_density::{decode::unit_of_system, diagnostic::CellUnit};
///
/// assert_eq!(unit_of_system("EPSG:2227"), CellUnit::Feet);
/// ```
pub fn unit_of_system(name: &str) -> CellUnit {
    let number = name.strip_prefix("EPSG:").and_then(|n| n.parse().ok());
    number.map_or(CellUnit::Unsaid, unit)
}

/// Returns the unit of the projected system with this number.
pub(super) fn unit(system: u16) -> CellUnit {
    let is_in = |&(first, last, step): &(u16, u16, usize)| {
        (first..=last).step_by(step).any(|n| n == system)
    };
    if FEET.iter().any(is_in) {
        CellUnit::Feet
    } else if KILOMETRES.contains(&system) {
        CellUnit::Kilometres
    } else if !KNOWN.contains(&system) || OTHERS.contains(&system) || LATER.contains(&system) {
        CellUnit::Unsaid
    } else {
        CellUnit::Metres
    }
}
