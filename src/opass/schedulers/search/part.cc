#include "opass/schedulers/search/part.h"

#include <algorithm>
#include <unordered_map>

namespace opass::schedulers {

using memory::OpId;
using memory::Storage;
using memory::StorageId;
using memory::ValueId;

namespace {

enum class Where : std::uint8_t { kBefore, kHere, kAfter };

// Where the operators of the whole run.
class OpSets {
 public:
  OpSets(std::size_t num_ops, std::span<const OpId> before, std::span<const OpId> here)
      : where_(num_ops, Where::kAfter) {
    for (const OpId op : before) where_[op.index()] = Where::kBefore;
    for (const OpId op : here) where_[op.index()] = Where::kHere;
  }
  explicit OpSets(const OrderWindow& window) : window_(&window) {}

  Where Of(OpId op) const {
    if (window_ == nullptr) return where_[op.index()];
    const std::size_t position = window_->position[op.index()];
    if (position < window_->first) return Where::kBefore;
    return position < window_->last ? Where::kHere : Where::kAfter;
  }

 private:
  std::vector<Where> where_;
  const OrderWindow* window_ = nullptr;
};

}  // namespace

class PartMaker {
 public:
  PartMaker(Part& part, const memory::StorageGraph& whole, const OpSets& sets)
      : part_(part), whole_(whole), sets_(sets) {
    part_.problem_.alignment = 1;  // sizes are rounded already
  }

  // `storages`: all that are live before the part, among others. `known_bytes`: live bytes of more.
  void Make(std::span<const StorageId> storages, std::int64_t known_bytes,
            std::span<const OpId> ops, std::span<const Precedence> extra) {
    untouched_bytes_ = known_bytes;
    for (const StorageId id : storages) AddBorn(id);
    memory::Value constant;
    constant.size_bytes = untouched_bytes_;
    constant.is_preserved = true;
    part_.problem_.values.push_back(constant);
    std::unordered_map<OpId, std::vector<OpId>> also_after;
    for (const auto& [first, then] : extra) also_after[then].push_back(first);
    for (const OpId op : ops) {
      std::vector<OpId> waits_for = whole_.op(op).predecessors;
      if (const auto found = also_after.find(op); found != also_after.end()) {
        waits_for.insert(waits_for.end(), found->second.begin(), found->second.end());
      }
      AddOp(op, waits_for);
    }
  }

  bool IsBorn(const Storage& storage) const {
    if (storage.producer.valid()) return sets_.Of(storage.producer) == Where::kBefore;
    const bool arrives = whole_.problem().inputs == memory::InputArrival::kFirstUse;
    return !arrives || storage.readers.empty() || HasReader(storage, Where::kBefore);
  }

 private:
  bool HasReader(const Storage& storage, Where where) const {
    return std::any_of(storage.readers.begin(), storage.readers.end(),
                       [&](OpId op) { return sets_.Of(op) == where; });
  }

  ValueId AddValue(StorageId id, OpId producer) {
    const Storage& storage = whole_.storage(id);
    const ValueId value(part_.problem_.values.size());
    memory::Value& added = part_.problem_.values.emplace_back();
    added.size_bytes = storage.size_bytes;
    added.producer = producer;
    added.is_output = storage.kept || HasReader(storage, Where::kAfter);
    value_of_[id] = value;
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
    ValueId& done = done_[id];
    if (done.valid()) return done;
    done = ValueId(part_.problem_.values.size());
    const OpId producer = here_.at(id);
    part_.problem_.values.emplace_back().producer = producer;
    part_.problem_.op(producer).outputs.push_back(done);
    return done;
  }

  void AddOp(OpId id, const std::vector<OpId>& waits_for) {
    const memory::StorageOp& op = whole_.op(id);
    for (const StorageId input : op.inputs) {
      if (!value_of_.contains(input)) Load(input);  // else born, or made by one before
    }
    memory::Op made;
    made.workspace_bytes = op.workspace_bytes;
    for (const StorageId input : op.inputs) made.inputs.push_back(value_of_.at(input));
    for (const OpId first : waits_for) {
      if (sets_.Of(first) != Where::kHere || Reads(made.inputs, first)) continue;
      made.inputs.push_back(DoneValue(first));
    }
    const OpId here(part_.problem_.ops.size());
    here_[id] = here;
    for (const StorageId output : op.outputs) made.outputs.push_back(AddValue(output, here));
    for (const memory::Takeover& takeover : op.takeovers) {
      made.in_place.push_back({value_of_.at(takeover.output), value_of_.at(takeover.input)});
    }
    part_.problem_.ops.push_back(std::move(made));
    part_.origin_.push_back(id);
  }

  bool Reads(const std::vector<ValueId>& inputs, OpId producer) const {
    return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
      return part_.problem_.value(input).producer == here_.at(producer);
    });
  }

  Part& part_;
  const memory::StorageGraph& whole_;
  const OpSets& sets_;
  std::unordered_map<StorageId, ValueId> value_of_;  // of the whole's storages
  std::unordered_map<OpId, ValueId> done_;           // of the whole's operators
  std::unordered_map<OpId, OpId> here_;              // of the whole's operators: those of the part
  std::int64_t untouched_bytes_ = 0;
};

Part::Part(const memory::StorageGraph& whole, std::span<const OpId> before,
           std::span<const OpId> ops, std::span<const Precedence> extra) {
  std::vector<StorageId> storages;
  for (std::size_t i = 0; i < whole.num_storages(); ++i) storages.emplace_back(i);
  const OpSets sets(whole.num_ops(), before, ops);
  PartMaker(*this, whole, sets).Make(storages, 0, ops, extra);
  Pack();
}

Part::Part(const memory::StorageGraph& whole, const OrderWindow& window) {
  const std::span<const OpId> ops = window.order.subspan(window.first, window.last - window.first);
  const OpSets sets(window);
  PartMaker maker(*this, whole, sets);
  std::vector<StorageId> born;
  for (const OpId op : ops) {
    for (const StorageId input : whole.op(op).inputs) {
      if (maker.IsBorn(whole.storage(input))) born.push_back(input);
    }
  }
  std::ranges::sort(born);
  born.erase(std::unique(born.begin(), born.end()), born.end());
  std::int64_t untouched_bytes = window.live_bytes;
  for (const StorageId id : born) untouched_bytes -= whole.storage(id).size_bytes;
  maker.Make(born, untouched_bytes, ops, {});
  Pack();
}

void Part::Pack() {
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
