"""Runs an ONNX model in ONNX Runtime with its nodes in file order, and shows that it does.

    python run_in_order.py model.onnx

Needs the Python packages onnx, onnxruntime (tried with 1.32.0) and numpy. Inputs are zeros.
"""

import json
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort

NUMPY_TYPES = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(bool)": np.bool_,
}


def main():
    path = sys.argv[1]
    options = ort.SessionOptions()
    # Both are needed: optimisation renumbers nodes, and the default order is not the file's.
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.execution_order = ort.ExecutionOrder.PRIORITY_BASED
    # Only to see what ran; leave it out otherwise.
    options.enable_profiling = True
    with tempfile.TemporaryDirectory() as folder:
        options.profile_file_prefix = os.path.join(folder, "profile")
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = {i.name: np.zeros(i.shape, NUMPY_TYPES[i.type]) for i in session.get_inputs()}
        session.run(None, inputs)
        with open(session.end_profiling()) as profile:
            events = json.load(profile)
    suffix = "_kernel_time"
    ran = [e["name"][: -len(suffix)] for e in events if e["name"].endswith(suffix)]
    # Of a node with a body (If, Loop) the profile also tells the nodes inside.
    in_file = [n.name for n in onnx.load(path, load_external_data=False).graph.node]
    ran = [name for name in ran if name in set(in_file)]
    same = ran == [name for name in in_file if name in set(ran)]
    print(f"{len(ran)} nodes ran, {'in file order' if same else 'NOT in file order'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
