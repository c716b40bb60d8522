"""Scattering again when the image or a setting has changed.

Blender tells of changes after it has evaluated the scene. That only notes which objects are due. A timer
scatters them, 0.3 seconds after the last change, so that a stroke is not held up. What is due and has
the same pixels and settings as before is left alone: whatever scattering sets off, it ends there.
"""

import bpy

from . import scatter

#: Seconds from the last change.
PAUSE = 0.3

#: Objects to scatter again, by name.
_due = set()

#: Whether they are being scattered.
_is_running = False


def ask(thing):
    """Note that an object is due, if it follows changes."""
    if follows(thing):
        _due.add(thing.name_full)
        _arm()


def follows(thing):
    """Return True if an object is to be scattered again by itself."""
    settings = thing.spinney
    return settings.made and settings.live and thing.type == "MESH" and thing.library is None


def flush():
    """Scatter all objects that are due. An error is shown in the object's panel."""
    global _is_running
    _is_running = True
    try:
        while _due:
            thing = bpy.data.objects.get(_due.pop())
            if thing is None or not follows(thing):
                continue
            try:
                scatter.run_if_changed(thing)
            except (ValueError, OSError) as error:
                thing.spinney.told = str(error)
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


def has_timers():
    """Return True if timers run: they do not without a window."""
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
    """Listen to changes."""
    bpy.app.handlers.depsgraph_update_post.append(_on_update)


def unregister():
    """Listen no more."""
    bpy.app.handlers.depsgraph_update_post.remove(_on_update)
    if bpy.app.timers.is_registered(_on_time):
        bpy.app.timers.unregister(_on_time)
    _due.clear()
