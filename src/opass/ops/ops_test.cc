#include <gtest/gtest.h>

#include "opass/ops/in_place.h"
#include "opass/ops/view_ops.h"

namespace opass::ops {
namespace {

using Dims = std::vector<std::int64_t>;
using ir::DataType;

// One node over fresh values of the given types.
class OneNode {
 public:
  explicit OneNode(std::string op_type) { node_.op_type = std::move(op_type); }
  OneNode& In(Dims dims, DataType type = DataType::kFloat) {
    node_.inputs.push_back(graph_.AddValue(graph_.FreshName("in"), ir::Type::Tensor(type, dims)));
    return *this;
  }
  OneNode& Const(std::vector<std::int64_t> values) {
    const auto size = static_cast<std::int64_t>(values.size());
    node_.inputs.push_back(
        graph_.AddConstant(graph_.FreshName("c"), ir::Tensor::FromInt64s({size}, values)));
    return *this;
  }
  OneNode& Out(Dims dims, DataType type = DataType::kFloat) {
    node_.outputs.push_back(graph_.AddValue(graph_.FreshName("out"), ir::Type::Tensor(type, dims)));
    return *this;
  }
  OneNode& Ints(std::string name, Dims values) {
    node_.attributes.push_back({std::move(name), std::move(values)});
    return *this;
  }
  OneNode& Int(std::string name, std::int64_t value) {
    node_.attributes.push_back({std::move(name), value});
    return *this;
  }
  OneNode& Domain(std::string domain) {
    node_.domain = std::move(domain);
    return *this;
  }

  std::optional<Dims> ViewOffsets() const {
    const auto fact = ViewOf(graph_, node_);
    return fact ? std::optional(fact->offsets_bytes) : std::nullopt;
  }
  std::vector<std::size_t> InPlace() const { return InPlaceInputs(graph_, node_); }
  std::optional<std::vector<SliceRange>> Ranges() const { return SliceRanges(graph_, node_); }

 private:
  ir::Graph graph_;
  ir::Node node_;
};

TEST(ViewOf, ReshapesAreViewsAndOtherDomainsAreNot) {
  EXPECT_EQ(OneNode("Reshape").In({2, 6}).Out({3, 4}).ViewOffsets(), Dims{0});
  EXPECT_EQ(OneNode("Reshape").Domain("other").In({2, 6}).Out({3, 4}).ViewOffsets(), std::nullopt);
  EXPECT_EQ(OneNode("Relu").In({2, 6}).Out({2, 6}).ViewOffsets(), std::nullopt);
}

TEST(ViewOf, TransposeMayMoveOnesOnly) {
  EXPECT_EQ(OneNode("Transpose").In({1, 8, 4}).Out({8, 1, 4}).Ints("perm", {1, 0, 2}).ViewOffsets(),
            Dims{0});
  EXPECT_EQ(OneNode("Transpose").In({1, 8, 4}).Out({1, 4, 8}).Ints("perm", {0, 2, 1}).ViewOffsets(),
            std::nullopt);
  EXPECT_EQ(OneNode("Transpose").In({1, 8, 1}).Out({1, 8, 1}).ViewOffsets(), Dims{0});
}

TEST(ViewOf, SplitAlongTheOutermostAxisGivesOffsets) {
  EXPECT_EQ(
      OneNode("Split").In({1, 6, 4}).Out({1, 2, 4}).Out({1, 4, 4}).Int("axis", 1).ViewOffsets(),
      (Dims{0, 2 * 4 * 4}));
  EXPECT_EQ(
      OneNode("Split").In({2, 6, 4}).Out({2, 2, 4}).Out({2, 4, 4}).Int("axis", 1).ViewOffsets(),
      std::nullopt);
  EXPECT_EQ(OneNode("Split").In({6, 4}).Out({3, 4}).Out({3, 4}).Int("axis", -2).ViewOffsets(),
            (Dims{0, 3 * 4 * 4}));
}

TEST(ViewOf, SliceAlongTheOutermostAxisGivesAnOffset) {
  // Rows 2 and 3 of five rows of 4 floats start at 2 * 16 bytes.
  EXPECT_EQ(OneNode("Slice").In({5, 4}).Const({2}).Const({4}).Const({0}).Out({2, 4}).ViewOffsets(),
            Dims{32});
  EXPECT_EQ(OneNode("Slice").In({5, 4}).Const({1}).Const({3}).Const({1}).Out({5, 2}).ViewOffsets(),
            std::nullopt);
  EXPECT_EQ(OneNode("Slice")
                .In({5, 4})
                .Const({0})
                .Const({5})
                .Const({0})
                .Const({2})
                .Out({3, 4})
                .ViewOffsets(),
            std::nullopt);
  EXPECT_EQ(
      OneNode("Slice").In({5, 4}).In({1}, DataType::kInt64).Const({3}).Out({2, 4}).ViewOffsets(),
      std::nullopt);
}

TEST(SliceRanges, ClampAsOnnxSays) {
  const auto backwards = OneNode("Slice")
                             .In({5})
                             .Const({-1})
                             .Const({INT64_MIN})
                             .Const({0})
                             .Const({-1})
                             .Out({5})
                             .Ranges();
  ASSERT_TRUE(backwards);
  EXPECT_EQ(backwards->front().start, 4);
  EXPECT_EQ(backwards->front().end, -1);
  const auto beyond = OneNode("Slice").In({5}).Const({-100}).Const({100}).Out({5}).Ranges();
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->front().start, 0);
  EXPECT_EQ(beyond->front().end, 5);
  EXPECT_FALSE(OneNode("Slice").In({5}).Const({0}).Const({5}).Const({3}).Out({5}).Ranges());
}

TEST(InPlace, BroadcastOperandsDoNotQualify) {
  using Inputs = std::vector<std::size_t>;
  EXPECT_EQ(OneNode("Add").In({2, 3}).In({2, 3}).Out({2, 3}).InPlace(), (Inputs{0, 1}));
  EXPECT_EQ(OneNode("Add").In({3}).In({2, 3}).Out({2, 3}).InPlace(), Inputs{1});
  EXPECT_EQ(OneNode("Pow").In({3}).In({2, 3}).Out({2, 3}).InPlace(), Inputs{});
  EXPECT_EQ(OneNode("Sum").In({2}).In({2}).In({2}).Out({2}).InPlace(), (Inputs{0, 2}));
  EXPECT_EQ(OneNode("Sum").In({2}).In({1}).Out({2}).InPlace(), Inputs{0});
  EXPECT_EQ(OneNode("Conv").In({1, 1, 4, 4}).In({1, 1, 1, 1}).Out({1, 1, 4, 4}).InPlace(),
            Inputs{});
  EXPECT_EQ(OneNode("Relu").Domain("other").In({2}).Out({2}).InPlace(), Inputs{});
}

TEST(InPlace, AnExclusiveSumReadsWhatItWouldOverwrite) {
  using Inputs = std::vector<std::size_t>;
  EXPECT_EQ(OneNode("CumSum").In({5}).Const({0}).Out({5}).InPlace(), Inputs{0});
  EXPECT_EQ(OneNode("CumSum").In({5}).Const({0}).Out({5}).Int("exclusive", 1).InPlace(), Inputs{});
}

TEST(InPlace, WidthsMustBeEqual) {
  using Inputs = std::vector<std::size_t>;
  EXPECT_EQ(OneNode("Cast").In({8}).Out({8}, DataType::kInt32).InPlace(), Inputs{0});
  EXPECT_EQ(OneNode("Cast").In({8}).Out({8}, DataType::kFloat16).InPlace(), Inputs{});
  EXPECT_EQ(OneNode("Where").In({8}, DataType::kBool).In({8}).In({8}).Out({8}).InPlace(),
            (Inputs{1, 2}));
}

}  // namespace
}  // namespace opass::ops
