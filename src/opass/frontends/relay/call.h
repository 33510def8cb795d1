#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opass/frontends/relay/ast.h"
#include "opass/frontends/relay/builder.h"

namespace opass::frontends::relay {

class Call;

// How an operator of Relay is written in ONNX: one row of the table (operators.h).
struct Operator {
  const char* name;
  std::size_t min_arguments;
  std::size_t max_arguments;
  Item (*convert)(Call& call);
  const char* onnx = "";     // its counterpart, where rows differ in it alone
  bool takes_tuple = false;  // as its only argument
};

// One use of an operator: arguments and attributes. The first fault, also of an attribute that is
// read, is kept, and reading goes on with what was given as default; so a converter asks failed()
// once, before it relies on what it read.
class Call {
 public:
  Call(const Expression& expression, const Operator& op, std::vector<Item> arguments,
       Builder& builder)
      : expression_(expression),
        operator_(op),
        arguments_(std::move(arguments)),
        builder_(builder) {}

  Builder& builder() { return builder_; }
  const char* onnx() const { return operator_.onnx; }
  std::size_t num_arguments() const { return arguments_.size(); }
  const Item& item(std::size_t i) const { return arguments_[i]; }
  ir::ValueId argument(std::size_t i) const { return arguments_[i].value; }
  ir::DataType ElementOf(std::size_t i) const { return builder_.ElementOf(argument(i)); }
  Dims DimsOf(std::size_t i) const { return builder_.DimsOf(argument(i)); }

  // Attributes. Absent or None: the default. Integers fit int32, so that sizes can be computed from
  // two of them without overflow.
  std::int64_t Int(std::string_view name, std::int64_t otherwise);
  bool Flag(std::string_view name, bool otherwise) { return Int(name, otherwise ? 1 : 0) != 0; }
  double Float(std::string_view name, double otherwise);
  std::string Text(std::string_view name, std::string_view otherwise);
  // A single integer is a list of one; nothing for None.
  std::optional<Dims> Ints(std::string_view name);
  bool IsNumber(std::string_view name);
  // Two integers of at least `least`.
  Dims Pair(std::string_view name, std::int64_t otherwise, std::int64_t least = 1);
  // [top, left, bottom, right]; one or two integers mean the same on both sides.
  Dims Padding();
  // Pairs of integers, `count` of them, none below 0.
  std::vector<std::pair<std::int64_t, std::int64_t>> Pairs(std::string_view name,
                                                           std::size_t count);
  // An element type; `otherwise` for "" too.
  ir::DataType Type(std::string_view name, ir::DataType otherwise);
  // Attributes for which only this value is supported (layouts, modes).
  void Expect(std::string_view name, std::string_view value);
  void Expect(std::string_view name, std::int64_t value, std::int64_t otherwise);
  // Attributes that say nothing here: what they say is known otherwise.
  void Ignore(std::string_view name) { read_.emplace(name); }
  // An axis from 0 to rank-1, counted from the back where negative.
  std::size_t Axis(std::int64_t axis, std::size_t rank);

  // Keeps the fault and returns an empty item.
  Item Fail(std::string message);
  // Arguments that must have so many dimensions, or one element type.
  void ExpectRank(std::size_t argument, std::size_t rank);
  void ExpectSameType(std::size_t a, std::size_t b);
  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  // The name of an attribute that nobody read; empty when there is none.
  std::string Unread() const;

 private:
  const AttributeValue* Find(std::string_view name);
  std::int64_t IntOf(const AttributeValue& value, std::string_view name, std::int64_t otherwise);

  const Expression& expression_;
  const Operator& operator_;
  std::vector<Item> arguments_;
  Builder& builder_;
  std::set<std::string, std::less<>> read_;
  std::string problem_;
};

}  // namespace opass::frontends::relay
