"""Fields from arrays, masks, heights and noise; worlds, species and judgements."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import RULES, assert_refused

import spinney_scatter as sc
from spinney_scatter import _fields as fields


def ramp(width: int = 60, height: int = 40) -> Any:
    return np.tile(np.linspace(0, 255, width).round().astype(np.uint8), (height, 1))


def test_the_defaults_and_columns() -> None:
    points = sc.sample(ramp())
    assert points.xy.shape == (len(points), 2) and points.xy.dtype == np.float64
    assert points.id.dtype == np.uint64 and points.min_dist.dtype == np.float64
    assert points.rank is None and points.layer is None
    assert points.complete and points.unresolved >= 0 and points.scale_factor == 1.0
    assert points.min_dist.min() >= 4 and points.min_dist.max() <= 16
    x0, y0, x1, y1 = points.run.bounds
    assert (x0, y0, x1, y1) == (0, 0, 60, 40)
    assert ((points.xy >= [x0, y0]) & (points.xy < [x1, y1])).all()
    # Black is dense, on the left.
    assert (points.xy[:, 0] < 30).mean() > 0.6


def test_floats_are_a_field_at_full_precision() -> None:
    """Distances that 16 bits cannot distinguish keep their bits."""
    distances = np.full((30, 30), 3.0)
    distances[:, 15:] = np.nextafter(3.0, 4.0)
    points = sc.sample_distances(distances)
    assert set(points.min_dist.tolist()) >= {3.0, np.nextafter(3.0, 4.0)}
    values = np.linspace(0, 1e-7, 900).reshape(30, 30)
    points = sc.sample(values, min_dist=2, max_dist=4, range=(0, 1))
    assert len(np.unique(points.min_dist)) > len(points) // 2
    assert points.min_dist.max() < 2 + 4e-7


def test_a_number_is_the_distance_everywhere() -> None:
    points = sc.sample_distances(5, size=(300, 200), seed=3)
    same = sc.sample_distances(np.full((20, 30), 5.0), size=(300, 200), seed=3)
    assert points.complete and (points.xy == same.xy).all() and len(points) > 1600
    assert len(sc.sample_distances(np.float32(5), size=(300, 200), seed=3)) == len(points)
    with pytest.raises(ValueError, match="^size: give the size of the world"):
        sc.sample_distances(5)


def test_nan_masks_and_nodata_close_pixels() -> None:
    distances = np.full((40, 40), 2.5)
    distances[10:30, 10:30] = np.nan
    points = sc.sample_distances(distances)
    inside = ((points.xy > 10) & (points.xy < 30)).all(axis=1)
    assert len(points) > 50 and not inside.any()
    same = sc.sample_distances(np.nan_to_num(distances, nan=-9999.0), nodata=-9999)
    assert (same.xy == points.xy).all()
    masked = np.ma.MaskedArray(np.full((40, 40), 2.5), mask=np.isnan(distances))
    assert (sc.sample_distances(masked).xy == points.xy).all()
    greys = np.ma.MaskedArray(np.zeros((40, 40), np.uint8), mask=np.isnan(distances))
    some = sc.sample(greys, min_dist=2.5)
    assert not ((some.xy > 10) & (some.xy < 30)).all(axis=1).any()
    none = sc.sample_distances(np.full((4, 4), np.nan))
    assert len(none) == 0 and none.complete and none.xy.shape == (0, 2)


def test_the_limit_keeps_full_precision() -> None:
    step = np.full((20, 80), 2.0)
    step[:, 40:] = 12.000001
    free, gentle = sc.distance_field(step), sc.distance_field(step, limit=0.25)
    assert free.range == (2.0, 12.000001)
    assert gentle.range[0] == 2.0 and gentle.range[1] < 12
    assert free.min_dist_at(44.5, 10) == 12.000001
    at = gentle.min_dist_at(44.5, 10)
    assert at is not None and abs(at - (4 + (0.25 * 5) ** 2) ** 0.5) < 1e-9
    assert free.min_dist_at(float("nan"), 0) is None


def test_points_keep_their_distance_and_leave_no_gap() -> None:
    values = np.random.default_rng(1).random((30, 30))
    for rule in RULES:
        points = sc.sample(values, min_dist=1.5, max_dist=4, rule=rule, seed=2)
        report = sc.verify(points, values, min_dist=1.5, max_dist=4)
        assert report["violations"] == 0 and report["misplaced"] == 0 and report["outside"] == 0
        assert report["points"] == len(points) > 50
        if rule == "max":
            assert report["gap_fraction"] < 1e-4
    nowhere = np.ma.MaskedArray(ramp(), mask=True)
    assert sc.verify([[1, 1]], nowhere, bounds=(0, 0, 60, 40))["gap_fraction"] is None
    # Gaps are measured beside two points at one place, too.
    assert 0.8 < sc.verify([[1, 1], [1, 1]], 3, bounds=(0, 0, 9, 9))["gap_fraction"] < 0.9
    # A pair that is too close is found.
    twice = np.concatenate([points.xy, points.xy[:1] + 1e-3])
    assert sc.verify(twice, 1.5, bounds=(0, 0, 30, 30), measures="spacing")["violations"] >= 1


def test_bridson_s_points_are_judged_by_their_parents() -> None:
    points = sc.sample(ramp(), algorithm="bridson", rule="parent", seed=1)
    report = sc.verify(points, measures="spacing")
    assert len(points) > 20 and report["rule"] == "parent" and report["violations"] == 0
    assert report["gap_fraction"] is None
    for distance in (np.float32(3), np.int64(3), 3):
        assert sc.verify(points.xy, distance, bounds=(0, 0, 60, 40), measures="spacing")["violations"] == 0


def test_layers_are_judged_each_by_its_own_distances() -> None:
    layers, apart = [sc.Layer("oak", 6.0), sc.Layer("fern", 3.0)], {("oak", "fern"): 1.0}
    wood = sc.species(layers, apart=apart, bounds=(0, 0, 60, 40))
    report = sc.verify(wood, layers=layers, apart=apart)
    assert report["violations"] == report["misplaced"] == 0 and report["worst_ratio"] >= 1
    counts = [layer["points"] for layer in report["layers"]]
    assert counts == [int((wood.layer == i).sum()) for i in (0, 1)] and min(counts) > 20
    # Under the rule they are too close to each other, and to the points to avoid.
    assert sc.verify(wood, layers=layers)["between"][0]["violations"] > 0
    near = sc.verify(wood, layers=layers, apart=apart, avoid=[[30, 20]], avoid_dist=12)
    assert near["violations"] == 0 and near["misplaced"] > 10
    oaks = wood.xy[wood.layer == 0]
    assert sc.verify(oaks, 6.0, bounds=(0, 0, 60, 40))["violations"] == 0


def test_columns_are_there_without_points(tmp_path: Path) -> None:
    nothing = np.ma.MaskedArray(ramp(), mask=True)
    ranked = sc.sample(nothing, lod=3)
    wood = sc.species([sc.Layer("oak", sc.map_field(nothing)), sc.Layer("elm", sc.map_field(nothing))])
    assert len(ranked) == len(wood) == 0
    assert ranked.rank is not None and ranked.rank.dtype == np.uint32 and ranked.layer is None
    assert wood.layer is not None and wood.xy[wood.layer == 0].shape == (0, 2) and wood.rank is None
    ranked.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "id,x,y,min_dist,value,rank\n"


def test_counted_sets_are_judged_by_their_own_scale() -> None:
    points = sc.sample(ramp(), count=400)
    assert len(points) == 400 and points.scale_factor != 1.0
    report = sc.verify(points, ramp(), measures="spacing")
    assert report["violations"] == 0
    assert sc.verify(points, measures="spacing")["violations"] == 0


def test_windows_of_a_world_are_crops() -> None:
    for field in [2.0, sc.noise_field(min_dist=2, max_dist=6, scale=40, seed=3),
                  sc.map_field(ramp(), min_dist=2, origin=(-20, -10))]:
        world = sc.World(field, 9)
        wide = world.window((-40, -30, 40, 50))
        part = sc.World(field, 9).window((-7.5, -3, 21, 30))
        inside = ((wide.xy >= [-7.5, -3]) & (wide.xy < [21, 30])).all(axis=1)
        assert sorted(part.id.tolist()) == sorted(wide.id[inside].tolist()) != []
        order, theirs = np.argsort(part.id), np.argsort(wide.id[inside])
        assert (part.xy[order] == wide.xy[inside][theirs]).all()


def test_a_field_is_a_map_with_its_options() -> None:
    field = sc.map_field(ramp(), min_dist=3, white="dense")
    points = sc.sample(field, seed=2)
    assert (points.xy == sc.sample(ramp(), min_dist=3, white="dense", seed=2).xy).all()
    assert sc.verify(points, field, measures="spacing")["violations"] == 0


def test_an_array_of_0_and_1_is_a_mask() -> None:
    half = np.zeros((4, 6), bool)
    half[:, 3:] = True
    for mask in (half, np.ones((4, 6), bool)):
        by_bool = sc.sample(ramp(), mask=mask)
        for kind in (np.int8, np.int32, np.int64, np.uint32, np.uint64, np.float32):
            assert (sc.sample(ramp(), mask=mask.astype(kind)).xy == by_bool.xy).all(), kind
        # Greys, of which 1 is nearly black.
        greys = sc.sample(ramp(), mask=mask.astype(np.uint8), mask_threshold=0.001961)
        assert (greys.xy == by_bool.xy).all()


def test_points_can_be_pickled() -> None:
    points = sc.sample(ramp(), lod=3)
    again = pickle.loads(pickle.dumps(points))
    assert again.run == points.run and (again.xy == points.xy).all()
    assert points.rank is not None and (again.rank == points.rank).all()
    assert points.rank.max() <= 3


def test_files_say_what_run_their_points_are_of(tmp_path: Path) -> None:
    """Points pickled by an older release stay valid, and ``tile`` is stored."""
    points = sc.sample(ramp(), tile=True)
    older = dataclasses.replace(points.run, algorithm_version=sc.ALGORITHM_VERSION - 1)
    points = pickle.loads(pickle.dumps(dataclasses.replace(points, run=older)))
    points.save(tmp_path / "a.json")
    about = json.loads((tmp_path / "a.json").read_text())["spinney"]
    assert about["algorithm_version"] == sc.ALGORITHM_VERSION - 1
    assert about["tile"] is True


def test_functions_take_all_options_of_their_field() -> None:
    """Options are passed on by name: a missing one would silently keep its default."""
    pairs: list[tuple[Any, Any]] = [
        (sc.sample, fields.map_field),
        (sc.sample_distances, fields.distance_field),
    ]
    for function, field in pairs:
        options = set(field.__kwdefaults__)
        assert {"limit", "slope"} < options <= set(fields.USUAL)
        assert options <= set(function.__kwdefaults__)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_replace_others_or_are_refused(tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    points, target, missing = sc.sample(ramp()), tmp_path / f"a.{ending}", tmp_path / "none" / f"a.{ending}"
    target.write_text("old")
    points.save(target)
    assert target.read_bytes()[:3] == {"csv": b"id,", "parquet": b"PAR"}[ending]
    assert target.stat().st_mode & 0o444 == 0o444
    # The error is Python's own.
    with pytest.raises(FileNotFoundError) as theirs:
        open(missing)
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(str(theirs.value))}$") as ours:
        points.save(missing)
    assert ours.value.filename == str(missing)
    for column in (points.xy[:, 0], points.value):
        before, column[3] = column[3], np.inf
        name = "value" if column is points.value else "x"
        assert_refused(f"{target}: point {points.id[3]} has {name} = inf, but files contain only", points.save, target)
        column[3] = before
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_maps_are_read(tmp_path: Path, maps: Path) -> None:
    assert sc.read(maps / "f.png").dtype == np.uint8
    assert sc.read(maps / "clusters.png").ndim == 2
    raw = np.arange(12, dtype="<f4").reshape(3, 4)
    (tmp_path / "a.r32f").write_bytes(raw.tobytes())
    back = sc.read(tmp_path / "a.r32f", raw_size=(4, 3), nodata=5)
    assert back.dtype == np.float64 and np.isnan(back[1, 1]) and back[2, 3] == 11
    sixteen = np.array([[0, 1], [65534, 65535]], dtype="<u2")
    (tmp_path / "a.r16").write_bytes(sixteen.tobytes())
    assert (sc.read(tmp_path / "a.r16", raw_size=(2, 2)) == sixteen).all()
    assert_refused(f"{tmp_path / 'a.r16'}: a raw map does not state its size: give its size as raw_size", sc.read, tmp_path / "a.r16")
    # The error is Python's own.
    with pytest.raises(FileNotFoundError) as theirs:
        open(tmp_path / "none.png")
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(str(theirs.value))}$"):
        sc.read(tmp_path / "none.png")
    (tmp_path / "a.png").write_bytes(b"no picture")
    assert_refused(f"{tmp_path / 'a.png'}: ", sc.read, tmp_path / "a.png")
    assert_refused(f"{tmp_path}: is not a file; give a map", sc.read, tmp_path)
