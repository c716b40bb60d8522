"""Computes the points of an object's mesh from its settings."""

import hashlib
import warnings

import bpy
import numpy as np
import spinney_scatter as sc

from . import maps, nodes


def is_scattered(thing):
    """Return True if an object has points of ours that may be replaced: neither it nor its mesh is a library's."""
    return thing.type == "MESH" and thing.spinney.made and not any(
        data.library or data.override_library for data in (thing, thing.data)
    )


def options(settings, shape):
    """Return the options of ``spinney_scatter.sample`` for a map of these rows and columns.

    The map is centred on the object's origin, its top row at the highest y. It has the width of the settings.
    """
    rows, columns = shape
    width = _decimal(settings.width)
    height = width * rows / columns
    return {
        "min_dist": _decimal(settings.min_dist),
        "max_dist": _decimal(settings.max_dist),
        "white": settings.white,
        "rule": settings.rule,
        "seed": int(settings.seed),
        "max_points": int(settings.max_points),
        "size": (width, height),
        "origin": (-width / 2, -height / 2),
        "y_up": True,
    }


def run(thing, *, progress=None, only_changes=False):
    """Replace the points of an object's mesh.

    With ``only_changes``, do so only if the map or a setting has changed since they were made, and never if their
    number has changed since, or the mesh is that of another object with other points. For the panel the mesh keeps warnings, and the settings errors. Raises ValueError or
    OSError, in the command line's words, and leaves the mesh unchanged.
    """
    if thing.mode == "EDIT":
        # Not kept: it ends without another run.
        raise ValueError(f"{thing.name}: its mesh is being edited: leave Edit Mode")
    settings = thing.spinney
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            asked, digest = _asked(thing)
            is_new = not (only_changes and digest == thing.data.spinney.digest)
            if is_new:
                there, made = len(thing.data.vertices), thing.data.spinney.count
                if only_changes and there != made:
                    raise ValueError(
                        f"{thing.name}: its mesh has {there} points, and {made} were scattered:"
                        " press Scatter Again to replace them, or switch off Follow Changes"
                    )
                other = _other_user(thing, digest) if only_changes else None
                if other is not None:
                    raise ValueError(
                        f"{thing.name}: its mesh is that of {other.name} too, which has other settings: press Scatter Again"
                        " for a mesh of its own"
                    )
                if asked is None:
                    asked = maps.of_file(settings.filepath)
                _filled(thing, asked, digest, progress, only_changes)
    except (ValueError, OSError) as error:
        settings.error = str(error)
        raise
    settings.error = ""
    if is_new:
        thing.data.spinney.warned = "\n".join(str(warning.message) for warning in caught)


def _asked(thing):
    """Return the image's map, None for a file, and a digest of everything that determines the points.

    A file counts by its path: it is read when it is needed, and not each time that something is undone.
    """
    settings = thing.spinney
    is_file = settings.source == "FILE"
    asked = None if is_file else maps.of_image(settings.image)
    shape = (1, 1) if is_file else asked.shape
    more = {"layer": settings.layer, "file": is_file and settings.filepath}
    about = options(settings, shape) | _placing(settings) | more
    digest = hashlib.blake2b(repr((shape, sorted(about.items()))).encode())
    if not is_file:
        digest.update(np.ascontiguousarray(np.ma.getdata(asked)))
        digest.update(np.ascontiguousarray(np.ma.getmaskarray(asked)))
    return asked, digest.hexdigest()


def _other_user(thing, digest):
    """Return another object with the same mesh, whose settings give other points; None if there is none."""
    users = (other for other in bpy.data.objects if other != thing and other.data == thing.data and is_scattered(other))
    return next((other for other in users if _asked(other)[1] != digest), None)


def separate(thing):
    """Give an object a mesh of its own: linked duplicates share one, but not the settings.

    Only for operators and changes of settings, after which Blender takes an undo step. Undo frees a mesh that no step
    holds, even if an object uses it, and Blender crashes.
    """
    if thing.data.users - thing.data.use_fake_user > 1:
        thing.data = thing.data.copy()


def _filled(thing, asked, digest, progress, only_changes):
    settings = thing.spinney
    points = sc.sample(asked, progress=progress, **options(settings, asked.shape))
    if not points.complete:
        warnings.warn(f"stopped at {len(points)} points: raise Points at Most for all of them", stacklevel=1)
    turns, sizes = points.placed(**_placing(settings))
    if not only_changes:
        separate(thing)
    _fill(thing.data, points, turns, sizes, settings.layer)
    modifier = nodes.modifier_of(thing)
    if modifier is None and not settings.made:
        # Later a modifier of ours that is not there was removed or replaced on purpose.
        modifier = nodes.add_modifier(thing)
    if modifier is not None:
        nodes.set_input(modifier, "Map", settings.image if settings.source == "IMAGE" else None)
    thing.data.spinney.digest, thing.data.spinney.count = digest, len(points)


def _decimal(number):
    """Return the shortest decimal that rounds to a number in single precision, as Blender keeps and shows it."""
    return float(str(np.float32(number)))


def _placing(settings):
    return {
        "rotate": bool(settings.rotate),
        "scale": (_decimal(settings.scale_min), _decimal(settings.scale_max)),
    }


def _fill(mesh, points, turns, sizes, layer):
    """Replace the contents of a mesh by these points. Blender rounds to single precision."""
    mesh.clear_geometry()
    count = len(points)
    mesh.vertices.add(count)
    places = np.zeros((count, 3), np.float32)
    places[:, :2] = points.xy
    mesh.vertices.foreach_set("co", places.ravel())
    angles = np.zeros((count, 3), np.float32)
    angles[:, 2] = np.radians(turns)
    # Blender's integers have 32 bits, and a point's id has 64.
    low, high = (points.id & 0xFFFF_FFFF), (points.id >> 32)
    for name, kind, key, values in (
        ("id", "INT", "value", low.astype(np.uint32).view(np.int32)),
        ("id_high", "INT", "value", high.astype(np.uint32).view(np.int32)),
        ("min_dist", "FLOAT", "value", points.min_dist.astype(np.float32)),
        ("value", "FLOAT", "value", points.value.astype(np.float32)),
        ("rotation", "FLOAT_VECTOR", "vector", angles.ravel()),
        ("scale", "FLOAT", "value", sizes.astype(np.float32)),
        ("layer", "INT", "value", np.full(count, layer, np.int32)),
    ):
        attribute = mesh.attributes.new(name, kind, "POINT")
        attribute.data.foreach_set(key, values)
    mesh.update()
