// ONNX Runtime's kernels driven by the arena executor, their scratch served from the arena as well.
#include "opass/targets/target.h"

namespace opass::targets {

extern const Target onnxruntime;
const Target onnxruntime = {
    .name = "onnxruntime",
    .summary = "ONNX Runtime's kernels; their measured scratch is planned into the arena",
    .plans_workspace = true,
};

}  // namespace opass::targets
