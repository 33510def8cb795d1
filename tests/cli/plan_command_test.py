"""What optimize and schedule write: the model, the plan, --emit, budgets, and when they do not."""

import json
import os
import resource
import subprocess
import unittest

import models
import onnx
from tool import ENVIRONMENT, INVALID, NOT_POSSIBLE, TOOL, ToolTest

PLAN_KEYS = {
    "format", "version", "target", "sharing", "alignment", "deterministic", "arena_bytes",
    "peak_bytes", "lower_bound_bytes", "proven_optimal", "weights_bytes", "sum_bytes",
    "sum_with_weights_bytes", "file_order_peak_bytes", "order", "buffers", "unplanned_values"}
BUFFER_KEYS = {"value", "offset", "size", "first", "last", "alias_of", "alias_kind"}


class PlanFileTest(ToolTest):
    def read_plan(self, name: str = "out.plan.json") -> dict:
        return json.loads((self.folder / name).read_text())

    def test_all_keys_of_the_format(self):
        _, written = self.optimize(models.conv())
        plan = self.read_plan()
        self.assertLessEqual(PLAN_KEYS, set(plan))
        self.assertEqual((plan["format"], plan["version"]), ("opass-plan", 1))
        names = [node.name for node in written.graph.node if node.op_type != "Constant"]
        self.assertEqual(plan["order"], names)
        values = {"x"} | {name for node in written.graph.node for name in node.output}
        self.assertEqual({buffer["value"] for buffer in plan["buffers"]}, values)
        for buffer in plan["buffers"]:
            self.assertLessEqual(BUFFER_KEYS, set(buffer))
            self.assertLessEqual(buffer["offset"] + buffer["size"], plan["arena_bytes"])
            self.assertLess(buffer["first"], buffer["last"])
            self.assertIn(buffer["alias_kind"], (None, "view", "in_place", "concat_slice"))
            self.assertEqual(buffer["alias_of"] is None, buffer["alias_kind"] is None)
            if buffer["alias_of"]:
                self.assertIn(buffer["alias_of"], values)
        kinds = {buffer["value"]: buffer["alias_kind"] for buffer in plan["buffers"]}
        self.assertEqual(kinds["h"], "view")  # Flatten
        self.assertEqual(kinds["b"], "in_place")  # Relu
        sizes = {buffer["value"]: buffer["size"] for buffer in plan["buffers"]}
        self.assertEqual(sizes["x"], 3 * 16 * 16 * 4)
        self.assertEqual(plan["weights_bytes"], 4 * (8 * 27 + 8 * 72 + 160))
        self.assertLessEqual(plan["lower_bound_bytes"], plan["peak_bytes"])
        self.assertLessEqual(plan["peak_bytes"], plan["arena_bytes"])
        self.assertLessEqual(plan["peak_bytes"], plan["file_order_peak_bytes"])
        self.assertEqual(plan["sum_with_weights_bytes"], plan["sum_bytes"] + plan["weights_bytes"])

    def test_a_better_order_is_found_and_written(self):
        report, written = self.optimize(models.branches())
        self.assert_verified(report)
        self.assertLess(report["peak_bytes"], report["file_order_peak_bytes"])
        self.assertNotEqual([node.name for node in written.graph.node],
                            [node.name for node in models.branches().graph.node])

    def test_no_sharing_and_alignment(self):
        self.save(models.conv())
        for alignment in (1, 16, 256):
            report = self.opass("schedule", "m.onnx", "--plan", "p.json", "--sharing", "none",
                                "--alignment", alignment, "--json").json()
            self.assert_verified(report)
            plan = self.read_plan("p.json")
            self.assertEqual(plan["alignment"], alignment)
            self.assertEqual(plan["sharing"],
                             {"view": False, "in_place": False, "concat_slice": False})
            for buffer in plan["buffers"]:
                self.assertEqual(buffer["offset"] % alignment, 0)
                self.assertEqual(buffer["size"] % alignment, 0)
                self.assertIsNone(buffer["alias_kind"])
            self.opass("check", "m.onnx", "p.json")

    def test_inputs_and_outputs_of_the_caller(self):
        self.save(models.conv())
        for flags in (["--exclude-io"], ["--preserve-inputs"], ["--inputs", "first-use"],
                      ["--sharing", "view"], ["--sharing", "in_place"]):
            with self.subTest(flags):
                report = self.opass("schedule", "m.onnx", "--plan", "p.json", "--json",
                                    *flags).json()
                self.assert_verified(report)
                self.opass("check", "m.onnx", "p.json")
                values = {buffer["value"] for buffer in self.read_plan("p.json")["buffers"]}
                self.assertEqual("x" in values, flags != ["--exclude-io"])

    def test_every_scheduler_and_allocator(self):
        self.save(models.branches())
        names = self.opass("list", "--json").json()
        for kind in ("schedulers", "allocators"):
            for entry in names[kind]:
                with self.subTest(entry["name"]):
                    report = self.opass("schedule", "m.onnx", "--no-verify", f"--{kind[:-1]}",
                                        entry["name"], "--plan", "p.json", "--json").json()
                    self.assertEqual(report[kind[:-1]], entry["name"])
                    self.opass("check", "m.onnx", "p.json")

    def test_emits(self):
        self.save(models.conv(), "my model.onnx")
        self.opass("optimize", "my model.onnx", "-o", "out.onnx", "--no-verify", "--plan", "p.json",
                   "--emit", "c-header=plan.h", "--emit", "csv=b.csv", "--emit", "problem=pr.json")
        self.assertEqual(self.files(),
                         {"my model.onnx", "out.onnx", "p.json", "plan.h", "b.csv", "pr.json"})
        plan = self.read_plan("p.json")
        rows = (self.folder / "b.csv").read_text().splitlines()
        self.assertEqual(rows[0], "id,lower,upper,size,offset")
        views = sum(buffer["alias_kind"] == "view" for buffer in plan["buffers"])
        self.assertEqual(len(rows) - 1, len(plan["buffers"]) - views)
        problem = json.loads((self.folder / "pr.json").read_text())
        self.assertEqual(problem["format"], "opass-problem")
        self.opass("check", "pr.json", "p.json")
        source = self.folder / "use.c"
        source.write_text('#include "plan.h"\nint main(void) { return 0; }\n')
        header = (self.folder / "plan.h").read_text()
        self.assertIn(str(plan["arena_bytes"]), header)
        for language in (["gcc", "-std=c99"], ["g++", "-x", "c++", "-std=c++11"]):
            done = subprocess.run([*language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                   source], capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_names_for_plans(self):
        self.save(models.chain())
        self.opass("schedule", "m.onnx", "-o", "a.onnx", "--no-verify")
        self.opass("schedule", "m.onnx", "-o", "b.model", "--no-verify")
        self.assertLessEqual({"a.plan.json", "b.model.plan.json"}, self.files())


class DeterminismTest(ToolTest):
    def test_same_input_and_seed_same_bytes(self):
        self.save(models.conv())
        for seed in (0, 7):
            written = []
            for i, threads in enumerate((1, 1, 2)):
                self.opass("optimize", "m.onnx", "-o", f"{i}.onnx", "--seed", seed, "--no-verify",
                           "--threads", threads, "-q")
                written.append(((self.folder / f"{i}.onnx").read_bytes(),
                                (self.folder / f"{i}.plan.json").read_bytes()))
            self.assertEqual(written[0], written[1])
            self.assertEqual(written[0], written[2])

    def test_two_threads_verify(self):
        report, _ = self.optimize(models.conv(), "--threads", 2)
        self.assert_verified(report)

    def test_optimizing_the_result_changes_nothing(self):
        self.optimize(models.conv())
        first = (self.folder / "out.onnx").read_bytes(), (self.folder /
                                                          "out.plan.json").read_bytes()
        (self.folder / "out.onnx").rename(self.folder / "again.onnx")
        report = self.opass("optimize", "again.onnx", "-o", "out.onnx", "--json").json()
        self.assertEqual(report["peak_bytes"], report["file_order_peak_bytes"])
        self.assertEqual(first, ((self.folder / "out.onnx").read_bytes(),
                                 (self.folder / "out.plan.json").read_bytes()))


class BudgetTest(ToolTest):
    def test_missing_bytes(self):
        self.save(models.conv())
        arena = self.opass("schedule", "m.onnx", "--no-verify", "--json").json()["arena_bytes"]
        for budget, missing in ((arena - 1, 1), ("1KiB", arena - 1024), ("0", arena)):
            result = self.opass("optimize", "m.onnx", "-o", "o.onnx", "--budget", budget, "--json",
                                expect=NOT_POSSIBLE)
            self.assertIn(f"{missing} more than the budget", result.stderr)
            error = result.json()["error"]
            self.assertEqual((error["exit_code"], error["reason"]), (3, "over-budget"))
        self.assertEqual(self.files(), {"m.onnx"})

    def test_enough(self):
        self.save(models.conv())
        arena = self.opass("schedule", "m.onnx", "--no-verify", "--json").json()["arena_bytes"]
        for budget in (arena, "1GiB", "1.5MiB", "64 KiB", "64kb"):
            with self.subTest(budget):
                self.opass("schedule", "m.onnx", "--no-verify", "--budget", budget)


class StandardInputTest(ToolTest):
    def test_model_from_a_pipe(self):
        report = self.opass("optimize", "-", "-o", "o.onnx", "--json",
                            stdin=models.conv().SerializeToString()).json()
        self.assert_verified(report)
        onnx.checker.check_model(onnx.load(self.folder / "o.onnx"))

    def test_garbage_from_a_pipe(self):
        self.opass("schedule", "-", stdin=b"garbage", expect=INVALID)
        self.opass("schedule", "-", stdin=b"", expect=INVALID)

    def test_plan_from_a_pipe(self):
        self.save(models.chain())
        self.opass("schedule", "m.onnx", "--no-verify", "--plan", "p.json")
        plan = (self.folder / "p.json").read_bytes()
        self.opass("check", "m.onnx", "-", stdin=plan)
        self.opass("run", "m.onnx", "--plan", "-", stdin=plan)


class OverwriteTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.path = self.save(models.branches())
        self.before = self.path.read_bytes()

    def test_not_over_the_input(self):
        os.link(self.path, self.folder / "hard.onnx")
        os.symlink(self.path, self.folder / "soft.onnx")
        for output in ("m.onnx", "./m.onnx", str(self.path), "../" + self.folder.name + "/m.onnx",
                       "hard.onnx", "soft.onnx"):
            with self.subTest(output):
                self.opass("optimize", "m.onnx", "-o", output, "--no-verify", expect=INVALID)
                self.assertEqual(self.path.read_bytes(), self.before)
        for flags in (["--plan", "m.onnx"], ["--emit", "csv=m.onnx"]):
            self.opass("schedule", "m.onnx", "--no-verify", *flags, expect=INVALID)
            self.assertEqual(self.path.read_bytes(), self.before)

    def test_force(self):
        self.opass("optimize", "m.onnx", "-o", "m.onnx", "--no-verify", "--force")
        self.assertNotEqual(self.path.read_bytes(), self.before)
        self.opass("check", "m.onnx", "m.plan.json")

    def test_two_outputs_of_one_name(self):
        for flags in (["-o", "o.onnx", "--plan", "o.onnx"],
                      ["-o", "o.onnx", "--emit", "csv=./o.onnx"],
                      ["--emit", "csv=b", "--emit", "problem=b"]):
            self.opass("schedule", "m.onnx", "--no-verify", *flags, expect=INVALID)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_inputs_for_runs_are_not_written_over(self):
        (self.folder / "x.npy").write_bytes(b"data")
        self.opass("schedule", "m.onnx", "--input", "x=x.npy", "--plan", "x.npy", expect=INVALID)
        self.assertEqual((self.folder / "x.npy").read_bytes(), b"data")

    def test_weights_of_the_input_are_not_written_over(self):
        models.make_external(models.weighted(), self.folder, "o.onnx.data")
        weights = (self.folder / "o.onnx.data").read_bytes()
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "--external-data", "copy", "--no-verify",
                   expect=INVALID)
        self.assertEqual((self.folder / "o.onnx.data").read_bytes(), weights)

    def test_no_other_file_is_written_over_the_weights_of_the_input(self):
        models.make_external(models.weighted(), self.folder)
        weights = (self.folder / "weights.bin").read_bytes()
        self.opass("schedule", "m.onnx", "--plan", "weights.bin", "--no-verify", expect=INVALID)
        self.assertEqual((self.folder / "weights.bin").read_bytes(), weights)

    def test_links_are_written_through(self):
        os.symlink("target.onnx", self.folder / "link.onnx")
        (self.folder / "target.onnx").write_bytes(b"")
        self.opass("optimize", "m.onnx", "-o", "link.onnx", "--no-verify")
        self.assertTrue((self.folder / "link.onnx").is_symlink())
        onnx.load(self.folder / "target.onnx")


class CannotWriteTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.save(models.weighted())

    def test_full_disk(self):
        for flags in (["-o", "/dev/full", "--plan", "p.json"], ["--plan", "/dev/full"],
                      ["--emit", "csv=/dev/full"]):
            with self.subTest(flags):
                self.opass("schedule", "m.onnx", "--no-verify", *flags, expect=ENVIRONMENT)

    def test_file_too_large(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        # Python ignores SIGXFSZ, and so does what it starts: writing fails as on a full disk.
        self.opass("schedule", "m.onnx", "-o", "o.onnx", "--no-verify", preexec_fn=limit,
                   restore_signals=False, expect=ENVIRONMENT)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_standard_output_is_full(self):
        for args in (["list", "--json"], ["schedule", "m.onnx", "--no-verify"],
                     ["analyze", "m.onnx"]):
            with self.subTest(args), open("/dev/full", "wb") as full:
                done = subprocess.run([TOOL, *args], stdout=full, stderr=subprocess.PIPE,
                                      cwd=self.folder, check=False)
                self.assertEqual(done.returncode, ENVIRONMENT, done.stderr)

    def test_folder_without_permission(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        options = {}
        if os.geteuid() == 0:  # whom permissions do not stop
            self.folder.chmod(0o755)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
            try:
                self.opass("--version", **options)
            except PermissionError:
                self.skipTest("other users cannot start the tool")
        self.opass("schedule", "m.onnx", "-o", "locked/o.onnx", "--no-verify", expect=ENVIRONMENT,
                   **options)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_the_output_is_a_folder(self):
        (self.folder / "o.onnx").mkdir()
        self.opass("schedule", "m.onnx", "-o", "o.onnx", "--no-verify", expect=INVALID)
        self.assertEqual(self.files(), {"m.onnx"})


class PassesTest(ToolTest):
    MODEL = """g (float[2,3] x) => (float[2,3] y) <float[3] k = {1, 2, 3}, float[3] l = {4, 5, 6}> {
      [same] a = Identity(x)  [fold] c = Add(k, l)  [dead] d = Exp(a)  [live] y = Mul(a, c) }"""

    def ops(self, model) -> list[str]:
        return [node.op_type for node in model.graph.node]

    def test_all_passes(self):
        report, written = self.optimize(models.parse(self.MODEL))
        self.assert_verified(report)
        self.assertEqual(self.ops(written), ["Mul"])
        changes = {line["name"]: line["changes"] for line in report["passes"]}
        for name in ("fold_constants", "eliminate_dead", "eliminate_identity"):
            self.assertGreater(changes[name], 0, name)

    def test_disable(self):
        for name, left in (("fold_constants", "Add"), ("eliminate_dead", "Exp"),
                           ("eliminate_identity", "Identity")):
            _, written = self.optimize(models.parse(self.MODEL), "--disable", name)
            self.assertIn(left, self.ops(written))
        _, written = self.optimize(models.parse(self.MODEL), "--disable",
                                   "fold_constants,eliminate_dead", "--disable",
                                   "eliminate_identity")
        self.assertEqual(sorted(self.ops(written)), ["Add", "Exp", "Identity", "Mul"])

    def test_dump_after(self):
        (self.folder / "dump").mkdir()
        self.optimize(models.parse(self.MODEL), "--dump-after", "dump")
        dumps = sorted(path.name for path in (self.folder / "dump").iterdir())
        self.assertGreaterEqual(len(dumps), 3)
        self.assertTrue(dumps[0].startswith("01_"))
        for name in dumps:
            onnx.checker.check_model(onnx.load(self.folder / "dump" / name), full_check=True)

    def test_dump_into_a_folder_that_is_not_there(self):
        self.save(models.parse(self.MODEL))
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "--no-verify", "--dump-after", "no/such",
                   expect=INVALID)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_schedule_leaves_the_graph_as_it_is(self):
        self.save(models.parse(self.MODEL))
        report = self.opass("schedule", "m.onnx", "-o", "o.onnx", "--json").json()
        self.assert_verified(report)
        self.assertEqual(sorted(self.ops(onnx.load(self.folder / "o.onnx"))),
                         ["Add", "Exp", "Identity", "Mul"])

    def test_folding_does_not_grow_the_weights_unless_asked(self):
        text = """g (float[1] x) => (float[4096] y) <int64[1] n = {4096}, float[1] v = {3}> {
          c = Expand(v, n)  y = Mul(x, c) }"""
        for flags, grows in (([], False), (["--fold-growth", "1KiB"], False),
                             (["--fold-growth", "1MiB"], True),
                             (["--fold-growth", "unlimited"], True)):
            report, written = self.optimize(models.parse(text), *flags)
            self.assert_verified(report)
            self.assertEqual(report["weights_bytes"] > 16000, grows, flags)


class OpsetTest(ToolTest):
    TEXT = "g (float[2,4] x) => (float[2,4] y) { a = Relu(x)  y = Softmax<axis = 1>(a) }"

    def opset(self, model) -> int:
        return {entry.domain: entry.version for entry in model.opset_import}[""]

    def test_the_opset_is_kept(self):
        for opset in (7, 9, 11, 13, 17, 21, onnx.defs.onnx_opset_version() - 2):
            with self.subTest(opset):
                report, written = self.optimize(models.of_opset(self.TEXT, opset))
                self.assert_verified(report)
                self.assertEqual(self.opset(written), opset)
                self.assertEqual((report["input_opset"], report["opset"]), (opset, opset))

    def test_forced_up_and_down(self):
        down = "g (float[2,4] x) => (float[2,4] y) { y = Softmax<axis = 1>(x) }"
        for text, start, wanted in ((self.TEXT, 13, 17), (self.TEXT, 9, 21), (down, 17, 14)):
            report, written = self.optimize(models.of_opset(text, start), "--opset", wanted)
            self.assert_verified(report)
            self.assertEqual(self.opset(written), wanted)
            self.assertEqual((report["input_opset"], report["opset"]), (start, wanted))

    def test_opset_that_is_not_possible(self):
        self.save(models.of_opset(self.TEXT, 17))
        for wanted in (999, onnx.defs.onnx_opset_version() + 1):
            self.opass("optimize", "m.onnx", "-o", "o.onnx", "--opset", wanted, expect=INVALID)

    def test_old_opsets_are_raised_and_the_report_says_so(self):
        report, written = self.optimize(models.of_opset(
            "g (float[2,4] x) => (float[2,4] y) { a = Relu(x)  y = Softmax<axis = 1>(a) }", 6, 3))
        self.assert_verified(report)
        self.assertEqual(report["input_opset"], 6)
        self.assertGreaterEqual(report["opset"], 7)
        self.assertEqual(self.opset(written), report["opset"])


if __name__ == "__main__":
    unittest.main()
