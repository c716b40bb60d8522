"""A map of 65,536 x 65,536 pixels. Slow, so it needs SPINNEY_LARGE=1."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import assert_make_up, csv_table, flags_of, parquet_table

import spinney_scatter as sc

pytestmark = pytest.mark.skipif(
    os.environ.get("SPINNEY_LARGE") != "1", reason="heavy: set SPINNEY_LARGE=1"
)

distributed = pytest.importorskip("distributed")
rasterio = pytest.importorskip("rasterio")

SIDE = 65_536
OPTIONS: dict[str, Any] = {"min_dist": 20, "max_dist": 100, "white": "dense", "seed": 5}


def make(path: Path) -> None:
    """Write a sparse tiled BigTIFF, black except patches of noise."""
    noise = sc.perlin((1024, 1024), scale=400)
    with rasterio.open(path, "w", driver="GTiff", width=SIDE, height=SIDE, count=1, dtype="uint16",
                       crs="EPSG:32633", transform=rasterio.Affine(1, 0, 500_000, 0, -1, 5_065_536),
                       tiled=True, blockxsize=512, blockysize=512, bigtiff="YES",
                       sparse_ok=True) as out:
        for column in range(0, SIDE, 8192):
            for row in range(0, SIDE, 8192):
                at = rasterio.windows.Window(column + 1024, row + 512, 1024, 1024)
                out.write(noise, 1, window=at)


def peak() -> int:
    """Return the greatest memory of this process so far, bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_dask_over_a_large_map(cli: Any, tmp_path: Path) -> None:
    from spinney_scatter.dask import scatter

    big, out = tmp_path / "big.tif", tmp_path / "out"
    make(big)
    print("\nfile:", os.path.getsize(big), "bytes")
    with rasterio.open(big) as source:
        plan = sc.plan(source, windows=(16, 16), **OPTIONS)
    start = time.monotonic()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  memory_limit="1GB") as cluster, distributed.Client(cluster) as client:
        count = scatter(plan, sc.RasterReader(str(big)), out, client=client)
        most = max(client.run(peak).values())
    print(f"256 windows in {time.monotonic() - start:.0f} s, {count} points, at most {most / 1e6:.0f} MB in a worker")
    assert most < 1e9 and count > 100_000
    # The command line streams the whole on one machine.
    cli.run("sample", big, *flags_of(OPTIONS), "--stream", "-o", tmp_path / "whole.csv", timeout=1500)
    parts = sorted(out.glob("column=*/row=*/part.parquet"))
    assert len(parts) == 256
    assert_make_up([parquet_table(part) for part in parts], csv_table(tmp_path / "whole.csv"))
