"""Runs: points of a map, of distances, of an endless world, of several species."""

from __future__ import annotations

import json
from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Any,
    Mapping,
    Optional,
    Sequence,
    SupportsFloat,
    SupportsIndex,
    Union,
)

import numpy as np
import numpy.typing as npt

from . import _arrays as arrays
from . import _checks as check
from . import _fields as fields
from . import _native
from ._fields import FieldOptions, lod_of, rule_of, threads_of
from ._georeferenced import Found, Unplaced, White, _Plain, as_read
from ._native import Field
from ._points import Points, Run
from ._types import Box, Columns, Progress

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        count: the number of points, reached by scaling all distances

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
    array of shape (n, 2) with ``avoid_dist``, the distance of each.

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
    field = _field(map, fields.options_of(locals()))
    if field.bounds is None:
        raise ValueError("map: the field is endless: use World and its windows")
    check.one_of("algorithm", algorithm, ("scatter", "bridson"))
    check.callback("progress", progress)
    tile = check.flag("tile", tile)
    obstacles = _obstacles(avoid, avoid_dist)
    wanted = check.whole_or_none("count", count, 1)
    if obstacles is not None and wanted is not None:
        raise ValueError(
            f"count {wanted}: it scales distances, also those to the points of avoid: drop avoid, or "
            "give min_dist and max_dist instead"
        )
    tried = check.whole_or_none("tries", tries, 1, 2**32 - 1)
    if algorithm == "bridson":
        check.one_of("rule", rule, (*fields.RULES, "parent"))
        if obstacles is not None:
            _check_avoided(rule)
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
        crs=field.crs,
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
        check.warn(_told_of_run("avoid", avoid, field))
    told, is_closed = field.distances_told(run.rule, columns["scale_factor"], None, False)
    check.warn(told)
    if not len(columns["id"]) and columns["complete"] and not is_closed:
        others = [] if obstacles is None else ["avoid"]
        check.warn(_native.nowhere_told(_listed([*field.closed_by, *others]), None))
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

    Distances are not rounded. Options are those of ``sample``.
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


def _field(map: Any, options: Mapping[str, Any]) -> Field:
    """Return the field of a map. A field is returned unchanged, and permits no other options."""
    if not isinstance(map, Field):
        return fields.map_field(map, **options)
    for name, value in options.items():
        usual = fields.USUAL[name]
        if value is not usual and (usual is None or value != usual):
            raise ValueError(f"{name}: not supported with a field: drop it, or give it to map_field")
    return map


def _listed(names: Sequence[str]) -> str:
    """Return names as words of a sentence, each once."""
    *first, last = dict.fromkeys(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _told_of_run(name: str, points: Any, field: Field) -> list[str]:
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


#: Default of ``tries``.
_TRIES = 30

#: Points to avoid, and the distance of each.
_Obstacles = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _check_avoided(rule: str) -> None:
    """Refuse rule ``parent``, under which points to avoid have no defined distance."""
    if rule == "parent":
        raise ValueError(
            "avoid: not supported with rule parent: give another rule"
        )


def _positions(name: str, points: Any) -> npt.NDArray[np.float64]:
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


def _obstacles(avoid: Any, avoid_dist: Any) -> Optional[_Obstacles]:
    """Return points to avoid, and the distance of each."""
    if avoid is None:
        if avoid_dist is not None:
            raise ValueError("avoid_dist: needs points: give avoid")
        return None
    xy = _positions("avoid", avoid)
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


def _given(avoid: Any, avoid_dist: Any) -> _Obstacles:
    """Return obstacles, which must be given."""
    obstacles = _obstacles(avoid, avoid_dist)
    if obstacles is None:
        raise ValueError("avoid: give Points, or an array of shape (n, 2) with avoid_dist")
    return obstacles


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
        self._world.put(*_given(avoid, avoid_dist))
        check.warn(_told_of_run("avoid", avoid, self.field))

    def take(self, avoid: Any, avoid_dist: Any = None) -> int:
        """Remove obstacles, one for each with the same numbers, and return the number of those found.
        """
        return self._world.take(*_given(avoid, avoid_dist))

    @property
    def obstacles(self) -> npt.NDArray[np.float64]:
        """The obstacles in the world, in no particular order: an array of shape (n, 3) with x, y and the
        distance of each.
        """
        return self._world.obstacles()


@dataclass(frozen=True)
class Layer:
    """One species: where and how densely it grows, and how it competes with others."""

    #: The layer's name.
    name: str
    #: The distance between its own points: a field, or one number.
    field: Union[Field, float]
    #: Its share of the territory among layers of the same turn.
    share: float = 1.0
    #: Layers of a smaller turn are decided first: trees before flowers.
    turn: int = 0
    #: The random seed. By default it follows from the run's seed and the layer's number.
    seed: Optional[int] = None


def species(
    layers: Sequence[Layer],
    *,
    apart: Optional[Mapping[tuple[str, str], float]] = None,
    bounds: Optional[Box] = None,
    rule: str = "max",
    seed: SupportsIndex = 0,
    max_points: Optional[SupportsIndex] = None,
    lod: SupportsIndex = 0,
    threads: Optional[SupportsIndex] = None,
    progress: Optional[Progress] = None,
) -> Points:
    """Scatter several layers with distances between them, as ``spinney sample --species`` does.

    ``apart`` has the distance between points of two layers, by the layers' names; pairs without an entry
    follow ``rule``. ``bounds`` is the rectangle to fill, by default that of the layers' maps. The points'
    ``layer`` counts from 0, and ``points.run.layers`` has the names. Points have heights if all fields with
    ``height`` have the same.
    """
    check.callback("progress", progress)
    layers, names, made = _named(layers)
    if bounds is None:
        known = [field.bounds for field in made if field.bounds is not None]
        if not known:
            raise ValueError("bounds: no layer has a map to take them from: give bounds")
        if any(box != known[0] for box in known):
            raise ValueError("bounds: the layers' maps cover different rectangles: give bounds")
        bounds = known[0]
    systems = {field.crs for field in made if field.crs is not None}
    if len(systems) > 1:
        raise ValueError(
            f"layers: their maps are in {' and '.join(sorted(systems))}: reproject them to one system"
        )
    run = Run(
        seed=check.whole("seed", seed, 0),
        rule=rule_of(rule),
        bounds=check.box("bounds", bounds),
        y_up=any(field.y_up and field.bounds is not None for field in made),
        lod=lod_of(lod),
        layers=tuple(names),
        crs=next(iter(systems), None),
    )
    columns = _native.species(
        [
            (
                field,
                check.number("share", layer.share),
                check.whole("turn", layer.turn, 0, 2**32 - 1),
                check.whole_or_none("seed", layer.seed, 0),
            )
            for layer, field in zip(layers, made)
        ],
        _pairs(apart, names),
        run.bounds,
        run.rule,
        run.seed,
        check.whole_or_none("max_points", max_points, 1),
        run.lod,
        threads_of(threads),
        progress,
    )
    told = [field.distances_told(run.rule, 1.0, name, False) for name, field in zip(names, made)]
    for texts, _ in told:
        check.warn(texts)
    if columns["complete"]:
        check.warn(_told_of_empty(columns, names, made, [is_closed for _, is_closed in told]))
    grounds = [field.ground for field in made if field.ground is not None]
    is_one = bool(grounds) and all(ground == grounds[0] for ground in grounds)
    has_map = any(field.bounds is not None for field in made)
    return Points._of(columns, run, grounds[0] if is_one else None, has_map)


def _told_of_empty(
    columns: Columns, names: Sequence[str], made: Sequence[Field], told: Sequence[bool]
) -> list[str]:
    """Return warnings about layers without points, but those that were ``told`` of, or one if no layer has any."""
    count = len(columns["id"])
    if not count and not any(told):
        return _native.nowhere_told(_listed([name for field in made for name in field.closed_by]), None)
    layers = columns["layer"]
    counts = [0] * len(names) if layers is None else np.bincount(layers, minlength=len(names))
    others = ["the other layers"] if count else []
    texts: list[str] = []
    for number, (name, field) in enumerate(zip(names, made)):
        if not counts[number] and not told[number]:
            texts += _native.nowhere_told(_listed([*field.closed_by, *others]), name)
    return texts


def _named(layers: Sequence[Layer]) -> tuple[list[Layer], list[str], list[Field]]:
    """Return layers, their names, which must differ, and their fields."""
    form = 'layers, like [Layer("oak", 9)]'
    layers = check.several("layers", layers, form)
    if not layers:
        raise ValueError(f"layers: there is none: give {form}")
    for layer in layers:
        if not (isinstance(layer, Layer) and isinstance(layer.name, str)):
            raise ValueError(f"layers: {check.shown(layer)} is not a layer with a name of text: give {form}")
    names = [layer.name for layer in layers]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'layers: two are called "{name}"')
    return layers, names, [fields.as_field(layer.field) for layer in layers]


def _pairs(
    apart: Optional[Mapping[tuple[str, str], float]], names: Sequence[str]
) -> list[tuple[int, int, float]]:
    """Return the pairs of layer numbers that have their own distance, with that distance."""
    pairs: dict[tuple[int, int], float] = {}
    if not (apart is None or isinstance(apart, Mapping)):
        raise ValueError(f'apart {check.shown(apart)}: give distances by pairs of names, like {{("oak", "fern"): 4}}')
    for both, distance in (apart or {}).items():
        if not (isinstance(both, tuple) and len(both) == 2):
            raise ValueError(f'apart: {both!r} is not a pair of names, like ("oak", "fern")')
        for name in both:
            if name not in names:
                raise ValueError(f'apart: no layer is called "{name}"')
        a, b = sorted(names.index(name) for name in both)
        if (a, b) in pairs:
            raise ValueError(f"apart: the distance between {both[0]} and {both[1]} is given twice")
        pairs[a, b] = check.number("apart", distance)
    return [(a, b, distance) for (a, b), distance in pairs.items()]


def verify(
    points: Union[Points, npt.ArrayLike],
    map: Any = None,
    *,
    layers: Optional[Sequence[Layer]] = None,
    apart: Optional[Mapping[tuple[str, str], float]] = None,
    avoid: Any = None,
    avoid_dist: Any = None,
    rule: Optional[str] = None,
    bounds: Optional[Box] = None,
    tile: Optional[bool] = None,
    measures: str = "all",
    **options: Unpack[FieldOptions],
) -> dict[str, Any]:
    """Return the quality of a set of points, as ``spinney verify --report`` writes it.

    ``points`` are ``Points`` or an array of positions of shape (n, 2). ``map`` is their map with the
    options of ``sample``, a ``Field``, or one distance; without it each point has to keep its own
    ``min_dist``. ``report["violations"]`` is the number of pairs that are too close,
    ``report["gap_fraction"]`` the share of the area where points may lie that has room for one more. It is None
    where gaps are not measured: under rule "parent", if no place is open, and if ``map`` is one distance and two
    points lie at one place, which may mean that this distance was not meant.
    ``measures="spacing"`` leaves out the spectrum and other slow measures. Gaps at the edges of a window
    of a ``World`` are filled by points beyond it.

    ``layers`` and ``apart``, those of ``species``, replace the map. Then the spacing within each layer and
    between any two layers is judged, and the gaps of each (``report["layers"][i]["gaps"]``). ``avoid`` and
    ``avoid_dist`` are as in ``sample``: gaps count only where these allow points, and points elsewhere are
    ``report["misplaced"]``.
    """
    check.one_of("measures", measures, ("all", "spacing"))
    given, xy = points if isinstance(points, Points) else None, _positions("points", points)
    if given is not None:
        rule = given.run.rule if rule is None else rule
        tile = given.run.tile if tile is None else tile
        bounds = given.run.bounds if bounds is None else bounds
    rule = "max" if rule is None else check.one_of("rule", rule, (*fields.RULES, "parent"))
    tile = tile is not None and check.flag("tile", tile)
    obstacles = _obstacles(avoid, avoid_dist)
    if obstacles is not None:
        _check_avoided(rule)
    if layers is not None:
        for name in ("map",) if map is not None else options:
            raise ValueError(f"{name}: the layers have their own maps: drop it")
        return _verify_layers(given, layers, apart, obstacles, bounds, tile, rule)
    if apart is not None:
        raise ValueError("apart: needs layers: give layers")
    if given is not None and given.layer is not None:
        raise ValueError(
            "points: they have layers: give layers, to check each by its own distances"
        )
    field: Optional[Field] = None
    uniform: Optional[float] = None
    if isinstance(map, Real):
        uniform = check.distance("map", map)
    elif map is not None:
        field = _field(map, options)
    if field is None and options:
        raise ValueError(f"{next(iter(options))}: needs a map: give map")
    if bounds is None:
        bounds = None if field is None else field.bounds
    if bounds is None:
        raise ValueError("bounds: the size of the world is unknown: give bounds")
    box = check.box("bounds", bounds)
    factor = 1.0 if given is None else given.scale_factor
    if field is not None:
        check.warn(_told_of_run("points", points, field) + _told_of_run("avoid", avoid, field))
    if obstacles is not None:
        if field is None:
            field, factor = _even(given, uniform), 1.0
        check.warn(_native.avoid_told(*obstacles, box))
    text = _native.verify(
        xy,
        None if given is None else given.id,
        None if given is None else given.min_dist,
        None if given is None else given.rank,
        None if given is None else given.parent,
        field,
        factor,
        uniform,
        obstacles,
        box,
        tile,
        rule,
        measures == "all",
    )
    return _report(text)


def _report(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text)
    return report


def _even(given: Optional[Points], uniform: Optional[float]) -> Field:
    """Return the field of one distance; without ``uniform``, the distance that all points share."""
    if uniform is None and given is not None and len(given) and (given.min_dist == given.min_dist[0]).all():
        uniform = float(given.min_dist[0])
    if uniform is None:
        raise ValueError(
            "avoid: the min_dist of places between the points is unknown: give the map, or one distance "
            "for all"
        )
    return Field.constant(uniform)


def _verify_layers(
    given: Optional[Points],
    layers: Sequence[Layer],
    apart: Optional[Mapping[tuple[str, str], float]],
    obstacles: Optional[_Obstacles],
    bounds: Optional[Box],
    tile: bool,
    rule: str,
) -> dict[str, Any]:
    """Return the report on the distances within each layer and between any two layers."""
    if given is None or given.layer is None:
        raise ValueError("layers: the points have no layers: give Points of species")
    _, names, made = _named(layers)
    if given.run.layers and tuple(names) != given.run.layers:
        wanted = ", ".join(given.run.layers)
        raise ValueError(f"layers: the points have {wanted}: give these layers, in this order")
    box = check.box("bounds", bounds)
    if obstacles is not None:
        check.warn(_native.avoid_told(*obstacles, box))
    pairs = _pairs(apart, names)
    return _report(
        _native.verify_layers(given.xy, given.id, given.layer, made, pairs, obstacles, box, tile, rule)
    )


def read(
    path: Union[str, PathLike[str]],
    channel: str = "luma",
    *,
    alpha: str = "mask",
    nodata: Optional[float] = None,
    raw_size: Optional[tuple[int, int]] = None,
) -> _Plain:
    """Read one channel of a map: PNG, JPEG, TIFF, EXR, HDR, PNM, .asc, .r16 or .r32f, as the command
    line does.

    Greys of up to 8 bits come as ``uint8`` with white at 255, those of up to 16 and the luma of colours
    as ``uint16`` with white at 65535, other integers as integers (exact up to 2^53); a masked array where
    alpha, a mask or nodata closes pixels. Floats and scaled numbers come as ``float64``, NaN where there is
    none. The first row is the top, or the north. Warns if the file may have been meant in another way.

    If a GeoTIFF, an ESRI ASCII grid or a world file beside the map contains its place, the array is
    ``Georeferenced``, and ``sample`` uses its ``transform`` and ``crs``; otherwise both are None. Pickles of it,
    ``copy.copy`` and ``copy.deepcopy`` have them, too. An array that is computed from it or cut out of it has no place:
    give ``sample`` the ``transform``. A warning says so where that is still ``Georeferenced``; results of ``np.where``
    and the like are plain arrays.

    As ``height`` of ``sample``, an array of ``uint8``, ``uint16`` or other unsigned integers needs
    ``height_range``, as an image does not state which heights its levels are. Plain arrays are heights.
    ``range`` and ``nodata`` of ``sample`` are levels of the file, for this array and parts of it: 0 to 255 for a JPEG.
    For arrays that are computed from it they are numbers of the array.
    """
    most = 2**32 - 1
    size = None if raw_size is None else check.wholes("raw_size", raw_size, (most, most), "(512, 384)")
    channel, alpha = check.text("channel", channel, "'r' or '1'"), check.text("alpha", alpha, "'mask'")
    data, opened, told, at, unplaced, cell, full = _native.read(
        path, channel, alpha, None if nodata is None else check.real("nodata", nodata), size
    )
    check.warn(told)
    pixels: npt.NDArray[Any] = data if opened is None else np.ma.MaskedArray(data, mask=~opened)
    found: Union[Found, Unplaced, None] = None if unplaced is None else Unplaced(unplaced, cell)
    if at is not None:
        bounds, (width, height), crs, in_degrees = at
        transform = (width, 0.0, bounds[0], 0.0, -height, bounds[3])
        found = Found(transform, in_degrees, crs, bounds, cell)
    white = None if full is None else White(*full, data.dtype)
    return as_read(pixels, found, white)


def perlin(
    size: tuple[int, int] = (512, 512),
    *,
    seed: SupportsIndex = 0,
    scale: SupportsFloat = 128.0,
    octaves: SupportsIndex = 3,
    lacunarity: SupportsFloat = 2.0,
    persistence: SupportsFloat = 0.5,
    warp: SupportsFloat = 0.0,
    threshold: Optional[SupportsFloat] = None,
) -> npt.NDArray[np.uint16]:
    """Return a map of Perlin noise, ``size`` (width, height) pixels, as ``spinney map perlin`` makes it.

    ``scale`` is the width of a cycle of the first octave, pixels; ``warp`` displaces places by so many
    pixels; ``threshold`` cuts it into black and white. For endless noise see ``noise_field``.
    """
    most = 1 << 28
    pixels = check.wholes("size", size, (most, most), "(512, 384)")
    if pixels[0] * pixels[1] > most:
        raise ValueError(f"size {pixels[0]}x{pixels[1]}: more than {most} pixels")
    if threshold is not None and not 0 <= check.number("threshold", threshold) <= 1:
        raise ValueError(f"threshold {threshold}: must be a number from 0 to 1")
    return _native.perlin(
        pixels,
        check.whole("seed", seed, 0),
        check.distance("scale", scale),
        check.whole("octaves", octaves, 0, 2**32 - 1),
        check.number("lacunarity", lacunarity),
        check.number("persistence", persistence),
        check.number("warp", warp),
        None if threshold is None else check.number("threshold", threshold),
    )
