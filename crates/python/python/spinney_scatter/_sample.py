"""Points of a map, or of distances."""

from __future__ import annotations

from typing import Any, Optional, Sequence, SupportsFloat, SupportsIndex

from . import _arrays as arrays
from . import _checks as check
from . import _fields as fields
from . import _native
from ._fields import lod_of, threads_of
from ._obstacles import check_avoided, obstacles_of, told_of_run
from ._points import Points, Run
from ._types import Progress

#: Default of ``tries``.
_TRIES = 30


def sample(
    map: Any,
    *,
    min_dist: Optional[SupportsFloat] = None,
    max_dist: Optional[SupportsFloat] = None,
    density: Optional[tuple[float, float]] = None,
    white: str = "sparse",
    range: arrays.Range = None,
    nodata: Optional[float] = None,
    srgb: bool = False,
    gamma: Optional[float] = None,
    curve: Optional[Sequence[tuple[float, float]]] = None,
    map_is: str = "distance",
    limit: Optional[SupportsFloat] = None,
    limit_keep: str = "dense",
    transform: Any = None,
    size: Optional[tuple[float, float]] = None,
    origin: Optional[tuple[float, float]] = None,
    y_up: Optional[bool] = None,
    mask: Any = None,
    mask_threshold: float = 0.5,
    polygons: Any = None,
    height: Any = None,
    height_at: str = "centres",
    height_range: Optional[tuple[float, float]] = None,
    slope: Optional[tuple[float, float]] = None,
    altitude: Optional[tuple[float, float]] = None,
    avoid: Any = None,
    avoid_dist: Any = None,
    algorithm: str = "scatter",
    tries: Optional[SupportsIndex] = None,
    rule: str = "max",
    seed: SupportsIndex = 0,
    count: Optional[SupportsIndex] = None,
    max_points: Optional[SupportsIndex] = None,
    lod: SupportsIndex = 0,
    tile: bool = False,
    threads: Optional[SupportsIndex] = None,
    progress: Optional[Progress] = None,
) -> Points:
    """Scatter points whose spacing follows a map, without gaps. The same call always gives the same
    points, on any number of threads. They equal those of the command line with the same flags.

    ``map`` is an array with rows and columns: NumPy, masked, or an ``xarray.DataArray`` (whose place,
    nodata and scale are taken), or a ``Field``. Arrays of 8 and 16 bits are greys from black (0) to white.
    In other arrays the least number is black and the greatest white, unless ``range=(lo, hi)`` is given.
    Integers are rounded to 16 bits within it, as on the command line. An array of floats, or of scaled numbers,
    is a field at full precision, where the command line rounds to 16 bits, too.
    No point lies where the array is masked, NaN or ``nodata``.

    Distances, world units:
        min_dist, max_dist: between points where they are densest (4) and sparsest (4 * min_dist)
        density: (lo, hi) points per area, in place of both
        white: the meaning of white, "sparse" or "dense"
        rule: the distance two points of different min_dist keep: "max", "mean", "min", "own", "prior"
        count: the number of points, reached by scaling all distances but those of ``avoid``

    Tone: ``srgb``, ``gamma``, ``curve=[(x, y), ..]``, ``map_is="density"``; and ``limit``, the most that
    distances may change per unit (0.25 is a good value), with ``limit_keep="dense"`` or "sparse".
    Tones work in 65536 steps, of floats too.

    World: ``transform`` (rasterio's ``src.transform``; the identity, which images without a place have, is
    none), or ``size``, ``origin`` and ``y_up``; by default the map's own place (from ``read`` or a
    ``DataArray``), else one unit a pixel, y downwards. ``origin`` alone moves that place, ``size`` or
    ``y_up=False`` drops it. ``tile=True``: opposite edges are one.

    Region: ``mask`` (True, or ``mask_threshold`` and more: open; of integers other than greys the least is 0 and the
    greatest 1, and a threshold above 1 is a level), ``height`` with ``slope=(lo, hi)`` in
    degrees and ``altitude=(lo, hi)``; arrays of any size, which lie where they say if they and the map have a
    place, and over the map otherwise. With ``height``, points have ``height``, ``slope`` and ``normal``.
    ``height_range=(lo, hi)`` are the heights of black and white, which an image that ``read`` has read does not state.
    ``polygons``: only inside them, world units: GeoJSON, what has ``__geo_interface__`` (shapely, GeoPandas),
    or outlines as arrays of shape (n, 2). ``avoid``: points to keep clear of, by the rule: ``Points``, or an
    array of shape (n, 2) with ``avoid_dist``, the ``min_dist`` of each.

    Algorithm: ``"scatter"`` leaves no gap; ``"bridson"`` is the classic of 2007, with ``tries`` (30)
    candidates around each point, and leaves some. The rule "parent" needs ``"bridson"``.

    Run: ``seed``; ``lod``, levels of detail; ``max_points``, a cap; ``threads``, all by default;
    ``progress``, called with the share done and the number of points.

    Raises ValueError, in the command line's words, if an option or an array is invalid. Warns, as the
    command line does, of a map whose greys use little of their type's range, or are infinite; whose distances
    change too steeply or in visible bands, are finer than a pixel, or are the same all over; of polygons that
    lie mostly outside of the world or are tiny beside it; of a map, mask or heights whose place the world does
    not follow; of points to avoid that lie far from it, or whose run was in another system; and of a result
    without points.
    """
    field = fields.field_of(map, fields.options_of(locals()))
    if field.bounds is None:
        raise ValueError("map: the field is endless: use World and its windows")
    check.one_of("algorithm", algorithm, ("scatter", "bridson"))
    check.callback("progress", progress)
    tile = check.flag("tile", tile)
    obstacles = obstacles_of(avoid, avoid_dist)
    wanted = check.whole_or_none("count", count, 1)
    tried = check.whole_or_none("tries", tries, 1, 2**32 - 1)
    if algorithm == "bridson":
        check.one_of("rule", rule, _native.RULES)
        if obstacles is not None:
            check_avoided(rule)
        given = {"tile": tile, "lod": lod, "count": count is not None, "threads": threads is not None}
        for name, value in given.items():
            if value:
                raise ValueError(
                    f"{name}: not supported by algorithm bridson: drop it, or give algorithm scatter"
                )
    else:
        if isinstance(rule, str) and rule == "parent":
            raise ValueError(
                "rule parent: not supported by algorithm scatter: give another rule, or give algorithm "
                "bridson"
            )
        fields.rule_of(rule)
        if tried is not None:
            raise ValueError(
                f"tries {tried}: not supported by algorithm scatter: drop it, or give algorithm bridson"
            )
    run = Run(
        seed=check.whole("seed", seed, 0),
        rule=rule,
        bounds=field.bounds,
        y_up=field.y_up,
        lod=lod_of(lod),
        tile=tile,
        algorithm=algorithm,
        crs=field.crs or (field.polygons_crs if obstacles is None else None),
    )
    columns = _native.sample(
        field,
        (_TRIES if tried is None else tried) if algorithm == "bridson" else None,
        run.rule,
        run.seed,
        wanted,
        check.whole_or_none("max_points", max_points, 1),
        run.lod,
        run.tile,
        obstacles,
        threads_of(threads),
        progress,
    )
    # Warnings come last, so that a refused run reports only its error.
    if obstacles is not None:
        check.warn(_native.avoid_told(*obstacles, field.bounds))
        check.warn(told_of_run("avoid", avoid, field))
    told, is_closed = field.distances_told(run.rule, columns["scale_factor"], None, False)
    check.warn(told)
    if not len(columns["id"]) and columns["complete"] and not is_closed:
        others = [] if obstacles is None else ["avoid"]
        check.warn(_native.nowhere_told(check.listed([*field.closed_by, *others]), None))
    return Points._of(columns, run, field.ground)


def sample_distances(
    array: Any,
    *,
    nodata: Optional[float] = None,
    limit: Optional[SupportsFloat] = None,
    limit_keep: str = "dense",
    transform: Any = None,
    size: Optional[tuple[float, float]] = None,
    origin: Optional[tuple[float, float]] = None,
    y_up: Optional[bool] = None,
    mask: Any = None,
    mask_threshold: float = 0.5,
    polygons: Any = None,
    height: Any = None,
    height_at: str = "centres",
    height_range: Optional[tuple[float, float]] = None,
    slope: Optional[tuple[float, float]] = None,
    altitude: Optional[tuple[float, float]] = None,
    avoid: Any = None,
    avoid_dist: Any = None,
    algorithm: str = "scatter",
    tries: Optional[SupportsIndex] = None,
    rule: str = "max",
    seed: SupportsIndex = 0,
    count: Optional[SupportsIndex] = None,
    max_points: Optional[SupportsIndex] = None,
    lod: SupportsIndex = 0,
    tile: bool = False,
    threads: Optional[SupportsIndex] = None,
    progress: Optional[Progress] = None,
) -> Points:
    """Scatter points by an array of the distances themselves, world units; NaN: no points.

    A single number is the distance everywhere in a world of ``size``. Distances are not rounded.
    Options are those of ``sample``. A number with ``polygons``, ``y_up=True`` and no other input has their
    coordinate system.
    """
    return sample(
        fields.distance_field(array, **fields.options_of(locals())),
        avoid=avoid,
        avoid_dist=avoid_dist,
        algorithm=algorithm,
        tries=tries,
        rule=rule,
        seed=seed,
        count=count,
        max_points=max_points,
        lod=lod,
        tile=tile,
        threads=threads,
        progress=progress,
    )
