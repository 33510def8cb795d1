#include "opass/memory/certificate_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace opass::memory {
namespace {

using Kind = Bound::Kind;
using Segment = Certificate::Segment;

std::vector<std::size_t> StepsOf(const Problem& problem, const std::vector<OpId>& order) {
  std::vector<std::size_t> steps(problem.ops.size());
  for (std::size_t k = 0; k < order.size(); ++k) steps[order[k].index()] = k;
  return steps;
}

// The steps of the operators as half-open ranges.
Json Ranges(const std::vector<std::size_t>& step_of, const std::vector<OpId>& ops) {
  std::vector<std::size_t> steps;
  for (const OpId op : ops) steps.push_back(step_of[op.index()]);
  std::sort(steps.begin(), steps.end());
  Json ranges = Json::array();
  for (const std::size_t step : steps) {
    if (ranges.empty() || ranges.back()[1] != step) ranges.push_back({step, step});
    ranges.back()[1] = step + 1;
  }
  return ranges;
}

Json SearchToJson(const Bound::Search& search) {
  return {{"budget_bytes", search.budget_bytes},
          {"reverse", search.reverse},
          {"nodes", search.nodes},
          {"implied_edges", search.implied_edges},
          {"rules", search.rules}};
}

Json SegmentToJson(const Problem& problem, const std::vector<std::size_t>& step_of,
                   const Segment& segment) {
  const Bound& bound = segment.bound;
  Json json = {{"first", segment.first},
               {"last", segment.last},
               {"peak_bytes", segment.peak_bytes},
               {"kind", NameOf(bound.kind)},
               {"bytes", bound.bytes}};
  const bool has_op = bound.kind == Kind::kOperator || bound.kind == Kind::kOperatorCut ||
                      bound.kind == Kind::kContradiction;
  if (has_op) json["op"] = bound.op.valid() ? Json(problem.op(bound.op).name) : Json();
  if (bound.kind == Kind::kOperatorCut) json["executed_steps"] = Ranges(step_of, bound.executed);
  if (bound.kind == Kind::kContradiction) {
    json["edges"] = Json::array();
    for (const auto& [first, then, cut] : bound.edges) {
      json["edges"].push_back(
          {step_of[first.index()], step_of[then.index()], step_of[cut.index()]});
    }
  }
  if (bound.kind == Kind::kSearch) json["search"] = SearchToJson(bound.search);
  return json;
}

class Parser {
 public:
  Parser(const OpsByName& ops, const std::vector<OpId>& plan_order, const std::string& where)
      : ops_(ops), plan_order_(plan_order), where_(where) {}

  Result<Certificate> Parse(const Json& json) {
    OPASS_RETURN_IF_ERROR(ParseKind(json, where_, certificate_));
    OPASS_RETURN_IF_ERROR(ParseOp(json, where_, certificate_));
    OPASS_ASSIGN_OR_RETURN(certificate_.executed, ParseOpNames(ops_, json, "executed", where_));
    const bool has_segments = json.contains("segments");
    if (certificate_.kind == Kind::kSearch || has_segments != json.contains("splits")) {
      return InvalidInput("it is in a form that is no longer read", where_, "make the plan anew");
    }
    if (has_segments) OPASS_RETURN_IF_ERROR(ParseSegments(json));
    return std::move(certificate_);
  }

 private:
  static Status ParseKind(const Json& json, const std::string& where, Bound& bound) {
    OPASS_ASSIGN_OR_RETURN(const std::string name, JsonString(json, "kind", where));
    const auto found = std::find_if(std::begin(kBoundKinds), std::end(kBoundKinds),
                                    [&](const auto& known) { return known.second == name; });
    if (found == std::end(kBoundKinds)) {
      return InvalidInput(fmt::format("kind '{}' is not known", name), where);
    }
    bound.kind = found->first;
    OPASS_ASSIGN_OR_RETURN(bound.bytes, JsonInt(json, "bytes", where));
    return {};
  }

  Status ParseOp(const Json& json, const std::string& where, Bound& bound) const {
    const auto op = json.find("op");
    if (op == json.end()) return InvalidInput("key 'op' is missing", where);
    if (op->is_null()) return {};
    OPASS_ASSIGN_OR_RETURN(const std::string name, JsonString(json, "op", where));
    OPASS_ASSIGN_OR_RETURN(bound.op, FindOp(ops_, name, where));
    return {};
  }

  Status ParseSegments(const Json& json) {
    if (json.contains("order")) {
      OPASS_ASSIGN_OR_RETURN(certificate_.order, ParseOpNames(ops_, json, "order", where_));
    }
    OPASS_ASSIGN_OR_RETURN(const Json* splits, JsonArray(json, "splits", where_));
    for (const Json& split : *splits) {
      OPASS_ASSIGN_OR_RETURN(const std::size_t step, Step(split, order().size(), where_));
      certificate_.splits.push_back(step);
    }
    OPASS_ASSIGN_OR_RETURN(const Json* segments, JsonArray(json, "segments", where_));
    for (const Json& segment : *segments) {
      const std::string where =
          fmt::format("{}: segments[{}]", where_, certificate_.segments.size());
      OPASS_RETURN_IF_ERROR(ParseSegment(segment, where));
    }
    return {};
  }

  Status ParseSegment(const Json& json, const std::string& where) {
    Segment segment;
    OPASS_RETURN_IF_ERROR(ParseKind(json, where, segment.bound));
    for (const auto& [key, step] : {std::pair{"first", &segment.first}, {"last", &segment.last}}) {
      OPASS_ASSIGN_OR_RETURN(const std::int64_t number, JsonInt(json, key, where));
      OPASS_ASSIGN_OR_RETURN(*step, Step(Json(number), order().size(), where));
    }
    const std::size_t before =
        certificate_.segments.empty() ? 0 : certificate_.segments.back().last;
    if (segment.first != before || segment.last < before) {
      return InvalidInput("it does not begin where the segment before it ends", where);
    }
    OPASS_ASSIGN_OR_RETURN(segment.peak_bytes, JsonInt(json, "peak_bytes", where));
    OPASS_RETURN_IF_ERROR(ParseReason(json, where, segment));
    certificate_.segments.push_back(std::move(segment));
    return {};
  }

  Status ParseReason(const Json& json, const std::string& where, Segment& segment) const {
    Bound& bound = segment.bound;
    switch (bound.kind) {
      case Kind::kNone:
      case Kind::kResident:
        return {};
      case Kind::kOperator:
        return ParseOp(json, where, bound);
      case Kind::kOperatorCut:
        OPASS_RETURN_IF_ERROR(ParseOp(json, where, bound));
        return ParseRanges(json, where, segment);
      case Kind::kContradiction:
        OPASS_RETURN_IF_ERROR(ParseOp(json, where, bound));
        return ParseEdges(json, where, bound);
      case Kind::kSearch:
        return ParseSearch(json, where, bound.search);
      case Kind::kSegments:
        break;
    }
    return InvalidInput("a segment has no segments", where);
  }

  // Within the segment and ascending, so that all segments together list no operator twice.
  Status ParseRanges(const Json& json, const std::string& where, Segment& segment) const {
    OPASS_ASSIGN_OR_RETURN(const Json* ranges, JsonArray(json, "executed_steps", where));
    std::size_t at = segment.first;
    for (const Json& range : *ranges) {
      if (!range.is_array() || range.size() != 2) return NoSteps("executed_steps", where);
      OPASS_ASSIGN_OR_RETURN(const std::size_t first, Step(range[0], segment.last, where));
      OPASS_ASSIGN_OR_RETURN(const std::size_t last, Step(range[1], segment.last, where));
      if (first < at || last <= first) return NoSteps("executed_steps", where);
      for (at = first; at < last; ++at) segment.bound.executed.push_back(order()[at]);
    }
    std::sort(segment.bound.executed.begin(), segment.bound.executed.end());
    return {};
  }

  Status ParseEdges(const Json& json, const std::string& where, Bound& bound) const {
    OPASS_ASSIGN_OR_RETURN(const Json* edges, JsonArray(json, "edges", where));
    for (const Json& edge : *edges) {
      if (!edge.is_array() || edge.size() != 3) return NoSteps("edges", where);
      std::size_t steps[3];
      for (std::size_t i = 0; i < 3; ++i) {
        OPASS_ASSIGN_OR_RETURN(steps[i], Step(edge[i], order().size(), where));
        if (steps[i] == order().size()) return NoSteps("edges", where);
      }
      bound.edges.push_back({order()[steps[0]], order()[steps[1]], order()[steps[2]]});
    }
    return {};
  }

  static Error NoSteps(const char* key, const std::string& where) {
    return InvalidInput(fmt::format("key '{}' holds what are not steps", key), where);
  }

  // A number of steps, at most `last`.
  static Result<std::size_t> Step(const Json& json, std::size_t last, const std::string& where) {
    if (!json.is_number_integer() || json < 0 || json > last) {
      return InvalidInput(fmt::format("a step is not a number from 0 to {}", last), where);
    }
    return json.get<std::size_t>();
  }

  static Status ParseSearch(const Json& json, const std::string& certificate,
                            Bound::Search& search) {
    const std::string where = certificate + ": search";
    const auto found = json.find("search");
    if (found == json.end()) return InvalidInput("key 'search' is missing", certificate);
    OPASS_ASSIGN_OR_RETURN(search.budget_bytes, JsonInt(*found, "budget_bytes", where));
    OPASS_ASSIGN_OR_RETURN(search.reverse, JsonBool(*found, "reverse", where));
    OPASS_ASSIGN_OR_RETURN(search.nodes, JsonInt(*found, "nodes", where));
    OPASS_ASSIGN_OR_RETURN(search.implied_edges, JsonInt(*found, "implied_edges", where));
    OPASS_ASSIGN_OR_RETURN(const Json* rules, JsonArray(*found, "rules", where));
    for (const Json& rule : *rules) {
      if (!rule.is_string()) return InvalidInput("'rules' must hold strings", where);
      search.rules.push_back(rule.get<std::string>());
    }
    return {};
  }

  const std::vector<OpId>& order() const {
    return certificate_.order.empty() ? plan_order_ : certificate_.order;
  }

  const OpsByName& ops_;
  const std::vector<OpId>& plan_order_;
  const std::string& where_;
  Certificate certificate_;
};

}  // namespace

Json OpNames(const Problem& problem, const std::vector<OpId>& ops) {
  Json names = Json::array();
  for (const OpId id : ops) names.push_back(problem.op(id).name);
  return names;
}

Json CertificateToJson(const Problem& problem, const std::vector<OpId>& plan_order,
                       const Certificate& certificate) {
  Json json = {{"kind", NameOf(certificate.kind)}, {"bytes", certificate.bytes}, {"op", nullptr}};
  if (certificate.op.valid()) json["op"] = problem.op(certificate.op).name;
  json["executed"] = OpNames(problem, certificate.executed);
  if (certificate.segments.empty()) return json;
  if (!certificate.order.empty()) json["order"] = OpNames(problem, certificate.order);
  json["splits"] = certificate.splits;
  json["segments"] = Json::array();
  const std::vector<std::size_t> step_of =
      StepsOf(problem, certificate.order.empty() ? plan_order : certificate.order);
  for (const Segment& segment : certificate.segments) {
    json["segments"].push_back(SegmentToJson(problem, step_of, segment));
  }
  return json;
}

Result<OpId> FindOp(const OpsByName& ops, const std::string& name, const std::string& where) {
  const auto found = ops.find(name);
  if (found != ops.end()) return found->second;
  return InvalidInput(fmt::format("the model has no operator '{}'", name), where);
}

Result<std::vector<OpId>> ParseOpNames(const OpsByName& ops, const Json& object, const char* key,
                                       const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Json* names, JsonArray(object, key, where));
  std::vector<OpId> ids;
  for (const Json& name : *names) {
    if (!name.is_string()) return InvalidInput(fmt::format("key '{}' holds no name", key), where);
    OPASS_ASSIGN_OR_RETURN(const OpId id, FindOp(ops, name.get<std::string>(), where + ": " + key));
    ids.push_back(id);
  }
  return ids;
}

Result<Certificate> ParseCertificate(const OpsByName& ops, const std::vector<OpId>& plan_order,
                                     const Json& json, const std::string& where) {
  return Parser(ops, plan_order, where).Parse(json);
}

}  // namespace opass::memory
