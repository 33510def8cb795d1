"""--passes: rewrites that the user chooses, verified by execution."""

import unittest

import models
from tool import INVALID, ToolTest

# x + x * s, an activation that is written out, and a Pad before a convolution.
GATED = """
    g (float[1,4,8,8] x) => (float[1,4,10,10] y)
    <float[4,4,1,1] w = {1,0,0,0, 0,2,0,0, 0,0,3,0, 1,0,0,1}, float three = {3}, float zero = {0},
     float six = {6}, int64[8] pads = {0,0,1,1,0,0,1,1}> {
      g = GlobalAveragePool(x)
      s = Sigmoid(g)
      m = Mul(x, s)
      a = Add(x, m)
      b = Add(a, three)
      c = Clip(b, zero, six)
      d = Mul(a, c)
      e = Div(d, six)
      p = Pad(e, pads)
      y = Conv(p, w)
    }"""


class PassesTest(ToolTest):
    def changes(self, report: dict) -> dict[str, int]:
        return {line["name"]: line["changes"] for line in report["passes"] if line["changes"]}

    def test_chosen_passes_run_and_are_verified(self):
        names = "fold_pad_into_conv,fuse_activations,factor_shared_scale"
        report, written = self.optimize(models.of_opset(GATED, 17), "--passes", names)
        self.assert_verified(report)
        self.assertEqual(self.changes(report), dict.fromkeys(names.split(","), 1))
        self.assertEqual(sorted(node.op_type for node in written.graph.node),
                         ["Add", "Conv", "GlobalAveragePool", "HardSwish", "Mul", "Sigmoid"])
        self.assertLess(report["peak_bytes"], report["before"]["peak_bytes"])

    def test_without_the_option_nothing_is_rewritten(self):
        report, written = self.optimize(models.of_opset(GATED, 17))
        self.assert_verified(report)
        self.assertEqual(len(written.graph.node), 10)

    def test_exact_passes_keep_every_bit(self):
        report, _ = self.optimize(models.of_opset(GATED, 17), "--passes", "fold_pad_into_conv")
        self.assert_verified(report)
        self.assertEqual(report["max_abs_error"], 0)

    def test_a_pass_that_needs_another_operator_set_says_so(self):
        model = models.of_opset(GATED, 13)
        report, written = self.optimize(model, "--passes", "fuse_activations")
        notes = [note for line in report["passes"] for note in line["notes"]]
        self.assertEqual(notes, ["not fused: 1 HardSwish, which need operator set 14 (this is 13): "
                                 "--opset"])
        self.assertEqual(written.opset_import[0].version, 13)
        report, _ = self.optimize(model, "--passes", "fuse_activations", "--opset", "14")
        self.assert_verified(report)
        self.assertEqual(self.changes(report), {"fuse_activations": 1})

    def test_unknown_passes_are_refused(self):
        self.save(models.of_opset(GATED, 17))
        result = self.opass("optimize", "m.onnx", "-o", "o.onnx", "--passes", "no_such",
                            expect=INVALID)
        self.assertIn("there is no pass 'no_such'", result.stderr)
        self.assertIn("fold_pad_into_conv", result.stderr)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_the_list_tells_exactness(self):
        entries = self.opass("list", "passes", "--json").json()["passes"]
        exactness = {entry["name"]: entry["exactness"] for entry in entries}
        self.assertEqual(exactness["fold_pad_into_conv"], "exact")
        self.assertEqual(exactness["fuse_activations"], "reassociates")
        self.assertIn("(reassociates)", self.opass("list", "passes").stdout)


if __name__ == "__main__":
    unittest.main()
