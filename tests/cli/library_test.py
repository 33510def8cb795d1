"""The installed library: a project of somebody else finds, builds and runs it."""

import os
import pathlib
import subprocess
import unittest

from tool import ROOT, TOOL, ToolTest

BUILD = pathlib.Path(TOOL).parent
CMAKE = ROOT / ".venv/bin/cmake"


@unittest.skipUnless((BUILD / "CMakeCache.txt").exists() and CMAKE.exists(),
                     "the tool stands in no build folder")
class LibraryTest(ToolTest):
    def run_tool(self, *args) -> str:
        done = subprocess.run([*map(str, args)], capture_output=True, text=True, check=False,
                              env=os.environ | {"CMAKE_GENERATOR": "Ninja"}, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout

    def test_the_example_finds_the_package_where_it_was_moved_to(self):
        if "OPASS_SANITIZE:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text():
            self.skipTest("a library with sanitizers needs programs with sanitizers")
        self.run_tool(CMAKE, "--install", BUILD, "--component", "library", "--prefix",
                      self.folder / "first")
        (self.folder / "first").rename(self.folder / "moved here")
        headers = sorted((self.folder / "moved here").rglob("*.h"))
        self.assertFalse([path for path in headers if "ort" in path.parts or "onnx" in path.parts])
        told = self.build_and_run("schedule_problem")
        self.assertEqual(told, "file order 13440, planned 7104, arena 7104 bytes: no order needs "
                               "less\n")
        told = self.build_and_run("allocate_buffers")
        self.assertIn("arena 4756 of 8192 bytes, at least 4564\n", told)

    def build_and_run(self, example: str) -> str:
        build = self.folder / f"build {example}"
        self.run_tool(CMAKE, "-S", ROOT / "examples" / example, "-B", build,
                      f"-DCMAKE_PREFIX_PATH={self.folder / 'moved here'}",
                      "-DCMAKE_BUILD_TYPE=Release", "-G", "Ninja")
        self.run_tool(CMAKE, "--build", build)
        return self.run_tool(build / example)


if __name__ == "__main__":
    unittest.main()
