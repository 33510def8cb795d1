#include "opass/runtime/value_store.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "opass/support/bytes.h"

namespace opass::runtime {

Memory AllocateMemory(std::int64_t size_bytes) {
  constexpr std::int64_t kAlignment = 64;
  const std::int64_t size = RoundUp(std::max<std::int64_t>(size_bytes, 1), kAlignment);
  return Memory(
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(size))));
}

std::optional<std::int64_t> PlannableBytes(const ir::Value& value) {
  if (value.type.kind != ir::Type::Kind::kTensor) return std::nullopt;
  return value.type.SizeBytes();
}

Status ValueStore::Set(ir::ValueId id, const ir::Tensor& tensor) {
  if (tensor.type == ir::DataType::kString) {
    OPASS_ASSIGN_OR_RETURN(ort::Value value, ort::FromTensor(tensor));
    Put(id, std::move(value));
    return {};
  }
  const auto size = static_cast<std::int64_t>(tensor.bytes.size());
  Memory memory = AllocateMemory(size);
  if (memory == nullptr) return EnvironmentError("out of memory", graph_->value(id).name);
  if (size > 0) std::memcpy(memory.get(), tensor.bytes.data(), tensor.bytes.size());
  OPASS_ASSIGN_OR_RETURN(ort::Value value,
                         ort::WrapMemory(memory.get(), size, tensor.type, tensor.dims));
  slots_[id.index()] = {std::move(memory), std::move(value)};
  return {};
}

Result<bool> ValueStore::Reserve(ir::ValueId id) {
  const ir::Value& value = graph_->value(id);
  const std::optional<std::int64_t> size = PlannableBytes(value);
  if (!size) return false;
  Memory memory = AllocateMemory(*size);
  if (memory == nullptr) return EnvironmentError("out of memory", value.name);
  OPASS_ASSIGN_OR_RETURN(ort::Value tensor, ort::WrapMemory(memory.get(), *size, value.type.elem,
                                                            *value.type.StaticDims()));
  slots_[id.index()] = {std::move(memory), std::move(tensor)};
  return true;
}

Status ValueStore::Run(NodeSession& session) {
  std::vector<const ort::OrtValue*> inputs;
  for (const ir::ValueId id : session.inputs()) inputs.push_back(get(id));
  std::vector<ort::Value> outputs;
  for (const ir::ValueId id : session.outputs()) {
    OPASS_RETURN_IF_ERROR(Reserve(id));
    outputs.push_back(std::move(slots_[id.index()].value));
  }
  OPASS_RETURN_IF_ERROR(session.Run(inputs, outputs));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    slots_[session.outputs()[i].index()].value = std::move(outputs[i]);
  }
  return {};
}

std::vector<std::int64_t> LastUses(const ir::Graph& graph, std::span<const ir::NodeId> order) {
  std::vector<std::int64_t> last(graph.num_values(), -1);
  for (std::size_t step = 0; step < order.size(); ++step) {
    for (const ir::ValueId id : graph.Reads(order[step])) {
      last[id.index()] = static_cast<std::int64_t>(step);
    }
  }
  for (const ir::ValueId id : graph.outputs) {
    last[id.index()] = static_cast<std::int64_t>(order.size());
  }
  return last;
}

}  // namespace opass::runtime
