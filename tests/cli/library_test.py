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
        self.run_tool(CMAKE, "-S", ROOT / "examples/schedule_problem", "-B",
                      self.folder / "build", f"-DCMAKE_PREFIX_PATH={self.folder / 'moved here'}",
                      "-DCMAKE_BUILD_TYPE=Release", "-G", "Ninja")
        self.run_tool(CMAKE, "--build", self.folder / "build")
        told = self.run_tool(self.folder / "build/schedule_problem")
        self.assertEqual(told, "file order 13440, planned 7104, arena 7104 bytes: no order needs "
                               "less\n")


if __name__ == "__main__":
    unittest.main()
