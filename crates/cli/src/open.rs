//! The places where points of any layer may lie: within the limits of the ground and inside the region.

use crate::failure::Failure;
use crate::ground::{GroundArgs, GroundInfo};
use crate::layers::{Field, Layers};
use crate::place::WorldPlacement;
use crate::region::{RegionArgs, RegionInfo, Regions, avoid, mask, polygons};
use density::diagnostic::Warning;
use density::ground::Ground;
use density::{Bounds, Within};
use sampler::{AvoidError, Avoiding, Obstacle, Rule};
use std::sync::Arc;

/// The ground and the region as read.
pub(crate) struct Open {
    ground: Option<(Arc<Ground>, GroundInfo)>,
    regions: Regions,
    obstacles: Option<Vec<Obstacle<2>>>,
    /// The world, if it is a tile: opposite edges are one.
    tile: Option<Bounds<2>>,
    region: RegionInfo,
}

impl Open {
    /// Reads the files named by the flags: images of at most `max_pixels`, if that was given. `ground` is `None` for
    /// subcommands without flags for the ground. In a `tile`, opposite edges of the world are one.
    pub(crate) fn read(
        ground: Option<&GroundArgs>,
        region: &RegionArgs,
        placement: &WorldPlacement,
        tile: bool,
        max_pixels: Option<u64>,
    ) -> Result<Self, Failure> {
        let (mut regions, mut info) = (Regions::new(), RegionInfo::default());
        let ground = ground.map(|args| args.read(placement, max_pixels, &mut regions));
        let ground = ground.transpose()?.flatten();
        mask::read(region, placement, max_pixels, &mut regions, &mut info)?;
        polygons::read(region, placement, &mut regions, &mut info)?;
        let obstacles = avoid::read(region, placement, tile, &mut info)?;
        Ok(Self {
            ground,
            regions,
            obstacles,
            tile: tile.then_some(placement.world),
            region: info,
        })
    }

    /// Returns the heights, if there are any.
    pub(crate) fn heights(&self) -> Option<Arc<Ground>> {
        let (ground, _) = self.ground.as_ref()?;
        Some(Arc::clone(ground))
    }

    /// Returns a description of the ground, if there is one.
    pub(crate) fn ground(&self) -> Option<&GroundInfo> {
        self.ground.as_ref().map(|(_, info)| info)
    }

    /// Returns a description of the region; empty if there is none.
    pub(crate) fn region(&self) -> &RegionInfo {
        &self.region
    }

    /// Returns warnings about possible misreadings.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let ground = self.ground().into_iter().flat_map(|info| &info.warnings);
        ground.chain(&self.region.warnings).cloned().collect()
    }

    /// Returns `true` if anything besides the fields' own masks closes places.
    pub(crate) fn restricts(&self) -> bool {
        !self.regions.is_empty() || self.obstacles.is_some()
    }

    /// Restricts the fields of `layers` to the places where points may lie.
    pub(crate) fn restrict<'f>(
        &'f self,
        layers: Layers<'f>,
        rule: Rule,
    ) -> Result<Layers<'f>, AvoidError> {
        layers.with_fields(|field| self.restrict_field(field, rule))
    }

    /// Restricts `field` to the places where points may lie.
    pub(crate) fn restrict_field<'f>(
        &'f self,
        mut field: Field<'f>,
        rule: Rule,
    ) -> Result<Field<'f>, AvoidError> {
        for region in &self.regions {
            field = Arc::new(Within::new(field, region));
        }
        let Some(obstacles) = self.obstacles.clone() else {
            return Ok(field);
        };
        let avoiding = match &self.tile {
            Some(world) => Avoiding::tiled(field, rule, obstacles, world),
            None => Avoiding::new(field, rule, obstacles),
        };
        Ok(Arc::new(avoiding?))
    }

    /// Words an error about the points to avoid, with their files. Readers have checked every number, so it concerns all
    /// of them.
    pub(crate) fn avoid_problem(&self, error: AvoidError) -> String {
        let files: Vec<&str> = self.region.avoid.iter().map(|avoid| &*avoid.file).collect();
        format!("--avoid {}: {error}", files.join(", "))
    }

    /// Converts an error about the points to avoid into terms of their files.
    pub(crate) fn refused(&self, error: AvoidError) -> Failure {
        Failure::Run(anyhow::anyhow!(self.avoid_problem(error)))
    }
}
