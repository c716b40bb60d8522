//! The places where points of any layer may lie: within the limits of the ground and inside the region.

use crate::failure::Failure;
use crate::ground::{GroundArgs, GroundInfo};
use crate::layers::{Field, Layers};
use crate::region::{Frame, RegionArgs, RegionInfo, Regions};
use density::diagnostic::Warning;
use density::ground::{Ground, GroundRegion};
use density::{RadiusField, Within};
use sampler::Rule;
use std::sync::Arc;

/// The ground and the region as read.
pub(crate) struct Open {
    ground: Option<(GroundRegion, GroundInfo)>,
    regions: Regions,
}

impl Open {
    /// Reads the files named by the flags. `ground` is `None` for subcommands without flags for the ground.
    pub(crate) fn read(
        ground: Option<&GroundArgs>,
        region: &RegionArgs,
        frame: Frame,
    ) -> Result<Self, Failure> {
        let ground = ground.map(|args| args.read(&frame));
        Ok(Self {
            ground: ground.transpose()?.flatten(),
            regions: Regions::read(region, frame)?,
        })
    }

    /// Returns the heights, if there are any.
    pub(crate) fn heights(&self) -> Option<Arc<Ground>> {
        let (region, _) = self.ground.as_ref()?;
        Some(Arc::clone(region.ground()))
    }

    /// Returns a description of the ground, if there is one.
    pub(crate) fn ground(&self) -> Option<&GroundInfo> {
        self.ground.as_ref().map(|(_, info)| info)
    }

    /// Returns a description of the region; empty if there is none.
    pub(crate) fn region(&self) -> &RegionInfo {
        self.regions.info()
    }

    /// Returns warnings about possible misreadings.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let ground = self.ground().into_iter().flat_map(|info| &info.warnings);
        ground.chain(&self.region().warnings).cloned().collect()
    }

    /// Restricts the fields of `layers` to the places where points may lie.
    pub(crate) fn restrict<'f>(
        &'f self,
        layers: Layers<'f>,
        rule: Rule,
    ) -> Result<Layers<'f>, Failure> {
        if self.ground.is_none() && self.regions.are_none() {
            return Ok(layers);
        }
        layers.with_fields(|field| self.restrict_field(field, rule))
    }

    /// Restricts `field` to the places where points may lie.
    pub(crate) fn restrict_field<'f>(
        &'f self,
        field: Field<'f>,
        rule: Rule,
    ) -> Result<Field<'f>, Failure> {
        let mut field: Box<dyn RadiusField<2> + 'f> = Box::new(field);
        if let Some((ground, info)) = &self.ground {
            field = Box::new(Within::new(field, ground));
            if let Some(edges) = &info.edges {
                field = Box::new(Within::new(field, edges));
            }
        }
        Ok(Arc::new(self.regions.restrict(field, rule)?))
    }
}
