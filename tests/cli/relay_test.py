"""Relay texts: as good a model as an ONNX file, and errors with a place."""

import json
import os
import pathlib
import unittest

import onnx

from tool import INVALID, REFUSED, ToolTest

TEXT = """#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(8, 8, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  %1 = zeros_like(%0);
  %2 = add(%0, %1);
  %3 = nn.relu(%2);
  let %y = layout_transform(%3, src_layout="NCHW", dst_layout="NCHW4c");
  %4 = qnn.quantize(%y, 0.5f, 3, out_dtype="int8", axis=-1);
  %5 = shape_of(%x, dtype="int32");
  %6 = dyn.reshape(%y, %5, newshape=[], allowzero=0);
  (%4, (%6, %5), 1.0f)
}
"""


class RelayTest(ToolTest):
    def write(self, text: str = TEXT, name: str = "m.relay") -> str:
        (self.folder / name).write_text(text)
        return name

    def test_optimize_and_verify(self):
        self.write()
        report = self.opass("optimize", "m.relay", "-o", "o.onnx", "--json").json()
        self.assert_verified(report)
        onnx.checker.check_model(onnx.load(self.folder / "o.onnx"), full_check=True)
        self.opass("run", "o.onnx", "--plan", "o.plan.json")
        self.opass("verify", "m.relay", "o.onnx")

    def test_schedule_analyze_and_check(self):
        self.write()
        report = self.opass("schedule", "m.relay", "--plan", "m.plan.json", "--json").json()
        self.assert_verified(report)
        self.opass("check", "m.relay", "m.plan.json")
        analyzed = self.opass("analyze", "m.relay", "--json").json()
        self.assertEqual(analyzed["ops"], report["ops"])

    def test_convert(self):
        self.write()
        told = self.opass("convert", "m.relay", "-o", "m.onnx", "--json").json()
        model = onnx.load(self.folder / "m.onnx")
        onnx.checker.check_model(model, full_check=True)
        self.assertEqual(told["nodes"], len(model.graph.node))
        self.assertEqual([value.name for value in model.graph.input], ["x", "w"])
        self.assertEqual([value.name for value in model.graph.output][:3], ["4", "6", "5"])
        self.opass("verify", "m.relay", "m.onnx")

    def test_convert_of_an_onnx_model_fixes_dimensions(self):
        self.write()
        self.opass("convert", "m.relay", "-o", "m.onnx")
        model = onnx.load(self.folder / "m.onnx")
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "N"
        del model.graph.value_info[:]
        self.save(model, "open.onnx")
        self.opass("convert", "open.onnx", "-o", "fixed.onnx", "--dim", "N=1")
        fixed = onnx.load(self.folder / "fixed.onnx")
        self.assertEqual(fixed.graph.input[0].type.tensor_type.shape.dim[0].dim_value, 1)

    def test_convert_keeps_its_input(self):
        self.write()
        result = self.opass("convert", "m.relay", "-o", "./m.relay", expect=INVALID)
        self.assertIn("would replace the input", result.stderr)
        self.assertEqual((self.folder / "m.relay").read_text(), TEXT)
        result = self.opass("convert", "m.relay", "-o", "-", expect=INVALID)
        self.assertIn("only the input can be a standard stream", result.stderr)

    def test_a_text_is_known_by_its_first_line(self):
        self.write(name="m.txt")
        self.opass("schedule", "m.txt", "--no-verify")
        told = self.opass("schedule", "-", "--no-verify", "--json", stdin=TEXT.encode()).json()
        self.assertEqual(told["model"], "-")

    def test_errors_have_a_place(self):
        self.write(TEXT.replace("nn.relu", "nn.magic"))
        result = self.opass("schedule", "m.relay", "--json", expect=INVALID)
        error = result.json()["error"]
        self.assertEqual(error["reason"], "relay-operator")
        self.assertEqual(error["where"], "m.relay:6:8")
        self.assertEqual(error["message"], "operator 'nn.magic' is not supported")
        self.write(TEXT.replace("%2)", "%9)"))
        result = self.opass("analyze", "m.relay", expect=INVALID)
        self.assertIn("m.relay:6:16: '%9' is not defined", result.stderr)
        for content in (b"", b"\x00", TEXT.encode()[:300], b"#[version"):
            (self.folder / "m.relay").write_bytes(content)
            self.assertIn("m.relay:", self.opass("analyze", "m.relay", expect=INVALID).stderr)

    def test_nothing_to_bind(self):
        self.write()
        result = self.opass("schedule", "m.relay", "--dim", "N=1", "--json", expect=INVALID)
        self.assertEqual(result.json()["error"]["reason"], "bad-binding")


class RebenchTest(ToolTest):
    """On a folder made here; the paper's own graphs where OPASS_REBENCH says where they are."""

    def expect(self, first: float):
        """What TVM would say of relu(x + 1) for two inputs of this generator."""
        (self.folder / "expected").mkdir(exist_ok=True)
        (self.folder / "01.relay").write_text(
            '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2,), float32]) {\n'
            "  %0 = add(%x, 1.0f);\n  %1 = nn.relu(%0);\n  %1\n}\n")
        x = [-0.5303122997283936, 0.6287418603897095]
        y = [x[0] + 1, x[1] + 1]
        l2 = (y[0] ** 2 + y[1] ** 2) ** 0.5
        (self.folder / "expected/01.json").write_text(json.dumps({
            "graph": "01", "mode": "sym",
            "inputs": [{"name": "x", "seed": 1000, "first4": x}],
            "outputs": [{"dtype": "float32", "shape": [2], "mean": sum(y) / 2, "l2": l2,
                         "absmax": max(y), "first8": [first, y[1]], "samples64": []}]}))
        self.rows("float32")
        return y

    def rows(self, type_of_1: str):
        (self.folder / "expected/01.types.csv").write_text(
            "var,field,op,dtype,relay_shape,shape,bytes,mean,l2\n%x,,input,float32,2,2,8,0,1\n"
            f"%0,,add,float32,2,2,8,0,1\n%1,,nn.relu,{type_of_1},2,2,8,0,1\n")

    def bench(self, *args, **options):
        return self.opass("bench", "rebench", ".", "--part", "correct", "--only", "01", *args,
                          **options)

    def test_equal(self):
        self.expect(0.4696877002716064)
        row = self.bench("--json").json()["correct"][0]
        self.assertTrue(row["equal"], row)
        self.assertEqual((row["variables"], row["outputs"]), (3, 1))

    def test_what_differs_is_told(self):
        self.expect(0.47)
        result = self.bench(expect=REFUSED)
        self.assertIn("missed: 01: output 0: element 0 is 0.4696877, not 0.47", result.stdout)
        self.expect(0.4696877002716064)
        self.rows("float16")
        result = self.bench(expect=REFUSED)
        self.assertIn("%1  is float32 2, not %1  float16 2", result.stdout)

    def test_strategies(self):
        self.expect(0.4696877002716064)
        report = self.opass("bench", "rebench", ".", "--part", "strategies", "--only", "01",
                            "--json").json()
        strategies = [row["strategy"] for row in report["strategies"]]
        self.assertIn("opass", strategies)
        self.assertGreater(len(strategies), 5)
        self.assertTrue(all(row["equal"] for row in report["strategies"]), report)
        self.expect(0.47)
        result = self.opass("bench", "rebench", ".", "--part", "strategies", "--only", "01",
                            expect=REFUSED)
        self.assertIn("missed: 01, opass: output 0: element 0 is 0.4696877, not 0.47",
                      result.stdout)

    def test_what_is_missing_is_told(self):
        result = self.bench("--json", expect=REFUSED)
        self.assertIn("01.relay", result.json()["missed"][0])
        self.opass("bench", "rebench", "nowhere", expect=INVALID)
        self.opass("bench", "rebench", ".", "--only", "99", expect=INVALID)

    def test_memory(self):
        self.expect(0.4696877002716064)
        both = [suite["graphs"][0] for suite in self.opass(
            "bench", "rebench", ".", "--part", "memory", "--only", "01", "--json").json()["memory"]]
        for graph in both:  # a parameter, and two results in its place
            self.assertEqual(graph["sum_bytes"], 24)
            self.assertEqual(graph["both"]["arena_bytes"], 8)
            self.assertTrue(graph["both"]["proven"])

    def test_tables_as_files(self):
        self.expect(0.4696877002716064)
        self.opass("bench", "rebench", ".", "--part", "sums,memory", "--only", "01", "-o", "tables")
        tables = self.folder / "tables"
        self.assertEqual(sorted(path.name for path in tables.iterdir()),
                         ["counts.csv", "memory_first-use.csv", "memory_resident.csv",
                          "rebench.html", "reductions.csv", "sums.csv"])
        rows = (tables / "counts.csv").read_text().splitlines()
        self.assertEqual(rows[1], "01,-,28,-,0,4,0,24")  # a literal more
        self.assertIn("<svg", (tables / "rebench.html").read_text())
        (self.folder / "file").write_text("")
        self.opass("bench", "rebench", ".", "--part", "sums", "--only", "01", "-o", "file/tables",
                   expect=INVALID)

    @unittest.skipUnless(os.environ.get("OPASS_REBENCH"), "OPASS_REBENCH does not name a folder")
    def test_the_published_origin_is_counted_anew(self):
        graphs = ",".join(f"{i:02}" for i in range(1, 37))
        report = self.opass("bench", "rebench", os.environ["OPASS_REBENCH"], "--part", "sums",
                            "--only", graphs, "--evaluations", "1", "--json").json()
        self.assertEqual(report["missed"], [])

    @unittest.skipUnless(os.environ.get("OPASS_REBENCH"), "OPASS_REBENCH does not name a folder")
    def test_what_the_strategies_make_is_equal(self):
        report = self.opass("bench", "rebench", os.environ["OPASS_REBENCH"], "--part", "strategies",
                            "--only", "01,05,14,17,20,23,31", "--evaluations", "20",
                            "--json").json()
        self.assertEqual(report["missed"], [])

    @unittest.skipUnless(os.environ.get("OPASS_REBENCH"), "OPASS_REBENCH does not name a folder")
    def test_no_graph_of_the_paper_needs_more_than_in_file_order(self):
        graphs = ",".join(f"{i:02}" for i in range(1, 37))
        result = self.opass("bench", "rebench", os.environ["OPASS_REBENCH"], "--part", "memory",
                            "--only", graphs, "--evaluations", "20", "--json", expect=None)
        for suite in result.json()["memory"]:
            self.assertEqual(len(suite["graphs"]), 36)
            for graph in suite["graphs"]:
                self.assertLessEqual(graph["both"]["arena_bytes"],
                                     graph["file order"]["arena_bytes"], graph)
                self.assertTrue(graph["both"]["proven"], graph)

    @unittest.skipUnless(os.environ.get("OPASS_REBENCH"), "OPASS_REBENCH does not name a folder")
    def test_the_graphs_of_the_paper(self):
        folder = pathlib.Path(os.environ["OPASS_REBENCH"])
        report = self.opass("bench", "rebench", folder, "--part", "correct", "--json").json()
        self.assertEqual(len(report["correct"]), 38)
        self.assertEqual(report["missed"], [])


if __name__ == "__main__":
    unittest.main()
