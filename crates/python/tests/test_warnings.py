"""Warnings about a map's distances use the command line's sentences."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers import flags_of, told_by

import spinney_scatter as sc

Pixels = npt.NDArray[Any]

#: 64 x 64 pixels: a step, a ramp of 8 bits, one of floats with a step, one grey.
STEP = np.zeros((64, 64), np.uint8)
STEP[:, 32:] = 255
RAMP = (np.arange(64 * 64) // 16).astype(np.uint8).reshape(64, 64)
FLOATS = np.add.outer(np.arange(64), np.arange(64)) / 126
FLOATS[20:30, 20:30] = 0
GREY = np.full((64, 64), 51, np.uint8)

#: Pixels, options, and the kinds of warnings.
DOUBTFUL: list[tuple[Pixels, dict[str, Any], list[str]]] = [
    (STEP, {"min_dist": 2, "max_dist": 12}, ["steep"]),
    (STEP, {"min_dist": 2, "max_dist": 12, "white": "dense", "count": 90}, ["steep"]),
    (STEP, {"min_dist": 2, "max_dist": 12, "algorithm": "bridson"}, ["steep"]),
    (STEP, {"min_dist": 2, "max_dist": 3.5, "rule": "mean"}, []),
    (STEP, {"min_dist": 2, "max_dist": 12, "limit": 0.25}, []),
    (STEP, {"min_dist": 2, "max_dist": 3.5, "size": (128, 128)}, []),
    (STEP, {"min_dist": 2, "max_dist": 12, "limit": 0.5, "count": 90}, ["scaled-limit"]),
    (FLOATS, {"min_dist": 2, "max_dist": 12, "range": (0, 1), "limit": 0.5, "count": 90}, ["scaled-limit"]),
    (STEP, {"min_dist": 2, "max_dist": 12, "limit": 0.25, "count": 9000}, ["below-pixel"]),
    (RAMP, {"min_dist": 1, "max_dist": 60}, ["bands"]),
    (RAMP, {"min_dist": 2, "max_dist": 65, "rule": "min"}, ["bands", "above-map"]),
    (GREY, {"min_dist": 2, "max_dist": 12}, ["flat"]),
    (FLOATS, {"min_dist": 2, "max_dist": 12, "range": (0, 1)}, ["steep"]),
    (0.2 + 0 * FLOATS, {"min_dist": 2, "max_dist": 12, "range": (0, 1)}, ["flat"]),
    (FLOATS, {"min_dist": 3, "max_dist": 3, "range": (0, 1)}, []),
]


@pytest.mark.parametrize("pixels,options,kinds", DOUBTFUL)
def test_sentences_are_the_command_line_s(
    cli: Any, tmp_path: Path, pixels: Pixels, options: dict[str, Any], kinds: list[str]
) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sc.sample(pixels, **options)
    assert {warning.filename for warning in told} <= {__file__}
    if pixels.dtype == np.uint8:
        path, size = tmp_path / "map.pgm", []
        path.write_bytes(b"P5 64 64 255\n" + pixels.tobytes())
    else:
        path, size = tmp_path / "map.r32f", ["--raw-size", "64x64"]
        path.write_bytes(pixels.astype("<f4").tobytes())
    cli.run("sample", path, *size, *flags_of(options), "-o", tmp_path / "a.csv", "--summary", tmp_path / "s.json")
    all_told = json.loads((tmp_path / "s.json").read_text())["warnings"]
    # The package does not report the end of a front, and it does not concern distances.
    theirs = [w for w in all_told if w["kind"] not in ("early-end", "end-not-checked")]
    assert [w["kind"] for w in theirs] == kinds
    ours = [str(warning.message).replace("limit = ", "--limit ") for warning in told]
    assert ours == [w["text"] for w in theirs]


def test_a_scaled_limit_of_distances_is_told() -> None:
    field = sc.distance_field(np.where(STEP > 0, 12.0, 2.0), limit=0.5)
    (told,) = told_by(sc.sample, field, count=90)
    assert told.startswith("limit = 0.5 was applied before all distances were multiplied")


@pytest.mark.parametrize("most,kind", [(1, "u1"), (15, "u1"), (16, "u1"), (4000, "<u2"), (4100, "<u2")])
def test_greys_that_use_few_levels_are_told(cli: Any, tmp_path: Path, most: int, kind: str) -> None:
    pixels = np.rint(np.linspace(0, most, 4096)).astype(kind).reshape(64, 64)
    white = np.iinfo(kind).max
    stored = pixels.astype(pixels.dtype.newbyteorder(">")).tobytes()
    (tmp_path / "map.pgm").write_bytes(b"P5 64 64 %d\n" % white + stored)
    ran = cli.call("map", "lint", tmp_path / "map.pgm", "--min-dist", 2, "--max-dist", 6)
    theirs = [line for line in (ran.stderr + ran.stdout).splitlines() if " uses only levels " in line]
    sizes: dict[str, Any] = {"min_dist": 2, "max_dist": 6}
    ours = [text for text in told_by(sc.sample, pixels, **sizes) if " uses only levels " in text]
    assert len(ours) == len(theirs) == (most < white / 16)
    for line, text in zip(theirs, ours):
        assert text.partition("; ")[0] == "map " + line.partition("map.pgm ")[2].partition("; ")[0]
        assert text.endswith(f"; range = [0, {most}] makes the lowest of them black and the highest white")
    told = told_by(sc.sample, pixels, range=(0, most), **sizes)
    assert not [text for text in told if " uses only levels " in text]
    # Where no point may lie, greys do not count.
    hidden = np.ma.MaskedArray(np.where(pixels == 0, white, pixels).astype(kind), mask=pixels == 0)
    told = told_by(sc.sample, hidden, **sizes)
    assert bool([text for text in told if " uses only levels 1.." in text]) == (1 < most < 1 + white / 16)


def test_fields_are_judged_where_they_are_used() -> None:
    field = sc.map_field(STEP, min_dist=2, max_dist=12, mask=np.ones((9, 9), bool))
    one = told_by(sc.sample, field)
    assert len(one) == 1 and "min_dist changes faster than points can follow" in one[0]
    assert told_by(sc.World, field) == one and told_by(sc.World, field, rule="min") == []
    layers = [sc.Layer("oak", field), sc.Layer("fern", 5)]
    assert told_by(sc.species, layers) == ["oak: " + one[0]]
    # In a world a map continues beyond its edge.
    wide = sc.map_field(RAMP, min_dist=20, max_dist=70)
    assert len(told_by(sc.sample, wide)) == 1 and told_by(sc.World, wide) == []


def test_infinite_pixels_are_told(cli: Any, tmp_path: Path) -> None:
    holed = FLOATS.astype("<f4")
    holed[:2, :5] = np.inf
    for low, said in ((None, 10), (-np.inf, 13)):
        if low is not None:
            holed[9, :3] = low
        (tmp_path / "map.r32f").write_bytes(holed.tobytes())
        told = cli.run("sample", tmp_path / "map.r32f", "--raw-size", "64x64", "--limit", 0.25, "-o", tmp_path / "a.csv")
        (theirs,) = (text.partition("map.r32f: ")[2] for text in told if "infinite" in text)
        assert theirs.startswith(f"{said} pixels are infinite")
        ours = told_by(sc.sample, holed, limit=0.25)
        assert ours == ["map: " + theirs.replace("--nodata ", "nodata = ")]
        assert told_by(sc.map_field, np.ma.masked_invalid(holed)) == []
    assert told_by(sc.map_field, np.abs(holed), nodata=np.inf) == []


def test_runs_without_points_are_told(cli: Any, tmp_path: Path) -> None:
    """Sentences are the command line's, with the names of options in place of files."""
    (tmp_path / "map.pgm").write_bytes(b"P5 64 64 255\n" + RAMP.tobytes())
    (tmp_path / "mask.pgm").write_bytes(b"P5 64 64 255\n" + STEP.tobytes())
    (tmp_path / "far.csv").write_text("x,y,min_dist\n48,32,60\n")
    flags: list[Any] = ["--mask", tmp_path / "mask.pgm", "--avoid", tmp_path / "far.csv", "-o", tmp_path / "a.csv"]
    told = cli.run("sample", tmp_path / "map.pgm", "--min-dist", 4, "--max-dist", 9, *flags)
    (theirs,) = (text for text in told if "no open place" in text)
    mask, avoid = STEP > 0, {"avoid": [[48, 32]], "avoid_dist": 60}
    options: dict[str, Any] = {"min_dist": 4, "max_dist": 9, "mask": mask}
    ours = told_by(sc.sample, RAMP, **options, **avoid)
    assert ours == ["no open place was found for any point, given mask and avoid"]
    said = theirs.replace(f"--mask {tmp_path / 'mask.pgm'}", "mask")
    assert said.replace(f"--avoid {tmp_path / 'far.csv'}", "avoid") == ours[0]
    # All that closes places is named, once.
    # Steep in the west only.
    heights = np.tile(2.0 * np.minimum(np.arange(64), 20), (64, 1))
    holed = np.ma.MaskedArray(RAMP, mask=RAMP < 9)
    triangle = np.array([[40, 5], [60, 5], [50, 30]])
    ours = told_by(sc.sample, holed, **options, height=heights, slope=(60, 70), polygons=[triangle])
    assert ours == ["no open place was found for any point, given map, height, mask and polygons"]
    ours = told_by(sc.sample, RAMP, **options, height=heights, **avoid)
    assert ours == ["no open place was found for any point, given mask and avoid"]
    assert told_by(sc.sample_distances, np.full((9, 9), np.nan)) == [
        "no open place was found for any point, given array"
    ]
    closed = "the map is transparent, no-data or NaN everywhere: it allows no point"
    nothing = np.ma.MaskedArray(STEP, mask=True)
    assert told_by(sc.sample, nothing) == [closed]
    # Layers.
    none = sc.map_field(RAMP, **options, polygons=[triangle], height=heights, slope=(60, 70))
    some, bare = sc.map_field(RAMP, min_dist=4, max_dist=9), sc.map_field(nothing)
    for layers, texts in (
        ([some, none], ["b: no open place was found for any point, given height, mask, polygons and the other layers"]),
        ([none, none], ["no open place was found for any point, given height, mask and polygons"]),
        ([some, bare], [f"b: {closed}"]),
        ([none, bare], [f"b: {closed}", "a: no open place was found for any point, given height, mask and polygons"]),
        ([some, some], []),
    ):
        assert told_by(sc.species, [sc.Layer("a", layers[0]), sc.Layer("b", layers[1])]) == texts
    # Windows are often empty, and so are parts of plans.
    assert told_by(lambda: sc.World(bare).window((0, 0, 64, 64))) == []
    plan = sc.plan(nothing)
    assert told_by(plan.run, 0, sc.ArrayReader(nothing)) == []


@pytest.mark.parametrize("at", ["centres", "corners"])
@pytest.mark.parametrize("limits", [{"slope": (50, 60)}, {"altitude": (90, 95)}, {"slope": (50, 60), "altitude": (9, 20)}])
def test_ground_that_allows_nothing_is_told(cli: Any, tmp_path: Path, limits: dict[str, Any], at: str) -> None:
    (tmp_path / "map.pgm").write_bytes(b"P5 64 64 255\n" + RAMP.tobytes())
    heights = np.add.outer(np.arange(64.0), np.sin(np.arange(64) / 9)).astype("<f4")
    (tmp_path / "h.r32f").write_bytes(heights.tobytes())
    told = cli.run("sample", tmp_path / "map.pgm", "--min-dist", 4, "--height", tmp_path / "h.r32f", "--height-size",
                   "64x64", "--height-at", at, *flags_of(limits), "-o", tmp_path / "a.csv")
    (theirs,) = (text for text in told if "almost none of" in text)
    theirs = theirs.replace(f"--height {tmp_path / 'h.r32f'}", "height")
    for name, (lo, hi) in limits.items():
        theirs = theirs.replace(f"--{name} {lo}..{hi}", f"{name} = [{lo}, {hi}]")
    options: dict[str, Any] = {"min_dist": 4, "limit": 0.25, "height": heights, "height_at": at, **limits}
    # And nothing of a run without points.
    assert told_by(sc.sample, RAMP, **options) == [theirs]


def test_other_fields_are_not_judged() -> None:
    distances = np.where(STEP > 0, 12.0, 2.0)
    for call in [
        lambda: sc.sample_distances(distances),
        lambda: sc.World(sc.distance_field(distances)),
        lambda: sc.World(4).window((0, 0, 9, 9)),
        lambda: sc.World(sc.noise_field(min_dist=2)),
        # Not flat, although it is in 16 bits.
        lambda: sc.sample(1e-7 * FLOATS, min_dist=2, range=(0, 1)),
    ]:
        assert told_by(call) == []
