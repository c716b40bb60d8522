"""Rasters with a place: rasterio, xarray, GeoDataFrames."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import assert_make_up, assert_refused, assert_told, csv_table, flags_of, geotiff, parquet_table, table, told_by

import spinney_scatter as sc

geopandas = pytest.importorskip("geopandas")
parquet = pytest.importorskip("pyarrow.parquet")
rasterio = pytest.importorskip("rasterio")
rioxarray = pytest.importorskip("rioxarray")
xarray = pytest.importorskip("xarray")


def the_f(maps: Path) -> Any:
    """A map without any symmetry: a dark F."""
    return sc.read(maps / "f.png")


@pytest.mark.parametrize("north_up", [True, False], ids=["north-up", "south-up"])
def test_rasterio_to_geodataframe(maps: Path, tmp_path: Path, north_up: bool) -> None:
    pixels = the_f(maps)
    rows = len(pixels)
    stored = pixels if north_up else pixels[::-1]
    step = -30.0 if north_up else 30.0
    north = 5_000_123.37
    transform = (30.0, 0, 500_000.37, 0, step, north if north_up else north - 30.0 * rows)
    path = tmp_path / "f.tif"
    geotiff(path, stored, transform)
    with rasterio.open(path) as src:
        bounds = src.bounds
        points = sc.sample(src.read(1), min_dist=60, max_dist=240, transform=src.transform)
        frame = points.to_geodataframe(src.crs)
    assert isinstance(frame, geopandas.GeoDataFrame) and len(frame) == len(points) > 500
    assert frame.crs.to_epsg() == 32633
    low, high = min(bounds.bottom, bounds.top), max(bounds.bottom, bounds.top)
    inside = frame.geometry.x.between(bounds.left, bounds.right) & frame.geometry.y.between(low, high)
    assert inside.all()
    # Rasterio finds the greys of the points there.
    with rasterio.open(path) as src:
        at = np.array([v[0] for v in src.sample(zip(frame.geometry.x, frame.geometry.y))]) / 255.0
    assert np.abs(at - points.value).mean() < 0.1


def test_xarray_brings_its_place_and_nodata(maps: Path) -> None:
    pixels = the_f(maps).astype(np.float32)
    rows, columns = pixels.shape
    x, y = 1000 + 2.5 * (np.arange(columns) + 0.5), 9000 - 2.5 * (np.arange(rows) + 0.5)
    named = xarray.DataArray(pixels, dims=("y", "x"), coords={"x": x, "y": y})
    points = sc.sample(named, min_dist=5)
    plain = sc.sample(pixels, min_dist=5, transform=(2.5, 0, 1000, 0, -2.5, 9000))
    assert points.run.bounds == plain.run.bounds == (1000, 9000 - 2.5 * rows, 1000 + 2.5 * columns, 9000)
    assert (points.xy == plain.xy).all() and points.run.y_up
    assert (sc.sample(named.transpose("x", "y"), min_dist=5).xy == points.xy).all()
    # Rows from the south are turned.
    up = sc.sample(named[::-1], min_dist=5)
    assert up.run == points.run and (up.xy == points.xy).all()
    banded = named.expand_dims("band")
    assert (sc.sample(banded, min_dist=5).xy == points.xy).all()
    assert_refused("map: must have rows and columns, not dimensions ('band', 'y', 'x'): give one band of it", sc.sample,
                   xarray.concat([banded, banded], "band"))
    holed = named.copy()
    holed[: rows // 2] = -9999
    holed.attrs["_FillValue"] = -9999
    south = sc.sample(holed, min_dist=5)
    assert len(south) > 50 and (south.xy[:, 1] <= 9000 - 2.5 * (rows // 2)).all()
    assert_refused("map: the coordinates along x are not evenly spaced", sc.sample, named.assign_coords(x=x**1.1))


def test_rioxarray(maps: Path, tmp_path: Path) -> None:
    pixels = the_f(maps)
    transform = (0.3, 0, 500_000.37, 0, -0.3, 5e6)
    geotiff(tmp_path / "f.tif", pixels, transform, nodata=255)
    raster = rioxarray.open_rasterio(tmp_path / "f.tif")
    points = sc.sample(raster, min_dist=0.6)
    same = sc.sample(pixels, min_dist=0.6, nodata=255, transform=transform)
    assert len(points) > 100 and (points.xy == same.xy).all()


def written(path: Path, pixels: Any, transform: Any, **more: Any) -> Any:
    """Write a raster, and return it as rioxarray reads it."""
    geotiff(path, pixels, transform, **more)
    return rioxarray.open_rasterio(path).sel(band=1)


#: Operations on a raster, and the place of its pixels afterwards.
CHANGED = [
    (lambda r: r, (500_000, 4_999_760, 500_360, 5_000_000)),
    (lambda r: r[2:, 4:], (500_120, 4_999_760, 500_360, 4_999_940)),
    (lambda r: r[:1], (500_000, 4_999_970, 500_360, 5_000_000)),
    (lambda r: r[::-1], (500_000, 4_999_760, 500_360, 5_000_000)),
    (lambda r: r.sortby("y"), (500_000, 4_999_760, 500_360, 5_000_000)),
    (lambda r: r.coarsen(x=4, y=4).mean(), (500_000, 4_999_760, 500_360, 5_000_000)),
    (lambda r: r[::2, ::2], (499_985, 4_999_775, 500_345, 5_000_015)),
]


@pytest.mark.parametrize("change,bounds", CHANGED)
def test_a_changed_raster_lies_where_its_coordinates_say(tmp_path: Path, change: Any, bounds: Any) -> None:
    """A file's transform stays with its array through all operations."""
    pixels = np.add.outer(np.arange(8), np.arange(12.0)) ** 2
    raster = written(tmp_path / "a.tif", pixels, (30, 0, 500_000, 0, -30, 5_000_000))
    changed = change(raster)
    field = sc.map_field(changed, min_dist=20, range=(0, 400))
    assert field.bounds == bounds and field.y_up
    for y, x in [(0, 0), (-1, 1), (0, -1)]:
        there = changed[y, x]
        found = field.min_dist_at(float(there.x), float(there.y))
        assert found is not None and abs(found - (20 + 60 * float(there) / 400)) < 1e-9


@pytest.mark.parametrize(
    "dims,attrs",
    [
        (("easting", "northing"), {}),
        (("X", "Y"), {}),
        (("u", "v"), ({"axis": "X"}, {"axis": "Y"})),
        (("u", "v"), ({"standard_name": "projection_x_coordinate"}, {"standard_name": "projection_y_coordinate"})),
        (("u", "y"), {}),
        (("x", "v"), {}),
    ],
)
def test_columns_are_found_by_name_and_attributes(tmp_path: Path, dims: tuple[str, str], attrs: Any) -> None:
    """Transposed arrays were taken as they were, with x for y."""
    pixels = np.broadcast_to(np.arange(60, dtype=np.float32), (20, 60))
    x, y = 500_005 + 10.0 * np.arange(60), 4_000_195 - 10.0 * np.arange(20)
    sizes: dict[str, Any] = {"min_dist": 20, "max_dist": 60, "limit": 0.25}
    whole = sc.sample(pixels, transform=(10, 0, 500_000, 0, -10, 4_000_200), **sizes)
    along = [(dim, at, attrs[i] if attrs else {}) for i, (dim, at) in enumerate(zip(dims, (x, y)))]
    turned = xarray.DataArray(pixels.T.copy(), dims=dims, coords=dict(zip(dims, along)))
    for array in (turned, turned.transpose(), turned.expand_dims("band")):
        assert (sc.sample(array, **sizes).xy == whole.xy).all()
        plan = sc.plan(array, min_dist=20, max_dist=60, range=(0, 59))
        assert plan.size == (60, 20) and plan.run(0, sc.ArrayReader(array)).xy[:, 0].max() > 500_400
        # A mask, open in the west.
        mask = sc.sample(pixels, transform=(10, 0, 500_000, 0, -10, 4_000_200), mask=array < 30, **sizes)
        assert 0 < mask.xy[:, 0].max() < 500_300
    # Without coordinates, too.
    plain = xarray.DataArray(pixels.T.copy(), dims=("X", "Y"))
    assert sc.sample(plain, **sizes).run.bounds == (0, 0, 60, 20)
    rows = xarray.DataArray(pixels.T.copy(), dims=("u", "v"))
    assert sc.sample(rows, **sizes).run.bounds == (0, 0, 20, 60)


def test_rioxarray_s_dimensions_are_followed() -> None:
    array = xarray.DataArray(np.eye(20, 60).T, dims=("u", "v"), coords={"u": 10.0 * np.arange(60), "v": 10.0 * np.arange(20)})
    assert sc.sample(array.rio.set_spatial_dims("u", "v"), min_dist=90).run.bounds == (-5, -5, 595, 195)


@pytest.mark.parametrize(
    "dims,attrs",
    [
        (("lat", "lon"), {}),
        (("LATITUDE", "LONGITUDE"), {}),
        (("y", "x"), {"units": "Degrees_north"}),
        (("y", "x"), {"units": "deg"}),
        (("y", "x"), {"standard_name": "latitude"}),
        (("v", "u"), {"standard_name": "grid_latitude"}),
    ],
)
def test_coordinates_in_degrees_are_refused(dims: tuple[str, str], attrs: dict[str, str]) -> None:
    at = np.linspace(1, 2, 30)
    degrees = xarray.DataArray(np.eye(30), dims=dims, coords={dims[0]: (dims[0], at, attrs), dims[1]: at})
    metres = xarray.DataArray(np.eye(30), dims=("y", "x"), coords={"y": at, "x": at})
    for array in (degrees, degrees[2:3]):
        assert_refused("map: its place may be in degrees, not in units of length", sc.sample, array)
    assert_refused("mask: its place may be in degrees, not in units of length", sc.sample, metres, mask=degrees)
    assert sc.sample(degrees, size=(80, 60)).run.bounds == (0, 0, 80, 60)


@pytest.mark.parametrize("options", [{}, {"y_up": True}, {"origin": (0, 0)}], ids=repr)
def test_files_in_degrees_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "a.tif"
    geotiff(path, np.eye(40, 50, dtype=np.uint8), (0.01, 0, 9, 0, -0.01, 50), crs="EPSG:4326")
    with rasterio.open(path) as source:
        for name, call, maps in (("map", sc.sample, (sc.read(path), rioxarray.open_rasterio(path))),
                                 ("source", sc.plan, (sc.read(path), rioxarray.open_rasterio(path), source))):
            for map in maps:
                assert_refused(f"{name}: its place is in degrees (EPSG:4326), not in units of length", call, map, **options)
                call(map, size=(50, 40))


def test_a_rotated_raster_is_refused(tmp_path: Path) -> None:
    raster = written(tmp_path / "a.tif", np.eye(6, 8), (30, 3, 500_000, 3, -30, 5_000_000))
    assert_refused("map: the array is rotated or sheared: make it north-up with gdalwarp", sc.sample, raster)


def test_a_raster_of_one_row_lies_where_its_file_says(tmp_path: Path) -> None:
    raster = written(tmp_path / "a.tif", np.arange(96.0).reshape(8, 12), (30, 0, 500_000, 0, -30, 5_000_000))
    options: dict[str, Any] = {"min_dist": 20, "range": (0, 96)}
    for cut, bounds in ((raster[5:6], (500_000, 4_999_820, 500_360, 4_999_850)),
                        (raster[:, 5:6], (500_150, 4_999_760, 500_180, 5_000_000)),
                        (raster[5:6, 5:6], (500_150, 4_999_820, 500_180, 4_999_850))):
        assert sc.map_field(cut, **options).bounds == bounds
        assert sc.plan(cut, windows=(1, 1), **options).bounds == bounds
    # Without the file's size of a pixel, or where that is another one.
    plain = xarray.DataArray(raster.values, dims=("y", "x"), coords={"y": raster.y.values, "x": raster.x.values})
    dates = plain.assign_coords(x=np.arange(12).astype("M8[D]").astype("M8[ns]"))
    for cut in (plain[5:6], plain[:, 5:6], plain[5:6, 5:6], raster[:, ::2][5:6], dates):
        says = "its coordinates y and x do not give the size of a pixel, so that it has no place: give transform, or size"
        assert_told([f"map: {says}"], sc.map_field, cut, **options)
        assert_told([f"source: {says}"], sc.plan, cut, windows=(1, 1), **options)
        assert sc.map_field(cut, **options).bounds == (0, 0, cut.shape[1], cut.shape[0])
        assert_told([], sc.map_field, cut, size=(90, 80), **options)
    for cut in (raster[:0], plain[:, :0]):
        assert_refused("map: a map needs at least one pixel, but this one is ", sc.sample, cut)
        assert_refused("source: a map of 0 ", sc.plan, cut, range=(0, 1))


READS_A_SYSTEM = """
import sys, warnings
if {without}:
    sys.modules["rioxarray"] = None
import numpy as np, spinney_scatter as sc, xarray
raster = xarray.open_dataset({path!r}, engine="scipy", mask_and_scale=False, decode_coords={coords!r})["z"]
warnings.simplefilter("error", UserWarning)
try:
    print(sc.map_field(raster).crs)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_the_system_of_a_data_array_is_read(tmp_path: Path) -> None:
    """rioxarray is imported where it is needed."""
    metres = xarray.DataArray(np.arange(96, dtype=np.int16).reshape(8, 12), name="z", dims=("y", "x"), coords={
        "y": 400.0 - np.arange(8), "x": 500.0 + np.arange(12)})
    metres.rio.write_crs(32633).to_netcdf(tmp_path / "m.nc", engine="scipy")
    metres.rio.write_crs(4326).to_netcdf(tmp_path / "d.nc", engine="scipy")
    for name, without, coords, said in (
        ("m.nc", False, "all", "EPSG:32633"),
        ("d.nc", False, "all", "ValueError map: its place is in degrees (EPSG:4326)"),
        ("d.nc", True, "all", "UserWarning map: its coordinate system, spatial_ref, is not read without rioxarray"),
        ("d.nc", False, True, "UserWarning map: its coordinate system, spatial_ref, is none of its coordinates"),
    ):
        program = READS_A_SYSTEM.format(without=without, path=str(tmp_path / name), coords=coords)
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        assert ran.stdout.startswith(said), (ran.stdout, ran.stderr)
    metres.attrs["missing_value"] = np.int16(7)
    plain = sc.sample(metres.values, nodata=7, transform=(1, 0, 499.5, 0, -1, 400.5), min_dist=0.5)
    assert (sc.sample(metres, min_dist=0.5).xy == plain.xy).all()


def test_scaled_numbers_are_what_they_mean(tmp_path: Path) -> None:
    """Scaled numbers equal those of the command line."""
    pixels = np.arange(600, dtype=np.int16).reshape(20, 30)
    raster = written(tmp_path / "a.tif", pixels, (5, 0, 0, 0, -5, 100), scales=(0.1,), offsets=(40.0,))
    raster.attrs["_FillValue"] = 7
    meant = pixels * 0.1 + 40
    assert (sc.read(tmp_path / "a.tif") == meant).all()
    meant[pixels == 7] = np.nan
    options: dict[str, Any] = {"min_dist": 5, "range": (40, 90), "seed": 2}
    points = sc.sample(raster, **options)
    assert len(points) > 20
    assert (points.xy == sc.sample(meant, transform=(5, 0, 0, 0, -5, 100), **options).xy).all()
    plan = sc.plan(raster, windows=(2, 1), **options)
    parts = [plan.run(i, sc.ArrayReader(raster)) for i in range(2)]
    # Plans round to 16 bits.
    assert abs(sum(map(len, parts)) - len(points)) < 5
    for scale in (0, np.nan):
        raster.attrs["scale_factor"] = scale
        for name, call in (("map", sc.sample), ("source", sc.plan)):
            assert_refused(f"{name}: its levels are to be multiplied by {scale} and 40 to be added (its scale and offset), "
                           "which leaves no levels", call, raster, **options)


@pytest.mark.parametrize("kind,scale,offset", [
    ("int16", 0.1, -5.5), ("uint8", 3.7, 40.0), ("uint16", 1.0, 7.25), ("float32", -0.3, 80.0)])
def test_scaled_rasters_make_the_command_line_s_points(
    cli: Any, tmp_path: Path, kind: str, scale: float, offset: float
) -> None:
    """A plan scales what RasterReader reads. No-data is the number before scaling."""
    pixels = (100 + 60 * np.sin(np.arange(80.0) / 9) * np.cos(np.arange(60.0) / 7)[:, None]).astype(kind)
    geotiff(tmp_path / "a.tif", pixels, (5, 0, 0, 0, -5, 300), nodata=90, scales=(scale,), offsets=(offset,))
    levels = pixels * scale + offset
    options = {"min_dist": 6, "max_dist": 18, "range": (float(levels.min()), float(levels.max()))}
    cli.run("sample", tmp_path / "a.tif", *flags_of(options), "-o", tmp_path / "a.csv")
    with rasterio.open(tmp_path / "a.tif") as source:
        plan = sc.plan(source, windows=(2, 2), **options)
        assert_refused(f"range: black and white of scaled {kind} depend", sc.plan, source, min_dist=6)
    plan = sc.Plan.from_json(plan.to_json())
    parts = [plan.run(i, sc.RasterReader(str(tmp_path / "a.tif"))) for i in range(4)]
    assert sum(map(len, parts)) > 100
    assert_make_up([table(part) for part in parts], csv_table(tmp_path / "a.csv"))


def test_masks_beside_a_raster_lie_as_they_say(maps: Path) -> None:
    rows, columns = 40, 60
    x, y = 10.0 * (np.arange(columns) + 0.5), 10.0 * (np.arange(rows) + 0.5)[::-1]
    even = xarray.DataArray(np.zeros((rows, columns), np.uint8), dims=("y", "x"), coords={"x": x, "y": y})
    north = even.copy(data=np.arange(rows)[:, None].repeat(columns, 1) < rows // 2).astype(bool)
    for raster in (even, even[::-1]):
        for mask in (north, north[::-1]):
            points = sc.sample(raster, min_dist=20, mask=mask)
            assert len(points) > 50 and (points.xy[:, 1] >= 200).all()
        heights = (north * 100.0)[::-1]
        low = sc.sample(raster, min_dist=20, height=heights, altitude=(-1, 1))
        assert len(low) > 50 and (low.xy[:, 1] < 210).all()
        # A plain array has the map's order of rows.
        plain = north.values if raster is even else north.values[::-1]
        assert (sc.sample(raster, min_dist=20, mask=plain).xy == points.xy).all()
    # Half of the map: nothing is open beyond it.
    (said,) = told_by(sc.map_field, even, mask=north[: rows // 2])
    assert "0,200 to 600,400, " in said and "no point lies beyond it" in said
    half = sc.sample(even, min_dist=20, mask=north[: rows // 2])
    assert (half.xy == sc.sample(even, min_dist=20, mask=north).xy).all()


@pytest.mark.parametrize("y_up", [False, True])
def test_geometry_is_that_of_geojson(maps: Path, tmp_path: Path, y_up: bool) -> None:
    """North is up in all geometry: it holds -y if y runs down. Columns stay as they are."""
    points = sc.sample(the_f(maps), min_dist=4, y_up=y_up)
    points.save(tmp_path / "a.geojson")
    features = json.loads((tmp_path / "a.geojson").read_text())["features"]
    expected = np.array([feature["geometry"]["coordinates"] for feature in features])
    assert (expected[:, 1] == (points.xy[:, 1] if y_up else -points.xy[:, 1])).all() and len(points) > 100
    points.save(tmp_path / "a.parquet")
    for frame in (points.to_geodataframe(), geopandas.read_parquet(tmp_path / "a.parquet")):
        assert (np.column_stack([frame.geometry.x, frame.geometry.y]) == expected).all()
    stored = parquet.read_table(tmp_path / "a.parquet")
    assert (stored["y"].to_numpy() == points.xy[:, 1]).all()
    box = [stored["bbox"].combine_chunks().field(side).to_numpy() for side in ("xmin", "ymin", "xmax", "ymax")]
    assert (np.column_stack(box) == np.hstack([expected, expected])).all()
    about = json.loads(stored.schema.metadata[b"geo"])["columns"]["geometry"]
    assert about["bbox"] == [*expected.min(axis=0), *expected.max(axis=0)]


def test_tables_hold_the_ground(tmp_path: Path) -> None:
    heights = np.add.outer(np.arange(40.0), np.arange(60.0) ** 1.2)
    points = sc.sample(heights, range=(0, 200), min_dist=3, height=heights, slope=(0, 80))
    assert points.height is not None and points.slope is not None and points.normal is not None
    # One point without ground.
    for column in (points.height, points.slope, points.normal):
        column[0] = np.nan
    points.save(tmp_path / "a.parquet")
    frame = points.to_geodataframe()
    again = geopandas.read_parquet(tmp_path / "a.parquet")
    for of in (frame, again):
        assert of.geometry.has_z.all() and (of.geometry.z == np.nan_to_num(points.height)).all()
        for name, column in [("height", points.height), ("slope", points.slope), ("normal_x", points.normal[:, 0]),
                             ("normal_y", points.normal[:, 1]), ("normal_z", points.normal[:, 2])]:
            np.testing.assert_array_equal(of[name], column)
    stored = parquet.read_table(tmp_path / "a.parquet")
    assert stored["height"].null_count == stored["slope"].null_count == 1
    about = json.loads(stored.schema.metadata[b"geo"])["columns"]["geometry"]
    assert about["geometry_types"] == ["Point Z"] and len(about["bbox"]) == 6


def test_geoparquet(maps: Path, tmp_path: Path) -> None:
    points = sc.sample(the_f(maps), min_dist=4, lod=2, y_up=True)
    points.save(tmp_path / "a.parquet", crs="EPSG:32633")
    assert geopandas.read_parquet(tmp_path / "a.parquet").crs.to_epsg() == 32633
    assert_make_up([parquet_table(tmp_path / "a.parquet")], table(points))
    part = geopandas.read_parquet(tmp_path / "a.parquet", bbox=(0, 0, 20, 20))
    assert len(part) == ((points.xy <= 20).all(axis=1)).sum() > 0
    points.save(tmp_path / "b.parquet")
    assert geopandas.read_parquet(tmp_path / "b.parquet").crs is None
    counted = sc.sample(the_f(maps), min_dist=4, count=100)
    counted.save(tmp_path / "b.parquet")
    run = json.loads(parquet.read_metadata(tmp_path / "b.parquet").metadata[b"spinney"])
    assert run["scale_factor"] == counted.scale_factor != 1
    assert_refused("crs EPSG:nothing: ", points.save, tmp_path / "c.parquet", crs="EPSG:nothing")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.parquet", "b.parquet"]
