"""Writes small models on which one rewrite gains nothing until another follows, and MobileNetV2.

usage: generate_lookahead.py [--out DIR] [--list] [--force] [NAME...]

Each function tells the step that gains nothing and the one it enables. Peaks are in KiB.
"""

import collections.abc
import functools
import sys

import numpy as np
import onnx
from model_builder import ModelBuilder, Shape, run_generator


def builder(name: str, **inputs: Shape) -> ModelBuilder:
    return ModelBuilder(name, inputs, opset=17, ir_version=8)


def doubled(b: ModelBuilder, x: str) -> str:
    """Twice the rows and columns, nearest neighbour."""
    batch, channels, rows, columns = b.shapes[x]
    scales = b.constant(np.array([1, 1, 2, 2], np.float32))
    return b.op(
        "Resize",
        [x, "", scales],
        (batch, channels, 2 * rows, 2 * columns),
        mode="nearest",
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


def mean_pixel(b: ModelBuilder, x: str) -> str:
    return b.op("GlobalAveragePool", [x], (*b.shapes[x][:2], 1, 1))


def concat_conv(name: str) -> onnx.ModelProto:
    """Concat moves behind Relu (0); then the convolution splits over it: 2176 to 1280."""
    b = builder(name, x=(1, 8, 64, 64))
    left = b.op("Sigmoid", [b.conv("x", 64, 3, pad=1)])
    right = b.op("Tanh", [b.conv("x", 64, 3, pad=1)])
    return b.model(b.conv(b.relu(b.concat([left, right])), 8))


def transposes(name: str) -> onnx.ModelProto:
    """A Transpose moves below Sigmoid (0); then the pair cancels: 1024 to 512."""
    b = builder(name, x=(1, 64, 64, 32))
    y = b.relu(b.add("x", b.constant(np.array(0.5, np.float32))))
    y = b.op("Transpose", [y], (1, 32, 64, 64), perm=[0, 3, 1, 2])
    y = b.op("Transpose", [b.op("Sigmoid", [y])], (1, 64, 64, 32), perm=[0, 2, 3, 1])
    return b.model(b.op("ReduceMean", [b.relu(y)], (1, 1, 1, 32), axes=[1, 2]))


def gated_block(name: str) -> onnx.ModelProto:
    """The pool moves above the pointwise convolution (0); then channels split: 2048 to 512.

    Who first takes the bait of x + x * s = x * (1 + s) stops at 1152."""
    b = builder(name, x=(1, 8, 64, 64))
    x = b.conv(b.relu(b.conv("x", 8, 3, pad=1)), 64)
    gate = b.op("Sigmoid", [b.conv(mean_pixel(b, x), 64)])
    return b.model(b.conv(b.add(x, b.op("Mul", [x, gate])), 8))


def two_peaks(name: str) -> onnx.ModelProto:
    """Splitting one of two equal blocks gains nothing; both: 1152 to 512."""
    b = builder(name, x=(1, 8, 64, 64))
    x = "x"
    for _ in range(2):
        x = b.conv(b.relu(b.conv(x, 64)), 8)
    return b.model(x)


def long_skip(name: str) -> onnx.ModelProto:
    """Resize computed again for its late reader; in file order 1792."""
    b = builder(name, x=(1, 16, 32, 32))
    skip = doubled(b, b.relu("x"))
    x = b.relu(b.conv(skip, 48, 3, pad=1))
    x = b.conv(b.conv(x, 48, 3, pad=1), 4, 3, pad=1)
    return b.model(b.conv(b.concat([skip, x]), 4))


def relu_pool(name: str) -> onnx.ModelProto:
    """Relu sinks below MaxPool, while the convolution has a second reader."""
    b = builder(name, x=(1, 8, 64, 64))
    x = b.conv("x", 32, 3, pad=1)
    y = b.op("MaxPool", [b.relu(x)], (1, 32, 32, 32), kernel_shape=[2, 2], strides=[2, 2])
    gate = b.op("Sigmoid", [mean_pixel(b, x)])
    return b.model(b.conv(b.op("Mul", [y, gate]), 8))


def reassociate(name: str) -> onnx.ModelProto:
    """Transpose folds into MatMul; then (A B^T) v becomes A (B^T v): 324 to 100, MACs / 36."""
    b = builder(name, a=(256, 32), b=(256, 32), v=(256, 4))
    square = b.op("MatMul", ["a", b.op("Transpose", ["b"], (32, 256), perm=[1, 0])], (256, 256))
    return b.model(b.op("MatMul", [square, "v"], (256, 4)))


def cse_hurts(name: str) -> onnx.ModelProto:
    """Merging the two equal Resize raises the peak: 2176 to 2368."""
    b = builder(name, x=(1, 4, 64, 64))
    y = b.conv(doubled(b, "x"), 4, 3, stride=2, pad=1)
    y = b.conv(b.relu(b.conv(y, 128, 3, pad=1)), 4, 3, pad=1)
    return b.model(b.conv(b.add(doubled(b, "x"), doubled(b, y)), 2))


# MobileNetV2 (Sandler et al., arXiv:1801.04381), table 2: expansion, channels, repeats, stride.
MOBILENET_BLOCKS = [
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]


def mobilenet_v2(resolution: int, name: str) -> onnx.ModelProto:
    """Width 1.0, batch normalization kept as nodes, as exporters leave it in training mode."""
    b = ModelBuilder(name, {"x": (1, 3, resolution, resolution)}, opset=13, ir_version=8)
    zero, six = (b.constant(np.array(limit, np.float32)) for limit in (0, 6))

    def unit(x: str, channels: int, kernel: int, stride: int, group: int, clip: bool = True) -> str:
        pad = (kernel - 1) // 2
        y = b.conv(x, channels, kernel, stride=stride, pad=pad, group=group)
        statistics = [b.positive, b.bias, b.bias, b.positive]  # scale, bias, mean, variance
        normal = [y] + [draw(channels) for draw in statistics]
        y = b.op("BatchNormalization", normal, epsilon=1e-5)
        return b.op("Clip", [y, zero, six]) if clip else y

    x = unit("x", 32, 3, 2, 1)
    for expansion, channels, repeats, first_stride in MOBILENET_BLOCKS:
        for repeat in range(repeats):
            stride = 1 if repeat else first_stride
            depth = b.shapes[x][1]
            y = unit(x, depth * expansion, 1, 1, 1) if expansion > 1 else x
            y = unit(y, depth * expansion, 3, stride, depth * expansion)
            y = unit(y, channels, 1, 1, 1, clip=False)
            x = b.add(x, y) if repeat and depth == channels else y
    x = b.op("Flatten", [mean_pixel(b, unit(x, 1280, 1, 1, 1))], (1, 1280), axis=1)
    weights = b.weight(1280, 1000, fan_in=1280)
    return b.model(b.op("Gemm", [x, weights, b.bias(1000)], (1, 1000)))


def recipes() -> dict[str, collections.abc.Callable[[str], onnx.ModelProto]]:
    return {
        "l1_concat_conv": concat_conv,
        "l2_transposes": transposes,
        "l3_gated_block": gated_block,
        "l4_two_peaks": two_peaks,
        "l5_long_skip": long_skip,
        "l6_relu_pool": relu_pool,
        "l7_reassociate": reassociate,
        "l8_cse_hurts": cse_hurts,
        "mbv2_144": functools.partial(mobilenet_v2, 144),
        "mbv2_224": functools.partial(mobilenet_v2, 224),
    }


if __name__ == "__main__":
    sys.exit(run_generator(__doc__.splitlines()[0], recipes()))
