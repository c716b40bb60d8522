"""Helpers of several test files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Callable, Optional, Sequence, Union

import pytest


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
