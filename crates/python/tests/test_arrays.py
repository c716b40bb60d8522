"""Arrays of any layout, type and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spinney_scatter as sc

BASE = np.linspace(1, 9, 30 * 20).reshape(20, 30)


#: Arrays of several layouts.
LAYOUTS: dict[str, Any] = {
    "reversed": np.ascontiguousarray(BASE[::-1, ::-1])[::-1, ::-1],
    "strided": np.repeat(np.repeat(BASE, 2, 0), 3, 1)[::2, ::3],
    "fortran": np.asfortranarray(BASE),
    "big-endian": BASE.astype(">f8"),
    "read-only": np.frombuffer(BASE.tobytes()).reshape(20, 30),
    "broadcast": np.broadcast_to(BASE[:1], (20, 30)),
    "nested lists": BASE.tolist(),
    "long double": BASE.astype(np.longdouble),
    "one band": BASE[None],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_same_numbers_give_the_same_points(name: str) -> None:
    array = LAYOUTS[name]
    plain = np.array(array, dtype=np.float64, order="C").reshape(20, 30)
    for run in (sc.sample, sc.sample_distances):
        points, same = run(array), run(plain)
        assert len(points) > 0
        assert (points.id == same.id).all() and (points.xy == same.xy).all()


@pytest.mark.parametrize("kind", ["<u2", ">u2", "u1", "i2", ">i4", "u4", "i8", "u8", "f2", ">f4", "?"])
def test_every_type_of_numbers(kind: str) -> None:
    array = BASE.astype(kind)
    if kind == "?":
        array[:, ::2] = False
    points = sc.sample(array)
    assert len(points) > 0
    native = sc.sample(array.astype(array.dtype.newbyteorder("=")))
    assert (points.xy == native.xy).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-320, 1e300])
def test_a_level_may_be_any_number(value: float) -> None:
    array = BASE.copy()
    array[4, 5] = value
    points = sc.sample(array)
    assert len(points) > 5 and np.isfinite(points.xy).all() and 4 <= points.min_dist.min() <= points.min_dist.max() <= 16


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_nodata_beyond_the_type_of_the_array() -> None:
    """Rasters of floats use the least double or float as nodata, and some files store only its first digits."""
    plain = sc.sample(BASE, min_dist=1)
    for kind in ["f8", "f4", "f2", "i2", "u1"]:
        array = BASE.astype(kind)
        for nodata in [-1.7976931348623157e308, -3.4e38, -9999, 1e30]:
            assert (sc.sample(array, nodata=nodata).id == sc.sample(array).id).all()
    for kind in ["f8", "f4"]:
        array = BASE.astype(kind)
        array[5:15, 5:20] = np.finfo(np.float32).min
        hole = BASE.copy()
        hole[5:15, 5:20] = np.nan
        for nodata in [-3.4e38, -1.7976931348623157e308, float(np.finfo(np.float32).min)]:
            found = sc.sample(array, nodata=nodata, min_dist=1)
            assert len(found) == len(sc.sample(hole, min_dist=1)) != len(plain)


def test_a_range_may_be_an_array() -> None:
    for array in (BASE, BASE.astype(np.uint8)):
        lo, hi = ends = np.percentile(array, [2, 98])
        same = sc.sample(array, range=(float(lo), float(hi)))
        assert (sc.sample(array, range=ends).id == same.id).all()


def test_flags_may_be_numbers() -> None:
    tiled = sc.sample(BASE, min_dist=1, tile=True, y_up=False)
    assert (sc.sample(BASE, min_dist=1, tile=1, y_up=np.bool_(False)).xy == tiled.xy).all()
