"""Points equal the command line's, bit for bit."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import FILES, RULES, assert_make_up, assert_refused, assert_same, assert_told, assert_writes, flags_of, geotiff, outputs, rows, table, told_by

import spinney_scatter as sc


#: Options, and their values.
OFTEN: dict[str, list[Any]] = {
    "max_dist": [6, 15.5, 36.0],
    "white": ["sparse", "dense"],
    "rule": [*RULES],
    "srgb": [True],
    "gamma": [1.7],
    "curve": [[(0, 0.1), (0.4, 0.7), (1, 1)]],
    "map_is": ["density"],
    "limit": [0.25],
    "size": [(300, 217.5)],
    "origin": [(-50.37, 1000.25)],
    "y_up": [True],
    "range": [(40, 200)],
}

#: Options that exclude each other.
RUNS: list[dict[str, Any]] = [{}, {"count": 700}, {"lod": 4}, {"max_points": 300}, {"tile": True}]


@pytest.mark.parametrize("seed", range(20))
def test_random_settings(cli: Any, maps: Path, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    name = ["meadow.png", "f.png", "clusters.png", "boots.jpg"][seed % 4]
    options = {option: draw.choice(values) for option, values in OFTEN.items() if draw.random() < 0.4}
    if draw.random() < 0.3:
        options.pop("max_dist", None)
        options["density"] = (0.002, 0.05)
    else:
        options["min_dist"] = draw.choice([3.0, 4.25, 6.0])
    if "limit" in options and draw.random() < 0.5:
        options["limit_keep"] = "sparse"
    if "range" in options and name == "clusters.png":
        options["range"] = (9000, 50000)
    options.update(draw.choice(RUNS), seed=draw.choice([0, 7, 2**63, 2**64 - 1]), threads=draw.choice([1, 2]))
    out = tmp_path / "points.csv"
    # A setting that is refused would compare nothing.
    cli.run("sample", maps / name, *flags_of(options), "-o", out)
    assert_same(sc.sample(sc.read(maps / name), **options), out)


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
        options = {} if threshold is None else {"mask_threshold": threshold}
        ran = cli.call("sample", map, "--min-dist", 4, "--mask", path, *flags_of(options), "-o", out)
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
        for options in ({}, {"range": (60, 80)}, {"range": (60, 80), "nodata": 75}, {"range": "auto"}):
            cli.run("sample", file, "--min-dist", 3, *flags_of(options), "-o", out)
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
    for options in ({}, {"range": (least, most)}, {"range": (0, 5), "limit": 0.25}):
        cli.run("sample", path, "--min-dist", 4, *flags_of(options), "-o", out)
        assert_same(sc.sample(read, min_dist=4, **options), out)
        assert_same(sc.sample(theirs, transform=transform, min_dist=4, **options), out)
    # Plans round, too, so that they continue a run with a count.
    counted = sc.sample(read, min_dist=4, range=(least, most), count=150)
    plan = dataclasses.replace(plan, scale_factor=counted.scale_factor, last=counted.last)
    parts = [plan.run(i, sc.RasterReader(str(path))) for i in range(4)]
    assert_make_up([table(part) for part in parts], table(counted))


def test_instances_are_tilted(cli: Any, maps: Path, tmp_path: Path) -> None:
    dem = maps / "jacksboro_dem.png"
    points = sc.sample(sc.read(maps / "meadow.png"), min_dist=9, height=sc.read(dem), height_range=(0, 300))
    files = [tmp_path / name for name in ("a.glb", "a.usda", "a.tscn", "a.unreal.csv", "a.unity.json", "a.csv")]
    theirs = cli.run("sample", maps / "meadow.png", "--min-dist", 9, "--height", dem, "--height-range", "0..300",
                     "--rotate", "--align", *outputs(files))
    (told,) = told_by(assert_writes, points, *files, rotate=True, align=True)
    assert "a Unity terrain cannot tilt its trees" in told and told.replace("ours-", "") in theirs


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
    files = [tmp_path / name for name in ("a.csv", "a.unity.json")]
    cli.run(*flags, "--height-range", "-5..75", *outputs(files))
    points = sc.sample(pixels, **options, height=heights, height_range=(-5, 75))
    assert 100 < len(points) < len(sc.sample(pixels, min_dist=4))
    for of in (points, pickle.loads(pickle.dumps(points))):
        assert_writes(of, *files)
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
        options = {"min_dist": 1.5, "height_range": (0, most), "slope": slope}
        cli.run("sample", tmp_path / "map.pgm", "--height", path, *flags_of(options), "-o", tmp_path / "a.csv")
        points = sc.sample(sc.read(tmp_path / "map.pgm"), height=heights, **options)
        if slope[1] < 45:
            assert len(points) == len(rows(tmp_path / "a.csv")) == 0
        else:
            assert_same(points, tmp_path / "a.csv")
    assert_refused(f"height: an image of {8 * heights.itemsize} bits does not state its heights: give those of black and "
                   f"white as height_range=(lo, hi), (0, {most}) if", sc.map_field, heights, height=heights)


def test_the_ground_is_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    heights = 30 + 20 * np.sin(np.arange(70) / 8) * np.cos(np.arange(50) / 9)[:, None]
    heights[:9, :9] = np.nan
    (tmp_path / "h.r32f").write_bytes(heights.astype("<f4").tobytes())
    pixels = sc.read(maps / "f.png")
    options = {"min_dist": 4, "slope": (0, 55.5), "origin": (5, 7), "seed": 3}
    points = sc.sample(pixels, height=heights.astype("<f4"), **options)
    files = [tmp_path / name for name in FILES]
    cli.run("sample", maps / "f.png", "--height", tmp_path / "h.r32f", "--height-size", "70x50", *flags_of(options),
            *outputs(files))
    assert_same(points, tmp_path / "a.csv")
    # Points that were pickled are written alike.
    for of in (points, pickle.loads(pickle.dumps(points))):
        assert_writes(of, *files)
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
    for options, placing, names in [
        ({"min_dist": 4, "y_up": True, "seed": 3}, {"rotate": True, "scale": (0.5, 2)}, FILES),
        # Files of a count state its factor.
        ({"min_dist": 4, "count": 700}, {}, ["b.json", "b.ply"]),
    ]:
        files = [tmp_path / name for name in names]
        cli.run("sample", maps / "f.png", *flags_of({**options, **placing}), *outputs(files))
        assert_writes(sc.sample(sc.read(maps / "f.png"), **options), *files, **placing)
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_turns_and_sizes_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path) -> None:
    points = sc.sample(sc.read(maps / "f.png"), min_dist=4, seed=3)
    for by in ["chance", "value"]:
        placing = {"rotate": True, "scale": (0.5, 2), "scale_by": by}
        cli.run("sample", maps / "f.png", "--min-dist", 4, "--seed", 3, *flags_of(placing), "-o", tmp_path / "a.csv")
        turns, sizes = points.placed(**placing)
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
    assert points.run.layers == ("oak", "fern", "moss")
    # The judgements are equal, too, also of points that are too close.
    assert verified(cli, out, "--species", tmp_path / "wood.toml", "--rule", "mean") == sc.verify(
        points, layers=layers, apart=apart
    )
    for count in (40, 300):
        cli.run("sample", "--species", tmp_path / "wood.toml", "--rule", "mean", "--count", count, "-o", out)
        counted = sc.species(layers, apart=apart, rule="mean", count=count)
        assert len(counted) == count and counted.scale_factor != 1
        assert_same(counted, out)
        assert sc.verify(counted, layers=layers, apart=apart)["violations"] == 0
    cli.run("sample", "--species", tmp_path / "wood.toml", "--rule", "mean", "--seed", 4, "-o", out)
    (tmp_path / "wood.toml").write_text((tmp_path / "wood.toml").read_text().replace("= 6", "= 8.5"))
    report = sc.verify(points, layers=layers, apart={("oak", "fern"): 8.5})
    assert verified(cli, out, "--species", tmp_path / "wood.toml", "--rule", "mean") == report
    assert report["violations"] == report["between"][0]["violations"] > 0
    assert report["between"][0]["distance"] == 8.5


@pytest.mark.parametrize("tile", [False, True])
def test_counts_clear_of_points_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path, tile: bool) -> None:
    """A count scales the distances between points, not those from the points to avoid."""
    (tmp_path / "there.csv").write_text("x,y\n20,20\n50,30\n")
    cli.run("sample", maps / "f.png", "--min-dist", 3, "--count", 300, "--avoid", tmp_path / "there.csv",
            "--avoid-dist", 7, *(["--tile"] if tile else []), "-o", tmp_path / "a.csv")
    options: dict[str, Any] = {"min_dist": 3, "avoid": [[20, 20], [50, 30]], "avoid_dist": 7}
    points = sc.sample(sc.read(maps / "f.png"), count=300, tile=tile, **options)
    assert_same(points, tmp_path / "a.csv")
    assert len(points) == 300 and points.scale_factor != 1
    assert 7 <= np.hypot(*(points.xy - [20, 20]).T).min() < 10
    assert sc.verify(points, sc.read(maps / "f.png"), **options)["violations"] == 0


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
    assert_told(["avoid: none of its points lies near the world"], sc.verify, even, 4, avoid=[[900, 900]], avoid_dist=3)


@pytest.mark.parametrize("options", [
    {"min_dist": 9, "max_dist": 3},
    {"max_dist": 3},
    {"min_dist": 1e-9, "max_dist": 1},
    {"min_dist": 1e-4},
    {"rule": "parent"},
    {"gamma": 1000},
    {"limit": 1e9},
    {"density": (0, 2)},
    {"tile": True, "max_dist": 400},
    {"count": 900000000},
    {"count": 5, "tile": True},
    {"max_points": 10, "count": 20},
    {"size": (1e-320, 1e-320)},
    {"size": (1, 1), "origin": (1e17, 0)},
], ids=repr)
def test_errors_are_the_command_line_s(cli: Any, maps: Path, tmp_path: Path, options: dict[str, Any]) -> None:
    ran = cli.call("sample", maps / "f.png", *flags_of(options), "-o", tmp_path / "a.csv", "-q")
    theirs = ran.stderr.strip().removeprefix("error: ")
    for name in ("min_dist", "max_dist", "max_points"):
        theirs = theirs.replace(name.replace("_", "-"), name)
    theirs = theirs.replace("with --algorithm bridson", "with algorithm=bridson").replace("--", "")
    theirs = theirs.replace("0..2", "(0, 2)").replace("0.001..0.05", "(0.001, 0.05)")
    with pytest.raises(ValueError, match=f"^{re.escape(theirs)}$"):
        sc.sample(sc.read(maps / "f.png"), **options)
