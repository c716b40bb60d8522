"""Refusals are a ValueError of one line, which begins with the name of an option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import assert_refused

import spinney_scatter as sc

ARRAY = np.linspace(1, 9, 30 * 20).reshape(20, 30)
TRIANGLE = np.array([[1.0, 2.0], [25.0, 3.0], [9.0, 18.0]])
NAN, INF = float("nan"), float("inf")
BOX = (0, 0, 9, 9)

#: Options of ``sample``, and the beginning of the error.
OPTIONS: list[tuple[dict[str, Any], str]] = [
    # Distances.
    ({"min_dist": 0}, "min_dist 0: must be a positive finite number"),
    ({"min_dist": NAN}, "min_dist nan: must be a positive finite number"),
    ({"min_dist": (2, 4)}, "min_dist (2, 4): must be a positive finite number"),
    ({"min_dist": ARRAY}, "min_dist [[1. 1.01335559 1.02671119 1.04006678 1.05342237 1.06677796 ..: must be a positive"),
    ({"max_dist": "9 m"}, "max_dist 9 m: must be a positive finite number"),
    ({"density": (1, 2), "min_dist": 1}, "density: not supported with min_dist or max_dist: drop it, or those"),
    ({"density": 0.1}, "density 0.1: give two numbers, like (0.001, 0.05)"),
    ({"density": (0, 2)}, "density (0, 2): write the least and then the greatest number of points per area, both above 0"),
    ({"limit": -1}, "limit -1: must be a positive finite number"),
    ({"limit_keep": "both"}, "limit_keep: 'both' is not one of dense, sparse"),
    ({"limit_keep": "sparse"}, "limit_keep: needs a limit: give limit"),
    # Tone.
    ({"white": "grey"}, "white: 'grey' is not one of sparse, dense"),
    ({"white": ARRAY}, "white: '[[1. "),
    ({"range": (5, 5)}, "range 5..5: black must be a finite level below white"),
    ({"range": "all"}, "range 'all': give two numbers, like (-12.5, 801)"),
    ({"nodata": "none"}, "nodata none: must be a number"),
    ({"srgb": NAN}, "srgb nan: must be True or False"),
    ({"gamma": "x"}, "gamma x: must be a finite number"),
    ({"gamma": NAN}, "gamma nan: must be a finite number"),
    ({"curve": 5}, "curve 5: give points, like [(0, 0), (0.3, 0.7), (1, 1)]"),
    ({"curve": [(0, 0)]}, "curve: a curve needs two or more control points"),
    ({"map_is": "grey"}, "map_is: 'grey' is not one of distance, density"),
    # The world.
    ({"size": 3}, "size 3: give two numbers, like (512, 384)"),
    ({"size": ARRAY}, "size array([[1. , 1.01335559, 1.02671119, 1.04006678, 1.05342237,..: give two numbers"),
    ({"size": (0, 1)}, "size 0x1: width and height must be positive finite numbers"),
    ({"size": (1, INF)}, "size 1xinf: width and height must be positive finite numbers"),
    ({"origin": (NAN, 0)}, "origin nan,0: both numbers must be finite"),
    ({"y_up": "False"}, "y_up False: must be True or False"),
    ({"y_up": 2}, "y_up 2: must be True or False"),
    ({"tile": ARRAY}, "tile [[1. "),
    ({"transform": (1, 2, 3)}, "transform (1, 2, 3): give an Affine, as rasterio's src.transform, or its six numbers"),
    ({"transform": "north"}, "transform 'north': give an Affine"),
    ({"transform": ARRAY}, "transform array([[1. , "),
    ({"transform": (1, 0.1, 0, 0, 1, 0)}, "transform: the array is rotated or sheared: make it north-up with gdalwarp"),
    ({"transform": (0, 9, 0, 0, 0, -9)}, "transform: the numbers are in GDAL's order: give Affine.from_gdal(*numbers)"),
    ({"transform": (-1, 0, 0, 0, 1, 0)}, "transform: a pixel of -1 x 1 units cannot be used: columns must run to the east"),
    ({"transform": (1, 0, 0, 0, 0, 0)}, "transform: a pixel of 1 x 0 units cannot be used"),
    ({"transform": (1, 0, 0, 0, 1, 0), "y_up": True}, "transform: not supported with size, origin or y_up: drop it"),
    # Masks and heights.
    ({"mask": np.zeros((2, 2, 2))}, "mask: must have rows and columns, not shape (2, 2, 2): give one band"),
    ({"mask_threshold": None}, "mask_threshold None: must be a finite number"),
    ({"mask_threshold": 0.9}, "mask_threshold: needs a mask: give mask"),
    ({"height": np.full((3, 3), NAN)}, "height: no pixel of the height map has a height"),
    ({"height": np.full((3, 3), INF)}, "height: the height at pixel 0, 0 is inf: heights must be finite 32-bit floats"),
    ({"height": np.zeros((1, 1)), "height_at": "corners"}, "height: 1 x 1 values at the corners of cells leave no cell"),
    ({"height": ARRAY, "height_at": "edges"}, "height_at: 'edges' is not one of centres, corners"),
    ({"height_at": "corners"}, "height_at: needs heights: give height"),
    ({"height": ARRAY, "height_range": 9}, "height_range 9: give two numbers, like (0, 800)"),
    ({"height": ARRAY, "height_range": (9, 0)}, "height_range 9..0: give two numbers, the lower first"),
    ({"height": ARRAY, "height_range": (-1e308, 1e308)}, "height_range -1e+308..1e+308: give two numbers, the lower"),
    ({"height": np.ones((9, 9), int), "height_range": (0, 9)}, "height_range 0..9: signed integers are heights"),
    ({"height_range": (0, 9)}, "height_range: needs heights: give height"),
    ({"height": ARRAY, "slope": 20}, "slope 20: give two numbers, like (0, 30)"),
    ({"height": ARRAY, "slope": (9, 3)}, "slope 9..3: give two numbers, the lower first, like (0.5, 20)"),
    ({"slope": np.array([0, 9])}, "slope: needs heights: give height"),
    ({"altitude": (0, 1)}, "altitude: needs heights: give height"),
    # Polygons.
    ({"polygons": 7}, "polygons: 7 are not polygons: give GeoJSON, shapely or GeoPandas geometries, or outlines as"),
    ({"polygons": ["no JSON"]}, "polygons: 'no JSON' are not polygons: give GeoJSON"),
    ({"polygons": [(9, 9), (20, 9), (9, 20)]}, "polygons: 9 are not polygons: give GeoJSON"),
    ({"polygons": "park.geojson"}, "polygons park.geojson: not GeoJSON, and files are not read: give the text of one"),
    ({"polygons": Path("park.geojson")}, "polygons park.geojson: not GeoJSON, and files are not read: "),
    ({"polygons": "{no JSON"}, "polygons: GeoJSON: key must be a string"),
    ({"polygons": []}, "polygons: there is none, or all are empty: give some with corners"),
    ({"polygons": {"type": "FeatureCollection"}}, "polygons: there is none, or all are empty"),
    ({"polygons": {"type": "Feature"}}, "polygons: there is none, or all are empty"),
    ({"polygons": {"type": "Polygon", "coordinates": ()}}, "polygons: there is none, or all are empty"),
    ({"polygons": {"type": "Polygon", "coordinates": None}}, "polygons: there is none, or all are empty"),
    ({"polygons": {"type": "Polygon", "coordinates": 5}}, "polygons: GeoJSON: expected array, got number"),
    ({"polygons": {"type": "Polygon", "coordinates": [ARRAY]}}, "polygons: their coordinates are not lists of numbers"),
    ({"polygons": {"type": "Point", "coordinates": [1, 2]}}, "polygons: GeoJSON: there is no polygon, only 1 other"),
    ({"polygons": {"type": "LinearRing", "coordinates": [[0, 0]]}}, "polygons: a LinearRing has no inside: give"),
    ({"polygons": TRIANGLE[:, :1]}, "polygons: an outline must have the shape (n, 2), not (3, 1)"),
    ({"polygons": np.where(TRIANGLE == 3, NAN, TRIANGLE)}, "polygons: a coordinate is NaN or infinite: drop the polygons"),
    ({"polygons": TRIANGLE + 900}, "polygons: no polygon lies in the world, which covers 0,0 to 30,20; the polygons cover"),
    # Points to avoid.
    ({"avoid": [[1, 2]]}, "avoid: its points have no min_dist: give avoid_dist"),
    ({"avoid_dist": 3}, "avoid_dist: needs points: give avoid"),
    ({"avoid": [1, 2, 3], "avoid_dist": 3}, "avoid: must have the shape (n, 2), not (3,)"),
    ({"avoid": [["a", 2]], "avoid_dist": 3}, "avoid: not an array of numbers: give Points, or an array of shape (n, 2)"),
    ({"avoid": [[NAN, 2]], "avoid_dist": 3}, "avoid: obstacle 0 (counted from 0) has a coordinate NaN"),
    ({"avoid": [[1, 2]], "avoid_dist": -3}, "avoid_dist: must be a positive finite number"),
    ({"avoid": [[1, 2]], "avoid_dist": [3, 4]}, "avoid_dist: give one number, or one for each of the 1 points"),
    ({"avoid": [[1, 2], [3, 4]], "avoid_dist": [3]}, "avoid_dist: give one number, or one for each of the 2 points"),
    # The algorithm.
    ({"algorithm": "dart"}, "algorithm: 'dart' is not one of scatter, bridson"),
    ({"tries": 5}, "tries 5: not supported by algorithm scatter: drop it, or give algorithm bridson"),
    ({"algorithm": "bridson", "tries": 0}, "tries 0: must be a whole number from 1 to 4294967295"),
    ({"algorithm": "bridson", "lod": 2}, "lod: not supported by algorithm bridson: drop it, or give algorithm scatter"),
    ({"algorithm": "bridson", "tile": True}, "tile: not supported by algorithm bridson"),
    ({"algorithm": "bridson", "count": 9}, "count: not supported by algorithm bridson"),
    ({"algorithm": "bridson", "threads": 1}, "threads: not supported by algorithm bridson"),
    ({"algorithm": "bridson", "rule": "parent", "avoid": [[1, 2]], "avoid_dist": 3}, "avoid: not supported with rule parent"),
    ({"algorithm": "bridson", "rule": ARRAY}, "rule: '[[1. "),
    ({"rule": "parent"}, "rule parent: not supported by algorithm scatter: give another rule, or give algorithm bridson"),
    ({"rule": "nearest"}, "rule: 'nearest' is not one of max, mean, min, own, prior"),
    # The run.
    ({"seed": -1}, "seed -1: must be a whole number from 0 to 18446744073709551615"),
    ({"seed": 2**64}, "seed 18446744073709551616: must be a whole number from 0 to 18446744073709551615"),
    ({"seed": "7"}, "seed 7: must be a whole number"),
    ({"seed": ARRAY}, "seed [[1. "),
    ({"count": 0}, "count 0: must be a whole number from 1 to 18446744073709551615"),
    ({"count": 1e3}, "count 1000.0: must be a whole number"),
    ({"max_points": [5]}, "max_points [5]: must be a whole number from 1 to "),
    ({"lod": 33}, "lod 33: must be a whole number from 0 to 32"),
    ({"threads": 5000}, "threads 5000: must be a whole number from 1 to 1024"),
    ({"progress": 3}, "progress 3: give a function"),
]  # fmt: skip


@pytest.mark.parametrize("options,said", OPTIONS, ids=[said for _, said in OPTIONS])
def test_options(options: dict[str, Any], said: str) -> None:
    assert_refused(said, sc.sample, ARRAY, **options)


#: Arrays that are no map, and the error after the name of the argument.
NO_MAPS: dict[str, tuple[Any, str]] = {
    "three axes": (np.zeros((3, 4, 5)), "must have rows and columns, not shape (3, 4, 5): give one band or channel of it"),
    "one axis": (np.zeros(7), "must have rows and columns, not shape (7,)"),
    "no axis": (np.float64(3.0), "must have rows and columns, not shape ()"),
    "no rows": (np.zeros((0, 5)), "a map needs at least one pixel, but this one is 5x0"),
    "no columns": (np.zeros((5, 0), np.uint8), "a map needs at least one pixel, but this one is 0x5"),
    "objects": (np.array([[object(), 1], [2, 3]]), "must hold real numbers, not object: give an array, like read(path)"),
    "text": (np.array([["a", "b"]]), "must hold real numbers, not <U1"),
    "complex": (np.zeros((3, 3), complex), "must hold real numbers, not complex128"),
    "dates": (np.zeros((3, 3), "M8[s]"), "must hold real numbers, not datetime64[s]"),
    "structured": (np.zeros((3, 3), [("a", "f4")]), "must hold real numbers, not [('a', '<f4')]"),
    "ragged": ([[1, 2], [3]], "not an array of numbers: "),
    "nothing": (None, "must hold real numbers, not object"),
    "a path": ("map.tif", "must hold real numbers, not <U7"),
}


@pytest.mark.parametrize("name", NO_MAPS)
def test_what_is_no_map(name: str) -> None:
    array, said = NO_MAPS[name]
    assert_refused(f"map: {said}", sc.sample, array)
    # A single number is the distance in a world of `size`.
    said = "size: give the size of the world" if name == "no axis" else f"array: {said}"
    assert_refused(said, sc.sample_distances, array)


def test_levels_and_distances() -> None:
    assert_refused("range: no level is finite: give it as range=(lo, hi)", sc.sample, np.full((9, 9), INF))
    assert_refused("map: the level is 5 everywhere in the map, so black and white cannot be found", sc.sample, np.full((9, 9), 5.0))
    bad = np.full((5, 7), 2.0)
    for value, said in [
        (0, "array: the distance at column 6, row 3 is 0: distances must be positive finite numbers"),
        (-1, "array: the distance at column 6, row 3 is -1: "),
        (INF, "array: the distance at column 6, row 3 is inf: "),
        (1e-320, "min_dist 1e-320 max_dist 2: both must lie between 1e-15 and 1e15"),
        (1e300, "min_dist 2 max_dist 1e300: both must lie between 1e-15 and 1e15"),
    ]:
        bad[3, 6] = value
        assert_refused(said, sc.sample_distances, bad)


def test_masks_that_open_nothing() -> None:
    ones = np.zeros((4, 6), np.uint8)
    ones[:, 3:] = 1
    for mask, more, said in [
        # As rasterio.features.rasterize makes it.
        (ones, {}, "a value of 0.5 or more: nothing is open; the greatest is 0.003922 of 1, which is white: give "
                   "mask.astype(bool) if all but 0 is open, or mask_threshold 0.001961 or less"),
        (ones * 0.25, {}, "a value of 0.5 or more: nothing is open; the greatest is 0.25: give mask.astype(bool)"),
        (ones * 1.0, {"mask_threshold": 3}, "a value of 3 or more: nothing is open; the greatest is 1: give"),
        (ones > 1, {}, "a value of 0.5 or more: nothing is open; the greatest is 0"),
        (np.full((4, 6), NAN), {}, "a value of 0.5 or more: nothing is open; all of it is masked, NaN or no-data"),
        (np.ma.MaskedArray(ones, mask=True), {}, "a value of 0.5 or more: nothing is open; all of it is masked"),
    ]:  # fmt: skip
        assert_refused(f"mask: no pixel has {said}", sc.sample, ARRAY, mask=mask, **more)
    assert_refused("mask: the level is 7 everywhere, so that 0 and 1 cannot be found", sc.sample, ARRAY, mask=7 * np.ones((4, 6), int))
    assert_refused("mask_threshold -1: must not be negative for a mask of integers", sc.sample, ARRAY, mask=ones.astype(int),
                   mask_threshold=-1)


def test_options_beside_a_field() -> None:
    field = sc.map_field(ARRAY)
    for name, value in [("min_dist", 3), ("white", "dense"), ("mask", ARRAY > 2)]:
        said = f"{name}: not supported with a field: drop it, or give it to map_field"
        assert_refused(said, sc.sample, field, **{name: value})
        assert_refused(said, sc.verify, sc.sample(field), field, **{name: value})


def test_species() -> None:
    layers = [sc.Layer("oak", 6.0), sc.Layer("fern", 3.0)]
    for apart, said in [
        ([4], "apart [4]: give distances by pairs of names, like "),
        ({"oak": 1}, "apart: 'oak' is not a pair of names, like "),
        ({("oak", "elm"): 1}, 'apart: no layer is called "elm"'),
        ({("oak", "fern"): 1, ("fern", "oak"): 3}, "apart: the distance between fern and oak is given twice"),
        ({("oak", "fern"): "near"}, "apart near: must be a finite number"),
    ]:
        assert_refused(said, sc.species, layers, apart=apart, bounds=BOX)
    for wrong, said in [
        (5, "layers 5: give layers, like [Layer("),
        ([], "layers: there is none: give layers, like [Layer("),
        ([5], "layers: 5 is not a layer with a name of text"),
        ([sc.Layer(5, 4)], "layers: Layer(name=5, "),
        ([sc.Layer("a", 4), sc.Layer("a", 5)], 'layers: two are called "a"'),
        ([sc.Layer("a", 4, share="half")], "share half: must be a finite number"),
    ]:
        assert_refused(said, sc.species, wrong, bounds=BOX)
    assert_refused("progress 3: give a function", sc.species, layers, bounds=BOX, progress=3)
    assert_refused("bounds: no layer has a map to take them from: give bounds", sc.species, layers)
    assert_refused("bounds 9,9,0,0: give the lowest corner and then the highest", sc.species, layers, bounds=(9, 9, 0, 0))


def test_verify() -> None:
    points = sc.sample(ARRAY)
    layers = [sc.Layer("oak", 6.0), sc.Layer("fern", 3.0)]
    wood = sc.species(layers, apart={("oak", "fern"): 1.0}, bounds=(0, 0, 60, 40))
    house: dict[str, Any] = {"avoid": [[30, 20]], "avoid_dist": 9}
    for given, options, said in [
        ("points.csv", {"map": 5}, "points: not an array of numbers: give Points, or an array of shape (n, 2)"),
        (np.zeros(3), {"map": 5}, "points: must have the shape (n, 2), not (3,)"),
        (points.xy, {"map": 5}, "bounds: the size of the world is unknown: give bounds"),
        (points, {"map": 5, "bounds": (80, 60, 0, 0.5)}, "bounds 80,60,0,0.5: give the lowest corner"),
        (points, {"map": 5, "tile": "no"}, "tile no: must be True or False"),
        (points, {"map": 5, "rule": ARRAY}, "rule: '[[1. "),
        (points, {"white": "dense"}, "white: needs a map: give map"),
        (points, house, "avoid: the min_dist of places between the points is unknown: give the map"),
        (points, {"map": ARRAY, "rule": "parent", **house}, "avoid: not supported with rule parent"),
        (wood, {}, "points: they have layers: give layers, to check each by its own distances"),
        (wood, {"apart": {("oak", "fern"): 1}}, "apart: needs layers: give layers"),
        (wood, {"layers": layers, "map": 6.0}, "map: the layers have their own maps: drop it"),
        (wood, {"layers": layers, "limit": 0.25}, "limit: the layers have their own maps: drop it"),
        (wood, {"layers": layers, "apart": {("oak", "elm"): 1}}, 'apart: no layer is called "elm"'),
        (wood, {"layers": layers[::-1]}, "layers: the points have oak, fern: give these layers, in this order"),
        (wood, {"layers": layers, "rule": "parent"}, "points: layers cannot be checked under rule parent"),
        (wood.xy, {"layers": layers}, "layers: the points have no layers: give Points of species"),
    ]:
        assert_refused(said, sc.verify, given, **options)


def test_worlds() -> None:
    world = sc.World(4)
    assert_refused("window 0,0,9,inf: give the lowest corner and then the highest", world.window, (0, 0, 9, INF))
    assert_refused("window 5,0,1,1: give the lowest corner and then the highest", world.window, (5, 0, 1, 1))
    assert_refused("field far: give a Field, like map_field(array), or one distance", sc.World, "far")
    assert_refused("map: the field is endless: use World and its windows", sc.sample, sc.noise_field())
    assert_refused("white: '1' is not one of sparse, dense", sc.noise_field, white=1)
    for avoid, avoid_dist, said in [
        (None, None, "avoid: give Points, or an array of shape (n, 2) with avoid_dist"),
        ([[1, INF]], 3, "avoid: obstacle 0 (counted from 0) has a coordinate inf"),
        ([[1, 2]], 1e6, "avoid: obstacle 0 (counted from 0) has min_dist = 1000000, more than 40000"),
    ]:
        assert_refused(said, world.put, avoid, avoid_dist)


def test_files(tmp_path: Path) -> None:
    points = sc.sample(ARRAY)
    for path, options, said in [
        (tmp_path / "a.gpkg", {}, f"{tmp_path / 'a.gpkg'}: the name must end in one of .csv, .json, "),
        (b"x.csv", {}, "path b'x.csv': give a text, like 'points.csv', or a Path"),
        (5, {}, "path 5: give a text, like 'points.csv', or a Path"),
        (tmp_path / "a.csv", {"crs": "EPSG:4326"}, f"crs: only .parquet takes it, not {tmp_path / 'a.csv'}"),
        (tmp_path / "a.glb", {"align": True}, "align: the points have no heights: give height, the same to all layers"),
        (tmp_path / "a.parquet", {"align": True}, "rotate, scale, align: GeoParquet has no instances: drop them"),
    ]:
        assert_refused(said, points.save, path, **options)
    for placing, said in [
        ({"rotate": "no"}, "rotate no: must be True or False"),
        ({"scale": (2, 1)}, "scale 2..1: give the least and then the greatest, like (0.8, 1.2)"),
        ({"scale": (0, 1)}, "scale 0..1: both must be above 0"),
        ({"scale_by": "value"}, "scale_by: needs sizes: give scale"),
    ]:
        assert_refused(said, points.placed, **placing)
        assert_refused(said, points.save, tmp_path / "a.glb", **placing)
    assert not list(tmp_path.iterdir())
    assert_refused("channel 1: give a text, like 'r' or '1'", sc.read, "x.tif", 1)
    assert_refused("alpha 0: give a text, like 'mask'", sc.read, "x.tif", alpha=0)
    assert_refused("raw_size 4: give two whole numbers, like (512, 384)", sc.read, "x.r16", raw_size=4)


def test_noise() -> None:
    assert_refused("size 512: give two whole numbers, like (512, 384)", sc.perlin, 512)
    assert_refused("warp much: must be a finite number", sc.perlin, warp="much")
    assert_refused("threshold 2: must be a number from 0 to 1", sc.perlin, threshold=2)


def test_masked_numbers() -> None:
    hidden = np.ma.MaskedArray(TRIANGLE, mask=[[0, 0], [1, 1], [0, 0]])
    for said, call, options in [
        ("avoid: 2 of 6", sc.sample, {"map": ARRAY, "avoid": hidden, "avoid_dist": 3}),
        ("avoid_dist: 1 of 1", sc.sample, {"map": ARRAY, "avoid": [[1, 2]], "avoid_dist": np.ma.MaskedArray([3], mask=[1])}),
        ("polygons: 2 of 6", sc.sample, {"map": ARRAY, "polygons": [hidden]}),
        ("points: 2 of 6", sc.verify, {"points": hidden, "map": 3, "bounds": BOX}),
    ]:
        assert_refused(f"{said} numbers are masked: leave out their rows", call, **options)
    # An array type without masked numbers is like any other.
    plain, bare = np.ma.MaskedArray(TRIANGLE), np.full((20, 30), 2.0)
    whole = sc.sample_distances(bare, polygons=TRIANGLE, avoid=TRIANGLE[:1], avoid_dist=9)
    same = sc.sample_distances(bare, polygons=[plain], avoid=plain[:1], avoid_dist=np.ma.MaskedArray([9]))
    assert len(whole) > 20 and (whole.xy == same.xy).all()
