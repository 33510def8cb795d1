#include "opass/schedulers/search/part.h"

#include <algorithm>

namespace opass::schedulers {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::ValueId;

class PartMaker {
 public:
  PartMaker(Part& part, const memory::StorageGraph& whole, std::span<const OpId> before,
            std::span<const OpId> ops)
      : part_(part), whole_(whole), where_(whole.num_ops(), Where::kAfter) {
    for (const OpId op : before) where_[op.index()] = Where::kBefore;
    for (const OpId op : ops) where_[op.index()] = Where::kHere;
    value_of_.resize(whole.num_storages());
    done_.resize(whole.num_ops());
    here_.resize(whole.num_ops());
  }

  void Make(std::span<const OpId> ops, std::span<const Precedence> extra) {
    part_.problem_.alignment = 1;  // sizes are rounded already
    for (std::size_t i = 0; i < whole_.num_storages(); ++i) AddBorn(StorageId(i));
    memory::Value constant;
    constant.size_bytes = untouched_bytes_;
    constant.is_preserved = true;
    part_.problem_.values.push_back(constant);
    std::vector<std::vector<OpId>> also_after(extra.empty() ? 0 : whole_.num_ops());
    for (const auto& [first, then] : extra) also_after[then.index()].push_back(first);
    for (const OpId op : ops) {
      std::vector<OpId> waits_for = whole_.op(op).predecessors;
      if (!extra.empty()) {
        waits_for.insert(waits_for.end(), also_after[op.index()].begin(),
                         also_after[op.index()].end());
      }
      AddOp(op, waits_for);
    }
  }

 private:
  enum class Where : std::uint8_t { kBefore, kHere, kAfter };

  bool HasReader(const Storage& storage, Where where) const {
    return std::any_of(storage.readers.begin(), storage.readers.end(),
                       [&](OpId op) { return where_[op.index()] == where; });
  }

  bool IsBorn(const Storage& storage) const {
    if (storage.producer.valid()) return where_[storage.producer.index()] == Where::kBefore;
    const bool arrives = whole_.problem().inputs == memory::InputArrival::kFirstUse;
    return !arrives || storage.readers.empty() || HasReader(storage, Where::kBefore);
  }

  ValueId AddValue(StorageId id, OpId producer) {
    const Storage& storage = whole_.storage(id);
    const ValueId value(part_.problem_.values.size());
    memory::Value& added = part_.problem_.values.emplace_back();
    added.size_bytes = storage.size_bytes;
    added.producer = producer;
    added.is_output = storage.kept || HasReader(storage, Where::kAfter);
    value_of_[id.index()] = value;
    return value;
  }

  void AddBorn(StorageId id) {
    const Storage& storage = whole_.storage(id);
    if (!IsBorn(storage)) return;
    if (HasReader(storage, Where::kHere)) {
      AddValue(id, OpId());
    } else if (storage.kept || HasReader(storage, Where::kAfter)) {
      untouched_bytes_ += storage.size_bytes;
    }
  }

  void Load(StorageId id) {
    const OpId op(part_.problem_.ops.size());
    part_.problem_.ops.emplace_back();
    part_.origin_.emplace_back();
    const ValueId value = AddValue(id, op);
    part_.problem_.op(op).outputs.push_back(value);
  }

  // A value of no bytes by which others wait for the operator.
  ValueId DoneValue(OpId id) {
    ValueId& done = done_[id.index()];
    if (done.valid()) return done;
    done = ValueId(part_.problem_.values.size());
    const OpId producer = here_[id.index()];
    part_.problem_.values.emplace_back().producer = producer;
    part_.problem_.op(producer).outputs.push_back(done);
    return done;
  }

  void AddOp(OpId id, const std::vector<OpId>& waits_for) {
    const memory::StorageOp& op = whole_.op(id);
    for (const StorageId input : op.inputs) {
      if (!value_of_[input.index()].valid()) Load(input);  // else born, or made by one before
    }
    memory::Op made;
    made.workspace_bytes = op.workspace_bytes;
    for (const StorageId input : op.inputs) made.inputs.push_back(value_of_[input.index()]);
    for (const OpId first : waits_for) {
      if (where_[first.index()] != Where::kHere || Reads(made.inputs, first)) continue;
      made.inputs.push_back(DoneValue(first));
    }
    const OpId here(part_.problem_.ops.size());
    here_[id.index()] = here;
    for (const StorageId output : op.outputs) made.outputs.push_back(AddValue(output, here));
    for (const memory::Takeover& takeover : op.takeovers) {
      made.in_place.push_back(
          {value_of_[takeover.output.index()], value_of_[takeover.input.index()]});
    }
    part_.problem_.ops.push_back(std::move(made));
    part_.origin_.push_back(id);
  }

  bool Reads(const std::vector<ValueId>& inputs, OpId producer) const {
    return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
      return part_.problem_.value(input).producer == here_[producer.index()];
    });
  }

  Part& part_;
  const memory::StorageGraph& whole_;
  std::vector<Where> where_;
  std::vector<ValueId> value_of_;  // per storage of the whole
  std::vector<ValueId> done_;      // per operator of the whole
  std::vector<OpId> here_;         // per operator of the whole: that of the part
  std::int64_t untouched_bytes_ = 0;
};

Part::Part(const memory::StorageGraph& whole, std::span<const OpId> before,
           std::span<const OpId> ops, std::span<const Precedence> extra) {
  PartMaker(*this, whole, before, ops).Make(ops, extra);
  graph_ = std::make_unique<const memory::StorageGraph>(problem_);
  steps_ = std::make_unique<const StepGraph>(*graph_);
}

std::vector<OpId> Part::GivenOrder() const {
  std::vector<OpId> order;
  for (std::size_t i = 0; i < origin_.size(); ++i) order.emplace_back(i);
  return order;
}

std::vector<OpId> Part::InWhole(std::span<const OpId> ops) const {
  std::vector<OpId> whole;
  for (const OpId op : ops) {
    if (origin(op).valid()) whole.push_back(origin(op));
  }
  return whole;
}

}  // namespace opass::schedulers
