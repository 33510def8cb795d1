"""Models of every kind that the ONNX standard knows."""

import json
import unittest

import models
import numpy as np
import onnx
from models import of_opset, parse
from onnx import TensorProto, helper, numpy_helper
from tool import INVALID, ToolTest

FLOAT = TensorProto.FLOAT


def graph_of(nodes, inputs, outputs, initializers=(), **options) -> onnx.ModelProto:
    def infos(entries):
        return [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in entries]

    graph = helper.make_graph(nodes, "g", infos(inputs), infos(outputs), list(initializers))
    options.setdefault("opset_imports", [helper.make_opsetid("", models.OPSET)])
    options.setdefault("ir_version", 10)
    return helper.make_model(graph, **options)


class ImportTest(ToolTest):
    def works(self, model: onnx.ModelProto, *args):
        report, written = self.optimize(model, *args)
        self.assert_verified(report)
        self.opass("check", "out.onnx", "out.plan.json")
        return report, written

    def plan(self) -> dict:
        return json.loads((self.folder / "out.plan.json").read_text())


class StructureTest(ImportTest):
    def test_ir_version_3_lists_initializers_as_inputs(self):
        model = of_opset("g (float[2] x, float[2] w) => (float[2] y) { y = Add(x, w) }", 7, 3)
        model.graph.initializer.append(numpy_helper.from_array(np.ones(2, np.float32), "w"))
        _, written = self.works(model)
        self.assertIn("w", [tensor.name for tensor in written.graph.initializer])

    def test_overridable_initializers_stay_inputs(self):
        model = parse("g (float[2] x, float[2] w) => (float[2] y) { a = Neg(w)  y = Add(x, a) }")
        model.graph.initializer.append(numpy_helper.from_array(np.ones(2, np.float32), "w"))
        _, written = self.works(model)
        self.assertEqual([value.name for value in written.graph.input], ["x", "w"])
        self.assertEqual([node.op_type for node in written.graph.node], ["Neg", "Add"])

    def test_nodes_in_any_order(self):
        model = models.conv()
        nodes = list(model.graph.node)
        del model.graph.node[:]
        model.graph.node.extend(reversed(nodes))
        self.works(model)

    def test_names_missing_and_repeated(self):
        model = parse("""g (float[4] x) => (float[4] y) {
          [n] a = Abs(x)  [n] b = Neg(a)  c = Exp(b)  d = Exp(c)  [] y = Tanh(d) }""")
        for node in model.graph.node[2:]:
            node.ClearField("name")
        _, written = self.works(model)
        names = [node.name for node in written.graph.node]
        self.assertEqual(len(set(names)), 5)
        self.assertNotIn("", names)
        self.assertEqual(self.plan()["order"], names)

    def test_names_of_any_characters(self):
        names = ["a:0", "b/c/d", 'quo"te', "back\\slash", "new\nline", "ü→日本", "a=b", " ", "%s{}"]
        nodes = [helper.make_node("Neg", [one], [other], name=f"n {other}")
                 for one, other in zip(names, names[1:])]
        model = graph_of(nodes, [(names[0], FLOAT, [2])], [(names[-1], FLOAT, [2])])
        _, written = self.works(model)
        self.assertEqual({buffer["value"] for buffer in self.plan()["buffers"]}, set(names))
        self.opass("optimize", "m.onnx", "-o", "out.onnx", "--emit", "csv=b.csv", "--emit",
                   "c-header=h.h", "--emit", "problem=p.json", "--no-verify")
        self.opass("check", "p.json", "out.plan.json")

    def test_local_functions_are_inlined(self):
        model = parse("""g (float[2] x) => (float[2] y) { a = local.Twice(x)  y = local.Twice(a) }
          <domain: "local", opset_import: ["": 21]> Twice (p) => (q) { q = Add(p, p) }""",
                      '<ir_version: 10, opset_import: ["": 21, "local": 1]>')
        _, written = self.works(model)
        self.assertEqual([node.op_type for node in written.graph.node], ["Add", "Add"])
        self.assertEqual(len(written.functions), 0)

    def test_functions_that_call_functions_with_attributes(self):
        model = parse("""g (float[4] x) => (float[4] y) { y = local.Outer<s = 0.25>(x) }
          <domain: "local", opset_import: ["": 21, "local": 1]>
          Outer <s> (p) => (q) { q = local.Inner<alpha: float = @s>(p) }
          <domain: "local", opset_import: ["": 21]>
          Inner <alpha> (p) => (q) { q = LeakyRelu<alpha: float = @alpha>(p) }""",
                      '<ir_version: 10, opset_import: ["": 21, "local": 1]>')
        _, written = self.works(model)
        self.assertEqual([node.op_type for node in written.graph.node], ["LeakyRelu"])
        self.assertEqual(written.graph.node[0].attribute[0].f, 0.25)

    def test_if_with_captured_values(self):
        self.works(parse("""g (bool c, float[64] x) => (float[64] y) {
          a = Exp(x)
          b = If (c) <then_branch = t () => (float[64] o) { n = Neg(a)  o = Abs(n) },
                      else_branch = e () => (float[64] o) { o = Identity(x) }>
          y = Add(a, b) }"""))

    def test_loop_with_captured_values(self):
        self.works(parse("""g (float[8] x) => (float[8] y) <int64 n = {5}, bool k = {1}> {
          w = Exp(x)
          y = Loop (n, k, x) <body = b (int64 i, bool c, float[8] v) => (bool d, float[8] u) {
            d = Identity(c)  s = Add(v, w)  u = Tanh(s) }> }"""))

    def test_scan_with_captured_values(self):
        self.works(parse("""g (float[3] s0, float[5,3] x) => (float[3] s, float[5,3] y) {
          w = Exp(s0)
          s, y = Scan <num_scan_inputs = 1, body = b (float[3] p, float[3] e) =>
            (float[3] q, float[3] o) { t = Add(p, e)  q = Mul(t, w)  o = Neg(q) }> (s0, x) }"""))

    def test_sequences_and_optionals_inside(self):
        report, _ = self.optimize(parse("""g (float[2,3] x) => (float[4,3] y) {
          s = SequenceConstruct(x, x)  y = ConcatFromSequence<axis = 0>(s) }"""))
        self.assertIn("s", report["unplanned_values"])

    def test_sequence_inputs_cannot_be_verified(self):
        sequence = helper.make_tensor_sequence_value_info("s", FLOAT, [2, 3])
        model = graph_of([helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)], [],
                         [("y", FLOAT, None)])
        model.graph.input.append(sequence)
        self.save(model)
        result = self.opass("optimize", "m.onnx", "-o", "o.onnx", "--json", expect=None)
        self.assertIn(result.code, (0, INVALID), result.stderr)
        if result.code == 0:
            self.assert_unknown(result.json())

    def test_constant_nodes_of_every_form(self):
        self.works(parse("""g (float[2] x) => (float[2] y) {
          a = Constant<value = float[2] {1.5, -2.0}>()  b = Constant<value_float = 3.0>()
          c = Constant<value_ints = [2]>()  d = Constant<value_int = 1>()
          e = Constant<value_floats = [1.0, 2.0]>()
          p = Add(x, a)  q = Mul(p, b)  r = Reshape(q, c)  y = Add(r, e) }"""))

    def test_sparse_initializers(self):
        model = parse("g (float[4] x) => (float[4] y) { y = Add(x, w) }")
        sparse = model.graph.sparse_initializer.add()
        sparse.values.CopyFrom(numpy_helper.from_array(np.array([5, 7], np.float32), "w"))
        sparse.indices.CopyFrom(numpy_helper.from_array(np.array([1, 3], np.int64), "i"))
        sparse.dims.append(4)
        report, _ = self.optimize(model)
        self.assert_verified(report)
        np.save(self.folder / "x.npy", np.zeros(4, np.float32))
        self.opass("run", "out.onnx", "--plan", "out.plan.json", "--input", "x=x.npy", "--output",
                   "y=y.npy")
        self.assertEqual(np.load(self.folder / "y.npy").tolist(), [0, 5, 0, 7])

    def test_optional_inputs_and_outputs_left_out(self):
        self.works(parse("""g (float[4] x) => (float[4] y) <float hi = {0.5}> {
          a = Clip(x, "", hi)  y, "" = Dropout(a) }"""), "--disable", "eliminate_identity")

    def test_data_dependent_shapes_are_not_planned(self):
        report, _ = self.optimize(parse("""g (float[8] x) => (float[8] y, int64[1,N] i) {
          a = Relu(x)  i = NonZero(a)  y = Neg(a) }"""))
        self.assertEqual(report["unplanned_values"], ["i"])
        values = {buffer["value"] for buffer in self.plan()["buffers"]}
        self.assertEqual(values, {"x", "a", "y"})
        self.assertIn("verified", report)

    def test_an_input_as_output(self):
        self.works(parse("g (float[8] x) => (float[8] x, float[8] y) { y = Neg(x) }"))

    def test_nothing_but_an_input_as_output(self):
        self.works(parse("g (float[8] x) => (float[8] x) { }"))

    def test_a_constant_as_output(self):
        _, written = self.works(parse("""g (float[2] x) => (float[2] y, float[2] k)
          <float[2] k = {1, 2}> { y = Neg(x) }"""))
        self.assertEqual([value.name for value in written.graph.output], ["y", "k"])

    def test_everything_is_constant(self):
        _, written = self.works(parse("""g () => (float[2] y) <float[2] k = {1, 2}> {
          a = Neg(k)  y = Exp(a) }"""))
        self.assertEqual([value.name for value in written.graph.output], ["y"])

    def test_one_value_twice_as_output(self):
        self.save(parse("g (float[2] x) => (float[2] y, float[2] y) { y = Neg(x) }"))
        result = self.opass("optimize", "m.onnx", "-o", "o.onnx", "--json", expect=None)
        self.assertIn(result.code, (0, INVALID))

    def test_a_value_read_twice_by_one_node(self):
        self.works(parse("g (float[2] x) => (float[2] y) { a = Exp(x)  y = Mul(a, a) }"))

    def test_values_that_nobody_reads(self):
        _, written = self.works(parse("""g (float[2,8] x, float[3] unused) => (float[2,4] y) {
          d = Exp(x)  y, z = Split<axis = 1, num_outputs = 2>(x) }"""))
        self.assertEqual([value.name for value in written.graph.input], ["x", "unused"])

    def test_texts_are_kept(self):
        model = models.conv()
        model.doc_string, model.producer_name, model.producer_version = "about", "me", "9"
        model.domain, model.model_version = "example", 77
        model.graph.doc_string, model.graph.name = "the graph", "the name"
        model.graph.node[0].doc_string = "the node"
        model.graph.input[0].doc_string = "the input"
        entry = model.metadata_props.add()
        entry.key, entry.value = "key", "value"
        _, written = self.works(model)
        for field in ("doc_string", "producer_name", "producer_version", "domain",
                      "model_version"):
            self.assertEqual(getattr(written, field), getattr(model, field), field)
        self.assertEqual(written.graph.name, "the name")
        self.assertEqual(written.graph.doc_string, "the graph")
        nodes = {node.name: node for node in written.graph.node}
        self.assertEqual(nodes["conv_1"].doc_string, "the node")
        self.assertEqual(written.graph.input[0].doc_string, "the input")
        self.assertEqual({entry.key: entry.value for entry in written.metadata_props},
                         {"key": "value"})
        self.assertEqual(list(written.opset_import), list(model.opset_import))

    def test_scalars_and_empty_tensors(self):
        self.works(parse("g (float x) => (float y) { a = Exp(x)  y = Neg(a) }"))
        self.works(parse("""g (float[0,4] x, float[2,4] z) => (float[2,4] y) {
          a = Neg(x)  y = Concat<axis = 0>(a, z) }"""))
        sizes = {buffer["value"]: buffer["size"] for buffer in self.plan()["buffers"]}
        self.assertEqual(sizes["x"], 0)


class UnknownTest(ImportTest):
    """What cannot be executed is kept, and verified is null with the reason."""

    def test_operators_of_unknown_domains(self):
        model = parse("""g (float[4] x) => (float[4] y) {
          a = Exp(x)  b = com.example.Thing<level = 3, words = ["p", "q"]>(a)  y = Neg(b) }""",
                      '<ir_version: 10, opset_import: ["": 21, "com.example": 3]>')
        model.graph.value_info.append(helper.make_tensor_value_info("b", FLOAT, [4]))
        report, written = self.optimize(model)
        self.assert_unknown(report)
        kept = [node for node in written.graph.node if node.op_type == "Thing"]
        self.assertEqual(kept[0].domain, "com.example")
        self.assertEqual({attribute.name for attribute in kept[0].attribute}, {"level", "words"})
        self.assertEqual({entry.domain: entry.version for entry in written.opset_import},
                         {"": 21, "com.example": 3})
        self.opass("check", "out.onnx", "out.plan.json")

    def test_unknown_domains_without_shapes(self):
        report, _ = self.optimize(parse(
            "g (float[4] x) => (float[4] y) { a = com.example.Thing(x)  y = Neg(a) }",
            '<ir_version: 10, opset_import: ["": 21, "com.example": 3]>'))
        self.assert_unknown(report)
        self.assertIn("a", report["unplanned_values"])

    def test_random_operators(self):
        for text in ("r = RandomNormalLike(x)", "r = RandomUniform<shape = [4]>()",
                     "r = Bernoulli(x)"):
            report, written = self.optimize(parse(
                f"g (float[4] x) => (float[4] y) {{ {text}  y = Add(x, r) }}"))
            self.assert_unknown(report)
            self.assertEqual(len(written.graph.node), 2)


class DataTypesTest(ImportTest):
    # Element types by the bits that one takes, out of the standard's own table.
    NUMBERS = ("FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8",
               "UINT16", "UINT32", "UINT64", "BOOL", "COMPLEX64", "COMPLEX128")
    SMALL = tuple(name for name in TensorProto.DataType.keys()
                  if name.startswith(("FLOAT8", "FLOAT4", "INT4", "UINT4", "INT2", "UINT2")))

    @staticmethod
    def tensor(name: str, label: str, dims=(3, 3)) -> TensorProto:
        kind = TensorProto.DataType.Value(name)
        dtype = helper.tensor_dtype_to_np_dtype(kind)
        count = int(np.prod(dims))
        if name == "STRING":
            return helper.make_tensor(label, kind, dims, [f"s{i}" for i in range(count)])
        values = (np.arange(count) % 2).astype(dtype).reshape(dims)
        return numpy_helper.from_array(values, label)

    def model(self, name: str, opset: int) -> onnx.ModelProto:
        kind = TensorProto.DataType.Value(name)
        return graph_of(
            [helper.make_node("Identity", ["w"], ["a"], "n1"),
             helper.make_node("Identity", ["x"], ["b"], "n2")],
            [("x", kind, [3, 3])], [("a", kind, [3, 3]), ("b", kind, [3, 3])],
            [self.tensor(name, "w")], opset_imports=[helper.make_opsetid("", opset)],
            ir_version=onnx.helper.find_min_ir_version_for([helper.make_opsetid("", opset)]))

    @staticmethod
    def same(a: np.ndarray, b: np.ndarray) -> bool:
        """Bit by bit: a type without a zero holds NaN in its place."""
        return a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()

    def kept(self, written: onnx.ModelProto, name: str) -> None:
        original = numpy_helper.to_array(self.tensor(name, "w"))
        tensors = list(written.graph.initializer)
        for node in written.graph.node:
            tensors += [entry.t for entry in node.attribute if entry.name == "value"]
        kept = [numpy_helper.to_array(t) for t in tensors]
        self.assertTrue(any(t.dtype == original.dtype and t.shape == original.shape and
                            self.same(t, original) for t in kept), name)

    def test_numbers(self):
        for name in self.NUMBERS:
            with self.subTest(name):
                report, written = self.optimize(self.model(name, 21))
                self.assertIn(report["verified"], (True, None))
                if not name.startswith(("BFLOAT16", "COMPLEX")):
                    self.assert_verified(report)
                self.kept(written, name)
                size = np.dtype(helper.tensor_dtype_to_np_dtype(
                    TensorProto.DataType.Value(name))).itemsize * 9
                sizes = {b["value"]: b["size"] for b in self.plan()["buffers"]}
                self.assertEqual(sizes["x"], -(-size // 64) * 64)

    def test_small_types_are_packed(self):
        opset = onnx.defs.onnx_opset_version()
        for name in self.SMALL:
            with self.subTest(name):
                report, written = self.optimize(self.model(name, opset), "--alignment", 1)
                self.assertIn(report["verified"], (True, None))
                if report["verified"] is None:
                    self.assertTrue(report["verified_reason"])
                self.kept(written, name)
                bits = 8 if "8" in name else 4 if "4" in name else 2
                sizes = {b["value"]: b["size"] for b in self.plan()["buffers"]}
                self.assertEqual(sizes["x"], -(-9 * bits // 8))

    def test_strings_are_not_planned(self):
        report, written = self.optimize(self.model("STRING", 21))
        self.assertIn(report["verified"], (True, None))
        self.assertIn("x", report["unplanned_values"])
        self.kept(written, "STRING")

    def test_values_in_typed_fields(self):
        model = parse("""g (float[2] x) => (float[2] y) <float[2] f = {1, 2}, int64[1] n = {2},
          int32[2] i = {3, 4}> { c = Cast<to = 1>(i)  a = Add(x, f)  b = Add(a, c)
          y = Reshape(b, n) }""")
        self.assertFalse(any(t.HasField("raw_data") for t in model.graph.initializer))
        self.works(model)


class OpsetTest(ImportTest):
    def test_every_opset_from_7(self):
        for opset in range(7, onnx.defs.onnx_opset_version() + 1):
            with self.subTest(opset):
                ir_version = helper.find_min_ir_version_for([helper.make_opsetid("", opset)])
                report, _ = self.optimize(of_opset(
                    "g (float[2,4] x) => (float[2,4] y) { a = Relu(x)  b = Add(a, x)  y = Exp(b) }",
                    opset, ir_version))
                self.assertIn(report["verified"], (True, None))
                if opset <= 23:
                    self.assert_verified(report)
                    self.assertEqual(report["opset"], opset)

    def test_opsets_below_7(self):
        for opset in range(1, 7):
            with self.subTest(opset):
                report, written = self.optimize(of_opset(
                    f"""g (float[2,4] x, float[4] k) => (float[2,4] y) {{
                      a = Neg(x)  b = Add<broadcast = 1>(a, k)  y = Relu(b) }}""", opset, 3))
                self.assertEqual(report["input_opset"], opset)
                if report["opset"] < 7:  # shapes that ONNX does not infer stop the converter
                    self.assertLess(opset, 6)
                    self.assert_unknown(report)
                else:
                    self.assert_verified(report)

    def test_the_domain_may_be_spelled_out(self):
        model = models.conv()
        model.opset_import[0].domain = "ai.onnx"
        self.works(model)

    def test_machine_learning_operators(self):
        report, _ = self.optimize(parse(
            """g (float[2,3] x) => (float[2,3] y) {
              y = ai.onnx.ml.Scaler<offset = [1.0, 2.0, 3.0], scale = [2.0, 2.0, 2.0]>(x) }""",
            '<ir_version: 10, opset_import: ["": 21, "ai.onnx.ml": 3]>'))
        self.assert_verified(report)

    def test_operators_of_the_runtime(self):
        report, _ = self.optimize(parse(
            "g (float[2,3] x) => (float[2,3] y) { y = com.microsoft.Gelu(x) }",
            '<ir_version: 10, opset_import: ["": 21, "com.microsoft": 1]>'))
        self.assertIn(report["verified"], (True, None))


if __name__ == "__main__":
    unittest.main()
