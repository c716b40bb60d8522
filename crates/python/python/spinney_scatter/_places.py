"""Positions of arrays in the world."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional, Union

import numpy as np

from . import _checks as check
from . import _native
from ._arrays import Placed
from ._georeferenced import Found, Unplaced
from ._rasters import NO_PLACE, affine
from ._types import Box


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
        place = "may be in degrees" if found.crs is None else f"is in degrees ({found.crs})"
        raise ValueError(
            f"{name}: its place {place}, not in units of length: reproject it with gdalwarp -t_srs or "
            "rio.reproject, or give size"
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
