"""Points are sampled at least a hundred times as fast as SciPy's Poisson disks."""

from __future__ import annotations

import time

import numpy as np
import pytest

import spinney_scatter as sc


def test_a_hundred_times_scipy() -> None:
    qmc = pytest.importorskip("scipy.stats.qmc")
    radius = 0.02
    start = time.process_time()
    theirs = qmc.PoissonDisk(d=2, radius=radius, rng=1).fill_space()
    scipy = (time.process_time() - start) / len(theirs)
    # The same square and distance; the time of all threads together.
    square = np.full((1, 1), radius)
    sc.sample_distances(square, size=(1, 1))
    start = time.process_time()
    runs = 20
    ours = [sc.sample_distances(square, size=(1, 1), seed=seed) for seed in range(runs)]
    spinney = (time.process_time() - start) / sum(map(len, ours))
    print(f"\nscipy {scipy * 1e6:.0f} us a point, spinney {spinney * 1e6:.2f}: "
          f"{scipy / spinney:.0f} times")
    # These sets are maximal, so they may not have fewer points.
    assert min(map(len, ours)) >= len(theirs)
    assert scipy / spinney >= 100
