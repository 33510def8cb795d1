#!/usr/bin/env bash
# Runs clang-tidy over our sources, one process a processor.
#
#   tools/tidy.sh BUILD_DIR [FILE.cc...]    BUILD_DIR holds compile_commands.json
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
shift
files=("$@")
if [ ${#files[@]} -eq 0 ]; then mapfile -t files < <(git ls-files -- 'src/*.cc'); fi
# The package of clang-tidy holds no headers of the compiler itself; gcc's serve.
headers=$(c++ -print-file-name=include)
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" .venv/bin/clang-tidy --quiet -p "$build" \
    --extra-arg="-isystem$headers" --extra-arg=-Wno-unknown-warning-option
