"""Helpers of several test files."""

from __future__ import annotations

import csv
import re
import warnings
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
import pytest

from spinney_scatter import _native

#: The rules of algorithm scatter.
RULES = _native.SCATTER_RULES


def recipes() -> list[str]:
    """Return the code of docs/python.md."""
    text = (Path(__file__).resolve().parents[3] / "docs" / "python.md").read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def told_by(call: Callable[..., object], *arguments: Any, **options: Any) -> list[str]:
    """Return the warnings of a call."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call(*arguments, **options)
    return [str(warning.message) for warning in told if warning.category in (UserWarning, RuntimeWarning)]


def assert_told(beginnings: Sequence[str], call: Callable[..., object], *arguments: Any, **options: Any) -> None:
    """Assert that the warnings of a call begin so."""
    told = told_by(call, *arguments, **options)
    assert len(told) == len(beginnings) and all(map(str.startswith, told, beginnings)), told


def geotiff(path: Union[str, Path], pixels: Any, transform: Optional[Sequence[float]], crs: Any = "EPSG:32633",
            scales: Any = None, offsets: Any = None, **more: Any) -> None:
    """Write a raster of one band, or of several, with rasterio's six numbers as its place."""
    rasterio = pytest.importorskip("rasterio")
    bands = pixels.reshape(-1, *pixels.shape[-2:])
    count, rows, columns = bands.shape
    with rasterio.open(path, "w", **{"driver": "GTiff", **more}, width=columns, height=rows, count=count,
                       dtype=pixels.dtype, crs=crs,
                       transform=None if transform is None else rasterio.Affine(*transform)) as out:
        out.write(bands)
        if scales is not None:
            out.scales, out.offsets = scales, offsets


def assert_refused(said: str, call: Callable[..., object], *arguments: Any, **options: Any) -> None:
    """Assert that a call raises a ValueError of one line that begins so."""
    with pytest.raises(ValueError) as refused:
        call(*arguments, **options)
    text = str(refused.value)
    assert text.startswith(said) and "\n" not in text and len(text) < 300, text


def flags_of(options: Mapping[str, Any]) -> list[str]:
    """Return the command line's flags for options of ``sample``."""
    flags = []
    for name, value in options.items():
        flag = "--map" if name == "map_is" else f"--{name.replace('_', '-')}"
        if name == "y_up" and not value:
            flags.append("--pixels")
        elif value is True:
            flags.append(flag)
        elif name == "curve":
            flags.append(f"{flag}={','.join(f'{x}:{y}' for x, y in value)}")
        elif isinstance(value, tuple):
            between = {"size": "x", "origin": ","}.get(name, "..")
            flags.append(f"{flag}={between.join(map(str, value))}")
        else:
            flags.append(f"{flag}={value}")
    return flags


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def csv_table(path: Path) -> dict[str, Any]:
    """Return the columns of a CSV file of points."""
    found = rows(path)
    kinds = {"id": np.uint64, "rank": np.uint32, "layer": np.uint32}
    return {name: np.array([row[name] for row in found]).astype(kinds.get(name, np.float64)) for name in found[0]}


def parquet_table(path: Path) -> dict[str, Any]:
    """Return the columns of a GeoParquet file of points."""
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(path, partitioning=None)
    return {name: found[name].to_numpy() for name in found.column_names if name not in ("geometry", "bbox")}


def table(points: Any) -> dict[str, Any]:
    """Return the columns of points, by their names in files."""
    return {"x": points.xy[:, 0], "y": points.xy[:, 1], **points._columns()}


def assert_make_up(parts: Sequence[Mapping[str, Any]], whole: Mapping[str, Any]) -> None:
    """Assert that the columns of all parts are those of the whole, with no point twice."""
    ids = np.concatenate([part["id"] for part in parts])
    assert len(np.unique(ids)) == len(ids) == len(whole["id"])
    order, theirs = np.argsort(ids), np.argsort(whole["id"])
    for name, column in whole.items():
        assert (np.concatenate([part[name] for part in parts])[order] == column[theirs]).all(), name


def assert_same(points: Any, path: Path) -> None:
    """Assert that points and all their columns are those of a CSV file, in their order and to the last bit."""
    ours, theirs = table(points), csv_table(path)
    assert len(points) > 20 and ours.keys() == theirs.keys()
    for name, column in ours.items():
        assert column.tolist() == theirs[name].tolist(), name


#: Names of files in all formats but GeoParquet.
FILES = ("a.csv", "a.json", "a.ply", "a.svg", "a.npy", "a.geojson", "a.glb", "a.usda", "a.tscn", "a.unity.json",
         "a.unreal.csv")


def outputs(files: Sequence[Path]) -> list[object]:
    """Return the command line's flags to write these files."""
    return [word for file in files for word in ("-o", file)]


def assert_writes(points: Any, *files: Path, **placing: Any) -> None:
    """Assert that ``save`` writes the bytes of the command line's files."""
    for theirs in files:
        ours = theirs.with_name(f"ours-{theirs.name}")
        points.save(ours, **placing)
        assert ours.read_bytes() == theirs.read_bytes(), theirs.name
