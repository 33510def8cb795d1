#!/usr/bin/env bash
# Installs what opass needs to be built and tested, and nothing twice: `make build` runs it first.
#
#   1. Debian packages (the list below), only those that are missing;
#   2. a project-local Python environment, .venv, from the hash-pinned tools/requirements.txt;
#   3. the ONNX C++ library, built once into a cache outside the project (tools/build_onnx.sh).
#
# It leaves two links that the build reads: .venv/onnx (install prefix of ONNX) and
# .venv/libonnxruntime.so. A stamp makes every later run take a few milliseconds, with no network.
#
# Environment:
#   OPASS_CACHE     where the ONNX library is kept (default: $XDG_CACHE_HOME/opass, ~/.cache/opass)
#   OPASS_JOBS      processes of the ONNX build (default: all processors)
#   OPASS_PYTHON    the Python to use, 3.11 to 3.13 (default: python3)
#   OPASS_NO_APT=1  leave the system's packages alone: you have them, under whatever name
#
# Exit codes: 0 all there, 4 something is missing that the script may not or can not install.
set -euo pipefail

readonly packages=(
  g++ make ninja-build ccache              # to build
  libprotobuf-dev protobuf-compiler        # the ONNX library's messages
  libfmt-dev libcli11-dev nlohmann-json3-dev
  libgtest-dev                             # to test
  libonnx-testdata                         # to test: 1,072 models with their expected outputs
)

root=$(cd "$(dirname "$0")/.." && pwd)
readonly root venv=$root/.venv
readonly stamp=$venv/.opass-setup
python=${OPASS_PYTHON:-python3}

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 4
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
  # Debian cuts venv out of python3; other Pythons have it.
  if [ ! -x "$venv/bin/python" ] && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo python3-venv
  fi
}

install_packages() {
  [ "${OPASS_NO_APT:-0}" = 1 ] && return
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
    fail "this system has no apt-get. Install the like of these Debian packages and run again" \
         "with OPASS_NO_APT=1: ${packages[*]}"
  local missing=() as_root=()
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null ||
      fail "these packages are missing, and this user may not install them:" \
           "  ${missing[*]}" \
           "Run this once, then the same command again:" \
           "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo -n)
  fi
  echo "setup: installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -q update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
      install "${missing[@]}"; } </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "apt-get could not install ${missing[*]} (all it said: $log)"
  fi
  rm -f "$log"
}

check_python() {
  "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null ||
    fail "Python 3.11 to 3.13 is needed; '$python' is $("$python" --version 2>&1 | head -n 1)." \
         "Name another with OPASS_PYTHON=/path/to/python3."
}

make_environment() {
  if ! "$venv/bin/python" -c '' 2>/dev/null; then
    rm -rf "$venv"
    "$python" -m venv "$venv" || fail "'$python -m venv' failed"
  fi
  echo "setup: Python packages" >&2
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes \
    --only-binary=:all: -r "$root/tools/requirements.txt" </dev/null >&2 ||
    fail "pip could not install tools/requirements.txt"
  local library
  library=$(cd "$venv" && echo lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*)
  [ -f "$venv/$library" ] || fail "the onnxruntime package holds no libonnxruntime.so"
  ln -sfn "$library" "$venv/libonnxruntime.so"
}

build_onnx() {
  local prefix
  prefix=$("$root/tools/build_onnx.sh" | tail -n 1) || fail "the ONNX library could not be built"
  ln -sfn "$prefix" "$venv/onnx"
}

# What the stamp promises: the same recipe, and the two links lead somewhere.
recipe() {
  cat "$root/tools/setup.sh" "$root/tools/requirements.txt" "$root/tools/build_onnx.sh" |
    sha256sum | cut -c1-64
}

is_done() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(recipe)" ] &&
    [ -e "$venv/libonnxruntime.so" ] && [ -e "$venv/onnx/.complete" ] &&
    "$venv/bin/python" -c '' 2>/dev/null
}

is_done && exit 0
check_python
install_packages
make_environment
build_onnx
recipe >"$stamp"
echo "setup: all there" >&2
