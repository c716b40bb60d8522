//! Orientation of an object, on the screen seen from above with north at the top.

/// Unit vectors on the screen: right, down, towards the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Direction of the model's right.
    pub east: [f64; 3],
    /// Direction of the model's upright.
    pub upright: [f64; 3],
}

impl Pose {
    /// The orientation of the model itself.
    pub const LEVEL: Self = Self {
        east: [1.0, 0.0, 0.0],
        upright: [0.0, 0.0, 1.0],
    };

    /// Turns a program's `right` and `up` by the quaternion `x, y, z, w`; `screen` converts to the
    /// screen.
    pub(super) fn of_quaternion(
        q: [f64; 4],
        [right, up]: [[f64; 3]; 2],
        screen: fn([f64; 3]) -> [f64; 3],
    ) -> Self {
        let length: f64 = q.iter().map(|n| n * n).sum();
        assert!((length - 1.0).abs() < 2e-3, "a unit quaternion, but {q:?}");
        Self {
            east: screen(turned(q, right)),
            upright: screen(turned(q, up)),
        }
    }

    /// Turns X and Z by Unreal's pitch, yaw and roll, in degrees: the rows of `FRotationMatrix`,
    /// whose frame is the screen.
    pub(super) fn of_rotator(rotator: [f64; 3]) -> Self {
        let [(sp, cp), (sy, cy), (sr, cr)] = rotator.map(|angle| angle.to_radians().sin_cos());
        Self {
            east: [cp * cy, cp * sy, sp],
            upright: [-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp],
        }
    }

    /// Returns the rotation of `east` seen from above, degrees in [0, 360) counter-clockwise.
    pub(super) fn turn(&self) -> f64 {
        (-self.east[1])
            .atan2(self.east[0])
            .to_degrees()
            .rem_euclid(360.0)
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Rotates a vector: v + 2 w (q x v) + 2 q x (q x v).
fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let once = cross([x, y, z], v);
    let twice = cross([x, y, z], once);
    [0, 1, 2].map(|k| v[k] + 2.0 * w * once[k] + 2.0 * twice[k])
}
