#!/usr/bin/env bash
# Builds the ONNX C++ library once, from the pinned source package, into a cache outside the build
# folder, and prints the install prefix on the last line of its standard output.
#
# Debian's libonnx stops at opset 17; opass needs the schemas, the shape inference with data
# propagation, the version converter and the inliner of a current release (docs/decisions/0001).
set -euo pipefail

readonly version=1.23.2
readonly sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${OPASS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/opass}
# The recipe is part of the key: a change of this script builds anew and leaves the old one alone.
recipe=$(sha256sum "$0" | cut -c1-12)
prefix=$cache/onnx-$version-$recipe

if [ -f "$prefix/.complete" ]; then
  echo "$prefix"
  exit 0
fi

python=$root/.venv/bin/python
cmake=$root/.venv/bin/cmake
jobs=${OPASS_JOBS:-$(nproc)}
mkdir -p "$cache"
work=$(mktemp -d "$cache/onnx-build.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "onnx: fetching the source package of $version" >&2
# --no-build-isolation would import the build backend here; the plain call asks for metadata in an
# isolated environment, which takes seconds and needs nothing on this machine.
"$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary onnx \
  -d "$work" "onnx==$version" >&2
archive=$work/onnx-$version.tar.gz
echo "$sha256  $archive" | sha256sum --check --quiet >&2
tar -xzf "$archive" -C "$work"

echo "onnx: building (two to four minutes of processor time, once)" >&2
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
"$cmake" -G Ninja -S "$work/onnx-$version" -B "$work/build" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
  -DCMAKE_INSTALL_PREFIX="$prefix.part" -DCMAKE_CXX_STANDARD=17 \
  -DONNX_USE_UNITY_BUILD=ON -DONNX_GEN_PB_TYPE_STUBS=OFF -DONNX_ML=ON \
  "${launcher[@]}" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 4; }
"$cmake" --build "$work/build" --parallel "$jobs" >"$work/log" 2>&1 ||
  { tail -n 40 "$work/log" >&2; exit 4; }
rm -rf "$prefix.part"
"$cmake" --install "$work/build" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 4; }
touch "$prefix.part/.complete"
# Another build may have finished first: both are the same, keep that one.
mv -T "$prefix.part" "$prefix" 2>/dev/null || rm -rf "$prefix.part"
echo "$prefix"
