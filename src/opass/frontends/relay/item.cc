#include "opass/frontends/relay/item.h"

#include <algorithm>

namespace opass::frontends::relay {
namespace {

void Collect(const Item& item, std::vector<Item>& tensors) {
  if (!item.is_tuple()) {
    tensors.push_back(item);
    return;
  }
  for (const Item& field : *item.fields) Collect(field, tensors);
}

}  // namespace

Item Item::Tuple(std::vector<Item> fields) {
  Item tuple;
  tuple.num_tensors = 0;
  for (const Item& field : fields) {
    tuple.num_tensors += field.num_tensors;
    tuple.depth = std::max(tuple.depth, field.depth);
  }
  ++tuple.depth;
  tuple.fields = std::make_shared<const std::vector<Item>>(std::move(fields));
  return tuple;
}

std::vector<Item> Flatten(const Item& item) {
  std::vector<Item> tensors;
  Collect(item, tensors);
  return tensors;
}

}  // namespace opass::frontends::relay
