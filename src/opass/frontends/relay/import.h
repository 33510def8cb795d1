#pragma once

#include <string>
#include <string_view>

#include "opass/frontends/relay/converter.h"
#include "opass/support/result.h"

namespace opass::frontends {

// Whether a file holds a Relay text: by its ending ".relay", or by how it begins ("-", standard
// input, by how it begins; nothing is taken from it). False too where it cannot be read.
bool IsRelayFile(const std::string& path);

// A Relay text as a model ready for passes and planning: all types known, the graph verified. With
// it, what became of each variable of the text.
Result<relay::Conversion> ImportRelay(const std::string& path);
// The same from memory; `where` names the text in errors.
Result<relay::Conversion> ImportRelayText(std::string_view text, const std::string& where);

}  // namespace opass::frontends
