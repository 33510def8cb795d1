"""--strategy: a search for the passes that save memory."""

import json
import signal
import subprocess
import time
import unittest

import models
import numpy
import onnx
from tool import DONE, INVALID, TOOL, ToolTest

# Two branches that are joined before they shrink: moving the Concat saves nothing, and makes the
# split of the convolution possible.
JOINED = """
    g (float[1,4,16,16] x) => (float[1,4,16,16] y) {
      p = Conv(x, a)
      q = Conv(x, b)
      s = Sigmoid(p)
      t = Tanh(q)
      j = Concat<axis = 1>(s, t)
      r = Relu(j)
      y = Conv(r, c)
    }"""


def joined():
    model = models.of_opset(JOINED, 17)
    random = numpy.random.default_rng(0)
    for name, dims in [("a", (32, 4, 1, 1)), ("b", (32, 4, 1, 1)), ("c", (4, 64, 1, 1))]:
        weights = random.standard_normal(dims).astype(numpy.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(weights, name))
    return model


class StrategiesTest(ToolTest):
    def test_opass_looks_ahead_and_is_verified(self):
        before, _ = self.optimize(joined())
        self.assertIsNone(before["search"])
        report, written = self.optimize(joined(), "--strategy", "opass")
        self.assert_verified(report)
        self.assertLess(report["peak_bytes"], before["peak_bytes"])
        search = report["search"]
        self.assertEqual(search["strategy"], "opass")
        self.assertEqual(search["after_peak_bytes"], report["peak_bytes"])
        self.assertEqual(len(search["steps"]), 2)
        self.assertIn("sink_concat_below_elementwise", search["steps"][0]["name"])
        self.assertIn("split_conv_over_concat", search["steps"][0]["enabled"])
        self.assertLessEqual(search["evaluations"], 50)
        self.assertEqual([n.op_type for n in written.graph.node].count("Concat"), 0)

    def test_greedy_does_not(self):
        report, _ = self.optimize(joined(), "--strategy", "greedy")
        self.assertEqual(report["search"]["steps"], [])
        self.assertEqual(report["search"]["before_peak_bytes"], report["peak_bytes"])

    def test_the_same_again(self):
        reports = [self.optimize(joined(), "--strategy", "opass", "--seed", "3")[0]["search"]
                   for _ in range(2)]
        self.assertEqual(reports[0], reports[1])

    def test_budgets_hold(self):
        report, _ = self.optimize(joined(), "--strategy", "random", "--evaluations", "2")
        self.assertLessEqual(report["search"]["evaluations"], 2)

    def test_ctrl_c_ends_the_search_and_the_best_so_far_is_written(self):
        self.save(joined())
        arguments = ["optimize", "m.onnx", "-o", "o.onnx", "--strategy", "random",
                     "--evaluations", "1000000000", "--json"]
        with subprocess.Popen([TOOL, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(3)
            self.assertIsNone(process.poll(), "it was done before the signal")
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, DONE, stderr.decode())
        self.assertIn("the search was stopped by Ctrl-C", stderr.decode())
        report = json.loads(stdout)
        self.assert_verified(report)
        self.assertEqual(report["search"]["stopped_by"], "user")
        self.assertFalse(report["deterministic"])
        self.assertFalse(report["stopped_by_time"])
        self.assertEqual(self.files(), {"m.onnx", "o.onnx", "o.plan.json"})

    def test_the_time_ends_the_search_and_the_best_so_far_is_written(self):
        report, _ = self.optimize(joined(), "--strategy", "random", "--evaluations", "1000000000",
                                  "--time", "2")
        self.assert_verified(report)
        self.assertEqual(report["search"]["stopped_by"], "time")
        self.assertTrue(report["stopped_by_time"])

    def test_every_step_has_a_gain(self):
        search = self.optimize(joined(), "--strategy", "opass")[0]["search"]
        gains = [step["gained_bytes"] for step in search["steps"]]
        self.assertEqual(sum(gains), search["before_peak_bytes"] - search["after_peak_bytes"])
        self.assertEqual(search["removed"], [])
        self.assertIsNone(search["stopped_by"])

    def test_what_was_found_is_explained(self):
        self.save(joined())
        text = self.opass("optimize", "m.onnx", "-o", "o.onnx", "--strategy", "opass",
                          "--explain").stdout
        self.assertIn("search 'opass'", text)
        self.assertIn("makes possible: split_conv_over_concat", text)

    def test_wrong_options_are_refused(self):
        self.save(joined())
        for option, value, word in [("--strategy", "best", "best"),
                                    ("--evaluations", "0", "--evaluations"),
                                    ("--max-opset", "-1", "--max-opset"),
                                    ("--reproducers", "nowhere", "the folder does not exist"),
                                    ("--max-flops-overhead", "half", "'half' is not a share"),
                                    ("--max-flops-overhead", "-1%", "'-1%' is not a share")]:
            result = self.opass("optimize", "m.onnx", "-o", "o.onnx", f"{option}={value}",
                                expect=INVALID)
            self.assertIn(word, result.stderr)
        self.assertEqual(self.files(), {"m.onnx"})

    def test_strategies_are_listed(self):
        names = [entry["name"]
                 for entry in self.opass("list", "strategies", "--json").json()["strategies"]]
        self.assertEqual(names,
                         ["anneal", "beam", "default", "greedy", "none", "opass", "random"])

    def test_strategies_are_compared(self):
        self.save(joined())
        rows = self.opass("bench", "strategies", ".", "--evaluations", "20", "--json").json()
        peaks = {run["strategy"]: run["peak_bytes"] for run in rows["models"][0]["runs"]}
        self.assertEqual(len(peaks), 7)
        self.assertEqual(peaks["opass"], min(peaks.values()))
        self.assertLess(peaks["opass"], peaks["greedy"])
        rows = self.opass("bench", "strategies", ".", "--ablation", "--json").json()
        self.assertEqual(len(rows["models"][0]["runs"]), 5)


if __name__ == "__main__":
    unittest.main()
