"""Builds ONNX models node by node, with shapes known as they grow; what the generators share."""

import argparse
import collections.abc
import math
import os
import pathlib
import sys
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Shape = tuple[int, ...]
SAME = "same"  # pads so that the output has ceil(input / stride) rows and columns


class ModelBuilder:
    """One float32 model in the making. Values are handled by name; `shapes` knows each.

    Weights are drawn from a generator seeded by the model's name: the same model is the same bytes
    in every run, whatever else is built beside it.
    """

    def __init__(self, name: str, inputs: dict[str, Shape], *, opset: int, ir_version: int):
        self.name = name
        self.inputs = inputs
        self.shapes: dict[str, Shape] = dict(inputs)
        self._opset = opset
        self._ir_version = ir_version
        self._random = np.random.default_rng(zlib.crc32(name.encode()))
        self._nodes: list[onnx.NodeProto] = []
        self._initializers: list[onnx.TensorProto] = []

    # --- weights -------------------------------------------------------------------------------

    def constant(self, array: np.ndarray) -> str:
        name = f"weight_{len(self._initializers)}"
        self._initializers.append(numpy_helper.from_array(array, name))
        return name

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def weight(self, *shape: int, fan_in: int) -> str:
        """Scaled so that values neither vanish nor explode over many layers."""
        drawn = self._random.standard_normal(shape) / math.sqrt(fan_in)
        return self.constant(drawn.astype(np.float32))

    def positive(self, *shape: int, scale: float = 1.0) -> str:
        drawn = scale * self._random.uniform(0.5, 1.5, shape)
        return self.constant(drawn.astype(np.float32))

    def bias(self, count: int) -> str:
        return self.constant((0.05 * self._random.standard_normal(count)).astype(np.float32))

    # --- operators -----------------------------------------------------------------------------

    def op(self, op_type: str, inputs: list[str], shape: Shape | None = None, **attributes) -> str:
        """Adds a node and returns its output, shaped like the first input unless told."""
        output = f"{op_type.lower()}_{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(op_type, inputs, [output], name=f"node_{output}", **attributes)
        )
        self.shapes[output] = self.shapes[inputs[0]] if shape is None else tuple(shape)
        return output

    def relu(self, x: str) -> str:
        return self.op("Relu", [x])

    def add(self, left: str, right: str) -> str:
        return self.op("Add", [left, right])

    def concat(self, inputs: list[str], axis: int = 1) -> str:
        shape = list(self.shapes[inputs[0]])
        shape[axis] = sum(self.shapes[x][axis] for x in inputs)
        return self.op("Concat", inputs, tuple(shape), axis=axis)

    def conv(
        self,
        x: str,
        channels: int,
        kernel: int | tuple[int, int] = 1,
        *,
        stride: int = 1,
        pad: int | str = SAME,
        group: int = 1,
        bias: bool = False,
    ) -> str:
        depth = self.shapes[x][1] // group
        size = (kernel, kernel) if isinstance(kernel, int) else kernel
        shape, window = self._window(x, channels, size, stride, pad)
        inputs = [x, self.weight(channels, depth, *size, fan_in=depth * size[0] * size[1])]
        if bias:
            inputs.append(self.bias(channels))
        return self.op("Conv", inputs, shape, group=group, **window)

    def pool(self, op_type: str, x: str, kernel: int, stride: int) -> str:
        shape, window = self._window(x, self.shapes[x][1], (kernel, kernel), stride, SAME)
        return self.op(op_type, [x], shape, **window)

    def separable_conv(self, x: str, channels: int, kernel: int, stride: int) -> str:
        """A depthwise convolution, then a pointwise one."""
        depth = self.shapes[x][1]
        y = self.conv(x, depth, kernel, stride=stride, group=depth)
        return self.conv(y, channels, bias=True)

    def classifier(self, x: str, classes: int) -> str:
        batch, channels = self.shapes[x][:2]
        y = self.op("ReduceMean", [x], (batch, channels), axes=[2, 3], keepdims=0)
        weights = self.weight(channels, classes, fan_in=channels)
        y = self.op("MatMul", [y, weights], (batch, classes))
        return self.op("Add", [y, self.bias(classes)])

    def _window(
        self, x: str, channels: int, kernel: tuple[int, int], stride: int, pad: int | str
    ) -> tuple[Shape, dict[str, list[int]]]:
        """Output shape and attributes of an operator that slides a window over an NCHW value."""
        batch, _, *sizes = self.shapes[x]
        out_sizes, before, after = [], [], []
        for size, extent in zip(sizes, kernel, strict=True):
            if pad == SAME:
                out_size = -(-size // stride)
                total = max((out_size - 1) * stride + extent - size, 0)
                before.append(total // 2)
                after.append(total - total // 2)
            else:
                out_size = (size + 2 * pad - extent) // stride + 1
                before.append(pad)
                after.append(pad)
            out_sizes.append(out_size)
        window = {"kernel_shape": list(kernel), "strides": [stride] * 2, "pads": before + after}
        return (batch, channels, *out_sizes), window

    # --- the model -----------------------------------------------------------------------------

    def model(self, output: str) -> onnx.ModelProto:
        """The checked model; ONNX's shape inference must agree with every shape told here."""
        graph = helper.make_graph(
            self._nodes,
            self.name,
            [self._value_info(name) for name in self.inputs],
            [self._value_info(output)],
            self._initializers,
        )
        model = helper.make_model(
            graph,
            producer_name="opass models",
            opset_imports=[helper.make_opsetid("", self._opset)],
            ir_version=self._ir_version,
        )
        model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        onnx.checker.check_model(model)
        for value in model.graph.value_info:
            inferred = tuple(dim.dim_value for dim in value.type.tensor_type.shape.dim)
            if inferred != self.shapes[value.name]:
                told = self.shapes[value.name]
                raise AssertionError(f"{self.name}: {value.name} is {inferred}, not {told}")
        return model

    def _value_info(self, name: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shapes[name])


Recipe = collections.abc.Callable[[str], onnx.ModelProto]


def write_model(model: onnx.ModelProto, path: pathlib.Path) -> None:
    """A reader sees the whole model or none."""
    part = path.with_suffix(".part")
    part.write_bytes(model.SerializeToString(deterministic=True))
    os.replace(part, path)


def run_generator(description: str, recipes: dict[str, Recipe]) -> int:
    """The command line of a generator: writes the named models, or all, unless they are there."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help="models to write (all)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--force", action="store_true", help="write even what is there")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(recipes))
        return 0
    if unknown := sorted(set(arguments.names) - recipes.keys()):
        parser.error(f"no model named {', '.join(unknown)} (see --list)")
    arguments.out.mkdir(parents=True, exist_ok=True)
    # A model older than the code that makes it is made again.
    newest_code = max(p.stat().st_mtime for p in pathlib.Path(__file__).parent.glob("*.py"))
    for name in arguments.names or recipes:
        path = arguments.out / f"{name}.onnx"
        if not arguments.force and path.exists() and path.stat().st_mtime > newest_code:
            continue
        model = recipes[name](name)
        write_model(model, path)
        print(f"generated {path}  {len(model.graph.node)} nodes", file=sys.stderr)
    return 0
