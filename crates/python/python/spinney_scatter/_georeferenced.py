"""Arrays read from a file that contains their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._native import Cell
from ._types import Box

@dataclass(frozen=True)
class Found:
    """The place of an array."""

    #: Rasterio's six numbers.
    transform: tuple[float, ...]
    #: Whether the numbers are degrees, which are no lengths.
    in_degrees: bool
    #: The coordinate system by authority and code; None if unknown.
    crs: Optional[str] = None
    #: The rectangle of an array that ``read`` has read from a file. Its first row is the north.
    bounds: Optional[Box] = None
    #: The size of a pixel according to the file; None if the transform gives it.
    cell: Optional[Cell] = None

    def is_south_first(self) -> bool:
        """Return True if the first row is the southern edge."""
        return self.bounds is None and self.transform[4] > 0

    def pixel(self) -> Optional[Cell]:
        """Return the size of a pixel; None if it is not a valid size."""
        if self.cell is not None:
            return self.cell
        return Cell.of(self.transform[0], self.transform[4], self.in_degrees)


@dataclass(frozen=True)
class Unplaced:
    """The warning for an array that is placed at one unit a pixel."""

    warning: str
    #: The size of a pixel according to the file.
    cell: Optional[Cell] = None

    def pixel(self) -> Optional[Cell]:
        """Return the size of a pixel; None if the file does not give it."""
        return self.cell


class Georeferenced:
    """Attributes of an array that ``read`` has read from a file with a place.

    An array that was computed from it, or cut out of it, may lie elsewhere. It has no place.
    """

    _found: Union[Found, Unplaced, None] = None

    @property
    def transform(self) -> Optional[tuple[float, ...]]:
        """The transform as in ``rasterio``, (a, 0, c, 0, e, f), with the north in the first row:
        x = a * column + c, y = e * row + f. None without a place.
        """
        return self._found.transform if isinstance(self._found, Found) else None

    @property
    def crs(self) -> Optional[str]:
        """The coordinate system, like ``EPSG:32633``; None if the file does not name it."""
        return self._found.crs if isinstance(self._found, Found) else None


class _Plain(Georeferenced, np.ndarray[Any, np.dtype[Any]]):
    """An array with a place."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        # A sum of all pixels is a number.
        return array[()] if array.ndim == 0 else array.view(type(self))


class _Masked(Georeferenced, np.ma.MaskedArray[Any, np.dtype[Any]]):
    """A masked array with a place."""


def with_place(array: Any, found: Union[Found, Unplaced]) -> Any:
    """Return an array with the same numbers and a place."""
    result = array.view(_Masked if isinstance(array, np.ma.MaskedArray) else _Plain)
    result._found = found
    return result


def found_of(name: str, array: Any) -> Union[Found, Unplaced, None]:
    """Return the place of an array, or a warning if it was made of an array with a place."""
    if isinstance(array, Georeferenced) and array._found is not None:
        return array._found
    data = array.data if isinstance(array, np.ma.MaskedArray) else array
    if isinstance(array, Georeferenced) or isinstance(data, Georeferenced):
        return Unplaced(
            f"{name}: made from an array with a place, but has none itself: give its place, like "
            "transform=array.transform, or size"
        )
    return None
