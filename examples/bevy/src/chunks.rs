//! The plugin: requests the chunks around the player in the background, spawns the trees of
//! finished chunks, and despawns distant chunks.

use bevy_app::{App, Plugin, Startup, Update};
use bevy_ecs::prelude::*;
use bevy_tasks::{AsyncComputeTaskPool, Task, block_on};
use sampler::density::{Bounds, DistRange, Perlin, PerlinOptions};
use sampler::{Sample, SampleError, ScatterOptions, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Length of a chunk, world units.
pub const SIDE: f64 = 32.0;

/// The minimum distance of trees where the wood is densest and where it is sparsest.
pub const LEAST: f64 = 1.5;
pub const MOST: f64 = 6.0;

/// Chunks are loaded up to this distance from the player's chunk, and kept a little farther.
/// Crossing a border back and forth then loads nothing.
const LOAD: i32 = 2;
const KEEP: i32 = 3;

/// The player's position.
#[derive(Component, Debug)]
pub struct Player(pub [f64; 2]);

/// A loaded chunk. Its trees are its children.
#[derive(Component, Debug)]
pub struct Chunk(pub [i32; 2]);

/// A tree.
#[derive(Component, Clone, Debug)]
pub struct Tree {
    /// The tree's permanent id, under which saved games can store it.
    pub id: u64,
    pub place: [f64; 2],
    pub min_dist: f64,
}

/// The wood, a pure function of the seed, shared with the background tasks.
#[derive(Resource, Clone)]
struct Wood(Arc<World<2>>);

enum State {
    Asked(Task<Result<Vec<Sample<2>>, SampleError>>),
    Spawned(Entity),
}

/// The chunks around the player.
#[derive(Resource, Default)]
pub struct Chunks(BTreeMap<[i32; 2], State>);

impl Chunks {
    /// Returns `true` if all requested chunks are loaded.
    pub fn settled(&self) -> bool {
        let spawned = |state| matches!(state, &State::Spawned(_));
        !self.0.is_empty() && self.0.values().all(spawned)
    }
}

/// An endless wood around a player.
pub struct ChunkPlugin {
    pub seed: u64,
}

impl Plugin for ChunkPlugin {
    fn build(&self, app: &mut App) {
        let wood = wood(self.seed).expect("the constants above are good");
        app.insert_resource(Wood(Arc::new(wood)))
            .init_resource::<Chunks>()
            .add_systems(Startup, |mut commands: Commands| {
                commands.spawn(Player([0.0, 0.0]));
            })
            .add_systems(Update, (despawn, ask, spawn).chain());
    }
}

fn wood(seed: u64) -> anyhow::Result<World<2>> {
    let noise = PerlinOptions {
        seed,
        frequency: 0.02,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(DistRange::new(LEAST, MOST)?, noise)?;
    let options = ScatterOptions {
        seed,
        ..ScatterOptions::default()
    };
    Ok(World::new(field, options)?.with_budget(32 << 20))
}

fn distance(a: [i32; 2], b: [i32; 2]) -> i32 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

fn chunk_of(place: [f64; 2]) -> [i32; 2] {
    place.map(|x| (x / SIDE).floor() as i32)
}

fn despawn(mut commands: Commands, mut chunks: ResMut<Chunks>, player: Single<&Player>) {
    let here = chunk_of(player.0);
    chunks.0.retain(|&at, state| {
        let keep = distance(at, here) <= KEEP;
        if !keep && let State::Spawned(chunk) = state {
            // Despawns the trees, too. Dropping a task cancels it.
            commands.entity(*chunk).despawn();
        }
        keep
    });
}

fn ask(mut chunks: ResMut<Chunks>, wood: Res<Wood>, player: Single<&Player>) {
    let here = chunk_of(player.0);
    for dy in -LOAD..=LOAD {
        for dx in -LOAD..=LOAD {
            let at = [here[0] + dx, here[1] + dy];
            chunks.0.entry(at).or_insert_with(|| {
                let wood = wood.clone();
                State::Asked(AsyncComputeTaskPool::get().spawn(async move {
                    let corner = at.map(|c| f64::from(c) * SIDE);
                    // Chunk numbers are too small for a box that is empty or not finite.
                    let window = Bounds::with_origin(corner, [SIDE; 2]).expect("a box");
                    wood.0.window(&window).map(|found| found.samples)
                }))
            });
        }
    }
}

fn spawn(mut commands: Commands, mut chunks: ResMut<Chunks>) {
    for (&at, state) in &mut chunks.0 {
        let State::Asked(task) = state else { continue };
        if !task.is_finished() {
            continue;
        }
        let samples = block_on(task).unwrap_or_else(|error| {
            eprintln!("chunk {at:?}: {error}");
            Vec::new()
        });
        let chunk = commands.spawn(Chunk(at)).id();
        for sample in samples {
            let tree = Tree {
                id: sample.id,
                place: sample.position,
                min_dist: sample.min_dist,
            };
            commands.spawn((tree, ChildOf(chunk)));
        }
        *state = State::Spawned(chunk);
    }
}
