"""Maps from ``read`` have the place of their files, as on the command line."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any, Optional

import helpers
import numpy as np
import pytest
from helpers import assert_make_up, assert_refused, assert_told, assert_writes, flags_of, table, told_by

import spinney_scatter as sc

#: The world file of a map of 12 x 8 pixels, and the map's rectangle.
WORLD = "30\n0\n0\n-30\n500015.37\n4999985.1\n"
BOUNDS = (500_000.37, 4_999_760.1, 500_360.37, 5_000_000.1)

OPTIONS: dict[str, Any] = {"min_dist": 15, "max_dist": 40, "limit": 0.25, "seed": 3}
FLAGS = flags_of(OPTIONS)


def grey(rows: int = 8, columns: int = 12) -> Any:
    """Return a picture that changes when it is turned or mirrored."""
    return (np.add.outer(np.arange(rows) ** 2, 3 * np.arange(columns)) % 256).astype(np.uint8)


def pgm(path: Path, pixels: Any) -> None:
    rows, columns = pixels.shape
    path.write_bytes(b"P5 %d %d 255\n" % (columns, rows) + pixels.tobytes())


def geotiff(path: Path, pixels: Any, corner: Any = BOUNDS, **more: Any) -> None:
    """Write a raster, by default of pixels of 30 units from this western and northern edge."""
    helpers.geotiff(path, pixels, **{"transform": (30, 0, corner[0], 0, -30, corner[3]), **more})


def files(folder: Path, kind: str) -> Path:
    """Write the picture as a file that contains its place in one of several forms."""
    path = folder / ("a.tif" if kind.startswith("geotiff") else "a.pgm")
    if kind == "geotiff":
        geotiff(path, grey())
    elif kind == "geotiff-south-up":
        geotiff(path, grey()[::-1].copy(), transform=(30, 0, BOUNDS[0], 0, 30, BOUNDS[1]))
    elif kind == "geotiff-nodata":
        geotiff(path, grey(), nodata=9)
    else:
        pgm(path, grey())
        (folder / kind).write_text(WORLD)
    return path


@pytest.mark.parametrize("kind", ["geotiff", "geotiff-south-up", "geotiff-nodata", "a.wld"])
def test_a_map_lies_where_its_file_says(cli: Any, tmp_path: Path, kind: str) -> None:
    path = files(tmp_path, kind)
    pixels = sc.read(path)
    assert isinstance(pixels, sc.Georeferenced)
    assert pixels.crs == ("EPSG:32633" if kind.startswith("geotiff") else None)
    for more in [{}, {"y_up": True}, {"origin": (7, -8)}, {"size": (360, 240)},
                 {"y_up": False, "min_dist": 1, "max_dist": 3}]:
        options = {**OPTIONS, **more}
        cli.run("sample", path, *flags_of(options), "-o", tmp_path / "a.json")
        points = sc.sample(pixels, **options)
        assert len(points) > 20
        # The header has the world, the direction of y and the coordinate system.
        assert_writes(points, tmp_path / "a.json")
    assert np.allclose(sc.map_field(pixels).bounds, BOUNDS, rtol=0, atol=1e-9)
    # The transform equals rasterio's.
    assert np.allclose(pixels.transform, (30, 0, BOUNDS[0], 0, -30, BOUNDS[3]), rtol=0, atol=1e-9)
    if kind != "geotiff-south-up":
        assert pixels.transform[0] == 30 and pixels.transform[4] == -30
    by_hand = sc.sample(np.ma.MaskedArray(pixels), transform=pixels.transform, **OPTIONS)
    assert np.allclose(by_hand.xy, sc.sample(pixels, **OPTIONS).xy, rtol=0, atol=1e-6)


def test_maps_without_a_place_are_plain(maps: Path) -> None:
    pixels: Any = sc.read(maps / "f.png")
    assert not isinstance(pixels, sc.Georeferenced) and pixels.sum().ndim == 0
    assert not told_by(sc.map_field, pixels[:50]) and not told_by(sc.map_field, pixels * 1)
    assert sc.sample(sc.read(maps / "f.png")).run.crs is None


def test_points_know_their_system(tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    geotiff(tmp_path / "a.tif", grey())
    points = sc.sample(sc.read(tmp_path / "a.tif"), **OPTIONS)
    assert points.run.crs == "EPSG:32633"
    frame = points.to_geodataframe()
    assert isinstance(frame, geopandas.GeoDataFrame) and frame.crs.to_epsg() == 32633
    assert points.to_geodataframe("EPSG:25832").crs.to_epsg() == 25832
    points.save(tmp_path / "a.geojson")
    assert geopandas.read_file(tmp_path / "a.geojson").crs.to_epsg() == 32633
    pytest.importorskip("pyarrow")
    points.save(tmp_path / "a.parquet")
    assert geopandas.read_parquet(tmp_path / "a.parquet").crs.to_epsg() == 32633
    points.save(tmp_path / "a.parquet", crs="EPSG:25832")
    assert geopandas.read_parquet(tmp_path / "a.parquet").crs.to_epsg() == 25832
    # A system that GeoParquet cannot name.
    unknown = dataclasses.replace(points, run=dataclasses.replace(points.run, crs="NOBODY:1"))
    with pytest.warns(UserWarning, match="^NOBODY:1 is not written: crs NOBODY:1: "):
        unknown.save(tmp_path / "a.parquet")
    assert geopandas.read_parquet(tmp_path / "a.parquet").crs is None
    # An explicit place has no known coordinate system.
    pixels = sc.read(tmp_path / "a.tif")
    for options in [{"transform": (30, 0, 0, 0, -30, 0)}, {"origin": (0, 0)}, {"size": (90, 80)}]:
        assert sc.sample(pixels, **OPTIONS, **options).run.crs is None
    world = sc.World(sc.map_field(pixels, min_dist=15, limit=0.25))
    assert world.window(BOUNDS).run.crs == "EPSG:32633"


def test_world_files_that_cannot_be_followed_are_refused(tmp_path: Path) -> None:
    pgm(tmp_path / "a.pgm", grey())
    for world, said in [
        (WORLD.replace("30\n0\n0", "30\n3\n3"), f"{tmp_path / 'a.wld'}: it is rotated on the map: "),
        ("0.001\n0\n0\n-0.001\n9.0\n50.0\n", "map: its place may be in degrees, not in units of length"),
    ]:
        (tmp_path / "a.wld").write_text(world)
        assert_refused(said, lambda: sc.sample(sc.read(tmp_path / "a.pgm")))


def test_what_is_not_followed_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "a.pgm"
    pgm(path, grey())
    (tmp_path / "a.wld").write_text("relogic")
    (tmp_path / "a.pgm.aux.xml").write_text("<PAMDataset><GeoTransform>1</GeoTransform></PAMDataset>")
    assert_told([f"{path}: {tmp_path / 'a.wld'} beside it is ignored, because it is not a world file",
                 f"{path}: {path}.aux.xml beside it has GeoTransform"], sc.read, path)
    # A grid with a size of pixels, but no usable place.
    grid = "ncols 12\nnrows 8\ncellsize 30\n" + "\n".join(" ".join(map(str, row)) for row in grey())
    (tmp_path / "b.asc").write_text(grid)
    pixels = sc.read(tmp_path / "b.asc")
    (said,) = told_by(sc.map_field, pixels)
    assert "states a pixel size of 30x30" in said and "size = [360, 240]" in said
    assert_told([], sc.map_field, pixels, size=(360, 240))
    assert_told([], sc.map_field, pixels, transform=(30, 0, 0, 0, -30, 0))


def test_what_is_made_of_a_map_has_no_place(tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    geotiff(tmp_path / "b.tif", grey(), nodata=9)
    for name in ("a.tif", "b.tif"):
        pixels: Any = sc.read(tmp_path / name)
        assert np.ma.isMaskedArray(pixels) == (name == "b.tif")
        # Writing into the array keeps its place.
        pixels[0] = 3
        assert_told([], sc.map_field, pixels)
        for made in (pixels * 2, pixels[:4], pixels[::-1], pixels.astype(float), pixels.copy(),
                     np.ma.masked_where(pixels > 200, pixels)):
            assert_told(["map: made from an array with a place"], sc.map_field, made)
            for options in ({"transform": pixels.transform}, {"size": (9, 9)}, {"y_up": False}):
                assert_told([], sc.map_field, made, **options)
        # Single numbers and other arrays have no place.
        assert isinstance(pixels.max(), np.integer)
        assert not isinstance(np.asarray(pixels), sc.Georeferenced)


def test_masks_that_lie_elsewhere_are_told(cli: Any, tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    geotiff(tmp_path / "east.tif", grey(), (500_120.0, 0, 0, 5_000_000.0))
    pixels, east = sc.read(tmp_path / "a.tif"), sc.read(tmp_path / "east.tif")
    told = cli.run("sample", tmp_path / "a.tif", "--mask", tmp_path / "east.tif", "--mask-threshold", 0.1, *FLAGS,
                   "-o", tmp_path / "a.csv")
    says = "covers 500120,4999760 to 500480,5000000, by its file, and the world 500000,"
    assert [says in text for text in told].count(True) == 1
    mask: dict[str, Any] = {"mask": east, "mask_threshold": 0.1}
    for more in (mask, {"height": east, "height_range": (0, 255), "altitude": (0, 300)}):
        found = told_by(sc.map_field, pixels, **more)
        assert [f"{next(iter(more))} {says}" in text for text in found] == [True]
        east_only = sc.sample(pixels, **OPTIONS, **more)
        assert len(east_only) > 10 and (east_only.xy[:, 0] >= 500_120.0).all()
        found = told_by(sc.map_field, pixels, size=(360, 240), **more)
        assert not any("by its file" in text for text in found)
    masked = sc.sample(pixels, **OPTIONS, **mask)
    assert_writes(masked, tmp_path / "a.csv")
    # Files and arrays of xarray are treated alike.
    xarray = pytest.importorskip("rioxarray")
    array = xarray.open_rasterio(tmp_path / "east.tif")
    again = sc.sample(pixels, **OPTIONS, mask=array, mask_threshold=0.1)
    assert (again.xy == masked.xy).all()
    # In a world that has its place by an origin.
    cli.run("sample", tmp_path / "a.tif", "--mask", tmp_path / "east.tif", "--origin", "500060,4999760",
            "--mask-threshold", 0.1, *FLAGS, "-o", tmp_path / "a.csv")
    moved = sc.sample(pixels, **OPTIONS, **mask, origin=(500_060, 4_999_760))
    assert_writes(moved, tmp_path / "a.csv")
    assert len(moved) > 10 and (moved.xy[:, 0] >= 500_120.0).all()
    # An array that lost its place, and is no array of the map's pixels.
    lost = "mask: made from an array with a place, but has none itself, so it is laid over the map"
    assert_told([lost], sc.map_field, pixels, mask=east[:5] > 9)
    assert_told([], sc.map_field, pixels, mask=pixels > 9)
    geotiff(tmp_path / "far.tif", grey(), (600_900.0, 0, 0, 5_000_000.0))
    geotiff(tmp_path / "zone.tif", grey(), (500_120.0, 0, 0, 5_000_000.0), crs="EPSG:32632")
    for read in (sc.read, xarray.open_rasterio):
        assert_refused("mask: it covers 600900,", sc.map_field, pixels, mask=read(tmp_path / "far.tif"))
        (said,) = told_by(sc.map_field, pixels, mask=read(tmp_path / "zone.tif"), mask_threshold=0.1)
        assert "EPSG:32632" in said
    # A coarser mask of the same place. Its rows run from the north, in either order of the map's.
    coarse = np.zeros((4, 6), np.uint8)
    coarse[:2] = 255
    geotiff(tmp_path / "m.tif", coarse, transform=(60, 0, BOUNDS[0], 0, -60, BOUNDS[3]))
    for asked, transform in ((pixels, None), (np.asarray(pixels)[::-1], (30, 0, BOUNDS[0], 0, 30, BOUNDS[1]))):
        points = sc.sample(asked, transform=transform, mask=sc.read(tmp_path / "m.tif"), **OPTIONS)
        assert len(points) > 10 and (points.xy[:, 1] > 4_999_870).all()


def test_parts_of_a_pixel_are_told(tmp_path: Path) -> None:
    xarray = pytest.importorskip("rioxarray")
    geotiff(tmp_path / "a.tif", grey())
    pixels = sc.read(tmp_path / "a.tif")
    for east, is_told in ((2.0, False), (4.0, True)):
        geotiff(tmp_path / "m.tif", grey(), (BOUNDS[0] + east, 0, 0, BOUNDS[3]))
        other = sc.read(tmp_path / "m.tif")
        for more in ({"mask": other, "mask_threshold": 0.1}, {"height": other, "height_range": (0, 255)}):
            found = told_by(sc.sample, pixels, **OPTIONS, **more)
            assert any("no point lies beyond it" in text for text in found) == is_told, found
    # A sixth of a fine pixel.
    fine = np.full((200, 300), 200, np.uint8)
    affine = (1.2, 0, BOUNDS[0] + 0.2, 0, -1.2, BOUNDS[3])
    geotiff(tmp_path / "fine.tif", fine, transform=affine)
    (said,) = told_by(sc.map_field, pixels, mask=xarray.open_rasterio(tmp_path / "fine.tif"))
    assert "no point lies beyond it" in said
    # Heights at the corners of cells reach half a cell beyond the map, and so do these as pixels.
    posts = (BOUNDS[0] - 15, 0, 0, BOUNDS[3] + 15)
    geotiff(tmp_path / "posts.tif", grey(9, 13), posts)
    for height in (sc.read(tmp_path / "posts.tif"), xarray.open_rasterio(tmp_path / "posts.tif")):
        for at in ("corners", "centres"):
            assert_told([], sc.map_field, pixels, height=height, height_at=at, height_range=(0, 9))


def test_a_place_that_lies_upside_down_is_told(tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    pixels, plain = sc.read(tmp_path / "a.tif"), grey()
    world = {"size": (360, 240), "origin": (500_000, 4_999_760)}
    says = "states its place, but origin is given without y_up, so it lies upside down; give y_up"
    for name, map, more in (("map", pixels, {}), ("mask", plain, {"mask": pixels, "mask_threshold": 0.1}),
                            ("height", plain, {"height": pixels, "height_range": (0, 9)})):
        assert told_by(sc.map_field, map, **world, **more) == [f"{name} {says}"]
        for y_up in (True, False):
            assert_told([], sc.map_field, map, y_up=y_up, **world, **more)
        assert_told([], sc.map_field, map, size=(360, 240), **more)
    # No size would make it fit, because its place is not followed.
    geotiff(tmp_path / "dem.tif", grey().astype(np.float32))
    small = {**world, "size": (180, 240)}
    assert told_by(sc.map_field, plain, height=sc.read(tmp_path / "dem.tif"), **small) == [f"height {says}"]
    # Their unit is told nevertheless: rows change nothing about it.
    with pytest.importorskip("rasterio").open(tmp_path / "dem.tif", "r+") as dem:
        dem.set_band_unit(1, "ft")
    found = told_by(sc.map_field, plain, height=sc.read(tmp_path / "dem.tif"), **world)
    assert len(found) == 2 and "states heights in feet and pixels in metres" in " ".join(found), found


def test_worlds_in_feet_are_told_where_files_are_in_metres(tmp_path: Path) -> None:
    geotiff(tmp_path / "ft.tif", grey(), crs="EPSG:2227")
    geotiff(tmp_path / "m.tif", grey())
    for name, count in (("ft.tif", 1), ("m.tif", 0)):
        points = sc.sample(sc.read(tmp_path / name), min_dist=20)
        found = told_by(points.save, tmp_path / "p.tscn")
        feet = [text for text in found if "the world is in feet" in text]
        assert len(feet) == count, found
        assert all("32-bit floats" in text for text in found if text not in feet), found
        assert_told([], points.save, tmp_path / "p.csv")


def test_polygons_in_degrees_are_told(tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    ring = [[-87.0, 36.0], [-86.0, 36.0], [-86.0, 37.0], [-87.0, 36.0]]
    polygon = {"type": "Polygon", "coordinates": [ring]}
    with pytest.raises(ValueError, match="^polygons: no polygon lies in the world.* which look like degrees: .* with GeoDataFrame.to_crs"):
        sc.map_field(sc.read(tmp_path / "a.tif"), polygons=polygon)


def test_polygons_give_a_run_their_system_if_nothing_else_may(tmp_path: Path) -> None:
    named = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
    ring = [[500_030, 4_999_800], [500_300, 4_999_800], [500_300, 4_999_980], [500_030, 4_999_800]]
    polygon = {"type": "Polygon", "crs": named, "coordinates": [ring]}
    x0, y0, x1, y1 = BOUNDS

    def system(distance: Any = 20, y_up: bool = True, avoid: Any = None, **options: Any) -> Optional[str]:
        options = {"size": (x1 - x0, y1 - y0), "origin": (x0, y0), "polygons": polygon, **options}
        if isinstance(distance, int):
            field = sc.distance_field(distance, y_up=y_up, **options)
        else:
            field = sc.map_field(distance, y_up=y_up, **options)
        assert field.crs is None
        points = sc.sample(field, avoid=avoid)
        points.save(tmp_path / "p.geojson")
        saved = json.loads((tmp_path / "p.geojson").read_text()).get("crs")
        assert (saved == named) == (points.run.crs is not None)
        return points.run.crs

    assert system() == "EPSG:32633"
    both = [polygon, {**polygon, "crs": {**named, "properties": {"name": "EPSG:25833"}}}]
    for other in (system(polygons=both), system(polygons={**polygon, "crs": None}), system(y_up=False),
                  system(grey()), system(mask=np.ones((2, 2), bool)), system(height=np.ones((2, 2))),
                  system(avoid=sc.sample_distances(20, size=(9, 9)))):
        assert other is None
    # That of layers is that of their maps.
    field = sc.distance_field(20, size=(x1 - x0, y1 - y0), origin=(x0, y0), y_up=True, polygons=polygon)
    assert sc.species([sc.Layer("x", field)]).run.crs is None


def test_a_system_beside_a_file_is_followed(tmp_path: Path) -> None:
    pgm(tmp_path / "a.pgm", grey())
    (tmp_path / "a.wld").write_text(WORLD)
    geographic = 'GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]]'
    (tmp_path / "a.prj").write_text(f'PROJCS["UTM",{geographic},AUTHORITY["EPSG","32633"]]')
    assert sc.read(tmp_path / "a.pgm").crs == "EPSG:32633"
    (tmp_path / "a.prj").write_text(geographic)
    assert_refused("map: its place is in degrees (EPSG:4326)", sc.map_field, sc.read(tmp_path / "a.pgm"))


@pytest.mark.parametrize("options,said", [
    ({}, "30x20 metres, but a pixel is 1x1 units in the world, so slopes are wrong; give size = [360, 160] to match"),
    ({"size": (360, 240)}, "30x20 metres, but a pixel is 30x30 units in the world, so slopes are wrong"),
    ({"size": (360, 160)}, None),
    ({"height_at": "corners"}, "30x20 metres, but a pixel is 1.091x1.143 units in the world, so slopes are wrong; give size ="
                               " [330, 140]"),
    ({"height_at": "corners", "size": (330, 140)}, None),
    ({"in_degrees": True}, "0.00025x0.00025 degrees, but a pixel is 1x1 units in the world, so slopes are wrong; give size in"),
    ({"in_degrees": True, "size": (900, 830)}, None),
])  # fmt: skip
def test_heights_of_other_pixels_are_told(tmp_path: Path, options: dict[str, Any], said: Optional[str]) -> None:
    """Slopes would be computed from the wrong size of pixels."""
    xarray = pytest.importorskip("rioxarray")
    heights = np.add.outer(np.arange(8.0), np.arange(12.0)).astype(np.float32)
    in_degrees = {"crs": "EPSG:4326", "transform": (0.00025, 0, 9, 0, -0.00025, 50)}
    options = dict(options)
    more = in_degrees if options.pop("in_degrees", False) else {"transform": (30, 0, BOUNDS[0], 0, -20, BOUNDS[3])}
    geotiff(tmp_path / "dem.tif", heights, **more)
    told = [] if said is None else [f"height states a pixel size of {said}"]
    # A DataArray's coordinates give the size of pixels; a plain array has none.
    for height in (sc.read(tmp_path / "dem.tif"), xarray.open_rasterio(tmp_path / "dem.tif")):
        assert_told(told, sc.map_field, grey(), height=height, **options)
    assert_told([], sc.map_field, grey(), height=heights, **options)


def test_heights_in_another_unit_are_told(tmp_path: Path) -> None:
    """A DataArray states the unit of its numbers, and its system that of its pixels."""
    pytest.importorskip("rasterio")
    xarray = pytest.importorskip("rioxarray")
    heights = np.add.outer(np.arange(8.0), np.arange(12.0)).astype(np.float32)
    for crs, unit, words in (
        ("EPSG:2263", "metre", "heights in metres and pixels in feet"),
        ("EPSG:32633", "US survey foot", "heights in feet and pixels in metres"),
        ("EPSG:32633", "m", None),
        ("EPSG:32633", "", None),
        (None, "metre", None),
    ):
        geotiff(tmp_path / "a.tif", heights, crs=crs)
        raster = xarray.open_rasterio(tmp_path / "a.tif")
        raster.attrs["units"] = unit
        told = [] if words is None else [f"height states {words}"]
        assert_told(told, sc.map_field, raster, range=(0, 20), min_dist=90, height=raster)
        assert_told([], sc.map_field, raster, range=(0, 20), min_dist=90, height=raster, height_range=(0, 9))


def test_an_origin_keeps_or_drops_the_system(cli: Any, tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    xarray = pytest.importorskip("rioxarray")
    for origin in (BOUNDS[:2], (0, 0)):
        told = cli.run("sample", tmp_path / "a.tif", *FLAGS, "--origin", ",".join(map(str, origin)),
                       "-o", tmp_path / "a.geojson")
        theirs = [text.partition("a.tif: ")[2] for text in told if "coordinate system" in text]
        for pixels in (sc.read(tmp_path / "a.tif"), xarray.open_rasterio(tmp_path / "a.tif")):
            assert_writes(sc.sample(pixels, **OPTIONS, origin=origin), tmp_path / "a.geojson")
            found = told_by(sc.map_field, pixels, origin=origin)
            ours = [text for text in found if "coordinate system" in text]
            assert ours == ["map: " + text.replace("--origin", "origin") for text in theirs]
            assert len(ours) == (origin == (0, 0))
        plan = sc.plan(sc.read(tmp_path / "a.tif"), origin=BOUNDS[:2])
        assert plan.crs == "EPSG:32633"


def test_polygons_in_another_system_are_told(tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely")
    geotiff(tmp_path / "a.tif", grey())
    pixels = sc.read(tmp_path / "a.tif")
    box = shapely.box(500_030, 4_999_800, 500_300, 4_999_980)
    named = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}
    collection = {"type": "GeometryCollection", "crs": named, "geometries": [box.__geo_interface__]}
    raster = pytest.importorskip("rioxarray").open_rasterio(tmp_path / "a.tif")
    says = "polygons states that it is in EPSG:25832, but the map is in EPSG:32633"
    for polygons in (collection, json.dumps(collection), geopandas.GeoSeries([box], crs="EPSG:25832")):
        for map in (pixels, raster):
            assert_told([says], sc.map_field, map, polygons=polygons)
        assert_told([], sc.map_field, pixels, polygons=polygons, transform=pixels.transform)
    for polygons in (box, geopandas.GeoSeries([box], crs="EPSG:32633"), geopandas.GeoSeries([box])):
        assert_told([], sc.map_field, pixels, polygons=polygons)
    far = geopandas.GeoSeries([shapely.box(9, 50, 10, 51)], crs="EPSG:4326")
    assert_refused("polygons: no polygon lies in the world: they are in EPSG:4326", sc.map_field, pixels, polygons=far)


def test_layers_lie_in_one_place(tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    geotiff(tmp_path / "b.tif", grey(), crs="EPSG:25832")
    geotiff(tmp_path / "c.tif", grey(), (500_900.0, 0, 0, 5_000_000.0))
    fields = [
        sc.map_field(sc.read(tmp_path / f"{name}.tif"), min_dist=20, max_dist=40, limit=0.25)
        for name in "abc"
    ]
    same = sc.species([sc.Layer("x", fields[0]), sc.Layer("y", fields[0], turn=1)])
    assert same.run.bounds == fields[0].bounds and same.run.crs == "EPSG:32633" and same.run.y_up
    for other, said in ((fields[1], "layers: their maps are in EPSG:25832 and EPSG:32633: reproject them to one system"),
                        (fields[2], "bounds: the layers' maps cover different rectangles: give bounds")):
        assert_refused(said, sc.species, [sc.Layer("x", fields[0]), sc.Layer("y", other)])


def test_a_plan_lies_where_the_map_says(tmp_path: Path) -> None:
    geotiff(tmp_path / "a.tif", grey())
    pixels = sc.read(tmp_path / "a.tif")
    plan = sc.plan(pixels, min_dist=15, max_dist=40, windows=(2, 2))
    assert plan.bounds == sc.map_field(pixels).bounds and plan.y_up
    assert plan.crs == "EPSG:32633" and sc.Plan.from_json(plan.to_json()) == plan
    assert sc.plan(pixels, origin=(0, 0)).crs is sc.plan(grey()).crs is None
    parts = [plan.run(i, sc.ArrayReader(pixels)) for i in range(4)]
    whole = sc.sample(pixels, min_dist=15, max_dist=40)
    assert_make_up([table(part) for part in parts], table(whole))
    # Windows have the coordinate system of the whole.
    assert {part.run.crs for part in parts} == {whole.run.crs} == {"EPSG:32633"}


@pytest.mark.parametrize("north_up", [True, False], ids=["north-up", "south-up"])
def test_options_of_the_world_are_those_of_read(tmp_path: Path, north_up: bool) -> None:
    """``origin`` and ``y_up`` apply to a DataArray's place."""
    rioxarray = pytest.importorskip("rioxarray")
    path = files(tmp_path, "geotiff" if north_up else "geotiff-south-up")
    pixels, raster = sc.read(path), rioxarray.open_rasterio(path)
    for options in ({}, {"origin": (7, -8)}, {"y_up": True}, {"size": (360, 240), "y_up": True}):
        fields = [sc.map_field(map, **options) for map in (pixels, raster)]
        bounds = [field.bounds for field in fields]
        assert np.allclose(bounds[0], bounds[1], rtol=0, atol=1e-9)
        assert fields[0].crs == fields[1].crs == (None if {"origin", "size"} & set(options) else "EPSG:32633")
        x0, y0, x1, y1 = bounds[0]
        for x, y in ((x0 + 0.4, y0 + 0.4), (x1 - 0.4, y0 + 0.4), (x0 + 0.4, y1 - 0.4)):
            there = [field.min_dist_at(x, y) for field in fields]
            assert there[0] is not None and there == pytest.approx([there[0]] * 2)


@pytest.mark.parametrize("north_up", [True, False], ids=["north-up", "south-up"])
def test_rows_from_the_south_are_turned_without_a_place(cli: Any, tmp_path: Path, north_up: bool) -> None:
    rasterio = pytest.importorskip("rasterio")
    rioxarray = pytest.importorskip("rioxarray")
    path = files(tmp_path, "geotiff" if north_up else "geotiff-south-up")
    raster, plain = rioxarray.open_rasterio(path), np.full((8, 12), 99, np.uint8)
    pgm(tmp_path / "plain.pgm", plain)
    sizes: dict[str, Any] = {"min_dist": 0.5, "max_dist": 1}

    def assert_same(points: sc.Points, image: Path, *flags: object) -> None:
        cli.run("sample", image, *flags_of(sizes), *flags, "-o", tmp_path / "a.csv")
        assert_writes(points, tmp_path / "a.csv")

    for options in ({"y_up": False}, {"size": (12, 8)}, {"size": (12, 8), "y_up": True}):
        with rasterio.open(path) as source:
            plan = sc.plan(source, windows=(1, 1), **sizes, **options)
        for points in (sc.sample(raster, **sizes, **options), plan.run(0, sc.RasterReader(str(path)))):
            assert_same(points, path, *flags_of(options))
        # The rows of a map of its own order do not turn a mask that has another.
        turned = (sc.sample(raster[:, ::-1], mask=other, mask_threshold=0.3, **sizes, **options)
                  for other in (raster, raster[:, ::-1], sc.read(path)))
        first, *others = [points.xy.tolist() for points in turned]
        assert others == [first, first] and len(first) > 4
    assert_same(sc.sample(plain, mask=raster, mask_threshold=0.3, **sizes),
                tmp_path / "plain.pgm", "--mask", path, "--mask-threshold", 0.3)
    assert_same(sc.sample(plain, height=raster, altitude=(30, 150), **sizes),
                tmp_path / "plain.pgm", "--height", path, "--height-range", "0..255", "--altitude", "30..150")


def test_an_image_without_a_place_is_plain(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    rioxarray = pytest.importorskip("rioxarray")
    path = tmp_path / "a.tif"
    geotiff(path, grey(), crs=None, transform=None)
    expected = sc.sample(sc.read(path))
    with rasterio.open(path) as source:
        plan = sc.plan(source, windows=(1, 1))
        transform = source.transform
    for points in (plan.run(0, sc.RasterReader(str(path))), sc.sample(rioxarray.open_rasterio(path)),
                   sc.sample(grey(), transform=transform)):
        assert not points.run.y_up and points.run == expected.run
        assert (points.xy == expected.xy).all()


@pytest.mark.parametrize("kind", ["plain", "masked"])
def test_copies_and_pickles_have_the_place(tmp_path: Path, kind: str) -> None:
    pixels = np.ma.MaskedArray(grey(), mask=grey() < 40) if kind == "masked" else grey()
    geotiff(tmp_path / "a.tif", pixels, nodata=0 if kind == "masked" else None)
    read: Any = sc.read(tmp_path / "a.tif")
    assert isinstance(read, np.ma.MaskedArray) == (kind == "masked")
    expected = sc.sample(read, **OPTIONS)
    told_of_height = told_by(sc.map_field, grey(), height=read, height_range=(0, 9))
    assert len(told_of_height) == 1 and "states a pixel size of 30x30 metres" in told_of_height[0]
    pickles = [pickle.loads(pickle.dumps(read, protocol)) for protocol in (2, 5)]
    for again in [*pickles, copy.copy(read), copy.deepcopy(read)]:
        assert type(again) is type(read) and again.transform == read.transform and again.crs == "EPSG:32633"
        assert (again == read).all() and (np.ma.getmaskarray(again) == np.ma.getmaskarray(read)).all()
        points = sc.sample(again, **OPTIONS)
        assert points.run == expected.run and (points.xy == expected.xy).all()
        # The file's unit, and that it does not state heights.
        assert told_by(sc.map_field, grey(), height=again, height_range=(0, 9)) == told_of_height
        for of in (again, again[:4], again.copy(), again.T):
            assert_refused("height: an image of 8 bits does not state its heights", sc.map_field, grey(), height=of)
        # They have pixels of their own.
        again[:] = 7
    assert (sc.sample(read, **OPTIONS).xy == expected.xy).all()
