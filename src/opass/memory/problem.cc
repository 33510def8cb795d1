#include "opass/memory/problem.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "opass/support/bytes.h"

namespace opass::memory {
namespace {

constexpr std::size_t kMaxItems = std::size_t{1} << 31;
// Room for every sum of sizes that anybody forms, twice over.
constexpr std::int64_t kMaxTotalBytes = std::int64_t{1} << 61;

class Validator {
 public:
  explicit Validator(const Problem& problem)
      : problem_(problem), seen_(problem.values.size(), 0), listed_(problem.values.size(), 0) {}

  Status Run() {
    if (problem_.alignment < 1 || problem_.alignment > kMaxAlignment) {
      return InvalidInput(
          fmt::format("alignment {} is not in [1, {}]", problem_.alignment, kMaxAlignment));
    }
    if (problem_.values.size() >= kMaxItems || problem_.ops.size() >= kMaxItems) {
      return InvalidInput("too many values or operators");
    }
    value_names_.reserve(problem_.values.size());
    op_names_.reserve(problem_.ops.size());
    for (const Value& value : problem_.values) OPASS_RETURN_IF_ERROR(CheckValue(value));
    for (std::size_t i = 0; i < problem_.ops.size(); ++i) OPASS_RETURN_IF_ERROR(CheckOp(OpId(i)));
    // After the operators: a name of a workspace must not hide a value.
    for (std::size_t i = 0; i < problem_.values.size(); ++i) {
      const Value& value = problem_.values[i];
      if (value.producer.valid() && listed_[i] == 0) {
        return InvalidInput("its producer does not list it as an output", value.name);
      }
      if (workspace_names_.contains(value.name)) {
        return InvalidInput("the name is taken by the workspace of an operator", value.name);
      }
    }
    return {};
  }

 private:
  Status Count(std::int64_t bytes, const std::string& where) {
    if (bytes < 0 || bytes > kMaxBytes) {
      return InvalidInput(fmt::format("size {} is not in [0, {}]", bytes, kMaxBytes), where);
    }
    total_ += RoundUp(bytes, problem_.alignment);  // below 2^47 and checked each time
    if (total_ > kMaxTotalBytes) return InvalidInput("the sizes add up to too much", where);
    return {};
  }

  Status CheckValue(const Value& value) {
    if (value.name.empty()) return InvalidInput("a value has no name");
    if (!value_names_.insert(value.name).second) {
      return InvalidInput("two values have this name", value.name);
    }
    OPASS_RETURN_IF_ERROR(Count(value.size_bytes, value.name));
    if (value.producer.valid() && value.producer.index() >= problem_.ops.size()) {
      return InvalidInput("its producer does not exist", value.name);
    }
    if (value.is_preserved && value.producer.valid()) {
      return InvalidInput("only inputs can be preserved", value.name);
    }
    if (value.view && !value.producer.valid()) {
      return InvalidInput("an input cannot be a view", value.name);
    }
    return {};
  }

  Status CheckOp(OpId id) {
    const Op& op = problem_.op(id);
    if (op.name.empty()) return InvalidInput("an operator has no name");
    if (!op_names_.insert(op.name).second) {
      return InvalidInput("two operators have this name", op.name);
    }
    OPASS_RETURN_IF_ERROR(Count(op.workspace_bytes, op.name));
    if (op.workspace_bytes > 0) workspace_names_.insert(op.name + "#workspace");
    OPASS_RETURN_IF_ERROR(CheckInputs(id));
    OPASS_RETURN_IF_ERROR(CheckOutputs(id));
    for (const InPlace& pair : op.in_place) OPASS_RETURN_IF_ERROR(CheckInPlace(id, pair));
    return {};
  }

  Status CheckInputs(OpId id) {
    const Op& op = problem_.op(id);
    for (const ValueId input : op.inputs) {
      if (!InRange(input)) return InvalidInput("an input does not exist", op.name);
      if (seen_[input.index()] == Stamp(id)) {
        return InvalidInput(fmt::format("input '{}' is listed twice", problem_.value(input).name),
                            op.name);
      }
      seen_[input.index()] = Stamp(id);
      const OpId producer = problem_.value(input).producer;
      if (producer.valid() && producer >= id) {
        return InvalidInput(
            fmt::format("input '{}' is not produced before", problem_.value(input).name), op.name);
      }
    }
    return {};
  }

  Status CheckOutputs(OpId id) {
    const Op& op = problem_.op(id);
    for (const ValueId output : op.outputs) {
      if (!InRange(output)) return InvalidInput("an output does not exist", op.name);
      const Value& value = problem_.value(output);
      if (value.producer != id || listed_[output.index()] != 0) {
        return InvalidInput(fmt::format("output '{}' has another producer", value.name), op.name);
      }
      listed_[output.index()] = Stamp(id);
      if (value.view) OPASS_RETURN_IF_ERROR(CheckView(id, value));
    }
    return {};
  }

  // Cycles cannot be: the source is an input of the producer, hence produced before.
  Status CheckView(OpId id, const Value& value) const {
    if (!Reads(id, value.view->source)) {
      return InvalidInput("its producer does not read the value it is a view of", value.name);
    }
    const Value& source = problem_.value(value.view->source);
    const std::int64_t offset = value.view->offset_bytes;
    if (!value.in_arena || !source.in_arena) {
      return InvalidInput("a value outside the arena shares no storage", value.name);
    }
    if (offset < 0 || offset % problem_.alignment != 0) {
      return InvalidInput(fmt::format("offset {} of the view is not aligned", offset), value.name);
    }
    if (offset > source.size_bytes - value.size_bytes) {
      return InvalidInput(fmt::format("the view leaves its source '{}'", source.name), value.name);
    }
    return {};
  }

  Status CheckInPlace(OpId id, const InPlace& pair) const {
    const Op& op = problem_.op(id);
    if (!InRange(pair.output) || listed_[pair.output.index()] != Stamp(id) ||
        !Reads(id, pair.input)) {
      return InvalidInput("an in-place pair is not of an output and an input", op.name);
    }
    const Value& output = problem_.value(pair.output);
    const Value& input = problem_.value(pair.input);
    if (output.view) {
      return InvalidInput(fmt::format("view '{}' cannot be in place too", output.name), op.name);
    }
    if (!output.in_arena || !input.in_arena) {
      return InvalidInput(
          fmt::format("'{}' or '{}' is outside the arena, in place", output.name, input.name),
          op.name);
    }
    if (RoundUp(output.size_bytes, problem_.alignment) >
        RoundUp(input.size_bytes, problem_.alignment)) {
      return InvalidInput(fmt::format("'{}' does not fit into '{}'", output.name, input.name),
                          op.name);
    }
    return {};
  }

  bool InRange(ValueId id) const { return id.index() < problem_.values.size(); }
  // Valid once CheckInputs(op) ran.
  bool Reads(OpId op, ValueId value) const {
    return InRange(value) && seen_[value.index()] == Stamp(op);
  }
  static std::uint32_t Stamp(OpId id) { return static_cast<std::uint32_t>(id.index()) + 1; }

  const Problem& problem_;
  std::vector<std::uint32_t> seen_;    // per value: the stamp of the last operator that reads it
  std::vector<std::uint32_t> listed_;  // per value: the stamp of the operator that outputs it
  std::unordered_set<std::string_view> value_names_;
  std::unordered_set<std::string_view> op_names_;
  std::unordered_set<std::string> workspace_names_;
  std::int64_t total_ = 0;
};

}  // namespace

Status Validate(const Problem& problem) { return Validator(problem).Run(); }

}  // namespace opass::memory
