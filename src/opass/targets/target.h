#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace opass::targets {

// What the runtime that will execute a plan really does. One profile a file.
struct Target {
  std::string_view name;
  std::string_view summary;
  bool honours_views = true;     // a view costs no copy
  bool honours_in_place = true;  // an output may be given the address of a dying input
  // Kernels' scratch is measured by executing the model, and planned as one-step buffers.
  bool plans_workspace = false;
  std::int64_t alignment = 64;  // bytes
};

std::span<const Target* const> Targets();
const Target* FindTarget(std::string_view name);  // null: no such target

}  // namespace opass::targets
