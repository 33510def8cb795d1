"""What every command has: help, versions, errors of use, --json, -q."""

import json
import unittest

import models
from tool import ENVIRONMENT, INVALID, ToolTest

COMMANDS = ("optimize", "schedule", "analyze", "check", "run", "verify", "convert", "list",
            "doctor", "bench")
NO_LIBRARY = ("--ort-library", "/nonexistent/libonnxruntime.so")

PLAN_FIGURES = {
    "target", "alignment", "deterministic", "arena_bytes", "peak_bytes", "lower_bound_bytes",
    "proven_optimal", "weights_bytes", "sum_bytes", "sum_with_weights_bytes",
    "file_order_peak_bytes", "unplanned_values"}
REPORT_KEYS = PLAN_FIGURES | {
    "model", "ops", "verified", "max_abs_error", "runtime_scratch_bytes", "seconds"}


class HelpTest(ToolTest):
    def test_every_command_has_help_with_examples(self):
        overview = self.opass("--help")
        self.assertIn("Examples:", overview.stdout)
        self.assertIn("Exit codes:", overview.stdout)
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn(f"  {command} ", overview.stdout)
                help_text = self.opass(command, "--help")
                self.assertIn("Examples:", help_text.stdout)
                self.assertIn(f"  opass {command}", help_text.stdout)
                self.assertEqual(help_text.stderr, "")

    def test_version(self):
        self.assertRegex(self.opass("--version").stdout, r"^opass \d+\.\d+\.\d+\n$")

    def test_a_misspelt_command_is_named(self):
        for args, wrong, right in ((["optimise", "m.onnx"], "optimise", "opass"),
                                   (["bench", "all"], "all", "opass bench")):
            with self.subTest(args):
                result = self.opass(*args, expect=INVALID)
                self.assertIn(f"there is no command '{wrong}'", result.stderr)
                self.assertIn(f"see '{right} --help'", result.stderr)

    def test_the_hint_names_the_whole_command(self):
        result = self.opass("bench", "allocate", "--part", "none-such", expect=INVALID)
        self.assertIn("see 'opass bench allocate --help'", result.stderr)

    def test_outputs_are_files(self):
        self.save(models.chain())
        for args in (["-o", "-"], ["-o", "o.onnx", "--plan", "-"],
                     ["-o", "o.onnx", "--emit", "csv=-"]):
            with self.subTest(args):
                result = self.opass("optimize", "m.onnx", *args, expect=INVALID)
                self.assertIn("only the input can be a standard stream", result.stderr)

    def test_wrong_use_is_2(self):
        self.save(models.chain())
        for args in ([], ["no-such-command"], ["optimize"], ["optimize", "m.onnx"],
                     ["optimize", "m.onnx", "-o", "o.onnx", "--no-such-option"],
                     ["schedule", "m.onnx", "--scheduler", "none-such"],
                     ["schedule", "m.onnx", "--allocator", "none-such"],
                     ["schedule", "m.onnx", "--target", "none-such"],
                     ["schedule", "m.onnx", "--sharing", "none-such"],
                     ["schedule", "m.onnx", "--alignment", "0"],
                     ["schedule", "m.onnx", "--alignment", "-4"],
                     ["schedule", "m.onnx", "--threads", "many"],
                     ["schedule", "m.onnx", "--inputs", "late"],
                     ["schedule", "m.onnx", "--budget", "little"],
                     ["schedule", "m.onnx", "--budget", "99999999999999999999GiB"],
                     ["schedule", "m.onnx", "--emit", "c-header"],
                     ["schedule", "m.onnx", "--emit", "poem=x"],
                     ["schedule", "m.onnx", "--external-data", "burn"],
                     ["schedule", "m.onnx", "--input", "x"],
                     ["schedule", "m.onnx", "--input", "nobody=x.npy"],
                     ["schedule", "m.onnx", "--input", "x=missing.npy"],
                     ["schedule", "m.onnx", "--input-range", "x=3"],
                     ["schedule", "m.onnx", "--input-range", "x=2:1"],
                     ["optimize", "m.onnx", "-o", "o.onnx", "--disable", "none-such"],
                     ["optimize", "m.onnx", "-o", "o.onnx", "--fold-growth", "much"],
                     ["optimize", "m.onnx", "-o", "no/such/folder/o.onnx"],
                     ["check", "m.onnx"], ["run", "m.onnx"], ["verify", "m.onnx"],
                     ["list", "poems"], ["bench", "nothing"]):
            with self.subTest(args):
                result = self.opass(*args, expect=INVALID)
                self.assertEqual(result.stdout, "")
                self.assertNotEqual(result.stderr, "")
        self.assertEqual(self.files(), {"m.onnx"})

    def test_a_negative_seed_is_wrong_use(self):
        self.save(models.chain())
        self.opass("schedule", "m.onnx", "--no-verify", "--seed", "-1", expect=INVALID)

    def test_files_that_are_not_there(self):
        for args in (["optimize", "gone.onnx", "-o", "o.onnx"], ["schedule", "gone.onnx"],
                     ["analyze", "gone.onnx"], ["check", "gone.onnx", "p.json"],
                     ["check", "gone.json", "p.json"], ["run", "gone.onnx", "--plan", "p.json"],
                     ["verify", "gone.onnx", "gone.onnx"]):
            with self.subTest(args):
                self.assertIn("gone", self.opass(*args, expect=INVALID).stderr)


class JsonTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.save(models.conv())

    def test_optimize_and_schedule(self):
        keys = None
        for command in ("optimize", "schedule"):
            report = self.opass(command, "m.onnx", "-o", "o.onnx", "--force", "--json").json()
            self.assertLessEqual(REPORT_KEYS, set(report))
            self.assertIn(keys, (None, set(report)), "schedule has the keys of optimize")
            keys = set(report)
            self.assertIs(report["verified"], True)
            self.assertEqual(report["max_abs_error"], 0)
            self.assertEqual(report["model"], "m.onnx")
            self.assertGreater(report["seconds"]["total"], 0)
            plan = json.loads((self.folder / "o.plan.json").read_text())
            for key in PLAN_FIGURES:
                self.assertEqual(report[key], plan[key], key)
            self.assertEqual(report["ops"], len(plan["order"]))

    def test_schedule_without_output_writes_nothing(self):
        report = self.opass("schedule", "m.onnx", "--json", "--no-verify").json()
        self.assertIsNone(report["output"])
        self.assertIsNone(report["plan"])
        self.assertIsNone(report["verified"])
        self.assertTrue(report["verified_reason"])
        self.assertEqual(self.files(), {"m.onnx"})

    def test_analyze(self):
        report = self.opass("analyze", "m.onnx", "--json").json()
        self.assertLessEqual(
            {"model", "ops", "weights_bytes", "sum_bytes", "file_order_peak_bytes", "peak_bytes",
             "lower_bound_bytes", "proven_optimal", "file_order_peak", "file_order_step_bytes",
             "step_bytes", "unplanned_values"}, set(report))
        peak = report["file_order_peak"]
        self.assertEqual(report["ops"], len(report["file_order_step_bytes"]))
        self.assertEqual(max(report["file_order_step_bytes"]), report["file_order_peak_bytes"])
        self.assertEqual(max(report["step_bytes"]), report["peak_bytes"])
        self.assertEqual(sum(value["bytes"] for value in peak["values"]) + peak["workspace_bytes"],
                         report["file_order_peak_bytes"])

    def test_analyze_says_what_the_peak_is_made_of(self):
        text = self.opass("analyze", "m.onnx").stdout
        for part in ("peak in file order", "order alone at best", "Live at the peak", "by Concat",
                     "Live bytes by step"):
            self.assertIn(part, text)

    def test_check_run_verify(self):
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "--no-verify", "-q")
        report = self.opass("check", "o.onnx", "o.plan.json", "--json").json()
        self.assertIs(report["accepted"], True)
        self.assertLessEqual({"plan", "message", "arena_bytes", "peak_bytes", "lower_bound_bytes",
                              "proven_optimal"}, set(report))
        report = self.opass("run", "o.onnx", "--plan", "o.plan.json", "--json").json()
        self.assertIs(report["verified"], True)
        self.assertLessEqual({"model", "plan", "arena_bytes", "runtime_scratch_bytes",
                              "runtime_outside_bytes", "seconds", "outputs"}, set(report))
        report = self.opass("verify", "m.onnx", "o.onnx", "--json").json()
        self.assertIs(report["verified"], True)
        self.assertLessEqual({"a", "b", "reason", "max_abs_error", "worst_tensor", "num_tensors",
                              "notes"}, set(report))

    def test_list(self):
        report = self.opass("list", "--json").json()
        self.assertEqual(set(report), {"passes", "schedulers", "allocators", "strategies", "targets"})
        names = {kind: {entry["name"] for entry in report[kind]} for kind in report}
        self.assertLessEqual({"fold_constants", "eliminate_dead", "eliminate_identity"},
                             names["passes"])
        self.assertLessEqual({"file_order", "depth_first", "greedy", "beam"}, names["schedulers"])
        self.assertLessEqual({"generic", "onnxruntime"}, names["targets"])
        for kind in report:
            self.assertEqual(set(self.opass("list", kind, "--json").json()), {kind})

    def test_doctor(self):
        report = self.opass("doctor", "--json").json()
        self.assertIs(report["onnxruntime"]["found"], True)
        self.assertLessEqual({"opass", "onnx_opset"}, set(report))

    def test_errors_are_one_object_too(self):
        for args in (["optimize", "gone.onnx", "-o", "o.onnx"], ["schedule", "gone.onnx"],
                     ["analyze", "gone.onnx"], ["check", "gone.onnx", "p.json"],
                     ["run", "gone.onnx", "--plan", "p"], ["verify", "gone.onnx", "m.onnx"]):
            with self.subTest(args):
                error = self.opass(*args, "--json", expect=INVALID).json()["error"]
                self.assertEqual(error["exit_code"], INVALID)
                self.assertIn("gone.onnx", error["where"] + error["message"])

    def test_the_flag_may_stand_before_the_command(self):
        self.opass("--json", "list").json()


class QuietTest(ToolTest):
    def test_nothing_is_printed(self):
        self.save(models.chain())
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "-q")
        for args in (["optimize", "m.onnx", "-o", "o.onnx"], ["schedule", "m.onnx"],
                     ["check", "o.onnx", "o.plan.json"], ["verify", "m.onnx", "o.onnx"],
                     ["run", "o.onnx", "--plan", "o.plan.json"]):
            with self.subTest(args):
                result = self.opass(*args, "-q")
                self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_nothing_of_commands_that_only_tell(self):
        self.save(models.chain())
        for args in (["analyze", "m.onnx"], ["list"], ["doctor"]):
            with self.subTest(args):
                result = self.opass(*args, "-q")
                self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_a_refused_plan_is_told_by_the_exit_code(self):
        self.save(models.chain())
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "-q")
        plan = self.folder / "o.plan.json"
        data = json.loads(plan.read_text())
        data["arena_bytes"] = 0
        plan.write_text(json.dumps(data))
        self.assertEqual(self.opass("check", "o.onnx", "o.plan.json", "-q", expect=1).stdout, "")

    def test_errors_are_printed_all_the_same(self):
        self.assertIn("gone", self.opass("schedule", "gone.onnx", "-q", expect=INVALID).stderr)

    def test_no_color_when_nobody_looks(self):
        self.save(models.chain())
        self.assertNotIn("\x1b", self.opass("schedule", "m.onnx", "--no-verify").stdout)


class NoLibraryTest(ToolTest):
    def test_what_needs_the_library_is_4(self):
        self.save(models.chain())
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "-q")
        before = self.files()
        for args in (["optimize", "m.onnx", "-o", "new.onnx"], ["schedule", "m.onnx"],
                     ["run", "o.onnx", "--plan", "o.plan.json"], ["verify", "m.onnx", "o.onnx"],
                     ["doctor"]):
            with self.subTest(args):
                result = self.opass(*args, *NO_LIBRARY, expect=None)
                self.assertEqual(result.code, ENVIRONMENT, result.stderr)
                self.assertIn("/nonexistent", result.stderr + result.stdout)
        self.assertEqual(self.files(), before)

    def test_what_does_not_need_it_works(self):
        self.save(models.chain())
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "-q")
        self.opass("schedule", "m.onnx", "--no-verify", *NO_LIBRARY)
        self.opass("analyze", "m.onnx", *NO_LIBRARY)
        self.opass("check", "o.onnx", "o.plan.json", *NO_LIBRARY)
        self.opass("list", *NO_LIBRARY)

    def test_something_else_in_its_place(self):
        (self.folder / "lib.so").write_text("not a library")
        result = self.opass("doctor", "--json", "--ort-library", "./lib.so", expect=ENVIRONMENT)
        self.assertIs(result.json()["onnxruntime"]["found"], False)


if __name__ == "__main__":
    unittest.main()
