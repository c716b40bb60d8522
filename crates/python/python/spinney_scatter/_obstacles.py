"""Points to keep clear of, and arrays of points."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _native
from ._native import Field
from ._points import Points

#: Points to avoid, and the distance of each.
Obstacles = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def check_avoided(rule: str) -> None:
    """Refuse rule ``parent``, under which points to avoid have no defined distance."""
    if rule == "parent":
        raise ValueError("avoid: not supported with rule parent: give another rule")


def positions(name: str, points: Any) -> npt.NDArray[np.float64]:
    """Return the positions of points, or of an array of shape (n, 2)."""
    if isinstance(points, Points):
        return points.xy
    check.unmasked(name, points)
    try:
        xy = np.array(points, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError(f"{name}: not an array of numbers: give Points, or an array of shape (n, 2)") from None
    if xy.size == 0:
        return xy.reshape(0, 2)
    if xy.ndim != 2 or xy.shape[1] != 2:
        raise ValueError(f"{name}: must have the shape (n, 2), not {xy.shape}")
    return xy


def obstacles_of(avoid: Any, avoid_dist: Any) -> Optional[Obstacles]:
    """Return points to avoid, and the distance of each."""
    if avoid is None:
        if avoid_dist is not None:
            raise ValueError("avoid_dist: needs points: give avoid")
        return None
    xy = positions("avoid", avoid)
    if avoid_dist is None:
        if not isinstance(avoid, Points):
            raise ValueError("avoid: its points have no min_dist: give avoid_dist")
        return xy, avoid.min_dist
    check.unmasked("avoid_dist", avoid_dist)
    form = f"avoid_dist: give one number, or one for each of the {len(xy)} points"
    try:
        kept = np.asarray(avoid_dist, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(form) from None
    if kept.shape not in ((), (len(xy),)):
        raise ValueError(form)
    kept = np.broadcast_to(kept, (len(xy),))
    if not (np.isfinite(kept).all() and (kept > 0).all()):
        raise ValueError("avoid_dist: must be a positive finite number")
    return xy, np.ascontiguousarray(kept)


def given_obstacles(avoid: Any, avoid_dist: Any) -> Obstacles:
    """Return obstacles, which must be given."""
    obstacles = obstacles_of(avoid, avoid_dist)
    if obstacles is None:
        raise ValueError("avoid: give Points, or an array of shape (n, 2) with avoid_dist")
    return obstacles


def told_of_run(name: str, points: Any, field: Field) -> list[str]:
    """Return warnings if points come from a run in another system than a field, or with another direction of y."""
    if not isinstance(points, Points):
        return []
    told = _native.other_system_told(name, points.run.crs, field.crs)
    # Without a map y has no direction.
    if points._has_map and field.bounds is not None and points.run.y_up != field.y_up:
        ways = ("up", "down") if points.run.y_up else ("down", "up")
        told.append(
            f"{name}: y runs {ways[0]} in the world of these points, but {ways[1]} in that of the map, so they may "
            f"lie upside down; give y_up={points.run.y_up} to the map, or y_up={field.y_up} to their run"
        )
    return told
