//! Measures time and memory of decoding files made to break decoders. It is one test, in a program
//! of its own, because the memory measured is the whole program's.
#![cfg(feature = "image")]

#[path = "density/collection.rs"]
mod collection;

use collection::{files, folder};
use spinney_density::decode::{Channel, Raster, ReadOptions};
use std::fs;
use std::time::{Duration, Instant};

/// Returns the peak memory of this program, bytes, if the system reports it.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

#[test]
fn hostile_files_are_quick_and_small() {
    let Some(root) = folder("hostile") else {
        return;
    };
    let mut slowest = Duration::ZERO;
    let mut largest = 0;
    let mut count = 0;
    for path in files(&root)
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|f| files(f))
    {
        let bytes = fs::read(&path).expect("a readable file");
        count += 1;
        for channel in [Channel::Luma, Channel::R, Channel::Named("1".to_owned())] {
            let options = ReadOptions {
                channel,
                ..ReadOptions::default()
            };
            let before = most_memory().unwrap_or(0);
            let started = Instant::now();
            let result = Raster::decode(&bytes, &options);
            let time = started.elapsed();
            // The system's figure may decrease a little between readings.
            let grown = most_memory().unwrap_or(0).saturating_sub(before) >> 20;
            if time > Duration::from_millis(100) || grown > 10 {
                let said = result.map(|raster| (raster.width(), raster.height()));
                println!("{}: {time:?}, {grown} MB more: {said:?}", path.display());
            }
            slowest = slowest.max(time);
            largest = largest.max(grown);
        }
    }
    println!("at most {slowest:?} and {largest} MB more than before");
    assert!(count >= 370, "only {count} files");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    assert!(largest < 64, "{largest} MB");
}
