"""Scatters again when the image or a setting has changed.

Blender reports changes after it has evaluated the scene. The handler only marks objects as due. A timer
scatters them 0.3 seconds after the last change, so that painting is not held up. An object with
unchanged pixels and settings is skipped, so that scattering does not trigger itself.
"""

import contextlib

import bpy

from . import scatter

#: Delay after the last change, seconds.
PAUSE = 0.3

#: Names of the objects to scatter again.
_due = set()

#: Whether these objects are being scattered.
_is_running = False


def ask(thing):
    """Mark an object as due, if it follows changes."""
    if follows(thing):
        _due.add(thing.name_full)
        _arm()


def follows(thing):
    """Return True if an object is scattered again automatically."""
    return thing.spinney.live and scatter.is_scattered(thing)


def flush():
    """Scatter all objects that are due. An object's panel shows its warnings and its error.

    Objects in Edit Mode stay due: to leave it is a change of the scene, after which this function is called again.
    """
    global _is_running
    _is_running = True
    try:
        for name in sorted(_due):
            _due.discard(name)
            thing = bpy.data.objects.get(name)
            if thing is None or not follows(thing):
                continue
            if thing.mode == "EDIT":
                _due.add(name)
                continue
            with contextlib.suppress(ValueError, OSError):
                scatter.run(thing, only_changes=True)
    finally:
        _is_running = False


@bpy.app.handlers.persistent
def _on_update(_scene, depsgraph):
    if _is_running:
        return
    changed = {
        update.id.original for update in depsgraph.updates if isinstance(update.id, bpy.types.Image)
    }
    if changed:
        for thing in bpy.data.objects:
            settings = thing.spinney
            if settings.source == "IMAGE" and settings.image in changed:
                ask(thing)
    if not has_timers():
        flush()
    elif _due and not bpy.app.timers.is_registered(_on_time):
        _arm()


@bpy.app.handlers.persistent
def _on_load(_path):
    # Another file's objects may have the same names.
    _due.clear()


def has_timers():
    """Return True if timers run, which they do not without a window."""
    return not bpy.app.background


def _arm():
    if not has_timers():
        return
    if bpy.app.timers.is_registered(_on_time):
        bpy.app.timers.unregister(_on_time)
    bpy.app.timers.register(_on_time, first_interval=PAUSE)


def _on_time():
    if bpy.app.is_job_running("RENDER"):
        return PAUSE
    flush()
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("VIEW_3D", "IMAGE_EDITOR"):
                area.tag_redraw()
    return None


def register():
    """Add the handlers for changes and files."""
    bpy.app.handlers.depsgraph_update_post.append(_on_update)
    bpy.app.handlers.load_pre.append(_on_load)


def unregister():
    """Remove the handlers."""
    bpy.app.handlers.depsgraph_update_post.remove(_on_update)
    bpy.app.handlers.load_pre.remove(_on_load)
    if bpy.app.timers.is_registered(_on_time):
        bpy.app.timers.unregister(_on_time)
    _due.clear()
