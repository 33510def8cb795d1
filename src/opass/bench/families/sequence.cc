#include <algorithm>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

constexpr Kind kElementwise = Kind::kElementwise;
constexpr std::int64_t kState = 8;

struct LstmState {
  ValueId hidden;
  ValueId cell;
};

void LstmStep(FamilyBuilder& b, ValueId x, LstmState& state) {
  const ValueId gates = b.Op({x, state.hidden}, 4 * kState);
  std::vector<ValueId> gate;  // input, forget, output, candidate
  for (int i = 0; i < 4; ++i) gate.push_back(b.Op({gates}, kState));
  for (ValueId& value : gate) value = b.Op({value}, kState, kElementwise);
  const ValueId added = b.Op({gate[0], gate[3]}, kState, kElementwise);
  const ValueId kept = b.Op({gate[1], state.cell}, kState, kElementwise);
  state.cell = b.Op({added, kept}, kState, kElementwise);
  const ValueId squashed = b.Op({state.cell}, kState, kElementwise);
  state.hidden = b.Op({gate[2], squashed}, kState, kElementwise);
}

}  // namespace

void BuildHeads(FamilyBuilder& b, std::int64_t size) {
  constexpr std::int64_t kModel = 64;
  constexpr std::int64_t kHead = 8;
  constexpr std::int64_t kScores = 32;
  ValueId x = b.Op({b.Input(kModel)}, kModel);
  for (std::int64_t block = 0; block < std::max<std::int64_t>(1, size / 70); ++block) {
    const ValueId normed = b.Op({x}, kModel);
    std::vector<ValueId> heads;
    for (int head = 0; head < 8; ++head) {
      const ValueId query = b.Op({normed}, kHead);
      const ValueId key = b.Op({normed}, kHead);
      const ValueId value = b.Op({normed}, kHead);
      ValueId scores = b.Op({query, b.Op({key}, kHead)}, kScores);
      for (int i = 0; i < 2; ++i) scores = b.Op({scores}, kScores, kElementwise);
      heads.push_back(b.Op({scores, value}, kHead));
    }
    const ValueId attended = b.Op({b.Op(heads, kModel)}, kModel);
    x = b.Op({attended, x}, kModel, kElementwise);
    const ValueId hidden = b.Op({b.Op({x}, kModel)}, 4 * kModel);
    const ValueId output = b.Op({b.Op({hidden}, 4 * kModel, kElementwise)}, kModel);
    x = b.Op({output, x}, kModel, kElementwise);
  }
}

void BuildMixtureOfExperts(FamilyBuilder& b, std::int64_t size) {
  constexpr std::int64_t kModel = 32;
  ValueId x = b.Op({b.Input(kModel)}, kModel);
  for (std::int64_t block = 0; block < std::max<std::int64_t>(1, size / 45); ++block) {
    const ValueId gate = b.Op({x}, 4);
    std::vector<ValueId> experts;
    for (int expert = 0; expert < 8; ++expert) {
      const std::int64_t bytes = b.Draw(4, 16);
      const ValueId tokens = b.Op({x, gate}, bytes);
      const ValueId hidden = b.Op({b.Op({tokens}, 4 * bytes)}, 4 * bytes, kElementwise);
      experts.push_back(b.Op({b.Op({hidden}, bytes), gate}, bytes, kElementwise));
    }
    ValueId sum = experts[0];
    for (std::size_t i = 1; i < experts.size(); ++i) {
      sum = b.Op({sum, experts[i]}, std::max(b.size(sum), b.size(experts[i])), kElementwise);
    }
    x = b.Op({b.Op({sum}, kModel), x}, kModel, kElementwise);
  }
}

void BuildLstm(FamilyBuilder& b, std::int64_t size) {
  const std::int64_t num_steps = std::max<std::int64_t>(2, size / 26);
  const ValueId sequence = b.Input(4 * num_steps);
  std::vector<ValueId> inputs;
  for (std::int64_t t = 0; t < num_steps; ++t) inputs.push_back(b.Op({sequence}, 4));
  std::vector<LstmState> layers(2);
  for (LstmState& layer : layers) {
    const ValueId start = b.Input(kState);
    layer.hidden = b.Op({start}, kState);
    layer.cell = b.Op({start}, kState);
  }
  std::vector<ValueId> outputs;
  for (ValueId x : inputs) {
    for (LstmState& layer : layers) {
      LstmStep(b, x, layer);
      x = layer.hidden;
    }
    outputs.push_back(x);
  }
  b.Op(outputs, kState * num_steps);
}

void BuildMultitask(FamilyBuilder& b, std::int64_t size) {
  ValueId trunk = b.Op({b.Input(64)}, 64);
  for (std::int64_t task = 0; task < std::max<std::int64_t>(1, size / 10); ++task) {
    const Kind kind = b.DrawBool() ? kElementwise : Kind::kCompute;
    const std::int64_t bytes = b.Draw(16, 64);
    trunk = b.Op({b.Op({trunk}, b.Draw(16, 96))}, bytes, kind);
    ValueId head = trunk;
    const std::int64_t length = b.Draw(2, 6);
    for (std::int64_t i = 0; i < length; ++i) {
      const Kind head_kind = b.Draw(0, 2) == 0 ? kElementwise : Kind::kCompute;
      head = b.Op({head}, i == length - 1 ? b.Draw(1, 16) : b.Draw(4, 80), head_kind);
    }
  }
}

}  // namespace opass::bench
