//! Outputs that fail at any call: every writer returns the first error with its reason, and closes.

use density::{Bounds, Constant};
use sampler::{Rule, Sample};
use spinney_export::{
    ExportError, Format, Header, PointWriter, Preview, PreviewOptions, open, write_all,
};
use std::cell::RefCell;
use std::io::{self, Cursor, ErrorKind, Seek, SeekFrom, Write};
use std::rc::Rc;

/// The behaviour of the output from a given call on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Fails(ErrorKind),
    /// Takes no bytes, without an error.
    Full,
}

/// An output in memory. Calls are counted from 0.
#[derive(Clone)]
struct Disk {
    file: Rc<RefCell<Cursor<Vec<u8>>>>,
    calls: Rc<RefCell<usize>>,
    fault: Fault,
    from: usize,
    /// Greatest number of bytes taken per call.
    gulp: usize,
    /// Whether every other call is interrupted first.
    interrupted: bool,
}

impl Disk {
    fn new(fault: Fault, from: usize) -> Self {
        Self {
            file: Rc::default(),
            calls: Rc::default(),
            fault,
            from,
            gulp: usize::MAX,
            interrupted: false,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.file.borrow().get_ref().clone()
    }

    /// Counts a call. Returns `true` if this one takes no bytes.
    fn count(&self) -> io::Result<bool> {
        let call = self.calls.replace_with(|calls| *calls + 1);
        if self.interrupted && call.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        match self.fault {
            Fault::Fails(kind) if call >= self.from => Err(kind.into()),
            Fault::Full => Ok(call >= self.from),
            _ => Ok(false),
        }
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.count()? {
            return Ok(0);
        }
        let gulp = bytes.len().min(self.gulp);
        self.file.borrow_mut().write(&bytes[..gulp])
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.fault {
            Fault::Fails(_) => self.count().map(|_| ()),
            _ => Ok(()),
        }
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let Fault::Fails(_) = self.fault {
            self.count()?;
        }
        self.file.borrow_mut().seek(to)
    }
}

fn header() -> Header<2> {
    let domain = Bounds::from_size([100.0; 2]).expect("a good box");
    Header::new("bridson", 1, 0, Rule::Parent, domain)
}

fn samples(count: u64) -> impl Iterator<Item = Sample<2>> + Clone {
    (0..count).map(|id| Sample {
        id,
        position: [id as f64 / 97.0, (id * id % 1000) as f64 / 11.0],
        min_dist: 1.0 + (id % 7) as f64 / 3.0,
        value: (id % 13) as f64 / 12.0,
        parent: id.checked_sub(1),
        rank: None,
        layer: None,
    })
}

/// Number of points, enough to fill every writer's buffer several times.
const COUNT: u64 = 3000;

/// A function that opens a writer on a disk.
type Opener = Box<dyn Fn(Disk) -> Result<Box<dyn PointWriter<2>>, ExportError>>;

fn outputs() -> Vec<(String, Opener)> {
    let mut all: Vec<(String, Opener)> = Vec::new();
    for &format in Format::ALL {
        let opener = move |disk| open(format, disk, &header());
        all.push((format.name().to_owned(), Box::new(opener)));
    }
    let preview = |disk| {
        let field = Constant::new(1.0).expect("a good field");
        let options = PreviewOptions {
            max_side: 256,
            ..PreviewOptions::default()
        };
        let preview = Preview::new(&field, header().domain, options)?;
        Ok(Box::new(preview.into_writer(disk)) as Box<dyn PointWriter<2>>)
    };
    all.push(("PNG preview".to_owned(), Box::new(preview)));
    all
}

fn run(opener: &Opener, disk: &Disk) -> Result<(), ExportError> {
    let mut writer = opener(disk.clone())?;
    write_all(&mut writer, samples(COUNT)).map(|_| ())
}

#[test]
fn the_first_failure_is_told_whichever_call_it_is() {
    for (name, opener) in outputs() {
        for fault in [
            Fault::Fails(ErrorKind::StorageFull),
            Fault::Fails(ErrorKind::BrokenPipe),
            Fault::Full,
        ] {
            let mut failures = 0;
            for from in 0.. {
                let disk = Disk::new(fault, from);
                let Err(error) = run(&opener, &disk) else {
                    break;
                };
                failures += 1;
                let wanted = match fault {
                    Fault::Fails(kind) => kind,
                    _ => ErrorKind::WriteZero,
                };
                let is_broken_pipe = wanted == ErrorKind::BrokenPipe;
                assert_eq!(error.is_broken_pipe(), is_broken_pipe, "{name} at {from}");
                match error {
                    ExportError::Io { output, source } => {
                        assert_eq!(source.kind(), wanted, "{name}, {fault:?} at {from}");
                        assert_eq!(output, name);
                    }
                    other => panic!("{name}, {fault:?} at {from}: {other:?}"),
                }
                assert!(from < 10_000, "{name} never ends");
            }
            assert!(failures >= 2, "{name}, {fault:?}: {failures} failures");
        }
    }
}

#[test]
fn after_a_failure_it_is_closed() {
    let mut tried = 0;
    for (name, opener) in outputs() {
        let disk = Disk::new(Fault::Fails(ErrorKind::StorageFull), 1);
        let Ok(mut writer) = opener(disk) else {
            continue;
        };
        tried += 1;
        let failed = samples(COUNT).any(|sample| writer.write(&sample).is_err());
        let finished = writer.finish();
        assert!(failed || finished.is_err(), "{name}");
        let sample = samples(1).next().expect("one");
        for again in [writer.write(&sample), writer.finish()] {
            assert!(matches!(again, Err(ExportError::Closed { .. })), "{name}");
        }
    }
    assert!(tried > 5, "{tried}");
}

#[test]
fn after_its_end_it_is_closed() {
    for (name, opener) in outputs() {
        let mut writer = opener(Disk::new(Fault::None, 0)).expect("opened");
        writer.finish().expect("finished");
        let sample = samples(1).next().expect("one");
        for again in [writer.write(&sample), writer.finish()] {
            assert!(matches!(again, Err(ExportError::Closed { .. })), "{name}");
        }
    }
}

#[test]
fn small_gulps_and_interruptions_change_no_byte() {
    for (name, opener) in outputs() {
        let plain = Disk::new(Fault::None, 0);
        run(&opener, &plain).expect("written");
        for (gulp, interrupted) in [(1, false), (7, true), (usize::MAX, true)] {
            let disk = Disk {
                gulp,
                interrupted,
                ..Disk::new(Fault::None, 0)
            };
            let outcome = run(&opener, &disk);
            assert!(outcome.is_ok(), "{name}: {outcome:?}");
            assert!(disk.bytes() == plain.bytes(), "{name} by {gulp} bytes");
        }
    }
}

/// A writer dropped without `finish` leaves a file that readers can recognise as incomplete, if the
/// format allows that.
#[test]
fn what_was_not_finished_does_not_look_so() {
    for (name, opener) in outputs() {
        let disk = Disk::new(Fault::None, 0);
        let mut writer = opener(disk.clone()).expect("opened");
        for sample in samples(COUNT) {
            writer.write(&sample).expect("written");
        }
        drop(writer);
        let whole = Disk::new(Fault::None, 0);
        run(&opener, &whole).expect("written");
        // CSV and Unreal's tables are only lines: they cannot show that more should follow.
        if !matches!(name.as_str(), "CSV" | "Unreal CSV") {
            assert!(disk.bytes() != whole.bytes(), "{name} looks finished");
        }
    }
}

#[test]
fn numbers_that_files_cannot_hold_are_refused_and_written_nowhere() {
    for (name, opener) in outputs() {
        let good = samples(1).next().expect("one");
        let plain = Disk::new(Fault::None, 0);
        let mut writer = opener(plain.clone()).expect("opened");
        write_all(&mut writer, [good]).expect("written");
        drop(writer);
        // A picture refuses no point.
        let is_picture = name == "PNG preview";
        for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let disk = Disk::new(Fault::None, 0);
            let mut writer = opener(disk.clone()).expect("opened");
            for bad in [
                Sample {
                    position: [wild, 1.0],
                    ..good
                },
                Sample {
                    position: [1.0, wild],
                    ..good
                },
                Sample {
                    min_dist: wild,
                    ..good
                },
                Sample {
                    value: wild,
                    ..good
                },
            ] {
                let refused = writer.write(&bad);
                assert!(is_picture || refused.is_err(), "{name} took {bad:?}");
            }
            // The next good point is still taken, and the file equals one with only that point.
            writer.write(&good).expect("written");
            writer.finish().expect("finished");
            drop(writer);
            let is_plain = disk.bytes() == plain.bytes();
            assert!(is_picture || is_plain, "{name} kept {wild}");
        }
        // The largest and the smallest numbers are written, or refused with a clear error.
        for extreme in [f64::MAX, -f64::MAX, 5e-324, -0.0] {
            let mut writer = opener(Disk::new(Fault::None, 0)).expect("opened");
            let sample = Sample {
                position: [extreme; 2],
                min_dist: extreme,
                ..good
            };
            let taken = writer.write(&sample);
            let told = matches!(
                taken,
                Ok(()) | Err(ExportError::NotFinite { .. } | ExportError::BeyondSingle { .. })
            );
            assert!(told, "{name}: {taken:?}");
            writer.finish().expect("finished");
        }
    }
}
