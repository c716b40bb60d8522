//! An endless wood in Bevy, without a window. A player walks out and back; chunks of trees are
//! spawned around them as entities and despawned behind them. A chunk that is loaded again is the
//! same, to the last bit. No two trees are too close, even across the chunks' borders.

mod chunks;

use anyhow::{Result, ensure};
use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use chunks::{Chunk, ChunkPlugin, Chunks, Player, SIDE, Tree};
use std::collections::BTreeMap;
use std::time::Instant;

/// The trees of each chunk when it was first loaded: their ids and the bits of their positions.
type Seen = BTreeMap<[i32; 2], Vec<(u64, [u64; 2])>>;

fn main() -> Result<()> {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), ChunkPlugin { seed: 7 }));
    let (mut seen, mut visits, mut most) = (Seen::new(), 0, 0);
    let started = Instant::now();
    for step in 0..=48 {
        // The path follows a bend out, and returns the same way.
        let t = f64::from(24 - (step - 24_i32).abs());
        visits += walk_to(&mut app, [t * 0.7 * SIDE, t * t * 0.02 * SIDE], &mut seen)?;
        most = most.max(trees(&mut app).len());
    }
    ensure!(visits > seen.len(), "no chunk was entered twice");
    println!(
        "{} chunks were entered {visits} times in {:.2} s, with up to {most} trees at once; each \
         was the same every time",
        seen.len(),
        started.elapsed().as_secs_f64(),
    );
    Ok(())
}

/// Moves the player and runs frames until the chunks around them are loaded. Chunks that were
/// loaded before must be unchanged. Returns the number of chunks loaded.
fn walk_to(app: &mut App, place: [f64; 2], seen: &mut Seen) -> Result<usize> {
    let world = app.world_mut();
    let mut players = world.query::<&mut Player>();
    for mut player in players.iter_mut(world) {
        player.0 = place;
    }
    let mut before: Vec<[i32; 2]> = Vec::new();
    let mut chunks = world.query::<&Chunk>();
    before.extend(chunks.iter(world).map(|chunk| chunk.0));
    loop {
        app.update();
        if app.world().resource::<Chunks>().settled() {
            break;
        }
        std::thread::yield_now();
    }
    let mut found = Seen::new();
    let world = app.world_mut();
    for chunk in chunks.iter(world) {
        found.insert(chunk.0, Vec::new());
    }
    for (chunk, tree) in trees(app) {
        found
            .entry(chunk)
            .or_default()
            .push((tree.id, tree.place.map(f64::to_bits)));
    }
    let mut loaded = 0;
    for (chunk, mut trees) in found {
        if before.contains(&chunk) {
            continue;
        }
        loaded += 1;
        trees.sort_unstable();
        if let Some(known) = seen.get(&chunk) {
            ensure!(*known == trees, "chunk {chunk:?} has changed");
        } else {
            seen.insert(chunk, trees);
        }
    }
    check_spacing(app)?;
    Ok(loaded)
}

/// Returns every loaded tree, with its chunk.
fn trees(app: &mut App) -> Vec<([i32; 2], Tree)> {
    let world = app.world_mut();
    let mut chunks = world.query::<(&Chunk, &Children)>();
    let mut trees = world.query::<&Tree>();
    let mut found = Vec::new();
    for (chunk, children) in chunks.iter(world) {
        for child in children.iter() {
            if let Ok(tree) = trees.get(world, child) {
                found.push((chunk.0, tree.clone()));
            }
        }
    }
    found
}

fn check_spacing(app: &mut App) -> Result<()> {
    let mut all = trees(app);
    all.sort_by(|(_, a), (_, b)| a.place[0].total_cmp(&b.place[0]));
    for (i, (_, a)) in all.iter().enumerate() {
        for (_, b) in &all[i + 1..] {
            let (dx, dy) = (b.place[0] - a.place[0], b.place[1] - a.place[1]);
            if dx >= chunks::MOST {
                break;
            }
            let keep = a.min_dist.max(b.min_dist);
            ensure!(dx * dx + dy * dy >= keep * keep, "{a:?} and {b:?}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(seed: u64) -> App {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), ChunkPlugin { seed }));
        app
    }

    #[test]
    fn entering_a_chunk_again_gives_the_same_trees() {
        let mut app = app(1);
        let mut seen = Seen::new();
        let first = walk_to(&mut app, [0.0; 2], &mut seen).expect("the first time");
        assert!(first > 0 && seen.values().any(|trees| trees.len() > 20));
        // Moves so far away that all chunks are despawned.
        walk_to(&mut app, [40.0 * SIDE, 0.0], &mut seen).expect("elsewhere");
        assert_eq!(seen.len(), 2 * first);
        let again = walk_to(&mut app, [0.0; 2], &mut seen).expect("the same");
        assert_eq!((again, seen.len()), (first, 2 * first));
    }

    #[test]
    fn the_way_to_a_place_does_not_matter() {
        let place = [3.5 * SIDE, -2.5 * SIDE];
        let (mut straight, mut astray) = (app(2), app(2));
        let (mut a, mut b) = (Seen::new(), Seen::new());
        walk_to(&mut straight, place, &mut a).expect("straight");
        for x in [9.0, 6.0, 4.0, 3.0] {
            walk_to(&mut astray, [x * SIDE, -2.0 * SIDE], &mut b).expect("astray");
        }
        walk_to(&mut astray, place, &mut b).expect("there in the end");
        for (chunk, trees) in a {
            assert_eq!(b.get(&chunk), Some(&trees), "{chunk:?}");
        }
    }

    #[test]
    fn what_is_behind_is_despawned() {
        let mut app = app(3);
        let mut seen = Seen::new();
        walk_to(&mut app, [0.0; 2], &mut seen).expect("here");
        let here = trees(&mut app).len();
        for x in 1..30 {
            walk_to(&mut app, [f64::from(x) * SIDE, 0.0], &mut seen).expect("on");
        }
        assert!(trees(&mut app).len() < 2 * here);
    }
}
