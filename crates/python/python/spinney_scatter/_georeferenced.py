"""Arrays that were read from a file which says where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._native import Cell
from ._types import Box

@dataclass(frozen=True)
class Found:
    """The place that came with an array."""

    #: Rasterio's six numbers.
    transform: tuple[float, ...]
    #: Whether they are degrees, which are no lengths.
    in_degrees: bool
    #: The coordinate system by authority and code; None where it is not known.
    crs: Optional[str] = None
    #: The rectangle of an array that was read from a file by ``read``, whose first row is the north.
    bounds: Optional[Box] = None
    #: How large the file says that a pixel is; None where that is the transform's to say.
    cell: Optional[Cell] = None

    def pixel(self) -> Optional[Cell]:
        """Return how large a pixel is; None where that is no size."""
        if self.cell is not None:
            return self.cell
        return Cell.of(self.transform[0], self.transform[4], self.in_degrees)


@dataclass(frozen=True)
class Unplaced:
    """What to warn of where an array lies at one unit a pixel."""

    warning: str
    #: How large the file says that a pixel is.
    cell: Optional[Cell] = None

    def pixel(self) -> Optional[Cell]:
        """Return how large a pixel is; None where the file does not say."""
        return self.cell


class Georeferenced:
    """What an array has besides that ``read`` has read from a file which says where it lies.

    An array that was computed from it, or cut out of it, may lie elsewhere: it has no place.
    """

    _found: Union[Found, Unplaced, None] = None

    @property
    def transform(self) -> Optional[tuple[float, ...]]:
        """Where the pixels lie, as in ``rasterio``, the north in the first row: x = a * column + c,
        y = e * row + f, as (a, 0, c, 0, e, f). None without a place.
        """
        return self._found.transform if isinstance(self._found, Found) else None

    @property
    def crs(self) -> Optional[str]:
        """The coordinate system, like ``EPSG:32633``; None where the file does not name it."""
        return self._found.crs if isinstance(self._found, Found) else None


class _Plain(Georeferenced, np.ndarray[Any, np.dtype[Any]]):
    """An array with a place."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        # A sum of all pixels is a number.
        return array[()] if array.ndim == 0 else array.view(type(self))


class _Masked(Georeferenced, np.ma.MaskedArray[Any, np.dtype[Any]]):
    """A masked array with a place."""


def with_place(array: Any, found: Union[Found, Unplaced]) -> Any:
    """Return an array of the same numbers that has a place."""
    result = array.view(_Masked if isinstance(array, np.ma.MaskedArray) else _Plain)
    result._found = found
    return result


def found_of(name: str, array: Any) -> Union[Found, Unplaced, None]:
    """Return the place of an array; of one that comes from an array with a place, that it has none."""
    if isinstance(array, Georeferenced) and array._found is not None:
        return array._found
    data = array.data if isinstance(array, np.ma.MaskedArray) else array
    if isinstance(array, Georeferenced) or isinstance(data, Georeferenced):
        return Unplaced(
            f"{name}: it was made of an array with a place, and has none itself: give the place, like "
            "transform=array.transform, or size"
        )
    return None
