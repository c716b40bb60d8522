"""Endless worlds."""

from __future__ import annotations

from typing import Any, Optional, SupportsFloat, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _fields as fields
from . import _native
from ._fields import lod_of, rule_of, threads_of
from ._native import Field
from ._obstacles import given_obstacles, told_of_run
from ._points import Points, Run


class World:
    """An endless world: windows in any order, each a crop of the same points.

    ``field`` is a ``Field`` (of noise, or of a map, which continues beyond its edge) or one distance.
    Up to about ``keep`` points are cached. The points differ from those of ``sample``, whose cells begin at
    the map's corner and not at the world's origin.
    """

    def __init__(
        self,
        field: Union[Field, SupportsFloat],
        seed: SupportsIndex = 0,
        *,
        rule: str = "max",
        lod: SupportsIndex = 0,
        threads: Optional[SupportsIndex] = None,
        keep: SupportsIndex = 1_000_000,
    ) -> None:
        self.field = fields.as_field(field)
        self._seed = check.whole("seed", seed, 0)
        self._rule = rule_of(rule)
        self._lod = lod_of(lod)
        self._world = _native.NativeWorld(
            self.field,
            self._rule,
            self._seed,
            self._lod,
            threads_of(threads),
            check.whole("keep", keep, 0, 2**48),
        )
        check.warn(self.field.distances_told(self._rule, 1.0, None, True)[0])

    def window(self, bounds: Any) -> Points:
        """Return the points of ``(x0, y0, x1, y1)``, the lower edges included."""
        box = check.box("window", bounds)
        run = Run(self._seed, self._rule, box, self.field.y_up, self._lod, crs=self.field.crs)
        has_map = self.field.bounds is not None
        return Points._of(self._world.window(box), run, self.field.ground, has_map)

    def put(self, avoid: Any, avoid_dist: Any = None) -> None:
        """Add obstacles, such as houses: windows then have no point that conflicts with one by the rule.

        ``avoid`` and ``avoid_dist`` are as in ``sample``. Obstacles stay until they are removed, and cached
        points near them are computed again. An obstacle that is added twice has to be removed twice. Add many
        at once: the time of a call grows with the number of obstacles in the world.
        """
        self._world.put(*given_obstacles(avoid, avoid_dist))
        check.warn(told_of_run("avoid", avoid, self.field))

    def take(self, avoid: Any, avoid_dist: Any = None) -> int:
        """Remove obstacles, one for each with the same numbers, and return the number of those found.
        """
        return self._world.take(*given_obstacles(avoid, avoid_dist))

    @property
    def obstacles(self) -> npt.NDArray[np.float64]:
        """The obstacles in the world, in no particular order: an array of shape (n, 3) with x, y and the
        ``min_dist`` of each.
        """
        return self._world.obstacles()
