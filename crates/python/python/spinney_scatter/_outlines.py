"""Conversion of polygons to GeoJSON."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ._checks import shown, unmasked
from ._rasters import system_of

_FORM = "give GeoJSON, shapely or GeoPandas geometries, or outlines as arrays of shape (n, 2), like np.array(corners)"


def geojsons(polygons: Any) -> list[str]:
    """Return polygons as texts of GeoJSON collections, world units: one for each coordinate system."""
    is_text = isinstance(polygons, str)
    if isinstance(polygons, os.PathLike) or is_text and not polygons.lstrip("\ufeff \t\r\n").startswith("{"):
        raise ValueError(
            f"polygons {shown(polygons)}: not GeoJSON, and files are not read: give the text of one, or "
            "geopandas.read_file(path)"
        )
    if is_text:
        return [polygons]
    by_system: dict[str, list[Any]] = {}
    for system, geometry in _geometries(polygons, None):
        by_system.setdefault(_json(system), []).append(geometry)
    if all(_is_empty(geometry) for part in by_system.values() for geometry in part):
        raise ValueError("polygons: there is none, or all are empty: give some with corners")
    # A system's polygons that are all empty are no error beside others.
    parts = {system: part for system, part in by_system.items() if not all(map(_is_empty, part))}
    return [_collection(system, part) for system, part in parts.items()]


def _collection(system: str, geometries: Sequence[Any]) -> str:
    """Return the text of a collection of geometries."""
    # Attributes are dropped: tables contain dates and other values that JSON lacks.
    features = [{"type": "Feature", "properties": {}, "geometry": geometry} for geometry in geometries]
    collection = {"type": "FeatureCollection", "features": features}
    return _json(collection if system == "null" else {**collection, "crs": json.loads(system)})


def _json(value: Any) -> str:
    """Return a value of GeoJSON as a text."""
    try:
        # Converts NumPy's numbers.
        return json.dumps(value, default=float, allow_nan=False)
    except TypeError:
        raise ValueError(f"polygons: their coordinates are not lists of numbers: {_FORM}") from None
    except ValueError as error:
        if "JSON compliant" not in str(error):
            raise ValueError(f"polygons: {error}: {_FORM}") from None
        raise ValueError("polygons: a coordinate is NaN or infinite: drop the polygons that have one") from None


def _is_empty(geometry: Any) -> bool:
    """Return True if a geometry has no coordinates, and no member that has some."""
    if not isinstance(geometry, Mapping):
        return geometry is None
    try:
        members = geometry.get("geometries") or ()
        return not len(geometry.get("coordinates") or ()) and all(map(_is_empty, members))
    except (TypeError, ValueError):
        # Neither is a list. The native module refuses those that are no coordinates.
        return False


def _named(polygons: Any) -> Any:
    """Return the GeoJSON member ``crs`` for GeoPandas' coordinate system; None if it is unknown."""
    system = system_of(getattr(polygons, "crs", None))
    return None if system is None else {"type": "name", "properties": {"name": system}}


def _geometries(polygons: Any, system: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the geometries of a value of any supported type, each with its coordinate system: its own, by default
    ``system``.
    """
    own = polygons.get("crs") if isinstance(polygons, Mapping) else _named(polygons)
    system = system if own is None else own
    interface = polygons if isinstance(polygons, Mapping) else getattr(polygons, "__geo_interface__", None)
    if interface is not None:
        kind = interface.get("type")
        if kind == "FeatureCollection":
            for feature in interface.get("features") or ():
                yield from _geometries(feature, system)
        elif kind == "Feature":
            yield system, interface.get("geometry")
        elif kind == "LinearRing":
            raise ValueError("polygons: a LinearRing has no inside: give shapely.Polygon(ring)")
        else:
            yield system, interface
    elif isinstance(polygons, np.ndarray) and (polygons.ndim == 2 or polygons.dtype.kind in "iuf"):
        yield system, _outline(polygons)
    elif isinstance(polygons, str) or not isinstance(polygons, Iterable):
        raise ValueError(f"polygons: {shown(repr(polygons))} are not polygons: {_FORM}")
    else:
        for member in polygons:
            yield from _geometries(member, system)


def _outline(corners: Any) -> dict[str, Any]:
    """Return an outline as a closed polygon."""
    unmasked("polygons", corners)
    if corners.ndim != 2 or corners.shape[1] != 2 or corners.dtype.kind not in "iuf":
        raise ValueError(f"polygons: an outline must have the shape (n, 2), not {corners.shape}")
    ring = [[float(x), float(y)] for x, y in corners]
    if ring and ring[0] != ring[-1]:
        ring.append(ring[0])
    return {"type": "Polygon", "coordinates": [ring]}
