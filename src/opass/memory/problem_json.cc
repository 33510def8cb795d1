#include "opass/memory/problem_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "opass/memory/json_text.h"

namespace opass::memory {
namespace {

Json ValueToJson(const Problem& problem, const Value& value) {
  Json json = {{"name", value.name}, {"size", value.size_bytes}};
  if (value.is_output) json["output"] = true;
  if (value.is_preserved) json["preserved"] = true;
  if (!value.in_arena) json["in_arena"] = false;
  if (value.view) {
    json["view"] = {{"source", problem.value(value.view->source).name},
                    {"offset", value.view->offset_bytes}};
  }
  return json;
}

Json OpToJson(const Problem& problem, const Op& op) {
  Json json = {{"name", op.name}, {"inputs", Json::array()}, {"outputs", Json::array()}};
  for (const ValueId input : op.inputs) json["inputs"].push_back(problem.value(input).name);
  for (const ValueId output : op.outputs) json["outputs"].push_back(problem.value(output).name);
  for (const InPlace& pair : op.in_place) {
    json["in_place"].push_back(
        {{"output", problem.value(pair.output).name}, {"input", problem.value(pair.input).name}});
  }
  if (op.workspace_bytes > 0) json["workspace"] = op.workspace_bytes;
  return json;
}

class Parser {
 public:
  Parser(const Json& document, const std::string& where) : document_(document), where_(where) {}

  Result<Problem> Parse() {
    OPASS_RETURN_IF_ERROR(CheckFormat(document_, "opass-problem", where_));
    OPASS_RETURN_IF_ERROR(CheckKeys(
        document_, {"format", "version", "name", "alignment", "inputs", "values", "ops"}, where_));
    OPASS_RETURN_IF_ERROR(ParseHead());
    OPASS_ASSIGN_OR_RETURN(const Json* values, JsonArray(document_, "values", where_));
    OPASS_ASSIGN_OR_RETURN(const Json* ops, JsonArray(document_, "ops", where_));
    for (const Json& value : *values) OPASS_RETURN_IF_ERROR(ParseValue(value));
    for (const Json& op : *ops) OPASS_RETURN_IF_ERROR(ParseOp(op));
    for (std::size_t i = 0; i < values->size(); ++i) {
      OPASS_RETURN_IF_ERROR(ParseView((*values)[i], problem_.values[i]));
    }
    if (Status status = Validate(problem_); !status.ok()) {
      Error error = std::move(status.error());
      error.where = error.where.empty() ? where_ : fmt::format("{}: {}", where_, error.where);
      return error;
    }
    return std::move(problem_);
  }

 private:
  // A misspelt optional key would silently pose another problem.
  static Status CheckKeys(const Json& object, std::initializer_list<std::string_view> known,
                          const std::string& where) {
    if (!object.is_object()) return InvalidInput("expected an object", where);
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        return InvalidInput(fmt::format("key '{}' is not known", key), where);
      }
    }
    return {};
  }

  static Result<bool> Flag(const Json& object, const char* key, bool otherwise,
                           const std::string& where) {
    if (!object.contains(key)) return otherwise;
    return JsonBool(object, key, where);
  }

  Status ParseHead() {
    OPASS_ASSIGN_OR_RETURN(problem_.name, JsonString(document_, "name", where_));
    OPASS_ASSIGN_OR_RETURN(problem_.alignment, JsonInt(document_, "alignment", where_));
    if (!document_.contains("inputs")) return {};
    OPASS_ASSIGN_OR_RETURN(const std::string inputs, JsonString(document_, "inputs", where_));
    if (inputs != "resident" && inputs != "first_use") {
      return InvalidInput(fmt::format("inputs is '{}', not 'resident' or 'first_use'", inputs),
                          where_);
    }
    problem_.inputs = inputs == "first_use" ? InputArrival::kFirstUse : InputArrival::kResident;
    return {};
  }

  Status ParseValue(const Json& json) {
    const std::string where = fmt::format("{}: values[{}]", where_, problem_.values.size());
    OPASS_RETURN_IF_ERROR(
        CheckKeys(json, {"name", "size", "output", "preserved", "in_arena", "view"}, where));
    Value value;
    OPASS_ASSIGN_OR_RETURN(value.name, JsonString(json, "name", where));
    OPASS_ASSIGN_OR_RETURN(value.size_bytes, JsonInt(json, "size", where));
    OPASS_ASSIGN_OR_RETURN(value.is_output, Flag(json, "output", false, where));
    OPASS_ASSIGN_OR_RETURN(value.is_preserved, Flag(json, "preserved", false, where));
    OPASS_ASSIGN_OR_RETURN(value.in_arena, Flag(json, "in_arena", true, where));
    if (!by_name_.emplace(value.name, ValueId(problem_.values.size())).second) {
      return InvalidInput(fmt::format("two values are named '{}'", value.name), where);
    }
    problem_.values.push_back(std::move(value));
    return {};
  }

  Result<ValueId> Resolve(const Json& name, const std::string& where) const {
    if (!name.is_string()) return InvalidInput("expected the name of a value", where);
    const auto found = by_name_.find(name.get<std::string>());
    if (found == by_name_.end()) {
      return InvalidInput(fmt::format("there is no value '{}'", name.get<std::string>()), where);
    }
    return found->second;
  }

  Result<ValueId> ResolveKey(const Json& object, const char* key, const std::string& where) const {
    if (!object.contains(key)) return InvalidInput(fmt::format("key '{}' is missing", key), where);
    return Resolve(object[key], where);
  }

  Status ParseOp(const Json& json) {
    const OpId id(problem_.ops.size());
    const std::string where = fmt::format("{}: ops[{}]", where_, id.index());
    OPASS_RETURN_IF_ERROR(
        CheckKeys(json, {"name", "inputs", "outputs", "in_place", "workspace"}, where));
    Op op;
    OPASS_ASSIGN_OR_RETURN(op.name, JsonString(json, "name", where));
    OPASS_ASSIGN_OR_RETURN(const Json* inputs, JsonArray(json, "inputs", where));
    for (const Json& name : *inputs) {
      OPASS_ASSIGN_OR_RETURN(const ValueId input, Resolve(name, where));
      op.inputs.push_back(input);
    }
    OPASS_ASSIGN_OR_RETURN(const Json* outputs, JsonArray(json, "outputs", where));
    for (const Json& name : *outputs) {
      OPASS_ASSIGN_OR_RETURN(const ValueId output, Resolve(name, where));
      op.outputs.push_back(output);
      problem_.value(output).producer = id;  // of two producers Validate refuses the first
    }
    OPASS_RETURN_IF_ERROR(ParseInPlace(json, op, where));
    if (json.contains("workspace")) {
      OPASS_ASSIGN_OR_RETURN(op.workspace_bytes, JsonInt(json, "workspace", where));
    }
    problem_.ops.push_back(std::move(op));
    return {};
  }

  Status ParseInPlace(const Json& json, Op& op, const std::string& where) const {
    if (!json.contains("in_place")) return {};
    OPASS_ASSIGN_OR_RETURN(const Json* pairs, JsonArray(json, "in_place", where));
    for (const Json& pair : *pairs) {
      OPASS_RETURN_IF_ERROR(CheckKeys(pair, {"output", "input"}, where));
      OPASS_ASSIGN_OR_RETURN(const ValueId output, ResolveKey(pair, "output", where));
      OPASS_ASSIGN_OR_RETURN(const ValueId input, ResolveKey(pair, "input", where));
      op.in_place.push_back({output, input});
    }
    return {};
  }

  Status ParseView(const Json& json, Value& value) const {
    if (!json.contains("view")) return {};
    const std::string where = fmt::format("{}: {}", where_, value.name);
    const Json& view = json["view"];
    OPASS_RETURN_IF_ERROR(CheckKeys(view, {"source", "offset"}, where));
    OPASS_ASSIGN_OR_RETURN(const ValueId source, ResolveKey(view, "source", where));
    OPASS_ASSIGN_OR_RETURN(const std::int64_t offset, JsonInt(view, "offset", where));
    value.view = View{source, offset};
    return {};
  }

  const Json& document_;
  const std::string& where_;
  Problem problem_;
  std::unordered_map<std::string, ValueId> by_name_;
};

}  // namespace

std::string ProblemToJson(const Problem& problem) {
  Json json = {{"format", "opass-problem"},
               {"version", 1},
               {"name", problem.name},
               {"alignment", problem.alignment},
               {"inputs", problem.inputs == InputArrival::kFirstUse ? "first_use" : "resident"},
               {"values", Json::array()},
               {"ops", Json::array()}};
  for (const Value& value : problem.values) json["values"].push_back(ValueToJson(problem, value));
  for (const Op& op : problem.ops) json["ops"].push_back(OpToJson(problem, op));
  return DumpByLine(json);
}

Result<Problem> ParseProblem(std::string_view text, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json document, ParseJson(text, where));
  return Parser(document, where).Parse();
}

}  // namespace opass::memory
