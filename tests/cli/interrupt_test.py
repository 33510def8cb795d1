"""Ctrl-C: the tool stops soon, says so by its exit code, and leaves nothing half-written."""

import signal
import subprocess
import time
import unittest

import models
from tool import INTERRUPTED, ROOT, SANITIZER_MARKS, TOOL, ToolTest


class InterruptTest(ToolTest):
    def interrupt(self, *args, after: float = 1.0, signals: int = 1) -> float:
        """Seconds from the signal to the end."""
        with subprocess.Popen([TOOL, *map(str, args)], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(after)
            self.assertIsNone(process.poll(), "it was done before the signal")
            start = time.monotonic()
            for _ in range(signals):
                process.send_signal(signal.SIGINT)
                time.sleep(0.05)
            _, stderr = process.communicate(timeout=60)
            took = time.monotonic() - start
            self.assertEqual(process.returncode, INTERRUPTED, stderr.decode())
            for mark in SANITIZER_MARKS:
                self.assertNotIn(mark, stderr.decode())
        self.assertEqual(self.files(), self.before)
        return took

    def setUp(self):
        super().setUp()
        self.save(models.long_running())
        self.before = {"m.onnx"}

    def test_while_verifying(self):
        took = self.interrupt("optimize", "m.onnx", "-o", "o.onnx", "--runs", 1000)
        self.assertLess(took, 10)

    def test_while_placing_buffers(self):
        instance = ROOT / "tests/data/minimalloc/D.1048576.csv"  # of which nobody knows the end
        took = self.interrupt("allocate", instance, "--time", 60, "-o", "o.csv")
        self.assertLess(took, 10)
        took = self.interrupt("allocate", instance, "--forbid", "9:10", "--time", 60, "-o", "o.csv")
        self.assertLess(took, 10)

    def test_twice_ends_at_once(self):
        self.assertLess(self.interrupt("optimize", "m.onnx", "-o", "o.onnx", "--runs", 1000,
                                       signals=2), 10)

    def test_while_comparing(self):
        self.assertLess(self.interrupt("verify", "m.onnx", "m.onnx", "--runs", 1000), 10)

    def test_dumps_of_passes_are_whole_or_absent(self):
        self.assertLess(self.interrupt("schedule", "m.onnx", "--emit", "csv=b.csv", "--runs", 1000),
                        10)


if __name__ == "__main__":
    unittest.main()
