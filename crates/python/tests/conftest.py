"""Fixtures: the command line to compare with, and the maps."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


class Cli:
    """The program ``spinney``."""

    def __init__(self, program: str) -> None:
        self.program = program

    def call(self, *arguments: object, timeout: float = 300) -> "subprocess.CompletedProcess[str]":
        """Run the program for at most so many seconds, and return its status and output."""
        words = [self.program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, timeout=timeout)

    def run(self, *arguments: object, timeout: float = 300) -> list[str]:
        """Run the program, which must succeed, and return its warnings."""
        ran = self.call(*arguments, timeout=timeout)
        assert ran.returncode == 0, ran.stderr
        lines = ran.stderr.splitlines()
        return [line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")]


@pytest.fixture(scope="session")
def cli() -> Cli:
    """The command line, from ``SPINNEY_CLI`` or the target folder."""
    built = [ROOT / "target" / kind / "spinney" for kind in ("release", "debug")]
    named = os.environ.get("SPINNEY_CLI") or shutil.which("spinney")
    for program in [named, *built]:
        if program and Path(program).is_file():
            return Cli(str(program))
    pytest.skip("no command line to compare with: cargo build --release, or set SPINNEY_CLI")


@pytest.fixture(scope="session")
def maps() -> Path:
    """The repository's maps."""
    return ROOT / "maps"
