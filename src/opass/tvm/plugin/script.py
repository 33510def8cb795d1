"""The Python half of the TVM component: what TVM offers in Python only, as global functions."""

import onnx
import tvm
import tvm_ffi
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

offer = tvm_ffi.register_global_func
TARGET = "llvm"


@offer("opass.version")
def version():
    return tvm.__version__


@offer("opass.import_onnx")
def import_onnx(path, shapes, dims):
    """A Relax module of an ONNX file, its named shapes and dimensions fixed."""
    model = onnx.load(path)
    by_name = {name: list(shape) for name, shape in shapes}
    by_dim = dict(dims)
    for value in model.graph.input:
        dimensions = value.type.tensor_type.shape.dim
        shape = by_name.pop(value.name, None)
        if shape is not None:
            del dimensions[:]
            for size in shape:
                dimensions.add().dim_value = size
        for dimension in dimensions:
            if dimension.dim_param in by_dim:
                dimension.dim_value = by_dim[dimension.dim_param]
    if by_name:
        raise ValueError(f"the model has no input named {', '.join(sorted(by_name))}")
    return from_onnx(model, keep_params_in_input=False)


def sequence(*passes):
    return tvm.transform.Sequential(list(passes))


def passes_by_name():
    """Every pass that a search may use, in an order in which a compiler would run each once."""
    t = relax.transform
    return {
        "FoldConstant": t.FoldConstant,
        "CanonicalizeBindings": t.CanonicalizeBindings,
        "EliminateCommonSubexpr": t.EliminateCommonSubexpr,
        "RemoveRedundantReshape": t.RemoveRedundantReshape,
        "ReorderTakeAfterMatmul": t.ReorderTakeAfterMatmul,
        "ReorderPermuteDimsAfterConcat": t.ReorderPermuteDimsAfterConcat,
        "ExpandMatmulOfSum": t.ExpandMatmulOfSum,
        "AdjustMatmulOrder": t.AdjustMatmulOrder,
        "CombineParallelMatmul": t.CombineParallelMatmul,
        "FuseTransposeMatmul": t.FuseTransposeMatmul,
        "OptimizeLayoutTransform": t.OptimizeLayoutTransform,
        "ConvertLayout": lambda: t.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]}),
        "FoldBatchnormToConv2D": lambda: sequence(t.FoldBatchnormToConv2D(), t.FoldConstant()),
        "DecomposeOpsForInference": lambda: sequence(t.DecomposeOpsForInference(),
                                                     t.FoldConstant()),
        "DeadCodeElimination": t.DeadCodeElimination,
        "DataflowUseInplaceCalls": t.DataflowUseInplaceCalls,
        "FuseOps": lambda: sequence(t.LegalizeOps(), t.AnnotateTIROpPattern(), t.FuseOps(),
                                    t.FuseTIR()),
        **{f"TopologicalSort {order} {direction}":
           (lambda order=order, direction=direction: t.TopologicalSort(order, direction))
           for order in ("depth-first", "breadth-first")
           for direction in ("from-inputs", "from-outputs")},
        "FastMathTransform": t.FastMathTransform,
        "ToMixedPrecision": t.ToMixedPrecision,
    }


@offer("opass.pass_names")
def pass_names():
    return list(passes_by_name())


@offer("opass.make_pass")
def make_pass(name):
    return passes_by_name()[name]()


def dispatch_passes():
    return [relax.backend.DispatchSampling(), relax.backend.DispatchSortScan()]


@offer("opass.lowering")
def lowering(is_fused):
    """The passes of TVM's pipelines before memory is planned."""
    t = relax.transform
    fusion = [t.AnnotateTIROpPattern(), t.FoldConstant(), t.FuseOps(), t.FuseTIR()]
    return sequence(*dispatch_passes(), t.LegalizeOps(), *(fusion if is_fused else []),
                    t.RewriteDataflowReshape(), t.ToNonDataflow(), t.RemovePurityChecking(),
                    t.CallTIRRewrite())


@tvm.instrument.pass_instrument
class Watch:
    """Keeps the module before and after memory is planned, and the largest kernel workspace."""

    def __init__(self):
        self.lowered = None
        self.planned = None
        self.workspace_bytes = 0

    def run_before_pass(self, module, info):
        if info.name == "StaticPlanBlockMemory":
            self.lowered = module

    def run_after_pass(self, module, info):
        if info.name == "StaticPlanBlockMemory":
            self.planned = module
        elif info.name == "tirx.LowerTVMBuiltin":
            self.workspace_bytes = max(self.workspace_bytes, 
                                       tvm_ffi.get_global_func("opass.largest_workspace")(module))


def compile_watched(module, pipeline):
    watch = Watch()
    with tvm.transform.PassContext(opt_level=3, instruments=[watch]):
        executable = relax.build(module, tvm.target.Target(TARGET), relax_pipeline=pipeline)
    return executable, watch


EXECUTABLES = []


def keep(executable):
    EXECUTABLES.append(executable)
    return len(EXECUTABLES) - 1


@offer("opass.compile_stock")
def compile_stock(module, is_fused):
    pipeline = relax.get_default_pipeline(tvm.target.Target(TARGET)) if is_fused else "default"
    executable, watch = compile_watched(module, pipeline)
    return [keep(executable), watch.workspace_bytes, watch.lowered, watch.planned]


@offer("opass.compile_laid_out")
def compile_laid_out(module):
    """Compiles a module that has its memory: the rest of TVM's default pipeline."""
    t = relax.transform
    rest = sequence(t.LowerAllocTensor(), t.KillAfterLastUse(), t.LowerRuntimeBuiltin(),
                    t.ComputePrimValue(), t.VMShapeLower(), t.AttachGlobalSymbol())
    executable, watch = compile_watched(rest(module), None)
    return [keep(executable), watch.workspace_bytes]


@offer("opass.loadable")
def loadable(index):
    return EXECUTABLES[index].jit()


@offer("opass.export")
def export(index, path):
    EXECUTABLES[index].export_library(path)
