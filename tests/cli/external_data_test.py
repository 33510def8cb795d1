"""Weights in files of their own: --external-data, and the folders that they may be in."""

import os
import unittest

import models
import onnx
from tool import INVALID, ToolTest


class ExternalDataTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.model = models.weighted()
        models.make_external(models.weighted(), self.folder)

    def weights(self, name: str) -> list[bytes]:
        loaded = onnx.load(self.folder / name)
        return sorted(tensor.raw_data for tensor in loaded.graph.initializer)

    def locations(self, name: str) -> set[str]:
        loaded = onnx.load(self.folder / name, load_external_data=False)
        return {entry.value for tensor in loaded.graph.initializer
                for entry in tensor.external_data if entry.key == "location"}

    def optimize_file(self, output: str, *args) -> dict:
        report = self.opass("optimize", "m.onnx", "-o", output, "--json", *args).json()
        self.assert_verified(report)
        self.assertEqual(self.weights(output), self.weights("m.onnx"))
        self.opass("verify", "m.onnx", output)
        return report

    def test_keep(self):
        for flags in ([], ["--external-data", "keep"]):
            self.optimize_file("o.onnx", "--force", *flags)
            self.assertEqual(self.locations("o.onnx"), {"weights.bin"})
        self.assertEqual(self.files(), {"m.onnx", "weights.bin", "o.onnx", "o.plan.json"})

    def test_keep_in_another_folder_becomes_copy(self):
        (self.folder / "sub").mkdir()
        report = self.optimize_file("sub/o.onnx")
        self.assertTrue(any("copy" in text or "copied" in text for text in report["warnings"]),
                        report["warnings"])
        for location in self.locations("sub/o.onnx"):
            self.assertTrue((self.folder / "sub" / location).is_file())

    def test_copy(self):
        self.optimize_file("o.onnx", "--external-data", "copy")
        self.assertEqual(self.locations("o.onnx"), {"o.onnx.data"})
        (self.folder / "weights.bin").unlink()
        self.opass("run", "o.onnx", "--plan", "o.plan.json")

    def test_copy_of_embedded_weights(self):
        self.save(self.model)
        self.optimize_file("o.onnx", "--external-data", "copy")
        self.assertEqual(self.locations("o.onnx"), {"o.onnx.data"})

    def test_embed(self):
        self.optimize_file("o.onnx", "--external-data", "embed")
        self.assertEqual(self.locations("o.onnx"), set())

    def test_force_over_the_input(self):
        before = self.weights("m.onnx")
        for policy in ("keep", "copy", "embed"):
            self.opass("optimize", "m.onnx", "-o", "m.onnx", "--force", "--external-data", policy,
                       "--no-verify")
            self.assertEqual(self.weights("m.onnx"), before)

    def test_subfolders_are_allowed(self):
        (self.folder / "deep").mkdir()
        models.make_external(models.weighted(), self.folder, "deep/weights.bin")
        self.optimize_file("o.onnx")

    def test_other_folders_are_not(self):
        outside = self.folder / "outside.bin"
        outside.write_bytes((self.folder / "weights.bin").read_bytes())
        inner = self.folder / "inner"
        inner.mkdir()
        (self.folder / "weights.bin").unlink()
        os.symlink("../outside.bin", inner / "link.bin")
        os.symlink("..", inner / "up")
        for location in ("../outside.bin", str(outside), "link.bin", "up/outside.bin",
                         "a/../../outside.bin", "./../outside.bin", "/dev/zero", "/etc/passwd"):
            with self.subTest(location):
                loaded = onnx.load(self.folder / "m.onnx", load_external_data=False)
                for tensor in loaded.graph.initializer:
                    for entry in tensor.external_data:
                        if entry.key == "location":
                            entry.value = location
                (inner / "m.onnx").write_bytes(loaded.SerializeToString())
                self.opass("schedule", "inner/m.onnx", "--no-verify", expect=INVALID)

    def test_not_from_standard_input(self):
        self.opass("schedule", "-", "--no-verify", stdin=(self.folder / "m.onnx").read_bytes(),
                   expect=INVALID)

    def test_entries_that_lie(self):
        size = (self.folder / "weights.bin").stat().st_size
        lies = [("offset", str(size)), ("offset", "-1"), ("offset", "x"), ("offset", str(1 << 62)),
                ("offset", str(1 << 70)), ("length", str(size * 2)), ("length", "-1"),
                ("length", "3"), ("length", "x"), ("location", ""), ("location", "gone.bin"),
                ("location", "."), ("location", "m.onnx\0.bin")]
        original = (self.folder / "m.onnx").read_bytes()
        for key, text in lies:
            with self.subTest(key=key, text=text):
                loaded = onnx.load_from_string(original)
                for entry in loaded.graph.initializer[0].external_data:
                    if entry.key == key:
                        entry.value = text
                self.save(loaded)
                self.opass("schedule", "m.onnx", "--no-verify", expect=INVALID)

    def test_a_cut_file(self):
        (self.folder / "weights.bin").write_bytes(b"short")
        self.opass("schedule", "m.onnx", "--no-verify", expect=INVALID)
        (self.folder / "weights.bin").unlink()
        self.assertIn("weights.bin",
                      self.opass("schedule", "m.onnx", "--no-verify", expect=INVALID).stderr)


if __name__ == "__main__":
    unittest.main()
