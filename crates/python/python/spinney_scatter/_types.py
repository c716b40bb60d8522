"""Types of the native module's arguments and results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, TypedDict, Union

import numpy as np
import numpy.typing as npt

#: A callback with the share that is done, from 0 to 1, and the number of points so far.
Progress = Callable[[float, int], object]

#: A rectangle: x0, y0, x1, y1.
Box = tuple[float, float, float, float]

#: A point's position in the order in which ``count`` leaves points out: its id, or its rank and id.
Last = Union[int, tuple[int, int]]


class Columns(TypedDict):
    """Points as columns."""

    xy: npt.NDArray[np.float64]
    id: npt.NDArray[np.uint64]
    min_dist: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    rank: Optional[npt.NDArray[np.uint32]]
    layer: Optional[npt.NDArray[np.uint32]]
    parent: Optional[npt.NDArray[np.int64]]
    complete: bool
    unresolved: Optional[int]
    unresolved_area: Optional[float]
    scale_factor: float


class Footing(TypedDict):
    """The ground at points as columns, NaN where there is none."""

    height: npt.NDArray[np.float64]
    slope: npt.NDArray[np.float64]
    normal: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shaping:
    """The options that convert greys to distances."""

    min_dist: float
    max_dist: float
    density: Optional[tuple[float, float]]
    white: str
    srgb: bool
    gamma: Optional[float]
    curve: Optional[list[tuple[float, float]]]
    map_is: str
    limit: Optional[float]
    limit_keep: str
