#pragma once

namespace opass {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace opass
