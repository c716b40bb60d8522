"""Makes the images here, and figures.txt and maps.txt: what other decoders read in them.

Needs numpy, rasterio (GDAL), tifffile with imagecodecs, Pillow and OpenEXR. Run in this folder;
with a folder of maps as an argument, maps.txt is written as well.

Lines: file, channel, type, width, height, tolerance, pixels with a level, least, greatest and
sum of the levels, first and last pixel (- for none).
"""

import os
import sys
import warnings

import numpy as np
import OpenEXR
import rasterio
import tifffile
from PIL import Image
from rasterio.enums import ColorInterp

warnings.filterwarnings("ignore")
W, H = 21, 18
Y, X = np.mgrid[0:H, 0:W]
HEIGHTS = (X * 7.25 - Y * 3.5 + (X * Y % 5) * 0.125).astype(np.float64)
GREYS = ((X * 12 + Y * 5 + X * Y) % 256).astype(np.uint8)


def gtiff(name, bands, nodata=None, mask=None, interp=None, colormap=None, **options):
    bands = np.atleast_3d(bands.T).T if bands.ndim == 2 else bands
    count, height, width = bands.shape
    env = {"GDAL_TIFF_INTERNAL_MASK": True}
    with rasterio.Env(**env), rasterio.open(
        name, "w", driver="GTiff", width=width, height=height, count=count, dtype=bands.dtype,
        nodata=nodata, **options,
    ) as f:
        if interp:
            f.colorinterp = interp
        f.write(bands)
        if colormap:
            f.write_colormap(1, colormap)
        if mask is not None:
            f.write_mask(mask)


def make():
    hole = HEIGHTS.copy()
    hole[4:9, 3:17] = -9999.0
    tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    gtiff("f32_tiles_deflate_nodata.tif", hole.astype(np.float32), nodata=-9999.0,
          compress="deflate", predictor=3, **tiles)
    gtiff("f64_lzw.tif", HEIGHTS, compress="lzw", predictor=3)
    nan = hole.astype(np.float32)
    nan[nan == -9999.0] = np.nan
    gtiff("f32_nan_big_endian.tif", nan, ENDIANNESS="BIG")
    lowest = hole.astype(np.float32)
    lowest[lowest == -9999.0] = np.finfo(np.float32).min
    gtiff("f32_lowest.tif", lowest, nodata=float(np.finfo(np.float32).min), compress="packbits")
    gtiff("i16_lzw_nodata.tif", np.where(hole == -9999.0, -32768, HEIGHTS * 100).astype(np.int16),
          nodata=-32768, compress="lzw", predictor=2)
    gtiff("i8.tif", (HEIGHTS / 2).astype(np.int8))
    gtiff("i32_zstd.tif", (HEIGHTS * 1e6).astype(np.int32), compress="zstd", predictor=2)
    gtiff("u32_tiles.tif", (HEIGHTS * 1e6 + 2e9).astype(np.uint32), **tiles)
    gtiff("u64.tif", (HEIGHTS * 1e6 + 2e9).astype(np.uint64))
    sixteen = (np.arange(W * H).reshape(H, W) * 173).astype(np.uint16)
    gtiff("u16_big_tiff_zstd.tif", sixteen, BIGTIFF="YES", compress="zstd")
    gtiff("u16_nodata_0.tif", sixteen, nodata=0, compress="deflate", predictor=2)
    gtiff("u8_min_is_white.tif", GREYS, photometric="miniswhite", compress="packbits")
    gtiff("u1_fax4.tif", (GREYS > 99).astype(np.uint8), photometric="miniswhite",
          compress="ccittfax4", NBITS=1)
    gtiff("u1.tif", (GREYS > 99).astype(np.uint8), NBITS=1, compress="deflate")
    gtiff("u2.tif", GREYS % 4, NBITS=2)
    gtiff("u4_tiles.tif", GREYS % 16, NBITS=4, **tiles)
    rgb = np.stack([GREYS, GREYS[::-1], GREYS.T[:1].T.repeat(W, 1)])
    gtiff("rgb_planar.tif", rgb, photometric="rgb", interleave="band", compress="lzw")
    alpha = np.where(X + Y < 9, 0, 200).astype(np.uint8)
    gtiff("rgba_tiles_webp.tif", np.concatenate([rgb, alpha[None]]), photometric="rgb", alpha="yes",
          compress="webp", WEBP_LOSSLESS=True, interleave="pixel", **tiles)
    smooth = (X * 6 + Y * 5).astype(np.uint8)
    gtiff("ycbcr_jpeg.tif", np.stack([smooth, smooth, 255 - smooth]), photometric="ycbcr",
          compress="jpeg", jpeg_quality=98, interleave="pixel")
    nir = np.concatenate([rgb, alpha[None], GREYS[None, :, ::-1]])
    gtiff("rgb_alpha_nir.tif", nir, photometric="rgb", compress="deflate", predictor=2,
          interp=[ColorInterp.red, ColorInterp.green, ColorInterp.blue, ColorInterp.alpha,
                  ColorInterp.undefined], interleave="pixel")
    gtiff("f32_5_bands.tif", np.stack([HEIGHTS + 100 * i for i in range(5)]).astype(np.float32),
          interleave="band", **tiles)
    gtiff("grey_alpha.tif", np.stack([GREYS, alpha]), alpha="yes")
    gtiff("mask.tif", HEIGHTS.astype(np.float32), mask=alpha > 0, compress="deflate")
    gtiff("sparse.tif", np.zeros((64, 64), np.float32) - 1, nodata=-1, SPARSE_OK=True, **tiles)
    with rasterio.open("sparse.tif", "r+") as f:
        f.write(HEIGHTS[None, :16, :16].astype(np.float32),
                window=rasterio.windows.Window(16, 32, 16, 16))
    palette = {i: (i, 255 - i, i * 7 % 256, 255) for i in range(256)}
    gtiff("palette.tif", GREYS, colormap=palette, photometric="palette")
    gtiff("complex.tif", (HEIGHTS + 1j).astype(np.complex64))
    tifffile.imwrite("f16.tif", HEIGHTS.astype(np.float16))
    # A tile more than 16 rows higher than the image.
    tifffile.imwrite("u8_jpeg_tile.tif", smooth, tile=(48, 48), compression="jpeg",
                     compressionargs={"level": 98})
    reverse = np.packbits(np.unpackbits(GREYS[..., None], axis=-1, bitorder="little"), axis=-1)
    Image.fromarray(reverse[..., 0]).save("fill_order_2.tif", tiffinfo={266: 2})
    tifffile.imwrite("cmyk.tif", np.stack([GREYS] * 4, -1), photometric="separated")
    for n in (3, 6):
        tifffile.imwrite(f"orientation_{n}.tif", GREYS,
                         extratags=[(274, "H", 1, n, True)])
    exif = Image.Exif()
    exif[274] = 6
    Image.fromarray(GREYS).save("orientation_6.png", exif=exif)
    Image.fromarray(smooth).save("orientation_6.jpg", exif=exif, quality=98)

    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage,
              "displayWindow": (np.array([0, 0], np.int32), np.array([W + 3, H + 1], np.int32)),
              "dataWindow": (np.array([2, 1], np.int32), np.array([W + 1, H], np.int32))}
    deep = HEIGHTS.astype(np.float32)
    deep[2, 3] = np.nan
    channels = {"Z": deep, "trees.R": GREYS.astype(np.float16) / 16,
                "trees.A": (alpha > 0).astype(np.float16), "id": GREYS.astype(np.uint32) * 9_000_000}
    OpenEXR.File(header, channels).write("channels.exr")
    for kind in ("PIZ", "RLE", "ZIPS", "PXR24", "B44"):
        header = {"compression": getattr(OpenEXR, f"{kind}_COMPRESSION"),
                  "type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription()}
        if kind in ("RLE", "B44"):
            header = {"compression": header["compression"], "type": OpenEXR.scanlineimage}
        OpenEXR.File(header, {"Y": HEIGHTS.astype(np.float16)}).write(f"{kind.lower()}.exr")

    rgbe = np.stack([GREYS.T.T, GREYS[::-1], 255 - GREYS, 120 + GREYS % 20], -1).astype(np.uint8)
    with open("flat.hdr", "wb") as f:
        f.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (H, W) + rgbe.tobytes())


BANDS = {"luma": None, "r": 0, "g": 1, "b": 2, "a": "alpha"}


def tiff(path, channel):
    """Levels with NaN where there is none, and the type, by GDAL."""
    with rasterio.open(path) as f:
        bands = f.read().astype(np.float64)
        kind = f.dtypes[0]
        bits = int(f.tags(1, ns="IMAGE_STRUCTURE").get("NBITS", np.dtype(kind).itemsize * 8))
        bits = 16 if kind == "float16" else bits
        white = 2.0**bits - 1
        if f.tags(ns="IMAGE_STRUCTURE").get("MINISWHITE") == "YES" and kind == "uint8":
            bands = white - bands
        valid = f.dataset_mask() > 0
        if ColorInterp.alpha in f.colorinterp:
            valid = bands[list(f.colorinterp).index(ColorInterp.alpha)] > 0
        if ColorInterp.palette in f.colorinterp and bits > 1:
            table = f.colormap(1)
            colours = np.array([table[i][:3] for i in range(len(table))])
            bands = np.moveaxis(colours[bands[0].astype(int)], -1, 0) * 257.0
            kind, bits = "uint16", 16
            valid = np.ones(bands.shape[1:], bool)
        at = BANDS[channel] if channel in BANDS else int(channel) - 1
        if at == "alpha":
            at = list(f.colorinterp).index(ColorInterp.alpha)
        if at is None and len(bands) >= 3:
            levels = (2126 * bands[0] + 7152 * bands[1] + 722 * bands[2]) / 10000
        else:
            levels = bands[at or 0]
    sign = {"u": "", "i": "-signed", "f": "-float"}[np.dtype(kind).kind]
    return np.where(valid, levels, np.nan), f"{bits}-bit{sign}"


def exr(path, channel):
    with OpenEXR.File(path, separate_channels=True) as f:
        part = f.parts[0]
        pixels = {n: np.asarray(c.pixels, np.float64) for n, c in part.channels.items()}
        low, high = part.header["dataWindow"]
        left, top, *_ = part.header["displayWindow"][0]
        right, bottom = part.header["displayWindow"][1]
        if channel == "luma" and "R" in pixels:
            levels = (2126 * pixels["R"] + 7152 * pixels["G"] + 722 * pixels["B"]) / 10000
            first = "R"
        else:
            first = {"luma": "G" if list(pixels) == ["G"] else "Y", "r": "R"}.get(channel, channel)
            levels = pixels[first]
        group = first.rsplit(".", 1)[0] + "." if "." in first else ""
        if group + "A" in pixels:
            levels = np.where(pixels[group + "A"] > 0, levels, np.nan)
        whole = np.full((bottom - top + 1, right - left + 1), np.nan)
        whole[low[1] - top:high[1] - top + 1, low[0] - left:high[0] - left + 1] = levels
        dtype = part.channels[first].pixels.dtype
    kinds = {"float16": "16-bit-float", "float32": "32-bit-float", "uint32": "32-bit"}
    return whole, kinds[str(dtype)]


def other(path, channel):
    image = Image.open(path)
    orientation = image.getexif().get(274, 1)
    bits = 16 if image.mode.startswith("I") else 8
    pixels = np.asarray(image).astype(np.float64)
    turns = {1: 0, 3: 2, 6: 3}[orientation]
    pixels = np.rot90(pixels, turns)
    if pixels.ndim == 2:
        return pixels, f"{bits}-bit"
    at = BANDS[channel]
    if at is None:
        levels = pixels[..., :3] @ np.array([2126, 7152, 722]) / 10000
    else:
        levels = pixels[..., -1 if at == "alpha" else at]
    if image.mode == "RGBA":
        levels = np.where(pixels[..., 3] > 0, levels, np.nan)
    return levels, f"{bits}-bit"


def hdr(path, channel):
    """By hand: mantissa / 256 * 2^(exponent - 128), as Radiance has it."""
    rgbe = np.frombuffer(open(path, "rb").read()[-H * W * 4:], np.uint8).reshape(H, W, 4)
    rgb = rgbe[..., :3].astype(np.float64) * np.exp2(rgbe[..., 3:].astype(np.float64) - 136)
    return rgb @ np.array([2126, 7152, 722]) / 10000, "32-bit-float"


def line(path, channel, tolerance):
    reader = {"tif": tiff, "exr": exr, "hdr": hdr}.get(path.rsplit(".", 1)[-1], other)
    if os.path.basename(path).startswith("orientation") and path.endswith("tif"):
        levels = np.rot90(tifffile.imread(path).astype(np.float64), {"3": 2, "6": 3}[path[-5]])
        kind = "8-bit"
    elif os.path.basename(path) == "f16.tif":
        levels, kind = tifffile.imread(path).astype(np.float64), "16-bit-float"
    else:
        levels, kind = reader(path, channel)
    height, width = levels.shape
    some = levels[np.isfinite(levels)]
    ends = [repr(float(f(some))) if len(some) else "-" for f in (np.min, np.max, np.sum)]
    spots = [repr(float(v)) if np.isfinite(v) else "-" for v in (levels[0, 0], levels[-1, -1])]
    count = np.count_nonzero(~np.isnan(levels))
    return " ".join(map(str, [os.path.basename(path), channel, kind, width, height, tolerance,
                              count, *ends, *spots]))


CHANNELS = {"rgb_planar.tif": ["luma", "r", "g", "b"], "rgba_tiles_webp.tif": ["luma", "g", "a"],
            "rgb_alpha_nir.tif": ["luma", "b", "5"], "f32_5_bands.tif": ["1", "5"],
            "palette.tif": ["luma", "b"], "channels.exr": ["Z", "trees.R", "id"],
            "rasterio_alpha.tif": ["luma", "r", "a"],
            "urho3d_TerrainWeights_rgba8.png": ["r", "g", "b", "a"]}
REFUSED = ["make.py", "figures.txt", "maps.txt", "complex.tif", "cmyk.tif", "fill_order_2.tif"]


def figures(folder, out):
    with open(out, "w") as f:
        f.write("# Made by make.py from what GDAL, tifffile, Pillow and OpenEXR read.\n")
        for name in sorted(os.listdir(folder)):
            if name in REFUSED:
                continue
            path = os.path.join(folder, name)
            lossy = name.endswith(".jpg") or name in (
                "ycbcr_jpeg.tif", "u8_jpeg_tile.tif", "rasterio_alpha.tif")
            for channel in CHANNELS.get(name, ["luma"]):
                f.write(line(path, channel, 4 if lossy and channel != "a" else 0) + "\n")


if __name__ == "__main__":
    make()
    figures(".", "figures.txt")
    if len(sys.argv) > 1:
        figures(sys.argv[1], "maps.txt")
