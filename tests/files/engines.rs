//! Orientation of every format in the program that opens it: an F is neither mirrored nor turned.

use density::{Bounds, Constant, MapOptions, PixelGrid, RadiusMap, White};
use export::{Format, Ground, Header, Placing, Scale, ScaleBy, Stance, Turn, YAxis};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_tests::pinned::map;
use spinney_tests::readback::{PLAIN, Pose, Seen, seen};
use spinney_tests::{RANKS_AND_LAYERS, written};
use std::sync::Arc;

const ORIGIN: [f64; 2] = [-300.0, 1e5];

/// Returns the field of the map of an F.
fn letter(y_axis: YAxis) -> RadiusMap {
    let options = MapOptions {
        white: White::Sparse,
        bounds: Some(Bounds::with_origin(ORIGIN, [120.0, 160.0]).expect("a good box")),
        y_axis,
    };
    map("f.png", 2.0, 8.0, options).0
}

/// Returns points of the F, with everything that a file can contain.
fn points(field: &RadiusMap) -> Vec<Sample<2>> {
    Bridson::new(field, field.bounds(), BridsonOptions::default())
        .expect("a good field")
        .map(|sample| Sample {
            id: sample.id.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            rank: Some(sample.id as u32 % 5),
            layer: Some([0, 3][sample.id as usize % 2]),
            ..sample
        })
        .collect()
}

fn header(field: &RadiusMap, y_axis: YAxis) -> Header<2> {
    let mut header = Header::new("bridson", 1, 0, Rule::Max, field.bounds());
    header.y_axis = y_axis;
    header.columns = RANKS_AND_LAYERS;
    header.layers = ["oak", "fern", "moss", "birch"].map(str::to_owned).to_vec();
    header
}

/// Returns each point as the format's program shows it, with its sample. Some formats store one layer
/// after the other, so that points are in the order of their layers.
#[track_caller]
fn shown(format: Format, header: &Header<2>, samples: &[Sample<2>]) -> Vec<(Seen, Sample<2>)> {
    let mut seen = seen(format, &written(format, header, samples), header.y_axis);
    assert_eq!(seen.len(), samples.len(), "{format}");
    seen.sort_by_key(|point| point.layer);
    let mut samples = samples.to_vec();
    samples.sort_by_key(|sample| sample.layer);
    seen.into_iter().zip(samples).collect()
}

/// Returns the mean difference between the points' values and the picture's greys below them.
/// `middle` is the common centre, and `turn` rotates the picture.
fn difference(picture: &RadiusMap, seen: &[Seen], middle: [f64; 2], turn: [[f64; 2]; 2]) -> f64 {
    let size = picture.bounds().size();
    let sum: f64 = seen
        .iter()
        .map(|point| {
            let (right, down) = (point.right - middle[0], point.down - middle[1]);
            let place = [0, 1].map(|k| {
                let min = picture.bounds().min()[k];
                let along = turn[k][0] * right + turn[k][1] * down;
                min + (size[k] * 0.5 + along).clamp(0.0, size[k])
            });
            let grey = picture.grey_at(place).expect("an opaque picture");
            (grey - point.value).abs()
        })
        .sum();
    sum / seen.len() as f64
}

#[test]
fn an_f_is_an_f_in_every_program() {
    for y_axis in [YAxis::Down, YAxis::Up] {
        let field = letter(y_axis);
        let picture = letter(YAxis::Down);
        let header = header(&field, y_axis);
        let samples = points(&field);
        let (min, max) = (field.bounds().min(), field.bounds().max());
        let mut middle = [0, 1].map(|k| (min[k] + max[k]) * 0.5);
        for &format in Format::ALL {
            let seen = seen(format, &written(format, &header, &samples), y_axis);
            assert_eq!(seen.len(), samples.len(), "{format}");
            middle[1] = middle[1].abs().copysign(seen[0].down);
            let upright = [[1.0, 0.0], [0.0, 1.0]];
            let off = difference(&picture, &seen, middle, upright);
            assert!(off < 1e-3, "{format}, {y_axis:?}: {off}");
            for turned in [
                [[-1.0, 0.0], [0.0, 1.0]],
                [[1.0, 0.0], [0.0, -1.0]],
                [[-1.0, 0.0], [0.0, -1.0]],
                [[0.0, 1.0], [1.0, 0.0]],
                [[0.0, -1.0], [1.0, 0.0]],
                [[0.0, 1.0], [-1.0, 0.0]],
                [[0.0, -1.0], [-1.0, 0.0]],
            ] {
                let off = difference(&picture, &seen, middle, turned);
                assert!(off > 0.1, "an F turned by {turned:?} looks the same: {off}");
            }
        }
    }
}

/// The bounds of `docs/artists.md`, *Precision*, for programs that add the node's place in 64 bits and in 32 bits.
#[test]
fn pairs_in_scenes_are_hardly_nearer_than_in_memory() {
    for origin in [0.0, 500_000.3, 2_048_000_061.0] {
        let domain = Bounds::with_origin([origin; 2], [6.0; 2]).expect("a box");
        let field = Constant::new(1.0).expect("a field");
        let options = BridsonOptions::default();
        let samples = Bridson::new(&field, domain, options).expect("a run");
        let samples: Vec<Sample<2>> = samples.collect();
        let header = Header::new("bridson", 1, 0, Rule::Max, domain);
        let slack = 1e-7 * 6.0 + 2e-14 * (origin + 6.0);
        let slack_in_32 = slack + 3e-7 * (origin + 6.0);
        let in_32 = |x: f64| f64::from(x as f32);
        for format in [Format::Glb, Format::Usda, Format::Godot] {
            let seen = seen(format, &written(format, &header, &samples), YAxis::Down);
            let pairs = samples.iter().zip(&seen);
            for (a, a_seen) in pairs.clone() {
                for (b, b_seen) in pairs.clone() {
                    let [x, y] = [0, 1].map(|k| a.position[k] - b.position[k]);
                    let read = (a_seen.right - b_seen.right).hypot(a_seen.down - b_seen.down);
                    assert!(read >= x.hypot(y) - slack, "{format}, {origin}");
                    let right = in_32(a_seen.right) - in_32(b_seen.right);
                    let down = in_32(a_seen.down) - in_32(b_seen.down);
                    let read = right.hypot(down);
                    assert!(read >= x.hypot(y) - slack_in_32, "{format}, {origin}");
                }
            }
        }
    }
}

#[test]
fn every_point_is_there_with_all_that_is_known_of_it() {
    let field = letter(YAxis::Up);
    let header = header(&field, YAxis::Up);
    let samples = points(&field);
    for &format in Format::ALL {
        for (point, sample) in shown(format, &header, &samples) {
            // Files store 32-bit floats, up to 100 units from the centre of the domain.
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-5, "{format}: {a} {b}");
            assert_eq!(point.id, sample.id, "{format}");
            near(point.right, sample.position[0]);
            near(-point.down, sample.position[1]);
            near(point.up, 0.0);
            near(point.min_dist, sample.min_dist);
            near(point.value, sample.value);
            assert_eq!(Some(point.layer), sample.layer, "{format}");
            assert_eq!(point.rank, sample.rank, "{format}");
        }
    }
}

/// 32-bit places relative to the middle of a world this wide would be some 0.01 off.
#[test]
fn scenes_of_a_window_are_as_precise_as_the_window_is_small() {
    let field = letter(YAxis::Up);
    let window = field.bounds();
    let mut header = header(&field, YAxis::Up);
    header.domain = Bounds::new([-5e5; 2], [1e6; 2]).expect("a good box");
    header.window = Some(window);
    let samples = points(&field);
    for format in [Format::Glb, Format::Usda, Format::Godot] {
        for (point, sample) in shown(format, &header, &samples) {
            let off = [
                point.right - sample.position[0],
                -point.down - sample.position[1],
            ];
            assert!(off.iter().all(|d| d.abs() < 1e-5), "{format}: {off:?}");
        }
    }
}

/// Returns a slope that rises by 0.25 to the east and falls by 0.5 to the south.
fn slope(field: &RadiusMap, y_axis: YAxis) -> Ground {
    let height = |x, y| Some(7.0 + 0.25 * f64::from(x) - 0.5 * f64::from(y));
    let grid = PixelGrid::new([120, 160], field.bounds(), y_axis).expect("a good grid");
    Ground::from_fn(grid, height).expect("a good ground")
}

/// Points on a slope have the library's rotation and scale.
#[test]
fn things_are_turned_sized_and_grounded_alike_everywhere() {
    for y_axis in [YAxis::Down, YAxis::Up] {
        let field = letter(y_axis);
        let ground = slope(&field, y_axis);
        let mut header = header(&field, y_axis);
        header.placing = Placing {
            seed: 5,
            turn: Turn::Random,
            scale: Some(Scale::new(0.5, 2.0, ScaleBy::Random).expect("good")),
            ground: Some(Arc::new(ground)),
            stance: Stance::Upright,
        };
        let samples = points(&field);
        for &format in Format::ALL {
            if PLAIN.contains(&format) {
                continue;
            }
            let top = match y_axis {
                YAxis::Down => field.bounds().min()[1],
                YAxis::Up => -field.bounds().max()[1],
            };
            for (point, sample) in shown(format, &header, &samples) {
                let near = |a: f64, b: f64, limit: f64| {
                    assert!((a - b).abs() < limit, "{format}, {y_axis:?}: {a} {b}");
                };
                let turn = header.placing.turn_of(&sample);
                near((point.turn - turn + 180.0).rem_euclid(360.0), 180.0, 1e-4);
                near(point.scale, header.placing.scale_of(&sample), 1e-6);
                let (right, down) = (point.right - ORIGIN[0] - 0.5, point.down - top - 0.5);
                let inside = (0.0..119.0).contains(&right) && (0.0..159.0).contains(&down);
                if inside {
                    near(point.up, 7.0 + 0.25 * right - 0.5 * down, 1e-4);
                }
            }
        }
        let text = String::from_utf8(written(Format::Csv, &header, &samples)).expect("text");
        let names = "id,x,y,min_dist,value,rank,layer,rotation,scale,height,normal_x,normal_y,\
                     normal_z,slope\n";
        assert!(text.starts_with(names), "{text}");
        let down = match y_axis {
            YAxis::Down => 0.5,
            YAxis::Up => -0.5,
        };
        let mut checked = 0;
        for line in text.lines().skip(1) {
            let cells: Vec<f64> = line
                .split(',')
                .map(|n| n.parse().expect("a number"))
                .collect();
            let [nx, ny, nz, slope] = [10, 11, 12, 13].map(|k| cells[k]);
            let steep = (0.25_f64 * 0.25 + 0.5 * 0.5).sqrt();
            if (slope - steep.atan().to_degrees()).abs() < 1e-3 {
                assert!((nx / nz + 0.25).abs() < 1e-4 && (ny / nz - down).abs() < 1e-4);
                checked += 1;
            }
        }
        assert!(
            checked * 10 > samples.len() * 9,
            "all but those at the edge"
        );
    }
}

/// Turns `v` by the smallest rotation from upright to `normal` (Rodrigues): right, down, up.
fn tilted(v: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = (normal[0].hypot(normal[1]), normal[2]);
    // Components along the axis' own frame: downhill, and across.
    let down = [normal[0] / sin, normal[1] / sin];
    let along = v[0] * down[0] + v[1] * down[1];
    let across = v[1] * down[0] - v[0] * down[1];
    let (along, up) = (along * cos + v[2] * sin, v[2] * cos - along * sin);
    [
        down[0] * along - down[1] * across,
        down[1] * along + down[0] * across,
        up,
    ]
}

/// Points on a slope are first turned, then tilted to its normal.
#[test]
fn things_stand_by_the_normal_everywhere() {
    let normal = [-0.25, 0.5, 1.0].map(|n: f64| n / 1.3125_f64.sqrt());
    for y_axis in [YAxis::Down, YAxis::Up] {
        let field = letter(y_axis);
        let ground = slope(&field, y_axis);
        let mut header = header(&field, y_axis);
        header.placing = Placing {
            turn: Turn::Random,
            ground: Some(Arc::new(ground)),
            stance: Stance::Normal,
            ..Placing::default()
        };
        let inside = |sample: &Sample<2>| {
            let place = [0, 1].map(|k| sample.position[k] - field.bounds().min()[k]);
            (1.0..119.0).contains(&place[0]) && (1.0..159.0).contains(&place[1])
        };
        let samples: Vec<_> = points(&field).into_iter().filter(inside).collect();
        let flat = [Format::GeoJson, Format::Svg];
        let engines = Format::ALL.iter().filter(|format| {
            let name = format.name();
            !PLAIN.contains(format) && !flat.contains(format) && name != "Parquet"
        });
        for &format in engines {
            for (point, sample) in shown(format, &header, &samples) {
                let (sin, cos) = header.placing.turn_of(&sample).to_radians().sin_cos();
                let east = tilted([cos, -sin, 0.0], normal);
                let pairs = [(point.pose.east, east), (point.pose.upright, normal)];
                for (got, wanted) in pairs {
                    for k in 0..3 {
                        let off = (got[k] - wanted[k]).abs();
                        assert!(off < 1e-5, "{format}, {y_axis:?}: {got:?}, not {wanted:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn space_has_its_height_and_no_points_make_a_file() {
    let domain = Bounds::new([-1.0, -2.0, -3.0], [9.0, 8.0, 7.0]).expect("a good box");
    let header = Header::new("bridson", 1, 0, Rule::Max, domain);
    let sample = Sample {
        id: 6,
        position: [1.5, 2.5, 3.5],
        min_dist: 2.0,
        value: 0.5,
        parent: None,
        rank: None,
        layer: None,
    };
    for &format in Format::ALL {
        if format == Format::Svg {
            continue;
        }
        let back = seen(format, &written(format, &header, &[sample]), YAxis::Down);
        let one = Seen {
            id: 6,
            right: 1.5,
            down: 2.5,
            up: 3.5,
            min_dist: 2.0,
            value: 0.5,
            layer: 0,
            rank: None,
            turn: 0.0,
            pose: Pose::LEVEL,
            scale: 1.0,
        };
        assert_eq!(back, [one], "{format}");
        let none = seen(format, &written::<3>(format, &header, &[]), YAxis::Down);
        assert!(none.is_empty(), "{format}");
    }
}
