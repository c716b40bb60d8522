"""TIFF files of every kind, with the levels that GDAL and tifffile read in them.

    make_tiffs.py                          makes table.bin and table.txt, in its own folder
    make_tiffs.py random FOLDER COUNT SEED makes so many random files by GDAL, and FOLDER/index.txt

Needs numpy and rasterio (GDAL); the table tifffile with imagecodecs too.
"""

import io
import os
import random
import struct
import sys
import tempfile
import warnings
import zlib

import numpy as np
import rasterio
import rasterio.shutil
from rasterio.enums import ColorInterp, MaskFlags
from rasterio.io import MemoryFile

warnings.filterwarnings("ignore")


# ---- the table ----

W, H = 19, 11
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16",
         "float32", "float64"]


def levels(dtype, bands):
    """Smooth, with some steps, and of all bytes."""
    y, x = np.mgrid[0:H, 0:W]
    all = []
    for band in range(bands):
        at = x // 3 * 17 + y // 2 * 29 + band * 40
        kind = np.dtype(dtype)
        if kind.kind == "f":
            all.append((at * 0.375 - 50).astype(dtype))
        else:
            some = 400 if kind.itemsize > 1 else 256
            step = (2 ** (8 * kind.itemsize) - 1) // (some - 1)
            low = -(2 ** (8 * kind.itemsize - 1)) if kind.kind == "i" else 0
            rows = [[low + int(v) % some * step for v in row] for row in at]
            all.append(np.array(rows, dtype=object).astype(dtype))
    return np.stack(all)


def by_gdal(bands, **options):
    count, height, width = bands.shape
    with MemoryFile() as memory:
        with memory.open(driver="GTiff", width=width, height=height, count=count,
                         dtype=bands.dtype, **options) as f:
            f.write(bands)
        return memory.read()


def by_tifffile(bands, order, **options):
    import tifffile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tif")
        tifffile.imwrite(path, bands[0], byteorder=order, software=False, **options)
        return open(path, "rb").read()


def by_tifffile_read(file):
    import tifffile
    return np.moveaxis(tifffile.imread(io.BytesIO(file)), -1, 0)


def read_back(file):
    with MemoryFile(file) as memory, memory.open() as f:
        return f.read()


class Patch:
    """A classic little-endian TIFF of one image whose tags can be changed."""

    def __init__(self, file):
        assert file[:4] == b"II*\0"
        self.file = bytearray(file)
        self.at = struct.unpack_from("<I", file, 4)[0]
        count = struct.unpack_from("<H", file, self.at)[0]
        self.entries = {}
        for nth in range(count):
            tag, kind, n, value = struct.unpack_from("<HHII", file, self.at + 2 + 12 * nth)
            self.entries[tag] = (kind, n, value)

    def without(self, *tags):
        for tag in tags:
            self.entries.pop(tag, None)
        return self

    def renamed(self, names):
        for old, new in names.items():
            self.entries[new] = self.entries.pop(old)
        return self

    def with_long(self, tag, value):
        self.entries[tag] = (4, 1, value)
        return self

    def with_short(self, tag, value):
        self.entries[tag] = (3, 1, value)
        return self

    def with_numbers(self, tag, numbers):
        place = len(self.file)
        self.file += struct.pack(f"<{len(numbers)}I", *numbers)
        self.entries[tag] = (4, len(numbers), place)
        return self

    def numbers(self, tag):
        kind, n, value = self.entries[tag]
        size, code = {3: (2, "H"), 4: (4, "I")}[kind]
        data = struct.pack("<I", value) if n * size <= 4 else self.file[value:value + n * size]
        return list(struct.unpack_from(f"<{n}{code}", data))

    def done(self):
        """With its directory at the end."""
        file = bytes(self.file) + b"\0" * (len(self.file) % 2)
        place = len(file)
        file = file[:4] + struct.pack("<I", place) + file[8:]
        file += struct.pack("<H", len(self.entries))
        for tag in sorted(self.entries):
            file += struct.pack("<HHII", tag, *self.entries[tag])
        return file + b"\0\0\0\0"


def without_end_codes(file, lengths_tag=325, offsets_tag=324):
    """Each LZW stream without its last byte, where the end code and its padding are."""
    patch = Patch(file)
    return patch.with_numbers(lengths_tag, [n - 1 for n in patch.numbers(lengths_tag)]).done()


def odd_files():
    """Files that libtiff reads though they break the rules: name, file, levels."""
    eight, sixteen = levels("uint8", 1), levels("uint16", 1)
    tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    plain = lambda **options: by_gdal(eight, **options)
    one_strip = {"blockysize": H}
    for name, lzw in [("lzw_tiles", plain(compress="lzw", **tiles)),
                      ("lzw_predictor_tiles", by_gdal(sixteen, compress="lzw", predictor=2, **tiles))]:
        yield name + "_no_end_code", without_end_codes(lzw), sixteen if "predictor" in name else eight
    fax = by_gdal(eight % 2, compress="ccittfax4", NBITS=1, photometric="minisblack", **tiles)
    yield "fax4_tiles_no_end_code", without_end_codes(without_end_codes(fax)), eight % 2
    for codec in ["none", "packbits", "lzw", "deflate", "zstd"]:
        file = plain(compress=codec, **one_strip)
        yield f"{codec}_length_0", Patch(file).with_long(279, 0).done(), eight
        yield f"{codec}_length_missing", Patch(file).without(279).done(), eight
        yield f"{codec}_photometric_missing", Patch(file).without(262).done(), eight
        yield f"{codec}_photometric_long", Patch(file).with_long(262, 1).done(), eight
        yield f"{codec}_compression_long", Patch(file).with_long(259, Patch(file).numbers(259)[0]).done(), eight
        strips = plain(compress=codec, blockysize=4)
        names = {273: 324, 279: 325}
        yield f"{codec}_strips_by_tile_tags", Patch(strips).renamed(names).done(), eight
        tiled = plain(compress=codec, **tiles)
        names = {324: 273, 325: 279}
        yield f"{codec}_tiles_by_strip_tags", Patch(tiled).renamed(names).done(), eight
    for codec in ["none", "packbits"]:
        for predictor in (2, 3):
            file = plain(compress=codec, **one_strip)
            yield f"{codec}_predictor_{predictor}", Patch(file).with_short(317, predictor).done(), eight
    strips = plain(compress="none", blockysize=4)
    # Uncompressed strips whose first two lengths differ: libtiff believes none of them.
    yield "none_lengths_differ", Patch(strips).with_numbers(279, [50, 76, 57]).done(), eight
    yield "none_rows_missing", Patch(plain(**one_strip)).without(278).done(), eight
    yield "none_planar_of_one", Patch(plain(**one_strip)).with_short(284, 2).done(), eight
    yield "none_length_too_short", Patch(plain(**one_strip)).with_long(279, 9).done(), eight
    yield "none_length_too_long", Patch(plain(**one_strip)).with_long(279, 1 << 30).done(), eight
    rgb = by_gdal(levels("uint8", 3), compress="lzw", photometric="rgb", interleave="pixel")
    yield "lzw_rgb_photometric_missing", Patch(rgb).without(262).done(), levels("uint8", 3)


def table():
    all = []
    order = {"LITTLE": "<", "BIG": ">"}
    for codec in ["none", "packbits", "lzw", "deflate", "zstd"]:
        for layout in ["strips", "tiles"]:
            block = {"blockysize": 5}
            if layout == "tiles":
                block = {"tiled": True, "blockxsize": 16, "blockysize": 16}
            for dtype in TYPES:
                predictors = [1]
                if codec in ("lzw", "deflate", "zstd"):
                    predictors += [2] + [3] * (np.dtype(dtype).kind == "f")
                for predictor in predictors:
                    for end in order:
                        for bands in [1, 3] if dtype in ("uint8", "uint16", "float32") else [1]:
                            for interleave in ["pixel", "band"][:bands]:
                                name = "_".join([codec, layout, dtype, str(predictor), end.lower(),
                                                 str(bands), interleave])
                                expected = levels(dtype, bands)
                                if dtype == "float16":
                                    # GDAL writes none.
                                    size = {"tile": (16, 16)} if layout == "tiles" else {"rowsperstrip": 5}
                                    kind = None if codec == "none" else codec
                                    if predictor == 2:
                                        continue
                                    file = by_tifffile(
                                        expected, order[end], metadata=None,
                                        compression={"deflate": "zlib"}.get(kind, kind),
                                        predictor=predictor if predictor > 1 else None, **size)
                                else:
                                    options = {"predictor": predictor} if predictor > 1 else {}
                                    file = by_gdal(expected, compress=codec, ENDIANNESS=end,
                                                   interleave=interleave, photometric="minisblack",
                                                   **options, **block)
                                all.append((name, file, expected))
    for nbits, dtype in [(1, "uint8"), (2, "uint8"), (4, "uint8"), (5, "uint8"), (11, "uint16"),
                         (12, "uint16"), (29, "uint32")]:
        for layout in ["strips", "tiles"]:
            block = {"blockysize": 5}
            if layout == "tiles":
                block = {"tiled": True, "blockxsize": 16, "blockysize": 16}
            for end in order:
                expected = (levels(dtype, 1).astype(np.uint64) % 2**nbits).astype(dtype)
                file = by_gdal(expected, compress="lzw", NBITS=nbits, ENDIANNESS=end, **block)
                all.append((f"lzw_{layout}_{nbits}bit_{end.lower()}", file, expected))
    for layout in ["strips", "tiles"]:
        block = {"blockysize": H}
        if layout == "tiles":
            block = {"tiled": True, "blockxsize": 16, "blockysize": 16}
        bit = levels("uint8", 1) % 2
        for photometric in ["minisblack", "miniswhite"]:
            file = by_gdal(bit, compress="ccittfax4", NBITS=1, photometric=photometric, **block)
            all.append((f"fax4_{layout}_{photometric}", file,
                        1 - bit if photometric == "miniswhite" else bit))
        for bands in [3, 4]:
            file = by_gdal(levels("uint8", bands), compress="webp", WEBP_LOSSLESS=True,
                           interleave="pixel", photometric="rgb", **block)
            all.append((f"webp_{layout}_{bands}", file, levels("uint8", bands)))
        for bands, photometric in [(1, "minisblack"), (3, "rgb"), (3, "ycbcr"), (4, "rgb")]:
            file = by_gdal(levels("uint8", bands), compress="jpeg", JPEG_QUALITY=100,
                           interleave="pixel", photometric=photometric, **block)
            all.append((f"jpeg_{layout}_{bands}_{photometric}", file, read_back(file)))
    all.extend(odd_files())

    offset, lines, blob, known = 0, [], b"", {}
    for name, file, expected in all:
        if "ycbcr" in name:
            # GDAL repeats colours that are stored for four pixels at once; the others interpolate.
            found = expected = by_tifffile_read(file)
        else:
            found = read_back(file)
        if "miniswhite" in name:
            found = 1 - found
        assert found.shape == expected.shape, name
        assert np.array_equal(found.astype(np.float64), expected.astype(np.float64)), name
        words = " ".join(f"{float(v):.17g}" for v in expected.astype(np.float64).ravel())
        key = known.setdefault(words, f"levels{len(known)}")
        off = 6 if name.startswith("jpeg") else 0
        lines.append(f"{name} {offset} {len(file)} {len(expected)} {off} {key}")
        blob += file
        offset += len(file)
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "table.bin"), "wb") as f:
        f.write(zlib.compress(blob, 9))
    with open(os.path.join(here, "table.txt"), "w") as f:
        f.write(f"# Made by make_tiffs.py: {W}x{H} images, and what GDAL {rasterio.__gdal_version__} reads.\n")
        f.write("# File, where it begins in table.bin (zlib) and its bytes, bands, how far a\n# lossy codec may be off, levels.\n")
        for line in lines:
            f.write(line + "\n")
        for words, key in known.items():
            f.write(f"= {key} {words}\n")


# ---- random files ----

LOSSY = {"JPEG": 10, "WEBP": 14}


def draw(dice):
    """Options of a file, or None for those that do not go together."""
    dtype = dice.choice(["uint8"] * 4 + ["int8", "uint16", "uint16", "int16", "uint32", "int32",
                                         "uint64", "int64", "float32", "float32", "float64",
                                         "complex64"])
    count = dice.choice([1, 1, 1, 2, 3, 3, 4, 5])
    options = {"compress": dice.choice(
        ["NONE", "NONE", "PACKBITS", "PACKBITS", "LZW", "LZW", "LZW", "DEFLATE", "DEFLATE",
         "DEFLATE", "ZSTD", "ZSTD", "ZSTD", "JPEG", "JPEG", "WEBP", "WEBP", "CCITTFAX4",
         "CCITTFAX4", "CCITTFAX3", "CCITTRLE", "LZMA", "LERC", "LERC_ZSTD", "LERC_DEFLATE"])}
    cog = dice.random() < 0.15
    if dice.random() < 0.5:
        options["predictor" if not cog else "PREDICTOR"] = dice.choice([1, 2, 2, 3])
    if cog:
        options["BLOCKSIZE"] = dice.choice([128, 256])
        options["OVERVIEWS"] = dice.choice(["NONE", "AUTO"])
    else:
        if dice.random() < 0.6:
            options.update(tiled=True, blockxsize=16 * dice.randint(1, 6),
                           blockysize=16 * dice.randint(1, 6))
        elif dice.random() < 0.7:
            options["blockysize"] = dice.randint(1, 40)
        options["interleave"] = dice.choice(["pixel", "band"])
        options["ENDIANNESS"] = dice.choice(["LITTLE", "BIG"])
        photometric = ["MINISBLACK"] * 3 + ["MINISWHITE"]
        photometric += {3: ["RGB"] * 4 + ["YCBCR", "CIELAB"], 4: ["RGB"] * 4 + ["CMYK"]}.get(count, [])
        photometric += ["PALETTE"] * 2 if count == 1 and dtype in ("uint8", "uint16") else []
        options["photometric"] = dice.choice(photometric)
        if dice.random() < 0.3:
            top = {"uint8": 7, "uint16": 15, "uint32": 31}.get(dtype)
            if top:
                options["NBITS"] = dice.randint((top + 1) // 2 if top > 7 else 1, top)
        if options["compress"].startswith("CCITT"):
            options["NBITS"] = 1
        if dice.random() < 0.3 and options["compress"] != "JPEG":
            options["SPARSE_OK"] = True
        if count in (2, 4) and dice.random() < 0.4:
            options["ALPHA"] = dice.choice(["YES", "PREMULTIPLIED", "NON-PREMULTIPLIED", "NO"])
    if options["compress"].startswith(("CCITT", "JPEG", "WEBP")) and dice.random() < 0.8:
        dtype = "uint8"
    if options["compress"] == "WEBP":
        count = dice.choice([3, 4])
        options["interleave"] = "pixel"
        options["photometric"] = "RGB"
    options["BIGTIFF"] = dice.choice(["YES", "NO", "IF_NEEDED"])
    if options["compress"] == "WEBP" and dice.random() < 0.7:
        options["WEBP_LOSSLESS"] = True
    if options["compress"] == "JPEG":
        options["JPEG_QUALITY"] = dice.choice([90, 100])
    return dtype, count, cog, options


def pixels(dice, dtype, count, width, height, bits, smooth):
    rng = np.random.default_rng(dice.getrandbits(32))
    y, x = np.mgrid[0:height, 0:width]
    kind = np.dtype(dtype)
    noise = 0 if smooth else dice.choice([0, 0, 3, 60])
    bands = []
    for band in range(count):
        base = x * dice.uniform(0.5, 3) + y * dice.uniform(0.5, 3) + 17 * band
        if smooth:
            base = base / 3
        base = base + (rng.random((height, width)) - 0.5) * noise
        if kind.kind in "fc":
            bands.append((base * 3.7 - 90).astype(dtype))
        elif kind.kind == "u":
            bands.append((base % 250 / 250 * (2.0**bits - 1)).astype(np.float64).astype(dtype))
        else:
            bands.append(((base % 250 / 250 - 0.5) * 2.0 ** (bits - 1)).astype(dtype))
    return np.stack(bands)


def write(path, dice):
    dtype, count, cog, options = draw(dice)
    width, height = dice.randint(1, 90), dice.randint(1, 90)
    bits = int(options.get("NBITS", 8 * np.dtype(dtype).itemsize))
    # GDAL repeats the colours of a JPEG that has fewer of them than pixels; tifffile, Pillow and
    # this reader interpolate. Without edges both do the same.
    jpeg = options["compress"] == "JPEG"
    data = pixels(dice, dtype, count, width, height, bits, smooth=jpeg)
    nodata = None
    # A lossy codec moves it, and GDAL writes it wrongly for 64-bit integers.
    is_kept = options["compress"] not in LOSSY and not dtype.endswith("int64")
    if dice.random() < 0.3 and is_kept and not np.iscomplexobj(data):
        nodata = float(data[0, height // 2, width // 2])
    profile = dict(driver="GTiff", width=width, height=height, count=count, dtype=dtype, nodata=nodata)
    palette = {n: (n * 5 % 256, 255 - n % 256, n * 11 % 256, 255) for n in range(2 ** min(bits, 8))}
    if cog:
        with MemoryFile() as memory:
            with memory.open(**profile) as f:
                f.write(data)
            with memory.open() as f:
                rasterio.shutil.copy(f, path, driver="COG", **options)
    else:
        with rasterio.open(path, "w", **profile, **options) as f:
            if options["photometric"] == "PALETTE":
                f.write_colormap(1, palette)
            if options.get("SPARSE_OK"):
                window = rasterio.windows.Window(0, 0, (width + 1) // 2, (height + 1) // 2)
                f.write(data[:, : (height + 1) // 2, : (width + 1) // 2], window=window)
            else:
                f.write(data)
    return options


def expected(path):
    """The levels of all bands as GDAL has them, NaN for no data."""
    with rasterio.open(path) as f:
        bands = f.read().astype(np.complex128).real.astype(np.float64)
        if f.dtypes[0] in ("uint64", "int64"):
            bands = f.read().astype(np.float64)
        structure = f.tags(ns="IMAGE_STRUCTURE")
        bits = f.tags(1, ns="IMAGE_STRUCTURE").get("NBITS")
        if MaskFlags.per_dataset in f.mask_flag_enums[0] and ColorInterp.alpha not in f.colorinterp:
            bands = np.where(f.dataset_mask() > 0, bands, np.nan)
        if f.nodata is not None:
            bands = np.where(bands == f.nodata, np.nan, bands)
        # GDAL hands out the numbers as they are stored.
        if structure.get("MINISWHITE") == "YES" and f.dtypes[0].startswith("uint"):
            size = int(bits) if bits else 8 * np.dtype(f.dtypes[0]).itemsize
            for nth, meaning in enumerate(f.colorinterp):
                if meaning != ColorInterp.alpha:
                    bands[nth] = 2.0**size - 1 - bands[nth]
        return bands


def randoms(folder, count, seed):
    dice = random.Random(seed)
    made = 0
    with open(os.path.join(folder, "index.txt"), "w") as index:
        while made < count:
            path = os.path.join(folder, f"{made:03}.tif")
            try:
                options = write(path, dice)
                bands = expected(path)
            except (rasterio.errors.RasterioError, rasterio._err.CPLE_BaseError, ValueError,
                    TypeError, AttributeError):
                # GDAL does not write every combination.
                if os.path.exists(path):
                    os.remove(path)
                continue
            number, height, width = bands.shape
            bands.astype("<f8").tofile(path.replace(".tif", ".f64"))
            off = LOSSY.get(options["compress"], 0)
            words = ",".join(f"{k}={v}" for k, v in sorted(options.items()))
            index.write(f"{made:03} {width} {height} {number} {off} {words}\n")
            made += 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["random"]:
        randoms(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        table()
