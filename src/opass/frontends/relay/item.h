#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "opass/ir/graph.h"

namespace opass::frontends::relay {

// What an expression stands for: a tensor, or a tuple. Copies share the fields.
struct Item {
  ir::ValueId value;                                // of a tensor
  std::shared_ptr<const std::vector<Item>> fields;  // of a tuple; null: a tensor
  std::size_t num_tensors = 1;                      // nested tuples included
  int depth = 0;                                    // of nested tuples
  std::string unknown;  // not empty: a tensor that nobody may read, and why

  Item() = default;
  Item(ir::ValueId id) : value(id) {}  // NOLINT: implicit
  static Item Tuple(std::vector<Item> fields);
  bool is_tuple() const { return fields != nullptr; }
};

// The tensors in it, depth first.
std::vector<Item> Flatten(const Item& item);

}  // namespace opass::frontends::relay
