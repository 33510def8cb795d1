// memory::Check against a simulation of bytes: plans are changed in every field, and what the
// checker accepts must run (testing/byte_machine.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "opass/memory/apply_sharing.h"
#include "opass/memory/check.h"
#include "opass/memory/testing/brute_force.h"
#include "opass/memory/testing/byte_machine.h"
#include "opass/memory/testing/problem_builder.h"
#include "opass/memory/testing/random_problem.h"
#include "opass/memory/testing/simple_plan.h"

namespace opass::memory {
namespace {

using testing::BytesAtPeak;
using testing::ProblemBuilder;
using testing::SimplePlan;

std::int64_t End(const Plan& plan) {
  std::int64_t end = 0;
  for (const Buffer& b : plan.buffers) end = std::max(end, b.offset_bytes + b.size_bytes);
  return end;
}

// Every value has one buffer, and all are inside the arena.
bool IsWhole(const Problem& problem, const Plan& plan) {
  std::map<ValueId, int> buffers;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.offset_bytes < 0 || buffer.size_bytes < 0) return false;
    if (buffer.offset_bytes > plan.arena_bytes - buffer.size_bytes) return false;
    if (buffer.value.valid()) ++buffers[buffer.value];
  }
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    if (buffers[ValueId(i)] != (problem.values[i].in_arena ? 1 : 0)) return false;
  }
  return true;
}

class Mutator {
 public:
  Mutator(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed) {}

  void Change(Plan& plan) {
    switch (Below(12)) {
      case 0:
        if (!plan.order.empty()) std::swap(Any(plan.order), Any(plan.order));
        break;
      case 1:
      case 2:
        if (!plan.buffers.empty()) Any(plan.buffers).offset_bytes = Any(plan.buffers).offset_bytes;
        break;
      case 3:
        if (!plan.buffers.empty()) Any(plan.buffers).offset_bytes += Step();
        break;
      case 4:
        if (!plan.buffers.empty()) Any(plan.buffers).size_bytes += Step();
        break;
      case 5:
        if (!plan.buffers.empty())
          (Below(2) ? Any(plan.buffers).first : Any(plan.buffers).last) += Below(2) ? 1 : -1;
        break;
      case 6:
        ChangeAlias(plan);
        break;
      case 7:
        if (!plan.buffers.empty()) std::swap(Any(plan.buffers).value, Any(plan.buffers).value);
        break;
      case 8:
        AnyFigure(plan) += Step();
        break;
      case 9:
        plan.sharing.view = Below(4) != 0;
        plan.sharing.in_place = Below(4) != 0;
        break;
      default:
        ChangeCertificate(plan);
    }
  }

  std::size_t Below(std::size_t n) { return random_() % n; }

 private:
  std::int64_t Step() {
    return (static_cast<std::int64_t>(Below(5)) - 2) * (Below(8) == 0 ? 1 : problem_.alignment);
  }

  template <typename Item>
  Item& Any(std::vector<Item>& items) {
    return items[Below(items.size())];
  }

  std::int64_t& AnyFigure(Plan& plan) {
    std::int64_t* figures[] = {&plan.arena_bytes,       &plan.peak_bytes,
                               &plan.lower_bound_bytes, &plan.sum_bytes,
                               &plan.weights_bytes,     &plan.sum_with_weights_bytes};
    return *figures[Below(6)];
  }

  void ChangeAlias(Plan& plan) {
    std::vector<InPlace> pairs;
    for (const Op& op : problem_.ops) {
      pairs.insert(pairs.end(), op.in_place.begin(), op.in_place.end());
    }
    if (pairs.empty()) return;
    const InPlace pair = Any(pairs);
    const auto find = [&](ValueId id) {
      return std::ranges::find(plan.buffers, id, &Buffer::value);
    };
    const auto output = find(pair.output);
    const auto input = find(pair.input);
    if (output == plan.buffers.end() || input == plan.buffers.end()) return;
    const bool alias = Below(3) != 0;
    output->alias_kind = alias ? AliasKind::kInPlace : AliasKind::kNone;
    output->alias_of = alias ? pair.input : ValueId();
    output->offset_bytes = alias ? input->offset_bytes : End(plan);
  }

  void ChangeCertificate(Plan& plan) {
    Certificate& claim = plan.certificate;
    claim.kind = static_cast<Certificate::Kind>(Below(4));
    claim.executed.clear();
    claim.op = plan.order.empty() ? OpId() : plan.order[Below(plan.order.size())];
    if (claim.kind == Certificate::Kind::kOperatorCut) {
      for (const OpId id : plan.order) {
        if (id == claim.op) break;
        claim.executed.push_back(id);
      }
    }
    claim.bytes = claim.kind == Certificate::Kind::kNone ? 0 : plan.peak_bytes;
    if (Below(2) == 0) claim.bytes += Step();
    plan.lower_bound_bytes = claim.bytes;
    plan.proven_optimal = Below(2) == 0;
  }

  const Problem& problem_;
  std::mt19937_64 random_;
};

// What a lie in the figures would be.
void ExpectTrue(const Problem& problem, const Plan& plan) {
  EXPECT_EQ(plan.arena_bytes, End(plan));
  EXPECT_EQ(plan.peak_bytes, BytesAtPeak(problem, plan));
  std::int64_t sum = 0;
  for (const Value& value : problem.values) sum += value.size_bytes;
  EXPECT_EQ(plan.sum_bytes, sum);
  EXPECT_EQ(plan.sum_with_weights_bytes, sum + plan.weights_bytes);
  const std::int64_t optimum = testing::BruteForcePeak(problem);
  EXPECT_LE(plan.lower_bound_bytes, optimum);
  EXPECT_TRUE(!plan.proven_optimal || plan.peak_bytes == optimum);
}

TEST(CheckBytesTest, WhatIsAcceptedRunsAndTellsTheTruth) {
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 7, .max_size_bytes = 40});
    Plan good = SimplePlan(problem);
    Mutator mutator(problem, seed);
    for (int i = 0; i < 40; ++i) {
      Plan plan = good;
      const std::size_t changes = 1 + mutator.Below(3);
      for (std::size_t k = 0; k < changes; ++k) mutator.Change(plan);
      const Problem posed = ApplySharing(problem, plan.sharing);
      Plan mended = plan;  // otherwise the figures alone would give most changes away
      mended.arena_bytes = End(plan);
      if (IsWhole(posed, mended)) mended.peak_bytes = BytesAtPeak(posed, mended);
      if (mutator.Below(2) == 0) {
        mended.certificate = {};
        mended.lower_bound_bytes = 0;
        mended.proven_optimal = false;
      }
      for (const Plan* candidate : {&plan, &mended}) {
        if (!Check(problem, *candidate).ok()) continue;
        ++accepted;
        ASSERT_TRUE(testing::RunsOnBytes(posed, *candidate)) << "seed " << seed << ", change " << i;
        ExpectTrue(posed, *candidate);
        if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", change " << i;
        if (mutator.Below(2) == 0) good = *candidate;
      }
    }
  }
  EXPECT_GT(accepted, 5000);
}

// One value moved with all that lies in it: the checker refuses exactly what does not run.
TEST(CheckBytesTest, RefusesNoPlacementThatRuns) {
  int accepted = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Problem problem = testing::RandomProblem(seed, {.max_ops = 10, .max_size_bytes = 40});
    Plan good = SimplePlan(problem);
    Mutator mutator(problem, seed);
    for (int i = 0; i < 20 && !good.buffers.empty(); ++i) {
      Plan plan = good;
      Buffer& moved = plan.buffers[mutator.Below(plan.buffers.size())];
      if (moved.alias_kind != AliasKind::kNone) continue;
      moved.offset_bytes = plan.buffers[mutator.Below(plan.buffers.size())].offset_bytes;
      std::map<ValueId, std::int64_t> offsets;
      for (Buffer& buffer : plan.buffers) {  // sources come first
        const auto source = offsets.find(buffer.alias_of);
        if (buffer.value.valid() && source != offsets.end()) {
          buffer.offset_bytes =
              source->second + (buffer.alias_kind == AliasKind::kView
                                    ? problem.value(buffer.value).view->offset_bytes
                                    : 0);
        }
        if (buffer.value.valid()) offsets[buffer.value] = buffer.offset_bytes;
      }
      plan.arena_bytes = End(plan);
      const bool runs = testing::RunsOnBytes(problem, plan);
      const Status verdict = Check(problem, plan);
      ASSERT_EQ(verdict.ok(), runs) << "seed " << seed << ", change " << i << ": "
                                    << (verdict.ok() ? "accepted" : verdict.error().ToString());
      runs ? ++accepted : ++refused;
      if (runs) good = plan;
    }
  }
  EXPECT_GT(accepted, 10000);
  EXPECT_GT(refused, 10000);
}

// An operator with many values that it may take over, of which an attacker claims the step of his
// own order as the least there is.
TEST(CheckBytesTest, AClaimAboutManyTakeoversIsProved) {
  ProblemBuilder builder;
  const ValueId x = builder.Input(1);
  std::vector<ValueId> parts;
  for (int i = 0; i < 7; ++i) parts.push_back(builder.Op({x}, 8));
  const ValueId big = builder.Op({x}, 100);  // need not live while the parts are added
  const ValueId sum = builder.InPlace(parts, 8);
  builder.Output(builder.Op({sum, big}, 1));
  const Problem problem = builder.Build();
  Plan plan = SimplePlan(problem);
  ASSERT_EQ(plan.peak_bytes, 8 * 7 + 100 + 1);
  plan.certificate = {Certificate::Kind::kOperatorCut, 8 * 7 + 100, OpId(8), {}};
  for (std::size_t i = 0; i < 8; ++i) plan.certificate.executed.emplace_back(i);
  plan.lower_bound_bytes = plan.certificate.bytes;
  const Status verdict = Check(problem, plan);
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().message,
            "the certificate claims 156 bytes, over all cuts 57 can be proved");
}

}  // namespace
}  // namespace opass::memory
