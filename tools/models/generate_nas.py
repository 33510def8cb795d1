"""Writes networks whose cells were found by search: NASNet-A, AmoebaNet-A, PNASNet-5, DARTS.

usage: generate_nas.py [--out DIR] [--list] [--force] [NAME...]

The cells are those of the papers: NASNet-A (Zoph et al., arXiv:1707.07012), AmoebaNet-A (Real et
al., arXiv:1802.01548), PNASNet-5 (Liu et al., arXiv:1712.00559), DARTS, second order (Liu et al.,
arXiv:1806.09055). Stacked as there for CIFAR (32x32) and ImageNet (224x224), batch 1, with batch
normalization folded into the convolutions and seeded random weights. Their irregular wiring is
what makes the order of operators matter.
"""

import collections.abc
import dataclasses
import functools
import sys

import onnx
from model_builder import ModelBuilder, run_generator

# --- the operations of a cell: (builder, input, channels, stride) -> output ---------------------

Operation = collections.abc.Callable[[ModelBuilder, str, int, int], str]


def identity(b: ModelBuilder, x: str, channels: int, stride: int) -> str:
    return x


def separable(kernel: int) -> Operation:
    """Applied twice, the second time without stride."""

    def build(b: ModelBuilder, x: str, channels: int, stride: int) -> str:
        x = b.separable_conv(b.relu(x), channels, kernel, stride)
        return b.separable_conv(b.relu(x), channels, kernel, 1)

    return build


def separable_once(kernel: int) -> Operation:
    """Stands for DARTS's dilated convolution: the same sizes, no dilation."""
    return lambda b, x, channels, stride: b.separable_conv(b.relu(x), channels, kernel, stride)


def pool(op_type: str, kernel: int) -> Operation:
    return lambda b, x, channels, stride: b.pool(op_type, x, kernel, stride)


def factorized(b: ModelBuilder, x: str, channels: int, stride: int) -> str:
    """1x7, then 7x1; only the rows and columns of the first are strided."""
    x = b.conv(x, channels, (1, 7), stride=stride, bias=True)
    return b.conv(x, channels, (7, 1), bias=True)


sep3, sep5, sep7 = separable(3), separable(5), separable(7)
dil3 = separable_once(3)
avg1, avg3, max3 = pool("AveragePool", 1), pool("AveragePool", 3), pool("MaxPool", 3)

# --- the cells ------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Cell:
    """States 0 and 1 are the outputs of the cell before last and of the last one, fitted; each
    block adds a state, the sum of two operations on earlier states. The output concatenates."""

    blocks: tuple[tuple[Operation, int, Operation, int], ...]
    concatenated: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Genotype:
    normal: Cell
    reduction: Cell


PNASNET_CELL = Cell(
    (
        (sep5, 0, max3, 0),
        (sep7, 1, max3, 1),
        (sep5, 1, sep3, 1),
        (sep3, 4, max3, 1),
        (sep3, 0, avg1, 1),
    ),
    (2, 3, 4, 5, 6),
)

GENOTYPES = {
    "nasnet": Genotype(
        Cell(
            (
                (sep5, 1, sep3, 0),
                (sep5, 0, sep3, 0),
                (avg3, 1, identity, 0),
                (avg3, 0, avg3, 0),
                (sep3, 1, identity, 1),
            ),
            (0, 2, 3, 4, 5, 6),
        ),
        Cell(
            (
                (sep5, 1, sep7, 0),
                (max3, 1, sep5, 0),
                (avg3, 1, sep5, 0),
                (identity, 3, avg3, 2),
                (sep3, 2, max3, 1),
            ),
            (3, 4, 5, 6),
        ),
    ),
    "amoebanet": Genotype(
        Cell(
            (
                (avg3, 0, max3, 0),
                (identity, 0, avg3, 1),
                (sep5, 2, sep3, 1),
                (sep3, 2, identity, 1),
                (avg3, 4, sep3, 0),
            ),
            (3, 5, 6),
        ),
        Cell(
            (
                (avg3, 0, sep3, 1),
                (max3, 1, max3, 0),
                (max3, 0, sep7, 2),
                (sep7, 0, avg3, 1),
                (sep3, 3, factorized, 0),
            ),
            (4, 5, 6),
        ),
    ),
    "pnasnet": Genotype(PNASNET_CELL, PNASNET_CELL),
    "darts": Genotype(
        Cell(
            (
                (sep3, 0, sep3, 1),
                (sep3, 0, sep3, 1),
                (sep3, 1, identity, 0),
                (identity, 0, dil3, 2),
            ),
            (2, 3, 4, 5),
        ),
        Cell(
            (
                (max3, 0, max3, 1),
                (identity, 2, max3, 1),
                (max3, 0, identity, 2),
                (identity, 2, max3, 1),
            ),
            (2, 3, 4, 5),
        ),
    ),
}

# --- the networks ---------------------------------------------------------------------------------


def squeeze(b: ModelBuilder, x: str, channels: int) -> str:
    return b.conv(b.relu(x), channels, bias=True)


def factorized_reduction(b: ModelBuilder, x: str, channels: int) -> str:
    """Halves rows and columns: two pointwise paths, one shifted by a pixel, side by side."""
    x = b.relu(x)
    batch, depth, rows, columns = b.shapes[x]
    left = b.conv(b.pool("AveragePool", x, 1, 2), channels // 2)
    padded = b.op(
        "Pad",
        [x, b.integers(0, 0, 0, 0, 0, 0, 1, 1)],
        (batch, depth, rows + 1, columns + 1),
        mode="constant",
    )
    bounds = [b.integers(1, 1), b.integers(rows + 1, columns + 1), b.integers(2, 3)]
    shifted = b.op("Slice", [padded, *bounds], (batch, depth, rows, columns))
    right = b.conv(b.pool("AveragePool", shifted, 1, 2), channels // 2)
    both = b.concat([left, right])
    # Scale, bias, mean and variance.
    return b.op("BatchNormalization", [both] + [b.positive(b.shapes[both][1]) for _ in range(4)])


def fit(b: ModelBuilder, before_last: str | None, last: str, channels: int) -> str:
    """The output of the cell before last in the shape of `last`."""
    if before_last is None:
        return last
    if b.shapes[before_last][2] == b.shapes[last][2]:
        return squeeze(b, before_last, channels)
    return factorized_reduction(b, before_last, channels)


def add_cell(
    b: ModelBuilder, cell: Cell, before_last: str | None, last: str, channels: int, stride: int
) -> str:
    squeezed = squeeze(b, last, channels)
    states = [fit(b, before_last, squeezed, channels), squeezed]
    for left, left_state, right, right_state in cell.blocks:
        # Only what comes from outside the cell is still to be halved.
        left_stride = stride if left_state < 2 else 1
        right_stride = stride if right_state < 2 else 1
        x = left(b, states[left_state], channels, left_stride)
        y = right(b, states[right_state], channels, right_stride)
        states.append(b.add(x, y))
    return b.concat([states[i] for i in cell.concatenated])


def network(genotype: str, dataset: str, repeats: int, channels: float, name: str):
    """`repeats` normal cells between reductions, each of which doubles `channels`."""
    size = 32 if dataset == "cifar" else 224
    b = ModelBuilder(name, {"x": (1, 3, size, size)}, opset=11, ir_version=7)
    last = b.conv("x", 32, 3, stride=1 if dataset == "cifar" else 2, bias=True)
    before_last = None
    normal = "N" * repeats
    plan = normal + "R" + normal + "R" + normal
    if dataset == "imagenet":
        plan = "RR" + plan
    for kind in plan:
        cells = GENOTYPES[genotype]
        if kind == "R":
            channels *= 2
        cell, stride = (cells.normal, 1) if kind == "N" else (cells.reduction, 2)
        before_last, last = last, add_cell(b, cell, before_last, last, int(channels), stride)
    return b.model(b.classifier(b.relu(last), 100 if dataset == "cifar" else 1000))


def recipes() -> dict[str, collections.abc.Callable[[str], onnx.ModelProto]]:
    table = [
        ("nasnet", "cifar", 6, 32),
        ("nasnet", "imagenet", 4, 11),
        ("amoebanet", "cifar", 6, 36),
        ("amoebanet", "imagenet", 4, 12.5),
        ("darts", "cifar", 6, 36),
        ("darts", "imagenet", 4, 12),
        ("pnasnet", "cifar", 3, 32),
        ("nasnet", "cifar", 1, 32),
        ("darts", "cifar", 1, 36),
    ]
    return {
        f"{genotype}_{dataset}_n{repeats}": functools.partial(
            network, genotype, dataset, repeats, channels
        )
        for genotype, dataset, repeats, channels in table
    }


if __name__ == "__main__":
    sys.exit(run_generator(__doc__.splitlines()[0], recipes()))
