import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_floors  # noqa: E402

MAP = """
| floor | folder | holds | may not include |
|---|---|---|---|
| 0 | `low/` | | |
| 1 | `data/` | | `secret/` |
| 0 | `secret/` | | |
| 1 | `formats/a/`, `formats/b/` | | |
| 8 | `opass.h` | the API | |

| header | only in |
|---|---|
| `vendor/` | `low/` |
"""


class CheckFloorsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "ARCHITECTURE.md").write_text(MAP)

    def check(self, path: str, text: str) -> list[str]:
        file = self.root / "src/opass" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return check_floors.check_tree(self.root)

    def test_own_folder_and_lower_floors_are_allowed(self):
        text = '#include <vector>\n#include "opass/data/a.h"\n#include "opass/low/b.h"\n'
        self.assertEqual(self.check("data/a.cc", text), [])

    def test_a_higher_floor_is_named_with_its_line(self):
        self.assertEqual(
            self.check("low/a.h", '\n#include "opass/data/b.h"\n'),
            ["src/opass/low/a.h:2: low (floor 0) may not include data (floor 1), above it"],
        )

    def test_the_same_floor_is_for_tests_only(self):
        text = '#include "opass/formats/b/b.h"\n'
        self.assertEqual(self.check("formats/a/a_test.cc", text), [])
        self.assertEqual(
            self.check("formats/a/a.cc", text),
            [
                "src/opass/formats/a/a.cc:1: "
                "formats/a may not include formats/b: both are on floor 1"
            ],
        )

    def test_an_exception_holds_for_tests_too(self):
        self.assertEqual(
            self.check("data/a_test.cc", '#include "opass/secret/b.h"\n'),
            ["src/opass/data/a_test.cc:1: data may not include secret"],
        )

    def test_a_fenced_header(self):
        self.assertEqual(self.check("low/a.cc", "#include <vendor/x.h>\n"), [])
        self.assertEqual(
            self.check("data/a.cc", "#include <vendor/x.h>\n"),
            ["src/opass/data/a.cc:1: only low may include vendor/..., not data"],
        )

    def test_a_relative_include_is_refused_and_a_generated_list_is_not(self):
        self.assertEqual(self.check("low/registry.cc", '#include "low_list.inc"\n'), [])
        self.assertIn("write", self.check("low/a.cc", '#include "b.h"\n')[0])

    def test_a_program_in_a_raw_string_is_not_read(self):
        text = 'auto program = R"(\n#include "plan.h"\n)";\n#include "opass/data/b.h"\n'
        found = self.check("low/a_test.cc", text)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("src/opass/low/a_test.cc:4: "))

    def test_a_folder_without_a_floor(self):
        self.assertIn("no floor", self.check("attic/a.cc", "")[0])

    def test_the_public_header_stands_above_the_folders(self):
        self.assertEqual(self.check("opass.cc", '#include "opass/data/b.h"\n'), [])
        self.assertIn("above it", self.check("data/a.cc", '#include "opass/opass.h"\n')[0])

    def test_a_map_without_tables_is_an_error(self):
        (self.root / "ARCHITECTURE.md").write_text("# Nothing\n")
        with self.assertRaisesRegex(check_floors.MapError, "no table"):
            self.check("low/a.cc", "")

    def test_a_long_file_is_a_warning(self):
        self.assertEqual(self.check("low/a.cc", "\n" * 501), [])
        self.assertEqual(
            check_floors.long_files(self.root), ["src/opass/low/a.cc:1: warning: 501 lines"]
        )


if __name__ == "__main__":
    unittest.main()
