#include "opass/bench/rebench_recount.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "opass/frontends/relay/import.h"
#include "opass/frontends/relay/parser.h"

namespace opass::bench {
namespace {

using frontends::relay::Conversion;
using frontends::relay::Expression;
using frontends::relay::Program;
using frontends::relay::Statement;
using Kind = Expression::Kind;

constexpr std::int64_t kByte = 8;

// A tensor or several, and what they are made of.
struct Term {
  bool is_literal = false;
  bool is_call = false;
  bool is_tuple = false;
  bool is_constant = false;       // folding leaves nothing but its value
  std::int64_t bits = 0;          // booleans as bits; 0 of tuples and projections
  std::int64_t boolean_bits = 0;  // that a byte for each would need more
  std::vector<std::size_t> reads;
  bool is_reached = false;
};

// How many of its arguments an operator still has when its shapes are static.
std::size_t NumStaticArguments(const Expression& call) {
  if (call.name == "dyn.ones") return 0;
  if (call.name == "dyn.reshape" || call.name == "dyn.broadcast_to") return 1;
  return call.children.size();
}

// TVM has no kernel for qnn operators at that stage, and folds nothing without arguments.
bool IsFolded(const Expression& call, bool all_arguments_are) {
  if (call.name == "shape_of" || call.name == "ndarray_size") return true;
  return all_arguments_are && NumStaticArguments(call) > 0 && !call.name.starts_with("qnn.");
}

class Counter {
 public:
  Counter(const Program& program, const Conversion& conversion)
      : program_(program), conversion_(conversion) {}

  std::optional<Recount> Count() {
    for (const auto& parameter : program_.parameters) {
      Bind(parameter.name, AddSized(Term()));
    }
    std::vector<std::size_t> kept;
    for (const Statement& statement : program_.body.statements) {
      const std::size_t term = Evaluate(statement.value, /*is_bound=*/true);
      Bind(statement.name, term);
      // A binding that nobody reads stays, unless it is folded away.
      if (statement.is_let && !terms_[term].is_constant) kept.push_back(term);
    }
    const std::size_t result = Evaluate(program_.body.children[0], /*is_bound=*/false);
    kept.push_back(result);
    if (!is_known_) return std::nullopt;
    for (const std::size_t term : kept) Reach(term);
    return Sum(result);
  }

 private:
  void Bind(const std::string& name, std::size_t term) {
    bound_[name] = term;
    ++num_bound_;
  }

  std::size_t Add(Term term) {
    terms_.push_back(std::move(term));
    return terms_.size() - 1;
  }

  // Of the size of the variable that is bound next.
  std::size_t AddSized(Term term) {
    for (const auto& tensor : Flatten(conversion_.variables[num_bound_].item)) {
      if (!tensor.value.valid()) {
        is_known_ = false;
        continue;
      }
      const ir::Type& type = conversion_.model.graph.value(tensor.value).type;
      const std::int64_t bytes = type.SizeBytes().value_or(0);
      const bool is_boolean = type.elem == ir::DataType::kBool;
      term.bits += is_boolean ? bytes : bytes * kByte;
      term.boolean_bits += is_boolean ? bytes * (kByte - 1) : 0;
    }
    return Add(std::move(term));
  }

  // `is_bound`: the value of the variable that is bound next.
  std::size_t Evaluate(const Expression& expression, bool is_bound) {
    Term term;
    switch (expression.kind) {
      case Kind::kVariable:
        return bound_.at(expression.name);
      case Kind::kLiteral:
        term.is_literal = term.is_constant = true;
        term.bits = expression.literal.type == ir::DataType::kBool
                        ? 1
                        : ir::BitWidth(expression.literal.type);
        return Add(std::move(term));
      case Kind::kTuple:
      case Kind::kProjection:
        term.is_tuple = expression.kind == Kind::kTuple;
        term.is_constant = ReadAll(expression, expression.children.size(), term);
        return Add(std::move(term));
      case Kind::kCall:
        term.is_call = true;
        term.is_constant =
            IsFolded(expression, ReadAll(expression, NumStaticArguments(expression), term));
        if (is_bound) return AddSized(std::move(term));
        break;
      case Kind::kBlock:
        break;
    }
    is_known_ = false;
    return Add(std::move(term));
  }

  // True when all that is read is constant.
  bool ReadAll(const Expression& expression, std::size_t count, Term& term) {
    for (std::size_t i = 0; i < count; ++i) {
      term.reads.push_back(Evaluate(expression.children[i], /*is_bound=*/false));
    }
    return std::ranges::all_of(term.reads, [&](std::size_t i) { return terms_[i].is_constant; });
  }

  void Reach(std::size_t from) {
    std::vector<std::size_t> waiting = {from};
    while (!waiting.empty()) {
      Term& term = terms_[waiting.back()];
      waiting.pop_back();
      if (term.is_reached) continue;
      term.is_reached = true;
      // What is folded into a value is gone.
      if (term.is_constant && term.bits > 0) continue;
      waiting.insert(waiting.end(), term.reads.begin(), term.reads.end());
    }
  }

  // The calls among the fields of a tuple, nested ones too.
  std::set<std::size_t> ComputedIn(std::size_t tuple) const {
    std::set<std::size_t> computed;
    std::vector<std::size_t> waiting = {tuple};
    while (!waiting.empty()) {
      const std::size_t id = waiting.back();
      waiting.pop_back();
      const Term& term = terms_[id];
      if (term.is_call && !term.is_constant) computed.insert(id);
      if (term.is_tuple) waiting.insert(waiting.end(), term.reads.begin(), term.reads.end());
    }
    return computed;
  }

  Recount Sum(std::size_t result) const {
    Recount sum;
    for (const std::size_t id : ComputedIn(result)) sum.result_bits += terms_[id].bits;
    for (const Term& term : terms_) {
      if (term.is_reached) {
        sum.bits += term.bits;
        sum.boolean_bits += term.boolean_bits;
        if (term.is_literal) sum.literal_bits += term.bits;
      } else if (!term.is_literal) {
        sum.unreached_bits += term.bits + term.boolean_bits;
      }
    }
    return sum;
  }

  const Program& program_;
  const Conversion& conversion_;
  std::map<std::string, std::size_t> bound_;
  std::size_t num_bound_ = 0;
  std::vector<Term> terms_;
  bool is_known_ = true;
};

}  // namespace

Result<std::optional<Recount>> RecountText(const std::string& text, const std::string& where) {
  OPASS_ASSIGN_OR_RETURN(const Program program, frontends::relay::ParseProgram(text, where));
  OPASS_ASSIGN_OR_RETURN(const Conversion conversion, frontends::ImportRelayText(text, where));
  return Counter(program, conversion).Count();
}

}  // namespace opass::bench
