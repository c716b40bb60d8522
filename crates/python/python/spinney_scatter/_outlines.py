"""Conversion of polygons to GeoJSON."""

from __future__ import annotations

import json
from typing import Any, Iterable, Iterator, Mapping

import numpy as np

from ._arrays import system_of
from ._checks import shown

_FORM = "give GeoJSON, shapely or GeoPandas geometries, or outlines as arrays of shape (n, 2)"


def geojson(polygons: Any) -> str:
    """Return polygons as the text of a GeoJSON collection, world units."""
    if isinstance(polygons, str):
        return polygons
    # Attributes are dropped: tables contain dates and other values that JSON lacks.
    features = [{"type": "Feature", "properties": {}, "geometry": g} for g in _geometries(polygons)]
    collection: dict[str, Any] = {"type": "FeatureCollection", "features": features}
    crs = polygons.get("crs") if isinstance(polygons, Mapping) else _named(polygons)
    if crs is not None:
        collection["crs"] = crs
    if all(_is_empty(feature["geometry"]) for feature in features):
        raise ValueError("polygons: there is none, or all are empty: give some with corners")
    try:
        # Converts NumPy's numbers.
        return json.dumps(collection, default=float, allow_nan=False)
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


def _geometries(polygons: Any) -> Iterator[Any]:
    """Yield the geometries of a value of any supported type."""
    interface = polygons if isinstance(polygons, Mapping) else getattr(polygons, "__geo_interface__", None)
    if interface is not None:
        kind = interface.get("type")
        if kind == "FeatureCollection":
            for feature in interface.get("features") or ():
                yield from _geometries(feature)
        else:
            yield interface.get("geometry") if kind == "Feature" else interface
    elif isinstance(polygons, np.ndarray) and (polygons.ndim == 2 or polygons.dtype.kind in "iuf"):
        yield _outline(polygons)
    elif isinstance(polygons, str) or not isinstance(polygons, Iterable):
        raise ValueError(f"polygons: {shown(repr(polygons))} are not polygons: {_FORM}")
    else:
        for member in polygons:
            yield from _geometries(member)


def _outline(corners: Any) -> dict[str, Any]:
    """Return an outline as a closed polygon."""
    if corners.ndim != 2 or corners.shape[1] != 2 or corners.dtype.kind not in "iuf":
        raise ValueError(f"polygons: an outline must have the shape (n, 2), not {corners.shape}")
    ring = [[float(x), float(y)] for x, y in corners]
    if ring and ring[0] != ring[-1]:
        ring.append(ring[0])
    return {"type": "Polygon", "coordinates": [ring]}
