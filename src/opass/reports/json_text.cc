#include "opass/reports/claims.h"
#include "opass/reports/report.h"
#include "opass/support/json.h"

namespace opass::reports {
namespace {

Json OrNull(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); }
Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
Json OrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json ToJson(const Figures& figures) {
  Json json;
  json["ops"] = figures.num_ops;
  json["sum_bytes"] = figures.sum_bytes;
  json["weights_bytes"] = figures.weights_bytes;
  json["file_order_peak_bytes"] = figures.file_order_peak_bytes;
  json["peak_bytes"] = OrNull(figures.peak_bytes);
  json["arena_bytes"] = OrNull(figures.arena_bytes);
  json["lower_bound_bytes"] = OrNull(figures.lower_bound_bytes);
  return json;
}

void AddVerification(const Verification& verification, Json& json) {
  json["verified"] = verification.verified ? Json(*verification.verified) : Json();
  json["verified_reason"] = OrNull(verification.reason);
  json["verified_message"] = OrNull(verification.message);
  json["arena_check"] = OrNull(verification.arena_check);
  json["model_check"] = OrNull(verification.model_check);
  json["max_abs_error"] = OrNull(verification.max_abs_error);
  json["max_scaled_error"] = OrNull(verification.max_scaled_error);
  json["worst_tensor"] = OrNull(verification.worst_tensor);
  json["verification_notes"] = verification.notes;
  json["runtime_scratch_bytes"] = OrNull(verification.scratch_bytes);
  json["runtime_scratch_node"] = OrNull(verification.scratch_node);
  json["runtime_outside_bytes"] = OrNull(verification.outside_bytes);
}

Json ToJson(const PassLine& pass) {
  Json json;
  json["name"] = pass.name;
  json["changes"] = pass.num_changes;
  json["notes"] = pass.notes;
  json["seconds"] = pass.seconds;
  return json;
}

Json ToJson(const SearchReport& search) {
  Json json;
  json["strategy"] = search.strategy;
  json["stopped_by"] = OrNull(search.stopped_by);
  json["evaluations"] = search.evaluations;
  json["full_schedules"] = search.full_schedules;
  json["beyond_bound"] = search.beyond_bound;
  json["too_many_macs"] = search.too_many_macs;
  json["repeats"] = search.repeats;
  json["no_changes"] = search.no_changes;
  json["before_peak_bytes"] = search.before_peak_bytes;
  json["after_peak_bytes"] = search.after_peak_bytes;
  json["extra_macs"] = search.extra_macs;
  json["max_extra_macs"] = search.max_extra_macs;
  json["steps"] = Json::array();
  for (const SearchReport::Step& step : search.steps) {
    json["steps"].push_back({{"name", step.name},
                             {"gained_bytes", OrNull(step.gained_bytes)},
                             {"enabled", step.enabled}});
  }
  json["rejected"] = Json::array();
  for (const SearchReport::Attempt& attempt : search.rejected) {
    json["rejected"].push_back({{"name", attempt.name},
                                {"trials", attempt.num_trials},
                                {"outcome", attempt.outcome},
                                {"gained_bytes", OrNull(attempt.gained_bytes)}});
  }
  json["failures"] = search.failures;
  json["removed"] = Json::array();
  for (const SearchReport::Removed& removed : search.removed) {
    json["removed"].push_back({{"name", removed.name},
                               {"message", removed.message},
                               {"reproducers", removed.reproducers}});
  }
  json["notes"] = search.notes;
  return json;
}

}  // namespace

std::string JsonText(const Report& report) {
  const Figures& after = report.after;
  Json json;
  json["model"] = report.model;
  json["output"] = OrNull(report.output);
  json["plan"] = OrNull(report.plan);
  json["ops"] = after.num_ops;
  json["opset"] = report.opset;
  json["input_opset"] = report.input_opset;
  json["target"] = report.target;
  json["alignment"] = report.alignment;
  json["deterministic"] = report.deterministic;
  json["stopped_by_time"] = report.stopped_by_time;
  json["arena_bytes"] = OrNull(after.arena_bytes);
  json["peak_bytes"] = OrNull(after.peak_bytes);
  json["lower_bound_bytes"] = OrNull(after.lower_bound_bytes);
  json["lower_bound_reason"] = OrNull(report.lower_bound_reason);
  json["proven_optimal"] = report.proven_optimal;
  json["gap"] = after.peak_bytes && after.lower_bound_bytes
                    ? Json(Gap(*after.peak_bytes, *after.lower_bound_bytes))
                    : Json();
  json["weights_bytes"] = after.weights_bytes;
  json["sum_bytes"] = after.sum_bytes;
  json["sum_with_weights_bytes"] = after.sum_bytes + after.weights_bytes;
  json["file_order_peak_bytes"] = report.before.file_order_peak_bytes;
  json["scheduler"] = OrNull(report.scheduler);
  json["allocator"] = OrNull(report.allocator);
  json["before"] = ToJson(report.before);
  json["after"] = ToJson(after);
  json["precision"] = OrNull(report.precision);
  json["passes"] = Json::array();
  for (const PassLine& pass : report.passes) json["passes"].push_back(ToJson(pass));
  json["search"] = report.search ? ToJson(*report.search) : Json();
  json["unplanned_values"] = report.unplanned_values;
  json["warnings"] = report.warnings;
  AddVerification(report.verification, json);
  json["certificate"] = report.claims.empty() ? Json() : ClaimsJson(report.claims);
  for (const auto& [stage, time] : report.seconds) json["seconds"][stage] = time;
  // Names out of a model may hold any bytes; JSON must be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace opass::reports
