"""Checks of options, with the command line's sentences."""

from __future__ import annotations

import math
import operator
import os
import sys
import warnings
from typing import Any, Final, Iterable, Optional, Sequence, SupportsFloat, SupportsIndex

import numpy as np

MOST: Final = 2**64 - 1


def plain(value: float) -> str:
    """Return a number in the command line's notation."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text.replace("e+", "e")


def shown(value: Any) -> str:
    """Return a value as text of one line, cut if it is long."""
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:60]}.."


def listed(names: Sequence[str]) -> str:
    """Return names as words of a sentence, each once."""
    *first, last = dict.fromkeys(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def flag(name: str, value: Any) -> bool:
    """Return ``value`` as a bool. Texts and other values that Python takes for True are refused."""
    if isinstance(value, (int, np.integer, np.bool_)) and value in (0, 1):
        return bool(value)
    raise ValueError(f"{name} {shown(value)}: must be True or False")


def several(name: str, value: Any, form: str) -> list[Any]:
    """Return the members of a sequence."""
    try:
        return list(value)
    except TypeError:
        raise ValueError(f"{name} {shown(value)}: give {form}") from None


def callback(name: str, value: Any) -> None:
    """Refuse a value that can neither be called nor is None."""
    if value is not None and not callable(value):
        raise ValueError(f"{name} {shown(value)}: give a function")


def real(name: str, value: SupportsFloat, problem: str = "must be a number") -> float:
    """Return ``value`` as a float, which may be NaN or infinite; ``problem`` is the error's text."""
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} {shown(value)}: {problem}") from None


def number(name: str, value: SupportsFloat) -> float:
    """Return ``value`` as a finite float."""
    problem = "must be a finite number"
    result = real(name, value, problem)
    if not math.isfinite(result):
        raise ValueError(f"{name} {result}: {problem}")
    return result


def distance(name: str, value: SupportsFloat) -> float:
    """Return ``value`` as a distance: positive and finite."""
    problem = "must be a positive finite number"
    result = real(name, value, problem)
    if not (math.isfinite(result) and result > 0):
        raise ValueError(f"{name} {result:g}: {problem}")
    return result


def whole(name: str, value: SupportsIndex, least: int, most: int = MOST) -> int:
    """Return ``value`` as a whole number within limits."""
    problem = f"must be a whole number from {least} to {most}"
    try:
        result = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} {shown(value)}: {problem}") from None
    if not least <= result <= most:
        raise ValueError(f"{name} {result}: {problem}")
    return result


def whole_or_none(
    name: str, value: Optional[SupportsIndex], least: int, most: int = MOST
) -> Optional[int]:
    """Return ``value`` as a whole number within limits, or None."""
    return None if value is None else whole(name, value, least, most)


def pair(name: str, value: Any, form: str) -> tuple[float, float]:
    """Return two numbers."""
    try:
        first, second = value
        return float(first), float(second)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} {shown(repr(value))}: give two numbers, like {form}") from None


def wholes(name: str, value: Any, most: tuple[int, int], form: str) -> tuple[int, int]:
    """Return two whole numbers, each from 1 up to its limit."""
    try:
        first, second = value
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} {shown(repr(value))}: give two whole numbers, like {form}") from None
    return whole(name, first, 1, most[0]), whole(name, second, 1, most[1])


def text(name: str, value: Any, form: str) -> str:
    """Return ``value``, which must be a text."""
    if not isinstance(value, str):
        raise ValueError(f"{name} {shown(repr(value))}: give a text, like {form}")
    return value


def path(value: Any) -> str:
    """Return a path as a text."""
    try:
        return text("path", os.fspath(value), "'points.csv', or a Path")
    except TypeError:
        raise ValueError(f"path {shown(repr(value))}: give a text, like 'points.csv', or a Path") from None


def unmasked(name: str, value: Any) -> Any:
    """Return ``value``, refused if it is an array with masked numbers."""
    hidden = int(np.ma.count_masked(value)) if isinstance(value, np.ma.MaskedArray) else 0
    if hidden:
        raise ValueError(f"{name}: {hidden} of {value.size} numbers are masked: leave out their rows")
    return value


def one_of(name: str, value: str, names: tuple[str, ...]) -> str:
    """Return ``value``, which must be one of ``names``."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{name}: '{shown(value)}' is not one of {', '.join(names)}")
    return value


def box(name: str, value: Any) -> tuple[float, float, float, float]:
    """Return a rectangle ``(x0, y0, x1, y1)``."""
    try:
        x0, y0, x1, y1 = (float(end) for end in value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name} {shown(repr(value))}: give (x0, y0, x1, y1)") from None
    if not (all(map(math.isfinite, (x0, y0, x1, y1))) and x0 < x1 and y0 < y1):
        raise ValueError(
            f"{name} {','.join(map(plain, (x0, y0, x1, y1)))}: give the lowest corner and then the highest, like "
            "(0, 0, 100, 50)"
        )
    return x0, y0, x1, y1


def warn(texts: Iterable[str]) -> None:
    """Issue warnings at the calling line outside of this package."""
    level, frame = 2, sys._getframe(1)
    package = __name__.partition(".")[0]
    while frame.f_globals.get("__name__", "").partition(".")[0] == package and frame.f_back:
        level, frame = level + 1, frame.f_back
    for text in texts:
        warnings.warn(text, stacklevel=level)
