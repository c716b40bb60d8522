//! The target for the maximal engine.

use crate::bytes::Bytes;
use crate::fields::{Act, check, over_any};
use density::{Bounds, RadiusField};
use sampler::{PointLimit, Rule, Sample, SampleError, Scatter, ScatterOptions};

struct Run {
    options: ScatterOptions,
    /// Position and size of a window, as shares of the domain's size.
    window: [f64; 2],
}

/// Runs the engine with field, domain and options from `data`.
pub fn scatter(data: &[u8]) {
    let mut bytes = Bytes(data);
    let options = ScatterOptions {
        rule: bytes.one_of(&Rule::ALL),
        seed: bytes.word(),
        limit: PointLimit::Refuse(300),
        max_bytes: Some(1 << 28),
        ..ScatterOptions::default()
    };
    let window = [0; 2].map(|_| f64::from(bytes.byte()) / 256.0);
    over_any(&mut bytes, options.seed, &Run { options, window });
}

impl Act for Run {
    fn act<const D: usize, F: RadiusField<D>>(&self, field: &F, domain: Bounds<D>) {
        let Ok(engine) = Scatter::new(field, domain, self.options) else {
            return;
        };
        let whole = match engine.points() {
            Ok(whole) => whole,
            // With so few points, only high-contrast or unusual fields need this much memory.
            Err(SampleError::MemorySpent { .. }) => return,
            Err(other) => panic!("{other}"),
        };
        assert!(whole.samples.len() < 5000, "{} points", whole.samples.len());
        let mut all = whole.samples;
        all.sort_by_key(|sample| sample.id);
        check(&all, field, domain, self.options.rule);
        // A window must equal the crop of the whole.
        let (min, size) = (domain.min(), domain.size());
        let [from, extent] = self.window;
        let low = std::array::from_fn(|a| min[a] + from * size[a]);
        let high = std::array::from_fn(|a| (low[a] + extent * size[a]).min(domain.max()[a]));
        let Ok(window) = Bounds::new(low, high) else {
            return;
        };
        let Ok(mut part) = engine.points_in(&window).map(|part| part.samples) else {
            return;
        };
        part.sort_by_key(|sample| sample.id);
        let crop: Vec<Sample<D>> = all
            .into_iter()
            .filter(|sample| window.contains(sample.position))
            .collect();
        assert_eq!(part, crop, "in {window:?}");
    }
}
