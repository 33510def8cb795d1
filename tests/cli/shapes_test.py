"""--shape and --dim: every form, every mistake, and what is said of sizes that stay unknown."""

import unittest

import models
import onnx
from models import parse
from onnx import TensorProto, helper
from tool import INVALID, ToolTest

TWO = """g (float[N,C] x, float[N,4] z) => (float[N,D] y) {
  a = Exp(x)  y = Concat<axis = 1>(a, z) }"""


def relu(name: str, shape) -> onnx.ModelProto:
    graph = helper.make_graph(
        [helper.make_node("Relu", [name], ["y"])], "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape and ["a"] * len(shape))])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


class BindTest(ToolTest):
    def shape(self, name: str = "x") -> list[int]:
        written = onnx.load(self.folder / "out.onnx")
        info = next(value for value in written.graph.input if value.name == name)
        return [dim.dim_value for dim in info.type.tensor_type.shape.dim]

    def test_forms(self):
        for flags in (["--shape", "x=2,3", "--shape", "z=2,4"], ["--shape", "x=2x3"],
                      ["--dim", "N=2", "--dim", "C=3"], ["--shape", "x=2,3", "--dim", "N=2"],
                      ["--shape=x=2x3"], ["--dim=N=2", "--dim=C=3"]):
            with self.subTest(flags):
                report, _ = self.optimize(parse(TWO), *flags)
                self.assert_verified(report)
                self.assertEqual((self.shape("x"), self.shape("z")), ([2, 3], [2, 4]))
                # (x + z + a + y) of 2 * (3 + 4 + 3 + 7) floats
                self.assertEqual(report["sum_bytes"], 4 * 2 * 17)

    def test_names_of_any_form(self):
        for name in ("input:0", "a/b/c", "a=b", "x,y", "images 1x3", "a:0/b=c:d"):
            with self.subTest(name):
                report, _ = self.optimize(relu(name, ["n", 3]), "--shape", f"{name}=2,3")
                self.assert_verified(report)
                self.assertEqual(self.shape(name), [2, 3])

    def test_symbols_of_any_form(self):
        for symbol in ("batch", "a:0", "a/b", "batch size", "a=b"):
            with self.subTest(symbol):
                report, _ = self.optimize(relu("x", [symbol, 3]), "--dim", f"{symbol}=5")
                self.assert_verified(report)
                self.assertEqual(self.shape(), [5, 3])

    def test_upper_bounds(self):
        report, _ = self.optimize(relu("x", ["N", 3]), "--dim", "N<=128")
        self.assertEqual(report["sum_bytes"], 2 * 128 * 3 * 4)

    def test_unknown_rank(self):
        report, _ = self.optimize(relu("x", None), "--shape", "x=2,3,4")
        self.assert_verified(report)
        self.assertEqual(self.shape(), [2, 3, 4])

    def test_dimensions_without_names(self):
        report, _ = self.optimize(relu("x", [None, 3]), "--shape", "x=2,3")
        self.assert_verified(report)

    def test_scalars(self):
        self.optimize(relu("x", None), "--shape", "x=1")
        self.assertEqual(self.shape(), [1])

    def test_mistakes(self):
        self.save(parse(TWO))
        for flags, told in (
                (["--shape", "x=2,3,4"], "x"),  # wrong rank
                (["--shape", "z=2,5"], "z"),  # 4 is static
                (["--shape", "nobody=2,3"], "nobody"),
                (["--dim", "M=2", "--dim", "N=2", "--dim", "C=3"], "M"),
                (["--shape", "x=2,3", "--dim", "N=4"], "N"),
                (["--shape", "x=2,3", "--shape", "z=3,4"], "N"),
                (["--shape", "x=2,3", "--shape", "x=2,4"], "x"),
                (["--shape", "x"], "x"), (["--shape", "x="], "x"), (["--shape", "=2,3"], "2,3"),
                (["--shape", "x=2,"], "x"), (["--shape", "x=2,a"], "x"),
                (["--shape", "x=-2,3"], "x"), (["--shape", "x=2;3"], "x"),
                (["--shape", "x=99999999999999999999,3"], "x"),
                (["--shape", "x=4611686018427387904,4611686018427387904"], "x"),
                (["--dim", "N"], "N"), (["--dim", "N="], "N"), (["--dim", "N=x"], "N"),
                (["--dim", "N=-1"], "N"), (["--dim", "N<128"], "N"), (["--dim", "N<="], "N")):
            with self.subTest(flags):
                result = self.opass("schedule", "m.onnx", "--no-verify", *flags, expect=INVALID)
                self.assertIn(told, result.stderr)

    def test_what_stays_unknown_is_one_message(self):
        self.save(parse(TWO))
        for command in (["schedule", "m.onnx"], ["optimize", "m.onnx", "-o", "o.onnx"],
                        ["analyze", "m.onnx"]):
            result = self.opass(*command, "--json", expect=INVALID)
            self.assertEqual(result.stderr.count("error:"), 1)
            for part in ("'x'", "N", "C", "--dim"):
                self.assertIn(part, result.stderr)
            self.assertEqual(result.json()["error"]["reason"], "unknown-dimensions")
        result = self.opass("schedule", "m.onnx", "--dim", "N=2", expect=INVALID)
        self.assertIn("C", result.stderr)
        self.save(relu("x", [None, 3]))
        self.assertIn("--shape", self.opass("schedule", "m.onnx", expect=INVALID).stderr)
        self.save(relu("x", None))
        self.assertIn("--shape", self.opass("schedule", "m.onnx", expect=INVALID).stderr)

    def test_claims_of_the_exporter_do_not_win(self):
        model = parse("g (float[N,3] x) => (float[1,3] y) { a = Exp(x)  y = Neg(a) }")
        model.graph.value_info.append(
            helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 3]))
        report, _ = self.optimize(model, "--dim", "N=4")
        self.assert_verified(report)
        self.assertEqual(report["sum_bytes"], 3 * 4 * 3 * 4)

    def test_chains_of_shapes_vanish(self):
        text = """g (float[N,6] x) => (float[N,2,3] y) <int64[1] zero = {0}, int64[1] one = {1},
            int64[2] rest = {2, 3}> {
          s = Shape(x)  n = Gather(s, zero)  t = Concat<axis = 0>(n, rest)
          a = Exp(x)  y = Reshape(a, t) }"""
        report, written = self.optimize(parse(text), "--dim", "N=5")
        self.assert_verified(report)
        self.assertEqual([node.op_type for node in written.graph.node], ["Exp", "Reshape"])

    def test_run_check_and_verify_bind_too(self):
        self.save(parse(TWO))
        bind = ("--dim", "N=2", "--dim", "C=3")
        self.opass("schedule", "m.onnx", "--plan", "p.json", "--no-verify", *bind)
        self.opass("check", "m.onnx", "p.json", *bind)
        self.opass("run", "m.onnx", "--plan", "p.json", *bind)
        self.opass("optimize", "m.onnx", "-o", "o.onnx", "--no-verify", *bind)
        self.opass("verify", "m.onnx", "m.onnx", *bind)
        self.opass("check", "m.onnx", "p.json", "--dim", "N=3", "--dim", "C=3", expect=1)


if __name__ == "__main__":
    unittest.main()
