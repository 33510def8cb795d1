"""Runs the tool that OPASS_TOOL names (default: build/opass) as its users do."""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.path.abspath(os.environ.get("OPASS_TOOL", ROOT / "build/opass"))
TIMEOUT_SECONDS = 120

SANITIZER_MARKS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:",
                   "DEADLYSIGNAL")

# Exit codes (docs/errors.md).
DONE, REFUSED, INVALID, NOT_POSSIBLE, ENVIRONMENT, INTERRUPTED = 0, 1, 2, 3, 4, 130


@dataclasses.dataclass
class Result:
    code: int
    stdout: str
    stderr: str

    @property
    def sanitizer_report(self) -> bool:
        return any(mark in self.stderr for mark in SANITIZER_MARKS)

    def json(self) -> dict:
        """The one object on standard output; anything else there is an error."""
        value = json.loads(self.stdout)
        assert isinstance(value, dict), self.stdout
        return value


def opass(*args, stdin: bytes | None = None, timeout: float = TIMEOUT_SECONDS,
          **options) -> Result:
    done = subprocess.run([TOOL, *map(str, args)], input=stdin, capture_output=True,
                          timeout=timeout, check=False, **options)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"))


class ToolTest(unittest.TestCase):
    """A test with a folder of its own, in which the tool runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def opass(self, *args, expect: int | None = DONE, **options) -> Result:
        options.setdefault("cwd", self.folder)
        result = opass(*args, **options)
        told = f"opass {' '.join(map(str, args))}\n{result.stdout[-2000:]}{result.stderr[-4000:]}"
        self.assertFalse(result.sanitizer_report, told)
        if expect is not None:
            self.assertEqual(result.code, expect, told)
        return result

    def save(self, model: onnx.ModelProto, name: str = "m.onnx") -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(model.SerializeToString())
        return path

    def optimize(self, model: onnx.ModelProto, *args) -> tuple[dict, onnx.ModelProto]:
        """The report and the written model, which ONNX's checker must accept."""
        self.save(model)
        report = self.opass("optimize", "m.onnx", "-o", "out.onnx", "--json", *args).json()
        written = onnx.load(self.folder / "out.onnx")
        if all(i.domain in ("", "ai.onnx", "ai.onnx.ml") for i in written.opset_import):
            onnx.checker.check_model(written, full_check=True)
        return report, written

    def assert_verified(self, report: dict):
        self.assertIs(report["verified"], True, report)

    def assert_unknown(self, report: dict, reason: str = ""):
        self.assertIn("verified", report)
        self.assertIsNone(report["verified"], report)
        self.assertTrue(report["verified_reason"], "null needs a reason")
        self.assertIn(reason, report["verified_reason"])

    def files(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                if path.is_file()}
