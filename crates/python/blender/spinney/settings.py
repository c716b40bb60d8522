"""Settings of an object with points."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from . import rerun, scatter


def _changed(settings, _context):
    thing = settings.id_data
    if scatter.is_scattered(thing) and thing.mode != "EDIT":
        scatter.separate(thing)
    rerun.ask(thing)


def _followed(settings, _context):
    rerun.ask(settings.id_data)


#: Names and descriptions of the conflict rules.
RULES = (
    ("max", "The larger", "Both keep their distance"),
    ("mean", "The mean", "The density is the map's"),
    ("min", "The smaller", "Only the closer-set point keeps its distance"),
    ("own", "The later's", "Each point keeps its distance from those decided before"),
    ("prior", "The earlier's", "Each point keeps the distance of those decided before"),
)


class Run(bpy.types.PropertyGroup):
    """The run that made a mesh's points. Undo restores objects and meshes separately, so the mesh keeps it."""

    digest: StringProperty(options={"HIDDEN"})
    count: IntProperty(options={"HIDDEN"}, description="Points of the run")
    warned: StringProperty(options={"HIDDEN"}, description="Its warnings, one a line")


class Settings(bpy.types.PropertyGroup):
    """The map of an object's points, and how they follow it."""

    made: BoolProperty(options={"HIDDEN"})
    error: StringProperty(options={"HIDDEN"}, description="Why the last run failed")
    source: EnumProperty(
        name="Map",
        items=(
            ("IMAGE", "Image", "An image in Blender, painted or opened"),
            ("FILE", "File", "A file, read as spinney reads it: also TIFF heights, .asc"),
        ),
        update=_changed,
    )
    image: PointerProperty(name="Image", type=bpy.types.Image, update=_changed)
    filepath: StringProperty(name="File", subtype="FILE_PATH", update=_changed)
    width: FloatProperty(
        name="Width",
        description="Width of the map in the scene; the height follows from the picture",
        default=10, min=1e-6, soft_max=1000, subtype="DISTANCE", update=_changed,
    )
    min_dist: FloatProperty(
        name="Least Distance", description="Minimum distance between points where they are densest",
        default=0.2, min=1e-6, soft_max=100, subtype="DISTANCE", update=_changed,
    )
    max_dist: FloatProperty(
        name="Greatest Distance", description="Minimum distance between points where they are sparsest",
        default=1, min=1e-6, soft_max=100, subtype="DISTANCE", update=_changed,
    )
    white: EnumProperty(
        name="White",
        items=(
            ("sparse", "Sparse", "White is the greatest distance, black the least"),
            ("dense", "Dense", "White is the least distance, black the greatest"),
        ),
        update=_changed,
    )
    rule: EnumProperty(name="Keep Apart", items=RULES, update=_changed)
    seed: IntProperty(name="Seed", min=0, update=_changed)
    max_points: IntProperty(
        name="Points at Most", default=1_000_000, min=1,
        description="Keep at most this many points, spread over the whole map", update=_changed,
    )
    rotate: BoolProperty(
        name="Turn", default=True, description="Rotate each instance by a random angle", update=_changed,
    )
    scale_min: FloatProperty(name="Smallest", default=1, min=1e-3, soft_max=10, update=_changed)
    scale_max: FloatProperty(name="Largest", default=1, min=1e-3, soft_max=10, update=_changed)
    layer: IntProperty(
        name="Layer", min=0, description="Number written to each point, to tell joined objects apart",
        update=_changed,
    )
    live: BoolProperty(
        name="Follow Changes", default=True,
        description="Scatter again when the image or a setting has changed", update=_followed,
    )


def register():
    """Add settings to objects, and runs to meshes."""
    bpy.utils.register_class(Run)
    bpy.utils.register_class(Settings)
    bpy.types.Mesh.spinney = PointerProperty(type=Run)
    bpy.types.Object.spinney = PointerProperty(type=Settings)


def unregister():
    """Remove the settings and runs."""
    del bpy.types.Object.spinney, bpy.types.Mesh.spinney
    bpy.utils.unregister_class(Settings)
    bpy.utils.unregister_class(Run)
