"""Writes randomly wired networks, and single cells of them.

usage: generate_randwire.py [--out DIR] [--list] [--force] [NAME...]

The wiring is that of RandWire (Xie et al., arXiv:1904.01569): a Watts-Strogatz graph of n nodes,
4 neighbours, rewired with probability 0.75, directed from the lower number to the higher. Each
node joins its inputs by a learned weighted sum, in one of two forms that are common in exported
models: `sum` (Mul and Add chains) or `stack` (Unsqueeze, Concat, MatMul, Squeeze).

randwire_FORM_sSEED_nNODES_xSTAGES    whole networks for 224x224
rwcell_FORM_nNODES_sSEED              a cell alone at 32x32, so that nothing but it sets the peak
"""

import collections.abc
import dataclasses
import functools
import sys

import numpy as np
import onnx
from model_builder import ModelBuilder, run_generator

NEIGHBOURS = 4
REWIRED = 0.75


def watts_strogatz(count: int, random: np.random.Generator) -> list[list[int]]:
    """The predecessors of each node, ascending."""
    joined = np.zeros((count, count), bool)
    for distance in range(1, NEIGHBOURS // 2 + 1):
        for node in range(count):
            other = (node + distance) % count
            joined[node, other] = joined[other, node] = True
    for distance in range(1, NEIGHBOURS // 2 + 1):
        for node in range(count):
            other = (node + distance) % count
            # Drawn even where the edge is gone: the seeds name known graphs.
            if random.random() < REWIRED and joined[node, other]:
                free = [n for n in range(count) if n != node and not joined[node, n]]
                target = free[random.integers(len(free))]
                joined[node, other] = joined[other, node] = False
                joined[node, target] = joined[target, node] = True
    return [[before for before in range(node) if joined[before, node]] for node in range(count)]


def stacked_sum(b: ModelBuilder, inputs: list[str]) -> str:
    shape = b.shapes[inputs[0]]
    layers = [b.op("Unsqueeze", [x], (*shape, 1), axes=[4]) for x in inputs]
    weights = b.positive(len(inputs), 1, scale=1 / len(inputs))
    joined = b.op("MatMul", [b.concat(layers, axis=4), weights], (*shape, 1))
    return b.op("Squeeze", [joined], shape, axes=[4])


def chained_sum(b: ModelBuilder, inputs: list[str]) -> str:
    total = None
    for x in inputs:
        scaled = b.op("Mul", [x, b.positive(1, scale=1 / len(inputs))])
        total = scaled if total is None else b.add(total, scaled)
    return total


@dataclasses.dataclass(frozen=True)
class Form:
    """How values are joined."""

    is_stacked: bool

    def join(self, b: ModelBuilder, inputs: list[str]) -> str:
        if len(inputs) == 1:
            return inputs[0]
        return stacked_sum(b, inputs) if self.is_stacked else chained_sum(b, inputs)

    def mean(self, b: ModelBuilder, inputs: list[str]) -> str:
        """The mean of the outputs of a stage."""
        if len(inputs) == 1:
            return inputs[0]
        if not self.is_stacked:
            return b.op("Mul", [functools.reduce(b.add, inputs), b.positive(1)])
        shape = b.shapes[inputs[0]]
        layers = [b.op("Unsqueeze", [x], (1, *shape), axes=[0]) for x in inputs]
        stacked = b.concat(layers, axis=0)
        return b.op("ReduceMean", [stacked], shape, axes=[0], keepdims=0)


FORMS = {"sum": Form(is_stacked=False), "stack": Form(is_stacked=True)}


def add_stage(
    b: ModelBuilder, x: str, channels: int, wiring: list[list[int]], form: Form
) -> list[str]:
    """A random graph of separable convolutions over `x`; its outputs in order of node number."""
    outputs: list[str] = []
    for predecessors in wiring:
        is_source = not predecessors
        joined = x if is_source else form.join(b, [outputs[p] for p in predecessors])
        outputs.append(b.separable_conv(b.relu(joined), channels, 3, 2 if is_source else 1))
    used = {p for predecessors in wiring for p in predecessors}
    return [output for node, output in enumerate(outputs) if node not in used]


def network(form: str, seed: int, nodes: int, channels: list[int], name: str) -> onnx.ModelProto:
    """One stage for each of `channels`, behind a stem of two strided convolutions."""
    random = np.random.default_rng(seed)
    b = ModelBuilder(name, {"x": (1, 3, 224, 224)}, opset=11, ir_version=7)
    x = b.relu(b.conv("x", channels[0] // 2, 3, stride=2, bias=True))
    x = b.conv(x, channels[0], 3, stride=2, bias=True)
    for width in channels:
        wiring = watts_strogatz(nodes, random)
        x = FORMS[form].mean(b, add_stage(b, x, width, wiring, FORMS[form]))
    x = b.conv(b.relu(x), 1280, bias=True)
    return b.model(b.classifier(x, 1000))


def single_cell(form: str, nodes: int, name: str) -> onnx.ModelProto:
    """The seed is the number of nodes."""
    b = ModelBuilder(name, {"x": (1, 3, 32, 32)}, opset=11, ir_version=7)
    x = b.conv("x", 32, 3, bias=True)
    wiring = watts_strogatz(nodes, np.random.default_rng(nodes))
    outputs = add_stage(b, x, 32, wiring, FORMS[form])
    return b.model(b.classifier(functools.reduce(b.add, outputs), 10))


def recipes() -> dict[str, collections.abc.Callable[[str], onnx.ModelProto]]:
    result = {}
    for seed, nodes, channels in [(1, 32, [78, 156, 312]), (2, 32, [32]), (3, 16, [32])]:
        for form in FORMS:
            name = f"randwire_{form}_s{seed}_n{nodes}_x{len(channels)}"
            result[name] = functools.partial(network, form, seed, nodes, channels)
    for form in FORMS:
        for nodes in (12, 16, 20, 24, 32):
            result[f"rwcell_{form}_n{nodes}_s{nodes}"] = functools.partial(single_cell, form, nodes)
    return result


if __name__ == "__main__":
    sys.exit(run_generator(__doc__.splitlines()[0], recipes()))
