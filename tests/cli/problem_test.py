"""`opass schedule` on a problem without a model, and its time limit."""

import json
import time

import onnx

from tool import DONE, INVALID, NOT_POSSIBLE, ToolTest

PROBLEM = {
    "format": "opass-problem", "version": 1, "name": "two branches", "alignment": 64,
    "values": [{"name": "x", "size": 640}, {"name": "a", "size": 6400}, {"name": "b", "size": 64},
               {"name": "c", "size": 6400}, {"name": "d", "size": 64},
               {"name": "y", "size": 64, "output": True}],
    "ops": [{"name": "grow_a", "inputs": ["x"], "outputs": ["a"]},
            {"name": "grow_c", "inputs": ["x"], "outputs": ["c"]},
            {"name": "shrink_a", "inputs": ["a"], "outputs": ["b"]},
            {"name": "shrink_c", "inputs": ["c"], "outputs": ["d"]},
            {"name": "join", "inputs": ["b", "d"], "outputs": ["y"]}],
}


class ProblemTest(ToolTest):
    def write(self, problem=None, name="problem.json"):
        text = problem if isinstance(problem, str) else json.dumps(problem or PROBLEM)
        (self.folder / name).write_text(text)
        return name

    def test_it_is_scheduled_and_the_plan_is_accepted(self):
        self.write()
        report = self.opass("schedule", "problem.json", "--plan", "plan.json", "--emit",
                            "csv=buffers.csv", "--emit", "problem=again.json", "--report",
                            "picture.html", "--json").json()
        self.assertEqual(report["file_order_peak_bytes"], 640 + 6400 + 6400)
        self.assertEqual(report["peak_bytes"], 640 + 64 + 6400)
        self.assertTrue(report["proven_optimal"])
        self.assertFalse(report["stopped_by_time"])
        self.assertIsNone(report["verified"])
        self.assertEqual(report["verified_reason"], "no-model")
        self.opass("check", "problem.json", "plan.json", "--certificate")
        self.opass("check", "again.json", "plan.json")
        self.assertTrue((self.folder / "buffers.csv").read_text().startswith("id,lower,upper,size"))
        self.assertIn("grow_a", (self.folder / "picture.html").read_text())

    def test_the_table_tells_what_it_gained(self):
        self.write()
        shown = self.opass("schedule", "problem.json").stdout
        self.assertIn("proven", shown)
        self.assertIn("7104", shown)

    def test_options_of_models_are_refused(self):
        self.write()
        for option in (["-o", "out.onnx"], ["--shape", "x=1"], ["--alignment", "1"],
                       ["--exclude-io"], ["--require-verified"], ["--input", "x=x.npy"]):
            result = self.opass("schedule", "problem.json", *option, expect=INVALID)
            self.assertIn(option[0], result.stderr)
            self.assertIn("a problem is not a model", result.stderr)

    def test_budget_and_sharing_and_names_are_looked_at(self):
        self.write()
        self.opass("schedule", "problem.json", "--budget", "1KiB", expect=NOT_POSSIBLE)
        self.opass("schedule", "problem.json", "--scheduler", "wishful", expect=INVALID)
        self.opass("schedule", "problem.json", "--sharing", "none", "--scheduler", "greedy")
        self.opass("schedule", "problem.json", "--plan", "problem.json", expect=INVALID)

    def test_wrong_files_are_refused(self):
        broken = dict(PROBLEM, ops=PROBLEM["ops"][::-1])
        for text in ("", "{", "[]", "{}", "[" * 100000, json.dumps(dict(PROBLEM, version=9)),
                     json.dumps(broken),
                     json.dumps(dict(PROBLEM, values=[{"name": "x", "size": -1}]))):
            self.write(text)
            result = self.opass("schedule", "problem.json", expect=INVALID)
            self.assertIn("problem.json", result.stderr)
        self.opass("schedule", "missing.json", expect=INVALID)

    def test_time_ends_planning_with_a_good_plan(self):
        self.opass("bench", "schedule", "--write", ".", "--family", "ws", "--size", "1000")
        start = time.monotonic()
        report = self.opass("schedule", "ws_1000_s1.json", "--time", "0.5", "--plan", "plan.json",
                            "--json", expect=DONE).json()
        # Seconds of a busy machine; without a limit it is ten and more.
        self.assertLess(time.monotonic() - start, 5)
        self.assertTrue(report["stopped_by_time"])
        self.assertFalse(json.loads((self.folder / "plan.json").read_text())["deterministic"])
        self.assertLessEqual(report["peak_bytes"], report["file_order_peak_bytes"])
        self.opass("check", "ws_1000_s1.json", "plan.json")

    def test_a_hundred_thousand_operators_with_and_without_time(self):
        # Half of its buffers live at the same time.
        self.opass("bench", "schedule", "--write", ".", "--family", "multitask",
                   "--size", "100000")
        for time_limit in (["--time", "1"], []):
            start = time.monotonic()
            report = self.opass("schedule", "multitask_100000_s1.json", *time_limit, "--plan",
                                "plan.json", "--json").json()
            # On a busy machine; idle it is 2 and 5.
            self.assertLess(time.monotonic() - start, 100)
            self.assertEqual(report["stopped_by_time"], bool(time_limit))
            self.assertLessEqual(report["peak_bytes"], report["file_order_peak_bytes"])
            self.assertLess(report["arena_bytes"], 1.02 * report["peak_bytes"])
            self.opass("check", "multitask_100000_s1.json", "plan.json")

    def test_time_that_is_over_at_once_is_no_interruption(self):
        # Its constants are folded while planning, which asks whether the user interrupts.
        text = """<ir_version: 8, opset_import: ["" : 17]>
        grows (float[64] x) => (float[64,64] y) {
            one = Constant <value = float {1.0}> ()
            rows = Constant <value = int64[2] {64, 64}> ()
            big = Expand (one, rows)
            y = Add (x, big)
        }"""
        onnx.save(onnx.parser.parse_model(text), self.folder / "grows.onnx")
        report = self.opass("optimize", "grows.onnx", "-o", "out.onnx", "--time", "0.000001",
                            "--json").json()
        self.assertTrue(report["stopped_by_time"])
        self.assertTrue(report["verified"])
