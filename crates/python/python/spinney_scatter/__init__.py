"""Blue-noise points whose spacing follows a map: an array, a raster, noise."""

from ._fields import distance_field, map_field, noise_field
from ._georeferenced import Georeferenced
from ._maps import perlin, read
from ._native import ALGORITHM_VERSION, Field, __version__
from ._plan import ArrayReader, Plan, RasterReader, Window, plan
from ._points import Points, Run
from ._sample import sample, sample_distances
from ._species import Layer, species
from ._verify import verify
from ._world import World

__all__ = [
    "ALGORITHM_VERSION",
    "ArrayReader",
    "Field",
    "Georeferenced",
    "Layer",
    "Plan",
    "Points",
    "RasterReader",
    "Run",
    "Window",
    "World",
    "__version__",
    "distance_field",
    "map_field",
    "noise_field",
    "perlin",
    "plan",
    "read",
    "sample",
    "sample_distances",
    "species",
    "verify",
]
