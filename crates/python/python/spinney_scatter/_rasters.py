"""Places and scalings as ``rasterio`` and ``xarray`` state them."""

from __future__ import annotations

import importlib
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _checks as check
from ._georeferenced import Found, Unplaced
from ._native import Cell

#: The factor and the offset that turn the numbers of a file into levels.
Scaling = tuple[float, float]

#: The scaling of unscaled numbers.
UNSCALED = (1.0, 0.0)

#: The transform that ``rasterio`` and ``rioxarray`` report for an image without a place.
NO_PLACE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


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


def found_by(transform: tuple[float, ...], in_degrees: bool, crs: Any, unit: Any = None) -> Optional[Found]:
    """Return the place of a raster; None if it has none. ``unit`` is that of its numbers, which may be heights."""
    if transform == NO_PLACE and not in_degrees:
        return None
    system, heights = system_of(crs), unit if isinstance(unit, str) else None
    cell = Cell.of(transform[0], transform[4], in_degrees, system, heights)
    return Found(transform, in_degrees, system, cell=cell)


def is_geographic(crs: Any) -> bool:
    """Return True if a coordinate system of rasterio is in degrees."""
    return bool(getattr(crs, "is_geographic", False))


def system_of(crs: Any) -> Optional[str]:
    """Return the authority and code of a coordinate system of rasterio or pyproj; None if it has none."""
    named = crs.to_authority() if hasattr(crs, "to_authority") else None
    return None if named is None else ":".join(named)


def scaling(name: str, factor: Any, offset: Any) -> Scaling:
    """Return a scaling, refused where it makes no levels."""
    factor, offset = check.real("scale_factor", factor), check.real("add_offset", offset)
    if not (np.isfinite(factor) and factor != 0 and np.isfinite(offset)):
        raise ValueError(
            f"{name}: its levels are to be multiplied by {factor:g} and {offset:g} to be added (its scale "
            "and offset), which leaves no levels: mend them"
        )
    return factor, offset


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


def _is_degrees(array: Any) -> bool:
    """Return True if the names or the unit of a coordinate are those of longitudes or latitudes."""
    for dim in array.dims:
        attrs = array[dim].attrs
        unit = str(attrs.get("units", "")).lower()
        names = {str(dim).lower(), str(attrs.get("standard_name"))}
        if unit in ("deg", "\N{DEGREE SIGN}") or unit.startswith("degree") or names & {*_DEGREES["x"], *_DEGREES["y"]}:
            return True
    return False


def scaling_of(name: str, array: Any) -> Scaling:
    """Return the scaling of a DataArray's numbers."""
    return scaling(name, array.attrs.get("scale_factor", 1.0), array.attrs.get("add_offset", 0.0))
