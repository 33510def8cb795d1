"""Checks that no file under src/opass/ includes a folder it may not know.

usage: check_floors.py [--root DIR]

The rules are read from the two tables of ARCHITECTURE.md, so that the map cannot differ from what
is checked:

  | floor | folder | holds | may not include |    a file includes its own folder and lower floors,
                                                 less the folders of the last column
  | header | only in |                           headers that few folders may see

A test (`*_test.cc`) may also include the other folders of its own floor. Prints one line a
violation, `file:line: what`, and exits 1 when there is one; 2 when the tables cannot be read.
A file of more than 500 lines is a warning: is there a second idea in it?
"""

import argparse
import dataclasses
import pathlib
import re
import sys

SOURCE_DIR = "src/opass"
MAX_LINES = 500
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Text that is not code of the file: raw strings (tests hold programs in them), comments.
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|/\*.*?\*/', re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
# The public header and its source stand in src/opass/ itself.
TOP = "opass.h"


class MapError(Exception):
    """ARCHITECTURE.md does not hold the tables this script reads."""


@dataclasses.dataclass(frozen=True)
class Folder:
    floor: int
    forbidden: frozenset[str]


@dataclasses.dataclass(frozen=True)
class Rules:
    folders: dict[str, Folder]  # by path under src/opass/
    headers: dict[str, frozenset[str]]  # prefix of an included path -> folders that may


def table_rows(text: str, first_cells: list[str]) -> list[list[str]]:
    """The body of the Markdown table whose head begins with `first_cells`."""
    rows: list[list[str]] | None = None
    for line in text.splitlines():
        if not line.startswith("|"):
            if rows is not None:
                return rows
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if rows is not None:
            if not set(cells[0]) <= set("-: "):
                rows.append(cells)
        elif cells[: len(first_cells)] == first_cells:
            rows = []
    if rows is None:
        raise MapError(f"no table with the columns {', '.join(first_cells)}")
    return rows


def names(cell: str) -> list[str]:
    return [name.rstrip("/") for name in CODE.findall(cell)]


def read_rules(text: str) -> Rules:
    folders = {}
    for row in table_rows(text, ["floor", "folder", "holds", "may not include"]):
        if len(row) != 4 or not row[0].isdigit() or not names(row[1]):
            raise MapError(f"not a floor, its folders, what they hold, may not include: {row}")
        for name in names(row[1]):
            folders[name] = Folder(int(row[0]), frozenset(names(row[3])))
    headers = {}
    for row in table_rows(text, ["header", "only in"]):
        for name in CODE.findall(row[0]):
            headers[name] = frozenset(names(row[1]))
    for name, folder in folders.items():
        for other in folder.forbidden - folders.keys():
            raise MapError(f"{name} may not include {other}, which has no floor")
    return Rules(folders, headers)


def folder_of(path: str, rules: Rules) -> str | None:
    """The folder (the longest that matches) of a path under src/opass/."""
    if "/" not in path:
        return TOP if TOP in rules.folders else None
    parts = path.split("/")[:-1]
    for count in range(len(parts), 0, -1):
        name = "/".join(parts[:count])
        if name in rules.folders:
            return name
    return None


def check_include(own: str, is_test: bool, quote: str, target: str, rules: Rules) -> str | None:
    """Why the folder `own` may not include `target`; None when it may."""
    for prefix, allowed in rules.headers.items():
        if target.startswith(prefix):
            if own in allowed:
                return None
            return f"only {', '.join(sorted(allowed))} may include {prefix}..., not {own}"
    if not target.startswith("opass/"):
        # Registries include the lists that CMake writes.
        if quote == '"' and not target.endswith("_list.inc"):
            return f'write "opass/FOLDER/..." for our headers and <...> for others: {target}'
        return None
    other = folder_of(target.removeprefix("opass/"), rules)
    if other is None:
        return f"{target}: its folder has no floor in ARCHITECTURE.md"
    if other == own:
        return None
    here, there = rules.folders[own], rules.folders[other]
    if other in here.forbidden:
        return f"{own} may not include {other}"
    if there.floor > here.floor:
        return f"{own} (floor {here.floor}) may not include {other} (floor {there.floor}), above it"
    if there.floor == here.floor and not is_test:
        return f"{own} may not include {other}: both are on floor {here.floor}"
    return None


def check_file(path: pathlib.Path, root: pathlib.Path, rules: Rules) -> list[str]:
    shown = path.relative_to(root).as_posix()
    own = folder_of(path.relative_to(root / SOURCE_DIR).as_posix(), rules)
    if own is None:
        return [f"{shown}:1: its folder has no floor in ARCHITECTURE.md"]
    found = []
    text = NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), path.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), start=1):
        if match := INCLUDE.match(line):
            is_test = path.name.endswith("_test.cc")
            if problem := check_include(own, is_test, *match.groups(), rules):
                found.append(f"{shown}:{number}: {problem}")
    return found


def source_files(root: pathlib.Path) -> list[pathlib.Path]:
    return sorted(p for p in (root / SOURCE_DIR).rglob("*") if p.suffix in (".cc", ".h"))


def long_files(root: pathlib.Path) -> list[str]:
    warnings = []
    for path in source_files(root):
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > MAX_LINES:
            warnings.append(f"{path.relative_to(root).as_posix()}:1: warning: {count} lines")
    return warnings


def check_tree(root: pathlib.Path) -> list[str]:
    rules = read_rules((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    return [problem for path in source_files(root) for problem in check_file(path, root, rules)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[1])
    root = parser.parse_args().root
    try:
        problems = check_tree(root)
    except (MapError, OSError) as error:
        print(f"check_floors: ARCHITECTURE.md: {error}", file=sys.stderr)
        return 2
    for line in problems + long_files(root):
        print(line, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
