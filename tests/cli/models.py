"""Small models, built where they are needed: none are kept as files."""

import numpy as np
import onnx
import onnx.parser
from onnx import TensorProto, helper, numpy_helper

OPSET = 21
HEAD = f'<ir_version: 10, opset_import: ["": {OPSET}]>'


def parse(graph: str, head: str = HEAD) -> onnx.ModelProto:
    """A model from ONNX's text form; `graph` may be followed by functions."""
    return onnx.parser.parse_model(f"{head} {graph}")


def of_opset(graph: str, opset: int, ir_version: int = 10) -> onnx.ModelProto:
    return parse(graph, f'<ir_version: {ir_version}, opset_import: ["": {opset}]>')


def chain() -> onnx.ModelProto:
    return parse("g (float[1,8] x) => (float[1,8] y) { a = Exp(x)  b = Neg(a)  y = Tanh(b) }")


def branches() -> onnx.ModelProto:
    """Widens before it narrows; the file's order holds all three wide values at once."""
    return parse("""g (float[1,64] x) => (float[1,64] y) {
      [wide_1] a = Concat<axis = 1>(x, x, x, x)
      [wide_2] b = Concat<axis = 1>(x, x, x, x)
      [wide_3] c = Concat<axis = 1>(x, x, x, x)
      [sum_1] p = ReduceSum<keepdims = 1>(a)
      [sum_2] q = ReduceSum<keepdims = 1>(b)
      [sum_3] r = ReduceSum<keepdims = 1>(c)
      [pq] s = Add(p, q)  [pqr] t = Add(s, r)  [out] y = Mul(x, t) }""")


def weighted(size: int = 64) -> onnx.ModelProto:
    """MatMul and Add with weights of size * size floats."""
    random = np.random.default_rng(1)
    model = parse(f"""g (float[1,{size}] x) => (float[1,{size}] y)
      {{ [mm] h = MatMul(x, w)  [add] s = Add(h, b)  [relu] y = Relu(s) }}""")
    for name, shape in (("w", (size, size)), ("b", (size,))):
        array = random.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    return model


def conv() -> onnx.ModelProto:
    """Convolutions with branches, BatchNormalization and pooling."""
    random = np.random.default_rng(2)
    model = parse("""g (float[1,3,16,16] x) => (float[1,10] y) {
      [conv_1] a = Conv<pads = [1,1,1,1]>(x, w1)  [relu_1] b = Relu(a)
      [conv_2] c = Conv<pads = [1,1,1,1]>(b, w2)  [relu_2] d = Relu(c)
      [cat] e = Concat<axis = 1>(b, d)  [pool] f = MaxPool<kernel_shape = [2,2], strides = [2,2]>(e)
      [global] g = GlobalAveragePool(f)  [flat] h = Flatten(g)  [fc] y = Gemm(h, w3) }""")
    for name, shape in (("w1", (8, 3, 3, 3)), ("w2", (8, 8, 3, 3)), ("w3", (16, 10))):
        array = random.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    return model


def long_running(layers: int = 12, size: int = 512) -> onnx.ModelProto:
    """Many multiplications by one weight: seconds of work in a file of 1 MB."""
    weight = np.full((size, size), 1 / size, np.float32)
    nodes = [helper.make_node("MatMul", [f"v{i}", "w"], [f"v{i + 1}"], f"mm_{i}")
             for i in range(layers)]
    shape = [size, size]
    graph = helper.make_graph(
        nodes, "long", [helper.make_tensor_value_info("v0", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(f"v{layers}", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(weight, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)


def make_external(model: onnx.ModelProto, folder, location: str = "weights.bin") -> None:
    """Moves all weights into folder/location and saves the model as folder/m.onnx."""
    onnx.save_model(model, str(folder / "m.onnx"), save_as_external_data=True,
                    all_tensors_to_one_file=True, location=location, size_threshold=0)


def nest_ifs(depth: int) -> onnx.ModelProto:
    """An If inside an If inside an If, `depth` deep."""
    out = helper.make_tensor_value_info("o", TensorProto.FLOAT, [2])
    graph = helper.make_graph([helper.make_node("Neg", ["x"], ["o"])], "leaf", [], [out])
    for level in range(depth):
        name = f"o{level}"
        other = helper.make_graph([helper.make_node("Exp", ["x"], ["e"])], "other", [],
                                  [helper.make_tensor_value_info("e", TensorProto.FLOAT, [2])])
        node = helper.make_node("If", ["c"], [name], then_branch=graph, else_branch=other)
        graph = helper.make_graph([node], f"level{level}", [],
                                  [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])])
    graph.input.extend([helper.make_tensor_value_info("c", TensorProto.BOOL, []),
                        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
