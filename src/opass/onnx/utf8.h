#pragma once

#include <string>
#include <string_view>

namespace opass::onnxlib {

// Is the text well-formed UTF-8 (no overlong forms, no surrogates)? Names must be, because they go
// into JSON.
bool IsUtf8(std::string_view text);

// The text itself if it is, otherwise with '?' for every byte outside ASCII: for messages, which
// quote what a file holds.
std::string Printable(std::string text);

}  // namespace opass::onnxlib
