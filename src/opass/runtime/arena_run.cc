#include "opass/runtime/arena_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace opass::runtime {
namespace {

constexpr const char* kMissingInput = "missing-input";

// The first byte that differs; -1 when none does.
std::int64_t FirstDifferentByte(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0)) {
    return -1;
  }
  const auto [at, other] = std::ranges::mismatch(a, b);
  return at - a.begin();
}

// Values of the runtime's own memory: strings, sequences, shapes known late. -1: the same.
Result<std::int64_t> CompareOwned(ort::OrtValue* a, ort::OrtValue* b) {
  if (a == nullptr || b == nullptr) return a == b ? -1 : 0;
  auto ours = ort::ReadTensors(a);
  auto theirs = ort::ReadTensors(b);
  // A kind of value that cannot be read (a map, an optional) is compared where it is used.
  if (!ours.ok() || !theirs.ok()) return -1;
  if (ours->size() != theirs->size()) return 0;
  for (std::size_t i = 0; i < ours->size(); ++i) {
    if (!ir::SameContent(*(*ours)[i], *(*theirs)[i])) {
      return std::max<std::int64_t>(0, FirstDifferentByte((*ours)[i]->bytes, (*theirs)[i]->bytes));
    }
  }
  return -1;
}

}  // namespace

Status ArenaRun::Start(const std::map<std::string, ir::TensorPtr>& inputs) {
  for (const ir::ValueId id : graph_.inputs) {
    const ir::Value& value = graph_.value(id);
    if (value.constant != nullptr) continue;
    const std::string where = fmt::format("input '{}'", value.name);
    const auto found = inputs.find(value.name);
    if (found == inputs.end() || found->second == nullptr) {
      return WithReason(InvalidInput("no value is given", where), kMissingInput);
    }
    const ir::Tensor& tensor = *found->second;
    const auto dims = value.type.StaticDims();
    if (tensor.type != value.type.elem || (dims && *dims != tensor.dims)) {
      return InvalidInput(
          fmt::format("a tensor of type {} is given, the model has {}",
                      ir::Type::Tensor(tensor.type, tensor.dims).ToString(), value.type.ToString()),
          where);
    }
    inputs_[id] = found->second;
    if (lockstep()) OPASS_RETURN_IF_ERROR(reference_.Set(id, tensor));
    if (layout_.buffer(id) == nullptr) OPASS_RETURN_IF_ERROR(outside_.Set(id, tensor));
  }
  prepared_.arena->Poison(0, prepared_.planned.plan.arena_bytes);
  return {};
}

// A tensor of the runtime over the value's planned bytes.
Status ArenaRun::Place(ir::ValueId id) {
  const memory::Buffer* buffer = layout_.buffer(id);
  const ir::Value& value = graph_.value(id);
  OPASS_ASSIGN_OR_RETURN(planned_[id.index()],
                         ort::WrapMemory(Address(*buffer), *PlannableBytes(value), value.type.elem,
                                         *value.type.StaticDims()));
  return {};
}

Status ArenaRun::WriteArrivals(std::size_t step) {
  for (const ir::ValueId id : layout_.arrivals(step)) {
    const ir::Tensor& tensor = *inputs_.at(id);
    if (!tensor.bytes.empty()) {
      std::memcpy(Address(*layout_.buffer(id)), tensor.bytes.data(), tensor.bytes.size());
    }
    OPASS_RETURN_IF_ERROR(Place(id));
  }
  return {};
}

// A view that has no kernel: its bytes are a part of its source's.
Status ArenaRun::CopyView(std::size_t step) {
  const memory::Problem& problem = prepared_.planned.problem;
  for (const memory::ValueId output : layout_.op(step).outputs) {
    const ir::ValueId id = prepared_.planned.value_of[output.index()];
    const std::optional<memory::View>& view = problem.value(output).view;
    const std::byte* source =
        view ? reference_.memory(prepared_.planned.value_of[view->source.index()]) : nullptr;
    if (!id.valid() || source == nullptr) {
      return InternalError("a view has no source", problem.value(output).name);
    }
    OPASS_RETURN_IF_ERROR(reference_.Reserve(id));
    std::memcpy(reference_.memory(id), source + view->offset_bytes,
                static_cast<std::size_t>(*PlannableBytes(graph_.value(id))));
  }
  return {};
}

Status ArenaRun::RunReference(std::size_t step) {
  std::optional<NodeSession>& session = prepared_.sessions[step];
  return session ? reference_.Run(*session) : CopyView(step);
}

void ArenaRun::Count(std::size_t step, const ort::StepUse& use, bool runtime_allocates) {
  report_.outside_bytes = std::max(report_.outside_bytes, outside_live_bytes_ + use.outside_bytes);
  report_.outside_allocations += use.misses;
  if (!runtime_allocates) {
    auto& scratch = prepared_.scratch_bytes[step];
    scratch = std::max(scratch, use.scratch_bytes);
  }
}

Status ArenaRun::RunInArena(std::size_t step) {
  NodeSession* session = nullptr;
  if (!layout_.IsView(step)) session = &*prepared_.sessions[step];
  const ir::Node& node = graph_.node(layout_.order()[step]);
  std::vector<ir::ValueId> unplanned;
  for (const ir::ValueId id : node.outputs) {
    if (!id.valid()) continue;
    if (layout_.buffer(id) == nullptr) {
      unplanned.push_back(id);
    } else {
      OPASS_RETURN_IF_ERROR(Place(id));
    }
  }
  if (session == nullptr) return {};
  std::vector<const ort::OrtValue*> inputs;
  for (const ir::ValueId id : session->inputs()) inputs.push_back(Get(id));
  std::vector<ort::Value> outputs;
  for (const ir::ValueId id : session->outputs()) {
    outputs.push_back(std::move(planned_[id.index()]));
  }
  std::span<std::byte> region;
  // What the runtime allocates for an output would stay in the region after the step.
  if (const memory::Buffer* workspace = layout_.workspace(step);
      workspace != nullptr && unplanned.empty()) {
    region = {Address(*workspace), static_cast<std::size_t>(workspace->size_bytes)};
  }
  ort::CountingAllocator& allocator = prepared_.environment->allocator();
  allocator.BeginStep(region);
  const Status status = session->Run(inputs, outputs);
  const ort::StepUse use = allocator.EndStep();
  OPASS_RETURN_IF_ERROR(Status(status));
  Count(step, use, !unplanned.empty());
  if (use.region_in_use) {
    return InternalError("a kernel keeps memory of its planned workspace", Describe(node));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ir::ValueId id = session->outputs()[i];
    if (layout_.buffer(id) != nullptr) {
      planned_[id.index()] = std::move(outputs[i]);
    } else {
      outside_.Put(id, std::move(outputs[i]));
    }
  }
  if (!unplanned.empty()) {
    outside_bytes_[unplanned[0].index()] = use.retained_bytes;
    outside_live_bytes_ += use.retained_bytes;
  }
  return {};
}

Status ArenaRun::Compare(ir::ValueId id, std::int64_t step, const std::string& node,
                         bool overwritten) {
  if (failed() || !lockstep()) return {};
  const memory::Buffer* buffer = layout_.buffer(id);
  std::int64_t byte = -1;
  const std::byte* ours = nullptr;
  if (buffer != nullptr) {
    ours = Address(*buffer);
    const auto size = static_cast<std::size_t>(*PlannableBytes(graph_.value(id)));
    byte = FirstDifferentByte({ours, size}, {reference_.memory(id), size});
  } else if (!overwritten) {
    OPASS_ASSIGN_OR_RETURN(byte, CompareOwned(outside_.get(id), reference_.get(id)));
  }
  if (byte < 0) return {};
  Difference difference;
  difference.step = step;
  difference.node = node;
  difference.value = graph_.value(id).name;
  difference.overwritten = overwritten;
  difference.in_arena = buffer != nullptr;
  difference.byte = byte;
  if (buffer != nullptr) {
    difference.offset_bytes = buffer->offset_bytes;
    difference.arena_address = ours;
    difference.reference_address = reference_.memory(id);
    difference.also_there = layout_.Neighbours(*buffer);
  }
  report_.difference = std::move(difference);
  return {};
}

void ArenaRun::ReleaseDead(std::size_t step) {
  const ir::NodeId node = layout_.order()[step];
  const auto release = [&](ir::ValueId id) {
    if (!id.valid() || prepared_.last_uses[id.index()] > static_cast<std::int64_t>(step)) return;
    planned_[id.index()].reset();
    // An input that must keep its bytes is compared at the end.
    if (!inputs_.contains(id)) reference_.Release(id);
    outside_.Release(id);
    outside_live_bytes_ -= std::exchange(outside_bytes_[id.index()], 0);
  };
  for (const ir::ValueId id : graph_.Reads(node)) release(id);
  for (const ir::ValueId id : graph_.node(node).outputs) release(id);
}

Status ArenaRun::Step(std::size_t step) {
  const std::string name = Describe(graph_.node(layout_.order()[step]));
  const auto at = static_cast<std::int64_t>(step);
  OPASS_RETURN_IF_ERROR(WriteArrivals(step));
  for (const ir::ValueId id : graph_.Reads(layout_.order()[step])) {
    if (graph_.value(id).constant != nullptr) continue;
    OPASS_RETURN_IF_ERROR(Compare(id, at, name, true));
  }
  if (failed()) return {};
  if (lockstep()) OPASS_RETURN_IF_ERROR(RunReference(step));
  const auto start = std::chrono::steady_clock::now();
  OPASS_RETURN_IF_ERROR(RunInArena(step));
  report_.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const ir::ValueId id : graph_.node(layout_.order()[step]).outputs) {
    if (id.valid()) OPASS_RETURN_IF_ERROR(Compare(id, at, name, false));
  }
  if (failed()) return {};
  for (const ByteRange& range : layout_.freed(step)) {
    prepared_.arena->Poison(range.begin, range.end);
  }
  ReleaseDead(step);
  return {};
}

Status ArenaRun::Finish() {
  const auto steps = static_cast<std::int64_t>(layout_.order().size());
  const memory::Problem& problem = prepared_.planned.problem;
  for (const memory::Buffer& buffer : prepared_.planned.plan.buffers) {
    if (!buffer.value.valid()) continue;
    const memory::Value& value = problem.value(buffer.value);
    const ir::ValueId id = prepared_.planned.value_of[buffer.value.index()];
    const bool is_placed = id.valid() && layout_.buffer(id) != nullptr;
    if (is_placed && (value.is_output || value.is_preserved)) {
      OPASS_RETURN_IF_ERROR(Compare(id, steps, "", true));
    }
  }
  if (!prepared_.arena->CanaryIsIntact()) {
    return InternalError("a kernel wrote outside of the arena");
  }
  report_.compared = lockstep();
  report_.bit_equal = lockstep() && !failed();
  if (failed()) return {};
  for (const ir::ValueId id : graph_.outputs) {
    const ir::Value& value = graph_.value(id);
    if (value.constant != nullptr) {
      report_.outputs[value.name] = value.constant;
    } else if (ort::OrtValue* tensor = Get(id); tensor != nullptr && ort::IsTensor(tensor)) {
      OPASS_ASSIGN_OR_RETURN(report_.outputs[value.name], ort::ReadTensor(tensor));
    }
  }
  return {};
}

}  // namespace opass::runtime
