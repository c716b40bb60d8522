"""Several layers with distances between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, SupportsIndex, Union

import numpy as np

from . import _checks as check
from . import _fields as fields
from . import _native
from ._fields import lod_of, rule_of, threads_of
from ._native import Field
from ._points import Points, Run
from ._types import Box, Columns, Progress


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
    count: Optional[SupportsIndex] = None,
    max_points: Optional[SupportsIndex] = None,
    lod: SupportsIndex = 0,
    threads: Optional[SupportsIndex] = None,
    progress: Optional[Progress] = None,
) -> Points:
    """Scatter several layers with distances between them, as ``spinney sample --species`` does.

    ``apart`` has the distance between points of two layers, by the layers' names; pairs without an entry
    follow ``rule``. ``bounds`` is the rectangle to fill, by default that of the layers' maps. ``count`` is the
    number of points of all layers together, reached by scaling all distances. The points' ``layer`` counts
    from 0, and ``points.run.layers`` has the names. Points have heights if all fields with ``height`` have the
    same.
    """
    check.callback("progress", progress)
    layers, names, made = named(layers)
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
        pairs_of(apart, names),
        run.bounds,
        run.rule,
        run.seed,
        check.whole_or_none("count", count, 1),
        check.whole_or_none("max_points", max_points, 1),
        run.lod,
        threads_of(threads),
        progress,
    )
    factor = columns["scale_factor"]
    told = [field.distances_told(run.rule, factor, name, False) for name, field in zip(names, made)]
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
        return _native.nowhere_told(check.listed([name for field in made for name in field.closed_by]), None)
    layers = columns["layer"]
    counts = [0] * len(names) if layers is None else np.bincount(layers, minlength=len(names))
    others = ["the other layers"] if count else []
    texts: list[str] = []
    for number, (name, field) in enumerate(zip(names, made)):
        if not counts[number] and not told[number]:
            texts += _native.nowhere_told(check.listed([*field.closed_by, *others]), name)
    return texts


def named(layers: Sequence[Layer]) -> tuple[list[Layer], list[str], list[Field]]:
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


def pairs_of(
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
