"""Points whose spacing follows an image: an operator, a panel, and a geometry-nodes group.

Modules, from the ground up: ``maps``, ``nodes``; ``scatter``; ``rerun``; ``settings``; ``panel``.
"""

from . import panel, rerun, settings


def register() -> None:
    """Make the add-on known to Blender."""
    settings.register()
    panel.register()
    rerun.register()


def unregister() -> None:
    """Take it back."""
    rerun.unregister()
    panel.unregister()
    settings.unregister()
