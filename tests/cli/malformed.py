"""Files that lie, through the whole tool.

Every case must end with exit code 2 (refused with one message), or with 0 and `verified` true or
null where the file is still a valid model; nothing else, ever. As a program it prints the table:

    OPASS_TOOL=build/opass .venv/bin/python tests/cli/malformed.py --report [--flips 300] [--jobs 2]

and ends with 1 when a case breaks the rule.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import models
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tool import DONE, INVALID, Result, opass

TRUNCATION_STEP = 64
TIMEOUT_SECONDS = 30
Change = Callable[[onnx.ModelProto], None]


@dataclasses.dataclass(frozen=True)
class Case:
    group: str
    name: str
    content: bytes
    # Writes what the file needs beside it.
    prepare: Callable[[pathlib.Path], None] | None = None
    must_refuse: bool = False


def base_model() -> onnx.ModelProto:
    """About 2 KB: weights, an If, a Loop, a function, attributes."""
    model = models.parse("""g (float[1,3,8,8] x, bool c) => (float[1,10] y)
        <int64 n = {3}, bool k = {1}, int64[2] s = {1, 8}> {
      [conv] a = Conv<pads = [1,1,1,1]>(x, w1)  [relu] b = local.Act<alpha = 0.1>(a)
      [pool] p = GlobalAveragePool(b)  [shape] r = Reshape(p, s)
      [loop] v = Loop (n, k, r) <body = body (int64 i, bool g, float[1,8] u)
        => (bool h, float[1,8] t) { h = Identity(g)  t = Tanh(u) }>
      [branch] q = If (c) <then_branch = yes () => (float[1,8] o) { o = Neg(v) },
                           else_branch = no () => (float[1,8] o) { o = Exp(v) }>
      [fc] f = MatMul(q, w2)  [out] y = Add(f, w3) }
      <domain: "local", opset_import: ["": 21]> Act <alpha> (p) => (q)
        { q = LeakyRelu<alpha: float = @alpha>(p) }""",
                         '<ir_version: 10, opset_import: ["": 21, "local": 1]>')
    generator = np.random.default_rng(4)
    for name, shape in (("w1", (8, 3, 3, 3)), ("w2", (8, 10)), ("w3", (10,))):
        array = generator.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    return model


def truncations(step: int = TRUNCATION_STEP) -> Iterator[Case]:
    content = base_model().SerializeToString()
    for size in range(0, len(content), step):
        yield Case("truncated", f"at byte {size} of {len(content)}", content[:size])


def flips(count: int, seed: int = 0) -> Iterator[Case]:
    """One to four random bytes each; half of the cases outside the weights."""
    content = base_model().SerializeToString()
    generator = random.Random(seed)
    weights = set()
    for tensor in base_model().graph.initializer:
        if tensor.raw_data:
            start = content.find(tensor.raw_data)
            weights.update(range(start, start + len(tensor.raw_data)))
    structure = [place for place in range(len(content)) if place not in weights]
    for i in range(count):
        changed = bytearray(content)
        for _ in range(generator.randint(1, 4)):
            place = generator.choice(structure) if i % 2 else generator.randrange(len(content))
            changed[place] = generator.randrange(256)
        yield Case("random bytes", f"seed {seed}, case {i}", bytes(changed))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def _nested_messages(depth: int) -> bytes:
    """ModelProto > GraphProto > NodeProto > AttributeProto > GraphProto > ..., `depth` deep."""
    content = b""
    for _ in range(depth):
        for field in (6, 5, 1):  # attribute.g, node.attribute, graph.node
            content = _varint(field << 3 | 2) + _varint(len(content)) + content
    return b"\x08\x0a" + _varint(7 << 3 | 2) + _varint(len(content)) + content


def _tensor(model: onnx.ModelProto, name: str = "w2") -> TensorProto:
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def _node(model: onnx.ModelProto, name: str) -> onnx.NodeProto:
    return next(node for node in model.graph.node if node.name == name)


def _input_dims(model: onnx.ModelProto):
    return model.graph.input[0].type.tensor_type.shape.dim


def _dims(*dims: int) -> Change:
    def change(model):
        for dim, size in zip(_input_dims(model), dims):
            dim.dim_value = size
    return change


def _weight(**fields) -> Change:
    def change(model):
        tensor = _tensor(model)
        for name, content in fields.items():
            if name == "dims":
                del tensor.dims[:]
                tensor.dims.extend(content)
            else:
                setattr(tensor, name, content)
    return change


def _replace(content: bytes, old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new) and old in content
    return content.replace(old, new)


def _cycle(model):
    _node(model, "conv").input[0] = "f"


def _self_cycle(model):
    _node(model, "fc").input[0] = "f"


def _cycle_in_branch(model):
    _node(model, "branch").attribute[0].g.node[0].input[0] = "o"


def _cyclic_functions(model):
    model.functions[0].opset_import.append(helper.make_opsetid("local", 1))
    model.functions[0].node[0].domain = "local"
    model.functions[0].node[0].op_type = "Act"


def _twice(field: str) -> Change:
    return lambda model: getattr(model.graph, field).append(getattr(model.graph, field)[0])


def _attribute(node: str, **fields) -> Change:
    def change(model):
        attribute = _node(model, node).attribute[0]
        attribute.ClearField("ints")
        for name, content in fields.items():
            setattr(attribute, name, content)
    return change


def _with_attribute(name: str, value) -> Change:
    return lambda model: _node(model, "conv").attribute.append(helper.make_attribute(name, value))


def _typed_data(model):
    tensor = _tensor(model)
    tensor.float_data.extend([1.0] * 80)


def _too_many_floats(model):
    tensor = _tensor(model)
    tensor.ClearField("raw_data")
    tensor.float_data.extend([1.0] * 81)


def _no_data(model):
    _tensor(model).ClearField("raw_data")


def _strings_with_raw_data(model):
    _tensor(model).data_type = TensorProto.STRING


def _sparse(dims, indices, values=(1.0,)) -> Change:
    def change(model):
        model.graph.initializer.remove(_tensor(model, "w3"))
        sparse = model.graph.sparse_initializer.add()
        sparse.values.CopyFrom(numpy_helper.from_array(np.array(values, np.float32), "w3"))
        sparse.indices.CopyFrom(numpy_helper.from_array(np.array(indices, np.int64), "i"))
        sparse.dims.extend(dims)
    return change


def _drop(*path: str) -> Change:
    def change(model):
        target = model
        for name in path[:-1]:
            target = getattr(target, name)
        target.ClearField(path[-1])
    return change


def _opset(version: int) -> Change:
    return lambda model: setattr(model.opset_import[0], "version", version)


def _set(path: str, value) -> Change:
    """_set("graph.node.0.op_type", "X")"""
    def change(model):
        *steps, last = path.split(".")
        target = model
        for step in steps:
            target = target[int(step)] if step.isdigit() else getattr(target, step)
        if last.isdigit():
            target[int(last)] = value
        else:
            setattr(target, last, value)
    return change


# name -> change of the base model. All of these must be refused.
LIES: dict[str, dict[str, Change]] = {
    "huge sizes": {
        "an input of 2^62": _dims(1, 3, 1 << 31, 1 << 31),
        "an input of 2^63 - 1": _dims(1, 3, (1 << 63) - 1, 8),
        "a weight of 2^62 elements": _weight(dims=[1 << 31, 1 << 31]),
        "a weight of 2^63 - 1": _weight(dims=[(1 << 63) - 1, 10]),
        "a weight whose size overflows": _weight(dims=[1 << 32, 1 << 32, 1 << 32]),
        "a weight of 10^9 without its data": _weight(dims=[1000, 1000000]),
    },
    "negative sizes": {
        "an input of -1 and a known rank": _dims(1, 3, -1, 8),
        "an input of -2^63": _dims(1, 3, -(1 << 63), 8),
        "a weight of -8": _weight(dims=[-8, 10]),
        "a weight of -8 x -10": _weight(dims=[-8, -10]),
    },
    "cycles": {
        "through the graph": _cycle, "of one node": _self_cycle,
        "inside a branch": _cycle_in_branch, "of functions": _cyclic_functions,
    },
    "names": {
        "a value twice": _set("graph.node.1.output.0", "a"),
        "an input twice": _twice("input"),
        "a weight twice": _twice("initializer"),
        "a function twice": lambda model: model.functions.append(model.functions[0]),
        "a node that writes an input": _set("graph.node.1.output.0", "x"),
        "a node that writes a weight": _set("graph.node.1.output.0", "w1"),
        "an undefined value": _set("graph.node.0.input.0", "ghost"),
        "an undefined output": _set("graph.output.0.name", "ghost"),
        "an undefined value in a branch": lambda model: _node(model, "branch").attribute[0].g.node[
            0].input.__setitem__(0, "ghost"),
        "an input without a name": _set("graph.input.0.name", ""),
        "an operator without a type": _set("graph.node.0.op_type", ""),
        "an operator that nobody knows": _set("graph.node.0.op_type", "NoSuchOperator"),
    },
    "wrong types": {
        "an input of another type": _set("graph.input.0.type.tensor_type.elem_type", 7),
        "an input of a type that is none": _set("graph.input.0.type.tensor_type.elem_type", 1234),
        "an input of a negative type": _set("graph.input.0.type.tensor_type.elem_type", -1),
        "an input without a type": lambda model: model.graph.input[0].ClearField("type"),
        "a condition of floats": _set("graph.input.1.type.tensor_type.elem_type", 1),
        "an attribute of another type": _attribute("conv", type=1, f=1.0),
        "an attribute without a name": _attribute("conv", name=""),
        "a branch that is a number": _attribute("branch", type=2, i=5),
        "a sequence as input": lambda model: model.graph.input[0].CopyFrom(
            helper.make_tensor_sequence_value_info("x", 1, None)),
    },
    "tensors": {
        "raw data too short": _weight(raw_data=b"\0" * 319),
        "raw data too long": _weight(raw_data=b"\0" * 321),
        "more floats than declared": _too_many_floats,
        "no data": _no_data,
        "raw and typed data": _typed_data,
        "type 0": _weight(data_type=0),
        "type 1234": _weight(data_type=1234),
        "strings with raw data": _strings_with_raw_data,
        "a segment": lambda model: _tensor(model).segment.CopyFrom(
            TensorProto.Segment(begin=0, end=5)),
        "a sparse index outside": _sparse([10], [10]),
        "a negative sparse index": _sparse([10], [-1]),
        "a sparse index twice": _sparse([10], [1, 1], [1.0, 2.0]),
        "more sparse indices than values": _sparse([10], [1, 2]),
        "a sparse tensor of 2^62": _sparse([1 << 31, 1 << 31], [3]),
        "a sparse tensor of negative size": _sparse([-10], [3]),
    },
    "opsets and versions": {
        "opset 0": _opset(0), "opset -1": _opset(-1), "opset 999": _opset(999),
        "opset 2^63 - 1": _opset((1 << 63) - 1),
        "no opset": _drop("opset_import"),
        "two opsets": lambda model: model.opset_import.append(helper.make_opsetid("", 13)),
        "IR version 0": _set("ir_version", 0), "IR version 999": _set("ir_version", 999),
        "IR version -1": _set("ir_version", -1),
        "no graph": _drop("graph"),
    },
    "attributes": {
        "an attribute twice": lambda model: _node(model, "conv").attribute.append(
            _node(model, "conv").attribute[0]),
        "pads of -2^63": _attribute("conv", name="pads"),
        "a kernel of 2^62": _with_attribute("kernel_shape", [1 << 62, 1 << 62]),
        "strides of 0": _with_attribute("strides", [0, 0]),
        "dilations of -1": _with_attribute("dilations", [-1, -1]),
        "a reference outside a function": _attribute("conv", ref_attr_name="elsewhere"),
        "an attribute that Conv has not": _with_attribute("colour", "red"),
        "too many inputs": lambda model: _node(model, "relu").input.extend(["a"] * 50),
        "no inputs": lambda model: _node(model, "conv").ClearField("input"),
        "too many outputs": lambda model: _node(model, "fc").output.extend(["o1", "o2"]),
    },
}

# Changes that leave a model that ONNX's checker accepts, or that only shape inference sees: 0 or 2.
# A Loop of 2^62 rounds is not here: it is a valid model, and runs until somebody stops it.
ODDITIES: dict[str, Change] = {
    "an input of 2^20 x 2^20": _dims(1, 3, 1 << 20, 1 << 20),
    "an input of 20 GB": _dims(1, 3, 1 << 15, 50000),
    "an input of size 0": _dims(1, 3, 0, 8),
    "an input without a shape": lambda model: model.graph.input[0].type.tensor_type.ClearField(
        "shape"),
    "a reshape to -5": _set("graph.initializer.2.int64_data.1", -5),
    "a reshape to 2^40": _set("graph.initializer.2.int64_data.1", 1 << 40),
    "weights of NaN": _weight(raw_data=b"\xff" * 320),
    "no node names": lambda model: [node.ClearField("name") for node in model.graph.node],
    "one node name": lambda model: [setattr(node, "name", "n") for node in model.graph.node],
    "an output of another shape": _set("graph.output.0.type.tensor_type.shape.dim.1.dim_value", 11),
    "an output of another type": _set("graph.output.0.type.tensor_type.elem_type", 11),
    "weights of another rank": _weight(dims=[80]),
    "a convolution in 0 groups": _with_attribute("group", 0),
    "a convolution in -1 groups": _with_attribute("group", -1),
    "no outputs": _drop("graph", "output"),
    "no nodes": _drop("graph", "node"),
    "no inputs": _drop("graph", "input"),
    "no graph name": _drop("graph", "name"),
    "an unused weight of another type": lambda model: model.graph.initializer.append(
        helper.make_tensor("unused", TensorProto.COMPLEX64, [1], [1j])),
}


def changed_models() -> Iterator[Case]:
    for group, changes in LIES.items():
        for name, change in changes.items():
            model = base_model()
            change(model)
            yield Case(group, name, model.SerializeToString(), must_refuse=True)
    for name, change in ODDITIES.items():
        model = base_model()
        change(model)
        yield Case("odd, perhaps valid", name, model.SerializeToString())
    content = base_model().SerializeToString()
    yield Case("odd, perhaps valid", "an attribute of type 99",
               _replace(content, b"\xa0\x01\x07", b"\xa0\x01\x63"))
    for place, old, new in (("node", b"conv", b"\xff\xfe\xff\xfe"),
                            ("function", b"local", b"\xc3(\xc3(\xff"),
                            ("operator", b"MatMul", b"Mat\x80\xffl"),
                            ("text", b"alpha", b"a\xed\xa0\x80a")):
        yield Case("names that are no UTF-8", place, _replace(content, old, new))


def no_models() -> Iterator[Case]:
    def refused(name: str, content: bytes) -> Case:
        return Case("not a model", name, content, must_refuse=True)

    yield refused("an empty file", b"")
    yield refused("a text", b"Dear reader,\nthis is no model.\n" * 40)
    yield refused("zeros", bytes(4096))
    yield refused("ones", b"\xff" * 4096)
    yield refused("random bytes", random.Random(5).randbytes(4096))
    yield refused("PNG", b"\x89PNG\r\n\x1a\n" + bytes(100))
    yield refused("a zip", b"PK\x03\x04" + bytes(100))
    yield refused("JSON", b'{"ir_version": 10}')
    yield refused("a tensor", numpy_helper.from_array(np.ones(5)).SerializeToString())
    yield refused("a length of 2^60", b"\x08\x0a" + _varint(7 << 3 | 2) + _varint(1 << 60) + b"x")
    yield refused("a length of 2^31 - 1",
                  b"\x08\x0a" + _varint(7 << 3 | 2) + _varint((1 << 31) - 1) + b"x")


def deep_models() -> Iterator[Case]:
    for depth in (10, 30, 60, 200, 2000, 100000):
        yield Case("deep nesting", f"{depth} messages", _nested_messages(depth), must_refuse=True)
    for depth in (5, 15, 25, 30):
        yield Case("deep nesting", f"{depth} Ifs", models.nest_ifs(depth).SerializeToString())
    model = models.chain()
    info = model.graph.input[0].type
    for _ in range(30):
        outer = onnx.TypeProto()
        outer.sequence_type.elem_type.CopyFrom(info)
        info = outer
    model.graph.input[0].type.CopyFrom(info)
    yield Case("deep nesting", "30 sequences", model.SerializeToString(), must_refuse=True)
    many = models.chain()
    many.graph.ClearField("node")
    for i in range(3000):
        many.graph.node.append(helper.make_node("Neg", [f"v{i}" if i else "x"], [f"v{i + 1}"]))
    many.graph.output[0].name = "v3000"
    yield Case("deep nesting", "a chain of 3000 nodes, backwards", (_reversed(many)))


def _reversed(model: onnx.ModelProto) -> bytes:
    nodes = list(model.graph.node)
    model.graph.ClearField("node")
    model.graph.node.extend(reversed(nodes))
    return model.SerializeToString()


def external_models() -> Iterator[Case]:
    def content(location: str, **entries: str) -> bytes:
        model = base_model()
        tensor = _tensor(model)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, text in {"location": location, **entries}.items():
            entry = tensor.external_data.add()
            entry.key, entry.value = key, text
        return model.SerializeToString()

    def outside(folder: pathlib.Path) -> None:
        (folder.parent / "outside.bin").write_bytes(bytes(320))
        os.symlink("../outside.bin", folder / "link.bin")
        os.symlink("..", folder / "up")
        (folder / "folder").mkdir()
        (folder / "small.bin").write_bytes(bytes(160))
        (folder / "good.bin").write_bytes(bytes(320))
        os.mkfifo(folder / "fifo.bin")

    for location in ("gone.bin", "", ".", "folder", "fifo.bin", "small.bin", "../outside.bin",
                     "link.bin", "up/outside.bin", "folder/../../outside.bin", "/etc/passwd",
                     "/dev/zero", "good.bin/x", "x" * 5000, "a\0b", "C:\\x", "file:///etc/passwd"):
        yield Case("external data", f"location {location[:30]!r}", content(location), outside, True)
    for key, text in (("offset", "-1"), ("offset", "320"), ("offset", "1"), ("offset", "x"),
                      ("offset", "99999999999999999999"), ("length", "319"), ("length", "321"),
                      ("length", "-1"), ("length", "1e3")):
        yield Case("external data", f"{key} {text}", content("good.bin", **{key: text}), outside,
                   True)


def all_cases(num_flips: int) -> Iterator[Case]:
    yield from no_models()
    yield from truncations()
    yield from changed_models()
    yield from deep_models()
    yield from external_models()
    yield from flips(num_flips)


@dataclasses.dataclass
class Outcome:
    case: Case
    result: Result | None  # None: it took too long
    problem: str  # empty: as it should be
    seconds: float

    @property
    def label(self) -> str:
        if self.result is None:
            return "too long"
        if self.result.code != DONE:
            return str(self.result.code)
        try:
            verified = self.result.json()["verified"]
            return {True: "0, true", None: "0, null"}.get(verified, "0, false")
        except (ValueError, KeyError):
            return "0, no report"


def judge(case: Case, result: Result, left: set[str]) -> str:
    if result.sanitizer_report:
        return "sanitizer report"
    if result.code == INVALID:
        if result.stderr.count("opass: error: ") != 1:
            return "not one message"
        return f"left {sorted(left)}" if left else ""
    if result.code != DONE:
        return f"exit code {result.code}"
    if case.must_refuse:
        return "accepted"
    report = result.json()
    if report["verified"] not in (True, None):
        return "verified is false"
    if report["verified"] is None and not report["verified_reason"]:
        return "null without a reason"
    return ""


def run(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "models"
        folder.mkdir()
        (folder / "m.onnx").write_bytes(case.content)
        if case.prepare:
            case.prepare(folder)
        before = {path.name for path in folder.iterdir()}
        start = time.monotonic()
        try:
            result = opass("optimize", "m.onnx", "-o", "o.onnx", "--json", "--runs", "1",
                           cwd=folder, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return Outcome(case, None, "too long", TIMEOUT_SECONDS)
        left = {path.name for path in folder.iterdir()} - before
        return Outcome(case, result, judge(case, result, left), time.monotonic() - start)


def run_all(cases: Iterator[Case], jobs: int = 2) -> list[Outcome]:
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(run, cases))


def table(outcomes: list[Outcome]) -> str:
    groups: dict[str, collections.Counter] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.case.group, collections.Counter())[outcome.label] += 1
    labels = sorted({label for counts in groups.values() for label in counts})
    lines = ["| cases | number | " + " | ".join(f"exit {label}" for label in labels) + " |",
             "|---|" + "---|" * (len(labels) + 1)]
    total = collections.Counter()
    for group, counts in groups.items():
        total += counts
    for group, counts in [*groups.items(), ("all", total)]:
        lines.append(f"| {group} | {sum(counts.values())} | " +
                     " | ".join(str(counts[label]) for label in labels) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Files that lie, through the whole tool.")
    parser.add_argument("--report", action="store_true", help="print the table of exit codes")
    parser.add_argument("--flips", type=int, default=300, help="cases of random bytes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the cases that fail")
    parser.add_argument("--json", action="store_true", help="one line for every case")
    options = parser.parse_args()
    outcomes = run_all(all_cases(options.flips), options.jobs)
    failures = [outcome for outcome in outcomes if outcome.problem]
    if options.json:
        for outcome in outcomes:
            print(json.dumps({"group": outcome.case.group, "case": outcome.case.name,
                              "result": outcome.label, "problem": outcome.problem,
                              "seconds": round(outcome.seconds, 2),
                              "message": outcome.result.stderr[:300] if outcome.result else ""}))
    if options.report:
        print(table(outcomes))
    for number, outcome in enumerate(failures):
        print(f"FAILED: {outcome.case.group}: {outcome.case.name}: {outcome.problem}\n"
              f"{outcome.result.stderr[-1500:] if outcome.result else ''}", file=sys.stderr)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number}.onnx").write_bytes(outcome.case.content)
    print(f"{len(outcomes)} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
