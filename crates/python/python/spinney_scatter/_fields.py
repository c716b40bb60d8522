"""Fields: the minimum distance of points at each place."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, Mapping, Optional, Sequence, SupportsFloat, SupportsIndex, TypedDict, Union

from . import _arrays as arrays
from . import _checks as check
from . import _native
from . import _outlines as outlines
from . import _places as places
from . import _rasters as rasters
from ._native import Field
from ._types import Shaping

#: Default of ``min_dist``, world units.
MIN_DIST = 4.0

#: Default ratio of ``max_dist`` to ``min_dist``.
MAX_TO_MIN = 4.0


class FieldOptions(TypedDict, total=False):
    """Options of ``map_field``, with the same names."""

    min_dist: Optional[SupportsFloat]
    max_dist: Optional[SupportsFloat]
    density: Optional[tuple[float, float]]
    white: str
    range: arrays.Range
    nodata: Optional[float]
    srgb: bool
    gamma: Optional[float]
    curve: Optional[Sequence[tuple[float, float]]]
    map_is: str
    limit: Optional[SupportsFloat]
    limit_keep: str
    transform: Any
    size: Optional[tuple[float, float]]
    origin: Optional[tuple[float, float]]
    y_up: Optional[bool]
    mask: Any
    mask_threshold: float
    polygons: Any
    height: Any
    height_at: str
    height_range: Optional[tuple[float, float]]
    slope: Optional[tuple[float, float]]
    altitude: Optional[tuple[float, float]]


def map_field(
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
) -> Field:
    """Return the field of a map: ``min_dist + value * (max_dist - min_dist)``.

    Options are those of ``sample``.
    """
    asked = arrays.placed("map", map, nodata)
    at = places.place(asked.data.shape, transform, size, origin, y_up, asked.found, "map")
    check.warn(arrays.told_of_infinite("map", asked))
    asked = at.turned(asked)
    shaping = shaping_of(
        min_dist, max_dist, density, white, srgb, gamma, curve, map_is, limit, limit_keep
    )
    kind = asked.data.dtype
    if range is not None:
        asked = replace(asked, data=arrays.in_file_units(map, asked.data))
    if arrays.is_rounded(kind):
        full = arrays.white_of(kind) if range is None and arrays.is_grey(kind) else None
        field = Field.greys(arrays.greys(asked, range), asked.open, full, at.native(), shaping)
    else:
        field = Field.values(arrays.values(asked, range), at.native(), shaping)
    field = _on_ground(field, at, height, height_at, height_range, slope, altitude)
    return _inside(field, at, mask, mask_threshold, polygons, y_up, False)


def distance_field(
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
) -> Field:
    """Return the field of an array of distances, at full precision; NaN: no points.

    A single number is the distance everywhere in a world of ``size``. Options are those of
    ``sample_distances``.
    """
    is_number = isinstance(array, Real) and not isinstance(array, bool)
    if is_number:
        if size is None:
            raise ValueError("size: give the size of the world, width and height, for one distance")
        array = [[array]]
    asked = arrays.placed("array", array, nodata)
    at = places.place(asked.data.shape, transform, size, origin, y_up, asked.found, "array")
    asked = at.turned(asked)
    field = Field.distances(arrays.doubles(asked), at.native(), *limit_of(limit, limit_keep))
    field = _on_ground(field, at, height, height_at, height_range, slope, altitude)
    is_alone = is_number and mask is None and height is None
    return _inside(field, at, mask, mask_threshold, polygons, y_up, is_alone)


def noise_field(
    *,
    min_dist: Optional[SupportsFloat] = None,
    max_dist: Optional[SupportsFloat] = None,
    white: str = "sparse",
    seed: SupportsIndex = 0,
    scale: SupportsFloat = 128.0,
    octaves: SupportsIndex = 3,
    lacunarity: SupportsFloat = 2.0,
    persistence: SupportsFloat = 0.5,
) -> Field:
    """Return an endless field of Perlin noise.

    ``scale`` is the width of a cycle of the first octave, world units; the others are those of
    ``perlin``.
    """
    least, most = _range(min_dist, max_dist)
    return Field.noise(
        least,
        most,
        check.one_of("white", white, ("sparse", "dense")),
        check.whole("seed", seed, 0),
        check.distance("scale", scale),
        check.whole("octaves", octaves, 0, 2**32 - 1),
        check.number("lacunarity", lacunarity),
        check.number("persistence", persistence),
    )


#: The options of ``map_field`` and their defaults.
USUAL: dict[str, Any] = map_field.__kwdefaults__ or {}


def options_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function that are options of its field."""
    return {name: value for name, value in given.items() if name in USUAL}


def field_of(map: Any, options: Mapping[str, Any]) -> Field:
    """Return the field of a map. A field is returned unchanged, and permits no other options."""
    if not isinstance(map, Field):
        return map_field(map, **options)
    for name, value in options.items():
        usual = USUAL[name]
        if value is not usual and (usual is None or value != usual):
            raise ValueError(f"{name}: not supported with a field: drop it, or give it to map_field")
    return map


def as_field(field: Union[Field, SupportsFloat]) -> Field:
    """Return a field. A number becomes a field with the same distance everywhere."""
    form = "give a Field, like map_field(array), or one distance"
    return field if isinstance(field, Field) else Field.constant(check.real("field", field, form))


def rule_of(rule: str) -> str:
    """Return a rule that the engine supports."""
    if isinstance(rule, str) and rule == "parent":
        raise ValueError("rule parent: not supported by algorithm scatter: give another rule")
    return check.one_of("rule", rule, _native.SCATTER_RULES)


def lod_of(lod: SupportsIndex) -> int:
    """Return a number of levels of detail; 0: none."""
    return check.whole("lod", lod, 0, _native.MAX_LEVELS)


def threads_of(threads: Optional[SupportsIndex]) -> Optional[int]:
    """Return a number of threads; None: all."""
    return check.whole_or_none("threads", threads, 1, 1024)


def limit_of(limit: Optional[SupportsFloat], keep: str) -> tuple[Optional[float], str]:
    """Return the greatest slope of the distances, and the side that stays unchanged."""
    check.one_of("limit_keep", keep, ("dense", "sparse"))
    if limit is not None:
        return check.distance("limit", limit), keep
    if keep != USUAL["limit_keep"]:
        raise ValueError("limit_keep: needs a limit: give limit")
    return None, keep


def _range(
    min_dist: Optional[SupportsFloat], max_dist: Optional[SupportsFloat]
) -> tuple[float, float]:
    least = MIN_DIST if min_dist is None else check.distance("min_dist", min_dist)
    most = MAX_TO_MIN * least if max_dist is None else check.distance("max_dist", max_dist)
    if max_dist is not None and most < least and min_dist is None:
        raise ValueError(
            f"max_dist {most:g}: must not be less than min_dist {least:g} (the default)"
        )
    return least, min(most, 1.7976931348623157e308)


def shaping_of(
    min_dist: Optional[SupportsFloat],
    max_dist: Optional[SupportsFloat],
    density: Optional[tuple[float, float]],
    white: str,
    srgb: bool,
    gamma: Optional[float],
    curve: Optional[Sequence[tuple[float, float]]],
    map_is: str,
    limit: Optional[SupportsFloat],
    limit_keep: str,
) -> Shaping:
    """Return the checked options that convert greys to distances."""
    if density is not None and not (min_dist is None and max_dist is None):
        raise ValueError("density: not supported with min_dist or max_dist: drop it, or those")
    least, most = _range(min_dist, max_dist)
    form = "(0.001, 0.05)"
    points = None if curve is None else check.several("curve", curve, "points, like [(0, 0), (0.3, 0.7), (1, 1)]")
    slope, keep = limit_of(limit, limit_keep)
    return Shaping(
        min_dist=least,
        max_dist=most,
        density=None if density is None else check.pair("density", density, form),
        white=check.one_of("white", white, ("sparse", "dense")),
        srgb=check.flag("srgb", srgb),
        gamma=None if gamma is None else check.number("gamma", gamma),
        curve=None if points is None else [check.pair("curve", p, "(0.3, 0.7)") for p in points],
        map_is=check.one_of("map_is", map_is, ("distance", "density")),
        limit=slope,
        limit_keep=keep,
    )


def _on_ground(
    field: Field,
    at: places.Place,
    height: Any,
    height_at: str,
    height_range: Any,
    slope: Any,
    altitude: Any,
) -> Field:
    """Return the field in its coordinate system, restricted by the ground."""
    if at.crs is not None:
        field = field.in_system(at.crs)
    check.one_of("height_at", height_at, ("centres", "corners"))
    if height is None:
        is_corners = height_at == "corners"
        for name, is_given in (
            ("slope", slope is not None),
            ("altitude", altitude is not None),
            ("height_at", is_corners),
            ("height_range", height_range is not None),
        ):
            if is_given:
                raise ValueError(f"{name}: needs heights: give height, an array of heights")
        return field
    if height_range is not None and rasters.is_data_array(height):
        scaling = rasters.scaling_of("height", height)
        if scaling != rasters.UNSCALED:
            raise ValueError(
                f"height_range {check.shown(height_range)}: height states the scale of its heights ({scaling[0]:g} and "
                f"{scaling[1]:g} added): drop it, or remove scale_factor and add_offset from height"
            )
    heights, corners = arrays.placed("height", height), height_at == "corners"
    heights, ends = arrays.between(height, heights, height_range)
    beside, box = places.beside("height", heights, at, corners)
    check.warn(places.told_of_heights(heights, at, box, corners, ends is not None))
    field, told = field.on_ground(
        _native.Ground(arrays.doubles(beside), corners, (box, at.y_up), ends),
        None if slope is None else check.pair("slope", slope, "(0, 30)"),
        None if altitude is None else check.pair("altitude", altitude, "(0, 1800)"),
    )
    check.warn(told)
    return field


def _inside(
    field: Field,
    at: places.Place,
    mask: Any,
    threshold: float,
    polygons: Any,
    y_up: Optional[bool],
    is_alone: bool,
) -> Field:
    """Return the field restricted by the mask and the polygons. ``is_alone`` is True if nothing but polygons may have a
    place.
    """
    threshold = check.number("mask_threshold", threshold)
    if mask is not None:
        values = arrays.spread("mask", mask, arrays.placed("mask", mask), threshold)
        beside, box = places.beside("mask", values, at)
        field = field.where_open(arrays.opened("mask", beside, threshold), (box, at.y_up))
    elif threshold != USUAL["mask_threshold"]:
        raise ValueError("mask_threshold: needs a mask: give mask")
    if polygons is not None:
        field, told = field.inside(outlines.geojsons(polygons), y_up is not None, is_alone)
        check.warn(told)
    return field
