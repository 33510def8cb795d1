#include <algorithm>

#include "opass/bench/families/builders.h"

namespace opass::bench {
namespace {

using memory::ValueId;

constexpr Kind kElementwise = Kind::kElementwise;

struct ResidualOptions {
  std::int64_t ops_per_block = 8;  // those of the backward pass included
  bool skips = true;
};

// Bottleneck blocks; the size halves four times. Returns the loss.
ValueId Residual(FamilyBuilder& b, std::int64_t size, const ResidualOptions& options) {
  std::int64_t bytes = 256;
  ValueId y = b.Op({b.Input(150)}, bytes);
  const std::int64_t num_blocks = std::max<std::int64_t>(1, size / options.ops_per_block);
  for (std::int64_t i = 0; i < num_blocks; ++i) {
    if (i != 0 && i % std::max<std::int64_t>(1, num_blocks / 4) == 0 && bytes > 8) {
      bytes /= 2;
      y = b.Op({y}, bytes);
    }
    ValueId branch = b.Op({y}, bytes / 4);
    branch = b.Op({branch}, bytes / 4, kElementwise);
    branch = b.Op({branch}, bytes / 4);
    branch = b.Op({branch}, bytes / 4, kElementwise);
    branch = b.Op({branch}, bytes);
    if (options.skips) {
      const ValueId skip = b.Draw(0, 3) == 0 ? b.Op({y}, bytes) : y;
      branch = b.Op({branch, skip}, bytes, kElementwise);
    }
    y = b.Op({branch}, bytes, kElementwise);
  }
  return b.Op({y}, 1);
}

// Convolution, activation, convolution, activation.
ValueId DoubleConv(FamilyBuilder& b, ValueId x, std::int64_t bytes) {
  const ValueId first = b.Op({b.Op({x}, bytes)}, bytes, kElementwise);
  return b.Op({b.Op({first}, bytes)}, bytes, kElementwise);
}

}  // namespace

void BuildResNet(FamilyBuilder& b, std::int64_t size) { Residual(b, size, {}); }

void BuildTrainResNet(FamilyBuilder& b, std::int64_t size) {
  b.Differentiate(Residual(b, size, {.ops_per_block = 24, .skips = true}));
}

void BuildTrainChain(FamilyBuilder& b, std::int64_t size) {
  b.Differentiate(Residual(b, size, {.ops_per_block = 24, .skips = false}));
}

void BuildDenseNet(FamilyBuilder& b, std::int64_t size) {
  constexpr std::int64_t kGrowth = 8;
  std::int64_t total = 64;
  std::vector<ValueId> features{b.Op({b.Input(64)}, total)};
  for (std::int64_t i = 0; i < std::max<std::int64_t>(2, size / 4); ++i) {
    const ValueId joined = b.Op(features, total);
    const ValueId activated = b.Op({joined}, total, kElementwise);
    features.push_back(b.Op({b.Op({activated}, 32)}, kGrowth));
    total += kGrowth;
    if (i % 6 == 5) {  // a transition between blocks
      const ValueId block = b.Op(features, total);
      total /= 4;
      features = {b.Op({block}, total)};
    }
  }
  b.Op(features, 1);
}

void BuildUNet(FamilyBuilder& b, std::int64_t size) {
  ValueId x = b.Input(96);
  const std::int64_t levels = std::max<std::int64_t>(2, size / 12);
  const std::int64_t depth = std::min<std::int64_t>(levels, 6);
  for (std::int64_t repeat = 0; repeat < std::max<std::int64_t>(1, levels / depth); ++repeat) {
    std::vector<ValueId> skips;
    std::int64_t bytes = 512;
    for (std::int64_t i = 0; i < depth; ++i) {
      x = DoubleConv(b, x, bytes);
      skips.push_back(x);
      x = b.Op({x}, bytes / 4);
      bytes /= 2;
    }
    x = b.Op({b.Op({x}, bytes)}, bytes, kElementwise);
    for (std::int64_t i = depth; i-- > 0;) {
      bytes *= 2;
      const ValueId up = b.Op({x}, bytes);
      x = DoubleConv(b, b.Op({up, skips[static_cast<std::size_t>(i)]}, 2 * bytes), bytes);
    }
  }
  b.Op({x}, 4);
}

void BuildInception(FamilyBuilder& b, std::int64_t size) {
  ValueId x = b.Op({b.Input(64)}, 128);
  for (std::int64_t block = 0; block < std::max<std::int64_t>(1, size / 14); ++block) {
    std::vector<ValueId> branches;
    std::int64_t total = 0;
    const std::int64_t num_branches = b.Draw(3, 5);
    for (std::int64_t i = 0; i < num_branches; ++i) {
      ValueId y = x;
      const std::int64_t length = b.Draw(1, 4);
      const std::int64_t last_bytes = b.Draw(8, 48);
      for (std::int64_t k = 0; k < length; ++k) {
        const Kind kind = b.Draw(0, 2) == 0 ? kElementwise : Kind::kCompute;
        y = b.Op({y}, k == length - 1 ? last_bytes : b.Draw(8, 96), kind);
      }
      branches.push_back(y);
      total += b.size(y);
    }
    x = b.Op(branches, total);
    if (total > 200) x = b.Op({x}, 100);
  }
  b.Op({x}, 1);
}

}  // namespace opass::bench
