#include "opass/bounds/simple_bounds.h"

#include <algorithm>

#include "opass/memory/takeover_matching.h"

namespace opass::bounds {

using memory::Certificate;
using memory::OpId;
using memory::Storage;
using memory::StorageId;

Certificate ResidentBound(const memory::StorageGraph& graph) {
  const bool first_use = graph.problem().inputs == memory::InputArrival::kFirstUse;
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (std::size_t i = 0; i < graph.num_storages(); ++i) {
    const Storage& storage = graph.storage(StorageId(i));
    const bool arrives_later = first_use && !storage.readers.empty();
    const bool input = !storage.producer.valid();
    if (input && !arrives_later && memory::IsUsed(storage)) before += storage.size_bytes;
    if (storage.kept) after += storage.size_bytes;
  }
  Certificate certificate;
  certificate.kind = Certificate::Kind::kResident;
  certificate.bytes = std::max(before, after);
  return certificate;
}

Certificate LargestOperatorBound(const memory::StorageGraph& graph) {
  Certificate certificate;
  memory::TakeoverMatching matching(graph);
  for (std::size_t i = 0; i < graph.num_ops(); ++i) {
    const memory::StorageOp& op = graph.op(OpId(i));
    std::int64_t bytes = op.workspace_bytes;
    for (const StorageId input : op.inputs) bytes += graph.storage(input).size_bytes;
    for (const StorageId output : op.outputs) bytes += graph.storage(output).size_bytes;
    bytes -= matching.Solve(OpId(i), [](StorageId) { return true; });
    if (certificate.kind != Certificate::Kind::kNone && bytes <= certificate.bytes) continue;
    certificate.kind = Certificate::Kind::kOperator;
    certificate.bytes = bytes;
    certificate.op = OpId(i);
  }
  return certificate;
}

}  // namespace opass::bounds
