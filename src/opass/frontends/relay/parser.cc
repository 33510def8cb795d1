#include "opass/frontends/relay/parser.h"

#include <fmt/format.h>

#include <unordered_set>

#include "opass/frontends/relay/expression_parser.h"
#include "opass/frontends/relay/metadata.h"
#include "opass/frontends/relay/token_stream.h"
#include "opass/frontends/relay/types_parser.h"

namespace opass::frontends::relay {
namespace {

using Kind = Token::Kind;

constexpr std::string_view kVersion = "0.0.5";
constexpr std::string_view kMetadata = "\n#[metadata]";

// #[version = "0.0.5"]
Status ParseHeader(TokenStream& tokens) {
  OPASS_RETURN_IF_ERROR(tokens.Expect("#"));
  OPASS_RETURN_IF_ERROR(tokens.Expect("["));
  OPASS_ASSIGN_OR_RETURN(const bool is_version, tokens.AcceptName("version"));
  if (!is_version) return tokens.Expected("'version'");
  OPASS_RETURN_IF_ERROR(tokens.Expect("="));
  const Position at = tokens.peek().at;
  OPASS_ASSIGN_OR_RETURN(const Token version, tokens.Expect(Kind::kString, "a version"));
  if (version.text != kVersion) {
    return tokens.ErrorAt(at, fmt::format("version {} is not known", version.text),
                          fmt::format("{} is", kVersion));
  }
  return tokens.Expect("]");
}

Status ParseParameters(TokenStream& tokens, std::vector<Parameter>& parameters) {
  std::unordered_set<std::string> names;
  OPASS_RETURN_IF_ERROR(tokens.Expect("("));
  while (!tokens.peek().IsSymbol(")")) {
    OPASS_ASSIGN_OR_RETURN(const Token name, tokens.Expect(Kind::kVariable, "a parameter"));
    Parameter parameter{.name = name.text, .at = name.at, .dims = {}};
    if (!names.insert(name.text).second) {
      return tokens.ErrorAt(name.at, fmt::format("two parameters are named '%{}'", name.text));
    }
    if (!tokens.peek().IsSymbol(":")) {
      return tokens.ErrorAt(name.at, fmt::format("'%{}' has no type", name.text));
    }
    OPASS_RETURN_IF_ERROR(tokens.Expect(":"));
    OPASS_RETURN_IF_ERROR(ParseTensorType(tokens, parameter));
    parameters.push_back(std::move(parameter));
    OPASS_ASSIGN_OR_RETURN(const bool more, tokens.Accept(","));
    if (!more) break;
  }
  return tokens.Expect(")");
}

// "def", then one function.
Result<Program> ParseMain(TokenStream& tokens, const Metadata& metadata) {
  OPASS_ASSIGN_OR_RETURN(const bool is_definition, tokens.AcceptName("def"));
  if (!is_definition) return tokens.Expected("'def @main' or 'type'");
  const Position at = tokens.peek().at;
  OPASS_ASSIGN_OR_RETURN(const Token name, tokens.Expect(Kind::kGlobal, "'@main'"));
  if (name.text != "main") {
    return tokens.ErrorAt(at, fmt::format("function '@{}' is not supported", name.text),
                          "there may be one function, @main");
  }
  Program program;
  OPASS_RETURN_IF_ERROR(ParseParameters(tokens, program.parameters));
  OPASS_ASSIGN_OR_RETURN(const bool has_type, tokens.Accept("->"));
  if (has_type) OPASS_RETURN_IF_ERROR(SkipType(tokens, 0));
  OPASS_RETURN_IF_ERROR(tokens.Expect("{"));
  ExpressionParser parser(tokens, metadata);
  OPASS_ASSIGN_OR_RETURN(program.body, parser.ParseBlock("}", 0));
  return program;
}

}  // namespace

Result<Program> ParseProgram(std::string_view text, const std::string& where) {
  Metadata metadata;
  const std::size_t split = text.find(kMetadata);
  if (split != std::string_view::npos) {
    OPASS_ASSIGN_OR_RETURN(metadata, Metadata::Parse(text.substr(split + kMetadata.size()),
                                                     where + ": metadata section"));
  }
  OPASS_ASSIGN_OR_RETURN(TokenStream tokens, TokenStream::Open(text.substr(0, split), where));
  OPASS_RETURN_IF_ERROR(ParseHeader(tokens));
  while (tokens.peek().Is(Kind::kName, "type")) {
    OPASS_RETURN_IF_ERROR(SkipTypeDeclaration(tokens));
  }
  OPASS_ASSIGN_OR_RETURN(Program program, ParseMain(tokens, metadata));
  if (tokens.peek().kind != Kind::kEnd) {
    return tokens.ErrorAt(tokens.peek().at,
                          fmt::format("{} stands behind @main", tokens.peek().ToString()),
                          "there may be one function, @main");
  }
  return program;
}

}  // namespace opass::frontends::relay
