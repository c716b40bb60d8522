//! CSV files that look readable, and of which rows could be lost.

use spinney_quality::files::{Format, Points, read};

fn positions(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let file = read(text.as_bytes(), Format::Csv).map_err(|e| e.to_string())?;
    match file.points {
        Points::Flat(set) => Ok(set.positions().to_vec()),
        Points::Solid(_) => panic!("flat points were read as solid"),
    }
}

/// Regression: a quote that was not closed, or two of them, hid the rows that followed.
#[test]
fn a_quote_that_is_not_closed_is_refused_with_its_line() {
    for (text, line) in [
        ("x,y,name\n1,1,oak\n3,1,\"elm\n3.1,1,ash\n5,1,fir\n", 3),
        ("x,y,name\n1,1,oak\n3,1,\"\n4,1,\"\n5,1,fir\n", 3),
        (
            "x,y,name\r\n1,1,\"oak\r\n3,1,elm\r\n4,1,\"ash\r\n5,1,fir\r\n",
            2,
        ),
        ("name,x,y\n\"oak,1,1\nelm,3,1\n", 2),
        ("x,y,\"name\n1,1,oak\n3,1,elm\n", 1),
        ("x,y,name\r1,1,\"oak\r3,1,elm\r", 1),
    ] {
        let problem = positions(text).expect_err(text);
        let wanted = format!("CSV, line {line}: a quote is not closed in its line");
        assert!(problem.starts_with(&wanted), "{text:?}: {problem}");
    }
    let whole = "x , y,\"the, name\"\n\"1\",\" 2\",\"an \"\"old\"\" oak\"\n3 , 4\t,6\"\n";
    assert_eq!(positions(whole), Ok(vec![[1.0, 2.0], [3.0, 4.0]]));
}

/// Regression: errors named a line too early after `\r\n` and after empty lines.
#[test]
fn errors_name_the_line_of_the_row() {
    for text in ["x,y\r\n1,2\r\n3,a\r\n", "x,y\n\n3,a\n", "\n\nx,y,x\n"] {
        let problem = positions(text).expect_err(text);
        assert!(problem.starts_with("CSV, line 3: "), "{text:?}: {problem}");
    }
}

/// Regression: rows that begin with `#` were passed over as comments.
#[test]
fn comments_end_before_the_header() {
    let table = "# trees\n\n# of the park\nname,x,y\noak,1,1\n#7 elm,3,1\n";
    assert_eq!(positions(table), Ok(vec![[1.0, 1.0], [3.0, 1.0]]));
    let late = "x,y\n1,1\n# removed\n2,2\n";
    let problem = positions(late).expect_err("a row of one field");
    let wanted =
        "CSV, line 3: 1 fields, but the header has 2; comments stand before the header only";
    assert_eq!(problem, wanted);
}
