"""Plans on many workers, including killed workers and a restarted driver."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import assert_make_up, assert_refused, parquet_table, table

import spinney_scatter as sc

distributed = pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")

#: Columns and rows of the map, and windows along each side.
SIDE, WINDOWS = 1536, 8


@pytest.fixture(scope="module")
def stored(tmp_path_factory: Any) -> Path:
    """A map in NumPy's file format, which workers map into memory."""
    path = tmp_path_factory.mktemp("map") / "map.npy"
    np.save(path, sc.perlin((SIDE, SIDE), seed=3, scale=200))
    return Path(path)


def plan_of(stored: Path, **more: Any) -> sc.Plan:
    pixels = np.load(stored, mmap_mode="r")
    return sc.plan(pixels, min_dist=4, max_dist=12, windows=(WINDOWS, WINDOWS),
                   origin=(500_000.37, 1000), **more)


class SlowReader:
    """A slow reader, so that a run can be interrupted."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = str(path), seconds

    def __call__(self, window: sc.Window) -> Any:
        time.sleep(self.seconds)
        return sc.ArrayReader(np.load(self.path, mmap_mode="r"))(window)


class BrokenReader(SlowReader):
    """A reader without a map."""

    def __call__(self, window: sc.Window) -> Any:
        raise FileNotFoundError(self.path)


def parts_of(out: Path) -> dict[Path, int]:
    """Return the parts in a folder, and the times when they were written."""
    return {part: part.stat().st_mtime_ns for part in out.glob("column=*/row=*/part.parquet")}


def wait_for_parts(out: Path) -> None:
    """Wait until a tenth of the parts exist."""
    deadline = time.monotonic() + 90
    while len(parts_of(out)) < 10:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def assert_whole(out: Path, stored: Path) -> None:
    """Assert that every part exists, that all make up the whole, and that nothing else exists."""
    parts = parts_of(out)
    assert len(parts) == WINDOWS * WINDOWS
    assert {path for path in out.rglob("*") if path.is_file()} == {*parts, out / "_plan.json"}
    whole = sc.sample(np.load(stored), min_dist=4, max_dist=12, origin=(500_000.37, 1000))
    assert len(whole) > 10_000
    assert_make_up([parquet_table(part) for part in parts], table(whole))


def test_a_worker_is_killed(stored: Path, tmp_path: Path) -> None:
    from spinney_scatter.dask import scatter

    plan, out = plan_of(stored), tmp_path / "out"
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victim = min(client.run(os.getpid).values())

            def kill() -> None:
                wait_for_parts(out)
                os.kill(victim, signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            # The draft of a worker that died while writing.
            (out / "column=0" / "row=0").mkdir(parents=True)
            (out / "column=0" / "row=0" / ".spinney-left.parquet").write_bytes(b"half")
            count = scatter(plan, SlowReader(stored, 0.05), out, client=client, crs="EPSG:32633")
            killer.join()
            assert victim not in client.run(os.getpid).values()
            assert_whole(out, stored)
            # A second run finds all parts, and reads nothing.
            parts = parts_of(out)
            assert scatter(plan, BrokenReader(stored, 0), out, client=client, crs="EPSG:32633") == count
            assert parts_of(out) == parts
            assert_refused(f"out: {out} holds parts of another plan: give another folder",
                           scatter, plan_of(stored, seed=9), SlowReader(stored, 0), out, client=client)
    geopandas = pytest.importorskip("geopandas")
    frame = geopandas.read_parquet(out / "column=3" / "row=7" / "part.parquet")
    x0, y0, x1, y1 = plan.window(7 * WINDOWS + 3)
    assert frame.crs.to_epsg() == 32633 and len(frame) > 100
    # y runs down in the plan, and north is up in geometry.
    assert frame.geometry.x.between(x0, x1).all() and (-frame.geometry.y).between(y0, y1).all()


def test_calls_on_one_client(stored: Path, tmp_path: Path) -> None:
    """A call takes no results and no errors of an earlier call with the same plan."""
    from spinney_scatter.dask import scatter

    pixels = np.load(stored, mmap_mode="r")
    plan = sc.plan(pixels, min_dist=8, max_dist=24, windows=(3, 2), origin=(500_000, 1000))
    read = SlowReader(stored, 0)
    placed = dataclasses.replace(plan, crs="EPSG:32633")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        with pytest.raises(FileNotFoundError):
            scatter(plan, BrokenReader(stored, 0), tmp_path / "a", client=client, retries=0)
        for name in ("a", "b"):
            count = scatter(plan, read, tmp_path / name, client=client)
            parts = parts_of(tmp_path / name)
            assert len(parts) == 6 and sum(parquet.read_metadata(part).num_rows for part in parts) == count > 1000
        # Readers take the folders' names as columns of the table.
        read_as_one = parquet.read_table(tmp_path / "a")
        assert set(read_as_one["column"].to_pylist()) == {0, 1, 2} and set(read_as_one["row"].to_pylist()) == {0, 1}
        # By default the parts are in the coordinate system of the plan.
        scatter(placed, read, tmp_path / "c", client=client)
        pyproj = pytest.importorskip("pyproj")
        first = tmp_path / "c" / "column=0" / "row=0" / "part.parquet"
        assert_refused(f"out: {first} is in another coordinate system: give its crs, or another folder",
                       scatter, placed, read, tmp_path / "c", client=client, crs="EPSG:25833")
        # Another version of PROJ writes the same system in other words.
        worded = pyproj.CRS("EPSG:32633").to_json_dict()
        worded.pop("bbox")
        worded["area"] = "Europe"
        assert scatter(placed, read, tmp_path / "c", client=client, crs=worded) > 100
        part = tmp_path / "a" / "column=1" / "row=1" / "part.parquet"
        part.write_bytes(part.read_bytes()[:100])
        assert_refused(f"out: {part} cannot be read (", scatter, plan, read, tmp_path / "a", client=client)
    geopandas = pytest.importorskip("geopandas")
    assert pyproj.CRS(geopandas.read_parquet(tmp_path / "c").crs).to_epsg() == 32633
    assert len(geopandas.read_parquet(tmp_path / "b")) == count


DRIVER = """
import sys
sys.path.insert(0, {tests!r})
import distributed, spinney_scatter.dask
from pathlib import Path
from test_dask import SlowReader, plan_of

if __name__ == "__main__":
    stored = Path({stored!r})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            spinney_scatter.dask.scatter(plan_of(stored), SlowReader(stored, {seconds}), {out!r})
    print("done")
"""


def test_the_driver_is_killed_and_started_again(stored: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def driver(seconds: float) -> "subprocess.Popen[str]":
        script = tmp_path / "driver.py"
        script.write_text(DRIVER.format(tests=str(Path(__file__).parent), stored=str(stored),
                                        seconds=seconds, out=str(out)))
        return subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, start_new_session=True)

    first = driver(0.2)
    wait_for_parts(out)
    # The driver's workers are killed with it.
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    done = parts_of(out)
    assert 10 <= len(done) < WINDOWS * WINDOWS
    second = driver(0.0)
    told, _ = second.communicate(timeout=120)
    assert second.returncode == 0 and told == "done\n"
    # Existing parts were not written again.
    assert done.items() <= parts_of(out).items()
    assert_whole(out, stored)
