//! `spinney map perlin`: makes a map of Perlin noise.

use super::output::{self, Made, OutputArgs};
use crate::failure::Failure;
use crate::flags::WORLD;
use crate::numbers;
use clap::Args;
use density::shape::{PerlinMapOptions, ShapeError, perlin_map};
use density::{FieldError, OutOfRange, PerlinOptions};

const NOISE: &str = "Noise";

/// Make a map of Perlin noise, smooth or cut into a mask
#[derive(Debug, Args)]
pub(super) struct PerlinArgs {
    #[command(flatten)]
    output: OutputArgs,

    /// Size of the map, pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = numbers::pixels,
          help_heading = WORLD)]
    size: [u32; 2],

    /// Seed of the noise
    #[arg(long, value_name = "N", default_value = "0", value_parser = numbers::seed,
          help_heading = NOISE)]
    seed: u64,

    /// Width of a cycle of the first octave, pixels; blobs are about half as wide
    #[arg(long, value_name = "PIXELS", default_value = "128", value_parser = numbers::distance,
          help_heading = NOISE)]
    scale: f64,

    /// Number of octaves, noises of rising frequency that are added up
    #[arg(long, value_name = "N", default_value = "3", help_heading = NOISE)]
    octaves: u32,

    /// Factor of the frequency from one octave to the next
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = numbers::number,
          help_heading = NOISE)]
    lacunarity: f64,

    /// Factor of the amplitude from one octave to the next
    #[arg(long, value_name = "FACTOR", default_value = "0.5", value_parser = numbers::number,
          help_heading = NOISE)]
    persistence: f64,

    /// Distance by which further noise moves places, pixels; bends the blobs
    #[arg(long, value_name = "PIXELS", default_value = "0", value_parser = numbers::number,
          help_heading = NOISE)]
    warp: f64,

    /// Cut the noise into a mask: black below this value, 0 to 1, white from it on
    #[arg(long, value_name = "VALUE", value_parser = numbers::share, help_heading = NOISE)]
    threshold: Option<f64>,
}

pub(super) fn run(args: &PerlinArgs) -> Result<(), Failure> {
    output::make(&args.output, &[], |_| {
        let options = PerlinMapOptions {
            noise: PerlinOptions {
                seed: args.seed,
                frequency: 1.0 / args.scale,
                octaves: args.octaves,
                lacunarity: args.lacunarity,
                persistence: args.persistence,
                ..PerlinOptions::default()
            },
            warp: args.warp,
            threshold: args.threshold,
        };
        let [width, height] = args.size;
        perlin_map(width, height, options)
            .map(Made::Greys)
            .map_err(|e| match e {
                ShapeError::Map(_) => Failure::Run(anyhow::anyhow!("--size: {e}")),
                ShapeError::Field(FieldError::OutOfRange(OutOfRange { name, .. })) => {
                    Failure::Usage(format!("--{name}: {e}"))
                }
                ShapeError::Field(_) => Failure::usage("--scale", numbers::plain(args.scale), e),
                _ => Failure::usage("--warp", numbers::plain(args.warp), e),
            })
    })
}
