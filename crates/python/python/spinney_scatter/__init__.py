"""Blue-noise points whose spacing follows a map: an array, a raster, noise."""

from ._fields import distance_field, map_field, noise_field
from ._native import ALGORITHM_VERSION, Field, __version__
from ._points import Points, Run
from ._sample import Layer, World, perlin, read, sample, sample_distances, species, verify

__all__ = [
    "ALGORITHM_VERSION",
    "Field",
    "Layer",
    "Points",
    "Run",
    "World",
    "__version__",
    "distance_field",
    "map_field",
    "noise_field",
    "perlin",
    "read",
    "sample",
    "sample_distances",
    "species",
    "verify",
]
