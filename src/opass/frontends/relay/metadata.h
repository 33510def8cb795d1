#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opass/frontends/relay/ast.h"
#include "opass/support/json.h"

namespace opass::frontends::relay {

// The section "#[metadata]" of a text: objects that calls refer to as meta[relay.attrs.X][0].
class Metadata {
 public:
  Metadata() = default;
  // From the JSON text of the section.
  static Result<Metadata> Parse(std::string_view json, const std::string& where);

  // The attributes of object `index` of type `key`, at this place of the text. Errors: no such
  // object, a type other than the attributes of pooling, an object that is not what it should be.
  Result<std::vector<Attribute>> AttributesOf(const std::string& key, std::size_t index,
                                              Position at) const;

 private:
  const Json* Node(std::string_view reference) const;
  const Json* Find(const std::string& key, std::size_t index) const;
  bool Read(std::string_view reference, int depth, AttributeValue& value) const;

  Json root_;
};

}  // namespace opass::frontends::relay
