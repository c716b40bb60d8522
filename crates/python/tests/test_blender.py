"""Tests of the Blender extension, installed by a Blender without a window. Run by ``blender/check.sh``."""

from __future__ import annotations

import importlib.util
import os
import re
import struct
import types
import zlib
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

EXTENSION = os.environ.get("SPINNEY_BLENDER")

if importlib.util.find_spec("bpy") is None:
    pytest.skip("bpy, Blender as a module, is not installed (968 MB): see blender/check.sh",
                allow_module_level=True)
if EXTENSION is None:
    pytest.skip("SPINNEY_BLENDER names no extension: see blender/check.sh", allow_module_level=True)

@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Blender with the extension installed."""
    resources = tmp_path_factory.mktemp("blender")
    os.environ["BLENDER_USER_RESOURCES"] = str(resources)
    import bpy

    done = bpy.ops.extensions.package_install_files(
        filepath=EXTENSION, repo="user_default", enable_on_install=True
    )
    assert done == {"FINISHED"}
    import spinney_scatter

    # The wheel in the extension must be used, and no other.
    assert Path(spinney_scatter.__file__).is_relative_to(resources)
    return bpy


@pytest.fixture
def bpy(installed: Any) -> Any:
    """Blender with an empty scene."""
    installed.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    return installed


def module(name: str) -> Any:
    """Return a module of the extension."""
    return importlib.import_module(f"bl_ext.user_default.spinney.{name}")


class Timer:
    """The timer that scatters again in a Blender with a window. It does not run in this process."""

    def __init__(self, bpy: Any) -> None:
        self.timers, self.call = bpy.app.timers, module("rerun")._on_time

    def run(self) -> None:
        """Run the timer, which must be set."""
        assert self.timers.is_registered(self.call) and self.call() is None
        self.timers.unregister(self.call)


@pytest.fixture
def timer(bpy: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Timer]:
    """The timer of a Blender with a window."""
    monkeypatch.setattr(module("rerun"), "has_timers", lambda: True)
    timer = Timer(bpy)
    yield timer
    if timer.timers.is_registered(timer.call):
        timer.timers.unregister(timer.call)


def painted(bpy: Any, rows: Any, name: str = "map", **more: Any) -> Any:
    """Return an image of these greys (or colours with alpha), the first row on top."""
    image = bpy.data.images.new(name, rows.shape[1], rows.shape[0], alpha=True, **more)
    paint(image, rows)
    return image


def paint(image: Any, rows: Any) -> None:
    """Set an image's pixels, and notify Blender as its brushes do."""
    pixels = np.ones((*rows.shape[:2], 4), np.float32)
    if rows.ndim == 2:
        pixels[..., :3] = rows[..., None]
    else:
        pixels[:] = rows
    image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1]).ravel())
    image.update()
    image.update_tag()


def column(mesh: Any, name: str) -> Any:
    """Return an attribute of all points."""
    attribute = mesh.attributes[name]
    wide = {"FLOAT_VECTOR": ("vector", 3, np.float32), "FLOAT": ("value", 1, np.float32),
            "INT": ("value", 1, np.int32)}
    key, size, kind = wide[attribute.data_type]
    values = np.empty(len(attribute.data) * size, kind)
    attribute.data.foreach_get(key, values)
    return values if size == 1 else values.reshape(-1, size)


def options(bpy: Any, thing: Any) -> Any:
    """Return the options of ``sample`` for an object's settings, independently of the extension."""
    s = thing.spinney
    width, height = s.image.size if s.source == "IMAGE" else (120, 160)
    # Blender keeps 0.2 in single precision.
    least, most, wide = (float(f"{number:.6g}") for number in (s.min_dist, s.max_dist, s.width))
    size = (wide, wide * height / width)
    return {"min_dist": least, "max_dist": most, "white": s.white, "rule": s.rule,
            "seed": s.seed, "size": size, "origin": (-size[0] / 2, -size[1] / 2), "y_up": True}


def assert_are(thing: Any, points: Any, **placing: Any) -> None:
    """Assert that a mesh has exactly these points, equal to the last bit."""
    mesh = thing.data
    assert len(mesh.vertices) == len(points) > 50
    place = column(mesh, "position")
    assert (place[:, :2] == points.xy.astype(np.float32)).all() and (place[:, 2] == 0).all()
    whole = column(mesh, "id_high").view(np.uint32).astype(np.uint64) << np.uint64(32)
    assert (whole | column(mesh, "id").view(np.uint32).astype(np.uint64) == points.id).all()
    assert (points.id > 2**53).any(), "or 32 bits were enough"
    assert (column(mesh, "min_dist") == points.min_dist.astype(np.float32)).all()
    assert (column(mesh, "value") == points.value.astype(np.float32)).all()
    turns, sizes = points.placed(**placing)
    assert (column(mesh, "rotation")[:, 2] == np.radians(turns).astype(np.float32)).all()
    assert (column(mesh, "rotation")[:, :2] == 0).all()
    assert (column(mesh, "scale") == sizes.astype(np.float32)).all()
    assert (column(mesh, "layer") == thing.spinney.layer).all()


def ramp(wide: int = 48, high: int = 32) -> Any:
    """Return a ramp from black at the left to white, in steps of 8 bits."""
    steps = np.round(np.linspace(0, 255, wide)) / 255
    return np.tile(steps.astype(np.float32), (high, 1))


def added(bpy: Any, **more: Any) -> Any:
    """Press the button, and return the object."""
    assert bpy.ops.spinney.add(**more) == {"FINISHED"}
    return bpy.context.active_object


def scattered(bpy: Any) -> Any:
    """Return an object with the points of a ramp, the image "map"."""
    painted(bpy, ramp())
    return added(bpy, image="map")


def test_points_are_those_of_the_package(bpy: Any) -> None:
    import spinney_scatter as sc

    image = painted(bpy, ramp())
    thing = added(bpy, image="map")
    greys = np.round(ramp() * 255).astype(np.uint8)
    assert_are(thing, sc.sample(greys, **options(bpy, thing)), rotate=True, scale=(1, 1))
    s = thing.spinney
    s.live = False
    s.white, s.rule, s.seed, s.width, s.min_dist, s.max_dist = "dense", "mean", 77, 7.5, 0.11, 0.7
    s.rotate, s.scale_min, s.scale_max, s.layer = False, 0.5, 2, 3
    assert bpy.ops.spinney.scatter() == {"FINISHED"}
    points = sc.sample(greys, **options(bpy, thing))
    assert_are(thing, points, scale=(0.5, 2))
    # The spacing also holds after Blender's rounding.
    place = column(thing.data, "position")[:, :2].astype(np.float64)
    distance = np.hypot(*(place[:, None] - place[None]).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    radius = column(thing.data, "min_dist").astype(np.float64)
    assert (distance >= (radius[:, None] + radius[None]) / 2 * (1 - 1e-5)).all()
    assert image.users


def test_every_rule_of_scatter_can_be_chosen(bpy: Any) -> None:
    from spinney_scatter import _native

    assert tuple(name for name, *_ in module("settings").RULES) == _native.SCATTER_RULES


def test_points_are_those_of_the_command_line(bpy: Any, cli: Any, maps: Path, tmp_path: Path) -> None:
    bpy.data.images.load(str(maps / "f.png"))
    thing = added(bpy, image="f.png")
    s = thing.spinney
    s.live = False
    s.min_dist, s.max_dist, s.width, s.scale_min, s.scale_max = 0.1, 0.8, 9.9, 0.7, 1.3
    assert bpy.ops.spinney.scatter() == {"FINISHED"}
    out = tmp_path / "points.npy"
    cli.run("sample", maps / "f.png", "--min-dist", 0.1, "--max-dist", 0.8, "--size", "9.9x13.2",
            "--origin=-4.95,-6.6", "--y-up", "--rotate", "--scale", "0.7..1.3", "-o", out)
    points = np.load(out)
    mesh = thing.data
    place = column(mesh, "position")
    assert len(points) == len(place) > 1000
    assert (place[:, 0] == points["x"].astype(np.float32)).all()
    assert (place[:, 1] == points["y"].astype(np.float32)).all()
    whole = column(mesh, "id_high").view(np.uint32).astype(np.uint64) << np.uint64(32)
    assert (whole | column(mesh, "id").view(np.uint32) == points["id"]).all()
    assert (column(mesh, "rotation")[:, 2] == np.radians(points["rotation"]).astype(np.float32)).all()
    assert (column(mesh, "scale") == points["scale"].astype(np.float32)).all()


def test_an_instance_stands_on_each_point(bpy: Any) -> None:
    thing = scattered(bpy)
    count = len(thing.data.vertices)

    def instances(kind: str) -> list[Any]:
        graph = bpy.context.evaluated_depsgraph_get()
        graph.update()
        return [np.array(i.matrix_world) for i in graph.object_instances
                if i.is_instance and i.parent.original == thing and i.object.type == kind]

    assert instances("MESH") == [] and len(instances("POINTCLOUD")) == 1, "discs: no collection"
    trees = bpy.data.collections.new("trees")
    for name in ("oak", "ash"):
        bpy.ops.mesh.primitive_cube_add()
        cube = bpy.context.active_object
        cube.name = name
        bpy.context.collection.objects.unlink(cube)
        trees.objects.link(cube)
    nodes = module("nodes")
    nodes.set_input(thing.modifiers[0], "Collection", trees)
    assert nodes.input_of(thing.modifiers[0], "Map")[0].path_resolve(
        nodes.input_of(thing.modifiers[0], "Map")[1]) == thing.spinney.image
    bpy.context.view_layer.objects.active = thing
    thing.spinney.scale_min, thing.spinney.scale_max = 0.5, 2
    bpy.context.view_layer.update()
    placed = instances("MESH")
    assert instances("POINTCLOUD") == []
    assert len(placed) == len(thing.data.vertices) == count
    # Instances follow the attributes.
    at = np.array([m[:3, 3] for m in placed], np.float32)
    size = np.array([np.linalg.norm(m[:3, 2]) for m in placed])
    angle = np.array([np.arctan2(m[1, 0], m[0, 0]) for m in placed])
    mesh = thing.data
    ours, theirs = np.lexsort(at.T), np.lexsort(column(mesh, "position").T)
    assert np.allclose(at[ours], column(mesh, "position")[theirs], atol=1e-5)
    assert np.allclose(size[ours], column(mesh, "scale")[theirs], rtol=1e-5)
    off = (angle[ours] - column(mesh, "rotation")[theirs, 2]) % (2 * np.pi)
    assert np.minimum(off, 2 * np.pi - off).max() < 1e-4


def test_points_follow_the_image_and_never_loop(bpy: Any) -> None:
    import spinney_scatter as sc

    scatter = module("scatter")
    runs: list[str] = []
    fill = scatter._fill

    def counted(mesh: Any, *more: Any) -> None:
        runs.append(mesh.name)
        fill(mesh, *more)

    scatter._fill = counted
    try:
        image = painted(bpy, ramp())
        thing = added(bpy, image="map")
        other = added(bpy, image="map")
        other.spinney.live = False
        update = bpy.context.view_layer.update
        update()
        assert len(runs) == 2, "pressing the button scattered them"
        before = column(thing.data, "position")
        paint(image, ramp()[:, ::-1])
        for _ in range(5):
            update()
        assert len(runs) == 3, "once, and not the one that does not follow"
        after = column(thing.data, "position")
        assert not np.array_equal(before, after)
        greys = np.round(ramp()[:, ::-1] * 255).astype(np.uint8)
        assert_are(thing, sc.sample(greys, **options(bpy, thing)), rotate=True, scale=(1, 1))
        # An update without a change, and a change of an unrelated image.
        image.update_tag()
        update()
        thing.location.x += 1
        bpy.data.images.new("another", 4, 4).update_tag()
        update()
        assert len(runs) == 3
        # Changes of settings count, too; several of them cause one run.
        thing.spinney.seed, thing.spinney.max_dist = 5, 0.9
        update()
        update()
        assert len(runs) == 4
        # An error is reported once, and the points stay.
        thing.spinney.max_dist = 0.05
        update()
        assert "max_dist" in thing.spinney.error and len(runs) == 4
        thing.spinney.max_dist = 0.9
        update()
        assert thing.spinney.error == "" and len(runs) == 4
        # A removed image.
        bpy.data.images.remove(image)
        update()
        assert bpy.ops.spinney.scatter.poll()
    finally:
        scatter._fill = fill


def test_a_window_s_changes_wait_for_a_pause(bpy: Any, timer: Timer) -> None:
    thing = scattered(bpy)
    before = len(thing.data.vertices)
    paint(bpy.data.images["map"], np.zeros((32, 48), np.float32))
    bpy.context.view_layer.update()
    assert len(thing.data.vertices) == before
    timer.run()
    assert len(thing.data.vertices) > 2 * before


def drawn(bpy: Any) -> str:
    """Draw the panel on a layout that looks up each name, and return what it shows."""
    panel = module("panel")
    shown: list[str] = []

    class Layout:
        def operator(self, name: str, **_: Any) -> None:
            kind, _dot, which = name.partition(".")
            shown.append(getattr(getattr(bpy.ops, kind), which).get_rna_type().name)

        def prop(self, data: Any, name: str, **_: Any) -> None:
            shown.append(data.bl_rna.properties[name].name)

        def template_ID(self, data: Any, name: str, new: str, open: str) -> None:
            self.prop(data, name)
            self.operator(new)
            self.operator(open)

        def prop_search(self, data: Any, name: str, *_: Any, text: str) -> None:
            data.path_resolve(name)
            shown.append(text)

        def label(self, text: str, **_: Any) -> None:
            shown.append(text)

        def column(self, **_: Any) -> "Layout":
            return self

    panel.SPINNEY_PT_image.draw(types.SimpleNamespace(layout=Layout()), bpy.context)
    return ", ".join(shown)


def test_the_panel_shows_what_there_is(bpy: Any) -> None:
    assert drawn(bpy) == "Scatter Points by Map"
    thing = scattered(bpy)
    assert "Image" in drawn(bpy) and f"{len(thing.data.vertices)} points" in drawn(bpy)
    assert "Instances" in drawn(bpy)
    thing.spinney.source, thing.spinney.error = "FILE", "file: none is chosen"
    thing.data.spinney.warned = "stopped at 50 points\nthe map is black"
    assert "File" in drawn(bpy)
    assert "file: none is chosen, stopped at 50 points, the map is black" in drawn(bpy)


def test_greys_are_those_of_the_file(bpy: Any, maps: Path, tmp_path: Path) -> None:
    """Greys of 8 and 16 bits, colours, and alpha equal those of the command line."""
    import spinney_scatter as sc

    ours = module("maps")
    clear = tmp_path / "alpha.png"
    write_png(clear)
    for path in [*(maps / name for name in ("f.png", "boots.jpg", "meadow.png", "clusters.png")), clear]:
        theirs = sc.read(path)
        if theirs.dtype == np.uint8:
            theirs = theirs.astype(np.uint16) * 257
        image = bpy.data.images.load(str(path))
        for space in ("sRGB", "Non-Color"):
            image.colorspace_settings.name = space
            greys = ours.of_image(image)
            assert (np.ma.getmaskarray(greys) == np.ma.getmaskarray(theirs)).all(), path.name
            off = np.ma.getdata(greys).astype(np.int64) - np.ma.getdata(theirs).astype(np.int64)
            # Decoders of JPEG differ by a step or two of 8 bits. Blender's curve of sRGB is not exact.
            most = 3 * 257 if path.suffix == ".jpg" else int(image.is_float and space == "sRGB")
            assert np.abs(off[~np.ma.getmaskarray(greys)]).max() <= most, (path.name, space)


def write_png(path: Path) -> None:
    """Write 16-bit greys with alpha from 0 up."""
    rows = np.empty((16, 16, 2), ">u2")
    rows[..., 0] = np.arange(256).reshape(16, 16) * 250 + 1000
    rows[..., 1] = (np.arange(16) * 4369)[:, None]
    raw = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 16, 16, 16, 4, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw))
                     + chunk(b"IEND", b""))


def test_files_are_read_as_the_command_line_does(bpy: Any, maps: Path) -> None:
    import spinney_scatter as sc

    thing = added(bpy, filepath=str(maps / "f.png"))
    assert_are(thing, sc.sample(sc.read(maps / "f.png"), **options(bpy, thing)), rotate=True, scale=(1, 1))


def test_errors_are_reported_in_our_words(bpy: Any, tmp_path: Path) -> None:
    painted(bpy, ramp())
    painted(bpy, np.zeros((4, 4, 4), np.float32), "clear")
    painted(bpy, ramp(), "wide", float_buffer=True).colorspace_settings.name = "AgX Log"
    (tmp_path / "bad.png").write_bytes(b"no picture")

    def refused(call: Any, said: str, **more: Any) -> None:
        things = len(bpy.data.objects)
        with pytest.raises(RuntimeError, match=f"^Error: {re.escape(said)}"):
            call(**more)
        assert len(bpy.data.objects) == things, "no object is left behind"

    bad, nowhere = str(tmp_path / "bad.png"), str(tmp_path / "nowhere.png")
    for said, more in [
        ("image: none is active", {}),
        ("image sun: there is none of that name", {"image": "sun"}),
        ("image clear: alpha is 0 everywhere", {"image": "clear"}),
        ("image wide: its colour space is AgX Log, so its greys are not those of its file: choose Non-Color", {"image": "wide"}),
        (f"{bad}: ", {"filepath": bad}),
        (f"[Errno 2] No such file or directory: '{nowhere}'", {"filepath": nowhere}),
    ]:
        refused(bpy.ops.spinney.add, said, **more)
    thing = added(bpy, image="map")
    thing.spinney.max_dist = 0.01
    before = column(thing.data, "position")
    refused(bpy.ops.spinney.scatter, "max_dist 0.01: must not be less than min_dist")
    assert (column(thing.data, "position") == before).all()
    bpy.ops.object.mode_set(mode="EDIT")
    thing.spinney.error = ""
    refused(bpy.ops.spinney.scatter, "Spinney Points: its mesh is being edited: leave Edit Mode")
    assert not thing.spinney.error, "it would stay after Edit Mode"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_nothing_is_left_behind_by_a_mistake_of_ours(bpy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scatter = module("scatter")

    def mistaken(*_: Any, **__: Any) -> None:
        raise TypeError("a mistake")

    monkeypatch.setattr(scatter, "_fill", mistaken)
    painted(bpy, ramp())
    with pytest.raises(RuntimeError, match="a mistake"):
        bpy.ops.spinney.add(image="map")
    assert not bpy.data.objects and not bpy.data.meshes


def test_a_group_without_its_inputs_is_used(bpy: Any) -> None:
    image = painted(bpy, ramp())
    thing = added(bpy, image="map")
    interface = thing.modifiers[0].node_group.interface
    for item in list(interface.items_tree):
        if item.name in ("Map", "Collection"):
            interface.remove(item)
    before = len(thing.data.vertices)
    assert "Instances" not in drawn(bpy)
    paint(image, np.zeros((32, 48), np.float32))
    bpy.context.view_layer.update()
    assert len(thing.data.vertices) > 2 * before


def edit(bpy: Any, thing: Any) -> int:
    """Change a setting in Edit Mode, in which nothing is scattered, and return the number of points."""
    before = len(thing.data.vertices)
    bpy.ops.object.mode_set(mode="EDIT")
    thing.spinney.max_dist -= 0.3
    bpy.context.view_layer.update()
    assert "when you leave Edit Mode" in drawn(bpy).replace(", ", " ") and not thing.spinney.error
    assert len(thing.data.vertices) == before
    return before


def test_changes_in_edit_mode_are_followed_after_it(bpy: Any) -> None:
    thing = scattered(bpy)
    before = edit(bpy, thing)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert len(thing.data.vertices) > before


def test_a_window_s_changes_in_edit_mode_are_followed_after_it(bpy: Any, timer: Timer) -> None:
    thing = scattered(bpy)
    before = edit(bpy, thing)
    timer.run()
    assert len(thing.data.vertices) == before
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    timer.run()
    assert len(thing.data.vertices) > before


def test_another_file_s_object_of_the_same_name_is_not_due(bpy: Any, timer: Timer, tmp_path: Path) -> None:
    thing = scattered(bpy)
    bpy.data.images["map"].pack()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    before = edit(bpy, thing)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    module("rerun").flush()
    assert not module("rerun")._due and len(bpy.data.objects["Spinney Points"].data.vertices) == before


def test_a_scene_saved_in_edit_mode_is_followed_once_it_is_left(bpy: Any, timer: Timer, tmp_path: Path) -> None:
    thing = scattered(bpy)
    bpy.data.images["map"].pack()
    before = edit(bpy, thing)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "edited.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "edited.blend"))
    thing = bpy.data.objects["Spinney Points"]
    if thing.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")
    module("rerun").flush()
    assert len(thing.data.vertices) > before
    assert_follow(thing)


def assert_follow(thing: Any) -> None:
    """Assert that an object has the points that its image and settings give."""
    scatter = module("scatter")
    before = column(thing.data, "position")
    scatter.run(thing)
    assert np.array_equal(before, column(thing.data, "position")) and not thing.spinney.error


@pytest.mark.parametrize("is_hidden", [False, True])
def test_points_follow_undo_and_redo(bpy: Any, timer: Timer, is_hidden: bool) -> None:
    """Blender's steps are taken before the timer scatters."""
    scattered(bpy).hide_viewport = is_hidden
    bpy.ops.object.empty_add()
    bpy.context.active_object.name = "empty"

    def thing() -> Any:
        # Undo invalidates references.
        return bpy.data.objects["Spinney Points"]

    def stepped() -> None:
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="step")

    def paused() -> None:
        bpy.context.view_layer.update()
        timer.run()
        bpy.context.view_layer.update()

    stepped()
    for name, value in (("min_dist", 0.1), ("white", "dense")):
        setattr(thing().spinney, name, value)
        stepped()
        paused()
        assert_follow(thing())
    assert bpy.ops.ed.undo() == {"FINISHED"} and thing().spinney.white == "sparse"
    paused()
    assert_follow(thing())
    assert bpy.ops.ed.redo() == {"FINISHED"} and thing().spinney.white == "dense"
    paused()
    assert_follow(thing())
    # A step of another object's restores the mesh alone.
    bpy.data.objects["empty"].location.x = 1
    stepped()
    bpy.data.objects["empty"].location.x = 2
    stepped()
    paint(bpy.data.images["map"], ramp()[:, ::-1] / 2)
    module("rerun").ask(thing())
    paused()
    assert bpy.ops.ed.undo() == {"FINISHED"}
    paused()
    assert_follow(thing())


@pytest.mark.parametrize("is_hidden", [False, True])
def test_changes_are_scattered_before_a_scene_is_saved(
    bpy: Any, timer: Timer, tmp_path: Path, is_hidden: bool
) -> None:
    image = painted(bpy, ramp())
    added(bpy, image="map").hide_viewport = is_hidden
    bpy.context.view_layer.update()
    paint(image, np.zeros((32, 48), np.float32))
    image.pack()
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert_follow(bpy.data.objects["Spinney Points"])


def test_a_renamed_object_stays_due(bpy: Any, timer: Timer) -> None:
    thing = scattered(bpy)
    thing.spinney.min_dist = 0.1
    thing.name = "another"
    module("rerun").flush()
    assert_follow(thing)


def test_a_file_is_not_read_again_for_undo(bpy: Any, maps: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    path.write_bytes((maps / "f.png").read_bytes())
    thing = added(bpy, filepath=str(path))
    path.unlink()
    bpy.ops.ed.undo_push(message="step")
    thing.location.x = 1
    bpy.ops.ed.undo_push(message="step")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert not bpy.data.objects["Spinney Points"].spinney.error


def test_points_are_added_in_object_mode_only(bpy: Any) -> None:
    painted(bpy, ramp())
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="only in Object Mode"):
        bpy.ops.spinney.add(image="map")
    assert len(bpy.data.objects) == 1
    bpy.ops.object.mode_set(mode="OBJECT")
    added(bpy, image="map")


def test_warnings_are_kept_and_reported(bpy: Any, capfd: pytest.CaptureFixture[str]) -> None:
    image = painted(bpy, np.zeros((32, 48), np.float32))
    thing = added(bpy, image="map")
    assert "the map is black" in thing.data.spinney.warned
    assert "Warning: the map is black" in capfd.readouterr().out
    thing.spinney.max_points = 60
    bpy.context.view_layer.update()
    assert len(thing.data.vertices) == 60
    assert "stopped at 60 points: raise Points at Most" in thing.data.spinney.warned
    # They stay while the points do.
    image.update_tag()
    bpy.context.view_layer.update()
    assert "stopped at 60 points" in thing.data.spinney.warned
    thing.spinney.max_points = 1_000_000
    paint(image, ramp())
    bpy.context.view_layer.update()
    assert "stopped" not in thing.data.spinney.warned and "black" not in thing.data.spinney.warned


def test_another_working_space_is_warned_of(bpy: Any) -> None:
    if not hasattr(bpy.data, "colorspace"):
        pytest.skip("this Blender has one working space")
    colours = np.full((8, 8, 4), (0.9, 0.3, 0.1, 1), np.float32)
    greys = np.full((8, 8), 0.3, np.float32)

    def is_warned(name: str, rows: Any, is_float: bool) -> bool:
        image = painted(bpy, rows, name, float_buffer=is_float)
        image.colorspace_settings.name = "sRGB"
        paint(image, rows)
        return "its colours" in added(bpy, image=name).data.spinney.warned

    assert not is_warned("usual", colours, is_float=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    assert bpy.ops.wm.set_working_color_space(working_space="ACEScg", convert_colors=False) == {"FINISHED"}
    assert is_warned("colours", colours, is_float=True)
    assert not is_warned("greys", greys, is_float=True)
    assert not is_warned("bytes", colours, is_float=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    assert bpy.data.colorspace.working_space == "Linear Rec.709"


def test_a_modifier_that_is_replaced_or_removed_stays_so(bpy: Any) -> None:
    thing = scattered(bpy)
    own = bpy.data.node_groups.new("own", "GeometryNodeTree")
    thing.modifiers[0].node_group = own
    thing.spinney.seed = 1
    bpy.context.view_layer.update()
    assert [modifier.node_group for modifier in thing.modifiers] == [own]
    thing.modifiers.clear()
    before = column(thing.data, "position")
    thing.spinney.seed = 2
    bpy.context.view_layer.update()
    after = column(thing.data, "position")
    assert not np.array_equal(before, after), "points are followed"
    assert bpy.ops.spinney.scatter() == {"FINISHED"} and not thing.modifiers


def test_linked_duplicates_get_meshes_of_their_own(bpy: Any) -> None:
    thing = scattered(bpy)
    before = column(thing.data, "position")
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    bpy.context.view_layer.update()
    assert twin.data == thing.data
    twin.spinney.max_dist = 0.5
    bpy.context.view_layer.update()
    assert twin.data != thing.data and len(twin.data.vertices) > len(before)
    assert (column(thing.data, "position") == before).all()
    # A mesh that Blender is told to keep has one object all the same.
    mesh = thing.data
    mesh.use_fake_user = True
    thing.spinney.max_dist = 0.5
    bpy.context.view_layer.update()
    assert thing.data == mesh and len(mesh.vertices) == len(twin.data.vertices)


def test_a_mesh_of_two_objects_is_not_replaced_for_one(bpy: Any) -> None:
    thing = scattered(bpy)
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    before = len(thing.data.vertices)
    # In Edit Mode the mesh cannot be separated.
    bpy.ops.object.mode_set(mode="EDIT")
    thing.spinney.max_dist = 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert len(twin.data.vertices) == before and f"that of {twin.name} too" in thing.spinney.error
    assert bpy.ops.spinney.scatter() == {"FINISHED"}
    assert thing.data != twin.data and len(thing.data.vertices) > before == len(twin.data.vertices)
    # Points do not depend on whether they follow.
    twin.data = thing.data
    twin.spinney.live = False
    assert twin.data == thing.data


def test_undo_frees_no_mesh_in_use(bpy: Any, timer: Timer) -> None:
    """No mesh is made after Blender's step: undo would free it, and Blender crash."""
    thing = scattered(bpy)
    twin = thing.copy()
    bpy.context.collection.objects.link(twin)
    bpy.ops.object.empty_add()
    bpy.ops.ed.undo_push(message="step")
    bpy.context.active_object.location.x = 1
    bpy.ops.ed.undo_push(message="step")
    paint(bpy.data.images["map"], ramp()[:, ::-1])
    bpy.context.view_layer.update()
    module("rerun").flush()
    assert thing.data == twin.data
    assert bpy.ops.ed.undo() == {"FINISHED"}
    bpy.context.view_layer.update()
    module("rerun").flush()
    thing, twin = (bpy.data.objects[name] for name in ("Spinney Points", "Spinney Points.001"))
    assert thing.data == twin.data
    assert_follow(thing)
    twin.spinney.seed = 1
    assert thing.data != twin.data, "before the step"


def test_points_of_a_library_are_left_alone(bpy: Any, tmp_path: Path) -> None:
    painted(bpy, ramp()).pack()
    added(bpy, image="map")
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Spinney Points"]
    linked = wanted.objects[0]
    link = bpy.context.collection.objects.link
    link(linked)
    copy = linked.copy()
    link(copy)
    override = linked.override_create()
    link(override)
    local = linked.copy()
    local.data = linked.data.copy()
    link(local)
    assert copy.library is None and copy.data.library and override.override_library
    for thing in (linked, copy, override, local):
        bpy.context.view_layer.objects.active = thing
        assert bpy.ops.spinney.scatter.poll() == (thing == local)
        assert "points" in drawn(bpy)
    copy.spinney.seed = local.spinney.seed = 7
    before = column(copy.data, "position")
    bpy.context.view_layer.update()
    after = column(local.data, "position")
    assert (column(copy.data, "position") == before).all() and not copy.spinney.error
    assert not np.array_equal(before, after)


def test_joined_points_stay_until_they_are_scattered(bpy: Any) -> None:
    image = painted(bpy, ramp())
    first = added(bpy, image="map")
    second = added(bpy, image="map")
    first.spinney.layer = 1
    bpy.context.view_layer.update()
    first.select_set(True)
    assert bpy.ops.object.join() == {"FINISHED"}
    count = len(second.data.vertices)
    assert set(column(second.data, "layer").tolist()) == {0, 1}
    paint(image, ramp()[:, ::-1])
    bpy.context.view_layer.update()
    assert len(second.data.vertices) == count
    assert f"has {count} points, and {count // 2} were scattered" in second.spinney.error
    assert bpy.ops.spinney.scatter() == {"FINISHED"}
    assert len(second.data.vertices) < count and not second.spinney.error


def test_a_point_cloud_is_not_scattered(bpy: Any) -> None:
    if "POINTCLOUD" not in bpy.ops.object.convert.get_rna_type().properties["target"].enum_items:
        pytest.skip("this Blender makes no point clouds of meshes")
    scattered(bpy).modifiers.clear()
    assert bpy.ops.object.convert(target="POINTCLOUD") == {"FINISHED"}
    assert bpy.context.active_object.type == "POINTCLOUD"
    assert not bpy.ops.spinney.scatter.poll() and drawn(bpy) == "Scatter Points by Map"


def test_a_saved_scene_comes_back(bpy: Any, tmp_path: Path) -> None:
    image = painted(bpy, ramp())
    image.pack()
    thing = added(bpy, image="map")
    before = column(thing.data, "position")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    thing = bpy.data.objects["Spinney Points"]
    assert thing.spinney.image.name == "map" and len(bpy.data.node_groups) == 1
    assert (column(thing.data, "position") == before).all()
    paint(thing.spinney.image, ramp()[:, ::-1])
    bpy.context.view_layer.update()
    after = column(thing.data, "position")
    assert not np.array_equal(before, after), "changes are followed again"
