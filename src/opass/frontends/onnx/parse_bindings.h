#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opass/support/result.h"

namespace opass::frontends {

struct NamedShape {
  std::string name;
  std::vector<std::int64_t> dims;
};
// "name=1,3,224,224" or "name=1x3x224x224"; "name=" is a scalar.
Result<NamedShape> ParseNamedShape(const std::string& text);

struct NamedDim {
  std::string symbol;
  std::int64_t value = 0;
};
// "batch=1" or "batch<=8"
Result<NamedDim> ParseNamedDim(const std::string& text);

}  // namespace opass::frontends
