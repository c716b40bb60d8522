"""Maps of files, and of noise."""

from __future__ import annotations

from os import PathLike
from typing import Any, Optional, SupportsFloat, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _native
from ._georeferenced import Found, Unplaced, White, _Plain, as_read


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
