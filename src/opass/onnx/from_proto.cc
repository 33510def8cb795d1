#include "opass/onnx/from_proto.h"

#include <fmt/format.h>

#include "onnx/defs/schema.h"
#include "opass/onnx/check.h"
#include "opass/onnx/external_files.h"
#include "opass/onnx/functions.h"
#include "opass/onnx/graph_reader.h"

namespace opass::onnxlib {
namespace {

// The oldest IR version in which initializers need not be inputs. Older files mean the same thing
// when they are written that way.
constexpr std::int64_t kMinIrVersion = 4;
constexpr std::int64_t kMaxOpset = 1'000'000;

Status CheckOpset(const std::string& domain, std::int64_t version, const std::string& where) {
  const auto& known = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = known.find(domain);
  const std::int64_t lowest = range == known.end() ? 1 : range->second.first;
  const std::int64_t highest = range == known.end() ? kMaxOpset : range->second.second;
  if (version >= lowest && version <= highest) return {};
  return WithReason(
      InvalidInput(fmt::format("operator set {} of '{}' is not known (known: {} to {})", version,
                               domain.empty() ? "ai.onnx" : domain, lowest, highest),
                   where),
      "unknown-opset");
}

Status ReadOpsets(::onnx::ModelProto& proto, const std::string& where) {
  if (proto.ir_version() < 3 && proto.opset_import().empty()) {
    proto.add_opset_import()->set_version(1);
  }
  std::map<std::string, std::int64_t> opsets;
  for (auto& entry : *proto.mutable_opset_import()) {
    if (entry.domain() == "ai.onnx") entry.clear_domain();
    OPASS_RETURN_IF_ERROR(CheckOpset(entry.domain(), entry.version(), where));
    const auto [found, fresh] = opsets.emplace(entry.domain(), entry.version());
    if (!fresh && found->second != entry.version()) {
      return WithReason(
          InvalidInput(fmt::format("imports '{}' in two versions", entry.domain()), where),
          "unknown-opset");
    }
  }
  if (!opsets.empty()) return {};
  return WithReason(InvalidInput("imports no operator set", where), "unknown-opset");
}

}  // namespace

Result<ir::Model> ModelFromProto(::onnx::ModelProto& proto, const std::string& where,
                                 const std::string& folder) {
  const auto malformed = [&](std::string message) {
    return WithReason(InvalidInput(std::move(message), where), "malformed-file");
  };
  if (!proto.has_graph()) return malformed("not an ONNX model: it has no graph");
  if (proto.ir_version() < 1 || proto.ir_version() > ::onnx::IR_VERSION) {
    return malformed(fmt::format("IR version {} is not known (known: 1 to {})", proto.ir_version(),
                                 static_cast<int>(::onnx::IR_VERSION)));
  }
  OPASS_RETURN_IF_ERROR(ReadOpsets(proto, where));
  OPASS_RETURN_IF_ERROR(InlineFunctions(proto, where));
  ir::Model model;
  ExternalFiles files(folder);
  GraphReader reader(*proto.mutable_graph(), where, proto.ir_version(), files);
  OPASS_ASSIGN_OR_RETURN(model.graph, reader.Read());
  model.ir_version = std::max<std::int64_t>(proto.ir_version(), kMinIrVersion);
  for (const auto& entry : proto.opset_import()) model.opsets[entry.domain()] = entry.version();
  model.producer_name = proto.producer_name();
  model.producer_version = proto.producer_version();
  model.domain = proto.domain();
  model.model_version = proto.model_version();
  model.doc_string = proto.doc_string();
  for (const auto& entry : proto.metadata_props()) {
    model.metadata.emplace_back(entry.key(), entry.value());
  }
  model.folder = folder;
  proto.Clear();
  OPASS_RETURN_IF_ERROR(CheckModel(model, where));
  OPASS_RETURN_IF_ERROR(ir::Verify(model.graph));
  return model;
}

}  // namespace opass::onnxlib
