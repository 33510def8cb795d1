#include "opass/support/result.h"

namespace opass {

std::string Error::ToString() const {
  std::string text;
  if (!where.empty()) text += where + ": ";
  text += message;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

}  // namespace opass
