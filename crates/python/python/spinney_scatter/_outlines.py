"""Polygons, from what people have to GeoJSON."""

from __future__ import annotations

import json
from typing import Any, Mapping

import numpy as np

_FORM = "give GeoJSON, shapely or GeoPandas geometries, or outlines as arrays of shape (n, 2)"


def geojson(polygons: Any) -> str:
    """Return polygons as the text of a GeoJSON geometry, feature or collection, world units."""
    if isinstance(polygons, str):
        return polygons
    return json.dumps(_object(polygons))


def _object(polygons: Any) -> Any:
    if isinstance(polygons, Mapping):
        return polygons
    interface = getattr(polygons, "__geo_interface__", None)
    if interface is not None:
        return interface
    if isinstance(polygons, np.ndarray) and polygons.ndim == 2:
        return _outline(polygons)
    try:
        members = [
            _outline(member) if isinstance(member, np.ndarray) else _object(member)
            for member in polygons
        ]
    except TypeError:
        raise ValueError(f"polygons: {polygons!r} are none: {_FORM}") from None
    return {
        "type": "FeatureCollection",
        "features": [feature for member in members for feature in _features(member)],
    }


def _features(member: Any) -> list[Any]:
    """Return what is in a collection, each geometry as a feature."""
    if member.get("type") == "FeatureCollection":
        return list(member["features"])
    if member.get("type") == "Feature":
        return [member]
    return [{"type": "Feature", "properties": {}, "geometry": member}]


def _outline(corners: Any) -> dict[str, Any]:
    """Return an outline as a polygon; it closes itself."""
    if corners.ndim != 2 or corners.shape[1] != 2 or corners.dtype.kind not in "iuf":
        raise ValueError(f"polygons: an outline must have the shape (n, 2), and not {corners.shape}")
    ring = [[float(x), float(y)] for x, y in corners]
    if ring and ring[0] != ring[-1]:
        ring.append(ring[0])
    return {"type": "Polygon", "coordinates": [ring]}
