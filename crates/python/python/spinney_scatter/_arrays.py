"""Conversion of arrays, masked arrays, ``xarray`` and transforms to plain arrays."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Any, Literal, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _checks as check
from . import _native
from ._georeferenced import Found, Unplaced, White, found_of
from ._types import Box

#: Levels of black and white. ``"auto"`` takes the least and the greatest.
Range = Union[tuple[float, float], Literal["auto"], None]

#: The factor and the offset that turn the numbers of a file into levels.
Scaling = tuple[float, float]

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


@dataclass(frozen=True)
class Place:
    """The position of an array in the world."""

    #: The rectangle of the array.
    bounds: Box
    #: Whether y runs up: the first row, after ``turned``, has the highest y.
    y_up: bool
    #: Whether rows run from south to north, so that they have to be turned.
    south_first: bool
    #: Whether the place comes from a transform.
    by_transform: bool
    #: The coordinate system by authority and code, if known.
    crs: Optional[str] = None
    #: Whether the size was given or found. Otherwise it is one unit a pixel.
    measured: bool = True
    #: Whether y runs down because ``y_up`` was not given.
    down_by_default: bool = False
    #: Width and height of a pixel.
    pixel: tuple[float, float] = (1.0, 1.0)

    def is_somewhere(self) -> bool:
        """Return True if the world lies on a map: by a transform, or by an origin with y up."""
        return self.y_up and (self.by_transform or self.bounds[:2] != (0.0, 0.0))

    def native(self) -> tuple[Box, bool]:
        """Return the place in the native module's form."""
        return self.bounds, self.y_up

    def shape(self) -> tuple[int, int]:
        """Return the number of rows and columns."""
        x0, y0, x1, y1 = self.bounds
        return round((y1 - y0) / self.pixel[1]), round((x1 - x0) / self.pixel[0])

    def turned(self, array: Placed) -> Placed:
        """Return an array of this place with its rows from the north."""
        return array.flipped() if self.south_first else array


def place(
    shape: tuple[int, ...],
    transform: Any,
    size: Any,
    origin: Any,
    y_up: Optional[bool],
    found: Union[Found, Unplaced, None],
    name: str,
) -> Place:
    """Return the place of an array of this shape.

    It follows a given transform, unless that is the identity, else the place that was found. ``origin`` moves the
    found place, out of its coordinate system; ``size`` or ``y_up=False`` drops it, and leaves only the order of rows.
    Errors about a found place begin with ``name``.
    """
    rows, columns = shape
    y_up = None if y_up is None else check.flag("y_up", y_up)
    if transform is not None and not (size is None and origin is None and y_up is None):
        raise ValueError("transform: not supported with size, origin or y_up: drop it, or those")
    if transform is not None and affine(transform) == NO_PLACE:
        return _by_size(rows, columns, None, None, None)
    if transform is None:
        is_followed = size is None and y_up is not False
        if isinstance(found, Found) and is_followed:
            at = _as_found(shape, found, name)
            if origin is None:
                return at
            x0, y0, x1, y1 = at.bounds
            if check.pair("origin", origin, "(-5, 3.5)") == (x0, y0):
                return at
            moved = _by_size(rows, columns, (x1 - x0, y1 - y0), origin, True)
            if at.crs is not None:
                check.warn(_native.system_dropped_told(name, at.crs, (x0, y0)))
            return replace(moved, south_first=at.south_first)
        if isinstance(found, Unplaced) and is_followed:
            check.warn([found.warning])
        at = _by_size(rows, columns, size, origin, y_up)
        if isinstance(found, Found):
            at = replace(at, south_first=found.is_south_first())
        check.warn(_told_of_rows(name, found, at))
        return at
    return _by_transform(shape, transform, "transform")


def _as_found(shape: tuple[int, ...], found: Found, name: str) -> Place:
    if found.in_degrees:
        system = "" if found.crs is None else f" ({found.crs})"
        raise ValueError(
            f"{name}: its place is in degrees{system}, not in units of length: reproject it with "
            "gdalwarp -t_srs or rio.reproject, or give size"
        )
    if found.bounds is not None:
        pixel = (abs(found.transform[0]), abs(found.transform[4]))
        return Place(found.bounds, True, False, True, found.crs, pixel=pixel)
    return replace(_by_transform(shape, found.transform, name), crs=found.crs)


def _by_transform(shape: tuple[int, ...], transform: Any, name: str) -> Place:
    rows, columns = shape
    a, b, c, d, e, f = affine(transform)
    if b != 0 or d != 0:
        if c == e == 0:
            raise ValueError(
                f"{name}: the numbers are in GDAL's order: give Affine.from_gdal(*numbers)"
            )
        raise ValueError(
            f"{name}: the array is rotated or sheared: make it north-up with gdalwarp or "
            "rasterio.warp.reproject"
        )
    if not (a > 0 and e != 0 and all(np.isfinite([a, c, e, f]))):
        raise ValueError(
            f"{name}: a pixel of {a:g} x {e:g} units cannot be used: columns must run to the "
            "east, and no side may be 0"
        )
    # Computed from the corners, as the command line does for a file.
    right, end = c + columns * a, f + rows * e
    return Place((c, min(f, end), right, max(f, end)), True, e > 0, True, pixel=(a, abs(e)))


def _by_size(rows: int, columns: int, size: Any, origin: Any, y_up: Optional[bool]) -> Place:
    width, height = (
        (float(columns), float(rows)) if size is None else check.pair("size", size, "(512, 384)")
    )
    x, y = (0.0, 0.0) if origin is None else check.pair("origin", origin, "(-5, 3.5)")
    if not (width > 0 and height > 0 and np.isfinite(width) and np.isfinite(height)):
        raise ValueError(
            f"size {width:g}x{height:g}: width and height must be positive finite numbers"
        )
    if not (np.isfinite(x) and np.isfinite(y)):
        raise ValueError(f"origin {x:g},{y:g}: both numbers must be finite")
    right, end = x + width, y + height
    if not (np.isfinite(right) and np.isfinite(end) and right > x and end > y):
        problem = "too small for this origin: rounding loses it"
        if not (np.isfinite(right) and np.isfinite(end)):
            problem = "the world reaches beyond the largest number"
        value = f"{check.plain(width)}x{check.plain(height)} at origin {check.plain(x)},{check.plain(y)}"
        raise ValueError(f"size {value}: {problem}")
    return Place(
        (x, y, right, end),
        bool(y_up),
        False,
        False,
        measured=size is not None,
        down_by_default=y_up is None,
        pixel=(width / columns, height / rows),
    )


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


def told_of_heights(
    heights: Placed, at: Place, box: Box, corners: bool, is_ranged: bool
) -> list[str]:
    """Return warnings if pixels of heights, which cover ``box``, differ in size from those of their file, or their unit
    from that of their pixels.
    """
    cell = None if heights.found is None else heights.found.cell
    if cell is None:
        return []
    rows, columns = (max(n - corners, 0) for n in heights.data.shape)
    x0, y0, x1, y1 = box
    is_turned = bool(_told_of_rows("height", heights.found, at))
    return cell.on_ground((columns, rows), (x1 - x0, y1 - y0), at.measured, is_ranged, is_turned)


def _told_of_rows(name: str, found: Union[Found, Unplaced, None], at: Place) -> list[str]:
    """Return warnings if an array with a place of its own lies upside down in the world."""
    is_down = at.down_by_default and isinstance(found, Found)
    return _native.upside_down(name, at.bounds) if is_down else []


def beside(name: str, other: Placed, at: Place, corners: bool = False) -> tuple[Placed, Box]:
    """Return a mask or heights with rows from the north, and the rectangle they cover. Those without a place have the
    map's order of rows.

    That is their own, if both have a place, and ``at`` otherwise. A mask is cut to the world. With ``corners``, the
    edges are the middles of the outer pixels.
    """
    found, box, part = other.found, at.bounds, None
    check.warn(_told_of_rows(name, found, at))
    if isinstance(found, Unplaced) and at.is_somewhere() and other.data.shape != at.shape():
        check.warn([
            f"{name}: made from an array with a place, but has none itself, so it is laid over the map; give it "
            "as it was read"
        ])
    if at.is_somewhere() and isinstance(found, Found):
        box = _as_found(other.data.shape, found, name).bounds if found.bounds is None else found.bounds
        width, height = abs(found.transform[0]), abs(found.transform[4])
        if corners and min(other.data.shape) > 1:
            x0, y0, x1, y1 = box
            box = (x0 + 0.5 * width, y0 + 0.5 * height, x1 - 0.5 * width, y1 - 0.5 * height)
        cut = (other.data.shape[1], other.data.shape[0]) if name == "mask" else None
        world, own = (at.bounds, at.crs, at.pixel), (box, found.crs, (width, height))
        box, part, told = _native.lay(name, world, own, cut)
        check.warn(told)
    (left, top), (right, bottom) = part or ((None, None), (None, None))
    is_south_first = found.is_south_first() if isinstance(found, Found) else at.south_first
    return (other.flipped() if is_south_first else other).part(slice(top, bottom), slice(left, right)), box


def affine(transform: Any) -> tuple[float, float, float, float, float, float]:
    """Return rasterio's six numbers: x = a * column + b * row + c, y = d * column + e * row + f."""
    try:
        numbers: Sequence[float] = [float(n) for n in tuple(transform)]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) == 9 and list(numbers[6:]) == [0.0, 0.0, 1.0]:
        numbers = numbers[:6]
    if len(numbers) != 6:
        raise ValueError(
            f"transform {check.shown(repr(transform))}: give an Affine, as rasterio's src.transform, or its six numbers"
        )
    a, b, c, d, e, f = numbers
    return a, b, c, d, e, f


def is_data_array(array: Any) -> bool:
    """Return True if ``array`` is an ``xarray.DataArray``."""
    return all(hasattr(array, name) for name in ("dims", "coords", "values", "attrs", "dtype"))


#: Names of dimensions, and standard names of CF, in degrees and in lengths.
_DEGREES = {
    "x": ("lon", "longitude", "grid_longitude"),
    "y": ("lat", "latitude", "grid_latitude"),
}
_LENGTHS = {
    "x": ("x", "easting", "eastings", "projection_x_coordinate"),
    "y": ("y", "northing", "northings", "projection_y_coordinate"),
}


def _axis_of(array: Any, dim: Any) -> Optional[str]:
    """Return "x" or "y" for a dimension of a DataArray, by rioxarray, CF's attributes or its name; None if unknown."""
    rio, attrs = getattr(array, "rio", None), array[dim].attrs
    for axis in ("x", "y"):
        try:
            if getattr(rio, f"{axis}_dim", None) == dim:
                return axis
        except Exception:
            # The type of this error is rioxarray's own: no dimension is known.
            pass
    for axis in ("x", "y"):
        names = _DEGREES[axis] + _LENGTHS[axis]
        if str(attrs.get("axis")).lower() == axis or str(attrs.get("standard_name")) in names:
            return axis
    return next((axis for axis in ("x", "y") if str(dim).lower() in _DEGREES[axis] + _LENGTHS[axis]), None)


def rows_first(name: str, array: Any) -> Any:
    """Return a DataArray as rows and columns. Dimensions that cannot be told apart are these already."""
    axes = {dim: _axis_of(array, dim) for dim in array.dims}
    if len(array.dims) == 3 and array.shape[0] == 1:
        array = array[0]
    if len(array.dims) != 2:
        raise ValueError(
            f"{name}: must have rows and columns, not dimensions {tuple(array.dims)}: "
            "give one band of it, like raster.sel(band=1)"
        )
    first, second = (axes[dim] for dim in array.dims)
    if first != second and (first == "x" or second == "y"):
        array = array.transpose()
    return array


def of_xarray(
    name: str, array: Any
) -> tuple[Any, Union[Found, Unplaced, None], Optional[float]]:
    """Return a DataArray as rows and columns, its place and its nodata."""
    array = rows_first(name, array)
    if 0 in array.shape:
        return array, None, None
    rows, columns = array.dims
    stated = (array.attrs.get(key) for key in ("_FillValue", "missing_value", "nodata"))
    nodata = next((value for value in stated if value is not None), None)
    rio = _rio(name, array)
    if rio is not None:
        nodata = rio.nodata if nodata is None else nodata
    x, y = _steps(name, array, columns), _steps(name, array, rows)
    transform: Optional[tuple[float, ...]] = None
    if x is not None and y is not None:
        transform = (x[1], 0.0, x[0] - 0.5 * x[1], 0.0, y[1], y[0] - 0.5 * y[1])
    # Coordinates of another type, like dates, say nothing, and rioxarray fails on them.
    dims = [dim for dim in array.dims if dim in array.coords]
    if rio is not None and all(array.coords[dim].dtype.kind in "iuf" for dim in dims):
        own = tuple(float(n) for n in tuple(rio.transform())[:6])
        # The file's own numbers are exact, those from rounded centres are not. They do not apply if the array
        # was turned or thinned. Arrays of a rotated file have no coordinates.
        if own != NO_PLACE and (
            _has_steps(own, x, y) if transform is None else _is_near(own, transform, array.shape)
        ):
            transform = own
    crs = getattr(rio, "crs", None)
    in_degrees = is_geographic(crs) or _is_degrees(array)
    found: Union[Found, Unplaced, None] = None
    if transform is not None or dims and in_degrees:
        # Degrees are refused whatever the size of a pixel is.
        found = found_by(NO_PLACE if transform is None else transform, in_degrees, crs, array.attrs.get("units"))
    elif dims:
        found = Unplaced(
            f"{name}: its coordinates {' and '.join(map(str, dims))} do not give the size of a pixel, so that it has "
            "no place: give transform, or size"
        )
    return array, found, None if nodata is None else check.real("nodata", nodata)


#: The transform that ``rasterio`` and ``rioxarray`` report for an image without a place.
NO_PLACE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def found_by(transform: tuple[float, ...], in_degrees: bool, crs: Any, unit: Any = None) -> Optional[Found]:
    """Return the place of a raster; None if it has none. ``unit`` is that of its numbers, which may be heights."""
    if transform == NO_PLACE and not in_degrees:
        return None
    system, heights = system_of(crs), unit if isinstance(unit, str) else None
    cell = _native.Cell.of(transform[0], transform[4], in_degrees, system, heights)
    return Found(transform, in_degrees, system, cell=cell)


def _rio(name: str, array: Any) -> Any:
    """Return rioxarray's accessor; None without rioxarray. Warns if the array's coordinate system cannot be read."""
    named = getattr(array, "encoding", {}).get("grid_mapping", array.attrs.get("grid_mapping"))
    system = "spatial_ref" if named is None else named
    if system in array.coords:
        try:
            # Makes the accessor known to xarray.
            importlib.import_module("rioxarray")
        except ImportError:
            check.warn([f"{name}: its coordinate system, {system}, is not read without rioxarray: install rioxarray"])
    elif named is not None:
        check.warn([
            f"{name}: its coordinate system, {system}, is none of its coordinates and so is not known: open it with "
            'decode_coords="all", and do not drop it'
        ])
    return getattr(array, "rio", None)


def _has_steps(transform: tuple[float, ...], *steps: Optional[tuple[float, float]]) -> bool:
    """Return True if a transform has the steps of the coordinates along x and y, as far as these are known."""
    sizes = zip((transform[0], transform[4]), steps)
    return all(step is None or abs(size - step[1]) <= 1e-3 * abs(step[1]) for size, step in sizes)


def _is_near(own: tuple[float, ...], other: tuple[float, ...], shape: tuple[int, ...]) -> bool:
    """Return True if two transforms place an array's corners alike, to a thousandth of a pixel."""
    rows, columns = shape

    def corners(t: tuple[float, ...]) -> Any:
        return np.array([t[2], t[5], t[2] + columns * t[0] + rows * t[1], t[5] + columns * t[3] + rows * t[4]])

    step = min(abs(other[0]), abs(other[4]))
    return bool(np.abs(corners(own) - corners(other)).max() <= 1e-3 * step)


#: The scaling of unscaled numbers.
UNSCALED = (1.0, 0.0)


def scaling_of(name: str, array: Any) -> Scaling:
    """Return the scaling of a DataArray's numbers."""
    return scaling(name, array.attrs.get("scale_factor", 1.0), array.attrs.get("add_offset", 0.0))


def scaling(name: str, factor: Any, offset: Any) -> Scaling:
    """Return a scaling, refused where it makes no levels."""
    factor, offset = check.real("scale_factor", factor), check.real("add_offset", offset)
    if not (np.isfinite(factor) and factor != 0 and np.isfinite(offset)):
        raise ValueError(
            f"{name}: its levels are to be multiplied by {factor:g} and {offset:g} to be added (its scale "
            "and offset), which leaves no levels: mend them"
        )
    return factor, offset


def is_geographic(crs: Any) -> bool:
    """Return True if a coordinate system of rasterio is in degrees."""
    return bool(getattr(crs, "is_geographic", False))


def system_of(crs: Any) -> Optional[str]:
    """Return the authority and code of a coordinate system of rasterio or pyproj; None if it has none."""
    named = crs.to_authority() if hasattr(crs, "to_authority") else None
    return None if named is None else ":".join(named)


def _is_degrees(array: Any) -> bool:
    """Return True if the names or the unit of a coordinate are those of longitudes or latitudes."""
    for dim in array.dims:
        attrs = array[dim].attrs
        unit = str(attrs.get("units", "")).lower()
        names = {str(dim).lower(), str(attrs.get("standard_name"))}
        if unit in ("deg", "\N{DEGREE SIGN}") or unit.startswith("degree") or names & {*_DEGREES["x"], *_DEGREES["y"]}:
            return True
    return False


def _steps(name: str, array: Any, dim: Any) -> Optional[tuple[float, float]]:
    """Return the first coordinate along a dimension and the step; None without coordinates."""
    if dim not in array.coords:
        return None
    at = np.asarray(array.coords[dim].values)
    if at.ndim != 1 or at.dtype.kind not in "iuf" or at.size < 2:
        return None
    at = at.astype(np.float64)
    step = float(at[-1] - at[0]) / (at.size - 1)
    even = at[0] + step * np.arange(at.size)
    if not (np.isfinite(step) and step != 0 and np.allclose(at, even, rtol=0, atol=1e-3 * abs(step))):
        raise ValueError(
            f"{name}: the coordinates along {dim} are not evenly spaced: interpolate it to an even "
            "grid, or give its values and their transform"
        )
    return float(at[0]), step
