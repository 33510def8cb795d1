#include "opass/memory/buffers_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace opass::memory {
namespace {

// The form knows no quotes.
std::string Label(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return c == ',' || c == '"' || c == '\n' || c == '\r'; }, '_');
  return name;
}

// Per value: the one whose bytes it lies in.
std::vector<ValueId> Owners(const Problem& problem, const Plan& plan) {
  std::vector<ValueId> owners;
  for (std::size_t i = 0; i < problem.values.size(); ++i) owners.emplace_back(i);
  for (const Op& op : problem.ops) {  // in file order the source of a view comes before it
    for (const ValueId output : op.outputs) {
      const Value& value = problem.value(output);
      if (!plan.sharing.view || !value.view || value.size_bytes == 0) continue;
      owners[output.index()] = owners[value.view->source.index()];
    }
  }
  return owners;
}

}  // namespace

std::string BuffersToCsv(const Problem& problem, const Plan& plan) {
  const std::vector<ValueId> owners = Owners(problem, plan);
  std::vector<std::int64_t> last(problem.values.size(), 0);  // per owner
  for (const Buffer& buffer : plan.buffers) {
    if (!buffer.value.valid()) continue;
    std::int64_t& end = last[owners[buffer.value.index()].index()];
    end = std::max(end, buffer.last);
  }
  std::string csv = "id,lower,upper,size,offset\n";
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.alias_kind == AliasKind::kView || buffer.size_bytes == 0) continue;
    const bool is_value = buffer.value.valid();
    const std::int64_t lower = buffer.first + (buffer.alias_kind == AliasKind::kInPlace ? 1 : 0);
    const std::int64_t upper = is_value ? last[buffer.value.index()] : buffer.last;
    if (lower >= upper) continue;
    const std::string name = is_value ? problem.value(buffer.value).name
                                      : problem.op(buffer.workspace_of).name + "#workspace";
    csv += fmt::format("{},{},{},{},{}\n", Label(name), lower, upper, buffer.size_bytes,
                       buffer.offset_bytes);
  }
  return csv;
}

}  // namespace opass::memory
