"""Points equal the command line's, bit for bit."""

from __future__ import annotations

import csv
import dataclasses
import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import geotiff, told_by

import spinney_scatter as sc


def rows(path: Path) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def assert_same(points: sc.Points, path: Path) -> None:
    found = rows(path)
    assert len(points) == len(found)
    assert len(points) > 20
    for name, column in [("id", points.id), ("x", points.xy[:, 0]), ("y", points.xy[:, 1]),
                         ("min_dist", points.min_dist), ("value", points.value)]:
        kind: Any = int if name == "id" else float
        expected = np.array([kind(row[name]) for row in found], column.dtype)
        # The order is equal, too.
        assert (column == expected).all(), name
    if "rank" in found[0]:
        assert points.rank is not None
        assert [int(row["rank"]) for row in found] == points.rank.tolist()


def setting(seed: int) -> tuple[list[object], dict[str, Any]]:
    """Return random flags, and the same settings as options."""
    draw = random.Random(seed)
    flags: list[object] = []
    options: dict[str, Any] = {}

    def give(flag: str, value: Any, option: str, meant: Any = None) -> None:
        flags.extend([flag] if value is True else [flag, value])
        options[option] = value if meant is None else meant

    least = draw.choice([3.0, 4.25, 6.0])
    if draw.random() < 0.3:
        give("--density", "0.002..0.05", "density", (0.002, 0.05))
    else:
        give("--min-dist", least, "min_dist")
        if draw.random() < 0.7:
            give("--max-dist", least * draw.choice([1.0, 2.5, 6.0]), "max_dist")
    give("--seed", draw.choice([0, 7, 2**63, 2**64 - 1]), "seed")
    if draw.random() < 0.6:
        give("--white", draw.choice(["sparse", "dense"]), "white")
    if draw.random() < 0.6:
        give("--rule", draw.choice(["max", "mean", "min", "own", "prior"]), "rule")
    if draw.random() < 0.3:
        give("--srgb", True, "srgb")
    if draw.random() < 0.3:
        give("--gamma", 1.7, "gamma")
    if draw.random() < 0.3:
        give("--curve", "0:0.1,0.4:0.7,1:1", "curve", [(0, 0.1), (0.4, 0.7), (1, 1)])
    if draw.random() < 0.3:
        give("--map", "density", "map_is")
    if draw.random() < 0.3:
        give("--limit", 0.25, "limit")
        if draw.random() < 0.5:
            give("--limit-keep", "sparse", "limit_keep")
    if draw.random() < 0.4:
        give("--size", "300x217.5", "size", (300, 217.5))
    if draw.random() < 0.4:
        give("--origin", "-50.37,1000.25", "origin", (-50.37, 1000.25))
    if draw.random() < 0.4:
        give("--y-up", True, "y_up")
    if draw.random() < 0.3:
        give("--range", "40..200", "range", (40, 200))
    extra = draw.choice(["none", "count", "lod", "max_points", "tile"])
    if extra == "count":
        give("--count", 700, "count")
    elif extra == "lod":
        give("--lod", 4, "lod")
    elif extra == "max_points":
        give("--max-points", 300, "max_points")
    elif extra == "tile":
        give("--tile", True, "tile")
    give("--threads", draw.choice([1, 2]), "threads")
    return flags, options


@pytest.mark.parametrize("seed", range(20))
def test_random_settings(cli: Any, maps: Path, tmp_path: Path, seed: int) -> None:
    name = ["meadow.png", "f.png", "clusters.png", "boots.jpg"][seed % 4]
    flags, options = setting(seed)
    if name == "clusters.png":
        flags = [f if f != "40..200" else "9000..50000" for f in flags]
        if "range" in options:
            options["range"] = (9000, 50000)
    out = tmp_path / "points.csv"
    # Each setting is accepted: one that is refused would compare nothing.
    cli.run("sample", maps / name, *flags, "-o", out)
    pixels = sc.read(maps / name)
    # The luma of 8-bit colours has 16 bits here, but its range is that of the file.
    assert name != "boots.jpg" or pixels.dtype == np.uint16
    assert_same(sc.sample(pixels, **options), out)


@pytest.mark.parametrize("kind", ["uint8", "int16", "uint16", "uint32", "float32"])
def test_masks_open_the_same_pixels(cli: Any, maps: Path, tmp_path: Path, kind: str) -> None:
    path, out = tmp_path / "mask.tif", tmp_path / "points.csv"
    ramp = np.arange(101)[None, :].repeat(60, axis=0) * {"uint8": 2, "uint16": 600}.get(kind, 1)
    pixels = (ramp if kind.startswith("u") else ramp - 40).astype(kind)
    geotiff(path, pixels, None, None)
    mask = sc.read(path)
    map = maps / "meadow.png"
    greys = sc.read(map)
    compared = 0
    for threshold in (None, -20, 0, 0.001, 0.25, 0.75, 1, 30):
        flags = [] if threshold is None else ["--mask-threshold", threshold]
        options = {} if threshold is None else {"mask_threshold": threshold}
        ran = cli.call("sample", map, "--min-dist", 4, "--mask", path, *flags, "-o", out)
        if ran.returncode == 0:
            assert_same(sc.sample(greys, min_dist=4, mask=mask, **options), out)
            compared += 1
        else:
            with pytest.raises(ValueError, match="^mask"):
                sc.sample(greys, min_dist=4, mask=mask, **options)
    assert compared >= 4, kind


def test_range_and_nodata_are_levels_of_the_file(cli: Any, maps: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "map.pgm", tmp_path / "points.csv"
    levels = np.arange(101)[None, :].repeat(60, axis=0)
    path.write_text("P2 101 60 100\n" + "\n".join(" ".join(map(str, row)) for row in levels))
    colours = sc.read(maps / "boots.jpg")
    pixels = sc.read(path)
    assert pixels.dtype == np.uint16 and pixels.max() == 65535
    for file, read in ((maps / "boots.jpg", colours), (path, pixels)):
        for flags, options in (([], {}), (["--range", "60..80"], {"range": (60, 80)}),
                               (["--range", "60..80", "--nodata", 75], {"range": (60, 80), "nodata": 75}),
                               (["--range", "auto"], {"range": "auto"})):
            cli.run("sample", file, "--min-dist", 3, *flags, "-o", out)
            for same in (read, pickle.loads(pickle.dumps(read)), read[:]):
                assert_same(sc.sample(same, min_dist=3, **options), out)
    cli.run("sample", path, "--min-dist", 1, "--mask", path, "--mask-threshold", 0.75, "-o", out)
    assert_same(sc.sample(pixels, min_dist=1, mask=pixels, mask_threshold=0.75), out)
    holed = sc.read(path, nodata=90)
    assert isinstance(holed, np.ma.MaskedArray)
    cli.run("sample", path, "--min-dist", 3, "--nodata", 90, "--range", "60..80", "-o", out)
    plan = sc.plan(holed, min_dist=3, range=(60, 80))
    for points in (sc.sample(holed[:], min_dist=3, range=(60, 80)), plan.run(0, sc.ArrayReader(holed))):
        assert_same(points, out)
    # The numbers of arrays that are computed are their own.
    sixteen = (60 * 655.35, 80 * 655.35)
    whole = sc.sample(np.asarray(pixels), min_dist=3, range=sixteen)
    assert (sc.sample(pixels + np.uint16(0), min_dist=3, range=sixteen).xy == whole.xy).all()
    masked = sc.sample(holed + np.uint16(0), min_dist=3, range=sixteen)
    assert masked.value.max() == 1 and len(masked) > 0.5 * len(whole)


@pytest.mark.parametrize("kind", ["int8", "int16", "uint32", "int32", "uint64", "int64"])
def test_integers_are_rounded_as_on_the_command_line(cli: Any, tmp_path: Path, kind: str) -> None:
    rasterio = pytest.importorskip("rasterio")
    most = np.iinfo(kind).max
    least = 0 if kind.startswith("u") else -most
    share = 0.5 + 0.5 * np.sin(np.arange(120) / 20) * np.cos(np.arange(90)[:, None] / 15)
    pixels = (0.9 * (least + share * (float(most) - least))).astype(kind)
    pixels[20:30, 50:70] = 7
    path, out = tmp_path / "a.tif", tmp_path / "points.csv"
    geotiff(path, pixels, (2, 0, 500_000, 0, -2, 4_003_000), nodata=7)
    read = sc.read(path)
    assert read.dtype == kind and (np.ma.getmaskarray(read) == (pixels == 7)).all()
    assert (np.ma.filled(read, 7).astype(float) == pixels.astype(float)).all()
    with rasterio.open(path) as source:
        theirs, transform = source.read(1, masked=True), source.transform
        plan = sc.plan(source, min_dist=4, range=(least, most), windows=(2, 2))
    for flags, options in (
        ([], {}),
        (["--range", f"{least}..{most}"], {"range": (least, most)}),
        (["--range", "0..5", "--limit", 0.25], {"range": (0, 5), "limit": 0.25}),
    ):
        cli.run("sample", path, "--min-dist", 4, *flags, "-o", out)
        assert_same(sc.sample(read, min_dist=4, **options), out)
        assert_same(sc.sample(theirs, transform=transform, min_dist=4, **options), out)
    # Plans round, too, so that they continue a run with a count.
    counted = sc.sample(read, min_dist=4, range=(least, most), count=150)
    plan = dataclasses.replace(plan, scale_factor=counted.scale_factor, last=counted.last)
    ids = [plan.run(i, sc.RasterReader(str(path))).id for i in range(4)]
    assert sorted(np.concatenate(ids).tolist()) == sorted(counted.id.tolist())


def test_masks_and_slopes(cli: Any, maps: Path, tmp_path: Path) -> None:
    out = tmp_path / "points.csv"
    dem = maps / "jacksboro_dem.png"
    cli.run("sample", maps / "meadow.png", "--min-dist", 4, "--mask", maps / "f.png",
            "--mask-threshold", 0.3, "--height", dem, "--height-range", "0..65535",
            "--slope", "0..89.99", "-o", out)
    points = sc.sample(sc.read(maps / "meadow.png"), min_dist=4, mask=sc.read(maps / "f.png"),
                       mask_threshold=0.3, height=sc.read(dem), height_range=(0, 65535), slope=(0, 89.99))
    assert_same(points, out)


@pytest.mark.parametrize("name", ["a.glb", "a.usda", "a.tscn", "a.unreal.csv", "a.unity.json", "a.csv"])
def test_instances_are_tilted(cli: Any, maps: Path, tmp_path: Path, name: str) -> None:
    dem = maps / "jacksboro_dem.png"
    theirs = cli.run("sample", maps / "meadow.png", "--min-dist", 9, "--height", dem, "--height-range", "0..300",
                     "--rotate", "--align", "-o", tmp_path / name)
    points = sc.sample(sc.read(maps / "meadow.png"), min_dist=9, height=sc.read(dem), height_range=(0, 300))
    ours = tmp_path / f"ours-{name}"
    told = told_by(points.save, ours, rotate=True, align=True)
    assert ours.read_bytes() == (tmp_path / name).read_bytes()
    assert told == [text.replace(name, f"ours-{name}") for text in theirs if "cannot tilt" in text]
    assert bool(told) == name.endswith("unity.json")
    points.save(ours, rotate=True)
    assert (ours.read_bytes() == (tmp_path / name).read_bytes()) == (name == "a.csv")


@pytest.mark.parametrize("kind", ["u1", ">u2", "<f4", "u4"])
def test_heights_of_black_and_white(cli: Any, maps: Path, tmp_path: Path, kind: str) -> None:
    rises = np.add.outer(np.sin(np.arange(50) / 9), np.cos(np.arange(70) / 8)) / 4 + 0.5
    most = 1 if kind == "<f4" else np.iinfo(kind).max
    levels = (rises * most).astype(kind)
    if kind in ("u1", ">u2"):
        path, size = tmp_path / "h.pgm", []
        path.write_bytes(b"P5 70 50 %d\n" % most + levels.tobytes())
    elif kind == "<f4":
        path, size = tmp_path / "h.r32f", ["--height-size", "70x50"]
        path.write_bytes(levels.tobytes())
    else:
        path, size = tmp_path / "h.tif", []
        geotiff(path, levels, None, None)
    heights: Any = sc.read(path, raw_size=(70, 50) if size else None)
    flags = ["sample", maps / "f.png", "--min-dist", 4, "--height", path, *size, "--slope", "0..40"]
    options: dict[str, Any] = {"min_dist": 4, "slope": (0, 40)}
    pixels = sc.read(maps / "f.png")
    for name in ("a.csv", "a.unity.json"):
        cli.run(*flags, "--height-range", "-5..75", "-o", tmp_path / name)
        points = sc.sample(pixels, **options, height=heights, height_range=(-5, 75))
        assert 100 < len(points) < len(sc.sample(pixels, min_dist=4))
        for of in (points, pickle.loads(pickle.dumps(points))):
            of.save(tmp_path / f"ours-{name}")
            assert (tmp_path / f"ours-{name}").read_bytes() == (tmp_path / name).read_bytes()
    plain = sc.sample(pixels, **options, height=np.asarray(heights), height_range=(-5, 75))
    assert (plain.xy == points.xy).all()
    # Levels that are no heights are refused, whatever was computed from them and kept their type.
    is_refused = cli.call(*flags, "-o", tmp_path / "b.csv").returncode != 0
    assert is_refused == ("u" in kind)
    for array in (heights, heights[:40], heights.copy(), heights // 2, np.ma.MaskedArray(heights)):
        if is_refused:
            with pytest.raises(ValueError, match="^height: an image of .* bits does not state its heights: .* as "
                                                 rf"height_range=\(lo, hi\), \(0, {most}\) if its levels"):
                sc.map_field(pixels, height=array)
        else:
            sc.map_field(pixels, height=array)
    # Numbers of the caller's own are heights.
    sc.map_field(pixels, height=np.asarray(heights))
    sc.map_field(pixels, height=heights * 0.5)


@pytest.mark.parametrize("most", [100, 1000, 4095])
def test_white_of_heights_is_that_of_the_file(cli: Any, maps: Path, tmp_path: Path, most: int) -> None:
    """Heights are computed from the levels of the file, and not from those of the array, which are rounded."""
    # One level a column: a slope of 45 degrees, by a height of 1 a level.
    levels = np.tile(np.arange(60), (50, 1))
    path = tmp_path / "h.pgm"
    path.write_bytes(b"P5 60 50 %d\n" % most + levels.astype("u1" if most < 256 else ">u2").tobytes())
    heights = sc.read(path)
    (tmp_path / "map.pgm").write_bytes(b"P5 60 50 255\n" + bytes([9] * 3000))
    for slope in ((0, 45), (45, 90), (0, 44.99)):
        cli.run("sample", tmp_path / "map.pgm", "--min-dist", 1.5, "--height", path, "--height-range", f"0..{most}",
                "--slope", f"{slope[0]}..{slope[1]}", "-o", tmp_path / "a.csv")
        points = sc.sample(sc.read(tmp_path / "map.pgm"), min_dist=1.5, height=heights, height_range=(0, most), slope=slope)
        found = rows(tmp_path / "a.csv")
        assert points.id.tolist() == [int(row["id"]) for row in found] and (len(found) > 0) == (slope[1] >= 45)
        for name in ("height", "slope"):
            assert getattr(points, name).tolist() == [float(row[name]) for row in found]
    with pytest.raises(ValueError, match=rf"\(0, {most}\) if its levels"):
        sc.map_field(heights, height=heights)
    # A copy in another type holds numbers of the array.
    field = sc.map_field(heights, height=heights.astype(float), slope=(40, 90))
    assert field.ground is not None


def test_the_ground_is_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    """Files of points with heights are equal byte for byte, and so are the arrays."""
    heights = 30 + 20 * np.sin(np.arange(70) / 8) * np.cos(np.arange(50) / 9)[:, None]
    heights[:9, :9] = np.nan
    (tmp_path / "h.r32f").write_bytes(heights.astype("<f4").tobytes())
    pixels = sc.read(maps / "f.png")
    options: dict[str, Any] = {"min_dist": 4, "height": heights.astype("<f4"), "slope": (0, 55.5), "origin": (5, 7)}
    points = sc.sample(pixels, seed=3, **options)
    flags = ["--min-dist", 4, "--height", tmp_path / "h.r32f", "--height-size", "70x50", "--slope", "0..55.5",
             "--origin", "5,7", "--seed", 3]
    # Points that were pickled are written alike.
    again = pickle.loads(pickle.dumps(points))
    for name in ["a.csv", "a.json", "a.ply", "a.svg", "a.npy", "a.geojson", "a.glb", "a.usda", "a.tscn",
                 "a.unity.json", "a.unreal.csv"]:
        theirs, ours = tmp_path / f"theirs-{name}", tmp_path / f"ours-{name}"
        cli.run("sample", maps / "f.png", *flags, "-o", theirs)
        for of in (points, again):
            of.save(ours)
            assert ours.read_bytes() == theirs.read_bytes(), name
    found = rows(tmp_path / "theirs-a.csv")
    assert len(found) == len(points) > 100 and points.normal is not None
    for column, names in [(points.height, ["height"]), (points.slope, ["slope"]),
                          (points.normal, ["normal_x", "normal_y", "normal_z"])]:
        numbers = [[float(row[name]) for name in names] for row in found]
        assert column is not None and (column.reshape(len(points), -1) == numbers).all()
    plain = sc.sample(pixels, min_dist=4)
    assert plain.height is None and plain.slope is None and plain.normal is None


def test_worlds_and_species_have_a_ground() -> None:
    heights = np.add.outer(np.arange(40.0), np.arange(60.0))

    def field(heights: Any) -> sc.Field:
        return sc.map_field(np.zeros((40, 60), np.uint8), min_dist=3, height=heights)

    here = sc.World(field(heights)).window((10, 10, 30, 30))
    assert here.height is not None and np.allclose(here.height, here.xy.sum(axis=1) - 1, atol=1e-4)
    assert here.slope is not None and np.allclose(here.slope, np.degrees(np.arctan(np.sqrt(2))))
    nothing = sc.World(field(heights)).window((10, 10, 10.01, 10.01))
    assert len(nothing) == 0 and nothing.normal is not None and nothing.normal.shape == (0, 3)
    for other, has in [(heights, True), (heights + 1, False)]:
        wood = sc.species([sc.Layer("oak", field(heights)), sc.Layer("fern", field(other)), sc.Layer("moss", 4)])
        assert (wood.height is not None) == has


def test_noise_is_the_command_line_s(cli: Any, tmp_path: Path) -> None:
    out = tmp_path / "noise.png"
    cli.run("map", "perlin", "--size", "120x80", "--seed", 5, "--scale", 30, "--warp", 7,
            "-o", out)
    noise = sc.perlin((120, 80), seed=5, scale=30, warp=7)
    assert noise.dtype == np.uint16
    assert (sc.read(out) == noise).all()


def test_files_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    """Files are equal byte for byte, in each format that is one file."""
    points = sc.sample(sc.read(maps / "f.png"), min_dist=4, y_up=True, seed=3)
    for name in ["a.csv", "a.json", "a.ply", "a.svg", "a.npy", "a.geojson", "a.glb", "a.usda",
                 "a.tscn", "a.unity.json", "a.unreal.csv"]:
        theirs, ours = tmp_path / f"theirs-{name}", tmp_path / f"ours-{name}"
        cli.run("sample", maps / "f.png", "--min-dist", 4, "--y-up", "--seed", 3,
                "--rotate", "--scale", "0.5..2", "-o", theirs)
        points.save(ours, rotate=True, scale=(0.5, 2))
        assert ours.read_bytes() == theirs.read_bytes(), name
    # Regression: files of a count did not state its factor.
    points = sc.sample(sc.read(maps / "f.png"), min_dist=4, count=700)
    for name in ["b.json", "b.ply"]:
        cli.run("sample", maps / "f.png", "--min-dist", 4, "--count", 700, "-o",
                tmp_path / name)
        points.save(tmp_path / f"ours-{name}")
        ours = (tmp_path / f"ours-{name}").read_bytes()
        assert f"{points.scale_factor}".encode() in ours
        assert ours == (tmp_path / name).read_bytes(), name
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_turns_and_sizes_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    points = sc.sample(sc.read(maps / "f.png"), min_dist=4, seed=3)
    for by in ["chance", "value"]:
        cli.run("sample", maps / "f.png", "--min-dist", 4, "--seed", 3, "--rotate", "--scale",
                "0.5..2", "--scale-by", by, "-o", tmp_path / "a.csv")
        turns, sizes = points.placed(rotate=True, scale=(0.5, 2), scale_by=by)
        found = rows(tmp_path / "a.csv")
        assert [float(row["rotation"]) for row in found] == turns.tolist()
        assert [float(row["scale"]) for row in found] == sizes.tolist()
    turns, sizes = points.placed()
    assert (turns == 0).all() and (sizes == 1).all()


def test_species_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    (tmp_path / "wood.toml").write_text(
        f"""
[[layer]]
name = "oak"
map = "{(maps / 'f.png').as_posix()}"
min_dist = 9
max_dist = 30
[[layer]]
name = "fern"
min_dist = 4
share = 2.0
turn = 1
[[layer]]
name = "moss"
min_dist = 5
seed = 77
[[apart]]
between = ["oak", "fern"]
distance = 6
"""
    )
    out = tmp_path / "points.csv"
    cli.run("sample", "--species", tmp_path / "wood.toml", "--rule", "mean", "--seed", 4,
            "-o", out)
    layers = [
        sc.Layer("oak", sc.map_field(sc.read(maps / "f.png"), min_dist=9, max_dist=30)),
        sc.Layer("fern", 4, share=2.0, turn=1),
        sc.Layer("moss", 5, seed=77),
    ]
    apart = {("fern", "oak"): 6.0}
    points = sc.species(layers, apart=apart, rule="mean", seed=4)
    assert_same(points, out)
    assert points.layer is not None
    assert [int(row["layer"]) for row in rows(out)] == points.layer.tolist()
    assert points.run.layers == ("oak", "fern", "moss")
    # The judgements are equal, too, also of points that are too close.
    assert verified(cli, out, "--species", tmp_path / "wood.toml", "--rule", "mean") == sc.verify(
        points, layers=layers, apart=apart
    )
    (tmp_path / "wood.toml").write_text((tmp_path / "wood.toml").read_text().replace("= 6", "= 8.5"))
    report = sc.verify(points, layers=layers, apart={("oak", "fern"): 8.5})
    assert verified(cli, out, "--species", tmp_path / "wood.toml", "--rule", "mean") == report
    assert report["violations"] == report["between"][0]["violations"] > 0
    assert report["between"][0]["distance"] == 8.5


def verified(cli: Any, *arguments: object) -> Any:
    """Return the report of ``spinney verify``, which may find faults."""
    report = Path(str(arguments[0])).with_suffix(".report.json")
    ran = cli.call("verify", *arguments, "--report", report)
    assert ran.returncode in (0, 1) and report.exists(), ran.stderr
    return json.loads(report.read_text())


def test_layers_of_equal_fields_are_sampled_together(cli: Any, maps: Path, tmp_path: Path) -> None:
    """Fields that are made of the same values are one field, as on the command line."""
    (tmp_path / "f.png").write_bytes((maps / "f.png").read_bytes())
    (tmp_path / "even.toml").write_text("\n".join(f'[[layer]]\nname="{n}"\nmin_dist=4\n' for n in "ab"))
    keys = 'map="f.png"\nmin_dist=4\nmax_dist=9\nlimit=0.25\n'
    (tmp_path / "map.toml").write_text("\n".join(f'[[layer]]\nname="{n}"\n{keys}' for n in "ab"))
    options: dict[str, Any] = {"min_dist": 4, "max_dist": 9, "limit": 0.25}

    def field(pixels: Any = None, **more: Any) -> sc.Field:
        return sc.map_field(sc.read(maps / "f.png") if pixels is None else pixels, **{**options, **more})

    bounds = field().bounds
    assert bounds is not None
    width, height = bounds[2], bounds[3]
    for name, first, second in [("even", 4, 4.0), ("even", 4, sc.Field.constant(4)), ("map", field(), field())]:
        size = f"{width}x{height}"
        cli.run("sample", "--species", tmp_path / f"{name}.toml", "--size", size, "-o", tmp_path / "a.csv")
        points = sc.species([sc.Layer("a", first), sc.Layer("b", second)], bounds=(0, 0, width, height))
        assert points.id.tolist() == [int(row["id"]) for row in rows(tmp_path / "a.csv")]

    # Other values are other fields.
    pixels = sc.read(maps / "f.png")
    mask = np.asarray(pixels == pixels.max())
    rising = np.add.outer(np.arange(pixels.shape[0]), np.zeros(pixels.shape[1]))
    kinds: list[dict[str, Any]] = [
        {}, {"mask": mask}, {"mask": ~mask}, {"gamma": 1.1}, {"limit": 0.26}, {"pixels": pixels // 2 * 2},
        {"pixels": pixels / 65535}, {"polygons": np.array([[5, 5], [50, 5], [30, 50]])}, {"polygons": np.array([[5, 5], [50, 5], [30, 51]])},
        {"height": rising, "slope": (0, 50)}, {"height": rising, "slope": (0, 51)}, {"height": 2 * rising, "slope": (0, 50)},
        {"y_up": True}, {"size": (width, height - 1)},
    ]  # fmt: skip

    def run(one: sc.Field, other: sc.Field) -> list[int]:
        layers = [sc.Layer("a", one), sc.Layer("b", other)]
        return sc.species(layers, bounds=(0, 0, width, height)).id.tolist()

    for kind in kinds:
        one = field(**kind)
        assert run(one, one) == run(one, field(**kind)), kind
        assert (run(one, one) == run(one, field())) == (not kind), kind


@pytest.mark.parametrize("rule,tile", [("max", False), ("own", True), ("prior", False)])
def test_judgements_of_avoided_points_are_the_command_line_s(
    cli: Any, maps: Path, tmp_path: Path, rule: str, tile: bool
) -> None:
    """``verify`` counts no gaps around points to avoid, and reports points near them."""
    there, kept = [[40.5, 30.25], [2.0, 60.0], [100.0, 110.5]], [25.0, 9.5, 14.0]
    lines = [f"{x},{y},{d}" for (x, y), d in zip(there, kept)]
    (tmp_path / "there.csv").write_text("\n".join(["x,y,min_dist", *lines]) + "\n")
    pixels, out = sc.read(maps / "f.png"), tmp_path / "points.csv"
    options: dict[str, Any] = {"min_dist": 3, "max_dist": 8, "avoid": there, "avoid_dist": kept}
    flags = ["--avoid", tmp_path / "there.csv", "--rule", rule, *(["--torus"] if tile else [])]
    points = sc.sample(pixels, rule=rule, tile=tile, **options)
    points.save(out)
    report = sc.verify(points, pixels, **options)
    assert report == verified(cli, out, maps / "f.png", "--min-dist", 3, "--max-dist", 8, *flags)
    assert report["misplaced"] == 0 and report["violations"] == 0
    if rule == "max":
        open_ground = sc.verify(points, pixels, min_dist=3, max_dist=8)["gap_fraction"]
        assert report["gap_fraction"] < 1e-4 < open_ground
    # With one distance, given or the points' own. Points sampled without obstacles lie too close to
    # them.
    even = sc.sample_distances(np.full(pixels.shape, 4.0), rule=rule, tile=tile)
    even.save(out)
    report = sc.verify(even, 4, avoid=there, avoid_dist=kept)
    world = "x".join(str(side) for side in reversed(pixels.shape))
    assert report == verified(cli, out, "--min-dist", 4, "--size", world, *flags)
    assert report == sc.verify(even, avoid=there, avoid_dist=kept) and report["misplaced"] > 0


SAME_WORDS: list[tuple[list[object], dict[str, Any]]] = [
    (["--min-dist", "9", "--max-dist", "3"], {"min_dist": 9, "max_dist": 3}),
    (["--max-dist", "3"], {"max_dist": 3}),
    (["--min-dist", "1e-9", "--max-dist", "1"], {"min_dist": 1e-9, "max_dist": 1}),
    (["--min-dist", "1e-4"], {"min_dist": 1e-4}),
    (["--rule", "parent"], {"rule": "parent"}),
    (["--gamma", "1000"], {"gamma": 1000}),
    (["--limit", "1e9"], {"limit": 1e9}),
    (["--density", "0..2"], {"density": (0, 2)}),
    (["--tile", "--max-dist", "400"], {"tile": True, "max_dist": 400}),
    (["--count", "900000000"], {"count": 900000000}),
    (["--count", "5", "--tile"], {"count": 5, "tile": True}),
    (["--max-points", "10", "--count", "20"], {"max_points": 10, "count": 20}),
    (["--size", "1e-320x1e-320"], {"size": (1e-320, 1e-320)}),
    (["--size", "1x1", "--origin", "1e17,0"], {"size": (1, 1), "origin": (1e17, 0)}),
]


@pytest.mark.parametrize("flags,options", SAME_WORDS)
def test_errors_are_the_command_line_s(
    cli: Any, maps: Path, tmp_path: Path, flags: list[object], options: dict[str, Any]
) -> None:
    ran = cli.call("sample", maps / "f.png", *flags, "-o", tmp_path / "a.csv", "-q")
    if ran.returncode == 0:
        sc.sample(sc.read(maps / "f.png"), **options)
        return
    told = ran.stderr.strip()
    assert told.startswith("error: ") and "\n" not in told
    with pytest.raises(ValueError) as refused:
        sc.sample(sc.read(maps / "f.png"), **options)
    theirs = told.removeprefix("error: ")
    for flag in ["min-dist", "max-dist", "max-points", "limit-keep"]:
        theirs = theirs.replace(f"--{flag}", flag.replace("-", "_"))
    theirs = theirs.replace("with --algorithm bridson", "with algorithm=bridson").replace("--", "")
    # The command line writes densities as LO..HI, and origins as X,Y.
    assert str(refused.value) == theirs
