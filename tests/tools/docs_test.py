"""What the documentation says can be followed: links, commands, options, and the C example.

Commands and options are compared with the tool that OPASS_TOOL names; without it they are skipped.
"""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("OPASS_TOOL")
EXAMPLES = ROOT / "docs/examples"
SHELLS = ("sh", "console", "bash")


def pages():
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert len(found) > 10, found
    return sorted(found)


def fences(text):
    """(language, lines) of every code block."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
        yield match[1], match[2].splitlines()


def without_fences(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def commands(text):
    """The words of every `opass ...` command line, in code blocks and in running text."""
    for language, lines in fences(text):
        if language not in SHELLS:
            continue
        joined = "\n".join(lines).replace("\\\n", " ").splitlines()
        for line in joined:
            if language == "console":
                if not line.startswith("$ "):
                    continue
                line = line[2:]
            yield from split(line)
    for span in re.findall(r"`((?:build/)?opass [^`\n]+)`", without_fences(text)):
        yield from split(span)


def split(line):
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise AssertionError(f"not a command line: {line}") from error
    while words and re.match(r"\w+=", words[0]):  # variables of the environment
        words = words[1:]
    if words and pathlib.PurePath(words[0]).name == "opass":
        yield words[1:]


def anchors(text):
    """As GitHub makes them."""
    for heading in re.findall(r"^#+ +(.+)$", without_fences(text), re.M):
        plain = re.sub(r"[`*]", "", heading).strip().lower()
        yield re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@functools.cache
def help_of(*words):
    done = subprocess.run([TOOL, *words, "--help"], capture_output=True, text=True, check=True)
    return done.stdout


def options_of(*words):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_of(*words)))


def subcommands_of(*words):
    _, _, tail = help_of(*words).partition("Subcommands:\n")
    return set(re.findall(r"^  ([a-z][a-z-]*)", tail.partition("\n\n")[0], re.M))


class LinksTest(unittest.TestCase):
    def test_relative_links_lead_somewhere(self):
        for page in pages():
            text = without_fences(page.read_text())
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                with self.subTest(page=page.relative_to(ROOT), link=target):
                    there = (page.parent / path).resolve() if path else page
                    self.assertTrue(there.exists(), "leads nowhere")
                    self.assertTrue(there.is_relative_to(ROOT), "leaves the project")
                    if anchor:
                        self.assertIn(anchor, set(anchors(there.read_text())))

    def test_every_page_is_reached_from_the_index(self):
        index = (ROOT / "docs/README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"({page.name})", index)


@unittest.skipUnless(TOOL, "OPASS_TOOL is not set")
class CommandsTest(unittest.TestCase):
    def test_commands_and_options_exist(self):
        known = subcommands_of()
        self.assertIn("optimize", known)
        num_commands = 0
        for page in pages():
            for words in commands(page.read_text()):
                with self.subTest(page=page.relative_to(ROOT), command=shlex.join(words)):
                    self.check(words, known)
                num_commands += 1
        self.assertGreater(num_commands, 30)

    def check(self, words, known):
        names = [word for word in words if not word.startswith("-")]
        if not names or names[0] == "COMMAND":
            names = []
        else:
            self.assertIn(names[0], known)
        path = names[:1]
        if path in (["bench"], ["tvm"]) and len(names) > 1:
            self.assertIn(names[1], subcommands_of(*path))
            path = names[:2]
        allowed = options_of() | options_of(*path) | {"--help", "--version"}
        for word in words:
            if word.startswith("--"):
                self.assertIn(word.partition("=")[0], allowed)

    def test_every_command_is_described(self):
        text = (ROOT / "docs/commands.md").read_text()
        for command in subcommands_of():
            self.assertIn(f"## {command}\n", text)

    def test_every_option_of_optimize_is_described(self):
        text = (ROOT / "docs/commands.md").read_text()
        for option in options_of("optimize") - {"--help"}:
            self.assertIn(f"`{option}`", text)


class ReasonsTest(unittest.TestCase):
    """docs/errors.md is the closed list: the reasons in the source are in it."""

    # kNotPossible and other reasons are given as the last argument of one of these.
    GIVEN = re.compile(
        r'(?:WithReason|Wrong|Unknown|ToStatus)\((?:[^;"]|"(?:[^"\\]|\\.)*")*?"([a-z]+(?:-[a-z]+)*)"\)'
        r'|reason = "([a-z]+(?:-[a-z]+)+)"|Unknown\("([a-z]+(?:-[a-z]+)+)"', re.S)

    def test_reasons_in_the_source_are_documented(self):
        text = (ROOT / "docs/errors.md").read_text()
        found = set()
        for path in (ROOT / "src/opass").rglob("*.cc"):
            if path.name.endswith("_test.cc"):
                continue
            for match in self.GIVEN.finditer(path.read_text()):
                found.add(next(group for group in match.groups() if group))
        self.assertGreater(len(found), 15, found)
        for reason in sorted(found):
            with self.subTest(reason=reason):
                self.assertIn(f"`{reason}`", text)


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class CExampleTest(unittest.TestCase):
    def test_example_compiles_without_warnings_and_walks_every_step(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "print_plan"
            subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                            EXAMPLES / "print_plan.c", "-o", program], check=True)
            printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        page = (ROOT / "docs/running_the_result.md").read_text()
        self.assertIn(printed.strip(), page, "the page shows another output")
        self.assertIn((EXAMPLES / "print_plan.c").read_text().strip(), page)

    @unittest.skipUnless(TOOL and (ROOT / "models/l6_relu_pool.onnx").exists(),
                         "OPASS_TOOL is not set, or 'make models' has not run")
    def test_header_is_what_the_tool_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "l6_relu_pool.h"
            subprocess.run([TOOL, "schedule", ROOT / "models/l6_relu_pool.onnx", "--no-verify",
                            "--quiet", "--emit", f"c-header={header}"], check=True)
            self.assertEqual(header.read_text(), (EXAMPLES / "l6_relu_pool.h").read_text())

    @unittest.skipUnless(TOOL and (ROOT / "models/l6_relu_pool.onnx").exists(),
                         "OPASS_TOOL is not set, or 'make models' has not run")
    def test_picture_is_what_the_tool_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "l6_relu_pool.svg"
            subprocess.run([TOOL, "schedule", ROOT / "models/l6_relu_pool.onnx", "--no-verify",
                            "--quiet", "--report", picture], check=True)
            self.assertEqual(picture.read_text(), (EXAMPLES / "l6_relu_pool.svg").read_text())
            self.assertLess(picture.stat().st_size, 100_000)


if __name__ == "__main__":
    unittest.main()
