//! Every format returns the written values, to the last bit.

use density::Bounds;
use export::{
    Columns, ExportError, Format, Header, Ids, PointWriter, Presence, Scale, ScaleBy, YAxis, open,
    write_all,
};
use proptest::prelude::*;
use sampler::{Rule, Sample};
use spinney_tests::readback::{PLAIN, Point, read};
use spinney_tests::written;
use std::io::{Cursor, Seek, SeekFrom, Write};

fn header<const D: usize>(rule: Rule) -> Header<D> {
    let domain = Bounds::new([-1.5; D], [1e6; D]).expect("a good box");
    Header::new("bridson", 1, u64::MAX, rule, domain)
}

fn formats(dimension: usize) -> impl Iterator<Item = Format> {
    PLAIN
        .into_iter()
        .filter(move |format| dimension == 2 || *format != Format::Svg)
}

const ALL: Columns = Columns {
    ids: Ids::Counted,
    parent: Presence::Write,
    rank: Presence::Write,
    layer: Presence::Write,
};

/// Returns numbers of every size, including those that formats easily damage.
fn number() -> impl Strategy<Value = f64> {
    let awkward = prop::sample::select(vec![
        0.0,
        -0.0,
        1e-7,
        0.1,
        1.0 / 3.0,
        1e15,
        1e16,
        1e21,
        1e22,
        1e300,
        -1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f64::EPSILON,
        2.225_073_858_507_201e-308,
        9_007_199_254_740_993.0,
    ]);
    let any = any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("files hold finite numbers", |x| x.is_finite());
    prop_oneof![awkward, any, -1e4..1e4]
}

fn sample<const D: usize>() -> impl Strategy<Value = Sample<D>> {
    let id = prop_oneof![0..1000_u64, 0..=1_u64 << 53];
    (
        id.clone(),
        prop::array::uniform::<_, D>(number()),
        number().prop_map(f64::abs),
        number(),
        prop::option::of(id),
        prop::option::of(any::<u32>()),
        prop::option::of(any::<u32>()),
    )
        .prop_map(
            |(id, position, min_dist, value, parent, rank, layer)| Sample {
                id,
                position,
                min_dist,
                value,
                parent,
                rank,
                layer,
            },
        )
}

fn check<const D: usize>(columns: Columns, samples: &[Sample<D>]) -> Result<(), TestCaseError> {
    let mut header = header::<D>(Rule::Max);
    header.columns = columns;
    for format in formats(D) {
        let back = read(format, &written(format, &header, samples));
        prop_assert_eq!(back.len(), samples.len(), "{}", format);
        for (got, sample) in back.iter().zip(samples) {
            let mut wanted = Point::of(sample);
            let kept = |presence| presence == Presence::Write;
            wanted.parent = wanted.parent.filter(|_| kept(columns.parent));
            wanted.rank = wanted.rank.filter(|_| kept(columns.rank));
            wanted.layer = wanted.layer.filter(|_| kept(columns.layer));
            prop_assert_eq!(got, &wanted, "{}", format);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn flat_points_come_back(samples in prop::collection::vec(sample::<2>(), 0..40)) {
        check(Columns::default(), &samples)?;
        check(Columns::for_rule(Rule::Parent), &samples)?;
        check(ALL, &samples)?;
    }

    #[test]
    fn hashed_ids_come_back_whole(
        mut samples in prop::collection::vec(sample::<2>(), 0..40),
        ids in prop::collection::vec(any::<u64>(), 40),
    ) {
        for (sample, id) in samples.iter_mut().zip(ids) {
            sample.id = id;
        }
        check(Columns { ids: Ids::Hashed, ..ALL }, &samples)?;
    }

    #[test]
    fn points_in_space_come_back(samples in prop::collection::vec(sample::<3>(), 0..40)) {
        check(Columns::for_rule(Rule::Mean), &samples)?;
        check(ALL, &samples)?;
        check(Columns { ids: Ids::Hashed, ..ALL }, &samples)?;
    }
}

fn one(id: u64) -> Sample<2> {
    Sample {
        id,
        position: [1e-7, 1234.5],
        min_dist: 4.0,
        value: -0.0,
        parent: None,
        rank: None,
        layer: None,
    }
}

#[test]
fn text_files_look_as_documented() {
    let samples = [
        one(7),
        Sample {
            parent: Some(7),
            ..one(8)
        },
    ];
    let header = header(Rule::Parent);
    let text = |format| String::from_utf8(written(format, &header, &samples)).expect("text");
    assert_eq!(
        text(Format::Csv),
        "id,x,y,min_dist,value,parent\n7,1e-7,1234.5,4.0,-0.0,\n8,1e-7,1234.5,4.0,-0.0,7\n"
    );
    let json = text(Format::Json);
    assert_eq!(json.lines().count(), 5, "{json}");
    assert!(
        json.contains(r#"{"id":8,"x":1e-7,"y":1234.5,"min_dist":4.0,"value":-0.0,"parent":7}"#),
        "{json}"
    );
    assert!(json.contains(r#""seed":18446744073709551615,"rule":"parent""#));
    let svg = text(Format::Svg);
    assert!(
        svg.contains(
            r#"<circle id="p7" cx="1e-7" cy="1234.5" data-min-dist="4.0" data-value="-0.0" r="1.0"/>"#
        ),
        "{svg}"
    );
    let head =
        r#"width="1000001.5mm" height="1000001.5mm" viewBox="-1.5 -1.5 1000001.5 1000001.5""#;
    assert!(svg.contains(head), "{svg}");
    let ply = written(Format::Ply, &header, &samples);
    let head = String::from_utf8_lossy(&ply);
    assert!(head.contains("\nelement vertex 2\n"), "{head}");
    assert!(head.contains("\ncomment algorithm_version 1\n"), "{head}");
}

/// Dots that grow with `min_dist` would hide the tones of a picture.
#[test]
fn dots_of_a_drawing_have_the_scale_of_their_points() {
    let mut header = header::<2>(Rule::Max);
    let scale = Scale::new(0.75, 0.75, ScaleBy::Random).expect("positive");
    header.placing.scale = Some(scale);
    let svg = String::from_utf8(written(Format::Svg, &header, &[one(0)])).expect("text");
    assert!(svg.contains(r#"data-scale="0.75" r="0.75"/>"#), "{svg}");
}

#[test]
fn hashes_ranks_and_layers_look_as_documented() {
    let mut header = header(Rule::Max);
    header.columns = Columns {
        ids: Ids::Hashed,
        parent: Presence::Omit,
        ..ALL
    };
    let samples = [Sample {
        rank: Some(3),
        layer: None,
        ..one(u64::MAX - 1)
    }];
    let text = |format| String::from_utf8_lossy(&written(format, &header, &samples)).into_owned();
    assert_eq!(
        text(Format::Csv),
        "id,x,y,min_dist,value,rank,layer\n18446744073709551614,1e-7,1234.5,4.0,-0.0,3,\n"
    );
    let json = text(Format::Json);
    assert!(
        json.contains(r#"{"id":"18446744073709551614","x":1e-7,"#)
            && json.contains(r#""rank":3,"layer":null}"#),
        "{json}"
    );
    let ply = text(Format::Ply);
    assert!(
        ply.contains("property uint id_hi\nproperty uint id_lo\nproperty double x\n"),
        "{ply}"
    );
    let svg = text(Format::Svg);
    assert!(svg.contains(r#"id="p18446744073709551614""#), "{svg}");
    assert!(svg.contains(r#"data-rank="3" r="1.0"/>"#), "{svg}");
}

#[test]
fn a_hostile_name_cannot_break_a_file() {
    let mut header = header::<2>(Rule::Max);
    header.algorithm = "\"</desc>\n\u{0}end_header\n&é".into();
    for format in PLAIN {
        let back = read(format, &written(format, &header, &[one(1)]));
        assert_eq!(back, [Point::of(&one(1))], "{format}");
    }
    let svg = String::from_utf8(written(Format::Svg, &header, &[])).expect("text");
    let name = "&quot;&lt;/desc&gt;??end_header?&amp;?";
    assert!(svg.contains(name), "{svg}");
}

#[test]
fn upward_y_turns_the_drawing_not_the_numbers() {
    let mut header = header::<2>(Rule::Max);
    header.y_axis = YAxis::Up;
    let svg = written(Format::Svg, &header, &[one(0)]);
    assert_eq!(read(Format::Svg, &svg), [Point::of(&one(0))]);
    let text = String::from_utf8(svg).expect("text");
    assert!(
        text.contains("translate(0 1000000.0) scale(1 -1) translate(0 1.5)"),
        "{text}"
    );
}

#[test]
fn svg_refuses_space() {
    let refused = open(
        Format::Svg,
        Cursor::new(Vec::new()),
        &header::<3>(Rule::Max),
    );
    assert!(matches!(
        refused.err(),
        Some(ExportError::Dimension { dimension: 3, .. })
    ));
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_the_next_point_is_written() {
    let infinite = Sample {
        value: f64::INFINITY,
        ..one(1)
    };
    let great_id = one((1 << 53) + 1);
    let great_parent = Sample {
        parent: Some(u64::MAX),
        ..one(2)
    };
    for format in PLAIN {
        let mut file = Cursor::new(Vec::new());
        let mut writer = open(format, &mut file, &header(Rule::Parent)).expect("a writer");
        assert!(matches!(
            writer.write(&infinite),
            Err(ExportError::NotFinite {
                id: 1,
                column: "value",
                ..
            })
        ));
        let narrow = |written: Result<(), ExportError>, column| match written {
            Err(ExportError::IdTooLarge { column: c, .. }) => c == column,
            other => other.is_err() && panic!("{format}: {other:?}"),
        };
        assert_eq!(
            narrow(writer.write(&great_id), "id"),
            matches!(format, Format::Json | Format::Ply)
        );
        assert_eq!(
            narrow(writer.write(&great_parent), "parent"),
            matches!(format, Format::Json | Format::Ply | Format::Npy)
        );
        writer.write(&one(3)).expect("a good point");
        writer.finish().expect("finished");
        drop(writer);
        let back = read(format, file.get_ref());
        assert_eq!(back.last(), Some(&Point::of(&one(3))), "{format}");
    }
}

#[test]
fn an_unfinished_count_is_no_number() {
    for format in [Format::Ply, Format::Npy] {
        let mut file = Cursor::new(Vec::new());
        let mut writer = open(format, &mut file, &header(Rule::Max)).expect("a writer");
        writer.write(&one(0)).expect("written");
        drop(writer);
        let bytes = file.into_inner();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("vertex ?") || text.contains("(?,)"), "{text}");
    }
}

#[test]
fn a_file_may_begin_in_the_middle_of_its_output() {
    for format in PLAIN {
        let mut file = Cursor::new(b"before".to_vec());
        file.seek(SeekFrom::End(0)).expect("a cursor seeks");
        let mut writer = open(format, &mut file, &header(Rule::Max)).expect("a writer");
        write_all(&mut writer, [one(5)]).expect("written");
        drop(writer);
        file.write_all(b"after").expect("a cursor writes");
        let bytes = file.into_inner();
        let ours = bytes
            .strip_prefix(b"before")
            .and_then(|b| b.strip_suffix(b"after"))
            .expect("nothing else is touched");
        assert_eq!(read(format, ours), [Point::of(&one(5))], "{format}");
    }
}
