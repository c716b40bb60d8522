"""The recipes of docs/python.md run unchanged."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import geotiff, recipes

import spinney_scatter as sc


# The recommended options cause no warnings.
@pytest.mark.filterwarnings("error:.*(min_dist|the map is):UserWarning")
def test_recipes(maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["rasterio", "rioxarray", "geopandas", "pyarrow", "distributed", "tqdm"]:
        pytest.importorskip(name)
    (tmp_path / "meadow.png").write_bytes((maps / "meadow.png").read_bytes())
    y, x = np.mgrid[0:300, 0:400]
    place = (30, 0, 500_000, 0, -30, 5_000_000)
    heights = (400 + 250 * np.sin(x / 40.0) * np.cos(y / 50.0)).astype(np.float32)
    geotiff(tmp_path / "dem.tif", heights, place, tiled=True, nodata=-9999)
    # A small raster; nothing in the recipe depends on its size.
    geotiff(tmp_path / "big.tif", sc.perlin((1024, 1024), scale=300), place, tiled=True)
    monkeypatch.chdir(tmp_path)
    # Pickling needs an importable module.
    module = types.ModuleType("recipes")
    monkeypatch.setitem(sys.modules, "recipes", module)
    for recipe in recipes():
        exec(compile(recipe, "docs/python.md", "exec"), module.__dict__)
    space: Any = module.__dict__
    assert len(space["trees"]) > 100 and (tmp_path / "trees.gpkg").exists()
    assert space["trees"].value.max() < 1 and len(space["ferns"]) > 100
    assert len(space["first"]) > 5
    parts = sorted((tmp_path / "out").glob("column=*/row=*/part.parquet"))
    assert len(parts) == len(space["plan"]) == 256
