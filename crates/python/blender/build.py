#!/usr/bin/env python3
"""Builds the Blender extension: ``python build.py [FOLDER]`` writes ``spinney-VERSION-PLATFORM.zip`` there.

Needs Rust and Python 3.10 or later with pip, on the kind of machine that Blender runs on.
``--wheel FILE`` takes a wheel of spinney-scatter that is built already.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Names of platforms in wheels, and in Blender.
SYSTEMS = {"manylinux": "linux", "linux": "linux", "macosx": "macos", "win": "windows"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}


def platform(wheel: Path) -> str:
    """Return Blender's name of a wheel's platform."""
    tag = wheel.stem.rsplit("-", 1)[1]
    system = next((name for head, name in SYSTEMS.items() if tag.startswith(head)), None)
    machine = next((name for tail, name in MACHINES.items() if tag.endswith(tail)), None)
    if system is None or machine is None:
        sys.exit(f"error: {wheel.name}: Blender has no name for the platform {tag}")
    return f"{system}-{machine}"


def built(folder: Path) -> Path:
    """Build the wheel."""
    words = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(HERE.parent)]
    subprocess.run([sys.executable, *words], check=True)
    return next(folder.glob("spinney_scatter-*.whl"))


def main() -> None:
    """Build the wheel and pack it with the add-on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path())
    parser.add_argument("--wheel", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        wheel = args.wheel or built(Path(temporary))
        manifest = (HERE / "spinney" / "blender_manifest.toml").read_text()
        version = manifest.split('\nversion = "', 1)[1].split('"', 1)[0]
        # Top-level keys must come before the first table.
        keys, tables = manifest.split("\n[", 1)
        keys += f'\nplatforms = ["{platform(wheel)}"]\nwheels = ["./wheels/{wheel.name}"]\n'
        path = args.folder / f"spinney-{version}-{platform(wheel)}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("blender_manifest.toml", f"{keys}\n[{tables}")
            for source in sorted((HERE / "spinney").glob("*.py")):
                out.write(source, source.name)
            out.write(wheel, f"wheels/{wheel.name}")
    print(path)


if __name__ == "__main__":
    main()
