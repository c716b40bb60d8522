"""Type checks of the package and of the native module's stubs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers import recipes

pytest.importorskip("mypy")

CONFIG = Path(__file__).resolve().parents[1] / "pyproject.toml"


def check(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_strict() -> None:
    check("mypy", "--config-file", str(CONFIG), "--strict", "-p", "spinney_scatter")


def test_recipes(tmp_path: Path) -> None:
    (tmp_path / "recipes.py").write_text("\n".join(recipes()))
    check("mypy", "--config-file", str(CONFIG), "--strict", str(tmp_path / "recipes.py"))


def test_stubtest() -> None:
    check("mypy.stubtest", "--mypy-config-file", str(CONFIG), "spinney_scatter")


def test_users_are_checked(tmp_path: Path) -> None:
    """The package is marked as typed, so that type checkers find wrong uses in other code."""
    good = "import numpy as np\nimport spinney_scatter as sc\nx: int = len(sc.sample(np.zeros((2, 2))))\n"
    (tmp_path / "good.py").write_text(good)
    check("mypy", "--strict", "--config-file=", str(tmp_path / "good.py"))
    (tmp_path / "bad.py").write_text(good + "sc.sample(np.zeros((2, 2)), rule=3)\n")
    with pytest.raises(AssertionError, match="arg-type"):
        check("mypy", "--strict", "--config-file=", str(tmp_path / "bad.py"))
