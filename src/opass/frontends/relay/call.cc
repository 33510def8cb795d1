#include "opass/frontends/relay/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "opass/frontends/relay/numbers.h"

namespace opass::frontends::relay {

const AttributeValue* Call::Find(std::string_view name) {
  read_.emplace(name);
  const auto found = std::ranges::find(expression_.attributes, name, &Attribute::name);
  if (found == expression_.attributes.end()) return nullptr;
  const bool is_none = std::holds_alternative<std::monostate>(found->value.value);
  return is_none ? nullptr : &found->value;
}

std::int64_t Call::IntOf(const AttributeValue& value, std::string_view name,
                         std::int64_t otherwise) {
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag ? 1 : 0;
  const auto* integer = std::get_if<std::int64_t>(&value.value);
  if (integer == nullptr || *integer < INT32_MIN || *integer > INT32_MAX) {
    Fail(fmt::format("'{}' must hold integers of 32 bits", name));
    return otherwise;
  }
  return *integer;
}

std::int64_t Call::Int(std::string_view name, std::int64_t otherwise) {
  const AttributeValue* value = Find(name);
  return value == nullptr ? otherwise : IntOf(*value, name, otherwise);
}

double Call::Float(std::string_view name, double otherwise) {
  const AttributeValue* value = Find(name);
  if (value == nullptr) return otherwise;
  if (const auto* number = std::get_if<double>(&value->value)) return *number;
  return static_cast<double>(IntOf(*value, name, 0));
}

std::string Call::Text(std::string_view name, std::string_view otherwise) {
  const AttributeValue* value = Find(name);
  if (value == nullptr) return std::string(otherwise);
  if (const auto* text = std::get_if<std::string>(&value->value)) return *text;
  Fail(fmt::format("'{}' must be a string", name));
  return std::string(otherwise);
}

std::optional<Dims> Call::Ints(std::string_view name) {
  const AttributeValue* value = Find(name);
  if (value == nullptr) return std::nullopt;
  const auto* list = std::get_if<AttributeValue::List>(&value->value);
  if (list == nullptr) return Dims{IntOf(*value, name, 0)};
  Dims integers;
  for (const AttributeValue& item : *list) integers.push_back(IntOf(item, name, 0));
  return integers;
}

bool Call::IsNumber(std::string_view name) {
  const AttributeValue* value = Find(name);
  return value != nullptr && std::holds_alternative<std::int64_t>(value->value);
}

Dims Call::Pair(std::string_view name, std::int64_t otherwise, std::int64_t least) {
  Dims pair = Ints(name).value_or(Dims{});
  if (pair.empty()) pair = {otherwise, otherwise};
  if (pair.size() == 1) pair.push_back(pair[0]);
  if (pair.size() == 2 && std::ranges::min(pair) >= least) return pair;
  Fail(fmt::format("'{}' must be two integers from {} on", name, least));
  return {otherwise, otherwise};
}

Dims Call::Padding() {
  Dims padding = Ints("padding").value_or(Dims{0});
  if (padding.size() == 1) padding.resize(4, padding[0]);
  if (padding.size() == 2) padding = {padding[0], padding[1], padding[0], padding[1]};
  if (padding.size() == 4 && std::ranges::min(padding) >= 0) return padding;
  Fail("'padding' must be one, two or four integers from 0 on");
  return {0, 0, 0, 0};
}

std::vector<std::pair<std::int64_t, std::int64_t>> Call::Pairs(std::string_view name,
                                                               std::size_t count) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  const AttributeValue* value = Find(name);
  const auto* list = value == nullptr ? nullptr : std::get_if<AttributeValue::List>(&value->value);
  for (const AttributeValue& item : list == nullptr ? AttributeValue::List() : *list) {
    const auto* pair = std::get_if<AttributeValue::List>(&item.value);
    if (pair == nullptr || pair->size() != 2) break;
    pairs.emplace_back(IntOf((*pair)[0], name, 0), IntOf((*pair)[1], name, 0));
  }
  const bool is_bad = std::ranges::any_of(
      pairs, [](const auto& pair) { return pair.first < 0 || pair.second < 0; });
  if (is_bad || list == nullptr || pairs.size() != count || list->size() != count) {
    Fail(fmt::format("'{}' must be {} pairs of integers from 0 on", name, count));
  }
  pairs.resize(count);
  return pairs;
}

ir::DataType Call::Type(std::string_view name, ir::DataType otherwise) {
  const std::string text = Text(name, "");
  if (text.empty()) return otherwise;
  const auto type = FindElementType(text);
  if (!type) Fail(fmt::format("there is no type '{}'", text));
  return type.value_or(otherwise);
}

void Call::Expect(std::string_view name, std::string_view value) {
  const std::string text = Text(name, value);
  if (text.empty() || text == value) return;
  Fail(fmt::format("{}=\"{}\" is not supported, only \"{}\"", name, text, value));
}

void Call::Expect(std::string_view name, std::int64_t value, std::int64_t otherwise) {
  const std::int64_t given = Int(name, otherwise);
  if (given != value) Fail(fmt::format("{}={} is not supported, only {}", name, given, value));
}

std::size_t Call::Axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis >= -signed_rank && axis < signed_rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
  }
  Fail(fmt::format("there is no axis {} among {} dimensions", axis, rank));
  return 0;
}

Item Call::Fail(std::string message) {
  if (problem_.empty()) problem_ = std::move(message);
  return {};
}

void Call::ExpectRank(std::size_t i, std::size_t rank) {
  if (DimsOf(i).size() == rank) return;
  Fail(fmt::format("argument {} must have {} dimensions, not {}", i, rank, DimsOf(i).size()));
}

void Call::ExpectSameType(std::size_t a, std::size_t b) {
  if (ElementOf(a) == ElementOf(b)) return;
  Fail(fmt::format("arguments {} and {} have the types {} and {}", a, b,
                   builder_.Describe(argument(a)), builder_.Describe(argument(b))));
}

std::string Call::Unread() const {
  for (const Attribute& attribute : expression_.attributes) {
    if (!read_.contains(attribute.name)) return attribute.name;
  }
  return "";
}

}  // namespace opass::frontends::relay
