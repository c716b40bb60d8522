"""Points whose spacing follows an image: an operator, a panel, and a geometry-nodes group.

Modules, from the ground up: ``maps``, ``nodes``; ``scatter``; ``rerun``; ``settings``; ``panel``.
"""

from . import panel, rerun, settings


def register() -> None:
    """Register the add-on with Blender."""
    settings.register()
    panel.register()
    rerun.register()


def unregister() -> None:
    """Unregister the add-on."""
    rerun.unregister()
    panel.unregister()
    settings.unregister()
