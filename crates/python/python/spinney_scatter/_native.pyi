from collections.abc import Sequence
from os import PathLike
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from ._points import Points
from ._types import Box, Columns, Footing, Progress, Shaping

__all__ = [
    "ALGORITHM_VERSION",
    "Cell",
    "Field",
    "Ground",
    "MAX_LEVELS",
    "NativeWorld",
    "RULES",
    "SCATTER_RULES",
    "__version__",
    "avoid_told",
    "greatest",
    "infinite_told",
    "lay",
    "nowhere_told",
    "other_system_told",
    "perlin",
    "pixels_around",
    "placed",
    "read",
    "sample",
    "sample_part",
    "species",
    "system_dropped_told",
    "upside_down",
    "verify",
    "verify_layers",
    "write",
]

ALGORITHM_VERSION: Final[int]
MAX_LEVELS: Final[int]
RULES: Final[tuple[str, ...]]
SCATTER_RULES: Final[tuple[str, ...]]
__version__: Final[str]

_Rect = tuple[int, int, int, int]
_Place = tuple[Box, bool]
_FilePlace = tuple[Box, tuple[float, float], str | None, bool]

@final
class Cell:
    @staticmethod
    def of(
        width: float, height: float, in_degrees: bool, crs: str | None, heights: str | None
    ) -> Cell | None: ...
    def __new__(cls, width: float, height: float, unit: int, heights: int) -> Cell: ...
    def on_ground(
        self, pixels: tuple[int, int], world: tuple[float, float], measured: bool, ranged: bool, turned: bool
    ) -> list[str]: ...

@final
class Field:
    @staticmethod
    def greys(
        values: npt.NDArray[np.uint16],
        open: npt.NDArray[np.bool_] | None,
        white: float | None,
        place: _Place,
        shaping: Shaping,
    ) -> Field: ...
    @staticmethod
    def values(
        values: npt.NDArray[np.float64], place: _Place, shaping: Shaping
    ) -> Field: ...
    @staticmethod
    def distances(
        values: npt.NDArray[np.float64],
        place: _Place,
        limit: float | None,
        limit_keep: str,
    ) -> Field: ...
    @staticmethod
    def constant(min_dist: float) -> Field: ...
    @staticmethod
    def noise(
        min_dist: float,
        max_dist: float,
        white: str,
        seed: int,
        scale: float,
        octaves: int,
        lacunarity: float,
        persistence: float,
    ) -> Field: ...
    def in_system(self, crs: str) -> Field: ...
    def where_open(self, open: npt.NDArray[np.bool_], place: _Place) -> Field: ...
    def inside(self, texts: Sequence[str], said: bool, alone: bool) -> tuple[Field, list[str]]: ...
    def distances_told(
        self, rule: str, factor: float, layer: str | None, endless: bool
    ) -> tuple[list[str], bool]: ...
    def on_ground(
        self,
        ground: Ground,
        slope: tuple[float, float] | None,
        altitude: tuple[float, float] | None,
    ) -> tuple[Field, list[str]]: ...
    def min_dist_at(self, x: float, y: float) -> float | None: ...
    @property
    def bounds(self) -> Box | None: ...
    @property
    def range(self) -> tuple[float, float]: ...
    @property
    def crs(self) -> str | None: ...
    @property
    def polygons_crs(self) -> str | None: ...
    @property
    def closed_by(self) -> list[str]: ...
    @property
    def ground(self) -> Ground | None: ...
    @property
    def y_up(self) -> bool: ...

@final
class Ground:
    def __new__(
        cls,
        heights: npt.NDArray[np.float64],
        corners: bool,
        place: _Place,
        reach: tuple[float, float] | None,
    ) -> Ground: ...
    def at(self, xy: npt.NDArray[np.float64]) -> Footing: ...

@final
class NativeWorld:
    def __new__(
        cls,
        field: Field,
        rule: str,
        seed: int,
        lod: int,
        threads: int | None,
        keep: int,
    ) -> NativeWorld: ...
    def window(self, bounds: Box) -> Columns: ...
    def put(self, xy: npt.NDArray[np.float64], min_dist: npt.NDArray[np.float64]) -> None: ...
    def take(self, xy: npt.NDArray[np.float64], min_dist: npt.NDArray[np.float64]) -> int: ...
    def obstacles(self) -> npt.NDArray[np.float64]: ...

def sample(
    field: Field,
    tries: int | None,
    rule: str,
    seed: int,
    count: int | None,
    max_points: int | None,
    lod: int,
    tile: bool,
    avoid: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None,
    threads: int | None,
    progress: Progress | None,
) -> Columns: ...
def species(
    layers: Sequence[tuple[Field, float, int, int | None]],
    apart: Sequence[tuple[int, int, float]],
    bounds: Box,
    rule: str,
    seed: int,
    count: int | None,
    max_points: int | None,
    lod: int,
    threads: int | None,
    progress: Progress | None,
) -> Columns: ...
def greatest(shaping: Shaping) -> float: ...
def pixels_around(
    whole: tuple[tuple[int, int], _Place], window: Box, margin: float
) -> _Rect: ...
def sample_part(
    whole: tuple[tuple[int, int], _Place],
    first: tuple[int, int],
    values: npt.NDArray[np.uint16],
    open: npt.NDArray[np.bool_] | None,
    shaping: Shaping,
    scale_factor: float,
    window: Box,
    rule: str,
    seed: int,
    lod: int,
    threads: int | None,
) -> tuple[Columns | None, _Rect | None]: ...
def read(
    path: str | PathLike[str],
    channel: str,
    alpha: str,
    nodata: float | None,
    raw_size: tuple[int, int] | None,
) -> tuple[
    npt.NDArray[Any],
    npt.NDArray[np.bool_] | None,
    list[str],
    _FilePlace | None,
    str | None,
    Cell | None,
    tuple[float, bool] | None,
]: ...
def lay(
    name: str,
    map: tuple[Box, str | None, tuple[float, float]],
    own: tuple[Box, str | None, tuple[float, float]],
    cut: tuple[int, int] | None,
) -> tuple[Box, tuple[tuple[int, int], tuple[int, int]] | None, list[str]]: ...
def upside_down(name: str, world: Box) -> list[str]: ...
def other_system_told(name: str, own: str | None, map: str | None) -> list[str]: ...
def system_dropped_told(name: str, system: str, own: tuple[float, float]) -> list[str]: ...
def infinite_told(name: str, negative: int, positive: int) -> list[str]: ...
def nowhere_told(inputs: str, layer: str | None) -> list[str]: ...
def write(
    path: str | PathLike[str],
    points: Points,
    rotate: bool,
    scale: tuple[float, float] | None,
    by_value: bool,
    align: bool,
) -> list[str]: ...
def placed(
    points: Points,
    rotate: bool,
    scale: tuple[float, float] | None,
    by_value: bool,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def verify(
    xy: npt.NDArray[np.float64],
    id: npt.NDArray[np.uint64] | None,
    min_dist: npt.NDArray[np.float64] | None,
    rank: npt.NDArray[np.uint32] | None,
    parent: npt.NDArray[np.int64] | None,
    field: Field | None,
    scale_factor: float,
    uniform: float | None,
    avoid: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None,
    bounds: Box,
    tile: bool,
    rule: str,
    all: bool,
) -> str: ...
def verify_layers(
    xy: npt.NDArray[np.float64],
    id: npt.NDArray[np.uint64],
    layer: npt.NDArray[np.uint32],
    fields: Sequence[Field],
    apart: Sequence[tuple[int, int, float]],
    scale_factor: float,
    avoid: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None,
    bounds: Box,
    tile: bool,
    rule: str,
) -> str: ...
def avoid_told(
    xy: npt.NDArray[np.float64], min_dist: npt.NDArray[np.float64], world: Box
) -> list[str]: ...
def perlin(
    size: tuple[int, int],
    seed: int,
    scale: float,
    octaves: int,
    lacunarity: float,
    persistence: float,
    warp: float,
    threshold: float | None,
) -> npt.NDArray[np.uint16]: ...
