#include "opass/frontends/relay/converter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "opass/frontends/relay/operators.h"

namespace opass::frontends::relay {
namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kOpset = 21;
constexpr std::int64_t kIrVersion = 10;
// Of tuples, whose fields may be tuples that are used twice: without limits, few lines say much.
constexpr std::size_t kMaxTensors = 10'000;
constexpr int kMaxTupleDepth = 64;

class Converter {
 public:
  explicit Converter(const std::string& where)
      : where_(where), graph_(conversion_.model.graph), builder_(graph_) {}

  Result<Conversion> Run(const Program& program) {
    conversion_.model.ir_version = kIrVersion;
    conversion_.model.opsets[""] = kOpset;
    graph_.name = "main";
    for (const Parameter& parameter : program.parameters) graph_.ReserveName(parameter.name);
    ReserveNames(program.body);
    for (const Parameter& parameter : program.parameters) AddInput(parameter);
    OPASS_ASSIGN_OR_RETURN(const Item result, Block(program.body));
    OPASS_RETURN_IF_ERROR(AddOutputs(result, program.body.children[0].at));
    return std::move(conversion_);
  }

 private:
  Error ErrorAt(Position at, std::string message, std::string reason) const {
    return WithReason(
        InvalidInput(std::move(message), fmt::format("{}:{}:{}", where_, at.line, at.column)),
        std::move(reason));
  }

  // Names that are made up must meet none of the program's.
  void ReserveNames(const Expression& expression) {
    for (const Statement& statement : expression.statements) {
      graph_.ReserveName(statement.name);
      ReserveNames(statement.value);
    }
    for (const Expression& child : expression.children) ReserveNames(child);
  }

  void AddInput(const Parameter& parameter) {
    const ir::ValueId id =
        graph_.AddValue(parameter.name, ir::Type::Tensor(parameter.type, parameter.dims));
    graph_.inputs.push_back(id);
    named_.insert(parameter.name);
    Bind(parameter.name, id, /*is_new=*/true);
  }

  void Bind(const std::string& name, const Item& item, bool is_new) {
    variables_[name] = item;
    conversion_.variables.push_back({name, item, is_new});
  }

  // A variable of a let ends with its block.
  Result<Item> Block(const Expression& block) {
    std::vector<std::pair<std::string, std::optional<Item>>> hidden;
    for (const Statement& statement : block.statements) {
      if (statement.is_let) {
        const auto found = variables_.find(statement.name);
        hidden.emplace_back(statement.name, found == variables_.end()
                                                ? std::nullopt
                                                : std::optional(found->second));
      }
      OPASS_RETURN_IF_ERROR(Execute(statement));
    }
    builder_.SetWish("result");
    auto result = Evaluate(block.children[0]);
    for (auto& [name, item] : hidden) {
      variables_.erase(name);
      if (item) variables_[name] = *std::move(item);
    }
    return result;
  }

  Status Execute(const Statement& statement) {
    const std::size_t first_new = graph_.num_values();
    if (!statement.is_let && variables_.contains(statement.name)) {
      return ErrorAt(statement.at, fmt::format("'%{}' is defined twice", statement.name),
                     "relay-syntax");
    }
    builder_.SetWish(statement.name);
    OPASS_ASSIGN_OR_RETURN(const Item item, Evaluate(statement.value));
    NameNew(statement.name, item, first_new);
    Bind(statement.name, item, statement.value.kind == Kind::kCall);
    return {};
  }

  // What a statement computed is named after it, as far as it has no such name yet.
  void NameNew(const std::string& name, const Item& item, std::size_t first_new) {
    if (!named_.insert(name).second) return;
    const std::vector<Item> tensors = Flatten(item);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const ir::ValueId id = tensors[i].value;
      if (!id.valid() || id.index() < first_new || !named_values_.insert(id.index()).second)
        continue;
      std::string own = item.is_tuple() ? fmt::format("{}.{}", name, i) : name;
      graph_.ReserveName(own);
      graph_.value(id).name = std::move(own);
    }
  }

  Result<Item> Evaluate(const Expression& expression) {
    switch (expression.kind) {
      case Kind::kVariable: {
        const auto found = variables_.find(expression.name);
        if (found != variables_.end()) return found->second;
        return ErrorAt(expression.at, fmt::format("'%{}' is not defined", expression.name),
                       "relay-syntax");
      }
      case Kind::kLiteral:
        return Item(builder_.LiteralOf(expression.literal));
      case Kind::kTuple: {
        OPASS_ASSIGN_OR_RETURN(std::vector<Item> fields, EvaluateAll(expression.children));
        Item tuple = Item::Tuple(std::move(fields));
        if (tuple.num_tensors <= kMaxTensors && tuple.depth <= kMaxTupleDepth) return tuple;
        return ErrorAt(expression.at, "the tuple is too large", "relay-type");
      }
      case Kind::kProjection:
        return Projection(expression);
      case Kind::kCall:
        return Convert(expression);
      case Kind::kBlock:
        return Block(expression);
    }
    return InternalError("an unknown kind of expression");
  }

  Result<std::vector<Item>> EvaluateAll(const std::vector<Expression>& expressions) {
    std::vector<Item> items;
    for (const Expression& expression : expressions) {
      OPASS_ASSIGN_OR_RETURN(Item item, Evaluate(expression));
      items.push_back(std::move(item));
    }
    return items;
  }

  Result<Item> Projection(const Expression& expression) {
    OPASS_ASSIGN_OR_RETURN(const Item tuple, Evaluate(expression.children[0]));
    if (tuple.is_tuple() && expression.index < tuple.fields->size()) {
      return (*tuple.fields)[expression.index];
    }
    return ErrorAt(expression.at,
                   tuple.is_tuple() ? fmt::format("the tuple has {} fields", tuple.fields->size())
                                    : std::string("this is no tuple"),
                   "relay-type");
  }

  Result<Item> Convert(const Expression& expression) {
    const Operator* op = FindOperator(expression.name);
    if (op == nullptr) {
      return ErrorAt(expression.at, fmt::format("operator '{}' is not supported", expression.name),
                     "relay-operator");
    }
    OPASS_ASSIGN_OR_RETURN(std::vector<Item> arguments, EvaluateAll(expression.children));
    const std::string problem = CheckArguments(*op, arguments);
    if (!problem.empty()) return ErrorAt(expression.at, problem, "relay-type");
    const std::string signature = Signature(*op, arguments);
    Call call(expression, *op, std::move(arguments), builder_);
    Item result = op->convert(call);
    std::string fault = call.problem();
    if (fault.empty() && !call.Unread().empty()) {
      fault = fmt::format("attribute '{}' is not supported", call.Unread());
    }
    if (fault.empty() && builder_.too_large()) fault = "the result is too large";
    if (fault.empty()) return result;
    return ErrorAt(expression.at, signature + ": " + fault, "relay-type");
  }

  std::string CheckArguments(const Operator& op, const std::vector<Item>& arguments) const {
    if (arguments.size() < op.min_arguments || arguments.size() > op.max_arguments) {
      return fmt::format("{} takes {} arguments, not {}", op.name, op.max_arguments,
                         arguments.size());
    }
    for (const Item& argument : arguments) {
      const std::vector<Item> tensors = Flatten(argument);
      for (const Item& tensor : tensors) {
        if (!tensor.unknown.empty()) return fmt::format("{}: {}", op.name, tensor.unknown);
      }
      if (argument.is_tuple() == op.takes_tuple) continue;
      return fmt::format("{} takes {}", op.name, op.takes_tuple ? "a tuple" : "no tuple");
    }
    return "";
  }

  // "add(float32[2], int32[3])"
  std::string Signature(const Operator& op, const std::vector<Item>& arguments) const {
    std::vector<std::string> types;
    for (const Item& argument : arguments) {
      types.push_back(argument.is_tuple() ? "(...)" : builder_.Describe(argument.value));
    }
    return fmt::format("{}({})", op.name, fmt::join(types, ", "));
  }

  // A value is at most once an output, and no constant: others are copied.
  Status AddOutputs(const Item& result, Position at) {
    if (result.num_tensors == 0) return ErrorAt(at, "the result holds no tensor", "relay-type");
    std::unordered_set<std::size_t> seen;
    builder_.SetWish("result");
    for (const Item& tensor : Flatten(result)) {
      if (!tensor.unknown.empty()) return ErrorAt(at, tensor.unknown, "relay-type");
      ir::ValueId id = tensor.value;
      const bool is_constant = graph_.value(id).constant != nullptr;
      if (is_constant || !seen.insert(id.index()).second) {
        id = builder_.Add("Identity", {id}, builder_.ElementOf(id), builder_.DimsOf(id));
      }
      graph_.outputs.push_back(id);
    }
    return {};
  }

  const std::string& where_;
  Conversion conversion_;
  ir::Graph& graph_;
  Builder builder_;
  std::unordered_map<std::string, Item> variables_;
  std::unordered_set<std::string> named_;
  std::unordered_set<std::size_t> named_values_;
};

}  // namespace

Result<Conversion> Convert(const Program& program, const std::string& where) {
  return Converter(where).Run(program);
}

}  // namespace opass::frontends::relay
