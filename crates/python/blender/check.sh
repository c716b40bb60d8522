#!/usr/bin/env bash
# Builds the extension, installs it in a Blender without a window, and runs its tests. Downloads Blender as a
# Python module: 968 MB, for Python 3.11. Usage: check.sh FOLDER, for the environment and the extension.
# SPINNEY_BPY=4.2.0 tests another version of Blender.
set -euo pipefail
out=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
cd "$(dirname "$0")"

python=
for found in "$(command -v python3.11 || true)" \
    "$(compgen -G "$(pyenv root 2>/dev/null)/versions/3.11.*/bin/python" | tail -n 1 || true)"; do
    if [ -n "$found" ] && "$found" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        python=$found
        break
    fi
done
if [ -z "$python" ]; then
    echo "skipped: Python 3.11, for which Blender's module is made, is not here"
    exit 0
fi
if ! { "$python" -m venv "$out/blender" &&
    "$out/blender/bin/pip" install --quiet "bpy==${SPINNEY_BPY:-5.0.1}" numpy pytest; }; then
    echo "skipped: bpy cannot be installed"
    exit 0
fi
SPINNEY_BLENDER=$("$out/blender/bin/python" build.py "$out/extension" | tail -n 1)
export SPINNEY_BLENDER
"$out/blender/bin/python" -m pytest -q -rs -p no:cacheprovider ../tests/test_blender.py
