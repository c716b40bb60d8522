"""Plans: a map that is larger than memory, window by window, with the points of the whole."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass
from typing import (
    Any,
    Callable,
    NamedTuple,
    NoReturn,
    Optional,
    Sequence,
    SupportsFloat,
    SupportsIndex,
    Union,
)

import numpy as np

from . import _arrays as arrays
from . import _checks as check
from . import _native
from . import _places as places
from . import _rasters as rasters
from ._fields import lod_of, rule_of, shaping_of, threads_of
from ._georeferenced import Found, Unplaced, found_of
from ._points import Points, Run
from ._types import Box, Last, Shaping


class Window(NamedTuple):
    """A rectangle of pixels, as ``rasterio.windows.Window(*window)`` takes it."""

    #: The first column.
    col_off: int
    #: The first row.
    row_off: int
    #: Columns.
    width: int
    #: Rows.
    height: int


#: Reads the pixels of a window: an array of ``height`` rows and ``width`` columns.
Read = Callable[[Window], Any]

#: The first margin around a window, in greatest distances. Larger parts are read where necessary.
_MARGIN = 8.0

#: Least size of the blocks of pixels that are read, in greatest distances, rounded up to a power of two
#: pixels. Bounds of boxes are stored for blocks of pixels with the same alignment.
_BLOCK = 16.0


@dataclass(frozen=True)
class Plan:
    """The plain values that every task needs of a run over a large map, so that it can be pickled, stored
    as JSON and sent anywhere.

    ``plan.run(i, read)`` gives the points of window ``i``. They equal the crop of the whole, bit for bit, on
    any machine. ``len(plan)`` is the number of windows.
    """

    #: Columns and rows of the whole map.
    size: tuple[int, int]
    #: The rectangle of the world that the map covers: x0, y0, x1, y1.
    bounds: Box
    #: Whether y runs up.
    y_up: bool
    #: Whether the first row is the southern edge.
    south_first: bool
    #: The type of the map's numbers, before scaling, like "uint16".
    dtype: str
    #: The levels of black and white; None for those of the type.
    levels: Optional[tuple[float, float]]
    #: The number that means no data.
    nodata: Optional[float]
    #: The options that convert greys to distances.
    shaping: Shaping
    #: The factor of all distances.
    scale_factor: float
    #: The conflict rule.
    rule: str
    #: The random seed.
    seed: int
    #: Levels of detail; 0: none.
    lod: int
    #: Windows along x and along y.
    windows: tuple[int, int]
    #: The last point of a run with ``count``: its id, or its rank and id; None: all points.
    last: Optional[Last] = None
    #: The coordinate system of the map, like "EPSG:32633"; None if unknown.
    crs: Optional[str] = None
    #: The factor and the offset that turn the numbers that are read into levels.
    scaling: rasters.Scaling = rasters.UNSCALED
    #: The band of the raster, from 1.
    band: int = 1
    #: The version of the algorithm's values.
    algorithm_version: int = _native.ALGORITHM_VERSION

    def __len__(self) -> int:
        return self.windows[0] * self.windows[1]

    def to_json(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(dataclasses.asdict(self), indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Return the plan that ``to_json`` wrote."""
        try:
            given = json.loads(text)
            shaping = given.pop("shaping")
            curve = shaping["curve"]
            if curve is not None:
                shaping["curve"] = [(float(x), float(y)) for x, y in curve]
            if shaping["density"] is not None:
                lo, hi = shaping["density"]
                shaping["density"] = (float(lo), float(hi))
            size = check.wholes("size", given["size"], (2**32 - 1, 2**32 - 1), "(512, 384)")
            lod = lod_of(given["lod"])
            given.update(
                size=size,
                bounds=check.box("bounds", given["bounds"]),
                y_up=check.flag("y_up", given["y_up"]),
                south_first=check.flag("south_first", given["south_first"]),
                dtype=np.dtype(given["dtype"]).name,
                levels=None if given["levels"] is None else arrays.levels_of(given["levels"]),
                nodata=None if given["nodata"] is None else check.real("nodata", given["nodata"]),
                scale_factor=check.distance("scale_factor", given["scale_factor"]),
                rule=rule_of(given["rule"]),
                seed=check.whole("seed", given["seed"], 0),
                lod=lod,
                windows=check.wholes("windows", given["windows"], size, "(8, 8)"),
                last=None if given.get("last") is None else _last(given["last"], lod),
                scaling=rasters.scaling("scaling", *given.get("scaling", rasters.UNSCALED)),
                band=check.whole("band", given.get("band", 1), 1, 2**32 - 1),
                crs=None if given.get("crs") is None else check.text("crs", given["crs"], "EPSG:32633"),
                algorithm_version=check.whole("algorithm_version", given.get("algorithm_version", _native.ALGORITHM_VERSION), 0),
            )
            _native.greatest(Shaping(**shaping))
            return cls(shaping=Shaping(**shaping), **given)
        except KeyError as error:
            raise ValueError(f"plan: not a plan: it has no {error.args[0]}") from None
        except (AttributeError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"plan: not a plan: {error}") from None

    @property
    def digest(self) -> str:
        """A name for the plan. Plans that give the same parts have the same name."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def place(self, i: SupportsIndex) -> tuple[int, int]:
        """Return the column and the row of window ``i``, counted from the lowest corner."""
        number = check.whole("window", i, 0, len(self) - 1)
        return number % self.windows[0], number // self.windows[0]

    def window(self, i: SupportsIndex) -> Box:
        """Return the rectangle of the world of window ``i``, the lower edges included."""
        column, row = self.place(i)
        x0, y0, x1, y1 = self.bounds

        def edge(low: float, high: float, number: int, of: int) -> float:
            # Neighbours have exactly the same edge, so that no point is lost between them.
            return high if number == of else low + (high - low) * (number / of)

        columns, rows = self.windows
        return (
            edge(x0, x1, column, columns),
            edge(y0, y1, row, rows),
            edge(x0, x1, column + 1, columns),
            edge(y0, y1, row + 1, rows),
        )

    def run(
        self, i: SupportsIndex, read: Read, *, threads: Optional[SupportsIndex] = None
    ) -> Points:
        """Return the points of window ``i``.

        ``read(window)`` returns pixels of the whole map, masked or NaN where no point may lie. The first call is
        for the window and a margin of 8 greatest distances. Further calls follow if the points depend on more.
        """
        if self.algorithm_version != _native.ALGORITHM_VERSION:
            raise ValueError(
                f"plan: made by algorithm version {self.algorithm_version}, but this is version "
                f"{_native.ALGORITHM_VERSION}, which gives other points: run it with the first"
            )
        self._check_reader(read)
        window = self.window(i)
        whole = (self.size, (self.bounds, self.y_up))
        shaping = self.shaping
        most = self.scale_factor * _native.greatest(shaping)
        rect = self._first(_native.pixels_around(whole, window, _MARGIN * most), most)
        while True:
            asked = self._stored(rect)
            part = self._part(asked, read(asked))
            columns, wider = _native.sample_part(
                whole,
                (rect[0], rect[1]),
                arrays.greys(part, self.levels),
                part.open,
                shaping,
                self.scale_factor,
                window,
                self.rule,
                self.seed,
                self.lod,
                threads_of(threads),
            )
            if columns is not None:
                run = Run(self.seed, self.rule, window, self.y_up, self.lod, crs=self.crs)
                points = Points._of(columns, run)
                return points if self.last is None else points._up_to(self.last)
            assert wider is not None
            rect = wider

    def _check_reader(self, read: Read) -> None:
        """Refuse a reader of another band."""
        if isinstance(read, RasterReader) and read.band != self.band:
            raise ValueError(
                f"read: it reads band {read.band}, but the plan is for band {self.band}: give "
                f"RasterReader(path, band={self.band})"
            )

    def _stored(self, rect: tuple[int, int, int, int]) -> Window:
        """Return the source's window for the pixels of ``rect``, whose rows count from the north."""
        left, top, right, bottom = rect
        first = self.size[1] - bottom if self.south_first else top
        return Window(left, first, right - left, bottom - top)

    def _first(
        self, rect: tuple[int, int, int, int], most: float
    ) -> tuple[int, int, int, int]:
        """Return the block of pixels to read first for ``rect``."""
        (columns, rows), (x0, y0, x1, y1) = self.size, self.bounds
        pixels = max(columns / (x1 - x0), rows / (y1 - y0)) * _BLOCK * most
        block = 1 << max(math.ceil(math.log2(max(min(pixels, max(columns, rows)), 1.0))), 0)
        return (
            rect[0] // block * block,
            rect[1] // block * block,
            min(-(-rect[2] // block) * block, columns),
            min(-(-rect[3] // block) * block, rows),
        )

    def _part(self, asked: Window, pixels: Any) -> arrays.Placed:
        """Return the levels of the pixels that were read, after checking their shape and type."""
        part = arrays.placed("read", pixels, self.nodata, rasters.UNSCALED)
        rows, columns = part.data.shape
        if (columns, rows) != (asked.width, asked.height):
            raise ValueError(
                f"read: it returned {columns}x{rows} pixels, not {asked.width}x{asked.height}: it must "
                f"return those of {asked}"
            )
        if part.data.dtype.newbyteorder("=") != np.dtype(self.dtype):
            raise ValueError(
                f"read: it returned numbers of type {part.data.dtype}, but the plan is for {self.dtype}"
            )
        if self.levels is not None:
            part = dataclasses.replace(part, data=arrays.in_file_units(pixels, part.data))
        part = arrays.scaled(part, self.scaling)
        return part.flipped() if self.south_first else part


_CLOSED = "read may return a masked array, and no point lies where it is masked"
_LIMITED = "it needs the whole map: limit the map beforehand with spinney map limit"
_GROUND = f"heights cover the whole map: {_CLOSED}"
_CLEAR = f"points to keep clear of cover the whole map: {_CLOSED}"
_FRONT = "plans support algorithm scatter only"

#: Options of ``sample`` that a plan cannot have, each with a remedy.
_OTHERS = {
    "limit": _LIMITED,
    "limit_keep": _LIMITED,
    "mask": _CLOSED,
    "mask_threshold": _CLOSED,
    "polygons": f"{_CLOSED}, as rasterio.features.geometry_mask makes one",
    "height": _GROUND,
    "height_at": _GROUND,
    "height_range": _GROUND,
    "slope": _GROUND,
    "altitude": _GROUND,
    "avoid": _CLEAR,
    "avoid_dist": _CLEAR,
    "algorithm": _FRONT,
    "tries": _FRONT,
    "count": "the scale factor depends on all points: give scale_factor and last of the points of "
    "sample with count",
    "max_points": "which points it keeps depends on all points: drop it",
    "tile": "windows at opposite edges are not read together: drop it",
    "threads": "each run has its own: give it to plan.run",
    "progress": "each window is a task of its own: count those that are finished",
}


def _last(last: Any, lod: int) -> Last:
    """Return the last point of a run with ``count``."""
    is_pair = isinstance(last, (tuple, list))
    if lod and not is_pair:
        raise ValueError(f"last {last!r}: with lod, give rank and id, as in points.last")
    if is_pair and not lod:
        raise ValueError(f"last {last!r}: it has a rank, but there is no lod: give lod as in the run")
    if not is_pair:
        return check.whole("last", last, 0)
    if len(last) != 2:
        raise ValueError(f"last {last!r}: give rank and id, as in points.last")
    return check.whole("last", last[0], 0, lod), check.whole("last", last[1], 0)


def plan(
    source: Any,
    *,
    min_dist: Optional[SupportsFloat] = None,
    max_dist: Optional[SupportsFloat] = None,
    density: Optional[tuple[float, float]] = None,
    white: str = "sparse",
    range: Optional[tuple[float, float]] = None,
    nodata: Optional[float] = None,
    srgb: bool = False,
    gamma: Optional[float] = None,
    curve: Optional[Sequence[tuple[float, float]]] = None,
    map_is: str = "distance",
    transform: Any = None,
    size: Optional[tuple[float, float]] = None,
    origin: Optional[tuple[float, float]] = None,
    y_up: Optional[bool] = None,
    rule: str = "max",
    seed: SupportsIndex = 0,
    lod: SupportsIndex = 0,
    scale_factor: SupportsFloat = 1.0,
    last: Any = None,
    windows: Any = None,
    band: Optional[SupportsIndex] = None,
    **others: NoReturn,
) -> Plan:
    """Plan a run over a map that is larger than memory.

    ``source`` is an open ``rasterio`` dataset, an ``xarray.DataArray``, or an array (also a memory map or
    a Zarr array): its size, type, place, nodata, scale and offset are taken, and no pixel is read. The
    numbers that are read later are scaled by the plan. The options are those
    of ``sample`` that do not need the whole; every other option is refused, with a remedy.
    ``scale_factor`` takes the result of ``count``, on the whole or on a smaller copy. With ``last``, from
    the points of the whole, the windows have exactly ``count`` points in all. That needs a map of integers:
    ``sample`` does not round floats and scaled numbers, so that ``last`` is refused for them.

    ``windows`` is their number along x and y; by default each is about 4096 pixels wide. Floats and other
    numbers without defined black and white need ``range``, and are rounded to 16 bits within it. ``band``, from 1,
    may be left out if a dataset has no other but alpha, and no colour table.
    """
    for name in others:
        if name in _OTHERS:
            raise ValueError(f"{name}: not supported in a plan: {_OTHERS[name]}")
        raise TypeError(f"plan() got an unexpected keyword argument '{name}'")
    band = _only_band(source) if band is None else check.whole("band", band, 1, 2**32 - 1)
    columns, rows, dtype, found, stated, scaling = _source(source, band)
    for name, count in (("columns", columns), ("rows", rows)):
        if not 1 <= count < 2**32:
            raise ValueError(f"source: a map of {count} {name} cannot be used")
    kind = np.dtype(dtype)
    if kind.kind not in "buif":
        raise ValueError(f"source: must hold real numbers, not {kind}")
    full, is_inverted = _white_of(source, band, kind)
    levels = None if full is None else (0.0, full)
    if range is not None:
        levels = arrays.levels_of(range)
    elif full is not None and math.isnan(full):
        raise ValueError("range: rasterio does not tell the white of a PNM file: give range=(0, its greatest number)")
    elif not arrays.is_grey(kind) or scaling != rasters.UNSCALED:
        scaled = "" if scaling == rasters.UNSCALED else "scaled "
        raise ValueError(
            f"range: black and white of {scaled}{kind} depend on all levels, and the whole map is not read: "
            "give range=(lo, hi)"
        )
    if last is not None and not (arrays.is_rounded(kind) and scaling == rasters.UNSCALED):
        numbers = f"{kind}" if scaling == rasters.UNSCALED else f"scaled {kind}"
        raise ValueError(
            f"last: not supported for a map of {numbers}, which a plan rounds to 16 bits and sample does not, so "
            "that their points have other ids: drop it, or convert the map to integers for both"
        )
    if is_inverted and full is not None:
        scaling = (-scaling[0], full * scaling[0] + scaling[1])
    if nodata is not None:
        stated = check.real("nodata", nodata)
    at = places.place((rows, columns), transform, size, origin, y_up, found, "source")
    shaping = shaping_of(
        min_dist, max_dist, density, white, srgb, gamma, curve, map_is, None, "dense"
    )
    # Reports errors here and not in each task.
    _native.greatest(shaping)
    if windows is None:
        windows = (-(-columns // 4096), -(-rows // 4096))
    return Plan(
        size=(columns, rows),
        bounds=at.bounds,
        y_up=at.y_up,
        south_first=at.south_first,
        dtype=kind.newbyteorder("=").name,
        levels=levels,
        # NaN closes a pixel anyway, and would make equal plans differ.
        nodata=None if stated is None or math.isnan(stated) else stated,
        shaping=shaping,
        scale_factor=check.distance("scale_factor", scale_factor),
        rule=rule_of(rule),
        seed=check.whole("seed", seed, 0),
        lod=lod_of(lod),
        last=None if last is None else _last(last, lod_of(lod)),
        windows=check.wholes("windows", windows, (columns, rows), "(8, 8)"),
        crs=at.crs,
        scaling=scaling,
        band=band,
    )


def _is_dataset(source: Any) -> bool:
    """Return True if ``source`` is an open dataset of rasterio."""
    return all(hasattr(source, name) for name in ("width", "height", "transform", "dtypes"))


def _only_band(source: Any) -> int:
    """Return the band of a source that has no other of greys or colours."""
    kinds = [kind.name for kind in source.colorinterp] if _is_dataset(source) else []
    shown = [number for number, kind in enumerate(kinds, 1) if kind != "alpha"]
    if len(shown) > 1:
        raise ValueError(
            f"band: the source has {len(shown)}, and a plan reads one, not their brightness: give band=1 and "
            "RasterReader(path, band=1), or convert the source to greys"
        )
    if "palette" in kinds and any(len(set(rgba[:3])) > 1 for rgba in source.colormap(1).values()):
        raise ValueError(
            "band: the source has a colour table, and a plan reads numbers, not colours: give band=1, or convert it "
            "with gdal_translate -expand gray"
        )
    return shown[0] if shown else 1


def _white_of(source: Any, band: int, kind: np.dtype[Any]) -> tuple[Optional[float], bool]:
    """Return the number that is white in a dataset, NaN if unknown, or None if the type defines it, and whether that is
    black instead.
    """
    if kind.kind != "u" or not _is_dataset(source):
        return None, False
    bits = int(source.tags(band, ns="IMAGE_STRUCTURE").get("NBITS", 8 * kind.itemsize))
    is_inverted = source.tags(ns="IMAGE_STRUCTURE").get("MINISWHITE") == "YES"
    if source.driver == "PNM":
        return math.nan, False
    return float(2**bits - 1) if is_inverted or bits < 8 * kind.itemsize else None, is_inverted


def _source(
    source: Any, band: int
) -> tuple[int, int, Any, Union[Found, Unplaced, None], Optional[float], rasters.Scaling]:
    """Return columns, rows, type, place, nodata and scaling of a source, without reading it."""
    is_dataset = _is_dataset(source)
    bands = len(source.dtypes) if is_dataset else 1
    if band > bands:
        raise ValueError(f"band {band}: the source has {bands}")
    if is_dataset:
        nodata = source.nodatavals[band - 1]
        transform, in_degrees = rasters.affine(source.transform), rasters.is_geographic(source.crs)
        at = rasters.found_by(transform, in_degrees, source.crs)
        scaling = rasters.scaling("source", source.scales[band - 1], source.offsets[band - 1])
        return source.width, source.height, source.dtypes[band - 1], at, nodata, scaling
    found = found_of("source", source)
    stated: Optional[float] = None
    scaling = rasters.UNSCALED
    if rasters.is_data_array(source):
        source, found, stated = rasters.of_xarray("source", source)
        scaling = rasters.scaling_of("source", source)
    shape, dtype = getattr(source, "shape", None), getattr(source, "dtype", None)
    if shape is None or dtype is None or len(shape) != 2:
        raise ValueError(
            "source: give a rasterio dataset, a DataArray, or an array of rows and columns"
        )
    return int(shape[1]), int(shape[0]), dtype, found, stated, scaling


@dataclass(frozen=True)
class RasterReader:
    """Reads windows of a band of a raster by ``rasterio``; opens the file where it runs. Numbers come as they
    are stored: the plan scales them.
    """

    #: A file, or another argument of ``rasterio.open``.
    path: str
    #: The band, from 1.
    band: int = 1

    def __call__(self, window: Window) -> Any:
        import rasterio
        from rasterio.enums import MaskFlags
        from rasterio.windows import Window as Pixels

        with rasterio.open(self.path) as source:
            if check.whole("band", self.band, 1) > source.count:
                raise ValueError(f"band {self.band}: {self.path} has {source.count}")
            # Reading a mask doubles the time, so it is skipped if all pixels are valid.
            whole = source.mask_flag_enums[self.band - 1] == [MaskFlags.all_valid]
            return source.read(self.band, window=Pixels(*window), masked=not whole)


@dataclass(frozen=True)
class ArrayReader:
    """Cuts windows out of an array: NumPy's, a memory map, Zarr or xarray."""

    #: An array of rows and columns.
    array: Any

    def __call__(self, window: Window) -> Any:
        array = self.array
        if rasters.is_data_array(array):
            # Puts rows first, and selects the one band.
            array = rasters.rows_first("array", array)
        rows = slice(window.row_off, window.row_off + window.height)
        return array[rows, window.col_off : window.col_off + window.width]
