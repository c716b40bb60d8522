"""Whatever the array, there is a result or a ValueError, and never a panic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spinney_scatter as sc

BASE = np.linspace(1, 9, 30 * 20).reshape(20, 30)


def read_only() -> Any:
    array = BASE.copy()
    array.setflags(write=False)
    return array


#: Those that are the same numbers in another form.
GOOD: dict[str, Any] = {
    "reversed": np.ascontiguousarray(BASE[::-1, ::-1])[::-1, ::-1],
    "strided": np.repeat(np.repeat(BASE, 2, 0), 3, 1)[::2, ::3],
    "fortran": np.asfortranarray(BASE),
    "big-endian": BASE.astype(">f8"),
    "read-only": read_only(),
    "broadcast": None,
    "nested lists": BASE.tolist(),
    "long double": BASE.astype(np.longdouble),
}
GOOD["broadcast"] = np.broadcast_to(BASE[:1], (20, 30))


@pytest.mark.parametrize("name", GOOD)
def test_the_same_numbers_give_the_same_points(name: str) -> None:
    array = GOOD[name]
    plain = np.array(array, dtype=np.float64, order="C")
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


BAD: dict[str, Any] = {
    "three axes": np.zeros((3, 4, 5)),
    "one axis": np.zeros(7),
    "no axis": np.float64(3.0),
    "no rows": np.zeros((0, 5)),
    "no columns": np.zeros((5, 0), np.uint8),
    "objects": np.array([[object(), 1], [2, 3]]),
    "text": np.array([["a", "b"]]),
    "complex": np.zeros((3, 3), complex),
    "dates": np.zeros((3, 3), "M8[s]"),
    "structured": np.zeros((3, 3), [("a", "f4")]),
    "ragged": [[1, 2], [3]],
    "nothing": None,
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_map_is_refused(name: str) -> None:
    for run in (sc.sample, sc.sample_distances):
        with pytest.raises(ValueError):
            run(BAD[name])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-320, 1e300])
def test_single_odd_numbers(value: float) -> None:
    array = BASE.copy()
    array[4, 5] = value
    for run in (sc.sample, sc.sample_distances):
        try:
            points = run(array, max_points=1000)
        except ValueError:
            continue
        assert np.isfinite(points.xy).all() and (points.min_dist > 0).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, 5.0])
def test_all_alike(value: float) -> None:
    try:
        points = sc.sample(np.full((9, 9), value))
    except ValueError as error:
        assert "range" in str(error)
    else:
        assert len(points) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"min_dist": 0}, {"min_dist": float("nan")}, {"max_dist": -1}, {"white": "grey"},
        {"rule": "nearest"}, {"seed": -1}, {"seed": 2**64}, {"count": 0}, {"max_points": 0},
        {"lod": 33}, {"lod": -1}, {"threads": 0}, {"threads": 5000}, {"size": (0, 1)},
        {"size": (1, float("inf"))}, {"size": 3}, {"origin": (float("nan"), 0)},
        {"transform": (1, 0.1, 0, 0, 1, 0)}, {"transform": (1, 2, 3)}, {"transform": "north"},
        {"transform": (0, 0, 0, 0, 1, 0)}, {"transform": (-1, 0, 0, 0, 1, 0)},
        {"transform": (1, 0, 0, 0, 1, 0), "y_up": True}, {"density": (1, 2), "min_dist": 1},
        {"density": (0, 2)}, {"curve": [(0, 0)]}, {"curve": [(0, 0), (2, 2)]}, {"map_is": "grey"},
        {"limit": 0}, {"limit": -1}, {"limit_keep": "both"}, {"range": (5, 5)}, {"range": "all"},
        {"mask": np.zeros((2, 2, 2))}, {"mask": np.full((3, 3), np.nan)},
        {"height": np.full((3, 3), np.nan)}, {"height": np.full((3, 3), np.inf)},
        {"height": BASE, "slope": (9, 3)}, {"height": BASE, "height_at": "edges"},
        {"height": np.zeros((1, 1)), "height_at": "corners"}, {"altitude": (0, 1)},
    ],
    ids=repr,
)
def test_impossible_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        sc.sample(BASE.astype(np.uint8), **options)
