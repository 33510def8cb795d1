"""Runs the commands whose output a document shows, and puts the output there.

    .venv/bin/python tools/fill_tables.py docs/benchmarks.md [PART-OF-A-COMMAND]

A place is marked by two comments, <!-- output: COMMAND --> and <!-- end -->. The first line that
the command prints, a title, is left out. Exit code 1 of a command is a missed goal, and shown.
"""

import pathlib
import re
import subprocess
import sys

PLACE = re.compile(r"(<!-- output: (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    document = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""

    def fill(place: re.Match) -> str:
        begin, command, end = place.groups()
        if wanted not in command:
            return place.group(0)
        result = subprocess.run(command.split(), stdout=subprocess.PIPE, text=True)
        if result.returncode not in (0, 1):
            raise SystemExit(f"'{command}' ended with {result.returncode}")
        body = result.stdout.split("\n", 1)[1].strip()
        return f"{begin}\n{body}\n\n{end}"

    document.write_text(PLACE.sub(fill, document.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
