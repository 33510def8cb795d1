#include "opass/passes/activation_forms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "opass/passes/rewrite.h"

namespace opass::passes {
namespace {

// Longer products are no activation.
constexpr std::size_t kMaxFactors = 8;
constexpr int kMaxDepth = 8;

bool IsAbout(double value, double wanted) {
  return std::abs(value - wanted) <= 1e-5 * std::abs(wanted);
}

// A value as a number times other values: Mul, Div by a constant, powers of 2 and 3 taken apart.
struct Product {
  double scale = 1;
  std::vector<ir::ValueId> factors;
};

class Matcher {
 public:
  Matcher(const ir::Graph& graph, const Uses& uses) : graph_(graph), uses_(uses) {}

  std::optional<Activation> Match(ir::NodeId last) {
    nodes_ = {last};
    const auto product = Expand(last);
    if (!product || product->factors.size() != 2) return std::nullopt;
    for (const std::size_t gate : {0, 1}) {
      Activation found;
      found.x = product->factors[1 - gate];
      x_ = found.x;
      const std::vector<ir::NodeId> nodes = nodes_;
      if (MatchGate(product->factors[gate], product->scale, found)) {
        found.nodes = nodes_;
        return found;
      }
      nodes_ = nodes;
    }
    return std::nullopt;
  }

 private:
  // The producer of an inner value: nobody but one node reads it.
  const ir::Node* Inner(ir::ValueId value) {
    const ir::Node* node = ProducerOf(graph_, value);
    if (node == nullptr || !HasOneResult(*node) || !uses_.OnlyReader(value).valid()) return nullptr;
    return node;
  }
  void Take(const ir::Node& node) { nodes_.push_back(graph_.value(node.outputs[0]).producer); }

  std::optional<Product> Expand(ir::NodeId id) {
    Product product;
    return ExpandNode(graph_.node(id), product) ? std::optional(product) : std::nullopt;
  }

  Product ExpandValue(ir::ValueId value) {
    Product product;
    ExpandFactor(value, product);
    return product;
  }

  // False: not a product, or a longer one than any activation.
  bool ExpandNode(const ir::Node& node, Product& product) {
    if (node.inputs.size() != 2) return false;
    if (node.Is("Mul")) {
      return ExpandFactor(node.inputs[0], product) && ExpandFactor(node.inputs[1], product);
    }
    const auto second = FixedScalar(graph_, node.inputs[1]);
    if (!second) return false;
    if (node.Is("Div")) {
      if (*second == 0) return false;
      product.scale /= *second;
      return ExpandFactor(node.inputs[0], product);
    }
    if (!node.Is("Pow") || (*second != 2 && *second != 3)) return false;
    for (int i = 0; i < static_cast<int>(*second); ++i) product.factors.push_back(node.inputs[0]);
    return product.factors.size() <= kMaxFactors;
  }

  bool ExpandFactor(ir::ValueId value, Product& product) {
    if (const auto scalar = FixedScalar(graph_, value)) {
      product.scale *= *scalar;
      return true;
    }
    if (product.factors.size() >= kMaxFactors || depth_ >= kMaxDepth) return false;
    const ir::Node* node = value == x_ ? nullptr : Inner(value);
    const bool is_product =
        node != nullptr && (node->Is("Mul") || node->Is("Div") || node->Is("Pow"));
    Product inner = product;
    ++depth_;
    const bool is_expanded = is_product && ExpandNode(*node, inner);
    --depth_;
    if (is_expanded) {
      Take(*node);
      product = std::move(inner);
    } else {
      product.factors.push_back(value);
    }
    return true;
  }

  // y = scale * x * gate
  bool MatchGate(ir::ValueId gate, double scale, Activation& found) {
    const ir::Node* node = Inner(gate);
    if (node == nullptr) return false;
    Take(*node);
    if (node->Is("Sigmoid") && IsAbout(scale, 1)) return MatchSwish(*node, found);
    if (node->Is("HardSigmoid") && IsAbout(scale, 1)) {
      found.op_type = "HardSwish";
      return node->inputs[0] == x_ && IsAbout(node->FloatOr("alpha", 0.2f), 1.0 / 6) &&
             IsAbout(node->FloatOr("beta", 0.5f), 0.5);
    }
    if (IsClip(*node) && IsAbout(scale, 1.0 / 6)) {
      found.op_type = "HardSwish";
      return IsXPlus(node->inputs[0], 3);
    }
    return node->Is("Add") && IsAbout(scale, 0.5) && MatchGelu(*node, found);
  }

  bool MatchSwish(const ir::Node& sigmoid, Activation& found) {
    const Product inside = ExpandValue(sigmoid.inputs[0]);
    found.op_type = "Swish";
    found.alpha = inside.scale;
    return inside.factors == std::vector{x_} && std::isfinite(inside.scale);
  }

  bool IsClip(const ir::Node& node) const {
    if (!node.Is("Clip")) return false;
    if (node.Find("min") != nullptr || node.Find("max") != nullptr) {  // before opset 11
      return node.FloatOr("min", -1) == 0 && node.FloatOr("max", -1) == 6;
    }
    return FixedScalar(graph_, Input(node, 1)) == 0.0f &&
           FixedScalar(graph_, Input(node, 2)) == 6.0f;
  }

  // The other operand of an addition of a constant; invalid for anything else.
  ir::ValueId OperandBeside(const ir::Node& add, double constant) const {
    if (!add.Is("Add") || add.inputs.size() != 2) return {};
    for (const std::size_t i : {0, 1}) {
      const auto scalar = FixedScalar(graph_, add.inputs[i]);
      if (scalar && IsAbout(*scalar, constant)) return add.inputs[1 - i];
    }
    return {};
  }

  bool IsXPlus(ir::ValueId value, double constant) {
    const ir::Node* add = Inner(value);
    if (add == nullptr || OperandBeside(*add, constant) != x_) return false;
    Take(*add);
    return true;
  }

  // 1 + erf(...) or 1 + tanh(...)
  bool MatchGelu(const ir::Node& add, Activation& found) {
    const ir::Node* curve = Inner(OperandBeside(add, 1));
    if (curve == nullptr) return false;
    Take(*curve);
    found.op_type = "Gelu";
    found.is_tanh_form = curve->Is("Tanh");
    if (!curve->Is("Erf") && !found.is_tanh_form) return false;
    const Product inside = ExpandValue(curve->inputs[0]);
    if (!found.is_tanh_form) {
      return inside.factors == std::vector{x_} && IsAbout(inside.scale, 1 / std::numbers::sqrt2);
    }
    if (!IsAbout(inside.scale, std::sqrt(2 / std::numbers::pi))) return false;
    if (inside.factors.size() == 1) return IsSumWithPower(inside.factors[0], 1);
    if (inside.factors.size() != 2) return false;
    const std::size_t other = inside.factors[0] == x_ ? 1 : 0;
    return inside.factors[1 - other] == x_ && IsSumWithPower(inside.factors[other], 0);
  }

  // x^degree + 0.044715 * x^(degree + 2)
  bool IsSumWithPower(ir::ValueId value, int degree) {
    const ir::Node* add = Inner(value);
    if (add == nullptr || !add->Is("Add") || add->inputs.size() != 2) return false;
    Take(*add);
    for (const std::size_t low : {0, 1}) {
      const bool is_low =
          degree == 1 ? add->inputs[low] == x_ : FixedScalar(graph_, add->inputs[low]) == 1.0f;
      if (!is_low) continue;
      const Product high = ExpandValue(add->inputs[1 - low]);
      const std::vector<ir::ValueId> powers(static_cast<std::size_t>(degree) + 2, x_);
      return high.factors == powers && IsAbout(high.scale, 0.044715);
    }
    return false;
  }

  const ir::Graph& graph_;
  const Uses& uses_;
  ir::ValueId x_;
  int depth_ = 0;
  std::vector<ir::NodeId> nodes_;
};

}  // namespace

std::int64_t FirstOpset(const Activation& activation) {
  if (activation.op_type == "HardSwish") return 14;
  return activation.op_type == "Gelu" ? 20 : 24;
}

std::optional<Activation> FindActivation(const ir::Graph& graph, const Uses& uses,
                                         ir::NodeId last) {
  return Matcher(graph, uses).Match(last);
}

}  // namespace opass::passes
