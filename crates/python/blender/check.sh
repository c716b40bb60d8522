#!/usr/bin/env bash
# Builds the extension, installs it in a Blender without a window, and runs its tests. Downloads Blender as a
# Python module: 968 MB. Usage: check.sh FOLDER, for the environment and the extension.
# SPINNEY_BPY=4.2.0 tests another version of Blender: from 5.1 its module is for Python 3.13, before for 3.11.
set -euo pipefail
out=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
cd "$(dirname "$0")"

bpy=${SPINNEY_BPY:-5.2.3}
case $bpy in
4.* | 5.0.*) version=3.11 ;;
*) version=3.13 ;;
esac
python=
for found in "$(command -v python$version || true)" \
    "$(compgen -G "$(pyenv root 2>/dev/null)/versions/$version.*/bin/python" | tail -n 1 || true)"; do
    if [ -n "$found" ] && "$found" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        python=$found
        break
    fi
done
if [ -z "$python" ]; then
    echo "skipped: Python $version, for which Blender's module is made, is not here"
    exit 0
fi
if ! { "$python" -m venv "$out/blender" &&
    "$out/blender/bin/pip" install --quiet "bpy==$bpy" numpy pytest; }; then
    echo "skipped: bpy cannot be installed"
    exit 0
fi
SPINNEY_BLENDER=$("$out/blender/bin/python" build.py "$out/extension" | tail -n 1)
export SPINNEY_BLENDER
"$out/blender/bin/python" -m pytest -q -rs -p no:cacheprovider ../tests/test_blender.py
