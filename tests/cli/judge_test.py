"""check, run and verify: what they accept and what they refuse."""

import copy
import json
import unittest

import models
import numpy as np
import onnxruntime
from onnx import numpy_helper
from tool import DONE, INVALID, REFUSED, ToolTest


class CheckTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.save(models.conv())
        self.opass("schedule", "m.onnx", "--no-verify", "--plan", "p.json", "--emit",
                   "problem=pr.json", "-q")
        self.plan = json.loads((self.folder / "p.json").read_text())
        self.buffers = {buffer["value"]: i for i, buffer in enumerate(self.plan["buffers"])}

    def check(self, plan, expect: int, model: str = "m.onnx"):
        text = plan if isinstance(plan, (str, bytes)) else json.dumps(plan)
        (self.folder / "q.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        result = self.opass("check", model, "q.json", "--json", expect=expect)
        report = result.json()
        if expect == INVALID:
            self.assertIn("error", report)
        else:
            self.assertIs(report["accepted"], expect == DONE)
            self.assertEqual(report["message"] is None, expect == DONE)
        return report

    def mutated(self, change) -> dict:
        plan = copy.deepcopy(self.plan)
        change(plan)
        return plan

    def test_accepted_whole_or_in_other_words(self):
        for model in ("m.onnx", "pr.json"):
            self.check(self.plan, DONE, model)
            self.check(json.dumps(self.plan, indent=1), DONE, model)
            self.check(self.mutated(lambda plan: plan.update(comment="mine")), DONE, model)

    def test_mutations_are_refused(self):
        def buffer(plan, name):
            return plan["buffers"][self.buffers[name]]

        def swap(plan):
            plan["order"][0], plan["order"][1] = plan["order"][1], plan["order"][0]

        mutations = {
            "arena too small": lambda plan: plan.update(arena_bytes=plan["arena_bytes"] - 64),
            "peak too small": lambda plan: plan.update(peak_bytes=plan["peak_bytes"] - 64),
            "peak too large": lambda plan: plan.update(peak_bytes=plan["peak_bytes"] + 64),
            "bound above the peak": lambda plan: plan.update(
                lower_bound_bytes=plan["peak_bytes"] + 64),
            "bound that nothing proves": lambda plan: (
                plan.update(lower_bound_bytes=plan["peak_bytes"], proven_optimal=True,
                            certificate={"kind": "none", "bytes": 0, "op": None, "executed": []})),
            "a reader before its producer": swap,
            "an operator twice": lambda plan: plan["order"].__setitem__(1, plan["order"][0]),
            "an operator missing": lambda plan: plan["order"].pop(),
            "a buffer missing": lambda plan: plan["buffers"].pop(self.buffers["c"]),
            "a buffer twice": lambda plan: plan["buffers"].append(plan["buffers"][0]),
            "an overlap": lambda plan: buffer(plan, "e").update(
                offset=buffer(plan, "d")["offset"]),
            "outside the arena": lambda plan: buffer(plan, "e").update(
                offset=plan["arena_bytes"]),
            "a negative offset": lambda plan: buffer(plan, "e").update(offset=-64),
            "an unaligned offset": lambda plan: buffer(plan, "g").update(
                offset=buffer(plan, "g")["offset"] + 4),
            "too small": lambda plan: buffer(plan, "a").update(size=64),
            "it ends too early": lambda plan: buffer(plan, "b").update(
                last=buffer(plan, "b")["last"] - 1),
            "it begins too late": lambda plan: buffer(plan, "b").update(
                first=buffer(plan, "b")["first"] + 1),
            "a view of something else": lambda plan: buffer(plan, "h").update(alias_of="x"),
            "in place without a right": lambda plan: buffer(plan, "e").update(
                alias_of="d", alias_kind="in_place", offset=buffer(plan, "d")["offset"]),
            "sharing that is not allowed": lambda plan: plan["sharing"].update(in_place=False),
        }
        for name, change in mutations.items():
            for model in ("m.onnx", "pr.json"):
                with self.subTest(name, model=model):
                    plan = self.mutated(change)
                    (self.folder / "q.json").write_text(json.dumps(plan))
                    result = self.opass("check", model, "q.json", "--json", expect=None)
                    # What cannot be a plan at all may be told as a wrong file.
                    self.assertIn(result.code, (REFUSED, INVALID), result.stdout + result.stderr)
                    if model == "m.onnx" and result.code == REFUSED:
                        self.opass("run", model, "--plan", "q.json", expect=REFUSED)

    def test_most_mutations_are_refused_with_1(self):
        for change in (lambda plan: plan.update(arena_bytes=plan["arena_bytes"] - 64),
                       lambda plan: plan.update(peak_bytes=plan["peak_bytes"] - 64),
                       lambda plan: plan["buffers"][self.buffers["e"]].update(
                           offset=plan["buffers"][self.buffers["d"]]["offset"]),
                       lambda plan: plan["buffers"][self.buffers["b"]].update(last=2)):
            self.check(self.mutated(change), REFUSED)

    def test_garbage(self):
        huge = 1 << 70
        for text in ("", "null", "[]", "7", '"plan"', "{", "{}", "not JSON", b"\xff\xfe\x00",
                     "[" * 100000, '{"a":' * 100000, json.dumps({"format": "opass-plan"}),
                     json.dumps({**self.plan, "format": "opass-problem"}),
                     json.dumps({**self.plan, "version": 2}),
                     json.dumps({**self.plan, "version": "1"}),
                     json.dumps({**self.plan, "target": "abacus"}),
                     json.dumps({**self.plan, "target": 7}),
                     json.dumps({**self.plan, "alignment": 0}),
                     json.dumps({**self.plan, "alignment": -64}),
                     json.dumps({**self.plan, "alignment": huge}),
                     json.dumps({**self.plan, "arena_bytes": huge}),
                     json.dumps({**self.plan, "arena_bytes": 1.5}),
                     json.dumps({**self.plan, "arena_bytes": "many"}),
                     json.dumps({**self.plan, "arena_bytes": None}),
                     json.dumps({**self.plan, "order": "conv_1"}),
                     json.dumps({**self.plan, "order": [1, 2]}),
                     json.dumps({**self.plan, "order": ["nobody"] * 9}),
                     json.dumps({**self.plan, "buffers": {}}),
                     json.dumps({**self.plan, "buffers": [7]}),
                     json.dumps({**self.plan, "buffers": [{}]}),
                     json.dumps({**self.plan, "sharing": True}),
                     json.dumps({**self.plan, "sharing": {"view": 1}}),
                     json.dumps({**self.plan, "certificate": {"kind": "faith"}})):
            with self.subTest(str(text)[:60]):
                # To a problem, the name of a target means nothing.
                for model in ("m.onnx",) if "abacus" in str(text) else ("m.onnx", "pr.json"):
                    (self.folder / "q.json").write_bytes(
                        text if isinstance(text, bytes) else text.encode())
                    result = self.opass("check", model, "q.json", expect=None)
                    self.assertIn(result.code, (REFUSED, INVALID), result.stderr)
                    if result.code == INVALID:
                        self.assertIn("q.json", result.stderr)

    def test_every_key_is_required_but_the_later_ones(self):
        for key in self.plan:
            plan = self.mutated(lambda plan, key=key: plan.pop(key))
            optional = key in ("inputs", "preserve_inputs", "exclude_io")
            with self.subTest(key):
                (self.folder / "q.json").write_text(json.dumps(plan))
                expect = DONE if optional else None if key == "certificate" else INVALID
                self.opass("check", "pr.json", "q.json", expect=expect)

    def test_a_plan_of_another_model(self):
        self.save(models.branches(), "other.onnx")
        self.assertIn("error", self.check(self.plan, INVALID, "other.onnx"))

    def test_problem_files_that_lie(self):
        problem = json.loads((self.folder / "pr.json").read_text())

        def write(change) -> None:
            changed = copy.deepcopy(problem)
            change(changed)
            (self.folder / "bad.json").write_text(json.dumps(changed))

        def value(changed, key, content):
            changed["values"][0][key] = content

        for change in (lambda p: p.update(format="opass-plan"), lambda p: p.update(version=9),
                       lambda p: p.update(alignment=0), lambda p: p.update(alignment=1 << 40),
                       lambda p: p.update(typo=1), lambda p: p.update(inputs="late"),
                       lambda p: p.pop("ops"), lambda p: p.pop("values"),
                       lambda p: p["values"].append(p["values"][0]),
                       lambda p: value(p, "size", -1), lambda p: value(p, "size", 1 << 63),
                       lambda p: value(p, "size", (1 << 62)), lambda p: value(p, "size", 0.5),
                       lambda p: value(p, "name", 3),
                       lambda p: value(p, "view", {"source": "ghost", "offset": 0}),
                       lambda p: p["ops"][0]["inputs"].append("ghost"),
                       lambda p: p["ops"][0]["inputs"].append(p["ops"][0]["inputs"][0]),
                       lambda p: p["ops"][0]["outputs"].append("x"),
                       lambda p: p["ops"].reverse(),
                       lambda p: p["ops"][0].update(workspace=-5),
                       lambda p: p["ops"][0].update(workspace=1 << 62),
                       lambda p: p["ops"][0].update(in_place=[{"output": "x", "input": "x"}])):
            write(change)
            result = self.opass("check", "bad.json", "p.json", expect=None)
            with self.subTest(result.stderr[:100]):
                self.assertIn(result.code, (REFUSED, INVALID), result.stderr)


class RunTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.model = models.conv()
        self.save(self.model)
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "--no-verify", "-q")
        self.x = np.random.default_rng(3).standard_normal((1, 3, 16, 16)).astype(np.float32)
        np.save(self.folder / "x.npy", self.x)

    def reference(self, x) -> np.ndarray:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(self.model.SerializeToString(), options)
        return session.run(None, {"x": x})[0]

    def test_equals_onnx_runtime(self):
        report = self.opass("run", "o.onnx", "--plan", "o.plan.json", "--input", "x=x.npy",
                            "--output", "y=y.npy", "--json").json()
        self.assertIs(report["verified"], True)
        self.assertIn("y", report["outputs"])
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), self.reference(self.x))

    def test_inputs_as_protobuf(self):
        (self.folder / "x.pb").write_bytes(numpy_helper.from_array(self.x).SerializeToString())
        self.opass("run", "o.onnx", "--plan", "o.plan.json", "--input", "x=x.pb", "--output",
                   "y=y.npy")
        np.testing.assert_array_equal(np.load(self.folder / "y.npy"), self.reference(self.x))

    def test_the_seed_decides(self):
        for name, seed in (("a", 5), ("b", 5), ("c", 6)):
            self.opass("run", "o.onnx", "--plan", "o.plan.json", "--seed", seed, "--output",
                       f"y={name}.npy")
        a, b, c = (np.load(self.folder / f"{name}.npy") for name in "abc")
        np.testing.assert_array_equal(a, b)
        self.assertTrue((a != c).any())

    def test_ranges(self):
        self.save(models.parse("g (int32[50] x) => (int32[50] y) { y = Identity(x) }"), "i.onnx")
        self.opass("schedule", "i.onnx", "--plan", "i.json", "--no-verify", "-q")
        for flags, low, high in (([], 0, 2), (["--input-range", "x=10:20"], 10, 20)):
            self.opass("run", "i.onnx", "--plan", "i.json", "--output", "y=y.npy", *flags)
            values = np.load(self.folder / "y.npy")
            self.assertTrue(((low <= values) & (values < high)).all(), values)

    def test_wrong_inputs(self):
        np.save(self.folder / "shape.npy", self.x[:, :2])
        np.save(self.folder / "type.npy", self.x.astype(np.float64))
        np.save(self.folder / "fortran.npy", np.asfortranarray(self.x))
        (self.folder / "text.npy").write_text("not npy")
        (self.folder / "cut.npy").write_bytes((self.folder / "x.npy").read_bytes()[:200])
        (self.folder / "cut.pb").write_bytes(b"\x08\x01")
        for flag in ("x=shape.npy", "x=type.npy", "x=text.npy", "x=cut.npy", "x=cut.pb", "x=gone",
                     "z=x.npy", "x"):
            with self.subTest(flag):
                self.opass("run", "o.onnx", "--plan", "o.plan.json", "--input", flag,
                           expect=INVALID)
        # Column order is refused or read right, never taken for row order.
        result = self.opass("run", "o.onnx", "--plan", "o.plan.json", "--input", "x=fortran.npy",
                            "--output", "y=f.npy", expect=None)
        self.assertIn(result.code, (DONE, INVALID))
        if result.code == DONE:
            np.testing.assert_array_equal(np.load(self.folder / "f.npy"), self.reference(self.x))

    def test_wrong_outputs(self):
        for flag in ("nobody=y.npy", "y", "y=", "y=no/such/folder/y.npy"):
            with self.subTest(flag):
                self.opass("run", "o.onnx", "--plan", "o.plan.json", "--output", flag,
                           expect=INVALID)
        self.assertFalse((self.folder / "y.npy").exists())

    def test_target_onnxruntime_leaves_nothing_outside(self):
        for model, flags in ((models.conv(), []), (models.branches(), []),
                             (models.parse("""g (float[1,64,32] x) => (float[1,64,32] y) {
                                 a = HardSwish(x)  y = Softmax<axis = 1>(a) }"""), [])):
            self.save(model)
            report = self.opass("optimize", "m.onnx", "-o", "t.onnx", "--force", "--target",
                                "onnxruntime", "--json", *flags).json()
            self.assert_verified(report)
            plan = json.loads((self.folder / "t.plan.json").read_text())
            self.assertEqual(plan["target"], "onnxruntime")
            run = self.opass("run", "t.onnx", "--plan", "t.plan.json", "--json").json()
            self.assertIs(run["verified"], True)
            self.assertLess(run["runtime_outside_bytes"], 64 << 10)
            workspace = sum(buffer["size"] for buffer in plan["buffers"]
                            if buffer["value"].endswith("#workspace"))
            self.assertGreaterEqual(workspace, run["runtime_scratch_bytes"])
            self.opass("check", "t.onnx", "t.plan.json")

    def test_the_plan_must_be_right_before_anything_runs(self):
        plan = json.loads((self.folder / "o.plan.json").read_text())
        plan["buffers"][-1]["offset"] = 1 << 40
        (self.folder / "bad.json").write_text(json.dumps(plan))
        self.opass("run", "o.onnx", "--plan", "bad.json", expect=REFUSED)


class VerifyTest(ToolTest):
    A = "g (float[1,8] x) => (float[1,8] y) { [n] a = Exp(x)  [m] y = Neg(a) }"

    def verify(self, a: str, b: str, *args, expect: int = DONE) -> dict:
        self.save(models.parse(a), "a.onnx")
        self.save(models.parse(b), "b.onnx")
        return self.opass("verify", "a.onnx", "b.onnx", "--json", *args, expect=expect).json()

    def test_equal(self):
        report = self.verify(self.A, self.A)
        self.assertIs(report["verified"], True)
        self.assertEqual(report["max_abs_error"], 0)

    def test_different(self):
        other = self.A.replace("Neg", "Abs")
        report = self.verify(self.A, other, expect=REFUSED)
        self.assertIs(report["verified"], False)
        self.assertGreater(report["max_abs_error"], 0)
        self.assertEqual(report["worst_tensor"], "y")

    def test_rounding_is_different_unless_told(self):
        a = "g (float[1,8] x) => (float[1,8] y) <float k = {3}> { y = Div(x, k) }"
        b = "g (float[1,8] x) => (float[1,8] y) <float k = {0.333333343}> { y = Mul(x, k) }"
        report = self.verify(a, b, expect=REFUSED)
        self.assertLess(report["max_abs_error"], 1e-5)
        self.assertIs(self.verify(a, b, "--within-bound")["verified"], True)

    def test_a_saturated_output_is_compared_before_it(self):
        a = """g (float[1,8] x) => (float[1,8] y) <float big = {1000000}> {
          h = Abs(x)  s = Mul(h, big)  y = Sigmoid(s) }"""
        report = self.verify(a, a.replace("1000000", "2000000"), expect=REFUSED)
        self.assertIs(report["verified"], False)
        report = self.verify(a, a)
        self.assertTrue(any("satur" in note or "constant" in note for note in report["notes"]),
                        report)

    def test_other_inputs_or_outputs(self):
        for other in (self.A.replace("[1,8]", "[1,9]"), self.A.replace("float", "double"),
                      "g (float[1,8] z) => (float[1,8] y) { y = Neg(z) }",
                      "g (float[1,8] x) => (float[1,8] other) { other = Neg(x) }"):
            with self.subTest(other):
                self.save(models.parse(self.A), "a.onnx")
                self.save(models.parse(other), "b.onnx")
                result = self.opass("verify", "a.onnx", "b.onnx", "--json", expect=None)
                self.assertIn(result.code, (DONE, REFUSED, INVALID))
                if result.code == DONE:
                    self.assertIsNone(result.json()["verified"])

    def test_nan_equals_nan(self):
        nan = "g (float[1,8] x) => (float[1,8] y) { a = Abs(x)  b = Neg(a)  y = Log(b) }"
        self.assertIs(self.verify(nan, nan)["verified"], True)

    def test_random_operators_cannot_be_told(self):
        text = """g (float[1,8] x) => (float[1,8] y) {
          r = RandomNormalLike(x)  y = Add(x, r) }"""
        report = self.verify(text, text)
        self.assertIsNone(report["verified"])
        self.assertTrue(report["message"])


if __name__ == "__main__":
    unittest.main()
