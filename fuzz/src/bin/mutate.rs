//! Fuzzing without a fuzzer: `mutate TARGET SECONDS FOLDER...` runs a target on random mutations of
//! the files in the folders. Without coverage feedback it finds less than `cargo fuzz`, but it
//! needs only the compiler.

use spinney_fuzz::TARGETS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let target = args
        .first()
        .and_then(|name| TARGETS.iter().find(|t| t.0 == name));
    let seconds = args.get(1).and_then(|text| text.parse().ok());
    let (Some((name, run)), Some(seconds)) = (target, seconds) else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
        eprintln!("usage: mutate {} SECONDS FOLDER...", names.join("|"));
        return ExitCode::from(2);
    };
    let seeds = seeds(&args[2..]);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let start = Instant::now();
    let mut count = 0_u64;
    while start.elapsed() < Duration::from_secs(seconds) {
        let data = match count {
            n if n < seeds.len() as u64 => seeds[n as usize].clone(),
            _ => mutated(&seeds, &mut dice),
        };
        if catch_unwind(AssertUnwindSafe(|| run(&data))).is_err() {
            let found = PathBuf::from(format!("crash-{name}-{count}"));
            // Also printed, in case it cannot be stored.
            let kept = fs::write(&found, &data);
            eprintln!("{name}: {} ({kept:?}): {data:02x?}", found.display());
            return ExitCode::FAILURE;
        }
        count += 1;
    }
    println!("{name}: {count} executions in {seconds} s, nothing found");
    ExitCode::SUCCESS
}

fn seeds(folders: &[String]) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .collect();
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths.iter().filter_map(|p| fs::read(p).ok()).collect();
    seeds.push(vec![0; 64]);
    seeds
}

/// The xorshift generator (Marsaglia, 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n.max(1)
    }
}

fn mutated(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut data = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(8) {
        let at = dice.below(data.len());
        match dice.below(6) {
            0 => data.truncate(at),
            1 => data.insert(at.min(data.len()), dice.below(256) as u8),
            2 => {
                let other = &seeds[dice.below(seeds.len())];
                let from = dice.below(other.len());
                data.truncate(at);
                data.extend_from_slice(&other[from..]);
            }
            3 => {
                let digits = b"0-+.eE19nNiI,\n\"";
                if let Some(byte) = data.get_mut(at) {
                    *byte = digits[dice.below(digits.len())];
                }
            }
            4 => {
                if let Some(byte) = data.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            _ => {
                if let Some(byte) = data.get_mut(at) {
                    *byte = [0, 1, 0x7f, 0x80, 0xff][dice.below(5)];
                }
            }
        }
    }
    data
}
