"""Runs beside a running interpreter."""

from __future__ import annotations

import multiprocessing
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

import spinney_scatter as sc

#: Options of a run that takes some seconds on one thread.
LONG = {"min_dist": 0.5, "max_dist": 0.5, "threads": 1}


class Enough(Exception):
    """Ends a run."""


def stop(*_: object) -> None:
    raise Enough


def big() -> Any:
    return np.zeros((1000, 1000), np.uint8)


def pauses(call: Any) -> tuple[float, list[float]]:
    """Return the duration of a call, and the pauses of a ticker in pure Python meanwhile."""
    ticks: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        while not ended.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.monotonic()
    call()
    end = time.monotonic()
    ended.set()
    ticker.join()
    during = [start, *(t for t in ticks if start < t < end), end]
    return end - start, [b - a for a, b in zip(during, during[1:])]


def test_other_threads_run_on() -> None:
    took, found = pauses(lambda: sc.sample(big(), min_dist=1, max_dist=1, threads=1))
    assert took > 0.2 and len(found) > took * 20, (took, len(found))
    # Conversion of arrays holds the interpreter only briefly.
    assert max(found) < 0.25


def test_other_threads_run_on_while_points_are_placed() -> None:
    count = 6_000_000
    column = np.ones(count)
    points = sc.Points(np.ones((count, 2)), np.arange(count, dtype=np.uint64), column, column, None, None,
                       None, True, 0, 0.0, 1.0, sc.Run(0, "max", (0, 0, 9, 9), False))
    took, found = pauses(lambda: points.placed(rotate=True))
    assert max(found) < took / 2, (took, max(found))


@pytest.mark.parametrize("call,count,after", [
    ("sc.sample(np.zeros((1000, 1000), np.uint8), min_dist=0.3, max_dist=0.3, threads=1)", 1, 0.7),
    ("sc.perlin((6000, 6000), octaves=8)", 1, 0.7),
    ("many.placed(rotate=True, scale=(1, 2))", 12_000_000, 0.1),
    ("many.save('many.usda', rotate=True)", 4_000_000, 0.7),
])
def test_ctrl_c_ends_a_run(call: str, count: int, after: float, tmp_path: Path) -> None:
    code = (
        "import sys, time, numpy as np, spinney_scatter as sc\n"
        f"column = np.ones({count})\n"
        "many = sc.Points(np.ones((len(column), 2)), np.arange(len(column), dtype=np.uint64), column, column,\n"
        "                 None, None, None, True, 0, 0.0, 1.0, sc.Run(0, 'max', (0, 0, 9, 9), False))\n"
        # Background jobs of a shell start with SIGINT ignored.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    {call}\n"
        "except KeyboardInterrupt:\n"
        "    print('ended', time.time(), flush=True)\n"
        "    sys.exit(7)\n"
        "print('done', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(after)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    told = child.stdout.readline().split()
    assert told[0] == "ended", told
    assert float(told[1]) - sent < 0.5
    assert child.wait(10) == 7
    assert time.time() - sent < 3
    assert not list(tmp_path.iterdir())


def test_progress_is_told_and_may_end_a_run() -> None:
    seen: list[tuple[float, int]] = []
    points = sc.sample(big(), min_dist=1, max_dist=1,
                       progress=lambda share, count: seen.append((share, count)))
    assert len(seen) > 1 and seen == sorted(seen)
    assert seen[-1] == (1.0, len(points))

    for call in (
        lambda told: sc.sample(big(), min_dist=4, max_dist=4, algorithm="bridson", progress=told),
        lambda told: sc.sample(big(), min_dist=4, max_dist=4, count=5000, progress=told),
        lambda told: sc.sample(np.full((5, 5), np.nan), progress=told),
        lambda told: sc.species([sc.Layer("a", 4), sc.Layer("b", 5)], bounds=(0, 0, 90, 90), progress=told),
    ):
        seen.clear()
        points = call(lambda share, count: seen.append((share, count)))
        assert seen[-1] == (1.0, len(points))

    for options in (LONG, {"algorithm": "bridson", "min_dist": 0.5, "max_dist": 0.5}):
        start = time.monotonic()
        with pytest.raises(Enough):
            sc.sample(big(), **options, progress=stop)
        assert time.monotonic() - start < 0.8
    # An abandoned run does not affect the next.
    assert (sc.sample(big()).id == sc.sample(big()).id).all()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_the_next_run_does_not_wait_for_one_that_was_given_up() -> None:
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        # Windows do not test whether they were cancelled.
        with pytest.raises(Enough):
            sc.World(1, threads=1).window((0, 0, 2000, 2000))
    finally:
        signal.signal(signal.SIGALRM, before)
    start = time.monotonic()
    assert len(sc.World(1, threads=1).window((0, 0, 9, 9))) > 20
    assert time.monotonic() - start < 1


def test_threads_change_nothing() -> None:
    noise = sc.perlin((200, 200), scale=50)
    one, many = sc.sample(noise, threads=1), sc.sample(noise, threads=4)
    assert (one.xy == many.xy).all() and (one.id == many.id).all()


def test_several_calls_at_once() -> None:
    noise = sc.perlin((150, 150), scale=50)
    alone = [sc.sample(noise, seed=seed, threads=1) for seed in range(6)]
    found: dict[int, sc.Points] = {}

    def run(seed: int) -> None:
        found[seed] = sc.sample(noise, seed=seed, threads=1 + seed % 3)

    workers = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for seed, points in enumerate(alone):
        assert (found[seed].xy == points.xy).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_answers() -> None:
    """Threads do not survive in a forked child, which has to start its own."""
    noise = sc.perlin((100, 100), scale=50)
    ours = sc.sample(noise)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            points = sc.sample(noise)
            os.write(writing, b"same" if (points.xy == ours.xy).all() else b"other")
        finally:
            os._exit(0)
    os.close(writing)
    start = time.monotonic()
    while time.monotonic() - start < 30:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert status == 0 and os.read(reading, 16) == b"same"
    os.close(reading)


def _count(seed: int) -> int:
    return len(sc.sample(sc.perlin((100, 100), scale=50), seed=seed))


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_multiprocessing(method: Any) -> None:
    here = [_count(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_count, range(4)).get(120) == here


@pytest.mark.skipif(sys.platform != "linux", reason="tells memory in other units elsewhere")
def test_points_are_held_once() -> None:
    """A run needs the memory of its columns, 40 bytes a point, and no second copy as samples."""
    program = """
import resource
import numpy as np
import spinney_scatter as sc

def run(side):
    points = sc.sample_distances(np.ones((2, 2)), size=(side, side), threads=1)
    return len(points), 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

few, before = run(600)
many, after = run(1200)
print((after - before) / (many - few))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout) < 80, ran.stdout
