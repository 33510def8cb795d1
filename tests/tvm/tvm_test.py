"""opass tvm with the real TVM: `make test-tvm`."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))

import tool  # noqa: E402

TVM_PYTHON = ROOT / ".venv-tvm/bin/python"


def weights(name, *shape, seed=0):
    dice = numpy.random.default_rng(seed)
    return numpy_helper.from_array(dice.standard_normal(shape).astype(numpy.float32) / 4, name)


def save(path, nodes, inputs, outputs, initializers=()):
    def value(pair):
        return helper.make_tensor_value_info(pair[0], TensorProto.FLOAT, pair[1])

    graph = helper.make_graph(nodes, "test", [value(i) for i in inputs], [value(o) for o in outputs],
                              initializer=list(initializers))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              path)
    return path


def branches(path):
    """Two branches whose order decides the peak, with the same Relu twice."""
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Relu", ["a"], ["c"]),
        helper.make_node("Conv", ["b", "w2"], ["d"], strides=[2, 2]),
        helper.make_node("Conv", ["c", "w3"], ["e"], strides=[2, 2]),
        helper.make_node("Add", ["d", "e"], ["y"]),
    ]
    return save(path, nodes, [("x", [1, 4, 16, 16])], [("y", [1, 4, 8, 8])],
                [weights("w1", 8, 4, 3, 3), weights("w2", 4, 8, 1, 1, seed=1),
                 weights("w3", 4, 8, 1, 1, seed=2)])


def normalized(path):
    """BatchNormalization gives a tuple in TVM: several names for one tensor."""
    nodes, width = [], 8
    last = "x"
    for i in range(3):
        nodes += [
            helper.make_node("Conv", [last, f"w{i}"], [f"c{i}"], pads=[1, 1, 1, 1]),
            helper.make_node("BatchNormalization", [f"c{i}", "scale", "bias", "mean", "var"],
                             [f"n{i}"]),
            helper.make_node("Relu", [f"n{i}"], [f"r{i}"]),
            helper.make_node("Add", [f"r{i}", last], [f"s{i}"]),
        ]
        last = f"s{i}"
    nodes[-1].output[0] = "y"
    ones = numpy_helper.from_array(numpy.ones(width, numpy.float32), "scale")
    var = numpy_helper.from_array(numpy.full(width, 2, numpy.float32), "var")
    return save(path, nodes, [("x", [1, width, 12, 12])], [("y", [1, width, 12, 12])],
                [ones, var, weights("bias", width), weights("mean", width, seed=7)] +
                [weights(f"w{i}", width, width, 3, 3, seed=i) for i in range(3)])


class TvmTest(tool.ToolTest):
    def compare(self, model, *args):
        result = self.opass("tvm", "compare", model, "--runs", 1, "--json", *args, timeout=500)
        return {row["name"]: row for row in result.json()["rows"]}, result.json()

    def test_our_plan_has_the_bits_of_tvm_and_is_not_larger(self):
        for make in (branches, normalized):
            with self.subTest(make.__name__):
                rows, _ = self.compare(make(self.folder / "model.onnx"), "--strategies", "none")
                stock = [rows["TVM default"], rows["TVM fused"]]
                for row in stock:
                    ours = rows[row["name"] + " + OPassMem"]
                    self.assertTrue(ours["bit_equal"])
                    # Our sizes are rounded up to 64, TVM's are not.
                    self.assertLess(ours["planned_bytes"],
                                    row["planned_bytes"] + 64 * row["num_storages"])
                    self.assertGreaterEqual(ours["planned_bytes"], ours["live_peak_bytes"])
                    self.assertEqual(ours["workspace_bytes"], row["workspace_bytes"])
                    # The run really had the arena, and what it needs beside it is small here.
                    self.assertGreaterEqual(ours["high_water_bytes"], ours["planned_bytes"])

    def test_the_copy_that_a_convolution_makes_of_its_input_is_a_workspace(self):
        rows, _ = self.compare(branches(self.folder / "model.onnx"), "--strategies", "none")
        self.assertEqual(rows["TVM default"]["workspace_bytes"], 8 * 16 * 16 * 4)

    def test_searches_find_passes_that_save(self):
        rows, report = self.compare(branches(self.folder / "model.onnx"), "--strategies",
                                    "opass,greedy", "--evaluations", 20)
        plain = rows["TVM default + OPassMem"]
        for strategy in ("opass", "greedy"):
            found = rows[strategy + " + OPassMem"]
            self.assertTrue(found["bit_equal"], report["notes"])
            self.assertIn("EliminateCommonSubexpr", found["passes"])
            self.assertLessEqual(found["planned_bytes"], plain["planned_bytes"])
            self.assertLessEqual(found["workspace_bytes"], plain["workspace_bytes"])

    def test_the_same_search_twice_is_the_same(self):
        model = branches(self.folder / "model.onnx")
        runs = [self.compare(model, "--strategies", "anneal", "--evaluations", 10, "--seed", 3)[0]
                for _ in range(2)]
        for name in runs[0]:
            for key in ("planned_bytes", "live_peak_bytes", "workspace_bytes", "passes"):
                self.assertEqual(runs[0][name][key], runs[1][name][key])

    def test_optimize_writes_a_library_that_tvm_loads(self):
        model = normalized(self.folder / "model.onnx")
        printed = self.opass("tvm", "optimize", model, "-o", "model.so", "--evaluations", 5,
                             timeout=500)
        self.assertIn('load_module("model.so")', printed.stdout)
        numpy.save(self.folder / "x.npy", numpy.ones((1, 8, 12, 12), numpy.float32))
        script = ("import numpy, tvm\n"
                  "from tvm import relax\n"
                  "vm = relax.VirtualMachine(tvm.runtime.load_module('model.so'), tvm.cpu())\n"
                  "y = vm['main'](tvm.runtime.tensor(numpy.load('x.npy')))\n"
                  "numpy.save('y.npy', y.numpy())\n")
        subprocess.run([TVM_PYTHON, "-c", script], check=True, cwd=self.folder,
                       capture_output=True, timeout=200)
        onnx_runtime = subprocess.run(
            [ROOT / ".venv/bin/python", "-c",
             "import numpy, onnxruntime\n"
             "s = onnxruntime.InferenceSession('model.onnx')\n"
             "numpy.save('z.npy', s.run(None, {'x': numpy.load('x.npy')})[0])"],
            cwd=self.folder, capture_output=True, timeout=200, check=False)
        self.assertEqual(onnx_runtime.returncode, 0, onnx_runtime.stderr.decode())
        numpy.testing.assert_allclose(numpy.load(self.folder / "y.npy"),
                                      numpy.load(self.folder / "z.npy"), rtol=1e-4, atol=1e-5)

    def test_shapes_and_dimensions_are_bound(self):
        model = save(self.folder / "open.onnx",
                     [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Exp", ["a"], ["y"])],
                     [("x", ["batch", 64])], [("y", ["batch", 64])])
        for bound in (("--dim", "batch=3"), ("--shape", "x=3,64")):
            rows, _ = self.compare(model, "--strategies", "none", *bound)
            self.assertEqual(rows["TVM default + OPassMem"]["planned_bytes"], 3 * 64 * 4)
        refused = self.opass("tvm", "compare", model, "--strategies", "none",
                             expect=tool.NOT_POSSIBLE)
        self.assertIn("--shape", refused.stderr)
        wrong = self.opass("tvm", "compare", model, "--shape", "z=3,64", expect=tool.NOT_POSSIBLE)
        self.assertIn("no input named z", wrong.stderr)

    def test_what_the_importer_refuses_is_told(self):
        model = save(self.folder / "odd.onnx", [helper.make_node("Nonsense", ["x"], ["y"])],
                     [("x", [4])], [("y", [4])])
        refused = self.opass("tvm", "compare", model, expect=tool.NOT_POSSIBLE)
        self.assertIn("Nonsense", refused.stderr)

    def test_a_missing_plugin_is_told(self):
        model = branches(self.folder / "model.onnx")
        environment = dict(os.environ, OPASS_TVM_PLUGIN="/nowhere.so")
        refused = self.opass("tvm", "compare", model, env=environment, expect=tool.ENVIRONMENT)
        self.assertIn("make tvm", refused.stderr)

    def test_wrong_uses(self):
        model = branches(self.folder / "model.onnx")
        self.opass("tvm", "compare", model, "--strategies", "nobody", expect=tool.INVALID)
        self.opass("tvm", "compare", "missing.onnx", expect=tool.INVALID)
        self.opass("tvm", "optimize", model, "-o", "model.dll", expect=tool.INVALID)


if __name__ == "__main__":
    unittest.main()
