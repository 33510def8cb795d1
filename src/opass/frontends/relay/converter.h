#pragma once

#include <string>
#include <vector>

#include "opass/frontends/relay/ast.h"
#include "opass/frontends/relay/item.h"
#include "opass/ir/graph.h"
#include "opass/support/result.h"

namespace opass::frontends::relay {

// A parameter or a binding of the program, in text order.
struct Variable {
  std::string name;  // without the percent sign
  Item item;
  // A parameter or the result of an operator; not an alias, a literal, a tuple or a part of one.
  bool is_new = false;
};

struct Conversion {
  ir::Model model;
  std::vector<Variable> variables;
};

// The program as a graph of ONNX operators, opset 21: parameters become inputs, the tensors of the
// result, depth first, outputs. Bindings that nobody reads are kept. Every value has a static type.
// Errors say `where`, line and column: an undefined variable, an operator that is not supported
// (reason "relay-operator"), arguments or attributes that it does not take (reason "relay-type").
Result<Conversion> Convert(const Program& program, const std::string& where);

}  // namespace opass::frontends::relay
