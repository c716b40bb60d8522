"""Writes GeoParquet 1.1 with ``pyarrow``."""

from __future__ import annotations

import json
import os
import uuid
from os import PathLike
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

import numpy as np

from . import _checks as check
from . import _native

if TYPE_CHECKING:
    from ._points import Points

#: Prefix of the names of incomplete files.
DRAFT = ".spinney-"

#: A point in WKB, by its number of coordinates: byte order, type, coordinates.
_WKB = {
    axes: np.dtype([("order", "u1"), ("type", "<u4"), *((axis, "<f8") for axis in "xyz"[:axes])])
    for axes in (2, 3)
}


def projjson(crs: Any) -> Any:
    """Return a coordinate system as PROJJSON; None for None."""
    if crs is None:
        return None
    try:
        import pyproj
    except ImportError:
        raise ValueError(
            "crs: GeoParquet stores it as PROJJSON, which needs pyproj: install pyproj"
        ) from None
    try:
        return pyproj.CRS.from_user_input(crs).to_json_dict()
    except pyproj.exceptions.CRSError as error:
        raise ValueError(f"crs {crs}: {error}") from None


def projjson_of(crs: Any, found: Optional[str]) -> Any:
    """Return a given coordinate system as PROJJSON, by default the one that was found. Warns if that one cannot
    be written.
    """
    if crs is not None:
        return projjson(crs)
    try:
        return projjson(found)
    except ValueError as error:
        check.warn([f"{found} is not written: {error}"])
        return None


def is_same(one: Any, other: Any) -> bool:
    """Return True if two systems in PROJJSON, or None, are the same. Versions of PROJ write one differently."""
    if one == other or one is None or other is None:
        return bool(one == other)
    import pyproj

    return bool(pyproj.CRS.from_json_dict(one) == pyproj.CRS.from_json_dict(other))


def write(
    path: Union[str, PathLike[str]], points: Points, crs: Any, about: Mapping[str, str]
) -> None:
    """Write points with a column ``bbox``. ``crs`` is PROJJSON, or None if unknown. ``about`` becomes part of the
    file's metadata.

    The file is written under a temporary name in the same folder and renamed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, place = len(points), points._place()
    kind = _WKB[len(place)]
    wkb = np.empty(count, kind)
    wkb["order"], wkb["type"] = 1, 1 if len(place) == 2 else 1001
    for axis, numbers in zip("xyz", place):
        wkb[axis] = numbers
    if count * kind.itemsize > np.iinfo(np.int32).max:
        raise ValueError(f"{os.fspath(path)}: {count} points are too many for one file: write parts")
    ends = np.arange(count + 1, dtype=np.int32) * np.int32(kind.itemsize)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(wkb.tobytes())]
    geometry = pa.Array.from_buffers(pa.binary(), count, buffers)
    box = pa.StructArray.from_arrays(
        [pa.array(side) for side in 2 * place[:2]], ["xmin", "ymin", "xmax", "ymax"]
    )
    named = {"id": points.id, "x": points.xy[:, 0], "y": points.xy[:, 1], **points._columns()}
    for name in ("x", "y", "min_dist", "value"):
        for at in np.flatnonzero(~np.isfinite(named[name]))[:1]:
            raise ValueError(
                f"{os.fspath(path)}: point {points.id[at]} has {name} = {named[name][at]}, but files contain only "
                "finite numbers: correct the field"
            )
    # NaN, where there is no ground, becomes null.
    columns = {name: pa.array(column, from_pandas=True) for name, column in named.items()}
    columns.update(geometry=geometry, bbox=box)
    geo: dict[str, Any] = {
        "encoding": "WKB",
        "geometry_types": ["Point" if len(place) == 2 else "Point Z"],
        "crs": crs,
        "covering": {"bbox": {side: ["bbox", side] for side in ("xmin", "ymin", "xmax", "ymax")}},
    }
    if count:
        geo["bbox"] = [float(end(axis)) for end in (np.min, np.max) for axis in place]
    run = points.run
    metadata = {
        "geo": json.dumps(
            {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": geo}}
        ),
        "spinney": json.dumps(
            {
                "version": _native.__version__,
                "algorithm_version": run.algorithm_version,
                "seed": run.seed,
                "rule": run.rule,
                "crs": run.crs,
                **({} if points.scale_factor == 1 else {"scale_factor": points.scale_factor}),
                "layers": list(run.layers),
            }
        ),
        **about,
    }
    table = pa.table(columns).replace_schema_metadata(metadata)
    folder = os.path.dirname(os.fspath(path)) or "."
    draft = os.path.join(folder, f"{DRAFT}{uuid.uuid4().hex}.parquet")
    try:
        with open(draft, "xb") as out:
            pq.write_table(table, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, path)
    except BaseException as error:
        if os.path.exists(draft):
            os.unlink(draft)
        if isinstance(error, OSError) and error.filename == draft:
            # The caller knows the file by the name that was given.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
