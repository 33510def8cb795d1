#include "opass/emitters/c_header.h"

#include <fmt/format.h>

#include <cctype>
#include <iterator>
#include <unordered_set>
#include <vector>

namespace opass::emitters {
namespace {

std::string Identifier(const std::string& text) {
  std::string identifier;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    identifier += std::isalnum(byte) != 0 && byte < 128 ? c : '_';
  }
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier[0])) != 0) {
    identifier.insert(0, "_");
  }
  return identifier;
}

std::string Upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The text as a C string literal. Every byte that is not plain becomes an octal escape of three
// digits, which cannot run into what follows.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?' || byte < 32 || byte > 126) {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string BufferName(const memory::Problem& problem, const memory::Buffer& buffer) {
  return buffer.value.valid() ? problem.value(buffer.value).name
                              : problem.op(buffer.workspace_of).name + "#workspace";
}

}  // namespace

std::string CHeader(const memory::Problem& problem, const memory::Plan& plan,
                    const std::string& model_name) {
  const std::string prefix = Identifier(model_name);
  const std::string upper = Upper(prefix);
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "/* Memory plan of {}, written by opass. Steps are half-open [first, last). */\n"
                 "#ifndef {}_PLAN_H_\n#define {}_PLAN_H_\n\n#include <stdint.h>\n\n",
                 prefix, upper, upper);
  fmt::format_to(out, "#define {}_ARENA_BYTES INT64_C({})\n", upper, plan.arena_bytes);
  fmt::format_to(out, "#define {}_ALIGNMENT {}\n", upper, plan.alignment);
  fmt::format_to(out, "#define {}_NUM_BUFFERS {}\n", upper, plan.buffers.size());
  fmt::format_to(out, "#define {}_NUM_STEPS {}\n\n", upper, plan.order.size());

  std::unordered_set<std::string> used;
  fmt::format_to(out, "/* Index of each buffer in {}_buffers. */\n", prefix);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    std::string name = Identifier(BufferName(problem, plan.buffers[i]));
    while (!used.insert(name).second) name += fmt::format("__{}", i);
    fmt::format_to(out, "#define {}_BUFFER_{} {}\n", upper, name, i);
  }
  fmt::format_to(
      out,
      "\nstruct {0}_buffer {{\n  const char* name;\n  int64_t offset; /* bytes from the "
      "start of the arena */\n  int64_t size;   /* bytes */\n  int32_t first;  /* step */\n"
      "  int32_t last;   /* step */\n"
      "  int32_t alias_of; /* index of the buffer whose bytes it shares (a view of it, or "
      "computed in its place); -1: none */\n}};\n\n",
      prefix);
  // C has no empty arrays: one more entry than buffers, so that a plan without any compiles.
  fmt::format_to(out, "static const struct {0}_buffer {0}_buffers[{1}_NUM_BUFFERS + 1] = {{\n",
                 prefix, upper);
  std::vector<std::int64_t> index_of(problem.values.size(), -1);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].value.valid()) {
      index_of[plan.buffers[i].value.index()] = static_cast<std::int64_t>(i);
    }
  }
  for (const memory::Buffer& buffer : plan.buffers) {
    fmt::format_to(out, "    {{{}, INT64_C({}), INT64_C({}), {}, {}, {}}},\n",
                   Quoted(BufferName(problem, buffer)), buffer.offset_bytes, buffer.size_bytes,
                   buffer.first, buffer.last,
                   buffer.alias_of.valid() ? index_of[buffer.alias_of.index()] : -1);
  }
  fmt::format_to(out, "    {{0, 0, 0, 0, 0, -1}}}};\n\n");
  std::int64_t num_outside = 0;
  std::string outside;
  for (const memory::Value& value : problem.values) {
    if (value.in_arena) continue;
    ++num_outside;
    outside += fmt::format("    {},\n", Quoted(value.name));
  }
  fmt::format_to(out,
                 "/* Values that are not in the arena: their memory is yours to provide. */\n"
                 "#define {1}_NUM_OUTSIDE {2}\n"
                 "static const char* const {0}_outside[{1}_NUM_OUTSIDE + 1] = {{\n{3}    0}};\n\n",
                 prefix, upper, num_outside, outside);
  fmt::format_to(out, "/* Names of the operators, in the order to run them. */\n");
  fmt::format_to(out, "static const char* const {0}_order[{1}_NUM_STEPS + 1] = {{\n", prefix,
                 upper);
  for (const memory::OpId op : plan.order) {
    fmt::format_to(out, "    {},\n", Quoted(problem.op(op).name));
  }
  fmt::format_to(out, "    0}};\n\n#endif /* {}_PLAN_H_ */\n", upper);
  return text;
}

}  // namespace opass::emitters
