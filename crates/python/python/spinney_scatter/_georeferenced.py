"""Arrays read from a file that contains their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

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
    #: The size of a pixel; None if it is not a valid size.
    cell: Optional[Cell] = None

    def is_south_first(self) -> bool:
        """Return True if the first row is the southern edge."""
        return self.bounds is None and self.transform[4] > 0


@dataclass(frozen=True)
class Unplaced:
    """The warning for an array that is placed at one unit a pixel."""

    warning: str
    #: The size of a pixel according to the file; None if it gives none.
    cell: Optional[Cell] = None


@dataclass(frozen=True)
class White:
    """White of an image of greys."""

    #: The level in the file.
    level: float
    #: Whether all levels of the file are integers.
    is_whole: bool
    #: The type of the array.
    dtype: np.dtype[Any]

    def levels(self, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the levels of the file that an array of this type stands for, exact where they are integers."""
        most = float(np.iinfo(self.dtype).max)
        if data.dtype != self.dtype or self.level == most:
            return data
        levels = data.astype(np.float64) * self.level / most
        return np.rint(levels) if self.is_whole else levels


class _Read:
    """Attributes of an array that ``read`` has read from a file. Copies and pickles of it have them, too."""

    _found: Union[Found, Unplaced, None] = None
    #: Whether the file does not state which heights its unsigned integers stand for. Holds for arrays that were
    #: computed from it, or cut out of it, too.
    _is_unstated: bool = False
    #: White in the units of the file, if its levels are greys. Holds for arrays that were cut out of it, too, and not
    #: for those that were computed from it.
    _white: Optional[White] = None

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

    def __array_finalize__(self, array: Any) -> None:
        super().__array_finalize__(array)  # type: ignore[misc]
        self._is_unstated = getattr(array, "_is_unstated", False)
        self._white = getattr(array, "_white", None)

    def __copy__(self) -> Any:
        return self.copy()._with(self._found, self._is_unstated, self._white)  # type: ignore[attr-defined]

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        made: Any = super().__reduce__()
        return made[0], made[1], (made[2], self._found, self._is_unstated, self._white)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])  # type: ignore[misc]
        self._with(*state[1:])

    def _with(
        self, found: Union[Found, Unplaced, None], is_unstated: bool, white: Optional[White] = None
    ) -> Any:
        """Return this array after setting its attributes."""
        self._found, self._is_unstated, self._white = found, is_unstated, white
        if isinstance(self, np.ma.MaskedArray):
            # Arrays computed from a masked array get the attributes in this dictionary.
            masked: Any = self
            masked._optinfo["_is_unstated"] = is_unstated
        return self


class Georeferenced(_Read):
    """An array that ``read`` has read from a file with a place, with its ``transform`` and ``crs``.

    An array that was computed from it, or cut out of it, may lie elsewhere. It has no place.
    """


class _Plain(_Read, np.ndarray[Any, np.dtype[Any]]):
    """An array of levels."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array.ndim == 0:
            # A sum of all pixels is a number.
            return array[()]
        result = array.view(type(self))
        result._is_unstated = self._is_unstated
        # NumPy 1 has made the result like this array.
        result._white = None
        return result


class _Masked(_Read, np.ma.MaskedArray[Any, np.dtype[Any]]):
    """A masked array of levels."""

    def __getitem__(self, at: Any) -> Any:
        part = super().__getitem__(at)
        if isinstance(part, _Masked):
            part._white = self._white
        return part


class _PlainPlaced(Georeferenced, _Plain):
    """An array with a place."""


class _MaskedPlaced(Georeferenced, _Masked):
    """A masked array with a place."""


def as_read(array: Any, found: Union[Found, Unplaced, None], white: Optional[White]) -> _Plain:
    """Return an array that was read from a file, with what the file says of its place and its heights."""
    plain, masked = (_Plain, _Masked) if found is None else (_PlainPlaced, _MaskedPlaced)
    # A masked array has the same attributes, and those of masked arrays.
    result: _Plain = array.view(masked if isinstance(array, np.ma.MaskedArray) else plain)
    result._with(found, array.dtype.kind == "u", white)
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
