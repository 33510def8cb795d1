#include "opass/memory/testing/random_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "opass/support/bytes.h"

namespace opass::memory::testing {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProblemOptions& options)
      : random_(seed * 0x9E3779B97F4A7C15 + 1), max_size_(options.max_size_bytes) {
    problem_.name = fmt::format("random {}", seed);
    const std::int64_t alignments[] = {1, 1, 4, 16, 64};
    problem_.alignment = alignments[Below(5)];
    problem_.inputs = OneIn(3) ? InputArrival::kFirstUse : InputArrival::kResident;
    num_ops_ =
        options.min_ops +
        static_cast<int>(Below(static_cast<std::size_t>(options.max_ops - options.min_ops) + 1));
    view_percent_ = Below(3) * 20;
    in_place_percent_ = Below(3) * 40;
    outside_percent_ = Below(2) * 10;
    zero_percent_ = Below(2) * 10;
    workspace_percent_ = Below(2) * 25;
    window_ = 1 + Below(12);
    few_sizes_ = OneIn(2);
  }

  Problem Make() {
    const std::size_t num_inputs = Below(4);
    for (std::size_t i = 0; i < num_inputs; ++i) AddValue(OpId(), DrawSize());
    for (int i = 0; i < num_ops_; ++i) AddOp();
    MarkEnds();
    return std::move(problem_);
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }
  bool Percent(std::size_t percent) { return Below(100) < percent; }

  std::int64_t DrawSize() {
    if (Percent(zero_percent_)) return 0;
    // Few different sizes make takeovers and ties common.
    if (few_sizes_) return (1 + static_cast<std::int64_t>(Below(3))) * max_size_ / 4;
    return 1 + static_cast<std::int64_t>(Below(static_cast<std::size_t>(max_size_)));
  }

  ValueId AddValue(OpId producer, std::int64_t size_bytes) {
    const ValueId id(problem_.values.size());
    Value value;
    value.name = fmt::format("v{}", id.index());
    value.size_bytes = size_bytes;
    value.producer = producer;
    value.in_arena = !Percent(outside_percent_);
    problem_.values.push_back(std::move(value));
    read_.push_back(false);
    return id;
  }

  ValueId DrawValue() {
    const std::size_t all = problem_.values.size();
    const std::size_t back = Below(OneIn(6) ? all : std::min(all, window_));
    return ValueId(all - 1 - back);
  }

  void AddOp() {
    const OpId id(problem_.ops.size());
    Op op;
    op.name = fmt::format("op{}", id.index());
    if (!problem_.values.empty()) {
      const bool views = Percent(view_percent_);
      const std::size_t num_inputs = views ? 1 : Below(4);
      for (std::size_t i = 0; i < num_inputs; ++i) {
        const ValueId input = DrawValue();
        if (std::find(op.inputs.begin(), op.inputs.end(), input) == op.inputs.end()) {
          op.inputs.push_back(input);
        }
        read_[input.index()] = true;
      }
      if (views) AddViews(id, op);
    }
    if (op.outputs.empty() || OneIn(5)) AddOutputs(id, op);
    if (Percent(workspace_percent_)) op.workspace_bytes = DrawSize();
    problem_.ops.push_back(std::move(op));
  }

  void AddViews(OpId id, Op& op) {
    const ValueId source = op.inputs.front();
    if (!problem_.value(source).in_arena) return;
    const std::size_t pieces = 1 + Below(3);
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::int64_t size = problem_.value(source).size_bytes;
      const std::int64_t units = size / problem_.alignment + 1;
      const std::int64_t offset =
          OneIn(2) ? 0
                   : static_cast<std::int64_t>(Below(static_cast<std::size_t>(units))) *
                         problem_.alignment;
      const std::int64_t room = size - offset;
      const ValueId view = AddValue(
          id,
          OneIn(2) ? room : static_cast<std::int64_t>(Below(static_cast<std::size_t>(room) + 1)));
      problem_.value(view).in_arena = true;
      problem_.value(view).view = View{source, offset};
      op.outputs.push_back(view);
    }
  }

  void AddOutputs(OpId id, Op& op) {
    const std::size_t num_outputs = OneIn(12) ? 0 : OneIn(4) ? 1 + Below(4) : 1;
    for (std::size_t i = 0; i < num_outputs; ++i) {
      const ValueId output = AddValue(id, DrawSize());
      op.outputs.push_back(output);
      for (const ValueId input : op.inputs) {
        if (Percent(in_place_percent_) && Fits(output, input)) {
          op.in_place.push_back({output, input});
        }
      }
    }
  }

  bool Fits(ValueId output, ValueId input) const {
    const Value& o = problem_.value(output);
    const Value& i = problem_.value(input);
    return o.in_arena && i.in_arena &&
           RoundUp(o.size_bytes, problem_.alignment) <= RoundUp(i.size_bytes, problem_.alignment);
  }

  void MarkEnds() {
    for (std::size_t i = 0; i < problem_.values.size(); ++i) {
      Value& value = problem_.values[i];
      value.is_output = read_[i] ? OneIn(12) : value.producer.valid() ? !OneIn(4) : OneIn(20);
      if (!value.producer.valid()) value.is_preserved = OneIn(5);
    }
  }

  std::mt19937_64 random_;
  Problem problem_;
  std::vector<bool> read_;
  int num_ops_ = 0;
  std::int64_t max_size_;
  std::size_t view_percent_ = 0;
  std::size_t in_place_percent_ = 0;
  std::size_t outside_percent_ = 0;
  std::size_t zero_percent_ = 0;
  std::size_t workspace_percent_ = 0;
  std::size_t window_ = 1;
  bool few_sizes_ = false;
};

}  // namespace

Problem RandomProblem(std::uint64_t seed, const RandomProblemOptions& options) {
  return Generator(seed, options).Make();
}

}  // namespace opass::memory::testing
