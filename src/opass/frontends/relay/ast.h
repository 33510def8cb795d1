#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "opass/ir/type.h"

// What a program in the Relay text format 0.0.5 says, nothing computed yet. The subset: one
// function
// @main, a straight line of bindings; declarations of types are read over.
namespace opass::frontends::relay {

// In the file; both count from 1.
struct Position {
  int line = 1;
  int column = 1;
};

// A number, a truth value, a text, None, or a list of attributes.
struct AttributeValue {
  using List = std::vector<AttributeValue>;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List> value;
};

struct Attribute {
  std::string name;
  AttributeValue value;
  Position at;
};

// A scalar constant. Floats keep the double they were written as, until their type rounds it.
struct Literal {
  ir::DataType type = ir::DataType::kInt32;
  std::variant<bool, std::int64_t, double> value = std::int64_t{0};
};

struct Statement;

struct Expression {
  enum class Kind : std::uint8_t { kVariable, kLiteral, kTuple, kProjection, kCall, kBlock };

  Kind kind = Kind::kTuple;
  Position at;
  std::string name;  // of the variable, or of the operator
  Literal literal;
  std::vector<Expression> children;   // fields, arguments; of a projection, the tuple; of a block,
                                      // the result
  std::size_t index = 0;              // of the projection
  std::vector<Attribute> attributes;  // of the call
  std::vector<Statement> statements;  // of the block
};

// "%name = value;" or "let %name = value;"
struct Statement {
  std::string name;  // without the percent sign
  Position at;
  bool is_let = false;
  Expression value;
};

struct Parameter {
  std::string name;
  Position at;
  ir::DataType type = ir::DataType::kFloat;
  std::vector<std::int64_t> dims;
};

struct Program {
  std::vector<Parameter> parameters;
  Expression body;  // a block
};

}  // namespace opass::frontends::relay
