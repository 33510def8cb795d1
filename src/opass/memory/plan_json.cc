#include "opass/memory/plan_json.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "opass/memory/certificate_json.h"
#include "opass/memory/json_text.h"

namespace opass::memory {
namespace {

// kNone is null.
constexpr std::pair<AliasKind, const char*> kAliasKinds[] = {
    {AliasKind::kView, "view"},
    {AliasKind::kInPlace, "in_place"},
    {AliasKind::kConcatSlice, "concat_slice"}};

constexpr std::string_view kResident = "resident";
constexpr std::string_view kFirstUse = "first_use";
constexpr const char* kWorkspaceSuffix = "#workspace";

constexpr std::pair<const char*, std::int64_t Plan::*> kFiguresBeforeProof[] = {
    {"arena_bytes", &Plan::arena_bytes},
    {"peak_bytes", &Plan::peak_bytes},
    {"lower_bound_bytes", &Plan::lower_bound_bytes}};
constexpr std::pair<const char*, std::int64_t Plan::*> kFiguresAfterProof[] = {
    {"weights_bytes", &Plan::weights_bytes},
    {"sum_bytes", &Plan::sum_bytes},
    {"sum_with_weights_bytes", &Plan::sum_with_weights_bytes},
    {"file_order_peak_bytes", &Plan::file_order_peak_bytes}};

Json BufferToJson(const Problem& problem, const Buffer& buffer) {
  Json json = {
      {"value", buffer.value.valid() ? problem.value(buffer.value).name
                                     : problem.op(buffer.workspace_of).name + kWorkspaceSuffix},
      {"offset", buffer.offset_bytes},
      {"size", buffer.size_bytes},
      {"first", buffer.first},
      {"last", buffer.last},
      {"alias_of", nullptr},
      {"alias_kind", nullptr}};
  if (buffer.alias_of.valid()) json["alias_of"] = problem.value(buffer.alias_of).name;
  for (const auto& [kind, name] : kAliasKinds) {
    if (buffer.alias_kind == kind) json["alias_kind"] = name;
  }
  return json;
}

Result<const Json*> Member(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object()) return InvalidInput("expected an object", where);
  const auto found = object.find(key);
  if (found == object.end()) return InvalidInput(fmt::format("key '{}' is missing", key), where);
  return &*found;
}

// The part of a plan that says which problem it answers.
Status ParseConventions(const Json& document, const std::string& where, Plan& plan) {
  OPASS_ASSIGN_OR_RETURN(plan.target, JsonString(document, "target", where));
  OPASS_ASSIGN_OR_RETURN(const Json* sharing, Member(document, "sharing", where));
  const std::string in_sharing = where + ": sharing";
  OPASS_ASSIGN_OR_RETURN(plan.sharing.view, JsonBool(*sharing, "view", in_sharing));
  OPASS_ASSIGN_OR_RETURN(plan.sharing.in_place, JsonBool(*sharing, "in_place", in_sharing));
  OPASS_ASSIGN_OR_RETURN(plan.sharing.concat_slice, JsonBool(*sharing, "concat_slice", in_sharing));
  OPASS_ASSIGN_OR_RETURN(plan.alignment, JsonInt(document, "alignment", where));
  // Not every writer knows the conventions below; these are the defaults.
  if (document.contains("inputs")) {
    OPASS_ASSIGN_OR_RETURN(const std::string inputs, JsonString(document, "inputs", where));
    if (inputs != kResident && inputs != kFirstUse) {
      return InvalidInput(fmt::format("inputs '{}' is not known", inputs), where,
                          "resident or first_use");
    }
    plan.inputs = inputs == kResident ? InputArrival::kResident : InputArrival::kFirstUse;
  }
  if (document.contains("preserve_inputs")) {
    OPASS_ASSIGN_OR_RETURN(plan.preserve_inputs, JsonBool(document, "preserve_inputs", where));
  }
  if (document.contains("exclude_io")) {
    OPASS_ASSIGN_OR_RETURN(plan.exclude_io, JsonBool(document, "exclude_io", where));
  }
  return {};
}

class Parser {
 public:
  Parser(const Problem& problem, const Json& document, const std::string& where)
      : document_(document), where_(where) {
    for (std::size_t i = 0; i < problem.values.size(); ++i) {
      values_.emplace(problem.values[i].name, ValueId(i));
    }
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
      ops_.emplace(problem.ops[i].name, OpId(i));
    }
  }

  Result<Plan> Parse() {
    OPASS_RETURN_IF_ERROR(CheckFormat(document_, "opass-plan", where_));
    OPASS_RETURN_IF_ERROR(ParseHead());
    OPASS_ASSIGN_OR_RETURN(plan_.order, ParseOpNames(ops_, document_, "order", where_));
    OPASS_ASSIGN_OR_RETURN(const Json* buffers, JsonArray(document_, "buffers", where_));
    for (const Json& json : *buffers) {
      const std::string where = fmt::format("{}: buffers[{}]", where_, plan_.buffers.size());
      OPASS_ASSIGN_OR_RETURN(const Buffer buffer, ParseBuffer(json, where));
      plan_.buffers.push_back(buffer);
    }
    OPASS_ASSIGN_OR_RETURN(const Json* unplanned, JsonArray(document_, "unplanned_values", where_));
    for (const Json& name : *unplanned) {
      if (!name.is_string()) return InvalidInput("unplanned_values holds no name", where_);
      plan_.unplanned_values.push_back(name.get<std::string>());
    }
    if (const auto json = document_.find("certificate"); json != document_.end()) {
      OPASS_ASSIGN_OR_RETURN(plan_.certificate,
                             ParseCertificate(ops_, plan_.order, *json, where_ + ": certificate"));
    }
    return std::move(plan_);
  }

 private:
  Status ParseHead() {
    OPASS_RETURN_IF_ERROR(ParseConventions(document_, where_, plan_));
    OPASS_ASSIGN_OR_RETURN(plan_.deterministic, JsonBool(document_, "deterministic", where_));
    OPASS_ASSIGN_OR_RETURN(plan_.proven_optimal, JsonBool(document_, "proven_optimal", where_));
    for (const auto& [key, figure] : kFiguresBeforeProof) {
      OPASS_ASSIGN_OR_RETURN(plan_.*figure, JsonInt(document_, key, where_));
    }
    for (const auto& [key, figure] : kFiguresAfterProof) {
      OPASS_ASSIGN_OR_RETURN(plan_.*figure, JsonInt(document_, key, where_));
    }
    return {};
  }

  Result<Buffer> ParseBuffer(const Json& json, const std::string& where) const {
    Buffer buffer;
    OPASS_RETURN_IF_ERROR(ParseOwner(json, where, buffer));
    OPASS_ASSIGN_OR_RETURN(buffer.offset_bytes, JsonInt(json, "offset", where));
    OPASS_ASSIGN_OR_RETURN(buffer.size_bytes, JsonInt(json, "size", where));
    OPASS_ASSIGN_OR_RETURN(buffer.first, JsonInt(json, "first", where));
    OPASS_ASSIGN_OR_RETURN(buffer.last, JsonInt(json, "last", where));
    OPASS_ASSIGN_OR_RETURN(const Json* source, Member(json, "alias_of", where));
    if (!source->is_null()) {
      OPASS_ASSIGN_OR_RETURN(const std::string name, JsonString(json, "alias_of", where));
      const auto found = values_.find(name);
      if (found == values_.end()) {
        return InvalidInput(fmt::format("the model has no value '{}'", name), where);
      }
      buffer.alias_of = found->second;
    }
    OPASS_ASSIGN_OR_RETURN(const Json* kind, Member(json, "alias_kind", where));
    if (kind->is_null()) return buffer;
    OPASS_ASSIGN_OR_RETURN(const std::string name, JsonString(json, "alias_kind", where));
    for (const auto& [known, known_name] : kAliasKinds) {
      if (name == known_name) buffer.alias_kind = known;
    }
    if (buffer.alias_kind != AliasKind::kNone) return buffer;
    return InvalidInput(fmt::format("alias_kind '{}' is not known", name), where);
  }

  Status ParseOwner(const Json& json, const std::string& where, Buffer& buffer) const {
    OPASS_ASSIGN_OR_RETURN(const std::string name, JsonString(json, "value", where));
    if (const auto value = values_.find(name); value != values_.end()) {
      buffer.value = value->second;
      return {};
    }
    const std::string_view suffix = kWorkspaceSuffix;
    if (name.ends_with(suffix)) {
      const auto op = ops_.find(name.substr(0, name.size() - suffix.size()));
      if (op != ops_.end()) {
        buffer.workspace_of = op->second;
        return {};
      }
    }
    return InvalidInput(fmt::format("the model has no value '{}'", name), where);
  }

  const Json& document_;
  const std::string& where_;
  std::unordered_map<std::string, ValueId> values_;
  OpsByName ops_;
  Plan plan_;
};

}  // namespace

std::string PlanToJson(const Problem& problem, const Plan& plan) {
  Json json = {{"format", "opass-plan"},
               {"version", 1},
               {"target", plan.target},
               {"sharing",
                {{"view", plan.sharing.view},
                 {"in_place", plan.sharing.in_place},
                 {"concat_slice", plan.sharing.concat_slice}}},
               {"alignment", plan.alignment},
               {"inputs", plan.inputs == InputArrival::kResident ? kResident : kFirstUse},
               {"preserve_inputs", plan.preserve_inputs},
               {"exclude_io", plan.exclude_io},
               {"deterministic", plan.deterministic}};
  for (const auto& [key, figure] : kFiguresBeforeProof) json[key] = plan.*figure;
  json["proven_optimal"] = plan.proven_optimal;
  for (const auto& [key, figure] : kFiguresAfterProof) json[key] = plan.*figure;
  json["order"] = OpNames(problem, plan.order);
  json["buffers"] = Json::array();
  for (const Buffer& buffer : plan.buffers) {
    json["buffers"].push_back(BufferToJson(problem, buffer));
  }
  json["unplanned_values"] = plan.unplanned_values;
  json["certificate"] = CertificateToJson(problem, plan.order, plan.certificate);
  return DumpByLine(json);
}

Result<Plan> ParsePlan(const Problem& problem, std::string_view text, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json document, ParseJson(text, where));
  return Parser(problem, document, where).Parse();
}

Result<PlanHead> ParsePlanHead(std::string_view text, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json document, ParseJson(text, where));
  OPASS_RETURN_IF_ERROR(CheckFormat(document, "opass-plan", where));
  PlanHead head;
  OPASS_RETURN_IF_ERROR(ParseConventions(document, where, head.conventions));
  OPASS_ASSIGN_OR_RETURN(const Json* buffers, JsonArray(document, "buffers", where));
  const std::string_view suffix = kWorkspaceSuffix;
  for (const Json& buffer : *buffers) {
    OPASS_ASSIGN_OR_RETURN(std::string name, JsonString(buffer, "value", where));
    if (!name.ends_with(suffix)) continue;
    OPASS_ASSIGN_OR_RETURN(const std::int64_t size, JsonInt(buffer, "size", where));
    if (size < 0) return InvalidInput("a workspace has a negative size", where + ": " + name);
    name.resize(name.size() - suffix.size());
    head.workspace_bytes[std::move(name)] = size;
  }
  return head;
}

}  // namespace opass::memory
