"""With polygons, points to avoid and Bridson's algorithm, points equal the command line's, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
from helpers import RULES, assert_same, assert_told, assert_writes, flags_of, outputs, told_by

import spinney_scatter as sc

#: Two triangles and a square with a hole, over a map of 120 x 160 pixels.
HOLED = [
    [[10.0, 70.0], [110.0, 70.0], [110.0, 150.0], [10.0, 150.0], [10.0, 70.0]],
    [[40.0, 90.0], [40.0, 130.0], [80.0, 130.0], [80.0, 90.0], [40.0, 90.0]],
]
TRIANGLE = np.array([[5.5, 5.25], [100.125, 12.0], [30.0, 60.1]])
SHAPES = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": HOLED}},
        {"type": "Feature", "properties": {}, "geometry": {
            "type": "Polygon", "coordinates": [[*TRIANGLE.tolist(), TRIANGLE[0].tolist()]]}},
    ],
}


class Shapely:
    """The interface of shapely's geometries and GeoPandas' tables."""

    def __init__(self, interface: Any) -> None:
        self.__geo_interface__ = interface


def test_polygons_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    (tmp_path / "shapes.geojson").write_text(json.dumps(SHAPES))
    cli.run("sample", maps / "f.png", "--min-dist", 2, "--max-dist", 5, "--seed", 9,
            "--polygon", tmp_path / "shapes.geojson", "-o", tmp_path / "a.csv")
    square = {"type": "Polygon", "coordinates": HOLED}
    pixels = sc.read(maps / "f.png")
    for polygons in [SHAPES, json.dumps(SHAPES), Shapely(SHAPES), [square, TRIANGLE],
                     [Shapely(square), Shapely(SHAPES["features"][1])]]:
        points = sc.sample(pixels, min_dist=2, max_dist=5, seed=9, polygons=polygons)
        assert_same(points, tmp_path / "a.csv")
    # One array is one outline. A field takes polygons, too.
    inside = sc.sample(pixels, min_dist=2, max_dist=5, polygons=TRIANGLE)
    field = sc.map_field(pixels, min_dist=2, max_dist=5, polygons=[TRIANGLE])
    assert len(inside) > 50 and (sc.sample(field).id == inside.id).all()
    assert inside.xy[:, 1].max() < 61 and inside.xy[:, 0].max() < 101
    distances = sc.sample_distances(np.full((160, 120), 3.0), polygons=TRIANGLE)
    assert 50 < len(distances) and distances.xy[:, 1].max() < 61


def test_shapely_s_own(maps: Path) -> None:
    shapely = pytest.importorskip("shapely")
    geopandas = pytest.importorskip("geopandas")
    square = shapely.Polygon(HOLED[0], HOLED[1:])
    pixels = sc.read(maps / "f.png")
    one = sc.sample(pixels, min_dist=2, polygons=square)
    frame = geopandas.GeoDataFrame(geometry=[square])
    for polygons in [[square], frame, frame.geometry, shapely.MultiPolygon([square])]:
        assert (sc.sample(pixels, min_dist=2, polygons=polygons).id == one.id).all()
    assert len(one) > 50


def test_attributes_of_polygons_do_not_matter(maps: Path) -> None:
    """Tables contain dates, and numbers that JSON lacks."""
    pixels = sc.read(maps / "f.png")
    one = sc.sample(pixels, min_dist=2, polygons=TRIANGLE)
    ring = [[np.float32(x), np.float64(y)] for x, y in [*TRIANGLE, TRIANGLE[0]]]
    feature = {"type": "Feature", "properties": {"day": np.datetime64("2020-01-01"), "a": np.nan, "b": np.int64(3)},
               "geometry": {"type": "Polygon", "coordinates": [ring]}}
    nothing = {"type": "Feature", "properties": None, "geometry": None}
    for polygons in [feature, {"type": "FeatureCollection", "features": [feature, nothing], "bbox": [np.nan]},
                     Shapely(feature), [Shapely(feature), nothing]]:
        assert (sc.sample(pixels, min_dist=2, polygons=polygons).id == one.id).all()


#: Options, and the beginning of their warning.
MISPLACED = [
    ({"polygons": np.array([[100, 100], [900, 100], [900, 900]])},
     "polygons: most of it lies outside the world, which covers 0,0 to 120,160, and it covers 100,100 to 900,900"),
    ({"polygons": np.array([[10, 10], [11, 10], [11, 11]])},
     "polygons: it is tiny compared to the world, which covers 0,0 to 120,160, and it covers 10,10 to 11,11"),
    ({"polygons": TRIANGLE, "origin": (2, 0)},
     "polygons: origin is given without y_up, so MAP may lie upside down below the polygons; give y_up if"),
    ({"avoid": [[900, 900], [-400, 0]], "avoid_dist": 3},
     "avoid: none of its points lies near the world, which covers 0,0 to 120,160; give the size and origin"),
    ({"polygons": TRIANGLE, "avoid": [[-20, 5]], "avoid_dist": 3}, None),
    ({"polygons": TRIANGLE, "origin": (2, 0), "y_up": False}, None),
    ({"avoid": np.empty((0, 2)), "avoid_dist": 3}, None),
]


@pytest.mark.parametrize("options,said", MISPLACED, ids=[str(said) for _, said in MISPLACED])
def test_what_lies_elsewhere_is_told(maps: Path, options: dict[str, Any], said: Optional[str]) -> None:
    told = [] if said is None else [said]
    assert_told(told, sc.sample, sc.read(maps / "f.png"), min_dist=2, max_dist=2.9, **options)
    assert_told(told, sc.sample_distances, np.full((160, 120), 3.0), **options)


@pytest.mark.parametrize("rule", RULES)
def test_avoided_points_are_the_command_line_s(
    cli: Any, maps: Path, tmp_path: Path, rule: str
) -> None:
    pixels = sc.read(maps / "f.png")
    first = sc.sample(pixels, min_dist=9, max_dist=14, max_points=12)
    first.save(tmp_path / "first.csv")
    out = tmp_path / "a.csv"
    for options, avoid in [
        ({"max_dist": 5}, first),
        ({"max_dist": 5, "avoid_dist": 6.5}, first.xy),
        ({"max_dist": 4, "tile": True}, first),
    ]:
        options.update(min_dist=2, rule=rule)
        cli.run("sample", maps / "f.png", *flags_of(options), "--avoid", tmp_path / "first.csv", "-o", out)
        assert_same(sc.sample(pixels, avoid=avoid, **options), out)
    each = np.where(first.xy[:, 0] < 60, 3.0, 8.0)
    by_each = sc.sample(pixels, min_dist=2, max_dist=5, avoid=first.xy, avoid_dist=each)
    apart = np.hypot(*(by_each.xy[:, None] - first.xy[None]).transpose(2, 0, 1))
    assert (apart >= each * (1 - 1e-12)).all()
    none = sc.sample(pixels, min_dist=2, max_dist=5, avoid=np.empty((0, 2)), avoid_dist=3)
    assert (none.id == sc.sample(pixels, min_dist=2, max_dist=5).id).all()


@pytest.mark.parametrize("more", [
    {},
    {"tries": 5, "seed": 2**64 - 1},
    {"rule": "parent"},
    {"rule": "mean", "max_points": 100},
], ids=repr)
def test_bridson_is_the_command_line_s(cli: Any, maps: Path, tmp_path: Path, more: dict[str, Any]) -> None:
    options = {"min_dist": 3, "max_dist": 7, "algorithm": "bridson", **more}
    points = sc.sample(sc.read(maps / "f.png"), **options)
    files = [tmp_path / name for name in ("a.csv", "a.json", "a.ply")]
    cli.run("sample", maps / "f.png", *flags_of(options), *outputs(files), "--summary", tmp_path / "s.json")
    # With parents under rule "parent".
    assert_writes(points, *files)
    assert points.run.algorithm == "bridson" and points.unresolved is None and len(points.parent) == len(points)
    assert points.complete == json.loads((tmp_path / "s.json").read_text())["complete"]


def in_system(polygon: Any, system: str) -> Any:
    """Return a polygon as GeoJSON that names its system."""
    ring = [*polygon.tolist(), polygon[0].tolist()]
    crs = {"type": "name", "properties": {"name": system}}
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    return {"type": "FeatureCollection", "features": [feature], "crs": crs}


def test_the_systems_of_listed_polygons_are_asked_for() -> None:
    field = sc.distance_field(np.full((60, 110), 4.0)).in_system("EPSG:32633")
    from spinney_scatter import _outlines as outlines

    def inside(polygons: Any) -> tuple[Any, list[str]]:
        return field.inside(outlines.geojsons(polygons), False, False)

    here, there = in_system(TRIANGLE, "EPSG:32633"), in_system(TRIANGLE / 2, "urn:ogc:def:crs:EPSG::25833")
    says = "polygons states that it is in EPSG:25833, but the map is in EPSG:32633"
    for polygons, count in ((here, 0), ([here], 0), ([here, TRIANGLE], 0), ([there], 1), ([here, there], 1),
                            ([[here], [[there]]], 1)):
        found, told = inside(polygons)
        assert [text.startswith(says) for text in told] == [True] * count, (polygons, told)
    # The points are those of all polygons.
    both, _ = inside([here, there])
    plain, _ = inside([TRIANGLE, TRIANGLE / 2])
    assert (sc.sample(both).xy == sc.sample(plain).xy).all()
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    frame = geopandas.GeoDataFrame(geometry=[shapely.Polygon(TRIANGLE)], crs="EPSG:32633")
    moved = frame.set_crs("EPSG:25833", allow_override=True)
    for polygons, count in (([frame], 0), ([moved], 1), ([frame, moved.geometry], 1), ([frame.geometry.array], 0)):
        assert [text.startswith(says) for text in inside(polygons)[1]] == [True] * count


def test_polygons_in_degrees_are_told() -> None:
    bare = np.full((60, 110), 4.0)
    here = in_system(TRIANGLE, "EPSG:32633")
    degrees = in_system(TRIANGLE / 2, "urn:ogc:def:crs:OGC:1.3:CRS84")
    for polygons, count in ((degrees, 1), (here, 0), ([here, degrees], 1)):
        told = told_by(lambda: sc.sample_distances(bare, y_up=True, polygons=polygons))
        assert len([text for text in told if "OGC:CRS84, and its corners look like degrees" in text]) == count


def test_points_of_another_run_are_compared_with_the_map() -> None:
    bare = np.full((60, 80), 4.0)
    down, up = sc.sample_distances(bare), sc.sample_distances(bare, y_up=True)
    says = "y runs up in the world of these points, but down in that of the map"
    for call, count in (
        (lambda: sc.sample_distances(bare, avoid=up), 1),
        (lambda: sc.verify(up, sc.distance_field(bare)), 1),
        (lambda: sc.World(sc.distance_field(bare)).put(up), 1),
        (lambda: sc.sample_distances(bare, avoid=down), 0),
        (lambda: sc.sample_distances(bare, y_up=True, avoid=up), 0),
        (lambda: sc.verify(down, sc.distance_field(bare)), 0),
        (lambda: sc.verify(up, 4), 0),
        # These have no map, and so no direction of y.
        (lambda: sc.World(4).put(up), 0),
        (lambda: sc.sample_distances(bare, avoid=sc.World(4).window((0, 0, 80, 60))), 0),
        (lambda: sc.sample_distances(bare, y_up=True,
                                     avoid=sc.species([sc.Layer("a", 4)], bounds=(0, 0, 80, 60))), 0),
    ):
        told = [text for text in told_by(call) if "y runs" in text]
        assert len(told) == count and all(says in text for text in told), told
    field = sc.distance_field(bare).in_system("EPSG:32633")
    there = sc.sample(sc.distance_field(bare).in_system("EPSG:25833"))
    says = " states that it is in EPSG:25833, but the map is in EPSG:32633, and nothing is converted"
    for name, call in (("avoid", lambda: sc.sample(field, avoid=there)), ("points", lambda: sc.verify(there, field))):
        assert [text.startswith(name + says) for text in told_by(call) if "EPSG" in text] == [True]


def test_obstacles_come_and_go() -> None:
    field = sc.noise_field(min_dist=2, max_dist=6, scale=60)
    view = (-40, -30, 50, 40)
    world = sc.World(field, 5)
    before = world.window(view)
    houses, free = np.array([[0.0, 0.0], [20.5, -3.0]]), np.array([9.0, 4.0])
    world.put(houses, free)
    there = world.window(view)
    for house, near in zip(houses, free):
        assert np.hypot(*(there.xy - house).T).min() >= near
    assert 0 < len(there) < len(before)
    listed = world.obstacles
    assert listed.shape == (2, 3) and listed.dtype == np.float64
    assert sorted(listed.tolist()) == [[0.0, 0.0, 9.0], [20.5, -3.0, 4.0]]
    # A world that had the obstacles from the beginning gives the same points, whatever the earlier
    # windows.
    fresh = sc.World(field, 5)
    fresh.put(houses[:1], 9)
    fresh.put(houses[1:], 4)
    again = fresh.window(view)
    assert (again.id == there.id).all() and (again.xy == there.xy).all()
    # Obstacles are removed one by one; unknown ones are not found.
    assert world.take(houses, 1.5) == 0 and world.take(houses[:1], 9) == 1
    assert world.take(houses, free) == 1
    assert world.obstacles.shape == (0, 3)
    after = world.window(view)
    assert (after.id == before.id).all() and (after.xy == before.xy).all()


def test_points_are_obstacles_of_a_world() -> None:
    saplings = sc.World(7, 1).window((0, 0, 60, 60))
    world = sc.World(4, 2)
    world.put(saplings)
    found = world.window((0, 0, 60, 60))
    assert np.hypot(*(found.xy[:, None] - saplings.xy[None]).transpose(2, 0, 1)).min() >= 7
    assert world.take(saplings) == len(saplings) > 20
    # An obstacle added twice has to be removed twice.
    world.put([[1, 2]], 3)
    world.put([[1, 2]], 3)
    assert [world.take([[1, 2]], 3) for _ in range(3)] == [1, 1, 0]
