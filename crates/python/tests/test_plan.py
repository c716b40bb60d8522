"""Plans: windows from parts of a map equal those of the whole."""

from __future__ import annotations

import inspect
import json
import pickle
import random
from pathlib import Path
from typing import Any, Sequence

import numpy as np
import pytest
from helpers import RULES, assert_make_up, assert_refused, geotiff, table

import spinney_scatter as sc


def assert_whole(parts: Sequence[sc.Points], whole: sc.Points) -> None:
    assert_make_up([table(part) for part in parts], table(whole))


def run_all(plan: sc.Plan, read: Any) -> list[sc.Points]:
    return [plan.run(i, read) for i in range(len(plan))]


class Counting:
    """Reads an array and records the requested windows."""

    def __init__(self, array: Any) -> None:
        self.read = sc.ArrayReader(array)
        self.windows: list[sc.Window] = []

    def __call__(self, window: sc.Window) -> Any:
        self.windows.append(window)
        return self.read(window)


@pytest.mark.parametrize("seed", range(12))
def test_windows_make_up_the_whole(seed: int) -> None:
    draw = random.Random(seed)
    width, height = draw.randint(300, 620), draw.randint(300, 500)
    pixel = draw.choice([0.3, 1.0, 30.0])
    pixels = sc.perlin((width, height), seed=seed, scale=90)
    if seed % 3 == 1:
        pixels = (pixels >> 8).astype(np.uint8)
    closed = np.zeros(pixels.shape, bool)
    if seed % 2:
        closed[40:90, 100:180] = True
        closed[height // 2 :, width // 2] = True
    array = np.ma.MaskedArray(pixels, mask=closed) if seed % 2 else pixels
    step = -pixel if draw.random() < 0.5 else pixel
    options: dict[str, Any] = {
        "min_dist": 3 * pixel,
        "max_dist": 12 * pixel,
        "rule": RULES[seed % 5],
        "white": draw.choice(["sparse", "dense"]),
        "seed": seed,
        "transform": (pixel, 0, 500_000.37, 0, step, 4_000_000.1),
    }
    if seed % 4 == 2:
        options["gamma"] = 1.5
    if seed == 5:
        options["lod"] = 2
    whole = sc.sample(array, **options)
    plan = sc.plan(array, windows=(draw.randint(2, 4), draw.randint(1, 3)), **options)
    parts = run_all(plan, Counting(array))
    assert_whole(parts, whole)
    for i, part in enumerate(parts):
        x0, y0, x1, y1 = plan.window(i)
        assert ((part.xy >= [x0, y0]) & (part.xy < [x1, y1])).all()


def test_only_a_part_is_read() -> None:
    pixels = sc.perlin((1500, 1400), scale=200)
    plan = sc.plan(pixels, min_dist=3, max_dist=9, windows=(6, 6))
    read = Counting(pixels)
    part = plan.run(14, read)
    assert len(part) > 500
    most = max(window.width * window.height for window in read.windows)
    assert most < pixels.size / 3
    assert len(read.windows) <= 2
    # Some window must need a larger part, or the test shows little.
    more = Counting(pixels)
    plan = sc.plan(pixels, min_dist=2, max_dist=3, windows=(3, 3))
    run_all(plan, more)
    assert len(more.windows) > len(plan)


def test_a_plan_is_plain_values() -> None:
    pixels = sc.perlin((80, 60))
    plan = sc.plan(pixels, curve=[(0, 1), (1, 0)], density=(0.001, 0.1), range=(9, 60000),
                   nodata=3, windows=(3, 2))
    assert len(plan) == 6 and plan.place(5) == (2, 1)
    again = sc.Plan.from_json(plan.to_json())
    assert again == plan and again.digest == plan.digest
    assert pickle.loads(pickle.dumps(plan)) == plan
    other = sc.plan(pixels, windows=(3, 2), seed=1)
    assert other.digest != plan.digest
    run = pickle.loads(pickle.dumps(plan.run))
    assert (run(4, sc.ArrayReader(pixels)).xy == plan.run(4, sc.ArrayReader(pixels)).xy).all()


#: Values in a plan's JSON, and the beginning of the error.
NO_PLANS: list[tuple[dict[str, Any], str]] = [
    ({"size": [80]}, "size [80]: give two whole numbers"),
    ({"bounds": [0, 0, 1, 10**400]}, "bounds [0, 0, 1, "),
    ({"y_up": "no"}, "y_up no: must be True or False"),
    ({"dtype": "x"}, "data type 'x' not understood"),
    ({"levels": [1, 0]}, "range 1..0: black must be a finite level below white"),
    ({"nodata": 10**400}, "nodata 1000"),
    ({"scaling": [0, 0]}, "scaling: its levels are to be multiplied by 0"),
    ({"scale_factor": "x"}, "scale_factor x: must be a positive finite number"),
    ({"rule": "foo"}, "rule: 'foo' is not one of max, mean, min, own, prior"),
    ({"seed": -1}, "seed -1: must be a whole number"),
    ({"lod": -1}, "lod -1: must be a whole number from 0 to 32"),
    ({"windows": [2, "x"]}, "windows x: must be a whole number from 1 to 60"),
    ({"windows": [0, 0]}, "windows 0: must be a whole number from 1 to 80"),
    ({"last": "x"}, "last x: must be a whole number"),
    ({"crs": 5}, "crs 5: give a text, like EPSG:32633"),
    ({"band": 0}, "band 0: must be a whole number from 1 to "),
    ({"algorithm_version": "x"}, "algorithm_version x: must be a whole number"),
    ({"other": 5}, "Plan.__init__() got an unexpected keyword argument 'other'"),
]


def test_what_is_no_plan_is_refused() -> None:
    plan = json.loads(sc.plan(sc.perlin((80, 60)), windows=(3, 2)).to_json())
    for text, said in [
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("[]", "'str' object cannot be interpreted as an integer"),
        ("{}", "it has no shaping"),
        ('{"shaping": {}}', "it has no curve"),
        (json.dumps(plan).replace('"sparse"', '"grey"'), "white: 'grey' is not one of sparse, dense"),
        *((json.dumps({**plan, **values}), said) for values, said in NO_PLANS),
    ]:
        assert_refused(f"plan: not a plan: {said}", sc.Plan.from_json, text)


def test_a_nodata_of_nan_is_equal_to_itself() -> None:
    """NaN as nodata: plans with it compare equal, so that a run by Dask can continue."""
    floats = np.where(np.eye(60) > 0, np.nan, 1.0)
    plan = sc.plan(floats, min_dist=1, max_dist=3, range=(0, 2), nodata=np.nan)
    assert sc.Plan.from_json(plan.to_json()) == plan and "NaN" not in plan.to_json()
    points = plan.run(0, sc.ArrayReader(floats))
    assert len(points) > 50 and (np.floor(points.xy[:, 0]) != np.floor(points.xy[:, 1])).all()


@pytest.mark.parametrize(
    "options",
    [{"density": (0, 2)}, {"min_dist": 9, "max_dist": 3}, {"gamma": 1000}, {"curve": [(0, 0), (2, 2)]}],
    ids=repr,
)
def test_what_no_window_can_run_is_no_plan(options: dict[str, Any]) -> None:
    pixels = sc.perlin((80, 60))
    with pytest.raises(ValueError) as refused:
        sc.plan(pixels, **options)
    with pytest.raises(ValueError) as theirs:
        sc.sample(pixels, **options)
    assert str(refused.value) == str(theirs.value)


def test_numbers_of_another_byte_order(tmp_path: Path) -> None:
    pixels = sc.perlin((120, 90), scale=40)
    pixels.astype(">u2").tofile(tmp_path / "map.raw")
    swapped = np.memmap(tmp_path / "map.raw", ">u2", "r", shape=(90, 120))
    plan = sc.plan(swapped, windows=(2, 1))
    assert_whole(run_all(plan, sc.ArrayReader(swapped)), sc.sample(pixels))


@pytest.mark.parametrize("lod", [0, 3])
def test_windows_of_a_count_end_at_its_last_point(lod: int) -> None:
    pixels = sc.perlin((300, 200), scale=60)
    left_out = 0
    for count in (500, 771, 900):
        counted = sc.sample(pixels, count=count, lod=lod)
        last = counted.last
        assert isinstance(last, tuple) == bool(lod)
        plan = sc.plan(pixels, scale_factor=counted.scale_factor, lod=lod, last=last, windows=(2, 2))
        plan = sc.Plan.from_json(plan.to_json())
        assert plan.last == last
        assert_whole(run_all(plan, sc.ArrayReader(pixels)), counted)
        all_of_it = sc.plan(pixels, scale_factor=counted.scale_factor, lod=lod, windows=(1, 1))
        left_out += len(all_of_it.run(0, sc.ArrayReader(pixels))) - count
    assert left_out > 0, "or nothing had to be left out"
    # A window without points.
    half = np.ma.MaskedArray(pixels, mask=np.indices(pixels.shape)[1] < 180)
    counted = sc.sample(half, count=200, lod=lod)
    plan = sc.plan(half, scale_factor=counted.scale_factor, lod=lod, last=counted.last, windows=(3, 1))
    parts = run_all(plan, sc.ArrayReader(half))
    assert len(parts[0]) == 0 and (parts[0].rank is None) == (lod == 0)
    assert_whole(parts, counted)
    none = sc.sample(np.ma.MaskedArray(pixels, mask=True))
    assert len(none) == 0 and none.last is None


def test_a_last_point_of_another_run_is_refused() -> None:
    pixels = sc.perlin((80, 60))
    for options, said in [
        ({"last": (1, 5)}, "last (1, 5): it has a rank, but there is no lod: give lod as in the run"),
        ({"last": 5, "lod": 2}, "last 5: with lod, give rank and id, as in points.last"),
        ({"last": (1, 2, 3), "lod": 2}, "last (1, 2, 3): give rank and id, as in points.last"),
        ({"last": -1}, "last -1: must be a whole number"),
        ({"last": (3, 1), "lod": 2}, "last 3: must be a whole number from 0 to 2"),
    ]:
        assert_refused(said, sc.plan, pixels, **options)


def test_a_last_point_of_a_map_of_floats_is_refused(tmp_path: Path) -> None:
    """``sample`` does not round floats, as plans do, so that its points have other ids."""
    floats = sc.perlin((80, 60)) / 65535
    assert_refused("last: not supported for a map of float64, which a plan rounds", sc.plan, floats, range=(0, 1), last=5)
    xarray = pytest.importorskip("xarray")
    scaled = xarray.DataArray(sc.perlin((80, 60)), attrs={"scale_factor": 0.1})
    assert_refused("last: not supported for a map of scaled uint16", sc.plan, scaled, range=(0, 6000), last=5)


def test_every_option_of_sample_is_a_plan_s_or_refused_with_why() -> None:
    pixels = sc.perlin((80, 60))

    def names(function: Any) -> set[str]:
        return {
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        }

    refused = names(sc.sample) - names(sc.plan)
    assert {"limit", "count", "tile", "polygons", "avoid", "algorithm"} <= refused
    for name in sorted(refused):
        assert_refused(f"{name}: not supported in a plan: ", sc.plan, pixels, **{name: 1})


def test_floats_need_a_range_and_follow_it() -> None:
    heights = np.linspace(-50, 150, 200 * 150).reshape(150, 200).astype(np.float32)
    assert_refused("range: black and white of float32 depend on all levels, and the whole map is not read: give range=",
                   sc.plan, heights)
    plan = sc.plan(heights, range=(-50, 150), windows=(2, 2))
    greys = np.floor((heights.astype(float) + 50) / 200 * 65535 + 0.5).astype(np.uint16)
    assert_whole(run_all(plan, sc.ArrayReader(heights)), sc.sample(greys))


def test_what_is_not_the_plan_s_is_refused() -> None:
    pixels = sc.perlin((800, 60))
    plan = sc.plan(pixels, windows=(2, 1))
    assert_refused("read: it returned 800x60 pixels, not ", plan.run, 0, lambda window: pixels)
    assert_refused("read: it returned numbers of type uint8, but the plan is for uint16", plan.run, 0,
                   lambda window: np.zeros((window.height, window.width), np.uint8))
    assert_refused("window 2: must be a whole number from 0 to 1", plan.run, 2, sc.ArrayReader(pixels))
    for windows, said in ((0, "windows 0: give two whole numbers"), ((0, 1), "windows 0: must be a whole number from 1 to 800"),
                          ((2.7, 3), "windows 2.7: must be a whole number from 1 to 800")):
        assert_refused(said, sc.plan, pixels, windows=windows)
    assert_refused("source: give a rasterio dataset, a DataArray, or an array of rows and columns", sc.plan, "map.tif")
    with pytest.raises(TypeError, match="unexpected keyword argument 'cuont'"):
        sc.plan(pixels, cuont=5)

    class Broken(Exception):
        pass

    def broken(window: sc.Window) -> Any:
        raise Broken

    with pytest.raises(Broken):
        plan.run(0, broken)
    old = sc.Plan.from_json(plan.to_json().replace('"algorithm_version": ', '"algorithm_version": 9'))
    assert_refused("plan: made by algorithm version 9", old.run, 0, sc.ArrayReader(pixels))


def test_sources(tmp_path: Any) -> None:
    rasterio = pytest.importorskip("rasterio")
    xarray = pytest.importorskip("xarray")
    pixels = sc.perlin((300, 200), scale=60)
    pixels[50:70, 30:90] = 7
    geotiff(tmp_path / "a.tif", pixels, (2.5, 0, 100, 0, -2.5, 900), None,
            tiled=True, blockxsize=64, blockysize=64, nodata=7)
    with rasterio.open(tmp_path / "a.tif") as source:
        plan = sc.plan(source, windows=(2, 2))
        whole = sc.sample(source.read(1, masked=True), transform=source.transform)
    read = sc.RasterReader(str(tmp_path / "a.tif"))
    assert_whole(run_all(plan, pickle.loads(pickle.dumps(read))), whole)
    x, y = 100 + 2.5 * (np.arange(300) + 0.5), 900 - 2.5 * (np.arange(200) + 0.5)
    array = xarray.DataArray(pixels, dims=("y", "x"), coords={"x": x, "y": y},
                             attrs={"_FillValue": 7})
    for other in (array, array.transpose("x", "y"), array.expand_dims("band")):
        assert_whole(run_all(sc.plan(other, windows=(2, 2)), sc.ArrayReader(other)), whole)


def test_a_plan_is_for_its_band(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    pixels, path = sc.perlin((120, 90), scale=40), str(tmp_path / "a.tif")
    geotiff(path, np.stack([pixels, pixels[::-1]]), (1, 0, 100, 0, -1, 900))
    with rasterio.open(path) as source:
        first, second = (sc.plan(source, windows=(2, 1), band=band) for band in (1, 2))
        transform = source.transform
        assert_refused("band 3: the source has 2", sc.plan, source, band=3)
        assert_refused("band: the source has 2, and a plan reads one", sc.plan, source)
    assert first != second and first.digest != second.digest
    assert sc.Plan.from_json(second.to_json()) == second
    read = sc.RasterReader(path, band=2)
    whole = sc.sample(pixels[::-1], transform=transform)
    assert_whole(run_all(second, read), whole)
    for plan, other in ((second, sc.RasterReader(path)), (first, read)):
        assert_refused(f"read: it reads band {other.band}, but the plan is for band {plan.band}: give ", plan.run, 0, other)
    for band in (0, 3):
        assert_refused(f"band {band}: ", sc.RasterReader(path, band=band), sc.Window(0, 0, 5, 5))
    assert_refused("band 2: the source has 1", sc.plan, pixels, band=2)


def ids_of(plan: sc.Plan, read: Any) -> set[int]:
    return {i for part in run_all(plan, read) for i in part.id.tolist()}


@pytest.mark.parametrize(
    "most,more",
    [(4095, {"nbits": 12}), (1023, {"nbits": 10}), (15, {"nbits": 4}), (1, {"nbits": 1}),
     (255, {"photometric": "MINISWHITE"}), (15, {"photometric": "MINISWHITE", "nbits": 4}),
     (15, {"driver": "PNG", "nbits": 4})],
    ids=repr,
)  # fmt: skip
def test_white_is_that_of_the_file(tmp_path: Path, most: int, more: dict[str, Any]) -> None:
    """A band of 12 bits comes as ``uint16``, whose greatest number is not its white."""
    rasterio = pytest.importorskip("rasterio")
    pixels = np.rint(sc.perlin((90, 70), scale=30) / 65535 * most).astype("u2" if most > 255 else "u1")
    path = str(tmp_path / "map")
    geotiff(path, pixels, None, None, **more)
    sizes: dict[str, Any] = {"min_dist": 2, "max_dist": 8}
    for options in [sizes, {**sizes, "range": (0.2 * most, 1.5 * most)}]:
        with rasterio.open(path) as source:
            plan = sc.plan(source, windows=(2, 1), **options)
        assert ids_of(plan, sc.RasterReader(path)) == set(sc.sample(sc.read(path), **options).id.tolist())


def test_a_band_among_others_or_of_a_palette_is_chosen(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    pixels = (sc.perlin((90, 70), scale=30) >> 8).astype(np.uint8)
    path = str(tmp_path / "map.tif")

    def write(bands: Any, colours: Any = None, **more: Any) -> None:
        with rasterio.open(path, "w", driver="GTiff", width=90, height=70, count=len(bands), dtype="uint8", **more) as out:
            out.write(np.stack(bands))
            if colours is not None:
                out.write_colormap(1, colours)

    def run(**options: Any) -> set[int]:
        with rasterio.open(path) as source:
            plan = sc.plan(source, min_dist=2, max_dist=8, **options)
        return ids_of(plan, sc.RasterReader(path))

    def whole(channel: str) -> set[int]:
        return set(sc.sample(sc.read(path, channel), min_dist=2, max_dist=8).id.tolist())

    write([pixels, 255 - pixels, pixels // 2], photometric="RGB")
    assert_refused("band: the source has 3, ", run)
    assert run(band=1) == whole("1") != whole("luma")
    write([pixels // 16], {i: (i * 16, 255 - i * 16, i * 8, 255) for i in range(16)}, photometric="palette")
    assert_refused("band: the source has a colour table, ", run)
    assert run(band=1) == whole("index") != whole("luma")
    # Alpha is a mask.
    write([pixels, np.where(pixels > 120, 255, 0)], photometric="MINISBLACK", alpha="YES")
    assert run() == whole("luma")


def test_the_white_of_a_pnm_file_is_asked_for(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    (tmp_path / "a.pgm").write_bytes(b"P5 4 2 100\n" + bytes(8))
    with rasterio.open(tmp_path / "a.pgm") as source:
        assert_refused("range: rasterio does not tell the white of a PNM file", sc.plan, source, size=(4, 2))
