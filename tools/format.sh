#!/usr/bin/env bash
# Formats the C++ files of the project in place; with --check, refuses what it would change.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
if [ "${1:-}" = --check ]; then mode=(--dry-run --Werror); fi
git ls-files -z --cached --others --exclude-standard -- 'src/*.cc' 'src/*.h' |
  xargs -0 --no-run-if-empty .venv/bin/clang-format "${mode[@]}"
