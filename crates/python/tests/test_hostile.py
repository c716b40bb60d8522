"""Any array gives a result or a ValueError, and never a panic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spinney_scatter as sc

BASE = np.linspace(1, 9, 30 * 20).reshape(20, 30)


def read_only() -> Any:
    array = BASE.copy()
    array.setflags(write=False)
    return array


#: Other forms of the same numbers.
GOOD: dict[str, Any] = {
    "reversed": np.ascontiguousarray(BASE[::-1, ::-1])[::-1, ::-1],
    "strided": np.repeat(np.repeat(BASE, 2, 0), 3, 1)[::2, ::3],
    "fortran": np.asfortranarray(BASE),
    "big-endian": BASE.astype(">f8"),
    "read-only": read_only(),
    "broadcast": None,
    "nested lists": BASE.tolist(),
    "long double": BASE.astype(np.longdouble),
    "one band": BASE[None],
}
GOOD["broadcast"] = np.broadcast_to(BASE[:1], (20, 30))


@pytest.mark.parametrize("name", GOOD)
def test_the_same_numbers_give_the_same_points(name: str) -> None:
    array = GOOD[name]
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
    "a path": "map.tif",
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


@pytest.mark.parametrize(
    "name,value",
    [
        ("count", 1e3), ("seed", "7"), ("seed", 1.0), ("max_points", [5]), ("lod", 2.5), ("threads", 2.0),
        ("min_dist", (2, 4)), ("max_dist", "9 m"), ("limit", [0.25]), ("gamma", "x"), ("gamma", np.nan),
        ("mask_threshold", None), ("nodata", "none"), ("size", 3), ("density", 0.1), ("slope", 20),
    ],
)
def test_refusals_of_a_type_name_the_option(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} ") as refused:
        sc.sample(BASE, **{"height": BASE, name: value})
    assert "\n" not in str(refused.value)


def test_other_calls_name_the_option() -> None:
    for name, call in [
        ("size", lambda: sc.perlin(512)),  # type: ignore[arg-type]
        ("warp", lambda: sc.perlin(warp="much")),  # type: ignore[arg-type]
        ("raw_size", lambda: sc.read("a.r16", raw_size=4)),  # type: ignore[arg-type]
        ("field", lambda: sc.World("far")),  # type: ignore[arg-type]
        ("windows", lambda: sc.plan(BASE, range=(0, 9), windows=(2.7, 3))),
        ("share", lambda: sc.species([sc.Layer("a", 4, share="half")], bounds=(0, 0, 9, 9))),  # type: ignore[arg-type]
    ]:
        with pytest.raises(ValueError, match=f"^{name} "):
            call()


#: Options, their values of a wrong type, and the beginning of the error.
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"min_dist": BASE}, "min_dist [["), ({"gamma": BASE}, "gamma [["), ({"seed": BASE}, "seed [["),
    ({"size": BASE}, "size array"), ({"white": BASE}, "white: '[["), ({"rule": BASE}, "rule: '[["),
    ({"rule": BASE, "algorithm": "bridson"}, "rule: '[["), ({"tile": BASE}, "tile [["), ({"tile": "no"}, "tile no: "),
    ({"srgb": float("nan")}, "srgb nan: "), ({"y_up": "False"}, "y_up False: "), ({"y_up": 2}, "y_up 2: "),
    ({"curve": 5}, "curve 5: give points"), ({"progress": 3}, "progress 3: give a function"),
    ({"polygons": np.array([[0, 0], [np.nan, 1], [3, 4]])}, "polygons: a coordinate is NaN or infinite"),
    ({"polygons": {"type": "Polygon", "coordinates": ()}}, "polygons: there is none, or all are"),
    ({"polygons": {"type": "Polygon", "coordinates": None}}, "polygons: there is none, or all are"),
    ({"polygons": {"type": "Polygon", "coordinates": 5}}, "polygons: GeoJSON: "),
    ({"polygons": {"type": "Polygon", "coordinates": [BASE]}}, "polygons: their coordinates are not lists"),
    ({"polygons": []}, "polygons: there is none, or all are"),
    ({"polygons": 5}, "polygons: 5 are not polygons"), ({"transform": BASE}, "transform array"),
]


@pytest.mark.parametrize("options,said", WRONG, ids=[said for _, said in WRONG])
def test_refusals_of_a_type_are_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as refused:
        sc.sample(BASE, **options)
    assert str(refused.value).startswith(said) and "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_refusals_of_other_calls_are_one_line(tmp_path: Path) -> None:
    points, box = sc.sample(BASE), (0, 0, 9, 9)
    calls: list[tuple[Any, str]] = [
        (lambda: points.save(tmp_path / "a.glb", rotate="no"), "rotate no: must be True or False"),  # type: ignore[arg-type]
        (lambda: points.placed(rotate="no"), "rotate no: must be True or False"),  # type: ignore[arg-type]
        (lambda: sc.species([sc.Layer(5, 4)], bounds=box), "layers: Layer(name=5"),  # type: ignore[arg-type]
        (lambda: sc.species([5], bounds=box), "layers: 5 is not a layer"),  # type: ignore[list-item]
        (lambda: sc.species(5, bounds=box), "layers 5: give layers"),  # type: ignore[arg-type]
        (lambda: sc.species([sc.Layer("a", 4)], bounds=box, apart=[4]), "apart [4]: give distances"),  # type: ignore[arg-type]
        (lambda: sc.species([sc.Layer("a", 4)], bounds=box, progress=3), "progress 3: "),  # type: ignore[arg-type]
        (lambda: sc.verify("points.csv", 5), "points: not an array of numbers"),
        (lambda: sc.verify(points, 5, tile="no"), "tile no: must be True or False"),  # type: ignore[arg-type]
        (lambda: sc.verify(points, 5, rule=BASE), "rule: '[["),  # type: ignore[arg-type]
        (lambda: sc.perlin((9, 9), threshold=2), "threshold 2: must be a number from 0 to 1"),
        (lambda: points.placed(scale=(2, 1)), "scale 2..1: give the least and then the greatest, like (0.8, 1.2)"),
        (lambda: points.placed(scale=(0, 1)), "scale 0..1: both must be above 0"),
        (lambda: points.save(b"x.csv"), "path b'x.csv': give a text"),  # type: ignore[arg-type]
        (lambda: points.save(5), "path 5: give a text"),  # type: ignore[arg-type]
        (lambda: sc.read("x.tif", 1), "channel 1: give a text"),  # type: ignore[arg-type]
        (lambda: sc.read("x.tif", alpha=0), "alpha 0: give a text"),  # type: ignore[arg-type]
        (lambda: sc.noise_field(white=1), "white: '1' is not one of sparse, dense"),  # type: ignore[arg-type]
        (lambda: sc.World(BASE), "field [["),  # type: ignore[arg-type]
        (lambda: sc.species([]), "layers: there is none: give layers, like [Layer("),
        (lambda: sc.species([sc.Layer("a", 4)], bounds=(9, 9, 0, 0)), "bounds 9,9,0,0: give the lowest corner"),
        (lambda: sc.verify(points, 5, bounds=(80, 60, 0, 0.5)), "bounds 80,60,0,0.5: give the lowest corner"),
        (lambda: sc.World(4).window((0, 0, 9, np.inf)), "window 0,0,9,inf: give the lowest corner"),
    ]
    for call, said in calls:
        with pytest.raises(ValueError) as refused:
            call()
        assert str(refused.value).startswith(said) and "\n" not in str(refused.value)
    with pytest.raises(ValueError, match=r"must end in one of \.csv, .*, \.parquet$"):
        points.save(tmp_path / "a.gpkg")
    # Numbers of 0 and 1 are as good as False and True.
    one, two = (sc.sample(BASE, min_dist=1, **more) for more in ({"tile": 1, "y_up": np.bool_(False)}, {"tile": True}))
    assert (one.xy == two.xy).all()


def test_what_needs_another_option_is_refused_without_it() -> None:
    """Options without effect are refused, as on the command line."""
    for options in [{"mask_threshold": 0.9}, {"limit_keep": "sparse"}, {"height_at": "corners"},
                    {"slope": np.array([0, 9])}]:
        for run in (sc.sample, sc.sample_distances):
            with pytest.raises(ValueError, match=f"^{next(iter(options))}: needs .*: give"):
                run(BASE, **options)
    for write in (sc.sample(BASE).placed, lambda **o: sc.sample(BASE).save("a.csv", **o)):
        with pytest.raises(ValueError, match="^scale_by: needs sizes: give scale"):
            write(scale_by="value")
