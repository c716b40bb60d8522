"""Maps: Blender's images as greys, and files."""

import warnings

import bpy
import numpy as np
import spinney_scatter as sc

#: Colour spaces of float images. Blender stores the file's numbers for the first two, and decoded numbers for
#: the last.
DATA, LINEAR, DECODED = "Non-Color", "Linear Rec.709", "sRGB"


def of_file(path):
    """Return the map in a file, read as the command line reads it."""
    if not path:
        raise ValueError("file: none is chosen")
    return sc.read(bpy.path.abspath(path))


def of_image(image):
    """Return an image's brightness as 16-bit greys, the top row first, closed where alpha is 0.

    Greys equal those in the image's file. Blender decodes float images in sRGB; this function reverses that,
    to one step of 16 bits. Brightness is Rec. 709 in whole numbers, as in the command line.
    """
    if image is None:
        raise ValueError("image: none is chosen")
    name = f"image {image.name}"
    if image.source not in ("FILE", "GENERATED"):
        raise ValueError(f"{name}: not a single picture: save a frame or a tile as an image")
    width, height = image.size
    if width * height == 0:
        raise ValueError(f"{name}: it has no pixels: find its file again, or choose another")
    numbers = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(numbers)
    # Blender's first row is the lowest.
    numbers = numbers.reshape(height, width, image.channels)[::-1]
    has_colours = image.channels >= 3
    alpha = numbers[..., 3] if image.channels == 4 else None
    closed = np.zeros((height, width), bool) if alpha is None else alpha == 0
    if closed.all():
        raise ValueError(f"{name}: alpha is 0 everywhere, so no point may lie anywhere: paint it")
    # Blender 5 has the choice.
    working = getattr(getattr(bpy.data, "colorspace", None), "working_space", LINEAR)
    if working != LINEAR and image.is_float and has_colours and image.colorspace_settings.name != DATA:
        if (np.ptp(numbers[..., :3], axis=2) > 1e-3).any():
            warnings.warn(
                f"{name}: Blender's working space is {working}, so the brightness of its colours is not that of its"
                f" file: choose Map: File, or work in {LINEAR}",
                stacklevel=1,
            )
    sums = np.full((height, width), 5000, np.uint32)
    for channel, weight in enumerate((2126, 7152, 722) if has_colours else (10_000,)):
        level = numbers[..., channel]
        if image.is_float:
            level = _as_stored(image, level, alpha)
            closed |= np.isnan(level)
            steps = np.rint(np.clip(np.nan_to_num(level), 0, 1) * 65535).astype(np.uint32)
        else:
            steps = np.rint(level * 255).astype(np.uint32) * 257
        sums += np.uint32(weight) * steps
    return np.ma.MaskedArray((sums // 10_000).astype(np.uint16), mask=closed)


def _as_stored(image, level, alpha):
    """Return a channel of a float image as its file stores it."""
    level = level.astype(np.float64)
    space = image.colorspace_settings.name
    if alpha is not None and image.alpha_mode in ("STRAIGHT", "PREMUL") and space != DATA:
        # Blender stores colours multiplied by alpha.
        level = np.divide(level, alpha, out=level, where=alpha > 0)
    if space in (DATA, LINEAR):
        return level
    if space != DECODED:
        raise ValueError(
            f"image {image.name}: its colour space is {space}, so its greys are not those of its file:"
            " choose Non-Color"
        )
    low = level <= 0.0031308
    return np.where(low, 12.92 * level, 1.055 * np.where(low, 1, level) ** (1 / 2.4) - 0.055)
