"""Scatters again when the image or a setting has changed.

Blender reports changes after it has evaluated the scene. The handler only marks objects as due. A timer
scatters them 0.3 seconds after the last change, so that painting is not held up. Saving does so at once. An
object with unchanged pixels and settings is skipped, so that scattering does not trigger itself.

Undo, redo and opening a file restore objects and meshes as they were before the timer, so they make all objects due.
"""

import contextlib

import bpy

from . import scatter

#: Delay after the last change, seconds.
PAUSE = 0.3

#: Session ids of the objects to scatter again: names change, and undo invalidates references.
_due = set()

#: Whether these objects are being scattered.
_is_running = False


def ask(thing):
    """Mark an object as due, if it follows changes."""
    if follows(thing):
        _due.add(thing.session_uid)
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
        due = {thing.session_uid: thing for thing in bpy.data.objects if thing.session_uid in _due and follows(thing)}
        _due.intersection_update(due)
        for key, thing in due.items():
            if thing.mode != "EDIT":
                _due.discard(key)
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
def _on_restored(_scene):
    for thing in bpy.data.objects:
        ask(thing)


@bpy.app.handlers.persistent
def _on_save(_path):
    # Blender tells of no change of an image that is used by hidden objects alone.
    for thing in bpy.data.objects:
        if not thing.visible_get():
            ask(thing)
    if not bpy.app.is_job_running("RENDER"):
        flush()


_HANDLERS = (
    ("depsgraph_update_post", _on_update),
    ("undo_post", _on_restored),
    ("redo_post", _on_restored),
    ("load_post", _on_restored),
    ("save_pre", _on_save),
)


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
    """Add the handlers for changes, undo and saving."""
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    """Remove the handlers."""
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
    if bpy.app.timers.is_registered(_on_time):
        bpy.app.timers.unregister(_on_time)
    _due.clear()
