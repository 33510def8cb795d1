// A runtime that takes an offset for every buffer and whose kernels bring their own scratch: the
// arena executor of this project, or a generated C program (`--emit c-header`).
#include "opass/targets/target.h"

namespace opass::targets {

extern const Target generic;
const Target generic = {
    .name = "generic",
    .summary = "every buffer at its planned offset; kernels bring their own scratch",
};

}  // namespace opass::targets
