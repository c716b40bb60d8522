#!/usr/bin/env bash
# Builds the wheel, which is one file for every Python, and runs its tests: on one Python with all supported
# packages, and with NumPy alone on the oldest and the newest installed Python from 3.10 to 3.13. Python 3.10
# gets NumPy 1.26. Prints which tests are skipped.
# Usage: check.sh FOLDER, for virtual environments and the wheel.
set -euo pipefail
# Of the installed packages few modules are imported: these are compiled then.
export PIP_NO_COMPILE=1
out=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
cd "$(dirname "$0")"

# Prints the path of a working Python of this version.
python_of() {
    local found
    for found in "$(command -v "python$1" || true)" \
        "$(compgen -G "$(pyenv root 2>/dev/null)/versions/$1.*/bin/python" | tail -n 1 || true)"; do
        if [ -n "$found" ] && "$found" -c 'import venv' >/dev/null 2>&1; then
            echo "$found"
            return
        fi
    done
}

pythons=()
for version in 3.10 3.11 3.12 3.13; do
    found=$(python_of "$version")
    if [ -n "$found" ]; then
        pythons+=("$found")
    else
        echo "skipped: Python $version is not here"
    fi
done
if [ ${#pythons[@]} -eq 0 ]; then
    echo "skipped: no Python from 3.10 to 3.13 builds or tests the package"
    exit 0
fi

# Other packages support the newest Python last, so the second newest has all of them.
main=${pythons[$((${#pythons[@]} > 1 ? ${#pythons[@]} - 2 : 0))]}
if ! { "$main" -m venv "$out/main" && "$out/main/bin/pip" install --quiet 'maturin>=1.9,<2' numpy pytest; }; then
    echo "skipped: maturin cannot be installed"
    exit 0
fi
# These are installed while the wheel is built.
"$out/main/bin/pip" install --quiet mypy scipy rasterio geopandas xarray rioxarray pyarrow 'dask[distributed]' tqdm &
packages=$!
"$out/main/bin/maturin" build --quiet --release --locked --interpreter "$out/main/bin/python" --out "$out/wheels"
wheel=$(echo "$out"/wheels/spinney_scatter-*.whl)
wait "$packages" || echo "skipped: the tests with what cannot be installed"

# A reused folder may contain a wheel of the same version.
install=(install --quiet --force-reinstall --no-deps "$wheel")

# Tests the wheel with NumPy alone.
with_numpy_alone() {
    local python=$1 version numpy=numpy
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$version" = 3.10 ]; then
        numpy='numpy==1.26.*'
    fi
    if ! { "$python" -m venv "$out/$version" && "$out/$version/bin/pip" install --quiet "$numpy" pytest &&
        "$out/$version/bin/pip" "${install[@]}"; }; then
        echo "skipped: NumPy cannot be installed for Python $version"
        return
    fi
    echo "--- Python $version, $numpy alone"
    "$out/$version/bin/python" -m pytest -q -p no:cacheprovider
}

ends=("${pythons[0]}")
if [ ${#pythons[@]} -gt 1 ]; then
    ends+=("${pythons[-1]}")
fi
for python in "${ends[@]}"; do
    with_numpy_alone "$python"
done >"$out/alone.log" 2>&1 &
alone=$!

"$out/main/bin/pip" "${install[@]}"
echo "--- $("$out/main/bin/python" --version), with all packages"
status=0
"$out/main/bin/python" -m pytest -q -rs -p no:cacheprovider || status=$?
wait "$alone" || status=$?
cat "$out/alone.log"
exit "$status"
