"""Benchmarks on what is small enough for a test."""

import csv
import json
import unittest

from tool import INVALID, REFUSED, ROOT, ToolTest

DATA = ROOT / "docs/benchmarks"


class ScheduleBenchTest(ToolTest):
    def bench(self, *args, **options):
        return self.opass("bench", "schedule", "--data", DATA, *args, **options)

    def test_families_are_solved(self):
        result = self.bench("--part", "families", "--family", "resnet,moe", "--size", "100",
                            "--json")
        rows = result.json()["families"]
        self.assertEqual(len(rows), 2 * 5 * 2)
        for row in rows:
            self.assertTrue(row["proven_optimal"], row)
            self.assertLessEqual(row["peak_bytes"], row["file_order_bytes"])

    def test_all_members_of_100_have_their_hashes(self):
        with open(DATA / "families.csv", encoding="utf-8") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            known = {row["member"]: row["fnv1a"] for row in rows}
        self.assertEqual(len(known), 240 + 144 + 4 * 24)
        printed = self.bench("--hashes", "--size", "100").stdout.splitlines()[2:]
        self.assertEqual(len(printed), 240)
        for line in printed:
            member, fnv1a = line.split(",")
            self.assertEqual(known[member], fnv1a, member)

    def test_another_graph_is_refused(self):
        (self.folder / "families.csv").write_text("member,fnv1a\nresnet_100_s1,0\n")
        result = self.opass("bench", "schedule", "--data", ".", "--part", "families", "--family",
                            "resnet", "--size", "100", expect=REFUSED)
        self.assertIn("another graph", result.stderr)

    def test_members_are_written_and_can_be_checked(self):
        self.bench("--write", ".", "--family", "grid", "--size", "100")
        problem = json.loads((self.folder / "grid_100_s3.ip.json").read_text())
        self.assertEqual(problem["format"], "opass-problem")
        self.assertEqual(len(list(self.folder.glob("*.json"))), 10)

    def test_what_is_wrong_is_said(self):
        result = self.bench("--part", "families", "--family", "forest", expect=INVALID)
        self.assertIn("there is no family 'forest'", result.stderr)
        result = self.bench("--part", "nets", "--models", "none", expect=INVALID)
        self.assertIn("none/darts_cifar_n1.onnx", result.stderr)


class AllocateBenchTest(ToolTest):
    def bench(self, *args, **options):
        return self.opass("bench", "allocate", "--dir", ROOT / "tests/data/minimalloc", *args,
                          **options)

    def test_instances_fit(self):
        report = self.bench("--part", "fit", "--instance", "B,K", "--seeds", "2", "--json").json()
        self.assertEqual([row["instance"] for row in report["fit"]], ["B", "K"])
        for row in report["fit"]:
            self.assertEqual(row["fit"], 2, row)

    def test_an_arena_at_the_bound_is_found(self):
        report = self.bench("--part", "minimise", "--instance", "C", "--seeds", "1",
                            "--json").json()
        self.assertEqual(report["minimise"][0]["arena_bytes"], [1039360])

    def test_a_missed_goal_is_said(self):
        result = self.bench("--part", "minimise", "--instance", "D", "--seeds", "1", "--time", "0",
                            expect=REFUSED)
        self.assertIn("missed: D: above its goal", result.stdout)

    def test_generated_instances_fit_in_their_hidden_layouts(self):
        self.bench("--write", ".")
        paths = sorted(self.folder.glob("*.1048576.csv"))
        self.assertEqual(len(paths), 20)
        for path in paths:
            rows = list(csv.DictReader(path.read_text().splitlines()))
            self.assertGreater(len(rows), 100)
            rows = [tuple(int(row[name]) for name in ("lower", "upper", "offset", "size"))
                    for row in rows]
            for i, (lower, upper, offset, size) in enumerate(rows):
                self.assertTrue(0 <= offset <= 1048576 - size)
                for other in rows[:i]:
                    self.assertFalse(lower < other[1] and other[0] < upper and
                                     offset < other[2] + other[3] and other[2] < offset + size)

    def test_what_is_wrong_is_said(self):
        result = self.bench("--instance", "Z", expect=INVALID)
        self.assertIn("there is no instance 'Z'", result.stderr)
        result = self.opass("bench", "allocate", "--dir", "none", "--part", "fit", expect=INVALID)
        self.assertIn("none/A.1048576.csv", result.stderr)


if __name__ == "__main__":
    unittest.main()
