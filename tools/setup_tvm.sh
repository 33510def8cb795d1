#!/usr/bin/env bash
# Installs what the TVM component needs, and nothing twice: a Python environment of its own,
# .venv-tvm, from the hash-pinned tools/requirements_tvm.txt, and, where the Python has none, the
# headers and the shared library that a C++ program embeds it with.
#
# A stamp makes every later run take a few milliseconds, with no network.
#
# Environment: OPASS_PYTHON and OPASS_NO_APT=1, as for tools/setup.sh.
#
# Exit codes: 0 all there, 4 something is missing that the script may not or can not install.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
readonly root venv=$root/.venv-tvm
readonly stamp=$venv/.opass-setup
python=${OPASS_PYTHON:-python3}

fail() {
  printf 'setup_tvm: %s\n' "$@" >&2
  exit 4
}

check_python() {
  "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null ||
    fail "Python 3.11 to 3.13 is needed; name one with OPASS_PYTHON=/path/to/python3."
}

# Whether a program can be built that embeds this Python: Python.h and libpython, shared.
can_embed() {
  "$python" - <<'END' 2>/dev/null
import os, sys, sysconfig
get = sysconfig.get_config_var
header = os.path.join(sysconfig.get_path("include"), "Python.h")
library = str(get("LDLIBRARY"))
folders = [str(get("LIBDIR")), os.path.join(str(get("LIBDIR")), str(get("MULTIARCH")))]
there = any(os.path.isfile(os.path.join(folder, library)) for folder in folders)
sys.exit(not (os.path.isfile(header) and ".so" in library and there))
END
}

# Only the system's own Python can get them from a package.
install_headers() {
  can_embed && return
  local version
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  local package=libpython$version-dev as_root=()
  [ "${OPASS_NO_APT:-0}" != 1 ] && command -v apt-get >/dev/null &&
    [ "$("$python" -c 'import sys; print(sys.base_prefix)')" = /usr ] ||
    fail "'$python' has no Python.h or no shared libpython. Install its development package, or" \
         "name a Python that has both with OPASS_PYTHON=/path/to/python3."
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null ||
      fail "$package is missing, and this user may not install it. Run this once, then again:" \
           "  sudo apt-get update && sudo apt-get install --no-install-recommends $package"
    as_root=(sudo -n)
  fi
  echo "setup_tvm: installing $package" >&2
  { "${as_root[@]}" apt-get -q update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "$package"; } </dev/null >/dev/null &&
    can_embed || fail "apt-get could not install $package"
}

make_environment() {
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "'$python -m venv' failed"
  echo "setup_tvm: Python packages (130 MB)" >&2
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes \
    --only-binary=:all: -r "$root/tools/requirements_tvm.txt" </dev/null >&2 ||
    fail "pip could not install tools/requirements_tvm.txt"
}

# Some versions of apache-tvm-ffi crash here, so it is tried in a process of its own.
check_json() {
  "$venv/bin/python" - <<'END' || fail "a module of TVM does not survive being written as JSON"
import tvm, tvm_ffi
from tvm import relax

builder = relax.BlockBuilder()
x = relax.Var("x", relax.TensorType((2, 3), "float32"))
with builder.function("main", [x]):
    builder.emit_func_output(builder.emit(relax.op.add(x, x)))
module = builder.get()
copy = tvm.ir.load_json(tvm.ir.save_json(module))
raise SystemExit(not tvm_ffi.structural_equal(module, copy))
END
}

recipe() {
  cat "$root/tools/setup_tvm.sh" "$root/tools/requirements_tvm.txt" | sha256sum | cut -c1-64
}

is_done() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(recipe)" ] && "$venv/bin/python" -c '' 2>/dev/null
}

is_done && exit 0
check_python
install_headers
make_environment
check_json
recipe >"$stamp"
echo "setup_tvm: all there" >&2
