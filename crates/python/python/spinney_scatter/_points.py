"""Points, and the description of their run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from os import PathLike
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _native
from ._types import Box, Columns, Last


@dataclass(frozen=True)
class Run:
    """Everything except the map that determines the points."""

    #: The random seed.
    seed: int
    #: The conflict rule.
    rule: str
    #: The sampled rectangle: x0, y0, x1, y1.
    bounds: Box
    #: Whether y runs up (north), not down as in images.
    y_up: bool
    #: Levels of detail; 0: none.
    lod: int = 0
    #: Whether the run was periodic: opposite edges are one.
    tile: bool = False
    #: Names of layers, by number.
    layers: tuple[str, ...] = ()
    #: The algorithm: "scatter" or "bridson".
    algorithm: str = "scatter"
    #: The version of the algorithm's values.
    algorithm_version: int = _native.ALGORITHM_VERSION
    #: The coordinate system of the map, like "EPSG:32633"; None if unknown.
    crs: Optional[str] = None


@dataclass(frozen=True, eq=False)
class Points:
    """Points as columns of equal length.

    ``len(points)`` is their number. The order has no meaning, but is the same every time; ``id`` is the order
    in which points were decided.
    """

    #: Positions, world units: shape (n, 2).
    xy: npt.NDArray[np.float64]
    #: The point's id and priority.
    id: npt.NDArray[np.uint64]
    #: The minimum distance at the point, world units.
    min_dist: npt.NDArray[np.float64]
    #: The map's grey at the point, in [0, 1].
    value: npt.NDArray[np.float64]
    #: Level of detail, 0 the coarsest; None without ``lod``.
    rank: Optional[npt.NDArray[np.uint32]]
    #: The number of the layer (species); None with a single layer.
    layer: Optional[npt.NDArray[np.uint32]]
    #: The id of the point around which it was drawn, -1 if there is none; None for ``scatter``.
    parent: Optional[npt.NDArray[np.int64]]
    #: False if ``max_points`` removed some, or a front of ``bridson`` died early.
    complete: bool
    #: Cells at the finest resolution with possible room for one more point; None for ``bridson``, which does
    #: not count its gaps.
    unresolved: Optional[int]
    #: The area of these cells, square world units.
    unresolved_area: Optional[float]
    #: The factor of all distances that gives ``count`` points; otherwise 1.
    scale_factor: float
    #: The run that made the points.
    run: Run
    #: The height of the ground at the point, world units; None without ``height``.
    height: Optional[npt.NDArray[np.float64]] = None
    #: The ground's slope at the point, degrees: 0 is level, 90 vertical; None without ``height``.
    slope: Optional[npt.NDArray[np.float64]] = None
    #: The ground's unit normal along x, along y and up: shape (n, 3); None without ``height``.
    normal: Optional[npt.NDArray[np.float64]] = None
    #: The ground that files are written with.
    _ground: Optional[_native.Ground] = dataclasses.field(default=None, repr=False)
    #: Whether the run has a map, which gives y a direction.
    _has_map: bool = dataclasses.field(default=True, repr=False)

    @classmethod
    def _of(
        cls, columns: Columns, run: Run, ground: Optional[_native.Ground] = None, has_map: bool = True
    ) -> Points:
        # Without points there are no columns to show which ones the run has.
        if run.lod and columns["rank"] is None:
            columns["rank"] = np.zeros(0, np.uint32)
        if run.layers and columns["layer"] is None:
            columns["layer"] = np.zeros(0, np.uint32)
        if ground is None:
            return cls(**columns, run=run, _has_map=has_map)
        return cls(**columns, run=run, **ground.at(columns["xy"]), _ground=ground, _has_map=has_map)

    def __len__(self) -> int:
        return len(self.id)

    @property
    def last(self) -> Optional[Last]:
        """The last point in the order in which ``count`` leaves points out: its id, or its rank and id
        with ``lod``. None without points.
        """
        if not len(self):
            return None
        if self.rank is None:
            return int(self.id.max())
        rank = self.rank.max()
        return int(rank), int(self.id[self.rank == rank].max())

    def _up_to(self, last: Last) -> Points:
        """Return the points up to and including ``last``."""
        if isinstance(last, tuple):
            assert self.rank is not None
            rank, most = last
            kept = (self.rank < rank) | ((self.rank == rank) & (self.id <= np.uint64(most)))
        else:
            kept = self.id <= np.uint64(last)
        columns = ("xy", "id", "min_dist", "value", "rank", "layer", "parent", "height", "slope", "normal")
        known = {name: getattr(self, name) for name in columns}
        cut = {name: column[kept] for name, column in known.items() if column is not None}
        return dataclasses.replace(self, **cut)

    def save(
        self,
        path: Union[str, PathLike[str]],
        *,
        rotate: bool = False,
        scale: Optional[tuple[float, float]] = None,
        scale_by: str = "chance",
        align: bool = False,
        crs: Any = None,
    ) -> None:
        """Write the points to a file, in the format of its ending.

        .csv, .json, .ply, .svg, .npy; .geojson for GIS, which names ``run.crs``; .glb and .usda with instances;
        .tscn for Godot, .unity.json for Unity, .unreal.csv for Unreal; .parquet is GeoParquet 1.1 (needs
        ``pyarrow``), the only format that takes ``crs``, by default ``run.crs``. The file appears only when it is
        complete, and replaces one of that name. Points of a run with ``height`` are written with heights, normals and
        slopes. Geometry in GeoJSON and GeoParquet holds -y if y runs down, so that north is up.

        ``rotate`` and ``scale=(lo, hi)`` give each point its own rotation and scale in the formats with
        instances; ``scale_by="value"`` scales by the point's grey, lo at black, hi at white.
        ``align`` tilts each instance to stand perpendicular to the ground; it needs a run with ``height``. A warning
        says that trees of a Unity terrain cannot be tilted, that 32-bit places bring points nearer, or that ``run.crs``
        is in feet or kilometres, where the format is in metres.
        """
        sizes, rotate = _sizes(scale, scale_by), check.flag("rotate", rotate)
        align, path = check.flag("align", align), check.path(path)
        if path.lower().endswith(".parquet"):
            from ._parquet import projjson_of, write

            if rotate or align or scale is not None:
                raise ValueError("rotate, scale, align: GeoParquet has no instances: drop them")
            write(path, self, projjson_of(crs, self.run.crs), {})
            return
        if crs is not None:
            raise ValueError(
                f"crs: only .parquet takes it, not {path}: write one, or use to_geodataframe"
            )
        if align and self._ground is None:
            raise ValueError("align: the points have no heights: give height, the same to all layers of species")
        check.warn(_native.write(path, self, rotate, *sizes, align))

    def placed(
        self,
        *,
        rotate: bool = False,
        scale: Optional[tuple[float, float]] = None,
        scale_by: str = "chance",
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the rotation of each point, degrees counter-clockwise, and its scale.

        Both are those that ``save`` writes with the same options; without options they are 0 and 1.
        """
        return _native.placed(self, check.flag("rotate", rotate), *_sizes(scale, scale_by))

    def to_geodataframe(self, crs: Any = None) -> Any:
        """Return the points as a GeoDataFrame. ``crs`` is that of the map, like ``src.crs``, by default
        ``run.crs``. Geometry holds -y if y runs down, so that north is up."""
        import geopandas

        geometry = geopandas.points_from_xy(*self._place())
        system = self.run.crs if crs is None else crs
        return geopandas.GeoDataFrame(self._columns(), geometry=geometry, crs=system)

    def _place(self) -> list[npt.NDArray[np.float64]]:
        """Return the coordinates of geometry, as in GeoJSON: east, north and, on a ground, up."""
        x, y = self.xy.T
        # Not -y, which would turn 0 into -0.
        place = [x, y if self.run.y_up else 0.0 - y]
        if self.height is not None:
            place.append(np.nan_to_num(self.height))
        return place

    def _columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns of a table besides the coordinates, in the command line's order."""
        columns = {"id": self.id, "min_dist": self.min_dist, "value": self.value}
        optional = {"rank": self.rank, "layer": self.layer, "height": self.height}
        if self.normal is not None:
            optional.update(zip(("normal_x", "normal_y", "normal_z"), self.normal.T))
        optional["slope"] = self.slope
        return {**columns, **{name: of for name, of in optional.items() if of is not None}}


def _sizes(
    scale: Optional[tuple[float, float]], scale_by: str
) -> tuple[Optional[tuple[float, float]], bool]:
    """Return the least and the greatest scale, and whether the grey of a point gives its scale."""
    by_value = check.one_of("scale_by", scale_by, ("chance", "value")) == "value"
    if scale is None and by_value:
        raise ValueError("scale_by: needs sizes: give scale")
    return None if scale is None else check.pair("scale", scale, "(0.8, 1.2)"), by_value
