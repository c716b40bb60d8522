"""Conversion of arrays, masked arrays and ``xarray`` to plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _native
from ._georeferenced import Found, Unplaced, White, found_of
from ._rasters import UNSCALED, Scaling, is_data_array, of_xarray, scaling_of

#: Levels of black and white. ``"auto"`` takes the least and the greatest.
Range = Union[tuple[float, float], Literal["auto"], None]

_FORM = "give one band or channel of it, like bands[0] or image[..., 0]"

_NUMBERS = "give an array, like read(path), src.read(1) or dataset[name]"

#: No measured value is this large. A nodata number beyond it also covers all values that far out.
_ABSURD = 3.39e38

#: The greatest number below 0.5.
_BELOW_HALF = float(np.nextafter(0.5, 0.0))


@dataclass(frozen=True)
class Placed:
    """An array, the mask of its valid numbers, and its own place."""

    data: npt.NDArray[Any]
    open: Optional[npt.NDArray[np.bool_]]
    found: Union[Found, Unplaced, None]

    def part(self, rows: slice, columns: slice) -> Placed:
        """Return a part of the array, without its place."""
        opened = None if self.open is None else np.ascontiguousarray(self.open[rows, columns])
        return Placed(self.data[rows, columns], opened, None)

    def flipped(self) -> Placed:
        """Return the array with its rows in reverse order."""
        opened = None if self.open is None else np.ascontiguousarray(self.open[::-1])
        return Placed(self.data[::-1], opened, None)


def placed(
    name: str, array: Any, nodata: Optional[float] = None, scaling: Optional[Scaling] = None
) -> Placed:
    """Return any array-like value as a two-dimensional array of numbers. By default only the numbers of a
    DataArray are scaled, by its own scaling.
    """
    found = found_of(name, array)
    closed: Optional[npt.NDArray[np.bool_]] = None
    given = array
    if is_data_array(array):
        array, found, stated = of_xarray(name, array)
        scaling = scaling_of(name, array) if scaling is None else scaling
        array = array.values
        nodata = stated if nodata is None else nodata
    if isinstance(array, np.ma.MaskedArray):
        closed = np.ma.getmaskarray(array)
        array = array.data
    try:
        data = np.asarray(array)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: not an array of numbers: {error}") from None
    if data.dtype.kind not in "buif":
        raise ValueError(f"{name}: must hold real numbers, not {data.dtype}: {_NUMBERS}")
    if data.ndim == 3 and data.shape[0] == 1:
        # A single band: rasterio returns bands as the first of three dimensions.
        data, closed = data[0], None if closed is None else closed[0]
    if data.ndim != 2:
        raise ValueError(f"{name}: must have rows and columns, not shape {data.shape}: {_FORM}")
    if data.size == 0:
        rows, columns = data.shape
        raise ValueError(
            f"{name}: a map needs at least one pixel, but this one is {columns}x{rows}"
        )
    if nodata is not None:
        none = _is_nodata(in_file_units(given, data), check.real("nodata", nodata))
        closed = none if closed is None else closed | none
    if data.dtype.kind == "f":
        none = np.isnan(data)
        closed = none if closed is None else closed | none
    opened = None if closed is None or not closed.any() else np.ascontiguousarray(~closed)
    return scaled(Placed(data, opened, found), UNSCALED if scaling is None else scaling)


def scaled(array: Placed, scaling: Scaling) -> Placed:
    """Return an array of scaled numbers, computed as the command line does."""
    if scaling == UNSCALED:
        return array
    return replace(array, data=array.data.astype(np.float64) * scaling[0] + scaling[1])


def _is_nodata(data: npt.NDArray[Any], nodata: float) -> npt.NDArray[np.bool_]:
    """Return the mask of numbers that mean no data, by the rules of the command line."""
    # The number may exceed the range of the array's type.
    with np.errstate(over="ignore"):
        # In single precision the nearest number is stored instead.
        none: npt.NDArray[np.bool_] = (data == nodata) | (data == float(np.float32(nodata)))
        if abs(nodata) >= _ABSURD and data.dtype.kind == "f":
            none |= data >= _ABSURD if nodata > 0 else data <= -_ABSURD
    return none


def told_of_infinite(name: str, array: Placed) -> list[str]:
    """Return warnings if open pixels of a map are infinite."""
    if array.data.dtype.kind != "f":
        return []
    least, most = array.data == -np.inf, array.data == np.inf
    if array.open is not None:
        least, most = least & array.open, most & array.open
    return _native.infinite_told(name, int(least.sum()), int(most.sum()))


def doubles(array: Placed) -> npt.NDArray[np.float64]:
    """Return the numbers as contiguous 64-bit floats, NaN where there is none."""
    data = np.array(array.data, dtype=np.float64, order="C")
    if array.open is not None:
        data[~array.open] = np.nan
    return data


def is_grey(kind: np.dtype[Any]) -> bool:
    """Return True if the type defines black and white."""
    return kind.kind == "b" or (kind.kind == "u" and kind.itemsize <= 2)


def is_rounded(kind: np.dtype[Any]) -> bool:
    """Return True if a map of this type is rounded to 16-bit greys, as the command line rounds all maps."""
    return kind.kind in "bui"


def white_of(kind: np.dtype[Any]) -> float:
    """Return the number that is white in a type of greys."""
    return 1.0 if kind.kind == "b" else float(np.iinfo(kind).max)


def greys(array: Placed, levels: Range) -> npt.NDArray[np.uint16]:
    """Return 16-bit greys, converted as the command line does."""
    data = array.data
    kind = data.dtype
    if levels is None and is_grey(kind):
        if kind.kind == "b":
            return np.ascontiguousarray(np.where(data, np.uint16(65535), np.uint16(0)))
        if kind.itemsize == 1:
            return np.ascontiguousarray(data.astype(np.uint16) * np.uint16(257))
        return np.ascontiguousarray(data, dtype=np.uint16)
    # A half would round up the number below 0.5, too.
    return np.floor(np.nan_to_num(values(array, levels)) * 65535.0 + _BELOW_HALF).astype(np.uint16)


def values(array: Placed, levels: Range) -> npt.NDArray[np.float64]:
    """Return values in [0, 1], NaN where there is none.

    Without ``levels``, the least number is black and the greatest white.
    """
    data = doubles(array)
    if levels is None or isinstance(levels, str) and levels == "auto":
        finite = np.isfinite(data)
        if not finite.any():
            if np.isinf(data).any():
                raise ValueError("range: no level is finite: give it as range=(lo, hi)")
            return data
        lo = float(data.min(where=finite, initial=np.inf))
        hi = float(data.max(where=finite, initial=-np.inf))
        if lo == hi:
            raise ValueError(
                f"map: the level is {lo:g} everywhere in the map, so black and white cannot be found: "
                "give their range=(lo, hi)"
            )
    else:
        lo, hi = levels_of(levels)
    # Halved, as a range may be wider than the greatest number. In place, as a map may be large.
    data *= 0.5
    data -= 0.5 * lo
    data /= 0.5 * hi - 0.5 * lo
    return np.clip(data, 0.0, 1.0, out=data)


def levels_of(levels: Any) -> tuple[float, float]:
    """Return the given levels of black and white."""
    lo, hi = check.pair("range", levels, "(-12.5, 801)")
    if not (np.isfinite(lo) and np.isfinite(hi) and lo < hi):
        raise ValueError(
            f"range {lo:g}..{hi:g}: black must be a finite level below white; "
            'white="dense" inverts the map'
        )
    return lo, hi


def in_file_units(array: Any, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the numbers of an array, in the units of the file if ``read`` has read it."""
    white: Optional[White] = getattr(array, "_white", None)
    return data if white is None else white.levels(data)


def spread(name: str, given: Any, mask: Placed, threshold: float) -> Placed:
    """Return a mask whose integers, other than greys, are values from 0, the least, to 1, the greatest. A threshold
    above 1 is a level of them.
    """
    kind = mask.data.dtype
    if kind.kind not in "iu":
        return mask
    if threshold < 0:
        raise ValueError(f"{name}_threshold {threshold:g}: must not be negative for a mask of integers")
    if is_grey(kind):
        white: Optional[White] = getattr(given, "_white", None)
        levels = in_file_units(given, mask.data)
        return mask if white is None or levels is mask.data else replace(mask, data=levels / white.level)
    valid = mask.data if mask.open is None else mask.data[mask.open]
    # An array of 0 and 1 is a mask already, even where all numbers are the same.
    if threshold > 1 or not valid.size or (valid.min() >= 0 and valid.max() <= 1):
        return mask
    if valid.min() == valid.max():
        raise ValueError(
            f"{name}: the level is {valid.min()} everywhere, so that 0 and 1 cannot be found: give "
            f"{name}.astype(bool) if all but 0 is open"
        )
    return replace(mask, data=values(mask, None))


def opened(name: str, mask: Placed, threshold: float) -> npt.NDArray[np.bool_]:
    """Return a mask that is True where a mask is True, or at least ``threshold``."""
    data = mask.data
    if data.dtype.kind == "b":
        result = data
    else:
        data = data / white_of(data.dtype) if is_grey(data.dtype) else data
        # NaN is not open.
        result = data >= threshold
    if mask.open is not None:
        result = result & mask.open
    if not result.any():
        none = f"{name}: no pixel has a value of {threshold:g} or more: nothing is open"
        valid = data[np.isfinite(data) if mask.open is None else np.isfinite(data) & mask.open]
        if not valid.size:
            raise ValueError(f"{none}; all of it is masked, NaN or no-data")
        most = float(valid.max())
        if most <= 0:
            raise ValueError(f"{none}; the greatest is {most:.4g}")
        of = " of 1, which is white" if is_grey(mask.data.dtype) else ""
        raise ValueError(
            f"{none}; the greatest is {most:.4g}{of}: give {name}.astype(bool) if all but 0 is open, or "
            f"{name}_threshold {0.5 * most:.4g} or less"
        )
    return np.array(result, dtype=np.bool_, order="C")


def between(given: Any, heights: Placed, ends: Any) -> tuple[Placed, Optional[tuple[float, float]]]:
    """Return the heights of the array ``given``, of which ``ends`` are black and white, computed as the command line
    does, and these ends. Without ends the numbers are heights, and refused if they are an image's levels.
    """
    kind = heights.data.dtype
    levels = in_file_units(given, heights.data)
    most = 1.0 if kind.kind in "bf" else float(np.iinfo(kind).max)
    if levels is not heights.data:
        most = given._white.level
    if ends is None:
        if getattr(given, "_is_unstated", False) and kind.kind == "u":
            raise ValueError(
                f"height: an image of {8 * kind.itemsize} bits does not state its heights: give those of black and white as "
                f"height_range=(lo, hi), (0, {check.plain(most)}) if its levels are heights"
            )
        return heights, None
    lo, hi = check.pair("height_range", ends, "(0, 800)")
    if not (np.isfinite(hi - lo) and lo <= hi):
        raise ValueError(
            f"height_range {lo:g}..{hi:g}: give two numbers, the lower first, like (0, 800)"
        )
    if kind.kind == "i":
        raise ValueError(
            f"height_range {lo:g}..{hi:g}: signed integers are heights, none of them black or white: drop it, and multiply "
            "the array if they are not in world units"
        )
    return replace(heights, data=lo + (hi - lo) / most * levels.astype(np.float64)), (lo, hi)
