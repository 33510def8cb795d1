#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opass/frontends/relay/ast.h"
#include "opass/frontends/relay/item.h"
#include "opass/ir/graph.h"

namespace opass::frontends::relay {

using Dims = std::vector<std::int64_t>;

// Adds operators of ONNX to a graph. Every value has a static type from the start.
class Builder {
 public:
  explicit Builder(ir::Graph& graph) : graph_(graph) {}

  ir::DataType ElementOf(ir::ValueId id) const { return graph_.value(id).type.elem; }
  Dims DimsOf(ir::ValueId id) const { return *graph_.value(id).type.StaticDims(); }
  std::string Describe(ir::ValueId id) const { return graph_.value(id).type.ToString(); }

  // What is added from now on gets names close to this one.
  void SetWish(std::string wish) { wish_ = std::move(wish); }

  // A node with one output, or with several. A result too large for this tool gets sizes of 1
  // instead, its rank kept for those who index by it, and too_large() is true from then on.
  ir::ValueId Add(std::string op_type, std::vector<ir::ValueId> inputs, ir::DataType type,
                  const Dims& dims, std::vector<ir::Attribute> attributes = {});
  std::vector<ir::ValueId> AddMany(std::string op_type, std::vector<ir::ValueId> inputs,
                                   const std::vector<std::pair<ir::DataType, Dims>>& outputs,
                                   std::vector<ir::Attribute> attributes = {});
  bool too_large() const { return too_large_; }

  ir::ValueId Constant(const ir::TensorPtr& tensor);
  ir::ValueId Int64s(const Dims& values);  // of rank 1
  // Of rank 0, rounded to a float type, clamped to the range of an integer type.
  ir::ValueId Scalar(ir::DataType type, double value);
  ir::ValueId LiteralOf(const Literal& literal);

  // The same value as another type; itself when it has that type.
  ir::ValueId Cast(ir::ValueId id, ir::DataType type);
  // The same elements in another shape; itself when it has that shape.
  ir::ValueId Reshape(ir::ValueId id, const Dims& dims);
  // Itself for the identity.
  ir::ValueId Transpose(ir::ValueId id, const Dims& permutation);
  // Its dimensions as an int64 tensor, computed in the graph.
  ir::ValueId ShapeOf(ir::ValueId id);
  // A tensor full of one number; its shape is an int64 tensor, which must have these values.
  ir::ValueId Filled(ir::ValueId shape, const Dims& dims, ir::DataType type, double value);

  // Integers that are known although the graph computes them: shapes.
  void SetKnown(ir::ValueId id, Dims values) { known_[id] = std::move(values); }
  // Those, or the elements of a constant of integers; null: unknown.
  const Dims* Known(ir::ValueId id);

 private:
  ir::Graph& graph_;
  std::string wish_;
  std::map<ir::ValueId, Dims> known_;
  bool too_large_ = false;
};

// A tensor of one element, or of one repeated, with this number: rounded or clamped as Scalar does.
ir::TensorPtr MakeScalar(ir::DataType type, Dims dims, double value);

// The shape of an elementwise operator's result; nothing when the shapes do not fit each other.
std::optional<Dims> Broadcast(const Dims& a, const Dims& b);

// The product of sizes; nothing when it is larger than any tensor may be.
std::optional<std::int64_t> Product(const Dims& dims);

}  // namespace opass::frontends::relay
