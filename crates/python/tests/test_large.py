"""A map of 65,536 x 65,536 pixels. Slow, so it needs SPINNEY_LARGE=1."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import assert_make_up, csv_table, parquet_table

import spinney_scatter as sc

pytestmark = pytest.mark.skipif(
    os.environ.get("SPINNEY_LARGE") != "1", reason="heavy: set SPINNEY_LARGE=1"
)

SIDE = 65_536
OPTIONS: dict[str, Any] = {"min_dist": 20, "max_dist": 100, "white": "dense", "seed": 5}


def make(path: Path) -> None:
    """Write a sparse tiled BigTIFF, black except patches of noise."""
    rasterio = pytest.importorskip("rasterio")
    noise = sc.perlin((1024, 1024), scale=400)
    with rasterio.open(path, "w", driver="GTiff", width=SIDE, height=SIDE, count=1, dtype="uint16",
                       crs="EPSG:32633", transform=rasterio.Affine(1, 0, 500_000, 0, -1, 5_065_536),
                       tiled=True, blockxsize=512, blockysize=512, bigtiff="YES",
                       sparse_ok=True) as out:
        for column in range(0, SIDE, 8192):
            for row in range(0, SIDE, 8192):
                at = rasterio.windows.Window(column + 1024, row + 512, 1024, 1024)
                out.write(noise, 1, window=at)


DRIVER = """
import os, resource, sys
import distributed, rasterio, spinney_scatter as sc, spinney_scatter.dask

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

if __name__ == "__main__":
    with rasterio.open({map!r}) as source:
        plan = sc.plan(source, windows=(16, 16), **{options!r})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  memory_limit="1GB") as cluster:
        with distributed.Client(cluster) as client:
            print(*client.run(os.getpid).values(), flush=True)
            count = spinney_scatter.dask.scatter(plan, sc.RasterReader({map!r}), {out!r}, crs=32633)
            print("done", count, max(client.run(peak).values()), flush=True)
"""


def test_dask_over_a_large_map(cli: Any, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    big, out = tmp_path / "big.tif", tmp_path / "out"
    make(big)
    print("\nfile:", os.path.getsize(big), "bytes")
    script = tmp_path / "driver.py"
    script.write_text(DRIVER.format(map=str(big), out=str(out), options=OPTIONS))

    def driver() -> "subprocess.Popen[str]":
        return subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def wait_for(parts: int, running: "subprocess.Popen[str]") -> None:
        while len(list(out.glob("column=*/row=*/part.parquet"))) < parts:
            assert running.poll() is None
            time.sleep(0.1)

    start = time.monotonic()
    first = driver()
    assert first.stdout is not None
    victim = int(first.stdout.readline().split()[0])
    wait_for(40, first)
    os.kill(victim, signal.SIGKILL)
    wait_for(90, first)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    second = driver()
    told, _ = second.communicate()
    assert second.returncode == 0, told
    word, count, peak = told.splitlines()[-1].split()
    print(f"256 windows in {time.monotonic() - start:.0f} s, {count} points, "
          f"at most {int(peak) / 1e6:.0f} MB in a worker")
    assert word == "done" and int(peak) < 1e9
    parts = sorted(out.glob("column=*/row=*/*"))
    assert [part.name for part in parts] == ["part.parquet"] * 256
    assert [p for p in out.rglob(".*")] == []
    assert int(count) > 100_000

    # For comparison, the command line on one machine, in bounded memory.
    flags = ["--min-dist", 20, "--max-dist", 100, "--white", "dense", "--seed", 5]
    start = time.monotonic()
    cli.run("sample", big, *flags, "--stream", "-o", tmp_path / "whole.csv", timeout=1500)
    # The largest child so far; the workers are smaller.
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"the command line: {time.monotonic() - start:.0f} s, {most / 1e6:.0f} MB")
    assert_make_up([parquet_table(part) for part in parts], csv_table(tmp_path / "whole.csv"))
