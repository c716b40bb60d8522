//! The page is drawn for every set, however odd.

use crate::sets::{bridson, open, set};
use sampler::density::YAxis;
use spinney_quality::{Claim, Measures, PointSet, Rule, judge, plot};

fn draw<const D: usize>(set: &PointSet<D>, size: [f64; D], distance: f64) -> (u32, u32, Vec<u8>) {
    draw_along(YAxis::Down, set, size, distance)
}

fn draw_along<const D: usize>(
    y_axis: YAxis,
    set: &PointSet<D>,
    size: [f64; D],
    distance: f64,
) -> (u32, u32, Vec<u8>) {
    let domain = open(size);
    let claim = Claim::Uniform(distance);
    let judgement =
        judge(set, &[], &domain, claim, Rule::Max, Measures::All).expect("can be judged");
    let bytes = plot("a\nset", y_axis, set, &domain, &judgement).expect("a page");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("fits")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    (info.width, info.height, pixels)
}

#[test]
fn a_page_has_ink_in_every_panel() {
    let (width, height, pixels) = draw(&set(bridson(60.0, 1.0, 1)), [60.0, 60.0], 1.0);
    assert_eq!(width, 1600);
    let ink = |left: u32, top: u32, wide: u32, high: u32| {
        let inside = |at: usize| {
            let (x, y) = (at as u32 % width, at as u32 / width);
            (left..left + wide).contains(&x) && (top..top + high).contains(&y)
        };
        let pixels = pixels.chunks_exact(3).enumerate();
        let dark = pixels.filter(|(at, rgb)| inside(*at) && rgb.iter().any(|&c| c < 200));
        dark.count()
    };
    assert!(ink(0, 0, width, 70) > 500, "the title and the figures");
    let panels = [
        (0, 70, 800, 760),
        (800, 70, 800, 760),
        (0, 830, 533, height - 830),
        (533, 830, 533, height - 830),
        (1067, 830, 533, height - 830),
    ];
    for (left, top, wide, high) in panels {
        assert!(ink(left, top, wide, high) > 2000, "{left}, {top}");
    }
}

/// The points lie where the map's picture has them: y = 0 is at the bottom if y points up.
#[test]
fn the_panel_of_points_is_upright() {
    let points = bridson(60.0, 1.0, 1).into_iter();
    let low: Vec<[f64; 2]> = points.filter(|p| p[1] < 20.0).collect();
    for (y_axis, is_above) in [(YAxis::Down, true), (YAxis::Up, false)] {
        let (width, _, pixels) = draw_along(y_axis, &set(low.clone()), [60.0, 60.0], 1.0);
        let rows = pixels.chunks_exact(3 * width as usize);
        let ink = |row: &[u8]| {
            row[3 * 40..3 * 700]
                .chunks_exact(3)
                .filter(|rgb| rgb[0] < 60)
                .count()
        };
        let inks: Vec<usize> = rows.map(ink).collect();
        let (above, below) = (&inks[140..340], &inks[550..750]);
        let is_more = above.iter().sum::<usize>() > below.iter().sum::<usize>();
        assert_eq!(is_more, is_above, "{y_axis:?}");
    }
}

#[test]
fn odd_sets_do_not_stop_it() {
    draw(&set(vec![]), [1.0, 1.0], 0.1);
    draw(&set(vec![[0.5, 0.5]]), [1.0, 1.0], 0.1);
    draw(&set(vec![[0.5, 0.5]; 3]), [1.0, 1.0], 0.1);
    draw(
        &set(vec![[1e100, 1e99], [2e100, 2e99]]),
        [1e101, 1e100],
        1e100,
    );
    draw(
        &set(vec![[1e-100, 1e-99], [2e-99, 3e-99]]),
        [1e-97, 1e-98],
        1e-99,
    );
    draw(&set(vec![[500.0, 0.5], [700.0, 0.1]]), [1000.0, 1.0], 3.0);
    let solid = PointSet::from_positions(vec![[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]).expect("good");
    draw(&solid, [5.0, 5.0, 5.0], 1.0);
}
