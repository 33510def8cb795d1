#pragma once

#include <functional>
#include <string>

#include "opass/memory/certificate.h"

namespace opass::reports {

// Why no order can need less than the certificate says, in a phrase; empty: nothing is known.
// `name_of` is how operators are called: "Conv 'conv_3'".
std::string BoundReason(const memory::Certificate& certificate,
                        const std::function<std::string(memory::OpId)>& name_of);

}  // namespace opass::reports
