#include "opass/frontends/relay/types_parser.h"

#include <fmt/format.h>

#include "opass/frontends/relay/expression_parser.h"
#include "opass/frontends/relay/numbers.h"
#include "opass/support/bytes.h"

namespace opass::frontends::relay {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kMaxRank = 32;

Result<ir::DataType> ParseElementType(TokenStream& tokens) {
  const Position at = tokens.peek().at;
  OPASS_ASSIGN_OR_RETURN(const Token name, tokens.Expect(Kind::kName, "a type of elements"));
  const auto type = FindElementType(name.text);
  if (!type) return tokens.ErrorAt(at, fmt::format("there is no type '{}'", name.text));
  return *type;
}

Result<std::int64_t> ParseDimension(TokenStream& tokens) {
  const Token token = tokens.peek();
  if (token.IsSymbol("?")) {
    return tokens.ErrorAt(token.at, "a dimension of a parameter is open",
                          "print the program with fixed shapes");
  }
  OPASS_RETURN_IF_ERROR(tokens.Expect(Kind::kNumber, "a dimension"));
  const auto dim = ParseDigits(token.text);
  if (!dim || *dim > kMaxBytes) {
    return tokens.ErrorAt(token.at, fmt::format("{} is no dimension", token.ToString()));
  }
  return *dim;
}

Status ParseDimensions(TokenStream& tokens, std::vector<std::int64_t>& dims) {
  OPASS_RETURN_IF_ERROR(tokens.Expect("("));
  while (!tokens.peek().IsSymbol(")")) {
    const Position at = tokens.peek().at;
    OPASS_ASSIGN_OR_RETURN(const std::int64_t dim, ParseDimension(tokens));
    dims.push_back(dim);
    if (dims.size() > kMaxRank) {
      return tokens.ErrorAt(at, fmt::format("more than {} dimensions", kMaxRank));
    }
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens.Accept(","));
    if (!more) break;
  }
  return tokens.Expect(")");
}

// Reads over "(type, ...)" or "[type, ...]", of which the opening symbol is taken.
Status SkipTypes(TokenStream& tokens, std::string_view end, int depth) {
  while (!tokens.peek().IsSymbol(end)) {
    OPASS_RETURN_IF_ERROR(SkipType(tokens, depth + 1));
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens.Accept(","));
    if (!more) break;
  }
  return tokens.Expect(end);
}

}  // namespace

Status ParseTensorType(TokenStream& tokens, Parameter& parameter) {
  const Position at = tokens.peek().at;
  OPASS_ASSIGN_OR_RETURN(const bool is_tensor, tokens.AcceptName("Tensor"));
  if (is_tensor) {
    OPASS_RETURN_IF_ERROR(tokens.Expect("["));
    OPASS_RETURN_IF_ERROR(ParseDimensions(tokens, parameter.dims));
    OPASS_RETURN_IF_ERROR(tokens.Expect(","));
  }
  OPASS_ASSIGN_OR_RETURN(parameter.type, ParseElementType(tokens));
  if (is_tensor) OPASS_RETURN_IF_ERROR(tokens.Expect("]"));
  if (!ir::SizeBytes(parameter.type, parameter.dims)) {
    return tokens.ErrorAt(at, fmt::format("'%{}' is too large", parameter.name));
  }
  return {};
}

Status SkipType(TokenStream& tokens, int depth) {
  const Token token = tokens.peek();
  if (depth > kMaxNesting) {
    return tokens.ErrorAt(token.at, fmt::format("nests more than {} levels deep", kMaxNesting));
  }
  OPASS_ASSIGN_OR_RETURN(const bool is_tuple, tokens.Accept("("));
  if (is_tuple) return SkipTypes(tokens, ")", depth);
  if (token.IsSymbol("?") || token.kind == Kind::kNumber) {
    OPASS_RETURN_IF_ERROR(tokens.Take());
    return {};
  }
  OPASS_RETURN_IF_ERROR(tokens.Expect(Kind::kName, "a type"));
  OPASS_ASSIGN_OR_RETURN(const bool has_arguments, tokens.Accept("["));
  return has_arguments ? SkipTypes(tokens, "]", depth) : Status();
}

Status SkipTypeDeclaration(TokenStream& tokens) {
  OPASS_RETURN_IF_ERROR(tokens.Take());
  OPASS_RETURN_IF_ERROR(SkipType(tokens, 0));
  OPASS_RETURN_IF_ERROR(tokens.Expect("{"));
  while (!tokens.peek().IsSymbol("}")) {
    OPASS_RETURN_IF_ERROR(tokens.Expect(Kind::kName, "a constructor"));
    OPASS_ASSIGN_OR_RETURN(const bool has_fields, tokens.Accept("("));
    if (has_fields) OPASS_RETURN_IF_ERROR(SkipTypes(tokens, ")", 0));
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens.Accept(","));
    if (!more) break;
  }
  return tokens.Expect("}");
}

}  // namespace opass::frontends::relay
