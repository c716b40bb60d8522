"""The quality of points."""

from __future__ import annotations

import json
from numbers import Real
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy.typing as npt

from . import _checks as check
from . import _fields as fields
from . import _native
from ._fields import FieldOptions
from ._native import Field
from ._obstacles import Obstacles, check_avoided, obstacles_of, positions, told_of_run
from ._points import Points
from ._species import Layer, named, pairs_of
from ._types import Box

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
    where gaps are not measured: under rule "parent", and if no place is open.
    ``measures="spacing"`` leaves out the spectrum and other slow measures. Gaps at the edges of a window
    of a ``World`` are filled by points beyond it.

    ``layers`` and ``apart``, those of ``species``, replace the map. Then the spacing within each layer and
    between any two layers is judged, and the gaps of each (``report["layers"][i]["gaps"]``). ``avoid`` and
    ``avoid_dist`` are as in ``sample``: gaps count only where these allow points, and points elsewhere are
    ``report["misplaced"]``.
    """
    check.one_of("measures", measures, ("all", "spacing"))
    given, xy = points if isinstance(points, Points) else None, positions("points", points)
    if given is not None:
        rule = given.run.rule if rule is None else rule
        tile = given.run.tile if tile is None else tile
        bounds = given.run.bounds if bounds is None else bounds
    rule = "max" if rule is None else check.one_of("rule", rule, _native.RULES)
    tile = tile is not None and check.flag("tile", tile)
    obstacles = obstacles_of(avoid, avoid_dist)
    if obstacles is not None:
        check_avoided(rule)
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
        field = fields.field_of(map, options)
    if field is None and options:
        raise ValueError(f"{next(iter(options))}: needs a map: give map")
    if bounds is None:
        bounds = None if field is None else field.bounds
    if bounds is None:
        raise ValueError("bounds: the size of the world is unknown: give bounds")
    box = check.box("bounds", bounds)
    factor = 1.0 if given is None else given.scale_factor
    if field is not None:
        check.warn(told_of_run("points", points, field) + told_of_run("avoid", avoid, field))
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
    obstacles: Optional[Obstacles],
    bounds: Optional[Box],
    tile: bool,
    rule: str,
) -> dict[str, Any]:
    """Return the report on the distances within each layer and between any two layers."""
    if given is None or given.layer is None:
        raise ValueError("layers: the points have no layers: give Points of species")
    _, names, made = named(layers)
    if given.run.layers and tuple(names) != given.run.layers:
        wanted = ", ".join(given.run.layers)
        raise ValueError(f"layers: the points have {wanted}: give these layers, in this order")
    box = check.box("bounds", bounds)
    if obstacles is not None:
        check.warn(_native.avoid_told(*obstacles, box))
    pairs = pairs_of(apart, names)
    return _report(
        _native.verify_layers(
            given.xy, given.id, given.layer, made, pairs, given.scale_factor, obstacles, box, tile, rule
        )
    )
