//! Plants from above, lit from the upper left.

use sampler::Sample;
use spinney_examples::{Canvas, Circle, Color, Dice};
use std::f64::consts::TAU;

/// Returns the random numbers of one plant.
fn dice(kind: u64, id: u64) -> Dice {
    Dice::new(kind << 32 | id)
}

/// Returns a round outline with `lobes` bumps of `depth` radii.
fn lobed([x, y]: [f64; 2], radius: f64, lobes: f64, depth: f64, turn: f64) -> Vec<[f64; 2]> {
    let corners = 96;
    (0..corners)
        .map(|i| {
            let angle = TAU * f64::from(i) / f64::from(corners);
            // Round bumps with sharp valleys between them.
            let bump = (0.5 * lobes * (angle + turn)).sin().abs();
            let r = radius * (1.0 - depth + depth * bump);
            let (sin, cos) = angle.sin_cos();
            [x + r * cos, y + r * sin]
        })
        .collect()
}

/// Draws the soft shadow of a crown.
pub(crate) fn shadow(canvas: &mut Canvas, circle: &Circle) {
    let Circle {
        center: [x, y],
        radius,
    } = *circle;
    let place = [x + 0.42 * radius, y + 0.5 * radius];
    canvas.glow(place, 1.5 * radius, Color::hex(0x000e_2a1a).faint(0.85));
}

/// Draws a broad crown in four tones, or a conifer in three.
pub(crate) fn tree(canvas: &mut Canvas, circle: &Circle, id: u64) {
    let mut dice = dice(1, id);
    let Circle {
        center: [x, y],
        radius,
    } = *circle;
    let turn = TAU * dice.unit();
    let kind = dice.unit();
    let tint = dice.unit();
    if kind < 0.3 {
        let tones = [0x001b_4332, 0x0024_5c43, 0x0034_7a56, 0x0055_9d73].map(Color::hex);
        for (i, tone) in (0..).zip(tones) {
            let step = f64::from(i);
            let shift = -0.07 * step * radius;
            let tier = lobed(
                [x + shift, y + shift],
                radius * (1.0 - 0.24 * step),
                9.0,
                0.3,
                turn + step,
            );
            canvas.polygon(&tier, tone.to(Color::hex(0x000f_3a3a), 0.3 * tint));
        }
        return;
    }
    let (from, to): ([u32; 4], [u32; 4]) = if kind > 0.94 {
        (
            [0x009a_4a17, 0x00c7_6b1e, 0x00e3_9433, 0x00f4_bd5c],
            [0x008c_3a17, 0x00b9_5421, 0x00da_7a33, 0x00f0_a55c],
        )
    } else {
        (
            [0x0024_5a2a, 0x003a_7a34, 0x0057_9840, 0x007f_b654],
            [0x003f_6420, 0x005f_882c, 0x0082_a53c, 0x00ab_c45a],
        )
    };
    let tones: [Color; 4] =
        std::array::from_fn(|i| Color::hex(from[i]).to(Color::hex(to[i]), tint));
    canvas.polygon(&lobed([x, y], radius, 9.0, 0.14, turn), tones[0]);
    let lit = [x - 0.1 * radius, y - 0.12 * radius];
    canvas.polygon(&lobed(lit, 0.82 * radius, 8.0, 0.16, turn + 1.0), tones[1]);
    // Clumps of leaves around the lit side.
    for (i, tone) in [
        (1.0, 2),
        (2.0, 2),
        (3.0, 2),
        (4.0, 2),
        (5.0, 3),
        (6.0, 3),
        (7.0, 3),
    ] {
        let (sin, cos) = (turn + i * 2.4).sin_cos();
        let inner = if tone == 3 { 0.24 } else { 0.38 };
        let toward = if tone == 3 { 0.28 } else { 0.14 };
        let size = if tone == 3 { 0.17 } else { 0.27 } + 0.05 * dice.unit();
        let place = [
            x + radius * (inner * cos - toward),
            y + radius * (inner * sin - toward),
        ];
        canvas.polygon(
            &lobed(place, size * radius, 5.0, 0.2, turn * i),
            tones[tone],
        );
    }
}

/// Draws a small crown in three tones.
pub(crate) fn bush(canvas: &mut Canvas, circle: &Circle, id: u64) {
    let mut dice = dice(2, id);
    let Circle {
        center: [x, y],
        radius,
    } = *circle;
    let (turn, tint) = (TAU * dice.unit(), dice.unit());
    let at = |dx: f64, dy: f64| [x + dx * radius, y + dy * radius];
    canvas.disk(at(0.3, 0.36), radius, Color::hex(0x000e_2a1a).faint(0.3));
    let tones = [0x0034_6b33, 0x0052_8c3f, 0x0086_b457].map(Color::hex);
    let tones = tones.map(|tone| tone.to(Color::hex(0x009a_8f3c), 0.45 * tint));
    canvas.polygon(&lobed([x, y], radius, 6.0, 0.2, turn), tones[0]);
    canvas.polygon(
        &lobed(at(-0.14, -0.16), 0.68 * radius, 5.0, 0.2, turn + 1.0),
        tones[1],
    );
    canvas.disk(at(-0.3, -0.32), 0.26 * radius, tones[2]);
}

/// Draws four or five petals around a yellow centre.
pub(crate) fn flower(canvas: &mut Canvas, circle: &Circle, id: u64) {
    let mut dice = dice(3, id);
    let Circle {
        center: [x, y],
        radius,
    } = *circle;
    let colors = [
        0x00ff_fdf4,
        0x00ff_fdf4,
        0x00f3_c1d9,
        0x00e8_5a71,
        0x00b5_8be0,
    ];
    let pick = (dice.unit() * colors.len() as f64) as usize;
    let color = Color::hex(colors[pick.min(colors.len() - 1)]);
    let petals = lobed([x, y], radius, 5.0, 0.45, TAU * dice.unit());
    canvas.polygon(&petals, color);
    canvas.disk([x, y], 0.34 * radius, Color::hex(0x00f6_c32c));
}

/// Draws a floating leaf with a notch, sometimes with a blossom.
pub(crate) fn lily(canvas: &mut Canvas, point: &Sample<2>) {
    let mut dice = dice(6, point.id);
    let [x, y] = point.position;
    let radius = (0.42 * point.min_dist).min(2.4);
    let turn = TAU * dice.unit();
    let rim = (0..=20).map(|i| {
        let (sin, cos) = (turn + 0.25 + (TAU - 0.5) * f64::from(i) / 20.0).sin_cos();
        [x + radius * cos, y + radius * sin]
    });
    let leaf: Vec<[f64; 2]> = rim.chain([[x, y]]).collect();
    let shade: Vec<[f64; 2]> = leaf.iter().map(|[x, y]| [x + 0.3, y + 0.4]).collect();
    canvas.polygon(&shade, Color::hex(0x0010_3b52).faint(0.5));
    let green = Color::hex(0x004f_9a55).to(Color::hex(0x008c_c265), dice.unit());
    canvas.polygon(&leaf, green);
    if dice.unit() < 0.3 {
        let petals = lobed([x, y], 0.55 * radius, 6.0, 0.4, turn);
        canvas.polygon(&petals, Color::hex(0x00ff_e3f0));
        canvas.disk([x, y], 0.18 * radius, Color::hex(0x00f6_c32c));
    }
}

/// Draws three blades of grass.
pub(crate) fn tuft(canvas: &mut Canvas, circle: &Circle, id: u64) {
    let mut dice = dice(4, id);
    let [x, y] = circle.center;
    let color = Color::hex(0x005f_8f3a).to(Color::hex(0x0092_b84f), dice.unit());
    for lean in [-0.6, 0.05, 0.7] {
        let height = 1.3 + 0.7 * dice.unit();
        let tip = [x + lean * height, y - height];
        canvas.polygon(&[[x - 0.22, y], tip, [x + 0.22, y]], color);
    }
}

/// Draws a stone and its shadow.
pub(crate) fn pebble(canvas: &mut Canvas, circle: &Circle, id: u64) {
    let mut dice = dice(5, id);
    let Circle {
        center: [x, y],
        radius,
    } = *circle;
    canvas.disk(
        [x + 0.2 * radius, y + 0.3 * radius],
        radius,
        Color::hex(0x007d_6a45).faint(0.6),
    );
    let grey = Color::hex(0x00a8_9f8d).to(Color::hex(0x00ee_e6d3), dice.unit());
    canvas.disk([x, y], 0.9 * radius, grey);
}
