// The section is a graph of objects as TVM's node serialization writes it: a list of nodes, in
// which a number stands for the node of that position; node 1 maps a type to the list of its
// objects.
#include "opass/frontends/relay/metadata.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace opass::frontends::relay {
namespace {

constexpr int kMaxDepth = 8;

// What is written as it is; all other attributes are numbers of nodes.
bool IsPlain(std::string_view name) { return name == "ceil_mode" || name == "count_include_pad"; }

template <typename Value>
std::optional<Value> Number(std::string_view text) {
  Value value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const Json* Member(const Json* object, const char* key) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto found = object->find(key);
  return found == object->end() ? nullptr : &*found;
}

std::string Text(const Json* object, const char* key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

// The numbers of nodes in the list `data` of a node.
std::optional<std::vector<std::size_t>> Data(const Json* node) {
  std::vector<std::size_t> numbers;
  const Json* data = Member(node, "data");
  if (data == nullptr) return numbers;
  if (!data->is_array()) return std::nullopt;
  for (const Json& item : *data) {
    if (!item.is_number_unsigned()) return std::nullopt;
    numbers.push_back(item.get<std::size_t>());
  }
  return numbers;
}

}  // namespace

Result<Metadata> Metadata::Parse(std::string_view json, const std::string& where) {
  Metadata metadata;
  OPASS_ASSIGN_OR_RETURN(metadata.root_, ParseJson(json, where));
  return metadata;
}

const Json* Metadata::Node(std::string_view reference) const {
  const auto index = Number<std::size_t>(reference);
  const Json* nodes = Member(&root_, "nodes");
  if (!index || nodes == nullptr || !nodes->is_array() || *index >= nodes->size()) return nullptr;
  return &(*nodes)[*index];
}

const Json* Metadata::Find(const std::string& key, std::size_t index) const {
  const Json* root = Member(&root_, "root");
  if (root == nullptr || !root->is_number_unsigned()) return nullptr;
  const Json* map = Node(root->dump());
  const Json* keys = Member(map, "keys");
  const auto lists = Data(map);
  if (keys == nullptr || !keys->is_array() || !lists || lists->size() != keys->size()) {
    return nullptr;
  }
  for (std::size_t i = 0; i < keys->size(); ++i) {
    if ((*keys)[i] != key) continue;
    const auto objects = Data(Node(std::to_string((*lists)[i])));
    if (!objects || index >= objects->size()) return nullptr;
    return Node(std::to_string((*objects)[index]));
  }
  return nullptr;
}

bool Metadata::Read(std::string_view reference, int depth, AttributeValue& value) const {
  const Json* node = Node(reference);
  const std::string key = Text(node, "type_key");
  if (depth > kMaxDepth || node == nullptr) return false;
  if (key == "runtime.String") {
    value.value = Text(node, "repr_str");
  } else if (key == "IntImm") {
    const auto number = Number<std::int64_t>(Text(Member(node, "attrs"), "value"));
    if (!number) return false;
    value.value = *number;
  } else if (key == "Array") {
    const auto items = Data(node);
    if (!items) return false;
    AttributeValue::List list(items->size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!Read(std::to_string((*items)[i]), depth + 1, list[i])) return false;
    }
    value.value = std::move(list);
  } else {
    return false;
  }
  return true;
}

Result<std::vector<Attribute>> Metadata::AttributesOf(const std::string& key, std::size_t index,
                                                      Position at) const {
  if (key != "relay.attrs.AvgPool2DAttrs" && key != "relay.attrs.MaxPool2DAttrs") {
    return InvalidInput(fmt::format("objects of type {} are not supported", key));
  }
  const Json* object = Find(key, index);
  const Json* fields = Member(object, "attrs");
  if (Text(object, "type_key") != key || fields == nullptr || !fields->is_object()) {
    return InvalidInput(fmt::format("the metadata has no object meta[{}][{}]", key, index));
  }
  std::vector<Attribute> attributes;
  for (const auto& [name, content] : fields->items()) {
    Attribute attribute{name, {}, at};
    const std::string text = content.is_string() ? content.get<std::string>() : "";
    const auto number = Number<std::int64_t>(text);
    if (IsPlain(name) && number) {
      attribute.value.value = *number;
    } else if (IsPlain(name) || !Read(text, 0, attribute.value)) {
      return InvalidInput(fmt::format("meta[{}][{}] has no readable '{}'", key, index, name));
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

}  // namespace opass::frontends::relay
